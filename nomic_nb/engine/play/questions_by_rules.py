"""What rules ask players: one who chooses, or several at once; their answers, and the effects.

Who can be chosen is read again, what nobody answers is skipped. Of a clause whose answer never comes, what needs
that answer is left out, and all else is done.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any, NoReturn

from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.law.changes import check_text_storable
from nomic_nb.engine.law.clauses import Effect
from nomic_nb.engine.law.expressions import check_number_size
from nomic_nb.engine.law.nodes import Expression, Undecided, View
from nomic_nb.engine.law.traits import Trait, has_trait
from nomic_nb.engine.law.values import ThingRef, Value, value_text
from nomic_nb.engine.law.vocabulary import Vocabulary
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.agenda_items import POLL, AgendaItem, Poll, WaitingFor
from nomic_nb.engine.play.deadlines import is_due
from nomic_nb.engine.play.declarations import declare_event, declare_step
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.facts import option_in_words, value_in_words
from nomic_nb.engine.play.permissions import check_permission, refuse
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import PLAYER_CASE, player_names
from nomic_nb.engine.play.waiting import (
    UNANSWERED_STEP,
    awaited_players,
    find_waiting_for,
    resume_with_value,
    without_waits_for_poll,
)
from nomic_nb.engine.words import join_words, verb_phrase

# ---------------------------------------------------------------------- what counts as an answer to what rules ask


#: Letters of an answer in words.
MOST_LETTERS = 80
#: Stands for what is no answer; none can be one.
NOT_AN_ANSWER: Any = object()


def read_answers(state: State, waiting: WaitingFor, option: object) -> Iterable[Any]:
    """Yield at most one value: what a player's answer (`option`) means; nothing if it is not valid."""
    poll = state.poll_for(waiting)
    known = {
        text: value
        for value in waiting.options
        for text in (option_in_words(state, value), value_in_words(state, value))
    }
    if not (poll.free or poll.some):
        sentence = str(option)
        if sentence not in known:
            sentence = value_text(option) if isinstance(option, str | int | Fraction | None) else ""
        yield from [known[sentence]] if sentence in known else []
    elif poll.free:
        if poll.optional and option in (None, "none"):
            yield None
        else:
            yield from _read_free_answer(poll, option)
    else:
        many = option if isinstance(option, list | tuple) else _read_listed_options(str(option), known)
        chosen = {
            str(given_option) if str(given_option) in known else value_text(given_option)
            for given_option in many
            if isinstance(given_option, str | int)
        }
        if chosen <= known.keys() and (chosen or poll.optional):
            yield tuple(dict.fromkeys(value for text, value in known.items() if text in chosen))


def _read_listed_options(sentence: str, known: Iterable[str]) -> list[str]:
    """Return the options named in a text, split at commas unless the text is itself a `known` option."""
    if sentence in known or value_text(sentence) in known:
        return [sentence]
    return [] if sentence in ("", "none", "None") else [option.strip() for option in sentence.split(",")]


def _read_free_answer(poll: Poll, option: object) -> Iterable[Value]:
    """Yield at most one value: the number or text in a player's free answer; nothing if it is not valid."""
    if poll.free == "any number":
        if isinstance(option, str) and re.fullmatch(r"-?[0-9]{1,13}(/[0-9]{1,13})?", option.strip()):
            option = option.strip()
        elif isinstance(option, bool) or not isinstance(option, int | Fraction):
            return
        with suppress(ZeroDivisionError, Undecided):
            yield check_number_size(Fraction(option))
    elif isinstance(option, str) and option.strip():
        check_text_storable("answer", option, MOST_LETTERS)
        yield " ".join(option.split())


def refuse_answer(state: State, waiting: WaitingFor, option: object) -> NoReturn:
    """Raise `IllegalAction` for an answer (`option`) that is not valid, and say what would be.

    Raises
    ------
    IllegalAction
        With what would be one.
    """
    poll, sentence = state.poll_for(waiting), str(option)[:40]
    options = [option_in_words(state, value) for value in waiting.options]
    if poll.free == "any number":
        refuse(
            say("answer-not-a-number", "answer with a number (12 or 1/2), not {found!r}", found=sentence), waiting.rule
        )
    if poll.free:
        refuse(
            say(
                "answer-not-a-text",
                "answer with a text of at most {most} characters, not {found!r}",
                most=MOST_LETTERS,
                found=sentence,
            ),
            waiting.rule,
        )
    what = "a list of some of the options" if poll.some else "one of the options"
    raise IllegalAction(
        "answer-not-an-option", "{found!r} isn’t {what}", found=sentence, what=what, rule=waiting.rule, options=options
    )


def has_everyone_left(engine: Engine, who: Expression) -> bool:
    """Tell whether all the players that an expression yields have left the game."""
    named = player_names(engine.evaluate(who))
    known = bool(named) or who.node.name != ""
    return known and not any(engine.state.players[name].playing for name in named)


def skip_question_to_leaver(engine: Engine) -> None:
    """Replace the effect at work, which asks a player who left, by a step that continues without an answer."""
    engine.put_first(replace(engine.item, kind=UNANSWERED_STEP))
    engine.put_aside = True


@declare_step(UNANSWERED_STEP)
def go_on_unanswered(engine: Engine) -> None:
    """Go on with a clause whose question nobody will answer: take a default, or skip effects that need it."""
    item = engine.item
    effect, *then = item.effects
    places: dict[str, Any] = dict(effect.places)
    env, lost = item.env, list[Effect]()
    if places.get("otherwise") is not None:
        env = {**env, effect.name: engine.evaluate(effect.otherwise)}
    elif places.get("optional") or places.get("span") is not None:
        env = {**env, effect.name: () if places.get("some") else None}
    else:
        lost = list(_dependent_effects(effect.name, then, engine.law.vocabulary))
    left = tuple(later_effect for later_effect in then if not any(later_effect is other for other in lost))
    engine.emit("unanswered", name=effect.name, left_out=[lost_effect.words for lost_effect in lost])
    if left:
        rest = replace(item, kind="effects", env=env, effects=left)
        engine.put_first(rest)


def leave_out_effect(engine: Engine, item: AgendaItem, why: str) -> None:
    """Record that an agenda item's effect cannot be done (`why`); drop it and the effects that depend on it."""
    words = item.cause.words if item.cause is not None else ""
    then, lost = list[Effect](), list[Effect]()
    if item.kind == "effects":  # and not a condition, without which none of them is done
        effect, *then = item.effects
        words = effect.words
        lost = (
            list(_dependent_effects(effect.name, then, engine.law.vocabulary))
            if has_trait(effect.form, Trait.OPEN | Trait.CALLING)
            else []
        )
    engine.state = engine.state.replace(agenda=engine.state.agenda.split_first()[1])
    engine.cause = item.cause
    engine.emit("nothing_there", effect=words, note=why, left_out=[lost_effect.words for lost_effect in lost])
    left = tuple(later_effect for later_effect in then if not any(later_effect is other for other in lost))
    if left:
        engine.put_first(replace(item, effects=left))


def _describe_nothing_there(event: Event) -> str:
    """Return the history sentence for an effect that could not be done."""
    lost = [f"“{effect_words}”" for effect_words in event.data["left_out"]]
    told = f"“{event.data['effect']}” does not happen, because {event.data['note']}"
    return f"{told}; also left out: {join_words(lost)}" if lost else told


declare_event("nothing_there", told=_describe_nothing_there)


def _dependent_effects(name: str, effects: list[Effect], vocabulary: Vocabulary) -> Iterator[Effect]:
    """Yield the effects that need a name without a value: `name`, or one that a yielded effect would set."""
    missing = {name}
    for held in effects:
        every = (expression for inner in held.with_nested_effects for expression in inner.expressions)
        if any(not missing.isdisjoint(_names_used(expression, vocabulary)) for expression in every):
            missing |= {held.name} if has_trait(held.form, Trait.OPEN | Trait.CALLING) else set()
            yield held


def _names_used(expression: Expression, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the names whose values an expression uses, directly or through keys of the law and facts."""
    yield from expression.names
    for key in expression.keys:
        yield from (*vocabulary.keys[key].case, *vocabulary.keys[key].may_know)
    for fact in (vocabulary.facts[name] for name in expression.names if name in vocabulary.facts):
        yield from fact.needs


def _describe_unanswered(event: Event) -> str:
    """Return the history sentence for a question that nobody is left to answer."""
    lost = [f"“{effect_words}”" for effect_words in event.data["left_out"]]
    told = f"nobody is left to choose {event.data['name']}"
    return f"{told}; left out as a result: {join_words(lost)}" if lost else told


declare_event("unanswered", told=_describe_unanswered)


# ------------------------------------------------------------------------------------ who can be chosen


def refresh_options(engine: Engine, name: str) -> None:
    """Remove a player who left from the options of open polls; ask again whoever had chosen that player."""
    for id in dict.fromkeys(waiting.poll for waiting in engine.state.waiting):
        poll = engine.state.polls.get(id)
        if poll is not None and ThingRef("player", name) in poll.options:
            _refresh_poll(engine, poll, name)


def _refresh_poll(engine: Engine, poll: Poll, gone: str) -> None:
    """Drop options no longer possible since `gone` left, and answers with them; ask those players again."""
    state = engine.state
    waiting = [waiting_for for waiting_for in state.waiting if waiting_for.poll == poll.id]
    agenda = waiting[0].agenda
    left = _remaining_options(state, poll, agenda[0])
    if left == poll.options:
        return
    others = tuple(waiting_for for waiting_for in state.waiting if waiting_for.poll != poll.id)
    if not left:  # it is asked again, of what there is then
        closed = {**state.polls, poll.id: replace(poll, open=False)}
        engine.state = state.replace(waiting=others, polls=closed, agenda=state.agenda.with_last(*agenda))
        return
    stand = {who: answer for who, answer in poll.answers.items() if set(Poll.options_in_answer(answer)) <= set(left)}
    late = tuple(value for value in poll.late if set(Poll.options_in_answer(value)) <= set(left))
    now = replace(poll, options=left, answers=stand, late=late)
    open_ones = (*left, None) if poll.optional and not poll.some else left
    again = [who for who in poll.answers if who not in stand and who != gone and waiting[0].round is None]
    asked = [*waiting, *(replace(waiting[0], player=who) for who in again)]
    engine.state = state.replace(
        polls={**state.polls, poll.id: now},
        waiting=(*others, *(replace(waiting_for, options=open_ones) for waiting_for in asked)),
    )
    engine.emit("options_left", gone, poll=poll.id, text=poll.text, name=poll.name, again=again)


def _remaining_options(state: State, poll: Poll, item: Any) -> tuple[Value, ...]:
    """Return those of a poll's options that the agenda item which asked (`item`) still lists when evaluated again."""
    try:
        now = item.effects[0].options.run(View(state, item.env, item.law))
    except Undecided:
        return tuple(
            option
            for option in poll.options
            if not (isinstance(option, ThingRef) and option.id not in state.names_of_players)
        )
    return tuple(option for option in poll.options if option in now)


def question_text(event: Event) -> str:
    """Return an event's question in quotation marks or, if it has none, the name to which the answer is bound."""
    return f"“{event.data['text']}”" if event.data["text"] else str(event.data["name"])


def _describe_remaining_options(event: Event) -> str:
    """Return the history sentence for a player who can no longer be chosen."""
    data, of = event.data, question_text(event)
    again = f"; {verb_phrase(data['again'], 'is', 'are')} asked again" if data["again"] else ""
    return f"{event.actor} can no longer be chosen ({of}){again}"


declare_event("options_left", told=_describe_remaining_options)


def with_poll(state: State, poll: Poll) -> State:
    """Return the state with a poll added, or put in place of the one with its id."""
    return state.replace(polls={**state.polls, poll.id: poll})


# ---------------------------------------------------------------------------------------- answering


def _answer_in_words(answer: Any) -> str:
    """Return a recorded answer in words, with commas between several options."""
    return join_words(answer or ["none"]) if isinstance(answer, list) else str(answer)


declare_event(
    "chosen", "a player makes a choice that a rule offers", PLAYER_CASE,
    told=lambda e: f"{e.actor} chooses {_answer_in_words(e.data['option'])}",
)  # fmt: skip


def answer_as_recorded(state: State, poll: Poll, answer: Value) -> str | list[str]:
    """Return an answer as an event records it: a text, or a list of several options."""
    return (
        [option_in_words(state, value) for value in Poll.options_in_answer(answer)]
        if poll.some
        else option_in_words(state, answer)
    )


def record_answers(state: State, poll: Poll, answers: Mapping[str, Value]) -> State:
    """Return the state with answers added to a poll."""
    return with_poll(state, replace(poll, answers={**poll.answers, **answers}))


def answer_or_choose(engine: Engine, player: str, option: object, decision: int | None) -> None:
    """Record `option` as a player's answer to the poll with id `decision` or, if None, the first one that it fits."""
    state = engine.state
    first = find_waiting_for(
        state, player, "choose", say("nothing-to-choose", "there is nothing to choose now"), "chooses"
    )
    # One player may have several things to choose: it is the first of them where this is offered.
    own = [
        waiting_for for waiting_for in state.waiting
        if waiting_for.action == "choose" and waiting_for.player in (None, player)
        and decision in (None, waiting_for.poll) and not waiting_for.round
    ]  # fmt: skip
    if not own and first.round is not None:
        refuse(
            say("answer-sealed-first", "answers are secret here: every player seals one first and reveals it later"),
            first.rule,
        )
    if not own:
        refuse(
            say("question-not-yours", "{player} can’t answer question {question} now", question=decision, player=player)
        )
    matches = [(waiting_for, value) for waiting_for in own for value in read_answers(state, waiting_for, option)]
    if not matches:
        refuse_answer(state, next(iter(own), first), option)
    waiting, answer = matches[0]
    check_permission(state, "choose", player, "to choose")
    if not waiting.meanwhile:
        engine.make_turn_current(waiting.turn)
    poll = state.poll_for(waiting)
    if poll.id:
        state = record_answers(state, replace(poll, open=poll.several), {player: answer})
    left = state.replace(waiting=tuple(waiting_for for waiting_for in state.waiting if waiting_for is not waiting))
    engine.state, engine.depth = (
        left if poll.several else resume_with_value(state, waiting, answer),
        waiting.resume_depth,
    )
    engine.emit(
        "chosen",
        player,
        option=answer_as_recorded(state, poll, answer),
        data={"poll": poll.id if poll.is_announced else 0},
    )
    if poll.several and not awaited_players(engine.state, poll.id):
        engine.state = without_waits_for_poll(engine.state, waiting)


# ------------------------------------------------------------------------------------------ closing


@declare_step("close poll")
def close_poll(engine: Engine) -> None:
    """Close the poll that the agenda item at work is about, and go on with the clause that asked."""
    item = engine.item
    poll = engine.state.polls[item.env[POLL]]
    record_poll_result(engine, poll)
    if item.effects[1:]:
        env = {name: value for name, value in item.env.items() if name != POLL} | {poll.name: ThingRef("poll", poll.id)}
        engine.put_first(replace(item, kind="effects", env=env, effects=item.effects[1:]))


def close_overdue_polls(engine: Engine) -> None:
    """Close the polls whose deadline has passed, with the default answer for late players."""
    for waiting in engine.state.waiting:
        poll = engine.state.poll_for(waiting)
        if poll.due is None or waiting not in engine.state.waiting or not is_due(engine.state, poll.due):
            continue
        if poll.several:
            engine.state = without_waits_for_poll(engine.state, waiting, behind=True)
        else:
            engine.cause = waiting.agenda[0].cause
            record_poll_result(engine, poll)
            nothing = () if poll.some else None
            engine.state = resume_with_value(engine.state, waiting, poll.late[0] if poll.late else nothing)


def record_poll_result(engine: Engine, poll: Poll) -> None:
    """Record the answers to a poll, with the default one for late players, by an event that closes it."""
    missing = [name for name in poll.who if name not in poll.answers] if poll.late else []
    if missing:
        engine.state = record_answers(engine.state, poll, dict.fromkeys(missing, poll.late[0]))
        poll = engine.state.polls[poll.id]
    given = ((name, poll.answers[name]) for name in poll.who if name in poll.answers)
    answers = [[name, answer_as_recorded(engine.state, poll, answer)] for name, answer in given]
    engine.emit("polled", poll=poll.id, text=poll.text, name=poll.name, answers=answers, late=missing)


def _describe_poll_result(event: Event) -> str:
    """Return the history sentence for the answers to a poll."""
    data, of = event.data, question_text(event)
    players_by_answer: dict[str, list[str]] = {}
    for who, answer in data["answers"]:
        name = f"{who} (late)" if who in data["late"] else who
        players_by_answer.setdefault(_answer_in_words(answer), []).append(name)
    told = "; ".join(f"{verb_phrase(who, 'says', 'say')} {sentence}" for sentence, who in players_by_answer.items())
    return f"the answers to {of} are in: {told}" if told else f"nobody has answered {of}"


declare_event("polled", told=_describe_poll_result)(
    lambda state, event: with_poll(state, replace(state.polls[event.data["poll"]], open=False))
)
