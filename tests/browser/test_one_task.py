"""A page shows one task: what a voter sees first, what stays still, what is told large, and what opens beside it."""

from __future__ import annotations

from typing import Any

import pytest

import nomic_nb as nb

pytestmark = pytest.mark.browser

NAMES = ["Alina", "Ben", "Cleo", "David", "Hassan", "Mats", "Nora"]
PHONE = {"width": 390, "height": 664}
WORDING = "A proposal is adopted if more than half of those who may vote are for it. A tie defeats it."
#: The words on the screen outside of what a proposal would change, without those that are hidden or below it.
OTHER_WORDS = """() => {
    const walk = document.createTreeWalker(document.querySelector(".nnb-live"), NodeFilter.SHOW_TEXT), found = [];
    for (let one = walk.nextNode(); one; one = walk.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(one);
        const box = range.getBoundingClientRect(), el = one.parentElement;
        const shown = box.height && box.top < innerHeight && el.checkVisibility();
        if (shown && !el.closest(".nnb-what")) found.push(one.data);
    }
    return found.join(" ").split(/\\s+/).filter(Boolean);
}"""
#: Counts how far things move on the screen without anybody having touched it, from now on.
WATCH_SHIFTS = """() => {
    window.shifted = 0;
    new PerformanceObserver((list) => {
        for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifted += one.value;
    }).observe({ type: "layout-shift" });
}"""


def vote_on(served: Any, opens: Any, name: str = "Nora", **how: Any) -> tuple[nb.Game, Any]:
    """Return a game with a vote under way, and the page of a player who has not voted."""
    game = nb.new_game("discordian-nomic", NAMES, seed=7)
    room = served(game)
    law = "set vote.quota to majority(vote.electorate)"
    game.propose("Alina", nb.amend(203, WORDING, law, title="A simple majority adopts"))
    return game, opens(room.links[name], **{"viewport": PHONE, **how})


def test_a_voter_first_sees_the_title_the_whole_new_wording_and_both_ballots(served: Any, opens: Any) -> None:
    _, nora = vote_on(served, opens)
    nora.root.locator(".nnb-plain").wait_for()
    dock = nora.root.locator(".nnb-dock").bounding_box()
    for shown in (".nnb-heading", ".nnb-wording ins >> nth=-1"):
        box = nora.root.locator(shown).bounding_box()
        assert 0 < box["y"] < box["y"] + box["height"] <= dock["y"]
    for side in ("For", "Against"):
        box = nora.button(side).bounding_box()
        assert box["y"] + box["height"] <= PHONE["height"]
        assert box["height"] >= 48
    assert "".join(nora.root.locator(".nnb-wording ins").all_inner_texts()).endswith("A tie defeats it.")
    assert len(nora.page.evaluate(OTHER_WORDS)) <= 60


@pytest.mark.parametrize(("width", "height"), [(640, 400), (320, 256)], ids=["200 %", "400 %"])
def test_enlarged_pages_need_no_scrolling_to_the_side(served: Any, opens: Any, width: int, height: int) -> None:
    _, nora = vote_on(served, opens, viewport={"width": width, "height": height})
    nora.button("For").wait_for()
    assert nora.page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    if height >= 400:
        box = nora.button("For").bounding_box()
        assert box["y"] + box["height"] <= height


def test_nothing_jumps_while_others_vote(served: Any, opens: Any) -> None:
    game, nora = vote_on(served, opens)
    nora.page.wait_for_timeout(1000)  # what is odd about it is looked for a moment longer
    nora.page.evaluate(WATCH_SHIFTS)
    for name in NAMES[:5]:
        game.vote(name, "for")
        nora.follows(game.timeline.state.seq)
    nora.page.wait_for_timeout(300)
    assert nora.page.evaluate("() => window.shifted") < 0.02


def test_a_closed_vote_is_told_large_until_somebody_touches_it(served: Any, opens: Any) -> None:
    game, nora = vote_on(served, opens)
    for name in NAMES:
        game.vote(name, "for")
    moment = nora.root.locator(".nnb-moment")
    moment.get_by_role("heading", name="Passes").wait_for()
    assert "Proposal 301 passes, 7–0" in moment.inner_text()
    moment.click()
    assert moment.count() == 0


def test_a_win_is_told_once_with_the_points_of_the_best_three(served: Any, opens: Any) -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=7, terms={"win.points": 1})
    nora = opens(served(game).links["Nora"], viewport=PHONE)
    game.propose("Alina", nb.enact("Be kind."))
    for name in NAMES:
        game.vote(name, "for")
    game.roll("Alina")
    moment = nora.root.locator(".nnb-moment.won")
    moment.wait_for()
    points = dict(one.split("\n") for one in moment.locator("li").all_inner_texts())
    assert len(points) == 3
    assert points["Alina"] == str(game.scores["Alina"])
    nora.page.keyboard.press("Enter")  # “Look back at the game” has the focus
    moment.wait_for(state="detached")
    game.annotate("Well played.", at=3)
    nora.follows(game.timeline.state.seq)
    assert moment.count() == 0


def test_the_button_that_proposes_is_in_the_dock(served: Any, opens: Any) -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=7)
    alina = opens(served(game).links["Alina"], viewport=PHONE)
    alina.writes()
    assert alina.root.locator(".nnb-dock").get_by_role("button", name="Propose this rule").is_visible()
    alina.propose("Be kind.")
    alina.button("For").wait_for()
    assert alina.root.get_by_role("button", name="Propose this rule").count() == 0


def test_no_moment_moves_where_less_motion_is_wanted(served: Any, opens: Any) -> None:
    game, nora = vote_on(served, opens, reduced_motion="reduce")
    game.vote("Nora", "against")
    for name in NAMES[:6]:
        game.vote(name, "for")
    moment = nora.root.locator(".nnb-moment")
    moment.get_by_role("heading", name="Fails").wait_for()
    assert moment.evaluate("(one) => getComputedStyle(one).animationName") == "none"


def test_a_sheet_is_opened_and_closed_with_keys_and_gives_the_focus_back(served: Any, opens: Any) -> None:
    _, nora = vote_on(served, opens)
    nora.button("Rules").focus()
    nora.page.keyboard.press("Enter")
    sheet = nora.page.get_by_role("dialog", name="Rules")
    sheet.locator(".nnb-rules summary").filter(has_text="203").wait_for()
    nora.page.keyboard.press("Escape")
    sheet.wait_for(state="hidden")
    nora.focused("Rules")


def test_the_answer_to_an_act_from_a_sheet_is_in_view(served: Any, opens: Any) -> None:
    _, nora = vote_on(served, opens)
    nora.press("More")
    nora.field("What").select_option(label="report something a player did that rules may mention")
    nora.field("Whom").select_option("Ben")
    nora.field("Deed").fill("interrupting")
    nora.press("Report")
    nora.page.get_by_role("dialog", name="More").wait_for(state="hidden")
    said = nora.root.locator(".nnb-dock > .nnb-message").filter(
        has_text="Nora reports Ben: interrupting. It is recorded"
    )
    said.wait_for()
    box = said.bounding_box()
    assert box["y"] + box["height"] <= PHONE["height"]


def test_a_voter_reads_whether_ballots_are_final(served: Any, opens: Any) -> None:
    game, nora = vote_on(served, opens)
    nora.press("For")
    nora.sees("You voted for. You can’t change it.")
    for name in NAMES[:6]:
        game.vote(name, "for")
    game.roll("Alina")
    game.propose("Ben", nb.library.changeable_ballots())
    for name in NAMES:
        game.vote(name, "for")
    game.roll("Ben")
    game.propose("Cleo", nb.enact("Be kind."))
    game.vote("Nora", "for")
    nora.sees("You voted for.")
    nora.button("Against").wait_for()


def test_finished_games_offer_no_ballots(served: Any, opens: Any) -> None:
    game, nora = vote_on(served, opens)
    nora.button("For").wait_for()
    game.host.correct('award 100 points to "Cleo"', agreed=NAMES, reason="A test.")
    nora.root.locator(".nnb-end").wait_for()
    assert game.over
    assert nora.root.locator(".nnb-ballots").is_hidden()


def test_the_theme_of_the_device_changes_the_page_at_once(served: Any, opens: Any) -> None:
    _, nora = vote_on(served, opens, color_scheme="light")
    paper = "() => getComputedStyle(document.querySelector('.nnb-live')).backgroundColor"
    light = nora.page.evaluate(paper)
    nora.page.emulate_media(color_scheme="dark")
    nora.page.wait_for_function(f"(light) => ({paper})() !== light", arg=light)
