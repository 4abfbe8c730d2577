"""The moves of a turn, and the last move on each board, as values."""

from __future__ import annotations

from nomic_nb.chess.multiverse.pieces import Passing, Piece
from nomic_nb.engine.frozen import frozen


@frozen
class March:
    """The moves of a turn.

    Parameters
    ----------
    armies : tuple of str
        Those that may move in it: the one whose turn it is, or all of a player's.
    held : tuple of str
        The boards on which they had pieces when the turn began.
    pushes : tuple of tuple of str
        The boards pushed together so far, a move each.
    moved : tuple of int
        The pieces that have moved.
    """

    armies: tuple[str, ...]
    held: tuple[str, ...]
    pushes: tuple[tuple[str, ...], ...] = ()
    moved: tuple[int, ...] = ()

    def pushed(self, board: str) -> int:
        """Return how often a board was pushed."""
        return sum(board in push for push in self.pushes)


@frozen
class Made:
    """A move that was made, with all that it changed on the boards; the last one on them.

    Parameters
    ----------
    id : int
        Sequence number of the event that made it.
    player, army : str
        Who made it, and with what.
    turn, circuit : int
        When.
    boards : tuple of str
        Those that were played on.
    text : str
        As players write it.
    was, now : tuple of (int, Piece or None)
        What it changed, by the numbers of the pieces: how they stood before it and after; None for what was, or is, on
        no board.
    passings : tuple of Passing
        The double steps that could be answered before it.
    status : str
        Empty where it stands; ``back`` once it was taken back, and ``made anew`` once another stands in its place.
    """

    id: int
    player: str
    army: str
    turn: int
    circuit: int
    boards: tuple[str, ...]
    text: str
    was: tuple[tuple[int, Piece | None], ...] = ()
    now: tuple[tuple[int, Piece | None], ...] = ()
    passings: tuple[Passing, ...] = ()
    status: str = ""
