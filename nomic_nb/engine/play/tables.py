"""Tables that rules track: how they begin, how they are read, and what becomes of them when no rule tracks them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple, cast

from nomic_nb.engine.extension import installed_extension
from nomic_nb.engine.law.clauses import TrackClause
from nomic_nb.engine.law.nodes import Undecided, View
from nomic_nb.engine.law.tables import KEYED, TableShape, is_reckoned, table_shape
from nomic_nb.engine.law.values import HIDDEN_NUMBER, CaseNames, HeardText, Number, ThingRef, Type, Value, as_refs
from nomic_nb.engine.law.vocabulary import untracked_message
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.events import number_from_json
from nomic_nb.engine.play.state import State, state_of
from nomic_nb.engine.play.table_values import MOST_TABLE_ENTRIES, Table, TablePlace

# -------------------------------------------------------------------------------------------- reading


def read_entry(view: View, name: str, keys: TablePlace) -> Value:
    """Return what a table has in a place, for rules."""
    table = find_table(state_of(view), name)
    if HeardText in map(type, keys):  # what sounds alike is looked for
        view.spend(0, len(table.entries) // 4)
    return table.at(find_place(table, name, keys))


def table_keys(view: View, name: str) -> Value:
    """Return the first keys of a table, for rules: of entries that are not where they start."""
    return find_table(state_of(view), name).keys


def find_table(state: State, name: str) -> Table:
    """Return a table.

    Raises
    ------
    Undecided
        No rule ever tracked it.
    """
    table = state.tables.get(name) or state.tables.get(current_name(state, name))
    if table is None:
        raise Undecided(say("never-tracked", "no rule ever tracked {name}", name=name))
    return table


def current_name(state: State, name: str) -> str:
    """Return what a table is called now: what began before it was renamed speaks of it by another name."""
    if name in state.tables:
        return name
    return next((now for now, table in state.tables.items() if name in table.once), name)


def find_place(table: Table, name: str, keys: TablePlace) -> TablePlace:
    """Return a place of a table that has an entry.

    Raises
    ------
    Undecided
        The table is kept per something else, or what stands there came when no rule tracked it.
    """
    kinds = tuple([_kind_of_value(one) for one in keys])
    if kinds != table.shape.keys:
        raise Undecided(
            say(
                "not-kept-per",
                "{name} is kept per {per}, and not per {given}",
                name=name,
                per=table.shape.per,
                given=", ".join(kinds) or "game",
            )
        )
    place = table.meant(keys)
    if not table.has(place):
        raise Undecided(untracked_message(name))
    return place


def _kind_of_value(value: Value) -> str:
    if isinstance(value, ThingRef):
        return value.kind
    return "text" if isinstance(value, str) else "nothing" if value is None else "number"


def player_count(state: State, name: str, player: str) -> Number | None:
    """Return what a player has of something that is counted per player; None where no rule tracks it."""
    table = state.tables.get(current_name(state, name))
    place = (ThingRef("player", player),)
    if table is None or table.shape.keys != ("player",) or not table.shape.counts or not table.has(place):
        return None
    return cast(Number, table.at(place))


def player_counters(state: State, player: str) -> dict[str, Number]:
    """Return what a player has of everything that is counted per player."""
    found = {name: player_count(state, name, player) for name in state.tables}
    return {name: value for name, value in found.items() if value is not None}


# ------------------------------------------------------------------------------------------ what is hidden

#: What is shown of an entry that only its owner sees.
HIDDEN_TEXT = str(HIDDEN_NUMBER.id)


def entry_owner(state: State, place: TablePlace) -> str | None:
    """Return whose an entry is: the first player among its keys, or whoever moves the army or the piece."""
    for ref in (one for one in place if isinstance(one, ThingRef)):
        owner = str(ref.id) if ref.kind == "player" else installed_extension().owner(state, ref)
        if owner is not None:
            return owner
    return None


# ------------------------------------------------------------------------------------ how they are kept in events


def table_value_from_json(kind: str, data: Any) -> Value:
    """Return a key or a value of a table, as an event has it: what it is the table tells."""
    return number_from_json(data) if kind == "number" and data is not None else as_refs(Type(kind), data)


def place_from_json(shape: TableShape, data: Iterable[Any]) -> TablePlace:
    """Return a place, as an event has it."""
    return tuple(table_value_from_json(kind, one) for kind, one in zip(shape.keys, data, strict=True))


# ---------------------------------------------------------------------------------------- how they begin


class TableStart(NamedTuple):
    """How a table begins, begins anew, or goes on for what has come.

    Parameters
    ----------
    track : Track
        The clause that tracks it.
    start : Value
        From where, where that is one and the same.
    entries : tuple of (Place, Value)
        Where it starts for each thing there is, where it is reckoned for each.
    """

    track: TrackClause
    start: Value = None
    entries: tuple[tuple[TablePlace, Value], ...] = ()


def things_of_kind(state: State, kind: str) -> Iterator[ThingRef]:
    """Yield everything of a kind that tables can be kept per."""
    known: dict[str, Iterable[int | str]] = {
        "player": state.players, "rule": state.rules.rules, "proposal": state.proposals,
    }  # fmt: skip
    return (ThingRef(kind, one) for one in known.get(kind) or installed_extension().things(state, kind))


def table_starts(state: State) -> list[TableStart]:
    """Return how tables begin that the law tracks and that are not there yet, or start from something else now.

    Raises
    ------
    Undecided
        Two clauses let one start otherwise, or one starts from what it cannot hold.
    """
    torn = conflicting_starts_message(state.law.tracks)
    if torn:
        raise Undecided(torn)
    found: dict[str, TableStart] = {}
    for track in state.law.tracks:
        table, now = state.tables.get(track.counter), (True, state.law.tables[track.counter], track.start.canonical)
        same = table is not None and (table.tracked, table.shape, table.starts) == now
        if track.counter not in found and not same:
            found[track.counter] = _start_of_table(state, track, table)
    return list(found.values())


def simple_table_starts(state: State) -> list[TableStart]:
    """Return how tables begin that start from what the law says itself, and not from what is so in the game."""
    found = {track.counter: track for track in reversed(state.law.tracks) if track.start.constant}
    return [_start_of_table(state, track, None) for track in reversed(found.values())]


def _start_of_table(state: State, track: TrackClause, table: Table | None) -> TableStart:
    if not is_reckoned(track):
        return TableStart(track, _start_value(state, track, {}))
    known = table if table is not None and _has_same_shape(table.shape, state.law.tables[track.counter]) else None
    return TableStart(track, entries=_start_values(state, track, known))


def _start_values(state: State, track: TrackClause, table: Table | None) -> tuple[tuple[TablePlace, Value], ...]:
    """Return where a table starts for each thing that has no entry in it."""
    (kind,) = state.law.tables[track.counter].keys
    new = [one for one in things_of_kind(state, kind) if table is None or not table.has((one,))]
    return tuple(((one,), _start_value(state, track, {kind: one})) for one in new)


def _start_value(state: State, track: TrackClause, case: CaseNames) -> Value:
    value, shape = track.start.run(View(state, case, state.law)), state.law.tables[track.counter]
    found = "truth" if isinstance(value, bool) else "none" if value is None else _kind_of_value(value)
    if isinstance(value, tuple) and not isinstance(value, ThingRef):
        found = "list"
    if found != shape.holds.name and not (value is None and shape.holds.maybe):
        wanted = "a number" if shape.counts else shape.holds.one
        raise Undecided(
            say("start-unfit", "{counter} does not start from {wanted}", counter=track.counter, wanted=wanted)
        )
    return value


def newcomer_starts(before: State, after: State) -> list[TableStart]:
    """Return where tables start for what came into the game, where that is reckoned for each thing."""
    found = []
    for track in after.law.reckoned:
        table, kind = after.tables.get(track.counter), after.law.tables[track.counter].keys[0]
        held = {"player": "players", "rule": "rules", "proposal": "proposals"}.get(kind, "position")
        may_have_come = getattr(before, held) is not getattr(after, held)
        if may_have_come and table is not None and table.each and table.tracked:
            entries = _start_values(after, track, table)
            found += [TableStart(track, entries=entries)] if entries else []
    return found


def start_event_data(state: State, begun: TableStart) -> dict[str, Any]:
    """Return how a table begins, as the data of an event."""
    track = begun.track
    shape = state.law.tables[track.counter]
    return {
        "counter": track.counter, "per": shape.per, "holds": shape.holds.name, "hidden": shape.hidden,
        "said": track.start.text, **({"entries": begun.entries} if is_reckoned(track) else {"start": begun.start}),
    }  # fmt: skip


def _has_same_shape(one: TableShape, other: TableShape) -> bool:
    return (one.keys, one.holds.name) == (other.keys, other.holds.name)


def table_full_message(name: str) -> Message:
    """Say that a table holds no more."""
    return say("too-many-entries", "{name} grew beyond {most} entries", name=name, most=MOST_TABLE_ENTRIES)


def with_start(state: State, begun: TableStart) -> State:
    """Return the state in which a table has begun, or goes on; what it is kept per there stands in the law."""
    track, name = begun.track, begun.track.counter
    shape, old, each = state.law.tables[name], state.tables.get(name), is_reckoned(track)
    if old is not None and _has_same_shape(old.shape, shape):
        old = old if old.each == each and old.start == begun.start else pin_entries(state, old)
        table = replace(old, shape=shape, starts=track.start.canonical, start=begun.start, each=each, tracked=True)
    else:
        table = Table(shape, track.start.canonical, begun.start, each)
    entries = table.entries
    for place, value in begun.entries:
        entries = entries.put(place, value)
    if len(entries) > MOST_TABLE_ENTRIES:
        raise Undecided(table_full_message(name))
    return state.replace(tables={**state.tables, name: replace(table, entries=entries)})


def pin_entries(state: State, table: Table) -> Table:
    """Return a table in which everything there is has an entry of its own, whatever becomes of the start."""
    keys = table.shape.keys
    if not table.tracked or table.each or len(keys) > 1:
        return table
    places: list[TablePlace] = [(one,) for kind in keys if kind not in KEYED for one in things_of_kind(state, kind)]
    entries = table.entries
    for place in places if keys else [()]:
        if place not in entries:
            entries = entries.put(place, table.start)
    return replace(table, entries=entries)


def with_tracked_tables(state: State) -> State:
    """Return the state after a change of law: what no rule tracks any more stays as it is, and none of it begins."""
    ended = {
        name: replace(pin_entries(state, table), tracked=False)
        for name, table in state.tables.items()
        if table.tracked and name not in state.law.tables
    }
    return state.replace(tables={**state.tables, **ended}) if ended else state


def conflicting_starts_message(tracked: Iterable[TrackClause]) -> Message | None:
    """Say which table two clauses let be otherwise, since neither goes before the other; None where none does."""
    seen: dict[str, TrackClause] = {}
    for one in tracked:
        other = seen.setdefault(one.counter, one)
        if other.start.text != one.start.text:
            return say(
                "started-twice",
                "{counter} starts from {start} by one clause, and from {other} by another",
                counter=one.counter,
                start=other.start.text,
                other=one.start.text,
            )
        if table_shape(one) != table_shape(other):
            return say(
                "tracked-twice",
                "{counter} is kept by one clause as “{clause}”, and by another as “{other}”",
                counter=one.counter,
                clause=other.words,
                other=one.words,
            )
    return None


def rename_table(state: State, old: str, new: str) -> State:
    """Return the state in which a table is called otherwise, and stands where it stood."""
    table = state.tables[old]
    table = replace(table, once=(*(one for one in table.once if one != new), old))
    return state.replace(
        tables={(new if name == old else name): (table if name == old else one) for name, one in state.tables.items()}
    )
