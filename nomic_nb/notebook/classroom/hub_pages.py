"""An extension of Jupyter Server: phones reach the pages of a class on a JupyterHub or Binder without a login.

It is off until ``jupyter server extension enable nomic_nb.notebook.classroom.hub_pages`` and a restart of that server.
Then the pages of the class that is served with ``hub=True`` are open to everybody who knows their address, and nothing
else is. They have no origin: with the hub's, a page could use the kernels of a teacher who opens it.
"""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from typing import Any
from urllib.parse import quote

from jupyter_server.auth.decorator import allow_unauthenticated
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.web import HTTPError, RequestHandler
from tornado.websocket import WebSocketClientConnection, WebSocketClosedError, WebSocketHandler, websocket_connect

from nomic_nb.notebook.classroom.hub import PLACE, find_hub_port

#: What pages may do: run scripts, save a record, open the wall; without an origin, so that they use nothing of the hub.
SANDBOX = "sandbox allow-scripts allow-downloads allow-popups"
#: The headers of the class's server that are passed on.
PASSED_ON = ("Content-Type", "X-Content-Type-Options", "Referrer-Policy", "Cache-Control")
#: Bytes of a message from a page, of which the class's server takes less; seconds between two signs of life.
LARGEST, ALIVE = 1 << 16, 20.0


class _ClassPage(RequestHandler):
    """Passes on what a page asks for to the server of the class, without any cookie."""

    def _address(self, scheme: str, path: str) -> tuple[str, dict[str, str]]:
        """Return the address of a path at the class's server, and the headers to send; refuse pages from elsewhere."""
        host, origin = self.request.host, self.request.headers.get("Origin", "null")
        if origin not in ("null", f"http://{host}", f"https://{host}"):
            raise HTTPError(403)
        if (port := find_hub_port()) is None:
            raise HTTPError(404, "No class is being served.")
        return f"{scheme}://127.0.0.1:{port}/{quote(path)}", {"Host": host}

    @allow_unauthenticated
    async def get(self, path: str) -> None:
        """Return a page or one of its files."""
        address, headers = self._address("http", path)
        try:
            found = await AsyncHTTPClient().fetch(
                address, headers=headers, follow_redirects=False, raise_error=False, request_timeout=10
            )
        except (HTTPClientError, OSError):
            raise HTTPError(502) from None
        self.set_status(found.code)
        for name in PASSED_ON:
            if name in found.headers:
                self.set_header(name, found.headers[name])
        self.set_header("Access-Control-Allow-Origin", "null")  # scripts of a page without an origin
        self.set_header("Content-Security-Policy", f"{found.headers.get('Content-Security-Policy', '')}; {SANDBOX}")
        self.finish(found.body)


class _ClassSocket(_ClassPage, WebSocketHandler):
    """Passes on the messages of a page to the server of the class, and its answers."""

    there: WebSocketClientConnection
    ping_interval = ping_timeout = ALIVE  # the class's server hears of a phone that is gone when this closes
    max_message_size = LARGEST

    @allow_unauthenticated
    async def get(self, path: str) -> None:
        """Open a connection to the class's server, then take the page's."""
        address, headers = self._address("ws", path)
        try:
            self.there = await websocket_connect(HTTPRequest(address, headers=headers, request_timeout=10))
        except (HTTPClientError, OSError):
            raise HTTPError(502) from None
        try:
            await WebSocketHandler.get(self, path)
        finally:
            self.there.close()

    def check_origin(self, _: str) -> bool:
        """Take a page without an origin; others were refused before."""
        return True

    def open(self, _: str) -> None:
        """Begin to pass on answers."""
        self._answers = asyncio.create_task(self._pass_on_answers())

    async def _pass_on_answers(self) -> None:
        """Pass on answers, no faster than the page takes them, until either side closes."""
        with suppress(WebSocketClosedError):
            while (message := await self.there.read_message()) is not None:
                await self.write_message(message)
        self.close(self.there.close_code, self.there.close_reason)

    async def on_message(self, message: str | bytes) -> None:
        """Pass on a message of the page."""
        with suppress(WebSocketClosedError):
            await self.there.write_message(message, isinstance(message, bytes))


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    """Return where a Jupyter server finds the extension."""
    return [{"module": __name__}]


def _load_jupyter_server_extension(app: Any) -> None:
    """Add the page, its files and its sockets to a Jupyter server, and nothing else of the class's server."""
    base = re.escape(app.web_app.settings["base_url"] + PLACE)
    paths = [(rf"{base}(|widgets/[a-z_]+\.(?:js|css))", _ClassPage), (rf"{base}(door|lobby|ws/[^/]+)", _ClassSocket)]
    app.web_app.add_handlers(".*$", paths)
