"""A whole lesson: twelve phones in a browser, from the open door to the erased class, and what goes wrong meanwhile."""

from __future__ import annotations

import asyncio
import csv
import re
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from browser.conftest import CHROMIUM, MISSING
from browser.lab import FLAGS
from browser.people import STILL, WATCH, WORDING
from browser.test_door import PHONE
from hub_helpers import free_port

import nomic_nb as nb

pytestmark = pytest.mark.browser

CLASS = ["Ada", "Ben", "Cleo", "Dov", "Eve", "Fay", "Gus", "Hal", "Ida", "Jan", "Kim", "Lea"]
LATE = "Lea"
#: Milliseconds that a wait may take, whatever else the machine does, and pages that load at once.
PATIENCE, LOADING = 120_000, 3
PROGRAM = "import sys; from nomic_nb.notebook.command import main; sys.exit(main())"


class Page:
    """A page in a browser, and somebody who waits for what it shows, and presses or taps."""

    def __init__(self, page: Any, name: str, *, touch: bool) -> None:
        self.page, self.name, self.touch = page, name, touch
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)

    def button(self, name: str | re.Pattern[str]) -> Any:
        button = self.page.get_by_role("button", name=name, exact=isinstance(name, str))
        return button.and_(self.page.locator("button:not([aria-disabled])")).locator("visible=true").first

    async def press(self, name: str | re.Pattern[str] | Any) -> None:
        """Press a button, or tap it, for as long as a person does; once more where it changed just then."""
        one = self.button(name) if isinstance(name, (str, re.Pattern)) else name
        refused = True
        while refused:
            handle = await one.element_handle()
            await self.page.wait_for_function(f"(el) => el?.isConnected === false || ({STILL})(el)", arg=handle)
            await self.page.evaluate(WATCH)
            await (one.tap() if self.touch else one.click(delay=90))
            refused = await self.page.evaluate("() => window.refused")

    async def sees(self, text: str | re.Pattern[str]) -> None:
        await self.page.get_by_text(text).locator("visible=true").first.wait_for()

    async def is_connected(self) -> None:
        """Wait until no banner says that the connection is lost."""
        await self.page.wait_for_function(
            "() => [...document.querySelectorAll('.nnb-banner')].every((one) => one.hidden)"
        )

    async def has(self, name: str) -> bool:
        return bool(await self.button(name).count())

    async def check(self, axe: str) -> None:
        """Find nothing at fault with axe-core, and nothing that is wider than the screen."""
        await self.page.evaluate(axe)
        found = await self.page.evaluate("async () => (await axe.run()).violations")
        assert [f"{one['id']}: {node['html'][:200]}" for one in found for node in one["nodes"]] == [], self.name
        assert not await self.page.evaluate("() => document.documentElement.scrollWidth > innerWidth"), self.name


class Lesson:
    """A class at its lesson: a server in a process of its own, a host page, a wall, and a phone for each pupil."""

    def __init__(self, browser: Any, file: Path, axe: str) -> None:
        self.browser, self.file, self.axe = browser, file, axe
        self.port = free_port()
        self.phones: dict[str, Page] = {}
        self.pages: list[Page] = []
        self.code = ""
        self.loading = asyncio.Semaphore(LOADING)

    # ------------------------------------------------------------------------------------------ the teacher's computer

    async def start(self) -> tuple[str, str]:
        """Start the command, and return the links of the host page and the wall."""
        command = [
            sys.executable,
            "-c",
            PROGRAM,
            "class",
            str(self.file),
            "--here",
            "--no-browser",
            "--name",
            "localhost",
        ]
        self.server = await asyncio.create_subprocess_exec(*command, "--port", str(self.port), stdout=subprocess.PIPE)
        assert self.server.stdout is not None
        links: list[str] = []
        while len(links) < 2:
            line = (await asyncio.wait_for(self.server.stdout.readline(), PATIENCE / 1000)).decode()
            assert line, "the command has ended"
            links += re.findall(r"https?://\S+", line)
        return tuple(f"http://localhost:{self.port}/#{link.partition('#')[2]}" for link in links)  # type: ignore[return-value]

    async def kill(self) -> None:
        """Kill the server, as a machine does that runs out of memory."""
        self.server.kill()
        await self.server.wait()

    async def open(self, link: str, name: str, **how: Any) -> Page:
        async with self.loading:
            context = await self.browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **how})
            context.set_default_timeout(PATIENCE)
            page = Page(await context.new_page(), name, touch="has_touch" in how)
            self.pages.append(page)
            await page.page.goto(link)
        return page

    # ------------------------------------------------------------------------------------------ what pupils do

    async def join(self, name: str, *, scans: bool = True) -> Page:
        """Scan the code or type it, and say a name."""
        address = f"http://localhost:{self.port}/"
        phone = await self.open(f"{address}#join={self.code}" if scans else address, name, **PHONE)
        self.phones[name] = phone
        if not scans:
            await phone.page.get_by_label("Code on the board").fill(self.code.partition(".")[0])
            await phone.press("Next")
        await phone.page.get_by_label("Your name in the game").fill(name)
        await phone.press("Join")
        return phone

    async def sits(self, name: str) -> None:
        """Wait until a phone has its seat."""
        await self.phones[name].page.locator(".nnb-head .nnb-game").wait_for()

    def table_of(self, name: str) -> str:
        """The table at which a phone has its seat."""
        return unquote(urlsplit(self.phones[name].page.url).fragment.partition("/")[0])

    async def draft(self, name: str) -> None:
        """Write a draft while others play, and show it to the table."""
        phone = self.phones[name]
        await phone.press(re.compile(r"^Your drafts"))
        await phone.press("Write a draft")
        await phone.press("Write a rule")
        await (
            phone.page.get_by_label(WORDING, exact=True).locator("visible=true").fill(f"We listen when {name} speaks.")
        )
        await phone.press("Save draft")
        await phone.press(re.compile("^Show it to the table"))
        await phone.sees(re.compile("^Shown to the table"))

    async def second(self, name: str) -> None:
        """Second a draft of somebody else."""
        phone = self.phones[name]
        await phone.press(re.compile(r"^Drafts of the table"))
        await phone.press(re.compile("^Second: "))
        await phone.sees(re.compile("seconded by"))

    async def proposer(self, names: list[str]) -> str:
        """Whose turn it is among the pupils of a table."""
        while True:
            for name in names:
                if await self.phones[name].has("Write a rule") and not await self.phones[name].has("Save draft"):
                    return name
            await asyncio.sleep(0.3)

    async def vote(self, names: list[str]) -> None:
        """Vote for a proposal with a tap, all at once."""
        await asyncio.gather(*(self.phones[name].press("For") for name in names))


@asynccontextmanager
async def open_browser(file: Path) -> AsyncIterator[Lesson]:
    from importlib.util import find_spec

    from playwright.async_api import async_playwright

    spec = find_spec("axe_playwright_python")
    assert spec is not None
    assert spec.submodule_search_locations
    axe = next(Path(spec.submodule_search_locations[0]).glob("**/axe.min.js")).read_text(encoding="utf-8")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        lesson = Lesson(browser, file, axe)
        try:
            yield lesson
        finally:
            if lesson.server.returncode is None:
                await lesson.kill()
            await browser.close()


class Steps:
    """The parts of a lesson, one after another, as a teacher lives through them."""

    def __init__(self, lesson: Lesson, note: Callable[[str], None]) -> None:
        self.lesson, self.note = lesson, note
        self.tables: dict[str, list[str]] = {}
        self.have_written: set[str] = set()

    async def open_pages(self) -> None:
        """Start the lesson, or go on with it after its server was killed."""
        host, wall = await self.lesson.start()
        self.host = await self.lesson.open(host, "host")
        self.wall = await self.lesson.open(wall, "wall", viewport={"width": 1920, "height": 1080})

    async def read_code(self) -> None:
        self.lesson.code = (await self.wall.page.locator(".nnb-pin").inner_text()).replace(" ", "")

    async def come_in(self, names: list[str]) -> None:
        """The door: two of three scan, the others type."""
        lesson, host = self.lesson, self.host
        await host.press("Open the door")
        await self.read_code()
        await asyncio.gather(*(lesson.join(name, scans=at % 3 < 2) for at, name in enumerate(names)))
        await asyncio.gather(*(lesson.phones[name].sees(f"You’re in, {name}.") for name in names))
        await host.sees(f"{len(names)} here")
        for page in (host, self.wall, lesson.phones[names[0]]):
            await page.check(lesson.axe)
        await lesson.kill()
        await lesson.start()
        await host.is_connected()
        await host.press(f"Begin with {len(names)}")  # all are back by their passes
        await asyncio.gather(*(lesson.sits(name) for name in names))
        for name in names:
            self.tables.setdefault(lesson.table_of(name), []).append(name)
        self.one, self.other = sorted(self.tables)
        turn = [await lesson.proposer(at_table) for at_table in self.tables.values()]
        waiting = {table: [name for name in at_table if name not in turn] for table, at_table in self.tables.items()}
        self.offline, self.locked, *_ = waiting[self.one]
        self.away, self.lost, self.hasty, *_ = waiting[self.other]

    async def wait_and_write(self, table: str) -> str:
        """Everybody who waits writes a draft, and seconds another one; return whose turn it is."""
        lesson, names = self.lesson, [name for name in self.tables[table] if name != self.away]
        first = await lesson.proposer(names)
        others = [name for name in names if name != first]
        await asyncio.gather(*(lesson.draft(name) for name in others if name not in self.have_written))
        await asyncio.gather(*(lesson.second(name) for name in others if name not in self.have_written))
        self.have_written |= set(others)
        return first

    async def play_with_a_gap_and_a_lock(self, table: str) -> None:
        """One phone has no network for a while, and one is locked; both vote in the end."""
        lesson = self.lesson
        first = await self.wait_and_write(table)
        await lesson.phones[first].check(lesson.axe)
        await lesson.phones[first].press(re.compile("^Propose it: "))
        offline, locked = lesson.phones[self.offline], lesson.phones[self.locked]
        await offline.button("For").wait_for()
        said = offline.sees("Connection lost. Reconnecting …")  # which an answer under way takes back
        await asyncio.gather(said, offline.page.context.set_offline(True))
        screen = await locked.page.context.new_cdp_session(locked.page)
        await screen.send("Page.setWebLifecycleState", {"state": "frozen"})
        await lesson.vote([name for name in self.tables[table] if name not in (self.offline, self.locked)])
        await screen.send("Page.setWebLifecycleState", {"state": "active"})
        await lesson.vote([self.locked])
        await offline.page.context.set_offline(False)
        await offline.is_connected()
        await lesson.vote([self.offline])
        await lesson.phones[first].press("Roll")
        self.note(f"{table}: back from a gap and a lock")

    async def play_with_an_absence_and_a_wrong_ballot(self, table: str) -> None:
        """One pupil leaves, and one presses the wrong button; the host puts both right."""
        lesson, host = self.lesson, self.host
        await lesson.phones[self.away].page.context.close()
        await host.press(table)
        await host.press(host.page.locator("summary").filter(has_text=re.compile("^Host")))
        await host.press(f"{self.away} is away")
        first = await self.wait_and_write(table)
        await lesson.phones[first].press(re.compile("^Propose it: "))
        await lesson.phones[self.hasty].button("Against").wait_for()
        await lesson.phones[self.hasty].check(lesson.axe)
        await lesson.phones[self.hasty].press("Against")
        await host.check(lesson.axe)
        await host.press(f"Take back the last act: {self.hasty} votes against proposal 301.")
        await lesson.vote([name for name in self.tables[table] if name != self.away])
        await lesson.phones[first].press("Roll")
        self.note(f"{table}: without {self.away}, and with {self.hasty}’s ballot put right")

    async def replace_a_phone_and_let_a_late_one_in(self, table: str) -> None:
        """The door opens again: for the same name on another phone, and for a new name at a table that agrees."""
        lesson, host = self.lesson, self.host
        await lesson.phones[self.lost].page.context.close()
        await host.press("All tables")
        await host.press("Let latecomers in")
        await self.wall.page.locator(".nnb-pin").wait_for()
        await self.read_code()
        await lesson.join(self.lost)
        await host.press(f"That’s {self.lost}: move to this phone")
        await lesson.sits(self.lost)
        await lesson.join(LATE, scans=False)
        await host.page.get_by_label("Table", exact=True).select_option(table)
        await host.page.get_by_label("Everybody at this table agrees").check()
        await host.press("Let in")
        await lesson.sits(LATE)
        self.tables[table].append(LATE)
        await host.press("Close the door")
        self.note(f"{self.lost} has another phone, and {LATE} has come")

    async def begin_a_vote(self, table: str) -> str:
        """All but one vote on a proposal; return who proposes and has not voted."""
        lesson = self.lesson
        first = await self.wait_and_write(table)
        await lesson.phones[first].press(re.compile("^Propose it: "))
        await lesson.vote([name for name in self.tables[table] if name not in (first, self.away)])
        return first

    async def end_the_votes(self, last: str, by_hand: str) -> None:
        """The last ones vote, on a phone and by a show of hands, and roll."""
        await self.lesson.vote([last])
        await self.lesson.phones[last].press("Roll")
        await self.host.press(self.lesson.table_of(by_hand))
        await self.host.press(f"{by_hand} votes for")
        await self.lesson.phones[by_hand].press("Roll")
        await self.host.press("All tables")

    async def go_on_after_a_kill(self) -> None:
        """The server is killed while two votes are open, and started again with the same file."""
        left = await asyncio.gather(*map(self.begin_a_vote, self.tables))
        self.note("two votes are open; the server is killed")
        await self.lesson.kill()
        await self.lesson.start()
        await asyncio.gather(*(phone.is_connected() for name, phone in self.lesson.phones.items() if name != self.away))
        await self.end_the_votes(*left)
        self.note("both votes are closed")

    async def end(self, folder: Path) -> None:
        """Save everything, look at it, and erase the class."""
        lesson, host = self.lesson, self.host
        await host.press("Save everything")
        await host.press(host.page.get_by_text("What was saved"))
        await host.sees("class.csv")
        saved = folder / "class"
        assert sorted(path.stem for path in saved.glob("pupil *.html")) == [f"pupil {name}" for name in CLASS]
        with (saved / "class.csv").open(encoding="utf-8-sig", newline="") as file:
            rows = {row["name"]: row for row in csv.DictReader(file)}
        assert sorted(rows) == CLASS
        assert [row["adopted"] for row in rows.values()].count("1") == 4
        for table, names in self.tables.items():
            game = nb.new_game(str(saved / f"our law {table}.md"), names[:2])  # next week
            assert game.rules[302].wording.startswith("We listen when ")
            assert set(nb.load(saved / f"{table} record.jsonl").players) == set(names)
        await host.check(lesson.axe)
        await host.press("Erase the class")
        await host.press("Erase for good")
        await host.page.get_by_role("heading", name="The class is erased").wait_for()
        assert list(folder.iterdir()) == []
        for name in CLASS:
            if name != self.away:
                await lesson.phones[name].page.get_by_role("heading", name="That’s it for today.").wait_for()
                kept = "() => Object.keys(localStorage).filter((one) => one.startsWith('nomic_nb '))"
                assert await lesson.phones[name].page.evaluate(kept) == []
        await lesson.phones[LATE].check(lesson.axe)
        self.note("erased")


async def play_a_lesson(folder: Path) -> None:
    began = time.monotonic()
    async with open_browser(folder / "class.sqlite") as lesson:
        steps = Steps(lesson, lambda what: print(f"{time.monotonic() - began:5.1f} s  {what}"))  # noqa: T201
        await steps.open_pages()
        await steps.come_in([name for name in CLASS if name != LATE])
        steps.note("seated")
        await asyncio.gather(
            steps.play_with_a_gap_and_a_lock(steps.one), steps.play_with_an_absence_and_a_wrong_ballot(steps.other)
        )
        await steps.replace_a_phone_and_let_a_late_one_in(steps.other)
        await steps.go_on_after_a_kill()
        await steps.end(folder)
        errors = [(page.name, error) for page in lesson.pages for error in page.errors if "WebSocket" not in error]
        assert errors == []  # a browser notes each lost connection, and that is all


def test_a_lesson_with_twelve_phones(tmp_path: Path) -> None:
    if MISSING:
        pytest.skip(f"there is no {' and no '.join(MISSING)}")
    with ThreadPoolExecutor(1) as thread:  # other tests have a loop of theirs in this one
        thread.submit(asyncio.run, play_a_lesson(tmp_path)).result()
