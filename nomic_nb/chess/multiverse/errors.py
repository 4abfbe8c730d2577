"""Errors in a notation, a board, a text or a move.

All of them are ``ValueError``; each message says what was found, where, and what would be right.
"""

from __future__ import annotations

from nomic_nb.engine.errors import PlainRefusal
from nomic_nb.engine.messages import Message


class MultiverseError(PlainRefusal, ValueError):
    """An operation that is not possible with these boards, armies or moves."""


class NotationError(MultiverseError):
    """A movement that cannot be read.

    Parameters
    ----------
    message : Message
        The problem, and what would be right.
    notation : str
        Full text of the movement.
    column : int
        Place of the problem, counted from 1.

    Attributes
    ----------
    message : Message
        The problem, without its place.
    notation : str
    column : int
    letter : str
        Letter in that column; empty after the end.

    Examples
    --------
    >>> from nomic_nb.engine.messages import say
    >>> error = NotationError(say("unknown-letter", "unknown letter"), "NX", 2)
    >>> error.code, error.letter, error.column
    ('unknown-letter', 'X', 2)
    >>> print(error)
    unknown letter (letter 'X', column 2 of 'NX')
    """

    def __init__(self, message: Message, notation: str, column: int) -> None:
        self.message = message
        self.notation = notation
        self.column = column
        self.letter = notation[column - 1 : column]
        shown = notation if len(notation) <= 60 else notation[:57] + "..."
        place = f"letter {self.letter!r}, column {column}" if self.letter else f"column {column}, at the end"
        super().__init__(message.embed_in("{message} ({place} of {shown!r})", place=place, shown=shown))


class GeometryError(MultiverseError):
    """A board, a square or a combination of boards that is not possible."""


class FenError(MultiverseError):
    """A FEN that cannot be read; the message names the field."""


class PlacementError(MultiverseError):
    """A piece or an army that cannot be placed, changed or removed as requested."""


class MoveError(MultiverseError):
    """A move that is not possible here; the message says why."""
