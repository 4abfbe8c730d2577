"""Positions of two armies: orthodox chess against python-chess, options, texts in and out, refusals."""

import random

import chess
import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st
from often import examples
from refusals import refused

from nomic_nb.chess.multiverse import Position, position
from nomic_nb.chess.multiverse.python_chess import from_chess, read_pgn, write_pgn

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@examples(10)
@given(st.integers(0, 2**32))
def test_random_games_agree_with_python_chess(seed):
    chance = random.Random(seed)
    theirs, ours = chess.Board(), position()
    for _ in range(80):
        legal = sorted(move.uci() for move in theirs.legal_moves)
        assert sorted(ours.moves()) == legal
        assert ours.count() == len(legal)
        assert ours.fen() == theirs.fen()
        assert ours.in_check == theirs.is_check()
        ended = theirs.is_checkmate() or theirs.is_stalemate()
        assert (ours.outcome() is not None) == ended
        if ended:
            assert ours.outcome().result == theirs.result()
            return
        text = chance.choice(legal)
        move = chess.Move.from_uci(text)
        san = theirs.san(move)
        assert ours.san(text) == san
        assert ours.find(san) == text
        theirs.push(move)
        ours.push(san)


def test_counting_agrees_with_listing_for_changed_pieces():
    chance = random.Random(5)
    game = position(pieces={"n": "NW", "r": "mRcpR", "q": "gQ", "b": "mBcN"}, promotion_mandatory=False)
    for _ in range(60):
        moves = game.moves()
        assert game.count() == len(moves)
        if not moves:
            break
        game.push(chance.choice(moves))


def test_push_pop_copy_and_after():
    game = position()
    other = game.copy()
    assert game.push("e4") is game
    assert other.fen() == position().fen()
    assert game.after("e5").fen() != game.fen()
    assert game.last == "e2e4"
    assert game.pop() == "e2e4"
    assert game == other
    with refused("no-move-to-take-back"):
        game.pop()


def test_a_changed_knight():
    game = position(pieces={"n": "NW"})
    game.push("b2b4").push("a7a6")
    assert set(game.moves("b1")) == {"b1a3", "b1c3", "b1b2"}


def test_kinds_of_their_own():
    game = position("4k3/8/8/8/8/8/8/A3K3 w - - 0 1", {"a": "BN"})
    assert "a1c2" in game.moves()
    assert "a1h8" in game.moves()


@pytest.mark.parametrize("name", ["castling", "castling_rook", "en_passant", "promotion", "royal", "check", "pawns"])
def test_every_option_has_an_effect(name):
    fen, value, gone, come = {
        "castling": ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", False, {"e1g1"}, set()),
        "castling_rook": ("4k3/8/8/8/8/8/8/4K2N w - - 0 1", "n", set(), set()),
        "en_passant": ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", False, {"e5d6"}, set()),
        "promotion": ("7k/P7/8/8/8/8/8/4K3 w - - 0 1", "n", {"a7a8q", "a7a8r", "a7a8b"}, set()),
        "royal": ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "", set(), {"e1d2", "e1f2"}),
        "check": ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", False, set(), {"e1d2", "e1f2"}),
        "pawns": ("7k/P7/8/8/8/8/8/4K3 w - - 0 1", "", {"a7a8q", "a7a8r", "a7a8b", "a7a8n"}, {"a7a8"}),
    }[name]
    before, after = set(position(fen).moves()), set(position(fen, **{name: value}).moves())
    if name == "castling_rook":
        knights = position("4k3/8/8/8/8/8/8/4K2N w K - 0 1", castling_rook="n")
        assert "e1g1" in knights.moves()
        return
    assert before - after == gone
    assert come <= after - before


def test_a_king_castles_past_a_square_that_it_shields_from_a_lame_leaper():
    """As in other programs, squares count as attacked that are so before the king moves, and the last one after it."""
    game = position("4k3/8/8/8/8/8/8/R3Kb1R w KQ - 0 1", {"b": "BnD"})
    assert "e1c1" in game.moves()
    assert game.count() == len(game.moves()) == 23
    assert "e1c1" not in position("4k3/8/8/8/8/4b3/8/R3K2R w KQ - 0 1", {"b": "BnA"}).moves()


def test_unmoved_pieces_where_no_ranks_are_given():
    game = position("4k3/8/8/8/8/P7/1P6/4K3 w - - 0 1", initial_ranks=None)
    assert "b2b4" in game.moves()
    assert "a3a5" not in game.moves()
    game = position("4k3/8/8/8/8/P7/1P6/4K3 w - - 0 1", initial_ranks=[2, 3])
    assert "a3a5" in game.moves()


def test_pawns_that_move_alike_from_both_sides_pass_ahead_of_their_own():
    pawn = {"p": "mWmDceF"}
    black = position("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", pawn, promotion="").push("d7d5")
    assert black.find("e5d6").passing
    assert black.push("e5d6").board().keys() == {4, 60, 43}
    white = position("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", pawn, promotion="").push("e2e4")
    assert white.find("d4e3").taken == (28,)
    back = position("4k3/8/8/4p3/8/3P4/8/4K3 b - - 0 1", pawn, promotion="").push("e5e7")
    assert back.fen(en_passant="fen").split()[3] == "-"


@pytest.mark.parametrize("pieces", [{"n": "NW", "r": "mRcpR"}, {"q": "QN", "b": "nAF"}, {"p": "mfFcfW", "k": "KAD"}])
@pytest.mark.slow
def test_moves_are_those_that_leave_no_king_to_be_captured(pieces):
    chance = random.Random(11)
    for _ in range(4):
        game = position(pieces=pieces)
        for _ in range(40):
            free = position(game.fen(en_passant="fen"), pieces, check=False)
            wanted = []
            for move in free.moves():
                if move.partner is not None:
                    continue
                after = free.after(move)
                king = {square for square, letter in after.board().items() if letter == "kK"[game.turn == "white"]}
                if king and not any(king & set(answer.taken) for answer in after.moves()):
                    wanted.append(move)
            found = game.moves()
            assert sorted(move for move in found if move.partner is None) == sorted(wanted)
            assert game.count() == len(found)
            if not found:
                break
            game.push(chance.choice(found))


def test_castling_as_its_notation_says():
    fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
    assert {"e1b1"} == {move for move in position(fen, {"k": "KilO3"}).moves() if move.partner}
    both = {move for move in position(fen, {"k": "KO2D"}).moves() if move.partner}
    assert both == {"e1h1", "e1a1"}
    with refused("castling-of-common-kind", kind="q"):
        position(fen, {"q": "QO2"})


def test_of_two_royal_kinds_the_one_that_stands_there_castles():
    game = position("4k2r/8/8/8/8/8/8/4K3 b k - 0 1", pieces={"m": "QN"}, royal="km")
    assert game.count() == len(game.moves()) == game.perft(1) == 15
    amazon = position("4k3/8/8/8/8/8/8/R3M3 w Q - 0 1", pieces={"m": "QN"}, royal="km")
    fixed = position("4k3/8/8/8/8/8/8/R3M3 w Q - 0 1", pieces={"m": "QN"}, royal="km", castling=False)
    assert set(amazon.moves()) - set(fixed.moves()) == {"e1a1"}
    assert amazon.count() == fixed.count() + 1
    assert amazon.after("e1a1").fen().startswith("4k3/8/8/8/8/8/8/2MR4 b")
    assert amazon.after("e1c1").fen().startswith("4k3/8/8/8/8/8/8/R1M5 b")


BEROLINA = {"p": "mfFfceWifmnA"}


def test_a_double_step_on_the_diagonal_is_captured_in_passing():
    game = position("4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1", BEROLINA)
    game.push("d2f4")
    assert "e4e3" in game.moves()
    assert len(game.moves()) == game.count() == game.perft(1)
    after = game.after("e4e3")
    assert after.fen().startswith("4k3/8/8/8/8/4p3/8/4K3 w")
    assert position(game.fen(en_passant="fen"), BEROLINA).moves() == game.moves()
    start = position("4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1", BEROLINA)
    assert start.divide(2)["d2f4"] == len(game.moves())


def test_a_passed_square_names_one_pawn():
    with refused("fen-en-passant-twice", pawns="d4 and f4"):
        position("4k3/8/8/8/3PpP2/8/8/4K3 b - e3 0 1", BEROLINA)


@pytest.mark.parametrize(("pawn", "captures"), [("fmWfceFifmnD", True), ("fmWfcFifmnD", False), ("fmWfceFifmD", True)])
def test_only_what_has_e_captures_in_passing(pawn, captures):
    game = position("4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1", {"p": pawn}).push("d2d4")
    assert ("e4d3" in game.moves()) == captures
    assert len(game.moves()) == game.count()


def test_nothing_is_captured_in_passing_where_something_stands():
    game = position("4k3/8/8/8/4p3/3N4/3P4/4K3 w - - 0 1", {"p": "fmWfceFifmD"}).push("d2d4")
    assert sorted(move for move in game.moves("e4") if move.passing) == []


def test_promotion_of_each_side_apart():
    options = {"promotion": {"white": "q", "black": "nr"}, "promotion_ranks": {"white": (8,), "black": (7, 8)},
               "promotion_mandatory": {"white": True, "black": False}}  # fmt: skip
    fen = "4k3/P7/8/8/8/7p/8/4K3 {} - - 0 1"
    white, black = position(fen.format("w"), **options), position(fen.format("b"), **options)
    assert white.moves("a7") == ["a7a8q"]
    assert sorted(black.moves("h3")) == ["h3h2", "h3h2n", "h3h2r"]
    assert white.perft(2) == sum(white.after(move).count() for move in white.moves())
    assert position(promotion={"white": "q", "black": "q"}) == position(promotion="q")
    with refused("term-of-unknown-sides", term="promotion"):
        position(promotion={"white": "q"})
    with refused("term-of-unknown-kind", kind="x"):
        position(promotion={"white": "q", "black": "x"})


def test_one_letter_is_one_kind_for_both_sides():
    with refused("kind-named-twice", upper="N"):
        position(pieces={"N": "NW", "n": "NF"})


def test_castling_past_a_hopper():
    free = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1", {"c": "mRcpR"})
    assert "e1g1" in free.moves()
    over_the_rook = position("4k3/8/8/8/8/8/8/c3K2R w K - 0 1", {"c": "mRcpR"})
    assert "e1g1" not in over_the_rook.moves()


def test_several_royals():
    game = position("4k3/8/8/8/8/8/4r3/1K2K3 w - - 0 1", kings="all")
    assert sorted(game.moves()) == ["e1d1", "e1e2", "e1f1"]
    forked = position("4k3/8/8/8/8/8/8/1K1nK3 w - - 0 1", kings="all")
    assert "e1d1" in forked.moves()


def test_capture_of_the_king_ends_the_game():
    game = position("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", check=False)
    game.push("e1e8")
    assert game.outcome().winner == "white"


def test_rifle_and_double_capture_in_play():
    game = position("4k3/8/8/3pp3/4L3/8/8/4K3 w - - 0 1", {"l": "KNADcaKmcabK"})
    move = game.find("e4d5e5")
    assert sorted(move.taken) == [35, 36]
    assert game.after(move).fen().startswith("4k3/8/8/4L3/8/8/8/4K3 b")
    assert "e4d5e4" in game.moves()
    rifle = position("4k3/8/8/4p3/8/8/8/4RK2 w - - 0 1", {"r": "mRcaibR"})
    assert rifle.push("e1e5e1").fen().startswith("4k3/8/8/8/8/8/8/4RK2 b")


def test_a_rifle_gives_check_and_is_answered():
    game = position("4k3/8/4r3/8/8/8/3P4/4K3 w - - 0 1", {"r": "mRcaibR"})
    assert game.in_check
    assert "d2d3" not in game.moves()
    assert "e1d1" in game.moves()


def test_orthodox_games_go_to_python_chess_and_back():
    game = position()
    for san in ("e4", "c5", "Nf3", "d6"):
        game.push(san)
    board = game.to_chess()
    assert [move.uci() for move in board.move_stack] == ["e2e4", "c7c5", "g1f3", "d7d6"]
    assert from_chess(board).fen() == game.fen()
    text = write_pgn(game, {"White": 'Ann "]\n[Result "1-0'})
    assert read_pgn(text)[0].fen() == game.fen()
    assert text.count("[Result") == 2
    assert text.splitlines()[4].startswith("[White")
    with refused("python-chess-needs-orthodox-chess"):
        position(pieces={"n": "NW"}).to_chess()
    with refused("pgn-needs-orthodox-chess"):
        from_chess(chess.Board(chess960=True))


def test_bad_pgn():
    with refused("pgn-move-unreadable", what="game 1"):
        read_pgn("1. e4 e5 2. Ke3 *")
    with refused("pgn-without-game"):
        read_pgn("")


@pytest.mark.parametrize(
    ("text", "code", "values"),
    [
        ('[Variant "Atomic"]\n\n1. e4 *', "pgn-of-a-variant", {"what": "game 1", "variant": "Atomic"}),
        ('1. e4 *\n\n[Variant "No such"]\n\n1. e4 *', "pgn-of-a-variant", {"what": "game 2", "variant": "No such"}),
        ('[Variant "Chess960"]\n\n1. e4 *', "pgn-of-a-variant", {"variant": "Chess960"}),
        ('[SetUp "1"]\n[FEN "8/8"]\n\n*', "pgn-move-unreadable", {"what": "game 1"}),
        (
            '[SetUp "1"]\n[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n*',
            "fen-with-wrong-number-of-kings",
            {"what": "game 1", "side": "White", "count": "no", "royal": "k"},
        ),
        ("1. e4 Zz9 e5 *", "pgn-text-unknown", {"found": "Zz9"}),
        ("hello", "pgn-text-unknown", {"found": "hello"}),
        (" " * 20_000_000, "pgn-too-long", {"most": 10000000}),
    ],
)
def test_pgn_that_is_no_game_of_chess_is_refused_whole(text, code, values, capfd):
    with refused(code, **values):
        read_pgn(text)
    assert capfd.readouterr().err == ""


def test_pgn_of_orthodox_games_comes_in_with_all_that_stands_beside_moves():
    text = """[Event "a [b] c"]
[Variant "From Position"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/R3K2R w KQ - 0 1"]

% a line that is passed over
{ Words, [%cal Ge2e4] and 1. x9. } 1. O-O! $14 (1. e4+ {or so} 1... Kd7) 1...Kd7 2.e4 ; to the end
1-0
"""
    (game,) = read_pgn(text)
    assert game.fen() == "8/3k4/8/8/4P3/8/8/R4RK1 b - - 0 2"


@pytest.mark.parametrize(
    ("fen", "code", "values"),
    [
        ("", "fen-with-wrong-number-of-fields", {}),
        ("8/8/8 w - - 0 1", "fen-with-wrong-number-of-kings", {"count": "no"}),
        (
            "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "fen-rank-of-wrong-length",
            {"more_or_less": "more than", "squares": 8},
        ),
        (
            "rnbqkbnr/pppppppp/7/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "fen-rank-of-wrong-length",
            {"more_or_less": "only", "squares": 7},
        ),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPX/RNBQKBNR w KQkq - 0 1", "fen-letter-unknown", {"letter": "X", "rank": 2}),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "fen-with-wrong-number-of-kings", {"side": "White", "count": 2}),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "fen-with-wrong-number-of-kings", {"side": "Black", "count": "no"}),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "fen-turn-unknown", {}),
        ("4k3/8/8/8/8/8/8/4K3 w KK - 0 1", "fen-castling-unreadable", {}),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "fen-castling-pieces-missing", {"letter": "K", "rook": "r", "square": "h1"}),
        ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "square-not-on-this-board", {}),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "fen-en-passant-without-pawn", {}),
        ("4k3/8/4p3/4p3/8/8/8/4K3 w - e6 0 1", "fen-en-passant-square-occupied", {}),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "fen-number-unreadable", {"field": "field 5 (half-move clock)"}),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "fen-number-unreadable", {"field": "field 6 (move number)"}),
        ("4k3/8/8/8/8/8/8/08K3 w - - 0 1", "fen-empty-squares-unreadable", {}),
        ("4k3/8/8/8/8/8/8/*3K2 w - - 0 1", "fen-rank-of-wrong-length", {"more_or_less": "only", "squares": 7}),
        ("17/17/k16/K16 w - - 0 1", "fen-of-too-large-a-board", {"files": 17}),
        ("****/**** w - - 0 1", "board-of-holes-only", {}),
        ("8" * 1001, "fen-too-long", {}),
        ("k7/8/8/8/8/8/8/K7[Pp] w - - 0 1", "fen-with-unused-hands", {}),
        ("k7/8/8/8/8/8/8/K6Q~ w - - 0 1", "fen-with-unused-hands", {}),
        ("k7/8/8/8/8/8/8/K7 w - - 3+3 0 1", "fen-with-unused-checks", {"white": 3}),
        ("k7/8/8/8/8/8/8/K7 w - - 0 1 +0+0", "fen-of-a-dialect", {"name": "lichess’s FEN of three-check"}),
        ("k7/8/8/8/8/8/8/K7/Pp w - - 0 1", "fen-of-a-dialect", {"name": "a FEN with the hands as a ninth rank"}),
        ("4k4/9/9/9/4+R4/9/9/9/4K4 b 2p 1", "fen-promotion-unknown", {"letter": "R"}),
        ("4k4/9/9/9/9/9/9/9/9/4K4 r - - 0 1", "fen-of-a-dialect", {"name": "a FEN of xiangqi with r for Red"}),
        ("startpos moves e2e4", "fen-of-a-dialect", {"name": "a command of UCI"}),
    ],
)
def test_fens_that_are_refused(fen, code, values):
    with refused(code, **values):
        position(fen)


@pytest.mark.parametrize(
    ("options", "code", "values"),
    [
        ({"pieces": {"nn": "N"}}, "kind-not-a-letter", {}),
        ({"promotion": "qx"}, "term-of-unknown-kind", {"kind": "x"}),
        ({"promotion": 3}, "term-not-piece-letters", {}),
        ({"royal": "kk"}, "term-names-a-kind-twice", {}),
        ({"promotion_ranks": [0]}, "term-holds-no-rank", {}),
        ({"promotion_ranks": 8}, "term-not-ranks", {}),
        ({"kings": "two"}, "no-such-choice-of-term", {"term": "kings"}),
        ({"castling": "yes"}, "term-not-true-or-false", {}),
    ],
)
def test_options_that_are_refused(options, code, values):
    with refused(code, **values):
        position(**options)


def test_bad_movements_are_refused_with_their_column():
    with refused("movement-atom-unknown", column=2):
        position(pieces={"n": "N!"})


@pytest.mark.parametrize(
    ("move", "code", "values"),
    [
        ("e4e5", "no-piece-on-square", {"square": "e4"}),
        ("e7e5", "piece-of-other-side", {}),
        ("e2e5", "move-not-legal-here", {"square": "e2", "here": "e2e3, e2e4"}),
        ("Nd4", "move-neither-uci-nor-algebraic", {}),
        ("", "move-neither-uci-nor-algebraic", {}),
        (None, "move-not-text", {}),
    ],
)
def test_moves_that_are_refused(move, code, values):
    with refused(code, **values):
        position().push(move)


def test_ambiguous_san_is_refused():
    with refused("move-ambiguous", move="Rd4"):
        position("4k3/8/8/8/R6R/8/8/4K3 w - - 0 1").push("Rd4")


@pytest.mark.parametrize("depth", [-1, 1.5, True])
def test_depths_that_are_refused(depth):
    with refused("depth-out-of-range"):
        position().perft(depth)


def test_divide_needs_a_ply():
    with refused("depth-out-of-range", found=0):
        position().divide(0)


def test_draws_end_a_game_only_where_asked():
    game = position("4k3/8/8/8/8/8/8/4K3 w - - 149 90")
    assert game.outcome() is None
    assert game.outcome(draws=True).reason == "only royal pieces left"
    game = position("4k3/7p/8/8/8/8/8/4K3 w - - 149 90").push("e1e2")
    assert game.outcome(draws=True).reason == "75 moves"
    game = position("4k3/7p/8/8/8/8/8/4K3 w - - 0 1")
    for text in ["e1d1", "e8d8", "d1e1", "d8e8"] * 4:
        game.push(text)
    assert game.outcome(draws=True).reason == "fivefold repetition"


def test_it_shows_itself_as_text():
    assert str(position()).splitlines()[0] == "r n b q k b n r"
    assert repr(Position()).startswith("<Position rnbqkbnr")


@pytest.mark.parametrize("mark", ["\ufeff", "\ufeff".encode().decode("latin-1")])
def test_a_byte_order_mark_before_a_text_changes_nothing(mark):
    text = write_pgn(position().push("e2e4"), {"White": "Ann"})
    assert [game.fen() for game in read_pgn(mark + text)] == [game.fen() for game in read_pgn(text)]
    assert len(read_pgn(f"{mark}{text}\r\n\r\n{mark}{text}")) == 2  # two files, one after the other
    assert read_pgn(f"{mark}1. e4 *")[0].fen() == read_pgn("1. e4 *")[0].fen()
    assert position(mark + position().fen()) == position()
