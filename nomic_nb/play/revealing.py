"""Hidden tables: what only the owner of an entry sees, until a rule shows it to all."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from nomic_nb.law.places import Owner, Shown
from nomic_nb.play.declaring import effect, happens
from nomic_nb.play.engine import Engine
from nomic_nb.play.events import Event
from nomic_nb.play.facts import spoken
from nomic_nb.play.state import State
from nomic_nb.play.tables import called, place_from_json, place_in, place_to_json, table_named
from nomic_nb.play.writing import places_of


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
            engine.emit("shown", None, counter=name, at=place_to_json(table.shape, place), of=of, says=says)
