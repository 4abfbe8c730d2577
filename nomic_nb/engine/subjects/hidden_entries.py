"""Entries of hidden tables, which only their owners see, until rules show them to somebody else or to all."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from nomic_nb.engine.law.checking import Checker
from nomic_nb.engine.law.slots import CellSlot, OwnerSlot, PlayersSlot
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.declarations import declare_event, effect
from nomic_nb.engine.play.effects import evaluate_players
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.facts import value_in_words
from nomic_nb.engine.play.ledger import targeted_places
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.tables import current_table_name, entry_owner, find_place, find_table, place_from_json
from nomic_nb.engine.words import join_words


class HiddenTableSlot(CellSlot):
    """A place in a table that is hidden."""

    def check(self, value: Any, checker: Checker) -> Checker:  # noqa: ARG002
        """Raise `LawError` if the table's entries are visible to everybody; return the checker unchanged."""
        name = checker.doing.counter
        if name in checker.tables and not checker.tables[name].hidden:
            known = ", ".join(table_name for table_name, other in checker.tables.items() if other.hidden)
            expected = known or "a table that is tracked hidden"
            raise checker.error_at_word(
                name, say("not-hidden", "{name} isn’t hidden, so everybody can see it", name=name), expected=expected
            )
        return checker


def _describe_showing(event: Event) -> str:
    """Return the history sentence for a hidden entry that is shown to all, or to some."""
    data = event.data
    entry = " of ".join(filter(None, (data["counter"], data["of"])))
    return (
        f"{entry} is shown to {join_words(data['who'])}"
        if "who" in data
        else f"{entry} is revealed to everyone: {data['says']}"
    )


@declare_event("shown", told=_describe_showing)
def _with_entry_shown(state: State, event: Event) -> State:
    """Return the state after a hidden entry was shown to all, or to some."""
    data = event.data
    table = state.tables[data["counter"]]
    place = place_from_json(table.shape, data["at"])
    seen_by = (*table.players_shown(place), *data["who"]) if "who" in data else True
    shown = replace(table, revealed=table.revealed.with_entry(place, seen_by))
    return state.replace(tables={**state.tables, data["counter"]: shown})


@effect(
    "reveal {cell} [of {who}]",
    example="reveal secret of player",
    makes="shown",
    cell=HiddenTableSlot(),
    who=OwnerSlot(),
)
def _reveal(engine: Engine, effect: Any, players: Any = None) -> None:
    """Show everyone, or some players, what is hidden in a table, from now on."""
    name = current_table_name(engine.state, effect.counter)
    for keys in targeted_places(engine, effect):
        state, table = engine.state, find_table(engine.state, name)
        place = find_place(table, name, keys)
        if not table.is_hidden_at(place):
            continue
        told: dict[str, Any] = {"says": value_in_words(state, table.value_at(place))}
        if players:
            knowing = {*table.players_shown(place), entry_owner(state, place)}
            told = {"who": [player for player in evaluate_players(engine, players) if player not in knowing]}
        of = ", ".join(value_in_words(state, value) for value in place)
        if told.get("who") != []:
            engine.emit("shown", counter=name, at=place, of=of, **told)


@effect(
    "show {cell} [of {who}] to {players}",
    example="show secret of player to playing",
    makes="shown",
    cell=HiddenTableSlot(),
    who=OwnerSlot(),
    players=PlayersSlot(),
)
def _show(engine: Engine, effect: Any) -> None:
    """Show some players what is hidden in a table, from now on."""
    _reveal(engine, effect, effect.players)
