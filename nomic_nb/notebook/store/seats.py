"""Which links open which seats of a game, kept in its file: they hold when the kernel or the server begins anew."""

from __future__ import annotations

from nomic_nb.notebook.store.game_store import KeptGame

#: Links of a seat that hold at once: a server that begins anew shows another, and those on phones go on.
MOST_LINKS = 8


class StoredSeats:
    """The seats of a game that is kept.

    Parameters
    ----------
    kept : Kept
        The game, on the way on which it is played.
    """

    def __init__(self, kept: KeptGame) -> None:
        self.kept = kept

    def add_link(self, id: str, role: str, player: str, secret: str) -> None:
        """Let a link open a seat; of those of one seat, only the latest hold."""
        game, way, store = self.kept.game, self.kept.way, self.kept.store
        own = "game = ?1 AND way = ?2 AND role = ?3 AND player = ?4"
        with store.transaction():
            sql = "INSERT INTO seat(id, game, way, role, player, secret) VALUES (?, ?, ?, ?, ?, ?)"
            store.db.execute(sql, (id, game, way, role, player, secret))
            latest = f"SELECT n FROM seat WHERE {own} ORDER BY n DESC LIMIT ?5"  # noqa: S608 - of constants
            sql = f"DELETE FROM seat WHERE {own} AND n NOT IN ({latest})"  # noqa: S608 - of constants
            store.db.execute(sql, (game, way, role, player, MOST_LINKS))

    def remove_links(self, role: str, player: str) -> None:
        """Make all links of a seat invalid."""
        with self.kept.store.transaction():
            sql = "DELETE FROM seat WHERE game = ? AND way = ? AND role = ? AND player = ?"
            self.kept.store.db.execute(sql, (self.kept.game, self.kept.way, role, player))

    def find_seat(self, id: str) -> tuple[str, str, str] | None:
        """Return the role and the player of the seat that a link opens, and the hash of its secret; None for none."""
        sql = "SELECT role, player, secret FROM seat WHERE id = ? AND game = ? AND way = ?"
        rows = self.kept.store.query_rows(sql, id, self.kept.game, self.kept.way)
        return (str(rows[0][0]), str(rows[0][1]), str(rows[0][2])) if rows else None
