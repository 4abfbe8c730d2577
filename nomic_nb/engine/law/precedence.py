"""Which of several clauses prevails.

Precedence is law too: a `PrecedenceOrder` holds what the law said of it when a step began. The criteria are known by
name, and nothing of which one applies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from operator import attrgetter
from typing import Any, TypeAlias

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.findings import DefeatedClause, PrevailingClauses, set_clause_of
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.law.rules import Number, Rule, RuleBook, SourceClause
from nomic_nb.engine.law.tables import HIGHEST, ranking_table
from nomic_nb.engine.law.values import with_article
from nomic_nb.engine.messages import say
from nomic_nb.engine.words import rule_citation

#: How rules are ranked, which rank goes first, and why, in words.
Criterion: TypeAlias = tuple[Callable[[Rule], Any], Callable[[Iterable[Any]], Any], str]


def _tier_noun(tier: str) -> str:
    """Return what a rule of some standing is called: ``an immutable rule``, ``a meta-rule``."""
    return with_article(tier) + ("" if tier.endswith("rule") else " rule")


@frozen
class PrecedenceOrder:
    """What the law says of precedence.

    Parameters
    ----------
    tiers : tuple of str
        Strongest first. A tier that is not named is weaker than all that are.
    by : tuple of str
        Criteria between rules of one tier, first things first.
    tiers_rule, by_rule : int or str or None
        The rules that say so.
    tables : mapping of str to mapping
        What each rule had, by its id, in the tables that the criteria name, when the order was read.
    """

    tiers: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    tiers_rule: Number | None = None
    by_rule: Number | None = None
    tables: Mapping[str, Mapping[int, Any]] = field(default_factory=dict, hash=False)

    def criterion(self, name: str) -> Criterion | None:
        """Return how rules are ranked by a criterion; None where its name means nothing."""
        if name in CRITERIA:
            return CRITERIA[name]
        best, table = ranking_table(name)
        if table not in self.tables:
            return None
        had = self.tables[table]
        more = "more" if best == HIGHEST else "less"
        return (lambda rule: had.get(rule.id, 0)), max if best == HIGHEST else min, f"has {more} {table}"

    def tier(self, rule: Rule) -> int:
        """Return the rank of a rule's tier, 0 for the strongest."""
        return self.tiers.index(rule.tier) if rule.tier in self.tiers else len(self.tiers)


def number_order(rule: Rule) -> tuple[object, ...]:
    """Return what numbers are compared by: labels stand behind them."""
    return (isinstance(rule.number, str), rule.number)


#: The criterion by which what is guaranteed to stand goes first.
GUARDED = "guarded"


def guarantee_rank(rule: Rule) -> tuple[int, int]:
    """Return how a rule is ranked by its guarantee: what is guaranteed first, and of that what came first."""
    return (1, -rule.first.event) if rule.guarded else (0, 0)


#: The criteria by name: how rules are ranked, which of them are left, and why the others are not.
CRITERIA: Mapping[str, Criterion] = {
    "lowest number": (number_order, min, "has the lower number"),
    "highest number": (number_order, max, "has the higher number"),
    "newest": (attrgetter("event"), max, "is newer"),
    "oldest": (attrgetter("event"), min, "is older"),
    "enacted last": (attrgetter("first.event"), max, "was enacted later"),
    GUARDED: (guarantee_rank, max, "is guaranteed to stand for now"),
}


#: Those by which what came later goes first, with when that was.
REVERSED_CRITERIA: Mapping[str, Callable[[Rule], int]] = {one: CRITERIA[one][0] for one in ("newest", "enacted last")}


@frozen(eq=False)
class Precedence:
    """Precedence among the rules of a book.

    Parameters
    ----------
    book : RuleBook
    order : Order
        What the law says of precedence.
    claims : mapping of int to tuple of Claim
        The claims to prevail and to defer, by the rule that makes them.
    gists : mapping of str to frozenset of str
        What permissions are about, by key.
    """

    book: RuleBook
    order: PrecedenceOrder
    claims: Mapping[int, tuple[c.ClaimClause, ...]]
    gists: Mapping[str, frozenset[str]]

    def prevailing(self, sources: list[SourceClause], key: str) -> PrevailingClauses:
        """Return the clauses that no other defeats, and the defeated ones with the reason.

        Parameters
        ----------
        sources : list of Source
            The clauses that speak to the case; at least one.
        key : str
            What they set, which claims may be limited to.

        Raises
        ------
        Undecided
            The law names a criterion that means nothing.
        """
        if len(sources) == 1:
            return sources, ()
        if key not in self.gists:
            return self._compare(sources, key)
        limits = [one for one in sources if self.is_plain_ban(one)]
        general = [] if not limits else [one for one in sources if self._is_general_permission(one)]
        general = [one for one in general if not any(self.over(one.rule, other.rule, key) for other in limits)]
        if not general:
            return self._compare(sources, key)
        # A limit does not contradict a permission that leaves open what it limits, and meets only the others.
        limiting, allowing = set(map(id, limits)), set(map(id, general))  # by what they are: there may be thousands
        left, defeated = self._compare([one for one in sources if id(one) not in limiting], key)
        beside, beaten = self._compare([one for one in sources if id(one) not in allowing], key)
        kept = [one for one in beside if id(one) in limiting]
        return [*left, *kept], (*defeated, *(one for one in beaten if id(one.source) in limiting))

    def is_plain_ban(self, source: SourceClause) -> bool:
        """Tell whether a clause is a ban that looks at nothing of what a permission of the action is about."""
        gist, clause = self._permission_subject(source), set_clause_of(source)
        if gist is None or clause.value.node.value is not False or clause.condition is None:
            return False
        return gist.isdisjoint(clause.condition.words)

    def _is_general_permission(self, source: SourceClause) -> bool:
        """Tell whether a clause is a permission that looks at nothing but what it is about."""
        gist, clause = self._permission_subject(source), set_clause_of(source)
        if gist is None or clause.value.node.value is not True:
            return False
        return clause.condition is None or not gist.isdisjoint(clause.condition.words)

    def _permission_subject(self, source: SourceClause) -> frozenset[str] | None:
        """Return what permissions of an action are about, where a clause is one of those."""
        return self.gists.get(source.clause.key) if isinstance(source.clause, c.SetClause) else None

    def _compare(self, sources: list[SourceClause], key: str) -> PrevailingClauses:
        order = self.order
        rules = {source.rule.id: source.rule for source in sources}
        if len(rules) <= 1:
            return sources, ()
        tiers = {id: order.tier(rule) for id, rule in rules.items()}
        strongest = min(tiers.values())
        left = [source for source in sources if tiers[source.rule.id] == strongest]
        defeated: list[DefeatedClause] = []
        if len(left) < len(sources):
            stronger, by_rule = _tier_noun(left[0].rule.tier), rule_citation(order.tiers_rule)
            defeated = [
                DefeatedClause(source, f"{stronger} beats {_tier_noun(source.rule.tier)}{by_rule}")
                for source in sources
                if tiers[source.rule.id] != strongest
            ]
        for criterion in order.by:
            if len({source.rule.id for source in left}) == 1:
                break
            if criterion == "claims":
                kept, why = self._apply_claims(left, key), ""
            elif (found := order.criterion(criterion)) is not None:
                rank, best, why = found
                ranks = {source.rule.id: rank(source.rule) for source in left}
                first = best(ranks.values())
                kept = {id for id, one in ranks.items() if one == first}
            else:
                raise Undecided(
                    say(
                        "criterion-unknown",
                        "precedence by {criterion!r} means nothing; known: claims, {known}",
                        criterion=criterion,
                        known=", ".join(CRITERIA),
                    )
                )
            winner = next(source.rule.number for source in left if source.rule.id in kept)
            for source in left:
                if source.rule.id not in kept:
                    said = f"rule {winner} {why}" if why else self._describe_claim(source, left, key)
                    defeated.append(DefeatedClause(source, f"{said}{rule_citation(order.by_rule)}"))
            left = [source for source in left if source.rule.id in kept]
        return left, tuple(defeated)

    def _describe_claim(self, beaten: SourceClause, sources: list[SourceClause], key: str) -> str:
        """Say which rule defeats another by a claim."""
        one = beaten.rule
        by = next(two.rule for two in sources if self.beats(two.rule, one, key))
        return f"rule {by.number} claims to prevail, or the other rule defers to it"

    def _apply_claims(self, sources: list[SourceClause], key: str) -> set[int]:
        """Keep the rules over which no other claims to prevail; claims that meet cancel out (211)."""
        rules = {source.rule.id: source.rule for source in sources}
        if self.claims.keys().isdisjoint(rules):
            return set(rules)
        beaten = {one.id for one in rules.values() for two in rules.values() if self.beats(two, one, key)}
        return set(rules) - beaten or set(rules)

    def beats(self, one: Rule, other: Rule, key: str) -> bool:
        """Tell whether rule `one` claims to prevail over the other, and the other does not claim the same."""
        return self.over(one, other, key) and not self.over(other, one, key)

    def over(self, one: Rule, other: Rule, key: str) -> bool:
        """Tell whether rule `one` claims to prevail over the other, or the other to defer to it."""
        return self._claims_over(one, other, key, prevails=True) or self._claims_over(other, one, key, prevails=False)

    def _names_rule(self, rule: Rule, number: Number) -> bool:
        """Tell whether a number points at a rule: its own, or one that it had and no rule has now (108)."""
        if rule.number == number:
            return True
        return number not in self.book.by_number and number in rule.numbers

    def _claims_over(self, one: Rule, other: Rule, key: str, *, prevails: bool) -> bool:
        return any(
            claim.prevails is prevails
            and (claim.over is None or any(self._names_rule(other, number) for number in claim.over))
            and claim.key in (None, key)
            for claim in self.claims.get(one.id, ())
        )
