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
    parse_rule_number,
    rename,
    repeal,
    together,
    with_part_number,
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
    """Return the kind of a message from a browser, and the message.

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
        record_line = read_record_line(text, LARGEST_MESSAGE)
    except (RecordError, UnicodeEncodeError, RecursionError) as error:
        raise IllegalAction(
            say("panel-message-unreadable", "the message cannot be read: {error}", error=error)
        ) from None
    about = next((message_field for message_field in MESSAGE_FIELDS if message_field in record_line), "")
    if not about or not record_line.keys() <= MESSAGE_FIELDS[about]:
        raise IllegalAction(
            say(
                "panel-message-of-unknown-fields",
                "a message has the fields of one of these: {known}",
                known=", ".join(MESSAGE_FIELDS),
            )
        )
    id = record_line.get("id", "")
    if about != "open" and not (isinstance(id, str) and 1 <= len(id) <= LONGEST_ID):
        raise IllegalAction(
            say(
                "panel-message-without-id",
                "a message has an id of at most {most} letters, so that it is done once",
                most=LONGEST_ID,
            )
        )
    if not isinstance(record_line.get(about), str if about != "open" else bool):
        raise IllegalAction(say("panel-message-without-action", "what is to be done is said in a word"))
    if not isinstance(record_line.get("details", {}), dict):
        raise IllegalAction(say("details-not-fields", "details are a set of fields"))
    return about, record_line


def read_change_data(data: object) -> Change | Renaming:
    """Return the change that a form in the browser describes.

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
                say("renaming-not-two-words", "two words say what is counted, and what it is called then: coins shells")
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


def _read_change_in_group(data: object, at: int) -> Change:
    """Return one change out of several that are made together."""
    try:
        if not isinstance(data, dict) or data.get("kind") not in CHANGE_KINDS:
            raise LawError(
                say("part-not-of-a-single-rule", "a change made together with others is one of a single rule"),
                expected=", ".join(CHANGE_KINDS),
            )
        return cast(Change, read_change_data(data))
    except LawError as error:
        raise with_part_number(error, at) from None


def read_details(game: BaseGame, action: str, given: Json, asked: Decision | None) -> Json:
    """Return the details of an action, completed with what the decision it answers is about.

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
        given = _join_ticked_options(asked, given)
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
    details = {name: _read_field(game, action, name, value) for name, value in given.items() if value is not None}
    for name, of in filled.items():
        if name in known and (value := getattr(asked, of)) is not None:
            details[name] = value
    return details


def _join_ticked_options(asked: Decision, given: Json) -> Json:
    """Return details with the ticked options as one list."""
    ticks = {f"{TICK_PREFIX}{at}": option for at, option in enumerate(asked.options)}
    rest = {name: value for name, value in given.items() if name not in ticks}
    return {"option": [option for name, option in ticks.items() if given.get(name) is True], **rest}


def _read_field(game: BaseGame, action: str, name: str, value: Any) -> Any:
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
                "{action} takes no {value!r} for {field}",
                action=action,
                value=str(value)[:40],
                field=name,
            )
        )
    return value
