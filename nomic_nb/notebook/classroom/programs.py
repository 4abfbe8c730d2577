"""Seats for programs at a served table: views and replies as plain data, over a WebSocket or plain HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from urllib.parse import unquote

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.websockets import WebSocket

from nomic_nb.engine.errors import IllegalAction, PlainRefusal
from nomic_nb.notebook.classroom import links
from nomic_nb.notebook.classroom.room import ServedRoom, ServedSeat
from nomic_nb.notebook.classroom.sockets import NO_LINK, TOO_MANY, close_socket, send_or_close
from nomic_nb.notebook.panels.forms import LARGEST_MESSAGE, read_fields
from nomic_nb.notebook.panels.seat import refusal_data
from nomic_nb.study.players.asked import Json

#: Seconds that a request waits for news.
LONGEST_WAIT = 8.0
#: Answers to requests that never reach the game, by the code of their refusal.
STATUS = {
    "request-without-link": 401, "link-opens-no-seat": 401, "link-for-a-person": 403, "message-too-large": 413,
    "too-many-replies": 429,
}  # fmt: skip


class ProgramConnection:
    """A program that is connected by a WebSocket: it is sent a view at first and after each change.

    Parameters
    ----------
    socket : WebSocket
        The WebSocket.
    room : ServedRoom
        The table.
    seat : links.Seat
        The seat that the link opens.
    link : str
        The link.
    """

    def __init__(self, socket: WebSocket, room: ServedRoom, seat: links.Seat, link: str) -> None:
        self.socket, self.room, self.seat, self.link = socket, room, seat, link
        self.program, self.loop = room.seat_of_program(link), asyncio.get_running_loop()

    def close(self, code: int) -> None:
        """Close the WebSocket with a code that says why."""
        self.closing = asyncio.create_task(close_socket(self.socket, code))

    async def run(self) -> None:
        """Send views and take replies until the program or the server ends it."""
        await self.room.seat_newest(self)
        with self.program.watching() as changed:
            sending = asyncio.create_task(self._send_views(changed))
            try:
                await self._receive_replies()
            finally:
                sending.cancel()
                self.room.unseat(self)

    async def _send_views(self, changed: asyncio.Event) -> None:
        """Send a view, and another one after each change."""
        try:
            sent = True
            while sent:
                with suppress(IllegalAction):  # a cell is running again; there will be news
                    text = await self.loop.run_in_executor(
                        self.room.pool, lambda: json.dumps({"view": self.program.view()})
                    )
                    sent = await send_or_close(self.socket, text)
                await changed.wait()
                changed.clear()
        finally:
            await close_socket(self.socket, 1011)

    async def _receive_replies(self) -> None:
        """Answer replies until the program closes, its link is revoked, or it sends far too many."""
        wrong = 0
        while wrong <= links.WRONG:
            text = await self.socket.receive_text()
            try:
                self.room.links.seat_of_link(self.link)
            except IllegalAction:
                await close_socket(self.socket, NO_LINK)
                return
            try:
                with self.program.request():
                    done = await self.room.reply(self.program, text)
            except IllegalAction as error:
                wrong += 1
                done = refusal_data(error)
            await send_or_close(self.socket, json.dumps(done))
        await close_socket(self.socket, TOO_MANY)


class ProgramRequests:
    """What programs that only have HTTP ask for, each time with their link: their view, an act, a review.

    Parameters
    ----------
    rooms : mapping of str to ServedRoom
        The tables by name.
    """

    def __init__(self, rooms: Mapping[str, ServedRoom]) -> None:
        self.rooms = rooms

    def routes(self) -> list[BaseRoute]:
        """Return what is served at which path."""
        return [
            Route("/seat/view", partial(self._answer, self._view)),
            Route("/seat/act", partial(self._answer, self._act), methods=["POST"]),
            Route("/seat/review", partial(self._answer, self._review, cost=links.REVIEW_COST), methods=["POST"]),
        ]

    async def _answer(
        self,
        work: Callable[[Request, ServedRoom, ServedSeat], Awaitable[Json]],
        request: Request,
        cost: int = 1,
    ) -> Response:
        """Return what a request asks for as JSON, if it has a program's link; otherwise a refusal."""
        status = 200
        try:
            kind, _, link = request.headers.get("authorization", "").partition(" ")
            table, _, secret = link.rpartition("#")[2].rpartition("/")
            room = self.rooms.get(unquote(table))
            if kind.lower() != "bearer" or room is None:
                raise IllegalAction(
                    "request-without-link", "send your program link in a header: Authorization: Bearer LINK"
                )
            seat = room.seat_of_program(secret)
            with seat.request(cost):
                data = await work(request, room, seat)
            if request.method == "GET":  # which may have waited for news while its link was taken back
                room.links.seat_of_link(secret)
        except ClientDisconnect:
            return Response()
        except PlainRefusal as error:
            data = refusal_data(error)
            status = STATUS.get(error.code, 400)
        return Response(json.dumps(data), status, media_type="application/json")

    async def _view(self, request: Request, room: ServedRoom, seat: ServedSeat) -> Json:
        """Return a view; if the request names the last event that it knows, wait some seconds for another."""
        after = request.query_params.get("after")
        with seat.watching() as changed, suppress(TimeoutError):
            if after == str(seat.hub.game.state.seq) and not seat.hub.game.over:
                await asyncio.wait_for(changed.wait(), LONGEST_WAIT)
        return await asyncio.get_running_loop().run_in_executor(room.pool, seat.view)

    async def _act(self, request: Request, room: ServedRoom, seat: ServedSeat) -> Json:
        """Do what a reply says."""
        return await room.reply(seat, await _read_body(request))

    async def _review(self, request: Request, _: ServedRoom, seat: ServedSeat) -> Json:
        """Return the review of a change, in words."""
        change = read_fields(await _read_body(request))
        return {"review": str(await asyncio.to_thread(seat.review, change))}


async def _read_body(request: Request) -> str:
    """Return the text that a request sends; refuse it as soon as it is too large."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_MESSAGE:
            raise IllegalAction("message-too-large", "a message can have at most {most} bytes", most=LARGEST_MESSAGE)
    return body.decode("utf-8", "surrogateescape")  # what is no UTF-8 is refused as half of a character
