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

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
MISSING = [name for name in ("playwright", "jupyterlab") if not find_spec(name)] + ["Chromium"] * (CHROMIUM is None)


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
        made.append(chromium.new_context(**{"viewport": {"width": 1200, "height": 900}, **how}))
        made[-1].set_default_timeout(PATIENCE)
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def page(device: Any) -> Iterator[Any]:
    """A page that fails its test on any error in a script."""
    page = device().new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    page.close()
    assert errors == []


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
