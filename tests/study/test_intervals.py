"""Intervals against slow and plain reckonings of the same."""

from __future__ import annotations

from itertools import pairwise
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomic_nb.study.intervals import (
    Interval,
    difference,
    mean_turns,
    median_turns,
    survival,
    wilson,
)

GAMES = st.lists(st.tuples(st.integers(1, 30), st.booleans()), min_size=1, max_size=40)


@pytest.mark.parametrize("share", [0.05, 0.3, 0.5, 0.9])
def test_wilsons_interval_covers_the_share_in_about_95_of_100_samples(share):
    n = 60
    covered = sum(
        comb(n, hits) * share**hits * (1 - share) ** (n - hits)
        for hits in range(n + 1)
        if wilson(hits, n).low <= share <= wilson(hits, n).high
    )
    assert 0.92 <= covered <= 0.985


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.integers(1, 50))
def test_a_difference_lies_within_its_interval_and_changes_sign_with_the_order(first, n):
    one, other = wilson(*first), wilson(n // 2, n)
    found, back = difference(one, other), difference(other, one)
    assert found.low <= found.value <= found.high
    assert (found.low, found.high) == pytest.approx((-back.high, -back.low))


def test_the_verdict_on_a_difference_is_chance_only_if_0_is_in_the_interval():
    assert difference(wilson(5, 100), wilson(60, 100)).verdict == "more"
    assert difference(wilson(60, 100), wilson(5, 100)).verdict == "less"
    assert difference(wilson(50, 100), wilson(55, 100)).verdict == "may be chance"


@given(st.lists(st.integers(1, 30), min_size=1, max_size=40))
def test_if_all_games_end_the_curve_is_the_share_of_longer_games(lengths):
    for step in survival((turns, True) for turns in lengths):
        assert step.going == pytest.approx(sum(turns > step.turn for turns in lengths) / len(lengths))
    mean = mean_turns(survival((turns, True) for turns in lengths), 30)
    assert mean.value == pytest.approx(sum(lengths) / len(lengths))


@given(GAMES)
def test_a_curve_falls_and_stays_within_its_interval(games):
    steps = survival(games)
    assert all(one.going >= other.going for one, other in pairwise(steps))
    assert all(0 <= step.low <= step.going <= step.high <= 1 for step in steps)
    assert steps[0].games == len(games)
    assert sum(step.ended for step in steps) == sum(over for _, over in games)


@given(GAMES)
def test_a_curve_is_the_product_of_the_shares_that_go_on(games):
    going = 1.0
    for turn in sorted({turns for turns, _ in games}):
        watched = sum(turns >= turn for turns, _ in games)
        going *= 1 - sum(turns == turn and over for turns, over in games) / watched
        assert next(step.going for step in survival(games) if step.turn == turn) == pytest.approx(going)


def test_unfinished_games_count_up_to_their_last_turn():
    cut_early = survival([(2, False), (4, True), (4, True)])
    dropped = survival([(4, True), (4, True)])
    as_if_over = survival([(2, True), (4, True), (4, True)])
    assert median_turns(cut_early) == median_turns(dropped) == 4
    assert mean_turns(cut_early, 4).value > mean_turns(as_if_over, 4).value


def test_the_interval_of_a_mean_without_censoring_is_that_of_a_sample_mean():
    lengths = [3, 5, 8, 13, 21, 34]
    mean = sum(lengths) / 6
    found = mean_turns(survival((turns, True) for turns in lengths), 34)
    assert found.high - found.value == pytest.approx(1.96 * (sum((turns - mean) ** 2 for turns in lengths) / 36) ** 0.5)


def test_a_difference_in_turns_counts_only_turns_that_both_were_watched_for():
    short, long = ([(turns, True) for turns in span] for span in (range(1, 41), range(21, 61)))

    def found(until):
        return difference(*(mean_turns(survival(games), until) for games in (short, long)))

    assert found(60).value == pytest.approx(20)
    assert found(20).value == pytest.approx(20 - 15.25)
    assert found(60).verdict == "more"


@given(st.floats(0, 9), st.floats(0.1, 4), st.floats(0, 9), st.floats(0.1, 4))
def test_the_difference_of_two_means_has_the_interval_of_independent_means(first, spread, second, other):
    one, two = (
        Interval(mean, mean - 1.96 * half, mean + 1.96 * half) for mean, half in ((first, spread), (second, other))
    )
    assert difference(one, two).high - (second - first) == pytest.approx(1.96 * (spread**2 + other**2) ** 0.5)
