"""Measure how long the frames of a long game take: a first look, a look after one more act, and a second look.

`python tests/tools/frame_times.py [FRAME …] [--events 10000]` prints milliseconds of processor time: the median of
seven looks, with the least and the most.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable
from statistics import median

import nomic_nb as nb
from nomic_nb.study.frames import forget_made

LOOKS: dict[str, Callable[[nb.Game], object]] = {
    "history": lambda game: game.history, "story": lambda game: game.story, "rules": lambda game: game.rules.frame,
    "versions": lambda game: game.rules.versions, "spells": lambda game: game.rules.spells,
    "proposals": lambda game: game.proposals.frame, "ballots": lambda game: game.ballots,
    "votes": lambda game: game.pivots, "ledger": lambda game: game.ledger.frame, "moves": lambda game: game.moves,
    "polls": lambda game: game.polls, "scores": lambda game: game.scores, "counters": lambda game: game.counters,
    "tables": lambda game: [game.tables[name] for name in game.tables],
}  # fmt: skip


def long_game(events: int) -> nb.Game:
    """Return a game of so many events, in which nothing is adopted and nobody wins."""
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7, terms={"win.points": 10**9}, anew=True)
    while len(game.timeline.moments) < events:
        game.propose(game.player, nb.enact("Nothing."))
        finish_turn(game)
    return game


def finish_turn(game: nb.Game) -> None:
    """Vote the proposal down, and roll the die."""
    player = game.player
    for name in game.players:
        game.vote(name, "against" if name == "Cleo" else "for")
    game.roll(player, 1)


def milliseconds(look: Callable[[nb.Game], object], game: nb.Game) -> float:
    """Return the processor time that a look takes."""
    began = time.process_time()
    look(game)
    return (time.process_time() - began) * 1000


def told(times: list[float]) -> str:
    """Return the median of some times, with the least and the most."""
    return f"{median(times):6.1f} ({min(times):.1f} to {max(times):.1f})"


if __name__ == "__main__":
    read = argparse.ArgumentParser(description=__doc__)
    read.add_argument("frames", nargs="*", metavar="FRAME", help=", ".join(LOOKS))
    read.add_argument("--events", type=int, default=10_000)
    given = read.parse_args()
    game = long_game(given.events)
    for name in given.frames or LOOKS:
        look, first, more, again = LOOKS[name], list[float](), list[float](), list[float]()
        look(game)
        gc.collect()
        for _ in range(7):
            forget_made()
            first.append(milliseconds(look, game))
            game.propose(game.player, nb.enact("Nothing."))
            more.append(milliseconds(look, game))
            again.append(milliseconds(look, game))
            finish_turn(game)
        sys.stdout.write(f"{name:10} first {told(first)}, after an act {told(more)}, again {told(again)}\n")
