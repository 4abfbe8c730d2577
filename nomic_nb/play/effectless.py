"""Rules that would have no effect anywhere, by what stands in their clauses: refused before anyone votes."""

from __future__ import annotations

from collections.abc import Iterable
from string import ascii_uppercase
from typing import NamedTuple

from nomic_nb.errors import LawError
from nomic_nb.law import clauses as c
from nomic_nb.law.forms import Effect
from nomic_nb.law.language import Line
from nomic_nb.law.nodes import Expression, Node, canonical
from nomic_nb.law.resolver import Law
from nomic_nb.law.rules import OTHERWISE, RuleBook
from nomic_nb.law.view import Undecided, View
from nomic_nb.markup.words import listed
from nomic_nb.play.state import State

#: The terms that say what pieces come to be, and the events by which they come to be it.
BRINGING = frozenset(("army.array", "ladder.kinds", "promotion.kinds"))
BROUGHT = frozenset({"placed", "promoted"})


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
    elif isinstance(clause, c.Piece) and state.position is not None and not _stands(state, clause.kind):
        kinds = _kinds(state, book)
        if clause.kind not in kinds:
            said = f"no army has pieces {clause.kind}, and no rule brings any"
            expected = f"{listed(sorted(kinds), 'or')}, or a clause beside it that places one"
            return Idle(said, clause.words[:60], expected)
    return None


def _stands(state: State, kind: str) -> bool:
    return any(one.kind.upper() == kind for one in state.multiverse.pieces.values())


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


def _kinds(state: State, book: RuleBook) -> frozenset[str]:
    """Return the kinds that there are or were, that rules can bring or let others move like; all, where one may say."""
    gone = state.gone.values()
    kinds = {one.kind.upper() for one in (*state.multiverse.pieces.values(), *gone)}
    for clause in (one for rule in book.in_force for each in rule.clauses for one in each.whole):
        effects = [one for one in clause.every_effect() if BROUGHT & {*one.form.makes}]
        calls = (node for one in clause.expressions for node in one.walk() if node.kind == "call")
        kinds |= {str(part.value) for node in calls if node.text == "moves_of" for part in node.parts}
        if not effects and getattr(clause, "key", "") not in BRINGING:
            continue
        named = frozenset(_letters(clause.expressions))
        said = [one for one in (dict(each.places).get("kind") for each in effects) if isinstance(one, Expression)]
        if any(not _letters([one]) and (one.node.kind, one.node.text) != ("field", "kind") for one in said):
            return frozenset(ascii_uppercase)
        kinds |= named
    return frozenset(kinds)


def _letters(expressions: Iterable[Expression]) -> set[str]:
    """Return the letters of the texts in expressions that can be kinds, or a row of them."""
    texts = (node.value for one in expressions for node in one.walk() if isinstance(node.value, str))
    return {letter for text in texts if text.isupper() and text.replace(".", "").isalpha() for letter in text} - {"."}
