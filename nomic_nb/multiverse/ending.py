"""How games of two armies end."""

from __future__ import annotations

from nomic_nb.multiverse.rules import Rules
from nomic_nb.multiverse.state import Outcome, State


def captured(state: State, rules: Rules) -> Outcome | None:
    """Return the end by capture of the last royal piece, where the terms allow capturing it."""
    if rules.terms.royal and not rules.terms.check:
        for boards, winner in zip(state.sides, ("black", "white"), strict=True):
            if not rules.royals(boards):
                return Outcome("royal piece captured", winner)
    return None


def drawn(state: State, rules: Rules, earlier: list[State]) -> Outcome | None:
    """Return the end by 75 moves without progress, by bare royal pieces, or by repetition.

    Parameters
    ----------
    state : State
        In which the side to move has a move.
    rules : Rules
    earlier : list[State]
        The states since the last capture or pawn move.
    """
    if state.halfmoves >= 150:
        return Outcome("75 moves", "")
    (white, black), (there, yonder) = state.sides, state.occupied
    if rules.royals(white) == there and rules.royals(black) == yonder:
        return Outcome("only royal pieces left", "")
    if not earlier:
        return None
    same = (state.sides, state.side, state.rights)
    if sum((one.sides, one.side, one.rights) == same for one in earlier) >= 4:
        return Outcome("fivefold repetition", "")
    return None
