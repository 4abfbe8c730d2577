"""What rules ask players: one who chooses, or several at once, and what rules can read of the answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law.nodes import NotDone, Undecided, View
from nomic_nb.engine.law.rules import EVERYWHERE_SCOPE
from nomic_nb.engine.law.slots import NO_OPTIONS, NO_SPAN, FlagSlot
from nomic_nb.engine.law.values import TEXT, ThingRef, Type, Value, list_type, value_text
from nomic_nb.engine.law.vocabulary import Function, Key
from nomic_nb.engine.play.agenda_items import Poll, WaitingFor
from nomic_nb.engine.play.deadlines import deadline_after
from nomic_nb.engine.play.declarations import declare_event, effect
from nomic_nb.engine.play.dice import SealingRound
from nomic_nb.engine.play.effects import check_are_persons, evaluate_count, evaluate_players
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event, cause_of
from nomic_nb.engine.play.facts import option_in_words
from nomic_nb.engine.play.permissions import is_permitted
from nomic_nb.engine.play.questions_by_rules import (
    MOST_LETTERS,
    NOT_AN_ANSWER,
    answer_as_recorded,
    has_everyone_left,
    question_text,
    read_answers,
    record_answers,
    record_poll_result,
    skip_question_to_leaver,
    with_poll,
)
from nomic_nb.engine.play.state import state_of
from nomic_nb.engine.play.values import BALLOT, PLAYERS, player_refs
from nomic_nb.engine.subjects.answer_slots import AnswerSlot, AskedSlot, LateSlot, OptionsSlot, QuestionSlot
from nomic_nb.engine.words import verb_phrase

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
    who=AskedSlot(),
    some=FlagSlot("some"),
    name=AnswerSlot(),
    options=OptionsSlot(),
    optional=FlagSlot("or none"),
    text=QuestionSlot(),
    secret=FlagSlot("in secret"),
    span=LateSlot(),
    traits="open",
)
def _let(engine: Engine, effect: Any) -> None:
    """Let a player choose, or ask several at once, naming the answers; with a time limit, play continues meanwhile."""
    several = type(engine.evaluate(effect.who)) is tuple
    who = _asked_players(engine, effect, several=several)
    if not several and has_everyone_left(engine, effect.who):
        skip_question_to_leaver(engine)
        return
    free = effect.options if isinstance(effect.options, str) else ""
    options = () if free else options_in_universe(engine, evaluate_options(engine, effect.options))
    if not options and not effect.optional and not free:
        raise NotDone(NO_OPTIONS)
    if not (several or options or free):  # none is all that there is to choose
        engine.bind(effect.name, () if effect.some else None)
        return
    if not who:  # those who take part could not answer; who has left is not asked, which is told
        named = evaluate_players(engine, effect.who)
        check_are_persons(engine, tuple(name for name in named if engine.state.players[name].playing))
    state, due, late = engine.state, None, list[Value]()
    if effect.span is not None:
        due = deadline_after(state, evaluate_count(engine, effect.span, NO_SPAN), effect.unit)
        late = [] if effect.otherwise is None else [_late_answer(engine, effect, options, free)]
    poll = Poll(
        len(state.polls) + 1, effect.name, who, several=several, text=effect.text or "", options=options, free=free,
        some=effect.some, optional=effect.optional, secret=effect.secret, rule=engine.number_of_rule_at_work,
        turn=state.turn,
        due=due, late=tuple(late),
    )  # fmt: skip
    sealed = poll.secret and _is_sealed_by_players(engine)
    if sealed:
        who = tuple(name for name in who if is_permitted(state, "seal", name))
    number = state.seq
    if poll.is_announced:
        sentences = (
            [poll.free]
            if poll.free
            else [option_in_words(state, option) for option in options] + ["none"] * poll.optional
        )
        number = engine.emit(
            "poll_opened", poll=poll.id, who=poll.who, text=poll.text, name=poll.name, options=sentences,
            sealed=poll.secret and not sealed, data={"by_players": sealed},
        ).seq  # fmt: skip
    engine.state = with_poll(engine.state, poll)
    if not who:
        record_poll_result(engine, poll)
        engine.bind(effect.name, ThingRef("poll", poll.id))
    open_ones = (*options, None) if effect.optional and not (effect.some or free) else options
    waiting = WaitingFor("choose", None, effect.name, open_ones, rule=poll.rule, poll=poll.id)
    if due is not None and who:
        waiting, engine.put_aside = replace(waiting, agenda=(engine.item,), meanwhile=True), True
    if sealed and who:
        engine.wait_for(replace(waiting, round=SealingRound(number, who)))
        return
    for name in who:
        engine.wait_for(replace(waiting, player=name))


def _asked_players(engine: Engine, effect: Any, *, several: bool) -> tuple[str, ...]:
    """Return the players in the game whom an effect asks; if not `several`, it must name just one."""
    named = tuple(dict.fromkeys(evaluate_players(engine, effect.who)))
    who = tuple(name for name in named if name in engine.state.person_names)
    if not several and len(named) != 1:
        raise Undecided("one-player-chooses", "exactly one player has to be named to choose")
    if len(who) > MOST_ASKED:
        raise Undecided("too-many-asked", "more than {most} players would be asked at once", most=MOST_ASKED)
    return who


def _is_sealed_by_players(engine: Engine) -> bool:
    """Tell whether, by law, players seal secret answers themselves; if so, make the clause on it the engine's cause."""
    finding = engine.find("secret.kept_by")
    if engine.law.value_or_default(finding, "game") == "game":
        return False
    engine.cause = cause_of(finding) or engine.cause
    return True


def _late_answer(engine: Engine, effect: Any, options: tuple[Value, ...], free: str) -> Any:
    """Return an effect's default answer for late players; raise `Undecided` if it is not a valid answer."""
    value = engine.evaluate(effect.otherwise)
    if free:
        fits = not isinstance(value, str) or 0 < len(value) <= MOST_LETTERS
    elif effect.some:
        fits = set(value) <= set(options) and bool(value or effect.optional)
    else:
        fits = value in options
    if not fits and not (value is None and effect.optional):
        raise Undecided(
            "default-not-among",
            "the answer that counts for late players, {value}, is not one of the options",
            value=value_text(value),
        )
    return value


def evaluate_options(engine: Engine, expression: Any) -> tuple[Value, ...]:
    """Return the options that an expression lists, without duplicates; raise `Undecided` if too many."""
    options = tuple(dict.fromkeys(engine.evaluate(expression)))
    if len(options) > MOST_OPTIONS:
        raise Undecided("too-many-options", "there are more than {most:,} options", most=MOST_OPTIONS)
    return options


def options_in_universe(engine: Engine, options: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return the options that lie in the universe (such as one board) in which the rule at work holds.

    Options that lie in no universe, such as numbers, stay; so do all options if the rule holds everywhere.
    """
    scope, where = engine.item.scope, engine.law.vocabulary.where
    if scope == EVERYWHERE_SCOPE:
        return options
    return tuple(
        option
        for option in options
        if not isinstance(option, ThingRef) or where({option.kind: option}, engine.state) in (None, scope)
    )


def _describe_opening(event: Event) -> str:
    """Return the history sentence for a poll that opens."""
    data = event.data
    what = ("" if data["text"] else "to choose ") + question_text(event)
    who = verb_phrase(data["who"], "is", "are") if data["who"] else "nobody is"
    return f"{who} asked{', in secret,' if data['sealed'] or 'by_players' in data else ''} {what}"


declare_event("poll_opened", told=_describe_opening)


def record_revealed_answer(engine: Engine, waiting: WaitingFor, player: str, value: str) -> None:
    """Record the answer (`value`) that a player had sealed and now revealed; ignore one that is not valid."""
    poll = engine.state.polls[waiting.poll]
    answer = next(iter(read_answers(engine.state, waiting, value)), NOT_AN_ANSWER)
    if answer is NOT_AN_ANSWER or player not in poll.who:
        return
    engine.state, engine.depth = record_answers(engine.state, poll, {player: answer}), waiting.resume_depth
    engine.emit("chosen", player, option=answer_as_recorded(engine.state, poll, answer), poll=poll.id)


# ------------------------------------------------------------------------------- what rules can read


def _poll_or_vote(view: View, of: Value) -> Poll:
    """Return the poll to which a value (`of`) refers or, for a proposal, its vote in the form of a poll."""
    state, ref = state_of(view), cast(ThingRef, of)
    if ref.kind == "poll":
        return state.polls[cast(int, ref.id)]
    vote = state.proposals[ref.id].vote
    return Poll(0, "", vote.electorate, options=vote.choices, answers=vote.ballots) if vote else Poll(0, "", ())


def _type_of_poll_answers(of: Type) -> Type:
    """Return the type of the answers in a poll of type `of`, or of ballots if that is a proposal."""
    if of.name == "poll" and of.about is not None:
        return of.about
    if of.name == "proposal":
        return BALLOT
    raise LawError(
        "answers-of-nothing",
        "only a poll or the vote on a proposal has answers",
        found=of.with_article,
        expected="a poll",
    )


KEYS = (
    Key("secret.kept_by", TEXT, "who keeps answers secret until everyone has answered: the game, or each player, "
                                "who first seals an answer and then reveals it",
        "when several players are asked in secret; by default the game does",
        values=("game", "players")),
)  # fmt: skip

FUNCTIONS = (
    Function("who", (_ANY, _ANY), PLAYERS, "the players who answered so in a poll, or cast this ballot on a proposal",
             lambda view, of, answer: player_refs(_poll_or_vote(view, of).players_answering(answer)),
             reads=("polls", "proposals"),
             holds=_type_of_poll_answers,
             traits="alike"),
    Function("most", (_ANY,), lambda given: list_type(_type_of_poll_answers(given[0])),
             "the most common answer in a poll, or ballot on a proposal: several if there is a tie",
             lambda view, of: _poll_or_vote(view, of).most_frequent_answers, reads=("polls", "proposals"),
             traits="alike"),
)  # fmt: skip
