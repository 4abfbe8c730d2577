"""Tables as values: what is written in them, and how an entry changes at a cost that hardly grows with their size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import TypeAlias

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.tables import TableShape
from nomic_nb.engine.law.values import HeardText, Value

#: Where an entry stands: a value for each key; nothing for the game's own.
TablePlace: TypeAlias = tuple[Value, ...]

#: Most entries of a table.
MOST_TABLE_ENTRIES = 10_000
#: Into how many parts entries are put: one is copied where an entry changes.
HASH_PARTS = 64
_EMPTY: tuple[dict[TablePlace, tuple[int, Value]], ...] = ({},) * HASH_PARTS


class TableEntries(Mapping[TablePlace, Value]):
    """What is in the places of a table, in the order in which it came. It never changes; `put` gives another.

    Entries are in parts by their hash, each with a number that tells which came first. So a change copies one part of
    64, and states share the others.
    """

    __slots__ = ("_count", "_next", "_parts")

    def __init__(self) -> None:
        self._parts, self._next, self._count = _EMPTY, 0, 0

    def with_entry(self, place: TablePlace, value: Value) -> TableEntries:
        """Return a copy of the entries in which the place (a tuple of keys) has this value."""
        return self._copy_with_change(place, value, keep=True)

    def without_entry(self, place: TablePlace) -> TableEntries:
        """Return a copy of the entries without the one at a place, which must exist."""
        return self._copy_with_change(place, None, keep=False)

    def _copy_with_change(self, place: TablePlace, value: Value, *, keep: bool) -> TableEntries:
        """Return a copy with the entry at a place set to a value, or removed if not `keep`."""
        at = hash(place) % HASH_PARTS
        part = dict(self._parts[at])
        new = object.__new__(TableEntries)
        new._next, new._count = self._next, self._count
        known = part.get(place)
        if not keep:
            del part[place]
            new._count -= 1
        elif known is None:
            part[place] = (self._next, value)
            new._next += 1
            new._count += 1
        else:
            part[place] = (known[0], value)
        new._parts = (*self._parts[:at], part, *self._parts[at + 1 :])
        return new

    def value_at(self, place: TablePlace, start: Value) -> Value:
        """Return the value at a place (a tuple of keys), or `start` if there is no entry."""
        known = self._parts[hash(place) % HASH_PARTS].get(place) if self._count else None
        return start if known is None else known[1]

    def __getitem__(self, place: TablePlace) -> Value:
        return self._parts[hash(place) % HASH_PARTS][place][1]

    def __contains__(self, place: object) -> bool:
        return self._count > 0 and place in self._parts[hash(place) % HASH_PARTS]

    def __iter__(self) -> Iterator[TablePlace]:
        numbered_places = ((number, place) for part in self._parts for place, (number, _) in part.items())
        return iter([place for _, place in sorted(numbered_places, key=lambda pair: pair[0])])

    def __len__(self) -> int:
        return self._count

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TableEntries) and list(self.items()) == list(other.items())

    __hash__ = None  # type: ignore[assignment]  # as little as a state

    def __repr__(self) -> str:
        return f"Entries({dict(self)!r})"


@frozen
class Table:
    """A table that rules track, or once tracked.

    Parameters
    ----------
    shape : Shape
        What it is kept per, and what it holds.
    starts : str
        Where an entry starts, as rules say it, in one way of writing.
    start : Value
        What it starts from, if that is one and the same.
    each : bool
        Whether each entry starts from what was reckoned when its thing came; then it was written down.
    tracked : bool
        Whether a rule tracks it; whatever came since it was tracked no more has no entry.
    entries : Entries
        What was written down.
    revealed : Entries
        The places of a hidden table whose entries are shown: True for everybody, or the names of players.
    once : tuple of str
        What it was called before: what was put off or had begun then still mentions it so.
    """

    shape: TableShape
    starts: str
    start: Value = None
    each: bool = False
    tracked: bool = True
    entries: TableEntries = field(default_factory=TableEntries)
    revealed: TableEntries = field(default_factory=TableEntries)
    once: tuple[str, ...] = ()

    def has_entry(self, place: TablePlace) -> bool:
        """Tell whether a place has a value: an entry of its own, or the start value that all places share."""
        return (self.tracked and not self.each) or place in self.entries

    def value_at(self, place: TablePlace) -> Value:
        """Return the value at a place (a tuple of keys), or the start value if it has no entry."""
        return self.entries.value_at(place, self.start)

    def with_entry(self, place: TablePlace, value: Value) -> Table:
        """Return the table with a value set at a place; the shared start value is not stored as an entry."""
        if value == self.start and self.tracked and not self.each:
            return replace(self, entries=self.entries.without_entry(place)) if place in self.entries else self
        return replace(self, entries=self.entries.with_entry(place, value))

    def matching_place(self, place: TablePlace) -> TablePlace:
        """Return the place of an entry whose texts sound like those said in `place`, or `place` in plain text."""
        if HeardText not in map(type, place):
            return place
        if place not in self.entries:
            for other in self.entries:
                if all(
                    value.sounds_like(two) if type(value) is HeardText else value == two
                    for value, two in zip(place, other, strict=True)
                ):
                    return other
        return tuple(str(value) if isinstance(value, str) else value for value in place)

    def is_hidden_at(self, place: TablePlace) -> bool:
        """Tell whether the entry at a place is hidden from all but its owner and those to whom rules show it."""
        return self.shape.hidden and self.revealed.value_at(place, ()) is not True

    def players_shown(self, place: TablePlace) -> tuple[str, ...]:
        """Return the names of the players to whom rules show the hidden entry at a place."""
        seers = self.revealed.value_at(place, ())
        return tuple(map(str, seers)) if isinstance(seers, tuple) else ()

    #: The values that were read before, by keys.
    values_read = cached_property(lambda _: dict[TablePlace, Value]())

    @property
    def first_keys(self) -> tuple[Value, ...]:
        """The first key of each entry, without duplicates; entries equal to the shared start value are left out."""
        there = (place[0] for place, value in self.entries.items() if self.each or value != self.start)
        return tuple(dict.fromkeys(there))
