"""Recorded games replay act by act to the same states, and offer the same decisions."""

import json
import subprocess
import sys

import pytest
from golden.golden_games import GAMES, HERE, RECORDED, steps

WORK, KEPT = HERE / "work.py", HERE / "work.json"


@pytest.mark.parametrize("system", [*GAMES, RECORDED])
def test_a_recorded_game_replays_to_the_same_states_and_decisions(system):
    path = HERE / f"{system}.jsonl"
    golden = path.with_suffix(".golden").read_text(encoding="utf-8").splitlines()
    for number, (was, now) in enumerate(zip(golden, steps(path), strict=True), 1):
        assert now == was, f"act {number} of {path.name}"


@pytest.mark.slow
def test_golden_games_take_no_more_work_than_they_did():
    # In a process of its own: what tests before it have looked up is not looked up again.
    done = subprocess.run([sys.executable, WORK], check=True, capture_output=True, text=True, cwd=HERE.parents[1])
    now, was = json.loads(done.stdout), json.loads(KEPT.read_text(encoding="utf-8"))
    assert now.keys() == was.keys() == GAMES.keys()
    for system, counts in was.items():
        for what, count in counts.items():
            assert abs(now[system][what] - count) <= count / 20, f"{what} in {system}: {count} before"
