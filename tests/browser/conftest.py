from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from browser.lab import FLAGS, PATIENCE, running_lab

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
def page(chromium: Any) -> Iterator[Any]:
    """A page that fails its test on any error in a script."""
    context = chromium.new_context(viewport={"width": 1200, "height": 900})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []
