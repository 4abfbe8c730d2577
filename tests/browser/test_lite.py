"""JupyterLite with the kit, in Chromium: a notebook runs as it is, in a page and with no server behind it."""

from __future__ import annotations

from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from browser.lab import run_cell
from browser.people import Person
from site_helpers import TABLE, downloads, fetched, serving

pytestmark = pytest.mark.browser
#: Milliseconds until the kernel is there.
LOADED = 400_000
READY = """() => {
    const panel = window.jupyterapp?.shell.currentWidget;
    return panel?.sessionContext?.session?.kernel?.status === "idle" && panel.content.widgets.length > 0;
}"""
CODE_CELLS = """() => window.jupyterapp.shell.currentWidget.content.widgets
    .map((one, at) => one.model.type === "code" ? at : -1).filter((at) => at >= 0)"""
OUTPUTS = """(at) => window.jupyterapp.shell.currentWidget.content.widgets[at].model.outputs.toJSON()
    .map((one) => one.text ?? one.evalue ?? "").flat().join("")"""


@pytest.fixture(scope="module")
def site(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory, chromium: Any) -> Path:
    """The folder with the built JupyterLite."""
    if missing := [one for one in ("jupyterlite_core", "jupyterlite_pyodide_kernel") if not find_spec(one)]:
        pytest.skip(f"Not run: JupyterLite. There is no {' and no '.join(missing)}.")
    spec = spec_from_file_location("build_lite", TABLE.parent / "lite.py")
    assert spec is not None
    assert spec.loader is not None
    script = module_from_spec(spec)
    spec.loader.exec_module(script)
    return Path(script.build(tmp_path_factory.mktemp("lite"), fetched(pytestconfig))).parent


def test_the_first_notebook_runs_unchanged_and_a_cell_that_runs_again_takes_its_game_back(
    page: Any, site: Path
) -> None:
    elsewhere: list[str] = []
    own = ("http://127.0.0.1:", "data:", "blob:")
    page.on("request", lambda one: one.url.startswith(own) or elsewhere.append(one.url))
    page.context.route(f"{downloads.PACKAGES}**", lambda route: route.abort())
    page.set_default_timeout(LOADED)
    with serving(site) as (address, _):
        page.goto(f"{address}/play/notebooks/index.html?path=00_start_here.ipynb")
        page.wait_for_function(READY)
        first, second, third, *_ = page.evaluate(CODE_CELLS)
        run_cell(page, first)
        table = Person(page, page.locator(".jp-Notebook .jp-Cell").nth(first).locator(".nnb-live"))
        table.propose("Everyone bows.")
        table.root.locator(".nnb-tile[data-cast]").first.wait_for()
        # A game in a file on its drive, a cell that runs again, and a frame, for which a package is missing here.
        run_cell(page, second, 'kept = nb.new_game("discordian-nomic", ["Ann", "Ben"], file="a.sqlite")')
        act = 'kept.propose("Ann", nb.enact("Sing."))\nprint(len(kept.proposals), nb.open("a.sqlite", "game").kept)'
        for _ in range(2):
            run_cell(page, third, act)
            assert page.evaluate(OUTPUTS, third).startswith("1 saved in a.sqlite")
        assert elsewhere == []
        run_cell(page, third, "kept.history.frame")
        assert "import pandas" in page.evaluate(OUTPUTS, third)
    # Only a data frame is worth asking another host, and then that of Pyodide.
    assert any("/pandas-" in one for one in elsewhere)
    assert all(one.startswith(downloads.PACKAGES) for one in elsewhere)
