"""What voters see of a proposal is seen before it is made, too, and nothing happens."""

from __future__ import annotations

import pytest
from play_helpers import ballot, refused, sit
from show.reading import read

import nomic_nb as nb

KNIGHT = nb.enact("Knights also step like kings.", law='piece N moves "NW"')
SIX = nb.enact("A six scores nothing.", law="set throw.points to 0 while face == 6")
CHANGES = [nb.amend(203, "More than half.", "set vote.quota to majority(vote.electorate)"), SIX, nb.repeal(206)]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.kind)
def test_a_preview_shows_what_the_proposal_will_show(change):
    game = sit("Ann", "Ben", "Cleo")
    before = game.state
    shown = game.preview("Ann", change)
    assert game.state is before
    assert shown.refusal == ""
    preview = read(shown).text
    proposal = read(game.propose("Ann", change)).text
    for line in nb.explain(change).sentences:
        assert line in preview
        assert line in proposal
    redline = preview.partition(". ")[2].partition("Check before you vote")[0]
    assert redline.strip() in proposal
    for remark in shown.remarks:
        assert remark.line.capitalize()[1:] in proposal


def test_the_picture_of_a_movement_names_what_is_kept_new_and_lost():
    game = sit("Ann", "Ben", system="nomic-chess")
    kept, new = "Leaps 2 squares one way and 1 across (as a knight).", "Steps 1 square orthogonally."
    for shown in (game.preview("Ann", KNIGHT), game.propose("Ann", KNIGHT)):
        page = read(shown)
        assert f"How the knight would move As before: {kept} New: {new}" in page.text
        assert [root.findtext("{http://www.w3.org/2000/svg}title") for root in page.images] == [
            f"knight, kept: {kept} knight, new: {new}"
        ]


def test_a_preview_says_why_it_cannot_be_proposed_now():
    game = sit("Ann", "Ben")
    assert "It can’t be proposed now: It’s Ann’s turn, not Ben’s (rule 201)." in str(game.preview("Ben", SIX))
    with refused(game, code="rule-unknown", raised=KeyError):
        game.preview("Ann", nb.repeal(999))
    with refused(game, nb.LawError):
        game.preview("Ann", nb.enact("Tea.", law="set tea to 1"))


def test_a_number_from_outside_is_not_needed_for_a_preview():
    game = sit("Ann", "Ben", system="github-nomic")
    game.begin_turn("Ann")
    assert game.preview("Ann", SIX).refusal == ""
    assert game.preview("Ann", SIX, number=9).refusal == ""


def test_several_changes_are_previewed_together():
    game = sit("Ann", "Ben")
    text = str(game.preview("Ann", nb.together(nb.repeal(206), SIX)))
    assert "repeal rule 206" in text.lower()
    assert "A six scores nothing." in text


def test_the_past_can_be_previewed():
    game = sit("Ann", "Ben")
    seq = game.state.seq
    game.propose("Ann", nb.enact("Tea."))
    ballot(game)
    assert game.at(seq).preview("Ann", SIX).refusal == ""
    assert len(game.proposals) == 1
