"""All boards, armies and pieces of a game, as one value that never changes.

Every change returns a new multiverse that shares what stayed the same. A piece keeps its number whatever
becomes of it: moved, promoted, converted, carried to another board.

The first line names the form. Then follow lines for armies, in batting order, boards, and passed squares::

    multiverse 1 rotate 33
    army A white controller=white home=white colour=white mark=0 far=no hand=white
    board white half 8x4 wraps=none holes=none
    on white 8/8/Ap#9,Ap#10,6/Ar#1,An#2,Ab#3,Aq#4,Ak#5,3

A placement goes from the last rank to the first, as in FEN; pieces and numbers of empty squares have commas
between them. A piece is the code of its army in upper case and its kind in lower case, with ``'`` if it has
moved, ``!`` if designated royal or ``~`` if a dummy, ``#`` and its number, and
``@`` with the code of the army and the number of the board it started with, where those are others.
Names are percent-encoded. Boards in plain text, side by side, are for where nothing can be drawn; they are not read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from types import MappingProxyType
from urllib.parse import quote

from nomic_nb.chess.multiverse.errors import GeometryError, MoveError, PlacementError
from nomic_nb.chess.multiverse.geometry import FILES, HALF_BOARD, Geometry, join_boards, unknown_join_error
from nomic_nb.chess.multiverse.notation import collapse_empty_squares
from nomic_nb.chess.multiverse.pieces import (
    SIGN_OF_ROYAL,
    STARTING_HANDS,
    Army,
    Board,
    BoardMove,
    BoardNames,
    Passing,
    Piece,
    Place,
    army_colour_and_mark,
    not_a_kind_message,
)
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.messages import Message, say

# ------------------------------------------------------------------------------------------------------ all boards


#: Boards as one: its squares, the number that each square of each board has on it, and the place of each number.
BoardJoin = tuple[Geometry, Sequence[tuple[int, ...]], Mapping[int, Place]]


@lru_cache(maxsize=256)
def _join_geometries(names: BoardNames, geometries: tuple[Geometry, ...], join: str) -> BoardJoin:
    """Return the joined board, each board's square numbers on it, and (board, square) by number on it."""
    geometry, places = geometries[0], [tuple(range(geometries[0].size))]
    if len(geometries) > 1:
        geometry, *places = join_boards(*geometries, join)
    origin = {at: (name, square) for name, where in zip(names, places, strict=True) for square, at in enumerate(where)}
    return geometry, places, origin


@lru_cache(maxsize=256)
def _joined_square_names(names: BoardNames, geometries: tuple[Geometry, ...], join: str) -> Mapping[int, str]:
    """Return the names of all squares, such as ``white.e2``, by their numbers on the joined board."""
    origin, of_board = _join_geometries(names, geometries, join)[2], dict(zip(names, geometries, strict=True))
    return {at: f"{board}.{of_board[board].name(square)}" for at, (board, square) in origin.items()}


@frozen
class Multiverse:
    """All boards, armies and pieces of a game, as a value that never changes.

    Attributes
    ----------
    boards : Mapping[str, Board]
    armies : Mapping[str, Army]
        In batting order.
    pieces : Mapping[int, Piece]
        Those on a board, by number.
    join : str
        How half-boards are put together: ``rotate`` or ``reflect``.
    passings : tuple[Passing, ...]
    next_id : int

    Examples
    --------
    >>> game = half_boards(["white", "yellow", "green"])
    >>> len(game.boards), len(game.pieces)
    (3, 48)
    >>> game.at("white.e1").kind, game.at("yellow.d1").kind
    ('k', 'k')
    """

    boards: Mapping[str, Board]
    armies: Mapping[str, Army]
    pieces: Mapping[int, Piece]
    join: str = "rotate"
    passings: tuple[Passing, ...] = ()
    next_id: int = 1

    def __post_init__(self) -> None:
        for name in ("boards", "armies", "pieces"):
            value = getattr(self, name)
            if not isinstance(value, MappingProxyType):
                object.__setattr__(self, name, MappingProxyType(value))

    def __reduce__(self) -> tuple[type[Multiverse], tuple[object, ...]]:
        plain = [dict(held) for held in (self.boards, self.armies, self.pieces)]  # a read-only view is not pickled
        return Multiverse, (*plain, self.join, self.passings, self.next_id)

    @cached_property
    def standing(self) -> Mapping[str, Mapping[int, Piece]]:
        """The pieces on the boards, by board name and square number."""
        by_board: dict[str, dict[int, Piece]] = {name: {} for name in self.boards}
        for piece in self.pieces.values():
            by_board[piece.board][piece.square] = piece
        return by_board

    @cached_property
    def own(self) -> Mapping[str, tuple[Piece, ...]]:
        """The pieces on the boards, by army name, in the order of their numbers."""
        by_army: dict[str, list[Piece]] = {name: [] for name in self.armies}
        for _, piece in sorted(self.pieces.items()):
            by_army[piece.army].append(piece)
        return {name: tuple(pieces) for name, pieces in by_army.items()}

    def armies_on(self, boards: Iterable[str]) -> tuple[str, ...]:
        """Return the names of the armies with pieces on these boards, in the order of `armies`."""
        there = {piece.army for board in boards for piece in self.standing[board].values()}
        return tuple(army for army in self.armies if army in there)

    # Names

    def square(self, name: str) -> Place:
        """Return the board and the number of a square from its name, such as ``white.e2``.

        Raises
        ------
        GeometryError
        """
        board, dot, square = name.rpartition(".")
        if not dot:
            raise GeometryError(
                "square-without-board", "{square!r} isn’t a square; write a square as 'board.e4'", square=name
            )
        return board, self._find_board(board).geometry.square(square)

    def name(self, board: str, square: int) -> str:
        """Return the name of a square, such as ``white.e2``."""
        return f"{board}.{self._find_board(board).geometry.name(square)}"

    def at(self, name: str) -> Piece | None:
        """Return the piece on the square with this name, such as ``white.e2``; None if the square is empty."""
        board, square = self.square(name)
        return self.standing[board].get(square)

    def _find_board(self, name: str) -> Board:
        """Return the board of this name, or raise an error if there is none."""
        if name not in self.boards:
            raise GeometryError(
                "no-such-board",
                "there is no board called {board!r}; the boards are {boards}",
                board=name,
                boards=", ".join(self.boards),
            )
        return self.boards[name]

    def _find_army(self, name: str) -> Army:
        """Return the army of this name, or raise an error if there is none."""
        if name not in self.armies:
            raise PlacementError(no_such_army_message(name, self.armies))
        return self.armies[name]

    def _find_piece(self, number: int) -> Piece:
        """Return the piece of this number, or raise an error if there is none on the boards."""
        if number not in self.pieces:
            raise PlacementError(
                "no-piece-with-this-number", "no piece on the boards has the number {piece}", piece=number
            )
        return self.pieces[number]

    def joined_geometry(self, names: Sequence[str]) -> BoardJoin:
        """Return the joined board, each board's square numbers on it, and (board, square) by number on it.

        Raises
        ------
        GeometryError
            If two boards do not go together.
        """
        return _join_geometries(tuple(names), tuple([self.boards[name].geometry for name in names]), self.join)

    def joined_square_names(self, names: Sequence[str]) -> Mapping[int, str]:
        """Return the names of the squares of some boards, such as ``white.e2``, by their numbers when joined."""
        return _joined_square_names(tuple(names), tuple([self.boards[name].geometry for name in names]), self.join)

    # Changes

    def with_pieces(self, *pieces: Piece) -> Multiverse:
        """Return the multiverse with these pieces added, replacing those with the same numbers."""
        return replace(self, pieces={**self.pieces, **{piece.id: piece for piece in pieces}})

    def add_board(self, board: Board) -> Multiverse:
        """Return the multiverse with a new board."""
        if board.name in self.boards or "." in board.name or not board.name:
            raise GeometryError(
                "board-name-unusable",
                "a new board can’t be called {board!r}: it needs a new name without a dot",
                board=board.name,
            )
        return replace(self, boards={**self.boards, board.name: board})

    def add_army(self, army: Army, *, array: bool = True) -> Multiverse:
        """Return the multiverse with a new army; its starting pieces are set up unless `array` is False."""
        if army.name in self.armies:
            raise PlacementError("army-name-taken", "there is already an army called {army!r}", army=army.name)
        home = self._find_board(army.home)
        state = replace(self, armies={**self.armies, army.name: army})
        if not array:
            return state
        files = home.geometry.files
        row = STARTING_HANDS[army.hand] if files == 8 else ""
        if not row:
            raise PlacementError(
                "array-needs-eight-files",
                "the array needs 8 files, but board {board!r} has {files}",
                board=home.name,
                files=files,
            )
        # Seen from the far side, files run the other way.
        last = home.geometry.size - 1
        for rank, kinds in ((0, row), (1, "p" * 8)):
            for file, kind in enumerate(kinds):
                square = rank * files + file
                state = state.place(kind, army.name, home.name, last - square if army.far else square)
        return state

    def place(
        self, kind: str, army: str, board: str, square: int, *, moved: bool = False, royal: bool | None = None
    ) -> Multiverse:
        """Return the multiverse with a new piece on a square; it takes the next free number.

        Raises
        ------
        PlacementError
            If the square is taken, a hole or not there, or the kind is not a letter.
        """
        self._find_army(army)
        _check_kind_letter(kind)
        self._check_square_free(board, square)
        piece = Piece(self.next_id, kind, army, board, square, board, army, moved, royal)
        return replace(self.with_pieces(piece), next_id=self.next_id + 1)

    def _check_square_free(self, board: str, square: int) -> None:
        """Refuse a square that is taken, a hole or off the board."""
        geometry = self._find_board(board).geometry
        if not 0 <= square < geometry.size or square in geometry.holes:
            raise PlacementError(
                "square-not-on-board",
                "board {board!r} has no square {square}, or it is a hole",
                square=square,
                board=board,
            )
        if square in self.standing[board]:
            raise PlacementError("square-taken", "{square} is already occupied", square=self.name(board, square))

    def remove(self, *numbers: int) -> Multiverse:
        """Return the multiverse without the pieces with these numbers."""
        for number in numbers:
            self._find_piece(number)
        kept = {key: piece for key, piece in self.pieces.items() if key not in numbers}
        return replace(self, pieces=kept, passings=self.passings_without(*numbers))

    def passings_without(self, *numbers: int) -> tuple[Passing, ...]:
        """Return the double steps that can now be captured en passant, except by the pieces with these numbers."""
        return tuple(passing for passing in self.passings if passing.piece not in numbers)

    def convert(self, number: int, army: str) -> Multiverse:
        """Return the multiverse with the piece of this number in another army."""
        self._find_army(army)
        return self.with_pieces(replace(self._find_piece(number), army=army))

    def promote(self, number: int, kind: str) -> Multiverse:
        """Return the multiverse with the piece of this number turned into another kind, higher or lower."""
        _check_kind_letter(kind)
        return self.with_pieces(replace(self._find_piece(number), kind=kind, moved=True))

    def crown(self, number: int, royal: bool | None) -> Multiverse:
        """Return the multiverse with a piece made royal (True), not royal (False), or royal if its kind is (None)."""
        return self.with_pieces(replace(self._find_piece(number), royal=royal))

    def carry_pieces(self, to: Mapping[int, Place]) -> Multiverse:
        """Return the multiverse with pieces, by number, carried to the squares in `to`, all at once."""
        moved = (replace(self._find_piece(id), board=where[0], square=where[1], moved=True) for id, where in to.items())
        return replace(self.with_pieces(*moved), passings=self.passings_without(*to))

    def drop(self, piece: Piece, army: str, board: str, square: int) -> Multiverse:
        """Return the multiverse with a captured piece put on an empty square, as a piece of this army.

        Raises
        ------
        PlacementError
        """
        self._find_army(army)
        self._check_square_free(board, square)
        return self.with_pieces(replace(piece, army=army, board=board, square=square, moved=True))

    def with_controller(self, army: str, controller: str) -> Multiverse:
        """Return the multiverse with an army under another player's control."""
        changed = replace(self._find_army(army), controller=controller)
        return replace(self, armies={**self.armies, army: changed})

    def grow(self, board: str, *, front: int = 0, back: int = 0, left: int = 0, right: int = 0) -> Multiverse:
        """Return the multiverse with a board enlarged on some sides; pieces stay on the squares they stood on.

        Raises
        ------
        GeometryError
        """
        old = self._find_board(board)
        geometry, where = old.geometry.grow(front=front, back=back, left=left, right=right)
        pieces = {
            number: replace(piece, square=where[piece.square]) if piece.board == board else piece
            for number, piece in self.pieces.items()
        }
        passings = tuple(
            replace(passing, square=where[passing.square]) if passing.board == board else passing
            for passing in self.passings
        )
        boards = {**self.boards, board: replace(old, geometry=geometry)}
        return replace(self, boards=boards, pieces=pieces, passings=passings)

    def reshape(self, board: str, geometry: Geometry) -> Multiverse:
        """Return the multiverse with a board given other holes or joined edges, its size unchanged.

        Raises
        ------
        PlacementError
            If a piece would stand on a hole.
        GeometryError
            If the size differs.
        """
        old = self._find_board(board)
        if (geometry.files, geometry.ranks) != (old.geometry.files, old.geometry.ranks):
            raise GeometryError("board-shape-fixed", "a board can change its size only by growing")
        for square in self.standing[board]:
            if square in geometry.holes:
                raise PlacementError(
                    "piece-stands-on-new-hole",
                    "{square} can’t become a hole: there is a piece on it",
                    square=self.name(board, square),
                )
        return replace(self, boards={**self.boards, board: replace(old, geometry=geometry)})

    def moved_piece(self, move: BoardMove) -> Piece:
        """Return the piece that a move moves, as it is after the move."""
        piece = self.pieces[move.piece]
        kind = move.promotion or piece.kind
        return Piece(piece.id, kind, piece.army, *move.target, piece.home, piece.born, True, piece.royal)

    def play(self, move: BoardMove) -> Multiverse:
        """Return the multiverse after a move.

        Raises
        ------
        MoveError
            If the piece is no longer where the move starts.
        """
        piece = self.pieces.get(move.piece)
        if piece is None or (piece.board, piece.square) != move.origin:
            raise MoveError("moving-piece-gone", "{move}: the piece is no longer there", move=move.text)
        pieces = {number: remaining for number, remaining in self.pieces.items() if number not in move.taken}
        pieces[piece.id] = self.moved_piece(move)
        if move.partner is not None:
            number, square = move.partner
            pieces[number] = replace(pieces[number], square=square, moved=True)
        passings = self.passings_without(piece.id, *move.taken)
        if move.passed is not None:
            passings = (*passings, Passing(*move.passed, piece.id))
        return replace(self, pieces=pieces, passings=passings)


def _check_kind_letter(kind: str) -> None:
    """Refuse a kind of piece that is not one lower-case letter."""
    if not (len(kind) == 1 and kind.isascii() and kind.islower()):
        raise PlacementError(not_a_kind_message(kind))


def no_such_army_message(name: str, armies: Iterable[str]) -> Message:
    """Return the message that there is no army of this name, with the names of the armies."""
    known = ", ".join(armies)
    return say("no-such-army", "there is no army called {army!r}; the armies are {armies}", army=name, armies=known)


def half_boards(
    armies: Iterable[str],
    *,
    join: str = "rotate",
    hands: str = "alternate",
) -> Multiverse:
    """Return a multiverse with a half-board for each army, set up as at the start of Nomic Chess.

    Parameters
    ----------
    armies : iterable of str
        Names of the armies, in batting order; each board has the same name as its army.
    join : str
        ``rotate`` or ``reflect``.
    hands : str
        ``alternate`` (White's and Black's in turn) or ``alike``.

    Raises
    ------
    PlacementError
        There are fewer than two armies, a name is used twice, or ``hands`` is unknown.

    Examples
    --------
    >>> half_boards(["white", "yellow"]).armies["yellow"].hand
    'black'
    """
    names = list(armies)
    if len(names) < 2 or len(set(names)) != len(names):
        raise PlacementError(
            "half-boards-need-named-armies", "half-boards need two or more armies, each with a different name"
        )
    if hands not in ("alternate", "alike"):
        raise PlacementError("no-such-hands", "hands must be 'alternate' or 'alike', not {found!r}", found=hands)
    if join not in ("rotate", "reflect"):
        raise unknown_join_error(join)
    state = Multiverse({}, {}, {}, join)
    for number, name in enumerate(names):
        colour, mark = army_colour_and_mark(number)
        hand = "black" if hands == "alternate" and number % 2 else "white"
        state = state.add_board(Board(name, HALF_BOARD, half=True))
        state = state.add_army(Army(name, name, name, colour, mark, hand=hand))
    return state


# -------------------------------------------------------------------------------------------- a multiverse as text


_quote = partial(quote, safe="")


def army_code(number: int) -> str:
    """Return the code in texts of the army with this number, from 0: A to Z, then AA, AB and so on."""
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(65 + rest) + text
    return text


def write_multiverse(state: Multiverse) -> str:
    """Return a multiverse as text, with one line for each army and two for each board.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse.multiverse import half_boards
    >>> print(write_multiverse(half_boards(["white", "yellow"])).splitlines()[0])
    multiverse 1 rotate 33
    """
    codes = {name: army_code(number) for number, name in enumerate(state.armies)}
    boards = {name: number for number, name in enumerate(state.boards)}

    def written(piece: Piece) -> str:
        start = ""
        if (piece.born, piece.home) != (piece.army, piece.board):
            start = f"@{codes[piece.born]}{boards[piece.home]}"
        royal, moved = SIGN_OF_ROYAL[piece.royal], chr(39) if piece.moved else ""
        return f"{codes[piece.army]}{piece.kind}{moved}{royal}#{piece.id}{start}"

    lines = [f"multiverse 1 {state.join} {state.next_id}"]
    for army in state.armies.values():
        name, controller, home = map(_quote, (army.name, army.controller, army.home))
        lines.append(
            f"army {codes[army.name]} {name} controller={controller} home={home} "
            f"colour={army.colour} mark={army.mark} far={'yes' if army.far else 'no'} hand={army.hand}"
        )
    for board in state.boards.values():
        geometry = board.geometry
        holes = ",".join(map(geometry.name, sorted(geometry.holes))) or "none"
        lines.append(
            f"board {_quote(board.name)} {'half' if board.half else 'whole'} "
            f"{geometry.files}x{geometry.ranks} wraps={geometry.wraps or 'none'} holes={holes}"
        )
        marks = {square: written(piece) for square, piece in state.standing[board.name].items()}
        placement = "/".join(",".join(collapse_empty_squares(marks.get(at, "") for at in row)) for row in geometry.rows)
        lines.append(f"on {_quote(board.name)} {placement}")
    lines += [f"passed {_quote(passing.board)} {passing.square} {passing.piece}" for passing in state.passings]
    return "\n".join(lines) + "\n"


#: Boards beside one another.
BOARDS_ACROSS = 3
#: What armies are called on the boards, in batting order.
_SIGNS = "123456789abcdefghijklmnopqrstuvwxyz"


def army_sign(state: Multiverse, army: str) -> str:
    """Return the sign of an army's pieces in plain text, by its place in the order: 1 to 9, then a to z."""
    return _SIGNS[list(state.armies).index(army) % len(_SIGNS)]


def boards_in_plain_text(state: Multiverse) -> str:
    """Return all boards drawn in plain text, side by side.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse.multiverse import half_boards
    >>> print(boards_in_plain_text(half_boards(["white", "yellow"])))
    white                        yellow
    4  .  .  .  .  .  .  .  .    4  .  .  .  .  .  .  .  .
    3  .  .  .  .  .  .  .  .    3  .  .  .  .  .  .  .  .
    2 1P 1P 1P 1P 1P 1P 1P 1P    2 2P 2P 2P 2P 2P 2P 2P 2P
    1 1R 1N 1B 1Q 1K 1B 1N 1R    1 2R 2N 2B 2K 2Q 2B 2N 2R
       a  b  c  d  e  f  g  h       a  b  c  d  e  f  g  h
    """
    signs = {army: army_sign(state, army) for army in state.armies}
    blocks = [
        _board_lines(
            board, tuple([(at, signs[piece.army] + piece.kind.upper()) for at, piece in state.standing[name].items()])
        )
        for name, board in state.boards.items()
    ]
    lines = []
    for start in range(0, len(blocks), BOARDS_ACROSS):
        row = blocks[start : start + BOARDS_ACROSS]
        high = max(len(block) for block in row)
        raised = [[block[0], *[""] * (high - len(block)), *block[1:]] for block in row]
        wide = [max(map(len, block)) for block in row]
        lines += [
            "    ".join(block[at].ljust(width) for block, width in zip(raised, wide, strict=True)).rstrip()
            for at in range(high)
        ]
    return "\n".join(lines)


@lru_cache(maxsize=64)
def _board_lines(board: Board, marks: tuple[tuple[int, str], ...]) -> tuple[str, ...]:
    """Return the lines of one board drawn in plain text, with marks on squares; a move changes few boards."""
    geometry, marked = board.geometry, dict(marks)
    lines = [board.name]
    for rank, row in zip(range(geometry.ranks, 0, -1), geometry.rows, strict=True):
        cells = [marked.get(at, "  " if at in geometry.holes else " .") for at in row]
        lines.append(f"{rank:<2}" + " ".join(cells))
    return (*lines, "   " + "  ".join(FILES[: geometry.files]))
