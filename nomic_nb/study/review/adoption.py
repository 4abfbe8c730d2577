"""Whether changes can pass: what has to come first where one cannot be proposed, and whether any still could (114)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.clauses import SetClause
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.nodes import Undecided, View
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.adoptability import (
    SUPPOSED_CASE,
    SUPPOSED_LABEL,
    VOTING_KEYS,
    can_become_owed,
    is_adoption_possible,
    may_ever_propose,
    propose_in_parts,
    suppose_proposed,
)
from nomic_nb.engine.play.permissions import find_permission, is_forbidden, open_finding, people_to_ask
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.trial_adoption import Adoption, calm_state, number_of_change, try_adoption
from nomic_nb.engine.words import rule_citation, verb_phrase
from nomic_nb.study.review.cases import CaseLabel, ReviewCases, example_changes, join_labels
from nomic_nb.study.review.queries import is_written_freely
from nomic_nb.study.review.terms import answer_and_rule, compare_terms
from nomic_nb.study.review.votes import NeededVotes, votes_needed_for

#: Steps that are looked for ahead of the change itself, and reasons that are told why none can pass.
MOST_STEPS, MOST_REASONS = 2, 4


@frozen
class PassingStep:
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
    needed: NeededVotes

    def __str__(self) -> str:
        named = f"“{self.change.title}”" if self.change.title else "the same as a rule of its own"
        said = f"enact {named}" if self.change.kind == "enact" else self.change.headline
        return f"{said}: {self.needed.in_short}"


def is_change_permitted(
    state: State, change: Change, player: str, supposed: State | None = None
) -> tuple[bool | None, Finding]:
    """Tell whether the law lets a player propose a change, whoever's turn it is; None where it does not say.

    The state in which it is supposed to be proposed can be handed on, so that what is found of it is found once.

    Returns
    -------
    tuple of (bool or None, Finding)
        The finding cites a rule that speaks of proposing, where there is one.
    """
    if change.parts:  # each as one of its own; the first that cannot be, or is open, decides
        each = [_is_supposed_permitted(trial, player) for _, trial in propose_in_parts(state, change, player)]
        return next((one for one in each if one[0] is False), next((one for one in each if one[0] is None), each[0]))
    return _is_supposed_permitted(supposed or suppose_proposed(state, change, player), player)


def _is_supposed_permitted(asked: State, player: str) -> tuple[bool | None, Finding]:
    """Say it of what is supposed to be proposed in a state."""
    found = find_permission(asked, "propose", player, **SUPPOSED_CASE)
    if not found.answered:
        return None, found
    speaking = asked.law.clauses_about("may.propose")
    if is_forbidden(found) and found.key != "may.propose" and speaking:
        found = replace(found, sources=speaking[:1])
    return not is_forbidden(found), found


def steps_to(state: State, change: Change, player: str, depth: int = MOST_STEPS) -> tuple[PassingStep, ...]:
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
    later: list[tuple[PassingStep, State, Change]] = []
    for first, adoption in _first_steps(state, change, player):
        now = adoption.after.rules.rules.get(state.rules.by_number[change.target].id)
        if now is None:
            continue
        after, aim = calm_state(adoption.after), replace(change, target=now.number)
        if is_change_permitted(after, aim, player)[0]:
            return (first, _step_for(after, aim, player))
        later.append((first, after, aim))
    found = ((first, steps_to(after, aim, player, depth - 1)) for first, after, aim in later)
    return next(((first, *rest) for first, rest in found if rest), ())


def _first_steps(state: State, change: Change, player: str) -> Iterator[tuple[PassingStep, Adoption]]:
    for kind in ("transmute", "amend"):
        wording = "An example." if kind == "amend" else None
        first = Change(kind, change.target, wording)
        if kind == change.kind or is_change_permitted(state, first, player)[0] is not True:
            continue
        adoption = try_adoption(state, first, player, number_of_change(state, first, player))
        if adoption.in_force:
            yield _step_for(state, first, player), adoption


def _step_for(state: State, change: Change, player: str) -> PassingStep:
    asked = suppose_proposed(state, change, player)
    return PassingStep(
        change,
        number_of_change(state, change, player),
        votes_needed_for(asked, asked.proposals[SUPPOSED_LABEL], power=False),
    )


def detour_rule(state: State, change: Change, player: str) -> PassingStep | None:
    """Return a new rule with the same clauses, where it could be proposed and would prevail on every term they set."""
    if change.kind != "amend" or not change.law:
        return None
    new = Change("enact", None, change.wording or "As its clauses say.", change.law, change.title)
    if is_change_permitted(state, new, player)[0] is not True:
        return None
    adoption = try_adoption(state, new, player, number_of_change(state, new, player))
    if not adoption.in_force or (rule := adoption.rule) is None:
        return None
    keys = {clause.key for clause in rule.clauses if isinstance(clause, SetClause)}
    _, met = compare_terms(ReviewCases(state, adoption.after, player, frozenset({rule.id})), keys)
    prevails = {one.key for one in met if one.prevails and one.rule == rule.number}
    return _step_for(state, new, player) if keys and keys <= prevails else None


def why_not_proposable(state: State, change: Change, player: str, allowed: bool | None, finding: Finding) -> str:
    """Say why a change cannot be proposed, or where that is open, what is; nothing where it can be."""
    if allowed is not False:
        return "" if allowed else _open_question(state, player, finding)
    for at, (one, trial) in enumerate(propose_in_parts(state, change, player), 1) if change.parts else ():
        allowed, found = _is_supposed_permitted(trial, player)
        if allowed is False:
            return f"part {at}: {why_not_proposable(state, one, player, allowed, found)}"
    rule = state.rules.numbered(change.target)
    standing = "" if rule is None or finding.evidence else f"rule {rule.number} is {rule.tier}; "
    return f"{standing}to {change.headline} is not a rule-change that can be proposed{rule_citation(finding.rule)}"


def _open_question(state: State, player: str, finding: Finding) -> str:
    """Say that it is open whether a player can propose a change, or what others are asked once it is proposed."""
    others = people_to_ask(state.law, state, player)
    if others and finding.bans and open_finding(state.law, state, finding) is finding:
        return f"for others to say: {verb_phrase(others, 'is', 'are')} asked {'; or '.join(finding.bans)}"
    return f"open: {finding.reason or 'the law does not say'}"


@frozen
class AdoptionFuture:
    """Whether some rule-change could be adopted after this one.

    Parameters
    ----------
    possible : bool or None
        None where the law does not say.
    reason : str
        An example where one could; why not, or what is open, where none could.
    """

    possible: bool | None
    reason: str

    @property
    def in_short(self) -> str:
        """``yes``, ``no`` or ``undecided``."""
        return "undecided" if self.possible is None else "yes" if self.possible else "no"

    def __str__(self) -> str:
        return f"{self.in_short}: {self.reason}" if self.reason else self.in_short


def adoption_future(state: State) -> AdoptionFuture:
    """Say whether a rule-change could still be adopted.

    Parameters
    ----------
    state : State
        A calm one, after the change.
    """
    law = state.law
    try:
        possible = is_adoption_possible(View(state, {}, law)) is True
    except Undecided as doubt:
        return AdoptionFuture(None, doubt.reason)
    if not state.person_names:
        return AdoptionFuture(possible, "nobody is left who could propose")
    if not possible and not can_become_owed(law, state, "propose"):
        parts = state.find("turn.parts")
        return AdoptionFuture(
            False, f"no rule brings a player to propose; the parts of a turn are {answer_and_rule(parts)}"
        )
    reasons: dict[str, dict[CaseLabel, None]] = {}
    for label, change, _ in example_changes(state, state, frozenset()):
        for name in state.person_names:
            passes, why = _can_be_adopted(state, change, name)
            if passes and possible:
                return AdoptionFuture(True, f"for example {join_labels([label])}: {why}")
            if not passes:
                reasons.setdefault(why, {})[label] = None
    if possible:
        return AdoptionFuture(True, "as play goes on, but not as things stand now")
    told = [f"{join_labels(labels)}: {why}" for why, labels in list(reasons.items())[:MOST_REASONS]]
    return AdoptionFuture(possible, "; ".join(told))


def closed_kinds(before: State, after: State, player: str) -> Iterator[Message]:
    """Yield the kinds of change that could pass before, and cannot afterwards, by the reason."""
    found: dict[str, list[CaseLabel]] = {}
    for label, then, now in example_changes(before, after, frozenset()):
        passes, why = _can_be_adopted(after, now, player)
        if passes or not _can_be_adopted(before, then, player)[0] or _is_barred_for_now(after, now, player):
            continue
        others = (one for one in after.person_names if one != player)
        if not any(_can_be_adopted(after, now, one)[0] for one in others):
            found.setdefault(why, []).append(label)
    law = after.law
    for_now = is_written_freely(law, law.dependence.tables_read(VOTING_KEYS))
    how = "is not possible as things stand" if for_now else "is no longer possible"
    for why, labels in found.items():
        yield say("change-closed", "{kinds} {how}: {why}", kinds=join_labels(labels), how=how, why=why)


def _is_barred_for_now(state: State, change: Change, name: str) -> bool:
    """Tell whether a change is barred as things stand, and not for good."""
    asked = suppose_proposed(state, change, name)
    found = find_permission(asked, "propose", name, **SUPPOSED_CASE)
    return is_forbidden(found) and may_ever_propose(state.law, asked, name)


def _can_be_adopted(state: State, change: Change, name: str) -> tuple[bool, str]:
    """Tell whether a change could be adopted if this player proposed it, and what it needs or lacks."""
    asked = suppose_proposed(state, change, name)
    found = find_permission(asked, "propose", name, **SUPPOSED_CASE)
    if not found.answered:
        return False, f"whether it can be proposed is open: {found.reason or found.outcome}"
    if is_forbidden(found):
        return False, f"it cannot be proposed{rule_citation(found.rule)}"
    needed = votes_needed_for(asked, asked.proposals[SUPPOSED_LABEL], power=False)
    return needed.passes is True, needed.in_short if needed.passes else needed.why
