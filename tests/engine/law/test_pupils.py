"""Clauses of pupils who know nothing of the language: each refusal says what to write."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import nomic_nb as nb
from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law.hints import everyday_table
from nomic_nb.engine.play.lawmaking import check_change

#: Wrong clauses, each with the remedy that its refusal names.
PUPILS = tomllib.loads(Path(__file__).with_name("pupils.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def errors():
    state = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7).state
    caught = {}
    for law in PUPILS:
        with pytest.raises(LawError) as refused:
            check_change(state, nb.enact("A rule.", law=law))
        caught[law] = refused.value
    return caught


def test_a_refusal_names_the_remedy(errors):
    assert {law: error.expected for law, error in errors.items()} == PUPILS


def test_a_refusal_lists_no_more_than_a_handful_of_words(errors):
    assert {law for law, error in errors.items() if error.expected.count(",") > 7} == set()


@pytest.mark.parametrize("table", ["remedies", "last_remedies"])
def test_every_remedy_is_that_of_some_mistake(errors, table):
    lines = [f"{one.text[: one.column - 1]}¦{one.text[one.column - 1 :]}" for one in errors.values()]
    assert [pattern for pattern in everyday_table(table) if not any(re.search(pattern, line) for line in lines)] == []


def test_a_long_line_of_slips_is_answered_at_once(errors):
    for law in ("if " + "x if " * 190, "on adopted: " + "award, " * 140, "set win.points to " + "if " * 320):
        with pytest.raises(LawError):
            nb.explain(law)
