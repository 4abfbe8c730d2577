"""Boards by mouse, finger and keys: drags, taps, promotions; what others move glides; own sides stay below."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from board_helpers import arrange, chess, finish, law, nothing
from browser.lab import open_notebook, run_cell, write_notebook
from browser.people import Person

import nomic_nb as nb

pytestmark = pytest.mark.browser

NAMES = ["Ann", "Ben", "Cleo", "Dov"]
WIDE = {"width": 1280, "height": 800}
PHONE = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True}
BACK = "Ra1* Rh1* Bc1* Bf1* Ng1* a2 c2 d2 e2 f2 g2 h2"
#: A white pawn is one step from promoting, on the half-board of yellow.
POSITION = {
    "white": f"Ke1* Qd1* Nb1* {BACK} yellow.b2",
    "yellow": f"Kd1* Qe1* {BACK}",
    "green": f"Ke1* Qd1* {BACK}",
    "orange": f"Kd1* Qe1* {BACK}",
}
#: Where the middle of a piece is, in squares from the left and the top of the board.
PLACES = """(all) => {
    const box = document.querySelector(".nnb-grid").getBoundingClientRect();
    return all.map((one) => one.getBoundingClientRect()).map(({x, y, width, height}) =>
        [(x + width / 2 - box.x) / width, (y + height / 2 - box.y) / height]);
}"""
#: Notes for each painting whether some piece is between squares.
FILM = """() => {
    window.film = [];
    const take = () => {
        const grid = document.querySelector(".nnb-grid");
        if (!grid) return;
        const box = grid.getBoundingClientRect(), side = box.width / 8;
        const off = (at) => Math.abs(at / side - Math.round(at / side)) > 0.02;
        const seen = [...document.querySelectorAll(".nnb-piece")].map((one) => one.getBoundingClientRect());
        window.film.push([performance.now(), seen.some(({x, y}) => off(x - box.x) || off(y - box.y))]);
        requestAnimationFrame(take);
    };
    take();
}"""
#: Milliseconds from the answer to a press to the painting after it.
PAINTED = """() => {
    window.painted = [];
    addEventListener("click", () => {
        const begun = performance.now();
        requestAnimationFrame(() => setTimeout(() => window.painted.push(performance.now() - begun)));
    }, true);
}"""


def begin() -> nb.Game:
    """A game in which Ann is to move."""
    game = nb.new_game("nomic-chess", NAMES, seed=7, position=POSITION)
    game.propose("Ann", nb.enact("Be kind."))
    for name in NAMES:
        game.vote(name, "for")
    return game


def square(person: Person, name: str) -> Any:
    return person.root.locator(f"[data-square='{name}']")


def middle(person: Person, name: str) -> tuple[float, float]:
    box = square(person, name).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def status(person: Person, text: str) -> None:
    person.root.locator(".nnb-status").filter(has_text=text).wait_for()


def piece(person: Person, name: str) -> Any:
    return person.root.locator(f".nnb-piece[data-on='{name}']")


def ready(person: Person, name: str = "white.e2") -> Person:
    """Wait until a press on a square would be taken."""
    person.still(square(person, name))
    return person


def slide(finger: Any, person: Person, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Put a finger down, and move it."""
    for at in range(9):
        point = {axis: a + (b - a) * at / 8 for axis, a, b in zip("xy", start, end, strict=True)}
        finger("Input.dispatchTouchEvent", {"type": "touchMove" if at else "touchStart", "touchPoints": [point]})
        person.page.wait_for_timeout(20)


def lift(finger: Any) -> None:
    finger("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_piece_follows_the_mouse_and_comes_back_from_where_it_cannot_go(served: Any, opens: Any) -> None:
    game = begin()
    ann = ready(opens(served(game).links["Ann"], viewport=WIDE))
    mouse, dragged = ann.page.mouse, ann.root.locator(".nnb-piece.drag")
    for target in ("white.a4", None, "white.a3"):
        mouse.move(*middle(ann, "white.b1"))
        mouse.down()
        assert ann.root.locator("[data-state~=target]").count() == 2
        x, y = middle(ann, target or "white.h4")
        mouse.move(x - 9, y - 9, steps=4)
        mouse.move(x if target else x + 200, y, steps=2)
        if target:
            box = dragged.bounding_box()
            assert box["x"] + box["width"] / 2 == pytest.approx(x, abs=1)
            assert box["y"] + box["height"] / 2 == pytest.approx(y, abs=1)
        assert square(ann, "white.a3").and_(ann.root.locator(".over")).count() == (target == "white.a3")
        mouse.up()
        assert dragged.count() == 0
        if target != "white.a3":
            status(ann, "That knight can’t go to a4." if target else "Knight on b1: 2 moves.")
            ann.still(piece(ann, "white.b1"))
            assert piece(ann, "white.b1").evaluate_all(PLACES) == [[1.5, 7.5]]
            assert "selected" in str(square(ann, "white.b1").get_attribute("data-state"))
    assert piece(ann, "white.a3").evaluate_all(PLACES) == [[0.5, 5.5]], "it does not glide to where it is already"
    ann.told("Ann moves white.b1-white.a3")
    assert game.state.position.at("white.a3") is not None


def test_a_finger_drags_an_own_piece_and_scrolls_from_any_other_square(served: Any, opens: Any) -> None:
    game = begin()
    ann = ready(opens(served(game).links["Ann"], **PHONE))
    page = ann.page
    finger = page.context.new_cdp_session(page).send
    page.evaluate("() => document.querySelector('.nnb-grid').scrollIntoView({block: 'center'})")
    ready(ann)
    before = page.evaluate("scrollY")
    start, end = middle(ann, "white.b1"), middle(ann, "white.c3")
    slide(finger, ann, start, end)
    finger("Input.dispatchTouchEvent", {"type": "touchCancel", "touchPoints": []})
    ann.still(piece(ann, "white.b1"))
    assert piece(ann, "white.b1").evaluate_all(PLACES) == [[1.5, 7.5]]
    slide(finger, ann, start, end)
    held = ann.root.locator(".nnb-piece.drag.touch svg")
    box, side = held.bounding_box(), square(ann, "white.c3").bounding_box()["width"]
    assert box["width"] > 1.5 * side
    assert box["y"] + box["height"] / 2 < end[1] - 0.3 * side, "the finger does not cover it"
    assert square(ann, "white.c3").and_(ann.root.locator(".over")).count() == 1
    assert page.evaluate("scrollY") == before
    lift(finger)
    ann.told("Ann moves white.b1-white.c3")
    slide(finger, ann, middle(ann, "white.b4"), (middle(ann, "white.b4")[0], middle(ann, "white.b4")[1] - 120))
    lift(finger)
    page.wait_for_function("(before) => scrollY > before + 60", arg=before)


def test_a_pawn_is_promoted_on_its_square_by_taps_and_keys(served: Any, opens: Any) -> None:
    game = begin()
    ann = ready(opens(served(game).links["Ann"], **PHONE))
    menu = ann.root.locator(".nnb-promo")
    square(ann, "yellow.b2").tap()
    status(ann, "Pawn on b2: ")
    square(ann, "yellow.b1").tap()
    menu.wait_for()
    assert ann.focus == "queen"
    place, box = square(ann, "yellow.b1").bounding_box(), menu.bounding_box()
    assert (box["x"], box["y"]) == pytest.approx((place["x"], place["y"]), abs=1)
    assert box["height"] == pytest.approx(4 * place["height"], abs=2), "towards the middle of the board"
    ann.page.wait_for_timeout(100)
    assert menu.count() == 1, "the press that opened it chooses nothing"
    ann.page.keyboard.press("Escape")
    assert menu.count() == 0
    assert piece(ann, "yellow.b2").count() == 1
    ann.page.keyboard.press("Enter")
    ann.still(square(ann, "yellow.b2"))
    square(ann, "yellow.b2").tap()
    square(ann, "yellow.b1").tap()
    ann.page.keyboard.press("ArrowDown")
    assert ann.focus == "rook"
    ann.page.keyboard.press("Enter")
    ann.told("Ann moves yellow.b2-yellow.b1=R")
    assert game.state.position.at("yellow.b1").kind.lower() == "r"


def test_what_others_move_glides_and_own_sides_stay_below(served: Any, opens: Any) -> None:
    game = begin()
    links = served(game).links
    people = {
        "Ben": ready(opens(links["Ben"], viewport=WIDE), "yellow.e2"),
        "Cleo": ready(opens(links["Cleo"], viewport=WIDE, reduced_motion="reduce"), "green.e2"),
    }
    for person in people.values():
        person.page.evaluate(FILM)
    game.move("Ann", "white.b1-white.c3", push=["white", "yellow"])
    for name, person in people.items():
        piece(person, "white.c3").wait_for()
        person.page.wait_for_timeout(300)
        moving = [at for at, between in person.page.evaluate("window.film") if between]
        if name == "Ben":
            assert moving
            assert moving[-1] - moving[0] <= 200
        else:
            assert moving == []
    ben, cleo = people.values()
    assert piece(ben, "white.c3").evaluate_all(PLACES) == [[5.5, 2.5]], "for Ben, yellow is below"
    assert piece(cleo, "white.c3").evaluate_all(PLACES) == [[2.5, 5.5]]
    assert cleo.root.get_by_role("button", name="white, Ann").get_attribute("aria-pressed") == "true"
    cleo.press(cleo.root.get_by_role("button", name="yellow, Ben"))
    square(cleo, "green.a1").wait_for()
    assert piece(cleo, "green.e1").evaluate_all(PLACES) == [[4.5, 7.5]], "her own side is below"
    ben.propose("Be kinder.")
    ben.told("Ben proposes")
    for name in NAMES[1:]:
        game.vote(name, "for")
    game.vote("Ann", "for")
    ben.root.locator(".nnb-boards .nnb-title").filter(has_text="white + yellow – yellow to move").wait_for()
    status(ben, "Last move: white, b1 to c3.")
    assert piece(ben, "yellow.d1").evaluate_all(PLACES) == [[3.5, 7.5]]


def test_an_illegal_target_is_told_why_and_keys_do_what_drags_do(served: Any, opens: Any) -> None:
    game = begin()
    ann = ready(opens(served(game).links["Ann"], viewport=WIDE))
    ann.page.evaluate(PAINTED)
    square(ann, "yellow.d1").click()
    status(ann, "That isn’t your piece.")
    square(ann, "white.a1").click()
    status(ann, "That rook can’t move now.")
    square(ann, "white.b1").click()
    status(ann, "Knight on b1: 2 moves.")
    square(ann, "white.a4").click()
    status(ann, "That knight can’t go to a4.")
    assert square(ann, "white.b1").get_attribute("aria-selected") == "true"
    keys = ann.page.keyboard
    assert ann.focus == "white a4, empty"
    keys.press("Escape")
    assert ann.root.locator("[aria-selected]").count() == 0
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown", "Enter", "ArrowUp", "ArrowUp", "ArrowRight"):
        keys.press(key)
    assert ann.focus == "white c3, empty, legal target"
    keys.press("Space")
    ann.told("Ann moves white.b1-white.c3")
    painted = ann.page.evaluate("window.painted")
    assert len(painted) == 4
    assert sorted(painted)[1] <= 60


def test_boards_are_seen_in_forced_colours_and_armies_marked_on_request(served: Any, opens: Any) -> None:
    game = begin()
    ann = ready(opens(served(game).links["Ann"], viewport=WIDE, forced_colors="active"))
    square(ann, "white.b1").click()
    painted = ann.page.evaluate(
        """(names) => names.map((name) => {
            const one = document.querySelector(`[data-square="${name}"]`);
            return [getComputedStyle(one).backgroundColor, getComputedStyle(one, "::after").backgroundColor];
        })""",
        ["white.a3", "white.b3"],
    )
    assert painted[0][0] != painted[1][0]
    assert painted[0][1] != painted[1][1]
    shot = square(ann, "white.a3").screenshot()
    assert shot != square(ann, "white.b3").screenshot()
    assert piece(ann, "yellow.d1").locator("path[d^='M1 1h8']").count() == 0
    ann.root.get_by_label("Show army marks").check()
    assert piece(ann, "yellow.d1").locator("path[d^='M1 1h8']").count() == 1
    ann.page.reload()
    assert ready(ann).root.get_by_label("Show army marks").is_checked()


def test_a_half_board_of_the_strip_selects_its_pair(served: Any, opens: Any) -> None:
    game = begin()
    ann = ready(opens(served(game).links["Ann"], viewport={"width": 390, "height": 844}))
    halves = ann.root.locator(".nnb-small")
    pressed = "(all) => all.map((one) => one.getAttribute('aria-pressed'))"
    assert halves.evaluate_all(pressed) == ["true", "true", "false", "false"]
    board, strip = (ann.root.locator(one).bounding_box() for one in (".nnb-board", ".nnb-smalls"))
    assert strip["y"] + strip["height"] <= board["y"]
    assert board["width"] >= 350
    ann.press(halves.nth(3))
    assert halves.evaluate_all(pressed) == ["true", "false", "false", "true"]
    square(ann, "orange.d1").wait_for()
    ann.page.set_viewport_size(WIDE)
    board, strip = (ann.root.locator(one).bounding_box() for one in (".nnb-board", ".nnb-smalls"))
    assert strip["x"] + strip["width"] <= board["x"]
    ann.types("e2e4")
    ann.told("Ann moves white.e2-white.e4 with white and orange")


def test_a_captured_piece_is_dropped_from_the_hand(served: Any, opens: Any) -> None:
    game = arrange(chess("Ann", "Ben"), white="Kh1 Ra1", yellow="Kc1 Pc2 white.Nd1")
    law(game, 'set capture.result to "captor\'s hand"')
    game.move("Ann", "white.a1-white.d1", push=("white", "yellow"))
    finish(game)
    nothing(game)
    ann = opens(served(game).links["Ann"], viewport=WIDE)
    ann.press("Drop knight")
    status(ann, "Knight in hand: ")
    assert ann.button("Drop knight").get_attribute("aria-pressed") == "true"
    ann.press(square(ann, "yellow.e4"))
    ann.told("Ann drops white.@N-yellow.e4")
    status(ann, "Last move: white, drop on e4.")
    piece(ann, "yellow.e4").wait_for()
    assert ann.root.get_by_role("button", name="Drop knight").count() == 0


def test_a_drag_over_boards_that_change_moves_nothing(served: Any, opens: Any) -> None:
    game = begin()
    ann = ready(opens(served(game).links["Ann"], viewport=WIDE))
    mouse = ann.page.mouse
    mouse.move(*middle(ann, "white.b1"))
    mouse.down()
    mouse.move(*middle(ann, "white.c2"), steps=3)
    game.move("Ann", "white.e2-white.e4", push=["white", "green"])
    square(ann, "orange.a1").wait_for()  # another move of this turn is made there
    mouse.move(*middle(ann, "yellow.b1"), steps=3)
    mouse.up()
    assert ann.root.locator(".drag, .dragging, .over").count() == 0
    ann.page.wait_for_timeout(300)
    assert list(game.moves["push"]) == ["white+green"]


def test_escape_or_a_lost_pointer_ends_a_drag_without_a_move(served: Any, opens: Any) -> None:
    game = begin()
    ann = ready(opens(served(game).links["Ann"], viewport=WIDE))
    mouse, held = ann.page.mouse, ann.root.locator(".drag, .dragging, .over")
    ends = (
        "Escape",
        "() => dispatchEvent(new Event('blur'))",
        "() => document.querySelector('.nnb-grid').releasePointerCapture(1)",
    )
    for how in ends:
        mouse.move(*middle(ann, "white.b1"))
        mouse.down()
        mouse.move(*middle(ann, "white.b2"), steps=3)
        held.first.wait_for()
        if how == "Escape":
            ann.page.keyboard.press(how)
        else:
            ann.page.evaluate(how)
            mouse.move(*middle(ann, "white.b3"))  # a lost capture is told with the next move
        mouse.move(*middle(ann, "white.c3"), steps=3)
        assert held.count() == 0
        mouse.up()
        ann.still(piece(ann, "white.b1"))
        assert piece(ann, "white.b1").evaluate_all(PLACES) == [[1.5, 7.5]]
    assert len(game.moves) == 0
    assert square(ann, "white.b1").get_attribute("aria-label").endswith("can move")
    ann.press(square(ann, "white.a1"))
    status(ann, "That knight can’t go to a1.")


def test_a_second_finger_ends_a_drag(served: Any, opens: Any) -> None:
    game = begin()
    ann = ready(opens(served(game).links["Ann"], **PHONE))
    finger = ann.page.context.new_cdp_session(ann.page).send
    ann.page.evaluate("() => document.querySelector('.nnb-grid').scrollIntoView({block: 'center'})")
    ready(ann)
    first, second = middle(ann, "white.c3"), middle(ann, "white.e2")
    slide(finger, ann, middle(ann, "white.b1"), first)
    both = [{"x": x, "y": y, "id": at} for at, (x, y) in enumerate((first, second))]
    finger("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": both})
    for points in (both[:1], []):
        finger("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": points})
    ann.still(piece(ann, "white.b1"))
    assert ann.root.locator(".drag, .dragging, .over").count() == 0
    assert piece(ann, "white.b1").evaluate_all(PLACES) == [[1.5, 7.5]]
    assert len(game.moves) == 0
    square(ann, "white.c3").tap()  # what was picked up stays so
    ann.told("Ann moves white.b1-white.c3")


def test_nothing_moves_on_boards_that_are_only_looked_at(served: Any, opens: Any) -> None:
    game = begin()
    game.move("Ann", "white.e2-white.e4", push=["white", "green"])
    ann = opens(served(game).links["Ann"], viewport=WIDE)
    square(ann, "orange.a1").wait_for()
    ann.press(ann.root.locator(".nnb-small").first)
    square(ann, "yellow.b2").wait_for()
    assert ann.root.locator("[data-state~=own]").count() == 0
    assert ann.root.get_by_text("Type a move", exact=True).is_hidden()
    ann.press(square(ann, "yellow.b2"))
    status(ann, "You can’t move on this board now.")


def test_a_typed_move_stays_while_another_is_made(served: Any, opens: Any) -> None:
    game = begin()
    ann = ready(opens(served(game).links["Ann"], viewport=WIDE))
    ann.root.get_by_text("Type a move", exact=True).click()
    ann.field("Type a move").fill("e2e4")
    ann.press(square(ann, "white.b1"))
    ann.press(square(ann, "white.c3"))
    ann.told("Ann moves white.b1-white.c3")
    field = ann.root.locator(".nnb-typed input").first
    assert field.input_value() == "e2e4"
    assert "undefined" not in (field.get_attribute("placeholder") or "")


#: Begins in a notebook the game of `begin`.
CELL = f"""import nomic_nb as nb
game = nb.new_game("nomic-chess", {NAMES}, seed=7, position={POSITION})
game.propose("Ann", nb.enact("Be kind."))
for name in game.players:
    game.vote(name, "for")
"""


def in_lab(page: Any, lab: tuple[str, Path], name: str, *cells: str) -> Person:
    """Open a notebook of cells, run the first, and wait for its panel."""
    url, root = lab
    write_notebook(root / name, [(cell, "") for cell in cells])
    open_notebook(page, url, name)
    run_cell(page, 0)
    return ready(Person(page))


def test_in_a_notebook_a_piece_is_dragged_and_a_pawn_promoted_on_its_square(page: Any, lab: tuple[str, Path]) -> None:
    ann = in_lab(page, lab, "drags.ipynb", f'{CELL}game.panel("Ann")')
    mouse, menu = page.mouse, ann.root.locator(".nnb-promo")
    square(ann, "white.e2").scroll_into_view_if_needed()
    for origin, target in (("white.b1", "white.a4"), ("yellow.b2", "yellow.b1")):
        ann.still(square(ann, origin))
        mouse.move(*middle(ann, origin))
        mouse.down()
        x, y = middle(ann, target)
        mouse.move(x - 9, y - 9, steps=4)
        mouse.move(x, y, steps=2)
        box = ann.root.locator(".nnb-piece.drag").bounding_box()
        assert box["x"] + box["width"] / 2 == pytest.approx(x, abs=1)
        assert box["y"] + box["height"] / 2 == pytest.approx(y, abs=1)
        mouse.up()
        if target == "white.a4":
            status(ann, "That knight can’t go to a4.")
    menu.wait_for()
    place, box = square(ann, "yellow.b1").bounding_box(), menu.bounding_box()
    assert (box["x"], box["y"]) == pytest.approx((place["x"], place["y"]), abs=1)
    assert ann.focus == "queen"
    page.keyboard.press("ArrowDown")
    assert ann.focus == "rook"
    page.keyboard.press("Enter")
    ann.told("Ann moves yellow.b2-yellow.b1=R")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_in_a_notebook_what_others_move_glides_unless_motion_is_reduced(
    page: Any, lab: tuple[str, Path], motion: str
) -> None:
    page.emulate_media(reduced_motion=motion)
    move = 'game.move("Ann", "white.b1-white.c3", push=["white", "yellow"]);'
    ben = in_lab(page, lab, f"glides-{motion}.ipynb", f'{CELL}game.panel("Ben")', move)
    page.evaluate(FILM)
    run_cell(page, 1)
    piece(ben, "white.c3").wait_for()
    page.wait_for_timeout(300)
    assert any(between for _, between in page.evaluate("window.film")) == (motion != "reduce")
    assert piece(ben, "white.c3").evaluate_all(PLACES) == [[5.5, 2.5]], "for Ben, yellow is below"
