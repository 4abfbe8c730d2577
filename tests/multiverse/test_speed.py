"""Speed, measured beside python-chess: run with --benchmark-enable --benchmark-group-by=group.

Nothing here asserts a time. Each test asserts that what is timed is also right.
"""

import itertools
import random

import chess
import pytest
from multiverse_helpers import merge, universe

from nomic_nb.chess.multiverse import position
from nomic_nb.chess.multiverse.betza import parse_betza
from nomic_nb.chess.multiverse.drawing import draw_multiverse
from nomic_nb.chess.multiverse.geometry import UNIVERSE
from nomic_nb.chess.multiverse.movement_tables import Movement
from nomic_nb.chess.multiverse.multiverse import half_boards
from nomic_nb.chess.multiverse.pieces import Army, army_colour_and_mark
from nomic_nb.chess.multiverse.pushes import all_moves
from nomic_nb.chess.multiverse.rules import Law

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def chess_perft(board, depth):
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += chess_perft(board, depth - 1)
        board.pop()
    return total


@pytest.mark.parametrize("who", ["ours", "python-chess"])
@pytest.mark.parametrize(("fen", "depth", "leaves"), [(chess.STARTING_FEN, 4, 197281), (KIWIPETE, 3, 97862)])
def test_leaves_counted_in_bulk(benchmark, who, fen, depth, leaves):
    benchmark.group = f"perft {fen[:12]}"
    if who == "ours":
        board = position(fen)
        assert benchmark(board.perft, depth) == leaves
    else:
        assert benchmark(chess_perft, chess.Board(fen), depth) == leaves


@pytest.mark.parametrize(
    ("name", "pieces", "leaves"),
    [
        ("orthodox", {}, 97862),
        ("lion", {"q": "KNADcaKmcabK"}, 151421),
        ("rifle", {"r": "mRcaibR"}, 97865),
        ("griffin", {"q": "FyafsF"}, 85092),
    ],
)
def test_pieces_that_capture_on_the_way(benchmark, name, pieces, leaves):
    # Compare with orthodox, by leaf.
    benchmark.group = "capturing on the way"
    benchmark.extra_info["piece"] = name
    assert benchmark(position(KIWIPETE, pieces).perft, 3) == leaves


def ours_listed(board, depth):
    if depth == 0:
        return len(board.moves())
    total = 0
    for move in board.moves():
        board.push(move)
        total += ours_listed(board, depth - 1)
        board.pop()
    return total


def theirs_listed(board, depth):
    if depth == 0:
        return len(list(board.legal_moves))
    total = 0
    for move in list(board.legal_moves):
        board.push(move)
        total += theirs_listed(board, depth - 1)
        board.pop()
    return total


@pytest.mark.parametrize("who", ["ours", "python-chess"])
def test_lists_of_legal_moves_at_the_leaves(benchmark, who):
    benchmark.group = "lists"
    if who == "ours":
        assert benchmark(ours_listed, position(KIWIPETE), 1) == 2039
    else:
        assert benchmark(theirs_listed, chess.Board(KIWIPETE), 1) == 2039


def ours_played(seed):
    chance, board = random.Random(seed), position()
    for ply in range(120):
        moves = board.moves()
        if board.outcome(draws=True) is not None:
            return ply
        board.push(chance.choice(moves))
    return 120


def theirs_played(seed):
    chance, board = random.Random(seed), chess.Board()
    for ply in range(120):
        moves = list(board.legal_moves)
        if board.outcome() is not None:
            return ply
        board.push(chance.choice(moves))
    return 120


@pytest.mark.parametrize(("who", "play"), [("ours", ours_played), ("python-chess", theirs_played)])
def test_random_playouts_with_results(benchmark, who, play):
    benchmark.group = "playouts of 120 plies"
    assert benchmark(play, 7) == 120


@pytest.mark.parametrize(("who", "play"), [("ours", ours_played), ("python-chess", theirs_played)])
def test_random_playouts_never_played_before(benchmark, who, play):
    # Compare medians: the first games fill tables that python-chess fills when it is imported.
    benchmark.group = "new playouts of 120 plies"
    seeds = itertools.count(1000)
    assert benchmark.pedantic(play, setup=lambda: ((next(seeds),), {}), rounds=300) > 10


def test_new_tables_after_a_change_of_law(benchmark):
    notations = itertools.cycle(["NW", "NF", "NA", "ND"])

    def change():
        movement = Movement(parse_betza(next(notations)), UNIVERSE, turned=False)
        found = 0
        for square in range(64):
            found += movement.targets(1 << square, 0, unmoved=False)[0].bit_count()
            found += movement.watch[1 << square][0].bit_count()
        return found

    assert benchmark(change) > 500


def test_moves_of_an_army_over_all_pushes_among_eight_half_boards(benchmark):
    names = ["white", "yellow", "green", "orange", "blue", "red", "violet", "brown"]
    state, chance = half_boards(names), random.Random(3)
    for army in names * 6:
        moves = all_moves(state, Law(), army)
        if moves:
            state = state.play(chance.choice(moves))
    assert len(benchmark(all_moves, state, Law(), "violet")) > 100


def test_drawing_six_universes(benchmark):
    state = merge(
        *(
            universe(
                f"Z:{n}",
                Army(f"a{n}", "x", "", *army_colour_and_mark(2 * n)),
                Army(f"b{n}", "y", "", *army_colour_and_mark(2 * n + 1)),
            )
            for n in range(6)
        )
    )
    assert len(benchmark(draw_multiverse, state).svg) < 80_000
