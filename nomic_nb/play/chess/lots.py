"""Moves that rules make by themselves: which pieces can move, where to, and the making of one of their moves."""

from __future__ import annotations

from typing import Any, cast

from nomic_nb.law.places import One, Players
from nomic_nb.law.values import TEXT, Value, list_of
from nomic_nb.law.view import Undecided, View
from nomic_nb.law.vocabulary import EVERYTHING, Function
from nomic_nb.play.chess.keys import BOARD, PIECE, PIECES, PLAYER
from nomic_nb.play.chess.legal import Option, options
from nomic_nb.play.chess.moving import perform
from nomic_nb.play.chess.records import one_ref, refs
from nomic_nb.play.chess.retaking import instead
from nomic_nb.play.declaring import effect
from nomic_nb.play.engine import Engine
from nomic_nb.play.people import names_of
from nomic_nb.play.state import State, state_of

#: Steps that it is worth to look through all moves.
LOOK = 100


def _open(view: View) -> tuple[Option, ...]:
    view.spend(1, LOOK)
    return tuple(one for one in options(state_of(view)) if one.move is not None)


def _movable(view: View, player: Value, board: Value) -> Value:
    name, where = one_ref(player, "player").id, one_ref(board, "board").id
    armies = state_of(view).multiverse.armies
    moves = (cast(Any, one.move) for one in _open(view) if where in one.push.boards)
    found = {one.piece for one in moves if armies[one.army].controller == name and one.origin[0] == where}
    return refs("piece", sorted(found))


def _moves_with(view: View, piece: Value) -> Value:
    id = one_ref(piece, "piece").id
    return tuple(str(one) for one in _open(view) if cast(Any, one.move).piece == id)


@effect(
    "make {move} for {who}",
    example='make "white.e2-white.e4" for player',
    makes="pushed moved captured promoted",
    move=One(TEXT, "a move, as moves_with has them"),
    who=Players(),
)
def make(engine: Engine, effect: Any) -> None:
    """Make a move in a player's place, with all that belongs to it: one that is legal in the turn at hand.

    Or in place of one that was taken back; the turn in which that was made need not be under way.
    """
    names, text = names_of(engine.value(effect.who)), engine.value(effect.move)
    if len(names) != 1:
        raise Undecided("one player moves, no more and no less")
    found = _fitting(engine.state, names[0], str(text))
    if found is None:
        raise Undecided(f"{text} is nothing that {names[0]} could move now")
    perform(engine, names[0], found)


def _fitting(state: State, player: str, text: str) -> Option | None:
    found = options(state) if state.go is not None and state.go.player == player else ()
    back = (one for one in state.made if one.status == "back" and one.player == player)
    again = (option for one in back for option in instead(state, one))
    return next((one for one in (*found, *again) if str(one) == text and one.move is not None), None)


FUNCTIONS = (
    Function("movable", (PLAYER, BOARD), PIECES, "the pieces on a board with which a player can make a move in the "
             "turn at hand", _movable, reads=EVERYTHING),
    Function("moves_with", (PIECE,), list_of(TEXT), "the moves that can be made with a piece in the turn at hand, as "
             "players write them", _moves_with, reads=EVERYTHING),
)  # fmt: skip
