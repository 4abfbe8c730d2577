"""Cells and panels in JupyterLab: the line that plays on, presses as cells, and what is selected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browser.lab import open_notebook, run_all, run_cell, write_notebook
from browser.people import Person

pytestmark = pytest.mark.browser

BEGIN = 'import nomic_nb as nb\ngame = nb.new_game("{}", ["Ann", "Ben", "Cleo"], seed=7)'


def notebook(page: Any, lab: tuple[str, Path], name: str, *cells: str, system: str = "discordian-nomic") -> None:
    """Open a notebook that begins a game, and run it."""
    url, root = lab
    write_notebook(root / f"{name}.ipynb", [(cell, "") for cell in (BEGIN.format(system), *cells)])
    open_notebook(page, url, f"{name}.ipynb")
    run_all(page)


def output(page: Any, at: int) -> Any:
    return page.locator(".jp-CodeCell").nth(at).locator(".jp-OutputArea-output").first


def test_the_next_line_is_selected_with_a_click_pressed_and_copied(page: Any, lab: tuple[str, Path]) -> None:
    notebook(page, lab, "next", "game.panel()", "game", "", "")
    page.context.grant_permissions(["clipboard-read"])
    shown, table = output(page, 2), Person(page)
    line = shown.locator("code.nnb-line").first
    line.click()
    assert page.evaluate("() => String(getSelection())") == line.inner_text()
    assert line.inner_text().startswith("game.propose('Ann', nb.library.")

    table.root.get_by_text("As cells", exact=True).click()
    calls = table.root.locator(".nnb-calls")
    calls.filter(has_text="Everything so far was done in cells").wait_for()
    table.press(line.inner_text())
    table.told("Ann proposes 301")
    table.button("game.votes()").wait_for()
    calls.filter(has_text="game.propose(").wait_for()
    table.press("Copy the next line")
    assert page.evaluate("() => navigator.clipboard.readText()") == "game.votes()"
    run_cell(page, 3, "game.votes()\ngame")
    below = output(page, 3)
    below.get_by_text("Law: rule 301").wait_for()
    below.locator("code.nnb-line", has_text="game.roll('Ann')").wait_for()
    table.button("game.roll('Ann')").wait_for()
    assert "votes" not in calls.inner_text()  # a cell did it
    table.press("game.roll('Ann')")
    table.told("Ann rolls")
    run_cell(page, 4, "game")
    output(page, 4).get_by_text("Score: Ann 0 →").wait_for()


def test_what_is_selected_is_followed_and_set_by_cells(page: Any, lab: tuple[str, Path]) -> None:
    box = (
        "import ipywidgets as w\npanels = [game.proposal_panel(), game.tally_panel(), game.multiverse_panel()]\n"
        "told = w.HTML()\n"
        "def follow(_):\n    told.value = 'told: ' + ', '.join(one.selected or '–' for one in panels)\n"
        "for one in panels: one.observe(follow, 'selected')\nw.VBox([*panels, told])"
    )
    notebook(page, lab, "selected", "game.propose('Ann', nb.enact('Tea.'))", box, "", system="nomic-chess")
    page.locator(".nnb-live").nth(2).wait_for()
    proposal, tally, boards = (Person(page, page.locator(".nnb-live").nth(at)) for at in range(3))
    proposal.press("301 Tea")
    page.get_by_text("told: 301, –, –").wait_for()
    tally.press("Ben")
    page.get_by_text("told: 301, Ben, –").wait_for()
    boards.press(boards.root.locator(".nnb-small").nth(2))
    page.get_by_text("told: 301, Ben, ").filter(has_not_text="Ben, –").wait_for()

    run_cell(page, 3, "panels[0].selected, panels[1].selected, panels[2].selected = '', 'against', 'white.e2'")
    pressed = "[aria-label=Select] button[aria-pressed=true]"
    tally.root.locator(pressed, has_text="against").wait_for()
    assert tally.root.locator(pressed).count() == 1
    assert proposal.root.locator(pressed).count() == 0
    page.get_by_text("told: –, against, white.e2").wait_for()

    e2, e4 = (boards.root.locator(f"[data-square='white.{name}']") for name in ("e2", "e4"))
    boards.root.locator("[data-square='white.e2'][aria-selected=true]").wait_for()

    run_cell(page, 3, "game.votes()\npanels[2].selected = 'white.d2'\npanels[2].selected = 'white.e2'")
    boards.root.get_by_text("Pawn on e2").wait_for()  # it is picked up
    boards.press(e4)
    boards.told("Ann moves white.e2-white.e4")
    page.get_by_text("told: –, against, –").wait_for()
    assert e2.get_attribute("aria-selected") is None
