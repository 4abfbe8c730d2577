"""Many games at random, one after the other, to see whether any of them breaks.

python -m nomic_nb.playouts.soak github-nomic --games 1000 --workers 2
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from nomic_nb.begin import load, rulesets
from nomic_nb.playouts.playouts import TURNS, Broken, play_out

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal")


@dataclass(frozen=True)
class Outcome:
    """How one game went.

    Parameters
    ----------
    seed : int
        Its seed.
    ended : str
        ``won``, ``nobody won``, ``left`` after the last turn, or ``broken``.
    turns, events : int
        How long it was.
    fault : str
        What broke.
    """

    seed: int
    ended: str
    turns: int
    events: int
    fault: str = ""


def one_game(job: tuple[str, int, int, int]) -> Outcome:
    """Play one game; save it, load it, and compare.

    Parameters
    ----------
    job : tuple
        Rule set, number of players, seed, turns.
    """
    ruleset, count, seed, turns = job
    try:
        game = play_out(ruleset, list(NAMES[:count]), seed, turns).game
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "game.jsonl"
            game.save(path)
            again = load(path)
    except Broken as broken:
        return Outcome(seed, "broken", broken.game.turn, len(broken.game.table.events), broken.what)
    except Exception as error:  # noqa: BLE001 - a game that raises is what is looked for; it is reported
        return Outcome(seed, "broken", 0, 0, f"{type(error).__name__}: {error}")
    events = len(game.table.events)
    if again.state.digest() != game.state.digest():
        return Outcome(seed, "broken", game.turn, events, "the record does not replay to the same state")
    ended = ("won" if game.winners else "nobody won") if game.over else "left"
    return Outcome(seed, ended, game.turn, events)


def soak(
    ruleset: str,
    games: int,
    *,
    turns: int = TURNS,
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


def report(outcomes: Iterable[Outcome], *, show: bool) -> tuple[Counter[str], int, list[Outcome]]:
    """Count outcomes as they come, with a line of progress."""
    ended: Counter[str] = Counter()
    events, broken = 0, []
    for count, outcome in enumerate(outcomes, 1):
        ended[outcome.ended] += 1
        events += outcome.events
        if outcome.fault:
            broken.append(outcome)
        if show:
            sys.stderr.write(f"\r{count} games, {len(broken)} broken")
            sys.stderr.flush()
    if show:
        sys.stderr.write("\n")
    return ended, events, broken


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 1 where a game broke."""
    parser = argparse.ArgumentParser("python -m nomic_nb.playouts.soak", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("ruleset", choices=list(rulesets().index))
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--turns", type=int, default=TURNS)
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
        ended, events, broken = report(games, show=sys.stderr.isatty())
    except KeyboardInterrupt:
        return 130
    took = time.perf_counter() - begun
    for outcome in broken:
        sys.stdout.write(f"seed {outcome.seed}, turn {outcome.turns}: {outcome.fault}\n")
    said = ", ".join(f"{count} {how}" for how, count in ended.most_common())
    total = sum(ended.values())
    rate = f"{events} events, {total / took:.1f} games/s, {took:.0f} s"
    sys.stdout.write(f"{asked.ruleset}: {total} games ({said}), {rate}\n")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
