"""Dates in rules: which day of the game one is, so that dates can be compared and counted from."""

from __future__ import annotations

from nomic_nb.engine.law.nodes import Undecided, View
from nomic_nb.engine.law.values import NUMBER, TEXT, Value
from nomic_nb.engine.law.vocabulary import Function
from nomic_nb.engine.play.calendar import MINUTES_PER_DAY, parse_minute
from nomic_nb.engine.play.deadlines import recorded_clock
from nomic_nb.engine.play.state import state_of


def _day_number(view: View, text: Value) -> Value:
    """Return the number of the day that a date is, counted like `now.day`: 0 and less before the first one."""
    began = recorded_clock(state_of(view)).began
    try:
        minute = parse_minute(f"{text} 00:00")
    except ValueError:
        raise Undecided("date-unreadable", "“{text}” isn’t a date like 2026-11-22", text=str(text)[:40]) from None
    return minute // MINUTES_PER_DAY - began // MINUTES_PER_DAY + 1


FUNCTIONS = (
    Function("day_of", (TEXT,), NUMBER, "the number of the day that a date is, as now.day counts them: "
             'now.day < day_of("2026-12-01")', _day_number, reads=("clock",), traits="alike steady"),
)  # fmt: skip
