"""Boards put together to play on: two half-boards, or a universe by itself."""

from __future__ import annotations

from functools import lru_cache

from nomic_nb.multiverse.errors import GeometryError
from nomic_nb.multiverse.geometry import Geometry

#: How the far half lies: turned by 180 degrees, or mirrored so that files keep their side.
HOWS = ("rotate", "reflect")


@lru_cache(maxsize=256)
def joined(near: Geometry, far: Geometry, how: str = "rotate") -> tuple[Geometry, tuple[int, ...], tuple[int, ...]]:
    """Return two half-boards as one board, and where the squares of each lie on it.

    The near board keeps its squares. Ranks of the far one are counted from the other end.

    Raises
    ------
    GeometryError
        If their files differ, the result exceeds 16 ranks, or ``how`` is unknown.

    Examples
    --------
    >>> half = Geometry(8, 4)
    >>> board, near, far = joined(half, half)
    >>> board.name(far[half.square("e1")]), board.name(far[half.square("a4")])
    ('d8', 'h5')
    >>> board, near, far = joined(half, half, "reflect")
    >>> board.name(far[half.square("e1")])
    'e8'
    """
    if how not in HOWS:
        raise GeometryError(f"boards are joined by 'rotate' or 'reflect', not {how!r}")
    if near.files != far.files:
        raise GeometryError(f"boards of {near.files} and {far.files} files cannot be joined")
    files, ranks = near.files, near.ranks + far.ranks
    where = tuple(
        (ranks - 1 - square // files) * files + (files - 1 - square % files if how == "rotate" else square % files)
        for square in range(far.size)
    )
    holes = near.holes | {where[hole] for hole in far.holes}
    round_sides = all(board.wraps in ("files", "both") for board in (near, far))
    geometry = Geometry(files, ranks, "files" if round_sides else "", holes)
    return geometry, tuple(range(near.size)), where
