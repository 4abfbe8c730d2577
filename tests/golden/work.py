"""Count the work that golden games take, so that a loss of speed shows without a clock.

`python tests/golden/work.py` counts; `python tests/golden/work.py --keep` writes the counts to `work.json`, to which a
test compares later ones. A commit that does so says why.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from types import FrameType
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from golden.golden_games import GAMES, HERE

import nomic_nb as nb
from nomic_nb.engine.law.weighing import ClauseWeighing
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.notebook.panels.session import PanelHub, PanelViewer, hub_of_game
from nomic_nb.study.review import review

KEPT = HERE / "work.json"
#: Acts of each game that are shown to a page for every seat and to a wall.
SHOWN = 20
#: From Python 3.12 on these are no calls.
COMPREHENSIONS = {"<listcomp>", "<setcomp>", "<dictcomp>"}


def counted(counts: Counter[str], name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that counts how often it is called."""

    @wraps(function)
    def call(*args: Any, **named: Any) -> Any:
        counts[name] += 1
        return function(*args, **named)

    return call


def count_calls(function: Callable[[], object]) -> int:
    """Return how many functions of the package are called by a function."""
    here, called = str(Path(nb.__file__).parent), 0

    def note(frame: FrameType, event: str, _: object) -> None:
        nonlocal called
        code = frame.f_code
        called += event == "call" and code.co_name not in COMPREHENSIONS and code.co_filename.startswith(here)

    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(None)
    return called


def count(system: str) -> dict[str, int]:
    """Play a golden game again before pages that are open, review a change in it, and return what that took."""
    counts: Counter[str] = Counter()
    whole = nb.load(HERE / f"{system}.jsonl").timeline
    patched = [(ClauseWeighing, "_weigh_applicable", "evaluations"), (Engine, "emit", "events"),
               (PanelHub, "send_changes", "paints"), (review, "_make_review", "reviews")]  # fmt: skip
    before = [getattr(owner, name) for owner, name, _ in patched]
    for (owner, name, said), function in zip(patched, before, strict=True):
        setattr(owner, name, counted(counts, said, function))
    try:
        timeline = Timeline(whole.setting)
        game = nb.Game(timeline)
        hub = hub_of_game(game)
        # At once, and in this thread.
        hub._send_changes_later, hub._start_trials = hub.send_changes, lambda: None  # type: ignore[method-assign]

        def hear(text: str) -> None:
            counts["bytes sent"] += len(text.encode())

        viewers = [hub.add_viewer(PanelViewer(hear, f"hand {seat}", seat, "player")) for seat in whole.setting.players]
        viewers.append(hub.add_viewer(PanelViewer(hear, "wall", None, "wall")))
        for viewer in viewers:
            hub.send_whole_view(viewer)
        for _ in range(SHOWN):
            timeline.repeat_event(whole.events[len(timeline.moments)])
        for viewer in viewers:
            hub.remove_viewer(viewer)
        while len(timeline.moments) < len(whole.moments):
            timeline.repeat_event(whole.events[len(timeline.moments)])
        change = nb.repeal(game.rules.frame.index[-1])
        counts["calls in a review"] = count_calls(lambda: game.review(timeline.state.names_of_players[0], change))
    finally:
        for (owner, name, _), function in zip(patched, before, strict=True):
            setattr(owner, name, function)
    return dict(sorted(counts.items()))


if __name__ == "__main__":
    found = {system: count(system) for system in GAMES}
    if "--keep" in sys.argv:
        KEPT.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(json.dumps(found))
