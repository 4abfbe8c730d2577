"""The order of turns: of players, or of armies with whoever controls them, and who comes next in it."""

from __future__ import annotations

from typing import NamedTuple

from nomic_nb.engine.extension import installed_extension
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.law.values import ThingRef, Value
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.state import State


class TurnOrder(NamedTuple):
    """An order of turns.

    Parameters
    ----------
    names : tuple of str
        Players, or armies.
    of : str
        ``player`` or ``army``.
    """

    names: tuple[str, ...]
    of: str

    def holder(self, state: State, name: str) -> str:
        """Return the player whose turn it is when `name`, a player or an army in this order, comes up."""
        return name if self.of == "player" else army_controller(state, name)


def read_turn_order(value: Value) -> TurnOrder:
    """Return the order of turns that a value of the law, a list of players or of armies, represents.

    Raises
    ------
    Undecided
        It holds something else.
    """
    many = value if isinstance(value, tuple) and not isinstance(value, ThingRef) else ()
    kinds = {thing.kind for thing in many if isinstance(thing, ThingRef)}
    if not isinstance(value, tuple) or kinds - {"player", "army"} or len(kinds) > 1:
        raise Undecided("no-order-of-turns", "there is no turn order here")
    return TurnOrder(
        tuple(str(thing.id) for thing in many if isinstance(thing, ThingRef)), kinds.pop() if kinds else "player"
    )


def unknown_army_message(army: object) -> Message:
    """Return the message that there is no such army."""
    return say("army-missing", "there is no army {army}", army=army)


def army_controller(state: State, army: str) -> str:
    """Return the player who controls an army; raise `Undecided` if there is no such army.

    Raises
    ------
    Undecided
        There is no such army.
    """
    player = installed_extension().owner_of_thing(state, ThingRef("army", army))
    if player is None:
        raise Undecided(unknown_army_message(army))
    return player


def players_in_order(state: State, value: Value) -> tuple[str, ...]:
    """Return the players in an order of turns (`value`), armies being replaced by who controls them.

    A player with several places comes several times.
    """
    order = read_turn_order(value)
    return tuple(order.holder(state, name) for name in order.names)


def _order_and_place(state: State, value: Value, who: str) -> tuple[tuple[str, ...], int]:
    """Return the players in an order of turns (`value`), and the index in it of the player `who`.

    Raises
    ------
    Undecided
        The player has no place in it.
    """
    order, players, go = read_turn_order(value), players_in_order(state, value), state.current_turn
    if who not in players:
        raise Undecided("no-place-in-order", "this player has no place in the turn order")
    if order.of == "army" and go is not None and go.army in order.names:
        at = order.names.index(go.army)
        if players[at] == who:
            return players, at
    return players, players.index(who)


def player_at_distance(state: State, value: Value, who: str, step: int) -> str:
    """Return the player `step` places after (before, if negative) the player `who` in an order of turns.

    Where turns belong to armies, it continues to the next that another player in the game controls.

    Raises
    ------
    Undecided
        The player has no place in it, or there is no other.
    """
    players, at = _order_and_place(state, value, who)
    if read_turn_order(value).of == "player":
        return players[(at + step) % len(players)]
    for far in range(1, len(players)):
        candidate = players[(at + far * step) % len(players)]
        if candidate != who and candidate in state.person_names:
            return candidate
    raise Undecided("nobody-else-in-order", "there is no other player in the turn order")


def players_backwards(state: State, value: Value, who: str) -> tuple[str, ...]:
    """Return the players of an order of turns from the one before `who` backwards; `who` is last.

    Raises
    ------
    Undecided
        The player has no place in it.
    """
    players, at = _order_and_place(state, value, who)
    back = [players[(at - step) % len(players)] for step in range(1, len(players) + 1)]
    if read_turn_order(value).of == "army":
        back = [*(name for name in back if name != who and name in state.person_names), who]
    return tuple(dict.fromkeys(back))


def next_turn_holder(state: State, order: TurnOrder, barred: frozenset[str] = frozenset()) -> tuple[str | None, int]:
    """Return the player or army with the next turn and its index in the order; None and -1 if none.

    Goes on after the place of the last turn; where the order has changed since, after the player
    who had it, or behind whoever followed that player then. Whoever is barred is skipped.
    """
    sequence, playing = order.names, set(state.person_names) - barred
    open_to = [at for at, name in enumerate(sequence) if order.holder(state, name) in playing]
    if not open_to:
        return None, -1
    start = _next_place_in_order(state, order)
    at = min(open_to, key=lambda position: (position - start) % len(sequence))
    return sequence[at], at


def next_player(state: State) -> str | None:
    """Return the name of the player with the next turn; None if nobody has one."""
    order = TurnOrder(state.sequence, state.sequence_of) if state.sequence else TurnOrder(state.person_names, "player")
    name, _ = next_turn_holder(state, order)
    return None if name is None else order.holder(state, name)


def _next_place_in_order(state: State, order: TurnOrder) -> int:
    """Return the index in the order right after the last turn, found by name if the order has changed since."""
    sequence, old, place = order.names, state.sequence, state.place
    if place < 0:
        return 0
    if sequence == old:
        return place + 1
    if order.of != state.sequence_of:  # of players now and of armies before, or the other way round
        sequence = tuple(order.holder(state, name) for name in sequence)
        old = tuple(TurnOrder(old, state.sequence_of).holder(state, name) for name in old)
    if old[place] in sequence:
        return sequence.index(old[place]) + 1
    behind = (candidate for candidate in old[place + 1 :] + old[:place] if candidate in sequence)
    return next((sequence.index(candidate) for candidate in behind), 0)
