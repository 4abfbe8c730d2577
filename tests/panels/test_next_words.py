"""What could stand next in a clause: words that fit there, with what they mean."""

from __future__ import annotations

import pytest
from play_helpers import sit

import nomic_nb as nb
from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.law.hints import everyday_table
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.notebook.panels.completion import CLAUSE_VERBS, next_words, words_between


@pytest.fixture(scope="module")
def state():
    return sit("Ann", "Ben").state


def words(state, law):
    return [word for word, _ in next_words(state, law, len(law))["words"]]


@pytest.mark.parametrize(
    ("law", "fits", "not_there"),
    [
        ("a", ["allow"], ["award"]),
        ("set vote.quo", ["vote.quota"], ["vote.method"]),
        ("set dice.source to ", ['"seeded"', '"table"'], ["playing"]),
        ("allow prop", ["propose"], ["proponent"]),
        ("forbid propose when prop", ["proponent"], ["propose"]),
        ("forbid propose when proponent.po", ["proponent.points"], ["points"]),
        ("on adop", ["adopted"], []),
        ("on adopted: aw", ["award"], []),
        ("on adopted: award 5 points to propon", ["proponent"], []),
        ("on adopted: award 5 points to proponent; an", ["announce"], ["and"]),
        ("on adopted:\n    aw", ["award"], []),
        ("on adopted:\n    end turn\n    aw", ["award"], []),
        ("on adopted:\n    when circuit > 2:\n        award 1 points to propon", ["proponent"], []),
        ('draft soon: "Soon."\n    on adopted:\n        aw', ["award"], []),
        ("on adopted:\n    let gain be 2\n    award ga", ["gain"], []),
        ("whenever each p in playing when p.po", ["p.points"], []),
        ("whenever circuit > 2: aw", ["award"], []),
        ("on whene", [], ["whenever"]),
        ("instead of ", [], ["game_started"]),
        ("incorporate fi", ["fide-chess"], []),
        ("track gold per pl", ["player"], []),
        ("set vote.quota to maj", ["majority("], []),
        ("set vote.quota to majority(vote.el", ["vote.electorate"], []),
        ("set win.points to 3\nset win.jo", ["win.joint"], []),
        ("set win.points to 3\n    wh", ["while"], []),
        ("off", ["offer"], []),
        ('offer "rest" ', ["to", "when"], ["rest"]),
        ('offer "rest" when player.po', ["player.points"], []),
        ('offer "rest": aw', ["award"], ["allow"]),
        ("on adopted: award 5 points to ", ["proponent", "supporters"], ["turn"]),
        ("on adopted: award 5 ", ["points"], []),
        ("on turn_ended: let ", ["player", "seats"], ["turn"]),
        ("on turn_ended: let player ", ["choose"], []),
        ("on turn_ended: let player choose foe from seats ", ["or none", "asking", "in secret", "within"], ["choose"]),
        ("on turn_ended: let player choose foe from seats; award 1 points to fo", ["foe"], []),
        ("on turn_ended: let player choose foe from seats; award foe.po", ["foe.points"], []),
        ("on turn_ended: each p in playing when p.po", ["p.points"], []),
        ("on turn_ended: after 3 ", ["turns", "days"], []),
        ("on turn_ended: oblige player to ", ["propose"], ["vote"]),
        ("on turn_ended: end ", ["part", "turn", "play"], []),
        ("on turn_ended: pay 3 points ", ["from"], []),
        ("on turn_ended: pay 3 points from player ", ["to"], []),
        ("track gold per player from 0\non adopted: award 1 go", ["gold"], []),
        ("track gold per player from 0\non adopted when proponent.go", ["proponent.gold"], []),
        ("track gold per player ", ["from", "as"], ["playing"]),
        ("track gold per player as ", ["truth", "text"], []),
        ("forbid propose when change.kind == ", ['"repeal"', '"enact"'], []),
        ("on balloted when ballot == ", ['"for"'], []),
        ("prevails over 20", ["203"], []),
        ("prevails over 203 on vote.quo", ["vote.quota"], []),
        ("award", [], ["award"]),
        ("Set Win.po", ["win.points"], []),
        ("on turn_ended: award 1 points to everybody", ["playing"], []),
    ],
)  # fmt: skip
def test_what_fits_is_offered(state, law, fits, not_there):
    found = words(state, law)
    assert set(fits) <= set(found)
    assert not set(not_there) & set(found)


@pytest.mark.parametrize("law", ['on adopted: announce "aw', "# se", 'set medium to "com'])
def test_nothing_is_offered_within_texts_and_remarks(state, law):
    assert words(state, law) == []


def test_every_verb_is_one_of_the_grammar_and_has_its_words(state):
    for verb in CLAUSE_VERBS:
        with pytest.raises(LawError) as raised:
            language().read_clauses(f"{verb} ")
        assert raised.value.code != "clause-unknown"
        if verb not in ("require", "incorporate", "draft"):
            assert words_between()[verb.split()[0]]
    assert words_between()["on"] == ("each", "in", "when")


@pytest.mark.parametrize("word", everyday_table("within"))
def test_every_word_of_expressions_is_read(word):
    texts = {"for": "[p for p in playing]", "otherwise": "otherwise", "in": "1 in [1]", "not": "not true",
             "if": "1 if true else 2", "else": "1 if true else 2"}  # fmt: skip
    text = texts.get(word, f"true {word} false" if word in ("and", "or") else word)
    assert word in text.split() or word in text.strip("[]").split()
    assert language().expression(text).text == text


def test_after_a_value_only_words_that_join_values_are_offered(state):
    assert {"and", "or", "if", "while"} <= {*words(state, "set throw.points to 3 ")}
    assert not {"none", "not", "true", "otherwise"} & {*words(state, "set throw.points to 3 ")}


def test_each_offered_word_has_a_meaning_and_it_is_what_the_page_sends(game_page):
    got = game_page.send({"id": "w1", "ask": "words", "details": {"law": "set win.po", "at": 10}})
    assert got["begun"] == 6
    assert got["words"] == [["win.points", "the score needed to win"]]


@pytest.mark.parametrize(
    "details", [{}, {"law": 3, "at": 0}, {"law": "x", "at": 2}, {"law": "x", "at": -1}, {"law": "x", "at": True},
                {"law": "x" * 100_000, "at": 3}]
)  # fmt: skip
def test_what_is_no_place_in_clauses_is_refused(game_page, details):
    assert "refused" in game_page.send({"id": "w", "ask": "words", "details": details})


@pytest.mark.slow
def test_places_anywhere_in_any_rule_set_are_answered():
    for system in nb.rulesets().index:
        state = nb.new_game(system, ["Ann", "Ben"], seed=7).state
        for rule in list(state.rules)[::4]:
            for at in range(0, len(rule.law), 7):
                found = next_words(state, rule.law, at)
                assert found["begun"] <= at
    with pytest.raises(IllegalAction):
        next_words(state, "set", 4)
