"""The atoms of Betza notation: which step each capital letter stands for, and in which directions.

The eight directions of a step form a ring, clockwise from straight ahead. Turning by one place is
45 degrees for orthogonal and diagonal steps (a wazir step becomes a ferz step) and the next move of the
ring for oblique ones.

Sources: R. Betza's funny notation; H. G. Muller's description of it for XBoard ("Betza 2.0").
"""

from __future__ import annotations

from functools import cache

from nomic_nb.engine.frozen import frozen

#: Steps are (files to the right, ranks forward).
Vector = tuple[int, int]


@frozen
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
    reach: int

    @property
    def directions(self) -> tuple[int, ...]:
        """Places in the ring that the atom has when no direction is written."""
        return FAMILY_DIRECTIONS[self.family]

    @property
    def steps(self) -> tuple[Vector, ...]:
        """Its steps, clockwise from ahead."""
        return ring(self.long, self.short)


#: Letter, the step's longer and shorter side, family, how often it is repeated.
_ATOMS = """
W 1 0 orthogonal 1
F 1 1 diagonal 1
D 2 0 orthogonal 1
N 2 1 oblique 1
A 2 2 diagonal 1
H 3 0 orthogonal 1
C 3 1 oblique 1
L 3 1 oblique 1
Z 3 2 oblique 1
J 3 2 oblique 1
G 3 3 diagonal 1
R 1 0 orthogonal 0
B 1 1 diagonal 0
Q 1 0 royal 0
K 1 0 royal 1
U 0 0 universal 1
"""
ATOMS = {
    letter: Atom(letter, int(long), int(short), family, int(reach))
    for letter, long, short, family, reach in map(str.split, _ATOMS.strip().splitlines())
}
#: Places in the ring that a family has when no direction is written.
FAMILY_DIRECTIONS = {
    "orthogonal": (0, 2, 4, 6), "diagonal": (1, 3, 5, 7), "oblique": tuple(range(8)), "royal": tuple(range(8)),
    "universal": (0,),
}  # fmt: skip


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


_CORNERS = " rf1 fr1 rb3 br3 lb5 bl5 lf7 fl7"
_STRAIGHT = "f0 ff0 r2 rr2 b4 bb4 l6 ll6 v04 s26"
#: For each family, what a direction of one or two letters names: letters, then places in the ring.
DIRECTIONS: dict[str, dict[str, tuple[int, ...]]] = {
    family: {name.rstrip("01234567"): tuple(int(one) for one in name if one.isdigit()) for name in names.split()}
    for family, names in {
        "orthogonal": _STRAIGHT,
        "diagonal": "f17 ff17 r13 rr13 b35 bb35 l57 ll57 v1357 s1357" + _CORNERS,
        "oblique": "f07 ff07 r12 rr12 b34 bb34 l56 ll56 v0347 s1256 rf0 fr1 br2 rb3 lb4 bl5 fl6 lf7 fs16 bs25 rv03 lv47"
        " fh0167 rh0123 bh2345 lh4567 hr0246 hl1357",
        "royal": _STRAIGHT + _CORNERS + " fs17 bs35 rv13 lv57 fh017 rh123 bh345 lh567",
        "universal": "",
    }.items()
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
