"""What clauses say and do: the questions that several checks ask of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.clauses import Clause
from nomic_nb.engine.law.findings import set_clause_of
from nomic_nb.engine.law.forms import Effect
from nomic_nb.engine.law.nodes import Expression, Undecided, View
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.values import Value
from nomic_nb.engine.play.declarations import ACTIONS
from nomic_nb.engine.play.state import State


def is_always_true(clause: Clause) -> bool:
    """Tell whether a clause says what it says in every case; where it is of a kind of piece, of that kind."""
    return isinstance(clause, c.SetClause) and clause.written_condition is None


def effects(clauses: Iterable[Clause], *forms: str) -> list[Effect]:
    """Return all effects of clauses, or those of some forms, those inside others too."""
    return [effect for one in clauses for effect in one.every_effect(*forms)]


def value_of(expression: Expression, state: State, **case: Value) -> Value:
    """Return what an expression comes to in a case; None where the law does not say."""
    try:
        return expression.run(View(state, case, state.law))
    except Undecided:
        return None


def effects_in_force(law: Law) -> list[Effect]:
    """Return what rules in force do, by themselves or by the drafts that they hold ready."""
    return effects([part for clause in clauses_in_force(law) for part in clause.whole])


def inner_effects(effect: Effect) -> Iterator[tuple[Effect, ...]]:
    """Yield what an effect lets be done, place by place."""
    for _, value in effect.places:
        yield tuple(one for one in (value if isinstance(value, tuple) else (value,)) if isinstance(one, Effect))


def table_written(effect: Effect) -> str | None:
    """Return the table of which an effect changes an entry; None where it changes none."""
    return effect.counter if "counted" in effect.form.makes else None


def is_written_freely(law: Law, tables: Set[str]) -> bool:
    """Tell whether something that can be done at any time, an offer among it, or a new day changes one of these."""
    at_will = {deed.makes for deed in ACTIONS.values() if deed.heard} | {"taken", "day_begun"}
    acting = (clause for clause in law.acting_clauses if clause.event in at_will)
    return bool(tables) and any(table_written(one) in tables for one in effects(acting))


def clauses_in_force(law: Law) -> list[Clause]:
    """Return the clauses in force, rule by rule."""
    return [clause for rule in law.book.in_force for clause in rule.clauses]


def can_set_to(law: Law, key: str, value: str) -> bool:
    """Tell whether a clause in force has a text among what it sets a key to."""
    return any(value in set_clause_of(source).value.texts() for source in law.clauses_about(key))
