"""The vote that a change needs: who votes, with what weight, what adopts it, and whose ballot decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

from nomic_nb.explore.cases import reads
from nomic_nb.law.findings import Finding
from nomic_nb.law.resolver import Law
from nomic_nb.law.rules import Number as RuleNumber
from nomic_nb.law.values import Number, Ref, exact
from nomic_nb.law.view import Undecided
from nomic_nb.markup.words import cited, listed
from nomic_nb.play.asking import ask, forbidden, may
from nomic_nb.play.people import names_of
from nomic_nb.play.proposals import with_proposal
from nomic_nb.play.state import State
from nomic_nb.play.values import Proposal, Vote

#: Facts that tell voters apart: a rule that reads them may adopt by who votes, and not by weight alone.
WHO = frozenset({"supporters", "opponents", "not_voted"})
#: Voters up to which every coalition is asked about one by one; sums of weights up to which they are counted.
MOST_ASKED, MOST_SUMS = 8, 5_000


@dataclass(frozen=True)
class Voter:
    """Someone who may vote.

    Parameters
    ----------
    name : str
        Who.
    weight : int or Fraction
        Of the ballot.
    decides : int or None
        In how many of the ways in which the others can vote this ballot decides; None where it is not known.
    """

    name: str
    weight: Number
    decides: int | None = None


@dataclass(frozen=True)
class Needed:
    """What adopts a change.

    Parameters
    ----------
    electorate, quota : Finding
        What the law says of either.
    voters : tuple of Voter
        Those who may vote.
    passes : bool or None
        Whether it is adopted when all vote for it; None where the law does not say.
    why : str
        Why not, or what is open.
    unknown : str
        Why it is not known whose ballot decides; empty where it is.
    duty : Finding or None
        What the law says of a duty to vote; None where it was not asked.
    """

    electorate: Finding
    quota: Finding
    voters: tuple[Voter, ...] = ()
    passes: bool | None = None
    why: str = ""
    unknown: str = ""
    duty: Finding | None = None

    @property
    def total(self) -> Number:
        """What all ballots weigh together."""
        return sum((voter.weight for voter in self.voters), start=0)

    @property
    def ways(self) -> int:
        """In how many ways the others can vote, seen from one voter."""
        return 1 << max(0, len(self.voters) - 1)

    @property
    def rule(self) -> RuleNumber | None:
        """The rule that says how much is needed."""
        return self.quota.rule

    @property
    def in_short(self) -> str:
        """How much of how much is needed, and by which rule.

        Examples
        --------
        >>> import nomic_nb as nb
        >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7)
        >>> from nomic_nb.explore.review import review
        >>> review(game.table, "Ann", nb.transmute(112)).votes.in_short
        '3 of 3 in favour (rule 109)'
        """
        if not self.quota.answered:
            return f"what is needed is not known: {self.quota.reason or 'no rule says'}"
        return f"{self.quota.value} of {self.total} in favour{cited(self.rule)}"


def vote_for(state: State, number: RuleNumber) -> tuple[Finding, Finding, Vote | None, str]:
    """Ask the law what a vote on a proposal would be held by.

    Returns
    -------
    tuple of (Finding, Finding, Vote or None, str)
        On the electorate and on the quota; the vote with every ballot in favour; what stands in its way.
    """
    proposal = state.proposals[number]
    case, law = proposal.case, proposal.vote.law if proposal.vote else state.law
    electorate, quota = ask(state, "vote.electorate", case, law), ask(state, "vote.quota", case, law)
    try:
        names = names_of(law.settled(electorate))
        weights: dict[str, Number] = {}
        for name in names:
            weight = law.settled(ask(state, "vote.weight", {**case, "voter": Ref("player", name)}, law))
            weights[name] = cast(Number, weight)
        needed = cast(Number, law.settled(quota))
        for key in ("vote.duty", "vote.ballots"):  # a vote opens only where these are known, too
            law.settled(ask(state, key, case, law))
    except Undecided as doubt:
        return electorate, quota, None, doubt.reason
    vote = Vote(
        names, weights, needed, quota.rule, electorate.rule, duty=False, sealed=False, law=law,
        ballots=dict.fromkeys(names, "for"),
    )  # fmt: skip
    return electorate, quota, vote, ""


def needed_for(state: State, proposal: Proposal, *, power: bool = True) -> tuple[Needed, Vote | None]:
    """Say what adopts a proposal, and who decides; and the vote in which all are for it.

    Parameters
    ----------
    state : State
        A calm one, in which the proposal is made.
    proposal : Proposal
        The proposal.
    power : bool
        Whether to count in how many ways each ballot decides.
    """
    electorate, quota, vote, doubt = vote_for(state, proposal.number)
    if vote is None:
        return Needed(electorate, quota, passes=None, why=doubt), None
    voters = tuple(Voter(name, vote.weights[name]) for name in vote.electorate)
    duty = ask(state, "vote.duty", proposal.case, vote.law)
    needed = Needed(electorate, quota, voters, duty=duty)
    try:
        adopted = _adopts(state, proposal.number, vote, vote.electorate)
    except Undecided as hitch:
        return replace(needed, passes=None, why=hitch.reason, unknown=hitch.reason), vote
    if not adopted:
        said = f"all ballots together weigh {needed.total}, and {quota.value} is needed{cited(quota.rule)}"
        finding = ask(state, "vote.adopted", proposal.case, vote.law)
        enough = isinstance(vote.quota, bool) or needed.total >= vote.quota
        why = f"even with every ballot for it, it is not adopted{cited(finding.rule)}" if enough else said
        return replace(needed, passes=False, why=why, voters=tuple(replace(one, decides=0) for one in voters)), vote
    kept_away = _kept_away(state, proposal, vote)
    unknown = ""
    try:
        if power:
            voters, unknown = _power(state, proposal.number, vote)
    except Undecided as hitch:
        unknown = hitch.reason
    return replace(needed, voters=voters, unknown=unknown, passes=not kept_away, why=kept_away), vote


def _kept_away(state: State, proposal: Proposal, vote: Vote) -> str:
    """Say whose ballot can never come in a vote that waits for it."""
    case = proposal.case
    duty = ask(state, "vote.duty", case, vote.law)
    if duty.value is not True:
        return ""
    persons = [name for name in vote.electorate if state.players[name].person]
    dummies = [name for name in vote.electorate if name not in persons]
    if dummies and not casts(vote.law):
        return f"the vote waits for {listed(dummies)}, and no rule casts that ballot{cited(duty.rule)}"
    barred = {name: said.rule for name in persons if forbidden(said := may(state, "vote", name, **case))}
    rule = next(iter(barred.values()), None)
    return f"the vote waits for {listed(list(barred))}, who may not vote{cited(rule)}" if barred else ""


def casts(law: Law) -> bool:
    """Tell whether some rule casts ballots."""
    return any(effect.form.name == "cast" for clause in law.acting for effect in clause.every_effect())


def _adopts(state: State, number: RuleNumber, vote: Vote, supporters: tuple[str, ...]) -> bool:
    """Ask the law whether a proposal is adopted when these are for it, and the others against."""
    ballots = {name: "for" if name in supporters else "against" for name in vote.electorate}
    proposal = replace(state.proposals[number], status="open", vote=replace(vote, ballots=ballots))
    return vote.law.settled(ask(with_proposal(state, proposal), "vote.adopted", proposal.case, vote.law)) is True


def _power(state: State, number: RuleNumber, vote: Vote) -> tuple[tuple[Voter, ...], str]:
    """Count, for each voter, the ways of the others to vote in which this ballot decides (Banzhaf)."""
    bare = tuple(Voter(name, vote.weights[name]) for name in vote.electorate)
    if reads(vote.law, "vote.adopted") & WHO:
        if len(bare) > MOST_ASKED:
            return bare, "the outcome depends on who votes which way, and there are too many voters to go through"
        return _one_by_one(state, number, vote, bare), ""
    ways, example = coalitions(vote.weights)
    if len(ways) > MOST_SUMS:
        return bare, "the weights add up in too many ways"
    adopts = {weight: _adopts(state, number, vote, example[weight]) for weight in ways}
    decides: dict[Number, int] = {}
    for voter in bare:
        if voter.weight not in decides:
            others = without(ways, voter.weight)
            decides[voter.weight] = sum(
                count for weight, count in others.items() if adopts[weight] != adopts[exact(weight + voter.weight)]
            )
    return tuple(replace(voter, decides=decides[voter.weight]) for voter in bare), ""


def coalitions(weights: Mapping[str, Number]) -> tuple[dict[Number, int], dict[Number, tuple[str, ...]]]:
    """Count the coalitions of each weight, and give one example of each.

    Stops counting when there are more than `MOST_SUMS` weights.

    Examples
    --------
    >>> coalitions({"Ann": 1, "Ben": 1, "Cleo": 2})[0]
    {0: 1, 1: 2, 2: 2, 3: 2, 4: 1}
    """
    ways: dict[Number, int] = {0: 1}
    example: dict[Number, tuple[str, ...]] = {0: ()}
    for name, weight in weights.items():
        more = dict(ways)
        for sum_, count in ways.items():
            new = exact(sum_ + weight)
            more[new] = more.get(new, 0) + count
            if new not in example:
                example[new] = (*example[sum_], name)
        ways = more
        if len(ways) > MOST_SUMS:
            break
    return dict(sorted(ways.items())), example


def without(ways: Mapping[Number, int], weight: Number) -> dict[Number, int]:
    """Count the coalitions of the others, given those of all and the weight of one voter.

    Examples
    --------
    >>> without({0: 1, 1: 2, 2: 2, 3: 2, 4: 1}, 2)
    {0: 1, 1: 2, 2: 1}
    """
    if weight == 0:
        return {sum_: count // 2 for sum_, count in ways.items()}
    found: dict[Number, int] = {}
    for sum_ in sorted(ways, reverse=weight < 0):
        rest = ways[sum_] - found.get(exact(sum_ - weight), 0)
        if rest:
            found[sum_] = rest
    return found


def _one_by_one(state: State, number: RuleNumber, vote: Vote, voters: tuple[Voter, ...]) -> tuple[Voter, ...]:
    names = vote.electorate
    adopts = [
        _adopts(state, number, vote, tuple(name for at, name in enumerate(names) if way >> at & 1))
        for way in range(2 ** len(names))
    ]
    found = []
    for at, voter in enumerate(voters):
        others = (way for way in range(len(adopts)) if not way >> at & 1)
        found.append(replace(voter, decides=sum(adopts[way] != adopts[way | 1 << at] for way in others)))
    return tuple(found)
