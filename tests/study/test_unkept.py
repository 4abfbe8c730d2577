"""Voters are told where a law that hides something lets it be known all the same."""

import pytest
from play_helpers import law, majority, sit
from study.warned import warned

import nomic_nb as nb

HAND = "track hand per player, text from 0 hidden\n"


def signs(game, clauses):
    return game.review(game.player, nb.enact("So be it.", law=clauses))


@pytest.mark.parametrize(
    ("effects", "told"),
    [
        ('let chance choose card from ["owl", "fox"]; award 1 hand(player, card)', True),
        ('roll 1 of 6 as pips; put hand(player, "pips") at pips', True),
        ('let seats choose job from ["spy"]; each p in who(job, "spy"): put hand(p, "x") at 1', True),
        ('let chance choose card from ["owl", "fox"]; announce card; award 1 hand(player, "cards")', False),
        ('let chance choose card from ["owl"]; award 1 points to [p for p in players if p.name == card]', False),
    ],
)  # fmt: skip
def test_what_all_are_told_is_no_secret_in_a_hidden_table(effects, told):
    found = signs(sit(), f"{HAND}on turn_begun: {effects}")
    assert warned(found, "value-told", table="hand") is told


@pytest.mark.parametrize(
    ("before", "clauses", "told"),
    [
        ("", 'set vote.ballots to "sealed"\non balloted when ballot == "for": award 1 points to player', True),
        ('on balloted when ballot == "for": award 1 points to player', 'set vote.ballots to "sealed"', True),
        ('set vote.ballots to "sealed"', 'on balloted when ballot == "for": award 1 points to player', True),
        ('set vote.ballots to "sealed"', "on balloted: award 1 points to player", False),
        ("", 'on balloted when ballot == "for": award 1 points to player', False),
    ],
)
def test_an_answer_to_a_sealed_ballot_tells_it(before, clauses, told):
    game = sit()
    law(game, before)
    assert warned(signs(game, clauses), "ballot-told") is told


def test_when_a_change_is_ready_matters_only_where_changes_wait_for_it():
    game = sit()
    majority(game)
    ready = "set change.ready to turn > 9"
    assert warned(signs(game, ready), "never-when-ready", clause=ready)
    assert not warned(signs(game, ready + '\nset change.effective to "when ready"'), "never-when-ready")
