"""Ready-made rules on money: something else than points that players own, give, pay and bid."""

from __future__ import annotations

from nomic_nb.rulesets.library.making import LibraryRule, counter, money, text, times, whole


def currency(name: str = "coins", start: int = 10, wages: int = 2) -> LibraryRule:
    """Bring in money that players can give to one another (`Game.give`).

    Parameters
    ----------
    name : str
        What it is called, one word in small letters, such as ``coins``.
    start : int
        What each player begins with, from 0 to 10000.
    wages : int
        What each player gets at the end of every circuit, from 0 to 1000.

    Examples
    --------
    >>> print(currency("beans", 5, 1).law)
    track beans per player from 5
    allow give when counter == "beans"
    on circuit_ended: award 1 beans to playing
    """
    name = counter("a currency", name)
    whole("what each begins with", start, 0, 10_000)
    whole("wages", wages, 0, 1_000)
    pay = f" At the end of every circuit each player gets {money(wages, name)}." if wages else ""
    return LibraryRule(
        f"Money: {name}",
        f"Each player has {money(start, name)} to begin with, and so has everyone who joins later. At any time a "
        f"player may give another player some of their {name}, in whole numbers. Nobody gives away more than they "
        f"have.{pay}",
        f'track {name} per player from {start}\nallow give when counter == "{name}"'
        + (f"\non circuit_ended: award {wages} {name} to playing" if wages else ""),
    )


def points_for_money(name: str = "coins", price: int = 5, points: int = 3, start: int = 10) -> LibraryRule:
    """Sell points for money: whoever says so buys.

    Parameters
    ----------
    name : str
        What is paid with; it is counted from here on if no rule counts it yet.
    price, points : int
        What is paid, and what it brings, from 1 to 1000.
    start : int
        What each player begins with if no rule counts the money yet, from 0 to 10000.

    Examples
    --------
    >>> print(points_for_money("beans").wording)
    Whoever says “I buy points” in their own turn pays 5 beans and gets 3 points, as often as they like. Whoever has
    fewer than 5 beans gets nothing and pays nothing. Unless another rule says so already, each player has 10 beans to
    begin with.
    """
    name = counter("a currency", name)
    whole("a price", price, 1, 1000)
    whole("a number of points", points, 1, 1000)
    whole("what each begins with", start, 0, 10_000)
    return LibraryRule(
        f"{times(points, 'point')} for {price} {name}",
        f"Whoever says “I buy points” in their own turn pays {money(price, name)} and gets {times(points, 'point')}, "
        f"as often as they like. Whoever has fewer than {price} {name} gets nothing and pays nothing. Unless another "
        f"rule says so already, each player has {money(start, name)} to begin with.",
        f"track {name} per player from {start}\n"
        f'on said when text == "I buy points" and player.in_turn and player.{name} >= {price}: '
        f"award -{price} {name} to player; award {points} points to player",
    )


def fee_for(deed: str = "being late", name: str = "coins", price: int = 1, start: int = 10) -> LibraryRule:
    """Let whoever is reported for a deed pay money to every other player.

    Parameters
    ----------
    deed : str
        What costs something; at most 60 letters.
    name : str
        What is paid with; it is counted from here on if no rule counts it yet.
    price : int
        What each of the others gets, from 1 to 1000.
    start : int
        What each player begins with if no rule counts the money yet, from 0 to 10000.

    Examples
    --------
    >>> print(fee_for("being late", "beans").law)
    track beans per player from 10
    on deed when name == "being late": pay 1 beans from player to [p for p in playing if p != player]
    """
    deed = text("a deed", deed)
    name = counter("a currency", name)
    whole("a price", price, 1, 1000)
    whole("what each begins with", start, 0, 10_000)
    return LibraryRule(
        f"{deed[0].upper()}{deed[1:]} costs {name}",
        f"Each time a player is reported for {deed}, that player pays {money(price, name)} to each of the others, in "
        "the order of the seats, for as long as there is enough. Anyone may report it. Unless another rule says so "
        f"already, each player has {money(start, name)} to begin with.",
        f'track {name} per player from {start}\non deed when name == "{deed}": '
        f"pay {price} {name} from player to [p for p in playing if p != player]",
    )


def auction(points: int = 10, name: str = "coins", start: int = 10) -> LibraryRule:
    """Sell points to the highest bidder at the end of each circuit.

    Parameters
    ----------
    points : int
        What is sold, from 1 to 1000.
    name : str
        What is bid; it is counted from here on if no rule counts it yet.
    start : int
        What each player begins with if no rule counts the money yet, from 0 to 100.

    Examples
    --------
    >>> print(auction(5, "beans").title)
    An auction of 5 points for beans
    """
    whole("a prize", points, 1, 1000)
    name = counter("a currency", name)
    whole("what each begins with", start, 0, 100)
    return LibraryRule(
        f"An auction of {times(points, 'point')} for {name}",
        f"At the end of every circuit there is an auction of {times(points, 'point')}. In the order of the seats, and "
        f"so that all can hear it, each player bids a whole number of {name}, from zero to what the player has, up to "
        "100. The highest bidder pays the bid and gets the points; among equal bids it is the first. If nobody bids "
        f"more than zero, nobody gets them. Unless another rule says so already, each player has {money(start, name)} "
        "to begin with.",
        f"track {name} per player from {start}\ntrack bid per player from 0\n"
        f"on circuit_ended each p in seats: let p choose offer from numbers(0, max([0, min([100, p.{name} // 1])])); "
        "put bid of p at offer\n"
        "on circuit_ended each p in [item(highest(seats, [q.bid for q in seats]), 1)] when p.bid > 0: "
        f"award -p.bid {name} to p; award {points} points to p",
    )
