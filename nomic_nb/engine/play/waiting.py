"""What is waited for from players: as decisions, with what is sealed for it; and how play goes on behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from nomic_nb.engine.law.values import Ref, Value, shown
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.calendar import written
from nomic_nb.engine.play.deadlines import FREED, so_far
from nomic_nb.engine.play.declarations import ACTIONS
from nomic_nb.engine.play.dice import LEAST, Round
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.facts import offered, spoken
from nomic_nb.engine.play.pending import POLL, Due, Item, Poll, Secret, Waiting
from nomic_nb.engine.play.permissions import Refusal, open_to
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import MOST_SHOWN, SO_FAR, Decision, few
from nomic_nb.engine.words import doing, listed

#: The step that does what is left of a clause whose answer never comes.
UNANSWERED = "go on unanswered"


def without_waiting_for(state: State, name: str) -> State:
    """Return the state in which nothing is waited for from a player; what stood behind it goes on.

    A step of play that waits for a choice, as the naming of a Judge does, is taken anew.
    """
    left = tuple(one for one in state.waiting if one.player != name)
    gone = [one for one in state.waiting if one.player == name]
    state = state.but(waiting=left)
    for one in gone:
        if not _is_for_several(state, one):
            item, *rest = one.agenda
            if item.kind == "effects":  # of the clause that waited, what needs no answer is done
                item = _going_on(state, one, replace(item, kind=UNANSWERED))
            state = state.but(agenda=state.agenda.then(item, *rest))
        elif not awaited(state, one.poll):
            state = going_on_with(state, one, behind=True)
    return state


def _is_for_several(state: State, waiting: Waiting) -> bool:
    return waiting.round is None and state.poll_of(waiting).several


def awaited(state: State, poll: int) -> tuple[str, ...]:
    """Return from whom an answer to a poll is waited for: those who are here and may answer, or all who are away."""
    silent = [one.player for one in state.waiting if one.poll == poll and one.player is not None]
    able = [name for name in silent if open_to(state, "choose", name)]
    here = tuple(name for name in able if not state.players[name].absent)
    if state.polls[poll].due is not None:  # whoever is away can be back in time
        return tuple(able)
    return here if here or state.polls[poll].answers else tuple(able)


def going_on_with(state: State, waiting: Waiting, *, behind: bool = False) -> State:
    """Return the state in which no more answers to a poll are waited for, and what stood behind it goes on."""
    item, *rest = waiting.agenda
    closing = _going_on(state, waiting, replace(item, kind="close poll", env={**item.env, POLL: waiting.poll}))
    left = tuple(one for one in state.waiting if one.poll != waiting.poll)
    agenda = state.agenda.then(closing, *rest) if behind else state.agenda.first(closing, *rest)
    return state.but(waiting=left, agenda=agenda)


def without_the_absent(state: State) -> State:
    """Return the state in which polls go on that wait for nobody who is here."""
    for one in state.waiting:
        if one in state.waiting and _is_for_several(state, one) and not awaited(state, one.poll):
            state = going_on_with(state, one, behind=True)
    return state


def _going_on(state: State, waiting: Waiting, item: Item) -> Item:
    """Return what has waited as it goes on: meanwhile other turns can be under way, and other law be in force."""
    item = replace(item, depth=waiting.depth)
    return replace(item, law=state.law, turn=state.hand) if waiting.meanwhile else item


def put_back(state: State, waiting: Waiting, value: Value) -> State:
    """Return the state in which the answer that was waited for is there, and what stood behind it goes on."""
    item, *agenda = waiting.agenda
    if item.effects[1:] or item.kind != "effects":
        answered = replace(item, env={**item.env, waiting.name: value}, effects=item.effects[1:])
        agenda = [_going_on(state, waiting, answered), *agenda]
    left = tuple(one for one in state.waiting if one is not waiting)
    return state.but(waiting=left, agenda=state.agenda.first(*agenda))


def held_up(state: State, number: int | str) -> Waiting | None:
    """Return what play waits for before it goes on with a proposal: rules have somebody asked about it."""
    of = Ref("proposal", number)
    waiting = (one for one in state.waiting if not one.meanwhile)
    return next((one for one in waiting if any(item.env.get("proposal") == of for item in one.agenda)), None)


def shows(waiting: Waiting, total: int) -> Value:
    """Return what a throw comes to: its sum, or the one of the options that chance has chosen by it."""
    for option, weight in zip(waiting.options, waiting.weights, strict=False):
        total -= weight
        if total <= 0 < weight:
            return option
    return total


def waited_from(state: State, player: str, action: str, nothing: Message, does: str) -> Waiting:
    """Return what is waited for from a player, or refuse."""
    known = [one for one in state.waiting if one.action == action]
    if not known:
        raise Refusal(nothing, done=ACTIONS[action].makes)
    for waiting in known:
        if waiting.player in (None, player):
            return waiting
    raise Refusal(say("another-does", "it is {player} who {does}", player=known[0].player, does=does), known[0].rule)


def waits(state: State) -> Iterator[Decision]:
    """Yield what somebody is waited for, or can still answer."""
    for waiting in state.waiting:
        if waiting.round is not None:
            yield from _round(state, waiting, waiting.round)
            continue
        who = [waiting.player] if waiting.player else list(state.persons)
        if not any(open_to(state, waiting.action, name) for name in who):
            continue
        if waiting.action == "roll":
            yield Decision(waiting.player, "roll", f"throw {_dice(waiting)}", (), waiting.rule)
        else:
            options = tuple(offered(state, option) for option in waiting.options)
            poll = state.poll_of(waiting)
            takes = "some" if poll.some else poll.free.removeprefix("any ")
            must = not waiting.meanwhile and (not poll.several or waiting.player in awaited(state, poll.id))
            prompt = _asked(state, poll, waiting) + _so_far(state, poll)
            id = poll.id if waiting.meanwhile else None
            yield Decision(waiting.player, "choose", prompt, options, waiting.rule, id=id, must=must, takes=takes)


def until(state: State, due: Due) -> str:
    """Say how long an answer is waited for."""
    if due.unit == "minutes":
        return f"until {written(due.at)}"
    if due.unit == FREED:
        return f"until rule {state.rules.rules[due.at].number} is no longer guaranteed to stand"
    left = due.at - so_far(state, due.unit)
    return f"until {left} more {due.unit if left != 1 else due.unit[:-1]} {'has' if left == 1 else 'have'} ended"


def _asked(state: State, poll: Poll, waiting: Waiting) -> str:
    """Say what is asked, in the words of the rule where it has some."""
    how = {"any number": "a number", "any text": "in words"}.get(poll.free, "")
    how = "one or more" if poll.some and not poll.optional else "some or none" if poll.some else how
    how = ", or ".join(filter(None, (how, "none" if poll.free and poll.optional else "")))
    secret = "shown when all answers are in" if poll.secret else ""
    more = (how, secret, until(state, poll.due) if poll.due is not None else "")
    return (poll.text or _choice(waiting)) + "".join(f" ({one})" for one in more if one)


def _so_far(state: State, poll: Poll) -> str:
    """Say what the others have answered, where it can be seen."""
    if not poll.answers:
        return ""
    if poll.secret:
        return f"{SO_FAR}{doing(list(poll.answers), 'has', 'have')} answered."
    return SO_FAR + "; ".join(f"{who} says {answered(state, poll, who)}" for who in poll.answers) + "."


def answered(state: State, poll: Poll, who: str) -> str:
    """Return what somebody has answered, in words; nothing of an answer that is given in secret."""
    if poll.secret:
        return "answered"
    return listed([offered(state, one) for one in Poll.counted(poll.answers[who])] or ["none"])


def _choice(waiting: Waiting) -> str:
    """Say what is to be chosen, and what for: the first thing that is done with it."""
    then = waiting.agenda[0].effects[1:] if waiting.agenda else ()
    words = next((one.words for one in then if re.search(rf"\b{waiting.name}\b", one.words)), "")
    verb = words.removesuffix(f" {waiting.name}")
    if verb != words and " " not in verb:
        return f"choose {waiting.name} to {verb}"
    return f"choose {waiting.name}" + (f": {words}" if words else "")


def _dice(waiting: Waiting) -> str:
    dice = "a die" if waiting.dice == 1 else f"{waiting.dice} dice"
    return f"{dice} with {waiting.sides} sides" + _by_face(waiting)


def _by_face(waiting: Waiting) -> str:
    """Say which faces choose which of the options, where chance does; where there are many, nothing."""
    told, last = [], 0
    for option, weight in zip(waiting.options, waiting.weights, strict=False):
        first, last = last + 1, last + weight
        told += [f"{first}{f' to {last}' if weight > 1 else ''}: {shown(option)}"] if weight else []
    return f" ({'; '.join(told)})" if 0 < len(told) <= MOST_SHOWN else ""


def _round(state: State, waiting: Waiting, round: Round) -> Iterator[Decision]:
    """Yield what is owed for a throw that is drawn from what is sealed; nobody is told less than all is."""
    what = f"for a throw of {_dice(waiting)}"
    poll = state.poll_of(waiting)
    for name in round.waiting:
        if not open_to(state, round.owed, name):
            continue
        must = True
        if waiting.secret is not None:
            prompt = _secret(state, waiting.secret, round)
        elif poll.id:
            prompt, must = _to_seal(state, waiting, poll, round), not waiting.meanwhile
        elif round.owed == "seal":
            prompt = f"seal a value {what}"
        elif len(round.waiting) > 1:
            prompt = f"reveal what you sealed {what}; whoever is last can know beforehand what it shows"
        else:
            then = _unrevealed(state, round, name)
            prompt = f"reveal what you sealed {what}; as the last you can know beforehand what it shows ({then})"
        yield Decision(name, round.owed, prompt, (), waiting.rule, must=must)


def _to_seal(state: State, waiting: Waiting, poll: Poll, round: Round) -> str:
    """Say what is to be sealed as an answer, or revealed."""
    if round.owed == "reveal":
        return f"reveal what you answered: {poll.text or _choice(waiting)}"
    options = few([offered(state, one) for one in waiting.options])
    return f"seal your answer: {_asked(state, poll, waiting)}" + (f": {options}" if options else "")


def _secret(state: State, secret: Secret, round: Round) -> str:
    """Say what is to be sealed for later, or opened now."""
    of = ", ".join(spoken(state, one) for one in secret.place)
    if round.owed == "reveal":
        return f"open what you sealed for {of}: {secret.counter}"
    options = few([offered(state, one) for one in secret.options])
    return f"seal your answer for {of}, {options}: {secret.text or secret.counter}"


def _unrevealed(state: State, round: Round, name: str) -> str:
    if len(round.who) <= LEAST:
        return "if you do not, it is sealed again"
    finding = state.find("dice.unrevealed", player=name)
    if not finding.answered:
        return "if you do not, the table is asked"
    made = {"without": "made", "again": "sealed again"}[str(finding.value)]
    return f"if you do not, it is {made} without you"


def rounds(state: State) -> tuple[tuple[Waiting, Round], ...]:
    """Return the rounds that are open, each with the throw that waits for it."""
    return tuple((one, one.round) for one in state.waiting if one.round is not None)


def player_left(engine: Engine, name: str) -> None:
    """Let the rounds go on in which somebody who left the game owes something."""
    for _, round in rounds(engine.state):
        if name in round.who and name not in round.reveals:
            engine.schedule("go on without", player=Ref("player", name), round=round.number)
