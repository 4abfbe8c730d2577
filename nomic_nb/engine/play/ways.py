"""How open decisions can be answered: the details of an action, one way after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.extension import installed_extension
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.play.agenda_items import Question
from nomic_nb.engine.play.declarations import ACTIONS, EXAMPLE_CHANGE, EXAMPLE_TEXT, HOST_ACTIONS, ActionSpec
from nomic_nb.engine.play.facts import option_in_words
from nomic_nb.engine.play.questions import read_answer_to_question
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import Decision
from nomic_nb.engine.play.waiting import open_rounds

#: Answers to open questions that are tried, after the names of the players.
EXAMPLE_ANSWERS = ("nobody", "1", "true", "none", f'"{EXAMPLE_TEXT}"', f'["{EXAMPLE_TEXT}"]', "[1]", "[]")


def possible_answers(state: State, decision: Decision) -> Iterator[dict[str, Any]]:
    """Yield details by which a player, or the host, can answer a decision; a proposal may be refused."""
    player = decision.player or next(iter(state.present_names), "")
    if decision.action in HOST_ACTIONS:
        (name,) = HOST_ACTIONS[decision.action].fields
        yield from ({name: option} for option in decision.options or (player,))
        return
    deed = ACTIONS[decision.action]
    fields = {takes.of: name for name, (takes, _) in deed.fields.items()}
    about = {"proposal": decision.proposal, "id": decision.id, "rule": decision.rule}
    if state.find("proposal.numbering").says("assigned"):
        about["assigned"] = 1 + max((number for number in state.proposals if isinstance(number, int)), default=0)
    fixed = {fields[of]: value for of, value in about.items() if of in fields and value is not None}
    if "change" in deed.fields:  # a rule without effect, or a change of a rule in force
        yield {"change": EXAMPLE_CHANGE, **fixed}
        yield from (
            {"change": Change(kind, rule.number), **fixed} for rule in state.rules for kind in ("transmute", "repeal")
        )
    elif deed.heard:
        yield from (
            map(deed.parse_line, decision.options)
            if decision.options
            else deed.possible_details(state, player, phrases_heard(state, deed))
        )
    elif (values := _values_to_give(state, decision, player)) or "option" in fields:
        yield from ({fields.get("option", "value"): value, **fixed} for value in values)
    else:
        yield fixed


def phrases_heard(state: State, deed: ActionSpec) -> tuple[Any, ...]:
    """Return the constants with which rules that listen for an action compare what they hear."""
    asked = (expression for source in state.law.triggers.get(deed.makes, ()) for expression in source.clause.asked)
    return tuple(dict.fromkeys(value for expression in asked for value in expression.constants()))


def open_question(state: State, decision: Decision) -> Question | None:
    """Return the question to the players that a decision answers or settles; None if it is about something else."""
    if decision.action == "rule_on" and decision.id is not None:
        return state.judgments[decision.id].held
    return state.questions[0] if decision.action == "choose" and state.questions else None


def _values_to_give(state: State, decision: Decision, player: str) -> Iterable[Any]:
    """Return what can be chosen, answered, sealed or rolled; an empty list if the action takes no such thing."""
    if decision.options:
        return [[option] if decision.takes == "some" else option for option in decision.options]
    if decision.takes == "number":
        return [1]
    if decision.action == "roll" and state.find("dice.source").says("table"):
        dice = next(roll for roll in state.waiting if roll.action == "roll" and roll.player in (None, player))
        return list(range(dice.dice, dice.dice * dice.sides + 1))
    if decision.action == "seal":
        rounds = ((waiting, sealing) for waiting, sealing in open_rounds(state) if sealing.action_owed == "seal")
        sealed = next(waiting for waiting, sealing in rounds if player in sealing.players_awaited)
        free = {"any number": ["1"], "any text": [EXAMPLE_TEXT]}.get(state.poll_for(sealed).free, [])
        return [option_in_words(state, option) for option in sealed.options] or free
    if decision.action not in ("choose", "rule_on"):
        return []
    question = open_question(state, decision)
    if question is None or not question.key:
        return [EXAMPLE_TEXT, "Another example."]

    def fits(text: str) -> bool:
        with suppress(IllegalAction, LawError):
            return read_answer_to_question(state, question, text) != question.answers.get(player)
        return False

    return filter(fits, (*state.players, *EXAMPLE_ANSWERS, *installed_extension().examples))
