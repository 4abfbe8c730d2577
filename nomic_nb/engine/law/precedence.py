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
from nomic_nb.engine.law.tables import HIGHEST, direction_and_ranking_table
from nomic_nb.engine.law.values import with_article
from nomic_nb.engine.words import rule_citation

#: How rules are ranked, which rank goes first, and why, in words.
Criterion: TypeAlias = tuple[Callable[[Rule], Any], Callable[[Iterable[Any]], Any], str]


def _tier_noun(tier: str) -> str:
    """Return what a rule of a tier is called, with its article, such as “an immutable rule”."""
    return with_article(tier) + ("" if tier.endswith("rule") else " rule")


@frozen
class PrecedenceOrder:
    """The order of precedence that the law sets.

    Parameters
    ----------
    tiers : tuple of str
        Strongest first. A tier that is not named is weaker than all named ones.
    by : tuple of str
        Criteria between rules of one tier, first things first.
    tiers_rule, by_rule : int or str or None
        The rules that say so.
    tables : mapping of str to mapping
        Entries of each rule, by its id, in the tables that the criteria name, when the order was read.
    """

    tiers: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    tiers_rule: Number | None = None
    by_rule: Number | None = None
    tables: Mapping[str, Mapping[int, Any]] = field(default_factory=dict, hash=False)

    def criterion(self, name: str) -> Criterion | None:
        """Return a criterion's ranking function, `min` or `max` for the winning rank, and a reason; None if unknown."""
        if name in CRITERIA:
            return CRITERIA[name]
        best, table = direction_and_ranking_table(name)
        if table not in self.tables:
            return None
        had = self.tables[table]
        more = "more" if best == HIGHEST else "less"
        return (lambda rule: had.get(rule.id, 0)), max if best == HIGHEST else min, f"has {more} {table}"

    def tier_rank(self, rule: Rule) -> int:
        """Return the rank of a rule's tier, such as ``immutable``; 0 is the strongest."""
        return self.tiers.index(rule.tier) if rule.tier in self.tiers else len(self.tiers)


def rule_number_sort_key(rule: Rule) -> tuple[object, ...]:
    """Return a sort key for a rule by its number, with labels such as ``R8`` after numbers."""
    return (isinstance(rule.number, str), rule.number)


#: The criterion by which what is guaranteed to stand goes first.
GUARDED = "guarded"


def guarantee_sort_key(rule: Rule) -> tuple[int, int]:
    """Return a sort key that is highest for the oldest guaranteed rule, lowest for rules without a guarantee."""
    return (1, -rule.first_version.event) if rule.guarded else (0, 0)


#: The criteria by name: how rules are ranked, which of them are left, and why the others are not.
CRITERIA: Mapping[str, Criterion] = {
    "lowest number": (rule_number_sort_key, min, "has the lower number"),
    "highest number": (rule_number_sort_key, max, "has the higher number"),
    "newest": (attrgetter("event"), max, "is newer"),
    "oldest": (attrgetter("event"), min, "is older"),
    "enacted last": (attrgetter("first_version.event"), max, "was enacted later"),
    GUARDED: (guarantee_sort_key, max, "is guaranteed for now"),
}


#: Those by which what came later goes first, with when that was.
REVERSED_CRITERIA: Mapping[str, Callable[[Rule], int]] = {
    criterion: CRITERIA[criterion][0] for criterion in ("newest", "enacted last")
}


@frozen(eq=False)
class Precedence:
    """Precedence among the rules of a book.

    Parameters
    ----------
    book : RuleBook
    order : Order
        Order of precedence that the law sets.
    claims : mapping of int to tuple of Claim
        The claims to prevail and to defer, by the rule that makes them.
    gists : mapping of str to frozenset of str
        Subjects of permissions, by key.
    """

    book: RuleBook
    order: PrecedenceOrder
    claims: Mapping[int, tuple[c.ClaimClause, ...]]
    gists: Mapping[str, frozenset[str]]

    def prevailing_clauses(self, sources: list[SourceClause], key: str) -> PrevailingClauses:
        """Return, of several clauses on a key, those that no other defeats, and the defeated ones with the reasons.

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
            return self._compare_by_criteria(sources, key)
        limits = [source for source in sources if self.is_plain_ban(source)]
        general = [] if not limits else [source for source in sources if self._is_general_permission(source)]
        general = [
            source
            for source in general
            if not any(self.claims_to_prevail(source.rule, other.rule, key) for other in limits)
        ]
        if not general:
            return self._compare_by_criteria(sources, key)
        # A limit does not contradict a permission that leaves open what it limits, and meets only the others.
        limiting, allowing = set(map(id, limits)), set(map(id, general))  # by what they are: there may be thousands
        left, defeated = self._compare_by_criteria([source for source in sources if id(source) not in limiting], key)
        beside, beaten = self._compare_by_criteria([source for source in sources if id(source) not in allowing], key)
        kept = [source for source in beside if id(source) in limiting]
        return [*left, *kept], (
            *defeated,
            *(beaten_clause for beaten_clause in beaten if id(beaten_clause.source) in limiting),
        )

    def is_plain_ban(self, source: SourceClause) -> bool:
        """Tell whether a clause forbids an action on a condition without any word of the action's declared subject."""
        gist, clause = self._permission_subject(source), set_clause_of(source)
        if gist is None or clause.value.node.value is not False or clause.condition is None:
            return False
        return gist.isdisjoint(clause.condition.words)

    def _is_general_permission(self, source: SourceClause) -> bool:
        """Tell whether a clause allows an action always, or on a condition with a word of its declared subject."""
        gist, clause = self._permission_subject(source), set_clause_of(source)
        if gist is None or clause.value.node.value is not True:
            return False
        return clause.condition is None or not gist.isdisjoint(clause.condition.words)

    def _permission_subject(self, source: SourceClause) -> frozenset[str] | None:
        """Return the words that a clause's action declares as the subject of its permissions; None if none."""
        return self.gists.get(source.clause.key) if isinstance(source.clause, c.SetClause) else None

    def _compare_by_criteria(self, sources: list[SourceClause], key: str) -> PrevailingClauses:
        """Return the clauses that win by tier and then by each criterion in turn, and the defeated ones."""
        order = self.order
        rules = {source.rule.id: source.rule for source in sources}
        if len(rules) <= 1:
            return sources, ()
        tiers = {id: order.tier_rank(rule) for id, rule in rules.items()}
        strongest = min(tiers.values())
        left = [source for source in sources if tiers[source.rule.id] == strongest]
        defeated = []
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
                kept, why = self._rules_left_by_claims(left, key), ""
            elif (criterion_spec := order.criterion(criterion)) is not None:
                rank, best, why = criterion_spec
                ranks = {source.rule.id: rank(source.rule) for source in left}
                first = best(ranks.values())
                kept = {id for id, rule_rank in ranks.items() if rule_rank == first}
            else:
                raise Undecided(
                    "criterion-unknown",
                    "rules can’t be ranked by {criterion!r} (you can use claims, {known})",
                    criterion=criterion,
                    known=", ".join(CRITERIA),
                )
            winner = next(source.rule.number for source in left if source.rule.id in kept)
            for source in left:
                if source.rule.id not in kept:
                    sentence = f"rule {winner} {why}" if why else self._describe_claim(source, left, key)
                    defeated.append(DefeatedClause(source, f"{sentence}{rule_citation(order.by_rule)}"))
            left = [source for source in left if source.rule.id in kept]
        return left, tuple(defeated)

    def _describe_claim(self, beaten: SourceClause, sources: list[SourceClause], key: str) -> str:
        """Return in words which rule's claim to prevail, or whose deferring, makes the clause `beaten` lose."""
        rule = beaten.rule
        by = next(two.rule for two in sources if self.prevails_by_claim(two.rule, rule, key))
        return f"rule {by.number} claims precedence, or the other rule defers to it"

    def _rules_left_by_claims(self, sources: list[SourceClause], key: str) -> set[int]:
        """Return the ids of the rules over which none claims to prevail; all ids if that leaves none."""
        rules = {source.rule.id: source.rule for source in sources}
        if self.claims.keys().isdisjoint(rules):
            return set(rules)
        beaten = {
            rule.id for rule in rules.values() for two in rules.values() if self.prevails_by_claim(two, rule, key)
        }
        return set(rules) - beaten or set(rules)

    def prevails_by_claim(self, rule: Rule, other: Rule, key: str) -> bool:
        """Tell whether one rule claims to prevail over another on a key, and not also the other way round."""
        return self.claims_to_prevail(rule, other, key) and not self.claims_to_prevail(other, rule, key)

    def claims_to_prevail(self, rule: Rule, other: Rule, key: str) -> bool:
        """Tell whether `rule` claims to prevail over `other` on a key, or `other` defers to `rule`."""
        return self._has_claim_about(rule, other, key, prevails=True) or self._has_claim_about(
            other, rule, key, prevails=False
        )

    def _is_number_of_rule(self, rule: Rule, number: Number) -> bool:
        """Tell whether a number means a rule: as its present one, or a former one that no rule has now."""
        if rule.number == number:
            return True
        return number not in self.book.by_number and number in rule.all_numbers

    def _has_claim_about(self, rule: Rule, other: Rule, key: str, *, prevails: bool) -> bool:
        """Tell whether `rule` claims to prevail over `other` on a key (or, if not `prevails`, to defer to it)."""
        return any(
            claim.prevails is prevails
            and (claim.over is None or any(self._is_number_of_rule(other, number) for number in claim.over))
            and claim.key in (None, key)
            for claim in self.claims.get(rule.id, ())
        )
