"""What the multiverse is told of the law: how pieces move, and castling, promotion, en passant, royal kinds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from string import ascii_lowercase
from types import MappingProxyType
from typing import Any

from nomic_nb.chess.multiverse.betza import parse
from nomic_nb.chess.multiverse.errors import MoveError, MultiverseError
from nomic_nb.chess.multiverse.geometry import MAX_SIZE
from nomic_nb.chess.multiverse.pieces import Piece
from nomic_nb.engine.frozen import frozen

#: How orthodox pieces move.
ORTHODOX: Mapping[str, str] = MappingProxyType({"p": "fmWfceFifmnD", "n": "N", "b": "B", "r": "R", "q": "Q", "k": "K"})
#: Names of kinds by letter; others are called by their letter.
NAMES: Mapping[str, str] = MappingProxyType(
    {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
)


@frozen
class Terms:
    """The options of a position; the defaults are FIDE's.

    Parameters
    ----------
    castling : bool
        Royal pieces castle, two steps or as the atom ``O`` in their notation says.
    castling_rook : str
        Kinds they castle with.
    promotion : str
        Kinds a pawn may become, in the order they are offered.
    promotion_ranks : tuple[int, ...] | None
        Ranks, from the pawn's own side, where it promotes on arrival. None: the last rank, whatever the
        board.
    promotion_mandatory : bool
        It may not stay a pawn there.
    initial_ranks : tuple[int, ...] | None
        Ranks, from the piece's own side, where parts marked ``i`` hold. None: for pieces that have not
        moved, which are those that stand where their kind does in the orthodox array.
    en_passant : bool
    pawns : str
        Kinds that promote, and whose double step can be captured en passant: two squares in one direction, not
        backwards and without capturing, over the one in between. What has ``e`` in its notation captures so.
    royal : str
        Kinds that must not be left capturable. Empty: none.
    kings : str
        ``"one"``: each side must have exactly one royal piece. ``"all"``: any number, none of which may be
        left capturable.
    check : bool
        False: royal pieces may be left capturable, and capturing the last one wins.
    black : Terms | None
        Whose ``promotion``, ``promotion_ranks`` and ``promotion_mandatory`` are Black's; None: the same.

    Raises
    ------
    MultiverseError
        For values that mean nothing.

    Examples
    --------
    >>> Terms(promotion_ranks=(9,), promotion="qx").promotion_ranks
    (9,)
    >>> Terms(kings="two")
    Traceback (most recent call last):
    ...
    nomic_nb.chess.multiverse.errors.MultiverseError: kings is 'one' or 'all', not 'two'
    """

    castling: bool = True
    castling_rook: str = "r"
    promotion: str = "qrbn"
    promotion_ranks: tuple[int, ...] | None = (8,)
    promotion_mandatory: bool = True
    initial_ranks: tuple[int, ...] | None = (2,)
    en_passant: bool = True
    pawns: str = "p"
    royal: str = "k"
    kings: str = "one"
    check: bool = True
    black: Terms | None = None

    def __post_init__(self) -> None:
        for name in ("castling", "promotion_mandatory", "en_passant", "check"):
            if not isinstance(getattr(self, name), bool):
                raise MultiverseError(f"{name} is True or False, not {getattr(self, name)!r}")
        for name in ("castling_rook", "promotion", "pawns", "royal"):
            object.__setattr__(self, name, _kinds(name, getattr(self, name)))
        for name in ("promotion_ranks", "initial_ranks"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, _ranks(name, getattr(self, name)))
        if self.black is not None and not isinstance(self.black, Terms):
            raise MultiverseError(f"black is Terms, or None, not {self.black!r}")
        if self.kings not in ("one", "all"):
            raise MultiverseError(f"kings is 'one' or 'all', not {self.kings!r}")

    @property
    def crowning(self) -> bool:
        """Whether royal pieces may come or go when pawns promote."""
        promotes = set(self.promotion) | set(self.black.promotion if self.black else "")
        return bool(self.pawns and promotes and set(self.royal) & promotes.union(self.pawns))

    def check_against(self, pieces: Mapping[str, str]) -> None:
        """Refuse kinds that no piece has.

        Raises
        ------
        MultiverseError
        """
        if self.black is not None:
            self.black.check_against(pieces)
        for name in ("castling_rook", "promotion", "pawns", "royal"):
            for kind in getattr(self, name):
                if kind not in pieces:
                    raise MultiverseError(
                        f"{name} names the kind {kind!r}, but no piece moves so called; "
                        f"kinds are {', '.join(sorted(pieces))}"
                    )


def of_sides(**options: object) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what options are for White and for Black: one value for both, or a mapping that names them.

    Raises
    ------
    MultiverseError

    Examples
    --------
    >>> of_sides(promotion="qn"), of_sides(promotion={"white": "q", "black": "n"})
    (({'promotion': 'qn'}, {'promotion': 'qn'}), ({'promotion': 'q'}, {'promotion': 'n'}))
    """
    sides = dict(options), dict(options)
    for name, value in options.items():
        if isinstance(value, Mapping):
            if set(value) != {"white", "black"}:
                raise MultiverseError(f"{name} for each side is {{'white': ..., 'black': ...}}, not {dict(value)!r}")
            sides[0][name], sides[1][name] = value["white"], value["black"]
    return sides


def _kinds(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise MultiverseError(f"{name} is a text of piece letters, such as 'qrbn', not {value!r}")
    letters = value.lower()
    for letter in letters:
        if not ("a" <= letter <= "z"):
            raise MultiverseError(f"{name} is a text of piece letters a to z, not {value!r}")
        if letters.count(letter) > 1:
            raise MultiverseError(f"{name} names {letter!r} twice")
    return letters


def _ranks(name: str, value: Iterable[int]) -> tuple[int, ...]:
    try:
        ranks = tuple(sorted(set(value)))
    except TypeError:
        raise MultiverseError(f"{name} is a list of rank numbers, not {value!r}") from None
    for rank in ranks:
        if type(rank) is not int or not 1 <= rank <= MAX_SIZE:
            raise MultiverseError(f"{name} holds {rank!r}, which is not a rank; ranks are 1 to {MAX_SIZE}")
    return ranks


def movements(pieces: Mapping[str, str] | None) -> dict[str, str]:
    """Return all kinds with their notation: the orthodox ones, changed and added to.

    Parameters
    ----------
    pieces : mapping of str to str, optional
        Kind letter to Betza notation; letters may be upper or lower case.

    Raises
    ------
    MultiverseError
        For a kind that is not one letter.
    NotationError
        For a movement that cannot be read.

    Examples
    --------
    >>> movements({"n": "NW"})["n"]
    'NW'
    """
    found = dict(ORTHODOX)
    for kind, notation in (pieces or {}).items():
        if not (isinstance(kind, str) and len(kind) == 1 and kind.isascii() and kind.isalpha()):
            raise MultiverseError(f"a kind is one letter from a to z, not {kind!r}")
        parse(notation)
        if kind.swapcase() in (pieces or {}):
            raise MultiverseError(
                f"{kind.upper()!r} and {kind.lower()!r} are one kind, which moves alike for both sides; for a piece "
                "that only one side has, take another letter"
            )
        found[kind.lower()] = notation
    return found


@frozen
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

    @property
    def hollow(self) -> Law:
        """The same law, under which kinds move of which it says nothing: how an army moves does not matter to check."""
        return replace(self, pieces={**dict.fromkeys(ascii_lowercase, "W"), **self.pieces})

    def royal(self, piece: Piece) -> bool:
        """Tell whether a piece is royal: as it was crowned, or as its kind is."""
        return piece.kind in self.terms.royal if piece.royal is None else piece.royal
