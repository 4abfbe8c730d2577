"""Goals, hands, forced captures and explosions of a position, and what is refused."""

import random

import chess.variant
import pytest
from refusals import refused

import nomic_nb as nb
from nomic_nb.chess.multiverse import bare, checks, extinct, lost_all, position, race, reach

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
        ({"drop_file_limit": {"p": "1"}}, "term-not-by-kind", {"term": "drop_file_limit"}),
        ({"promotion_limit": {"q": -1}}, "term-not-by-kind", {"term": "promotion_limit"}),
        ({"promotion_limit": {"x": 1}}, "term-of-unknown-kind", {"term": "promotion_limit"}),
        ({"drop_without_mate": "x"}, "term-of-unknown-kind", {"term": "drop_without_mate"}),
        ({"giving_check": "no"}, "no-such-choice-of-term", {"term": "giving_check"}),
        ({"flying_general": "k"}, "term-not-true-or-false", {"term": "flying_general"}),
        ({"en_passant": 3}, "term-not-true-or-false", {"term": "en_passant"}),
        ({"en_passant": "rank 9"}, "rank-not-on-this-board", {}),
        ({"promotion_ranks": "rank 8 / everywhere"}, "region-unreadable", {}),
        ({"castling_king": "q"}, "castling-of-common-kind", {"kind": "q", "royal": "k"}),
        ({"goals": ["extinct q r"]}, "goal-unknown", {}),
        ({"goals": ["race x e4"]}, "goal-of-unknown-kind", {"kind": "x"}),
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


SHOGI = {
    "pieces": {"p": "fW", "s": "FfW", "g": "WfF", "r": "R"}, "castling": False, "pawns": "", "promotion": "",
    "initial_ranks": [], "promotion_ranks": [7, 8, 9], "promotion_within": {"p": "g", "s": "g"},
    "drops": {"p": "ranks 1-9"}, "capture_result": "captor's hand", "drop_file_limit": {"p": 1},
    "drop_without_mate": "p",
}  # fmt: skip


def test_a_second_pawn_is_not_dropped_on_a_file_but_beside_a_promoted_one():
    game = position("4k4/9/9/9/2+P6/8p/P8/9/4K4[P] w - - 0 1", **SHOGI)
    files = {move[2] for move in game.moves() if "@" in move}
    assert files == set("bcdefghi")  # the pawn on the i-file is Black's


def test_a_captured_piece_falls_back_to_what_it_was():
    game = position("4k4/9/9/4+P4/4r4/9/9/9/4K4[] b - - 0 1", **SHOGI).push("e5e6")
    assert game.fen().split()[0] == "4k4/9/9/4r4/9/9/9/9/4K4[p]"
    again = position("4k4/4S4/9/9/9/9/9/9/4K4[] w - - 0 1", **SHOGI).push("e8f9g")
    assert again.fen().split()[0] == "4k+S3/9/9/9/9/9/9/9/4K4[]"
    assert again.push("e9f9").fen().split()[0] == "5k3/9/9/9/9/9/9/9/4K4[s]"
    assert position("4k4/9/9/9/9/9/9/9/+P3K4[] w - - 0 1", **SHOGI) != position(
        "4k4/9/9/9/9/9/9/9/+S3K4[] w - - 0 1", **SHOGI
    )
    kept = {**SHOGI, "keeps_promotion": True}
    assert position("4k4/9/9/4+P4/4r4/9/9/9/4K4[] b - - 0 1", **kept).push("e5e6").fen().split()[0].endswith("[g]")


def test_a_pawn_is_not_dropped_to_give_mate_but_moves_to():
    mate = "kr7/9/1GG6/9/9/9/9/9/K8[P] w - - 0 1"
    game = position(mate, **SHOGI)
    assert "P@a8" not in game.moves()
    assert "P@a8" in position(mate, **{**SHOGI, "drop_without_mate": ""}).moves()
    assert "P@b8" in game.moves()
    assert "P@a8" in position(mate.replace("1GG", "2G"), **SHOGI).moves()  # the king can take it
    moved = position("kr7/9/PGG6/9/9/9/9/9/K8[] w - - 0 1", **SHOGI).push("a7a8")
    assert moved.outcome().reason == "checkmate"


def test_zone_promotion_can_be_a_duty():
    inside = position("4k4/9/9/S8/9/9/9/9/4K4[] w - - 0 1", **SHOGI, promotion_within_mandatory=True)
    assert "a6a7g" in inside.moves()
    assert "a6a7" not in inside.moves()
    assert "a6b5" in inside.moves()


def test_royal_pieces_must_not_face_each_other():
    game = position("4k3/8/8/8/4R3/8/8/4K3 w - - 0 1", flying_general=True, castling=False)
    assert {move[2] for move in game.moves("e4")} == {"e"}
    assert "d7d8" not in position("8/3k4/8/8/8/8/8/K7 b - - 0 1", flying_general=True).push("d7d6").moves()
    assert set(position("8/8/8/8/k7/8/1K6/8 w - - 0 1", flying_general=True).moves()) == {
        "b2b1", "b2c1", "b2c2", "b2c3"
    }  # fmt: skip


def test_a_side_promotes_only_to_what_it_has_lost():
    options = {"promotion_limit": {"q": 1, "r": 2, "b": 2, "n": 2}, "promotion_mandatory": False}
    fen = "4k3/P7/8/8/8/8/8/{}K3 w - - 0 1"
    everything = position(fen.format("QRRB"), **options).moves("a7")
    assert everything == ["a7a8b", "a7a8n"]
    assert position("4k3/P7/8/8/8/8/8/QRRBBNNK w - - 0 1", **options).moves("a7") == []  # it could not move on


def test_check_can_be_forbidden():
    fen = "4k3/8/8/8/8/8/8/R3K3[R] w - - 0 1"
    for choice, moves, drops in (("any", True, True), ("by moves", True, False), ("never", False, False)):
        game = position(fen, giving_check=choice, drops={"r": "ranks 1-8"}, castling=False)
        assert ("a1a8" in game.moves(), "R@h8" in game.moves()) == (moves, drops)


@pytest.mark.parametrize(
    ("fen", "end"),
    [
        ("7K/k7/8/8/8/8/8/8 b - - 0 1", None),  # Black can still arrive
        ("7K/8/k7/8/8/8/8/8 b - - 0 1", ("goal square reached", "white")),
        ("7K/8/k7/8/8/8/8/8 w - - 0 1", ("goal square reached", "white")),
        ("k6K/8/8/8/8/8/8/8 w - - 0 1", ("goal square reached by both", "")),
        ("k7/7K/8/8/8/8/8/8 w - - 0 1", ("goal square reached", "black")),
    ],
)
def test_black_may_answer_in_a_race(fen, end):
    found = position(fen, goals=[race("k", "rank 8 / rank 1")]).outcome()
    assert (found and tuple(found)) == end


def test_kings_that_are_not_royal_castle_over_attacked_squares():
    fen = "k4r2/8/8/8/8/8/8/4K2R w K - 0 1"
    assert "e1g1" in position(fen, royal="", castling_king="k").moves()
    assert "e1g1" not in position(fen).moves()
    assert not any(move.partner for move in position("4k3/8/8/8/8/8/8/4K2R w - - 0 1", royal="").moves())


def test_goals_count_and_mate_can_win():
    assert position("k7/8/8/8/8/8/8/KQ6 w - - 0 1", goals=[extinct("all", 1)]).outcome().winner == "white"
    assert position("k7/8/8/8/8/8/8/KQ6 w - - 0 1", goals=[lost_all("all", 1)]).outcome().winner == "black"
    assert position("k7/8/8/8/8/8/8/KQ6 b - - 0 1", royal="", goals=[lost_all("q")]).outcome().winner == "black"
    assert position("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", checkmate="win").outcome() == ("checkmate", "black")


def test_squares_can_differ_by_side():
    game = position("4k3/8/8/8/8/8/8/4K3 w - - 0 1", goals=["reach k d2 / d6"])
    assert game.after("e1d2").outcome().winner == "white"
    assert game.push("e1f1").push("e8e7").push("f1g1").push("e7d6").outcome() is None  # seen by Black, that is d3
    assert (
        game.push("g1g2").push("d6d5").push("g2g1").push("d5d4").push("g1g2").push("d4d3").outcome().winner == "black"
    )
    wolf = position("4k3/8/8/8/8/P6P/8/4K3 w - - 0 1", initial_ranks="a3 / -")
    assert ("a3a5" in wolf.moves(), "h3h5" in wolf.moves()) == (True, False)
    horde = position("4k3/8/8/8/8/8/1p6/PP2K3 w - - 0 1", initial_ranks="ranks 1-2", en_passant="rank 6").push("a1a3")
    assert "b2a2" not in [str(move) for move in horde.moves() if move.passing]


def test_what_the_kernel_leaves_to_python_is_named():
    assert position(flying_general=True).backend.startswith("Python")
    assert "flying_general" in position(flying_general=True).backend or "PURE" in position().backend
