"""The atoms of Betza notation: which step each capital letter stands for, and in which directions.

The eight directions of a step form a ring, clockwise from straight ahead. Turning by one place is
45 degrees for orthogonal and diagonal steps (a wazir step becomes a ferz step) and the next move of the
ring for oblique ones.

Sources: R. Betza's funny notation; H. G. Muller's description of it for XBoard ("Betza 2.0").
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

#: Steps are (files to the right, ranks forward).
Vector = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Atom:
    """One capital letter.

    Attributes
    ----------
    letter : str
    long, short : int
        The step: squares along its longer and its shorter side.
    family : str
        ``orthogonal``, ``diagonal``, ``oblique``, ``royal`` (orthogonal and diagonal) or ``universal``.
    reach : int
        How often the step is repeated where no number says it; 0 is without limit.
    """

    letter: str
    long: int
    short: int
    family: str
    reach: int = 1

    @property
    def directions(self) -> tuple[int, ...]:
        """Places in the ring that the atom has when no direction is written."""
        return _FAMILY_DIRECTIONS[self.family]


_EVEN, _ODD, _ALL = (0, 2, 4, 6), (1, 3, 5, 7), (0, 1, 2, 3, 4, 5, 6, 7)
_FAMILY_DIRECTIONS = {"orthogonal": _EVEN, "diagonal": _ODD, "oblique": _ALL, "royal": _ALL, "universal": (0,)}

ATOMS = {
    atom.letter: atom
    for atom in (
        Atom("W", 1, 0, "orthogonal"),
        Atom("F", 1, 1, "diagonal"),
        Atom("D", 2, 0, "orthogonal"),
        Atom("N", 2, 1, "oblique"),
        Atom("A", 2, 2, "diagonal"),
        Atom("H", 3, 0, "orthogonal"),
        Atom("C", 3, 1, "oblique"),
        Atom("L", 3, 1, "oblique"),
        Atom("Z", 3, 2, "oblique"),
        Atom("J", 3, 2, "oblique"),
        Atom("G", 3, 3, "diagonal"),
        Atom("R", 1, 0, "orthogonal", 0),
        Atom("B", 1, 1, "diagonal", 0),
        Atom("Q", 1, 0, "royal", 0),
        Atom("K", 1, 0, "royal"),
        Atom("U", 0, 0, "universal"),
    )
}


@cache
def ring(long: int, short: int) -> tuple[Vector, ...]:
    """Return the eight steps of a kind, clockwise from ahead.

    Orthogonal and diagonal steps of one size share a ring.

    Examples
    --------
    >>> ring(1, 0)[:3]
    ((0, 1), (1, 1), (1, 0))
    >>> ring(2, 1)[:3]
    ((1, 2), (2, 1), (2, -1))
    """
    if short in (0, long):
        size = long
        quarter: tuple[Vector, Vector] = ((0, size), (size, size))
    else:
        quarter = ((short, long), (long, short))
    steps: list[Vector] = []
    for _ in range(4):
        steps.extend(quarter)
        quarter = ((quarter[0][1], -quarter[0][0]), (quarter[1][1], -quarter[1][0]))
    return tuple(steps)


_CORNERS = {"rf": 1, "fr": 1, "rb": 3, "br": 3, "lb": 5, "bl": 5, "lf": 7, "fl": 7}
_ORTHOGONAL = {"f": (0,), "r": (2,), "b": (4,), "l": (6,), "v": (0, 4), "s": (2, 6)}
_DIAGONAL = {"f": (1, 7), "r": (1, 3), "b": (3, 5), "l": (5, 7), "v": _ODD, "s": _ODD}
_OBLIQUE = {"f": (0, 7), "r": (1, 2), "b": (3, 4), "l": (5, 6), "v": (0, 3, 4, 7), "s": (1, 2, 5, 6)}


def _doubled(singles: dict[str, tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
    return singles | {letter * 2: places for letter, places in singles.items() if letter in "fblr"}


#: For each family, what a direction of one or two letters names.
DIRECTIONS: dict[str, dict[str, tuple[int, ...]]] = {
    "orthogonal": _doubled(_ORTHOGONAL),
    "diagonal": _doubled(_DIAGONAL) | {text: (place,) for text, place in _CORNERS.items()},
    "oblique": _doubled(_OBLIQUE)
    | {"rf": (0,), "fr": (1,), "br": (2,), "rb": (3,), "lb": (4,), "bl": (5,), "fl": (6,), "lf": (7,)}
    | {"fs": (1, 6), "bs": (2, 5), "rv": (0, 3), "lv": (4, 7)}
    | {"fh": (0, 1, 6, 7), "rh": (0, 1, 2, 3), "bh": (2, 3, 4, 5), "lh": (4, 5, 6, 7)}
    | {"hr": (0, 2, 4, 6), "hl": (1, 3, 5, 7)},
    "royal": _doubled(_ORTHOGONAL)
    | {text: (place,) for text, place in _CORNERS.items()}
    | {"fs": (1, 7), "bs": (3, 5), "rv": (1, 3), "lv": (5, 7)}
    | {"fh": (0, 1, 7), "rh": (1, 2, 3), "bh": (3, 4, 5), "lh": (5, 6, 7)},
    "universal": {},
}


def halfway(vector: Vector) -> tuple[Vector, ...]:
    """Return the squares that can block a lame leap, seen from its start.

    A leap goes straight along its longer side until the rest is diagonal, then diagonally: the Chinese horse, and
    the elephant of Janggi (Fairy-Stockfish's reading).

    Examples
    --------
    >>> halfway((1, 2)), halfway((0, 3)), halfway((3, 2)), halfway((1, 1))
    (((0, 1),), ((0, 1), (0, 2)), ((1, 0), (2, 1)), ())
    """
    dx, dy = vector
    long, short = max(abs(dx), abs(dy)), min(abs(dx), abs(dy))
    sign_x, sign_y = (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
    found = []
    for step in range(1, long):
        across = max(0, step - (long - short))
        right, ahead = (step, across) if abs(dx) == long else (across, step)
        found.append((sign_x * right, sign_y * ahead))
    return tuple(found)
