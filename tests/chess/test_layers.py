"""Clauses that add to what a term would be otherwise, and what goes before them, on boards."""

import pytest
from make_a_rule_helpers import begun, ends, make, phase, until

import nomic_nb as nb

ONE, TWO = "Zaphod:1", "Zaphod:2"


@pytest.mark.rule("make-a-rule", "R3")
def test_also_keeps_what_another_rule_gave():
    game = begun(3)
    make(game, 'piece N moves "K"')
    make(game, 'piece N moves otherwise + "C"')
    until(game, "Ann")
    assert ends(game, f"{ONE}.b1") == {f"{ONE}.a4", f"{ONE}.c4"}
    assert game.why("piece.moves", kind="N", army="white").value == "KC"
    make(game, 'piece N moves "B"')
    assert game.why("piece.moves", kind="N", army="white").value == "B"


@pytest.mark.rule("make-a-rule", "R3")
def test_an_addition_can_be_for_one_universe():
    game = begun(3)
    make(game, 'piece N moves "K"')
    make(game, 'piece N moves otherwise + "C"', universe=ONE)
    phase(game)
    make(game)
    found = [game.why("piece.moves", kind="N", army="white", push=[board]).value for board in (ONE, TWO)]
    assert found == ["KC", "K"]


def test_the_same_movement_twice_is_no_other_movement():
    game = begun(3)
    make(game, 'piece N moves otherwise + "N"')
    make(game)
    make(game)
    assert ends(game, f"{ONE}.b1") == {f"{ONE}.a3", f"{ONE}.c3"}


def test_a_trial_says_what_an_addition_changes():
    game = begun(3)
    make(game, 'piece N moves "K"')
    review = str(game.review("Ben", nb.enact("Also camels.", law='piece N moves otherwise + "C"')))
    assert "would have no effect" not in review
    assert "C" in review
