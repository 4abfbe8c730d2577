"""Where a part of a movement leads from one square, given what is occupied.

A *path* answers four questions, whatever kind of piece it belongs to: which squares it may ever reach
(``targets``), which squares' occupation it depends on (``touch``, and ``support`` for one target), and what
it reaches for a given occupation (``reach``). Sliders, lame leapers, hoppers and bent pieces differ in
nothing else, so the tables built on paths know none of them. Some are ``blockable``: one blocker is enough, wherever
it stands before the target.

Squares are bits. A reached square may be empty or occupied; what a piece may do there is not a path's
business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from itertools import islice
from typing import NamedTuple, TypeVar

from nomic_nb.chess.multiverse.betza import Leg, NotationPart, blocking_squares
from nomic_nb.chess.multiverse.geometry import Geometry, each_bit, union_of_bits

# -------------------------------------------------------------------------------- ways through the legs of a chain


class ConditionalWalk(NamedTuple):
    """A walk through the legs of a chain, with what must stand on which squares for it.

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

    def step_to(self, bit: int, mode: str) -> ConditionalWalk | None:
        """Return the walk after a step to `bit` in a mode such as “m” (move) or “c” (capture); None if impossible."""
        gone, empty, full, foe, own = self
        if mode == "m":
            bits = bit & ~gone
            return None if bits & (full | foe | own) else ConditionalWalk(gone, empty | bits, full, foe, own)
        if bit & (gone | empty) or (bit & own and mode == "c") or (bit & foe and mode in "do"):
            return None
        if mode == "p":
            return ConditionalWalk(gone, empty, full | bit, foe, own)
        if mode == "c":
            return ConditionalWalk(gone | bit, empty, full, foe | bit, own)
        return (
            ConditionalWalk(gone | bit if mode == "d" else gone, empty, full, foe, own | bit) if mode in "do" else None
        )

    def pass_between(self, lame: str, between: int, *, whole: bool) -> Iterator[ConditionalWalk]:
        """Yield the walk past squares `between`, once for each condition: all empty (“n”) or one occupied (“j”).

        ``whole`` says whether all squares in between exist; else no step that needs them empty can be made.
        """
        if lame == "n":
            further = self.step_to(between, "m") if whole else None
            yield from [] if further is None else [further]
            return
        for hurdle in each_bit(between):
            over = self.step_to(hurdle, "p")
            further = over.step_to(between & ~hurdle, "m") if over is not None else None
            yield from [] if further is None else [further]

    def needs_to_capture(self, target: int) -> Needs | None:
        """Return (empty, occupied, hostile, own squares) needed for a capture on `target`; None if impossible."""
        if not self.gone & target or self.own & target:
            return None
        return self.empty, self.full & ~target, self.foe & ~target, self.own


class KnownWalk(NamedTuple):
    """A walk through the legs of a chain on boards whose pieces are known.

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

    def step_to(self, bit: int, mode: str) -> KnownWalk | None:
        """Return the walk after a step to `bit` in a mode such as “m” (move) or “c” (capture); None if impossible."""
        gone, there, own = self
        if not there & bit:
            return self if mode == "m" else None
        if mode in ("do" if own & bit else "c"):
            return self if mode == "o" else KnownWalk(gone | bit, there ^ bit, own)
        return self if mode == "p" else None

    def pass_between(self, lame: str, between: int, *, whole: bool) -> Iterator[KnownWalk]:
        """Yield the walk itself if it can pass the squares `between`, lame (“n”) or jumping (“j”); else nothing."""
        if is_passable(lame, between & self.there, whole=whole):
            yield self


def is_passable(lame: str, blockers: int, *, whole: bool) -> bool:
    """Tell whether a lame (“n”) or jumping (“j”) step can pass `blockers`; `whole`: all squares passed exist."""
    if lame == "n":
        return whole and not blockers
    return blockers.bit_count() == 1


#: Either of them.
AnyWalk = TypeVar("AnyWalk", ConditionalWalk, KnownWalk)

#: Squares that must be empty, hold any piece, one of another side, and one of the own side.
Needs = tuple[int, int, int, int]


def unmet_squares(needs: Needs, occupied: int, own: int) -> int:
    """Return the squares that are not as a walk needs them, with pieces on `occupied`, those of its side on `own`."""
    empty, full, foe, side = needs
    return empty & occupied | full & ~occupied | foe & ~(occupied & ~own) | side & ~own


def minimal_needs(all_needs: set[Needs]) -> list[Needs]:
    """Return these needs of walks, leaving out any that ask for all that another asks for, and more.

    Examples
    --------
    >>> minimal_needs({(0, 0, 1, 0), (2, 0, 1, 0)})
    [(0, 0, 1, 0)]
    """
    kept: list[Needs] = []
    for needs in sorted(all_needs, key=lambda masks: sum(map(int.bit_count, masks))):
        if not any(all(not less & ~more for less, more in zip(weaker, needs, strict=True)) for weaker in kept):
            kept.append(needs)
    return kept


# ----------------------------------------------------------------------- tables that compute what they do not hold


#: Entries that one table may hold before it starts again.
TABLE_LIMIT = 1 << 14

TableKey = TypeVar("TableKey")
TableValue = TypeVar("TableValue")


class ComputedDict(dict[TableKey, TableValue]):
    """A dictionary that computes the values which it does not hold."""

    __slots__ = ("compute",)

    def __init__(self, compute: Callable[[TableKey], TableValue]) -> None:
        super().__init__()
        self.compute = compute

    def __missing__(self, key: TableKey) -> TableValue:
        value = self.compute(key)
        if len(self) >= TABLE_LIMIT:
            self.clear()
        self[key] = value
        return value


def table_by_piece_set(rows_of_one: Callable[[int], list[TableValue]]) -> dict[int, list[TableValue]]:
    """Return a table from sets of pieces (bits) to the rows of all their pieces, as `rows_of_one` makes them."""
    single: dict[int, list[TableValue]] = ComputedDict(rows_of_one)

    def rows(bits: int) -> list[TableValue]:
        return [row for bit in each_bit(bits) for row in single[bit]]

    return ComputedDict(rows)


# ---------------------------------------------------------------- where a part of a movement leads from one square


#: Squares on whose occupation a table depends that is filled at once.
MOST_SQUARES_WHOLE = 8
#: Ways through the legs of a chain up to which they are kept, with what they need.
MOST_WALKS = 1000
#: (square, squares in between, all of those squares exist)
LineStep = tuple[int, int, bool]


@lru_cache(maxsize=1 << 14)
def trace_line(
    geometry: Geometry, origin: int, vector: tuple[int, int], reach: int, *, wrap: bool, between: bool
) -> tuple[LineStep, ...]:
    """Return a line's steps in order: square, squares passed by this step, and whether all of these exist.

    Parameters
    ----------
    geometry : Geometry
    origin : int
        Number of the square where it begins.
    vector : tuple of int
        One step: files right, ranks ahead.
    reach : int
    wrap : bool
        Whether it goes round the side edges.
    between : bool
        Whether to include the squares passed over.

    It ends at an edge, at a hole, after ``reach`` steps (0: no limit), or before its own origin.
    """
    steps: list[LineStep] = []
    blocks = blocking_squares(vector) if between else ()
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


def leg_steps(
    geometry: Geometry, square: int, vector: tuple[int, int], reach: int, leg: Leg
) -> tuple[tuple[LineStep, ...], str]:
    """Return the steps of a leg from one square, and how they pass pieces: “n” lame, “j” jumping or “”.

    A slider with 'j' skips its first square, which then neither blocks nor can be reached.
    """
    steps = trace_line(geometry, square, vector, reach, wrap=leg.wrap, between=bool(leg.lame))
    if leg.lame == "j" and not blocking_squares(vector):
        return steps[1:], ""
    return steps, leg.lame


class Line:
    """A leg in one direction: slide, ride, leap or hop."""

    __slots__ = ("blockable", "hop", "lame", "steps", "targets", "touch")

    def __init__(self, steps: tuple[LineStep, ...], hop: str, lame: str) -> None:
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

    def deciding_squares(self, target: int) -> int:
        """Return the squares that decide whether the line reaches the target."""
        bits = 0
        for bit, between, _ in self.steps:
            bits |= between
            if bit == target:
                break
            bits |= bit
        return bits & ~target

    def reach(self, occupied: int) -> int:
        """Return the squares that the line reaches while these squares are occupied."""
        reached = 0
        if not self.hop:
            lame = self.lame
            for bit, between, whole in self.steps:
                if lame and not is_passable(lame, between & occupied, whole=whole):
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


#: Lines over the same squares: the same for all kinds that move along them.
make_line = lru_cache(maxsize=1 << 13)(Line)


#: A walk so far, where it is, the direction of its last leg, the reach of the next one, steps made in the last leg.
_State = tuple[AnyWalk, int, int, int, int]


class Chain:
    """Several legs of one part, walked one after the other.

    Whether legs may stop, turn or capture depends on what stands there, so a chain is walked leg by leg: on given
    boards, or on all of them at once, taking down what each way needs. Each leg starts from the distinct states that
    the one before left; the work is bounded by the ways that a notation may have (`betza.MAX_WAYS`).
    """

    def __init__(self, part: NotationPart, geometry: Geometry, origin: int, *, turned: bool) -> None:
        self.part = part
        self.geometry = geometry
        self.home = 1 << origin
        self.turn = 4 if turned else 0
        self.blockable = False
        self.ring = part.atom.steps
        targets, touch = self._possible_squares()
        self.returns = bool(targets & self.home)
        self.targets, self.touch = targets & ~self.home, touch & ~self.home

    @cached_property
    def walks(self) -> tuple[tuple[ConditionalWalk, int], ...]:
        """All walks through the legs, each as (walk with what it needs, square where it ends)."""
        return tuple(self._conditional_walks())

    @cached_property
    def has_few_walks(self) -> bool:
        """Whether the walks through the legs are few enough to be kept."""
        return not any(True for _ in islice(self._conditional_walks(), MOST_WALKS, None))

    def _conditional_walks(self) -> Iterator[tuple[ConditionalWalk, int]]:
        """Yield all walks that any pieces on the board could allow, each with the square where it ends."""
        return ((walk, end) for _, walk, end in self._walk_all(ConditionalWalk(self.home)))

    @cached_property
    def _end_needs(self) -> set[tuple[int, int, int]] | None:
        """The (empty squares, occupied squares, end) of each walk of a regular chain; None if too many."""
        if not self.has_few_walks:
            return None
        return {(walk.empty & ~end, walk.full & ~end, end) for walk, end in self.walks}

    def _walk_all(self, start: AnyWalk, ends: str = "") -> Iterator[tuple[int, AnyWalk, int]]:
        """Yield each way through all legs: (captured on the way, walk, last square); `ends`: modes for the last leg."""
        *legs, last = self.part.legs
        states: set[_State[AnyWalk]] = {(start, self.home, self.turn, self.part.reach, 0)}
        for leg in legs:
            states = {arrived for state in states for _, arrived in self._walk_leg(leg, state, leg.modes)}
        for state in states:
            for gone, arrived in self._walk_leg(last, state, ends or last.modes):
                yield gone, arrived[0], arrived[1]

    def _walk_leg(self, leg: Leg, state: _State[AnyWalk], modes: str) -> Iterator[tuple[int, _State[AnyWalk]]]:
        """Yield (captured on the way, new state) for each way to walk one more leg that ends in one of `modes`."""
        walk, at, turn, reach, before = state
        modes = modes.replace("p", "o") if leg.friendly else modes
        for place, later, steps, lame in self._lines_of_leg(leg, at, turn, reach):
            for count, bit, way in _leg_stops(leg, walk, steps, lame):
                if not leg.same or count == before:
                    for mode in modes:
                        arrived = way.step_to(bit, mode)
                        if arrived is not None:
                            yield way.gone, (arrived, bit, place, later, count)

    def _lines_of_leg(
        self, leg: Leg, bit: int, turn: int, reach: int
    ) -> Iterator[tuple[int, int, tuple[LineStep, ...], str]]:
        """Yield the lines of a leg from `bit`: (direction, most steps of next leg, steps, “n” lame, “j” jump or “”)."""
        later, square = leg.reach_of_next_leg(reach), bit.bit_length() - 1
        for direction in leg.directions:
            place = (turn + direction) % 8
            steps, lame = leg_steps(self.geometry, square, self.ring[place], reach, leg)
            yield place, later, steps, lame

    @property
    def is_regular(self) -> bool:
        """Whether occupation alone, not whose pieces stand there, decides where the chain leads."""
        legs = self.part.legs
        return not self.returns and not any(
            leg.friendly or (leg is not legs[-1] and ("c" in leg.modes or "d" in leg.modes)) for leg in legs
        )

    def deciding_squares(self, target: int) -> int:
        """Return the squares that can decide whether the chain reaches the target."""
        return self.touch & ~target

    def reach(self, occupied: int) -> int:
        """Return the squares that a regular chain reaches while these squares are occupied."""
        if self._end_needs is None:  # what stands on the last square is any piece or none
            ends = (end for _, _, end in self._walk_all(KnownWalk(0, occupied & ~self.home, 0), "mp"))
        else:
            ends = (end for empty, full, end in self._end_needs if not (empty & occupied or full & ~occupied))
        return union_of_bits(ends) & ~self.home

    def _possible_squares(self) -> tuple[int, int]:
        """Return the squares where the chain can end, and all squares that it can touch."""
        states, touch = {(self.home, self.turn, self.part.reach)}, 0
        for leg in self.part.legs:
            following = set()
            for state in states:
                for place, later, steps, _ in self._lines_of_leg(leg, *state):
                    for bit, between, _ in steps:
                        touch |= bit | between
                        following.add((bit, place, later))
            states = following
        return union_of_bits(bit for bit, _, _ in states), touch

    def outcomes(self, occupied: int, own: int) -> set[tuple[int, int]]:
        """Return how the chain can end, as (pieces captured on the way, square reached).

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
        start = KnownWalk(0, occupied & ~self.home, own & ~self.home)
        return {(gone, end) for gone, _, end in self._walk_all(start)}


def _leg_stops(leg: Leg, walk: AnyWalk, steps: tuple[LineStep, ...], lame: str) -> Iterator[tuple[int, int, AnyWalk]]:
    """Yield where a leg may stop, as (number of steps, square, walk up to there)."""
    ways, hurdle, passed = ([], walk, 0) if leg.hop else ([walk], None, 0)
    for count, (bit, between, whole) in enumerate(steps, 1):
        if passed:
            past = [] if leg.hop == "g" else [way.step_to(passed, "m") for way in ways]
            if hurdle is not None:
                past.append(hurdle.step_to(passed, "o" if leg.friendly else "p"))
                hurdle = hurdle.step_to(passed, "m")
            ways = [way for way in past if way is not None]
            if not ways and hurdle is None:
                return
        if lame:
            ways = [further for way in ways for further in way.pass_between(lame, between, whole=whole)]
        for way in ways:
            yield count, bit, way
        passed = bit


#: Whatever kind of piece it belongs to.
Path = Line | Chain


_PLACES = {"m": 0, "c": 1, "d": 3}


class MovePath:
    """A path with a table of what it reaches, and what may be done at its end."""

    __slots__ = ("captures", "modes", "path", "places", "reach")

    def __init__(self, path: Path, leg: Leg) -> None:
        self.path = path
        self.reach = ComputedDict(path.reach) if isinstance(path, Chain) else reach_table(path)
        self.modes = leg.modes
        #: For each mode its place: reached quietly, captured, captured but for royal pieces, captured of its own.
        self.places = [_PLACES[mode] + (mode == "c" and leg.tame) for mode in leg.modes if mode in _PLACES]
        #: Royal pieces, too.
        self.captures = "c" in leg.modes and not leg.tame


@lru_cache(maxsize=1 << 12)
def reach_table(path: Line) -> dict[int, int]:
    """Return a table of the squares that a line reaches, by which of the squares it touches are occupied."""
    if path.touch.bit_count() > MOST_SQUARES_WHOLE:
        return ComputedDict(path.reach)
    return {occupied: path.reach(occupied) for occupied in subsets(path.touch)}


def subsets(bits: int) -> Iterator[int]:
    """Yield every subset of a set of squares, as bit masks.

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
