"""What the tests of `test_nomic_chess_boards` share."""

from board_helpers import chess, moves
from play_helpers import by_hand

NAMES = ("Ann", "Ben", "Cleo", "Dov", "Eve", "Fay", "Gus", "Hal")


PAIR = ("white", "yellow")


def two(**more):
    return chess("Ann", "Ben", **more)


def four(**more):
    return chess("Ann", "Ben", "Cleo", "Dov", **more)


def ends(game, start, push=None):
    """Where the piece on a square can go, with one pair of boards or with any."""
    found = [one for one in moves(game, start) if push is None or one.startswith("+".join(push) + ":")]
    return {one.split("-")[-1] for one in found}


def pairs(game):
    """The pairs of half-boards that can be pushed together for some move."""
    return {tuple(one.split(":")[0].split("+")) for one in moves(game)}


def give(game, army, to):
    by_hand(game, game.players[0], f'give army_named("{army}") to "{to}"')


def place(game, army, kind, square):
    by_hand(game, game.players[0], f'place "{kind}" of army_named("{army}") at square_named("{square}")')


def kinds_of_events(game, kind):
    return game.history.query(f"kind == '{kind}'")


def square(name):
    """A square of the joined board for White's and Yellow's half-boards."""
    board, _, at = name.rpartition(".")
    return at if board == "white" else f"{'hgfedcba'[ord(at[0]) - 97]}{9 - int(at[1])}"
