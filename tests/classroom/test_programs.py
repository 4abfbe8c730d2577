"""Programs at a served table: who gets in, what they are sent, and what they cannot do."""

from __future__ import annotations

import gc
import http.client
import json
import re
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, closing
from urllib.parse import urlsplit

import pytest
from classroom.connections import Connection
from play_helpers import sit
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

import nomic_nb as nb
from nomic_nb.notebook.classroom import links, sockets
from nomic_nb.notebook.store import journal
from nomic_nb.study import reference

NAMES = ["Ann", "Ben", "Cleo"]
KIND = {"kind": "enact", "wording": "Be kind.", "law": None, "title": None}


@pytest.fixture
def room():
    game = sit(*NAMES)
    with closing(game.serve(port=0)) as made:
        made.game = game
        yield made


def ask(room, path="/seat/view", link=None, body=None, **headers):
    """The status and the JSON that a request gets."""
    url = urlsplit(room.addresses[0])
    headers |= {} if link is None else {"Authorization": f"Bearer {link}"}
    with closing(http.client.HTTPConnection(url.hostname, url.port, timeout=20)) as connection:
        text = body if isinstance(body, (str, bytes, type(None))) else json.dumps(body)
        connection.request("GET" if body is None else "POST", path, text, headers)
        answer = connection.getresponse()
        assert answer.headers["content-security-policy"]
        return answer.status, json.loads(answer.read())


class Program(Connection):
    """A program that is connected."""

    def __init__(self, link, opened, first="program", **more):
        url = urlsplit(link)
        table, _, secret = url.fragment.partition("/")
        self.socket = opened.enter_context(connect(f"ws://{url.netloc}/ws/{table}", max_size=None, **more))
        self.socket.send(json.dumps({first: secret}))

    def view(self):
        return self.hear("view")["view"]

    def say(self, reply):
        self.socket.send(reply if isinstance(reply, str) else json.dumps(reply))

    def answer(self, reply):
        self.say(reply)
        while True:
            got = json.loads(self.socket.recv(timeout=10))
            if "view" not in got:
                return got


@pytest.fixture
def opened():
    with ExitStack() as stack:
        yield stack


def propose(room, **more):
    key = room.game.seat("Ann").view()["asked"][0]["key"]
    return {"key": key, "details": {"change": KIND}} | more


def test_a_program_sees_and_acts_as_a_seat_does(room, opened):
    ann = Program(room.programs["Ann"], opened)
    assert ann.view() == room.game.seat("Ann").view()
    assert ann.answer(propose(room))["said"].startswith("Ann proposes")
    view = ann.view()
    while not view["proposals"]:
        view = ann.view()
    assert view == room.game.seat("Ann").view()
    assert room.replies == {"Ann": {"done": 1}}


def test_a_program_plays_with_requests_alone(room):
    link = room.programs["Ann"]
    status, view = ask(room, link=link)
    assert (status, view) == (200, json.loads(json.dumps(room.game.seat("Ann").view())))
    status, review = ask(room, "/seat/review", link, KIND)
    assert status == 200
    assert "Be kind" in review["review"]
    status, done = ask(room, "/seat/act", link, propose(room))
    assert (status, done["done"]) == (200, True)
    status, refused = ask(room, "/seat/act", link, propose(room))
    assert (status, refused["refused"]) == (200, True)
    assert ask(room, link=link)[1]["refused"] == refused
    assert room.replies == {"Ann": {"done": 1, "refused": 1}}


def test_a_request_waits_for_news(room):
    link, step = room.programs["Ben"], room.game.state.seq
    timer = threading.Timer(0.3, lambda: room.game.say("Cleo", "hello"))
    timer.start()
    _, view = ask(room, f"/seat/view?after={step}", link)
    assert view["step"] == step + 1
    assert ask(room, f"/seat/view?after={step}", link)[1]["step"] == step + 1
    timer.join()


def test_a_reply_that_is_sent_again_is_done_once(room, opened):
    reply = {"id": "a1", "action": "say", "details": {"text": "hello"}}
    ann = Program(room.programs["Ann"], opened)
    first, before = ann.answer(reply), room.game.state.seq
    assert ann.answer(reply) == first
    assert ask(room, "/seat/act", room.programs["Ann"], reply) == (200, first)
    assert room.game.state.seq == before
    for id in (7, "", "x" * 41):
        assert ann.answer(reply | {"id": id})["code"] == "reply-id"


def test_views_and_acts_follow_to_the_next_game(room, opened):
    room.game.host.correct('award 200 points to player_named("Ann")', agreed=NAMES, reason="as agreed")
    assert room.game.over
    ann = Program(room.programs["Ann"], opened)
    assert ann.view()["game"]["over"]
    url = urlsplit(next(iter(room.desk.values())))
    table, _, secret = url.fragment.partition("/desk/")
    desk = opened.enter_context(connect(f"ws://{url.netloc}/ws/{table}"))
    desk.send(json.dumps({"link": secret}))
    desk.send('{"open": true}')
    desk.send(json.dumps({"id": "x", "action": "again", "details": {}}))
    while (view := ann.view())["game"]["over"]:
        pass
    assert ann.answer({"key": view["asked"][0]["key"], "details": {"change": KIND}})["done"]


@pytest.mark.parametrize("way", ["socket", "request"])
def test_machines_at_the_table_answer_programs(opened, way):
    game = nb.new_game("discordian-nomic", NAMES, seed=7, anew=True, machines={"Ben": "random", "Cleo": "contrary"})
    game.machines.pause = 0
    with closing(game.serve(port=0)) as room:
        room.game, link = game, room.programs["Ann"]
        if way == "socket":
            ann = Program(link, opened)
            assert ann.answer(propose(room))["done"]
            while len(ballots(view := ann.view())) < 2:
                pass
        else:
            assert ask(room, "/seat/act", link, propose(room))[1]["done"]
            view = ask(room, link=link)[1]
            while len(ballots(view)) < 2:
                view = ask(room, f"/seat/view?after={view['step']}", link)[1]
    assert view["proposals"][0]["tally"]["against"] == "1"


def ballots(view):
    return [text for _, text in view["lately"] if " proposal 301" in text and " votes " in text]


# ------------------------------------------------------------------------------------------------------- who gets in


def test_links_for_people_and_for_programs_are_not_mixed_up(room, opened):
    with pytest.raises(KeyError):
        room.programs["Zoe"]
    person, program = room.links["Ben"], room.programs["Ben"]
    assert Program(program, opened, first="link").closed() == sockets.OTHER_KIND
    wrong = Program(person, opened)
    assert wrong.hear("why")["why"] == "This link is for a person, not a program. Ask the host for a program link."
    assert wrong.closed() == sockets.OTHER_KIND
    assert ask(room, link=person)[0] == 403
    for link in (None, "x", "#1/a.b", program[:-1], "http://x/#2/a.b", next(iter(room.wall.values()))):
        status, refused = ask(room, link=link)
        assert status in (401, 403), link
        assert refused["why"].endswith(".")
    assert "not a program" not in json.dumps(ask(room, link=program)[1])
    assert program not in str(room) + room.cards()


def test_a_link_that_was_taken_back_opens_nothing_and_ends_what_it_opened(room, opened):
    old, person = room.programs["Ben"], room.links["Ben"]
    program, page = Program(old, opened), Program(person, opened, first="link")
    program.view()
    page.hear("seated")
    new = room.new_link("Ben", program=True)
    assert program.closed() == sockets.NO_LINK
    assert ask(room, link=old)[0] == 401
    assert ask(room, link=new)[0] == 200
    assert room.programs["Ben"] == new
    assert room.links["Ben"] == person
    page.say({"id": "s", "action": "say", "details": {"text": "still here"}})
    assert page.hear("done")["done"] == "s"
    room.new_link("Ben")
    assert page.closed() == sockets.NO_LINK
    assert ask(room, link=new)[0] == 200


def test_a_request_that_waits_is_told_nothing_once_its_link_was_taken_back(room):
    old, step, got = room.programs["Ben"], room.game.state.seq, []
    waiting = threading.Thread(target=lambda: got.append(ask(room, f"/seat/view?after={step}", old)))
    waiting.start()
    seat = next(iter(room._rooms.values()))
    while not any(program.open_requests for program in seat.programs.values()):
        time.sleep(0.01)
    room.new_link("Ben", program=True)
    room.game.say("Ann", "Ben is out")
    waiting.join()
    assert got[0][0] == 401


def test_a_person_and_a_program_can_have_one_seat_and_the_newer_program_has_it(room, opened):
    page = Program(room.links["Ben"], opened, first="link")
    page.hear("seated")
    first = Program(room.programs["Ben"], opened)
    first.view()
    second = Program(room.programs["Ben"], opened)
    assert second.view()["you"] == "Ben"
    assert first.closed() == sockets.TAKEN
    page.say({"id": "s", "action": "say", "details": {"text": "still here"}})
    assert page.hear("done")["done"] == "s"


def test_another_origin_gets_nothing(room, opened):
    with pytest.raises(InvalidStatus):
        Program(room.programs["Ben"], opened, origin="http://evil.example")
    url = urlsplit(room.addresses[0])
    with closing(http.client.HTTPConnection(url.hostname, url.port, timeout=10)) as connection:
        told = {"Authorization": f"Bearer {room.programs['Ben']}", "Origin": "http://evil.example"}
        connection.request("GET", "/seat/view", headers=told)
        assert connection.getresponse().status == 421


# ---------------------------------------------------------------------------------------------------------- bad input


BAD = {
    "no JSON": "I vote for it", "nothing": "", "a list": "[1]", "null": "null", "half a character": '"\\ud800"',
    "an old key": {"key": "0" * 16, "details": {"ballot": "for"}}, "other fields": {"key": "0" * 16, "vote": "for"},
    "a key that is a list": {"key": ["a"]}, "an action that is a set": {"action": {"a": 1}},
    "an echo of half a character": '{"action": "\\ud800"}', "another player": {"action": "say", "player": "Ann"},
    "details of another": {"action": "say", "details": {"text": "x", "player": "Ann"}},
    "for others": {"action": "say", "details": {"text": "x", "agreed": ["Cleo"]}},
    "the host's": {"action": "undo", "details": {}}, "a statement that is a text": {"statement": "Hm"},
    "an empty statement": {"statement": {}}, "one on nothing": {"statement": {"proposal": [], "text": "Hm"}},
    "too deep": "[" * 900 + "]" * 900,
    "a statement that runs backwards": {"statement": {"proposal": 301, "text": "\u202efor"}},
    "half a character in a statement": {"statement": {"proposal": 301, "text": "for \ud83d"}},
    "half a character in an id": {"id": "\ud83d", "action": "say", "details": {"text": "Hm"}},
}  # fmt: skip


@pytest.mark.parametrize("way", ["socket", "request"])
def test_a_bad_reply_is_refused_and_counted_and_nothing_happens(room, opened, way):
    assert room.game.seat("Ann").act(propose(room))["done"]
    link, before = room.programs["Ben"], room.game.fingerprint
    ben = Program(link, opened)
    for name, bad in BAD.items():
        text = bad if isinstance(bad, str) else json.dumps(bad)
        got = ben.answer(text) if way == "socket" else ask(room, "/seat/act", link, text)[1]
        assert got["refused"] is True, name
        assert got["why"].endswith("."), name
    assert room.replies == {"Ben": {"refused": len(BAD)}}
    assert room.game.fingerprint == before
    assert room.game.seat("Ben").view()["refused"] is None


def test_bytes_that_are_no_text_are_refused(room):
    link, before = room.programs["Ann"], room.game.fingerprint
    for path, body in (
        ("act", b'{"action":"say","details":{"text":"\xff"}}'),
        ("review", b'{"kind":"enact","wording":"\xe2\x82"}'),
    ):
        _, got = ask(room, f"/seat/{path}", link, body)
        assert "half of a character" in got["why"]
    assert room.game.fingerprint == before


def test_half_a_character_from_one_page_closes_no_other(room, opened):
    ann, ben = (Program(room.links[name], opened, first="link") for name in ("Ann", "Ben"))
    ann.hear("class")
    ben.say('{"id":"a","class":"draft","details":{"change":{"kind":"repeal","target":"\\ud83d"}}}')
    assert "half of a character" in ben.hear("why")["why"]
    ben.say({"id": "b", "class": "draft", "details": {"change": KIND}})
    ben.say({"id": "c", "class": "share", "details": {"number": 1, "shared": True}})
    assert ann.hear("class_diff")


def test_five_megabytes_are_refused(room, opened):
    before, huge = room.game.fingerprint, json.dumps({"action": "say", "details": {"text": "x" * 5_000_000}})
    ben = Program(room.programs["Ben"], opened)
    with pytest.raises(ConnectionClosed):
        ben.answer(huge)
    try:
        status, refused = ask(room, "/seat/act", room.programs["Ben"], huge)
    except OSError:  # it was let go before all of it was sent
        status, refused = 413, {"refused": True}
    assert (status, refused["refused"]) == (413, True)
    status, refused = ask(room, "/seat/act", room.programs["Ben"], huge[:33_000])
    assert (status, refused["why"]) == (413, "A message can have at most 32768 bytes.")
    assert room.game.fingerprint == before


def test_a_client_that_floods_is_refused_and_others_play_on(room, opened, monkeypatch):
    monkeypatch.setattr(links, "BURST", 2)
    monkeypatch.setattr(links, "PER_SECOND", 0.01)
    ben = Program(room.programs["Ben"], opened)
    for _ in range(40 + links.WRONG + 5):
        ben.say({"action": "ask_again"})
    assert ben.closed() == sockets.TOO_MANY
    assert ask(room, link=room.programs["Ben"])[0] == 429
    assert room.replies["Ben"]["refused"] <= 41
    ann = Program(room.programs["Ann"], opened)
    assert ann.answer(propose(room))["done"]


def test_a_program_has_twenty_times_the_messages_of_a_page(room, opened):
    ben = Program(room.programs["Ben"], opened)
    for _ in range(10 * links.BURST):
        ben.say({"action": "say", "details": {"text": "hello"}})
    answers = []
    while len(answers) < 10 * links.BURST:
        answers.append(ben.hear("said"))
    assert room.replies == {"Ben": {"done": 10 * links.BURST}}


def test_a_link_has_few_requests_open_at_once(room):
    link, step, statuses = room.programs["Ben"], room.game.state.seq, []

    def wait():
        statuses.append(ask(room, f"/seat/view?after={step}", link)[0])

    threads = [threading.Thread(target=wait) for _ in range(7)]
    for one in threads:
        one.start()
    while len(statuses) < 3:
        pass
    room.game.say("Ann", "hello")
    for one in threads:
        one.join()
    assert sorted(statuses) == [200] * 4 + [429] * 3


# --------------------------------------------------------------------------------------------------------- statements


def test_a_statement_is_shown_beside_the_proposal_to_programs_and_pages(room, opened):
    ann = Program(room.programs["Ann"], opened)
    page = Program(room.links["Ben"], opened, first="link")
    page.hear("seated")
    page.say({"open": True})
    assert ann.answer(propose(room))["done"]
    before = room.game.fingerprint
    said = ann.answer({"statement": {"proposal": 301, "text": " Kindness\n is cheap. "}})
    assert said["said"] == "Your statement is saved."
    shown = [{"by": "Ann", "text": "Kindness is cheap.", "ballot": None}]
    while (view := ann.view())["proposals"][0]["statements"] != shown:
        pass
    page.say({"id": "s", "class": "statement", "details": {"proposal": "301", "text": "Is it?"}})
    while '"Is it?"' not in page.socket.recv(timeout=10):
        pass
    while len((view := ann.view())["proposals"][0]["statements"]) < 2:
        pass
    assert "Ben says of it: “Is it?”" in nb.Game(room.game.timeline).seat("Cleo").view().text()
    assert view["proposals"][0]["statements"][1] == {"by": "Ben", "text": "Is it?", "ballot": None}
    assert room.game.fingerprint == before


def test_statements_of_pages_and_programs_are_in_the_file_of_a_served_game(tmp_path, opened, swept):
    path = tmp_path / "class.sqlite"
    game = nb.new_game("discordian-nomic", NAMES, seed=7, file=path)
    with closing(game.serve(port=0)) as room:
        room.game = game
        ann = Program(room.programs["Ann"], opened)
        assert ann.answer(propose(room))["done"]
        assert ann.answer({"statement": {"proposal": 301, "text": "Please."}})["done"]
        page = Program(room.links["Ben"], opened, first="link")
        page.say({"id": "s", "class": "statement", "details": {"proposal": 301, "text": "No."}})
        assert page.hear("done")["done"] == "s"
    journal._STORES.clear()
    del game, room
    gc.collect()
    game = nb.open(path, "game")
    with closing(game.serve(port=0)):
        said = game.seat("Cleo").view()["proposals"][0]["statements"]
    assert said == [
        {"by": "Ann", "text": "Please.", "ballot": None}, {"by": "Ben", "text": "No.", "ballot": None},
    ]  # fmt: skip


def test_a_program_hears_of_its_statement_once_that_is_stored(tmp_path, opened, monkeypatch):
    write, stored = journal.GameStore.write_beside, []

    def write_late(store, *rows):
        time.sleep(0.3)
        write(store, *rows)
        stored.append(rows)

    game = nb.new_game("discordian-nomic", NAMES, seed=7, file=tmp_path / "class.sqlite")
    with closing(game.serve(port=0)) as room:
        room.game = game
        ann = Program(room.programs["Ann"], opened)
        assert ann.answer(propose(room))["done"]
        monkeypatch.setattr(journal.GameStore, "write_beside", write_late)
        assert ann.answer({"statement": {"proposal": 301, "text": "Please."}})["done"]
        assert stored


# ----------------------------------------------------------------------------------------------- the client on the page


@pytest.mark.slow
def test_the_client_on_the_page_plays_to_a_winner(tmp_path):
    page = reference.read_page("programs")
    (client,) = re.findall(r"```python\n(# client\.py.*?)```", page, re.S)
    assert "nomic_nb" not in client
    assert len(client.splitlines()) <= 60
    path = tmp_path / "client.py"
    path.write_text(client)
    game = sit(*NAMES, terms={"win.points": 12})
    with closing(game.serve(port=0)) as room:
        programs = [
            subprocess.Popen([sys.executable, "-P", path], env={"NOMIC_LINK": link}, stdout=subprocess.PIPE, text=True)
            for link in room.programs.values()
        ]
        told = [one.communicate(timeout=120)[0] for one in programs]
    assert game.over
    assert game.winners
    assert all("win" in one for one in told), told
