"""The state of a position of two armies: what a move makes of it, and how a game ends."""

from __future__ import annotations

from typing import NamedTuple

from nomic_nb.chess.multiverse.generator import GeneratorView, Move, MoveChange
from nomic_nb.chess.multiverse.rules import Rules

#: Occurrences of a position that end a game.
MOST_OCCURRENCES = 5


class Extra(NamedTuple):
    """What only some rules keep of a position, for White and Black; hands and checks are empty if no rule has them.

    ``hands`` are numbers of pieces by class, ``promoted`` bits, and ``checks`` those still to give. ``former`` are bits
    of promoted pieces by the class that they fall back to in hand, if that can be another than the pawns’.
    """

    hands: tuple[tuple[int, ...], ...]
    promoted: int
    checks: tuple[int, ...]
    former: tuple[int, ...] = ()


class PositionState(NamedTuple):
    """The state of a position of two armies: bitboards, rights, clocks and side to move."""

    sides: tuple[list[int], list[int]]
    occupied: tuple[int, int]
    side: int
    rights: int
    passed: int
    passed_piece: int
    unmoved: int
    halfmoves: int
    number: int
    extra: Extra | None = None


class Outcome(NamedTuple):
    """How a game ended: ``reason`` and ``winner`` (``"white"``, ``"black"`` or ``""``)."""

    reason: str
    winner: str

    @property
    def result(self) -> str:
        """The result in PGN notation: ``1-0``, ``0-1`` or ``1/2-1/2``."""
        return {"white": "1-0", "black": "0-1"}.get(self.winner, "1/2-1/2")


def outcome_by_capture(state: PositionState, rules: Rules) -> Outcome | None:
    """Return the outcome if kings may be captured and just one side has lost its last; else None."""
    if rules.terms.royal and not rules.terms.check:
        left = [bool(rules.royals(boards)) for boards in state.sides]
        if left[0] is not left[1]:  # or neither side ever had one
            return Outcome("royal piece captured", "white" if left[0] else "black")
    return None


def outcome_by_draw(state: PositionState, rules: Rules, occurrences: int) -> Outcome | None:
    """Return the draw by 75 moves, by bare royal pieces or by repetition; None if it is no such draw.

    Parameters
    ----------
    state : State
        In which the side to move has a move.
    rules : Rules
    occurrences : int
        How often it has occurred in the game.
    """
    if state.halfmoves >= 150:
        return Outcome("75 moves", "")
    (white, black), (there, yonder) = state.sides, state.occupied
    alone = not rules.terms.has_extra_rules  # with goals or hands, somebody may still win
    if (
        alone
        and rules.royals(white) == there
        and rules.royals(black) == yonder
        and rules.royals_cannot_give_check(white, black)
    ):
        return Outcome("only royal pieces left", "")
    return Outcome("fivefold repetition", "") if occurrences >= MOST_OCCURRENCES else None


def repetition_key(state: PositionState) -> tuple[object, ...]:
    """Return a key that is equal for positions which count as repeated."""
    return state.sides, state.side, state.rights, state.unmoved, state.extra


def apply_change(
    change: MoveChange, mine: list[int], theirs: list[int], own: int, foe: int
) -> tuple[list[int], list[int], int, int]:
    """Return (`mine`, `theirs`, `own`, `foe`) after a move: both sides' bitboards, then their occupied squares."""
    mover, origin, target, taken, becomes, partner, partner_to, partner_class, _, _ = change
    mine = mine.copy()
    if taken:
        theirs = [bits & ~taken for bits in theirs]
        foe &= ~taken
        if taken & own:
            mine = [bits & ~taken for bits in mine]
            own &= ~taken
    mine[mover] &= ~origin
    own &= ~origin
    if partner:
        mine[partner_class] = mine[partner_class] & ~partner | partner_to
        own = own & ~partner | partner_to
    mine[becomes] |= target
    return mine, theirs, own | target, foe


def generator_view(state: PositionState, rules: Rules) -> GeneratorView:
    """Return a state as the move generator sees it."""
    sides, occupied, side, rights, passed, piece, unmoved, _, _, _ = state
    other = 1 - side
    theirs = sides[other]
    still, others = (unmoved, unmoved) if rules.regions is None else (rules.regions[side], rules.regions[other])
    royals = rules.royals(theirs) if rules.generators[side].tame else 0
    own, foe = occupied[side], occupied[other]
    # As ``GeneratorView(…)``, without the call in between: it is made once for every position.
    return tuple.__new__(
        GeneratorView, (sides[side], theirs, own, foe, still, passed, piece, rights, royals, others, ())
    )


def moves_by_movement(state: PositionState, rules: Rules) -> list[Move]:
    """Return the moves that are legal by movement and check."""
    side, view = state.side, generator_view(state, rules)
    moves = rules.listers[side].moves(view)
    if not rules.crowns:
        return moves
    # Promotions that make or unmake a royal piece are tried.
    royal = rules.terms.royal

    def crowns(move: Move) -> bool:
        return bool(move.promotion) and (move.promotion in royal) != (move.kind in royal)

    def attacked(move: Move) -> int:
        after = next_state(state, move.change, rules)._replace(side=side)
        return rules.generators[side].checkers(generator_view(after, rules))

    every = rules.ignoring_check.listers[side].moves(view)
    safe = [move for move in every if crowns(move) and not attacked(move)]
    return [*(move for move in moves if not crowns(move)), *safe]


def next_state(state: PositionState, change: MoveChange, rules: Rules) -> PositionState:
    """Return the state of a position after a move of the side to move."""
    sides, occupied, side, rights, _, _, unmoved, halfmoves, number, extra = state
    mover, origin, target, taken, becomes, partner, _, _, _, passed = change
    other = 1 - side
    mine, theirs, own, foe = sides[side], sides[other], occupied[side], occupied[other]
    touched = origin | target
    if taken or partner or becomes != mover or origin == target:
        mine, theirs, own, foe = apply_change(change, mine, theirs, own, foe)
        touched |= taken | partner
    else:
        mine = mine.copy()
        mine[mover] ^= touched
        own ^= touched
    fields = (
        (theirs, mine) if side else (mine, theirs),
        (foe, own) if side else (own, foe),
        other,
        rules.remaining_rights(rights, touched) if rights and touched & rules.watched else rights,
        passed,
        target if passed else 0,
        unmoved & ~touched,
        0 if taken or mover in rules.pawns else halfmoves + 1,
        number + side,
        extra,
    )
    # As ``PositionState(*fields)``, without the call in between: it is made once for every move.
    return tuple.__new__(PositionState, fields)
