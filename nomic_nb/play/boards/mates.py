"""Check and mate: whose kings are attacked, which armies are mated, and who gets them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomic_nb.law.values import Ref, Value
from nomic_nb.multiverse.pushes import Push
from nomic_nb.play.boards.chess import chess_of, names, push_of
from nomic_nb.play.boards.fold import on
from nomic_nb.play.boards.records import one_ref
from nomic_nb.play.events import Cause

if TYPE_CHECKING:
    from nomic_nb.play.engine import Engine


def cite(engine: Engine, key: str, **case: Value) -> Cause | None:
    """Return the clause that decides a key, as the cause of an event."""
    finding = engine.law.find(key, engine.state, case)
    if not finding.sources:
        return None
    source = finding.sources[0]
    return Cause(source.rule.id, source.rule.number, source.clause.words)


def pushed(engine: Engine, army: str, boards: tuple[str, ...]) -> Push:
    """Return boards pushed together, as an army sees them."""
    chess = chess_of(engine.law, engine.state, army)
    return push_of(engine.law, engine.state, chess, army, boards)


def others_there(engine: Engine, army: str, boards: tuple[str, ...]) -> tuple[str, ...]:
    """Return the armies on these boards to which an army is hostile, in batting order."""
    position = on(engine.state)
    there = {piece.army for board in boards for piece in position.standing[board].values()}
    return tuple(
        other
        for other in position.armies
        if other != army and other in there and army in names(engine.law, engine.state, "check.from", other)
    )


def mate(engine: Engine, army: str, joiner: str, king: int, checkers: tuple[int, ...]) -> None:
    """Record that an army is mated, and who gets it."""
    state = engine.state
    if army in state.mated:
        return
    by = dict.fromkeys(on(state).pieces[id].army for id in checkers)
    latest = [*(one for one in state.last_moved if one in by), *(one for one in by if one not in state.last_moved)]
    case: dict[str, Value] = {
        "army": Ref("army", army),
        "joiner": Ref("player", joiner),
        "checkers": tuple(Ref("army", one) for one in latest),
    }
    captor = str(one_ref(engine.read("mate.captor", **case), "player").id)
    env: dict[str, Value] = {"army": Ref("army", army), "player": Ref("player", captor)}
    engine.emit("mated", captor, env=env, army=army, king=king, checkers=list(checkers))


def find_mates_on_push(engine: Engine, army: str, player: str, boards: tuple[str, ...]) -> None:
    """Take hostile kings that stand in check when boards are pushed together as mated, where the law does."""
    case: dict[str, Value] = {"army": Ref("army", army), "push": tuple(Ref("board", name) for name in boards)}
    if engine.read("check.enemy_on_push", **case) != "mate":
        return
    engine.cause = cite(engine, "check.enemy_on_push", **case)
    for other in others_there(engine, army, boards):
        for king, checkers in pushed(engine, other, boards).checkers().items():
            mate(engine, other, player, king, checkers)


def find_checks(engine: Engine, army: str, player: str, boards: tuple[str, ...]) -> None:
    """Record which hostile kings a move has left in check, and mates where the law looks for them now."""
    for other in others_there(engine, army, boards):
        push = pushed(engine, other, boards)
        attacked = push.checkers()
        for king in attacked:
            env: dict[str, Value] = {"army": Ref("army", other), "piece": Ref("piece", king)}
            engine.emit("checked", player, env=env, army=other, king=king)
        if attacked and engine.read("mate.tested", army=Ref("army", other)) == "after move" and not push.moves():
            engine.cause = cite(engine, "mate.tested", army=Ref("army", other))
            king = next(iter(attacked))
            mate(engine, other, player, king, attacked[king])


def king_of_mate(push: Push) -> tuple[int, tuple[int, ...]]:
    """Return an attacked king on boards pushed together, and what attacks it."""
    return next(iter(push.checkers().items()))
