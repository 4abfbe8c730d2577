"""Play by clicks and by keys, and cells that are run again, in a real JupyterLab."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from browser.lab import ROOT, open_notebook, run_all, run_cell, write_notebook

pytestmark = pytest.mark.browser

BEGUN = 'import nomic_nb as nb\ngame = nb.new_game("{}", ["Ann", "Ben", "Cleo"], seed=7)'
#: What has the focus: the label or the tooltip, and what is chosen.
FOCUS = """() => {
    const one = document.activeElement;
    return [one.labels?.[0]?.innerText || one.title || one.className, one.selectedOptions?.[0]?.text ?? ''];
}"""


class Clicks:
    """A panel on a page, and what can be done with it."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.panel = page.locator(".nnb-panel")
        self.panel.locator("button").first.wait_for()

    def press(self, title: str) -> None:
        self.panel.locator(f"button[title='{title}']:visible").click()

    def says(self, text: str) -> None:
        """Wait until the status says so."""
        self.panel.get_by_role("status").filter(has_text=text).first.wait_for()

    def field(self, label: str) -> Any:
        return self.panel.get_by_label(label, exact=True).locator("visible=true")

    def focused(self, label: str) -> None:
        """Wait until a field or a button has the focus."""
        self.page.wait_for_function(f"(label) => ({FOCUS})()[0] === label", arg=label)


def begin(page: Any, lab: tuple[str, Path], name: str, system: str) -> Clicks:
    url, root = lab
    write_notebook(root / f"{name}.ipynb", [(BEGUN.format(system), ""), ("game.panel()", ""), ("game.latest(3)", "")])
    open_notebook(page, url, f"{name}.ipynb")
    run_all(page)
    page.locator(".jp-CodeCell").nth(2).locator(".jp-OutputArea-output").wait_for()
    return Clicks(page)


def test_the_first_notebook_runs_and_its_panel_plays_a_turn(page: Any, lab: tuple[str, Path]) -> None:
    url, root = lab
    shutil.copy(ROOT / "notebooks" / "01_a_game_of_nomic.ipynb", root)
    open_notebook(page, url, "01_a_game_of_nomic.ipynb")
    run_all(page)
    clicks = Clicks(page)
    assert page.locator("[data-mime-type='application/vnd.jupyter.error']").count() == 0

    clicks.field("Kind").select_option(label="propose a ready-made rule")
    clicks.field("Ready made").select_option(label="Another die")
    clicks.field("Sides").wait_for()
    clicks.press("Dora proposes this rule-change")
    clicks.says("Dora proposes 301")
    for name in ("Dora", "Emil", "Fay"):
        clicks.press(f"{name} votes for 301")
        clicks.says(f"{name} votes for 301")
    clicks.press("Dora throws")
    clicks.says("Emil's turn begins.")
    assert "Emil’s turn" in clicks.panel.inner_text()


def test_a_whole_turn_with_keys_alone(page: Any, lab: tuple[str, Path]) -> None:
    clicks, keys = begin(page, lab, "keys", "discordian-nomic"), page.keyboard
    clicks.field("Kind").wait_for()
    at = "(at) => document.activeElement === document.querySelectorAll('.jp-CodeCell')[at]"
    page.wait_for_function(at, arg=2)
    keys.press("ArrowUp")  # from the last cell to the one with the panel
    page.wait_for_function(at, arg=1)
    for _ in range(12):  # JupyterLab has some buttons in the corner of the cell
        keys.press("Tab")
        if page.evaluate(FOCUS)[0] == "Kind":
            break
    clicks.focused("Kind")
    # JupyterLab would go to the next cell at an arrow, and delete this one at d d.
    keys.press("ArrowDown")
    clicks.field("Rule").wait_for()
    keys.type("dd")
    assert page.evaluate(FOCUS) == ["Kind", "amend\N{NO-BREAK SPACE}a\N{NO-BREAK SPACE}rule"]
    assert page.locator(".jp-CodeCell").count() == 3
    keys.press("ArrowUp")
    clicks.field("Rule").wait_for(state="hidden")
    keys.press("Tab")
    keys.press("Tab")
    clicks.focused("Wording")
    keys.type("Be kind.")
    for _ in range(3):
        keys.press("Tab")
    clicks.focused("Ann proposes this rule-change")
    keys.press("Enter")
    for name in ("Ann", "Ben", "Cleo"):
        clicks.focused(f"{name} votes for 301")
        keys.press("Space")
        clicks.says(f"{name} votes for 301")
    clicks.focused("Ann throws")
    keys.press("Enter")
    clicks.says("Ben's turn begins.")
    clicks.focused("Kind")


def test_what_is_said_is_said_in_a_place_that_was_there_before(page: Any, lab: tuple[str, Path]) -> None:
    clicks = begin(page, lab, "said", "discordian-nomic")
    clicks.field("Law").fill("set vote.quorum to 2")
    clicks.field("Law").blur()
    clicks.says("there is no key vote.quorum")
    places = clicks.panel.get_by_role("status")
    before = places.element_handles()
    clicks.press("Ann proposes this rule-change")
    clicks.says("Not done: the text cannot be read.")
    assert clicks.field("Law").input_value() == "set vote.quorum to 2"
    clicks.focused("Ann proposes this rule-change")
    assert all(one.evaluate("(one) => one.isConnected") for one in before)


def test_a_seat_that_has_nothing_to_decide_keeps_the_focus_in_its_panel(page: Any, lab: tuple[str, Path]) -> None:
    url, root = lab
    write_notebook(root / "seat.ipynb", [(BEGUN.format("discordian-nomic"), ""), ('game.panel("Ann")', "")])
    open_notebook(page, url, "seat.ipynb")
    run_all(page)
    clicks = Clicks(page)
    clicks.field("Wording").fill("Be kind.")
    clicks.press("Ann proposes this rule-change")
    clicks.focused("Ann votes for 301")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.classList.contains('nnb-status')")
    assert page.evaluate("() => document.activeElement.innerText") == "Ann votes for 301."


def test_a_chess_move_in_the_panel(page: Any, lab: tuple[str, Path]) -> None:
    clicks, keys = begin(page, lab, "chess", "nomic-chess"), page.keyboard
    clicks.field("Wording").fill("Be kind.")
    clicks.press("Ann proposes this rule-change")
    for name in ("Ann", "Ben", "Cleo"):
        clicks.press(f"{name} votes for 301")
        clicks.says(f"{name} votes for 301")
    clicks.focused("Boards")
    keys.press("ArrowDown")
    page.get_by_alt_text("Boards white and green pushed together for white").wait_for()
    keys.press("Tab")
    clicks.focused("Piece")
    keys.type("pawn white.e")
    page.wait_for_function("() => [...document.querySelectorAll('option')].some((one) => one.text === 'white.e4')")
    keys.press("Tab")
    clicks.focused("To")
    keys.press("ArrowDown")
    keys.press("Tab")
    clicks.focused("Ann moves")
    keys.press("Enter")
    clicks.says("Ann moves white.e2-white.e4 with white and green")
    clicks.focused("Kind")
    assert "Pushed together last: white and green" in clicks.panel.inner_text()


def test_an_edited_cell_that_is_run_again_takes_the_game_back(page: Any, lab: tuple[str, Path]) -> None:
    url, root = lab
    cells = [
        BEGUN.format("discordian-nomic"),
        'game.propose("Ann", nb.enact("Be kind."))',
        'for name in game.players:\n    game.vote(name, "for")\ngame.proposals[301].outcome',
        'game.roll("Ann")\ngame.player',
        "game.forks",
    ]
    write_notebook(root / "again.ipynb", [(cell, "") for cell in cells])
    open_notebook(page, url, "again.ipynb")
    run_all(page)
    outputs = page.locator(".jp-CodeCell").locator(".jp-OutputArea-output")
    page.locator(".jp-CodeCell").nth(4).locator(".nnb").wait_for()
    assert page.locator(".jp-CodeCell").nth(4).locator("img").count() == 0

    run_cell(page, 2, cells[2].replace('"for")', '"against")'))
    page.locator(".jp-CodeCell").nth(2).locator(".jp-OutputArea-output", has_text="defeated").wait_for()
    run_cell(page, 4)
    forks = page.locator(".jp-CodeCell").nth(4)
    forks.locator("img").wait_for()
    run_cell(page, 3)
    page.locator(".jp-CodeCell").nth(3).locator(".jp-OutputArea-output", has_text="Ben").wait_for()
    assert outputs.filter(has_text="IllegalAction").count() == 0
