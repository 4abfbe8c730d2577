"""Positions to python-chess, where pieces move as in orthodox chess."""

from __future__ import annotations

import chess

from nomic_nb.multiverse.errors import MultiverseError
from nomic_nb.multiverse.readable import ReadablePosition
from nomic_nb.multiverse.terms import ORTHODOX, Terms


def is_orthodox(position: ReadablePosition) -> bool:
    """Tell whether pieces and terms of a position are those of orthodox chess.

    Examples
    --------
    >>> from nomic_nb.multiverse import Position
    >>> is_orthodox(Position()), is_orthodox(Position(pieces={"n": "NW"}))
    (True, False)
    """
    return position.pieces == dict(ORTHODOX) and position.terms == Terms()


def to_chess(position: ReadablePosition) -> chess.Board:
    """Return an orthodox position as a python-chess board, with the moves that led there.

    Raises
    ------
    MultiverseError
        If pieces move in other ways than those of orthodox chess.

    Examples
    --------
    >>> from nomic_nb.multiverse import Position
    >>> to_chess(Position().push("e2e4")).fen()
    'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
    """
    if not is_orthodox(position):
        raise MultiverseError("python-chess knows orthodox chess only, and here pieces or terms are changed")
    start = position.copy()
    moves = []
    while start.last is not None:
        moves.append(start.pop())
    board = chess.Board(start.fen(en_passant="fen"))
    for move in reversed(moves):
        board.push(chess.Move.from_uci(move.uci()))
    return board
