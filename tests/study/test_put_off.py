"""What a clause put off is done only while the clause stands, and what reviews and documents say of it."""

from __future__ import annotations

import pytest
from play_helpers import adopt, idle, law, scores, sit

import nomic_nb as nb

BONUS = 'on enacted when rule == this: after 3 turns: award 7 points to player_named("Cleo")'


def forgone(game):
    return [event for event in game.timeline.events if event.kind == "forgone"]


@pytest.mark.rule("discordian-nomic", 101)
@pytest.mark.parametrize("way", ["repeal", "amend"])
def test_what_a_rule_put_off_is_not_done_when_its_clause_is_gone(way):
    game = sit()
    number = law(game, BONUS)
    change = nb.repeal(number) if way == "repeal" else nb.amend(number, law="")
    assert any("is dropped" in one for one in game.review("Ben", change).follows)
    adopt(game, change)
    game.roll("Ben", 1)
    assert len(forgone(game)) == 1
    assert not game.state.later
    before = scores(game)["Cleo"]
    for _ in range(3):
        idle(game)
    assert scores(game)["Cleo"] <= before + 2


def test_what_a_rule_put_off_is_done_when_only_its_wording_changes():
    game = sit()
    number = law(game, BONUS)
    change = nb.amend(number, "So be it, for ever.")
    assert not any("is dropped" in one for one in game.review("Ben", change).follows)
    adopt(game, change)
    game.roll("Ben", 1)
    for _ in range(2):
        idle(game)
    assert not forgone(game)
    assert scores(game)["Cleo"] >= 7
