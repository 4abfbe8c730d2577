"""What rules ask players: one who chooses, or several at once; what they answer, and what becomes of it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

from nomic_nb.errors import IllegalAction, LawError
from nomic_nb.law.changes import check_text
from nomic_nb.law.choosing import Answer, Asked, Options, Question
from nomic_nb.law.places import Flag
from nomic_nb.law.running import bounded
from nomic_nb.law.values import Ref, Type, Value, list_of, shown
from nomic_nb.law.view import Undecided, View
from nomic_nb.law.vocabulary import Function
from nomic_nb.markup.words import doing, listed
from nomic_nb.play.cases import BALLOT, BY, PLAYERS
from nomic_nb.play.declaring import effect, happens, step
from nomic_nb.play.effects import check_can_act, players_of
from nomic_nb.play.engine import Engine
from nomic_nb.play.events import Event
from nomic_nb.play.facts import offered
from nomic_nb.play.pending import POLL, Poll, Waiting
from nomic_nb.play.people import refs
from nomic_nb.play.permission import check_permission, refuse
from nomic_nb.play.state import State, state_of
from nomic_nb.play.waiting import awaited, going_on_with, put_back, waited_from

#: Players who are asked at once, and options that there are at most.
MOST_ASKED, MOST_OPTIONS = 100, 1_000
#: Letters of an answer in words.
MOST_LETTERS = 80
_ANY = Type("any")


# ------------------------------------------------------------------------------------------- asking


@effect(
    "let {who} choose {some} {name} from {options} {optional} [asking {text}] {secret}",
    example='let seats choose verdict from ["yes", "no"] asking "Was it a good joke?"',
    makes="chosen",
    ordered_by="people Judge",
    who=Asked(),
    some=Flag("some"),
    name=Answer(),
    options=Options(),
    optional=Flag("or none"),
    text=Question(),
    secret=Flag("in secret"),
)
def _let(engine: Engine, effect: Any) -> None:
    """Let somebody choose, and name what is chosen; where several are asked, all of them at once."""
    several = type(engine.value(effect.who)) is tuple
    named = players_of(engine, effect.who)
    if not several and len(named) != 1:
        raise Undecided("one player chooses, no more and no less")
    options: tuple[Value, ...] = ()
    free = effect.options
    if not isinstance(free, str):
        options, free = options_of(engine, effect.options), ""
    if not options and not effect.optional and not free:
        raise Undecided("there is nothing to choose from")
    if several:
        who = tuple(name for name in dict.fromkeys(named) if name in engine.state.persons)
        if not who:  # whoever is named, nobody of them could answer
            check_can_act(engine, named)
        if len(who) > MOST_ASKED:
            raise Undecided(f"more than {MOST_ASKED} would be asked at once")
    else:
        if not options and not free:
            engine.bind(effect.name, () if effect.some else None)
            return
        check_can_act(engine, named)
        who = named
    state = engine.state
    poll = Poll(
        len(state.polls) + 1, effect.name, who, several=several, text=effect.text or "", options=options, free=free,
        some=effect.some, optional=effect.optional, secret=effect.secret, rule=engine.at_work, turn=state.turn,
    )  # fmt: skip
    if poll.told:
        engine.emit("poll_opened", None, data=_opened(state, poll))
    engine.state = _with_poll(engine.state, poll)
    if not who:
        _close(engine, poll)
        engine.bind(effect.name, Ref("poll", poll.id))
    open_ones = (*options, None) if effect.optional and not (effect.some or free) else options
    for name in who:
        engine.wait(Waiting("choose", name, effect.name, open_ones, rule=poll.rule, poll=poll.id))


def options_of(engine: Engine, expression: Any) -> tuple[Value, ...]:
    """Return what can be chosen, each once, or ask where it is too much."""
    options = tuple(dict.fromkeys(cast(tuple[Value, ...], engine.value(expression))))
    if len(options) > MOST_OPTIONS:
        raise Undecided(f"there are more than {MOST_OPTIONS:,} options")
    return options


def _opened(state: State, poll: Poll) -> dict[str, Any]:
    options = [offered(state, one) for one in poll.options] + ["none"] * poll.optional
    return {
        "poll": poll.id, "who": list(poll.who), "text": poll.text, "name": poll.name,
        "options": [poll.free] if poll.free else options, "sealed": poll.secret,
    }  # fmt: skip


def _with_poll(state: State, poll: Poll) -> State:
    return state.but(polls={**state.polls, poll.id: poll})


def _told_opened(event: Event) -> str:
    data = event.data
    what = f"“{data['text']}”" if data["text"] else f"to choose {data['name']}"
    who = doing(data["who"], "is", "are") if data["who"] else "nobody is"
    return f"{who} asked{', in secret,' if data['sealed'] else ''} {what}"


happens("poll_opened", told=_told_opened)


# ---------------------------------------------------------------------------------------- answering


def _told_chosen(event: Event) -> str:
    said = event.data["option"]
    return f"{event.actor} chooses {listed(said or ['none']) if isinstance(said, list) else said}"


happens("chosen", "a player has chosen what a rule let them choose", BY, told=_told_chosen)


def choose_offered(engine: Engine, player: str, option: object, decision: int | None) -> None:
    """Choose what a rule offers, or answer what it asks."""
    state = engine.state
    first = waited_from(state, player, "choose", "there is nothing to choose now", "chooses")
    # One player may have several things to choose: it is the first of them where this is offered.
    own = [
        one for one in state.waiting
        if one.action == "choose" and one.player in (None, player) and decision in (None, one.poll)
    ]  # fmt: skip
    if not own:
        refuse(f"question {decision} is not open for {player}")
    found = [(one, value) for one in own for value in _answers(state, one, option)]
    if not found:
        _refused(state, next(iter(own), first), option)
    waiting, answer = found[0]
    check_permission(state, "choose", player, "to choose")
    engine.take(waiting.turn)
    poll = state.polls.get(waiting.poll)
    said = [offered(state, one) for one in answer] if poll is not None and poll.some else offered(state, answer)
    data = {"option": said} | ({"poll": poll.id} if poll is not None and poll.told else {})
    if poll is not None:
        state = _with_poll(state, replace(poll, answers={**poll.answers, player: answer}, open=poll.several))
    if poll is None or not poll.several:
        engine.state = put_back(state, waiting, answer)
        engine.emit("chosen", player, data=data)
        return
    engine.state = state.but(waiting=tuple(one for one in state.waiting if one is not waiting))
    engine.emit("chosen", player, data=data)
    if not awaited(engine.state, poll.id):
        engine.state = going_on_with(engine.state, waiting)


def _answers(state: State, waiting: Waiting, option: object) -> Iterable[Any]:
    """Yield what somebody says, as an answer to what is asked; nothing where it is none."""
    poll = state.polls.get(waiting.poll)
    known = {offered(state, one): one for one in waiting.options}
    if poll is None or not (poll.free or poll.some):
        said = str(option)
        if said not in known:
            said = shown(option) if isinstance(option, str | int | Fraction | None) else ""
        yield from [known[said]] if said in known else []
    elif poll.free:
        if poll.optional and option in (None, "none"):
            yield None
        else:
            yield from _free(poll, option)
    else:
        many = option if isinstance(option, list | tuple) else _listed(str(option), known)
        found = {str(one) if str(one) in known else shown(one) for one in many if isinstance(one, str | int)}
        if found <= known.keys() and (found or poll.optional):
            yield tuple(one for said, one in known.items() if said in found)


def _listed(said: str, known: Iterable[str]) -> list[str]:
    """Return the options that a text names, with commas between them."""
    if said in known or shown(said) in known:
        return [said]
    return [] if said in ("", "none", "None") else [one.strip() for one in said.split(",")]


def _free(poll: Poll, option: object) -> Iterable[Value]:
    """Yield a number, or a text; nothing where it is none."""
    if poll.free == "any number":
        if isinstance(option, str) and re.fullmatch(r"-?[0-9]{1,13}(/[0-9]{1,13})?", option.strip()):
            try:
                yield bounded(Fraction(option.strip()))
            except (ZeroDivisionError, Undecided):
                return
        elif isinstance(option, int | Fraction) and not isinstance(option, bool):
            try:
                yield bounded(option)
            except Undecided:
                return
    elif isinstance(option, str) and option.strip():
        check_text("answer", option, MOST_LETTERS)
        yield " ".join(option.split())


def _refused(state: State, waiting: Waiting, option: object) -> None:
    poll, said = state.polls.get(waiting.poll), repr(str(option)[:40])
    options = [offered(state, one) for one in waiting.options]
    if poll is not None and poll.free == "any number":
        refuse(f"a number is asked for, such as 12 or 1/2, not {said}", waiting.rule)
    if poll is not None and poll.free:
        refuse(f"a text of at most {MOST_LETTERS} letters is asked for, not {said}", waiting.rule)
    what = "a list of some of the options" if poll is not None and poll.some else "one of the options"
    raise IllegalAction(f"{said} is not {what}", rule=waiting.rule, options=options)


# ------------------------------------------------------------------------------------------ closing


@step("close poll")
def close_poll(engine: Engine) -> None:
    """Tell the answers of several, and go on with them."""
    item = engine.item
    poll = engine.state.polls[cast(int, item.env[POLL])]
    _close(engine, poll)
    if item.effects[1:]:
        env = {name: value for name, value in item.env.items() if name != POLL} | {poll.name: Ref("poll", poll.id)}
        then = replace(item, kind="effects", env=env, effects=item.effects[1:])
        engine.state = engine.state.but(agenda=engine.state.agenda.first(then))


def _close(engine: Engine, poll: Poll) -> None:
    answers = [
        [name, [offered(engine.state, one) for one in Poll.counted(poll.answers[name])] if poll.some
         else offered(engine.state, poll.answers[name])]
        for name in poll.who if name in poll.answers
    ]  # fmt: skip
    engine.emit("polled", None, data={"poll": poll.id, "text": poll.text, "name": poll.name, "answers": answers})


def _told_polled(event: Event) -> str:
    data = event.data
    of = f"“{data['text']}”" if data["text"] else data["name"]
    found: dict[str, list[str]] = {}
    for who, said in data["answers"]:
        found.setdefault(listed(said or ["none"]) if isinstance(said, list) else said, []).append(who)
    told = "; ".join(f"{doing(who, 'says', 'say')} {said}" for said, who in found.items())
    return f"the answers to {of} are in: {told}" if told else f"nobody has answered {of}"


@happens("polled", told=_told_polled)
def _polled(state: State, event: Event) -> State:
    return _with_poll(state, replace(state.polls[event.data["poll"]], open=False))


# ------------------------------------------------------------------------------- what rules can read


def _poll(view: View, of: Value) -> Poll:
    """Return a poll, or what is cast on a proposal as one."""
    state, ref = state_of(view), cast(Ref, of)
    if ref.kind == "poll":
        return state.polls[cast(int, ref.id)]
    vote = state.proposals[ref.id].vote
    return Poll(0, "", vote.electorate if vote else (), answers=vote.ballots if vote else {})


def _held(of: Type) -> Type:
    """Return the type of the answers that a value holds."""
    if of.name == "poll" and of.about is not None:
        return of.about
    if of.name == "proposal":
        return BALLOT
    raise LawError("answers are those to a poll, or the ballots on a proposal", found=of.one, expected="a poll")


FUNCTIONS = (
    Function("who", (_ANY, _ANY), PLAYERS, "the players who answered so in a poll, or cast this ballot on a proposal",
             lambda view, of, answer: refs(_poll(view, of).said(answer)), reads=("polls", "proposals"), holds=_held),
    Function("most", (_ANY,), lambda given: list_of(_held(given[0])),
             "what was answered most often in a poll, or cast on a proposal: several where they tie",
             lambda view, of: _poll(view, of).most, reads=("polls", "proposals")),
)  # fmt: skip
