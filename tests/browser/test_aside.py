"""What goes on beside the game, on two phones and the host's page."""

from __future__ import annotations

from typing import Any

import pytest
from browser.people import WORDING
from browser.test_door import PHONE, faults, overflows
from play_helpers import sit

pytestmark = pytest.mark.browser


def test_a_draft_becomes_a_proposal_and_a_vote_has_reasons_reminders_and_a_bell(opens: Any, served: Any) -> None:
    game = sit("Ann", "Ben")
    room = served(game)
    before = game.fingerprint
    pages = ((room.links["Ann"], "light"), (room.links["Ben"], "dark"))
    ann, ben = (opens(link, **PHONE, color_scheme=scheme) for link, scheme in pages)
    desk, wall = (opens(next(iter(links.values()))) for links in (room.desk, room.wall))

    ben.press("Write a draft")
    ben.press("Write a rule")
    ben.field(WORDING).fill("<b>Whoever</b> rolls a one says thanks.")
    ben.field("Title (optional)").fill("Thanks")
    ben.press("Save draft")
    ben.sees("Only you see it")
    assert ann.root.get_by_text("says thanks").count() == 0
    ben.press("Show it to the table: Thanks")
    ann.sees("Ben’s draft")
    wall.sees("1 draft at the table")
    desk.press(desk.root.get_by_text("Drafts of the table (1)"))
    desk.sees("<b>Whoever</b> rolls a one says thanks.")
    assert game.fingerprint == before

    assert ann.root.get_by_role("button", name="Second:", exact=False).count() == 0  # in a turn, drafts are taken up
    for page in (ann, ben, desk):
        assert faults(page.page) == []
        assert not overflows(page.page)
    ann.press("Change it first: Thanks")
    assert ann.field(WORDING).input_value() == "<b>Whoever</b> rolls a one says thanks."
    ann.press("‹ Back")
    ann.press("Propose it: Thanks")
    ben.sees("Ann proposes")
    proposal = game.state.proposals[301]
    assert (proposal.proponent, proposal.change.wording) == ("Ann", "<b>Whoever</b> rolls a one says thanks.")

    ben.field("Your statement (optional)").fill("Who <i>counts</i> the thanks?")
    ben.press("Say it")
    ann.root.locator(".nnb-reasons").get_by_text("Who <i>counts</i> the thanks?").wait_for()
    ann.press("For")
    ann.field("Your reason (optional)").fill("<i>Thanks</i> cost nothing.")
    ann.press("Say why")
    ben.root.locator(".nnb-reasons").get_by_text("<i>Thanks</i> cost nothing.").wait_for()
    ann.sees("proposed as 301")
    desk.press("Next: Remind Ben")
    ben.sees("The table is waiting for your vote.")
    assert ben.page.title() == "● Vote"
    assert ann.root.locator(".nnb-reminder:visible").count() == 0
    desk.press("Ring in 1 minute")
    for one in (ann, ben, wall):
        one.root.locator(".nnb-bell:visible").wait_for()
    desk.press("Hold")
    ben.root.locator(".nnb-bell").get_by_text("On hold").wait_for()
    for page in (ann, ben, desk):
        assert faults(page.page) == []
        assert not overflows(page.page)
    assert "late" not in wall.root.inner_text()
    assert wall.root.locator(".nnb-reminder:visible, .nnb-reasons:visible").count() == 0
    desk.press("Stop the bell")
    ben.press("For")
    ben.page.wait_for_function("() => !document.title.includes('●')")
    ben.root.locator(".nnb-bell").wait_for(state="hidden")


def test_drafts_are_seconded_by_those_who_wait(opens: Any, served: Any) -> None:
    game = sit("Ann", "Ben", "Cleo")
    room = served(game)
    (table,) = room._rooms.values()
    draft = {"kind": "enact", "wording": "Be kind.", "law": "", "title": "Kindness"}
    table.aside.write_draft("Ben", {"change": draft})
    table.aside.share_draft("Ben", {"number": 1, "shared": True})
    cleo = opens(room.links["Cleo"], **PHONE)
    cleo.press("Drafts of the table (1)")
    cleo.press("Second: Kindness")
    cleo.sees("seconded by 1")
    ann = opens(room.links["Ann"], **PHONE)
    ann.sees("Ben’s draft · seconded by 1")
    cleo.press("Seconded: Kindness")
    ann.root.get_by_text("Ben’s draft", exact=True).wait_for()


def test_a_link_for_a_program_says_so_in_a_browser(device: Any, served: Any) -> None:
    room, page = served(sit("Ann", "Ben")), device().new_page()
    page.goto(room.programs["Ann"])
    page.get_by_text("This link is for a program, not a person. Ask the host for a player link.").wait_for()


def test_a_phone_whose_player_is_away_says_so_until_they_are_back(opens: Any, served: Any) -> None:
    game = sit("Ann", "Ben")
    room = served(game)
    ben = opens(room.links["Ben"], **PHONE)
    game.host.absent("Ben")
    ben.sees("You’re marked away, so you can’t act. Tell the host that you’re back.")
    assert faults(ben.page) == []
    game.host.present("Ben")
    ben.root.locator(".nnb-reminder").wait_for(state="hidden")
