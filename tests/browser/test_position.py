"""A position alone, played in a notebook by mouse and keys, with somebody who answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browser.lab import open_notebook, run_cell, write_notebook

pytestmark = pytest.mark.browser

#: White is about to promote, and the opponent shuffles its king.
BEGIN = """import nomic_nb as nb

class Shuffler:
    def move(self, position):
        return next(move for move in position.moves() if move.kind == "k")

position = nb.multiverse.position("k7/2P5/8/8/8/8/8/4K2R w K - 0 1", {"r": "R", "n": "NW"})
position.panel(Shuffler())"""


def test_a_position_is_played_by_mouse_and_keys_and_cells_see_it(page: Any, lab: tuple[str, Path]) -> None:
    url, root = lab
    write_notebook(root / "position.ipynb", [(BEGIN, ""), ("print(position.fen())", "")])
    open_notebook(page, url, "position.ipynb")
    run_cell(page, 0)
    panel = page.locator(".nnb-position")
    line = panel.locator(".nnb-line > li")
    square = lambda name: panel.locator(f"[data-square='Board.{name}']")  # noqa: E731
    square("e1").wait_for()
    page.wait_for_timeout(600)  # a board that has just come takes no press
    square("e1").click()
    square("g1").click()  # castles
    line.get_by_text("1. O-O Ka7", exact=True).wait_for()
    page.wait_for_timeout(600)
    square("c7").focus()
    for key in ("Enter", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    panel.locator(".nnb-promo").wait_for()
    page.keyboard.press("ArrowDown")  # not a queen: a rook
    page.keyboard.press("Enter")
    line.get_by_text("2. c8=R", exact=False).wait_for()
    run_cell(page, 1)
    page.get_by_text("/2R5/", exact=False).or_(page.get_by_text("2R5/", exact=False)).first.wait_for()
    page.wait_for_timeout(600)
    panel.get_by_role("button", name="Take back").click()
    line.nth(1).wait_for(state="detached")
    run_cell(page, 1, 'position.push("c8=N")')
    line.get_by_text("2. c8=N+", exact=False).wait_for()  # what a cell does is seen
