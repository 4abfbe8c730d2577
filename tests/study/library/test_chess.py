"""Ready-made rules on boards: adopted in Nomic Chess, they change the moves or what comes of them at once."""

from pathlib import Path

import pytest
import refusals
from board_helpers import arrange, chess, controllers, finish, moves, nothing, on
from play_helpers import ballot, by_hand, refused, waiting_for

import nomic_nb as nb
from nomic_nb import library
from nomic_nb.engine.law.values import ThingRef

PAIR = ("white", "yellow")
WHITE = ThingRef("army", "white")


def two(**armies):
    """Ann with white against Ben with yellow; set up by hand where armies are given."""
    game = chess("Ann", "Ben")
    return arrange(game, **armies) if armies else game


def adopt(game, rule, number=301):
    """The player on turn proposes a ready-made rule, and all are for it."""
    proposal = game.propose(game.player, rule.change())
    ballot(game)
    assert (proposal.outcome, proposal.number) == ("adopted", number)
    return game


def ends(game, start):
    """Where the piece on a square can go."""
    return {one.split("-")[-1] for one in moves(game, start)}


def rule_of(game, key, **case):
    """The rule that decides a term of the law, in a case."""
    return game.state.law.find(key, game.state, case).rule


def caused(game, kind):
    """The rules that made things of a kind happen."""
    return set(game.history.query("kind == @kind")["rule"])


# ------------------------------------------------------------------------------------------- movement


def test_piece_moves():
    game = adopt(chess(), library.piece_moves("N", "A"))
    assert ends(game, "white.b1") == {"white.d3"}
    assert rule_of(game, "piece.moves", army=WHITE, kind="N") == 301


def test_piece_moves_of_one_army():
    game = adopt(chess(), library.piece_moves("N", "A", army="yellow"))
    assert ends(game, "white.b1") == {"white.a3", "white.c3"}
    finish(game)
    nothing(game)
    assert ends(game, "yellow.b1") == {"yellow.d3"}


def test_a_movement_is_said_in_words():
    rule = library.piece_moves("Z", "mRcpR")
    assert rule.wording == (
        "How a piece of kind Z moves: slides orthogonally, without capturing; or slides orthogonally over exactly one "
        "piece, only to capture."
    )


def test_slow_pieces():
    game = adopt(chess("Ann", "Ben"), library.slow_pieces("N", 2))
    assert moves(game, "white.b1") == []
    with refused(game, "move-forbidden", rule=301):
        game.move("Ann", "white.b1-white.c3", push=PAIR)
    finish(game)
    finish(game)
    nothing(game)  # in the second circuit
    assert any(moves(game, f"white.{square}") for square in ("b1", "g1"))


def test_moves_per_turn():
    game = adopt(chess(), library.moves_per_turn(2))
    game.move("Ann", "white.e2-white.e4", push=PAIR)
    game.move("Ann", "white.e4-white.e5" if "white.e4-white.e5" in moves(game) else "white.d2-white.d4", push=PAIR)
    assert game.player == "Ben"
    assert rule_of(game, "move.count", army=WHITE) == 301


def test_each_piece_once():
    game = adopt(chess(), library.moves_per_turn(2))
    game.move("Ann", "white.e2-white.e3", push=PAIR)
    assert ends(game, "white.e3")
    game = adopt(chess(), library.each_piece_once())
    finish(game)
    adopt(game, library.moves_per_turn(2), 302)
    game.move("Ben", "yellow.e2-yellow.e3", push=PAIR)
    assert ends(game, "yellow.e3") == set()
    with refused(game, "move-forbidden", rule=301):
        game.move("Ben", "yellow.e3-yellow.e4", push=PAIR)


def test_small_armies_move_more():
    game = adopt(two(white="Ke1 Pa2", yellow="Kh1 Pg2 Ph2 Pf2"), library.small_armies_move_more(2, 3))
    for _ in range(3):
        assert game.player == "Ann"
        game.move("Ann", moves(game)[0])
    assert game.player == "Ben"
    nothing(game)
    game.move("Ben", moves(game)[0])
    assert game.player == "Ann"


def test_no_castling():
    def castles(rule):
        game = chess("Ann", "Ben")
        by_hand(game, "Ann", 'remove [p for p in army_named("white").pieces if p.kind in ["N", "B", "Q"]]')
        adopt(game, rule)
        return game, {"white.c1", "white.g1"} & ends(game, "white.e1")

    assert castles(library.burning_square())[1] == {"white.c1", "white.g1"}
    game, found = castles(library.no_castling())
    assert found == set()
    assert game.why("castling.on").rule == 301


def test_castling_with():
    def castles(rule):
        game = chess("Ann", "Ben")
        by_hand(game, "Ann", 'remove [p for p in army_named("white").pieces if p.kind in ["B", "Q"]]')
        return adopt(game, rule)

    assert "white.c1" not in ends(castles(library.burning_square()), "white.e1")
    game = castles(library.castling_with("RN"))
    game.move("Ann", "white.e1-white.c1", push=PAIR)
    assert (on(game, "white.c1"), on(game, "white.d1")) == ("white K", "white N")
    assert game.why("castling.partners").rule == 301


@pytest.mark.parametrize(("then", "player", "over"), [("pass", "Ben", False), ("end", None, True)])
def test_army_without_move(then, player, over):
    game = adopt(two(white="Ka1", yellow="Ke1 white.Qb3"), library.army_without_move(then))
    assert game.over == over
    assert over or game.player == player
    assert 301 in caused(game, "stuck" if over else "moves_made")


# ---------------------------------------------------------------------------------------------- pawns


def test_no_double_step():
    game = adopt(chess(), library.no_double_step())
    assert ends(game, "white.e2") == {"white.e3"}
    assert game.why("pawn.double_step_ranks").rule == 301


def passing(rule, between=0):
    """Ann's pawn has gone two squares past one of Ben's and one of Cleo's."""
    game = arrange(chess(), white="Ke1 Pe2", yellow="Ka1 white.Pd4", green="Ka1 white.Pf4 Pa2")
    adopt(game, rule)
    game.move("Ann", "white.e2-white.e4", push=PAIR)
    for _ in range(between):
        finish(game)
    nothing(game)
    return {one.split(": ")[1] for one in moves(game)} & {"white.d4-white.e3", "white.f4-white.e3"}


def test_no_en_passant():
    assert passing(library.burning_square("a1")) == {"white.d4-white.e3"}
    assert passing(library.no_en_passant()) == set()


def test_en_passant_for_a_circuit():
    assert passing(library.burning_square("a1"), between=1) == set()
    assert passing(library.en_passant_for_a_circuit(), between=1) == {"white.f4-white.e3"}


def promoting(rule):
    return adopt(two(white="Ke1 yellow.Pa2 yellow.Pa4", yellow="Ke4"), rule)


def test_promotion_to():
    game = promoting(library.promotion_to("NQ"))
    assert ends(game, "yellow.a2") == {"yellow.a1=N", "yellow.a1=Q"}
    assert game.why("promotion.kinds").rule == 301


def test_optional_promotion():
    game = promoting(library.optional_promotion())
    assert {"yellow.a1", "yellow.a1=Q"} <= ends(game, "yellow.a2")
    assert game.why("promotion.mandatory").rule == 301


def test_promotion_rank():
    game = promoting(library.promotion_rank(6))
    assert ends(game, "yellow.a2") == {"yellow.a1"}
    assert "yellow.a3=Q" in ends(game, "yellow.a4")
    assert game.why("promotion.ranks").rule == 301


# ------------------------------------------------------------------------------------------- captures


def taking(rule, number=301):
    """Ann's rook takes a knight of Ben's."""
    game = two(white="Ke1 Ra1 Pb4", yellow="Ke1 white.Na3 white.Bb3 white.Pb2")
    adopt(game, rule)
    game.move("Ann", "white.a1-white.a3", push=PAIR)
    return game


def test_captured_change_sides():
    game = taking(library.captured_change_sides())
    assert (on(game, "white.a3"), on(game, "white.a1")) == ("white R", "white N")
    assert caused(game, "converted") == {301}


def test_explosions():
    game = taking(library.explosions())
    assert [on(game, f"white.{at}") for at in ("a3", "b3", "b2", "b4")] == ["", "", "yellow P", "white P"]
    assert 301 in caused(game, "captured")


def test_absorption():
    game = taking(library.absorption())
    assert on(game, "white.a3") == "white N"
    assert caused(game, "promoted") == {301}


def test_absorption_is_not_for_kings():
    game = adopt(two(white="Ka1 Pb4", yellow="Kh1 white.Na2"), library.absorption())
    game.move("Ann", "white.a1-white.a2", push=PAIR)
    assert on(game, "white.a2") == "white K"


def test_promotion_for_capture():
    game = taking(library.promotion_for_capture())
    assert on(game, "white.a3") == "white Q"
    assert caused(game, "promoted") == {301}


def test_promotion_for_capture_and_capturing_in_passing():
    game = arrange(chess(), white="Ke1 Pe2", yellow="Ka1 white.Pd4", green="Ka1 Pa2")
    adopt(game, library.promotion_for_capture())
    game.move("Ann", "white.e2-white.e4", push=PAIR)
    nothing(game)
    game.move("Ben", "white.d4-white.e3", push=PAIR)
    assert (on(game, "white.e3"), on(game, "white.e4")) == ("yellow P", "")
    assert not game.state.questions


def test_points_for_captures():
    game = taking(library.points_for_captures(knight=4))
    assert game.counters["points"]["Ann"] == 4
    assert caused(game, "counted") == {301}


def test_what_captures_bring_where_the_captured_change_sides():
    game = adopt(chess("Ann", "Ben"), library.captured_change_sides())
    finish(game)
    adopt(game, library.points_for_captures(), 302)
    finish(game)
    arrange(game, white="Ke1 Ra1", yellow="Ke1 Ra1 white.Na3")
    nothing(game)
    game.move("Ann", "white.a1-white.a3", push=PAIR)
    assert on(game, "white.a1") == "white N"
    assert game.counters["points"]["Ann"] == 3


def test_points_can_be_spoken_of_once_they_are_there():
    game = adopt(two(), library.points_for_captures())
    game.move("Ann", moves(game)[0])
    adopt(game, library.lottery(5), 302)
    game.move("Ben", moves(game)[0])
    assert sum(game.counters["points"]) == 5


def test_trophies():
    game = taking(library.trophies("scalps", 1))
    (asked,) = [one for one in game.pending if one.action == "choose"]
    assert (asked.player, asked.options[-1]) == ("Ann", "none")
    pawn = next(one for one in asked.options if "white.b4" in one)
    game.choose("Ann", pawn)
    assert on(game, "white.b4") == "white N"
    assert game.counters["scalps"]["Ann"] == 0
    assert caused(game, "promoted") == {301}


def test_truce():
    game = two(white="Ke1 Ra1", yellow="Kh1 Pg4 Ph2 white.Na3")
    adopt(game, library.truce(2))
    assert "white.a3" not in ends(game, "white.a1")
    assert rule_of(game, "capture.from", army=WHITE) == 301
    game.move("Ann", "white.a1-white.a2", push=PAIR)
    nothing(game)
    game.move("Ben", "yellow.h2-yellow.h3", push=PAIR)
    assert 301 not in game.rules
    nothing(game)
    assert "white.a3" in ends(game, "white.a2")


def test_own_pieces_are_safe():
    game = arrange(chess(), white="Ke1 Ra1", yellow="Ke1", green="Ka1 white.Na3 white.Pb1")
    by_hand(game, "Ann", 'give army_named("green") to "Ann"')
    nothing(game)
    assert "white.a3" in ends(game, "white.a1")
    game.move("Ann", "white.e1-white.e2", push=PAIR)
    adopt(game, library.own_pieces_are_safe(), 302)
    finish(game)
    nothing(game)
    assert rule_of(game, "capture.from", army=WHITE) == 302
    assert not [one for one in moves(game) if one.endswith("white.a1")]


def test_untouchable():
    game = adopt(two(white="Ke1 Ra1", yellow="Ke1 white.Na3 white.Bd1"), library.untouchable("N"))
    assert ends(game, "white.a1") & {"white.a3", "white.d1"} == {"white.d1"}
    with refused(game, "move-forbidden", rule=301):
        game.move("Ann", "white.a1-white.a3", push=PAIR)


def test_untouchable_pawns_in_passing():
    assert passing(library.untouchable("P")) == set()


def test_forced_captures():
    game = adopt(chess("Ann", "Ben"), library.forced_captures())
    assert len(moves(game)) == 20
    game = adopt(two(white="Ke1 Ra1 Pb4", yellow="Ke1 white.Na3 white.Bh1"), library.forced_captures())
    assert {one.split(": ")[1] for one in moves(game)} == {"white.a1-white.a3"}
    with refused(game, "other-move-forced", move="white.b4-yellow.g4", rule=301):
        game.move("Ann", "white.b4-yellow.g4", push=PAIR)
    game.move("Ann", "white.a1-white.a3", push=PAIR)


def test_forced_captures_on_whichever_boards():
    game = adopt(arrange(chess(), white="Ke1 Ra1", yellow="Kh1", green="Kh1 Na2"), library.forced_captures())
    assert {one.split(": ")[0] for one in moves(game, "white.a1")} == {"white+yellow", "white+green"}
    game = arrange(chess(), white="Ke1 Ra1", yellow="Kh1 Nh3", green="Kc1")
    adopt(game, library.forced_captures())
    assert moves(game) == ["white+yellow: white.a1-yellow.h3"]


# ---------------------------------------------------------------------------------------------- mates


def test_royal_kinds():
    game = adopt(two(white="Ke1 Nb4", yellow="Ke1 white.Ra1 white.Qb1"), library.royal_kinds("N"))
    assert ends(game, "white.e1") == set()  # the knight is in check, and the king cannot help
    assert ends(game, "white.b4") != set()
    assert game.why("royal.kinds").rule == 301


def test_kings_are_captured():
    game = adopt(two(white="Ke1 Rd1", yellow="Pa2 white.Kd3"), library.kings_are_captured())
    assert not game.state.mated
    game.move("Ann", "white.d1-white.d3", push=PAIR)
    assert game.winner == "Ann"
    assert caused(game, "mated") == {301}


def pushing(rule):
    """Ben pushes boards on which Cleo's king stands in check by a rook of Ann's."""
    game = arrange(chess(), white="Kb1", yellow="Kb1 Pb2", green="Ke1 Pa4")
    adopt(game, rule)
    finish(game)
    by_hand(game, "Ann", 'place "R" of army_named("white") at square_named("green.a1")')
    nothing(game)
    game.move("Ben", "yellow.b2-yellow.b3", push=("yellow", "green"))
    return game


def test_no_mate_by_pushing():
    assert controllers(pushing(library.burning_square()))["green"] == "Ben"
    assert controllers(pushing(library.no_mate_by_pushing()))["green"] == "Cleo"


def test_mate_goes_to_the_checker():
    assert controllers(pushing(library.mate_goes_to_the_checker()))["green"] == "Ann"


def test_mate_at_once():
    def back_rank(rule):
        game = two(white="Ke1 Ra1", yellow="Ka1 Pa2 Pb2 Pc2")
        adopt(game, rule)
        game.move("Ann", "white.a1-white.d1", push=PAIR)
        nothing(game)
        game.move("Ben", "yellow.c2-yellow.c3", push=PAIR)
        nothing(game)
        game.move("Ann", next(one for one in moves(game, "white.d1") if one.endswith("yellow.e1")))
        return game

    assert not back_rank(library.burning_square("a1")).over
    game = back_rank(library.mate_at_once())
    assert game.winner == "Ann"
    assert caused(game, "mated") == {301}


def checking(rule):
    """Ann's rook has given check to Ben's king."""
    game = arrange(chess(), white="Kh1 Ra1", yellow="Ke1 Rc2 Pb2", green="Ke1 Ph2")
    adopt(game, rule)
    check = next(one for one in moves(game, "white.a1-white.d1") if one.startswith("white+yellow"))
    game.move("Ann", check)
    return game


def test_checks_count():
    assert controllers(checking(library.checks_count(2)))["yellow"] == "Ben"
    game = checking(library.checks_count(1))
    assert controllers(game)["yellow"] == "Ann"
    assert caused(game, "army_taken") == {301}
    assert caused(game, "eliminated") == {222}
    assert game.state.tables["checks"].value_at((ThingRef("army", "yellow"),)) == 0


def test_price_of_check():
    game = checking(library.price_of_check())
    (asked,) = [one for one in game.pending if one.action == "choose"]
    assert asked.player == "Ben"
    assert len(asked.options) == 2
    game.choose("Ben", next(one for one in asked.options if "c2" in one))
    assert on(game, "yellow.c2") == "yellow B"
    assert caused(game, "demoted") == {301}


def test_bare_kings_fall():
    game = adopt(two(white="Ke1 Ra1", yellow="Ke1 white.Na3"), library.bare_kings_fall())
    game.move("Ann", "white.a1-white.a3", push=PAIR)
    assert game.winner == "Ann"
    assert caused(game, "army_lost") == {301}
    game = taking(library.bare_kings_fall())
    assert controllers(game)["yellow"] == "Ben"


def test_bare_kings_fall_when_the_captured_change_sides():
    game = adopt(chess("Ann", "Ben"), library.captured_change_sides())
    finish(game)
    adopt(game, library.bare_kings_fall(), 302)
    finish(game)
    arrange(game, white="Ke1 Ra1", yellow="Ke1 white.Na3")
    nothing(game)
    game.move("Ann", "white.a1-white.a3", push=PAIR)
    assert game.winner == "Ann"


# --------------------------------------------------------------------------------------------- boards


def test_reflected_boards():
    game = adopt(two(white="Ke1 Rd3", yellow="Kh1"), library.reflected_boards())
    assert "yellow.d4" in ends(game, "white.d3")
    assert "yellow.e4" not in ends(game, "white.d3")
    assert game.why("join.how").rule == 301


def test_round_boards():
    game = adopt(two(white="Ke1 Ra3", yellow="Ke1 white.Ph3 white.Pb3"), library.round_boards())
    assert "white.h3" in ends(game, "white.a3")
    assert 301 in caused(game, "reshaped")


def test_growing_boards():
    game = adopt(chess("Ann", "Ben"), library.growing_boards(2, 1, 6))
    finish(game)
    assert {board.geometry.ranks for board in game.state.position.boards.values()} == {4}
    for _ in range(3):
        finish(game)
    assert {board.geometry.ranks for board in game.state.position.boards.values()} == {6}
    assert caused(game, "grown") == {301}


def test_missing_squares():
    game = adopt(chess(), library.missing_squares("white.e3 white.c3"))
    assert ends(game, "white.e2") == set()
    assert ends(game, "white.b1") == {"white.a3"}
    assert game.why("board.holes").rule == 301


def test_burning_square():
    game = adopt(chess(), library.burning_square("e4"))
    game.move("Ann", "white.e2-white.e4", push=PAIR)
    assert on(game, "white.e4") == ""
    assert caused(game, "removed") == {301}


def test_kings_do_not_burn():
    game = adopt(two(white="Kd3", yellow="Kh1"), library.burning_square("d4"))
    game.move("Ann", "white.d3-white.d4", push=PAIR)
    assert on(game, "white.d4") == "white K"


def test_promoting_square():
    game = adopt(chess(), library.promoting_square("e4"))
    game.move("Ann", "white.e2-white.e4", push=PAIR)
    assert on(game, "white.e4") == "white N"
    assert caused(game, "promoted") == {301}


def test_gate():
    game = adopt(chess(), library.gate("white.e4", "green.b3"))
    game.move("Ann", "white.e2-white.e4", push=PAIR)
    assert (on(game, "white.e4"), on(game, "green.b3")) == ("", "white P")
    assert caused(game, "carried") == {301}


@pytest.mark.parametrize("other", ["green.b2", "azure.b2"])
def test_a_gate_is_shut_where_something_stands_or_no_board_is(other):
    game = adopt(chess(), library.gate("white.e4", other))
    game.move("Ann", "white.e2-white.e4", push=PAIR)
    assert on(game, "white.e4") == "white P"
    assert not game.state.questions


@pytest.mark.parametrize(("to", "at"), [("right", "bcdefgh"), ("left", "abcdefg")])
def test_sliding_rank(to, at):
    game = chess("Ann", "Ben")
    by_hand(game, "Ann", f'remove square_named("white.{"h" if to == "right" else "a"}1").piece')
    adopt(game, library.sliding_rank(1, to))
    game.move("Ann", "white.e2-white.e4", push=PAIR)
    nothing(game)
    game.move("Ben", "yellow.e2-yellow.e4", push=PAIR)
    assert {file for file in "abcdefgh" if on(game, f"white.{file}1")} == set(at)
    assert {file for file in "abcdefgh" if on(game, f"yellow.{file}1")} == set("abcdefgh")  # at the edge they stay
    assert caused(game, "carried") == {301}


# --------------------------------------------------------------------------------------------- armies


def test_new_kind():
    game = adopt(chess("Ann", "Ben"), library.new_kind("C", "RN"))
    (asked,) = [one for one in game.pending if one.action == "choose"]
    assert asked.player == "Ann"
    assert all(int(one[-1]) <= 3 for one in asked.options[:-1])
    game.choose("Ann", "white.c3")
    (asked,) = [one for one in game.pending if one.action == "choose"]
    game.choose("Ben", "none")
    assert on(game, "white.c3") == "white C"
    assert {"white.c4", "white.a4", "white.b3"} <= ends(game, "white.c3")
    assert rule_of(game, "piece.moves", army=WHITE, kind="C") == 301
    assert caused(game, "placed") == {301}


def test_reinforcements():
    game = adopt(two(white="Ke1 Ra3", yellow="Ke1 Pa2"), library.reinforcements("P", 1))
    finish(game)
    nothing(game)
    game.move("Ben", "yellow.a2-yellow.a3", push=PAIR)
    game.choose("Ann", "white.f2")
    game.choose("Ben", "none")
    assert on(game, "white.f2") == "white P"
    assert 301 in caused(game, "placed")


def test_promotion_for_adopted():
    game = adopt(chess(), library.promotion_for_adopted())
    finish(game)
    nothing(game)
    assert waiting_for(game, "choose") == ["Ben"]
    (asked,) = [one for one in game.pending if one.action == "choose"]
    game.choose("Ben", next(one for one in asked.options if "yellow.a2" in one or one.endswith(" a2")))
    assert on(game, "yellow.a2") == "yellow N"
    assert caused(game, "promoted") == {301}


def test_demotion_for():
    game = adopt(chess(), library.demotion_for("humming"))
    game.report("Ben", "Ann", "humming")
    (asked,) = [one for one in game.pending if one.action == "choose"]
    game.choose(asked.player, next(one for one in asked.options if one.endswith("1")))
    assert len(caused(game, "demoted")) == 1


# ------------------------------------------------------------------------------------------- all of them


@pytest.mark.parametrize(
    ("name", "given", "code"),
    [
        ("piece_moves", {"kind": "n"}, "place-filled-wrongly"),
        ("piece_moves", {"kind": "NB"}, "place-filled-wrongly"),
        ("piece_moves", {"moves": "N)"}, "movement-atom-unknown"),
        ("piece_moves", {"moves": ""}, "place-filled-wrongly"),
        ("piece_moves", {"moves": "W" * 61}, "place-filled-wrongly"),
        ("piece_moves", {"moves": 'N"'}, "place-filled-wrongly"),
        ("piece_moves", {"army": 'white" or true'}, "place-filled-wrongly"),
        ("piece_moves", {"kind": None}, "place-filled-wrongly"),
        ("slow_pieces", {"circuits": 1}, "figure-out-of-range"),
        ("moves_per_turn", {"moves": 0}, "figure-out-of-range"),
        ("moves_per_turn", {"moves": True}, "figure-out-of-range"),
        ("small_armies_move_more", {"pieces": 0}, "figure-out-of-range"),
        ("castling_with", {"kinds": "RR"}, "place-filled-wrongly"),
        ("army_without_move", {"then": "ask"}, "not-one-of-these"),
        ("promotion_to", {"kinds": ""}, "place-filled-wrongly"),
        ("promotion_rank", {"rank": 2}, "figure-out-of-range"),
        ("points_for_captures", {"rook": -1}, "figure-out-of-range"),
        ("trophies", {"name": "each"}, "word-out-of-form"),
        ("trophies", {"needed": 0}, "figure-out-of-range"),
        ("truce", {"turns": 0}, "figure-out-of-range"),
        ("untouchable", {"kind": "knight"}, "place-filled-wrongly"),
        ("royal_kinds", {"kinds": "K Q"}, "place-filled-wrongly"),
        ("checks_count", {"checks": 0}, "figure-out-of-range"),
        ("bare_kings_fall", {"left": 16}, "figure-out-of-range"),
        ("growing_boards", {"most": 9}, "figure-out-of-range"),
        ("growing_boards", {"ranks": 0}, "figure-out-of-range"),
        ("missing_squares", {"squares": "e4"}, "place-filled-wrongly"),
        ("missing_squares", {"squares": ""}, "place-filled-wrongly"),
        ("missing_squares", {"squares": 'white"]#.e4'}, "place-filled-wrongly"),
        ("missing_squares", {"squares": "white.e4 white.e4"}, "place-filled-wrongly"),
        ("burning_square", {"square": "e0"}, "place-filled-wrongly"),
        ("burning_square", {"square": "z4"}, "place-filled-wrongly"),
        ("promoting_square", {"square": "white.e4"}, "place-filled-wrongly"),
        ("gate", {"second": "white.e4"}, "ends-alike"),
        ("gate", {"first": "white.e17"}, "place-filled-wrongly"),
        ("sliding_rank", {"to": "up"}, "not-one-of-these"),
        ("new_kind", {"kind": "Q"}, "place-filled-wrongly"),
        ("new_kind", {"moves": "xyz"}, "movement-letter-x"),
        ("reinforcements", {"circuits": 0}, "figure-out-of-range"),
        ("demotion_for", {"deed": 'a "deed"'}, "label-out-of-form"),
    ],
)
def test_what_cannot_be_is_refused(name, given, code):
    with refusals.refused(code, ValueError):
        getattr(library, name)(**given)


def test_every_rule_on_boards_is_tested():
    here = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert [one.name for one in library.catalogue if one.on_boards and f"library.{one.name}(" not in here] == []


def test_the_listing_says_what_is_about_boards():
    frame = nb.library.catalogue.frame
    assert frame.loc["forced_captures", "subject"] == "captures"
    assert {one.subject for one in nb.library.catalogue if one.on_boards} == {
        "movement", "pawns", "captures", "mates", "boards", "armies"
    }  # fmt: skip
