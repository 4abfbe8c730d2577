"""Differences between rules: at two points in the game, or before and after a proposal under the law at its time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nomic_nb.engine.display import DisplayedAlike
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.new_book import ChangeContext, book_after_change
from nomic_nb.engine.law.rules import Number, Rule, RuleBook
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import Proposal
from nomic_nb.engine.play.vote_rules import states_for_parts
from nomic_nb.study import frames
from nomic_nb.study.views.pending import ListedRow

if TYPE_CHECKING:
    import pandas as pd


@frozen
class RuleDifference:
    """A rule at two points in the game, or before and after a change.

    Parameters
    ----------
    old, new : Rule or None
        The rule before and after; None if it did not exist.
    """

    old: Rule | None
    new: Rule | None

    @property
    def change_summary(self) -> str:
        """What happened to the rule, in a few words, such as “new”, “repealed” or “amended”."""
        if self.old is None:
            return "new"
        if self.new is None:
            return "repealed"
        marks = []
        if self.old.number != self.new.number:
            marks.append(f"was {self.old.number}")
        if self.old.tier != self.new.tier:
            marks.append(f"was {self.old.tier}")
        if (self.old.wording, self.old.law) != (self.new.wording, self.new.law):
            marks.append("amended")
        return ", ".join(marks) or "changed and changed back"

    @property
    def has_same_text(self) -> bool:
        """Whether title, wording and clauses stay as they are."""
        old, new = self.old, self.new
        return (
            old is not None
            and new is not None
            and (old.title, old.wording, old.law) == (new.title, new.wording, new.law)
        )


class LawRedline(DisplayedAlike, ListedRow[RuleDifference]):
    """The differences in the law between two points in the game.

    Parameters
    ----------
    then, now : State
        States of the game at these two points.
    """

    def __init__(self, then: State, now: State) -> None:
        self.then, self.now = then, now
        before, after = then.rules.rules, now.rules.rules
        both = {id: (before.get(id), after.get(id)) for id in (*before, *after)}
        super().__init__(tuple(RuleDifference(old, new) for old, new in both.values() if old != new))

    @property
    def frame(self) -> pd.DataFrame:
        """The differences as a DataFrame; see `study.frames.differences_frame` for its columns."""
        return frames.differences_frame(
            [(difference.old, difference.new, difference.change_summary) for difference in self]
        )


@frozen
class ProposedRule:
    """A proposal next to the rule that it changes.

    Parameters
    ----------
    number : int or str or None
        Number of the proposal; None for a change that a rule makes by itself.
    proponent : str
        Who made it.
    change : Change
        The proposed change.
    before, after : Rule or None
        The rule before the change, and with its texts after the change (empty if the change repeals it). None for a new
        rule, and if the change cannot be made.
    tier : str
        Tier that a transmuted rule would have; empty without one, or if the law does not say.
    parts : tuple of Proposed
        The changes that are made together, each next to its rule; empty for a single change.
    """

    number: Number | None
    proponent: str
    change: Change
    before: Rule | None = None
    after: Rule | None = None
    tier: str = ""
    parts: tuple[ProposedRule, ...] = ()


def compare_proposal(state: State, number: Number) -> ProposedRule:
    """Return a proposal's change beside the rule that it concerns, as it is before the change and would be after it.

    Parameters
    ----------
    state : State
        How things stood when it was made.
    number : int or str
        Its number.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> made = game.propose("Ann", nb.transmute(112))
    >>> found = compare_proposal(game.state, 301)
    >>> found.before.number, found.before.tier, found.tier
    (112, 'immutable', 'mutable')
    """
    proposal = state.proposals[number]
    if not proposal.change.parts:
        return _compare_proposed_change(state, proposal, proposal.change, number)
    parts_with_states = zip(proposal.numbered_parts, states_for_parts(state, proposal), strict=True)
    parts = tuple(_compare_proposed_change(asked, proposal, part, own) for (part, own), asked in parts_with_states)
    return ProposedRule(number, proposal.proponent, proposal.change, parts=parts)


def _compare_proposed_change(state: State, proposal: Proposal, change: Change, number: Number) -> ProposedRule:
    """Return a proposed change beside the rule before and after it; with the rule's new tier if it transmutes it."""
    tier = ""
    if change.kind == "transmute":
        finding = state.find("transmute.tier", **proposal.law_case)
        tier = str(finding.value) if finding.answered else ""
    return compare_change(state, change, number, proposal.proponent, tier)


def compare_change(state: State, change: Change, number: Number | None, proponent: str, tier: str) -> ProposedRule:
    """Return a change beside the rule before and after it; `number` and `proponent` are the proposal's.

    Parameters
    ----------
    state : State
        The state before the change.
    change : Change
        The change that is proposed, or that a rule makes by itself.
    number, proponent, tier
        As `ProposedRule` has them.
    """
    if change.parts:  # which have no numbers yet
        parts = (compare_change(state, part, f"Part {at}", proponent, "") for at, part in enumerate(change.parts, 1))
        return ProposedRule(number, proponent, change, parts=tuple(parts))
    before = state.rules.rule_numbered(change.target)
    if before is None:
        return ProposedRule(number, proponent, change)
    return ProposedRule(number, proponent, change, before, _rule_after_change(before, change), tier)


def _rule_after_change(rule: Rule, change: Change) -> Rule | None:
    """Return a rule with its texts as a change would leave them; None if the change cannot be made."""
    if change.kind == "repeal" and change.part is None:
        return replace(rule, parts=(replace(rule.parts[0], wording="", law=""),))
    try:
        # The clauses are not read again here: only their text is shown.
        return book_after_change(
            RuleBook({rule.id: rule}), change, (), ChangeContext(None, 0, 0, None, takes_number=False)
        )[1]
    except LookupError:
        return None
