"""The first notebook is run with the fast tests; the others, by ``pytest -m slow``."""

from __future__ import annotations

import pytest

RUN_FIRST = "00_start_here"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Call slow what runs any other notebook."""
    for item in items:
        if "run" in getattr(item, "fixturenames", ()) and item.path.name == "test_notebooks.py":
            assert isinstance(item, pytest.Function)
            if item.callspec.params["path"].stem != RUN_FIRST:
                item.add_marker(pytest.mark.slow)
