"""Rules that are void because they contradict stronger ones (110), and rules that are void no more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from nomic_nb.law.index import contradicted
from nomic_nb.law.nodes import Expression
from nomic_nb.law.places import One
from nomic_nb.law.resolver import Law
from nomic_nb.law.rules import Rule, Void
from nomic_nb.law.view import Undecided
from nomic_nb.play.book import with_book
from nomic_nb.play.cases import ON_RULE, RULE
from nomic_nb.play.declaring import effect, happens
from nomic_nb.play.effects import CHANGED, prevented, rule_meant
from nomic_nb.play.engine import Engine
from nomic_nb.play.events import Event, cause_of
from nomic_nb.play.state import State


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


@happens("revived", "a rule is no longer void", ON_RULE, told="rule {number} is no longer void")
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
    rule, against = state.rules.rules[id], state.rules.rules.get(why.against)
    if why.version is None or against is None or rule.event != why.version:
        return False
    return can_be_void(state, rule, against)


def review_void(engine: Engine) -> None:
    """Record which rules have become void, and which are void no more (110)."""
    state = engine.state
    finding = state.find("precedence.void")
    tiers = tuple(str(one) for one in finding.value) if isinstance(finding.value, tuple) else ()
    law = Law(replace(state.rules, void={}), state.law.order, state.law.language) if state.rules.void else state.law
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
    """Let stand again what a Judge found void."""
    rule = _referred(engine, effect.rule)
    why = engine.state.rules.void.get(rule.id)
    if why is not None and why.version is not None:
        engine.emit("revived", rule=rule.id, number=rule.number)
