"""What drawing and notations read of a position, whatever it is made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from nomic_nb.multiverse.geometry import Geometry
from nomic_nb.multiverse.masks import Move
from nomic_nb.multiverse.terms import Terms


class ReadablePosition(Protocol):
    """A position of two armies, as far as it is read and moves are tried on copies of it."""

    @property
    def geometry(self) -> Geometry:
        """The board."""

    @property
    def pieces(self) -> Mapping[str, str]:
        """Kind to Betza notation."""

    @property
    def terms(self) -> Terms:
        """The terms of chess."""

    @property
    def turn(self) -> str:
        """``"white"`` or ``"black"``."""

    @property
    def in_check(self) -> bool:
        """Whether a royal piece of the side to move is attacked."""

    @property
    def last(self) -> Move | None:
        """The move just made, if any."""

    def board(self) -> dict[int, str]:
        """Return the pieces: square to letter, upper case for White."""

    def fen(self, *, en_passant: str = "legal") -> str:
        """Return the position as FEN."""

    def moves(self, square: str | None = None) -> list[Move]:
        """Return all legal moves, or those of the piece on a square."""

    def after(self, move: str) -> ReadablePosition:
        """Return the position after a move."""

    def copy(self) -> ReadablePosition:
        """Return a position that goes its own way."""

    def pop(self) -> Move:
        """Take the last move back and return it."""
