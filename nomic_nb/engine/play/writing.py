"""What is written down in tables: how it is recorded, what rules let a number become, and who sees what is hidden."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.places import Owner, Shown
from nomic_nb.engine.law.running import bounded
from nomic_nb.engine.law.tables import Shape
from nomic_nb.engine.law.values import LONGEST_TEXT, NUMBER, Heard, Number, Ref, Value, shown
from nomic_nb.engine.law.view import Undecided
from nomic_nb.engine.play.cases import COUNTER, KEYS_OF_TABLES, NUMBERED, names_of, refs
from nomic_nb.engine.play.declaring import effect, happens
from nomic_nb.engine.play.effects import is_number, known_players, things_in
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.entries import MOST, Place
from nomic_nb.engine.play.events import Event, cause_of, number_from_json, told_change
from nomic_nb.engine.play.facts import spoken
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.tables import (
    HIDDEN,
    Start,
    called,
    from_json,
    place_from_json,
    place_in,
    start_told,
    starts,
    table_named,
    with_start,
)
from nomic_nb.engine.words import counter_named, figure


def _told_counted(event: Event) -> str:
    data, name = event.data, event.data["counter"]
    whose = data.get("of") or event.actor or "the game"
    if data.get("hidden"):
        return f"{whose}: {HIDDEN} of {name} changes" if "amount" in data else f"{whose}: {name} changes, hidden"
    return f"{whose}: {told_change(data)}" if "amount" in data else f"{name} of {whose} is {data['says']} now"


def _wins_by(state: State) -> set[str]:
    """Return the tables that the condition of winning looks at; all of them where it names none."""
    law = state.law
    named = {one for one in law.tables if law.dependence.looks_at("win.winners", frozenset({one}))}
    return named or set(law.tables)


@happens(
    "counted",
    "something that rules track changed: a counter, or another entry of a table; `amount` is 0 where it is no number",
    {"counter": COUNTER, "amount": NUMBER},
    told=_told_counted,
    may_bind=KEYS_OF_TABLES,
)
def _counted(state: State, event: Event) -> State:
    data = event.data
    table = state.tables[data["counter"]]
    place = place_from_json(table.shape, data.get("at", [event.actor] if event.actor else []))
    now = from_json(table.shape.holds.name, data["now"])
    more = event.actor in state.above and table.shape.counts and cast(Number, now) > cast(Number, table.at(place))
    if more and data["counter"] in _wins_by(state):
        state = state.but(above={name: held for name, held in state.above.items() if name != event.actor})
    return state.but(tables={**state.tables, data["counter"]: table.put(place, now)})


def _told_tracked(event: Event) -> str:
    data = event.data
    said = f"the game {'counts' if data['holds'] == 'number' else 'keeps'} {data['counter']} per {data['per']}"
    return f"{said}, hidden" if data["hidden"] else f"{said}, starting from {data['said']}"


@happens("tracked", told=_told_tracked)
def _tracked(state: State, event: Event) -> State:
    name, data = event.data["counter"], event.data
    shape = state.law.tables[name]
    kind = shape.holds.name
    entries = tuple((place_from_json(shape, at), from_json(kind, one)) for at, one in data.get("entries", ()))
    track = next(one for one in state.law.tracks if one.counter == name)
    return with_start(state, Start(track, from_json(kind, data.get("start")), entries))


def _told_withheld(event: Event) -> str:
    whose = event.data.get("of") or event.actor or "the game"
    if event.data.get("hidden"):
        return f"{whose}: not all of a change of {event.data['counter']} is counted"
    amount, name = number_from_json(event.data["amount"]), event.data["counter"]
    much: Number = amount if amount > 0 else -amount
    said = f"{figure(much)} {counter_named(name, much)}"
    return f"{whose}: {said} {'less' if amount > 0 else 'more'} than it would have been"


happens(
    "withheld",
    "a rule let a number be another than it would have been (`counter.value`): by so much less, or more where `amount` "
    "is below 0",
    {"counter": NUMBERED, "amount": NUMBER},
    told=_told_withheld,
    may_bind=KEYS_OF_TABLES,
)


def start_tables(engine: Engine) -> None:
    """Begin to keep the tables that rules track and that are not there yet, or start from something else now."""
    for one in starts(engine.state):
        engine.emit("tracked", **start_told(engine.state, one))


def places_of(engine: Engine, effect: Any) -> tuple[Place, ...]:
    """Return the places of a table that an effect is about: of one, of several, of the game, or of nobody."""
    if effect.keys is not None:
        return (tuple(engine.value(one) for one in effect.keys),)
    if effect.who is None:
        return ((),)
    who = engine.value(effect.who)
    them = things_in(who) or refs(known_players(engine, names_of(who)))
    return tuple((one,) if one.kind != "game" else () for one in them)


def standing(engine: Engine, name: str, place: Place) -> Value:
    """Return what stands in a place of a table.

    Raises
    ------
    Undecided
        No rule tracks it.
    """
    table = table_named(engine.state, name)
    return table.at(place_in(table, name, place))


def judged(engine: Engine, name: str, place: Place, was: Number, now: Number) -> tuple[Number, Finding | None]:
    """Return what a number comes to be where it would be another, as rules have it, and what they say where they do.

    Raises
    ------
    Undecided
        They give no answer.
    """
    if not engine.law.speaking_of("counter.value"):
        return now, None
    finding = engine.find(
        "counter.value", counter=_said(engine, name), was=was, amount=bounded(now - was), **_bound(place)
    )
    return bounded(engine.law.settled(finding)), finding


def _said(engine: Engine, name: str) -> str:
    """Return what the law of a step calls a table: by the name that it had, where it is called otherwise since."""
    known = engine.law.tables
    return next((one for one in (name, *reversed(engine.state.tables[name].once)) if one in known), name)


def _bound(place: Place) -> dict[str, Ref]:
    """Return the things among the keys of an entry, by their kinds; the first of each."""
    return {one.kind: one for one in reversed(place) if isinstance(one, Ref)}


def write(
    engine: Engine, name: str, keys: Place, now: Value, *, exactly: Fraction | None = None, added: bool = False,
    agreed: bool = False,
) -> None:  # fmt: skip
    """Write something down in a table, and record by how much a number changed, and what was rounded.

    Parameters
    ----------
    engine : Engine
        Where.
    name : str
        Of the table.
    keys : tuple of Value
        The place.
    now : Value
        What stands there from now on, unless rules say that a number is another then (`counter.value`).
    exactly : Fraction, optional
        The amount before it was rounded.
    added : bool
        Whether something was added; where nothing was, and all is as it was, nothing happens.
    agreed : bool
        Whether all have agreed on the number, whatever rules say of it.

    Raises
    ------
    Undecided
        No rule tracks it, it holds something else, it would have too many entries, or rules give no answer.
    """
    name = called(engine.state, name)
    table = table_named(engine.state, name)
    place = place_in(table, name, keys)
    was, shape = table.at(place), table.shape
    if not _holds(shape, now):
        raise Undecided(f"{name} holds {shape.holds.many}, and not {shown(now)}")
    if any(isinstance(one, str) and len(one) > LONGEST_TEXT for one in (*place, now)):
        raise Undecided(f"a text in a table has at most {LONGEST_TEXT} characters")
    finding, wanted = None, now
    if is_number(was) and is_number(now):
        now = wanted = bounded(now)
        if not agreed:
            now, finding = judged(engine, name, place, was, now)
    if now != was or (added and now == wanted):
        if place not in table.entries and len(table.entries) >= MOST:
            raise Undecided(f"{name} grew beyond {MOST} entries")
        _record(engine, name, place, now, exactly if now == wanted else None)
    if finding is not None and now != wanted:
        kept, engine.cause = engine.cause, cause_of(finding)
        missing = bounded(cast(Number, wanted) - cast(Number, now))
        actor, told = _told(engine, name, place)
        engine.emit("withheld", actor, env={**_bound(place), "amount": missing}, amount=missing, **told)
        engine.cause = kept


def _record(engine: Engine, name: str, place: Place, now: Value, exactly: Fraction | None) -> None:
    """Record that an entry of a table changed."""
    table = engine.state.tables[name]
    was = table.at(place)
    if is_number(was) and is_number(now):
        more: dict[str, Any] = {"amount": bounded(now - was)}
    else:
        more = {"says": spoken(engine.state, now)}
    if exactly is not None:
        more |= {"exact": exactly, "tie": exactly.denominator == 2}
    actor, told = _told(engine, name, place)
    engine.emit("counted", actor, env={**_bound(place), "amount": 0, **more}, now=now, **more, **told)


def _told(engine: Engine, name: str, place: Place) -> tuple[str | None, dict[str, Any]]:
    """Return of whom an event about an entry of a table is, and of what the entry is."""
    table, of = engine.state.tables[name], ", ".join(spoken(engine.state, one) for one in place)
    own = table.shape.keys == ("player",)
    about = {} if own else {"at": place, "of": of}
    return names_of(place)[0] if own else None, {"counter": name, "data": {"hidden": table.hides(place), **about}}


def _holds(shape: Shape, value: Value) -> bool:
    if value is None:
        return shape.holds.maybe
    if isinstance(value, Ref):
        return value.kind == shape.holds.name
    plain = {bool: "truth", str: "text", Heard: "text", tuple: "list"}
    return plain.get(type(value), "number") == shape.holds.name


# ------------------------------------------------------------------------------------------ what is hidden


def _told_shown(event: Event) -> str:
    of = event.data.get("of", "")
    return f"{event.data['counter']}{f' of {of}' if of else ''} is shown to all: {event.data['says']}"


@happens("shown", told=_told_shown)
def _shown(state: State, event: Event) -> State:
    name = event.data["counter"]
    table = state.tables[name]
    place = place_from_json(table.shape, event.data["at"])
    shown = replace(table, revealed=table.revealed.put(place, True))
    return state.but(tables={**state.tables, name: shown})


@effect(
    "reveal {cell} [of {who}]",
    example="reveal secret of player",
    makes="shown",
    cell=Shown(),
    who=Owner(),
)
def _reveal(engine: Engine, effect: Any) -> None:
    """Show to all what is hidden in a table, from now on."""
    name = called(engine.state, effect.counter)
    for keys in places_of(engine, effect):
        table = table_named(engine.state, name)
        place = place_in(table, name, keys)
        if table.hides(place):  # or nothing happens
            state = engine.state
            of = ", ".join(spoken(state, one) for one in place)
            says = spoken(state, table.at(place))
            engine.emit("shown", counter=name, at=place, of=of, says=says)
