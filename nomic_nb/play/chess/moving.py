"""The action of moving: boards are pushed together, kings in check are looked at, a piece moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nomic_nb.errors import IllegalAction
from nomic_nb.law.values import Value
from nomic_nb.multiverse.pieces import BoardMove
from nomic_nb.play.cases import WHO
from nomic_nb.play.chess.captures import EXPLODING, HANDS, blast, case_of_capture
from nomic_nb.play.chess.drops import perform_drop, put_in_hand
from nomic_nb.play.chess.events import about, move_data
from nomic_nb.play.chess.keys import MOVE
from nomic_nb.play.chess.legal import Option, joined_counts, options
from nomic_nb.play.chess.mates import fall, find_checks, find_mates_on_push, weep
from nomic_nb.play.chess.naming import is_named, read_move
from nomic_nb.play.chess.refusing import refuse_move
from nomic_nb.play.chess.terms import chess_of, place_of, push_of
from nomic_nb.play.declaring import Boards, Said, action
from nomic_nb.play.engine import Engine
from nomic_nb.play.pending import Item
from nomic_nb.play.permission import calm, refuse
from nomic_nb.play.state import State


@action("pushed", MOVE, owed=True, gist=WHO)
def move(engine: Engine, player: str, text: Said, push: Boards = None) -> None:
    """Make a move on the boards."""
    calm(engine.state)
    engine.take_up(player, "move")
    state = engine.state
    _check_turn(state, player)
    named = read_move(state, player, text, push)
    found = options(state)
    for option in found:
        if is_named(option, named):
            perform(engine, player, option)
            return
    fitting = [option for option in found if option.said.casefold() == named.text.casefold()]
    if len({frozenset(one.push.boards) for one in fitting}) == 1 and not named.boards:
        perform(engine, player, fitting[0])
        return
    if fitting and not named.boards:
        rule = joined_counts(state, fitting[0].push.army.name).rule
        raise IllegalAction(
            f"{text} can be made on several pairs of boards; say which are pushed together", rule=rule,
            options=[str(one) for one in fitting],
        )  # fmt: skip
    refuse_move(state, player, named, found)


def _check_turn(state: State, player: str) -> None:
    go = state.go
    if state.position is None:
        refuse("there are no boards in this game")
    owed = go is not None and any(duty.player == player and "move" in duty.actions for duty in go.duties)
    if go is not None and owed and not any(one.turn == go.number for one in state.holding_up):
        return
    if go is not None and go.player != player:
        refuse(f"it is {go.player}'s turn, not {player}'s", state.find("turn.sequence").rule)
    if state.holding_up:
        first = state.holding_up[0]
        refuse(f"{first.player or 'somebody'} has something to do first", first.rule)
    refuse(f"{player} has nothing to move now", state.find("turn.parts").rule)


# -------------------------------------------------------------------------------------------- performing


def perform(engine: Engine, player: str, option: Option) -> None:
    """Make a legal move, with everything that belongs to it."""
    one = option.move
    if one is None:
        weep(engine, player, option.push)
        return
    boards = one.push
    engine.emit("pushed", player, army=one.army, push=list(boards), text=one.text)
    find_mates_on_push(engine, one.army, player, boards)
    if one.dropped:
        perform_drop(engine, player, one, option.uci)
    else:
        _play(engine, player, option, one)
    forget_passings(engine, "next move", one.piece)
    find_checks(engine, one.army, player, boards)


def _play(engine: Engine, player: str, option: Option, one: BoardMove) -> None:
    """Let a piece go its way on the boards, with what it captures and what it becomes."""
    position = engine.state.multiverse
    results = [_result(engine, player, one, id) for id in one.taken]
    kept = [id for id, (what, *_) in zip(one.taken, results, strict=True) if what in ("convert", "instead")]
    engine.cause = None
    engine.emit(
        "moved", player,
        env={"origin": position.name(*one.origin), "target": position.name(*one.target)},
        data=move_data(one), kept=kept, uci=option.uci,
    )  # fmt: skip
    for id, result in zip(one.taken, results, strict=True):
        _captured(engine, player, one, id, *result)
    if one.promotion and one.piece in engine.state.multiverse.pieces:
        was = {**about(engine.state, one.piece), "was": position.pieces[one.piece].kind.upper()}
        engine.emit("promoted", player, **was, kind=one.promotion.upper())


def _result(engine: Engine, player: str, one: BoardMove, id: int) -> tuple[str, tuple[Item, ...], dict[str, Value]]:
    """Return what becomes of a piece that is captured, what a rule puts in place of that, and the case."""
    env = case_of_capture(player, one, id, engine.state.multiverse)
    sources = engine.law.instead_of("captured", engine.state, env)
    if not sources:
        return str(engine.read("capture.result", **env)), (), env
    items = tuple(engine.in_place_of(source, env) for source in sources)
    return "instead", items, env


def _captured(
    engine: Engine, player: str, one: BoardMove, id: int, what: str, items: tuple[Item, ...], case: Mapping[str, Any]
) -> None:
    state = engine.state
    before = state.gone.get(id) or state.multiverse.pieces[id]
    engine.cause = items[0].cause if items else engine.cite("capture.result", **case)
    engine.emit(
        "captured", player, env=case, piece=id, kind=before.kind.upper(), of=before.army, by=one.piece,
        square=case["square"].id, result=what,
    )  # fmt: skip
    engine.then(*items)
    if what == "convert":
        engine.emit("converted", player, **about(engine.state, id), army=one.army)
    elif what in HANDS:
        _to_hand(engine, player, one, id, what)
    elif what in EXPLODING:
        _explode(engine, player, one, royals=EXPLODING[what])
    _mate_by_capture(engine, player, before.army, id)
    engine.cause = None


def _to_hand(engine: Engine, player: str, one: BoardMove, id: int, what: str) -> None:
    """Put a captured piece into a hand, unless it is royal."""
    piece = engine.state.gone[id]
    if not chess_of(engine.law, engine.state, one.army, one.push).royal(piece):
        put_in_hand(engine, player, id, one.army if what == HANDS[0] else piece.army)


def _mate_by_capture(engine: Engine, player: str, army: str, id: int) -> None:
    """Take an army as mated whose last royal piece was captured, where the law does."""
    state = engine.state
    if id not in state.gone or army in state.mated:
        return
    piece = state.gone[id]
    there = place_of((piece.board,))
    if engine.read("royal.capture", **there) != "mate":
        return
    kinds = tuple(str(one) for one in engine.read("royal.kinds", **there))
    royal = [
        one
        for one in (piece, *state.multiverse.pieces.values())
        if one.army == army and (one.royal if one.royal is not None else one.kind.upper() in kinds)
    ]
    if royal == [piece]:
        engine.cause = engine.cite("royal.capture")
        fall(engine, player, army, id)


def _explode(engine: Engine, player: str, one: BoardMove, *, royals: bool) -> None:
    """Take off the capturing piece and what stands around it, but for pawns and, unless they go too, royal pieces."""
    chess, cause = chess_of(engine.law, engine.state, one.army, one.push), engine.cause
    for id in blast(push_of(engine.law, engine.state, chess, one.army, one.push), one, royals=royals):
        engine.cause, army = cause, engine.state.multiverse.pieces[id].army
        engine.emit("removed", player, **about(engine.state, id))
        _mate_by_capture(engine, player, army, id)


def forget_passings(engine: Engine, moment: str, *but: int) -> None:
    """Forget double steps that can be answered no longer, where the law ends it at this moment."""
    position = engine.state.position
    if position is None or not position.passings or engine.read("passant.until") != moment:
        return
    old = [one.piece for one in position.passings if one.piece not in but]
    if old:
        engine.cause = engine.cite("passant.until")
        engine.emit("passed_by", None, pieces=old)
        engine.cause = None


def end_of_turn(engine: Engine, army: str | None) -> None:
    """Forget, at the end of an army's turn, the double steps that were there before it."""
    position = engine.state.position
    if position is not None and position.passings:
        own = [one.piece for one in position.passings if position.pieces[one.piece].army == army]
        forget_passings(engine, "end of next army's turn", *own)


def begin_of_turn(engine: Engine, army: str | None) -> None:
    """Forget, when an army's turn begins, the double steps that it made in its last one."""
    position = engine.state.position
    if position is not None and position.passings:
        others = [one.piece for one in position.passings if position.pieces[one.piece].army != army]
        forget_passings(engine, "own next turn", *others)
