"""A sign that what goes into a hidden table is seen by all on its way there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from nomic_nb.explore.seen import Seen
from nomic_nb.explore.unwritten import table_written
from nomic_nb.law.clauses import On
from nomic_nb.law.forms import Effect
from nomic_nb.law.nodes import Expression
from nomic_nb.law.resolver import Law

#: Effects that name what is then told to all: an answer, or a throw.
TOLD = {"let": "chosen", "chance": "drawn", "roll": "thrown"}


def open_secrets(seen: Seen) -> Iterator[str]:
    """Yield what new clauses put into a hidden table, and the history tells all the same."""
    if seen.adoption is None:
        return
    law = seen.adoption.written.law
    for clause in seen.fresh:
        if isinstance(clause, On):
            for name, table in _offered(law, clause):
                yield f"{table} is hidden, and who is asked for {name} chooses from what it holds: all see the options"
            for name, told, table in _told(law, clause.effects, {}, frozenset()):
                yield (
                    f"{table} is hidden, and what is {told} as {name} is not: all see it in the history"
                    f"{', once all have answered' if told == 'answered' else ''}"
                )


def _offered(law: Law, clause: On) -> Iterator[tuple[str, str]]:
    """Yield what is chosen from what hidden tables hold: its name, and the table."""
    for effect in clause.every_effect():
        options = dict(effect.places).get("options") if effect.form.name == "let" else None
        for node in options.walk() if isinstance(options, Expression) else ():
            if node.kind in ("field", "entry", "keys") and law.hides(node.text):
                yield effect.name, node.text


def _told(
    law: Law, effects: tuple[Effect, ...], known: dict[str, tuple[str, str]], behind: frozenset[str]
) -> Iterator[tuple[str, str, str]]:
    """Yield what goes into hidden tables: its name, how it is told, and the table.

    `known` are the names of what is told, and of what is picked from it; `behind` are those of them on which it hangs
    whether these effects are done.
    """
    known = dict(known)
    for effect in effects:
        places: dict[str, Any] = dict(effect.places)
        read = {one for expression in effect.expressions for one in expression.names if one in known}
        if effect.form.name in TOLD:
            told = "answered" if places.get("secret") else TOLD[effect.form.name]
            known[effect.name] = (effect.name, told)
        elif (table := table_written(effect)) and law.hides(table) and "revealed" not in effect.form.makes:
            yield from dict.fromkeys((*known[one], table) for one in sorted(read | behind))
        inner = known
        if effect.form.name == "each" and read:
            inner = {**known, effect.name: known[min(read)]}
        for value in places.values():
            inside = tuple(one for one in (value if isinstance(value, tuple) else (value,)) if isinstance(one, Effect))
            if inside:
                yield from _told(law, inside, inner, behind | read)
