"""What somebody who has read nothing is told: the aim, what others did, titles, and the way from words to clauses."""

from __future__ import annotations

import json

import pytest
from panels.pages import Page
from play_helpers import sit

import nomic_nb as nb
from nomic_nb.engine.play.values import Decision
from nomic_nb.notebook.panels.forms import decision_data
from nomic_nb.notebook.show.game import rules_on_winning
from nomic_nb.study.review.review import review_draft


def line_of(page):
    """The line that tells how one wins, and all that is folded below it, as text."""
    ((_, _, summary, below),) = page.table["aim"]
    return text_of(summary), text_of(below)


def text_of(tree):
    return tree if isinstance(tree, str) else "".join(map(text_of, tree[2:]))


AIMS = {
    "make-a-rule": (
        "to be the one who is left. (rule R13) A player who loses the real king, by capture, also loses all other",
        "K5",
    ),
    "nomic-chess": ("loses it to checkmate is out. (rule 222)", "213"),
    "discordian-nomic": ("first to achieve 100 points wins. (rule 208)", "213"),
    "cabinet-nomic": ("first to achieve 100 points wins. (rule 208)", "213"),
    "github-nomic": ("first to achieve 200 points wins. (rule -105)", "-101"),
}


@pytest.mark.parametrize("system", AIMS)
def test_the_aim_is_told_from_the_rules_in_force(system):
    said, stuck = AIMS[system]
    line, below = line_of(Page(nb.new_game(system, ["Ann", "Ben"], seed=7), "Ann"))
    assert line.startswith("How to win: ")
    assert said in line
    assert stuck not in line
    assert stuck in below
    assert any(said in below for said in ("The winners are ", " wins."))


def test_the_aim_follows_the_law_and_is_gone_once_somebody_has_won(game):
    page = Page(game, "Ann")
    game.propose("Ann", nb.amend(208, "Whoever is first to achieve 50 points wins.", "set win.points to 50"))
    for name in game.players:
        game.vote(name, "for")
    assert "first to achieve 50 points wins. (rule 301)" in line_of(Page(game, "Ben"))[0]
    assert "A player wins by reaching 50 points." in line_of(Page(game, "Ben"))[1]
    page.hub.send_changes()
    assert "50 points" in line_of(page)[0]
    while not game.state.over:
        game.forfeit(next(iter(game.state.person_names)))
    assert Page(game, "Ann").table["aim"] == []


def test_a_rule_that_prevails_on_winning_is_the_one_that_is_told(game):
    game.propose("Ann", nb.enact("Sixty points are enough.", "set win.points to 60\nprevails over 208 on win.points"))
    for name in game.players:
        game.vote(name, "for")
    assert [rule.number for rule in rules_on_winning(game.state)["win.points"]] == [301, 208]
    assert "Sixty points are enough. (rule 301)" in line_of(Page(game, "Ann"))[0]


def test_a_proposal_has_the_title_of_its_rule(game):
    game.propose("Ann", nb.amend(208, "Fifty points win."))
    assert Page(game, "Ben").table["proposals"]["301"]["title"] == "How many points win"


def test_words_without_clauses_lead_to_ready_made_rules(game_page):
    def near(change):
        return game_page.send({"id": "q", "ask": "change", "details": {"change": change}})["ready"]

    words = {"kind": "enact", "wording": "A simple majority is enough to adopt a proposal."}
    assert "Majority" in [form["title"] for form in near(words).values()]
    said = near({"kind": "enact", "wording": "Whoever rolls a two gives a point to the next player."})
    name, form = next(iter(said.items()))
    made = game_page.send({"id": "q", "ask": "made", "details": {"name": name, "given": form["filled"]}})
    assert made["wording"] == form["wording"] == "When a player rolls a 2, that player pays 1 point to the next player."
    assert "face == 2" in made["law"]
    assert near(words | {"law": "set win.points to 50"}) == {}
    assert near({"kind": "enact", "wording": "Be kind."}) == {}


def test_where_it_is_open_whether_a_rule_can_be_proposed_one_reads_what_is_and_that_one_may():
    game = nb.new_game("make-a-rule", ["Ann", "Ben"], seed=7)
    said, _ = review_draft(
        game.timeline, "Ann", nb.enact("White camels.", 'piece N moves "C" while army.name == "white"')
    )
    assert said[0].startswith("Can’t tell yet whether it can be proposed: Ben is asked whether it gives its maker")
    assert said[1] == "If you propose it and it is in doubt, Ben will be asked."
    said, _ = review_draft(game.timeline, "Ann", nb.enact("Be kind."))
    assert said[0].startswith("It passes without a vote")


def test_what_several_are_asked_says_what_ends_it():
    game = sit("Ann", "Ben", "Cleo")
    law = 'offer "ask": let [p for p in playing if p != player] choose verdict from ["yes", "no"] asking "Is it good?"'
    game.propose("Ann", nb.enact("Anybody can ask.", law))
    for name in game.players:
        game.vote(name, "for")
    game.take("Ann", "ask")
    told = json.dumps(Page(game, "Ann").table["polls"])
    assert "It ends when everyone asked has answered. The player who started it can" in told


def test_an_option_that_begins_with_the_label_of_a_rule_has_its_title():
    state = nb.new_game("make-a-rule", ["Ann", "Ben"], seed=7).state
    asked_for = Decision("Ann", "choose", "What holds?", ("R13 may stand", "R13 breaks a meta-rule", "neither"), id=1)
    (field,) = decision_data(asked_for, state)["fields"]
    assert [(value, label) for value, label, _ in field["options"]] == [
        ("R13 may stand", "R13 “The aim” may stand"),
        ("R13 breaks a meta-rule", "R13 “The aim” breaks a meta-rule"),
        ("neither", "neither"),
    ]
