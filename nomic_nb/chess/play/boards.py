"""The boards of a game: what the state keeps of them, as the multiverse that it is."""

from __future__ import annotations

from nomic_nb.chess.multiverse.errors import GeometryError
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import BoardNames, Passing, Piece, Place
from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.state import State

# -------------------------------------------------------------------------------------------- the boards of a game


#: Of a game that has none.
NO_BOARDS = Multiverse({}, {}, {})


def multiverse_of(state: State) -> Multiverse:
    """Return the multiverse of a game; an empty one if the game has no boards."""
    multiverse: Multiverse = state.position or NO_BOARDS
    return multiverse


# --------------------------------------------------------------------------------------------- the moves of a turn


@frozen
class TurnMoves:
    """The record of the moves in one turn.

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
    held: BoardNames
    pushes: tuple[BoardNames, ...] = ()
    moved: tuple[int, ...] = ()

    def pushed(self, board: str) -> int:
        """Return how many moves this turn has had on this board, alone or pushed together with another."""
        return sum(board in push for push in self.pushes)


@frozen
class MoveMade:
    """A move on record, with everything that it changed on the boards.

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
        Empty where it is; ``back`` once it was taken back, and ``made anew`` once another is in its place.
    """

    id: int
    player: str
    army: str
    turn: int
    circuit: int
    boards: BoardNames
    text: str
    was: tuple[tuple[int, Piece | None], ...] = ()
    now: tuple[tuple[int, Piece | None], ...] = ()
    passings: tuple[Passing, ...] = ()
    status: str = ""


# --------------------------------------------------------------------------------------- arrows and marked squares


#: Colours of arrows and marked squares; those of lichess, of which the first is meant where none is named.
MARK_COLOURS = ("green", "red", "yellow", "blue")


@frozen
class BoardMark:
    """An arrow or a marked square on the boards.

    Parameters
    ----------
    colour : str
    squares : tuple of (str, int)
        Board and square: two for an arrow, one for a marked square.
    """

    colour: str
    squares: tuple[Place, ...]


def split_colour(text: str) -> tuple[str, str]:
    """Return the colour with which a board mark's text begins (else green), and the rest of the text.

    Examples
    --------
    >>> split_colour("red white.e2-white.e4"), split_colour("white.e4")
    (('red', 'white.e2-white.e4'), ('green', 'white.e4'))
    """
    colour, *rest = text.strip().split(None, 1) or [""]
    return (colour, rest[0]) if rest and colour in MARK_COLOURS else (MARK_COLOURS[0], text.strip())


def read_mark(position: Multiverse, text: str, count: int) -> BoardMark:
    """Read an arrow (``count`` is 2) or a marked square (1) from a text such as “red white.e4”.

    Raises
    ------
    IllegalAction
        It names no squares of these boards.
    """
    colour, rest = split_colour(text)
    parts = rest.split("-") if count > 1 else [rest]
    try:
        if len(parts) == count:
            return BoardMark(colour, tuple(position.square(part) for part in parts))
        why = say("arrow-without-two-squares", "an arrow needs two squares")
    except GeometryError as error:
        why = error.said
    example = "red white.e2-white.e4" if count > 1 else "red white.e4"
    raise IllegalAction(
        why.embed_in("{text!r} can’t be drawn: {message}", text=text[:60]),
        options=[f"{example!r} (the colour is optional)"],
    )
