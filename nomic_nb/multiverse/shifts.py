"""Movements that whole sets of pieces make at once, by shifting their bitboard."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from nomic_nb.multiverse.atoms import Vector, halfway, ring
from nomic_nb.multiverse.betza import Part
from nomic_nb.multiverse.geometry import Geometry
from nomic_nb.multiverse.tables import Movement

#: With more directions than this, looking pieces up one by one is quicker.
MOST = 5

#: One direction: (squares it is possible from, bits shifted up, then down)
Free = tuple[int, int, int]


class Blocked(NamedTuple):
    """One direction of a set's movement that something can block halfway, or that is for unmoved pieces only.

    A set's bits are shifted ``up``, then ``down``, and where they are on empty squares ``further`` and ``back``.
    """

    sources: int
    up: int
    down: int
    further: int
    back: int
    initial: bool

    def targets(self, bits: int, unmoved: int, empty: int) -> int:
        """Return where the set arrives."""
        bits &= self.sources
        if self.initial:
            bits &= unmoved
        bits = bits << self.up >> self.down
        if self.further or self.back:
            bits = (bits & empty) << self.further >> self.back
        return bits

    @property
    def amounts(self) -> tuple[int, int]:
        """By how much bits are shifted in all, up and down."""
        return self.up + self.further, self.down + self.back


class Shifts(NamedTuple):
    """A set's movement: directions in which it moves, and captures, and the same with conditions."""

    quiets: list[Free]
    captures: list[Free]
    blocked_quiets: list[Blocked]
    blocked_captures: list[Blocked]


@lru_cache(maxsize=512)
def shifts(movement: Movement) -> Shifts | None:
    """Return a movement as shifts, or None where it cannot be so expressed or would gain nothing.

    Examples
    --------
    >>> from nomic_nb.multiverse.tables import compiled
    >>> pawn = shifts(compiled("fmWfcFifmnD", Geometry(8, 8)))
    >>> [up for _, up, down in pawn.quiets], [up for _, up, down in pawn.captures]
    ([8], [9, 7])
    >>> shifts(compiled("N", Geometry(8, 8))) is None
    True
    """
    geometry = movement.geometry
    if movement.irregular or geometry.wraps:
        return None
    found = Shifts([], [], [], [])
    seen: set[Vector] = set()
    for part in movement.notation.parts:
        if not _simple(part):
            return None
        for place in part.legs[0].directions:
            vector = ring(part.atom.long, part.atom.short)[(place + 4) % 8 if movement.turned else place]
            if vector in seen or len(seen) == MOST:
                return None
            seen.add(vector)
            _add(found, geometry, vector, part)
    return found


def _simple(part: Part) -> bool:
    leg = part.legs[0]
    return (
        len(part.legs) == 1
        and part.reach == 1
        and part.atom.family != "universal"
        and not (leg.hop or leg.tame or leg.wrap or "d" in leg.modes)
        and leg.lame != "j"
        and (leg.lame != "n" or part.atom.long == 2)
    )


def _add(found: Shifts, geometry: Geometry, vector: Vector, part: Part) -> None:
    leg = part.legs[0]
    sources = sum(1 << square for square in range(geometry.size) if geometry.step(square, *vector) is not None)
    blocks = halfway(vector) if leg.lame == "n" else ()
    block = blocks[0] if blocks else vector
    rest = (vector[0] - block[0], vector[1] - block[1])
    for mode, free, blocked in (
        ("m", found.quiets, found.blocked_quiets),
        ("c", found.captures, found.blocked_captures),
    ):
        if mode in leg.modes:
            if blocks or part.initial:
                first, second = _amounts(geometry, block), _amounts(geometry, rest)
                blocked.append(Blocked(sources, *first, *second, part.initial))
            else:
                free.append((sources, *_amounts(geometry, vector)))


def _amounts(geometry: Geometry, vector: Vector) -> tuple[int, int]:
    amount = vector[1] * geometry.files + vector[0]
    return (amount, 0) if amount > 0 else (0, -amount)
