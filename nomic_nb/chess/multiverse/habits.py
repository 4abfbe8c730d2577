"""python-chess's names for a position, so that code written for ``chess.Board`` runs with one line changed.

There is no second rule book: a `Board` is a `Position`. What is only about orthodox chess, such as pins, is asked of
python-chess itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self

import chess

from nomic_nb.chess.multiverse.arrangement import mirror_fen
from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.generator import Move
from nomic_nb.chess.multiverse.geometry import each_bit, union_of_bits
from nomic_nb.chess.multiverse.notation import START_FEN, origin_in_uci, piece_letters
from nomic_nb.chess.multiverse.position_state import Outcome, PositionState, generator_view
from nomic_nb.chess.multiverse.positions import Position, position
from nomic_nb.engine.arguments import explain_all_argument_errors
from nomic_nb.engine.errors import NoSuchName

_TYPES = {symbol: kind for kind, symbol in enumerate(chess.PIECE_SYMBOLS) if symbol}
_TERMINATIONS = {
    "checkmate": "CHECKMATE", "stalemate": "STALEMATE", "75 moves": "SEVENTYFIVE_MOVES",
    "fivefold repetition": "FIVEFOLD_REPETITION", "only royal pieces left": "INSUFFICIENT_MATERIAL",
    "insufficient material": "INSUFFICIENT_MATERIAL", "threefold repetition": "THREEFOLD_REPETITION",
    "50 moves": "FIFTY_MOVES",
}  # fmt: skip
_OTHER_WAY = str.maketrans("lr", "rl")


class Colour(str):
    """A side: reads as ``white`` or ``black``, and equals ``chess.WHITE`` (True) or ``chess.BLACK`` (False).

    In a set or as a key of a dictionary it is python-chess's colour; there, ``str(colour)`` is the text.

    Examples
    --------
    >>> Colour("white") == chess.WHITE, Colour("black") == "black", ~Colour("white")
    (True, True, 'black')
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return bool(self) is other if isinstance(other, bool) else str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(bool(self))

    def __bool__(self) -> bool:
        return str.__eq__(self, "white")

    def __invert__(self) -> Colour:
        return Colour("black" if self else "white")


class _Result(str):
    """A result that can also be called, as python-chess's method."""

    __slots__ = ()

    def __call__(self) -> str:
        return str(self)


class BoardOutcome(Outcome):
    """How a game ended, with python-chess's names as well: ``termination``, ``winner`` as a colour, ``result()``."""

    __slots__ = ()

    @property
    def termination(self) -> chess.Termination:
        """The reason as python-chess has it; a goal of another game is ``VARIANT_WIN`` or ``VARIANT_DRAW``."""
        other = "VARIANT_WIN" if self.winner is not None else "VARIANT_DRAW"
        return chess.Termination[_TERMINATIONS.get(self.reason, other)]

    @property
    def result(self) -> _Result:
        """The result in PGN notation, such as ``1-0``; it may be called."""
        return _Result(Outcome(self.reason, "" if self.winner is None else str(self.winner)).result)


class BoardMove(chess.Move):
    """A move as python-chess has it, which keeps its own text on boards and with pieces that python-chess lacks."""

    def __init__(self, move: Move) -> None:
        kind = move[0].lower() if "@" in move else ""
        promotion, drop = (_TYPES.get(letter, letter) or None for letter in (move.promotion, kind))
        super().__init__(move.origin, move.target, promotion, drop)  # type: ignore[arg-type]
        self.text = move.uci()

    def uci(self) -> str:
        """Return the move in UCI notation."""
        return self.text

    def __eq__(self, other: object) -> bool:
        return self.text == other.uci() if isinstance(other, chess.Move) else NotImplemented

    __hash__ = chess.Move.__hash__


class Piece(chess.Piece):
    """A piece of any kind; ``piece_type`` is python-chess's number or, for other kinds, the letter."""

    def symbol(self) -> str:
        """Return its letter, upper case for White."""
        kind: int | str = self.piece_type
        letter = kind if isinstance(kind, str) else chess.piece_symbol(kind)
        return letter.upper() if self.color else letter


class LegalMoves:
    """The legal moves of a board; iterate over them, count them, or ask whether a move is among them."""

    def __init__(self, board: Board) -> None:
        self._board = board

    def __iter__(self) -> Iterator[BoardMove]:
        return map(BoardMove, Position.moves(self._board))

    def __contains__(self, move: object) -> bool:
        return _move_text(move) in Position.moves(self._board)

    def count(self) -> int:
        """Return how many there are."""
        return Position.count(self._board)

    __len__ = count

    def __bool__(self) -> bool:
        return bool(self.count())

    def __repr__(self) -> str:
        sans = ", ".join(self._board.san(move) for move in Position.moves(self._board))
        return f"<LegalMoves ({sans})>"


class Movements(dict[str, str]):
    """The movements of a board's pieces by kind; called with a kind and a colour, the squares of those pieces."""

    def __init__(self, board: Board) -> None:
        super().__init__(board.__dict__["pieces"])
        self._board = board

    def __call__(self, piece_type: int | str, color: object) -> Any:
        """Return the squares with pieces of this kind and colour."""
        board = self._board
        kind = board.rules.classes.get(piece_type if isinstance(piece_type, str) else chess.piece_symbol(piece_type))
        return board.squares_of_bits(0 if kind is None else board._state.sides[_side(color)][kind])


def _side(color: object) -> int:
    """Return 0 for White and 1 for Black, from a name or python-chess's colour."""
    if color in ("white", "black") or isinstance(color, bool):
        return int(color in ("black", False))
    raise MultiverseError(
        "colour-unknown",
        "a colour must be 'white' or 'black', or chess.WHITE or chess.BLACK, not {found!r}",
        found=color,
    )


def _move_text(move: object) -> Any:
    """Return a move as the text of a position's move."""
    return move.uci() if isinstance(move, chess.Move) else move


def _as_in_python_chess(value: Any) -> Any:
    """Return a colour or a square given by name, or a move in UCI, as python-chess has it; anything else unchanged."""
    if value in ("white", "black"):
        return value == "white"
    if isinstance(value, str) and value in chess.SQUARE_NAMES:
        return chess.parse_square(value)
    return chess.Move.from_uci(value) if isinstance(value, str) and origin_in_uci(value) else value


class Board(Position):
    """A position with python-chess's names.

    Squares are names or numbers, moves are texts or ``chess.Move``. On boards without 8 files, square numbers count
    along the files there are, and sets of squares are Python sets. Names that python-chess has and this class lacks,
    such as ``is_pinned`` and ``lan``, work in orthodox chess only.

    Parameters
    ----------
    fen : str
    pieces : mapping of str to str, optional
    **options : object
        As for :func:`~nomic_nb.chess.multiverse.positions.position`.

    Examples
    --------
    >>> board = Board()
    >>> for san in ("e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7"):
    ...     move = board.push_san(san)
    >>> board.is_checkmate(), board.turn == chess.BLACK, board.outcome().termination.name
    (True, True, 'CHECKMATE')
    """

    starting_fen = START_FEN
    aliases = ("Standard",)

    def __init__(self, fen: str = START_FEN, pieces: Mapping[str, Any] | None = None, **options: Any) -> None:
        self.__dict__.update(position(fen, pieces, **options).__dict__)

    def __getattr__(self, name: str) -> Any:
        if name.startswith(("_", "push", "pop")) or not hasattr(chess.Board, name):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        try:
            board = self.to_chess()
        except MultiverseError as error:
            raise NoSuchName(error.said) from None
        found, before = getattr(board, name), board.fen()
        if not callable(found):
            return found

        def called(*given: Any, **named: Any) -> Any:
            answer = found(*map(_as_in_python_chess, given), **named)
            if board.fen() != before:
                self.set_fen(board.fen(en_passant="fen"))
            return answer

        return called

    # Sides, squares and pieces

    @property
    def turn(self) -> Colour:
        """Side to move, which equals both its name and python-chess's colour."""
        return Colour(super().turn)

    @turn.setter
    def turn(self, color: object) -> None:
        self._change(self._state._replace(side=_side(color), passed=0, passed_piece=0))

    @property
    def pieces(self) -> Movements:  # type: ignore[override]
        """Movements by kind; ``pieces(chess.PAWN, chess.WHITE)`` gives squares."""
        return Movements(self)

    def _change(self, state: PositionState) -> None:
        """Continue from another state, without the moves so far."""
        self._state, self._moves, self._past = state, None, []

    def square(self, square: int | str) -> int:
        """Return the number of a square, given by name or number."""
        return self.geometry.square(square if isinstance(square, str) else self.geometry.name(square))

    def squares_of_bits(self, bits: int) -> Any:
        """Return the squares in a bit mask: as ``chess.SquareSet`` on a board of 8 x 8, otherwise as a set."""
        if (self.geometry.files, self.geometry.ranks) == (8, 8):
            return chess.SquareSet(bits)
        return {bit.bit_length() - 1 for bit in each_bit(bits)}

    def piece_map(self) -> dict[int, Piece]:
        """Return the pieces by square number."""
        return {
            square: Piece(_TYPES.get(letter.lower(), letter.lower()), letter.isupper())  # type: ignore[arg-type]
            for square, letter in piece_letters(self._state, self.rules).items()
        }

    def piece_at(self, square: int | str) -> Piece | None:
        """Return the piece on a square; None if it is empty."""
        return self.piece_map().get(self.square(square))

    def king(self, color: object) -> int | None:
        """Return the square of a side's first royal piece; None without one."""
        bits = self.rules.royals(self._state.sides[_side(color)])
        return (bits & -bits).bit_length() - 1 if bits else None

    def attackers(self, color: object, square: int | str) -> Any:
        """Return the squares of a side's pieces that attack a square."""
        side = _side(color)
        view = generator_view(self._state._replace(side=1 - side), self.rules)
        occupied = view.own | view.capturable
        bit = 1 << self.square(square)
        return self.squares_of_bits(union_of_bits(self.rules.generators[1 - side].attackers(bit, view, occupied)))

    def is_attacked_by(self, color: object, square: int | str) -> bool:
        """Tell whether a side attacks a square."""
        return bool(self.attackers(color, square))

    def checkers(self) -> Any:
        """Return the squares of the pieces that give check."""
        return self.squares_of_bits(self._checkers)

    # Moves

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves."""
        return LegalMoves(self)

    @property
    def move_stack(self) -> list[BoardMove]:
        """The moves made so far."""
        return [BoardMove(move) for _, move, _ in self._past]

    def find(self, text: Any) -> Move:
        """Return the legal move that a text or a ``chess.Move`` names."""
        return super().find(_move_text(text))

    def push(self, move: Any) -> Board:
        """Make a move in place and return this board."""
        super().push(_move_text(move))
        return self

    def push_san(self, san: str) -> BoardMove:
        """Make a move given in algebraic or UCI notation, and return it."""
        return self.push(san).peek()

    push_uci = push_san

    def pop(self) -> BoardMove:  # type: ignore[override]
        """Take back the last move and return it."""
        return BoardMove(super().pop())

    def peek(self) -> BoardMove:
        """Return the last move."""
        return self.move_stack[-1]

    def parse_san(self, san: str) -> BoardMove:
        """Return the legal move that a text names."""
        return BoardMove(self.find(san))

    parse_uci = parse_san

    def is_legal(self, move: object) -> bool:
        """Tell whether a move is legal."""
        return move in self.legal_moves

    def is_capture(self, move: Any) -> bool:
        """Tell whether a move captures."""
        return bool(self.find(move).taken)

    def is_castling(self, move: Any) -> bool:
        """Tell whether a move is castling."""
        return self.find(move).partner is not None

    def gives_check(self, move: Any) -> bool:
        """Tell whether a move gives check."""
        return self.after(move).in_check

    # The state of the game

    def is_check(self) -> bool:
        """Tell whether the side to move is in check."""
        return self.in_check

    def is_checkmate(self) -> bool:
        """Tell whether the side to move is checkmated."""
        return self.in_check and not self.count()

    def is_stalemate(self) -> bool:
        """Tell whether the side to move has no move and is not in check."""
        return not self.in_check and not self.count()

    def is_insufficient_material(self) -> bool:
        """Tell whether neither side can win; in altered chess, whether only royal pieces are left."""
        if self.is_orthodox:
            return chess.Board(self.fen()).is_insufficient_material()
        found = super().outcome(draws=True)
        return found is not None and found.reason == "only royal pieces left"

    def is_repetition(self, count: int = 3) -> bool:
        """Tell whether the position has occurred so many times."""
        return self.occurrences() >= count

    def can_claim_draw(self) -> bool:
        """Tell whether the position has occurred three times, or 50 moves went by without a capture or pawn move."""
        return self.is_repetition() or self._state.halfmoves >= 100

    def outcome(self, claim_draw: bool = False, *, draws: bool = True) -> BoardOutcome | None:
        """Return the outcome of the game, or None; with `claim_draw`, draws that a player could claim count."""
        found = super().outcome(draws=draws)
        if found is None and draws and self.is_insufficient_material():
            found = Outcome("insufficient material", "")
        if found is None and claim_draw and self.can_claim_draw():
            found = Outcome("threefold repetition" if self.is_repetition() else "50 moves", "")
        winner = str(found.winner) if found else ""
        return found and BoardOutcome(found.reason, Colour(winner) if winner else None)  # type: ignore[arg-type]

    def is_game_over(self, *, claim_draw: bool = False) -> bool:
        """Tell whether the game is over."""
        return self.outcome(claim_draw) is not None

    def result(self, *, claim_draw: bool = False) -> str:
        """Return the result in PGN notation; ``*`` if the game is not over."""
        found = self.outcome(claim_draw)
        return found.result() if found else "*"

    @property
    def halfmove_clock(self) -> int:
        """Half moves since the last capture or pawn move."""
        return self._state.halfmoves

    @property
    def fullmove_number(self) -> int:
        """Number of the move to come."""
        return self._state.number

    @property
    def ep_square(self) -> int | None:
        """The square that a double step has just passed; None after any other move."""
        return self._state.passed.bit_length() - 1 if self._state.passed else None

    @property
    def chess960(self) -> bool:
        """False. python-chess asks before it writes a game, which it can only in orthodox chess."""
        self.to_chess()
        return False

    def ply(self) -> int:
        """Return the number of half moves since the start of the game, by the move number."""
        return 2 * (self._state.number - 1) + self._state.side

    # Whole boards

    def board_fen(self) -> str:
        """Return the pieces as the first field of a FEN."""
        return self.fen().split()[0]

    def epd(self) -> str:
        """Return the position as EPD: a FEN without its two numbers."""
        return " ".join(self.fen().split()[:-2])

    def set_fen(self, fen: str) -> None:
        """Set up another position with the same pieces and options."""
        self.__init__(fen, **self.options() | {"moved": ""})  # type: ignore[misc]

    def root(self) -> Self:
        """Return the position before the first move."""
        board = self.copy()
        if board._past:
            board._change(board._past[0][0])
        return board

    def copy(self, *, stack: bool = True) -> Self:
        """Return a copy that can be played independently, without the moves so far if `stack` is False."""
        other = super().copy()
        if not stack:
            other._change(self._state)
        return other

    def mirror(self) -> Board:
        """Return the position with sides swapped, and with them all options that differ by side."""
        options, last = self.options(), self.geometry.ranks + 1
        for name, value in options.items():
            if isinstance(value, dict) and set(value) == {"white", "black"}:
                options[name] = dict(zip(value, reversed(value.values()), strict=True))
        # Black faces White: whose left was on the a-file's side has it on the other.
        armies = (self.armies[1], self.armies[0])
        turned = [{kind: text.translate(_OTHER_WAY) for kind, text in army.items()} for army in armies]
        options["pieces"] = dict(zip(("white", "black"), turned, strict=True))
        moved = options.get("moved", "").split()
        options["moved"] = " ".join(f"{square[0]}{last - int(square[1:])}" for square in moved)
        return type(self)(mirror_fen(self.fen()), **options)

    def __str__(self) -> str:
        return super().__str__().rpartition("\n")[0]


explain_all_argument_errors(Board)
