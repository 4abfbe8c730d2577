"""What has to come first, where a change cannot be proposed as things stand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from nomic_nb.explore.cases import Cases
from nomic_nb.explore.terms import compare
from nomic_nb.explore.votes import Needed, needed_for
from nomic_nb.law.changes import Change
from nomic_nb.law.clauses import Set
from nomic_nb.law.findings import Finding
from nomic_nb.law.rules import Number
from nomic_nb.markup.words import cited
from nomic_nb.play.asking import forbidden, may
from nomic_nb.play.possible import SUPPOSED, supposed, supposed_case
from nomic_nb.play.state import State
from nomic_nb.play.trial import Adoption, adopt, calm, number_for

#: Steps that are looked for ahead of the change itself.
MOST_STEPS = 2


@dataclass(frozen=True)
class Step:
    """A rule-change on the way to another.

    Parameters
    ----------
    change : Change
        What is to be proposed.
    number : int or str or None
        The number that it would have, if nothing else were proposed before.
    needed : Needed
        What adopts it.
    """

    change: Change
    number: Number | None
    needed: Needed

    def __str__(self) -> str:
        named = f"“{self.change.title}”" if self.change.title else "the same as a rule of its own"
        said = f"enact {named}" if self.change.kind == "enact" else self.change.headline
        return f"{said}: {self.needed.in_short}"


def permitted(state: State, change: Change, player: str) -> tuple[bool | None, Finding]:
    """Tell whether the law lets a player propose a change, whoever's turn it is; None where it does not say.

    Returns
    -------
    tuple of (bool or None, Finding)
        The finding cites a rule that speaks of proposing, where there is one.
    """
    if change.parts:  # each as one of its own; the first that cannot be, or is open, decides
        each = [permitted(state, one, player) for one in change.parts]
        return next((one for one in each if one[0] is False), next((one for one in each if one[0] is None), each[0]))
    asked = supposed(state, change, player)
    found = may(asked, "propose", player, **supposed_case())
    if not found.answered:
        return None, found
    speaking = asked.law.candidates.get("may.propose", ())
    if forbidden(found) and found.key != "may.propose" and speaking:
        found = replace(found, sources=speaking[:1])
    return not forbidden(found), found


def steps_to(state: State, change: Change, player: str, depth: int = MOST_STEPS) -> tuple[Step, ...]:
    """Return the rule-changes on the same rule after which a change can be proposed, and the change itself.

    Parameters
    ----------
    state : State
        A calm one.
    change : Change
        What cannot be proposed now.
    player : str
        Who wants to.
    depth : int
        How many steps ahead to look.

    Returns
    -------
    tuple of Step
        In their order; empty where no way is found.
    """
    if change.target is None or depth == 0:
        return ()
    later: list[tuple[Step, State, Change]] = []
    for first, adoption in _first_steps(state, change, player):
        rule = state.rules.by_number[change.target]
        now = adoption.after.rules.rules.get(rule.id)
        if now is None:
            continue
        after, aim = calm(adoption.after), replace(change, target=now.number)
        if permitted(after, aim, player)[0]:
            return (first, _step(after, aim, player))
        later.append((first, after, aim))
    for first, after, aim in later:
        rest = steps_to(after, aim, player, depth - 1)
        if rest:
            return (first, *rest)
    return ()


def _first_steps(state: State, change: Change, player: str) -> Iterator[tuple[Step, Adoption]]:
    for kind in ("transmute", "amend"):
        wording = "An example." if kind == "amend" else None
        first = Change(kind, change.target, wording)
        if kind == change.kind or permitted(state, first, player)[0] is not True:
            continue
        adoption = adopt(state, first, player, number_for(state, first, player))
        if adoption.in_force:
            yield _step(state, first, player), adoption


def _step(state: State, change: Change, player: str) -> Step:
    asked = supposed(state, change, player)
    needed, _ = needed_for(asked, asked.proposals[SUPPOSED], power=False)
    return Step(change, number_for(state, change, player), needed)


def way_round(state: State, change: Change, player: str) -> Step | None:
    """Return a new rule with the same clauses, where it could be proposed and would prevail on every term they set."""
    if change.kind != "amend" or not change.law:
        return None
    new = Change("enact", None, change.wording or "As its clauses say.", change.law, change.title)
    if permitted(state, new, player)[0] is not True:
        return None
    adoption = adopt(state, new, player, number_for(state, new, player))
    rule = adoption.rule
    if not adoption.in_force or rule is None:
        return None
    keys = {clause.key for clause in rule.clauses if isinstance(clause, Set)}
    _, met = compare(Cases(state, adoption.after, player, rule.id), keys)
    prevails = {one.key for one in met if one.prevails and one.rule == rule.number}
    return _step(state, new, player) if keys and keys <= prevails else None


def why_not(state: State, change: Change, player: str, finding: Finding) -> str:
    """Say why a change cannot be proposed."""
    for at, one in enumerate(change.parts, 1):
        allowed, found = permitted(state, one, player)
        if allowed is False:
            return f"part {at}: {why_not(state, one, player, found)}"
    rule = state.rules.by_number.get(change.target) if change.target is not None else None
    standing = "" if rule is None else f"rule {rule.number} is {rule.tier}; "
    return f"{standing}to {change.headline} is not a rule-change that can be proposed{cited(finding.rule)}"
