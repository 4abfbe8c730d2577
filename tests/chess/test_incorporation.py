"""Rule sets that a rule brings in, texts with a grammar of their own, and results that a rule replaces."""

from dataclasses import replace

import pytest
from board_helpers import chess, law
from play_helpers import ballot

import nomic_nb as nb
from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law.new_book import with_incorporated_rulesets
from nomic_nb.engine.play.book_in_play import ruleset_finder
from nomic_nb.engine.play.vocabulary import language


def refusal(text):
    speech = language()
    with pytest.raises(LawError) as caught:
        speech.check_clauses(speech.read_clauses(text), {})
    return caught.value


@pytest.mark.rule("nomic-chess", 214)
def test_what_is_brought_in_stands_in_a_tier_of_its_own():
    game = chess()
    brought = [rule for rule in game.rules if rule.ruleset == "fide-chess"]
    assert len(brought) == 17
    assert {rule.tier for rule in brought} == {"normal"}
    assert game.rules["N8"].title == "The knight"
    assert list(game.rules.rules_by_tier())[-1] == "normal"


def test_it_keeps_its_ids_while_the_rule_stands_and_goes_with_it():
    game = chess("Ann", "Ben")
    ids = {rule.number: rule.id for rule in game.rules if rule.ruleset}
    game.propose("Ann", nb.amend(214, "Chess as it is played, for all the rest."))
    ballot(game)
    assert {rule.number: rule.id for rule in game.rules if rule.ruleset} == ids
    fork = game.fork()
    fork.move("Ann", fork.pending[0].options[0])
    proposal = fork.propose("Ben", nb.amend(301, "No chess.", law=""))
    ballot(fork)
    assert proposal.outcome == "adopted"
    assert [rule for rule in fork.rules if rule.ruleset] == []
    assert [rule for rule in game.rules if rule.ruleset] != []


def test_it_comes_back_when_it_is_brought_in_again():
    game = chess("Ann", "Ben")
    game.propose("Ann", nb.amend(214, "Whoever can jump, jumps.", law='set piece.moves to "A"'))
    ballot(game)
    assert "N8" not in game.rules
    language_of = game.state.law.language
    book = game.state.rules
    rule = book.by_number[301]
    part = replace(rule.parts[-1], lines=language_of.read_clauses("incorporate fide-chess"))
    again = with_incorporated_rulesets(
        book.with_rule(replace(rule, parts=(*rule.parts, part))), ruleset_finder(language())
    )
    assert "N8" in again.by_number
    assert again.by_number["N8"].id not in {one.id for one in again.repealed}


def test_it_is_not_amended():
    game = chess()
    with pytest.raises(nb.IllegalAction) as caught:
        game.propose("Ann", nb.amend("N8", "Knights go as they like."))
    assert caught.value.rule == 103


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("incorporate fide", 13, "fide-chess"),
        ('piece N moves "NX"', 17, ""),
        ('piece N moves ("N" if turn > 3 else "Nq")', 39, ""),
        ('set piece.moves to "?"', 21, ""),
        ('piece KN moves "N"', 7, "a letter"),
        ('piece N of turn moves "N"', 12, "an army"),
        ("instead of adopted: end turn", 12, "captured"),
        ("on captured: promote player", 22, "a piece"),
        ('on captured: place "N" of army_named("white") at player', 50, "a square"),
        ("on captured: shift piece by 3", 29, "a list"),
        ("track prey per squire from 0", 16, "square"),
    ],
)
def test_mistakes_are_answered_with_their_column(text, column, expected):
    error = refusal(text)
    assert (error.line, error.column) == (1, column), error
    assert expected in error.expected


def test_two_rules_that_replace_one_result_are_a_question_only_where_they_are_equal():
    game = chess()
    law(game, "instead of captured: convert piece to mover_army")
    game.move("Ann", game.pending[0].options[0])
    law(game, "instead of captured: remove piece")
    source = game.state.law.replacing_clauses("captured", game.state, {})
    assert [one.rule.number for one in source] == [301]  # the lower number
