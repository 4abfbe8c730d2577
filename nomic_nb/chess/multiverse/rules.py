"""What pieces and terms make of a board with two armies: generators, castlings, starting squares."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field, fields, replace
from functools import cached_property, lru_cache
from string import ascii_lowercase
from types import MappingProxyType
from typing import Any

from nomic_nb.chess.multiverse.betza import castling_steps, parse_betza, ring_steps
from nomic_nb.chess.multiverse.errors import MoveError, MultiverseError
from nomic_nb.chess.multiverse.generator import CastlingMove, PieceClass
from nomic_nb.chess.multiverse.geometry import MAX_SIZE, Geometry, each_bit, union_of_bits
from nomic_nb.chess.multiverse.movement_tables import Movement, compile_movement
from nomic_nb.chess.multiverse.moves import MoveCounter, MoveLister, Ordinary
from nomic_nb.chess.multiverse.pieces import Piece, not_a_kind_message
from nomic_nb.engine.frozen import frozen

# -------------------------------------------------------------------------- what the multiverse is told of the law


#: How orthodox pieces move.
ORTHODOX = MappingProxyType({"p": "fmWfceFifmnD", "n": "N", "b": "B", "r": "R", "q": "Q", "k": "K"})
#: Names of kinds by letter; others are called by their letter.
KIND_NAMES = MappingProxyType({"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"})


#: What stalemate can be for the side that cannot move, and what can become of captured pieces.
STALEMATES = ("draw", "win", "loss")
CAPTURE_RESULTS = ("remove", "convert", "explode", "explode with royals", "captor's hand", "owner's hand")
#: Terms that take one of a few texts.
CHOICES = {
    "kings": ("one", "all"), "stalemate": STALEMATES, "checkmate": STALEMATES, "capture_result": CAPTURE_RESULTS,
    "giving_check": ("any", "by moves", "never"),
}  # fmt: skip
#: Terms that may differ by side, that are given as mappings, those of them with numbers, and those that list kinds.
BY_SIDE = ("promotion", "promotion_ranks", "promotion_mandatory")
COUNTED = ("promotion_limit", "drop_file_limit")
MAPPED = ("drops", "promotion_within", "regions", *COUNTED)
KIND_TERMS = ("castling_rook", "castling_king", "promotion", "pawns", "royal", "drop_without_mate")
#: Terms that need the list of legal moves, beside those that the compiled kernel knows.
PYTHON_TERMS = (
    "checkmate", "promotion_within_mandatory", "promotion_limit", "drop_file_limit", "drop_without_mate",
    "keeps_promotion", "flying_general", "giving_check",
)  # fmt: skip
#: Characters of a text that names squares.
LONGEST_REGION = 1000


@frozen
class Terms:
    """The options of a position; the defaults follow the FIDE rules.

    Parameters
    ----------
    castling : bool
        Whether royal pieces castle: to the c-file or to the last file but one, which is two steps from the e-file of
        8, or by so many steps as the atom ``O`` in their notation says.
    castling_rook : str
        Kinds of pieces that they castle with.
    castling_king : str
        Kinds that castle, if not the royal ones. Pieces that are not royal castle over attacked squares, too.
    promotion : str
        Kinds a pawn may become, in the order they are offered.
    promotion_ranks : tuple[int, ...] | str | None
        Ranks, counted from the pawn's own side, on which it promotes on arrival, or squares. None: the last rank of any
        board.
    promotion_mandatory : bool
        Whether a pawn must promote there.
    initial_ranks : tuple[int, ...] | str | None
        Ranks, counted from the piece's own side, or squares on which parts of a movement marked ``i`` apply. None: they
        apply to pieces that have not moved, which are those on the squares of their kind in the orthodox array; on a
        board without 8 files, all on the first rank, and pawns on the second.
    en_passant : bool | str
        Whether double steps can be captured en passant, or the squares on which they can.
    pawns : str
        Kinds that promote, and whose double step can be captured en passant. A double step goes two squares in one
        direction over the square in between, not backwards and without capturing. Pieces with ``e`` in their notation
        can capture en passant.
    royal : str
        Kinds that must not be left open to capture. Empty: none.
    kings : str
        ``"one"``: each side must have exactly one royal piece, unless promotion can change that. ``"all"``: any number,
        none of which may be left open to capture.
    check : bool
        If False, royal pieces may be left open to capture, and capturing the last one wins.
    black : Terms | None
        Options that give ``promotion``, ``promotion_ranks`` and ``promotion_mandatory`` for Black; None: the same as
        for White.
    goals : tuple[str, ...]
        What also ends a game of two armies, as ``extra_rules`` makes them: ``reach``, ``checks``, ``lost_all``,
        ``extinct``, ``bare``. These and the following apply in a `Position`; for boards under law there are clauses.
    stalemate, checkmate : str
        What they are for the side that cannot move: ``"draw"``, ``"win"`` or ``"loss"``.
    capture_result : str
        What becomes of captured pieces: ``"remove"``, ``"convert"``, ``"explode"``, ``"explode with royals"``,
        ``"captor's hand"`` or ``"owner's hand"``, as in the setting ``capture.result``.
    drops : mapping of str to str
        Kinds that can be dropped from hand on some squares only, seen from their side: ``{"p": "ranks 2-7"}``.
    move_forced : bool
        Whether a side that can capture must.
    promotion_within : mapping of str to str
        Kinds that may become another kind on each move that begins or ends on the promotion ranks. In hand, they are
        again what they were.
    regions : mapping of str to str
        Kinds that never leave some squares, seen from their side: ``{"k": "d1-f3"}``.
    promotion_within_mandatory : bool
        Whether these kinds must promote on such a move.
    promotion_limit : mapping of str to int
        Kinds that a side may promote to only while it has fewer on the board. A pawn that must promote to move on again
        cannot go there without.
    drop_file_limit : mapping of str to int
        Kinds that cannot be dropped on a file where their side already has so many.
    drop_without_mate : str
        Kinds whose drop may not give checkmate.
    keeps_promotion : bool
        Whether captured pieces stay promoted in hand.
    flying_general : bool
        Whether royal pieces must not face each other on a rank or file with nothing in between.
    giving_check : str
        ``"any"``, ``"by moves"``: drops may not give check, or ``"never"``: no move may.

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
    nomic_nb.chess.multiverse.errors.MultiverseError: kings must be one of 'one', 'all', not 'two'
    """

    castling: bool = True
    castling_rook: str = "r"
    castling_king: str = ""
    promotion: str = "qrbn"
    promotion_ranks: tuple[int, ...] | str | None = (8,)
    promotion_mandatory: bool = True
    initial_ranks: tuple[int, ...] | str | None = (2,)
    en_passant: bool | str = True
    pawns: str = "p"
    royal: str = "k"
    kings: str = "one"
    check: bool = True
    black: Terms | None = None
    goals: tuple[str, ...] = ()
    stalemate: str = "draw"
    checkmate: str = "loss"
    capture_result: str = "remove"
    drops: tuple[tuple[str, str], ...] = ()
    move_forced: bool = False
    promotion_within: tuple[tuple[str, str], ...] = ()
    regions: tuple[tuple[str, str], ...] = ()
    promotion_within_mandatory: bool = False
    promotion_limit: tuple[tuple[str, int], ...] = ()
    drop_file_limit: tuple[tuple[str, int], ...] = ()
    drop_without_mate: str = ""
    keeps_promotion: bool = False
    flying_general: bool = False
    giving_check: str = "any"

    def __post_init__(self) -> None:
        for name in (term.name for term in fields(self) if isinstance(term.default, bool)):
            if not isinstance(getattr(self, name), (bool, str) if name == "en_passant" else bool):
                raise MultiverseError(
                    "term-not-true-or-false",
                    "{term} must be True or False, not {found!r}",
                    term=name,
                    found=getattr(self, name),
                )
        for name in KIND_TERMS:
            object.__setattr__(self, name, _read_kind_letters(name, getattr(self, name)))
        for name in ("promotion_ranks", "initial_ranks"):
            if not isinstance(getattr(self, name), str | None):
                object.__setattr__(self, name, _read_rank_numbers(name, getattr(self, name)))
        if self.black is not None and not isinstance(self.black, Terms):
            raise MultiverseError(
                "terms-of-black-unknown", "black must be Terms or None, not {found!r}", found=self.black
            )
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise MultiverseError(
                    "no-such-choice-of-term",
                    "{term} must be one of {choices}, not {found!r}",
                    term=name,
                    choices=", ".join(map(repr, choices)),
                    found=getattr(self, name),
                )
        for name in MAPPED:
            object.__setattr__(self, name, _read_values_by_kind(name, getattr(self, name)))
        goals: Any = self.goals
        if isinstance(goals, str) or not isinstance(goals, Iterable):
            raise MultiverseError("term-not-a-list", "goals must be a list of texts, not {found!r}", found=goals)
        object.__setattr__(self, "goals", tuple(goal if isinstance(goal, str) else repr(goal) for goal in goals))

    @cached_property
    def has_extra_rules(self) -> bool:
        """Whether moves depend on more than movement and check."""
        known = ("goals", "drops", "move_forced", "promotion_within", "capture_result", *PYTHON_TERMS)
        return any(term.name in known and getattr(self, term.name) != term.default for term in fields(self))

    @property
    def castling_kings(self) -> str:
        """Kinds that castle."""
        return self.castling_king or self.royal

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
        named = {name: getattr(self, name) for name in KIND_TERMS}
        named |= {name: tuple(kind for kind, _ in getattr(self, name)) for name in MAPPED}
        named["promotion_within"] += tuple(kind for _, kind in self.promotion_within)
        for name, kinds in named.items():
            for kind in kinds:
                if kind not in pieces:
                    raise MultiverseError(
                        "term-of-unknown-kind",
                        "{term} names the kind {kind!r}, but no movement is given for it; the kinds are {known}",
                        term=name,
                        kind=kind,
                        known=", ".join(sorted(pieces)),
                    )


_REGION = re.compile(r"ranks? (\d{1,2})(?:-(\d{1,2}))?|([a-p]\d{1,2})(?:-([a-p]\d{1,2}))?")


def check_rank(rank: int, geometry: Geometry, found: str) -> None:
    """Refuse a rank that a board lacks, `found` in a text or an option."""
    if not 1 <= rank <= geometry.ranks:
        raise MultiverseError(
            "rank-not-on-this-board",
            "rank {rank} in {found!r} isn’t on this board; its ranks are 1 to {most}",
            rank=rank,
            found=found[:40],
            most=geometry.ranks,
        )


def region_bits(text: str, geometry: Geometry, side: int) -> int:
    """Return the bits of squares that a text names, seen from a side (0: White, 1: Black).

    Parameters
    ----------
    text : str
        Squares, rectangles by two corners, and ranks: ``"d4 e5"``, ``"a1-c3"``, ``"ranks 2-7"``; ``"-"`` for none.
        If the sides have different ones, White's, ``/`` and Black's, each seen from its own side.
    geometry : Geometry
    side : int

    Raises
    ------
    MultiverseError

    Examples
    --------
    >>> region_bits("a1-b2", Geometry(3, 3), 0), region_bits("a1-b2", Geometry(3, 3), 1)
    (27, 216)
    """
    short = isinstance(text, str) and len(text) <= LONGEST_REGION
    white, slash, black = text.partition("/") if short else ("", "", "")
    own = (black if side and slash else white).strip()
    if not (own == "-" or _REGION.search(own)) or _REGION.sub("", own).strip(" ,-"):
        raise MultiverseError(
            "region-unreadable",
            "squares are given as 'd4 e5', 'a1-c3' or 'ranks 2-7', not {found!r}",
            found=str(text)[:40],
        )
    bits, files = 0, geometry.files
    for low, high, start, end in _REGION.findall(own):
        for rank in filter(None, (low, high)):
            check_rank(int(rank), geometry, text)
        if low:
            left, right, ends = 0, files - 1, [int(low) - 1, int(high or low) - 1]
        else:
            squares = [geometry.square(name) for name in (start, end or start)]
            left, right = sorted(square % files for square in squares)
            ends = [square // files for square in squares]
        near, far = sorted(ends)
        for rank in range(near, min(far, geometry.ranks - 1) + 1):
            row = geometry.ranks - 1 - rank if side else rank
            bits |= ((2 << right) - (1 << left)) << row * files
    return bits & geometry.full


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


def _read_values_by_kind(name: str, value: object) -> tuple[tuple[str, Any], ...]:
    """Return the value of the named option, a text or number for some kinds, as sorted pairs, or refuse it."""
    try:
        pairs = dict(value or {})  # type: ignore[call-overload]
        if all(
            isinstance(kind, str) and (type(of) is int and of >= 0 if name in COUNTED else isinstance(of, str))
            for kind, of in pairs.items()
        ):
            return tuple(sorted(pairs.items()))
    except (TypeError, ValueError):
        pass
    raise MultiverseError(
        "term-not-by-kind",
        "{term} must have {value} for each kind, such as {{'p': …}}, not {found!r}",
        term=name,
        value="a number" if name in COUNTED else "a text",
        found=value,
    )


def complete_movements(pieces: Mapping[str, str] | None) -> dict[str, str]:
    """Return one army's Betza movements by kind: the orthodox, replaced or joined by those given.

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
    if not isinstance(pieces or {}, Mapping):
        raise MultiverseError(
            "pieces-not-by-kind",
            "pieces must have a movement for each kind, such as {{'n': 'NW'}}, not {found!r}",
            found=pieces,
        )
    for kind, notation in (pieces or {}).items():
        if not (isinstance(kind, str) and len(kind) == 1 and kind.isascii() and kind.isalpha()):
            raise MultiverseError(not_a_kind_message(kind))
        parse_betza(notation)
        if kind.swapcase() in (pieces or {}):
            raise MultiverseError(
                "kind-named-twice",
                "{upper!r} and {lower!r} are the same kind. If it moves in another way for each side, give "
                "pieces={{'white': {{…}}, 'black': {{…}}}}",
                upper=kind.upper(),
                lower=kind.lower(),
            )
        movements[kind.lower()] = notation
    return movements


def movements_by_army(pieces: Mapping[str, Any] | None) -> tuple[dict[str, str], dict[str, str]]:
    """Return White's and Black's movements, of the same kinds, from movements for both or by army.

    A kind that only one army is given moves alike in the other.

    Examples
    --------
    >>> white, black = movements_by_army({"white": {"n": "NW"}, "black": {"x": "BN"}})
    >>> white["n"], black["n"], white["x"]
    ('NW', 'N', 'BN')
    """
    if not isinstance(pieces, Mapping) or set(pieces) != {"white", "black"}:
        return (complete_movements(pieces),) * 2
    white, black = (complete_movements(pieces[name]) for name in ("white", "black"))
    return {**black, **white}, {**white, **black}


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

    def __post_init__(self) -> None:
        if isinstance(self.terms.promotion_ranks, str) or isinstance(self.terms.initial_ranks, str):
            raise MultiverseError("law-of-squares", "under law, promotion_ranks and initial_ranks must be ranks")

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
#: Files of boards on which a king and a partner have no room to castle.
MOST_FILES_WITHOUT_CASTLING = 3
#: Of each side, the file of the king that can castle, and those of its partners.
CastlingFiles = tuple[tuple[int, tuple[int, ...]], ...]


def default_castling_files(files: int) -> CastlingFiles:
    """Return where castling begins if nothing says otherwise: a king right of the middle, partners in the corners.

    Examples
    --------
    >>> default_castling_files(8)[0]
    (4, (0, 7))
    """
    return ((files // 2, (0, files - 1)),) * 2


class Rules:
    """The rules of a position, compiled; use :func:`rules_for`.

    Parameters
    ----------
    armies : tuple[tuple[tuple[str, str], ...], ...]
        Kinds with their Betza notation, for White and for Black. Both have the same kinds.
    terms : Terms
    geometry : Geometry
    castling_files : tuple[tuple[int, tuple[int, ...]], ...]
        Of each side, the file of the king that can castle, and those of its partners.
    """

    def __init__(
        self,
        armies: tuple[tuple[tuple[str, str], ...], ...],
        terms: Terms,
        geometry: Geometry,
        castling_files: CastlingFiles,
    ) -> None:
        self.armies = tuple(map(dict, armies))
        self.pieces = self.armies[0]
        self.terms = terms
        self.geometry = geometry
        self.castling_files = castling_files
        self.kinds = tuple(sorted(self.armies[0]))
        self.classes = {kind: index for index, kind in enumerate(self.kinds)}
        self.pawns = tuple(self.classes[kind] for kind in terms.pawns)
        self.royal = tuple(self.classes[kind] for kind in terms.royal)
        self.doubles = [self._double_steps(side) for side in (0, 1)]
        self.castles = (self._castlings(0), self._castlings(1))
        self.partners = tuple(sum({castle.right for castle in castles}) for castles in self.castles)
        self.homes = tuple(sum({castle.king for castle in castles}) for castles in self.castles)
        #: squares whose emptying or change may end a right to castle
        self.watched = self.partners[0] | self.partners[1] | self.homes[0] | self.homes[1]
        ranks = terms.initial_ranks
        self.regions = None if ranks is None else (self._zone(0, ranks), self._zone(1, ranks))
        self.generators = (self._build_generator(0), self._build_generator(1))
        #: Classes that move otherwise as long as they have not moved.
        self.fresh = tuple(
            at
            for at in range(len(self.kinds))
            if any(
                part.initial for generator in self.generators for part in generator.forces[at].movement.notation.parts
            )
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

    def _zone(self, side: int, ranks: Iterable[int] | str) -> int:
        """Return the bits of ranks, counted from the first rank of a side (0: White, 1: Black), or of squares."""
        if isinstance(ranks, str):
            return region_bits(ranks, self.geometry, side)
        return union_of_bits(
            self.geometry.rank_bits(self.geometry.ranks + 1 - rank if side else rank) for rank in ranks
        )

    def _double_steps(self, side: int) -> dict[int, dict[int, int]]:
        """Return the double steps of a side that can be captured en passant."""
        where = self.terms.en_passant
        steps = double_steps(self.geometry, turned=bool(side)) if where else {}
        if not isinstance(where, str):
            return steps
        open_squares = region_bits(where, self.geometry, 1 - side)
        return {start: {to: over for to, over in ends.items() if over & open_squares} for start, ends in steps.items()}

    def can_crown(self, side: int, mine: list[int]) -> bool:
        """Tell whether a pawn of a side might make or unmake a royal piece with its next move."""
        return any(mine[at] & sources for at, sources in self._crowning[side])

    @cached_property
    def _crowning(self) -> list[list[tuple[int, int]]]:
        """The classes that promote if promotions change royal pieces, each with the squares from which it might."""
        return [
            [(at, generator.sources(at, generator.forces[at].zone, "mcde")) for at in self.pawns if self.crowns]
            for generator in self.generators
        ]

    @cached_property
    def ignoring_check(self) -> Rules:
        """The same rules without check."""
        return rules_for(self.armies, replace(self.terms, check=False), self.geometry, self.castling_files)

    def promotion_zone(self, side: int) -> int:
        """Return the bits of the squares on which a side promotes."""
        terms = self.terms.black or self.terms if side else self.terms
        return self._zone(side, terms.promotion_ranks or (self.geometry.ranks,))

    def region(self, kind: str, side: int) -> Geometry:
        """Return the board for a kind of piece: with holes where it may not go."""
        text = dict(self.terms.regions).get(kind)
        if text is None:
            return self.geometry
        inside = region_bits(text, self.geometry, side)
        return replace(self.geometry, holes=frozenset(at for at in range(self.geometry.size) if not inside >> at & 1))

    def _build_generator(self, side: int) -> MoveCounter:
        """Return a new move generator for White (`side` is 0) or Black (1)."""
        terms = self.terms
        promoting = terms.black or terms if side else terms
        zone = self.promotion_zone(side)
        choices = tuple(self.classes[kind] for kind in promoting.promotion)
        forces, foes = [], []
        for kind in self.kinds:
            movement, hostile = (
                compile_movement(self.armies[army][kind], self.region(kind, army), turned=bool(army))
                for army in (side, 1 - side)
            )
            promotes = (zone, choices) if kind in terms.pawns and choices else (0, ())
            forces.append(PieceClass(movement, kind in terms.royal, *promotes, promoting.promotion_mandatory))
            foes.append(hostile)
        return MoveCounter(self.geometry, tuple(forces), tuple(foes), self.castles[side], check=terms.check)

    def _castlings(self, side: int) -> tuple[CastlingMove, ...]:
        """Return the castlings of White (`side` 0) or Black (1), from where the castling files say."""
        terms, files = self.terms, self.geometry.files
        castling_moves, kings = [], terms.castling_kings
        for kind in self.kinds:
            unsafe = kind in kings and terms.check and terms.royal and kind not in terms.royal
            if unsafe or (parse_betza(self.armies[side][kind]).castlings and kind not in kings):
                raise MultiverseError(
                    "castling-of-common-kind",
                    "{kind!r} can’t castle: only royal kinds ({royal}) can. If a game has none, name those that "
                    "can in castling_king",
                    kind=kind,
                    royal=terms.royal or "there are none",
                )
        if not terms.castling:
            return ()
        first = files * (self.geometry.ranks - 1) if side else 0
        home, ends = self.castling_files[side]
        partners = tuple(self.classes[kind] for kind in terms.castling_rook)
        for kind in kings:
            notation = self.armies[side][kind]
            for steps, toward in castling_steps(notation, mirrored=bool(side)):
                if not parse_betza(notation).castlings:  # to the c-file, or to the last but one
                    steps = files - 2 - home if toward > 0 else home - 2  # noqa: PLW2901
                if not 0 <= home + toward * steps < files:
                    raise MultiverseError(
                        "castling-off-board", "castling by {steps} steps would leave the board", steps=steps
                    )
                castling_moves += [
                    replace(
                        castling_towards_corner(first, home, end, steps, self.classes[kind], partners),
                        from_corner=end in (0, files - 1),
                    )
                    for end in ends
                    if (end - home) * toward > 0
                    and files > MOST_FILES_WITHOUT_CASTLING
                    and first + home + toward * steps not in self.region(kind, side).holes
                ]
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
        How far the king goes towards its partner; below 0, away from it.
    king_class, partners : int, tuple[int, ...]
        Classes of the king and of the pieces it castles with.
    """
    toward = 1 if corner > king else -1
    end = king + toward * steps
    files = (king, end, corner, end - toward)
    step = 1 if end > king else -1
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
        way=sum(1 << (first + file) for file in range(king + step, end + step, step)) if steps else 0,
    )


_rules = lru_cache(maxsize=256)(Rules)


def rules_for(
    armies: Iterable[Mapping[str, str]], terms: Terms, geometry: Geometry, castling_files: CastlingFiles
) -> Rules:
    """Return the compiled rules for both sides' movements and for terms on a board, from a cache."""
    return _rules(tuple(tuple(sorted(army.items())) for army in armies), terms, geometry, castling_files)
