"""Captured pieces in hand, by an adopted rule: they are dropped in place of a move."""

import pytest
from board_helpers import arrange, chess, controllers, finish, law, moves, nothing, on
from play_helpers import by_hand, refused

import nomic_nb as nb

PAIR = ("white", "yellow")
CAPTOR = 'set capture.result to "captor\'s hand"'
OWNER = 'set capture.result to "owner\'s hand"'


def captured(clauses=CAPTOR):
    """Ann has captured a knight, and it is her turn again."""
    game = arrange(chess("Ann", "Ben"), white="Kh1 Ra1", yellow="Kc1 Pc2 white.Nd1")
    law(game, clauses)
    game.move("Ann", "white.a1-white.d1", push=PAIR)
    return game


def again(game):
    finish(game)
    nothing(game)
    return game


def drops(game):
    return [one.split(": ")[1] for one in moves(game) if "@" in one]


def test_a_captured_piece_is_in_the_hand_of_its_captor():
    game = captured()
    assert on(game, "white.d1") == "white R"
    assert "Ann: army white (1) with knight in hand" in str(game)
    assert "In hand" in game._repr_html_()
    assert "white now has the knight in hand" in list(game.history["what"])
    again(game)
    empty = 64 - len(game.state.position.pieces)
    assert len(drops(game)) == empty  # its king is not in check anywhere
    assert "white.@N-yellow.e4" in drops(game)


def test_it_is_dropped_in_place_of_a_move_and_moves_from_then_on(tmp_path):
    game = again(captured())
    game.move("Ann", "white.@N-white.c3", push=PAIR)
    assert on(game, "white.c3") == "white N"
    assert game.player == "Ben"
    assert "in hand" not in str(game)
    assert dict(game.moves.iloc[-1][["piece", "from", "to", "uci"]]) == {
        "piece": "N", "from": "", "to": "white.c3", "uci": "N@c3",
    }  # fmt: skip
    assert "Ann drops white.@N-white.c3 with white and yellow" in list(game.history["what"])
    assert game.last_move.dropped
    assert "white.@N-white.c3" in game.pgn()
    again(game)
    assert drops(game) == []
    assert moves(game, "white.c3")
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


def test_a_piece_can_go_back_to_the_hand_of_its_owner():
    game = captured(OWNER)
    assert "Ben: army yellow (2) with knight in hand" in str(game)
    nothing(game)
    assert "yellow.@N-white.e4" in drops(game)
    game.move("Ben", "white+yellow: yellow.@N-yellow.e4")
    assert on(game, "yellow.e4") == "yellow N"


def test_two_of_a_kind_are_offered_once_and_dropped_one_by_one():
    game = captured()
    finish(game)
    by_hand(game, "Ann", 'place "N" of army_named("yellow") at square_named("white.d4")')
    nothing(game)
    game.move("Ann", "white.d1-white.d4", push=PAIR)
    assert "with 2 knights in hand" in str(game)
    again(game)
    assert len(drops(game)) == len(set(drops(game)))
    game.move("Ann", "white.@N-white.a3", push=PAIR)
    again(game)
    game.move("Ann", "white.@N-white.a4", push=PAIR)
    assert (on(game, "white.a3"), on(game, "white.a4")) == ("white N", "white N")


@pytest.mark.rule("nomic-chess", 221)
def test_a_drop_parries_check_and_may_not_leave_the_king_in_it():
    game = captured()
    finish(game)
    arrange(game, white="Kh1 Pg1 Pg2 Ph2", yellow="Kb4 white.Ra1")
    by_hand(game, "Ann", 'remove square_named("white.g1").piece')
    nothing(game)
    assert set(moves(game)) == {f"white+yellow: white.@N-white.{file}1" for file in "bcdefg"}  # else she is mated
    with refused(game, "move-leaves-king-in-check", boards="white and yellow", rule=221):
        game.move("Ann", "white.@N-white.a3", push=PAIR)
    game.move("Ann", "white.@N-white.g1", push=PAIR)
    assert controllers(game)["white"] == "Ann"


def test_a_drop_gives_check():
    game = again(captured())
    game.move("Ann", "white.@N-yellow.b3", push=PAIR)
    assert game.moves["check"].iloc[-1] == "yellow"


def test_a_rule_forbids_some_drops():
    forbid = "forbid move when piece.in_hand and target.board != army.home"
    game = again(captured(f"{CAPTOR}\n{forbid}"))
    assert drops(game)
    assert all("-white." in one for one in drops(game))
    with refused(
        game, "move-forbidden", clause=": forbid move when piece.in_hand and target.board != army.home", rule=301
    ):
        game.move("Ann", "white.@N-yellow.e4", push=PAIR)


def test_a_rule_answers_to_drops_and_looks_into_hands():
    game = captured(f"{CAPTOR}\ntrack drops per player from 0\non dropped: award 1 drops to player\n"
                    'set vote.ballots to ("open" if count(army_named("white").hand) == 0 else "sealed")')  # fmt: skip
    assert game.law["vote.ballots"].value == "sealed"
    again(game)
    game.move("Ann", "white.@N-white.c3", push=PAIR)
    assert game.scores["Ann"] == 1
    assert game.law["vote.ballots"].value == "open"


@pytest.mark.parametrize(
    ("move", "code", "values"),
    [
        ("white.@Q-white.c3", "piece-not-in-hand", {"army": "white", "hand": "knight"}),
        ("yellow.@N-white.c3", "piece-not-in-hand", {"army": "yellow", "hand": "nothing"}),
        ("white.@N-white.h1", "drop-on-a-piece", {"square": "white.h1"}),
        ("white.@N-white.c9", "square-not-on-this-board", {"move": "white.@N-white.c9"}),
        ("white.@N-pink.c3", "no-such-board", {"move": "white.@N-pink.c3"}),
        ("@N-white.c3", "not-a-move", {"how": "in hand, write white.@N-white.c3"}),
    ],
)
def test_drops_that_cannot_be_made(move, code, values):
    game = again(captured())
    with refused(game, code, **values):
        game.move("Ann", move, push=PAIR)


def test_nothing_is_said_of_drops_where_nothing_is_in_hand():
    game = chess()
    nothing(game)
    assert "drop" not in game.pending[0].prompt
    with refused(game, "not-a-move", how="such as white.e1-white.g1"):
        game.move("Ann", "e2-e4", push=PAIR)


def test_a_drop_needs_boards_where_several_will_do():
    game = arrange(chess(), white="Kh1 Ra1", yellow="Kc1 white.Nd1", green="Kc1")
    law(game, CAPTOR)
    game.move("Ann", "white.a1-white.d1", push=PAIR)
    finish(game)
    finish(game)
    nothing(game)
    with refused(game, "move-fits-several-pairs", move="white.@N-white.c3", rule=217):
        game.move("Ann", "white.@N-white.c3")
    game.move("Ann", "white.@N-white.c3", push="white+green")
    assert on(game, "white.c3") == "white N"


def test_royal_pieces_do_not_go_into_a_hand():
    game = arrange(chess("Ann", "Ben"), white="Kh1 Ra1", yellow="Kc1 white.Kd1 Pc2")
    law(game, f'{CAPTOR}\nset royal.capture to "capture"\nset check.enemy_on_push to "nothing"\nprevails over 221')
    game.move("Ann", "white.a1-white.d1", push=PAIR)
    assert on(game, "white.d1") == "white R"
    assert game.state.hands == {}


@pytest.mark.rule("nomic-chess", 220)
def test_a_hand_goes_along_with_its_army():
    game = captured()
    by_hand(game, "Ann", 'give army_named("white") to "Ben"')
    assert "with knight in hand" in str(game)
    assert game.state.hands == {"white": (game.state.hands["white"][0],)}
