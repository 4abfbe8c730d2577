"""What is waited for from players, and how play goes on behind it."""

from __future__ import annotations

from dataclasses import replace

from nomic_nb.law.values import Value
from nomic_nb.play.pending import Item, Waiting
from nomic_nb.play.permission import Refusal, refuse
from nomic_nb.play.state import State


def without_waiting_for(state: State, name: str) -> State:
    """Return the state in which nothing is waited for from a player; what stood behind it goes on.

    A step of play that waits for a choice, as the naming of a Judge does, is taken anew.
    """
    left = tuple(one for one in state.waiting if one.player != name)
    freed = [item for one in state.waiting if one.player == name for item in _going_on(one)]
    return state.but(waiting=left, agenda=state.agenda.then(*freed))


def _going_on(waiting: Waiting) -> tuple[Item, ...]:
    """Return what goes on when nothing is waited for any more: all but the effect that waited."""
    return waiting.agenda[1:] if waiting.agenda[0].kind == "effects" else waiting.agenda


def put_back(state: State, waiting: Waiting, value: Value) -> State:
    """Return the state in which the answer that was waited for is there, and what stood behind it goes on."""
    item = waiting.agenda[0]
    answered = replace(item, env={**item.env, waiting.name: value}, effects=item.effects[1:])
    agenda = waiting.agenda[1:]
    if answered.effects or item.kind != "effects":
        agenda = (answered, *agenda)
    left = tuple(one for one in state.waiting if one is not waiting)
    return state.but(waiting=left, agenda=state.agenda.first(*agenda))


def waited_from(state: State, player: str, action: str, nothing: str, does: str) -> Waiting:
    """Return what is waited for from a player, or refuse."""
    known = [one for one in state.waiting if one.action == action]
    if not known:
        refuse(nothing)
    for waiting in known:
        if waiting.player in (None, player):
            return waiting
    raise Refusal(f"it is {known[0].player} who {does}", known[0].rule)
