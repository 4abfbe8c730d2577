"""What happens beside the game: who may do and see it, and that no record has it."""

from __future__ import annotations

import json
from contextlib import ExitStack
from itertools import count
from urllib.parse import urlsplit

import pytest
from patching import patched
from play_helpers import sit
from websockets.sync.client import connect

import nomic_nb as nb
from nomic_nb.notebook.classroom import aside as asides
from nomic_nb.notebook.classroom import server
from nomic_nb.notebook.classroom.links import Seat
from nomic_nb.notebook.classroom.serve import ServedLesson
from nomic_nb.notebook.panels.session import hub_of_game

KIND = {"kind": "enact", "wording": "Be kind to each other.", "law": "", "title": "Kindness"}
SCRIPT = "<img src=x onerror=alert(1)><script>alert(2)</script>"


class Page:
    """A page without a browser, which follows the aside."""

    def __init__(self, link, opened):
        url = urlsplit(link)
        table, _, secret = url.fragment.partition("/")
        self.socket = opened.enter_context(connect(f"ws://{url.netloc}/ws/{table}", compression=None))
        self.seen, self.bytes, self.ids, self.view = None, [], count(1), None
        self.say({"link": secret.removeprefix("desk/")})
        self.follow(lambda _: True)
        self.say({"open": True})
        self.hear("view")

    def say(self, message):
        self.socket.send(json.dumps(message))

    def take(self):
        text = self.socket.recv(timeout=10)
        self.bytes.append(text)
        got = json.loads(text)
        if "class" in got:
            self.seen = got["class"]
        if "class_diff" in got:
            self.seen = patched(self.seen, got["class_diff"])
        if "view" in got:
            self.view = got["view"]
        return got

    def hear(self, *fields):
        while True:
            got = self.take()
            if not got.keys().isdisjoint(fields):
                return got

    def follow(self, until):
        """The aside, once it is as expected."""
        while self.seen is None or not until(self.seen):
            self.take()
        return self.seen

    def does(self, what, /, **details):
        """Do something; the answer."""
        self.say({"id": f"n{next(self.ids)}", "class": what, "details": details})
        return self.hear("done", "refused")

    def refused(self, what, /, **details):
        """The code with which something is refused."""
        return self.does(what, **details)["code"]

    def drafts(self, **details):
        """Save a draft of one's own; its number."""
        before = set(self.seen["mine"])
        assert "done" in self.does("draft", change=KIND | details)
        self.follow(lambda seen: set(seen["mine"]) - before)
        return int(max(set(self.seen["mine"]) - before, key=int))


@pytest.fixture
def opened():
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def game():
    return sit("Ann", "Ben", "Cleo")


@pytest.fixture
def served(game, opened):
    tables = game.serve(port=0)
    opened.callback(tables.close)
    return tables


@pytest.fixture
def pages(served, opened):
    """The pages of all seats, by player; and of the wall and the desk."""
    links = {**served.links, "wall": next(iter(served.wall.values())), "desk": next(iter(served.desk.values()))}
    return {name: Page(link, opened) for name, link in links.items()}


def test_a_private_draft_reaches_only_its_writers_page(pages):
    ann, ben = pages["Ann"], pages["Ben"]
    number = ann.drafts(wording="Nobody knows this yet.")
    assert ann.seen["mine"][str(number)]["shared"] is False
    other = ben.drafts()
    ben.does("share", number=other, shared=True)
    for name, page in pages.items():
        page.follow(lambda seen: seen.get("shared") or str(other) in seen.get("drafts", {}))
        assert any("Nobody knows" in text for text in page.bytes) is (name == "Ann")
    for what, details in {"draft": {"change": KIND}, "share": {"shared": True}, "drop": {}, "use": {}}.items():
        assert ben.refused(what, number=number, **details) == "no-such-draft"
    assert ben.refused("second", number=number, seconds=True) == "no-such-draft"
    ann.does("share", number=number, shared=True)
    pages["Cleo"].follow(lambda seen: str(number) in seen["drafts"])
    ann.does("share", number=number, shared=False)
    pages["Cleo"].follow(lambda seen: str(number) not in seen["drafts"])


def test_a_draft_is_seconded_by_others_until_it_is_changed(pages):
    ann, ben, cleo = (pages[name] for name in ("Ann", "Ben", "Cleo"))
    number = ann.drafts()
    ann.does("share", number=number, shared=True)
    for page in (ben, cleo, ben):
        assert "done" in page.does("second", number=number, seconds=True)
    ann.follow(lambda seen: seen["drafts"].get(str(number), {}).get("seconds") == ["Ben", "Cleo"])
    ben.does("second", number=number, seconds=False)
    ann.follow(lambda seen: seen["drafts"].get(str(number), {}).get("seconds") == ["Cleo"])
    assert ann.refused("second", number=number, seconds=True) == "own-draft"
    ann.does("draft", number=number, change=KIND | {"wording": "Be very kind."})
    ben.follow(lambda seen: seen["drafts"].get(str(number), {}).get("change", KIND)["wording"] == "Be very kind.")
    assert ben.seen["drafts"].get(str(number), {}).get("seconds") == []
    ann.does("drop", number=number)
    ben.follow(lambda seen: seen["drafts"] == {})


def test_a_draft_that_was_proposed_is_used_once(pages, game):
    ann, ben = pages["Ann"], pages["Ben"]
    number, other = ben.drafts(), ben.drafts(title="Another")
    for one in (number, other):
        ben.does("share", number=one, shared=True)
    assert ann.refused("use", number=number) == "draft-not-proposed"
    key = next(one["key"] for one in ann.view["mine"]["decisions"].values() if one["action"] == "propose")
    ann.say({"id": "p", "action": "propose", "key": key, "details": {"change": KIND}})
    assert ann.hear("done", "refused")["done"] == "p"
    assert ben.refused("use", number=number) == "draft-not-proposed"  # Ann's proposal is no other player's
    assert "done" in ann.does("use", number=number)
    ben.follow(lambda seen: seen["drafts"].get(str(number), {}).get("used") == "301")
    assert ann.refused("use", number=other) == "draft-not-proposed"
    assert ben.refused("drop", number=number) == "no-such-draft"
    assert ann.refused("second", number=number, seconds=True) == "no-such-draft"
    assert game.state.proposals[301].proponent == "Ann"


def test_a_draft_is_read_as_strictly_as_a_proposal_and_stays_text(pages):
    ann, ben = pages["Ann"], pages["Ben"]
    for change in (None, "text", [], {}, {"kind": "enact"}, {"kind": "?"}, KIND | {"wording": "x" * 9000}):
        assert "refused" in ann.does("draft", change=change), change
    number = ann.drafts(wording=SCRIPT, title=SCRIPT)
    ann.does("share", number=number, shared=True)
    ben.follow(lambda seen: str(number) in seen["drafts"])
    draft = ben.seen["drafts"][str(number)]
    assert (draft["change"]["wording"], draft["change"]["title"], draft["headline"]) == (SCRIPT, SCRIPT, SCRIPT)


def test_a_player_keeps_five_drafts_and_a_table_shares_120(pages, served, monkeypatch):
    ann = pages["Ann"]
    numbers = [ann.drafts(title=f"Draft {at}") for at in range(asides.MOST_DRAFTS)]
    assert len(numbers) == 5
    assert ann.refused("draft", change=KIND) == "too-many-drafts"
    ann.does("drop", number=numbers[0])
    ann.drafts()
    assert asides.MOST_SHARED == 120
    monkeypatch.setattr(asides, "MOST_SHARED", 1)
    assert "done" in ann.does("share", number=numbers[1], shared=True)
    assert "done" in ann.does("share", number=numbers[1], shared=True)
    assert ann.refused("share", number=numbers[2], shared=True) == "too-many-shared"


def vote_open(game, law=""):
    if law:
        game.timeline.do_as_host("correct", {"effect": law, "agreed": list(game.players), "reason": "for a test"})
    game.propose("Ann", nb.enact("Be kind."))


def test_a_reason_is_given_with_a_ballot_and_seen_with_it(pages, game):
    vote_open(game)
    ann, ben = pages["Ann"], pages["Ben"]
    assert ben.refused("reason", proposal=301, text="Because.") == "reason-without-ballot"
    assert ben.refused("reason", proposal=999, text="Because.") == "reason-without-ballot"
    game.vote("Ben", "against")
    for text in ("", "   ", 3, None, "x" * 281):
        assert ben.refused("reason", proposal=301, text=text) == "reason-length"
    assert "done" in ben.does("reason", proposal=301, text="x" * 280)
    assert "done" in ben.does("reason", proposal=301, text=f"  Too   {SCRIPT} ")
    for name in ("Ann", "Cleo", "desk"):
        pages[name].follow(lambda seen: seen["reasons"].get("301") == {"Ben": f"Too {SCRIPT}"})
    game.undo()
    ann.follow(lambda seen: seen["reasons"]["301"] == {})
    game.vote("Ben", "for")  # of which this was not the reason
    game.vote("Ann", "for")
    ann.does("reason", proposal=301, text="Mine.")
    ann.follow(lambda seen: seen["reasons"]["301"] == {"Ann": "Mine."})
    assert not any("Mine." in text or "Too" in text for text in pages["wall"].bytes)


def test_a_reason_in_a_secret_vote_is_its_writers_alone_until_the_vote_closes(opened):
    game = sit("Ann", "Ben", "Cleo")
    game.propose("Ann", nb.enact("Ballots are secret.", law='set vote.ballots to "sealed"'))
    for name in game.players:
        game.vote(name, "for")
    game.roll("Ann", 5)
    tables = game.serve(port=0)
    opened.callback(tables.close)
    pages = {name: Page(link, opened) for name, link in tables.links.items()}
    pages["desk"] = Page(next(iter(tables.desk.values())), opened)
    game.propose("Ben", nb.enact("Be kind."))
    game.vote("Ann", "against")
    assert "done" in pages["Ann"].does("reason", proposal=302, text="I am not.")
    pages["Ann"].follow(lambda seen: seen["reasons"].get("302") == {"Ann": "I am not."})
    game.vote("Ben", "for")
    for page in (pages["Ben"], pages["Cleo"], pages["desk"]):
        page.follow(lambda seen: seen["reasons"].get("302") == {})
        assert not any("I am not" in text for text in page.bytes)
    game.vote("Cleo", "for")
    for page in (pages["Ben"], pages["Cleo"], pages["desk"]):
        page.follow(lambda seen: seen["reasons"]["302"] == {"Ann": "I am not."})


def test_only_the_host_reminds_and_rings(pages, game):
    for name in ("Ann", "wall"):
        for what, details in {"remind": {}, "bell": {"do": "start", "seconds": 60}}.items():
            assert pages[name].refused(what, **details) == "aside-not-from-here"
    for name in ("wall", "desk"):
        for what in ("draft", "share", "second", "reason", "use", "drop", "nonsense"):
            assert pages[name].refused(what, number=1, change=KIND) == "aside-not-from-here"
    vote_open(game)
    game.vote("Ann", "for")
    assert pages["desk"].does("remind")["said"] == "Reminded 2."
    for name in ("Ben", "Cleo"):
        pages[name].follow(lambda seen, name=name: seen["reminded"] == [f"vote:301:{name}"])
    assert pages["Ann"].seen["reminded"] == []
    assert "reminded" not in pages["wall"].seen
    assert not any("reminded" in text for text in pages["wall"].bytes)


def test_the_host_marks_a_draft_that_a_player_proposed_through_them(pages, game):
    ben, desk = pages["Ben"], pages["desk"]
    number = ben.drafts()
    ben.does("share", number=number, shared=True)
    assert desk.refused("use for", number=number, player="Ann") == "draft-not-proposed"
    game.propose("Ann", nb.enact("Be kind."))
    for player in ("Nobody", None, 3):
        assert desk.refused("use for", number=number, player=player) == "draft-not-proposed"
    assert "done" in desk.does("use for", number=number, player="Ann")
    ben.follow(lambda seen: seen["drafts"].get(str(number), {}).get("used") == "301")
    assert ben.refused("use for", number=number, player="Ann") == "aside-not-from-here"


def test_a_seat_is_opened_at_the_host_page_only_for_a_player_without_a_phone(pages, served, opened, monkeypatch):
    desk = pages["desk"]
    pages["Cleo"].socket.close()
    desk.follow(lambda seen: not seen["here"]["Cleo"])
    for player in ("Ann", "Nobody", "", None, ["Cleo"]):
        assert desk.refused("seat", player=player) == "seat-not-to-pass"
    for name in ("Ann", "wall"):
        assert pages[name].refused("seat", player="Cleo") == "aside-not-from-here"
    answer = desk.does("seat", player="Cleo")
    link = answer["link"]
    assert answer["said"] == ""  # which a page shows as a message
    table = urlsplit(served.links["Ann"]).fragment.partition("/")[0]
    seat = Page(f"{served.addresses[0]}#{table}/{link}", opened)
    assert seat.view["mine"]["seat"] == "Cleo"
    (room,) = served._rooms.values()
    assert link not in repr(room.aside._done)
    assert not any(link in text for name, page in pages.items() if name != "desk" for text in page.bytes)
    monkeypatch.setattr(asides, "GONE", 0.0)
    seat.socket.close()
    pages["Ann"].socket.close()
    desk.follow(lambda seen: seen["gone"] == ["Ann"] and not seen["here"]["Cleo"])  # Cleo had no phone


def test_only_the_host_is_told_that_a_phone_is_gone(pages, game, monkeypatch):
    monkeypatch.setattr(asides, "GONE", 0.2)
    before = game.fingerprint
    pages["Cleo"].socket.close()
    pages["desk"].follow(lambda seen: seen["gone"] == ["Cleo"])
    pages["Ann"].follow(lambda seen: not seen["here"]["Cleo"])
    assert "gone" not in pages["Ann"].seen
    assert not any("gone" in text for text in pages["wall"].bytes)
    assert game.fingerprint == before


def test_a_bell_is_started_held_given_more_time_and_stopped(pages, game, monkeypatch):
    desk, ann, wall = pages["desk"], pages["Ann"], pages["wall"]
    for details in ({}, {"do": "add", "seconds": 60}, {"do": "hold"}, {"do": "start"}, {"do": "start", "seconds": "9"},
                    {"do": "start", "seconds": True}):  # fmt: skip
        assert desk.refused("bell", **details) == "bell-unknown"
    desk.does("bell", do="start", seconds=60)
    for page in (ann, wall):
        bell = page.follow(lambda seen: seen["bell"])["bell"]
        assert bell["runs"]
        assert 0 < bell["left"] <= 60
    desk.does("bell", do="hold")
    held = ann.follow(lambda seen: not seen["bell"]["runs"])["bell"]["left"]
    assert 0 < held <= 60
    desk.does("bell", do="add", seconds=60)
    assert ann.follow(lambda seen: seen["bell"]["runs"])["bell"]["left"] > 60
    desk.does("bell", do="start", seconds=10**9)
    assert ann.follow(lambda seen: seen["bell"]["left"] > 120)["bell"]["left"] <= asides.LONGEST_RING
    desk.does("bell", do="stop")
    ann.follow(lambda seen: seen["bell"] == {})
    monkeypatch.setattr(asides, "SHORTEST_RING", 0)
    before = game.fingerprint
    desk.does("bell", do="start", seconds=0)
    rung = wall.follow(lambda seen: seen["bell"] and seen["bell"]["left"] == 0)["bell"]
    assert not rung["runs"]
    assert game.fingerprint == before


def test_a_bell_ends_with_what_it_was_set_for(pages, game):
    desk, wall = pages["desk"], pages["wall"]
    vote_open(game)
    desk.does("bell", do="start", seconds=60)
    wall.follow(lambda seen: seen["bell"])
    game.vote("Ann", "for")
    game.host.pause()
    wall.follow(lambda seen: seen["bell"])
    game.host.resume()
    assert wall.follow(lambda seen: seen["bell"])["bell"]["runs"]
    game.votes()
    wall.follow(lambda seen: seen["bell"] == {})


def test_who_is_connected_is_told_to_all_but_the_wall(pages):
    ann = pages["Ann"].follow(lambda seen: all(seen["here"].values()))
    assert list(ann["here"]) == ["Ann", "Ben", "Cleo"]
    pages["Cleo"].socket.close()
    for name in ("Ann", "desk"):
        assert pages[name].follow(lambda seen: not seen["here"]["Cleo"])["here"]["Ben"]
    assert pages["wall"].seen.keys() == {"bell", "shared"}


def test_what_comes_after_an_overflow_is_the_whole(served, opened, pages, monkeypatch):
    (room,) = served._rooms.values()
    ann = pages["Ann"]
    (page,) = room.pages["Ann"]
    page.loop.call_soon_threadsafe(lambda: [page._queue_message('{"nothing":0}') for _ in range(server.WAITING + 1)])
    ann.hear("connected")
    assert "drafts" in ann.hear("class")["class"]


def test_a_message_is_done_once_and_counts_for_the_allowance(pages):
    ann = pages["Ann"]
    draft = {"id": "same", "class": "draft", "details": {"change": KIND}}
    for _ in range(3):
        ann.say(draft)
        assert ann.hear("done", "refused")["done"] == "same"
    ann.follow(lambda seen: len(seen["mine"]) == 1)
    for at in range(40):
        ann.say({"id": f"many{at}", "class": "second", "details": {"number": 99, "seconds": True}})
    answers = [ann.hear("refused")["why"] for _ in range(40)]
    assert any("Too many messages" in why for why in answers)


def test_nothing_of_it_is_in_a_record(opened, tmp_path):
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7, file=tmp_path / "class.sqlite")
    tables = game.serve(port=0)
    opened.callback(tables.close)
    ann, ben = (Page(tables.links[name], opened) for name in ("Ann", "Ben"))
    desk = Page(next(iter(tables.desk.values())), opened)
    before = game.save(tmp_path / "before.jsonl"), game.state.seq, (tmp_path / "before.jsonl").read_bytes()
    number = ann.drafts(wording="A draft that no record has.")
    ann.does("share", number=number, shared=True)
    ben.does("second", number=number, seconds=True)
    desk.does("remind")
    desk.does("bell", do="start", seconds=60)
    after = game.save(tmp_path / "after.jsonl"), game.state.seq, (tmp_path / "after.jsonl").read_bytes()
    assert after == before
    assert b"A draft that no record has" not in b"".join(path.read_bytes() for path in tmp_path.glob("*.jsonl"))


def test_a_panel_in_a_notebook_has_no_aside(game):
    told = []
    viewer = game.panel().hub.viewers[-1]
    viewer.send = told.append
    game.panel().hub.receive(viewer, json.dumps({"id": "x", "class": "bell", "details": {}}))
    assert json.loads(told[-1])["code"] == "class-not-served"


def test_the_host_of_a_lesson_rings_at_all_tables(opened):
    games = {"one": sit("Ann", "Ben"), "two": sit("Cleo", "Dov")}
    served = ServedLesson(games, lan=False, port=0)
    opened.callback(served.close)
    host = opened.enter_context(connect(f"ws://127.0.0.1:{served._port}/lobby"))
    host.send(json.dumps({"secret": urlsplit(served.host_page).fragment.partition("=")[2]}))
    phones = [Page(f"http://127.0.0.1:{served._port}/#{table}/{room.links.create_link(name)}", opened)
              for table, room in served._rooms.items() for name in room.game.players[:1]]  # fmt: skip
    for seconds in (60, 0):
        host.send(json.dumps({"id": 1, "do": "ring", "details": {"seconds": seconds}}))
        for phone in phones:
            assert phone.follow(lambda seen, rings=bool(seconds): bool(seen["bell"]) is rings)


def test_another_game_at_the_table_begins_without_drafts(game):
    hub = hub_of_game(game)
    aside, sent = asides.Aside(hub), []
    aside.write_draft("Ann", {"change": KIND})
    aside.share_draft("Ann", {"number": 1, "shared": True})
    aside._readers["page"] = asides._Reader(Seat("id", "player", "Ben"), sent.append)
    aside.send_views()
    assert json.loads(sent[-1])["class"]["drafts"]
    hub.game = sit("Ann", "Ben", "Cleo")
    aside.send_views()
    assert [["drafts"], {}] in json.loads(sent[-1])["class_diff"]
    assert aside.drafts == {}
