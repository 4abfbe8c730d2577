"""A session of IPython in this process, whose cells run with the identities that a front end sends, or without."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

import nomic_nb as nb
from nomic_nb.notebook.live.cells import CELL_WATCH
from nomic_nb.notebook.panels import magics


class Session:
    """Cells run one after another, as IPython runs them."""

    def __init__(self) -> None:
        self.shell = InteractiveShell()
        self.shell.history_manager.enabled = False
        magics.load_magics(self.shell)
        self.shell.user_ns["nb"] = nb

    def run(self, cell: str | None, code: str) -> Any:
        """Run a cell; return its value, or the error with which it ended."""
        result = self.shell.run_cell(code, store_history=True, cell_id=cell)
        return result.error_before_exec or result.error_in_exec or result.result

    @property
    def game(self) -> nb.Game:
        game = self.shell.user_ns["game"]
        assert isinstance(game, nb.Game)
        return game


@contextmanager
def session() -> Iterator[Session]:
    """Start a session that the kit follows, and forget it afterwards."""
    found = Session()
    CELL_WATCH.__init__()  # type: ignore[misc]
    CELL_WATCH.attach_to(found.shell)
    try:
        yield found
    finally:
        found.shell.history_manager.end_session()
        CELL_WATCH.__init__()  # type: ignore[misc]
