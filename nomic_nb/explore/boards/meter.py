"""The fair-play meter in a review: what a change makes of the power of each kind of piece of each player."""

from __future__ import annotations

from dataclasses import dataclass

from nomic_nb.explore.boards.gauge import gauge
from nomic_nb.law.changes import Change
from nomic_nb.law.clauses import Set
from nomic_nb.law.view import Undecided, View
from nomic_nb.multiverse.picture import Picture
from nomic_nb.play.foresight.power import Measure, measures
from nomic_nb.play.possible import supposed, supposed_case
from nomic_nb.play.state import State

#: What clauses that look at the meter have in them.
LOOKING = frozenset(("forces", "force_of"))
#: Marks for what the power of a kind becomes, beside the words.
MARKS = {"more": "▲", "less": "▼", "same": "=", "mixed": "◆"}


@dataclass(frozen=True)
class Meter:
    """Kinds of pieces against players.

    Parameters
    ----------
    players, kinds : tuple of str
        In the order of seats; capital letters.
    found : mapping of (str, str) to Measure
        By player and kind, where there are such pieces.
    """

    players: tuple[str, ...]
    kinds: tuple[str, ...]
    found: dict[tuple[str, str], Measure]

    def said(self, player: str, kind: str) -> str:
        """Say what becomes of the pieces of one kind of one player: how many there are, and which power they have."""
        one = self.found.get((player, kind))
        if one is None:
            return "–"
        counts = f" (+{one.gained} −{one.lost})" if one.power != "same" else ""
        return f"{one.count} {MARKS[one.power]} {one.power}{counts}"

    @property
    def picture(self) -> Picture:
        """Kinds against players: what each could do before the change, and after it."""
        return gauge(self.players, self.kinds, self.found)

    @property
    def told(self) -> tuple[str, ...]:
        """One move that comes or goes for each kind whose power changes, in words."""
        found = {one.kind: one.evidence for one in self.found.values() if one.evidence}
        return tuple(found[kind] for kind in sorted(found))


def meter(state: State, change: Change, player: str) -> Meter | None:
    """Return the meter for a change, where rules in force look at it and something changes; None where it does not."""
    words = (one.condition.words for one in _bans(state) if one.condition is not None)
    if state.position is None or not any(LOOKING & said for said in words):
        return None
    asked = supposed(state, change, player)
    try:
        found = dict(measures(View(asked, supposed_case(), asked.law)))
    except Undecided:
        return None
    if all(one.power == "same" for one in found.values()):
        return None
    players = tuple(name for name in state.players if any(name == who for who, _ in found))
    return Meter(players, tuple(sorted({kind for _, kind in found})), found)


def _bans(state: State) -> list[Set]:
    return [one.clause for one in state.law.speaking("may.propose") if isinstance(one.clause, Set)]
