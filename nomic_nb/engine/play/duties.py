"""What players owe in a turn, when they owe it no more, and what is to be done later."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from nomic_nb.engine.law.checking import Checker
from nomic_nb.engine.law.choosing import NO_SPAN, Span
from nomic_nb.engine.law.places import Inner, OrWord, Players, Word
from nomic_nb.engine.law.rules import RuleBook
from nomic_nb.engine.law.view import Undecided
from nomic_nb.engine.play.declaring import effect, happens
from nomic_nb.engine.play.due import due_in
from nomic_nb.engine.play.effects import check_can_act, count_of, players_of
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Cause, Event
from nomic_nb.engine.play.pending import Act
from nomic_nb.engine.play.state import Folding, State, folding
from nomic_nb.engine.play.values import Duty, Turn
from nomic_nb.engine.words import listed, plural


def with_turn(state: State, turn: Turn) -> State:
    """Return the state with a turn under way changed."""
    return state.but(turns=tuple(turn if one.number == turn.number else one for one in state.turns))


#: What an event does to the turn in which it happened.
to_turn = folding(lambda state, event: next(one for one in state.turns if one.number == event.turn), with_turn)


def relieved(state: State, player: str, action: str) -> State:
    """Return the state in which a player owes one such action less, in the turn at hand if it is owed there."""
    for turn in sorted(state.turns, key=lambda one: one.number != state.hand):
        for at, duty in enumerate(turn.duties):
            if duty.player == player and action in duty.actions:
                return with_turn(state, replace(turn, duties=(*turn.duties[:at], *turn.duties[at + 1 :])))
    return state


def did(action: str) -> Folding:
    """Return what an event does to the state whose actor may have owed it."""
    return lambda state, event: relieved(state, event.by, action)


def _told_obliged(event: Event) -> str:
    actions = [event.data[one] for one in ("action", "other") if one in event.data]
    return f"{event.actor} is to {' or '.join(actions).replace('_', ' ')}"


@happens("obliged", told=_told_obliged)
@to_turn
def _obliged(turn: Turn, event: Event) -> Turn:
    owed = Duty(event.by, event.data["action"], event.rule, event.data.get("other", ""))
    return replace(turn, duties=(*turn.duties, owed))


@happens("let_off", told=lambda e: f"{e.actor} need not {e.data['action'].replace('_', ' ')}, because it is forbidden")
def _let_off(state: State, event: Event) -> State:
    return relieved(state, event.by, event.data["action"])


@happens(
    "waits",
    told=lambda e: f"play waits for {listed(list(dict.fromkeys(one['player'] or 'time' for one in e.data['acts'])))}",
)
def _waits(state: State, event: Event) -> State:
    return state.but(standstill=tuple(Act(**one) for one in event.data["acts"]))


def _owed(checker: Checker) -> list[str]:
    return [one.name for one in checker.vocabulary.actions.values() if one.owed]


@effect(
    "oblige {who} to {action} {other}",
    example="oblige player to propose",
    makes="obliged",
    ordered_by="people Judge",
    who=Players(),
    action=Word("action that can be owed called", _owed),
    other=OrWord("action that can be owed called", _owed),
)
def _oblige(engine: Engine, effect: Any) -> None:
    """Let the part not end before it is done, or the other one in its place."""
    if engine.state.go is None:
        raise Undecided("no turn is under way in which it could be done")
    named = players_of(engine, effect.who)
    if not set(named) & set(engine.state.persons):  # or nobody would ever do it, and nobody be told
        check_can_act(engine, named)
    for name in named:
        if "move" in (effect.action, effect.other) and name != engine.state.go.player:
            raise Undecided(f"it is {engine.state.go.player}'s turn, and {name} has no moves in it")
        if name in engine.state.persons:
            engine.emit("obliged", name, action=effect.action, data={"other": effect.other})


@effect(
    "after {span}: {effect}",
    example="after 2 turns: award 5 points to player",
    makes="scheduled",
    span=Span(),
    effect=Inner(later=True),
)
def _after(engine: Engine, effect: Any) -> None:
    """Do it once so many more turns or circuits have ended, or so much time has passed on the recorded clock."""
    count = count_of(engine, effect.span, NO_SPAN)
    due = due_in(engine.state, count, effect.unit)
    engine.emit("scheduled", count=count, unit=effect.unit, effect=effect.effect.words)
    engine.put_off(due, effect.effect)


def forgo(engine: Engine, before: RuleBook) -> None:
    """Drop what a clause has put off that a change took out of the rules: rules hold in the form that they have then.

    Parameters
    ----------
    engine : Engine
        At work, after the change.
    before : RuleBook
        The rules before it.
    """
    state = engine.state
    for one in state.later:
        if _taken_out(one.cause, before, state.rules):
            engine.state = engine.state.but(later=tuple(left for left in engine.state.later if left is not one))
            engine.emit("forgone", effect=one.effect.words, number=cast(Cause, one.cause).rule)
    timed = {one.poll: one.agenda[0].cause for one in state.waiting if one.meanwhile}
    for id, cause in timed.items():
        if _taken_out(cause, before, state.rules):
            now, poll = engine.state, engine.state.polls[id]
            left = tuple(one for one in now.waiting if one.poll != id)
            engine.state = now.but(waiting=left, polls={**now.polls, id: replace(poll, open=False)})
            engine.emit("forgone", effect=f"let … choose {poll.name}", number=poll.rule)


def _taken_out(cause: Cause | None, before: RuleBook, after: RuleBook) -> bool:
    """Tell whether a clause stood in a rule and does no more."""
    if cause is None or cause.id not in before.rules:
        return False
    then, now = before.rules[cause.id], after.rules.get(cause.id)
    stood, stands = (rule is not None and cause.words in [one.words for one in rule.clauses] for rule in (then, now))
    return stood and not stands


happens("forgone", told="“{effect}” is not done any more: rule {number}, which put it off, does not say it now")
happens("scheduled", told=lambda e: f"in {plural(e.data['count'], e.data['unit'][:-1])}: {e.data['effect']}")
