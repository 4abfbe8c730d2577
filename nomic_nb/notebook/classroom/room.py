"""One table that is served: its game, its links, the pages that are connected, and the seats of programs."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any, Protocol

from starlette.websockets import WebSocket

from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.law.changes import Change
from nomic_nb.notebook.classroom import links
from nomic_nb.notebook.classroom.aside import Aside
from nomic_nb.notebook.classroom.links import PROGRAM, Allowance, SeatLinks
from nomic_nb.notebook.classroom.sockets import NO_LINK, TAKEN, close_socket
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.live.cells import CELL_WATCH, acting_as
from nomic_nb.notebook.panels.forms import LONGEST_ID
from nomic_nb.notebook.panels.seat import Seat, read_reply
from nomic_nb.notebook.panels.session import CELL_RERUNNING, PanelHub, hub_of_game, review_in_turn
from nomic_nb.study.players.asked import Json
from nomic_nb.study.players.view import View
from nomic_nb.study.review.review import Review

#: How many times the messages of a player's page a program has, and the requests that its link can have open.
TIMES, MOST_OPEN = 20, 4


class ConnectedPage(Protocol):
    """A page, or a program, that is connected by a WebSocket."""

    seat: links.Seat
    socket: WebSocket
    loop: asyncio.AbstractEventLoop

    def close(self, code: int) -> None:
        """Close it with a code that says why."""


class ServedSeat(Seat):
    """The seat of a program at a served table: each reply is done once, and counted.

    Parameters
    ----------
    hub : PanelHub
        The hub of the game at the table.
    opened : links.Seat
        The seat that the program's link opens.
    """

    def __init__(self, hub: PanelHub, opened: links.Seat) -> None:
        super().__init__(hub.game, opened.name)
        self.hub, self.hand = hub, f"seat {opened.id}"
        self.bucket, self.open_requests = links.message_allowance(TIMES), 0
        self.replies: Counter[str] = Counter()

    @contextmanager
    def request(self, cost: int = 1) -> Iterator[None]:
        """Count a request as open in the block; refuse it if there are too many."""
        if self.open_requests >= MOST_OPEN or not self.bucket.try_take(cost):
            raise IllegalAction("too-many-replies", "too many messages at once. Wait a moment")
        self.open_requests += 1
        try:
            yield
        finally:
            self.open_requests -= 1

    @contextmanager
    def watching(self) -> Iterator[asyncio.Event]:
        """Give the block an event that is set whenever something may look different."""
        changed, loop = asyncio.Event(), asyncio.get_running_loop()

        def watch() -> None:
            with suppress(RuntimeError):  # the server is being closed
                loop.call_soon_threadsafe(changed.set)

        self.hub.watchers.append(watch)
        self.hub.let_machine_play_soon()
        try:
            yield changed
        finally:
            self.hub.watchers.remove(watch)

    def view(self, *, remarks: bool = True) -> View:
        """Return what the player sees now in the game at the table."""
        self.game = self.hub.game
        with self.game.timeline.lock:
            if CELL_WATCH.is_rewound(self.game.timeline):
                raise IllegalAction(CELL_RERUNNING)
            return super().view(remarks=remarks)

    def act(self, reply: object) -> Json:
        """Do what a reply says, or say why not, and count it."""
        self.game = self.hub.game
        with acting_as(self.hand):  # so that machines answer at their pace
            done = super().act(reply)
        self.replies["refused" if "refused" in done else "done"] += 1
        return done

    def _do(self, reply: object) -> str:
        """Do what a reply says, unless it was done before."""
        given, do = read_reply(reply), super()._do
        id = secrets.token_hex(8) if given.get("id") is None else given["id"]
        if not isinstance(id, str) or not 1 <= len(id) <= LONGEST_ID:
            raise IllegalAction("reply-id", "the id of a reply must be a text of 1 to {most} letters", most=LONGEST_ID)
        done = self.hub.act_once(self.hand, id, lambda: do(given), self.hub.send_changes)
        return str(done["said"])

    def review(self, change: Change | Mapping[str, Any]) -> Review:
        """Return a review of a change; reviews of all tables are made one at a time."""
        with review_in_turn():
            timeline = self.hub.game.timeline
            with timeline.lock:
                as_it_stands = timeline.copy_with_events(timeline.moments, past=True)
            return Seat(BaseGame(as_it_stands), self.player).review(change)


class ServedRoom:
    """One table that is served: its game, its links, and the pages that are connected.

    Parameters
    ----------
    name : str
        What it is called in addresses.
    game : BaseGame
        What is played there first.
    """

    def __init__(self, name: str, game: BaseGame) -> None:
        self.name = name
        self.hub: PanelHub = hub_of_game(game)
        self.hub.show_latest_game()
        self.aside = Aside(self.hub)
        self.links = SeatLinks(game._timeline)
        self.aside.link_of_seat = self.links.create_link
        #: A rule that takes long holds up this table, and no other.
        self.pool = ThreadPoolExecutor(1, thread_name_prefix=f"nomic-{name}")
        #: By player: several links may open one seat.
        self.pages: dict[str | None, list[ConnectedPage]] = {}
        self.buckets: dict[links.Seat, Allowance] = {}
        #: What programs play from, by the seat that their link opens.
        self.programs: dict[links.Seat, ServedSeat] = {}
        #: Told when a page comes or goes.
        self.on_pages_changed: Callable[[], None] = lambda: None

    def close_seat(self, player: str | None, code: int = NO_LINK, role: str = "") -> None:
        """Close the pages of a player's seat at once, or those of one role; safe to call from any thread."""
        for page in tuple(self.pages.get(player, ())):
            if role in ("", page.seat.role):
                with suppress(RuntimeError):  # the server is being closed
                    page.loop.call_soon_threadsafe(page.close, code)

    def seat_of_program(self, link: object) -> ServedSeat:
        """Return what a program plays from, by its link.

        Raises
        ------
        IllegalAction
            The link opens no seat, or is for a person.
        """
        seat = self.links.seat_of_link(link)
        if seat.role != PROGRAM:
            raise IllegalAction(
                "link-for-a-person", "this link is for a person, not a program. Ask the host for a program link"
            )
        return self.programs.setdefault(seat, ServedSeat(self.hub, seat))

    async def reply(self, program: ServedSeat, text: str) -> Json:
        """Do what a program's message says, and return the answer to send, once a statement in it is stored."""
        done = await asyncio.get_running_loop().run_in_executor(self.pool, program.act, text)
        self.aside.update_soon()
        stored = asyncio.Event()
        self.aside.keeper.keep(stored.set)
        await stored.wait()
        return done

    async def seat_newest(self, page: ConnectedPage) -> None:
        """Note that a page is connected; close those that have the seat of the same player in the same role."""
        others = self.pages.setdefault(page.seat.player, [])
        for other in others[:]:
            if page.seat.player is not None and other.seat.role == page.seat.role:
                others.remove(other)
                await close_socket(other.socket, TAKEN)
        others.append(page)
        self.on_pages_changed()

    def unseat(self, page: ConnectedPage) -> None:
        """Note that a page is connected no more."""
        if page in self.pages[page.seat.player]:
            self.pages[page.seat.player].remove(page)
        self.on_pages_changed()

    def close_pages(self, code: int) -> None:
        """Close all pages at once, with a code that says why; safe to call from any thread."""
        for player in tuple(self.pages):
            self.close_seat(player, code)

    @property
    def game(self) -> BaseGame:
        """The game that is played at the table now: the one it was made with, or one begun with the same names."""
        return self.hub.game
