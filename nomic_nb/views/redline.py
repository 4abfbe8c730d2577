"""How the law differs between two moments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nomic_nb.law.rules import Rule
from nomic_nb.play.state import State
from nomic_nb.record import frames
from nomic_nb.shown import Drawn
from nomic_nb.views.row import Row

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Difference:
    """A rule at two moments, or before a change and after it.

    Parameters
    ----------
    old, new : Rule or None
        How it stood, and how it stands; None where it was not there.
    """

    old: Rule | None
    new: Rule | None

    @property
    def what(self) -> str:
        """What became of it, in a few words."""
        if self.old is None:
            return "new"
        if self.new is None:
            return "repealed"
        marks = []
        if self.old.number != self.new.number:
            marks.append(f"was {self.old.number}")
        if self.old.tier != self.new.tier:
            marks.append(f"was {self.old.tier}")
        if (self.old.wording, self.old.law) != (self.new.wording, self.new.law):
            marks.append("amended")
        return ", ".join(marks) or "changed and changed back"

    @property
    def same_text(self) -> bool:
        """Whether title, wording and clauses stay as they are."""
        old, new = self.old, self.new
        return (
            old is not None
            and new is not None
            and (old.title, old.wording, old.law) == (new.title, new.wording, new.law)
        )


class Redline(Drawn, Row[Difference]):
    """How the law differs between two moments.

    Parameters
    ----------
    then, now : State
        The two moments.
    """

    def __init__(self, then: State, now: State) -> None:
        self.then, self.now = then, now
        before, after = then.rules.rules, now.rules.rules
        both = {id: (before.get(id), after.get(id)) for id in (*before, *after)}
        super().__init__(tuple(Difference(old, new) for old, new in both.values() if old != new))

    @property
    def frame(self) -> pd.DataFrame:
        """The differences as a DataFrame; see `record.frames.differences` for its columns."""
        return frames.differences([(one.old, one.new, one.what) for one in self])
