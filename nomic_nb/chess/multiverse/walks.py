"""Ways through the legs of a chain, each with what must stand on which squares for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeVar

from nomic_nb.chess.multiverse.geometry import each


class Walk(NamedTuple):
    """A way through the legs of a chain, with what must stand on which squares for it.

    Attributes
    ----------
    gone : int
        Its origin, and what it captures.
    empty, full, foe, own : int
        Squares that must be empty, hold any piece, one of another side, or one of its own side.
    """

    gone: int
    empty: int = 0
    full: int = 0
    foe: int = 0
    own: int = 0

    def to(self, bit: int, mode: str) -> Walk | None:
        """Return the walk gone on to a square as a leg's mode says (``o``: over its own side); None if it cannot."""
        gone, empty, full, foe, own = self
        if mode == "m":
            bits = bit & ~gone
            return None if bits & (full | foe | own) else Walk(gone, empty | bits, full, foe, own)
        if bit & (gone | empty) or (bit & own and mode == "c") or (bit & foe and mode in "do"):
            return None
        if mode == "p":
            return Walk(gone, empty, full | bit, foe, own)
        if mode == "c":
            return Walk(gone | bit, empty, full, foe | bit, own)
        return Walk(gone | bit if mode == "d" else gone, empty, full, foe, own | bit) if mode in "do" else None

    def lame(self, lame: str, between: int, *, whole: bool) -> Iterator[Walk]:
        """Yield the walk with what a lame (``n``) or jumping (``j``) step needs halfway."""
        if lame == "n":
            further = self.to(between, "m") if whole else None
            yield from [] if further is None else [further]
            return
        for hurdle in each(between):
            over = self.to(hurdle, "p")
            further = over.to(between & ~hurdle, "m") if over is not None else None
            yield from [] if further is None else [further]

    def against(self, target: int) -> Needs | None:
        """Return what it needs to capture a piece of another side on the target, beside that piece; None if never."""
        if not self.gone & target or self.own & target:
            return None
        return self.empty, self.full & ~target, self.foe & ~target, self.own


class Going(NamedTuple):
    """A way through the legs of a chain where it is known what stands where.

    Attributes
    ----------
    gone : int
        What it captures.
    there, own : int
        What stands there else, and what of it is on its own side.
    """

    gone: int
    there: int
    own: int

    def to(self, bit: int, mode: str) -> Going | None:
        """Return the way gone on to a square as a leg's mode says (``o``: over its own side); None if it cannot."""
        gone, there, own = self
        if not there & bit:
            return self if mode == "m" else None
        if mode in ("do" if own & bit else "c"):
            return self if mode == "o" else Going(gone | bit, there ^ bit, own)
        return self if mode == "p" else None

    def lame(self, lame: str, between: int, *, whole: bool) -> Iterator[Going]:
        """Yield the way itself where a lame (``n``) or jumping (``j``) step can be made."""
        if passable(lame, between & self.there, whole=whole):
            yield self


def passable(lame: str, blockers: int, *, whole: bool) -> bool:
    """Tell whether a lame ('n') or jumping ('j') step can be made over these occupied squares."""
    if lame == "n":
        return whole and not blockers
    return blockers.bit_count() == 1


#: Either of them.
Gait = TypeVar("Gait", Walk, Going)

#: Squares that must be empty, hold any piece, one of another side, and one of the own side.
Needs = tuple[int, int, int, int]


def missed(needs: Needs, occupied: int, own: int) -> int:
    """Return the squares on which it is not as it must be."""
    empty, full, foe, side = needs
    return empty & occupied | full & ~occupied | foe & ~(occupied & ~own) | side & ~own


def least(found: set[Needs]) -> list[Needs]:
    """Return those needs that hold whenever any of them do.

    Examples
    --------
    >>> least({(0, 0, 1, 0), (2, 0, 1, 0)})
    [(0, 0, 1, 0)]
    """
    kept: list[Needs] = []
    for needs in sorted(found, key=lambda one: sum(map(int.bit_count, one))):
        if not any(all(not less & ~more for less, more in zip(one, needs, strict=True)) for one in kept):
            kept.append(needs)
    return kept
