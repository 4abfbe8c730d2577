"""What players write between dollar signs is shown as they wrote it: no formula hides or garbles a text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from browser.lab import open_notebook, run_all, write_notebook

import nomic_nb as nb
from nomic_nb.notebook.show import show_html

pytestmark = pytest.mark.browser

HIDDEN = r"Nobody gains$\phantom{, and Ann gets 500 more}$."
PRICE = r"Tea is $5, or $6 \(hot\) \[cold\] $$x_1$$ \begin{equation}y\end{equation}."
SETUP = rf"""import nomic_nb as nb
from IPython.display import HTML, Markdown
game = nb.new_game("discordian-nomic", ["Ann", "$\\phantom{{Ann}}$Ben"], seed=7)
game.say("Ann", {PRICE!r})
proposal = game.propose("Ann", nb.enact({HIDDEN!r}, title="A $\\phantom{{very}}$ title"))
game.annotate({HIDDEN!r})
for name in game.players:
    game.vote(name, "for")
game.invoke_judgment("Ann", {PRICE!r})
pass"""
SHOWN = [
    "game", "game.rules", "proposal", "game.proposals", "game.pending", "game.judgments",
    "game.review('Ann', nb.repeal(301))",
    "game.history", "game.history[['what']].tail(9)", "game.proposals.frame", "game.rules.frame", "game.rules.versions",
    "game.counters", "game.ballots", "game.judgments.frame", "game.ledger.frame", "HTML(game.to_html())",
    "HTML(game.law_book())", "Markdown(game.to_markdown())", "game.panel()",
]  # fmt: skip


def test_nothing_that_players_write_is_typeset(page: Any, lab: tuple[str, Path]) -> None:
    url, root = lab
    control = "HTML('<p id=control>$x_1$</p>')"  # shows that formulas are typeset here at all
    write_notebook(root / "formulas.ipynb", [(cell, "") for cell in [SETUP, *SHOWN, control]])
    open_notebook(page, url, "formulas.ipynb")
    run_all(page)
    page.locator("#control mjx-container").wait_for()
    page.locator(".nnb").first.wait_for()
    cells = page.locator(".jp-CodeCell")
    typeset = {
        shown: count for at, shown in enumerate(SHOWN, 1) if (count := cells.nth(at).locator("mjx-container").count())
    }
    assert typeset == {}
    wanted = {"proposal": HIDDEN, "game.judgments": PRICE, "game.proposals.frame": "A $\\phantom{very}$ title"}
    for shown, text in wanted.items():
        assert text in cells.nth(SHOWN.index(shown) + 1).inner_text(), shown


def test_nothing_in_a_notebook_made_from_a_game_is_typeset(page: Any, lab: tuple[str, Path]) -> None:
    url, root = lab
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    game.say("Ann", PRICE)
    game.propose("Ann", nb.enact(HIDDEN))
    game.annotate(HIDDEN)
    notebook = nb.to_notebook(game)
    control = {"cell_type": "markdown", "id": "control", "metadata": {}, "source": "$x_1$"}
    untrusted = {"output_type": "display_data", "metadata": {}, "data": {"text/html": show_html(game.proposals[301])}}
    notebook["cells"][1]["outputs"] = [untrusted]
    notebook["cells"].append(control)
    (root / "made.ipynb").write_text(json.dumps(notebook))
    open_notebook(page, url, "made.ipynb")
    page.locator(".jp-MarkdownCell mjx-container").first.wait_for()
    page.locator(".nnb").first.wait_for()
    assert page.locator("mjx-container").count() == 1
