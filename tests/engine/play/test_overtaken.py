"""Proposals that others overtake: what was voted on is what comes to be law, or nothing does (106)."""

from __future__ import annotations

import pytest
from play_helpers import ballot, sit, waiting_for
from refusals import refused

import nomic_nb as nb


def overtaken(second: nb.Change, way: str = "", *, debate: bool = False, first: nb.Change | None = None) -> nb.Game:
    """Ann proposes something about rule 1, as 3; before the vote on it is over, Ben's 4 about rule 1 is adopted."""
    game = sit(system="github-nomic")
    law = f'set proposal.when_stale to "{way}"' if way else ""
    for number, change in ((1, nb.enact("Whistle.")), (2, nb.enact("What is overtaken.", law=law))):
        game.begin_turn("Ann")
        game.propose("Ann", change, number)
        ballot(game)
    game.begin_turn("Ann")
    game.begin_turn("Ben")
    game.propose("Ann", first or nb.amend(1, "Sing."), 3, debate=debate)
    game.propose("Ben", second, 4)
    for player in game.players:
        game.vote(player, "for", proposal=4)
    return game


def all_for(game: nb.Game, number: int) -> None:
    for player in game.players:
        game.vote(player, "for", proposal=number)


@pytest.mark.rule("github-nomic", -214, -207)
@pytest.mark.parametrize("debate", [False, True])
def test_no_immutable_rule_is_amended_by_what_was_proposed_while_it_was_mutable(debate):
    game = overtaken(nb.transmute(1), "retarget", debate=debate)
    if debate:
        game.call_vote("Ann", 3)
    all_for(game, 3)
    assert (game.rules[4].tier, game.rules[4].wording) == ("immutable", "Whistle.")
    assert game.proposals[3].outcome == "without effect"
    assert "rule 4 is immutable now" in str(game.proposals[3]).casefold()


@pytest.mark.rule("github-nomic", -208)
def test_no_rule_is_opened_up_by_what_was_proposed_to_close_it():
    game = overtaken(nb.transmute(1), "retarget", first=nb.transmute(1))
    all_for(game, 3)
    assert game.rules[4].tier == "immutable"
    assert game.proposals[3].outcome == "without effect"


@pytest.mark.rule("github-nomic", -214)
def test_a_form_given_after_the_rule_was_closed_is_no_proper_one():
    game = overtaken(nb.transmute(1), "stand", debate=True)
    with refused("not-proposable"):
        game.revise("Ann", nb.amend(4, "Sing."), 3)


def test_what_has_nothing_left_to_aim_at_is_asked_about_once():
    game = overtaken(nb.repeal(1), "retarget")
    for player in game.players:
        game.choose(player, "It is about nothing now.")
    assert waiting_for(game, "choose") == []
    all_for(game, 3)
    assert game.proposals[3].outcome == "without effect"
    assert [rule.number for rule in game.rules if rule.event] == [2]
