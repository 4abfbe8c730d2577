"""Empty lists, weights that are fractions, and halves that no rule rounds, on boards."""

from __future__ import annotations

import pytest
from play_helpers import adopt, announced, sit

import nomic_nb as nb


def test_an_army_that_is_there_already_does_not_enter_twice():
    game = sit(system="nomic-chess")
    adopt(game, nb.enact("More.", 'on enacted when rule == this: enter army "white" for mover; announce "Hm."'))
    assert "there is already an army called white" in " ".join(game.history["what"])
    assert announced(game) == ["Hm."]


@pytest.mark.parametrize(
    "text", ["white.e2-white.e4", "WHITE.e2-white.e4", "white+yellow: white.e2-white.e4", "white+yellow: e2e4"]
)
def test_a_rule_makes_a_move_as_players_write_it(text):
    game = sit("Ann", "Ben", system="nomic-chess")
    adopt(game, nb.enact("Go.", f'on said when text == "go": make "{text}" for mover; announce "Gone."'))
    pairs = [one for one in game.pending if one.action == "move"]
    assert pairs
    game.say("Ann", "go")
    assert announced(game) == ["Gone."]
    assert any(one.kind == "moved" and one.data["text"] == "white.e2-white.e4" for one in game.timeline.events)


@pytest.mark.parametrize("text", ["white.e2-white.e5", "e2e4", "a knight to f3", "yellow.e7-yellow.e5"])
def test_a_move_that_cannot_be_made_is_not_made_and_play_goes_on(text):
    game = sit("Ann", "Ben", system="nomic-chess")
    adopt(game, nb.enact("Go.", f'on said when text == "go": make "{text}" for mover; announce "Gone."'))
    game.say("Ann", "go")
    assert announced(game) == ["Gone."]
    assert any(f"Ann can’t make the move {text} now" in one for one in game.history["what"])
    assert not game.state.questions
