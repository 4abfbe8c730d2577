"""Effects on what is to be done later: in a part of a turn, or once turns have ended."""

from __future__ import annotations

from typing import Any

from nomic_nb.law.checking import Checker
from nomic_nb.law.choosing import NO_SPAN, Span
from nomic_nb.law.places import Inner, OrWord, Players, Word
from nomic_nb.law.view import Undecided
from nomic_nb.markup.words import plural
from nomic_nb.play.declaring import effect, happens
from nomic_nb.play.due import due_in
from nomic_nb.play.effects import check_can_act, count_of, players_of
from nomic_nb.play.engine import Engine


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
            engine.emit("obliged", name, action=effect.action, data={"other": effect.other} if effect.other else {})


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


happens("scheduled", told=lambda e: f"in {plural(e.data['count'], e.data['unit'][:-1])}: {e.data['effect']}")
