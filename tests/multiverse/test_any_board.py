"""Positions on boards of any size, with armies that differ: moves, texts, castling, and what is bounded."""

import random
import re

import chess
import pytest
from refusals import refused

from nomic_nb.chess.multiverse import position, read_pgn, write_pgn

CAPABLANCA = "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1"
WIDE = {"a": "BN", "c": "RN"}
SHAKO = "c8c/ernbqkbnre/pppppppppp/10/10/10/10/PPPPPPPPPP/ERNBQKBNRE/C8C w - - 0 1"
#: Leaf counts by pyffish 0.0.90: FEN, pieces, options, counts at depths 1, 2 and so on.
COUNTS = [
    (CAPABLANCA, WIDE, {}, [28, 784, 25228]),
    ("rjnbkqbnjr/pppppppppp/10/10/10/10/PPPPPPPPPP/RJNBKQBNJR w KQkq - 0 1", {"j": "BN"}, {}, [28, 782, 24747]),
    ("rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1", {}, {"promotion": "rqn", "initial_ranks": []}, [10, 100, 1212]),
]


@pytest.mark.parametrize(("fen", "pieces", "options", "counts"), COUNTS)
def test_boards_of_other_sizes_have_the_moves_that_another_program_counts(fen, pieces, options, counts):
    board = position(fen, pieces, **options)
    assert [board.perft(depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize(("fen", "pieces"), [(CAPABLANCA, WIDE), (SHAKO, {"c": "mRcpR", "e": "FA"})])
def test_moves_on_a_wide_board_are_written_and_read_in_every_notation(fen, pieces):
    chance, game = random.Random(3), position(fen, pieces)
    for _ in range(9):
        moves = game.moves()
        if not moves:
            break
        assert game.count() == len(moves)
        for move in moves:
            assert game.find(game.san(move)) == game.find(move.uci()) == move
        again = position(game.fen(en_passant="fen"), pieces)
        assert sorted(again.moves()) == sorted(moves)
        assert again.fen() == game.fen()
        game.push(game.san(chance.choice(moves)))


def test_squares_beyond_the_ninth_rank_have_two_digits():
    game = position(SHAKO, {"c": "mRcpR", "e": "FA"}, initial_ranks=[3])
    assert game.push("a3a5").push("a8a6").last == "a8a6"
    rooks = position("r8r/4k5/10/10/10/10/10/10/10/R3K4R w - - 0 1")
    assert rooks.san("a1a10") == "Rxa10"
    assert rooks.find("Rxa10").taken == (90,)
    with refused("move-not-legal-here", square="a1"):
        rooks.push("a1b10")
    with refused("no-piece-on-square", square="c10"):
        rooks.push("c10c9")


def test_two_rooks_on_one_file_are_told_apart_by_ranks_of_two_digits():
    game = position("R9/k9/4R5/10/10/10/10/R9/9K/10 w - - 0 1".replace("k9", "9k"), castling=False)
    names = [game.san(move) for move in game.moves() if move.target == game.geometry.square("a5")]
    assert sorted(names) == ["R10a5", "R3a5"]
    assert [game.find(name) for name in names] == [m for m in game.moves() if m.target == game.geometry.square("a5")]


def test_holes_of_the_fen_are_squares_that_are_not_there():
    game = position("k*6/8/8/8/8/8/8/K*5R w - - 0 1")
    assert game.moves("a1") == ["a1a2", "a1b2"]
    assert "h1b1" not in game.moves()
    assert "h1c1" in game.moves()
    assert game.fen() == "k*6/8/8/8/8/8/8/K*5R w - - 0 1"
    assert str(game).splitlines()[0] == "k * . . . . . ."
    assert "fill" in game.picture().svg


def test_joined_edges():
    flat, round_ = (position("k7/8/8/8/R7/8/8/4K3 w - - 0 1", wraps=wraps) for wraps in ("", "files"))
    assert "a4h5" not in flat.moves()
    assert len(round_.moves("a4")) == len(flat.moves("a4"))
    bishop = position("8/8/7k/8/B7/8/8/4K3 w - - 0 1", wraps="files")
    assert "a4h5" in bishop.moves()
    with refused("no-such-wrap", found="sides"):
        position(wraps="sides")


def test_armies_with_pieces_of_their_own():
    game = position(pieces={"white": {"n": "NW"}, "black": {"n": "NF", "x": "Q"}})
    game.push("b2b4").push("b7b5")
    assert "b1b2" in game.moves("b1")
    game.push("a2a3")
    assert "b8b7" not in game.moves("b8")
    assert position(pieces={"white": {"n": "NW"}, "black": {"n": "NW"}}) == position(pieces={"n": "NW"})
    assert game.count() == len(game.moves())
    checked = position("4k3/8/8/8/8/8/4n3/4K3 w - - 0 1", {"white": {"n": "N"}, "black": {"n": "W"}})
    assert checked.checkers() == ["e2"]


def random_array(chance):
    """An arrangement of Chess960, as python-chess numbers them."""
    return chess.Board.from_chess960_pos(chance.randrange(960))


def test_castling_from_any_array_agrees_with_python_chess():
    chance = random.Random(7)
    for _ in range(4):
        theirs = random_array(chance)
        ours = position(theirs.fen())
        for ply in range(40):
            if not any(theirs.legal_moves):
                break
            assert ours.count() == len(ours.moves()) == theirs.legal_moves.count(), theirs.fen()
            if ply % 10 == 5:
                leaves = sum(len([*after(theirs, move).legal_moves]) for move in theirs.legal_moves)
                assert ours.perft(2) == leaves
            castling = [move for move in theirs.legal_moves if theirs.is_castling(move)]
            move = chance.choice(castling or list(theirs.legal_moves))
            ours.push(theirs.san(move))
            theirs.push(move)
            assert ours.fen() == theirs.fen()


def after(board, move):
    """The board after a move."""
    board = board.copy(stack=False)
    board.push(move)
    return board


def test_a_partner_inside_the_corner_is_named_by_its_file():
    game = position("4k3/8/8/8/8/8/8/RR2K3 w B - 0 1")
    assert [move for move in game.moves() if move.partner] == ["e1c1"]
    assert game.fen().split()[2] == "B"
    assert game.push("e1c1").fen().startswith("4k3/8/8/8/8/8/8/R1KR4 b - -")
    with refused("fen-castling-pieces-missing", letter="D", square="d1"):
        position("4k3/8/8/8/8/8/8/R3K3 w D - 0 1")


def test_a_right_without_a_partner_is_refused_wherever_the_king_is():
    for fen in ("4k3/8/8/8/8/8/8/7K w K - 0 1", "4k3/8/8/8/8/8/8/1K6 w K - 0 1", "4k3/8/8/8/8/8/8/R6K w K - 0 1"):
        with refused("fen-castling-pieces-missing", letter="K", square="h1"):
            position(fen)


def test_games_from_another_array_are_no_orthodox_chess():
    game = position("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1")
    with refused("python-chess-needs-orthodox-chess"):
        game.to_chess()
    assert read_pgn(write_pgn(game.push("O-O-O")))[0] == game


def test_a_rook_that_shields_its_king_may_not_castle_away():
    game = position("1k6/8/8/8/8/8/8/qRK5 w B - 0 1")
    assert not any(move.partner for move in game.moves())
    assert game.count() == len(game.moves())


def test_pawns_promote_on_the_last_rank_of_the_board_there_is():
    game = position("k3/3P/4/K3 w - - 0 1")
    assert sorted(game.moves("d3")) == ["d3d4b", "d3d4n", "d3d4q", "d3d4r"]
    assert position("k9/9P/10/10/10/10/10/10/10/K9 w - - 0 1").moves("j9")[0].promotion == "q"


def test_unmoved_pieces_of_an_array_without_eight_files():
    game = position("k9/10/10/10/10/10/10/P9/1P8/R8K w - - 0 1", {"r": "WiD"}, initial_ranks=None)
    assert "b2b4" in game.moves()
    assert "a3a5" not in game.moves()
    assert "a1c1" in game.moves()


def test_two_hundred_queens_on_the_largest_board_are_bounded():
    rows = ["q" * 16] * 6 + ["16", "16", "7k8", "K15"] + ["Q" * 16] * 6
    game = position(f"{'/'.join(rows)} w - - 0 1", castling=False)
    assert game.in_check
    loose = position(f"{'/'.join(rows)} w - - 0 1", castling=False, royal="")
    assert len(loose.moves()) == loose.count() == loose.perft(1) > 100
    assert loose.push(loose.moves()[0]).pop()


def test_a_picture_grows_with_the_board():
    assert position().picture().width == 390
    picture = position(SHAKO, {"c": "mRcpR", "e": "FA"}).picture()
    assert picture.width > 390
    assert re.search(r">10</text>", picture.svg)
