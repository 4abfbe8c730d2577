"""The action of moving, and how the moves of a turn go on by themselves: over, mated or stuck."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any, TypeAlias

from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import BoardMove, Piece
from nomic_nb.chess.play.boards import TurnMoves, multiverse_of
from nomic_nb.chess.play.captures import EXPLOSION_RESULTS, HAND_RESULTS, capture_case, pieces_in_blast
from nomic_nb.chess.play.events import piece_event_data, reshape_boards
from nomic_nb.chess.play.functions import movement_rules, push_under_law
from nomic_nb.chess.play.legal import (
    MoveOption,
    PushOption,
    joinable_boards,
    kings_found_in_check,
    move_options,
    moves_and_drops,
    push_options,
    pushes_if_mated,
    pushes_of_mated_army,
    record_checks,
    record_mate_or_replacement,
    record_mates_on_push,
    record_own_mate,
    resolve_own_mate,
)
from nomic_nb.chess.play.move_errors import matches_named_move, read_move, refuse_move
from nomic_nb.chess.play.records import MOVE_CASE, NO_BOARDS_MESSAGE, is_royal, referenced_id
from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.law.clauses import IncorporateClause
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.law.values import ThingRef, Value
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.adoptability import is_duty_open
from nomic_nb.engine.play.agenda_items import AgendaItem
from nomic_nb.engine.play.declarations import OptionField, OtherPlayersField, action
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Cause, cause_of
from nomic_nb.engine.play.permissions import (
    check_undisturbed,
    not_your_turn_message,
    others_first_message,
    refuse,
    refuse_not_owed,
)
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import PLAYER_FIELDS, Turn
from nomic_nb.engine.words import verb_phrase

#: Tells whether something that players can do surely brings about that something is so, and whether something may.
HelpTest: TypeAlias = Callable[[Engine, Callable[[State], bool]], tuple[bool, bool]]


@action("pushed", MOVE_CASE, owed=True, gist=PLAYER_FIELDS)
def move(engine: Engine, player: str, text: OptionField, push: OtherPlayersField = None) -> None:
    """Make a move on the boards."""
    check_undisturbed(engine.state)
    engine.enter_turn_of(player, "move")
    state = engine.state
    _check_move_owed(state, player)
    named = read_move(state, player, text, push)
    options = move_options(state)
    fitting = [option for option in options if matches_named_move(option, named)][:1]
    if not fitting and not named.boards:
        fitting = [option for option in options if option.said.casefold() == named.text.casefold()]
    if len({frozenset(option.push.boards) for option in fitting}) == 1:
        make_move(engine, player, fitting[0])
        return
    if fitting:
        rule = state.find("move.boards_joined", army=fitting[0].push.army.name).rule
        raise IllegalAction(
            "move-fits-several-pairs",
            "{move} can be played on several pairs of boards. Put the boards that you push together before it",
            move=text,
            rule=rule,
            options=[str(option) for option in fitting],
        )
    refuse_move(state, named, options)


def _check_move_owed(state: State, player: str) -> None:
    """Refuse a move by a player who does not owe one now."""
    go = state.current_turn
    if state.position is None:
        refuse(NO_BOARDS_MESSAGE)
    owed = go is not None and any(duty.player == player and "move" in duty.fulfilling_actions for duty in go.duties)
    if go is not None and owed and not any(waiting.turn == go.number for waiting in state.blocking_waits):
        return
    if go is not None and go.player != player:
        refuse(not_your_turn_message(go.player, player), state.find("turn.sequence").rule)
    if state.blocking_waits:
        first = state.blocking_waits[0]
        refuse(others_first_message(first.player), first.rule)
    refuse_not_owed(state, player, "move")


# -------------------------------------------------------------------------------------------- performing


def make_move(engine: Engine, player: str, option: MoveOption) -> None:
    """Make a legal move, or push boards alone where a king is mated on them, with all events that follow."""
    board_move = option.move
    if board_move is None:
        resolve_own_mate(engine, player, option.push)
        return
    boards, before = board_move.push, engine.state
    engine.emit("pushed", player, army=board_move.army, push=boards, text=board_move.text)
    record_mates_on_push(engine, board_move.army, player, boards)
    if board_move.dropped:
        state, engine.cause = engine.state, None
        kind, target = state.gone[board_move.piece].kind.upper(), multiverse_of(state).name(*board_move.target)
        engine.emit("dropped", player, env={"target": target}, **asdict(board_move), kind=kind, uci=option.uci)
    else:
        _move_piece(engine, player, option, board_move)
    position = multiverse_of(engine.state)  # on a whole board, the next move is the next one there
    elsewhere = (has.piece for has in position.passings if not (position.boards[has.board].half or has.board in boards))
    expire_passings(engine, "next move", board_move.piece, *elsewhere)
    record_checks(engine, board_move, player, before)


def _move_piece(engine: Engine, player: str, option: MoveOption, board_move: BoardMove) -> None:
    """Move a piece on the boards, with its captures and its promotion."""
    position = multiverse_of(engine.state)
    results = [_result_of_capture(engine, player, board_move, id) for id in board_move.taken]
    kept = [id for id, (what, *_) in zip(board_move.taken, results, strict=True) if what in ("convert", "instead")]
    engine.cause = None
    engine.emit(
        "moved", player,
        env={"origin": position.name(*board_move.origin), "target": position.name(*board_move.target)},
        **asdict(board_move), kept=kept, uci=option.uci,
    )  # fmt: skip
    lost = [
        piece
        for id, result in zip(board_move.taken, results, strict=True)
        for piece in _capture_piece(engine, player, board_move, id, *result)
    ]
    _record_mates_by_capture(engine, player, lost)
    if board_move.promotion and board_move.piece in multiverse_of(engine.state).pieces:
        was = {
            **piece_event_data(engine.state, board_move.piece),
            "was": position.pieces[board_move.piece].kind.upper(),
        }
        engine.emit("promoted", player, **was, kind=board_move.promotion.upper())


def _result_of_capture(
    engine: Engine, player: str, board_move: BoardMove, id: int
) -> tuple[str, tuple[AgendaItem, ...], dict[str, Value]]:
    """Return (what becomes of captured piece `id`, agenda items of rules that replace it, facts asked about)."""
    env = capture_case(player, board_move, id, multiverse_of(engine.state))
    sources = engine.law.replacing_clauses("captured", engine.state, env)
    if not sources:
        return str(engine.read("capture.result", **env)), (), env
    items = tuple(engine.item_of_clause(source, env) for source in sources)
    return "instead", items, env


def _capture_piece(
    engine: Engine,
    player: str,
    board_move: BoardMove,
    id: int,
    result: str,
    items: tuple[AgendaItem, ...],
    case: Mapping[str, Any],
) -> list[Piece]:
    """Record a capture, given what `_result_of_capture` returned for it; return the pieces that armies lose by it."""
    state = engine.state
    before = state.gone.get(id) or multiverse_of(state).pieces[id]
    engine.cause = items[0].cause if items else engine.cause_by_key("capture.result", **case)
    engine.emit(
        "captured", player, env=case, piece=id, kind=before.kind.upper(), of=before.army, by=board_move.piece,
        square=case["square"].id, result=result,
    )  # fmt: skip
    engine.put_last(*items)
    if result == "convert":
        engine.emit("converted", player, **piece_event_data(engine.state, id), army=board_move.army)
    elif result in HAND_RESULTS:
        _record_in_hand(engine, player, board_move, id, result)
    lost = [] if result == "instead" else [before]
    if result in EXPLOSION_RESULTS:
        lost += _explode(engine, player, board_move, royals=EXPLOSION_RESULTS[result])
    engine.cause = None
    return lost


def _record_in_hand(engine: Engine, player: str, board_move: BoardMove, id: int, result: str) -> None:
    """Record a captured piece as in its captor's or owner's hand, as `result` says, unless it is royal."""
    piece = engine.state.gone[id]
    if not movement_rules(engine.law, engine.state, board_move.army, board_move.push).royal(piece):
        army = board_move.army if result == HAND_RESULTS[0] else piece.army
        engine.emit("in_hand", player, piece=id, kind=piece.kind.upper(), army=army)


def _record_mates_by_capture(engine: Engine, player: str, lost: list[Piece]) -> None:
    """Record as mated the armies whose last royal piece is among those `lost` by a capture."""
    view, position = engine.view({}), multiverse_of(engine.state)
    kings = {piece.army: piece for piece in reversed(lost) if is_royal(view, piece)}
    for army, king in kings.items():
        left = any(is_royal(view, piece) for piece in position.pieces.values() if piece.army == army)
        if left or army in engine.state.mated or engine.read("royal.capture", push=(king.board,)) == "capture":
            continue
        captor = player
        if position.armies[army].controller == player:  # who has blown up a king of their own
            captor = referenced_id(engine.read("mate.captor", army=army, joiner=player, checkers=()), "player")
        engine.cause = engine.cause_by_key("royal.capture")
        record_mate_or_replacement(engine, captor, army, king.id)
        engine.cause = None


def _explode(engine: Engine, player: str, board_move: BoardMove, *, royals: bool) -> list[Piece]:
    """Take the capturing piece and those around it (royal ones if `royals`) off the boards; return them."""
    pieces = multiverse_of(engine.state).pieces
    gone = [
        pieces[id]
        for id in pieces_in_blast(
            push_under_law(engine.law, engine.state, board_move.army, board_move.push), board_move, royals=royals
        )
    ]
    for piece in gone:
        engine.emit("removed", player, **piece_event_data(engine.state, piece.id))
    return gone


def expire_passings(engine: Engine, moment: str, *kept: int) -> None:
    """End the en passant captures of double steps, except of pieces `kept`, if the law ends them at `moment`."""
    passings = multiverse_of(engine.state).passings
    if not passings or engine.read("passant.until") != moment:
        return
    old = [passing.piece for passing in passings if passing.piece not in kept]
    if old:
        engine.cause = engine.cause_by_key("passant.until")
        engine.emit("passed_by", pieces=old)
        engine.cause = None


def expire_passings_at_turn(engine: Engine, army: str | None, *, begins: bool) -> None:
    """End the en passant captures that expire as a turn of `army` begins (if `begins`) or ends."""
    position = multiverse_of(engine.state)
    moment = "own next turn" if begins else "end of next army's turn"
    kept = (
        passing.piece for passing in position.passings if (position.pieces[passing.piece].army == army) is not begins
    )
    expire_passings(engine, moment, *kept)


def end_moves_if_none_left(engine: Engine, go: Turn, can_bring_about: HelpTest) -> bool:
    """End the moves of turn `go` if no move can be made, recording any mate; return whether they were ended.

    Parameters
    ----------
    engine : Engine
    go : Turn
    can_bring_about : callable
        Tells whether something that somebody can do first surely brings something about, and whether it may.
    """
    state = engine.state
    if state.position is None or go.over:
        return False
    owed = [duty for duty in go.duties if "move" in duty.fulfilling_actions and duty.player == go.player]
    if not owed:
        return False
    pushes = push_options(state)
    if any(way.moves for way in pushes) or pushes_of_mated_army(state, pushes):
        return False
    begun = go.march is not None and bool(go.march.pushes)  # by moving, then, is done what is owed
    others = [action_name for action_name in owed[0].fulfilling_actions if action_name != "move"] if not begun else []
    if any(is_duty_open(state, go.player, other) for other in others):  # which is still open in place of a move
        return False
    if go.march is None:
        engine.cause = engine.cause_by_key("turn.parts")
        return _end_moves(engine, go.player, f"{go.player} has no army")
    return _record_mate_on_turn(engine, go.player, pushes) or _end_stuck_moves(
        engine, go.player, go.march, pushes, can_bring_about
    )


def _do_rules_alone_block(state: State, armies: Iterable[str]) -> bool:
    """Tell whether only rules keep these armies from moving, since chess allows them a move."""
    position = multiverse_of(state)
    return any(
        moves_and_drops(state, push_under_law(state.law, state, army, boards))
        for army in armies
        for boards in joinable_boards(state, position, army)
    )


def _end_moves(engine: Engine, player: str, note: str) -> bool:
    """Record that a player makes no more moves in this turn, with a note why; always return True."""
    engine.emit("moves_made", player, note=note)
    return True


def _record_mate_on_turn(engine: Engine, player: str, pushes: tuple[PushOption, ...]) -> bool:
    """Record that the army on turn is mated, if it is; return whether it is."""
    pairs = pushes_if_mated(engine.state, pushes)
    if not pairs:
        return False
    checked = any(kings_found_in_check(engine.law, engine.state, pairs[0].army.name, push.boards) for push in pairs)
    (resolve_own_mate if checked else record_own_mate)(engine, player, pairs[0])
    return True


def _end_stuck_moves(
    engine: Engine, player: str, march: TurnMoves, pushes: tuple[PushOption, ...], can_bring_about: HelpTest
) -> bool:
    """End moves, or play, as no army on turn can move; return True, or False if players may yet enable a move.

    If something has to be done before the army can move, play waits for that.
    """
    position = multiverse_of(engine.state)
    left = [army for army in march.armies if position.armies[army].controller == player]
    there = position.armies_on(position.boards)
    standing = [army for army in left if army in there]
    if march.pushes or not (pushes or standing):
        pairs = ", ".join("+".join(way.push.boards) for way in pushes)
        none = (
            f"{verb_phrase(left, 'has', 'have')} no piece to move"
            if left
            else f"{player} has none of the armies that they had before"
        )
        return _end_moves(engine, player, f"no legal move on {pairs}" if pushes else "" if march.pushes else none)
    army = pushes[0].push.army.name if pushes else standing[0]
    finding = engine.find("army.stuck", army=army)
    what = engine.law.value_or_undecided(finding)
    if what != "skip" or _do_rules_alone_block(engine.state, standing):
        surely, maybe = can_bring_about(engine, lambda after: any(way.moves for way in push_options(after)))
        if surely or (maybe and what != "skip"):
            return False
    if what == "ask":
        answer = engine.law.ruling_on("army.stuck", engine.state, {"army": ThingRef("army", army)})
        if answer is None:
            raise Undecided(
                _no_move_message(engine, army), finding=Finding("army.stuck", what, "undecided", finding.sources)
            )
        what = answer.value
    engine.cause = engine.cause_by_key("army.stuck", army=army)
    if what == "play cannot continue":
        engine.emit("stuck", player)
        return True
    return _end_moves(engine, player, f"army {army} has no legal move")


def _no_move_message(engine: Engine, army: str) -> Message:
    """Return the message that an army cannot move, and which rules leave open what follows."""
    state = engine.state
    rules = [engine.law.find("may.skip", state, {}).rule, engine.law.find("win.when_stuck", state, {}).rule]
    rules += [
        rule.number
        for rule in state.rules.in_force
        if any(isinstance(each, IncorporateClause) for each in rule.clauses)
    ]
    numbers = [str(rule) for rule in rules if rule is not None]
    return say(
        "army-without-move-may-not-pass",
        "army {army} has no legal move on any boards it can push, and may not pass{rules}",
        army=army,
        rules=f" (rules {', '.join(numbers)})" if numbers else "",
    )


#: The terms that give boards their form.
BOARD_FORM_KEYS = frozenset(("join.how", "board.wraps", "board.holes"))


def reshape_by_law(engine: Engine) -> bool:
    """Give boards the joins, edges and holes that the law says; return whether that changed anything.

    The law is asked as if no rule gave them any, so no form depends on itself.
    """
    position = engine.state.position
    if position is None or (engine.moments and engine.moments[-1][0].kind == "reshaped"):
        return False  # what gives boards another form is done once, and not again and again without end
    reads = sorted({name for key in BOARD_FORM_KEYS for name in engine.law.dependence.fields_read(key)})
    form = engine.law.find_with_memory(
        "form of boards", ("position", *reads), engine.state, (0, "board.holes"),
        lambda: _find_new_form(engine, position, looks=not {"position", "*"}.isdisjoint(reads)),
    )  # fmt: skip
    if form is None:
        return False
    engine.cause, changes = form
    engine.emit("reshaped", **changes)
    return True


def _find_new_form(engine: Engine, position: Multiverse, *, looks: bool) -> tuple[Cause | None, dict[str, Any]] | None:
    """Return the cause and the data of a new form that the law gives boards; None if it gives them no other.

    `looks` tells whether the law looks at the boards for it.
    """
    halves = any(board.half for board in position.boards.values())
    plain = (
        reshape_boards(engine.state, Multiverse.join if halves else position.join, "", {}) if looks else engine.state
    )
    join, wraps = (engine.law.find(key, plain, {}) for key in ("join.how", "board.wraps"))
    joined = engine.law.value_or_undecided(join) if halves else position.join
    wrapped = "" if (wraps_value := engine.law.value_or_undecided(wraps)) == "none" else wraps_value
    missing = engine.law.find("board.holes", plain, {})
    holes = _holes_by_board(engine, missing, position)
    shapes = [(board.geometry.wraps, board.geometry.holes) for board in position.boards.values()]
    if joined == position.join and shapes == [(wrapped, frozenset(holes.get(board, ()))) for board in position.boards]:
        return None
    cause = cause_of(join if joined != position.join else missing if holes else wraps)
    return cause, {"join": joined, "wraps": wrapped, "holes": holes}


def _holes_by_board(engine: Engine, finding: Finding, position: Multiverse) -> dict[str, list[int]]:
    """Return, by board, the numbers of the squares that the law makes holes."""
    answer = engine.law.ruling_on("board.holes", engine.state, {})
    emptied = ""
    for value in (engine.law.value_or_undecided(finding), *([answer.value] if answer is not None else [])):
        holes = _empty_named_squares(position, value)
        emptied = next((name for name, at in holes.items() if len(at) == position.boards[name].geometry.size), "")
        if not emptied:
            return holes
    doubt = Finding("board.holes", finding.value, "undecided", finding.sources)
    raise Undecided("board-without-squares-left", "{board} would have no squares left", board=emptied, finding=doubt)


def _empty_named_squares(position: Multiverse, names: Any) -> dict[str, list[int]]:
    """Return, by board, the numbers of those named squares that exist and have no piece on them."""
    free: dict[str, set[int]] = {}
    for name in names:
        board, _, square = str(name).rpartition(".")
        if board not in position.boards:
            continue  # a hole in a board that is not there is none
        geometry = position.boards[board].geometry
        try:
            number = type(geometry)(geometry.files, geometry.ranks).square(square)
        except MultiverseError:
            continue  # nor is one in a square that is not there
        if number not in position.standing[board]:
            free.setdefault(board, set()).add(number)
    return {name: sorted(at) for name, at in free.items()}
