"""What rules put in place of a win, a mate, a loss and an end, on boards."""

import pytest
from board_helpers import arrange, chess, on
from board_helpers import law as on_boards
from play_helpers import by_hand

SAVED = """track saved per game from 0
instead of mated when army.name == "white": put saved at game.saved + count(checkers); remove checkers
"""


def kept(game, counter):
    return game.state.tables[counter].value_at(())


@pytest.mark.rule("nomic-chess", 221)
def test_what_comes_in_place_of_a_mate_sees_the_pieces_that_give_check():
    game = arrange(chess("Ann", "Ben"), white="Kh1", yellow="Kf3 white.Qg2 white.Rg3")
    by_hand(game, "Ann", 'move square_named("yellow.f3").piece to square_named("yellow.a1")')
    on_boards(game, SAVED)
    assert not game.over
    assert kept(game, "saved") == 1
    assert (on(game, "white.g2"), game.state.mated) == ("", {})
    game = arrange(chess("Ann", "Ben"), white="Kh1", yellow="Kf3 white.Qg2 white.Rg3")
    by_hand(game, "Ann", 'move square_named("yellow.f3").piece to square_named("yellow.a1")')
    on_boards(game, 'instead of mated when army.name == "yellow": remove checkers\n'
                    "track by per game from 0\non mated: put by at count(checkers)")  # fmt: skip
    assert game.winner == "Ben"
    assert kept(game, "by") == 1
