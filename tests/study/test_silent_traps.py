"""What is accepted is obeyed, and what reviews and documents say of it."""

from __future__ import annotations

from play_helpers import sit

import nomic_nb as nb


def test_a_review_knows_what_takes_a_rule_that_allows_it():
    game = sit()
    review = game.review("Ann", nb.enact("Points can be given away.", law="allow give when amount < 3"))
    assert "yes as before" not in str(review)
    assert [one.new.value for one in review.turned if one.key == "may.give"] == [True]
