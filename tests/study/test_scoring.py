"""What a proposal is worth, where its number lets its proponent win: voters are told before the vote."""

import pytest
from play_helpers import sit
from study.warned import told

import nomic_nb as nb

PLAIN = nb.enact("So be it.")


def scored(game, number, change=PLAIN):
    """What a review says of a win by the score."""
    return [values for _, values in told(game.review("Ann", change, number=number), "wins-by-score")]


@pytest.fixture
def game():
    game = sit(system="github-nomic")
    game.begin_turn("Ann")
    return game


@pytest.mark.rule("github-nomic", -111)
@pytest.mark.rule("github-nomic", -209)
def test_a_number_far_ahead_that_wins_against_all_others_is_told_before_the_vote(game):
    (said,) = scored(game, 1000)
    assert (said["number"], said["score"], said["votes"], said["points"]) == (1000, "336", "1 of 3 votes", "200")
    assert (said["by"], said["rule"]) == (" (rule -111)", -105)
    proposal = game.propose("Ann", PLAIN, 1000)
    assert told(proposal.remarks, "wins-by-score")
    for name, ballot in zip(game.players, ("for", "against", "against"), strict=True):
        game.vote(name, ballot)
    assert game.winner == "Ann"


@pytest.mark.rule("github-nomic", -111)
@pytest.mark.parametrize("number", [1, 25, 150, 190, 191, 300, 620, 621, 622, 650, 651])
def test_a_review_says_with_how_few_votes_a_score_wins_and_play_agrees(number):
    game = sit(system="github-nomic")
    game.begin_turn("Ann")
    said = scored(game, number)
    least = next((many for many in (1, 2, 3) if won(number, many)), None)
    assert [one["votes"] for one in said] == ([f"{least} of 3 votes"] if least else [])


def won(number, many):
    """Whether Ann wins by a proposal with this number and so many votes in favour."""
    game = sit(system="github-nomic")
    game.begin_turn("Ann")
    game.propose("Ann", PLAIN, number)
    for at, name in enumerate(game.players):
        game.vote(name, "for" if at < many else "against")
    return game.over and game.winner == "Ann"


def test_no_score_is_told_where_no_rule_scores_proposals():
    assert scored(sit(), None) == []


def test_a_score_that_a_rule_caps_is_no_win(game):
    game.propose("Ann", nb.enact("At most ten.", law="set proposal.score to min([10, otherwise])"), 1)
    for name in game.players:
        game.vote(name, "for")
    game.begin_turn("Ben")
    assert scored(game, 1000) == []
