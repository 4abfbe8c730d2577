"""Games saved to a file: what it costs to keep a step, and to open a game again."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from tools.kills import Looker

import nomic_nb as nb
from nomic_nb.notebook.store import game_store
from nomic_nb.notebook.store.journal import GameStore


@pytest.fixture
def game(tmp_path: Path) -> nb.Game:
    return nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1, file=tmp_path / "game.sqlite")


def test_a_step_is_kept(benchmark: BenchmarkFixture, game: nb.Game) -> None:
    benchmark.pedantic(lambda: game.say("Ann", "word"), rounds=1000 if benchmark.enabled else 1)
    data = sorted(benchmark.stats.stats.data) if benchmark.enabled else [0.0]
    benchmark.extra_info["95 of 100, ms"] = round(1000 * data[int(len(data) * 0.95)], 2)


@pytest.mark.parametrize("way", ["open", "load"])
def test_a_game_of_1000_events_comes_back(benchmark: BenchmarkFixture, game: nb.Game, tmp_path: Path, way: str) -> None:
    for _ in range(1000 if benchmark.enabled else 10):
        game.say("Ann", "word")
    game.save(tmp_path / "game.jsonl")
    again = {
        "open": lambda: game_store.open_game(GameStore(tmp_path / "game.sqlite"), "game", Looker()).timeline,
        "load": lambda: nb.load(tmp_path / "game.jsonl").timeline,
    }[way]
    assert benchmark.pedantic(again, rounds=3 if benchmark.enabled else 1).events == game.timeline.events
