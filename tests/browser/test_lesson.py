"""A lesson by a teacher's ways: one cell, four turns, twelve seats, and not a line of Python more."""

from __future__ import annotations

import contextlib
import json
import os
import signal
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from browser.lab import open_notebook, run_cell, write_notebook
from browser.people import Person
from patching import patched

import nomic_nb as nb

pytestmark = pytest.mark.browser

CLASS = ["Ada", "Ben", "Cleo", "Dov", "Eve", "Fay", "Gus", "Hal", "Ida", "Jan", "Kim", "Lea"]
LATE, ABSENT = "Kim", "Lea"
TURNS = 4


class Seat:
    """A pupil at a page, without a browser: sees what the page sees, and answers what it asks."""

    def __init__(self, link: str, opened: contextlib.ExitStack) -> None:
        self.link, self.ids, self.opened = urlsplit(link), count(1), opened
        self.socket: Any = None
        self.mine: Any = {}

    def sit(self, place: str) -> None:
        """Dial, at the address where the game is served now."""
        from websockets.sync.client import connect

        table, _, secret = self.link.fragment.partition("/")
        self.socket = self.opened.enter_context(connect(f"ws://{place}/ws/{table}", compression=None))
        self.say({"link": secret})
        self.hear("seated")
        self.say({"open": True})
        self.hear("view")

    def say(self, message: dict[str, Any]) -> None:
        self.socket.send(json.dumps(message))

    def hear(self, *wanted: str) -> dict[str, Any]:
        """Follow the game up to a message of this kind."""
        while True:
            got = json.loads(self.socket.recv(timeout=30))
            if "view" in got:
                self.mine = got["view"]["mine"]
            if "diff" in got:
                self.mine = patched(self.mine, got["diff"]["mine"])
            if any(one in got for one in wanted):
                return dict(got)

    def does(self, action: str, **details: Any) -> None:
        """Do what is asked, once it is; look again where the page was behind."""
        while True:
            while not (asked := [one for one in self.mine["decisions"].values() if one["action"] == action]):
                self.hear("diff", "view")
            self.say(
                {"id": f"{id(self)}-{next(self.ids)}", "action": action, "key": asked[0]["key"], "details": details}
            )
            got = self.hear("done", "refused")
            if "done" in got:
                return
            assert got["code"] == "decided-meanwhile", got


def kill(page: Any) -> None:
    """Kill the kernel of the notebook, as a machine does that runs out of memory."""
    kernel = page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.id")
    for one in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if f"kernel-{kernel}.json".encode() in one.read_bytes():
                os.kill(int(one.parent.name), signal.SIGKILL)
                return
    pytest.skip("there is no /proc in which the kernel is found")


def hand_out(page: Any) -> list[str]:
    """Open a page for every seat; the links, as they stand on the cards."""
    page.get_by_role("button", name="Player pages").click()
    page.get_by_role("button", name="Open a page for each player").click()
    cards = page.locator(".nnb a[href*='#1/']")
    cards.nth(len(CLASS)).wait_for()
    return [str(one.get_attribute("href")) for one in cards.all()]


@pytest.fixture
def opened() -> Iterator[contextlib.ExitStack]:
    with contextlib.ExitStack() as stack:
        yield stack


def test_a_lesson_from_the_form_to_the_saved_record_without_python(
    page: Any, lab: tuple[str, Path], opened: contextlib.ExitStack
) -> None:
    url, root = lab
    write_notebook(root / "lesson.ipynb", [("import nomic_nb as nb\nnb.start()", "")])
    open_notebook(page, url, "lesson.ipynb")
    run_cell(page, 0)
    page.get_by_label("Players", exact=True).fill("\n".join(CLASS))
    page.get_by_label("players marked away have no vote").check()
    page.get_by_label("Save to file").fill("lesson.sqlite")
    page.get_by_role("button", name="Start the game").click()
    table = Person(page)

    links = hand_out(page)
    seats = {name: Seat(link, opened) for name, link in zip(CLASS, links, strict=False)}
    here = [name for name in CLASS if name not in (LATE, ABSENT)]
    for name in here:
        seats[name].sit(seats[name].link.netloc)
    table.press(table.root.get_by_text("Host", exact=True))
    for name in (LATE, ABSENT):
        table.press(f"{name} is away")
        table.told(f"{name} is away")

    # The first turn: a ballot by mistake is taken back, and cast as it was meant.
    seats["Ada"].does("propose", change={"kind": "enact", "wording": "We greet each other.", "law": "", "title": ""})
    seats["Ben"].does("vote", ballot="against")
    table.press("Take back the last act: Ben votes against proposal 301.")
    table.told("is undone")
    for name in here:
        seats[name].does("vote", ballot="for")
    seats["Ada"].does("roll")

    # In the second one somebody comes late, and the kernel is killed while the class votes.
    table.press(f"{LATE} is back")
    table.told(f"{LATE} is back")
    here.append(LATE)
    seats[LATE].sit(seats[LATE].link.netloc)
    seats["Ben"].does("propose", change={"kind": "enact", "wording": "We thank each other.", "law": "", "title": ""})
    for name in here[:6]:
        seats[name].does("vote", ballot="for")
    kill(page)
    table.told("The kernel of this notebook has ended")
    page.get_by_role("button", name="Ok", exact=True).click()
    page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.info")
    run_cell(page, 0)
    page.get_by_role("button", name="Continue this game").click()
    table = Person(page)
    place = urlsplit(hand_out(page)[0]).netloc
    for name in here:
        seats[name].sit(place)  # by the link that the phone has
    for name in here[6:]:
        seats[name].does("vote", ballot="for")
    seats["Ben"].does("roll")

    # The third by a show of hands, at the teacher's panel alone; the fourth on phones again.
    table.propose("We wait for each other.")
    table.press("Dov votes against")
    table.told("Dov votes against proposal 303")
    table.press(table.root.get_by_text("Host", exact=True))
    table.press("All others for 303")
    table.told("proposal 303 ")
    table.press("Roll")
    table.told("Cleo rolls")
    seats["Dov"].does("propose", change={"kind": "enact", "wording": "We help each other.", "law": "", "title": ""})
    for name in here:
        seats[name].does("vote", ballot="for")
    seats["Dov"].does("roll")
    table.root.locator(".nnb-heading").filter(has_text="Eve’s turn").wait_for()

    with page.expect_download() as download:
        table.press("Save the record")
    download.value.save_as(root / "lesson.jsonl")
    game = nb.load(root / "lesson.jsonl", fingerprint=table.root.locator(".nnb-letters").inner_text())
    assert game.players == tuple(CLASS)
    assert (game.turn, game.player) == (TURNS + 1, "Eve")
    became = [game.proposals[number].outcome for number in (301, 302, 303, 304)]
    assert became == ["adopted", "adopted", "defeated", "adopted"]
    assert {"undone", "absent", "returned"} <= set(game.history["kind"])
    assert nb.open(root / "lesson.sqlite", "game").state.digest() == game.state.digest()
    assert page.locator(".jp-CodeCell").count() == 1
