"""What is in force stands beside a wording that says something else, wherever either is shown."""

from __future__ import annotations

import pytest
from play_helpers import law, sit

import nomic_nb as nb
from nomic_nb.notebook.panels.session import hub_of_game
from nomic_nb.notebook.show.game import draw_rules_on_winning, rules_on_winning

SAID = "A player wins by reaching {} points."
WORDED = "Whoever is first to achieve 100 points wins."


def in_short(game):
    """How one wins, as it stands folded at the head of panels, pages and the wall."""
    return " ".join("".join(draw_rules_on_winning(game.state, rules_on_winning(game.state))[0].itertext()).split())


def on_the_wall(game):
    return str(hub_of_game(game).pictures.current_view().view_for_seat(None, "wall")) + str(
        hub_of_game(game).pictures.current_view().table["aim"]
    )


def everywhere(game):
    return [
        str(game.rules),
        str(game.rules[208]),
        game.law_book(),
        game.to_html(),
        game.to_markdown(),
        on_the_wall(game),
    ]


@pytest.mark.rule("discordian-nomic", 208)
def test_points_agreed_before_play_are_shown_before_what_the_wording_says():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7, terms={"win.points": 30})
    said = f"How to win: {SAID.format(30)} Rule 208 says 100; this table agreed on 30."
    assert in_short(game).startswith(said)
    assert WORDED not in in_short(game)
    assert all(SAID.format(30) in shown for shown in everywhere(game))
    assert "wording not as in force" in game.rules._repr_html_()


@pytest.mark.parametrize("name", nb.rulesets().index)
def test_a_wording_that_says_what_is_in_force_stands_alone(name):
    game = nb.new_game(name, ["Ann", "Ben"], seed=7)
    assert "wording says" not in in_short(game)
    assert not any("not in the wording" in one or "without the wording" in one for one in everywhere_remarked(game))


def everywhere_remarked(game):
    return [remark for rule in game.rules for remark in rule.remarks]


@pytest.mark.rule("discordian-nomic", 208)
def test_an_amendment_of_the_clauses_alone_is_shown_beside_the_older_wording():
    game = sit("Ann", "Ben")
    game.propose("Ann", nb.amend(208, law="set win.points to 40"))
    for name in game.players:
        game.vote(name, "for")
    assert f"{SAID.format(40)} (rule 301; its wording says: “{WORDED}”)" in in_short(game)
    assert f"the clauses were changed, but not the wording: {SAID.format(40)}" in game.rules[301].remarks
    game.roll("Ann")
    game.propose("Ben", nb.amend(301, wording="Whoever is first to achieve 40 points wins."))
    for name in game.players:
        game.vote(name, "for")
    assert "wording says" not in in_short(game)
    assert not game.rules[302].remarks


@pytest.mark.rule("discordian-nomic", 208)
def test_a_rule_that_another_prevails_over_says_which_and_what_is_in_force():
    game = sit("Ann", "Ben")
    law(game, "set win.points to 50\nprevails over 208")
    assert f"rule 301 takes precedence: {SAID.format(50)}" in game.rules[208].remarks
    assert f"{SAID.format(50)} (rule 301; its wording says:" in in_short(game)
    assert all(SAID.format(50) in shown for shown in everywhere(game))


def test_a_number_that_follows_the_players_is_shown_as_it_is_now():
    agreed = {"win.points": "10 * count(playing)"}
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7, terms=agreed)
    assert "At the moment that is 30." in on_the_wall(game)
    game.forfeit("Cleo")
    assert "At the moment that is 20." in on_the_wall(game)
    assert WORDED in on_the_wall(game)


def test_a_proposal_to_transmute_shows_which_clauses_its_wording_does_not_tell():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7, terms={"win.points": 30})
    game.propose("Ann", nb.transmute(208))
    assert SAID.format(30) in game.proposals[301]._repr_html_()
