"""Where a part of a movement leads from one square, given what is occupied.

A *path* answers four questions, whatever kind of piece it belongs to: which squares it may ever reach
(``targets``), which squares' occupation it depends on (``touch``, and ``support`` for one target), and what
it reaches for a given occupation (``reach``). Sliders, lame leapers, hoppers and bent pieces differ in
nothing else, so the tables built on paths know none of them.

Squares are bits. A reached square may be empty or occupied; what a piece may do there is not a path's
business.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import islice
from typing import Protocol

from nomic_nb.multiverse.atoms import halfway, ring
from nomic_nb.multiverse.betza import Leg, Part
from nomic_nb.multiverse.geometry import Geometry, union
from nomic_nb.multiverse.walks import Walk, missed

#: Ways through the legs of a chain up to which they are kept, with what they need.
WALKS = 1000
#: (squares removed on the way, where the piece ends)
Outcome = tuple[int, int]


class Path(Protocol):
    """What tables need to know of a way to move."""

    targets: int
    touch: int
    #: One blocker is enough, wherever it stands before the target.
    blockable: bool

    def reach(self, occupied: int) -> int:
        """Return the squares reached while these are occupied."""

    def support(self, target: int) -> int:
        """Return the squares on whose occupation it depends whether the target is reached."""


#: (square, squares in between, all of those squares exist)
Step = tuple[int, int, bool]


@lru_cache(maxsize=1 << 14)
def trace(
    geometry: Geometry, origin: int, vector: tuple[int, int], reach: int, *, wrap: bool, between: bool
) -> tuple[Step, ...]:
    """Return the squares of a line in order, as bits, with the squares halfway each step.

    It ends at an edge, at a hole, after ``reach`` steps (0: no limit), or before its own origin.
    """
    steps: list[Step] = []
    blocks = halfway(vector) if between else ()
    square = origin
    while not reach or len(steps) < reach:
        following = geometry.step(square, *vector, round_sides=wrap)
        if following is None or following == origin:
            break
        middles = [geometry.step(square, *block, round_sides=wrap) for block in blocks]
        bits = sum({1 << middle for middle in middles if middle is not None})
        steps.append((1 << following, bits, None not in middles))
        square = following
    return tuple(steps)


def leg_line(
    geometry: Geometry, square: int, vector: tuple[int, int], reach: int, leg: Leg
) -> tuple[tuple[Step, ...], str]:
    """Return the steps of a leg from a square, and whether they are lame ('n') or jumping ('j').

    A slider with 'j' skips its first square, which then neither blocks nor can be reached.
    """
    steps = trace(geometry, square, vector, reach, wrap=leg.wrap, between=bool(leg.lame))
    if leg.lame == "j" and not halfway(vector):
        return steps[1:], ""
    return steps, leg.lame


class Line:
    """A leg in one direction: slide, ride, leap or hop."""

    __slots__ = ("blockable", "hop", "lame", "steps", "targets", "touch")

    def __init__(self, steps: tuple[Step, ...], hop: str, lame: str) -> None:
        self.steps = steps
        self.hop = hop
        self.lame = lame
        self.blockable = not hop and not lame
        self.targets = 0
        self.touch = 0
        for bit, between, _ in steps:
            self.targets |= bit
            self.touch |= between
        if hop:
            # A hopper never lands on the square before its first possible hurdle.
            self.targets &= ~steps[0][0]
        # Nothing depends on the last square: it is reached or not, and nothing lies behind it.
        for bit, _, _ in steps[:-1]:
            self.touch |= bit

    def support(self, target: int) -> int:
        """Return the squares before the target, and those halfway."""
        bits = 0
        for bit, between, _ in self.steps:
            bits |= between
            if bit == target:
                break
            bits |= bit
        return bits & ~target

    def reach(self, occupied: int) -> int:
        """Return the squares reached while these are occupied."""
        reached = 0
        if not self.hop:
            lame = self.lame
            for bit, between, whole in self.steps:
                if lame and not passable(lame, between & occupied, whole=whole):
                    break
                reached |= bit
                if occupied & bit:
                    break
            return reached
        over = False
        for bit, _, _ in self.steps:
            if over:
                reached |= bit
                if self.hop == "g":
                    break
            if occupied & bit:
                if over:
                    break
                over = True
        return reached


@lru_cache(maxsize=1 << 13)
def line(steps: tuple[Step, ...], hop: str, lame: str) -> Line:
    """Return the line over these squares: the same for all kinds that move along it."""
    return Line(steps, hop, lame)


def passable(lame: str, blockers: int, *, whole: bool) -> bool:
    """Tell whether a lame ('n') or jumping ('j') step can be made over these occupied squares."""
    if lame == "n":
        return whole and not blockers
    return blockers.bit_count() == 1


class Anywhere:
    """The universal leap."""

    __slots__ = ("blockable", "targets", "touch")

    def __init__(self, targets: int) -> None:
        self.blockable = False
        self.targets = targets
        self.touch = 0

    def support(self, target: int) -> int:  # noqa: ARG002 - the protocol's signature
        """Return no square: nothing can be in the way."""
        return 0

    def reach(self, occupied: int) -> int:  # noqa: ARG002 - the protocol's signature
        """Return every square but its own."""
        return self.targets


class Chain:
    """Several legs, one after the other.

    Whether legs may stop, turn or capture depends on what stands there, so a chain is walked leg by leg.
    The work is bounded by the ways that a notation may have (`betza.MAX_WAYS`).
    """

    def __init__(self, part: Part, geometry: Geometry, origin: int, *, turned: bool) -> None:
        self.part = part
        self.geometry = geometry
        self.origin = origin
        self.turned = turned
        self.blockable = False
        self.ring = ring(part.atom.long, part.atom.short)
        self.targets, self.touch = self._potential()
        self.returns = bool(self.targets >> origin & 1)
        self.targets &= ~(1 << origin)
        self.touch &= ~(1 << origin)

    @cached_property
    def walks(self) -> tuple[Walk, ...]:
        """All ways through the legs, each with what it needs."""
        return tuple(self._walked())

    @cached_property
    def few(self) -> bool:
        """Whether the ways through the legs can be kept."""
        return not any(True for _ in islice(self._walked(), WALKS, None))

    def _open(self, occupied: int, own: int, *, blind: bool = False) -> Iterator[Walk]:
        """Yield the ways that can be gone now; blind, whatever stands where they end."""
        home = 1 << self.origin
        occupied, own = occupied & ~home, own & ~home
        for walk in self.walks if self.few else self._walked((occupied, own)):
            if not missed(walk[2:], occupied, own) & ~(walk.end if blind else 0):
                yield walk

    @cached_property
    def _ends(self) -> set[tuple[int, int, int]] | None:
        """What must be empty, and full, before the ends of a regular chain, and the ends."""
        if not self.few:
            return None
        return {(walk.empty & ~walk.end, walk.full & ~walk.end, walk.end) for walk in self.walks}

    def _walked(self, now: tuple[int, int] | None = None) -> Iterator[Walk]:
        """Yield the ways through the legs; of those that end all, of the others what can be gone on `now`, if given.

        Parameters
        ----------
        now : (int, int), optional
            All pieces but its own, and those on its side.
        """
        home = 1 << self.origin
        legs = self.part.legs
        states = {(Walk(home, home, 0, 0, 0, 0), 0, self.part.reach, 0)}
        for index, leg in enumerate(legs):
            following = set()
            counts = index + 1 < len(legs) and legs[index + 1].same  # else it matters no more how far it went
            for start, turn, reach, before in states:
                for place in self._places(index, turn):
                    for count, bit, way in self._stops(leg, start, place, reach, now):
                        if leg.same and count != before:
                            continue
                        for mode in leg.modes:
                            arrived = way.to(bit, "o" if mode == "p" and leg.friendly else mode)
                            if arrived is not None and leg is legs[-1]:
                                yield arrived
                                continue
                            if arrived is not None and (now is None or not missed(arrived[2:], *now)):
                                # What it needed is there, so it need not be known any more.
                                further = arrived if now is None else Walk(*arrived[:2], 0, 0, 0, 0)
                                following.add((further, place, leg.later(reach), count if counts else 0))
            states = following

    def _stops(
        self, leg: Leg, walk: Walk, place: int, reach: int, now: tuple[int, int] | None
    ) -> Iterator[tuple[int, int, Walk]]:
        """Yield where a leg may end: its number of steps, the square, and the walk before what stands there."""
        steps, lame = self._line(leg, walk.end.bit_length() - 1, place, reach)
        ways = [] if leg.hop else [walk]
        towards_hurdle = walk if leg.hop else None
        for count, (bit, between, whole) in enumerate(steps, 1):
            if lame:
                ways = [further for way in ways for further in way.lame(lame, between, whole=whole)]
            for way in ways:
                yield count, bit, way
            past = [] if leg.hop == "g" else [way.to(bit, "m") for way in ways]
            if towards_hurdle is not None:
                past.append(towards_hurdle.to(bit, "o" if leg.friendly else "p"))
                towards_hurdle = towards_hurdle.to(bit, "m")
            ways = [way for way in past if way is not None and (now is None or not missed(way[2:], *now))]
            if not ways and towards_hurdle is None:
                return

    @property
    def regular(self) -> bool:
        """Whether occupation alone, not whose piece it is, decides where the chain leads."""
        legs = self.part.legs
        return not self.returns and not any(
            leg.friendly or (leg is not legs[-1] and ("c" in leg.modes or "d" in leg.modes)) for leg in legs
        )

    def support(self, target: int) -> int:
        """Return every square that any leg may touch."""
        return self.touch & ~target

    def reach(self, occupied: int) -> int:
        """Return the squares reached; only for regular chains."""
        if self._ends is None:
            reached = union(walk.end for walk in self._open(occupied, 0, blind=True))
        else:
            reached = union(end for empty, full, end in self._ends if not (empty & occupied or full & ~occupied))
        return reached & ~(1 << self.origin)

    def _places(self, index: int, turn: int) -> Iterator[int]:
        """Yield the directions of a leg after one in a direction."""
        if index == 0:
            turn = 4 if self.turned else 0
        for place in self.part.legs[index].directions:
            yield (turn + place) % 8

    def _line(self, leg: Leg, square: int, place: int, reach: int) -> tuple[tuple[Step, ...], str]:
        return leg_line(self.geometry, square, self.ring[place], reach, leg)

    def _potential(self) -> tuple[int, int]:
        """Return where its last leg may ever lead, and all squares that any leg may touch."""
        states = {(self.origin, 0, self.part.reach)}
        touch = targets = 0
        for index, leg in enumerate(self.part.legs):
            following = set()
            targets = 0
            for square, turn, reach in states:
                for place in self._places(index, turn):
                    for bit, between, _ in self._line(leg, square, place, reach)[0]:
                        touch |= bit | between
                        targets |= bit
                        following.add((bit.bit_length() - 1, place, leg.later(reach)))
            states = following
        return targets, touch

    def outcomes(self, occupied: int, own: int) -> set[Outcome]:
        """Return every way the chain can end.

        Parameters
        ----------
        occupied : int
            All pieces.
        own : int
            The pieces on the mover's side.

        Returns
        -------
        set[tuple[int, int]]
            Bits of the pieces captured on the way, and the bit of the square reached.
        """
        home = 1 << self.origin
        return {(walk.gone & ~(home | walk.end), walk.end) for walk in self._open(occupied, own)}
