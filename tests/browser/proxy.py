"""A proxy under a prefix, as a school has one before its servers: it takes the prefix off, and passes the rest on."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        with suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
    finally:
        writer.close()  # also where it is broken off


@contextmanager
def behind(prefix: str, port: int) -> Iterator[int]:
    """Pass on what is asked for under a prefix, and nothing else; yield the port."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            verb, path, rest = head.split(" ", 2)
            if not path.startswith(prefix):
                writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                await writer.drain()
                writer.close()
                return
            if "upgrade: websocket" not in rest.lower():  # one request a connection: the next has a prefix, too
                rest = "\r\n".join(line for line in rest.split("\r\n") if not line.lower().startswith("connection:"))
                rest = rest.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")
            there, on = await asyncio.open_connection("127.0.0.1", port)
            on.write(f"{verb} /{path[len(prefix) :]} {rest}".encode())
            await asyncio.gather(_pass_on(reader, on), _pass_on(there, writer))

    ready: Future[int] = Future()
    ended = asyncio.Event()
    loops: list[asyncio.AbstractEventLoop] = []

    async def serve() -> None:
        server = await asyncio.start_server(handle, "127.0.0.1", 0)
        loops.append(asyncio.get_running_loop())
        ready.set_result(server.sockets[0].getsockname()[1])
        await ended.wait()
        server.close()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)  # Playwright has a loop of its own
    thread.start()
    try:
        yield ready.result(10)
    finally:
        loops[0].call_soon_threadsafe(ended.set)
        thread.join(10)
