"""What the generator is given and what it returns, in bits; and moves as text."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from nomic_nb.chess.multiverse.geometry import union
from nomic_nb.chess.multiverse.tables import Movement
from nomic_nb.engine.frozen import frozen


@frozen
class Force:
    """One class of the mover's pieces.

    Attributes
    ----------
    movement : Movement
    royal : bool
        Must not be left capturable.
    zone : int
        Squares where it promotes on arrival.
    choices : tuple[int, ...]
        Classes it may become there.
    mandatory : bool
        It cannot stay what it is.
    """

    movement: Movement
    royal: bool
    zone: int
    choices: tuple[int, ...] = ()
    mandatory: bool = True


@frozen
class Castle:
    """One castling, in squares of the board at hand.

    Attributes
    ----------
    right : int
        The bit of the partner's square, which stands for the right in the mask of rights.
    king, king_to, partner, partner_to : int
        Bits.
    king_class, partner_classes : int, tuple[int, ...]
    clear : int
        Squares that must be empty.
    way : int
        Squares the king goes over and to, which must not be attacked; nor must its own.
    """

    right: int
    king: int
    king_to: int
    partner: int
    partner_to: int
    king_class: int
    partner_classes: tuple[int, ...]
    clear: int
    way: int

    def after(self, occupied: int) -> int:
        """Return what is occupied once castled."""
        return occupied & ~self.king & ~self.partner | self.king_to | self.partner_to

    @cached_property
    def moves(self) -> list[Change]:
        """The moves that it makes, one for each class of partner."""
        king, there, ends = self.king_class, (self.king, self.king_to), (self.partner, self.partner_to)
        return [Change(king, *there, 0, king, *ends, partner) for partner in self.partner_classes]


class Change(NamedTuple):
    """What a move does, in bits and classes.

    Attributes
    ----------
    mover, becomes : int
        Class of the piece that moves, before and after.
    origin, target : int
    taken : int
        All captured pieces.
    partner, partner_to, partner_class : int
        In castling, the other piece.
    passing : bool
        Captures en passant.
    passed : int
        The square that a double step goes over and where it can be captured en passant.
    """

    mover: int
    origin: int
    target: int
    taken: int
    becomes: int
    partner: int = 0
    partner_to: int = 0
    partner_class: int = -1
    passing: bool = False
    passed: int = 0


class View(NamedTuple):
    """What the generator is given.

    Attributes
    ----------
    mine, theirs : list[int]
        Bitboards by class. ``theirs`` holds hostile pieces only: those that give check.
    own : int
        Pieces that the mover may not land on (its own, and others it may not capture).
    capturable : int
        Pieces that it may capture.
    unmoved : int
        Own pieces, or squares, for which parts marked ``i`` hold.
    passed, passed_piece : int
        The square just passed by a double step, and the piece that did it.
    rights : int
        Partners' squares with which castling is still allowed; king and partner stand where they did at
        first.
    royals : int
        Capturable pieces that are royal.
    others : int
        Hostile pieces that have not moved, where that matters.
    sides : tuple[int, ...]
        For each class of ``theirs``, all pieces on its side; empty where all hostile pieces are one side.
    """

    mine: list[int]
    theirs: list[int]
    own: int
    capturable: int
    unmoved: int = 0
    passed: int = 0
    passed_piece: int = 0
    rights: int = 0
    royals: int = 0
    others: int = 0
    sides: tuple[int, ...] = ()

    def side(self, index: int) -> int:
        """Return all pieces on the side of a class of hostile ones."""
        if self.sides and self.sides[index]:
            return self.sides[index]
        return union(self.theirs)


#: (class, bit of origin, bits of targets)
Reach = tuple[int, int, int]


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
    >>> from nomic_nb.chess.multiverse import position
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
    ) -> Move:
        """Make a move; generators do, players name it by its text."""
        move = super().__new__(cls, text)
        move.kind = kind
        move.origin = origin
        move.target = target
        move.promotion = promotion
        move.taken = taken
        move.partner = partner
        move.passing = change.passing
        move.change = change
        return move

    def uci(self) -> str:
        """Return the move as plain text."""
        return str.__str__(self)
