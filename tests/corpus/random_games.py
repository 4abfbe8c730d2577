"""Games at random under rules of real players: python -m corpus.random_games --games 300 (from tests/)."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from corpus.corpus import corpus

import nomic_nb as nb
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.study.playouts import BrokenGame, Playout, play_out, random_change

SYSTEMS = ("discordian-nomic", "cabinet-nomic", "github-nomic", "nomic-chess", "make-a-rule")
NAMES = ("Ann", "Ben", "Cleo", "Dan")
#: Turns of one game.
TURNS = 12


def wish_of_the_corpus(game: Timeline, dice: random.Random) -> nb.Change:
    """Return a rule of real players mostly; else something out of the library, or done to a rule."""
    if dice.random() < 0.3:
        return random_change(game, dice)
    return nb.enact(
        "As real players had it.", law=dice.choice([one.clauses for one in corpus().values() if one.clauses])
    )


def play(system: str, seed: int, turns: int = TURNS) -> Playout:
    """Play one game at random."""
    return play_out(system, list(NAMES[: 2 + seed % 3]), seed, turns, wish_of_the_corpus)


def replayed(game: nb.Game) -> nb.Game:
    """Return the game as its record gives it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        game.save(path)
        return nb.load(path)


def fault_of(system: str, seed: int, turns: int = TURNS) -> str:
    """Play one game and replay it; say what was wrong, nothing where all is well."""
    try:
        game = nb.Game(play(system, seed, turns).timeline)
        same = replayed(game).state.digest() == game.state.digest()
    except BrokenGame as broken:
        return broken.what
    except Exception as error:  # noqa: BLE001 - a game that raises is what is looked for; it is reported
        return f"{type(error).__name__}: {error}"
    return "" if same else "the record does not replay to the same state"


def main() -> int:
    """Play many games, and tell of those in which something was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--first", type=int, default=0, help="the seed of the first game")
    parser.add_argument("--turns", type=int, default=TURNS)
    given = parser.parse_args()
    found: Counter[str] = Counter()
    for seed in range(given.first, given.first + given.games):
        system = SYSTEMS[seed % len(SYSTEMS)]
        fault = fault_of(system, seed, given.turns)
        found["broken" if fault else "replayed"] += 1
        if fault:
            sys.stdout.write(f"{system}, seed {seed}: {fault}\n")
    sys.stdout.write(f"{given.games} games: {dict(found)}\n")
    return 1 if found["broken"] else 0


if __name__ == "__main__":
    sys.exit(main())
