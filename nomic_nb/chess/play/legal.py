"""Which boards can be pushed together in the turn under way, and which moves are legal on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias, cast

from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import BoardMove
from nomic_nb.chess.multiverse.pushes import Push, possible_pushes
from nomic_nb.chess.play.boards import TurnMoves, multiverse_of
from nomic_nb.chess.play.captures import legal_drops
from nomic_nb.chess.play.events import PUSH_ONLY
from nomic_nb.chess.play.functions import hostile_names, push_under_law
from nomic_nb.chess.play.records import current_moves, single_board_id
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.nodes import CURRENT_METER, StepMeter, leave_out_costly
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.values import ThingRef, Value
from nomic_nb.engine.play.effects import replace_result
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.permissions import permission_value
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import Turn

# -------------------------------------------------------------------------------------------------- check and mate


#: Kings in check by army, by the number of the king, with the pieces that attack it.
CheckedKings: TypeAlias = Mapping[str, Mapping[int, tuple[int, ...]]]


def hostile_armies(law: Law, state: State, army: str, boards: tuple[str, ...]) -> tuple[str, ...]:
    """Return the armies on these boards to which an army is hostile, in batting order."""
    there = multiverse_of(state).armies_on(boards)
    return tuple(one for one in there if one != army and army in hostile_names(law, state, "check.from", one, boards))


def kings_found_in_check(law: Law, state: State, army: str, boards: tuple[str, ...]) -> CheckedKings:
    """Return the hostile kings that a push finds in check, where that is mate: by army, with what attacks them."""
    if law.answer("check.enemy_on_push", state, {"army": army, "push": boards}) != "mate":
        return {}
    others = hostile_armies(law, state, army, boards)
    return {other: found for other in others if (found := push_under_law(law, state, other, boards).checkers())}


def record_mate(engine: Engine, army: str, joiner: str, king: int, checkers: tuple[int, ...]) -> None:
    """Record that an army is mated, and who gets it."""
    state = engine.state
    if army in state.mated:
        return
    by = [multiverse_of(state).pieces[id].army for id in checkers]
    latest = tuple(one for one in dict.fromkeys((*state.last_moved, *by)) if one in by)
    captor = single_board_id(engine.read("mate.captor", army=army, joiner=joiner, checkers=latest), "player")
    mate_or_replace(engine, captor, army, king, checkers)


def mate_or_replace(engine: Engine, captor: str, army: str, king: int, checkers: tuple[int, ...] = ()) -> None:
    """Record that an army is mated and who gets it, unless a rule puts something else in place of that."""
    case: dict[str, Value] = {
        "player": ThingRef("player", captor), "army": ThingRef("army", army),
        "checkers": tuple(ThingRef("piece", id) for id in checkers),
    }  # fmt: skip
    if not replace_result(engine, "mated", captor, army, case):
        engine.emit("mated", captor, army=army, king=king, checkers=checkers)


def moves_and_drops(state: State, push: Push) -> list[BoardMove]:
    """Return the moves of chess on boards pushed together, and the drops; royal pieces fall only by law."""
    found = [*push.moves(), *legal_drops(state, push)]
    if state.read("royal.capture", push=push.boards) == "never":
        found = [one for one in found if not takes_royal(push, one)]
    return found


def takes_royal(push: Push, one: BoardMove) -> bool:
    """Tell whether a move captures a royal piece."""
    return any(push.law.royal(push.state.pieces[id]) for id in one.taken)


def find_mates_on_push(engine: Engine, army: str, player: str, boards: tuple[str, ...]) -> None:
    """Take hostile kings that stand in check when boards are pushed together as mated, where the law does."""
    for other, kings in kings_found_in_check(engine.law, engine.state, army, boards).items():
        engine.cause = engine.cite("check.enemy_on_push", army=army, push=boards)
        for king, checkers in kings.items():
            record_mate(engine, other, player, king, checkers)


def resolve_own_mate(engine: Engine, player: str, push: Push) -> None:
    """Push boards on which one's own king is mated: hostile kings that stand in check there are mated first."""
    army = push.army.name
    engine.cause = engine.cite("check.own_on_push", army=army, push=push.boards)
    engine.emit("pushed", player, army=army, push=push.boards, text=PUSH_ONLY)
    find_mates_on_push(engine, army, player, push.boards)
    record_own_mate(engine, player, push)


def record_own_mate(engine: Engine, player: str, push: Push) -> None:
    """Record that the army on turn is mated on boards pushed together, and has made its moves."""
    army = push.army.name
    engine.cause = engine.cite("check.own_on_push", army=army)
    king, checkers = next(iter(push.checkers().items()))
    record_mate(engine, army, player, king, checkers)
    engine.emit("moves_made", player, note=f"{army} is mated")


def find_checks(engine: Engine, army: str, player: str, boards: tuple[str, ...]) -> None:
    """Record which hostile kings a move has left in check, and mates where the law looks for them now."""
    for other in hostile_armies(engine.law, engine.state, army, boards):
        push = push_under_law(engine.law, engine.state, other, boards)
        attacked = push.checkers() if other not in engine.state.mated else {}
        for king in attacked:
            engine.emit("checked", player, env={"piece": king}, army=other, king=king)
        if (
            attacked
            and engine.read("mate.tested", army=other) == "after move"
            and not moves_and_drops(engine.state, push)
        ):
            engine.cause = engine.cite("mate.tested", army=other)
            king = next(iter(attacked))
            record_mate(engine, other, player, king, attacked[king])


# ------------------------------------------------------- which boards can be pushed together in the turn under way


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
        """The boards, as players write them: ``white+yellow``."""
        return "+".join(self.push.boards)

    @property
    def uci(self) -> str:
        """The move on the joined board: the first board's squares keep their names."""
        if self.move is None:
            return ""
        if self.move.dropped:
            return f"{self.said.partition('@')[2][0]}@{self.square(self.move.target)}"
        return "".join(map(self.square, self.ends)) + self.move.promotion

    @property
    def ends(self) -> tuple[tuple[str, int], tuple[str, int]]:
        """Where the move begins and ends, as players write it: some castlings end on the partner's square."""
        move = cast(BoardMove, self.move)
        return move.origin, self.push.state.square(move.text.partition("=")[0].rpartition("-")[2])

    def square(self, where: tuple[str, int]) -> str:
        """Return the name that a square has on the joined board."""
        return self.push.geometry.name(self.push.local(*where))

    @property
    def said(self) -> str:
        """The move without the boards, as players write it: ``white.e2-white.e4``."""
        return PUSH_ONLY if self.move is None else self.move.text

    def __str__(self) -> str:
        board = self.push.state.boards[self.push.boards[0]]
        return f"{self.boards}: {self.said}" if board.half or self.move is None else self.said


@frozen
class PushOption:
    """Boards that an army can push together now.

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
    """Return the case of a move, as the law is asked about it."""
    position = multiverse_of(state)
    return {
        "army": move.army,
        "push": move.push,
        "player": position.armies[move.army].controller,
        "piece": move.piece,
        "target": position.name(*move.target),
        "captures": move.taken,
    }


def joinable_boards(state: State, position: Multiverse, army: str) -> list[tuple[str, ...]]:
    """Return the boards that can be pushed together at all."""
    if not any(board.half for board in position.boards.values()):
        return possible_pushes(position, army)
    return possible_pushes(position, army, state.read("move.boards_joined", army=army))


@leave_out_costly
def push_options(state: State) -> tuple[PushOption, ...]:
    """Return the boards that can be pushed together now, with the moves on them.

    Raises
    ------
    Undecided
        The law does not say.
    """
    known, meter = _KNOWN_OPTIONS.get("ways"), cast(StepMeter, CURRENT_METER.get())
    if known is not None and known[0] is state and not meter.anew:
        meter.charge(known[2], (0, "may.move"))  # so that it does not matter who looked before
        return known[1]
    before = meter.left
    found = _keep_forced(state, tuple(_find_push_options(state)))
    if not meter.anew:
        _KNOWN_OPTIONS["ways"] = (state, found, before - meter.left)
    return found


#: The last answer, since the same state is asked about again and again.
_KNOWN_OPTIONS: dict[str, tuple[State, tuple[PushOption, ...], int]] = {}


def _find_push_options(state: State) -> Iterator[PushOption]:
    march, position = current_moves(state), multiverse_of(state)
    if march is None:
        return
    mover = cast(Turn, state.go).player
    for army in march.armies:
        if position.armies[army].controller != mover or len(march.pushes) >= state.read("move.count", army=army):
            continue
        for boards in joinable_boards(state, position, army):
            reach = state.read("move.on_push", army=army, push=boards)
            if reach == "none":
                continue
            push = push_under_law(state.law, state, army, boards)
            found = _moves_in_reach(state, march, push, reach)
            if state.law.rules_about("may.move"):
                found = [one for one in found if not is_forbidden(state, one)]
            yield PushOption(push, reach, tuple(found))


def _moves_in_reach(state: State, march: TurnMoves, push: Push, reach: str) -> list[BoardMove]:
    """Return the moves of chess, and drops, that go no further than they may; some a rule may yet forbid."""
    found = moves_and_drops(state, push)
    return found if reach != "staying" else [one for one in found if is_on_one_board(march, one)]


def is_on_one_board(march: TurnMoves, move: BoardMove) -> bool:
    """Tell whether a move begins and ends on one board that was not pushed before in this turn."""
    return move.origin[0] == move.target[0] and march.pushed(move.origin[0]) == 0


def is_forbidden(state: State, move: BoardMove) -> bool:
    """Tell whether a rule forbids a move that is legal as chess."""
    finding = state.law.find("may.move", state, move_case(state, move))
    return finding.outcome != "silent" and permission_value(state, finding) is False


def _keep_forced(state: State, found: tuple[PushOption, ...]) -> tuple[PushOption, ...]:
    """Leave those moves that go before the others, where there are any."""
    forced = {move for way in found for move in way.moves if is_forced(state, move)}
    if not forced:
        return found
    return tuple(replace(way, moves=tuple(one for one in way.moves if one in forced)) for way in found)


def is_forced(state: State, move: BoardMove) -> bool:
    """Tell whether a move goes before those that are not forced.

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
    found = push_options(state)
    moves = tuple([MoveOption(way.push, move) for way in found for move in way.moves])
    return moves or tuple(MoveOption(push, None) for push in last_pushes(state, found))


def mating_boards(state: State, found: tuple[PushOption, ...]) -> tuple[Push, ...]:
    """Return the boards on which an army's king is mated, where he is on all that it may push and on which he is."""
    for army in dict.fromkeys(way.push.army.name for way in found):
        own = (way for way in found if way.push.army.name == army)
        kings = tuple(way for way in own if way.push.generator.royals(way.push.view))
        tested = army not in state.mated and not state.find("mate.tested", army=army).says("never")
        if kings and tested and all(is_mate(state, way) for way in kings):
            return tuple(way.push for way in kings)
    return ()


def is_mate(state: State, way: PushOption) -> bool:
    """Tell whether a king is in check without an answer.

    Where chess has one, and it cannot be made, it is a rule that forbids it: that is no mate.
    """
    push, march = way.push, cast(TurnMoves, current_moves(state))
    return push.law.terms.check and bool(push.checkers()) and not _moves_in_reach(state, march, push, way.reach)


def last_pushes(state: State, found: tuple[PushOption, ...]) -> tuple[Push, ...]:
    """Return the boards among which an army that is mated chooses: it makes a difference whose kings are found there.

    Nothing is left to choose where the same kings, or none, are found in check on all of them.
    """
    pairs = mating_boards(state, found) if not any(way.moves for way in found) else ()
    kings = [frozenset(kings_found_in_check(state.law, state, push.army.name, push.boards)) for push in pairs]
    return pairs if len(set(kings)) > 1 else ()
