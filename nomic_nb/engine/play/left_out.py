"""What is left out of a step: clauses that set each other off for ever, take too many steps, or fail."""

from __future__ import annotations

from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.law.clauses import On
from nomic_nb.engine.law.faults import Fault
from nomic_nb.engine.law.rules import Number, Rule
from nomic_nb.engine.law.view import ACTION, FAILS, Part
from nomic_nb.engine.play.declaring import happens
from nomic_nb.engine.play.engine import FOR_EVER, MANY, Engine
from nomic_nb.engine.play.events import Cause
from nomic_nb.engine.play.state import State
from nomic_nb.engine.words import listed


def refusal(did: str, fault: Fault) -> IllegalAction:
    """Return what is said of an act at which the kit fails."""
    what, error = did.replace("_", " "), type(fault.__cause__ or fault).__name__
    return IllegalAction(f"nomic_nb fails at “{what}”, by an error of its own ({error}); nothing has changed")


def set_off_by(parts: frozenset[Part]) -> frozenset[int]:
    """Return the rules that set too much off, among the parts that take too many steps."""
    return frozenset(id for id, key in parts if not key)


def numbers_of(state: State, parts: frozenset[Part]) -> tuple[Number, ...]:
    """Return the numbers of the rules that parts are of."""
    known = _ever_there(state)
    return tuple(known[id].number for id in sorted({id for id, _ in parts}) if id in known)


def _ever_there(state: State) -> dict[int, Rule]:
    """Return the rules that are or were there, by their ids."""
    return {**{one.id: one for one in state.rules.repealed}, **state.rules.rules}


def ask_about_left_out(
    engine: Engine, endless: frozenset[Cause], many: frozenset[Cause], costly: frozenset[Part], *, stopped: bool
) -> None:
    """Ask about what rules would have set off, once for each version; what a term is, is asked where it is read."""
    state = engine.state
    if state.over or not (endless or many or costly or stopped):
        return
    engine.cause = None
    known = _ever_there(state)
    dear = {id for id, _ in costly if stopped or (id in set_off_by(costly) and _sets_off(known.get(id)))}
    for why, ids, said in (
        ("endless", {cause.id for cause in endless}, FOR_EVER),
        ("many", {cause.id for cause in many}, MANY),
        ("costly", dear, f"takes more than the {ACTION:,} steps that one action has"),
    ):
        rules = [known[id] for id in sorted(ids) if id in known]
        marks = tuple((why, rule.id, rule.event) for rule in rules)
        numbers = [rule.number for rule in rules]
        if rules and set(marks) <= set(engine.state.set_aside) and not stopped:  # or nobody would go on
            standstill = engine.state.standstill
            engine.emit("set_aside", rules=numbers, note=said)
            engine.state = engine.state.but(standstill=standstill)  # what play waits for, it waits for all the same
        elif ids and (why != "costly" or not engine.state.questions):
            text = f"What rule {', '.join(map(str, numbers))} says {said}. It was left out of this step; "
            rule = numbers[0] if numbers else None
            engine.ask(f"{text}what do you agree on?", rule=rule, set_aside=marks)


happens("failed", told="what {clauses} says {note}; it is left out of this step")


def ask_about_failing(engine: Engine, failing: frozenset[Part]) -> None:
    """Say at which clauses the kit failed, and ask about them, once for each version of their rules."""
    if not failing:
        return
    known, standstill = _ever_there(engine.state), engine.state.standstill
    rules = [known[id] for id in sorted({id for id, _ in failing}) if id in known]
    told = [
        f"rule {known[id].number} (“{words[:80]}”)" if id in known else f"“{words[:80]}”"
        for id, words in sorted(failing)
    ]
    engine.cause = None
    engine.emit("failed", clauses=listed(told), note=FAILS)
    engine.state = engine.state.but(standstill=standstill)  # what play waits for, it waits for all the same
    marks = tuple(("failing", rule.id, rule.event) for rule in rules)
    terms = all(key in engine.state.law.vocabulary.keys for _, key in failing)
    if engine.state.over or (marks and set(marks) <= set(engine.state.set_aside)) or (terms and engine.state.questions):
        return  # it is over, agreed on, or asked where the term is read
    text = f"What {listed(told)} says {FAILS}. It was left out of this step; what do you agree on?"
    engine.ask(text, rule=rules[0].number if rules else None, set_aside=marks)


def _sets_off(rule: Rule | None) -> bool:
    return rule is None or any(isinstance(clause, On) for clause in rule.clauses)
