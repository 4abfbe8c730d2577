"""Whether changes can pass: what has to come first where one cannot be proposed, and whether any still could (114)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.clauses import Set
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.nodes import Undecided, View
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.adoptability import (
    SUPPOSED,
    SUPPOSED_CASE,
    VOTING,
    adoption_possible,
    is_owed,
    may_ever_propose,
    part_by_part,
    supposed,
)
from nomic_nb.engine.play.permissions import forbidden, open_now, permission, who_says
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.trial import Adoption, adopt, calm, number_for
from nomic_nb.engine.words import cited, doing
from nomic_nb.study.review.cases import Cases, Label, examples, together
from nomic_nb.study.review.queries import written_at_will
from nomic_nb.study.review.terms import answer_and_rule, compare
from nomic_nb.study.review.votes import Needed, needed_for

#: Steps that are looked for ahead of the change itself, and reasons that are told why none can pass.
MOST_STEPS, MOST_REASONS = 2, 4


@frozen
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
        each = [_permitted(trial, player) for _, trial in part_by_part(state, change, player)]
        return next((one for one in each if one[0] is False), next((one for one in each if one[0] is None), each[0]))
    return _permitted(supposed(state, change, player), player)


def _permitted(asked: State, player: str) -> tuple[bool | None, Finding]:
    """Say it of what is supposed to be proposed in a state."""
    found = permission(asked, "propose", player, **SUPPOSED_CASE)
    if not found.answered:
        return None, found
    speaking = asked.law.speaking("may.propose")
    if forbidden(found) and found.key != "may.propose" and speaking:
        found = replace(found, sources=speaking[:1])
    return not forbidden(found), found


def _proposed(state: State, change: Change, player: str) -> tuple[State, Finding]:
    """Return the state in which a player proposes a change, and what the law says of that."""
    asked = supposed(state, change, player)
    return asked, permission(asked, "propose", player, **SUPPOSED_CASE)


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
        now = adoption.after.rules.rules.get(state.rules.by_number[change.target].id)
        if now is None:
            continue
        after, aim = calm(adoption.after), replace(change, target=now.number)
        if permitted(after, aim, player)[0]:
            return (first, _step(after, aim, player))
        later.append((first, after, aim))
    found = ((first, steps_to(after, aim, player, depth - 1)) for first, after, aim in later)
    return next(((first, *rest) for first, rest in found if rest), ())


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
    return Step(change, number_for(state, change, player), needed_for(asked, asked.proposals[SUPPOSED], power=False))


def way_round(state: State, change: Change, player: str) -> Step | None:
    """Return a new rule with the same clauses, where it could be proposed and would prevail on every term they set."""
    if change.kind != "amend" or not change.law:
        return None
    new = Change("enact", None, change.wording or "As its clauses say.", change.law, change.title)
    if permitted(state, new, player)[0] is not True:
        return None
    adoption = adopt(state, new, player, number_for(state, new, player))
    if not adoption.in_force or (rule := adoption.rule) is None:
        return None
    keys = {clause.key for clause in rule.clauses if isinstance(clause, Set)}
    _, met = compare(Cases(state, adoption.after, player, frozenset({rule.id})), keys)
    prevails = {one.key for one in met if one.prevails and one.rule == rule.number}
    return _step(state, new, player) if keys and keys <= prevails else None


def why_not(state: State, change: Change, player: str, allowed: bool | None, finding: Finding) -> str:
    """Say why a change cannot be proposed, or where that is open, what is; nothing where it can be."""
    if allowed is not False:
        return "" if allowed else _open(state, player, finding)
    for at, (one, trial) in enumerate(part_by_part(state, change, player), 1) if change.parts else ():
        allowed, found = _permitted(trial, player)
        if allowed is False:
            return f"part {at}: {why_not(state, one, player, allowed, found)}"
    rule = state.rules.numbered(change.target)
    standing = "" if rule is None or finding.evidence else f"rule {rule.number} is {rule.tier}; "
    return f"{standing}to {change.headline} is not a rule-change that can be proposed{cited(finding.rule)}"


def _open(state: State, player: str, finding: Finding) -> str:
    """Say that it is open whether a player can propose a change, or what others are asked once it is proposed."""
    others = who_says(state.law, state, player)
    if others and finding.bans and open_now(state.law, state, finding) is finding:
        return f"for others to say: {doing(others, 'is', 'are')} asked {'; or '.join(finding.bans)}"
    return f"open: {finding.reason or 'the law does not say'}"


@frozen
class Future:
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


def future_of(state: State) -> Future:
    """Say whether a rule-change could still be adopted.

    Parameters
    ----------
    state : State
        A calm one, after the change.
    """
    law = state.law
    try:
        possible = adoption_possible(View(state, {}, law)) is True
    except Undecided as doubt:
        return Future(None, doubt.reason)
    if not state.persons:
        return Future(possible, "nobody is left who could propose")
    if not possible and not is_owed(law, state, "propose"):
        parts = state.find("turn.parts")
        return Future(False, f"no rule brings a player to propose; the parts of a turn are {answer_and_rule(parts)}")
    reasons: dict[str, dict[Label, None]] = {}
    for label, change, _ in examples(state, state, frozenset()):
        for name in state.persons:
            passes, why = _could_pass(state, change, name)
            if passes and possible:
                return Future(True, f"for example {together([label])}: {why}")
            if not passes:
                reasons.setdefault(why, {})[label] = None
    if possible:
        return Future(True, "as play goes on, but not as things stand now")
    told = [f"{together(labels)}: {why}" for why, labels in list(reasons.items())[:MOST_REASONS]]
    return Future(possible, "; ".join(told))


def closed(before: State, after: State, player: str) -> Iterator[Message]:
    """Yield the kinds of change that could pass before, and cannot afterwards, by the reason."""
    found: dict[str, list[Label]] = {}
    for label, then, now in examples(before, after, frozenset()):
        passes, why = _could_pass(after, now, player)
        if passes or not _could_pass(before, then, player)[0] or _only_now(after, now, player):
            continue
        others = (one for one in after.persons if one != player)
        if not any(_could_pass(after, now, one)[0] for one in others):
            found.setdefault(why, []).append(label)
    law = after.law
    for_now = written_at_will(law, law.dependence.tables_read(VOTING))
    how = "is not possible as things stand" if for_now else "is no longer possible"
    for why, labels in found.items():
        yield say("change-closed", "{kinds} {how}: {why}", kinds=together(labels), how=how, why=why)


def _only_now(state: State, change: Change, name: str) -> bool:
    """Tell whether a change is barred as things stand, and not for good."""
    asked, found = _proposed(state, change, name)
    return forbidden(found) and may_ever_propose(state.law, asked, name)


def _could_pass(state: State, change: Change, name: str) -> tuple[bool, str]:
    """Tell whether a change could be adopted if this player proposed it, and what it needs or lacks."""
    asked, found = _proposed(state, change, name)
    if not found.answered:
        return False, f"whether it can be proposed is open: {found.reason or found.outcome}"
    if forbidden(found):
        return False, f"it cannot be proposed{cited(found.rule)}"
    needed = needed_for(asked, asked.proposals[SUPPOSED], power=False)
    return needed.passes is True, needed.in_short if needed.passes else needed.why
