"""Movements for kinds of pieces that nobody has and no rule brings: refused before anyone votes."""

from __future__ import annotations

from collections.abc import Iterable
from string import ascii_uppercase

from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.nodes import Expression
from nomic_nb.engine.law.rules import RuleBook
from nomic_nb.engine.play.effectless import Idle
from nomic_nb.engine.play.state import State
from nomic_nb.engine.words import listed

#: The terms that say what pieces come to be, and the events by which they come to be it.
BRINGING = frozenset(("army.array", "ladder.kinds", "promotion.kinds"))
BROUGHT = frozenset({"placed", "promoted"})


def why_idle(state: State, book: RuleBook, clause: c.Clause) -> Idle | None:
    """Return why a movement can never be made; None if it can, or if the clause is none."""
    if not isinstance(clause, c.Piece) or state.position is None or _stands(state, clause.kind):
        return None
    kinds = _kinds(state, book)
    if clause.kind in kinds:
        return None
    said = f"no army has pieces {clause.kind}, and no rule brings any"
    return Idle(said, clause.words[:60], f"{listed(sorted(kinds), 'or')}, or a clause beside it that places one")


def _stands(state: State, kind: str) -> bool:
    return any(one.kind.upper() == kind for one in multiverse_of(state).pieces.values())


def _kinds(state: State, book: RuleBook) -> frozenset[str]:
    """Return the kinds that there are or were, that rules can bring or let others move like; all, where one may say."""
    gone = state.gone.values()
    kinds = {one.kind.upper() for one in (*multiverse_of(state).pieces.values(), *gone)}
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
