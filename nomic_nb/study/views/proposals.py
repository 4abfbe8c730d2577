"""Views of proposals for players: the proposed change and the state of the vote."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from nomic_nb.engine.arguments import explain_argument_errors
from nomic_nb.engine.display import Displayed, DisplayedAlike
from nomic_nb.engine.errors import NotThere
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.rules import Number as RuleNumber
from nomic_nb.engine.law.rules import Rule
from nomic_nb.engine.law.values import Number
from nomic_nb.engine.messages import say
from nomic_nb.engine.play import values as play
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import BALLOTS, VOTE_CHOICES
from nomic_nb.engine.play.vote_rules import adoption_condition, find_quota
from nomic_nb.engine.play.waiting import decisions_awaited, wait_holding_up_proposal
from nomic_nb.engine.record.seals import SEALED_TEXT, current_seals
from nomic_nb.engine.words import full_sentence, join_words, least_votes, rule_citation, upper_first, verb_phrase
from nomic_nb.study import frames
from nomic_nb.study.named_values import NamedValues
from nomic_nb.study.views.enforcement import contradiction_phrase
from nomic_nb.study.views.pending import earlier_moment_note
from nomic_nb.study.views.phrases import wording_table
from nomic_nb.study.views.redline import ProposedRule, compare_proposal
from nomic_nb.study.views.remarks import ProposalRemarks

if TYPE_CHECKING:
    import pandas as pd


#: Finds what is odd about the proposal of this number.
WarningFinder = Callable[[State, RuleNumber], ProposalRemarks]


def no_remarks(_: State, __: RuleNumber) -> ProposalRemarks:
    """Return no remarks on any proposal, for displays that look for none."""
    return ProposalRemarks()


#: Voters who have not voted yet that a verdict names; more are counted.
MOST_NAMED = 8


@frozen
class Tally(DisplayedAlike):
    """The current or final state of a vote.

    Parameters
    ----------
    number : int or str
        The proposal.
    votes_for, votes_against : int or Fraction or None
        Weight of the ballots; None while they are sealed.
    ballots : mapping of str to str
        Ballots keyed by voter, in the order in which they were cast.
    not_voted : tuple of str
        Voters without a ballot.
    eligible : int or Fraction
        Total weight of everyone who may vote; shares are fractions of it.
    quota : int or Fraction or None
        Least weight in favour that is enough; None if it is determined when the vote closes and is not known yet, or
        if adoption does not depend on it.
    quota_rule : int or str or None
        The rule that says so, or what adopts instead.
    status : str
        Of the proposal.
    note : str
        Reason why the proposal has no effect or lapsed, or what a rule waits for because of the result; may be empty.
    choices : tuple of str
        The ballots that can be cast.
    quorum : int or Fraction
        Least weight that must be cast, whatever the ballots say; 0 without a minimum.
    quorum_rule : int or str or None
        The rule that says so.
    late : bool
        Whether `quota` is the number that would apply if the vote closed now, because it is determined at that point.
    votes_abstained : int or Fraction or None
        As `votes_for`; 0 if nobody can abstain.
    through : mapping of str to str
        By voter, who has cast the voter's ballot instead.
    words : tuple of tuple
        For each ballot that can be cast: its word, what it counts as, and the weight of these ballots; empty while
        they are sealed.
    adopted_by : str
        Condition that adopts a proposal instead of a quota, as the law states it; empty if a quota does.
    timeline : Timeline or None
        The game, if the tally was taken from one; it tells whether it is still in this state.
    state : State or None
        The state in which the tally was taken.
    """

    number: RuleNumber
    votes_for: Number | None
    votes_against: Number | None
    ballots: Mapping[str, str]
    not_voted: tuple[str, ...]
    eligible: Number
    quota: Number | None
    quota_rule: RuleNumber | None
    status: str
    note: str = ""
    choices: tuple[str, ...] = VOTE_CHOICES
    quorum: Number = 0
    quorum_rule: RuleNumber | None = None
    late: bool = False
    votes_abstained: Number | None = 0
    through: Mapping[str, str] = field(default_factory=dict)
    words: tuple[tuple[str, str, Number], ...] = ()
    adopted_by: str = ""
    timeline: Timeline | None = field(default=None, compare=False, repr=False)
    state: State | None = field(default=None, compare=False, repr=False)

    @property
    def moment_note(self) -> str:
        """A sentence on the moment that the tally comes from; empty if the game is still as it was then."""
        return earlier_moment_note(self.timeline, self.state) if self.state is not None else ""

    @property
    def has_no_voters(self) -> bool:
        """Whether nobody can vote on the proposal and no votes are needed."""
        return self.eligible == 0 and self.quota == 0 and not self.ballots and not self.not_voted

    @property
    def needed_text(self) -> str:
        """How many votes and ballots adopt the proposal, in words, with the rules that say so."""
        are = "is needed" if self.quota == 1 else "are needed"
        sentence = f"{self.quota} of {self.eligible} in favour {are}{rule_citation(self.quota_rule)}"
        if self.adopted_by:
            sentence = f"it passes if {self.adopted_by}{rule_citation(self.quota_rule)}"
        elif self.quota is None:
            sentence = "the votes needed are worked out when the vote closes"
        elif self.late:
            sentence = f"if the vote closed now, {sentence}"
        return sentence + (
            f", and at least {self.quorum} must be cast{rule_citation(self.quorum_rule)}" if self.quorum else ""
        )

    @property
    def verdict(self) -> str:
        """The outcome, or what is still needed, as a sentence."""
        need = self.needed_text
        votes = f"{self.votes_for} for, {self.votes_against} against"
        if any(side == "abstain" for _, side, _ in self.words):
            votes += f", {self.votes_abstained} abstained"
        own = [f"{weight} “{word}”" for word, side, weight in self.words if word != side and weight]
        votes += f", with {join_words(own)}" if own else ""
        if self.votes_for is None:
            votes = "ballots sealed"
        if self.status == "open":
            names, count = self.not_voted, len(self.not_voted)
            missing = f"{verb_phrase(names, 'has', 'have') if count <= MOST_NAMED else f'{count} have'} not voted"
            missing = missing if names else "everyone has voted"
            if self.votes_for is None:
                return f"Open, ballots sealed: {missing}; {need}."
            return f"Open: {votes}; {missing}; {need}."
        head, note = wording_table("ended")[self.status], f" {upper_first(self.note)}." if self.note else ""
        if self.has_no_voters:
            return f"{head}: nobody votes on it{rule_citation(self.quota_rule)}.{note}"
        return f"{head}: {votes}; {need}.{note}"


def _void_rule_note(proposal: play.Proposal, state: State) -> str:
    """Return a clause of a sentence that the rule made by a proposal is void, and why; empty if it is not."""
    for id, why in state.rules.void.items():
        rule, other = state.rules.rules.get(id), state.rules.rules.get(why.against or 0)
        if rule is not None and other is not None and rule.proposal in (proposal.number, *proposal.numbers):
            return f"rule {rule.number} is void: it contradicts rule {other.number}{contradiction_phrase(why.key)}"
    return ""


def _due_note(proposal: play.Proposal, state: State) -> str:
    """Return what a rule waits for because of the result of a proposal, and from whom; empty if nothing or secret."""
    waiting = None if proposal.is_open else wait_holding_up_proposal(state, proposal.number)
    if waiting is None:
        return ""
    due = [one for one in decisions_awaited(state) if one.rule == waiting.rule and not one.unseen]
    names = join_words([one.player or "anyone" for one in due])
    return f"next: {names} – {due[0].prompt}{rule_citation(waiting.rule)}" if due else ""


def make_tally(proposal: play.Proposal, timeline: Timeline, state: State | None = None) -> Tally | None:
    """Return the tally of a proposal; None if no vote has opened.

    Parameters
    ----------
    proposal : Proposal
        Current or past state of the proposal.
    timeline : Timeline
        Events of the game, which tell which ballots are sealed.
    state : State, optional
        State in which it is checked whether the rule made is void, and the effects due because of the result.
    """
    vote = proposal.vote
    if vote is None:
        return None
    hidden = vote.sealed and (proposal.is_open or proposal.number in current_seals(timeline).proposals)
    quota, rule = vote.quota, vote.quota_rule
    if vote.late and hidden:
        quota = None
    elif quota is None:
        finding = find_quota(vote.law, state or timeline.state, proposal)
        quota, rule = (finding.value if isinstance(finding.value, int | Fraction) else None), finding.rule
    instead, by = adoption_condition(vote.law, state or timeline.state, proposal)
    if instead:
        quota, rule = None, by
    weights, eligible = vote.weights, vote.weights.values()
    weight = dict.fromkeys(BALLOTS) if hidden else {side: vote.weight_of_side(side) for side in BALLOTS}
    words = tuple(
        (word, vote.sides.get(word, word), sum(weights[who] for who, cast in vote.ballots.items() if cast == word))
        for word in (() if hidden else vote.choices)
    )
    note = proposal.note
    if state is not None:
        note = note or _void_rule_note(proposal, state) or _due_note(proposal, state)
    return Tally(
        proposal.number, weight["for"], weight["against"],
        dict.fromkeys(vote.ballots, SEALED_TEXT) if hidden else dict(vote.ballots), vote.silent_voters,
        sum(eligible, start=0), None if quota is None else least_votes(quota, eligible), rule, proposal.status, note,
        vote.choices, least_votes(vote.quorum, eligible), vote.quorum_rule,
        late=vote.late and vote.quota is None, votes_abstained=weight["abstain"], words=words,
        through=vote.proxies,
        adopted_by=instead,
    )  # fmt: skip


@frozen
class ProposalScore:
    """The exact score of a proposal, under the law in force at the end of its turn.

    Parameters
    ----------
    share, score, half : Finding
        Findings on the share of the votes, on the score, and on a half.
    """

    share: Finding
    score: Finding
    half: Finding

    @property
    def is_tie(self) -> bool:
        """Whether the exact score is halfway between two whole numbers."""
        return isinstance(self.score.value, Fraction) and self.score.value.denominator == 2

    def __str__(self) -> str:
        sentences = [f"Share of the votes: {_finding_text(self.share)}. "] if self.share.outcome != "silent" else []
        sentences.append(f"Score: {_finding_text(self.score)}")
        if self.is_tie:
            half = (
                "no rule says how to round it"
                if self.half.outcome == "silent"
                else f"rounded {_finding_text(self.half)}"
            )
            sentences.append(f", exactly halfway: {half}")
        return "".join([*sentences, "."])


def _finding_text(finding: Finding) -> str:
    """Return the value of a finding as text, or why it is open, with the number of its rule."""
    value = str(finding.value) if finding.answered else f"undecided, because {finding.reason or finding.outcome}"
    return f"{value}{rule_citation(finding.rule)}"


def proposal_score(timeline: Timeline, number: RuleNumber) -> ProposalScore | None:
    """Return the score of a proposal; None if no rule gives one or its vote is still open.

    Parameters
    ----------
    timeline : Timeline
        The game.
    number : int or str
        Of the proposal.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("github-nomic", ["Ann", "Ben", "Cleo", "Dee"], seed=7)
    >>> game.begin_turn("Ann")
    >>> made = game.propose("Ann", nb.repeal(-107), number=5)
    >>> for name in game.players:
    ...     game.vote(name, "against" if name == "Dee" else "for")
    >>> print(proposal_score(game.timeline, 5))
    Share of the votes: 3/4 (rule -111). Score: 21/2 (rule -111), exactly halfway: rounded up (rule K6).
    """
    proposal = timeline.state.proposals[number]
    if (
        proposal.vote is None
        or proposal.is_open
        or proposal.status == "lapsed"
        or number in current_seals(timeline).proposals
    ):
        return None
    ended = (
        event.seq for event in timeline.events_backwards() if event.kind == "turn_ended" and event.turn == proposal.turn
    )
    seq = next(ended, None)
    state = timeline.state if seq is None else timeline.after(seq)
    score = state.find("proposal.score", **proposal.law_case)
    if score.outcome == "silent":
        return None
    return ProposalScore(state.find("vote.share", **proposal.law_case), score, state.find("score.half"))


def title_of_proposed_rule(proposal: play.Proposal, state: State) -> str:
    """Return the title of the rule that a proposal would make or change, or “repeal of” and the title."""
    rule = state.rules.rule_numbered(proposal.change.target)
    title = proposal.change.title or (rule.title if rule is not None else "")
    others = " and others" if proposal.change.also else ""
    return f"repeal of {title or proposal.change.target}{others}" if proposal.change.kind == "repeal" else title


def state_when_proposed(timeline: Timeline, number: RuleNumber) -> State:
    """Return the state in which a proposal was made, or got its present form."""
    return next(
        state
        for event, state in reversed(timeline.moments)  # one that was undone may have had this number
        if event.kind in ("proposed", "revised") and event.data["number"] == number
    )


def _is_renumbered(then: play.Proposal, now: play.Proposal) -> bool:
    """Tell whether two proposals say the same of the same rules, whatever their numbers are now."""
    saying = [(one.aims, one.change.kind, one.change.wording, one.change.law) for one in (then, now)]
    return any(then.aims) and saying[0] == saying[1]


class Proposal(Displayed):
    """A proposal; its properties always show the current state.

    Parameters
    ----------
    timeline : Timeline
        The game.
    number : int or str
        Its number.
    look : callable
        Function that returns the remarks on it.
    """

    def __init__(self, timeline: Timeline, number: RuleNumber, look: WarningFinder = no_remarks) -> None:
        self.timeline, self.number, self._look = timeline, number, look
        self._first_seen = timeline.state.seq, timeline.state.proposals.get(number)

    @property
    def as_it_stands(self) -> play.Proposal:
        """The engine's object for the proposal, from the current state.

        Raises
        ------
        KeyError
            The game does not have it any more, because a cell was edited or an action undone.
        """
        if self.moment_note:
            raise NotThere(self.moment_note)
        return self.timeline.state.proposals[self.number]

    @property
    def moment_note(self) -> str:
        """A sentence on the moment that the proposal comes from; empty if the game still has it."""
        (event, then), state = self._first_seen, self.timeline.state
        now = state.proposals.get(self.number)
        if then is None or (
            now is not None
            and (now.proponent, now.turn) == (then.proponent, then.turn)
            and (now.change == then.change or now.revisers != then.revisers or _is_renumbered(then, now))
        ):
            return ""
        there = "does not have it" if now is None else f"has another proposal {self.number}: {now.change.headline}"
        return say(
            "proposal-of-another-moment",
            "proposal {proposal} ({headline}) is from after event {event}. The game is now at event {now} and {there}",
            proposal=self.number,
            headline=then.change.headline,
            event=event,
            now=state.seq,
            there=there,
        )

    @property
    def change(self) -> Change:
        """The proposed change."""
        return self.as_it_stands.change

    @property
    def proponent(self) -> str:
        """The player who made the proposal."""
        return self.as_it_stands.proponent

    @property
    def wording(self) -> str:
        """The proposed wording of all parts; empty without one."""
        return self.change.all_wording

    @property
    def law(self) -> str:
        """The proposed clauses of all parts, as text in the law language; empty without clauses."""
        return self.change.all_law

    @property
    def stale_reason(self) -> str:
        """Why the rule that an open proposal would change is gone; empty if the rule is there."""
        return self.as_it_stands.note if self.as_it_stands.is_open else ""

    @property
    def score(self) -> ProposalScore | None:
        """The score of the proposal; None if no rule gives one or its vote is still open."""
        return proposal_score(self.timeline, self.as_it_stands.number)

    @property
    def remarks(self) -> ProposalRemarks:
        """Remarks for voters on an open proposal; none once it is closed."""
        return self._look(self.timeline.state, self.number) if self.as_it_stands.is_open else ProposalRemarks()

    @property
    def outcome(self) -> str:
        """The status of the proposal, such as ``debate``, ``open``, ``adopted`` or ``defeated``.

        After the vote, it is ``adopted``, ``waiting``, ``without effect``, ``defeated`` or ``lapsed``.
        """
        return self.as_it_stands.status

    @property
    def tally(self) -> Tally | None:
        """The tally of the vote; None if it has not opened."""
        state = self.timeline.state
        tally = make_tally(self.as_it_stands, self.timeline, state)
        return tally and replace(tally, timeline=self.timeline, state=state)

    @property
    def ballots(self) -> dict[str, str]:
        """The ballots by voter, in the order in which they were cast."""
        tally = self.tally
        return NamedValues(tally.ballots) if tally else NamedValues()

    @property
    def proposed_rule(self) -> ProposedRule:
        """The rule before and after the proposed change, under the law at the time of the proposal."""
        self.as_it_stands  # noqa: B018 - which says so if the game does not have it any more
        return compare_proposal(state_when_proposed(self.timeline, self.number), self.number)

    @property
    def rule(self) -> Rule | None:
        """The rule as it was before the change; None for a new rule."""
        return self.proposed_rule.before

    def __str__(self) -> str:
        if note := self.moment_note:
            return full_sentence(note)
        tally = self.tally
        head = f"Proposal {self.number} by {self.proponent}: {self.change}"
        lines = [head, tally.verdict if tally else "In debate."]
        lines += [f"Stale: {self.stale_reason}."] if self.stale_reason else []
        lines += [str(self.score)] if self.score is not None else []
        lines += str(self.remarks).splitlines()
        return "\n".join(lines)


class VotedProposal(Proposal):
    """A proposal after several players have voted on it at once.

    Parameters
    ----------
    timeline, number, look
        As in `Proposal`.
    notes : sequence of str
        Notes on ballots that were not cast, such as those that a closed vote no longer takes.
    """

    def __init__(self, timeline: Timeline, number: RuleNumber, look: WarningFinder, notes: Sequence[str] = ()) -> None:
        super().__init__(timeline, number, look)
        self.notes = tuple(map(full_sentence, notes))

    def __str__(self) -> str:
        return "\n".join([super().__str__(), *self.notes])


class Proposals(DisplayedAlike):
    """All proposals of a game, keyed by number; iteration follows their order."""

    def __init__(self, timeline: Timeline, state: State, look: WarningFinder = no_remarks) -> None:
        self.timeline, self.state, self._look = timeline, state, look

    @explain_argument_errors
    def __getitem__(self, number: RuleNumber) -> Proposal:
        """Return a proposal.

        Raises
        ------
        KeyError
            There is none of this number.
        """
        if number not in self.state.proposals:
            known = ", ".join(str(proposal) for proposal in self.state.proposals) or "none yet"
            raise NotThere(
                "no-such-proposal",
                "there is no proposal {proposal}; there are {known}",
                proposal=number,
                known=known,
            )
        return Proposal(self.timeline, number, self._look)

    def __iter__(self) -> Iterator[Proposal]:
        return map(self.__getitem__, self.state.proposals)

    def __len__(self) -> int:
        return len(self.state.proposals)

    @property
    def frame(self) -> pd.DataFrame:
        """The proposals as a DataFrame; see `study.frames.proposals_frame` for its columns."""
        return frames.proposals_frame(self.timeline)
