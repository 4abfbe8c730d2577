"""Questions: what rules let players choose, what the law does not decide, and what is settled by the answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import count
from typing import Any

from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.law.changes import check_text_storable
from nomic_nb.engine.law.findings import set_clause_of
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Rule, RulePart, SourceClause
from nomic_nb.engine.law.values import TEXT, value_text
from nomic_nb.engine.law.vocabulary import Key
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.agenda_items import ANSWER, GIVE_UP_OPTION, AgendaItem, Question, WishQuestion
from nomic_nb.engine.play.book_in_play import with_book
from nomic_nb.engine.play.declarations import (
    ChoiceField,
    NumberField,
    OtherPlayersField,
    WordsField,
    action,
    declare_event,
)
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event, value_from_data
from nomic_nb.engine.play.permissions import LONGEST_SPEECH, check_permission, check_undisturbed, refuse
from nomic_nb.engine.play.questions_by_rules import answer_or_choose
from nomic_nb.engine.play.state import Agenda, State
from nomic_nb.engine.play.values import PLAYER_CASE, PLAYERS, readable_answer
from nomic_nb.engine.words import join_words, verb_phrase


def _answer_as_expression(state: State, name: str, answer: str) -> str:
    """Return an answer about the law key `name` as a law expression, translated from plain words or players' names."""
    key = state.law.vocabulary.keys.get(name)
    if key is None:
        return answer
    if answer in key.values:
        return f'"{answer}"'
    if (key.type.item or key.type).name != "player":
        return answer
    if key.type.item and answer == "nobody":
        return "[]"
    names = [part.strip().strip('"') for part in answer.split(",")]
    if not all(player_name in state.players for player_name in names) or (len(names) > 1 and not key.type.item):
        return answer
    sentence = ", ".join(f'player_named("{player_name}")' for player_name in names)
    return f"[{sentence}]" if key.type.item else sentence


def read_answer_to_question(state: State, question: Question, said: object) -> str:
    """Return what a player `said`, as an expression of the law language if the question is about a key.

    Raises
    ------
    IllegalAction, LawError
        It is no answer to it.
    """
    answer = _answer_as_expression(state, question.key, question.parse_answer(str(said).strip()))
    if not answer:
        raise IllegalAction(
            "answer-needed", "you need to give an answer", rule=question.rule, options=question.shown_answers
        )
    if question.asks_for_consent and answer not in question.options:
        raise IllegalAction("answer-yes-or-no", "answer yes or no", rule=question.rule, options=question.options)
    if not question.key:
        check_text_storable("answer", answer, LONGEST_SPEECH)
        return answer
    key = state.law.vocabulary.keys[question.key]
    language = state.law.language
    begin = f"set {key.name} to "
    before = 0
    try:
        named = language.expression(answer).node.possible_constants
        if key.asks and any(node.value == key.asks for node in named):
            raise IllegalAction(
                "answer-asks-on",
                "{key} can’t be left to the players asked: they are being asked right now",
                key=key.name,
                rule=question.rule,
                options=question.shown_answers,
            )
        before = len(begin)
        language.check_clauses(language.read_clauses(begin + answer), state.law.tables)
    except LawError as error:
        raise LawError(
            error.message.embed_in(
                "the answer must be {kind} (the value of {key}): {message}", key=key.name, kind=key.type.with_article
            ),
            column=error.column - before, found=error.found,
            expected=error.expected or ", ".join(question.shown_answers),
            text=answer,
        ) from None  # fmt: skip
    return answer


def settle_if_agreed(engine: Engine) -> None:
    """Settle the first open question if all who are asked say the same, or one of them refuses consent."""
    if not engine.state.questions:
        return
    question = engine.state.questions[0]
    asked = engine.state.players_who_must_agree(question)
    answers = [question.answers[name] for name in asked if name in question.answers]
    gone = all(engine.state.players[name].absent for name in asked)
    if question.asks_for_consent and (
        gone or "no" in answers
    ):  # what all have to agree on, one can keep from being done
        answers = ["no"]
    elif (
        len(answers) < len(asked) or len({_comparable_answer(engine.state, question, answer) for answer in answers}) > 1
    ):
        return
    settle_question(engine, question, answers[0])


def settle_question(engine: Engine, question: Question, answer: str) -> None:
    """Record the agreed answer to a question; if it is about a key of the law, it becomes a ruling."""
    data: dict[str, Any] = {"question": question.id, "answer": answer, **_readable_answer_data(question, answer)}
    if question.asks_for_consent:
        data["consent"] = True
    if question.key:
        case = f" and {question.when}" if question.when else ""
        held = "" if question.general else f" while turn == {question.turn or engine.state.turn}{case}"
        data["law"] = f"set {question.key} to {answer}{held}"
    engine.emit("settled", **data)


def leave_to_challenge(engine: Engine) -> None:
    """Settle the question about an act that nobody is asked about, if it is one: the act stands."""
    question = engine.state.questions[-1]
    if isinstance(question, WishQuestion) and not question.who:
        settle_question(engine, question, "true")


def _readable_answer_data(question: Question, answer: str) -> dict[str, str]:
    """Return {"said": the answer in words for people} as event data; empty if those equal the expression."""
    told = question.shown_answer(answer)
    return {} if told == answer else {"said": told}


def is_ruling_lasting(ruling: Rule) -> bool:
    """Tell whether a ruling holds beyond the turn in which it was made."""
    return all(set_clause_of(SourceClause(ruling, clause)).condition is None for clause in ruling.clauses)


def _comparable_answer(state: State, question: Question, answer: str) -> str:
    """Return a form of an answer that is equal for answers with the same meaning."""
    if not question.key:
        return answer.casefold().rstrip(".")
    expression = state.law.language.expression(answer)
    if not expression.constant:  # what depends on how things stand is surely the same only in the same words
        return answer
    try:
        return f"= {value_text(state.law.evaluate(expression, state, {}))}"
    except Undecided:
        return answer


@declare_event("asked", told=lambda e: f"{'the players are asked: ' if e.data['who'] else ''}{e.data['text']}")
def add_question(state: State, event: Event) -> State:
    """Return the state with the question to the players added that an event asks."""
    question = value_from_data(event.data, WishQuestion if "by" in event.data else Question, id=event.seq)
    return state.replace(questions=(*state.questions, question))


@declare_event(
    "answered",
    told=lambda e: (
        f"{e.actor} answers {e.data.get('said') or readable_answer(e.data['answer'])}"
        + (f"; agreed by {join_words(e.data['agreed'])}" if "agreed" in e.data else "")
    ),
)
def _record_answer(state: State, event: Event) -> State:
    """Return the state with an event's answer to the first open question, by its actor and all who agreed."""
    new_answers = dict.fromkeys((event.actor_name, *event.data.get("agreed", ())), event.data["answer"])
    (first, *others) = state.questions
    return state.replace(questions=(replace(first, answers={**first.answers, **new_answers}), *others))


@declare_event(
    "settled",
    told=lambda e: (
        f"{'the others say' if 'consent' in e.data else 'the question is settled:'} "
        f"{e.data.get('said') or readable_answer(e.data['answer'])}"
    ),
)
def _record_settlement(state: State, event: Event) -> State:
    """Return the state without the question just settled; the answer to one about a key becomes a ruling."""
    (question, *others) = state.questions
    state = state.replace(questions=tuple(others))
    if question.set_aside:
        state = state.replace(set_aside=(*state.set_aside, *question.set_aside))
    if question.asks_for_consent and state.agenda:
        item, rest = state.agenda.split_first()
        answered = replace(item, env={**item.env, ANSWER: event.data["answer"]})
        state = state.replace(agenda=rest.with_first(answered))
    elif question.drops and state.agenda:
        state = state.replace(agenda=state.agenda.split_first()[1])
    law = event.data.get("law")
    if law is None:
        return state
    agreed = "Those asked agreed: " if question.who else ""
    wording = f"{question.text} {agreed}{event.data.get('said', event.data['answer'])}"
    rulings = sum(1 for rule in (*state.rules, *state.rules.repealed) if rule.answers)
    number = next(called for at in count(rulings + 1) if (called := f"Q{at}") not in state.rules.by_number)
    part = RulePart(wording, law, state.law.language.read_clauses(law), number)
    rule = Rule(
        state.rules.next_id, number, f"Answer on {question.key}", "ruling", (part,), "settled", None, event.seq,
        state.turn, answers=question.key,
    )  # fmt: skip
    return _add_ruling_to_older_law(with_book(state, state.rules.with_rule(rule)), rule)


def _add_ruling_to_older_law(state: State, ruling: Rule) -> State:
    """Return the state with a ruling added to the older laws that agenda items and open votes use."""

    @cache
    def ruled(law: Law) -> Law:
        return Law(law.book.with_rule(ruling), law.order, law.language)

    def heard(items: Iterable[AgendaItem]) -> Iterator[AgendaItem]:
        return (replace(item, law=ruled(item.law)) for item in items)

    agenda = Agenda(heard(state.agenda))
    waiting = tuple(replace(waiting_for, agenda=tuple(heard(waiting_for.agenda))) for waiting_for in state.waiting)
    proposals = {
        number: replace(proposal, vote=replace(proposal.vote, law=ruled(proposal.vote.law)))
        if proposal.is_open and proposal.vote
        else proposal
        for number, proposal in state.proposals.items()
    }
    return state.replace(agenda=agenda, waiting=waiting, proposals=proposals)


def _describe_withdrawal(event: Event) -> str:
    """Return the history sentence for a question that is withdrawn."""
    why = f"{event.actor} gives up the attempt" if event.actor else "the time is now known"
    return f"the question is withdrawn because {why}"


declare_event("withdrawn", told=_describe_withdrawal)(
    lambda state, event: state.replace(
        questions=tuple(question for question in state.questions if question.id != event.data["question"])
    )
)


declare_event("attempted", told=lambda e: f"{e.actor} tries to {e.do.replace('_', ' ')}")


@action("chosen", PLAYER_CASE)
def choose(
    engine: Engine, player: str, option: ChoiceField, decision: NumberField = None, agreed: OtherPlayersField = None
) -> None:
    """Choose from what a rule offers, or answer a question."""
    state = engine.state
    if state.questions:
        _answer_question(engine, player, option, decision, agreed or [])
        return
    if agreed:
        raise IllegalAction("choice-of-one", "only one player can make this choice")
    answer_or_choose(engine, player, option, decision)


def _answer_question(engine: Engine, player: str, option: object, decision: int | None, agreed: list[str]) -> None:
    """Record the answer of a player, and of those `agreed`, to the open question, or withdraw the player's wish.

    If a `decision` is given, it has to be the id of the open question.
    """
    state = engine.state
    question = state.questions[0]
    if decision is not None and decision != question.id:
        refuse(
            say(
                "question-not-open",
                "question {question} isn’t open; question {open} is",
                question=decision,
                open=question.id,
            )
        )
    if isinstance(question, WishQuestion) and player == question.by and option == GIVE_UP_OPTION:
        engine.emit("withdrawn", player, question=question.id)
        return
    if player not in question.who:
        refuse(say("not-asked", "this question isn’t for {player}", player=player), question.rule)
    asked = state.players_who_must_agree(question)
    if not all(isinstance(name, str) and name in asked for name in agreed):
        raise IllegalAction(
            "agreed-not-asked",
            "give a list of the players who agree; only those who are asked can agree",
            options=list(asked),
        )
    answer = read_answer_to_question(state, question, option)
    others = [name for name in dict.fromkeys(agreed) if name != player]
    who = [player, *others]
    if all(question.answers.get(name) == answer for name in who):
        refuse(
            say("answered-that", "{who} already given this answer", who=verb_phrase(who, "has", "have"), players=who),
            question.rule,
        )
    data = {"agreed": others, **_readable_answer_data(question, answer)}
    engine.emit("answered", player, data=data, question=question.id, answer=answer)
    settle_if_agreed(engine)


@declare_event("asked_again", told="{actor} wants the players to be asked again about {key}")
def _undo_agreement(state: State, event: Event) -> State:
    """Return the state without a ruling that players agreed on, or with a rule they left out back in effect."""
    id = event.data["rule"]
    if state.rules.rules[id].answers:
        return with_book(state, state.rules.without_rules(id))
    return state.replace(set_aside=tuple(entry for entry in state.set_aside if entry[1] != id))


declare_event(
    "set_aside",
    told=lambda e: (
        f"left out again, as agreed: {join_words([f'rule {number}' for number in e.data['rules']])} – "
        f"it {e.data['note']}"
    ),
)


@action("asked_again", PLAYER_CASE)
def ask_again(engine: Engine, player: str, key: WordsField) -> None:
    """Ask the players again about a setting they agreed on.

    Give the key of the setting, such as ``win.points``; or ``rule 301``, if players agreed to leave that rule out.
    """
    state = engine.state
    check_undisturbed(state, judging=True)
    held = {rule.answers: rule.id for rule in state.rules if rule.answers and is_ruling_lasting(rule)}
    aside = {id for _, id, _ in state.set_aside}
    held |= {f"rule {rule.number}": rule.id for rule in state.rules if rule.id in aside}
    if key not in held:
        raise IllegalAction(
            "never-agreed-on",
            "the players haven’t agreed on anything about {key!r}",
            key=str(key)[:40],
            options=list(held),
        )
    check_permission(state, "ask_again", player, "to ask again")
    engine.emit("asked_again", player, key=key, rule=held[key])


KEYS = (
    Key("question.asked", PLAYERS,
        "who is asked if the rules leave open a question about a player's action; by default, everyone present",
                                   "when a player tries something that the rules leave open", PLAYER_CASE),
    Key("question.doubt", TEXT,
        "whether players are asked about an act in doubt, or it stands unless it is challenged",
        "when a player tries something that the rules leave open", PLAYER_CASE, ("ask", "challenge")),
)  # fmt: skip
