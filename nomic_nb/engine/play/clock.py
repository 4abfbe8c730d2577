"""Time that passes because somebody records it: midnights and what is due come one after the other, and as events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NoReturn

from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.law.values import NUMBER, TEXT, Type, Value, text_type
from nomic_nb.engine.law.vocabulary import Field, Record
from nomic_nb.engine.messages import Message
from nomic_nb.engine.play.calendar import (
    EXAMPLE_TIME,
    MINUTES_PER_DAY,
    WEEKDAYS,
    RecordedClock,
    format_minute,
    midnight_after,
    parse_minute,
    weekday,
    weeks_between,
)
from nomic_nb.engine.play.deadlines import NO_TIME_RECORDED, hours_between, minutes_falling_due, recorded_clock
from nomic_nb.engine.play.declarations import TimeField, action, declare_event, declare_fact
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.state import State, state_of

#: Days that may pass at once.
MOST_DAYS = 400
#: The event that nothing but recorded time brings about.
MIDNIGHT_EVENT = "day_begun"

# --------------------------------------------------------------------------------------------- recording


@action("time_told", host=True)
def time(engine: Engine, now: TimeField) -> None:
    """Record the current time; everything that has come due since the last recorded time happens first, in order."""
    try:
        minute, clock = parse_minute(now), engine.state.clock
    except ValueError as error:
        raise IllegalAction(error.args[0], options=[f'game.host.time("{EXAMPLE_TIME}")']) from None
    if clock is not None:
        _check_time(clock, minute)
    engine.emit("time_told", now=format_minute(minute))
    question = engine.state.questions[0] if engine.state.questions else None
    if clock is None and question is not None and NO_TIME_RECORDED in question.text:
        engine.emit("withdrawn", question=question.id)  # what was asked for want of the time is judged now


def _check_time(clock: RecordedClock, minute: int) -> None:
    """Raise `IllegalAction` if a minute is not after the latest recorded time, or too many days after the clock's."""
    if minute <= clock.until:
        raise IllegalAction(
            "clock-back", "it’s already {now}, and the clock can’t go back", now=format_minute(clock.until)
        )
    if minute - clock.now > MOST_DAYS * MINUTES_PER_DAY:
        furthest = format_minute(clock.now + MOST_DAYS * MINUTES_PER_DAY)
        raise IllegalAction(
            "too-many-days",
            "the clock can move forward by at most {most} days at a time; set it to {first} first",
            most=MOST_DAYS,
            first=furthest,
        )


@declare_event("time_told", told="the clock is set to {now}")
def _apply_time_told(state: State, event: Event) -> State:
    """Return the state after the event that somebody recorded the time, to which the clock will run."""
    minute, clock = parse_minute(event.data["now"]), state.clock
    return state.replace(clock=RecordedClock(minute, minute, minute) if clock is None else replace(clock, until=minute))


# ----------------------------------------------------------------------------------------- time that passes


def _apply_time_passed(state: State, event: Event) -> State:
    """Return the state after the event that time passed, with the clock at the time in the event."""
    return state.replace(clock=replace(recorded_clock(state), now=parse_minute(event.data["now"])))


declare_event(
    MIDNIGHT_EVENT, "a day begins, at midnight; `now` is that moment",
    told=lambda e: f"{weekday(parse_minute(e.data['now']))} {e.data['now'][:10]} begins",
)(_apply_time_passed)  # fmt: skip
declare_event("time_passed", told="it is {now}")(_apply_time_passed)


def has_time_to_pass(state: State) -> bool:
    """Tell whether the clock has not yet run on to the latest time that somebody recorded."""
    return state.clock is not None and state.clock.now < state.clock.until


def advance_clock(engine: Engine) -> bool:
    """Move the clock to the next midnight, deadline or recorded time; return whether it moved."""
    clock = engine.state.clock
    if clock is None or not has_time_to_pass(engine.state):
        return False
    midnight = midnight_after(clock.now)
    stop = min(midnight, clock.until, *minutes_falling_due(engine.state))
    engine.cause = None
    engine.emit(MIDNIGHT_EVENT if stop == midnight else "time_passed", now=format_minute(stop))
    return True


def refuse_long_time(now: RecordedClock, before: RecordedClock, why: Message) -> NoReturn:
    """Raise `IllegalAction`, saying `why` the clock cannot go straight to `now`; `before` may be recorded first.

    Raises
    ------
    IllegalAction
        Always.
    """
    raise IllegalAction(
        "too-much-at-once",
        "the clock can’t go that far at once: by {until}, {why}. Set it to {first} first",
        until=format_minute(now.now),
        why=why,
        first=format_minute(before.now),
        options=[f'game.host.time("{format_minute(before.now)}")'],
    )


# -------------------------------------------------------------------------------------- as rules mention it


def _time_field(name: str, type: Type, meaning: str, get: Callable[[RecordedClock, int], Value]) -> Field:
    """Return a field of times for rules to read; `get` computes it from the recorded clock and the time's minute."""
    return Field(
        name, type, meaning, ("clock",), lambda view, id: get(recorded_clock(state_of(view)), parse_minute(str(id))),
        traits="alike passing",
    )  # fmt: skip


FACTS = (
    declare_fact("now", Type("time"), "the current time, as last recorded",
         lambda state: format_minute(recorded_clock(state).now), reads=("clock",), traits="alike passing"),
)  # fmt: skip

RECORDS = (
    Record("time", "a time that was recorded", (
        _time_field("hours", NUMBER, "hours since the first recorded time",
               lambda clock, now: hours_between(clock.began, now)),
        _time_field("day", NUMBER, "the number of the day, 1 for the first one recorded",
               lambda clock, now: now // MINUTES_PER_DAY - clock.began // MINUTES_PER_DAY + 1),
        _time_field("week", NUMBER, "the number of the week, starting on Monday, 1 for the first one recorded",
               lambda clock, now: weeks_between(clock.began, now) + 1),
        _time_field("weekday", text_type(TEXT, WEEKDAYS), "the day of the week", lambda _, now: weekday(now)),
        _time_field("hour", NUMBER, "the hour of the day, from 0 to 23", lambda _, now: now % MINUTES_PER_DAY // 60),
        _time_field("date", TEXT, "the date, such as 2026-11-22", lambda _, now: format_minute(now)[:10]),
    )),
)  # fmt: skip
