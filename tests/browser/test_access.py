"""Panels for everybody: nothing that axe-core finds at fault, in both themes, on pages and in JupyterLab."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from browser.lab import CONTRASTS, open_notebook, run_all, set_theme, write_notebook
from browser.people import Person
from make_a_rule_helpers import begun

import nomic_nb as nb
from nomic_nb.notebook.show import show_html

pytestmark = pytest.mark.browser

NAMES = ["Ann", "Ben", "Cleo"]


@pytest.fixture(scope="module")
def axe() -> str:
    """The source of axe-core, which a package brings along."""
    spec = find_spec("axe_playwright_python")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("there is no axe-playwright-python; pip install --editable '.[browser]' brings it")
    return next(Path(spec.submodule_search_locations[0]).glob("**/axe.min.js")).read_text(encoding="utf-8")


def faults(page: Any, axe: str, within: str = "html") -> list[str]:
    """What axe-core finds at fault on a page, or in the panel alone, with where it is."""
    page.evaluate(axe)
    found = page.evaluate("async (within) => (await axe.run(within)).violations", within)
    return [f"{one['id']}: {node['html'][:160]}" for one in found for node in one["nodes"]]


#: Opens all that is folded, and of what is alike the first, and tells whether each that can be seen shows something.
UNFOLDED = """(root) => {
    const inside = (one) => one.parentElement.closest("details:not([open])");
    const alike = (one) => one.closest(".nnb-rules") && one.previousElementSibling?.matches("details");
    const folded = [...root.querySelectorAll("details")].filter((one) => !inside(one) && !alike(one));
    const shut = folded.filter((one) => !one.open);
    for (const one of shut) one.open = true;
    const said = (one) => one.innerText.trim();
    return !shut.length && folded.every((one) => !one.checkVisibility() || said(one) !== said(one.firstElementChild));
}"""


def unfold(person: Person) -> None:
    """Open all that is folded, and the first rule of each tier; wait until what is asked for then has come."""
    person.page.wait_for_function(UNFOLDED, arg=person.root.element_handle(), polling=200)


def voting() -> nb.Game:
    game = nb.new_game("discordian-nomic", NAMES, seed=7)
    game.propose("Ann", nb.library.simple_majority().change(203))
    game.vote("Ann", "for")
    game.invoke_judgment("Ben", "Is it fair?")
    return game


def on_boards() -> nb.Game:
    game = nb.new_game("nomic-chess", NAMES, seed=7)
    game.propose("Ann", nb.enact("Be kind."))
    for name in NAMES:
        game.vote(name, "for")
    return game


@pytest.mark.parametrize("make", [voting, on_boards, lambda: begun(3)], ids=["vote", "boards", "universes"])
def test_axe_finds_nothing_on_a_seat_the_wall_and_the_desk(served: Any, opens: Any, axe: str, make: Any) -> None:
    game = make()
    room = served(game)
    for link in (room.links[game.players[0]], *room.wall.values(), *room.desk.values()):
        person = opens(link)
        unfold(person)
        for theme in ("light", "dark"):
            person.page.emulate_media(color_scheme=theme)
            assert faults(person.page, axe) == [], theme
        for width in (1280, 640, 390, 320):  # as on a phone, and as enlarged to 200 and 400 %
            person.page.set_viewport_size({"width": width, "height": 800})
            assert person.page.evaluate("document.documentElement.scrollWidth") <= width


def test_axe_finds_nothing_in_a_notebook(page: Any, lab: tuple[str, Path], axe: str) -> None:
    url, root = lab
    begin = 'import nomic_nb as nb\ngame = nb.new_game("nomic-chess", ["Ann", "Ben", "Cleo"], seed=7)\n'
    more = [f"game.{name}_panel()" for name in ("law", "history", "host", "judge")]
    write_notebook(root / "axe.ipynb", [(begin + "game.panel()", ""), *((cell, "") for cell in more)])
    open_notebook(page, url, "axe.ipynb")
    run_all(page)
    panels = page.locator(".nnb-live[data-step]")
    panels.nth(len(more)).wait_for()
    for panel in panels.all():
        unfold(Person(page, panel))
    for theme in ("Light", "Dark"):
        set_theme(page, theme)
        assert faults(page, axe, ".nnb-live") == [], theme
        seen = page.locator(".nnb-live *:not(:has(*)):not(option)").evaluate_all(CONTRASTS)
        assert [one for one in seen if (one[0] or "").strip() and one[1] < 4.5] == [], theme


def test_axe_finds_nothing_in_the_form_that_starts_a_game(page: Any, lab: tuple[str, Path], axe: str) -> None:
    url, root = lab
    write_notebook(root / "form.ipynb", [("import nomic_nb as nb\nnb.start()", "")])
    open_notebook(page, url, "form.ipynb")
    run_all(page)
    form = page.locator(".nnb-start")
    form.get_by_role("button", name="Start the game").wait_for()
    for theme in ("Light", "Dark"):
        set_theme(page, theme)
        assert faults(page, axe, ".nnb-start") == [], theme
    assert form.evaluate("(form) => form.scrollWidth <= form.clientWidth")


def test_axe_finds_nothing_in_outputs_of_cells(page: Any, axe: str) -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=7)
    game.propose("Ann", nb.library.simple_majority().change(203))
    for name in NAMES:
        game.vote(name, "for")
    game.roll("Ann")
    game.propose("Ben", nb.enact("A six scores nothing."))
    game.vote("Ben", "for")
    game.invoke_judgment("Cleo", "Is it fair?")
    shown = (game, game.rules, game.rules[301], game.proposals[301], game.proposals[301].tally, game.proposals,
             game.pending, game.ledger, game.judgments, game.law, game.why("vote.quota"), game.forks)  # fmt: skip
    body = "".join(map(show_html, shown))
    page.set_content(f'<html lang="en"><title>Outputs</title><body><main>{body}</main>')
    page.locator("details").evaluate_all("(all) => all.forEach((one) => { one.open = true; })")
    for light in ("true", "false"):
        page.evaluate("(light) => { document.body.dataset.jpThemeLight = light; }", light)
        assert [one for one in faults(page, axe, ".nnb") if not one.startswith(("heading-order", "page-has"))] == []
    for width in (900, 390):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_axe_finds_nothing_on_an_exported_page(device: Any, axe: str, tmp_path: Path) -> None:
    page = device(bypass_csp=True).new_page()
    voting().to_html(tmp_path / "game.html")
    page.goto((tmp_path / "game.html").as_uri())
    page.locator("details").evaluate_all("(all) => all.forEach((one) => { one.open = true; })")
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        assert faults(page, axe) == [], theme
    for width in (1200, 390, 320):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_vote_of_twenty_five_fits_on_a_projected_wall_and_is_large(served: Any, opens: Any) -> None:
    names = [f"{first}{last}" for first in ("Ada", "Theresa", "Ben", "Yannick", "Cleo") for last in "abcde"]
    game = nb.new_game("discordian-nomic", names, seed=7)
    game.propose(names[0], nb.enact("Be kind. " * 60))
    for name in names[:9]:
        game.vote(name, "for")
    for device in ({}, {"color_scheme": "dark"}):
        wall = opens(next(iter(served(game).wall.values())), viewport={"width": 1024, "height": 768}, **device)
        tiles = wall.root.locator(".nnb-tile")
        tiles.nth(24).wait_for()
        for part in (*tiles.all(), wall.root.locator(".nnb-bar"), wall.root.locator(".nnb-verdict")):
            box = part.bounding_box()
            assert box["y"] + box["height"] <= 768
            assert box["x"] + box["width"] <= 1024
        sizes = wall.root.locator(".nnb-name, .nnb-cast, .nnb-verdict, .nnb-heading").evaluate_all(
            "(all) => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
        )
        assert min(sizes) >= 20
        cut = tiles.locator(".nnb-name").evaluate_all("(all) => all.filter((one) => one.scrollWidth > one.clientWidth)")
        assert cut == []
        assert wall.root.locator("button, input, select, textarea").locator("visible=true").count() == 0
        wall.page.context.close()
