"""Whether a player could win with the next ordinary move: each is tried, and the law says who has won then."""

from __future__ import annotations

from nomic_nb.law.values import TRUTH, Value
from nomic_nb.law.view import Undecided, View
from nomic_nb.law.vocabulary import EVERYTHING, Function
from nomic_nb.play.cases import PLAYER
from nomic_nb.play.chess.legal import options
from nomic_nb.play.chess.moving import perform
from nomic_nb.play.chess.records import armies_at, one_ref
from nomic_nb.play.foresight.remembering import remembered
from nomic_nb.play.foresight.threats import next_turn_of
from nomic_nb.play.state import state_of
from nomic_nb.play.trial import Trial, calm

#: Moves that are tried for one player; beyond them it is open whether one wins.
MOVES = 400
#: Steps that it is worth to try a move, apart from what it sets off.
MOVE = 60


def _can_win(view: View, value: Value) -> Value:
    name = str(one_ref(value, "player").id)
    return remembered(view, "can_win", name, lambda then: _wins(then, name))


def _wins(view: View, name: str) -> Value:
    """Tell whether one of the moves that a player could make next wins the game, chance apart."""
    state = state_of(view)
    armies = [one.name for one in armies_at(state).values() if one.controller == name]
    if not armies or name not in state.playing:
        return False
    asked = next_turn_of(calm(state), armies[0])
    found = options(asked)
    for option in found[:MOVES]:
        view.spend(1, MOVE)
        engine = Trial(asked, frozenset())
        engine._begin_step()
        perform(engine, name, option)
        engine.finish()
        if name in engine.state.winners:
            view.evidence["can_win"] = f"{name} could win by {option}"
            return True
    if len(found) > MOVES:
        raise Undecided(f"{MOVES} moves of {name} were tried, and there are {len(found)}")
    return False


FUNCTIONS = (
    Function("can_win", (PLAYER,), TRUTH, "whether a player could win with the next ordinary move, chance apart",
             _can_win, reads=EVERYTHING),
)  # fmt: skip
