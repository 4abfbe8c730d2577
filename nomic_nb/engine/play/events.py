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
    def of(source: SourceClause) -> Cause:
        """Return a clause as a cause."""
        return Cause(source.rule.id, source.rule.number, source.clause.words)


def cause_of(finding: Finding) -> Cause | None:
    """Return the first clause of a finding, as the cause of an event."""
    return Cause.of(finding.sources[0]) if finding.sources else None


@frozen
class Event:
    """Something that happened in a game.

    Parameters
    ----------
    seq : int
        Its place in the record, 1 for the first.
    turn, circuit : int
        When: turns begun, circuit under way.
    part : str or None
        The part of the turn.
    actor : str or None
        Who did it, or whom it concerns.
    kind : str
        What it is.
    data : mapping
        Plain JSON data; what is in it depends on the kind.
    cause : Cause or None
        The rule behind it; None for what a player did.
    draw : tuple of int or None
        The faces that chance showed.
    do : str
        What somebody did: a player, or whoever keeps the record; empty for what a rule brought about.
    details : mapping
        With which details, as plain JSON data; what is as if it had not been said is left out.
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
        """The rule behind it; None where a player did it."""
        return self.cause.rule if self.cause else None

    @property
    def by(self) -> str:
        """The name of the actor, where there has to be one."""
        return str(self.actor)

    @property
    def action(self) -> bool:
        """Whether somebody did it, and not a rule."""
        return bool(self.do)

    def to_json(self) -> dict[str, Any]:
        """Return the event as plain data, absent fields left out."""
        found: dict[str, Any] = {
            "v": EVENT_FORM, "seq": self.seq, "turn": self.turn, "circuit": self.circuit, "part": self.part,
            "actor": self.actor, "kind": self.kind, "data": dict(self.data),
        }  # fmt: skip
        if self.cause is not None:
            found["cause"] = {"id": self.cause.id, "rule": self.cause.rule, "words": self.cause.words}
        if self.draw is not None:
            found["draw"] = list(self.draw)
        if self.do:
            found |= {"do": self.do, "details": dict(self.details)}
        return found


#: What goes round in circles is too deep for it.
_WRITER = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False, check_circular=False
)


def events_in(moments: Iterable[tuple[Event, object]]) -> list[Event]:
    """Return what happened in some moments."""
    return [event for event, _ in moments]


def canonical_json(data: Mapping[str, Any]) -> str:
    """Write plain data so that equal data give equal text."""
    return _WRITER.encode(data)


def to_event_data(value: Any) -> Any:
    """Return a value as events have it: things by their names and ids, fractions as text such as ``21/2``."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, ThingRef):
        return value.id
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, Mapping):
        return {name: to_event_data(one) for name, one in value.items()}
    return list(map(to_event_data, value)) if isinstance(value, tuple | list) else value


def number_from_json(data: int | str) -> Number:
    """Return the number that an event has."""
    return data if isinstance(data, int) else simplify_number(Fraction(data))


def value_from_data(data: Mapping[str, Any], of: type[KeptValue], **more: Any) -> KeptValue:
    """Return the value whose fields an event's data have, with more of them; the rest is as usual."""
    found = {one.name: _as_tuples(data[one.name]) for one in fields(cast(Any, of)) if one.name in data}
    return of(**(found | more))


def _as_tuples(value: Any) -> Any:
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value


def describe_counter_change(data: Mapping[str, Any]) -> str:
    """Say by how much a counter changed, and what it is at now."""
    rounded = f"rounded from {data['exact']}{', a tie' if data['tie'] else ''}" if "exact" in data else ""
    return counter_change_phrase(
        data["counter"], number_from_json(data["amount"]), number_from_json(data["now"]), rounded
    )


def unknown_event_message(last: int, found: object) -> Message:
    """Say that a game has no event of this number."""
    return say("event-unknown", "the game has events 1 to {last}; found {found!r}", last=last, found=found)
