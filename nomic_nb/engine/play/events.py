"""Events: what happened, as plain data."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import field, fields
from fractions import Fraction
from typing import Any, TypeVar, cast

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.rules import Number as RuleNumber
from nomic_nb.engine.law.rules import SourceClause
from nomic_nb.engine.law.values import Number, ThingRef, simplify_number
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.words import counter_change_phrase

KeptValue = TypeVar("KeptValue")
#: Version of the form of an event in a record.
EVENT_FORM = 1


@frozen
class Cause:
    """The rule, and the clause of it, that made an event happen."""

    id: int
    rule: RuleNumber
    words: str = ""

    @staticmethod
    def from_clause(source: SourceClause) -> Cause:
        """Return the cause that represents a clause and its rule, to be kept with an event."""
        return Cause(source.rule.id, source.rule.number, source.clause.words)


def cause_of(finding: Finding) -> Cause | None:
    """Return the first clause on which a finding rests, to be an event's cause, or None."""
    return Cause.from_clause(finding.sources[0]) if finding.sources else None


@frozen
class Event:
    """Something that happened in a game.

    Parameters
    ----------
    seq : int
        Number of the event in the record, starting from 1.
    turn, circuit : int
        Number of turns that have begun, and the current round.
    part : str or None
        Part of the turn.
    actor : str or None
        Player who did it, or whom it concerns.
    kind : str
        Kind of event.
    data : mapping
        Plain JSON data; its contents depend on the kind.
    cause : Cause or None
        Rule that caused it; None for an action of a player.
    draw : tuple of int or None
        Faces of the dice, or other random draws.
    do : str
        Name of the action, by a player or the host; empty if a rule caused the event.
    details : mapping
        Details of the action, as plain JSON data; details that make no difference are left out.
    """

    seq: int
    turn: int
    circuit: int
    part: str | None
    actor: str | None
    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)
    cause: Cause | None = None
    draw: tuple[int, ...] | None = None
    do: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def rule(self) -> RuleNumber | None:
        """The number of the rule that caused the event; None if no rule did."""
        return self.cause.rule if self.cause else None

    @property
    def actor_name(self) -> str:
        """The name of the event's actor, for events that always have one."""
        return str(self.actor)

    @property
    def is_action(self) -> bool:
        """Whether the event is what a player or the host did, and not what a rule brought about."""
        return bool(self.do)

    def to_json(self) -> dict[str, Any]:
        """Return the event as plain data, absent fields left out."""
        data: dict[str, Any] = {
            "v": EVENT_FORM, "seq": self.seq, "turn": self.turn, "circuit": self.circuit, "part": self.part,
            "actor": self.actor, "kind": self.kind, "data": dict(self.data),
        }  # fmt: skip
        if self.cause is not None:
            data["cause"] = {"id": self.cause.id, "rule": self.cause.rule, "words": self.cause.words}
        if self.draw is not None:
            data["draw"] = list(self.draw)
        if self.do:
            data |= {"do": self.do, "details": dict(self.details)}
        return data


#: What goes round in circles is too deep for it.
_WRITER = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False, check_circular=False
)


def events_in(moments: Iterable[tuple[Event, object]]) -> list[Event]:
    """Return the events in moments, which are pairs of an event and the state after it."""
    return [event for event, _ in moments]


def canonical_json(data: Mapping[str, Any]) -> str:
    """Return plain data as JSON text that is the same for equal data."""
    return _WRITER.encode(data)


def to_event_data(value: Any) -> Any:
    """Return a value as plain data for an event: things by name or id, fractions as text."""
    if isinstance(value, str):
        return str(value)
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, ThingRef):
        return value.id
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, Mapping):
        return {name: to_event_data(item) for name, item in value.items()}
    return list(map(to_event_data, value)) if isinstance(value, (tuple, list)) else value


def number_from_json(data: int | str) -> Number:
    """Return a number from an event's data, where fractions are texts."""
    return data if isinstance(data, int) else simplify_number(Fraction(data))


def value_from_data(data: Mapping[str, Any], of: type[KeptValue], **more: Any) -> KeptValue:
    """Return an object of the class `of`, made of its fields in an event's data and those in `more`."""
    field_values = {
        value_field.name: _as_tuples(data[value_field.name])
        for value_field in fields(cast(Any, of))
        if value_field.name in data
    }
    return of(**(field_values | more))


def _as_tuples(value: Any) -> Any:
    """Return plain data with every list, also inside others, turned into a tuple."""
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value


def describe_counter_change(data: Mapping[str, Any]) -> str:
    """Return in words by how much a counter changed and what it is now, from an event's data."""
    rounded = f"rounded from {data['exact']}{', a tie' if data['tie'] else ''}" if "exact" in data else ""
    return counter_change_phrase(
        data["counter"], number_from_json(data["amount"]), number_from_json(data["now"]), rounded
    )


def unknown_event_message(last: int, number: object) -> Message:
    """Return the message that a game with `last` events has no event of this number."""
    return say("event-unknown", "there is no event {found!r}; the game has events 1 to {last}", last=last, found=number)
