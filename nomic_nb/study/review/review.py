"""Reviews: the effects of a rule change, shown before anyone votes on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from fractions import Fraction

from nomic_nb.engine.display import DisplayedAlike
from nomic_nb.engine.errors import IllegalAction, LawError, PlainRefusal, WrongArgument
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change, change_from_json
from nomic_nb.engine.law.clauses import TrackClause
from nomic_nb.engine.law.faults import NO_RULE, kit_fault_for
from nomic_nb.engine.law.new_book import ChangeContext, book_after_change
from nomic_nb.engine.law.nodes import BudgetExceeded, limit_steps, use_current_or_new_meter
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.play.adoptability import suppose_proposed
from nomic_nb.engine.play.decisions import numbers_are_assigned
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.lawmaking import check_change
from nomic_nb.engine.play.numbering import check_proposal_number
from nomic_nb.engine.play.permissions import check_player_name, people_to_ask
from nomic_nb.engine.play.proposals import with_proposal
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.trial_adoption import Adoption, calm_state, state_under_vote
from nomic_nb.engine.record.event_sentences import sentence
from nomic_nb.engine.words import group_pairs, join_words, rule_citation, upper_first, verb_phrase
from nomic_nb.study.review.adoption import (
    AdoptionFuture,
    PassingStep,
    find_detour_rule,
    find_steps_to,
    is_change_permitted,
    why_not_proposable,
)
from nomic_nb.study.review.boards.compare import DESCRIBED_EVENTS, BoardEffects
from nomic_nb.study.review.boards.meter import FairPlayMeter, measure_power_change
from nomic_nb.study.review.cases import number_of_change
from nomic_nb.study.review.checks import checks_without, find_later_warnings, find_warnings
from nomic_nb.study.review.dry_run import ChangedRule, DryRun, dry_run
from nomic_nb.study.review.renumbering import (
    DanglingReference,
    MovedRule,
    VoidedRule,
    find_dangling_references,
    find_moved_rules,
    find_voided_rules,
)
from nomic_nb.study.review.terms import ChangedTerm, RuleMeeting
from nomic_nb.study.review.votes import NeededVotes, find_needed_votes
from nomic_nb.study.review.warnings.registry import Check
from nomic_nb.study.views.redline import ProposedRule, RuleDifference, compare_proposal
from nomic_nb.study.views.remarks import WarningSign

#: When a change takes effect, in words.
EFFECT_TIMES = {
    "vote closed": "the vote is complete", "turn ended": "the turn is over", "circuit ended": "the round is over",
    "when ready": "it is ready (see change.ready)", "target is freed": "the rule’s guarantee has ended",
}  # fmt: skip


@frozen
class Review(DisplayedAlike):
    """A forecast of the effects of a rule change, with hints; nothing in it stops a proposal.

    Parameters
    ----------
    change : Change
        The change under review.
    player : str
        Who would propose it.
    number : int or str or None
        The number that the proposal has, or would take if it came next.
    example : bool
        Whether the number is only an example, because others assign it.
    error : LawError or None
        Error if the clauses cannot be read; the review then has only the redline and the warnings.
    missing : str
        Reason why there is nothing to change: no such rule, or no such amendment.
    proposable : bool or None
        Whether the law allows it to be proposed, regardless of whose turn it is; None if the law does not say.
    barred : str
        Reason why it cannot be proposed; if the law does not say, a note that it is open, or the question to the
        others.
    redline : Difference or None
        The rule before and after, word by word.
    parts : tuple of Proposed
        The changes that are made together, each next to its rule; empty for a single change.
    votes : Needed or None
        Votes needed to adopt it, the voters, and whose ballot decides.
    turned : tuple of Turned
        Settings with a different value afterwards.
    met : tuple of Met
        Rules that newly prevail or are newly defeated.
    voided : tuple of Voided
        Rules that become void, or are no longer void.
    moved : tuple of Moved
        Rules with a different number or tier.
    dangling : tuple of Dangling
        References that point to nothing, or to another rule.
    on_boards : OnBoards or None
        Moves gained and lost, kings in check, and other differences on the boards; None without any.
    power : Meter or None
        Effect on the power of each kind of piece of each player; None if no rule depends on it, or it does not change.
    follows : tuple of str
        Further consequences of the adoption.
    next_effects : tuple of str
        What its clauses do next, with numbers.
    warnings : tuple of WarningSign
        Points to check before the vote, each with its evidence.
    steps : tuple of Step
        Steps that must come first, followed by the change itself; empty if it can be proposed, or if no way is known.
    way_round : Step or None
        A new rule with the same effect, if the rule itself cannot be changed.
    adoption : Adoption or None
        The trial adoption.
    future : Future or None
        Whether any rule change could still be adopted afterwards.
    loopholes : tuple of str
        Sentences on what it would let single players reach against all others; empty if none were looked for.
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
    next_effects: tuple[str, ...] = ()
    warnings: tuple[WarningSign, ...] = ()
    steps: tuple[PassingStep, ...] = ()
    way_round: PassingStep | None = None
    adoption: Adoption | None = field(default=None, repr=False)
    future: AdoptionFuture | None = None
    loopholes: tuple[str, ...] = ()

    @property
    def effect_sentence(self) -> str:
        """A sentence on when the change takes effect, or why it has no effect; empty if it was not adopted on trial."""
        adoption = self.adoption
        if adoption is None:
            return ""
        if adoption.note:
            return f"It would pass without effect: {adoption.note}."
        if not adoption.in_force:
            return "Can’t tell yet whether it takes effect: " + " ".join(adoption.doubts or ("no rule says.",))
        if adoption.due == "vote closed" and self.votes is not None and self.votes.needs_no_votes:
            return "It takes effect at once."
        due = EFFECT_TIMES.get(adoption.due, adoption.due)
        return (
            f"It takes effect as soon as {due}."
            if due
            else "Can’t tell yet when it takes effect: the players are asked."
        )

    @property
    def no_effect_reason(self) -> str:
        """Why the change would be adopted without effect; empty if it would have one."""
        return self.adoption.note if self.adoption else ""


def verdict_sentences(review: Review) -> Iterator[str]:
    """Yield the main sentences of a review: can it be proposed, can it pass, what it does."""
    if review.error is not None:
        yield f"It can’t be proposed: its clauses can’t be read. {str(review.error).splitlines()[0]}"
        return
    if review.missing:
        yield f"It can’t be proposed: {review.missing}."
        return
    if not review.proposable:
        yield proposable_sentence(review.proposable, review.barred)
    if review.votes is not None:
        if review.proposable is False:
            need = f"pass if {review.votes.in_short}" if review.votes.adopted_by else f"need {review.votes.in_short}"
            need = "pass without a vote" if review.votes.needs_no_votes else need
            yield f"If it could be proposed, it would {need}."
        else:
            yield from vote_sentences(review.votes)
    yield review.effect_sentence


def proposable_sentence(allowed: bool | None, barred: str) -> str:
    """Return a sentence on whether a change can be proposed (None: open), with what bars it or is open (`barred`)."""
    if allowed is None:
        return f"Can’t tell yet whether it can be proposed: {barred}."
    return "It can be proposed." if allowed else f"It can’t be proposed now: {barred}."


def vote_sentences(votes: NeededVotes) -> Iterator[str]:
    """Yield sentences on what adopts a change, whether that is possible, and whose ballot decides."""
    voters = join_words([voter.name for voter in votes.voters])
    who = f"{voters or 'nobody'} may vote{rule_citation(votes.electorate.rule)}"
    if votes.needs_no_votes:
        yield f"It passes without a vote{rule_citation(votes.quota.rule)}."
    elif votes.passes is True:
        needed = f" if {votes.in_short}" if votes.adopted_by else f": it needs {votes.in_short}"
        yield f"It can pass{needed}. {upper_first(who)}."
        if votes.other_adopting_ballots:
            yield f"It fails if everyone votes for it. It passes, for example, if {votes.other_adopting_ballots}."
        if votes.duty is not None and votes.duty.value is False:
            yield f"Nobody has to vote{rule_citation(votes.duty.rule)}. Those who don’t vote aren’t counted in favour."
    elif votes.passes is False:
        yield f"It can’t pass: {votes.why}. {upper_first(who)}."
    else:
        yield f"Can’t tell yet whether it can pass: {votes.why}."
    if len({voter.weight for voter in votes.voters}) > 1:
        yield "Weights: " + ", ".join(f"{voter.name} {voter.weight}" for voter in votes.voters) + "."
    text = voting_power_sentence(votes)
    if text:
        yield text


#: Numbers of voters, in words.
_COUNTS = dict(enumerate(("three", "four", "five", "six", "seven", "eight", "nine", "ten"), 3))


def voting_power_sentence(votes: NeededVotes) -> str:
    """Return a sentence on whose ballots decide the result how often; empty if all do alike, or what passes is open."""
    if votes.unknown:
        return f"Can’t tell whose vote is decisive: {votes.unknown}."
    if votes.passes is None or not votes.voters:
        return ""
    if votes.must_be_unanimous:
        names = [voter.name for voter in votes.voters]
        every = "both" if len(names) == 2 else f"all {_COUNTS.get(len(names), len(names))}"
        return f"It can’t pass unless {f'{every} vote' if names[1:] else f'{names[0]} votes'} for it."
    groups = group_pairs((voter.decides or 0, voter.name) for voter in votes.voters)
    if len(groups) == 1 and 0 not in groups:  # as everybody expects
        return ""
    parts = []
    for decides, names in sorted(groups.items(), reverse=True):
        whose, each = f"the votes of {join_words(names)} are", " each"
        if len(names) == 1:
            whose, each = f"{names[0]}’s vote is", ""
        if decides == 0:
            parts.append(f"{whose} never decisive" if groups.keys() > {0} else "no vote is decisive")
        else:
            total = votes.ways_others_can_vote
            ways = f"{decides} of the {total} ways the others can vote{percent_suffix(decides, total)}"
            parts.append(f"{whose}{each} decisive in {ways}")
    return f"{upper_first('; '.join(parts))}."


def note_on_doubt(state: State, player: str) -> str:
    """Return what happens if a player proposes a change that may be forbidden: who is asked, or that it can stand."""
    if state.find("question.doubt", player=player).says("challenge"):
        return "You can propose it. If it is in doubt, it stands unless it is challenged."
    who = people_to_ask(state.law, state, player)
    return f"If you propose it and it is in doubt, {join_words(who) if who else 'the players'} will be asked."


def percent_suffix(part: int, whole: int) -> str:
    """Return a space and `part` of `whole` as a percentage in brackets; empty if `whole` is 64 or less."""
    return f" ({float(100 * Fraction(part, whole)):.1f} %)" if whole > 64 else ""


#: Steps that may be taken for what is told while a change is written: two tenths of a second or so.
STEPS = 60_000
#: Where what a change does is not found within these steps.
TAKES_LONG = "This takes too long to preview as you type."
#: Events that are told elsewhere in a review.
_DESCRIBED_EVENTS = frozenset({
    "vote_closed", "adopted", "enacted", "amended", "repealed", "transmuted", "without_effect", "voided", "revived",
    "won", "asked", *DESCRIBED_EVENTS,
})  # fmt: skip


def review_change(
    timeline: Timeline, player: str, change: Change, number: Number | None = None, without: str | Iterable[str] = ()
) -> Review:
    """Return a review of what a player's change would do if proposed now (as `number`) and adopted.

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
    >>> found = review_change(game.timeline, "Ann", nb.amend(203, law="set vote.quota to majority(vote.electorate)"))
    >>> print(found.turned[0])
    vote.quota, to enact a rule or to amend, repeal or transmute a mutable rule: 3 (rule 203) → 2 (rule 301)
    >>> print(found.future)
    yes: for example to enact a rule: 2 of 3 in favour (rule 301)
    """
    state = timeline.state
    if not isinstance(change, Change):
        raise WrongArgument(
            "review-of-no-change", "this is not a rule change. Make one with enact, amend, repeal or transmute"
        )
    check_player_name(state, player, state.players)
    base, checks = calm_state(state), checks_without(without)
    check_proposal_number(state, number)
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
        signs = find_warnings(run, [check for check in checks if check.kind == "unclear"])
        return Review(change, player, number, example, error, redline=redline, warnings=signs)
    except LookupError as error:
        return Review(change, player, number, example, missing=str(error.args[0]), proposable=False)
    try:
        with use_current_or_new_meter():
            return replace(_make_review(base, change, player, number, checks), example=example)
    except (PlainRefusal, BudgetExceeded, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - it is said, and logged
        raise IllegalAction(
            "review-fails",
            "the review failed because of an error in nomic_nb ({error}). You can still propose the change",
            error=type(error).__name__,
        ) from kit_fault_for(error, NO_RULE)


def review_draft(timeline: Timeline, player: str, change: Change) -> tuple[list[str], FairPlayMeter | None]:
    """Return sentences on a change still being written, and its fair-play meter (None without one, or if slow)."""
    try:
        with limit_steps(STEPS):
            result = review_change(timeline, player, change)
        return [
            *filter(None, verdict_sentences(result)),
            *result.next_effects,
            *([note_on_doubt(timeline.state, player)] if result.proposable is None else []),
        ], result.power
    except BudgetExceeded:
        base = calm_state(timeline.state)
        sentences = [*_proposable_sentences(base, change, player), TAKES_LONG]
    try:
        with limit_steps(STEPS):
            return sentences, measure_power_change(suppose_proposed(base, change, player))
    except BudgetExceeded:
        return sentences, None


def _proposable_sentences(base: State, change: Change, player: str) -> list[str]:
    """Return sentences on whether a change can be proposed, within a limit of steps."""
    try:
        with limit_steps(STEPS):
            allowed, finding = is_change_permitted(base, change, player)
            barred = why_not_proposable(base, change, player, allowed, finding)
    except BudgetExceeded:
        return ["Checking whether a rule forbids it also takes too long.", note_on_doubt(base, player)]
    return [proposable_sentence(allowed, barred), *([note_on_doubt(base, player)] if allowed is None else [])]


def _wording_redline(state: State, change: Change, number: Number | None) -> RuleDifference | None:
    """Return a rule before and after a change whose clauses cannot be read; None if there are no such texts."""
    if change.parts or change.kind == "revise":
        return None
    old = state.rules.rule_numbered(change.target)
    making = ChangeContext(number, state.seq + 1, state.turn, None, old.tier if old else "")
    try:
        _, new = book_after_change(state.rules, change, (), making)
    except LookupError:
        return None
    return RuleDifference(old, new)


def _make_review(base: State, change: Change, player: str, number: Number | None, checks: tuple[Check, ...]) -> Review:
    """Return the full review of a readable change, with the warnings that some checks find."""
    proposal = base.proposals.get(number) if number is not None else None
    if proposal is None:
        proposal = replace(state_under_vote(base, change, player, number, None)[1], status="debate")
    asked = with_proposal(base, proposal)
    votes = find_needed_votes(asked, proposal)
    run = dry_run(base, change, player, number, votes.vote)
    signs = dict.fromkeys((*find_warnings(run, checks), *find_later_warnings(run, checks)))
    after, supposed = calm_state(run.adoption.after), suppose_proposed(base, change, player)
    allowed, finding = is_change_permitted(base, change, player, supposed)
    barred = allowed is False
    steps = find_steps_to(base, change, player) if barred else ()
    instead = find_detour_rule(base, change, player) if barred and not steps else None
    return Review(
        change, player, number, proposable=allowed,
        barred=why_not_proposable(base, change, player, allowed, finding),
        redline=None if change.parts or change.kind == "revise" else RuleDifference(run.old_rule, run.new_rule),
        parts=compare_proposal(asked, proposal.number).parts, votes=votes, turned=run.turned, met=run.met,
        voided=find_voided_rules(base, after), moved=find_moved_rules(base, after),
        dangling=find_dangling_references(base, after,
        run.changed_rule_ids),
        on_boards=run.board_effects, power=measure_power_change(supposed),
        follows=tuple(_consequence_sentences(run.adoption)), next_effects=run.next_effects,
        warnings=tuple(signs), steps=steps, way_round=instead,
        adoption=run.adoption, future=run.adoption_future,
    )  # fmt: skip


def _rule_behind_event(adoption: Adoption, event: Event) -> Number | None:
    """Return the number of the rule that causes an event; None if no rule does."""
    if event.kind == "tracked":
        tracking = {clause.counter: rule.number for rule in adoption.after.rules for clause in rule.clauses
                    if isinstance(clause, TrackClause)}  # fmt: skip
        return tracking.get(str(event.data["counter"]), event.rule)
    return event.rule


def _consequence_sentences(adoption: Adoption) -> list[str]:
    """Return sentences on what an adoption sets off, and on what is left out as it depends on answers or dice."""
    sentences = []
    for event in adoption.events:
        automatic = "change" in event.data and event.data["number"] is None
        if automatic or event.kind not in _DESCRIBED_EVENTS:
            sentences.append(sentence(event) + rule_citation(_rule_behind_event(adoption, event)))
    asked = {poll.id: poll for poll in adoption.after.polls.values() if poll.several and poll.open}
    sentences += [
        f"what happens after {verb_phrase(poll.who, 'answers', 'answer')} is not shown{rule_citation(poll.rule)}"
        for poll in asked.values()
    ]
    for waiting in adoption.after.waiting:
        if waiting.poll in asked:
            continue
        among = f", one of {len(waiting.options)}" if waiting.options else ""
        what = "has to roll" if waiting.action == "roll" else f"chooses {waiting.name}{among}"
        sentences.append(
            f"{waiting.player or 'somebody'} {what}{rule_citation(waiting.rule)}; what happens then is not shown"
        )
    sentences += [f"what rule {rule} does then depends on a roll" for rule in adoption.throwing]
    return sentences
