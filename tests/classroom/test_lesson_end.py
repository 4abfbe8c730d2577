"""The end of a lesson: what is saved, what is erased, and what phones and pages are told."""

from __future__ import annotations

import json
import shutil
import sqlite3
import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from classroom.test_lesson import SETTINGS, Host, Page, begin
from refusals import refused

import nomic_nb as nb
from nomic_nb.notebook.classroom import lobby, sockets
from nomic_nb.notebook.classroom.serve import ServedLesson
from nomic_nb.notebook.documents import portfolio
from nomic_nb.notebook.store.journal import open_store

NAMES = ("Adalind", "Benedikt", "Cleopatra", "Dovydas")


@pytest.fixture
def opened():
    with ExitStack() as stack:
        yield stack


class Class:
    """A lesson with two tables that has begun."""

    def __init__(self, opened, file):
        self.file, self.opened = file, opened
        self.served = ServedLesson({}, file, lan=False, port=0, names=["hub.example"])
        opened.callback(self.served.close)
        self.host = Host(self.served, opened)
        self.host.do("open door", **SETTINGS)
        door = self.served.lesson.door
        self.phones = {}
        for name in NAMES:
            self.phones[name] = phone = Page(self.served, "door", opened, {"code": f"{door.code}.{door.key}"})
            phone.hear("door")
            phone.say({"name": name})
        self.passes = {name: phone.hear("in")["pass"] for name, phone in self.phones.items()}
        begin(self.host, NAMES[:2], NAMES[2:])
        self.seats = {name: phone.hear("go") for name, phone in self.phones.items()}
        self.games = [room.game for room in self.served._rooms.values()]
        self.games[0].propose("Adalind", nb.enact("We greet each other.", title="Greeting"))
        for name in NAMES[:2]:
            self.games[0].vote(name, "for")


@pytest.fixture
def lesson(opened, monkeypatch, tmp_path):
    monkeypatch.setattr(lobby, "DELAY", 0.01)
    monkeypatch.chdir(tmp_path)
    return Class(opened, tmp_path / "class-7b.sqlite")


def names_in(folder: Path) -> list[str]:
    """The files that have a pupil's name in them, or in their own name."""
    found = []
    for path in folder.rglob("*"):
        content = path.name.encode() + (path.read_bytes() if path.is_file() else b"")
        found += [path.name] if any(name.encode() in content for name in NAMES) else []
    return found


def test_everything_is_saved_beside_the_file_and_listed(lesson, tmp_path):
    folder = tmp_path / "class-7b"
    said = lesson.host.do("save everything")["said"]
    assert str(folder) in said
    end = lesson.host.lobby(lambda lobby: lobby["end"]["files"])["end"]
    assert sorted(end["files"]) == sorted(path.name for path in folder.iterdir())
    assert f"Saved {len(end['files'])} files" in said
    assert {"pupil Adalind.html", "class.csv", "our law table 2.md"} <= set(end["files"])
    assert end["topics"]["has not proposed"] == ["Benedikt", "Cleopatra", "Dovydas"]
    assert not end["ended"]
    assert nb.new_game(folder / "our law table 1.md", ["Eve", "Fay"], seed=1).rules[301].title == "Greeting"


def test_what_is_not_saved_is_said_with_what_is(lesson, monkeypatch):
    monkeypatch.setattr(portfolio, "describe_readable_secrets", lambda timeline: "a sealed vote")
    said = lesson.host.do("save everything")["said"]
    assert said.startswith("Saved ")
    assert "Table 1: the record isn’t saved as a file, because secrets in it are sealed." in said


def test_a_lesson_goes_on_after_it_is_saved_and_is_saved_again_in_the_same_place(lesson, tmp_path):
    lesson.host.do("save everything")
    lesson.games[0].roll("Adalind", 3)
    lesson.host.do("save everything")
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_dir()) == ["class-7b"]
    assert nb.load(tmp_path / "class-7b" / "table 1 record.jsonl").scores["Adalind"] == 3


def test_what_is_in_the_way_is_not_touched(lesson, tmp_path):
    (tmp_path / "class-7b").mkdir()
    (tmp_path / "class-7b" / "class.csv").write_text("mine", encoding="utf-8")
    assert "class-7b 2" in lesson.host.do("save everything")["said"]
    assert (tmp_path / "class-7b" / "class.csv").read_text(encoding="utf-8") == "mine"


def test_an_erased_class_is_gone_from_the_disk(lesson, tmp_path):
    lesson.host.do("save everything")
    assert len(names_in(tmp_path)) > 10
    assert lesson.host.do("erase", sure=True, keep_rules=False)["said"] == "The class is erased."
    assert list(tmp_path.iterdir()) == []


def test_copies_of_an_erased_class_are_gone_too_and_other_files_stay(lesson, tmp_path):
    other = nb.new_game("discordian-nomic", ["Eve", "Fay"], seed=1, file=tmp_path / "other.sqlite")
    (tmp_path / "plan.txt").write_text("Greet the class.", encoding="utf-8")
    for name in ("class-7b copy.sqlite", "class-7b.sqlite.bak", "old.db"):
        shutil.copyfile(lesson.file, tmp_path / name)
    (tmp_path / "half.sqlite").write_bytes(lesson.file.read_bytes()[:-4096])
    nb.salvage(lesson.file, tmp_path / "salvaged.sqlite")
    lesson.host.do("save everything")
    said = lesson.host.do("erase", sure=True, keep_rules=False)["said"]
    copies = "class-7b copy.sqlite, class-7b.sqlite.bak, half.sqlite, old.db and salvaged.sqlite"
    assert said == f"The class is erased, with its copies {copies}."
    assert names_in(tmp_path) == []
    left = {path.name for path in tmp_path.iterdir() if not path.name.startswith("other.sqlite-")}
    assert left == {"other.sqlite", "plan.txt"}
    other.say("Eve", "still here")


def test_a_class_that_never_began_to_play_is_erased_with_its_names(opened, monkeypatch, tmp_path):
    monkeypatch.setattr(lobby, "DELAY", 0.01)
    served = ServedLesson({}, tmp_path / "class.sqlite", lan=False, port=0, names=["hub.example"])
    opened.callback(served.close)
    host = Host(served, opened)
    host.do("open door", **SETTINGS)
    host.do("names", names="\n".join(NAMES))
    door = served.lesson.door
    phone = Page(served, "door", opened, {"code": f"{door.code}.{door.key}"})
    phone.say({"name": NAMES[0]})
    assert phone.hear("in")
    assert names_in(tmp_path)
    assert host.do("erase", sure=True, keep_rules=False)["said"] == "The class is erased."
    assert phone.hear("end")
    assert list(tmp_path.iterdir()) == []
    served.close()
    assert list(tmp_path.iterdir()) == []


def test_a_class_without_phones_is_erased_with_its_copies_and_without_other_classes(opened, monkeypatch, tmp_path):
    file, other = tmp_path / "class.sqlite", tmp_path / "other.sqlite"
    nb.new_game("discordian-nomic", ["Eve", "Fay"], seed=1, file=other).say("Eve", "hello")
    served = ServedLesson({}, file, lan=False, port=0, names=["hub.example"])
    opened.callback(served.close)
    host = Host(served, opened)
    host.do("open door", **SETTINGS)
    assert "done" in host.do("without phones", names="\n".join(NAMES))
    while NAMES[0].encode() not in file.read_bytes():
        time.sleep(0.01)
    shutil.copyfile(file, tmp_path / "copy.sqlite")
    before = other.read_bytes()
    assert host.do("erase", sure=True, keep_rules=False)["said"] == "The class is erased, with its copies copy.sqlite."
    assert other.read_bytes() == before
    assert names_in(tmp_path) == []


def test_no_game_that_is_still_open_writes_the_file_again(lesson, tmp_path):
    game = lesson.games[0]
    lesson.host.do("erase", sure=True, keep_rules=False)
    with refused("store-erased", nb.RecordError):
        game.roll("Adalind", 3)
    assert list(tmp_path.iterdir()) == []
    again = nb.new_game("discordian-nomic", ["Eve", "Fay"], seed=1, file=lesson.file)
    again.propose("Eve", nb.enact("Anew."))
    assert open_store(lesson.file).game_names() == ["game"]
    with refused("store-erased", nb.RecordError):
        game.roll("Adalind", 3)
    assert names_in(tmp_path) == []


def test_rules_can_be_kept_without_the_class(lesson, tmp_path):
    lesson.host.do("save everything")
    said = lesson.host.do("erase", sure=True, keep_rules=True)["said"]
    assert said == f"The class is erased. The rules are in {tmp_path / 'class-7b'}."
    assert [path.name for path in tmp_path.iterdir()] == ["class-7b"]
    kept = sorted(path.name for path in (tmp_path / "class-7b").iterdir())
    assert kept == ["our law table 1.md", "our law table 2.md"]
    assert names_in(tmp_path) == []
    end = lesson.host.lobby(lambda lobby: lobby["ended"])["end"]
    assert sorted(end["files"]) == kept
    assert nb.new_game(tmp_path / "class-7b" / kept[0], ["Eve", "Fay"], seed=1).rules[301].title == "Greeting"


def test_rules_that_fit_no_file_keep_the_class_from_being_erased(lesson, tmp_path, monkeypatch):
    def refuse(*_: object) -> str:
        raise nb.RecordError("rules-not-for-a-file", "a rule file can’t hold {rules}", rules="rule 9")

    monkeypatch.setattr(portfolio, "rule_file_text", refuse)
    why = lesson.host.do("erase", sure=True, keep_rules=True)["why"]
    assert "Table 1: a rule file can’t hold rule 9." in why
    assert "Nothing is erased" in why
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".sqlite"] == ["class-7b.sqlite"]
    lesson.games[0].roll("Adalind", 3)


def test_nothing_is_erased_before_the_host_is_sure(lesson, tmp_path):
    assert "Confirm" in lesson.host.do("erase", sure=False, keep_rules=False)["why"]
    assert "takes keep_rules and sure" in lesson.host.do("erase", sure=True)["why"]
    assert "takes keep_rules and sure" in lesson.host.do("erase", sure="yes", keep_rules=False)["why"]
    assert lesson.file.exists()


def test_door_seats_and_links_stop_and_phones_are_told(lesson, opened):
    page = Page(lesson.served, "ws/table%201", opened, {"link": lesson.seats["Adalind"]["link"]})
    page.hear("seated")
    wall = Page(lesson.served, "lobby", opened, {"secret": lesson.served.lesson.wall_secret})
    lesson.host.do("erase", sure=True, keep_rules=False)
    assert page.closed() == sockets.ENDED
    for phone in lesson.phones.values():
        assert phone.hear("end") == {"end": True}
    assert Page(lesson.served, "ws/table%201", opened).closed() == sockets.ENDED  # one that slept meanwhile
    slept = Page(lesson.served, "door", opened, {"pass": lesson.passes["Benedikt"]})
    assert slept.hear() == {"end": True}
    door = lesson.served.lesson.door
    assert "end" in Page(lesson.served, "door", opened, {"code": f"{door.code}.{door.key}"}).hear()
    while not (seen := wall.hear("lobby")["lobby"])["ended"]:
        pass
    assert (seen["in"], seen["tables"], seen["code"]) == ([], {}, "")
    assert not any(name in json.dumps(seen) for name in NAMES)
    for command, details in (("save everything", {}), ("open door", SETTINGS), ("close door", {})):
        assert "over" in lesson.host.do(command, **details)["why"]


def test_a_file_that_another_program_holds_is_not_half_erased(lesson, monkeypatch):
    monkeypatch.setattr("nomic_nb.notebook.store.database_file.PATIENCE", 0.1)
    store = open_store(lesson.file)
    store.db.execute("PRAGMA busy_timeout = 100")
    other = sqlite3.connect(lesson.file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert "another program" in lesson.host.do("erase", sure=True, keep_rules=False)["why"]
    other.execute("ROLLBACK")
    other.close()
    lesson.games[0].roll("Adalind", 3)
    assert lesson.host.do("erase", sure=True, keep_rules=False)["said"] == "The class is erased."


def test_what_is_erased_is_overwritten_before_the_file_goes(lesson, tmp_path, tmp_path_factory):
    lesson.host.do("close door")
    elsewhere = tmp_path_factory.mktemp("elsewhere")  # where no copy is looked for
    (elsewhere / "held.sqlite").hardlink_to(lesson.file)
    assert names_in(elsewhere)
    lesson.host.do("erase", sure=True, keep_rules=False)
    assert names_in(elsewhere) == []


def test_what_was_removed_before_is_overwritten_too(tmp_path, monkeypatch):
    def connect(*given, **more):  # as SQLite is made for some systems
        database = sqlite3_connect(*given, **more)
        database.execute("PRAGMA secure_delete = OFF")
        return database

    sqlite3_connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", connect)
    store = open_store(tmp_path / "class.sqlite", make=True)
    store.write_beside("", {("room", ""): {}} | {("pupil", name): {"sign": "red fox" * 300} for name in NAMES}, [])
    store.write_beside("", {}, [("pupil", name) for name in NAMES])
    assert names_in(tmp_path) == []


def test_a_class_that_was_saved_before_the_command_was_started_again_is_erased_whole(lesson, opened, tmp_path):
    lesson.host.do("save everything")
    lesson.served.close()
    kept = {"table 1": lesson.games[0], "table 2": lesson.games[1]}
    second = ServedLesson(kept, lesson.file, lan=False, port=0, names=["hub.example"])
    opened.callback(second.close)
    Host(second, opened).do("erase", sure=True, keep_rules=False)
    assert list(tmp_path.iterdir()) == []


def test_a_lesson_in_memory_is_saved_to_a_folder_of_its_own(opened, monkeypatch, tmp_path):
    monkeypatch.setattr(lobby, "DELAY", 0.01)
    monkeypatch.chdir(tmp_path)
    for count in (1, 2):
        one = Class(opened, None)
        one.host.do("save everything")
        assert len(list(tmp_path.iterdir())) == count
    first, second = sorted(tmp_path.iterdir(), key=lambda path: len(path.name))
    assert second.name == f"{first.name} 2"
    one.host.do("erase", sure=True, keep_rules=False)
    assert list(tmp_path.iterdir()) == [first]


def test_before_play_begins_there_is_nothing_to_save(opened, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    served = ServedLesson({}, lan=False, port=0)
    opened.callback(served.close)
    assert "before play begins" in Host(served, opened).do("save everything")["why"]
    assert list(tmp_path.iterdir()) == []
