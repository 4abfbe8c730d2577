"""Spans in effects: how long something lasts, or is put off, as a number and a unit."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from nomic_nb.errors import LawError
from nomic_nb.law import values as v
from nomic_nb.law.checking import Checker
from nomic_nb.law.forms import Reader
from nomic_nb.law.places import Value

#: In what something is put off, and how many minutes those have that go by the clock.
UNITS = ("turns", "circuits", "hours", "days", "weeks")
MINUTES: Mapping[str, int] = {"hours": 60, "days": 24 * 60, "weeks": 7 * 24 * 60}
#: Says why a number is no span; empty where it is one.
NO_SPAN = v.within("a span", 0)


@dataclass(frozen=True)
class Span(Value):
    """How long: an expression, and the unit as its last word; the effect has it as ``unit``, in the plural."""

    what: str = "a span"
    said: ClassVar[str] = "EXPR turns|circuits|hours|days|weeks"

    def read(self, name: str, reader: Reader, tree: Any) -> Mapping[str, Any]:
        """Return the expression and the unit; None and an empty unit where they were left out."""
        if tree is None:
            return {name: None, "unit": ""}
        tokens = list(tree.scan_values(lambda _: True))
        last = tokens[-1]
        unit = next((one for one in UNITS if str(last) in (one, one[:-1])), "")
        if not unit or last.end_pos != tree.meta.end_pos:
            meant = difflib.get_close_matches(str(last), UNITS, 1)
            error = LawError("it does not say of what", found=repr(str(last)), expected=meant[0] if meant else _UNITS)
            raise reader.place(error, last.start_pos)
        if len(tokens) == 1:
            error = LawError("it does not say how many", found=repr(str(last)), expected=f"a number, as in 2 {unit}")
            raise reader.place(error, last.start_pos)
        return {name: reader.expr(tree, end=last.start_pos), "unit": unit}

    def fit(self, expression: Any, checker: Checker) -> None:
        """Refuse what is no whole number."""
        checker.expect(expression, v.NUMBER, self.what)
        checker.misfit(expression, NO_SPAN)


_UNITS = ", ".join(UNITS)
