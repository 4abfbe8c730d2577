"""Which moves of a record have a picture of the boards, and what is drawn on it."""

from xml.etree.ElementTree import tostring

import pytest
from board_helpers import chess as sit
from board_helpers import law, nothing
from documents.document_helpers import of_class, tree

PAIR = ("white", "yellow")


def played(*moves):
    game = sit("Ann", "Ben")
    for uci in moves:
        nothing(game)
        game.move(game.player, uci, push=PAIR)
    return game


def pictures(game):
    """The drawings in the record, by the moves that they are of."""
    said = [one for beat in of_class(tree(game.to_html()), "said") for one in beat.iter("svg")]
    return {one[0].text.rpartition("after ")[2]: tostring(one, encoding="unicode") for one in said}


def pieces(drawn):
    """How many pieces stand on a board: all that is used but its ground."""
    return drawn.count("<use ") - 1


def test_quiet_moves_have_none_and_critical_ones_have_one():
    game = played("e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5e4")
    assert list(pictures(game)) == [
        "white.e4-yellow.e4", "yellow.e1-yellow.e4", "yellow.e4-white.e4",
    ]  # fmt: skip
    assert "#ff2a2a" in pictures(game)["yellow.e4-white.e4"]  # the king in check
    assert "#ff2a2a" not in pictures(game)["white.e4-yellow.e4"]


def test_a_comment_gives_a_move_its_picture_with_what_is_marked():
    game = played("e2e4", "e7e5")
    assert pictures(game) == {}
    game.annotate("Here.", ply=1, arrows=["e2-e4", "red d1-h5"], squares=["blue e5"])
    (drawn,) = pictures(game).values()
    assert drawn.count("stroke-dasharray") == 2  # what is red, what is blue; the seam is on the sheet of the page
    game.withdraw_comment(game.comments.index[0])
    assert pictures(game) == {}


def test_a_comment_on_a_proposal_is_on_no_board():
    game = played("e2e4")
    game.annotate("Oh.", proposal=301)
    assert pictures(game) == {}


def test_moves_that_were_taken_back_have_none():
    game = played("e2e4")
    game.annotate("Here.", ply=1)
    game.undo(game.moves.loc[1, "seq"].item() - 2)
    assert pictures(game) == {}


@pytest.mark.parametrize("result", ["explode", "convert"])
def test_a_picture_is_of_the_boards_as_the_law_left_them(result):
    game = sit("Ann", "Ben")
    law(game, f'set capture.result to "{result}"')
    game.move("Ann", "e2e4", push=PAIR)
    for uci in ("d7d5", "e4d5"):
        nothing(game)
        game.move(game.player, uci, push=PAIR)
    (drawn,) = pictures(game).values()
    standing = len(game.state.position.pieces)
    assert pieces(drawn) == standing
    assert standing == {"explode": 30, "convert": 32}[result]
