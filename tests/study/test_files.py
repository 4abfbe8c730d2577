"""Files are written as a whole, by each writer for itself, and what reviews and documents say of it."""

from pathlib import Path

import pytest
from refusals import refused

import nomic_nb as nb


def begun(seed: int = 7) -> nb.Game:
    return nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=seed)


def test_a_notebook_that_cannot_be_written_says_why(tmp_path: Path) -> None:
    with refused("not-writable", why="No such file or directory"):
        nb.to_notebook(begun(), tmp_path / "nowhere" / "x.ipynb")


def test_near_words_are_looked_for_only_where_there_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    import difflib

    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(difflib, "get_close_matches", never)
    game = begun()
    game.review("Ann", nb.enact("Thrift.", law='forbid say when player.name == "Ann" and player.points > 7'))
