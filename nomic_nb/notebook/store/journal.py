"""What a store holds: games as trees of lines, and names for the last line of each way that a game went.

A line is exactly a line of a record, so a stored game and its record are the same text. A step is one
transaction: its lines are added, and the way moves on if it still ends where the writer thought.
"""

from __future__ import annotations

import json
import mmap
import os
import shutil
import sqlite3
import tempfile
import time
import weakref
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import astuple, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from nomic_nb.engine.errors import RecordError
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.play.dice import SealOpening
from nomic_nb.engine.play.record_limits import LARGEST_FILE, hash_of_line
from nomic_nb.engine.threads import Thread, in_browser, start_thread
from nomic_nb.notebook.store.database_file import COPY_ADVICE, StepConflict, StoreFile, delete_files_of_store
from nomic_nb.study.frames import column_types, make_frame

if TYPE_CHECKING:
    import pandas as pd


# ---------------------------------------------------------------------------------------------- what a store holds


#: The way that is the game; the others are its forks.
MAIN_BRANCH = "main"
#: Lines that are read at once, and seconds between two looks at whether somebody else has written.
AT_ONCE, EVERY = 512, 0.05

_BACK = """
WITH RECURSIVE chain(hash, prev, body, k) AS (
  SELECT hash, prev, body, 0 FROM line WHERE hash = ?
  UNION ALL SELECT line.hash, line.prev, line.body, k + 1 FROM line JOIN chain ON line.hash = chain.prev WHERE k < ?)
SELECT hash, prev, body FROM chain ORDER BY k"""


@frozen
class StepHand:
    """By which hand a step came.

    Parameters
    ----------
    kind : str
        ``cell``, ``panel``, ``seat``, ``host`` or ``script``.
    cell : str
        The cell that ran; empty if none is known.
    session : str
        What tells one notebook, or another who plays, from others.
    message : str
        What came from a page, by its id, so it is not done twice; empty for all else.
    """

    kind: str
    cell: str
    session: str
    message: str = ""


@frozen
class StoredBranch:
    """A way as the store has it: name, last line, where it parted from another, why, and the cell that made it."""

    name: str
    head: str
    at: int
    why: str = ""
    cell: str = ""


@frozen
class StoredStep:
    """Events that came together: the first and the last, the line of the last, by which hand and when (ms)."""

    first: int
    last: int
    head: str
    hand: StepHand
    at: int


class StoreFollower(Protocol):
    """Who follows what others write."""

    def follow(self) -> None:
        """Play the steps that others have stored since."""


class GameStore(StoreFile):
    """The games in one file."""

    def __init__(self, path: Path, *, make: bool = False, alone: bool = False) -> None:
        super().__init__(path, make=make, alone=alone)
        self.followers: weakref.WeakSet[StoreFollower] = weakref.WeakSet()
        #: The games that are open in this process.
        self.open: weakref.WeakValueDictionary[str, StoreFollower] = weakref.WeakValueDictionary()
        #: Ways that cannot be read.
        self.broken: set[tuple[str, str]] = set()
        self._looking: Thread | None = None

    # ------------------------------------------------------------------------------------------ reading

    def game_names(self) -> list[str]:
        """Return the names of the games, in the order in which they were begun."""
        return [name for (name,) in self.query_rows("SELECT game FROM way WHERE name = ? ORDER BY n", MAIN_BRANCH)]

    def branches(self, game: str) -> list[StoredBranch]:
        """Return the branches of a game, in the order in which they were made."""
        sql = "SELECT name, head, at, why, cell FROM way WHERE game = ? ORDER BY n"
        return [StoredBranch(*row) for row in self.query_rows(sql, game)]

    def last_line_hash(self, game: str, way: str = MAIN_BRANCH) -> str:
        """Return the hash of the last line of a branch (`way`) of a game.

        Raises
        ------
        RecordError
            There is none.
        """
        rows = self.query_rows("SELECT head FROM way WHERE game = ? AND name = ?", game, way)
        if not rows:
            raise RecordError(
                "store-lost-a-way",
                "{path} no longer has the branch “{way}” of a game “{game}”",
                path=self.path,
                way=way,
                game=game,
            )
        return str(rows[0][0])

    def lines_leading_to(self, head: str, known: Container[str] = ()) -> tuple[str, list[str]]:
        """Return the nearest hash in `known` before the line `head` (empty if none), and the lines from it to `head`.

        Raises
        ------
        RecordError
            A line was altered or is missing.
        """
        lines: list[str] = []
        at, size = head, 0
        while at and at not in known:
            chain = self.query_rows(_BACK, at, AT_ONCE - 1)
            if not chain:
                raise RecordError(
                    "store-line-missing",
                    "a line of {path} is missing (lines after it: {after}). To fix this, {help}",
                    path=self.path,
                    after=len(lines),
                    help=COPY_ADVICE,
                )
            for digest, prev, body in chain:
                if digest in known:
                    break
                size += len(body)
                if size > 2 * LARGEST_FILE or not body.isascii() or hash_of_line(body) != digest:
                    raise RecordError(
                        "store-line-altered",
                        "another program altered a line of {path} (lines after it: {after}). To fix this, {help}",
                        path=self.path,
                        after=len(lines),
                        help=COPY_ADVICE,
                    )
                lines.append(body)
                at = prev
        return at, lines[::-1]

    def steps(self, game: str, since: int = 0) -> list[StoredStep]:
        """Return the steps on all branches of a game that end after event `since`, in the order they were stored."""
        sql = (
            "SELECT first, last, head, hand, cell, session, at FROM step WHERE game = ? AND last > ?"
            " AND first BETWEEN 1 AND last AND at BETWEEN 0 AND 9999999999999 ORDER BY n"
        )
        return [
            StoredStep(first, last, head, StepHand(*by), at)
            for first, last, head, *by, at in self.query_rows(sql, game, since)
        ]

    def rows_beside(self, game: str) -> dict[tuple[str, str], Any]:
        """Return what is stored beside a game (or, with an empty name, about the class), by kind and name.

        Raises
        ------
        RecordError
            Another program has altered some of it.
        """
        rows: dict[tuple[str, str], Any] = {}
        for kind, name, body in self.query_rows("SELECT kind, name, body FROM beside WHERE game = ? ORDER BY n", game):
            try:
                rows[kind, name] = json.loads(body)
            except (ValueError, RecursionError):
                raise self.altered_row_error(kind, name) from None
        return rows

    def altered_row_error(self, kind: str, name: str) -> RecordError:
        """Return an error that says that another program has altered a row beside a game."""
        return RecordError(
            "store-row-altered",
            "another program altered {path} ({kind} {name}). To fix this, {help}",
            path=self.path,
            kind=kind,
            name=name[:40],
            help=COPY_ADVICE,
        )

    def unrevealed_openings(self, game: str) -> dict[str, SealOpening]:
        """Return the values and nonces behind commitments that are not revealed yet, by commitment."""
        sql = "SELECT commitment, value, nonce FROM opening WHERE game = ?"
        return {commitment: SealOpening(*opening) for commitment, *opening in self.query_rows(sql, game)}

    # ------------------------------------------------------------------------------------------ writing

    def append_step(
        self, game: str, way: str, head: str, base: str, lines: Sequence[str], step: tuple[int, StepHand], *,
        openings: Mapping[str, SealOpening], spent: Iterable[str] = (), aside: StoredBranch | None = None,
    ) -> None:  # fmt: skip
        """Add the lines of a step to a branch in one transaction; raise StepConflict if others were first.

        Parameters
        ----------
        game, way : str
            Which.
        head : str
            The line with which the way ends, as far as is known.
        base : str
            The line that the new ones follow: this one, or an earlier one, where a cell was edited.
        lines : sequence of str
            The new ones.
        step : tuple of int and Hand
            The last event before them, and by which hand they come.
        openings : mapping of str to Opening
            What was sealed with this step.
        spent : iterable of str
            The commitments that were opened.
        aside : Line, optional
            Under which name the way is kept as it went before.

        Raises
        ------
        StepConflict
            Somebody else was first.
        """
        with self.transaction():
            new = self._insert_lines(base, lines)
            sql = "UPDATE way SET head = ? WHERE game = ? AND name = ? AND head = ?"
            if self.db.execute(sql, (new, game, way, head)).rowcount != 1:
                raise StepConflict
            if aside is not None:
                self._insert_branch(game, aside)
            start, hand = step
            if lines:
                self._insert_step(game, way, new, len(lines), start, hand)
            self._insert_openings(game, openings)
            gone = ((game, commitment) for commitment in spent)
            self.db.executemany("DELETE FROM opening WHERE game = ? AND commitment = ?", gone)
            if hand.message:
                self._insert_row("done", game, hand.session, hand.message)

    def add_branch(
        self, game: str, way: StoredBranch, base: str, lines: Sequence[str], openings: Mapping[str, SealOpening],
        step: tuple[int, StepHand] | None = None,
    ) -> None:  # fmt: skip
        """Add a branch (a new game or a fork) with its own lines, which follow the line with the hash `base`.

        Raises
        ------
        StepConflict
            There is one of this name by now.
        """
        with self.transaction():
            head = self._insert_lines(base, lines)
            self._insert_branch(game, replace(way, head=head))
            if lines and step is not None:
                self._insert_step(game, way.name, head, len(lines), *step)
            self._insert_openings(game, openings)

    def delete_branch(self, game: str, way: str, head: str) -> None:
        """Delete a branch (`way`) of a game if it still ends at the line with the hash `head`."""
        with self.transaction():
            self.db.execute("DELETE FROM way WHERE game = ? AND name = ? AND head = ?", (game, way, head))

    def write_beside(self, game: str, rows: Mapping[tuple[str, str], Any], gone: Iterable[tuple[str, str]]) -> None:
        """Write rows that are new or have changed beside a game, and delete those that are gone, in one transaction."""
        with self.transaction():
            self.db.executemany(
                "INSERT INTO beside(game, kind, name, body) VALUES (?, ?, ?, ?) "
                "ON CONFLICT(game, kind, name) DO UPDATE SET body = excluded.body",
                [(game, *key, json.dumps(body)) for key, body in rows.items()],
            )
            sql = "DELETE FROM beside WHERE game = ? AND kind = ? AND name = ?"
            self.db.executemany(sql, [(game, *key) for key in gone])

    def _insert_row(self, table: str, *values: object) -> int:
        """Insert a row into a table; return 1, or 0 if it exists already."""
        sql = f"INSERT INTO {table} VALUES ({', '.join('?' * len(values))})"  # noqa: S608 - of constants
        return self.db.execute(f"{sql} ON CONFLICT DO NOTHING", values).rowcount

    def _insert_lines(self, prev: str, lines: Sequence[str]) -> str:
        """Insert lines as a chain after the line with the hash `prev`; return the hash of the last."""
        for line in lines:
            digest = hash_of_line(line)
            self._insert_row("line", digest, prev, line)
            prev = digest
        return prev

    def _insert_branch(self, game: str, way: StoredBranch) -> None:
        """Insert a branch of a game; raise StepConflict if there is one of its name already."""
        if not self._insert_row("way(game, name, head, at, why, cell)", game, *astuple(way)):
            raise StepConflict

    def _insert_step(self, game: str, way: str, head: str, count: int, start: int, hand: StepHand) -> None:
        """Insert a step of `count` events after event `start`; `head` is the hash of its last line."""
        names = "step(game, way, first, last, head, hand, cell, session, at)"
        by, now = (hand.kind, hand.cell, hand.session), time.time_ns() // 1_000_000
        self._insert_row(names, game, way, start + 1, start + count, head, *by, now)

    def _insert_openings(self, game: str, openings: Mapping[str, SealOpening]) -> None:
        """Insert the values and nonces behind some commitments of a game."""
        for commitment, opening in openings.items():
            self._insert_row("opening", game, commitment, opening.value, opening.nonce)

    # ---------------------------------------------------------------------------------------- following

    def add_follower(self, follower: StoreFollower) -> None:
        """Add a follower to call when others have written, and start the thread that looks for this."""
        self.followers.add(follower)
        if self.is_alone or in_browser():  # nobody else can, or nobody can look
            return
        if self._looking is None or not self._looking.is_alive():
            self._looking = start_thread(partial(_poll_for_changes, weakref.ref(self)))


def _poll_for_changes(store_ref: weakref.ref[GameStore]) -> None:
    """Call a store's followers whenever others have written, until the store or its followers are gone."""
    seen = -1
    while (store := store_ref()) is not None and store.followers:
        with suppress(RecordError):  # it cannot be read: whoever acts next is told
            seen = _update_followers(store, seen)
        if store.beside:  # somebody was reading the file when the last step was written
            store.checkpoint()
        del store
        time.sleep(EVERY)


def _update_followers(store: GameStore, seen: int) -> int:
    """Call all followers if the file's data version is no longer `seen`; return the version that it has now."""
    version = store.data_version
    for follower in () if version == seen else tuple(store.followers):
        with suppress(RecordError):
            follower.follow()
    return version


#: How a database begins, and what it keeps beside itself.
DATABASE_HEADS = (b"SQLite format 3\0", b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
#: The stores of this process, by file.
_STORES: weakref.WeakValueDictionary[str, GameStore] = weakref.WeakValueDictionary()


def open_store(path: str | Path, *, make: bool = False, alone: bool = False) -> GameStore:
    """Return the store in a file, created first if `make`; the same object each time while it is in use.

    Raises
    ------
    RecordError
        It is none; see `StoreFile`. Or `alone` is asked for, but this process shares the file with others already.
    """
    where = Path(os.path.realpath(path))
    known = _STORES.get(str(where))
    if known is None or not known.is_in_place:
        known = _STORES[str(where)] = GameStore(where, make=make, alone=alone)
    if alone and not known.is_alone:
        raise RecordError(
            "store-shared-already",
            "{path} is in use here already, and other programs can use it too. Start this program again, then use "
            "alone=True first",
            path=path,
        )
    return known


def erase_store(path: Path) -> list[str]:
    """Delete a file with games, with everything beside it, and its copies in the same folder; return their names.

    Games that are open here can go no further.

    Raises
    ------
    RecordError
        It is no file with games, or another program has it open.
    """
    where = Path(os.path.realpath(path))
    store = _STORES.get(str(where))
    if store is None and where.exists():
        store = GameStore(where)
    if store is None:
        return []
    copies = _copies_of(store)
    store.followers.clear()
    store.erase()
    _STORES.pop(str(where), None)
    for copy in copies:
        try:
            GameStore(copy).erase()
        except RecordError:  # not copied whole, or a part of a copy
            delete_files_of_store(copy)
    return [copy.name for copy in copies]


def _copies_of(store: GameStore) -> list[Path]:
    """Return the files in a store's folder that have its games or pupils in them, such as backups."""
    marks = [hashed.encode() for (hashed,) in store.query_rows("SELECT hash FROM line WHERE prev = ''")]
    with suppress(RecordError):  # altered by another program: its games are enough to know it by
        for (kind, _), body in store.rows_beside("").items():  # hashes: pupils without phones have no pass
            known = [body["pass"]] if kind == "pupil" else body["secrets"]["host"]
            marks += [mark.encode() for mark in known if mark]
    own = [store.path, *(Path(f"{store.path}{ending}") for ending in ("-wal", "-shm"))]
    found = []
    for path in sorted(store.path.parent.iterdir()):
        with suppress(OSError):  # it cannot be read, so it is none of ours
            if path in own or path.is_symlink() or not path.is_file():
                continue
            with path.open("rb") as file:
                if file.read(16).startswith(DATABASE_HEADS):
                    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
                        found += [path] if any(content.find(mark) >= 0 for mark in marks) else []
    return found


# ------------------------------------------------------------------------ what can still be read of a damaged file


SALVAGED_COLUMNS = column_types("string: name way; int64: events; string: lost")
#: Keys are looked for in ranges, the first digits of a hash or numbers of rows: all at once, and around a damaged page
#: in ranges that get as narrow as this.
KEYS, NARROWEST = 2**16, 2**2

Row = tuple[Any, ...]


def salvage_store(path: Path, to: Path) -> pd.DataFrame:
    """Copy the games that can be proved from a damaged file to a new file; return a data frame of the results.

    Returns
    -------
    DataFrame
        One row for each game and each fork, with ``name``, ``way`` (string: name of the branch), ``events`` (int64:
        number of events saved) and ``lost`` (string: events that are lost; empty if nothing is lost).

    Raises
    ------
    RecordError
        There is no file to read, the new file already exists, or nothing can be proved.
    """
    if not path.is_file():
        raise RecordError("no-file-to-mend", "there is no file {path} to repair", path=path)
    if to.exists():
        raise RecordError("new-file-there-already", "{path} already exists. Give the path of a new file", path=to)
    with tempfile.TemporaryDirectory() as folder:
        for ending in ("", "-wal"):
            with suppress(FileNotFoundError):
                shutil.copyfile(f"{path}{ending}", Path(folder, f"file{ending}"))
        with closing(sqlite3.connect(Path(folder, "file"))) as db:
            lines, ways, steps, sealed = _read_tables(db)
            beside = _read_all(db, "SELECT game, kind, name, body FROM beside ORDER BY n")
    proved = _count_events_of_proved_lines(lines)
    saved = list(_proved_branches(ways, steps, proved))
    kept = {hash_before for course in saved for hash_before in _line_hashes_back_from(course[1].head, lines)}
    if not kept:
        raise RecordError(
            "nothing-to-be-proved",
            "{path} has nothing left in it that can be proved to be a game. Restore a backup",
            path=path,
        )
    store = GameStore(to, make=True)
    with store.transaction():
        for digest in kept:
            store._insert_row("line", digest, lines[digest][0], lines[digest][1])
        for game, course, _ in saved:
            if course.head:
                store._insert_branch(game, course)
        for row in steps:
            if row[4] in kept:
                store._insert_row("step(game, way, first, last, head, hand, cell, session, at)", *row)
        for row in sealed:
            store._insert_row("opening", *row)
        for row in beside:
            store._insert_row("beside(game, kind, name, body)", *row)
    rows = [
        (game, course.name, proved.get(course.head, 0), _lost_events_text(proved.get(course.head, 0), last))
        for game, course, last in saved
    ]
    return make_frame(SALVAGED_COLUMNS, rows)


def _read_tables(db: sqlite3.Connection) -> tuple[dict[str, tuple[str, str]], list[Row], list[Row], list[Row]]:
    """Return what can be read: lines (hash to previous hash and text), rows of branches, steps, openings."""
    numbered = "SELECT {} FROM {} WHERE n >= ? AND n < ? ORDER BY n"

    def by_number(names: str, table: str) -> list[Row]:
        sql = numbered.format(names, table)
        return list(
            _read_with_gaps(lambda low, high: db.execute(sql, (low, high if high < KEYS else 2**62)).fetchall())
        )

    def lines(low: int, high: int) -> list[Row]:
        span = [f"{key:04x}" if key < KEYS else "g" for key in (low, high)]
        return db.execute("SELECT hash, prev, body FROM line WHERE hash >= ? AND hash < ?", span).fetchall()

    lines_by_hash = {
        digest: (prev, body)
        for digest, prev, body in _read_with_gaps(lines)
        if isinstance(body, str) and body.isascii() and hash_of_line(body) == digest
    }
    ways = by_number("game, name, head, at, why, cell", "way")
    steps = by_number("game, way, first, last, head, hand, cell, session, at", "step")
    return lines_by_hash, ways, steps, _read_all(db, "SELECT game, commitment, value, nonce FROM opening")


def _read_all(db: sqlite3.Connection, sql: str) -> list[Row]:
    """Return the rows of a query; none if they cannot be read."""
    with suppress(sqlite3.DatabaseError):
        return db.execute(sql).fetchall()
    return []


def _read_with_gaps(read: Callable[[int, int], Iterable[Row]]) -> Iterator[Row]:
    """Yield the rows that `read` can read between a first key and a last; none if it fails at both ends."""
    for end in (0, KEYS):
        with suppress(sqlite3.DatabaseError):
            read(end, end)
            yield from _read_range_by_halves(read, 0, KEYS)
            return


def _read_range_by_halves(read: Callable[[int, int], Iterable[Row]], low: int, high: int) -> Iterator[Row]:
    """Yield the rows with keys from `low` up to `high`; where reading fails, try each half."""
    try:
        yield from read(low, high)
    except sqlite3.DatabaseError:
        if high - low > NARROWEST:
            yield from _read_range_by_halves(read, low, (low + high) // 2)
            yield from _read_range_by_halves(read, (low + high) // 2, high)


def _count_events_of_proved_lines(lines: dict[str, tuple[str, str]]) -> dict[str, int]:
    """Return, by hash, the number of events up to each line that has an unbroken chain to a header."""
    event_counts: dict[str, int] = {}
    for digest in lines:
        path, at = [], digest
        while at and at not in event_counts and at in lines:
            path.append(at)
            at = lines[at][0]
        if at and at not in event_counts:
            continue
        for ancestor in reversed(path):
            event_counts[ancestor] = event_counts.get(lines[ancestor][0], -1) + 1
    return event_counts


def _proved_branches(
    ways: list[Row], steps: list[Row], proved: dict[str, int]
) -> Iterator[tuple[str, StoredBranch, int]]:
    """Yield each branch: its game, the branch up to its last proved line, and how many events it once had."""
    known = {(game, name): StoredBranch(name, head, at, why, cell) for game, name, head, at, why, cell in ways}
    names = dict.fromkeys([*known, *((game, way) for game, way, *_ in steps if way == MAIN_BRANCH)])
    alone = len([name for _, name in names if name == MAIN_BRANCH]) == 1 == list(proved.values()).count(0)
    for game, way in names:
        course = known.get((game, way), StoredBranch(way, "", 0))
        own = [row for row in steps if row[:2] == (game, way)]
        heads = [course.head, *(row[4] for row in reversed(own))]
        if way == MAIN_BRANCH and alone:  # what was played before a game was kept has no steps
            heads.append(max(proved, key=proved.__getitem__))
        head = next((candidate for candidate in heads if candidate in proved), "")
        last = proved.get(course.head, max((row[3] for row in own), default=0))
        yield game, StoredBranch(way, head, course.at, course.why, course.cell), last


def _line_hashes_back_from(head: str, lines: dict[str, tuple[str, str]]) -> Iterator[str]:
    """Yield the hash `head` of a line, then those of all lines before it, backwards."""
    while head:
        yield head
        head = lines[head][0]


def _lost_events_text(events: int, last: int) -> str:
    """Return which events are lost if `events` of them are saved and there were `last`; empty if none are."""
    if events == 0:
        return "everything"
    return f"events {events + 1} to {last}" if last > events else "" if last == events else "anything that came later"
