"""A class on a hub: its pages run in a browser without a login and without the hub's origin."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
import urllib.request
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from browser.test_door import join, press, visit
from hub_helpers import EXTENSION, free_port, running, running_jupyter_server

from nomic_nb.notebook.classroom.serve import ServedLesson

__all__ = ["visit"]

pytestmark = pytest.mark.browser

#: The proxy of a hub, a program for Node.
PROXY = shutil.which("configurable-http-proxy")
SERVICE = "only-for-this-test"
HUB = """
c.JupyterHub.bind_url = "http://127.0.0.1:{port}/school/"
c.JupyterHub.hub_port = {hub}
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{api}"
c.ConfigurableHTTPProxy.command = [{proxy!r}]
c.JupyterHub.authenticator_class = "dummy"
c.Authenticator.allow_all = True
c.JupyterHub.spawner_class = "simple"
c.Spawner.cmd = [{python!r}, "-m", "jupyterhub.singleuser"]
c.Spawner.args = ["--allow-root", "--ServerApp.jpserver_extensions={{'{extension}': True}}"]
c.Spawner.environment = {environment!r}
c.Spawner.notebook_dir = {home!r}
c.JupyterHub.services = [{{"name": "starter", "api_token": {service!r}}}]
scopes = ["admin:servers", "admin:users", "read:servers"]
c.JupyterHub.load_roles = [{{"name": "starter", "services": ["starter"], "scopes": scopes}}]
"""


def call_hub(hub: str, method: str, path: str) -> bytes:
    request = urllib.request.Request(  # noqa: S310
        f"{hub}hub/api/{path}", method=method, headers={"Authorization": f"token {SERVICE}"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
        return bytes(answer.read())


@pytest.fixture
def behind_server(tmp_path: Path) -> Iterator[tuple[str, str, Path]]:
    with running_jupyter_server(tmp_path, "/user/ada/") as port:
        yield f"http://127.0.0.1:{port}", "/user/ada/", tmp_path / "runtime"


@pytest.fixture
def behind_hub(tmp_path: Path) -> Iterator[tuple[str, str, Path]]:
    if PROXY is None or not find_spec("jupyterhub"):
        pytest.skip("no hub: it takes Node, npm install configurable-http-proxy and pip install jupyterhub")
    port, hub, api = free_port(), free_port(), free_port()
    own = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    own |= {"PYTHONPATH": str(Path(__file__).parents[2]), "JUPYTER_RUNTIME_DIR": str(tmp_path / "runtime")}
    config = HUB.format(
        port=port, hub=hub, api=api, proxy=PROXY, extension=EXTENSION, environment=own, home=str(tmp_path),
        service=SERVICE, python=sys.executable,
    )  # fmt: skip
    (tmp_path / "jupyterhub_config.py").write_text(config)
    address = f"http://127.0.0.1:{port}"
    with running([sys.executable, "-m", "jupyterhub"], tmp_path, f"{address}/school/hub/api/"):
        for path in ("users/ada", "users/ada/server"):
            call_hub(f"{address}/school/", "POST", path)
        deadline = time.monotonic() + 60
        while not json.loads(call_hub(f"{address}/school/", "GET", "users/ada"))["servers"][""]["ready"]:
            assert time.monotonic() < deadline
            time.sleep(0.2)
        yield address, "/school/user/ada/", tmp_path / "runtime"


@pytest.mark.parametrize("behind", ["behind_server", "behind_hub"])
def test_a_class_plays_on_a_hub_without_a_login(
    behind: str, request: pytest.FixtureRequest, visit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub, prefix, runtime = request.getfixturevalue(behind)
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(runtime))
    monkeypatch.setenv("JUPYTERHUB_SERVICE_PREFIX", prefix)
    served = ServedLesson({}, port=0, hub=True, names=[hub])
    try:
        assert served.host_page.startswith(f"{hub}{prefix}nomic/#host=")
        host = visit(served.host_page)
        press(host, "Open the door")
        host.locator(".nnb-pin").wait_for()
        phones = [join(visit, served, name) for name in ("Ada", "Ben")]
        for phone in phones:
            phone.get_by_role("heading", name="You’re in").wait_for()
        with host.expect_popup() as popup:
            host.get_by_role("link", name="Open the wall").click()
        popup.value.get_by_text("2 here").wait_for()
        press(host, "Begin with 2")
        for phone in phones:
            phone.locator(".nnb-head .nnb-game").wait_for()
            assert phone.evaluate("() => origin") == "null"
            assert phone.context.cookies() == []
        phones[0].reload()  # to its seat, by the address
        phones[0].get_by_role("button", name="Write a rule").wait_for()
    finally:
        served.close()
