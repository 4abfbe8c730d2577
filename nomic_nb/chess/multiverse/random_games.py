"""Games at random: a specification, which `kernel.c` follows, and its form in Python.

Before ply number n, counted from 0, the legal moves are put in order of their numbers (`packed_moves`). If there are m,
move number ``(mix(seed + n) >> 32) * m >> 32`` is made, also counted from 0; `mix` gives 64 random bits. So all moves
are equally likely, to less than a millionth, and the same seed gives the same game everywhere.

A game is over if `Position.outcome` says so, draws included, or by `end_of_game`. Moves before the first position do
not count as part of the game.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from nomic_nb.chess.multiverse.kernel_tables import kernel_lists, words_of_state
from nomic_nb.chess.multiverse.move_search import Player
from nomic_nb.chess.multiverse.packed_moves import NUMBER
from nomic_nb.chess.multiverse.piece_values import mix
from nomic_nb.chess.multiverse.position_state import Outcome
from nomic_nb.chess.multiverse.positions import Position

#: Plies after which a game at random is given up as drawn.
MOST_RANDOM_PLIES = 500
#: What the kernel says if a position has occurred three times.
_THREEFOLD = 2


class RandomGame(NamedTuple):
    """A game at random: its last position, with all moves; how it ended; how many moves there were to choose from."""

    board: Position
    end: Outcome
    choices: int


def end_of_game(board: Position, occurrences: int, plies: int, most: int) -> Outcome | None:
    """Return how a game has ended; None if it goes on. Players claim each draw that they can.

    Parameters
    ----------
    board : Position
    occurrences : int
        How often its position has occurred in the game.
    plies, most : int
        Its length, and that at which it is given up.
    """
    draws = {
        "threefold repetition": occurrences == 3, "50 moves": board._state.halfmoves >= 100,
        f"{most} plies": plies >= most,
    }  # fmt: skip
    return board.outcome(draws=True) or next((Outcome(reason, "") for reason in draws if draws[reason]), None)


def play_at_random(bot: Player, start: Position, seed: int) -> RandomGame:
    """Return the game from a position that belongs to a seed.

    Parameters
    ----------
    bot : Player
        One for these pieces and options, which tells positions apart.
    start : Position
    seed : int
        From 0 to 2⁶⁴ - 1.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse.positions import position
    >>> from nomic_nb.chess.multiverse.move_search import player
    >>> start = position("k7/8/8/8/8/8/8/K6R w - - 0 1")
    >>> game = play_at_random(player(start), start, 1)
    >>> game.end.reason, game.board.last
    ('only royal pieces left', 'c7d6')
    """
    board, choices, plies = start._copy_as(Position), 0, 0
    board._past = []
    kernel, seen = bot._compiled(), Counter[int]()
    if kernel is not None:
        state = words_of_state(board._state, kernel.width)
        why, choices, numbers = kernel.play_at_random(state, seed, MOST_RANDOM_PLIES, _calm_pairs(board))
        moves = kernel_lists(board.rules).moves
        for number in numbers:
            board._make(moves[board._state.side][number])
        end = end_of_game(board, 3 if why == _THREEFOLD else 1, len(numbers), MOST_RANDOM_PLIES)
        if end is None:
            raise RuntimeError("kernel.c and random_games.py do not end games alike")
        return RandomGame(board, end, choices)
    while True:
        key = bot.look(board)[1]
        seen[key] += 1
        if end := end_of_game(board, seen[key], plies, MOST_RANDOM_PLIES):
            return RandomGame(board, end, choices)
        legal = sorted(board.moves(), key=NUMBER)
        choices += len(legal)
        board._make(legal[(mix(seed + plies) >> 32) * len(legal) >> 32])
        plies += 1


def _calm_pairs(board: Position) -> list[int]:
    """Return, for each class of White, the classes of Black (bits) with which it is a draw if nothing else is left."""
    rules, classes = board.rules, range(len(board.rules.kinds))
    alone = [[int(at == one) for at in classes] for one in classes]
    return [
        sum(rules.royals_cannot_give_check(alone[white], alone[black]) << black for black in rules.royal)
        if white in rules.royal else 0
        for white in classes
    ]  # fmt: skip
