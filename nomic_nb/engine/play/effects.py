"""Effects that hold others, and what all have in common: what stands in their places, and what is done instead."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, TypeGuard, cast

from nomic_nb.engine.law.expressions import NO_NUMBER
from nomic_nb.engine.law.nodes import Expression, NotDone, Undecided
from nomic_nb.engine.law.rules import Rule
from nomic_nb.engine.law.slots import Inner, Several, Word
from nomic_nb.engine.law.slots import Value as Anything
from nomic_nb.engine.law.values import Env, Number, Ref, Value
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.declarations import effect, happens
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Cause, Event
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import names_of, nobody_called


def count_of(engine: Engine, expression: Expression, misfit: Callable[[Value], str]) -> int:
    """Return the whole number that an expression in an effect comes to, or ask where it is none that fits."""
    value = a_number(engine.value(expression))
    if wrong := misfit(value):
        raise Undecided(wrong)
    return cast(int, value)


def a_number(value: Value) -> Number:
    """Return a number, or ask where there is none."""
    if not is_number(value):
        raise Undecided(NO_NUMBER)
    return value


def is_number(value: Value) -> TypeGuard[Number]:
    """Tell whether a value is a number."""
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def players_of(engine: Engine, expression: Expression) -> tuple[str, ...]:
    """Return the players that an expression in an effect comes to."""
    value = engine.value(expression)
    return () if things_in(value) else known_players(engine, names_of(value))


def known_players(engine: Engine, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return players, or ask where one of them is nobody."""
    for name in names:
        if name not in engine.state.players:
            raise NotDone(nobody_called(name))
    return names


def things_in(value: Value) -> tuple[Ref, ...]:
    """Return the things in a value that are no players; nothing where it holds players."""
    many = value if isinstance(value, tuple) and not isinstance(value, Ref) else (value,)
    return tuple(one for one in many if isinstance(one, Ref) and one.kind != "player")


def check_can_act(engine: Engine, names: tuple[str, ...]) -> None:
    """Say that there is no answer where somebody is to act who cannot: a dummy, or one who has left."""
    for name in names:
        if name not in engine.state.persons:
            raise Undecided(say("cannot-act", "nobody called {player} can act in this game", player=name))


def rules_meant(engine: Engine, expression: Expression) -> Iterator[Rule]:
    """Yield the rules that an effect is about, each as it is when its turn comes; those that are gone are left out.

    What is done to one can take another away, or give it another number.
    """
    for id in dict.fromkeys(one.id for one in things_in(engine.value(expression))):
        rule = engine.state.rules.rules.get(cast(int, id))
        if rule is not None:
            yield rule


#: What is said of a rule that is to be changed and is none.
CHANGED = "what is repealed, transmuted or revived"


happens("prevented", told="“{effect}” is not done: rule {by} does not allow it")


def prevented(engine: Engine, effect: Any, rule: Any, actor: str | None = None) -> None:
    """Record that a rule does not let another one do something."""
    engine.emit("prevented", actor, effect=effect.words, by=rule)


#: What would have come, by the event that it would have been.
WOULD: Mapping[str, str] = {
    "won": "{whom} would have won", "mated": "army {whom} would be mated",
    "eliminated": "{whom} would be out of the game", "defeated": "{whom} would be defeated",
}  # fmt: skip


def replaced(
    engine: Engine, event: str, actor: str | None, whom: str, case: Env,
    data: Mapping[str, Any] | None = None,
) -> bool:  # fmt: skip
    """Do what a rule puts in place of the usual result of something, where one does; tell whether it does.

    Parameters
    ----------
    engine : Engine
        At work.
    event : str
        What would happen.
    actor : str or None
        Whom it concerns.
    whom : str
        The same, as it is told.
    case : mapping of str to Value
        The names that the event binds.
    data : mapping, optional
        What else is recorded.

    Raises
    ------
    Undecided
        Rules of equal rank replace it, or one gives no answer.
    """
    sources = engine.law.instead_of(event, engine.state, case)
    if not sources:
        return False
    items = [engine.in_place_of(source, case) for source in sources]
    engine.cause = Cause.of(sources[0])
    engine.emit("replaced", actor, data=data, what=event, whom=whom, rule=sources[0].rule.number)
    engine.then(*(one for one in items if engine.goes(one.cause)))
    return True


def _told(event: Event) -> str:
    would = WOULD[event.data["what"]].format(whom=event.data["whom"])
    return f"{would}; rule {event.data['rule']} puts something else in place of it"


@happens("replaced", told=_told)
def _replaced(state: State, event: Event) -> State:
    """Let play go on where somebody would have won."""
    if event.data["what"] != "won":
        return state
    return state.but(averted=tuple(event.data["winners"]), stuck=False, first_unable=None)


@effect(
    "when {condition}: {then}",
    example='when player.points < 0: announce player.name + " is in debt"',
    costs=0,
    condition=Anything(),
    then=Inner(),
)
def _when(engine: Engine, effect: Any) -> None:
    """Do it only where that is so when its turn comes."""
    if engine.value(effect.condition):
        engine.go_into((effect.then,), (engine.item.env,))


@effect(
    "each {name} in {among} [when {condition}]: {then}",
    example="each p in playing when p.points < 0: award 1 points to p",
    name=Word(),
    among=Anything(),
    condition=Anything(),
    then=Inner(),
)
def _each(engine: Engine, effect: Any) -> None:
    """Do it for each on a list, one after another."""
    engine.go_into((effect.then,), engine.cases(effect.name, effect.among, effect.condition))


@effect(
    "({effects})",
    example="(put points of player at 0; end turn)",
    costs=0,
    effects=Several(),
)
def _together(engine: Engine, effect: Any) -> None:
    """Do several as one."""
    engine.go_into(effect.effects, (engine.item.env,))
