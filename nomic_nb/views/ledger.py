"""What players see of what is counted: every change, with its rule."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from nomic_nb.law.rules import Number as RuleNumber
from nomic_nb.law.values import Number
from nomic_nb.markup.words import counting
from nomic_nb.play.events import Event, number_from_json
from nomic_nb.play.tables import HIDDEN
from nomic_nb.play.timeline import Timeline
from nomic_nb.record import frames
from nomic_nb.record.sentences import reasons
from nomic_nb.views.row import Row

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class Entry:
    """One change of a counter, or of another entry of a table.

    Parameters
    ----------
    seq, turn : int
        When.
    player : str or None
        Whose; None where it is not kept per player.
    counter : str
        What is counted.
    amount : int, Fraction or None
        By how much it changed, exactly; None where it holds no numbers, or is hidden.
    now : int, Fraction or str
        What it is now; in words where it holds no numbers, or is hidden.
    rule : int or str or None
        The rule that says so.
    why : str
        Its clause, or why the table put it right.
    exact : int or Fraction or None
        What the amount was before it was rounded; None where nothing was.
    of : str
        What the entry is of, in words; empty for a player's, and the game's own.
    """

    seq: int
    turn: int
    player: str | None
    counter: str
    amount: Number | None
    now: Number | str
    rule: RuleNumber | None
    why: str
    exact: Number | None = None
    of: str = ""

    @property
    def tie(self) -> bool:
        """Whether it was rounded from half-way between two whole numbers."""
        return isinstance(self.exact, Fraction) and self.exact.denominator == 2

    @property
    def rounded(self) -> str:
        """What was rounded, in a few words; empty where nothing was."""
        return "" if self.exact is None else f"rounded from {self.exact}" + (", a tie" if self.tie else "")

    @property
    def whose(self) -> str:
        """What it is of, in words."""
        return self.of or self.player or "the game"

    def __str__(self) -> str:
        rule = self.why if self.rule is None else f"rule {self.rule}"
        if self.amount is None or isinstance(self.now, str):
            said = f"{self.counter} is {self.now} now"
        else:
            said = counting(self.counter, self.amount, self.now, self.rounded)
        return f"turn {self.turn}: {self.whose} {said} ({rule})"

    __repr__ = __str__


def _entry(event: Event, why: str) -> Entry:
    data, rule = event.data, event.cause.rule if event.cause else None
    head, of = (event.seq, event.turn, event.actor, data["counter"]), data.get("of", "")
    if data.get("hidden") or "amount" not in data:
        return Entry(*head, None, HIDDEN if data.get("hidden") else data["says"], rule, why, of=of)
    exact = number_from_json(data["exact"]) if "exact" in data else None
    return Entry(*head, number_from_json(data["amount"]), number_from_json(data["now"]), rule, why, exact, of)


class Ledger(Row[Entry]):
    """Every change of a counter, or of another entry of a table, that stands, with the rule behind it."""

    def __init__(self, timeline: Timeline) -> None:
        super().__init__(tuple(_entry(event, why) for event, why in reasons(timeline.standing)))

    @property
    def frame(self) -> pd.DataFrame:
        """The ledger as a DataFrame; see `record.frames.ledger` for its columns."""
        return frames.ledger(self)

    def __str__(self) -> str:
        return "\n".join(map(str, self)) or "nothing has been counted yet"
