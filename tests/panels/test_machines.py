"""Machines beside people: they answer at a pace, can be stopped, and leave a seat to whoever takes it over."""

from __future__ import annotations

import threading
import time

import pytest
from panels.pages import Page
from patience import patience
from play_helpers import adopt, law, sit
from players.test_machines import broken, first_answer

import nomic_nb as nb
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.live.machines import Machines
from nomic_nb.notebook.panels import session
from nomic_nb.notebook.panels.session import hub_of_game

TEA = {"change": {"kind": "enact", "wording": "Tea is at four."}}


def begin(pause=0, **machines):
    return nb.new_game(
        "discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7, anew=True, machines=machines, pause=pause,
        terms={"win.points": 12},
    )  # fmt: skip


def until(done):
    """Wait until something is so."""
    with patience(60):
        while not done():
            time.sleep(0.005)


def host(page, **details):
    action = "machine" if "who" in details else "machines"
    return page.send({"id": f"h{len(page.got)} {details}", "action": action, "details": details})


def settled(page):
    """Tell whether a page shows the game as it stands."""
    return page.step == page.hub.game.state.seq and page.table == page.hub.pictures.current_view().table


@pytest.fixture
def timers(monkeypatch):
    """What is to be done later, with the seconds until then; nothing of it is done by itself."""
    later = []
    monkeypatch.setattr(session, "start_timer", lambda work, seconds: later.append((work.__name__, seconds, work)))
    return later


def test_one_person_at_a_panel_plays_against_machines_to_the_end():
    game = begin(Ben=first_answer, Cleo=first_answer)
    page = Page(game)
    with patience(60):
        while not game.over:
            until(lambda: game.over or (settled(page) and any(one["must"] for one in page.asked.values())))
            if game.over:
                break
            one = next(one for one in page.asked.values() if one["must"])
            assert one["player"] == "Ann"
            details = {"propose": TEA, "vote": {"ballot": "for"}}.get(one["action"], {})
            page.act(one["action"], **details)
    assert game.winner in game.players


def test_a_machine_answers_after_the_pause_and_one_at_a_time(timers):
    game = begin(1.5, Ben="contrary", Cleo="contrary")
    page = Page(game)
    page.act("propose", **TEA)
    assert game.proposals[301].ballots == {}
    for count in (1, 2):
        due = [one for one in timers if one[0] == "_let_machine_play"]
        assert [seconds for _, seconds, _ in due] == [1.5]
        timers.clear()
        due[0][2]()
        assert len(game.proposals[301].ballots) == count
    for _, _, work in [one for one in timers if one[0] == "_let_machine_play"]:
        timers.clear()
        work()
    assert [one for one in timers if one[0] == "_let_machine_play"] == []  # all wait for Ann


def test_machines_do_not_play_while_nobody_looks_on(timers):
    game = begin(Ben="contrary")
    hub = hub_of_game(game)
    page = Page(game)
    hub.remove_viewer(page.viewer)
    for _, _, work in [one for one in timers if one[0] == "_let_machine_play"]:
        work()
    timers.clear()
    BaseGame(game.timeline).do("Ann", "propose", change=nb.enact("Tea."))
    assert not [one for one in timers if one[0] == "_let_machine_play"]
    Page(game)
    assert [one for one in timers if one[0] == "_let_machine_play"]


def test_the_seats_of_machines_are_not_decided_at_the_panel_of_the_table():
    game = begin(60, Ben="contrary")
    page, wall = Page(game), Page(game, role="wall")
    page.act("propose", **TEA)
    assert {one["player"] for one in page.asked.values()} == {"Ann", "Cleo"}
    until(lambda: settled(wall))
    assert wall.table["seats"]["Ben"]["machine"] == "contrary"
    assert "machine" not in wall.table["seats"]["Ann"]
    assert "Ben (machine)" in wall.table["waiting"]
    assert any(one["player"] == "Ben (machine)" for one in wall.table["waits"].values()) or wall.table["waits"] == {}


def test_what_machines_do_is_marked_in_the_news_the_score_and_the_static_copy():
    from nomic_nb.notebook.panels.widget import static_page_data

    game = begin(Ben="contrary")
    page = Page(game)
    page.act("propose", **TEA)
    until(lambda: settled(page) and "Ben" in game.proposals[301].ballots)
    assert any(one["text"].startswith("Ben (machine) votes against") for one in page.table["news"].values())
    assert "Ben (machine)" in str(page.table["score"])
    assert "Ben (machine)" in static_page_data(game)["text/plain"]
    ballot = next(event.seq for event in game.timeline.events if event.kind == "balloted")
    past = page.send({"id": "p", "ask": "past", "details": {"event": ballot}})
    assert past["said"].startswith("Ben (machine) votes against")
    assert "Ben (machine)" in str(past["score"])
    game.machines.hold()
    game.machines["Ann"] = "contrary"
    until(lambda: settled(page))
    assert page.table["game"]["heading"] == "Ann (machine)’s turn: proposal"


def test_machines_pause_step_and_go_on():
    game = begin(Ben="contrary", Cleo="contrary")
    page = Page(game)
    assert "done" in host(page, do="hold")
    assert page.table["machines"]["held"]
    page.act("propose", **TEA)
    assert game.proposals[301].ballots == {}
    host(page, do="step")
    until(lambda: len(game.proposals[301].ballots) == 1 and settled(page))
    host(page, do="go on")
    until(lambda: len(game.proposals[301].ballots) == 2)
    assert not game.machines.held


def test_a_step_with_nothing_to_answer_is_not_kept_for_later():
    game = begin(Ben="contrary")
    page = Page(game)
    host(page, do="hold")
    host(page, do="step")
    until(lambda: not page.hub._machine_due)
    page.act("propose", **TEA)
    until(lambda: not page.hub._machine_due and settled(page))
    assert game.proposals[301].ballots == {}


def test_the_host_gives_seats_to_the_kit_and_takes_them_over():
    game = begin()
    page = Page(game)
    assert page.mine["kinds"][0] in nb.players.__all__
    page.act("propose", **TEA)
    assert "done" in host(page, who="Ben", kind="contrary")
    until(lambda: "Ben" in game.proposals[301].ballots and settled(page))
    assert "done" in host(page, who="Ben", kind="")
    assert dict(game.machines) == {}
    assert "machine" not in page.table["seats"]["Ben"]


@pytest.mark.parametrize(
    "details",
    [
        {"who": "Zoe", "kind": "random"}, {"who": "Ben", "kind": "clever"}, {"who": ["Ben"], "kind": "random"},
        {"who": "Ben", "kind": {"a": 1}}, {"who": {}, "kind": ""}, {"who": "Ben", "kind": "random", "more": 1},
        {"do": "dance"}, {"do": ["step"]}, {"do": None},
    ],
)  # fmt: skip
def test_nonsense_about_machines_is_refused_and_changes_nothing(details):
    game = begin(60, Cleo="contrary")
    page = Page(game)
    answer = host(page, **details)
    assert "refused" in answer or dict(game.machines).keys() == {"Cleo"}
    assert "wrong in the program" not in answer.get("why", "")
    assert list(game.machines) == ["Cleo"]
    assert not game.machines.held


def test_a_player_can_take_only_the_own_seat_back():
    game = begin(60, Ben="contrary", Cleo="contrary")
    ben = Page(game, "Ben")
    assert ben.asked == {}
    for details in ({"who": "Cleo", "kind": ""}, {"who": "Ben", "kind": "random"}, {"do": "hold"}):
        assert "refused" in host(ben, **details)
    assert "done" in host(ben, who="Ben", kind="")
    assert list(game.machines) == ["Cleo"]
    BaseGame(game.timeline).do("Ann", "propose", change=nb.enact("Tea."))
    until(lambda: settled(ben))
    assert [one["action"] for one in ben.asked.values()] == ["vote"]


def test_a_machine_that_fails_is_told_of_on_all_pages_and_can_be_asked_again():
    answers = iter([broken, first_answer])
    game = begin(Ben=lambda view: next(answers)(view))
    page, cleo = Page(game), Page(game, "Cleo")
    page.act("propose", **TEA)
    until(lambda: game.machines.trouble and settled(page) and settled(cleo))
    assert "ConnectionError: the network is gone." in page.table["machines"]["trouble"][0]
    assert "Ben’s machine" in cleo.table["waiting"]
    host(page, do="go on")
    until(lambda: "Ben" in game.proposals[301].ballots and settled(page))
    assert page.table["machines"]["trouble"] == []


def test_an_answer_to_what_has_changed_meanwhile_is_asked_for_again():
    asked, goes_on = [], threading.Event()

    def slow(view):
        asked.append(view["step"])
        assert len(asked) > 1 or goes_on.wait(60)
        return first_answer(view)

    game = begin(Ben=slow)
    page = Page(game)
    page.act("propose", **TEA)
    until(lambda: asked)
    page.act("vote", "Cleo", ballot="for")  # nobody waits for the machine: it is asked outside the lock
    goes_on.set()
    until(lambda: "Ben" in game.proposals[301].ballots)
    assert asked[0] < asked[1]


def test_a_seat_taken_over_while_its_machine_thinks_stays_so():
    asked, goes_on = [], threading.Event()

    def slow(view):
        asked.append(1)
        assert goes_on.wait(60)
        return first_answer(view)

    game = begin(Ben=slow)
    page = Page(game)
    page.act("propose", **TEA)
    until(lambda: asked)
    host(page, who="Ben", kind="")
    goes_on.set()
    until(lambda: not page.hub._machine_due)
    assert "Ben" not in game.proposals[301].ballots
    page.act("vote", "Ben", ballot="for")
    assert game.proposals[301].ballots["Ben"] == "for"


def test_taking_back_the_last_act_takes_back_what_machines_answered():
    game = begin(Ben="contrary", Cleo="contrary")
    page = Page(game)
    page.act("propose", **TEA)
    until(lambda: len(game.proposals[301].ballots) == 2 and settled(page))
    last = max(map(int, page.mine["undo"]))
    answer = page.send(
        {"id": "u", "action": "undo", "details": {"event": page.mine["undo"][str(last)], "seen": page.step}}
    )
    assert "done" in answer
    assert (dict(game.state.proposals), game.player) == ({}, "Ann")


def test_machines_go_along_to_the_next_game():
    game = begin(60, Ben="contrary")
    game.machines.hold()
    nb.play(game, dict.fromkeys(game.players, first_answer))
    page = Page(game)
    game.machines.go_on()
    page.send({"id": "again", "action": "again", "details": {}})
    assert page.table["seats"]["Ben"]["machine"] == "contrary"
    assert isinstance(page.hub.machines, Machines)
    assert page.hub.game.timeline is not game.timeline


def test_machines_play_beside_people_at_a_table_without_cells():
    game = BaseGame(sit("Ann", "Ben").timeline)
    page = Page(game)
    page.hub.machines.pause = 0
    host(page, who="Ben", kind="contrary")
    page.act("propose", "Ann", **TEA)
    until(lambda: game.proposals[301].ballots == {"Ben": "against"})


def test_the_next_line_for_a_cell_is_not_that_of_a_machine():
    game = begin(60, Ben="contrary", Cleo="contrary")
    page = Page(game)
    assert page.send({"id": "b", "ask": "calls", "details": {}})["next"].startswith("game.propose('Ann'")
    game.machines.hold()
    game.machines["Ann"] = "contrary"
    assert page.send({"id": "c", "ask": "calls", "details": {}})["next"] == ""


def test_a_machine_is_marked_in_the_tiles_of_a_poll():
    game = sit("Ann", "Ben")
    law(game, 'on said when text == "go": let seats choose plan from ["tea", "work"]')
    game.machines["Ben"] = lambda view: None
    game.say("Ann", "go")
    assert "Ben (machine)" in str(Page(game, "Ann").table["polls"])


def test_the_heading_of_a_turn_calls_the_throw_a_roll():
    game = sit("Ann", "Ben")
    adopt(game, nb.enact("So be it."))
    assert game.part == "throw"
    assert Page(game).table["game"]["heading"] == f"{game.player}’s turn: roll"
