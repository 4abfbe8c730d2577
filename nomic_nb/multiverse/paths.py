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
from nomic_nb.multiverse.geometry import Geometry
from nomic_nb.multiverse.walks import Walk

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


#: (square, place in the ring, reach, steps made in the last leg, squares emptied so far)
_State = tuple[int, int, int, int, int]


class Chain:
    """Several legs, one after the other.

    Whether legs may stop, turn or capture depends on what stands there, so a chain is walked leg by leg.
    Each leg starts from the distinct states that the one before left; the work is bounded by the ways that a
    notation may have (`betza.MAX_WAYS`).
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
        return tuple(self._begun())

    @cached_property
    def few(self) -> bool:
        """Whether the ways through the legs can be kept."""
        return not any(True for _ in islice(self._begun(), WALKS, None))

    def _begun(self) -> Iterator[Walk]:
        home = 1 << self.origin
        return self._walked(0, Walk(home, home, 0, 0, 0, 0), 0, self.part.reach, 0)

    @cached_property
    def _ends(self) -> set[tuple[int, int, int]] | None:
        """What must be empty, and full, before the ends of a regular chain, and the ends."""
        if not self.few:
            return None
        return {(walk.empty & ~walk.end, walk.full & ~walk.end, walk.end) for walk in self.walks}

    def _walked(self, index: int, walk: Walk, turn: int, reach: int, before: int) -> Iterator[Walk]:
        leg = self.part.legs[index]
        later = (1 if reach != 1 else 0) if leg.toggle else reach
        for place in self._places(index, turn):
            for count, bit, way in self._stops(leg, walk, place, reach):
                if leg.same and count != before:
                    continue
                for mode in leg.modes:
                    arrived = way.to(bit, "o" if mode == "p" and leg.friendly else mode)
                    if arrived is not None and leg is self.part.legs[-1]:
                        yield arrived
                    elif arrived is not None:
                        yield from self._walked(index + 1, arrived, place, later, count)

    def _stops(self, leg: Leg, walk: Walk, place: int, reach: int) -> Iterator[tuple[int, int, Walk]]:
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
            ways = [way for way in past if way is not None]

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
        reached = 0
        if self._ends is None:
            for _, target in self.outcomes(occupied, 0, blind=True):
                reached |= target
        else:
            for empty, full, end in self._ends:
                if not (empty & occupied or full & ~occupied):
                    reached |= end
        return reached & ~(1 << self.origin)

    def _starts(self, index: int, states: set[_State]) -> Iterator[tuple[_State, int]]:
        for state in states:
            for place in self._places(index, state[1]):
                yield state, place

    def _places(self, index: int, turn: int) -> Iterator[int]:
        """Yield the directions of a leg after one in a direction."""
        if index == 0:
            turn = 4 if self.turned else 0
        for place in self.part.legs[index].directions:
            yield (turn + place) % 8

    def _line(self, leg: Leg, square: int, place: int, reach: int) -> tuple[tuple[Step, ...], str]:
        return leg_line(self.geometry, square, self.ring[place], reach, leg)

    def _potential(self) -> tuple[int, int]:
        states: set[_State] = {(self.origin, 0, self.part.reach, 0, 0)}
        touch = 0
        last = len(self.part.legs) - 1
        targets = 0
        for index, leg in enumerate(self.part.legs):
            following: set[_State] = set()
            for state, place in self._starts(index, states):
                reach = state[2]
                later = (1 if reach != 1 else 0) if leg.toggle else reach
                for bit, between, _ in self._line(leg, state[0], place, reach)[0]:
                    touch |= bit | between
                    if index == last:
                        targets |= bit
                    else:
                        following.add((bit.bit_length() - 1, place, later, 0, 0))
            states = following
        return targets, touch

    def outcomes(self, occupied: int, own: int, *, blind: bool = False) -> set[Outcome]:
        """Return every way the chain can end.

        Parameters
        ----------
        occupied : int
            All pieces.
        own : int
            The pieces on the mover's side.
        blind : bool
            Take what stands on the final square as any piece or none.

        Returns
        -------
        set[tuple[int, int]]
            Bits of the pieces captured on the way, and the bit of the square reached.
        """
        home = 1 << self.origin
        occupied &= ~home
        own &= ~home
        states: set[_State] = {(self.origin, 0, self.part.reach, 0, 0)}
        legs = self.part.legs
        for index, leg in enumerate(legs[:-1]):
            following: set[_State] = set()
            for state, place in self._starts(index, states):
                following.update(self._between(leg, state, place, occupied, own))
            if not legs[index + 1].same:  # how far it went matters no more, only where it is
                following = {(*state[:3], 0, state[4]) for state in following}
            states = following
        found: set[Outcome] = set()
        for state, place in self._starts(len(legs) - 1, states):
            found.update(self._final(legs[-1], state, place, occupied, own, blind=blind))
        return found

    def _between(self, leg: Leg, state: _State, place: int, occupied: int, own: int) -> Iterator[_State]:
        square, _, reach, before, taken = state
        later = (1 if reach != 1 else 0) if leg.toggle else reach
        there = occupied & ~taken
        steps, lame = self._line(leg, square, place, reach)
        for count, (bit, between, whole) in enumerate(steps, 1):
            if lame and not passable(lame, between & there, whole=whole):
                return
            fits = not leg.same or count == before
            stop = bit.bit_length() - 1
            if not there & bit:
                if fits and "m" in leg.modes:
                    yield stop, place, later, count, taken
                continue
            if fits:
                if "p" in leg.modes and (not leg.friendly or own & bit):
                    yield stop, place, later, count, taken
                if ("c" in leg.modes and not own & bit) or ("d" in leg.modes and own & bit):
                    yield stop, place, later, count, taken | bit
            return

    def _final(self, leg: Leg, state: _State, place: int, occupied: int, own: int, *, blind: bool) -> Iterator[Outcome]:
        square, _, reach, before, taken = state
        there = occupied & ~taken
        steps, lame = self._line(leg, square, place, reach)
        over = not leg.hop
        for count, (bit, between, whole) in enumerate(steps, 1):
            if lame and not passable(lame, between & there, whole=whole):
                return
            taking = there & bit
            if over:
                right = ("d" in leg.modes) if own & bit else ("c" in leg.modes)
                if (not leg.same or count == before) and (blind or (right if taking else "m" in leg.modes)):
                    yield taken, bit
                if taking or leg.hop == "g":
                    return
            elif taking:
                if leg.friendly and not own & bit:
                    return
                over = True
