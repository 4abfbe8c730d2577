"""How play goes on by itself, by one event at a time, until somebody has something to decide."""

from __future__ import annotations

from nomic_nb.engine.extension import extension
from nomic_nb.engine.play.decisions import is_waited_for, owes_a_ballot
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.judging import awaited_consent, close_judgments, go_on_without, play_waits, stand
from nomic_nb.engine.play.polling import close_late
from nomic_nb.engine.play.sealing import open_round
from nomic_nb.engine.play.sequence import Sequence, next_in, sequence_of
from nomic_nb.engine.play.standstill import at_standstill
from nomic_nb.engine.play.turns import barred_from_turns, begin, end, next_part, pass_over, take_up
from nomic_nb.engine.play.values import Turn
from nomic_nb.engine.play.voting import WHEN_READY


def advance(engine: Engine) -> bool:
    """Let play go on by one event where nobody has to do anything first; tell whether it did."""
    engine.take_up_later()
    close_late(engine)
    take_up(engine, WHEN_READY)
    if engine.state.agenda:
        return True
    if engine.state.docket and (close_judgments(engine) or go_on_without(engine)):
        return True
    if extension().settle(engine) or open_round(engine):
        return True
    state = engine.state
    under_way = {turn.number for turn in state.turns}
    if (state.docket and play_waits(engine)) or any(one.turn not in under_way for one in state.holding_up):
        return _stop_if_stuck(engine)
    for turn in state.turns:
        engine.take(turn.number)
        if _go_on(engine, turn):
            return True
    return _begin_turn(engine) or _stop_if_stuck(engine)


def _go_on(engine: Engine, go: Turn) -> bool:
    """Let a turn go on by one event, where nothing in it is waited for."""
    state = engine.state
    if any(one.turn == go.number for one in state.holding_up):
        return False
    if extension().advance(engine, go):
        return True
    if (go.duties and not go.over) or any(one.holds_up(go.number) for one in state.open_proposals):
        return False  # what is proposed is voted on in the turn in which it was, also where a rule ends that
    if go.part is not None:
        owes = owes_a_ballot(state, go.player)
        if not owes:
            engine.emit("part_ended", go.player, part=go.part)
        return not owes
    part = None if go.over else next_part(go.done, tuple(map(str, engine.read("turn.parts"))))
    if part is not None:
        engine.cause = engine.cite("turn.parts")
        engine.emit("part_begun", go.player, part=part)
        return True
    if (not go.over and engine.read("turn.ended_by") == "player") or owes_a_ballot(state, go.player):
        return False
    end(engine, go)
    return True


def _begin_turn(engine: Engine) -> bool:
    """Begin the next turn where turns begin by themselves; tell whether anything happened."""
    state = engine.state
    if state.turns or engine.read("turn.start") != "automatic":
        return False
    order, first = sequence_of(engine.read("turn.sequence")), sequence_of(engine.read("turn.next"))
    extra = [name for name in first.names if first.holder(state, name) in state.persons]
    source = engine.cite("turn.next") if extra else engine.cite("turn.sequence")
    barred = barred_from_turns(state, order)
    name, place = (extra[0], state.place) if extra else next_in(state, order, barred)
    if name is None:
        return False
    passed, at = next_in(state, order)
    if not extra and passed is not None and order.holder(state, passed) in barred:
        pass_over(engine, order, passed, at)
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


def _stop_if_stuck(engine: Engine) -> bool:
    if is_waited_for(engine.state):
        return False
    if not engine.state.turns:  # where the law does not say who has turns, nobody could begin one
        engine.read("turn.sequence")
    for proposal in engine.state.open_proposals:  # where the law is silent, it is asked, and play is not stuck
        if proposal.vote is None:
            engine.players("debate.ended_by", **proposal.case)
        elif not proposal.vote.duty:
            engine.players("vote.ended_by", **proposal.case)
    return at_standstill(engine)
