"""Pupils, drafts and reasons are stored beside the games of a class before a phone hears that this was done."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from nomic_nb.engine.errors import IllegalAction, RecordError
from nomic_nb.notebook.store.journal import GameStore

#: JSON data to store, by kind and name.
Rows = dict[tuple[str, str], Any]


class Keeper:
    """Stores changes beside a game, in a thread, because other phones need not wait for the disk.

    Parameters
    ----------
    store : GameStore, optional
        Where it is kept; without one, nothing is.
    game : str
        The game that it is beside; empty for the class.
    rows : callable
        Returns what is to be kept, as it is now.
    """

    def __init__(self, store: GameStore | None, game: str, rows: Callable[[], Rows]) -> None:
        self.store, self.game, self.rows = store, game, rows
        self.kept: Rows = store.rows_beside(game) if store is not None else {}
        #: Why it could not be written the last time; empty if it could.
        self.fault = ""
        self._waiting: list[Callable[[], None]] = []
        self._is_writing = False

    def keep(self, then: Callable[[], None] = lambda: None) -> None:
        """Call `then`, in the order of these calls, once everything as it is now was written or cannot be."""
        if self.store is None:
            then()
            return
        self._waiting.append(then)
        if not self._is_writing:
            self._keep_all()

    def _keep_all(self) -> None:
        """Write what has changed, and again what changes meanwhile."""
        while self._waiting:
            waiting, self._waiting = self._waiting, []
            if (rows := self.rows()) != self.kept:
                try:
                    written = asyncio.get_running_loop().run_in_executor(None, self._write, rows)
                except RuntimeError:  # the server is ending and starts no thread any more
                    self._write(rows)
                else:
                    self._is_writing = True
                    written.add_done_callback(partial(self._confirm, waiting))
                    return
            for then in waiting:
                then()

    def _confirm(self, waiting: list[Callable[[], None]], _: object) -> None:
        """Tell what waited that it was written; go on with what came meanwhile."""
        self._is_writing = False
        for then in waiting:
            then()
        self._keep_all()

    def _write(self, rows: Rows) -> None:
        """Replace the stored rows with these; note why if this fails."""
        changed = {key: row for key, row in rows.items() if self.kept.get(key) != row}
        try:
            if self.store is not None:
                self.store.write_beside(self.game, changed, self.kept.keys() - rows.keys())
            self.kept, self.fault = rows, ""
        except RecordError as error:  # the lesson continues, and the host page shows it
            self.fault = str(error)

    def restore(self, take: Callable[[str, str, Any], None]) -> None:
        """Call `take` with kind, name and content of everything that is kept.

        Raises
        ------
        RecordError
            Another program has altered some of it.
        """
        store = self.store
        if store is None:
            return
        for (kind, name), body in self.kept.items():
            try:
                take(kind, name, body)
            except (IllegalAction, TypeError, ValueError, LookupError, AttributeError):
                raise store.altered_row_error(kind, name) from None

    def close(self) -> None:
        """Write everything as it is now, once the server has ended."""
        if (rows := self.rows()) != self.kept:
            self._write(rows)
