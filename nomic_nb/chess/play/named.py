"""Armies and boards that there are not, where a clause comes to nothing without them: refused before the vote."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.forms import Effect
from nomic_nb.engine.law.language import Line
from nomic_nb.engine.law.nodes import Node
from nomic_nb.engine.play.state import State
from nomic_nb.engine.words import listed

#: The functions that find something on the boards by its name, and what that is.
FINDING = {"army_named": "army", "board_named": "board", "square_named": "board"}


def check_named(state: State, lines: tuple[Line, ...]) -> None:
    """Refuse terms, and effects at once, that need an army or a board that there is not, unless a rule can bring it in.

    What is done later is remarked upon: it may be there by then.

    Raises
    ------
    LawError
        With the line of the clause.
    """
    position = state.position
    if position is None or any(_entering(line.clause for line in lines)):
        return  # what enters by it may be called anything
    known: dict[str, Collection[str]] = {"army": position.armies, "board": position.boards}
    for line in lines:
        for node in (one for clause in line.clause.whole for one in _needed(clause)):
            kind, name = FINDING[node.text], str(node.parts[0].value)
            if node.text == "square_named":
                name, dot, square = name.rpartition(".")
                if not dot:
                    there = ", ".join(f"{board}.{square}" for board in position.boards)
                    said = "a square is called by its board, too"
                    raise LawError(said, line=line.line, found=repr(square), expected=there)
            if name not in known[kind] and name not in _may_enter(state):
                there = f"{listed(tuple(known[kind]), 'or')}, or a rule that lets it enter first"
                raise LawError(f"there is no {kind} {name}", line=line.line, found=repr(name), expected=there)


def _needed(clause: c.Clause) -> Iterator[Node]:
    """Yield the calls by which a clause finds something by a name that is written in it, and without which it fails."""
    expressions = list(clause.expressions) if isinstance(clause, c.Set) else []
    if isinstance(clause, c.On) and clause.event == "enacted":
        expressions += [one for effect in clause.effects_at_once() for one in effect.expressions]
    for node in (node for one in expressions for node in one.walk()):
        if node.kind == "call" and node.text in FINDING and node.parts[0].kind == "constant":
            yield node


def _entering(clauses: Iterable[c.Clause]) -> Iterator[Effect]:
    """Yield the effects by which armies enter."""
    some = (one for clause in clauses for one in clause.whole if isinstance(one, c.On))
    return (effect for one in some for effect in one.every_effect() if effect.form.name == "enter_army")


def _may_enter(state: State) -> set[str]:
    """Return the texts in effects of rules in force by which armies enter."""
    effects = _entering(clause for rule in state.rules.in_force for clause in rule.clauses)
    return {str(node.value) for effect in effects for one in effect.expressions for node in one.walk() if node.value}
