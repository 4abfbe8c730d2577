"""Nomic Chess, Rules 214 to 222 and the readings of the boards: what they demand of the kit."""

import json
import random
from pathlib import Path

import chess as fide
import pytest
from board_helpers import arrange, chess, controllers, finish, law, moves, next_turn, nothing, on, turns
from play_helpers import ballot, by_hand, refused, waiting_for

import nomic_nb as nb

NAMES = ("Ann", "Ben", "Cleo", "Dov", "Eve", "Fay", "Gus", "Hal")
PAIR = ("white", "yellow")
CASES = {
    case["id"]: case
    for case in json.loads((Path(__file__).parents[1] / "multiverse" / "perft.json").read_text())["cases"]
}


def two(**more):
    return chess("Ann", "Ben", **more)


def four(**more):
    return chess("Ann", "Ben", "Cleo", "Dov", **more)


def ends(game, start, push=None):
    """Where the piece on a square can go, with one pair of boards or with any."""
    found = [one for one in moves(game, start) if push is None or one.startswith("+".join(push) + ":")]
    return {one.split("-")[-1] for one in found}


def pairs(game):
    """The pairs of half-boards that can be pushed together for some move."""
    return {tuple(one.split(":")[0].split("+")) for one in moves(game)}


def give(game, army, to):
    by_hand(game, game.players[0], f'give army_named("{army}") to "{to}"')


def place(game, army, kind, square):
    by_hand(game, game.players[0], f'place "{kind}" of army_named("{army}") at square_named("{square}")')


def kinds_of_events(game, kind):
    return game.history.query(f"kind == '{kind}'")


# chess for two is chess (214, 215): python-chess and counts made elsewhere say which moves there are


def square(name):
    """A square of the joined board for White's and Yellow's half-boards."""
    board, _, at = name.rpartition(".")
    return at if board == "white" else f"{'hgfedcba'[ord(at[0]) - 97]}{9 - int(at[1])}"


def uci(option):
    """A move as it is offered, in the notation of python-chess."""
    start, _, end = option.split(": ")[1].partition("-")
    end, _, kind = end.partition("=")
    return square(start) + square(end) + kind.lower()


def half(at):
    """The name of a square of the joined board on its half-board."""
    name = fide.square_name(at)
    return f"white.{name}" if name[1] < "5" else f"yellow.{'hgfedcba'[ord(name[0]) - 97]}{9 - int(name[1])}"


def from_fen(fen, clauses=""):
    """A game for two whose boards stand so, with this law, and whose next move is due."""
    board = fide.Board(fen)
    game = two()
    if board.turn == fide.BLACK:
        finish(game)
    standing = {"white": [], "yellow": []}
    for at, piece in board.piece_map().items():
        standing["white" if piece.color else "yellow"].append(piece.symbol().upper() + "@" + half(at))
    for army in standing:
        by_hand(game, "Ann", f'remove army_named("{army}").pieces')
    for army, pieces in standing.items():
        for one in pieces:
            kind, _, at = one.partition("@")
            place(game, army, kind, at)
    law(game, clauses)
    return game


def perft(game, depth):
    """How many ways there are to go on for so many moves, each turn with a proposal that changes nothing."""
    found = moves(game)
    if depth == 1:
        return len(found)
    total = 0
    for one in found:
        way = game.fork()
        way.move(way.player, one)
        if not way.over:
            nothing(way)
            total += perft(way, depth - 1)
    return total


@pytest.mark.rule("nomic-chess", 214)
@pytest.mark.rule("nomic-chess", 215)
def test_two_players_begin_with_the_moves_of_chess():
    game = two()
    nothing(game)
    assert sorted(map(uci, moves(game))) == sorted(one.uci() for one in fide.Board().legal_moves)
    assert perft(game, 2) == 400


@pytest.mark.rule("nomic-chess", 214)
@pytest.mark.parametrize("seed", range(3))
def test_a_game_of_two_has_the_moves_of_chess_all_the_way(seed):
    draw = random.Random(seed)
    game, board = two(), fide.Board()
    for _ in range(70):
        nothing(game)
        legal = sorted(one.uci() for one in board.legal_moves)
        if not legal:
            assert game.over is board.is_checkmate()
            break
        assert sorted(map(uci, moves(game))) == legal, board.fen()
        chosen = draw.choice(legal)
        game.move(game.player, next(one for one in moves(game) if uci(one) == chosen))
        board.push_uci(chosen)


@pytest.mark.rule("nomic-chess", 214)
@pytest.mark.parametrize(
    "fen",
    [
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1",
        "8/8/8/2k5/2pP4/8/B7/4K3 b - - 0 3",
    ],
)
def test_positions_that_are_set_up_have_the_moves_of_chess(fen):
    game = from_fen(fen)
    assert sorted(map(uci, moves(game))) == sorted(one.uci() for one in fide.Board(fen).legal_moves)


@pytest.mark.rule("nomic-chess", 214)
@pytest.mark.parametrize(
    ("case", "clauses"),
    [
        ("nw/start", 'piece N moves "NW"'),
        ("amazon/start", 'piece Q moves "QN"'),
        ("berolina/start", 'piece P moves "mfFcfWimfnA"\nset passant.on to false'),
        ("sidepawn/start", 'piece P moves "fsmWfceFifmnD"'),
        ("promq/start", 'set promotion.kinds to ["Q"]\nset castling.on to false'),
    ],
)
def test_adopted_movements_give_the_counts_of_other_engines(case, clauses):
    game = two()
    law(game, clauses)
    assert CASES[case]["fen"].startswith(fide.STARTING_BOARD_FEN)
    assert [perft(game, depth) for depth in (1, 2)] == CASES[case]["nodes_by_depth"][:2]


@pytest.mark.rule("nomic-chess", 214)
@pytest.mark.parametrize(
    ("case", "clauses"),
    [
        ("nw/pos3", 'piece N moves "NW"'),
        ("promq/promo", 'set promotion.kinds to ["Q"]'),
        ("sidepawn/pos3", 'piece P moves "fsmWfceFifmnD"'),
        ("sidepawn/check2", 'piece P moves "fsmWfceFifmnD"'),
        ("berolina/pos6", 'piece P moves "mfFcfWimfnA"\nset passant.on to false'),
        ("amazon/check2", 'piece Q moves "QN"'),
    ],
)
def test_adopted_movements_give_the_counts_of_other_engines_where_things_are_set_up(case, clauses):
    game = from_fen(CASES[case]["fen"], clauses)
    assert len(moves(game)) == CASES[case]["nodes_by_depth"][0]


@pytest.mark.rule("nomic-chess", 214)
def test_any_rule_beats_the_rules_of_chess():
    game = chess()
    assert game.law["castling.on"].rule == "N13"
    law(game, "set castling.on to false")
    assert game.law["castling.on"].rule == 301
    assert game.rules["N13"].tier == "normal"


# setting up: 201, 215, 216 and the second reading


@pytest.mark.rule("nomic-chess", 215)
@pytest.mark.rule("nomic-chess", 201)
@pytest.mark.parametrize("count", range(2, 9))
def test_everyone_has_a_half_board_and_half_a_set_that_nobody_takes_for_anothers(count):
    game = chess(*NAMES[:count])
    position = game.state.position
    assert len(position.boards) == len(position.armies) == count
    assert list(controllers(game).values()) == list(NAMES[:count])
    for place_, name in enumerate(position.boards, 1):
        first = "RNBQKBNR" if place_ % 2 else "RNBKQBNR"  # king and queen change sides from army to army
        assert [on(game, f"{name}.{file}1") for file in "abcdefgh"] == [f"{name} {kind}" for kind in first]
        assert [on(game, f"{name}.{file}2") for file in "abcdefgh"] == [f"{name} P"] * 8
        assert not any(on(game, f"{name}.{file}{rank}") for file in "abcdefgh" for rank in "34")
    assert len({(army.colour, army.mark) for army in position.armies.values()}) == count


@pytest.mark.rule("nomic-chess", 216)
def test_the_order_is_what_the_players_said_before_play():
    game = chess("Cleo", "Ann", "Ben")
    assert controllers(game) == {"white": "Cleo", "yellow": "Ann", "green": "Ben"}
    order = []
    for _ in range(6):
        order.append(game.player)
        finish(game)
    assert order == ["Cleo", "Ann", "Ben"] * 2


@pytest.mark.rule("nomic-chess", 216)
@pytest.mark.rule("nomic-chess", 220)
def test_an_army_keeps_its_place_whoever_has_it():
    game = four()
    give(game, "orange", "Ann")
    order = []
    for _ in range(8):
        order.append((game.state.go.army, game.player))
        finish(game)
    assert order == [("white", "Ann"), ("yellow", "Ben"), ("green", "Cleo"), ("orange", "Ann")] * 2


@pytest.mark.rule("nomic-chess", 216)
def test_the_order_is_a_mutable_rule_like_others():
    game = chess()
    law(
        game,
        'set turn.sequence to [army_named("white"), army_named("green"), army_named("yellow")]\nprevails over 201, 216',
    )
    finish(game)
    assert game.player == "Cleo"


# 217: pushing


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


# 219: how many moves


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
    with refused(game, rule=219):
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
    with refused(game, rule=201, opens="Ann: move"):
        game.skip("Ann")
    with refused(game, opens="Ann: move"):
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


# 220 to 222: check, mate, armies that change hands


@pytest.mark.rule("nomic-chess", 220)
@pytest.mark.rule("nomic-chess", 221)
def test_b8_a_king_is_in_check_only_where_his_board_is_pushed_to_that_of_the_checking_piece():
    game = arrange(chess(), white="Ke1 Ph2", yellow="Kb1", green="Kb1 Rd1")  # the d-file there is the e-file here
    nothing(game)
    assert "white.h3" in ends(game, "white.h2", ("white", "yellow"))
    assert ends(game, "white.h2", ("white", "green")) == set()
    with refused(game, match="check", rule=221):
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
    assert game.state.playing == ("Ann", "Ben", "Dov")


@pytest.mark.rule("nomic-chess", 221)
def test_b9_the_check_of_any_hostile_army_counts_and_that_of_the_same_hand_does_not():
    def pushed(checking, owner):
        game = arrange(four(), white="Kb1 Ph2", yellow="Kb1", green="Kb1", orange="Kb1")
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
    with refused(game, rule=221):
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
    assert game.state.playing == ("Ben", "Cleo")
    assert game.player == "Ben"
    by_hand(game, "Ben", 'remove [p for p in army_named("green").pieces if not p.royal]')
    finish(game)
    finish(game)
    assert (game.player, game.state.go.army) == ("Cleo", "white")


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
    assert "Dov" not in game.state.playing
    place(game, "green", "R", "orange.b3")
    nothing(game)
    game.move("Cleo", "green.h2-green.h3", push=("green", "orange"))
    assert controllers(game)["orange"] == "Cleo"
    assert game.state.playing == ("Ann", "Ben", "Cleo")  # Ben has yellow still
    assert (game.player, game.state.go.army) == ("Cleo", "orange")


@pytest.mark.rule("nomic-chess", 222)
def test_whoever_is_out_has_no_vote_no_turn_and_is_no_judge():
    game = arrange(chess(), white="Kh1", yellow="Ka4", green="Ka4 white.Qg2 white.Rg3")
    nothing(game)
    assert game.player == "Ben"
    proposal = game.propose("Ben", nb.enact("More."))
    assert waiting_for(game, "vote") == ["Ben", "Cleo"]
    with refused(game, match="Ann"):
        game.vote("Ann", "against")
    ballot(game)
    assert proposal.tally.quota == 2
    game.invoke_judgment("Ben", "Is it late?")
    assert waiting_for(game, "rule_on") == ["Cleo"]
    with refused(game, match="Ann"):
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


# the readings of pieces: pawns, castling, captures


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
    assert (game.player, game.state.go.army) == ("Cleo", "yellow")
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


# proposals that change chess: the moves or the outcome are others at once, and `why` names the rule


def why(game, key):
    """Which rule the law book gives for a term, in words."""
    return str(game.why(key))


@pytest.mark.rule("nomic-chess", 205)
@pytest.mark.parametrize(
    ("clauses", "start", "expected"),
    [
        ('piece R moves "mRcpR"', "white.a1", {"yellow.h2"}),  # a cannon takes over one piece, to both sides
        ('piece B moves "gQ"', "white.c1", {"white.a3", "white.c3", "white.e3"}),  # a grasshopper
        ('piece K moves "KN"', "white.e1", {"white.d3", "white.f3"}),
        ('piece P moves "fmWfcF"', "white.e2", {"white.e3"}),  # no double step
        ('piece Q moves "Z"', "white.d1", {"white.a3", "white.b4", "white.f4", "white.g3"}),
    ],
)
def test_new_movements_hold_at_once(clauses, start, expected):
    game = chess()
    law(game, clauses)
    assert ends(game, start, PAIR) == expected
    game.move("Ann", f"{start}-{min(expected)}", push=PAIR)
    assert on(game, min(expected)).startswith("white")


@pytest.mark.rule("nomic-chess", 205)
def test_why_names_the_rule_on_how_a_piece_moves():
    game = chess()
    law(game, 'piece N moves "NF"')
    assert "301" in why(game, "piece.moves")


def test_pawns_move_only_every_fifth_turn():
    game = chess()
    law(game, 'forbid move when piece.kind == "P" and turn % 5 != 0')
    for turn in range(1, 8):
        assert game.turn == turn
        if turn > 1:
            nothing(game)
        pawns = [one for one in moves(game) if on(game, one.split(": ")[1].split("-")[0]).endswith(" P")]
        assert bool(pawns) is (turn % 5 == 0), turn
        game.move(game.player, next(one for one in moves(game) if turn == 5 or one not in pawns))
    with refused(game, rule=202):
        game.move("Ben", "yellow.e2-yellow.e4", push=PAIR)
    nothing(game)
    with refused(game, rule=301):
        game.move("Ben", "yellow.e2-yellow.e4", push=PAIR)


def test_a_whole_rank_burns():
    game = chess()
    law(game, "on moved when target.rank == 4: remove piece")
    assert "white.e4" in ends(game, "white.e2")
    game.move("Ann", "white.e2-white.e4", push=PAIR)
    assert on(game, "white.e4") == ""
    assert list(kinds_of_events(game, "removed")["rule"]) == [301]
    nothing(game)
    game.move("Ben", "yellow.e2-yellow.e3", push=PAIR)
    assert on(game, "yellow.e3") == "yellow P"


def test_gates_lead_to_the_same_square_of_the_next_board_both_ways():
    game = chess()
    law(game, 'on moved when target.name == "white.a4" and square_named("green.a4").piece == none: '
        'move piece to square_named("green.a4")\n'
        'on moved when target.name == "green.a4" and square_named("white.a4").piece == none: '
        'move piece to square_named("white.a4")')  # fmt: skip
    game.move("Ann", "white.a2-white.a4", push=PAIR)
    assert (on(game, "white.a4"), on(game, "green.a4")) == ("", "white P")
    finish(game)
    by_hand(game, "Ann", 'remove square_named("green.a4").piece')
    nothing(game)
    game.move("Cleo", "green.a2-green.a4", push=("white", "green"))
    assert (on(game, "white.a4"), on(game, "green.a4")) == ("green P", "")


def taking(clauses):
    game = arrange(two(), white="Kh1 Ra1 Pa2 Pb2", yellow="Kh1 white.Nd1 white.Bd2 white.Pc1")
    law(game, clauses)
    by_hand(game, "Ann", 'remove square_named("white.c1").piece')
    game.move("Ann", "white.a1-white.d1", push=PAIR)
    return game


def test_captures_convert():
    game = taking('set capture.result to "convert"')
    assert (on(game, "white.d1"), on(game, "white.a1")) == ("white R", "white N")
    assert game.law["capture.result"].rule == 301
    assert "301" in why(game, "capture.result")


def test_captures_explode():
    game = taking('set capture.result to "explode"')
    assert [on(game, f"white.{at}") for at in ("d1", "d2", "a2", "b2")] == ["", "", "white P", "white P"]
    assert "301" in why(game, "capture.result")


def test_explosions_spare_kings_or_do_not():
    for result, king in [("explode", "yellow K"), ("explode with royals", "")]:
        game = arrange(two(), white="Kh1 Ra1 Qh4", yellow="Kd2 white.Nd1 white.Pe1")
        law(game, f'set capture.result to "{result}"\nset royal.capture to "mate"')
        by_hand(game, "Ann", 'move square_named("yellow.d2").piece to square_named("white.d2")')
        game.move("Ann", "white.a1-white.d1", push=PAIR)
        assert [on(game, f"white.{at}") for at in ("a1", "d1", "d2", "e1")] == ["", "", king, "yellow P"]
        assert ("yellow" in game.state.mated or game.over) is (not king)


def test_nobody_blows_up_the_own_king():
    game = arrange(two(), white="Kc2 Ra1", yellow="Kh4 white.Nd1")
    law(game, 'set capture.result to "explode"')
    assert "white.d1" in ends(game, "white.a1")
    game = arrange(two(), white="Kc2 Ra1", yellow="Kh4 white.Nd1")
    law(game, 'set capture.result to "explode with royals"')
    assert "white.d1" not in ends(game, "white.a1")


def test_captured_pieces_come_back_from_the_hand():
    game = arrange(two(), white="Kh1 Ra1", yellow="Kc1 white.Nd1")
    law(game, "on captured: let player choose spot from empty_squares(mover_army.home) or none; "
        "place piece.kind of mover_army at spot")  # fmt: skip
    game.move("Ann", "white.a1-white.d1", push=PAIR)
    (asked,) = [one for one in game.pending if one.action == "choose"]
    assert (asked.player, asked.rule) == ("Ann", 301)
    assert not any("white.d1" in str(one) for one in asked.options)
    game.choose("Ann", next(one for one in asked.options if "white.c3" in str(one)))
    assert on(game, "white.c3") == "white N"
    assert game.player == "Ben"


def test_two_moves_for_every_army():
    game = chess()
    law(game, 'set move.count to 2\nset move.on_push to "any"\nprevails over 219')
    assert "301" in why(game, "move.count")
    game.move("Ann", "white.e2-white.e4", push=PAIR)
    assert waiting_for(game, "move") == ["Ann"]
    game.move("Ann", "white.d2-white.d4", push=("white", "green"))
    assert game.player == "Ben"
    nothing(game)
    game.move("Ben", "yellow.e2-yellow.e4", push=PAIR)
    assert waiting_for(game, "move") == ["Ben"]


def test_castling_is_gone():
    found = []
    for clauses in ("", "set castling.on to false"):
        game = chess()
        by_hand(game, "Ann", 'remove [p for p in army_named("white").pieces if p.kind in ["N", "B", "Q"]]')
        law(game, clauses)
        found.append({"white.c1", "white.g1"} & ends(game, "white.e1"))
    assert found == [{"white.c1", "white.g1"}, set()]
    assert "301" in why(game, "castling.on")
    with refused(game):
        game.move("Ann", "white.e1-white.g1", push=PAIR)


def test_pawns_become_knights_only():
    game = arrange(two(), white="Kh1 yellow.Pb2", yellow="Kh1")
    law(game, 'set promotion.kinds to ["N"]')
    assert ends(game, "yellow.b2") == {"yellow.b1=N"}
    assert "301" in why(game, "promotion.kinds")
    with refused(game):
        game.move("Ann", "yellow.b2-yellow.b1=Q", push=PAIR)


def test_what_mate_means_a_king_in_check_at_the_push_is_safe():
    game = arrange(two(), white="Kb1 Ph2", yellow="Kb1")
    place(game, "white", "R", "yellow.b4")
    law(game, 'set check.enemy_on_push to "nothing"\nprevails over 221')
    assert "301" in why(game, "check.enemy_on_push")
    game.move("Ann", "white.h2-white.h3", push=PAIR)
    assert not game.over
    nothing(game)
    assert ends(game, "yellow.b1") != set()


def test_what_mate_means_the_king_is_taken_like_any_piece():
    game = arrange(two(), white="Kh1 Rb1", yellow="white.Kd1 Ph2")
    law(game, 'set royal.capture to "mate"\nset check.enemy_on_push to "nothing"\nprevails over 221')
    assert "white.d1" in ends(game, "white.b1")
    game.move("Ann", "white.b1-white.d1", push=PAIR)
    assert game.winner == "Ann"
    assert "301" in why(game, "royal.capture")


def test_boards_are_joined_by_reflection():
    game = two()
    law(game, 'set join.how to "reflect"')
    assert "301" in why(game, "join.how")
    game.move("Ann", "white.a2-white.a4", push=PAIR)
    nothing(game)
    game.move("Ben", "yellow.h2-yellow.h4", push=PAIR)
    nothing(game)
    assert "yellow.a4" in ends(game, "white.a4")  # a goes on as a


def test_all_boards_grow_and_pieces_go_further():
    game = arrange(two(), white="Kh1 Ra1", yellow="Kb1 Pd2")
    law(game, 'on turn_ended when turn == 1: grow board_named("white") by 1; grow board_named("yellow") by 1')
    before = ends(game, "white.a1")
    game.move("Ann", "white.h1-white.h2", push=PAIR)
    assert {board.geometry.ranks for board in game.state.position.boards.values()} == {5}
    assert list(kinds_of_events(game, "grown")["rule"]) == [301, 301]
    nothing(game)
    game.move("Ben", "yellow.d2-yellow.d3", push=PAIR)
    nothing(game)
    assert "white.a5" in ends(game, "white.a1")
    assert "white.a5" not in before


def test_a_new_kind_of_piece():
    game = chess()
    law(
        game,
        'piece M moves "RN"\n'
        'on enacted when rule == this: place "M" of army_named("white") at square_named("white.e4")',
    )
    assert on(game, "white.e4") == "white M"
    assert {"white.a4", "white.c3", "yellow.d4", "yellow.c3"} <= ends(game, "white.e4")
    game.move("Ann", "white.e4-yellow.d4", push=PAIR)
    assert on(game, "yellow.d4") == "white M"


def test_knights_are_royal():
    game = arrange(two(), white="Kh1 Nb4 Pg2", yellow="Kh1 white.Ra4")
    law(game, 'set royal.kinds to ["K", "N"]')
    assert ends(game, "white.g2") == set()  # the knight is in check
    assert ends(game, "white.b4")
    assert "301" in why(game, "royal.kinds")


# what is refused, and what is asked


@pytest.mark.rule("nomic-chess", 217)
def test_three_half_boards_are_not_pushed_together():
    game = chess()
    nothing(game)
    with refused(game):
        game.move("Ann", "white.e2-white.e4", push=("white", "yellow", "green"))


@pytest.mark.rule("nomic-chess", 214)
@pytest.mark.parametrize(
    ("move", "rule"),
    [
        ("white.e2-white.f4", "N9"),
        ("white.a1-white.b2", "N6"),
        ("white.c1-white.c3", "N7"),
        ("white.b1-white.b3", 301),
    ],
)
def test_a_movement_is_refused_with_the_rule_on_this_kind_of_piece(move, rule):
    game = chess()
    law(game, 'piece N moves "NF"')
    with refused(game, rule=rule):
        game.move("Ann", move, push=PAIR)


@pytest.mark.rule("nomic-chess", 221)
def test_a_king_left_in_check_is_named_whether_or_not_the_boards_are():
    game = arrange(two(), white="Ke1 Ph2", yellow="Kb4 white.Ra1")
    nothing(game)
    for push in (PAIR, None):
        with refused(game, rule=221, match="check"):
            game.move("Ann", "white.h2-white.h3", push=push)


@pytest.mark.rule("nomic-chess", 221)
def test_b10_the_enemy_king_is_mated_first_though_ones_own_cannot_be_saved():
    game = arrange(two(), white="Kh1", yellow="Ke1 white.Qg2 white.Rg3")
    place(game, "white", "R", "yellow.e4")
    nothing(game)  # the only pair there is has to be pushed, and both kings are in check on it
    mated = " ".join(kinds_of_events(game, "mated")["what"])
    assert "yellow" in mated
    assert "white" in mated


@pytest.mark.rule("nomic-chess", 201)
def test_b17_to_ask_again_is_no_answer_for_an_army_without_a_move():
    game = arrange(chess(), white="Ka1", yellow="Kb1 white.Qb3", green="Kb1")
    nothing(game)
    options = {str(option) for one in game.pending for option in one.options}
    assert any("skip" in option for option in options)
    assert not any("ask" in option for option in options)


@pytest.mark.rule("nomic-chess", 204)
def test_whoever_has_nothing_to_promote_is_not_asked():
    game = chess()
    turns(game, 6)
    arrange(game, white="Kb1 Ph2", yellow="Kb1 Qa1", green="Kb1")
    assert nothing(game, against=("Ben",)).outcome == "adopted"
    assert waiting_for(game, "choose") == []
    assert waiting_for(game, "move") == ["Ann"]


# an army changes hands in the middle of a turn


GIVE = 'give army_named("white") to player_named("Ben")'
SWAP = f'on enacted when rule == this: {GIVE}; give army_named("yellow") to player_named("Ann")'


@pytest.mark.rule("nomic-chess", 201)
@pytest.mark.rule("nomic-chess", 220)
def test_whoever_controls_an_army_plays_the_rest_of_its_turn():
    game = chess()
    law(game, SWAP)
    assert controllers(game) == {"white": "Ben", "yellow": "Ann", "green": "Cleo"}
    assert waiting_for(game, "move") == ["Ben"]
    with refused(game, rule=201):
        game.move("Ann", "white.e2-white.e4", push=PAIR)
    game.move("Ben", "white.e2-white.e4", push=PAIR)
    assert game.player == "Ann"  # whose yellow is now
    nothing(game)
    with refused(game, rule=201):
        game.move("Ben", "yellow.e2-yellow.e4", push=PAIR)
    game.move("Ann", "yellow.e2-yellow.e4", push=PAIR)
    assert game.player == "Cleo"


@pytest.mark.rule("nomic-chess", 219)
@pytest.mark.rule("nomic-chess", 220)
def test_an_army_handed_over_between_two_moves_makes_the_second_for_its_new_player(tmp_path):
    game = next_turn(chess(), wait="white+green: green.h2-green.h3",
                     white="Kh1 Ra1 yellow.Rh4", yellow="Kb1 Na3 white.Na2", green="Ke1 Ph2")  # fmt: skip
    law(game, f"on captured: {GIVE}")
    game.move("Ann", "white.a1-white.a2", push=("white", "green"))
    assert waiting_for(game, "move") == ["Ben"]
    with refused(game):
        game.move("Ann", moves(game)[0])
    game.move("Ben", "yellow.h4-yellow.h3", push=PAIR)
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


@pytest.mark.rule("nomic-chess", 201)
def test_an_army_handed_over_as_its_turn_begins_is_proposed_for_and_moved_by_its_new_player():
    game = chess()
    law(game, 'on enacted when rule == this: enter army "silver" for item(seats, 2)\n'
              'on part_begun when part == "proposal" and turn == 2: give army to item(seats, 1)')  # fmt: skip
    finish(game)
    assert controllers(game)["yellow"] == "Ann"
    assert game.player == "Ann"
    assert waiting_for(game, "propose") == ["Ann"]
    nothing(game)
    assert waiting_for(game, "move") == ["Ann"]


def test_turns_that_come_to_belong_to_players_go_on_behind_the_last_one():
    game = chess()
    law(game, "set turn.sequence to players\nprevails over 201")
    game.move("Ann", "white.e2-white.e4", push=PAIR)
    assert game.player == "Ben"
    finish(game)
    assert game.player == "Cleo"
    law(game, "set turn.sequence to batting_order\nprevails over 301")
    finish(game)
    assert game.player == "Ann"


# what becomes of captured pieces, and the king


@pytest.mark.rule("nomic-chess", 214)
def test_no_explosion_lays_the_own_king_open():
    found = []
    for result in ("remove", "explode"):
        game = arrange(two(), white="Ke1 Re2", yellow="Ka1 Rd3 white.Ne3")
        law(game, f'set capture.result to "{result}"')
        found.append("white.e3" in ends(game, "white.e2"))
    assert found == [True, False]
    with refused(game, rule=221, match="would leave the king of white in check"):
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
    assert game.state.playing == ("Ben", "Cleo")
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
    assert [event.data["army"] for event in game.table.events if event.kind == "mated"] == ["yellow", "white"]
