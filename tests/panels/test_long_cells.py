"""A cell that is far too long is refused by its length, before anything is read."""

import pytest
from refusals import refused

import nomic_nb as nb
from nomic_nb.notebook.panels import magic_input
from nomic_nb.notebook.panels.magics import propose_magic


def test_the_length_of_a_cell_is_looked_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(magic_input, "split_body")
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    with refused("cell-too-long", most=17000, found="2000000") as found:
        propose_magic(game, "Ann enact", "x\n" * 1_000_000)
    assert magic_input.error_in_cell(found.value, "x\n" * 1_000_000) == str(found.value)
