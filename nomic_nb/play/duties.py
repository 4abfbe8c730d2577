"""What players owe in a turn, and when they owe it no more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from nomic_nb.markup.words import listed
from nomic_nb.play.declaring import happens
from nomic_nb.play.events import Event
from nomic_nb.play.pending import Act
from nomic_nb.play.state import State
from nomic_nb.play.values import Duty, Turn


def with_turn(state: State, turn: Turn) -> State:
    """Return the state with a turn under way changed."""
    return state.but(turns=tuple(turn if one.number == turn.number else one for one in state.turns))


def turn_at(state: State, event: Event) -> Turn:
    """Return the turn in which an event happened."""
    return next(turn for turn in state.turns if turn.number == event.turn)


def relieved(state: State, player: str, action: str) -> State:
    """Return the state in which a player owes one such action less, in the turn at hand if it is owed there."""
    for turn in sorted(state.turns, key=lambda one: one.number != state.hand):
        for at, duty in enumerate(turn.duties):
            if duty.player == player and action in duty.actions:
                return with_turn(state, replace(turn, duties=(*turn.duties[:at], *turn.duties[at + 1 :])))
    return state


def did(action: str) -> Callable[[State, Event], State]:
    """Return what an event does to the state whose actor may have owed it."""
    return lambda state, event: relieved(state, str(event.actor), action)


def _told_obliged(event: Event) -> str:
    actions = (event.data["action"], *((event.data["other"],) if "other" in event.data else ()))
    return f"{event.actor} is to {' or '.join(actions).replace('_', ' ')}"


@happens("obliged", told=_told_obliged)
def _obliged(state: State, event: Event) -> State:
    go = turn_at(state, event)
    cause = event.cause.rule if event.cause else None
    owed = Duty(str(event.actor), event.data["action"], cause, event.data.get("other", ""))
    return with_turn(state, replace(go, duties=(*go.duties, owed)))


@happens("let_off", told=lambda e: f"{e.actor} need not {e.data['action'].replace('_', ' ')}, because it is forbidden")
def _let_off(state: State, event: Event) -> State:
    return relieved(state, str(event.actor), event.data["action"])


@happens(
    "waits",
    told=lambda e: f"play waits for {listed(list(dict.fromkeys(one['player'] or 'time' for one in e.data['acts'])))}",
)
def _waits(state: State, event: Event) -> State:
    return state.but(standstill=tuple(Act(**one) for one in event.data["acts"]))
