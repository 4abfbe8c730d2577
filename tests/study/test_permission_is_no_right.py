"""What may be proposed, and what reviews and documents say of it."""

import pytest
from play_helpers import law, put, sit
from study.warned import warned

import nomic_nb as nb


@pytest.mark.rule("discordian-nomic", 105)
@pytest.mark.rule("discordian-nomic", 113)
def test_rights_that_immutable_rules_grant_beat_every_mutable_ban():
    game = sit()
    votes = game.review("Ann", nb.enact("Not Cleo.", law='forbid vote when player.name == "Cleo"'))
    leaves = game.review("Ann", nb.enact("Nobody leaves.", law="forbid forfeit when turn > 0"))
    for found, rule in ((votes, 105), (leaves, 113)):
        assert warned(found, "void-at-once", against=rule)
    law(game, 'forbid vote when player.name == "Cleo"\nforbid forfeit when turn > 0')
    assert put(game, nb.enact("More.")).outcome == "adopted"  # Cleo has voted
    game.forfeit("Cleo")
    assert "Cleo" not in game.state.names_of_players
