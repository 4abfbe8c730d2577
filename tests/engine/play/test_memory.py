"""What an act needed is dropped as soon as it is done: nothing in it holds itself."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from play_helpers import asks, law, put, sit

import nomic_nb as nb
from nomic_nb.engine.law.nodes import View


def views() -> int:
    return sum(type(one) is View for one in gc.get_objects())


@pytest.fixture
def without_search() -> Iterator[None]:
    """Nobody looks for what holds itself."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def test_what_sees_a_change_is_dropped(without_search):
    game = sit()
    law(game, 'forbid propose when mentions(change, "tea")')
    law(game, 'on proposed when mentions(change, "coffee"): award 5 points to proponent')
    before = views()
    put(game, nb.enact("No milk in coffee."))
    assert game.scores[game.player] == 5
    assert views() == before


def test_what_ends_in_a_question_is_dropped(without_search):
    game = sit()
    asks(game, "circle")
    before = views()
    game.say("Ann", "ask")
    assert game.state.questions
    assert views() == before
