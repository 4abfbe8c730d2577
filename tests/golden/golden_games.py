"""Golden games: one recorded game of each system, with what each act made of it.

A change that is meant to change nothing leaves them as they are. `python tests/golden/golden_games.py` records them
again; a commit that does so says why.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nomic_nb as nb
from nomic_nb.engine.play.decisions import decisions
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.study.playouts import play_out

HERE = Path(__file__).parent
NAMES = ["Ann", "Ben", "Cleo", "Dan"]
#: Players, seed and turns of each game: short ones in which much happens.
GAMES = {
    "discordian-nomic": (3, 30, 14),
    "cabinet-nomic": (4, 41, 14),
    "github-nomic": (3, 12, 14),
    "nomic-chess": (2, 5, 14),
    "make-a-rule": (2, 8, 14),
}
#: Options that are written down; of more, only how many there are and what tells them from others.
MOST = 8


def offered(state: State) -> list[list[Any]]:
    """Return the open decisions as data: what a rewording leaves as it is."""
    return [
        [one.player, one.action, one.proposal, one.rule, one.id, one.must, one.takes, _options(one.options)]
        for one in decisions(state)
    ]


def _options(options: tuple[str, ...]) -> list[str] | str:
    if len(options) <= MOST:
        return list(options)
    letters = hashlib.sha256("\n".join(options).encode()).hexdigest()[:12]
    return f"{len(options)} options, {letters}"


def steps(path: Path) -> Iterator[str]:
    """Play a record again act by act, and yield a line for each: its last event, the state, the open decisions."""
    whole = nb.load(path).timeline
    timeline = Timeline(whole.setting)
    while len(timeline.moments) < len(whole.moments):
        timeline.repeat_event(whole.events[len(timeline.moments)])
        yield json.dumps([timeline.state.seq, timeline.state.digest()[:16], offered(timeline.state)])


def main() -> None:
    """Record all games, and what came of each act."""
    for system, (count, seed, turns) in GAMES.items():
        game = nb.Game(play_out(system, NAMES[:count], seed, turns).timeline)
        path = HERE / f"{system}.jsonl"
        game.save(path)
        lines = list(steps(path))
        path.with_suffix(".golden").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        kinds = {event.kind for event in game.timeline.events}
        sys.stdout.write(f"{system}: {len(lines)} acts, {len(game.timeline.events)} events of {len(kinds)} kinds\n")


if __name__ == "__main__":
    main()
