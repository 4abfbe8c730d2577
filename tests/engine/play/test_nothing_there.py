"""Empty lists, weights that are fractions, and halves that no rule rounds: play goes on, or voters know before."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from play_helpers import adopt, announced, law, scores, sit
from refusals import refused

import nomic_nb as nb
from nomic_nb.engine.subjects.dice_rolls import MOST_SIDES, scale_weights

RICH = "[q for q in players if q.points > 900]"
weights = st.lists(st.fractions(0, 50, max_denominator=12), min_size=1, max_size=6).filter(any)


@pytest.mark.parametrize(
    ("effects", "why"),
    [
        (f"let player choose x from {RICH}; award 1 points to x", "there is nothing to choose from"),
        (f"let player choose some x from {RICH}; award 1 points to x", "there is nothing to choose from"),
        (f"let seats choose x from {RICH}; award 1 points to most(x)", "there is nothing to choose from"),
        (f"let chance choose x from {RICH}; award 1 points to x", "there is nothing to choose from"),
        ('let chance choose x from ["a", "b"] weighing [0, turn - turn]; announce x', "has a weight of 0"),
        (f"award 1 points to item({RICH}, 1)", "an empty list has no items"),
        (f"award max([p.points for p in {RICH}]) points to player", "an empty list has no greatest"),
        (f"when min([p.points for p in {RICH}]) > 3: award 1 points to player", "an empty list has no least"),
        (f"each p in [item({RICH}, 1)]: award 1 points to p", "an empty list has no items"),
    ],
)
def test_what_would_be_of_an_empty_list_is_not_done_and_the_rest_is(effects, why):
    game = sit()
    proposal = game.propose("Ann", nb.enact("So be it.", f'on turn_begun: {effects}; announce "Go on."'))
    weighs = "weighing" in effects
    assert weighs or any(one.line.endswith("does nothing at the moment") for one in proposal.remarks)
    for name in game.players:
        game.vote(name, "for")
    before = scores(game)
    game.roll("Ann", 1)
    assert not game.state.questions
    assert announced(game) == ["Go on."]
    assert scores(game) == {**before, "Ann": before["Ann"] + 1}
    assert any("does not happen, because" in one and why in one for one in game.history["what"])


def test_a_condition_on_an_empty_list_sets_nothing_off(tmp_path):
    game = sit()
    law(game, f'on turn_begun when max([p.points for p in {RICH}]) > 1: announce "Rich."')
    assert not game.state.questions
    assert announced(game) == []
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


def test_a_term_of_an_empty_list_is_still_asked_about():
    game = sit()
    adopt(game, nb.enact("So.", f"set win.points to max([p.points for p in {RICH}])\nprevails over 208"))
    assert "an empty list has no greatest" in game.state.questions[0].text


@given(weights)
def test_fractions_weigh_exactly_what_they_say(some):
    whole = scale_weights(tuple(some))
    assert all(isinstance(one, int) for one in whole)
    assert [Fraction(one, sum(whole)) for one in whole] == [Fraction(one) / sum(some) for one in some]


def test_chance_chooses_by_weights_that_are_fractions():
    game = sit()
    law(game, 'on said: let chance choose x from ["owl", "fox"] weighing [10/3, 2]; announce x')
    game.say("Ann", "go")
    assert announced(game) in (["owl"], ["fox"])
    thrown = [one for one in game.timeline.events if one.kind == "thrown"][-1]
    assert thrown.data["sides"] == 8


def test_fractions_that_would_take_too_large_a_die_are_asked_about():
    game = sit()
    law(game, f'on said: let chance choose x from ["owl", "fox"] weighing [1/{MOST_SIDES}, 1/{MOST_SIDES - 1}]')
    game.say("Ann", "go")
    assert "the sum of the weights" in game.state.questions[0].text


def test_a_weight_below_zero_is_refused():
    change = nb.enact("So.", 'on said: let chance choose x from ["owl", "fox"] weighing [-1, 2]')
    with refused("value-unfit", why="out-of-range"):
        sit().propose("Ann", change)


def test_voters_are_told_where_no_rule_rounds_halves():
    game = sit()
    clause = "on turn_begun: award rounded(player.points / 2) points to player"
    (one,) = game.propose("Ann", nb.enact("Half.", clause)).remarks
    assert one.line == f"no rule says how “{clause}” rounds a half"
    assert 'set score.half to "up"' in one.evidence
    said = nb.enact("Half.", f'{clause}\nset score.half to "up"')
    assert not sit().propose("Ann", said).remarks


# ------------------------------------------------------------------------------- what is there already


def test_who_is_invited_and_plays_already_does_not_stop_play():
    game = sit()
    law(game, 'offer "invite somebody": let player choose newcomer from any text asking "Who is it?"; '
        'enter player newcomer as person; announce "Tea."')  # fmt: skip
    for name, why in (
        ("Ben", "already a player called Ben"),
        ("nobody", "doesn’t mean one person"),
        ('Z"e', "double quote"),
    ):
        game.take("Ann", "invite somebody")
        game.choose("Ann", name)
        assert any("does not happen, because" in one and why in one for one in list(game.history["what"])[-2:])
        assert not game.state.questions
    game.take("Ann", "invite somebody")
    game.choose("Ann", "Zoe")
    assert game.players[-1] == "Zoe"
    assert len(announced(game)) == 4
