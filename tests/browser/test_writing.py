"""A change that is written on a page, boards in words, and a page behind a proxy."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest
from browser.people import PICTURED, WORDING, Person
from browser.proxy import behind
from make_a_rule_helpers import begun

import nomic_nb as nb

pytestmark = pytest.mark.browser

NAMES = ["Ann", "Ben", "Cleo"]


def seat(served: Any, opens: Any, system: str = "discordian-nomic") -> tuple[nb.Game, Person]:
    game = nb.new_game(system, NAMES, seed=7)
    return game, opens(served(game).links["Ann"])


def test_a_rule_is_for_one_universe_and_stays_so_over_a_reload(served: Any, opens: Any) -> None:
    game = begun(3)
    ann = opens(served(game).links["Ann"])
    ann.options()
    ann.field("Applies to").select_option("Zaphod:1")
    assert ann.button("Add another change").and_(ann.root.locator(":visible")).count() == 0  # one at a time
    ann.field(WORDING).fill("Knights are camels.")
    ann.clauses("set win.points to 3")
    ann.root.locator(".nnb-error").filter(has_text="so a rule for Zaphod:1 can’t set it").wait_for()
    ann.field("Clauses").fill('piece N moves "C"')
    ann.root.locator(".nnb-error").filter(has_text="a rule for").wait_for(state="hidden")
    ann.page.reload()
    ann.options()
    assert ann.field("Applies to").input_value() == "Zaphod:1"
    ann.field("Kind of change").select_option("transmute")
    ann.field("Applies to").wait_for(state="hidden")
    ann.field("Kind of change").select_option("enact")
    ann.proposes()
    ann.told("enact “Knights are camels” for Zaphod:1")
    made = game.proposals["P1.1"].change
    assert made == nb.enact("Knights are camels.", 'piece N moves "C"', universe="Zaphod:1")


def test_no_universe_is_asked_for_where_there_is_one_world(served: Any, opens: Any) -> None:
    for system in ("discordian-nomic", "nomic-chess"):
        _, ann = seat(served, opens, system)
        ann.options()
        assert ann.field("Applies to").count() == 0


def test_a_ready_made_rule_has_its_rule_chosen_and_a_review_follows(served: Any, opens: Any) -> None:
    game, ann = seat(served, opens)
    ann.press("Take a ready-made rule")
    ann.press(ann.root.locator(".nnb-item:visible").filter(has_text="50 points to win"))
    ann.root.locator(".nnb-preview del").first.wait_for()
    ann.opens("More options")
    assert ann.field("Rule").input_value() == "208"
    ann.root.locator(".nnb-review").filter(has_text="It can pass: it needs 3 of 3 in favour (rule 203)").wait_for()
    ann.press("‹ Back")
    ann.press(ann.root.locator(".nnb-item:visible").filter(has_text="A die with 20 sides"))
    ann.root.locator(".nnb-told").filter(has_text="20 sides").wait_for()
    assert ann.field("Rule").input_value() == ""
    ann.press("‹ Back")
    ann.press(ann.root.locator(".nnb-item:visible").filter(has_text="50 points to win"))
    ann.field("Points").fill("60")
    ann.root.locator(".nnb-preview").filter(has_text="60").wait_for()
    ann.proposes()
    ann.told("amend rule 208")
    assert game.proposals[301].change.target == 208
    assert "60" in (game.proposals[301].change.law or "")


def test_words_that_fit_are_offered_and_taken_by_keys(served: Any, opens: Any) -> None:
    _, ann = seat(served, opens)
    ann.writes()
    ann.clauses("")
    keys, law = ann.page.keyboard, ann.field("Clauses")
    words = ann.root.get_by_role("listbox")
    law.focus()
    keys.insert_text("set win.po")
    words.get_by_role("option").filter(has_text="the score needed to win").wait_for()
    keys.press("ArrowDown")
    assert law.get_attribute("aria-activedescendant") == words.get_by_role("option").first.get_attribute("id")
    keys.press("Enter")
    assert law.input_value() == "set win.points "
    words.wait_for(state="hidden")
    keys.insert_text("to cou")
    words.get_by_role("option").filter(has_text="count(").wait_for()
    keys.press("Escape")
    words.wait_for(state="hidden")
    keys.press("Tab")
    assert law.input_value() == "set win.points to cou"
    assert ann.focus != "Clauses"


def test_words_that_fit_are_taken_with_the_mouse_and_errors_stand_beside(served: Any, opens: Any) -> None:
    _, ann = seat(served, opens)
    ann.writes()
    ann.clauses("")
    law = ann.field("Clauses")
    law.focus()
    ann.page.keyboard.insert_text("set vote.quo")
    ann.press(ann.root.get_by_role("option").filter(has_text="vote.quota").first)
    assert law.input_value() == "set vote.quota "
    assert ann.focus == "Clauses"
    ann.root.locator(".nnb-error").filter(has_text="to").first.wait_for()
    assert law.get_attribute("aria-invalid") == "true"
    ann.page.keyboard.type("to 2")
    ann.page.wait_for_function("() => !document.querySelector('.nnb-code').hasAttribute('aria-invalid')")


def test_a_rule_is_read_in_the_law_book_asked_about_and_chosen_to_be_changed(served: Any, opens: Any) -> None:
    game, ann = seat(served, opens)
    ann.press(ann.root.locator(".nnb-law > summary"))
    ann.field("Search the rules").fill("208")
    ann.press(ann.root.locator(".nnb-rules summary").filter(has_text=game.rules[208].title))
    ann.root.locator(".nnb-rules .nnb-wording").filter(has_text="100").wait_for()
    ann.field("Setting").fill("win.points")
    ann.press("Why?")
    ann.root.locator(".nnb-answer").filter(has_text="prevails").wait_for()
    ann.press("Propose a change")
    ann.options()
    assert ann.field("Kind of change").input_value() == "amend"
    assert ann.field("Rule").input_value() == "208"
    assert ann.field("Clauses").input_value() == "set win.points to 100"


def test_the_form_says_why_a_clause_never_has_an_effect_and_what_would_help(served: Any, opens: Any) -> None:
    _, ann = seat(served, opens)
    ann.writes()
    ann.field(WORDING).fill("Fifty points win.")
    ann.clauses("set win.points to 50")
    said = ann.root.locator(".nnb-told").filter(has_text="may not do what you want")
    said.filter(has_text="Rule 208 would override this, because rule 208 has the lower number (rule 211).").wait_for()
    ann.press("Amend rule 208 instead")
    ann.root.locator(".nnb-told").filter(has_text="In plain English").wait_for()


def test_what_cannot_be_proposed_says_so_while_it_is_written(served: Any, opens: Any) -> None:
    _, ann = seat(served, opens)
    ann.options()
    ann.field("Kind of change").select_option("repeal")
    ann.field("Rule").select_option("112")
    ann.root.locator(".nnb-review").filter(has_text="It can’t be proposed now: rule 112 is immutable").wait_for()


def test_several_rules_are_repealed_together(served: Any, opens: Any) -> None:
    game, ann = seat(served, opens)
    ann.options()
    ann.field("Kind of change").select_option("repeal")
    ann.field("Rule").select_option("204")
    ann.field("Also repeal rules").fill("205, 206")
    ann.proposes()
    ann.told("repeal rules 204, 205, 206")
    assert game.proposals[301].change == nb.repeal([204, 205, 206])


def test_several_changes_are_proposed_together_by_keys(served: Any, opens: Any) -> None:
    game, ann = seat(served, opens)
    keys = ann.page.keyboard
    ann.options()
    ann.field("Kind of change").select_option("repeal")
    ann.field("Rule").select_option("204")
    ann.button("Add another change").focus()
    keys.press("Enter")
    ann.focused("Write a rule")
    parts = ann.root.get_by_role("list", name="Several changes").get_by_role("listitem")
    parts.filter(has_text="Repeal rule 204").wait_for()
    keys.press("Enter")
    ann.focused(WORDING)
    keys.insert_text("Be kind.")
    ann.clauses("set win.point to 30")
    ann.root.locator(".nnb-error").filter(has_text="part 2: there is no key win.point").wait_for()
    ann.field("Clauses").fill("set win.points to min([otherwise, 30])")
    ann.root.locator(".nnb-error").filter(has_text="part 2").wait_for(state="hidden")
    ann.button("Add another change").focus()
    keys.press("Enter")
    parts.nth(1).filter(has_text="2. New rule: Be kind.").wait_for()
    ann.page.reload()
    parts.nth(1).wait_for()
    ann.press("Change: New rule: Be kind.")
    assert ann.field(WORDING).input_value() == "Be kind."
    assert ann.field("Clauses").input_value() == "set win.points to min([otherwise, 30])"
    assert parts.count() == 1
    ann.options()
    ann.field("Kind of change").select_option("rename")
    ann.button("Add another change").wait_for(state="hidden")
    ann.field("Old and new name").wait_for()
    ann.field("Kind of change").select_option("enact")
    ann.proposes()
    ann.told("make 2 changes together")
    made = nb.enact("Be kind.", "set win.points to min([otherwise, 30])")
    assert game.proposals[301].change == nb.together(nb.repeal(204), made)


def test_boards_and_losses_are_told_in_words(served: Any, opens: Any) -> None:
    game, ann = seat(served, opens, "nomic-chess")
    ann.root.get_by_text("The boards in words", exact=True).click()
    words = ann.root.locator(".nnb-boards .nnb-asked p")
    words.filter(has_text="white: white bishop c1 and f1; white king e1;").wait_for()
    game.propose("Ann", nb.enact("Be kind."))
    for name in NAMES:
        game.vote(name, "for")
    game.move("Ann", "e2e4", push=["white", "yellow"])
    words.filter(has_text="white pawn a2, b2, c2, d2, f2, g2, h2 and e4").wait_for()


def test_a_page_behind_a_proxy_under_a_prefix(served: Any, opens: Any) -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=7)
    room = served(game, names=["hub.example"], base="/user/ann/nomic/")
    link = room.links["Ann"]
    assert link.startswith("https://hub.example/user/ann/nomic/#1/")
    port = urlsplit(room.addresses[-1]).port
    assert port is not None
    with behind("/user/ann/nomic/", port) as proxy:
        ann = opens(f"http://127.0.0.1:{proxy}/user/ann/nomic/#{urlsplit(link).fragment}")
        ann.propose("Be kind.")
        ann.told("Ann proposes 301")
        ann.press("For")
        ann.root.locator(".nnb-own button[aria-pressed=true]").wait_for()
        assert game.proposals[301].ballots == {"Ann": "for"}
        ann.page.context.close()


def test_fifteen_universes_are_overseen_and_each_is_looked_at(served: Any, opens: Any) -> None:
    game = begun(6)
    ann = opens(served(game).links[game.player])
    smalls = ann.root.locator(".nnb-small")
    smalls.nth(14).wait_for()
    due = ann.root.locator(".nnb-small[data-open]")
    assert due.count() == 5
    assert "to be moved in" in str(due.first.inner_text())
    assert smalls.locator("canvas").evaluate_all(PICTURED) == [[32, 0]] * 15
    title = ann.root.locator(".nnb-boards .nnb-title")
    ann.press(due.nth(2))
    title.filter(has_text="Zaphod:3 – white3 to move").wait_for()
    ann.press(ann.root.get_by_role("button", name="Zaphod:15, Eve, Fay, 32 pieces, look at"))
    title.filter(has_text="Zaphod:15").wait_for()
    assert ann.root.locator("[data-on='Zaphod:15.e1'] svg").count() == 1
    ann.press(smalls.first)
    ann.press(ann.root.locator("[data-square='Zaphod:1.e2']"))
    ann.press(ann.root.locator("[data-square='Zaphod:1.e4']"))
    ann.told("Zaphod:1.e2-Zaphod:1.e4")
    ann.page.wait_for_function("() => document.querySelectorAll('.nnb-small[data-open]').length === 4")
    assert sum(marked for _, marked in smalls.locator("canvas").evaluate_all(PICTURED)) == 2


def test_a_newcomer_is_told_the_aim_what_is_due_and_what_others_did(served: Any, opens: Any) -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=7)
    links = served(game).links
    ann, ben = opens(links["Ann"]), opens(links["Ben"])
    aim, due = ben.root.locator(".nnb-aim"), ben.root.locator(".nnb-now")
    aim.get_by_text("Whoever is first to achieve 100 points wins.").first.wait_for()
    aim.locator("summary").click()
    aim.get_by_text("A player wins by reaching 100 points.").wait_for()
    due.filter(has_text="Waiting for Ann to propose.").wait_for()
    ann.root.locator(".nnb-heading").filter(has_text="What would you change?").wait_for()
    ann.propose("Be kind.")
    ann.told("301")
    ben.told("Ann proposes")  # what somebody else did
    ben.root.locator(".nnb-eyebrow").filter(has_text="Ann proposes").first.wait_for()
    ben.press("For")
    ben.told("Ben votes")
    ann.told("Ben votes")  # in place of what came of the own act


def test_words_lead_to_a_ready_made_rule_and_can_be_had_back(served: Any, opens: Any) -> None:
    _, ann = seat(served, opens)
    said = "A simple majority is enough to adopt a proposal."
    ann.writes()
    ann.field(WORDING).fill(said)
    ann.press(ann.root.locator(".nnb-near-by .nnb-item[data-name=majority]"))
    ann.root.locator(".nnb-told").filter(has_text="more than half").wait_for()
    assert "vote.quota" in ann.field("Clauses").input_value()
    assert ann.field(WORDING).input_value() != said
    ann.press("Back to my own words")
    assert ann.field(WORDING).input_value() == said
    assert ann.root.locator(".nnb-code").input_value() == ""
    ann.field(WORDING).fill("Whoever rolls a two gives 3 points to the next player.")  # what is put together for it
    ann.press(ann.root.locator(".nnb-near-by .nnb-item").filter(has_text="pays 3 points to the next player"))
    ann.root.locator(".nnb-told").filter(has_text="3 points").wait_for()
    assert "face == 2" in ann.field("Clauses").input_value()


def test_a_change_in_the_list_is_taken_back_without_losing_another(served: Any, opens: Any) -> None:
    _, ann = seat(served, opens)
    ann.options()
    ann.field(WORDING).fill("First.")
    ann.press("Add another change")
    ann.writes()
    ann.field(WORDING).fill("Second.")
    ann.press("Change: New rule: First.")
    assert ann.field(WORDING).input_value() == "First."
    ann.press("Change: New rule: Second.")
    assert ann.field(WORDING).input_value() == "Second."
    ann.field("Kind of change").select_option("rename")
    ann.field("Old and new name").fill("points, Münzen")
    ann.press("Change: New rule: First.")
    ann.button("Remove: Rename points to münzen").focus()
    ann.page.keyboard.press("Enter")
    ann.root.get_by_role("list", name="Several changes").wait_for(state="hidden")
    ann.focused(WORDING)


def test_words_are_taken_only_where_they_were_offered(served: Any, opens: Any) -> None:
    _, ann = seat(served, opens)
    ann.writes()
    ann.clauses("set win.points to 50\n")
    keys, law = ann.page.keyboard, ann.field("Clauses")
    words = ann.root.get_by_role("listbox")
    law.press("Control+End")
    keys.insert_text("set vot")
    words.get_by_role("option").first.wait_for()
    law.evaluate("(one) => one.setSelectionRange(14, 14)")
    words.get_by_role("option").first.click()
    words.wait_for(state="hidden")
    assert law.input_value() == "set win.points to 50\nset vot"


def test_a_field_for_clauses_that_is_emptied_is_no_longer_marked_as_wrong(served: Any, opens: Any) -> None:
    _, ann = seat(served, opens)
    ann.writes()
    ann.clauses("set win.point to")
    ann.page.wait_for_function("() => document.querySelector('.nnb-code').ariaInvalid === 'true'")
    ann.field("Clauses").fill("")
    ann.page.wait_for_function("() => !document.querySelector('.nnb-code').hasAttribute('aria-invalid')")


def test_blocks_are_indented_by_keys_and_tab_leaves_the_field(served: Any, opens: Any) -> None:
    game, ann = seat(served, opens)
    ann.writes()
    ann.field(WORDING).fill("Gifts for all.")
    ann.clauses("")
    field = ann.field("Clauses")
    field.press_sequentially("on adopted:")
    field.press("Enter")
    field.press_sequentially("when circuit < 9:")
    field.press("Enter")
    field.press_sequentially("award 2 points to opponents")
    field.press("Enter")
    field.press("Backspace")
    field.press_sequentially("award 1 points to proponent")
    block = "on adopted:\n    when circuit < 9:\n        award 2 points to opponents\n    award 1 points to proponent"
    assert field.input_value() == block
    field.press("Escape")
    field.press("Tab")
    assert ann.focus != "Clauses"
    ann.proposes()
    ann.told("Gifts for all")
    assert game.proposals[301].change.law == block
    shown = ann.root.locator(".nnb-clauses code").filter(has_text="award 1 points to proponent").first
    assert shown.evaluate("(code) => getComputedStyle(code).whiteSpace.startsWith('pre')")
    assert (shown.text_content() or "").startswith("    ")
