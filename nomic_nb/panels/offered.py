"""Ready-made rules as plain data: what there is for this game, with the places to be filled in, and one made."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import cache
from typing import Any

from nomic_nb.errors import IllegalAction
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


def made(name: object, given: object) -> dict[str, str]:
    """Return title, wording and law of a ready-made rule as its places are filled in.

    Raises
    ------
    IllegalAction
        There is no such rule, or it takes something else.
    ValueError
        A figure or a text that it does not take.

    Examples
    --------
    >>> made("another_die", {"sides": 20})["title"]
    'A die with 20 sides'
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
    return {"title": rule.title, "wording": rule.wording, "law": rule.law}
