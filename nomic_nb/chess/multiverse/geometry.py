"""Boards as squares with neighbours: files, ranks, edges that join, and holes; and two half-boards as one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from functools import cached_property, lru_cache, reduce
from operator import or_

from nomic_nb.chess.multiverse.errors import GeometryError
from nomic_nb.engine.frozen import frozen

#: Most files and most ranks of a board.
MAX_SIZE = 16
FILES = "abcdefghijklmnop"


def each_bit(bits: int) -> Iterator[int]:
    """Yield each bit that is set in a mask, as a separate mask, the lowest first.

    Examples
    --------
    >>> list(each_bit(0b1011))
    [1, 2, 8]
    """
    while bits:
        bit = bits & -bits
        bits ^= bit
        yield bit


def union_of_bits(sets: Iterable[int]) -> int:
    """Return the union of sets of squares, each a bit mask.

    Examples
    --------
    >>> union_of_bits([0b1, 0b110])
    7
    """
    return reduce(or_, sets, 0)


@frozen
class Geometry:
    """The squares of a board.

    A square is a number, ``rank * files + file``, both counted from 0 at the owner's left; its *bit* is
    ``1 << square``.

    Parameters
    ----------
    files, ranks : int
        Size, from 1 to 16.
    wraps : str
        ``""`` a plain board, ``"files"`` a cylinder (left and right edges joined), ``"ranks"`` top and
        bottom joined, ``"both"`` a torus.
    holes : frozenset[int]
        Squares that are not there.

    Raises
    ------
    GeometryError
        For a size out of range, unknown wraps, holes off the board, or a board without squares.

    Examples
    --------
    >>> board = Geometry(8, 8)
    >>> board.square("e4"), board.name(28)
    (28, 'e4')
    >>> board.step(board.square("a1"), -1, 0) is None
    True
    >>> Geometry(8, 8, wraps="files").step(0, -1, 0)
    7
    """

    files: int = 8
    ranks: int = 8
    wraps: str = ""
    holes: frozenset[int] = field(default_factory=frozenset)

    def __post_init__(self) -> None:
        for label, size in (("files", self.files), ("ranks", self.ranks)):
            if not isinstance(size, int) or not 1 <= size <= MAX_SIZE:
                raise GeometryError(
                    "board-size-out-of-range",
                    "a board must have 1 to {most} {side}, not {size!r}",
                    most=MAX_SIZE,
                    side=label,
                    size=size,
                )
        if self.wraps not in ("", "files", "ranks", "both"):
            raise GeometryError(
                "no-such-wrap", "wraps must be '', 'files', 'ranks' or 'both', not {found!r}", found=self.wraps
            )
        object.__setattr__(self, "holes", frozenset(self.holes))
        for hole in self.holes:
            if not isinstance(hole, int) or not 0 <= hole < self.files * self.ranks:
                raise GeometryError(
                    "hole-off-board",
                    "hole {hole!r} isn’t a square on a {files} x {ranks} board",
                    hole=hole,
                    files=self.files,
                    ranks=self.ranks,
                )
        if len(self.holes) == self.files * self.ranks:
            raise GeometryError("board-of-holes-only", "a board needs at least one square that is not a hole")
        # Hashed often, as part of the key of every compiled table.
        object.__setattr__(self, "_hash", hash((self.files, self.ranks, self.wraps, self.holes)))

    def __hash__(self) -> int:
        return self._hash  # type: ignore[attr-defined, no-any-return]

    @property
    def size(self) -> int:
        """Number of squares, holes included."""
        return self.files * self.ranks

    @cached_property
    def full(self) -> int:
        """Bit mask of all squares that are not holes.

        Examples
        --------
        >>> Geometry(2, 2, holes=frozenset({3})).full
        7
        """
        return ((1 << self.size) - 1) ^ sum(1 << hole for hole in self.holes)

    @property
    def squares(self) -> list[int]:
        """Numbers of all squares that are not holes."""
        return [square for square in range(self.size) if square not in self.holes]

    @property
    def rows(self) -> list[range]:
        """Numbers of the squares of each rank, holes included, from the last rank to the first."""
        return [range(rank * self.files, (rank + 1) * self.files) for rank in reversed(range(self.ranks))]

    def rank_bits(self, rank: int) -> int:
        """Return the bit mask of a rank, counted from 1; 0 if there is no such rank."""
        if not 1 <= rank <= self.ranks:
            return 0
        return (((1 << self.files) - 1) << ((rank - 1) * self.files)) & self.full

    def square(self, name: str) -> int:
        """Return the number of the square with this name, such as ``e4``.

        Parameters
        ----------
        name : str
            File letter and rank, such as ``"e4"``.

        Raises
        ------
        GeometryError
            If it is not a square here, or a hole.
        """
        file = FILES.find(name[:1]) if name else -1
        rank = int(name[1:]) - 1 if name[1:].isascii() and name[1:].isdigit() and len(name) <= 3 else -1
        if not (0 <= file < self.files and 0 <= rank < self.ranks and name[1] != "0"):
            last = f"{FILES[self.files - 1]}{self.ranks}"
            raise GeometryError(
                "square-not-on-this-board",
                "{square!r} isn’t a square on this board; its squares are a1 to {last}",
                square=name,
                last=last,
            )
        number = rank * self.files + file
        if number in self.holes:
            raise GeometryError("square-is-a-hole", "{square!r} is a hole in this board", square=name)
        return number

    def name(self, square: int) -> str:
        """Return the name of a square, such as ``"e4"``."""
        rank, file = divmod(square, self.files)
        if not 0 <= rank < self.ranks:
            raise GeometryError(
                "square-outside-board",
                "{square} isn’t a square on a {files} x {ranks} board",
                square=square,
                files=self.files,
                ranks=self.ranks,
            )
        return f"{FILES[file]}{rank + 1}"

    def step(self, square: int, right: int, ahead: int, *, round_sides: bool = False) -> int | None:
        """Return the number of the square `right` files and `ahead` ranks from a square; None if that is off the board.

        Parameters
        ----------
        square : int
        right, ahead : int
            Files to the right, ranks forward.
        round_sides : bool
            Treat the side edges as joined even on a plain board.
        """
        file, rank = square % self.files + right, square // self.files + ahead
        if round_sides or self.wraps in ("files", "both"):
            file %= self.files
        if self.wraps in ("ranks", "both"):
            rank %= self.ranks
        if not (0 <= file < self.files and 0 <= rank < self.ranks):
            return None
        number = rank * self.files + file
        return None if number in self.holes else number

    def around(self, square: int) -> list[int]:
        """Return a square and its neighbours, diagonal ones included.

        Examples
        --------
        >>> Geometry(2, 2, "files").around(0)
        [1, 3, 0, 2]
        """
        neighbours = (self.step(square, right, ahead) for right in (-1, 0, 1) for ahead in (-1, 0, 1))
        return [at for at in dict.fromkeys(neighbours) if at is not None]

    def grow(self, *, front: int = 0, back: int = 0, left: int = 0, right: int = 0) -> tuple[Geometry, dict[int, int]]:
        """Return the board enlarged by so many ranks or files on each side, and the new number of each old square.

        Parameters
        ----------
        front, back : int
            Ranks added beyond the last rank and before the first.
        left, right : int
            Files added on either side.

        Raises
        ------
        GeometryError
            If the board would shrink or exceed 16 files or ranks.

        Examples
        --------
        >>> larger, where = Geometry(8, 4).grow(front=1, left=1)
        >>> larger.files, larger.ranks, larger.name(where[0])
        (9, 5, 'b1')
        """
        if min(front, back, left, right) < 0:
            raise GeometryError(
                "board-cannot-shrink", "a board can’t shrink: it must grow by 0 or more files and ranks"
            )
        files, ranks = self.files + left + right, self.ranks + front + back
        where = {
            square: (square // self.files + back) * files + square % self.files + left for square in range(self.size)
        }
        holes = frozenset(where[hole] for hole in self.holes)
        return Geometry(files, ranks, self.wraps, holes), where


#: A universe, and the half of a board that an army owns.
UNIVERSE = Geometry(8, 8)
HALF_BOARD = Geometry(8, 4)


#: How the far half lies: turned by 180 degrees, or mirrored so that files keep their side.
WAYS_TO_JOIN = ("rotate", "reflect")


def unknown_join_error(how: object) -> GeometryError:
    """Return the error for an unknown way to join boards."""
    return GeometryError("no-such-join", "boards can be joined by 'rotate' or 'reflect', not {found!r}", found=how)


@lru_cache(maxsize=256)
def join_boards(
    near: Geometry, far: Geometry, how: str = "rotate"
) -> tuple[Geometry, tuple[int, ...], tuple[int, ...]]:
    """Return the joined board and the new square numbers of `near` and `far`; `how`: “rotate” or “reflect” `far`.

    The near board keeps its squares. Ranks of the far one are counted from the other end.

    Raises
    ------
    GeometryError
        If their files differ, the result exceeds 16 ranks, or ``how`` is unknown.

    Examples
    --------
    >>> half = Geometry(8, 4)
    >>> board, near, far = join_boards(half, half)
    >>> board.name(far[half.square("e1")]), board.name(far[half.square("a4")])
    ('d8', 'h5')
    >>> board, near, far = join_boards(half, half, "reflect")
    >>> board.name(far[half.square("e1")])
    'e8'
    """
    if how not in WAYS_TO_JOIN:
        raise unknown_join_error(how)
    if near.files != far.files:
        raise GeometryError(
            "boards-of-unequal-files",
            "boards with {files} and {files_of_other} files can’t be joined",
            files=near.files,
            files_of_other=far.files,
        )
    files, ranks = near.files, near.ranks + far.ranks
    where = tuple(
        (ranks - 1 - square // files) * files + (files - 1 - square % files if how == "rotate" else square % files)
        for square in range(far.size)
    )
    holes = near.holes | {where[hole] for hole in far.holes}
    round_sides = all(board.wraps in ("files", "both") for board in (near, far))
    geometry = Geometry(files, ranks, "files" if round_sides else "", holes)
    return geometry, tuple(range(near.size)), where
