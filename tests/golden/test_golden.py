"""Recorded games replay act by act to the same states, and offer the same decisions."""

import pytest
from golden.golden_games import GAMES, HERE, steps


@pytest.mark.parametrize("system", GAMES)
def test_a_recorded_game_replays_to_the_same_states_and_decisions(system):
    path = HERE / f"{system}.jsonl"
    golden = path.with_suffix(".golden").read_text(encoding="utf-8").splitlines()
    for number, (was, now) in enumerate(zip(golden, steps(path), strict=True), 1):
        assert now == was, f"act {number} of {path.name}"
