"""Golden games: one recorded game of each system, with what each act made of it.

A change that is meant to change nothing leaves them as they are. `python tests/golden/golden_games.py` plays and
records them again, and with `--states` what the acts of the recorded ones make; a commit that does so says why.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from play_helpers import replay_of_a_record

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
#: What replays with the acts of a record are called.
RECORDED = "recorded"
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


def replayed_record() -> nb.Game:
    """Return the replay of a small record that needs each act of a record."""
    game = replay_of_a_record(NAMES[:3])
    game.propose("Ann", nb.enact("Hello."), 11, rule_number=24)
    game.vote("Ann", "for")
    game.host.record_outcome(11, True, reason="as recorded", in_favour=["Ben"], against=["Cleo"])
    game.host.set_aside("the roll is not recorded")
    game.host.record_report("Cleo", "hums")
    game.host.record_proposal("Cleo", nb.amend(101, "Play on."), 24)
    game.host.record_outcome(24, False, reason="closed early", against=["Ben"])
    game.host.correct('put points of "Ann" at 12', reason="the board says so")
    game.host.set_aside("Ben proposed nothing")
    return game


def games() -> Iterator[tuple[str, nb.Game]]:
    """Yield the name of each golden game, and the game as it is played now."""
    for system, (count, seed, turns) in GAMES.items():
        yield system, nb.Game(play_out(system, NAMES[:count], seed, turns).timeline)
    yield RECORDED, replayed_record()


def write_states(path: Path) -> int:
    """Write what came of each act of a record beside it; return how many acts there were."""
    lines = list(steps(path))
    path.with_suffix(".golden").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(lines)


def main(only: list[str]) -> None:
    """Record these games, or all, and what came of each act."""
    if only == ["--states"]:
        for path in sorted(HERE.glob("*.jsonl")):
            write_states(path)
        return
    for system, game in games():
        if only and system not in only:
            continue
        path = HERE / f"{system}.jsonl"
        game.save(path)
        acts, kinds = write_states(path), {event.kind for event in game.timeline.events}
        sys.stdout.write(f"{system}: {acts} acts, {len(game.timeline.events)} events of {len(kinds)} kinds\n")


if __name__ == "__main__":
    main(sys.argv[1:])
