"""A saved notebook is read without its kernel: law, boards and tally stand below what was live."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from browser.lab import open_notebook, run_all, write_notebook
from browser.people import Person

pytestmark = pytest.mark.browser

CELLS = (
    'import nomic_nb as nb\ngame = nb.new_game("nomic-chess", ["Ann", "Ben", "Cleo"], seed=7)',
    "game.panel()",
    "import ipywidgets as w\nw.VBox([game.panel()])",
)
NASTY = "Be kind. <img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>"


def read(page: Any) -> str:
    """Unfold a rule below where the panel was, and return what can be read there."""
    below = page.locator(".jp-CodeCell").nth(1).locator(".jp-OutputArea-output").nth(1)
    below.locator("summary").filter(has_text="203").first.click()
    return str(below.inner_text())


def test_what_was_played_by_clicks_is_read_without_a_kernel(page: Any, lab: tuple[str, Path]) -> None:
    url, root = lab
    file = root / "afterwards.ipynb"
    write_notebook(file, [(cell, "") for cell in CELLS])
    open_notebook(page, url, file.name)
    run_all(page)
    table = Person(page, page.locator(".nnb-live").first)
    table.propose(NASTY)
    table.press("Ann votes for")
    table.told("Ann votes for proposal 301")
    below = page.locator(".jp-CodeCell").nth(1).locator(".jp-OutputArea-output").nth(1)
    below.get_by_text("1 for, 0 against").first.wait_for(state="attached")
    assert not below.get_by_text("1 for, 0 against").first.is_visible()  # the panel shows it
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")

    saved = json.loads(file.read_text())
    outputs = [cell["outputs"] for cell in saved["cells"]]
    assert [len(one) for one in outputs] == [0, 2, 1]  # in a box there is none beside the box
    assert "1 for, 0 against" in str(outputs[1][1]["data"]["text/html"])
    assert "widgets" not in saved["metadata"]

    saved["metadata"]["changed"] = "by another hand: the notebook is trusted no more"
    other = root / "afterwards_untrusted.ipynb"
    other.write_text(json.dumps(saved))
    for name, trusted in ((file.name, True), (other.name, False)):
        open_notebook(page, url, name)
        model = "window.jupyterapp.shell.currentWidget.content.widgets[1].model"
        assert page.evaluate(f"() => {model}.trusted") is trusted
        text = read(page)
        assert "1 for, 0 against" in text
        assert "Be kind. <img" in text
        assert "All must agree" in text
        assert "Armies" in text
        assert page.title() != "run"
        assert page.locator(".jp-OutputArea-output .nnb img[onerror], .jp-OutputArea-output script").count() == 0
