"""A sign that a table stays where it starts: no rule in force ever changes it."""

from __future__ import annotations

from collections.abc import Iterator

from nomic_nb.explore.seen import Seen
from nomic_nb.law.clauses import Clause, Draft, On, Track
from nomic_nb.law.forms import Effect
from nomic_nb.law.resolver import Law


def table_written(effect: Effect) -> str | None:
    """Return the table of which an effect changes an entry; None where it changes none."""
    return effect.counter if "counted" in effect.form.makes else None


def unwritten(seen: Seen) -> Iterator[str]:
    """Yield the tables of which new clauses speak and that nothing changes, once the change is law."""
    if seen.adoption is None:
        return
    law = seen.adoption.written.law
    changed = _written(law)
    for name in law.tables:
        if name in changed:
            continue
        if any(isinstance(one, Track) and one.counter == name for one in seen.fresh):
            yield f"no rule changes {name}, so it stays where it starts"
        elif any(name in expression.words for one in seen.fresh for expression in one.expressions):
            yield f"no rule changes {name}, of which the new clauses speak, so it stays where it is"


def _written(law: Law) -> set[str]:
    """Return the tables that rules change, by themselves or by the drafts that they hold ready, or let players give."""
    clauses = [clause for rule in law.book.in_force for clause in rule.clauses]
    found = {table for one in _triggers(clauses) for effect in one.every_effect() if (table := table_written(effect))}
    given = "may.give" in law.candidates
    return found | ({name for name, shape in law.tables.items() if shape.keys == ("player",)} if given else set())


def _triggers(clauses: list[Clause]) -> Iterator[On]:
    for clause in clauses:
        if isinstance(clause, On):
            yield clause
        elif isinstance(clause, Draft):
            yield from _triggers(list(clause.body))
