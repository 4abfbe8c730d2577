"""What a change does to the standing of rules: numbers, rank, void and revived."""

from __future__ import annotations

from dataclasses import dataclass

from nomic_nb.explore.terms import spans
from nomic_nb.law.clauses import Clause
from nomic_nb.law.precedence import Order
from nomic_nb.law.resolver import Law
from nomic_nb.law.rules import Number, Rule, Source
from nomic_nb.law.view import Undecided
from nomic_nb.markup.words import cited
from nomic_nb.play.state import State

_NOTHING = Clause("")


@dataclass(frozen=True)
class Voided:
    """A rule that becomes void, or is void no more.

    Parameters
    ----------
    rule : int or str
        The rule; its number after the change.
    against : int or str or None
        The one that it contradicts; None where it is suspended.
    key : str
        On what they differ.
    by : int or str or None
        The rule that makes it so.
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
            return f"rule {self.rule} becomes void: it contradicts rule {self.against} on {self.key}{cited(self.by)}"
        return f"rule {self.rule} is no longer void: nothing that it contradicts is left on {self.key}"


@dataclass(frozen=True)
class Moved:
    """A rule whose number or standing changes.

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
        What the law says decides, with the rules that say so.
    """

    old: Number
    new: Number
    old_tier: str
    new_tier: str
    gives_way: tuple[Number, ...] = ()
    prevails: tuple[Number, ...] = ()
    criteria: str = ""

    def __str__(self) -> str:
        said = f"rule {self.old} becomes {self.new}" if self.old != self.new else f"rule {self.old} keeps its number"
        if self.old_tier != self.new_tier:
            said += f", and turns from {self.old_tier} to {self.new_tier}"
        parts = []
        if self.gives_way:
            parts.append(f"gives way to {spans(self.gives_way)}, which gave way to it before")
        if self.prevails:
            parts.append(f"prevails over {spans(self.prevails)}, which prevailed over it before")
        if not parts:
            return f"{said}; it ranks among the others as before"
        return f"{said}; in a conflict it now {' and '.join(parts)} ({self.criteria})"


def voided(before: State, after: State) -> tuple[Voided, ...]:
    """Return the rules that become void, and those that are revived."""
    found = []
    for state, other in ((after, before), (before, after)):
        by = state.find("precedence.void").rule
        for id, why in state.rules.void.items():
            if id not in other.rules.void and id in after.rules.rules:
                against = state.rules.rules.get(why.against or 0)
                number = against.number if against is not None else None
                found.append(Voided(after.rules.rules[id].number, number, why.key, by, state is after))
    return tuple(found)


def moved(before: State, after: State) -> tuple[Moved, ...]:
    """Return the rules that have another number or another standing afterwards."""
    found = []
    for rule in before.rules:
        now = after.rules.rules.get(rule.id)
        if now is None or (now.number, now.tier) == (rule.number, rule.tier):
            continue
        now_weaker, now_stronger = [], []
        for other in after.rules:
            then = before.rules.rules.get(other.id)
            if then is None or other.id == rule.id:
                continue
            match stronger(before.law, rule, then), stronger(after.law, now, other):
                case (rule.id, other.id):
                    now_weaker.append(other.number)
                case (other.id, rule.id):
                    now_stronger.append(other.number)
        criteria = _criteria(after.law.order, tiers=rule.tier != now.tier, numbers=rule.number != now.number)
        ranks = tuple(now_weaker), tuple(now_stronger)
        found.append(Moved(rule.number, now.number, rule.tier, now.tier, *ranks, criteria))
    return tuple(found)


def stronger(law: Law, one: Rule, other: Rule) -> int | None:
    """Return the id of the rule that prevails where two meet; None where neither does."""
    try:
        left, _ = law.precedence.prevailing([Source(one, _NOTHING), Source(other, _NOTHING)], "")
    except Undecided:
        return None
    ids = {source.rule.id for source in left}
    return ids.pop() if len(ids) == 1 else None


def _criteria(order: Order, *, tiers: bool, numbers: bool) -> str:
    said = []
    if tiers and order.tiers:
        said.append(f"tiers: {', '.join(order.tiers)}{_by(order.tiers_rule)}")
    if numbers and order.by:
        said.append(f"{', then '.join(order.by)}{_by(order.by_rule)}")
    return "; ".join(said)


def _by(rule: Number | None) -> str:
    return "" if rule is None else f", by rule {rule}"
