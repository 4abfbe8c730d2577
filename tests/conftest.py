from __future__ import annotations

import atexit
import gc
import os
import shutil
import sys
import tempfile

import pytest


def pytest_configure() -> None:
    """Let kernels and other processes that tests start read what one has compiled, also where nothing is to be kept."""
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        compiled = tempfile.mkdtemp()
        atexit.register(shutil.rmtree, compiled, ignore_errors=True)
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = compiled
        sys.dont_write_bytecode = False


def pytest_collection_finish() -> None:
    """Look for circles of dead objects less often: states share so much that looking takes a fifth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell in one line that nothing was tried in a browser, and what is missing for it."""
    skipped = [one for one in terminalreporter.stats.get("skipped", ()) if "browser" in one.keywords]
    for reason in sorted({one.longrepr[2].removeprefix("Skipped: ") for one in skipped}):
        count = sum(one.longrepr[2].endswith(reason) for one in skipped)
        terminalreporter.write_line(f"{count} tests in a browser were not run: {reason}", yellow=True)
