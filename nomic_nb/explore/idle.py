"""Signs that a clause never gets to do anything: its time is past, or nothing that it answers to is brought about."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from nomic_nb.explore.reading import all_of, effects, in_force
from nomic_nb.explore.seen import Seen
from nomic_nb.law.clauses import Offer, On, Piece, Set
from nomic_nb.law.nodes import Node, canonical
from nomic_nb.law.resolver import Law
from nomic_nb.law.view import Undecided, View
from nomic_nb.play.declaring import ACTIONS
from nomic_nb.play.state import State

#: How many turns, and circuits, are gone through, and how many of those long from now.
NEXT, LATER = 200, 60
#: The first of those.
FAR = 1_000_000
#: What is counted on, so that what has gone by does not come again.
COUNTED = ("turn", "circuit")


def past(seen: Seen) -> Iterator[str]:
    """Yield the new clauses whose condition is about the turn, or the circuit, and is so in none to come."""
    for clause in seen.fresh:
        condition = clause.given if isinstance(clause, Piece) else getattr(clause, "condition", None)
        if not isinstance(clause, Set | On) or condition is None:
            continue
        for part in all_of(condition.node):
            field = _counts(seen.law, part)
            if field and not _comes(seen.adoption.after, seen.law, part, field):
                said = canonical(part)
                said = said[1:-1] if said.startswith("(") else said
                yield f"“{clause.words}” never applies: {said} is so in no {field} from now on"
                break


def _counts(law: Law, part: Node) -> str:
    """Return the one of what is counted on that a condition depends on, where it depends on nothing else."""
    expression = law.language.expression(canonical(part))
    read = law.dependence.read_by(expression)
    closed = law.vocabulary.facts.keys() >= set(expression.names)
    return next(iter(read)) if closed and len(read) == 1 and read <= {*COUNTED} else ""


def _comes(state: State, law: Law, part: Node, field: str) -> bool:
    """Tell whether a condition holds now, or in one of the turns, or circuits, that are gone through."""
    condition, now = law.language.expression(canonical(part)), int(getattr(state, field))
    for at in chain(range(now, now + NEXT), range(FAR, FAR + LATER)):
        then = state.but(turn=at) if field == "turn" else state.but(circuit=at)
        try:
            if condition.run(View(then, {}, law)) is not False:
                return True
        except Undecided:
            return True
    return False


def unheard(seen: Seen) -> Iterator[str]:
    """Yield the new clauses that answer to what no rule brings about, or allows, where it takes one that does."""
    for clause in seen.of(On):
        if not isinstance(clause, Offer) and (why := _never_happens(seen.law, clause.event)):
            yield f"{why}, so “{clause.words}” does nothing"


def _never_happens(law: Law, event: str) -> str:
    """Say why something does not happen under a law, as far as rules alone bring it about; else nothing."""
    done = [effect for clause in in_force(law) for part in clause.whole for effect in effects(part)]
    if event == "taken":
        return "" if law.offers else "no rule offers anything"
    if any(event in effect.form.makes for effect in done):
        return ""
    for name, action in ACTIONS.items():
        if action.makes == event and action.takes_leave and f"may.{name}" not in law.candidates:
            return f"no rule allows to {action.meaning}"
    obliged = any(effect.form.name == "oblige" and "roll" in (effect.action, effect.other) for effect in done)
    return "no rule has anybody throw" if event == "thrown" and not obliged else ""
