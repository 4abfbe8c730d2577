"""Many games at random, one after the other, to see whether any of them breaks.

python tests/tools/soak.py github-nomic --games 1000 --workers 2
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.record.event_sentences import sentence
from nomic_nb.notebook.game import Game
from nomic_nb.notebook.opening_games import load, rulesets
from nomic_nb.study.playouts import MOST_TURNS, BrokenGame, play_out

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal")


@frozen
class Outcome:
    """How one game went.

    Parameters
    ----------
    seed, players : int
        Its seed, and how many played.
    ended : str
        ``won``, ``nobody won``, ``left`` after the last turn, or ``broken``.
    turns, events : int
        How long it was.
    fault : str
        What broke.
    seconds : float
        How long playing, saving and loading took.
    """

    seed: int
    players: int
    ended: str
    turns: int
    events: int
    fault: str = ""
    seconds: float = 0.0

    def __str__(self) -> str:
        told = f": {self.fault}" if self.fault else ""
        length = f"{self.turns} turns, {self.events} events, {self.seconds:.0f} s"
        return f"seed {self.seed}, {self.players} players, {self.ended}, {length}{told}"


def one_game(job: tuple[str, int, int, int]) -> Outcome:
    """Play one game; save it, load it, and compare.

    Parameters
    ----------
    job : tuple
        Rule set, number of players, seed, turns.
    """
    begun = time.perf_counter()
    outcome = _outcome(*job)
    return replace(outcome, seconds=time.perf_counter() - begun)


def _outcome(ruleset: str, count: int, seed: int, turns: int) -> Outcome:
    try:
        game = Game(play_out(ruleset, list(NAMES[:count]), seed, turns).timeline)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "game.jsonl"
            game.save(path)
            again = load(path)
    except BrokenGame as broken:
        return Outcome(seed, count, "broken", broken.timeline.state.turn, len(broken.timeline.events), broken.what)
    except Exception as error:  # noqa: BLE001 - a game that raises is what is looked for; it is reported
        return Outcome(seed, count, "broken", 0, 0, f"{type(error).__name__}: {error}")
    events = len(game.timeline.events)
    fault = next((sentence(event) for event in game.timeline.events if event.kind == "failed"), "")
    if fault:
        return Outcome(seed, count, "broken", game.turn, events, fault)
    if (again.state.digest(), again.state.work) != (game.state.digest(), game.state.work):
        return Outcome(seed, count, "broken", game.turn, events, "the record does not replay to the same state")
    ended = ("won" if game.winners else "nobody won") if game.over else "left"
    return Outcome(seed, count, ended, game.turn, events)


def soak(
    ruleset: str,
    games: int,
    *,
    turns: int = MOST_TURNS,
    players: Sequence[int] = (2, 3, 4),
    first: int = 0,
    workers: int = 1,
) -> Iterator[Outcome]:
    """Play many games at random.

    Parameters
    ----------
    ruleset : str
        Which.
    games, turns : int
        How many, and how long at most.
    players : sequence of int
        How many players, by turns.
    first : int
        The seed of the first game; each next one has the next.
    workers : int
        Processes.
    """
    jobs = [(ruleset, players[seed % len(players)], seed, turns) for seed in range(first, first + games)]
    if workers == 1:
        yield from map(one_game, jobs)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(one_game, jobs, chunksize=4)


def report(outcomes: Iterable[Outcome]) -> tuple[Counter[str], int]:
    """Count outcomes as they come, with a line for each."""
    ended: Counter[str] = Counter()
    events = 0
    for outcome in outcomes:
        ended[outcome.ended] += 1
        events += outcome.events
        sys.stdout.write(f"{outcome}\n")
        sys.stdout.flush()
    return ended, events


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 1 where a game broke."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("ruleset", choices=list(rulesets().index))
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--turns", type=int, default=MOST_TURNS)
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4])
    parser.add_argument("--first", type=int, default=0, help="seed of the first game")
    parser.add_argument("--workers", type=int, default=1)
    asked = parser.parse_args(arguments)
    begun = time.perf_counter()
    try:
        games = soak(
            asked.ruleset, asked.games, turns=asked.turns, players=asked.players, first=asked.first,
            workers=asked.workers,
        )  # fmt: skip
        ended, events = report(games)
    except KeyboardInterrupt:
        return 130
    took = time.perf_counter() - begun
    said = ", ".join(f"{count} {how}" for how, count in ended.most_common())
    total = sum(ended.values())
    rate = f"{events} events, {total / took:.1f} games/s, {took:.0f} s"
    sys.stdout.write(f"{asked.ruleset}: {total} games ({said}), {rate}\n")
    return 1 if ended["broken"] else 0


if __name__ == "__main__":
    sys.exit(main())
