"""Many games with random laws: python -m random_laws --games 2000 --first 0 --system nomic-chess --smallest."""

from __future__ import annotations

import argparse
import time
import traceback
from collections import Counter

from random_laws.checks import Fault
from random_laws.playing import SYSTEMS, Playing, smallest


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--system", choices=SYSTEMS, action="append")
    parser.add_argument("--kind", default="", help="only faults of this kind")
    parser.add_argument("--smallest", action="store_true", help="look for the smallest game with each fault")
    given = parser.parse_args()
    found, began = Counter(), time.perf_counter()
    for seed in range(given.first, given.first + given.games):
        for system in given.system or SYSTEMS:
            playing = Playing(system, seed, turns=given.turns)
            try:
                playing.play()
            except Fault as fault:
                found[fault.kind] += 1
                if given.kind in fault.kind:
                    tell(*(smallest(playing, fault) if given.smallest else (playing, fault)))
            except Exception:  # noqa: BLE001 - a game that raises is what is looked for; it is reported
                found["raised"] += 1
                print(f"--- {system} {seed}: {traceback.format_exc(limit=-6)}")  # noqa: T201 - a command tells
    print(f"{given.games} games of each in {time.perf_counter() - began:.0f} s:", dict(found))  # noqa: T201


def tell(playing, fault):
    print(f"--- {playing.system} {playing.seed}: {fault}")  # noqa: T201
    print("\n".join(f"    {one}" for change in playing.adopted for one in str(change).splitlines()))  # noqa: T201
    print("   ", playing.script[-5:])  # noqa: T201


if __name__ == "__main__":
    main()
