"""Turns, parts of turns and circuits: how play goes on by itself, as the law has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from nomic_nb.law.values import Ref
from nomic_nb.play.boards.marching import march_on, reshape
from nomic_nb.play.boards.moving import begin_of_turn, end_of_turn
from nomic_nb.play.boards.seats import Sequence, sequence_of
from nomic_nb.play.events import Cause
from nomic_nb.play.judgment import awaited_consent, close_judgments, play_waits, stand
from nomic_nb.play.sealing import open_round
from nomic_nb.play.state import State, Turn

if TYPE_CHECKING:
    from nomic_nb.play.engine import Engine


def next_in(state: State, order: Sequence, barred: frozenset[str] = frozenset()) -> tuple[str | None, int]:
    """Return what has the next turn in an order of turns, a player or an army, and the place there.

    Goes on behind the place of the last turn; where the order has changed since, behind the player
    who had it, or behind whoever followed that player then. Whoever is barred is passed over.
    """
    sequence, playing = order.names, set(state.persons) - barred
    open_to = [at for at, name in enumerate(sequence) if order.holder(state, name) in playing]
    if not open_to:
        return None, -1
    start = _start(state, order)
    at = min(open_to, key=lambda one: (one - start) % len(sequence))
    return sequence[at], at


def next_player(state: State) -> str | None:
    """Return the player who has the next turn, as the order of turns was last read."""
    order = Sequence(state.sequence, state.sequence_of) if state.sequence else Sequence(state.persons, "player")
    name, _ = next_in(state, order)
    return None if name is None else order.holder(state, name)


def _start(state: State, order: Sequence) -> int:
    sequence, old, place = order.names, state.sequence, state.place
    if place < 0:
        return 0
    if sequence == old:
        return place + 1
    if order.of != state.sequence_of:  # of players now and of armies before, or the other way round
        sequence = tuple(order.holder(state, name) for name in sequence)
        old = tuple(Sequence(old, state.sequence_of).holder(state, name) for name in old)
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


def parts_over(state: State, go: Turn) -> bool:
    """Tell whether all parts of a turn are over; where the law does not say which there are, they are not."""
    parts = state.law.find("turn.parts", state, {})
    if go.part is not None or not parts.answered:
        return False
    return next_part(go.done, tuple(str(one) for one in cast(tuple[object, ...], parts.value))) is None


def advance(engine: Engine) -> bool:
    """Let play go on by one event where nobody has to do anything first; tell whether it did."""
    engine.take_up_later()
    if engine.state.agenda:
        return True
    if close_judgments(engine):
        return True
    if reshape(engine) or open_round(engine):
        return True
    state = engine.state
    under_way = {turn.number for turn in state.turns}
    if play_waits(engine) or any(one.turn not in under_way for one in state.waiting):
        return _stop_if_stuck(engine)
    for turn in state.turns:
        engine.take(turn.number)
        if _go_on(engine, turn):
            return True
    return _begin_turn(engine) or _stop_if_stuck(engine)


def _go_on(engine: Engine, go: Turn) -> bool:
    """Let a turn go on by one event, where nothing in it is waited for."""
    state = engine.state
    if any(one.turn == go.number for one in state.waiting):
        return False
    if march_on(engine, go):
        return True
    waits = bool(go.duties) or any(one.turn == go.number for one in state.open_proposals)
    if waits and not go.over:
        return False
    player = Ref("player", go.player)
    if go.part is not None:
        engine.emit("part_ended", go.player, env={"player": player, "part": go.part}, part=go.part)
        return True
    part = None if go.over else next_part(go.done, _texts(engine, "turn.parts"))
    if part is not None:
        engine.cause = _source(engine, "turn.parts")
        engine.emit("part_begun", go.player, env={"player": player, "part": part}, part=part)
        return True
    if not go.over and engine.read("turn.ended_by") == "player":
        return False
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
    """Begin the next turn where turns begin by themselves; tell whether anything happened."""
    state = engine.state
    if state.turns or engine.read("turn.start") != "automatic":
        return False
    order, first = sequence_of(engine.read("turn.sequence")), sequence_of(engine.read("turn.next"))
    extra = [name for name in first.names if first.holder(state, name) in state.persons]
    source = _source(engine, "turn.next") if extra else _source(engine, "turn.sequence")
    barred = _barred(state, order)
    name, place = (extra[0], state.place) if extra else next_in(state, order, barred)
    if name is None:
        return False
    passed, at = next_in(state, order)
    if not extra and passed is not None and order.holder(state, passed) in barred:
        _pass_over(engine, order, passed, at)
        return True
    whose = first if extra else order
    player = whose.holder(state, name)
    if awaited_consent(engine.law, state, player):
        return False
    if stand(engine):
        return True
    if extra and place >= 0:
        order = Sequence(state.sequence, state.sequence_of)  # in which the place is, and from which the order goes on
    engine.cause = source
    begin(engine, order, place, player, name if whose.of == "army" else None)
    return True


def begin(
    engine: Engine, order: Sequence, place: int, player: str, army: str | None, *, by_player: bool = False
) -> None:
    """Begin a turn, of a player or of an army."""
    data: dict[str, object] = {"sequence": list(order.names), "place": place}
    if order.of != "player":
        data["of"] = order.of
    if army is not None:
        data["army"] = army
    engine.emit("turn_begun", player, env={"player": Ref("player", player)}, by_player=by_player, data=data)
    begin_of_turn(engine, army)


def _barred(state: State, order: Sequence) -> frozenset[str]:
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


def _pass_over(engine: Engine, order: Sequence, name: str, place: int) -> None:
    """Let the turn of somebody go by who may not begin one; in the circuit it counts as had."""
    player = Ref("player", order.holder(engine.state, name))
    source = engine.law.find("may.begin_turn", engine.state, {"player": player}).sources[0]
    engine.cause = Cause(source.rule.id, source.rule.number, source.clause.words)
    data = {"sequence": list(order.names), "place": place}
    data |= {"of": "army", "army": name} if order.of == "army" else {}
    engine.emit("passed_over", str(player.id), env={"player": player}, data=data)
    _end_circuit(engine)


def _end_turn(engine: Engine, go: Turn) -> None:
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


def _stop_if_stuck(engine: Engine) -> bool:
    from nomic_nb.play.decisions import is_waited_for
    from nomic_nb.play.standstill import at_standstill

    if is_waited_for(engine.state):
        return False
    for proposal in engine.state.open_proposals:  # where the law is silent, it is asked, and play is not stuck
        case = {"proposal": Ref("proposal", proposal.number)}
        if proposal.vote is None:
            engine.players("debate.ended_by", **case)
        elif not proposal.vote.duty:
            engine.players("vote.ended_by", **case)
    return at_standstill(engine)


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
