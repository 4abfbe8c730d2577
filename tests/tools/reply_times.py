"""Measure how many replies a second of processor time a game takes from players that hardly think.

`PYTHONPATH=tests python tests/tools/reply_times.py [SYSTEM …] [--games 7]` prints the median and the best of the games.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from random import Random

import nomic_nb as nb

NAMES = ["Ann", "Ben", "Cleo"]
SYSTEMS = {"discordian-nomic": 30, "cabinet-nomic": 30, "github-nomic": 30, "nomic-chess": 20, "make-a-rule": 20}


def plain_player(seed: int):
    """Return a player that gives any listed option, or the example, and passes if nothing must be answered."""
    dice = Random(seed)

    def decide(view):
        asked = next((one for one in view["asked"] if one["must"]), None)
        if asked is None:
            return None
        needed = [field for field in asked["fields"] if not field.get("optional")]
        details = {
            field["name"]: dice.choice(field["options"]) if field.get("options") else field.get("example")
            for field in needed
        }
        return {"key": asked["key"], "details": details}

    return decide


def rate(system: str, seed: int, turns: int) -> float:
    """Play a game, and return its replies a second of processor time."""
    game = nb.new_game(system, NAMES, seed=seed, anew=True)
    players = {name: plain_player(seed * 3 + at) for at, name in enumerate(NAMES)}
    start = time.process_time()
    played = nb.play(game, players, until=turns, remarks=False, retries=3, stand_in=nb.players.random(5))
    return len(played.rows) / (time.process_time() - start)


if __name__ == "__main__":
    read = argparse.ArgumentParser(description=__doc__)
    read.add_argument("systems", nargs="*", default=list(SYSTEMS))
    read.add_argument("--games", type=int, default=7)
    given = read.parse_args()
    for system in given.systems:
        rate(system, 99, 5)
        rates = [rate(system, seed, SYSTEMS[system]) for seed in range(given.games)]
        sys.stdout.write(f"{system}: {statistics.median(rates):.0f} replies a second, at best {max(rates):.0f}\n")
