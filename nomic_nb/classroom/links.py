"""The seats of a table and their secret links; whoever has the link of a seat sits there."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from dataclasses import dataclass
from typing import Protocol, TypeGuard

from nomic_nb.errors import IllegalAction
from nomic_nb.play.table import Table
from nomic_nb.store.kept import Kept
from nomic_nb.store.seats import KeptSeats

#: Bytes of a secret, and letters that a link may have.
SECRET, LONGEST = 16, 80
#: Messages of a seat: so many at once, and so many a second afterwards.
BURST, PER_SECOND = 20, 5.0
WALL = "wall"


@dataclass(frozen=True)
class Seat:
    """A seat at a table.

    Parameters
    ----------
    id : str
        Of its link; public.
    player : str or None
        Who sits there; None for the wall.
    """

    id: str
    player: str | None

    @property
    def role(self) -> str:
        """What can be done there."""
        return "player" if self.player is not None else WALL


def _hashed(secret: str) -> str:
    return hashlib.sha256(b"nomic_nb seat\n" + secret.encode()).hexdigest()


def _can_be(link: object) -> TypeGuard[str]:
    return isinstance(link, str) and len(link) <= LONGEST and link.isascii()


class Seats(Protocol):
    """Where it is known which links open which seats."""

    def put(self, id: str, player: str | None, secret: str) -> None:
        """Let a link open a seat."""

    def drop(self, player: str | None) -> None:
        """Let no link of a player hold any more."""

    def find(self, id: str) -> tuple[str | None, str] | None:
        """Return whose seat a link opens, and the hash of its secret."""


class _Here:
    """Seats that are known in this process only, as the game is."""

    def __init__(self) -> None:
        self.known: dict[str, tuple[str | None, str]] = {}

    def put(self, id: str, player: str | None, secret: str) -> None:
        self.known[id] = player, secret

    def drop(self, player: str | None) -> None:
        self.known = {id: one for id, one in self.known.items() if one[0] != player}

    def find(self, id: str) -> tuple[str | None, str] | None:
        return self.known.get(id)


class Links:
    """Who may sit where. Secrets are kept as hashes only; where the game is kept in a file, there.

    Parameters
    ----------
    table : Table
        The game.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> links = Links(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).table)
    >>> old = links.new("Ann")
    >>> links.seat(old).player
    'Ann'
    >>> links.close("Ann")
    >>> links.seat(old)
    Traceback (most recent call last):
    nomic_nb.errors.IllegalAction: this link opens no seat; ask for a new one
    """

    def __init__(self, table: Table) -> None:
        self.table, self._here = table, _Here()

    @property
    def _seats(self) -> Seats:
        """Where they are known: in the file, from when the game is kept in one."""
        keeper = self.table.keeper
        if not isinstance(keeper, Kept):
            return self._here
        kept = KeptSeats(keeper)
        for id, (player, secret) in self._here.known.items():
            kept.put(id, player, secret)
        self._here.known.clear()
        return kept

    def new(self, player: str | None) -> str:
        """Return a link more for a player, or for the wall."""
        id, secret = secrets.token_hex(4), secrets.token_urlsafe(SECRET)
        self._seats.put(id, player, _hashed(secret))
        return f"{id}.{secret}"

    def close(self, player: str | None) -> None:
        """Let no link of a player hold any more."""
        self._seats.drop(player)

    def seat(self, link: object) -> Seat:
        """Return the seat of a link; it takes the same time, and the same is said, whatever is wrong with one.

        Raises
        ------
        IllegalAction
            It opens none.
        """
        id, _, secret = link.partition(".") if _can_be(link) else ("", "", "")
        found = self._seats.find(id)
        player, hashed = found or (None, "0" * 64)
        if not hmac.compare_digest(_hashed(secret), hashed) or found is None:
            raise IllegalAction("this link opens no seat; ask for a new one")
        return Seat(id, player)


class Bucket:
    """How many messages a seat may still send: it fills by and by."""

    def __init__(self) -> None:
        self.left, self.at = float(BURST), time.monotonic()

    def take(self) -> bool:
        """Take one out; tell whether there was one."""
        now = time.monotonic()
        self.left, self.at = min(BURST, self.left + (now - self.at) * PER_SECOND), now
        if self.left < 1:
            return False
        self.left -= 1
        return True
