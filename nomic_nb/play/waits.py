"""What is waited for, as decisions: throws, choices, polls, and what is sealed for them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nomic_nb.law.values import shown
from nomic_nb.markup.words import doing, listed
from nomic_nb.play.calendar import written
from nomic_nb.play.commitments import LEAST, Round
from nomic_nb.play.decision import MOST_SHOWN, SO_FAR, Decision, few
from nomic_nb.play.facts import offered, spoken
from nomic_nb.play.pending import Due, Poll, Secret, Waiting
from nomic_nb.play.permission import open_to
from nomic_nb.play.state import State
from nomic_nb.play.waiting import awaited


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
            poll = state.polls.get(waiting.poll) or Poll(0, waiting.name, ())
            takes = "some" if poll.some else poll.free.removeprefix("any ")
            must = not waiting.meanwhile and (not poll.several or waiting.player in awaited(state, poll.id))
            prompt = _asked(state, poll, waiting) + _so_far(state, poll)
            id = poll.id if waiting.meanwhile else None
            yield Decision(waiting.player, "choose", prompt, options, waiting.rule, id=id, must=must, takes=takes)


def until(state: State, due: Due) -> str:
    """Say how long an answer is waited for."""
    if due.unit == "minutes":
        return f"until {written(due.at)}"
    left = due.at - (state.ended if due.unit == "turns" else state.circuit)
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
    poll = state.polls.get(waiting.poll)
    for name in round.waiting:
        if not open_to(state, round.owed, name):
            continue
        must = True
        if waiting.secret is not None:
            prompt = _secret(state, waiting.secret, round)
        elif poll is not None:
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
