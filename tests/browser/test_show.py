"""What is shown, in a real JupyterLab and on paper."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browser.lab import CONTRASTS, open_notebook, run_all, set_theme, write_notebook

import nomic_nb as nb
from nomic_nb.notebook.show import show_html

pytestmark = pytest.mark.browser

SETUP = """import nomic_nb as nb
game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7)
proposal = game.propose("Ann", nb.library.simple_majority().change(203))
game.vote("Ann", "for")"""
TEXTS = ".nnb p, .nnb th, .nnb td, .nnb summary, .nnb .nnb-mark, .nnb .nnb-share, .nnb del, .nnb ins, .nnb .nnb-soft"


def played() -> tuple[nb.Game, Any]:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7)
    proposal = game.propose("Ann", nb.library.simple_majority().change(203))
    game.vote("Ann", "for")
    return game, proposal


def test_game_law_book_and_tally_in_both_themes(page: Any, lab: tuple[str, Path]) -> None:
    url, root = lab
    cells = [SETUP, "game", "game.rules", "proposal", "proposal.tally"]
    write_notebook(root / "shown.ipynb", [(cell, "") for cell in cells])
    open_notebook(page, url, "shown.ipynb")
    run_all(page)
    page.locator(".nnb").nth(3).wait_for()

    game, book, proposal, tally = page.locator(".nnb").all()
    assert "Ann’s turn" in game.inner_text()
    assert "Ben and Cleo have not voted" in tally.inner_text()
    assert proposal.locator("ins").first.inner_text() == "A simple majority adopts"
    assert book.locator("details.nnb-entry").count() == len(played()[0].rules)

    rule = book.locator("details.nnb-entry").filter(has_text="203 All must agree")
    assert not rule.locator(".nnb-wording").is_visible()
    rule.locator("summary").first.focus()
    page.keyboard.press("Enter")
    assert rule.locator(".nnb-wording").is_visible()

    for theme in ("Light", "Dark"):
        set_theme(page, theme)
        seen = page.locator(TEXTS).evaluate_all(CONTRASTS)
        assert len(seen) > 100
        faint = [one for one in seen if one[1] < 4.5]
        assert faint == [], theme


def test_an_untrusted_notebook_stays_readable(page: Any, lab: tuple[str, Path]) -> None:
    url, root = lab
    game, proposal = played()
    shown = [game, game.rules, proposal, proposal.tally]
    write_notebook(root / "untrusted.ipynb", [("# not run", show_html(one)) for one in shown])
    open_notebook(page, url, "untrusted.ipynb")

    outputs = page.locator(".jp-OutputArea-output")
    outputs.nth(3).wait_for()
    assert outputs.locator("style").count() == 0
    assert "Ann’s turn" in outputs.nth(0).inner_text()
    assert outputs.nth(0).locator("th[scope=row]").first.inner_text() == "Ann"
    assert outputs.nth(1).locator("details").count() >= len(game.rules)
    outputs.nth(1).locator("summary").first.click()
    assert "At all times, every player must follow" in outputs.nth(1).inner_text()
    assert outputs.nth(2).locator("del").first.inner_text() == "All must agree"
    assert proposal.tally.verdict in outputs.nth(3).inner_text()


def test_numbers_are_below_their_heading_and_pressed_words_as_heavy_as_others(page: Any) -> None:
    game, proposal = played()
    game.votes()
    page.set_content(show_html(game.rules[301]))
    weight = "(element) => getComputedStyle(element).fontWeight"
    assert page.locator(".nnb-wrote > summary").first.evaluate(weight) == "400"
    page.set_content(show_html(proposal.tally))
    edge = """(element) => {
        const {right} = element.getBoundingClientRect();
        return right - parseFloat(getComputedStyle(element).paddingRight);
    }"""
    edges = [one.evaluate(edge) for one in page.locator(".nnb-num").all()]
    assert max(edges) - min(edges) < 0.1


def test_print_shows_what_is_folded(page: Any) -> None:
    game, _ = played()
    page.set_content(show_html(game.rules))
    wording = page.locator(".nnb-wording").first
    assert not wording.is_visible()
    page.emulate_media(media="print")
    assert wording.is_visible()
    assert page.locator(".nnb-entry .nnb-note").first.is_visible()


def test_a_narrow_page_does_not_scroll_sideways(page: Any) -> None:
    game, proposal = played()
    page.set_viewport_size({"width": 380, "height": 800})
    page.set_content("".join(show_html(one) for one in (game, game.rules, proposal, game.law, game.why("win.winners"))))
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 380


def test_nothing_that_players_write_runs(page: Any) -> None:
    game = nb.new_game("discordian-nomic", ["<img src=x onerror=alert(1)>", "Ben"], seed=7)
    wording = "<script>alert(2)</script><svg onload=alert(3)></svg></style><a href='javascript:alert(4)'>x</a>"
    proposal = game.propose(game.players[0], nb.enact(wording, title="</style><script>alert(5)</script>"))
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: asked.append(request.url))
    page.set_content("".join(show_html(one) for one in (game, proposal, proposal.tally, game.pending)))
    drawn = "data:image/svg+xml;base64,"  # the strip of turns: nothing runs in a picture
    assert page.locator(f"img:not([src^='{drawn}']), script, svg, a").count() == 0
    assert [one for one in asked if not one.startswith(drawn)] == []


def test_original_and_amendments_stand_below_each_other(page: Any) -> None:
    game, _ = played()
    for name in ("Ben", "Cleo"):
        game.vote(name, "for")
    page.set_content(show_html(game.rules[301]))
    page.get_by_text("Original and amendments").click()
    first, second = (one.bounding_box() for one in page.locator(".nnb-parts > li").all())
    assert second["y"] >= first["y"] + first["height"]
