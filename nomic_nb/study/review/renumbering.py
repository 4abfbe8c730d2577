"""Effects of a change on the status of rules: numbers and references to them, tier, void and revived."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.clauses import ClaimClause, Clause
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.law.precedence import PrecedenceOrder
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Number, Rule, SourceClause
from nomic_nb.engine.play.state import State
from nomic_nb.engine.words import rule_citation
from nomic_nb.study.review.terms import number_spans

_NUMBER = r"(?:[A-Z]{1,3}\d+|[-−]?\d+)"
_AND = r"(?:\s*,\s*(?:(?:and|or)\s+)?|\s+(?:and|or|to)\s+|\s*[-–]\s*(?=\d))"
_SPOKEN = re.compile(rf"\b[Rr]ules?\s+(?:no\.?\s+)?({_NUMBER}(?:{_AND}(?:[Rr]ules?\s+)?{_NUMBER})*)(?!\w)")


@frozen
class DanglingReference:
    """A rule that refers to another by a number that will no longer be correct after the change.

    Parameters
    ----------
    rule : int or str
        The referring rule, by its number after the change.
    number : int or str
        The number that it names.
    words : str
        Its words.
    clause : bool
        Whether the reference is in a clause, and not in the wording.
    became : str
        The rule, or lack of one, under that number.
    holds : bool
        Whether the machine still follows a claim as it was meant.
    """

    rule: Number
    number: Number
    words: str
    clause: bool
    became: str
    holds: bool

    def __str__(self) -> str:
        where = " in a clause" if self.clause else ""
        still = "; the clause still refers to the original rule" if self.holds else ""
        return f"rule {self.rule} says “{self.words}”{where}, but {self.became}{still}"


@lru_cache(maxsize=1024)
def rules_named_in_wording(wording: str) -> tuple[tuple[Number, str], ...]:
    """Return the numbers of the rules that a wording names, each with the words that name it.

    Examples
    --------
    >>> rules_named_in_wording("Rules 201 to 213 give way to rule A1; 208 points win.")
    ((201, 'Rules 201 to 213'), (213, 'Rules 201 to 213'), ('A1', 'rule A1'))
    """
    return tuple(
        (_parse_rule_number(number), " ".join(match[0].split()))
        for match in _SPOKEN.finditer(wording)
        for number in re.findall(_NUMBER, re.sub(r"(?<=\d)\s*[-–]\s*(?=\d)", " ", match[1]))
    )


def _parse_rule_number(text: str) -> Number:
    """Return the rule number that a text gives: an int, or if it has letters (“A1”), the text itself."""
    plain = text.replace("−", "-")
    return int(plain) if re.fullmatch(r"-?\d+", plain) else plain


def rules_named_in_clause(clause: Clause) -> Iterator[Number]:
    """Yield the numbers of the rules that a clause names in a precedence claim or a comparison."""
    if isinstance(clause, ClaimClause):
        yield from clause.over or ()
    for node, other in clause.compared_pairs():
        if node.field == "number" and node.parts[0].text != "proposal":
            yield from (part.value for part in (other, *other.parts) if type(part.value) is int)


def rule_references(rule: Rule) -> Iterator[tuple[Number, str, bool]]:
    """Yield each rule number that a rule cites, the citing words, and True if a clause (not the wording) cites it."""
    for number, words in rules_named_in_wording(rule.wording):
        yield number, words, False
    for clause in rule.clauses:
        for number in rules_named_in_clause(clause):
            yield number, clause.words, True


def find_dangling_references(before: State, after: State, changed: frozenset[int]) -> tuple[DanglingReference, ...]:
    """Return references by number that a change leaves pointing at no rule or a different one; `changed` has rule ids.

    For the changed rules themselves, it includes all references to missing rules, even old ones.

    Parameters
    ----------
    before, after : State
        As things stand, and as they would.
    changed : frozenset of int
        Ids of the rules that the change concerns, or makes.
    """
    then, now = before.rules.by_number, after.rules.by_number
    references: dict[tuple[Number, Number, str], DanglingReference] = {}
    lost = [number for number, old in then.items() if number not in now or now[number].id != old.id]
    for rule in after.rules if lost else [candidate for candidate in after.rules if candidate.id in changed]:
        for number, words, clause in rule_references(rule):
            old, new = then.get(number), now.get(number)
            same = new is not None and (old is None or old.id == new.id)
            if same or (old is None and rule.id not in changed):
                continue
            became = (
                after.rules.missing_rule_message(number) if new is None else f"rule {number} would be a different rule"
            )
            meant = None if old is None else after.rules.rules.get(old.id)
            holds = clause and meant is not None and _does_claim_still_apply(after.law, rule, meant, words)
            references.setdefault(
                (rule.number, number, words), DanglingReference(rule.number, number, words, clause, became, holds)
            )
    return tuple(references.values())


def _does_claim_still_apply(law: Law, rule: Rule, meant: Rule, words: str) -> bool:
    """Return True if a rule's precedence claim, given by its words, still decides between it and the rule meant."""
    for clause in rule.clauses:
        if isinstance(clause, ClaimClause) and clause.words == words:
            stronger, other = (rule, meant) if clause.prevails else (meant, rule)
            return law.precedence.claims_to_prevail(stronger, other, clause.key or "")
    return False


_NOTHING = Clause("")


@frozen
class VoidedRule:
    """A rule that becomes void, or is no longer void.

    Parameters
    ----------
    rule : int or str
        The rule; its number after the change.
    against : int or str or None
        The rule that it contradicts; None if it is suspended.
    key : str
        The key on which they differ.
    by : int or str or None
        The rule that causes this.
    void : bool
        Whether it is void after the change.
    """

    rule: Number
    against: Number | None
    key: str
    by: Number | None
    void: bool

    def __str__(self) -> str:
        if self.against is None:
            return f"rule {self.rule} is {'suspended until it is revived' if self.void else 'in force again'}"
        if self.void:
            cited = rule_citation(self.by)
            return f"rule {self.rule} becomes void: it contradicts rule {self.against} on {self.key}{cited}"
        return f"rule {self.rule} is no longer void: nothing it contradicts on {self.key} is left"


@frozen
class MovedRule:
    """A rule whose number or tier changes.

    Parameters
    ----------
    old, new : int or str
        The number before and after.
    old_tier, new_tier : str
        The standing before and after.
    gives_way : tuple of int or str
        Rules that it prevailed over where they met, and that prevail over it afterwards.
    prevails : tuple of int or str
        Rules that prevailed over it, and over which it prevails afterwards.
    criteria : str
        The criteria that the law sets, with their rules.
    """

    old: Number
    new: Number
    old_tier: str
    new_tier: str
    gives_way: tuple[Number, ...]
    prevails: tuple[Number, ...] = ()
    criteria: str = ""

    def __str__(self) -> str:
        sentence = (
            f"rule {self.old} becomes {self.new}" if self.old != self.new else f"rule {self.old} keeps its number"
        )
        if self.old_tier != self.new_tier:
            sentence += f", and changes from {self.old_tier} to {self.new_tier}"
        parts = []
        if self.gives_way:
            parts.append(f"yields to {number_spans(self.gives_way)}, which yielded to it before")
        if self.prevails:
            parts.append(f"takes precedence over {number_spans(self.prevails)}, which took precedence over it before")
        if not parts:
            return f"{sentence}; its precedence stays the same"
        return f"{sentence}; in a conflict it now {' and '.join(parts)} ({self.criteria})"


def find_voided_rules(before: State, after: State) -> tuple[VoidedRule, ...]:
    """Return the rules that a change makes void, and those that it revives."""
    rules_voided = []
    for state, other in ((after, before), (before, after)):
        by = state.find("precedence.void").rule
        for id, why in state.rules.void.items():
            if id not in other.rules.void and id in after.rules.rules:
                against = state.rules.rules.get(why.against or 0)
                number = against.number if against is not None else None
                rules_voided.append(VoidedRule(after.rules.rules[id].number, number, why.key, by, state is after))
    return tuple(rules_voided)


def find_moved_rules(before: State, after: State) -> tuple[MovedRule, ...]:
    """Return the rules whose number or tier a change alters."""
    rules_moved = []
    for rule in before.rules:
        now = after.rules.rules.get(rule.id)
        if now is None or (now.number, now.tier) == (rule.number, rule.tier):
            continue
        now_weaker, now_stronger = [], []
        for other in after.rules:
            then = before.rules.rules.get(other.id)
            if then is None or other.id == rule.id:
                continue
            match stronger_rule_id(before.law, rule, then), stronger_rule_id(after.law, now, other):
                case (rule.id, other.id):
                    now_weaker.append(other.number)
                case (other.id, rule.id):
                    now_stronger.append(other.number)
        criteria = _ranking_criteria_text(
            after.law.order, tiers=rule.tier != now.tier, numbers=rule.number != now.number
        )
        ranks = tuple(now_weaker), tuple(now_stronger)
        rules_moved.append(MovedRule(rule.number, now.number, rule.tier, now.tier, *ranks, criteria))
    return tuple(rules_moved)


def stronger_rule_id(law: Law, rule: Rule, other: Rule) -> int | None:
    """Return the id of whichever of two rules prevails where they conflict; None if the law decides for neither."""
    try:
        left, _ = law.precedence.prevailing_clauses([SourceClause(rule, _NOTHING), SourceClause(other, _NOTHING)], "")
    except Undecided:
        return None
    ids = {source.rule.id for source in left}
    return ids.pop() if len(ids) == 1 else None


def _ranking_criteria_text(order: PrecedenceOrder, *, tiers: bool, numbers: bool) -> str:
    """Return in words the order of tiers (if `tiers`), and by what else rules rank (if `numbers`)."""
    sentences = []
    if tiers and order.tiers:
        sentences.append(f"tiers: {', '.join(order.tiers)}{_rule_suffix(order.tiers_rule)}")
    if numbers and order.by:
        sentences.append(f"{', then '.join(order.by)}{_rule_suffix(order.by_rule)}")
    return "; ".join(sentences)


def _rule_suffix(rule: Number | None) -> str:
    """Return “, by rule …” for a rule number; empty without one."""
    return "" if rule is None else f", by rule {rule}"
