"""How much a record holds: what it could not take in is refused before it happens."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from copy import copy
from types import NoneType
from typing import Any, NamedTuple

from nomic_nb.engine.errors import IllegalAction, RecordError, WrongValue
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.engine import Moment
from nomic_nb.engine.play.events import Event, canonical_json
from nomic_nb.engine.play.game_setup import GameSetup
from nomic_nb.engine.play.prefix_cache import PrefixCache

#: The format, and its version: raised when what is recorded, or what rules mean, changes.
FORMAT, VERSION = "nomic_nb record", 5
#: In bytes, and in levels of brackets. A header is the first line.
LARGEST_FILE, LARGEST_HEADER, LARGEST_LINE, DEEPEST = 32 * 2**20, 2 * 2**20, 256 * 2**10, 64
LARGEST_INT = 2**53
#: The last line, which says how many events there were, is no longer.
RESERVED_EVENTS = 100
#: Steps of the law in a whole game; loading takes them again: a few minutes at most.
MOST_WORK = 250_000_000


class RecordPosition(NamedTuple):
    """How far a record is written: its bytes, and the hash of its last line."""

    size: int
    head: str


def hash_of_line(line: str) -> str:
    """Return the SHA-256 of a line of the record, which the next line contains."""
    return hashlib.sha256(line.encode("ascii")).hexdigest()


def record_header(setting: GameSetup) -> dict[str, Any]:
    """Return the header of a record: what was agreed before play, as plain data."""
    return {"format": FORMAT, "version": VERSION, **setting.to_json()}


def line_of_event(event: Event, prev: str) -> str:
    """Return the line of the record for an event, which includes `prev`, the hash of the line before."""
    return canonical_json(event.to_json() | {"prev": prev})


def _is_json_stable(value: object) -> bool:
    """Tell whether a value is a text, bool, None or int up to 2**53, which JSON gives back unchanged."""
    return isinstance(value, (str, bool, NoneType)) or (type(value) is int and abs(value) <= LARGEST_INT)


class RecordExtent(PrefixCache[RecordPosition]):
    """How far a record is written.

    Parameters
    ----------
    setting : Setting
        What was agreed before play.

    Raises
    ------
    ValueError
        It has no room in a header.
    """

    def __init__(self, setting: GameSetup) -> None:
        header = canonical_json(record_header(setting))
        if len(header) > LARGEST_HEADER:
            raise WrongValue(
                "header-too-large",
                "the rule set, settings and names take {size:,} bytes, but can take at most {largest:,}",
                largest=LARGEST_HEADER,
                size=len(header),
            )
        super().__init__(RecordPosition(len(header) + 1, hash_of_line(header)))

    def next_value(self, before: RecordPosition, event: Event) -> RecordPosition:
        """Return the record's size and last hash once an event is added; refuse an event that it cannot hold.

        Raises
        ------
        IllegalAction
            More than a line has room for, or data that cannot be read back.
        """
        try:
            text = line_of_event(event, before.head)
            handed = (*event.data.values(), *event.details.values()) if event.do else ()
            if len(text) > LARGEST_LINE or not all(
                map(_is_json_stable, handed)
            ):  # what players hand in can have any form
                read_record_line(text, LARGEST_LINE)
        except (RecordError, RecursionError, TypeError, ValueError) as error:
            raise IllegalAction(
                "event-unrecordable",
                "this can’t be done, because the event “{event}” can’t be recorded: {error}",
                event=event.kind,
                error=error,
            ) from None
        return RecordPosition(before.size + len(text) + 1, hash_of_line(text))

    def copy_for_branch(self) -> RecordExtent:
        """Return a copy of this record's sizes and hashes, to go on separately in a branch of the game."""
        other = copy(self)
        other.known = list(self.known)
        return other


def check_record_room(record: RecordExtent, moments: Sequence[Moment], more: Sequence[Moment]) -> None:
    """Refuse further events (`more`) with which a game's record would grow too large to be loaded.

    Raises
    ------
    IllegalAction
        The file would be too long to be loaded, or one of its lines would; or loading it would take too many steps.
    """
    message = None
    if record.value_after(moments, more).size + RESERVED_EVENTS > LARGEST_FILE:
        message = say("file-full", "with more than {largest:,} bytes, it couldn’t be loaded", largest=LARGEST_FILE)
    elif more[-1][1].work > MOST_WORK:
        message = say(
            "loading-too-long", "its rules take so many steps that loading it would take over {most:,}", most=MOST_WORK
        )
    if message:
        raise IllegalAction(
            message.embed_in("the record of this game is full: {message}. To play on, branch from an earlier event")
        )


def read_record_line(text: str, most: int = LARGEST_LINE, line: int | None = None) -> dict[str, Any]:
    """Return the fields in a line of a record; refuse it if over `most` characters, nested too deep or malformed.

    Raises
    ------
    RecordError
        Too long or too deep, no JSON, a field twice, or a number that is not whole or beyond 2**53.
    """
    if len(text) > most:
        raise RecordError(
            "line-too-long",
            "this line has {length:,} characters, but can have at most {most:,}",
            most=most,
            length=len(text),
            line=line,
        )
    if _bracket_depth(text) > DEEPEST:
        raise RecordError(
            "data-too-deep", "data can be nested at most {deepest} levels deep", deepest=DEEPEST, line=line
        )
    try:
        fields = _READER.decode(text)
    except RecordError as error:
        raise RecordError(error.message, line=line) from None
    except ValueError:
        raise RecordError("line-not-json", "the line is cut off or isn’t JSON", line=line) from None
    if not isinstance(fields, dict):
        raise RecordError("line-not-fields", "the line must be a set of named fields", line=line)
    return fields


def _bracket_depth(text: str) -> int:
    """Return how deeply brackets are nested in a line of JSON, ignoring those inside strings."""
    depth = deepest = 0
    outside = text.replace("\\\\", "").replace('\\"', "").split('"')[::2]
    for bracket in re.findall(r"[\[{\]}]", "".join(outside)):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _check_unique_fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object's (name, value) pairs as a dict; refuse a name that occurs twice."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise RecordError("field-twice", "the same field appears twice")
    return fields


def _refuse_non_integer(text: str) -> None:
    """Refuse a number in a record that is not a whole number, such as 1.5, NaN or Infinity."""
    raise RecordError("not-a-whole-number", "{found} isn’t a whole number", found=text[:20])


def _parse_integer(text: str) -> int:
    """Return the whole number in a text; refuse one beyond 2**53."""
    if len(text) > 17 or abs(int(text)) > LARGEST_INT:
        raise RecordError(
            "number-beyond", "a number is outside the range that a record can hold: {found}…", found=text[:20]
        )
    return int(text)


_READER = json.JSONDecoder(
    object_pairs_hook=_check_unique_fields,
    parse_float=_refuse_non_integer,
    parse_constant=_refuse_non_integer,
    parse_int=_parse_integer,
)
