"""What can be wrong with a notation, a board, a text or a move.

All of them are ``ValueError``; each message says what was found, where, and what would be right.
"""

from __future__ import annotations

from nomic_nb.engine.errors import PlainRefusal
from nomic_nb.engine.messages import Message


class MultiverseError(PlainRefusal, ValueError):
    """Something that boards, armies or moves cannot be."""


class NotationError(MultiverseError):
    """A movement that cannot be read.

    Parameters
    ----------
    message : Message
        What is wrong and what would be right.
    notation : str
        The whole text.
    column : int
        Where the trouble is, counted from 1.

    Attributes
    ----------
    message : Message
        What is wrong, without the place.
    notation : str
    column : int
    letter : str
        The letter at that column, empty behind the end.

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
    """A board, a square or a join that cannot be."""


class FenError(MultiverseError):
    """A position text that cannot be read; the message names the field."""


class PlacementError(MultiverseError):
    """A piece or an army that cannot stand, change or leave as asked."""


class MoveError(MultiverseError):
    """A move that is not possible here; the message says why."""
