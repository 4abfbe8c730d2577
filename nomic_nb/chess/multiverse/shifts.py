"""What whole sets of pieces do at once: movements by shifting their bitboard, and all squares that they attack."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import NamedTuple

from nomic_nb.chess.multiverse.atoms import Vector, halfway
from nomic_nb.chess.multiverse.betza import Part
from nomic_nb.chess.multiverse.filled import Filled
from nomic_nb.chess.multiverse.geometry import Geometry, each, union
from nomic_nb.chess.multiverse.tables import Movement, Row

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
    >>> from nomic_nb.chess.multiverse.tables import compiled
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
            vector = part.atom.steps[(place + 4) % 8 if movement.turned else place]
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


def together(foes: tuple[Movement, ...]) -> bool:
    """Tell whether what these attack can be had at once.

    It can where occupation before a square decides whether it is attacked, whatever stands on it: for all
    movements but those in several legs, or for pieces that have not moved.
    """
    return not any(foe.odd_attack or any(len(part.legs) > 1 for part in foe.notation.parts) for foe in foes)


class Threats:
    """The squares that pieces of these movements attack.

    Parameters
    ----------
    foes : tuple[Movement, ...]
        For which :func:`together` holds.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse.geometry import Geometry
    >>> from nomic_nb.chess.multiverse.tables import compiled
    >>> board = Geometry(3, 3)
    >>> attacked = Threats((compiled("R", board),)).squares([0b1], 0b11)
    >>> [board.name(square) for square in range(9) if attacked >> square & 1]
    ['b1', 'a2', 'a3']
    """

    def __init__(self, foes: tuple[Movement, ...]) -> None:
        self._sets: list[tuple[int, list[Free]]] = []
        # What nothing can block is kept for whole sets of pieces.
        self._leapers: list[tuple[int, dict[int, int]]] = []
        # With whether its tables hold one mask: what is reached may be captured.
        self._singles: list[tuple[int, dict[int, list[Row]], bool]] = []
        for index, foe in enumerate(foes):
            shifted = shifts(foe)
            if shifted is not None and not shifted.blocked_captures:
                self._sets.append((index, shifted.captures))
            elif all(_leap(part) for part in foe.notation.parts):
                self._leapers.append((index, Filled(partial(_attacked, foe))))
            else:
                self._singles.append((index, foe.narrow, foe.plain))

    def squares(self, pieces: list[int], occupied: int) -> int:
        """Return the bits of all attacked squares, those of the pieces' own side among them.

        Parameters
        ----------
        pieces : list[int]
            Bitboards by class.
        occupied : int
        """
        found = 0
        for index, lanes in self._sets:
            bits = pieces[index]
            for sources, up, down in lanes:
                found |= (bits & sources) << up >> down
        for index, attacked in self._leapers:
            found |= attacked[pieces[index]]
        for index, rows, plain in self._singles:
            for _, touch, masks in rows[pieces[index]]:
                found |= masks[occupied & touch] if plain else masks[occupied & touch][1]
        return found


def _leap(part: Part) -> bool:
    leg = part.legs[0]
    return part.reach == 1 and not (leg.hop or leg.lame)


def _attacked(foe: Movement, pieces: int) -> int:
    return union(foe.targets(bit, 0, unmoved=False)[1] for bit in each(pieces))
