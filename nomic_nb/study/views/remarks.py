"""What is odd about a proposal, for those who vote on it: a line each, and what it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.play.state import State
from nomic_nb.engine.shown import Shown


@frozen
class Remark:
    """One thing that is odd.

    Parameters
    ----------
    line : str
        What it is, half a sentence.
    evidence : str
        What it rests on; empty where the line says it all.
    """

    line: str
    evidence: str

    def __str__(self) -> str:
        return self.line


@frozen
class Remarks(Shown):
    """What is odd about a proposal. Hints: nothing in them stops anything.

    Parameters
    ----------
    found : tuple of Remark
        The gravest first.
    left_out : int
        How many more a review has.
    untried : str
        What is not known yet, because the change was not tried out, or not to the end; empty where it was.
    """

    found: tuple[Remark, ...] = ()
    left_out: int = 0
    untried: str = ""

    @property
    def last(self) -> Iterator[str]:
        """What is said behind them: how many are left out, and what is not known."""
        if self.left_out:
            yield f"and {self.left_out} more, listed in the review"
        if self.untried:
            yield self.untried

    def __bool__(self) -> bool:
        return bool(self.found or self.untried)

    def __iter__(self) -> Iterator[Remark]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def __str__(self) -> str:
        return "\n".join(f"Worth a thought: {one}." for one in (*self.found, *self.last))


#: Finds what is odd about the proposal of this number.
Look = Callable[[State, Number], Remarks]


def nothing(_: State, __: Number) -> Remarks:
    """Find nothing odd: nobody looks."""
    return Remarks()
