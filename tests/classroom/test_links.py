"""Links of seats: who enters gets one, new ones end old ones, and in a file they outlive the server and the kernel."""

from __future__ import annotations

import errno
import gc
import socket
import sqlite3

import pytest
from panels.pages import Page
from play_helpers import sit
from refusals import refused

import nomic_nb as nb
from nomic_nb.engine.errors import IllegalAction
from nomic_nb.notebook.classroom.links import SeatLinks
from nomic_nb.notebook.classroom.serve import PORT, TRIED
from nomic_nb.notebook.store import journal
from nomic_nb.notebook.store.game_store import MOST_LINKS

PLAYERS = ["Ann", "Ben", "Cleo"]


@pytest.fixture
def serves():
    rooms = []

    def serve(game, **how):
        rooms.append(game.serve(**{"port": 0, **how}))
        return rooms[-1]

    yield serve
    for room in rooms:
        room.close()


def secret(link):
    return link.partition("#1/")[2]


def seat_of(room, link):
    return room._rooms["1"].links.seat_of_link(secret(link)).player


def test_who_enters_by_a_rule_gets_a_link_at_once(serves):
    game = sit("Ann", "Ben")
    room = serves(game)
    assert list(room.links) == ["Ann", "Ben"]
    game.propose(
        "Ann",
        nb.enact(
            "Two more.",
            'on enacted when rule == this: enter player "Zoe" as person; enter player "Rex" as dummy',
        ),
    )
    for name in ("Ann", "Ben"):
        game.vote(name, "for")
    assert list(room.links) == ["Ann", "Ben", "Zoe"]
    assert seat_of(room, room.links["Zoe"]) == "Zoe"
    assert "Zoe" in room.cards()
    assert "Rex" not in room.cards()
    old = room.links["Zoe"]
    assert room.new_link("Zoe") != old
    with refused("link-opens-no-seat"):
        seat_of(room, old)


def test_links_in_a_file_hold_when_the_kernel_begins_anew(tmp_path, serves, swept):
    path = tmp_path / "class.sqlite"
    game = nb.new_game("discordian-nomic", PLAYERS, seed=7, file=path)
    first = serves(game)
    ann, wall = first.links["Ann"], next(iter(first.wall.values()))
    Page(game, "Ann", hand=f"seat {secret(ann).partition('.')[0]}").freely("say", text="here")
    del game
    first.close()
    journal._STORES.clear()
    gc.collect()
    game = nb.open(path, "game")
    second = serves(game)
    assert seat_of(second, ann) == "Ann"
    assert seat_of(second, wall) is None
    assert seat_of(second, second.links["Ann"]) == "Ann"
    kept = sqlite3.connect(path).execute("SELECT secret FROM seat").fetchall()
    assert all(secret(link).partition(".")[2] not in str(kept) for link in (ann, wall))
    second.new_link("Ann")
    with refused("link-opens-no-seat"):
        seat_of(second, ann)
    assert seat_of(second, wall) is None


def test_what_a_page_sent_is_not_done_again_after_the_kernel_began_anew(tmp_path, swept):
    path = tmp_path / "class.sqlite"
    game = nb.new_game("discordian-nomic", PLAYERS, seed=7, file=path)
    said = {"id": "m1", "action": "say", "details": {"text": "once"}}
    assert "done" in Page(game, "Ann", hand="seat ab12").send(said)
    before = game.state.seq
    del game
    journal._STORES.clear()
    gc.collect()
    game = nb.open(path, "game")
    again = Page(game, "Ann", hand="seat ab12").send(said)
    assert again["done"] == "m1"
    assert "already been done" in again["said"]
    assert game.state.seq == before
    assert "done" in Page(game, "Ann", hand="seat cd34").send(said)  # of another page, it is another message
    assert game.state.seq > before


def test_a_file_keeps_the_latest_links_of_a_seat_only(tmp_path):
    game = nb.new_game("discordian-nomic", PLAYERS, seed=7)
    links = SeatLinks(game.timeline)
    first = links.create_link("Ann")
    ben = links.create_link("Ben")
    game.keep(tmp_path / "late.sqlite")  # what was given before holds on
    assert links.seat_of_link(first).player == "Ann"
    made = [links.create_link("Ann") for _ in range(MOST_LINKS)]
    assert {links.seat_of_link(link).player for link in made} == {"Ann"}
    with pytest.raises(IllegalAction):
        links.seat_of_link(first)
    assert links.seat_of_link(ben).player == "Ben"


@pytest.mark.parametrize("link", ["", "x.y", 7, None, "\ud800.x", "ab.\ud800", "x" * 90])
def test_what_is_no_link_opens_nothing(link, tmp_path):
    for file in (None, tmp_path / "a.sqlite"):
        game = nb.new_game("discordian-nomic", PLAYERS, seed=7, file=file)
        with refused("link-opens-no-seat"):
            SeatLinks(game.timeline).seat_of_link(link)


def test_a_port_in_use_is_named_with_another_way(serves):
    game = sit("Ann", "Ben")
    port = int(serves(game).addresses[0].rsplit(":", 1)[1].strip("/"))
    with refused("port-in-use", ports=f"port {port} is"):
        game.serve(port=port)
    with refused("port-out-of-range", found=70000):
        game.serve(port=70_000)
    with refused("no-address-of-this-machine", host="192.0.2.1"):
        game.serve(host="192.0.2.1", port=0)


def test_where_all_ports_are_taken_it_says_so(monkeypatch):
    game = sit("Ann", "Ben")

    def taken(*_):
        raise OSError(errno.EADDRINUSE, "in use")

    monkeypatch.setattr(socket.socket, "bind", taken)
    with refused("port-in-use", ports=f"the ports {PORT} to {PORT + TRIED - 1} are all"):
        game.serve()
