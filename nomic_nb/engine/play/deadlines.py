"""When something is due: once so many turns or rounds have ended, or by the recorded clock."""

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
NO_TIME_RECORDED = say("no-time-recorded", "nobody has recorded the time")


def recorded_clock(state: State) -> RecordedClock:
    """Return the clock in the state; raise `Undecided` if nobody has recorded a time.

    Raises
    ------
    Undecided
        It says nothing.
    """
    if state.clock is None:
        raise Undecided(NO_TIME_RECORDED)
    return state.clock


def deadline_after(state: State, count: int, unit: str) -> Deadline:
    """Return the deadline `count` units from now; `unit` is turns, rounds, minutes, hours or days.

    Raises
    ------
    Undecided
        It goes by the clock, and no time was recorded, or the calendar has no such day.
    """
    if unit in MINUTES_PER_UNIT:
        at = recorded_clock(state).now + count * MINUTES_PER_UNIT[unit]
        if at > LAST_MINUTE:
            raise Undecided(
                "beyond-calendar",
                "the calendar ends ({last}) before {count:,} {unit} have passed",
                count=count,
                unit=unit,
                last=format_minute(LAST_MINUTE),
            )
        return Deadline("minutes", at)
    return Deadline(unit, count_in_unit(state, unit) + count)


def count_in_unit(state: State, unit: str) -> int:
    """Return how many turns have ended if the unit is “turns”, otherwise the number of the present round."""
    return state.ended if unit == "turns" else state.circuit


def is_due(state: State, due: Deadline) -> bool:
    """Tell whether a deadline (`due`) has been reached."""
    if due.unit == "minutes":
        return state.clock is not None and due.at <= state.clock.now
    if due.unit == FREED_UNIT:
        return due.at not in state.rules.rules or not state.rules.rules[due.at].guarded
    return due.at <= count_in_unit(state, due.unit)


def minutes_falling_due(state: State) -> Iterator[int]:
    """Yield each minute after now, numbered as by `parse_minute`, at which a postponed effect or a poll falls due."""
    if state.clock is None:
        return
    waited = (state.polls[waiting.poll].due for waiting in state.waiting if waiting.meanwhile)
    for due in (*(postponed.due for postponed in state.later), *waited):
        if due is not None and due.unit == "minutes" and due.at > state.clock.now:
            yield due.at


def hours_since(view: View, kind: str, id: int | str) -> Value:
    """Return the hours since a player acted, a rule changed or a proposal was made, given by kind and id."""
    clock = recorded_clock(state_of(view))
    return hours_between(clock.last.get((kind, id), clock.began), clock.now)


def hours_between(earlier: int, later: int) -> Value:
    """Return the exact number of hours from one minute to a later one."""
    return simplify_number(Fraction(later - earlier, 60))


def with_timestamps(before: State, after: State, event: Event) -> State:
    """Return the state `after` an event, with the time noted for its player, its new proposal and its changed rules."""
    clock = after.clock
    if clock is None:
        return after
    stamped_things: list[tuple[str, int | str]] = []
    if event.is_action and event.actor is not None:
        stamped_things.append(("player", event.actor))
    if event.kind == "proposed":
        stamped_things.append(("proposal", event.data["number"]))
    if after.rules is not before.rules:
        stamped_things += [("rule", rule.id) for rule in after.rules if rule.event == event.seq]
    new = {thing: clock.now for thing in stamped_things if clock.last.get(thing) != clock.now}
    return after.replace(clock=replace(clock, last={**clock.last, **new})) if new else after
