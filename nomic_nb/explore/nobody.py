"""A sign that a clause names somebody who does not play."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from functools import cache

from nomic_nb.explore.seen import Seen
from nomic_nb.law.clauses import Clause, On
from nomic_nb.law.nodes import Expression, Node
from nomic_nb.law.places import Newcomer, Owner, Players
from nomic_nb.play.vocabulary import language


def nobody(seen: Seen) -> Iterator[str]:
    """Yield the names in new clauses that nobody has; who is brought in by them may have any."""
    if seen.adoption is None:
        return
    players = {name.lower(): name for name in seen.adoption.after.players}
    entering = {name for clause in seen.fresh for name in _placed(clause, Newcomer)}
    for clause in seen.fresh:
        for name in dict.fromkeys((*_placed(clause, Players), *_placed(clause, Owner), *_compared(clause))):
            if name not in players.values() and name not in entering:
                near = difflib.get_close_matches(name.lower(), players, 1)
                meant = f" – did you mean {players[near[0]]}?" if near else ""
                yield f"“{clause.words}” speaks of {name}, and nobody of this name plays{meant}"


def _placed(clause: Clause, kind: type) -> Iterator[str]:
    """Yield the names that stand in places of effects."""
    for effect in clause.every_effect() if isinstance(clause, On) else ():
        for name, found in effect.places:
            if isinstance(effect.form.places.get(name), kind) and isinstance(found, Expression):
                yield from _texts(found.node)


def _texts(node: Node) -> Iterator[str]:
    yield from (one.value for one in (node, *node.parts) if one.kind == "constant" and isinstance(one.value, str))


def _compared(clause: Clause) -> Iterator[str]:
    """Yield the names that players are found by, and those that the names of players are compared with."""
    for node in (node for expression in clause.expressions for node in expression.walk()):
        if node.kind == "call" and node.text == "player_named":
            yield from _texts(node)
        elif node.kind == "compare" and any(_is_name(part) for part in node.parts):
            yield from (text for part in node.parts for text in _texts(part))


def _is_name(node: Node) -> bool:
    return (node.kind, node.text) == ("field", "name") and node.parts[0].text in _people()


@cache
def _people() -> frozenset[str]:
    """Return the names that stand for a player, wherever they are known."""
    known = language().vocabulary
    cases = [*(one.binds for one in known.events.values()), *(one.binds for one in known.actions.values())]
    cases += [one.case for one in known.keys.values()]
    bound = {name for case in cases for name, type in case.items() if type.name == "player"}
    return frozenset(bound | {name for name, one in known.facts.items() if one.type.name == "player"})
