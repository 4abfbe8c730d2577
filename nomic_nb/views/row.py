"""What players see one by one, in its order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, overload

from nomic_nb.shown import Shown

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
    def __getitem__(self, at: int | slice) -> _One | tuple[_One, ...]:
        return self.row[at]

    def __len__(self) -> int:
        return len(self.row)
