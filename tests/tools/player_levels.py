"""How well the player plays: against random moves, and against the same search on python-chess's board.

``python tests/tools/player_levels.py random`` plays it at 0.1 s against random moves on chess and five altered sets;
``same`` lets it play the search on python-chess at the same time; ``nodes`` checks that both find the same moves.
"""

from __future__ import annotations

import argparse
import random
import sys
import time

import chess

from nomic_nb.chess.multiverse import position
from nomic_nb.chess.multiverse.generator import Move, MoveChange
from nomic_nb.chess.multiverse.move_search import Player
from nomic_nb.chess.multiverse.position_state import Outcome, PositionState

SETS = {
    "chess": {},
    "knights that step": {"pieces": {"n": "NW"}},
    "cannons": {"pieces": {"r": "mRcpR"}},
    "nightriders": {"pieces": {"n": "NN"}},
    "weak queens": {"pieces": {"q": "FA", "b": "WD"}},
    "two kings": {
        "fen": "rkbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RKBQKBNR w - - 0 1", "kings": "all", "castling": False,
    },
}  # fmt: skip
LETTERS = "bknpqr"
KINDS = {letter: chess.PIECE_SYMBOLS.index(letter) for letter in LETTERS}


#: Moves that were made before, since making them takes long.
MADE: dict[tuple, Move] = {}


class ChessPosition:
    """python-chess’s board with what the search uses of a position."""

    def __init__(self, board: chess.Board, rules) -> None:
        self.game, self.rules, self.pieces, self.terms = board, rules, rules.pieces, rules.terms
        self._past: list[tuple[PositionState]] = []

    @property
    def _state(self) -> PositionState:
        board = self.game
        white, black = board.occupied_co[True], board.occupied_co[False]
        sets = (board.bishops, board.kings, board.knights, board.pawns, board.queens, board.rooks)
        passed = 0 if board.ep_square is None else 1 << board.ep_square
        return PositionState(
            ([bits & white for bits in sets], [bits & black for bits in sets]), (white, black), int(not board.turn),
            board.castling_rights, passed, 0, 0, board.halfmove_clock, 0,
        )  # fmt: skip

    def _move(self, move: chess.Move) -> Move:
        board = self.game
        kind, there = board.piece_type_at(move.from_square), board.piece_type_at(move.to_square)
        passing = (
            kind == chess.PAWN
            and there is None
            and chess.square_file(move.from_square) != chess.square_file(move.to_square)
        )
        key = (move.from_square, move.to_square, move.promotion, kind, bool(there), passing)
        known = MADE.get(key)
        if known is None:
            taken = move.to_square if there else move.to_square + (-8 if board.turn else 8) if passing else None
            mover = LETTERS.index(chess.PIECE_SYMBOLS[kind])
            becomes = LETTERS.index(chess.PIECE_SYMBOLS[move.promotion]) if move.promotion else mover
            change = MoveChange(
                mover, 1 << move.from_square, 1 << move.to_square, 0 if taken is None else 1 << taken, becomes
            )
            known = MADE[key] = Move(
                move.uci(), LETTERS[mover], move.from_square, move.to_square, change, "",
                () if taken is None else (taken,),
            )  # fmt: skip
        return known

    def moves(self) -> list[Move]:
        return [self._move(move) for move in self.game.legal_moves]

    def push(self, text: str) -> ChessPosition:
        self._past.append((self._state,))
        self.game.push(chess.Move.from_uci(text))
        return self

    def pop(self) -> None:
        self._past.pop()
        self.game.pop()

    def copy(self) -> ChessPosition:
        other = ChessPosition(self.game.copy(), self.rules)
        other._past = self._past.copy()
        return other

    def _copy_as(self, _: type) -> ChessPosition:
        return self.copy()

    def outcome(self) -> Outcome | None:
        if any(self.game.legal_moves):
            return None
        mated = self.game.is_check()
        return Outcome("", ("white", "black")[self.game.turn] if mated else "")


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def over(game) -> str | None:
    """Return the winner; an empty text for a draw, None if the game goes on."""
    end = game.outcome(draws=True)
    if end is None and (game._state.halfmoves >= 100 or len(game._past) > 300):
        return ""
    return None if end is None else end.winner


def against_random(games: int, seconds: float) -> None:
    for name, options in SETS.items():
        counts = [0, 0, 0]
        for number in range(games):
            dice, game = random.Random(number), position(**options)
            bot, mine = Player(game, None, seconds, None), ("white", "black")[number % 2]
            while (winner := over(game)) is None:
                game.push(bot.move(game) if game.turn == mine else dice.choice(game.moves()))
            counts[0 if winner == mine else 1 if winner else 2] += 1
        say(f"{name}: {counts[0]} won, {counts[1]} lost, {counts[2]} drawn")


def against_same(games: int, seconds: float) -> None:
    counts, spent = [0, 0, 0], {True: [0, 0.0], False: [0, 0.0]}
    for number in range(games):
        dice, game = random.Random(number // 2), position()
        for _ in range(4):
            game.push(dice.choice(game.moves()))
        theirs = ChessPosition(game.to_chess(), game.rules)
        own, other = Player(game, None, seconds, None), Player(game, None, seconds, None)
        mine = ("white", "black")[number % 2]
        while (winner := over(game)) is None:
            ours = game.turn == mine
            began = time.process_time()
            move = own.move(game) if ours else other.move(theirs)
            spent[ours][0] += (own if ours else other).searched
            spent[ours][1] += time.process_time() - began
            game.push(str(move))
            theirs.push(str(move))
        counts[0 if winner == mine else 1 if winner else 2] += 1
    rates = [f"{nodes / seconds:,.0f}" for nodes, seconds in (spent[True], spent[False])]
    say(f"{counts[0]} won, {counts[1]} lost, {counts[2]} drawn; nodes a second {rates[0]}, python-chess {rates[1]}")


def same_moves(games: int, nodes: int) -> None:
    checked = 0
    for number in range(games):
        dice, game = random.Random(number), position()
        theirs = ChessPosition(game.to_chess(), game.rules)
        own, other = Player(game, nodes, None, None), Player(game, nodes, None, None)
        while over(game) is None:
            found = [(one.move(board), one.value, one.depth) for one, board in ((own, game), (other, theirs))]
            assert found[0] == found[1], (game.fen(), found)
            checked += 1
            move = str(found[0][0]) if dice.random() < 0.7 else str(dice.choice(game.moves()))
            game.push(move)
            theirs.push(move)
    say(f"the same move, value and depth in {checked} positions at {nodes} nodes")


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("what", choices=("random", "same", "nodes"))
    asked.add_argument("--games", type=int, default=10)
    asked.add_argument("--seconds", type=float, default=0.1)
    asked.add_argument("--nodes", type=int, default=300)
    given = asked.parse_args()
    if given.what == "random":
        against_random(given.games, given.seconds)
    elif given.what == "same":
        against_same(given.games, given.seconds)
    else:
        same_moves(given.games, given.nodes)
