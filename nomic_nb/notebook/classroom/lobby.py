"""The server of a lesson: phones come by a code, wait in a lobby, and are sent to their seats once play begins."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from contextlib import suppress
from inspect import isawaitable
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.messages import say
from nomic_nb.engine.words import full_sentence
from nomic_nb.notebook.classroom import server
from nomic_nb.notebook.classroom.door import Json
from nomic_nb.notebook.classroom.lesson import Lesson
from nomic_nb.notebook.classroom.lesson_end import END_MESSAGE
from nomic_nb.notebook.classroom.links import message_allowance
from nomic_nb.notebook.classroom.room import ServedRoom
from nomic_nb.notebook.classroom.server import TableServer
from nomic_nb.notebook.classroom.sockets import ENDED, NO_LINK, NO_TABLE, TOO_MANY, close_socket, send_queued
from nomic_nb.notebook.panels.session import call_on_change, compact_json
from nomic_nb.notebook.panels.widget import front_end_source

#: Letters of a message at the door; connections there in all, and of those who are not in from one address.
LARGEST, MOST_AT_DOOR, MOST_FROM_ADDRESS = 1024, 240, 40
#: Messages that are refused before a connection at the door is closed; seconds to say a name once the code is right.
PATIENCE, NAME_IN = 12, 90.0
#: Seconds before a refusal at the door is sent, so that guessing costs this machine nothing; between two pictures of
#: the lobby; in which a phone can still read that its place is another's.
DELAY, PAUSE, LAST_WORDS = 0.4, 0.1, 0.2
#: Messages that a slow host page has not read yet; what comes then is left out, and the next picture has it all.
WAITING = 8
#: What takes so long that phones must not wait for it; it touches no connection.
SLOW_COMMANDS = frozenset(("save everything", "last names", "pause"))
#: What can go wrong with a message of the host: it is said, and nothing is done.
REFUSALS = (IllegalAction, LawError, ValueError, OSError)


class _PhoneAtDoor:
    """A phone that has no seat yet."""

    def __init__(self, socket: WebSocket, address: str) -> None:
        self.socket, self.address, self.queue = socket, address, asyncio.Queue[str]()
        self.entered, self.placed, self.is_in, self.refused = False, False, False, 0
        #: The names that it offers; None before the code is right.
        self.names: list[str] | None = None

    def tell(self, message: Json) -> None:
        """Send it a message."""
        self.placed |= not message.keys().isdisjoint(("in", "back", "waits"))
        self.placed &= "away" not in message
        self.is_in = self.placed and (self.is_in or "waits" not in message)
        self.queue.put_nowait(compact_json(message))

    def end(self) -> None:
        """Tell it that its place is another's, and close its connection."""
        self.tell({"away": str(say("place-taken", "Your place has moved to another phone, or was given up."))})
        asyncio.get_running_loop().call_later(
            LAST_WORDS, lambda: asyncio.ensure_future(close_socket(self.socket, NO_LINK))
        )


class LessonServer(TableServer):
    """The server of a lesson: its door, the pages of its host and its wall, and its tables.

    Parameters
    ----------
    lesson : Lesson
        The lesson.
    names : set of str
        The names that this server goes by.
    base : str
        Path prefix of a proxy.
    """

    def __init__(self, lesson: Lesson, names: set[str], base: str = "/") -> None:
        self.lesson = lesson
        self.onlookers: list[tuple[asyncio.Queue[str], bool]] = []
        self.phones: set[_PhoneAtDoor] = set()
        self._is_due = False
        #: Whether another device has opened the page; None behind a proxy, if nobody can tell.
        self.reached: bool | None = None if lesson.door.proxies else False
        self.loop: asyncio.AbstractEventLoop | None = None
        super().__init__(lesson.rooms, names, base)
        lesson.door.on_change = self._show_lobby_soon
        lesson.on_new_room = self._watch_room
        for room in lesson.rooms.values():
            self._watch_room(room)

    def routes(self) -> list[BaseRoute]:
        """Return what is served at which path."""
        return [
            *super().routes(),
            WebSocketRoute("/door", self.serve_door),
            WebSocketRoute("/lobby", self.serve_lobby),
        ]

    async def serve_page(self, request: Request) -> Response:
        """Return the page, which knows that this server has a door; note whether another device asks for it."""
        host = request.client.host if request.client else ""
        own = host in ("", urlsplit(self.lesson.address()).hostname) or ip_address(host).is_loopback
        if self.reached is False and not own:
            self.reached = True
            self._show_lobby_soon()
        page = front_end_source("page.html").replace("<body ", "<body data-lesson ")
        page = page.replace("<body", '<link rel="stylesheet" href="widgets/lobby.css">\n<body', 1)
        return Response(page, media_type="text/html")

    @property
    def code_without_table(self) -> int:
        """The code that closes a page whose table is not here: the lesson has ended, or there never was one."""
        return ENDED if self.lesson.end.ended else NO_TABLE

    # ------------------------------------------------------------------------------------------ the host and the wall

    def _watch_room(self, room: ServedRoom) -> None:
        """Show a table again whenever its game changes, another begins there, or a page of it comes or goes."""
        room.on_pages_changed = room.aside.on_bell = self._show_lobby_soon
        room.hub.on_next_game = lambda: self._watch_room(room)
        call_on_change(room.game.timeline, self._show_lobby_soon)
        self._show_lobby_soon()

    def _show_lobby_soon(self) -> None:
        """Show the lobby to the host and the wall soon, once for many changes; safe to call from any thread."""
        if self.loop is not None:  # before that, nobody looks on
            with suppress(RuntimeError):  # the server is being closed
                self.loop.call_soon_threadsafe(self._plan_lobby)

    def _plan_lobby(self) -> None:
        """Have the lobby shown after a pause, unless that is planned already."""
        if not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_later(PAUSE, self._show_lobby)

    def _show_lobby(self) -> None:
        """Show the lobby to the host and the wall now."""
        self._is_due = False
        self.lesson.keeper.keep()
        self._offer_names()
        for queue, is_host in self.onlookers:
            if queue.qsize() < WAITING:
                queue.put_nowait(self._lobby_message(is_host))
        if self.lesson.busy_tables:
            self._plan_lobby()

    def _offer_names(self) -> None:
        """Tell phones that choose a name which ones are free, if that has changed."""
        free = self.lesson.door.free_names
        for phone in self.phones:
            if phone.names not in (None, free) and not phone.placed:
                phone.names = free
                phone.tell({"names": free})

    def _lobby_message(self, is_host: bool) -> str:
        """Return the message that shows the lobby to the host or the wall."""
        lesson = self.lesson
        seen = lesson.data_for_host() | {"reached": self.reached} if is_host else lesson.data_for_wall()
        return compact_json({"lobby": seen})

    async def serve_lobby(self, socket: WebSocket) -> None:
        """Exchange messages with the host's page, or show the lobby to the wall."""
        address = _address_of(socket)
        await socket.accept()
        if self.unknown[address] >= server.FROM_ONE:
            await close_socket(socket, TOO_MANY)
            return
        self.loop = asyncio.get_running_loop()
        queue = asyncio.Queue[str]()
        sending = asyncio.create_task(send_queued(socket, queue))
        onlooker = None
        try:
            first = json.loads(await self._first_message(socket, address))
            said = str(first.get("secret", "")) if isinstance(first, dict) else ""
            role = self.lesson.role_of_page(said)
            is_host = role == "host"
            if not role:
                await close_socket(socket, NO_LINK)
                return
            onlooker = queue, is_host
            self.onlookers.append(onlooker)
            queue.put_nowait(self._lobby_message(is_host))
            while True:
                text = await socket.receive_text()
                if is_host:
                    queue.put_nowait(compact_json(await self._answer_host(text)))
        except (WebSocketDisconnect, TimeoutError, RuntimeError, KeyError, ValueError, RecursionError):
            await close_socket(socket, 1000)
        finally:
            sending.cancel()
            if onlooker is not None:
                self.onlookers.remove(onlooker)

    async def _first_message(self, socket: WebSocket, address: str) -> str:
        """Return the first message of a page, which counts as unknown until then."""
        self.unknown[address] += 1
        try:
            return await asyncio.wait_for(socket.receive_text(), server.HASTE)
        finally:
            self.unknown[address] -= 1
            self.unknown += Counter()  # nothing is kept of addresses with no connection

    async def _answer_host(self, text: str) -> Json:
        """Do what the host's page asks for, and return the answer to send."""
        asked = json.loads(text)
        if not isinstance(asked, dict):
            raise ValueError(text)
        id, command, details = asked.get("id"), asked.get("do"), asked.get("details", {})
        try:
            if not isinstance(details, dict):
                details = {"details": details}  # which no command takes
            if str(command) in SLOW_COMMANDS:
                said = await asyncio.to_thread(self.lesson.do, str(command), details)
            else:
                said = self.lesson.do(str(command), details)
            return {"done": id, "said": await said if isawaitable(said) else said}
        except REFUSALS as error:
            return {"refused": id, "why": full_sentence(str(getattr(error, "message", "") or error))}

    # ------------------------------------------------------------------------------------------ the phones

    async def serve_door(self, socket: WebSocket) -> None:
        """Exchange messages with a phone that has no seat yet, for as long as it is connected."""
        address = _address_of(socket)
        await socket.accept()
        strangers = [one for one in self.phones if one.address == address and not one.is_in]
        is_crowded = address not in self.lesson.door.proxies and len(strangers) >= MOST_FROM_ADDRESS
        if len(self.phones) >= MOST_AT_DOOR or is_crowded:
            await close_socket(socket, TOO_MANY)
            return
        phone = _PhoneAtDoor(socket, address)
        self.phones.add(phone)
        sending = asyncio.create_task(send_queued(socket, phone.queue))
        if self.lesson.end.ended:
            phone.tell(END_MESSAGE)
        try:
            await self._talk_with_phone(phone, address)
        except (WebSocketDisconnect, TimeoutError, RuntimeError, KeyError):
            await close_socket(socket, 1000)
        finally:
            sending.cancel()
            self.phones.remove(phone)
            self.lesson.door.leave(phone)

    async def _talk_with_phone(self, phone: _PhoneAtDoor, address: str) -> None:
        """Handle a phone's messages until it is refused too often."""
        allowance = message_allowance()
        while phone.refused <= PATIENCE:
            seconds = None if phone.placed else NAME_IN if phone.entered else server.HASTE
            text = await asyncio.wait_for(phone.socket.receive_text(), seconds)
            try:
                if not allowance.try_take():
                    raise IllegalAction("too-many-messages", "too many messages at once. Wait a moment")
                self._answer_phone(phone, _read_message(text), address)
            except IllegalAction as error:
                phone.refused += 1
                await asyncio.sleep(DELAY)
                phone.tell({"refused": full_sentence(str(error)), "code": error.code})
        await close_socket(phone.socket, TOO_MANY)

    def _answer_phone(self, phone: _PhoneAtDoor, message: Json, address: str) -> None:
        """Do what a phone's message asks for: try a code, choose a name, or return with a pass."""
        door = self.lesson.door
        (about, said), *_ = message.items()
        if about == "pass" and not phone.placed:
            self.lesson.show_seat(door.return_with_pass(said, phone, address))
        elif about == "code":
            door.check_code(said, address)
            phone.entered, phone.names = True, door.free_names
            phone.tell({"door": True, "names": phone.names})
        elif about == "name" and phone.entered and not phone.placed:
            door.knock(said, address, phone)
            phone.placed = True  # before it hears so
        else:
            raise IllegalAction("code-first", "type the code on the board first")


def _address_of(socket: WebSocket) -> str:
    """Return the address that a connection comes from."""
    return socket.client.host if socket.client else "?"


def _read_message(text: str) -> dict[str, Any]:
    """Return the one field of a phone's message; refuse everything else."""
    message = None
    with suppress(ValueError, RecursionError):
        message = json.loads(text) if len(text) <= LARGEST else None
    if not isinstance(message, dict) or len(message) != 1:
        raise IllegalAction("door-message-unreadable", "this message can’t be read")
    return message
