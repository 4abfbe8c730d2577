"""Tables served from this process: addresses, a link for every seat, codes to point a phone at."""

from __future__ import annotations

import asyncio
import errno
import socket
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from html import escape
from pathlib import Path
from urllib.parse import quote, urlsplit

import segno
import uvicorn
import websockets  # noqa: F401 - uvicorn would miss it only in its thread, where nobody is told

from nomic_nb.engine.display import INERT_CLASSES
from nomic_nb.engine.errors import PlainRefusal, WrongValue
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.threads import start_thread
from nomic_nb.notebook.classroom.door import Door
from nomic_nb.notebook.classroom.hub import HubPort, hub_address
from nomic_nb.notebook.classroom.lesson import Lesson, complete_rulesets
from nomic_nb.notebook.classroom.links import DESK, PLAYER, PROGRAM, WALL
from nomic_nb.notebook.classroom.lobby import LessonServer
from nomic_nb.notebook.classroom.room import ServedRoom
from nomic_nb.notebook.classroom.server import ImpatientProtocol, TableServer
from nomic_nb.notebook.live.base_game import BaseGame, next_games
from nomic_nb.notebook.live.cells import CELL_WATCH
from nomic_nb.notebook.markup.tree import element_html
from nomic_nb.notebook.panels.forms import LARGEST_MESSAGE
from nomic_nb.notebook.show.style import style_element
from nomic_nb.notebook.store import game_store
from nomic_nb.notebook.store.journal import open_store

#: Where it listens, where nothing else is said; the next free one where that is taken.
PORT, TRIED = 8777, 20
#: An address of documentation: no packet goes there, but the system says by which of its own it would.
ROUTE_PROBE = ("192.0.2.1", 9)
#: This machine alone; all its addresses.
HERE, EVERY_ADDRESS = "127.0.0.1", "0.0.0.0"  # noqa: S104 - the second only if it is asked for
LOOPBACK = frozenset((HERE, "localhost", "::1"))
FIREWALL_HINT = "If Windows asks, allow Python on private networks."
NO_PHONES_HINT = (
    "These links open on this computer only. To let phones on this network in, tick the box for phones in the form. In"
    " a cell, use game.serve(lan=True), or let_phones_in() of what it returned. In a terminal, add --lan."
)
NO_NETWORK_HINT = (
    "This computer isn’t on a network, so no phone can open these links. Join one, then let the phones in again."
)


class PortError(PlainRefusal, OSError):
    """The pages cannot be served, because the server cannot listen on the port or address asked for."""


class ServedTables:
    """Tables served until `close`; displays the link of every seat, with a QR code if phones can open it.

    A link is a key: anyone who has it can play from that seat. Give each link to its player only, and never show one on
    the wall.

    Parameters
    ----------
    games : mapping of str to BaseGame
        The games, keyed by table name.
    host : str
        Address to listen on.
    port : int, optional
        Port; default 8777, or the next free one.
    lan : bool
        Whether other machines on the network can connect; they also can if the host is ``0.0.0.0``.
    names : sequence of str
        Other host names of this machine, or those of the proxy if there is one; with scheme and port if it is not
        reached by https on the usual port: ``http://hub.example:8000``.
    base : str
        Path prefix, if there is a proxy; it may strip the prefix or keep it.
    hub : bool
        Whether devices connect through this user's Jupyter server, which has the extension ``classroom.hub_pages``.

    Raises
    ------
    PortError
        The server cannot listen there; the message suggests an alternative.
    ValueError
        A name is no host name, or a hub is used without its name or by another class.
    """

    def __init__(
        self,
        games: Mapping[str, BaseGame],
        *,
        host: str = HERE,
        port: int | None = None,
        lan: bool = False,
        names: Sequence[str] = (),
        base: str = "/",
        hub: bool = False,
    ) -> None:
        names, base = hub_address(names, base) if hub else (names, base)
        self._hub_port: HubPort | None = None
        self._rooms = {name: ServedRoom(name, game) for name, game in games.items()}
        self._host, self._names, self._base = host, tuple(names), base
        self._proxies = [_proxy_address(name) for name in names]
        self._links: dict[tuple[str, str, str], str] = {}
        self._start_server(port, lan or host == EVERY_ADDRESS)
        if hub:
            try:
                self._hub_port = HubPort(self._port)
            except WrongValue:
                self.close()
                raise

    def _start_server(self, port: int | None, lan: bool) -> None:
        """Listen on a port (any free one if None), for the network or this machine, and run the server."""
        host, base, proxies = self._host, self._base, self._proxies
        own = [*([_network_address()] if lan else [host]), *(["localhost"] if lan or host == HERE else [])]
        named = [str(urlsplit(address).hostname) for address in proxies]
        hall = self._make_server({name.lower() for name in (*named, *own, *LOOPBACK)})  # before anybody can connect
        sock = _listening_socket(EVERY_ADDRESS if lan else host, port)
        self._port, self.lan = int(sock.getsockname()[1]), lan
        config = uvicorn.Config(
            hall.app, http=ImpatientProtocol, ws="websockets-sansio", ws_max_size=LARGEST_MESSAGE, ws_max_queue=8,
            ws_ping_interval=20,
            ws_ping_timeout=20, log_level="critical", server_header=False, h11_max_incomplete_event_size=16384,
            backlog=128, timeout_keep_alive=5, timeout_graceful_shutdown=1,
            proxy_headers=False,  # anybody can send them, and would have as many addresses as they like
        )  # fmt: skip
        self._server = server = uvicorn.Server(config)

        def listen() -> None:
            with sock:  # a uvicorn that is stopped before it has begun may leave it open
                asyncio.run(server.serve([sock]))

        self._thread = start_thread(listen, "nomic-server")
        behind = [f"{address}{base}" for address in proxies[:1] if base != "/" or "//" in self._names[0]]
        direct = dict.fromkeys((*([] if behind else named), *own))
        hosts = (f"[{name}]" if ":" in name else name for name in direct)
        self.addresses = (*behind, *(f"http://{name}:{self._port}/" for name in hosts))

    def _make_server(self, names: set[str]) -> TableServer:
        """Return the application that answers requests for this machine under these names."""
        return TableServer(self._rooms, names, self._base)

    def _stop_server(self) -> None:
        """Tell the running server to stop, and wait up to 10 seconds until its thread has ended."""
        self._server.should_exit = True
        self._thread.join(10)

    def let_phones_in(self, let: bool = True) -> None:
        """Serve on the same port to the whole network, or (if False) to this machine alone.

        All links stay valid, and open pages connect again by themselves. Call it again if the address of
        this machine has changed.

        Parameters
        ----------
        let : bool
            Whether other machines can connect; False closes the pages to them.

        Raises
        ------
        PortError
            This port is not available on the network; the pages are served as before.
        """
        before = self.lan
        self._stop_server()
        try:
            self._start_server(self._port, let)
        except PortError:
            self._start_server(self._port, before)
            raise

    @property
    def can_phones_connect(self) -> bool:
        """Whether another machine can open the links that are shown."""
        return urlsplit(self.addresses[0]).hostname not in LOOPBACK

    def _seat_link(self, table: str, who: str, role: str = PLAYER) -> str:
        """Return the link of a player, wall or desk at a table; make one if none exists yet."""
        if (table, who, role) not in self._links:
            self._links[table, who, role] = self._rooms[table].links.create_link(who, role)
        return f"{self.addresses[0]}#{quote(table, safe='')}/{self._links[table, who, role]}"

    def _persons_at_table(self, table: str) -> list[str]:
        """Return the names of a table's players who are persons, those who entered later included."""
        return [name for name, player in self._rooms[table].game.state.players.items() if player.person]

    @property
    def links(self) -> dict[str, str]:
        """Links of the players by name; with several tables, by table and name: ``2/Ann``."""
        return self._links_by_name(PLAYER)

    @property
    def programs(self) -> dict[str, str]:
        """Links for programs, keyed like `links`; each lets a program play for that player.

        They are on no card and open no page. `new_link` with ``program=True`` makes the old ones of a player invalid.
        """
        return self._links_by_name(PROGRAM)

    @property
    def replies(self) -> dict[str, dict[str, int]]:
        """How many replies of programs were done and how many refused, keyed like `links`."""
        counts: dict[str, Counter[str]] = {}
        for table, room in self._rooms.items():
            for program in room.programs.values():
                counts.setdefault(self._label(table, program.player), Counter()).update(program.replies)
        return {name: dict(count) for name, count in counts.items()}

    def _links_by_name(self, role: str) -> dict[str, str]:
        """Return the links of all players in a role."""
        return {
            self._label(table, who): self._seat_link(table, who, role)
            for table in self._rooms
            for who in self._persons_at_table(table)
        }

    def _label(self, table: str, who: str) -> str:
        """Return the name of a player, after that of the table if there are several."""
        return who if len(self._rooms) == 1 else f"{table}/{who}"

    @property
    def wall(self) -> dict[str, str]:
        """Links by table for a projector page, which shows everything that all players may see and cannot act."""
        return {table: self._seat_link(table, "", WALL) for table in self._rooms}

    @property
    def desk(self) -> dict[str, str]:
        """Links by table for the host, who can act for all players, undo and save.

        These links are not on any card: keep them to yourself.
        """
        return {table: "/desk/".join(self._seat_link(table, "", DESK).rsplit("/", 1)) for table in self._rooms}

    def new_link(self, player: str, table: str | None = None, *, program: bool = False) -> str:
        """Return a new link for a player, make the old ones invalid, and close the pages opened with them.

        Parameters
        ----------
        player : str
            The player.
        table : str, optional
            The table, if there are several.
        program : bool
            Whether it is the link for a program; that for a person stays valid then.

        Raises
        ------
        ValueError
            No player with this name sits at the table, or the table is not given although there are several.
        """
        name = next(iter(self._rooms)) if table is None and len(self._rooms) == 1 else table
        if name not in self._rooms or player not in self._persons_at_table(name):
            known = ", ".join(self.links)
            raise WrongValue(
                "nobody-at-this-table",
                "there is no player called “{player}” at table {table!r}. The seats are {known}",
                player=player,
                table=name,
                known=known,
            )
        role = PROGRAM if program else PLAYER
        self._rooms[name].links.revoke_links(player, role)
        self._rooms[name].close_seat(player, role=role)
        self._links.pop((name, player, role), None)
        return self._seat_link(name, player, role)

    @property
    def is_erased(self) -> bool:
        """Whether the host has erased the games and their file."""
        return False

    def close(self) -> None:
        """Stop serving; the games go on without pages."""
        if self._hub_port is not None:
            self._hub_port.close()
        self._stop_server()
        for room in self._rooms.values():
            room.pool.shutdown(wait=False)

    # -------------------------------------------------------------------------------------- showing

    def __str__(self) -> str:
        lines = [f"Served at {' and at '.join(self.addresses)}"]
        lines += [f"  {who}: {link}" for who, link in self.links.items()]
        lines += [f"  the wall: {link}" for link in self.wall.values()]
        return "\n".join([*lines, *self._phone_hints()])

    def _phone_hints(self) -> list[str]:
        """Return sentences on why phones could fail to connect; empty if nothing keeps them out."""
        if not self.can_phones_connect:
            return [NO_NETWORK_HINT if self.lan else NO_PHONES_HINT]
        return [FIREWALL_HINT] if sys.platform == "win32" else []

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Return the cards of all seats, each with its link, as HTML."""
        walls = {f"{WALL} {table}" if len(self.wall) > 1 else WALL: link for table, link in self.wall.items()}
        cards = "".join(
            _seat_card(who, link, self.can_phones_connect) for who, link in (*self.links.items(), *walls.items())
        )
        sentence = escape(
            f"Served at {' and at '.join(self.addresses)}. A link is a key: anyone who has it can sit there."
        )
        hints = "".join(f"<p><strong>{escape(hint)}</strong></p>" for hint in self._phone_hints())
        sheet = element_html(style_element())
        return (
            f'<div class="nnb {INERT_CLASSES}">{sheet}<p>{sentence}</p>{hints}<div style="{_CARDS}">{cards}</div></div>'
        )

    def cards(self) -> str:
        """Return an HTML page with the QR codes of all seats, to print and cut up."""
        return (
            '<!doctype html><html lang="en"><meta charset="utf-8"><title>Seats</title>'
            f'<body style="font-family: system-ui, sans-serif">{self._repr_html_()}</body></html>'
        )


def kept_games(file: Path, names: Sequence[str] | None = None) -> dict[str, BaseGame]:
    """Return the games in a file by name: all, or those with these names.

    A game that was begun with the names of another one is at the same table, so it is not among them.

    Raises
    ------
    RecordError
        The file cannot be used, or has no such game.
    """
    store = open_store(file)
    timelines = {name: game_store.open_game(store, name, CELL_WATCH).timeline for name in names or store.game_names()}
    following = next_games(timelines.values())
    return {name: BaseGame(timeline) for name, timeline in timelines.items() if timeline not in following}


class ServedLesson(ServedTables):
    """A lesson served until `close`: a door with one code for all phones, and tables once the host begins.

    The host page, in a browser, has everything that the host needs: the code, who has joined, the tables and the end.

    Parameters
    ----------
    games : mapping of str to BaseGame
        The games of a lesson that continues, keyed by table name; empty at first.
    file : Path, optional
        File in which new games are saved.
    lan : bool, optional
        Whether phones can connect; by default, if this machine is on a network.
    host : str
        Address to listen on.
    port : int, optional
        Port; default 8777, or the next free one.
    names : sequence of str
        Other host names of this machine, or those of the proxy if there is one.
    base : str
        Path prefix of a proxy.
    hub : bool
        Whether phones connect through this user's Jupyter server.

    Raises
    ------
    PortError
        The server cannot listen there; the message suggests an alternative.
    RecordError
        No game can be saved to the file.
    """

    def __init__(
        self,
        games: Mapping[str, BaseGame],
        file: Path | None = None,
        *,
        lan: bool | None = None,
        host: str = HERE,
        port: int | None = None,
        names: Sequence[str] = (),
        base: str = "/",
        hub: bool = False,
    ) -> None:
        self._lesson: Lesson | None = None
        self._file, self._wants_phones = file, lan is not False
        if file is not None:
            self._store = open_store(file, make=True)  # refused now, and not once all are here
        complete_rulesets()  # read now, and not while phones wait
        reachable = lan is None and not hub and _network_address() != HERE
        super().__init__(games, host=host, port=port, lan=reachable or bool(lan), names=names, base=base, hub=hub)

    @property
    def lesson(self) -> Lesson:
        """The lesson: its door, its settings and its tables."""
        if self._lesson is None:  # all tables are there before the door is
            self._lesson = Lesson(self._rooms, self._file, Door(proxies=[HERE] if self._names else ()))
        return self._lesson

    @property
    def is_erased(self) -> bool:
        """Whether the host has erased the class."""
        return self.lesson.end.ended

    def close(self) -> None:
        """End the lesson in order; the games, and the passes of pupils, stay in the file."""
        super().close()
        self.lesson.close()

    def _make_server(self, names: set[str]) -> TableServer:
        """Return the application that answers requests for this machine under these names."""
        self.lesson.address = lambda: self.addresses[0]
        return LessonServer(self.lesson, names, self._base)

    @property
    def host_page(self) -> str:
        """The link of the host page. Keep it to yourself: whoever has it runs the lesson."""
        return f"{self.addresses[0]}#host={self.lesson.host_secret}"

    @property
    def wall_page(self) -> str:
        """The link of the wall, for a projector: the code and who has joined, then the tables."""
        return f"{self.addresses[0]}#wall={self.lesson.wall_secret}"

    def _phone_hints(self) -> list[str]:
        """Return sentences on why phones could fail to connect; empty if nothing keeps them out against your will."""
        if self.can_phones_connect:
            return super()._phone_hints()
        return [NO_NETWORK_HINT] if self._wants_phones else []

    def __str__(self) -> str:
        lines = [f"Host page, only for you: {self.host_page}", f"Wall, for the projector: {self.wall_page}"]
        return "\n".join([*lines, *self._phone_hints()])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Return links to the host page and the wall as HTML."""
        links = "".join(
            f'<p><a href="{escape(link)}" target="_blank" rel="noopener noreferrer">{text}</a></p>'
            for text, link in (("Open the host page", self.host_page), ("Open the wall", self.wall_page))
        )
        hints = "".join(f"<p><strong>{escape(hint)}</strong></p>" for hint in self._phone_hints())
        return f'<div class="nnb {INERT_CLASSES}">{links}{hints}</div>'


_CARDS = "display: flex; flex-wrap: wrap; gap: 12px"
_CARD = "border: 1px solid #999; border-radius: 8px; padding: 8px 12px; width: 190px; break-inside: avoid"


def _seat_card(who: str, link: str, for_phones: bool) -> str:
    """Return an HTML card with the link of a seat, and with its QR code if phones can open it."""
    image = ""
    if for_phones:
        code = segno.make(link, error="m", micro=False).svg_data_uri(scale=4, border=2, light="#fff")
        named = escape(f"code of the seat of {who}")
        image = f'<img alt="{named}" src="{escape(code)}" width="164" height="164"><br>'
    return (
        f'<div style="{_CARD}"><strong>{escape(who)}</strong><br>{image}'
        f'<a href="{escape(link)}" target="_blank" rel="noopener noreferrer">open this seat</a></div>'
    )


def _proxy_address(name: str) -> str:
    """Return the address of a proxy by its name: over https unless the name says otherwise.

    Raises
    ------
    ValueError
        It is no host name, and no address without a path.
    """
    address = name if "//" in name else f"https://{name}"
    with suppress(ValueError):
        url = urlsplit(address)
        url.port  # noqa: B018 - raises if it is no number
        if url.scheme in ("http", "https") and url.hostname and url.geturl() == f"{url.scheme}://{url.netloc}":
            return address
    raise WrongValue(
        "not-a-host-name",
        "“{name}” isn’t a host name. Write names=[“hub.example”], or with its scheme and port:"
        " “http://hub.example:8000”",
        name=name,
    )


def _network_address() -> str:
    """Return the address at which others on the network reach this machine, found without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ROUTE_PROBE)
            addresses = [str(probe.getsockname()[0])]
        except OSError:  # no way out of this network, as with a router of the class's own
            addresses = []
    if not addresses:
        with suppress(OSError):
            addresses = [
                str(address_info[4][0])
                for address_info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
            ]
    return next((address for address in addresses if not address.startswith("127.")), HERE)


def _listening_socket(host: str, port: int | None) -> socket.socket:
    """Open a socket that listens on a port; on the first free one if none is given.

    Raises
    ------
    PortError
        It cannot listen there; with another way.
    """
    last: OSError | None = None
    for at in range(PORT, PORT + TRIED) if port is None else (port,):
        # asyncio sends small answers at once only on a socket that names its protocol
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, at))
            listener.listen(128)  # so nobody is turned away before the server is up
        except OSError as error:
            listener.close()
            last = error
            if error.errno == errno.EADDRINUSE:
                continue
            break
        except OverflowError:
            listener.close()
            raise PortError(
                "port-out-of-range", "a port must be a number from 0 to 65535, not {found}", found=at
            ) from None
        return listener
    raise PortError(_why_cannot_listen(host, port, last)) from None


def _why_cannot_listen(host: str, port: int | None, error: OSError | None) -> Message:
    """Return a message on why the server cannot listen on a port, and what would help."""
    if error is not None and error.errno == errno.EADDRINUSE:
        taken = f"port {port} is" if port is not None else f"the ports {PORT} to {PORT + TRIED - 1} are all"
        return say(
            "port-in-use",
            "{ports} in use by another server or program. Close that, or use any free port with serve(port=0)",
            ports=taken,
        )
    if error is not None and error.errno == errno.EACCES:
        return say(
            "port-needs-rights",
            "you don’t have permission to use port {port} on this system. Use any free port with serve(port=0)",
            port=port,
        )
    why = f" ({error.strerror})" if error is not None and error.strerror else ""
    return say(
        "no-address-of-this-machine",
        "“{host}” isn’t an address of this computer{why}. Leave out host=, or use serve(lan=True) "
        "for all its addresses",
        host=host,
        why=why,
    )
