"""Play by clicks and by keys, and cells that are run again, in a real JupyterLab."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from browser.lab import ROOT, open_notebook, run_all, run_cell, write_notebook
from browser.people import WORDING, Person

pytestmark = pytest.mark.browser

BEGUN = 'import nomic_nb as nb\ngame = nb.new_game("{}", ["Ann", "Ben", "Cleo"], seed=7{})'


def notebook(
    page: Any, lab: tuple[str, Path], name: str, *cells: str, system: str = "discordian-nomic", more: str = ""
) -> None:
    url, root = lab
    write_notebook(root / f"{name}.ipynb", [(BEGUN.format(system, more), ""), *((cell, "") for cell in cells)])
    open_notebook(page, url, f"{name}.ipynb")
    run_all(page)


def test_the_first_notebook_runs_and_its_panel_plays_a_turn(page: Any, lab: tuple[str, Path]) -> None:
    url, root = lab
    shutil.copy(ROOT / "notebooks" / "01_a_game_of_nomic.ipynb", root)
    open_notebook(page, url, "01_a_game_of_nomic.ipynb")
    run_all(page)
    table = Person(page)
    assert page.locator("[data-mime-type='application/vnd.jupyter.error']").count() == 0

    table.press("Take a ready-made rule")
    table.press(table.root.locator(".nnb-item:visible").filter(has_text="A die with 20 sides"))
    table.field("Sides").fill("12")
    table.root.locator(".nnb-told").filter(has_text="12").wait_for()
    table.proposes()
    table.told("Dora proposes 301")
    for name in ("Dora", "Emil", "Fay"):
        table.press(f"{name} votes for")
        table.told(f"{name} votes for proposal 301")
    table.press("Roll")
    table.told("Emil’s turn begins.")
    assert "Emil’s turn" in table.root.inner_text()


def test_three_people_play_to_the_winner_in_a_notebook(page: Any, lab: tuple[str, Path]) -> None:
    seats = "import ipywidgets as w\nw.VBox([game.panel(name) for name in game.players])"
    notebook(page, lab, "winner", seats, "game.result, game.winner", more=', terms={"win.points": 6}')
    page.locator(".nnb-live").nth(2).wait_for()
    people = {name: Person(page, page.locator(".nnb-live").nth(at)) for at, name in enumerate(("Ann", "Ben", "Cleo"))}
    turn = 0
    while "wins" not in people["Ann"].root.locator(".nnb-heading").inner_text():
        name = list(people)[turn % 3]
        turn += 1
        people[name].propose(f"It is agreed that turn {turn} was {name}'s.")
        for voter in people.values():
            voter.sees(f"Proposal {300 + turn}")
            voter.press("For")
            voter.root.locator(".nnb-own button[aria-pressed=true]").wait_for(state="attached")
        people[name].press("Roll")
        people[name].told(f"{name} rolls")
        for voter in people.values():
            voter.follows(people[name].step)
        assert turn < 12
    run_cell(page, 2)
    page.locator(".jp-CodeCell").nth(2).locator(".jp-OutputArea-output").filter(has_text="wins").wait_for()


def test_single_panels_stand_in_a_box_of_ones_own(page: Any, lab: tuple[str, Path]) -> None:
    box = (
        "import ipywidgets as w\nboards = game.multiverse_panel()\nchosen = w.HTML('none')\n"
        "boards.observe(lambda change: chosen.set_trait('value', 'chosen: ' + change['new']), 'selected')\n"
        "w.VBox([game.proposal_panel(), game.tally_panel(), boards, chosen])"
    )
    notebook(page, lab, "box", box, system="nomic-chess")
    page.locator(".nnb-live").nth(2).wait_for()
    proposal, vote, boards = (Person(page, page.locator(".nnb-live").nth(at)) for at in range(3))
    proposal.propose("Be kind.")
    for name in ("Ann", "Ben", "Cleo"):
        vote.press(f"{name} votes for")
        vote.told(f"{name} votes for proposal 301")
    boards.press(boards.root.locator("[data-square='white.e2']"))
    page.get_by_text("chosen: white.e2").wait_for()
    boards.press(boards.root.locator("[data-square='white.e4']"))
    boards.told("Ann moves white.e2-white.e4")


def test_a_whole_turn_with_keys_alone(page: Any, lab: tuple[str, Path]) -> None:
    notebook(page, lab, "keys", "game.panel()", "game.latest(3)")
    table, keys = Person(page), page.keyboard
    table.button("Write a rule").wait_for()
    at = "(at) => document.activeElement === document.querySelectorAll('.jp-CodeCell')[at]"
    page.wait_for_function(at, arg=2)
    keys.press("ArrowUp")  # from the last cell to the one with the panel
    page.wait_for_function(at, arg=1)
    for _ in range(16):  # JupyterLab has some buttons in the corner of the cell
        keys.press("Tab")
        if table.focus == "Write a rule":
            break
    table.goes_to("More options")
    keys.press("Enter")
    table.focused("Kind of change")
    # JupyterLab would go to the next cell at an arrow, and delete this one at d d.
    keys.press("ArrowDown")
    table.field("Rule").wait_for()
    keys.type("dd")
    assert table.focus == "Kind of change"
    assert page.locator(".jp-CodeCell").count() == 3
    keys.press("ArrowUp")
    table.field("Rule").wait_for(state="hidden")
    for _ in range(8):
        if table.focus == WORDING:
            break
        keys.press("Shift+Tab")
    table.focused(WORDING)
    keys.type("Be kind. dd")
    table.goes_to("Propose this rule")
    keys.press("Enter")
    for name in ("Ann", "Ben", "Cleo"):
        table.focused(f"{name} votes for")
        keys.press("Space")
        table.told(f"{name} votes for proposal 301")
    table.focused("Roll")
    keys.press("Enter")
    table.told("Ben’s turn begins.")
    table.focused("Write a rule")
    assert page.locator(".jp-CodeCell").count() == 3


def test_what_is_said_is_said_in_a_place_that_was_there_before(page: Any, lab: tuple[str, Path]) -> None:
    notebook(page, lab, "said", "game.panel()")
    table = Person(page)
    table.writes()
    table.clauses("set vote.crowd to 2")
    table.root.get_by_role("status").filter(has_text="there is no key vote.crowd").first.wait_for()
    before = table.root.get_by_role("status").element_handles()
    table.proposes()
    table.told("That didn’t count.")
    assert table.field("Clauses").input_value() == "set vote.crowd to 2"
    assert all(one.evaluate("(one) => one.isConnected") for one in before)


def test_what_is_refused_is_seen_where_the_line_of_news_is_not(page: Any, lab: tuple[str, Path]) -> None:
    notebook(page, lab, "far", "game.panel()")
    table = Person(page)
    page.set_viewport_size({"width": 1000, "height": 420})
    table.writes()
    table.clauses("set vote.crowd to 2")
    table.proposes()
    table.root.locator(".nnb-near").filter(has_text="That didn’t count.").wait_for()
    page.keyboard.press("Tab")
    table.root.locator(".nnb-near").wait_for(state="hidden")


def test_a_seat_that_has_nothing_to_decide_keeps_the_focus_in_its_panel(page: Any, lab: tuple[str, Path]) -> None:
    notebook(page, lab, "seat", 'game.panel("Ann")')
    ann = Person(page)
    ann.propose("Be kind.")
    ann.focused("For")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.classList.contains('nnb-message')")
    assert page.evaluate("() => document.activeElement.innerText") == "Ann votes for proposal 301."


def test_cells_panels_and_pages_see_each_other_and_a_saved_notebook_holds_no_game(
    page: Any, lab: tuple[str, Path], device: Any
) -> None:
    _, root = lab
    cells = [
        "room = game.serve(port=0)\nprint(room.links['Cleo'])",
        "panel = game.panel()\npanel",
        "game.vote('Ann', 'for')",
    ]
    notebook(
        page,
        lab,
        "all",
        *cells[:2],
        "game.propose('Ann', nb.enact('Be kind.'))",
        cells[2],
        "panel.step, panel.decision",
    )
    table = Person(page)
    link = page.locator(".jp-CodeCell").nth(1).locator(".jp-OutputArea-output").inner_text().strip()
    phone = device(viewport={"width": 390, "height": 844}).new_page()
    phone.goto(link)
    cleo = Person(phone)
    cleo.root.locator(".nnb-tile").filter(has_text="✓ for").wait_for()
    cleo.press("Against")
    table.root.locator(".nnb-tile[data-cast=against]").wait_for()
    table.press("Ben votes for")
    cleo.root.locator(".nnb-tile").nth(1).filter(has_text="✓ for").wait_for()
    # What comes in while it is saved is saved next: a page that draws late leaves it unsaved otherwise.
    page.wait_for_function(
        """async () => {
            await window.jupyterapp.commands.execute("docmanager:save");
            return !window.jupyterapp.shell.currentWidget.context.model.dirty;
        }""",
        polling=500,
    )
    assert "Be kind" not in json.dumps(json.loads((root / "all.ipynb").read_text())["metadata"])


def test_an_edited_cell_that_is_run_again_takes_the_game_back(page: Any, lab: tuple[str, Path]) -> None:
    url, root = lab
    cells = [
        BEGUN.format("discordian-nomic", ""),
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


def test_what_was_done_is_taken_back_and_written_as_cells(page: Any, lab: tuple[str, Path]) -> None:
    notebook(page, lab, "back", "game.panel()", "")
    page.context.grant_permissions(["clipboard-read"])
    table = Person(page)
    table.propose("Be kind.")
    for name in ("Ann", "Ben"):
        table.press(f"{name} votes for")
        table.told(f"{name} votes for proposal 301")
    calls = table.root.locator(".nnb-calls")
    table.root.get_by_text("As cells", exact=True).click()
    calls.filter(has_text="game.vote('Ben', 'for', proposal=301)").wait_for()
    table.press("Take back: Ben votes for proposal 301.")
    table.told("everything after event")
    table.button("Take back: Ben votes for proposal 301.").wait_for(state="hidden")
    calls.filter(has_text="game.undo(").wait_for()
    table.press("Copy")
    table.sees("Copied")
    copied = page.evaluate("() => navigator.clipboard.readText()")
    assert copied == calls.inner_text()
    again = 'again = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7)\n'
    same = "\nagain.state.digest() == game.state.digest()"
    run_cell(page, 2, again + copied.replace("game.", "again.") + same)
    output = page.locator(".jp-CodeCell").nth(2).locator(".jp-OutputArea-output")
    output.filter(has_text="True").wait_for()


def test_a_kernel_that_begins_anew_has_a_new_game_and_a_panel_that_plays(page: Any, lab: tuple[str, Path]) -> None:
    notebook(page, lab, "restart", "game.panel()")
    Person(page).propose("Be kind.")
    Person(page).told("Ann proposes 301")
    page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.info")
    run_all(page)
    page.locator(".nnb-live .nnb-heading").filter(has_text="Ann’s turn").wait_for()
    table = Person(page)
    table.root.get_by_text("Proposal 301").wait_for(state="hidden")
    table.propose("Be rude.")
    table.told("enact “Be rude”")
    assert page.locator(".nnb-live").count() == 1
