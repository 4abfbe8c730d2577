"""A clause that is refused: the word that is meant, and an example of a whole clause, which can be read."""

from __future__ import annotations

import pytest
from play_helpers import sit
from refusals import refused

import nomic_nb as nb
from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law.hints import clause_examples, everyday_table
from nomic_nb.engine.play.lawmaking import check_change
from nomic_nb.engine.play.vocabulary import language


@pytest.fixture(scope="module")
def state():
    return sit().state


def test_every_error_of_a_mistyped_word_has_an_example_that_can_be_read(state):
    for example in (*clause_examples().values(), *(one.example for one in language().vocabulary.effects.values())):
        clause = example if example.split()[0] in clause_examples() else f"on turn_ended: {example}"
        for word in clause.split()[:6]:
            try:
                check_change(state, nb.enact("A rule.", law=clause.replace(word, f"Q{word}", 1)))
            except LawError as error:
                if error.example:
                    law = error.example + ("\n    set dice.sides to 8" if error.example.startswith("draft") else "")
                    assert language().read_clauses(law), clause


@pytest.mark.parametrize("effect", sorted(set(everyday_table("does").values())))
def test_what_is_written_for_an_everyday_word_can_be_adopted(state, effect):
    check_change(state, nb.enact("A rule.", law=f"on turn_ended: {effect}"))


def test_everyday_words_lead_to_clauses():
    assert set(everyday_table("begins").values()) <= set(clause_examples())


def test_who_speaks_of_a_player_at_the_end_of_a_circuit_is_told_of_each(state):
    with refused("name-unknown") as found:
        check_change(
            state, nb.enact("A rule.", law="on circuit_ended when player.points > 3: award 1 points to player")
        )
    assert "each p in playing" in found.value.expected
    each = "on circuit_ended each p in playing when p.points > 3: award 1 points to p"
    check_change(state, nb.enact("A rule.", law=each))
