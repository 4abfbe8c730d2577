"""What rules ask players: one who chooses, or several at once; what they answer, and what becomes of it.

Who can be chosen is read anew, what nobody answers is passed over. Of a clause whose answer never comes, what needs
that answer is left out, and all else is done.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any, NoReturn, cast

from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.law.changes import check_text
from nomic_nb.engine.law.expressions import bounded
from nomic_nb.engine.law.forms import Effect
from nomic_nb.engine.law.nodes import Expression, NotDone, Undecided, View
from nomic_nb.engine.law.rules import EVERYWHERE
from nomic_nb.engine.law.slots import NO_OPTIONS, NO_SPAN, Answer, Asked, Flag, Late, Options, Question
from nomic_nb.engine.law.traits import Trait, has
from nomic_nb.engine.law.values import TEXT, Ref, Type, Value, list_of, shown
from nomic_nb.engine.law.vocabulary import Function, Key, Vocabulary
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.deadlines import due_in, is_due
from nomic_nb.engine.play.declarations import effect, happens, step
from nomic_nb.engine.play.dice import Round
from nomic_nb.engine.play.effects import check_can_act, count_of, players_of
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event, cause_of
from nomic_nb.engine.play.facts import offered, spoken
from nomic_nb.engine.play.pending import POLL, Item, Poll, Waiting
from nomic_nb.engine.play.permissions import check_permission, open_to, refuse
from nomic_nb.engine.play.state import State, state_of
from nomic_nb.engine.play.values import BALLOT, BY, PLAYERS, names_of, refs
from nomic_nb.engine.play.waiting import UNANSWERED, awaited, going_on_with, put_back, waited_from
from nomic_nb.engine.words import doing, listed

# ---------------------------------------------------------------------- what counts as an answer to what rules ask


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
    poll, said = state.poll_of(waiting), str(option)[:40]
    options = [offered(state, one) for one in waiting.options]
    if poll.free == "any number":
        refuse(
            say("answer-not-a-number", "a number is asked for, such as 12 or 1/2, not {found!r}", found=said),
            waiting.rule,
        )
    if poll.free:
        refuse(
            say(
                "answer-not-a-text",
                "a text of at most {most} letters is asked for, not {found!r}",
                most=MOST_LETTERS,
                found=said,
            ),
            waiting.rule,
        )
    what = "a list of some of the options" if poll.some else "one of the options"
    raise IllegalAction(
        say("answer-not-an-option", "{found!r} is not {what}", found=said, what=what),
        rule=waiting.rule,
        options=options,
    )


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
        lost = list(_hanging_on(effect.name, then, engine.law.vocabulary)) if has(effect.form, Trait.OPEN) else []
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
    for held in effects:
        every = (one for inner in held.every() for one in inner.expressions)
        if any(not missing.isdisjoint(_spoken_of(one, vocabulary)) for one in every):
            missing |= {held.name} if has(held.form, Trait.OPEN) else set()
            yield held


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


# ------------------------------------------------------------------------------------------ what rules ask players


#: Players who are asked at once, and options that there are at most.
MOST_ASKED, MOST_OPTIONS = 100, 1_000
_ANY = Type("any")


# ------------------------------------------------------------------------------------------- asking


@effect(
    "let {who} choose {some} {name} from {options} {optional} [asking {text}] {secret} [within {span}]",
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
    span=Late(),
    traits="open",
)
def _let(engine: Engine, effect: Any) -> None:
    """Let one choose, or ask several at once, and name the answers; play goes on meanwhile where there is a span."""
    several = type(engine.value(effect.who)) is tuple
    who = _who_is_asked(engine, effect, several=several)
    if not several and has_left(engine, effect.who):
        pass_over(engine)
        return
    free: str = effect.options if isinstance(effect.options, str) else ""
    options = () if free else reached(engine, options_of(engine, effect.options))
    if not options and not effect.optional and not free:
        raise NotDone(NO_OPTIONS)
    if not (several or options or free):  # none is all that there is to choose
        engine.bind(effect.name, () if effect.some else None)
        return
    if not who:  # those who take part could not answer; who has left is not asked, which is told
        named = players_of(engine, effect.who)
        check_can_act(engine, tuple(name for name in named if engine.state.players[name].playing))
    state, due, late = engine.state, None, list[Value]()
    if effect.span is not None:
        due = due_in(state, count_of(engine, effect.span, NO_SPAN), effect.unit)
        late = [] if effect.otherwise is None else [_counting(engine, effect, options, free)]
    poll = Poll(
        len(state.polls) + 1, effect.name, who, several=several, text=effect.text or "", options=options, free=free,
        some=effect.some, optional=effect.optional, secret=effect.secret, rule=engine.at_work, turn=state.turn,
        due=due, late=tuple(late),
    )  # fmt: skip
    sealed = poll.secret and _is_sealed_by_players(engine)
    if sealed:
        who = tuple(name for name in who if open_to(state, "seal", name))
    number = state.seq
    if poll.told:
        said = [poll.free] if poll.free else [offered(state, one) for one in options] + ["none"] * poll.optional
        number = engine.emit(
            "poll_opened", poll=poll.id, who=poll.who, text=poll.text, name=poll.name, options=said,
            sealed=poll.secret and not sealed, data={"by_players": sealed},
        ).seq  # fmt: skip
    engine.state = _with_poll(engine.state, poll)
    if not who:
        _close(engine, poll)
        engine.bind(effect.name, Ref("poll", poll.id))
    open_ones = (*options, None) if effect.optional and not (effect.some or free) else options
    waiting = Waiting("choose", None, effect.name, open_ones, rule=poll.rule, poll=poll.id)
    if due is not None and who:
        waiting, engine.put_aside = replace(waiting, agenda=(engine.item,), meanwhile=True), True
    if sealed and who:
        engine.wait(replace(waiting, round=Round(number, who)))
        return
    for name in who:
        engine.wait(replace(waiting, player=name))


def _who_is_asked(engine: Engine, effect: Any, *, several: bool) -> tuple[str, ...]:
    """Return who is asked: those who are still in the game."""
    named = tuple(dict.fromkeys(players_of(engine, effect.who)))
    who = tuple(name for name in named if name in engine.state.persons)
    if not several and len(named) != 1:
        raise Undecided(say("one-player-chooses", "one player chooses, no more and no less"))
    if len(who) > MOST_ASKED:
        raise Undecided(say("too-many-asked", "more than {most} would be asked at once", most=MOST_ASKED))
    return who


def _is_sealed_by_players(engine: Engine) -> bool:
    """Tell whether the law leaves it to players to keep what they answer in secret; else the game does."""
    finding = engine.find("secret.kept_by")
    if engine.law.said(finding, "game") == "game":
        return False
    engine.cause = cause_of(finding) or engine.cause
    return True


def _counting(engine: Engine, effect: Any, options: tuple[Value, ...], free: str) -> Any:
    """Return what counts for whoever is late, or ask where it is no answer."""
    value = engine.value(effect.otherwise)
    if free:
        fits = not isinstance(value, str) or 0 < len(value) <= MOST_LETTERS
    elif effect.some:
        fits = set(value) <= set(options) and bool(value or effect.optional)
    else:
        fits = value in options
    if not fits and not (value is None and effect.optional):
        raise Undecided(
            say(
                "default-not-among",
                "what counts for whoever is late is {value}, and none of the options",
                value=shown(value),
            )
        )
    return value


def options_of(engine: Engine, expression: Any) -> tuple[Value, ...]:
    """Return what can be chosen, each once, or ask where it is too much."""
    options = tuple(dict.fromkeys(engine.value(expression)))
    if len(options) > MOST_OPTIONS:
        raise Undecided(say("too-many-options", "there are more than {most:,} options", most=MOST_OPTIONS))
    return options


def reached(engine: Engine, options: tuple[Value, ...]) -> tuple[Value, ...]:
    """Leave out what stands in another universe than the one that the rule at work is for, where it does nothing."""
    scope, where = engine.item.scope, engine.law.vocabulary.where
    if scope == EVERYWHERE:
        return options
    return tuple(
        one for one in options if not isinstance(one, Ref) or where({one.kind: one}, engine.state) in (None, scope)
    )


def _with_poll(state: State, poll: Poll) -> State:
    return state.but(polls={**state.polls, poll.id: poll})


def _told_opened(event: Event) -> str:
    data = event.data
    what = ("" if data["text"] else "to choose ") + asked_about(event)
    who = doing(data["who"], "is", "are") if data["who"] else "nobody is"
    return f"{who} asked{', in secret,' if data['sealed'] or 'by_players' in data else ''} {what}"


happens("poll_opened", told=_told_opened)


# ---------------------------------------------------------------------------------------- answering


def _read_out(said: Any) -> str:
    """Return an answer, as it is recorded, as it reads: of several options, with commas between them."""
    return listed(said or ["none"]) if isinstance(said, list) else str(said)


happens(
    "chosen", "a player has chosen what a rule let them choose", BY,
    told=lambda e: f"{e.actor} chooses {_read_out(e.data['option'])}",
)  # fmt: skip


def _recorded(state: State, poll: Poll, answer: Value) -> str | list[str]:
    """Return an answer as it is recorded: a text, or a list where several can be chosen."""
    return [offered(state, one) for one in Poll.counted(answer)] if poll.some else offered(state, answer)


def _answered(state: State, poll: Poll, answers: Mapping[str, Value]) -> State:
    return _with_poll(state, replace(poll, answers={**poll.answers, **answers}))


def choose_offered(engine: Engine, player: str, option: object, decision: int | None) -> None:
    """Choose what a rule offers, or answer what it asks."""
    state = engine.state
    first = waited_from(state, player, "choose", say("nothing-to-choose", "there is nothing to choose now"), "chooses")
    # One player may have several things to choose: it is the first of them where this is offered.
    own = [
        one for one in state.waiting
        if one.action == "choose" and one.player in (None, player) and decision in (None, one.poll) and not one.round
    ]  # fmt: skip
    if not own and first.round is not None:
        refuse(
            say("answer-sealed-first", "what is answered here each player seals first, and reveals then"), first.rule
        )
    if not own:
        refuse(
            say("question-not-yours", "question {question} is not open for {player}", question=decision, player=player)
        )
    found = [(one, value) for one in own for value in answers(state, one, option)]
    if not found:
        refuse_answer(state, next(iter(own), first), option)
    waiting, answer = found[0]
    check_permission(state, "choose", player, "to choose")
    if not waiting.meanwhile:
        engine.take(waiting.turn)
    poll = state.poll_of(waiting)
    if poll.id:
        state = _answered(state, replace(poll, open=poll.several), {player: answer})
    left = state.but(waiting=tuple(one for one in state.waiting if one is not waiting))
    engine.state, engine.depth = left if poll.several else put_back(state, waiting, answer), waiting.depth
    engine.emit("chosen", player, option=_recorded(state, poll, answer), data={"poll": poll.id if poll.told else 0})
    if poll.several and not awaited(engine.state, poll.id):
        engine.state = going_on_with(engine.state, waiting)


def take_revealed(engine: Engine, waiting: Waiting, player: str, value: str) -> None:
    """Take what somebody has revealed as their answer; where it is none, they have not answered."""
    poll = engine.state.polls[waiting.poll]
    answer = next(iter(answers(engine.state, waiting, value)), NO_ANSWER)
    if answer is NO_ANSWER or player not in poll.who:
        return
    engine.state, engine.depth = _answered(engine.state, poll, {player: answer}), waiting.depth
    engine.emit("chosen", player, option=_recorded(engine.state, poll, answer), poll=poll.id)


# ------------------------------------------------------------------------------------------ closing


@step("close poll")
def close_poll(engine: Engine) -> None:
    """Tell the answers of several, and go on with them."""
    item = engine.item
    poll = engine.state.polls[item.env[POLL]]
    _close(engine, poll)
    if item.effects[1:]:
        env = {name: value for name, value in item.env.items() if name != POLL} | {poll.name: Ref("poll", poll.id)}
        engine.first(replace(item, kind="effects", env=env, effects=item.effects[1:]))


def close_late(engine: Engine) -> None:
    """Let go on what has waited for answers as long as it was to; what counts for whoever is late is their answer."""
    for one in engine.state.waiting:
        poll = engine.state.poll_of(one)
        if poll.due is None or one not in engine.state.waiting or not is_due(engine.state, poll.due):
            continue
        if poll.several:
            engine.state = going_on_with(engine.state, one, behind=True)
        else:
            engine.cause = one.agenda[0].cause
            _close(engine, poll)
            nothing: Value = () if poll.some else None
            engine.state = put_back(engine.state, one, poll.late[0] if poll.late else nothing)


def _close(engine: Engine, poll: Poll) -> None:
    missing = [name for name in poll.who if name not in poll.answers] if poll.late else []
    if missing:
        engine.state = _answered(engine.state, poll, dict.fromkeys(missing, poll.late[0]))
        poll = engine.state.polls[poll.id]
    given = ((name, poll.answers[name]) for name in poll.who if name in poll.answers)
    answers = [[name, _recorded(engine.state, poll, answer)] for name, answer in given]
    engine.emit("polled", poll=poll.id, text=poll.text, name=poll.name, answers=answers, late=missing)


def _told_polled(event: Event) -> str:
    data, of = event.data, asked_about(event)
    found: dict[str, list[str]] = {}
    for who, said in data["answers"]:
        name = f"{who} (late)" if who in data["late"] else who
        found.setdefault(_read_out(said), []).append(name)
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
    return Poll(0, "", vote.electorate, options=vote.choices, answers=vote.ballots) if vote else Poll(0, "", ())


def _held(of: Type) -> Type:
    """Return the type of the answers that a value holds."""
    if of.name == "poll" and of.about is not None:
        return of.about
    if of.name == "proposal":
        return BALLOT
    raise LawError(
        say("answers-of-nothing", "answers are those to a poll, or the ballots on a proposal"),
        found=of.one,
        expected="a poll",
    )


KEYS = (
    Key("secret.kept_by", TEXT, "who keeps what is answered in secret until all answers are in: the game, or each "
        "player, who seals it first and reveals it then",
        "when several are asked in secret; the game does where no rule speaks",
        values=("game", "players")),
)  # fmt: skip

FUNCTIONS = (
    Function("who", (_ANY, _ANY), PLAYERS, "the players who answered so in a poll, or cast this ballot on a proposal",
             lambda view, of, answer: refs(_poll(view, of).said(answer)), reads=("polls", "proposals"), holds=_held,
             traits="alike"),
    Function("most", (_ANY,), lambda given: list_of(_held(given[0])),
             "what was answered most often in a poll, or cast on a proposal: several where they tie",
             lambda view, of: _poll(view, of).most, reads=("polls", "proposals"), traits="alike"),
)  # fmt: skip
