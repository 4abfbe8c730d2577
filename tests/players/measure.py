"""Measure how the kit's own player does against two that play at random; nothing here runs as a test.

`python tests/players/measure.py [SYSTEM …] [--games 60] [--turns 60] [--level fair]` plays games in one process and
prints how many the player won or was ahead in, with an interval, and the processor time of its replies. `--person`
lets two such players play with one at random instead, and prints after how many turns somebody wins.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import defaultdict

import nomic_nb as nb
from nomic_nb.study.intervals import wilson

NAMES = ["Ann", "Ben", "Cleo"]
SYSTEMS = {"discordian-nomic": 60, "cabinet-nomic": 60, "github-nomic": 60, "nomic-chess": 20, "make-a-rule": 20}


def timed(player, spent):
    """Return a player whose processor time is noted by the kind of act."""

    def decide(view):
        start = time.process_time()
        reply = player(view)
        action = next((one["action"] for one in view["asked"] if reply and one["key"] == reply.get("key")), "pass")
        spent[action].append(time.process_time() - start)
        return reply

    decide.kind = player.kind
    return decide


def share_of_win(game, player: str) -> float:
    """Return 1 for a win, or the lead in a game cut short; a part of it if that is shared."""
    best = game.winners
    if not game.state.over:
        view = game.seat(player).view(remarks=False)
        far = {name: nb.players.prospects(view, name) for name in game.state.person_names}
        best = [name for name, value in far.items() if value == max(far.values())]
    return (player in best) / max(len(best), 1)


def measure(system: str, games: int, turns: int, level: str, *, person: bool) -> None:
    """Play the games, and print what came of them."""
    spent, shares, ended, lengths = defaultdict(list), [], defaultdict(int), []
    for seed in range(games):
        game = nb.new_game(system, NAMES, seed=seed, anew=True)
        own = NAMES[seed % len(NAMES)]
        players = {name: nb.players.random(seed * 7 + at) for at, name in enumerate(NAMES)}
        for name in [one for one in NAMES if (one != own) is person]:
            players[name] = timed(nb.players.sensible(seed, level), spent)
        played = nb.play(game, players, until=turns, remarks=False, retries=6, stand_in=nb.players.random(99))
        shares.append(share_of_win(game, own))
        ended["over" if played.ended == "over" else played.ended] += 1
        lengths.append(game.turn)
        assert not played.count("failed"), played.ended
    _, low, high = wilson(sum(shares), games)
    who = "the one at random" if person else f"sensible ({level})"
    lines = [
        f"{system}: {who} won or ahead in {sum(shares):.1f} of {games} (95 %: {low:.2f} to {high:.2f})",
        f"  ended: {dict(ended)}; median length {statistics.median(lengths)} turns, longest {max(lengths)}",
    ]
    for action, seconds in sorted(spent.items()):
        mean, longest = statistics.mean(seconds), max(seconds)
        lines.append(f"  {action}: {len(seconds)} replies, mean {mean:.3f} s, longest {longest:.3f} s")
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    read = argparse.ArgumentParser(description=__doc__)
    read.add_argument("systems", nargs="*", default=list(SYSTEMS))
    read.add_argument("--games", type=int, default=60)
    read.add_argument("--turns", type=int)
    read.add_argument("--level", default="fair")
    read.add_argument("--person", action="store_true")
    given = read.parse_args()
    for name in given.systems:
        measure(name, given.games, given.turns or SYSTEMS[name], given.level, person=given.person)
