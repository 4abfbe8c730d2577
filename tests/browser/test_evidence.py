"""Why the referee of Make-A-Rule Chess refuses a rule, on a board; and its choices for a proposal, in one sentence."""

from __future__ import annotations

from typing import Any

import pytest
from browser.people import WORDING
from make_a_rule_helpers import begun, make, multiverse

import nomic_nb as nb

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}
#: The sentence under “More options” as it reads: its words, what is chosen, and what is written.
READ = """(one) => [...one.childNodes].flatMap((part) => part.childNodes.length ? [...part.childNodes] : [part])
    .filter((part) => part.parentElement.checkVisibility())
    .map((part) => part.selectedOptions?.[0]?.text ?? part.value ?? part.textContent).join("")"""


def played(fen: str) -> nb.Game:
    """A game of two on one board, set up like this, with Ann on turn."""
    game = multiverse(2, restricted=True, position=f"{fen} w - - 0 1")
    while game.player != "Ann":
        make(game)
    return game


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_a_refusal_shows_the_attack_on_a_board(served: Any, opens: Any, colours: str) -> None:
    ann = opens(served(played("4k2r/8/8/8/R7/8/8/4K3")).links["Ann"], viewport=PHONE, color_scheme=colours)
    ann.propose("Rooks are queens.", 'piece R moves otherwise + "B"')
    shown = ann.root.locator(".nnb-evidence")
    shown.wait_for()
    assert shown.locator("figcaption").inner_text() == (
        "If it were law, the rook of white Zaphod:1.a4 attacks the king of yellow Zaphod:1.e8."
    )
    image = shown.locator("img")
    assert image.get_attribute("alt") == "Board Zaphod:1. Move 1: Zaphod:1.a4 to Zaphod:1.e8. Marked: Zaphod:1.e8."
    assert image.evaluate("async (one) => { await one.decode(); return one.naturalWidth; }") > 0
    assert ann.page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    ann.field(WORDING).fill("Something else.")
    shown.wait_for(state="detached")


def test_a_refusal_shows_a_line_that_captures_a_king_with_its_moves_numbered(served: Any, opens: Any) -> None:
    ann = opens(served(played("4k3/8/8/8/8/8/8/R3K3")).links["Ann"])
    ann.propose("Nobody captures anything.", "set capture.from to []")
    shown = ann.root.locator(".nnb-evidence").filter(has_text="Without it, the king of white")
    shown.wait_for()
    assert "Move 7: Zaphod:1.d2 to Zaphod:1.e1." in str(shown.locator("img").get_attribute("alt"))


def test_more_options_are_one_sentence_with_all_choices(served: Any, opens: Any) -> None:
    game = begun(3, restricted=True)
    ann = opens(served(game).links["Ann"], viewport=PHONE)
    ann.options()
    sentence = ann.root.locator(".nnb-more .nnb-sentence")
    assert sentence.evaluate(READ) == "I want to enact a new rule, as rule, for all universes."
    ann.field("Tier").select_option("amendment")
    ann.field("Applies to").select_option("Zaphod:1")
    assert sentence.evaluate(READ) == "I want to enact a new rule, as amendment, for Zaphod:1."
    ann.field("Kind of change").select_option("amend")
    ann.field("Rule").select_option("R7")
    ann.field("New text").select_option("add")
    told = "I want to amend a rule, namely R7 Not in check, adding to its text."
    assert sentence.evaluate(READ) == told
    ann.page.reload()
    ann.options()
    assert sentence.evaluate(READ) == told
    assert ann.page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0


def test_a_tier_that_is_asked_for_is_proposed(served: Any, opens: Any) -> None:
    game = begun(3, restricted=True)
    ann = opens(served(game).links["Ann"])
    ann.options()
    ann.field("Tier").select_option("amendment")
    ann.field(WORDING).fill("Nobody whispers.")
    ann.proposes()
    ann.told("Ann proposes PA1.1")
    assert game.proposals["PA1.1"].change == nb.enact("Nobody whispers.", standing="amendment")


def test_a_system_with_fewer_choices_says_less(served: Any, opens: Any) -> None:
    ann = opens(served(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)).links["Ann"])
    ann.options()
    assert ann.root.locator(".nnb-more .nnb-sentence").evaluate(READ) == "I want to enact a new rule."
