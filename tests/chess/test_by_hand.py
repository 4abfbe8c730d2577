"""What people do by hand, on boards."""

from board_helpers import chess
from play_helpers import agree, waiting_for


def test_pieces_of_ones_own_in_ones_own_turn():
    game = chess()
    game.apply("Ann", 101, 'remove square_named("white.a2").piece')
    assert waiting_for(game, "choose") == []
    for player, effect in (
        ("Ann", 'remove square_named("yellow.a2").piece'),
        ("Ann", 'give army_named("yellow") to "Ann"'),
        ("Ben", 'remove square_named("yellow.a2").piece'),
    ):
        before = game.state.position
        game.apply(player, 101, effect)
        assert len(waiting_for(game, "choose")) == 2
        assert f"more than {player}’s own pieces" in game.state.questions[0].text
        agree(game, "no")
        assert game.state.position == before
