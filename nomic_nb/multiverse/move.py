"""A move on one board: its UCI text, with the squares it touches."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nomic_nb.multiverse.masks import Change


class Move(str):
    """A move as text, such as ``e2e4``, ``e7e8q`` or, with a piece taken in passing, ``e4f5g6``.

    It compares and sorts as its text, so ``"e2e4" in position.moves()`` reads as it sounds.

    Attributes
    ----------
    kind : str
        The kind that moves.
    origin, target : int
        Squares.
    promotion : str
        The kind it becomes, or ``""``.
    taken : tuple[int, ...]
        Squares of all pieces captured.
    partner : tuple[int, int] | None
        In castling, where the other piece comes from and goes to.
    passing : bool
        Captures en passant.
    change : Change
        The same in bits and classes of the position's rules.

    Examples
    --------
    >>> from nomic_nb.multiverse import position
    >>> move = position().find("e2e4")
    >>> move.kind, move.origin, move.target, move.taken
    ('p', 12, 28, ())
    """

    kind: str
    origin: int
    target: int
    promotion: str
    taken: tuple[int, ...]
    partner: tuple[int, int] | None
    passing: bool
    change: Change

    __slots__ = ("change", "kind", "origin", "partner", "passing", "promotion", "taken", "target")

    def __new__(
        cls,
        text: str,
        kind: str,
        origin: int,
        target: int,
        change: Change,
        promotion: str = "",
        taken: tuple[int, ...] = (),
        partner: tuple[int, int] | None = None,
        *,
        passing: bool = False,
    ) -> Move:
        """Make a move; generators do, players name it by its text."""
        move = super().__new__(cls, text)
        move.kind = kind
        move.origin = origin
        move.target = target
        move.promotion = promotion
        move.taken = taken
        move.partner = partner
        move.passing = passing
        move.change = change
        return move

    def uci(self) -> str:
        """Return the move as plain text."""
        return str.__str__(self)
