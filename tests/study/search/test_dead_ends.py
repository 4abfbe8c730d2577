"""Dead ends: each is proved, refuted with a witness, or not decided; and what a change opens, as voters read it."""

from __future__ import annotations

import pytest
from play_helpers import adopt, open_up, sit

import nomic_nb as nb
from nomic_nb.study.review.adoption import AdoptionFuture
from nomic_nb.study.search import dead_ends
from nomic_nb.study.search.dead_ends import find_dead_ends
from nomic_nb.study.search.opened import search_players, sentences_on_loopholes

PLEASE = nb.enact("Please.", 'on said when text == "please": award 100 points to player')


@pytest.fixture(scope="module")
def ends():
    """Those of a game that begins."""
    return sit().dead_ends()


def test_a_game_that_begins_is_in_no_dead_end_and_a_line_of_play_shows_who_can_win(ends):
    assert [end.verdict for end in ends] == ["refuted", "refuted", "refuted"]
    assert ends.winning.certificate.timeline.state.winners == ("Ann",)


def test_without_a_duty_to_propose_no_rule_change_can_pass():
    game = sit(dice="table")
    number = open_up(game, 114)  # which keeps rules changeable
    adopt(game, nb.repeal(number))
    game.roll(game.player, 1)
    adopt(game, nb.enact("Enough.", "set turn.parts to []\nprevails over everything"))
    assert game.dead_ends(seconds=0.5).changes.verdict == "proved"


def test_what_the_rules_leave_open_is_not_decided(monkeypatch):
    monkeypatch.setattr(dead_ends, "find_adoption_future", lambda _: AdoptionFuture(None, "no rule says"))
    assert str(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).dead_ends(seconds=0.1).changes) == (
        "No rule change can pass any more: not decided, because no rule says"
    )


def test_a_way_to_win_that_was_not_found_is_not_decided():
    assert sit().dead_ends(seconds=0.001).winning.verdict == "not decided"


def test_nobody_can_win_a_game_that_ended_without_a_winner():
    ended = sit().timeline.trial(0)
    ended.moments = [*ended.moments[:-1], (ended.moments[-1][0], ended.state.replace(over=True))]
    assert [end.verdict for end in find_dead_ends(ended)] == ["proved", "proved", "refuted"]


def test_dead_ends_show_their_verdicts_as_text_and_html(ends):
    assert "Nobody can win: refuted, because Ann can win if all help." in str(ends)
    assert ends._repr_html_().startswith("<div")


# ------------------------------------------------------------------------------------------- what a change opens


@pytest.mark.slow
def test_a_review_names_the_loophole_that_a_change_opens():
    review = sit().review("Ben", PLEASE, loopholes=True)
    assert review.loopholes[0] == (
        "Ann could win even if all others vote against: Ann says “please”. This change opens it."
    )
    assert "This change opens it." in str(review)


def test_a_review_looks_for_loopholes_only_if_asked():
    review = sit().review("Ben", PLEASE)
    assert review.loopholes == ()
    assert "Loopholes" not in str(review)


@pytest.mark.slow
def test_a_loophole_that_was_there_before_is_not_blamed_on_the_change():
    game = nb.new_game("github-nomic", ["Ann", "Ben"], seed=7)
    review = game.review("Ann", nb.enact("Be kind."), number=1)
    told = next(search_players(game.timeline, review.adoption))
    assert "Ann can already do so now." in str(told)


def test_a_change_without_effect_leaves_it_undecided():
    assert sentences_on_loopholes(sit().timeline, None) == (
        "Not decided whether it opens a loophole: it did not take effect on trial.",
    )


@pytest.mark.slow
def test_no_sentence_says_that_a_change_is_safe():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    review = game.review("Ben", nb.enact("Be kind."))
    told = [str(one) for one in search_players(game.timeline, review.adoption, seconds=0.2)]
    assert len(told) == 2
    assert all("not decided: " in one or "none within " in one for one in told)
