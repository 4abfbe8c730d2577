"""What the effects of the law language do to boards, armies and pieces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, cast

from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.geometry import MAX_SIZE
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.events import about, sides
from nomic_nb.chess.play.functions import ladder
from nomic_nb.chess.play.keys import ARMY, BOARD, PIECE, SQUARE, is_kind
from nomic_nb.chess.play.records import id_in, ids_in, in_a_hand, square_of
from nomic_nb.engine.law.nodes import Expression
from nomic_nb.engine.law.places import Flag, One, Players, Some
from nomic_nb.engine.law.rules import EVERYWHERE
from nomic_nb.engine.law.values import NUMBER, TEXT, Value, list_of, within
from nomic_nb.engine.law.view import NotDone, Undecided
from nomic_nb.engine.play.cases import names_of
from nomic_nb.engine.play.declaring import effect
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.state import State

#: How most of these effects are declared: who orders them, and what they take.
_by_people = partial(effect, ordered_by="people")
_on_pieces = partial(_by_people, pieces=Some(PIECE, "pieces are needed here"))


def _pieces(engine: Engine, expression: Expression) -> Iterator[int]:
    """Yield the numbers of pieces that stand on a board when their turn comes; what is gone by then is left out.

    Raises
    ------
    Undecided
        One of them is in a hand, where no effect reaches it.
    """
    found, state = dict.fromkeys(ids_in(engine.value(expression), "piece")), engine.state
    if any(in_a_hand(state, id) for id in found):
        raise Undecided("what is in a hand is on no board")
    for id in found:
        piece = multiverse_of(engine.state).pieces.get(id)
        if piece is not None and reaches(engine, piece.board):
            yield id


def reaches(engine: Engine, board: str) -> bool:
    """Tell whether a rule can do something on a board; where it is for another universe, record that it is not done."""
    item = engine.item
    if item.scope in (EVERYWHERE, board):
        return True
    engine.emit("kept_out", rule=item.cause.rule if item.cause else None, universe=item.scope, board=board)
    return False


def _kind(value: Value) -> str:
    if is_kind(value):
        return cast(str, value)
    raise Undecided("a kind of piece is one capital letter")


def _happens(engine: Engine, event: str, id: int, **more: Any) -> None:
    """Record what happens to a piece: it concerns whoever moves its army."""
    position = multiverse_of(engine.state)
    engine.emit(event, position.armies[position.pieces[id].army].controller, **about(engine.state, id), **more)


def _on_ladder(engine: Engine, id: int, step: int) -> str:
    """Return what a piece becomes by a step on the ladder; empty below the lowest."""
    now, kinds = multiverse_of(engine.state).pieces[id].kind.upper(), ladder(engine.view())
    to = kinds.index(now) + step if now in kinds else len(kinds)
    if to >= len(kinds):
        raise Undecided(f"{now} does not go {'up' if step > 0 else 'down'} the ladder")
    return _kind(kinds[to]) if to >= 0 else ""


@_on_pieces(
    "promote {pieces} [to {kind}]",
    example='promote promotable(player) to "Q"',
    makes="promoted",
    kind=One(TEXT, "a kind of piece", or_none=True),
)
def promote(engine: Engine, effect: Any) -> None:
    """Let pieces become the next kind of the ladder, or a kind that is named."""
    kind = None if effect.kind is None else engine.value(effect.kind)
    if effect.kind is not None and kind is None:  # what was declined changes nothing
        return
    for id in _pieces(engine, effect.pieces):
        to = _on_ladder(engine, id, 1) if kind is None else _kind(kind)
        if to != multiverse_of(engine.state).pieces[id].kind.upper():  # or nothing happens
            _happens(engine, "promoted", id, kind=to)


@_on_pieces("demote {pieces}", example="demote demotable(player)", makes="demoted removed")
def demote(engine: Engine, effect: Any) -> None:
    """Let pieces become the kind before on the ladder; the lowest vanish."""
    for id in _pieces(engine, effect.pieces):
        if to := _on_ladder(engine, id, -1):
            _happens(engine, "demoted", id, kind=to)
        else:
            _happens(engine, "removed", id)


@_on_pieces("crown {pieces}", example='crown square_named("white.d1").piece', makes="crowned")
def crown(engine: Engine, effect: Any) -> None:
    """Let pieces be royal, whatever their kind is."""
    _crowned(engine, effect, royal=True)


@_on_pieces("uncrown {pieces}", example='uncrown square_named("white.e1").piece', makes="crowned")
def uncrown(engine: Engine, effect: Any) -> None:
    """Let pieces not be royal, whatever their kind is."""
    _crowned(engine, effect, royal=False)


def _crowned(engine: Engine, effect: Any, *, royal: bool) -> None:
    for id in _pieces(engine, effect.pieces):
        if multiverse_of(engine.state).pieces[id].royal is not royal:
            _happens(engine, "crowned", id, royal=royal)


@_by_people(
    "place {kind} of {army} at {square}",
    example='place "N" of army_named("white") at square_named("white.e4")',
    makes="placed",
    kind=One(TEXT, "a kind of piece"),
    army=One(ARMY, "whose piece it is"),
    square=One(SQUARE, "where it is placed", or_none=True),
)
def place(engine: Engine, effect: Any) -> None:
    """Place a new piece."""
    kind, army = _kind(engine.value(effect.kind)), id_in(engine.value(effect.army), "army")
    where, position = engine.value(effect.square), multiverse_of(engine.state)
    if where is None or not reaches(engine, square_of(position, id_in(where, "square"))[0]):
        return
    at = _free(position, where)
    engine.emit(
        "placed", position.armies[army].controller, piece=position.next_id, kind=kind, army=army, square=at,
        where=position.name(*at),
    )  # fmt: skip


def _free(position: Multiverse, value: Value) -> tuple[str, int]:
    board, square = square_of(position, id_in(value, "square"))
    if square in position.standing[board]:
        raise NotDone(f"something stands on {position.name(board, square)} already")
    return board, square


@_on_pieces("remove {pieces}", example='remove army_named("white").pieces', makes="removed")
def remove(engine: Engine, effect: Any) -> None:
    """Take pieces off the boards."""
    for id in _pieces(engine, effect.pieces):
        _happens(engine, "removed", id)


@_on_pieces(
    "move {pieces} to {square}",
    example='move square_named("white.e2").piece to square_named("white.e4")',
    makes="carried",
    square=One(SQUARE, "where it is carried", or_none=True),
)
def move(engine: Engine, effect: Any) -> None:
    """Carry a piece to an empty square."""
    where = engine.value(effect.square)
    for id in _pieces(engine, effect.pieces) if where is not None else ():
        piece = multiverse_of(engine.state).pieces[id]
        if (piece.board, piece.square) == square_of(multiverse_of(engine.state), id_in(where, "square")):
            continue  # it is there already
        to = _free(multiverse_of(engine.state), where)
        if not reaches(engine, to[0]):
            break
        _carry(engine, {id: to})


def _carry(engine: Engine, to: Mapping[int, tuple[str, int]]) -> None:
    """Record one journey of several pieces; rules answer for each of them."""
    if to:
        each = tuple({"piece": id} for id in to)
        engine.emit("carried", each=each, to=tuple(to.items()))


@_on_pieces(
    "shift {pieces} {around} by {step}",
    example='shift pieces_on_rank(board_named("white"), 2) by [0, 1]',
    makes="carried",
    around=Flag("around"),
    step=One(list_of(NUMBER), "a step: files to the right, ranks ahead"),
)
def shift(engine: Engine, effect: Any) -> None:
    """Let pieces go so far on their boards, all at once; one that cannot stays, or goes around, over the edges."""
    step, position = engine.value(effect.step), multiverse_of(engine.state)
    if len(step) != 2 or not all(isinstance(one, int) and abs(one) <= MAX_SIZE for one in step):
        raise Undecided("a step is two whole numbers: files to the right, ranks ahead")
    boards = {name: one.geometry for name, one in position.boards.items()}
    if effect.around:
        boards = {name: replace(one, wraps="both") for name, one in boards.items()}
    to: dict[int, tuple[str, int]] = {}
    for id in _pieces(engine, effect.pieces):
        piece = position.pieces[id]
        square = boards[piece.board].step(piece.square, *step)
        if square is not None:
            to[id] = (piece.board, square)
    while blocked := [id for id, where in to.items() if _is_taken(position, to, id, where)]:
        for id in blocked:
            del to[id]
    at = {id: (position.pieces[id].board, position.pieces[id].square) for id in to}
    _carry(engine, {id: where for id, where in to.items() if where != at[id]})


def _is_taken(position: Multiverse, to: Mapping[int, tuple[str, int]], id: int, where: tuple[str, int]) -> bool:
    there = position.standing[where[0]].get(where[1])
    stays = there is not None and there.id not in to and there.id != id
    return stays or any(other != id and place == where for other, place in to.items())


@_on_pieces(
    "convert {pieces} to {army}",
    example='convert army_named("white").pieces to army_named("yellow")',
    makes="converted",
    army=One(ARMY, "what a piece goes over to"),
)
def convert(engine: Engine, effect: Any) -> None:
    """Let pieces go over to an army."""
    army = id_in(engine.value(effect.army), "army")
    for id in _pieces(engine, effect.pieces):
        position = multiverse_of(engine.state)
        if position.pieces[id].army != army:
            engine.emit("converted", position.armies[army].controller, **about(engine.state, id), army=army)


@_by_people(
    "give {armies} to {who}",
    example='give army_named("white") to player',
    makes="army_lost army_taken",
    armies=Some(ARMY, "armies are needed here"),
    who=Players(),
)
def give(engine: Engine, effect: Any) -> None:
    """Let an army come under somebody's control."""
    players = names_of(engine.value(effect.who))
    if len(players) != 1 or players[0] not in engine.state.playing:
        raise Undecided("an army is given to one player who is in the game")
    for name in ids_in(engine.value(effect.armies), "army"):
        army, player = multiverse_of(engine.state).armies[name], players[0]
        if not reaches(engine, army.home):
            continue
        if army.controller != player or army.name in engine.state.mated:  # or nothing happens
            engine.emit("army_taken", player, army=army.name)
        if army.controller != player:
            engine.emit("army_lost", army.controller, army=army.name)


_NOT_GROWTH = within("a growth in ranks", -MAX_SIZE, MAX_SIZE)
#: What a number is that is none of squares around a board.
NOT_A_RING = within("a ring of squares", 1, MAX_SIZE)


@_by_people(
    "grow {boards} {around} by {ranks}",
    example="grow boards by 1",
    makes="grown",
    boards=Some(BOARD, "boards are needed here"),
    around=Flag("around"),
    ranks=One(NUMBER, "by how many ranks", misfit=_NOT_GROWTH),
)
def grow(engine: Engine, effect: Any) -> None:
    """Let boards have so many ranks more; around, a ring of squares, which are named anew from the corner."""
    by = engine.value(effect.ranks)
    if wrong := (NOT_A_RING if effect.around else _NOT_GROWTH)(by):
        raise Undecided(wrong)
    for name in ids_in(engine.value(effect.boards), "board"):
        if not reaches(engine, name):
            continue
        try:
            grown = multiverse_of(engine.state).boards[name].geometry.grow(**sides(by, effect.around))[0]
        except MultiverseError as error:
            raise Undecided(str(error)) from None
        check_join(engine.state, name, grown.ranks)
        if by:  # or nothing happens
            engine.emit("grown", board=name, ranks=by, data={"around": effect.around})


def check_join(state: State, name: str, ranks: int) -> None:
    """Refuse a half-board that is too deep to be pushed together with the others."""
    boards = multiverse_of(state).boards
    if name in boards and not boards[name].half:
        return
    deepest = max((one.geometry.ranks for one in boards.values() if one.half and one.name != name), default=0)
    if ranks + deepest > MAX_SIZE:
        raise Undecided(f"two half-boards pushed together have at most {MAX_SIZE} ranks, not {ranks + deepest}")
