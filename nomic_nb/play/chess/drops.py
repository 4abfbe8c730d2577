"""Pieces in hand: what was captured and can be put on the boards again instead of moving."""

from __future__ import annotations

from collections.abc import Iterable

from nomic_nb.multiverse.pieces import BoardMove, Piece
from nomic_nb.multiverse.pushes import Push
from nomic_nb.multiverse.text import sign
from nomic_nb.play.chess.events import move_data
from nomic_nb.play.chess.records import name_of_kind
from nomic_nb.play.engine import Engine
from nomic_nb.play.state import State


def in_hand(state: State, army: str) -> dict[str, int]:
    """Return the kinds of pieces that an army has in hand, capital letters, each with the piece that came first."""
    found: dict[str, int] = {}
    for id in state.hands.get(army, ()):
        found.setdefault(state.gone[id].kind.upper(), id)
    return dict(sorted(found.items()))


def hand_in_words(state: State, army: str) -> str:
    """Return what an army has in hand, for people; empty where that is nothing."""
    return _in_words(state.gone[id] for id in state.hands.get(army, ()))


def armies_in_words(state: State, player: str) -> list[str]:
    """Return a player's armies, each with its sign on the boards and what it has in hand."""
    position = state.position
    if position is None:
        return []
    found = [one.name for one in position.armies.values() if one.controller == player]
    hands = {name: hand_in_words(state, name) for name in found}
    return [
        f"{name} ({sign(position, name)})" + (f" with {hands[name]} in hand" if hands[name] else "") for name in found
    ]


def lost_in_words(state: State, army: str) -> str:
    """Return which pieces of an army are gone from the boards and in nobody's hand; empty where none are."""
    held = {id for hand in state.hands.values() for id in hand}
    return _in_words(piece for id, piece in state.gone.items() if piece.army == army and id not in held)


def _in_words(pieces: Iterable[Piece]) -> str:
    kinds = sorted(piece.kind.lower() for piece in pieces)
    counts = {kind: kinds.count(kind) for kind in kinds}
    named = [(name_of_kind(kind), count) for kind, count in counts.items()]
    return ", ".join(f"{count} {name}{'s' if len(name) > 1 else ''}" if count > 1 else name for name, count in named)


def drops(state: State, push: Push) -> list[BoardMove]:
    """Return the drops that leave no king of the army in check: each kind on each empty square."""
    kinds = in_hand(state, push.army.name)
    squares = push.drops() if kinds else []
    return [drop(state, push, id, square) for id in kinds.values() for square in squares]


def drop(state: State, push: Push, id: int, square: tuple[str, int]) -> BoardMove:
    """Return the drop of a piece, as players write it: ``white.@N-white.c3``."""
    army = push.army.name
    text = f"{army}.@{state.gone[id].kind.upper()}-{state.multiverse.name(*square)}"
    return BoardMove(id, army, square, square, push.boards, text, dropped=True)


def put_in_hand(engine: Engine, player: str, id: int, army: str) -> None:
    """Put a captured piece into the hand of an army."""
    engine.emit("in_hand", player, piece=id, kind=engine.state.gone[id].kind.upper(), army=army)


def perform_drop(engine: Engine, player: str, one: BoardMove, uci: str) -> None:
    """Put a piece from the hand on a board."""
    state, engine.cause = engine.state, None
    kind, target = state.gone[one.piece].kind.upper(), state.multiverse.name(*one.target)
    engine.emit("dropped", player, env={"target": target}, data=move_data(one), kind=kind, uci=uci)
