"""What an army may play on in a multiverse, and all that it may do there."""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations

from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import BoardMove
from nomic_nb.chess.multiverse.pushes import Push
from nomic_nb.chess.multiverse.terms import Law


def pushes(state: Multiverse, army: str, halves: Collection[int] = (2,)) -> list[tuple[str, ...]]:
    """Return what an army may play on: half-boards on which it has a piece, and universes.

    Parameters
    ----------
    state : Multiverse
    army : str
    halves : collection of int
        How many half-boards are pushed together: two, one by itself, or either.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse.multiverse import half_boards
    >>> pushes(half_boards(["white", "yellow", "green"]), "yellow")
    [('white', 'yellow'), ('yellow', 'green')]
    """
    there = {piece.board for piece in state.pieces.values() if piece.army == army}
    names = [name for name, board in state.boards.items() if board.half]
    sets = [found for count in (1, 2) if count in halves for found in combinations(names, count) if there & set(found)]
    return [*sets, *((name,) for name, board in state.boards.items() if not board.half and name in there)]


def all_moves(state: Multiverse, law: Law, army: str) -> list[BoardMove]:
    """Return an army's legal moves over all pushes and universes.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse.multiverse import half_boards
    >>> len(all_moves(half_boards(["white", "yellow", "green"]), Law(), "white"))
    40
    """
    return [move for boards in pushes(state, army) for move in Push(state, law, army, boards).moves()]
