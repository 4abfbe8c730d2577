"""Where pieces are set up: a FEN of boards that make one of two armies, or the pieces of every army as a text.

The pieces of an army have blanks between them: ``Ke1* Rh1* a2 Qyellow.d4``. A piece is the letter of its kind, none
for a pawn on its home board, and its square, with the board where that is not the home of its army. Behind it can
stand ``*`` for a piece that has not moved, ``'`` for one that has, ``!`` for one that is royal whatever its kind, and
``~`` for one that is not. Where nothing is said, a piece counts as moved, but for pawns on their second rank.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from string import ascii_lowercase

from nomic_nb.chess.multiverse.errors import FenError, MultiverseError, PlacementError
from nomic_nb.chess.multiverse.geometry import Geometry
from nomic_nb.chess.multiverse.multiverse import Multiverse, no_such_army_message
from nomic_nb.chess.multiverse.notation import FenFields, castling_unreadable_error, read_fen
from nomic_nb.chess.multiverse.pieces import ROYAL_BY_SIGN, SIGN_OF_ROYAL, Army, BoardNames
from nomic_nb.chess.multiverse.rules import Terms
from nomic_nb.engine.frozen import frozen

#: Letters of the pieces of an army.
MOST_ARRANGEMENT_LETTERS = 4_000
_PIECE = re.compile(r"([A-Z]?)((?:[A-Za-z0-9:_-]+\.)?[a-p]\d{1,2})([*']?)([!~]?)")
_ORDER = "kqrbnp"


@frozen
class PlacedPiece:
    """A piece to be set up on a board.

    Attributes
    ----------
    kind, army, board : str
    square : int
    moved : bool
    royal : bool | None
        As in `Piece`.
    """

    kind: str
    army: str
    board: str
    square: int
    moved: bool
    royal: bool | None = None


@frozen
class Arrangement:
    """The pieces to be set up on boards.

    Attributes
    ----------
    pieces : tuple[Placed, ...]
    passed : tuple[str, int, int] | None
        Board and square just passed over in a double step, and which of the pieces made it.
    """

    pieces: tuple[PlacedPiece, ...]
    passed: tuple[str, int, int] | None = None


# ----------------------------------------------------------------------------------- the pieces of every army


def read_armies(state: Multiverse, texts: Mapping[str, str], pawns: str) -> Arrangement:
    """Read all armies' pieces from texts such as “Ke1* a2”; `pawns`: kinds taken as unmoved on their second rank.

    Parameters
    ----------
    state : Multiverse
        The boards.
    texts : mapping of str to str
        What each army has; all have to be named, and one may have nothing.
    pawns : str
        The kinds that count as unmoved on their second rank.

    Raises
    ------
    MultiverseError
        It names the army and the piece, and what is wrong.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse.multiverse import half_boards
    >>> boards = half_boards(["white", "yellow"])
    >>> found = read_armies(boards, {"white": "Ke1* Rh1* a2", "yellow": "Kd1 Qwhite.d4"}, "p")
    >>> [(one.kind, one.board, one.square, one.moved) for one in found.pieces]
    [('k', 'white', 4, False), ('r', 'white', 7, False), ('p', 'white', 8, False), ('k', 'yellow', 3, True), \
('q', 'white', 27, True)]
    """
    for name in texts:
        if name not in state.armies:
            raise PlacementError(no_such_army_message(str(name)[:20], state.armies))
    missing = [name for name in state.armies if name not in texts]
    if missing:
        raise PlacementError(
            "pieces-of-an-army-missing",
            "give the pieces of every army, or '' if it has none: {missing} {is_or_are} missing",
            missing=", ".join(missing),
            is_or_are="is" if len(missing) == 1 else "are",
        )
    placeds = [placed for name in state.armies for placed in _read_army_pieces(state, name, texts[name], pawns)]
    return Arrangement(_refuse_shared_squares(state, placeds))


def _read_army_pieces(state: Multiverse, name: str, text: object, pawns: str) -> Iterator[PlacedPiece]:
    """Yield the pieces that a text such as “Ke1* a2” gives to the army with this name."""
    if not isinstance(text, str) or len(text) > MOST_ARRANGEMENT_LETTERS:
        raise PlacementError(
            "pieces-too-long",
            "the pieces of {name} must be text of at most {most} characters",
            name=name,
            most=MOST_ARRANGEMENT_LETTERS,
        )
    army = state.armies[name]
    for word in text.replace(",", " ").split():
        match = _PIECE.fullmatch(word)
        if match is None:
            raise PlacementError(
                "pieces-unreadable",
                "army {name}: can’t read {word!r}. Write pieces like this: 'Ke1 a2 Qgreen.d4'",
                name=name,
                word=word[:20],
            )
        letter, where, moved, royal = match.groups()
        if letter + where.partition(".")[0] in state.boards:  # the name of a board, and no letter of a piece
            letter, where = "", letter + where
        kind = letter.lower() or "p"
        try:
            board, square = state.square(where if "." in where else f"{army.home}.{where}")
        except MultiverseError as error:
            raise PlacementError(
                error.said.embed_in("army {name}, {word!r}: {message}", name=name, word=word[:20])
            ) from None
        still = {"*": True, "'": False}.get(
            moved, _counts_as_unmoved(state.boards[board].geometry, army, kind, board, square, pawns)
        )
        yield PlacedPiece(kind, name, board, square, not still, ROYAL_BY_SIGN[royal])


def _counts_as_unmoved(geometry: Geometry, army: Army, kind: str, board: str, square: int, pawns: str) -> bool:
    """Tell whether a piece without a mark counts as unmoved: one of `pawns` on its second rank at home."""
    rank = square // geometry.files
    return kind in pawns and board == army.home and rank == (geometry.ranks - 2 if army.far else 1)


def write_armies(state: Multiverse, pawns: str) -> dict[str, str]:
    """Return, by army name, the text of its pieces (such as “Ke1* a2”) that `read_armies` can read.

    Parameters
    ----------
    state : Multiverse
    pawns : str
        The kinds that count as unmoved on their second rank.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse.multiverse import half_boards
    >>> write_armies(half_boards(["white", "yellow"]), "p")["yellow"]
    'Kd1* Qe1* Ra1* Rh1* Bc1* Bf1* Nb1* Ng1* a2 b2 c2 d2 e2 f2 g2 h2'
    """
    return {name: write_army(state, name, pawns) for name in state.armies}


def write_army(state: Multiverse, name: str, pawns: str) -> str:
    """Return the text of the pieces of an army, as `write_armies` does."""
    army, words = state.armies[name], []
    for piece in state.own[name]:
        geometry, at_home = state.boards[piece.board].geometry, piece.board == army.home
        square = geometry.name(piece.square)
        letter = "" if piece.kind == "p" and at_home else piece.kind.upper()
        still = _counts_as_unmoved(geometry, army, piece.kind, piece.board, piece.square, pawns)
        moved = "" if still != piece.moved else "'" if piece.moved else "*"
        word = f"{letter}{square if at_home else f'{piece.board}.{square}'}{moved}{SIGN_OF_ROYAL[piece.royal]}"
        order = _ORDER.find(piece.kind) % (len(_ORDER) + 1)
        words.append((order, piece.kind, piece.board, piece.square, word))
    return " ".join([entry[-1] for entry in sorted(words)])


def _refuse_shared_squares(state: Multiverse, pieces: Iterable[PlacedPiece]) -> tuple[PlacedPiece, ...]:
    """Return the pieces as a tuple, or raise an error if two of them share a square."""
    there = set()
    for placed in pieces:
        if (placed.board, placed.square) in there:
            raise PlacementError(
                "two-pieces-on-one-square",
                "there are two pieces on {square}",
                square=state.name(placed.board, placed.square),
            )
        there.add((placed.board, placed.square))
    return tuple(pieces)


# --------------------------------------------------------------------------------------------- by a FEN


def boards_of_fen(state: Multiverse) -> BoardNames:
    """Return the boards that one FEN can describe: all, for two armies on one board or two halves; else `FenError`.

    Raises
    ------
    FenError
        There are others.
    """
    names, armies = tuple(state.boards), tuple(state.armies)
    halves = [board.half for board in state.boards.values()]
    if len(armies) == 2 and halves in ([False], [True, True]):
        return names
    example = ", ".join(f"{name!r}: 'Ke1* a2 …'" for name in armies[:2])
    raise FenError(
        "fen-needs-one-board-with-two-armies",
        "a FEN can describe only one board with two armies, but this game has {boards} boards and {armies} armies. "
        "Give the pieces of every army instead: {{{example}, …}}",
        boards=len(names),
        armies=len(armies),
        example=example,
    )


def read_fen_of_boards(state: Multiverse, text: str, terms: Terms, mover: str | None) -> Arrangement:
    """Read a FEN as pieces to set up on two armies' boards; `mover` is the army whose turn it is.

    Parameters
    ----------
    state : Multiverse
        The boards.
    text : str
        The FEN. Its last two fields count what these boards do not count.
    terms : Terms
        What the law says of castling, en passant and pawns.
    mover : str or None
        The army whose turn it is.

    Raises
    ------
    FenError
        It names the field, and what is wrong there.
    """
    return _FenReader(state, terms).read(text, mover)


class _FenReader:
    """Reader of a FEN for given boards of two armies."""

    def __init__(self, state: Multiverse, terms: Terms) -> None:
        self.state, self.terms = state, terms
        self.names = boards_of_fen(state)
        self.geometry, _, self.origin = state.joined_geometry(self.names)
        first, second = state.armies.values()
        swapped = first.far or first.home == self.names[-1] != self.names[0]
        #: The armies that have letters in upper case and in lower case.
        self.sides = (second.name, first.name) if swapped else (first.name, second.name)

    def read(self, text: str, mover: str | None) -> Arrangement:
        """Read a FEN as an arrangement of pieces; `mover` is the army whose turn it is."""
        fields = read_fen(text, Geometry(self.geometry.files, self.geometry.ranks, holes=self.geometry.holes),
                          ascii_lowercase)  # fmt: skip
        self._check_mover(fields, mover, text)
        pieces = dict(fields.pieces)
        placed_pieces = {local: self._place_letter(local, letter) for local, letter in pieces.items()}
        if set(fields.castling) - set("KQkq-"):
            raise castling_unreadable_error(fields.castling)
        for letter in fields.castling.replace("-", ""):
            for local in self._castling_squares(letter, pieces):
                placed_pieces[local] = replace(placed_pieces[local], moved=False)
        passed = None
        if fields.passed >= 0:
            passed = (*self.origin[fields.passed], list(placed_pieces).index(self._passed_pawn_square(fields, pieces)))
        return Arrangement(tuple(placed_pieces.values()), passed)

    def _check_mover(self, fields: FenFields, mover: str | None, text: str) -> None:
        """Raise an error if the side to move in a FEN is not the army whose turn it is (`mover`)."""
        side, letter = self.sides[fields.black_to_move], "b" if fields.black_to_move else "w"
        if mover is None:
            raise FenError(
                "fen-without-army-on-turn",
                "field 2 (side to move): it isn’t any army’s turn. Give the pieces of every army instead",
            )
        if mover != side:
            raise FenError(
                "fen-names-another-turn",
                "field 2 (side to move): {letter!r} is army {side}, but it is army {mover}’s turn. With the "
                "sides swapped, the FEN is {mirror!r}",
                letter=letter,
                side=side,
                mover=mover,
                mirror=mirror_fen(text),
            )

    def _place_letter(self, local: int, letter: str) -> PlacedPiece:
        """Return the piece that a FEN letter puts on a square; `local` is its number on the joined board."""
        board, square = self.origin[local]
        army, kind, files = self.sides[letter.islower()], letter.lower(), self.geometry.files
        second = self.geometry.ranks - 2 if letter.islower() else 1
        return PlacedPiece(kind, army, board, square, not (kind in self.terms.pawns and local // files == second))

    def _castling_squares(self, letter: str, pieces: Mapping[int, str]) -> tuple[int, int]:
        """Return the squares of king and castling partner for a FEN's castling letter; raise if they do not fit."""
        field, black, files = f"field 3 (castling): {letter!r}", letter.islower(), self.geometry.files
        if not self.terms.castling:
            raise FenError("fen-castling-without-rule", "{field} is given, but no rule lets kings castle", field=field)
        row = (self.geometry.ranks - 1) * files if black else 0
        king, partner = row + 4, row + (files - 1 if letter.lower() == "k" else 0)
        stands = [
            piece_letter if piece_letter.islower() == black else ""
            for piece_letter in (pieces.get(king, ""), pieces.get(partner, ""))
        ]
        kinds = [piece_letter.lower() for piece_letter in stands]
        fits = all(kinds) and kinds[0] in self.terms.royal and kinds[1] in self.terms.castling_rook
        if files != 8 or not fits:
            where = (
                " and ".join(self.geometry.name(at) for at in (king, partner)) if files == 8 else "a board of 8 files"
            )
            raise FenError(
                "fen-castling-without-pieces",
                "{field} needs a king of {army} and a piece it can castle with, on {where}",
                field=field,
                army=self.sides[black],
                where=where,
            )
        return king, partner

    def _passed_pawn_square(self, fields: FenFields, pieces: Mapping[int, str]) -> int:
        """Return the square of the pawn whose double step has just passed the en passant square of a FEN."""
        field, files = "field 4 (en passant)", self.geometry.files
        name = self.geometry.name(fields.passed)
        if not self.terms.en_passant:
            raise FenError(
                "fen-en-passant-without-rule",
                "{field}: {square} is given, but no rule lets pawns be captured en passant",
                field=field,
                square=name,
            )
        ahead = files if fields.black_to_move else -files
        pawn, start = fields.passed + ahead, fields.passed - ahead
        letter = pieces.get(pawn, "")
        theirs = letter.islower() != fields.black_to_move and letter.lower() in self.terms.pawns and letter != ""
        if not theirs or fields.passed in pieces or start in pieces:
            raise FenError(
                "fen-en-passant-without-double-step",
                "{field}: no pawn can have just moved two squares over {square}",
                field=field,
                square=name,
            )
        return pawn


def mirror_fen(text: str) -> str:
    """Return a FEN with White and Black exchanged: ranks reversed, upper and lower case swapped.

    Examples
    --------
    >>> mirror_fen("4k2r/8/8/8/8/8/P7/4K3 b k - 0 1")
    '4k3/p7/8/8/8/8/8/4K2R w K - 0 1'
    >>> mirror_fen("7k/8/K7[Qp] w - - 3+2 0 1")
    'k7/8/7K[qP] b - - 2+3 0 1'
    """
    placement, turn, castling, passed, *more = [*text.split(), "w", "-", "-"][: max(4, len(text.split()))]
    ranks = placement.count("/") + 1
    if passed != "-" and passed[1:].isdecimal():
        passed = f"{passed[0]}{ranks + 1 - int(passed[1:])}"
    rights = "".join(sorted(castling.swapcase(), key="KQkq-".find))
    rows, bracket, hands = placement.swapcase().partition("[")
    rows = "/".join(reversed(rows.split("/"))) + bracket + hands
    more = ["+".join(reversed(field.split("+"))) for field in more]  # checks still to give
    return " ".join([rows, "b" if turn == "w" else "w", rights, passed, *more])
