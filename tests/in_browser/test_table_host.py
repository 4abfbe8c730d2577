"""What Python does for the page that plays without a server, without the page."""

from __future__ import annotations

import json
import re
from importlib import import_module
from types import SimpleNamespace

import pytest
from site_helpers import TABLE, home_cells

import nomic_nb as nb
from nomic_nb.notebook.panels.session import hub_of_game
from nomic_nb.study import frames

assert TABLE.is_dir()
host = import_module("table_host")
page_cells = import_module("page_cells")
#: What the form sends, as it is at first.
FORM = {
    "ruleset": "discordian-nomic",
    "players": ["Ann", "Ben", "Cleo"],
    "machines": {"Ben": "sensible", "Cleo": "sensible"},
    "points": "",
    "joint": "",
    "away": False,
    "dice": None,
}


@pytest.fixture
def said(tmp_path, monkeypatch):
    """What viewers are sent: a list of texts by name."""
    monkeypatch.setattr(host, "FILE", tmp_path / "game.sqlite")
    monkeypatch.setattr(host, "UPLOAD", tmp_path / "upload")
    monkeypatch.setattr(host, "TABLE", host.Table())
    sent: dict[str, list[dict]] = {}
    host.connect(lambda name, text: sent.setdefault(name, []).append(json.loads(text)))
    hubs = []
    monkeypatch.setattr(host, "hub_of_game", lambda game: hubs.append(hub_of_game(game)) or hubs[-1])
    yield sent
    for hub in hubs:  # or its machines play on behind other tests
        for viewer in [*hub.viewers]:
            hub.remove_viewer(viewer)


def got(answer):
    return json.loads(answer)


def begin(**other):
    return got(host.begin(json.dumps(FORM | other)))


def opened(sent, name="panel"):
    """Open a viewer; return its first decisions."""
    host.receive(name, '{"open":true}')
    return next(one["view"] for one in reversed(sent[name]) if "view" in one)["mine"]["decisions"]


def propose(sent, name="panel"):
    key = next(one["key"] for one in opened(sent, name).values() if one["action"] == "propose")
    change = {"kind": "enact", "wording": "Everyone bows."}
    host.receive(name, json.dumps({"id": "m1", "action": "propose", "key": key, "details": {"change": change}}))
    return [one for one in sent[name] if "m1" in (one.get("done"), one.get("refused"))][-1]


def test_a_game_goes_on_from_its_file_with_its_machines(said, monkeypatch):
    assert begin() == {}
    assert "done" in propose(said)
    about = got(host.about())
    assert about["title"] == "Discordian Nomic"
    assert about["players"] == "Ann, Ben (machine), Cleo (machine)"
    step = host.TABLE.game.state.seq
    monkeypatch.setattr(host, "TABLE", host.Table())
    assert got(host.open_game(about["name"], about["way"])) == {}
    assert host.TABLE.game.state.seq >= step
    assert got(host.about())["players"] == about["players"]


def test_a_branch_is_shown_and_found_again(said, monkeypatch):
    begin(machines={})
    propose(said)
    assert got(host.about())["branches"] == []
    fork = {"id": "m2", "action": "fork", "details": {"event": 3}}
    host.receive("panel", json.dumps(fork))
    _, label = got(host.about())["branches"]
    assert "shown" not in label
    assert got(host.show_branch(1)) == {}
    about = got(host.about())
    assert "shown" in about["branches"][1]
    seq = host.TABLE.game.state.seq
    monkeypatch.setattr(host, "TABLE", host.Table())
    host.open_game(about["name"], about["way"])
    assert host.TABLE.game.state.seq == seq
    assert got(host.about())["way"] == about["way"]


def test_another_tab_looks_on_and_does_nothing(said):
    assert not host.watch("tab", 1)  # nothing is shown yet
    begin(machines={})
    assert host.watch("tab", 1)
    assert not host.watch("one too many", 1)
    assert not host.watch("panel", 9)
    assert opened(said, "tab") == {}
    host.receive("tab", json.dumps({"id": "m1", "action": "pause", "details": {}}))
    assert said["tab"][-1]["code"] == "page-only-looks-on"
    propose(said)
    assert "diff" in said["tab"][-1]
    host.stop_watching("tab")
    count = len(said["tab"])
    host.receive("panel", json.dumps({"id": "m3", "action": "pause", "details": {}}))
    assert len(said["tab"]) == count


def test_files_leave_and_come_back(said, tmp_path):
    begin(machines={})
    propose(said)
    record, notebook = got(host.record()), got(host.notebook())
    assert record["name"] == "discordian-nomic.jsonl"
    assert len(json.loads(notebook["text"])["cells"]) > 3
    file, seq = host.FILE.read_bytes(), host.TABLE.game.state.seq
    for content in (record["text"].encode(), file):
        host.FILE.unlink()
        host.UPLOAD.write_bytes(content)
        assert got(host.load_upload("")) == {}
        assert host.TABLE.game.state.seq == seq
        assert host.FILE.exists()


def test_a_file_with_several_games_asks_which(said, tmp_path):
    for name in ("one", "two"):
        nb.new_game("discordian-nomic", ["Ann", "Ben"], file=tmp_path / "class.sqlite", name=name)
    content = (tmp_path / "class.sqlite").read_bytes()
    host.UPLOAD.write_bytes(content)
    assert got(host.load_upload("")) == {"choose": ["one", "two"]}
    host.UPLOAD.write_bytes(content)
    assert got(host.load_upload("two")) == {}
    assert got(host.about())["name"] == "two"


@pytest.mark.parametrize(
    "content", [b"", b"Dear diary", b'{"a": 1}\n', b"SQLite format 3\0", b"\xff\xfe\x00", b"PK\x03\x04"]
)
def test_a_file_from_elsewhere_is_refused_in_a_sentence_and_leaves_nothing(said, content):
    host.UPLOAD.write_bytes(content)
    why = got(host.load_upload(""))["why"]
    assert why.endswith(".")
    assert "Traceback" not in why
    assert not host.FILE.exists()
    assert begin() == {}


@pytest.mark.parametrize(
    "wrong", [{"players": ["Ann", "ann"]}, {"points": "many"}, {"players": ["Ann"], "machines": {}}]
)
def test_what_the_form_has_wrong_is_refused_and_can_be_put_right(said, wrong):
    assert begin(**wrong)["why"]
    assert not host.FILE.exists()
    assert begin() == {}


def test_the_home_page_shows_the_rows_of_a_frame_and_why_a_cell_is_refused(monkeypatch):
    monkeypatch.setattr(page_cells, "SCOPE", scope := {})
    plain = SimpleNamespace(history_frame=frames.history_frame)
    page_cells.use_plain_frames(plain)
    proposal, vote, history = home_cells()
    assert "Proposal 301" in got(page_cells.run_cell(proposal))["html"]
    assert "Passed" in got(page_cells.run_cell(vote))["html"]
    frame = eval(history, dict(scope))  # noqa: S307 - a text of the site
    monkeypatch.setattr(frames, "frame_of_columns", plain.frame_of_columns)
    monkeypatch.setattr(frames, "history_frame", plain.history_frame)
    shown = re.findall(r"<t[hd]>(.*?)</t[hd]>", got(page_cells.run_cell(history))["html"])
    rows = frame.reset_index()
    assert shown == [*rows.columns, *map(str, rows.to_numpy().ravel())]
    assert got(page_cells.run_cell(vote))["why"].startswith("No vote is open")
