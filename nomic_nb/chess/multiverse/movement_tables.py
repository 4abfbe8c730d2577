"""A movement compiled for one geometry and one orientation.

Tables are keyed by bit and filled when first asked, one entry for each occupation of the squares that matter, or all
entries at once where these squares are few.
So a change of law costs next to nothing until the changed piece moves, and sliders, lame leapers, hoppers and
bent pieces are looked up in the same way.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any, NamedTuple

from nomic_nb.chess.multiverse.betza import Notation, NotationPart, Vector, blocking_squares, parse_betza
from nomic_nb.chess.multiverse.geometry import Geometry, each_bit, union_of_bits
from nomic_nb.chess.multiverse.paths import (
    Chain,
    ComputedDict,
    MovePath,
    Needs,
    Path,
    leg_steps,
    make_line,
    minimal_needs,
    table_by_piece_set,
    unmet_squares,
)

# --------------------------------------------- what a piece that could attack a royal square allows the other side


#: What an attacker allows: (attacks now, squares open to others, pieces it holds, squares open to each of
#: those)
AttackInfluence = tuple[bool, int, int, dict[int, int]]


def deciding_squares_of_paths(paths: list[Path], walks: list[Needs], target: int) -> int:
    """Return the squares whose occupants decide whether any of these paths or walks captures on `target`."""
    return (
        union_of_bits([*(path.deciding_squares(target) for path in paths), *(union_of_bits(needs) for needs in walks)])
        & ~target
    )


def blockable_attack_influence(bit: int, support: int, full: int, held: int) -> AttackInfluence | None:
    """Return how an attacker on one line restricts moves, with blockers on `held`; None if two or more block it.

    Parameters
    ----------
    bit : int
        Where the attacker stands.
    support : int
        The squares between it and what it attacks.
    full : int
        All squares of the board.
    held : int
        Those of `support` that are occupied.
    """
    if held & (held - 1):  # two blockers: taking one away, or adding others, makes no difference
        return None
    return (False, full, held, {held: support & ~held | bit}) if held else (True, support | bit, 0, {})


def attack_influence(
    paths: list[Path], walks: list[Needs], bit: int, target: int, support: int, full: int, side: int, held: int
) -> AttackInfluence | None:
    """Return how an attacker at `bit` of `target` restricts the other side's moves; None if it does not.

    The answer is (attacks now, squares a piece from elsewhere may go to, pieces that are not as free as
    others, where each of those may go). It says whether the target is safe after one ordinary move, so
    it serves as pin, as evasion and as the ban on becoming a hopper's hurdle. ``side`` are the pieces that the
    attacker's side has on squares on which it matters whose they are.

    Parameters
    ----------
    paths, walks : list
        The ways by which it can capture on the target.
    bit, target : int
        Where the attacker and the attacked piece stand.
    support : int
        The squares on whose occupation that depends.
    full : int
        All squares of the board.
    side : int
        The pieces that the attacker's side has where it matters whose they are.
    held : int
        Those squares of `support` that are occupied.
    """
    # One move changes two squares, so what misses more does not come about by it.
    near = [needs for needs in walks if unmet_squares(needs, held, side).bit_count() <= 2]

    def hits(occupied: int, own: int) -> bool:
        return any(not unmet_squares(needs, occupied, own) for needs in near) or any(
            path.reach(occupied | target) & target for path in paths
        )

    arrivals = list(each_bit(support & ~held | side))

    def safe(occupied: int) -> int:
        """Return where a piece may arrive so that the attack does not get through."""
        safe_squares = 0 if hits(occupied, side) else full
        for square in arrivals:
            if hits(occupied | square, side & ~square):
                safe_squares &= ~square
            else:
                safe_squares |= square
        return safe_squares | bit

    now, general = hits(held, side), safe(held)
    bound = {}
    held_bits = 0
    for leaver in each_bit(held & ~side):
        allowed = safe(held ^ leaver)
        if allowed != general:
            bound[leaver] = allowed
            held_bits |= leaver
    if not now and general == full and not bound:
        return None
    return now, general, held_bits, bound


# -------------------------------------------------------- a movement compiled for one geometry and one orientation


#: Squares that may matter to one row for counting, where positions are alike: few rows, of many cases.
WIDE_LIMIT = 16
#: The same for listing and for threats, where positions differ: more rows, all of whose cases can be known.
NARROW_LIMIT = 8


def group_paths(paths: list[Path], limit: int) -> list[list[int]]:
    """Return the numbers of paths in groups, each depending on at most `limit` squares if possible.

    Paths that lead to one square stay together, so that what groups reach can be counted group by group.
    """
    groups: list[list[int]] = []
    matters: list[int] = []
    every = 0
    for number, path in enumerate(paths):
        if every & path.targets:
            return [list(range(len(paths)))]
        every |= path.targets
        matter = path.touch | path.targets
        for place, others in enumerate(matters):
            if (others | matter).bit_count() <= limit:
                matters[place] |= matter
                groups[place].append(number)
                break
        else:
            matters.append(matter)
            groups.append([number])
    return groups


#: bit -> (squares that matter, occupation -> masks): one mask, or two or four of them
ReachTable = dict[int, tuple[int, dict[int, Any]]]
#: For single pieces: (bit, squares that matter, occupation -> masks)
ReachRow = tuple[int, int, dict[int, Any]]
#: The same where it matters whose pieces stand in between: (squares that matter, those on which it matters whose
#: piece is there, (occupation, the attacker's side on those) -> influence)
SidedTable = tuple[int, int, dict[tuple[int, int], AttackInfluence | None]]
#: For one target: (squares it may be attacked from, bit -> (squares that matter, occupation -> influence))
WatchTable = tuple[int, dict[int, tuple[int, dict[int, AttackInfluence | None]]]]


class Movement:
    """The compiled movement of one kind on one geometry, seen from one side.

    Use :func:`compile_movement`, which keeps one movement for each notation, geometry and orientation.

    Parameters
    ----------
    notation : Notation
    geometry : Geometry
    turned : bool
        Seen from the far side: all directions turned by 180 degrees.

    Attributes
    ----------
    plain : bool
        Every reached square may be entered or captured on: tables hold one mask.
    split : bool
        Moves and captures differ and nothing more: tables hold (quiet, capture).
    initial : bool
        Some part is only for pieces that have not moved.
    irregular : tuple[Part, ...]
        Chains whose way depends on whose pieces stand there, or that capture in passing.
    odd_attack : bool
        What it attacks doesn't follow from occupation alone.
    opaque : bool
        Nor from occupation and whose pieces there are, but by trying: its legs make too many ways.
    """

    def __init__(self, notation: Notation, geometry: Geometry, *, turned: bool) -> None:
        self.notation = notation
        self.geometry = geometry
        self.turned = turned
        # All squares, also those that this kind never enters: others may.
        self._board = (1 << geometry.size) - 1
        parts = notation.parts
        self._regular = tuple(
            part
            for part in parts
            if (self._middle_chain(part).is_regular if len(part.legs) > 1 else not part.legs[0].friendly)
        )
        self.irregular = tuple(part for part in parts if part not in self._regular)
        ends = [(part.initial, part.legs[-1]) for part in self._regular]
        self.initial = any(initial for initial, _ in ends)
        self.passing = any("e" in leg.modes for _, leg in ends)
        self.plain = not self.initial and all(leg.modes.replace("e", "") == "mc" and not leg.tame for _, leg in ends)
        self.split = not self.plain and all("d" not in leg.modes and not leg.tame for _, leg in ends)
        self.odd_attack = bool(self.irregular) or any(initial and "c" in leg.modes for initial, leg in ends)
        self.opaque = not all(self._middle_chain(part).has_few_walks for part in self.irregular)
        #: (bit, has not moved) -> the regular ways to move from there
        self.ways: dict[tuple[int, bool], list[MovePath]] = ComputedDict(lambda key: self._all_paths(*key))
        #: bit -> (squares that matter, occupation -> masks), for pieces that have moved
        self.table: ReachTable = ComputedDict(lambda bit: self._reach_by_occupation(self.ways[bit, False]))
        #: bits of several pieces that have moved -> their rows
        self.rows: dict[int, list[ReachRow]] = table_by_piece_set(partial(self._rows_of_piece, WIDE_LIMIT))
        #: the same in more rows of fewer cases
        self.narrow: dict[int, list[ReachRow]] = table_by_piece_set(partial(self._rows_of_piece, NARROW_LIMIT))
        #: the table for pieces that have not moved
        self.first: ReachTable = self.table
        if self.initial:
            self.first = ComputedDict(lambda bit: self._reach_by_occupation(self.ways[bit, True]))
        #: bit of a target -> (squares it may be attacked from, bit -> influence there)
        self.watch: dict[int, WatchTable] = ComputedDict(
            lambda target: (
                self._possible_attacker_squares(target),
                ComputedDict(partial(self._influence_table, target)),
            )
        )
        #: (bit of a target, bit, has not moved) -> influence there, for odd attacks that are not opaque
        self.sided: dict[tuple[int, int, bool], SidedTable] = ComputedDict(
            lambda key: self._sided_influence_table(*key)
        )
        #: (bit, has not moved) -> (squares that matter, (occupation, own pieces) -> ends of all irregular ways)
        self._outcomes: dict[tuple[int, bool], tuple[int, dict[tuple[int, int], list[tuple[int, int]]]]] = ComputedDict(
            lambda key: self._outcome_table(*key)
        )
        #: (number of an irregular part, bit) -> its way from there
        self._chains: dict[tuple[int, int], Chain] = ComputedDict(
            lambda key: Chain(self.irregular[key[0]], geometry, key[1].bit_length() - 1, turned=turned)
        )
        #: bit -> (squares it may arrive on, squares on which it may capture a royal piece), whatever stands where
        self.ever: dict[int, tuple[int, int]] = ComputedDict(self._squares_ever_reached)

    def _middle_chain(self, part: NotationPart) -> Chain:
        """Return the chain of a part's legs from the middle of a plain board, to test its properties on."""
        middle = (self.geometry.ranks // 2) * self.geometry.files + self.geometry.files // 2
        return Chain(part, Geometry(self.geometry.files, self.geometry.ranks), middle, turned=False)

    def _all_paths(self, bit: int, unmoved: bool) -> list[MovePath]:
        """Return the paths from square `bit` for all parts in which it does not matter whose pieces are on the way."""
        return [
            MovePath(path, part.legs[-1])
            for part in self._regular
            if unmoved or not part.initial
            for path in self._paths_of_part(part, bit)
        ]

    def _paths_of_part(self, part: NotationPart, bit: int) -> list[Path]:
        """Return the paths of one part from one square: a line for each direction, or a chain of legs."""
        square = bit.bit_length() - 1
        if part.atom.family == "universal":
            return [make_line(((other, 0, True),), "", "") for other in each_bit(self.geometry.full & ~bit)]
        if len(part.legs) > 1:
            return [Chain(part, self.geometry, square, turned=self.turned)]
        leg, steps = part.legs[0], part.atom.steps
        vectors = [steps[(place + 4) % 8 if self.turned else place] for place in leg.directions]
        lines = [leg_steps(self.geometry, square, vector, part.reach, leg) for vector in vectors]
        return [make_line(squares, leg.hop, lame) for squares, lame in lines if squares]

    def _rows_of_piece(self, limit: int, bit: int) -> list[ReachRow]:
        """Return the reach tables of a moved piece, each depending on at most `limit` squares if possible."""
        ways = self.ways[bit, False]
        rows = group_paths([way.path for way in ways], limit)
        if len(rows) < 2:
            return [(bit, *self.table[bit])]
        return [(bit, *self._reach_by_occupation([ways[at] for at in row])) for row in rows]

    def _reach_by_occupation(self, ways: list[MovePath]) -> tuple[int, dict[int, Any]]:
        """Return the squares that paths (`ways`) depend on, and a table of what they reach by which are occupied."""
        touch = union_of_bits(way.path.touch for way in ways)
        # Put together from what each way reaches, when it is asked for: of that there are few cases.
        if self.plain:
            paths = [(way.path.touch, way.reach) for way in ways]

            def plain(occupied: int) -> int:
                reached = 0
                for path, reach in paths:
                    reached |= reach[occupied & path]
                return reached

            return touch, ComputedDict(plain)
        kinds = [(way.path.touch, way.reach, way.places) for way in ways]

        def masks(occupied: int) -> tuple[int, ...]:
            reached = [0, 0, 0, 0]
            for path, reach, places in kinds:
                for place in places:
                    reached[place] |= reach[occupied & path]
            return tuple(reached[:2] if self.split else reached)

        return touch, ComputedDict(masks)

    def targets(self, bit: int, occupied: int, *, unmoved: bool) -> tuple[int, int, int, int]:
        """Return the squares reached, as (quiet moves, captures, captures except of royals, captures of own pieces)."""
        touch, table = (self.first if unmoved else self.table)[bit]
        value = table[occupied & touch]
        if self.plain:
            return value, value, 0, 0
        quiet, capture, *rest = value
        spare, destroy = rest or (0, 0)
        return quiet, capture, spare, destroy

    def _squares_ever_reached(self, bit: int) -> tuple[int, int]:
        """Return the squares a piece can ever reach from one square, and those it can capture on."""
        if self.irregular:
            return self.geometry.full, self.geometry.full
        ways = self.ways[bit, True]
        return union_of_bits(way.path.targets for way in ways), union_of_bits(
            way.path.targets for way in ways if way.captures
        )

    def can_reach_alone(self, bit: int, target: int) -> bool:
        """Tell whether an unmoved piece alone on the board could go from `bit` to `target`."""
        quiet, capture, _, _ = self.targets(bit, 0, unmoved=True)
        return bool((quiet | capture) & target)

    def en_passant(self, bit: int, occupied: int, *, unmoved: bool) -> int:
        """Return the squares on which a piece at `bit` may capture en passant."""
        return union_of_bits(way.path.reach(occupied) for way in self.ways[bit, unmoved] if "e" in way.modes)

    def outcomes(self, bit: int, occupied: int, own: int, *, unmoved: bool) -> list[tuple[int, int]]:
        """Return how moves by the `irregular` parts can end, each as (pieces captured on the way, square reached)."""
        touch, entries = self._outcomes[bit, unmoved]
        return entries[occupied & touch, own & touch]

    def _outcome_table(self, bit: int, unmoved: bool) -> tuple[int, dict[tuple[int, int], list[tuple[int, int]]]]:
        """Return the squares that `outcomes` depends on, and its results by which of them are (occupied, own)."""
        chains = self._irregular_chains(bit, unmoved=unmoved)
        touch = union_of_bits(chain.touch for chain in chains)
        return touch, ComputedDict(lambda key: sorted({end for chain in chains for end in chain.outcomes(*key)}))

    def _irregular_chains(self, bit: int, *, unmoved: bool) -> list[Chain]:
        """Return the chains from a square of the parts for which it matters whose pieces are on the way."""
        return [self._chains[at, bit] for at, part in enumerate(self.irregular) if unmoved or not part.initial]

    def attacks_royal_on(self, bit: int, target: int, occupied: int, own: int, *, unmoved: bool) -> bool:
        """Tell whether a piece at `bit` could capture a royal piece on `target`.

        Parameters
        ----------
        bit, target : int
            Where the piece and the royal piece stand.
        occupied, own : int
            All pieces, and those on the attacker's side.
        unmoved : bool
        """
        for way in self.ways[bit, unmoved]:
            if way.captures and way.path.targets & target and way.path.reach(occupied) & target:
                return True
        ends = self.outcomes(bit, occupied | target, own, unmoved=unmoved) if self.irregular else ()
        return any((taken | end) & target for taken, end in ends)

    def _possible_attacker_squares(self, target: int) -> int:
        """Return the squares from which a piece could attack the target, depending on what stands elsewhere."""
        if self.irregular:
            return self.geometry.full & ~target
        if any(len(part.legs) > 1 or part.atom.family == "universal" for part in self._regular):
            return union_of_bits(bit for bit in each_bit(self.geometry.full) if self.ever[bit][1] & target)
        sources = 0
        for part in self._regular:
            leg, steps = part.legs[-1], part.atom.steps
            if "c" in leg.modes and not leg.tame:
                for place in leg.directions:
                    # Lines are symmetric: what a square attacks along a step is attacked back along its reverse.
                    vector = steps[place if self.turned else (place + 4) % 8]
                    squares, _ = leg_steps(self.geometry, target.bit_length() - 1, vector, part.reach, leg)
                    sources |= union_of_bits(bit for bit, _, _ in squares)
        return sources

    def _attack_paths(self, target: int, bit: int, *, unmoved: bool) -> tuple[list[Path], list[Needs], int]:
        """Return (paths, what walks need, squares that decide it) for captures on `target` by a piece at `bit`."""
        paths = [way.path for way in self.ways[bit, unmoved] if way.captures and way.path.targets & target]
        for path in paths:
            if not path.deciding_squares(target) & ~bit and path.reach(target) & target:
                return [path], [], 0
        chains = [path for path in paths if isinstance(path, Chain) and path.has_few_walks]
        others = [path for path in paths if path not in chains]
        chains += [chain for chain in self._irregular_chains(bit, unmoved=unmoved) if chain.touch & target]
        chain_needs = {walk.needs_to_capture(target) for chain in chains for walk, _ in chain.walks}
        walks = minimal_needs({needs for needs in chain_needs if needs is not None})
        return others, walks, deciding_squares_of_paths(others, walks, target) & ~bit

    def _influence_table(self, target: int, bit: int) -> tuple[int, dict[int, AttackInfluence | None]]:
        """Return the squares that an attack on `target` depends on, and how it restricts moves by their occupation."""
        paths, walks, support = self._attack_paths(target, bit, unmoved=False)
        if len(paths) == 1 and paths[0].blockable and not walks:
            return support, ComputedDict(partial(blockable_attack_influence, bit, support, self._board))
        return support, ComputedDict(partial(attack_influence, paths, walks, bit, target, support, self._board, 0))

    def _sided_influence_table(self, target: int, bit: int, unmoved: bool) -> SidedTable:
        """Return (squares an attack depends on, those where sides matter, how it restricts moves by pieces on both)."""
        paths, walks, support = self._attack_paths(target, bit, unmoved=unmoved)
        may = partial(attack_influence, paths, walks, bit, target, support, self._board)
        return (
            support,
            union_of_bits(foe | own for _, _, foe, own in walks),
            ComputedDict(lambda key: may(key[1], key[0])),
        )


@lru_cache(maxsize=512)
def compile_movement(notation: str, geometry: Geometry, *, turned: bool = False) -> Movement:
    """Return the movement tables of a Betza notation on a board, from a cache; `turned`: for the far side.

    Parameters
    ----------
    notation : str
        Betza notation.
    geometry : Geometry
    turned : bool
        Directions are seen from the far side of the board.

    Raises
    ------
    NotationError

    Examples
    --------
    >>> knight = compile_movement("N", Geometry(8, 8))
    >>> touch, table = knight.table[1 << 0]
    >>> [Geometry(8, 8).name(square) for square in range(64) if table[0] >> square & 1]
    ['c2', 'b3']
    """
    parsed = parse_betza(notation)
    if turned and _is_symmetric(parsed):
        return compile_movement(notation, geometry, turned=False)
    return Movement(parsed, geometry, turned=turned)


def _is_symmetric(notation: Notation) -> bool:
    """Tell whether every first step comes with its reverse, so that both sides move alike."""
    return all(
        {(place + 4) % 8 for place in part.legs[0].directions} == set(part.legs[0].directions)
        for part in notation.parts
    )


# ---------------------------------------------------------------------------- what whole sets of pieces do at once


#: With more directions than this, looking pieces up one by one is quicker.
MOST_SHIFTS = 5

#: One direction: (squares it is possible from, bits shifted up, then down)
FreeShift = tuple[int, int, int]


class BlockedShift(NamedTuple):
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
        """Return the bits of the squares that a set of pieces (`bits`) reaches by this shift."""
        bits &= self.sources
        if self.initial:
            bits &= unmoved
        bits = bits << self.up >> self.down
        if self.further or self.back:
            bits = (bits & empty) << self.further >> self.back
        return bits

    @property
    def shift_amounts(self) -> tuple[int, int]:
        """The numbers of bits by which pieces are shifted in all, as (up, down)."""
        return self.up + self.further, self.down + self.back


class Shifts(NamedTuple):
    """The moves and captures of a set of pieces as bit shifts."""

    quiets: list[FreeShift]
    captures: list[FreeShift]
    blocked_quiets: list[BlockedShift]
    blocked_captures: list[BlockedShift]


@lru_cache(maxsize=512)
def find_shifts(movement: Movement) -> Shifts | None:
    """Return a movement as shifts of whole bitboards; None if it cannot be, or would not be faster.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse.movement_tables import compile_movement
    >>> pawn = find_shifts(compile_movement("fmWfcFifmnD", Geometry(8, 8)))
    >>> [up for _, up, down in pawn.quiets], [up for _, up, down in pawn.captures]
    ([8], [9, 7])
    >>> find_shifts(compile_movement("N", Geometry(8, 8))) is None
    True
    """
    geometry = movement.geometry
    if movement.irregular or geometry.wraps:
        return None
    shifts = Shifts([], [], [], [])
    seen: set[Vector] = set()
    for part in movement.notation.parts:
        if not _is_shiftable_part(part):
            return None
        for place in part.legs[0].directions:
            vector = part.atom.steps[(place + 4) % 8 if movement.turned else place]
            if vector in seen or len(seen) == MOST_SHIFTS:
                return None
            seen.add(vector)
            _add_shift(shifts, geometry, vector, part)
    return shifts


def _is_shiftable_part(part: NotationPart) -> bool:
    """Tell whether a part of a movement can be expressed as bit shifts."""
    leg = part.legs[0]
    return (
        len(part.legs) == 1
        and part.reach == 1
        and part.atom.family != "universal"
        and not (leg.hop or leg.tame or leg.wrap or "d" in leg.modes)
        and leg.lame != "j"
        and (leg.lame != "n" or part.atom.long == 2)
    )


def _add_shift(shifts: Shifts, geometry: Geometry, vector: Vector, part: NotationPart) -> None:
    """Add the step `vector` of a part to the shifts of moves, of captures, or of both."""
    leg = part.legs[0]
    sources = sum(1 << square for square in range(geometry.size) if geometry.step(square, *vector) is not None)
    blocks = blocking_squares(vector) if leg.lame == "n" else ()
    block = blocks[0] if blocks else vector
    rest = (vector[0] - block[0], vector[1] - block[1])
    for mode, free, blocked in (
        ("m", shifts.quiets, shifts.blocked_quiets),
        ("c", shifts.captures, shifts.blocked_captures),
    ):
        if mode in leg.modes:
            if blocks or part.initial:
                first, second = _shift_amounts(geometry, block), _shift_amounts(geometry, rest)
                blocked.append(BlockedShift(sources, *first, *second, part.initial))
            else:
                free.append((sources, *_shift_amounts(geometry, vector)))


def _shift_amounts(geometry: Geometry, vector: Vector) -> tuple[int, int]:
    """Return by how many bits a step shifts a set of squares, as (up, down)."""
    amount = vector[1] * geometry.files + vector[0]
    return (amount, 0) if amount > 0 else (0, -amount)


def can_find_attacks_together(foes: tuple[Movement, ...]) -> bool:
    """Tell whether the squares attacked by these movements can be found all at once, not tested one by one.

    It can where occupation before a square decides whether it is attacked, whatever stands on it: for all
    movements but those in several legs, or for pieces that have not moved.
    """
    return not any(foe.odd_attack or any(len(part.legs) > 1 for part in foe.notation.parts) for foe in foes)


class AttackedSquares:
    """The squares that pieces of these movements attack.

    Parameters
    ----------
    foes : tuple[Movement, ...]
        For which :func:`can_find_attacks_together` holds.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse.geometry import Geometry
    >>> from nomic_nb.chess.multiverse.movement_tables import compile_movement
    >>> board = Geometry(3, 3)
    >>> attacked = AttackedSquares((compile_movement("R", board),)).squares([0b1], 0b11)
    >>> [board.name(square) for square in range(9) if attacked >> square & 1]
    ['b1', 'a2', 'a3']
    """

    def __init__(self, foes: tuple[Movement, ...]) -> None:
        self._sets: list[tuple[int, list[FreeShift]]] = []
        # What nothing can block is kept for whole sets of pieces.
        self._leapers: list[tuple[int, dict[int, int]]] = []
        # With whether its tables hold one mask: what is reached may be captured.
        self._singles: list[tuple[int, dict[int, list[ReachRow]], bool]] = []
        for index, foe in enumerate(foes):
            shifted = find_shifts(foe)
            if shifted is not None and not shifted.blocked_captures:
                self._sets.append((index, shifted.captures))
            elif all(_is_leap(part) for part in foe.notation.parts):
                self._leapers.append((index, ComputedDict(partial(_squares_attacked_by_leapers, foe))))
            else:
                self._singles.append((index, foe.narrow, foe.plain))

    def squares(self, pieces: list[int], occupied: int) -> int:
        """Return all squares that these pieces attack, including squares occupied by pieces of the same side.

        Parameters
        ----------
        pieces : list[int]
            Bitboards by class.
        occupied : int
        """
        attacked_squares = 0
        for index, lanes in self._sets:
            bits = pieces[index]
            for sources, up, down in lanes:
                attacked_squares |= (bits & sources) << up >> down
        for index, attacked in self._leapers:
            attacked_squares |= attacked[pieces[index]]
        for index, rows, plain in self._singles:
            for _, touch, masks in rows[pieces[index]]:
                attacked_squares |= masks[occupied & touch] if plain else masks[occupied & touch][1]
        return attacked_squares


def _is_leap(part: NotationPart) -> bool:
    """Tell whether a part is a plain leap that nothing can block."""
    leg = part.legs[0]
    return part.reach == 1 and not (leg.hop or leg.lame)


def _squares_attacked_by_leapers(foe: Movement, pieces: int) -> int:
    """Return the squares that a set of leapers attacks."""
    return union_of_bits(foe.targets(bit, 0, unmoved=False)[1] for bit in each_bit(pieces))
