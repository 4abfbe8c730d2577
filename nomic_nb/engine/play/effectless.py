"""Rules that would have no effect anywhere, by what stands in their clauses: refused before anyone votes."""

from __future__ import annotations

from typing import NamedTuple

from nomic_nb.engine.errors import LawError
from nomic_nb.engine.extension import extension
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.forms import Effect
from nomic_nb.engine.law.language import Line
from nomic_nb.engine.law.nodes import Expression, Node, canonical
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import OTHERWISE, RuleBook
from nomic_nb.engine.law.view import Undecided, View
from nomic_nb.engine.play.state import State


class Idle(NamedTuple):
    """Why a clause does nothing: what is so, the words at fault, and what would be right."""

    said: str
    found: str
    expected: str


def check_effect(state: State, book: RuleBook, lines: tuple[Line, ...]) -> None:
    """Refuse clauses none of which can ever come to anything, whatever happens in play.

    Which rule goes before which matters only where it says something.

    Parameters
    ----------
    state : State
        As it stands.
    book : RuleBook
        The rules that there would be.
    lines : tuple of Line
        The clauses of one of them.

    Raises
    ------
    LawError
        With the first of them.
    """
    found: list[tuple[Line, Idle]] = []
    for line in lines:
        if not isinstance(line.clause, c.Claim):
            why = _idle(state, book, line.clause)
            if why is None:
                return
            found.append((line, why))
    if found:
        line, why = found[0]
        raise LawError(
            f"{why.said}, so that the rule would have no effect anywhere", line=line.line, found=repr(why.found),
            expected=f"{why.expected}, or no clauses",
        )  # fmt: skip


def _idle(state: State, book: RuleBook, clause: c.Clause) -> Idle | None:
    """Say why a clause never comes to anything; None where it can."""
    law = state.law
    if isinstance(clause, c.Require):
        wanted = clause.condition
        holds = Idle("this is so whatever happens", wanted.text, "what can be so or not")
        return holds if surely(law, wanted.node) is True else None
    condition = clause.given if isinstance(clause, c.Piece) else getattr(clause, "condition", None)
    if condition is not None and surely(law, condition.node) is False:
        return Idle("this is never so", condition.text, "a condition that can hold")
    if isinstance(clause, c.On) and not isinstance(clause, c.Instead):  # to put nothing in place of something is much
        never = [_never(law, one) for one in clause.effects]
        if all(never):
            return Idle("this is never so", str(never[0]), "a condition that can hold")
    elif isinstance(clause, c.Set) and (clause.value.node.kind, clause.value.node.text) == ("name", OTHERWISE):
        return Idle("this is what holds without it", clause.value.text, "another value")
    idle: Idle | None = extension().why_idle(state, book, clause)
    return idle


def _never(law: Law, effect: Effect) -> str:
    """Return the condition that keeps an effect, with all that it holds, from ever being done; nothing without one."""
    places = dict(effect.places)
    condition = places.get("condition")
    if isinstance(condition, Expression) and surely(law, condition.node) is False:
        return condition.text
    held = [one for value in places.values() for one in (value if isinstance(value, tuple) else (value,))]
    inner = [_never(law, one) for one in held if isinstance(one, Effect)]
    return inner[0] if inner and all(inner) else ""


def surely(law: Law, node: Node) -> bool | None:
    """Tell whether a condition is so in every case, or in none; None where that cannot be told by itself."""
    if node.kind in ("and", "or"):
        decides = node.kind == "or"
        found = [surely(law, one) for one in node.parts]
        return decides if decides in found else None if None in found else not decides
    if node.kind == "not":
        inner = surely(law, node.parts[0])
        return None if inner is None else not inner
    expression = law.language.expression(canonical(node))
    try:
        return expression.run(View(None, {}, law)) is True if expression.constant else None
    except Undecided:
        return None
