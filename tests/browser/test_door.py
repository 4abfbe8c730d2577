"""Phones of a class: from the code on the wall to a seat, as pupils and their teacher see it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from browser.people import PRESS

from nomic_nb.notebook.classroom.serve import ServedLesson

pytestmark = pytest.mark.browser

#: A phone that is not large.
PHONE = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True}
#: Whether a button takes a press now: it has stood still for as long as pages want it.
READY = "(el) => performance.now() - Math.max(el.moved, el.other) > 420"


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
    button = page.get_by_role("button", name=name)
    button.wait_for()
    page.wait_for_function(READY, arg=button.element_handle())
    button.click(delay=PRESS)


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
    ada.get_by_role("alert").filter(has_text="That’s not the code").wait_for()
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
    ben.get_by_text("This link opens no seat").wait_for()
    assert new.url != lost

    late = join(visit, lesson, "Cleo")
    host.get_by_label("Everybody at this table agrees").check()
    press(host, "Let in")
    late.locator(".nnb-head .nnb-game").wait_for()
    (room,) = lesson._rooms.values()
    assert room.game.state.person_names == ("Ada", "Ben", "Ada B", "Cleo")
