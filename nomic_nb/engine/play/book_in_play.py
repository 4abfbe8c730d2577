"""The rule book in the state: rule sets that rules bring in, rules that are void, or suspended, and their revival."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from nomic_nb.engine.law.index import find_contradicted
from nomic_nb.engine.law.language import Language
from nomic_nb.engine.law.new_book import with_incorporated
from nomic_nb.engine.law.rules import Rule, RuleBook, VoidReason
from nomic_nb.engine.play.declarations import declare_event
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event, cause_of
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import RULE_CASE
from nomic_nb.engine.rulesets.literate import find_ruleset


def ruleset_finder(language: Language) -> Callable[[str], tuple[Rule, ...]]:
    """Return what finds the rules of a rule set that comes with the kit."""
    return lambda name: find_ruleset(name, language).rules


def ruleset_digests(book: RuleBook, language: Language) -> dict[str, str]:
    """Return the rule sets that rules of a book bring in, by name, with the digests of their texts."""
    names = sorted({rule.ruleset for rule in book if rule.ruleset})
    return {name: find_ruleset(name, language).digest for name in names}


def with_book(state: State, book: RuleBook) -> State:
    """Return the state with another rule book, and what it brings in, under the order of precedence in force."""
    book = with_incorporated(book, ruleset_finder(state.law.language))
    return state.replace(rules=book, law=state.law.over(book))


def _describe_voiding(event: Event) -> str:
    rule, against = event.data["numbers"]
    where = f" on {event.data['key']}" if event.data["key"] else ", as the Judge found"
    return f"rule {rule} is void: it contradicts rule {against}{where}"


@declare_event("voided", "a rule became void", RULE_CASE, told=_describe_voiding)
def _void_rule(state: State, event: Event) -> State:
    data = event.data
    version = state.rules.rules[data["rule"]].event if data.get("judged") else None
    void = {**state.rules.void, data["rule"]: VoidReason(data["against"], data["key"], version)}
    return with_book(state, state.rules.with_void(void))


@declare_event(
    "suspended",
    "a rule was suspended: it has no effect until it is revived",
    RULE_CASE,
    told="rule {number} is suspended until it is revived",
)
def _suspend_rule(state: State, event: Event) -> State:
    return with_book(state, state.rules.with_void({**state.rules.void, event.data["rule"]: VoidReason(None)}))


@declare_event(
    "revived", "a rule is no longer void, or suspended", RULE_CASE,
    told=lambda e: f"rule {e.data['number']} is {'in force again' if e.data.get('suspended') else 'no longer void'}",
)  # fmt: skip
def _revive_rule(state: State, event: Event) -> State:
    void = {id: why for id, why in state.rules.void.items() if id != event.data["rule"]}
    return with_book(state, state.rules.with_void(void))


def may_be_voided(state: State, rule: Rule, against: Rule) -> bool:
    """Tell whether the law lets a rule be void because it contradicts another (110)."""
    order = state.law.order
    return rule.tier in (state.find("precedence.void").value or ()) and order.tier(against) < order.tier(rule)


def _is_still_void(state: State, id: int, why: VoidReason) -> bool:
    """Tell whether what a Judge found void is that still: the same version, against a stronger rule."""
    if why.against is None:  # as long as nobody revives it
        return True
    rule, against = state.rules.rules[id], state.rules.rules.get(why.against)
    return against is not None and rule.event == why.version and may_be_voided(state, rule, against)


def update_void_rules(engine: Engine) -> None:
    """Record which rules have become void, and which are void no more (110)."""
    state = engine.state
    finding, law = state.find("precedence.void"), state.law
    kept_out = {id: why for id, why in state.rules.void.items() if why.suspended}
    if len(kept_out) < len(state.rules.void):
        law = law.over(replace(state.rules, void=kept_out))
    found = find_contradicted(law, finding.value or ())
    kept = engine.cause
    engine.cause = cause_of(finding) or kept
    for id, why in tuple(state.rules.void.items()):
        if id not in found and not _is_still_void(state, id, why):
            engine.emit("revived", rule=id, number=state.rules.rules[id].number)
    for id, (against, key) in found.items():
        if id not in state.rules.void:
            numbers = [state.rules.rules[one].number for one in (id, against)]
            engine.emit("voided", changed=id, rule=id, against=against, key=key, numbers=numbers)
    engine.cause = kept
