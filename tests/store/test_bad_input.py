"""What a disk refuses, and files that are no stores: said with what to do, and the game stays as it was."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from panels.pages import Page
from refusals import refused
from store.stores import Elsewhere, Notebook, begin, record

import nomic_nb as nb
from nomic_nb.notebook.store import database_file
from nomic_nb.notebook.store.journal import GameStore


def refuses(code: str, act: Callable[[], object], game: nb.Game | None = None, **values: object) -> None:
    """Nothing has happened, and it is said why."""
    before = None if game is None else (game.fingerprint, game.state.seq)
    with refused(code, nb.RecordError, **values):
        act()
    if game is not None:
        assert (game.fingerprint, game.state.seq) == before


def database(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


def test_a_full_disk(path: Path) -> None:
    game, other = begin(path), begin(path, name="other")
    db = game.timeline.keeper.store.db  # type: ignore[union-attr]
    (pages,) = db.execute("PRAGMA page_count").fetchone()
    db.execute(f"PRAGMA max_page_count = {pages}")

    def fill() -> None:
        for _ in range(100):
            game.say("Ann", "x" * 400)

    with refused("disk-full", path=path):
        fill()
    before = game.fingerprint
    refuses("disk-full", lambda: game.say("Ann", "x" * 400), game)
    assert Elsewhere(path).game.fingerprint == before
    db.execute("PRAGMA max_page_count = 100000")
    game.say("Ann", "there is room")
    other.say("Ann", "here too")
    assert Elsewhere(path).game.fingerprint == game.fingerprint != before


def test_a_page_is_told_too_and_can_do_it_again(path: Path) -> None:
    game = begin(path)
    ann = Page(game, "Ann")
    song = {"kind": "enact", "wording": "Winners sing.", "law": "", "title": ""}
    with taken_away(path):
        assert ann.act("propose", change=song)["code"] == "store-taken-away"
        assert not game.proposals
    assert "done" in ann.act("propose", change=song)
    assert game.proposals[301].change.wording == "Winners sing."


@contextmanager
def taken_away(path: Path) -> Iterator[None]:
    away = path.with_name("away.sqlite")
    path.rename(away)
    yield
    away.rename(path)


def test_a_locked_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_file, "PATIENCE", 0.05)
    game, seen = begin(path), []
    game.timeline.listeners.append(lambda: seen.append(1))
    holder = database(path)
    holder.execute("BEGIN IMMEDIATE")
    refuses("store-held", lambda: game.say("Ann", "hello"), game)
    refuses("store-held", lambda: game.fork(at=7), game)
    refuses("store-held", lambda: begin(path, name="other"))
    assert not seen
    assert len(game.forks) == 0
    holder.execute("ROLLBACK")
    game.say("Ann", "hello")
    assert seen == [1]


def test_an_altered_line(path: Path, notebook: Notebook) -> None:
    game, other = begin(path), begin(path, name="other")
    game.say("Ann", "hello")
    other.say("Ben", "hello")
    notebook.restart()
    del game, other
    db = database(path)
    (body,) = db.execute('SELECT body FROM line WHERE body LIKE \'%"Ann"%"hello"%\'').fetchone()
    db.execute("UPDATE line SET body = ? WHERE body = ?", (body.replace("hello", "hallo"), body))
    refuses("store-line-altered", lambda: nb.open(path, "game"), after=0)
    assert nb.open(path, "other").latest(1) == ["Ben says “hello”"]


def test_a_line_that_is_missing(path: Path, notebook: Notebook) -> None:
    begin(path).say("Ann", "hello")
    notebook.restart()
    database(path).execute("DELETE FROM line WHERE body LIKE '%\"entered\"%Ben%' OR body LIKE '%Ben%entered%'")
    refuses("store-line-missing", lambda: nb.open(path, "game"))


def test_a_way_of_another_game_is_not_taken_for_this_one(path: Path, notebook: Notebook) -> None:
    game = begin(path)
    begin(path, ["Dan", "Eve"], name="other")
    game.say("Ann", "hello")
    db = database(path)
    (head,) = db.execute("SELECT head FROM way WHERE game = 'other'").fetchone()
    db.execute("UPDATE way SET head = ? WHERE game = 'game'", (head,))
    refuses("another-game-of-this-name", lambda: game.say("Ann", "and on"), game)
    notebook.restart()
    assert nb.open(path, "game").players == ("Dan", "Eve")


def test_a_fork_that_was_altered_leaves_the_game(
    path: Path, notebook: Notebook, capsys: pytest.CaptureFixture[str]
) -> None:
    game = begin(path)
    game.fork().say("Ann", "hush")
    game.say("Ann", "hello")
    letters = game.fingerprint
    del game
    notebook.restart()
    database(path).execute("UPDATE line SET body = replace(body, 'hush', 'hash')")
    again = nb.open(path, "game")
    assert again.fingerprint == letters
    assert len(again.forks) == 0
    assert "A branch of this game can’t be shown" in capsys.readouterr().out
    again.say("Ann", "on")


def test_lines_that_the_rules_do_not_make(path: Path, tmp_path: Path, notebook: Notebook) -> None:
    game, other = begin(path), Elsewhere(path)
    kept = other.game.timeline.keeper
    event, state = other.game.timeline.moments[-1]
    forged = type(event)(event.seq + 1, 1, 1, None, "Ben", "won", {"who": "Ben"}, do="say", details={"text": "I won"})
    kept.keep_step([(forged, state)])  # type: ignore[union-attr]
    refuses("rules-make-something-else", lambda: game.say("Ann", "hello"), game, found="won")
    assert record(game, tmp_path)
    notebook.restart()
    refuses("rules-make-something-else", lambda: nb.open(path, "game"), path=path)


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "fuse.sshfs", "smbfs"])
def test_a_file_in_a_network_folder_is_used_by_one_program_alone(
    path: Path, notebook: Notebook, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    folder = str(path.parent)
    monkeypatch.setattr(database_file, "PATIENCE", 0.05)
    monkeypatch.setattr(
        database_file, "list_mounts", lambda: [("/", "ext4"), (folder, kind), (f"{folder}/below", "ext4")]
    )
    game = begin(path)
    assert "Only this program can use game.sqlite" in capsys.readouterr().out
    game.say("Ann", "at home")
    assert [one.name for one in path.parent.iterdir() if one.name.endswith("-shm")] == []
    refuses("store-held", lambda: Elsewhere(path), game)
    monkeypatch.setattr(database_file, "list_mounts", list)  # to others it is a disk like any other
    refuses("store-held", lambda: Elsewhere(path), game)
    letters = game.fingerprint
    del game
    notebook.restart()
    again = nb.open(path, "game")
    assert (again.fingerprint, capsys.readouterr().out) == (letters, "")
    (path.parent / "below").mkdir()
    begin(path.parent / "below" / "game.sqlite").say("Ann", "a disk of its own")
    assert (path.parent / "below" / "game.sqlite-shm").exists()


def test_a_file_is_used_alone_on_any_disk_if_it_is_asked_for(
    path: Path, notebook: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_file, "PATIENCE", 0.05)
    game = begin()
    game.keep(path, alone=True)
    refuses("store-held", lambda: Elsewhere(path), game)
    assert nb.open(path, "game", alone=True).fingerprint == game.fingerprint
    del game
    notebook.restart()
    nb.open(path, "game").say("Ann", "shared")
    refuses("store-shared-already", lambda: nb.open(path, "game", alone=True))


def test_a_file_of_a_newer_version(path: Path, notebook: Notebook) -> None:
    begin(path)
    notebook.restart()
    database(path).execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    for act in (lambda: nb.open(path), lambda: begin(path)):
        refuses("store-of-a-newer-version", act, version=99)
    assert path.read_bytes() == before


def made_earlier(path: Path, version: int) -> None:
    """Make a file what an earlier version of the kit would have written."""
    db = database(path)
    for table in ("beside",) if version == 2 else ("beside", "seat", "done"):
        db.execute(f"DROP TABLE {table}")
    db.execute(f"PRAGMA user_version = {version}")


@pytest.mark.parametrize("version", [1, 2])
def test_a_file_of_an_earlier_version_is_carried_over(path: Path, notebook: Notebook, version: int) -> None:
    letters = begin(path).fingerprint
    notebook.restart()
    made_earlier(path, version)
    game = nb.open(path, "game")
    assert game.fingerprint == letters
    store = game.timeline.keeper.store  # type: ignore[union-attr]
    store.write_beside("game", {("draft", "1"): {"by": "Ann"}}, ())
    game.say("Ann", "on")
    del game, store
    notebook.restart()
    assert GameStore(path).rows_beside("game") == {("draft", "1"): {"by": "Ann"}}
    assert database(path).execute("PRAGMA user_version").fetchone() == (database_file.VERSION,)


def test_a_file_of_an_earlier_version_that_lacks_a_table_of_its_own(path: Path, notebook: Notebook) -> None:
    begin(path)
    notebook.restart()
    made_earlier(path, 1)
    database(path).execute("DROP TABLE opening")
    refuses("store-lacks-a-table", lambda: nb.open(path))


def test_what_stands_beside_a_game_and_was_altered_is_named(path: Path, notebook: Notebook) -> None:
    store = begin(path).timeline.keeper.store  # type: ignore[union-attr]
    store.write_beside("game", {("draft", "1"): {"by": "Ann"}}, ())
    database(path).execute("UPDATE beside SET body = '{'")
    with refused("store-row-altered", nb.RecordError, kind="draft", name="1"):
        store.rows_beside("game")


def another_program(path: Path) -> None:
    database(path).execute("CREATE TABLE mine(x)")


def with_a_trigger(path: Path) -> None:
    begin(path)
    database(path).execute("CREATE TRIGGER lose AFTER INSERT ON line BEGIN DELETE FROM line; END")


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda path: path.write_text("Dear diary"), "file-is-no-store"),
        (lambda path: begin().save(path), "store-is-perhaps-a-record"),
        (lambda path: path.mkdir(), "store-is-no-file"),
        (another_program, "database-of-another-program"),
        (with_a_trigger, "store-changed-by-another-program"),
        (lambda path: path.write_bytes(b"SQLite format 3\0" + b"x" * 500), "store-damaged"),
    ],
    ids=["text", "record", "folder", "database", "trigger", "damaged"],
)
def test_what_is_no_store(path: Path, notebook: Notebook, make: Callable[[Path], object], code: str) -> None:
    make(path)
    notebook.restart()
    before = path.read_bytes() if path.is_file() else b""
    for act in (lambda: nb.open(path), lambda: nb.open(path, "game"), lambda: begin(path), lambda: begin().keep(path)):
        refuses(code, act, path=path)
    assert not path.is_file() or path.read_bytes() == before


def test_no_file_and_nowhere_to_make_one(path: Path) -> None:
    refuses("no-file-for-a-game", lambda: nb.open(path), path=path)
    assert not path.exists()
    refuses("store-cannot-be-opened", lambda: begin(path / "x"), why="No such file or directory")
    path.write_text("")
    assert len(nb.open(path)) == 0
    begin(path)


def test_a_file_that_is_taken_away_loses_nothing_in_silence(path: Path, tmp_path: Path) -> None:
    game = begin(path)
    shutil.move(path, tmp_path / "elsewhere.sqlite")
    refuses("store-taken-away", lambda: game.say("Ann", "hello"), game)
    begin(path, ["Dan", "Eve"])
    refuses("store-taken-away", lambda: game.say("Ann", "hello"), game)
    game.save(tmp_path / "saved.jsonl")
    again = nb.load(tmp_path / "saved.jsonl", fingerprint=game.fingerprint)
    again.keep(tmp_path / "new.sqlite")
    again.say("Ann", "hello")


def test_a_step_that_is_broken_off_is_made_up_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = begin(path)
    keep = GameStore.append_step

    def broken(store: GameStore, *given: object, **more: object) -> None:
        keep(store, *given, **more)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr(GameStore, "append_step", broken)
    with pytest.raises(KeyboardInterrupt):
        game.say("Ann", "kept, and not yet seen")
    monkeypatch.undo()
    game.say("Ann", "next")
    assert game.latest(2) == ["Ann says “kept, and not yet seen”", "Ann says “next”"]
    assert Elsewhere(path).game.fingerprint == game.fingerprint


def test_a_process_that_was_split_off_opens_the_file_itself(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = begin(path)
    monkeypatch.setattr(os, "getpid", lambda: -1)
    refuses("store-opened-in-another-process", lambda: game.undo(), game)


def test_a_break_in_the_midst_of_writing_leaves_the_file_open_to_others(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, other = begin(path), Elsewhere(path).game

    def broken(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(GameStore, "_insert_step", broken)
    with pytest.raises(KeyboardInterrupt):
        game.say("Ann", "broken off")
    monkeypatch.undo()
    other.say("Ben", "next")
    game.say("Ann", "on")
    assert [one.data["text"] for one in game.timeline.events if one.kind == "said"] == ["next", "on"]


def test_numbers_from_strangers_are_bounded(path: Path, notebook: Notebook) -> None:
    game = begin(path)
    game.fork().say("Ann", "hello")
    game.say("Ann", "hi")
    notebook.restart()
    db = database(path)
    db.execute("UPDATE step SET first = -4611686018427387904 WHERE n = 1")
    db.execute("UPDATE step SET at = 4611686018427387904 WHERE n = 2")
    db.execute("UPDATE way SET at = -7 WHERE name <> 'main'")
    again = nb.open(path, "game")
    assert again.history["hand"].isna().all()
    assert again.forks[0].at == 7
    assert list(nb.open(path)["events"]) == [8]


def test_names_from_strangers_are_shown_as_text(path: Path, notebook: Notebook) -> None:
    game = begin(path, name="<b>$x$")
    assert "<b>$" not in game._repr_html_()
    assert "&lt;b&gt;" in nb.open(path)._repr_html_()  # type: ignore[operator]


def test_what_is_written_never_takes_the_place_of_kept_games(path: Path, tmp_path: Path) -> None:
    game = begin(path)
    writes: tuple[Callable[[str | Path], object], ...] = (
        game.save, game.to_html, game.to_markdown, game.law_book, lambda at: nb.to_notebook(game, at),
    )  # fmt: skip
    for write in writes:
        refuses("path-is-database", lambda write=write: write(path), game)
    assert Elsewhere(path).game.fingerprint == game.fingerprint
    game.save(tmp_path / "game.jsonl")
