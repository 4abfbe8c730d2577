"""Turns, parts of turns and circuits: how play goes on by itself, as the law has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from nomic_nb.law.values import Ref
from nomic_nb.play.boards.marching import march_on
from nomic_nb.play.boards.moving import begin_of_turn, end_of_turn
from nomic_nb.play.boards.seats import Sequence, sequence_of
from nomic_nb.play.events import Cause
from nomic_nb.play.state import State, Turn

if TYPE_CHECKING:
    from nomic_nb.play.engine import Engine


def next_in(state: State, sequence: tuple[str, ...], of: str = "player") -> tuple[str | None, int]:
    """Return who has the next turn in an order of turns, a player or an army, and the place there.

    Goes on behind the place of the last turn; where the order has changed since, behind the player
    who had it, or behind whoever followed that player then.
    """
    playing, order = set(state.persons), Sequence(sequence, of)
    open_to = [at for at, name in enumerate(sequence) if order.holder(state, name) in playing]
    if not open_to:
        return None, -1
    start = _start(state, sequence)
    at = min(open_to, key=lambda one: (one - start) % len(sequence))
    return sequence[at], at


def next_player(state: State) -> str | None:
    """Return the player who has the next turn, as the order of turns was last read."""
    if not state.sequence:
        return next_in(state, state.persons)[0]
    order = Sequence(state.sequence, state.sequence_of)
    name, _ = next_in(state, *order)
    return None if name is None else order.holder(state, name)


def _start(state: State, sequence: tuple[str, ...]) -> int:
    old, place = state.sequence, state.place
    if place < 0:
        return 0
    if sequence == old:
        return place + 1
    if old[place] in sequence:
        return sequence.index(old[place]) + 1
    for step in range(1, len(old)):
        name = old[(place + step) % len(old)]
        if name in sequence:
            return sequence.index(name)
    return 0


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


def advance(engine: Engine) -> bool:
    """Let play go on by one event where nobody has to do anything first; tell whether it did."""
    engine.take_up_later()
    if engine.state.agenda or march_on(engine):
        return True
    if engine.state.waiting:
        return _stop_if_stuck(engine)
    go = engine.state.go
    if go is None:
        return _begin_turn(engine)
    waits = bool(go.duties) or any(one.turn == go.number for one in engine.state.open_proposals)
    if waits and not go.over:
        return _stop_if_stuck(engine)
    if go.part is not None:
        player = Ref("player", go.player)
        engine.emit("part_ended", go.player, env={"player": player, "part": go.part}, part=go.part)
        return True
    part = None if go.over else next_part(go.done, _texts(engine, "turn.parts"))
    if part is not None:
        engine.cause = _source(engine, "turn.parts")
        engine.emit("part_begun", go.player, env={"player": Ref("player", go.player), "part": part}, part=part)
        return True
    _end_turn(engine, go)
    return True


def _texts(engine: Engine, key: str) -> tuple[str, ...]:
    return tuple(str(one) for one in cast(tuple[object, ...], engine.read(key)))


def _source(engine: Engine, key: str) -> Cause | None:
    finding = engine.law.find(key, engine.state, {})
    if not finding.sources:
        return None
    source = finding.sources[0]
    return Cause(source.rule.id, source.rule.number, source.clause.words)


def _begin_turn(engine: Engine) -> bool:
    order = sequence_of(engine.read("turn.sequence"))
    name, place = next_in(engine.state, order.names, order.of)
    if name is None:
        return _stop(engine)
    engine.cause = _source(engine, "turn.sequence")
    player = order.holder(engine.state, name)
    army = {"army": name} if order.of == "army" else {}
    engine.emit(
        "turn_begun", player, env={"player": Ref("player", player)}, sequence=list(order.names), place=place, **army
    )
    begin_of_turn(engine, engine.state.turns[-1].army)
    return True


def _end_turn(engine: Engine, go: Turn) -> None:
    army = {"army": go.army} if go.army else {}
    end_of_turn(engine, go.army)
    engine.emit("turn_ended", go.player, env={"player": Ref("player", go.player)}, **army)
    state = engine.state
    _in_force(engine, "turn ended")
    order = Sequence(state.sequence, "army" if go.army else "player")
    if all(name in state.had_turn for name in state.sequence if order.holder(state, name) in state.persons):
        engine.emit("circuit_ended", env={"circuit": state.circuit}, circuit=state.circuit)
        _in_force(engine, "circuit ended")


def _in_force(engine: Engine, due: str) -> None:
    for number in engine.state.unsettled:
        proposal = engine.state.proposals[number]
        if proposal.status == "waiting" and proposal.due == due:
            engine.schedule("put in force", proposal=Ref("proposal", proposal.number))


def _stop_if_stuck(engine: Engine) -> bool:
    from nomic_nb.play.decisions import decisions

    if any(one.must for one in decisions(engine.state)):
        return False
    for proposal in engine.state.open_proposals:  # where the law is silent, it is asked, and play is not stuck
        case = {"proposal": Ref("proposal", proposal.number)}
        if proposal.vote is None:
            engine.players("debate.ended_by", **case)
        elif not proposal.vote.duty:
            engine.players("vote.ended_by", **case)
    return _stop(engine)


def _stop(engine: Engine) -> bool:
    """Say that play cannot continue; the law may know who wins then (213)."""
    state = engine.state
    if state.stuck:
        return False
    go = state.go
    unable = go.player if go else next_player(state)
    engine.emit("stuck", unable)
    return True
