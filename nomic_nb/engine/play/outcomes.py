"""What can become of a vote: every way in which its ballots can fall, and whether all of them end alike."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import combinations_with_replacement, product
from math import comb, prod

from nomic_nb.engine.law.findings import as_set
from nomic_nb.engine.law.nodes import Expression, Node, all_of, canonical
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Source
from nomic_nb.engine.law.view import METER, Meter, Spent, Undecided, View
from nomic_nb.engine.play.values import Vote

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
