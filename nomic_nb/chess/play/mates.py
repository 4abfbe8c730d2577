"""Check and mate: whose kings are attacked, which armies are mated, and who gets them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from nomic_nb.chess.multiverse.pieces import BoardMove
from nomic_nb.chess.multiverse.pushes import Push
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.captures import drops
from nomic_nb.chess.play.events import ONLY_PUSHED
from nomic_nb.chess.play.records import id_in
from nomic_nb.chess.play.terms import names, push_of
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.values import Ref, Value
from nomic_nb.engine.play.effects import replaced
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.state import State

#: Kings in check by army, by the number of the king, with the pieces that attack it.
Checked: TypeAlias = Mapping[str, Mapping[int, tuple[int, ...]]]


def others_there(law: Law, state: State, army: str, boards: tuple[str, ...]) -> tuple[str, ...]:
    """Return the armies on these boards to which an army is hostile, in batting order."""
    there = multiverse_of(state).armies_on(boards)
    return tuple(one for one in there if one != army and army in names(law, state, "check.from", one, boards))


def found_in_check(law: Law, state: State, army: str, boards: tuple[str, ...]) -> Checked:
    """Return the hostile kings that a push finds in check, where that is mate: by army, with what attacks them."""
    if law.answer("check.enemy_on_push", state, {"army": army, "push": boards}) != "mate":
        return {}
    others = others_there(law, state, army, boards)
    return {other: found for other in others if (found := push_of(law, state, other, boards).checkers())}


def mate(engine: Engine, army: str, joiner: str, king: int, checkers: tuple[int, ...]) -> None:
    """Record that an army is mated, and who gets it."""
    state = engine.state
    if army in state.mated:
        return
    by = [multiverse_of(state).pieces[id].army for id in checkers]
    latest = tuple(one for one in dict.fromkeys((*state.last_moved, *by)) if one in by)
    captor = id_in(engine.read("mate.captor", army=army, joiner=joiner, checkers=latest), "player")
    fall(engine, captor, army, king, checkers)


def fall(engine: Engine, captor: str, army: str, king: int, checkers: tuple[int, ...] = ()) -> None:
    """Record that an army is mated and who gets it, unless a rule puts something else in place of that."""
    case: dict[str, Value] = {
        "player": Ref("player", captor), "army": Ref("army", army),
        "checkers": tuple(Ref("piece", id) for id in checkers),
    }  # fmt: skip
    if not replaced(engine, "mated", captor, army, case):
        engine.emit("mated", captor, army=army, king=king, checkers=checkers)


def answers(state: State, push: Push) -> list[BoardMove]:
    """Return the moves of chess on boards pushed together, and the drops; royal pieces fall only by law."""
    found = [*push.moves(), *drops(state, push)]
    if state.read("royal.capture", push=push.boards) == "never":
        found = [one for one in found if not takes_royal(push, one)]
    return found


def takes_royal(push: Push, one: BoardMove) -> bool:
    """Tell whether a move captures a royal piece."""
    return any(push.law.royal(push.state.pieces[id]) for id in one.taken)


def find_mates_on_push(engine: Engine, army: str, player: str, boards: tuple[str, ...]) -> None:
    """Take hostile kings that stand in check when boards are pushed together as mated, where the law does."""
    for other, kings in found_in_check(engine.law, engine.state, army, boards).items():
        engine.cause = engine.cite("check.enemy_on_push", army=army, push=boards)
        for king, checkers in kings.items():
            mate(engine, other, player, king, checkers)


def weep(engine: Engine, player: str, push: Push) -> None:
    """Push boards on which one's own king is mated: hostile kings that stand in check there are mated first."""
    army = push.army.name
    engine.cause = engine.cite("check.own_on_push", army=army, push=push.boards)
    engine.emit("pushed", player, army=army, push=push.boards, text=ONLY_PUSHED)
    find_mates_on_push(engine, army, player, push.boards)
    own_mate(engine, player, push)


def own_mate(engine: Engine, player: str, push: Push) -> None:
    """Record that the army on turn is mated on boards pushed together, and has made its moves."""
    army = push.army.name
    engine.cause = engine.cite("check.own_on_push", army=army)
    king, checkers = next(iter(push.checkers().items()))
    mate(engine, army, player, king, checkers)
    engine.emit("moves_made", player, note=f"{army} is mated")


def find_checks(engine: Engine, army: str, player: str, boards: tuple[str, ...]) -> None:
    """Record which hostile kings a move has left in check, and mates where the law looks for them now."""
    for other in others_there(engine.law, engine.state, army, boards):
        push = push_of(engine.law, engine.state, other, boards)
        attacked = push.checkers() if other not in engine.state.mated else {}
        for king in attacked:
            engine.emit("checked", player, env={"piece": king}, army=other, king=king)
        if attacked and engine.read("mate.tested", army=other) == "after move" and not answers(engine.state, push):
            engine.cause = engine.cite("mate.tested", army=other)
            king = next(iter(attacked))
            mate(engine, other, player, king, attacked[king])
