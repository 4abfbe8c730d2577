"""Games that are killed while they are played, to see whether anything is lost that was on the disk.

python tests/tools/kills.py game.sqlite --kills 50 --hands 2

Other processes play in one file: cells that run, run again and are edited, forks, seals, undoing. Each tells what
was done once it was. They are killed with -9 in the midst of it; then all that was told must be there, whole.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nomic_nb.engine.errors import IllegalAction, RecordError
from nomic_nb.engine.law.changes import enact
from nomic_nb.engine.play.values import Decision
from nomic_nb.notebook.game import Game
from nomic_nb.notebook.live.cells import CELL_WATCH, CellWatch
from nomic_nb.notebook.opening_games import new_game
from nomic_nb.notebook.store import game_store
from nomic_nb.notebook.store.game_store import KeptGame
from nomic_nb.notebook.store.journal import GameStore
from nomic_nb.study.library import simple_majority

PLAYERS = ("Ann", "Ben", "Cleo")
#: Events after which another game is begun, and seconds that a process plays before it is killed.
LONGEST, SHORTEST_LIFE, LONGEST_LIFE = 250, 0.02, 0.6


class Player:
    """Plays in a file until it is killed, and tells what it has done.

    Parameters
    ----------
    path : Path
        The file.
    seed : int
        What it does depends on it.
    tell : callable
        Takes a line for each step that was done.
    """

    def __init__(self, path: Path, seed: int, tell: Callable[[str], object]) -> None:
        self.path, self.tell = path, tell
        self.dice = random.Random(seed)
        self.cells: dict[str, int] = {}
        self.begin()

    def begin(self) -> None:
        """Go on with the last game of the file, or begin another one."""
        at = 1
        while True:
            name = f"game {at}"
            self.game = new_game("discordian-nomic", PLAYERS, seed=at, dice="committed", file=self.path, name=name)
            if self.game.state.seq < LONGEST and not self.game.over:
                break
            at += 1
        self.cells = {}

    def play(self) -> None:
        """Run a cell: a new one, or an earlier one again, as it was or edited; fork now and then."""
        if self.game.over or self.game.state.seq > LONGEST:
            self.begin()
        cell = f"{self.dice.getrandbits(32):08x}"
        if self.cells and self.dice.random() < 0.3:
            cell = self.dice.choice(list(self.cells))
        if cell not in self.cells or self.dice.random() < 0.3:
            self.cells[cell] = self.dice.getrandbits(32)
        CELL_WATCH.start_cell(cell, str(self.cells[cell]))
        try:
            self.acts(random.Random(self.cells[cell]))
        finally:
            CELL_WATCH.finish_cell(failed=False)
        self.done(self.game)

    def acts(self, dice: random.Random) -> None:
        """Do what a cell does; the same again, if it runs again."""
        game = self.game.fork() if dice.random() < 0.1 else self.game
        for _ in range(dice.randint(1, 4)):
            begun = time.perf_counter()
            try:
                self.act(game, dice)
            except IllegalAction:  # others were first, or it is not open in this way of the game
                continue
            self.done(game, time.perf_counter() - begun)

    def done(self, game: Game, took: float | None = None) -> None:
        """Tell it, once it is kept; what a cell that runs again does is not, until it is settled."""
        timeline = game.timeline
        with timeline.lock:
            kept = timeline.keeper
            if isinstance(kept, KeptGame) and not CELL_WATCH.is_rewound(timeline):
                seals = list(kept.store.unrevealed_openings(kept.game))
                self.tell(json.dumps([kept.game, kept.line_hashes[-1], seals, took]))

    @staticmethod
    def act(game: Game, dice: random.Random) -> None:
        """Do something that is open, or say something, or take a step back."""
        chance = dice.random()
        pending: list[Decision] = list(game.pending)
        one = dice.choice(pending) if pending else None
        if one is None or chance < 0.2:
            game.say(dice.choice(PLAYERS), f"word {dice.getrandbits(32)}")
            return
        if chance < 0.25:
            game.undo()
            return
        player = one.player or PLAYERS[0]
        if one.action == "propose":
            number = dice.getrandbits(16)
            game.propose(player, enact(f"Rule {number}.") if dice.random() < 0.5 else simple_majority().change(203))
        elif one.action == "vote":
            game.vote(player, dice.choice(["for", "for", "against"]), one.proposal)
        elif one.action in ("seal", "reveal", "roll"):
            getattr(game, one.action)(player)
        else:
            game.annotate("what now?")


@dataclass
class Told:
    """What was told before the kills, and what was found wrong after them."""

    kills: int = 0
    steps: int = 0
    faults: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    @property
    def p95(self) -> float:
        """Within how many seconds 95 of 100 acts were done, and on the disk."""
        return sorted(self.times)[int(len(self.times) * 0.95)] if self.times else 0.0


class Looker(CellWatch):
    """Opens what is left; no cell runs in it."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def tell(self, text: str) -> None:
        """Take down what cannot be read."""
        self.said.append(text)


def look(path: Path, told: Sequence[tuple[str, str, Sequence[str]]]) -> list[str]:
    """Say what is lost or torn of all that was told.

    Parameters
    ----------
    path : Path
        The file.
    told : sequence of (str, str, sequence of str)
        The game, the last line, and the commitments that were open.
    """
    store, looker, faults = GameStore(path), Looker(), []
    sound = store.query_rows("PRAGMA integrity_check")[0][0]
    if sound != "ok":
        faults.append(f"the file is damaged: {sound}")
    for game in {one for one, _, _ in told}:
        try:
            kept = game_store.open_game(store, game, looker)
        except RecordError as error:
            faults.append(f"torn: {error}")
            continue
        heads = {made for one in kept.known_branches for made in one.line_hashes}
        for name, head, seals in told:
            if name == game and head not in heads:
                faults.append(f"lost: {game}, {head}")
            faults += [
                f"{game}: nobody can open {one}" for one in seals if name == game and one not in kept.timeline.kept
            ]
    return faults + looker.said


def kill(path: Path, kills: int, hands: int, seed: int, show: Callable[[str], object] | None = None) -> Told:
    """Let processes play, kill them, look; again and again.

    Parameters
    ----------
    path : Path
        The file in which they play.
    kills : int
        How often.
    hands : int
        How many play at the same time.
    seed : int
        When they are killed, and what they do, depends on it.
    show : callable, optional
        Takes a line for each kill.
    """
    dice, found = random.Random(seed), Told()
    for at in range(kills):
        players = [_started(path, dice.getrandbits(32)) for _ in range(hands)]
        first = [_first(one) for one in players]
        time.sleep(dice.uniform(SHORTEST_LIFE, LONGEST_LIFE))
        found.faults += ["a player stopped by itself" for one in players if one.poll() is not None]
        for one in players:
            one.kill()
        lines = [*first, *(line for one in players for line in one.communicate()[0].splitlines(keepends=True))]
        told = [json.loads(line) for line in lines if line[:1] == "[" and line.endswith("]\n")]
        found.kills, found.steps = at + 1, found.steps + len(told)
        found.times += [took for *_, took in told if took is not None]
        found.faults += look(path, [(game, head, seals) for game, head, seals, _ in told])
        if show is not None:
            show(f"\r{at + 1} kills, {found.steps} steps told, {len(found.faults)} faults")
    return found


def _started(path: Path, seed: int) -> subprocess.Popen[str]:
    command = [sys.executable, __file__, str(path), "--play", str(seed)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def _first(player: subprocess.Popen[str]) -> str:
    """Return the first step that is told; before it, a line may say that the game is found."""
    return next((line for line in player.stdout or () if line.startswith("[")), "")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 1 where something was lost."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("file", type=Path, help="where they play; on the disk that is to be tried")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--hands", type=int, default=1, help="processes that play at the same time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--play", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    if asked.play is not None:
        player = Player(asked.file, asked.play, lambda line: print(line, flush=True))  # noqa: T201
        while True:
            player.play()
    found = kill(asked.file, asked.kills, asked.hands, asked.seed, sys.stderr.write if sys.stderr.isatty() else None)
    for fault in found.faults:
        sys.stdout.write(f"{fault}\n")
    sys.stdout.write(
        f"{found.kills} kills, {found.steps} steps told, {len(found.faults)} lost or torn; 95 of 100 acts were on the"
        f" disk within {1000 * found.p95:.1f} ms\n"
    )
    return 1 if found.faults else 0


if __name__ == "__main__":
    sys.exit(main())
