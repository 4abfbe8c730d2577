"""Tables that compute what they do not hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from nomic_nb.chess.multiverse.geometry import each

#: Entries that one table may hold before it starts again.
TABLE_LIMIT = 1 << 14

Key = TypeVar("Key")
Value = TypeVar("Value")


class Filled(dict[Key, Value]):
    """A dictionary that computes what it does not hold."""

    __slots__ = ("compute",)

    def __init__(self, compute: Callable[[Key], Value]) -> None:
        super().__init__()
        self.compute = compute

    def __missing__(self, key: Key) -> Value:
        value = self.compute(key)
        if len(self) >= TABLE_LIMIT:
            self.clear()
        self[key] = value
        return value


def joined_rows(one: Callable[[int], list[Value]]) -> dict[int, list[Value]]:
    """Return a table from sets of pieces to the rows of all of them, from what makes those of one."""
    single: dict[int, list[Value]] = Filled(one)

    def rows(bits: int) -> list[Value]:
        return [row for bit in each(bits) for row in single[bit]]

    return Filled(rows)
