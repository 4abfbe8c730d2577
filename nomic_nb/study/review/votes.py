"""The vote that a change needs: who votes, with what weight, what adopts it, and whose ballot decides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod
from typing import cast

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.values import Number, ThingRef, simplify_number
from nomic_nb.engine.play.decisions import open_ballots
from nomic_nb.engine.play.permissions import find_permission
from nomic_nb.engine.play.proposals import with_proposal
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import VOTE_CHOICES, Proposal, Vote, player_names
from nomic_nb.engine.play.vote_rules import (
    BALLOT_FIELDS,
    VOTER_LISTS,
    adoption_condition,
    find_quota,
    is_adopted,
    is_quorum_reached,
    vote_without_ballots,
)
from nomic_nb.engine.words import group_pairs, join_words, least_votes, rule_citation, verb_phrase
from nomic_nb.study.review.cases import all_effects, names_read_for_term

#: Voters up to which every coalition is asked about one by one; sums of weights up to which they are counted.
MOST_ASKED, MOST_SUMS = 8, 5_000
#: Facts that only the weights of the ballots bring about.
BALLOT_SUMS = BALLOT_FIELDS - VOTER_LISTS


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
        Number of ways in which the others can vote that make this ballot decisive; None if unknown.
    """

    name: str
    weight: Number
    decides: int | None = None


@frozen
class NeededVotes:
    """The votes that a change needs to pass.

    Parameters
    ----------
    electorate, quota : Finding
        Findings of the law about each.
    vote : Vote or None
        The vote, with every ballot in favour, or if that does not adopt it, with ballots that do; None if the law
        does not say how it would be held.
    voters : tuple of Voter
        Players who may vote.
    passes : bool or None
        Whether it passes if all vote for it, or in another way; None if that is open.
    why : str
        Reason why not, or the open question.
    unknown : str
        Reason why the decisive ballots are unknown; empty if they are known.
    duty : Finding or None
        Finding of the law about a duty to vote; None if it was not asked.
    adopted_by : str
        Criterion for passing instead of the quota, with its rule; empty if it is the quota.
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
    def total_weight(self) -> Number:
        """The weight of all ballots together."""
        return sum((voter.weight for voter in self.voters), start=0)

    @property
    def ways_others_can_vote(self) -> int:
        """Number of ways in which all but one of the voters can vote."""
        return int(len(self.vote.choices) ** max(0, len(self.voters) - 1)) if self.vote is not None else 1

    @property
    def other_adopting_ballots(self) -> str:
        """Ballots that adopt the proposal, in words, if it fails with every ballot in favour; otherwise empty."""
        sides = (
            group_pairs((ballot, name) for name, ballot in self.vote.ballots.items()) if self.vote is not None else {}
        )
        if not self.passes or not sides.keys() - {"for"}:
            return ""
        words = {
            ballot: (f"votes {ballot} it", f"vote {ballot} it") if ballot in VOTE_CHOICES
            else (f"votes “{ballot}”", f"vote “{ballot}”")
            for ballot in sides
        } | {"abstain": ("abstains", "abstain")}  # fmt: skip
        return join_words([verb_phrase(names, *words[ballot]) for ballot, names in sides.items()])

    @property
    def needs_no_votes(self) -> bool:
        """Whether the change passes although nobody can vote on it."""
        return self.passes is True and not self.voters and self.quota.value == 0 and not self.adopted_by

    @property
    def must_be_unanimous(self) -> bool:
        """Whether the change passes only if everyone who can vote is for it."""
        known = self.passes is True and self.vote is not None and self.vote.quota is not None and not self.adopted_by
        weights = [voter.weight for voter in self.voters]
        return known and min(weights, default=0) > 0 and self.round_up(self.quota.value) == self.total_weight

    def round_up(self, votes: object) -> Number:
        """Return the least weight of ballots that reaches a number of votes."""
        return least_votes(cast(Number, votes), (voter.weight for voter in self.voters))

    @property
    def in_short(self) -> str:
        """What adopts the change, in a phrase: “3 of 4 in favour (rule 203)”.

        Examples
        --------
        >>> import nomic_nb as nb
        >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7)
        >>> from nomic_nb.study.review.review import review_change
        >>> review_change(game.timeline, "Ann", nb.transmute(112)).votes.in_short
        '3 of 3 in favour (rule 109)'
        """
        if not self.quota.answered:
            return f"an unknown number of votes: {self.quota.reason or 'no rule says'}"
        if self.needs_no_votes:
            return f"no votes needed{rule_citation(self.quota.rule)}"
        vote, quota = self.vote, self.round_up(self.quota.value)
        sentence = self.adopted_by or f"{quota} of {self.total_weight} in favour{rule_citation(self.quota.rule)}"
        if vote is not None and vote.quorum:
            sentence += f", with at least {self.round_up(vote.quorum)} cast{rule_citation(vote.quorum_rule)}"
        late = vote is not None and vote.quota is None and not self.adopted_by
        return sentence + (" if everyone votes for it (worked out when the vote closes)" if late else "")


def _find_vote_terms(state: State, proposal: Proposal) -> NeededVotes:
    """Return `NeededVotes` with the voters, weights and quota for a proposal; or with why the law leaves those open."""
    case, law = proposal.law_case, proposal.vote.law if proposal.vote else state.law
    electorate, quota = law.find("vote.electorate", state, case), find_quota(law, state, proposal)
    try:
        names = player_names(law.value_or_undecided(electorate))
        weights = {}
        for name in names:
            weight = law.value_or_undecided(law.find("vote.weight", state, {**case, "voter": ThingRef("player", name)}))
            weights[name] = cast(Number, weight)
        vote = vote_without_ballots(law, state, proposal, weights)
        duty, _ = asked = [law.find(key, state, case) for key in ("vote.duty", "vote.ballots")]
        for finding in asked:  # a vote opens only where these are known, too
            law.value_or_undecided(finding)
    except Undecided as doubt:
        return NeededVotes(electorate, quota, why=doubt.reason)
    vote = replace(vote, electorate_rule=electorate.rule)
    allowed = _ballots_by_voter(state, proposal, vote)
    vote = replace(vote, ballots={name: "for" for name in names if "for" in allowed[name]})
    if vote.quota is None:
        late = replace(proposal, vote=vote)
        quota = find_quota(law, with_proposal(state, late), late)
    instead, rule = adoption_condition(law, state, proposal)
    voters = tuple(PossibleVoter(name, weights[name]) for name in names)
    return NeededVotes(
        electorate, quota, vote, voters, duty=duty, adopted_by=f"{instead}{rule_citation(rule)}" if instead else ""
    )


def find_needed_votes(state: State, proposal: Proposal, *, power: bool = True) -> NeededVotes:
    """Return what adopts a proposal, or why nothing does; with `power`, also how often each ballot decides.

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
    needed = _find_vote_terms(state, proposal)
    vote = needed.vote
    if vote is None:
        return needed
    try:
        adopted = is_adopted_by(state, proposal, vote, vote.ballots)
    except Undecided as hitch:
        return replace(needed, why=hitch.reason, unknown=hitch.reason)
    if not adopted:
        ways, untold = _ballots_to_try(vote, _ballots_by_voter(state, proposal, vote))
        other, doubt = _find_adopting_ballots(state, proposal, vote, ways)
        if other is None and (untold or doubt):
            return replace(needed, why=f"it fails if everyone votes for it; for other ballots, {untold or doubt}")
        if other is None:
            never = tuple(replace(possible_voter, decides=0) for possible_voter in needed.voters)
            return replace(needed, passes=False, why=_why_not_adopted(state, proposal, vote, needed), voters=never)
        needed = replace(needed, vote=other)
    kept_away = _why_ballots_never_come(state, proposal, vote, needed.duty)
    needed = replace(needed, passes=not kept_away, why=kept_away)
    try:
        decides, unknown = _count_decisive_ballots(state, proposal, vote) if power else ({}, "")
    except Undecided as hitch:
        return replace(needed, unknown=hitch.reason)
    return replace(
        needed,
        voters=tuple(
            replace(possible_voter, decides=decides.get(possible_voter.name)) for possible_voter in needed.voters
        ),
        unknown=unknown,
    )


def _ballots_by_voter(state: State, proposal: Proposal, vote: Vote) -> dict[str, tuple[str, ...]]:
    """Return for each voter the ballots that no rule forbids; what rules cast for dummies is not asked about."""
    proposal = replace(proposal, vote=vote)
    return {
        name: open_ballots(state, proposal, name) if state.players[name].person else vote.choices
        for name in vote.electorate
    }


def _why_not_adopted(state: State, proposal: Proposal, vote: Vote, needed: NeededVotes) -> str:
    """Return why a proposal fails even if every ballot is for it."""
    if barred := [name for name in vote.electorate if name not in vote.ballots]:
        rule = find_permission(state, "vote", barred[0], ballot="for", **proposal.law_case).rule
        return f"it fails because {join_words(barred)} may not vote for it{rule_citation(rule)}"
    total, quota = needed.total_weight, needed.quota
    few = f"but all votes add up to {total}"
    if not is_quorum_reached(vote):
        return f"at least {needed.round_up(vote.quorum)} must be cast{rule_citation(vote.quorum_rule)}, {few}"
    if isinstance(quota.value, int | Fraction) and total < quota.value:
        return f"it needs {needed.round_up(quota.value)} in favour{rule_citation(quota.rule)}, {few}"
    rule = vote.law.find("vote.adopted", state, proposal.law_case).rule
    return f"it fails even if everyone votes for it{rule_citation(rule)}"


def _why_ballots_never_come(state: State, proposal: Proposal, vote: Vote, duty: Finding | None) -> str:
    """Return why a vote would wait for ever for ballots that people must cast (`duty`); empty if it would not."""
    if duty is None or duty.value is not True:
        return ""
    persons = [name for name in vote.electorate if state.players[name].person]
    dummies = [name for name in vote.electorate if name not in persons]
    if dummies and not do_rules_cast_ballots(vote.law):
        return (
            f"the vote would wait for {join_words(dummies)}, and no rule casts their ballot{rule_citation(duty.rule)}"
        )
    allowed = _ballots_by_voter(state, proposal, vote)
    barred = [name for name in persons if not allowed[name]]
    if not barred:
        return ""
    rule = find_permission(state, "vote", barred[0], ballot="for", **proposal.law_case).rule
    return f"the vote would wait for {join_words(barred)}, who may not vote{rule_citation(rule)}"


def do_rules_cast_ballots(law: Law) -> bool:
    """Tell whether any rule casts ballots."""
    return bool(all_effects(law.acting_clauses, "cast"))


def is_adopted_by(state: State, proposal: Proposal, vote: Vote, ballots: Mapping[str, str]) -> bool:
    """Return True if a proposal is adopted with these ballots (voter to ballot)."""
    proposal = replace(proposal, status="open", vote=replace(vote, ballots=ballots))
    return is_adopted(vote.law, with_proposal(state, proposal), proposal)


def _ballots_to_try(vote: Vote, allowed: Mapping[str, Sequence[str]]) -> tuple[Iterable[Mapping[str, str]], str]:
    """Return `allowed` ballots to try (each voter to ballot), and why there are too many to try (else empty)."""
    names = [name for name in vote.electorate if allowed[name]]
    if does_each_ballot_matter(vote) or any(allowed[name] != vote.choices for name in vote.electorate):
        if prod(len(allowed[name]) for name in names) > 2**MOST_ASKED:
            return (
                (),
                "the outcome depends on who votes which way, and there are too many voters to try every combination",
            )
        return (dict(zip(names, way, strict=True)) for way in product(*(allowed[name] for name in names))), ""
    ways, example = _possible_tallies(vote)
    against = dict.fromkeys(names, "against")
    if len(ways) > MOST_SUMS:
        return (), "the voters’ weights add up in too many ways to try them all"
    return ({**against, **ballots} for ballots in example.values()), ""


def does_each_ballot_matter(vote: Vote) -> bool:
    """Return True if the result can depend on more than the weights for, against and abstaining."""
    return bool(vote.sides) or not VOTER_LISTS.isdisjoint(names_read_for_term(vote.law, "vote.adopted"))


def depends_on_sums_alone(vote: Vote) -> bool:
    """Return True if only the weights for, against and abstaining, its quota and its quorum decide a vote."""
    law = vote.law
    sources, reads = law.dependence.reads_of("vote.adopted")
    words = [word for source in sources for expression in source.expressions for word in expression.words]
    return (
        vote.quota is not None
        and not (vote.sides or "vote.adopted" in law.keys_with_local_rules)
        and BALLOT_SUMS.issuperset(words)
        and all(one.reads <= {"proposals"} and {*one.keys} <= {"vote.quota"} for one in reads)
    )


def _possible_tallies(vote: Vote) -> tuple[dict[SideWeights, int], dict[SideWeights, dict[str, str]]]:
    """Return, for each tally (weights by side), the number of ways to reach it, and one example of ballots."""
    return count_ways_by_tally(vote.weights, ("for", "abstain")[: len(vote.choices) - len(VOTE_CHOICES) + 1])


def _find_adopting_ballots(
    state: State, proposal: Proposal, vote: Vote, ballots_to_try: Iterable[Mapping[str, str]]
) -> tuple[Vote | None, str]:
    """Return a vote with ballots that adopt a proposal (None if none do), and what the law leaves open (else empty)."""
    doubt = ""
    for ballots in ballots_to_try:
        try:
            if is_adopted_by(state, proposal, vote, ballots):
                return replace(vote, ballots=ballots), ""
        except Undecided as hitch:
            doubt = hitch.reason
    return None, doubt


def _count_decisive_ballots(state: State, proposal: Proposal, vote: Vote) -> tuple[dict[str, int], str]:
    """Return for each voter in how many ways of voting their ballot decides, and why that is unknown (else empty).

    Where voters can abstain, a ballot decides where it matters which of the three it is.
    """
    names, allowed = vote.electorate, _ballots_by_voter(state, proposal, vote)
    each, untold = _ballots_to_try(vote, allowed)
    if any(ballots != vote.choices for ballots in allowed.values()):
        untold = "the rules forbid some ballots"
    if untold:
        return {}, untold
    if does_each_ballot_matter(vote):
        return _count_decisive_by_voter(state, proposal, vote), ""
    ways, example = _possible_tallies(vote)
    adopted = {sums: is_adopted_by(state, proposal, vote, ballots) for sums, ballots in zip(example, each, strict=True)}
    decides = {
        own: sum(
            count
            for sums, count in ways_without_voter(ways, own).items()
            if len({adopted[sums], *(adopted[_add_weight_to_side(sums, at, own)] for at in range(len(sums)))}) > 1
        )
        for own in dict.fromkeys(vote.weights.values())
    }
    return {name: decides[vote.weights[name]] for name in names}, ""


def _count_decisive_by_voter(state: State, proposal: Proposal, vote: Vote) -> dict[str, int]:
    """Return for each voter in how many combinations of the others' ballots their ballot decides."""
    names, choices = vote.electorate, vote.choices
    ways = product(choices, repeat=len(names))
    adopted = {way: is_adopted_by(state, proposal, vote, dict(zip(names, way, strict=True))) for way in ways}
    return {
        name: sum(
            len({adopted[*others[:at], own, *others[at:]] for own in choices}) > 1
            for others in product(choices, repeat=len(names) - 1)
        )
        for at, name in enumerate(names)
    }


#: What the ballots for it weigh; and those that abstain, where voters can.
SideWeights = tuple[Number, ...]


def _add_weight_to_side(sums: SideWeights, side_index: int, weight: Number) -> SideWeights:
    """Return a tally (weights by side) with a weight added to the side at a given index."""
    return (*sums[:side_index], simplify_number(sums[side_index] + weight), *sums[side_index + 1 :])


def count_ways_by_tally(
    weights: Mapping[str, Number], sides: tuple[str, ...]
) -> tuple[dict[SideWeights, int], dict[SideWeights, dict[str, str]]]:
    """Return, for each tally of weights on some sides, the number of ways to vote so, and an example of ballots.

    Stops counting when there are more than `MOST_SUMS` of them.

    Examples
    --------
    >>> count_ways_by_tally({"Ann": 1, "Ben": 1, "Cleo": 2}, ("for",))[0]
    {(0,): 1, (1,): 2, (2,): 2, (3,): 2, (4,): 1}
    >>> count_ways_by_tally({"Ann": 1, "Ben": 1}, ("for", "abstain"))[0]
    {(0, 0): 1, (1, 0): 2, (0, 1): 2, (2, 0): 1, (1, 1): 2, (0, 2): 1}
    """
    ways: dict[SideWeights, int] = {(0,) * len(sides): 1}
    example: dict[SideWeights, dict[str, str]] = {sums: {} for sums in ways}
    for name, weight in weights.items():
        more = dict(ways)
        for sums, count in ways.items():
            for at, side in enumerate(sides):
                new = _add_weight_to_side(sums, at, weight)
                more[new] = more.get(new, 0) + count
                if new not in example:
                    example[new] = {**example[sums], name: side}
        ways = more
        if len(ways) > MOST_SUMS:
            break
    return ways, example


def ways_without_voter(ways: Mapping[SideWeights, int], weight: Number) -> dict[SideWeights, int]:
    """Return, for each tally, the number of ways to vote so without one voter of a given weight.

    Examples
    --------
    >>> ways_without_voter({(0,): 1, (1,): 2, (2,): 2, (3,): 2, (4,): 1}, 2)
    {(0,): 1, (1,): 2, (2,): 1}
    """
    if weight == 0:
        return {sums: count // (len(sums) + 1) for sums, count in ways.items()}
    counts: dict[SideWeights, int] = {}
    for sums in sorted(ways, reverse=weight < 0):
        rest = ways[sums] - sum(counts.get(_add_weight_to_side(sums, at, -weight), 0) for at in range(len(sums)))
        if rest:
            counts[sums] = rest
    return counts
