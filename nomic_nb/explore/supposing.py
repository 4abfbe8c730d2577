"""Clauses whose condition does not hold now, tried where it can hold; and choices that never come to a value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from nomic_nb.explore.cases import Cases
from nomic_nb.explore.reading import all_of, always
from nomic_nb.explore.terms import Met, Turned, compare
from nomic_nb.law.clauses import Clause, Piece, Set
from nomic_nb.law.nodes import Node, canonical
from nomic_nb.law.resolver import Law
from nomic_nb.law.rules import OTHERWISE, Rule, Source
from nomic_nb.law.running import closure
from nomic_nb.law.view import Undecided, View
from nomic_nb.play.possible import varies
from nomic_nb.play.state import State


@dataclass(frozen=True)
class Supposition:
    """A clause, and the law as it is where what its condition leaves to play is so.

    Parameters
    ----------
    clause : Set
        As it is proposed.
    state : State
        With the clause under the rest of its condition: what a case tells by itself.
    """

    clause: Set
    state: State

    @property
    def when(self) -> str:
        """The condition, as it is written; that it is about a kind of piece goes without saying."""
        condition = self.clause.given if isinstance(self.clause, Piece) else self.clause.condition
        return condition.text.strip() if condition is not None else ""


def suppositions(state: State, new: Rule, old: Rule | None) -> Iterator[Supposition]:
    """Yield the new clauses whose condition depends on what play alters, each where it holds."""
    for clause in new.clauses:
        if not isinstance(clause, Set) or clause.condition is None or always(clause):
            continue
        if old is not None and clause in old.clauses:
            continue
        parts = all_of(clause.condition.node)
        kept = [one for one in parts if not varies(state.law, state.law.language.expression(canonical(one)))]
        if len(kept) < len(parts):
            rest = " and ".join(f"({canonical(one)})" for one in kept)
            if not rest and state.law.precedence.limits(Source(new, clause)):
                rest = "true"  # a limit is one still
            loose = replace(clause, condition=state.law.language.expression(rest) if rest else None)
            yield Supposition(clause, _with(state, new, clause, loose))


def _with(state: State, rule: Rule, clause: Set, loose: Set) -> State:
    """Return the state in whose law one clause stands in place of another."""
    parts = tuple(
        replace(part, lines=tuple(one._replace(clause=loose) if one.clause is clause else one for one in part.lines))
        for part in rule.parts
    )
    book = state.rules.with_rule(replace(rule, parts=parts))
    return state.but(rules=book, law=Law(book, state.law.order, state.law.language))


def tried(cases: Cases, turned: tuple[Turned, ...], some: tuple[Supposition, ...]) -> tuple[list[Turned], list[Met]]:
    """Return what clauses change where they hold, apart from what they change now."""
    known = {source.clause.words for one in turned for source in one.new.sources}
    found: list[Turned] = []
    met: list[Met] = []
    for one in some:
        if one.clause.words in known:
            continue
        then, meets = compare(Cases(cases.before, one.state, cases.player, cases.changed), [one.clause.key])
        found += [replace(each, case=_where(each.case, one)) for each in then if not each.recast]
        met += [replace(each, case=_where(each.case, one)) for each in meets]
    return found, met


def _where(case: str, one: Supposition) -> str:
    return f"{case}, where {one.when}" if case else f"where {one.when}"


def unreached(cases: Cases, clauses: Iterable[Clause]) -> Iterator[str]:
    """Yield the values of new clauses that another rule defeats in every case for which they are meant."""
    for clause in clauses:
        if type(clause) is Set and clause.value.node.kind == "if" and OTHERWISE not in clause.value.names:
            yield from _values(cases, clause)


def _values(cases: Cases, clause: Set) -> Iterator[str]:
    law = cases.after.law
    reached: set[str] = set()
    lost: dict[str, tuple[str, object]] = {}
    for case in cases.of(clause.key):
        found = case.after.find(clause.key, **case.env)
        try:
            node, why = _chosen(clause.value.node, View(case.after, case.env, law), law)
        except Undecided:
            return
        said = canonical(node)
        if any(one.clause is clause for one in found.sources):
            reached.add(said)
        elif found.answered and why:
            lost.setdefault(said, (why, found.rule))
    for said, (why, rule) in lost.items():
        if reached and said not in reached:
            yield f"“{said}” is never the answer: where {why}, rule {rule} says what {clause.key} is"


def _chosen(node: Node, view: View, law: Law) -> tuple[Node, str]:
    """Return the value that a choice comes to, and its condition; without one where it is the last."""
    while node.kind == "if":
        value, condition, other = node.parts
        if closure(condition, law.vocabulary)(view) is True:
            return value, canonical(condition)
        node = other
    return node, ""
