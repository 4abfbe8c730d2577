"""Phrases about pieces and boards are played: each does what its sentence says."""

from __future__ import annotations

import pytest
from board_helpers import arrange, chess, controllers, finish, law, moves, nothing, on
from play_helpers import ballot, by_hand, evaluated, waiting_for

import nomic_nb as nb
from nomic_nb.study.library.phrase_book import phrase_book

PAIR = ("white", "yellow")
KINGS = {"white": "Ke1 Ph2", "yellow": "Ke1 Ph2", "green": "Ke1 Ph2"}


def play(name, *players, **values):
    """A game in which a phrase is a rule, after the turn of its proponent's first move."""
    phrase = next(one for one in phrase_book() if one.name == name)
    game = chess(*players)
    law(game, phrase.fill_in({place: str(value) for place, value in values.items()})[1], phrase.says)
    return game


def begun(name, *players, **values):
    """The same, once the turn is over; Ben is to propose."""
    game = play(name, *players, **values)
    game.move("Ann", "white.b1-white.c3", push=PAIR)
    return game


def setup(game, **armies):
    """Set up the boards and let the player on turn propose, so that they move next."""
    arrange(game, **{**KINGS, **armies})
    nothing(game)
    return game


def ends(game, start):
    """Where the piece on a square can go."""
    return {one.split("-")[-1] for one in moves(game, start)}


def shuffle(game):
    """A turn in which the player on turn moves a king within its half-board."""
    if waiting_for(game, "propose"):
        nothing(game)
    board = {"Ann": "white", "Ben": "yellow", "Cleo": "green"}[game.player]
    start, end = ("e1", "e2") if on(game, f"{board}.e1") else ("e2", "e1")
    game.move(game.player, f"{board}.{start}-{board}.{end}", push=("yellow", "green") if board == "green" else PAIR)


def test_pawns_step_sideways_and_knights_jump_twice():
    game = setup(begun("pawn_sideways"), yellow="Ke1 Pc3", white="Ke1 yellow.Pb3")
    assert ends(game, "yellow.c3") == {"yellow.c4", "yellow.d3"}
    game = setup(begun("knight_twice"), yellow="Ke1 Na1 Pb3 Pc2")
    assert "yellow.a3" not in ends(game, "yellow.a1")
    game = setup(begun("knight_twice"), yellow="Ke1 Na1 Pb2")
    assert {"yellow.b3", "yellow.a3", "yellow.c1", "yellow.d4"} <= ends(game, "yellow.a1")


def test_a_bishop_bounces_off_the_edge():
    game = setup(begun("bishop_bounce"), yellow="Kh1 Bc1", white="Kh1 Pe1 yellow.Pc4")
    game.move("Ben", "yellow.c1-yellow.a3", push=("yellow", "green"))
    game.choose("Ben", next(one for one in game.pending[0].options if "yellow.c1" in one))
    assert on(game, "yellow.c1") == "yellow B"
    game = setup(begun("bishop_bounce"), yellow="Kh1 Bc1", white="Kh1 Pe1 yellow.Pb4")
    game.move("Ben", "yellow.c1-yellow.a3", push=("yellow", "green"))
    game.choose("Ben", next(one for one in game.pending[0].options if "b4" in one))
    assert (on(game, "yellow.b4"), on(game, "yellow.a3")) == ("yellow B", "")


@pytest.mark.parametrize(
    ("name", "piece", "there"),
    [("knight_hop", "Nc3", True), ("knight_hop", "Bc3", False), ("knight_edge_hop", "Na3", True),
     ("knight_edge_hop", "Nc3", False), ("any_hop", "Bc3", True)],
)  # fmt: skip
def test_a_piece_jumps_to_the_same_square_of_the_next_board(name, piece, there):
    game = setup(begun(name), yellow=f"Ke1 {piece}")
    game.take("Ben", "jump to the next half-board")
    square = f"green.{piece[1:]}"
    assert (square in game.pending[0].options) == there
    if there:
        game.choose("Ben", square)
        assert on(game, square) == f"yellow {piece[0]}"
        assert game.player == "Cleo"


def test_a_knight_that_jumps_to_the_next_board_takes_a_piece_there_but_no_king_and_none_of_its_own():
    game = setup(begun("knight_hop"), yellow="Ke1 Nc3 Na2", green="Ka2 Rc3")
    game.take("Ben", "jump to the next half-board")
    assert "green.a2" not in game.pending[0].options
    game.choose("Ben", "green.c3")
    assert on(game, "green.c3") == "yellow N"


@pytest.mark.parametrize(
    ("name", "stays", "crosses"),
    [("only_knights_cross", "R", "N"), ("queens_stay_home", "Q", "R"), ("pawns_stay_home", "P", "R")],
)
def test_only_some_pieces_cross(name, stays, crosses):
    game = setup(begun(name), yellow=f"Ke1 {stays}a4 {crosses}h3")
    assert not [end for end in ends(game, "yellow.a4") if not end.startswith("yellow")]
    assert [end for end in ends(game, "yellow.h3") if not end.startswith("yellow")]


def test_a_king_stays_at_home_and_can_come_back():
    game = setup(begun("kings_stay_home"), yellow="Ke4 Pa2")
    assert {end.split(".")[0] for end in ends(game, "yellow.e4")} == {"yellow"}
    game = setup(begun("kings_stay_home"), yellow="green.Kc4 Pa2")
    assert {end.split(".")[0] for end in ends(game, "green.c4")} == {"yellow", "green"}


def test_nobody_crosses_in_the_first_rounds():
    game = setup(begun("no_early_crossing", n=1), yellow="Ke1 Ra4")
    assert {end.split(".")[0] for end in ends(game, "yellow.a4")} == {"yellow"}
    finish(game)
    finish(game)
    setup(game, white="Ke1 Ra4")
    assert {end.split(".")[0] for end in ends(game, "white.a4")} == {"white", "yellow", "green"}


def test_a_piece_that_crosses_captures_nothing():
    game = setup(begun("crossing_without_capture"), yellow="Ke1 Ra4", green="Kg1 Ph1 yellow.Pa2")
    found = ends(game, "yellow.a4")
    assert "yellow.a2" in found
    assert "green.h1" not in found
    assert "green.h2" in found


def test_a_piece_that_has_crossed_does_not_move_again():
    game = setup(begun("crossing_then_rest"), yellow="Ke1 Ra4 green.Pc3")
    game.move("Ben", "yellow.a4-green.h2", push=("yellow", "green"))
    if game.player == "Ben":
        assert not ends(game, "green.h2")


def test_crossing_and_being_abroad_pay():
    game = setup(begun("crossing_pays"), yellow="Ke1 Ra4")
    game.move("Ben", "yellow.a4-white.h3", push=PAIR)
    assert game.scores["Ben"] == 1
    game = arrange(begun("abroad_points", n=2), yellow="Ke1 white.Ra4 white.Pa2", white="Kh1 Ph2", green="Ke1 Ph2")
    for _ in range(3):
        finish(game)
    assert game.scores["Ben"] == 4
    assert game.scores["Ann"] == 0


def test_only_neighbouring_boards_are_pushed_together():
    game = setup(begun("neighbours_only", "Ann", "Ben", "Cleo", "Dov"))
    assert {tuple(one.split(":")[0].split("+")) for one in moves(game)} == {PAIR, ("yellow", "green")}


def mated(name, **values):
    """A game in which Ann's king has been found in check when Ben pushes boards together."""
    game = setup(begun(name, **values), yellow="Ke1 Ph2 white.Ra1", green="Ke1 Ph2 white.Na2")
    game.move("Ben", "yellow.h2-yellow.h3", push=PAIR)
    return game


def test_a_mated_player_is_out_or_votes_on():
    game = mated("mated_out")
    assert evaluated(game, 'player_named("Ann").playing') is False
    assert controllers(game)["white"] == "Ben"
    game = mated("mated_still_votes")
    game.propose("Cleo", nb.enact("Nothing to see here."))
    assert "Ann" in waiting_for(game, "vote")
    ballot(game)
    by_hand(game, "Ann", 'place "R" of army_named("green") at square_named("yellow.a1")')
    by_hand(game, "Ann", 'give army_named("white") to "Cleo"')
    game.move("Cleo", "green.h2-green.h3", push=("yellow", "green"))
    finish(game)
    assert game.winner == "Cleo"


def test_a_mated_army_is_set_up_afresh():
    for name in ("mated_afresh", "mated_half", "mated_no_vote"):
        game = mated(name)
        assert controllers(game)["white"] == "Ann"
        assert [on(game, f"white.{file}1") for file in "adeh"] == ["white R", "white Q", "white K", "white R"]
        assert {on(game, f"white.{file}2") for file in "abcdefgh"} == {"white P"}
    assert evaluated(game, 'player_named("Ann").mated_in') == 1
    game.propose("Cleo", nb.enact("Nothing to see here."))
    assert evaluated(game, "unanimity(playing)") == 2
    assert mated("mated_afresh", n=7).scores["Ann"] == -7


def test_half_of_the_points_go_with_a_mate():
    game = begun("mated_half")
    by_hand(game, "Ann", 'award 9 points to "Ann"')
    setup(game, yellow="Ke1 Ph2 white.Ra1", green="Ke1 Ph2 white.Na2")
    game.move("Ben", "yellow.h2-yellow.h3", push=PAIR)
    assert game.scores["Ann"] == 4


def test_a_board_takes_so_many_queens_and_pieces():
    game = setup(begun("board_queens", n=2), yellow="Ke1 Qa4", green="Kb2 Qb1 Qc1 Ph2")
    assert {end.split(".")[0] for end in ends(game, "yellow.a4")} == {"yellow", "white"}
    game = setup(begun("board_queens", n=1), yellow="Ke1 green.Pa2", green="Kh1 Qe1 Ph2")
    game.move("Ben", "green.a2-green.a1=Q", push=("yellow", "green"))
    assert on(game, "green.a1") == "yellow R"
    game = setup(begun("board_pieces", n=3), yellow="Ke1 Ra4", green="Kb2 Pc2 Pd2")
    assert {end.split(".")[0] for end in ends(game, "yellow.a4")} == {"yellow", "white"}
    game = setup(begun("army_queens", n=1), yellow="Ke1 Qa1 green.Pa2", green="Kh1 Ph2")
    assert {one[-1] for one in moves(game, "green.a2")} == {"R", "B", "N"}


def capture(name, piece="R", taken="P"):
    """A game in which a piece of Ben's captures one of Cleo's."""
    game = setup(
        begun(name), yellow=f"{'' if piece == 'K' else 'Ke1 '}{piece}a4 Ph2", green=f"Ke1 Ph2 yellow.{taken}a3"
    )
    game.move("Ben", "yellow.a4-yellow.a3", push=PAIR)
    return game


@pytest.mark.parametrize(
    ("name", "piece"), [("captured_placed", "R"), ("king_captures_join", "K"), ("queen_captures_join", "Q")]
)
def test_a_captured_piece_is_placed_at_once(name, piece):
    game = capture(name, piece)
    game.choose("Ben", "yellow.d3")
    assert on(game, "yellow.d3") == "yellow P"


def test_a_captured_piece_is_not_placed_unless_the_right_piece_captures():
    for name in ("king_captures_join", "queen_captures_join"):
        assert capture(name).player == "Cleo"


def test_a_captured_piece_is_dropped_at_home():
    game = capture("captured_dropped_home")
    finish(game)
    finish(game)
    nothing(game)
    dropped = [one for one in moves(game) if "@P" in one]
    assert dropped
    assert all("-yellow." in one for one in dropped)


def test_some_pieces_are_safe():
    game = setup(begun("same_kind_safe"), yellow="Ke1 Ra4", green="Ke1 yellow.Ra3 yellow.Pb4")
    assert "yellow.a3" not in ends(game, "yellow.a4")
    assert "yellow.b4" in ends(game, "yellow.a4")
    game = setup(begun("bishops_safe_at_home"), yellow="Ke1 green.Rc4", green="Ke1 Bc1 Bd4")
    assert {"green.c1", "green.d4"} & ends(game, "green.c4") == {"green.d4"}
    game = begun("unmoved_safe")
    by_hand(game, "Ann", 'place "R" of army_named("yellow") at square_named("white.b3")')
    nothing(game)
    assert {"white.b2", "white.c3"} & ends(game, "white.b3") == {"white.c3"}


def test_the_middle_is_closed_to_kings_and_tires_pieces():
    game = setup(begun("kings_off_middle"), yellow="Ke3 Pa2")
    assert {"yellow.e4", "yellow.d4", "yellow.f4"} & ends(game, "yellow.e3") == {"yellow.f4"}
    game = arrange(begun("middle_stay", n=2), yellow="Ke1 Nd4 Ph2", white="Ke1 Ph2", green="Ke1 Ph2")
    for stays in (True, True, False):
        shuffle(game)
        assert (on(game, "yellow.d4") == "yellow N") == stays
        shuffle(game)
        shuffle(game)


def test_points_at_the_end_of_a_round():
    game = arrange(begun("middle_points"), yellow="Ke1 Nd4 white.Ne4 Ph2 Pa2", white="Ke1 Ph2", green="Ke1 Ph2")
    nothing(game)
    game.move("Ben", "yellow.a2-yellow.a3", push=PAIR)
    finish(game)
    assert (game.scores["Ben"], game.scores["Ann"]) == (2, 0)
    game = arrange(begun("most_pieces_points", n=4), yellow="Ke1 Pg2 Ph2", white="Ke1 Pg2 Ph2", green="Ke1 Ph2")
    shuffle(game)
    shuffle(game)
    assert (game.scores["Ann"], game.scores["Ben"], game.scores["Cleo"]) == (4, 4, 0)


def test_points_for_pawns_and_kings_that_come_far():
    game = setup(begun("promotion_points"), yellow="Ke1 green.Pa2", green="Kh1 Ph2")
    game.move("Ben", "green.a2-green.a1=N", push=("yellow", "green"))
    assert game.scores["Ben"] == 5
    game = setup(begun("king_far_points"), yellow="white.Ka2", white="Kh1 Ph2")
    game.move("Ben", "white.a2-white.a1", push=PAIR)
    assert game.scores["Ben"] == 10


def test_a_player_whose_proposal_passes_may_move_twice():
    for answer, then in (("yes", "Ben"), ("no", "Cleo")):
        game = begun("move_after_pass")
        nothing(game)
        game.choose("Ben", answer)
        game.move("Ben", moves(game)[0])
        assert game.player == then
    game = begun("move_after_pass")
    nothing(game, against=("Ann",))
    game.choose("Ben", game.pending[0].options[-1])
    assert waiting_for(game, "move") == ["Ben"]
    game.move("Ben", moves(game)[0])
    assert game.player == "Cleo"


def test_nobody_has_to_move():
    game = setup(begun("no_need_to_move"))
    game.take("Ben", "make no move")
    assert game.player == "Cleo"


def test_no_piece_moves_in_two_rounds_running():
    game = arrange(begun("no_piece_twice_running"), yellow="Ke1 Na1 Pa3", white="Ke1 Ph2", green="Ke1 Ph2")
    nothing(game)
    game.move("Ben", "yellow.a1-yellow.b3", push=PAIR)
    for rests in (True, False):
        shuffle(game)
        shuffle(game)
        nothing(game)
        assert bool(moves(game, "yellow.b3")) != rests
        shuffle(game)


def test_what_a_leaver_had_is_gone():
    game = arrange(begun("leavers_pieces"), yellow="Ke1 Ph2", white="Ke1 Ph2 green.Na3", green="Ke1 Ph2 white.Nb3")
    game.forfeit("Ann")
    assert (on(game, "white.e1"), on(game, "green.a3"), on(game, "white.b3")) == ("", "", "green N")
    game = arrange(begun("leavers_board"), yellow="Ke1 Ph2", white="Ke1 Ph2 green.Na3", green="Ke1 Ph2 white.Nb3")
    game.forfeit("Ann")
    assert (on(game, "white.e1"), on(game, "green.a3"), on(game, "white.b3")) == ("", "", "")
    nothing(game)
    assert moves(game)
    assert not [one for one in moves(game) if "-white." in one]
    finish(game)
    finish(game)
    assert game.player == "Ben"


def test_pawns_are_bought_and_pieces_given_away():
    game = begun("buy_pawn", n=3)
    by_hand(game, "Ann", 'award 4 points to "Ben"')
    arrange(game, **KINGS)
    game.take("Ben", "buy a pawn")
    game.choose("Ben", "yellow.c2")
    assert (on(game, "yellow.c2"), game.scores["Ben"]) == ("yellow P", 1)
    game = arrange(begun("gift_of_piece"), **KINGS)
    game.take("Ben", "give a piece away")
    game.choose("Ben", game.pending[0].options[0])
    game.choose("Ben", "Cleo")
    assert on(game, "yellow.h2") == "green P"


def test_captures_are_for_some_boards_and_victims_only():
    game = setup(begun("captures_at_home"), yellow="Ke1 Ra4", green="Ke1 Ph1 yellow.Pa2")
    assert {"yellow.a2", "green.h1"} & ends(game, "yellow.a4") == {"yellow.a2"}
    game = setup(begun("corners_safe"), yellow="Ke1 Ra3", green="Ke1 yellow.Pa1 yellow.Pc3")
    assert {"yellow.a1", "yellow.c3"} & ends(game, "yellow.a3") == {"yellow.c3"}
    game = setup(begun("middle_safe"), yellow="Ke1 Rd3", green="Ke1 yellow.Pd4 yellow.Pc3")
    assert {"yellow.d4", "yellow.c3"} & ends(game, "yellow.d3") == {"yellow.c3"}
    game = setup(begun("next_player_safe"), yellow="Ke1 Rd3", green="Ke1 yellow.Pd4", white="Ke1 yellow.Pc3")
    assert {"yellow.d4", "yellow.c3"} & ends(game, "yellow.d3") == {"yellow.c3"}


@pytest.mark.parametrize(("name", "piece"), [("rooks_stay_home", "R"), ("bishops_stay_home", "B")])
def test_some_stay_at_home(name, piece):
    game = setup(begun(name), yellow=f"Ke1 {piece}a4 Ph2")
    assert {end.split(".")[0] for end in ends(game, "yellow.a4")} == {"yellow"}


def test_crossing_goes_one_way_and_not_for_too_many():
    game = setup(begun("crossing_onwards"), yellow="Ke1 Ra4")
    assert {end.split(".")[0] for end in ends(game, "yellow.a4")} == {"yellow", "green"}
    game = setup(begun("no_way_back"), yellow="Ke1 Ra4 Ph2")
    game.move("Ben", "yellow.a4-white.h3", push=PAIR)
    shuffle(game)
    shuffle(game)
    nothing(game)
    assert {end.split(".")[0] for end in ends(game, "white.h3")} == {"white", "green"}
    game = setup(begun("abroad_limit", n=1), yellow="Ke1 Ra4 green.Pb4 Ph2")
    assert {end.split(".")[0] for end in ends(game, "yellow.a4")} == {"yellow", "white"}


def test_pawns_change_as_they_cross_and_capture():
    game = setup(begun("pawn_crossing_knight"), yellow="Ke1 Pa4 Ph2")
    game.move("Ben", "yellow.a4-green.h4", push=("yellow", "green"))
    assert on(game, "green.h4") == "yellow N"
    game = setup(begun("pawn_captures_to_queen", n=1), yellow="Ke1 Pb2 Ph2", green="Ke1 yellow.Pa3 Ph2")
    game.move("Ben", "yellow.b2-yellow.a3", push=("yellow", "green"))
    assert on(game, "yellow.a3") == "yellow Q"


def test_pawns_march_and_still_pieces_go():
    game = arrange(begun("pawns_march"), yellow="Ke1 Pb2 Pc4 white.Pd4", white="Ke1 Ph2", green="Ke1 Ph2")
    shuffle(game)
    shuffle(game)
    assert [on(game, f"yellow.{square}") for square in ("b3", "c4")] == ["yellow P", "yellow P"]
    assert on(game, "white.d3") == "yellow P"
    game = arrange(begun("still_pieces_go", n=1), yellow="Ke1 Pb2 Na1", white="Ke1 Ph2", green="Ke1 Ph2")
    shuffle(game)
    shuffle(game)
    shuffle(game)
    nothing(game)
    game.move("Ben", "yellow.a1-yellow.b3", push=PAIR)
    shuffle(game)
    assert [on(game, f"yellow.{square}") for square in ("b2", "b3", "e2")] == ["", "yellow N", "yellow K"]


def test_mates_armies_and_pieces_pay_and_vote():
    assert mated("mate_points", n=9).scores["Ben"] == 9
    for name, more, votes in (
        ("army_votes", 'give army_named("white") to "Ben"', 3),
        ("most_pieces_vote", 'remove square_named("yellow.a2").piece', 5),
    ):
        game = begun(name)
        by_hand(game, "Ann", more)
        game.propose("Ben", nb.enact("Nothing to see here."))
        assert evaluated(game, "unanimity(playing)") == votes


def test_a_check_costs_the_vote():
    game = setup(begun("checked_no_vote"), yellow="Ke1 Ra4", green="Kb1 Pa2")
    game.move("Ben", "yellow.a4-green.h1", push=("yellow", "green"))
    game.propose("Cleo", nb.enact("Nothing to see here."))
    assert evaluated(game, "unanimity(playing)") == 2
    ballot(game)
    finish(game)
    game.propose("Ann", nb.enact("Nothing to see here."))
    assert evaluated(game, "unanimity(playing)") == 3


def test_what_a_proposal_brings_on_the_boards():
    game = begun("failure_costs_pawn")
    nothing(game, against=("Ann",))
    game.choose("Ben", next(one for one in game.pending[0].options if "pawn" in one and "none" not in one))
    while waiting_for(game, "choose"):
        game.choose("Ben", next(one for one in game.pending[0].options if "pawn" in one))
    assert waiting_for(game, "move") == ["Ben"]
    assert len([one for one in "abcdefgh" if on(game, f"yellow.{one}2")]) <= 7
    game = begun("failure_costs_move")
    nothing(game, against=("Ann",))
    game.choose("Ben", game.pending[0].options[-1])
    assert game.player == "Cleo"
    game = arrange(begun("pass_brings_pawn"), **KINGS)
    nothing(game)
    game.choose("Ben", "yellow.c2")
    assert on(game, "yellow.c2") == "yellow P"


def test_every_army_gets_a_queen():
    game = play("extra_queen")
    for name, board in (("Ann", "white"), ("Ben", "yellow"), ("Cleo", "green")):
        game.choose(name, f"{board}.d4")
        assert on(game, f"{board}.d4") == f"{board} Q"


def test_a_king_leaps_once():
    for start, end in (("e1", "yellow.f3"), ("e3", "green.c4"), ("e4", "green.b4")):
        game = setup(begun("king_leap_once"), yellow=f"K{start} Pa2")
        game.move("Ben", f"yellow.{start}-{end}", push=("yellow", "green"))
        assert evaluated(game, 'army_named("yellow").leaps') == 0
    game = setup(begun("king_leap_once"), yellow="Ke4 Pa2")
    game.move("Ben", "yellow.e4-green.d4", push=("yellow", "green"))
    assert evaluated(game, 'army_named("yellow").leaps') == 1


def test_captures_and_pieces_pay():
    game = capture("first_queen", taken="Q")
    assert game.scores["Ben"] == 10
    game = arrange(begun("piece_wage"), **KINGS)
    shuffle(game)
    shuffle(game)
    assert game.scores["Cleo"] == 2
    game = setup(begun("king_middle_points"), yellow="Ke3 Ph2")
    game.move("Ben", "yellow.e3-yellow.e4", push=PAIR)
    assert game.scores["Ben"] == 5
    game = arrange(begun("most_pieces_win", n=1), **{**KINGS, "green": "Ke1 Pg2 Ph2"})
    shuffle(game)
    shuffle(game)
    assert game.winner == "Cleo"


def test_a_player_is_spared_after_a_capture():
    game = setup(begun("same_victim"), yellow="Ke1 Ra4", green="Ke1 yellow.Pa3 yellow.Pb3 Ph2")
    game.move("Ben", "yellow.a4-yellow.a3", push=PAIR)
    for spared in (True, False):
        shuffle(game)
        shuffle(game)
        nothing(game)
        assert ("yellow.b3" not in ends(game, "yellow.a3")) == spared
        shuffle(game)


def test_a_captured_piece_is_brought_back_once():
    game = setup(begun("revive_once"), yellow="Ke1 Ra4", green="Ke1 yellow.Pa3 Ph2")
    game.move("Ben", "yellow.a4-yellow.a3", push=PAIR)
    game.take("Cleo", "bring back a piece")
    game.choose("Cleo", "P")
    game.choose("Cleo", "green.a4")
    assert on(game, "green.a4") == "green P"
    assert not waiting_for(game, "take")


def test_a_mated_king_has_an_heir():
    game = mated("heir")
    game.choose("Ann", game.pending[0].options[0])
    assert controllers(game)["white"] == "Ann"
    assert on(game, "white.e1") == ""
    assert evaluated(game, 'count(kings_of(army_named("white")))') == 1


def test_a_piece_rests_after_a_capture():
    game = capture("rest_after_capture")
    for rests in (True, False):
        shuffle(game)
        shuffle(game)
        nothing(game)
        assert bool(moves(game, "yellow.a3")) != rests
        shuffle(game)


def test_a_king_and_a_rook_swap():
    game = setup(begun("swap_king_rook"), yellow="Ke1 Ra3")
    game.take("Ben", "swap a king and a rook")
    game.choose("Ben", game.pending[0].options[0])
    while waiting_for(game, "choose"):
        game.choose("Ben", game.pending[0].options[0])
    assert (on(game, "yellow.a3"), on(game, "yellow.e1"), game.player) == ("yellow K", "yellow R", "Cleo")


def test_a_move_is_bought_rolled_or_given():
    game = begun("pay_for_move")
    by_hand(game, "Ann", 'award 6 points to "Ben"')
    arrange(game, **KINGS)
    nothing(game)
    game.take("Ben", "buy a move")
    shuffle(game)
    assert (game.player, game.scores["Ben"]) == ("Ben", 1)
    for face, then in ((6, "Ben"), (5, "Cleo")):
        game = play("six_moves_twice")
        game.roll("Ann", 1)
        game.move("Ann", "white.b1-white.c3", push=PAIR)
        arrange(game, **KINGS)
        nothing(game)
        game.roll("Ben", face)
        shuffle(game)
        assert game.player == then
    game = capture("queen_lost_move", taken="Q")
    shuffle(game)
    assert game.player == "Cleo"
    game.move("Cleo", moves(game)[0])
    assert game.player == "Ann"


def test_a_captured_piece_comes_back_to_its_owner():
    game = capture("captured_back")
    game.choose("Cleo", "green.a4")
    assert on(game, "green.a4") == "green P"


@pytest.mark.parametrize("piece", ["Q", "R", "B", "N"])
def test_a_kind_keeps_off_the_middle(piece):
    name = {"Q": "queens", "R": "rooks", "B": "bishops", "N": "knights"}[piece] + "_off_middle"
    start = {"Q": "d1", "R": "d1", "B": "a1", "N": "c2"}[piece]
    game = setup(begun(name), yellow=f"Kh1 {piece}{start}")
    assert moves(game, f"yellow.{start}")
    assert "yellow.d4" not in ends(game, f"yellow.{start}")


def promote(name):
    """A game in which a pawn of Ben's reaches the last rank."""
    game = setup(begun(name), yellow="Ke1 green.Pa2", green="Kh1 Ph2")
    game.move("Ben", min(moves(game, "green.a2"), key=lambda one: len(one.split("-")[1])))
    return game


def test_the_others_vote_on_a_promotion():
    game = promote("promotion_by_vote")
    game.choose("Ann", "R")
    game.choose("Cleo", "R")
    assert on(game, "green.a1") == "yellow R"
    assert game.player == "Cleo"


def test_pawns_go_on_at_the_end():
    game = promote("pawn_end_hop")
    game.choose("Ben", "white.a1")
    assert (on(game, "white.a1"), on(game, "green.a1")) == ("yellow P", "")
    game = promote("pawn_end_travel")
    game.choose("Ben", "white.c1")
    assert (on(game, "white.c1"), on(game, "green.a1")) == ("yellow P", "")


def test_a_knight_that_crosses_captures_nothing():
    game = setup(begun("crossing_knight_no_capture"), yellow="Ke1 Nb4 Ra4", green="Kd1 Pa3 Ph4 yellow.Pd3")
    assert {"green.h3", "green.f3", "yellow.d3"} & ends(game, "yellow.b4") == {"yellow.d3", "green.f3", "green.h3"}
    assert "green.h4" in ends(game, "yellow.a4")
    game = setup(begun("crossing_knight_no_capture"), yellow="Ke1 Nb4", green="Kd1 Pf3 yellow.Pd3")
    assert {"green.f3", "yellow.d3"} & ends(game, "yellow.b4") == {"yellow.d3"}


def test_a_queen_costs_or_brings_something():
    game = capture("queen_costs_pawn", taken="Q")
    game.choose("Ben", game.pending[0].options[0])
    assert on(game, "yellow.h2") == ""
    game = capture("queen_lost_rook", taken="Q")
    game.choose("Cleo", game.pending[0].options[0])
    assert on(game, "green.h2") == "green R"
    game = capture("queen_lost_pawn", taken="Q")
    game.choose("Cleo", "green.a4")
    assert on(game, "green.a4") == "green P"


def test_rooks_that_stand_still_go_and_pairs_are_safe():
    game = arrange(begun("still_rooks_go", n=1), yellow="Ke1 Pb2 Ra1", white="Ke1 Ph2", green="Ke1 Ph2")
    for there in (True, True, True, False):
        assert (on(game, "yellow.a1") == "yellow R") == there
        shuffle(game)
        shuffle(game)
        shuffle(game)
    for name, kind in (("bishop_pairs_safe", "B"), ("pairs_safe", "N")):
        game = setup(begun(name), yellow="Kh2 Ra3", green=f"Ke1 yellow.{kind}c3 yellow.{kind}c4 yellow.{kind}a1")
        assert {"yellow.c3", "yellow.a1"} & ends(game, "yellow.a3") == {"yellow.a1"}


def test_a_six_brings_a_piece_back():
    game = capture("revive_by_six")
    game.roll("Cleo", 6)
    game.choose("Cleo", "P")
    game.choose("Cleo", "green.a4")
    assert on(game, "green.a4") == "green P"
    assert waiting_for(game, "propose") == ["Cleo"]


def test_captures_pay_by_board():
    for name, points in (("capture_abroad_points", 0), ("capture_home_points", 3)):
        assert capture(name).scores["Ben"] == points
    game = setup(begun("capture_abroad_points"), yellow="Ke1 Ra4", green="Kb1 Ph4")
    game.move("Ben", "yellow.a4-green.h4", push=("yellow", "green"))
    assert game.scores["Ben"] == 3


def test_more_ways_to_move():
    game = setup(begun("pawn_diagonal"), yellow="Ke1 Pc2", green="Ke1 yellow.Pd3")
    assert {"yellow.b3", "yellow.d3"} <= ends(game, "yellow.c2")
    game = setup(begun("pawn_jumps"), yellow="Ke1 Pc2 Nc3 Pa2 Pg3 Nf4")
    assert ends(game, "yellow.c2") == {"yellow.c4"}
    assert ends(game, "yellow.g3") == {"yellow.g4"}
    game = play("bishops_and_knights_swap")
    game.move("Ann", "white.c1-white.b3", push=PAIR)
    setup(game, yellow="Ke1 Nb2 Bg2")
    assert "yellow.d4" in ends(game, "yellow.b2")
    assert "yellow.f4" in ends(game, "yellow.g2")
    game = setup(begun("all_ranges", n=2), yellow="Ke1 Ra3")
    assert "yellow.d3" not in ends(game, "yellow.a3")
    for start, end in (("d1", "yellow.e3"), ("e3", "green.c4"), ("e4", "green.b4")):
        game = setup(begun("queen_leap_once"), yellow=f"Kh1 Q{start}", green="Kh1 Pa2")
        game.move("Ben", f"yellow.{start}-{end}", push=("yellow", "green"))
        assert evaluated(game, 'army_named("yellow").leaps') == 0
    game = setup(begun("queen_leap_once"), yellow="Kh1 Qd1", green="Kh1 Pa2")
    game.move("Ben", "yellow.d1-yellow.d3", push=("yellow", "green"))
    assert evaluated(game, 'army_named("yellow").leaps') == 1


def test_what_a_lost_piece_costs_and_brings():
    game = capture("queen_revenge", taken="Q")
    game.choose("Cleo", game.pending[0].options[0])
    assert on(game, "yellow.h2") == ""
    assert capture("loss_costs").scores["Cleo"] == -1
    game = begun("buy_back")
    by_hand(game, "Ann", 'award 12 points to "Cleo"')
    setup(game, yellow="Ke1 Ra4", green="Ke1 yellow.Pa3 Ph2")
    game.move("Ben", "yellow.a4-yellow.a3", push=PAIR)
    game.take("Cleo", "buy back a piece")
    game.choose("Cleo", "P")
    game.choose("Cleo", "green.a4")
    assert (on(game, "green.a4"), game.scores["Cleo"]) == ("green P", 2)
    game = capture("captured_return_later")
    for _ in range(7):
        assert not waiting_for(game, "choose")
        shuffle(game)
    game.choose("Cleo", "green.a4")
    assert on(game, "green.a4") == "green P"


def test_crossing_has_conditions():
    game = setup(begun("cross_after_capture"), yellow="Ke1 Ra4 Ph2", green="Ke1 yellow.Pa3 Ph2")
    assert {end.split(".")[0] for end in ends(game, "yellow.a4")} == {"yellow"}
    game.move("Ben", "yellow.a4-yellow.a3", push=PAIR)
    shuffle(game)
    shuffle(game)
    nothing(game)
    assert "white.h3" in ends(game, "yellow.a3")
    game = setup(begun("edge_crossing"), yellow="Ke1 Nb3 Na3")
    assert {end.split(".")[0] for end in ends(game, "yellow.b3")} == {"yellow"}
    assert "green" in {end.split(".")[0] for end in ends(game, "yellow.a3")}
    game = begun("crossing_costs", n=2)
    by_hand(game, "Ann", 'award 2 points to "Ben"')
    setup(game, yellow="Ke1 Ra4 Ph2")
    game.move("Ben", "yellow.a4-white.h3", push=PAIR)
    assert game.scores["Ben"] == 0
    game = setup(begun("crossing_costs"), yellow="Ke1 Ra4 Ph2")
    assert {end.split(".")[0] for end in ends(game, "yellow.a4")} == {"yellow"}
    game = setup(begun("pawn_crossing_queen"), yellow="Ke1 Pa4 Ph2")
    game.move("Ben", "yellow.a4-green.h4", push=("yellow", "green"))
    assert on(game, "green.h4") == "yellow Q"
    game = arrange(begun("abroad_stay", n=1), yellow="Ke1 Ph2 white.Na3", white="Ke1 Ph2", green="Ke1 Ph2")
    for there in (True, False):
        shuffle(game)
        assert (on(game, "white.a3") == "yellow N") == there
        shuffle(game)
        shuffle(game)


def test_pieces_are_traded():
    game = arrange(begun("trade_pieces"), yellow="Ke1 Ph2", green="Ke1 Ra3", white="Ke1 Ph2")
    game.take("Ben", "trade pieces")
    game.choose("Ben", game.pending[0].options[0])
    game.choose("Ben", next(one for one in game.pending[0].options if "rook" in one))
    game.choose("Cleo", "yes")
    assert (on(game, "yellow.h2"), on(game, "green.a3")) == ("green P", "yellow R")


def test_points_for_places_and_a_die_before_moves():
    game = arrange(begun("pawns_abroad_points"), yellow="Ke1 Ph2 white.Pa3", green="Ke1 Ph2", white="Ke1 Ph2")
    shuffle(game)
    shuffle(game)
    assert game.scores["Ben"] == 1
    game = arrange(begun("middle_turn_points"), yellow="Ke1 Nd4", green="Ke1 Ph2", white="Ke1 Ph2")
    for _ in range(3):
        shuffle(game)
    assert (game.scores["Ben"], game.scores["Ann"]) == (1, 0)
    game = play("one_no_move")
    game.roll("Ann", 1)
    assert game.player == "Ben"


def test_queens_wait_and_checks_come_later():
    game = setup(begun("slow_queens"), yellow="Ke1 Qa4")
    assert not moves(game, "yellow.a4")
    game = setup(begun("no_check_at_first", n=1), yellow="Ke1 Ra4", green="Kb1 Ph4")
    game.move("Ben", "yellow.a4-green.h4", push=("yellow", "green"))
    nothing(game)
    assert controllers(game)["green"] == "Cleo"


def test_all_points_go_with_a_mate():
    game = begun("mated_zero")
    by_hand(game, "Ann", 'award 9 points to "Ann"')
    setup(game, yellow="Ke1 Ph2 white.Ra1", green="Ke1 Ph2 white.Na2")
    game.move("Ben", "yellow.h2-yellow.h3", push=PAIR)
    assert game.scores["Ann"] == 0
    assert on(game, "white.d1") == "white Q"


def test_armies_come_and_change_hands():
    phrase = next(one for one in phrase_book() if one.name == "newcomer_army")
    game = chess()
    law(game, f'{phrase.law}\non said when text == "come": enter player "Dan" as person')
    game.say("Ann", "come")
    assert "Dan" in controllers(game).values()
    game = arrange(begun("leavers_to_next"), **KINGS)
    game.forfeit("Ann")
    assert controllers(game)["white"] == "Ben"
    game = arrange(begun("leavers_shared"), **KINGS)
    game.forfeit("Ann")
    assert controllers(game)["white"] in {"Ben", "Cleo"}
    game = arrange(begun("armies_rotate"), **KINGS)
    shuffle(game)
    shuffle(game)
    assert controllers(game) == {"white": "Ben", "yellow": "Cleo", "green": "Ann"}


@pytest.mark.parametrize("kind", ["rook", "bishop", "queen", "pawn"])
def test_other_kinds_hop_or_cross(kind):
    letter = {"knight": "N"}.get(kind, kind[0].upper())
    game = setup(begun(f"{kind}_hop"), yellow=f"Kh1 {letter}c3")
    game.take("Ben", "jump to the next half-board")
    game.choose("Ben", "green.c3")
    assert on(game, "green.c3") == f"yellow {letter}"
    game = setup(begun(f"only_{kind}s_cross"), yellow=f"Kh1 Na4 {letter}b4")
    assert {end.split(".")[0] for end in ends(game, "yellow.a4")} == {"yellow"}
    assert {end.split(".")[0] for end in ends(game, "yellow.b4")} > {"white"}
    game = setup(begun(f"crossing_{kind}_no_capture"), yellow=f"Kh1 {letter}b4", green="Kd1 Pf4 Pg4 Ph4")
    assert not {"green.f4", "green.g4", "green.h4"} & ends(game, "yellow.b4")


@pytest.mark.parametrize("kind", ["rook", "knight", "pawn"])
def test_other_kinds_are_safe(kind):
    letter, start = {"rook": ("R", "a1"), "knight": ("N", "b1"), "pawn": ("P", "c2")}[kind]
    game = setup(
        begun(f"{kind}s_safe_at_home"), yellow="Kh4 green.Ra3 green.Rb4 green.Rc4", green=f"Ke1 {letter}{start}"
    )
    rook = f"green.{start[0]}{3 if start[0] == 'a' else 4}"
    assert f"green.{start}" not in ends(game, rook)
    assert f"green.{start[0]}{int(start[1]) + 1}" in ends(game, rook)
    game = setup(
        begun(f"{kind}_pairs_safe"),
        yellow="Kh2 Qa3",
        green=f"Kh1 yellow.{letter}c3 yellow.{letter}c4 yellow.{letter}a1",
    )
    assert {"yellow.c3", "yellow.a1"} & ends(game, "yellow.a3") == {"yellow.a1"}


def test_queens_that_have_not_moved_are_safe():
    game = begun("queens_safe_at_home")
    by_hand(game, "Ann", 'place "R" of army_named("yellow") at square_named("white.d3")')
    by_hand(game, "Ann", 'remove square_named("white.d2").piece')
    nothing(game)
    assert "white.d2" in ends(game, "white.d3")
    assert "white.d1" not in ends(game, "white.d3")


@pytest.mark.parametrize("kind", ["rook", "bishop", "knight"])
def test_a_board_takes_so_many_of_a_kind(kind):
    letter = {"knight": "N"}.get(kind, kind[0].upper())
    game = setup(begun(f"board_{kind}s", n=1), yellow=f"Kh1 {letter}b4", green=f"Ke1 {letter}a2")
    assert {end.split(".")[0] for end in ends(game, "yellow.b4")} == {"yellow", "white"}


@pytest.mark.parametrize("kind", ["king", "pawn", "knight", "queen"])
def test_only_one_kind_goes_to_the_middle(kind):
    game = setup(begun(f"only_{kind}s_middle"), yellow="Kd3 Pe3 Nc2 Qh4", white="Ke1 Ph2")
    starts = {"king": "d3", "pawn": "e3", "knight": "c2", "queen": "h4"}
    for one, start in starts.items():
        assert bool({"yellow.d4", "yellow.e4"} & ends(game, f"yellow.{start}")) == (one == kind), one


def test_a_queen_bounces_and_a_knight_hops_once():
    game = setup(begun("queen_bounce"), yellow="Kh1 Qc1", white="Kh1 Pe1 yellow.Pb4")
    game.move("Ben", "yellow.c1-yellow.a3", push=("yellow", "green"))
    game.choose("Ben", next(one for one in game.pending[0].options if "b4" in one))
    assert on(game, "yellow.b4") == "yellow Q"
    game = setup(begun("knight_hop_once"), yellow="Kh1 Nc3")
    game.take("Ben", "jump to another half-board")
    game.choose("Ben", game.pending[0].options[0])
    game.choose("Ben", "white.c3")
    assert on(game, "white.c3") == "yellow N"
    assert evaluated(game, 'player_named("Ben").hops') == 0


@pytest.mark.parametrize(("name", "paid"), [("mated_pays", 9), ("mated_pays_half", 4), ("mated_pays_all", 9)])
def test_a_mated_player_pays(name, paid):
    game = begun(name)
    by_hand(game, "Ann", 'award 9 points to "Ann"')
    setup(game, yellow="Ke1 Ph2 white.Ra1", green="Ke1 Ph2 white.Na2")
    game.move("Ben", "yellow.h2-yellow.h3", push=PAIR)
    assert (game.scores["Ann"], game.scores["Ben"]) == (9 - paid, paid)


def test_a_mated_king_moves_or_waits():
    game = mated("mated_king_moves")
    game.choose("Ann", "white.h4")
    assert (controllers(game)["white"], on(game, "white.h4"), game.scores["Ann"]) == ("Ann", "white K", -10)
    game = mated("mated_misses_turn")
    assert on(game, "white.d1") == "white Q"
    shuffle(game)
    assert game.player == "Ben"
    assert evaluated(game, 'player_named("Ann").missing') == 0


def test_what_captures_bring_by_kind():
    for name, taken in (("queen_captures_double", "Q"), ("pawn_captures_double", "P")):
        game = capture(name, taken=taken)
        game.choose("Ben", "yellow.d3")
        assert on(game, "yellow.d3") == f"yellow {taken}"
    game = capture("captured_placed_rows")
    assert {one[-1] for one in game.pending[0].options if one != "none"} == {"1"}
    game.choose("Ben", "yellow.d1")
    assert on(game, "yellow.d1") == "yellow P"
    game = capture("queen_capturers", taken="Q")
    assert on(game, "yellow.a3") == "yellow Q"


def test_more_bounds_on_crossing_and_the_middle():
    game = setup(begun("no_early_queens_abroad", n=1), yellow="Kh1 Qb4")
    assert {end.split(".")[0] for end in ends(game, "yellow.b4")} == {"yellow"}
    game = setup(begun("no_early_kings_abroad", n=1), yellow="Kd4 Pa2")
    assert {end.split(".")[0] for end in ends(game, "yellow.d4")} == {"yellow"}
    game = setup(begun("knights_stay_home"), yellow="Ke1 Nb4")
    assert {end.split(".")[0] for end in ends(game, "yellow.b4")} == {"yellow"}
    game = setup(begun("one_in_the_middle", n=1), yellow="Ke1 Nd4 Nc2")
    assert "yellow.e3" in ends(game, "yellow.c2")
    game = setup(begun("one_in_the_middle", n=1), yellow="Ke1 Ne4 Nc2")
    assert "yellow.d4" not in ends(game, "yellow.c2")
    game = arrange(begun("middle_held_points", k=2), yellow="Ke1 Nd4 Ne4", white="Ke1 Ph2", green="Ke1 Ph2")
    for _ in range(3):
        shuffle(game)
    assert game.scores["Ben"] == 10
    game = setup(begun("promotion_at_crossing"), yellow="Ke1 Pa4 Ph2")
    game.move("Ben", "yellow.a4-green.h4", push=("yellow", "green"))
    game.choose("Ben", "R")
    assert on(game, "green.h4") == "yellow R"


def test_players_without_pieces_are_out_and_the_last_moves_twice():
    for name, lost in (("no_pieces_out", "pieces"), ("bare_king_out", "pieces if not x.royal")):
        game = begun(name)
        by_hand(game, "Ann", f'remove [x for x in army_named("white").{lost}]')
        assert evaluated(game, 'player_named("Ann").playing') is False
        assert evaluated(game, 'player_named("Cleo").playing') is True
    for name, award, then in (("last_moves_twice", '"Ann"', "Ben"), ("last_moves_twice", '"Ben"', "Cleo")):
        game = begun(name)
        by_hand(game, "Ann", f"award 3 points to {award}")
        arrange(game, **KINGS)
        shuffle(game)
        assert game.player == then


def test_captures_are_counted_by_round_and_spare_some():
    game = capture("most_captures")
    shuffle(game)
    assert game.scores["Ben"] == 5
    game = setup(begun("moved_safe"), yellow="Ke1 Ra4", green="Ke1 yellow.Pa3 Ph2")
    assert "yellow.a3" in ends(game, "yellow.a4")
    game = setup(begun("edge_safe"), yellow="Ke1 Rb3", green="Kg2 yellow.Pa3 yellow.Pc3")
    assert {"yellow.a3", "yellow.c3"} & ends(game, "yellow.b3") == {"yellow.c3"}
    game = setup(begun("first_rank_safe"), yellow="Kg4 Rb3", green="Kg2 yellow.Pb1 yellow.Pc3")
    assert {"yellow.b1", "yellow.c3"} & ends(game, "yellow.b3") == {"yellow.c3"}
    for name in ("leader_no_capture", "poorer_safe"):
        for points in (0, 3):
            game = begun(name)
            by_hand(game, "Ann", f'award {points} points to "Ben"' if points else 'award 3 points to "Cleo"')
            setup(game, yellow="Ke1 Ra4", green="Ke1 yellow.Pa3 Ph2")
            assert ("yellow.a3" in ends(game, "yellow.a4")) == (points == 0)


def test_a_piece_that_has_just_moved_is_safe():
    game = begun("moved_safe")
    by_hand(game, "Ann", 'place "R" of army_named("yellow") at square_named("white.c4")')
    nothing(game)
    assert "white.c3" not in ends(game, "white.c4")


def test_noes_cost_pawns_and_promotions_are_bought():
    game = arrange(begun("noes_cost_pawn"), **KINGS)
    shuffle(game)
    shuffle(game)
    law(game, "set vote.quota to 2\nprevails over everything on vote.quota")
    game.move("Ann", "white.h2-white.h3", push=PAIR)
    nothing(game, against=("Ann",))
    while waiting_for(game, "choose"):
        options = game.pending[0].options
        game.choose("Ann", "none" if "none" in options else options[0])
    assert (on(game, "white.h3"), waiting_for(game, "move")) == ("", ["Ben"])
    game = begun("buy_promotion")
    by_hand(game, "Ann", 'award 12 points to "Ben"')
    arrange(game, **KINGS)
    game.take("Ben", "buy a promotion")
    game.choose("Ben", game.pending[0].options[0])
    assert (on(game, "yellow.h2"), game.scores["Ben"]) == ("yellow N", 2)


def test_the_first_mate_wins_and_armies_go_round():
    assert mated("first_mate_wins").winner == "Ben"
    game = arrange(begun("armies_rotate_later", n=1), **KINGS)
    shuffle(game)
    shuffle(game)
    assert controllers(game) == {"white": "Ben", "yellow": "Cleo", "green": "Ann"}


def test_only_the_next_player_loses_pieces():
    game = setup(begun("only_next_captured"), yellow="Ke1 Rb3", green="Kg2 yellow.Pa3", white="Kg2 yellow.Pc3")
    assert {"yellow.a3", "yellow.c3"} & ends(game, "yellow.b3") == {"yellow.a3"}
