"""Time is what somebody records, and what reviews and documents say of it."""

import pytest
from play_helpers import sit
from study.warned import warned

import nomic_nb as nb
from nomic_nb.study.review.remarks import remarks_on

START = "2026-11-22 18:00"  # a Sunday


@pytest.mark.parametrize(
    "clause",
    ["on day_begun: end turn", "on said: after 2 days: end turn", "forbid vote when proposal.hours < 24",
     'set vote.quota to 2 while now.weekday == "Monday"'],
)  # fmt: skip
def test_voters_are_told_that_a_change_needs_the_time_where_nobody_has_recorded_it(clause):
    game = sit()
    proposal = game.propose("Ann", nb.enact("In time.", law=clause))
    assert warned(remarks_on(game.state, proposal.number), "clock-unset", clause=clause)
    game.host.time(START)
    assert not warned(remarks_on(game.state, proposal.number), "clock-unset")


def test_what_nobody_can_know_without_the_time_is_not_called_impossible():
    change = nb.enact("No proposals on Tuesdays.", law='forbid propose when now.weekday == "Tuesday"')
    assert "no longer be possible" not in str(sit().review("Ann", change))
