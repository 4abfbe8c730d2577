"""What `test_in_pyodide.py` runs in Pyodide, which returns what it found."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import sys
import threading
from pathlib import Path
from typing import Any

import nomic_nb as nb
from nomic_nb.notebook.panels.session import PanelViewer, hub_of_game

#: Records, and the players of a game of each system.
DATA = Path("/data")
NAMES = ["Ann", "Ben"]
TABLES = {
    "discordian-nomic": NAMES,
    "cabinet-nomic": [*NAMES, "Cleo", "Dan"],
    "github-nomic": [*NAMES, "Cleo"],
    "nomic-chess": NAMES,
    "make-a-rule": NAMES,
}
CHANGE = {"kind": "enact", "wording": "Everyone bows."}


def without_threads() -> str:
    """Say why no thread starts; empty if one does."""
    try:
        threading.Thread(target=print).start()
    except RuntimeError as error:
        return str(error)
    return ""


def digests() -> dict[str, str]:
    """Play records again, to the digests of their last states."""
    return {path.stem: nb.load(path).state.digest() for path in sorted(DATA.glob("*.jsonl"))}


def games() -> dict[str, int]:
    """Begin a game of each system and play; return the number of events."""
    counts = {}
    for system, names in TABLES.items():
        game = nb.new_game(system, names, seed=3)
        nb.play(game, {name: nb.players.random(seed=1) for name in names}, until=lambda now: now.state.seq > 20)
        game.save(f"{system}.jsonl")
        assert nb.load(f"{system}.jsonl").state.digest() == game.state.digest()
        counts[system] = game.state.seq
    return counts


def kept_in_a_file() -> list[int]:
    """Keep a game in a file; return how many events the file and the game have."""
    game = nb.new_game("discordian-nomic", NAMES, seed=7, file="games.sqlite")
    game.propose("Ann", nb.enact("Everyone bows."))
    db = sqlite3.connect("games.sqlite")
    stored = db.execute("SELECT max(last) FROM step").fetchone()[0]
    db.close()
    return [stored, game.state.seq]


async def at_a_panel() -> dict[str, Any]:
    """Propose at a panel, and wait until a machine has voted and the panel has been told."""
    game, sent = nb.new_game("discordian-nomic", NAMES, seed=7, machines={"Ben": "sensible"}, pause=0), []
    hub = hub_of_game(game)
    viewer = hub.add_viewer(PanelViewer(lambda text: sent.append(json.loads(text)), "panel 1", None, "table"))
    hub.receive(viewer, json.dumps({"open": True}))
    decisions = sent[0]["view"]["mine"]["decisions"].values()
    key = next(one["key"] for one in decisions if one["action"] == "propose")
    hub.receive(viewer, json.dumps({"id": "m1", "action": "propose", "key": key, "details": {"change": CHANGE}}))
    answers = [one for one in sent if "m1" in (one.get("done"), one.get("refused"))]

    def voters() -> list[str | None]:
        return [event.actor for event in game.timeline.events if event.kind == "balloted"]

    for _ in range(200):
        await asyncio.sleep(0.05)
        if voters() and viewer.step == game.state.seq and not hub._looking:
            break
    trouble = {name: str(why) for name, why in game.machines.trouble.items()}
    return {"answers": answers, "voters": voters(), "trouble": trouble, "behind": game.state.seq - viewer.step}


def refusals() -> dict[str, str]:
    """Return what is said of what cannot be had here, by what it is."""
    said = {}
    game = nb.new_game("discordian-nomic", NAMES, seed=7)
    for what, act in {"pages": game.serve, "frame": lambda: game.history.frame}.items():
        try:
            act()
        except OSError as error:
            said[what] = str(error)
        except ImportError as error:
            said[what] = str(error)
    return said


async def play() -> str:
    """Return what is found, as JSON."""
    found = {"platform": sys.platform, "threads": without_threads(), "digests": digests(), "games": games()}
    found |= {"kept": kept_in_a_file(), "panel": await at_a_panel(), "refused": refusals()}
    return json.dumps(found)
