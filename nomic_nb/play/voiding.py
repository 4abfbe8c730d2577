"""Rules that are void because they contradict stronger ones (110), rules that are suspended, and their revival."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from nomic_nb.law.changes import Change
from nomic_nb.law.findings import Finding
from nomic_nb.law.index import contradicted
from nomic_nb.law.nodes import Expression
from nomic_nb.law.places import One
from nomic_nb.law.resolver import Law
from nomic_nb.law.rules import Rule, Void
from nomic_nb.law.values import Ref
from nomic_nb.law.view import Undecided
from nomic_nb.play.book import with_book
from nomic_nb.play.cases import ON_RULE, RULE
from nomic_nb.play.declaring import effect, happens
from nomic_nb.play.effects import CHANGED, prevented, rule_meant
from nomic_nb.play.engine import Engine
from nomic_nb.play.events import Event, cause_of
from nomic_nb.play.possible import supposed, supposed_case
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
            engine.emit(
                "voided",
                changed=id,
                rule=id,
                against=against,
                key=key,
                numbers=numbers,
            )
    engine.cause = kept


def _referred(engine: Engine, expression: Expression) -> Rule:
    rule = rule_meant(engine, expression)
    if rule is None:
        raise Undecided("there is no such rule any more")
    return rule


@effect(
    "void {rule} against {against}",
    aloud="find {rule} void, since it contradicts {against}",
    example="void this against rule_numbered(101)",
    makes="voided",
    ordered_by="Judge",
    rule=One(RULE, "what is void"),
    against=One(RULE, "what it contradicts"),
)
def _void(engine: Engine, effect: Any) -> None:
    """Find that a rule contradicts a stronger one."""
    rule, against = _referred(engine, effect.rule), _referred(engine, effect.against)
    if not can_be_void(engine.state, rule, against):
        prevented(engine, effect, engine.find("precedence.void").rule)
    elif rule.id not in engine.state.rules.void:
        engine.emit(
            "voided", changed=rule.id, rule=rule.id, against=against.id, key="",
            judged=True, numbers=[rule.number, against.number],
        )  # fmt: skip


@effect(
    "revive {rule}",
    example="revive this",
    makes="revived",
    ordered_by="Judge",
    rule=One(RULE, CHANGED),
)
def _revive(engine: Engine, effect: Any) -> None:
    """Let stand again what a rule suspends, or a Judge found void."""
    rule = _referred(engine, effect.rule)
    why = engine.state.rules.void.get(rule.id)
    if why is None or (why.version is None and not why.suspended):
        return
    if why.suspended and not _in_its_power(engine, rule):
        prevented(engine, effect, _automatic(engine, rule).rule)
        return
    engine.emit("revived", data={"suspended": True} if why.suspended else {}, rule=rule.id, number=rule.number)
    review_void(engine)


@effect(
    "void {rule}",
    aloud="suspend {rule} until it is revived",
    example="void this",
    makes="suspended",
    rule=One(RULE, "what is suspended"),
)
def _suspend(engine: Engine, effect: Any) -> None:
    """Suspend a rule until it is revived, where the law lets the rule at work repeal it by itself."""
    rule = _referred(engine, effect.rule)
    if rule.id in engine.state.rules.void:
        return
    if _in_its_power(engine, rule):
        engine.emit("suspended", changed=rule.id, rule=rule.id, number=rule.number)
        review_void(engine)
    else:
        prevented(engine, effect, _automatic(engine, rule).rule)


def _automatic(engine: Engine, rule: Rule) -> Finding:
    """Say whether the law lets the rule at work repeal another by itself: whoever may do that may suspend it."""
    trial = supposed(engine.state, Change("repeal", rule.number), "")
    case = supposed_case() | ({"rule": Ref("rule", engine.cause.id)} if engine.cause else {})
    return engine.law.find("change.automatic", trial, case)


def _in_its_power(engine: Engine, rule: Rule) -> bool:
    if "judgment" in engine.item.env or (engine.cause is not None and engine.cause.id == rule.id):
        return True  # a rule may be silent about what it says itself
    return engine.law.settled(_automatic(engine, rule)) is True
