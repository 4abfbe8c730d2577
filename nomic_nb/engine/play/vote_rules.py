"""What the law says of a vote: who may vote, what ballots weigh, what is needed, and what adopts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, lcm, prod
from typing import Any, cast

from nomic_nb.engine.law.expressions import bounded
from nomic_nb.engine.law.findings import Finding, as_set
from nomic_nb.engine.law.nodes import METER, Expression, Meter, Node, Spent, Undecided, View, all_of, canonical
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Number as RuleNumber
from nomic_nb.engine.law.rules import Source
from nomic_nb.engine.law.values import NUMBER, TEXT, TRUTH, Env, Number, Ref, Value, exact, within
from nomic_nb.engine.law.vocabulary import Function, Key
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import BALLOTS as OF_BALLOTS
from nomic_nb.engine.play.values import CHOICES, PLAYERS, TEXTS, VOTE, VOTER, Proposal, Vote, names_of, refs

# --------------------------------------------------------------------------------------- what can become of a vote


#: Ways for ballots to fall that are gone through, and steps that this takes; beyond them the result counts as open.
MOST_WAYS, STEPS = 1_000, 100_000
#: Facts that tell voters apart: a rule that reads them may adopt by who votes, and not by weight alone.
WHO = frozenset({"supporters", "opponents", "abstainers", "not_voted"})
#: Facts that only ballots bring about.
BALLOTS = WHO | {"votes_for", "votes_against", "votes_cast"}
#: Terms that are fixed for a vote when it opens; the quota not where it is found when the vote closes.
FIXED = frozenset(("vote.electorate", "vote.weight", "vote.quota", "vote.quorum", "vote.choices"))
#: What is told of proposals and can change while a vote is open, without a ballot.
_LOOSE = frozenset({"proposals", "proposals_now", "status", "agreed"})
#: Functions, and forms of going through a list, to which the order of the list does not matter.
_ORDERLESS = frozenset({"count", "sum", "min", "max", "any", "all"})

#: The ballots that somebody may cast; None where that may be none at all.
Options = tuple[str | None, ...]


def behind(law: Law, key: str, fixed: Iterable[str] = (), views: Collection[View] = ()) -> Iterator[Expression]:
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
            sources = (source for source in law.sources(one) if not _is_for_others(law, source, views))
            for expression in (each for source in sources for each in source.expressions):
                yield expression
                waiting += law.dependence.keys_of(expression)


def _is_for_others(law: Law, source: Source, views: Collection[View]) -> bool:
    """Tell whether a part of a clause's condition that nothing in play alters is not so in these cases."""
    condition = as_set(source).condition
    for part in all_of(condition.node) if condition is not None and views else ():
        expression = law.language.expression(canonical(part))
        if expression.words & BALLOTS or law.dependence.keys_of(expression) or hangs_on_more(law, [expression]):
            continue
        with suppress(Undecided):
            if not any(expression.run(View(one.state, one.env, law)) for one in views):
                return True
    return False


def own_ballots(law: Law, expressions: Iterable[Expression]) -> tuple[str, ...]:
    """Return what expressions read of the ballots in the vote at hand, themselves or by the keys that they look up."""
    every = [*expressions]
    every += [one for two in every for key in law.dependence.keys_of(two) for one in behind(law, key, FIXED)]
    return tuple(dict.fromkeys(node.text for one in every for node in one.walk() if _is_own(node)))


def _is_own(node: Node) -> bool:
    of = "proposal" if node.kind == "name" else node.parts[0].text if node.kind == "field" else ""
    return node.text in BALLOTS and of == "proposal"


def hangs_on_more(law: Law, expressions: Iterable[Expression]) -> bool:
    """Tell whether something can come to be otherwise while a vote is open, although no ballot is cast."""
    return any(one.words & _LOOSE or law.dependence.looked_at(one).reads - {"proposals"} for one in expressions)


def tell_apart(expressions: Iterable[Expression]) -> bool:
    """Tell whether voters are told apart, and not only counted or weighed."""
    return any(_told_apart(one.node, counted=False) for one in expressions)


def _told_apart(node: Node, *, counted: bool) -> bool:
    if node.kind in ("name", "field") and node.text in WHO:
        return not counted
    return any(_told_apart(one, counted=node.kind == "call" and node.text == "count") for one in node.parts)


def line_up(expressions: Iterable[Expression]) -> bool:
    """Tell whether it could matter in which order voters voted."""
    return any(_in_order(one.node, orderless=False) for one in expressions)


def _in_order(node: Node, *, orderless: bool) -> bool:
    if node.kind in ("name", "field") and node.text in WHO:
        return not orderless
    return any(_in_order(one, orderless=_loses_order(node, at, orderless)) for at, one in enumerate(node.parts))


def _loses_order(node: Node, at: int, orderless: bool) -> bool:
    """Tell whether the order of the list that is one part of a node does not matter."""
    match node.kind:
        case "call":
            return node.text in _ORDERLESS
        case "each":
            return at == 1 and (orderless or node.value in _ORDERLESS)
        case "compare":
            return at == 1 and node.text in ("in", "not in")
        case "if":
            return at != 1 and orderless
    return node.kind == "reckon" and orderless


def ways(vote: Vote, options: Mapping[str, Options], *, apart: bool) -> tuple[int, Iterator[dict[str, str]]]:
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
    >>> many, each = ways(vote, dict.fromkeys(["Ann", "Ben"], ("for", "against")), apart=False)
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
def _apart() -> Iterator[None]:
    """Take from no action what it costs to look at many ways; raises `Spent` where it is too much."""
    outer = METER.get() or Meter()
    with Meter(STEPS, outer.left_out, stops=True, anew=outer.anew).running():
        yield


def all_alike(each: Iterator[Mapping[str, str]], adopts: Callable[[Mapping[str, str]], bool]) -> bool:
    """Tell whether all these ways for ballots to fall surely end alike."""
    try:
        with _apart():
            first = adopts(next(each))
            return all(adopts(one) is first for one in each)
    except (Undecided, Spent):
        return False


def some_does(each: Iterable[Mapping[str, str]], adopts: Callable[[Mapping[str, str]], bool]) -> bool:
    """Tell whether one of these ways for ballots to fall surely adopts."""
    with suppress(Spent), _apart():
        for one in each:
            with suppress(Undecided):
                if adopts(one):
                    return True
    return False


# ------------------------------------------------------------------------------------- what the law says of a vote


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


def torn_parts(law: Law, state: State, proposal: Proposal) -> Message | None:
    """Say why parts cannot be voted on together: they have other voters, or other weights. None where they can.

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
            return say(
                "parts-voted-on-apart",
                "other players vote on part {part}, or with other weights, than on part 1; hand them in apart",
                part=at,
            )
    return None


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
        return say("ballots-unfit", "for and against are among the ballots, each of them once")
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
        "abstains has voted", "when a vote opens; then it is fixed", VOTE, OF_BALLOTS,
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
