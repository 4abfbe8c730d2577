"""What players see of what is counted: every change, with its rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, overload

from nomic_nb.law.rules import Number as RuleNumber
from nomic_nb.law.values import Number
from nomic_nb.markup.words import counting
from nomic_nb.play.events import number_from_json
from nomic_nb.play.table import Table
from nomic_nb.record import frames
from nomic_nb.record.sentences import reasons
from nomic_nb.shown import Shown

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class Entry:
    """One change of a counter.

    Parameters
    ----------
    seq, turn : int
        When.
    player : str or None
        Whose; None for a counter of the game.
    counter : str
        What is counted.
    amount, now : int or Fraction
        By how much it changed, and what it is now; exact.
    rule : int or str or None
        The rule that says so.
    why : str
        Its clause, or why the table put it right.
    exact : int or Fraction or None
        What the amount was before it was rounded; None where nothing was.
    """

    seq: int
    turn: int
    player: str | None
    counter: str
    amount: Number
    now: Number
    rule: RuleNumber | None
    why: str
    exact: Number | None = None

    @property
    def tie(self) -> bool:
        """Whether it was rounded from half-way between two whole numbers."""
        return isinstance(self.exact, Fraction) and self.exact.denominator == 2

    @property
    def rounded(self) -> str:
        """What was rounded, in a few words; empty where nothing was."""
        return "" if self.exact is None else f"rounded from {self.exact}" + (", a tie" if self.tie else "")

    def __str__(self) -> str:
        rule = self.why if self.rule is None else f"rule {self.rule}"
        said = counting(self.counter, self.amount, self.now, self.rounded)
        return f"turn {self.turn}: {self.player or 'the game'} {said} ({rule})"

    __repr__ = __str__


class Ledger(Shown):
    """Every change of a counter that stands, with the rule behind it."""

    def __init__(self, table: Table) -> None:
        self.entries = tuple(
            Entry(
                event.seq,
                event.turn,
                event.actor,
                event.data["counter"],
                number_from_json(event.data["amount"]),
                number_from_json(event.data["now"]),
                event.cause.rule if event.cause else None,
                why,
                number_from_json(event.data["exact"]) if "exact" in event.data else None,
            )
            for event, why in reasons(table.standing)
        )

    @overload
    def __getitem__(self, at: int) -> Entry: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Entry, ...]: ...
    def __getitem__(self, at: int | slice) -> Entry | tuple[Entry, ...]:
        return self.entries[at]

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def frame(self) -> pd.DataFrame:
        """The ledger as a DataFrame; see `record.frames.ledger` for its columns."""
        return frames.ledger(self.entries)

    def __str__(self) -> str:
        lines = [str(one) for one in self.entries]
        return "\n".join(lines) or "nothing has been counted yet"

    __repr__ = __str__
