"""What a decision asks, as plain data: which fields an answer has, what fits them, and the key that names it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from nomic_nb.engine.law.changes import CHANGE_KINDS, Change
from nomic_nb.engine.play.adoptability import SUPPOSED_CASE, suppose_proposed
from nomic_nb.engine.play.decisions import numbers_are_assigned
from nomic_nb.engine.play.declarations import ACTIONS, HOST_ACTIONS, REQUIRED, FieldSpec
from nomic_nb.engine.play.events import canonical_json
from nomic_nb.engine.play.facts import option_in_words
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import SO_FAR_PREFIX, Decision
from nomic_nb.engine.play.waiting import open_rounds
from nomic_nb.engine.play.ways import open_question, possible_answers
from nomic_nb.engine.subjects.sealed_values import owed_round
from nomic_nb.engine.words import full_sentence

#: Plain data.
Json = dict[str, Any]
#: What players may do at any time, besides everything that rules can listen for.
ALWAYS_OPEN = ("invoke_judgment", "ask_again", "forfeit")
#: Throws: another event makes another throw of it, so that a press never throws what somebody did not see.
THROW_ACTIONS = ("roll", "seal", "reveal")

# ------------------------------------------------------------------------------------------- which decision it is


def decision_id(decision: Decision) -> str:
    """Return an id of an open decision, which stays the same while other decisions open and close."""
    about = (
        f"{decision.rule} {decision.options[0]}"
        if decision.action == "take"
        else decision.id
        if decision.proposal is None
        else decision.proposal
    )
    return f"{decision.action}:{about}:{decision.player or ''}"


def decision_key(decision: Decision, state: State, last_undo: int, last_event: str) -> str:
    """Return a hash that an answer must send back; it changes if the decision is asked anew, as after an undo.

    Parameters
    ----------
    decision : Decision
        The decision.
    state : State
        As it stands.
    last_undo : int
        The event that took the game back last; 0 where none did.
    last_event : str
        Tells the last event from all others.
    """
    about = state.proposals.get(decision.proposal) if decision.proposal is not None else None
    # What others answer to the same in the meantime makes no other decision of it.
    prompt = decision.prompt if state.questions else decision.prompt.partition(SO_FAR_PREFIX)[0]
    named = {
        "game": state.game, "player": decision.player, "action": decision.action, "proposal": str(decision.proposal),
        "id": decision.id,
        "options": list(decision.options), "prompt": prompt, "turn": about.turn if about else state.turn,
        "undone": last_undo, "head": last_event if decision.action in THROW_ACTIONS else "",
    }  # fmt: skip
    return hashlib.sha256(canonical_json(named).encode("ascii")).hexdigest()[:16]


# ------------------------------------------------------------------------------------------ the fields of an answer


def answer_fields(
    decision: Decision, state: State, *, secret_known: bool = True, shared: bool = False
) -> Iterator[Json]:
    """Yield the fields of an answer: name, type, options, bounds, and whether it can be left out.

    Parameters
    ----------
    decision : Decision
        What is asked.
    state : State
        As it stands.
    secret_known : bool
        Whether what the player sealed is known here, so that revealing it takes no field.
    shared : bool
        Whether all players answer in the same place.
    """
    action = decision.action
    if action in HOST_ACTIONS:
        yield from ({"name": name, "type": "text"} for name in HOST_ACTIONS[action].fields if name != "who")
    elif action == "move":
        yield {"name": "text", "type": "move", "options": list(decision.options)}
    elif action == "seal":
        yield from _sealing_fields(decision, state)
    elif action == "reveal":
        yield from () if secret_known else ({"name": name, "type": "text"} for name in ("value", "nonce"))
    else:
        votes = action != "propose" or _is_ever_voted_on(state, decision.player or "")
        left_out = {"push" if votes else "debate", "rule_number"}  # which only the record of another game gives
        for name, (takes, default) in ACTIONS[action].fields.items():
            if name not in left_out:
                for field in _field(decision, state, name, takes, shared=shared):
                    yield field if default is REQUIRED else {"optional": True} | field


def _field(decision: Decision, state: State, name: str, takes: FieldSpec, *, shared: bool) -> Iterator[Json]:
    """Yield the field of an answer in which a parameter of the action is given; nothing if the game fills it in."""
    if takes.of == "option":
        yield {"name": name, "optional": False} | _option_field(decision, state)
    elif name == "agreed":
        those = state.players_who_must_agree(state.questions[0]) if state.questions else ()
        if shared and decision.must and decision.id is not None and len(those) > 1:
            yield {"name": name, "type": "flag"}
    elif name == "value":  # of a throw
        yield from _roll_fields(decision, state)
    elif takes.of == "assigned":
        if numbers_are_assigned(state):
            yield {"name": name, "type": "label", "optional": False}
    elif takes.of not in ("proposal", "id", "rule"):
        yield {"name": name} | type_of_field(name, takes)


def type_of_field(name: str, spec: FieldSpec) -> Json:
    """Return the type of a parameter of an action, such as “flag” for a bool, as a field without a name."""
    if Change in spec.types:
        return {"type": "change"}
    if bool in spec.types:
        return {"type": "flag"}
    if spec.among is not None and spec.types != (int,):  # chosen from what there is a list of
        return {"type": {"counter": "counter", "rule": "rule"}.get(name, "player")}
    if list in spec.types:
        return {"type": "rules" if name == "rests_on" else "texts"}
    if int in spec.types:
        return {"type": "number" if str not in spec.types else "label"}
    return {"type": "text"}


def _is_ever_voted_on(state: State, player: str) -> bool:
    """Tell whether a new rule proposed by the player would be voted on, so that a debate makes sense."""
    finding = suppose_proposed(state, Change("enact", None, "An example."), player).find(
        "vote.electorate", **SUPPOSED_CASE
    )
    return not (finding.answered and finding.value == ())


def _option_field(decision: Decision, state: State) -> Json:
    """Return the type of what a decision takes, with its options or, if it is open, what fits."""
    if decision.options:
        kind = "some" if decision.takes == "some" else "choice"
        other = decision.action == "choose" and bool(state.questions) and decision.must
        return {"type": kind, "options": list(decision.options)} | ({"other": True} if other else {})
    question = open_question(state, decision)
    key = state.law.vocabulary.keys[question.key] if question is not None and question.key else None
    fits = key.type.with_article if key is not None else {"number": "a number"}.get(decision.takes, "a text")
    return {"type": "any number" if decision.takes == "number" else "text", "fits": fits}


def _sealing_fields(decision: Decision, state: State) -> Iterator[Json]:
    """Yield the fields for sealing: a choice of options, or a secret value or a commitment made elsewhere."""
    sealing = owed_round(state, decision.player or "", decision.action)
    waiting = next(waiting for waiting, round in open_rounds(state) if round is sealing)
    poll = state.polls.get(waiting.poll)
    if waiting.options and not (poll is not None and poll.some):
        options = [option_in_words(state, option) for option in waiting.options]
        none = ["none"] * (poll is not None and poll.optional)
        yield {"name": "value", "type": "choice", "options": options + none}
        return
    yield {"name": "value", "type": "secret", "optional": True, "asked": bool(poll or waiting.secret)}
    yield {"name": "commitment", "type": "text", "optional": True}


def _roll_fields(decision: Decision, state: State) -> Iterator[Json]:
    """Yield a number field for dice rolled by hand; nothing if the law lets only the game roll."""
    finding = state.find("dice.source")
    source = finding.value if finding.answered else "either"
    waiting = next((w for w in state.waiting if w.action == "roll" and w.player == decision.player), None)
    if source != "seeded":
        span = {"min": waiting.dice, "max": waiting.dice * waiting.sides} if waiting else {}
        yield {"name": "value", "type": "number"} | span | {"optional": source != "table"}


def begun_change(decision: Decision, state: State) -> Json | None:
    """Return the change in the proposal to be revised, as plain data; None if a decision is about none."""
    about = state.proposals.get(decision.proposal) if decision.action == "revise" and decision.proposal else None
    return about.change.to_json() if about is not None else None


def actions_at_any_time() -> list[str]:
    """Return the names of the actions that players may do without being asked, such as “forfeit”."""
    heard = sorted((action for action in ACTIONS.values() if action.heard), key=lambda action: not action.owed)
    return [*(action.name for action in heard), *ALWAYS_OPEN]


# -------------------------------------------------------------------------------------------- what fits an answer


_TEXT: Json = {"type": "string", "minLength": 1}
_LABEL: Json = {"type": ["integer", "string"]}
_TEXTS: Json = {"type": "array", "items": _TEXT}
#: What a change looks like; fields that do not matter are left out, or null.
CHANGE_SCHEMA: Json = {
    "type": "object",
    "required": ["kind"],
    "properties": {
        "kind": {"enum": [*CHANGE_KINDS, "together", "rename"]},
        "target": {"type": ["integer", "string", "null"], "description": "the number of the rule to change"},
        "wording": {"type": ["string", "null"]},
        "law": {"type": ["string", "null"], "description": "clauses, one a line"},
        "title": {"type": ["string", "null"]},
        "parts": {"type": "array", "items": {"type": "object"}, "description": "changes made together"},
        "renames": {"type": "array", "items": _TEXT, "description": "the old name and the new one"},
    },
}  # fmt: skip
#: What fits a field, by its type.
_SCHEMAS: Mapping[str, Json] = {
    "text": _TEXT, "secret": _LABEL, "flag": {"type": "boolean"}, "change": CHANGE_SCHEMA,
    "number": {"type": "integer"}, "any number": _LABEL, "label": _LABEL, "rule": _LABEL, "player": _TEXT,
    "counter": _TEXT, "texts": _TEXTS,
    "rules": {"type": "array", "items": _LABEL},
}  # fmt: skip


def answer_schema(fields: list[Json]) -> Json:
    """Return a JSON Schema of the details that fit these fields.

    Examples
    --------
    >>> answer_schema([{"name": "ballot", "type": "choice", "options": ["for", "against"]}])["properties"]
    {'ballot': {'enum': ['for', 'against']}}
    """
    return {
        "type": "object",
        "properties": {field["name"]: _schema_of_field(field) for field in fields},
        "required": [field["name"] for field in fields if not field.get("optional")],
        "additionalProperties": False,
    }


def _schema_of_field(field: Json) -> Json:
    """Return a JSON Schema of what fits a field."""
    options, none = field.get("options"), [None] if field.get("optional") else []
    if field["type"] == "some":
        return {"type": "array", "items": {"enum": options}, "uniqueItems": True}
    if options is not None:
        known = {"enum": [*options, *none]}
        return {"anyOf": [known, _TEXT]} if field.get("other") else known
    bounds = {name: field[key] for key, name in (("min", "minimum"), ("max", "maximum")) if key in field}
    fitting = _SCHEMAS[field["type"]] | bounds
    if none:
        kinds = fitting["type"]
        fitting |= {"type": [*([kinds] if isinstance(kinds, str) else kinds), "null"]}
    return fitting


def asked_data(decision: Decision, state: State, key: str, *, secret_known: bool = True) -> Json:
    """Return what a decision asks one player as plain data, with its key and the JSON Schema of an answer.

    Parameters
    ----------
    decision : Decision
        What is asked.
    state : State
        As it stands.
    key : str
        The key that an answer sends back to name the decision; see `decision_key`.
    secret_known : bool
        Whether what the player sealed is known here.
    """
    examples = next(possible_answers(state, decision), {})
    fields = [
        _with_players(field, state) | _example(examples.get(field["name"]))
        for field in answer_fields(decision, state, secret_known=secret_known)
    ]
    return {
        "key": key, "player": decision.player, "action": decision.action, "prompt": full_sentence(decision.prompt),
        "must": decision.must, "rule": decision.rule, "proposal": decision.proposal, "fields": fields,
        "begun": begun_change(decision, state), "answer": answer_schema(fields),
    }  # fmt: skip


def free_data(action: str, state: State) -> Json:
    """Return an action that a player may do at any time as plain data; it has no key."""
    deed = ACTIONS[action]
    fields = [
        _with_players(
            {"name": name, "optional": default is not REQUIRED}
            | ({"type": "label"} if takes.of == "proposal" else type_of_field(name, takes)),
            state,
        )
        for name, (takes, default) in deed.fields.items()
    ]
    return {
        "action": action, "prompt": full_sentence(deed.meaning.partition(";")[0]), "fields": fields,
        "answer": answer_schema(fields),
    }  # fmt: skip


def _example(value: Any) -> Json:
    """Return an example of what fits a field, as plain data; empty if there is none."""
    return {} if value is None else {"example": value.to_json() if isinstance(value, Change) else value}


def _with_players(field: Json, state: State) -> Json:
    """Return a field with the names of the players, if one of them is chosen in it."""
    return field | {"options": list(state.names_of_players)} if field["type"] == "player" else field
