"""Moves that rules make and take back: which there are, the making of one, and of another in place of the last one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import BoardMove, Piece
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.keys import BOARD, BOARDS, PIECE, PIECES, PLAYER, TEXTS
from nomic_nb.chess.play.legal import Option, options
from nomic_nb.chess.play.moves import Made, March
from nomic_nb.chess.play.moving import perform
from nomic_nb.chess.play.records import armies_of, function, ids_in, in_a_hand
from nomic_nb.chess.play.refusing import Named, is_named, read_move
from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.law.places import One, Players, Some
from nomic_nb.engine.law.values import NUMBER, TEXT, TRUTH, Type, Value, list_of, pointed
from nomic_nb.engine.law.view import NotDone, Undecided, View
from nomic_nb.engine.law.vocabulary import EVERYTHING, Fact, Field, Record
from nomic_nb.engine.play.cases import names_of
from nomic_nb.engine.play.declaring import effect, happens, of_each
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.state import State, state_of
from nomic_nb.engine.play.values import Turn

MOVE = Type("move")
#: Steps that it is worth to look through all moves.
LOOK = 100


def _open(view: View) -> Iterator[tuple[Option, BoardMove]]:
    view.spend(1, LOOK)
    return ((one, one.move) for one in options(state_of(view)) if one.move is not None)


@function("the pieces on a board with which a player can make a move in the turn at hand", PLAYER, BOARD, gives=PIECES)
def _movable(view: View, player: str, board: str) -> list[int]:
    armies = multiverse_of(state_of(view)).armies
    return sorted({
        move.piece for one, move in _open(view)
        if board in one.push.boards and armies[move.army].controller == player and move.origin[0] == board
    })  # fmt: skip


@function("the moves that can be made with a piece in the turn at hand, as players write them", PIECE, gives=TEXTS)
def _moves_with(view: View, piece: int) -> list[str]:
    return [str(one) for one, move in _open(view) if move.piece == piece]


@effect(
    "make {move} for {who}",
    example='make "white.e2-white.e4" for player',
    makes="pushed moved captured promoted",
    move=One(TEXT, "a move, as moves_with has them or players write it"),
    who=Players(),
)
def make(engine: Engine, effect: Any) -> None:
    """Make a move in a player's place, with all that belongs to it: one that is legal in the turn at hand.

    Or in place of one that was taken back; the turn in which that was made need not be under way.
    """
    names, text, state = names_of(engine.value(effect.who)), engine.value(effect.move), engine.state
    if len(names) != 1:
        raise Undecided("one player moves, no more and no less")
    found = options(state) if state.go is not None and state.go.player == names[0] else ()
    back = (one for one in state.made if one.status == "back" and one.player == names[0])
    again = (option for one in back for option in instead(state, one))
    named = _named(state, names[0], text)
    could = [one for one in (*found, *again) if one.move is not None]
    fitting = [one for one in could if str(one) == text] or [one for one in could if named and is_named(one, named)]
    fitting = fitting or [one for one in could if one.said.casefold() == text.casefold()]
    if not fitting:
        raise NotDone(f"{text} is nothing that {names[0]} could move now")
    if len({frozenset(one.push.boards) for one in fitting}) > 1:
        raise NotDone(f"{text} can be made on several pairs of boards, such as {fitting[0]}")
    perform(engine, names[0], fitting[0])


def _named(state: State, player: str, text: str) -> Named | None:
    """Return the move that a text names as players write it; None if it is not written like one."""
    try:
        return read_move(state, player, text, None)
    except IllegalAction:
        return None


def find_made(state: State, id: int | str) -> Made:
    """Return the last move on a board, or one that was taken back, by its number.

    Raises
    ------
    Undecided
        Another was made there since.
    """
    made: tuple[Made, ...] = state.made
    found = next((one for one in made if one.id == id), None)
    if found is None:
        raise Undecided("another move was made there since")
    return found


def without(state: State, made: Made) -> Multiverse | None:
    """Return the boards as they would be without a move; None where what it changed has changed since."""
    position = multiverse_of(state)
    pieces: dict[int, Piece] = dict(position.pieces)
    for id, after in made.now:
        held = after is None and (id not in state.gone or in_a_hand(state, id))
        if held or pieces.pop(id, None) != after:
            return None
    back = {id: before for id, before in made.was if before is not None}
    taken = {(one.board, one.square) for one in pieces.values()}
    if len(back) < len(made.was) or any((one.board, one.square) in taken for one in back.values()):
        return None
    then, kept = position.with_pieces(*back.values()), position.passings_without(*back)
    restored = tuple(one for one in made.passings if one.piece in then.pieces and one not in kept)
    return replace(then, passings=(*kept, *restored))


def instead(state: State, made: Made) -> tuple[Option, ...]:
    """Return the moves that could be made in place of one that was taken back, in the turn in which it was made."""
    turn = Turn(made.turn, made.player, march=March(armies_of(state, made.player), made.boards))
    then = state.but(turns=(turn,), hand=made.turn, circuit=made.circuit)  # what the table has agreed on holds now
    return tuple(one for one in options(then) if one.move is not None and one.push.boards == made.boards)


@effect(
    "take back {moves}",
    aloud="take {moves} back",
    example="take back [m for m in last_moves if m.player == player]",
    makes="taken_back",
    moves=Some(MOVE, "moves are needed here, such as last_moves"),
)
def take_back(engine: Engine, effect: Any) -> None:
    """Take moves back: the boards are as they were before, unless what a move changed has changed since."""
    for id in ids_in(engine.value(effect.moves), "move"):
        for made in [one for one in engine.state.made if one.id == id and not one.status]:
            event = "not_taken_back" if without(engine.state, made) is None else "taken_back"
            engine.emit(event, made.player, text=made.text, move=made.id)


happens(
    "not_taken_back",
    told="{actor}'s move {text} cannot be taken back, because what it changed has changed since; the table can set up "
    "the boards",
)


@happens(
    "taken_back", "a move was taken back", {"player": PLAYER, "move": MOVE}, told="{actor}'s move {text} is taken back"
)
def _taken_back(state: State, event: Event) -> State:
    made = find_made(state, event.data["move"])
    position = cast(Multiverse, without(state, made))
    gone = {id: one for id, one in state.gone.items() if id not in position.pieces}
    turns = tuple(_anew(one, made) if one.number == made.turn else one for one in state.turns)
    known = tuple(replace(one, status="back") if one is made else one for one in state.made)
    return state.but(position=position, gone=gone, turns=turns, made=known)


def _anew(turn: Turn, made: Made) -> Turn:
    """Return a turn that is under way as if the move had not been made in it."""
    march = turn.march
    if march is None or made.boards not in march.pushes:
        return turn
    at = max(at for at, push in enumerate(march.pushes) if push == made.boards)
    moved = tuple(one for one in march.moved if one != made.was[0][0])
    return replace(turn, march=replace(march, pushes=(*march.pushes[:at], *march.pushes[at + 1 :]), moved=moved))


# ---------------------------------------------------------------------------------- what rules can say


def _made(view: View, id: int | str) -> Made:
    return find_made(state_of(view), id)


def _could_be_made(view: View, id: int | str) -> Value:
    view.spend(1, LOOK)
    state, made = state_of(view), _made(view, id)
    position = without(state, made)
    if position is None:
        return True  # it stands, since it cannot be taken back
    return any(one.said == made.text for one in instead(state.but(position=position), made))


@function(
    "the moves that a player could make in place of one that was taken back, as players write them", MOVE, gives=TEXTS
)
def _moves_instead(view: View, move: int) -> list[str]:
    view.spend(1, LOOK)
    state, made = state_of(view), _made(view, move)
    if made.status != "back" or made.player not in state.persons:
        return []
    return [str(one) for one in instead(state, made)]


FACTS = (
    Fact("last_moves", list_of(MOVE), "the last move on each board, those that were taken back left out, the earliest "
         "first", ("made",),
         lambda view: pointed(list_of(MOVE), [one.id for one in state_of(view).made if not one.status])),
)  # fmt: skip

RECORDS = (
    Record("move", "a move that was made: the last one on its board", (
        *of_each(
            _made, ("made",),
            ("player", PLAYER, "who made it"),
            ("turn", NUMBER, "the turn in which it was made"),
            ("circuit", NUMBER, "the circuit in which it was made"),
            ("boards", BOARDS, "the boards that were played on"),
            ("text", TEXT, "it, as players write it"),
            ("number", NUMBER, "a number that no other move has", lambda made: made.id),
        ),
        Field("legal", TRUTH, "whether it could be made again, as the law is now, if it were taken back",
              EVERYTHING, _could_be_made),
    )),
)  # fmt: skip
