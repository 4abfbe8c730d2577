"""Killed with -9 while they play: nothing that was told is lost, and nothing is torn."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools.kills import kill, look


@pytest.mark.parametrize("hands", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.slow
def test_processes_that_are_killed_lose_nothing(tmp_path: Path, hands: int) -> None:
    found = kill(tmp_path / "game.sqlite", 2, hands, seed=hands)
    assert found.faults == []
    assert (found.kills, found.steps > 4) == (2, True)


@pytest.mark.slow
def test_what_is_lost_would_be_found(tmp_path: Path) -> None:
    path = tmp_path / "game.sqlite"
    found = kill(path, 1, 1, seed=3)
    assert found.faults == []
    lost = look(path, [("game 1", "0" * 64, ["1" * 64]), ("no game", "", [])])
    assert sorted(one.split(":")[0] for one in lost) == ["game 1", "lost", "torn"]
