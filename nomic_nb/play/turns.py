"""Turns, parts of turns and circuits: how play goes on by itself, as the law has it."""

from __future__ import annotations

from typing import cast

from nomic_nb.law.values import Ref
from nomic_nb.play.chess.moving import begin_of_turn, end_of_turn
from nomic_nb.play.engine import Engine
from nomic_nb.play.sequence import Sequence, next_player
from nomic_nb.play.state import State, Turn


def next_part(done: tuple[str, ...], parts: tuple[str, ...]) -> str | None:
    """Return the part that comes next, given those that are over, or None.

    Examples
    --------
    >>> next_part(("proposal",), ("proposal", "throw"))
    'throw'
    >>> next_part(("proposal",), ("throw", "proposal")) is None
    True
    >>> next_part(("throw",), ("throw", "throw"))
    'throw'
    """
    at = 0
    for part in done:
        if part in parts[at:]:
            at = parts.index(part, at) + 1
    return parts[at] if at < len(parts) else None


def parts_over(state: State, go: Turn) -> bool:
    """Tell whether all parts of a turn are over; where the law does not say which there are, they are not."""
    parts = state.law.find("turn.parts", state, {})
    if go.part is not None or not parts.answered:
        return False
    return next_part(go.done, tuple(str(one) for one in cast(tuple[object, ...], parts.value))) is None


def begin(engine: Engine, order: Sequence, place: int, player: str, army: str | None) -> None:
    """Begin a turn, of a player or of an army."""
    data: dict[str, object] = {"sequence": list(order.names), "place": place}
    if order.of != "player":
        data["of"] = order.of
    if army is not None:
        data["army"] = army
    engine.emit("turn_begun", player, env={"player": Ref("player", player)}, data=data)
    begin_of_turn(engine, army)


def barred_from_turns(state: State, order: Sequence) -> frozenset[str]:
    """Return those whose turn is passed over, because they may not begin one."""
    players = {order.holder(state, name) for name in order.names}
    return frozenset(name for name in players if name in state.persons and not may_begin(state, name))


def may_begin(state: State, name: str) -> bool:
    """Tell whether the law lets a player begin a turn.

    Raises
    ------
    Undecided
        Where it gives no answer.
    """
    finding = state.law.find("may.begin_turn", state, {"player": Ref("player", name)})
    return finding.outcome == "silent" or state.law.settled(finding) is True


def pass_over(engine: Engine, order: Sequence, name: str, place: int) -> None:
    """Let the turn of somebody go by who may not begin one; in the circuit it counts as had."""
    player = Ref("player", order.holder(engine.state, name))
    engine.cause = engine.cite("may.begin_turn", player=player)
    data = {"sequence": list(order.names), "place": place}
    data |= {"of": "army", "army": name} if order.of == "army" else {}
    engine.emit("passed_over", str(player.id), env={"player": player}, data=data)
    _end_circuit(engine)


def end(engine: Engine, go: Turn) -> None:
    """End a turn, and the circuit where it was the last one."""
    army = {} if go.army is None else {"army": go.army}
    end_of_turn(engine, go.army)
    engine.emit("turn_ended", go.player, env={"player": Ref("player", go.player)}, data=army)
    _in_force(engine, "turn ended")
    _end_circuit(engine)


def _end_circuit(engine: Engine) -> None:
    """End the circuit once everyone has had a turn."""
    state = engine.state
    order = Sequence(state.sequence, state.sequence_of)
    if all(name in state.had_turn for name in state.sequence if order.holder(state, name) in state.persons):
        engine.emit("circuit_ended", env={"circuit": state.circuit}, circuit=state.circuit)
        _in_force(engine, "circuit ended")


def _in_force(engine: Engine, due: str) -> None:
    for number in engine.state.unsettled:
        proposal = engine.state.proposals[number]
        if proposal.status == "waiting" and proposal.due == due:
            engine.schedule("put in force", proposal=Ref("proposal", proposal.number))


def stop(engine: Engine) -> bool:
    """Say that play cannot continue; the law may know who wins then (213)."""
    state = engine.state
    if state.stuck:
        return False
    first = state.turns[0].player if state.turns else None
    if first is None and engine.read("turn.start") == "automatic":
        first = next_player(state)
    engine.emit("stuck", first)
    return True
