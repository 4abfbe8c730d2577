"""A game that panels and pages look at."""

from __future__ import annotations

import pytest
from play_helpers import sit


@pytest.fixture
def game():
    return sit("Ann", "Ben", "Cleo")
