"""What is waited for from players, and how play goes on behind it."""

from __future__ import annotations

from dataclasses import replace

from nomic_nb.law.values import Ref, Value
from nomic_nb.play.declaring import ACTIONS
from nomic_nb.play.pending import POLL, Item, Waiting
from nomic_nb.play.permission import Refusal, open_to
from nomic_nb.play.state import State

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
    return waiting.round is None and waiting.poll in state.polls and state.polls[waiting.poll].several


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
    return replace(item, law=state.law, turn=state.hand, depth=0) if waiting.meanwhile else replace(item, depth=0)


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


def waited_from(state: State, player: str, action: str, nothing: str, does: str) -> Waiting:
    """Return what is waited for from a player, or refuse."""
    known = [one for one in state.waiting if one.action == action]
    if not known:
        raise Refusal(nothing, done=ACTIONS[action].makes)
    for waiting in known:
        if waiting.player in (None, player):
            return waiting
    raise Refusal(f"it is {known[0].player} who {does}", known[0].rule)
