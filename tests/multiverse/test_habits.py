"""Code written for python-chess runs on a board of ours with one line changed."""

import random

import chess
import chess.pgn
import chess.svg
import pytest
from refusals import refused

import nomic_nb as nb
from nomic_nb.chess.multiverse.habits import Board, Colour

MATED = "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4"


def both():
    """A board of each kind."""
    return chess.Board(), Board()


#: What both boards must say alike after some moves: Python that reads a board called board.
SAYINGS = """
board.turn == chess.WHITE
board.turn == chess.BLACK
board.turn != chess.WHITE
bool(board.turn)
not board.turn
board.fullmove_number
board.halfmove_clock
board.ply()
len(board.move_stack)
board.is_check()
board.is_checkmate()
board.is_stalemate()
board.is_insufficient_material()
board.is_game_over()
board.is_game_over(claim_draw=True)
board.result()
board.legal_moves.count()
len(list(board.legal_moves))
sorted(move.uci() for move in board.legal_moves)
sorted(board.san(move) for move in board.legal_moves)
sorted(board.lan(move) for move in board.legal_moves)
sorted((move.from_square, move.to_square, move.promotion or 0) for move in board.legal_moves)
sorted(move.uci() for move in board.legal_moves if board.is_capture(move))
sorted(move.uci() for move in board.legal_moves if board.is_castling(move))
sorted(move.uci() for move in board.legal_moves if board.gives_check(move))
chess.Move.from_uci("a8a1") in board.legal_moves
all(board.is_legal(move) for move in board.legal_moves)
board.fen()
board.board_fen()
board.epd()
{square: str(piece) for square, piece in board.piece_map().items()}
[str(board.piece_at(square)) for square in chess.SQUARES]
sum(piece.piece_type * (1 if piece.color else -1) for piece in board.piece_map().values())
[sorted(board.pieces(kind, color)) for kind in chess.PIECE_TYPES for color in chess.COLORS]
[board.king(color) for color in chess.COLORS]
[sorted(board.attackers(color, square)) for color in chess.COLORS for square in chess.SQUARES]
board.is_attacked_by(chess.WHITE, chess.E8)
sorted(board.checkers())
sorted(board.attacks(chess.E4))
board.is_pinned(chess.WHITE, chess.D2)
board.has_kingside_castling_rights(chess.WHITE)
board.can_claim_draw()
board.is_repetition()
board.status() == chess.STATUS_VALID
board.is_valid()
board.unicode()
str(board)
board.mirror().fen()
board.root().fen()
board.copy(stack=False).fen()
len(board.copy(stack=False).move_stack)
board.outcome() is None
board.variation_san(list(board.legal_moves)[:1]) != ""
""".strip().splitlines()


@pytest.mark.slow
def test_a_board_says_what_python_chess_says():
    chance = random.Random(2)
    for _ in range(2):
        theirs, ours = both()
        for ply in range(60):
            if ply % 6 == 0:
                for saying in SAYINGS:
                    expected, found = (eval(saying, {"chess": chess, "board": one}) for one in (theirs, ours))  # noqa: S307 - of this file
                    assert found == expected, (saying, theirs.fen())
            legal = sorted(theirs.legal_moves, key=str)
            if not legal:
                break
            move = chance.choice(legal)
            theirs.push(move)
            ours.push(move)
            assert ours.peek() == theirs.peek() == move


def test_the_first_example_of_python_chess():
    board = Board()
    assert board.legal_moves.count() == 20
    for san in ("e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7"):
        board.push_san(san)
    assert board.is_checkmate()
    assert board.outcome().termination is chess.Termination.CHECKMATE
    assert board.outcome().winner == chess.WHITE
    assert board.outcome().result() == board.outcome().result == board.result() == "1-0"
    assert str(board).splitlines()[0] == "r . b q k b . r"
    assert board.fen() == MATED
    assert repr(Board().legal_moves).startswith("<LegalMoves (")


def test_making_and_unmaking_moves():
    board = Board()
    move = chess.Move.from_uci("g1f3")
    board.push(move)
    assert board.pop() == move
    assert board.parse_san("Nf3") == move == board.parse_uci("g1f3")
    assert board.san(move) == "Nf3"
    assert board.push_uci("g1f3").uci() == "g1f3"
    board.set_fen(MATED)
    assert str(board.piece_at("f7")) == "Q"
    board.reset()
    assert board == Board() == nb.multiverse.position()


def test_a_side_is_a_name_and_a_colour():
    board = Board()
    assert board.turn == "white" == nb.multiverse.position().turn
    assert board.turn == chess.WHITE
    assert board.turn != chess.BLACK
    assert {chess.WHITE: "w", chess.BLACK: "b"}[board.turn] == "w"
    assert str(~board.turn) == "black"
    board.turn = chess.BLACK
    assert board.turn == Colour("black")
    assert board.fen().split()[1] == "b"
    with refused("colour-unknown", found="green"):
        board.attackers("green", "e4")


def test_draws():
    board = Board()
    for san in ["Nf3", "Nf6", "Ng1", "Ng8"] * 2:
        board.push_san(san)
    assert board.is_repetition()
    assert board.outcome() is None
    assert board.outcome(claim_draw=True).termination is chess.Termination.THREEFOLD_REPETITION
    assert board.result(claim_draw=True) == "1/2-1/2"
    bishops = Board("4k3/8/8/8/8/8/8/4KB2 w - - 0 1").outcome()
    assert bishops.termination is chess.Termination.INSUFFICIENT_MATERIAL
    assert bishops.winner is None
    assert Board("4k3/8/8/8/8/8/4P3/4K3 w - - 150 90").outcome().termination.name == "SEVENTYFIVE_MOVES"
    assert Board("4k3/8/8/8/8/8/4P3/4K3 w - - 100 90").outcome(claim_draw=True).termination.name == "FIFTY_MOVES"


def test_python_chess_draws_and_writes_our_boards():
    board = Board().push("e2e4").push("e7e5")
    assert chess.svg.board(board, size=350) == chess.svg.board(board.to_chess(), size=350)
    assert str(chess.pgn.Game.from_board(board)).endswith("1. e4 e5 *")
    with refused("python-chess-needs-orthodox-chess"):
        chess.pgn.Game.from_board(Board(pieces={"n": "NW"}))
    with pytest.raises(AttributeError):
        board.no_such_name  # noqa: B018
    assert board.lan("g1f3") == board.lan(chess.Move.from_uci("g1f3")) == "Ng1-f3"
    assert board.is_pinned("white", "e4") is False
    board.remove_piece_at("e4")
    assert board.piece_at(chess.E4) is None


def test_boards_that_python_chess_lacks_have_the_same_names():
    board = Board("rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1", {"a": "BN", "c": "RN"})
    assert board.piece_at("c1").piece_type == "a"
    assert str(board.piece_at("c1")) == "A"
    assert board.pieces("a", chess.WHITE) == {2}
    move = next(move for move in board.legal_moves if move.uci() == "c1b3")
    assert move in board.legal_moves
    assert board.push(move).pop() == move
    assert board.mirror().turn == chess.BLACK
    assert Board(pieces={"n": "NW"}).pieces["n"] == "NW"
    house = Board(Board().fen().replace(" w", "[Nn] w"), capture_result="captor's hand")
    assert chess.Move.from_uci("N@e4") in house.legal_moves
    assert house.push_san("N@e4").drop == chess.KNIGHT
    hill = Board("4k3/8/8/8/8/4K3/8/8 w - - 0 1", goals=["reach k e4"]).push("e3e4").outcome()
    assert hill.termination is chess.Termination.VARIANT_WIN
    assert hill.winner == chess.WHITE


HOUSE = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Qp] w KQkq - 3+1 0 1"
CASTLING, PROMOTING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1"


def by_side(white, black):
    return {"white": white, "black": black}


@pytest.mark.parametrize(
    ("fen", "options"),
    [
        (Board.starting_fen, {"pieces": by_side({"n": "NW", "b": "lB"}, {"r": "RF"}), "regions": {"q": "d1-h4"}}),
        (HOUSE, {"drops": {"p": "ranks 2-4"}, "goals": ["checks 3"]}),
        (Board.starting_fen, {"pieces": {"n": "iKrN"}, "initial_ranks": None, "moved": "b1 g8"}),
        (CASTLING, {"pieces": by_side({"k": "KrO3lO2"}, {"k": "KrO2lO3"})}),
        (PROMOTING, {"promotion": by_side("q", "n"), "promotion_mandatory": by_side(True, False)}),
        (PROMOTING, {"promotion": by_side("q", "n"), "promotion_ranks": by_side((8,), (7, 8))}),
    ],
)
def test_a_mirrored_board_has_the_same_game_for_the_other_side(fen, options):
    board = Board(fen, **options)
    mirrored, last = board.mirror(), board.geometry.ranks + 1
    for _ in range(2):
        across = ["".join(str(last - int(sign)) if sign.isdigit() else sign for sign in move) for move in board.moves()]
        assert sorted(across) == sorted(mirrored.moves())
        board.push(board.moves()[0])
        mirrored.push(across[0])
    assert mirrored.mirror() == board


def test_another_position_keeps_the_options_of_a_board():
    board = Board(pieces={"n": "NW"}, stalemate="loss")
    board.set_fen("7k/5Q2/8/6K1/8/8/8/N7 b - - 0 1")
    assert board.outcome().winner == chess.WHITE
    board.turn = chess.WHITE
    assert "a1b1" in board.moves()


def test_names_that_only_orthodox_chess_has_are_not_there_in_other_games():
    assert hasattr(Board(), "is_pinned")
    assert not hasattr(Board(pieces={"n": "NW"}), "is_pinned")
    with refused("python-chess-needs-orthodox-chess"):
        Board(pieces={"n": "NW"}).is_pinned(chess.WHITE, chess.E2)


@pytest.mark.parametrize(
    "act",
    [
        lambda: nb.multiverse.position(peices={}),
        lambda: Board(peices={}),
        lambda: Board().outcome(claim=True),
        lambda: Board().push_san(),
        lambda: nb.multiverse.variant(),
        lambda: nb.multiverse.variant("chess", fen=""),
        lambda: nb.multiverse.open_link(),
        lambda: nb.multiverse.read_pgn(file="x"),
        lambda: nb.multiverse.write_pgn(),
        lambda: nb.multiverse.reach("k"),
        lambda: nb.multiverse.checks(),
        lambda: nb.multiverse.extinct("q", 1, 2),
        lambda: nb.multiverse.from_ini(path="x"),
        lambda: nb.multiverse.to_ini(),
    ],
)
def test_a_wrong_argument_is_explained(act):
    with refused("wrong-arguments"):
        act()
