"""The end of a lesson, as its host and the phones see it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browser.test_door import faults, join, overflows, press, visit

from nomic_nb.notebook.classroom.serve import ServedLesson

__all__ = ["visit"]

pytestmark = pytest.mark.browser


def test_the_host_saves_everything_and_erases_the_class(visit: Any, tmp_path: Path) -> None:
    served = ServedLesson({}, tmp_path / "class.sqlite", lan=False, port=0, names=["localhost"])
    try:
        host = visit(served.host_page)
        press(host, "Open the door")
        host.locator(".nnb-pin").wait_for()
        phones = [join(visit, served, name) for name in ("Ada", "Ben")]
        press(host, "Begin with 2")
        for phone in phones:
            phone.locator(".nnb-head .nnb-game").wait_for()
        asleep = phones[1].url
        phones[1].close()
        press(host, "Save everything")
        host.locator(".nnb-closing").get_by_text("Ada and Ben").wait_for()
        host.get_by_text("What was saved").click()
        host.get_by_text("pupil Ada.html").wait_for()
        assert host.get_by_text(str(tmp_path / "class")).count() >= 1
        press(host, "Erase all but the rules")
        press(host, "Keep the class")
        press(host, "Erase the class")
        host.get_by_text("Nothing brings it back").wait_for()
        assert faults(host) == []
        assert not overflows(host)
        press(host, "Erase for good")
        host.get_by_role("heading", name="The class is erased").wait_for()
        assert faults(host) == []
        assert list(tmp_path.iterdir()) == []
        phones[0].get_by_role("heading", name="That’s it for today.").wait_for()
        assert faults(phones[0]) == []
        assert (
            phones[0].evaluate("() => Object.keys(localStorage).filter((one) => one.startsWith('nomic_nb ')).length")
            == 0
        )
        late = visit(asleep)
        late.get_by_role("heading", name="That’s it for today.").wait_for()
        door = visit(served.addresses[0])
        door.get_by_role("heading", name="That’s it for today.").wait_for()
    finally:
        served.close()
