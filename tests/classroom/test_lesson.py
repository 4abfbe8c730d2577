"""A lesson over the wire: from a closed door to seats, with late, lost and doubled phones."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack, suppress
from ipaddress import IPv4Address
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest
from classroom.connections import Connection
from hypothesis import given, settings
from hypothesis import strategies as st
from play_helpers import turn
from refusals import refused
from study.library.playing import Playing, rules
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

import nomic_nb as nb
from nomic_nb.engine.errors import IllegalAction, RecordError
from nomic_nb.engine.threads import Event, start_thread
from nomic_nb.notebook.classroom import lobby, serve, server, sockets
from nomic_nb.notebook.classroom.door import Door
from nomic_nb.notebook.classroom.door import _fault_of_names as door_fault
from nomic_nb.notebook.classroom.lesson import _enter, _summary
from nomic_nb.notebook.classroom.room import ServedRoom
from nomic_nb.notebook.classroom.serve import ServedLesson
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.panels.session import PanelViewer
from nomic_nb.notebook.store import game_store, journal
from nomic_nb.notebook.store.journal import GameStore, open_store

SETTINGS = {"ruleset": "discordian-nomic", "points": "30", "joint": "joint", "away": True}
NAMES = ("Ada", "Ben", "Cleo", "Dov")


@pytest.fixture
def opened():
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def lesson(opened, monkeypatch):
    monkeypatch.setattr(lobby, "DELAY", 0.01)
    served = ServedLesson({}, lan=False, port=0, names=["hub.example"])  # behind a proxy, all phones have one address
    opened.callback(served.close)
    return served


class FakePhone:
    """A phone that hears nothing."""

    def tell(self, message):
        pass

    def end(self):
        pass


class Page(Connection):
    """A page without a browser: the door, the lobby or a seat."""

    def __init__(self, lesson, path, opened, first=None):
        self.socket = opened.enter_context(connect(f"ws://127.0.0.1:{lesson._port}/{path}"))
        if first is not None:
            self.say(first)

    def say(self, message):
        self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))


class Host(Page):
    """The page of the host."""

    def __init__(self, lesson, opened):
        self.opened = opened
        super().__init__(lesson, "lobby", opened, {"secret": urlsplit(lesson.host_page).fragment.partition("=")[2]})
        self.count = 0

    def do(self, command, **details):
        self.count += 1
        self.say({"id": self.count, "do": command, "details": details})
        return self.hear("done", "refused")

    def lobby(self, until):
        """The lobby, once it is as expected."""
        while not until(seen := self.hear("lobby")["lobby"]):
            pass
        return seen


def with_open_door(file, opened):
    """A lesson in a file, the page of its host, and its door, which is open."""
    lesson = ServedLesson({}, file, lan=False, port=0, names=["hub.example"])
    opened.callback(lesson.close)
    host = Host(lesson, opened)
    host.do("open door", **SETTINGS)
    return lesson, host, lesson.lesson.door


@pytest.fixture
def host(lesson, opened):
    page = Host(lesson, opened)
    assert page.do("open door", **SETTINGS) == {"done": 1, "said": ""}
    return page


@pytest.fixture
def arrive(lesson, opened):
    def join(name, *, scanned=True):
        door = lesson.lesson.door
        phone = Page(lesson, "door", opened, {"code": f"{door.code}.{door.key}" if scanned else door.code})
        assert phone.hear() == {"door": True, "names": []}
        phone.say({"name": name})
        return phone

    return join


def begin(host, *tables):
    return host.do("begin", seating={f"t{at}": list(names) for at, names in enumerate(tables)})


def seat(lesson, told, opened):
    page = Page(lesson, f"ws/{told['go'].replace(' ', '%20')}", opened, {"link": told["link"]})
    page.hear("seated")
    page.say({"open": True})
    return page.hear("view")["view"]


def test_phones_go_from_the_code_to_their_seats(lesson, host, arrive, opened):
    phones = {name: arrive(name, scanned=name != "Ben") for name in NAMES}
    for name, phone in phones.items():
        told = phone.hear()
        assert (told["in"], len(told["sign"].split())) == (name, 2)
    seen = host.lobby(lambda lobby: len(lobby["pupils"]) == 4)
    assert all(one["here"] for one in seen["pupils"])
    assert begin(host, NAMES[:2], NAMES[2:])["said"] == ""
    for name, phone in phones.items():
        told = phone.hear("go")
        assert told["go"] == ("table 1" if name in NAMES[:2] else "table 2")
        assert seat(lesson, told, opened)["mine"]["seat"] == name
    games = [room.game for room in lesson._rooms.values()]
    assert [game.players for game in games] == [NAMES[:2], NAMES[2:]]
    assert all(game.state.find("win.points").value == 30 for game in games)
    assert host.lobby(lambda lobby: lobby["begun"])["open"] is False


def test_pupils_without_phones_are_added_all_or_none_and_have_seats(lesson, host, arrive):
    ada = arrive("Ada")
    assert ada.hear()["in"] == "Ada"
    for names in ("Ben\nada", "Ben\nTeacher", "Ben\nBen", f"Ben\n{'x' * 25}"):
        assert "refused" in host.do("without phones", names=names), names
        assert list(lesson.lesson.door.pupils) == ["Ada"]
    assert "refused" in host.do("without phones", names=["Ben"])
    assert host.do("without phones", names=" Ben \n\nCleo\n")["said"] == ""
    seen = host.lobby(lambda lobby: len(lobby["pupils"]) == 3)
    assert [(one["name"], one["here"], bool(one["sign"])) for one in seen["pupils"]] == [
        ("Ada", True, True), ("Ben", True, False), ("Cleo", True, False)
    ]  # fmt: skip
    assert "refused" in begin(host, ["Ada", "Ben"])  # everybody has a seat
    assert begin(host, ["Ada", "Ben", "Cleo"])["said"] == ""
    assert ada.hear("go")["go"] == "table 1"
    assert "refused" in host.do("without phones", names="Dov")


def test_the_host_sees_whether_another_device_has_opened_the_address(lesson, host):
    assert host.lobby(lambda lobby: "reached" in lobby)["reached"] is None  # behind a proxy, nobody can tell
    wall = Page(lesson, "lobby", host.opened, {"secret": urlsplit(lesson.wall_page).fragment.partition("=")[2]})
    assert "reached" not in wall.hear("lobby")["lobby"]


def test_nobody_has_more_addresses_than_their_own(lesson, opened):
    url = f"ws://127.0.0.1:{lesson._port}/door"
    for at in range(3):
        guesser = opened.enter_context(connect(url, additional_headers={"X-Forwarded-For": f"10.0.0.{at}, no address"}))
        guesser.send('{"code": "x"}')
        guesser.recv(timeout=10)
    assert list(lesson.lesson.door._allowed_codes) == ["127.0.0.1"]
    request = Request(f"http://127.0.0.1:{lesson._port}/", headers={"X-Forwarded-For": "no address"})
    assert opened.enter_context(urlopen(request)).status == 200  # noqa: S310 - ours


def test_this_computer_itself_is_no_other_device(opened, monkeypatch):
    served = ServedLesson({}, lan=False, port=0)
    opened.callback(served.close)
    host = Host(served, opened)
    page = f"http://127.0.0.1:{served._port}/"
    with urlopen(page):
        assert host.lobby(lambda _: True)["reached"] is False
    monkeypatch.setattr(lobby, "ip_address", lambda _: IPv4Address("10.0.0.8"))  # as if it came from elsewhere
    monkeypatch.setattr(served.lesson, "address", lambda: "http://10.0.0.7:8777/")
    with urlopen(page):
        assert host.lobby(lambda seen: seen["reached"])


def test_the_wall_shows_the_code_while_the_door_is_open_and_can_do_nothing(lesson, host, opened):
    wall = Page(lesson, "lobby", opened, {"secret": urlsplit(lesson.wall_page).fragment.partition("=")[2]})
    seen = wall.hear("lobby")["lobby"]
    assert (seen["code"], seen["in"]) == (lesson.lesson.door.code, [])
    assert seen["qr"].startswith("data:image/svg+xml")
    assert seen["address"] == lesson.addresses[0]
    assert "waiting" not in seen
    wall.say({"id": 1, "do": "new code", "details": {}})
    code = lesson.lesson.door.code
    assert host.do("close door")["said"] == ""
    seen = wall.hear("lobby")["lobby"]
    assert (seen["code"], seen["qr"]) == ("", "")
    assert lesson.lesson.door.code == code


@pytest.mark.parametrize(
    "first", [{"secret": ""}, {"secret": "x" * 22}, {"secret": None}, {}, [], 3, {"secret": ["a"]}, {"secret": "é" * 9}]
)
@pytest.mark.slow
def test_nobody_else_sees_the_lobby(lesson, opened, first):
    assert Page(lesson, "lobby", opened, first).closed() in (sockets.NO_LINK, 1000)
    phone = Page(lesson, "lobby", opened, {"code": lesson.lesson.door.code})
    assert phone.closed() == sockets.NO_LINK


def test_before_the_host_opens_the_door_it_is_closed(lesson, opened):
    phone = Page(lesson, "door", opened, {"code": lesson.lesson.door.code})
    assert phone.hear()["code"] == "door-closed"


def test_what_nobody_can_read_is_refused_and_the_door_closes_after_a_dozen(lesson, host, opened):
    for said in ("{", "[]", '{"code": 1, "name": 2}', '{"name": "Ada"}', '{"teach": 1}', "x" * 2000, "[" * 900):
        phone = Page(lesson, "door", opened, said)
        assert "refused" in phone.hear()
    phone = Page(lesson, "door", opened)
    with suppress(ConnectionClosed):
        for _ in range(lobby.PATIENCE + 3):
            phone.say('{"code": "1"}')
    assert phone.closed() == sockets.TOO_MANY
    other = Page(lesson, "door", opened)
    other.say(b"bytes")
    other.closed()
    assert host.do("new code")["said"] == ""


def test_who_says_nothing_at_the_door_is_let_go(lesson, opened, monkeypatch):
    monkeypatch.setattr(server, "HASTE", 0.1)
    assert Page(lesson, "door", opened).closed() == 1000


def test_silent_phones_take_no_more_than_the_places_there_are(opened, monkeypatch):
    monkeypatch.setattr(lobby, "MOST_AT_DOOR", 4)
    monkeypatch.setattr(lobby, "MOST_FROM_ADDRESS", 3)
    direct = ServedLesson({}, lan=False, port=0)
    opened.callback(direct.close)
    pages = [Page(direct, "door", opened) for _ in range(3)]
    assert Page(direct, "door", opened).closed() == sockets.TOO_MANY
    pages[0].socket.close()
    for _ in range(50):  # until the server has noticed
        with suppress(ConnectionClosed):
            assert "refused" in Page(direct, "door", opened, {"code": "1"}).hear()
            return
    pytest.fail("a place that is free again is not given to anybody")


def test_phones_that_are_in_take_no_place_at_the_door_from_others_behind_their_address(opened, monkeypatch):
    monkeypatch.setattr(lobby, "MOST_FROM_ADDRESS", 2)
    direct = ServedLesson({}, lan=False, port=0)
    opened.callback(direct.close)
    direct.lesson.door.open = True
    for name in ("Ada", "Ben", "Cleo", "Dan", "Eve"):
        phone = Page(direct, "door", opened, {"code": f"{direct.lesson.door.code}.{direct.lesson.door.key}"})
        phone.hear("door")
        phone.say({"name": name})
        assert phone.hear("in")["in"] == name


def test_a_phone_comes_back_with_its_pass_before_and_after_play_begins(lesson, host, arrive, opened):
    ada, ben = arrive("Ada"), arrive("Ben")
    known, sign = (lambda told: (told["pass"], told["sign"]))(ada.hear("in"))
    ada.socket.close()
    ada = Page(lesson, "door", opened, {"pass": known})
    assert ada.hear() == {"back": "Ada", "sign": sign}
    ben.hear("in")
    begin(host, ("Ada", "Ben"))
    first = ada.hear("go")
    ben.hear("go")
    again = Page(lesson, "door", opened, {"pass": known})
    assert again.hear() == {"back": "Ada", "sign": sign}
    told = again.hear("go")
    assert told["link"] != first["link"]
    assert seat(lesson, told, opened)["mine"]["seat"] == "Ada"


def test_a_second_phone_under_a_name_waits_and_takes_the_seat_from_the_first(lesson, host, arrive, opened):
    ada, ben = arrive("Ada"), arrive("Ben")
    lost = ada.hear("in")["pass"]
    ben.hear("in")
    begin(host, ("Ada", "Ben"))
    told = ada.hear("go")
    old = Page(lesson, "ws/table%201", opened, {"link": told["link"]})
    old.hear("seated")
    host.do("open door", **SETTINGS)
    finder = arrive("Ada")
    assert "another phone" in finder.hear("waits")["why"]
    (waiting,) = host.lobby(lambda lobby: lobby["waiting"])["waiting"]
    assert host.do("let in", id=waiting["id"], name="", table="", agreed=False)["said"] == "Ada is in."
    assert old.closed() == sockets.NO_LINK
    assert ada.hear("away")
    assert ada.closed() == sockets.NO_LINK
    assert seat(lesson, finder.hear("go"), opened)["mine"]["seat"] == "Ada"
    assert Page(lesson, "door", opened, {"pass": lost}).hear()["code"] == "pass-unknown"
    ben.hear("go")


def test_a_late_pupil_joins_a_table_where_all_agree(lesson, host, arrive, opened):
    for name in NAMES[:2]:
        arrive(name)
    host.lobby(lambda lobby: len(lobby["pupils"]) == 2)
    begin(host, NAMES[:2])
    host.do("open door", **SETTINGS)
    late = arrive("Cleo")
    assert late.hear("waits")["why"] == "Your teacher can let you in."
    (waiting,) = host.lobby(lambda lobby: lobby["waiting"])["waiting"]
    for table, agreed in (("", True), ("table 9", True), ("table 1", False)):
        assert "agrees" in host.do("let in", id=waiting["id"], name="", table=table, agreed=agreed)["why"]
    assert "let each of them in" in host.do("let everybody in")["why"]
    assert host.do("let in", id=waiting["id"], name="", table="table 1", agreed=True)["said"] == "Cleo is in."
    told = late.hear("go")
    assert seat(lesson, told, opened)["mine"]["seat"] == "Cleo"
    assert lesson._rooms["table 1"].game.state.person_names == ("Ada", "Ben", "Cleo")


@pytest.mark.parametrize(
    ("seating", "why"),
    [
        ({"a": ["Ada", "Ben"]}, "no seat for Cleo"),
        ({"a": ["Ada", "Ben", "Cleo", "Cleo"]}, "one seat"),
        ({"a": ["Ada", "Ben", "Cleo", "Zoe"]}, "one seat"),
        ({"a": ["Ada", "Ben"], "b": ["Cleo"]}, "at least 2 players"),
        ({"a": ["Ada", "Ben", "Cleo"], "b": []}, "at least 2 players"),
        ({"a": "Ada"}, "no seat for"),
        ({"a": [["Ada"], {"b": 1}, None]}, "no seat for"),
        ({"a": ["Ada", "Ben", "Cleo"], "b": "xy"}, "one seat"),
        ({"a": ["Ada", "Ben", "Cleo"], "b": 5}, "one seat"),
        ({"a": ["Ada", "Ben", "Cleo"], "b": {"x": 1, "y": 2}}, "one seat"),
        ({"a": ["Ada", "Ben", "Cleo", 5]}, "one seat"),
        ({}, "no seat for"),
    ],
)
@pytest.mark.slow
def test_nobody_is_left_without_a_seat_and_no_table_begins_alone(lesson, host, arrive, seating, why):
    for name in NAMES[:3]:
        arrive(name)
    host.lobby(lambda lobby: len(lobby["pupils"]) == 3)
    assert why in host.do("begin", seating=seating)["why"]
    assert not lesson._rooms
    assert begin(host, NAMES[:3])["said"] == ""
    assert "already" in begin(host, NAMES[:3])["why"]


def test_if_a_table_cannot_be_saved_none_begins_and_nothing_has_changed(opened, monkeypatch, tmp_path):
    monkeypatch.setattr(lobby, "DELAY", 0.01)
    file = tmp_path / "class.sqlite"
    lesson, host, door = with_open_door(file, opened)
    for name in (*NAMES, "Emma"):
        phone = Page(lesson, "door", opened, {"code": f"{door.code}.{door.key}"})
        phone.hear("door")
        phone.say({"name": name})
        phone.hear("in")
    phone.socket.close()
    host.lobby(lambda lobby: [one["name"] for one in lobby["pupils"] if not one["here"]] == ["Emma"])
    keep_new_game = game_store.keep_new_game

    def keep_one_game(store, table, *others):
        if table == "table 2":
            raise OSError("the disk is full")
        return keep_new_game(store, table, *others)

    with monkeypatch.context() as context:
        context.setattr(game_store, "keep_new_game", keep_one_game)
        assert "disk is full" in begin(host, NAMES[:2], NAMES[2:])["why"]
    assert not lesson._rooms
    assert open_store(file).game_names() == []
    assert "Emma" in door.pupils
    assert (door.open, door.begun) == (True, False)
    assert begin(host, NAMES[:2], NAMES[2:])["said"] == ""
    assert open_store(file).game_names() == ["table 1", "table 2"]
    lesson._rooms["table 1"].game.propose("Ada", nb.enact("Be kind."))
    again = Page(lesson, "lobby", opened, {"secret": lesson.lesson.wall_secret}).hear("lobby")["lobby"]
    assert set(again["tables"]) == {"table 1", "table 2"}


def test_a_file_that_cannot_be_written_is_refused_before_anybody_comes(tmp_path):
    with refused("store-cannot-be-opened", RecordError):
        ServedLesson({}, tmp_path / "nowhere" / "class.sqlite", lan=False, port=0)


@pytest.mark.parametrize(("name", "why"), [("Ａｄａ", "look the same"), ("Cleo & Ada", "several")])
def test_a_late_pupil_who_cannot_come_in_is_in_no_game(lesson, host, arrive, name, why):
    for pupil in NAMES:
        arrive(pupil)
    host.lobby(lambda lobby: len(lobby["pupils"]) == 4)
    begin(host, NAMES[:2], NAMES[2:])
    host.do("open door", **SETTINGS)
    arrive(name).hear("waits")
    (waiting,) = lesson.lesson.door.arrivals
    assert why in host.do("let in", id=waiting, name="", table="table 2", agreed=True)["why"]
    assert lesson._rooms["table 2"].game.state.person_names == NAMES[2:]
    assert waiting in lesson.lesson.door.arrivals
    assert host.do("let in", id=waiting, name="Emma", table="table 2", agreed=True)["said"] == "Emma is in."


def test_a_late_pupil_whom_the_rules_keep_out_stays_at_the_door(lesson, host, arrive, monkeypatch):
    for pupil in NAMES[:2]:
        arrive(pupil)
    host.lobby(lambda lobby: len(lobby["pupils"]) == 2)
    begin(host, NAMES[:2])
    host.do("open door", **SETTINGS)
    arrive("Cleo").hear("waits")
    (waiting,) = lesson.lesson.door.arrivals
    timeline = lesson._rooms["table 1"].game.timeline
    monkeypatch.setattr(timeline, "do_as_host", lambda *_: None)  # as if a rule had prevented it
    assert "don’t let Cleo in" in host.do("let in", id=waiting, name="", table="table 1", agreed=True)["why"]
    assert waiting in lesson.lesson.door.arrivals
    assert "Cleo" not in lesson.lesson.door.pupils


def test_a_rule_that_takes_long_at_a_table_holds_up_nobody_at_the_door(lesson, host, arrive, opened):
    for pupil in NAMES[:2]:
        arrive(pupil)
    host.lobby(lambda lobby: len(lobby["pupils"]) == 2)
    begin(host, NAMES[:2])
    host.do("open door", **SETTINGS)
    room, held, done = lesson._rooms["table 1"], Event(), Event()

    def take_long():
        with room.game.timeline.lock:
            held.set()
            done.wait(30)

    slow = start_thread(take_long)
    try:
        held.wait(10)
        for name in NAMES[2:]:
            arrive(name).hear("waits")
            seen = host.lobby(lambda lobby, name=name: name in [one["name"] for one in lobby["waiting"]])
        assert seen["tables"]["table 1"]["waiting"] == "Waiting for Ada to propose."
    finally:
        done.set()
        slow.join(10)
    assert slow.is_alive() is False


def test_a_latecomer_waits_for_a_busy_table_and_nobody_else_does(lesson, host, arrive, opened):
    phones = {pupil: arrive(pupil) for pupil in NAMES}
    host.lobby(lambda lobby: len(lobby["pupils"]) == 4)
    begin(host, NAMES[:2], NAMES[2:])
    host.do("open door", **SETTINGS)
    late, gone = arrive("Emma"), arrive("Finn")
    late.hear("waits")
    gone.hear("waits")
    ids = {one.name: one.id for one in lesson.lesson.door.arrivals.values()}
    second = Host(lesson, opened)

    def let_in(page, name, table):
        details = {"id": ids[name], "name": "", "table": table, "agreed": True}
        page.say({"id": name, "do": "let in", "details": details})

    def wait_until_entering():
        end = time.monotonic() + 10
        while not lesson.lesson._entering:
            assert time.monotonic() < end
            time.sleep(0.01)

    with lesson._rooms["table 1"].game.timeline.lock:
        let_in(host, "Emma", "table 1")
        wait_until_entering()
        let_in(second, "Emma", "table 2")
        assert "just getting their seats" in second.hear("refused")["why"]
        assert "just getting their seats" in second.do("erase", sure=True, keep_rules=False)["why"]
        assert seat(lesson, phones["Cleo"].hear("go"), opened)["mine"]["seat"] == "Cleo"
    assert host.hear("done")["said"] == "Emma is in."
    assert seat(lesson, late.hear("go"), opened)["mine"]["seat"] == "Emma"
    with lesson._rooms["table 2"].game.timeline.lock:
        let_in(second, "Finn", "table 2")
        wait_until_entering()
        gone.socket.close()
        host.lobby(lambda lobby: not lobby["waiting"])
    assert second.hear("done")["said"] == "Finn is in."
    again = arrive("Finn")  # under the name, since the phone never heard of its pass
    again.hear("waits")
    (waiting,) = lesson.lesson.door.arrivals
    assert host.do("let in", id=waiting, name="", table="", agreed=False)["said"] == "Finn is in."
    assert seat(lesson, again.hear("go"), opened)["mine"]["seat"] == "Finn"


def test_while_seats_are_dealt_nobody_comes_or_goes(lesson, host, arrive, opened, monkeypatch):
    phones = [arrive(pupil) for pupil in NAMES[:2]]
    host.lobby(lambda lobby: len(lobby["pupils"]) == 2)
    held, done, start = Event(), Event(), lesson.lesson._start_games

    def take_long(*given):
        held.set()
        done.wait(30)
        return start(*given)

    monkeypatch.setattr(lesson.lesson, "_start_games", take_long)
    host.say({"id": 7, "do": "begin", "details": {"seating": {"a": list(NAMES[:2])}}})
    held.wait(10)
    try:
        second = Host(lesson, opened)
        assert "begun already" in begin(second, NAMES[:2])["why"]
        assert "just getting their seats" in second.do("remove", name="Ada")["why"]
        assert "just getting their seats" in second.do("erase", sure=True, keep_rules=False)["why"]
        door = lesson.lesson.door
        assert Page(lesson, "door", opened, {"code": f"{door.code}.{door.key}"}).hear()["code"] == "door-closed"
    finally:
        done.set()
    assert host.hear("done")["said"] == ""
    assert [phone.hear("go")["go"] for phone in phones] == ["table 1", "table 1"]


def test_the_wall_counts_no_ballots_of_a_secret_vote():
    votes = []
    for names in ((), ("secret_ballots",)):
        playing = Playing("discordian-nomic")
        for name in names:
            playing.law(rules()[name])
        votes.append(_summary(ServedRoom("table 1", playing.until("vote").game))["vote"])
    assert [(vote["for"], vote["against"], vote["cast"]) for vote in votes] == [("0", "0", "0"), (None, None, "0")]


def test_a_table_is_summed_up_with_its_latest_result_and_its_scores():
    game = nb.new_game("discordian-nomic", ["Ada", "Ben", "Cleo"], seed=7)
    room, told = ServedRoom("table 1", game), []

    def note():
        told.append(_summary(room)["news"])

    note()
    game.propose("Ada", nb.enact("Be kind."))
    game.votes()
    note()
    game.roll("Ada", 4)
    note()
    game.propose("Ben", nb.enact("Be kinder."))
    game.vote("Ada", "against")
    note()
    game.votes("against")
    note()
    assert told == [
        "", "Ada’s proposal 301 becomes rule 301, “Be kind”.", "Ada: +4 points, now 4.", "Ada: +4 points, now 4.",
        "Proposal 302 does not pass, 0–3 (3 needed).",
    ]  # fmt: skip
    assert _summary(room)["scores"] == {"Ada": "4", "Ben": "−10", "Cleo": "0"}


def test_the_wall_hears_of_each_bell(lesson, host, arrive, opened):
    for name in NAMES[:2]:
        arrive(name)
    host.lobby(lambda lobby: len(lobby["pupils"]) == 2)
    begin(host, NAMES[:2])
    wall = Page(lesson, "lobby", opened, {"secret": lesson.lesson.wall_secret})
    assert wall.hear("lobby")["lobby"]["tables"]["table 1"]["bell"] == {}
    host.do("ring", seconds=60)
    while not (bell := wall.hear("lobby")["lobby"]["tables"]["table 1"]["bell"]):
        pass
    assert bell["runs"]
    assert 0 < bell["left"] <= 60


def test_all_tables_are_paused_and_go_on_together(lesson, host, arrive):
    for name in NAMES:
        arrive(name)
    host.lobby(lambda lobby: len(lobby["pupils"]) == 4)
    begin(host, NAMES[:2], NAMES[2:])
    lesson._rooms["table 2"].game.host.pause()
    assert host.do("pause", pause=True)["said"] == ""
    assert all(
        one["paused"] for one in host.lobby(lambda lobby: lobby["tables"]["table 1"]["paused"])["tables"].values()
    )
    host.do("pause", pause=False)
    assert not any(room.game.state.paused for room in lesson._rooms.values())


def test_the_host_sees_who_is_connected_and_what_each_table_waits_for(lesson, host, arrive, opened):
    phones = {name: arrive(name) for name in NAMES[:2]}
    host.lobby(lambda lobby: len(lobby["pupils"]) == 2)
    begin(host, NAMES[:2])
    seat(lesson, phones["Ada"].hear("go"), opened)
    seen = host.lobby(lambda lobby: lobby["connected"] == ["Ada"])
    assert seen["tables"]["table 1"]["waiting"] == "Waiting for Ada to propose."
    lesson._rooms["table 1"].game.propose("Ada", nb.enact("Be kind."))
    seen = host.lobby(lambda lobby: lobby["tables"]["table 1"]["vote"])
    assert seen["tables"]["table 1"]["vote"] == {
        "title": "Be kind", "by": "Ada", "for": "0", "against": "0", "cast": "0", "of": "2",
    }  # fmt: skip


def test_the_host_and_the_wall_follow_a_table_that_plays_again(lesson, host, arrive, opened):
    phones = {name: arrive(name) for name in NAMES[:2]}
    host.lobby(lambda lobby: len(lobby["pupils"]) == 2)
    host.do("open door", **{**SETTINGS, "points": "3"})
    begin(host, NAMES[:2])
    seat(lesson, phones["Ada"].hear("go"), opened)
    wall = Page(lesson, "lobby", opened, {"secret": urlsplit(lesson.wall_page).fragment.partition("=")[2]})
    room = lesson._rooms["table 1"]
    before = room.game
    turn(before, nb.enact("Be kind."), face=6)
    host.lobby(lambda lobby: lobby["tables"]["table 1"]["over"])
    desk = Page(lesson, "ws/table%201", opened, {"link": lesson.lesson.desk_links["table 1"]})
    desk.hear("seated")
    desk.say({"id": "1", "action": "again", "details": {}})
    desk.hear("done")
    assert room.game.timeline is not before.timeline
    host.lobby(lambda lobby: not lobby["tables"]["table 1"]["over"])
    room.game.propose("Ada", nb.enact("Be kind."))
    for page in (host, wall):
        while (got := page.hear("lobby")["lobby"]["tables"]["table 1"])["vote"] is None:
            pass
        assert got["vote"]["title"] == "Be kind"
    assert host.do("pause", pause=True)["said"] == ""
    assert (room.game.state.paused, before.state.paused) == (True, False)


def test_after_a_crash_or_ctrl_c_phones_host_and_wall_find_the_lesson_again(opened, monkeypatch, tmp_path):
    monkeypatch.setattr(lobby, "DELAY", 0.01)
    file = tmp_path / "class.sqlite"
    first = ServedLesson({}, file, lan=False, port=0, names=["hub.example"])
    opened.callback(first.close)
    host = Host(first, opened)
    host.do("open door", **SETTINGS)
    host.do("names", names="Ada, Ben, Cleo")
    door, told = first.lesson.door, {}
    for name in NAMES[:2]:
        phone = Page(first, "door", opened, {"code": f"{door.code}.{door.key}"})
        phone.say({"name": name})
        told[name] = phone.hear("in")
    host.do("new code")
    host.lobby(lambda lobby: len(lobby["pupils"]) == 2)
    secrets = (first.lesson.host_secret, first.lesson.wall_secret)
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert not any(secret.encode() in kept for secret in (*secrets, told["Ada"]["pass"], told["Ben"]["pass"]))

    def begin_anew():
        second = ServedLesson(serve.kept_games(file), file, lan=False, port=0, names=["hub.example"])
        opened.callback(second.close)
        return second

    second = begin_anew()
    assert (second.lesson.door.code, second.lesson.door.open) == (door.code, True)
    assert second.lesson.settings == first.lesson.settings
    for name, one in told.items():
        assert Page(second, "door", opened, {"pass": one["pass"]}).hear() == {"back": name, "sign": one["sign"]}
    new = Page(second, "door", opened, {"code": f"{door.code}.{door.key}"})
    assert new.hear("door")["names"] == ["Cleo"]
    host, wall = (Page(second, "lobby", opened, {"secret": secret}).hear("lobby")["lobby"] for secret in secrets)
    assert [one["sign"] for one in host["pupils"]] == [one["sign"] for one in told.values()]
    assert (wall["code"], "pupils" in wall) == (door.code, False)
    second.close()  # in order
    third = begin_anew()
    assert third.lesson.door.open is False
    for secret in secrets:  # the pages that the teacher has open
        assert "lobby" in Page(third, "lobby", opened, {"secret": secret}).hear("lobby")
    assert Page(third, "lobby", opened, {"secret": "guessed"}).closed() == server.NO_LINK
    assert Page(third, "door", opened, {"pass": told["Ada"]["pass"]}).hear()["back"] == "Ada"


def test_a_pupil_is_in_once_that_is_on_the_disk_and_a_full_disk_is_said(opened, monkeypatch, tmp_path):
    monkeypatch.setattr(lobby, "DELAY", 0.01)
    served = ServedLesson({}, tmp_path / "class.sqlite", lan=False, port=0, names=["hub.example"])
    opened.callback(served.close)
    host, door = Host(served, opened), served.lesson.door
    host.do("open door", **SETTINGS)

    def arrive(name):
        phone = Page(served, "door", opened, {"code": f"{door.code}.{door.key}"})
        phone.hear("door")
        phone.say({"name": name})
        return phone

    store = open_store(tmp_path / "class.sqlite")
    with store.lock:
        ada = arrive("Ada")
        host.lobby(lambda lobby: lobby["pupils"])
        with pytest.raises(TimeoutError):
            ada.socket.recv(timeout=0.2)
    assert ada.hear()["in"] == "Ada"
    assert ("pupil", "Ada") in store.rows_beside("")
    with monkeypatch.context() as context:

        def fail(*_):
            raise RecordError("disk-full", "the disk is full")

        context.setattr(store, "write_beside", fail)
        assert arrive("Ben").hear("in")["in"] == "Ben"
        assert host.lobby(lambda lobby: lobby["fault"])["fault"] == "the disk is full"
    arrive("Cleo").hear("in")
    assert host.lobby(lambda lobby: len(lobby["pupils"]) == 3 and not lobby["fault"])
    assert {name for kind, name in store.rows_beside("") if kind == "pupil"} == set(NAMES[:3])


def test_a_class_that_nobody_joined_can_be_opened_again(opened, tmp_path):
    file = tmp_path / "class.sqlite"
    for _ in range(2):
        served = ServedLesson({}, file, lan=False, port=0, names=["hub.example"])
        opened.callback(served.close)
        host = Host(served, opened)
        host.do("open door", **SETTINGS)
        host.lobby(lambda lobby: lobby["code"])
        host.do("close door")
        served.close()
        journal._STORES.clear()
    assert GameStore(file).game_names() == []


def test_what_another_program_altered_beside_the_games_is_said(tmp_path):
    store = open_store(tmp_path / "class.sqlite", make=True)
    store.write_beside("", {("pupil", "Ada"): {"sign": "pink crab"}}, ())
    with refused("store-row-altered", RecordError, kind="pupil", name="Ada"):
        ServedLesson({}, tmp_path / "class.sqlite", lan=False, port=0)


def test_a_table_that_has_played_again_is_one_table_after_a_restart(opened, monkeypatch, tmp_path):
    monkeypatch.setattr(lobby, "DELAY", 0.01)
    file = tmp_path / "class.sqlite"
    first = ServedLesson({}, file, lan=False, port=0, names=["hub.example"])
    opened.callback(first.close)
    host, told = Host(first, opened), {}
    host.do("open door", **{**SETTINGS, "points": "3"})
    door = first.lesson.door
    for name in NAMES[:2]:
        told[name] = Page(first, "door", opened, {"code": f"{door.code}.{door.key}"})
        told[name].say({"name": name})
        told[name].hear("in")
    begin(host, NAMES[:2])
    told = {name: page.hear("go") for name, page in told.items()}
    room = first._rooms["table 1"]
    for at in range(2):
        turn(room.game, nb.enact("Be kind."), face=6)
        room.hub.receive(
            PanelViewer(lambda _: None, "panel", None, "table"), json.dumps({"id": str(at), "action": "again"})
        )
    room.game.propose("Ada", nb.enact("Be kind in the third game."))
    first.close()
    journal._STORES.clear()
    assert len(GameStore(file).game_names()) == 3
    second = ServedLesson(serve.kept_games(file), file, lan=False, port=0, names=["hub.example"])
    opened.callback(second.close)
    (seen,) = Host(second, opened).hear("lobby")["lobby"]["tables"].values()
    assert (seen["players"], seen["vote"]["title"]) == (["Ada", "Ben"], "Be kind in the third game")
    for name in NAMES[:2]:  # by the links of the first game, which are on the phones
        assert seat(second, told[name], opened)["mine"]["seat"] == name


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ({"do": "dance", "details": {}}, "no command"),
        ({"do": ["begin"], "details": {}}, "no command"),
        ({"do": "begin", "details": []}, "takes seating"),
        ({"do": "begin", "details": {}}, "takes seating"),
        ({"do": "begin", "details": {"seating": "Ada"}}, "takes seating"),
        ({"do": "turn away", "details": {"ids": [1, {}], "more": 1}}, "takes ids"),
        ({"do": "let in", "details": {"id": "0", "name": "", "table": "", "agreed": False}}, "no longer waiting"),
        ({"do": "open door", "details": {**SETTINGS, "ruleset": "../etc"}}, "no rule set"),
        ({"do": "open door", "details": {**SETTINGS, "points": "many"}}, "whole number"),
        ({"do": "open door", "details": {**SETTINGS, "points": "9" * 30}}, "at most"),
        ({"do": "open door", "details": {**SETTINGS, "away": 1}}, "takes away, joint"),
        ({"do": "names", "details": {"names": ["Ada"]}}, "takes names"),
        ({"do": "names", "details": {"names": "Ada\nBen\nada"}}, "Line 3, ada: ada looks the same as Ada"),
        ({"do": "names", "details": {"names": "Ada\nА da"}}, "looks the same as Ada"),
        ({"do": "names", "details": {"names": "Ada\nTeacher"}}, "your teacher"),
        ({"do": "names", "details": {"names": "Ada\nLovelace, Ada"}}, "comma"),
        ({"do": "names", "details": {"names": "Ada, A\\B"}}, "rules can’t use names"),
        ({"do": "names", "details": {"names": "Ada, #1"}}, "rules can’t use names"),
        ({"do": "names", "details": {"names": "\n".join(f"Pupil {at}" for at in range(101))}}, "up to 100"),
        ({"do": "last names", "details": {}}, "No other file"),
    ],
)
@pytest.mark.slow
def test_what_the_host_cannot_do_is_said(host, message, why):
    host.say({"id": 7, **message})
    assert why in host.hear("refused")["why"]


def test_ids_of_any_kind_turn_nobody_away(lesson, host, arrive):
    lesson.lesson.door.begun = True
    arrive("Ada").hear("waits")
    assert host.do("turn away", ids=[1, {}, [], None, "x"])["said"] == ""
    assert len(lesson.lesson.door.arrivals) == 1


def test_pupils_choose_from_a_list_and_names_that_are_taken_vanish(lesson, host, opened):
    door = lesson.lesson.door
    assert host.do("names", names=" Ada ,=cmd(),<b>,Be\u200bn")["said"] == "4 names are on the list."

    def enter():
        phone = Page(lesson, "door", opened, {"code": f"{door.code}.{door.key}"})
        return phone, phone.hear("door")["names"]

    (ada, free), (ben, same) = enter(), enter()
    assert free == same == ["Ada", "=cmd()", "<b>", "Ben"]
    ada.say({"name": "=cmd()"})
    assert ada.hear("in")["in"] == "=cmd()"
    assert ben.hear("names")["names"] == ["Ada", "<b>", "Ben"]
    ben.say({"name": "Zoe"})
    assert "isn’t on the list" in ben.hear("refused")["refused"]
    ben.say({"name": "АDA"})  # with a Cyrillic letter
    assert ben.hear("in")["in"] == "Ada"
    late, free = enter()
    assert free == ["<b>", "Ben"]
    late.say({"name": "ada"})  # a lost phone
    assert "Ada is already playing on another phone." in late.hear("waits")["why"]
    other, _ = enter()
    assert host.do("names", names="")["said"] == "Pupils type their names."
    assert other.hear("names")["names"] == []
    other.say({"name": "Zoe"})
    assert other.hear("in")["in"] == "Zoe"


def test_the_names_of_the_last_lesson_can_be_taken_over(host, lesson, opened, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.sqlite").write_text("Dear diary", encoding="utf-8")
    before = open_store(tmp_path / "last-week.sqlite", make=True)
    before.write_beside("", {("room", ""): {}, ("pupil", "Eve"): {"pass": ""}, ("pupil", "Fay"): {"pass": ""}}, ())
    nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7, file=tmp_path / "mine.sqlite")
    assert host.do("last names")["said"] == "Eve\nFay"


@pytest.mark.parametrize("name", ["A\\B", "A#1", "teacher", "\u200b", "Ada B. Cleo and a name that never ends"])
def test_a_name_that_no_game_could_take_in_later_comes_in_at_no_time(lesson, host, opened, name):
    door = lesson.lesson.door
    phone = Page(lesson, "door", opened, {"code": f"{door.code}.{door.key}"})
    phone.say({"name": name})
    assert phone.hear("refused")
    phone.say({"name": "=cmd()"})
    assert phone.hear("in")["in"] == "=cmd()"


@settings(deadline=None)
@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=24))
def test_every_name_that_the_door_takes_can_come_late(name):
    door = Door()
    try:
        door.knock(name, "", FakePhone())
    except IllegalAction:
        return
    (pupil,) = door.pupils
    game = nb.new_game("discordian-nomic", ["Ann 1", "Ben 2"], seed=7)
    if door_fault(["Ann 1", "Ben 2", pupil]):
        return
    _enter(server.ServedRoom("table", game), pupil)
    assert game.state.person_names[-1] == pupil


def test_half_a_character_closes_the_page_that_sent_it(host):
    host.say('{"id": "\\ud800", "do": "dance", "details": {}}')
    assert host.closed() == 1013


@pytest.mark.parametrize("path", ["door", "lobby"])
@pytest.mark.parametrize("header", [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Host": "evil.example"}])
@pytest.mark.slow
def test_pages_from_elsewhere_reach_neither_the_door_nor_the_lobby(lesson, path, header):
    with (
        pytest.raises(InvalidStatus) as refusal,
        connect(f"ws://127.0.0.1:{lesson._port}/{path}", additional_headers=header),
    ):
        pass
    assert refusal.value.response.status_code in (400, 403)


def test_who_says_nothing_in_the_lobby_takes_no_more_than_the_places_there_are(lesson, opened, monkeypatch):
    monkeypatch.setattr(server, "FROM_ONE", 3)
    silent = [Page(lesson, "lobby", opened) for _ in range(3)]
    assert Page(lesson, "lobby", opened).closed() == sockets.TOO_MANY
    silent[0].say({"secret": ""})
    assert silent[0].closed() == sockets.NO_LINK
    assert Host(lesson, opened).hear("lobby")


def test_a_name_that_is_an_ipv6_address_has_brackets_in_links(opened):
    served = ServedLesson({}, lan=False, port=0, names=["[::1]"])
    opened.callback(served.close)
    assert served.addresses[0] == f"http://[::1]:{served._port}/"


def test_hints_are_about_phones_that_were_wanted(opened, monkeypatch):
    monkeypatch.setattr(serve, "_network_address", lambda: serve.HERE)
    for lan, hints in ((False, []), (None, [serve.NO_NETWORK_HINT])):
        served = ServedLesson({}, lan=lan, port=0)
        opened.callback(served.close)
        assert str(served).splitlines()[2:] == hints


def test_who_is_turned_away_can_try_another_name(host, arrive):
    arrive("Ada")
    again = arrive("Ada")
    again.hear("waits")
    (waiting,) = host.lobby(lambda lobby: lobby["waiting"])["waiting"]
    host.do("turn away", ids=[waiting["id"], "nobody"])
    assert "another" in again.hear("away")["away"]
    again.say({"name": "Ada L"})
    assert again.hear("in")["in"] == "Ada L"


def test_who_is_removed_from_the_lobby_is_gone_and_a_player_is_not(lesson, host, arrive):
    phones = {name: arrive(name) for name in NAMES[:3]}
    host.lobby(lambda lobby: len(lobby["pupils"]) == 3)
    host.do("remove", name="Cleo")
    assert phones["Cleo"].hear("away")
    assert phones["Cleo"].closed() == sockets.NO_LINK
    begin(host, NAMES[:2])
    assert "seat in the game" in host.do("remove", name="Ada")["why"]


def test_a_lesson_in_a_file_goes_on_after_the_server_has_gone(opened, monkeypatch, tmp_path):
    monkeypatch.setattr(lobby, "DELAY", 0.01)
    file = tmp_path / "class.sqlite"
    first, host, door = with_open_door(file, opened)
    phones = {}
    for name in NAMES[:2]:
        phones[name] = Page(first, "door", opened, {"code": f"{door.code}.{door.key}"})
        phones[name].hear("door")
        phones[name].say({"name": name})
        phones[name].hear("in")
    begin(host, NAMES[:2])
    told = phones["Ada"].hear("go")
    first.close()
    kept = {"table 1": BaseGame(nb.open(file, "table 1").timeline)}
    second = ServedLesson(kept, file, lan=False, port=0, names=["hub.example"])
    opened.callback(second.close)
    assert seat(second, told, opened)["mine"]["seat"] == "Ada"  # the link in the address of her phone still opens it
    host = Host(second, opened)
    seen = host.hear("lobby")["lobby"]
    assert (seen["begun"], [one["name"] for one in seen["pupils"]]) == (True, ["Ada", "Ben"])
    host.do("open door", **SETTINGS)
    door = second.lesson.door
    phone = Page(second, "door", opened, {"code": f"{door.code}.{door.key}"})
    phone.hear("door")
    phone.say({"name": "Ben"})
    (waiting,) = host.lobby(lambda lobby: lobby["waiting"])["waiting"]
    host.do("let in", id=waiting["id"], name="", table="", agreed=False)
    assert seat(second, phone.hear("go"), opened)["mine"]["seat"] == "Ben"


@pytest.mark.slow
def test_the_kit_plays_for_a_pupil_until_the_pupil_takes_the_seat_back(lesson, host, arrive, opened):
    phones = {name: arrive(name) for name in NAMES[:2]}
    for phone in phones.values():
        phone.hear("in")
    begin(host, NAMES[:2])
    desk = Page(lesson, "ws/table%201", opened, {"link": lesson.lesson.desk_links["table 1"]})
    desk.hear("seated")
    game = lesson._rooms["table 1"].game
    desk.say({"id": "1", "action": "machine", "details": {"who": "Ben", "kind": "contrary"}})
    desk.hear("done")
    ben = Page(lesson, "ws/table%201", opened, {"link": phones["Ben"].hear("go")["link"]})
    ben.hear("seated")
    lesson._rooms["table 1"].hub.machines.pause = 0
    ben.say({"open": True})
    assert ben.hear("view")["view"]["mine"]["decisions"] == {}
    game.do("Ada", "propose", change=nb.enact("Tea is at four."))
    while not any("Ben (machine) votes against" in text for text in game.latest()):
        ben.hear("diff")
    ben.say({"id": "2", "action": "machine", "details": {"who": "Ben", "kind": ""}})
    ben.hear("done")
    assert dict(lesson._rooms["table 1"].hub.machines) == {}
