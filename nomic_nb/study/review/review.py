"""Review: what a rule-change would do, told before anyone votes on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from fractions import Fraction

from nomic_nb.engine.display import DisplayedAlike
from nomic_nb.engine.errors import IllegalAction, LawError, PlainRefusal, WrongArgument
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change, change_from_json
from nomic_nb.engine.law.clauses import TrackClause
from nomic_nb.engine.law.faults import NO_RULE, as_fault
from nomic_nb.engine.law.new_book import ChangeContext, make_book
from nomic_nb.engine.law.nodes import BudgetExceeded, limit_steps, use_meter
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.adoptability import suppose_proposed
from nomic_nb.engine.play.decisions import numbers_are_assigned
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.lawmaking import check_change
from nomic_nb.engine.play.numbering import check_number
from nomic_nb.engine.play.permissions import check_player_name
from nomic_nb.engine.play.proposals import with_proposal
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.trial_adoption import Adoption, calm_state, number_of_change, state_under_vote
from nomic_nb.engine.record.sentences import sentence
from nomic_nb.engine.words import group_pairs, join_words, rule_citation, upper_first
from nomic_nb.study.review.adoption import (
    AdoptionFuture,
    PassingStep,
    detour_rule,
    is_change_permitted,
    steps_to,
    why_not_proposable,
)
from nomic_nb.study.review.boards.compare import DESCRIBED_EVENTS, BoardEffects
from nomic_nb.study.review.boards.meter import FairPlayMeter, measure_change
from nomic_nb.study.review.checks import checks_without, find_later_signs, find_signs
from nomic_nb.study.review.dry_run import ChangedRule, DryRun, dry_run
from nomic_nb.study.review.renumbering import (
    DanglingReference,
    MovedRule,
    VoidedRule,
    dangling_references,
    moved_rules,
    voided_rules,
)
from nomic_nb.study.review.terms import ChangedTerm, RuleMeeting
from nomic_nb.study.review.votes import NeededVotes, votes_needed_for
from nomic_nb.study.review.warnings.registry import Check
from nomic_nb.study.views.redline import ProposedRule, RuleDifference, compare_proposed
from nomic_nb.study.views.remarks import WarningSign

#: When a change takes effect, in words.
EFFECT_TIMES = {
    "vote closed": "the vote is complete", "turn ended": "the turn is over", "circuit ended": "the circuit is over",
    "when ready": "it is ready, by change.ready", "target is freed": "the rule is no longer guaranteed to stand",
}  # fmt: skip


@frozen
class Review(DisplayedAlike):
    """What a rule-change would do. Hints and forecasts: nothing in it stops a proposal.

    Parameters
    ----------
    change : Change
        What is reviewed.
    player : str
        Who would propose it.
    number : int or str or None
        The number that the proposal has, or would take if it came next.
    example : bool
        Whether the number is only an example, because others assign it.
    error : LawError or None
        Why the clauses cannot be read; then only the redline and the signs are there.
    missing : str
        Why there is nothing to be changed: no such rule, or no such amendment.
    proposable : bool or None
        Whether the law lets it be proposed, whoever's turn it is; None where it does not say.
    barred : str
        Why it cannot be proposed; where the law does not say whether it can, that it is open, or what others are asked.
    redline : Difference or None
        The rule before and after, word by word.
    parts : tuple of Proposed
        The changes that are made together, each beside its rule; none where it is a single one.
    votes : Needed or None
        What adopts it, who votes, and whose ballot decides.
    turned : tuple of Turned
        Terms of the law with another value afterwards.
    met : tuple of Met
        Rules that prevail, or are defeated, where they did not before.
    voided : tuple of Voided
        Rules that become void, or are void no more.
    moved : tuple of Moved
        Rules with another number or another standing.
    dangling : tuple of Dangling
        References that point at nothing, or at another rule.
    on_boards : OnBoards or None
        Moves gained and lost, kings in check, and what is different on the boards; None where nothing is.
    power : Meter or None
        What it makes of the power of each kind of piece of each player; None where no rule looks at that, or it is
        the same.
    follows : tuple of str
        What else the adoption sets off.
    warnings : tuple of WarningSign
        What to check before the vote, each with its evidence.
    steps : tuple of Step
        What has to come first, and then the change itself; empty where it can be proposed, or no way is known.
    way_round : Step or None
        A new rule that would do the same, where the rule itself cannot be changed.
    adoption : Adoption or None
        What adoption brings.
    future : Future or None
        Whether any rule-change could still be adopted afterwards.
    """

    change: Change
    player: str
    number: Number | None
    example: bool = False
    error: LawError | None = None
    missing: str = ""
    proposable: bool | None = None
    barred: str = ""
    redline: RuleDifference | None = None
    parts: tuple[ProposedRule, ...] = ()
    votes: NeededVotes | None = None
    turned: tuple[ChangedTerm, ...] = ()
    met: tuple[RuleMeeting, ...] = ()
    voided: tuple[VoidedRule, ...] = ()
    moved: tuple[MovedRule, ...] = ()
    dangling: tuple[DanglingReference, ...] = ()
    on_boards: BoardEffects | None = None
    power: FairPlayMeter | None = None
    follows: tuple[str, ...] = ()
    warnings: tuple[WarningSign, ...] = ()
    steps: tuple[PassingStep, ...] = ()
    way_round: PassingStep | None = None
    adoption: Adoption | None = field(default=None, repr=False)
    future: AdoptionFuture | None = None

    @property
    def effect(self) -> str:
        """What adoption comes to, in a sentence; empty where the change cannot be made."""
        adoption = self.adoption
        if adoption is None:
            return ""
        if adoption.note:
            return f"It would be adopted without effect: {adoption.note}."
        if not adoption.in_force:
            return "Whether it comes into force is open: " + " ".join(adoption.doubts or ("the law does not say.",))
        due = EFFECT_TIMES.get(adoption.due, adoption.due)
        return f"It takes effect as soon as {due}." if due else "When it takes effect is open: the table is asked."

    @property
    def without_effect(self) -> str:
        """Why it would be adopted without effect; empty where it would have one."""
        return self.adoption.note if self.adoption else ""


def verdict(review: Review) -> Iterator[str]:
    """Yield the few sentences that matter most: whether it can be proposed, can pass, and has an effect."""
    if review.error is not None:
        yield f"It cannot be proposed: its clauses cannot be read. {str(review.error).splitlines()[0]}"
        return
    if review.missing:
        yield f"It cannot be proposed: {review.missing}."
        return
    if not review.proposable:
        yield allowed_in_words(review.proposable, review.barred)
    if review.votes is not None:
        if review.proposable is False:
            yield f"If it could be, it would need {review.votes.in_short}."
        else:
            yield from vote_in_words(review.votes)
    yield review.effect


def allowed_in_words(allowed: bool | None, barred: str) -> str:
    """Say whether a change can be proposed now; None where that is open."""
    if allowed is None:
        return f"Whether it can be proposed is {barred}."
    return "It can be proposed." if allowed else f"It cannot be proposed now: {barred}."


def vote_in_words(votes: NeededVotes) -> Iterator[str]:
    """Say what adopts it, whether that can be reached, and whose ballot decides."""
    voters = join_words([voter.name for voter in votes.voters])
    who = f"{voters} may vote{rule_citation(votes.electorate.rule)}"
    if votes.passes is True:
        needed = f"if {votes.in_short}" if votes.adopted_by else f": {votes.in_short} are needed"
        yield f"It can pass{' ' if votes.adopted_by else ''}{needed}. {upper_first(who)}."
        if votes.otherwise:
            yield f"It fails if all vote for it. It passes, for example, if {votes.otherwise}."
        if votes.duty is not None and votes.duty.value is False:
            yield f"Nobody has to vote{rule_citation(votes.duty.rule)}; whoever does not is not counted in favour."
    elif votes.passes is False:
        yield f"It cannot pass: {votes.why}. {upper_first(who)}."
    else:
        yield f"Whether it can pass is open: {votes.why}."
    if len({voter.weight for voter in votes.voters}) > 1:
        yield "Weights: " + ", ".join(f"{voter.name} {voter.weight}" for voter in votes.voters) + "."
    said = power_in_words(votes)
    if said:
        yield said


def power_in_words(votes: NeededVotes) -> str:
    """Say whose ballot decides, and in how many of the ways in which the others can vote."""
    if votes.unknown:
        return f"Whose ballot decides is not known: {votes.unknown}."
    if votes.passes is None or not votes.voters:
        return ""
    groups = group_pairs((voter.decides or 0, voter.name) for voter in votes.voters)
    parts = []
    for decides, names in sorted(groups.items(), reverse=True):
        whose = f"{names[0]}’s vote" if len(names) == 1 else f"the vote of each of {join_words(names)}"
        if decides == 0:
            parts.append(f"{whose} never decides the result")
        else:
            ways = f"{decides} of the {votes.ways} ways the others can vote{percent_share(decides, votes.ways)}"
            parts.append(f"{whose} decides the result in {ways}")
    return f"{upper_first('; '.join(parts))}."


def percent_share(part: int, whole: int) -> str:
    """Return a share in percent where the numbers are too large to be read at a glance."""
    return f" ({float(100 * Fraction(part, whole)):.1f} %)" if whole > 64 else ""


#: Steps that may be taken for what is told while a change is written: two tenths of a second or so.
STEPS = 60_000
#: Where what a change does is not found within these steps.
TAKES_LONG = "What it would do takes longer to find out than one waits while writing."
#: Where it is open whether a change can be proposed.
NEVERTHELESS_NOTE = (
    "You can propose it nevertheless: it is looked at in full then, and what stays open the players are asked."
)
#: Events that are told elsewhere in a review.
_DESCRIBED_EVENTS = frozenset({
    "vote_closed", "adopted", "enacted", "amended", "repealed", "transmuted", "without_effect", "voided", "revived",
    "won", "asked", *DESCRIBED_EVENTS,
})  # fmt: skip


def review(
    timeline: Timeline, player: str, change: Change, number: Number | None = None, without: str | Iterable[str] = ()
) -> Review:
    """Say what a change would do if it were proposed now and adopted. The game stays as it is.

    It begins where the vote closes with every ballot in favour: what rules do before that, while it is
    proposed and voted on, is left out, and so is what depends on a throw.

    Parameters
    ----------
    timeline : Timeline
        The game.
    player : str
        Who would propose it, whoever's turn it is.
    change : Change
        Made by `enact`, `amend`, `repeal`, `transmute`, `together` or `reword`.
    number : int, optional
        The number that the proposal shall have, where others assign numbers.
    without : str or iterable of str, optional
        Codes, or kinds, of warnings that are not looked for.

    Returns
    -------
    Review

    Raises
    ------
    IllegalAction
        Nobody of this name plays, a proposal cannot have this number, or the kit fails.
    WrongArgument
        No warning has such a code.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7)
    >>> found = review(game.timeline, "Ann", nb.amend(203, law="set vote.quota to majority(vote.electorate)"))
    >>> print(found.turned[0])
    vote.quota, to enact a rule or to amend, repeal or transmute a mutable rule: 3 (rule 203) → 2 (rule 301)
    >>> print(found.future)
    yes: for example to enact a rule: 2 of 3 in favour (rule 301)
    """
    state = timeline.state
    if not isinstance(change, Change):
        raise WrongArgument(say("review-of-no-change", "a change is made by enact, amend, repeal or transmute"))
    check_player_name(state, player, state.players)
    base, checks = calm_state(state), checks_without(without)
    check_number(state, number)
    example = number is None
    number = number_of_change(state, change, player) if number is None else number
    example = example and number not in state.proposals and numbers_are_assigned(state)
    try:
        change = change_from_json(change.to_json())
        check_change(base, change)
    except LawError as error:
        redline = _wording_redline(base, change, number)
        run = DryRun(base, change, player, number, Adoption(number, (), base, base), error=error)
        run = replace(run, rules=(ChangedRule(change, None, None),))
        signs = find_signs(run, [one for one in checks if one.kind == "unclear"])
        return Review(change, player, number, example, error, redline=redline, warnings=signs)
    except LookupError as error:
        return Review(change, player, number, example, missing=str(error.args[0]), proposable=False)
    try:
        with use_meter():
            return replace(_make_review(base, change, player, number, checks), example=example)
    except (PlainRefusal, BudgetExceeded, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - it is said, and logged
        said = say(
            "review-fails", "nomic_nb fails at the review, by an error of its own ({error}); propose it anyway",
            error=type(error).__name__,
        )  # fmt: skip
        raise IllegalAction(said) from as_fault(error, NO_RULE)


def review_in_short(timeline: Timeline, player: str, change: Change) -> tuple[list[str], FairPlayMeter | None]:
    """Return the sentences of a review that matter most, and the meter, as far as they are found while one writes."""
    try:
        with limit_steps(STEPS):
            found = review(timeline, player, change)
        return [*filter(None, verdict(found)), *([NEVERTHELESS_NOTE] if found.proposable is None else [])], found.power
    except BudgetExceeded:
        base = calm_state(timeline.state)
        said = [*_whether_proposable(base, change, player), TAKES_LONG]
    try:
        with limit_steps(STEPS):
            return said, measure_change(suppose_proposed(base, change, player))
    except BudgetExceeded:
        return said, None


def _whether_proposable(base: State, change: Change, player: str) -> list[str]:
    """Say whether a change can be proposed, and where that is open, what is left of the question."""
    try:
        with limit_steps(STEPS):
            allowed, finding = is_change_permitted(base, change, player)
            barred = why_not_proposable(base, change, player, allowed, finding)
    except BudgetExceeded:
        return ["Whether a rule forbids it takes longer to find out, too.", NEVERTHELESS_NOTE]
    return [allowed_in_words(allowed, barred), *([NEVERTHELESS_NOTE] if allowed is None else [])]


def _wording_redline(state: State, change: Change, number: Number | None) -> RuleDifference | None:
    """Return the redline of a change whose clauses cannot be read: only their text is compared."""
    if change.parts or change.kind == "revise":
        return None
    old = state.rules.numbered(change.target)
    making = ChangeContext(number, state.seq + 1, state.turn, None, old.tier if old else "")
    try:
        _, new = make_book(state.rules, change, (), making)
    except LookupError:
        return None
    return RuleDifference(old, new)


def _make_review(base: State, change: Change, player: str, number: Number | None, checks: tuple[Check, ...]) -> Review:
    proposal = base.proposals.get(number) if number is not None else None
    if proposal is None:
        proposal = replace(state_under_vote(base, change, player, number, None)[1], status="debate")
    asked = with_proposal(base, proposal)
    votes = votes_needed_for(asked, proposal)
    run = dry_run(base, change, player, number, votes.vote)
    signs = dict.fromkeys((*find_signs(run, checks), *find_later_signs(run, checks)))
    after, supposed = calm_state(run.adoption.after), suppose_proposed(base, change, player)
    allowed, finding = is_change_permitted(base, change, player, supposed)
    barred = allowed is False
    steps = steps_to(base, change, player) if barred else ()
    instead = detour_rule(base, change, player) if barred and not steps else None
    return Review(
        change, player, number, proposable=allowed,
        barred=why_not_proposable(base, change, player, allowed, finding),
        redline=None if change.parts or change.kind == "revise" else RuleDifference(run.old, run.new),
        parts=compare_proposed(asked, proposal.number).parts, votes=votes, turned=run.turned, met=run.met,
        voided=voided_rules(base, after), moved=moved_rules(base, after), dangling=dangling_references(base, after,
        run.changed),
        on_boards=run.boards, power=measure_change(supposed),
        follows=tuple(_describe_consequences(run.adoption)), warnings=tuple(signs), steps=steps, way_round=instead,
        adoption=run.adoption, future=run.future,
    )  # fmt: skip


def _rule_behind_event(adoption: Adoption, event: Event) -> Number | None:
    """Return the rule that says what happens; of what is tracked from now on, the one that tracks it."""
    if event.kind == "tracked":
        tracking = {one.counter: rule.number for rule in adoption.after.rules for one in rule.clauses
                    if isinstance(one, TrackClause)}  # fmt: skip
        return tracking.get(str(event.data["counter"]), event.rule)
    return event.rule


def _describe_consequences(adoption: Adoption) -> list[str]:
    """Say in words what an adoption sets off, apart from what is told elsewhere."""
    found = []
    for event in adoption.events:
        automatic = "change" in event.data and event.data["number"] is None
        if automatic or event.kind not in _DESCRIBED_EVENTS:
            found.append(sentence(event) + rule_citation(_rule_behind_event(adoption, event)))
    asked = {one.id: one for one in adoption.after.polls.values() if one.several and one.open}
    found += [
        f"what follows once {join_words(one.who)} answered is left out{rule_citation(one.rule)}"
        for one in asked.values()
    ]
    for one in adoption.after.waiting:
        if one.poll in asked:
            continue
        among = f", one of {len(one.options)}" if one.options else ""
        what = "is to throw" if one.action == "roll" else f"chooses {one.name}{among}"
        found.append(f"{one.player or 'somebody'} {what}{rule_citation(one.rule)}; what follows then is left out")
    found += [f"what rule {rule} does then depends on a throw" for rule in adoption.throwing]
    return found
