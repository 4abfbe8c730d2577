"""What a proposal is worth, where its number lets its proponent win: voters are told before the vote."""

import pytest
from play_helpers import sit

import nomic_nb as nb

PLAIN = nb.enact("So be it.")


def told(game, number, change=PLAIN):
    """What a review says of a win by the score."""
    found = game.review("Ann", change, number=number)
    return [one.evidence for one in found.warnings if "and so the win" in one.evidence]


@pytest.fixture
def game():
    game = sit(system="github-nomic")
    game.begin_turn("Ann")
    return game


@pytest.mark.rule("github-nomic", -111)
@pytest.mark.rule("github-nomic", -209)
def test_a_number_far_ahead_that_wins_against_all_others_is_told_before_the_vote(game):
    (said,) = told(game, 1000)
    assert said.startswith("as 1000 it would bring Ann 336 points with 1 of 3 votes in favour (rule -111)")
    assert said.endswith("200 points win (rule -105)")
    proposal = game.propose("Ann", PLAIN, 1000)
    assert any("and so the win" in str(one.evidence) + one.line for one in proposal.remarks)
    for name, ballot in zip(game.players, ("for", "against", "against"), strict=True):
        game.vote(name, ballot)
    assert game.winner == "Ann"


@pytest.mark.rule("github-nomic", -111)
@pytest.mark.parametrize("number", [1, 25, 150, 190, 191, 300, 620, 621, 622, 650, 651])
def test_a_review_says_with_how_few_votes_a_score_wins_and_play_agrees(number):
    game = sit(system="github-nomic")
    game.begin_turn("Ann")
    said = told(game, number)
    least = next((many for many in (1, 2, 3) if won(number, many)), None)
    assert [f"with {least} of 3 votes" in one for one in said] == ([True] if least else [])


def won(number, many):
    """Whether Ann wins by a proposal with this number and so many votes in favour."""
    game = sit(system="github-nomic")
    game.begin_turn("Ann")
    game.propose("Ann", PLAIN, number)
    for at, name in enumerate(game.players):
        game.vote(name, "for" if at < many else "against")
    return game.over and game.winner == "Ann"


def test_no_score_is_told_where_no_rule_scores_proposals():
    assert told(sit(), None) == []


def test_a_score_that_a_rule_caps_is_no_win(game):
    game.propose("Ann", nb.enact("At most ten.", law="set proposal.score to min([10, otherwise])"), 1)
    for name in game.players:
        game.vote(name, "for")
    game.begin_turn("Ben")
    assert told(game, 1000) == []
