"""What is waited for from players: as decisions, with what is sealed for it; and how play goes on behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from nomic_nb.engine.law.values import ThingRef, Value, value_text
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.agenda_items import POLL, AgendaItem, Deadline, Poll, SealedSecret, WaitingFor
from nomic_nb.engine.play.calendar import format_minute
from nomic_nb.engine.play.deadlines import FREED_UNIT, elapsed_units
from nomic_nb.engine.play.declarations import ACTIONS
from nomic_nb.engine.play.dice import FEWEST_SIDES, SealingRound
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.facts import option_in_words, value_in_words
from nomic_nb.engine.play.permissions import Refusal, is_permitted
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import MOST_OPTIONS_SHOWN, SO_FAR_PREFIX, Decision, first_options
from nomic_nb.engine.words import join_words, verb_phrase

#: The step that does what is left of a clause whose answer never comes.
UNANSWERED_STEP = "go on unanswered"


def without_waiting_for(state: State, name: str) -> State:
    """Return the state in which nothing is waited for from a player; what stood behind it goes on.

    A step of play that waits for a choice, as the naming of a Judge does, is taken anew.
    """
    left = tuple(one for one in state.waiting if one.player != name)
    gone = [one for one in state.waiting if one.player == name]
    state = state.replace(waiting=left)
    for one in gone:
        if not _is_poll_of_several(state, one):
            item, *rest = one.agenda
            if item.kind == "effects":  # of the clause that waited, what needs no answer is done
                item = _resume_waiting(state, one, replace(item, kind=UNANSWERED_STEP))
            state = state.replace(agenda=state.agenda.then(item, *rest))
        elif not awaited_players(state, one.poll):
            state = close_poll_in_state(state, one, behind=True)
    return state


def _is_poll_of_several(state: State, waiting: WaitingFor) -> bool:
    return waiting.round is None and state.poll_of(waiting).several


def awaited_players(state: State, poll: int) -> tuple[str, ...]:
    """Return from whom an answer to a poll is waited for: those who are here and may answer, or all who are away."""
    silent = [one.player for one in state.waiting if one.poll == poll and one.player is not None]
    able = [name for name in silent if is_permitted(state, "choose", name)]
    here = tuple(name for name in able if not state.players[name].absent)
    if state.polls[poll].due is not None:  # whoever is away can be back in time
        return tuple(able)
    return here if here or state.polls[poll].answers else tuple(able)


def close_poll_in_state(state: State, waiting: WaitingFor, *, behind: bool = False) -> State:
    """Return the state in which no more answers to a poll are waited for, and what stood behind it goes on."""
    item, *rest = waiting.agenda
    closing = _resume_waiting(state, waiting, replace(item, kind="close poll", env={**item.env, POLL: waiting.poll}))
    left = tuple(one for one in state.waiting if one.poll != waiting.poll)
    agenda = state.agenda.then(closing, *rest) if behind else state.agenda.first(closing, *rest)
    return state.replace(waiting=left, agenda=agenda)


def without_absent_waits(state: State) -> State:
    """Return the state in which polls go on that wait for nobody who is here."""
    for one in state.waiting:
        if one in state.waiting and _is_poll_of_several(state, one) and not awaited_players(state, one.poll):
            state = close_poll_in_state(state, one, behind=True)
    return state


def _resume_waiting(state: State, waiting: WaitingFor, item: AgendaItem) -> AgendaItem:
    """Return what has waited as it goes on: meanwhile other turns can be under way, and other law be in force."""
    item = replace(item, depth=waiting.depth)
    return replace(item, law=state.law, turn=state.hand) if waiting.meanwhile else item


def resume_with_value(state: State, waiting: WaitingFor, value: Value) -> State:
    """Return the state in which the answer that was waited for is there, and what stood behind it goes on."""
    item, *agenda = waiting.agenda
    if item.effects[1:] or item.kind != "effects":
        answered = replace(item, env={**item.env, waiting.name: value}, effects=item.effects[1:])
        agenda = [_resume_waiting(state, waiting, answered), *agenda]
    left = tuple(one for one in state.waiting if one is not waiting)
    return state.replace(waiting=left, agenda=state.agenda.first(*agenda))


def blocking_of_proposal(state: State, number: int | str) -> WaitingFor | None:
    """Return what play waits for before it goes on with a proposal: rules have somebody asked about it."""
    of = ThingRef("proposal", number)
    waiting = (one for one in state.waiting if not one.meanwhile)
    return next((one for one in waiting if any(item.env.get("proposal") == of for item in one.agenda)), None)


def result_of_throw(waiting: WaitingFor, total: int) -> Value:
    """Return what a throw comes to: its sum, or the one of the options that chance has chosen by it."""
    for option, weight in zip(waiting.options, waiting.weights, strict=False):
        total -= weight
        if total <= 0 < weight:
            return option
    return total


def find_waiting_for(state: State, player: str, action: str, nothing: Message, does: str) -> WaitingFor:
    """Return what is waited for from a player, or refuse."""
    known = [one for one in state.waiting if one.action == action]
    if not known:
        raise Refusal(nothing, done=ACTIONS[action].makes)
    for waiting in known:
        if waiting.player in (None, player):
            return waiting
    raise Refusal(say("another-does", "it is {player} who {does}", player=known[0].player, does=does), known[0].rule)


def open_waits(state: State) -> Iterator[Decision]:
    """Yield what somebody is waited for, or can still answer."""
    for waiting in state.waiting:
        if waiting.round is not None:
            yield from _round_waits(state, waiting, waiting.round)
            continue
        who = [waiting.player] if waiting.player else list(state.person_names)
        if not any(is_permitted(state, waiting.action, name) for name in who):
            continue
        if waiting.action == "roll":
            yield Decision(waiting.player, "roll", f"throw {_describe_dice(waiting)}", (), waiting.rule)
        else:
            options = tuple(option_in_words(state, option) for option in waiting.options)
            poll = state.poll_of(waiting)
            takes = "some" if poll.some else poll.free.removeprefix("any ")
            must = not waiting.meanwhile and (not poll.several or waiting.player in awaited_players(state, poll.id))
            prompt = _describe_question(state, poll, waiting) + _describe_answers(state, poll)
            id = poll.id if waiting.meanwhile else None
            yield Decision(waiting.player, "choose", prompt, options, waiting.rule, id=id, must=must, takes=takes)


def describe_deadline(state: State, due: Deadline) -> str:
    """Say how long an answer is waited for."""
    if due.unit == "minutes":
        return f"until {format_minute(due.at)}"
    if due.unit == FREED_UNIT:
        return f"until rule {state.rules.rules[due.at].number} is no longer guaranteed to stand"
    left = due.at - elapsed_units(state, due.unit)
    return f"until {left} more {due.unit if left != 1 else due.unit[:-1]} {'has' if left == 1 else 'have'} ended"


def _describe_question(state: State, poll: Poll, waiting: WaitingFor) -> str:
    """Say what is asked, in the words of the rule where it has some."""
    how = {"any number": "a number", "any text": "in words"}.get(poll.free, "")
    how = "one or more" if poll.some and not poll.optional else "some or none" if poll.some else how
    how = ", or ".join(filter(None, (how, "none" if poll.free and poll.optional else "")))
    secret = "shown when all answers are in" if poll.secret else ""
    more = (how, secret, describe_deadline(state, poll.due) if poll.due is not None else "")
    return (poll.text or _describe_choice(waiting)) + "".join(f" ({one})" for one in more if one)


def _describe_answers(state: State, poll: Poll) -> str:
    """Say what the others have answered, where it can be seen."""
    if not poll.answers:
        return ""
    if poll.secret:
        return f"{SO_FAR_PREFIX}{verb_phrase(list(poll.answers), 'has', 'have')} answered."
    return SO_FAR_PREFIX + "; ".join(f"{who} says {answer_in_words(state, poll, who)}" for who in poll.answers) + "."


def answer_in_words(state: State, poll: Poll, who: str) -> str:
    """Return what somebody has answered, in words; nothing of an answer that is given in secret."""
    if poll.secret:
        return "answered"
    return join_words([option_in_words(state, one) for one in Poll.counted(poll.answers[who])] or ["none"])


def _describe_choice(waiting: WaitingFor) -> str:
    """Say what is to be chosen, and what for: the first thing that is done with it."""
    then = waiting.agenda[0].effects[1:] if waiting.agenda else ()
    words = next((one.words for one in then if re.search(rf"\b{waiting.name}\b", one.words)), "")
    verb = words.removesuffix(f" {waiting.name}")
    if verb != words and " " not in verb:
        return f"choose {waiting.name} to {verb}"
    return f"choose {waiting.name}" + (f": {words}" if words else "")


def _describe_dice(waiting: WaitingFor) -> str:
    dice = "a die" if waiting.dice == 1 else f"{waiting.dice} dice"
    return f"{dice} with {waiting.sides} sides" + _describe_faces(waiting)


def _describe_faces(waiting: WaitingFor) -> str:
    """Say which faces choose which of the options, where chance does; where there are many, nothing."""
    told, last = [], 0
    for option, weight in zip(waiting.options, waiting.weights, strict=False):
        first, last = last + 1, last + weight
        told += [f"{first}{f' to {last}' if weight > 1 else ''}: {value_text(option)}"] if weight else []
    return f" ({'; '.join(told)})" if 0 < len(told) <= MOST_OPTIONS_SHOWN else ""


def _round_waits(state: State, waiting: WaitingFor, round: SealingRound) -> Iterator[Decision]:
    """Yield what is owed for a throw that is drawn from what is sealed; nobody is told less than all is."""
    what = f"for a throw of {_describe_dice(waiting)}"
    poll = state.poll_of(waiting)
    for name in round.waiting:
        if not is_permitted(state, round.owed, name):
            continue
        must = True
        if waiting.secret is not None:
            prompt = _secret_waits(state, waiting.secret, round)
        elif poll.id:
            prompt, must = _sealing_waits(state, waiting, poll, round), not waiting.meanwhile
        elif round.owed == "seal":
            prompt = f"seal a value {what}"
        elif len(round.waiting) > 1:
            prompt = f"reveal what you sealed {what}; whoever is last can know beforehand what it shows"
        else:
            then = _why_not_revealed(state, round, name)
            prompt = f"reveal what you sealed {what}; as the last you can know beforehand what it shows ({then})"
        yield Decision(name, round.owed, prompt, (), waiting.rule, must=must)


def _sealing_waits(state: State, waiting: WaitingFor, poll: Poll, round: SealingRound) -> str:
    """Say what is to be sealed as an answer, or revealed."""
    if round.owed == "reveal":
        return f"reveal what you answered: {poll.text or _describe_choice(waiting)}"
    options = first_options([option_in_words(state, one) for one in waiting.options])
    return f"seal your answer: {_describe_question(state, poll, waiting)}" + (f": {options}" if options else "")


def _secret_waits(state: State, secret: SealedSecret, round: SealingRound) -> str:
    """Say what is to be sealed for later, or opened now."""
    of = ", ".join(value_in_words(state, one) for one in secret.place)
    if round.owed == "reveal":
        return f"open what you sealed for {of}: {secret.counter}"
    options = first_options([option_in_words(state, one) for one in secret.options])
    return f"seal your answer for {of}, {options}: {secret.text or secret.counter}"


def _why_not_revealed(state: State, round: SealingRound, name: str) -> str:
    if len(round.who) <= FEWEST_SIDES:
        return "if you do not, it is sealed again"
    finding = state.find("dice.unrevealed", player=name)
    if not finding.answered:
        return "if you do not, the table is asked"
    made = {"without": "made", "again": "sealed again"}[str(finding.value)]
    return f"if you do not, it is {made} without you"


def open_rounds(state: State) -> tuple[tuple[WaitingFor, SealingRound], ...]:
    """Return the rounds that are open, each with the throw that waits for it."""
    return tuple((one, one.round) for one in state.waiting if one.round is not None)


def settle_leaver_rounds(engine: Engine, name: str) -> None:
    """Let the rounds go on in which somebody who left the game owes something."""
    for _, round in open_rounds(engine.state):
        if name in round.who and name not in round.reveals:
            engine.schedule("go on without", player=ThingRef("player", name), round=round.number)
