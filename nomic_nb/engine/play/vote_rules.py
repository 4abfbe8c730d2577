"""What the law says about a vote: who may vote, what ballots weigh, what is needed, and what adopts."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, lcm, prod
from typing import Any, cast

from nomic_nb.engine.law.confusables import confusable_form
from nomic_nb.engine.law.expressions import check_number_size
from nomic_nb.engine.law.findings import Finding, set_clause_of
from nomic_nb.engine.law.nodes import (
    CURRENT_METER,
    BudgetExceeded,
    Expression,
    Node,
    StepMeter,
    Undecided,
    View,
    walk_expressions,
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
    make_range_check,
    simplify_number,
)
from nomic_nb.engine.law.vocabulary import Function, Key
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import (
    BALLOT,
    BALLOTS,
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
FIXED_VOTE_KEYS = frozenset(
    ("vote.electorate", "vote.weight", "vote.quota", "vote.quorum", "vote.choices", "vote.counts_as")
)
#: How many ballots a voter can choose from, and which words they can be.
MOST_CHOICES, BALLOT_WORD = 8, re.compile(r"(?!sealed$)[^\W\d_]{1,20}")
#: What is told of proposals and can change while a vote is open, without a ballot.
_CHANGING_FIELDS = frozenset({"proposals", "proposals_now", "status", "agreed"})
#: Functions, and forms of going through a list, to which the order of the list does not matter.
_ORDERLESS_FUNCTIONS = frozenset({"count", "sum", "min", "max", "any", "all"})

#: The ballots that somebody may cast; None where that may be none at all.
BallotOptions = tuple[str | None, ...]


def expressions_behind(
    law: Law, key: str, fixed: Iterable[str] = (), views: Collection[View] = ()
) -> Iterator[Expression]:
    """Yield the expressions in the clauses about a law key and about the keys that those read, except `fixed` ones.

    Parameters
    ----------
    law : Law
        The law.
    key : str
        The key.
    fixed : iterable of str, optional
        Keys that are not looked up again.
    views : collection of View, optional
        The cases that it is asked in: clauses that are meant for other changes than theirs are left out.
    """
    waiting, seen = [key], set(fixed)
    while waiting:
        current = waiting.pop()
        if current not in seen:
            seen.add(current)
            sources = (
                source for source in law.clauses_and_rulings_about(current) if not _excludes_case(law, source, views)
            )
            for expression in (each for source in sources for each in source.expressions):
                yield expression
                waiting += law.dependence.keys_of_expression(expression)


def _excludes_case(law: Law, source: SourceClause, views: Collection[View]) -> bool:
    """Tell whether a clause's condition is surely false in all these cases (`views`) while the vote is open."""
    condition = set_clause_of(source).condition
    for part in condition.node.conjuncts if condition is not None and views else ():
        expression = law.language.expression(part.canonical)
        if (
            expression.words & BALLOT_FIELDS
            or law.dependence.keys_of_expression(expression)
            or can_change_during_vote(law, [expression])
        ):
            continue
        with suppress(Undecided):
            if not any(expression.run(View(view.state, view.env, law)) for view in views):
                return True
    return False


def expressions_read_in_vote(law: Law, *expressions: Expression) -> Iterator[Expression]:
    """Yield these expressions and those of the keys they read, except keys fixed when a vote opens."""
    yield from expressions
    for key in law.dependence.keys_of_expression(*expressions):
        yield from expressions_behind(law, key, FIXED_VOTE_KEYS)


def ballot_fields_read(law: Law, expressions: Iterable[Expression]) -> tuple[str, ...]:
    """Return the facts about ballots, such as “votes_for”, that expressions read, also through keys."""
    every = walk_expressions(expressions_read_in_vote(law, *expressions))
    return tuple(dict.fromkeys(node.text for node in every if _reads_current_ballots(node)))


def _reads_current_ballots(node: Node) -> bool:
    """Tell whether a part of an expression reads the ballots on the proposal under vote."""
    read = node.field in BALLOT_FIELDS or node.function in ("who", "most")
    return node.name in BALLOT_FIELDS or (read and node.parts[0].name == "proposal")


def can_change_during_vote(law: Law, expressions: Iterable[Expression]) -> bool:
    """Tell whether any of the expressions can change its value during a vote without a ballot being cast."""
    return any(
        expression.words & _CHANGING_FIELDS or law.dependence.reads_of_expression(expression).reads - {"proposals"}
        for expression in expressions
    )


def do_voters_matter(expressions: Iterable[Expression]) -> bool:
    """Tell whether the value of any expression depends on who voted how, and not only on counts or weights."""

    def uncounted_parts(node: Node) -> tuple[Node, ...]:
        return tuple(part for part in node.parts if node.function != "count" or not _is_list_of_voters(part))

    return any(_is_list_of_voters(node) for expression in expressions for node in expression.node.walk(uncounted_parts))


def _is_list_of_voters(node: Node) -> bool:
    """Tell whether a node reads a list of voters, such as “supporters”."""
    return node.name in VOTER_LISTS or node.field in VOTER_LISTS or node.function == "who"


def does_voting_order_matter(expressions: Iterable[Expression]) -> bool:
    """Tell whether the value of any expression can depend on the order in which voters voted."""
    return any(_reads_voting_order(expression.node, orderless=False) for expression in expressions)


def _reads_voting_order(node: Node, *, orderless: bool) -> bool:
    """Tell whether a node's value depends on the order of voters, leaving aside its own order if `orderless`."""
    if _is_list_of_voters(node):
        return not orderless
    return any(
        _reads_voting_order(part, orderless=_ignores_order_of_part(node, at, orderless))
        for at, part in enumerate(node.parts)
    )


def _ignores_order_of_part(node: Node, at: int, orderless: bool) -> bool:
    """Tell whether a node ignores the order of the list at part `at`, given that its own is ignored if `orderless`."""
    if node.loop:
        return at == 1 and (orderless or node.loop in _ORDERLESS_FUNCTIONS)
    if orderless and (node.arithmetic or (node.parts_of_choice and at != 1)):
        return True
    return node.function in _ORDERLESS_FUNCTIONS or (at == 1 and node.comparison in ("in", "not in"))


def ballot_combinations(
    vote: Vote, options: Mapping[str, BallotOptions], *, apart: bool
) -> tuple[int, Iterator[dict[str, str]]]:
    """Return the number of ways in which ballots can still be cast, and an iterator over them as dicts by voter.

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
                cast |= {name: ballot for name, ballot in zip(names, ballots, strict=True) if ballot is not None}
            yield cast

    return many, each()


@contextmanager
def _separate_budget() -> Iterator[None]:
    """Count the steps in the block separately from the action; raise `BudgetExceeded` if too many."""
    outer = CURRENT_METER.get() or StepMeter()
    with StepMeter(STEPS, outer.left_out, stops=True, anew=outer.anew).as_current_meter():
        yield


def have_ballots_same_result(each: Iterator[Mapping[str, str]], adopts: Callable[[Mapping[str, str]], bool]) -> bool:
    """Tell whether `adopts` surely gives the same result for each set of ballots; False if uncertain."""
    try:
        with _separate_budget():
            first = adopts(next(each))
            return all(adopts(ballots) is first for ballots in each)
    except (Undecided, BudgetExceeded):
        return False


def do_any_ballots_adopt(each: Iterable[Mapping[str, str]], adopts: Callable[[Mapping[str, str]], bool]) -> bool:
    """Tell whether at least one of these sets of ballots surely adopts the proposal, as `adopts` tells."""
    with suppress(BudgetExceeded), _separate_budget():
        for ballots in each:
            with suppress(Undecided):
                if adopts(ballots):
                    return True
    return False


# ------------------------------------------------------------------------------------- what the law says about a vote


#: What a change waits for whose time a rule tells, and a repeal of rules that are guaranteed to stand.
WHEN_READY, TARGET_IS_FREED = "when ready", "target is freed"


def states_for_parts(state: State, proposal: Proposal) -> tuple[State, ...]:
    """Return, for each part of a proposal, the state in which that part stands alone as its change."""
    if not proposal.change.parts:
        return (state,)
    return tuple(
        state.replace(proposals={**state.proposals, proposal.number: replace(proposal, change=change)})
        for change in proposal.change.parts
    )


def ballot_weights(
    law: Law, state: State, case: CaseNames, names: tuple[str, ...], asker: View | None = None
) -> dict[str, Number]:
    """Return the weight of each of these voters' ballots, by name; looking them up takes steps of `asker`.

    Raises
    ------
    Undecided
        Where the law gives no answer.
    """
    return {
        name: law.answer("vote.weight", state, {**case, "voter": ThingRef("player", name)}, asker) for name in names
    }


def why_no_joint_vote(law: Law, state: State, proposal: Proposal) -> Message | None:
    """Return why a proposal's parts cannot be voted on together (other voters or weights); None if they can.

    Raises
    ------
    Undecided
        Where the law gives no answer.
    """
    first: dict[str, Number] | None = None
    for at, part_state in enumerate(states_for_parts(state, proposal), 1) if proposal.change.parts else ():
        names = player_names(law.answer("vote.electorate", part_state, proposal.law_case))
        weights = ballot_weights(law, part_state, proposal.law_case, names)
        first = weights if first is None else first
        if weights != first:
            return say(
                "parts-voted-on-apart",
                "part {part} has different voters or weights from part 1; propose the parts separately",
                part=at,
            )
    return None


def is_value_for_any_part(
    law: Law, key: str, state: State, proposal: Proposal, value: Value, asker: View | None = None
) -> bool:
    """Tell whether a key of the law has this value for a proposal or any of its parts.

    `asker` is the view that asks, whose steps are used.

    Raises
    ------
    Undecided
        Where it gives no answer.
    """
    answers = [
        law.answer(key, vote_state, proposal.law_case, asker) for vote_state in states_for_parts(state, proposal)
    ]
    return value in answers


def is_ready_for_effect(law: Law, state: State, proposal: Proposal) -> bool:
    """Tell whether the law lets an adopted change that waits to take effect do so now.

    Raises
    ------
    Undecided
        Where it gives no answer.
    """
    return not is_value_for_any_part(law, "change.ready", state, proposal, value=False)


def find_quota(law: Law, state: State, proposal: Proposal, asker: View | None = None) -> Finding:
    """Return what the law says about a proposal's quota, as a finding; for several parts, the highest quota.

    `asker` is the view that asks, whose steps are used.
    """
    findings = [
        law.find("vote.quota", vote_state, proposal.law_case, asker) for vote_state in states_for_parts(state, proposal)
    ]
    return next((finding for finding in findings if not finding.answered), None) or max(
        findings, key=lambda finding: finding.value
    )


def does_quota_read_ballots(law: Law, views: Collection[View] = ()) -> bool:
    """Tell whether the quota depends on ballots, so it is unknown before they are cast."""
    return bool(
        ballot_fields_read(
            law, expressions_behind(law, "vote.quota", FIXED_VOTE_KEYS.difference(("vote.quota",)), views)
        )
    )


def adoption_condition(law: Law, state: State, proposal: Proposal) -> tuple[str, RuleNumber | None]:
    """Return the text of the condition that decides adoption instead of the quota, and the number of its rule.

    An empty text and None if the quota decides.
    """
    every = law.clauses_about("vote.adopted")
    if all(_reads_quota(law, clause) for clause in every):  # as it mostly is
        return "", None
    finding = law.find("vote.adopted", state, proposal.law_case)
    sources = list(finding.sources)
    for source in every:  # also what comes to hold by ballots
        condition = set_clause_of(source).condition
        if not finding.answered or (condition is not None and ballot_fields_read(law, [condition])):
            sources.append(source)
    if not sources or any(_reads_quota(law, clause) for clause in sources):
        return "", None
    return set_clause_of(sources[0]).value.text.strip(), sources[0].rule.number


def _reads_quota(law: Law, source: SourceClause) -> bool:
    """Tell whether a clause of the law reads the quota, directly or through other keys."""
    keys = law.dependence.keys_of_expression(*source.expressions)
    return not law.dependence.clauses_behind_keys(*keys).keys().isdisjoint(("vote.quota",))


def is_quorum_reached(vote: Vote) -> bool:
    """Tell whether enough ballots were cast for a valid vote."""
    return vote.weight_cast >= vote.quorum


def is_adopted(law: Law, state: State, proposal: Proposal, asker: View | None = None) -> bool:
    """Tell whether the ballots cast so far adopt a proposal.

    `asker` is the view that asks, whose steps are used.

    Raises
    ------
    Undecided
        Where it gives no answer.
    """
    vote = cast(Vote, proposal.vote)
    return is_quorum_reached(vote) and not is_value_for_any_part(law, "vote.adopted", state, proposal, False, asker)


def vote_without_ballots(
    law: Law, state: State, proposal: Proposal, weights: dict[str, Number], asker: View | None = None
) -> Vote:
    """Return a new vote without ballots by the voters in `weights`, on the terms that the law sets now.

    `asker` is the view that asks, whose steps are used.

    Raises
    ------
    Undecided
        Where it gives no answer.
    """

    def each(key: str, **more: Value) -> list[Finding]:
        case = {**proposal.law_case, **more}
        return [law.find(key, vote_state, case, asker) for vote_state in states_for_parts(state, proposal)]

    views = [View(vote_state, {**proposal.law_case}, law) for vote_state in states_for_parts(state, proposal)]
    whens = [law.value_or_default(finding) for finding in each("vote.quota_when")]
    late = "closing" in whens or (None in whens and does_quota_read_ballots(law, views))
    quota = find_quota(law, state, proposal, asker)
    quorums = [finding for finding in each("vote.quorum") if law.value_or_default(finding) is not None]
    quorum = max(quorums, key=lambda finding: finding.value, default=None)
    choices = [tuple(map(str, law.value_or_default(finding, VOTE_CHOICES))) for finding in each("vote.choices")]
    common = tuple(choice for choice in choices[0] if all(choice in some for some in choices))
    sides = {
        word: min(law.value_or_default(side, "abstain") for side in each("vote.counts_as", ballot=word))
        for word in common
        if word not in BALLOTS
    }
    if not late:
        law.value_or_undecided(quota)
    return Vote(
        tuple(weights), weights, None if late else quota.value, quota.rule, None, duty=False,
        sealed=False, law=law,
        choices=common, sides=sides,
        quorum=quorum.value if quorum else 0, quorum_rule=quorum.rule if quorum else None, late=late,
    )  # fmt: skip


def ballot_choices_misfit(value: Value) -> str:
    """Return an error message if ballots to choose from are unfit; else an empty text."""
    listed = tuple(map(str, value)) if isinstance(value, tuple) else ()
    looks = {confusable_form(word) for word in listed if word.islower() and BALLOT_WORD.fullmatch(word)}
    if len(looks) == len(listed) <= MOST_CHOICES and {"for", "against"} <= set(listed):
        return ""
    return say(
        "ballots-unfit",
        "the ballots are “for”, “against” and up to {more} single words of at most 20 small letters",
        more=MOST_CHOICES - 2,
    )


def _make_fixed_value_reader(get: Callable[[Vote, CaseNames], Value]) -> Callable[[State, CaseNames], Value]:
    """Return a function that reads, by `get`, a value fixed when the vote on the case's proposal opened.

    It returns None if there is no such vote.
    """

    def held(state: State, case: CaseNames) -> Value:
        proposal_ref: Any = case.get("proposal")
        proposal = state.proposals.get(proposal_ref.id if isinstance(proposal_ref, ThingRef) else proposal_ref)
        return None if proposal is None or proposal.vote is None else get(proposal.vote, case)

    return held


def _fixed_weight(vote: Vote, case: CaseNames) -> Value:
    """Return the weight, fixed when the vote opened, of the voter in `case`; None if they have no vote."""
    voter = case.get("voter")
    return vote.weights.get(str(voter.id if isinstance(voter, ThingRef) else voter))


def _weights_in_vote(view: View, players: Value) -> list[Number]:
    """Return the weights that these players' ballots have in the vote on the current proposal."""
    weights = []
    for name in player_names(players):
        view.spend_steps()
        weights.append(cast(Number, view.value_of_key("vote.weight", voter=ThingRef("player", name))))
    view.trace.pop("vote.weight", None)
    return weights


def unanimous_weight(view: View, players: Value) -> Value:
    """Return the total weight of these players' ballots in the vote on the current proposal."""
    return check_number_size(sum(_weights_in_vote(view, players)))


def majority_weight(view: View, players: Value) -> Value:
    """Return the least weight that is more than half of the total weight of these players' ballots."""
    weights = [Fraction(weight) for weight in _weights_in_vote(view, players)]
    unit = lcm(1, *(fraction.denominator for fraction in weights))
    half = sum(weights) * unit // 2
    return check_number_size(simplify_number(Fraction(half + 1, unit)))


KEYS = (
    Key("vote.electorate", PLAYERS, "the players who may vote",
        "when a vote opens; fixed from then on, except that players marked as away may lose their vote", VOTE_CASE,
        held=_make_fixed_value_reader(lambda vote, _: player_refs(vote.electorate)), reads=("proposals",), needed=True),
    Key("vote.weight", NUMBER, "the weight of a ballot", "when a vote opens; fixed from then on", VOTER_CASE,
        held=_make_fixed_value_reader(_fixed_weight), reads=("proposals",),
        misfit=make_range_check("a weight", 0, whole=False),
        needed=True),
    Key("vote.automatic", TRUTH, "whether a rule may cast a ballot for a voter", "when a rule casts one", VOTER_CASE),
    Key("vote.quota", NUMBER, "how many votes in favour a proposal needs to pass, counted by weight",
        "when a vote opens, and when a voter leaves; fixed in between. Or when it closes: see vote.quota_when",
        VOTE_CASE, held=_make_fixed_value_reader(lambda vote, _: vote.quota), reads=("proposals",),
        misfit=make_range_check("a quota",
        0, whole=False),
        needed=True),
    Key("vote.quota_when", TEXT, "when the number of votes needed is settled; by default when the vote opens, or "
                                 "when it closes if the number depends on the ballots, such as a share of the "
                                 "votes cast",
        "when a vote opens", VOTE_CASE, ("opening", "closing")),
    Key("vote.quorum", NUMBER, "how many votes must be cast in total, counted by weight; with fewer, nothing passes",
                               "when a vote opens, and when a voter leaves; fixed in between", VOTE_CASE,
        held=_make_fixed_value_reader(lambda vote, _: None if vote.quorum_rule is None else vote.quorum),
        reads=("proposals",),
        misfit=make_range_check("a quorum", 0, whole=False)),
    Key("vote.choices", TEXTS,
        "the ballots that can be cast, by default for and against: also abstain, which counts as voting, and other "
        "words; see vote.counts_as",
        "when a vote opens; fixed from then on", VOTE_CASE,
        held=_make_fixed_value_reader(lambda vote, _: vote.choices or None), reads=("proposals",),
        misfit=ballot_choices_misfit),
    Key("vote.counts_as", TEXT,
        "what a ballot with another word counts as, by default as abstaining; for and against stay what they are",
        "when a vote opens; fixed from then on", VOTE_CASE | {"ballot": BALLOT}, BALLOTS,
        held=_make_fixed_value_reader(lambda vote, case: vote.sides.get(str(case.get("ballot")))),
        reads=("proposals",)),
    Key("vote.adopted", TRUTH, "whether the proposal passes", "when a vote closes", VOTE_CASE, needed=True),
    Key("vote.duty", TRUTH, "whether everyone who may vote must vote", "when a vote opens", VOTE_CASE, needed=True),
    Key("vote.when", TEXT, "whether everyone votes at once, or each voter during their own turn, which does not "
                           "end until they have voted; by default at once",
                           "when a vote opens", VOTE_CASE, ("at once", "own turn")),
    Key("vote.ends_early", TRUTH,
        "whether a vote closes as soon as no further ballot could change the result; by default it does not",
        "when a ballot is cast", VOTE_CASE),
    Key("vote.closes", TRUTH, "whether a vote closes by itself; by default once everyone has voted",
        "when a ballot is cast, and as play and time go on", VOTE_CASE,
        usual=lambda view: not view.value_of_name("not_voted"), reads=("proposals",)),
    Key("vote.ended_by", PLAYERS, "who may close a vote before everyone has voted",
        "while a vote is open without a duty to vote", VOTE_CASE),
    Key("vote.ballots", TEXT, "whether ballots can be seen before the vote closes", "when a vote opens", VOTE_CASE,
        ("open", "sealed"), needed=True),
    Key("vote.changeable", TRUTH, "whether a ballot can be changed while the vote is open", "when a ballot is cast",
        VOTE_CASE),
)  # fmt: skip

FUNCTIONS = (
    Function("unanimity", (PLAYERS,), NUMBER, "the total weight of all their ballots", unanimous_weight,
             keys=("vote.weight",)),
    Function("majority", (PLAYERS,), NUMBER,
        "the lowest weight that is more than half the total of all their ballots",
    majority_weight,
             keys=("vote.weight",)),
)  # fmt: skip
