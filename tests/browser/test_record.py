"""The page of a game in a browser: moves one by one, links, paper, both themes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from board_helpers import chess as sit
from board_helpers import nothing
from browser.lab import CONTRASTS

import nomic_nb as nb

pytestmark = pytest.mark.browser

NASTY = '<script>document.title = "run"</script> [x](javascript:document.title="run")'


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    game: nb.Game = sit("Ann", "Ben")
    for uci in ("e2e4", "d7d5", "e4d5", "d8d5"):
        nothing(game)
        game.move(game.player, uci, push=("white", "yellow"))
    game.annotate(NASTY, "!", ply=3)
    path = tmp_path_factory.mktemp("record") / "game.html"
    game.to_html(path, title=NASTY, introduction=NASTY)
    return path


def shown(page: Any) -> list[int]:
    """The numbers of the moves that are to be seen."""
    numbers: list[int] = page.locator(".nnb-reel > li").evaluate_all(
        "all => all.filter(one => one.checkVisibility()).map(one => one.value)"
    )
    return numbers


def test_moves_go_by_with_buttons_and_keys(page: Any, file: Path) -> None:
    page.goto(file.as_uri())
    assert shown(page) == [0]
    for key, now in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)):
        page.keyboard.press(key)
        assert shown(page) == [now], key
        assert page.url.endswith(f"#move-{now}")
    page.get_by_role("button", name="Last move").click()
    assert shown(page) == [4]
    page.keyboard.press("ArrowRight")
    assert shown(page) == [4]
    for key, now in (("Home", 0), ("End", 4), ("Home", 0)):
        page.keyboard.press(key)
        assert shown(page) == [now], key
    page.get_by_role("button", name="Next move").click()
    assert shown(page) == [1]
    assert page.locator(".nnb-steps output").text_content().startswith("1 of 4: Ann moves white.e2-white.e4")
    assert "Ann moves white.e2-white.e4" in page.locator(".nnb-reel").inner_text()


def test_a_link_shows_its_move_and_opens_what_is_folded_away(page: Any, file: Path) -> None:
    page.goto(file.as_uri())
    page.goto(f"{file.as_uri()}#move-3")
    page.wait_for_function("() => document.querySelector('.nnb-steps output').textContent.startsWith('3 of 4')")
    assert shown(page) == [3]
    page.locator("a[href='#move-1']:not(.nnb-here):visible").first.click()
    page.wait_for_function("() => document.querySelector('.nnb-steps output').textContent.startsWith('1 of 4')")
    rule = page.locator(".nnb-law .nnb-rule").first
    assert not rule.is_visible()
    page.locator(".nnb-reel a[href*='#rule-']:visible").first.click()
    page.wait_for_function("() => document.querySelector('.nnb-law details').open")
    assert rule.is_visible()


def test_nothing_of_a_strangers_runs(page: Any, file: Path) -> None:
    page.goto(file.as_uri())
    assert page.title() == NASTY
    assert page.locator("main script, a[href^='javascript']").count() == 0
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"document.title = 1\">')")
    page.wait_for_function("() => document.querySelector('img').complete")
    assert page.title() == NASTY


def test_without_its_script_the_page_is_a_list(device: Any, file: Path) -> None:
    page = device(java_script_enabled=False).new_page()
    page.goto(file.as_uri())
    assert page.locator(".nnb-reel > li:visible").count() == 5
    assert page.locator(".nnb-steps").count() == 0


def test_on_paper_all_moves_stand_side_by_side(page: Any, file: Path) -> None:
    page.goto(file.as_uri())
    page.emulate_media(media="print")
    assert shown(page) == [0, 1, 2, 3, 4]
    assert not page.locator(".nnb-steps").is_visible()
    assert page.locator(".nnb-comment:visible").count() == 1  # in the record, and not beside its move as well
    tops = page.locator(".nnb-reel > li").evaluate_all("all => all.map(one => one.getBoundingClientRect().top)")
    assert len({round(top) for top in tops}) == 3  # all boards, then three in a row
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf())) < 20


def test_it_is_read_in_both_themes_and_on_a_phone(device: Any, file: Path) -> None:
    for scheme in ("light", "dark"):
        for width in (1280, 390):
            page = device(color_scheme=scheme, viewport={"width": width, "height": 800}).new_page()
            page.goto(file.as_uri())
            seen = page.locator(".nnb p, .nnb li, .nnb a, .nnb dd, .nnb button").evaluate_all(CONTRASTS)
            assert [one for one in seen if one[1] < 4.5] == [], (scheme, width)
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_fifteen_proposals_are_printed_on_twelve_pages(page: Any, tmp_path: Path) -> None:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=11, terms={"win.points": 500})
    wording = "Each round the players agree on the weather. While it rains, nobody may propose to repeal a rule, "
    for at in range(15):
        text = f"{wording}unless all agree that it rains too long. This is version {at}."
        player = str(game.player)
        game.propose(player, nb.amend(299 + at + 1, text) if at % 3 == 2 else nb.enact(text, title=f"Weather {at}"))
        game.votes()
        game.roll(player)
    game.to_html(tmp_path / "game.html")
    page.goto((tmp_path / "game.html").as_uri())
    printed = page.pdf(prefer_css_page_size=True)
    assert 4 < len(re.findall(rb"/Type\s*/Page[^s]", printed)) <= 12
