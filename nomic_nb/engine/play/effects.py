"""Effects that hold others, and what all have in common: what is in their places, and what is done instead."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, TypeGuard, cast

from nomic_nb.engine.law.expressions import NO_NUMBER
from nomic_nb.engine.law.nodes import Expression, NotDone, Undecided
from nomic_nb.engine.law.rules import Rule
from nomic_nb.engine.law.slots import InnerEffectSlot, NameSlot, SeveralEffectsSlot, WordSlot
from nomic_nb.engine.law.slots import ValueSlot as Anything
from nomic_nb.engine.law.values import CaseNames, Number, ThingRef, Value
from nomic_nb.engine.play.declarations import declare_event, effect
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Cause, Event
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import player_names, unknown_player_message
from nomic_nb.engine.words import join_words


def evaluate_count(engine: Engine, expression: Expression, misfit: Callable[[Value], str]) -> int:
    """Return the number that an expression yields; raise `Undecided` if `misfit` returns an objection to it."""
    value = require_number(engine.evaluate(expression))
    if wrong := misfit(value):
        raise Undecided(wrong)
    return cast(int, value)


def require_number(value: Value) -> Number:
    """Return a value that is a number unchanged; raise `Undecided` for any other value."""
    if not is_number(value):
        raise Undecided(NO_NUMBER)
    return value


def is_number(value: Value) -> TypeGuard[Number]:
    """Tell whether a value is a number."""
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def evaluate_players(engine: Engine, expression: Expression) -> tuple[str, ...]:
    """Return the names of the players that an expression yields; an empty tuple if it yields other things."""
    value = engine.evaluate(expression)
    return () if things_but_players(value) else require_players(engine, player_names(value))


def require_players(engine: Engine, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return these names unchanged; raise `NotDone` if one of them is not a player's name."""
    for name in names:
        if name not in engine.state.players:
            raise NotDone(unknown_player_message(name))
    return names


def things_but_players(value: Value) -> tuple[ThingRef, ...]:
    """Return the things in a value, which can be a tuple, that are not players, such as rules."""
    many = value if isinstance(value, tuple) and not isinstance(value, ThingRef) else (value,)
    return tuple(thing for thing in many if isinstance(thing, ThingRef) and thing.kind != "player")


def check_are_persons(engine: Engine, names: tuple[str, ...]) -> None:
    """Raise `Undecided` if one of these players is a dummy or has left the game."""
    for name in names:
        if name not in engine.state.person_names:
            raise Undecided("cannot-act", "no player called {player} can act in this game", player=name)


def targeted_rules(engine: Engine, expression: Expression) -> Iterator[Rule]:
    """Yield the rules in force to which an expression refers, each looked up only when its turn comes.

    What is done to one can take another away, or give it another number.
    """
    for id in dict.fromkeys(thing.id for thing in things_but_players(engine.evaluate(expression))):
        rule = engine.state.rules.rules.get(cast(int, id))
        if rule is not None:
            yield rule


#: What is said about a rule that is to be changed and is none.
CHANGED_MESSAGE = "what is repealed, transmuted or revived"


declare_event("prevented", told="“{effect}” does not happen: rule {by} does not allow it")


def record_prevention(engine: Engine, effect: Any, rule_number: Any, actor: str | None = None) -> None:
    """Record the event that the rule with this number kept an effect, which concerns `actor`, from being done."""
    engine.emit("prevented", actor, effect=effect.words, by=rule_number)


#: What would have come, by the event that it would have been.
WOULD_SENTENCES: Mapping[str, str] = {
    "won": "{whom} would have won", "mated": "army {whom} would be mated",
    "eliminated": "{whom} would be out of the game", "defeated": "proposal {whom} would fail",
}  # fmt: skip


def replace_result(
    engine: Engine, event: str, actor: str | None, whom: str, case: CaseNames,
    data: Mapping[str, Any] | None = None,
) -> bool:  # fmt: skip
    """Record and schedule what rules put in place of an event's usual result; return whether any rule does so.

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
    sources = engine.law.replacing_clauses(event, engine.state, case)
    if not sources:
        return False
    items = [engine.item_of_clause(source, case) for source in sources]
    engine.cause = Cause.from_clause(sources[0])
    engine.emit("replaced", actor, data=data, what=event, whom=whom, rule=sources[0].rule.number)
    engine.put_last(*(agenda_item for agenda_item in items if engine.is_active(agenda_item.cause)))
    return True


def _describe_replacement(event: Event) -> str:
    """Return the history sentence for a usual result that a rule replaces."""
    would = WOULD_SENTENCES[event.data["what"]].format(whom=event.data["whom"])
    return f"{would}, but rule {event.data['rule']} puts something else in its place"


@declare_event("replaced", told=_describe_replacement)
def _resume_after_replacement(state: State, event: Event) -> State:
    """Return the state after a rule replaced a usual result; if that was a win, play continues."""
    if event.data["what"] != "won":
        return state
    return state.replace(averted=tuple(event.data["winners"]), stuck=False, first_unable=None)


@effect(
    "when {condition}: {then}",
    example='when player.points < 0: announce player.name + " is in debt"',
    costs=0,
    condition=Anything(),
    then=InnerEffectSlot(),
)
def _when(engine: Engine, effect: Any) -> None:
    """Do something only if a condition holds when its turn comes."""
    if engine.evaluate(effect.condition):
        engine.do_inner_effects((effect.then,), (engine.item.env,))


@effect(
    "each {name} in {among} [when {condition}]: {then}",
    example="each p in playing when p.points < 0: award 1 points to p",
    name=WordSlot(),
    among=Anything(),
    condition=Anything(),
    then=InnerEffectSlot(),
)
def _each(engine: Engine, effect: Any) -> None:
    """Do something for each item of a list, one after another."""
    engine.do_inner_effects((effect.then,), engine.cases_meeting_condition(effect.name, effect.among, effect.condition))


@effect(
    "let {name} be {value}",
    example="let half be player.points // 2",
    costs=0,
    aloud="work out {name}, which is {value}",
    traits="calling",
    name=NameSlot(value="value"),
    value=Anything(),
)
def _be(engine: Engine, effect: Any) -> None:
    """Give a value a name, for the effects after it: it is worked out once."""
    engine.bind(effect.name, engine.evaluate(effect.value))


@effect("({effects})", example="(put points of player at 0; end turn)", costs=0, effects=SeveralEffectsSlot())
def _together(engine: Engine, effect: Any) -> None:
    """Do several effects as one."""
    engine.do_inner_effects(effect.effects, (engine.item.env,))


declare_event("whenever", "a condition that a rule waits for becomes true", told="")
declare_event(
    "came_true",
    told=lambda e: (
        f"the condition of rule {e.rule} is met" + (f" for {join_words(e.data['of'])}" if "of" in e.data else "")
    ),
)
