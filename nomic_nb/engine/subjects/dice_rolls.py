"""Throws: those that rules make, and those that players make."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any, cast

from nomic_nb.engine.law.nodes import NotDone, Undecided
from nomic_nb.engine.law.slots import NO_OPTIONS, NameSlot, PlayersSlot, SingleSlot
from nomic_nb.engine.law.values import NUMBER, TEXT, Number, make_range_check, optional_type
from nomic_nb.engine.law.vocabulary import Key
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.agenda_items import WaitingFor
from nomic_nb.engine.play.declarations import HandField, action, declare_event, effect
from nomic_nb.engine.play.dice import draw_faces
from nomic_nb.engine.play.effects import check_are_persons, evaluate_count, evaluate_players
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.facts import option_in_words
from nomic_nb.engine.play.permissions import check_permission, check_undisturbed, refuse
from nomic_nb.engine.play.questions_by_rules import has_everyone_left, skip_question_to_leaver
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.turns import fold_duty_done
from nomic_nb.engine.play.values import PLAYER, PLAYER_CASE, THROW_CASE
from nomic_nb.engine.play.waiting import find_waiting_for, result_of_throw, resume_with_value
from nomic_nb.engine.subjects.answer_slots import AnswerSlot, OptionsSlot, WeightsSlot
from nomic_nb.engine.subjects.polls import evaluate_options, options_in_universe
from nomic_nb.engine.words import count_phrase


def _describe_roll(event: Event) -> str:
    """Return the history sentence for a roll of dice."""
    data = event.data
    how = (
        ", entered by hand"
        if data.get("by_hand")
        else ", worked out from the revealed values"
        if "round" in data
        else ""
    )
    article = "an" if re.match(r"8|1[18]($|000)", str(data["face"])) else "a"  # as the number is read aloud
    chosen = f": {data['chosen']}" if "chosen" in data else ""
    return f"{event.actor or 'the game'} rolls {article} {data['face']}{how}{chosen}"


declare_event("thrown", "dice are rolled", {"player": optional_type(PLAYER), "face": NUMBER}, told=_describe_roll)(
    fold_duty_done("roll")
)


#: Dice in one throw, and sides of one die.
MOST_DICE, MOST_SIDES = 100, 1_000_000
_WEIGHT_MISFIT = make_range_check("a weight", 0, MOST_SIDES, whole=False)
NOT_DICE, NOT_SIDES = (
    make_range_check("a count of dice", 1, MOST_DICE),
    make_range_check("a count of sides", 1, MOST_SIDES),
)


@effect(
    "roll {dice} of {sides} as {name} [by {by}]",
    aloud="roll dice [by {by}] (how many: {dice}; sides: {sides}), whose sum is {name}",
    example="roll 2 of 6 as total by player",
    makes="thrown",
    dice=SingleSlot(NUMBER, "a count of dice", misfit=NOT_DICE),
    sides=SingleSlot(NUMBER, "a count of sides", misfit=NOT_SIDES),
    name=NameSlot(),
    by=PlayersSlot(),
    traits="open",
)
def _roll(engine: Engine, effect: Any) -> None:
    """Roll that many dice with that many sides and name their sum."""
    dice, sides = evaluate_count(engine, effect.dice, NOT_DICE), evaluate_count(engine, effect.sides, NOT_SIDES)
    players = evaluate_players(engine, effect.by) if effect.by is not None else ()
    if effect.by is not None and len(players) != 1:
        raise Undecided("one-player-throws", "exactly one player has to be named to roll the dice")
    if players and has_everyone_left(engine, effect.by):
        skip_question_to_leaver(engine)
        return
    check_are_persons(engine, players)
    who = players[0] if players else None
    _roll_or_wait(
        engine, WaitingFor("roll", who, effect.name, dice=dice, sides=sides, rule=engine.number_of_rule_at_work)
    )


def _roll_or_wait(engine: Engine, waiting: WaitingFor) -> None:
    """Roll the dice that `waiting` describes and name the result; if people make the roll, wait for it instead."""
    if waiting.player is not None or engine.read("dice.source") in ("table", "committed"):
        engine.wait_for(waiting)
        return
    faces = draw_faces(engine.seed, engine.state.draws, waiting.dice, waiting.sides)
    engine.emit("thrown", draw=faces, sides=waiting.sides, **roll_event_data(engine.state, waiting, sum(faces)))
    engine.bind(waiting.name, result_of_throw(waiting, sum(faces)))


@effect(
    "let chance choose {name} from {options} [weighing {weights}]",
    example='let chance choose omen from ["owl", "fox"] weighing [3, 1]',
    makes="thrown",
    name=AnswerSlot(),
    options=OptionsSlot(),
    weights=WeightsSlot(),
    traits="open",
)
def _chance(engine: Engine, effect: Any) -> None:
    """Let chance choose, by a roll with one side per option, or with as many sides as the weights add up to."""
    options = evaluate_options(engine, effect.options)
    weights = (1,) * len(options) if effect.weights is None else engine.evaluate(effect.weights)
    if len(weights) != len(options):
        raise Undecided(
            say(
                "options-and-weights",
                "there are {options} but {weights}",
                options=count_phrase(len(options), "option"),
                weights=count_phrase(len(weights), "weight"),
            )
        )
    if wrong := _WEIGHT_MISFIT(weights):
        raise Undecided(wrong)
    weighing = dict(zip(options, weights, strict=True))
    options = options_in_universe(engine, options)
    weights = scale_weights(tuple(weighing[option] for option in options))
    sides = sum(weights)
    if sides == 0:
        raise NotDone(NO_OPTIONS if not options else say("all-weightless", "every option has a weight of 0"))
    if sides > MOST_SIDES:
        raise Undecided(
            "weights-out-of-range",
            "the sum of the weights must be from 1 to {most:,}, not {sum}",
            most=MOST_SIDES,
            sum=sides,
        )
    _roll_or_wait(
        engine, WaitingFor("roll", None, effect.name, options, 1, sides, engine.number_of_rule_at_work, weights=weights)
    )


def scale_weights(weights: Sequence[Number]) -> tuple[int, ...]:
    """Return weights scaled to whole numbers in the same proportion; whole weights stay as they are.

    Examples
    --------
    >>> scale_weights((Fraction(10, 3), 2)), scale_weights((2, 4))
    ((5, 3), (2, 4))
    """
    unit = lcm(*(Fraction(weight).denominator for weight in weights))
    whole_weights = [int(weight * unit) for weight in weights]
    part = gcd(*whole_weights) if unit > 1 else 1
    return tuple(weight // max(part, 1) for weight in whole_weights)


@action("thrown", PLAYER_CASE)
def roll(engine: Engine, player: str, value: HandField = None) -> None:
    """Roll the dice."""
    state = engine.state
    check_undisturbed(state)
    waiting = find_waiting_for(state, player, "roll", say("nothing-to-throw", "there is nothing to roll now"), "rolls")
    least, most = waiting.dice, waiting.dice * waiting.sides
    whole = isinstance(value, int) and not isinstance(value, bool)
    if value is not None and not (whole and least <= cast(int, value) <= most):
        refuse(
            say(
                "throw-out-of-range",
                "this roll must be a whole number from {least} to {most}, not {found}",
                least=least,
                most=most,
                found=str(value)[:40],
            ),
            waiting.rule,
        )
    check_permission(state, "roll", player, "to roll")
    finding = state.find("dice.source")
    source = state.law.value_or_undecided(finding)
    if source == "committed" or waiting.round is not None:
        refuse(
            say(
                "throw-sealed", "nobody can make this roll alone; it’s worked out from what the players seal and reveal"
            ),
            finding.rule,
        )
    if value is None and source == "table":
        refuse(say("throw-by-hand", "you roll real dice here; enter what they show"), finding.rule)
    if value is not None and source == "seeded":
        refuse(say("throw-by-game", "the game rolls the dice here; you can’t enter a roll of your own"), finding.rule)
    faces = draw_faces(engine.seed, state.draws, waiting.dice, waiting.sides) if value is None else None
    total = cast(int, value) if faces is None else sum(faces)
    engine.state, engine.depth = (
        resume_with_value(state, waiting, result_of_throw(waiting, total)),
        waiting.resume_depth,
    )
    engine.emit(
        "thrown",
        player,
        draw=faces,
        by_hand=faces is None,
        sides=waiting.sides,
        **roll_event_data(state, waiting, total),
    )


def roll_event_data(state: State, waiting: WaitingFor, total: int) -> dict[str, Any]:
    """Return the data of a roll's event: the `total` as “face” and, if options were weighed, the one “chosen”."""
    chosen = {"chosen": option_in_words(state, result_of_throw(waiting, total))} if waiting.weights else {}
    return {**chosen, "face": total}


KEYS = (
    Key("throw.points", NUMBER, "the points for a roll", "when a roll is scored", THROW_CASE, by_rules=True),
    Key("dice.sides", NUMBER, "how many sides a die has", "when a die is rolled", by_rules=True,
        misfit=NOT_SIDES),
    Key("dice.source", TEXT, "who rolls the dice: the game, a player by hand, either, or players who seal and "
                             "reveal values",
                             "when a die is rolled", values=("seeded", "table", "either", "committed")),
)  # fmt: skip
