"""What pieces and terms make of a board with two armies: generators, castlings, starting squares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from functools import lru_cache
from string import ascii_lowercase
from types import MappingProxyType
from typing import Any

from nomic_nb.chess.multiverse.betza import castling_steps, parse_betza, ring_steps
from nomic_nb.chess.multiverse.errors import MoveError, MultiverseError
from nomic_nb.chess.multiverse.generator import CastlingMove, PieceClass
from nomic_nb.chess.multiverse.geometry import MAX_SIZE, UNIVERSE, Geometry, each_bit, union_of_bits
from nomic_nb.chess.multiverse.movement_tables import Movement, compile_movement
from nomic_nb.chess.multiverse.moves import MoveCounter, MoveLister, Ordinary
from nomic_nb.chess.multiverse.pieces import Piece, not_a_kind_message
from nomic_nb.engine.frozen import frozen

# -------------------------------------------------------------------------- what the multiverse is told of the law


#: How orthodox pieces move.
ORTHODOX = MappingProxyType({"p": "fmWfceFifmnD", "n": "N", "b": "B", "r": "R", "q": "Q", "k": "K"})
#: Names of kinds by letter; others are called by their letter.
KIND_NAMES = MappingProxyType({"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"})


@frozen
class Terms:
    """The options of a position; the defaults follow the FIDE rules.

    Parameters
    ----------
    castling : bool
        Whether royal pieces castle, by two steps or as the atom ``O`` in their notation says.
    castling_rook : str
        Kinds of pieces that they castle with.
    promotion : str
        Kinds a pawn may become, in the order they are offered.
    promotion_ranks : tuple[int, ...] | None
        Ranks, counted from the pawn's own side, on which it promotes on arrival. None: the last rank of any board.
    promotion_mandatory : bool
        Whether a pawn must promote there.
    initial_ranks : tuple[int, ...] | None
        Ranks, counted from the piece's own side, on which parts of a movement marked ``i`` apply. None: they apply to
        pieces that have not moved, which are those on the squares of their kind in the orthodox array.
    en_passant : bool
    pawns : str
        Kinds that promote, and whose double step can be captured en passant. A double step goes two squares in one
        direction over the square in between, not backwards and without capturing. Pieces with ``e`` in their notation
        can capture en passant.
    royal : str
        Kinds that must not be left open to capture. Empty: none.
    kings : str
        ``"one"``: each side must have exactly one royal piece. ``"all"``: any number, none of which may be left open to
        capture.
    check : bool
        If False, royal pieces may be left open to capture, and capturing the last one wins.
    black : Terms | None
        Options that give ``promotion``, ``promotion_ranks`` and ``promotion_mandatory`` for Black; None: the same as
        for White.

    Raises
    ------
    MultiverseError
        A value is not valid.

    Examples
    --------
    >>> Terms(promotion_ranks=(9,), promotion="qx").promotion_ranks
    (9,)
    >>> Terms(kings="two")
    Traceback (most recent call last):
    ...
    nomic_nb.chess.multiverse.errors.MultiverseError: kings must be 'one' or 'all', not 'two'
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
                raise MultiverseError(
                    "term-not-true-or-false",
                    "{term} must be True or False, not {found!r}",
                    term=name,
                    found=getattr(self, name),
                )
        for name in ("castling_rook", "promotion", "pawns", "royal"):
            object.__setattr__(self, name, _read_kind_letters(name, getattr(self, name)))
        for name in ("promotion_ranks", "initial_ranks"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, _read_rank_numbers(name, getattr(self, name)))
        if self.black is not None and not isinstance(self.black, Terms):
            raise MultiverseError(
                "terms-of-black-unknown", "black must be Terms or None, not {found!r}", found=self.black
            )
        if self.kings not in ("one", "all"):
            raise MultiverseError("no-such-kings", "kings must be 'one' or 'all', not {found!r}", found=self.kings)

    @property
    def changes_royals(self) -> bool:
        """Whether a promotion can make or unmake a royal piece."""
        promotes = set(self.promotion) | set(self.black.promotion if self.black else "")
        return bool(self.pawns and promotes and set(self.royal) & promotes.union(self.pawns))

    def check_kinds_exist(self, pieces: Mapping[str, str]) -> None:
        """Refuse terms that name a kind of piece for which no movement is given.

        Raises
        ------
        MultiverseError
        """
        if self.black is not None:
            self.black.check_kinds_exist(pieces)
        for name in ("castling_rook", "promotion", "pawns", "royal"):
            for kind in getattr(self, name):
                if kind not in pieces:
                    raise MultiverseError(
                        "term-of-unknown-kind",
                        "{term} names the kind {kind!r}, but no movement is given for it; the kinds are {known}",
                        term=name,
                        kind=kind,
                        known=", ".join(sorted(pieces)),
                    )


def options_by_side(**options: object) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the options for White and those for Black, from options given for both or by side.

    Raises
    ------
    MultiverseError

    Examples
    --------
    >>> options_by_side(promotion="qn"), options_by_side(promotion={"white": "q", "black": "n"})
    (({'promotion': 'qn'}, {'promotion': 'qn'}), ({'promotion': 'q'}, {'promotion': 'n'}))
    """
    sides = dict(options), dict(options)
    for name, value in options.items():
        if isinstance(value, Mapping):
            if set(value) != {"white", "black"}:
                raise MultiverseError(
                    "term-of-unknown-sides",
                    "{term} for each side must be {{'white': ..., 'black': ...}}, not {found!r}",
                    term=name,
                    found=dict(value),
                )
            sides[0][name], sides[1][name] = value["white"], value["black"]
    return sides


def _read_kind_letters(name: str, value: object) -> str:
    """Return the value of the named option as lower-case piece letters, or refuse it."""
    if not isinstance(value, str):
        raise MultiverseError(
            "term-not-piece-letters",
            "{term} must be text made of piece letters, such as 'qrbn', not {found!r}",
            term=name,
            found=value,
        )
    letters = value.lower()
    for letter in letters:
        if not ("a" <= letter <= "z"):
            raise MultiverseError(
                "term-with-other-letters",
                "{term} must be text made of piece letters from a to z, not {found!r}",
                term=name,
                found=value,
            )
        if letters.count(letter) > 1:
            raise MultiverseError("term-names-a-kind-twice", "{term} names {kind!r} twice", term=name, kind=letter)
    return letters


def _read_rank_numbers(name: str, value: Iterable[int]) -> tuple[int, ...]:
    """Return the value of the named option as sorted rank numbers, or refuse it."""
    try:
        ranks = tuple(sorted(set(value)))
    except TypeError:
        raise MultiverseError(
            "term-not-ranks", "{term} must be a list of rank numbers, not {found!r}", term=name, found=value
        ) from None
    for rank in ranks:
        if type(rank) is not int or not 1 <= rank <= MAX_SIZE:
            raise MultiverseError(
                "term-holds-no-rank",
                "{term} contains {rank!r}, which isn’t a rank; ranks are 1 to {most}",
                term=name,
                rank=rank,
                most=MAX_SIZE,
            )
    return ranks


def complete_movements(pieces: Mapping[str, str] | None) -> dict[str, str]:
    """Return the Betza movement of every kind, by letter: the orthodox, replaced or joined by those given.

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
    >>> complete_movements({"n": "NW"})["n"]
    'NW'
    """
    movements = dict(ORTHODOX)
    for kind, notation in (pieces or {}).items():
        if not (isinstance(kind, str) and len(kind) == 1 and kind.isascii() and kind.isalpha()):
            raise MultiverseError(not_a_kind_message(kind))
        parse_betza(notation)
        if kind.swapcase() in (pieces or {}):
            raise MultiverseError(
                "kind-named-twice",
                "{upper!r} and {lower!r} are the same kind, which moves the same way for both sides. For a piece "
                "that only one side has, use another letter",
                upper=kind.upper(),
                lower=kind.lower(),
            )
        movements[kind.lower()] = notation
    return movements


@frozen
class Law:
    """The movements of pieces and the options of chess that apply on the boards.

    Attributes
    ----------
    pieces : Mapping[str, str]
        Betza notation of each kind.
    of_army : Mapping[str, Mapping[str, str]]
        Movements that differ for single armies.
    terms : Terms
        Options of chess. Ranks are counted from the army's own side, through its home half and then the other
        one. ``promotion_ranks`` of None means the far edge of any board, or half, that is not its own.
    of_piece : Mapping[int, str]
        Movements that differ for single pieces, by piece number.
    """

    pieces: Mapping[str, str] = field(default_factory=lambda: dict(ORTHODOX))
    of_army: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    terms: Terms = field(default_factory=lambda: Terms(promotion_ranks=None, kings="all"))
    of_piece: Mapping[int, str] = field(default_factory=dict)

    def notation(self, kind: str, army: str) -> str:
        """Return the movement of a kind in an army, in Betza notation.

        Raises
        ------
        MoveError
            The rules do not say how this kind moves.
        """
        text = self.of_army.get(army, {}).get(kind) or self.pieces.get(kind)
        if text is None:
            raise MoveError("movement-not-in-law", "no rule says how {kind!r} moves", kind=kind)
        return text

    def movement(self, piece: Piece) -> str:
        """Return the movement of a piece, in Betza notation.

        Raises
        ------
        MoveError
            The rules do not say how its kind moves.
        """
        return self.of_piece.get(piece.id) or self.notation(piece.kind, piece.army)

    @property
    def hollow(self) -> Law:
        """The same law with a dummy movement for each kind without one, for checks in which movements do not matter."""
        return replace(self, pieces={**dict.fromkeys(ascii_lowercase, "W"), **self.pieces})

    def royal(self, piece: Piece) -> bool:
        """Tell whether a piece is royal, by its own mark if it has one, otherwise by its kind."""
        return piece.kind in self.terms.royal if piece.royal is None else piece.royal


# ----------------------------------------------------------- what pieces and terms make of a board with two armies


HOME_ARRAY = "rnbqkbnr"


class Rules:
    """The rules of an 8 x 8 position, compiled; use :func:`rules_for`.

    Parameters
    ----------
    pieces : tuple[tuple[str, str], ...]
        Kinds with their Betza notation.
    terms : Terms
    """

    def __init__(self, pieces: tuple[tuple[str, str], ...], terms: Terms) -> None:
        self.pieces = dict(pieces)
        self.terms = terms
        self.geometry = UNIVERSE
        self.kinds = tuple(sorted(self.pieces))
        self.classes = {kind: index for index, kind in enumerate(self.kinds)}
        self.pawns = tuple(self.classes[kind] for kind in terms.pawns)
        self.royal = tuple(self.classes[kind] for kind in terms.royal)
        self.doubles = [double_steps(UNIVERSE, turned=turned) if terms.en_passant else {} for turned in (False, True)]
        self.castles = (self._castlings(0), self._castlings(1))
        self.partners = tuple(sum({castle.right for castle in castles}) for castles in self.castles)
        self.homes = tuple(sum({castle.king for castle in castles}) for castles in self.castles)
        #: squares whose emptying or change may end a right to castle
        self.watched = self.partners[0] | self.partners[1] | self.homes[0] | self.homes[1]
        ranks = terms.initial_ranks
        self.regions = None if ranks is None else (self._rank_bits(0, ranks), self._rank_bits(1, ranks))
        self.generators = (self._build_generator(0), self._build_generator(1))
        #: Classes that move otherwise as long as they have not moved.
        self.fresh = tuple(
            at
            for at, force in enumerate(self.generators[0].forces)
            if any(part.initial for part in force.movement.notation.parts)
        )
        #: Whether masks do not suffice to see what a promotion leaves attacked.
        self.crowns = terms.check and terms.changes_royals
        #: Classes of White and of Black -> whether they are peaceful, as far as that was asked.
        self._peaceful: dict[tuple[tuple[int, ...], ...], bool] = {}
        shared: dict[tuple[int, PieceClass], Ordinary] = {}
        self.listers = tuple(
            MoveLister(generator, self.kinds, self.pawns, doubles, shared)
            for generator, doubles in zip(self.generators, self.doubles, strict=True)
        )

    def _rank_bits(self, side: int, ranks: Iterable[int]) -> int:
        """Return the bits of ranks, counted from the first rank of a side (0: White, 1: Black)."""
        return union_of_bits(
            self.geometry.rank_bits(self.geometry.ranks + 1 - rank if side else rank) for rank in ranks
        )

    def _build_generator(self, side: int) -> MoveCounter:
        """Return a new move generator for White (`side` is 0) or Black (1)."""
        terms = self.terms
        promoting = terms.black or terms if side else terms
        zone = self._rank_bits(side, promoting.promotion_ranks or (self.geometry.ranks,))
        choices = tuple(self.classes[kind] for kind in promoting.promotion)
        forces, foes = [], []
        for kind in self.kinds:
            movement, hostile = (
                compile_movement(self.pieces[kind], self.geometry, turned=turned) for turned in (bool(side), not side)
            )
            promotes = (zone, choices) if kind in terms.pawns and choices else (0, ())
            forces.append(PieceClass(movement, kind in terms.royal, *promotes, promoting.promotion_mandatory))
            foes.append(hostile)
        return MoveCounter(self.geometry, tuple(forces), tuple(foes), self.castles[side], check=terms.check)

    def _castlings(self, side: int) -> tuple[CastlingMove, ...]:
        """Return the castlings of White (`side` 0) or Black (1): king on the e-file, partners in the corners."""
        terms = self.terms
        castling_moves = []
        for kind in self.kinds:
            if parse_betza(self.pieces[kind]).castlings and kind not in terms.royal:
                raise MultiverseError(
                    "castling-of-common-kind",
                    "the movement of {kind!r} has O, but only royal kinds can castle ({royal})",
                    kind=kind,
                    royal=terms.royal or "there are none",
                )
        if not terms.castling:
            return ()
        first = 56 if side else 0
        partners = tuple(self.classes[kind] for kind in terms.castling_rook)
        for kind in terms.royal:
            for steps, toward in castling_steps(self.pieces[kind], mirrored=bool(side)):
                if not 0 <= 4 + toward * steps <= 7:
                    raise MultiverseError(
                        "castling-off-board", "castling by {steps} steps would leave the board", steps=steps
                    )
                corner = 7 if toward > 0 else 0
                castling_moves.append(castling_towards_corner(first, 4, corner, steps, self.classes[kind], partners))
        return tuple(castling_moves)

    def royals(self, boards: list[int]) -> int:
        """Return the bits of the royal pieces in one side's bitboards."""
        return union_of_bits(boards[index] for index in self.royal)

    def royals_cannot_give_check(self, white: list[int], black: list[int]) -> bool:
        """Tell whether two sides with nothing but royal pieces left can surely never give check to each other.

        They cannot if each is attacked by whatever it attacks: no move is legal that leaves it so.
        """
        kinds = tuple(tuple(index for index, bits in enumerate(side) if bits) for side in (white, black))
        if kinds not in self._peaceful:
            self._peaceful[kinds] = (
                not self.crowns
                and self.terms.check
                and all(
                    self._attacks_back(
                        self.generators[side].forces[kind].movement, self.generators[1 - side].forces[other].movement
                    )
                    for side in (0, 1)
                    for kind in kinds[side]
                    for other in kinds[1 - side]
                )
            )
        return self._peaceful[kinds]

    def _attacks_back(self, movement: Movement, other: Movement) -> bool:
        """Tell whether pieces of the other movement attack back from every square that the first attacks."""
        leaps = {bit: other.table[bit] for bit in each_bit(self.geometry.full)}
        if not other.plain or other.irregular or any(touch for touch, _ in leaps.values()):
            return False  # the pieces in between matter
        return all(leaps[to][1][0] & bit for bit in leaps for to in each_bit(movement.ever[bit][1]))

    def remaining_rights(self, rights: int, touched: int) -> int:
        """Return the castling rights that are left after pieces leave or enter the squares in `touched`."""
        rights &= ~touched
        for home, partners in zip(self.homes, self.partners, strict=True):
            if touched & home:
                rights &= ~partners
        return rights


@lru_cache(maxsize=256)
def double_steps(geometry: Geometry, *, turned: bool) -> dict[int, dict[int, int]]:
    """Return, by square, where double steps from it lead and which square each passes, all in bits.

    Examples
    --------
    >>> double_steps(Geometry(3, 3), turned=False)[1]
    {64: 8, 256: 16, 4: 2}
    """
    steps = ring_steps(1, 0)
    doubles: dict[int, dict[int, int]] = {1 << square: {} for square in range(geometry.size)}
    for square in range(geometry.size):
        for place in (0, 1, 2, 6, 7):
            right, ahead = steps[(place + 4) % 8 if turned else place]
            over, to = geometry.step(square, right, ahead), geometry.step(square, 2 * right, 2 * ahead)
            if over is not None and to is not None:
                doubles[1 << square][1 << to] = 1 << over
    return doubles


def castling_towards_corner(
    first: int, king: int, corner: int, steps: int, king_class: int, partners: tuple[int, ...]
) -> CastlingMove:
    """Return a castling; `king` and `corner` are the two pieces' files on the rank whose first square is `first`.

    Parameters
    ----------
    first : int
        The square of their rank's first file.
    king, corner : int
        Their files.
    steps : int
        How far the king goes.
    king_class, partners : int, tuple[int, ...]
        Classes of the king and of the pieces it castles with.
    """
    toward = 1 if corner > king else -1
    files = (king, king + toward * steps, corner, king + toward * (steps - 1))
    home, king_to, partner, partner_to = (1 << (first + file) for file in files)
    return CastlingMove(
        right=partner,
        king=home,
        king_to=king_to,
        partner=partner,
        partner_to=partner_to,
        king_class=king_class,
        partner_classes=partners,
        clear=sum(1 << (first + file) for file in range(min(files), max(files) + 1)) & ~home & ~partner,
        way=sum(home << distance if toward > 0 else home >> distance for distance in range(1, steps + 1)),
    )


_rules = lru_cache(maxsize=256)(Rules)


def rules_for(pieces: Mapping[str, str], terms: Terms) -> Rules:
    """Return the compiled rules for movements and terms, from a cache."""
    return _rules(tuple(sorted(pieces.items())), terms)
