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
)
from nomic_nb.chess.multiverse.geometry import each_bit
from nomic_nb.chess.multiverse.movement_tables import BlockedShift, ReachRow, Shifts, find_shifts
from nomic_nb.chess.multiverse.paths import ComputedDict, join_rows

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


class Lister:
    """Lists the legal moves of one side.

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
            own: Ordinary = ComputedDict(partial(self._moves_by_square, index))
            # Double steps are told apart by the side that makes them.
            self._ordinary.append(own if index in pawns else shared.setdefault((index, force), own))
        self._special: dict[MoveChange, list[Move]] = ComputedDict(self._moves_of_change)
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
                self._sets.append(self._piece_set(index, shifted))
            elif force.movement.plain:
                self._pieces.append((index, join_rows(partial(self._piece_rows, index))))
            else:
                self._others.append(index)

    def moves(self, view: GeneratorView) -> list[Move]:
        """Return all legal moves."""
        generator = self.generator
        mine, _, own, capturable, unmoved = view[:5]
        king = generator.lone_king(mine)
        occupied = own | capturable
        found: list[Move] = []
        if not king:
            self._add_moves(found, *generator.legal(view), occupied)
            return found
        goal, held, influences = generator.influences(view, king, occupied)
        held &= own
        empty = generator.full & ~occupied
        reaches = generator.pinned_moves(view, occupied, held, influences) if held else []
        if goal:
            self._add_free_moves(found, mine, empty, capturable, unmoved, goal, ~held)
            for index in self._others:
                movement = generator.forces[index].movement
                for bit in each_bit(mine[index] & ~held):
                    reaches.append((index, bit, generator.reachable_squares(movement, bit, view, occupied) & goal))
        reached, danger = generator.king_moves(king, view, occupied)
        if reached:
            reaches.append((generator.royal[0], king, reached))
        checked = bool(influences) and any(entry[0] for entry in influences)
        specials = generator.specials(view, occupied, king, danger, checked=checked)
        if reaches or specials:
            self._add_moves(found, reaches, specials, occupied)
        return found

    def _add_free_moves(  # noqa: C901 - one pass, unrolled: this is where listing spends its time
        self, found: list[Move], mine: list[int], empty: int, capturable: int, unmoved: int, goal: int, loose: int
    ) -> None:
        """Add the moves of pieces that no attacker holds; ``goal`` is where they may go."""
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
                    found += moves[reached & strip]
            for sources, up, down, moves in capture_lanes:
                reached = (bits & sources) << up >> down & capture
                if reached:
                    found += moves[reached]
            # As ``BlockedShift.targets``, written out: nearly every position has pawns that may step twice.
            for (sources, up, down, further, back, initial), moves in blocked:
                step = bits & sources & unmoved if initial else bits & sources
                if step:
                    reached = (step << up >> down & empty) << further >> back & quiet
                    if reached:
                        found += moves[reached]
            for lane, moves in blocked_captures:
                found += moves[lane.targets(bits, unmoved, empty) & capture]
        for index, pieces in self._pieces:
            for touch, masks, quiets, captures in pieces[mine[index] & loose]:
                reached = masks[occupied & touch]
                entered = reached & quiet
                if entered:
                    found += quiets[entered]
                reached &= capture
                while reached:
                    bit = reached & -reached
                    reached ^= bit
                    found += captures[bit]

    def _add_moves(self, found: list[Move], reaches: list[Reach], specials: list[MoveChange], occupied: int) -> None:
        """Add these moves as objects."""
        for index, origin, reached in reaches:
            quiets, captures = self._ordinary[index][origin]
            for bit in each_bit(reached):
                found += (captures if bit & occupied else quiets)[bit]
        for change in specials:
            found += self._special[change]

    # What is kept

    def _moves_by_square(self, index: int, origin: int) -> tuple[Moves, Moves]:
        return (
            _join_tables(lambda target: self._moves_of_change(self._make_step(index, origin, target))),
            ComputedDict(lambda target: self._moves_of_change(MoveChange(index, origin, target, target, index))),
        )

    def _piece_rows(self, index: int, bit: int) -> list[_PieceRow]:
        narrow = self.generator.forces[index].movement.narrow[bit]
        return [(touch, masks, *self._ordinary[index][bit]) for _, touch, masks in narrow]

    def _piece_set(self, index: int, shifted: Shifts) -> _PieceSet:
        ordinary = self._ordinary[index]

        def lane(up: int, down: int, kind: int) -> Moves:
            return _join_tables(lambda target: ordinary[target << down >> up][kind][target])

        return (
            index,
            [(*free, lane(*free[1:], 0)) for free in shifted.quiets],
            [(*free, lane(*free[1:], 1)) for free in shifted.captures],
            [(one, lane(*one.shift_amounts, 0)) for one in shifted.blocked_quiets],
            [(one, lane(*one.shift_amounts, 1)) for one in shifted.blocked_captures],
        )

    def _make_step(self, index: int, origin: int, target: int) -> MoveChange:
        passed = self.doubles.get(origin, {}).get(target, 0) if index in self.pawns else 0
        return MoveChange(index, origin, target, 0, index, passed=passed)

    def _moves_of_change(self, change: MoveChange) -> list[Move]:
        """Return a change as a move, once for each piece it may become."""
        force, kind = self.generator.forces[change.mover], self.kinds[change.mover]
        a, b = change.origin.bit_length() - 1, change.target.bit_length() - 1
        taken = tuple(bit.bit_length() - 1 for bit in each_bit(change.taken))
        via = [] if change.passing else [square for square in taken if square != b]
        stops, partner = [a, *via, b], None
        if change.partner:
            partner = change.partner.bit_length() - 1, change.partner_to.bit_length() - 1
            # Where the king could also step there, castling is written as the king taking its partner.
            if force.movement.passes(change.origin, change.target):
                stops = [a, partner[0]]
        becomes = [(change, "")]
        if force.zone & change.target and not partner:
            promoted = [(change._replace(becomes=choice), self.kinds[choice]) for choice in force.choices]
            becomes = promoted if force.mandatory else promoted + becomes
        text = "".join(self._names[square] for square in stops)
        return [Move(text + letter, kind, a, b, one, letter, taken, partner) for one, letter in becomes]


def _join_tables(one: Callable[[int], list[Move]]) -> Moves:
    """Return a table of the moves to any targets, from what makes those to one."""
    single: Moves = ComputedDict(one)

    def joined(targets: int) -> list[Move]:
        if not targets & (targets - 1):
            return single[targets] if targets else []
        found: list[Move] = []
        while targets:
            bit = targets & -targets
            targets ^= bit
            found += single[bit]
        return found

    return ComputedDict(joined)


# ----------------------------------------------------------------------- counting legal moves without listing them


class MoveCounter(Generator):
    """A generator that also counts; parameters are the generator's."""

    @cached_property
    def _castle_tests(self) -> list[tuple[int, int, int, int, CastlingMove]]:
        return [(one.right, one.clear, one.king_class, one.king, one) for one in self.castles]

    @cached_property
    def _classes_by_method(
        self,
    ) -> tuple[list[tuple[int, dict[int, list[ReachRow]]]], list[tuple[int, int, Shifts]], list[int]]:
        """The classes by how they are counted; moves that are only listed need none of it."""
        plain, sets, others = [], [], []
        for index, force in enumerate(self.forces):
            shifted = find_shifts(force.movement)
            if index == self._king:
                continue
            if shifted is not None:
                sets.append((index, ~self.sources(index, force.zone, "mcde"), shifted))
            elif force.movement.plain and not force.zone:
                plain.append((index, force.movement.rows))
            else:
                others.append(index)
        return plain, sets, others

    def count(self, view: GeneratorView) -> int:  # noqa: C901 - one pass, unrolled: this is where counting spends its time
        """Return the number of legal moves, without making a list of them."""
        mine, _, own, capturable, unmoved, passed, _, rights, _, _, _ = view
        king = mine[self._king] if self._king >= 0 else 0
        if not king or king & (king - 1):
            reaches, specials = self.legal(view)
            return sum(self.count_moves(index, reached) for index, _, reached in reaches) + sum(
                self.count_moves(special.mover, special.target) for special in specials
            )
        occupied = own | capturable
        goal, held, influences = self.influences(view, king, occupied)
        held &= own
        reached, danger = self.king_moves(king, view, occupied)
        total = reached.bit_count()
        plain, sets, others = self._classes_by_method
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
        if held:
            for index, _, reached in self.pinned_moves(view, occupied, held, influences):
                total += self.count_moves(index, reached)
        if passed:
            for index, sources in self._passing[passed]:
                if mine[index] & sources:
                    break
            else:
                passed = 0
        if passed or self._irregular:
            checked = any(entry[0] for entry in influences)
            for special in self.specials(view, occupied, king, danger, checked=checked):
                total += self.count_moves(special.mover, special.target)
        elif rights:
            for right, clear, king_class, home, castle in self._castle_tests:
                if rights & right and not occupied & clear and mine[king_class] & home:
                    if influences and any(entry[0] for entry in influences):
                        break
                    total += self.may_castle(castle, view, occupied, danger)
        return total

    def _count_one_by_one(self, index: int, bits: int, view: GeneratorView, occupied: int, goal: int) -> int:
        movement = self.forces[index].movement
        return sum(
            self.count_moves(index, self.reachable_squares(movement, bit, view, occupied) & goal)
            for bit in each_bit(bits)
        )

    def count_moves(self, index: int, reached: int) -> int:
        """Return how many moves a class has with these targets: one each, or one for each promotion."""
        force = self.forces[index]
        total = reached.bit_count()
        if force.zone & reached:
            total += (force.zone & reached).bit_count() * (len(force.choices) - force.mandatory)
        return total
