"""What people do by hand, by applying a rule or by order of a Judge: when the others are asked whether it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from nomic_nb.engine.extension import extension
from nomic_nb.engine.law.values import Number
from nomic_nb.engine.play.declaring import step
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event, number_from_json
from nomic_nb.engine.play.pending import ANSWER, Item
from nomic_nb.engine.play.permission import refuse
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.verdicts import Ruling
from nomic_nb.engine.play.winning import fulfilling

#: Numbers as rules write them out.
WORDS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
#: What only says something, and gives nobody anything.
SAYING = ("announce", "let")


def numbers_named(wording: str) -> set[Number]:
    """Return the whole numbers that a wording names, in figures or in words.

    Examples
    --------
    >>> sorted(numbers_named("Whoever hums loses two points, and 10 the second time."))
    [2, 10]
    """
    found: set[Number] = {int(one) for one in re.findall(r"\d{1,12}", wording)}
    return found | {WORDS.index(one) for one in re.findall(r"[a-z]+", wording.lower()) if one in WORDS}


@step("by hand")
def by_hand(engine: Engine) -> None:
    """Do what somebody does by hand; where it goes too far for one alone, ask the others first."""
    item = engine.item
    doer, answer = doer_of(engine.state, item), item.env.get(ANSWER)
    plain = {name: value for name, value in item.env.items() if name != ANSWER}
    cause, what = item.cause, item.effects[0].words
    doubts = [] if answer == "yes" else list(dict.fromkeys(beyond(engine, replace(item, env=plain), doer)))
    others = tuple(name for name in engine.state.present if name != doer)
    if doubts and item.effects[0].form.name == "end":  # who let the ruling stand has agreed, and who wins gains by it
        for_it = {*_upholding(engine.state, item), *engine.winners_after(replace(item, kind="effects", env=plain))}
        others = tuple(name for name in others if name not in for_it)
        doubts = doubts if others else []
    if not doubts:
        if answer and cause is not None:
            cause = replace(cause, words=f"agreed, {cause.words}")
        done = replace(item, kind="effects", env=plain, cause=cause)
        engine.first(done)
    elif answer or all(engine.state.players[name].absent for name in others):
        engine.emit("disputed", doer, effect=what, why="" if answer else "nobody is there who could agree")
    else:
        engine.first(item)
        text = f"{cause.words if cause else what} – {'; '.join(doubts)}. Do the others agree that it is done?"
        rule = cause.rule if cause is not None and cause.rule != "" else None
        engine.ask(f"{text[0].upper()}{text[1:]}", rule=rule, who=others, options=["yes", "no"], drops=True)


def check_changes(engine: Engine, item: Item) -> None:
    """Refuse to do what changes nothing, and sets nothing off, as things stand.

    Raises
    ------
    IllegalAction
        It does not.
    """
    after, events = engine.tried(replace(item, kind="effects"))
    happens = any(one.kind != "counted" or one.data.get("amount") != 0 for one in events)
    if not (happens or after.questions or after.waiting != engine.state.waiting):
        refuse(f"“{item.effects[0].words}” changes nothing as things stand")


def doer_of(state: State, item: Item) -> str:
    """Return who does something by hand: the Judge who orders it, or whoever applies a rule."""
    ruling = _ruling(state, item)
    return ruling.judge if ruling else str(item.env["player"].id)


def _ruling(state: State, item: Item) -> Ruling | None:
    """Return the ruling that orders something; None where somebody applies a rule."""
    judgment = item.env.get("judgment")
    return judgment and state.judgments[judgment.id].ruling


def _upholding(state: State, item: Item) -> tuple[str, ...]:
    """Return who has voted against overruling the Judge who orders something."""
    judgment = state.judgments[item.env["judgment"].id]
    return tuple(name for name, ballot in judgment.ballots.items() if ballot == "against")


def _at_hand(state: State, item: Item) -> set[Number]:
    """Return the numbers that the rules at hand name: the one applied, or those that a ruling rests on."""
    ruling = _ruling(state, item)
    ids = ruling.rests_on if ruling else (item.env["this"].id,)
    rules = (state.rules.rules[id] for id in ids if id in state.rules.rules)
    return {number for rule in rules for number in numbers_named(rule.wording)}


def beyond(engine: Engine, item: Item, doer: str) -> Iterator[str]:
    """Yield why something done by hand is more than one player, or a Judge, can do alone; tried on a copy."""
    effect, before = item.effects[0], engine.state
    after, events = engine.tried(replace(item, kind="effects"))
    for name in (one for one in before.playing if not after.players[one].playing):
        yield f"it would put {name} out of the game"
    at_once = engine.winners_after(replace(item, kind="effects"))
    gaining = (name for name in fulfilling(after) if name not in fulfilling(before) and name not in after.above)
    for name in dict.fromkeys((*gaining, *(at_once if at_once != engine.winners_after() else ()))):
        yield f"{name} would win by it"
    if effect.form.name in (*SAYING, "end"):  # that play ends, and what becomes of it, stands in the law
        return
    direct = [event for event in events if event.cause == item.cause]
    named = _at_hand(before, item)
    for event in direct:
        if event.kind == "counted" and "amount" not in event.data:
            yield f"{event.data['counter']} of {event.data.get('of', event.actor or 'the game')} would be changed"
        elif event.kind == "counted" and not _named(event, named):
            yield f"no rule at hand names {abs(number_from_json(event.data['amount']))} {event.data['counter']}"
    if "judgment" in item.env:
        return
    if direct and before.applied.count(item.env["this"].id) > 1:
        yield "the rule was applied in this turn already"
    own = before.turn_of(doer) is not None
    for event in direct if not own else ():
        if event.kind == "obliged" or (event.kind == "counted" and _favours(event, doer)):
            yield f"it is not {doer}'s turn"
            break
    others = extension().touches_others(before, after, doer, own_turn=own)
    if effect.form.name in ("give", "grow") or others:
        yield f"it reaches beyond {doer}'s own pieces in their own turn"


def _named(event: Event, named: set[Number]) -> bool:
    amount, now = (number_from_json(event.data[one]) for one in ("amount", "now"))
    return amount == 0 or abs(amount) in named or now in named


def _favours(event: Event, doer: str) -> bool:
    """Tell whether a change of a counter is to the good of whoever makes it: more for them, or less for others."""
    more = number_from_json(event.data.get("amount", 1)) > 0
    return more if event.actor in (doer, None) else not more
