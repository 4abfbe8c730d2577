"""Every ready-made rule, as it is by itself, in every rule set: proposed, reviewed, adopted, and play goes on."""

import re

import pytest
from library.playing import ALL_SYSTEMS, Playing, rules

import nomic_nb as nb
from nomic_nb import LawError, library
from nomic_nb.play.vocabulary import language

#: What cannot stand beside an immutable rule that says otherwise (110): it is made to amend that rule.
VOID = {"smaller_electorate", "veto", "veto_of_office"}


def speaks_of_points(rule):
    """Tell whether a rule needs that something counts points: whether it names them, and not only terms called so."""
    bare = re.sub(r'"points"|(?:set|on) \w+\.points', "", rule.law)
    return "points" in bare and "track points" not in bare


@pytest.mark.parametrize("system", ALL_SYSTEMS)
@pytest.mark.parametrize("name", rules())
def test_proposed_reviewed_adopted_and_play_goes_on(system, name):
    rule = rules()[name]
    playing = Playing(system)
    game = playing.game
    playing.until("propose" if system != "github-nomic" else "begin_turn")
    if system == "nomic-chess" and speaks_of_points(rule):
        with pytest.raises(LawError, match=r"no rule tracks points|has no points"):
            game.propose("Ann", rule.change())
        for needed in (library.points_for_captures(), library.points_to_win(90)):
            playing.law(needed)
        playing.until("propose")
    review = game.review(game.player or "Ann", rule)
    assert review.error is None
    assert review.proposable is True
    playing.law(rule)
    assert any(one.title == rule.title for one in game.rules)
    new = next(one for one in game.rules if one.title == rule.title)
    void = {one.number for one in game.rules if one.id in game.state.rules.void}
    assert void == ({new.number} if name in VOID else set())
    before = game.turn
    turns = 7 if system == "discordian-nomic" else 4  # into the third circuit, or the second
    playing.turns(turns)
    assert not game.state.questions
    assert game.over or game.turn >= before + turns - 1
    assert game.over == (game.winner is not None or bool(game.winners))


@pytest.mark.parametrize("name", rules())
def test_the_wording_is_for_people(name):
    rule = rules()[name]
    jargon = {key for key in language().vocabulary.keys if "." in key} | {"==", "this.", "//"}
    for said in (rule.title, rule.wording):
        assert not [one for one in jargon if one in said]
        assert not re.search(r"\b\w+_\w+\b", said)
        assert "  " not in said
        assert said[0].isupper() or said[0].isdigit()
    assert rule.wording.endswith(".")


@pytest.mark.parametrize("name", rules())
def test_what_goes_before_others_says_so(name):
    rule = rules()[name]
    assert ("goes before every other rule" in rule.wording) == ("prevails over everything" in rule.law)


def test_the_catalogue():
    frame = nb.library.catalogue.frame
    assert len(frame) == len(nb.library.catalogue) == len(rules())
    assert list(frame.columns) == ["subject", "title", "wording", "parameters", "amends", "law"]
    assert set(frame.index) == set(nb.library.__all__) - {"LibraryRule", "catalogue"}
    assert frame["title"].is_unique
    assert frame.loc["office", "parameters"] == "name='speaker', filled='rota', circuits=1, votes=2, pay=0"
    shown = nb.library.catalogue._repr_html_()
    assert all(title.replace("“", "") in shown.replace("“", "") for title in frame["title"])
    assert "tax(of_every=10)" in str(nb.library.catalogue)
