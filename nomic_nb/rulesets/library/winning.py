"""Ready-made rules on winning: how many points, when, and who wins together."""

from __future__ import annotations

from nomic_nb.rulesets.library.making import BEFORE, LibraryRule, counter, ordinal, times, whole


def points_to_win(points: int = 50) -> LibraryRule:
    """Change how many points win.

    Parameters
    ----------
    points : int
        From 1 to 100000.

    Examples
    --------
    >>> print(points_to_win(30).law)
    set win.points to 30
    prevails over everything on win.points
    """
    whole("a number of points", points, 1, 100_000)
    return LibraryRule(
        f"{times(points, 'point')} to win",
        f"It takes {times(points, 'point')} to win. {BEFORE}",
        f"set win.points to {points}\nprevails over everything on win.points",
        "the rule that says how many points win",
    )


def last_circuit(circuits: int = 5) -> LibraryRule:
    """Let the game end after so many circuits: whoever leads then wins.

    Parameters
    ----------
    circuits : int
        From 1 to 1000.

    Examples
    --------
    >>> print(last_circuit(3).wording)
    From circuit 4 of the game on, it takes no more points to win than the leading player has. On this point it goes
    before every other rule.
    """
    whole("a count of circuits", circuits, 1, 1000)
    return LibraryRule(
        f"The game ends after {times(circuits, 'circuit')}",
        f"From circuit {circuits + 1} of the game on, it takes no more points to win than the leading player has. "
        f"{BEFORE}",
        f"set win.points to max([p.points for p in seats]) while circuit > {circuits}\n"
        "prevails over everything on win.points",
    )


def joint_win() -> LibraryRule:
    """Let all win who have enough points at the same moment.

    Examples
    --------
    >>> print(joint_win().law)
    set win.joint to "joint"
    """
    return LibraryRule(
        "Joint wins",
        "If several players have enough points to win at the same moment, they have won together.",
        'set win.joint to "joint"',
    )


def player_on_turn_wins() -> LibraryRule:
    """Let the player on turn win, of several who have enough points at the same moment.

    Examples
    --------
    >>> print(player_on_turn_wins().law)
    set win.joint to "on turn"
    """
    return LibraryRule(
        "The player on turn goes first",
        "If several players have enough points to win at the same moment and the player on turn is one of them, that "
        "player alone has won. If not, they have won together.",
        'set win.joint to "on turn"',
    )


def second_way_to_win(name: str = "stars", needed: int = 3) -> LibraryRule:
    """Count something else, and let enough of it bring the points that win.

    Parameters
    ----------
    name : str
        What is counted, one word in small letters, such as ``stars``.
    needed : int
        How many bring the win, from 1 to 1000.

    Examples
    --------
    >>> print(second_way_to_win("crowns", 5).wording)
    A proponent gets one of the crowns for each proposal that is adopted. Whoever comes to have 5 crowns or more gets as
    many points as are missing to win.
    """
    name = counter("what is counted", name)
    whole("a number", needed, 1, 1000)
    return LibraryRule(
        f"{needed} {name} win",
        f"A proponent gets one of the {name} for each proposal that is adopted. Whoever comes to have {needed} {name} "
        "or more gets as many points as are missing to win.",
        f"track {name} per player from 0\n"
        f"on adopted: award 1 {name} to proponent\n"
        f'on counted when counter == "{name}" and player.{name} >= {needed} and player.points < win.points: '
        "put points of player at win.points",
    )


def teams(number: int = 2) -> LibraryRule:
    """Make teams by seats; team-mates win together.

    Parameters
    ----------
    number : int
        How many teams, from 2 to 50.

    Examples
    --------
    >>> print(teams(2).title)
    2 teams
    """
    whole("a number of teams", number, 2, 50)
    return LibraryRule(
        f"{number} teams",
        f"There are {number} teams. Counted from the first seat on, every {ordinal(number)} player is in the same "
        "team, also after others have left, and whoever joins is counted on. Whoever comes to have enough points to "
        "win brings all team-mates who are still in the game up to just as many as it takes, so that the team wins "
        "together. Other players who have enough at the same moment win with them.",
        f"set team.mates to [p for p in playing if p != player and place(players, p) % {number} == "
        f"place(players, player) % {number}]\n"
        "on counted each mate in [p for p in allies(player) if p.points < win.points] "
        'when counter == "points" and player.points >= win.points: put points of mate at win.points\n'
        'set win.joint to "joint"',
    )
