"""Where people start: one cell of the notebook that the README opens, and the game is on."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from browser.lab import ROOT, open_notebook, run_cell
from browser.people import Person

import nomic_nb as nb

pytestmark = pytest.mark.browser


def test_every_system_is_played_from_its_own_cell_with_the_mouse(page: Any, lab: tuple[str, Path]) -> None:
    url, root = lab
    opened = re.search(r"jupyter lab (notebooks/\S+)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert opened is not None
    shutil.copy(ROOT / opened[1], root)
    open_notebook(page, url, Path(opened[1]).name)
    sources = page.evaluate(
        "() => window.jupyterapp.shell.currentWidget.content.widgets.map((one) => one.model.sharedModel.source)"
    )
    cells = page.locator(".jp-Notebook .jp-Cell")
    for name in nb.rulesets().index:
        at = next(at for at, source in enumerate(sources) if source.startswith("import") and f'"{name}"' in source)
        run_cell(page, at)
        table = Person(page, cells.nth(at).locator(".nnb-live"))
        first = nb.new_game(name, ["Ann", "Ben", "Cleo"]).pending[0]
        if first.action != "propose":
            table.press(first.options[0] if first.options else "Begin turn")
        table.writes()
        if table.field("Number").count():
            table.field("Number").fill("7")
        table.propose("Be kind.")
        table.told("Ann proposes")
        for machine in ("Ben", "Cleo") if "machines=" in sources[at] else ():
            table.root.locator(".nnb-tile[data-cast]").filter(has_text=f"{machine} (machine)").wait_for()
        # Whoever runs the cell once more finds the game as it stands.
        before, letters = table.root.element_handle(), table.root.locator(".nnb-letters").inner_text()
        run_cell(page, at)
        page.wait_for_function("(before) => !before.isConnected", arg=before)
        table.root.locator(".nnb-letters").filter(has_text=letters).wait_for()
    history = next(at for at, source in enumerate(sources) if source.startswith("game.history"))
    run_cell(page, history)
    cells.nth(history).locator("td").filter(has_text="Be kind").first.wait_for()
    assert page.locator("[data-mime-type='application/vnd.jupyter.error']").count() == 0
