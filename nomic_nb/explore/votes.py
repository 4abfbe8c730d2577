"""The vote that a change needs: who votes, with what weight, what adopts it, and whose ballot decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
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
from nomic_nb.play.values import CHOICES, Proposal, Vote
from nomic_nb.play.voting import adopts, reached, terms

#: Facts that tell voters apart: a rule that reads them may adopt by who votes, and not by weight alone.
WHO = frozenset({"supporters", "opponents", "abstainers", "not_voted"})
#: Voters up to which every coalition is asked about one by one; sums of weights up to which they are counted.
MOST_ASKED, MOST_SUMS = 8, 5_000
TOO_MANY = "the weights add up in too many ways"


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
    choices : int
        How many ballots there are to choose from.
    quorum : int or Fraction
        What has to be cast, whatever the ballots say.
    quorum_rule : int or str or None
        The rule that says so.
    late : bool
        Whether what is needed is found when the vote closes; `quota` is what it comes to when all vote for it.
    """

    electorate: Finding
    quota: Finding
    voters: tuple[Voter, ...] = ()
    passes: bool | None = None
    why: str = ""
    unknown: str = ""
    duty: Finding | None = None
    choices: int = 2
    quorum: Number = 0
    quorum_rule: RuleNumber | None = None
    late: bool = False

    @property
    def total(self) -> Number:
        """What all ballots weigh together."""
        return sum((voter.weight for voter in self.voters), start=0)

    @property
    def ways(self) -> int:
        """In how many ways the others can vote, seen from one voter."""
        return int(self.choices ** max(0, len(self.voters) - 1))

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
        found = "; found when the vote closes, and so much when all vote for it" if self.late else ""
        quorum = f", and {self.quorum} cast{cited(self.quorum_rule)}" if self.quorum else ""
        return f"{self.quota.value} of {self.total} in favour{cited(self.rule)}{quorum}{found}"


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
        vote = terms(law, state, proposal, weights)
        for key in ("vote.duty", "vote.ballots"):  # a vote opens only where these are known, too
            law.settled(ask(state, key, case, law))
    except Undecided as doubt:
        return electorate, quota, None, doubt.reason
    vote = replace(vote, electorate_rule=electorate.rule, ballots=dict.fromkeys(names, "for"))
    if vote.quota is None:
        quota = ask(with_proposal(state, replace(proposal, vote=vote)), "vote.quota", case, law)
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
    needed = Needed(
        electorate, quota, voters, duty=duty, choices=len(vote.choices), quorum=vote.quorum,
        quorum_rule=vote.quorum_rule, late=vote.quota is None,
    )  # fmt: skip
    try:
        adopted = _adopts(state, proposal.number, vote, vote.ballots)
    except Undecided as hitch:
        return replace(needed, passes=None, why=hitch.reason, unknown=hitch.reason), vote
    if not adopted:
        said = f"all ballots together weigh {needed.total}, and {quota.value} is needed{cited(quota.rule)}"
        finding = ask(state, "vote.adopted", proposal.case, vote.law)
        enough = not isinstance(quota.value, int | Fraction) or needed.total >= quota.value
        why = f"even with every ballot for it, it is not adopted{cited(finding.rule)}" if enough else said
        if not reached(vote):
            why = f"{vote.quorum} have to be cast{cited(vote.quorum_rule)}, and all ballots weigh {needed.total}"
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


def _adopts(state: State, number: RuleNumber, vote: Vote, ballots: Mapping[str, str]) -> bool:
    """Ask the law whether a proposal is adopted by these ballots."""
    proposal = replace(state.proposals[number], status="open", vote=replace(vote, ballots=ballots))
    return adopts(vote.law, with_proposal(state, proposal), proposal)


def _power(state: State, number: RuleNumber, vote: Vote) -> tuple[tuple[Voter, ...], str]:
    """Count, for each voter, the ways of the others to vote in which this ballot decides (Banzhaf)."""
    bare = tuple(Voter(name, vote.weights[name]) for name in vote.electorate)
    if reads(vote.law, "vote.adopted") & WHO:
        if len(vote.choices) ** len(bare) > 2**MOST_ASKED:
            return bare, "the outcome depends on who votes which way, and there are too many voters to go through"
        return _one_by_one(state, number, vote, bare), ""
    if len(vote.choices) > len(CHOICES):
        return _three_ways(state, number, vote, bare)
    ways, example = coalitions(vote.weights)
    if len(ways) > MOST_SUMS:
        return bare, TOO_MANY
    sides = {weight: _sides(vote, example[weight], ()) for weight in ways}
    adopted = {weight: _adopts(state, number, vote, sides[weight]) for weight in ways}
    decides: dict[Number, int] = {}
    for voter in bare:
        if voter.weight not in decides:
            others = without(ways, voter.weight)
            decides[voter.weight] = sum(
                count for weight, count in others.items() if adopted[weight] != adopted[exact(weight + voter.weight)]
            )
    return tuple(replace(voter, decides=decides[voter.weight]) for voter in bare), ""


def _sides(vote: Vote, supporters: tuple[str, ...], abstainers: tuple[str, ...]) -> dict[str, str]:
    """Return the ballots where these are for it, these abstain, and the others are against."""
    return {
        name: "for" if name in supporters else "abstain" if name in abstainers else "against"
        for name in vote.electorate
    }


def _three_ways(
    state: State, number: RuleNumber, vote: Vote, voters: tuple[Voter, ...]
) -> tuple[tuple[Voter, ...], str]:
    """Count the same where voters can abstain: a ballot decides where it matters which of the three it is."""
    ways, example = splits(vote.weights)
    if len(ways) > MOST_SUMS:
        return voters, TOO_MANY
    adopted = {sums: _adopts(state, number, vote, _sides(vote, *example[sums])) for sums in ways}
    decides: dict[Number, int] = {}
    for voter in voters:
        own = voter.weight
        if own not in decides:
            others, _ = splits({name: weight for name, weight in vote.weights.items() if name != voter.name})
            decides[own] = sum(
                count
                for (for_it, idle), count in others.items()
                if len({adopted[exact(for_it + own), idle], adopted[for_it, exact(idle + own)], adopted[for_it, idle]})
                > 1
            )
    return tuple(replace(voter, decides=decides[voter.weight]) for voter in voters), ""


#: What a number of voters is for it, and abstains, in weight.
Split = tuple[Number, Number]


def splits(
    weights: Mapping[str, Number],
) -> tuple[dict[Split, int], dict[Split, tuple[tuple[str, ...], tuple[str, ...]]]]:
    """Count the ways to vote for, against or not at all, by the weights for it and abstaining; one example of each.

    Stops counting when there are more than `MOST_SUMS` of them.

    Examples
    --------
    >>> splits({"Ann": 1, "Ben": 1})[0]
    {(0, 0): 1, (1, 0): 2, (0, 1): 2, (2, 0): 1, (1, 1): 2, (0, 2): 1}
    """
    ways: dict[Split, int] = {(0, 0): 1}
    example: dict[Split, tuple[tuple[str, ...], tuple[str, ...]]] = {(0, 0): ((), ())}
    for name, weight in weights.items():
        more = dict(ways)
        for sums, count in ways.items():
            supporters, idle = example[sums]
            for new, sides in (
                ((exact(sums[0] + weight), sums[1]), ((*supporters, name), idle)),
                ((sums[0], exact(sums[1] + weight)), (supporters, (*idle, name))),
            ):
                more[new] = more.get(new, 0) + count
                example.setdefault(new, sides)
        ways = more
        if len(ways) > MOST_SUMS:
            break
    return ways, example


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
    names, choices = vote.electorate, vote.choices
    adopted = {
        way: _adopts(state, number, vote, dict(zip(names, way, strict=True)))
        for way in product(choices, repeat=len(names))
    }
    found = []
    for at, voter in enumerate(voters):
        others = product(choices, repeat=len(names) - 1)
        decides = sum(len({adopted[*one[:at], own, *one[at:]] for own in choices}) > 1 for one in others)
        found.append(replace(voter, decides=decides))
    return tuple(found)
