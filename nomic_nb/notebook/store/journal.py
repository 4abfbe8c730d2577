"""What a store holds: games as trees of lines, and names for the last line of each way that a game went.

A line is exactly a line of a record, so that a stored game and its record are the same text. A step is one
transaction: its lines are added, and the way moves on if it still ends where the writer thought.
"""

from __future__ import annotations

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
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.dice import SealOpening
from nomic_nb.engine.play.record_limits import LARGEST_FILE, line_hash
from nomic_nb.engine.threads import Thread, start_thread
from nomic_nb.notebook.store.file import COPY_ADVICE, StepConflict, StoreFile
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
        The cell that ran; empty where none is known.
    session : str
        What tells one notebook, or another who plays, from others.
    message : str
        What came from a page, by its id, so that it is not done twice; empty for all else.
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
        """Look whether somebody else has written, and catch up."""


class GameStore(StoreFile):
    """The games in one file."""

    def __init__(self, path: Path, *, make: bool = False) -> None:
        super().__init__(path, make=make)
        self.followers: weakref.WeakSet[StoreFollower] = weakref.WeakSet()
        #: The games that are open in this process.
        self.open: weakref.WeakValueDictionary[str, StoreFollower] = weakref.WeakValueDictionary()
        #: Ways that cannot be read.
        self.broken: set[tuple[str, str]] = set()
        self._looking: Thread | None = None

    # ------------------------------------------------------------------------------------------ reading

    def games(self) -> list[str]:
        """Return the names of the games, in the order in which they were begun."""
        return [name for (name,) in self.rows("SELECT game FROM way WHERE name = ? ORDER BY n", MAIN_BRANCH)]

    def ways(self, game: str) -> list[StoredBranch]:
        """Return the ways of a game, in the order in which they came."""
        sql = "SELECT name, head, at, why, cell FROM way WHERE game = ? ORDER BY n"
        return [StoredBranch(*row) for row in self.rows(sql, game)]

    def head(self, game: str, way: str = MAIN_BRANCH) -> str:
        """Return the last line of a way.

        Raises
        ------
        RecordError
            There is none.
        """
        found = self.rows("SELECT head FROM way WHERE game = ? AND name = ?", game, way)
        if not found:
            raise RecordError(
                say(
                    "store-lost-a-way",
                    "{path} has no {way} of a game “{game}” any more",
                    path=self.path,
                    way=way,
                    game=game,
                )
            )
        return str(found[0][0])

    def back(self, head: str, known: Container[str] = ()) -> tuple[str, list[str]]:
        """Return the lines that lead to one, from the first or from behind one that is known, and the hash of that.

        Raises
        ------
        RecordError
            A line was altered or is missing.
        """
        found: list[str] = []
        at, size = head, 0
        while at and at not in known:
            chain = self.rows(_BACK, at, AT_ONCE - 1)
            if not chain:
                raise RecordError(
                    say(
                        "store-line-missing",
                        "{path}: a line is missing before the last {after}: {help}",
                        path=self.path,
                        after=len(found),
                        help=COPY_ADVICE,
                    )
                )
            for made, prev, body in chain:
                if made in known:
                    break
                size += len(body)
                if size > 2 * LARGEST_FILE or not body.isascii() or line_hash(body) != made:
                    raise RecordError(
                        say(
                            "store-line-altered",
                            "{path}: another program altered a line, the last but {after}: {help}",
                            path=self.path,
                            after=len(found),
                            help=COPY_ADVICE,
                        )
                    )
                found.append(body)
                at = prev
        return at, found[::-1]

    def steps(self, game: str, since: int = 0) -> list[StoredStep]:
        """Return the steps of a game, on whichever way, in the order in which they came."""
        sql = (
            "SELECT first, last, head, hand, cell, session, at FROM step WHERE game = ? AND last > ?"
            " AND first BETWEEN 1 AND last AND at BETWEEN 0 AND 9999999999999 ORDER BY n"
        )
        return [
            StoredStep(first, last, head, StepHand(*by), at)
            for first, last, head, *by, at in self.rows(sql, game, since)
        ]

    def openings(self, game: str) -> dict[str, SealOpening]:
        """Return what was sealed and is not revealed yet, by commitment."""
        sql = "SELECT commitment, value, nonce FROM opening WHERE game = ?"
        return {made: SealOpening(*opening) for made, *opening in self.rows(sql, game)}

    # ------------------------------------------------------------------------------------------ writing

    def append(
        self, game: str, way: str, head: str, base: str, lines: Sequence[str], step: tuple[int, StepHand], *,
        openings: Mapping[str, SealOpening], spent: Iterable[str] = (), aside: StoredBranch | None = None,
    ) -> None:  # fmt: skip
        """Add a step, and let the way go on: all of it, or nothing.

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
        Behind
            Somebody else was first.
        """
        with self.once():
            new = self._add_lines(base, lines)
            sql = "UPDATE way SET head = ? WHERE game = ? AND name = ? AND head = ?"
            if self.db.execute(sql, (new, game, way, head)).rowcount != 1:
                raise StepConflict
            if aside is not None:
                self._branch_row(game, aside)
            start, hand = step
            self._add_step(game, way, new, len(lines), start, hand)
            self._openings(game, openings)
            gone = ((game, one) for one in spent)
            self.db.executemany("DELETE FROM opening WHERE game = ? AND commitment = ?", gone)
            if hand.message:
                self._insert_row("done", game, hand.session, hand.message)

    def part(
        self, game: str, way: StoredBranch, base: str, lines: Sequence[str], openings: Mapping[str, SealOpening],
        step: tuple[int, StepHand] | None = None,
    ) -> None:  # fmt: skip
        """Keep a way with the lines that are its own: a game that is begun, or a way beside the others.

        Raises
        ------
        Behind
            There is one of this name by now.
        """
        with self.once():
            head = self._add_lines(base, lines)
            self._branch_row(game, replace(way, head=head))
            if lines and step is not None:
                self._add_step(game, way.name, head, len(lines), *step)
            self._openings(game, openings)

    def forget(self, game: str, way: str, head: str) -> None:
        """Keep a way no more, if it still ends there."""
        with self.once():
            self.db.execute("DELETE FROM way WHERE game = ? AND name = ? AND head = ?", (game, way, head))

    def _insert_row(self, table: str, *values: object) -> int:
        """Put a row into a table; return 0 where it is there already."""
        sql = f"INSERT INTO {table} VALUES ({', '.join('?' * len(values))})"  # noqa: S608 - of constants
        return self.db.execute(f"{sql} ON CONFLICT DO NOTHING", values).rowcount

    def _add_lines(self, prev: str, lines: Sequence[str]) -> str:
        """Put lines behind one another; return the hash of the last."""
        for line in lines:
            made = line_hash(line)
            self._insert_row("line", made, prev, line)
            prev = made
        return prev

    def _branch_row(self, game: str, way: StoredBranch) -> None:
        if not self._insert_row("way(game, name, head, at, why, cell)", game, *astuple(way)):
            raise StepConflict

    def _add_step(self, game: str, way: str, head: str, count: int, start: int, hand: StepHand) -> None:
        names = "step(game, way, first, last, head, hand, cell, session, at)"
        by, now = (hand.kind, hand.cell, hand.session), time.time_ns() // 1_000_000
        self._insert_row(names, game, way, start + 1, start + count, head, *by, now)

    def _openings(self, game: str, openings: Mapping[str, SealOpening]) -> None:
        for made, one in openings.items():
            self._insert_row("opening", game, made, one.value, one.nonce)

    # ---------------------------------------------------------------------------------------- following

    def join(self, one: StoreFollower) -> None:
        """Let somebody follow what others write; a thread looks for them, for as long as there is one."""
        self.followers.add(one)
        if self._looking is None or not self._looking.is_alive():
            self._looking = start_thread(partial(_poll_for_changes, weakref.ref(self)))


def _poll_for_changes(found: weakref.ref[GameStore]) -> None:
    """Look now and then whether somebody else has written. It keeps nothing alive while it waits."""
    seen = -1
    while (store := found()) is not None and store.followers:
        with suppress(RecordError):  # it cannot be read: whoever acts next is told
            seen = _update_followers(store, seen)
        if store.beside:  # somebody was reading the file when the last step was written
            store.settle()
        del store
        time.sleep(EVERY)


def _update_followers(store: GameStore, seen: int) -> int:
    """Let all follow if somebody else has written; return by what the next time is told."""
    version = store.version
    for one in () if version == seen else tuple(store.followers):
        with suppress(RecordError):
            one.follow()
    return version


#: The stores of this process, by file.
_STORES: weakref.WeakValueDictionary[str, GameStore] = weakref.WeakValueDictionary()


def open_store(path: str | Path, *, make: bool = False) -> GameStore:
    """Return the store in a file, the same one wherever it is asked for.

    Raises
    ------
    RecordError
        It is none; see `StoreFile`.
    """
    where = Path(os.path.realpath(path))
    known = _STORES.get(str(where))
    if known is None or not where.exists() or where.stat().st_ino != known.inode:
        known = _STORES[str(where)] = GameStore(where, make=make)
    return known


# ------------------------------------------------------------------------ what can still be read of a damaged file


SALVAGED_COLUMNS = column_types("string: name way", "int64: events", "string: lost")
#: Keys are looked for in ranges, the first digits of a hash or numbers of rows: all at once, and around a damaged page
#: in ranges that get as narrow as this.
KEYS, NARROWEST = 2**16, 2**2

Row = tuple[Any, ...]


def salvage(path: Path, to: Path) -> pd.DataFrame:
    """Write what can be proved of the games in a damaged file into a new file; the damaged one is left as it is.

    Returns
    -------
    DataFrame
        A row for each game and each of its forks, with ``name``, ``way`` (string), ``events`` (int64: how many are
        saved) and ``lost`` (string: which are not; empty if none are).

    Raises
    ------
    RecordError
        There is no file to read, the new one is there already, or nothing can be proved.
    """
    if not path.is_file():
        raise RecordError(say("no-file-to-mend", "there is no file {path}", path=path))
    if to.exists():
        raise RecordError(
            say("new-file-there-already", "{path} is there already: give the path of a new file", path=to)
        )
    with tempfile.TemporaryDirectory() as folder:
        for ending in ("", "-wal"):
            with suppress(FileNotFoundError):
                shutil.copyfile(f"{path}{ending}", Path(folder, f"file{ending}"))
        with closing(sqlite3.connect(Path(folder, "file"))) as db:
            lines, ways, steps, sealed = _read_tables(db)
    proved = _proved_lines(lines)
    saved = list(_proved_ends(ways, steps, proved))
    kept = {made for course in saved for made in _lines_before(course[1].head, lines)}
    if not kept:
        raise RecordError(
            say(
                "nothing-to-be-proved",
                "nothing that {path} still has can be proved to be a game: bring a copy back",
                path=path,
            )
        )
    store = GameStore(to, make=True)
    with store.once():
        for made in kept:
            store._insert_row("line", made, lines[made][0], lines[made][1])
        for game, course, _ in saved:
            if course.head:
                store._branch_row(game, course)
        for row in steps:
            if row[4] in kept:
                store._insert_row("step(game, way, first, last, head, hand, cell, session, at)", *row)
        for row in sealed:
            store._insert_row("opening", *row)
    rows = [
        (game, course.name, proved.get(course.head, 0), _count_lost(proved.get(course.head, 0), last))
        for game, course, last in saved
    ]
    return make_frame(SALVAGED_COLUMNS, rows)


def _read_tables(db: sqlite3.Connection) -> tuple[dict[str, tuple[str, str]], list[Row], list[Row], list[Row]]:
    """Return the lines, ways, steps and openings that can be read, whatever the rest is like."""
    numbered = "SELECT {} FROM {} WHERE n >= ? AND n < ? ORDER BY n"

    def by_number(names: str, table: str) -> list[Row]:
        sql = numbered.format(names, table)
        return list(_read_all(lambda low, high: db.execute(sql, (low, high if high < KEYS else 2**62)).fetchall()))

    def lines(low: int, high: int) -> list[Row]:
        span = [f"{key:04x}" if key < KEYS else "g" for key in (low, high)]
        return db.execute("SELECT hash, prev, body FROM line WHERE hash >= ? AND hash < ?", span).fetchall()

    found = {
        made: (prev, body)
        for made, prev, body in _read_all(lines)
        if isinstance(body, str) and body.isascii() and line_hash(body) == made
    }
    ways = by_number("game, name, head, at, why, cell", "way")
    steps = by_number("game, way, first, last, head, hand, cell, session, at", "step")
    sealed: list[Row] = []
    with suppress(sqlite3.DatabaseError):
        sealed = db.execute("SELECT game, commitment, value, nonce FROM opening").fetchall()
    return found, ways, steps, sealed


def _read_all(read: Callable[[int, int], Iterable[Row]]) -> Iterator[Row]:
    """Yield what can be read; nothing of what cannot be read at either end, which has no beginning."""
    for end in (0, KEYS):
        with suppress(sqlite3.DatabaseError):
            read(end, end)
            yield from _read_ranges(read, 0, KEYS)
            return


def _read_ranges(read: Callable[[int, int], Iterable[Row]], low: int, high: int) -> Iterator[Row]:
    """Yield what can be read between two keys; where something cannot, in ever smaller parts."""
    try:
        yield from read(low, high)
    except sqlite3.DatabaseError:
        if high - low > NARROWEST:
            yield from _read_ranges(read, low, (low + high) // 2)
            yield from _read_ranges(read, (low + high) // 2, high)


def _proved_lines(lines: dict[str, tuple[str, str]]) -> dict[str, int]:
    """Return the lines that all are there before, back to a header, with how many events they come after."""
    found: dict[str, int] = {}
    for made in lines:
        path, at = [], made
        while at and at not in found and at in lines:
            path.append(at)
            at = lines[at][0]
        if at and at not in found:
            continue
        for one in reversed(path):
            found[one] = found.get(lines[one][0], -1) + 1
    return found


def _proved_ends(ways: list[Row], steps: list[Row], proved: dict[str, int]) -> Iterator[tuple[str, StoredBranch, int]]:
    """Yield each way with its last line that is proved, none if nothing is, and how many events it had."""
    known = {(game, name): StoredBranch(name, head, at, why, cell) for game, name, head, at, why, cell in ways}
    names = dict.fromkeys([*known, *((game, way) for game, way, *_ in steps if way == MAIN_BRANCH)])
    alone = len([name for _, name in names if name == MAIN_BRANCH]) == 1 == list(proved.values()).count(0)
    for game, way in names:
        course = known.get((game, way), StoredBranch(way, "", 0))
        own = [row for row in steps if row[:2] == (game, way)]
        heads = [course.head, *(row[4] for row in reversed(own))]
        if way == MAIN_BRANCH and alone:  # what was played before a game was kept has no steps
            heads.append(max(proved, key=proved.__getitem__))
        head = next((one for one in heads if one in proved), "")
        last = proved.get(course.head, max((row[3] for row in own), default=0))
        yield game, StoredBranch(way, head, course.at, course.why, course.cell), last


def _lines_before(head: str, lines: dict[str, tuple[str, str]]) -> Iterator[str]:
    while head:
        yield head
        head = lines[head][0]


def _count_lost(events: int, last: int) -> str:
    if events == 0:
        return "everything"
    return (
        f"events {events + 1} to {last}" if last > events else "" if last == events else "what came later, if anything"
    )
