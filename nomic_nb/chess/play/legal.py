"""Which boards can be pushed together in the current turn, and which moves are legal on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from functools import cached_property
from itertools import islice
from operator import attrgetter, is_
from typing import TypeAlias, cast

from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import BoardMove, BoardNames, Place
from nomic_nb.chess.multiverse.pushes import Push, possible_pushes
from nomic_nb.chess.play.boards import TurnMoves, multiverse_of
from nomic_nb.chess.play.captures import legal_drops
from nomic_nb.chess.play.events import PUSH_ONLY
from nomic_nb.chess.play.functions import armies_named_by_key, push_under_law
from nomic_nb.chess.play.records import current_turn_moves, referenced_id
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.nodes import CURRENT_METER, StepMeter, without_costly_clauses
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.values import ThingRef, Value
from nomic_nb.engine.play.effects import replace_result
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.permissions import permission_or_undecided
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import Turn

# -------------------------------------------------------------------------------------------------- check and mate


#: Kings in check by army, by the number of the king, with the pieces that attack it.
CheckedKings: TypeAlias = Mapping[str, Mapping[int, tuple[int, ...]]]


def armies_open_to_check_by(law: Law, state: State, army: str, boards: BoardNames) -> tuple[str, ...]:
    """Return the armies on these boards to which `army` can give check by law, in batting order."""
    there = multiverse_of(state).armies_on(boards)
    return tuple(
        other
        for other in there
        if other != army and army in armies_named_by_key(law, state, "check.from", other, boards)
    )


def kings_found_in_check(law: Law, state: State, army: str, boards: BoardNames) -> CheckedKings:
    """Return, by army, the enemy kings in check on boards, with attackers; none unless that is mate by law."""
    if law.answer("check.enemy_on_push", state, {"army": army, "push": boards}) != "mate":
        return {}
    others = armies_open_to_check_by(law, state, army, boards)
    return {other: checkers for other in others if (checkers := push_under_law(law, state, other, boards).checkers())}


def record_mate(engine: Engine, army: str, joiner: str, king: int, checkers: tuple[int, ...]) -> None:
    """Record that `king` of an army is mated; the law says who gets the army, with the player on turn as `joiner`."""
    state = engine.state
    if army in state.mated:
        return
    by = [multiverse_of(state).pieces[id].army for id in checkers]
    latest = tuple(fromkey for fromkey in dict.fromkeys((*state.last_moved, *by)) if fromkey in by)
    captor = referenced_id(engine.read("mate.captor", army=army, joiner=joiner, checkers=latest), "player")
    record_mate_or_replacement(engine, captor, army, king, checkers)


def record_mate_or_replacement(
    engine: Engine, captor: str, army: str, king: int, checkers: tuple[int, ...] = ()
) -> None:
    """Record that an army is mated and goes to the player `captor`, unless a rule replaces that."""
    case = {
        "player": ThingRef("player", captor), "army": ThingRef("army", army),
        "checkers": tuple(ThingRef("piece", id) for id in checkers),
    }  # fmt: skip
    if not replace_result(engine, "mated", captor, army, case):
        engine.emit("mated", captor, army=army, king=king, checkers=checkers)


def moves_and_drops(state: State, push: Push) -> list[BoardMove]:
    """Return the moves and drops that movement and check allow on boards, including those that `may.move` forbids."""
    moves = [*push.moves(), *legal_drops(state, push)]
    if state.read("royal.capture", push=push.boards) == "never":
        moves = [move for move in moves if not captures_royal(push, move)]
    return moves


def captures_royal(push: Push, move: BoardMove) -> bool:
    """Tell whether a move captures a royal piece."""
    return any(push.law.royal(push.state.pieces[id]) for id in move.taken)


def record_mates_on_push(engine: Engine, army: str, player: str, boards: BoardNames) -> None:
    """Record as mated the enemy kings in check on boards that a player pushes, if the law calls that mate."""
    for other, kings in kings_found_in_check(engine.law, engine.state, army, boards).items():
        engine.cause = engine.cause_by_key("check.enemy_on_push", army=army, push=boards)
        for king, checkers in kings.items():
            record_mate(engine, other, player, king, checkers)


def resolve_own_mate(engine: Engine, player: str, push: Push) -> None:
    """Record a push, then mates of enemy kings in check on it, then that of the player's own king."""
    army = push.army.name
    engine.cause = engine.cause_by_key("check.own_on_push", army=army, push=push.boards)
    engine.emit("pushed", player, army=army, push=push.boards, text=PUSH_ONLY)
    record_mates_on_push(engine, army, player, push.boards)
    record_own_mate(engine, player, push)


def record_own_mate(engine: Engine, player: str, push: Push) -> None:
    """Record that the army that pushes is mated by its attackers on the push, and makes no more moves."""
    army = push.army.name
    engine.cause = engine.cause_by_key("check.own_on_push", army=army)
    king, checkers = next(iter(push.checkers().items()))
    record_mate(engine, army, player, king, checkers)
    engine.emit("moves_made", player, note=f"{army} is mated")


def record_checks(engine: Engine, move: BoardMove, player: str, before: State) -> None:
    """Record the enemy kings that a move puts in check, and mate if the law tests it after moves.

    On boards that were there `before`, and not pushed together now, a check that only stands is none of this move.
    """
    boards = move.push
    for other in armies_open_to_check_by(engine.law, engine.state, move.army, boards):
        push = push_under_law(engine.law, engine.state, other, boards)
        attacked = push.checkers() if other not in engine.state.mated else {}
        stood = push_under_law(engine.law, before, other, boards).checkers() if attacked and len(boards) == 1 else {}
        for king, checkers in attacked.items():
            if move.piece not in checkers and {*checkers} <= {*stood.get(king, ())}:
                continue
            engine.emit("checked", player, env={"piece": king}, army=other, king=king)
        if (
            attacked
            and engine.read("mate.tested", army=other) == "after move"
            and not moves_and_drops(engine.state, push)
        ):
            engine.cause = engine.cause_by_key("mate.tested", army=other)
            king = next(iter(attacked))
            record_mate(engine, other, player, king, attacked[king])


# ------------------------------------------------------- which boards can be pushed together in the current turn


@frozen
class MoveOption:
    """A move that can be made now.

    Parameters
    ----------
    push : Push
        The boards pushed together for it.
    move : BoardMove or None
        The move; None where the boards are only pushed, because the own king is mated on them.
    """

    push: Push
    move: BoardMove | None

    @property
    def boards(self) -> str:
        """The boards as players write them: ``white+yellow``."""
        return "+".join(self.push.boards)

    @property
    def uci(self) -> str:
        """The move in UCI with squares of the joined board; empty if boards are only pushed."""
        if self.move is None:
            return ""
        if self.move.dropped:
            return f"{self.said.partition('@')[2][0]}@{self.square(self.move.target)}"
        return "".join(map(self.square, self.ends)) + self.move.promotion

    @property
    def ends(self) -> tuple[Place, Place]:
        """The (board, square) where the move begins and where it ends, as players write it."""
        move = cast(BoardMove, self.move)
        return move.origin, self.push.state.square(move.text.partition("=")[0].rpartition("-")[2])

    def square(self, where: Place) -> str:
        """Return the name, such as “e4”, that a square of one board has on the joined board."""
        return self.push.geometry.name(self.push.local(*where))

    @property
    def said(self) -> str:
        """The move as players write it, without the boards: ``white.e2-white.e4``."""
        return PUSH_ONLY if self.move is None else self.move.text

    def __str__(self) -> str:
        return self._written

    @cached_property
    def _written(self) -> str:
        """The move as players write it, with the boards if it needs them."""
        board = self.push.state.boards[self.push.boards[0]]
        return f"{self.boards}: {self.said}" if board.half or self.move is None else self.said


@frozen
class PushOption:
    """Boards that an army can push together now, and the moves on them.

    Parameters
    ----------
    push : Push
        The boards.
    reach : str
        Which moves can be made on them: ``any`` or ``staying``.
    moves : tuple of BoardMove
        Those that can.
    """

    push: Push
    reach: str
    moves: tuple[BoardMove, ...]


def move_case(state: State, move: BoardMove) -> dict[str, Value]:
    """Return the facts of a move (army, boards, player, piece, target, captures) for asking the law."""
    position = multiverse_of(state)
    return {
        "army": move.army,
        "push": move.push,
        "player": position.armies[move.army].controller,
        "piece": move.piece,
        "target": position.name(*move.target),
        "captures": move.taken,
    }


def joinable_boards(state: State, position: Multiverse, army: str) -> list[BoardNames]:
    """Return the pairs of half-boards, and the single boards, that an army may push."""
    if not any(board.half for board in position.boards.values()):
        return possible_pushes(position, army)
    return possible_pushes(position, army, state.read("move.boards_joined", army=army))


@without_costly_clauses
def push_options(state: State) -> tuple[PushOption, ...]:
    """Return the sets of boards that can be pushed now, each with the moves that can be made on it.

    Raises
    ------
    Undecided
        The law does not say.
    """
    known, meter, basis = _KNOWN_OPTIONS.get("ways"), cast(StepMeter, CURRENT_METER.get()), _basis_of_moves(state)
    if known is not None and all(map(is_, known[0], basis)) and not meter.anew:
        meter.charge(known[2], (0, "may.move"))  # so it does not matter who looked before
        return known[1]
    before = meter.left
    pushes = _keep_forced_moves(state, tuple(_find_push_options(state)))
    if not meter.anew:
        _KNOWN_OPTIONS["ways"] = (basis, pushes, before - meter.left)
    return pushes


#: What moves can depend on: everything but what is still to be done, the number of events and the steps taken.
_basis_of_moves = attrgetter(*(field.name for field in fields(State) if field.name not in ("agenda", "seq", "work")))
#: The last answer, because the same position is asked about again and again.
_KNOWN_OPTIONS: dict[str, tuple[tuple[object, ...], tuple[PushOption, ...], int]] = {}


def _find_push_options(state: State) -> Iterator[PushOption]:
    """Yield the sets of boards that armies on turn can push, each with the moves that no rule forbids."""
    march, position = current_turn_moves(state), multiverse_of(state)
    if march is None:
        return
    mover = cast(Turn, state.current_turn).player
    for army in march.armies:
        if position.armies[army].controller != mover or len(march.pushes) >= state.read("move.count", army=army):
            continue
        for boards in joinable_boards(state, position, army):
            reach = state.read("move.on_push", army=army, push=boards)
            if reach == "none":
                continue
            push = push_under_law(state.law, state, army, boards)
            moves = _moves_in_reach(state, march, push, reach)
            if state.law.numbers_of_rules_about("may.move"):
                moves = [move for move in moves if not is_forbidden(state, move)]
            yield PushOption(push, reach, tuple(moves))


def _moves_in_reach(state: State, march: TurnMoves, push: Push, reach: str) -> list[BoardMove]:
    """Return moves and drops on a push; if `reach` is “staying”, only those on one board not pushed this turn."""
    moves = moves_and_drops(state, push)
    return moves if reach != "staying" else [move for move in moves if stays_on_unpushed_board(march, move)]


def stays_on_unpushed_board(march: TurnMoves, move: BoardMove) -> bool:
    """Tell whether a move stays on one board that was not pushed before in this turn."""
    return move.origin[0] == move.target[0] and march.pushed(move.origin[0]) == 0


def is_forbidden(state: State, move: BoardMove) -> bool:
    """Tell whether a rule forbids a move that chess would allow."""
    case = move_case(state, move) if state.law.case_names_that_matter("may.move") else {}
    finding = state.law.find("may.move", state, case)
    return finding.outcome != "silent" and permission_or_undecided(state, finding) is False


def _keep_forced_moves(state: State, pushes: tuple[PushOption, ...]) -> tuple[PushOption, ...]:
    """Return the push options with their forced moves only; unchanged if no move is forced."""
    every = (move for way in pushes for move in way.moves)
    if not state.law.case_names_that_matter("move.forced"):  # then the first move stands for all
        any(is_forced(state, move) for move in islice(every, 1))
        return pushes
    forced = {move for move in every if is_forced(state, move)}
    if not forced:
        return pushes
    return tuple(replace(way, moves=tuple(move for move in way.moves if move in forced)) for way in pushes)


def is_forced(state: State, move: BoardMove) -> bool:
    """Tell whether the law forces a move: while there is a forced move, no other can be made.

    Raises
    ------
    Undecided
        The law does not say.
    """
    return state.law.answer("move.forced", state, move_case(state, move)) is True


def move_options(state: State) -> tuple[MoveOption, ...]:
    """Return the moves that can be made now.

    Raises
    ------
    Undecided
        The law does not say.
    """
    pushes = push_options(state)
    known, moves = _LAST_MOVES[0]
    if pushes is not known:
        moves = tuple([MoveOption(way.push, move) for way in pushes for move in way.moves])
        _LAST_MOVES[0] = pushes, moves
    return moves or tuple(MoveOption(push, None) for push in pushes_of_mated_army(state, pushes))


#: The last options, and what they were made of.
_LAST_MOVES: list[tuple[tuple[PushOption, ...], tuple[MoveOption, ...]]] = [((), ())]


def pushes_if_mated(state: State, pushes: tuple[PushOption, ...]) -> tuple[Push, ...]:
    """Return all pushes on which an army has a king, if it is mated on every one of them; else an empty tuple."""
    for army in dict.fromkeys(way.push.army.name for way in pushes):
        own = (way for way in pushes if way.push.army.name == army)
        kings = tuple(way for way in own if way.push.generator.royals(way.push.view))
        tested = army not in state.mated and not state.find("mate.tested", army=army).says("never")
        if kings and tested and all(is_mate(state, way) for way in kings):
            return tuple(way.push for way in kings)
    return ()


def is_mate(state: State, option: PushOption) -> bool:
    """Tell whether an army's king is in check on these boards, and no move or drop of chess parries it.

    Where chess has one, and it cannot be made, it is a rule that forbids it: that is no mate.
    """
    push, march = option.push, cast(TurnMoves, current_turn_moves(state))
    return push.law.terms.check and bool(push.checkers()) and not _moves_in_reach(state, march, push, option.reach)


def pushes_of_mated_army(state: State, pushes: tuple[PushOption, ...]) -> tuple[Push, ...]:
    """Return the pushes from which a mated player chooses; empty if all have the same result or nobody is mated.

    Nothing is left to choose where the same kings, or none, are found in check on all of them.
    """
    pairs = pushes_if_mated(state, pushes) if not any(way.moves for way in pushes) else ()
    kings = [frozenset(kings_found_in_check(state.law, state, push.army.name, push.boards)) for push in pairs]
    return pairs if len(set(kings)) > 1 else ()
