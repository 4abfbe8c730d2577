"""Make-A-Rule Chess on pages, by keys: kings named, sealed, opened; meta-rules amended; rules presumed and denied."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from browser.people import WORDING, Person

import nomic_nb as nb

pytestmark = pytest.mark.browser

NAMES = ["Ann", "Ben", "Cleo"]


def begin(served: Any, opens: Any, **more: Any) -> tuple[nb.Game, dict[str, Person]]:
    game = nb.new_game("make-a-rule", NAMES, seed=7, **more)
    room = served(game)
    return game, {name: opens(room.links[name], viewport={"width": 1280, "height": 900}) for name in NAMES[:2]}


def presses(person: Person, name: str) -> None:
    """Go to a button by the Tab key, and press it by another."""
    person.button(name).first.wait_for()
    for _ in range(60):
        if person.focus == name:
            break
        person.page.keyboard.press("Tab")
    person.focused(name)
    person.page.keyboard.press("Enter")


def fills(person: Person, label: str, text: str) -> None:
    """Go to a field by the Tab key, and write in it, or choose from it, by keys."""
    for _ in range(60):
        if person.focus == label:
            break
        person.page.keyboard.press("Tab")
    person.focused(label)
    person.page.keyboard.type(text)


def test_the_king_is_named_and_a_meta_rule_amended_by_keys(served: Any, opens: Any) -> None:
    game, people = begin(served, opens)
    ann, ben = people.values()
    presses(ann, "king of yellow Zaphod:2.e1")
    ann.told("Ann chooses king of yellow")
    assert [piece.square for piece in game.state.position.pieces.values() if piece.royal] == [4]
    presses(ann, "More options")
    fills(ann, "Kind of change", "repeal")
    fills(ann, "Rule", "R10")
    presses(ann, "Propose this change")
    ann.told("Ann proposes PA1.1")
    assert game.player == "Ann"
    game.propose("Ann", nb.enact("x"))
    presses(ben, "king of green Zaphod:1.e8")
    presses(ben, "For")
    ben.root.locator(".nnb-own button[aria-pressed=true]").wait_for()
    assert game.proposals["PA1.1"].ballots == {"Ben": "for"}


def test_a_rule_is_presumed_and_denied_by_keys(served: Any, opens: Any) -> None:
    game, people = begin(served, opens)
    ann, ben = people.values()
    game.choose("Ann", "king of white Zaphod:1.e1")
    game.propose("Ann", nb.enact("Camels.", law='piece N moves otherwise + "C"'))
    presses(ben, "king of green Zaphod:1.e8")
    ben.options()
    ben.field("Kind of change").select_option("amend")
    ben.field("Rule").select_option("P1.1")
    ben.field("New text").select_option("add")
    ben.field(WORDING).fill("Dabbabas too.")
    ben.clauses('piece N moves otherwise + "D"')
    presses(ben, "Propose this change")
    ben.told("Ben proposes PR2.1")
    game.move("Ben", "Zaphod:1.b8-Zaphod:1.b6")
    presses(ann, "deny what is presumed")
    presses(ann, "rule P1.1 “Camels”")
    ben.sees("Your move is taken back.")
    ben.field("Option").select_option("Zaphod:1.d7-Zaphod:1.d5")
    presses(ben, "Answer")
    ben.told("Ben moves Zaphod:1.d7-Zaphod:1.d5")
    assert game.state.position.at("Zaphod:1.b8") is not None


def test_kings_are_sealed_on_a_phone_and_opened_there(served: Any, opens: Any) -> None:
    game, people = begin(served, opens, terms={"royal.named": "sealed"})
    ann = people["Ann"]
    presses(ann, "dummy")
    ann.sees("king of yellow Zaphod:2.e1")
    presses(ann, "real")
    ann.button("open a king").wait_for()
    assert not game.timeline.kept, "nothing of it is known here"
    ann.page.reload()
    presses(ann, "open a king")
    presses(ann, "king of yellow Zaphod:2.e1")
    presses(ann, "Reveal")
    ann.told("Ann reveals real")
    assert [piece.royal for piece in game.state.position.pieces.values()].count(False) == 1


def test_a_double_click_picks_up_and_a_move_that_names_its_universe_is_told_why_not(served: Any, opens: Any) -> None:
    game, people = begin(served, opens)
    game.choose("Ann", "king of white Zaphod:1.e1")
    ann = people["Ann"]
    ann.root.get_by_text("Type a move", exact=True).click()
    ann.field("Type a move").and_(ann.root.get_by_placeholder("Zaphod:1.e2-Zaphod:1.e4")).wait_for()
    square = ann.root.locator("[data-square='Zaphod:1.e2']")
    ann.still(square)
    square.dblclick()
    ann.sees("Pawn on e2: 2 moves.")
    target = ann.root.locator("[data-square='Zaphod:1.e4']")
    ann.press(target)
    ann.told("Ann moves Zaphod:1.e2-Zaphod:1.e4")
    ann.types("Zaphod:1.d2-Zaphod:1.d4")
    ann.told("A move has already been made on Zaphod:1 this turn")
    ann.types("E2E4")
    ann.told("Ann moves Zaphod:2.e2-Zaphod:2.e4")


def test_a_piece_is_dragged(served: Any, opens: Any) -> None:
    sync_api = pytest.importorskip("playwright.sync_api")
    game, people = begin(served, opens)
    game.choose("Ann", "king of white Zaphod:1.e1")
    ann, mouse = people["Ann"], people["Ann"].page.mouse
    ann.root.get_by_text("Type a move", exact=True).wait_for()
    for origin, target in (("e2", "e5"), ("e2", "e4")):
        squares = [ann.root.locator(f"[data-square='Zaphod:1.{one}']") for one in (origin, target)]
        said = "That pawn can’t go to e5." if target == "e5" else "Ann moves Zaphod:1.e2-Zaphod:1.e4"
        for _ in range(3):  # a panel takes no press where something has changed just then
            ann.still(squares[0])
            (x, y), (to_x, to_y) = [(box["x"] + 20, box["y"] + 20) for box in (one.bounding_box() for one in squares)]
            mouse.move(x, y)
            mouse.down()
            mouse.move(to_x, to_y, steps=4)
            mouse.up()
            with suppress(sync_api.TimeoutError):
                ann.root.get_by_text(said).first.wait_for(timeout=15_000)
                break
        ann.sees(said)


def test_a_press_without_a_pointer_is_one_of_what_it_is_on(served: Any, opens: Any) -> None:
    """Whoever uses a board by voice or a screen reader presses nowhere; what was pressed before does not count."""
    game, people = begin(served, opens)
    game.choose("Ann", "king of white Zaphod:1.e1")
    ann = people["Ann"]
    ann.root.get_by_text("Type a move", exact=True).wait_for()
    squares = {one: ann.root.locator(f"[data-square='Zaphod:1.{one}']") for one in ("d2", "e2", "e4")}
    ann.press(squares["d2"])
    ann.sees("Pawn on d2: 2 moves.")
    squares["e2"].dispatch_event("click")
    ann.sees("Pawn on e2: 2 moves.")
    squares["e4"].dispatch_event("click")
    ann.told("Ann moves Zaphod:1.e2-Zaphod:1.e4")


def test_what_is_wrong_with_clauses_is_said_once(served: Any, opens: Any) -> None:
    game, people = begin(served, opens)
    game.choose("Ann", "king of white Zaphod:1.e1")
    ann = people["Ann"]
    ann.propose("Camels.", 'piece N moves othrwise + "C"')
    ann.told("Nothing is called othrwise here.")
    ann.sees("Line 1, column 15")
    assert ann.root.get_by_text("Line 1, column 15").count() == 1


def test_on_a_phone_the_button_that_leads_to_the_boards_covers_nothing_of_them(served: Any, opens: Any) -> None:
    game = nb.new_game("make-a-rule", NAMES, seed=7)
    ann = opens(served(game).links["Ann"], viewport={"width": 390, "height": 844}, has_touch=True)
    game.choose("Ann", "king of white Zaphod:1.e1")
    ann.press("Make a move")
    ann.root.locator(".nnb-foot").wait_for(state="hidden")
    ann.types("e2e4")
    ann.told("Ann moves Zaphod:1.e2-Zaphod:1.e4")
