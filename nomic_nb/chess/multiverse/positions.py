"""A chess position of two armies, with whatever movements and terms the law gives it."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Self, TypeVar

from nomic_nb.chess.kernel import MOST_DEPTH, load_library
from nomic_nb.chess.multiverse.errors import MoveError, MultiverseError
from nomic_nb.chess.multiverse.extra_rules import extra_rules_for, read_extra, split_fen
from nomic_nb.chess.multiverse.generator import Move
from nomic_nb.chess.multiverse.geometry import UNIVERSE, Geometry, each_bit
from nomic_nb.chess.multiverse.kernel_tables import COMPILED, kernel_for, kernel_lists, words_of_state
from nomic_nb.chess.multiverse.notation import (
    START_FEN,
    board_of_fen,
    castling_files_of_fen,
    find_san,
    origin_in_uci,
    piece_letters,
    pieces_at_home,
    read_fen,
    read_state,
    write_san,
    write_state,
)
from nomic_nb.chess.multiverse.packed_moves import NUMBER, pack_all
from nomic_nb.chess.multiverse.perft import LeafCounter
from nomic_nb.chess.multiverse.pieces import empty_square_message
from nomic_nb.chess.multiverse.position_state import (
    Outcome,
    PositionState,
    generator_view,
    moves_by_movement,
    next_state,
    outcome_by_capture,
    outcome_by_draw,
    repetition_key,
)
from nomic_nb.chess.multiverse.rules import (
    BY_SIDE,
    MAPPED,
    ORTHODOX,
    Terms,
    check_rank,
    default_castling_files,
    movements_by_army,
    options_by_side,
    region_bits,
    rules_for,
)
from nomic_nb.engine.arguments import explain_argument_errors

if TYPE_CHECKING:
    import chess

    from nomic_nb.chess.multiverse.pictures import SvgPicture

AnyPosition = TypeVar("AnyPosition", bound="Position")
#: Plies from which the compiled kernel counts; for fewer, its tables would take longer than counting does.
KERNEL_DEPTH = 3
#: What the text of a link begins with.
LINK_PREFIX = "position:"


@explain_argument_errors
def position(
    fen: str = START_FEN,
    pieces: Mapping[str, Any] | None = None,
    *,
    wraps: str = "",
    castling: bool = True,
    castling_rook: str = "r",
    castling_king: str = "",
    promotion: str | Mapping[str, str] = "qrbn",
    promotion_ranks: str | Iterable[int] | Mapping[str, Iterable[int]] | None = None,
    promotion_mandatory: bool | Mapping[str, bool] = True,
    initial_ranks: str | Iterable[int] | None = (2,),
    en_passant: bool | str = True,
    pawns: str = "p",
    royal: str = "k",
    kings: str = "one",
    check: bool = True,
    goals: Iterable[str] = (),
    stalemate: str = "draw",
    checkmate: str = "loss",
    capture_result: str = "remove",
    drops: Mapping[str, str] | None = None,
    move_forced: bool = False,
    promotion_within: Mapping[str, str] | None = None,
    regions: Mapping[str, str] | None = None,
    promotion_within_mandatory: bool = False,
    promotion_limit: Mapping[str, int] | None = None,
    drop_file_limit: Mapping[str, int] | None = None,
    drop_without_mate: str = "",
    keeps_promotion: bool = False,
    flying_general: bool = False,
    giving_check: str = "any",
    moved: str = "",
) -> Position:
    """Set up a position of two armies from a FEN; other arguments change the rules of chess.

    Parameters
    ----------
    fen : str
        Forsyth-Edwards Notation; default the starting position of chess. It may describe a board of up to 16 x 16
        squares, with ``*`` for holes. A right to castle may name the file of the partner instead of K or Q.
    pieces : mapping of str to str, optional
        Movements in Betza notation, by piece letter. For these kinds they replace the movements of orthodox
        chess; new letters add kinds. If the armies differ: ``{"white": {…}, "black": {…}}``.
    wraps : str
        Which edges of the board are joined: ``""`` none, ``"files"`` left and right, ``"ranks"`` or ``"both"``.
    castling, castling_rook, castling_king, initial_ranks, en_passant, pawns, royal, kings, check
        See `chess.multiverse.rules.Terms`.
    goals, stalemate, checkmate, capture_result, drops, move_forced, promotion_within, regions, \
    promotion_within_mandatory, promotion_limit, drop_file_limit, drop_without_mate, keeps_promotion, flying_general, \
    giving_check
        The same.
    promotion, promotion_ranks, promotion_mandatory
        The same, with one value for both sides, or one for each: ``{"white": "q", "black": "n"}``. By default, pawns
        promote on the last rank.
    moved : str
        With ``initial_ranks=None``, squares with pieces that have come back to where they began, such as ``"a1 h8"``.

    Raises
    ------
    FenError
        The FEN cannot be read, or a side does not have exactly one royal piece although it must.
    NotationError
        A movement cannot be read.
    MultiverseError
        Another option has an invalid value.

    Examples
    --------
    >>> position().perft(3)
    8902
    >>> changed = position(pieces={"n": "NW"})
    >>> changed.perft(2)
    400
    >>> capablanca = "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1"
    >>> position(capablanca, {"a": "BN", "c": "RN"}).perft(2)
    784
    """
    given = {name: value for name, value in locals().items() if name not in ("fen", "pieces", "wraps", "moved")}
    geometry = board_of_fen(split_fen(fen).plain, wraps)
    if promotion_ranks is None:
        promotion_ranks = (geometry.ranks,)
    white, black = options_by_side(
        promotion=promotion, promotion_ranks=promotion_ranks, promotion_mandatory=promotion_mandatory
    )
    other = None if black == white else Terms(**black, castling_rook="", pawns="", royal="")
    terms = Terms(**given | white, black=other)
    for ranks in (terms.promotion_ranks or (), (terms.black or terms).promotion_ranks or ()):
        if not isinstance(ranks, str):
            check_rank(max(ranks, default=1), geometry, "promotion_ranks")
    found = Position(fen, pieces, terms, geometry)
    if moved:
        gone = region_bits(moved, geometry, 0)
        if gone & ~found._state.unmoved:
            raise MultiverseError(
                "moved-without-effect",
                "moved must name the starting squares of pieces whose first move is special, "
                "not {found!r}. It needs initial_ranks=None",
                found=moved[:60],
            )
        found._state = found._state._replace(unmoved=found._state.unmoved & ~gone)
    return found


class Position:
    """A position of two armies; :func:`position` makes one.

    ``push`` and ``pop`` change it in place; ``copy`` and ``after`` return another position.

    Parameters
    ----------
    fen : str
    pieces : mapping of str to str, optional
    terms : Terms, optional
    geometry : Geometry, optional
        The board; by default, as the FEN says.
    """

    def __init__(
        self,
        fen: str = START_FEN,
        pieces: Mapping[str, Any] | None = None,
        terms: Terms | None = None,
        geometry: Geometry | None = None,
    ) -> None:
        given = split_fen(fen, dict(terms.promotion_within) if terms else {})
        self.geometry = geometry or board_of_fen(given.plain)
        self.terms = terms or Terms(promotion_ranks=(self.geometry.ranks,))
        #: White's movements and Black's; ``pieces`` are White's.
        self.armies = movements_by_army(pieces)
        self.pieces = self.armies[0]
        self.terms.check_kinds_exist(self.pieces)
        fields = read_fen(given.plain, self.geometry, self.pieces)
        self._castling_files = castling_files_of_fen(fields, self.geometry, self.terms)
        self.rules = rules_for(self.armies, self.terms, self.geometry, self._castling_files)
        self._extra = extra_rules_for(self.rules)
        self._lists = kernel_lists(self.rules) if load_library()[0] else None
        self._state = read_state(fields, self.rules)._replace(extra=read_extra(given, self._extra, self.rules))
        self._past: list[tuple[PositionState, Move, list[Move] | None]] = []
        self._moves: list[Move] | None = None

    # Reading and writing

    def fen(self, *, en_passant: str = "legal") -> str:
        """Return the position as FEN; by default, it names an en passant square only if a capture there is legal.

        Parameters
        ----------
        en_passant : str
            ``"legal"`` names a passed square only if a capture there is legal; ``"fen"`` always names it.

        Examples
        --------
        >>> position().push("e2e4").fen(en_passant="fen")
        'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1'
        """
        if en_passant not in ("legal", "fen"):
            raise MultiverseError(
                "no-such-en-passant-style", "en_passant must be 'legal' or 'fen', not {found!r}", found=en_passant
            )
        state = self._state
        passed = bool(state.passed) and (en_passant == "fen" or any(move.passing for move in self.moves()))
        return write_state(state, self.rules, passed=passed)

    def options(self) -> dict[str, Any]:
        """Return what :func:`position` needs beside a FEN for the same game: what differs from orthodox chess.

        Examples
        --------
        >>> position(pieces={"n": "NW"}, castling=False).options()
        {'pieces': {'n': 'NW'}, 'castling': False}
        """
        usual = Terms(promotion_ranks=(self.geometry.ranks,))
        white, black = (
            {kind: text for kind, text in army.items() if ORTHODOX.get(kind) != text} for army in self.armies
        )
        given: dict[str, Any] = {"pieces": white if white == black else {"white": white, "black": black}}
        given["wraps"] = self.geometry.wraps
        for name in (term.name for term in fields(Terms) if term.name != "black"):
            value = getattr(self.terms, name)
            if name in BY_SIDE and (other := getattr(self.terms.black or self.terms, name)) != value:
                given[name] = {"white": value, "black": other}
            elif value != getattr(usual, name):
                given[name] = dict(value) if name in MAPPED else list(value) if isinstance(value, tuple) else value
        moved = pieces_at_home(self._state.sides, self.rules) & ~self._state.unmoved
        given["moved"] = " ".join(self.geometry.name(bit.bit_length() - 1) for bit in each_bit(moved))
        return {name: value for name, value in given.items() if value or name in vars(usual)}

    def link(self) -> str:
        """Return a short text that reopens the position with all its rules, by ``nb.multiverse.open_link``."""
        data = json.dumps([self.fen(en_passant="fen"), self.options()], separators=(",", ":")).encode()
        return LINK_PREFIX + base64.urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")

    def board(self) -> dict[int, str]:
        """Return the pieces as letters, keyed by square number; upper case for White."""
        return piece_letters(self._state, self.rules)

    # What is so

    @property
    def turn(self) -> str:
        """Side to move: ``white`` or ``black``."""
        return "black" if self._state.side else "white"

    @property
    def last(self) -> Move | None:
        """Last move made; None before the first."""
        return self._past[-1][1] if self._past else None

    @property
    def _checkers(self) -> int:
        return self.rules.generators[self._state.side].checkers(generator_view(self._state, self.rules))

    def checkers(self) -> list[str]:
        """Return the squares of the pieces that give check to the side to move.

        Examples
        --------
        >>> position("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").checkers()
        ['e2']
        """
        return [self.geometry.name(bit.bit_length() - 1) for bit in each_bit(self._checkers)]

    @property
    def in_check(self) -> bool:
        """Whether a royal piece of the side to move is attacked."""
        return self.terms.check and bool(self._checkers)

    def moves(self, square: str | None = None) -> list[Move]:
        """Return all legal moves, or those of the piece on a square, in the same order whatever lists them.

        Raises
        ------
        MoveError
            The square is empty, or has a piece of the other side.

        Examples
        --------
        >>> position("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", {"n": "NW"}).moves("a1")
        ['a1b1', 'a1a2', 'a1c2', 'a1b3']
        """
        if self._moves is None and self._lists:
            self._moves = self._lists.legal_moves(self._state)
        if self._moves is None:
            lister = self._extra.legal_moves if self._extra else partial(moves_by_movement, rules=self.rules)
            self._moves = lister(self._state)
        if square is None:
            return self._moves.copy()
        origin = self._square_of_side_to_move(square)
        return [move for move in self._moves if move.origin == origin]

    def packed_moves(self, plies: int = 0) -> list[Sequence[int]]:
        """Return the legal moves as whole numbers, of each position so many plies on; see ``packed_moves``.

        Each position has an array of them or, if a piece can capture on its way, a list. Moves are in the order of
        their numbers, and so are the positions that they lead to. If a game is over, its array has only the result: 0
        for a draw, 1 if White has won, 2 if Black has. The compiled kernel lists many positions in one call.

        Raises
        ------
        MultiverseError
            The number of plies is not a whole number, or is below 0.

        Examples
        --------
        >>> [number >> 8 & 255 for number in position("k7/8/8/8/8/8/8/7K w - - 0 1").packed_moves()[0]]
        [6, 14, 15]
        >>> len(position().packed_moves(2))
        400
        """
        _check_depth(plies, 0)
        if plies <= MOST_DEPTH and not isinstance(kernel := kernel_for(self.rules), str):
            return kernel.list_moves(words_of_state(self._state, kernel.width), plies)
        if (end := self.outcome()) is not None:
            return [] if plies else [pack_all([("", "white", "black").index(end.winner)])]
        moves = sorted(self.moves(), key=NUMBER)
        if plies:
            return [found for move in moves for found in self.after(move).packed_moves(plies - 1)]
        return [pack_all([move.number for move in moves])]

    def count(self) -> int:
        """Return the number of legal moves."""
        if self._extra or self.rules.can_crown(self._state.side, self._state.sides[self._state.side]):
            return len(self.moves())
        return self.rules.generators[self._state.side].count(generator_view(self._state, self.rules))

    def _square_of_side_to_move(self, name: str) -> int:
        """Return the number of a square, or refuse one without a piece of the side to move."""
        square = self.geometry.square(name)
        own, foe = self._state.occupied[self._state.side], self._state.occupied[1 - self._state.side]
        if foe >> square & 1:
            raise MoveError(
                "piece-of-other-side",
                "the piece on {square} belongs to the other side; it’s {turn}’s turn",
                square=name,
                turn=self.turn,
            )
        if not own >> square & 1:
            raise MoveError(empty_square_message(name))
        return square

    # Playing

    def find(self, text: str) -> Move:
        """Return the legal move that a text in UCI or algebraic notation names.

        Raises
        ------
        MoveError
            The square is empty, the piece belongs to the other side, or the move is not legal; the message says which.
        """
        if not isinstance(text, str):
            raise MoveError(
                "move-not-text",
                "a move must be text, such as 'e2e4' or 'Nf3', not {found}",
                found=type(text).__name__,
            )
        legal = self._moves if self._moves is not None else self.moves()
        try:
            return legal[legal.index(text)]  # type: ignore[arg-type]
        except ValueError:
            pass
        if origin := origin_in_uci(text):
            self._square_of_side_to_move(origin)
            here = ", ".join(self.moves(origin)) or "none"
            raise MoveError(
                "move-not-legal-here",
                "{move!r} isn’t a legal move here. Legal moves from {square}: {here}",
                move=text[:40],
                square=origin,
                here=here,
            )
        return find_san(text, legal, self.terms.pawns[:1], self.geometry)

    def push(self, move: str) -> Self:
        """Make a move in place and return this position.

        Parameters
        ----------
        move : Move or str
            A legal move, its UCI text, or SAN.

        Raises
        ------
        MoveError
        """
        return self._make(self.find(move))

    def _make(self, legal: Move) -> Self:
        """Make a move that is known to be legal in place, and return this position."""
        # With its list of moves, which taking back would otherwise have to find again.
        self._past.append((self._state, legal, self._moves))
        follow = self._extra.next_state if self._extra else partial(next_state, rules=self.rules)
        self._state = follow(self._state, legal.change)
        self._moves = None
        if self._extra and self._extra.checks and self.in_check:
            self._state = self._extra.count_check(self._state)
        return self

    def pop(self) -> Move:
        """Take back the last move and return it.

        Raises
        ------
        MoveError
            No move has been made.
        """
        if not self._past:
            raise MoveError("no-move-to-take-back", "no move has been made yet, so there is nothing to take back")
        self._state, move, self._moves = self._past.pop()
        return move

    def copy(self) -> Self:
        """Return a copy that can be played independently."""
        return self._copy_as(type(self))

    def _copy_as(self, cls: type[AnyPosition]) -> AnyPosition:
        """Return a copy of another class; as `Position` it speaks of ends and sides in plain words."""
        other = object.__new__(cls)
        other.__dict__ = self.__dict__.copy()
        other._past = self._past.copy()
        return other

    def after(self, move: str) -> Self:
        """Return the position after a move; this position does not change."""
        following = self.copy()
        following.push(move)
        return following

    def outcome(self, *, draws: bool = False) -> Outcome | None:
        """Return the outcome of the game, or None; draws by repetition, 75 moves or bare kings count only with `draws`.

        Parameters
        ----------
        draws : bool
            Whether the game also ends by fivefold repetition, after 75 moves without a capture or pawn move, and when
            only royal pieces are left that can never give check, such as two kings.

        Examples
        --------
        >>> position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").outcome()
        Outcome(reason='checkmate', winner='white')
        """
        end = (self._extra.end_by_goal(self._state) if self._extra else None) or outcome_by_capture(
            self._state, self.rules
        )
        if end is not None:
            return end
        if not (self._moves or self.moves()):
            waiting = "white" if self._state.side else "black"
            reason = "checkmate" if self.in_check else "stalemate"
            return Outcome(reason, {"draw": "", "win": self.turn, "loss": waiting}[getattr(self.terms, reason)])
        if not draws:
            return None
        # The fifth occurrence of a position is at least 16 plies after the first.
        return outcome_by_draw(self._state, self.rules, self.occurrences() if self._state.halfmoves >= 16 else 1)

    def occurrences(self) -> int:
        """Return how often the position has occurred since the last capture or pawn move, this time included.

        Examples
        --------
        >>> game = position().push("g1f3").push("g8f6").push("f3g1").push("f6g8")
        >>> game.occurrences()
        2
        """
        since, same = self._state.halfmoves, repetition_key(self._state)
        earlier = [state for state, _, _ in self._past[-since:]] if since else []
        return 1 + sum(repetition_key(state) == same and not self._had_en_passant_move(state) for state in earlier)

    @property
    def backend(self) -> str:
        """What counts and looks ahead here: ``compiled``, or ``Python`` and why it is not the compiled kernel.

        Both find the same, but Python takes longer.

        Examples
        --------
        >>> position().backend.partition(":")[0] in ("compiled", "Python")
        True
        >>> position(promotion="qk", kings="all", pieces={"k": "KN"}).backend.partition(":")[0]
        'Python'
        """
        kernel = kernel_for(self.rules)
        return f"Python: {kernel}" if isinstance(kernel, str) else COMPILED

    @property
    def is_orthodox(self) -> bool:
        """Whether pieces, options and board are those of orthodox chess."""
        usual = (Terms(), UNIVERSE, default_castling_files(UNIVERSE.files))
        found = (self.terms, self.geometry, self._castling_files)
        return found == usual and all(army == ORTHODOX for army in self.armies)

    def _had_en_passant_move(self, state: PositionState) -> bool:
        """Tell whether a capture en passant was legal in an earlier state."""
        if not state.passed:
            return False
        then = self.copy()
        then._state, then._moves = state, None
        return any(move.passing for move in then.moves())

    def perft(self, depth: int) -> int:
        """Return the number of legal sequences of ``depth`` plies.

        Raises
        ------
        MultiverseError
            The depth is not a whole number, or is below 0.

        Examples
        --------
        >>> position().perft(2)
        400
        """
        _check_depth(depth, 0)
        if depth == 0:
            return 1
        if depth == 1:
            return self.count()
        if KERNEL_DEPTH <= depth <= MOST_DEPTH and not isinstance(kernel := kernel_for(self.rules), str):
            return kernel.count_leaves(words_of_state(self._state, kernel.width), depth)
        if self._extra:
            return sum(self.after(move).perft(depth - 1) for move in self.moves())
        return LeafCounter(self.rules).count_state(self._state, depth)

    def divide(self, depth: int) -> dict[str, int]:
        """Return the number of sequences of `depth` plies that begin with each legal move, keyed by its UCI text.

        Raises
        ------
        MultiverseError
            The depth is not a whole number, or is below 1.

        Examples
        --------
        >>> position("7k/8/8/8/8/8/8/K7 w - - 0 1").divide(2)
        {'a1b1': 3, 'a1a2': 3, 'a1b2': 3}
        """
        _check_depth(depth, 1)
        leaves: dict[str, int] = {}
        for move in self.moves():
            text = move.uci()
            leaves[text] = leaves.get(text, 0) + self.after(move).perft(depth - 1)
        return leaves

    def san(self, move: str) -> str:
        """Return a legal move in standard algebraic notation.

        Examples
        --------
        >>> position().san("g1f3")
        'Nf3'
        """
        legal = self.find(move)
        following = self.after(legal)
        mark = ("+" if following.moves() else "#") if following.in_check else ""
        return write_san(legal, self.moves(), self.terms.pawns[:1], self.geometry) + mark

    def to_chess(self) -> chess.Board:
        """Return an orthodox position as a python-chess board, with the moves that led there.

        Raises
        ------
        MultiverseError
            Pieces or options differ from those of orthodox chess.

        Examples
        --------
        >>> position().push("e2e4").to_chess().fen()
        'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
        """
        import chess

        if not self.is_orthodox:
            raise MultiverseError(
                "python-chess-needs-orthodox-chess",
                "python-chess supports only orthodox chess, but pieces or terms are changed here",
            )
        start = self._past[0][0] if self._past else self._state
        board = chess.Board(write_state(start, self.rules, passed=bool(start.passed)))
        for _, move, _ in self._past:
            board.push(chess.Move.from_uci(move))
        return board

    def picture(self, **options: Any) -> SvgPicture:
        """Return a drawing of the board; for options, see ``drawing.picture``."""
        from nomic_nb.chess.multiverse.drawing import picture

        return picture(self, **options)

    def panel(self, opponent: Any = None, side: str = "white") -> Any:
        """Return a board on which you play this position with the mouse or the keys, in a notebook.

        Parameters
        ----------
        opponent : object with a method ``move(position)``, optional
            Who answers, such as ``nb.multiverse.player(position)``; by default, you move for both sides.
        side : str
            Your side if there is an opponent: ``white`` or ``black``.

        Raises
        ------
        TypeError
            The opponent has no method ``move``.
        ValueError
            The side is neither ``white`` nor ``black``.
        """
        panels = import_module("nomic_nb.notebook.panels.position_panel")  # what stands above brings panels
        return panels.PositionPanel(self, opponent, side)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        ours, theirs = ((one._state, one.armies, one.terms, one.geometry) for one in (self, other))
        return ours == theirs

    # It changes with every move.
    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        there = self.board()
        there |= dict.fromkeys(self.geometry.holes, "*")
        rows = [" ".join(there.get(square, ".") for square in row) for row in self.geometry.rows]
        return "\n".join([*rows, f"{self.turn} to move"])

    def __repr__(self) -> str:
        return f"<Position {self.fen()}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Return the board's picture for notebooks, as HTML and as plain text."""
        return self.picture()._repr_mimebundle_(include, exclude)


def _check_depth(depth: object, least: int) -> None:
    """Raise an error for a depth that is not a whole number, or is below `least`."""
    if type(depth) is not int or depth < least:
        raise MultiverseError(
            "depth-out-of-range",
            "depth must be a whole number, {least} or more, not {found!r}",
            least=least,
            found=depth,
        )
