"""Rules on boards that are put together for a sentence: adopted in Nomic Chess, they do what their wording says."""

import re

import pytest
from board_helpers import arrange, chess, finish, law, moves, nothing, on
from play_helpers import by_hand, evaluated, refused
from study.library.test_chess import PAIR, adopt, ends, two

from nomic_nb import library
from nomic_nb.study.library.phrase_book import composed_entry, rule_entry, suggest
from nomic_nb.study.reference import read_page

#: A rule that changes nothing on the boards that are set up.
IDLE = library.burning_square("h4")
#: Rooks and bishops with own and hostile pieces around them; nobody is in check.
CROWD = {"white": "Kh1 Ra1 Bd2 Pa2 Pe3 Nf4", "yellow": "Ke1 white.Pb1 white.Pc3"}
ALONE = {"white": "Kh1 {}", "yellow": "Ke1"}


def rule(name):
    """What is put together under a name, as a rule."""
    return composed_entry(name).rule


def squares(names):
    """Squares of white's half-board, or of another one that is named."""
    return {name if "." in name else f"white.{name}" for name in names.split()}


def changed(game, other, start):
    """The squares to which a piece can move in one game only, and in the other only."""
    there, here = ends(game, start), ends(other, start)
    return there - here, here - there


#: By the name of a rule: the pieces, whose moves, and the squares that they gain and lose by it.
MOVEMENTS = {
    "moves/rook/also/jump_own/always": (CROWD, "a1", "a3 a4 yellow.h4 yellow.h3 yellow.h2 yellow.h1", ""),
    "moves/rook/also/jump_over/always": (
        CROWD, "a1", "a3 a4 yellow.h4 yellow.h3 yellow.h2 yellow.h1 c1 d1 e1 f1 g1", "",
    ),
    "moves/rook/also/jump_behind/always": (CROWD, "a1", "a3 c1", ""),
    "moves/bishop/also/jump_own/always": (CROWD, "d2", "", ""),
    "moves/bishop/also/forward/always": (CROWD, "d2", "d3", ""),
    "moves/bishop/also/backwards/always": (CROWD, "d2", "d1", ""),
    "moves/bishop/also/sideways/always": (CROWD, "d2", "c2 e2", ""),
    "moves/bishop/also/straight/always": (CROWD, "d2", "d3 d1 c2 e2", ""),
    "moves/bishop/also/along/always": (CROWD, "d2", "d1 d3 d4 yellow.e4 yellow.e3 yellow.e2 c2 b2 e2 f2 g2 h2", ""),
    "moves/rook/also/across/always": (CROWD, "a1", "b2 c3", ""),
    "moves/rook/also/diagonal_forward/always": (CROWD, "a1", "b2", ""),
    "moves/rook/also/diagonal_back/always": (CROWD, "a1", "", ""),
    "moves/knight/also/diagonal_back/always": (CROWD, "f4", "g3", ""),
    "moves/knight/also/many_forward/always": (CROWD, "f4", "yellow.c4 yellow.c3", ""),
    "moves/knight/also/many_back/always": (CROWD, "f4", "f3 f2", ""),
    "moves/knight/also/many_side/always": (CROWD, "f4", "e4 d4 g4 h4", ""),
    "moves/knight/also/many_diagonal/always": (CROWD, "f4", "g3 h2 yellow.d4 yellow.e3 yellow.b4 yellow.a3", ""),
    "moves/knight/also/many_straight/always": (CROWD, "f4", "f3 f2 e4 d4 g4 h4 yellow.c4 yellow.c3", ""),
    "moves/knight/only/forwards/always": (ALONE, "Nd3", "", "b2 f2 c1 e1"),
    "moves/bishop/only/forwards/always": (ALONE, "Bd2", "", "c1 e1"),
    "moves/rook/only/forwards/always": (ALONE, "Rd2", "", "a2 b2 c2 e2 f2 g2 h2 d1"),
    "moves/queen/only/forwards/always": (ALONE, "Qd2", "", "a2 b2 c2 e2 f2 g2 h2 d1 c1 e1"),
    "moves/king/only/forwards/always": ({"white": "Kd2", "yellow": "Kh1"}, "d2", "", "c2 e2 d1 c1 e1"),
    "unmoves/ban/knight/back": (ALONE, "Nd3", "", "b2 f2 c1 e1"),
    "unmoves/ban/bishop/back": (ALONE, "Bd2", "", "c1 e1"),
    "unmoves/ban/rook/back": (ALONE, "Rd2", "", "d1"),
    "unmoves/ban/rook/side": (ALONE, "Rd2", "", "a2 b2 c2 e2 f2 g2 h2"),
    "unmoves/ban/queen/back": (ALONE, "Qd2", "", "d1 c1 e1"),
    "unmoves/ban/queen/side": (ALONE, "Qd2", "", "a2 b2 c2 e2 f2 g2 h2"),
    "unmoves/ban/king/back": ({"white": "Kd2", "yellow": "Kh1"}, "d2", "", "d1 c1 e1"),
    "unmoves/ban/king/across": ({"white": "Kd2", "yellow": "Kh1"}, "d2", "", "c1 e1 c3 e3"),
    "unmoves/ban/king/along": ({"white": "Kd2", "yellow": "Kh1"}, "d2", "", "c2 e2 d1 d3"),
    "unmoves/ban/king/side": ({"white": "Kd2", "yellow": "Kh1"}, "d2", "", "c2 e2"),
    "unmoves/ban/knight/ahead": (ALONE, "Nd2", "", "b3 f3 c4 e4"),
    "unmoves/ban/rook/ahead": (ALONE, "Rd4", "", "yellow.e4 yellow.e3 yellow.e2"),
    "unmoves/ban/bishop/ahead": (
        ALONE, "Bd4", "", "yellow.d4 yellow.c3 yellow.b2 yellow.a1 yellow.f4 yellow.g3 yellow.h2",
    ),
    "ranges/bishop/most/always": (ALONE, "Ba1", "", "yellow.d4 yellow.c3 yellow.b2 yellow.a1"),
}  # fmt: skip


@pytest.mark.parametrize("name", MOVEMENTS)
def test_a_piece_gains_and_loses_the_squares_that_the_wording_says(name):
    armies, piece, gained, lost = MOVEMENTS[name]
    armies = {army: pieces.format(piece) for army, pieces in armies.items()}
    with_it, without = (adopt(two(**armies), one) for one in (rule(name), IDLE))
    assert changed(with_it, without, f"white.{piece[-2:]}") == (squares(gained), squares(lost))


#: Conditions, with the numbers filled in, the pieces, and whether a rook on a1 may move by them.
CONDITIONS = [
    ("own_half", {}, CROWD, True),
    ("other_half", {}, CROWD, False),
    ("beside_pawn", {}, CROWD, True),
    ("beside_pawn", {}, {"white": "Kh1 Ra1 Ba2", "yellow": "Ke1 white.Pb1"}, False),
    ("beside", {}, {"white": "Kh1 Ra1 Ba2", "yellow": "Ke1"}, True),
    ("beside", {}, {"white": "Kh1 Ra1 Ba3", "yellow": "Ke1 white.Pb1"}, False),
    ("beside_king", {}, {"white": "Kb1 Ra1", "yellow": "Ke1"}, True),
    ("beside_king", {}, CROWD, False),
    ("queenless", {}, CROWD, True),
    ("queenless", {}, {"white": "Kh1 Ra1 Qh2", "yellow": "Ke1"}, False),
    ("few", {"k": 6}, CROWD, True),
    ("few", {"k": 5}, CROWD, False),
    ("fewest", {}, {"white": "Kh1 Ra1", "yellow": "Ke1 Pa2"}, True),
    ("fewest", {}, {"white": "Kh1 Ra1 Pg2", "yellow": "Ke1 Pa2"}, False),
    ("first_round", {}, CROWD, True),
    ("first_rounds", {"r": 1}, CROWD, True),
    ("first_rounds", {"r": 0}, CROWD, False),
    ("before_round", {"r": 2}, CROWD, True),
    ("before_round", {"r": 1}, CROWD, False),
    ("after_round", {"r": 0}, CROWD, True),
    ("after_round", {"r": 1}, CROWD, False),
    ("every_round", {"r": 1}, CROWD, True),
    ("every_round", {"r": 2}, CROWD, False),
]


@pytest.mark.parametrize(("condition", "filled", "armies", "holds"), CONDITIONS)
def test_a_movement_is_there_only_while_its_condition_holds(condition, filled, armies, holds):
    game = adopt(two(**armies), composed_entry(f"moves/rook/also/diagonal/{condition}").make(**filled))
    assert ("white.b2" in ends(game, "white.a1")) is holds


def test_a_movement_of_pieces_that_have_not_moved_is_gone_once_they_have():
    game = adopt(chess("Ann", "Ben"), rule("moves/knight/also/leap_two/unmoved"))
    assert {"white.b3", "white.d3"} <= ends(game, "white.b1")
    game.move("Ann", "white.b1-white.b3", push=PAIR)
    finish(game)
    nothing(game)
    assert ends(game, "white.b3")
    assert not {"yellow.e4", "white.d3"} & ends(game, "white.b3")


def test_a_movement_in_check_lasts_until_the_turn_of_the_checked_army_is_over():
    def begun(rule):
        game = adopt(two(white="Kh1 Ra1", yellow="Ke1"), rule)
        assert not ends(game, "white.h1") & {"white.f1", "white.h3"}
        game.move("Ann", "white.a1-white.d1", push=PAIR)
        nothing(game)
        return game

    game = begun(rule("moves/king/also/two/in_check"))
    assert {"yellow.g3", "yellow.c1"} <= ends(game, "yellow.e1")
    assert not {"yellow.g3", "yellow.c1"} & ends(begun(IDLE), "yellow.e1")
    game.move("Ben", "yellow.e1-yellow.f2", push=PAIR)
    nothing(game)
    game.move("Ann", "white.h1-white.h2", push=PAIR)
    nothing(game)
    assert ends(game, "yellow.f2")
    assert "yellow.h4" not in ends(game, "yellow.f2")


def test_two_moves_in_check_are_both_made():
    game = adopt(two(white="Kh1 Ra1", yellow="Ke1 Pa2"), rule("move_counts/many/in_check"))
    game.move("Ann", "white.a1-white.d1", push=PAIR)
    assert game.player == "Ben"
    nothing(game)
    game.move("Ben", "yellow.e1-yellow.f2", push=PAIR)
    assert game.player == "Ben"
    game.move("Ben", "yellow.f2-yellow.f3", push=PAIR)
    assert game.player == "Ann"


@pytest.mark.parametrize(("armies", "player"), [("Ke1 Pa2 Pb2", "Ann"), ("Ke1", "Ben")])
def test_the_army_with_the_fewest_pieces_moves_twice(armies, player):
    game = adopt(two(white="Kh1 Pa2", yellow=armies), rule("move_counts/many/fewest"))
    game.move("Ann", "white.a2-white.a3", push=PAIR)
    assert game.player == player


def test_a_king_moves_otherwise_once_it_has_castled():
    game = chess("Ann", "Ben")
    by_hand(game, "Ann", 'remove [p for p in army_named("white").pieces if p.kind in ["N", "B", "Q"]]')
    adopt(game, rule("moves/king/also/like_knight/castled"))
    assert "white.d3" not in ends(game, "white.e1")
    game.move("Ann", "white.e1-white.g1", push=PAIR)
    finish(game)
    nothing(game)
    assert {"white.f3", "white.h3"} <= ends(game, "white.g1")


def test_a_rook_moves_otherwise_once_it_has_captured_something():
    game = adopt(two(white="Kh1 Ra1", yellow="Ke1 Pa2 white.Na3"), rule("moves/rook/also/diagonal/fed"))
    assert "white.b2" not in ends(game, "white.a1")
    game.move("Ann", "white.a1-white.a3", push=PAIR)
    finish(game)
    nothing(game)
    assert {"white.b2", "white.b4"} <= ends(game, "white.a3")


#: By the name of a ban: the pieces, and the squares to which the rook on a1 cannot move any more.
BANS = [
    ("rook/capture/first_rounds", "Ke1 white.Na3", "a3"),
    ("rook/capture/after_round", "Ke1 white.Na3", ""),
    ("any/capture/first_rounds", "Ke1 white.Na3", "a3"),
    ("any/not_captured/first_rounds", "Ke1 white.Na3", "a3"),
    ("rook/takes-knight/queenless", "Ke1 white.Na3", "a3"),
    ("rook/takes-knight/after_round", "Ke1 white.Na3", ""),
    ("rook/capture/own_half", "Ke1 white.Na3", "a3"),
    ("rook/capture/other_half", "Ke1 white.Na3", ""),
    ("rook/takes-pawn/always", "Ke1 white.Na3", ""),
    ("rook/capture/queenless", "Ke1 white.Na3", "a3"),
    ("rook/move/other_half", "Ke1 white.Na3", ""),
    ("knight/not_captured/beside_king", "white.Kb4 white.Na3", "a3"),
    ("knight/not_captured/beside_king", "Ke1 white.Na3", ""),
    ("knight/not_captured/beside_pawn", "Ke1 white.Na3 white.Pb2", "a3"),
    ("knight/not_captured/beside", "Ke1 white.Na3 white.Bb3", "a3"),
    ("bishop/not_captured/beside", "Ke1 white.Na3 white.Bb3", ""),
    ("knight/not_captured/own_half", "Ke1 Nh3", "yellow.h3"),
    ("knight/not_captured/other_half", "Ke1 Nh3", ""),
    ("knight/not_captured/other_half", "Ke1 white.Na3", "a3"),
]


@pytest.mark.parametrize(("name", "yellow", "lost"), BANS)
def test_a_ban_takes_the_moves_that_it_names_and_no_others(name, yellow, lost):
    with_it, without = (
        adopt(two(white="Kh1 Ra1", yellow=yellow), one) for one in (rule(f"piece_bans/ban/{name}"), IDLE)
    )
    assert changed(with_it, without, "white.a1") == (set(), squares(lost))


@pytest.mark.parametrize(
    ("name", "lost"),
    [("pawn/victim-knight", "a3"), ("rook/victim-knight", ""), ("pawn/victim-queen", ""), ("pawn/any", "a3")],
)
def test_only_some_pieces_capture_a_kind(name, lost):
    with_it, without = (
        adopt(two(white="Kh1 Ra1", yellow="Ke1 white.Na3"), one) for one in (rule(f"takers/taker-{name}"), IDLE)
    )
    assert changed(with_it, without, "white.a1") == (set(), squares(lost))


@pytest.mark.parametrize(("rounds", "castles"), [(1, set()), (0, {"white.c1", "white.g1"})])
def test_nobody_castles_in_the_rounds_that_are_named(rounds, castles):
    game = chess("Ann", "Ben")
    by_hand(game, "Ann", 'remove [p for p in army_named("white").pieces if p.kind in ["N", "B", "Q"]]')
    adopt(game, composed_entry("castling/none/first_rounds").make(r=rounds))
    assert {"white.c1", "white.g1"} & ends(game, "white.e1") == castles


def test_a_square_is_closed_in_the_rounds_that_are_named():
    for rounds, closed in (1, True), (0, False):
        entry = composed_entry("squares/middle/closed/first_rounds")
        game = adopt(two(white="Ke1 Ra4", yellow="Kh1"), entry.make(r=rounds))
        assert ("white.d4" not in ends(game, "white.a4")) is closed


def test_an_army_in_check_captures_nothing():
    def checked(rule):
        game = adopt(two(white="Kh1 yellow.Ra2", yellow="Ke1"), rule)
        game.move("Ann", "yellow.a2-yellow.e2", push=PAIR)
        nothing(game)
        return ends(game, "yellow.e1")

    assert checked(IDLE) - checked(rule("piece_bans/ban/any/capture/in_check")) == {"yellow.e2"}


def capturing(rule, taker="Ra1"):
    """Ann's rook, or another piece, takes a knight of Ben's; beside it are a bishop of his and a pawn of hers."""
    game = adopt(two(white=f"Kg1 {taker} Pb4", yellow="Kd1 white.Na3 white.Bb3 Pb2"), rule)
    game.move("Ann", f"white.{taker[1:]}-white.a3", push=PAIR)
    return game


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("fates/knight/gone/taker", ["", "yellow B", "white P"]),
        ("fates/bishop/gone/taker", ["white R", "yellow B", "white P"]),
        ("fates/knight/gone/explodes", ["white R", "", ""]),
        ("fates/any/gone/explodes", ["white R", "", ""]),
        ("fates/rook/gone/explodes", ["white R", "yellow B", "white P"]),
        ("captors/rook/capturing/leaves", ["", "yellow B", "white P"]),
        ("captors/knight/capturing/leaves", ["white R", "yellow B", "white P"]),
        ("captors/rook/capturing/copies", ["white N", "yellow B", "white P"]),
    ],
)
def test_what_a_capture_does_to_the_pieces_around_it(name, left):
    game = capturing(rule(name))
    assert [on(game, f"white.{at}") for at in ("a3", "b3", "b4")] == left


def test_a_king_that_captures_is_not_taken_along():
    game = adopt(two(white="Ka2", yellow="Kh4 white.Na3"), rule("fates/knight/gone/taker"))
    game.move("Ann", "white.a2-white.a3", push=PAIR)
    assert on(game, "white.a3") == "white K"


@pytest.mark.parametrize(
    ("fate", "player", "spot", "army"),
    [("returns", "Ben", "yellow.c3", "yellow"), ("joins", "Ann", "white.c3", "white")],
)
def test_a_captured_piece_is_placed_again(fate, player, spot, army):
    game = capturing(rule(f"fates/knight/gone/{fate}"))
    game.choose(player, spot)
    assert on(game, spot) == f"{army} N"
    assert game.pending[0].player == "Ben"


def test_a_captured_piece_goes_into_the_hand_of_its_own_army():
    game = capturing(rule("hands/owner"))
    assert evaluated(game, '[p.kind for p in army_named("yellow").hand]') == ("N",)


def test_whoever_captures_with_a_rook_moves_again():
    game = capturing(rule("captors/rook/capturing/again"))
    assert (game.pending[0].player, game.pending[0].action) == ("Ann", "move")
    game.move("Ann", "white.g1-white.g2", push=PAIR)
    assert game.player == "Ben"
    assert capturing(rule("captors/bishop/capturing/again")).player == "Ben"


def test_the_player_who_loses_a_queen_has_the_next_turn():
    game = arrange(chess(), white="Kg1 Ra1", yellow="Kh1 Pb2", green="Kc1 Pb2 white.Qa3")
    adopt(game, rule("happens/loses_kind-queen/they/nobody/points/next_move"))
    game.move("Ann", "white.a1-white.a3", push=PAIR)
    assert game.player == "Cleo"


def test_a_knight_becomes_a_queen_on_the_last_rank_and_no_bishop_does():
    for kind, start, becomes in ("N", "b3", "Q"), ("B", "c3", "B"):
        game = adopt(
            two(white=f"Ke1 yellow.{kind}{start}", yellow="Kh4"), rule("arrivals/knight/arriving/become-queen")
        )
        game.move("Ann", f"yellow.{start}-yellow.a1", push=PAIR)
        assert on(game, "yellow.a1") == f"white {becomes}"


@pytest.mark.parametrize(
    ("name", "after"),
    [
        ("middle/mine", {"white.d4": "", "white.c4": "white P"}),
        ("named/mine", {"white.d4": "", "white.c4": "white P"}),
        ("corner/mine", {"white.d4": "white P", "white.a1": ""}),
        ("middle/stronger", {"white.d4": "white N", "white.c4": "white P"}),
        ("named/stronger", {"white.d4": "white N", "white.c4": "white P"}),
        ("corner/stronger", {"white.d4": "white P", "white.a1": "white Q"}),
    ],
)
def test_a_square_does_to_pieces_what_the_wording_says(name, after):
    for square, piece in after.items():
        game = two(white="Ke1 Pd2 Pc2 Rb1", yellow="Kh4 Pa2")
        adopt(game, composed_entry(f"squares/{name}/always").make(**{"text": "d4"} if "named" in name else {}))
        start = {"white.a1": "white.b1", "white.c4": "white.c2", "white.d4": "white.d2"}[square]
        game.move("Ann", f"{start}-{square}", push=PAIR)
        assert on(game, square) == piece


def test_nobody_moves_to_a_closed_square():
    for name in "middle", "named":
        entry = composed_entry(f"squares/{name}/closed/always")
        game = adopt(two(white="Ke1 Ra4", yellow="Kh1"), entry.make(**{"text": "d4"} if name == "named" else {}))
        assert not {"white.d4"} & ends(game, "white.a4")
        assert {"white.c4", "white.f4"} <= ends(game, "white.a4")


def test_a_square_carries_a_piece_away_and_pays():
    game = adopt(two(white="Ke1 Pd2", yellow="Kh4"), rule("squares/middle/lucky/always"))
    game.move("Ann", "white.d2-white.d4", push=PAIR)
    assert evaluated(game, '[p.square.board.name for p in army_named("white").pieces if p.kind == "P"]') == ("white",)
    assert on(game, "white.d4") == ""
    game = adopt(two(white="Ke1 Pd2", yellow="Kh4"), composed_entry("squares/middle/pays/always").make(n=3))
    game.move("Ann", "white.d2-white.d4", push=PAIR)
    assert game.counters["points"].to_dict() == {"Ann": 3, "Ben": 0}


def test_pawns_become_what_the_wording_says():
    def becomes(name, **armies):
        game = adopt(two(**{"white": "Ke1 yellow.Pa2", "yellow": "Ke4", **armies}), rule_entry(name).rule)
        return {one.partition("=")[2] for one in ends(game, "yellow.a2")}

    assert becomes("promotions/become-queen/not") == {"R", "B", "N"}
    assert becomes("promotions/become-king/also") == {"Q", "R", "B", "N", "K"}
    assert becomes("promotions/become-knight/only") == {"N"}
    assert becomes("promote_lost") == becomes("unpromoted/none/always") == {""}


def test_pawns_become_only_what_has_been_lost_and_once_for_each():
    game = adopt(two(white="Ke1 yellow.Pa2 yellow.Pc2 Nb2", yellow="Ke4 white.Rb4"), rule_entry("promote_lost").rule)
    game.move("Ann", "white.e1-white.d1", push=PAIR)
    nothing(game)
    game.move("Ben", "white.b4-white.b2", push=PAIR)
    nothing(game)
    assert ends(game, "yellow.a2") == {"yellow.a1=N"}
    game.move("Ann", "yellow.a2-yellow.a1=N", push=PAIR)
    nothing(game)
    game.move("Ben", "white.b2-white.b3", push=PAIR)
    nothing(game)
    assert ends(game, "yellow.c2") == {"yellow.c1"}


def test_two_own_pieces_swap_places_once():
    game = adopt(two(white="Ke1 Ra1 Nb2", yellow="Kh4 Pa2"), rule_entry("swap_own_pieces").rule)
    game.take("Ann", "swap two pieces")
    asked = next(one for one in game.pending if one.action == "choose")
    assert not any("e1" in option for option in asked.options)
    for square in "white.a1", "white.b2":
        asked = next(one for one in game.pending if one.action == "choose")
        game.choose("Ann", next(option for option in asked.options if square in option))
    assert (on(game, "white.a1"), on(game, "white.b2")) == ("white N", "white R")
    with refused(game, "offer-needs"):
        game.take("Ann", "swap two pieces")


@pytest.mark.parametrize(
    ("said", "clauses"),
    [
        ("Kings may move two squares while it rains.", 'otherwise + "Q2"'),
        ("Knights may not move backwards when it rains.", '"fhN"'),
        ("Rooks may hop over enemy pieces.", 'otherwise + "tpR"'),
        ("Bishops may leap over your own pawns.", 'otherwise + "tpB"'),
        ("Kings must move two squares.", 'otherwise + "Q2"'),
        ("Rooks can also go one step diagonally.", 'otherwise + "B"'),
        ("Nobody can take a queen in the first four rounds.", 'piece.kind == "Q" and any('),
        ("If your rook gets taken you lose two points.", "award 2 points"),
        ("Any piece that takes a queen dies too.", 'capturer.kind == "Q"'),
        ("Captured rooks do not come back.", "fsR"),
        ("A king that hasn't moved can move like a queen.", 'forbid move when piece.kind == "K"'),
        ("Bishops can take one step sideways.", "scW"),
        ("Nobody may capture a rook that hasn't moved yet.", "not piece.moved"),
        ("Pawns may promote on the seventh rank.", "promotion.kinds to []"),
    ],
)
def test_a_condition_or_a_limit_that_no_rule_has_is_not_passed_over(said, clauses):
    assert not any(clauses in one.law for one in suggest(said)[:3])


# ------------------------------------------------------------------------------ what the page for explorers says


@pytest.mark.parametrize(
    ("letters", "gained"),
    [
        ("pR", "a3 a4 yellow.h4 yellow.h3 yellow.h2 yellow.h1 c1 d1 e1 f1 g1"),
        ("tpR", "a3 a4 yellow.h4 yellow.h3 yellow.h2 yellow.h1"),
        ("gR", "a3 c1"),
        ("tgR", "a3"),
        ("gQ", "a3 c1 d4"),
        ("pNN", "g4"),
    ],
)
def test_a_hopper_jumps_over_exactly_one_piece(letters, gained):
    with_it, without = (adopt(two(**CROWD), one) for one in (library.piece_moves("R", f"R{letters}"), IDLE))
    assert changed(with_it, without, "white.a1") == (squares(gained), set())


PROMOTING = {"white": "Ke4 yellow.Pa2 yellow.Nc3", "yellow": "Kh4 Bb1 Pb2"}


def test_moved_comes_before_captured_and_that_before_promoted():
    game = two(**PROMOTING)
    said = (f'on {event}: announce "{event} " + piece.kind' for event in ("promoted", "captured", "moved"))
    law(game, "\n".join([*said, 'on captured: announce "by " + capturer.kind']))
    game.move("Ann", "yellow.a2-yellow.b1=N", push=PAIR)
    told = [data["text"] for data in game.history.query("kind == 'announced'")["data"]]
    assert told == ["moved N", "captured B", "by N", "promoted N"]


@pytest.mark.parametrize(("start", "points"), [("yellow.a2", 0), ("yellow.c3", 1)])
def test_the_guide_tells_knights_from_pawns_that_become_knights(start, points):
    game = two(**PROMOTING)
    (clauses,) = re.findall(r"```law nomic-chess\n([^`]*track pawn[^`]*)```", read_page("explorer"))
    law(game, clauses)
    game.move("Ann", next(one for one in moves(game, start) if re.search(r"-yellow\.b1(=N)?$", one)))
    assert on(game, "yellow.b1") == "white N"
    assert game.counters["points"]["Ann"] == points


@pytest.mark.parametrize("said", ["No castling.", "Pawns may not capture en passant.", "Captured pieces change sides."])
def test_no_rule_about_boards_is_suggested_twice(said):
    laws = [one.law for one in suggest(said)]
    assert len({*laws}) == len(laws)
