"""Play in which nobody has to decide anything, on boards."""

import pytest
from make_a_rule_helpers import begun, make, moves
from play_helpers import adopt, refused, sit, waiting_for

import nomic_nb as nb


@pytest.mark.rule("make-a-rule", "R1", "R16")
def test_an_offer_that_asks_something_is_no_reason_to_wait_for_what_is_owed_and_forbidden():
    game = begun(2, kept=("R16",))
    make(game, "on moved: oblige player to say")
    make(game, "forbid say")
    game.move("Ann", moves(game)[0])
    for name in ("Ann", "Ben"):
        game.choose(name, '"go on"')
    assert game.player == "Ben"
    assert moves(game)


PAY = "track paid per player from 0\non turn_begun: put paid of player at 0\n"
OFFER = 'offer "pay" when player.paid == 0: put paid of player at 1\n'


@pytest.mark.rule("nomic-chess", 213)
@pytest.mark.parametrize("limit", [
    "forbid move when player.paid == 0\nprevails over everything",
    'set move.on_push to "none" while mover.paid == 0\nprevails over everything',
    "set move.count to 0 while mover.paid == 0\nprevails over everything",
])  # fmt: skip
def test_what_must_be_done_before_a_move_is_no_stalemate(limit):
    game = sit("Ann", "Ben", system="nomic-chess")
    adopt(game, nb.enact("Pay first.", law=PAY + OFFER + limit))
    assert not game.state.questions
    assert [(one.player, one.action) for one in game.pending if one.must] == [("Ann", "take")]
    assert not waiting_for(game, "move")
    with refused(game):
        game.move("Ann", "white.e2-white.e4")
    game.take("Ann", "pay")
    game.move("Ann", "white.e2-white.e4")
    assert waiting_for(game, "propose") == ["Ben"]


def test_a_player_may_have_to_say_something_before_a_move():
    game = sit("Ann", "Ben", system="nomic-chess")
    said = 'on said when text == "please": put paid of player at 1\n'
    adopt(game, nb.enact("Ask first.", law=PAY + said + "forbid move when player.paid == 0\nprevails over everything"))
    assert waiting_for(game, "say") == ["Ann"]
    game.say("Ann", "please")
    assert waiting_for(game, "move") == ["Ann"]


def test_a_turn_without_a_move_is_not_lost_while_an_offer_would_allow_one():
    game = sit("Ann", "Ben", system="nomic-chess")
    skip = 'set army.stuck to "skip"\nforbid move when player.paid == 0\nprevails over everything'
    adopt(game, nb.enact("Pay first.", law=PAY + OFFER + skip))
    assert waiting_for(game, "take") == ["Ann", "Ben"]
    game.take("Ann", "pay")
    assert waiting_for(game, "move") == ["Ann"]


def test_if_nothing_that_players_can_do_allows_a_move_the_army_is_stuck():
    game = sit("Ann", "Ben", system="nomic-chess")
    adopt(game, nb.enact("No moves.", law=PAY + OFFER + "forbid move when turn < 9\nprevails over everything"))
    assert game.state.questions
    assert "no legal move" in game.state.questions[0].text
