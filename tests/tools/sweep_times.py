"""Measure sweeps: `python tests/tools/sweep_times.py [SYSTEM …] [--games 100] [--turns 60]`.

For each system it prints how many games a processor second plays. Then it plays the games of the first system again in
two processes by joblib, and prints how much more processor time these take, with their start.
"""

from __future__ import annotations

import argparse
import os
import sys

from joblib.externals.loky import get_reusable_executor

import nomic_nb as nb


def processor_time() -> float:
    """Return the processor time of this process and of the processes it has ended."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def measure(systems: list[str], games: int, turns: int) -> None:
    """Play the games, and print the figures."""
    alone = 0.0
    for system in systems:
        nb.sweep(system, games=1, turns=1, progress=False)  # imports and reads the rules
        start = processor_time()
        found = nb.sweep(system, games=games, turns=turns, progress=False)
        spent = processor_time() - start
        alone = alone or spent
        sys.stdout.write(f"{found}\n  {games / spent:.2f} games a processor second\n")
        sys.stdout.flush()
    start = processor_time()
    nb.sweep(systems[0], games=games, turns=turns, n_jobs=2, progress=False)
    get_reusable_executor().shutdown(wait=True)
    spent = processor_time() - start
    sys.stdout.write(f"{systems[0]} by joblib: {spent:.1f} s of processor time; alone {alone:.1f} s\n")


if __name__ == "__main__":
    read = argparse.ArgumentParser(description=__doc__)
    read.add_argument("systems", nargs="*", default=["discordian-nomic", "cabinet-nomic", "github-nomic"])
    read.add_argument("--games", type=int, default=100)
    read.add_argument("--turns", type=int, default=60)
    given = read.parse_args()
    measure(given.systems, given.games, given.turns)
