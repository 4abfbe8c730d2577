"""Texts with numbers in them, and what rules can see of words."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from often import examples
from play_helpers import announced, law, put, scores, sit
from refusals import refused

import nomic_nb as nb
from nomic_nb.engine.law.nodes import Undecided, View
from nomic_nb.engine.play.vocabulary import language


def value(text):
    expression = language().expression(text)
    return expression.run(View(None, {}, None))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"Ann has " + 3 + "."', "Ann has 3."), ('1/2 + " left"', "1/2 left"), ('text(-7)', "-7"),
        ('letters("A b-c, 12!")', 3), ('begins("The end.", "the")', True), ('ends("The end.", "END")', True),
        ('ends("The end.", "end.")', True), ('contains("The end", "e e")', True), ('contains("The end", "x")', False),
        ('begins("Éa", "é")', True), ('begins("nothing", "no ")', False), ('begins("No, thanks", "no ")', False),
        ('begins("No  thanks", "no ")', True), ('ends("spoken", " ken")', False), ('ends("so be it", " it")', True),
        ('contains("island", " is ")', False), ('contains("it is so", " is ")', True), ('contains("ab", " ")', False),
        ('contains("a b", " ")', True), ('letters("Straße")', 6), ('letters("ﬁn")', 2), ('letters("한국")', 2),
        ('letters("e\u0301a")', 2),
    ],
)  # fmt: skip
def test_texts_and_numbers_go_together(text, expected):
    assert value(text) == expected


@examples(60)
@given(st.fractions(max_denominator=999).filter(lambda one: abs(one) < 10**9))
def test_a_number_is_written_exactly(number):
    sign = "-" if number < 0 else ""
    written = f"{sign}{abs(number.numerator)}/{number.denominator}"
    assert Fraction(value(f"text({written})")) == number
    assert value(f'"" + {written}') == value(f"text({written})")


def test_a_text_that_grows_without_end_is_bounded():
    with pytest.raises(Undecided) as caught:
        value("sum(1 for n in numbers(1, 3)) + " + " + ".join(['"abcdefghij"'] * 9))
    assert caught.value.reason.code == "text-grown-too-long"


def test_only_texts_and_numbers_are_added():
    with refused("kinds-differ"):
        language().check_clauses(language().read_clauses('on turn_begun: announce "a" + true'), {})


def test_a_rule_looks_at_what_is_said_and_at_the_title_of_a_proposal():
    game = sit()
    law(game, 'on said when begins(text, "please"): announce player.name + " has " + player.points\n'
              'forbid propose when letters(change.wording) > 40')  # fmt: skip
    game.say("Ann", "PLEASE now")
    assert announced(game) == [f"Ann has {scores(game)['Ann']}"]
    with refused("not-proposable"):
        game.propose(game.player, nb.enact("A wording that has more letters in it than this rule allows."))
    put(game, nb.enact("Short."))
