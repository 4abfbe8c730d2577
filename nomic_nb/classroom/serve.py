"""Tables served from this process: addresses, a link for every seat, codes to point a phone at."""

from __future__ import annotations

import asyncio
import errno
import socket
import sys
import threading
from collections.abc import Mapping, Sequence
from html import escape
from urllib.parse import quote

import segno
import uvicorn
import websockets  # noqa: F401 - uvicorn would miss it only in its thread, where nobody is told

from nomic_nb.classroom.links import DESK, PLAYER, WALL
from nomic_nb.classroom.server import Hall, Hasty, Room
from nomic_nb.errors import Plainly
from nomic_nb.live.base import BaseGame
from nomic_nb.panels.reading import LARGEST
from nomic_nb.shown import INERT

#: Where it listens, where nothing else is said; the next free one where that is taken.
PORT, TRIED = 8777, 20
#: An address of documentation: no packet goes there, but the system says by which of its own it would.
ELSEWHERE = ("192.0.2.1", 9)
FIREWALL = "Where Windows asks, allow Python on private networks."


class PortError(Plainly, OSError):
    """Where pages were to be served, nothing can listen."""


class Served:
    """Tables that are served, until `close`; shows the link of every seat, with a code to point a phone at.

    A link is a key: whoever has it sits there. Give each to its player, and show none on the wall.

    Parameters
    ----------
    rooms : mapping of str to Room
        The tables.
    server : uvicorn.Server
        What serves them.
    thread : Thread
        In which it does.
    addresses : sequence of str
        Where it is reached, the one for others first.
    """

    def __init__(
        self, rooms: Mapping[str, Room], server: uvicorn.Server, thread: threading.Thread, addresses: Sequence[str]
    ) -> None:
        self._rooms, self._server, self._thread = dict(rooms), server, thread
        self.addresses = tuple(addresses)
        self._links: dict[tuple[str, str, str], str] = {}

    def _link(self, table: str, who: str, role: str = PLAYER) -> str:
        """Return the link of a seat; one that nobody has asked for yet is made."""
        if (table, who, role) not in self._links:
            self._links[table, who, role] = self._rooms[table].links.new(who, role)
        return f"{self.addresses[0]}#{quote(table)}/{self._links[table, who, role]}"

    def _seated(self, table: str) -> list[str]:
        """Return the persons at a table, also those who entered while it is served."""
        return [name for name, one in self._rooms[table].game.state.players.items() if one.person]

    @property
    def links(self) -> dict[str, str]:
        """The link of every player; with several tables, the table stands before the name: ``2/Ann``."""
        alone = len(self._rooms) == 1
        return {
            who if alone else f"{table}/{who}": self._link(table, who)
            for table in self._rooms
            for who in self._seated(table)
        }

    @property
    def wall(self) -> dict[str, str]:
        """A link for each table that sees what everybody sees, and does nothing: for a projector."""
        return {table: self._link(table, "", WALL) for table in self._rooms}

    @property
    def desk(self) -> dict[str, str]:
        """A link for each table, for whoever keeps the record: all players decide there, and it can undo and save.

        It is on no card: keep it to yourself.
        """
        return {table: "/desk/".join(self._link(table, "", DESK).rsplit("/", 1)) for table in self._rooms}

    def new_link(self, player: str, table: str | None = None) -> str:
        """Return a new link for a player, whose old ones hold no more: another device, or a lost phone.

        Raises
        ------
        ValueError
            Nobody of this name sits at the table, or it is not said at which.
        """
        name = next(iter(self._rooms)) if table is None and len(self._rooms) == 1 else table
        if name not in self._rooms or player not in self._seated(name):
            known = ", ".join(self.links)
            raise ValueError(f"nobody called {player!r} sits at table {name!r}; there are {known}")
        self._rooms[name].links.close(player)
        self._links.pop((name, player, PLAYER), None)
        return self._link(name, player)

    def close(self) -> None:
        """Serve no more; the games go on without pages."""
        self._server.should_exit = True
        self._thread.join(10)
        for room in self._rooms.values():
            room.pool.shutdown(wait=False)

    # -------------------------------------------------------------------------------------- showing

    def __str__(self) -> str:
        lines = [f"Served at {' and at '.join(self.addresses)}"]
        lines += [f"  {who}: {link}" for who, link in self.links.items()]
        lines += [f"  the wall: {link}" for link in self.wall.values()]
        if sys.platform == "win32":
            lines.append(FIREWALL)
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Return a card for every seat."""
        walls = {f"{WALL} {table}" if len(self.wall) > 1 else WALL: link for table, link in self.wall.items()}
        cards = "".join(_card(who, link) for who, link in (*self.links.items(), *walls.items()))
        said = escape(f"Served at {' and at '.join(self.addresses)}. A link is a key: whoever has it sits there.")
        more = f" {FIREWALL}" if sys.platform == "win32" else ""
        return f'<div class="nnb {INERT}"><p>{said}{more}</p><div style="{_CARDS}">{cards}</div></div>'

    def cards(self) -> str:
        """Return a page with the codes of all seats, to be printed and cut."""
        return (
            '<!doctype html><html lang="en"><meta charset="utf-8"><title>Seats</title>'
            f'<body style="font-family: system-ui, sans-serif">{self._repr_html_()}</body></html>'
        )


_CARDS = "display: flex; flex-wrap: wrap; gap: 12px"
_CARD = "border: 1px solid #999; border-radius: 8px; padding: 8px 12px; width: 190px; break-inside: avoid"


def _card(who: str, link: str) -> str:
    code = segno.make(link, error="m", micro=False).svg_data_uri(scale=4, border=2, light="#fff")
    return (
        f'<div style="{_CARD}"><strong>{escape(who)}</strong><br>'
        f'<img alt="{escape(f"code of the seat of {who}")}" src="{escape(code)}" width="164" height="164"><br>'
        f'<a href="{escape(link)}" target="_blank" rel="noopener noreferrer">open this seat</a></div>'
    )


def _lan() -> str:
    """Return the address by which others on the network reach this machine; nothing is sent for it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def _listening(host: str, port: int | None) -> socket.socket:
    """Return a socket that listens.

    Raises
    ------
    PortError
        It cannot listen there; with another way.
    """
    last: OSError | None = None
    for at in range(PORT, PORT + TRIED) if port is None else (port,):
        made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if sys.platform != "win32":
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((host, at))
            made.listen(128)  # so that nobody is turned away before the server is up
        except OSError as error:
            made.close()
            last = error
            if error.errno == errno.EADDRINUSE:
                continue
            break
        except OverflowError:
            made.close()
            raise PortError(f"a port is a number from 0 to 65535; found {at}") from None
        return made
    raise PortError(_why_not(host, port, last)) from None


def _why_not(host: str, port: int | None, error: OSError | None) -> str:
    """Say why nothing can listen there, and what would do."""
    if error is not None and error.errno == errno.EADDRINUSE:
        taken = f"port {port} is" if port is not None else f"the ports {PORT} to {PORT + TRIED - 1} are all"
        return f"{taken} in use, by another server or another program: close() that, or take any with serve(port=0)"
    if error is not None and error.errno == errno.EACCES:
        return f"this system lets nobody listen at port {port} without more rights: take any with serve(port=0)"
    why = f" ({error.strerror})" if error is not None and error.strerror else ""
    return f"{host!r} is no address of this machine{why}: leave host= out, or serve(lan=True) for all its addresses"


def serve(
    games: Mapping[str, BaseGame], *, host: str = "127.0.0.1", port: int | None = None, lan: bool = False,
    names: Sequence[str] = (), base: str = "/",
) -> Served:  # fmt: skip
    """Serve games from this process, and return where.

    Parameters
    ----------
    games : mapping of str to BaseGame
        By the name of the table.
    host : str
        The address to listen at.
    port : int, optional
        The port; 8777, or the next one that is free, where it is not given.
    lan : bool
        Let other machines on the network in.
    names : sequence of str
        Other names that this machine goes by; behind a proxy, the proxy's.
    base : str
        What stands before the path, behind a proxy.

    Returns
    -------
    Served

    Raises
    ------
    PortError
        Nothing can listen there; with another way.
    """
    sock = _listening("0.0.0.0" if lan else host, port)  # noqa: S104 - only where it is asked for
    bound = sock.getsockname()[1]
    own = [_lan()] if lan else [host]
    shown = [*names, *own, *(["localhost"] if lan or host == "127.0.0.1" else [])]
    rooms = {name: Room(name, game) for name, game in games.items()}
    hall = Hall(rooms, {name.lower() for name in (*shown, "localhost", "127.0.0.1", "::1")})
    config = uvicorn.Config(
        hall.app, http=Hasty, ws="websockets-sansio", ws_max_size=LARGEST, ws_max_queue=8, ws_ping_interval=20,
        ws_ping_timeout=20, log_level="warning", server_header=False, h11_max_incomplete_event_size=16384,
        backlog=128, timeout_keep_alive=5, timeout_graceful_shutdown=1, root_path=base.rstrip("/"),
    )  # fmt: skip
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([sock])), name="nomic-server", daemon=True)
    thread.start()
    scheme = [f"https://{name}{base}" for name in names[:1]] if base != "/" else []
    return Served(
        rooms,
        server,
        thread,
        [*scheme, *(f"http://{name}:{bound}/" for name in dict.fromkeys(shown[len(names) if base != "/" else 0 :]))],
    )
