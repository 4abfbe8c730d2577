"""A class of phones without browsers: what it costs to join, begin and act, and whether a killed server loses anything.

python tests/tools/classes.py class.sqlite --phones 30 --tables 5
python tests/tools/classes.py games.sqlite --phones 200 --tables 8 --seats-only

The server is a process of its own. It is killed with -9 in the lobby and in play, and begun again: then everybody has
to be back under their own name, by their own pass or link, with drafts and reasons.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import socket
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from patching import patched
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from nomic_nb.notebook.opening_games import new_game

SETTINGS = {"ruleset": "discordian-nomic", "points": "100000", "joint": "joint", "away": True}
CHANGE = {"kind": "enact", "wording": "Be kind.", "law": "", "title": ""}
#: Seconds between two tries to be connected again, and in which a class scans.
AGAIN, SCANNING = 0.02, 3.0


class Server:
    """The command, as a process that can be killed."""

    def __init__(self, *command: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.command = [sys.executable, "-m", "nomic_nb", *command, "--port", str(self.port)]

    def start(self) -> str:
        """Begin, or begin again; return what it prints before it serves."""
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True)
        lines = []
        for line in self.process.stdout or ():
            lines.append(line)
            if line.startswith("Press Ctrl-C"):
                break
        return "".join(lines)

    @property
    def cpu(self) -> float:
        """Seconds of processor time that it has taken, which say more than others do on a busy machine."""
        stat = Path(f"/proc/{self.process.pid}/stat")
        times = stat.read_text().rpartition(")")[2].split()[11:13] if stat.exists() else ("0", "0")
        return sum(map(int, times)) / os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 0.0

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()

    async def connect(self, path: str) -> ClientConnection:
        """Connect, as soon as there is a server."""
        while True:
            try:
                return await connect(f"ws://127.0.0.1:{self.port}/{path}", compression=None, max_size=None)
            except (OSError, WebSocketException):
                await asyncio.sleep(AGAIN)


class Page:
    """What a page hears: answers by their ids, and the rest in order."""

    def __init__(self, server: Server, path: str) -> None:
        self.server, self.path, self.count = server, path, 0

    async def dial(self, first: dict[str, Any]) -> None:
        self.socket = await self.server.connect(self.path)
        await self.say(first)

    async def say(self, message: dict[str, Any]) -> None:
        await self.socket.send(json.dumps(message))

    async def hear(self, *fields: str) -> dict[str, Any]:
        while True:
            got: dict[str, Any] = json.loads(await asyncio.wait_for(self.socket.recv(), 60))
            if not got.keys().isdisjoint((*fields, "refused")):
                return got


class Host(Page):
    """The host page."""

    async def do(self, command: str, **details: object) -> dict[str, Any]:
        self.count += 1
        await self.say({"id": self.count, "do": command, "details": details})
        return await self.hear("done")


class Seat(Page):
    """A seat that follows the game and acts in it."""

    def __init__(self, server: Server, name: str, table: str, link: str) -> None:
        super().__init__(server, f"ws/{quote(table)}")
        self.name, self.link = name, link

    async def sit(self) -> float:
        """Take the seat; return when the view was there."""
        self.mine, self.table, self.aside = None, None, None
        self.seen: dict[int, float] = {}
        self.answers: dict[str, asyncio.Future[tuple[float, dict[str, Any]]]] = {}
        self.news = asyncio.Event()
        await self.dial({"link": self.link})
        await self.say({"open": True})
        self.task = asyncio.create_task(self._follow())
        await self.until(lambda: self.mine is not None and self.aside is not None)
        return min(self.seen.values())

    @property
    def what_must_come_back(self) -> dict[str, Any]:
        """Who sits here, the ballots, one's drafts and the reasons, as this page shows them."""
        ballots = {number: one["vote"]["ballots"] for number, one in self.table["proposals"].items()}
        return {"seat": self.mine["seat"], "ballots": ballots, **{it: self.aside[it] for it in ("mine", "reasons")}}

    async def _follow(self) -> None:
        with suppress(WebSocketException):
            async for text in self.socket:
                got, now = json.loads(text), time.perf_counter()
                if view := got.get("view"):
                    self.mine, self.table = view["mine"], view["table"]
                if diff := got.get("diff"):
                    self.mine, self.table = patched(self.mine, diff["mine"]), patched(self.table, diff["table"])
                if shown := got.get("view") or got.get("diff"):
                    self.seen.setdefault(shown["step"], now)
                self.aside = got.get("class", self.aside)
                if changes := got.get("class_diff"):
                    self.aside = patched(self.aside, changes)
                if waits := self.answers.pop(str(got.get("done", got.get("refused"))), None):
                    waits.set_result((now, got))
                self.news.set()

    async def until(self, holds: Any) -> None:
        while not holds():
            self.news.clear()
            await asyncio.wait_for(self.news.wait(), 60)

    async def ask(self, **message: object) -> tuple[float, float, dict[str, Any]]:
        """Send a message; return when, when the answer came, and the answer."""
        self.count += 1
        id = f"{self.name}-{self.count}"
        waits = self.answers[id] = asyncio.get_running_loop().create_future()
        begun = time.perf_counter()
        await self.say({"id": id, **message})
        return begun, *await asyncio.wait_for(waits, 60)

    async def act(self, action: str, **details: object) -> tuple[float, float, dict[str, Any]]:
        """Answer a decision, once it is open."""

        def keys() -> list[object]:
            return [one["key"] for one in self.mine["decisions"].values() if one["action"] == action]

        await self.until(keys)
        return await self.ask(action=action, key=keys()[0], details=details)


@dataclass
class Report:
    """How long things took, in seconds, by name; what was lost; and seconds in which all write a draft, or vote."""

    pace: float
    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    faults: list[str] = field(default_factory=list)

    def lines(self) -> Iterable[str]:
        for name, times in self.times.items():
            at = sorted(times)
            p50, p95 = (1000 * at[min(len(at) - 1, int(part * len(at)))] for part in (0.5, 0.95))
            yield f"{name}: p50 {p50:.1f} ms, p95 {p95:.1f} ms, longest {1000 * at[-1]:.1f} ms ({len(at)})"
        yield f"{len(self.faults)} lost"


def lacks(found: Any, was: Any) -> bool:
    """Tell whether something that a page had shown is missing, or is another now; more may be there."""
    if not isinstance(was, dict):
        return bool(found != was)
    return any(key not in found or lacks(found[key], value) for key, value in was.items())


async def play(report: Report, seats: Sequence[Seat], rounds: int, dice: random.Random) -> None:
    """Play rounds at one table: a proposal, drafts and ballots of all with reasons, a roll."""

    async def note(kind: str, asked: tuple[float, float, dict[str, Any]]) -> None:
        begun, _, got = asked
        if "refused" in got:
            report.faults.append(f"{kind}: {got['why']}")
            return
        for seat in seats:
            await seat.until(lambda seat=seat: max(seat.seen) >= got["step"])
            report.times[f"{kind} seen by a seat"].append(
                min(when for step, when in seat.seen.items() if step >= got["step"]) - begun
            )

    async def vote(seat: Seat) -> None:
        await asyncio.sleep(dice.random() * report.pace)
        await note("ballot", await seat.act("vote", ballot="for"))
        number = next(iter(seat.table["proposals"]))
        await seat.ask(**{"class": "reason", "details": {"proposal": number, "text": f"{seat.name} likes it."}})

    async def draft(seat: Seat) -> None:
        await asyncio.sleep(dice.random() * report.pace)
        change = {**CHANGE, "wording": f"Greet {seat.name}."}
        begun, now, got = await seat.ask(**{"class": "draft", "details": {"change": change}})
        report.times["draft kept"].append(now - begun)
        if "refused" in got:
            report.faults.append(f"draft: {got['why']}")

    await asyncio.gather(*map(draft, seats))
    for at in range(rounds):
        await note("proposal", await seats[at].act("propose", change=CHANGE))
        if at == rounds - 1:  # the vote stays open
            seats = seats[:-1]
        await asyncio.gather(*map(vote, seats))
        if at < rounds - 1:
            await seats[at].act("roll")


async def play_all(
    report: Report, server: Server, tables: Sequence[Sequence[Seat]], rounds: int, dice: random.Random
) -> None:
    """Play at all tables; note the processor time of the server for each act and for each draft or reason."""
    spent, before = server.cpu, sum(seat.count for table in tables for seat in table)
    await asyncio.gather(*(play(report, table, rounds, dice) for table in tables))
    messages = sum(seat.count for table in tables for seat in table) - before
    report.times["processor, each act, draft or reason"].append((server.cpu - spent) / messages)


async def a_class(path: Path, phones: int, tables: int, rounds: int, pace: float, seed: int = 0) -> Report:
    """Have a class join, begin and play; kill its server in the lobby and in play."""
    report, dice = Report(pace), random.Random(seed)
    server = Server("class", str(path), "--here", "--no-browser", "--name", "hub.example")

    def start() -> str:
        return re.search(r"#host=(\S+)", server.start())[1]  # type: ignore[index]

    host = Host(server, "lobby")
    await host.dial({"secret": start()})
    try:
        await host.do("open door", **SETTINGS)
        lobby = (await host.hear("lobby"))["lobby"]
        while not lobby["code"]:
            lobby = (await host.hear("lobby"))["lobby"]
        names = [f"Pupil {at}" for at in range(phones)]
        doors, passes = {name: Page(server, "door") for name in names}, {}

        async def join(name: str) -> None:
            await asyncio.sleep(dice.random() * SCANNING)
            begun = time.perf_counter()
            await doors[name].dial({"code": lobby["code"]})
            await doors[name].hear("door")
            await doors[name].say({"name": name})
            passes[name] = (await doors[name].hear("in"))["pass"]
            report.times["join"].append(time.perf_counter() - begun)

        async def back(name: str) -> None:
            await doors[name].dial({"pass": passes[name]})
            got = await doors[name].hear("back")
            if got.get("back") != name:
                report.faults.append(f"{name} is not back in the lobby: {got}")
            report.times["back in the lobby"].append(time.perf_counter() - up)

        spent = server.cpu
        await asyncio.gather(*map(join, names))
        report.times["processor, all join"].append(server.cpu - spent)
        server.kill()
        host.socket = None  # type: ignore[assignment]
        secret = await asyncio.to_thread(start)
        up = time.perf_counter()
        await asyncio.gather(*map(back, names))
        await host.dial({"secret": secret})
        if (await host.hear("lobby"))["lobby"]["code"] != lobby["code"]:
            report.faults.append("the code is another")

        seating = {f"t{at}": names[at::tables] for at in range(tables)}
        seats: dict[str, Seat] = {}
        begun, spent = time.perf_counter(), server.cpu

        async def go(name: str) -> None:
            got = await doors[name].hear("go")
            await doors[name].socket.close()
            seats[name] = Seat(server, name, got["go"], got["link"])
            report.times["Begin to a view"].append(await seats[name].sit() - begun)

        async def wait_for_the_host() -> None:
            if "refused" in (got := await host.do("begin", seating=seating)):
                report.faults.append(got["why"])

        await asyncio.gather(wait_for_the_host(), *map(go, names))
        report.times["processor, Begin to all views"].append(server.cpu - spent)
        by_table = [[seats[name] for name in at_table] for at_table in seating.values()]
        await play_all(report, server, by_table, rounds, dice)
        await asyncio.sleep(0.3)
        before = {name: seat.what_must_come_back for name, seat in seats.items()}
        server.kill()
        await asyncio.gather(*(seat.task for seat in seats.values()))
        await asyncio.to_thread(start)
        up, spent = time.perf_counter(), server.cpu

        async def sit_again(seat: Seat) -> None:
            report.times["back at the table"].append(await seat.sit() - up)
            was, found = before[seat.name], seat.what_must_come_back
            if not was["mine"] or lacks(found, was):
                report.faults.append(f"{seat.name}: {was}, then {found}")

        await asyncio.gather(*map(sit_again, seats.values()))
        report.times["processor, all back at the tables"].append(server.cpu - spent)
        await asyncio.gather(*(seat.socket.close() for seat in seats.values()))
    finally:
        server.kill()
    kept = b"".join(one.read_bytes() for one in path.parent.glob(f"{path.name}*"))
    report.faults += [f"the pass of {name} is in the file" for name, one in passes.items() if one.encode() in kept]
    return report


async def seats_only(path: Path, phones: int, tables: int, rounds: int, pace: float, seed: int = 0) -> Report:
    """Play at tables that need no lobby, with more seats than a class has."""
    report, dice = Report(pace), random.Random(seed)
    for at in range(tables):
        names = [f"P{at}x{seat}" for seat in range(phones // tables)]
        terms = {"win.points": 100_000}
        new_game("discordian-nomic", names, seed=at, terms=terms, file=path, name=f"table {at + 1}")
    server = Server("serve", str(path))
    try:
        links = re.findall(r"(table \d+)/(\S+): \S+/([\w.-]+)\n", server.start())
        by_table = defaultdict(list)
        for table, name, link in links:
            by_table[table].append(Seat(server, name, table, link))
        up = time.perf_counter()

        async def sit(seat: Seat) -> None:
            report.times["at the table"].append(await seat.sit() - up)

        await asyncio.gather(*(sit(seat) for at_table in by_table.values() for seat in at_table))
        await play_all(report, server, list(by_table.values()), rounds, dice)
        await asyncio.gather(*(seat.socket.close() for at_table in by_table.values() for seat in at_table))
    finally:
        server.kill()
    return report


def main() -> int:
    """Run the command; 1 if something was lost."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("file", type=Path, help="where the class is kept; on the disk that is to be tried")
    parser.add_argument("--phones", type=int, default=30)
    parser.add_argument("--tables", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pace", type=float, default=10, help="seconds in which all vote")
    parser.add_argument("--seats-only", action="store_true", help="no lobby, and no kill")
    asked = parser.parse_args()
    work = seats_only if asked.seats_only else a_class
    report = asyncio.run(work(asked.file, asked.phones, asked.tables, asked.rounds, asked.pace))
    sys.stdout.writelines(f"{line}\n" for line in (*report.faults[:20], *report.lines()))
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main())
