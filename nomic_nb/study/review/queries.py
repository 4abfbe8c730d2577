"""What clauses say and do: the questions that several checks ask of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.clauses import Clause, Effect
from nomic_nb.engine.law.findings import set_clause_of
from nomic_nb.engine.law.nodes import Expression, Undecided, View
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.values import Value
from nomic_nb.engine.play.declarations import ACTIONS
from nomic_nb.engine.play.state import State


def is_unconditional(clause: Clause) -> bool:
    """Return True if a clause sets a term without any condition, so that it always applies."""
    return isinstance(clause, c.SetClause) and clause.written_condition is None


def all_effects(clauses: Iterable[Clause], *forms: str) -> list[Effect]:
    """Return all effects in clauses, nested ones too; if `forms` (verbs) are given, only effects of these forms."""
    return [effect for clause in clauses for effect in clause.all_effects(*forms)]


def evaluate_or_none(expression: Expression, state: State, **case: Value) -> Value:
    """Return the value of an expression, with variables bound as in `case`; None if the law does not decide it."""
    try:
        return expression.run(View(state, case, state.law))
    except Undecided:
        return None


def effects_in_force(law: Law) -> list[Effect]:
    """Return all effects in clauses of rules in force, and in clauses that these rules draft."""
    return all_effects([part for clause in clauses_in_force(law) for part in clause.with_inner_clauses])


def effects_in_slots(effect: Effect) -> Iterator[tuple[Effect, ...]]:
    """Yield, for each slot of an effect, a tuple of the effects nested in it; an empty one for a slot without any."""
    for _, value in effect.places:
        yield tuple(item for item in (value if isinstance(value, tuple) else (value,)) if isinstance(item, Effect))


def table_changed_by(effect: Effect) -> str | None:
    """Return the name of the table that an effect changes; None if it changes none."""
    return effect.counter if "counted" in effect.form.makes else None


def can_tables_change_any_time(law: Law, tables: Set[str]) -> bool:
    """Return True if rules change one of some tables upon what may happen at any time (an action, a new day)."""
    at_will = {deed.makes for deed in ACTIONS.values() if deed.heard} | {"taken", "day_begun"}
    acting = (clause for clause in law.acting_clauses if clause.event in at_will)
    return bool(tables) and any(table_changed_by(effect) in tables for effect in all_effects(acting))


def clauses_in_force(law: Law) -> list[Clause]:
    """Return the clauses in force, rule by rule."""
    return [clause for rule in law.book.in_force for clause in rule.clauses]


def can_be_set_to(law: Law, key: str, value: str) -> bool:
    """Tell whether a clause in force can set the term of a given key (such as `vote.quota_when`) to a given text."""
    return any(value in set_clause_of(source).value.constant_texts() for source in law.clauses_about(key))
