"""When something is due: once so many turns or circuits have ended, or by the recorded clock."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from nomic_nb.engine.law.nodes import Undecided, View
from nomic_nb.engine.law.slots import MINUTES_PER_UNIT
from nomic_nb.engine.law.values import Value, simplify_number
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.agenda_items import Deadline
from nomic_nb.engine.play.calendar import LAST_MINUTE, RecordedClock, format_minute
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.state import State, state_of

#: The unit of what is due once a rule is no longer guaranteed to stand.
FREED_UNIT = "freed"
#: Why what needs the time has no answer.
NO_TIME_RECORDED = say("no-time-recorded", "nobody has recorded what time it is")


def recorded_clock(state: State) -> RecordedClock:
    """Return what the record says of time.

    Raises
    ------
    Undecided
        It says nothing.
    """
    if state.clock is None:
        raise Undecided(NO_TIME_RECORDED)
    return state.clock


def deadline_after(state: State, count: int, unit: str) -> Deadline:
    """Return when a span is over that begins now.

    Raises
    ------
    Undecided
        It goes by the clock, and no time was recorded, or the calendar has no such day.
    """
    if unit in MINUTES_PER_UNIT:
        at = recorded_clock(state).now + count * MINUTES_PER_UNIT[unit]
        if at > LAST_MINUTE:
            raise Undecided(
                say(
                    "beyond-calendar",
                    "{count:,} {unit} from now is later than the calendar goes, {last}",
                    count=count,
                    unit=unit,
                    last=format_minute(LAST_MINUTE),
                )
            )
        return Deadline("minutes", at)
    return Deadline(unit, elapsed_units(state, unit) + count)


def elapsed_units(state: State, unit: str) -> int:
    """Return how many turns have ended, or which circuit is under way."""
    return state.ended if unit == "turns" else state.circuit


def is_due(state: State, due: Deadline) -> bool:
    """Tell whether it is time."""
    if due.unit == "minutes":
        return state.clock is not None and due.at <= state.clock.now
    if due.unit == FREED_UNIT:
        return due.at not in state.rules.rules or not state.rules.rules[due.at].guarded
    return due.at <= elapsed_units(state, due.unit)


def deadlines(state: State) -> Iterator[int]:
    """Yield the minutes to come at which something is due: time that passes stops there."""
    if state.clock is None:
        return
    waited = (state.polls[one.poll].due for one in state.waiting if one.meanwhile)
    for due in (*(one.due for one in state.later), *waited):
        if due is not None and due.unit == "minutes" and due.at > state.clock.now:
            yield due.at


def hours_since(view: View, kind: str, id: int | str) -> Value:
    """Return the hours since somebody acted, a rule changed, or a proposal came; at most since time is recorded."""
    clock = recorded_clock(state_of(view))
    return hours_between(clock.last.get((kind, id), clock.began), clock.now)


def hours_between(one: int, other: int) -> Value:
    """Return the hours between two minutes, exact."""
    return simplify_number(Fraction(other - one, 60))


def with_timestamps(before: State, after: State, event: Event) -> State:
    """Return the state after an event, in which it is noted when who acted, and what took its form."""
    clock = after.clock
    if clock is None:
        return after
    found: list[tuple[str, int | str]] = []
    if event.action and event.actor is not None:
        found.append(("player", event.actor))
    if event.kind == "proposed":
        found.append(("proposal", event.data["number"]))
    if after.rules is not before.rules:
        found += [("rule", rule.id) for rule in after.rules if rule.event == event.seq]
    new = {one: clock.now for one in found if clock.last.get(one) != clock.now}
    return after.replace(clock=replace(clock, last={**clock.last, **new})) if new else after
