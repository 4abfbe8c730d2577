"""Tables that rules track: how they begin, how they are read, and what becomes of them when no rule tracks them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple, cast

from nomic_nb.engine.extension import installed_extension
from nomic_nb.engine.law.clauses import TrackClause
from nomic_nb.engine.law.nodes import Undecided, View
from nomic_nb.engine.law.tables import KEYED, TableShape, has_computed_start, table_shape
from nomic_nb.engine.law.values import HIDDEN_NUMBER, CaseNames, HeardText, Number, ThingRef, Type, Value, as_refs
from nomic_nb.engine.law.vocabulary import untracked_message
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.events import number_from_json
from nomic_nb.engine.play.state import State, state_of
from nomic_nb.engine.play.table_values import MOST_TABLE_ENTRIES, Table, TablePlace

# -------------------------------------------------------------------------------------------- reading


def read_entry(view: View, name: str, keys: TablePlace) -> Value:
    """Return the value in the table `name` for these keys, for rules to read; raise `Undecided` if none."""
    table = find_table(state_of(view), name)
    if len(keys) == 1 and type(keys[0]) in (ThingRef, int):  # as mostly
        known = table.values_read
        if keys not in known:
            known[keys] = table.value_at(find_place(table, name, keys))
        return known[keys]
    if HeardText in map(type, keys):  # what sounds the same is looked for
        view.spend_steps(0, len(table.entries) // 4)
    return table.value_at(find_place(table, name, keys))


def table_keys(view: View, name: str) -> Value:
    """Return the first key of each entry of the table `name`, start values left out, for rules to read."""
    return find_table(state_of(view), name).first_keys


def find_table(state: State, name: str) -> Table:
    """Return a table by its current or a former name; raise `Undecided` if no rule ever tracked it.

    Raises
    ------
    Undecided
        No rule ever tracked it.
    """
    table = state.tables.get(name) or state.tables.get(current_table_name(state, name))
    if table is None:
        raise Undecided("never-tracked", "no rule has ever tracked {name}", name=name)
    return table


def current_table_name(state: State, name: str) -> str:
    """Return the current name of a table known by this or a former name; `name` itself if none is."""
    if name in state.tables:
        return name
    return next((now for now, table in state.tables.items() if name in table.once), name)


def find_place(table: Table, name: str, keys: TablePlace) -> TablePlace:
    """Return the place where a table stores the entry for `keys`; raise `Undecided` if they do not fit.

    Raises
    ------
    Undecided
        The table is kept per something else, or what is there came when no rule tracked it.
    """
    kinds = tuple([_kind_of_value(key) for key in keys])
    if kinds != table.shape.keys:
        raise Undecided(
            "not-kept-per",
            "{name} is tracked per {per}, not per {given}",
            name=name,
            per=table.shape.kinds_in_words,
            given=", ".join(kinds) or "game",
        )
    place = table.matching_place(keys)
    if not table.has_entry(place):
        raise Undecided(untracked_message(name))
    return place


def _kind_of_value(value: Value) -> str:
    """Return the name of a value's kind, such as “player”, “text” or “number”."""
    if isinstance(value, ThingRef):
        return value.kind
    return "text" if isinstance(value, str) else "nothing" if value is None else "number"


def counter_of_player(state: State, name: str, player: str) -> Number | None:
    """Return a player's number in the table `name`, such as points; None if it has none for the player."""
    table = state.tables.get(current_table_name(state, name))
    place = (ThingRef("player", player),)
    if table is None or table.shape.keys != ("player",) or not table.shape.holds_numbers or not table.has_entry(place):
        return None
    return cast(Number, table.value_at(place))


def player_counters(state: State, player: str) -> dict[str, Number]:
    """Return all numbers that tables hold for a player, such as points, by the tables' names."""
    counts = {name: counter_of_player(state, name, player) for name in state.tables}
    return {name: value for name, value in counts.items() if value is not None}


# ------------------------------------------------------------------------------------------ what is hidden

#: What is shown of an entry that only its owner sees.
HIDDEN_TEXT = str(HIDDEN_NUMBER.id)


def entry_owner(state: State, place: TablePlace) -> str | None:
    """Return the owner of an entry: the first player in its keys, or who controls a piece there; None if none."""
    for ref in (value for value in place if isinstance(value, ThingRef)):
        owner = str(ref.id) if ref.kind == "player" else installed_extension().owner_of_thing(state, ref)
        if owner is not None:
            return owner
    return None


# ------------------------------------------------------------------------------------ how they are kept in events


def table_value_from_json(kind: str, data: Any) -> Value:
    """Return a key or value of a table, of a kind such as “player”, restored from an event's plain data."""
    return number_from_json(data) if kind == "number" and data is not None else as_refs(Type(kind), data)


def place_from_json(shape: TableShape, data: Iterable[Any]) -> TablePlace:
    """Return the place of an entry in a table of this shape, restored from an event's plain data."""
    return tuple(table_value_from_json(kind, key_data) for kind, key_data in zip(shape.keys, data, strict=True))


# ---------------------------------------------------------------------------------------- how they begin


class TableStart(NamedTuple):
    """How a table begins, begins again, or continues for what has come.

    Parameters
    ----------
    track : Track
        The clause that tracks it.
    start : Value
        From where, if that is one and the same.
    entries : tuple of (Place, Value)
        Where it starts for each thing there is, where it is reckoned for each.
    """

    track: TrackClause
    start: Value = None
    entries: tuple[tuple[TablePlace, Value], ...] = ()


def things_of_kind(state: State, kind: str) -> Iterator[ThingRef]:
    """Yield a reference to each thing of a kind, such as “player”, for which a table can have an entry."""
    known: dict[str, Iterable[int | str]] = {
        "player": state.players, "rule": state.rules.rules, "proposal": state.proposals,
    }  # fmt: skip
    return (ThingRef(kind, thing_id) for thing_id in known.get(kind) or installed_extension().thing_ids(state, kind))


def table_starts(state: State) -> list[TableStart]:
    """Return the starts of the tables that the law newly tracks, or now starts or keeps differently.

    Raises
    ------
    Undecided
        Two clauses let one start otherwise, or one starts from what it cannot hold.
    """
    torn = conflicting_starts_message(state.law.track_clauses)
    if torn:
        raise Undecided(torn)
    starts = {}
    for track in state.law.track_clauses:
        table, now = state.tables.get(track.counter), (True, state.law.tables[track.counter], track.start.canonical)
        same = table is not None and (table.tracked, table.shape, table.starts) == now
        if track.counter not in starts and not same:
            starts[track.counter] = _start_of_table(state, track, table)
    return list(starts.values())


def constant_table_starts(state: State) -> list[TableStart]:
    """Return the starts of those tracked tables whose start value never depends on the state."""
    tracks = {track.counter: track for track in reversed(state.law.track_clauses) if track.start.constant}
    return [_start_of_table(state, track, None) for track in reversed(tracks.values())]


def _start_of_table(state: State, track: TrackClause, table: Table | None) -> TableStart:
    """Return how a table starts: with one value for all, or with one for each thing not yet in `table`."""
    if not has_computed_start(track):
        return TableStart(track, _start_value(state, track, {}))
    known = table if table is not None and _has_same_shape(table.shape, state.law.tables[track.counter]) else None
    return TableStart(track, entries=_start_values(state, track, known))


def _start_values(state: State, track: TrackClause, table: Table | None) -> tuple[tuple[TablePlace, Value], ...]:
    """Return (place, start value) for each thing that has no entry in a table yet; for all things if it is None."""
    (kind,) = state.law.tables[track.counter].keys
    new = [thing for thing in things_of_kind(state, kind) if table is None or not table.has_entry((thing,))]
    return tuple(((thing,), _start_value(state, track, {kind: thing})) for thing in new)


def _start_value(state: State, track: TrackClause, case: CaseNames) -> Value:
    """Return the start value of a tracked table's entries; raise `Undecided` if the table cannot hold it."""
    value, shape = track.start.run(View(state, case, state.law)), state.law.tables[track.counter]
    kind = "truth" if isinstance(value, bool) else "none" if value is None else _kind_of_value(value)
    if isinstance(value, tuple) and not isinstance(value, ThingRef):
        kind = "list"
    if kind != shape.holds.name and not (value is None and shape.holds.maybe):
        wanted = "a number" if shape.holds_numbers else shape.holds.with_article
        raise Undecided(
            "start-unfit", "the starting value of {counter} is not {wanted}", counter=track.counter, wanted=wanted
        )
    return value


def newcomer_starts(before: State, after: State) -> list[TableStart]:
    """Return the table starts that add entries for players, rules and other things new in `after`."""
    starts = []
    for track in after.law.tracks_with_computed_start:
        table, kind = after.tables.get(track.counter), after.law.tables[track.counter].keys[0]
        held = {"player": "players", "rule": "rules", "proposal": "proposals"}.get(kind, "position")
        may_have_come = getattr(before, held) is not getattr(after, held)
        if may_have_come and table is not None and table.each and table.tracked:
            entries = _start_values(after, track, table)
            starts += [TableStart(track, entries=entries)] if entries else []
    return starts


def start_event_data(state: State, begun: TableStart) -> dict[str, Any]:
    """Return the event data for the start of a table."""
    track = begun.track
    shape = state.law.tables[track.counter]
    return {
        "counter": track.counter, "per": shape.kinds_in_words, "holds": shape.holds.name, "hidden": shape.hidden,
        "said": track.start.text,
        **({"entries": begun.entries} if has_computed_start(track) else {"start": begun.start}),
    }  # fmt: skip


def _has_same_shape(table: TableShape, other: TableShape) -> bool:
    """Tell whether two tables have the same keys and hold the same kind of value."""
    return (table.keys, table.holds.name) == (other.keys, other.holds.name)


def table_full_message(name: str) -> Message:
    """Return the message that a table has grown beyond the entries it can hold."""
    return say("too-many-entries", "{name} would have more than {most} entries", name=name, most=MOST_TABLE_ENTRIES)


def with_table_started(state: State, begun: TableStart) -> State:
    """Return the state in which a table has started or has new entries, as `begun` says."""
    track, name = begun.track, begun.track.counter
    shape, old, each = state.law.tables[name], state.tables.get(name), has_computed_start(track)
    if old is not None and _has_same_shape(old.shape, shape):
        old = old if old.each == each and old.start == begun.start else pin_entries(state, old)
        table = replace(old, shape=shape, starts=track.start.canonical, start=begun.start, each=each, tracked=True)
    else:
        table = Table(shape, track.start.canonical, begun.start, each)
    entries = table.entries
    for place, value in begun.entries:
        entries = entries.with_entry(place, value)
    if len(entries) > MOST_TABLE_ENTRIES:
        raise Undecided(table_full_message(name))
    return state.replace(tables={**state.tables, name: replace(table, entries=entries)})


def pin_entries(state: State, table: Table) -> Table:
    """Return a table that stores the start value as an entry for each existing thing without one."""
    keys = table.shape.keys
    if not table.tracked or table.each or len(keys) > 1:
        return table
    places = [(thing,) for kind in keys if kind not in KEYED for thing in things_of_kind(state, kind)]
    entries = table.entries
    for place in places if keys else [()]:
        if place not in entries:
            entries = entries.with_entry(place, table.start)
    return replace(table, entries=entries)


def with_untracked_tables_ended(state: State) -> State:
    """Return the state with the tables marked as ended, and their values kept, that no rule tracks any more."""
    ended = {
        name: replace(pin_entries(state, table), tracked=False)
        for name, table in state.tables.items()
        if table.tracked and name not in state.law.tables
    }
    return state.replace(tables={**state.tables, **ended}) if ended else state


def conflicting_starts_message(tracked: Iterable[TrackClause]) -> Message | None:
    """Return the message that two clauses start or shape the same table differently; None if all agree."""
    seen: dict[str, TrackClause] = {}
    for track in tracked:
        other = seen.setdefault(track.counter, track)
        if other.start.text != track.start.text:
            return say(
                "started-twice",
                "one clause starts {counter} from {start}, another from {other}",
                counter=track.counter,
                start=other.start.text,
                other=track.start.text,
            )
        if table_shape(track) != table_shape(other):
            return say(
                "tracked-twice",
                "one clause tracks {counter} as “{clause}”, another as “{other}”",
                counter=track.counter,
                clause=other.words,
                other=track.words,
            )
    return None


def rename_table(state: State, old: str, new: str) -> State:
    """Return the state in which a table has a new name and its old position among the tables."""
    table = state.tables[old]
    table = replace(table, once=(*(former_name for former_name in table.once if former_name != new), old))
    return state.replace(
        tables={
            (new if name == old else name): (table if name == old else other_table)
            for name, other_table in state.tables.items()
        }
    )
