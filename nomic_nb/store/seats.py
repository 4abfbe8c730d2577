"""Which links open which seats of a game, kept in its file: they hold when the kernel or the server begins anew."""

from __future__ import annotations

from collections.abc import Iterator

from nomic_nb.store.kept import Kept

#: Links of a player that hold at once: a server that begins anew shows another, and those on phones go on.
LINKS = 8


class KeptSeats:
    """The seats of a game that is kept.

    Parameters
    ----------
    kept : Kept
        The game, on the way on which it is played.
    """

    def __init__(self, kept: Kept) -> None:
        self.kept = kept

    def put(self, id: str, player: str | None, secret: str) -> None:
        """Let a link open a seat; of a player's, only the latest hold."""
        game, way, store = self.kept.game, self.kept.way, self.kept.store
        with store.once():
            sql = "INSERT INTO seat(id, game, way, player, secret) VALUES (?, ?, ?, ?, ?)"
            store.db.execute(sql, (id, game, way, player, secret))
            sql = (
                "DELETE FROM seat WHERE game = ?1 AND way = ?2 AND player IS ?3 AND n NOT IN (SELECT n FROM seat"
                " WHERE game = ?1 AND way = ?2 AND player IS ?3 ORDER BY n DESC LIMIT ?4)"
            )
            store.db.execute(sql, (game, way, player, LINKS))

    def drop(self, player: str | None) -> None:
        """Let no link of a player hold any more."""
        with self.kept.store.once():
            sql = "DELETE FROM seat WHERE game = ? AND way = ? AND player IS ?"
            self.kept.store.db.execute(sql, (self.kept.game, self.kept.way, player))

    def find(self, id: str) -> tuple[str | None, str] | None:
        """Return whose seat a link opens, and the hash of its secret; None where it opens none."""
        sql = "SELECT player, secret FROM seat WHERE id = ? AND game = ? AND way = ?"
        found: Iterator[tuple[str | None, str]] = iter(self.kept.store.rows(sql, id, self.kept.game, self.kept.way))
        return next(found, None)
