"""Games that many tests begin alike: each is begun once, and every test goes on from there in a copy of its own.

States never change, so a copy is as good as a game that was just begun, and what the law says in the first turn need
not be found out again. A test that meddles with the kit begins its own games.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from pathlib import Path

import pytest

import nomic_nb as nb
from nomic_nb.notebook.live.cells import CELL_WATCH

#: With these a test may change what the kit does, or count or measure it.
MEDDLING = {"monkeypatch", "planted", "benchmark"}
#: Whether games are shared in the test that runs now.
_SHARED = [False]
_BEGUN: dict[Hashable, nb.Game] = {}


def share_games(item: pytest.Item) -> None:
    """Let a test share how games begin, unless it meddles with the kit."""
    meddles = MEDDLING & set(getattr(item, "fixturenames", ())) or hasattr(getattr(item, "module", None), "mock")
    _SHARED[0] = not meddles


def once(key: Hashable, begin: Callable[[], nb.Game]) -> nb.Game:
    """Return a game that goes on from where `begin` brings one; it is called once for each key."""
    if not _SHARED[0] or CELL_WATCH.running_cell is not None:
        return begin()
    if key not in _BEGUN:
        _BEGUN[key] = begin()
    first = _BEGUN[key].timeline
    timeline = first.copy_with_events(first.moments)
    timeline.origin, timeline.kept = None, {}
    return nb.Game(timeline)


def new_game(ruleset: str | Path, players: Sequence[str], *, seed: int, **more: object) -> nb.Game:
    """Begin a game as `nomic_nb.new_game` does, once for all tests that begin it so."""
    text = ruleset.read_text(encoding="utf-8") if isinstance(ruleset, Path) else ruleset
    key = (text, tuple(players), seed, repr(sorted(more.items())))
    return once(key, lambda: nb.new_game(ruleset, list(players), seed=seed, **more))
