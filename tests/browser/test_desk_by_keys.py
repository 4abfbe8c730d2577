"""The desk with keys alone: law book, Judge, host, history, fifteen universes; in JupyterLab and on a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browser.lab import open_notebook, run_all, write_notebook
from browser.people import Person
from make_a_rule_helpers import without_restrictions

import nomic_nb as nb

pytestmark = pytest.mark.browser

NAMES = ["Ann", "Ben", "Cleo"]
#: Two rules made in play, one of which a Judge finds void.
BEGUN = """import nomic_nb as nb
game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7)
def turn(change):
    player = game.player
    game.propose(player, change)
    for name in game.players:
        game.vote(name, "for")
    game.roll(player)
turn(nb.amend(208, law="set win.points to 90"))
turn(nb.enact("Whoever throws has thrown a six.", "set throw.points to 6"))
game.invoke_judgment("Cleo", "Is that so?")
game.rule_on("Ben", "It is not.", rests_on=[101, 302], orders="void rule_numbered(302) against rule_numbered(101)")
game.overrule("Ann", "against")
"""


def in_lab(page: Any, lab: tuple[str, Path], name: str, cell: str) -> Person:
    url, root = lab
    write_notebook(root / f"{name}.ipynb", [(BEGUN + cell, "")])
    open_notebook(page, url, f"{name}.ipynb")
    run_all(page)
    return Person(page)


def by_key(person: Person, one: Any, key: str = "Enter") -> None:
    """Go to something, and press a key on it once it stands still."""
    one.locator("visible=true").first.focus()
    person.still()
    person.page.keyboard.press(key)


def test_the_law_book_by_keys_in_a_notebook(page: Any, lab: tuple[str, Path]) -> None:
    law = in_lab(page, lab, "lawkeys", "game.law_panel()")
    rules = law.root.locator(".nnb-rules")
    assert [one.lower() for one in rules.locator("h3").all_inner_texts()][:2] == ["immutable", "mutable"]
    find = law.field("Search the rules")

    find.fill("umpires")  # which no rule says
    rules.locator("summary:visible").filter(has_text="212").wait_for()
    find.fill("horses")
    law.root.get_by_text("Nothing found.").wait_for()
    find.fill("achieve")
    by_key(law, rules.locator("summary").filter(has_text="301"))
    by_key(law, rules.locator("summary").filter(has_text="What 301 changed"))
    rules.locator("del:visible").filter(has_text="100").first.wait_for()
    assert rules.locator("ins:visible").first.inner_text() == "90"
    by_key(law, rules.locator("summary").filter(has_text="Original and amendments"))
    rules.get_by_text("by 301 (in force)").wait_for()

    find.fill("thrown a six")
    void = rules.locator("summary").filter(has_text="302")
    assert "void" in void.inner_text()
    by_key(law, void)
    rules.get_by_text("Judgment 1").first.wait_for()  # and why

    law.field("Setting").fill("throw.points")
    page.keyboard.press("Enter")
    law.root.locator(".nnb-answer").filter(has_text="face").wait_for()

    find.fill("achieve")
    by_key(law, law.button("Propose a change"))
    law.focused("Change rule 301")
    law.options()
    assert law.field("Kind of change").input_value() == "amend"
    assert law.field("Rule").input_value() == "301"
    law.clauses("set win.points to 80")
    by_key(law, law.button("Propose this change"))
    law.told("Cleo proposes 303")


def test_a_judge_is_overruled_and_another_rules_by_keys_on_a_page_of_the_desk(served: Any, opens: Any) -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=7)
    game.invoke_judgment("Ben", "Is it fair?")
    desk = opens(next(iter(served(game).desk.values())))
    keys = desk.page.keyboard
    desk.field("Ruling").fill("It is.")
    desk.field("Rests on").fill("101")
    keys.press("Enter")  # in a line, Enter sends
    desk.told("rules")
    for name in ("Ann", "Ben"):
        form = desk.root.locator(".nnb-form").filter(has_text=f"{name}: overrule")
        by_key(desk, form.get_by_role("button", name="Overrule", exact=True), "Space")
        desk.told(f"{name} votes for overruling")
    desk.root.locator(".nnb-form").filter(has_text="Ben: decide as Judge").wait_for()
    desk.field("Ruling").fill("It is not.")
    by_key(desk, desk.button("Rule"))
    desk.told("Ben rules")


def test_play_is_let_go_on_by_keys(served: Any, opens: Any) -> None:
    game = nb.new_game("github-nomic", NAMES, seed=7)
    game.begin_turn("Cleo")
    game.invoke_judgment("Ben", "May Cleo take so long?")
    game.choose("Cleo", "Ann")
    game.rule_on("Ann", "She may not.")
    game.overrule("Ben", "against")
    desk = opens(next(iter(served(game).desk.values())))
    for name in NAMES:
        form = desk.root.locator(".nnb-form").filter(has_text=f"{name}: let play continue")
        by_key(desk, form.get_by_role("button", name="Let play go on", exact=True), "Space")
        desk.told(f"{name} is for continuing")
    assert ("Ann", "begin_turn") in [(one.player, one.action) for one in game.pending]


def test_the_host_takes_back_pauses_lets_in_and_saves_by_keys(page: Any, lab: tuple[str, Path], tmp_path: Path) -> None:
    table = in_lab(page, lab, "hostkeys", "game.host_panel()")
    by_key(table, table.button("Pause"), "Space")
    table.told("paused")
    by_key(table, table.button("Go on"))
    table.told("continues")
    by_key(table, table.root.get_by_text("Add a latecomer by consent", exact=True))
    table.field("Name").fill("Zoe")
    table.field("Why").fill("The bus was late.")
    page.keyboard.press("Tab")
    table.focused("everybody who is here agrees")
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    table.focused("Let them in")
    page.keyboard.press("Enter")
    table.told("Zoe joins")
    table.root.locator(".nnb-people").filter(has_text="Zoe").wait_for()
    with page.expect_download() as download:
        by_key(table, table.button("Save the record"))
    download.value.save_as(tmp_path / "record.jsonl")
    assert nb.load(tmp_path / "record.jsonl").players == (*NAMES, "Zoe")
    by_key(table, table.root.get_by_role("button", name="Take back the last act"))
    table.told("is undone")
    table.root.locator(".nnb-people").filter(has_text="Zoe").wait_for(state="hidden")


def test_boards_are_set_up_by_consent_with_the_mouse(served: Any, opens: Any) -> None:
    game = nb.new_game("nomic-chess", NAMES, seed=7)
    desk = opens(next(iter(served(game).desk.values())))
    desk.press(desk.root.get_by_text("Host", exact=True))
    desk.press(desk.root.get_by_text("Set up the boards by consent", exact=True))
    desk.press("Use the current position")
    position = desk.field("Position")
    desk.page.wait_for_function("(one) => one.value.startsWith('white: K')", arg=position.element_handle())
    position.fill("white: Ke1 Qd1\nyellow: Ke1 a2\ngreen: Ke1")
    desk.field("Why").fill("an ending")
    desk.press("Set them up")
    desk.told("consent")
    assert position.input_value().startswith("white: Ke1 Qd1")  # nothing that was written is lost
    desk.root.get_by_label("everybody who is here agrees").locator("visible=true").check()
    desk.press("Set them up")
    desk.told("set up 5 pieces")
    assert game.arrangement["white"] == "Ke1 Qd1"


def test_a_comment_is_written_and_a_fork_made_by_keys_in_a_notebook(page: Any, lab: tuple[str, Path]) -> None:
    back = in_lab(page, lab, "backkeys", "game.history_panel()")
    where = back.root.locator(".nnb-back .nnb-verdict")
    where.filter(has_text="Event").wait_for()
    back.field("Event").focus()
    page.keyboard.press("Home")
    where.filter(has_text="Event 1 of").wait_for()
    page.keyboard.press("ArrowRight")
    where.filter(has_text="Event 2 of").wait_for()
    back.field("Comment").fill("A quiet start.")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    back.focused("Comment on this event")
    page.keyboard.press("Enter")
    back.told("A quiet start.")
    by_key(back, back.button("Branch from here"))
    back.told("game.forks[0].game")


def test_one_of_fifteen_universes_is_moved_in_by_keys_and_its_rules_are_told(page: Any, lab: tuple[str, Path]) -> None:
    url, root = lab
    names = ["Ann", "Ben", "Cleo", "Dov", "Eve", "Fay"]
    cell = (
        f"import nomic_nb as nb\ngame = nb.new_game({str(without_restrictions())!r}, {names}, seed=1)\n"
        "first = game.pending[0]\ngame.choose(first.player, first.options[0])\n"
        "game.propose(game.player, nb.enact('Knights are camels.', 'piece N moves \"C\"', universe='Zaphod:9'))\n"
        "first = game.pending[0]\n"
        "if first.action == 'choose':\n    game.choose(first.player, first.options[0])\ngame.panel()"
    )
    write_notebook(root / "fifteen.ipynb", [(cell, "")])
    open_notebook(page, url, "fifteen.ipynb")
    run_all(page)
    table = Person(page)
    assert table.root.locator(".nnb-small").count() == 15
    title = table.root.locator(".nnb-boards .nnb-title")
    by_key(table, table.root.get_by_role("button", name="Zaphod:9, "))
    title.filter(has_text="Zaphod:9").wait_for()
    table.sees("Rules for Zaphod:9 alone")
    due = table.root.locator(".nnb-small[data-open]")
    before, name = due.count(), str(due.nth(1).inner_text()).split(" ")[0]
    by_key(table, due.nth(1))
    title.filter(has_text=name).wait_for()
    table.types("a2a3")
    table.told("a3")
    page.wait_for_function("(n) => document.querySelectorAll('.nnb-small[data-open]').length === n", arg=before - 1)
