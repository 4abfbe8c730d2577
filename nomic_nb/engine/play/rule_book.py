"""The rule book in the state: rule sets that rules bring in, rules that are void, or suspended, and their revival."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from nomic_nb.engine.law.index import contradicted
from nomic_nb.engine.law.language import Language
from nomic_nb.engine.law.new_book import with_incorporated
from nomic_nb.engine.law.rules import Rule, RuleBook, Void
from nomic_nb.engine.play.declarations import happens
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event, cause_of
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import ON_RULE
from nomic_nb.engine.rulesets.literate import find_ruleset


def library(language: Language) -> Callable[[str], tuple[Rule, ...]]:
    """Return what finds the rules of a rule set that comes with the kit."""
    return lambda name: find_ruleset(name, language).rules


def digests(book: RuleBook, language: Language) -> dict[str, str]:
    """Return the rule sets that rules of a book bring in, by name, with the digests of their texts."""
    names = sorted({rule.ruleset for rule in book if rule.ruleset})
    return {name: find_ruleset(name, language).digest for name in names}


def with_book(state: State, book: RuleBook) -> State:
    """Return the state with another rule book, and what it brings in, under the order of precedence in force."""
    book = with_incorporated(book, library(state.law.language))
    return state.but(rules=book, law=state.law.over(book))


def _told_voided(event: Event) -> str:
    rule, against = event.data["numbers"]
    where = f" on {event.data['key']}" if event.data["key"] else ", as the Judge found"
    return f"rule {rule} is void: it contradicts rule {against}{where}"


@happens("voided", "a rule became void", ON_RULE, told=_told_voided)
def _voided(state: State, event: Event) -> State:
    data = event.data
    version = state.rules.rules[data["rule"]].event if data.get("judged") else None
    void = {**state.rules.void, data["rule"]: Void(data["against"], data["key"], version)}
    return with_book(state, state.rules.with_void(void))


@happens(
    "suspended",
    "a rule was suspended: it has no effect until it is revived",
    ON_RULE,
    told="rule {number} is suspended until it is revived",
)
def _suspended(state: State, event: Event) -> State:
    return with_book(state, state.rules.with_void({**state.rules.void, event.data["rule"]: Void(None)}))


@happens(
    "revived", "a rule is no longer void, or suspended", ON_RULE,
    told=lambda e: f"rule {e.data['number']} is {'in force again' if e.data.get('suspended') else 'no longer void'}",
)  # fmt: skip
def _revived(state: State, event: Event) -> State:
    void = {id: why for id, why in state.rules.void.items() if id != event.data["rule"]}
    return with_book(state, state.rules.with_void(void))


def can_be_void(state: State, rule: Rule, against: Rule) -> bool:
    """Tell whether the law lets a rule be void because it contradicts another (110)."""
    order = state.law.order
    return rule.tier in (state.find("precedence.void").value or ()) and order.tier(against) < order.tier(rule)


def _still_void(state: State, id: int, why: Void) -> bool:
    """Tell whether what a Judge found void is that still: the same version, against a stronger rule."""
    if why.against is None:  # as long as nobody revives it
        return True
    rule, against = state.rules.rules[id], state.rules.rules.get(why.against)
    return against is not None and rule.event == why.version and can_be_void(state, rule, against)


def review_void(engine: Engine) -> None:
    """Record which rules have become void, and which are void no more (110)."""
    state = engine.state
    finding, law = state.find("precedence.void"), state.law
    kept_out = {id: why for id, why in state.rules.void.items() if why.suspended}
    if len(kept_out) < len(state.rules.void):
        law = law.over(replace(state.rules, void=kept_out))
    found = contradicted(law, finding.value or ())
    kept = engine.cause
    engine.cause = cause_of(finding) or kept
    for id, why in tuple(state.rules.void.items()):
        if id not in found and not _still_void(state, id, why):
            engine.emit("revived", rule=id, number=state.rules.rules[id].number)
    for id, (against, key) in found.items():
        if id not in state.rules.void:
            numbers = [state.rules.rules[one].number for one in (id, against)]
            engine.emit("voided", changed=id, rule=id, against=against, key=key, numbers=numbers)
    engine.cause = kept
