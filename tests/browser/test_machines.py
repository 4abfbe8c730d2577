"""One person plays against machines on a page, by keys; whoever keeps the record stops them and takes seats over."""

from __future__ import annotations

from typing import Any

import pytest
from browser.people import WORDING, Person
from players.test_machines import broken, first_answer

import nomic_nb as nb

pytestmark = pytest.mark.browser

NAMES = ["Ann", "Ben", "Cleo"]


def begin(**machines: Any) -> nb.Game:
    return nb.new_game(
        "discordian-nomic", NAMES, seed=7, anew=True, machines=machines, pause=0, terms={"win.points": 12}
    )  # fmt: skip


def by_key(person: Person, name: str) -> None:
    """Go to a button and press it by a key, once it stands still."""
    person.button(name).locator("visible=true").first.focus()
    person.still()
    person.page.keyboard.press("Enter")


def test_one_person_plays_on_a_page_to_the_end_by_keys(served: Any, opens: Any) -> None:
    game = begin(Ben=first_answer, Cleo=first_answer)
    ann = opens(served(game).links["Ann"])
    acts = ann.button("For").or_(ann.button("Roll"))
    writes = ann.root.get_by_role("button", name="Write a rule", exact=True).or_(ann.field(WORDING))
    ends = ann.root.and_(ann.page.locator("[data-over]"))
    for _ in range(60):
        (acts.or_(writes).locator("visible=true")).or_(ends).first.wait_for()
        before = ann.step
        if game.over:
            break
        if writes.locator("visible=true").count():
            ann.writes()
            ann.field(WORDING).fill("Tea is at four.")
            send = ann.root.locator("button.nnb-send")
        else:
            send = acts
        send.locator("visible=true").first.focus()
        ann.still()
        ann.page.keyboard.press("Enter")
        ann.follows(before + 1)
    assert game.over
    called = game.winner if game.winner == "Ann" else f"{game.winner} (machine)"
    ann.root.locator(".nnb-heading").filter(has_text=f"{called} wins").wait_for()
    assert "Ben (machine)" in ann.root.inner_text()


def test_the_host_stops_machines_and_takes_a_seat_over_by_keys(served: Any, opens: Any) -> None:
    game = begin(Ben="contrary", Cleo="contrary")
    host = opens(served(game).desk["1"])
    card = host.root.locator(".nnb-machines")
    by_key(host, "Pause machines")
    host.button("Let them play").wait_for()
    host.propose("Tea is at four.")
    host.sees("Proposal 301")
    assert game.proposals[301].ballots == {}
    by_key(host, "Let one play")
    host.root.locator(".nnb-tile").and_(host.page.locator("[data-cast=against]")).filter(
        has_text="Ben (machine)"
    ).wait_for()
    assert game.proposals[301].ballots == {"Ben": "against"}
    by_key(host, "Take over from Cleo")
    card.get_by_text("Cleo", exact=True).wait_for()
    by_key(host, "Cleo votes for")
    host.root.locator(".nnb-tile").and_(host.page.locator("[data-cast=for]")).filter(has_text="Cleo").wait_for()
    by_key(host, "Let the kit play for Cleo")
    card.get_by_text("Cleo (machine)").wait_for()
    assert list(game.machines) == ["Ben", "Cleo"]


def test_a_machine_that_fails_is_told_of_and_asked_again(served: Any, opens: Any) -> None:
    answers = iter([broken, first_answer])
    game = begin(Ben=lambda view: next(answers)(view))
    room = served(game)
    host, cleo = opens(room.desk["1"]), opens(room.links["Cleo"])
    host.propose("Tea is at four.")
    host.root.locator(".nnb-machines").get_by_text("the network is gone").wait_for()
    by_key(host, "Ask again")
    host.root.locator(".nnb-tile").and_(host.page.locator("[data-cast=for]")).filter(
        has_text="Ben (machine)"
    ).wait_for()
    cleo.root.locator(".nnb-tile").filter(has_text="Ben (machine)").wait_for()


def test_a_player_takes_the_own_seat_back(served: Any, opens: Any) -> None:
    game = begin(Ben="contrary")
    game.machines.hold()
    ben = opens(served(game).links["Ben"])
    ben.sees("A machine plays for you.")
    by_key(ben, "Play for yourself")
    ben.root.get_by_text("A machine plays for you.").wait_for(state="hidden")
    assert list(game.machines) == []


def test_the_host_page_says_that_it_waits_for_a_machine(served: Any, opens: Any) -> None:
    game = begin()
    game.machines.hold()
    game.machines["Ann"] = "contrary"
    host = opens(served(game).desk["1"])
    host.root.locator(".nnb-now-card").get_by_text("Waiting for Ann (machine)").wait_for()
    host.sees("The machines are paused. Let them play under Machines.")
    by_key(host, "Let one play")
    host.root.locator(".nnb-now-card").get_by_text("Waiting for 3").wait_for()
