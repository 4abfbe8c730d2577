"""Signs of a ballot that is sealed, and told in another way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nomic_nb.explore.seen import Seen
from nomic_nb.law.clauses import Clause, On, Set
from nomic_nb.law.findings import as_set
from nomic_nb.law.resolver import Law


def unkept(seen: Seen) -> Iterator[str]:
    """Yield what new clauses let all know of ballots although they are sealed."""
    if seen.adoption is None:
        return
    law = seen.adoption.written.law
    yield from _ballots(law, seen.fresh)


def _ballots(law: Law, fresh: Iterable[Clause]) -> Iterator[str]:
    if not could_say(law, "vote.ballots", "sealed"):
        return
    every = [clause for rule in law.book.in_force for clause in rule.clauses]
    for clause in every if any(isinstance(one, Set) and one.key == "vote.ballots" for one in fresh) else fresh:
        answers = isinstance(clause, On) and clause.event == "balloted"
        if answers and any("ballot" in one.names for one in clause.expressions):
            yield f"ballots are sealed, but what “{clause.words}” does tells a ballot as soon as it is cast"


def could_say(law: Law, key: str, value: str) -> bool:
    """Tell whether a clause in force has a text among what it sets a key to."""
    values = (as_set(source).value for source in law.candidates.get(key, ()))
    return any(node.value == value for one in values for node in one.walk() if node.kind == "constant")
