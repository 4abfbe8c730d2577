"""Legal moves as objects, the same each time.

What the generator finds in bits is looked up: a list of moves for the empty squares that a piece reaches, and
one for those it captures on. Apart, these are few.

What a class may reach is counted with one look-up a piece, or for the whole class at once where it moves by
shifts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial

from nomic_nb.chess.multiverse.generator import (
    CastlingMove,
    Generator,
    GeneratorView,
    Move,
    MoveChange,
    PieceClass,
    Reach,
    in_check,
)
from nomic_nb.chess.multiverse.geometry import each_bit
from nomic_nb.chess.multiverse.movement_tables import BlockedShift, ReachRow, Shifts, find_shifts
from nomic_nb.chess.multiverse.packed_moves import pack
from nomic_nb.chess.multiverse.paths import ComputedDict, table_by_piece_set

# ------------------------------------------------------------------------------------------ legal moves as objects


#: Targets -> moves there.
Moves = dict[int, list[Move]]
#: Square -> (moves to empty squares, captures).
Ordinary = dict[int, tuple[Moves, Moves]]
#: Ways of one piece of a class with one mask a square: (squares that matter, occupation -> mask, moves to empty
#: squares, captures)
_PieceRow = tuple[int, dict[int, int], Moves, Moves]
#: One direction of a class that moves by shifts, with or without conditions: where its moves are.
_Lane = tuple[int, int, int, Moves]
_Condition = tuple[BlockedShift, Moves]
_PieceSet = tuple[int, list[_Lane], list[_Lane], list[_Condition], list[_Condition]]


class MoveLister:
    """Lister of the legal moves of one side as move objects.

    Captured pieces are all that are not the mover's own: ``own`` and ``capturable`` of a view make up what
    is occupied and have nothing in common.

    Parameters
    ----------
    generator : Generator
    kinds : tuple[str, ...]
        Names of its classes.
    pawns : tuple[int, ...]
        Classes whose double steps can be captured en passant.
    doubles : Mapping[int, Mapping[int, int]]
        From which square a double step leads where and over what, in bits.
    shared : dict
        What the listers of both sides have in common, filled by the first.
    """

    def __init__(
        self,
        generator: Generator,
        kinds: tuple[str, ...],
        pawns: tuple[int, ...],
        doubles: Mapping[int, Mapping[int, int]],
        shared: dict[tuple[int, PieceClass], Ordinary],
    ) -> None:
        self.generator = generator
        self.kinds = kinds
        self.pawns = pawns
        self.doubles = doubles
        geometry = generator.geometry
        self._names = [geometry.name(square) for square in range(geometry.size)]
        self._ordinary: list[Ordinary] = []
        for index, force in enumerate(generator.forces):
            own: Ordinary = ComputedDict(partial(self._quiet_and_capture_tables, index))
            # Double steps are told apart by the side that makes them.
            self._ordinary.append(own if index in pawns else shared.setdefault((index, force), own))
        self._special: dict[MoveChange, list[Move]] = ComputedDict(self._moves_of_change)
        #: (change, whether it promotes) -> move
        self.made: dict[tuple[MoveChange, bool], Move] = ComputedDict(lambda key: self._move_of_change(*key))
        #: Pairs of files: what sets of pieces do is looked up for each, since there are far fewer cases.
        self._strips = [
            sum(1 << square for square in range(geometry.size) if square % geometry.files // 2 == pair)
            for pair in range((geometry.files + 1) // 2)
        ]
        # Classes that are not royal, by what is looked up: sets, single pieces, and those of other forms.
        self._sets: list[_PieceSet] = []
        self._pieces: list[tuple[int, dict[int, list[_PieceRow]]]] = []
        self._others: list[int] = []
        for index, force in enumerate(generator.forces):
            shifted = find_shifts(force.movement)
            if force.royal:
                continue
            if shifted is not None:
                self._sets.append(self._shifts_with_moves(index, shifted))
            elif force.movement.plain:
                self._pieces.append((index, table_by_piece_set(partial(self._rows_with_moves, index))))
            else:
                self._others.append(index)

    def moves(self, view: GeneratorView) -> list[Move]:
        """Return all legal moves in a position (`view`) as move objects, in an order that `kernel.c` knows as well."""
        generator = self.generator
        mine, _, own, capturable, unmoved = view[:5]
        royals = generator.royals(view) if generator.masked else 0
        occupied = own | capturable
        moves: list[Move] = []
        if not royals:
            self._add_move_objects(moves, *generator.legal(view), occupied)
            return moves
        goal, bound, limits = generator.limits(view, royals, occupied)
        held, danger = generator.bound_moves(view, occupied, bound, limits)
        reaches = [one for one in held if not one[1] & royals]
        if goal:
            self._add_unpinned_moves(moves, mine, generator.full & ~occupied, capturable, unmoved, goal, ~bound)
            for index in self._others:
                movement = generator.forces[index].movement
                reaches += [
                    (index, bit, generator.reachable_squares(movement, bit, view, occupied) & goal)
                    for bit in each_bit(mine[index] & ~bound)
                ]
        reaches += [one for one in held if one[1] & royals]
        specials = generator.special_moves(view, occupied, royals, danger, checked=in_check(limits))
        if reaches or specials:
            self._add_move_objects(moves, reaches, specials, occupied)
        return moves

    def _add_unpinned_moves(  # noqa: C901 - one pass, unrolled: this is where listing spends its time
        self, move_list: list[Move], mine: list[int], empty: int, capturable: int, unmoved: int, goal: int, loose: int
    ) -> None:
        """Add to a list the moves of unpinned pieces (those in `loose`) to the squares in `goal`.

        Parameters
        ----------
        move_list : list of Move
        mine : list of int
            The mover's bitboards by class.
        empty, capturable : int
            Empty squares, and pieces that can be captured.
        unmoved : int
            Pieces, or squares, for which initial moves are allowed.
        goal : int
            The squares to which a move leaves no king in check.
        loose : int
            All squares but those of pinned pieces.
        """
        occupied = ~empty
        strips = self._strips
        quiet = empty & goal
        capture = capturable & goal
        for index, lanes, capture_lanes, blocked, blocked_captures in self._sets:
            bits = mine[index] & loose
            if not bits:
                continue
            for sources, up, down, moves in lanes:
                reached = (bits & sources) << up >> down & quiet
                for strip in strips:
                    move_list += moves[reached & strip]
            for sources, up, down, moves in capture_lanes:
                reached = (bits & sources) << up >> down & capture
                if reached:
                    move_list += moves[reached]
            # As ``BlockedShift.targets``, written out: nearly every position has pawns that may step twice.
            for (sources, up, down, further, back, initial), moves in blocked:
                step = bits & sources & unmoved if initial else bits & sources
                if step:
                    reached = (step << up >> down & empty) << further >> back & quiet
                    if reached:
                        move_list += moves[reached]
            for lane, moves in blocked_captures:
                move_list += moves[lane.targets(bits, unmoved, empty) & capture]
        for index, pieces in self._pieces:
            for touch, masks, quiets, captures in pieces[mine[index] & loose]:
                reached = masks[occupied & touch]
                entered = reached & quiet
                if entered:
                    move_list += quiets[entered]
                reached &= capture
                while reached:
                    bit = reached & -reached
                    reached ^= bit
                    move_list += captures[bit]

    def _add_move_objects(
        self, moves: list[Move], reaches: list[Reach], specials: list[MoveChange], occupied: int
    ) -> None:
        """Append the moves to reached squares (`reaches`) and the special moves to a list, as objects."""
        for index, origin, reached in reaches:
            quiets, captures = self._ordinary[index][origin]
            for bit in each_bit(reached):
                moves += (captures if bit & occupied else quiets)[bit]
        for change in specials:
            moves += self._special[change]

    # What is kept

    def _quiet_and_capture_tables(self, index: int, origin: int) -> tuple[Moves, Moves]:
        """Return a class's quiet moves and its captures from one square, each as a table by target."""
        return (
            _table_by_target_set(lambda target: self._moves_of_change(self._quiet_move_change(index, origin, target))),
            ComputedDict(lambda target: self._moves_of_change(MoveChange(index, origin, target, target, index))),
        )

    def _rows_with_moves(self, index: int, bit: int) -> list[_PieceRow]:
        """Return the reach tables of a class on a square, each with tables of quiet moves and captures."""
        narrow = self.generator.forces[index].movement.narrow[bit]
        return [(touch, masks, *self._ordinary[index][bit]) for _, touch, masks in narrow]

    def _shifts_with_moves(self, index: int, shifted: Shifts) -> _PieceSet:
        """Return the bit shifts of a class, each with the table of its moves."""
        ordinary = self._ordinary[index]

        def lane(up: int, down: int, kind: int) -> Moves:
            return _table_by_target_set(lambda target: ordinary[target << down >> up][kind][target])

        return (
            index,
            [(*free, lane(*free[1:], 0)) for free in shifted.quiets],
            [(*free, lane(*free[1:], 1)) for free in shifted.captures],
            [(blocked_shift, lane(*blocked_shift.shift_amounts, 0)) for blocked_shift in shifted.blocked_quiets],
            [(blocked_shift, lane(*blocked_shift.shift_amounts, 1)) for blocked_shift in shifted.blocked_captures],
        )

    def _quiet_move_change(self, index: int, origin: int, target: int) -> MoveChange:
        """Return a quiet move as a change, with the square passed if it is a double step of a pawn."""
        passed = self.doubles.get(origin, {}).get(target, 0) if index in self.pawns else 0
        return MoveChange(index, origin, target, 0, index, passed=passed)

    def _moves_of_change(self, change: MoveChange) -> list[Move]:
        """Return a change as move objects, one for each promotion choice, or one if nothing promotes."""
        force = self.generator.forces[change.mover]
        if not force.zone & change.target or change.partner:
            return [self.made[change, False]]
        moves = [self.made[change._replace(becomes=choice), True] for choice in force.choices]
        return moves if force.mandatory else [*moves, self.made[change, False]]

    def _move_of_change(self, change: MoveChange, promoted: bool) -> Move:
        """Return a change as a move object."""
        force, kind = self.generator.forces[change.mover], self.kinds[change.mover]
        a, b = change.origin.bit_length() - 1, change.target.bit_length() - 1
        taken = tuple(bit.bit_length() - 1 for bit in each_bit(change.taken))
        via = [] if change.passing else [square for square in taken if square != b]
        stops, partner = [a, *via, b], None
        if change.partner:
            partner = change.partner.bit_length() - 1, change.partner_to.bit_length() - 1
            # Where the king could also step there, castling is written as the king taking its partner.
            if a == b or force.movement.can_reach_alone(change.origin, change.target):
                stops = [a, partner[0]]
        text = "".join(self._names[square] for square in stops)
        if not change.origin:
            a, text = b, f"{kind.upper()}@{self._names[b]}"
        number = pack(change, promoted=promoted)
        letter = self.kinds[change.becomes] if promoted else ""
        return Move(text + letter, kind, a, b, change, letter, taken, partner, number)


def _table_by_target_set(moves_to_one: Callable[[int], list[Move]]) -> Moves:
    """Return a table from each set of target squares (bits) to the moves there, made from the moves to one square."""
    single: Moves = ComputedDict(moves_to_one)

    def joined(targets: int) -> list[Move]:
        if not targets & (targets - 1):
            return single[targets] if targets else []
        moves = []
        while targets:
            bit = targets & -targets
            targets ^= bit
            moves += single[bit]
        return moves

    return ComputedDict(joined)


# ----------------------------------------------------------------------- counting legal moves without listing them


class MoveCounter(Generator):
    """Generator that also counts legal moves without listing them."""

    @cached_property
    def _castling_tests(self) -> list[tuple[int, int, int, int, CastlingMove]]:
        """The castlings, each as (right, squares to be empty, king's class, king's square, castling)."""
        return [
            (castling_move.right, castling_move.clear, castling_move.king_class, castling_move.king, castling_move)
            for castling_move in self.castles
        ]

    @cached_property
    def _classes_by_counting_method(
        self,
    ) -> tuple[list[tuple[int, dict[int, list[ReachRow]]]], list[tuple[int, int, Shifts]], list[int]]:
        """The piece classes but the king's in three lists: counted by table, by bit shifts, and one by one.

        The first are (class, rows), the second (class, squares from which it cannot promote, shifts), the last classes.
        """
        plain, sets, others = [], [], []
        for index, force in enumerate(self.forces):
            shifted = find_shifts(force.movement)
            if force.royal and self.masked:
                continue
            if shifted is not None:
                sets.append((index, ~self.sources(index, force.zone, "mcde"), shifted))
            elif force.movement.plain and not force.zone:
                plain.append((index, force.movement.rows))
            else:
                others.append(index)
        return plain, sets, others

    def count(self, view: GeneratorView) -> int:  # noqa: C901 - one pass, unrolled: this is where counting spends its time
        """Return the number of legal moves without listing them."""
        mine, _, own, capturable, unmoved, passed, _, rights, _, _, _ = view
        royals = mine[self._king] if self._king >= 0 else self.royals(view) if self.masked else 0
        if not royals:
            reaches, specials = self.legal(view)
            return sum(self.count_with_promotions(index, reached) for index, _, reached in reaches) + sum(
                self.count_with_promotions(special.mover, special.target) for special in specials
            )
        occupied = own | capturable
        goal, held, limits = self.limits(view, royals, occupied)
        if self._king < 0 or royals & (royals - 1):
            total, (reaches, danger) = 0, self.bound_moves(view, occupied, held, limits)
        else:  # most positions, and most of them without a pinned piece
            reached, danger = self.king_moves(royals, view, occupied)
            total, held = reached.bit_count(), held ^ royals
            reaches = self.bound_moves(view, occupied, held, limits)[0] if held else []
        for index, _, reached in reaches:
            total += self.count_with_promotions(index, reached)
        plain, sets, others = self._classes_by_counting_method
        empty = self.full & ~occupied
        loose = ~held
        quiet = goal & empty
        capture = goal & capturable
        target = quiet | capture
        for index, rows in plain:
            for _, touch, masks in rows[mine[index] & loose]:
                total += (masks[occupied & touch] & target).bit_count()
        for index, far, (quiets, captures, blocked_quiets, blocked_captures) in sets:
            bits = mine[index] & loose
            ahead = bits & far
            if ahead:
                for sources, up, down in quiets:
                    total += ((ahead & sources) << up >> down & quiet).bit_count()
                for sources, up, down in captures:
                    total += ((ahead & sources) << up >> down & capture).bit_count()
                # As ``BlockedShift.targets``, written out: nearly every position has pawns that may step twice.
                for sources, up, down, further, back, initial in blocked_quiets:
                    step = ahead & sources & unmoved if initial else ahead & sources
                    if step:
                        total += ((step << up >> down & empty) << further >> back & quiet).bit_count()
                for lane in blocked_captures:
                    total += (lane.targets(ahead, unmoved, empty) & capture).bit_count()
            if bits ^ ahead:
                total += self._count_one_by_one(index, bits ^ ahead, view, occupied, goal)
        for index in others:
            total += self._count_one_by_one(index, mine[index] & loose, view, occupied, goal)
        if passed:
            for index, sources in self._passing[passed]:
                if mine[index] & sources:
                    break
            else:
                passed = 0
        if passed or self._irregular:
            for special in self.special_moves(view, occupied, royals, danger, checked=in_check(limits)):
                total += self.count_with_promotions(special.mover, special.target)
        elif rights:
            for right, clear, king_class, home, castle in self._castling_tests:
                if rights & right and not occupied & clear and mine[king_class] & home:
                    if in_check(limits):
                        break
                    total += self.is_castling_safe(castle, view, occupied, danger)
        return total

    def _count_one_by_one(self, index: int, bits: int, view: GeneratorView, occupied: int, goal: int) -> int:
        """Return how many moves the pieces in `bits` of a class have to the squares in `goal`."""
        movement = self.forces[index].movement
        return sum(
            self.count_with_promotions(index, self.reachable_squares(movement, bit, view, occupied) & goal)
            for bit in each_bit(bits)
        )

    def count_with_promotions(self, index: int, reached: int) -> int:
        """Return how many moves to the squares in `reached` a class has, each promotion choice counted as one."""
        force = self.forces[index]
        total = reached.bit_count()
        if force.zone & reached:
            total += (force.zone & reached).bit_count() * (len(force.choices) - force.mandatory)
        return total
