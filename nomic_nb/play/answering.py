"""Questions that the law does not decide: what answers can be given, when they agree, and what is settled by them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nomic_nb.errors import IllegalAction, LawError
from nomic_nb.law.changes import check_text
from nomic_nb.law.findings import Source, as_set
from nomic_nb.law.rules import Rule
from nomic_nb.law.values import shown
from nomic_nb.law.view import Undecided, View
from nomic_nb.play.permission import LONGEST_SAID
from nomic_nb.play.state import Question, State

if TYPE_CHECKING:
    from nomic_nb.play.engine import Engine


def answer_to(state: State, question: Question, said: object) -> str:
    """Return what somebody says to a question, as the law language writes it.

    Raises
    ------
    IllegalAction, LawError
        It is no answer to it.
    """
    answer = _as_term(state, question.key, str(said).strip())
    _check_answer(state, question, answer)
    return answer


def _as_term(state: State, name: str, answer: str) -> str:
    """Return an answer as the law language writes it, where it is a word or a name that people say."""
    key = state.law.vocabulary.keys.get(name)
    if key is None:
        return answer
    if answer in key.values:
        return f'"{answer}"'
    if (key.type.item or key.type).name != "player":
        return answer
    if key.type.item and answer == "nobody":
        return "[]"
    names = [one.strip().strip('"') for one in answer.split(",")]
    if not all(one in state.players for one in names) or (len(names) > 1 and not key.type.item):
        return answer
    said = ", ".join(f'player_named("{one}")' for one in names)
    return f"[{said}]" if key.type.item else said


def _check_answer(state: State, question: Question, answer: str) -> None:
    if not answer:
        raise IllegalAction("an answer is needed", rule=question.rule, options=question.options)
    if question.consent and answer not in question.options:
        raise IllegalAction("this is answered by yes or no", rule=question.rule, options=question.options)
    if not question.key:
        check_text("answer", answer, LONGEST_SAID)
        return
    key = state.law.vocabulary.keys[question.key]
    language = state.law.language
    counters = state.law.counters
    begin = f"set {key.name} to "
    before = 0
    try:
        language.expression(answer)
        before = len(begin)
        language.check(language.read(begin + answer), counters)
    except LawError as error:
        raise LawError(
            f"the answer is what {key.name} shall be, {key.type.one}: {error.message}", column=error.column - before,
            found=error.found, expected=error.expected or ", ".join(question.options), text=answer,
        ) from None  # fmt: skip


def settle_if_agreed(engine: Engine) -> None:
    """Settle the open question, where there is one, once all who are asked say the same."""
    if not engine.state.questions:
        return
    question = engine.state.questions[0]
    asked = engine.state.asked(question)
    answers = [question.answers[name] for name in asked if name in question.answers]
    gone = all(engine.state.players[name].absent for name in asked)
    if question.consent and (gone or "no" in answers):  # what all have to agree on, one can keep from being done
        answers = ["no"]
    elif len(answers) < len(asked) or len({_meant(engine.state, question, one) for one in answers}) > 1:
        return
    settle(engine, question, answers[0])


def settle(engine: Engine, question: Question, answer: str) -> None:
    """Settle a question with an answer."""
    data: dict[str, Any] = {"question": question.id, "answer": answer}
    if question.consent:
        data["consent"] = True
    if question.key:
        case = f" and {question.when}" if question.when else ""
        held = "" if question.general else f" while turn == {engine.state.turn}{case}"
        data["law"] = f"set {question.key} to {answer}{held}"
    engine.emit("settled", None, **data)


def lasts(ruling: Rule) -> bool:
    """Tell whether an answer holds beyond its turn."""
    return all(as_set(Source(ruling, clause)).condition is None for clause in ruling.clauses)


def _meant(state: State, question: Question, answer: str) -> str:
    """Return what an answer comes to, so that two ways of saying the same agree."""
    if not question.key:
        return answer.casefold().rstrip(".")
    said = state.law.language.expression(answer)
    if not said.constant:  # what hangs on how things stand is surely the same only in the same words
        return answer
    try:
        return f"= {shown(said.run(View(state, {}, state.law)))}"
    except Undecided:
        return answer
