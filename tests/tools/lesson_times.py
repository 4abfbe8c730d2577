"""A lesson by the clock: what pupils read, hear and write, whether 45 minutes are enough, and what it costs the server.

PYTHONPATH=tests python tests/tools/lesson_times.py notebook            the notebook, with twelve phones that look on
PYTHONPATH=tests python tests/tools/lesson_times.py phones              the plan for phones, at tables of six
PYTHONPATH=tests python tests/tools/lesson_times.py phones --phones 30 --guess
                                    the same with thirty phones, and what it costs the server when others guess codes

Everything is done for real: cells run in a kernel, phones are connected, votes are cast. Only people are reckoned, by
the words that they see, say and write. It fails if a plan does not fit.
"""

from __future__ import annotations

import argparse
import ast
import asyncio
import json
import os
import random
import re
import statistics
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from tools.classes import SETTINGS, Host, Page, Seat, Server
from websockets.exceptions import WebSocketException

ROOT = Path(__file__).parents[2]
NOTEBOOK, PLAN = ROOT / "notebooks" / "02_lesson.ipynb", ROOT / "nomic_nb" / "docs" / "lessons.md"
LONGEST = 45
#: Words a minute that pupils read; that a teacher says; that a pupil types on a phone.
READ, SAY, TYPE = 200, 130, 20
#: Seconds to press for a ballot; to run a cell; to scan a code and find the field for a name; for what the text calls
#: “your turn” and says about pupils, if it gives no time; to read aloud and find a loophole; for a question.
CHOOSE, RUN, SCAN, YOUR_TURN, PUPILS, LOOPHOLE, ASK = 10, 5, 30, 45, 20, 75, 60
#: Seconds in which a table talks about a result, and in which a class settles down and opens its phones.
TALK, SETTLE = 60, 60
#: Seconds within which phones act one after another here, where nobody thinks.
PACE = 0.6
NUMBERS = {"a": 1, "one": 1, "two": 2, "three": 3, "five": 5}
#: What pupils propose, with a clause or without one.
RULES = (
    ("We thank each other after every vote.", ""),
    ("A player who rolls a six gets two points more.", 'on thrown when face == 6: award 2 points to player'),
    ("Nobody may speak while another player reads a proposal aloud. Whoever does must say sorry.", ""),
    ("The player with the fewest points decides which music we hear in the next break.", ""),
    ("Whoever votes against a proposal has to say why in one sentence, and the others listen to it.", ""),
    ("A proposal passes if more than half of those who vote are for it.", ""),
    ("Each player greets the player on their left before they roll the die, or loses a point.", ""),
)  # fmt: skip


def tell(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def minutes(words: float, rate: float) -> float:
    return words / rate


def count(text: str) -> int:
    return len(text.split())


class _Visible(HTMLParser):
    """What can be read of an output: without what is folded or hidden, by lines."""

    EMPTY = frozenset(("br", "hr", "img", "input", "link", "meta", "path", "rect", "circle", "use"))
    INLINE = frozenset(
        ("a", "abbr", "b", "bdi", "code", "del", "em", "i", "ins", "mark", "span", "strong", "sub", "sup")
    )

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, bool]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag not in self.INLINE:
            self.text.append("\n")
        if tag in self.EMPTY:
            return
        named = dict(attributes)
        folded = bool(self.open) and self.open[-1][0] == "closed" and tag != "summary"
        hidden = tag in ("style", "script", "svg") or "hidden" in named or folded
        inside = bool(self.open) and self.open[-1][1]
        self.open.append(("closed" if tag == "details" and "open" not in named else tag, hidden or inside))

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.INLINE:
            self.text.append("\n")
        if tag in self.EMPTY:
            return
        while self.open:
            closed, _ = self.open.pop()
            if closed == tag or (closed == "closed" and tag == "details"):
                break

    def handle_data(self, data: str) -> None:
        if not (self.open and self.open[-1][1]):
            self.text.append(data)


def lines_of(html: str) -> Iterator[str]:
    """The lines that can be seen of an output."""
    visible = _Visible()
    visible.feed(html)
    for line in "".join(visible.text).splitlines():
        if line.strip():
            yield " ".join(line.split())


class Eyes:
    """Somebody who reads what is new, and nothing twice."""

    def __init__(self) -> None:
        self.known: set[str] = set()

    def read(self, lines: Iterable[str]) -> int:
        """How many words of these lines are new."""
        fresh = {line for line in lines if line not in self.known}
        self.known |= fresh
        return sum(map(count, fresh))


@dataclass
class Row:
    """A part of a lesson: its minutes in the plan, and what it takes, by what people do."""

    name: str
    begins: float
    ends: float
    spent: dict[str, float] = field(default_factory=dict)

    def add(self, what: str, took: float) -> None:
        self.spent[what] = self.spent.get(what, 0.0) + took

    @property
    def needed(self) -> float:
        return sum(self.spent.values())


def print_timetable(rows: list[Row]) -> bool:
    """Show what each part takes; tell whether each ends in its time."""
    at, fits = 0.0, True
    for row in rows:
        parts = ", ".join(f"{what} {took:.1f}" for what, took in row.spent.items() if took >= 0.05)
        at += row.needed
        fits &= at <= row.ends
        plan = f"{row.begins:.0f}–{row.ends:.0f}"
        tell(f"{plan:>6}  {row.name[:48]:48} {row.needed:5.1f} min, ends at {at:4.1f}  ({parts})")
    tell(f"{at:.1f} of {LONGEST} minutes{'' if fits else ': too long'}")
    return fits and at <= LONGEST


# ---------------------------------------------------------------------------------------------- what a phone shows


def texts(tree: Any) -> Iterator[str]:
    """The texts in a tree of elements."""
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, list):
        for one in tree[2:] if len(tree) > 1 and isinstance(tree[1], dict) else tree:
            yield from texts(one)


def lines_on_phone(seat: Seat) -> Iterator[str]:
    """What a phone shows of its game: what is new, what is proposed, and the drafts of the table."""
    table = seat.table
    yield from (one["text"] for one in table["news"].values())
    for number, one in table["proposals"].items():
        vote = one.get("vote") or {}
        said = (*texts(one["said"]), *texts(one["odd"]), vote.get("verdict"))
        for line in (one["title"], " ".join(texts(one["what"])), *said):
            if line and not line.startswith("Open:"):
                yield f"{number} {line}"
    for one in seat.aside.get("drafts", {}).values():
        yield f"{one['headline']} {one['change']['wording']}"


# ---------------------------------------------------------------------------------------------- the notebook


def activity(source: str) -> float:
    """Minutes that a class is given for what the text asks of it."""
    took = 0.0
    for block in re.findall(r"^> \*\*(Your turn|Pupils|Watch for|Say).*?(?=^> \*\*|^(?!>)|\Z)", source, re.M | re.S):
        took += {"Your turn": YOUR_TURN, "Pupils": PUPILS}.get(block, 0) / 60
    given = [NUMBERS[word] for word in re.findall(r"\b(one|two|three|five) minutes?\b", source) if word in NUMBERS]
    return max(took, float(sum(given)))


def take_text(source: str, rows: list[Row]) -> None:
    """Count what a cell of text has pupils read, hear and do; its heading may begin another part."""
    if heading := re.search(r"^## (.*?) · minutes (\d+)–(\d+)$", source, re.M):
        rows.append(Row(heading[1], float(heading[2]), float(heading[3])))
    elif rows and re.match("## (?!Closing)", source):
        rows.append(Row("", 0, 0))  # after the lesson
    if rows:
        quoted = " ".join(line[1:] for line in source.splitlines() if line.startswith(">"))
        said = " ".join(re.findall(r"\*\*Say:\*\*(.*?)(?=\*\*\w|$)", quoted))
        shown = re.sub(r"<details>.*?</details>|^>.*?$|^\|.*?$|^#.*?$", "", source, flags=re.S | re.M)
        rows[-1].add("hear", minutes(count(said), SAY))
        rows[-1].add("read", minutes(count(shown), READ))
        rows[-1].add("do", activity(source))


async def notebook_lesson() -> list[Row]:
    """Run the notebook in a kernel with twelve phones: one for each group's seat, and nine that look on."""
    book = nbformat.read(NOTEBOOK, as_version=4)
    client = NotebookClient(book, timeout=60, kernel_name="python3", store_widget_state=False)
    rows: list[Row] = []
    projector, readers = Eyes(), dict[str, Eyes]()
    phones: dict[str, Seat] = {}

    async def connect(link: str, name: str) -> None:
        port, table, secret = re.findall(r":(\d+)/#([^/]+)/(.+)", link)[0]
        server = Server("")
        server.port = int(port)
        phones[name], readers[name] = Seat(server, name, table, secret), Eyes()
        await phones[name].sit()
        readers[name].read(lines_on_phone(phones[name]))

    async def ask(code: str) -> Any:
        """Evaluate something in the kernel, beside the cells."""
        got = await client.kc.execute_interactive(
            "", user_expressions={"got": f"__import__('json').dumps({code})"}, silent=True, timeout=60
        )
        found = got["content"]["user_expressions"]["got"]
        return json.loads(ast.literal_eval(found["data"]["text/plain"]))

    async with client.async_setup_kernel(env={**os.environ, "PYTHONPATH": str(ROOT)}):
        for at, cell in enumerate(book.cells):
            if cell.cell_type == "markdown":
                take_text(cell.source, rows)
                continue
            await client.async_execute_cell(cell, at)
            shown_lines: list[str] = []
            for output in cell.outputs:
                data = output.get("data", {})
                plain = str(output.get("text") or data.get("text/plain", ""))
                shown_lines += lines_of(data["text/html"]) if "text/html" in data else plain.splitlines()
            if not phones:
                await client.kc.execute_interactive("room = game.serve(port=0)", silent=True, timeout=60)
                for name, link in (await ask("room.links")).items():
                    await connect(link, name)
                wall = (await ask("room.wall"))["1"]
                for looker in range(12 - len(phones)):
                    await connect(wall, f"looks on {looker}")
            await asyncio.sleep(0.1)
            for name, link in (await ask("room.links")).items():
                if name not in phones:
                    del phones["looks on 0"]
                    await connect(link, name)
            on_phones = max(readers[name].read(lines_on_phone(phone)) for name, phone in phones.items())
            rows[-1].add("read", minutes(max(projector.read(shown_lines), on_phones), READ))
            rows[-1].add("run", RUN / 60)
        tell(f"{len(phones)} phones, {sum(bool(phone.mine['seat']) for phone in phones.values())} of them at seats")
        for phone in phones.values():
            await phone.socket.close()
    return [row for row in rows if row.name]


# ---------------------------------------------------------------------------------------------- the plan for phones


class CountedSeat(Seat):
    """A seat that counts what its phone is sent."""

    received = 0

    async def dial(self, first: dict[str, Any]) -> None:
        await super().dial(first)
        self.socket = _Counted(self.socket, self)  # type: ignore[assignment]


class _Counted:
    """A connection whose messages are counted."""

    def __init__(self, socket: Any, seat: CountedSeat) -> None:
        self.socket, self.seat = socket, seat

    async def __aiter__(self) -> Any:
        async for text in self.socket:
            self.seat.received += len(text.encode())
            yield text

    def __getattr__(self, name: str) -> Any:
        return getattr(self.socket, name)


class Costs:
    """What the server's process has used so far, by its entry in /proc."""

    def __init__(self, process: int) -> None:
        self.process = process

    @property
    def seconds(self) -> float:
        used = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        return (int(used[11]) + int(used[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def megabytes(self) -> float:
        found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{self.process}/status").read_text())
        return int(found[1]) / 1024 if found else 0.0


def median(times: list[float]) -> str:
    return f"{statistics.median(times) * 1000:.0f} ms (median of {len(times)})"


def page_bytes(port: int) -> int:
    """What a phone loads of the page, from the door to its seat."""
    names = ("", *(f"widgets/{name}" for name in (
        "theme.js", "tokens.css", "style.css", "boards.css", "propose.css", "aside.css", "lobby.css", "page.js",
        "door.js", "seat.js", "aside.js",
    )))  # fmt: skip
    total = 0
    for name in names:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/{name}", timeout=20) as answer:
            total += len(answer.read())
    return total


class Table:
    """A table of pupils, with a clock of its own."""

    def __init__(self, seats: list[CountedSeat], dice: random.Random) -> None:
        self.seats, self.dice = seats, dice
        self.eyes = {seat.name: Eyes() for seat in seats}
        self.turns: list[dict[str, float]] = []
        self.seen: list[float] = []
        self.drafts_seen: list[float] = []

    def read(self) -> float:
        """Minutes in which the slowest has read what is new on the phone."""
        return minutes(max(self.eyes[seat.name].read(lines_on_phone(seat)) for seat in self.seats), READ)

    async def noted(self, asked: tuple[float, float, dict[str, Any]]) -> None:
        """Wait until all see an act."""
        begun, _, got = asked
        assert "done" in got, got
        for seat in self.seats:
            await seat.until(lambda seat=seat: max(seat.seen) >= got["step"])
        at = [min(at for step, at in seat.seen.items() if step >= got["step"]) for seat in self.seats]
        self.seen.append(max(at) - begun)

    async def draft(self, seat: CountedSeat, at: int) -> None:
        """Write a draft while another is at turn, show it, and second another one."""
        await asyncio.sleep(self.dice.random() * 5 * PACE)
        wording, law = RULES[at % len(RULES)]
        change = {"kind": "enact", "title": "", "wording": f"{wording} ({seat.name})", "law": law}
        _, _, got = await seat.ask(**{"class": "draft", "details": {"change": change}})
        assert "done" in got, got
        await seat.until(lambda: seat.aside["mine"])
        number = max(seat.aside["mine"], key=int)
        begun, _, _ = await seat.ask(**{"class": "share", "details": {"number": int(number), "shared": True}})
        for other in self.seats:
            await other.until(lambda other=other: number in other.aside["drafts"])
        self.drafts_seen.append(time.perf_counter() - begun)
        others = [one for one, draft in seat.aside["drafts"].items() if draft["by"] != seat.name]
        if others:
            await seat.ask(**{"class": "second", "details": {"number": int(self.dice.choice(others)), "seconds": True}})

    async def turn(self, at: int) -> None:
        """One proposes and all vote, some with a reason; the proposer rolls."""
        who, spent = self.seats[at % len(self.seats)], dict[str, float]()
        waiting = [seat for seat in self.seats if seat is not who]
        if at == 0:
            await asyncio.gather(*(self.draft(seat, place) for place, seat in enumerate(waiting)))
        wording, law = RULES[at % len(RULES)] if at else ("We greet each other.", "")
        spent["read"] = self.read()
        spent["write"] = minutes(count(wording), TYPE)
        change = {"kind": "enact", "title": "", "wording": wording, "law": law}
        await self.noted(await who.act("propose", change=change))
        spent["read"] += self.read()
        spent["vote"] = CHOOSE / 60
        for seat in self.seats:
            await asyncio.sleep(self.dice.random() * PACE)
            await self.noted(await seat.act("vote", ballot="for"))
        number = max(map(int, who.table["proposals"]))
        for seat in self.dice.sample(self.seats, 2):
            reason = "It is fair to those who are new."
            await seat.ask(**{"class": "reason", "details": {"proposal": number, "text": reason}})
        spent["write"] += minutes(7, TYPE)
        await self.noted(await who.act("roll"))
        spent["read"] += self.read()
        spent["talk"] = TALK / 60
        self.turns.append(spent)


def plan_of_page() -> list[Row]:
    """The parts of the lesson of 45 minutes, as the page has them."""
    section = PLAN.read_text(encoding="utf-8").partition("## 45 minutes")[2].partition("## 90")[0]
    return [
        Row(what.strip(), float(begins), float(ends))
        for begins, ends, what in re.findall(r"^\| (\d+)–(\d+) \| (.*?) \|", section, re.M)
    ]


async def guess(server: Server, until: asyncio.Event) -> int:
    """Try codes at the door, as fast as it answers."""
    tried = 0
    while not until.is_set():
        page = Page(server, "door")
        with suppress(OSError, WebSocketException):  # closed, as it should be
            await page.dial({"code": "000000"})
            while not until.is_set():
                await page.hear("door")
                tried += 1
                await page.say({"code": f"{tried:06}"})
        page.socket.transport.abort()
    return tried


async def play_while_others_guess(server: Server, costs: Costs, tables: list[Table], turns: int) -> None:
    """Play eight more turns, in every other of which sixteen guess codes; print what acts take and cost."""
    cpu = {False: 0.0, True: 0.0}
    by_guessing: dict[bool, list[float]] = {False: [], True: []}
    for at in range(8):
        until, guessing = asyncio.Event(), at % 2 == 1
        guessers = [asyncio.create_task(guess(server, until)) for _ in range(16 * guessing)]
        used = costs.seconds
        before_round = [len(table.seen) for table in tables]
        await asyncio.gather(*(table.turn(turns + at) for table in tables))
        for table, was in zip(tables, before_round, strict=True):
            by_guessing[guessing] += table.seen[was:]
        until.set()
        cpu[guessing] += costs.seconds - used
        await asyncio.gather(*guessers)
    quiet, loud = (median(by_guessing[one]) for one in (False, True))
    tell(f"an act: {quiet}, {cpu[False]:.2f} s of the server; while 16 guess codes: {loud}, {cpu[True]:.2f} s")


async def phones_lesson(phones: int, *, guess_codes: bool) -> list[Row]:
    """Play the plan with phones; print what they and the server have cost."""
    join, settle, play, share, end = rows = plan_of_page()
    tables, dice = max(1, round(phones / 6)), random.Random(0)
    with tempfile.TemporaryDirectory() as folder:
        server = Server("class", str(Path(folder, "class.sqlite")), "--here", "--no-browser", "--name", "hub.example")
        secret = re.search(r"#host=(\S+)", server.start())[1]  # type: ignore[index]
        costs, host = Costs(server.process.pid), Host(server, "lobby")
        try:
            await host.dial({"secret": secret})
            await host.do("open door", **SETTINGS)
            while not (lobby := (await host.hear("lobby"))["lobby"])["code"]:
                pass
            names = [f"Pupil {at}" for at in range(phones)]
            doors = {name: Page(server, "door") for name in names}
            for name, door in doors.items():
                await door.dial({"code": f"{lobby['code']}"})
                await door.hear("door")
                await door.say({"name": name})
                await door.hear("in")
            join.add("settle", SETTLE / 60)
            join.add("scan, type a name", SCAN / 60 + minutes(2, TYPE))
            join.add("read", minutes(40, READ))
            places = {f"t{at}": names[at::tables] for at in range(tables)}
            await host.do("begin", seating=places)
            seats: dict[str, CountedSeat] = {}
            for name, door in doors.items():
                got = await door.hear("go")
                seats[name] = CountedSeat(server, name, got["go"], got["link"])
                await seats[name].sit()
            all_tables = [Table([seats[name] for name in at_table], dice) for at_table in places.values()]
            idle = costs.seconds
            await asyncio.sleep(5)
            idle = (costs.seconds - idle) / 5
            for table in all_tables:
                table.read()
            before = costs.seconds
            most = max(len(table.seats) for table in all_tables)
            for at in range(most):
                await asyncio.gather(*(table.turn(at) for table in all_tables))
            used, in_play = costs.seconds - before, costs.megabytes
            first = max(all_tables, key=lambda table: sum(table.turns[0].values())).turns[0]
            for what, took in first.items():
                settle.add(what, took)
            settle.add("ask", ASK / 60)
            slowest = max(all_tables, key=lambda table: sum(sum(turn.values()) for turn in table.turns[1:]))
            for turn in slowest.turns[1:]:
                for what, took in turn.items():
                    play.add(what, took)
            share.add("read out, find a loophole", tables * LOOPHOLE / 60)
            end.add("ask", 2 * ASK / 60)
            begun = time.perf_counter()
            assert "done" in await host.do("save everything")
            end.add("save", (time.perf_counter() - begun) / 60)
            tell(f"{tables} tables; {len(slowest.turns)} turns at each: everybody has proposed once")
            seen = [took for table in all_tables for took in table.seen]
            drafts = [took for table in all_tables for took in table.drafts_seen]
            loaded, sent = page_bytes(server.port), statistics.median(seat.received for seat in seats.values())
            kb = [round(size / 1000) for size in (loaded, sent, loaded + sent)]
            tell(f"a phone: page {kb[0]} kB, messages {kb[1]} kB, together {kb[2]} kB")
            of_a_core = idle + used / (60 * LONGEST)
            tell(
                f"the server: {used:.1f} s for all acts, {idle:.3f} of a core at rest, {of_a_core:.3f} over the lesson;"
                f" {in_play:.0f} MB in play, {costs.megabytes:.0f} MB once everything is saved"
            )
            tell(f"an act seen by its table: {median(seen)}; a draft: {median(drafts)}")
            if guess_codes:
                await host.do("open door", **SETTINGS)
                await play_while_others_guess(server, costs, all_tables, most)
            await asyncio.gather(*(seat.socket.close() for seat in seats.values()))
        finally:
            server.kill()
    return rows


def main() -> int:
    """Run the command; 1 if a lesson does not fit its plan."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("lesson", choices=("notebook", "phones"))
    parser.add_argument("--phones", type=int, default=12, help="phones of the plan for phones")
    parser.add_argument("--guess", action="store_true", help="measure also while others guess codes at the door")
    asked = parser.parse_args()
    lesson = notebook_lesson() if asked.lesson == "notebook" else phones_lesson(asked.phones, guess_codes=asked.guess)
    rows = asyncio.run(lesson)
    return 0 if print_timetable(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
