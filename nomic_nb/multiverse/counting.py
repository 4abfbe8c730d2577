"""Counting legal moves without listing them: the leaves of perft.

What a class may reach is counted with one look-up a piece, or for the whole class at once where it moves by
shifts.
"""

from __future__ import annotations

from nomic_nb.multiverse.generator import Generator
from nomic_nb.multiverse.geometry import Geometry, each
from nomic_nb.multiverse.masks import Castle, Force, View
from nomic_nb.multiverse.shifts import Shifts, shifts
from nomic_nb.multiverse.tables import Movement, Row

#: Stands for a view at which nothing looks.
NOTHING = View([], [], 0, 0)


class Counter(Generator):
    """A generator that also counts; parameters are the generator's."""

    def __init__(
        self,
        geometry: Geometry,
        forces: tuple[Force, ...],
        foes: tuple[Movement, ...],
        castles: tuple[Castle, ...] = (),
        *,
        check: bool = True,
    ) -> None:
        super().__init__(geometry, forces, foes, castles, check=check)
        self._castle_tests = [(one.right, one.clear, one.king_class, one.king, one) for one in castles]
        king = self.forces[self._king].movement if self._king >= 0 else None
        only = self._blockers_only if castles else self._together
        self._simple = king is not None and king.plain and only and not self.odd_foes and not self._irregular
        self._plain: list[tuple[int, dict[int, list[Row]]]] = []
        self._others: list[int] = []
        self._sets: list[tuple[int, int, Shifts]] = []
        self._sorted = False

    def _sort(self) -> None:
        """Sort the classes for counting; moves that are only listed need none of it."""
        self._sorted = True
        for index, force in enumerate(self.forces):
            if index == self._king:
                continue
            shifted = shifts(force.movement)
            if shifted is not None:
                self._sets.append((index, ~self.sources(index, force.zone, "mcde"), shifted))
            elif force.movement.plain and not force.zone:
                self._plain.append((index, force.movement.rows))
            else:
                self._others.append(index)

    def count(  # noqa: C901 - one pass, unrolled: this is where counting spends its time
        self,
        mine: list[int],
        theirs: list[int],
        own: int,
        capturable: int,
        unmoved: int,
        passed: int,
        piece: int,
        rights: int,
        royals: int,
        others: int,
        sides: tuple[int, ...],
    ) -> int:
        """Return the number of legal moves, without making a list of them.

        Takes the fields of a view one by one: a view is only made of them where something looks at it.
        """
        king = mine[self._king] if self._king >= 0 else 0
        if not king or king & (king - 1):
            return self._count_listed(
                View(mine, theirs, own, capturable, unmoved, passed, piece, rights, royals, others, sides)
            )
        if passed:
            for index, sources in self._passing[passed]:
                if mine[index] & sources:
                    break
            else:
                passed = 0
        occupied = own | capturable
        goal, held, influences = self.influences(theirs, king, occupied)
        held &= own
        view = NOTHING
        if held or passed or not self._simple:
            view = View(mine, theirs, own, capturable, unmoved, passed, piece, rights, royals, others, sides)
            if self.odd_foes:
                goal, held = self.odd_influences(view, king, occupied, goal, held, influences)
                held &= own
        movement = self.forces[self._king].movement
        if movement.plain:
            touch, masks = movement.table[king]
            reached = masks[occupied & touch] & self.full & ~own
        else:
            reached = self.reached(movement, king, view, occupied)
        total = 0
        danger = None
        if reached:
            if self._together:
                danger = self._threats.squares(theirs, occupied ^ king)
            else:
                danger = self.danger(king, reached, view, occupied)
            total = (reached & ~danger).bit_count()
        if goal:
            total += self._tally_loose(mine, own, capturable, unmoved, goal, ~held)
        if held:
            for index, _, reached in self.held_reaches(view, occupied, held, influences):
                total += self.weigh(index, reached)
        if passed or self._irregular:
            checked = any(entry[0] for entry in influences)
            for special in self.specials(view, occupied, king, danger, checked=checked):
                total += self.weigh(special.mover, special.target)
        elif rights:
            for right, clear, king_class, home, castle in self._castle_tests:
                if rights & right and not occupied & clear and mine[king_class] & home:
                    if influences and any(entry[0] for entry in influences):
                        break
                    if danger is None and view is NOTHING:
                        view = View(mine, theirs, own, capturable, unmoved, passed, piece, rights, royals, others)
                    total += self.may_castle(castle, view, occupied, danger)
        return total

    def _tally_loose(self, mine: list[int], own: int, capturable: int, unmoved: int, goal: int, loose: int) -> int:
        """Count moves of pieces that no attacker holds; ``goal`` is where they may go."""
        if not self._sorted:
            self._sort()
        total = 0
        occupied = own | capturable
        empty = self.full & ~occupied
        target = goal & (empty | capturable)
        for index, rows in self._plain:
            for _, touch, masks in rows[mine[index] & loose]:
                total += (masks[occupied & touch] & target).bit_count()
        quiet = target & empty
        capture = target & capturable
        for index, far, (quiets, captures, blocked_quiets, blocked_captures) in self._sets:
            bits = mine[index] & loose
            ahead = bits & far
            if ahead:
                for sources, up, down in quiets:
                    total += ((ahead & sources) << up >> down & quiet).bit_count()
                for sources, up, down in captures:
                    total += ((ahead & sources) << up >> down & capture).bit_count()
                # As ``Blocked.targets``, written out: nearly every position has pawns that may step twice.
                for sources, up, down, further, back, initial in blocked_quiets:
                    step = ahead & sources & unmoved if initial else ahead & sources
                    if step:
                        total += ((step << up >> down & empty) << further >> back & quiet).bit_count()
                for lane in blocked_captures:
                    total += (lane.targets(ahead, unmoved, empty) & capture).bit_count()
            if bits ^ ahead:
                view = View(mine, [], own, capturable, unmoved)
                total += self._count_singly(index, bits ^ ahead, goal, view, occupied)
        if self._others:
            view = View(mine, [], own, capturable, unmoved)
            for index in self._others:
                total += self._count_singly(index, mine[index] & loose, goal, view, occupied)
        return total

    def _count_singly(self, index: int, bits: int, goal: int, view: View, occupied: int) -> int:
        movement, total = self.forces[index].movement, 0
        for bit in each(bits):
            total += self.weigh(index, self.reached(movement, bit, view, occupied) & goal)
        return total

    def _count_listed(self, view: View) -> int:
        reaches, specials = self.legal(view)
        return sum(self.weigh(index, reached) for index, _, reached in reaches) + sum(
            self.weigh(special.mover, special.target) for special in specials
        )

    def weigh(self, index: int, reached: int) -> int:
        """Return how many moves a class has with these targets: one each, or one for each promotion."""
        force = self.forces[index]
        total = reached.bit_count()
        if force.zone & reached:
            total += (force.zone & reached).bit_count() * (len(force.choices) - force.mandatory)
        return total
