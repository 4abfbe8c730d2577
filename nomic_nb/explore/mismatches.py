"""Signs that a rule would not do what its words say, or what its writer meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from nomic_nb.explore.cases import voters_in
from nomic_nb.explore.figures import apart
from nomic_nb.explore.seen import Seen
from nomic_nb.law.changes import Change
from nomic_nb.law.checking import yielded
from nomic_nb.law.clauses import Set
from nomic_nb.law.findings import as_set
from nomic_nb.law.hints import suggestions
from nomic_nb.law.values import Number, Ref
from nomic_nb.markup.words import cited, listed
from nomic_nb.play.asking import ask
from nomic_nb.play.possible import supposed, supposed_case
from nomic_nb.play.state import State


def mismatches(seen: Seen) -> Iterator[str]:
    """Yield where wording and clauses do not fit, and clauses that come to something else than they look like."""
    yield from _figures(seen)
    yield from _quota(seen)
    yield from _nowhere(seen)
    yield from _of_nobody(seen)


def _figures(seen: Seen) -> Iterator[str]:
    """Say that clauses stay below other words, or that they set a number which the words have not, but another."""
    change, old, new = seen.change, seen.old, seen.new
    if new is None or change.kind not in ("enact", "amend"):
        return
    said, meant = apart(new.wording, new.clauses)
    if said and meant and (old is None or (said, meant) != apart(old.wording, old.clauses)):
        numbers = listed([str(one) for one in said], "or")
        yield f"its wording says {numbers}, but no clause does: {_quoted(clause.words for clause, _ in meant)}"
    elif old is not None and new.law and old.law == new.law and old.wording != new.wording and not change.add:
        yield f"only the wording changes, and the clauses stay as they are: {_quoted(one.words for one in new.clauses)}"


def _quoted(clauses: Iterable[str]) -> str:
    return ", ".join(f"“{one}”" for one in clauses)


def _nowhere(seen: Seen) -> Iterator[str]:
    """Say that a clause compares a part of a turn, or a standing, with a text that no rule in force has for one."""
    if seen.adoption is None:
        return
    law = seen.adoption.written.law
    parts = [node.value for one in law.candidates.get("turn.parts", ()) for node in yielded(as_set(one).value.node)]
    known: dict[str, list[object]] = {
        "part": list(parts),
        "tier": [*law.order.tiers, *(rule.tier for rule in law.book)],
    }
    for clause in seen.fresh:
        compared = [node for one in clause.expressions for node in one.walk() if node.kind == "compare"]
        for one, other in [pair for node in compared for pair in (node.parts, node.parts[::-1])]:
            words = {str(word): "" for word in known.get(one.text, ())} if one.kind in ("name", "field") else {}
            for text in (part.value for part in (other.parts if other.kind == "list" else (other,))):
                if words and isinstance(text, str) and text not in words:
                    meant = listed([f"“{word}”" for word in suggestions(text, words) or words], "or")
                    yield f"no rule in force has a {one.text} “{text}”: “{clause.words}”; there is {meant}"


def _of_nobody(seen: Seen) -> Iterator[str]:
    """Say that a clause on what counters stand at speaks of the player whose it is, of one that is no player's."""
    law = seen.adoption.written.law if seen.adoption is not None else None
    for clause in seen.fresh if law is not None else ():
        if not isinstance(clause, Set) or clause.key != "counter.value" or clause.condition is None:
            continue
        nodes = [node for node in clause.condition.walk() if node.kind == "compare"]
        sides = [pair for node in nodes for pair in (node.parts, node.parts[::-1]) if pair[0].text == "counter"]
        named = [part.value for _, other in sides for part in (other, *other.parts) if isinstance(part.value, str)]
        shapes = [law.tables[name] for name in named if law is not None and name in law.tables]
        missing = {"player"} & {name for one in clause.expressions for name in one.names}
        if missing and shapes and not any("player" in one.keys for one in shapes):
            yield (
                f"“{clause.words}” never applies: {named[0]} is kept per {listed(shapes[0].keys, ', ')}, "
                "so there is no player whose it is"
            )


def _quota(seen: Seen) -> Iterator[str]:
    """Say that a share was written where weight is counted, so that next to nothing adopts."""
    for one in seen.turned:
        value = one.new.value
        if one.key != "vote.quota" or not one.new.answered or isinstance(value, bool):
            continue
        if not isinstance(value, int | Fraction) or seen.adoption is None:
            continue
        if value <= 0:
            yield f"the quota would be {value}{cited(one.new.rule)}: no vote in favour is needed"
        elif value < 1 and _one_is_enough(seen.adoption.after, value):
            yield (
                f"the quota would be {value} of one vote, so one vote in favour would adopt, whatever the others say; "
                f"for a share of all votes, write set vote.quota to {value} * unanimity(vote.electorate)"
            )


def _one_is_enough(state: State, quota: Number) -> bool:
    """Tell whether there are several voters, and each alone has as much as is needed."""
    if not state.persons:
        return False
    asked = supposed(state, Change("enact", None, "An example."), state.persons[0])
    names = voters_in(asked)
    weights = [ask(asked, "vote.weight", {**supposed_case(), "voter": Ref("player", name)}).value for name in names]
    return len(names) > 1 and all(isinstance(one, int | Fraction) and one >= quota for one in weights)
