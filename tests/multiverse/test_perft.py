"""Move counts of chess and of changed chess, as other programs found them."""

import json
from pathlib import Path

import pytest

from nomic_nb.chess.multiverse import position

CASES = json.loads((Path(__file__).parent / "perft.json").read_text())["cases"]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
@pytest.mark.slow
def test_counts_at_all_depths_and_move_by_move(case):
    board = position(case["fen"], pieces=case["betza"], **case["rules"])
    counts = [board.perft(depth) for depth in range(1, len(case["nodes_by_depth"]) + 1)]
    assert counts == case["nodes_by_depth"]
    for depth, nodes in case["deeper"].items():
        assert board.perft(int(depth)) == nodes
    total = sum(case["divide"].values())
    depth = next(
        depth for depth, nodes in enumerate([*case["nodes_by_depth"], *case["deeper"].values()], 1) if nodes == total
    )
    assert board.divide(depth) == case["divide"]


def test_all_cases_are_there():
    assert len(CASES) == 136
