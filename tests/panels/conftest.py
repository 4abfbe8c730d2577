"""A game, and a panel that all sit before."""

from __future__ import annotations

import pytest
from panels.hands import Hand
from play_helpers import sit

from nomic_nb.panels.panel import Panel


@pytest.fixture
def game():
    return sit("Ann", "Ben", "Cleo")


@pytest.fixture
def ann(game):
    shared = Panel(game)
    yield Hand(shared, "Ann")
    shared.close()
