"""Ready-made rules on offices and who fills them."""

from __future__ import annotations

from nomic_nb.markup.words import plural
from nomic_nb.rulesets.library.making import BEFORE, LibraryRule, counter, every, one_of, whole


def _filling(name: str, filled: str, circuits: int) -> tuple[str, str]:
    """Return how an office is filled, in words, and in clauses: when the rule is made, and when a term is over."""
    moments = (
        ("on enacted", "rule == this", f"(circuit - 1) // {circuits}"),
        ("on circuit_ended", f"circuit % {circuits} == 0", f"circuit // {circuits}"),
    )
    lines: list[str] = []
    for event, when, term in moments:
        new, new_one = f"put {name} at", f"next_{name}"
        if filled == "rota":
            lines.append(f"{event} when {when}: {new} item(seats, {term} % count(seats) + 1)")
        elif filled == "lot":
            lines.append(f"{event} when {when}: roll 1 of count(seats) as lot_drawn; {new} item(seats, lot_drawn)")
        elif filled == "choice":
            leader = "item(highest(seats, [p.points for p in seats]), 1)"
            lines.append(f"{event} when {when}: let {leader} choose {new_one} from seats; {new} {new_one}")
        else:
            votes = f"votes_as_{name}"
            lines += [
                f"{event} when {when}: put {votes} of players at 0",
                f"{event} each p in seats when {when}: let p choose {new_one} from seats; award 1 {votes} to {new_one}",
                f"{event} when {when}: {new} item(highest(seats, [p.{votes} for p in seats]), 1)",
            ]
    tracked = f"track {name} per game as player from none"
    if filled == "vote":
        tracked += f"\ntrack votes_as_{name} per player from 0"
    said = {
        "rota": "the players hold it in turn, in the order of the seats, counted from the first of them in circuit 1",
        "lot": "a lot is drawn among all players",
        "choice": "the player with the most points, the first in seating order among equals, names the holder",
        "vote": "each player, in the order of the seats, openly names one player, and whoever is named most often "
        "holds it, the first in seating order among equals",
    }[filled]
    return said, "\n".join([tracked, *lines])


def office(name: str = "speaker", filled: str = "rota", circuits: int = 1, votes: int = 2, pay: int = 0) -> LibraryRule:
    """Make an office with a term: who holds it has more votes, or is paid.

    Parameters
    ----------
    name : str
        One word in small letters, such as ``speaker``. Other rules can speak of it: ``p == game.speaker``.
    filled : str
        ``rota``, ``lot``, ``choice`` (by whoever leads) or ``vote``.
    circuits : int
        How long a term is, from 1 to 100.
    votes : int
        What the holder's ballot counts, from 0 to 100.
    pay : int
        What the holder gets at the end of every circuit, from 0 to 1000.

    Examples
    --------
    >>> print(office("herald", "lot", votes=1, pay=3).wording)
    There is the office of herald. When this rule is enacted, and again at the end of every circuit, it is filled: a lot
    is drawn among all players. If the holder leaves the game, it is vacant until then. At the end of every circuit,
    before the office is filled again, its holder gets 3 points.
    """
    name = counter("an office", name)
    one_of("the way in which an office is filled", filled, ("rota", "lot", "choice", "vote"))
    whole("a term", circuits, 1, 100)
    whole("the number of votes", votes, 0, 100)
    whole("a salary", pay, 0, 1000)
    how, law = _filling(name, filled, circuits)
    wording = (
        f"There is the office of {name}. When this rule is enacted, and again at the end of "
        f"{every(circuits, 'circuit')}, it is filled: {how}. If the holder leaves the game, it is vacant until then."
    )
    if votes != 1:
        wording += f" The ballot of the {name} counts as {plural(votes, 'vote')}. {BEFORE}"
        law += f"\nset vote.weight to {votes} while voter == game.{name}\nprevails over everything on vote.weight"
    if pay:
        wording += " At the end of every circuit, before the office is filled again, its holder gets "
        wording += f"{plural(pay, 'point')}."
        first, _, rest = law.partition("\n")
        law = f"{first}\non circuit_ended: award {pay} points to [p for p in playing if p == game.{name}]\n{rest}"
    return LibraryRule(f"The office of {name}", wording, law)


def elected_judge(circuits: int = 1) -> LibraryRule:
    """Elect the Judge.

    Parameters
    ----------
    circuits : int
        For how long, from 1 to 100.

    Examples
    --------
    >>> print(elected_judge(2).title)
    An elected Judge
    """
    whole("a term", circuits, 1, 100)
    how, law = _filling("magistrate", "vote", circuits)
    return LibraryRule(
        "An elected Judge",
        "There is the office of magistrate. When this rule is enacted, and again at the end of "
        f"{every(circuits, 'circuit')}, it is filled: {how}. If the holder leaves the game, it is vacant until then. "
        "The magistrate is the Judge of every question. If there is none, in the magistrate's own turn, and for a "
        f"question on which the magistrate was overruled, the table decides. {BEFORE}",
        f"{law}\nset judge.candidates to [p for p in seats if p == game.magistrate and p != judgment.mover and\n"
        "    p not in judgment.judges]\nset judge.chosen_by to none\n"
        "prevails over everything on judge.candidates\nprevails over everything on judge.chosen_by",
    )
