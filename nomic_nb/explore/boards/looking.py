"""The boards as one army has them before it, at the beginning of a turn of its own, under one state of the law."""

from __future__ import annotations

from dataclasses import dataclass, field

from nomic_nb.law.values import Number
from nomic_nb.law.view import Undecided
from nomic_nb.multiverse.multiverse import Multiverse
from nomic_nb.multiverse.pieces import BoardMove
from nomic_nb.multiverse.pushes import Push, pushes
from nomic_nb.play.chess.events import march_of
from nomic_nb.play.chess.legal import counts, fatal, ways
from nomic_nb.play.chess.terms import chess_of, push_of
from nomic_nb.play.state import State
from nomic_nb.play.values import Turn

Boards = tuple[str, ...]


@dataclass(frozen=True)
class Look:
    """What an army could do if its turn began now.

    Parameters
    ----------
    army : str
        Whose look it is.
    position : Multiverse
        The boards.
    moves : mapping of tuple of (tuple of str, str) to BoardMove
        Its legal moves over all pushes, by boards and text; a move that can be made on two pairs is there twice.
    pushes : mapping of tuple of str to Push
        The boards it has a piece on, pushed together; also those on which the law lets it make no move.
    open : frozenset of tuple of str
        The boards it may push.
    count : int or Fraction or None
        The moves that it makes in a turn.
    mated : bool
        Whether it is in check, with no way out, on whatever boards with its king it pushes.
    doubt : str
        Why that cannot be known; then all else is empty.
    """

    army: str
    position: Multiverse
    moves: dict[tuple[Boards, str], BoardMove] = field(default_factory=dict)
    pushes: dict[Boards, Push] = field(default_factory=dict)
    open: frozenset[Boards] = frozenset()
    count: Number | None = None
    mated: bool = False
    doubt: str = ""

    @property
    def known(self) -> bool:
        """Whether the law says all that is needed."""
        return not self.doubt


def at_its_turn(state: State, army: str) -> State:
    """Return the state as if the moves of an army began now."""
    player, number = state.multiverse.armies[army].controller, state.turn + 1
    turn = Turn(number, player, army=army, march=march_of(state, army, player))
    return state.but(turn=number, hand=number, turns=(turn,))


def look(state: State, army: str) -> Look:
    """Look at the boards for an army."""
    asked = at_its_turn(state, army)
    try:
        found = ways(asked)
        moves = {(way.push.boards, move.text): move for way in found for move in way.moves}
        seen = {way.push.boards: way.push for way in found}
        for boards in pushes(asked.multiverse, army):
            if boards not in seen:
                chess = chess_of(asked.law, asked, army, boards)
                seen[boards] = push_of(asked.law, asked, chess, army, boards)
        mated = bool(fatal(asked, found))
        return Look(
            army, state.multiverse, moves, seen, frozenset(way.push.boards for way in found), counts(asked, army), mated
        )
    except Undecided as doubt:
        return Look(army, state.multiverse, doubt=doubt.reason)
