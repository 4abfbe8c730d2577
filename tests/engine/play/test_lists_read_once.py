"""A list is read once; what is gone when its turn comes is left out, and play goes on."""

from __future__ import annotations

import pytest
from play_helpers import idle, law, put, sit

import nomic_nb as nb

DRAFT = 'draft soon: "Soon."\n    set win.points to 90\n'


def kinds(game):
    return [event.kind for event in game.timeline.events]


@pytest.mark.parametrize("system", ["discordian-nomic", "cabinet-nomic"])
def test_a_ballot_is_cast_only_where_a_vote_is_at_hand(system):
    game = sit(system=system)
    law(game, 'on counted: cast "for" for mover')
    idle(game)
    assert "failed" not in kinds(game)
    assert not game.state.questions


@pytest.mark.parametrize(
    "effects",
    [
        "repeal rules; guard this; free this; void this",
        "each r in rules: (repeal r; repeal rules; guard r; transmute r)",
        "each r in rules: (repeal [s for s in rules if s.author == none]; amend r by soon)",
        "each p in playing: (eliminate [q for q in playing if q != mover]; award 1 points to p)",
    ],
)
def test_what_is_gone_when_its_turn_comes_is_left_out(effects):
    game = sit()
    put(game, nb.enact("Away with them.", law=f"{DRAFT}on enacted when rule == this: {effects}"))
    assert "failed" not in kinds(game)
    assert not any("gives no answer" in one.text for one in game.state.questions)
