"""What a view asks about the law: answered as everywhere else, and nothing happens."""

from __future__ import annotations

import json
import re

import pytest
from play_helpers import ballot, law

import nomic_nb as nb


def ask(page, about, **details):
    return page.send({"id": "q", "ask": about, "details": details})


def test_what_stands_under_a_rule_has_its_history_with_what_changed(game, game_page):
    game.propose("Ann", nb.amend(208, "Fifty points win.", "set win.points to 50"))
    for name in game.players:
        game.vote(name, "for")
    text = json.dumps(ask(game_page, "rule", rule=301)["tree"])
    assert "Fifty points win." in text
    assert '"ins"' in text
    assert "Initial rule 208" in text
    assert "Amended by 301" in text


def test_a_term_is_explained_and_an_unknown_one_has_those_like_it(game_page):
    text = json.dumps(ask(game_page, "why", term="vote.quota")["tree"])
    assert "prevails" in text
    assert "203" in text
    refused = ask(game_page, "why", term="vote.quotum")
    assert refused["code"] == "no-such-term"
    assert "vote.quota" in refused["why"]
    assert "vote.quota" in ask(game_page, "terms")["terms"]


def test_each_rule_of_the_law_book_has_the_everyday_words_that_find_it(game_page):
    rules, alike = game_page.table["law"]["rules"], ask(game_page, "alike")["alike"]
    assert alike.keys() == rules.keys()
    for word, meant in (("roll", "(throw|dice|die)"), ("delete", "repeal"), ("umpire", "judg")):
        found = [rules[number] for number, words in alike.items() if word in words.split()]
        assert found
        assert all(re.search(meant, f"{rule['title']} {rule['wording']} {rule['law']}".lower()) for rule in found)
    assert not [words for words in alike.values() if "horse" in words.split()]


@pytest.mark.parametrize(("about", "details"), [("rule", {}), ("rule", {"rule": [2]}), ("rule", {"rule": 999}),
                                                ("why", {"term": None}), ("nothing", {})])  # fmt: skip
def test_what_cannot_be_asked_is_refused_with_what_can(game, game_page, about, details):
    before = game.state.seq
    assert ask(game_page, about, **details)["why"]
    assert game.state.seq == before


def test_a_term_that_rests_on_what_is_hidden_tells_nothing_of_it(game, game_page):
    law(game, "track coin per player from 7777 hidden")
    game.propose(game.player, nb.amend(208, law='set win.points to 30 + player_named("Ben").coin'))
    ballot(game)
    assert game.law["win.points"].value == 7807
    refused = ask(game_page, "why", term="win.points")
    assert refused["code"] == "term-rests-on-what-is-hidden"
    assert "coin" in refused["why"]
    for event in range(1, len(game.timeline.moments) + 1):
        told = [ask(game_page, about, event=event) for about in ("past", "since")]
        assert "7807" not in json.dumps(told)
        assert "7777" not in json.dumps(told[0]["score"])
