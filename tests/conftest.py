from __future__ import annotations

import gc
import logging
import os
import sys
from collections.abc import Iterator

import pytest
from beginnings import share_games

from nomic_nb.chess import extension  # noqa: F401 - the law has its words of boards before tests list what it has
from nomic_nb.notebook.panels.session import PanelHub

PanelHub._start_search = lambda _: None  # type: ignore[method-assign]  # it would go on behind other tests
sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]  # jsonschema does without; its grammars take seconds

#: Objects to be made before those without use are looked for: states share so much that looking takes long.
MANY_OBJECTS = 100_000
gc.disable()  # until all tests are read


def pytest_configure(config: pytest.Config) -> None:
    """Let other processes and the next run read what one has compiled, and tests of one file share a process."""
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        sys.dont_write_bytecode = False
    if config.getoption("numprocesses", None) and not hasattr(config, "workerinput"):  # others read them
        gc.enable()
    if config.getoption("dist", "no") == "load":  # tests of one file stay in one process, and share what it has set up
        config.option.dist = "worksteal"


def pytest_collection_finish() -> None:
    """Look for dead objects again, but seldom within a test."""
    sweep()
    gc.set_threshold(15 * MANY_OBJECTS, 1_000, 1_000)
    gc.enable()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Share how games begin; look through all objects between two tests, if there are many new ones."""
    share_games(item)
    if gc.get_count()[0] >= MANY_OBJECTS:
        sweep()


def pytest_sessionfinish() -> None:
    """Leave what is left to the end of the process, which frees all at once."""
    gc.freeze()


def sweep() -> None:
    """Drop what is dead, and never again look through what outlives its test."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def swept() -> None:
    """What a test drops is soon found to be dead, since it alone is looked through."""
    sweep()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell in one line that nothing was tried in a browser, and what is missing for it."""
    skipped = [one for one in terminalreporter.stats.get("skipped", ()) if {"browser", "in_browser"} & {*one.keywords}]
    for reason in sorted({one.longrepr[2].removeprefix("Skipped: ") for one in skipped}):
        count = sum(one.longrepr[2].endswith(reason) for one in skipped)
        terminalreporter.write_line(f"{count} tests in a browser were not run: {reason}", yellow=True)


@pytest.fixture
def planted(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """Say that a test plants a fault of the kit."""
    return caplog


@pytest.fixture(autouse=True)
def _no_fault_of_the_kit_goes_unseen(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail where the kit has left a clause out because of an error of its own, unless the test plants one."""
    found: list[logging.LogRecord] = []
    seeing = logging.Handler()
    seeing.emit = found.append  # type: ignore[method-assign]
    log = logging.getLogger("nomic_nb")
    log.addHandler(seeing)
    log.setLevel(logging.DEBUG)
    yield
    log.removeHandler(seeing)
    log.setLevel(logging.NOTSET)
    if "planted" not in request.fixturenames:
        assert not found, [(one.getMessage(), one.exc_info) for one in found]
