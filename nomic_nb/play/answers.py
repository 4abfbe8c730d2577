"""What counts as an answer to what rules ask: an option, some of them, a number, or words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NoReturn

from nomic_nb.errors import IllegalAction
from nomic_nb.law.changes import check_text
from nomic_nb.law.running import bounded
from nomic_nb.law.values import Value, shown
from nomic_nb.law.view import Undecided
from nomic_nb.play.facts import offered, spoken
from nomic_nb.play.pending import Poll, Waiting
from nomic_nb.play.permission import refuse
from nomic_nb.play.state import State

#: Letters of an answer in words.
MOST_LETTERS = 80
#: Stands for what is no answer; none can be one.
NO_ANSWER: Any = object()


def is_answer(state: State, waiting: Waiting, value: str) -> bool:
    """Tell whether something would be taken as an answer."""
    return bool(list(answers(state, waiting, value)))


def answers(state: State, waiting: Waiting, option: object) -> Iterable[Any]:
    """Yield what somebody says, as an answer to what is asked; nothing where it is none."""
    poll = state.polls.get(waiting.poll)
    known = {said: one for one in waiting.options for said in (offered(state, one), spoken(state, one))}
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


def refuse_answer(state: State, waiting: Waiting, option: object) -> NoReturn:
    """Refuse what is no answer.

    Raises
    ------
    IllegalAction
        With what would be one.
    """
    poll, said = state.polls.get(waiting.poll), repr(str(option)[:40])
    options = [offered(state, one) for one in waiting.options]
    if poll is not None and poll.free == "any number":
        refuse(f"a number is asked for, such as 12 or 1/2, not {said}", waiting.rule)
    if poll is not None and poll.free:
        refuse(f"a text of at most {MOST_LETTERS} letters is asked for, not {said}", waiting.rule)
    what = "a list of some of the options" if poll is not None and poll.some else "one of the options"
    raise IllegalAction(f"{said} is not {what}", rule=waiting.rule, options=options)
