"""Nomic Chess, Rules 217 to 222: pushing, how many moves, check, mate, armies that change hands."""

import pytest
from board_helpers import arrange, chess, controllers, finish, law, moves, next_turn, nothing, on
from nomic_chess_board_helpers import NAMES, PAIR, ends, four, give, kinds_of_events, pairs, place, two
from play_helpers import ballot, by_hand, refused, waiting_for

import nomic_nb as nb


@pytest.mark.rule("nomic-chess", 217)
@pytest.mark.parametrize("count", range(2, 9))
def test_any_partner_is_open(count):
    game = chess(*NAMES[:count])
    nothing(game)
    names = list(game.state.position.boards)
    assert pairs(game) == {("white", other) for other in names[1:]}
    assert len(moves(game)) == 20 * (count - 1)


@pytest.mark.rule("nomic-chess", 217)
def test_it_makes_no_difference_which_half_is_named_first():
    ways = []
    for push in (PAIR, PAIR[::-1]):
        game = two()
        nothing(game)
        game.move("Ann", "white.e2-white.e4", push=push)
        ways.append({name: dict(game.state.position.standing[name]) for name in PAIR})
    assert ways[0] == ways[1]


@pytest.mark.rule("nomic-chess", 217)
def test_a_piece_goes_from_one_half_to_the_other_and_no_further():
    game = next_turn(chess(), white="Ke1 Ra1", yellow="Ke1", green="Ke1 Ph2", wait="yellow+green: green.h2-green.h3")
    nothing(game)
    found = {one.split(".")[0] for one in ends(game, "white.a1", ("white", "yellow"))}
    assert found == {"white", "yellow"}
    game.move("Ann", "white.a1-yellow.h1")  # along the a-file, which is the h-file over there
    assert on(game, "yellow.h1") == "white R"


def held(count, *boards):
    """A game in which white stands on these boards when its turn begins, its rooks far from all kings."""
    names = ["white", "yellow", "green", "orange", "blue", "red"][:count]
    game = chess(*NAMES[:count])
    armies = dict.fromkeys(names, "Kb1")
    armies["white"] = " ".join(["Kb1", *(f"{name}.Rh2" for name in boards if name != "white")])
    last = names[-1]
    armies[last] += " Pd2"
    return next_turn(game, wait=f"{names[-2]}+{last}: {last}.d2-{last}.d3", **armies)


def moves_made(game, choose):
    """Make moves, the pair chosen by a function of those open, until the turn is over; how many there were."""
    nothing(game)
    made = 0
    while game.player == "Ann" and not game.over:
        pair = choose(sorted(pairs(game)), made)
        game.move("Ann", next(one for one in moves(game) if one.startswith("+".join(pair) + ":")))
        made += 1
    return made


def joins(*wanted):
    def choose(_, made):
        return wanted[made]

    return choose


@pytest.mark.rule("nomic-chess", 219)
@pytest.mark.parametrize(
    ("count", "boards", "pushes"),
    [
        (3, ["white"], [("white", "yellow")]),
        (3, ["white", "yellow"], [("white", "yellow")]),
        (3, ["white", "yellow"], [("white", "green"), ("yellow", "green")]),  # borrowing
        (4, ["white", "yellow"], [("white", "yellow")]),
        (4, ["white", "yellow"], [("white", "green"), ("yellow", "orange")]),
        (4, ["white", "yellow"], [("white", "orange"), ("yellow", "green")]),
        (4, ["white", "yellow", "green"], [("white", "yellow"), ("green", "orange")]),
        (4, ["white", "yellow", "green"], [("white", "orange"), ("yellow", "green")]),
        (6, ["white", "yellow", "green"], [("white", "orange"), ("yellow", "blue"), ("green", "red")]),
        (6, ["white", "yellow", "green"], [("white", "green"), ("yellow", "blue")]),
        (3, ["white", "yellow", "green"], [("white", "yellow"), ("white", "green")]),  # borrowing
        (4, ["white", "yellow", "green", "orange"], [("white", "yellow"), ("green", "orange")]),
    ],
)
def test_a_move_for_every_half_board_held_and_one_for_two_pushed_together(count, boards, pushes):
    assert moves_made(held(count, *boards), joins(*pushes)) == len(pushes)


@pytest.mark.rule("nomic-chess", 219)
def test_a_board_that_was_pushed_is_not_pushed_again_while_another_is_free():
    game = held(4, "white", "yellow")
    nothing(game)
    game.move("Ann", next(one for one in moves(game) if one.startswith("white+green:")))
    assert pairs(game) == {("yellow", "orange")}
    assert all(one.must for one in game.pending if one.action == "move")
    with refused(game, "boards-not-pushed-now", rule=219):
        game.move("Ann", "white.b1-white.b2", push=("white", "orange"))


@pytest.mark.rule("nomic-chess", 219)
def test_no_piece_moves_twice():
    game = held(3, "white", "yellow")
    nothing(game)
    game.move("Ann", "yellow.h2-green.a3", push=("yellow", "green"))
    assert moves(game, "green.a3") == []
    assert {one.split(": ")[1].split(".")[0] for one in moves(game)} == {"white"}


@pytest.mark.rule("nomic-chess", 219)
@pytest.mark.rule("nomic-chess", 201)
def test_b16_every_move_is_compulsory():
    game = held(4, "white", "yellow")
    nothing(game)
    game.move("Ann", next(one for one in moves(game) if one.startswith("white+green:")))
    with refused(game, "no-skipping", rule=201, opens="Ann: move"):
        game.skip("Ann")
    with refused(game, "turns-end-by-themselves", opens="Ann: move"):
        game.end_turn("Ann")


@pytest.mark.rule("nomic-chess", 219)
def test_b17_a_push_without_a_legal_move_is_skipped_and_the_record_says_so():
    game = next_turn(
        four(), white="Kb1 green.Pc2", yellow="Kb1", green="Kh1 Pc1", orange="Kb1 Pd2",
        wait="green+orange: orange.d2-orange.d3",
    )  # fmt: skip
    nothing(game)
    game.move("Ann", next(one for one in moves(game) if one.startswith("white+yellow:")))
    assert game.player == "Ben"
    said = " ".join(str(row) for row in kinds_of_events(game, "moves_made").tail(1).to_dict("records"))
    assert "green" in said


@pytest.mark.rule("nomic-chess", 220)
@pytest.mark.rule("nomic-chess", 221)
def test_b8_a_king_is_in_check_only_where_his_board_is_pushed_to_that_of_the_checking_piece():
    game = arrange(chess(), white="Ke1 Ph2", yellow="Kb1", green="Kb1 Rd1")  # the d-file there is the e-file here
    nothing(game)
    assert "white.h3" in ends(game, "white.h2", ("white", "yellow"))
    assert ends(game, "white.h2", ("white", "green")) == set()
    with refused(game, "move-does-not-parry-check", move="white.h2-white.h3", rule=221):
        game.move("Ann", "white.h2-white.h3", push=("white", "green"))


@pytest.mark.rule("nomic-chess", 221)
def test_no_move_leaves_ones_own_king_in_check():
    game = arrange(chess(), white="Ke1 Re2", yellow="Kb1", green="Kb1 Rd1")
    nothing(game)
    assert {one[:-1] for one in ends(game, "white.e2", ("white", "green"))} <= {"white.e", "green.d"}
    assert "white.a2" in ends(game, "white.e2", ("white", "yellow"))


@pytest.mark.rule("nomic-chess", 220)
def test_pieces_of_an_ally_give_check_and_own_armies_do_not():
    for owner, free in (("Ann", True), ("Ben", False)):
        game = arrange(chess(), white="Ke1 Ph2", yellow="Kb1", green="Kb1 Rd1")
        game.say("Cleo", "Ann and I are allies.")
        give(game, "green", owner)
        nothing(game)
        assert ("white.h3" in ends(game, "white.h2", ("white", "green"))) is free


@pytest.mark.rule("nomic-chess", 221)
@pytest.mark.rule("nomic-chess", 202)
def test_b11_the_move_is_made_as_well_and_the_army_changes_hands_after_all_moves():
    game = four()
    for _ in range(3):
        finish(game)
    arrange(game, white="Kb1 yellow.Rh2", yellow="Kb1", green="Kb1", orange="Kb1 Pd2")
    nothing(game)
    game.move("Dov", "orange.d2-orange.d3", push=("green", "orange"))
    place(game, "white", "R", "green.b4")
    nothing(game)
    game.move("Ann", "white.b1-white.b2", push=("white", "green"))
    assert on(game, "white.b2") == "white K"  # the move was not used up
    assert list(kinds_of_events(game, "mated")["rule"]) == [221]
    assert controllers(game)["green"] == "Cleo"  # not before the third part
    assert (game.player, game.part) == ("Ann", "moves")
    game.move("Ann", "yellow.h2-yellow.h3", push=("yellow", "orange"))
    assert controllers(game)["green"] == "Ann"
    assert list(kinds_of_events(game, "army_taken")["part"]) == ["takeover"]
    assert game.state.names_of_players == ("Ann", "Ben", "Dov")


@pytest.mark.rule("nomic-chess", 221)
def test_b9_the_check_of_any_hostile_army_counts_and_that_of_the_same_hand_does_not():
    def pushed(checking, owner):
        game = arrange(four(), white="Kb1 Ph2", yellow="Kb1", green="Kb1", orange="Kb1")
        if controllers(game)[checking] != owner:
            give(game, checking, owner)
        place(game, checking, "R", "green.b4")
        nothing(game)
        game.move("Ann", "white.h2-white.h3", push=("white", "green"))
        return controllers(game)["green"]

    assert pushed("yellow", "Ben") == "Ann"
    assert pushed("orange", "Dov") == "Ann"
    assert pushed("orange", "Cleo") == "Cleo"  # her own piece


@pytest.mark.rule("nomic-chess", 221)
def test_b10_both_kings_in_check():
    game = arrange(chess(), white="Ke1 Ph2 green.Ra1", yellow="Kb4", green="Kg1 white.Ra1")
    nothing(game)
    assert ends(game, "white.h2", ("white", "green")) == set()
    game.move("Ann", "white.e1-white.e2", push=("white", "green"))  # her own check is parried
    assert controllers(game)["green"] == "Ann"  # and the other king was mated before


@pytest.mark.rule("nomic-chess", 221)
def test_several_enemy_kings_in_check_are_all_mated():
    game = arrange(chess(), white="Kh4 Pa2", yellow="Kb1 white.Ra1", green="white.Kd1 white.Rh1")
    place(game, "white", "R", "yellow.h1")
    nothing(game)
    game.move("Ann", next(one for one in moves(game) if one.startswith("white+yellow:")))
    assert controllers(game) == {"white": "Ann", "yellow": "Ann", "green": "Ann"}
    assert game.winner == "Ann"


@pytest.mark.rule("nomic-chess", 221)
def test_b12_the_king_to_be_defended_is_that_of_the_army_on_turn():
    game = next_turn(
        chess(), white="Kb1 yellow.Ra3", yellow="Kb1", green="Kc1 Pd2", wait="yellow+green: green.d2-green.d3"
    )
    give(game, "yellow", "Ann")
    place(game, "green", "R", "yellow.b4")  # Ann's other king is in check, and white goes on with what it likes
    nothing(game)
    assert "yellow.a4" in ends(game, "yellow.a3", ("yellow", "green"))
    game.move("Ann", "yellow.a3-yellow.a4", push=("yellow", "green"))
    assert controllers(game)["yellow"] == "Ann"
    assert len(kinds_of_events(game, "mated")) == 0


@pytest.mark.rule("nomic-chess", 221)
def test_b13_a_pair_on_which_the_king_is_mated_is_not_pushed_while_another_will_do():
    game = arrange(chess(), white="Ka1", yellow="Kb1 Rh3 Rg3", green="Kb1")  # the files a and b
    nothing(game)
    assert pairs(game) == {("white", "green")}
    with refused(game, "move-does-not-parry-check", rule=221):
        game.move("Ann", "white.a1-white.a2", push=PAIR)
    assert len(kinds_of_events(game, "mated")) == 0
    game.move("Ann", "white.a1-white.a2", push=("white", "green"))
    assert controllers(game)["white"] == "Ann"


@pytest.mark.rule("nomic-chess", 221)
def test_b13_a_king_in_check_on_every_pair_who_has_a_way_out_on_one_is_not_mated():
    game = arrange(chess(), white="Ka1", yellow="Kb1 white.Rb3 Rh3", green="Kb1 white.Rh1")
    nothing(game)
    assert pairs(game) == {("white", "green")}  # with yellow the file a is shut, too
    assert ends(game, "white.a1") == {"white.a2"}


@pytest.mark.rule("nomic-chess", 221)
@pytest.mark.rule("nomic-chess", 222)
@pytest.mark.rule("nomic-chess", 220)
def test_b13_b14_who_is_mated_on_every_pair_loses_and_the_army_goes_to_the_checking_side():
    game = arrange(chess(), white="Kh1", yellow="Ka4", green="Kd4 white.Qg2 white.Rg3")
    nothing(game)
    assert controllers(game)["white"] == "Cleo"
    assert game.state.names_of_players == ("Ben", "Cleo")
    assert game.player == "Ben"
    by_hand(game, "Ben", 'remove [p for p in army_named("green").pieces if not p.royal]')
    finish(game)
    finish(game)
    assert (game.player, game.state.current_turn.army) == ("Cleo", "white")


@pytest.mark.rule("nomic-chess", 221)
@pytest.mark.parametrize(("order", "captor"), [(("yellow", "green"), "Cleo"), (("green", "yellow"), "Ben")])
def test_b14_of_several_checking_sides_the_one_that_moved_last_gets_the_army(order, captor):
    game = chess()
    armies = ", ".join(f'army_named("{name}")' for name in ("white", *order))
    law(game, f"set turn.sequence to [{armies}]\nprevails over 201, 216")
    finish(game)
    finish(game)
    finish(game)
    assert (game.turn, game.player) == (4, "Ann")
    arrange(game, white="Kh1", yellow="Kb1 white.Rh4 white.Rg4", green="Kc1 white.Qf3")
    nothing(game)
    assert controllers(game)["white"] == captor


@pytest.mark.rule("nomic-chess", 220)
@pytest.mark.rule("nomic-chess", 222)
def test_b19_an_army_changes_hands_more_than_once():
    game = arrange(four(), white="Kb1", yellow="Kb1 Ph2", green="Kb1 Ph2", orange="Kb1")
    finish(game)
    place(game, "yellow", "R", "orange.b4")
    nothing(game)
    game.move("Ben", "yellow.h2-yellow.h3", push=("yellow", "orange"))
    assert controllers(game)["orange"] == "Ben"
    assert "Dov" not in game.state.names_of_players
    place(game, "green", "R", "orange.b3")
    nothing(game)
    game.move("Cleo", "green.h2-green.h3", push=("green", "orange"))
    assert controllers(game)["orange"] == "Cleo"
    assert game.state.names_of_players == ("Ann", "Ben", "Cleo")  # Ben has yellow still
    assert (game.player, game.state.current_turn.army) == ("Cleo", "orange")


@pytest.mark.rule("nomic-chess", 222)
def test_whoever_is_out_has_no_vote_no_turn_and_is_no_judge():
    game = arrange(chess(), white="Kh1", yellow="Ka4", green="Ka4 white.Qg2 white.Rg3")
    nothing(game)
    assert game.player == "Ben"
    proposal = game.propose("Ben", nb.enact("More."))
    assert waiting_for(game, "vote") == ["Ben", "Cleo"]
    with refused(game, "has-left", player="Ann"):
        game.vote("Ann", "against")
    ballot(game)
    assert proposal.tally.quota == 2
    game.invoke_judgment("Ben", "Is it late?")
    assert waiting_for(game, "rule_on") == ["Cleo"]
    with refused(game, "has-left", player="Ann"):
        game.forfeit("Ann")


@pytest.mark.rule("nomic-chess", 222)
@pytest.mark.rule("nomic-chess", 208)
def test_the_last_player_with_an_army_wins_by_mating():
    game = arrange(two(), white="Kb1 Ph2", yellow="Kb1")
    place(game, "white", "R", "yellow.b4")
    nothing(game)
    game.move("Ann", "white.h2-white.h3", push=PAIR)
    assert (game.over, game.winner) == (True, "Ann")
    assert controllers(game)["yellow"] == "Ann"
