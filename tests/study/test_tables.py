"""Tables, and what reviews and documents say of it."""

from __future__ import annotations

from play_helpers import adopt, sit

import nomic_nb as nb


def test_a_review_names_the_rule_that_tracks_a_table_when_it_begins():
    game = sit()
    change = nb.enact("Karma.", law="track karma per player from 0")
    follows = game.review("Ann", change).follows
    assert follows == ("the game counts karma per player, starting from 0 (rule 301)",)
    adopt(game, change)
    assert "the game counts karma per player, starting from 0" in list(game.history["what"])
