"""What counts as an answer to what rules ask, and what becomes of a question when somebody leaves.

Who can be chosen is read anew, what nobody answers is passed over. Of a clause whose answer never comes, what needs
that answer is left out, and all else is done.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any, NoReturn

from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.law.changes import check_text
from nomic_nb.engine.law.forms import Effect
from nomic_nb.engine.law.nodes import Expression
from nomic_nb.engine.law.running import bounded
from nomic_nb.engine.law.values import Ref, Value, shown
from nomic_nb.engine.law.view import Undecided, View
from nomic_nb.engine.law.vocabulary import Vocabulary
from nomic_nb.engine.play.cases import names_of
from nomic_nb.engine.play.declaring import happens, step
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.facts import offered, spoken
from nomic_nb.engine.play.pending import Item, Poll, Waiting
from nomic_nb.engine.play.permission import refuse
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.waiting import UNANSWERED
from nomic_nb.engine.words import doing, listed

#: Letters of an answer in words.
MOST_LETTERS = 80
#: Stands for what is no answer; none can be one.
NO_ANSWER: Any = object()


def is_answer(state: State, waiting: Waiting, value: str) -> bool:
    """Tell whether something would be taken as an answer."""
    return bool(list(answers(state, waiting, value)))


def answers(state: State, waiting: Waiting, option: object) -> Iterable[Any]:
    """Yield what somebody says, as an answer to what is asked; nothing where it is none."""
    poll = state.poll_of(waiting)
    known = {said: one for one in waiting.options for said in (offered(state, one), spoken(state, one))}
    if not (poll.free or poll.some):
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
            yield tuple(dict.fromkeys(one for said, one in known.items() if said in found))


def _listed(said: str, known: Iterable[str]) -> list[str]:
    """Return the options that a text names, with commas between them."""
    if said in known or shown(said) in known:
        return [said]
    return [] if said in ("", "none", "None") else [one.strip() for one in said.split(",")]


def _free(poll: Poll, option: object) -> Iterable[Value]:
    """Yield a number, or a text; nothing where it is none."""
    if poll.free == "any number":
        if isinstance(option, str) and re.fullmatch(r"-?[0-9]{1,13}(/[0-9]{1,13})?", option.strip()):
            option = option.strip()
        elif isinstance(option, bool) or not isinstance(option, int | Fraction):
            return
        with suppress(ZeroDivisionError, Undecided):
            yield bounded(Fraction(option))
    elif isinstance(option, str) and option.strip():
        check_text("answer", option, MOST_LETTERS)
        yield " ".join(option.split())


def refuse_answer(state: State, waiting: Waiting, option: object) -> NoReturn:
    """Refuse what is no answer.

    Raises
    ------
    IllegalAction
        With what would be one.
    """
    poll, said = state.poll_of(waiting), repr(str(option)[:40])
    options = [offered(state, one) for one in waiting.options]
    if poll.free == "any number":
        refuse(f"a number is asked for, such as 12 or 1/2, not {said}", waiting.rule)
    if poll.free:
        refuse(f"a text of at most {MOST_LETTERS} letters is asked for, not {said}", waiting.rule)
    what = "a list of some of the options" if poll.some else "one of the options"
    raise IllegalAction(f"{said} is not {what}", rule=waiting.rule, options=options)


#: Effects that name something for those behind them.
NAMING = frozenset({"let", "chance", "roll"})


def has_left(engine: Engine, who: Expression) -> bool:
    """Tell whether nobody of those whom a clause names takes part any more; where it names nobody, that is open."""
    named = names_of(engine.value(who))
    known = bool(named) or who.node.kind == "name"
    return known and not any(engine.state.players[name].playing for name in named)


def pass_over(engine: Engine) -> None:
    """Go on behind the effect at work, which asks somebody who has left."""
    engine.first(replace(engine.item, kind=UNANSWERED))
    engine.put_aside = True


@step(UNANSWERED)
def go_on_unanswered(engine: Engine) -> None:
    """Do of a clause what needs no answer that nobody gives any more; what counts for nobody's is one."""
    item = engine.item
    effect, *then = item.effects
    places: dict[str, Any] = dict(effect.places)
    env, lost = item.env, list[Effect]()
    if places.get("otherwise") is not None:
        env = {**env, effect.name: engine.value(effect.otherwise)}
    elif places.get("optional") or places.get("span") is not None:
        env = {**env, effect.name: () if places.get("some") else None}
    else:
        lost = list(_hanging_on(effect.name, then, engine.law.vocabulary))
    left = tuple(one for one in then if not any(one is other for other in lost))
    engine.emit("unanswered", name=effect.name, left_out=[one.words for one in lost])
    if left:
        rest = replace(item, kind="effects", env=env, effects=left)
        engine.first(rest)


def leave_out(engine: Engine, item: Item, why: str) -> None:
    """Leave out an effect of which there is nothing to be done, and what needs the name that it would have given."""
    words = item.cause.words if item.cause is not None else ""
    then, lost = list[Effect](), list[Effect]()
    if item.kind == "effects":  # and not a condition, without which none of them is done
        effect, *then = item.effects
        words = effect.words
        lost = list(_hanging_on(effect.name, then, engine.law.vocabulary)) if effect.form.name in NAMING else []
    engine.state = engine.state.but(agenda=engine.state.agenda.taken()[1])
    engine.cause = item.cause
    engine.emit("nothing_there", effect=words, note=why, left_out=[one.words for one in lost])
    left = tuple(one for one in then if not any(one is other for other in lost))
    if left:
        engine.first(replace(item, effects=left))


def _told_nothing_there(event: Event) -> str:
    lost = [f"“{one}”" for one in event.data["left_out"]]
    told = f"“{event.data['effect']}” is not done, because {event.data['note']}"
    return f"{told}; nor is {listed(lost)}" if lost else told


happens("nothing_there", told=_told_nothing_there)


def _hanging_on(name: str, effects: list[Effect], vocabulary: Vocabulary) -> Iterator[Effect]:
    """Yield the effects that speak of a name, or of one that another of them would have given."""
    missing = {name}
    for effect in effects:
        every = (one for inner in effect.every() for one in inner.expressions)
        if any(not missing.isdisjoint(_spoken_of(one, vocabulary)) for one in every):
            missing |= {effect.name} if effect.form.name in NAMING else set()
            yield effect


def _spoken_of(expression: Expression, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the names that an expression uses, itself or in the case of a term, or by a fact that needs one."""
    yield from expression.names
    for key in expression.keys:
        yield from (*vocabulary.keys[key].case, *vocabulary.keys[key].may_know)
    for fact in (vocabulary.facts[name] for name in expression.names if name in vocabulary.facts):
        yield from fact.needs


def _told_unanswered(event: Event) -> str:
    lost = [f"“{one}”" for one in event.data["left_out"]]
    told = f"nobody is left to say what {event.data['name']} is"
    return f"{told}; what needs it is left out: {listed(lost)}" if lost else told


happens("unanswered", told=_told_unanswered)


# ------------------------------------------------------------------------------------ who can be chosen


def read_options_anew(engine: Engine, name: str) -> None:
    """Let nobody choose a player who has left, where the rule means those who play; who had is asked once more."""
    for id in dict.fromkeys(one.poll for one in engine.state.waiting):
        poll = engine.state.polls.get(id)
        if poll is not None and Ref("player", name) in poll.options:
            _read_anew(engine, poll, name)


def _read_anew(engine: Engine, poll: Poll, gone: str) -> None:
    state = engine.state
    waiting = [one for one in state.waiting if one.poll == poll.id]
    agenda = waiting[0].agenda
    left = _options_now(state, poll, agenda[0])
    if left == poll.options:
        return
    others = tuple(one for one in state.waiting if one.poll != poll.id)
    if not left:  # it is asked anew, of what there is then
        closed = {**state.polls, poll.id: replace(poll, open=False)}
        engine.state = state.but(waiting=others, polls=closed, agenda=state.agenda.then(*agenda))
        return
    stand = {who: answer for who, answer in poll.answers.items() if set(Poll.counted(answer)) <= set(left)}
    late = tuple(one for one in poll.late if set(Poll.counted(one)) <= set(left))
    now = replace(poll, options=left, answers=stand, late=late)
    open_ones = (*left, None) if poll.optional and not poll.some else left
    again = [who for who in poll.answers if who not in stand and who != gone and waiting[0].round is None]
    asked = [*waiting, *(replace(waiting[0], player=who) for who in again)]
    engine.state = state.but(
        polls={**state.polls, poll.id: now}, waiting=(*others, *(replace(one, options=open_ones) for one in asked))
    )
    engine.emit("options_left", gone, poll=poll.id, text=poll.text, name=poll.name, again=again)


def _options_now(state: State, poll: Poll, item: Any) -> tuple[Value, ...]:
    """Return those of the options that can still be chosen."""
    try:
        now = item.effects[0].options.run(View(state, item.env, item.law))
    except Undecided:
        return tuple(one for one in poll.options if not (isinstance(one, Ref) and one.id not in state.playing))
    return tuple(one for one in poll.options if one in now)


def asked_about(event: Event) -> str:
    """Return what is asked, in the rule's words, or what the answer is called."""
    return f"“{event.data['text']}”" if event.data["text"] else str(event.data["name"])


def _told_options_left(event: Event) -> str:
    data, of = event.data, asked_about(event)
    again = f"; {doing(data['again'], 'is', 'are')} asked again" if data["again"] else ""
    return f"{event.actor} can no longer be chosen ({of}){again}"


happens("options_left", told=_told_options_left)
