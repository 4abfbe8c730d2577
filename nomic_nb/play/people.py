"""Players, as the law points at them."""

from __future__ import annotations

from collections.abc import Iterable

from nomic_nb.law.values import Ref, Value
from nomic_nb.law.view import Undecided
from nomic_nb.play.state import State
from nomic_nb.play.values import Player


def refs(names: Iterable[str]) -> tuple[Ref, ...]:
    """Return players as the law points at them."""
    return tuple(Ref("player", name) for name in names)


def names_of(value: Value) -> tuple[str, ...]:
    """Return the names of a player, or of players, that the law points at."""
    if value is None:
        return ()
    if isinstance(value, Ref) and value.kind == "player":
        return (str(value.id),)
    if isinstance(value, str):
        return (value,)
    if isinstance(value, tuple):
        return tuple(name for one in value for name in names_of(one))
    raise Undecided("there are no players here")


def with_player(state: State, player: Player) -> State:
    """Return the state with one player changed."""
    return state.but(players={**state.players, player.name: player})
