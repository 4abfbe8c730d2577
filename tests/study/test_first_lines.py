"""The first lines that people write: each refusal names what to write instead."""

from __future__ import annotations

import pytest
from play_helpers import sit

import nomic_nb as nb


@pytest.mark.parametrize(
    ("line", "remedy"),
    [
        ("on thrown: award 5 points to everyone", "playing"),
        ("on roll: award 5 points to player", "thrown"),
        ("on thrown when roll == 6: award 5 points to player", "face"),
        ("on round: award 1 points to playing", "circuit_ended"),
        ("set win.points to 5 while round > 3", "circuit"),
        ("on thrown: award –5 points to player", "- instead of –"),
        ("on thrown — award 5 points to player", ": instead of —"),
        ("on thrown: award 5 points to Player", "player, in small letters"),
        ("on thrown when face = 6: award 5 points to player", "=="),
    ],
)
def test_a_refusal_names_the_remedy(line, remedy):
    error = sit().review("Ann", nb.enact("So be it.", line)).error
    assert error is not None
    assert remedy in str(error)
