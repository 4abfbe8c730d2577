"""In which order things happen, and what sees what: as the page on it says."""

from __future__ import annotations

from play_helpers import ballot, law, put, refused, sit, waiting_for

import nomic_nb as nb


def test_what_a_rule_does_before_the_result_counts_in_it():
    game = sit()
    law(game, 'on vote_ending each p in opponents: cast "for" for p')
    put(game, nb.enact("More."), against=["Ben"])
    assert game.proposals[302].outcome == "adopted"
    kinds = [event.kind for event in game.table.events]
    ending = kinds.index("vote_ending")
    assert kinds[ending : ending + 4] == ["vote_ending", "balloted", "vote_closed", "adopted"]


def test_a_choice_before_the_result_is_waited_for_and_no_ballot_is_taken_meanwhile():
    game = sit()
    law(game, 'on vote_ending: let proponent choose one from opponents or none; cast "for" for one')
    game.propose("Ben", nb.enact("More."))
    ballot(game, against=["Cleo"])
    assert game.proposals[302].outcome == "ending"
    assert waiting_for(game, "choose") == ["Ben"]
    with refused(game, match="the vote on 302 is over"):
        game.vote("Cleo", "for", 302)
    assert "vote is over" in str(game.proposals[302].tally)
    game.choose("Ben", "Cleo")
    assert game.proposals[302].outcome == "adopted"


def test_whoever_leaves_before_the_result_is_not_counted_in_it():
    game = sit()
    law(game, "on vote_ending: let proponent choose one from opponents or none; award 1 points to one")
    game.propose("Ben", nb.enact("More."))
    ballot(game, against=["Cleo"])
    game.forfeit("Cleo")
    assert game.proposals[302].outcome == "ending"
    game.choose("Ben", "none")
    assert game.proposals[302].outcome == "adopted"


def test_the_review_says_what_comes_too_late_for_the_result():
    def late(law):
        found = sit().review("Ann", nb.enact("Late.", law=law))
        return [one.evidence for one in found.smells if one.name == "too late"]

    cast = 'on vote_closed: cast "for" for proponent'
    why = "the result is found by then; what comes before it is done on vote_ending"
    assert late(cast) == [f"“{cast}” comes too late to decide it: {why}"]
    assert late("on vote_closed: let proponent choose one from players; award 1 points to one")
    assert late('on vote_ending: cast "for" for proponent') == late("on vote_closed: award 1 points to proponent") == []
