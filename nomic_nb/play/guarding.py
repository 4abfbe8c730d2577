"""Rules that are guaranteed to stand for a while: nothing newer of their standing goes before them until then."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from nomic_nb.law.places import Some
from nomic_nb.play.book import with_book
from nomic_nb.play.cases import ON_RULE, RULE
from nomic_nb.play.declaring import effect, happens
from nomic_nb.play.effects import rules_meant
from nomic_nb.play.engine import Engine
from nomic_nb.play.events import Event
from nomic_nb.play.state import State
from nomic_nb.play.values import Proposal

#: Since when a repeal that waits takes effect.
TARGET_IS_FREED = "target is freed"


@happens(
    "guarded", "a rule is guaranteed to stand for now", ON_RULE, told="rule {number} is guaranteed to stand for now"
)
def _guarded(state: State, event: Event) -> State:
    return _marked(state, event.data["rule"], guarded=True)


@happens(
    "freed", "a rule is no longer guaranteed to stand", ON_RULE, told="rule {number} can be overridden from now on"
)
def _freed(state: State, event: Event) -> State:
    return _marked(state, event.data["rule"], guarded=False)


def _marked(state: State, id: int, *, guarded: bool) -> State:
    rules = state.rules
    marked = replace(rules.rules[id], guarded=guarded)
    return with_book(state, replace(rules, rules={**rules.rules, id: marked}, version=rules.version + 1))


@effect(
    "guard {rules}",
    aloud="guarantee that {rules} stands",
    example="guard this",
    makes="guarded",
    rules=Some(RULE, "rules are needed here"),
)
def guard(engine: Engine, effect: Any) -> None:
    """Guarantee that rules stand: where precedence.by says so, none made later goes before them until then."""
    for rule in rules_meant(engine, effect.rules):
        if not rule.guarded:
            engine.emit("guarded", rule=rule.id, number=rule.number)


@effect(
    "free {rules}",
    aloud="guarantee no longer that {rules} stands",
    example="free this",
    makes="freed",
    rules=Some(RULE, "rules are needed here"),
)
def free(engine: Engine, effect: Any) -> None:
    """Guarantee no longer that rules stand; what waits for that takes effect."""
    for rule in rules_meant(engine, effect.rules):
        if not rule.guarded:
            continue
        engine.emit("freed", rule=rule.id, number=rule.number)
        state = engine.state
        for proposal in map(state.proposals.__getitem__, state.unsettled):
            if proposal.status == "waiting" and proposal.due == TARGET_IS_FREED and not _held(state, proposal):
                engine.schedule("put in force", **proposal.case)


def _held(state: State, proposal: Proposal) -> bool:
    """Tell whether a rule still stands guaranteed that a proposal waits for."""
    rules = state.rules.by_number
    targets = (one.target for one in proposal.change.each if one.target is not None)
    return any(rules[one].guarded for one in targets if one in rules)
