"""Ready-made rules as plain data: what there is for this game, with the places to be filled in, and one made."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from nomic_nb.errors import IllegalAction
from nomic_nb.law.clauses import Clause, Piece, Set
from nomic_nb.law.rules import Number
from nomic_nb.play.state import State
from nomic_nb.rulesets.library.listing import Catalogue, Entry

#: Letters of a text that is filled in.
LONGEST = 200


@cache
def _entries() -> Mapping[str, Entry]:
    return {one.name: one for one in Catalogue()}


@cache
def _told(name: str) -> dict[str, Any]:
    entry = _entries()[name]
    fields = [
        {
            "name": one.name, "label": one.name.replace("_", " ").capitalize(), "default": one.default,
            "type": "number" if isinstance(one.default, int) else "line", "about": "",
        }
        for one in inspect.signature(entry.make).parameters.values()
    ]  # fmt: skip
    rule = entry.rule
    return {"subject": entry.subject, "title": rule.title, "amends": rule.amends, "fields": fields}


def offered(state: State) -> dict[str, Any]:
    """Return the ready-made rules that fit a game, by name: those for boards only where there are boards.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> found = offered(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).state)
    >>> found["another_die"]["fields"][0]["label"], "knight_rider" in found
    ('Sides', False)
    """
    return {name: _told(name) for name, one in _entries().items() if state.position is not None or not one.on_boards}


def made(state: State, name: object, given: object) -> dict[str, Any]:
    """Return title, wording and law of a ready-made rule as its places are filled in, and which rule it amends.

    Raises
    ------
    IllegalAction
        There is no such rule, or it takes something else.
    ValueError
        A figure or a text that it does not take.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> found = made(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).state, "points_to_win", {})
    >>> found["title"], found["target"]
    ('50 points to win', 208)
    """
    if not isinstance(name, str) or name not in _entries() or not isinstance(given, dict):
        raise IllegalAction("there is no such ready-made rule")
    known = {one["name"]: one["default"] for one in _told(name)["fields"]}
    for field, value in given.items():
        wanted = type(known.get(field))
        if field not in known or type(value) is not wanted or (isinstance(value, str) and len(value) > LONGEST):
            raise IllegalAction(
                f"{name} takes {', '.join(known) or 'nothing'}, not {field[:40]} as {str(value)[:40]!r}"
            )
    rule = _entries()[name].make(**given)
    return {
        "title": rule.title, "wording": rule.wording, "law": rule.law,
        "target": _amended(state, rule.law) if rule.amends else None,
    }  # fmt: skip


def _amended(state: State, law: str) -> Number | None:
    """Return the rule in force that says most of what clauses say anew; None where there is none, or several.

    Rules that were brought in with another rule set are overridden by those of players, and not amended.
    """
    anew = _said(line.clause for line in state.law.language.read(law))
    shared = {
        rule.number: count
        for rule in state.rules
        if not rule.ruleset and rule.id not in state.rules.void and (count := len(anew & _said(rule.clauses)))
    }
    most = [number for number, count in shared.items() if count == max(shared.values())]
    return most[0] if len(most) == 1 else None


def _said(clauses: Iterable[Clause]) -> set[tuple[str, str, bool]]:
    """Return the terms that clauses set, with the kind of piece, and whether they do so in some cases only."""
    return {
        (one.key, one.kind, one.given is not None or one.army is not None)
        if isinstance(one, Piece)
        else (one.key, "", one.condition is not None)
        for one in clauses
        if isinstance(one, Set)
    }
