"""The end of a game, a check, and the theme of a page: what people see of them, and what they press."""

from __future__ import annotations

from typing import Any

import pytest
from board_helpers import arrange, chess, moves, nothing
from browser.lab import open_notebook, run_all, write_notebook
from browser.people import Person
from play_helpers import turn

import nomic_nb as nb

pytestmark = pytest.mark.browser

NAMES = ["Ann", "Ben", "Cleo"]
PHONE = {"width": 390, "height": 664}
AGAIN = "Play again with these names"
#: Notes what is to be seen of a moment once there is one.
WATCH = """(look) => {
    const note = () => { window.seen ??= [...document.querySelectorAll(".nnb-moment")].map(look)[0]; };
    new MutationObserver(note).observe(document, { childList: true, subtree: true });
}"""
#: What is to be seen of a moment: tone, text, whether it takes presses, how it moves, its share of the screen.
LOOK = """(one) => {
    const { pointerEvents, animationName } = getComputedStyle(one);
    const { height } = one.getBoundingClientRect();
    return [one.classList[1], one.innerText, pointerEvents, animationName, height / innerHeight];
}"""


def played(points: int = 3) -> nb.Game:
    """A game that is over after one turn."""
    game = nb.new_game("discordian-nomic", NAMES, seed=7, terms={"win.points": points}, dice="either")
    turn(game, nb.enact("Be kind."), face=6)
    assert game.over
    return game


def test_the_host_plays_again_and_all_pages_follow(served: Any, opens: Any) -> None:
    game = played()
    room = served(game)
    desk, ann = opens(room.desk["1"]), opens(room.links["Ann"], viewport=PHONE)
    wall = opens(room.wall["1"])
    places = ann.root.locator(".nnb-end .nnb-podium li")
    places.nth(2).wait_for()
    assert [one.get_attribute("data-place") for one in places.all()] == ["1", "2", "2"], "equals share a place"
    assert ann.button(AGAIN).locator("visible=true").count() == 0
    assert wall.button(AGAIN).locator("visible=true").count() == 0
    desk.press(AGAIN)
    for person in (desk, ann, wall):
        person.root.locator(".nnb-end:visible").wait_for(state="detached")
        assert person.root.count() == 1
    desk.told("A new game begins.")
    ann.propose("Be brave.")
    ann.told("Ann proposes 301")
    assert game.play_again().proposals[301].proponent == "Ann"


def test_a_win_offers_the_host_another_game_at_once(served: Any, opens: Any) -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=7, terms={"win.points": 3}, dice="either")
    desk = opens(served(game).desk["1"])
    turn(game, nb.enact("Be kind."), face=6)
    moment = desk.root.locator(".nnb-moment.won")
    moment.get_by_role("button", name="Look back at the game").wait_for()
    desk.press(moment.get_by_role("button", name=AGAIN))
    moment.wait_for(state="detached")
    desk.sees("Ann’s turn: proposal")


def test_a_player_asks_what_one_other_ballot_would_have_changed(served: Any, opens: Any) -> None:
    ben = opens(served(played()).links["Ben"], viewport=PHONE)
    ben.opens("What if?")
    ben.field("Ballot").select_option(label="Cleo votes against")
    ben.press("Play it")
    ben.sees("If Cleo had voted against proposal 301, it would have failed instead")
    ben.field("Ballot").select_option(label="Ann votes against")
    assert ben.root.get_by_text("If Cleo had").count() == 0
    assert ben.page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0


def gives_check(game: nb.Game, move: str) -> bool:
    """Whether a move puts a king in check, tried on a branch."""
    branch = game.fork()
    branch.move("Ann", move)
    return any(event.kind == "checked" for event in branch.timeline.events)


def test_a_check_is_told_shortly_and_covers_nothing_that_is_pressed(served: Any, opens: Any) -> None:
    game = arrange(chess("Ann", "Ben"), white="Ke1 Ra1", yellow="Ke1 Ph2")
    nothing(game)
    checking = next(move for move in moves(game) if gives_check(game, move))
    ben = opens(served(game).links["Ben"], viewport=PHONE, reduced_motion="reduce")
    ben.page.evaluate(f"() => ({WATCH})({LOOK})")
    game.move("Ann", checking)
    ben.page.wait_for_function("() => window.seen")
    tone, text, pointer, animation, share = ben.page.evaluate("() => window.seen")
    assert (tone, pointer, animation) == ("check", "none", "none")
    assert "Check" in text
    assert "gives check to yellow" in text
    assert share < 0.25
    ben.told("gives check to yellow")
    ben.root.locator(".nnb-moment").wait_for(state="detached")


@pytest.mark.parametrize("device_theme", ["light", "dark"])
def test_a_theme_is_chosen_for_this_device_and_kept(served: Any, opens: Any, device_theme: str) -> None:
    room = served(nb.new_game("discordian-nomic", NAMES, seed=7))
    ann = opens(room.links["Ann"], viewport=PHONE, color_scheme=device_theme)
    theme = "() => document.documentElement.dataset.theme"
    other = {"light": "dark", "dark": "light"}[device_theme]
    assert ann.page.evaluate(theme) == device_theme
    ann.press("More")
    ann.field("Colours").select_option(other)
    assert ann.page.evaluate(theme) == other
    ann.page.add_init_script(f"addEventListener('DOMContentLoaded', () => {{ window.first = ({theme})(); }})")
    ann.page.reload()
    Person(ann.page)
    assert ann.page.evaluate("() => window.first") == other
    ann.press("More")
    ann.field("Colours").select_option("")
    assert ann.page.evaluate(theme) == device_theme


def test_a_panel_in_a_notebook_shows_the_new_game_in_its_place(lab: Any, page: Any) -> None:
    url, root = lab
    source = (
        "import nomic_nb as nb\n"
        "game = nb.new_game('discordian-nomic', ['Ann', 'Ben'], seed=7, terms={'win.points': 1}, dice='either')\n"
        "game.propose('Ann', nb.enact('Be kind.'))\n"
        "for name in game.players: game.vote(name, 'for')\n"
        "game.roll('Ann', 6)\n"
        "game.panel()"
    )
    write_notebook(root / "again.ipynb", [(source, ""), ("game = game.play_again()\nprint(game.turn, game.over)", "")])
    open_notebook(page, url, "again.ipynb")
    run_all(page)
    panel = Person(page)
    panel.press(AGAIN)
    panel.told("In a cell: game = game.play_again()")
    panel.sees("Ann’s turn: proposal")
    page.get_by_text("1 False").wait_for()
