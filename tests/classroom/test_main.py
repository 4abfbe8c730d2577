"""Games served without a notebook."""

from __future__ import annotations

import http.client
import re
import sys
import threading
from contextlib import closing
from urllib.parse import urlsplit

import pytest

import nomic_nb as nb
from nomic_nb.notebook import command
from nomic_nb.notebook.command import main
from nomic_nb.notebook.store import journal


@pytest.fixture
def path(tmp_path):
    for name in ("table 1", "table 2"):
        nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7, file=tmp_path / "class.sqlite", name=name)
    return tmp_path / "class.sqlite"


class Until(threading.Event):
    """Ends it, and tells when it has begun to wait for that."""

    def __init__(self):
        super().__init__()
        self.reachable_squares = threading.Event()

    def wait(self, timeout=None):
        self.reachable_squares.set()
        return super().wait(timeout)


def test_the_games_of_a_file_are_served_until_it_is_ended(path, capsys):
    until, ended = Until(), []
    served = threading.Thread(target=lambda: ended.append(main(["serve", str(path), "--port", "0"], until)))
    served.start()
    assert until.reachable_squares.wait(30)
    text = capsys.readouterr().out
    try:
        links = re.findall(r"http://\S+", text)
        assert sum("#table%201/" in one for one in links) == 4  # two players, the wall, the desk
        assert sum("#table%202/" in one for one in links) == 4
        url = urlsplit(links[0])
        with closing(http.client.HTTPConnection(url.hostname, url.port, timeout=10)) as connection:
            connection.request("GET", "/")
            assert connection.getresponse().status == 200
    finally:
        until.set()
        served.join(15)
    assert ended == [0]


def test_the_terminal_says_that_a_class_is_erased_and_its_file_gone(tmp_path, capsys, monkeypatch):
    class Erasing(threading.Event):
        """Erases the class while the command waits, and stops it a little later."""

        def wait(self, timeout=None):
            if lessons[0].is_erased:
                waited.append(1)
            else:
                lessons[0].lesson.end.erase(sure=True, keep_rules=False)
            return len(waited) > 1

    lessons, waited = [], []
    serve_lesson = command._serve_lesson
    monkeypatch.setattr(command, "_serve_lesson", lambda options: lessons.append(serve_lesson(options)) or lessons[0])
    given = ["class", str(tmp_path / "class.sqlite"), "--port", "0", "--here", "--no-browser"]
    assert main(given, Erasing()) == 0
    said = capsys.readouterr().out
    assert said.index("The games stay in the file.") < said.index("The class is erased, with its file.")
    assert said.count("The class is erased") == 1


def test_one_game_alone_can_be_chosen(path, capsys):
    until = threading.Event()
    until.set()
    assert main(["serve", str(path), "--game", "table 2", "--port", "0", "--programs"], until) == 0
    text = capsys.readouterr().out
    assert "#table%202/" in text
    assert "  a program for Ben: http" in text
    assert "table%201" not in text


@pytest.mark.parametrize(
    ("more", "said"),
    [(["--game", "table 3"], "no game “table 3”"), (["--host", "192.0.2.1"], "isn’t an address of this")],
)
def test_what_cannot_be_served_is_said(path, capsys, more, said):
    assert main(["serve", str(path), *more]) == 1
    assert said in capsys.readouterr().err


def test_a_file_that_is_not_there_or_is_empty_is_said(tmp_path, capsys):
    assert main(["serve", str(tmp_path / "none.sqlite")]) == 1
    assert "there is no file" in capsys.readouterr().err


@pytest.mark.parametrize("package", ["segno", "uvicorn", "websockets", "starlette"])
def test_a_missing_package_is_named_with_a_command_that_installs_it(monkeypatch, capsys, package):
    for name in [one for one in sys.modules if one.startswith((f"{package}.", "nomic_nb.notebook.classroom.serve"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    assert main(["serve", "class.sqlite"]) == 1
    told = capsys.readouterr().err
    assert told.startswith(f"Player pages need the package {package}.")
    assert f'"{package}>=' in told
    with pytest.raises(ModuleNotFoundError) as raised:
        nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).serve(port=0)
    assert f"{raised.value}\n" == told


@pytest.mark.parametrize(("answer", "name"), [("", ""), ("y", ""), ("n", "-2")])
def test_a_second_class_of_a_day_is_not_begun_in_the_file_of_the_first_unasked(
    monkeypatch, tmp_path, capsys, answer, name
):
    monkeypatch.chdir(tmp_path)
    today = f"class-{command.date.today()}"
    assert str(command._file_of_today()) == f"{today}.sqlite"
    nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7, file=f"{today}.sqlite")
    assert str(command._file_of_today()) == f"{today}-2.sqlite"  # nobody can be asked
    told = capsys.readouterr().out
    assert told.startswith(f"This opens a new class in {today}-2.sqlite.")
    assert f"nomic-nb class {today}.sqlite" in told
    asked = []
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda text: asked.append(text) or answer)
    assert str(command._file_of_today()) == f"{today}{name}.sqlite"
    assert asked == [f"{today}.sqlite has a class of today. Go on with it? [Y/n] "]


@pytest.mark.parametrize("lobby", [False, True])
def test_the_class_to_go_on_with_is_the_latest_that_somebody_was_in(monkeypatch, tmp_path, lobby):
    monkeypatch.chdir(tmp_path)
    today = f"class-{command.date.today()}"
    if lobby:
        pupil = {("pupil", "Ada"): {"sign": "pink crab", "pass": ""}}
        journal.open_store(tmp_path / f"{today}.sqlite", make=True).write_beside("", pupil, ())
    else:
        nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7, file=f"{today}.sqlite")
    journal.open_store(tmp_path / f"{today}-2.sqlite", make=True).write_beside("", {("room", ""): {}}, ())
    (tmp_path / f"{today}-3.sqlite").write_text("This is no class.")
    asked = []
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda text: asked.append(text) or "")
    assert str(command._file_of_today()) == f"{today}.sqlite"
    assert asked == [f"{today}.sqlite has a class of today. Go on with it? [Y/n] "]
    monkeypatch.setattr("builtins.input", lambda _: "n")
    assert str(command._file_of_today()) == f"{today}-4.sqlite"
