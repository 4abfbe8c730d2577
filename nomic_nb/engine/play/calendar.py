"""What time it is, as the record has it: minutes, days and weeks, by nobody's clock but what somebody told."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from datetime import date, datetime

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.messages import say

#: Minutes of a day.
MINUTES_PER_DAY = 24 * 60
#: The last minute that has a name: of the year 9999.
LAST_MINUTE = (date.max.toordinal() + 1) * MINUTES_PER_DAY - 1
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
#: How a time is written, as in messages.
EXAMPLE_TIME = "2026-11-22 18:00"
_TIME_FORM = re.compile(r"(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d)", re.ASCII)


@frozen
class RecordedClock:
    """What the record says about time; in minutes.

    Parameters
    ----------
    began : int
        The first time that was recorded.
    now : int
        What time it is.
    until : int
        What was recorded last; where it is later than `now`, what falls due in between is still to be done.
    last : mapping of (str, int or str) to int
        When a player did something last, or a rule or a proposal took its form: what is not there, not since `began`.
    """

    began: int
    now: int
    until: int
    last: Mapping[tuple[str, int | str], int] = field(default_factory=dict)


def parse_minute(text: str) -> int:
    """Return a date and time, like “2026-11-22 18:01”, as a number of minutes that runs through the whole calendar.

    Raises
    ------
    ValueError
        There is no such time, or it is written in another way.

    Examples
    --------
    >>> parse_minute("2026-11-22 18:01") - parse_minute("2026-11-21 18:00")
    1441
    """
    match = _TIME_FORM.fullmatch(text.strip())
    if match is None:
        raise ValueError(
            say("time-unreadable", "“{found}” isn’t a time like {example}", example=EXAMPLE_TIME, found=text[:40])
        )
    *day, hour, minute = map(int, match.groups())
    try:
        days = date(*day).toordinal()
    except ValueError:
        raise ValueError(say("no-such-day", "there is no such date as {day}", day=text[:10])) from None
    if hour > 23 or minute > 59:
        raise ValueError(
            say(
                "no-such-time",
                "there is no such time as {time}; hours go from 00 to 23 and minutes from 00 to 59",
                time=text.strip()[11:],
            )
        )
    return days * MINUTES_PER_DAY + hour * 60 + minute


def format_minute(minute: int) -> str:
    """Return the date and time of a minute, numbered as by `parse_minute`, like “2026-11-23 01:00”.

    Examples
    --------
    >>> format_minute(parse_minute("2026-11-22 18:00") + 7 * 60)
    '2026-11-23 01:00'
    """
    day, rest = divmod(minute, MINUTES_PER_DAY)
    return f"{date.fromordinal(day).isoformat()} {rest // 60:02}:{rest % 60:02}"


def machine_time() -> str:
    """Return this machine's date and time as text, to suggest it to whoever records the time."""
    return datetime.now().strftime("%Y-%m-%d %H:%M")


def midnight_after(minute: int) -> int:
    """Return the minute of the first midnight after a minute, both numbered as by `parse_minute`."""
    return (minute // MINUTES_PER_DAY + 1) * MINUTES_PER_DAY


def weekday(minute: int) -> str:
    """Return the English name of the day of the week on which a minute falls.

    Examples
    --------
    >>> weekday(parse_minute("2026-11-22 18:00"))
    'Sunday'
    """
    return WEEKDAYS[(minute // MINUTES_PER_DAY - 1) % 7]


def weeks_between(earlier: int, later: int) -> int:
    """Return how many Mondays begin after the earlier minute and no later than the other one.

    Examples
    --------
    >>> weeks_between(parse_minute("2026-11-22 18:00"), parse_minute("2026-11-23 00:00"))
    1
    """
    return (later // MINUTES_PER_DAY - 1) // 7 - (earlier // MINUTES_PER_DAY - 1) // 7
