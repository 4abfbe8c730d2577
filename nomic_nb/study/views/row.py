"""What players see one by one, in its order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, overload

from nomic_nb.engine.arguments import plainly
from nomic_nb.engine.errors import OutOfRange
from nomic_nb.engine.shown import Shown

_One = TypeVar("_One")


class Row(Shown, Sequence[_One]):
    """What is shown one by one.

    Parameters
    ----------
    row : tuple
        All of it.
    """

    def __init__(self, row: tuple[_One, ...]) -> None:
        self.row = row

    @overload
    def __getitem__(self, at: int) -> _One: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[_One, ...]: ...
    @plainly
    def __getitem__(self, at: int | slice) -> _One | tuple[_One, ...]:
        try:
            return self.row[at]
        except IndexError:
            there = f"there are {len(self)}, [0] to [{len(self) - 1}]" if self.row else "there is nothing here"
            raise OutOfRange(f"there is no [{at}]; {there}") from None

    def __len__(self) -> int:
        return len(self.row)
