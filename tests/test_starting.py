"""The form that begins a game without Python, and takes a saved one back."""

from __future__ import annotations

import re
import sqlite3
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from patience import let_go

import nomic_nb as nb
from nomic_nb.notebook import start_form
from nomic_nb.notebook.panels.queries import BINDER_VARIABLE
from nomic_nb.notebook.panels.widget import Panel
from nomic_nb.notebook.store.journal import open_store
from nomic_nb.study.players.kit import KINDS


@pytest.fixture
def form(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(start_form, "_GAMES_BEGUN", [])
    return nb.start()


def shown(form):
    assert form.game is None
    return form.said.value


def upload(form, path, name=None):
    sent = {"name": name or path.name, "content": memoryview(path.read_bytes()), "size": path.stat().st_size}
    form.upload.value = ({**sent, "type": "", "last_modified": datetime.now(UTC)},)


def test_a_game_is_begun_and_its_panel_stands_in_the_place_of_the_form(form):
    form.names.value = "Ann, Ben\n  Cleo \n\n"
    form.points.value = "30"
    form.dice.value = "table"
    form.begin.click()
    game = form.game
    assert (game.players, game.law["win.points"].value, game.law["dice.source"].value) == (
        ("Ann", "Ben", "Cleo"), 30, "table"
    )  # fmt: skip
    assert isinstance(form.children[0].shown.children[0], Panel)
    assert "not saved" in form.children[0].said.value


@pytest.mark.parametrize("name", nb.rulesets().index)
def test_each_rule_set_is_told_in_a_few_sentences_and_begins(form, name):
    form.ruleset.value = name
    assert len(form.about.value) > 150
    assert "Players:" in form.about.value
    form.begin.click()
    assert form.game.ruleset.name == name, form.said.value


def test_points_are_asked_for_only_where_points_win(form):
    assert form.points.layout.display == ""
    form.ruleset.value = "nomic-chess"
    assert form.points.layout.display == "none"


def test_points_agreed_on_stand_beside_those_of_the_rules(form):
    assert form.points.placeholder == "100, as in the rule set"
    assert "the rules say" not in form.about.value
    form.points.value = "30"
    assert "You agree on 30 points to win</strong>; the rules say 100." in form.about.value
    form.begin.click()
    assert "A player wins by reaching 30 points." in str(
        form.children[0].shown.children[0].hub.pictures.current_view().table["aim"]
    )


@pytest.mark.parametrize(("chosen", "settled"), [(None, "joint"), ("on turn", "on turn"), ("", None)])
def test_the_form_asks_who_wins_if_several_do_at_once_with_a_default(form, chosen, settled):
    if chosen is not None:
        form.joint.value = chosen
    form.begin.click()
    finding = form.game.state.find("win.joint")
    assert (finding.value if finding.answered else None) == settled


def test_the_form_does_not_ask_what_the_rules_settle(form):
    form.ruleset.value = "make-a-rule"
    assert form.joint.layout.display == "none"
    form.begin.click()
    assert form.game.timeline.setting.terms == {}


def test_a_game_is_kept_in_a_file_and_gone_on_with(form):
    form.file.value = "class.sqlite"
    form.begin.click()
    form.game.say("Ann", "hello")
    assert Path("class.sqlite").exists()
    again = nb.start()
    again.file.value = "class.sqlite"
    again.begin.click()
    assert again.said.value == ""
    assert again.game.state.digest() == form.game.state.digest()


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("names", "Ann\nAnn", "Ann"), ("names", "", ""), ("points", "many", "whole number, not “many”"),
        ("names", "<img src=x onerror=alert(1)>\n<img src=x onerror=alert(1)>", "&lt;img"),
        ("file", "no/such/folder/a.sqlite", "no/such/folder"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_and_nothing_begins(form, field, value, said):
    getattr(form, field).value = value
    form.begin.click()
    assert said in shown(form)
    assert "<img" not in shown(form)
    assert shown(form)
    form.names.value, form.points.value, form.file.value = "Ann\nBen", "", ""
    form.begin.click()
    assert form.game is not None


def test_a_record_is_taken_back(form, tmp_path):
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    game.propose("Ann", nb.enact("Be kind."))
    game.save(tmp_path / "old.jsonl")
    upload(form, tmp_path / "old.jsonl")
    assert form.game.state.digest() == game.state.digest()


def test_of_a_file_with_several_games_one_is_chosen(form, tmp_path):
    there = tmp_path / "elsewhere"
    there.mkdir()
    for name in ("table 1", "table 2"):
        nb.new_game("discordian-nomic", ["Ann", name], seed=7, file=there / "class.sqlite", name=name)
    let_go(there / "class.sqlite")
    upload(form, there / "class.sqlite")
    assert [label for label, _ in form.choice.options] == [
        f"class.sqlite, {name}: discordian-nomic, turn 1, Ann, {name}" for name in ("table 1", "table 2")
    ]
    assert form.choice.index == 0
    form.choice.index = 1
    form.go_on.click()
    assert form.game.players == ("Ann", "table 2")
    assert Path("class.sqlite").stat().st_mode & 0o077 == 0
    other = nb.start()
    upload(other, there / "class.sqlite")
    assert "won’t be replaced" in shown(other)


@pytest.mark.parametrize(
    ("name", "content"), [("a.jsonl", b"{}"), ("a.jsonl", b""), ("b.sqlite", b"SQLite format 3\0 but no")]
)
def test_what_is_no_saved_game_is_refused_and_leaves_nothing(form, tmp_path, name, content):
    sent = tmp_path / "sent"
    sent.write_bytes(content)
    upload(form, sent, name)
    assert shown(form)
    assert not (tmp_path / name).exists()


def test_on_binder_the_form_says_that_it_forgets(monkeypatch):
    assert "Binder" not in nb.start().children[0].value
    monkeypatch.setenv(BINDER_VARIABLE, "mybinder.org")
    form = nb.start()
    assert "Binder" in form.children[0].value
    form.begin.click()
    assert "Binder" in form.children[0].folded[0].children[0].value  # no pages, which nobody would reach


def test_a_file_without_a_game_is_refused_and_leaves_nothing(form, tmp_path):
    there = tmp_path / "elsewhere"
    there.mkdir()
    open_store(there / "class.sqlite", make=True)
    let_go(there / "class.sqlite")
    upload(form, there / "class.sqlite")
    assert "no game in it" in shown(form)
    assert not Path("class.sqlite").exists()


def test_games_beside_the_notebook_and_of_this_session_are_gone_on_with_by_a_press(form, tmp_path):
    assert form.found.layout.display == "none"
    form.file.value = "class.sqlite"
    form.begin.click()
    form.game.say("Ann", "hello")
    other = nb.start()
    other.names.value = "Dora\nEmil"
    other.begin.click()
    (tmp_path / "none.sqlite").write_bytes(b"")
    (tmp_path / "odd.sqlite").write_bytes(b"SQLite format 3\0" + b"x" * 200)
    with sqlite3.connect(tmp_path / "another.sqlite") as another:
        another.execute("CREATE TABLE a(b)")

    again = nb.start()
    assert [label for label, _ in again.choice.options] == [
        "in this session: Discordian Nomic, turn 1, Dora, Emil",
        "class.sqlite, game: discordian-nomic, turn 1, Ann, Ben, Cleo",
    ]
    again.go_on.click()
    again.game.say("Dora", "here again")
    assert other.game.state.seq == again.game.state.seq
    kept = nb.start()
    kept.choice.index = 1
    kept.go_on.click()
    assert kept.game.state.digest() == form.game.state.digest()
    assert (tmp_path / "none.sqlite").read_bytes() == b""


def test_pages_are_opened_and_a_link_is_made_anew_without_python(form):
    form.begin.click()
    table = form.children[0]
    assert table.folded[0].layout.display == "none"  # nobody sees keys who did not ask for them
    table.opened[0].value = True
    assert table.folded[0].layout.display == ""
    table.serve.click()
    links = set(re.findall(r'href="(http[^"]+)"', table.links.value))
    assert len(links) == 4
    again = nb.start()
    again.go_on.click()
    assert again.children[0].links.value == table.links.value  # the pages that phones have open
    table.player.value = "Ben"
    table.new_link.click()
    now = set(re.findall(r'href="(http[^"]+)"', table.links.value))
    assert len(links & now) == 3
    table.close_pages.click()
    assert (table.links.value, table.serve.disabled) == ("", False)


def test_a_class_is_opened_by_a_press_and_the_same_once_more(form, monkeypatch):
    monkeypatch.setattr(start_form, "_LESSONS", [])
    form.file.value = "class.sqlite"
    form.phones.click()
    (lesson,) = start_form._LESSONS
    try:
        assert lesson.host_page in form.said.value
        form.phones.click()
        assert [lesson] == start_form._LESSONS
        assert form.game is None
    finally:
        lesson.close()


def test_without_the_packages_for_pages_it_is_said_how_to_get_them(form, monkeypatch):
    monkeypatch.setitem(sys.modules, "nomic_nb.notebook.classroom.serve", None)
    form.phones.click()
    assert "%pip install" in shown(form)


def test_phones_are_let_in_by_a_tick_after_the_pages_are_open(form, monkeypatch):
    monkeypatch.setattr("nomic_nb.notebook.classroom.serve._network_address", lambda: "192.0.2.7")
    form.begin.click()
    table = form.children[0]
    table.opened[0].value = True
    table.serve.click()
    assert "<img" not in table.links.value
    assert "tick the box for phones" in table.links.value
    assert not table.lan.disabled
    table.lan.value = True
    assert table.links.value.count('href="http://192.0.2.7') == table.links.value.count("<img") == 4
    again = nb.start()
    again.go_on.click()
    assert again.children[0].lan.value  # as the pages are
    table.lan.value = False
    assert "<img" not in table.links.value
    table.close_pages.click()


def test_another_way_of_the_game_is_shown_by_a_press(form):
    form.begin.click()
    table, game = form.children[0], form.game
    game.propose("Ann", nb.enact("Be kind."))
    game.fork(at=7)
    table.opened[1].value = True
    assert [label for label, _ in table.way.options] == [
        "the game – the game begins with Ann, Ben and Cleo – shown", "after event 7, in turn 1"
    ]  # fmt: skip
    before = table.shown.children[0]
    table.way.index = 1
    table.show.click()
    assert len(form.game.proposals) == 0
    assert before.comm is None
    assert [panel.game.state.seq for panel in table.shown.children] == [7]


@pytest.mark.parametrize("name", nb.rulesets().index)
def test_who_is_away_holds_nobody_up_where_it_is_agreed_on(form, name):
    form.ruleset.value, form.away.value = name, True
    form.begin.click()
    game = form.game
    assert form.said.value == ""
    order = game.law["turn.sequence"].value
    game.host.absent("Ben")
    left = game.law["turn.sequence"].value
    gone = {"Ben"}
    if order[0].kind == "army":
        gone = {army for army, one in game.state.position.armies.items() if one.controller == "Ben"}
    assert [one.id for one in left] == [one.id for one in order if one.id not in gone]
    assert len(left) < len(order)


def test_a_vote_is_closed_without_who_is_away_and_the_turn_passes_over_them(form):
    form.away.value = True
    form.begin.click()
    game = form.game
    game.host.absent("Ben")
    game.propose("Ann", nb.enact("Be kind."))
    for name in ("Ann", "Cleo"):
        game.vote(name, "for")
    assert game.proposals[301].outcome == "adopted"
    game.roll("Ann")
    assert game.player == "Cleo"


def seats(form):
    return {field.description: field.value for field in form.seats.children}


def test_one_name_is_enough_since_the_kit_plays_with_it(form):
    form.names.value = "Ben"
    assert seats(form) == {"Ben": "", "Cleo": next(iter(KINDS)), "Dora": next(iter(KINDS))}
    form.begin.click()
    assert form.game.players == ("Ben", "Cleo", "Dora")
    assert sorted(form.game.machines) == ["Cleo", "Dora"]


def test_each_name_can_be_played_by_a_person_or_the_kit(form):
    form.names.value = "Ann, Ben, Cleo"
    assert set(seats(form).values()) == {""}
    form.seats.children[1].value = "contrary"
    form.names.value = "Ann, Ben, Cleo, Zoe"
    assert seats(form) == {"Ann": "", "Ben": "contrary", "Cleo": "", "Zoe": ""}
    form.begin.click()
    assert repr(form.game.machines) == "Ben: contrary"


def test_the_kit_opens_a_game_at_the_pace_of_the_panel(form):
    form.names.value = "Ann, Ben"
    form.seats.children[0].value = "contrary"
    form.begin.click()
    assert len(form.game.proposals) == 0
    assert form.game.machines.is_due
    form.game.machines.hold()


def test_pages_open_at_once_for_whoever_plays_on_their_own_page(form):
    form.names.value = "Ann, Ben"
    form.seats.children[1].value = "page"
    form.begin.click()
    table = form.children[0]
    assert "open this seat" in table.links.value
    table.close_pages.click()


def test_on_binder_nobody_is_offered_a_page_of_their_own(monkeypatch, form):
    monkeypatch.setenv(BINDER_VARIABLE, "https://mybinder.org")
    values = [value for _, value in nb.start().seats.children[0].options]
    assert values == ["", *KINDS]


def test_the_form_says_whom_the_kit_plays_with_and_when_you_only_watch(form):
    form.names.value = "Ann"
    assert "One name per line. The kit plays with Ann." in form.hint.value
    form.seats.children[0].value = "contrary"
    assert "The kit plays everybody, and you watch." in form.hint.value
    form.seats.children[1].value = ""
    assert "watch" not in form.hint.value
