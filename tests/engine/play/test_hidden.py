"""Hidden tables: seen by the owner of an entry and in the saved file, and nowhere else until they are revealed."""

from __future__ import annotations

import pytest
from play_helpers import NUMBER, agree, law, refused, secretive, sit

import nomic_nb as nb


def test_rules_read_what_people_do_not_see():
    game = secretive()
    law(game, f'on said when player.gold > {NUMBER - 1}: announce "rich"')
    game.say("Ben", "am I?")
    game.say("Ann", "am I?")
    assert [event.data["text"] for event in game.timeline.events if event.kind == "announced"] == ["rich"]


@pytest.mark.parametrize(
    ("clause", "said"),
    [
        ("on said: reveal points of player", {"code": "not-hidden", "name": "points"}),
        ("on said: reveal gold", {"code": "not-tracked-per", "name": "gold"}),
        (
            "track gold per player from 0 hidden\non said: reveal gold",
            {"code": "kept-per", "name": "gold", "per": "player"},
        ),
    ],
)
def test_what_cannot_be_revealed_is_refused(clause, said):
    game = sit()
    with refused(game, **said):
        game.propose("Ann", nb.enact("So be it.", law=clause))


def test_nobody_reveals_by_hand():
    game = secretive()
    with refused(game, "people-cannot"):
        game.apply("Ann", 210, 'reveal gold of "Ben"')
    agree(game)
