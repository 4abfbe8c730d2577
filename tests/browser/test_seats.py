"""Seats on pages of their own: a game on three devices, presses as people make them, keys, a connection that breaks."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from browser.lab import CONTRASTS
from browser.people import PRESS, WORDING, Person

import nomic_nb as nb

pytestmark = pytest.mark.browser

#: Brings the hash out of its module.
HASH = "const at = location.href.split('#')[0], {sha256} = await import(new URL('widgets/seal.js', at).href);"
#: What is too small to be hit with a finger.
TOO_SMALL = """(all) => all.filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 33.5)
    .map((one) => one.innerText)"""
NAMES = ["Ann", "Ben", "Cleo"]
#: Lets no time pass on a page.
FREEZE = "() => { const now = performance.now(); performance.now = () => now; }"
LOST = "the page has just changed; please press again"


def begin(served: Any, opens: Any, *seats: str, **more: Any) -> tuple[nb.Game, dict[str, Person]]:
    """Begin a game, and open the pages of some seats, by default of all."""
    game = nb.new_game("discordian-nomic", NAMES, seed=7, **more)
    room = served(game)
    return game, {name: opens(room.links[name]) for name in seats or NAMES}


def test_three_people_play_to_the_winner_on_three_devices(served: Any, opens: Any) -> None:
    game, people = begin(served, opens, terms={"win.points": 6})
    while not game.over:
        turn, name = game.turn, game.player
        assert name is not None
        people[name].propose(f"It is agreed that turn {turn} was {name}'s.")
        number = 300 + turn
        for voter in people.values():
            voter.sees(f"Proposal {number}")
            voter.press("For")
            voter.root.locator(".nnb-own button[aria-pressed=true]").wait_for(state="attached")
        people[name].press("Roll")
        people[name].told(f"{name} rolls")
        assert turn < 20
    for person in people.values():
        person.root.locator(".nnb-heading").filter(has_text=game.result).wait_for()
        assert (
            person.root.locator(":is(.nnb-ballot, .nnb-form button, .nnb-foot):not([aria-disabled])")
            .locator("visible=true")
            .count()
            == 0
        )
    assert game.winner in NAMES


def test_what_one_does_the_others_see_and_the_tiles_stay_where_they_are(served: Any, opens: Any) -> None:
    game, people = begin(served, opens)
    ann, ben, cleo = people.values()
    ann.propose("Be kind.")
    tile = cleo.root.locator(".nnb-tile").filter(has_text="Ben")
    tile.wait_for()
    places = [one.bounding_box() for one in cleo.root.locator(".nnb-tile, .nnb-own button").all()]
    ben.press("Against")
    tile.filter(has_text="✗ against").wait_for()
    spent = ben.root.locator(".nnb-own button.for[aria-disabled=true]")
    spent.wait_for()
    assert spent.evaluate("(one) => getComputedStyle(one).backgroundColor") == "rgba(0, 0, 0, 0)"  # it looks so
    game.vote("Ann", "for")  # by a cell
    cleo.root.locator(".nnb-tile").filter(has_text="✓ for").wait_for()
    assert [one.bounding_box() for one in cleo.root.locator(".nnb-tile, .nnb-own button").all()] == places


def test_a_rule_gives_every_voter_a_button_for_its_own_ballot(served: Any, opens: Any) -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=7)
    law = 'set vote.choices to ["for", "against", "veto"]\nset vote.counts_as to "against" while ballot == "veto"'
    game.propose("Ann", nb.enact("Voters can veto.", law))
    game.votes()
    game.roll("Ann", 2)
    game.propose("Ben", nb.enact("Be kind."))
    room = served(game)
    cleo, table = map(opens, (room.links["Cleo"], *room.desk.values()))
    cleo.press("Veto")
    table.root.locator(".nnb-tile[data-cast=veto]").wait_for()
    table.press("Ann votes veto")
    cleo.root.locator(".nnb-tile[data-cast=veto]").nth(1).wait_for()
    assert game.state.proposals[302].vote.ballots == {"Cleo": "veto", "Ann": "veto"}  # type: ignore[union-attr]


def over(person: Person, button: Any) -> Any:
    """Put the mouse over a button that stands still, and return it."""
    person.still(button)
    box = button.bounding_box()
    person.page.mouse.move(box["x"] + 20, box["y"] + 20)
    return person.page.mouse


def test_a_press_belongs_to_what_it_began_on(served: Any, opens: Any) -> None:
    game, people = begin(served, opens, "Ben")
    game.propose("Ann", nb.enact("Be kind."))
    ben = people["Ben"]
    mouse = over(ben, ben.button("For").first)
    ben.page.evaluate(FREEZE)
    mouse.down()
    game.undo()
    game.propose("Ann", nb.enact("Be rude."))  # another decision, in the same place, while the mouse is down
    ben.sees("Be rude.")
    mouse.up()
    ben.told(LOST)
    assert game.proposals[301].ballots == {}
    game.say("Cleo", "Well.")  # so that something else is told
    ben.told("Cleo says")
    mouse.down()  # and right afterwards nobody can have meant it either
    mouse.up()
    ben.told(LOST)
    assert game.proposals[301].ballots == {}
    ben.page.evaluate("() => { delete performance.now; }")
    ben.press("For")
    ben.root.locator(".nnb-own button[aria-pressed=true]").wait_for()
    assert game.proposals[301].ballots == {"Ben": "for"}


def test_a_press_is_not_lost_where_the_layout_moves_under_it(served: Any, opens: Any) -> None:
    game, people = begin(served, opens, "Ben")
    game.propose("Ann", nb.enact("Be kind."))
    ben = people["Ben"]
    mouse = over(ben, ben.button("For").first)
    mouse.down()
    ben.page.evaluate("() => { document.querySelector('.nnb-columns').style.marginTop = '160px'; }")
    ben.page.wait_for_timeout(PRESS)
    mouse.up()
    ben.root.locator(".nnb-own button[aria-pressed=true]").wait_for()
    assert game.proposals[301].ballots == {"Ben": "for"}


def test_what_is_folded_opens_where_the_layout_moves_under_a_press(served: Any, opens: Any) -> None:
    _game, people = begin(served, opens, "Ben")
    ben = people["Ben"]
    folded = ben.root.locator("summary:text-is('Rules')").locator("visible=true").first
    mouse = over(ben, folded)
    mouse.down()
    ben.page.evaluate("() => { document.querySelector('.nnb-columns').style.marginTop = '160px'; }")
    ben.page.wait_for_timeout(PRESS)
    mouse.up()
    ben.root.locator("details[open].nnb-law").wait_for()


def test_a_press_on_what_is_gone_when_it_ends_is_told_to_be_lost(served: Any, opens: Any) -> None:
    game, people = begin(served, opens, "Ben")
    game.propose("Ann", nb.enact("Be kind."))
    ben = people["Ben"]
    mouse = over(ben, ben.button("For").first)
    mouse.down()
    game.undo()
    ben.root.locator(".nnb-own").wait_for(state="hidden")
    mouse.up()
    ben.told(LOST)


def test_what_has_the_focus_takes_a_key_where_it_has_just_moved(served: Any, opens: Any) -> None:
    game, people = begin(served, opens, "Ben")
    game.propose("Ann", nb.enact("Be kind."))
    ben, moved = people["Ben"], "document.querySelector('.nnb-own button.for')"
    mouse = over(ben, ben.button("For").first)
    ben.button("For").first.focus()
    before = ben.page.evaluate(f"() => {moved}.box")
    ben.page.evaluate(FREEZE)
    ben.page.evaluate("() => { document.querySelector('.nnb-dock').style.paddingBottom = '40px'; }")
    game.say("Cleo", "Well.")
    ben.page.wait_for_function(f"(before) => {moved}.box !== before", arg=before)
    mouse.down()  # a mouse may have been on its way to something else
    mouse.up()
    ben.told(LOST)
    assert game.proposals[301].ballots == {}
    ben.page.keyboard.press("Enter")
    ben.root.locator(".nnb-own button[aria-pressed=true]").wait_for()
    assert game.proposals[301].ballots == {"Ben": "for"}


def test_a_double_click_throws_once_and_nothing_else(served: Any, opens: Any) -> None:
    game, people = begin(served, opens, "Ann")
    game.propose("Ann", nb.enact("Be kind."))
    for name in NAMES:
        game.vote(name, "for")
    throw = people["Ann"].button("Roll")
    people["Ann"].still(throw)
    throw.dblclick()
    people["Ann"].told("Ann rolls")
    assert (game.history["kind"] == "thrown").sum() == 1
    assert game.player == "Ben"


def test_a_turn_by_keys_alone(served: Any, opens: Any) -> None:
    game, people = begin(served, opens, "Ann")
    ann, keys = people["Ann"], people["Ann"].page.keyboard
    for _ in range(3):
        keys.press("Tab")
        if ann.focus == "Write a rule":
            break
    ann.focused("Write a rule")
    keys.press("Enter")
    ann.focused(WORDING)
    keys.type("Be kind.")
    ann.goes_to("More options")
    keys.press("Enter")
    ann.goes_to("Debate first")
    ann.goes_to("Propose this rule")
    keys.press("Enter")
    ann.focused("For")  # the focus goes on to what is to be decided next
    keys.press("Space")
    ann.root.locator(".nnb-own button[aria-pressed=true]").wait_for()
    for name in ("Ben", "Cleo"):
        game.vote(name, "for")
    ann.button("Roll").wait_for()
    for _ in range(12):
        if ann.focus == "Roll":
            break
        keys.press("Shift+Tab")
    ann.focused("Roll")
    keys.press("Enter")
    ann.told("Ann rolls")
    assert game.player == "Ben"


def test_a_refusal_stands_on_the_panel_with_its_rule_and_nothing_typed_is_lost(served: Any, opens: Any) -> None:
    _, people = begin(served, opens, "Ann")
    ann = people["Ann"]
    ann.options()
    ann.field("Kind of change").select_option("amend")
    ann.field("Rule").select_option("112")
    ann.field(WORDING).fill("To win is to be liked.")
    ann.proposes()
    ann.told("That didn’t count.")
    ann.told("Rule 103")
    assert ann.field(WORDING).input_value() == "To win is to be liked."
    ann.field("Kind of change").select_option("enact")
    ann.clauses("set vote.crowd to 2")
    ann.root.locator(".nnb-error").filter(has_text="there is no key vote.crowd").wait_for()
    ann.page.reload()
    ann.writes()
    assert ann.field("Clauses").input_value() == "set vote.crowd to 2"  # a draft survives that


def test_a_change_is_filled_from_the_law_book_and_what_is_typed_stays(served: Any, opens: Any) -> None:
    game, people = begin(served, opens, "Ann")
    ann = people["Ann"]
    ann.options()
    ann.field("Kind of change").select_option("amend")
    ann.field("Rule").select_option("208")
    assert ann.field("Clauses").input_value() == "set win.points to 100"
    assert ann.field("Title (optional)").input_value() == game.rules[208].title
    ann.field("Clauses").fill("set win.points to 50")
    ann.field("Rule").select_option("203")
    assert ann.field(WORDING).input_value() == game.rules[203].wording
    assert ann.field("Clauses").input_value() == "set win.points to 50"
    ann.field("Rule").select_option("208")
    ann.root.locator(".nnb-preview del").filter(has_text="100").wait_for()
    game.say("Ben", "hurry")
    ann.sees("hurry")
    assert ann.field("Clauses").input_value() == "set win.points to 50"
    ann.proposes()
    ann.told("Ann proposes 301")
    assert game.proposals[301].change == nb.amend(208, law="set win.points to 50")


def test_a_rule_is_amended_beside_and_its_amendment_repealed(served: Any, opens: Any) -> None:
    game, people = begin(served, opens, "Ann", "Ben")
    ann, ben = people["Ann"], people["Ben"]
    ann.options()
    ann.field("Kind of change").select_option("amend")
    ann.field("Rule").select_option("208")
    ann.field("New text").select_option("add")
    assert ann.field(WORDING).input_value() == ""
    ann.field(WORDING).fill("And a cake.")
    ann.proposes()
    ann.told("Ann proposes 301")
    assert game.proposals[301].change == nb.amend(208, "And a cake.", add=True)
    for name in NAMES:
        game.vote(name, "for")
    game.roll("Ann", 1)
    ben.options()
    ben.field("Kind of change").select_option("repeal")
    ben.field("Rule").select_option("301")
    ben.field("Part").select_option(label="amendment 1: And a cake.")
    ben.proposes()
    ben.told("Ben proposes 302")
    assert game.proposals[302].change == nb.repeal(301, part=1)


def test_a_proposal_in_debate_is_given_another_form(served: Any, opens: Any) -> None:
    game, people = begin(served, opens, "Ann")
    ann = people["Ann"]
    change = nb.amend(208, "Fifty.", "set win.points to 50", title="Fifty")
    game.propose("Ann", change, debate=True)
    ann.button("Revise").wait_for()
    assert [ann.field(name).input_value() for name in ("Title (optional)", WORDING, "Clauses")] == [
        "Fifty", "Fifty.", "set win.points to 50"
    ]  # fmt: skip
    ann.field("Clauses").fill("set win.points to 60")
    ann.press("Revise")
    ann.root.locator(".nnb-plain").filter(has_text="60").wait_for()
    assert game.proposals[301].change.law == "set win.points to 60"


def test_what_is_sealed_on_a_phone_stays_on_it_until_it_is_revealed(served: Any, opens: Any) -> None:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7, dice="committed")
    game.propose("Ann", nb.enact("Be kind."))
    for name in ("Ann", "Ben"):
        game.vote(name, "for")
    room = served(game)
    ann, ben = opens(room.links["Ann"]), opens(room.links["Ben"])
    ann.field("Value").fill('bl\u00fc \U0001f3b2 "x"')
    ann.press("Seal")
    ann.told("Ann")
    ben.press("Seal")
    ben.button("Reveal").wait_for()
    assert not game.timeline.kept  # nothing of it is known here
    ann.page.reload()
    ann.press("Reveal")
    ann.told("Ann reveals")
    ben.press("Reveal")
    ben.told("Ben reveals")
    told = [event.data["value"] for event in game.timeline.events if event.kind == "revealed"]
    assert told[0] == 'bl\u00fc \U0001f3b2 "x"'
    assert game.player == "Ben"
    assert ann.page.evaluate("() => Object.keys(localStorage).filter((one) => one.includes('seal'))") == []


def test_the_hash_of_the_scripts_is_sha_256(served: Any, opens: Any) -> None:
    room = served(nb.new_game("discordian-nomic", NAMES, seed=7))
    page = opens(room.links["Ann"]).page
    texts = ["", "abc", "a" * 55, "a" * 56, "a" * 64, "\u00e4\U0001f3b2" * 40, "a" * 1_000]
    found = page.evaluate(f"async (texts) => {{ {HASH} return texts.map(sha256); }}", texts)
    assert found == [hashlib.sha256(text.encode()).hexdigest() for text in texts]


def on_boards(served: Any, opens: Any) -> tuple[nb.Game, Person]:
    game = nb.new_game("nomic-chess", NAMES, seed=7)
    game.propose("Ann", nb.enact("Be kind."))
    for name in NAMES:
        game.vote(name, "for")
    return game, opens(served(game).links["Ann"])


def test_a_move_by_mouse_on_the_boards_that_are_chosen(served: Any, opens: Any) -> None:
    game, ann = on_boards(served, opens)
    square = "[data-square='{}']"
    ann.press(ann.root.get_by_role("button", name="green, Cleo, 16 pieces"))
    ann.press(ann.root.locator(square.format("white.e2")))
    assert ann.root.locator("[data-state~=target]").count() == 2
    ann.press(ann.root.locator(square.format("white.d1")))  # the queen cannot move
    ann.root.locator(".nnb-status").filter(has_text="That pawn can’t go to d1.").wait_for()
    ann.press(ann.root.locator(square.format("white.e4")))
    ann.told("Ann moves white.e2-white.e4 with white and green")
    assert ann.root.locator("[data-on='white.e4'] svg").count() == 1
    assert "last" in str(ann.root.locator(square.format("white.e4")).get_attribute("data-state"))
    assert list(game.moves["push"]) == ["white+green"]


def test_a_move_by_keys_and_one_in_writing(served: Any, opens: Any) -> None:
    game, ann = on_boards(served, opens)
    keys = ann.page.keyboard
    ann.root.locator("[data-square='white.e2']").focus()
    keys.press("Enter")
    for _ in range(2):
        keys.press("ArrowUp")
    focused = ann.page.evaluate("() => document.activeElement.getAttribute('aria-label')")
    assert focused == "white e4, empty, legal target"
    keys.press("Escape")
    assert ann.root.locator("[data-state~=target]").count() == 0
    ann.types("e2e5")
    ann.told("That didn’t count.")
    assert not len(game.moves)
    ann.types("e2e3")
    ann.told("Ann moves white.e2-white.e3")


def test_offline_phones_say_so_and_then_go_on(served: Any, opens: Any) -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=7)
    ben = opens(served(game).links["Ben"])
    game.propose("Ann", nb.enact("Be kind."))
    ben.button("For").wait_for()
    ben.page.context.set_offline(True)
    ben.told("Connection lost")
    game.vote("Ann", "for")
    ben.page.context.set_offline(False)
    ben.press("For")
    ben.told("Ben votes for proposal 301")


def test_a_server_that_stops_and_begins_again_is_found_again(served: Any, opens: Any, tmp_path: Path) -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=7, file=tmp_path / "class.sqlite")
    room = served(game)
    ben = opens(room.links["Ben"])
    port = urlsplit(room.addresses[0]).port
    room.close()
    ben.told("Connection lost")
    served(game, port=port)
    game.propose("Ann", nb.enact("Be kind."))
    ben.sees("Proposal 301")
    ben.press("For")
    ben.root.locator(".nnb-own button[aria-pressed=true]").wait_for()
    assert game.proposals[301].ballots == {"Ben": "for"}


def test_a_second_device_takes_the_seat_and_a_bad_link_says_so(served: Any, opens: Any) -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=7)
    room = served(game)
    first = opens(room.links["Ann"])
    opens(room.links["Ann"])
    first.told("on another device now")
    page = first.page
    page.goto("about:blank")
    page.goto(room.links["Ann"][:-2])
    page.get_by_text("This link no longer works").wait_for()


def test_nothing_that_players_write_runs_on_a_page(served: Any, opens: Any) -> None:
    evil = "<img src=x onerror=alert(1)>"
    game = nb.new_game("discordian-nomic", [evil, "Ben"], seed=7)
    ben = opens(served(game).links["Ben"])
    asked: list[str] = []
    ben.page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    game.propose(evil, nb.enact(f"Be {evil} <script>alert(2)</script>.", title=evil))
    game.say("Ben", evil)
    ben.sees("Proposal 301")
    assert ben.page.locator("img, .nnb-live script, iframe").count() == 0
    assert asked == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 700, 390])
def test_it_fits_and_can_be_read(served: Any, opens: Any, theme: str, width: int) -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=7)
    room = served(game)
    game.propose("Ann", nb.library.simple_majority().change(203))
    game.vote("Ann", "for")
    ben = opens(room.links["Ben"], viewport={"width": width, "height": 844}, color_scheme=theme)
    ben.sees("Proposal 301")
    assert ben.page.evaluate("() => document.documentElement.scrollWidth") <= width
    for sheet in ("Rules", "More"):
        if width < 840:
            ben.press(sheet)
        else:
            ben.root.locator({"Rules": ".nnb-law", "More": ".nnb-free"}[sheet] + " > summary").click()
        seen = ben.root.locator("*:not(:has(*)):not(option)").evaluate_all(CONTRASTS)
        faint = [one for one in seen if one[0].strip() and one[1] < 4.5]
        assert len(seen) > 30
        assert faint == []
        small = ben.root.locator("button, select, summary").evaluate_all(TOO_SMALL)
        assert small == []
        if width < 840:
            ben.press("Close")


def test_letters_twice_as_large_fit_a_phone(served: Any, opens: Any) -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=7)
    room = served(game)
    ann = opens(room.links["Ann"], viewport={"width": 390, "height": 664}, is_mobile=True, has_touch=True)
    ann.page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    within = (
        "(all) => all.every((one) => one.getBoundingClientRect().right <= 390 && one.scrollWidth <= one.clientWidth)"
    )
    assert ann.root.locator(".nnb-choice, .nnb-choice b").evaluate_all(within)
    ann.propose("Be kind.")
    against = ann.button("Against")
    against.wait_for()
    face, links = ann.root.locator(".nnb-me"), ann.root.locator(".nnb-links > button")
    left, boxes = face.bounding_box(), [one.bounding_box() for one in links.all()]
    assert all(box["x"] + box["width"] <= 390 for box in boxes)
    assert all(box["x"] >= left["x"] + left["width"] or box["y"] >= left["y"] + left["height"] for box in boxes)
    assert against.bounding_box()["height"] < 100, "one line"
    ann.press("Rules")
    titles = ann.root.locator(".nnb-rules > details > summary > :nth-child(2)")
    assert min(one.bounding_box()["width"] for one in titles.all()) > 150
    assert ann.page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]") == [390, 390]


#: Whether every line of text that can be seen in a part is seen whole.
WHOLE_LINES = """(part) => {
    const range = document.createRange(), box = part.getBoundingClientRect();
    range.selectNodeContents(part);
    const lines = [...range.getClientRects()].filter((line) => line.top + 1 < box.bottom);
    return lines.length > 0 && lines.every((line) => line.left >= box.left - 1 && line.right <= box.right + 1);
}"""


@pytest.mark.parametrize("width", [360, 390])
def test_the_parts_of_a_narrow_bar_cut_no_word(served: Any, opens: Any, width: int) -> None:
    people = {}
    for count in (4, 6):
        game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo", "Dan", "Eva", "Fay"][:count], seed=7)
        game.propose("Ann", nb.enact("Be kind."))
        game.vote("Ann", "for")
        game.vote("Ben", "against")
        phone = {"viewport": {"width": width, "height": 664}, "is_mobile": True, "has_touch": True}
        people[count] = opens(served(game).links["Ann"], **phone)
        for side in ("yes", "no"):
            part = people[count].root.locator(f".nnb-track > .nnb-{side}").filter(has_text="1")
            part.wait_for()
            handle = part.element_handle()
            people[count].page.wait_for_function("(one) => one.getAnimations().length === 0", arg=handle)
            assert handle.evaluate(WHOLE_LINES), (count, side)


@pytest.mark.parametrize("width", [360, 1200])
def test_the_bar_of_a_tally_in_a_notebook_cuts_no_word(page: Any, width: int) -> None:
    game = nb.new_game("discordian-nomic", [f"Pupil {number}" for number in range(1, 13)], seed=7)
    game.propose("Pupil 1", nb.enact("Be kind."))
    game.vote("Pupil 1", "for")
    game.vote("Pupil 2", "against")
    page.set_viewport_size({"width": width, "height": 600})
    page.set_content(game.proposals[301].tally._repr_html_())
    for side in ("for", "against"):
        assert page.locator(f".nnb-share.nnb-{side}").evaluate(WHOLE_LINES), side


def test_news_covers_nothing_in_a_sheet(served: Any, opens: Any) -> None:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7)
    phone = {"viewport": {"width": 360, "height": 480}, "is_mobile": True, "has_touch": True}
    ann = opens(served(game).links["Ann"], **phone)
    ann.press("More")
    game.say("Ben", "Let us all be kind to each other today, " * 5)
    message = ann.root.locator(".nnb-sheet > .nnb-message")
    message.filter(has_text="be kind").wait_for()
    scrolled = ann.root.locator(".nnb-sheet > .nnb-column").bounding_box()
    assert 100 < scrolled["height"] <= message.bounding_box()["y"] - scrolled["y"]
    ann.root.get_by_label("Colours").select_option("dark")


def test_who_has_voted_reads_why_the_ballot_stays(served: Any, opens: Any) -> None:
    game, people = begin(served, opens, "Ann")
    ann = people["Ann"]
    ann.propose("Be kind.")
    ann.press("For")
    ann.root.locator(".nnb-count").filter(has_text="You voted for. You can’t change it.").wait_for()
    assert ann.button("Against").count() == 0
    game.votes()
    game.roll("Ann")
    game.propose("Ben", nb.enact("Ballots can be changed.", "set vote.changeable to true"))
    game.votes()
    game.roll("Ben")
    game.propose("Cleo", nb.enact("Be brave."))
    ann.press("For")
    ann.root.locator(".nnb-count").filter(has_text="You voted for. 1 of 3").wait_for()
    ann.press("Against")
    ann.root.locator(".nnb-count").filter(has_text="You voted against. 1 of 3").wait_for()


def test_on_a_phone_a_deed_that_a_rule_speaks_of_is_reported_by_name(served: Any, opens: Any) -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=7)
    game.propose("Ann", nb.enact("Late.", 'on deed when name == "being late": award -2 points to player'))
    game.votes()
    ann = opens(served(game).links["Ann"], viewport={"width": 390, "height": 664}, is_mobile=True, has_touch=True)
    ann.press("More")
    ann.press("Report “being late” (rule 301)")
    assert ann.root.get_by_label("Deed").input_value() == "being late"
    ann.press("Report")  # nobody is named yet
    ann.root.locator(".nnb-sheet .nnb-error").filter(has_text="who is missing").wait_for()
    ann.root.get_by_label("Whom").select_option("Cleo")
    ann.press("Report")
    ann.root.locator(".nnb-sheet").wait_for(state="hidden")
    ann.told("Cleo: −2 points")
    assert ann.root.locator(".nnb-message").is_visible()


def test_who_has_voted_in_secret_reads_that_the_ballot_is_sealed(served: Any, opens: Any) -> None:
    _, people = begin(served, opens, terms={"vote.ballots": "sealed"})
    ann = people["Ann"]
    ann.propose("Be kind.")
    ann.press("For")
    ann.root.locator(".nnb-count").filter(has_text="Your ballot is sealed. You can’t change it.").wait_for()
