"""A class whose server is killed with -9 in the lobby and in play: everybody is back, with all that was told."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tools import classes


@pytest.mark.slow
def test_a_class_whose_server_is_killed_twice_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classes, "SCANNING", 0.5)
    report = asyncio.run(classes.a_class(tmp_path / "class.sqlite", phones=8, tables=2, rounds=2, pace=0.5, seed=1))
    assert report.faults == []
    assert len(report.times["back in the lobby"]) == len(report.times["back at the table"]) == 8


@pytest.mark.slow
def test_seats_without_a_lobby_see_every_act(tmp_path: Path) -> None:
    report = asyncio.run(classes.seats_only(tmp_path / "games.sqlite", phones=6, tables=2, rounds=2, pace=0.5))
    assert report.faults == []
    assert len(report.times["at the table"]) == 6
