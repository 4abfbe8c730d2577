"""What is read of a panel when its kernel is gone: law, boards and tally, in an output of their own below it.

A saved notebook keeps nothing of a widget. So a panel that a cell displays has a second output, plain and folded,
that follows the game; saving the notebook keeps it as it stands.
"""

from __future__ import annotations

import time
from typing import Any, Protocol

from IPython import get_ipython
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.display import display

from nomic_nb.engine.threads import Lock, start_timer
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.live.cells import CELL_WATCH
from nomic_nb.notebook.markup.tree import build_element
from nomic_nb.notebook.markup.writer import PlainTextWriter
from nomic_nb.notebook.panels.history_view import last_unsealed_event
from nomic_nb.notebook.panels.session import call_on_change
from nomic_nb.notebook.show import enclose
from nomic_nb.notebook.show.game import draw_boards, draw_open_votes
from nomic_nb.notebook.show.law import draw_law_book

#: Seconds between two updates at least, and from the first act after a rest to its update.
APART, SOON = 2.0, 0.3


class OutputHandle(Protocol):
    """An output that can be put in another's place."""

    def update(self, obj: object, **options: Any) -> None:
        """Replace the content of the output."""


class StaticCopy:
    """Law, boards and tally of a game in an output of their own, which follows the game.

    Parameters
    ----------
    game : BaseGame
        The game.
    """

    def __init__(self, game: BaseGame) -> None:
        self.game = game
        self._due, self._ended, self._last = False, False, time.monotonic()
        self._flag = Lock()
        self._data = static_page_data(game)
        self._handle: OutputHandle | None = display(self._data, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        self._ear = call_on_change(game.timeline, self.schedule_refresh)

    def schedule_refresh(self) -> None:
        """Schedule a refresh, because the game has changed."""
        with self._flag:
            if self._due or self._ended:
                return
            self._due = True
        start_timer(self._refresh_or_reschedule, max(SOON, self._last + APART - time.monotonic()))

    def _refresh_or_reschedule(self) -> None:
        with self._flag:
            self._due = False
        if (
            CELL_WATCH.is_rewound(self.game.timeline) or _is_output_captured()
        ):  # the game is not as it stands, or nothing would be seen
            self.schedule_refresh()
        else:
            self.refresh()

    def refresh(self) -> None:
        """Show the game as it stands now, if that differs from what is shown."""
        data = static_page_data(self.game)
        with self._flag:
            self._last = time.monotonic()
            if self._ended or self._handle is None or data == self._data:
                return
            self._data = data
            self._handle.update(data, raw=True)

    def stop_following(self) -> None:
        """Stop following the game; what is shown stays."""
        with self._flag:
            self._ended = True
        listeners = self.game.timeline.listeners
        if self._ear in listeners:
            listeners.remove(self._ear)


def _is_output_captured() -> bool:
    """Tell whether output of this thread is captured by a cell."""
    return isinstance(getattr(get_ipython(), "display_pub", None), CapturingDisplayPublisher)


def static_page_data(game: BaseGame) -> dict[str, str]:
    """Return law, boards and tally of a game as folded HTML and as plain text.

    What sealed ballots brought about is not in it. It is drawn of a game that stands still, without its lock:
    whoever acts does not wait.

    Examples
    --------
    >>> from nomic_nb.notebook.opening_games import new_game
    >>> made = static_page_data(new_game("discordian-nomic", ["Ann", "Ben"], seed=7))
    >>> sorted(made), "Everyone keeps the rules" in made["text/html"]
    (['text/html', 'text/plain'], True)
    """
    timeline = game.timeline
    with timeline.lock:
        last = len(timeline.moments)
        past = game.at(last_unsealed_event(timeline, last)) if last else game
    sentence = past.result if past.over else f"turn {past.turn}"
    element = build_element(
        "details",
        build_element("summary", f"To be read without a kernel: {past.ruleset.title}, {sentence}"),
        build_element(
            "p", past.result or (f"{past.player} is at turn." if past.player else "No single turn is under way.")
        ),
        draw_boards(past),
        draw_open_votes(past, remarked=False) or build_element("p", "No vote is open."),
        draw_law_book(past.rules),
    )
    return {"text/html": enclose(element), "text/plain": PlainTextWriter().write(element)}
