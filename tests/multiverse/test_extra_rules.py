"""Goals, hands, forced captures and explosions of a position, and what is refused."""

import random

import chess.variant
import pytest
from refusals import refused

import nomic_nb as nb
from nomic_nb.chess.multiverse import bare, checks, extinct, lost_all, position, reach

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
HILL, THREE = {"goals": [reach("k", "d4-e5")]}, {"goals": [checks(3)]}
ANTI = {"royal": "", "castling": False, "move_forced": True, "promotion": "qrbnk", "stalemate": "win",
        "goals": [lost_all()]}  # fmt: skip
HOUSE = {"capture_result": "captor's hand", "drops": {"p": "ranks 2-7"}}
ATOMIC = {"capture_result": "explode with royals"}


@pytest.mark.parametrize(
    ("name", "fen", "options"),
    [
        ("kingofthehill", START, HILL),
        ("threecheck", START.replace(" 0 1", " 3+3 0 1"), THREE),
        ("antichess", START.replace("KQkq", "-"), ANTI),
        ("crazyhouse", START.replace(" w", "[] w"), HOUSE),
        ("atomic", START, ATOMIC),
    ],
)
@pytest.mark.slow
def test_random_games_agree_with_python_chess(name, fen, options):
    chance = random.Random(5)
    for _ in range(3):
        theirs, ours = chess.variant.find_variant(name)(), position(fen, **options)
        for _ in range(70):
            legal = sorted(move.uci() for move in theirs.legal_moves)
            assert sorted(ours.moves()) == legal, theirs.fen()
            assert ours.count() == len(legal)
            end = ours.outcome()
            ended = theirs.is_checkmate() or theirs.is_variant_end() or not legal
            assert (end is not None) == ended, (theirs.fen(), end)
            if end is not None:
                assert end.result == theirs.result()
                break
            captures = [text for text in legal if theirs.is_capture(chess.Move.from_uci(text))]
            text = chance.choice(captures if captures and chance.random() < 0.5 else legal)
            assert ours.find(ours.san(text)) == text
            ours.push(text)
            theirs.push_uci(text)
            if ours.outcome() is not None:
                continue
            again = position(ours.fen(en_passant="fen"), **options)
            assert again.fen() == ours.fen()
            assert sorted(again.moves()) == sorted(ours.moves())


def test_taking_back_brings_hands_and_checks_back():
    game = position(START.replace(" w", "[] w"), **HOUSE)
    start = game.copy()
    for san in ("e4", "d5", "exd5", "Qxd5", "P@e4"):
        game.push(san)
    assert game.fen().split()[0].endswith("[p]")
    for _ in range(5):
        game.pop()
    assert game == start
    three = position(START, **THREE).push("e4").push("f6").push("Qh5")
    assert three.fen().split()[4] == "2+3"
    three.pop()
    assert three.fen().split()[4] == "3+3"


def test_a_promoted_piece_goes_to_hand_as_a_pawn():
    game = position("k6r/6P1/8/8/8/8/8/K7[] w - - 0 1", **HOUSE).push("g7g8q")
    assert "Q~" in game.fen()
    assert game.push("h8g8").fen().split()[0] == "k5r1/8/8/8/8/8/8/K7[p]"


def test_an_owners_hand():
    game = position("k6r/8/8/8/8/8/8/K6R[] w - - 0 1", capture_result="owner's hand").push("h1h8")
    assert game.fen().split()[0].endswith("[r]")
    assert "R@e8" in game.moves()


def test_a_drop_answers_a_check():
    game = position("k6r/8/8/8/8/8/8/r3K3[N] w - - 0 1", **HOUSE)
    assert {move for move in game.moves() if "@" in move} == {"N@b1", "N@c1", "N@d1"}


def test_captured_pieces_join_the_captor_on_its_square():
    game = position("k7/8/8/8/8/8/8/Kn5R w - - 0 1", capture_result="convert").push("h1b1")
    assert game.fen().split()[0] == "k7/8/8/8/8/8/8/KR5N"
    pinned = position("k3r3/8/8/8/8/8/4R1n1/4K3 w - - 0 1", capture_result="convert")
    assert "e2g2" in pinned.moves()
    assert "e2g2" not in position("k3r3/8/8/8/8/8/4R1n1/4K3 w - - 0 1").moves()


def test_royal_pieces_that_an_explosion_spares():
    fen = "8/8/8/8/8/1k6/2n5/K1R5 w - - 0 1"
    assert "c1c2" in position(fen, capture_result="explode").moves()
    after = position(fen, capture_result="explode").push("c1c2")
    assert after.fen().split()[0] == "8/8/8/8/8/1k6/8/K7"


def test_promotion_in_a_zone_is_offered_on_the_way_in_and_out():
    options = {"promotion_within": {"s": "g"}, "promotion_ranks": [4, 5], "pawns": "", "promotion": ""}
    game = position("k4/5/5/S4/3SK w - - 0 1", {"s": "FfW", "g": "WfF"}, **options)
    assert {"a2a3", "d1c2"} <= set(game.moves())
    assert not any(move.promotion for move in game.moves())
    inside = position("k4/5/1S3/5/4K w - - 0 1", {"s": "FfW", "g": "WfF"}, **options)
    assert {"b3b4", "b3b4g"} <= set(inside.moves())
    assert "b3a2" in inside.moves()
    assert "b3a2g" not in inside.moves()
    leaving = position("k4/1S3/5/5/4K w - - 0 1", {"s": "FfW", "g": "WfF"}, **options)
    assert {"b4c3", "b4c3g"} <= set(leaving.moves())


def test_pieces_stay_in_their_region_and_give_no_check_beyond_it():
    game = position("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", regions={"r": "ranks 1-4"}, castling=False)
    assert "a1a4" in game.moves()
    assert "a1a5" not in game.moves()
    assert not position("R3k3/8/8/8/8/8/8/4K3 b - - 0 1", regions={"r": "ranks 1-4"}).in_check


@pytest.mark.parametrize(
    ("fen", "options", "end"),
    [
        ("k7/8/8/8/8/8/8/K7 w - - 0 1", {"goals": [extinct("q")], "kings": "all"}, ("no q left", "white")),
        ("7k/8/6K1/8/8/8/8/6Q1 b - - 0 1", {"stalemate": "loss"}, None),
        ("7k/5Q2/8/6K1/8/8/8/8 b - - 0 1", {"stalemate": "loss"}, ("stalemate", "white")),
        ("7k/5Q2/8/6K1/8/8/8/8 b - - 0 1", {"stalemate": "win"}, ("stalemate", "black")),
        ("7k/5Q2/8/6K1/8/8/8/8 b - - 0 1", {}, ("stalemate", "")),
        ("k7/8/8/8/8/8/8/K6R w - - 0 1", {"goals": [bare()]}, ("bare king", "white")),
        ("k7/8/8/8/8/8/8/K6R b - - 0 1", {"goals": [bare()]}, None),
    ],
)
def test_how_games_end(fen, options, end):
    found = position(fen, **options).outcome()
    assert (found and tuple(found)) == end


@pytest.mark.parametrize(
    ("options", "code", "values"),
    [
        ({"goals": ["win"]}, "goal-unknown", {"goal": "win"}),
        ({"goals": [3]}, "goal-unknown", {"goal": "3"}),
        ({"goals": ["checks 0"]}, "goal-unknown", {}),
        ({"goals": ["checks 1000"]}, "goal-unknown", {}),
        ({"goals": ["checks 3"], "check": False}, "goal-without-check", {}),
        ({"goals": ["reach x e4"]}, "goal-of-unknown-kind", {"kind": "x"}),
        ({"goals": ["reach k e9"]}, "square-not-on-this-board", {}),
        ({"goals": ["reach k everywhere"]}, "region-unreadable", {"found": "everywhere"}),
        ({"stalemate": "lost"}, "no-such-choice-of-term", {"term": "stalemate"}),
        ({"capture_result": "explodes"}, "no-such-choice-of-term", {"term": "capture_result"}),
        ({"drops": {"x": "a1"}}, "term-of-unknown-kind", {"term": "drops"}),
        ({"drops": {"p": "z"}}, "region-unreadable", {}),
        ({"goals": ["checks 099999"]}, "goal-unknown", {}),
        ({"goals": ["checks ３"]}, "goal-unknown", {}),
        ({"goals": ["checks 3", "checks 5"]}, "goal-given-twice", {}),
        ({"goals": [["bare"]]}, "goal-unknown", {"goal": "['bare']"}),
        ({"goals": "bare"}, "term-not-a-list", {"found": "bare"}),
        ({"goals": 5}, "term-not-a-list", {"found": 5}),
        ({"goals": ["reach k rank 0"]}, "rank-not-on-this-board", {"rank": 0, "most": 8}),
        ({"goals": ["reach k ranks 8-9"]}, "rank-not-on-this-board", {"rank": 9}),
        ({"regions": {"k": "rank 9"}}, "rank-not-on-this-board", {"rank": 9}),
        ({"drops": {"p": "ranks 0-7"}}, "rank-not-on-this-board", {"rank": 0}),
        ({"promotion_ranks": {"white": (8,), "black": (7, 9)}}, "rank-not-on-this-board", {"rank": 9}),
        ({"pieces": 5}, "pieces-not-by-kind", {"found": 5}),
        ({"pieces": {"white": {}, "black": "N"}}, "pieces-not-by-kind", {"found": "N"}),
        ({"regions": {"k": 3}}, "term-not-by-kind", {"term": "regions"}),
        ({"regions": {"k": ["a1"]}}, "term-not-by-kind", {"term": "regions"}),
        ({"drops": 5}, "term-not-by-kind", {"term": "drops", "found": 5}),
        ({"drops": "p"}, "term-not-by-kind", {"term": "drops"}),
        ({"promotion_within": {5: "q", "n": "q"}}, "term-not-by-kind", {"term": "promotion_within"}),
        ({"promotion_within": {"n": "x"}}, "term-of-unknown-kind", {"kind": "x"}),
        ({"move_forced": "captures"}, "term-not-true-or-false", {"term": "move_forced"}),
    ],
)
def test_options_that_are_refused(options, code, values):
    with refused(code, **values):
        position(**options)


def test_lone_kings_are_no_draw_if_another_rule_lets_somebody_win():
    fen = "k7/8/8/8/8/8/8/K7{} w - - 0 1"
    assert position(fen.format("")).outcome(draws=True).reason == "only royal pieces left"
    assert position(fen.format(""), **HILL).outcome(draws=True) is None
    assert position(fen.format("[Q]"), **HOUSE).outcome(draws=True) is None


def test_a_region_holds_for_castling_and_drops():
    fen = "4k3/8/8/8/8/8/8/R3K2R[N] w KQ - 0 1"
    game = position(fen, regions={"k": "a1-f3", "n": "ranks 1-2"}, drops={"n": "ranks 2-8"})
    assert {move for move in game.moves() if move.partner} == {"e1c1"}
    assert {move[3] for move in game.moves() if "@" in move} == {"2"}


def test_a_drop_beside_a_move_of_the_same_kind_needs_no_origin():
    game = position("4k3/8/8/8/8/6N1/8/4K3[N] w - - 0 1", **HOUSE)
    assert game.san("g3e4") == "Ne4"
    assert game.san("N@e4") == "N@e4"


def test_a_hand_holds_known_kinds_and_a_mark_follows_a_piece():
    with refused("fen-hand-unreadable", letter="X"):
        position("k7/8/8/8/8/8/8/K7[X] w - - 0 1", **HOUSE)
    with refused("fen-royal-in-hand", letter="k"):
        position("k7/8/8/8/8/8/8/K7[k] w - - 0 1", **HOUSE)
    for row in ("~7", "7~", "3~4", "K~~6", "*~7"):
        with refused("fen-mark-without-piece"):
            position(f"k7/8/8/8/8/8/8/{row}[] w - - 0 1", **HOUSE)
    with refused("fen-with-unused-checks", white=4):
        position("k7/8/8/8/8/8/8/K7 w - - 4+3 0 1", **THREE)


def test_a_piece_that_never_leaves_its_region_binds_nobody_beyond_it():
    game = position("r7/8/8/8/4k3/8/2n5/1B5K b - - 0 1", regions={"b": "ranks 1-4"})
    assert "a8a7" in game.moves()
    assert not [move for move in game.moves() if move.startswith("c2")]


def test_a_piece_promoted_beyond_its_region_can_be_played_with():
    game = position("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", regions={"b": "ranks 1-4"}).push("a7a8b")
    assert nb.multiverse.player(game, nodes=50).move(game) in game.moves()


def test_a_double_step_that_promotes_is_counted_as_it_is_played():
    game = position("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", promotion_ranks=(4,), promotion="q", pieces={"p": "mfRfceF"})
    assert game.perft(2) == sum(game.after(move).count() for move in game.moves())
