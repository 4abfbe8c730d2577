"""What is fixed stays fixed, and what reviews and documents say of it."""

from __future__ import annotations

import pytest
from play_helpers import put, sit

import nomic_nb as nb


@pytest.mark.parametrize(
    "law",
    [
        "set vote.quota to 1 while turn > 2 and adoption_possible",
        "set vote.weight to 1 while adoption_possible",
        "forbid propose when not adoption_possible",
    ],
)
def test_what_hangs_on_itself_is_a_question_and_no_crash(law):
    game = sit()
    put(game, nb.enact("Round and round.", law=law))
    assert game.pending
    assert str(game.review("Ben", nb.repeal(210)))
