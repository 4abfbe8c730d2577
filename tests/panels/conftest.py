"""A game that panels and pages look at."""

from __future__ import annotations

import pytest
from panels.pages import Page
from play_helpers import sit


@pytest.fixture
def game():
    return sit("Ann", "Ben", "Cleo")


@pytest.fixture
def game_page(game):
    return Page(game, "Ann")
