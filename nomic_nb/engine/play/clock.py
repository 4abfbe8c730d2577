"""Time that passes because somebody records it: midnights and what is due come one after the other, and as events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NoReturn

from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.law.values import NUMBER, TEXT, Type, Value, worded
from nomic_nb.engine.law.vocabulary import Field, Record
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.calendar import (
    DAY,
    EXAMPLE,
    WEEKDAYS,
    Clock,
    midnight_after,
    minute_of,
    weekday,
    weeks_between,
    written,
)
from nomic_nb.engine.play.deadlines import NOBODY, clock_of, deadlines, hours_between
from nomic_nb.engine.play.declarations import ATime, action, fact, happens
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.state import State, state_of

#: Days that may pass at once.
MOST_DAYS = 400
#: The event that nothing but recorded time brings about.
MIDNIGHT = "day_begun"

# --------------------------------------------------------------------------------------------- recording


@action("time_told", host=True)
def time(engine: Engine, now: ATime) -> None:
    """Record what time it is; what falls due since the last time comes first, in its order."""
    try:
        minute, clock = minute_of(now), engine.state.clock
    except ValueError as error:
        raise IllegalAction(error.args[0], options=[f'game.host.time("{EXAMPLE}")']) from None
    if clock is not None:
        _check(clock, minute)
    engine.emit("time_told", now=written(minute))
    question = engine.state.questions[0] if engine.state.questions else None
    if clock is None and question is not None and NOBODY in question.text:
        engine.emit("withdrawn", question=question.id)  # what was asked for want of the time is judged now


def _check(clock: Clock, minute: int) -> None:
    """Refuse a time that is not later than what was recorded, and one that is too far off."""
    if minute <= clock.until:
        raise IllegalAction(
            say("clock-back", "it is {now} already, and the clock is not set back", now=written(clock.until))
        )
    if minute - clock.now > MOST_DAYS * DAY:
        furthest = written(clock.now + MOST_DAYS * DAY)
        raise IllegalAction(
            say(
                "too-many-days",
                "at most {most} days pass at once; record {first} first",
                most=MOST_DAYS,
                first=furthest,
            )
        )


@happens("time_told", told="it is recorded as {now}")
def _told(state: State, event: Event) -> State:
    minute, clock = minute_of(event.data["now"]), state.clock
    return state.but(clock=Clock(minute, minute, minute) if clock is None else replace(clock, until=minute))


# ----------------------------------------------------------------------------------------- time that passes


def _passed(state: State, event: Event) -> State:
    return state.but(clock=replace(clock_of(state), now=minute_of(event.data["now"])))


happens(
    MIDNIGHT, "a day has begun, at midnight; `now` is its beginning",
    told=lambda e: f"{weekday(minute_of(e.data['now']))} {e.data['now'][:10]} begins",
)(_passed)  # fmt: skip
happens("time_passed", told="it is {now}")(_passed)


def time_passes(state: State) -> bool:
    """Tell whether a later time was recorded than what falls due has come to."""
    return state.clock is not None and state.clock.now < state.clock.until


def tick(engine: Engine) -> bool:
    """Let time pass to the next midnight, the next thing that is due, or what the record says; tell whether it did."""
    clock = engine.state.clock
    if clock is None or not time_passes(engine.state):
        return False
    midnight = midnight_after(clock.now)
    stop = min(midnight, clock.until, *deadlines(engine.state))
    engine.cause = None
    engine.emit(MIDNIGHT if stop == midnight else "time_passed", now=written(stop))
    return True


def refuse_so_much(now: Clock, before: Clock, why: Message) -> NoReturn:
    """Refuse to let so much time pass at once, because of what happens on the way.

    Raises
    ------
    IllegalAction
        Always.
    """
    raise IllegalAction(
        say(
            "too-much-at-once",
            "too much falls due at once: by {until} {why}; record {first} first",
            until=written(now.now),
            why=why,
            first=written(before.now),
        ),
        options=[f'game.host.time("{written(before.now)}")'],
    )


# -------------------------------------------------------------------------------------- as rules speak of it


def _field(name: str, type: Type, meaning: str, get: Callable[[Clock, int], Value]) -> Field:
    return Field(
        name, type, meaning, ("clock",), lambda view, id: get(clock_of(state_of(view)), minute_of(str(id))),
        traits="alike passing",
    )  # fmt: skip


FACTS = (
    fact("now", Type("time"), "what time it is, as somebody has recorded it",
         lambda state: written(clock_of(state).now), reads=("clock",), traits="alike passing"),
)  # fmt: skip

RECORDS = (
    Record("time", "a time that was recorded", (
        _field("hours", NUMBER, "hours since the first time that was recorded",
               lambda clock, now: hours_between(clock.began, now)),
        _field("day", NUMBER, "the day, 1 for the first that was recorded",
               lambda clock, now: now // DAY - clock.began // DAY + 1),
        _field("week", NUMBER, "the week, from Monday on; 1 for the first that was recorded",
               lambda clock, now: weeks_between(clock.began, now) + 1),
        _field("weekday", worded(TEXT, WEEKDAYS), "the day of the week", lambda _, now: weekday(now)),
        _field("hour", NUMBER, "the hour of the day, from 0 to 23", lambda _, now: now % DAY // 60),
        _field("date", TEXT, "the date, as 2026-11-22", lambda _, now: written(now)[:10]),
    )),
)  # fmt: skip
