"""What is waited for from players: as decisions, with what is sealed for it; and how play continues after it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from nomic_nb.engine.law.values import ThingRef, Value, value_text
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.agenda_items import POLL, AgendaItem, Deadline, Poll, SealedSecret, WaitingFor
from nomic_nb.engine.play.calendar import format_minute
from nomic_nb.engine.play.deadlines import FREED_UNIT, count_in_unit
from nomic_nb.engine.play.declarations import ACTIONS
from nomic_nb.engine.play.dice import FEWEST_SIDES, SealingRound
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.facts import option_in_words, value_in_words
from nomic_nb.engine.play.permissions import Refusal, is_permitted
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import MOST_OPTIONS_SHOWN, SO_FAR_PREFIX, Decision, list_options
from nomic_nb.engine.words import join_words, verb_phrase

#: The step that does what is left of a clause whose answer never comes.
UNANSWERED_STEP = "go on unanswered"


def without_waiting_for(state: State, name: str | None) -> State:
    """Return the state in which no roll or choice is awaited from a player (None: anyone), and what waited continues.

    A step of play that waits for a choice, as the naming of a Judge does, is taken again.
    """
    left = tuple(waiting_for for waiting_for in state.waiting if waiting_for.player != name)
    gone = [waiting_for for waiting_for in state.waiting if waiting_for.player == name]
    state = state.replace(waiting=left)
    for waiting in gone:
        if not _is_poll_of_several(state, waiting):
            item, *rest = waiting.agenda
            if item.kind == "effects":  # of the clause that waited, what needs no answer is done
                item = _resumed_item(state, waiting, replace(item, kind=UNANSWERED_STEP))
            state = state.replace(agenda=state.agenda.with_last(item, *rest))
        elif not awaited_players(state, waiting.poll):
            state = without_waits_for_poll(state, waiting, behind=True)
    return state


def _is_poll_of_several(state: State, waiting: WaitingFor) -> bool:
    """Tell whether a wait is for an answer in a poll that asks several players, without sealing."""
    return waiting.round is None and state.poll_for(waiting).several


def awaited_players(state: State, poll: int) -> tuple[str, ...]:
    """Return the players who have not yet answered the poll with the id `poll` and are permitted to.

    Those absent count only if it has a deadline, or if nobody else is awaited and nobody has answered.
    """
    silent = [waiting.player for waiting in state.waiting if waiting.poll == poll and waiting.player is not None]
    able = [name for name in silent if is_permitted(state, "choose", name)]
    here = tuple(name for name in able if not state.players[name].absent)
    if state.polls[poll].due is not None:  # whoever is away can be back in time
        return tuple(able)
    return here if here or state.polls[poll].answers else tuple(able)


def without_waits_for_poll(state: State, waiting: WaitingFor, *, behind: bool = False) -> State:
    """Return the state in which a poll awaits nobody and is closed next, or last on the agenda if `behind`."""
    item, *rest = waiting.agenda
    closing = _resumed_item(state, waiting, replace(item, kind="close poll", env={**item.env, POLL: waiting.poll}))
    left = tuple(waiting_for for waiting_for in state.waiting if waiting_for.poll != waiting.poll)
    agenda = state.agenda.with_last(closing, *rest) if behind else state.agenda.with_first(closing, *rest)
    return state.replace(waiting=left, agenda=agenda)


def without_waits_for_absent(state: State) -> State:
    """Return the state in which polls that await only absent players wait no more and are to be closed."""
    for waiting in state.waiting:
        if (
            waiting in state.waiting
            and _is_poll_of_several(state, waiting)
            and not awaited_players(state, waiting.poll)
        ):
            state = without_waits_for_poll(state, waiting, behind=True)
    return state


def _resumed_item(state: State, waiting: WaitingFor, item: AgendaItem) -> AgendaItem:
    """Return an agenda item that waited, ready to go on; in the current turn and law if play continued meanwhile."""
    item = replace(item, depth=waiting.resume_depth)
    return replace(item, law=state.law, turn=state.hand) if waiting.meanwhile else item


def resume_with_value(state: State, waiting: WaitingFor, value: Value) -> State:
    """Return the state in which a roll or choice has come out as `value`, and the clause that waited continues."""
    item, *agenda = waiting.agenda
    if item.effects[1:] or item.kind != "effects":
        answered = replace(item, env={**item.env, waiting.name: value}, effects=item.effects[1:])
        agenda = [_resumed_item(state, waiting, answered), *agenda]
    left = tuple(waiting_for for waiting_for in state.waiting if waiting_for is not waiting)
    return state.replace(waiting=left, agenda=state.agenda.with_first(*agenda))


def wait_holding_up_proposal(state: State, number: int | str) -> WaitingFor | None:
    """Return the roll or choice that keeps a proposal from going on, or None."""
    of = ThingRef("proposal", number)
    waiting = (waiting_for for waiting_for in state.waiting if not waiting_for.meanwhile)
    return next(
        (waiting_for for waiting_for in waiting if any(item.env.get("proposal") == of for item in waiting_for.agenda)),
        None,
    )


def result_of_throw(waiting: WaitingFor, total: int) -> Value:
    """Return the result of a roll by its total: the option that this chooses, or the total if none are given."""
    for option, weight in zip(waiting.options, waiting.weights, strict=False):
        total -= weight
        if total <= 0 < weight:
            return option
    return total


def find_waiting_for(state: State, player: str, action: str, nothing: Message, does: str) -> WaitingFor:
    """Return the roll or choice awaited that an action answers; refuse with `nothing` if none is.

    If it is another player's, refuse by saying who `does` it, a phrase such as “throws”.
    """
    known = [waiting_for for waiting_for in state.waiting if waiting_for.action == action]
    if not known:
        raise Refusal(nothing, done=ACTIONS[action].makes)
    for waiting in known:
        if waiting.player in (None, player):
            return waiting
    raise Refusal(say("another-does", "it’s {player} who {does} now", player=known[0].player, does=does), known[0].rule)


def decisions_awaited(state: State) -> Iterator[Decision]:
    """Yield the decisions for the rolls, choices and seals that players still have to give or can give."""
    for waiting in state.waiting:
        if waiting.round is not None:
            yield from _decisions_in_round(state, waiting, waiting.round)
            continue
        who = [waiting.player] if waiting.player else list(state.person_names)
        if not any(is_permitted(state, waiting.action, name) for name in who):
            continue
        if waiting.action == "roll":
            yield Decision(waiting.player, "roll", f"roll {_describe_dice(waiting)}", (), waiting.rule)
        else:
            options = tuple(option_in_words(state, option) for option in waiting.options)
            poll = state.poll_for(waiting)
            takes = "some" if poll.some else poll.free.removeprefix("any ")
            must = not waiting.meanwhile and (not poll.several or waiting.player in awaited_players(state, poll.id))
            prompt = _describe_question(state, poll, waiting) + _describe_answers(state, poll)
            id = poll.id if waiting.meanwhile else None
            yield Decision(waiting.player, "choose", prompt, options, waiting.rule, id=id, must=must, takes=takes)


def deadline_in_words(state: State, due: Deadline) -> str:
    """Return until when an answer is awaited, such as “until 2 more turns have ended”."""
    if due.unit == "minutes":
        return f"until {format_minute(due.at)}"
    if due.unit == FREED_UNIT:
        return f"until rule {state.rules.rules[due.at].number} can be overridden"
    left = due.at - count_in_unit(state, due.unit)
    return f"until {left} more {due.unit if left != 1 else due.unit[:-1]} {'has' if left == 1 else 'have'} ended"


def _describe_question(state: State, poll: Poll, waiting: WaitingFor) -> str:
    """Return what a poll asks, in words, with the kind of answer, secrecy and deadline."""
    how = {"any number": "a number", "any text": "in words"}.get(poll.free, "")
    how = "one or more" if poll.some and not poll.optional else "some or none" if poll.some else how
    how = ", or ".join(filter(None, (how, "none" if poll.free and poll.optional else "")))
    secret = "shown when all answers are in" if poll.secret else ""
    more = (how, secret, deadline_in_words(state, poll.due) if poll.due is not None else "")
    return (poll.text or _describe_choice(waiting)) + "".join(f" ({remark})" for remark in more if remark)


def _describe_answers(state: State, poll: Poll) -> str:
    """Return a sentence on the answers so far, or on who has given them if secret; an empty text if none."""
    if not poll.answers:
        return ""
    if poll.secret:
        return f"{SO_FAR_PREFIX}{verb_phrase(list(poll.answers), 'has', 'have')} answered."
    return SO_FAR_PREFIX + "; ".join(f"{who} says {answer_in_words(state, poll, who)}" for who in poll.answers) + "."


def answer_in_words(state: State, poll: Poll, who: str) -> str:
    """Return a player's answer in words; for a secret one, only that they have answered."""
    if poll.secret:
        return "answered"
    return join_words(
        [option_in_words(state, value) for value in Poll.options_in_answer(poll.answers[who])] or ["none"]
    )


def _describe_choice(waiting: WaitingFor) -> str:
    """Return, in words, what is to be chosen, and for what effect."""
    then = waiting.agenda[0].effects[1:] if waiting.agenda else ()
    words = next(
        (effect.words for effect in then if re.match(rf"(?!let|when|each).*\b{waiting.name}\b", effect.words)), ""
    )
    verb = words.removesuffix(f" {waiting.name}")
    if verb != words and " " not in verb:
        return f"choose {waiting.name} to {verb}"
    return f"choose {waiting.name}" + (f": {words}" if words else "")


def _describe_dice(waiting: WaitingFor) -> str:
    """Return the dice to be rolled in words, such as “2 dice with 6 sides”."""
    dice = "a die" if waiting.dice == 1 else f"{waiting.dice} dice"
    return f"{dice} with {waiting.sides} sides" + _describe_faces(waiting)


def _describe_faces(waiting: WaitingFor) -> str:
    """Return, in words, which faces choose which option; an empty text if none or too many do."""
    told, last = [], 0
    for option, weight in zip(waiting.options, waiting.weights, strict=False):
        first, last = last + 1, last + weight
        told += [f"{first}{f' to {last}' if weight > 1 else ''}: {value_text(option)}"] if weight else []
    return f" ({'; '.join(told)})" if 0 < len(told) <= MOST_OPTIONS_SHOWN else ""


def _decisions_in_round(state: State, waiting: WaitingFor, round: SealingRound) -> Iterator[Decision]:
    """Yield a decision for each player who has to seal or reveal a value in a round of sealing."""
    what = f"for a roll of {_describe_dice(waiting)}"
    poll = state.poll_for(waiting)
    for name in round.players_awaited:
        if not is_permitted(state, round.action_owed, name):
            continue
        must = True
        if waiting.secret is not None:
            prompt = _prompt_to_seal_secret(state, waiting.secret, round)
        elif poll.id:
            prompt, must = _prompt_to_seal_answer(state, waiting, poll, round), not waiting.meanwhile
        elif round.action_owed == "seal":
            prompt = f"seal a value {what}"
        elif len(round.players_awaited) > 1:
            prompt = f"reveal what you sealed {what}; the last player to reveal can work out the result in advance"
        else:
            then = _penalty_for_not_revealing(state, round, name)
            prompt = f"reveal what you sealed {what}; you are the last and can work out the result in advance ({then})"
        yield Decision(name, round.action_owed, prompt, (), waiting.rule, must=must)


def _prompt_to_seal_answer(state: State, waiting: WaitingFor, poll: Poll, round: SealingRound) -> str:
    """Return the prompt to seal an answer to a poll or, once all are sealed, to reveal it."""
    if round.action_owed == "reveal":
        return f"reveal what you answered: {poll.text or _describe_choice(waiting)}"
    options = list_options([option_in_words(state, option) for option in waiting.options])
    return f"seal your answer: {_describe_question(state, poll, waiting)}" + (f": {options}" if options else "")


def _prompt_to_seal_secret(state: State, secret: SealedSecret, round: SealingRound) -> str:
    """Return the prompt to seal a value for a table's entry, to be opened later, or to open it now."""
    of = ", ".join(value_in_words(state, value) for value in secret.place)
    if round.action_owed == "reveal":
        return f"reveal what you sealed for {of}: {secret.counter}"
    options = list_options([option_in_words(state, option) for option in secret.options])
    return f"seal your answer for {of}: {secret.text or secret.counter}: {options or secret.free}"


def _penalty_for_not_revealing(state: State, round: SealingRound, name: str) -> str:
    """Return, in words, what happens if a player does not reveal what they sealed for a roll."""
    if len(round.who) <= FEWEST_SIDES:
        return "if you don’t reveal it, values are sealed again"
    finding = state.find("dice.unrevealed", player=name)
    if not finding.answered:
        return "if you don’t reveal it, the players are asked what to do"
    outcome = {"without": "the roll is made", "again": "values are sealed again"}[str(finding.value)]
    return f"if you don’t reveal it, {outcome} without you"


def open_rounds(state: State) -> tuple[tuple[WaitingFor, SealingRound], ...]:
    """Return pairs of a roll or choice that play waits for and the open round of sealing that belongs to it."""
    return tuple((waiting, waiting.round) for waiting in state.waiting if waiting.round is not None)


def settle_leaver_rounds(engine: Engine, name: str) -> None:
    """Schedule, for each round of sealing a player left before revealing, a step to go on without them."""
    for _, round in open_rounds(engine.state):
        if name in round.who and name not in round.reveals:
            engine.schedule("go on without", player=ThingRef("player", name), round=round.number)
