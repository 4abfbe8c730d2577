"""`let NAME be EXPR`: a value with a name, worked out once."""

from __future__ import annotations

import pytest
from play_helpers import law, scores, sit
from refusals import refused

from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.tables import TableShape
from nomic_nb.engine.play.vocabulary import language

COUNTERS = {"points": TableShape(("player",), v.NUMBER)}


def test_the_value_is_that_of_the_moment_at_which_it_is_named():
    game = sit()
    law(
        game,
        "on said:\n    let gain be player.points + 2\n    award gain points to player\n    award gain points to player",
    )
    before = scores(game)["Ann"]
    game.say("Ann", "go")
    assert scores(game)["Ann"] == before + 2 * (before + 2)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("let player be 3", "means-something"),
        ("let seats be 3", "means-something"),
        ("let n be 3; let n be 4", "means-something"),
        ("let n be 3; each n in playing: end turn", "means-something"),
        ("let otherwise be 3", "means-something"),
        ("let n be m + 1", "name-unknown"),
        ("let n be true; award n points to player", "kind-needed"),
        ("when turn > 2: let n be 3; award n points to player", "name-unknown"),
    ],
)
def test_a_name_that_hides_another_or_that_nothing_knows_is_refused(body, code):
    with refused(code):
        language().check_clauses(language().read_clauses(f"on turn_begun: {body}"), COUNTERS)
