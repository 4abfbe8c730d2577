"""The seats of a table and their secret links; whoever has the link of a seat sits there."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from dataclasses import dataclass

from nomic_nb.errors import IllegalAction

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


class Links:
    """Who may sit where. Secrets are kept as hashes only.

    Examples
    --------
    >>> links = Links()
    >>> old = links.new("Ann")
    >>> links.seat(old).player
    'Ann'
    >>> new = links.new("Ann")
    >>> links.seat(old)
    Traceback (most recent call last):
    nomic_nb.errors.IllegalAction: this link opens no seat; ask for a new one
    """

    def __init__(self) -> None:
        self._known: dict[str, tuple[Seat, str]] = {}

    def new(self, player: str | None) -> str:
        """Return a new link for a player, or for the wall; one that was given before holds no more."""
        self.close(player)
        made = Seat(secrets.token_hex(4), player)
        secret = secrets.token_urlsafe(SECRET)
        self._known[made.id] = made, _hashed(secret)
        return f"{made.id}.{secret}"

    def close(self, player: str | None) -> None:
        """Let the link of a player hold no more."""
        self._known = {id: one for id, one in self._known.items() if one[0].player != player}

    def seat(self, link: object) -> Seat:
        """Return the seat of a link; it takes the same time, and the same is said, whatever is wrong with one.

        Raises
        ------
        IllegalAction
            It opens none.
        """
        id, _, secret = link.partition(".") if isinstance(link, str) and len(link) <= LONGEST else ("", "", "")
        found, hashed = self._known.get(id, (None, "0" * 64))
        if not hmac.compare_digest(_hashed(secret), hashed) or found is None:
            raise IllegalAction("this link opens no seat; ask for a new one")
        return found


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
