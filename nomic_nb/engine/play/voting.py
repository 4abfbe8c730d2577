"""What the law says of a vote: who may vote, what ballots weigh, what is needed, and what adopts."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import Any, cast

from nomic_nb.engine.law.findings import Finding, as_set
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Number as RuleNumber
from nomic_nb.engine.law.rules import Source
from nomic_nb.engine.law.running import bounded
from nomic_nb.engine.law.values import NUMBER, TEXT, TRUTH, Env, Number, Ref, Value, exact, within
from nomic_nb.engine.law.view import View
from nomic_nb.engine.law.vocabulary import Function, Key
from nomic_nb.engine.play.cases import PLAYERS, TEXTS, VOTE, VOTER, names_of, refs
from nomic_nb.engine.play.outcomes import FIXED, behind, own_ballots
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import BALLOTS, CHOICES, Proposal, Vote

#: What a change waits for whose time a rule tells, and a repeal of rules that are guaranteed to stand.
WHEN_READY, TARGET_IS_FREED = "when ready", "target is freed"


def by_parts(state: State, proposal: Proposal) -> tuple[State, ...]:
    """Return the states in which the law is asked about a proposal: one for each part, as a change of its own."""
    if not proposal.change.parts:
        return (state,)
    return tuple(
        state.but(proposals={**state.proposals, proposal.number: replace(proposal, change=one)})
        for one in proposal.change.parts
    )


def weights_of(
    law: Law, state: State, case: Env, names: tuple[str, ...], asker: View | None = None
) -> dict[str, Number]:
    """Return what the ballots of voters weigh.

    Raises
    ------
    Undecided
        Where the law gives no answer.
    """
    return {name: law.answer("vote.weight", state, {**case, "voter": Ref("player", name)}, asker) for name in names}


def torn_parts(law: Law, state: State, proposal: Proposal) -> str:
    """Say why parts cannot be voted on together: they have other voters, or other weights. Empty where they can.

    Raises
    ------
    Undecided
        Where the law gives no answer.
    """
    first: dict[str, Number] | None = None
    for at, one in enumerate(by_parts(state, proposal), 1) if proposal.change.parts else ():
        names = names_of(law.answer("vote.electorate", one, proposal.case))
        weights = weights_of(law, one, proposal.case, names)
        first = weights if first is None else first
        if weights != first:
            return f"other players vote on part {at}, or with other weights, than on part 1; hand them in apart"
    return ""


def any_part(law: Law, key: str, state: State, proposal: Proposal, value: Value, asker: View | None = None) -> bool:
    """Tell whether the law holds this of any part of a proposal; all are asked, so that nothing stays open.

    Raises
    ------
    Undecided
        Where it gives no answer.
    """
    found = [law.answer(key, one, proposal.case, asker) for one in by_parts(state, proposal)]
    return value in found


def ready(law: Law, state: State, proposal: Proposal) -> bool:
    """Tell whether the law lets a change take effect now that waits to be ready, with all its parts.

    Raises
    ------
    Undecided
        Where it gives no answer.
    """
    return not any_part(law, "change.ready", state, proposal, value=False)


def quota_of(law: Law, state: State, proposal: Proposal, asker: View | None = None) -> Finding:
    """Return what the law holds of how many votes in favour adopt a proposal: of several parts, for the strictest."""
    found = [law.find("vote.quota", one, proposal.case, asker) for one in by_parts(state, proposal)]
    return next((one for one in found if not one.answered), None) or max(found, key=lambda one: one.value)


def quota_reads_ballots(law: Law, views: Collection[View] = ()) -> bool:
    """Tell whether a quota depends on ballots, in these cases, so that it cannot be known before they are cast."""
    return bool(own_ballots(law, behind(law, "vote.quota", FIXED.difference(("vote.quota",)), views)))


def adopted_by(law: Law, state: State, proposal: Proposal) -> tuple[str, RuleNumber | None]:
    """Return what adopts a proposal instead of a quota, as the law has it, and the rule; nothing if it is a quota."""
    every = law.speaking("vote.adopted")
    if all(_looks_at_quota(law, one) for one in every):  # as it mostly is
        return "", None
    found = law.find("vote.adopted", state, proposal.case)
    sources = list(found.sources)
    for one in every:  # also what comes to hold by ballots
        condition = as_set(one).condition
        if not found.answered or (condition is not None and own_ballots(law, [condition])):
            sources.append(one)
    if not sources or any(_looks_at_quota(law, one) for one in sources):
        return "", None
    return as_set(sources[0]).value.text.strip(), sources[0].rule.number


def _looks_at_quota(law: Law, source: Source) -> bool:
    keys = (key for one in source.expressions for key in law.dependence.keys_of(one))
    behind = {name for key in keys for name, _ in law.dependence.behind(key)}
    return not behind.isdisjoint(("vote.quota",))


def reached(vote: Vote) -> bool:
    """Tell whether as many ballots were cast as there have to be."""
    return vote.cast >= vote.quorum


def adopts(law: Law, state: State, proposal: Proposal, asker: View | None = None) -> bool:
    """Ask the law whether the ballots as they are adopt a proposal, which is under vote.

    Raises
    ------
    Undecided
        Where it gives no answer.
    """
    vote = cast(Vote, proposal.vote)
    return reached(vote) and not any_part(law, "vote.adopted", state, proposal, False, asker)


def terms(law: Law, state: State, proposal: Proposal, weights: dict[str, Number], asker: View | None = None) -> Vote:
    """Return a vote among voters of these weights, without ballots, as the law has it held now.

    Raises
    ------
    Undecided
        Where it gives no answer.
    """

    def each(key: str) -> list[Finding]:
        return [law.find(key, one, proposal.case, asker) for one in by_parts(state, proposal)]

    views = [View(one, {**proposal.case}, law) for one in by_parts(state, proposal)]
    whens = [law.said(one) for one in each("vote.quota_when")]
    late = "closing" in whens or (None in whens and quota_reads_ballots(law, views))
    quota = quota_of(law, state, proposal, asker)
    quorums = [one for one in each("vote.quorum") if law.said(one) is not None]
    quorum = max(quorums, key=lambda one: one.value, default=None)
    choices = [tuple(map(str, law.said(one, CHOICES))) for one in each("vote.choices")]
    if not late:
        law.settled(quota)
    return Vote(
        tuple(weights), weights, None if late else quota.value, quota.rule, None, duty=False,
        sealed=False, law=law, choices=tuple(one for one in choices[0] if all(one in some for some in choices)),
        quorum=quorum.value if quorum else 0, quorum_rule=quorum.rule if quorum else None, late=late,
    )  # fmt: skip


def misfit_of_choices(value: Value) -> str:
    """Say why a list is none of ballots to choose from; empty where it is one."""
    listed = value if isinstance(value, tuple) else ()
    if len(set(listed)) != len(listed) or not {"for", "against"} <= set(listed):
        return "for and against are among the ballots, each of them once"
    return ""


def _held(get: Callable[[Vote, Env], Value]) -> Callable[[State, Env], Value]:
    """Return what finds in the vote at hand what was fixed when it opened; nothing where none is held."""

    def held(state: State, case: Env) -> Value:
        one: Any = case.get("proposal")
        proposal = state.proposals.get(one.id if isinstance(one, Ref) else one)
        return None if proposal is None or proposal.vote is None else get(proposal.vote, case)

    return held


def _held_weight(vote: Vote, case: Env) -> Value:
    voter = case.get("voter")
    return vote.weights.get(str(voter.id if isinstance(voter, Ref) else voter))


def _weights(view: View, players: Value) -> list[Number]:
    weights = []
    for name in names_of(players):
        view.spend()
        weights.append(cast(Number, view.key("vote.weight", voter=Ref("player", name))))
    view.trace.pop("vote.weight", None)
    return weights


def unanimity(view: View, players: Value) -> Value:
    """Return the weight of all ballots together."""
    return bounded(sum(_weights(view, players)))


def majority(view: View, players: Value) -> Value:
    """Return the least weight that is more than half, in the units that the weights are made of."""
    weights = [Fraction(one) for one in _weights(view, players)]
    unit = lcm(1, *(one.denominator for one in weights))
    half = sum(weights) * unit // 2
    return bounded(exact(Fraction(half + 1, unit)))


KEYS = (
    Key("vote.electorate", PLAYERS, "the voters: who may vote", "when a vote opens; then it is fixed", VOTE,
        held=_held(lambda vote, _: refs(vote.electorate)), reads=("proposals",), needed=True),
    Key("vote.weight", NUMBER, "what a ballot weighs", "when a vote opens; then it is fixed", VOTER,
        held=_held(_held_weight), reads=("proposals",), misfit=within("a weight", 0, whole=False), needed=True),
    Key("vote.automatic", TRUTH, "whether a rule may cast a voter's ballot", "when a rule casts one", VOTER),
    Key("vote.quota", NUMBER, "how many votes in favour adopt, counted by weight",
        "when a vote opens, and when a voter leaves; between, it is fixed. Or when it closes: see vote.quota_when",
        VOTE, held=_held(lambda vote, _: vote.quota), reads=("proposals",), misfit=within("a quota", 0, whole=False),
        needed=True),
    Key("vote.quota_when", TEXT, "when it is found how many votes in favour adopt; where no rule says, at the opening, "
        "or at the closing if the quota depends on ballots, such as a share of those that were cast",
        "when a vote opens", VOTE, ("opening", "closing")),
    Key("vote.quorum", NUMBER, "how much has to be cast, counted by weight, whatever the ballots say; with less, "
        "nothing is adopted", "when a vote opens, and when a voter leaves; between, it is fixed", VOTE,
        held=_held(lambda vote, _: None if vote.quorum_rule is None else vote.quorum), reads=("proposals",),
        misfit=within("a quorum", 0, whole=False)),
    Key("vote.choices", TEXTS, "the ballots that can be cast; for and against, where no rule says more. Whoever "
        "abstains has voted", "when a vote opens; then it is fixed", VOTE, BALLOTS,
        held=_held(lambda vote, _: vote.choices or None), reads=("proposals",), misfit=misfit_of_choices),
    Key("vote.adopted", TRUTH, "whether the proposal is adopted", "when a vote closes", VOTE, needed=True),
    Key("vote.duty", TRUTH, "whether everyone who may vote must", "when a vote opens", VOTE, needed=True),
    Key("vote.when", TEXT, "whether ballots are cast at once, or by each in a turn of their own, which does not end "
        "before; where no rule says so, at once", "when a vote opens", VOTE, ("at once", "own turn")),
    Key("vote.ends_early", TRUTH, "whether a vote closes as soon as no ballot to come could change the result; where "
        "no rule says so, it does not", "when a ballot was cast", VOTE),
    Key("vote.ended_by", PLAYERS, "who may close a vote in which not everyone has voted",
        "while a vote is open without a duty to vote", VOTE),
    Key("vote.ballots", TEXT, "whether ballots are seen before the vote closes", "when a vote opens", VOTE,
        ("open", "sealed"), needed=True),
    Key("vote.changeable", TRUTH, "whether a ballot can be changed while the vote is open", "when a ballot is cast",
        VOTE),
)  # fmt: skip

FUNCTIONS = (
    Function("unanimity", (PLAYERS,), NUMBER, "the weight of all their ballots", unanimity,
             keys=("vote.weight",)),
    Function("majority", (PLAYERS,), NUMBER, "the least weight that is more than half of all their ballots", majority,
             keys=("vote.weight",)),
)  # fmt: skip
