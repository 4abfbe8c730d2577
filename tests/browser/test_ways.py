"""The ways out on the host page, a computer that is passed round, and a lesson with no phones at all."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from browser.people import PRESS, Person
from browser.test_door import PHONE, faults, lesson, overflows, press, visit  # noqa: F401 - two are fixtures
from play_helpers import asks, law, sit

import nomic_nb as nb
from nomic_nb.notebook.classroom import aside as asides

pytestmark = pytest.mark.browser
#: What the secret link of a seat looks like.
SECRET_LINK = re.compile(r"[0-9a-f]{8}\.[\w-]{22}")


def the_desk(room: Any, opens: Any, **how: Any) -> Person:
    return opens(next(iter(room.desk.values())), **how)


def card(desk: Person, text: str) -> None:
    """Wait until the card says what play waits for."""
    desk.root.locator(".nnb-now-card .nnb-heading").filter(has_text=text).wait_for()


def test_hands_lateness_and_absence_are_on_the_host_page(opens: Any, served: Any) -> None:
    game = sit("Ann", "Ben", "Cleo")
    number = law(game, 'on overdue when owed == "ballot": award -2 points to player')
    room = served(game)
    desk = the_desk(room, opens, viewport={"width": 1280, "height": 800})
    ann = opens(room.links["Ann"], **PHONE)
    game.propose("Ben", nb.enact("Be kind.", title="Kindness"))
    card(desk, "Waiting for 3")
    desk.sees("Vote on Ben’s proposal, “Kindness”")
    desk.sees(f"If you record somebody as late, rule {number} says what follows.")
    desk.press("Next: Remind Ann")
    ann.sees("The table is waiting for your vote.")
    ann.press("For")
    card(desk, "Waiting for 2 of 3")
    desk.press("Ring in 1 minute")
    desk.root.locator(".nnb-clock .nnb-bell:visible").wait_for()
    assert faults(desk.page) == []
    assert not overflows(desk.page)
    (table,) = room._rooms.values()
    page = table.pages[None][0]
    page.loop.call_soon_threadsafe(table.aside._ring)
    desk.press("Next: Record 2 as late")
    desk.sees("Late: Ben and Cleo.")
    assert [int(game.scores[name]) for name in game.players[1:]] == [-2, -2]

    game.host.absent("Cleo")
    desk.sees("Cleo is away but still has a vote (rule 105).")
    assert faults(desk.page) == []
    desk.press("Take the proposal back")
    card(desk, "Waiting for Ben")
    assert game.state.players["Cleo"].absent
    desk.press(desk.root.get_by_role("button", name="Write a proposal for Ben"))
    assert desk.focus.startswith("Write a rule")


def test_the_turn_of_a_player_who_is_away_ends_by_consent_on_the_host_page(opens: Any, served: Any) -> None:
    game = sit("Ann", "Ben", "Cleo")
    desk = the_desk(served(game), opens, viewport={"width": 1280, "height": 800})
    desk.sees("no rule lets you skip them here. If everybody who is here agrees")
    desk.press("Mark Ann away")
    desk.press("Everybody agrees: end Ann’s turn")
    card(desk, "Waiting for Ben")
    desk.sees("Ben and Cleo agree: end turn (Ann is away)")
    assert faults(desk.page) == []


def test_a_question_to_the_table_is_one_show_of_hands_on_the_host_page(opens: Any, served: Any) -> None:
    game = sit(*(f"Pupil {at}" for at in range(28)))
    asks(game, "How many?")
    game.say("Pupil 1", "ask")
    desk = the_desk(served(game), opens, color_scheme="dark")
    card(desk, "Waiting for 28")
    desk.field("What they say").fill("7")
    assert faults(desk.page) == []
    desk.press("Record for all 28")
    card(desk, "Waiting for Pupil 1")
    assert not game.state.questions


def test_a_bell_covers_nothing_on_a_phone_and_lateness_without_a_rule_comes_last(opens: Any, served: Any) -> None:
    game = sit("Ann", "Ben", "Cleo")
    room = served(game)
    desk = the_desk(room, opens)
    ann = opens(room.links["Ann"], **PHONE)
    game.propose("Ann", nb.enact("Be kind."))
    desk.press("Ring in 1 minute")
    bell, face = ann.root.locator(".nnb-bell"), ann.root.locator(".nnb-face")
    bell.wait_for()
    (table,) = room._rooms.values()
    page = table.pages[None][0]
    page.loop.call_soon_threadsafe(table.aside._ring)
    desk.button("Next: One minute more").wait_for()
    desk.sees("No rule says what happens to late ballots: recording one changes nothing yet.")
    for width in (560, 410, 390, 360, 320):
        ann.page.set_viewport_size({"width": width, "height": 640})
        avatar, links = face.bounding_box(), ann.root.locator(".nnb-links").bounding_box()
        time = bell.bounding_box()
        assert avatar["x"] + avatar["width"] <= time["x"]
        assert time["x"] + time["width"] <= links["x"]
        assert not overflows(ann.page)
    game.votes()
    bell.wait_for(state="hidden")
    desk.button("Next: Roll the dice for Ann").wait_for()


def test_a_players_draft_is_proposed_for_them_as_they_say(opens: Any, served: Any) -> None:
    game = sit("Ann", "Ben")
    room = served(game)
    (table,) = room._rooms.values()
    draft = {"kind": "enact", "wording": "Be kind.", "law": "", "title": "<b>Kindness</b>"}
    for at, name in enumerate(game.players, 1):
        table.aside.write_draft(name, {"change": draft})
        table.aside.share_draft(name, {"number": at, "shared": True})
    desk = the_desk(room, opens)
    desk.press("Propose Ann’s draft “<b>Kindness</b>”")
    card(desk, "Waiting for 2")
    assert game.state.proposals[301].proponent == "Ann"
    desk.press(desk.root.get_by_text("Drafts of the table (2)"))
    desk.sees("Ann’s draft · proposed as 301")
    assert table.aside.drafts[1].used == "301"


def test_a_phone_that_is_gone_for_a_minute_is_told_of_and_nothing_is_recorded(
    opens: Any, served: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asides, "GONE", 0.5)
    game = sit("Ann", "Ben")
    room = served(game)
    desk = the_desk(room, opens)
    phones = [opens(room.links[name], **PHONE) for name in game.players]
    desk.root.locator(".nnb-chips [data-state=connected]").nth(1).wait_for()
    before = game.fingerprint
    for phone in phones:
        phone.page.close()
    desk.sees("Ann’s phone has been gone for a minute.")
    assert desk.root.get_by_text("Ben’s phone").count() == 0  # nothing waits for Ben
    assert game.fingerprint == before
    assert desk.root.get_by_role("button", name="Show the code").count() == 0  # no lesson
    desk.press(desk.root.locator(".nnb-gone").get_by_role("button", name="Mark Ann away"))
    desk.page.wait_for_function("() => !document.querySelector('.nnb-gone')")
    assert game.state.players["Ann"].absent


def hold(page: Any, *, by_keys: bool = False) -> None:
    """Hold the button of the cover until the seat opens."""
    button = page.get_by_role("button", name="Press and hold to open")
    button.wait_for()
    if by_keys:
        button.focus()
        page.keyboard.down("Enter")
    else:
        button.hover()
        page.mouse.down()
    page.get_by_role("button", name="Done: cover the page").wait_for()
    page.keyboard.up("Enter") if by_keys else page.mouse.up()


def covered(page: Any, name: str) -> None:
    page.locator(".nnb-covered").get_by_role("heading", name=name).wait_for()
    assert page.locator(".nnb-cover .nnb-columns").count() == 0


def test_one_computer_is_passed_round_and_shows_one_seat_at_a_time(opens: Any, served: Any) -> None:
    game = sit("Ann", "Ben", "Cleo")
    law(game, 'set vote.ballots to "sealed"')
    game.propose("Ben", nb.enact("Be kind.", title="Kindness"))
    room = served(game)
    cleo = opens(room.links["Cleo"], **PHONE)
    desk = the_desk(room, opens)
    page = desk.page
    desk.root.locator(".nnb-chips [data-state=connected]").wait_for()
    desk.press("Pass it on to Ann")
    covered(page, "Ann")
    assert faults(page) == []
    page.get_by_role("button", name="Press and hold to open").click(delay=PRESS)  # which is too short
    covered(page, "Ann")
    for name, ballot, by_keys in (("Ann", "Against", False), ("Ben", "For", True)):
        covered(page, name)
        hold(page, by_keys=by_keys)
        seat = Person(page, page.locator(".nnb-cover .nnb-live"))
        assert seat.root.locator(".nnb-me bdi").inner_text() == name
        if name == "Ben":
            assert seat.root.get_by_text("sealed").first.is_visible()
            assert "against" not in seat.root.inner_text().lower().replace("✗ against", "")
        seat.press(ballot)
        seat.sees("Your ballot is sealed")
        page.get_by_role("button", name="Done: cover the page").click()
    page.locator(".nnb-covered").get_by_text("Everybody without a phone has decided.").wait_for()
    page.get_by_role("button", name="Back to the host page").click()
    page.locator(".nnb-cover").wait_for(state="hidden")
    assert not SECRET_LINK.search(page.content())
    card(desk, "Waiting for Cleo")
    assert cleo.root.get_by_text("on another device now").count() == 0
    assert game.state.proposals[302].vote.ballots == {"Ann": "against", "Ben": "for"}


def test_the_computer_is_passed_again_after_going_back_to_the_host_page(
    opens: Any, served: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asides, "GONE", 0.1)
    game = sit("Ann", "Ben")
    game.propose("Ann", nb.enact("Be kind.", title="Kindness"))
    desk = the_desk(served(game), opens)
    page = desk.page
    desk.press("Pass it on to Ann")
    page.get_by_role("button", name="Back to the host page").click()
    page.locator(".nnb-cover").wait_for(state="hidden")
    desk.press("Pass it on to Ann")
    hold(page)
    seat = Person(page, page.locator(".nnb-cover .nnb-live"))
    assert seat.root.locator(".nnb-track").bounding_box()["height"] >= 24  # as on a phone: its words fit
    page.locator(".nnb-cover").evaluate("(el) => el.scrollTo(0, el.scrollHeight)")
    seat.press("For")
    page.get_by_role("button", name="Done: cover the page").click()
    covered(page, "Ben")
    page.keyboard.press("Escape")
    page.locator(".nnb-cover").wait_for(state="hidden")
    assert game.state.proposals[301].vote.ballots == {"Ann": "for"}
    assert not SECRET_LINK.search(page.content())


def test_a_lesson_is_played_with_no_phones_at_all(lesson: Any, visit: Any) -> None:  # noqa: F811
    host = visit(lesson.host_page)
    press(host, "Open the door")
    host.get_by_text("No phone can reach this computer").wait_for()
    host.get_by_text("Somebody has no phone?", exact=True).click()
    host.get_by_label("One name per line").last.fill("Ada\nBen\nada")
    press(host, "Add without phones")
    host.get_by_text("looks the same as Ada").wait_for()
    assert not lesson.lesson.door.pupils  # all of them or none
    assert faults(host) == []
    host.get_by_label("One name per line").last.fill("Ada\nBen\nCleo")
    press(host, "Add without phones")
    host.set_viewport_size({"width": 1280, "height": 640})
    host.evaluate("() => scrollTo(0, document.body.scrollHeight)")
    press(host, "Begin with 3")
    title = host.get_by_role("heading", name="1 table")
    title.wait_for()
    assert title.bounding_box()["y"] >= host.locator(".nnb-head").first.bounding_box()["height"]
    press(host, "table 1")
    desk = Person(host, host.locator(".nnb-live[data-role=table]"))
    (room,) = lesson._rooms.values()
    game = room.game
    game.propose("Ada", nb.enact("Be kind."))
    desk.press("Hands up: all 3 for")
    desk.press("Next: Roll the dice for Ada")
    card(desk, "Waiting for Ben")
    assert game.state.proposals[301].status == "adopted"
    for scheme in ("light", "dark"):
        host.emulate_media(color_scheme=scheme)
        assert faults(host) == []
    host.set_viewport_size({"width": 320, "height": 640})
    assert not overflows(host)


def test_a_new_code_is_shown_for_a_phone_that_is_gone(
    lesson: Any,  # noqa: F811
    visit: Any,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asides, "GONE", 0.3)
    lesson.lesson.do("open door", {"ruleset": "discordian-nomic", "points": "30", "joint": "joint", "away": True})
    for name in ("Ada", "Ben"):
        lesson.lesson.door.add_phoneless(name)
    begun = lesson.lesson.do("begin", {"seating": {"t": ["Ada", "Ben"]}})
    with ThreadPoolExecutor(1) as pool:  # the browser has the loop of this thread
        pool.submit(asyncio.run, begun).result()
    (room,) = lesson._rooms.values()
    phone = visit(f"{lesson.addresses[0]}#table%201/{room.links.create_link('Ada')}", **PHONE)
    phone.locator(".nnb-game").wait_for()
    host = visit(lesson.host_page)
    press(host, "table 1")
    host.locator(".nnb-chips [data-state=connected]").wait_for()
    phone.close()
    press(host, "Show the code")
    host.locator(".nnb-pin").wait_for()
    press(host, "table 1")
    host.locator("ul.nnb-chips").wait_for()
    host.reload()
    host.locator("ul.nnb-chips").wait_for()  # the same tab is shown again
