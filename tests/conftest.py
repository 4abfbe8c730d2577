from __future__ import annotations

import gc

import pytest


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
