"""A sign that one of the values between which a clause chooses is never the answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nomic_nb.explore.cases import Cases
from nomic_nb.law.clauses import Clause, Set
from nomic_nb.law.index import OTHERWISE
from nomic_nb.law.nodes import Node, canonical
from nomic_nb.law.running import closure
from nomic_nb.law.view import Undecided, View
from nomic_nb.play.asking import ask
from nomic_nb.play.vocabulary import language


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
        found = ask(case.after, clause.key, case.env)
        try:
            node, why = _chosen(clause.value.node, View(case.after, case.env, law))
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


def _chosen(node: Node, view: View) -> tuple[Node, str]:
    """Return the value that a choice comes to, and its condition; without one where it is the last."""
    while node.kind == "if":
        value, condition, other = node.parts
        if closure(condition, language().vocabulary)(view) is True:
            return value, canonical(condition)
        node = other
    return node, ""
