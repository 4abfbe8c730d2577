"""What the law says of a vote: who may vote, what ballots weigh, what is needed, and what adopts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, lcm, prod
from typing import Any, cast

from nomic_nb.engine.law.expressions import bound_number
from nomic_nb.engine.law.findings import Finding, set_clause_of
from nomic_nb.engine.law.nodes import (
    CURRENT_METER,
    BudgetExceeded,
    Expression,
    Node,
    StepMeter,
    Undecided,
    View,
    walk_all,
)
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Number as RuleNumber
from nomic_nb.engine.law.rules import SourceClause
from nomic_nb.engine.law.values import (
    NUMBER,
    TEXT,
    TRUTH,
    CaseNames,
    Number,
    ThingRef,
    Value,
    range_check,
    simplify_number,
)
from nomic_nb.engine.law.vocabulary import Function, Key
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import BALLOTS as OF_BALLOTS
from nomic_nb.engine.play.values import (
    PLAYERS,
    TEXTS,
    VOTE_CASE,
    VOTE_CHOICES,
    VOTER_CASE,
    Proposal,
    Vote,
    player_names,
    player_refs,
)

# --------------------------------------------------------------------------------------- what can become of a vote


#: Ways for ballots to fall that are gone through, and steps that this takes; beyond them the result counts as open.
MOST_WAYS, STEPS = 1_000, 100_000
#: Facts that tell voters apart: a rule that reads them may adopt by who votes, and not by weight alone.
VOTER_LISTS = frozenset({"supporters", "opponents", "abstainers", "not_voted"})
#: Facts that only ballots bring about.
BALLOT_FIELDS = VOTER_LISTS | {"votes_for", "votes_against", "votes_cast"}
#: Terms that are fixed for a vote when it opens; the quota not where it is found when the vote closes.
FIXED_VOTE_KEYS = frozenset(("vote.electorate", "vote.weight", "vote.quota", "vote.quorum", "vote.choices"))
#: What is told of proposals and can change while a vote is open, without a ballot.
_CHANGING_FIELDS = frozenset({"proposals", "proposals_now", "status", "agreed"})
#: Functions, and forms of going through a list, to which the order of the list does not matter.
_ORDERLESS_FUNCTIONS = frozenset({"count", "sum", "min", "max", "any", "all"})

#: The ballots that somebody may cast; None where that may be none at all.
BallotOptions = tuple[str | None, ...]


def expressions_behind(
    law: Law, key: str, fixed: Iterable[str] = (), views: Collection[View] = ()
) -> Iterator[Expression]:
    """Yield the expressions of the clauses on a key, and on the keys that they look up.

    Parameters
    ----------
    law : Law
        The law.
    key : str
        The key.
    fixed : iterable of str, optional
        Keys that are not looked up anew.
    views : collection of View, optional
        The cases that it is asked in: clauses that are meant for other changes than theirs are left out.
    """
    waiting, seen = [key], set(fixed)
    while waiting:
        one = waiting.pop()
        if one not in seen:
            seen.add(one)
            sources = (source for source in law.sources(one) if not _excludes_case(law, source, views))
            for expression in (each for source in sources for each in source.expressions):
                yield expression
                waiting += law.dependence.keys_of(expression)


def _excludes_case(law: Law, source: SourceClause, views: Collection[View]) -> bool:
    """Tell whether a part of a clause's condition that nothing in play alters is not so in these cases."""
    condition = set_clause_of(source).condition
    for part in condition.node.conjuncts if condition is not None and views else ():
        expression = law.language.expression(part.canonical)
        if (
            expression.words & BALLOT_FIELDS
            or law.dependence.keys_of(expression)
            or can_change_during_vote(law, [expression])
        ):
            continue
        with suppress(Undecided):
            if not any(expression.run(View(one.state, one.env, law)) for one in views):
                return True
    return False


def looked_at_in_vote(law: Law, *expressions: Expression) -> Iterator[Expression]:
    """Yield expressions, and those behind the keys that they look up while a vote is open."""
    yield from expressions
    for key in law.dependence.keys_of(*expressions):
        yield from expressions_behind(law, key, FIXED_VOTE_KEYS)


def ballots_read(law: Law, expressions: Iterable[Expression]) -> tuple[str, ...]:
    """Return what expressions read of the ballots in the vote at hand, themselves or by the keys that they look up."""
    every = walk_all(looked_at_in_vote(law, *expressions))
    return tuple(dict.fromkeys(node.text for node in every if _is_own_ballot(node)))


def _is_own_ballot(node: Node) -> bool:
    return node.name in BALLOT_FIELDS or (node.field in BALLOT_FIELDS and node.parts[0].text == "proposal")


def can_change_during_vote(law: Law, expressions: Iterable[Expression]) -> bool:
    """Tell whether something can come to be otherwise while a vote is open, although no ballot is cast."""
    return any(
        one.words & _CHANGING_FIELDS or law.dependence.looked_at(one).reads - {"proposals"} for one in expressions
    )


def distinguish_voters(expressions: Iterable[Expression]) -> bool:
    """Tell whether voters are told apart, and not only counted or weighed."""
    apart = (node for one in expressions for node in one.node.walk(_uncounted_parts))
    return any(map(_lists_voters, apart))


def _uncounted_parts(node: Node) -> tuple[Node, ...]:
    return tuple(one for one in node.parts if node.function != "count" or not _lists_voters(one))


def _lists_voters(node: Node) -> bool:
    return node.name in VOTER_LISTS or node.field in VOTER_LISTS


def depends_on_order(expressions: Iterable[Expression]) -> bool:
    """Tell whether it could matter in which order voters voted."""
    return any(_reads_order(one.node, orderless=False) for one in expressions)


def _reads_order(node: Node, *, orderless: bool) -> bool:
    if _lists_voters(node):
        return not orderless
    return any(_reads_order(one, orderless=_ignores_order(node, at, orderless)) for at, one in enumerate(node.parts))


def _ignores_order(node: Node, at: int, orderless: bool) -> bool:
    """Tell whether the order of the list that is one part of a node does not matter."""
    if node.loop:
        return at == 1 and (orderless or node.loop in _ORDERLESS_FUNCTIONS)
    if orderless and (node.arithmetic or (node.branches and at != 1)):
        return True
    return node.function in _ORDERLESS_FUNCTIONS or (at == 1 and node.comparison in ("in", "not in"))


def ballot_combinations(
    vote: Vote, options: Mapping[str, BallotOptions], *, apart: bool
) -> tuple[int, Iterator[dict[str, str]]]:
    """Return how many ways there are for ballots to fall, and go through them.

    Parameters
    ----------
    vote : Vote
        With the ballots that stand.
    options : mapping of str to tuple
        What those may cast whose ballots can still fall.
    apart : bool
        Whether it matters who casts what; otherwise voters with the same weight and the same options are only counted.

    Examples
    --------
    >>> from nomic_nb.engine.law.resolver import Law
    >>> vote = Vote(("Ann", "Ben", "Cleo"), {"Ann": 1, "Ben": 1, "Cleo": 2}, 3, None, None, duty=True, sealed=False,
    ...             law=Law, ballots={"Cleo": "for"})
    >>> many, each = ballot_combinations(vote, dict.fromkeys(["Ann", "Ben"], ("for", "against")), apart=False)
    >>> many, [" ".join(one.values()) for one in each]
    (3, ['for for for', 'for for against', 'for against against'])
    """
    alike: dict[object, list[str]] = {}
    for name, some in options.items():
        alike.setdefault(name if apart else (vote.weights[name], some), []).append(name)
    groups = [(names, options[names[0]]) for names in alike.values()]
    many = prod(comb(len(names) + len(some) - 1, len(names)) for names, some in groups)

    def each() -> Iterator[dict[str, str]]:
        for fallen in product(*[combinations_with_replacement(some, len(names)) for names, some in groups]):
            cast = dict(vote.ballots)
            for (names, _), ballots in zip(groups, fallen, strict=True):
                cast |= {name: one for name, one in zip(names, ballots, strict=True) if one is not None}
            yield cast

    return many, each()


@contextmanager
def _separate_budget() -> Iterator[None]:
    """Take from no action what it costs to look at many ways; raises `BudgetExceeded` where it is too much."""
    outer = CURRENT_METER.get() or StepMeter()
    with StepMeter(STEPS, outer.left_out, stops=True, anew=outer.anew).running():
        yield


def have_same_result(each: Iterator[Mapping[str, str]], adopts: Callable[[Mapping[str, str]], bool]) -> bool:
    """Tell whether all these ways for ballots to fall surely end alike."""
    try:
        with _separate_budget():
            first = adopts(next(each))
            return all(adopts(one) is first for one in each)
    except (Undecided, BudgetExceeded):
        return False


def does_any_adopt(each: Iterable[Mapping[str, str]], adopts: Callable[[Mapping[str, str]], bool]) -> bool:
    """Tell whether one of these ways for ballots to fall surely adopts."""
    with suppress(BudgetExceeded), _separate_budget():
        for one in each:
            with suppress(Undecided):
                if adopts(one):
                    return True
    return False


# ------------------------------------------------------------------------------------- what the law says of a vote


#: What a change waits for whose time a rule tells, and a repeal of rules that are guaranteed to stand.
WHEN_READY, TARGET_IS_FREED = "when ready", "target is freed"


def vote_states(state: State, proposal: Proposal) -> tuple[State, ...]:
    """Return the states in which the law is asked about a proposal: one for each part, as a change of its own."""
    if not proposal.change.parts:
        return (state,)
    return tuple(
        state.replace(proposals={**state.proposals, proposal.number: replace(proposal, change=one)})
        for one in proposal.change.parts
    )


def ballot_weights(
    law: Law, state: State, case: CaseNames, names: tuple[str, ...], asker: View | None = None
) -> dict[str, Number]:
    """Return what the ballots of voters weigh.

    Raises
    ------
    Undecided
        Where the law gives no answer.
    """
    return {
        name: law.answer("vote.weight", state, {**case, "voter": ThingRef("player", name)}, asker) for name in names
    }


def why_not_together(law: Law, state: State, proposal: Proposal) -> Message | None:
    """Say why parts cannot be voted on together: they have other voters, or other weights. None where they can.

    Raises
    ------
    Undecided
        Where the law gives no answer.
    """
    first: dict[str, Number] | None = None
    for at, one in enumerate(vote_states(state, proposal), 1) if proposal.change.parts else ():
        names = player_names(law.answer("vote.electorate", one, proposal.case))
        weights = ballot_weights(law, one, proposal.case, names)
        first = weights if first is None else first
        if weights != first:
            return say(
                "parts-voted-on-apart",
                "other players vote on part {part}, or with other weights, than on part 1; hand them in apart",
                part=at,
            )
    return None


def holds_for_any_part(
    law: Law, key: str, state: State, proposal: Proposal, value: Value, asker: View | None = None
) -> bool:
    """Tell whether the law holds this of any part of a proposal; all are asked, so that nothing stays open.

    Raises
    ------
    Undecided
        Where it gives no answer.
    """
    found = [law.answer(key, one, proposal.case, asker) for one in vote_states(state, proposal)]
    return value in found


def is_ready_for_effect(law: Law, state: State, proposal: Proposal) -> bool:
    """Tell whether the law lets a change take effect now that waits to be ready, with all its parts.

    Raises
    ------
    Undecided
        Where it gives no answer.
    """
    return not holds_for_any_part(law, "change.ready", state, proposal, value=False)


def read_quota(law: Law, state: State, proposal: Proposal, asker: View | None = None) -> Finding:
    """Return what the law holds of how many votes in favour adopt a proposal: of several parts, for the strictest."""
    found = [law.find("vote.quota", one, proposal.case, asker) for one in vote_states(state, proposal)]
    return next((one for one in found if not one.answered), None) or max(found, key=lambda one: one.value)


def does_quota_read_ballots(law: Law, views: Collection[View] = ()) -> bool:
    """Tell whether a quota depends on ballots, in these cases, so that it cannot be known before they are cast."""
    return bool(
        ballots_read(law, expressions_behind(law, "vote.quota", FIXED_VOTE_KEYS.difference(("vote.quota",)), views))
    )


def adoption_condition(law: Law, state: State, proposal: Proposal) -> tuple[str, RuleNumber | None]:
    """Return what adopts a proposal instead of a quota, as the law has it, and the rule; nothing if it is a quota."""
    every = law.clauses_about("vote.adopted")
    if all(_reads_quota(law, one) for one in every):  # as it mostly is
        return "", None
    found = law.find("vote.adopted", state, proposal.case)
    sources = list(found.sources)
    for one in every:  # also what comes to hold by ballots
        condition = set_clause_of(one).condition
        if not found.answered or (condition is not None and ballots_read(law, [condition])):
            sources.append(one)
    if not sources or any(_reads_quota(law, one) for one in sources):
        return "", None
    return set_clause_of(sources[0]).value.text.strip(), sources[0].rule.number


def _reads_quota(law: Law, source: SourceClause) -> bool:
    keys = law.dependence.keys_of(*source.expressions)
    return not law.dependence.behind(*keys).keys().isdisjoint(("vote.quota",))


def is_quorum_reached(vote: Vote) -> bool:
    """Tell whether as many ballots were cast as there have to be."""
    return vote.cast >= vote.quorum


def is_adopted(law: Law, state: State, proposal: Proposal, asker: View | None = None) -> bool:
    """Ask the law whether the ballots as they are adopt a proposal, which is under vote.

    Raises
    ------
    Undecided
        Where it gives no answer.
    """
    vote = cast(Vote, proposal.vote)
    return is_quorum_reached(vote) and not holds_for_any_part(law, "vote.adopted", state, proposal, False, asker)


def vote_terms(
    law: Law, state: State, proposal: Proposal, weights: dict[str, Number], asker: View | None = None
) -> Vote:
    """Return a vote among voters of these weights, without ballots, as the law has it held now.

    Raises
    ------
    Undecided
        Where it gives no answer.
    """

    def each(key: str) -> list[Finding]:
        return [law.find(key, one, proposal.case, asker) for one in vote_states(state, proposal)]

    views = [View(one, {**proposal.case}, law) for one in vote_states(state, proposal)]
    whens = [law.said(one) for one in each("vote.quota_when")]
    late = "closing" in whens or (None in whens and does_quota_read_ballots(law, views))
    quota = read_quota(law, state, proposal, asker)
    quorums = [one for one in each("vote.quorum") if law.said(one) is not None]
    quorum = max(quorums, key=lambda one: one.value, default=None)
    choices = [tuple(map(str, law.said(one, VOTE_CHOICES))) for one in each("vote.choices")]
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
        return say("ballots-unfit", "for and against are among the ballots, each of them once")
    return ""


def _fixed_value(get: Callable[[Vote, CaseNames], Value]) -> Callable[[State, CaseNames], Value]:
    """Return what finds in the vote at hand what was fixed when it opened; nothing where none is held."""

    def held(state: State, case: CaseNames) -> Value:
        one: Any = case.get("proposal")
        proposal = state.proposals.get(one.id if isinstance(one, ThingRef) else one)
        return None if proposal is None or proposal.vote is None else get(proposal.vote, case)

    return held


def _fixed_weight(vote: Vote, case: CaseNames) -> Value:
    voter = case.get("voter")
    return vote.weights.get(str(voter.id if isinstance(voter, ThingRef) else voter))


def _weights_in_vote(view: View, players: Value) -> list[Number]:
    weights = []
    for name in player_names(players):
        view.spend()
        weights.append(cast(Number, view.key("vote.weight", voter=ThingRef("player", name))))
    view.trace.pop("vote.weight", None)
    return weights


def unanimous_weight(view: View, players: Value) -> Value:
    """Return the weight of all ballots together."""
    return bound_number(sum(_weights_in_vote(view, players)))


def majority_weight(view: View, players: Value) -> Value:
    """Return the least weight that is more than half, in the units that the weights are made of."""
    weights = [Fraction(one) for one in _weights_in_vote(view, players)]
    unit = lcm(1, *(one.denominator for one in weights))
    half = sum(weights) * unit // 2
    return bound_number(simplify_number(Fraction(half + 1, unit)))


KEYS = (
    Key("vote.electorate", PLAYERS, "the voters: who may vote", "when a vote opens; then it is fixed", VOTE_CASE,
        held=_fixed_value(lambda vote, _: player_refs(vote.electorate)), reads=("proposals",), needed=True),
    Key("vote.weight", NUMBER, "what a ballot weighs", "when a vote opens; then it is fixed", VOTER_CASE,
        held=_fixed_value(_fixed_weight), reads=("proposals",), misfit=range_check("a weight", 0, whole=False),
        needed=True),
    Key("vote.automatic", TRUTH, "whether a rule may cast a voter's ballot", "when a rule casts one", VOTER_CASE),
    Key("vote.quota", NUMBER, "how many votes in favour adopt, counted by weight",
        "when a vote opens, and when a voter leaves; between, it is fixed. Or when it closes: see vote.quota_when",
        VOTE_CASE, held=_fixed_value(lambda vote, _: vote.quota), reads=("proposals",), misfit=range_check("a quota",
        0, whole=False),
        needed=True),
    Key("vote.quota_when", TEXT, "when it is found how many votes in favour adopt; where no rule says, at the opening, "
        "or at the closing if the quota depends on ballots, such as a share of those that were cast",
        "when a vote opens", VOTE_CASE, ("opening", "closing")),
    Key("vote.quorum", NUMBER, "how much has to be cast, counted by weight, whatever the ballots say; with less, "
        "nothing is adopted", "when a vote opens, and when a voter leaves; between, it is fixed", VOTE_CASE,
        held=_fixed_value(lambda vote, _: None if vote.quorum_rule is None else vote.quorum), reads=("proposals",),
        misfit=range_check("a quorum", 0, whole=False)),
    Key("vote.choices", TEXTS, "the ballots that can be cast; for and against, where no rule says more. Whoever "
        "abstains has voted", "when a vote opens; then it is fixed", VOTE_CASE, OF_BALLOTS,
        held=_fixed_value(lambda vote, _: vote.choices or None), reads=("proposals",), misfit=misfit_of_choices),
    Key("vote.adopted", TRUTH, "whether the proposal is adopted", "when a vote closes", VOTE_CASE, needed=True),
    Key("vote.duty", TRUTH, "whether everyone who may vote must", "when a vote opens", VOTE_CASE, needed=True),
    Key("vote.when", TEXT, "whether ballots are cast at once, or by each in a turn of their own, which does not end "
        "before; where no rule says so, at once", "when a vote opens", VOTE_CASE, ("at once", "own turn")),
    Key("vote.ends_early", TRUTH, "whether a vote closes as soon as no ballot to come could change the result; where "
        "no rule says so, it does not", "when a ballot was cast", VOTE_CASE),
    Key("vote.ended_by", PLAYERS, "who may close a vote in which not everyone has voted",
        "while a vote is open without a duty to vote", VOTE_CASE),
    Key("vote.ballots", TEXT, "whether ballots are seen before the vote closes", "when a vote opens", VOTE_CASE,
        ("open", "sealed"), needed=True),
    Key("vote.changeable", TRUTH, "whether a ballot can be changed while the vote is open", "when a ballot is cast",
        VOTE_CASE),
)  # fmt: skip

FUNCTIONS = (
    Function("unanimity", (PLAYERS,), NUMBER, "the weight of all their ballots", unanimous_weight,
             keys=("vote.weight",)),
    Function("majority", (PLAYERS,), NUMBER, "the least weight that is more than half of all their ballots",
    majority_weight,
             keys=("vote.weight",)),
)  # fmt: skip
