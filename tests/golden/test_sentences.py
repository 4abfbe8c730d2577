"""What the kit says is pinned here by its codes, and nowhere else: other tests assert codes and values."""

import re
from collections import Counter

import pytest
from golden.sentences import FOLDER, plain, sayings, whole


def test_sentences_stand_as_they_are_pinned():
    kept = {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.txt")}
    assert whole() == kept, "python tests/golden/sentences.py writes them again"


def test_every_saying_has_a_literal_code_and_template():
    assert not [one.where for one in sayings() if one.code is None or one.template is None]


def test_a_code_is_words_with_hyphens():
    assert not [one.where for one in sayings() if one.code and not re.fullmatch(r"[a-z]+(-[a-z]+)*", one.code)]


def test_every_code_stands_in_one_place():
    found = Counter(one.code for one in sayings() if one.code)
    assert not [f"{code} at {one.where}" for one in sayings() for code in [one.code] if found[code] > 1]


def test_every_place_of_a_template_is_filled():
    assert not [f"{one.where}: {sorted(one.places - one.values)}" for one in sayings() if one.places - one.values]


@pytest.mark.slow
def test_errors_for_people_are_made_of_messages():
    assert not plain()
