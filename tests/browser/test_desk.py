"""The desk: law book, history, host and Judge, by mouse and by keys, in JupyterLab and on a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browser.lab import open_notebook, run_all, write_notebook
from browser.people import PICTURED, Person

import nomic_nb as nb
from nomic_nb.notebook.panels.session import hub_of_game

pytestmark = pytest.mark.browser

NAMES = ["Ann", "Ben", "Cleo"]
BEGUN = """import ipywidgets as w
import nomic_nb as nb
game = nb.new_game("nomic-chess", ["Ann", "Ben", "Cleo"], seed=7)
game.propose("Ann", nb.enact("Be kind."))
for name in game.players:
    game.vote(name, "for")
game.move("Ann", "e2e4", push=["white", "yellow"])
"""


def played() -> nb.Game:
    game = nb.new_game("nomic-chess", NAMES, seed=7)
    game.propose("Ann", nb.enact("Be kind."))
    for name in NAMES:
        game.vote(name, "for")
    game.move("Ann", "e2e4", push=["white", "yellow"])
    return game


def at_desk(served: Any, opens: Any, game: nb.Game) -> Person:
    return opens(next(iter(served(game).desk.values())))


def in_lab(page: Any, lab: tuple[str, Path], name: str, cell: str) -> Person:
    url, root = lab
    write_notebook(root / f"{name}.ipynb", [(BEGUN + cell, "")])
    open_notebook(page, url, f"{name}.ipynb")
    run_all(page)
    return Person(page)


def goes_back(table: Person) -> None:
    """Go through the history by keys and with the mouse."""
    slider, where = table.field("Event"), table.root.locator(".nnb-back .nnb-verdict")
    where.filter(has_text="Event").wait_for()
    last = slider.input_value()
    slider.focus()
    table.page.keyboard.press("Home")
    where.filter(has_text="Event 1 of").wait_for()
    assert table.root.locator(".nnb-rules summary").filter(has_text="Be kind").locator("visible=true").count() == 0
    table.press("Next highlight")
    where.filter(has_text="proposes 301").wait_for()
    table.press("Next highlight")
    where.filter(has_text="becomes rule").wait_for()
    table.root.locator(".nnb-back .nnb-rules summary").filter(has_text="Be kind").wait_for()
    boards = table.root.locator(".nnb-then canvas")
    assert boards.evaluate_all(PICTURED) == [[16, 0]] * 3
    table.press("Latest")
    where.filter(has_text=f"Event {last} of {last}").wait_for()
    assert sum(marked for _, marked in boards.evaluate_all(PICTURED)) == 2
    ticks = table.root.locator(".nnb-strip button")
    ticks.and_(table.page.locator("[tabindex='0']")).focus()
    table.page.keyboard.press("Home")
    where.filter(has_text="turn 1:").wait_for()
    first = table.page.evaluate("document.activeElement.ariaLabel")
    assert "proposal 301 passes" in first
    assert first.endswith(f" game.at({slider.input_value()})")
    assert ticks.first.get_attribute("aria-current") == "true"
    table.press(ticks.last)
    where.filter(has_text=f"Event {last} of {last}").wait_for()


def test_the_history_on_a_page_of_the_desk(served: Any, opens: Any) -> None:
    game = played()
    table = at_desk(served, opens, game)
    table.press(table.root.get_by_text("History", exact=True))
    goes_back(table)
    table.field("Comment").fill("<b>Bold</b> and sound.")
    table.field("Glyph").select_option("!")
    table.press("Comment on this event")
    table.told("Bold")
    assert game.comments["text"].tolist() == ["<b>Bold</b> and sound."]
    table.press("Previous event")
    table.press("Branch from here")
    table.told("game.forks[0].game")
    assert len(game.forks) == 1


def test_the_history_in_a_notebook(page: Any, lab: tuple[str, Path]) -> None:
    goes_back(in_lab(page, lab, "history", "game.history_panel()"))


def test_a_word_of_the_law_says_by_keys_who_wrote_it(served: Any, opens: Any) -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=7)
    game.propose("Ann", nb.amend(207, "Nobody need vote on Sundays.", add=True))
    for name in NAMES:
        game.vote(name, "for")
    table = at_desk(served, opens, game)
    table.press(table.root.locator(".nnb-law > summary"))
    rule = table.root.locator(".nnb-rules details").filter(has_text="301").first
    table.press(rule.locator("summary").first)
    words = rule.locator(".nnb-wrote > summary").filter(has_text="Sundays")
    note = rule.locator(".nnb-wrote").filter(has_text="Sundays").locator("> span")
    words.wait_for()
    assert not note.is_visible()
    words.focus()
    table.page.keyboard.press("Enter")
    note.filter(has_text="amended by 301 (Ann, turn 1), 3 for, 0 against").wait_for()
    assert words.inner_text() in "Nobody need vote on Sundays."


def test_a_seat_looks_back_and_writes_nothing_into_the_record(page: Any, lab: tuple[str, Path]) -> None:
    ann = in_lab(page, lab, "seatback", 'game.history_panel("Ann")')
    ann.root.locator(".nnb-back .nnb-verdict").filter(has_text="Event").wait_for()
    assert ann.root.get_by_text("Comment on this event").locator("visible=true").count() == 0


def test_before_the_first_picture_nothing_can_be_opened_or_pressed(page: Any, served: Any) -> None:
    ends: list[Any] = []
    held: list[Any] = []

    def hold(socket: Any) -> None:
        ends.extend((socket.connect_to_server(), socket))
        ends[0].on_message(lambda message: held.append(message))

    page.route_web_socket("**/ws/*", hold)
    page.goto(next(iter(served(played()).desk.values())))
    page.locator(".nnb-live").wait_for()
    assert page.locator("details, button, input, select, textarea").count() == 0
    server, socket = ends
    server.on_message(lambda message: socket.send(message))
    for message in held:
        socket.send(message)
    Person(page)
    page.evaluate("() => { for (const one of document.querySelectorAll('details')) one.open = true; }")
    page.locator(".nnb-back .nnb-verdict").filter(has_text="Event").wait_for()


def test_a_teacher_keeps_the_record_from_a_page(served: Any, opens: Any, tmp_path: Path) -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=7)
    game.propose("Ann", nb.enact("Be kind."))
    table = at_desk(served, opens, game)
    table.press(table.root.get_by_text("Host", exact=True))
    table.press("Cleo is away")
    table.told("Cleo is away")
    table.press("Ben votes against")
    table.told("Ben votes against proposal 301")
    table.press("Take back the last act: Ben votes against proposal 301.")
    table.told("is undone")
    assert game.proposals[301].ballots == {}
    table.press("Hands up: all 2 others for")
    table.told("Ben votes for proposal 301")
    assert game.proposals[301].ballots == {"Ann": "for", "Ben": "for"}
    table.press("Cleo is back")
    table.told("Cleo is back")
    table.press("Pause")
    table.told("paused")
    table.sees("The game is paused")
    table.press("Next: Go on")
    table.told("continues")
    with table.page.expect_download() as download:
        table.press("Save the record")
    download.value.save_as(tmp_path / "record.jsonl")
    letters = table.root.locator(".nnb-letters").inner_text()
    assert nb.load(tmp_path / "record.jsonl", fingerprint=letters).state.digest() == game.state.digest()


def test_the_host_by_keys_in_a_notebook(page: Any, lab: tuple[str, Path]) -> None:
    table = in_lab(page, lab, "host", 'game.propose("Ben", nb.enact("Be rude."))\ngame.host_panel()')
    keys = page.keyboard
    table.button("Ann is away").focus()
    table.still()
    keys.press("Enter")
    table.told("Ann is away")
    table.button("All others against 302").focus()
    table.still()
    keys.press("Space")
    table.told("Cleo votes against proposal 302")
    table.root.get_by_text("Correct the record by consent", exact=True).press("Enter")
    table.field("Correction").fill('put points of "Ann" at 2')
    table.field("Why").fill("as agreed")
    table.press("Correct it")
    table.told("That didn’t count.")


def test_law_book_score_and_judge_stand_alone_in_a_box(page: Any, lab: tuple[str, Path]) -> None:
    url, root = lab
    box = (
        'import nomic_nb as nb\ngame = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7)\n'
        'game.invoke_judgment("Ben", "Is a tie a win?")\n'
        "import ipywidgets as w\nw.VBox([game.law_panel(), game.score_panel(), game.judge_panel()])"
    )
    write_notebook(root / "desk.ipynb", [(box, "")])
    open_notebook(page, url, "desk.ipynb")
    run_all(page)
    page.locator(".nnb-live").nth(2).wait_for()
    law, score, judge = (Person(page, page.locator(".nnb-live").nth(at)) for at in range(3))
    score.root.locator(".nnb-history").filter(has_text="Is a tie a win").wait_for()
    judge.sees("Is a tie a win?")
    judge.field("Ruling").fill("It is none.")
    judge.press("Rule")
    judge.told("rules")
    judge.press(judge.root.get_by_text("All judgments", exact=True))
    judge.root.locator(".nnb-answer").filter(has_text="It is none.").wait_for()
    law.field("Search the rules").fill("208")
    law.press(law.root.locator(".nnb-rules summary").filter(has_text="208"))
    law.root.locator(".nnb-rules .nnb-wording").filter(has_text="100").wait_for()


def test_a_poll_is_answered_by_all_and_an_offer_is_taken_with_its_words(served: Any, opens: Any) -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=7)
    asks = (
        'on said when text == "go": let seats choose verdict from ["yes", "no"] asking "Was it funny?"; announce "Ha"'
    )
    game.propose("Ann", nb.enact("Polls and a bell.", f'{asks}\noffer "ring the bell": award 1 points to player'))
    for name in NAMES:
        game.vote(name, "for")
    room = served(game)
    ben, desk = opens(room.links["Ben"]), opens(room.desk["1"])
    game.say("Ann", "go")
    ben.root.locator(".nnb-waits").filter(has_text="Ann, Cleo: Was it funny?").wait_for()
    ben.press("no")
    ben.told("Ben chooses no")
    wall = opens(next(iter(room.wall.values())))
    tiles = wall.root.locator(".nnb-polls .nnb-tile")
    tiles.filter(has_text="no").wait_for()
    assert [one.inner_text().split() for one in tiles.all()] == [["Ann", "…"], ["Ben", "no"], ["Cleo", "…"]]
    for name in ("Ann", "Cleo"):
        form = desk.root.locator(".nnb-form").filter(has_text=f"{name}: Was it funny?")
        desk.press(form.get_by_role("button", name="yes", exact=True))
        desk.told(f"{name} chooses yes")
    ben.root.locator(".nnb-history").filter(has_text="Ha").wait_for()
    before = game.scores["Ben"]
    ben.press("ring the bell")
    ben.told("+1 point")
    assert game.scores["Ben"] == before + 1


def test_on_binder_the_panel_says_that_it_forgets_while_host_is_folded(page: Any, lab: tuple[str, Path]) -> None:
    begun = "import os\nos.environ['BINDER_LAUNCH_HOST'] = 'https://hub.example'\ngame.panel()"
    table = in_lab(page, lab, "binder", begun)
    host = table.root.locator(".nnb-host")
    table.root.locator(".nnb-notice").filter(has_text="Binder, which forgets").wait_for()
    assert host.get_attribute("open") is None
    table.press("More") if table.button("More").is_visible() else host.locator("summary").first.click()
    with page.expect_download() as download:
        table.press("Save the record")
    assert download.value.suggested_filename.endswith(".jsonl")


def test_a_loophole_that_was_found_is_on_all_pages_and_its_bounds_are_on_the_host_page(
    served: Any, opens: Any, monkeypatch: Any
) -> None:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    room = served(game)
    host, voter = map(opens, (*room.desk.values(), room.links["Ben"]))
    game.propose("Ann", nb.enact("Please.", 'on said when text == "please": award 100 points to player'))
    hub_of_game(game)._run_search()
    for page in (host, voter):
        page.root.locator(".nnb-odd").get_by_text("Ann or Ben could win even if all others vote against").wait_for()
    told = "Proposal 301: Ann could win even if all others vote against: Ann says “please”."
    assert host.root.locator(".nnb-host li").filter(has_text=told).count() == 1
    assert voter.page.get_by_text("Proposal 301: Ann could win").count() == 0
