"""How long all restrictions of Make-A-Rule Chess look at one new rule: `pytest tests/speed --benchmark-enable`.

With three universes it should take less than 500 ms, and with fifteen less than 2 s; no time is asserted.
"""

from __future__ import annotations

from contextlib import suppress

import pytest
from make_a_rule_helpers import begun, make

import nomic_nb as nb

LAWS = {
    "stronger": 'piece N moves otherwise + "C"',
    "weaker": 'piece Q moves "ffN"',
    "mixed": 'piece Q moves "Z"',
    "forbidden captures": 'forbid move when any(p.kind == "P" for p in captures)',
    "told by the clock": 'piece K moves "R" while circuit % 2 == 0',
    "no king can be captured": 'forbid move when any(p.kind == "K" for p in captures)',
}


@pytest.mark.parametrize("players", [3, 6])
@pytest.mark.parametrize("law", LAWS)
def test_all_restrictions_on_one_new_rule(benchmark, players, law, request):
    if not request.config.getoption("benchmark_enable") and (players, law) != (3, "weaker"):
        pytest.skip("one of them shows that it works")
    begun_game = begun(players, restricted=True)
    for _ in range(players):
        make(begun_game)
    path = request.getfixturevalue("tmp_path") / "game.jsonl"
    begun_game.save(path)

    def propose(game: nb.Game) -> None:
        with suppress(nb.IllegalAction):
            game.propose(game.player or "", nb.enact("So be it.", law=LAWS[law]))

    benchmark.pedantic(propose, setup=lambda: ((nb.load(path),), {}), rounds=3)
