"""What the kit does in a web browser: without threads, sockets, processes and a disk on which SQLite works."""

from __future__ import annotations

import asyncio
import errno
import gc
import json
import sqlite3
import sys
import threading
import time
import types
import warnings
from contextlib import closing
from pathlib import Path

import pandas  # noqa: F401, ICN001 - before this seems to be a browser
import pytest
from panels.pages import Page
from refusals import refused
from shells import session

import nomic_nb as nb
from nomic_nb.notebook.start_form import TableForm
from nomic_nb.notebook.store import journal
from nomic_nb.study import packages

NAMES = ["Ann", "Ben"]


def start_nothing(*_):
    raise RuntimeError("can't start new thread")


@pytest.fixture(autouse=True)
def browser(monkeypatch):
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setattr(threading.Thread, "start", start_nothing)


@pytest.fixture
def opened_later():
    """Forget which files are open, as a page does that is loaded again."""
    return journal._STORES.clear


def new_game(**options):
    return nb.new_game("discordian-nomic", NAMES, seed=7, **options)


async def settled(page, seconds=20.0):
    """Wait until the panel has been sent nothing for a while."""
    end, count = asyncio.get_running_loop().time() + seconds, -1
    while asyncio.get_running_loop().time() < end and count != len(page.got):
        count = len(page.got)
        await asyncio.sleep(0.3)


# ---------------------------------------------------------------------------------------------------- panels, machines


def test_a_panel_shows_what_a_cell_did():
    async def play():
        page = Page(game := new_game())
        game.propose("Ann", nb.enact("Everyone bows."))
        assert not [one for one in page.got if "diff" in one]  # between two messages, as the page sees it
        await settled(page)
        assert page.step == game.state.seq
        assert page.act("vote", player="Ben", ballot="for")["said"]

    asyncio.run(play())


def test_a_panel_gets_remarks_on_every_open_proposal_and_an_answer_to_a_review():
    async def play():
        page = Page(game := new_game())
        game.propose("Ann", nb.enact("NOBODY SPEAKS."))
        change = {"kind": "enact", "wording": "Everyone bows."}
        page.send({"ask": "review", "id": "r1", "player": "Ben", "details": {"change": change}})
        await settled(page)
        assert not page.hub._looking
        assert not page.hub._untried_proposals
        assert [one["review"] for one in page.got if one.get("answer") == "r1"]

    asyncio.run(play())


def test_a_machine_answers_in_a_panel():
    async def play():
        game = new_game(machines={"Ben": "sensible"})
        page = Page(game)
        game.machines.pause = 0
        game.propose("Ann", nb.enact("Everyone bows."))
        await settled(page)
        assert [event.actor for event in game.timeline.events if event.kind == "balloted"] == ["Ben"]
        assert not game.machines.trouble

    asyncio.run(play())


def test_a_reply_that_comes_too_late_does_not_count():
    def think_long(view):
        time.sleep(0.2)
        return nb.players.random(seed=1)(view)

    game = new_game(machines={"Ben": think_long})
    game.machines.seconds = 0.1
    game.propose("Ann", nb.enact("Everyone bows."))
    assert not game.state.open_proposals[0].vote.ballots
    assert "TimeoutError" in str(game.machines.trouble["Ben"])


@pytest.mark.slow
def test_a_program_that_waits_is_awaited_if_the_browser_can(monkeypatch):
    async def think(view):
        await asyncio.sleep(0)
        key = next((one["key"] for one in view["asked"] if one["action"] == "propose"), None)
        return key and {"key": key, "details": {"change": {"kind": "enact", "wording": "Everyone bows."}}}

    def run_sync(found):
        with closing(asyncio.new_event_loop()) as loop:
            return loop.run_until_complete(found)

    page = types.SimpleNamespace(can_run_sync=lambda: True, run_sync=run_sync)
    monkeypatch.setitem(sys.modules, "pyodide.ffi", page)
    game = new_game()
    assert nb.play(game, {"Ann": think}).count("done") == 1
    assert len(game.state.open_proposals) == 1
    page.can_run_sync = lambda: False
    with warnings.catch_warnings(action="ignore"):  # the program never began
        assert "async" in nb.play(new_game(), {"Ann": think}).ended
        gc.collect()


def test_several_games_are_played_one_after_another():
    players = {name: nb.players.random(seed=1) for name in NAMES}
    jobs = [{"game": new_game(), "players": players, "until": 2} for _ in range(2)]
    assert [played.ended for played in nb.play_many(jobs)] == ["turn 2", "turn 2"]


# --------------------------------------------------------------------------------------------------------------- cells


class Kernel:
    """The kernel of JupyterLite, which alone knows which cell runs."""

    _parent_header: dict


def run(notebook, cell, code):
    notebook.shell.kernel._parent_header = {"metadata": {"cellId": cell}, "content": {"code": code}}
    return notebook.run(None, code)


def test_a_cell_that_runs_again_in_jupyterlite_takes_its_act_back():
    with session() as notebook:
        notebook.shell.kernel = Kernel()
        run(notebook, "c1", f"game = nb.new_game('discordian-nomic', {NAMES}, seed=7, anew=True)")
        for wording in ("Everyone bows.", "Everyone sings."):
            assert not isinstance(run(notebook, "c2", f"game.propose('Ann', nb.enact({wording!r}))"), Exception)
        run(notebook, "c3", "%%capture\ngame.vote('Ben', 'for')")
        run(notebook, "c3", "%%capture\ngame.vote('Ben', 'against')")
        game = notebook.game
        assert [event.data["ballot"] for event in game.timeline.events if event.kind == "balloted"][:1] == ["against"]
        assert [event.kind for event in game.timeline.events].count("proposed") == 1


# --------------------------------------------------------------------------------------------------------------- files


def stored_events(path):
    """How many steps the drive has, if the page is closed now."""
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT max(last) FROM step").fetchone()[0]


def test_every_step_is_whole_on_the_drive_before_it_counts(tmp_path, opened_later):
    path = tmp_path / "games.sqlite"
    game = new_game(file=path)
    for act in (lambda: game.propose("Ann", nb.enact("Everyone bows.")), lambda: game.vote("Ben", "for")):
        act()
        assert stored_events(path) == game.state.seq
        assert [one.name for one in tmp_path.iterdir()] == ["games.sqlite"]
    opened_later()
    (name,) = nb.open(path).index
    again = nb.open(path, name)
    assert again.state.digest() == game.state.digest()


def test_a_step_that_the_drive_has_no_room_for_does_not_happen(tmp_path, monkeypatch):
    path = tmp_path / "games.sqlite"
    game = new_game(file=path)
    game.propose("Ann", nb.enact("Everyone bows."))
    seq, content = game.state.seq, path.read_bytes()

    def refuse(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(Path, "write_bytes", refuse)
        with refused("drive-refuses", nb.RecordError, path=path, why="No space left on device"):
            game.vote("Ben", "for")
    assert (game.state.seq, path.read_bytes()) == (seq, content)
    game.vote("Ben", "for")
    assert stored_events(path) == game.state.seq


def test_what_another_tab_has_written_is_not_overwritten(tmp_path, opened_later):
    path = tmp_path / "games.sqlite"
    game = new_game(file=path)
    (name,) = nb.open(path).index
    opened_later()
    other = nb.open(path, name)
    other.propose("Ann", nb.enact("Everyone bows."))
    seq = game.state.seq
    with refused("store-taken-away", nb.RecordError):
        game.propose("Ann", nb.enact("Everyone sings."))
    assert game.state.seq == seq
    assert stored_events(path) == other.state.seq


def test_a_file_of_a_computer_opens_with_what_lies_beside_it(tmp_path, monkeypatch, opened_later):
    path, moved = tmp_path / "games.sqlite", tmp_path / "drive" / "games.sqlite"
    with monkeypatch.context() as computer:
        computer.setattr(sys, "platform", "linux")
        computer.setattr(journal.GameStore, "add_follower", lambda *_: None)
        game = new_game(file=path)
        with closing(sqlite3.connect(path)) as reader:  # which keeps steps beside the file
            reader.execute("BEGIN")
            reader.execute("SELECT * FROM way").fetchall()
            game.propose("Ann", nb.enact("Everyone bows."))
            moved.parent.mkdir()
            for file in tmp_path.glob("games.sqlite*"):
                if not file.name.endswith("-shm"):
                    (moved.parent / file.name).write_bytes(file.read_bytes())
    assert moved.with_name("games.sqlite-wal").stat().st_size
    opened_later()
    (name,) = nb.open(moved).index
    there = nb.open(moved, name)
    assert there.state.digest() == game.state.digest()
    there.vote("Ben", "for")
    assert stored_events(moved) == there.state.seq


# ------------------------------------------------------------------------------------------- what a browser cannot do


def test_a_browser_refuses_to_serve_pages_and_to_start_programs():
    for act in (lambda: nb.serve(new_game()), new_game().serve, lambda: nb.players.program(["python3", "my.py"])):
        with refused("browser-cannot", OSError):
            act()


def test_the_form_offers_no_pages_for_others(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    async def show():
        form = nb.start()
        assert form.phones not in [one for row in form.children for one in getattr(row, "children", ())]
        assert not [value for field in form.seats.children for _, value in field.options if value == "page"]
        table = TableForm(new_game())
        assert table.serve not in list(all_widgets(table))

    asyncio.run(show())


def all_widgets(widget):
    yield widget
    for one in getattr(widget, "children", ()):
        yield from all_widgets(one)


@pytest.fixture
def late(monkeypatch, tmp_path):
    """A page that knows a package which it has not loaded."""
    page = types.SimpleNamespace(can_run_sync=lambda: True, run_sync=lambda done: done)

    def load(name):
        (tmp_path / f"{name}.py").write_text("there = True\n")

    monkeypatch.setitem(sys.modules, "pyodide.ffi", page)
    monkeypatch.setitem(sys.modules, "pyodide_js", types.SimpleNamespace(loadPackage=load))
    monkeypatch.setattr(packages, "LATE_PACKAGES", ("only_for_frames",))
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "only_for_frames", raising=False)
    packages.load_packages_late()
    packages.load_packages_late()
    assert sys.meta_path.count(packages.LateFinder) == 1
    yield page
    sys.modules.pop("only_for_frames", None)


def test_what_frames_need_is_loaded_when_they_first_need_it(late):
    import only_for_frames

    assert only_for_frames.there


def test_if_it_cannot_be_loaded_one_sentence_says_what_to_do(late):
    late.can_run_sync = lambda: False
    with refused("package-not-loaded", ImportError, package="only_for_frames"):
        import only_for_frames  # noqa: F401
    with pytest.raises(ModuleNotFoundError, match="No module named 'no_such_package'"):
        import no_such_package  # noqa: F401


def test_a_record_says_the_same_in_a_browser(tmp_path):
    game = new_game()
    game.propose("Ann", nb.enact("Everyone bows."))
    game.save(tmp_path / "game.jsonl")
    assert json.loads((tmp_path / "game.jsonl").read_text().splitlines()[0])
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()
