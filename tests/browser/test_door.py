"""Phones of a class: from the code on the wall to a seat, as pupils and their teacher see it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from browser import people
from study.library.playing import Playing, rules
from websockets.sync.client import connect

import nomic_nb as nb
from nomic_nb.notebook.classroom.room import ServedRoom
from nomic_nb.notebook.classroom.serve import ServedLesson

pytestmark = pytest.mark.browser

#: A phone that is not large.
PHONE = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def lesson() -> Iterator[ServedLesson]:
    served = ServedLesson({}, lan=False, port=0, names=["localhost"])  # where phones have one address, as by a proxy
    yield served
    served.close()


@pytest.fixture
def visit(device: Any) -> Iterator[Any]:
    """Opens pages, and fails its test on any error in a script or of the policy."""
    errors: list[str] = []

    def open_(link: str, **how: Any) -> Any:
        page = device(**{"viewport": {"width": 1280, "height": 800}, **how}).new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.goto(link)
        return page

    yield open_
    assert [one for one in errors if "WebSocket" not in one] == []


def press(page: Any, name: str) -> None:
    people.press(page, page.get_by_role("button", name=name).and_(page.locator("button:not([aria-disabled])")))


def join(visit: Any, lesson: ServedLesson, name: str, **how: Any) -> Any:
    """Scan the code, and say a name."""
    door = lesson.lesson.door
    phone = visit(f"{lesson.addresses[0]}#join={door.code}.{door.key}", **PHONE, **how)
    phone.get_by_label("Your name in the game").fill(name)
    phone.get_by_role("button", name="Join").click()
    return phone


def faults(page: Any) -> list[str]:
    """What axe-core finds at fault on a page."""
    spec = find_spec("axe_playwright_python")
    assert spec is not None
    assert spec.submodule_search_locations
    source = next(Path(spec.submodule_search_locations[0]).glob("**/axe.min.js")).read_text(encoding="utf-8")
    page.evaluate(source)
    found = page.evaluate("async () => (await axe.run()).violations")
    return [f"{one['id']}: {node['html'][:200]}" for one in found for node in one["nodes"]]


def overflows(page: Any) -> bool:
    return bool(page.evaluate("() => document.documentElement.scrollWidth > innerWidth"))


def test_a_class_joins_by_the_code_and_sits_down(lesson: ServedLesson, visit: Any) -> None:
    host = visit(lesson.host_page)
    press(host, "Open the door")
    wall = visit(lesson.wall_page, viewport={"width": 1920, "height": 1080})
    wall.get_by_text("Join the game").wait_for()
    door = lesson.lesson.door
    assert wall.locator(".nnb-pin").inner_text() == f"{door.code[:3]} {door.code[3:]}"
    assert wall.evaluate("() => document.documentElement.scrollHeight <= innerHeight")

    ada = visit(lesson.addresses[0], **PHONE)
    ada.get_by_label("Code on the board").fill("not it")
    ada.keyboard.press("Enter")
    ada.get_by_role("alert").filter(has_text="That’s not the six-digit code").wait_for()
    assert faults(ada) == []
    ada.get_by_label("Code on the board").fill(f"{door.code[:3]} {door.code[3:]}")
    ada.keyboard.press("Enter")
    ada.get_by_label("Your name in the game").fill("Ada")
    ada.keyboard.press("Enter")
    ada.get_by_role("heading", name="You’re in, Ada.").wait_for()
    sign = ada.locator(".nnb-sign").inner_text()
    ada.reload()  # it comes back by its pass
    ada.get_by_role("heading", name="You’re in, Ada.").wait_for()
    assert ada.locator(".nnb-sign").inner_text() == sign

    ben = join(visit, lesson, "Ben", color_scheme="dark")
    ben.get_by_role("heading", name="You’re in, Ben.").wait_for()
    again = join(visit, lesson, "ada")
    again.get_by_role("heading", name="Waiting for your teacher").wait_for()
    host.get_by_text("ada looks the same as Ada.").wait_for()
    for page in (host, wall, ben, again):
        assert faults(page) == []
        assert not overflows(page)
    host.get_by_label("Another name for ada").fill("Ada B")
    press(host, "Let in")
    again.get_by_role("heading", name="You’re in, Ada B.").wait_for()

    press(host, "Begin with 3")
    for phone in (ada, ben, again):
        phone.locator(".nnb-head .nnb-game").wait_for()
    ada.get_by_role("button", name="Write a rule").wait_for()
    host.get_by_text("Waiting for Ada to propose.").wait_for()
    press(host, "table 1")
    host.get_by_role("button", name="Write a rule").wait_for()

    ben.reload()  # and to its seat by the address
    ben.locator(".nnb-head .nnb-game").wait_for()
    lost = ben.url
    press(host, "All tables")
    press(host, "Let latecomers in")
    host.locator(".nnb-pin").wait_for()
    new = join(visit, lesson, "Ben")
    press(host, "That’s Ben: move to this phone")
    new.locator(".nnb-head .nnb-game").wait_for()
    ben.get_by_text("your seat has moved to another phone").wait_for()
    assert new.url != lost

    late = join(visit, lesson, "Cleo")
    host.get_by_label("Everybody at this table agrees").check()
    press(host, "Let in")
    late.locator(".nnb-head .nnb-game").wait_for()
    (room,) = lesson._rooms.values()
    assert room.game.state.person_names == ("Ada", "Ben", "Ada B", "Cleo")


def below(one: Any, other: Any) -> bool:
    """Whether something lies below something else, and covers nothing of it."""
    upper = other.bounding_box()
    return bool(one.bounding_box()["y"] >= upper["y"] + upper["height"])


def test_pupils_choose_their_names_from_a_list(lesson: ServedLesson, visit: Any) -> None:
    host = visit(lesson.host_page)
    form, names = host.locator(".nnb-fields").first, host.locator("details").filter(has_text="List of names")
    assert below(names, form)
    host.get_by_text("List of names").click()
    assert below(names, form)
    assert names.locator("summary").bounding_box()["height"] >= 44
    host.get_by_label("Names, one per line").fill("Ada\n<b>Ben</b>\nAda ")
    press(host, "Use this list")
    host.get_by_text("Line 3, Ada: Ada looks the same as Ada.").wait_for()
    host.get_by_label("Names, one per line").fill("Ada\n<b>Ben</b>\nCleo")
    press(host, "Use this list")
    host.get_by_text("3 names are on the list.").wait_for()
    press(host, "Open the door")
    host.locator(".nnb-pin").wait_for()
    assert below(names, host.locator(".nnb-qr"))
    door = lesson.lesson.door
    ada, cleo = (visit(f"{lesson.addresses[0]}#join={door.code}.{door.key}", **PHONE) for _ in range(2))
    for phone in (ada, cleo):
        button = phone.get_by_role("button", name="Cleo")
        button.wait_for()
        assert button.evaluate("(el) => getComputedStyle(el).borderTopColor") != "rgba(0, 0, 0, 0)"
        assert faults(phone) == []
        assert not overflows(phone)
    ada.get_by_role("button", name="<b>Ben</b>").click()
    ada.get_by_role("heading", name="You’re in, <b>Ben</b>.").wait_for()
    cleo.get_by_role("button", name="<b>Ben</b>").wait_for(state="detached")
    cleo.get_by_role("button", name="My name isn’t here").click()
    cleo.get_by_label("Your name in the game").fill("Zoe")
    cleo.get_by_role("button", name="Join").click()
    cleo.get_by_text("This name isn’t on the list.").wait_for()
    cleo.get_by_label("Your name in the game").fill("ada")
    cleo.get_by_role("button", name="Join").click()
    cleo.get_by_role("heading", name="You’re in, Ada.").wait_for()
    host.get_by_text("List of names: 3").wait_for()
    assert faults(host) == []


@pytest.fixture
def crowded(lesson: ServedLesson) -> Iterator[ServedLesson]:
    """A lesson with thirty pupils at its open door."""
    with ExitStack() as sockets:
        lesson.lesson.door.open = True
        for at in range(30):
            socket = sockets.enter_context(connect(f"ws://127.0.0.1:{lesson._port}/door"))
            door = lesson.lesson.door
            for message in ({"code": f"{door.code}.{door.key}"}, {"name": f"Maximilian {at}"}):
                socket.send(json.dumps(message))
                socket.recv(timeout=10)
        yield lesson


def test_nobody_is_left_out_by_a_press_that_began_before_their_phone_was_gone(lesson: ServedLesson, visit: Any) -> None:
    lesson.lesson.door.open = True
    host = visit(lesson.host_page)
    phones = [join(visit, lesson, name) for name in ("Ada", "Ben", "Cleo")]
    begin = host.get_by_role("button", name="Begin with 3")
    begin.wait_for()
    begin.hover()
    host.mouse.down()
    phones[2].context.close()
    host.get_by_role("button", name="Begin without Cleo").wait_for()
    host.mouse.up()
    host.get_by_text("The page has just changed. Please press again.").wait_for()
    assert not lesson.lesson.door.begun
    press(host, "Begin without Cleo")
    phones[0].locator(".nnb-head .nnb-game").wait_for()


#: Whether the texts that these match are whole in the window, and none lies over another.
APART = """(wanted) => {
  const boxes = [...document.querySelectorAll(wanted)].map((el) => el.getBoundingClientRect());
  const inside = ({ left, right, top, bottom }) => left >= 0 && right <= innerWidth
    && top >= 0 && bottom <= innerHeight;
  const apart = (one, other) => one.right <= other.left + 1 || other.right <= one.left + 1
    || one.bottom <= other.top + 1 || other.bottom <= one.top + 1;
  return boxes.every(inside) && boxes.every((one, at) => boxes.slice(at + 1).every((other) => apart(one, other)));
}"""


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1024, 768)])
def test_the_wall_has_room_for_a_class_and_for_its_tables(
    crowded: ServedLesson, visit: Any, width: int, height: int
) -> None:
    wall = visit(crowded.wall_page, viewport={"width": width, "height": height})
    wall.get_by_text("30 here").wait_for()
    assert wall.evaluate(APART, ".nnb-qr, .nnb-pin, .nnb-address, .nnb-heading, .nnb-crowd > li")
    host = visit(crowded.host_page)
    press(host, "Begin with 30")
    wall.get_by_text("Table 5").wait_for()
    assert wall.evaluate(APART, ".nnb-cards > li")
    assert wall.evaluate(APART, ".nnb-cards b")
    press(host, "Let latecomers in")
    wall.locator(".nnb-pin").wait_for()
    assert wall.evaluate(APART, ".nnb-pin, .nnb-address, .nnb-cards > li")


def test_the_host_page_has_room_on_a_small_screen(crowded: ServedLesson, visit: Any) -> None:
    host = visit(crowded.host_page, viewport={"width": 320, "height": 640})
    host.get_by_role("button", name="Remove Maximilian 29").wait_for()
    assert not overflows(host)
    assert faults(host) == []


def test_the_tables_of_nine_pupils_are_seen_above_the_bar(lesson: ServedLesson, visit: Any) -> None:
    host = visit(lesson.host_page)
    press(host, "Open the door")
    host.locator(".nnb-pin").wait_for()
    for at in range(9):
        lesson.lesson.door.add_phoneless(f"Pupil {at}")
    press(host, "More tables")
    host.get_by_text("Somebody has no phone?", exact=True).click()
    host.evaluate("() => scrollTo(0, 0)")
    assert below(host.locator(".nnb-dock"), host.get_by_role("button", name="Mix"))
    assert not overflows(host)


def test_a_name_that_is_taken_is_not_let_in_as_if_it_were_new(crowded: ServedLesson, visit: Any) -> None:
    host = visit(crowded.host_page)
    join(visit, crowded, "Maximilian 3").get_by_role("heading", name="Waiting for your teacher").wait_for()
    host.get_by_role("button", name="That’s Maximilian 3: move to this phone").wait_for()
    assert host.get_by_role("button", name="Let in", exact=True).count() == 0


def test_a_phone_waits_on_under_its_name_when_it_is_connected_again(crowded: ServedLesson, visit: Any) -> None:
    phone = join(visit, crowded, "Maximilian 3")
    phone.get_by_role("heading", name="Waiting for your teacher").wait_for()
    (before,) = crowded.lesson.door.arrivals
    crowded.let_phones_in(False)  # all connections are closed, and pages connect again
    phone.wait_for_function("() => document.querySelector('.nnb-banner').hidden")
    phone.get_by_role("heading", name="Waiting for your teacher").wait_for()
    phone.get_by_text("Maximilian 3 is already").or_(phone.get_by_text("can let you in")).first.wait_for()
    phone.wait_for_timeout(300)
    assert [one.name for one in crowded.lesson.door.arrivals.values()] == ["Maximilian 3"]
    assert before not in crowded.lesson.door.arrivals


def test_a_phone_whose_code_has_changed_is_asked_for_the_new_one(lesson: ServedLesson, visit: Any) -> None:
    lesson.lesson.door.open = True
    phone = visit(f"{lesson.addresses[0]}#join={lesson.lesson.door.code}.{lesson.lesson.door.key}", **PHONE)
    phone.get_by_label("Your name in the game").wait_for()
    lesson.lesson.door.renew_code()
    lesson.let_phones_in(False)
    phone.get_by_label("Code on the board").wait_for()
    phone.get_by_role("alert").filter(has_text="That’s not the six-digit code").wait_for()


def test_a_phone_that_meets_another_class_says_so_and_can_join_it(lesson: ServedLesson, visit: Any) -> None:
    lesson.lesson.door.open = True
    for seat in ("table%201/0a1b2c3d.secret", "table%209/0a1b2c3d.secret"):
        phone = visit(f"{lesson.addresses[0]}#{seat}", **PHONE)
        phone.get_by_text("Another class is open here now").wait_for()
        phone.get_by_role("button", name="Join this class").click()
        phone.get_by_label("Code on the board").wait_for()


def test_a_phone_that_met_another_class_goes_on_once_its_own_is_open_again(lesson: ServedLesson, visit: Any) -> None:
    game = nb.new_game("discordian-nomic", ["Ada", "Ben"], seed=7)
    room = ServedRoom("table 1", game)
    link = room.links.create_link("Ada")
    phone = visit(f"{lesson.addresses[0]}#table%201/{link}", **PHONE)
    phone.get_by_text("Another class is open here now").wait_for()
    lesson.lesson.rooms["table 1"] = room
    phone.get_by_role("button", name="Write a rule").wait_for(timeout=20_000)


def test_the_wall_shows_results_scores_bells_and_no_count_of_a_secret_vote(lesson: ServedLesson, visit: Any) -> None:
    playing = Playing("discordian-nomic")
    playing.law(rules()["secret_ballots"])
    secret = playing.until("vote").game
    game = nb.new_game("discordian-nomic", ["Ada", "Ben"], seed=7)
    game.propose("Ada", nb.enact("Be kind."))
    game.votes()
    served = ServedLesson({"table 1": game, "table 2": secret}, lan=False, port=0, names=["localhost"])
    try:
        wall = visit(served.wall_page, viewport={"width": 1920, "height": 1080})
        wall.get_by_text("Ada’s proposal 301 becomes rule 301").wait_for()
        wall.get_by_text("0 of 3 secret ballots").wait_for()
        text = wall.locator("body").inner_text()
        assert "null" not in text
        assert "Ada 0" in text
        assert f"Vote on {secret.state.open_proposals[0].proponent}’s proposal" in text
        host = visit(served.host_page)
        host.get_by_role("button", name="Ring in 2 minutes").wait_for()
        press(host, "Ring in 2 minutes")
        wall.get_by_text("1:5").first.wait_for()
    finally:
        served.close()
