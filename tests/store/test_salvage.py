"""A damaged file: what its lines still prove is saved, and what is lost is told."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from refusals import refused
from store.stores import Notebook, begin
from store.test_bad_input import database

import nomic_nb as nb
from nomic_nb.notebook.store.database_file import COPY_ADVICE

PAGE = 4096


def two_games(path: Path) -> dict[str, list[str]]:
    """Two games and a fork in one file; what happened in each, after each event."""
    one, two = begin(path), begin(path, ["Dan", "Eve"], name="two")
    for at in range(30):
        one.say("Ann", f"word {at} {'x' * 60}")
        two.say("Dan", f"word {at} {'y' * 60}")
    one.fork(at=20).say("Ben", "elsewhere")
    return {name: [event.kind for event in game.timeline.events] for name, game in (("game", one), ("two", two))}


def pages_of(path: Path) -> int:
    return path.stat().st_size // PAGE


def damage(path: Path, page: int) -> None:
    with path.open("r+b") as file:
        file.seek(page * PAGE)
        file.write(b"\xa5" * PAGE)


def test_one_damaged_page_loses_no_more_than_the_chain_cannot_prove(path: Path, notebook: Notebook) -> None:
    happened = two_games(path)
    notebook.restart()
    whole = path.read_bytes()
    saved, total, said = 0, 0, []
    for page in (*range(1, 8), *range(8, pages_of(path), 9)):  # the first are roots
        path.write_bytes(whole)
        damage(path, page)
        to = path.with_name(f"saved {page}.sqlite")
        try:
            table = nb.salvage(path, to)
        except nb.RecordError as error:
            said.append((str(error), to.exists()))
            continue
        assert path.read_bytes()[page * PAGE : page * PAGE + 9] == b"\xa5" * 9
        for row in table[table["way"] == "main"].itertuples():
            events = happened[row.name]
            total += len(events)
            if row.events == 0:
                continue
            game = nb.open(to, row.name)
            found = [event.kind for event in game.timeline.events]
            assert found == events[: row.events]
            assert (row.lost == "") == (found == events)
            if found != events:
                assert row.lost in (f"events {row.events + 1} to {len(events)}", "anything that came later")
            saved += len(found)
    assert 0.2 * total < saved < total
    assert all("nothing left" in one and not there for one, there in said)


def test_a_sound_file_is_saved_whole_with_its_forks_and_hands(path: Path, notebook: Notebook) -> None:
    two_games(path)
    game = nb.open(path, "game")
    letters, forked, hands = game.fingerprint, game.forks[0].game.fingerprint, list(game.history["hand"].dropna())
    del game
    notebook.restart()
    table = nb.salvage(path, path.with_name("saved.sqlite"))
    assert set(table["lost"]) == {""}
    again = nb.open(path.with_name("saved.sqlite"), "game")
    assert (again.fingerprint, again.forks[0].game.fingerprint) == (letters, forked)
    assert list(again.history["hand"].dropna()) == hands


def test_what_was_played_before_a_game_was_kept_is_saved(path: Path, notebook: Notebook) -> None:
    game = begin()
    for at in range(9):
        game.say("Ann", f"word {at}")
    game.keep(path)
    notebook.restart()
    with closing(database(path)) as db:
        db.execute("DELETE FROM line WHERE body LIKE '%word 7%'")
    table = nb.salvage(path, path.with_name("saved.sqlite"))
    assert list(table["events"]) == [game.state.seq - 2]
    assert nb.open(path.with_name("saved.sqlite"), "game").latest(1) == ["Ann says “word 6”"]


def test_an_altered_line_is_the_end_of_what_is_saved(path: Path, notebook: Notebook) -> None:
    game = begin(path)
    for at in range(9):
        game.say("Ann", f"word {at}")
    last = game.state.seq
    del game
    notebook.restart()
    with closing(database(path)) as db:
        db.execute("UPDATE line SET body = replace(body, 'word 5', 'word 6')")
    with refused("store-line-altered", help=COPY_ADVICE):
        nb.open(path, "game")
    table = nb.salvage(path, path.with_name("saved.sqlite"))
    assert list(table["lost"]) == [f"events {last - 3} to {last}"]
    again = nb.open(path.with_name("saved.sqlite"), "game")
    assert again.latest(1) == ["Ann says “word 4”"]
    again.say("Ann", "and on")


def test_what_cannot_be_saved_is_refused(path: Path, tmp_path: Path) -> None:
    with refused("no-file-to-mend"):
        nb.salvage(path, tmp_path / "new.sqlite")
    path.write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    with refused("nothing-to-be-proved"):
        nb.salvage(path, tmp_path / "new.sqlite")
    assert not (tmp_path / "new.sqlite").exists()
    with refused("new-file-there-already"):
        nb.salvage(path, path)


@pytest.mark.parametrize(
    "done",
    ["ANALYZE", "CREATE TABLE android_metadata(locale TEXT)", "CREATE TABLE notes(x); CREATE INDEX own ON notes(x)",
     "CREATE VIEW latest AS SELECT * FROM way", "VACUUM", "PRAGMA optimize"],
)  # fmt: skip
def test_what_a_database_browser_adds_leaves_the_games(path: Path, notebook: Notebook, done: str) -> None:
    begin(path).say("Ann", "hello")
    notebook.restart()
    with closing(database(path)) as db:
        db.executescript(done)
    again = nb.open(path, "game")
    again.say("Ann", "on")
    assert again.latest(2) == ["Ann says “hello”", "Ann says “on”"]


@pytest.mark.parametrize(
    ("done", "named"),
    [
        ("CREATE INDEX fast ON line(prev)", "index fast"),
        ("CREATE TRIGGER lose AFTER INSERT ON line BEGIN DELETE FROM line; END", "trigger lose"),
        ("CREATE TABLE t(x); CREATE TRIGGER other AFTER INSERT ON t BEGIN SELECT 1; END", "trigger other"),
    ],
)
def test_what_acts_on_the_games_is_named_and_the_file_opens_without_it(
    path: Path, notebook: Notebook, done: str, named: str
) -> None:
    begin(path).say("Ann", "hello")
    notebook.restart()
    with closing(database(path)) as db:
        db.executescript(done)
    with refused("store-changed-by-another-program", added=named):
        nb.open(path, "game")
    with closing(database(path)) as db:
        db.execute(f"DROP {named}")
    assert nb.open(path, "game").latest(1) == ["Ann says “hello”"]


def test_a_table_that_is_missing_is_told(path: Path, notebook: Notebook) -> None:
    begin(path)
    notebook.restart()
    with closing(sqlite3.connect(path)) as db:
        db.execute("DROP TABLE seat")
    with refused("store-lacks-a-table"):
        nb.open(path, "game")
