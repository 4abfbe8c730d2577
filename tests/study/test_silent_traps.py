"""What is accepted is obeyed, and what reviews and documents say of it."""

from __future__ import annotations

from play_helpers import sit

import nomic_nb as nb
from nomic_nb.engine.law.changes import Change


def test_a_review_knows_what_takes_a_rule_that_allows_it():
    game = sit()
    review = game.review("Ann", nb.enact("Points can be given away.", law="allow give when amount < 3"))
    assert "yes as before" not in str(review)
    assert [one.new.value for one in review.turned if one.key == "may.give"] == [True]


def test_a_setting_that_stays_with_several_values_is_said_to_stay_the_same():
    cap = 'set counter.value to min([otherwise, max([was, 30])]) while counter == "points"'
    review = str(sit().review("Ann", nb.enact("At most 30.", law=cap)))
    (line,) = [line for line in review.splitlines() if "as before" in line]
    assert ": the same as before, but now by another clause" in line


def test_a_renaming_is_told_without_a_number_of_changes():
    parts = (nb.amend(301, law="track shells per player from 0"),)
    change = Change("together", parts=parts, renames=("coins", "shells"))
    assert change.headline == "rename coins to shells: amend rule 301"
