"""Perft: how many ways a game can go on for so many plies, the field's test of a move generator."""

from __future__ import annotations

from nomic_nb.chess.multiverse.generator import GeneratorView, MoveChange
from nomic_nb.chess.multiverse.position_state import PositionState, moves_by_movement, next_state
from nomic_nb.chess.multiverse.rules import Rules


class LeafCounter:
    """Counter of the positions reached after so many plies (leaves), on copies of bitboards.

    Parameters
    ----------
    rules : Rules
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.odd = any(generator.tame or generator.odd_foes for generator in rules.generators)

    def count_state(self, state: PositionState, depth: int) -> int:
        """Return the number of ways in which a position can continue for `depth` plies."""
        sides, occupied, side, rights, passed, piece, unmoved, _, _, _ = state
        other = 1 - side
        return self.count(
            side, sides[side], sides[other], occupied[side], occupied[other], passed, piece, rights, unmoved, depth
        )

    def count(
        self,
        side: int,
        mine: list[int],
        theirs: list[int],
        own: int,
        foe: int,
        passed: int,
        passed_piece: int,
        rights: int,
        unmoved: int,
        depth: int,
    ) -> int:
        """Return the number of ways in which a position, given as bitboards, can continue for `depth` plies.

        Parameters
        ----------
        side : int
            The side to move: 0 for White, 1 for Black.
        mine, theirs : list of int
            Bitboards by class of the side to move, and of the other.
        own, foe : int
            The squares that each side occupies.
        passed, passed_piece : int
            Square that a double step has just skipped, and the piece that made the step; 0 without one.
        rights : int
            Castling rights, as the squares of the partners.
        unmoved : int
            Pieces that have not moved.
        depth : int
        """
        rules = self.rules
        generator = rules.generators[side]
        virgin = unmoved if rules.regions is None else rules.regions[side]
        others = (unmoved if rules.regions is None else rules.regions[1 - side]) if self.odd else 0
        view = GeneratorView(mine, theirs, own, foe, virgin, passed, passed_piece, rights, rules.royals(theirs), others)
        if rules.crowns and rules.can_crown(side, mine):
            state = _state_of_view(view, side, unmoved)
            moves = moves_by_movement(state, rules)
            if depth == 1:
                return len(moves)
            return sum(self.count_state(next_state(state, move.change, rules), depth - 1) for move in moves)
        if depth == 1:
            return generator.count(view)
        reaches, specials = generator.legal(view)
        depth -= 1
        total = 0
        other = 1 - side
        # Leaves are counted where they are reached; most of the time goes here.
        leaf = depth == 1 and not self.odd and not rules.crowns
        tally, new = rules.generators[other].count, tuple.__new__
        region = -1 if rules.regions is None else rules.regions[other]
        doubles = rules.doubles[side]
        watched = rules.watched
        occupied = own | foe
        for index, origin, targets in reaches:
            reached = targets
            double = doubles.get(origin, {}) if index in rules.pawns else {}
            special = generator.forces[index].zone | own
            while reached:
                target = reached & -reached
                reached ^= target
                if target & special:
                    taken = target & occupied
                    change = MoveChange(
                        index, origin, target, taken, index, passed=0 if taken else double.get(target, 0)
                    )
                    total += self._count_special_move(change, view, side, unmoved, depth)
                    continue
                changed = origin | target
                moved = mine.copy()
                moved[index] ^= changed
                if target & foe:
                    hit = theirs.copy()
                    for at, bits in enumerate(hit):
                        if bits & target:
                            hit[at] = bits ^ target
                            break
                    left = foe ^ target
                    passing = 0
                else:
                    hit = theirs
                    left = foe
                    passing = double.get(target, 0)
                piece = target if passing else 0
                rest = rules.remaining_rights(rights, changed) if rights and changed & watched else rights
                if leaf:
                    still = unmoved & ~changed if region < 0 else region
                    # As ``GeneratorView(…)``, without the call in between.
                    total += tally(
                        new(GeneratorView, (hit, moved, left, own ^ changed, still, passing, piece, rest, 0, 0, ()))
                    )
                    continue
                total += self.count(
                    other, hit, moved, left, own ^ changed, passing, piece, rest, unmoved & ~changed, depth
                )
        for move_change in specials:
            total += self._count_special_move(move_change, view, side, unmoved, depth)
        return total

    def _count_special_move(self, special: MoveChange, view: GeneratorView, side: int, unmoved: int, depth: int) -> int:
        """Return in how many ways a game goes on for `depth` plies after a move and any promotion by it."""
        force = self.rules.generators[side].forces[special.mover]
        becomes: tuple[int, ...] = (special.mover,)
        if special.target & force.zone:
            becomes = force.choices if force.mandatory else (*force.choices, special.mover)
        state = _state_of_view(view, side, unmoved)
        return sum(
            self.count_state(next_state(state, special._replace(becomes=kind), self.rules), depth) for kind in becomes
        )


def _state_of_view(view: GeneratorView, side: int, unmoved: int) -> PositionState:
    """Return the state of a position whose side to move sees it so."""
    white, black = (view.mine, view.own), (view.theirs, view.capturable)
    white, black = (black, white) if side else (white, black)
    sides, occupied = (white[0], black[0]), (white[1], black[1])
    return PositionState(sides, occupied, side, view.rights, view.passed, view.passed_piece, unmoved, 0, 1)
