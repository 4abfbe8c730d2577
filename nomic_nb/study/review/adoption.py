"""Whether changes can pass: the steps needed before one can be proposed, and whether any change still could (114)."""

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
    could_ever_propose,
    is_adoption_possible,
    states_proposing_parts,
    suppose_proposed,
)
from nomic_nb.engine.play.permissions import deepest_open_finding, find_permission, is_surely_forbidden, people_to_ask
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.trial_adoption import Adoption, calm_state, try_adoption
from nomic_nb.engine.words import rule_citation, verb_phrase
from nomic_nb.study.review.cases import (
    CaseLabel,
    ReviewCases,
    can_tables_change_any_time,
    example_changes_by_kind,
    join_labels,
    number_of_change,
)
from nomic_nb.study.review.terms import answer_with_rule, compare_terms
from nomic_nb.study.review.votes import NeededVotes, find_needed_votes

#: Steps that are looked for ahead of the change itself, and reasons that are told why none can pass.
MOST_STEPS, MOST_REASONS = 2, 4


@frozen
class PassingStep:
    """A rule change on the way to another.

    Parameters
    ----------
    change : Change
        The change to propose.
    number : int or str or None
        Its number, if nothing else is proposed before.
    needed : Needed
        The votes needed.
    """

    change: Change
    number: Number | None
    needed: NeededVotes

    def __str__(self) -> str:
        named = f"“{self.change.title}”" if self.change.title else "the same as a separate rule"
        sentence = f"enact {named}" if self.change.kind == "enact" else self.change.headline
        return f"{sentence}: {self.needed.in_short}"


def is_change_permitted(
    state: State, change: Change, player: str, supposed: State | None = None
) -> tuple[bool | None, Finding]:
    """Return whether a player may propose a change (None if undecided), and the finding.

    `supposed` is the state as if it had been proposed; pass it on so that findings about that state are made only once.

    Returns
    -------
    tuple of (bool or None, Finding)
        The finding cites a rule about proposing, if there is one.
    """
    if change.parts:  # each as one of its own; the first that cannot be, or is open, decides
        each = [
            _is_supposed_change_permitted(trial, player) for _, trial in states_proposing_parts(state, change, player)
        ]
        return next(
            (answer for answer in each if answer[0] is False),
            next((answer for answer in each if answer[0] is None), each[0]),
        )
    return _is_supposed_change_permitted(supposed or suppose_proposed(state, change, player), player)


def _is_supposed_change_permitted(state: State, player: str) -> tuple[bool | None, Finding]:
    """Return whether a player may propose the change that a state supposes (None if undecided), and the finding."""
    finding = find_permission(state, "propose", player, **SUPPOSED_CASE)
    if not finding.answered:
        return None, finding
    speaking = state.law.clauses_about("may.propose")
    if is_surely_forbidden(finding) and finding.key != "may.propose" and speaking:
        finding = replace(finding, sources=speaking[:1])
    return not is_surely_forbidden(finding), finding


def find_steps_to(state: State, change: Change, player: str, depth: int = MOST_STEPS) -> tuple[PassingStep, ...]:
    """Return up to `depth` steps to pass first, then the barred change itself; () if no steps let it be proposed.

    Parameters
    ----------
    state : State
        A calm state.
    change : Change
        The change that cannot be proposed now.
    player : str
        The player who wants to propose it.
    depth : int
        Number of steps to look ahead.

    Returns
    -------
    tuple of PassingStep
        The steps in order; empty if no way is found.
    """
    if change.target is None or depth == 0:
        return ()
    later = []
    for first, adoption in _possible_first_steps(state, change, player):
        now = adoption.after.rules.rules.get(state.rules.by_number[change.target].id)
        if now is None:
            continue
        after, aim = calm_state(adoption.after), replace(change, target=now.number)
        if is_change_permitted(after, aim, player)[0]:
            return (first, _make_passing_step(after, aim, player))
        later.append((first, after, aim))
    routes = ((first, find_steps_to(after, aim, player, depth - 1)) for first, after, aim in later)
    return next(((first, *rest) for first, rest in routes if rest), ())


def _possible_first_steps(state: State, change: Change, player: str) -> Iterator[tuple[PassingStep, Adoption]]:
    """Yield changes that can be proposed now to the rule targeted by `change`, each with its trial adoption."""
    for kind in ("transmute", "amend"):
        wording = "An example." if kind == "amend" else None
        first = Change(kind, change.target, wording)
        if kind == change.kind or is_change_permitted(state, first, player)[0] is not True:
            continue
        adoption = try_adoption(state, first, player, number_of_change(state, first, player))
        if adoption.in_force:
            yield _make_passing_step(state, first, player), adoption


def _make_passing_step(state: State, change: Change, player: str) -> PassingStep:
    """Return a change as a `PassingStep`, with the number that it would have and the votes that it needs."""
    asked = suppose_proposed(state, change, player)
    return PassingStep(
        change,
        number_of_change(state, change, player),
        find_needed_votes(asked, asked.proposals[SUPPOSED_LABEL], power=False),
    )


def find_detour_rule(state: State, change: Change, player: str) -> PassingStep | None:
    """Return a barred amendment as the step of enacting a new rule with its clauses; None if they would not prevail."""
    if change.kind != "amend" or not change.law:
        return None
    new = Change("enact", None, change.wording or "As its clauses say.", change.law, change.title)
    if is_change_permitted(state, new, player)[0] is not True:
        return None
    adoption = try_adoption(state, new, player, number_of_change(state, new, player))
    if not adoption.in_force or (rule := adoption.single_rule) is None:
        return None
    keys = {clause.key for clause in rule.clauses if isinstance(clause, SetClause)}
    _, met = compare_terms(ReviewCases(state, adoption.after, player, frozenset({rule.id})), keys)
    prevails = {rule_meeting.key for rule_meeting in met if rule_meeting.prevails and rule_meeting.rule == rule.number}
    return _make_passing_step(state, new, player) if keys and keys <= prevails else None


def why_not_proposable(state: State, change: Change, player: str, allowed: bool | None, finding: Finding) -> str:
    """Return why a change cannot be proposed, or the open question if `allowed` is None; empty if it can be."""
    if allowed is not False:
        return "" if allowed else _open_question_text(state, player, finding)
    for at, (part_change, trial) in enumerate(states_proposing_parts(state, change, player), 1) if change.parts else ():
        allowed, part_finding = _is_supposed_change_permitted(trial, player)
        if allowed is False:
            return f"part {at}: {why_not_proposable(state, part_change, player, allowed, part_finding)}"
    rule = state.rules.rule_numbered(change.target)
    standing = "" if rule is None or finding.evidence else f"rule {rule.number} is {rule.tier}; "
    return f"{standing}a proposal to {change.headline} is not allowed{rule_citation(finding.rule)}"


def _open_question_text(state: State, player: str, finding: Finding) -> str:
    """Return in words what a finding leaves open about whether a player may propose a change."""
    others = people_to_ask(state.law, state, player)
    if others and finding.bans and deepest_open_finding(state.law, state, finding) is finding:
        return f"{verb_phrase(others, 'is', 'are')} asked {'; or '.join(finding.bans)}"
    return finding.reason or "no rule says"


@frozen
class AdoptionFuture:
    """Whether some rule change could be adopted after this one.

    Parameters
    ----------
    possible : bool or None
        None if the law does not say.
    reason : str
        An example if one could; otherwise the reason, or the open question.
    """

    possible: bool | None
    reason: str

    @property
    def in_short(self) -> str:
        """The answer in one word: ``yes``, ``no`` or ``undecided``."""
        return "undecided" if self.possible is None else "yes" if self.possible else "no"

    def __str__(self) -> str:
        return f"{self.in_short}: {self.reason}" if self.reason else self.in_short


def find_adoption_future(state: State) -> AdoptionFuture:
    """Return an `AdoptionFuture`: whether any rule change could still be adopted in a state, and why.

    Parameters
    ----------
    state : State
        A calm state, after the change.
    """
    law = state.law
    try:
        possible = is_adoption_possible(View(state, {}, law)) is True
    except Undecided as doubt:
        return AdoptionFuture(None, doubt.reason)
    if not state.person_names:
        return AdoptionFuture(possible, "there is nobody left to propose")
    if not possible and not can_become_owed(law, state, "propose"):
        parts = state.find("turn.parts")
        steps = (
            "no rule says what the steps of a turn are"
            if parts.outcome == "silent"
            else f"the steps of a turn are {answer_with_rule(parts)}"
        )
        return AdoptionFuture(False, f"no rule calls on a player to propose; {steps}")
    reasons: dict[str, dict[CaseLabel, None]] = {}
    for label, change, _ in example_changes_by_kind(state, state, frozenset()):
        for name in state.person_names:
            passes, why = _can_be_adopted(state, change, name)
            if passes and possible:
                return AdoptionFuture(True, f"for example {join_labels([label])}: {why}")
            if not passes:
                reasons.setdefault(why, {})[label] = None
    if possible:
        return AdoptionFuture(True, "later in the game, but not at the moment")
    told = [f"{join_labels(labels)}: {why}" for why, labels in list(reasons.items())[:MOST_REASONS]]
    return AdoptionFuture(possible, "; ".join(told))


def messages_on_closed_kinds(before: State, after: State, player: str) -> Iterator[Message]:
    """Yield messages on kinds of change that a player could get adopted `before` and nobody can `after`, and why."""
    labels_by_reason: dict[str, list[CaseLabel]] = {}
    for label, then, now in example_changes_by_kind(before, after, frozenset()):
        passes, why = _can_be_adopted(after, now, player)
        if passes is not False or not _can_be_adopted(before, then, player)[0]:
            continue
        if _is_barred_for_now(after, now, player):
            continue
        others = (person_name for person_name in after.person_names if person_name != player)
        if not any(_can_be_adopted(after, now, other)[0] for other in others):
            labels_by_reason.setdefault(why, []).append(label)
    law = after.law
    for_now = can_tables_change_any_time(law, law.dependence.tables_of_keys(VOTING_KEYS))
    how = "would not be possible at the moment" if for_now else "would no longer be possible"
    for why, labels in labels_by_reason.items():
        yield say("change-closed", "it {how} {kinds}: {why}", kinds=join_labels(labels), how=how, why=why)


def _is_barred_for_now(state: State, change: Change, player: str) -> bool:
    """Return True if a player may not propose a change now, but could perhaps do so later."""
    asked = suppose_proposed(state, change, player)
    finding = find_permission(asked, "propose", player, **SUPPOSED_CASE)
    return is_surely_forbidden(finding) and could_ever_propose(state.law, asked, player)


def _can_be_adopted(state: State, change: Change, player: str) -> tuple[bool | None, str]:
    """Return whether a player’s change could be adopted (None if unknown), with the votes it needs or what bars it."""
    asked = suppose_proposed(state, change, player)
    finding = find_permission(asked, "propose", player, **SUPPOSED_CASE)
    if not finding.answered:
        return None, f"can’t tell yet whether it can be proposed: {finding.reason or finding.outcome}"
    if is_surely_forbidden(finding):
        return False, f"it can’t be proposed{rule_citation(finding.rule)}"
    needed = find_needed_votes(asked, asked.proposals[SUPPOSED_LABEL], power=False)
    return needed.passes is True, needed.in_short if needed.passes else needed.why
