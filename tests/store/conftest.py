"""Every test begins with a session that knows nothing."""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from store.stores import Notebook

from nomic_nb.notebook.live.cells import CELL_WATCH


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.sqlite"


@pytest.fixture
def notebook() -> Iterator[Notebook]:
    found = Notebook()
    found.restart()
    gc.freeze()  # what other tests have left need not be looked through whenever this one forgets a game
    yield found
    CELL_WATCH.__init__()  # type: ignore[misc]
