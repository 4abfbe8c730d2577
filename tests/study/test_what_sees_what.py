"""In which order things happen, and what sees what, and what reviews and documents say of it."""

from __future__ import annotations

from play_helpers import sit
from study.warned import told

import nomic_nb as nb


def test_the_review_says_what_comes_too_late_for_the_result():
    def late(law):
        return told(sit().review("Ann", nb.enact("Late.", law=law)), "too-late")

    cast = 'on vote_closed: cast "for" for proponent'
    why = "the result is found by then; what comes before it is done on vote_ending"
    assert late(cast) == [("decided-already", {"clause": cast, "why": why})]
    assert late("on vote_closed: let proponent choose one from players; award 1 points to one")
    assert late('on vote_ending: cast "for" for proponent') == late("on vote_closed: award 1 points to proponent") == []


def test_the_review_says_where_one_of_equals_is_taken():
    def ties(law):
        return told(sit().review("Ann", nb.enact("Best.", law=law)), "ties")

    assert ties("on turn_ended: award 1 points to item(highest(playing, [p.points for p in playing]), 1)")
    assert not ties("on turn_ended: award 1 points to highest(playing, [p.points for p in playing])")
