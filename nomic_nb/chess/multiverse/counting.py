"""Counting legal moves without listing them: the leaves of perft.

What a class may reach is counted with one look-up a piece, or for the whole class at once where it moves by
shifts.
"""

from __future__ import annotations

from functools import cached_property

from nomic_nb.chess.multiverse.generator import Generator
from nomic_nb.chess.multiverse.geometry import each
from nomic_nb.chess.multiverse.masks import Castle, View
from nomic_nb.chess.multiverse.shifts import Shifts, shifts
from nomic_nb.chess.multiverse.tables import Row


class Counter(Generator):
    """A generator that also counts; parameters are the generator's."""

    @cached_property
    def _castle_tests(self) -> list[tuple[int, int, int, int, Castle]]:
        return [(one.right, one.clear, one.king_class, one.king, one) for one in self.castles]

    @cached_property
    def _sorted(
        self,
    ) -> tuple[list[tuple[int, dict[int, list[Row]]]], list[tuple[int, int, Shifts]], list[int]]:
        """The classes by how they are counted; moves that are only listed need none of it."""
        plain, sets, others = [], [], []
        for index, force in enumerate(self.forces):
            shifted = shifts(force.movement)
            if index == self._king:
                continue
            if shifted is not None:
                sets.append((index, ~self.sources(index, force.zone, "mcde"), shifted))
            elif force.movement.plain and not force.zone:
                plain.append((index, force.movement.rows))
            else:
                others.append(index)
        return plain, sets, others

    def count(self, view: View) -> int:  # noqa: C901 - one pass, unrolled: this is where counting spends its time
        """Return the number of legal moves, without making a list of them."""
        mine, _, own, capturable, unmoved, passed, _, rights, _, _, _ = view
        king = mine[self._king] if self._king >= 0 else 0
        if not king or king & (king - 1):
            reaches, specials = self.legal(view)
            return sum(self.weigh(index, reached) for index, _, reached in reaches) + sum(
                self.weigh(special.mover, special.target) for special in specials
            )
        occupied = own | capturable
        goal, held, influences = self.influences(view, king, occupied)
        held &= own
        reached, danger = self.king_steps(king, view, occupied)
        total = reached.bit_count()
        plain, sets, others = self._sorted
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
                # As ``Blocked.targets``, written out: nearly every position has pawns that may step twice.
                for sources, up, down, further, back, initial in blocked_quiets:
                    step = ahead & sources & unmoved if initial else ahead & sources
                    if step:
                        total += ((step << up >> down & empty) << further >> back & quiet).bit_count()
                for lane in blocked_captures:
                    total += (lane.targets(ahead, unmoved, empty) & capture).bit_count()
            if bits ^ ahead:
                total += self._singly(index, bits ^ ahead, view, occupied, goal)
        for index in others:
            total += self._singly(index, mine[index] & loose, view, occupied, goal)
        if held:
            for index, _, reached in self.held_reaches(view, occupied, held, influences):
                total += self.weigh(index, reached)
        if passed:
            for index, sources in self._passing[passed]:
                if mine[index] & sources:
                    break
            else:
                passed = 0
        if passed or self._irregular:
            checked = any(entry[0] for entry in influences)
            for special in self.specials(view, occupied, king, danger, checked=checked):
                total += self.weigh(special.mover, special.target)
        elif rights:
            for right, clear, king_class, home, castle in self._castle_tests:
                if rights & right and not occupied & clear and mine[king_class] & home:
                    if influences and any(entry[0] for entry in influences):
                        break
                    total += self.may_castle(castle, view, occupied, danger)
        return total

    def _singly(self, index: int, bits: int, view: View, occupied: int, goal: int) -> int:
        movement = self.forces[index].movement
        return sum(self.weigh(index, self.reached(movement, bit, view, occupied) & goal) for bit in each(bits))

    def weigh(self, index: int, reached: int) -> int:
        """Return how many moves a class has with these targets: one each, or one for each promotion."""
        force = self.forces[index]
        total = reached.bit_count()
        if force.zone & reached:
            total += (force.zone & reached).bit_count() * (len(force.choices) - force.mandatory)
        return total
