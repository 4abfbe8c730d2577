"""What is odd about a proposal is shown with it: a line each, and what it rests on a click away."""

from __future__ import annotations

from play_helpers import sit

import nomic_nb as nb
from nomic_nb.notebook.panels.magics import propose_magic

LINE = "<details><summary>“set dissent.points to 12” would have no effect</summary>rule 204 overrides it in every case"


def test_with_the_proposal_and_in_the_game_while_its_vote_is_open():
    game = sit()
    proposal = game.propose("Ann", nb.enact("Twelve.", "set dissent.points to 12"))
    assert LINE in proposal._repr_html_()
    assert LINE in game._repr_html_()
    assert str(proposal).endswith("Check before you vote: “set dissent.points to 12” would have no effect.")
    assert "301: Check before you vote: “set dissent.points to 12” would have no effect." in str(game).splitlines()
    for name in game.players:
        game.vote(name, "against")
    assert "<summary>" not in proposal._repr_html_()
    assert LINE not in game._repr_html_()


def test_the_magic_shows_the_same_as_the_review_says():
    game = sit()
    made = propose_magic(game, "Ann enact", "Twelve.\nlaw:\nset dissent.points to 12")
    assert LINE in made._repr_html_()
    assert any(
        one.statement_and_reason[0] == made.remarks.shown_remarks[0].line
        for one in game.review("Ann", made.change).warnings
    )


def test_by_themselves():
    game = sit()
    assert LINE in game.propose("Ann", nb.enact("Twelve.", "set dissent.points to 12")).remarks._repr_html_()
    fine = sit().propose("Ann", nb.enact("Tea is at four.")).remarks
    assert "No problems found." in fine._repr_html_()
    assert (str(fine), len(fine)) == ("", 0)


def test_what_strangers_write_stays_text():
    clauses = 'on vote_closed: cast "for" for player_named("<b>")'
    page = sit().propose("Ann", nb.enact("<i>Vote.</i>", clauses))._repr_html_()
    assert "comes too late" in page
    assert "<b>" not in page
    assert "<i>" not in page
