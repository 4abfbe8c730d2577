"""Measure seats: `PYTHONPATH=tests python tests/speed/seats.py [SYSTEM …]`. All times are processor time.

For each system: replies of random players per second; the first look of a seat after an act; another look; a trial.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from statistics import median, quantiles

import nomic_nb as nb

#: Systems with their players, and the turn at which a game is cut.
SYSTEMS = {
    "discordian-nomic": (["Ann", "Ben", "Cleo"], 40), "cabinet-nomic": (["Ann", "Ben", "Cleo"], 40),
    "github-nomic": (["Ann", "Ben", "Cleo"], 40), "nomic-chess": (["Ann", "Ben", "Cleo"], 25),
    "make-a-rule": (["Ann", "Ben"], 30),
}  # fmt: skip
SEEDS = (1, 2, 3)


def play(system: str, seed: int) -> tuple[int, float]:
    """Let random players play; return how many replies there were, and the seconds of processor time."""
    names, turns = SYSTEMS[system]
    game = nb.new_game(system, names, seed=seed, anew=True)
    began = time.process_time()
    players = {name: nb.players.random(seed + at) for at, name in enumerate(names)}
    played = nb.play(game, players, until=turns, remarks=False)
    return len(played.rows), time.process_time() - began


def looks(system: str, seed: int) -> dict[str, list[float]]:
    """Return how long looks and trials take in a game of random players, in milliseconds."""
    found: dict[str, list[float]] = {"first view after an act": [], "view again": [], "trial": []}

    def timed(name: str, function: Callable[[], object], rounds: int = 1) -> None:
        began = time.process_time()
        for _ in range(rounds):
            function()
        found[name].append(1000 * (time.process_time() - began) / rounds)

    names, turns = SYSTEMS[system]
    game = nb.new_game(system, names, seed=seed, anew=True)
    players = {name: nb.players.random(seed + at) for at, name in enumerate(names)}
    seats = {name: game.seat(name) for name in names}
    idle = 0
    while not game.state.over and game.turn < turns and idle < 5:
        idle += 1
        for name, seat in seats.items():
            reply = players[name](seat.view(remarks=False))
            if reply is not None and seat.act(reply).get("done"):
                idle = 0
                other = seats[next(one for one in names if one != name)]
                timed("first view after an act", lambda seat=other: seat.view(remarks=False))
                timed("view again", lambda seat=other: seat.view(remarks=False))
                timed("trial", game.trial, 10)
    return found


def main() -> None:
    for system in sys.argv[1:] or SYSTEMS:
        play(system, SEEDS[0])  # what is made once for a process
        rates = [count / seconds for count, seconds in (play(system, seed) for seed in SEEDS)]
        told = f"{median(rates):.0f} ({min(rates):.0f}–{max(rates):.0f})"
        print(f"{system}: replies per second {told}")  # noqa: T201 - a command tells
        found = [looks(system, seed) for seed in SEEDS]
        for name in found[0]:
            times = [one for game in found for one in game[name]]
            low, *_, high = quantiles(times, n=10)
            told = f"{median(times):.3f} ms (eight in ten {low:.3f}–{high:.3f}; {len(times)} times)"
            print(f"    {name}: {told}")  # noqa: T201 - a command tells


if __name__ == "__main__":
    main()
