"""The seats of a table and their secret links; whoever has the link of a seat sits there."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time

from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.notebook.store.game_store import KeptGame
from nomic_nb.notebook.store.seats import StoredSeats

#: Bytes of a secret, and letters that a link may have.
SECRET, LONGEST = 16, 80
#: Messages of a seat: so many at once, and so many a second afterwards.
BURST, PER_SECOND = 20, 5.0
#: Who looks on, whoever keeps the record, and a player: what a link opens.
WALL, DESK, PLAYER = "wall", "table", "player"


@frozen
class Seat:
    """A seat at a table.

    Parameters
    ----------
    id : str
        Of its link; public.
    role : str
        ``player``, ``wall`` (which looks on) or ``table`` (the desk, where the record is kept for all).
    name : str
        Of the player who sits there; empty where none does.
    """

    id: str
    role: str
    name: str

    @property
    def player(self) -> str | None:
        """Who sits there; None for the wall and the desk."""
        return self.name or None


def _hash_secret(secret: str) -> str:
    return hashlib.sha256(b"nomic_nb seat\n" + secret.encode()).hexdigest()


class _SessionSeats:
    """Seats that are known in this process only, as the game is."""

    def __init__(self) -> None:
        self.known: dict[str, tuple[str, str, str]] = {}

    def put(self, id: str, role: str, player: str, secret: str) -> None:
        self.known[id] = role, player, secret

    def drop(self, role: str, player: str) -> None:
        self.known = {id: one for id, one in self.known.items() if one[:2] != (role, player)}

    def find(self, id: str) -> tuple[str, str, str] | None:
        return self.known.get(id)


class SeatLinks:
    """Who may sit where. Secrets are kept as hashes only; where the game is kept in a file, there.

    Parameters
    ----------
    timeline : Timeline
        The game.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> links = SeatLinks(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).timeline)
    >>> old = links.new("Ann")
    >>> links.seat(old).player
    'Ann'
    >>> links.close("Ann")
    >>> links.seat(old)
    Traceback (most recent call last):
    nomic_nb.engine.errors.IllegalAction: this link opens no seat; ask for a new one
    """

    def __init__(self, timeline: Timeline) -> None:
        self.timeline, self._here = timeline, _SessionSeats()

    @property
    def _seats(self) -> _SessionSeats | StoredSeats:
        """Where they are known: in the file, from when the game is kept in one."""
        keeper = self.timeline.keeper
        if not isinstance(keeper, KeptGame):
            return self._here
        kept = StoredSeats(keeper)
        for id, one in self._here.known.items():
            kept.put(id, *one)
        self._here.known.clear()
        return kept

    def new(self, player: str = "", role: str = PLAYER) -> str:
        """Return a link more for a player, for the wall or for the desk."""
        id, secret = secrets.token_hex(4), secrets.token_urlsafe(SECRET)
        self._seats.put(id, role, player, _hash_secret(secret))
        return f"{id}.{secret}"

    def close(self, player: str = "", role: str = PLAYER) -> None:
        """Let no link of a seat hold any more."""
        self._seats.drop(role, player)

    def seat(self, link: object) -> Seat:
        """Return the seat of a link; it takes the same time, and the same is said, whatever is wrong with one.

        Raises
        ------
        IllegalAction
            It opens none.
        """
        can_be = isinstance(link, str) and len(link) <= LONGEST and link.isascii()
        id, _, secret = str(link).partition(".") if can_be else ("", "", "")
        found = self._seats.find(id)
        role, player, hashed = found or (WALL, "", "0" * 64)
        if not hmac.compare_digest(_hash_secret(secret), hashed) or found is None:
            raise IllegalAction(say("link-opens-no-seat", "this link opens no seat; ask for a new one"))
        return Seat(id, role, player)


class MessageBucket:
    """How many messages a seat may still send: it fills by and by.

    Parameters
    ----------
    times : int
        How many times as many as a player's.
    """

    def __init__(self, times: int = 1) -> None:
        self.most, self.rate = float(BURST * times), PER_SECOND * times
        self.left, self.at = self.most, time.monotonic()

    @property
    def wait(self) -> float:
        """Seconds until there is one again; 0 if there is one now."""
        self._refill()
        return max(0.0, (1 - self.left) / self.rate)

    def take(self, count: int = 1) -> bool:
        """Take some out; tell whether there were as many."""
        self._refill()
        if self.left < count:
            return False
        self.left -= count
        return True

    def _refill(self) -> None:
        now = time.monotonic()
        self.left, self.at = min(self.most, self.left + (now - self.at) * self.rate), now
