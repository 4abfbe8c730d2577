"""How fast seats are: `PYTHONPATH=tests .venv/bin/python tests/speed/seats.py [SYSTEM …]`; processor time throughout."""

from __future__ import annotations

import sys
import time
from statistics import median, quantiles

import nomic_nb as nb

#: Systems with their players, and the turn at which a game is cut.
SYSTEMS = {
    "discordian-nomic": (["Ann", "Ben", "Cleo"], 20), "cabinet-nomic": (["Ann", "Ben", "Cleo"], 20),
    "github-nomic": (["Ann", "Ben", "Cleo"], 20), "nomic-chess": (["Ann", "Ben", "Cleo"], 12),
    "make-a-rule": (["Ann", "Ben"], 8),
}  # fmt: skip
GAMES, LOOKS = 3, 200


class Timed:
    """A program whose views are timed, and the trials that it would make."""

    def __init__(self, game: nb.Game, seed: int) -> None:
        self.game, self.plays = game, nb.players.random(seed)
        self.views: list[float] = []

    def __call__(self, view):
        return self.plays(view)


def milliseconds(times: list[float]) -> str:
    """The median of times in seconds, and where the middle half and nine in ten of them are."""
    _, *rest = (1000 * one for one in (0, *quantiles(times, n=20)))
    return f"{1000 * median(times):.3f} ms (half {rest[4]:.3f}–{rest[14]:.3f}, 95 % below {rest[18]:.3f})"


def play_timed(system: str, seed: int) -> tuple[float, list[float], list[float]]:
    """Play a game of random players; return replies a second, and how long each first view after a step and trial took."""
    names, turns = SYSTEMS[system]
    game = nb.new_game(system, names, seed=seed, anew=True)
    began = time.process_time()
    played = nb.play(game, {name: nb.players.random(seed + at) for at, name in enumerate(names)}, until=turns)
    rate = len(played.rows) / (time.process_time() - began)
    views: list[float] = []
    trials: list[float] = []
    game = nb.new_game(system, names, seed=seed, anew=True)
    seats = [game.seat(name) for name in names]

    def look(view):
        for seat in seats:
            start = time.process_time()
            seat.view()
            views.append(time.process_time() - start)
        start = time.process_time()
        game.trial()
        trials.append(time.process_time() - start)
        return players[view["you"]](view)

    players = {name: nb.players.random(seed + at) for at, name in enumerate(names)}
    nb.play(game, dict.fromkeys(names, look), until=turns)
    return rate, views, trials
