"""The vote that a change needs: who votes, with what weight, what adopts it, and whose ballot decides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import cast

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.values import Number, ThingRef, simplify_number
from nomic_nb.engine.play.permissions import find_permission, is_forbidden
from nomic_nb.engine.play.proposals import with_proposal
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import VOTE_CHOICES, Proposal, Vote, player_names
from nomic_nb.engine.play.vote_rules import VOTER_LISTS, adoption_condition, is_adopted, is_quorum_reached, vote_terms
from nomic_nb.engine.words import group_pairs, join_words, rule_citation, verb_phrase
from nomic_nb.study.review.cases import names_read
from nomic_nb.study.review.queries import effects

#: Voters up to which every coalition is asked about one by one; sums of weights up to which they are counted.
MOST_ASKED, MOST_SUMS = 8, 5_000


@frozen
class PossibleVoter:
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


@frozen
class NeededVotes:
    """What adopts a change.

    Parameters
    ----------
    electorate, quota : Finding
        What the law says of either.
    vote : Vote or None
        The vote, with every ballot in favour, or if that does not adopt it, with ballots that do; None where the law
        does not say how it would be held.
    voters : tuple of Voter
        Those who may vote.
    passes : bool or None
        Whether it is adopted when all vote for it, or in another way; None where that is open.
    why : str
        Why not, or what is open.
    unknown : str
        Why it is not known whose ballot decides; empty where it is.
    duty : Finding or None
        What the law says of a duty to vote; None where it was not asked.
    adopted_by : str
        What adopts instead of a quota, with its rule; empty where it is the quota.
    """

    electorate: Finding
    quota: Finding
    vote: Vote | None = None
    voters: tuple[PossibleVoter, ...] = ()
    passes: bool | None = None
    why: str = ""
    unknown: str = ""
    duty: Finding | None = None
    adopted_by: str = ""

    @property
    def total(self) -> Number:
        """What all ballots weigh together."""
        return sum((voter.weight for voter in self.voters), start=0)

    @property
    def ways(self) -> int:
        """In how many ways the others can vote, seen from one voter."""
        return int(len(self.vote.choices) ** max(0, len(self.voters) - 1)) if self.vote is not None else 1

    @property
    def otherwise(self) -> str:
        """By which ballots it is adopted, if not when all vote for it; empty if it is adopted then."""
        sides = (
            group_pairs((ballot, name) for name, ballot in self.vote.ballots.items()) if self.vote is not None else {}
        )
        if not self.passes or not sides.keys() - {"for"}:
            return ""
        words = {"for": ("votes for it", "vote for it"), "against": ("votes against it", "vote against it")}
        return join_words(
            [verb_phrase(names, *words.get(one, ("abstains", "abstain"))) for one, names in sides.items()]
        )

    @property
    def in_short(self) -> str:
        """How much of how much is needed, and by which rule.

        Examples
        --------
        >>> import nomic_nb as nb
        >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7)
        >>> from nomic_nb.study.review.review import review
        >>> review(game.timeline, "Ann", nb.transmute(112)).votes.in_short
        '3 of 3 in favour (rule 109)'
        """
        if not self.quota.answered:
            return f"what is needed is not known: {self.quota.reason or 'no rule says'}"
        vote, said = self.vote, f"{self.quota.value} of {self.total} in favour{rule_citation(self.quota.rule)}"
        said = self.adopted_by or said
        if vote is not None and vote.quorum:
            said += f", and {vote.quorum} cast{rule_citation(vote.quorum_rule)}"
        late = vote is not None and vote.quota is None and not self.adopted_by
        return said + ("; found when the vote closes, and so much when all vote for it" if late else "")


def _ask_law(state: State, proposal: Proposal) -> NeededVotes:
    """Ask the law what a vote on a proposal would be held by; without a vote, it says what stands in its way."""
    case, law = proposal.case, proposal.vote.law if proposal.vote else state.law
    electorate, quota = law.find("vote.electorate", state, case), law.find("vote.quota", state, case)
    try:
        names = player_names(law.settled(electorate))
        weights: dict[str, Number] = {}
        for name in names:
            weight = law.settled(law.find("vote.weight", state, {**case, "voter": ThingRef("player", name)}))
            weights[name] = cast(Number, weight)
        vote = vote_terms(law, state, proposal, weights)
        duty, _ = asked = [law.find(key, state, case) for key in ("vote.duty", "vote.ballots")]
        for one in asked:  # a vote opens only where these are known, too
            law.settled(one)
    except Undecided as doubt:
        return NeededVotes(electorate, quota, why=doubt.reason)
    vote = replace(vote, electorate_rule=electorate.rule, ballots=dict.fromkeys(names, "for"))
    if vote.quota is None:
        quota = law.find("vote.quota", with_proposal(state, replace(proposal, vote=vote)), case)
    instead, rule = adoption_condition(law, state, proposal)
    voters = tuple(PossibleVoter(name, weights[name]) for name in names)
    return NeededVotes(
        electorate, quota, vote, voters, duty=duty, adopted_by=f"{instead}{rule_citation(rule)}" if instead else ""
    )


def votes_needed_for(state: State, proposal: Proposal, *, power: bool = True) -> NeededVotes:
    """Say what adopts a proposal, and who decides.

    Parameters
    ----------
    state : State
        A calm one, in which the proposal is made.
    proposal : Proposal
        The proposal.
    power : bool
        Whether to count in how many ways each ballot decides.
    """
    proposal = state.proposals[proposal.number]
    needed = _ask_law(state, proposal)
    vote = needed.vote
    if vote is None:
        return needed
    try:
        adopted = _is_adopted_by(state, proposal, vote, vote.ballots)
    except Undecided as hitch:
        return replace(needed, why=hitch.reason, unknown=hitch.reason)
    if not adopted:
        ways, untold = _all_ballots(vote)
        other, doubt = _adopting_ballots(state, proposal, vote, ways)
        if other is None and (untold or doubt):
            return replace(needed, why=f"it fails if all vote for it; of other ballots, {untold or doubt}")
        if other is None:
            never = tuple(replace(one, decides=0) for one in needed.voters)
            return replace(needed, passes=False, why=_why_not_adopted(state, proposal, vote, needed), voters=never)
        needed = replace(needed, vote=other)
    kept_away = _why_ballot_never_comes(state, proposal, vote, needed.duty)
    needed = replace(needed, passes=not kept_away, why=kept_away)
    try:
        decides, unknown = _count_decisive(state, proposal, vote) if power else ({}, "")
    except Undecided as hitch:
        return replace(needed, unknown=hitch.reason)
    return replace(
        needed, voters=tuple(replace(one, decides=decides.get(one.name)) for one in needed.voters), unknown=unknown
    )


def _why_not_adopted(state: State, proposal: Proposal, vote: Vote, needed: NeededVotes) -> str:
    """Say why a proposal is not adopted although every ballot is for it."""
    total, quota = needed.total, needed.quota
    if not is_quorum_reached(vote):
        return f"{vote.quorum} have to be cast{rule_citation(vote.quorum_rule)}, and all ballots weigh {total}"
    if isinstance(quota.value, int | Fraction) and total < quota.value:
        return f"all ballots together weigh {total}, and {quota.value} is needed{rule_citation(quota.rule)}"
    rule = vote.law.find("vote.adopted", state, proposal.case).rule
    return f"even with every ballot for it, it is not adopted{rule_citation(rule)}"


def _why_ballot_never_comes(state: State, proposal: Proposal, vote: Vote, duty: Finding | None) -> str:
    """Say whose ballot can never come in a vote that waits for it."""
    if duty is None or duty.value is not True:
        return ""
    persons = [name for name in vote.electorate if state.players[name].person]
    dummies = [name for name in vote.electorate if name not in persons]
    if dummies and not do_rules_cast(vote.law):
        return f"the vote waits for {join_words(dummies)}, and no rule casts that ballot{rule_citation(duty.rule)}"
    found = {name: find_permission(state, "vote", name, **proposal.case) for name in persons}
    barred = [name for name, one in found.items() if is_forbidden(one)]
    return (
        f"the vote waits for {join_words(barred)}, who may not vote{rule_citation(found[barred[0]].rule)}"
        if barred
        else ""
    )


def do_rules_cast(law: Law) -> bool:
    """Tell whether some rule casts ballots."""
    return bool(effects(law.acting_clauses, "cast"))


def _is_adopted_by(state: State, proposal: Proposal, vote: Vote, ballots: Mapping[str, str]) -> bool:
    """Ask the law whether a proposal is adopted by these ballots."""
    proposal = replace(proposal, status="open", vote=replace(vote, ballots=ballots))
    return is_adopted(vote.law, with_proposal(state, proposal), proposal)


def _all_ballots(vote: Vote) -> tuple[Iterable[Mapping[str, str]], str]:
    """Return ballots for each way to vote that the law may tell apart; none where there are too many, and why."""
    names, choices = vote.electorate, vote.choices
    if _distinguishes_ballots(vote.law):
        if len(choices) ** len(names) > 2**MOST_ASKED:
            return (), "the outcome depends on who votes which way, and there are too many voters to go through"
        return (dict(zip(names, way, strict=True)) for way in product(choices, repeat=len(names))), ""
    ways, example = _possible_tallies(vote)
    against = dict.fromkeys(names, "against")
    if len(ways) > MOST_SUMS:
        return (), "the weights add up in too many ways"
    return ({**against, **ballots} for ballots in example.values()), ""


def _distinguishes_ballots(law: Law) -> bool:
    return not VOTER_LISTS.isdisjoint(names_read(law, "vote.adopted"))


def _possible_tallies(vote: Vote) -> tuple[dict[SideWeights, int], dict[SideWeights, dict[str, str]]]:
    return count_tallies(vote.weights, ("for", "abstain")[: len(vote.choices) - len(VOTE_CHOICES) + 1])


def _adopting_ballots(
    state: State, proposal: Proposal, vote: Vote, ways: Iterable[Mapping[str, str]]
) -> tuple[Vote | None, str]:
    """Return the vote with ballots that adopt a proposal, if there are any, and why that is open in some case."""
    doubt = ""
    for ballots in ways:
        try:
            if _is_adopted_by(state, proposal, vote, ballots):
                return replace(vote, ballots=ballots), ""
        except Undecided as hitch:
            doubt = hitch.reason
    return None, doubt


def _count_decisive(state: State, proposal: Proposal, vote: Vote) -> tuple[dict[str, int], str]:
    """Count, for each voter, the ways of the others to vote in which this ballot decides (Banzhaf); or say why not.

    Where voters can abstain, a ballot decides where it matters which of the three it is.
    """
    names = vote.electorate
    each, untold = _all_ballots(vote)
    if untold:
        return {}, untold
    if _distinguishes_ballots(vote.law):
        return _count_one_by_one(state, proposal, vote), ""
    ways, example = _possible_tallies(vote)
    adopted = {
        sums: _is_adopted_by(state, proposal, vote, ballots) for sums, ballots in zip(example, each, strict=True)
    }
    decides = {
        own: sum(
            count
            for sums, count in tallies_without(ways, own).items()
            if len({adopted[sums], *(adopted[_add_weight(sums, at, own)] for at in range(len(sums)))}) > 1
        )
        for own in dict.fromkeys(vote.weights.values())
    }
    return {name: decides[vote.weights[name]] for name in names}, ""


def _count_one_by_one(state: State, proposal: Proposal, vote: Vote) -> dict[str, int]:
    names, choices = vote.electorate, vote.choices
    adopted = {tuple(way.values()): _is_adopted_by(state, proposal, vote, way) for way in _all_ballots(vote)[0]}
    return {
        name: sum(
            len({adopted[*one[:at], own, *one[at:]] for own in choices}) > 1
            for one in product(choices, repeat=len(names) - 1)
        )
        for at, name in enumerate(names)
    }


#: What the ballots for it weigh; and those that abstain, where voters can.
SideWeights = tuple[Number, ...]


def _add_weight(sums: SideWeights, at: int, weight: Number) -> SideWeights:
    return (*sums[:at], simplify_number(sums[at] + weight), *sums[at + 1 :])


def count_tallies(
    weights: Mapping[str, Number], sides: tuple[str, ...]
) -> tuple[dict[SideWeights, int], dict[SideWeights, dict[str, str]]]:
    """Count the ways to vote by what each side weighs, and give one example of each; all others are against.

    Stops counting when there are more than `MOST_SUMS` of them.

    Examples
    --------
    >>> count_tallies({"Ann": 1, "Ben": 1, "Cleo": 2}, ("for",))[0]
    {(0,): 1, (1,): 2, (2,): 2, (3,): 2, (4,): 1}
    >>> count_tallies({"Ann": 1, "Ben": 1}, ("for", "abstain"))[0]
    {(0, 0): 1, (1, 0): 2, (0, 1): 2, (2, 0): 1, (1, 1): 2, (0, 2): 1}
    """
    ways: dict[SideWeights, int] = {(0,) * len(sides): 1}
    example: dict[SideWeights, dict[str, str]] = {sums: {} for sums in ways}
    for name, weight in weights.items():
        more = dict(ways)
        for sums, count in ways.items():
            for at, side in enumerate(sides):
                new = _add_weight(sums, at, weight)
                more[new] = more.get(new, 0) + count
                if new not in example:
                    example[new] = {**example[sums], name: side}
        ways = more
        if len(ways) > MOST_SUMS:
            break
    return ways, example


def tallies_without(ways: Mapping[SideWeights, int], weight: Number) -> dict[SideWeights, int]:
    """Count the ways of the others to vote, given those of all and the weight of one voter.

    Examples
    --------
    >>> tallies_without({(0,): 1, (1,): 2, (2,): 2, (3,): 2, (4,): 1}, 2)
    {(0,): 1, (1,): 2, (2,): 1}
    """
    if weight == 0:
        return {sums: count // (len(sums) + 1) for sums, count in ways.items()}
    found: dict[SideWeights, int] = {}
    for sums in sorted(ways, reverse=weight < 0):
        rest = ways[sums] - sum(found.get(_add_weight(sums, at, -weight), 0) for at in range(len(sums)))
        if rest:
            found[sums] = rest
    return found
