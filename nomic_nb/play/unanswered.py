"""What becomes of a question when somebody leaves: who can be chosen is read anew, what nobody answers is passed over.

Of a clause whose answer never comes, what needs that answer is left out, and all else is done.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from nomic_nb.law.forms import Effect
from nomic_nb.law.nodes import Expression
from nomic_nb.law.values import Ref, Value
from nomic_nb.law.view import Undecided, View
from nomic_nb.law.vocabulary import Vocabulary
from nomic_nb.markup.words import doing, listed
from nomic_nb.play.declaring import happens, step
from nomic_nb.play.engine import Engine
from nomic_nb.play.events import Event
from nomic_nb.play.pending import Poll
from nomic_nb.play.people import names_of
from nomic_nb.play.state import State
from nomic_nb.play.waiting import UNANSWERED

#: Effects that name something for those behind them.
NAMING = frozenset({"let", "chance", "roll"})


def has_left(engine: Engine, who: Expression) -> bool:
    """Tell whether somebody whom a clause goes through, or to whom its event happened, has left.

    Of whoever holds an office, or is called by name, that is another matter: the table is asked what the rule means.
    """
    named = names_of(engine.value(who))
    return who.node.kind == "name" and not any(engine.state.players[name].playing for name in named)


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
    engine.emit("unanswered", None, data={"name": effect.name, "left_out": [one.words for one in lost]})
    if left:
        rest = replace(item, kind="effects", env=env, effects=left)
        engine.first(rest)


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
    engine.emit("options_left", gone, data={"poll": poll.id, "text": poll.text, "name": poll.name, "again": again})


def _options_now(state: State, poll: Poll, item: Any) -> tuple[Value, ...]:
    """Return those of the options that can still be chosen."""
    try:
        now = item.effects[0].options.run(View(state, item.env, item.law))
    except Undecided:
        return tuple(one for one in poll.options if not (isinstance(one, Ref) and one.id not in state.playing))
    return tuple(one for one in poll.options if one in now)


def _told_options_left(event: Event) -> str:
    data = event.data
    of = f"“{data['text']}”" if data["text"] else data["name"]
    again = f"; {doing(data['again'], 'is', 'are')} asked again" if data["again"] else ""
    return f"{event.actor} can no longer be chosen ({of}){again}"


happens("options_left", told=_told_options_left)
