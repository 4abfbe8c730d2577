"""The seats of a table and their secret links; anyone who has the link of a seat can play from it."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time

from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.notebook.store.game_store import KeptGame, StoredSeats

#: Bytes of a secret, and letters that a link may have.
SECRET, LONGEST_LINK = 16, 80
#: Messages of a seat: so many at once, and so many a second afterwards.
BURST, PER_SECOND = 20, 5.0
#: How many other messages a review counts for: it takes that much longer. Refusals that a seat may collect.
REVIEW_COST, WRONG = 3, 200
#: Who looks on, the host, a player, and a program that plays for one: what a link opens.
WALL, DESK, PLAYER, PROGRAM = "wall", "table", "player", "program"


@frozen
class Seat:
    """A seat at a table.

    Parameters
    ----------
    id : str
        Of its link; public.
    role : str
        ``player``, ``program``, ``wall`` (which looks on) or ``table`` (the desk, where the record is kept for all).
    name : str
        Of the player who sits there; empty if none does.
    """

    id: str
    role: str
    name: str

    @property
    def player(self) -> str | None:
        """The player who has the seat; None for the wall and the desk."""
        return self.name or None


def hash_secret(secret: str) -> str:
    """Return the hash of a link's secret, the only part of it that is kept."""
    return hashlib.sha256(b"nomic_nb seat\n" + secret.encode()).hexdigest()


class _SessionSeats:
    """The links of a game that is in no file, with the seat that each opens, kept in memory only."""

    def __init__(self) -> None:
        self.known: dict[str, tuple[str, str, str]] = {}

    def add_link(self, id: str, role: str, player: str, secret: str) -> None:
        """Note the role and player of the seat that a link opens, and the hash of the link's secret."""
        self.known[id] = role, player, secret

    def remove_links(self, role: str, player: str) -> None:
        """Forget all links to the seat of a player, or to a wall or desk, so that they open nothing."""
        self.known = {id: seat for id, seat in self.known.items() if seat[:2] != (role, player)}

    def find_seat(self, id: str) -> tuple[str, str, str] | None:
        """Return role, player and hashed secret of the link with an id; None if there is no such link."""
        return self.known.get(id)


class SeatLinks:
    """The secret links of a game, each for the seat of a player, a wall or a desk; kept as hashes.

    Parameters
    ----------
    timeline : Timeline
        The game.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> links = SeatLinks(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).timeline)
    >>> old = links.create_link("Ann")
    >>> links.seat_of_link(old).player
    'Ann'
    >>> links.revoke_links("Ann")
    >>> links.seat_of_link(old)
    Traceback (most recent call last):
    nomic_nb.engine.errors.IllegalAction: this link doesn’t work. Ask the host for a new one
    """

    def __init__(self, timeline: Timeline) -> None:
        self.timeline, self._here = timeline, _SessionSeats()

    @property
    def _seat_store(self) -> _SessionSeats | StoredSeats:
        """The store of the seats: the game's file, or this session if the game is in no file."""
        keeper = self.timeline.keeper
        if not isinstance(keeper, KeptGame):
            return self._here
        kept = StoredSeats(keeper)
        for id, seat in self._here.known.items():
            kept.add_link(id, *seat)
        self._here.known.clear()
        return kept

    def create_link(self, player: str = "", role: str = PLAYER) -> str:
        """Make another secret link for a player, the wall or the desk, and return it."""
        id, secret = secrets.token_hex(4), secrets.token_urlsafe(SECRET)
        self._seat_store.add_link(id, role, player, hash_secret(secret))
        return f"{id}.{secret}"

    def revoke_links(self, player: str = "", role: str = PLAYER) -> None:
        """Make all links of a player, or of the wall or the desk, invalid."""
        self._seat_store.remove_links(role, player)

    def seat_of_link(self, link: object) -> Seat:
        """Return the seat that a link opens; raise IllegalAction if it opens none.

        Raises
        ------
        IllegalAction
            It opens none.
        """
        can_be = isinstance(link, str) and len(link) <= LONGEST_LINK and link.isascii()
        id, _, secret = str(link).partition(".") if can_be else ("", "", "")
        known_seat = self._seat_store.find_seat(id)
        role, player, hashed = known_seat or (WALL, "", "0" * 64)
        if not hmac.compare_digest(hash_secret(secret), hashed) or known_seat is None:
            raise IllegalAction("link-opens-no-seat", "this link doesn’t work. Ask the host for a new one")
        return Seat(id, role, player)


class Allowance:
    """How many times something may still be done now: doing it lowers the number, time raises it again.

    Parameters
    ----------
    most : float
        How many times at once.
    rate : float
        How many times a second afterwards.
    """

    def __init__(self, most: float, rate: float) -> None:
        self.most, self.rate = most, rate
        self.left, self.at = most, time.monotonic()

    @property
    def seconds_to_next(self) -> float:
        """Seconds until it may be done again; 0 if it may be done now."""
        self._refill()
        return max(0.0, (1 - self.left) / self.rate)

    @property
    def is_full(self) -> bool:
        """Whether it may be done as often as if it had never been done."""
        self._refill()
        return self.left >= self.most

    def try_take(self, count: int = 1) -> bool:
        """Deduct some times; return False if it may not be done as often."""
        self._refill()
        if self.left < count:
            return False
        self.left -= count
        return True

    def _refill(self) -> None:
        """Add the times that the time since the last call allows."""
        now = time.monotonic()
        self.left, self.at = min(self.most, self.left + (now - self.at) * self.rate), now


def message_allowance(times: int = 1) -> Allowance:
    """Return how many messages a seat may send: so many times as many as a player's."""
    return Allowance(float(BURST * times), PER_SECOND * times)
