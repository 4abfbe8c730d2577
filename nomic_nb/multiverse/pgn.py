"""Positions and games from python-chess, and to and from PGN, where pieces move as in orthodox chess."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping

import chess
import chess.pgn

from nomic_nb.multiverse.errors import MultiverseError
from nomic_nb.multiverse.fen import START
from nomic_nb.multiverse.orthodox import to_chess
from nomic_nb.multiverse.positions import Position


def from_chess(board: chess.Board) -> Position:
    """Return a python-chess board as a position, with the moves that led there.

    Raises
    ------
    MultiverseError
        For the boards of variants and for Chess960.

    Examples
    --------
    >>> from_chess(chess.Board()).perft(1)
    20
    """
    if type(board) is not chess.Board or board.chess960:
        raise MultiverseError("only boards of orthodox chess can be taken over")
    moves = list(board.move_stack)
    position = Position(board.root().fen(en_passant="fen"))
    for move in moves:
        position.push(move.uci())
    return position


def write_pgn(position: Position, headers: Mapping[str, str] | None = None) -> str:
    """Return the moves that led to an orthodox position as PGN.

    Parameters
    ----------
    position : Position
    headers : mapping of str to str, optional
        Tags, such as ``White``. Quotes, backslashes and line ends in them cannot begin another tag.

    Raises
    ------
    MultiverseError

    Examples
    --------
    >>> print(write_pgn(Position().push("e2e4").push("e7e5"), {"White": "Ann"}).splitlines()[-1])
    1. e4 e5 *
    """
    game = chess.pgn.Game.from_board(to_chess(position))
    for name, value in (headers or {}).items():
        if not (name.isascii() and name.replace("_", "").isalnum()):
            raise MultiverseError(f"a PGN tag is named with letters, digits and '_', not {name!r}")
        plain = " ".join(str(value).split())
        game.headers[name] = plain.replace("\\", "\\\\").replace('"', '\\"')
    outcome = position.outcome()
    if outcome is not None:
        game.headers["Result"] = outcome.result
    return str(game)


def read_pgn(text: str) -> list[Position]:
    """Read games; each is returned as the position after its last move.

    Raises
    ------
    MultiverseError
        If there is no game, or a move in it is not legal; it names the game.

    Examples
    --------
    >>> [game.fen() for game in read_pgn("1. e4 e5 *")]
    ['rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2']
    """
    if len(text) > 32_000_000:
        raise MultiverseError("PGN of more than 32 MB is not read")
    stream = io.StringIO(text)
    found: list[Position] = []
    while (game := chess.pgn.read_game(stream)) is not None:
        if game.errors:
            # python-chess would silently keep the moves before the first that it cannot read.
            raise MultiverseError(f"game {len(found) + 1}: {game.errors[0]}")
        found.append(_replayed(game.headers.get("FEN", START), game.mainline_moves()))
    if not found:
        raise MultiverseError("there is no game in this PGN")
    return found


def _replayed(fen: str, moves: Iterable[chess.Move]) -> Position:
    position = Position(fen)
    for move in moves:
        position.push(move.uci())
    return position
