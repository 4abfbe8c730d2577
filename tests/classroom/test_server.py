"""The server: who gets in, what is sent, and what strangers cannot do."""

from __future__ import annotations

import http.client
import json
import logging
import socket
import threading
import time
from contextlib import ExitStack, closing, suppress
from urllib.parse import urlsplit

import pytest
from classroom.connections import Connection
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from often import examples
from play_helpers import sit
from refusals import refused
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

import nomic_nb as nb
from nomic_nb.notebook.classroom import links, server, sockets
from nomic_nb.notebook.classroom import serve as serving

KIND = {"change": {"kind": "enact", "wording": "Be kind.", "law": "", "title": ""}}


#: Connections that are closed when their test is over.
OPENED = ExitStack()


@pytest.fixture(autouse=True)
def closes():
    with OPENED.pop_all():
        yield
    OPENED.close()


def dial(address, **more):
    return OPENED.enter_context(connect(address, **more))


class Phone(Connection):
    """A page, without a browser."""

    def __init__(self, link, origin=None, **more):
        self.url = urlsplit(link)
        table, _, secret = self.url.fragment.partition("/")
        self.socket = dial(f"ws://{self.url.netloc}/ws/{table}", origin=origin, compression=None, **more)
        self.view = None
        with suppress(ConnectionClosed):  # who is not let in may hear of it first
            self.say({"link": secret})

    def say(self, message):
        self.socket.send(message if isinstance(message, str) else json.dumps(message))

    def hear(self, *fields):
        """The next message that has one of these fields."""
        while True:
            got = json.loads(self.socket.recv(timeout=10))
            if "view" in got:
                self.view = got["view"]
            if not got.keys().isdisjoint(fields):
                return got

    def open(self):
        self.hear("seated")
        self.say({"open": True})
        self.hear("view")
        return self

    def key(self, action):
        return next(one["key"] for one in self.view["mine"]["decisions"].values() if one["action"] == action)

    def close(self):
        self.socket.close()


@pytest.fixture
def served():
    game = sit("Ann", "Ben", "Cleo")
    room = game.serve(port=0)
    room.game = game
    yield room
    room.close()


def get(room, path="/", **headers):
    url = urlsplit(room.addresses[0])
    with closing(http.client.HTTPConnection(url.hostname, url.port, timeout=10)) as connection:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer, answer.read().decode()


def test_three_seats_play_a_turn_over_the_wire(served):
    phones = {name: Phone(link).open() for name, link in served.links.items()}
    ann = phones["Ann"]
    ann.say({"id": "a1", "action": "propose", "key": ann.key("propose"), "details": KIND})
    assert ann.hear("done", "refused")["done"] == "a1"
    for name, phone in phones.items():
        phone.say({"open": True})
        phone.hear("view")
        phone.say({"id": "v", "action": "vote", "key": phone.key("vote"), "details": {"ballot": "for"}})
        assert phone.hear("done", "refused")["done"] == "v", name
    assert served.game.proposals[301].outcome == "adopted"
    served.game.roll("Ann")
    while "propose:None:Ben" not in json.dumps(phones["Ben"].hear("diff")):
        pass


def test_a_page_carries_no_secret_and_loads_nothing_from_elsewhere(served):
    answer, text = get(served)
    assert answer.status == 200
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert (answer.headers["referrer-policy"], answer.headers["x-content-type-options"]) == ("no-referrer", "nosniff")
    assert answer.headers["cache-control"] == "no-store"
    assert "server" not in answer.headers
    assert "http" not in text
    for name in ("page.js", "seat.js", "desk.js", "seal.js", "style.css"):
        file, _ = get(served, f"/widgets/{name}")
        assert file.status == 200
        assert file.headers["content-type"].startswith("text/")
    for path in ("/widgets/..%2fpyproject.toml", "/widgets/page.html", "/widgets/../../pyproject.toml", "/docs"):
        missing, _ = get(served, path)
        assert missing.status == 404
        assert "content-security-policy" in missing.headers


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8777", "", "127.0.0.1.evil.example"])
def test_a_name_that_is_not_ours_is_not_served(served, host):
    assert get(served, Host=host)[0].status == 421


@pytest.fixture
def logged():
    """All that any log is told, whether its logger hands it on or not."""
    told: list[logging.LogRecord] = []
    handler = logging.Handler()
    handler.emit = told.append
    loggers = [logging.getLogger(name) for name in ("", "uvicorn", "uvicorn.error", "asyncio")]
    for one in loggers:
        one.addHandler(handler)
    yield told
    for one in loggers:
        one.removeHandler(handler)


def raw(room, sent):
    """What the server says to these bytes, as long as it says something."""
    url = urlsplit(room.addresses[0])
    with socket.create_connection((url.hostname, url.port), timeout=5) as stranger:
        with suppress(OSError):
            stranger.sendall(sent)
            stranger.shutdown(socket.SHUT_WR)
        heard = b""
        with suppress(OSError):
            while got := stranger.recv(65536):
                heard += got
    return heard


UPGRADE = b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n"
UPGRADE %= b"MDAwMDAwMDAwMDAwMDAwMA=="


@pytest.mark.parametrize("more", [b"", UPGRADE], ids=["page", "socket"])
@pytest.mark.parametrize(
    "headers",
    [
        *(
            b"Host: " + one
            for one in (b"[", b"]", b"[x]", b"[::1", b"localhost:x", b"a b", b"\xff", b"localhost:999999")
        ),
        *(b"Host: localhost\r\nOrigin: " + one for one in (b"http://[", b"http://]x", b"//", b"\xff", b"http://a b")),
        b"Host: localhost\r\nOrigin: http://localhost\r\nOrigin: http://evil.example",
    ],
)
@pytest.mark.slow
def test_headers_that_cannot_be_read_are_refused_in_a_sentence(served, logged, headers, more):
    answer = raw(served, b"GET /ws/1 HTTP/1.1\r\n" + headers + b"\r\n" + more + b"\r\n")
    head, _, said = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert said.startswith((b"A request must have one ", b"Failed to open a WebSocket connection: invalid Origin"))
    assert not logged


@pytest.fixture(scope="module")
def room():
    with closing(sit("Ann", "Ben").serve(port=0)) as made:
        yield made


ODD = st.sampled_from(
    [b"[", b"]", b"\r\n", b":", b"%", b"\xff", b"\0", b" ", b"//", b"@", b"\xe2\x84\x80"]
) | st.binary(max_size=3)
FRAME = b"\x81\x8d\0\0\0\0" + b'{"open":true}'


@examples(30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    places=st.lists(st.tuples(st.integers(0, 300), st.integers(0, 3), ODD), max_size=4),
    more=st.sampled_from([b"", UPGRADE]),
)
def test_nothing_that_strangers_send_is_a_fault_or_stands_in_a_log(room, logged, places, more):
    sent = b"GET /ws/1?a=b HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n" + more + b"\r\n" + FRAME
    for at, gone, odd in places:
        sent = sent[:at] + odd + sent[at + gone :]
    assert not raw(room, sent).startswith(b"HTTP/1.1 500")
    assert not logged


def test_a_fault_of_the_program_stands_in_a_log(served, logged, planted, monkeypatch):
    monkeypatch.setattr(server.RequestGuard, "_is_own_request", lambda *_: 1 / 0)
    raw(served, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert [one.exc_info[0] for one in logged] == [ZeroDivisionError]


def test_a_page_of_another_origin_gets_no_socket(served):
    ours = f"http://{urlsplit(served.addresses[0]).netloc}"
    Phone(served.links["Ann"], origin=ours).open().close()
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1"):
        with pytest.raises(Exception, match=r"403|rejected"):
            Phone(served.links["Ann"], origin=origin).open()


def test_a_wrong_link_opens_nothing_and_always_says_the_same(served):
    good = served.links["Ann"]
    for link in (
        good[:-1],
        good + "x",
        good.rpartition(".")[0] + good.rpartition(".")[2],
        good.rpartition("/")[0] + "/",
        good[:-10],
        good + "x" * 90,
    ):
        assert Phone(link).closed() == sockets.NO_LINK
    assert Phone(good.replace("#1/", "#2/")).closed() == sockets.NO_TABLE
    for first in ("", "nonsense", "{}", '{"link": 7}', '{"link": "a", "more": 1}', "[" * 150):
        socket = dial(f"ws://{urlsplit(good).netloc}/ws/1")
        socket.send(first)
        with pytest.raises(ConnectionClosed) as ended:
            socket.recv(timeout=10)
        assert ended.value.rcvd.code == sockets.NO_LINK


def test_one_device_a_seat_and_the_newer_has_it(served):
    first = Phone(served.links["Ann"]).open()
    second = Phone(served.links["Ann"]).open()
    assert first.closed() == sockets.TAKEN
    second.say({"id": "s", "action": "say", "details": {"text": "here"}})
    assert second.hear("done")["done"] == "s"


def test_a_new_link_ends_the_old_one_even_where_it_is_open(served):
    lost = Phone(served.links["Ann"]).open()
    old = served.links["Ann"]
    new = served.new_link("Ann")
    assert new != old
    assert served.links["Ann"] == new
    assert lost.closed() == sockets.NO_LINK  # at once, though it says nothing
    assert Phone(old).closed() == sockets.NO_LINK
    Phone(new).open().close()
    with refused("nobody-at-this-table", ValueError, player="Zoe"):
        served.new_link("Zoe")


def test_a_lost_phone_is_shown_nothing_after_the_new_link(served):
    lost, ben = Phone(served.links["Ann"]).open(), Phone(served.links["Ben"]).open()
    served.new_link("Ann")
    served.game.propose("Ann", nb.enact("Be kind."))
    ben.hear("diff")
    heard = []
    with suppress(ConnectionClosed):
        heard.extend(lost.socket)
    assert "Be kind" not in "".join(heard)


def test_answers_are_sent_at_once(served, monkeypatch):
    """asyncio turns delays off for the sockets that it knows to be TCP: an answer waited 40 ms otherwise."""
    set_so_far = []
    monkeypatch.setattr(
        server.ImpatientProtocol,
        "connection_made",
        lambda self, transport, made=server.ImpatientProtocol.connection_made: (
            set_so_far.append(transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)),
            made(self, transport),
        )[1],
    )
    get(served)
    assert set_so_far
    assert all(set_so_far)


@pytest.mark.parametrize("path", ["/", "/user/ann/nomic/"])
@pytest.mark.parametrize("file", ["", "widgets/seat.js"])
def test_a_proxy_may_strip_its_prefix_or_keep_it(path, file):
    with closing(sit("Ann", "Ben").serve(port=0, names=["http://Hub.example:8000"], base="/user/ann/nomic/")) as room:
        assert room.addresses[0] == "http://Hub.example:8000/user/ann/nomic/"
        url = urlsplit(room.addresses[-1])
        with closing(http.client.HTTPConnection(url.hostname, url.port, timeout=10)) as connection:
            connection.request("GET", path + file, headers={"host": "hub.example:8000"})
            assert connection.getresponse().status == 200
        phone = dial(f"ws://{url.netloc}{path}ws/1", origin=f"http://{url.netloc}")
        phone.send(json.dumps({"link": urlsplit(room.links["Ann"]).fragment.partition("/")[2]}))
        assert "seated" in phone.recv(timeout=10)


@pytest.mark.parametrize("name", ["", "http://", "ftp://hub.example", "hub.example/nomic", "hub:port", "http://[::1"])
def test_a_name_that_is_no_host_is_refused(name):
    with refused("not-a-host-name", ValueError, name=name):
        sit("Ann", "Ben").serve(port=0, names=[name])


def test_the_wall_is_shown_everything_open_and_can_do_nothing(served):
    (link,) = served.wall.values()
    wall, other = Phone(link).open(), Phone(link).open()  # two projectors
    assert wall.view["mine"]["decisions"] == {}
    wall.say({"id": "w", "action": "say", "details": {"text": "boo"}})
    assert wall.hear("refused")["code"] == "page-only-looks-on"
    other.close()


def test_a_message_that_is_too_large_ends_that_connection_alone(served):
    ben = Phone(served.links["Ben"]).open()
    ann = Phone(served.links["Ann"]).open()
    ann.say(json.dumps({"id": "x", "action": "say", "details": {"text": "x" * 40_000}}))
    assert ann.closed() == 1009
    ben.say({"id": "b", "action": "say", "details": {"text": "undisturbed"}})
    assert ben.hear("done")["done"] == "b"
    ann = Phone(served.links["Ann"]).open()
    ann.socket.send(b"bytes")
    ann.closed()
    ben.say({"id": "c", "action": "say", "details": {"text": "still"}})
    assert ben.hear("done")["done"] == "c"


def test_too_many_at_once_are_refused_and_not_lost_silently(served):
    ann = Phone(served.links["Ann"]).open()
    for at in range(links.BURST + 10):
        ann.say({"id": f"n{at}", "action": "say", "details": {"text": str(at)}})
    answers = [ann.hear("done", "refused") for _ in range(links.BURST + 10)]
    refused = [one for one in answers if "refused" in one]
    assert refused
    assert all("Too many messages at once" in one["why"] for one in refused)
    assert len(answers) - len(refused) == (served.game.history["kind"] == "said").sum()


def test_who_does_not_say_who_they_are_is_let_go(served, monkeypatch):
    monkeypatch.setattr(server, "HASTE", 0.2)
    silent = dial(f"ws://{urlsplit(served.addresses[0]).netloc}/ws/1")
    with pytest.raises(ConnectionClosed):
        silent.recv(timeout=10)
    url = urlsplit(served.addresses[0])
    with socket.create_connection((url.hostname, url.port), timeout=10) as slow:
        slow.send(b"GET / HTTP/1.1\r\nHost: ")  # and never the end of it
        assert slow.recv(100) == b""


@pytest.mark.parametrize("first", [b"", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"])
@pytest.mark.slow
def test_a_body_that_drips_holds_no_connection(served, monkeypatch, first):
    monkeypatch.setattr(server, "HASTE", 0.3)
    url = urlsplit(served.addresses[0])
    with socket.create_connection((url.hostname, url.port), timeout=10) as slow, suppress(OSError):
        slow.sendall(first + b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n")
        for _ in range(1000):  # until it is closed
            slow.sendall(b"x")
            time.sleep(0.02)
        pytest.fail("it still takes what drips")


def test_a_page_loaded_again_with_an_empty_bucket_waits_and_opens(served):
    ann = Phone(served.links["Ann"]).open()
    for at in range(60):
        ann.say({"id": str(at), "ask": "terms"})
    again = Phone(served.links["Ann"])
    again.hear("seated")
    again.say({"open": True})
    assert "view" in again.hear("view", "refused")


def test_a_review_counts_for_several_messages(served):
    ann = Phone(served.links["Ann"]).open()
    sent = links.BURST // links.REVIEW_COST + 12
    for at in range(sent):
        ann.say({"id": str(at), "ask": "review", "details": KIND})
    ann.say({"open": True})
    refused = 0
    while "view" not in (got := ann.hear("refused", "view")):
        refused += "refused" in got
    assert refused


def test_no_address_takes_all_places(served, monkeypatch):
    monkeypatch.setattr(server, "FROM_ONE", 3)
    address = f"ws://{urlsplit(served.addresses[0]).netloc}/ws/1"
    held = [dial(address) for _ in range(3)]
    assert Phone(served.links["Ann"]).closed() == sockets.TOO_MANY
    for one in held:
        one.close()
    time.sleep(0.2)
    Phone(served.links["Ann"]).open().close()


def test_a_viewer_that_does_not_read_disturbs_nobody_and_catches_up(served):
    ann = Phone(served.links["Ann"], max_queue=1).open()
    ben = Phone(served.links["Ben"]).open()
    for at in range(300):  # Ann's page takes none of it
        served.game.say("Ben", f"{at} " + "x" * 200)
        time.sleep(0.001)
    ben.say({"id": "b", "action": "say", "details": {"text": "the last"}})
    assert ben.hear("done")["done"] == "b"
    ann.say({"open": True})
    deadline = time.monotonic() + 10
    while ann.view["step"] < served.game.state.seq and time.monotonic() < deadline:
        if "connected" in ann.hear("view", "connected", "diff"):
            ann.say({"open": True})
    assert ann.view["step"] == served.game.state.seq


def test_several_tables_have_addresses_and_secrets_of_their_own():
    games = [sit("Ann", "Ben"), sit("Ann", "Cy")]
    room = nb.serve(*games, port=0)
    try:
        assert list(room.links) == ["1/Ann", "1/Ben", "2/Ann", "2/Cy"]
        cross = room.links["1/Ann"].replace("#1/", "#2/")
        assert Phone(cross).closed() == sockets.NO_LINK
        cy = Phone(room.links["2/Cy"]).open()
        cy.say({"id": "c", "action": "say", "details": {"text": "table two"}})
        cy.hear("done")
        assert "table two" in games[1].latest(1)[0]
        assert games[0].latest(1) != games[1].latest(1)
    finally:
        room.close()


def test_what_is_shown_has_a_link_and_a_code_for_every_seat_and_escapes_names(monkeypatch):
    monkeypatch.setattr(serving, "_network_address", lambda: "192.0.2.7")
    game = sit("<b>Ann", "Ben")
    room = game.serve(port=0, lan=True)
    try:
        html, text = room._repr_html_(), str(room)
        assert html.count("<img ") == 3
        assert html.count("data:image/svg+xml") == 3
        assert "<b>Ann" not in html
        assert all(link in text for link in room.links.values())
        assert "&lt;b&gt;Ann" in room.cards()
    finally:
        room.close()
    with pytest.raises(OSError):
        dial(f"ws://{urlsplit(room.addresses[1]).netloc}/ws/1", open_timeout=2)


def test_no_code_is_shown_that_no_phone_can_open(monkeypatch):
    game = sit("Ann", "Ben")
    with closing(game.serve(port=0)) as room:
        assert not room.can_phones_connect
        assert "<img " not in room._repr_html_() + room.cards()
        assert all("on this computer only" in shown for shown in (room._repr_html_(), room.cards(), str(room)))
    monkeypatch.setattr(serving, "_network_address", lambda: "127.0.0.1")
    with closing(game.serve(port=0, host=serving.EVERY_ADDRESS)) as room:
        assert "<img " not in room._repr_html_()
        assert "isn’t on a network" in str(room)


def test_a_server_that_is_stopped_before_it_has_begun_gives_its_port_back(monkeypatch):
    async def stopped(server, sockets):
        """Do what uvicorn 0.35 does then."""

    monkeypatch.setattr("uvicorn.Server.serve", stopped)
    room = sit("Ann", "Ben").serve(port=0)
    room.close()
    socket.create_server(("127.0.0.1", urlsplit(room.addresses[0]).port)).close()


def at_home(link):
    """The link as this machine opens it, whatever address the network knows it by."""
    url = urlsplit(link)
    return url._replace(netloc=f"127.0.0.1:{url.port}").geturl()


def test_phones_are_let_in_and_out_again_while_pages_are_open(monkeypatch):
    monkeypatch.setattr(serving, "_network_address", lambda: "192.0.2.7")
    game = sit("Ann", "Ben")
    with closing(game.serve(port=0)) as room:
        before = room.links
        Phone(before["Ann"]).open()
        room.let_phones_in()
        assert room.can_phones_connect
        assert room.links == {name: link.replace("127.0.0.1", "192.0.2.7") for name, link in before.items()}
        assert room._repr_html_().count("<img ") == 3
        assert "on this computer only" not in str(room)
        ann = Phone(at_home(before["Ann"])).open()  # the link of a page that was open
        ann.say({"id": "a", "action": "say", "details": {"text": "still here"}})
        ann.hear("done")
        room.let_phones_in(False)
        assert room.links == before
        Phone(before["Ben"]).open()


def test_what_cannot_be_had_for_the_network_leaves_the_pages_as_they_were(monkeypatch):
    with closing(sit("Ann", "Ben").serve(port=0)) as room:
        listening = serving._listening_socket

        def taken(host, port):
            if host == serving.EVERY_ADDRESS:
                raise serving.PortError("taken")
            return listening(host, port)

        monkeypatch.setattr(serving, "_listening_socket", taken)
        with pytest.raises(serving.PortError, match="taken"):
            room.let_phones_in()
        assert not room.lan
        Phone(room.links["Ann"]).open()


def test_a_network_without_a_way_out_still_has_an_address(monkeypatch):
    class NoWayOut(socket.socket):
        def connect(self, where):
            raise OSError

    monkeypatch.setattr(serving.socket, "socket", NoWayOut)
    monkeypatch.setattr(
        serving.socket, "getaddrinfo", lambda *_: [(0, 0, 0, "", (one, 0)) for one in ("127.0.1.1", "10.0.0.5")]
    )
    assert serving._network_address() == "10.0.0.5"


def test_a_server_of_the_same_game_begun_again_takes_new_links_only():
    game = sit("Ann", "Ben")
    first = game.serve(port=0)
    old = first.links["Ann"]
    first.close()
    second = game.serve(port=urlsplit(old).port)
    try:
        assert Phone(old).closed() == sockets.NO_LINK
        Phone(second.links["Ann"]).open().close()
    finally:
        second.close()


def test_a_rule_that_takes_long_holds_up_its_own_table_only(monkeypatch):
    games = [sit("Ann", "Ben"), sit("Ann", "Ben")]
    room = nb.serve(*games, port=0)
    going = threading.Event()
    try:
        slow, quick = Phone(room.links["1/Ann"]).open(), Phone(room.links["2/Ann"]).open()
        monkeypatch.setattr(games[0], "say", lambda player, text: going.wait(10), raising=False)
        slow.say({"id": "s", "action": "say", "details": {"text": "long"}})
        quick.say({"id": "q", "action": "say", "details": {"text": "short"}})
        assert quick.hear("done")["done"] == "q"
        going.set()
        assert slow.hear("done", "refused")
    finally:
        going.set()
        room.close()


def test_nothing_is_not_served():
    with refused("nothing-to-serve", ValueError):
        nb.serve()
