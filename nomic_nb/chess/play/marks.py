"""Arrows and marked squares, which comments draw on the boards."""

from __future__ import annotations

from nomic_nb.chess.multiverse.errors import GeometryError
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.frozen import frozen

#: Colours of arrows and marked squares; those of lichess, of which the first is meant where none is named.
COLOURS = ("green", "red", "yellow", "blue")


@frozen
class Mark:
    """An arrow, or a marked square.

    Parameters
    ----------
    colour : str
    squares : tuple of (str, int)
        Board and square: two for an arrow, one for a marked square.
    """

    colour: str
    squares: tuple[tuple[str, int], ...]


def coloured(text: str) -> tuple[str, str]:
    """Return the colour of a mark, and the rest of it.

    Examples
    --------
    >>> coloured("red white.e2-white.e4"), coloured("white.e4")
    (('red', 'white.e2-white.e4'), ('green', 'white.e4'))
    """
    colour, *rest = text.strip().split(None, 1) or [""]
    return (colour, rest[0]) if rest and colour in COLOURS else (COLOURS[0], text.strip())


def mark(position: Multiverse, text: str, count: int) -> Mark:
    """Read an arrow (`count` is 2), or a marked square (1), as a record has it.

    Raises
    ------
    IllegalAction
        It names no squares of these boards.
    """
    colour, rest = coloured(text)
    parts = rest.split("-") if count > 1 else [rest]
    try:
        if len(parts) == count:
            return Mark(colour, tuple(position.square(part) for part in parts))
        why = "an arrow has two squares"
    except GeometryError as error:
        why = str(error)
    example = "red white.e2-white.e4" if count > 1 else "red white.e4"
    raise IllegalAction(f"{text[:60]!r} cannot be drawn: {why}", options=[f"{example!r}, with or without its colour"])
