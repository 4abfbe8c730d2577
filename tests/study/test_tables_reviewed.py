"""What voters are told of tables that nothing changes, and of what numbers become."""

from __future__ import annotations

import pytest
from play_helpers import law, sit
from study.warned import told, warned

import nomic_nb as nb
from nomic_nb.study.review.cases import table_changed_by


def remarks(clauses, *before):
    game = sit()
    for one in before:
        law(game, one)
    return game.propose(game.player, nb.enact("So be it.", law=clauses)).remarks


@pytest.mark.parametrize(
    "clauses", ["track mud per text from 0", 'track mud per text from 0\non said when mud(text) > 3: announce "mud"']
)
def test_a_table_that_nothing_changes_is_told(clauses):
    assert warned(remarks(clauses), "table-unchanged", table="mud")


def test_who_reads_a_table_that_nothing_changes_is_told():
    found = remarks("forbid skip when mud(player.name) > 3", "track mud per text from 0")
    assert warned(found, "old-table-unchanged", table="mud")


@pytest.mark.parametrize(
    ("clauses", "before"),
    [
        ("track mud per text from 0\non said: award 1 mud(text)", ()),
        ("track mud per player from 9\non said: pay 1 mud from player to seats", ()),
        ("track mud per player from 9\nallow give", ()),
        ("on said: put mud(text) at 1", ("track mud per text from 0",)),
        ('track mud per text from 0\ndraft so: "So."\n    on said: put mud(text) at 1\non said: enact so', ()),
        ('track mud per text from 0\non said: when turn > 3: put mud(text) at 1', ()),
        ("track mud per text from 0 hidden\non said: let player seal mud(text) from [3]\non deed: open mud(name)", ()),
    ],
)  # fmt: skip
def test_a_table_that_something_changes_is_not(clauses, before):
    assert not [code for code, _ in told(remarks(clauses, *before)) if code.endswith("table-unchanged")]


@pytest.mark.parametrize(
    "clause",
    [
        "set counter.value to min([otherwise, 40])",
        'set counter.value to was while amount > 0 and counter == "points"',
        'set counter.value to otherwise + 1 while player.name == "Ben"',
    ],
)
def test_what_numbers_become_makes_a_difference(clause):
    assert told(remarks(clause), "no-difference") == []
    game = sit()
    review = str(game.review("Ann", nb.enact("So be it.", law=clause)))
    assert "counter.value" in review.split("Settings that change")[1]


def test_what_makes_an_entry_change_says_in_which_table():
    game = sit()
    language = game.state.law.language
    forms = [one for one in language.vocabulary.effects.values() if "counted" in one.makes]
    assert forms
    assert all(table_changed_by(language.effect(one.example)) for one in forms)
    assert table_changed_by(language.effect('reveal price("rope")')) is None
