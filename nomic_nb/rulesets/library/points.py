"""Ready-made rules on points: rewards and penalties, limits, handicaps, chance, what goes from one to another."""

from __future__ import annotations

from nomic_nb.rulesets.library.making import LibraryRule, text, times, whole

_ALL = "[p.points for p in playing]"


def penalty_for(deed: str = "interrupting", points: int = 2) -> LibraryRule:
    """Take points from whoever is reported for a deed: the table watches, and `Game.report` tells the game.

    Parameters
    ----------
    deed : str
        What is not to be done; at most 60 letters.
    points : int
        How many it costs, from 1 to 1000.

    Examples
    --------
    >>> print(penalty_for("humming", 3).law)
    on deed when name == "humming": award -3 points to player
    """
    whole("a penalty", points, 1, 1000)
    deed = text("a deed", deed)
    return LibraryRule(
        f"Penalty for {deed}",
        f"Each time a player is reported for {deed}, that player loses {times(points, 'point')}. Anyone may report it.",
        f'on deed when name == "{deed}": award -{points} points to player',
    )


def reward_for(deed: str = "a good joke", points: int = 2) -> LibraryRule:
    """Give points to whoever somebody else reports for a deed.

    Parameters
    ----------
    deed : str
        What is to be done; at most 60 letters.
    points : int
        From 1 to 1000.

    Examples
    --------
    >>> print(reward_for("making tea", 4).wording)
    Each time a player is reported for making tea by another player, that player gets 4 points.
    """
    whole("a reward", points, 1, 1000)
    deed = text("a deed", deed)
    return LibraryRule(
        f"Reward for {deed}",
        f"Each time a player is reported for {deed} by another player, that player gets {times(points, 'point')}.",
        f'on deed when name == "{deed}" and reporter != player: award {points} points to player',
    )


def fine_for(deed: str = "gloating", points: int = 2) -> LibraryRule:
    """Let whoever is reported for a deed pay points to whoever reports it.

    Parameters
    ----------
    deed : str
        What is not to be done; at most 60 letters.
    points : int
        From 1 to 1000.

    Examples
    --------
    >>> print(fine_for("lateness", 1).law)
    on deed when name == "lateness" and reporter != player: pay 1 points from player to reporter
    """
    whole("a fine", points, 1, 1000)
    deed = text("a deed", deed)
    return LibraryRule(
        f"Fine for {deed}",
        f"Each time a player is reported for {deed} by another player, the one reported pays {times(points, 'point')} "
        "to the one who reports it. Whoever has fewer than that pays nothing.",
        f'on deed when name == "{deed}" and reporter != player: pay {points} points from player to reporter',
    )


def gifts(most: int = 10) -> LibraryRule:
    """Let players give points to one another (`Game.give`).

    Parameters
    ----------
    most : int
        How many at a time, from 1 to 1000.

    Examples
    --------
    >>> print(gifts(5).law)
    allow give when counter == "points" and amount <= 5
    """
    whole("a gift", most, 1, 1000)
    return LibraryRule(
        "Gifts",
        f"At any time a player may give another player a whole number of points, from 1 to {most} in one gift. Nobody "
        "gives away more than they have.",
        f'allow give when counter == "points" and amount <= {most}',
    )


def tax(of_every: int = 10) -> LibraryRule:
    """Take a part of everyone's points at the end of each circuit.

    Parameters
    ----------
    of_every : int
        One point of every so many, from 2 to 1000.

    Examples
    --------
    >>> print(tax(5).wording)
    At the end of every circuit each player with more than zero points loses one point for each whole 5 of them.
    """
    whole("a count of points", of_every, 2, 1000)
    return LibraryRule(
        f"A tax of one point in {of_every}",
        "At the end of every circuit each player with more than zero points loses one point for each whole "
        f"{of_every} of them.",
        f"on circuit_ended each p in [q for q in playing if q.points >= {of_every}]: award -(p.points // {of_every}) "
        "points to p",
    )


def first_pays_last(points: int = 3) -> LibraryRule:
    """Let the player with the most points pay the player with the fewest, at the end of each circuit.

    Parameters
    ----------
    points : int
        From 1 to 1000.

    Examples
    --------
    >>> print(first_pays_last(2).title)
    The first pays the last 2 points
    """
    whole("a payment", points, 1, 1000)
    return LibraryRule(
        f"The first pays the last {times(points, 'point')}",
        f"At the end of every circuit the player with the most points pays {times(points, 'point')} to the player "
        "with the fewest. Among equals, it is whoever sits first. Nothing is paid where that is the same player, or "
        "where the payer has fewer points than that.",
        f"on circuit_ended: pay {points} points from item(highest(playing, {_ALL}), 1) to item(lowest(playing, "
        f"{_ALL}), 1)",
    )


def handicap(points: int = 3) -> LibraryRule:
    """Help whoever is in last place.

    Parameters
    ----------
    points : int
        From 1 to 1000.

    Examples
    --------
    >>> print(handicap(1).wording)
    A player who has the fewest points when their turn begins, alone or with others, gets 1 point. Nobody gets it
    while all have equally many.
    """
    whole("a number of points", points, 1, 1000)
    return LibraryRule(
        f"{times(points, 'point')} for the last",
        "A player who has the fewest points when their turn begins, alone or with others, gets "
        f"{times(points, 'point')}. Nobody gets it while all have equally many.",
        f"on turn_begun when player in lowest(playing, {_ALL}) and min({_ALL}) < max({_ALL}): award {points} points "
        "to player",
    )


def no_points_below(least: int = 0) -> LibraryRule:
    """Let nobody's points fall below a number.

    Parameters
    ----------
    least : int
        From -1000 to 0.

    Examples
    --------
    >>> print(no_points_below().title)
    No points below 0
    """
    whole("the least number of points", least, -1000, 0)
    return LibraryRule(
        f"No points below {least}",
        f"Whoever comes to have fewer than {least} points has {least} points.",
        f'on counted when counter == "points" and player.points < {least}: put points of player at {least}',
    )


def most_at_once(points: int = 20) -> LibraryRule:
    """Limit how many points a player can get at one stroke.

    Parameters
    ----------
    points : int
        From 1 to 1000.

    Examples
    --------
    >>> print(most_at_once(9).wording)
    Whatever brings a player more than 9 points at one stroke brings 9 points and no more.
    """
    whole("a limit", points, 1, 1000)
    return LibraryRule(
        f"At most {times(points, 'point')} at once",
        f"Whatever brings a player more than {times(points, 'point')} at one stroke brings {times(points, 'point')} "
        "and no more.",
        f'on counted when counter == "points" and amount > {points}: award {points} - amount points to player',
    )


def lottery(points: int = 10) -> LibraryRule:
    """Draw a player at the end of each circuit who gets points.

    Parameters
    ----------
    points : int
        From 1 to 1000.

    Examples
    --------
    >>> print(lottery(5).law)
    on circuit_ended: roll 1 of count(seats) as ticket; award 5 points to item(seats, ticket)
    """
    whole("a prize", points, 1, 1000)
    return LibraryRule(
        f"A lottery for {times(points, 'point')}",
        "At the end of every circuit a number is drawn, from one to the number of players. The player in the seat of "
        f"that number, counted from the first, gets {times(points, 'point')}.",
        f"on circuit_ended: roll 1 of count(seats) as ticket; award {points} points to item(seats, ticket)",
    )


def elimination(below: int = -30) -> LibraryRule:
    """Put whoever has too few points out of the game.

    Parameters
    ----------
    below : int
        Fewer points than this are too few, from -1000 to 0.

    Examples
    --------
    >>> print(elimination(-10).title)
    Out with fewer than -10 points
    """
    whole("a number of points", below, -1000, 0)
    return LibraryRule(
        f"Out with fewer than {below} points",
        f"Whoever has fewer than {below} points at the end of a turn, whoever's it was, is out of the game.",
        f"on turn_ended: eliminate [p for p in playing if p.points < {below}]",
    )
