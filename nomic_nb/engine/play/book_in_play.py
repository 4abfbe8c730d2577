"""The rule book in the state: rule sets that rules bring in, rules that are void, or suspended, and their revival."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from nomic_nb.engine.law.index import find_contradicted_rules
from nomic_nb.engine.law.language import Language
from nomic_nb.engine.law.new_book import with_incorporated_rulesets
from nomic_nb.engine.law.rules import Rule, RuleBook, VoidReason
from nomic_nb.engine.play.declarations import declare_event
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event, cause_of
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import RULE_CASE
from nomic_nb.engine.rulesets.literate import find_ruleset


def ruleset_finder(language: Language) -> Callable[[str], tuple[Rule, ...]]:
    """Return a function that returns the rules of the packaged rule set with a given name."""
    return lambda name: find_ruleset(name, language).rules


def ruleset_digests(book: RuleBook, language: Language) -> dict[str, str]:
    """Return the digest of each rule set that a book's rules were incorporated from, by its name."""
    names = sorted({rule.ruleset for rule in book if rule.ruleset})
    return {name: find_ruleset(name, language).digest for name in names}


def with_book(state: State, book: RuleBook) -> State:
    """Return the state with this rule book, completed by its incorporated rule sets, and the law that it makes."""
    book = with_incorporated_rulesets(book, ruleset_finder(state.law.language))
    return state.replace(rules=book, law=state.law.for_book(book))


def _describe_voiding(event: Event) -> str:
    """Return the history sentence for a rule that becomes void."""
    rule, against = event.data["numbers"]
    where = f" on {event.data['key']}" if event.data["key"] else ", as the Judge found"
    return f"rule {rule} is void because it contradicts rule {against}{where}"


@declare_event("voided", "a rule becomes void", RULE_CASE, told=_describe_voiding)
def _void_rule(state: State, event: Event) -> State:
    """Return the state after the event that a rule became void, with the reason noted in the rule book."""
    data = event.data
    version = state.rules.rules[data["rule"]].event if data.get("judged") else None
    void = {**state.rules.void, data["rule"]: VoidReason(data["against"], data["key"], version)}
    return with_book(state, state.rules.with_void_rules(void))


declare_event(
    "suspended",
    "a rule is suspended: it has no effect until it is revived",
    RULE_CASE,
    told="rule {number} is suspended until it is revived",
)(
    lambda state, event: with_book(
        state, state.rules.with_void_rules({**state.rules.void, event.data["rule"]: VoidReason(None)})
    )
)


@declare_event(
    "revived", "a rule is no longer void or suspended", RULE_CASE,
    told=lambda e: f"rule {e.data['number']} is {'in force again' if e.data.get('suspended') else 'no longer void'}",
)  # fmt: skip
def _revive_rule(state: State, event: Event) -> State:
    """Return the state after the event that a rule is no longer void or suspended."""
    void = {id: why for id, why in state.rules.void.items() if id != event.data["rule"]}
    return with_book(state, state.rules.with_void_rules(void))


def may_be_voided(state: State, rule: Rule, against: Rule) -> bool:
    """Tell whether the law voids a rule that contradicts `against`: in a voidable tier, and outranked (rule 110)."""
    order = state.law.order
    return rule.tier in (state.find("precedence.void").value or ()) and order.tier_rank(against) < order.tier_rank(rule)


def _is_still_void(state: State, rule_id: int, why: VoidReason) -> bool:
    """Tell whether `why` still keeps a rule void: it is a suspension, or a Judge's ruling that applies as before."""
    if why.against is None:  # as long as nobody revives it
        return True
    rule, against = state.rules.rules[rule_id], state.rules.rules.get(why.against)
    return against is not None and rule.event == why.version and may_be_voided(state, rule, against)


def update_void_rules(engine: Engine) -> None:
    """Emit an event for each rule that the law has made void, and for each that is no longer void (rule 110)."""
    state = engine.state
    finding, law = state.find("precedence.void"), state.law
    kept_out = {id: why for id, why in state.rules.void.items() if why.is_suspended}
    if len(kept_out) < len(state.rules.void):
        law = law.for_book(replace(state.rules, void=kept_out))
    contradicted = find_contradicted_rules(law, finding.value or ())
    kept = engine.cause
    engine.cause = cause_of(finding) or kept
    for id, why in tuple(state.rules.void.items()):
        if id not in contradicted and not _is_still_void(state, id, why):
            engine.emit("revived", rule=id, number=state.rules.rules[id].number)
    for id, (against, key) in contradicted.items():
        if id not in state.rules.void:
            numbers = [state.rules.rules[rule_id].number for rule_id in (id, against)]
            engine.emit("voided", changed=id, rule=id, against=against, key=key, numbers=numbers)
    engine.cause = kept
