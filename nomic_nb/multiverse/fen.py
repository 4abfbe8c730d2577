"""Forsyth-Edwards Notation: a position of two armies as text, field by field.

Source: the standard's six fields, as in S. J. Edwards' PGN specification (1994), section 16.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from nomic_nb.multiverse.errors import FenError, GeometryError
from nomic_nb.multiverse.geometry import Geometry

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


class Fields(NamedTuple):
    """A FEN taken apart.

    ``pieces`` are (square, letter), the letter in upper case for White; ``passed`` is a square or -1.
    """

    pieces: tuple[tuple[int, str], ...]
    black_to_move: bool
    castling: str
    passed: int
    halfmoves: int
    number: int


def read_fen(text: str, geometry: Geometry, kinds: Iterable[str]) -> Fields:
    """Take a FEN apart; fields that are left out at the end have their usual values.

    Parameters
    ----------
    text : str
    geometry : Geometry
    kinds : iterable of str
        Letters that are pieces, in lower case.

    Raises
    ------
    FenError
        It names the field and what is wrong in it.

    Examples
    --------
    >>> read_fen(START, Geometry(8, 8), "pnbrqk").castling
    'KQkq'
    >>> read_fen("8/8/8 w - - 0 1", Geometry(8, 8), "k")
    Traceback (most recent call last):
    ...
    nomic_nb.multiverse.errors.FenError: field 1 (placement): 3 ranks, where the board has 8
    """
    if not isinstance(text, str):
        raise FenError(f"a FEN is text, not {type(text).__name__}")
    if len(text) > 1000:
        raise FenError("a FEN has at most 1000 letters")
    fields = text.split()
    if not 1 <= len(fields) <= 6:
        raise FenError(f"a FEN has 1 to 6 fields separated by spaces, not {len(fields)}")
    defaults = ["", "w", "-", "-", "0", "1"]
    placement, turn, castling, passed, halfmoves, number = fields + defaults[len(fields) :]
    if turn not in ("w", "b"):
        raise FenError(f"field 2 (side to move): 'w' or 'b', not {turn!r}")
    if castling != "-" and (set(castling) - set("KQkq") or len(set(castling)) != len(castling)):
        raise FenError(f"field 3 (castling): '-' or letters of 'KQkq', each once, not {castling!r}")
    square = -1
    if passed != "-":
        try:
            square = geometry.square(passed)
        except GeometryError as error:
            raise FenError(f"field 4 (en passant): '-' or a square; {error}") from None
    return Fields(
        tuple(read_placement(placement, geometry, kinds)),
        turn == "b",
        castling,
        square,
        _count("field 5 (half-move clock)", halfmoves, 0),
        _count("field 6 (move number)", number, 1),
    )


def _count(field: str, text: str, least: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and int(text) >= least):
        raise FenError(f"{field}: a whole number from {least}, not {text!r}")
    return int(text)


def read_placement(text: str, geometry: Geometry, kinds: Iterable[str]) -> list[tuple[int, str]]:
    """Read the placement field: ranks from the last to the first, ``*`` for a hole.

    Raises
    ------
    FenError
    """
    known = set(kinds)
    field = "field 1 (placement)"
    ranks = text.split("/")
    if len(ranks) != geometry.ranks:
        raise FenError(f"{field}: {len(ranks)} ranks, where the board has {geometry.ranks}")
    found: list[tuple[int, str]] = []
    for index, row in enumerate(ranks):
        rank = geometry.ranks - index
        file = 0
        at = 0
        while at < len(row):
            letter = row[at]
            at += 1
            if letter in "0123456789":
                while at < len(row) and row[at] in "0123456789":
                    letter += row[at]
                    at += 1
                if letter[0] == "0" or len(letter) > 2:
                    raise FenError(f"{field}: {letter!r} in rank {rank} is not a number of empty squares")
                file += int(letter)
                continue
            square = (rank - 1) * geometry.files + file
            file += 1
            if file > geometry.files:
                break
            if letter == "*":
                if square not in geometry.holes:
                    raise FenError(f"{field}: '*' on {geometry.name(square)}, which is not a hole")
            elif letter.lower() not in known or not letter.isascii():
                raise FenError(
                    f"{field}: unknown letter {letter!r} in rank {rank}; "
                    f"kinds are {', '.join(sorted(known))}, others are named in pieces="
                )
            elif square in geometry.holes:
                raise FenError(f"{field}: piece {letter!r} on {geometry.name(square)}, which is a hole")
            else:
                found.append((square, letter))
        if file != geometry.files:
            raise FenError(
                f"{field}: rank {rank} has {'more than' if file > geometry.files else 'only'} "
                f"{min(file, geometry.files)} squares, where the board has {geometry.files} files"
            )
    return found


def write_placement(pieces: dict[int, str], geometry: Geometry) -> str:
    """Write the placement field.

    Examples
    --------
    >>> write_placement({0: "K", 63: "k"}, Geometry(8, 8))
    '7k/8/8/8/8/8/8/K7'
    """
    rows = []
    for rank in reversed(range(geometry.ranks)):
        squares = range(rank * geometry.files, (rank + 1) * geometry.files)
        rows.append("".join(with_gaps("*" if at in geometry.holes else pieces.get(at, "") for at in squares)))
    return "/".join(rows)


def with_gaps(marks: Iterable[str]) -> Iterator[str]:
    """Yield what stands on squares, and for those where nothing does how many there are in a row.

    Examples
    --------
    >>> list(with_gaps(["", "", "K", ""]))
    ['2', 'K', '1']
    """
    for empty, group in groupby(marks, key=lambda mark: not mark):
        found = list(group)
        yield from [str(len(found))] if empty else found
