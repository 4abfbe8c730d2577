"""Whatever law is adopted: it is obeyed, immutable clauses hold, silence is asked about, no wait is endless,
play ends only where nobody could keep it going, and no action takes more steps than it has.

For long runs, and for the smallest game with a fault: `PYTHONPATH=tests python -m random_laws --smallest`.
"""

from __future__ import annotations

import pytest
from random_laws.checks import Fault
from random_laws.playing import SYSTEMS, Playing

#: A few of each; more by `pytest -m slow`, and the rest by `pytest -m fuzz`.
GAMES = [
    *range(3), *(pytest.param(seed, marks=pytest.mark.slow if seed < 9 else pytest.mark.fuzz) for seed in range(3, 20))
]  # fmt: skip


@pytest.mark.parametrize("seed", GAMES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_no_law_brings_play_into_disorder(system, seed):
    playing = Playing(system, seed)
    try:
        playing.play()
    except Fault as fault:
        laws = "\n".join(str(one) for one in playing.adopted)
        again = f"python -m random_laws --system {system} --first {seed} --games 1 --smallest"
        pytest.fail(f"{fault}\nwith\n{laws}\n({again})", pytrace=False)
