"""What a move makes of a position."""

from __future__ import annotations

from nomic_nb.multiverse.masks import Change
from nomic_nb.multiverse.rules import Rules
from nomic_nb.multiverse.state import State


def made(
    change: Change, mine: list[int], theirs: list[int], own: int, foe: int
) -> tuple[list[int], list[int], int, int]:
    """Return both sides' bitboards after a move, and what each occupies; those given stay as they are."""
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


def following(state: State, change: Change, rules: Rules) -> State:
    """Return the state after a move of the side to move."""
    sides, occupied, side, rights, _, _, unmoved, halfmoves, number = state
    mover, origin, target, taken, becomes, partner, _, _, _, passed = change
    other = 1 - side
    mine, theirs, own, foe = sides[side], sides[other], occupied[side], occupied[other]
    touched = origin | target
    if taken or partner or becomes != mover or origin == target:
        mine, theirs, own, foe = made(change, mine, theirs, own, foe)
        touched |= taken | partner
    else:
        mine = mine.copy()
        mine[mover] ^= touched
        own ^= touched
    fields = (
        (theirs, mine) if side else (mine, theirs),
        (foe, own) if side else (own, foe),
        other,
        rules.lose(rights, touched) if rights and touched & rules.watched else rights,
        passed,
        target if passed else 0,
        unmoved & ~touched,
        0 if taken or mover in rules.pawns else halfmoves + 1,
        number + side,
    )
    # As ``State(*fields)``, without the call in between: it is made once for every move.
    return tuple.__new__(State, fields)
