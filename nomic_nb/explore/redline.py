"""What a change does to the words of a rule."""

from __future__ import annotations

from dataclasses import dataclass

from nomic_nb.law.rules import Rule


@dataclass(frozen=True)
class Reworded:
    """A rule before a change and after it.

    Parameters
    ----------
    old, new : Rule or None
        None where there is no such rule before, or after.
    """

    old: Rule | None
    new: Rule | None

    @property
    def same_text(self) -> bool:
        """Whether title, wording and clauses stay as they are."""
        old, new = self.old, self.new
        if old is None or new is None:
            return False
        return (old.title, old.wording, old.law) == (new.title, new.wording, new.law)
