"""Proposing in four steps: what to change, which rule or ready-made rule, and the writing."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browser.people import WORDING, Person

import nomic_nb as nb

pytestmark = pytest.mark.browser

NAMES = ["Alina", "Ben", "Cleo"]
PHONE = {"width": 390, "height": 664}
WIDE = {"width": 1280, "height": 800}
#: What pupils would search for, and the ready-made rule that they mean.
SEARCHES = {
    "whoever interrupts loses 2 points": "Penalty for interrupting", "secret vote": "Secret ballots",
    "a bonus for a good joke": "Reward for a good joke", "skip my turn": "Skipping is allowed",
    "last place gets points": "3 points for last place", "play backwards": "Turns go the other way round",
    "majority": "A simple majority adopts",
}  # fmt: skip


def seat(served: Any, opens: Any, **how: Any) -> tuple[nb.Game, Person]:
    game = nb.new_game("discordian-nomic", NAMES, seed=7)
    return game, opens(served(game).links["Alina"], **{"viewport": PHONE, **how})


def item(person: Person, text: str) -> Any:
    return person.root.locator(".nnb-item:visible").filter(has_text=text)


def fits(person: Person) -> bool:
    """Tell whether the page is no wider than the screen, and all buttons of the form can be hit with a thumb."""
    return bool(
        person.page.evaluate(
            """() => document.documentElement.scrollWidth <= innerWidth
                && [...document.querySelectorAll(".nnb-form :is(button, input:not([type=checkbox]), select, summary)")]
                    .filter((one) => one.checkVisibility()).every((one) => one.getBoundingClientRect().height >= 43)"""
        )
    )


@pytest.mark.parametrize("viewport", [PHONE, WIDE])
def test_a_rule_is_written_and_proposed(served: Any, opens: Any, viewport: Any) -> None:
    game, ann = seat(served, opens, viewport=viewport)
    ann.root.get_by_role("heading", name="What would you change?").wait_for()
    ways = ann.root.locator(".nnb-choice:visible")
    ways.nth(2).filter(has_text=re.compile(r"\d\d rules the game can run")).wait_for()
    tops = {one["y"] for one in (ways.nth(at).bounding_box() for at in range(3))}
    assert len(tops) == (1 if viewport is WIDE else 3)
    assert fits(ann)
    ann.press("Write a rule")
    ann.focused(WORDING)
    ann.root.get_by_role("heading", name="What would you change?").wait_for(state="hidden")
    ann.field(WORDING).fill("Whoever brings cake gets a hug.")
    ann.root.locator(".nnb-told").filter(has_text="The game doesn’t enforce them.").wait_for()
    ann.root.locator(".nnb-review").filter(has_text="It can pass").wait_for()
    assert fits(ann)
    ann.press("Propose this rule")
    ann.told("Alina proposes 301")
    assert game.proposals[301].change == nb.enact("Whoever brings cake gets a hug.")


@pytest.mark.parametrize("viewport", [PHONE, WIDE])
def test_a_rule_is_found_and_reworded_or_repealed(served: Any, opens: Any, viewport: Any) -> None:
    game, ann = seat(served, opens, viewport=viewport)
    ann.press("Change a rule")
    ann.field("Search the rules").fill("206")
    item(ann, "The price of defeat").wait_for()
    assert item(ann, "").count() == 1
    assert fits(ann)
    ann.field("Search the rules").fill("112")
    ann.press(item(ann, "Winning means points"))
    ann.button("Make it mutable").wait_for()
    assert ann.button("Repeal it").count() == 0  # since it is immutable
    ann.press("‹ Back")
    ann.field("Search the rules").fill("price")
    ann.press(item(ann, "The price of defeat"))
    ann.press("Repeal it")
    ann.root.locator(".nnb-preview del").first.wait_for()
    ann.press("‹ Back")
    ann.press("Reword it")
    ann.root.get_by_role("heading", name="Change rule 206").wait_for()
    assert ann.field(WORDING).input_value() == game.rules[206].wording
    ann.field(WORDING).fill("Whoever fails loses 5 points.")
    ann.clauses("set defeat.points to 5")
    ann.root.locator(".nnb-preview ins").first.wait_for()
    assert fits(ann)
    ann.press("Propose this change")
    ann.told("amend rule 206")
    assert game.proposals[301].change.target == 206


@pytest.mark.parametrize("viewport", [PHONE, WIDE])
def test_ready_made_rules_are_found_by_everyday_words(served: Any, opens: Any, viewport: Any) -> None:
    game, ann = seat(served, opens, viewport=viewport)
    ann.press("Take a ready-made rule")
    for words, title in SEARCHES.items():
        ann.field("Search ready-made rules").fill(words)
        item(ann, title).wait_for()
    ann.field("Search ready-made rules").fill("")
    ann.press(ann.root.get_by_role("button", name="Votes", exact=True))
    item(ann, "Veto of Alina").wait_for()  # somebody who plays
    assert item(ann, "A die with 20 sides").count() == 0
    assert fits(ann)
    ann.press(item(ann, "2 votes for Alina"))
    ann.field("Player").select_option("Ben")
    ann.page.wait_for_function("() => document.querySelector('.nnb-serif').value.includes('Ben counts as 2')")
    ann.root.locator(".nnb-told").filter(has_text="Ben").wait_for()
    ann.page.reload()
    ann.page.wait_for_function("() => document.querySelector('.nnb-serif')?.value.includes('Ben counts as 2')")
    assert ann.field("Player").input_value() == "Ben"
    ann.press("Propose this rule")
    ann.told("2 votes for Ben")
    assert "Ben" in (game.proposals[301].change.law or "")


def test_an_example_replaces_a_line_that_cannot_be_read(served: Any, opens: Any) -> None:
    _, ann = seat(served, opens)
    ann.writes()
    ann.field(WORDING).fill("Fifty points win.")
    ann.clauses("set vote.quota to 2\nset win.point to 50")
    box = ann.root.locator(".nnb-told[data-tone=bad]")
    box.filter(has_text="The game can’t read line 2 yet").wait_for()
    ann.press(box.get_by_role("button"))
    box.wait_for(state="hidden")
    first, second = ann.field("Clauses").input_value().split("\n")
    assert first == "set vote.quota to 2"
    assert second != "set win.point to 50"


def test_a_rule_without_effect_says_why_and_offers_a_remedy(served: Any, opens: Any) -> None:
    _, ann = seat(served, opens)
    ann.writes()
    ann.field(WORDING).fill("Fifty points win.")
    ann.clauses("set win.points to 50")
    box = ann.root.locator(".nnb-told[data-tone=odd]")
    box.filter(has_text="may not do what you want").filter(has_text="208").wait_for()
    remedy = box.get_by_role("button")
    if remedy.count():
        ann.press(remedy)
        box.wait_for(state="hidden")
        assert "50" in ann.field("Clauses").input_value()


def test_a_draft_and_its_step_are_kept_over_a_reload(served: Any, opens: Any) -> None:
    _, ann = seat(served, opens)
    ann.writes()
    ann.field(WORDING).fill("We wait for each other.")
    ann.sees("Saved on this device as you type.")
    ann.page.reload()
    ann.field(WORDING).wait_for()
    assert ann.field(WORDING).input_value() == "We wait for each other."
    ann.press("‹ Back")
    ann.press("Write a rule")
    assert ann.field(WORDING).input_value() == "We wait for each other."
    ann.field(WORDING).fill("")
    ann.proposes()
    ann.sees("Write your rule first.")


def test_a_ready_made_rule_is_taken_by_keys_alone(served: Any, opens: Any) -> None:
    game, ann = seat(served, opens, viewport=WIDE)
    keys = ann.page.keyboard
    ann.button("Take a ready-made rule").wait_for()
    ann.goes_to("Take a ready-made rule")
    keys.press("Enter")
    ann.focused("Take a ready-made rule")  # the heading of the step
    ann.goes_to("Search ready-made rules")
    keys.type("secret votes")
    item(ann, "Secret ballots").wait_for()
    for _ in range(30):
        if ann.focus.startswith("Secret ballots"):
            break
        keys.press("Tab")
    ann.page.wait_for_timeout(450)
    keys.press("Enter")
    ann.focused("Your ready-made rule")
    for _ in range(12):
        if ann.focus == "Propose this rule":
            break
        keys.press("Tab")
    ann.focused("Propose this rule")
    keys.press("Enter")
    ann.told("Secret ballots")
    assert game.proposals[301].change.title == "Secret ballots"


def test_a_notebook_wide_panel_and_dark_and_forced_colours_fit(served: Any, opens: Any) -> None:
    for how in ({"color_scheme": "dark"}, {"forced_colors": "active"}, {"viewport": {"width": 320, "height": 568}}):
        _, ann = seat(served, opens, **how)
        for way in ("Change a rule", "Take a ready-made rule", "Write a rule"):
            ann.press(way)
            assert fits(ann)
            ann.press("‹ Back")


def adopt(game: nb.Game, who: str, change: Any) -> None:
    """Have somebody propose a change that all adopt, and end their turn."""
    game.propose(who, change)
    for name in NAMES:
        game.vote(name, "for")
    game.roll(who)


def opened(person: Person, number: str) -> None:
    """Go to a rule that could be changed."""
    person.press("Change a rule")
    person.field("Search the rules").fill(number)
    person.press(item(person, "").first)


def test_words_for_a_rule_that_is_no_longer_there_wait_for_another_choice(served: Any, opens: Any) -> None:
    game, ann = seat(served, opens, viewport=WIDE)
    opened(ann, "206")
    ann.press("Reword it")
    ann.field(WORDING).fill("Nobody loses anything.")
    adopt(game, "Alina", nb.amend(206, "The price of defeat is a song."))
    for name in NAMES[1:]:
        adopt(game, name, nb.enact(f"{name} is kind."))
    said = ann.root.locator(".nnb-told").filter(has_text="Rule 206 is no longer there. Choose the rule again.")
    for _ in range(2):
        said.wait_for()
        assert ann.field(WORDING).input_value() == "Nobody loses anything."
        ann.proposes()
        ann.root.locator(".nnb-form > .nnb-error").filter(has_text="Choose the rule again.").wait_for()
        ann.page.reload()
    said.wait_for()
    ann.field("Rule").select_option("301")
    ann.root.get_by_role("heading", name="Change rule 301").wait_for()
    ann.proposes()
    ann.told("amend rule 301")
    assert game.proposals[304].change == nb.amend(301, "Nobody loses anything.")


def test_a_rule_that_is_looked_at_and_goes_leads_back_to_the_list(served: Any, opens: Any) -> None:
    game, ann = seat(served, opens, viewport=WIDE)
    opened(ann, "206")
    adopt(game, "Alina", nb.amend(206, "The price of defeat is a song."))
    for name in NAMES[1:]:
        adopt(game, name, nb.enact(f"{name} is kind."))
    ann.root.get_by_role("heading", name="Which rule?").wait_for()
    assert ann.root.get_by_text("undefined").count() == 0


def test_a_repeal_of_an_amendment_stays_one_over_a_reload(served: Any, opens: Any) -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=7)
    adopt(game, "Alina", nb.amend(206, "A song is owed.", add=True))
    ben = opens(served(game).links["Ben"], viewport=WIDE)
    opened(ben, "song")
    ben.press("Repeal it")
    ben.opens("More options")
    part = ben.field("Part").locator("option").nth(1).get_attribute("value")
    ben.field("Part").select_option(part)
    ben.page.reload()
    ben.root.get_by_role("heading", name="Repeal rule").wait_for()
    ben.opens("More options")
    assert ben.field("Part").input_value() == part


def test_words_are_kept_while_somebody_looks_at_other_ways(served: Any, opens: Any) -> None:
    _, ann = seat(served, opens, viewport=WIDE)
    opened(ann, "206")
    ann.press("Reword it")
    ann.field(WORDING).fill("Nobody loses anything.")
    ann.press("‹ Back")
    ann.press("Repeal it")
    ann.press("‹ Back")
    ann.press("Reword it")
    assert ann.field(WORDING).input_value() == "Nobody loses anything."
    for _ in range(3):
        ann.press("‹ Back")
    ann.writes()
    assert ann.field(WORDING).input_value() == ""
    ann.clauses("set win.points to 77")
    ann.press("‹ Back")
    ann.press("Take a ready-made rule")
    ann.press(item(ann, "").first)
    ann.press(ann.root.locator(".nnb-law > summary"))
    ann.press(ann.root.locator(".nnb-rules summary").first)
    ann.press(ann.root.locator(".nnb-rules").get_by_role("button", name="Propose a change").locator("visible=true"))
    ann.press("Back to my own words")
    assert ann.field("Clauses").input_value() == "set win.points to 77"


def test_a_late_answer_to_a_search_that_was_emptied_is_dropped(served: Any, opens: Any) -> None:
    _, ann = seat(served, opens)
    ann.press("Take a ready-made rule")
    ann.root.locator(".nnb-item:visible").nth(50).wait_for()
    count = ann.root.locator(".nnb-item:visible").count()
    search = ann.field("Search ready-made rules")
    search.fill("secret vote")
    search.evaluate(
        """(one) => new Promise((done) => setTimeout(() => { // once it is asked, and before it can be answered
            one.value = "";
            one.dispatchEvent(new Event("input"));
            setTimeout(done, 500);
        }, 251))"""
    )
    assert ann.root.locator(".nnb-item:visible").count() == count


def test_a_button_that_was_away_for_a_step_is_watched_again(served: Any, opens: Any) -> None:
    game, ann = seat(served, opens)
    send = ann.root.locator("button.nnb-send")
    ann.writes()
    ann.still(send)
    ann.press("‹ Back")
    game.say("Ben", "Hello.")
    ann.follows(game.state.seq)
    ann.still(ann.button("Write a rule"))
    ann.writes()
    ann.page.wait_for_function("() => document.querySelector('.nnb-send').box")
    before = send.evaluate("(one) => one.moved")
    ann.page.set_viewport_size({**PHONE, "height": 500})
    game.say("Ben", "Hello again.")
    ann.page.wait_for_function("(before) => document.querySelector('.nnb-send').moved > before", arg=before)
