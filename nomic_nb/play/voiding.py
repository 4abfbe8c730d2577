"""Rules that are void because they contradict stronger ones (110), rules that are suspended, and their revival."""

from __future__ import annotations

from dataclasses import replace

from nomic_nb.law.index import contradicted
from nomic_nb.law.resolver import Law
from nomic_nb.law.rules import Rule, Void
from nomic_nb.play.book import with_book
from nomic_nb.play.cases import ON_RULE
from nomic_nb.play.declaring import happens
from nomic_nb.play.engine import Engine
from nomic_nb.play.events import Event, cause_of
from nomic_nb.play.state import State


def _told_voided(event: Event) -> str:
    rule, against = event.data["numbers"]
    where = f" on {event.data['key']}" if event.data["key"] else ", as the Judge found"
    return f"rule {rule} is void: it contradicts rule {against}{where}"


def _told_revived(event: Event) -> str:
    return f"rule {event.data['number']} is {'in force again' if event.data.get('suspended') else 'no longer void'}"


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


@happens("revived", "a rule is no longer void, or suspended", ON_RULE, told=_told_revived)
def _revived(state: State, event: Event) -> State:
    void = {id: why for id, why in state.rules.void.items() if id != event.data["rule"]}
    return with_book(state, state.rules.with_void(void))


def can_be_void(state: State, rule: Rule, against: Rule) -> bool:
    """Tell whether the law lets a rule be void because it contradicts another (110)."""
    finding = state.find("precedence.void")
    tiers = finding.value if isinstance(finding.value, tuple) else ()
    order = state.law.order
    return rule.tier in tiers and order.tier(against) < order.tier(rule)


def _still_void(state: State, id: int, why: Void) -> bool:
    """Tell whether what a Judge found void is that still: the same version, against a stronger rule."""
    if why.against is None:  # as long as nobody revives it
        return True
    rule, against = state.rules.rules[id], state.rules.rules.get(why.against)
    if why.version is None or against is None or rule.event != why.version:
        return False
    return can_be_void(state, rule, against)


def review_void(engine: Engine) -> None:
    """Record which rules have become void, and which are void no more (110)."""
    state = engine.state
    finding = state.find("precedence.void")
    tiers = tuple(str(one) for one in finding.value) if isinstance(finding.value, tuple) else ()
    kept_out = {id: why for id, why in state.rules.void.items() if why.suspended}
    law = state.law
    if len(kept_out) < len(state.rules.void):
        law = Law(replace(state.rules, void=kept_out), state.law.order, state.law.language)
    found = contradicted(law, tiers)
    kept = engine.cause
    engine.cause = cause_of(finding) or kept
    for id, why in tuple(state.rules.void.items()):
        if id not in found and not _still_void(state, id, why):
            number = state.rules.rules[id].number
            engine.emit("revived", rule=id, number=number)
    for id, (against, key) in found.items():
        if id not in state.rules.void:
            numbers = [state.rules.rules[one].number for one in (id, against)]
            engine.emit("voided", changed=id, rule=id, against=against, key=key, numbers=numbers)
    engine.cause = kept
