"""Signs of a secret that is not kept: what stands in a hidden table, or on a sealed ballot, is told in another way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nomic_nb.explore.seen import Seen
from nomic_nb.explore.unwritten import WRITING
from nomic_nb.law.clauses import Clause, On, Set
from nomic_nb.law.findings import as_set
from nomic_nb.law.forms import Effect
from nomic_nb.law.resolver import Law

#: Effects whose outcome is told to all once it is there.
TOLD = frozenset({"chance", "let", "roll"})


def unkept(seen: Seen) -> Iterator[str]:
    """Yield what new clauses let all know although the law hides it."""
    if seen.adoption is None:
        return
    law = seen.adoption.written.law
    for clause in seen.fresh:
        if isinstance(clause, On):
            yield from _put_for_all_to_see(law, clause)
    yield from _ballots(law, seen.fresh)


def _put_for_all_to_see(law: Law, clause: On) -> Iterator[str]:
    told = {effect.name: effect for effect in clause.every_effect() if effect.form.name in TOLD}
    for effect in clause.every_effect():
        used = [name for one in effect.expressions for name in one.names if name in told]
        tables = dict.fromkeys(one.counter for one in effect.every() if _writes_hidden(law, one))
        for name in tables if used and effect.form.name not in TOLD else ():
            words = told[used[0]].words
            yield f"{name} is hidden, but all are told what “{words}” comes to, and so know what is put there"


def _writes_hidden(law: Law, effect: Effect) -> bool:
    return effect.form.name in WRITING and law.hides(effect.counter)


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
