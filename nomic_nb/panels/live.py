"""Which panels look at a game, and when they look again.

A panel listens to its game's table. While a cell runs, which may make hundreds of moves, it looks
again now and then and once the cell is done; a click in a panel is seen in every panel at once.
"""

from __future__ import annotations

import sys
import threading
import time
import weakref
from typing import Any, Protocol

from nomic_nb.live.cells import WATCH
from nomic_nb.play.state import State
from nomic_nb.play.table import Table

#: Seconds that a panel waits at least before it looks again while a cell runs.
PAUSE = 0.5


class Looking(Protocol):
    """What a panel is to those who tell it of changes."""

    seen: State | None
    seat: str | None

    def refresh(self) -> None:
        """Look at the game again."""

    def close(self) -> None:
        """Look no more."""


class Session:
    """The panels of one session, by game, and whether a cell is running."""

    def __init__(self) -> None:
        self.panels: weakref.WeakKeyDictionary[Table, list[Looking]] = weakref.WeakKeyDictionary()
        self.places: weakref.WeakKeyDictionary[Looking, tuple[str | None, int]] = weakref.WeakKeyDictionary()
        self.running, self.runs = False, 0
        self.shell: Any = None
        self.clicks = threading.local()
        self.looked = 0.0

    # --------------------------------------------------------------------------------- panels of a game

    def open(self, table: Table, panel: Looking) -> None:
        """Let a panel hear of every change; one that an earlier run of the same cell opened is closed."""
        self._attach()
        here = (WATCH.cell, self.runs)
        for other in tuple(self.panels.get(table, ())):
            cell, count = self.places[other]
            if cell is not None and cell == here[0] and count != here[1] and other.seat == panel.seat:
                other.close()
        if table not in self.panels:
            self.panels[table] = []
            table.listeners.append(Ear(self, table))
        self.panels[table].append(panel)
        self.places[panel] = here

    def shut(self, table: Table, panel: Looking) -> None:
        """Let a panel hear of nothing more."""
        panels = self.panels.get(table, [])
        panels[:] = [one for one in panels if one is not panel]

    def changed(self, table: Table) -> None:
        """Let the panels of a game look again, soon."""
        if self.running and not getattr(self.clicks, "under_way", False):
            if time.monotonic() - self.looked < PAUSE:
                return
            self.looked = time.monotonic()
        self.look(table)

    def look(self, table: Table) -> None:
        """Let the panels of a game look again, now."""
        for panel in tuple(self.panels.get(table, ())):
            panel.refresh()

    # ------------------------------------------------------------------------------------------- cells

    def _attach(self) -> None:
        """Learn from the session, where there is one, when cells run. The one that asks is running."""
        ipython = sys.modules.get("IPython")
        shell = ipython.get_ipython() if ipython is not None else None
        if shell is None or shell is self.shell:
            return
        self.shell = shell
        self.running = not getattr(self.clicks, "under_way", False)
        shell.events.register("pre_run_cell", self._before)
        shell.events.register("post_run_cell", self._after)

    def _before(self, _: Any) -> None:
        self.running = True
        self.runs += 1

    def _after(self, _: Any) -> None:
        self.running = False
        for table, panels in tuple(self.panels.items()):
            if any(panel.seen is not table.state for panel in panels):
                self.look(table)


class Ear:
    """What a table calls when it has changed. It keeps no game alive.

    Parameters
    ----------
    session : Session
        Knows the panels.
    table : Table
        The game.
    """

    def __init__(self, session: Session, table: Table) -> None:
        self.session, self.table = session, weakref.ref(table)

    def __call__(self) -> None:
        """Pass it on."""
        table = self.table()
        if table is not None:
            self.session.changed(table)


#: The one session of this process.
SESSION = Session()
