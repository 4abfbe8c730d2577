"""Evidence that a function leaves behind: in words, and with the position in which it can be seen on the boards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import BoardMove

#: A board and a square on it.
Place: TypeAlias = tuple[str, int]


class BoardEvidence(str):
    """Evidence in words that can be shown on boards.

    Attributes
    ----------
    position : Multiverse
        Position in which it can be seen.
    moves : tuple of (Place, Place)
        Where the moves that show it begin and end, in the order in which they are made.
    squares : tuple of Place
        Other squares that it is about.
    """

    position: Multiverse
    moves: tuple[tuple[Place, Place], ...]
    squares: tuple[Place, ...]

    def __radd__(self, before: str) -> str:
        """Return `before` followed by the evidence, which can still be shown."""
        return reword_evidence(self, before + str(self))


def evidence_on_board(
    text: str, position: Multiverse, moves: Iterable[tuple[Place, Place]] = (), squares: Iterable[Place] = ()
) -> BoardEvidence:
    """Return a text as evidence that can be shown in a position, by moves and squares."""
    evidence = BoardEvidence(text)
    evidence.position, evidence.moves, evidence.squares = position, tuple(moves), tuple(squares)
    return evidence


def reword_evidence(evidence: str, text: str) -> str:
    """Return `text` as evidence that is shown as `evidence` is, if it can be shown."""
    if not isinstance(evidence, BoardEvidence):
        return text
    return evidence_on_board(text, evidence.position, evidence.moves, evidence.squares)


def ends_of(moves: Iterable[BoardMove]) -> list[tuple[Place, Place]]:
    """Return where each move begins and ends."""
    return [(move.origin, move.target) for move in moves]
