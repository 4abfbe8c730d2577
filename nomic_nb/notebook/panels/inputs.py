"""What comes from a browser, read as strictly as a record: nothing gets through that an action does not take."""

from __future__ import annotations

import inspect
from typing import Any, cast

from nomic_nb.engine.errors import IllegalAction, LawError, RecordError
from nomic_nb.engine.law.changes import (
    CHANGE_KINDS,
    Change,
    Renaming,
    change_from_json,
    error_in_part,
    read_rule_number,
    rename,
    repeal,
    together,
)
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.declarations import ACTIONS, NOT_FIELDS
from nomic_nb.engine.play.record_limits import read_record_line
from nomic_nb.engine.play.values import Decision
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.live.player_actions import read_change_argument
from nomic_nb.notebook.panels.forms import TICK_PREFIX, Json
from nomic_nb.notebook.panels.magic_input import CHANGE_MAKERS

#: Characters of a message.
LARGEST_MESSAGE = 32 * 1024
#: Letters of the id of a message.
LONGEST_ID = 40
#: Fields of a message, by what it is about.
MESSAGE_FIELDS = {
    "open": {"open"}, "action": {"id", "action", "key", "details", "player"}, "ask": {"id", "ask", "details", "player"},
}  # fmt: skip


def read_message(text: object) -> tuple[str, Json]:
    """Return what a message is about, and the message.

    Raises
    ------
    IllegalAction
        It is too long, too deep, no JSON, or has fields that it should not have.
    """
    if not isinstance(text, str) or len(text) > LARGEST_MESSAGE:
        raise IllegalAction(
            say("panel-message-too-long", "a message is a text of at most {most} characters", most=LARGEST_MESSAGE)
        )
    try:
        text.encode("utf-8")
        found = read_record_line(text, LARGEST_MESSAGE)
    except (RecordError, UnicodeEncodeError, RecursionError) as error:
        raise IllegalAction(
            say("panel-message-unreadable", "the message cannot be read: {error}", error=error)
        ) from None
    about = next((one for one in MESSAGE_FIELDS if one in found), "")
    if not about or not found.keys() <= MESSAGE_FIELDS[about]:
        raise IllegalAction(
            say(
                "panel-message-of-unknown-fields",
                "a message has the fields of one of these: {known}",
                known=", ".join(MESSAGE_FIELDS),
            )
        )
    id = found.get("id", "")
    if about != "open" and not (isinstance(id, str) and 1 <= len(id) <= LONGEST_ID):
        raise IllegalAction(
            say(
                "panel-message-without-id",
                "a message has an id of at most {most} letters, so that it is done once",
                most=LONGEST_ID,
            )
        )
    if not isinstance(found.get(about), str if about != "open" else bool):
        raise IllegalAction(say("panel-message-without-action", "what is to be done is said in a word"))
    if not isinstance(found.get("details", {}), dict):
        raise IllegalAction(say("details-not-fields", "details are a set of fields"))
    return about, found


def read_change_data(data: object) -> Change | Renaming:
    """Return a change as it is written in a browser, made as `enact` and the others make it.

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
        if not isinstance(names, list) or len(names) != 2 or not all(isinstance(one, str) for one in names):
            raise IllegalAction(
                say("renaming-not-two-words", "two words say what is counted, and what it is called then: coins shells")
            )
        return rename(*names)
    if data.get("kind") == "together" and isinstance(data.get("parts"), list):
        return together(
            *(_read_part(one, at) for at, one in enumerate(data["parts"], 1)), apart=data.get("apart") is True
        )
    read = change_from_json({name: value for name, value in data.items() if value is not None})
    maker = CHANGE_MAKERS.get(read.kind, repeal)
    said = {name: getattr(read, name) for name in inspect.signature(maker).parameters if name != "number"}
    if read.kind != "enact":
        first = "" if read.target is None else read.target
        said["number"] = [first, *read.also] if read.also else first
    return maker(**said)


def _read_part(data: object, at: int) -> Change:
    """Return one of several changes that are made together."""
    try:
        if not isinstance(data, dict) or data.get("kind") not in CHANGE_KINDS:
            raise LawError(
                say("part-not-of-a-single-rule", "a change made together with others is one of a single rule"),
                expected=", ".join(CHANGE_KINDS),
            )
        return cast(Change, read_change_data(data))
    except LawError as error:
        raise error_in_part(error, at) from None


def read_details(game: BaseGame, action: str, given: Json, asked: Decision | None) -> Json:
    """Return the details of an action, with what the decision says that it answers.

    Parameters
    ----------
    game : BaseGame
        In which it will be done, by the method of the same name.
    action : str
        What is done.
    given : mapping
        As they came from a browser.
    asked : Decision or None
        What it answers.

    Raises
    ------
    IllegalAction
        Details that the action does not take.
    LawError
        A change that cannot be read.
    """
    if asked is not None and asked.takes == "some":
        given = _collect_ticked(asked, given)
    known = list(inspect.signature(getattr(game, action)).parameters)[1:]
    fields = ACTIONS[action].fields.items() if asked is not None else ()
    filled = {name: takes.of for name, (takes, _) in fields if takes.of in ("proposal", "id", "rule")}
    wrong = [name for name in given if name not in known or name in filled]
    if wrong:
        takes = ", ".join(name for name in known if name not in filled) or "nothing more"
        raise IllegalAction(
            say(
                "action-takes-no-such-details",
                "{action} takes {takes} from here, not {wrong}",
                action=action,
                takes=takes,
                wrong=", ".join(wrong)[:40],
            )
        )
    made = {name: _read_field(game, action, name, value) for name, value in given.items() if value is not None}
    for name, of in filled.items():
        if name in known and (value := getattr(asked, of)) is not None:
            made[name] = value
    return made


def _collect_ticked(asked: Decision, given: Json) -> Json:
    """Return details in which the options that were ticked are one list; where none is, it is empty."""
    ticks = {f"{TICK_PREFIX}{at}": one for at, one in enumerate(asked.options)}
    rest = {name: value for name, value in given.items() if name not in ticks}
    return {"option": [one for name, one in ticks.items() if given.get(name) is True], **rest}


def _read_field(game: BaseGame, action: str, name: str, value: Any) -> Any:
    if name == "change":
        return read_change_argument(read_change_data(value), game.state)
    if name in ("rule", "proposal", "number") and isinstance(value, str):
        return read_rule_number(value)
    if name == "rests_on" and isinstance(value, str):
        return [read_rule_number(one) for one in value.replace(",", " ").split()]
    field = ACTIONS[action].fields.get(name)
    plain = bool in field[0].types if field is not None else False
    if (isinstance(value, bool) and not plain) or not isinstance(value, (str, int, bool, list)):
        raise IllegalAction(
            say(
                "action-takes-no-such-value",
                "{action} takes no {value!r} for {field}",
                action=action,
                value=str(value)[:40],
                field=name,
            )
        )
    return value
