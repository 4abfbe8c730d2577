"""The page that plays without a server, by the clock: PYTHONPATH=tests python tests/tools/table_times.py FOLDER

Builds the page in the folder and prints how long it takes from the address to the first panel, cold and warm, what is
fetched, the memory of the page, and how long a press takes. Then it prints the processor time of turns and of the
answers of machines, in Node, which depends little on what else the computer does; `--node` prints these alone.
"""

from __future__ import annotations

import argparse
import gzip
import json
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from browser.conftest import CHROMIUM
from browser.lab import FLAGS
from browser.people import Person
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from site_helpers import build_page, downloads, serving

import nomic_nb as nb

ROOT = Path(__file__).parents[2]
#: Milliseconds for a wait, rounds of each start, turns that are played, and answers of machines in each system.
PATIENCE, ROUNDS, TURNS, ANSWERS = 60_000, 3, 12, 20
#: Notes the time from the end of a press to the next state of the panel that is painted.
PRESSES = """() => {
    window.times = [];
    let pressed = 0;
    addEventListener("click", (event) => { pressed = event.timeStamp; }, true);
    new MutationObserver(() => {
        if (!pressed) return;
        const since = pressed;
        pressed = 0;
        requestAnimationFrame(() => setTimeout(() => window.times.push(performance.now() - since)));
    }).observe(document.querySelector(".nnb-table"), {subtree: true, attributeFilter: ["data-step"]});
}"""
IN_NODE = """
import sys
sys.path.insert(0, "/kit")
import nomic_nb as nb

NAMES = ["Ann", "Ben", "Cleo"]
long = nb.new_game("discordian-nomic", NAMES, seed=7, terms={"win.points": 10**6})

def turn():
    long.propose(long.player, nb.enact("Nothing much changes by this."))
    for name in NAMES:
        long.vote(name, "against")
    long.roll(long.player)

def seat(system):
    game = nb.new_game(system, NAMES, seed=5)
    game.machines.hold()
    for name in NAMES:
        game.machines[name] = "sensible"
    return game.machines.step
"""


def processes(browser: Browser) -> Any:
    """Return what the browser knows of its processes."""
    return browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]


def first_panel(page: Page, address: str, browser: Browser) -> str:
    """Open the page, start a game at once, and tell the seconds until its panel is there."""
    began, before = time.monotonic(), {one["id"]: one["cpuTime"] for one in processes(browser)}
    page.goto(address)
    for kind in page.locator(".nnb-seatrows select").all():
        kind.select_option("")
    page.locator("button.nnb-start-game").click()
    page.locator(".nnb-table > [data-step]").wait_for()
    took = time.monotonic() - began
    work = sum(one["cpuTime"] - before.get(one["id"], 0) for one in processes(browser))
    return f"{took:.1f} s, of the processor {work:.1f} s"


def memory(browser: Browser) -> float:
    """Return the memory of the largest renderer, in MB: its own pages, and its part of those that are shared."""
    sizes = [0.0]
    for one in processes(browser):
        if one["type"] == "renderer":
            lines = Path(f"/proc/{one['id']}/smaps_rollup").read_text(encoding="ascii").splitlines()
            sizes.append(next(int(line.split()[1]) / 1000 for line in lines if line.startswith("Pss:")))
    return max(sizes)


def play(page: Page) -> list[float]:
    """Play some turns at the panel for all players; return the milliseconds of each press."""
    page.evaluate(PRESSES)
    table = Person(page, page.locator(".nnb-table > .nnb-live"))
    for at in range(TURNS):
        table.propose(f"Rule {at}.")
        for name in ("Ann", "Ben", "Cleo"):
            table.button(f"{name} votes for").first.wait_for()
            table.press(f"{name} votes for")
        table.button("Roll").first.wait_for()
        table.press("Roll")
    times: list[float] = page.evaluate("() => window.times")
    return times


def fetched(context: BrowserContext, table: Path) -> Any:
    """Note what is fetched; return a function that tells the files, their bytes, and their bytes compressed."""
    asked: list[str] = []
    context.on("request", lambda one: asked.append(one.url.split("/table/")[-1]) if "/table/" in one.url else None)

    def told() -> tuple[int, float, float]:
        files = [table / (name.split("#")[0] or "index.html") for name in dict.fromkeys(asked)]
        contents = [one.read_bytes() for one in files if one.is_file()]
        return len(contents), sum(map(len, contents)) / 1e6, sum(len(gzip.compress(one, 6)) for one in contents) / 1e6

    return told


def in_node(files: Path, table: Path) -> Any:
    """Return the milliseconds of the processor for turns, and for answers of machines, in Pyodide under Node."""
    script = f"""
import fs from "node:fs";
import {{ loadPyodide }} from {json.dumps((files / "package/pyodide.mjs").resolve().as_uri())};
const python = await loadPyodide(), kit = fs.readFileSync({json.dumps(str(table / "kit.zip"))});
python.FS.mkdirTree("/kit");
python.unpackArchive(new Uint8Array(kit), "zip", {{ extractDir: "/kit" }});
python.runPython({json.dumps(IN_NODE)});
const timed = (work) => {{
  const began = process.cpuUsage();
  work();
  const {{ user, system }} = process.cpuUsage(began);
  return (user + system) / 1000;
}};
const times = (work, count) => Array.from({{ length: count }}, () => timed(work));
const found = {{ turn: times(python.globals.get("turn"), {2 * ANSWERS}), answers: {{}} }};
for (const system of {json.dumps(list(nb.rulesets().index))}) {{
  found.answers[system] = times(python.globals.get("seat")(system), {ANSWERS});
}}
console.log(JSON.stringify(found));
"""
    node = shutil.which("node") or "node"
    done = subprocess.run(
        [node, "--input-type=module", "-"], input=script, capture_output=True, text=True, check=True, timeout=900
    )
    return json.loads(done.stdout.splitlines()[-1])


def tell(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def spread(times: list[float]) -> str:
    return f"median {statistics.median(times):.0f}, most {max(times):.0f} ms of {len(times)}"


def in_chromium(table: Path) -> None:
    """Tell how long the page takes in Chromium, and what it needs."""
    with serving(table.parent) as (address, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for _ in range(ROUNDS):
            context = browser.new_context()
            context.set_default_timeout(PATIENCE)
            told = fetched(context, table)
            page = context.new_page()
            tell(f"first panel, cold: {first_panel(page, f'{address}/table/', browser)}")
            tell("fetched: {} files, {:.2f} MB, compressed {:.2f} MB".format(*told()))
            page.wait_for_function("() => 'offline' in document.documentElement.dataset")
            page.wait_for_function("() => caches.match('memory')")
            page.close()
            page = context.new_page()
            tell(f"first panel, warm: {first_panel(page, f'{address}/table/', browser)}")
            tell(f"memory: {memory(browser):.0f} MB")
            tell(f"a press: {spread(play(page))}")
            context.close()
        browser.close()


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", type=Path)
    asked.add_argument("--node", action="store_true", help="only the processor time, in Node")
    given = asked.parse_args()
    files = downloads.fetch(given.folder / "downloads")
    table = build_page(given.folder / "site", files)
    if not given.node:
        in_chromium(table)
    told = in_node(files, table)
    tell(f"a turn of Discordian Nomic: {spread(told['turn'])}")
    for system, times in told["answers"].items():
        tell(f"the sensible player in {system}: {spread(times)}")


if __name__ == "__main__":
    main()
