"""What the state of a game keeps of its boards beside the position itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from nomic_nb.law.values import Number


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Marks:
    """A counter that rules track for armies or for pieces.

    Parameters
    ----------
    per : str
        ``army`` or ``piece``.
    start : int or Fraction
        What it is where it has not changed.
    values : mapping of str or int to int or Fraction
        Where it has changed, by the army's name or the piece's number.
    """

    per: str
    start: Number
    values: Mapping[int | str, Number] = field(default_factory=dict)
