from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from browser.lab import FLAGS, PATIENCE, running_lab
from browser.people import Person

import nomic_nb as nb

#: The headless shell comes first, which draws no windows and takes a quarter of the time for each page.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
HERE = Path(__file__).parent
WIDE = {"width": 1200, "height": 900}
MISSING = [name for name in ("playwright", "jupyterlab") if not find_spec(name)] + ["Chromium"] * (CHROMIUM is None)

#: Files with tests that take long.
LONG = ("test_whole_lesson.py", "test_table_page.py", "test_lite.py", "test_hub.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes long, so that none is left in the end; then one process has all that shares JupyterLab."""
    own = [item for item in items if item.path.parent == HERE]
    ranked = sorted(own, key=lambda item: (item.path.name not in LONG, "lab" not in getattr(item, "fixturenames", ())))
    items[:] = [item for item in items if item.path.parent != HERE] + ranked


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    if MISSING:
        pytest.skip(
            f"there is no {' and no '.join(MISSING)}; they take Chromium and pip install --editable '.[browser]'"
        )
    from playwright import sync_api

    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=PATIENCE)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory, chromium: Any) -> Iterator[tuple[str, Path]]:
    """The address of a JupyterLab, and the folder that it serves."""
    root = tmp_path_factory.mktemp("root")
    with running_lab(root, tmp_path_factory.mktemp("home")) as url:
        yield url, root


@pytest.fixture
def device(chromium: Any) -> Iterator[Any]:
    """Makes devices that wait as long as it takes."""
    made: list[Any] = []

    def make(**how: Any) -> Any:
        made.append(chromium.new_context(**{"viewport": WIDE, **how}))
        made[-1].set_default_timeout(PATIENCE)
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture(scope="session")
def lab_pages(chromium: Any) -> Iterator[list[Any]]:
    """The page that shows JupyterLab, once there is one: it takes longer to load than what most tests do there."""
    pages: list[Any] = []
    yield pages
    for page in pages:
        page.context.close()


@pytest.fixture
def page(request: pytest.FixtureRequest, device: Any) -> Iterator[Any]:
    """A page that fails its test on any error in a script; with `lab`, JupyterLab, loaded anew if a test failed."""
    if "lab" not in request.fixturenames:
        page = device().new_page()
        yield from watched(page)
        page.close()
        return
    pages, failed = request.getfixturevalue("lab_pages"), request.session.testsfailed
    if not pages:
        context = request.getfixturevalue("chromium").new_context()
        context.set_default_timeout(PATIENCE)
        pages.append(context.new_page())
    pages[0].set_viewport_size(WIDE)
    try:
        # A panel of the notebook before may still have wanted to send something when its kernel was gone.
        yield from watched(pages[0], left_over="Cannot send")
    finally:
        pages[0].context.clear_permissions()
        pages[0].emulate_media(reduced_motion="null")
        if request.session.testsfailed > failed:
            pages.pop().context.close()


def watched(page: Any, left_over: str = "") -> Iterator[Any]:
    """Give a page, and fail on what went wrong in a script meanwhile, other than what was left over."""
    errors: list[str] = []

    def note(error: Any) -> None:
        errors.append(str(error))

    page.on("pageerror", note)
    yield page
    page.remove_listener("pageerror", note)
    assert [error for error in errors if not left_over or error != left_over] == []


@pytest.fixture
def opens(device: Any) -> Iterator[Any]:
    """Opens pages, each on a device of its own, and fails its test on any error in a script or of the policy."""
    pages: list[Any] = []
    errors: list[str] = []

    def open_(link: str, **how: Any) -> Person:
        page = device(**{"viewport": {"width": 1280, "height": 900}, **how}).new_page()
        pages.append(page)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.goto(link)
        return Person(page)

    yield open_
    for page in pages:
        page.close()
    assert [one for one in errors if "WebSocket" not in one] == []


@pytest.fixture
def served() -> Iterator[Any]:
    rooms: list[Any] = []

    def serve(game: nb.Game, **how: Any) -> Any:
        rooms.append(game.serve(**{"port": 0, **how}))
        return rooms[-1]

    yield serve
    for room in rooms:
        room.close()
