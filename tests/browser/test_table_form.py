"""The page that plays without a server, with a script instead of Python: its form, its kept games, and what fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from site_helpers import build_script, serving

pytestmark = pytest.mark.browser
#: A worker that refuses to open a game, begins any, cannot store it, has a record, and stops at what else is wanted.
WORKER = """
let stopped = false;
onmessage = ({ data: { id, ask, game } }) => {
  if (game) postMessage({ about: { title: "A game", branches: [] }, unsaved: "There is no room." });
  else if (ask === "notebook") stopped = true;
  if (stopped) return postMessage({ stopped: "out of memory" });
  const got = { open: { why: "The file is damaged." }, record: { name: "game.jsonl", text: "{}" } }[ask];
  postMessage({ id, got: got ?? {} });
};
postMessage({ ready: true });
"""
STORE = """async () => (await import("./store.js")).storeGame(
  { id: "kept", version: 1, at: 1, title: "A game", stands: "turn 1", players: "Ann, Ben" }, new Uint8Array(1), 0)"""
STOPPED = "Python has stopped in this page"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("form")
    build_script().write_front_end(folder / "table")
    (folder / "table/worker.js").write_text(WORKER, encoding="utf-8")
    with serving(folder) as (found, _):
        yield f"{found}/table/"


Form = Callable[..., Any]


@pytest.fixture
def form(page: Any, address: str) -> Form:
    """Opens the page with a game that this browser keeps, which is `#kept`."""

    def open_(hash_: str = "", script: str = "") -> Any:
        page.goto(address)
        page.evaluate(STORE)
        if script:
            page.add_init_script(script)
        page.goto("about:blank")
        page.goto(address + hash_)
        return page

    return open_


def test_a_kept_game_is_deleted_only_by_a_second_press(form: Form) -> None:
    page = form()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete it for good?").click()
    page.get_by_text("Continue this game").wait_for(state="hidden")


def test_a_game_that_does_not_open_can_be_tried_again_and_deleted(form: Form) -> None:
    page = form("#kept")
    refused = page.locator(".nnb-message[data-bad]").filter(has_text="The file is damaged.")
    refused.wait_for()
    assert "#" not in page.url
    with page.expect_event("load"):
        page.get_by_text("Continue this game").click()
    refused.wait_for()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete it for good?").click()
    page.get_by_text("Continue this game").wait_for(state="hidden")


def test_a_game_that_cannot_be_read_leaves_the_page_able_to_store(form: Form) -> None:
    page = form(
        "#kept",
        "const { get } = IDBObjectStore.prototype; IDBObjectStore.prototype.get = function (key) {"
        " if (this.name === 'files') throw new DOMException('damaged', 'UnknownError'); return get.call(this, key); };",
    )
    page.locator(".nnb-message[data-bad]").filter(has_text="couldn’t read that game").wait_for()
    page.get_by_text("Continue this game").wait_for()
    assert not page.get_by_text("doesn’t let the page store anything").count()


def test_the_page_says_that_a_game_is_gone(form: Form) -> None:
    page = form("#other")
    page.locator(".nnb-message[data-bad]").filter(has_text="doesn’t keep that game").wait_for()


def test_a_storage_that_fails_once_is_tried_again(page: Any, address: str) -> None:
    page.goto(address)
    failed = """async () => {
      const { open } = IDBFactory.prototype;
      IDBFactory.prototype.open = () => { throw new DOMException("busy", "UnknownError"); };
      const store = await import("./store.js?again");
      const first = await store.listGames().catch((error) => error.name);
      IDBFactory.prototype.open = open;
      return [first, Array.isArray(await store.listGames())];
    }"""
    assert page.evaluate(failed) == ["UnknownError", True]


def test_a_row_without_a_name_is_refused(form: Form) -> None:
    page = form()
    page.get_by_role("textbox", name="Name").nth(1).fill(" ")
    page.get_by_role("button", name="Start the game").click()
    page.locator(".nnb-message[data-bad]").filter(has_text="Enter a name for each player").wait_for()
    assert not page.locator(".nnb-topbar").count()


def test_an_unsaved_game_asks_before_the_page_is_left(form: Form) -> None:
    page = form()
    asked: list[str] = []

    def stay(dialog: Any) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    page.get_by_role("button", name="Start the game").click()
    page.locator(".nnb-saved").filter(has_text="There is no room.").wait_for()
    page.get_by_text("All games").click()
    page.wait_for_timeout(300)
    assert asked == ["beforeunload"]
    # Once its record is downloaded, nothing is lost.
    page.locator(".nnb-menu summary").click()
    with page.expect_download():
        page.get_by_role("button", name="Download the record").click()
    page.get_by_text("All games").click()
    page.get_by_role("button", name="Start the game").wait_for()
    assert asked == ["beforeunload"]


def test_the_focus_is_at_the_table_once_a_game_has_started(form: Form) -> None:
    page = form()
    page.get_by_role("button", name="Start the game").focus()
    page.keyboard.press("Enter")
    page.locator(".nnb-topbar").wait_for()
    assert page.evaluate("document.activeElement.matches('.nnb-topbar, .nnb-table *')")


def test_a_press_is_answered_though_python_has_stopped(form: Form) -> None:
    page = form()
    page.get_by_role("button", name="Start the game").click()
    page.locator(".nnb-menu summary").click()
    for button in ("Download as a notebook", "Download the record"):
        page.get_by_role("button", name=button).click()
        page.locator(".nnb-menu .nnb-saved").filter(has_text=STOPPED).wait_for()
        page.evaluate("document.querySelector('.nnb-menu .nnb-saved').textContent = ''")
