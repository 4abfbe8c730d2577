"""Sending to the WebSockets of pages and programs, and closing them with a code that says why."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

#: Seconds in which a page or a program takes what is sent.
TAKING = 10.0
NO_LINK, FOREIGN, NO_TABLE, OTHER_KIND, TAKEN, ENDED, TOO_MANY = 4401, 4403, 4404, 4406, 4409, 4410, 4429


async def send_queued(socket: WebSocket, queue: asyncio.Queue[str]) -> None:
    """Send queued messages to a page until it closes or takes too long to read one."""
    while await send_or_close(socket, await queue.get()):
        pass


async def send_or_close(socket: WebSocket, message: str) -> bool:
    """Send a message, and return True; if it takes too long or cannot be sent, close the WebSocket."""
    try:
        await asyncio.wait_for(socket.send_text(message), TAKING)
    except (TimeoutError, RuntimeError, WebSocketDisconnect, UnicodeEncodeError):  # the last: half a character
        await close_socket(socket, 1013)
        return False
    return True


async def close_socket(socket: WebSocket, code: int) -> None:
    """Close a WebSocket with a code that says why; ignore errors, as it may be gone already."""
    with suppress(Exception):  # it may be gone already
        await asyncio.wait_for(socket.close(code), 1)
