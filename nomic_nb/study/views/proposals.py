"""What players see of proposals: what is proposed, and how the vote on it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
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
from nomic_nb.engine.play.vote_rules import adoption_condition, read_quota
from nomic_nb.engine.record.seals import SEALED_TEXT, open_seals
from nomic_nb.engine.words import rule_citation, upper_first, verb_phrase
from nomic_nb.study import frames
from nomic_nb.study.views.enforcement import contradiction_subject
from nomic_nb.study.views.phrases import wording_table
from nomic_nb.study.views.redline import ProposedRule, compare_proposed
from nomic_nb.study.views.remarks import ProposalRemarks

if TYPE_CHECKING:
    import pandas as pd


#: Finds what is odd about the proposal of this number.
WarningFinder = Callable[[State, RuleNumber], ProposalRemarks]


def find_no_warnings(_: State, __: RuleNumber) -> ProposalRemarks:
    """Find nothing odd: nobody looks."""
    return ProposalRemarks()


#: Voters who have not voted yet that a verdict names; more are counted.
MOST_NAMED = 8


@frozen
class Tally(DisplayedAlike):
    """A vote, as it stands or as it ended.

    Parameters
    ----------
    number : int or str
        The proposal.
    votes_for, votes_against : int or Fraction or None
        Weight of the ballots; None while they are sealed.
    ballots : mapping of str to str
        By voter, in the order in which they were cast.
    not_voted : tuple of str
        Voters without a ballot.
    eligible : int or Fraction
        Weight of all who may vote: the base of every share.
    quota : int or Fraction or None
        Weight in favour that adopts; None where it is found when the vote closes, and cannot be told yet, and where
        adoption does not need it.
    quota_rule : int or str or None
        The rule that says so, or what adopts instead.
    status : str
        Of the proposal.
    note : str
        Why it has no effect, or why it lapsed; empty where there is nothing to say.
    choices : tuple of str
        The ballots that can be cast.
    quorum : int or Fraction
        Weight that has to be cast, whatever the ballots say; 0 where nothing has.
    quorum_rule : int or str or None
        The rule that says so.
    late : bool
        Whether `quota` is what it would come to if the vote closed now: it is found when it does.
    votes_abstained : int or Fraction or None
        As `votes_for`; nothing where nobody can abstain.
    adopted_by : str
        What adopts instead of a quota, as the law has it; empty where it is the quota. Then there is none here.
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
    adopted_by: str = ""

    @property
    def unasked(self) -> bool:
        """Whether there is nobody to vote, and no vote that is needed."""
        return self.eligible == 0 and self.quota == 0 and not self.ballots and not self.not_voted

    @property
    def needed(self) -> str:
        """What adopts, in words."""
        are = "is needed" if self.quota == 1 else "are needed"
        said = f"{self.quota} of {self.eligible} in favour {are}{rule_citation(self.quota_rule)}"
        if self.adopted_by:
            said = f"it passes if {self.adopted_by}{rule_citation(self.quota_rule)}"
        elif self.quota is None:
            said = "how much is needed is found when the vote closes"
        elif self.late:
            said = f"if the vote closed now, {said}"
        return said + (f", and {self.quorum} have to be cast{rule_citation(self.quorum_rule)}" if self.quorum else "")

    @property
    def verdict(self) -> str:
        """The outcome, or what is still needed, in a sentence made from what decides."""
        need = self.needed
        votes = f"{self.votes_for} for, {self.votes_against} against"
        if "abstain" in self.choices:
            votes += f", {self.votes_abstained} abstained"
        if self.votes_for is None:
            votes = "ballots sealed"
        if self.status == "open":
            names, count = self.not_voted, len(self.not_voted)
            missing = f"{verb_phrase(names, 'has', 'have') if count <= MOST_NAMED else f'{count} have'} not voted"
            if self.votes_for is None:
                return f"Open, ballots sealed: {missing}; {need}."
            return f"Open: {votes}; {missing}; {need}."
        head, note = wording_table("ended")[self.status], f" {upper_first(self.note)}." if self.note else ""
        if self.unasked:
            return f"{head}: nobody votes on it{rule_citation(self.quota_rule)}.{note}"
        return f"{head}: {votes}; {need}.{note}"


def _describe_void(proposal: play.Proposal, state: State) -> str:
    """Say that the rule which a proposal made is void, where it is."""
    for id, why in state.rules.void.items():
        rule, other = state.rules.rules.get(id), state.rules.rules.get(why.against or 0)
        if rule is not None and other is not None and rule.proposal in (proposal.number, *proposal.numbers):
            return f"rule {rule.number} is void: it contradicts rule {other.number}{contradiction_subject(why.key)}"
    return ""


def make_tally(proposal: play.Proposal, timeline: Timeline, state: State | None = None) -> Tally | None:
    """Return the tally of a proposal, or None where no vote has opened.

    Parameters
    ----------
    proposal : Proposal
        As it stands, or stood.
    timeline : Timeline
        The game, which knows what is sealed.
    state : State, optional
        The moment at which it is looked at, to say whether the rule that it made is void.
    """
    vote = proposal.vote
    if vote is None:
        return None
    hidden = vote.sealed and (proposal.open or proposal.number in open_seals(timeline).proposals)
    quota, rule = vote.quota, vote.quota_rule
    if vote.late and hidden:
        quota = None
    elif quota is None:
        finding = read_quota(vote.law, state or timeline.state, proposal)
        quota, rule = (finding.value if isinstance(finding.value, int | Fraction) else None), finding.rule
    instead, by = adoption_condition(vote.law, state or timeline.state, proposal)
    if instead:
        quota, rule = None, by
    weight = dict.fromkeys(BALLOTS) if hidden else {side: vote.weight(side) for side in BALLOTS}
    note = proposal.note or (_describe_void(proposal, state) if state is not None else "")
    return Tally(
        proposal.number, weight["for"], weight["against"],
        dict.fromkeys(vote.ballots, SEALED_TEXT) if hidden else dict(vote.ballots), vote.waiting,
        sum(vote.weights.values(), start=0), quota, rule, proposal.status, note, vote.choices, vote.quorum,
        vote.quorum_rule, late=vote.late and vote.quota is None, votes_abstained=weight["abstain"],
        adopted_by=instead,
    )  # fmt: skip


@frozen
class ProposalScore:
    """The score of a proposal, exactly, as the law had it when the turn of the proposal ended.

    Parameters
    ----------
    share, score, half : Finding
        What the law says of the share of the votes, of the score, and of a half.
    """

    share: Finding
    score: Finding
    half: Finding

    @property
    def tie(self) -> bool:
        """Whether the score lies half-way between two whole numbers."""
        return isinstance(self.score.value, Fraction) and self.score.value.denominator == 2

    def __str__(self) -> str:
        said = [f"Share of the votes: {_describe_finding(self.share)}. "] if self.share.outcome != "silent" else []
        said.append(f"Score: {_describe_finding(self.score)}")
        if self.tie:
            half = (
                "no rule says how it is rounded"
                if self.half.outcome == "silent"
                else f"rounded {_describe_finding(self.half)}"
            )
            said.append(f", a tie between two whole numbers: {half}")
        return "".join([*said, "."])


def _describe_finding(finding: Finding) -> str:
    value = str(finding.value) if finding.answered else f"open, because {finding.reason or finding.outcome}"
    return f"{value}{rule_citation(finding.rule)}"


def proposal_score(timeline: Timeline, number: RuleNumber) -> ProposalScore | None:
    """Return what a proposal is worth; None where no rule says, or where its vote has not closed.

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
    Share of the votes: 3/4 (rule -111). Score: 21/2 (rule -111), a tie between two whole numbers: rounded up (rule K6).
    """
    proposal = timeline.state.proposals[number]
    if (
        proposal.vote is None
        or proposal.open
        or proposal.status == "lapsed"
        or number in open_seals(timeline).proposals
    ):
        return None
    ended = (one.seq for one in timeline.back() if one.kind == "turn_ended" and one.turn == proposal.turn)
    seq = next(ended, None)
    state = timeline.state if seq is None else timeline.after(seq)
    score = state.find("proposal.score", **proposal.case)
    if score.outcome == "silent":
        return None
    return ProposalScore(state.find("vote.share", **proposal.case), score, state.find("score.half"))


class Proposal(Displayed):
    """A proposal, as it stands whenever it is looked at.

    Parameters
    ----------
    timeline : Timeline
        The game.
    number : int or str
        Its number.
    look : callable
        Finds what is odd about it.
    """

    def __init__(self, timeline: Timeline, number: RuleNumber, look: WarningFinder = find_no_warnings) -> None:
        self.timeline, self.number, self._look = timeline, number, look

    @property
    def now(self) -> play.Proposal:
        """How it stands."""
        return self.timeline.state.proposals[self.number]

    @property
    def change(self) -> Change:
        """What is proposed."""
        return self.now.change

    @property
    def proponent(self) -> str:
        """Who made it."""
        return self.now.proponent

    @property
    def wording(self) -> str:
        """The proposed wording, of all parts; empty where none is."""
        return self.change.all_wording

    @property
    def law(self) -> str:
        """The proposed clauses, of all parts; empty where there are none."""
        return self.change.all_law

    @property
    def stale(self) -> str:
        """Why the rule that it is about is not to be found any more, while it is open; empty where it is."""
        return self.now.note if self.now.open else ""

    @property
    def worth(self) -> ProposalScore | None:
        """What it is worth to its proponent; None where no rule says, or its vote has not closed."""
        return proposal_score(self.timeline, self.number)

    @property
    def remarks(self) -> ProposalRemarks:
        """What is odd about it as it stands, by the law in force, for those who vote; nothing once it is closed."""
        return self._look(self.timeline.state, self.number) if self.now.open else ProposalRemarks()

    @property
    def outcome(self) -> str:
        """What it is: ``debate``, ``open`` or ``ending`` until its result is found.

        Then ``adopted``, ``waiting``, ``without effect``, ``defeated`` or ``lapsed``.
        """
        return self.now.status

    @property
    def tally(self) -> Tally | None:
        """The vote; None where it has not opened."""
        return make_tally(self.now, self.timeline, self.timeline.state)

    @property
    def ballots(self) -> dict[str, str]:
        """The ballots by voter, in the order in which they were cast."""
        tally = self.tally
        return dict(tally.ballots) if tally else {}

    @property
    def proposed(self) -> ProposedRule:
        """What it would do to the rule that it meets, as the law stood when it was made."""
        made = (  # one that was undone may have had this number
            state
            for event, state in reversed(self.timeline.moments)
            if event.kind in ("proposed", "revised") and event.data["number"] == self.number
        )
        return compare_proposed(next(made), self.number)

    @property
    def rule(self) -> Rule | None:
        """The rule to be changed, as it stood before the change; None for a new rule."""
        return self.proposed.before

    def __str__(self) -> str:
        tally = self.tally
        head = f"Proposal {self.number} by {self.proponent}: {self.change}"
        lines = [head, tally.verdict if tally else "In debate."]
        lines += [f"Stale: {self.stale}."] if self.stale else []
        lines += [str(self.worth)] if self.worth is not None else []
        lines += str(self.remarks).splitlines()
        return "\n".join(lines)


class Proposals(DisplayedAlike):
    """All proposals of a game, by number; iterating goes through them in order."""

    def __init__(self, timeline: Timeline, state: State, look: WarningFinder = find_no_warnings) -> None:
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
            known = ", ".join(str(one) for one in self.state.proposals) or "none yet"
            raise NotThere(
                say(
                    "no-such-proposal",
                    "there is no proposal {proposal}; there are {known}",
                    proposal=number,
                    known=known,
                )
            )
        return Proposal(self.timeline, number, self._look)

    def __iter__(self) -> Iterator[Proposal]:
        return map(self.__getitem__, self.state.proposals)

    def __len__(self) -> int:
        return len(self.state.proposals)

    @property
    def frame(self) -> pd.DataFrame:
        """The proposals as a DataFrame; see `record.frames.proposals` for its columns."""
        return frames.proposals_frame(self.state, open_seals(self.timeline))
