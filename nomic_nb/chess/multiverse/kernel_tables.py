"""Tables for the compiled kernel, made from the same movements, terms and states that the Python modules use.

A movement becomes *lanes*, each a row of squares that a piece goes along up to the first piece, if some squares before
are empty and others occupied: slides, leaps, hops and bent ways are all lanes. What captures on the way becomes *walks*
with what each needs. *Routes* say what a piece needs to capture on a square. kernel.c reads them in this order.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from itertools import chain, islice

from nomic_nb.chess import kernel as kernel_files
from nomic_nb.chess.kernel import Kernel, load_library
from nomic_nb.chess.multiverse.extra_rules import extra_rules_for, split_goal
from nomic_nb.chess.multiverse.generator import Generator, Move, PieceClass
from nomic_nb.chess.multiverse.geometry import Geometry, each_bit, union_of_bits
from nomic_nb.chess.multiverse.movement_tables import NARROW_LIMIT, Movement, find_shifts, group_paths
from nomic_nb.chess.multiverse.packed_moves import PROMOTED, unpack
from nomic_nb.chess.multiverse.paths import (
    MOST_WALKS,
    Chain,
    ComputedDict,
    ConditionalWalk,
    Line,
    Needs,
    Path,
    minimal_needs,
)
from nomic_nb.chess.multiverse.piece_values import PieceValues
from nomic_nb.chess.multiverse.position_state import PositionState
from nomic_nb.chess.multiverse.rules import CAPTURE_RESULTS, PYTHON_TERMS, STALEMATES, Rules, Terms, region_bits

#: What `position.backend` says where the kernel is at work.
COMPILED = "compiled"
_MAGIC = 0x4E6F6D6B
#: What a lane is for, and how its squares lie.
_QUIET, _CAPTURE, _SPARE, _DESTROY, _PASSING, _INITIAL, _ATTACKS, _LAST = (1 << bit for bit in range(8))
_UP, _DOWN, _CROOKED, _LEAPS = range(4)
#: When Python lists the moves of a class.
_SHIFTED, _GROUPED, _, _OTHERS, _ROYAL = range(5)
_GOALS = ("lost", "bare", "extinct", "checks", "reach")
_MOST_GOALS, _MOST_CASTLES = 16, 64
#: Lists of moves under the same rules that Python makes first: if there are few, the kernel's tables would take longer.
LISTS, LONG_LISTS = 1000, 200
#: Where the clock of moves without a capture stops for the kernel.
MOST_HALFMOVES = 10_000
#: What is added to a value, so that no word is below 0.
_OFFSET = 1 << 20
#: (squares that matter, those of them that are occupied)
_Condition = tuple[int, int]


class Unsupported(Exception):  # noqa: N818 - no error: Python does it
    """Something that the kernel leaves to Python, named."""


class _Words:
    """A row of words under construction; boards take one, two or four."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.row: list[int] = []

    def boards(self, *boards: int) -> None:
        """Add boards of bits."""
        if self.width == 1:
            self.row += boards
        else:
            self.row += [bits >> 64 * word & (1 << 64) - 1 for bits in boards for word in range(self.width)]

    def packed(self) -> array[int]:
        """Return the row as the kernel takes it."""
        return array("Q", self.row)


# ------------------------------------------------------------------------------------------------------- movements


def _conditions_of_steps(path: Line) -> Iterator[tuple[_Condition, int]]:
    """Yield each step of a lame or jumping line: what it needs, and its square."""
    states: set[_Condition] = {(0, 0)}
    for bit, between, whole in path.steps:
        if path.lame == "n":
            states = {(mask | between, need) for mask, need in states if whole and not need & between}
        else:
            states = {
                (mask | between, need | hurdle)
                for mask, need in states
                for hurdle in each_bit(between)
                if (need | hurdle) & (mask | between) == need | hurdle and not (mask & between) & (need ^ hurdle)
            }
        if len(states) > MOST_WALKS:
            raise Unsupported("a movement of very many ways")
        for state in sorted(states):
            yield state, bit
        states = {(mask | bit, need) for mask, need in states if not need & bit}


def _lanes_of_line(path: Line) -> Iterator[tuple[int, int, list[int]]]:
    """Yield the lanes of a line as (squares that matter, those occupied, squares reached in order)."""
    bits = [bit for bit, _, _ in path.steps]
    if path.hop:
        for at in range(len(bits) - 1):
            yield union_of_bits(bits[: at + 1]), bits[at], bits[at + 1 : at + 2] if path.hop == "g" else bits[at + 1 :]
    elif path.lame:
        for (mask, need), bit in _conditions_of_steps(path):
            yield mask, need, [bit]
    else:
        yield 0, 0, bits


def _lanes_of_chain(chain: Chain) -> Iterator[tuple[int, int, list[int]]]:
    """Yield the lanes of a chain of legs: its ends, joined to rows where each goes on past the one before."""
    ends = chain._end_needs
    if ends is None:
        raise Unsupported("a movement whose legs make very many ways")
    left = {(empty, full, end) for empty, full, end in ends if end & ~chain.home}
    follow: dict[_Condition, list[int]] = {}
    for empty, full, end in sorted(left):
        follow.setdefault((empty, full), []).append(end)
    for start in sorted(left, key=lambda end: (end[0].bit_count(), end)):
        if start not in left:
            continue
        (empty, full, end), row = start, []
        mask = empty
        while True:
            row.append(end)
            left.discard((mask, full, end))
            mask |= end
            following = [bit for bit in follow.get((mask, full), ()) if (mask, full, bit) in left and not bit & mask]
            if not following:
                break
            end = following[0]
        yield empty | full, full, row


def _needs_by_target(walks: Iterable[tuple[ConditionalWalk, int]], home: int) -> dict[int, list[Needs]]:
    """Return what walks need to capture on each square that they can capture on."""
    found: dict[int, set[Needs]] = {}
    for walk, _ in walks:
        for target in each_bit(walk.gone & ~home):
            needs = walk.needs_to_capture(target)
            if needs is not None:
                found.setdefault(target, set()).add(needs)
    return {target: minimal_needs(needs) for target, needs in found.items()}


def _check_crossing(chain: Chain) -> None:
    """Refuse a chain that may reach a square where it could not capture: it has been there before."""
    ways: dict[int, tuple[set[Needs], set[Needs]]] = {}
    for walk, end in chain.walks:
        reached, captured = ways.setdefault(end, (set(), set()))
        reached.add((walk.empty & ~end, walk.full & ~end, 0, 0))
        needs = walk.needs_to_capture(end)
        if needs is not None:
            captured.add(needs)
    for end, (reached, captured) in ways.items():
        if end != chain.home and set(minimal_needs(reached)) != set(minimal_needs(captured)):
            raise Unsupported("a movement whose legs cross their own way")


#: A lane: flags, order, squares that matter, those occupied, squares reached in order.
_Lane = tuple[int, int, int, int, list[int]]


class _MovementWords:
    """The lanes, walks and routes of a movement, square by square."""

    def __init__(self, movement: Movement, board: Geometry) -> None:
        self.movement = movement
        self.lanes: list[list[_Lane]] = []
        self.walks: list[list[tuple[int, ConditionalWalk, int, int]]] = []
        self.routes: list[list[tuple[int, int, Needs]]] = []
        self._grouped = movement.plain and find_shifts(movement) is None
        if movement.opaque:
            raise Unsupported("a movement whose legs make very many ways")
        for square in range(movement.geometry.size):
            self.lanes.append([])
            self.walks.append([])
            self.routes.append([])
            if board.full >> square & 1:
                self._add_square(1 << square)
            if not movement.geometry.full >> square & 1:  # promoted beyond its region, where it gives no check
                self.routes[-1].clear()
                self.lanes[-1] = [(flags & ~_ATTACKS, *lane) for flags, *lane in self.lanes[-1]]  # type: ignore[misc]

    def _add_square(self, bit: int) -> None:
        """Add what a piece on one square can do: rows of lanes as Python lists them, the last of each row marked."""
        paths: list[tuple[Path, int, bool]] = []
        for part in self.movement.notation.parts:
            leg, initial = part.legs[-1], _INITIAL * part.initial
            if part in self.movement.irregular:
                continue
            captures = "c" in leg.modes and not leg.tame
            flags = initial | (_QUIET * ("m" in leg.modes)) | (_CAPTURE * captures) | (_DESTROY * ("d" in leg.modes))
            flags |= _PASSING * ("e" in leg.modes) | _SPARE * ("c" in leg.modes and leg.tame)
            paths += [(path, flags, captures) for path in self.movement._paths_of_part(part, bit)]
        lanes = self.lanes[-1]
        for row in group_paths([path for path, _, _ in paths], NARROW_LIMIT) if self._grouped else [range(len(paths))]:
            leaps: dict[tuple[int, int, int], list[int]] = {}
            for path, flags, captures in map(paths.__getitem__, row):
                self._add_path(path, flags, captures=captures, bit=bit, leaps=leaps)
            for (flags, mask, need), squares in leaps.items():
                lanes.append((flags, _UP if len(squares) == 1 else _LEAPS, mask, need, squares))
            if lanes:
                lanes[-1] = (lanes[-1][0] | _LAST, *lanes[-1][1:])
        self._add_walks(bit)

    def _add_path(
        self, path: Path, flags: int, *, captures: bool, bit: int, leaps: dict[tuple[int, int, int], list[int]]
    ) -> None:
        """Add the lanes of one path, and the routes of a chain; `leaps` collects what needs the same."""
        if isinstance(path, Chain):
            lanes = _lanes_of_chain(path)
            if captures:
                _check_crossing(path)
                self.routes[-1] += [
                    (target, int(bool(flags & _INITIAL)), needs)
                    for target, every in _needs_by_target(path.walks, bit).items()
                    for needs in every
                ]
        else:
            lanes = _lanes_of_line(path)
            flags |= _ATTACKS * captures
        for mask, need, row in lanes:
            if len(row) == 1:
                known = leaps.setdefault((flags, mask, need), [])
                known += [] if row[0] in known else row
            else:
                order = _UP if row == sorted(row) else _DOWN if row == sorted(row, reverse=True) else _CROOKED
                self.lanes[-1].append((flags, order, mask, need, row))

    def _add_walks(self, bit: int) -> None:
        """Add the walks and the routes of parts in which it matters whose pieces are on the way."""
        found = []
        for at, part in enumerate(self.movement.irregular):
            chain = self.movement._chains[at, bit]
            walks = list(islice(chain._walk_all(ConditionalWalk(bit)), MOST_WALKS + 1))
            if len(walks) > MOST_WALKS:
                raise Unsupported("a movement whose legs make very many ways")
            found += [(int(part.initial), walk, gone & ~bit, end) for gone, walk, end in walks]
            self.routes[-1] += [
                (target, int(part.initial), needs)
                for target, every in _needs_by_target(((walk, end) for _, walk, end in walks), bit).items()
                for needs in every
            ]
        # The kernel drops what leads to the same end as the walk before.
        self.walks[-1] += sorted(set(found), key=lambda each: (each[2], each[3], each[0], each[1]))

    def write(self, words: _Words) -> None:
        """Write everything in the order in which kernel.c reads it."""
        lanes = [lane for row in self.lanes for lane in row]
        ordered = [len(lane[4]) for lane in lanes if lane[1] == _CROOKED or lane[0] & _ATTACKS]
        routes = sum(map(len, self.routes)) + sum(len(lane[4]) for lane in lanes if lane[0] & _ATTACKS)
        row, boards = words.row, words.boards
        row += [len(lanes), sum(map(len, self.walks)), sum(ordered), routes]
        for here, walks, ways in zip(self.lanes, self.walks, self.routes, strict=True):
            row.append(len(here))
            for flags, order, mask, need, squares in here:
                row += [flags, order]
                boards(mask, need, sum(squares))
                row.append(len(squares))
                if order == _CROOKED or flags & _ATTACKS:
                    row += [bit.bit_length() - 1 for bit in squares]
            row.append(len(walks))
            for initial, walk, gone, end in walks:
                row.append(initial)
                boards(walk.empty, walk.full, walk.foe, walk.own, gone)
                row.append(end.bit_length() - 1)
            row.append(len(ways))
            for target, initial, needs in ways:
                row += [target.bit_length() - 1, initial]
                boards(*needs)


# ----------------------------------------------------------------------------------------------- rules and positions


def words_of_rules(rules: Rules) -> array[int]:
    """Return compiled rules as the kernel takes them.

    Raises
    ------
    Unsupported
        The kernel leaves something in them to Python.
    """
    terms, geometry, extra = rules.terms, rules.geometry, extra_rules_for(rules)
    if rules.crowns:
        raise Unsupported("promotions that make or unmake a royal piece")
    if any(len(castles) > _MOST_CASTLES for castles in rules.castles):
        raise Unsupported(f"more than {_MOST_CASTLES} castlings")
    if other := [name for name in PYTHON_TERMS if getattr(terms, name) != getattr(Terms, name)]:
        raise Unsupported(f"the option {other[0]}")
    if extra and extra.has_former:
        raise Unsupported("pieces that fall back in hand")
    if len(terms.goals) > _MOST_GOALS:
        raise Unsupported(f"more than {_MOST_GOALS} goals")
    words = _Words(load_library()[0].kernel_width(geometry.size))
    row, boards = words.row, words.boards
    movements = {id(force.movement): force.movement for side in rules.generators for force in side.forces}
    numbers = {key: number for number, key in enumerate(movements)}
    has_hands = bool(extra and extra.has_hands)
    flags = (
        terms.check, rules.regions is not None, extra is not None, has_hands, terms.move_forced, bool(terms.royal),
        not extra and all(map(_is_listed_alike, rules.generators)),
    )  # fmt: skip
    row += [
        _MAGIC, words.width, geometry.size, geometry.files, len(rules.kinds), len(movements),
        sum(flag << at for at, flag in enumerate(flags)), CAPTURE_RESULTS.index(terms.capture_result),
        STALEMATES.index(terms.stalemate), extra.checks if extra else 0,
        *map(_class_bits, (rules.pawns, rules.royal, rules.fresh)), rules.pawns[0] if rules.pawns else 0,
    ]  # fmt: skip
    boards(geometry.full)
    if extra and extra.blast is not None:
        full = set(geometry.squares)
        boards(*(
            union_of_bits(1 << at for at in geometry.around(square)) if square in full else 0
            for square in range(geometry.size)
        ))  # fmt: skip
    for movement in movements.values():
        _MovementWords(movement, geometry).write(words)
    for side in (0, 1):
        _write_side(words, rules, side, numbers)
    row.append(len(terms.goals))
    for goal in terms.goals:
        name, kinds, rest = split_goal(goal)
        if (
            name not in _GOALS
            or (name == "lost" and goal != "lost all")
            or (name == "extinct" and (rest or kinds == "all"))
        ):
            raise Unsupported(f"the goal “{goal}”")
        row += [_GOALS.index(name), _class_bits(rules.classes[kind] for kind in kinds if name != "lost")]
        boards(*(region_bits(rest, geometry, side) if name == "reach" else 0 for side in (0, 1)))
    return words.packed()


def _is_listed_alike(generator: Generator) -> bool:
    """Tell whether the kernel knows in which order `MoveLister` lists a side’s moves, at least with one royal piece."""
    if generator._king < 0 or any(force.movement.irregular for force in generator.forces):
        return False
    steps = [[step[:2] for step in _turn_and_steps(force)[1]] for force in generator.forces]
    return all(len(set(row)) == len(row) for row in steps)


def _turn_and_steps(force: PieceClass) -> tuple[int, list[tuple[int, int, int]]]:
    """Return when `MoveLister` lists a class, and the steps of its set as (distance, captures, whether by files)."""
    shifts = find_shifts(force.movement)
    if force.royal or shifts is None:
        return _ROYAL if force.royal else _GROUPED if force.movement.plain else _OTHERS, []
    return _SHIFTED, [
        *((up - down, 0, 1) for _, up, down in shifts.quiets),
        *((up - down, 1, 0) for _, up, down in shifts.captures),
        *((step.shift_amounts[0] - step.shift_amounts[1], 0, 0) for step in shifts.blocked_quiets),
        *((step.shift_amounts[0] - step.shift_amounts[1], 1, 0) for step in shifts.blocked_captures),
    ]


def _class_bits(classes: Iterable[int]) -> int:
    return union_of_bits(1 << at for at in classes)


def _write_side(words: _Words, rules: Rules, side: int, numbers: dict[int, int]) -> None:
    """Write what one side’s pieces may do beyond their movements."""
    row, boards, extra, terms = words.row, words.boards, extra_rules_for(rules), rules.terms
    boards(
        rules.regions[side] if rules.regions else 0, rules.homes[side], rules.partners[side], rules.promotion_zone(side)
    )
    within = {rules.classes[kind]: rules.classes[becomes] for kind, becomes in terms.promotion_within}
    for at, force in enumerate(rules.generators[side].forces):
        drops = stuck = 0
        if extra and (extra.has_hands or within):
            ever = force.movement.ever
            stuck = union_of_bits(bit for bit in each_bit(rules.geometry.full) if not ever[bit][0])
            drops = extra.drop_zones[side][at] & ~stuck if extra.has_hands else 0
        row.append(numbers[id(force.movement)])
        boards(force.zone, drops, stuck)
        turn, steps = _turn_and_steps(force)
        row += [int(force.mandatory), within.get(at, 255), len(force.choices), *force.choices, turn, len(steps)]
        row += [number for distance, *rest in steps for number in (distance + 256, *rest)]
    row.append(len(rules.castles[side]))
    for castle in rules.castles[side]:
        boards(castle.right, castle.king, castle.king_to, castle.partner, castle.partner_to, castle.clear, castle.way)
        row += [castle.king_class, _class_bits(castle.partner_classes)]
    doubles = [
        (start.bit_length() - 1, to.bit_length() - 1, over.bit_length() - 1)
        for start, ends in rules.doubles[side].items()
        for to, over in ends.items()
    ]
    row += [len(doubles), *chain.from_iterable(doubles)]


def words_of_state(state: PositionState, width: int) -> array[int]:
    """Return the state of a position as the kernel takes it, which needs `width` words for a board."""
    (white, black), _, side, rights, passed, piece, unmoved, halfmoves, _, extra = state
    late = halfmoves if halfmoves < MOST_HALFMOVES else MOST_HALFMOVES
    if width == 1 and not extra:  # in one go: it is done for each list
        return array("Q", [*white, *black, rights, passed, piece, unmoved, side, late])
    words = _Words(width)
    words.boards(*white, *black, rights, passed, piece, unmoved)
    if extra:
        words.boards(extra.promoted)
    words.row += side, late
    if extra:
        words.row += [*(chain(*extra.hands) if extra.hands else [0] * (2 * len(white))), *(extra.checks or (0, 0))]
    return words.packed()


def words_of_values(values: PieceValues) -> array[int]:
    """Return what pieces are worth as the kernel takes it."""
    rules = values.rules
    row = [ord(kind) - ord("a") for kind in rules.kinds]
    for side, generator in enumerate(rules.generators):
        # Which castlings are written as the king taking its partner.
        row.append(sum(
            (castle.king == castle.king_to
             or generator.forces[castle.king_class].movement.can_reach_alone(castle.king, castle.king_to)) << at
            for at, castle in enumerate(rules.castles[side])
        ))  # fmt: skip
    row += [_OFFSET + worth for side in values.worth for worth in side]
    for tables in (values.on_square, values.active):
        row += [
            _OFFSET + table.get(1 << square, 0)
            for side in tables for table in side for square in range(rules.geometry.size)
        ]  # fmt: skip
    return array("Q", row)


def kernel_for(rules: Rules) -> Kernel | str:
    """Return the kernel with the tables of some rules; or why Python has to do it."""
    return load_library()[1] if kernel_files.turned_off else _kernel_with_tables(rules)


@lru_cache(maxsize=8)
def _kernel_with_tables(rules: Rules) -> Kernel | str:
    """Return what `kernel_for` does, from a cache, as the tables of large boards are large."""
    library, why = load_library()
    try:
        return Kernel(words_of_rules(rules)) if library else why
    except Unsupported as unsupported:
        return f"the kernel leaves {unsupported} to Python"
    except (ValueError, MemoryError):
        return "the kernel leaves rules of this size to Python"


class KernelLists:
    """The legal moves of positions as the kernel lists them, as soon as its tables are worth their while.

    Parameters
    ----------
    rules : Rules
    """

    def __init__(self, rules: Rules) -> None:
        self._rules, self._extra = rules, rules.terms.has_extra_rules
        #: How many more lists Python makes, fewer under rules for which it takes long.
        self._first = LONG_LISTS if self._extra else LISTS
        #: By side: number -> move.
        self.moves: list[dict[int, Move]] = [ComputedDict(partial(self._move, side)) for side in (0, 1)]

    def _move(self, side: int, number: int) -> Move:
        """Return the move of a side that has a number."""
        return self._rules.listers[side].made[unpack(number, self._rules.doubles[side]), bool(number & PROMOTED)]

    def legal_moves(self, state: PositionState) -> list[Move] | None:
        """Return all legal moves in the order in which Python lists them; None if Python has to."""
        if self._first > 0:
            self._first -= 1
            return None
        kernel = kernel_for(self._rules)
        if isinstance(kernel, str):
            return None
        numbers = kernel.list_one(words_of_state(state, kernel.width), 1)
        if numbers is None:
            return None
        return list(map(self.moves[state.side].__getitem__, kernel.joined(numbers) if self._extra else numbers))


kernel_lists = lru_cache(maxsize=256)(KernelLists)
