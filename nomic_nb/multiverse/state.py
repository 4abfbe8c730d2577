"""What a move changes in a position, and how a game ends."""

from __future__ import annotations

from typing import NamedTuple


class State(NamedTuple):
    """All that a move changes; bitboards by class, White's first."""

    sides: tuple[list[int], list[int]]
    occupied: tuple[int, int]
    side: int
    rights: int
    passed: int
    passed_piece: int
    unmoved: int
    halfmoves: int
    number: int


class Outcome(NamedTuple):
    """How a game ended: ``reason`` and ``winner`` (``"white"``, ``"black"`` or ``""``)."""

    reason: str
    winner: str

    @property
    def result(self) -> str:
        """``1-0``, ``0-1`` or ``1/2-1/2``."""
        return {"white": "1-0", "black": "0-1"}.get(self.winner, "1/2-1/2")
