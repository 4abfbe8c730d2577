"""The action of moving, and how the moves of a turn go on by themselves: over, mated or stuck."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any, TypeAlias

from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import BoardMove, Piece
from nomic_nb.chess.play.boards import TurnMoves, multiverse_of
from nomic_nb.chess.play.captures import EXPLOSION_RESULTS, HAND_RESULTS, blast_area, capture_case
from nomic_nb.chess.play.events import piece_data, reshape_boards
from nomic_nb.chess.play.functions import movement_rules, push_under_law
from nomic_nb.chess.play.legal import (
    MoveOption,
    PushOption,
    find_checks,
    find_mates_on_push,
    joinable_boards,
    kings_found_in_check,
    last_pushes,
    mate_or_replace,
    mating_boards,
    move_options,
    moves_and_drops,
    push_options,
    record_own_mate,
    resolve_own_mate,
)
from nomic_nb.chess.play.move_errors import is_named, read_move, refuse_move
from nomic_nb.chess.play.records import MOVE_CASE, NO_BOARDS_MESSAGE, is_royal, single_board_id
from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.law.clauses import IncorporateClause
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.law.values import ThingRef, Value
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.adoptability import find_ban
from nomic_nb.engine.play.agenda_items import AgendaItem
from nomic_nb.engine.play.declarations import OptionField, OtherPlayersField, action
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import cause_of
from nomic_nb.engine.play.permissions import (
    check_undisturbed,
    not_your_turn_error,
    others_first_error,
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
    _check_turn(state, player)
    named = read_move(state, player, text, push)
    found = move_options(state)
    fitting = [one for one in found if is_named(one, named)][:1]
    if not fitting and not named.boards:
        fitting = [one for one in found if one.said.casefold() == named.text.casefold()]
    if len({frozenset(one.push.boards) for one in fitting}) == 1:
        make_move(engine, player, fitting[0])
        return
    if fitting:
        rule = state.find("move.boards_joined", army=fitting[0].push.army.name).rule
        raise IllegalAction(
            say(
                "move-fits-several-pairs",
                "{move} can be made on several pairs of boards; say which are pushed together",
                move=text,
            ),
            rule=rule,
            options=[str(one) for one in fitting],
        )
    refuse_move(state, named, found)


def _check_turn(state: State, player: str) -> None:
    go = state.go
    if state.position is None:
        refuse(NO_BOARDS_MESSAGE)
    owed = go is not None and any(duty.player == player and "move" in duty.actions for duty in go.duties)
    if go is not None and owed and not any(one.turn == go.number for one in state.blocking_waits):
        return
    if go is not None and go.player != player:
        refuse(not_your_turn_error(go.player, player), state.find("turn.sequence").rule)
    if state.blocking_waits:
        first = state.blocking_waits[0]
        refuse(others_first_error(first.player), first.rule)
    refuse_not_owed(state, player, "move")


# -------------------------------------------------------------------------------------------- performing


def make_move(engine: Engine, player: str, option: MoveOption) -> None:
    """Make a legal move, with everything that belongs to it."""
    one = option.move
    if one is None:
        resolve_own_mate(engine, player, option.push)
        return
    boards = one.push
    engine.emit("pushed", player, army=one.army, push=boards, text=one.text)
    find_mates_on_push(engine, one.army, player, boards)
    if one.dropped:
        state, engine.cause = engine.state, None
        kind, target = state.gone[one.piece].kind.upper(), multiverse_of(state).name(*one.target)
        engine.emit("dropped", player, env={"target": target}, **asdict(one), kind=kind, uci=option.uci)
    else:
        _move_piece(engine, player, option, one)
    position = multiverse_of(engine.state)  # on a whole board, the next move is the next one there
    elsewhere = (has.piece for has in position.passings if not (position.boards[has.board].half or has.board in boards))
    forget_passings(engine, "next move", one.piece, *elsewhere)
    find_checks(engine, one.army, player, boards)


def _move_piece(engine: Engine, player: str, option: MoveOption, one: BoardMove) -> None:
    """Let a piece go its way on the boards, with what it captures and what it becomes."""
    position = multiverse_of(engine.state)
    results = [_result_of_capture(engine, player, one, id) for id in one.taken]
    kept = [id for id, (what, *_) in zip(one.taken, results, strict=True) if what in ("convert", "instead")]
    engine.cause = None
    engine.emit(
        "moved", player,
        env={"origin": position.name(*one.origin), "target": position.name(*one.target)},
        **asdict(one), kept=kept, uci=option.uci,
    )  # fmt: skip
    lost = [
        piece
        for id, result in zip(one.taken, results, strict=True)
        for piece in _capture_piece(engine, player, one, id, *result)
    ]
    _mate_by_capture(engine, player, lost)
    if one.promotion and one.piece in multiverse_of(engine.state).pieces:
        was = {**piece_data(engine.state, one.piece), "was": position.pieces[one.piece].kind.upper()}
        engine.emit("promoted", player, **was, kind=one.promotion.upper())


def _result_of_capture(
    engine: Engine, player: str, one: BoardMove, id: int
) -> tuple[str, tuple[AgendaItem, ...], dict[str, Value]]:
    """Return what becomes of a piece that is captured, what a rule puts in place of that, and the case."""
    env = capture_case(player, one, id, multiverse_of(engine.state))
    sources = engine.law.replacing_clauses("captured", engine.state, env)
    if not sources:
        return str(engine.read("capture.result", **env)), (), env
    items = tuple(engine.find_replacement(source, env) for source in sources)
    return "instead", items, env


def _capture_piece(
    engine: Engine,
    player: str,
    one: BoardMove,
    id: int,
    what: str,
    items: tuple[AgendaItem, ...],
    case: Mapping[str, Any],
) -> list[Piece]:
    """Let a piece be captured; return those that leave their armies by it, as they were."""
    state = engine.state
    before = state.gone.get(id) or multiverse_of(state).pieces[id]
    engine.cause = items[0].cause if items else engine.cite("capture.result", **case)
    engine.emit(
        "captured", player, env=case, piece=id, kind=before.kind.upper(), of=before.army, by=one.piece,
        square=case["square"].id, result=what,
    )  # fmt: skip
    engine.then(*items)
    if what == "convert":
        engine.emit("converted", player, **piece_data(engine.state, id), army=one.army)
    elif what in HAND_RESULTS:
        _put_into_hand(engine, player, one, id, what)
    lost = [] if what == "instead" else [before]
    if what in EXPLOSION_RESULTS:
        lost += _explode(engine, player, one, royals=EXPLOSION_RESULTS[what])
    engine.cause = None
    return lost


def _put_into_hand(engine: Engine, player: str, one: BoardMove, id: int, what: str) -> None:
    """Put a captured piece into a hand, unless it is royal."""
    piece = engine.state.gone[id]
    if not movement_rules(engine.law, engine.state, one.army, one.push).royal(piece):
        army = one.army if what == HAND_RESULTS[0] else piece.army
        engine.emit("in_hand", player, piece=id, kind=piece.kind.upper(), army=army)


def _mate_by_capture(engine: Engine, player: str, lost: list[Piece]) -> None:
    """Take armies as mated that lost their last royal pieces by a capture, unless the law lets them play on without."""
    view, position = engine.view({}), multiverse_of(engine.state)
    kings = {piece.army: piece for piece in reversed(lost) if is_royal(view, piece)}
    for army, king in kings.items():
        left = any(is_royal(view, piece) for piece in position.pieces.values() if piece.army == army)
        if left or army in engine.state.mated or engine.read("royal.capture", push=(king.board,)) == "capture":
            continue
        captor = player
        if position.armies[army].controller == player:  # who has blown up a king of their own
            captor = single_board_id(engine.read("mate.captor", army=army, joiner=player, checkers=()), "player")
        engine.cause = engine.cite("royal.capture")
        mate_or_replace(engine, captor, army, king.id)
        engine.cause = None


def _explode(engine: Engine, player: str, one: BoardMove, *, royals: bool) -> list[Piece]:
    """Take off the capturing piece and what stands around it, but for pawns and, unless they go too, royal pieces."""
    pieces = multiverse_of(engine.state).pieces
    gone = [
        pieces[id]
        for id in blast_area(push_under_law(engine.law, engine.state, one.army, one.push), one, royals=royals)
    ]
    for piece in gone:
        engine.emit("removed", player, **piece_data(engine.state, piece.id))
    return gone


def forget_passings(engine: Engine, moment: str, *but: int) -> None:
    """Forget double steps that can be answered no longer, where the law ends it at this moment."""
    passings = multiverse_of(engine.state).passings
    if not passings or engine.read("passant.until") != moment:
        return
    old = [one.piece for one in passings if one.piece not in but]
    if old:
        engine.cause = engine.cite("passant.until")
        engine.emit("passed_by", pieces=old)
        engine.cause = None


def forget_passings_at_turn(engine: Engine, army: str | None, *, begins: bool) -> None:
    """Forget double steps when an army's turn begins, those that it made in its last one; when it ends, the others."""
    position = multiverse_of(engine.state)
    moment = "own next turn" if begins else "end of next army's turn"
    kept = (one.piece for one in position.passings if (position.pieces[one.piece].army == army) is not begins)
    forget_passings(engine, moment, *kept)


def continue_moves(engine: Engine, go: Turn, helps: HelpTest) -> bool:
    """Let the moves of a turn go on by one event, where nobody can make one; tell whether it did.

    Parameters
    ----------
    engine : Engine
    go : Turn
    helps : callable
        Tells whether something that somebody can do first surely brings something about, and whether it may.
    """
    state = engine.state
    if state.position is None or go.over:
        return False
    owed = [duty for duty in go.duties if "move" in duty.actions and duty.player == go.player]
    if not owed:
        return False
    found = push_options(state)
    if any(way.moves for way in found) or last_pushes(state, found):
        return False
    begun = go.march is not None and bool(go.march.pushes)  # by moving, then, is done what is owed
    others = [one for one in owed[0].actions if one != "move"] if not begun else []
    if any(find_ban(state, go.player, one) is None for one in others):  # which is still open in place of a move
        return False
    if go.march is None:
        engine.cause = engine.cite("turn.parts")
        return _end_moves(engine, go.player, f"{go.player} has no army")
    return _record_mates(engine, go.player, found) or _end_stuck_moves(engine, go.player, go.march, found, helps)


def _are_held_by_rules(state: State, armies: Iterable[str]) -> bool:
    """Tell whether rules alone keep armies from moving: as chess goes, one of them has a move."""
    position = multiverse_of(state)
    return any(
        moves_and_drops(state, push_under_law(state.law, state, army, boards))
        for army in armies
        for boards in joinable_boards(state, position, army)
    )


def _end_moves(engine: Engine, player: str, note: str) -> bool:
    engine.emit("moves_made", player, note=note)
    return True


def _record_mates(engine: Engine, player: str, found: tuple[PushOption, ...]) -> bool:
    """Take an army as mated whose king is in check, with no answer to it, on whatever boards it is pushed."""
    pairs = mating_boards(engine.state, found)
    if not pairs:
        return False
    checked = any(kings_found_in_check(engine.law, engine.state, pairs[0].army.name, push.boards) for push in pairs)
    (resolve_own_mate if checked else record_own_mate)(engine, player, pairs[0])
    return True


def _end_stuck_moves(
    engine: Engine, player: str, march: TurnMoves, found: tuple[PushOption, ...], helps: HelpTest
) -> bool:
    """End the moves of a turn where none is left; ask, or what the law says, where there never was one.

    If something has to be done before the army can move, play waits for that.
    """
    position = multiverse_of(engine.state)
    left = [army for army in march.armies if position.armies[army].controller == player]
    there = position.armies_on(position.boards)
    standing = [army for army in left if army in there]
    if march.pushes or not (found or standing):
        pairs = ", ".join("+".join(way.push.boards) for way in found)
        none = (
            f"{verb_phrase(left, 'has', 'have')} no piece to move"
            if left
            else f"{player} has no army that was theirs before"
        )
        return _end_moves(engine, player, f"no legal move on {pairs}" if found else "" if march.pushes else none)
    army = found[0].push.army.name if found else standing[0]
    finding = engine.find("army.stuck", army=army)
    what = engine.law.settled(finding)
    if what != "skip" or _are_held_by_rules(engine.state, standing):
        surely, maybe = helps(engine, lambda after: any(way.moves for way in push_options(after)))
        if surely or (maybe and what != "skip"):
            return False
    if what == "ask":
        answer = engine.law.ruling_on("army.stuck", engine.state, {"army": ThingRef("army", army)})
        if answer is None:
            raise Undecided(_report_no_move(engine, army), Finding("army.stuck", what, "undecided", finding.sources))
        what = answer.value
    engine.cause = engine.cite("army.stuck", army=army)
    if what == "play cannot continue":
        engine.emit("stuck", player)
        return True
    return _end_moves(engine, player, f"army {army} has no legal move")


def _report_no_move(engine: Engine, army: str) -> Message:
    """Say that an army cannot move, with the rules that leave it open what follows."""
    state = engine.state
    rules = [engine.law.find("may.skip", state, {}).rule, engine.law.find("win.when_stuck", state, {}).rule]
    rules += [
        one.number for one in state.rules.in_force if any(isinstance(each, IncorporateClause) for each in one.clauses)
    ]
    numbers = [str(one) for one in rules if one is not None]
    return say(
        "army-without-move-may-not-pass",
        "army {army} has no legal move on any boards that it can push, and may not pass{rules}",
        army=army,
        rules=f" (rules {', '.join(numbers)})" if numbers else "",
    )


#: The terms that give boards their form.
FORM = frozenset(("join.how", "board.wraps", "board.holes"))


def reshape(engine: Engine) -> bool:
    """Give the boards the form that the law has them in; tell whether it was another.

    The law is asked as if no rule gave them any, so that no form depends on itself.
    """
    position = engine.state.position
    if position is None or (engine.moments and engine.moments[-1][0].kind == "reshaped"):
        return False  # what gives boards another form is done once, and not again and again without end
    halves = any(board.half for board in position.boards.values())
    reads = {name for key in FORM for name in engine.law.dependence.fields_read(key)}
    looks = not reads.isdisjoint(("position", "*"))
    plain = (
        reshape_boards(engine.state, Multiverse.join if halves else position.join, "", {}) if looks else engine.state
    )
    join, wraps = (engine.law.find(key, plain, {}) for key in ("join.how", "board.wraps"))
    joined = engine.law.settled(join) if halves else position.join
    wrapped = "" if (said := engine.law.settled(wraps)) == "none" else said
    missing = engine.law.find("board.holes", plain, {})
    holes = _missing_squares(engine, missing, position)
    shapes = [(one.geometry.wraps, one.geometry.holes) for one in position.boards.values()]
    if joined == position.join and shapes == [(wrapped, frozenset(holes.get(one, ()))) for one in position.boards]:
        return False
    engine.cause = cause_of(join if joined != position.join else missing if holes else wraps)
    engine.emit("reshaped", join=joined, wraps=wrapped, holes=holes)
    return True


def _missing_squares(engine: Engine, finding: Finding, position: Multiverse) -> dict[str, list[int]]:
    """Return the squares that are not there, by board; the table is asked where nothing would be left of a board."""
    answer = engine.law.ruling_on("board.holes", engine.state, {})
    emptied = ""
    for value in (engine.law.settled(finding), *([answer.value] if answer is not None else [])):
        holes = _free_squares(position, value)
        emptied = next((name for name, at in holes.items() if len(at) == position.boards[name].geometry.size), "")
        if not emptied:
            return holes
    doubt = Finding("board.holes", finding.value, "undecided", finding.sources)
    raise Undecided(say("board-without-squares-left", "{board} would have no squares left", board=emptied), doubt)


def _free_squares(position: Multiverse, names: Any) -> dict[str, list[int]]:
    """Return those squares that are there, and on which nothing stands, by board."""
    found: dict[str, set[int]] = {}
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
            found.setdefault(board, set()).add(number)
    return {name: sorted(at) for name, at in found.items()}
