"""Ready-made rules as plain data: what there is for this game, with the places to be filled in, and one made."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import cache

from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.trial import calm
from nomic_nb.notebook.panels.forms import Json
from nomic_nb.study.library.ready_made import Catalogue, Entry
from nomic_nb.study.review.applicable_rules import Shelf, amended, amends

#: Letters of a text that is filled in.
LONGEST = 200


@cache
def _entries() -> Mapping[str, Entry]:
    return {one.name: one for one in Catalogue()}


@cache
def _told(name: str) -> Json:
    entry = _entries()[name]
    fields = [
        {
            "name": one.name, "label": one.name.replace("_", " ").capitalize(), "default": one.default,
            "type": "number" if isinstance(one.default, int) else "line", "about": "",
        }
        for one in inspect.signature(entry.make).parameters.values()
    ]  # fmt: skip
    rule = entry.rule
    return {"subject": entry.subject, "title": rule.title, "fields": fields}


def offered(state: State) -> Json:
    """Return the ready-made rules that have an effect in a game, by name.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> found = offered(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).state)
    >>> found["another_die"]["fields"][0]["label"], "knight_rider" in found
    ('Sides', False)
    """
    return {one.entry.name: _told(one.entry.name) for one in Shelf(state)}


def made(state: State, name: object, given: object) -> Json:
    """Return title, wording and law of a ready-made rule as its places are filled in, and what it does to others.

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
    >>> found["title"], found["target"], found["amends"]
    ('50 points to win', 208, 'Amends rule 208 “How many points win”.')
    """
    if not isinstance(name, str) or name not in _entries() or not isinstance(given, dict):
        raise IllegalAction(say("no-such-ready-made-rule", "there is no such ready-made rule"))
    known = {one["name"]: one["default"] for one in _told(name)["fields"]}
    for field, value in given.items():
        wanted = type(known.get(field))
        if field not in known or type(value) is not wanted or (isinstance(value, str) and len(value) > LONGEST):
            raise IllegalAction(
                say(
                    "ready-made-rule-takes-no-such-value",
                    "{rule} takes {known}, not {field} as {value!r}",
                    rule=name,
                    known=", ".join(known) or "nothing",
                    field=field[:40],
                    value=str(value)[:40],
                )
            )
    rule, base = _entries()[name].make(**given), calm(state)
    target = amended(base, rule)
    try:
        said = amends(base, rule, target) or "It has no effect here."
    except LawError as error:  # which is shown below the clauses
        said = f"Line {error.line}: {error.message}."
    return {"title": rule.title, "wording": rule.wording, "law": rule.law, "target": target, "amends": said}
