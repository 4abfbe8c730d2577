from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.lab import FLAGS, running_lab

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium")
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory, chromium: Any) -> Iterator[tuple[str, Path]]:
    """The address of a JupyterLab, and the folder that it serves."""
    pytest.importorskip("jupyterlab")
    root = tmp_path_factory.mktemp("root")
    with running_lab(root, tmp_path_factory.mktemp("home")) as url:
        yield url, root


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    """A page that fails its test on any error in a script."""
    context = chromium.new_context(viewport={"width": 1200, "height": 900})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []
