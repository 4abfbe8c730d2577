"""Signs of a ballot that is sealed, and told in another way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nomic_nb.explore.cases import BALLOTS
from nomic_nb.explore.seen import Seen
from nomic_nb.law.clauses import Clause, On, Set
from nomic_nb.law.findings import as_set
from nomic_nb.law.resolver import Law

#: Events on which rules answer to a vote that is still open, or to anything else meanwhile.
WHILE_OPEN = frozenset({"taken", "balloted", "said", "deed", "turn_begun", "turn_ended", "part_begun", "part_ended",
                        "day_begun", "circuit_ended", "thrown", "counted", "gave", "acted", "free_act"})  # fmt: skip
#: What is looked at once no more ballots can be cast.
FOUND_LATE = frozenset(
    {"vote.quota", "vote.quorum", "vote.adopted", "dissent.points", "defeat.points", "change.effective"}
)


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
        elif _counts_early(clause):
            yield f"ballots are sealed, but “{clause.words}” looks at them while the vote is open, and shows it"


def _counts_early(clause: Clause) -> bool:
    """Tell whether a clause looks at the ballots of a vote before its result is found."""
    if isinstance(clause, On) and clause.event not in WHILE_OPEN:
        return False
    if isinstance(clause, Set) and clause.key in FOUND_LATE:
        return False
    used = {word.rpartition(".")[2] for one in clause.expressions for word in one.words}
    of_proposals = {"who", "most"} & used and any(
        {"proposal", "proposals"} & set(one.names) for one in clause.expressions
    )
    return bool(used & BALLOTS or of_proposals) and "status" not in used


def could_say(law: Law, key: str, value: str) -> bool:
    """Tell whether a clause in force has a text among what it sets a key to."""
    values = (as_set(source).value for source in law.candidates.get(key, ()))
    return any(node.value == value for one in values for node in one.walk() if node.kind == "constant")
