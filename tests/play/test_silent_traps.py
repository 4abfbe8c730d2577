"""What is accepted is obeyed: no effect, event, key or word that does nothing without a word."""

from __future__ import annotations

import pytest

import nomic_nb as nb
from play_helpers import adopt, ballot, law, sit, waiting_for

CHESS = "nomic-chess"


def go(game, player="Ann"):
    """Somebody says what rules here listen for; what happened is returned."""
    before = len(game.history)
    game.say(player, "go")
    return [event.kind for event in game.table.events[before:]]


def on_go(effects, more=""):
    """Clauses in which this is done once somebody says “go”."""
    return f'on said when text == "go": {effects}\n{more}'


def announced(game):
    return [event.data["text"] for event in game.table.events if event.kind == "announced"]


# ------------------------------------------------------------------------------------------------- votes


@pytest.mark.rule("discordian-nomic", 105)
def test_no_vote_waits_for_somebody_who_has_left():
    game = sit()
    adopt(game, nb.transmute(105))
    game.roll("Ann", 1)
    everyone = 'Everyone who ever took part may vote.'
    number = game.state.rules.successor(105).number
    adopt(game, nb.amend(number, everyone, law="set vote.electorate to players\nset vote.duty to true\nallow vote"))
    game.roll("Ben", 1)
    game.forfeit("Ben")
    proposal = game.propose("Cleo", nb.enact("Nothing to see here."))
    assert waiting_for(game, "vote") == ["Ann", "Cleo"]
    ballot(game)
    assert proposal.outcome == "adopted", "all who are left agree"
    assert not game.over
