"""What the multiverse is told of the law."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from nomic_nb.multiverse.errors import MoveError
from nomic_nb.multiverse.pieces import Piece
from nomic_nb.multiverse.terms import ORTHODOX, Terms


@dataclass(frozen=True)
class Law:
    """What the multiverse is told of the law: movements, and the chess terms.

    Attributes
    ----------
    pieces : Mapping[str, str]
        Kind to Betza notation.
    of_army : Mapping[str, Mapping[str, str]]
        Movements of single armies that differ.
    terms : Terms
        Ranks are counted from the army's own side: through its home half and on through the other one.
        ``promotion_ranks`` of None is the far edge of any board, or half, that is not its own.
    of_piece : Mapping[int, str]
        Movements of single pieces that differ, by their numbers.
    """

    pieces: Mapping[str, str] = field(default_factory=lambda: dict(ORTHODOX))
    of_army: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    terms: Terms = field(default_factory=lambda: Terms(promotion_ranks=None, kings="all"))
    of_piece: Mapping[int, str] = field(default_factory=dict)

    def notation(self, kind: str, army: str) -> str:
        """Return how a kind moves in an army.

        Raises
        ------
        MoveError
            If the law says nothing of this kind.
        """
        text = self.of_army.get(army, {}).get(kind) or self.pieces.get(kind)
        if text is None:
            raise MoveError(f"the law does not say how {kind!r} moves")
        return text

    def movement(self, piece: Piece) -> str:
        """Return how a piece moves.

        Raises
        ------
        MoveError
            If the law says nothing of its kind.
        """
        return self.of_piece.get(piece.id) or self.notation(piece.kind, piece.army)

    def royal(self, piece: Piece) -> bool:
        """Tell whether a piece is royal: as it was crowned, or as its kind is."""
        return piece.kind in self.terms.royal if piece.royal is None else piece.royal
