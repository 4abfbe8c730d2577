"""The readings of pieces in Nomic Chess: pawns, castling, captures; what becomes of the captured, and the king."""

import pytest
from board_helpers import arrange, chess, controllers, finish, law, moves, next_turn, nothing, on
from nomic_chess_board_helpers import PAIR, ends, four, give, kinds_of_events, pairs, place, two
from play_helpers import by_hand, refused, waiting_for


@pytest.mark.rule("nomic-chess", 214)
def test_b3_where_a_pawn_stands_says_where_it_goes():
    game = arrange(chess(), white="Kh1 Pa3 yellow.Pb3 green.Pc3", yellow="Kh1", green="Kh1")
    nothing(game)
    assert ends(game, "white.a3") == {"white.a4"}
    assert ends(game, "yellow.b3", ("white", "yellow")) == {"yellow.b2"}
    game = arrange(chess(), white="Kh1 green.Pc3 Pa4", yellow="Kh1", green="Kh1")
    nothing(game)
    assert ends(game, "green.c3", ("white", "green")) == {"green.c2"}
    assert ends(game, "white.a4", ("white", "green")) == {"green.h4"}
    assert ends(game, "white.a4", ("white", "yellow")) == {"yellow.h4"}


@pytest.mark.rule("nomic-chess", 214)
def test_b3_a_pawn_goes_the_same_way_whatever_its_board_is_pushed_to():
    game = next_turn(
        four(), white="Kh1 yellow.Pb3", yellow="Kh1", green="Kh1", orange="Kh1 Pd2",
        wait="green+orange: orange.d2-orange.d3",
    )  # fmt: skip
    nothing(game)
    found = {pair: ends(game, "yellow.b3", pair) for pair in pairs(game) if "yellow" in pair}
    assert found == {
        ("white", "yellow"): {"yellow.b2"},
        ("yellow", "green"): {"yellow.b2"},
        ("yellow", "orange"): {"yellow.b2"},
    }


@pytest.mark.rule("nomic-chess", 214)
def test_b3_a_pawn_captures_forwards():
    game = arrange(chess(), white="Kh1 yellow.Pb3", yellow="Kh1 Na2 Nc2 Na4", green="Kh1")
    nothing(game)
    assert ends(game, "yellow.b3") == {"yellow.a2", "yellow.b2", "yellow.c2"}


@pytest.mark.rule("nomic-chess", 214)
def test_b5_en_passant_is_open_in_every_move_of_the_next_armys_turn():
    game = four()
    for _ in range(3):
        finish(game)
    arrange(game, white="Kh1 Pe2", yellow="Kh1 white.Pd4", green="Kb1", orange="Kb1 Pg2")
    nothing(game)
    game.move("Dov", "orange.g2-orange.g3", push=("green", "orange"))
    nothing(game)
    game.move("Ann", "white.e2-white.e4", push=("white", "green"))
    nothing(game)
    game.move("Ben", next(one for one in moves(game, "yellow.h1") if one.startswith("yellow+green:")))
    assert "white.e3" in ends(game, "white.d4", ("white", "orange"))
    game.move("Ben", "white.d4-white.e3", push=("white", "orange"))
    assert on(game, "white.e4") == ""


@pytest.mark.rule("nomic-chess", 214)
def test_b5_a_pawn_that_went_two_squares_one_by_one_is_not_taken_in_passing():
    game = arrange(two(), white="Kh1 Pe3", yellow="Kh1 white.Pd4")
    nothing(game)
    game.move("Ann", "white.e3-white.e4", push=PAIR)
    nothing(game)
    assert ends(game, "white.d4") == {"white.d3"}


@pytest.mark.rule("nomic-chess", 214)
def test_b6_a_pawn_promotes_on_any_back_rank_but_its_own_even_on_that_of_a_second_army():
    game = arrange(chess(), white="Kh1 yellow.Pb2 green.Pc2", yellow="Kh1", green="Kh1")
    give(game, "yellow", "Ann")
    nothing(game)
    assert ends(game, "yellow.b2") == {f"yellow.b1={kind}" for kind in "QRBN"}
    game = next_turn(
        chess(), white="Kh1 green.Pc2", yellow="Kh1", green="Kh1 Ph4", wait="yellow+green: green.h4-yellow.a4"
    )
    nothing(game)
    game.move("Ann", "green.c2-green.c1=N", push=("white", "green"))
    assert on(game, "green.c1") == "white N"


@pytest.mark.rule("nomic-chess", 214)
def test_b7_no_castling_through_check_that_is_seen_on_the_pair():
    game = chess()
    by_hand(game, "Ann", 'remove [p for p in army_named("white").pieces if p.kind in ["N", "B", "Q", "P"]]')
    by_hand(game, "Ann", 'remove army_named("green").pieces')
    place(game, "green", "K", "green.h1")
    place(game, "green", "R", "green.c1")  # it looks at f1
    nothing(game)
    assert "white.g1" in ends(game, "white.e1", ("white", "yellow"))
    found = ends(game, "white.e1", ("white", "green"))
    assert "white.g1" not in found
    assert "white.c1" in found


@pytest.mark.rule("nomic-chess", 214)
@pytest.mark.rule("nomic-chess", 220)
def test_b7_the_right_to_castle_goes_along_with_the_army():
    game = chess()
    by_hand(game, "Ann", 'remove [p for p in army_named("yellow").pieces if p.kind in ["N", "B", "Q"]]')
    give(game, "yellow", "Cleo")
    finish(game)
    assert (game.player, game.state.current_turn.army) == ("Cleo", "yellow")
    nothing(game)
    assert {"yellow.b1", "yellow.f1"} <= ends(game, "yellow.d1")
    game.move("Cleo", "yellow.d1-yellow.b1", push=("yellow", "green"))
    assert (on(game, "yellow.b1"), on(game, "yellow.c1")) == ("yellow K", "yellow R")


@pytest.mark.rule("nomic-chess", 214)
def test_b7_a_king_that_has_moved_does_not_castle():
    game = two()
    by_hand(game, "Ann", 'remove [p for p in army_named("white").pieces if p.kind in ["N", "B", "Q"]]')
    for way in ("white.e1-white.d1", "white.d1-white.e1"):
        nothing(game)
        game.move("Ann", way, push=PAIR)
        nothing(game)
        game.move("Ben", moves(game)[0])
    nothing(game)
    assert ends(game, "white.e1") == {"white.d1", "white.f1"}


@pytest.mark.rule("nomic-chess", 220)
def test_b18_armies_of_one_player_capture_each_other_but_not_the_king():
    game = arrange(chess(), white="Kh1 Ra1", yellow="white.Ka3 white.Nd1", green="Kh4")
    give(game, "yellow", "Ann")
    nothing(game)
    found = ends(game, "white.a1", ("white", "yellow"))
    assert "white.d1" in found
    assert "white.a3" not in found
    game.move("Ann", "white.a1-white.d1", push=PAIR)
    assert on(game, "white.d1") == "white R"
    assert list(kinds_of_events(game, "captured")["actor"]) == ["Ann"]


@pytest.mark.rule("nomic-chess", 219)
@pytest.mark.rule("nomic-chess", 221)
def test_b21_a_board_pushed_for_nothing_else_can_find_a_king_in_check():
    game = arrange(chess(), white="Kb1 Ph2", yellow="Kb1", green="Kb1")
    place(game, "yellow", "R", "green.b4")
    nothing(game)
    game.move("Ann", "white.h2-white.h3", push=("white", "green"))  # the move stays on white
    assert controllers(game)["green"] == "Ann"


@pytest.mark.rule("nomic-chess", 206)
def test_b23_a_pawn_on_its_own_first_rank_goes_one_square_at_a_time():
    game = arrange(two(), white="Kh1 Nb1", yellow="Kh1")
    nothing(game, against=("Ben",))
    game.choose("Ann", game.pending[0].options[0])
    assert on(game, "white.b1") == "white P"
    assert ends(game, "white.b1") == {"white.b2"}


@pytest.mark.rule("nomic-chess", 112)
@pytest.mark.rule("nomic-chess", 208)
def test_b24_neither_repetition_nor_fifty_moves_nor_bare_kings_end_the_game():
    game = arrange(two(), white="Ka1", yellow="Ka1")
    for _ in range(26):
        for way in (("Ann", "white.a1-white.b1"), ("Ben", "yellow.a1-yellow.b1"),
                    ("Ann", "white.b1-white.a1"), ("Ben", "yellow.b1-yellow.a1")):  # fmt: skip
            player, move = way
            nothing(game)
            game.move(player, move, push=PAIR)
    assert game.turn == 105
    assert not game.over
    assert waiting_for(game, "propose") == ["Ann"]


@pytest.mark.rule("nomic-chess", 214)
def test_no_explosion_lays_the_own_king_open():
    found = []
    for result in ("remove", "explode"):
        game = arrange(two(), white="Ke1 Re2", yellow="Ka1 Rd3 white.Ne3")
        law(game, f'set capture.result to "{result}"')
        found.append("white.e3" in ends(game, "white.e2"))
    assert found == [True, False]
    with refused(game, "move-leaves-king-in-check", army="white", rule=221):
        game.move("Ann", "white.e2-white.e3")


@pytest.mark.rule("nomic-chess", 221)
def test_check_is_parried_by_an_explosion():
    game = arrange(two(), white="Ke1 Pd2 Bg1", yellow="Kh3 white.Re4 white.Nd4")
    law(game, 'set capture.result to "explode"')
    assert ends(game, "white.g1") == {"white.e3", "white.d4"}
    game.move("Ann", "white.g1-white.d4")
    assert on(game, "white.e4") == ""


@pytest.mark.rule("nomic-chess", 221)
def test_a_converted_piece_shields_the_king_at_once_and_an_explosion_saves_from_mate():
    game = arrange(two(), white="Ke1 Re2", yellow="Kh1 Rd3 white.Na2 white.Ph2")
    law(game, 'set capture.result to "convert" while piece.kind != "P"')
    assert {"white.a2", "white.h2"} & ends(game, "white.e2") == {"white.a2"}
    game.move("Ann", "white.e2-white.a2")
    assert on(game, "white.e2") == "white N"
    for clauses, over in [("", True), ('set capture.result to "explode"', False)]:
        game = arrange(two(), white="Kh1 Pg2 Ph2 Ba4", yellow="Kh3 white.Re1 white.Nd1")
        law(game, clauses)
        assert game.over is over


@pytest.mark.rule("nomic-chess", 219)
@pytest.mark.rule("nomic-chess", 221)
def test_a_king_who_could_be_saved_only_by_a_piece_whose_board_was_used_is_mated():
    game = next_turn(chess(), wait="yellow+green: green.h2-green.h3",
                     white="Kh1 Pg2 Ph2 yellow.Rd4", yellow="Kh3 white.Re1", green="Ka1 Ph2")  # fmt: skip
    nothing(game)
    assert "white+yellow: yellow.d4-white.e1" in moves(game)
    game.move("Ann", "yellow.d4-yellow.c4", push=("yellow", "green"))
    assert controllers(game) == {"white": "Ben", "yellow": "Ben", "green": "Cleo"}
    assert game.state.names_of_players == ("Ben", "Cleo")
    game = next_turn(chess(), wait="yellow+green: green.h2-green.h3",
                     white="Kh1 Ph2 yellow.Rd4", yellow="Kh3 white.Re1", green="Ka1 Ph2")  # fmt: skip
    nothing(game)
    game.move("Ann", "yellow.d4-yellow.c4", push=("yellow", "green"))
    assert {one.split(": ")[1] for one in moves(game)} == {"white.h1-white.g2"}  # a way out on his own half
    game.move("Ann", "white.h1-white.g2", push=("white", "green"))
    assert controllers(game)["white"] == "Ann"


@pytest.mark.rule("nomic-chess", 221)
def test_to_capture_the_king_that_gives_check_is_no_way_out():
    # The kings stand side by side; a rook keeps the white one off all other squares.
    game = arrange(two(), white="Ka1", yellow="white.Ka2 white.Rb4 Ph2")
    nothing(game)
    assert [event.data["army"] for event in game.timeline.events if event.kind == "mated"] == ["yellow", "white"]
