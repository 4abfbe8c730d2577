"""Proposals that change the chess of Nomic Chess, what is refused and asked, an army that changes hands in a turn."""

import pytest
from board_helpers import arrange, chess, controllers, finish, law, moves, next_turn, nothing, on, turns
from nomic_chess_board_helpers import PAIR, ends, kinds_of_events, place, two
from play_helpers import by_hand, refused, waiting_for

import nomic_nb as nb


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
    with refused(game, "owes-something-else", rule=202):
        game.move("Ben", "yellow.e2-yellow.e4", push=PAIR)
    nothing(game)
    with refused(game, "move-forbidden", rule=301):
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
    with refused(game, "piece-does-not-move-so"):
        game.move("Ann", "white.e1-white.g1", push=PAIR)


def test_pawns_become_knights_only():
    game = arrange(two(), white="Kh1 yellow.Pb2", yellow="Kh1")
    law(game, 'set promotion.kinds to ["N"]')
    assert ends(game, "yellow.b2") == {"yellow.b1=N"}
    assert "301" in why(game, "promotion.kinds")
    with refused(game, "piece-does-not-move-so"):
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


@pytest.mark.rule("nomic-chess", 217)
def test_three_half_boards_are_not_pushed_together():
    game = chess()
    nothing(game)
    with refused(game, "boards-not-pushed-like-this"):
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
        with refused(game, "move-does-not-parry-check", move="white.h2-white.h3", rule=221):
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


GIVE = 'give army_named("white") to player_named("Ben")'


SWAP = f'on enacted when rule == this: {GIVE}; give army_named("yellow") to player_named("Ann")'


@pytest.mark.rule("nomic-chess", 201)
@pytest.mark.rule("nomic-chess", 220)
def test_whoever_controls_an_army_plays_the_rest_of_its_turn():
    game = chess()
    law(game, SWAP)
    assert controllers(game) == {"white": "Ben", "yellow": "Ann", "green": "Cleo"}
    assert waiting_for(game, "move") == ["Ben"]
    with refused(game, "turn-of-another", rule=201):
        game.move("Ann", "white.e2-white.e4", push=PAIR)
    game.move("Ben", "white.e2-white.e4", push=PAIR)
    assert game.player == "Ann"  # whose yellow is now
    nothing(game)
    with refused(game, "turn-of-another", rule=201):
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
    with refused(game, "has-left"):
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
