"""Open decisions as plain data: what is asked, which fields an answer has, and the key that names the decision."""

from __future__ import annotations

import inspect
import json
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from typing import Any, cast

from nomic_nb.chess.play.clause_checks import universe_names
from nomic_nb.engine.errors import IllegalAction, LawError, RecordError
from nomic_nb.engine.law.changes import (
    CHANGE_KINDS,
    Change,
    Renaming,
    change_from_json,
    parse_rule_number,
    rename,
    repeal,
    together,
    with_part_number,
)
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.adoptability import SUPPOSED_CASE, suppose_proposed
from nomic_nb.engine.play.choices import list_choices
from nomic_nb.engine.play.declarations import ACTIONS, HOST_ACTIONS, NOT_FIELDS
from nomic_nb.engine.play.questions_by_rules import MOST_LETTERS
from nomic_nb.engine.play.record_limits import read_record_line
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.trial_adoption import calm_state
from nomic_nb.engine.play.values import Decision
from nomic_nb.engine.subjects.sealed_values import owed_round
from nomic_nb.engine.words import full_sentence
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.live.player_actions import read_change_argument
from nomic_nb.notebook.panels.magic_input import CHANGE_MAKERS
from nomic_nb.study.library.phrase_book import rule_entry
from nomic_nb.study.library.ready_made import CatalogueEntry
from nomic_nb.study.players.asked import (
    Json as Json,
)
from nomic_nb.study.players.asked import (
    actions_at_any_time,
    answer_fields,
    begun_change,
    type_of_field,
)
from nomic_nb.study.review.applicable_rules import effect_on_rules_in_words, find_rule_to_amend
from nomic_nb.study.views.pending import why_choice_is_closed

# ------------------------------------------------------------------------------------ open decisions as plain data


# ------------------------------------------------------------------------------------------------- what panels say


FORM_WORDS: dict[str, dict[str, Any]] = tomllib.loads(
    files(__package__).joinpath("words.toml").read_text(encoding="utf-8")
)


# ------------------------------------------------------------------------------------ open decisions as plain data


#: The host's actions at any time, only in the panel of the whole table.
RECORDED_FIELD = "time"
#: How many of the universes for which something is open are looked for; two of them and the last are named.
MOST_UNIVERSES = 4
#: Types of form fields, by that of the field of an answer, where they differ.
SHOWN_TYPES = {
    "text": "line", "texts": "line", "rules": "line", "label": "line", "counter": "line", "flag": "tick",
    "any number": "number",
}  # fmt: skip
#: What the fields are called in which some of the options are ticked, before the place of each.
TICK_PREFIX = "option "


def decision_data(decision: Decision, state: State, *, secret_known: bool = True, shared: bool = False) -> Json:
    """Return a decision as JSON data for a form: player, action, prompt and form fields, but not its `decision_key`.

    Parameters
    ----------
    decision : Decision
        The decision.
    state : State
        As it stands.
    secret_known : bool
        Whether what the player sealed is known here.
    shared : bool
        Whether all players answer in the same place.
    """
    fields = answer_fields(decision, state, secret_known=secret_known, shared=shared)
    begun = begun_change(decision, state)
    return _sealing_round_data(decision, state) | {
        "player": decision.player, "action": decision.action, "prompt": full_sentence(decision.prompt),
        "rule": decision.rule,
        "proposal": decision.proposal, "must": decision.must, "send": button_label(decision.action),
        "fields": [shown for field in fields for shown in _shown_fields(decision, state, field, begun)],
    }  # fmt: skip


def _sealing_round_data(decision: Decision, state: State) -> Json:
    """Return what a browser needs to seal or reveal a value; an empty dict if the decision is not about that."""
    sealing = (
        owed_round(state, decision.player or "", decision.action) if decision.action in ("seal", "reveal") else None
    )
    if sealing is None:
        return {}
    seal = {"game": state.game, "round": sealing.number, "seat": decision.player}
    return {"seal": seal} if decision.action == "seal" else {"commitment": sealing.seals[decision.player or ""]}


def button_label(action: str) -> str:
    """Return the text on the button that does an action."""
    return str(FORM_WORDS["buttons"].get(action, action.replace("_", " ").capitalize()))


def requestable_tiers(state: State, player: str) -> list[str]:
    """Return the tier that a new rule of a player gets, followed by the other tiers that they can ask for.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> requestable_tiers(nb.new_game("make-a-rule", ["Ann", "Ben"], seed=7).state, "Ann")
    ['rule', 'amendment']
    """
    tiers = state.find("precedence.tiers")
    found = dict.fromkeys(
        str(tier.value)
        for asked in ("", *(tiers.value if tiers.answered and isinstance(tiers.value, tuple) else ()))
        if (tier := _tier_of_new_rule(state, player, str(asked))).answered and asked in ("", tier.value)
    )
    return list(found)


def _tier_of_new_rule(state: State, player: str, asked: str) -> Finding:
    """Return the finding on the tier of a new rule for which its proponent asks for a tier; empty for none."""
    change = Change("enact", None, "An example.", standing=asked)
    return suppose_proposed(state, change, player).find("enact.tier", **SUPPOSED_CASE)


def _rule_labels(state: State) -> dict[str, str]:
    """Return a dict from each rule's name in options, such as “rule 208”, to that name with the rule's title."""
    named = {f"rule {rule.number}": f"rule {rule.number} “{rule.title}”" for rule in state.rules if rule.title}
    labels = {rule.number: rule.title for rule in state.rules if rule.title and isinstance(rule.number, str)}
    return named | {label: f"{label} “{title}”" for label, title in labels.items()}


def _option_text(text: str, labels: dict[str, str]) -> str:
    """Return an option's text; if it begins with the name of a rule, the rule's title is added."""
    if text in labels:
        return labels[text]
    head, blank, rest = text.partition(" ")
    return f"{labels.get(head, head)}{blank}{rest}"


def _shown_fields(decision: Decision, state: State, field: Json, begun: Json | None) -> Iterator[Json]:
    """Yield the form fields in which a field of an answer is filled in, with labels, help texts and tones."""
    action, name, kind = decision.action, field["name"], field["type"]
    options: list[str] = field.get("options", [])
    if kind == "some":
        labels = _rule_labels(state)
        for at, text in enumerate(options):
            yield _field_data(action, f"{TICK_PREFIX}{at}", "tick") | {"label": _option_text(text, labels)}
    elif kind == "choice" and action == "seal":
        yield _field_data(action, name, kind) | {"options": [[text, text, ""] for text in options]}
    elif kind == "choice":
        labels, buttons = _rule_labels(state), FORM_WORDS["options"].get(action, {})
        shown = [
            [text, buttons.get(text) or _option_text(text, labels), FORM_WORDS["tones"].get(text, "")]
            for text in options
        ]
        yield _field_data(action, name, kind) | {"options": shown, "other": field.get("other", False)}
    else:
        asked = {"about": "your answer", "most": MOST_LETTERS} if field.get("asked") else {}
        more: Json = {key: field[key] for key in ("min", "max") if key in field}
        more |= {"optional": field["optional"]} if kind == "number" and action == "roll" else {}
        more |= {"begun": begun} if kind == "change" and begun is not None else {}
        in_a_line = kind == "text" and "fits" in field
        form = _field_data(action, name, "line") if in_a_line else _field_of_type(action, name, kind)
        yield form | asked | more


def _field_of_type(action: str, name: str, kind: str) -> Json:
    """Return the form field for a type of field, such as a tick box for a flag; the boards have the moves."""
    rows = FORM_WORDS["lines"].get(name) if kind in ("text", "texts", "rules") else None
    shown = _field_data(action, name, "text" if rows else SHOWN_TYPES.get(kind, kind))
    return shown | ({"rows": rows} if rows else {})


def _field_data(action: str, name: str, type: str) -> Json:
    """Return a form field as JSON data: its name, its type such as “line”, its label and a help text."""
    label, about = FORM_WORDS["fields"].get(action, {}).get(name, (name.replace("_", " ").capitalize(), ""))
    return {"name": name, "type": type, "label": label, "about": about}


def choices_by_player(state: State) -> Json:
    """Return, by player, sentences on what rules let them choose now, and what is not open and why."""
    by_player: Json = {}
    joined: dict[tuple[str, str, str], list[str]] = {}
    many = len(universe_names(state)) > MOST_UNIVERSES
    for act_choice in list_choices(state, MOST_UNIVERSES):
        if act_choice.why or act_choice.beside:  # what is not open for the same reason is said once
            why = f" – {why_choice_is_closed(act_choice)}" if act_choice.why else ""
            joined.setdefault((act_choice.player, act_choice.action, why), []).append(act_choice.what)
            continue
        where = (
            [*act_choice.where[:2], "…", act_choice.where[-1]]
            if many and len(act_choice.where) >= MOST_UNIVERSES
            else act_choice.where
        )
        sentence = f"Open: {act_choice.describe(where)}"
        by_player.setdefault(act_choice.player, []).append(
            {"said": sentence, "action": act_choice.action, "beside": False}
        )
    for (player, action, why), whats in sorted(joined.items(), key=lambda entry: entry[0][2] == ""):
        how = "Not open" if why else "Also open, for rules of another tier; you still have to do this"
        sentence = f"{how}: {'; '.join(whats)}{why}"
        by_player.setdefault(player, []).append({"said": sentence, "action": action, "beside": not why})
    return by_player


def free_actions(state: State) -> Json:
    """Return the forms of the actions possible at any time, by action; none if the game is over or paused."""
    if state.over or state.paused:
        return {}
    return {
        action: {
            "what": deed.meaning.partition(";")[0], "send": button_label(action),
            "fields": [
                _field_of_type(
                    action, name, "label" if takes.of == "proposal" else type_of_field(name, takes)["type"]
                )
                for name, (takes, _) in deed.fields.items()
            ],
            "sure": action == "forfeit",
        }
        for action, deed in [*((action, ACTIONS[action]) for action in actions_at_any_time()), (RECORDED_FIELD,
        HOST_ACTIONS[RECORDED_FIELD])]
    }  # fmt: skip


# ---------------------------------------------------------------------------------- ready-made rules as plain data


#: Letters of a text that is filled in.
LONGEST_FILLING = 200


def entry_form(entry: CatalogueEntry) -> Json:
    """Return the form of a ready-made rule as JSON data: subject, title, and fields with default values."""
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


def fill_in_rule(state: State, name: object, values: object) -> Json:
    """Return a ready-made rule with values filled in, the rule that it amends, and its effect in words.

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
    entry = rule_entry(name) if isinstance(name, str) else None
    if entry is None or not isinstance(values, dict):
        raise IllegalAction(say("no-such-ready-made-rule", "there is no such ready-made rule"))
    known = {field_data["name"]: field_data["default"] for field_data in entry_form(entry)["fields"]}
    for field, value in values.items():
        wanted = type(known.get(field))
        if field not in known or type(value) is not wanted or (isinstance(value, str) and len(value) > LONGEST_FILLING):
            raise IllegalAction(
                say(
                    "ready-made-rule-takes-no-such-value",
                    "“{rule}” takes {known}. You can’t set {field} to {value!r}",
                    rule=name,
                    known=", ".join(known) or "nothing",
                    field=field[:40],
                    value=str(value)[:40],
                )
            )
    rule, base = entry.make(**values), calm_state(state)
    target = find_rule_to_amend(base, rule)
    try:
        sentence = effect_on_rules_in_words(base, rule, target) or "It has no effect here."
    except LawError as error:  # which is shown below the clauses
        sentence = f"Line {error.line}: {error.message}."
    return {"title": rule.title, "wording": rule.wording, "law": rule.law, "target": target, "amends": sentence}


# --------------------------------------------------------------------------------------- what comes from a browser


#: Characters of a message.
LARGEST_MESSAGE = 32 * 1024
#: Letters of the id of a message.
LONGEST_ID = 40
#: Fields of a message, by what it is about.
MESSAGE_FIELDS = {
    "open": {"open"}, "action": {"id", "action", "key", "details", "player"}, "ask": {"id", "ask", "details", "player"},
    "class": {"id", "class", "details"},
}  # fmt: skip


def read_fields(text: str) -> Json:
    """Return the fields of a message; refuse half a character in it, which could be sent to nobody.

    Raises
    ------
    RecordError
        It has one, is too long, too deep or no JSON.
    """
    fields = read_record_line(text, LARGEST_MESSAGE)
    try:
        json.dumps(fields, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise RecordError("half-a-character", "a text in it has half of a character") from None
    return fields


def read_message(text: object) -> tuple[str, Json]:
    """Return the kind of a message from a browser (“open”, “action” or “ask”), and its fields.

    Raises
    ------
    IllegalAction
        It is too long, too deep, no JSON, or has fields that it should not have.
    """
    if not isinstance(text, str) or len(text) > LARGEST_MESSAGE:
        raise IllegalAction(
            say("panel-message-too-long", "a message must be text of at most {most} characters", most=LARGEST_MESSAGE)
        )
    try:
        record_line = read_fields(text)
    except (RecordError, RecursionError) as error:
        raise IllegalAction(
            say("panel-message-unreadable", "the message can’t be read: {error}", error=error)
        ) from None
    about = next((message_field for message_field in MESSAGE_FIELDS if message_field in record_line), "")
    if not about or not record_line.keys() <= MESSAGE_FIELDS[about]:
        raise IllegalAction(
            say(
                "panel-message-of-unknown-fields",
                "a message must have the fields of one of these: {known}",
                known=", ".join(MESSAGE_FIELDS),
            )
        )
    id = record_line.get("id", "")
    if about != "open" and not (isinstance(id, str) and 1 <= len(id) <= LONGEST_ID):
        raise IllegalAction(
            say(
                "panel-message-without-id",
                "a message needs an id of at most {most} characters, so it is acted on only once",
                most=LONGEST_ID,
            )
        )
    if not isinstance(record_line.get(about), str if about != "open" else bool):
        raise IllegalAction(say("panel-message-without-action", "a message must name what it asks for"))
    if not isinstance(record_line.get("details", {}), dict):
        raise IllegalAction(say("details-not-fields", "the details must be a set of named fields"))
    return about, record_line


def read_change_data(data: object) -> Change | Renaming:
    """Return the change or renaming that the data of a filled-in form describe.

    Raises
    ------
    LawError
        A text that cannot be taken.
    IllegalAction
        It is no change.
    """
    if not isinstance(data, dict):
        raise IllegalAction(NOT_FIELDS)
    if data.get("kind") == "rename":
        names = data.get("renames")
        if not isinstance(names, list) or len(names) != 2 or not all(isinstance(name, str) for name in names):
            raise IllegalAction(
                say("renaming-not-two-words", "give two words, the old name and the new one, e.g. coins shells")
            )
        return rename(*names)
    if data.get("kind") == "together" and isinstance(data.get("parts"), list):
        return together(
            *(_read_change_in_group(part, at) for at, part in enumerate(data["parts"], 1)),
            apart=data.get("apart") is True,
        )
    read = change_from_json({name: value for name, value in data.items() if value is not None})
    maker = CHANGE_MAKERS.get(read.kind, repeal)
    arguments = {name: getattr(read, name) for name in inspect.signature(maker).parameters if name != "number"}
    if read.kind != "enact":
        first = "" if read.target is None else read.target
        arguments["number"] = [first, *read.also] if read.also else first
    return maker(**arguments)


def _read_change_in_group(data: object, place: int) -> Change:
    """Return one of several changes made together, from form data; errors say its place, 1 for the first."""
    try:
        if not isinstance(data, dict) or data.get("kind") not in CHANGE_KINDS:
            raise LawError(
                say("part-not-of-a-single-rule", "when changes are made together, each must change a single rule"),
                expected=", ".join(CHANGE_KINDS),
            )
        return cast(Change, read_change_data(data))
    except LawError as error:
        raise with_part_number(error, place) from None


@cache
def _parameters_of(method: Callable[..., object]) -> tuple[str, ...]:
    """Return the parameters of a game’s method for an action, after the player."""
    return tuple(inspect.signature(method).parameters)[2:]


def read_details(game: BaseGame, action: str, given: Json, decision: Decision | None) -> Json:
    """Return an action's details, read from form data, plus the proposal, rule or id that the decision is about.

    Parameters
    ----------
    game : BaseGame
        The game that will do it, by the method of the same name.
    action : str
        What is done.
    given : mapping
        As they came from a browser.
    decision : Decision or None
        What it answers.

    Raises
    ------
    IllegalAction
        Details that the action does not take.
    LawError
        A change that cannot be read.
    """
    if decision is not None and decision.takes == "some":
        given = _join_ticked_options(decision, given)
    known = _parameters_of(getattr(type(game), action))
    fields = ACTIONS[action].fields.items() if decision is not None else ()
    filled = {name: takes.of for name, (takes, _) in fields if takes.of in ("proposal", "id", "rule")}
    wrong = [name for name in given if name not in known or name in filled]
    if wrong:
        takes = ", ".join(name for name in known if name not in filled) or "nothing else"
        raise IllegalAction(
            say(
                "action-takes-no-such-details",
                "here, “{action}” takes {takes}, not {wrong}",
                action=action,
                takes=takes,
                wrong=", ".join(wrong)[:40],
            )
        )
    details = {name: _read_field(game, action, name, value) for name, value in given.items() if value is not None}
    for name, of in filled.items():
        if name in known and (value := getattr(decision, of)) is not None:
            details[name] = value
    return details


def _join_ticked_options(decision: Decision, details: Json) -> Json:
    """Return the details with the tick boxes of a decision's options replaced by a list of those ticked."""
    ticks = {f"{TICK_PREFIX}{at}": option for at, option in enumerate(decision.options)}
    rest = {name: value for name, value in details.items() if name not in ticks}
    return {"option": [option for name, option in ticks.items() if details.get(name) is True], **rest}


def _read_field(game: BaseGame, action: str, name: str, value: Any) -> Any:
    """Return the value of a form field as the action takes it: rule numbers and changes are parsed."""
    if name == "change":
        return read_change_argument(read_change_data(value), game.state)
    if name in ("rule", "proposal", "number") and isinstance(value, str):
        return parse_rule_number(value)
    if name == "rests_on" and isinstance(value, str):
        return [parse_rule_number(word) for word in value.replace(",", " ").split()]
    field = ACTIONS[action].fields.get(name)
    plain = bool in field[0].types if field is not None else False
    if (isinstance(value, bool) and not plain) or not isinstance(value, (str, int, bool, list)):
        raise IllegalAction(
            say(
                "action-takes-no-such-value",
                "“{action}” doesn’t take {value!r} for {field}",
                action=action,
                value=str(value)[:40],
                field=name,
            )
        )
    return value
