"""Pages of a class behind a Jupyter server: open to phones without a login, and to nothing else of that server."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from hub_helpers import TOKEN, running_jupyter_server
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

import nomic_nb as nb
from nomic_nb.notebook.classroom.hub import find_hub_port
from nomic_nb.notebook.classroom.serve import ServedTables

PREFIX = "/user/ada/"
pytestmark = pytest.mark.slow  # a Jupyter server is started


@pytest.fixture(scope="module")
def jupyter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Path]]:
    """The port of a Jupyter server that has the extension, and the folder of what runs there."""
    home = tmp_path_factory.mktemp("hub")
    with running_jupyter_server(home, PREFIX) as port:
        yield port, home / "runtime"


@pytest.fixture
def at(jupyter: tuple[int, Path], monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(jupyter[1]))
    monkeypatch.setenv("JUPYTERHUB_SERVICE_PREFIX", PREFIX)
    return jupyter[0]


@pytest.fixture
def room(at: int) -> Iterator[ServedTables]:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    served = game.serve(port=0, hub=True, names=[f"http://127.0.0.1:{at}"])
    yield served
    served.close()


def get(port: int, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()


def talk(port: int, link: str, opened: ExitStack, **how: Any) -> Any:
    """Sit down at the seat of a link, through the Jupyter server."""
    table, _, secret = urlsplit(link).fragment.partition("/")
    socket = opened.enter_context(connect(f"ws://127.0.0.1:{port}{PREFIX}nomic/ws/{table}", **how))
    socket.send(json.dumps({"link": secret}))
    assert json.loads(socket.recv(timeout=20)) == {"seated": True}
    return socket


def code_of_end(socket: Any) -> int:
    """The code that a connection is closed with in the end."""
    with suppress(ConnectionClosed):
        for _ in socket:
            pass
    return int(socket.close_code)


def test_a_link_leads_to_a_seat_without_a_login(room: ServedTables, at: int) -> None:
    assert room.links["Ann"].startswith(f"http://127.0.0.1:{at}{PREFIX}nomic/#1/")
    with ExitStack() as opened:
        ann = talk(at, room.links["Ann"], opened)
        ann.send('{"open": true}')
        while "view" not in (got := json.loads(ann.recv(timeout=20))):
            pass
        (decision,) = (one for one in got["view"]["mine"]["decisions"].values() if one["action"] == "propose")
        change = {"kind": "enact", "wording": "We greet each other.", "law": "", "title": ""}
        message = {"id": "k1", "action": "propose", "key": decision["key"], "details": {"change": change}}
        ann.send(json.dumps(message))
        while "done" not in (got := json.loads(ann.recv(timeout=20))):
            assert "refused" not in got
    assert room._rooms["1"].game.proposals[301].proponent == "Ann"


def test_a_page_has_no_origin_of_the_hub_and_gets_no_cookie(room: ServedTables, at: int) -> None:
    for path in ("", "widgets/page.js", "widgets/style.css"):
        status, headers, body = get(at, f"{PREFIX}nomic/{path}", Origin="null")
        assert (status, bool(body)) == (200, True)
        policy = headers["content-security-policy"].split("; ")
        assert "default-src 'none'" in policy
        (sandbox,) = (one for one in policy if one.startswith("sandbox"))
        assert "allow-scripts" in sandbox
        assert "allow-same-origin" not in sandbox
        assert "set-cookie" not in headers
        assert headers["access-control-allow-origin"] == "null"


@pytest.mark.parametrize(
    "path",
    [
        "nomic/../api/contents", "nomic/%2e%2e/api/contents", "nomic/widgets/../../api/contents",
        "nomic/widgets/..%2f..%2fapi%2fcontents", "nomic/widgets/%2e%2e/page.html", "nomic/api/contents", "nomic/docs",
        "nomic/http://127.0.0.1:1/", "nomic//", "nomic/widgets/page.html", "nomic/ws/", "nomic",
    ],
)  # fmt: skip
def test_nothing_but_the_pages_is_passed_on(room: ServedTables, at: int, path: str) -> None:
    status, _, body = get(at, PREFIX + path)
    assert status in (302, 403, 404)  # to the login of the server, or refused
    assert b"data-lesson" not in body
    assert b'id="panel"' not in body


def test_the_rest_of_the_server_wants_its_token(room: ServedTables, at: int) -> None:
    assert get(at, f"{PREFIX}api/contents")[0] == 403
    assert get(at, f"{PREFIX}api/contents?token={TOKEN}")[0] == 200
    with pytest.raises(InvalidStatus):
        connect(f"ws://127.0.0.1:{at}{PREFIX}api/kernels/x/channels")


@pytest.mark.parametrize("origin", ["http://evil.example", "https://127.0.0.1.evil.example", "file://"])
def test_pages_from_elsewhere_are_refused(room: ServedTables, at: int, origin: str) -> None:
    assert get(at, f"{PREFIX}nomic/", Origin=origin)[0] == 403
    with pytest.raises(InvalidStatus) as refused:
        connect(f"ws://127.0.0.1:{at}{PREFIX}nomic/ws/1", origin=origin)
    assert refused.value.response.status_code == 403


def test_a_name_that_is_not_the_hubs_is_refused(room: ServedTables, at: int) -> None:
    assert get(at, f"{PREFIX}nomic/", Host="evil.example")[0] == 421


def test_a_closed_seat_says_why_through_the_hub(room: ServedTables, at: int) -> None:
    with ExitStack() as opened:
        socket = talk(at, room.links["Ann"], opened)
        room.new_link("Ann")
        assert code_of_end(socket) == 4401


def test_nobody_is_let_in_with_a_wrong_link_or_a_message_that_is_too_long(room: ServedTables, at: int) -> None:
    for message, code in (('{"link": "1234.guess"}', 4401), ("x" * 40_000, 1009), ("x" * 70_000, 1009)):
        with connect(f"ws://127.0.0.1:{at}{PREFIX}nomic/ws/1") as socket:
            socket.send(message)
            assert code_of_end(socket) == code


def test_without_a_class_there_is_nothing(at: int) -> None:
    assert get(at, f"{PREFIX}nomic/")[0] == 404
    with pytest.raises(InvalidStatus):
        connect(f"ws://127.0.0.1:{at}{PREFIX}nomic/door")


def test_one_class_has_the_hub_until_it_is_closed(room: ServedTables, at: int) -> None:
    game = nb.new_game("discordian-nomic", ["Cleo", "Dov"], seed=7)
    with pytest.raises(ValueError, match="another class is served through this hub"):
        game.serve(port=0, hub=True, names=[f"http://127.0.0.1:{at}"])
    room.close()
    other = game.serve(port=0, hub=True, names=[f"http://127.0.0.1:{at}"])
    assert get(at, f"{PREFIX}nomic/")[0] == 200
    other.close()
    assert get(at, f"{PREFIX}nomic/")[0] == 404


def test_the_port_of_a_killed_kernel_leads_nowhere(at: int, jupyter: tuple[int, Path]) -> None:
    program = (
        "import time\nfrom nomic_nb.notebook.classroom.hub import HubPort\n"
        "port = HubPort(4711)\nprint('noted', flush=True)\ntime.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as kernel:
        assert kernel.stdout is not None
        assert kernel.stdout.readline() == b"noted\n"
        assert find_hub_port() == 4711
        assert (jupyter[1] / "nomic-class-port").stat().st_mode & 0o777 == 0o600
        os.kill(kernel.pid, signal.SIGKILL)
        kernel.wait(20)
        assert find_hub_port() is None
        assert get(at, f"{PREFIX}nomic/")[0] == 404


def test_the_hub_has_to_have_a_name(at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    with pytest.raises(ValueError, match="address bar"):
        game.serve(port=0, hub=True)
    monkeypatch.setenv("JUPYTERHUB_PUBLIC_URL", "https://hub.example:8443/user/ada/")
    room = game.serve(port=0, hub=True)
    try:
        assert room.addresses[0] == "https://hub.example:8443/user/ada/nomic/"
    finally:
        room.close()
