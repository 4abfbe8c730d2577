"""Several changes in one proposal, and renames, as a panel sends them: each part is read as strictly as one alone."""

from __future__ import annotations

import pytest
from panels.pages import Page
from play_helpers import put, sit

import nomic_nb as nb

REPEAL = {"kind": "repeal", "target": 204}
KIND = {"kind": "enact", "wording": "Be kind.", "law": "", "title": ""}
THIRTY = {"kind": "amend", "target": "208", "law": "set win.points to 30"}


@pytest.fixture
def game():
    return sit()


def bundle(*parts, **more):
    return {"kind": "together", "parts": list(parts), **more}


def asked(page, change):
    return page.send({"id": "c1", "ask": "change", "details": {"change": change}})


def test_a_proposal_of_several_parts(game):
    Page(game, "Ann").act("propose", change=bundle(REPEAL, THIRTY, KIND))
    assert game.proposals[301].change == nb.together(
        nb.repeal(204), nb.amend(208, law="set win.points to 30"), nb.enact("Be kind.")
    )


def test_several_parts_voted_on_one_by_one(game):
    Page(game, "Ann").act("propose", change=bundle(REPEAL, KIND, apart=True))
    assert game.proposals[301].change.kind == "repeal"
    assert game.proposals[302].change.wording == "Be kind."


def test_what_is_counted_is_renamed(game):
    put(game, nb.enact("All have three coins.", law="track coins per player from 3"))
    game.roll("Ann", 4)
    page = Page(game, "Ben")
    assert "'ins', {}, 'stars'" in str(asked(page, {"kind": "rename", "renames": ["coins", "stars"]})["what"])
    page.act("propose", change={"kind": "rename", "renames": ["coins", "stars"]})
    assert game.proposals[302].change.renames == ("coins", "stars")


def test_what_several_parts_come_to_is_said_while_they_are_written(game):
    got = asked(Page(game, "Ann"), bundle(REPEAL, THIRTY))
    assert got["said"] == ["A player wins by reaching 30 points."]
    assert "Part 1. " in str(got["what"])
    assert "Amend rule 208" in str(got["what"])


@pytest.mark.parametrize(
    ("parts", "said", "column"),
    [
        ([REPEAL, {**KIND, "law": "on adopted: end turn\nset win.point to 3"}], "part 2: there is no key win.point", 5),
        ([{**KIND, "law": "award 3 points"}, REPEAL], "part 1: award says what happens", 1),
        ([REPEAL, {**KIND, "wording": ""}], "part 2: a rule needs wording", 1),
        ([REPEAL, REPEAL], "part 2: rule 204 is already changed by part 1", 1),
        ([REPEAL, {"kind": "together", "parts": []}], "part 2: when changes are made together", 1),
        ([REPEAL, "x"], "part 2: when changes are made together", 1),
        ([REPEAL, {"kind": "rename", "renames": ["points", "stars"]}], "part 2: when changes are made together", 1),
        ([REPEAL, {**KIND, "nonsense": 1}], "part 2: a change has no field 'nonsense'", 1),
        ([REPEAL], "you can combine 2 to 50 changes in one proposal", 1),
    ],
)  # fmt: skip
def test_a_bad_part_is_named_with_its_place(game, parts, said, column):
    got = asked(Page(game, "Ann"), bundle(*parts))["law"]
    assert got["message"].startswith(said)
    assert got["column"] == column


def test_a_part_that_is_not_proper_is_named(game):
    page = Page(game, "Ann")
    got = page.act("propose", change=bundle(REPEAL, {"kind": "repeal", "target": 101}))
    assert "Part 2: rule 101 is immutable" in str(got)
    assert asked(page, bundle(REPEAL, {"kind": "repeal", "target": 999}))["code"] == "rule-unknown"
    assert not game.state.proposals


@pytest.mark.parametrize("names", [["points"], "points", [1, 2], None, ["a", "b", "c"]])
def test_a_rename_says_two_words(game, names):
    assert asked(Page(game, "Ann"), {"kind": "rename", "renames": names})["code"] == "renaming-not-two-words"


def test_a_rename_of_what_is_not_counted(game):
    assert (
        asked(Page(game, "Ann"), {"kind": "rename", "renames": ["coins", "stars"]})["law"]["message"]
        == "there is no counter called coins"
    )
