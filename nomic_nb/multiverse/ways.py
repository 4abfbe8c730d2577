"""Paths with what they reach, by occupation of the squares they touch: known at once where these are few."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from nomic_nb.multiverse.betza import Leg
from nomic_nb.multiverse.filled import Filled
from nomic_nb.multiverse.paths import Line, Path

#: Squares on whose occupation a table depends that is filled at once.
WHOLE = 8


_KINDS = {"m": 0, "c": 1, "d": 3}


class Way:
    """A path with what it reaches, by occupation, and what may be done at its end."""

    __slots__ = ("captures", "kinds", "modes", "path", "reach")

    def __init__(self, path: Path, leg: Leg) -> None:
        self.path = path
        self.reach = reaches(path) if isinstance(path, Line) else Filled(path.reach)
        self.modes = leg.modes
        #: For each mode its place: reached quietly, captured, captured but for royal pieces, captured of its own.
        self.kinds = [_KINDS[mode] + (mode == "c" and leg.tame) for mode in leg.modes if mode in _KINDS]
        #: Royal pieces, too.
        self.captures = "c" in leg.modes and not leg.tame


@lru_cache(maxsize=1 << 12)
def reaches(path: Line) -> dict[int, int]:
    """Return what a line reaches, by occupation of the squares it touches: in full where it is short."""
    if path.touch.bit_count() > WHOLE:
        return Filled(path.reach)
    return {occupied: path.reach(occupied) for occupied in subsets(path.touch)}


def subsets(bits: int) -> Iterator[int]:
    """Yield every subset of a set of squares.

    Examples
    --------
    >>> list(subsets(0b101))
    [0, 1, 4, 5]
    """
    subset = 0
    while True:
        yield subset
        subset = (subset - bits) & bits
        if not subset:
            return


def united(tables: list[dict[int, int]]) -> dict[int, int]:
    """Return what ways that touch different squares reach together, by occupation."""
    united = {0: 0}
    for table in tables:
        united = {one | other: reached | further for one, reached in united.items() for other, further in table.items()}
    return united
