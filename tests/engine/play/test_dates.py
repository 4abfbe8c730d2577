"""Dates compare, and days are counted from one to another."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from often import examples
from play_helpers import announced, evaluated, law, replayed, sit
from refusals import refused

import nomic_nb as nb
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.play.vocabulary import language


def timed():
    game = sit()
    game.host.time("2026-11-20 18:00")
    return game


GAME = timed()


@examples(60)
@given(st.dates(date(1990, 1, 1), date(2090, 1, 1)))
def test_a_date_is_as_many_days_away_as_the_calendar_says(day):
    assert evaluated(GAME, f'day_of("{day}") - now.day') == (day - date(2026, 11, 20)).days


def test_a_rule_holds_until_a_date(tmp_path):
    game = timed()
    law(game, 'forbid say when now.day < day_of("2026-12-01")\non day_begun when now.day == day_of("2026-12-01"):\n'
              "    announce (day_of('2026-12-24') - now.day) + ' days'")  # fmt: skip
    for day in range(1, 11):
        with refused("not-allowed"):
            game.say("Ann", "Hello.")
        game.host.time(f"{date(2026, 11, 20) + timedelta(days=day)} 18:00")
    assert not announced(game)
    game.host.time("2026-12-01 00:00")
    game.say("Ann", "Hello.")
    assert announced(game) == ["23 days"]
    replayed(game, tmp_path)


@pytest.mark.parametrize("text", ["tomorrow", "2026-02-30", "24.12.2026", "", "2026-12-24 12:00"])
def test_what_is_no_date_is_told_before_the_vote_and_asked_about(text):
    with pytest.raises(Undecided) as caught:
        evaluated(GAME, f'day_of("{text}")')
    assert caught.value.reason.code == "date-unreadable"
    found = timed().review("Ann", nb.enact("So be it.", f'on day_begun when now.day == day_of("{text}"): end turn'))
    assert "no-answer" in {sign.code for sign in found.warnings}


def test_without_a_recorded_time_the_players_are_asked():
    with pytest.raises(Undecided) as caught:
        evaluated(sit(), 'day_of("2026-12-24")')
    assert caught.value.reason.code == "no-time-recorded"


def test_a_date_compared_like_a_number_is_answered_with_what_to_write():
    lines = language().read_clauses('on turn_begun when now.date < "2026-12-24": end turn')
    with refused("kind-expected") as caught:
        language().check_clauses(lines, {})
    assert "day_of(" in caught.value.expected
