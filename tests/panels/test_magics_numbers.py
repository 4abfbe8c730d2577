"""Magics where others number proposals."""

from __future__ import annotations

import pytest
from refusals import refused

import nomic_nb as nb
from nomic_nb.notebook.panels.completion import complete_line
from nomic_nb.notebook.panels.magic_input import read_magic_change
from nomic_nb.notebook.panels.magics import propose_magic


@pytest.mark.rule("github-nomic", -209)
def test_a_proposal_with_its_number():
    game = nb.new_game("github-nomic", ["Ann", "Ben", "Cleo"], seed=7)
    game.begin_turn("Ann")
    with refused("proposal-number-needed"):
        propose_magic(game, "Ann amend -105", "Fifty.\nlaw:\nset win.points to 50")
    made = propose_magic(game, "Ann amend -105 number=12", "Fifty.\nlaw:\nset win.points to 50")
    assert made.number == 12
    assert made.change == nb.amend(-105, "Fifty.", "set win.points to 50")


def test_a_number_is_refused_where_the_law_gives_them():
    game = nb.new_game("cabinet-nomic", ["Ann", "Ben"], seed=7)
    with refused("numbers-by-law"):
        propose_magic(game, "Ann repeal 204 number=400")


def test_what_number_takes():
    assert read_magic_change("repeal -107 number=9 debate", "").number == 9
    with refused("option-out-of-place", found="number"):
        read_magic_change("repeal -107 number", "")


def test_it_is_offered_where_it_is_needed():
    asked = ("propose", "Ann repeal -107 ", "")
    assert "number=" in complete_line(nb.new_game("github-nomic", ["Ann", "Ben"], seed=7), *asked)
    assert "number=" not in complete_line(nb.new_game("cabinet-nomic", ["Ann", "Ben"], seed=7), *asked)
