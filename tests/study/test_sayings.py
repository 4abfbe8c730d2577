"""Sayings: each names a rule that there is and its places, and brings that rule with what is said filled in."""

from __future__ import annotations

import re

import pytest

from nomic_nb.study.library.phrase_book import phrase_book, rule_entry, suggest
from nomic_nb.study.library.sayings import SayingSearch, told_sayings

SAYINGS = [(name, one) for name, says in told_sayings().items() for one in says]
#: Numbers to say, for one place after the other; those of a die are faces.
NUMBERS = (23, 34, 45)


def said(saying):
    """A saying with numbers in its places, and what they are."""
    places = dict(zip(dict.fromkeys(re.findall(r"\{(\w+)\}", saying)), NUMBERS, strict=False))
    places |= {place: value for place, value in {"face": 4, "player": "Ann"}.items() if place in places}
    return saying.format(**places), places


@pytest.mark.parametrize(("name", "saying"), SAYINGS)
@pytest.mark.slow
def test_a_saying_brings_its_rule_first_with_its_numbers(name, saying):
    sentence, places = said(saying)
    entry = rule_entry(name)
    assert entry is not None
    assert {*places} <= {place.name for place in entry.places}
    first = suggest(sentence, ["Ann", "Ben"])[0]
    assert first.law == entry.make(**first.filled).law
    assert first.filled.items() >= places.items()


def test_no_two_rules_have_the_same_saying():
    assert len({one.casefold() for _, one in SAYINGS}) == len(SAYINGS)


def test_opposite_sayings_are_told_apart_and_unlike_ones_are_not_found():
    search = SayingSearch({phrase.name: phrase.says for phrase in phrase_book()})
    assert search.find("Nobody gets more than {n} points.", 0.55)[0][0].name == "ceiling"
    assert not search.find("Tea is served at noon.", 0.55)


def test_of_two_numbers_each_goes_where_its_words_are_and_a_swapped_sentence_is_another_rule():
    first = suggest("Roll an even number and get 4 points, but if it's odd lose 3 points.")[0]
    assert (first.name, first.filled) == ("even_odd", {"n": 4, "m": 3})
    swapped = "If you roll an even number you lose 4 points, if it's odd you get 3 points."
    assert "even_odd" not in [one.name for one in suggest(swapped)[:1]]
