"""Pieces and boards, and what happens to them: moves, and squares passed by them."""

from __future__ import annotations

from dataclasses import dataclass

from nomic_nb.multiverse.geometry import Geometry


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece, which keeps its identity for the whole game.

    Attributes
    ----------
    id : int
        Its number; never used again for another.
    kind : str
        A letter, in lower case.
    army : str
        The army it is in now.
    board : str
        The board it stands on.
    square : int
        Its square there.
    home : str
        The board it started on.
    born : str
        The army it started in.
    moved : bool
    royal : bool | None
        None: as its kind is. True: a king that was designated. False: a dummy.
    """

    id: int
    kind: str
    army: str
    board: str
    square: int
    home: str
    born: str
    moved: bool = False
    royal: bool | None = None


@dataclass(frozen=True)
class Board:
    """A half-board or a universe.

    Attributes
    ----------
    name : str
    geometry : Geometry
    half : bool
        It is played on only when joined with another half.
    """

    name: str
    geometry: Geometry
    half: bool = False


@dataclass(frozen=True, slots=True)
class Passing:
    """A square just passed by a double step: until the law forgets it, the piece can be captured there."""

    board: str
    square: int
    piece: int


@dataclass(frozen=True, slots=True)
class BoardMove:
    """A move in a multiverse.

    Attributes
    ----------
    piece : int
        The number of the piece that moves.
    army : str
    origin, target : tuple[str, int]
        Board and square.
    push : tuple[str, ...]
        The boards played on: two half-boards, or one universe.
    text : str
        As players write it: ``white.e2-white.e4``. Castling is written as the king's move; where the king could
        also just go there, as the king taking its partner: ``white.e1-white.h1``.
    promotion : str
    taken : tuple[int, ...]
        Numbers of captured pieces.
    partner : tuple[int, int] | None
        In castling, the other piece's number and its new square on the board of origin.
    passed : int
        The square that a double step went over, or -1.
    passing : bool
        Captures en passant.
    dropped : bool
        The piece comes from a hand: it begins where it ends.
    """

    piece: int
    army: str
    origin: tuple[str, int]
    target: tuple[str, int]
    push: tuple[str, ...]
    text: str
    promotion: str = ""
    taken: tuple[int, ...] = ()
    partner: tuple[int, int] | None = None
    passed: tuple[str, int] | None = None
    passing: bool = False
    dropped: bool = False

    def __str__(self) -> str:
        return self.text
