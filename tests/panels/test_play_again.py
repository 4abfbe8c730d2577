"""Another game with the same names: who can begin it, what it is, and that everybody follows to it."""

from __future__ import annotations

import pytest
from beginnings import new_game
from panels.pages import Page
from play_helpers import sit, turn
from refusals import refused

import nomic_nb as nb
from nomic_nb.notebook.classroom.room import ServedRoom
from nomic_nb.notebook.panels.widget import StaticCopy


@pytest.fixture
def game():
    game = sit(terms={"win.points": 3})
    turn(game, nb.enact("Be kind."), face=6)
    assert game.over
    return game


def again(page):
    return page.send({"id": "again", "action": "again", "details": {}})


def test_a_new_game_has_the_same_names_rules_and_settings_and_other_dice(game):
    other = game.play_again()
    assert (other.players, other.ruleset, other.turn) == (game.players, game.ruleset, 1)
    assert other.timeline.setting.terms == game.timeline.setting.terms
    assert other.seed != game.seed
    assert other.timeline is game.play_again().timeline
    assert game.over


def test_only_a_game_that_is_over_is_followed_by_another():
    with refused("not-over-yet"):
        sit().play_again()


def test_whoever_came_late_plays_again(game):
    game = sit(terms={"win.points": 3})
    game.host.correct('enter player "Dee" as person', agreed=["Ann", "Ben", "Cleo"], reason="late")
    turn(game, nb.enact("Be kind."), face=6)
    assert game.play_again().players == ("Ann", "Ben", "Cleo", "Dee")


def test_boards_are_set_up_as_they_were_agreed_on_before():
    position = {"white": "Ke1 Qd1", "yellow": "Ke1 a2"}
    game = new_game("nomic-chess", ["Ann", "Ben"], seed=3, position=position)
    begun = game.arrangement
    game.forfeit("Ben")
    assert game.over
    assert game.play_again().arrangement == begun


def test_pages_of_players_cannot_begin_it_and_everybody_follows_to_it(game):
    desk, ann, wall = Page(game), Page(game, "Ann"), Page(game, role="wall")
    old = ann.table["game"]["id"]
    assert again(ann)["code"] == "only-at-the-panel-of-the-table"
    assert again(wall)["code"] == "page-only-looks-on"
    assert again(desk)["done"] == "again"
    assert [page.table["game"]["over"] for page in (desk, ann, wall)] == [False] * 3
    assert ann.table["game"]["id"] != old
    ann.act("propose", change={"kind": "enact", "wording": "Be brave."})
    assert game.play_again().proposals[301].proponent == "Ann"
    assert "301" in desk.table["proposals"]


def test_the_same_press_twice_begins_one_game(game):
    desk = Page(game)
    first = again(desk)
    assert again(desk)["done"] == first["done"]
    assert desk.hub.game.timeline is game.play_again().timeline


def test_a_served_table_and_a_panel_follow_and_the_calls_say_so(game):
    room, panel, desk = ServedRoom("1", game), game.panel(), Page(game)
    try:
        again(desk)
        assert room.game.timeline is panel.game.timeline is game.play_again().timeline
        desk.act("propose", player="Ann", change={"kind": "enact", "wording": "Be brave."})
        calls = desk.send({"id": "calls", "ask": "calls", "details": {}})["calls"]
        assert calls.splitlines()[0] == "game = game.play_again()"
        assert "game.propose('Ann', nb.enact('Be brave.'))" in calls
    finally:
        panel.close()
        room.pool.shutdown()


def test_a_panel_made_of_the_game_that_is_over_still_shows_it(game):
    desk = Page(game)
    again(desk)
    assert Page(game).table["game"]["over"]
    assert Page(game.play_again()).hub is desk.hub


def test_what_is_read_without_a_kernel_follows_too(game, monkeypatch):
    monkeypatch.setattr("nomic_nb.notebook.panels.widget.display", lambda *_, **__: None)
    copy, other = StaticCopy(game), game.play_again()
    copy.follow(other)
    assert copy.game.timeline is other.timeline
    assert copy._ear in other.timeline.listeners
    assert copy._ear not in game.timeline.listeners


def test_a_kept_game_is_followed_by_one_in_the_same_file(tmp_path):
    path = tmp_path / "class.sqlite"
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7, terms={"win.points": 1}, file=path)
    turn(game, nb.enact("Be kind."), face=6)
    other = game.play_again()
    assert list(nb.open(path).index) == ["game", "game 2"]
    turn(other, nb.enact("Be kind."), face=6)
    assert other.play_again().kept
    assert list(nb.open(path).index) == ["game", "game 2", "game 3"]


def test_past_ballots_are_offered_and_answered_once_the_game_is_over(game):
    ann = Page(game, "Ann")
    votes = ann.send({"id": "b", "ask": "ballots", "details": {}})["ballots"]
    assert votes["301"]["title"] == "Be kind"
    event, other = votes["301"]["ballots"]["Ben"]
    assert other == "against"
    assert "it would have failed instead" in answer_later(ann, {"event": event})["said"]
    assert answer_later(ann, {"event": 1})["code"] == "ballot-not-reversible"
    assert answer_later(ann, {})["code"] == "query-without-a-name"


def test_nobody_can_try_other_ballots_while_the_game_goes_on():
    game = sit()
    turn(game, nb.enact("Be kind."))
    ann = Page(game, "Ann")
    assert ann.send({"id": "b", "ask": "ballots", "details": {}})["ballots"] == {}
    assert answer_later(ann, {"event": 9})["code"] == "what-if-before-the-end"


def answer_later(page, details):
    """Ask what would have come of a ballot, and return the answer, which comes from another thread."""
    message = {"id": f"w{len(page.got)}", "ask": "what_if", "details": details}
    page.viewer.asking = message["id"]
    page.hub._run_review(page.viewer, message)
    return page.got[-1]
