"""A list is read once; what is gone when its turn comes is left out, and play goes on."""

from __future__ import annotations

import pytest
from nomic_chess_helpers import whole
from play_helpers import adopt, idle, law, put, sit

import nomic_nb as nb
from nomic_nb.chess.play.boards import multiverse_of

DRAFT = 'draft soon: "Soon."\n    set win.points to 90\n'


def kinds(game):
    return [event.kind for event in game.timeline.events]


def test_rules_that_go_with_others_are_not_repealed_again():
    game = nb.new_game("nomic-chess", ["Ann", "Ben"], seed=7)
    game.review("Ann", nb.enact("Away with them.", law="on turn_begun: repeal rules"))
    whole(game, nb.enact("Away with them.", law="on turn_begun: repeal rules"))
    assert "N1" not in {rule.number for rule in game.rules}
    assert "failed" not in kinds(game)
    assert game.pending


@pytest.mark.parametrize("system", ["discordian-nomic", "cabinet-nomic"])
def test_a_ballot_is_cast_only_where_a_vote_is_at_hand(system):
    game = sit(system=system)
    law(game, 'on counted: cast "for" for mover')
    idle(game)
    assert "failed" not in kinds(game)
    assert not game.state.questions


@pytest.mark.parametrize(
    "effects",
    [
        "repeal rules; guard this; free this; void this",
        "each r in rules: (repeal r; repeal rules; guard r; transmute r)",
        "each r in rules: (repeal [s for s in rules if s.author == none]; amend r by soon)",
        "each p in playing: (eliminate [q for q in playing if q != mover]; award 1 points to p)",
    ],
)
def test_what_is_gone_when_its_turn_comes_is_left_out(effects):
    game = sit()
    put(game, nb.enact("Away with them.", law=f"{DRAFT}on enacted when rule == this: {effects}"))
    assert "failed" not in kinds(game)
    assert not any("gives no answer" in one.text for one in game.state.questions)


def test_pieces_that_go_on_the_way_are_not_converted():
    game = nb.new_game("nomic-chess", ["Ann", "Ben"], seed=7)
    effects = (
        'each p in army_named("white").pieces: (remove army_named("white").pieces; convert p to army_named("yellow"))'
    )
    adopt(game, nb.enact("Gone.", law=f"on enacted when rule == this: {effects}"))
    assert not [one for one in multiverse_of(game.state).pieces.values() if one.army == "white"]
    assert "converted" not in kinds(game)
    assert "failed" not in kinds(game)
