"""A game on boards as PGN: for each pair of half-boards, and each universe, the moves made on it.

Chess programs can read it.
Between two moves on a pair, moves on other pairs may change what stands there; then a new game begins, with
the position that the boards have when they are pushed together. The army that moves is one side, everything
else on the pair the other. Every move has its number in the whole game as a comment, with the rules made in play
that are in force there, where they are others than at the move before; a move that ordinary chess does not know is
told in a comment alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import chess
import chess.pgn

from nomic_nb.multiverse.multiverse import Multiverse
from nomic_nb.multiverse.pushes import Push
from nomic_nb.multiverse.told import Law
from nomic_nb.record.moves import Played


def write(moves: Iterable[Played], headers: Mapping[str, str]) -> str:
    """Return moves as PGN, pair by pair in the order in which they were first pushed.

    Parameters
    ----------
    moves : iterable of Played
        In order.
    headers : mapping of str to str
        For every game in it: ``Event``, ``Site``, ``Date``.
    """
    pairs: dict[tuple[str, ...], list[Played]] = {}
    for one in moves:
        pairs.setdefault(one.move.push, []).append(one)
    games = [game for pair, many in pairs.items() for game in _Pair(pair, many, headers).games()]
    return "\n\n".join(str(game) for game in games) + ("\n" if games else "")


class _Pair:
    def __init__(self, pair: tuple[str, ...], moves: list[Played], headers: Mapping[str, str]) -> None:
        self.pair, self.moves, self.headers = pair, moves, headers
        self.found: list[chess.pgn.Game] = []
        self.told: list[str] = []
        self.node: chess.pgn.GameNode | None = None

    def games(self) -> list[chess.pgn.Game]:
        for one in self.moves:
            self.add(one)
        return self.found

    def add(self, one: Played) -> None:
        board = _board(one)
        rules = _in_force(one)
        said = f"ply {one.ply}: {one.move.text}"
        move = None if board is None else _move(board, one.uci)
        if board is None or move is None:
            self.begin(board or chess.Board(None), one)
            self.found[-1].comment = f"{said}, which ordinary chess does not know{self.law(rules)}"
            self.node = None
            return
        going_on = self.node is not None and self.node.board().board_fen() == board.board_fen()
        if self.node is None or not going_on or self.node.board().turn != board.turn:
            self.begin(board, one)
        if self.node is not None:
            self.node = self.node.add_variation(move, comment=said + self.law(rules))

    def law(self, rules: list[str]) -> str:
        """Say which rules are in force, where that was not said before."""
        before, self.told = self.told, rules
        return "" if rules == before else f"; in force: {'; '.join(rules) or 'no rule made in play'}"

    def begin(self, board: chess.Board, one: Played) -> None:
        game = chess.pgn.Game()
        game.setup(board)
        others = {
            piece.army for name in self.pair for piece in one.before.standing[name].values()
        } - {one.move.army}  # fmt: skip
        mover, other = ("White", "Black") if _white(one) else ("Black", "White")
        more = {
            "Round": str(len(self.found) + 1),
            mover: _who(one.before, [one.move.army]),
            other: _who(one.before, sorted(others)),
            "Pair": "+".join(self.pair),
            "Ply": str(one.ply),
        }
        for name, value in {**self.headers, **more}.items():
            game.headers[name] = " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')
        self.found.append(game)
        self.node = game


def _in_force(one: Played) -> list[str]:
    """Return the rules made in play that hold on the boards of a move, in a few words."""
    made = (rule for rule in one.rules if rule.turn and any(rule.speaks_in(name) for name in one.move.push))
    return [f"{rule.number} {rule.title}" for rule in made]


def _who(position: Multiverse, armies: list[str]) -> str:
    return ", ".join(f"{name} ({position.armies[name].controller})" for name in armies) or "?"


def _white(one: Played) -> bool:
    """Tell whether the army that moves is White: unless it is at home on the far half, or on the far side."""
    army, last = one.before.armies[one.move.army], one.move.push[-1]
    return army.home != last if one.before.boards[last].half else not (army.far and army.home == last)


def _board(one: Played) -> chess.Board | None:
    """Return the boards as they stood when they were pushed together, or None where no chess board has that form."""
    position, move = one.before, one.move
    push = Push(position, Law(dict.fromkeys("abcdefghijklmnopqrstuvwxyz", "W")), move.army, move.push)
    if (push.geometry.files, push.geometry.ranks) != (8, 8) or push.geometry.holes or push.geometry.wraps:
        return None
    board, white = chess.Board(None), _white(one)
    for at, piece in push.pieces.items():
        if piece.kind not in "pnbrqk":
            return None
        own = piece.army == move.army
        board.set_piece_at(at, chess.Piece.from_symbol(piece.kind.upper() if own == white else piece.kind))
    board.turn = white
    rights = 0
    for king, rook in ((4, 0), (4, 7), (60, 56), (60, 63)):
        two = [push.pieces.get(square) for square in (king, rook)]
        kinds = [None if piece is None or piece.moved else piece.kind for piece in two]
        if kinds == ["k", "r"] and two[0] is not None and two[1] is not None and two[0].army == two[1].army:
            rights |= 1 << rook
    board.castling_rights = rights
    if move.passing:
        board.ep_square = chess.parse_square(one.uci[2:4])
    return board


def _move(board: chess.Board, uci: str) -> chess.Move | None:
    try:
        move = chess.Move.from_uci(uci)
    except ValueError:
        return None
    return move if board.is_legal(move) else None
