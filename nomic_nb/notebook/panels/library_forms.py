"""Ready-made rules as plain data: what there is for this game, with the places to be filled in, and one made."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import cache

from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.trial_adoption import calm_state
from nomic_nb.notebook.panels.forms import Json
from nomic_nb.study.library.ready_made import Catalogue, CatalogueEntry
from nomic_nb.study.review.applicable_rules import ApplicableRules, effect_on_rules_in_words, find_rule_to_amend

#: Letters of a text that is filled in.
LONGEST_FILLING = 200


@cache
def _catalogue_entries() -> Mapping[str, CatalogueEntry]:
    return {entry.name: entry for entry in Catalogue()}


@cache
def _entry_form(name: str) -> Json:
    entry = _catalogue_entries()[name]
    fields = [
        {
            "name": parameter.name, "label": parameter.name.replace("_", " ").capitalize(),
            "default": parameter.default,
            "type": "number" if isinstance(parameter.default, int) else "line", "about": "",
        }
        for parameter in inspect.signature(entry.make).parameters.values()
    ]  # fmt: skip
    rule = entry.rule
    return {"subject": entry.subject, "title": rule.title, "fields": fields}


def offered_rule_forms(state: State) -> Json:
    """Return the forms of the ready-made rules that have an effect in a game, by name.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> found = offered_rule_forms(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).state)
    >>> found["another_die"]["fields"][0]["label"], "knight_rider" in found
    ('Sides', False)
    """
    return {applicable.entry.name: _entry_form(applicable.entry.name) for applicable in ApplicableRules(state)}


def fill_in_rule(state: State, name: object, given: object) -> Json:
    """Return a ready-made rule with its fields filled in, and what it does to other rules.

    Raises
    ------
    IllegalAction
        There is no such rule, or it takes something else.
    ValueError
        A figure or a text that it does not take.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> found = fill_in_rule(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).state, "points_to_win", {})
    >>> found["title"], found["target"], found["amends"]
    ('50 points to win', 208, 'Amends rule 208 “How many points win”.')
    """
    if not isinstance(name, str) or name not in _catalogue_entries() or not isinstance(given, dict):
        raise IllegalAction(say("no-such-ready-made-rule", "there is no such ready-made rule"))
    known = {field_data["name"]: field_data["default"] for field_data in _entry_form(name)["fields"]}
    for field, value in given.items():
        wanted = type(known.get(field))
        if field not in known or type(value) is not wanted or (isinstance(value, str) and len(value) > LONGEST_FILLING):
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
    rule, base = _catalogue_entries()[name].make(**given), calm_state(state)
    target = find_rule_to_amend(base, rule)
    try:
        sentence = effect_on_rules_in_words(base, rule, target) or "It has no effect here."
    except LawError as error:  # which is shown below the clauses
        sentence = f"Line {error.line}: {error.message}."
    return {"title": rule.title, "wording": rule.wording, "law": rule.law, "target": target, "amends": sentence}
