"""The server of a class: one page for all seats, and a WebSocket for each; several tables in one process."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from h11 import LocalProtocolError
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.protocols.http.h11_impl import H11Protocol

from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.words import full_sentence
from nomic_nb.notebook.classroom.links import (
    DESK,
    PROGRAM,
    REVIEW_COST,
    WRONG,
    Seat,
    message_allowance,
)
from nomic_nb.notebook.classroom.programs import ProgramConnection, ProgramRequests
from nomic_nb.notebook.classroom.room import ServedRoom
from nomic_nb.notebook.classroom.sockets import (
    FOREIGN,
    NO_LINK,
    NO_TABLE,
    OTHER_KIND,
    TOO_MANY,
    close_socket,
    send_or_close,
    send_queued,
)
from nomic_nb.notebook.panels import forms
from nomic_nb.notebook.panels.queries import LONG_QUERIES
from nomic_nb.notebook.panels.seat import refusal_data
from nomic_nb.notebook.panels.session import PanelViewer, compact_json
from nomic_nb.notebook.panels.widget import STYLES, bundled_modules, front_end_source

#: Seconds in which a connection asks for something; how many times that a slow connection has for reading an answer.
HASTE, SLOW = 10.0, 6
#: Connections that have not said yet who they are, from one address (a school is one) and in all; and all there are.
FROM_ONE, IN_ALL = 200, 400
#: Messages that wait for a viewer before it is told to ask for the whole.
WAITING = 32
#: Messages of the desk, for one of a player: its slider asks for moment after moment.
DESK_CONNECTIONS = 10
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    "x-content-type-options": "nosniff", "referrer-policy": "no-referrer", "cache-control": "no-store",
}  # fmt: skip
#: A name or an address, in brackets if it has colons, and perhaps a port; and an address of a page, or of none.
HOST = re.compile(r"(?P<name>[A-Za-z0-9._-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?|", re.ASCII)
ORIGIN = re.compile(rf"null|[a-z][a-z0-9+.-]{{0,30}}://({HOST.pattern})", re.ASCII)
#: The files of a page: what a seat, and the host, loads as one script, and what is loaded if need be.
FILES: dict[str, tuple[str, Callable[[], str]]] = {
    **{f"{name}.js": ("text/javascript", partial(bundled_modules, name)) for name in ("seat", "desk", "door", "lobby")},
    **{
        name: ("text/javascript", partial(front_end_source, name))
        for name in ("page.js", "aside.js", "pass.js", "seal.js", "ending.js", "theme.js")
    },
    **{name: ("text/css", partial(front_end_source, name)) for name in (*STYLES, "aside.css", "lobby.css", "ways.css")},
}


class ImpatientProtocol(H11Protocol):
    """Closes connections that have not asked for anything, body and all, within some seconds; uvicorn waits for it."""

    def connection_made(self, transport: Any) -> None:
        """Start the timer that closes a connection without a request."""
        super().connection_made(transport)
        loop = asyncio.get_running_loop()

        def look(before: object, slow: int) -> None:
            if transport.get_protocol() is not self or transport.is_closing():  # one that became a WebSocket stays
                return
            if self.cycle is before and not (slow < SLOW and transport.get_write_buffer_size()):
                transport.abort()
                return
            loop.call_later(HASTE, look, self.cycle, slow + 1 if self.cycle is before else 0)

        loop.call_later(HASTE, look, None, 0)


class RequestGuard:
    """Refuses requests that are not for this server, and adds security headers to every answer.

    Parameters
    ----------
    app : ASGIApp
        What is guarded.
    names : set of str
        The names that this server goes by.
    base : str
        Path prefix of a proxy, which may keep it or strip it.
    """

    def __init__(self, app: ASGIApp, names: set[str], base: str = "/") -> None:
        self.app, self.names, self.prefix = app, names, base.rstrip("/")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let it in, or not."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"].endswith("http.response.start"):
                message["headers"] = [*message["headers"], *((n.encode(), v.encode()) for n, v in HEADERS.items())]
            await send(message)

        try:
            await self._handle_or_refuse(scope, receive, with_headers)
        except LocalProtocolError:  # whoever asked broke off in the middle, or sent nonsense after it
            pass
        except Exception:  # a fault of the program: what is wrong with a request is answered, and in no log
            logging.getLogger(__name__).exception("a request for %s", scope["path"])

    async def _handle_or_refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the app if it is for this server; answer with a refusal otherwise."""
        try:
            known = self._is_own_request(Headers(scope=scope))
        except IllegalAction as error:
            if scope["type"] == "websocket":
                await receive()
            await PlainTextResponse(full_sentence(str(error)), 400)(scope, receive, send)
            return
        if known:
            path = scope["path"]
            inner = path.removeprefix(self.prefix) if path.startswith(f"{self.prefix}/") else path
            await self.app({**scope, "path": inner}, receive, send)
        elif scope["type"] == "http":
            await PlainTextResponse("This server does not serve this address.", 421)(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": FOREIGN})

    def _is_own_request(self, headers: Headers) -> bool:
        """Tell whether a request is for this server and comes from one of its own pages.

        Raises
        ------
        IllegalAction
            Its headers cannot be read.
        """
        for name, form, expected in (("host", HOST, "127.0.0.1:8777"), ("origin", ORIGIN, "http://127.0.0.1:8777")):
            given = headers.getlist(name)
            if len(given) > 1 or not all(map(form.fullmatch, given)):
                raise IllegalAction(
                    "request-header-unreadable",
                    "a request must have one {header} header, e.g. {expected}",
                    header=name.title(),
                    expected=expected,
                )
        host, origin = headers.get("host", ""), headers.get("origin")
        named = HOST.fullmatch(host)
        name = ((named and named["name"]) or "").strip("[]").lower()
        return name in self.names and (origin is None or origin.partition("//")[2] == host)


class TableServer:
    """All tables of one server.

    Parameters
    ----------
    rooms : mapping of str to Room
        By name.
    names : set of str
        The names that this server goes by.
    base : str
        Path prefix of a proxy.
    """

    def __init__(self, rooms: Mapping[str, ServedRoom], names: set[str], base: str = "/") -> None:
        self.rooms = rooms
        self.unknown: Counter[str] = Counter()
        self.count = 0
        self.app = RequestGuard(Starlette(routes=self.routes()), names, base)

    def routes(self) -> list[BaseRoute]:
        """Return what is served at which path."""
        return [
            Route("/", self.serve_page),
            Route("/widgets/{name}", self.serve_file),
            WebSocketRoute("/ws/{table}", self.serve_socket),
            *ProgramRequests(self.rooms).routes(),
        ]

    @property
    def code_without_table(self) -> int:
        """The code that closes a page whose table is not here."""
        return NO_TABLE

    async def serve_page(self, _: Request) -> Response:
        """Return the HTML page, the same for every seat, as the request holds no secret link."""
        return Response(front_end_source("page.html"), media_type="text/html")

    async def serve_file(self, request: Request) -> Response:
        """Return a script or a style sheet of the page."""
        if (name := request.path_params["name"]) not in FILES:
            return PlainTextResponse("There is nothing here.", 404)
        kind, read = FILES[name]
        return Response(read(), media_type=kind)

    async def serve_socket(self, socket: WebSocket) -> None:
        """Exchange messages with a page for as long as its WebSocket is open."""
        place = socket.client.host if socket.client else "?"
        room = self.rooms.get(socket.path_params["table"])
        await socket.accept()
        if room is None:
            await close_socket(socket, self.code_without_table)
        elif self.unknown[place] >= FROM_ONE or self.count >= IN_ALL:
            await close_socket(socket, TOO_MANY)
        else:
            await self._talk_with_seat(socket, room, place)

    async def _talk_with_seat(self, socket: WebSocket, room: ServedRoom, place: str) -> None:
        """Read a seat's link from a page (at the address `place`), then exchange messages until it closes."""
        self.unknown[place] += 1
        self.count += 1
        known, kind = False, ""
        try:
            kind, link = _read_first_link(await asyncio.wait_for(socket.receive_text(), HASTE))
            seat = room.links.seat_of_link(link)
            known = True
            self.unknown[place] -= 1
            if kind == PROGRAM:
                await ProgramConnection(socket, room, seat, link).run()
            elif seat.role == PROGRAM:
                await close_socket(socket, OTHER_KIND)
            else:
                await _PageConnection(socket, room, seat, link).run()
        except IllegalAction as error:
            if kind == PROGRAM:
                await send_or_close(socket, compact_json(refusal_data(error)))
            await close_socket(socket, OTHER_KIND if known else NO_LINK)
        except (WebSocketDisconnect, TimeoutError, RuntimeError, KeyError):
            await close_socket(socket, 1000)
        finally:
            self.count -= 1
            if not known:
                self.unknown[place] -= 1
            self.unknown += Counter()  # nothing is kept of addresses with no connection


def _read_first_link(first: str) -> tuple[str, str]:
    """Return the first message: “link” from a page or “program” from a program, and its link; refuse any other."""
    try:
        message = json.loads(first) if len(first) < 200 else None
    except ValueError:
        message = None
    kind, link = next(iter(message.items())) if isinstance(message, dict) and len(message) == 1 else ("", None)
    if kind not in ("link", PROGRAM) or not isinstance(link, str):
        raise IllegalAction("page-without-link", "a page must send its link first")
    return kind, link


class _PageConnection:
    """One page that is connected, and its seat."""

    def __init__(self, socket: WebSocket, room: ServedRoom, seat: Seat, link: str) -> None:
        self.socket, self.room, self.seat, self.link = socket, room, seat, link
        self.loop = asyncio.get_running_loop()
        self.queue: asyncio.Queue[str] = asyncio.Queue()
        self.viewer = PanelViewer(self._queue_from_thread, f"seat {seat.id}", seat.player, seat.role)

    def _queue_from_thread(self, message: str) -> None:
        """Queue a message to the page; safe to call from any thread."""
        with suppress(RuntimeError):  # the server is being closed
            self.loop.call_soon_threadsafe(self._queue_message, message)

    def _queue_message(self, message: str) -> None:
        """Queue a message to the page; empty the queue first if the page is too slow to read it."""
        if self.queue.qsize() >= WAITING:  # what came in between is left out
            while not self.queue.empty():
                self.queue.get_nowait()
            self.viewer.table = None  # nothing more until it asks for the whole
            self.room.aside.send_whole_to(self)
            message = '{"connected":true}'
        self.queue.put_nowait(message)
        if message.startswith(('{"view"', '{"diff"')):  # a ballot shows its reason
            self.room.aside.update_soon()

    def close(self, code: int) -> None:
        """Show the page nothing more, and close its WebSocket with a code that says why."""
        self.room.hub.remove_viewer(self.viewer)
        self.closing = asyncio.create_task(close_socket(self.socket, code))

    async def run(self) -> None:
        """Send and receive messages until the page or the server ends it."""
        room = self.room
        await room.seat_newest(self)
        room.hub.add_viewer(self.viewer)
        self.queue.put_nowait('{"seated":true}')
        room.aside.add_reader(self, self.seat, self._queue_message)
        sending = asyncio.create_task(send_queued(self.socket, self.queue))
        try:
            await self._receive_messages()
        finally:
            room.hub.remove_viewer(self.viewer)
            room.aside.remove_reader(self)
            sending.cancel()
            room.unseat(self)

    async def _receive_messages(self) -> None:
        """Handle the page's messages until it closes, its link is revoked, or it sends far too many."""
        wrong = 0
        bucket = self.room.buckets.setdefault(
            self.seat, message_allowance(DESK_CONNECTIONS if self.seat.role == DESK else 1)
        )
        while True:
            message = await self.socket.receive_text()  # a KeyError, where it is bytes
            try:
                self.room.links.seat_of_link(self.link)  # a link that was taken back holds no more
            except IllegalAction:
                await close_socket(self.socket, NO_LINK)
                return
            about, id = _message_kind_and_id(message)
            if about == "open":  # refused, a page that was loaded again would stay empty: it waits for its turn
                await asyncio.sleep(bucket.seconds_to_next)
                self.room.aside.send_whole_to(self)
            if bucket.try_take(REVIEW_COST if about in LONG_QUERIES else 1):
                if about == "class":
                    answer = self.room.aside.answer(self.seat, message)
                    self.room.aside.keeper.keep(partial(self._queue_message, answer))
                    continue
                await self.loop.run_in_executor(self.room.pool, self.room.hub.receive, self.viewer, message)
                continue
            wrong += 1
            if wrong > WRONG:
                await close_socket(self.socket, TOO_MANY)
                return
            await self.queue.put(json.dumps({"refused": id, "why": "Too many messages at once. Wait a moment."}))


def _message_kind_and_id(message: str) -> tuple[str, str]:
    """Return what a page's message asks for and the message's id; both empty if it is unreadable."""
    try:
        about, read = forms.read_message(message)
    except IllegalAction:
        return "", ""
    return read["ask"] if about == "ask" else about, str(read.get("id", ""))
