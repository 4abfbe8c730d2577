"""A file of games is copied, moved and backed up by people who know nothing of what stands beside it."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest
from patience import patience
from refusals import refused
from store.stores import Elsewhere, Notebook, begin

import nomic_nb as nb
from nomic_nb.engine.threads import start_timer
from nomic_nb.notebook.store import database_file
from nomic_nb.notebook.store.journal import GameStore

READER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
print("reading", flush=True)
while True:
    db.execute("SELECT count(body) FROM line").fetchall()
"""


def acts(game: nb.Game) -> list[Callable[[], object]]:
    """A turn, a fork, an undoing, a change of the record: whatever writes to the file."""
    return [
        lambda: game.propose("Ann", nb.enact("Tea is served.")),
        *(lambda name=name: game.vote(name, "for") for name in game.players),
        lambda: game.annotate("bold", "!?"),
        lambda: game.fork(at=9).say("Ben", "elsewhere"),
        lambda: game.roll("Ann"),
        lambda: game.host.absent("Cleo"),
        game.undo,
        *(lambda at=at: game.say("Ann", f"word {at}") for at in range(5)),
    ]


class Copies:
    """Copies of the main file alone, each opened where nothing stands beside it."""

    def __init__(self, path: Path) -> None:
        self.path, self.number = path, count()

    def take(self, *more: str) -> Path:
        folder = self.path.parent / f"copy {next(self.number)}"
        folder.mkdir()
        for ending in ("", *more):
            shutil.copyfile(f"{self.path}{ending}", folder / f"copy.sqlite{ending}")
        return folder / "copy.sqlite"


@pytest.fixture
def copies(path: Path) -> Copies:
    return Copies(path)


def test_a_copy_of_the_file_alone_has_every_act_and_every_fork(path: Path, copies: Copies) -> None:
    game = begin(path)
    for act in acts(game):
        act()
        copied = Elsewhere(copies.take()).game
        assert copied.fingerprint == game.fingerprint
        assert [one.game.fingerprint for one in copied.forks] == [one.game.fingerprint for one in game.forks]


def test_a_copy_lacks_at_most_the_last_act_while_another_process_reads(path: Path, copies: Copies) -> None:
    game = begin(path)
    command = [sys.executable, "-c", READER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as reader:
        try:
            assert reader.stdout is not None
            assert reader.stdout.readline() == "reading\n"
            for act in acts(game):
                before = game.state.seq
                act()
                assert before <= Elsewhere(copies.take()).game.state.seq <= game.state.seq
        finally:
            reader.kill()


def test_a_step_waits_for_a_short_look_of_another_program(
    path: Path, copies: Copies, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = begin(path)
    monkeypatch.setattr(database_file, "FOR_A_LOOK", 30.0)  # a look that lasts long, on a machine that is very busy
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as browser:
        browser.execute("BEGIN")
        browser.execute("SELECT * FROM line").fetchall()
        start_timer(lambda: browser.execute("COMMIT"), 0.2)
        game.say("Ann", "hello")
        assert Elsewhere(copies.take()).game.fingerprint == game.fingerprint
        assert not browser.in_transaction


def test_what_a_long_reader_holds_up_is_told_and_made_up_for(path: Path, copies: Copies) -> None:
    game = begin(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as browser:
        browser.execute("BEGIN")
        browser.execute("SELECT * FROM line").fetchall()
        before = game.state.seq
        game.say("Ann", "one")
        game.say("Ann", "two")
        assert game.kept.endswith("another program is reading it, so copy game.sqlite-wal as well")
        assert Elsewhere(copies.take()).game.state.seq == before
        assert Elsewhere(copies.take("-wal")).game.fingerprint == game.fingerprint
    with patience(60):
        while game.kept != "saved in game.sqlite as “game”":  # a thread looks now and then
            time.sleep(0.01)
    assert Elsewhere(copies.take()).game.fingerprint == game.fingerprint


@pytest.mark.parametrize("beside", [["-wal"], ["-wal", "-shm"]], ids=["with the log", "with its index"])
@pytest.mark.parametrize("first", ["", "-wal"], ids=["the file first", "the log first"])
def test_files_copied_at_different_moments_are_a_game_of_one_of_them(
    path: Path, copies: Copies, beside: list[str], first: str
) -> None:
    game = begin(path)
    early = copies.take(*beside)
    for act in acts(game):
        act()
    late = copies.take(*beside)
    old, new = (early, late) if first == "" else (late, early)
    for ending in beside:
        shutil.copyfile(f"{new}{ending}", f"{old}{ending}")
    assert Elsewhere(old).game.state.seq == (game.state.seq if old is late else 7)
    assert GameStore(old).query_rows("PRAGMA integrity_check") == [("ok",)]


def test_a_file_that_is_renamed_while_it_is_in_use_has_everything(path: Path) -> None:
    game = begin(path)
    game.say("Ann", "hello")
    path.rename(path.with_name("moved.sqlite"))
    assert Elsewhere(path.with_name("moved.sqlite")).game.fingerprint == game.fingerprint
    with refused("store-taken-away"):
        game.say("Ann", "nobody would find this")


def test_a_killed_session_leaves_everything_in_the_file_and_nothing_in_its_log(path: Path) -> None:
    code = (
        "import nomic_nb as nb, os; game = nb.new_game('discordian-nomic', ['Ann', 'Ben'], seed=1,"
        f" file={str(path)!r}); game.say('Ann', 'the last word'); os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 9
    log = Path(f"{path}-wal")
    assert not log.exists() or log.stat().st_size == 0
    assert Elsewhere(Copies(path).take()).game.latest(1) == ["Ann says “the last word”"]


def test_a_session_that_opens_the_file_brings_in_what_another_left_in_the_log(
    path: Path, copies: Copies, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = begin(path)
    with monkeypatch.context() as killed:  # after a step was written, before it was moved
        killed.setattr(GameStore, "checkpoint", lambda store: None)
        game.say("Ann", "hello")
    crashed = copies.take("-wal")
    GameStore(crashed)
    Path(f"{crashed}-wal").unlink(missing_ok=True)
    assert Elsewhere(crashed).game.fingerprint == game.fingerprint


def test_a_backup_taken_by_a_database_tool_has_everything(path: Path, tmp_path: Path) -> None:
    game = begin(path)
    for at, act in enumerate(acts(game)):
        act()
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(tmp_path / f"{at}.db")) as target:
            source.backup(target)
        assert Elsewhere(tmp_path / f"{at}.db").game.fingerprint == game.fingerprint


def test_what_was_sealed_can_be_revealed_from_a_copy(path: Path, copies: Copies, notebook: Notebook) -> None:
    game = begin(path, dice="committed")
    game.propose("Ann", nb.enact("Tea is served."))
    for name in game.players:
        game.vote(name, "for")
    for name in game.players:
        game.seal(name)
        assert Elsewhere(copies.take()).game.opening(name) == game.opening(name)
    copied = nb.open(copies.take(), "game")
    for name in copied.players:
        copied.reveal(name)


def tables_without_a_game(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for one in database_file.TABLES:
            db.execute(one)
        db.execute(f"PRAGMA application_id = {database_file.APPLICATION}")
        db.execute(f"PRAGMA user_version = {database_file.VERSION}")


def test_a_copy_without_its_game_says_what_is_missing_and_is_not_written_over(path: Path) -> None:
    tables_without_a_game(path)
    before = path.read_bytes()
    for act in (lambda: nb.open(path), lambda: nb.open(path, "game"), lambda: begin(path), lambda: begin().keep(path)):
        with refused("store-copied-without-its-game", name="game.sqlite"):
            act()
        assert path.read_bytes() == before


def test_a_game_that_could_not_be_begun_is_begun_in_the_same_file_later(
    path: Path, monkeypatch: pytest.MonkeyPatch, notebook: Notebook
) -> None:
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as disk:
        disk.setattr(GameStore, "_insert_branch", full)
        with refused("database-error"):
            begin(path)
    notebook.restart()
    assert nb.open(path).empty
    begin(path).say("Ann", "there is room")
    assert list(nb.open(path).index) == ["game"]


def test_no_write_goes_where_nobody_would_find_it(path: Path) -> None:
    game = begin(path)
    fork = game.fork()
    kept = fork.timeline.keeper
    path.rename(path.with_name("away.sqlite"))
    with refused("store-taken-away"):
        kept.forget_empty_branch()  # type: ignore[union-attr]
