"""The page that plays without a server, in Chromium: Python runs in the page, and the browser keeps the games."""

from __future__ import annotations

import html
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.people import Person
from site_helpers import TABLE, build_page, fetched, home_cells, serving

import nomic_nb as nb

pytestmark = pytest.mark.browser
#: Milliseconds until Python is there, on a machine that has other things to do.
LOADED = 240_000
SAVED = "Saved in this browser"
#: Scripts that make a browser have no room for a game, until a message says otherwise, or let no page store anything.
REFUSALS = {
    "no room left": (
        "const { put } = IDBObjectStore.prototype; new BroadcastChannel('room').onmessage = () => {"
        " IDBObjectStore.prototype.put = put; };"
        "IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); };"
    ),
    "doesn’t let the page store": (
        "Object.defineProperty(self, 'indexedDB', { get() { throw new DOMException('never', 'SecurityError'); } });"
    ),
}

#: How often Python has continued from an earlier visit, and a script that damages what is kept for that.
RESTORED = "performance.getEntriesByName('memory restored').length"
DAMAGE = """async () => {
  const headers = { "memory-length": "64", "list-length": "2" };
  for (const name of (await caches.keys()).filter((one) => one.includes("memory")))
    await (await caches.open(name)).put("memory", new Response(new Uint8Array(66), { headers }));
}"""


@pytest.fixture(scope="module")
def site(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory, chromium: Any) -> Path:
    """The folder of the built site, with a home page that has nothing but its cells."""
    folder = build_page(tmp_path_factory.mktemp("site"), fetched(pytestconfig)).parent
    shutil.copytree(TABLE.parent / "_static", folder / "_static")
    cell = "<p>What it does</p><div class=cell><pre>{}</pre><div class=cell_output></div></div>"
    cells = "".join(cell.format(html.escape(one)) for one in home_cells())
    home = f'<div class=hero></div>{cells}<script type="module" src="_static/home.js"></script>'
    (folder / "home.html").write_text(f"<!doctype html>{home}", encoding="utf-8")
    return folder


@pytest.fixture
def browser(device: Any, site: Path) -> Iterator[Any]:
    """Opens pages of one browser at an address of the site, and fails its test on any error or request elsewhere."""
    context, wrong = device(accept_downloads=True), list[str]()
    own = ("http://127.0.0.1:", "data:", "blob:")
    context.on("request", lambda one: one.url.startswith(own) or wrong.append(one.url))
    context.on("weberror", lambda one: wrong.append(str(one.error)))

    def open_(address: str) -> Any:
        page = context.new_page()
        page.set_default_timeout(LOADED)
        page.goto(address)
        return page

    yield open_
    assert wrong == []


def begin(page: Any, title: str = "Discordian Nomic") -> Person:
    """Begin a game of one person against the kit, as the form has it at first."""
    page.locator(".nnb-pick").filter(has_text=title).click()
    page.get_by_role("button", name=re.compile("Start")).click()
    return at_table(page)


def at_table(page: Any) -> Person:
    return Person(page, page.locator(".nnb-table > .nnb-live"))


def wait_until_saved(page: Any) -> None:
    page.locator(".nnb-saved").filter(has_text=SAVED).first.wait_for()


def downloaded(page: Any, button: str) -> Path:
    menu = page.locator(".nnb-menu")
    if menu.get_attribute("open") is None:
        menu.locator("summary").click()
    with page.expect_download() as found:
        page.get_by_role("button", name=button).click()
    return Path(found.value.path())


def test_a_game_against_the_kit_survives_a_reload_and_leaves_the_browser_as_files(browser: Any, site: Path) -> None:
    with serving(site) as (address, _):
        page = browser(f"{address}/table/")
        table = begin(page)
        table.propose("Everyone bows.")
        page.locator(".nnb-tile[data-cast]").filter(has_text="Ben (machine)").wait_for()
        step = table.step
        page.reload()  # in the middle of what follows: whatever was shown is still there
        table = at_table(page)
        assert table.step >= step
        table.sees("Everyone bows.")
        record = downloaded(page, "Download the record")
        game = nb.load(record)
        assert game.state.seq >= step
        assert game.players == ("Ann", "Ben", "Cleo")
        notebook = json.loads(downloaded(page, "Download as a notebook").read_text(encoding="utf-8"))
        assert any("nb.new_game" in "".join(cell["source"]) for cell in notebook["cells"])
        # Another tab only looks on, and plays here once this one is closed.
        other = browser(page.url)
        onlooker = at_table(other)
        other.get_by_text("open in another tab").wait_for()
        onlooker.follows(step)
        assert not other.locator(".nnb-send, .nnb-ballot").locator("visible=true").count()
        page.close()
        wait_until_saved(other)
        assert at_table(other).step >= step
        # A record goes on in another game; what is none is refused in a sentence.
        start = browser(f"{address}/table/")
        start.get_by_text("Continue this game").first.wait_for()
        strange = {"name": "diary.jsonl", "mimeType": "text/plain", "buffer": b"Dear diary\n"}
        start.set_input_files("#nnb-upload", strange)
        start.locator(".nnb-message[data-bad]").wait_for()
        start.set_input_files("#nnb-upload", record)
        assert at_table(start).step == game.state.seq
        # The last cell of the home page runs with those before it.
        home = browser(f"{address}/home.html")
        home.get_by_role("button", name="Run").last.press("Enter")
        home.get_by_role("status").filter(has_text="This ran in your browser.").wait_for()
        assert "proposal 301 passes" in str(home.locator(".cell_output table.dataframe").text_content())


def test_after_the_first_visit_the_page_plays_without_a_network(browser: Any, site: Path) -> None:
    with serving(site) as (address, _):
        page = browser(f"{address}/table/")
        begin(page)
        wait_until_saved(page)
        page.wait_for_function("() => 'offline' in document.documentElement.dataset")
        page.wait_for_function("() => caches.match('memory')")
        step = at_table(page).step
    page.reload()  # nobody serves it any more
    table = at_table(page)
    assert table.step >= step
    # Python has not started again, and machines still answer in a moment.
    assert page.workers[0].evaluate(RESTORED) == 1
    table.propose("Everyone bows.")
    page.locator(".nnb-tile[data-cast]").filter(has_text="Ben (machine)").wait_for()
    wait_until_saved(page)
    # If what was kept of it is damaged, Python starts as at the first visit, and it is kept again.
    page.evaluate(DAMAGE)
    page.reload()
    at_table(page).sees("Everyone bows.")
    assert page.workers[0].evaluate(RESTORED) == 0
    page.wait_for_function("() => caches.match('memory').then((kept) => kept?.headers.get('memory-length') > 64)")
    # A whole game of machines, which is saved with its end: between two, the first roll for a rule that passed wins.
    page.get_by_text("All games").click()
    page.get_by_role("button", name="Remove Cleo").click()
    for kind in page.get_by_role("combobox", name="Who plays").all():
        kind.select_option("sensible")
    page.get_by_text("More choices").click()
    page.get_by_label("Points to win").fill("1")
    begin(page, "Game Cabinet Nomic").sees("The game is over")
    wait_until_saved(page)
    page.reload()
    at_table(page).sees("The game is over")


@pytest.mark.parametrize("told", REFUSALS)
def test_a_browser_that_stores_nothing_says_so_and_plays_on(
    browser: Any, site: Path, tmp_path: Path, told: str
) -> None:
    shutil.copytree(site, tmp_path / "site")
    store = tmp_path / "site/table/store.js"
    store.write_text(f"{REFUSALS[told]}\n{store.read_text(encoding='utf-8')}", encoding="utf-8")
    with serving(tmp_path / "site") as (address, _):
        page = browser(f"{address}/table/")
        table = begin(page)
        page.locator(".nnb-saved").filter(has_text=told).wait_for()
        table.propose("Everyone bows.")
        page.locator(".nnb-tile[data-cast]").first.wait_for()
        assert not page.get_by_text(SAVED).count()
        if told == "no room left":  # once there is, the game is saved without another step
            page.evaluate("new BroadcastChannel('room').postMessage('')")
            wait_until_saved(page)
