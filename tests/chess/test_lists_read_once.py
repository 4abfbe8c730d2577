"""A list is read once, on boards."""

from __future__ import annotations

from nomic_chess_helpers import whole
from play_helpers import adopt

import nomic_nb as nb
from nomic_nb.chess.play.boards import multiverse_of


def kinds(game):
    return [event.kind for event in game.timeline.events]


def test_rules_that_go_with_others_are_not_repealed_again():
    game = nb.new_game("nomic-chess", ["Ann", "Ben"], seed=7)
    game.review("Ann", nb.enact("Away with them.", law="on turn_begun: repeal rules"))
    whole(game, nb.enact("Away with them.", law="on turn_begun: repeal rules"))
    assert "N1" not in {rule.number for rule in game.rules}
    assert "failed" not in kinds(game)
    assert game.pending


def test_pieces_that_go_on_the_way_are_not_converted():
    game = nb.new_game("nomic-chess", ["Ann", "Ben"], seed=7)
    effects = (
        'each p in army_named("white").pieces: (remove army_named("white").pieces; convert p to army_named("yellow"))'
    )
    adopt(game, nb.enact("Gone.", law=f"on enacted when rule == this: {effects}"))
    assert not [one for one in multiverse_of(game.state).pieces.values() if one.army == "white"]
    assert "converted" not in kinds(game)
    assert "failed" not in kinds(game)
