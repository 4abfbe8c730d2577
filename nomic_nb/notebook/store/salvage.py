"""What can still be read of a damaged file, as far as its lines prove themselves, goes into a new one."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nomic_nb.engine.errors import RecordError
from nomic_nb.engine.play.lines import hash_of
from nomic_nb.notebook.store.lines import MAIN, Course, Store
from nomic_nb.study.frames import columns, frame_of

if TYPE_CHECKING:
    import pandas as pd

SALVAGED = columns("string: name way", "int64: events", "string: lost")
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
        raise RecordError(f"there is no file {path}")
    if to.exists():
        raise RecordError(f"{to} is there already: give the path of a new file")
    with tempfile.TemporaryDirectory() as folder:
        for ending in ("", "-wal"):
            with suppress(FileNotFoundError):
                shutil.copyfile(f"{path}{ending}", Path(folder, f"file{ending}"))
        with closing(sqlite3.connect(Path(folder, "file"))) as db:
            lines, ways, steps, sealed = _read(db)
    proved = _proved(lines)
    saved = list(_ends(ways, steps, proved))
    kept = {made for course in saved for made in _before(course[1].head, lines)}
    if not kept:
        raise RecordError(f"nothing that {path} still has can be proved to be a game: bring a copy back")
    store = Store(to, make=True)
    with store.once():
        for made in kept:
            store._put("line", made, lines[made][0], lines[made][1])
        for game, course, _ in saved:
            if course.head:
                store._way(game, course)
        for row in steps:
            if row[4] in kept:
                store._put("step(game, way, first, last, head, hand, cell, session, at)", *row)
        for row in sealed:
            store._put("opening", *row)
    rows = [
        (game, course.name, proved.get(course.head, 0), _lost(proved.get(course.head, 0), last))
        for game, course, last in saved
    ]
    return frame_of(SALVAGED, rows)


def _read(db: sqlite3.Connection) -> tuple[dict[str, tuple[str, str]], list[Row], list[Row], list[Row]]:
    """Return the lines, ways, steps and openings that can be read, whatever the rest is like."""
    numbered = "SELECT {} FROM {} WHERE n >= ? AND n < ? ORDER BY n"

    def by_number(names: str, table: str) -> list[Row]:
        sql = numbered.format(names, table)
        return list(_all(lambda low, high: db.execute(sql, (low, high if high < KEYS else 2**62)).fetchall()))

    def lines(low: int, high: int) -> list[Row]:
        span = [f"{key:04x}" if key < KEYS else "g" for key in (low, high)]
        return db.execute("SELECT hash, prev, body FROM line WHERE hash >= ? AND hash < ?", span).fetchall()

    found = {
        made: (prev, body)
        for made, prev, body in _all(lines)
        if isinstance(body, str) and body.isascii() and hash_of(body) == made
    }
    ways = by_number("game, name, head, at, why, cell", "way")
    steps = by_number("game, way, first, last, head, hand, cell, session, at", "step")
    sealed: list[Row] = []
    with suppress(sqlite3.DatabaseError):
        sealed = db.execute("SELECT game, commitment, value, nonce FROM opening").fetchall()
    return found, ways, steps, sealed


def _all(read: Callable[[int, int], Iterable[Row]]) -> Iterator[Row]:
    """Yield what can be read; nothing of what cannot be read at either end, which has no beginning."""
    for end in (0, KEYS):
        with suppress(sqlite3.DatabaseError):
            read(end, end)
            yield from _ranges(read, 0, KEYS)
            return


def _ranges(read: Callable[[int, int], Iterable[Row]], low: int, high: int) -> Iterator[Row]:
    """Yield what can be read between two keys; where something cannot, in ever smaller parts."""
    try:
        yield from read(low, high)
    except sqlite3.DatabaseError:
        if high - low > NARROWEST:
            yield from _ranges(read, low, (low + high) // 2)
            yield from _ranges(read, (low + high) // 2, high)


def _proved(lines: dict[str, tuple[str, str]]) -> dict[str, int]:
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


def _ends(ways: list[Row], steps: list[Row], proved: dict[str, int]) -> Iterator[tuple[str, Course, int]]:
    """Yield each way with its last line that is proved, none if nothing is, and how many events it had."""
    known = {(game, name): Course(name, head, at, why, cell) for game, name, head, at, why, cell in ways}
    names = dict.fromkeys([*known, *((game, way) for game, way, *_ in steps if way == MAIN)])
    alone = len([name for _, name in names if name == MAIN]) == 1 == list(proved.values()).count(0)
    for game, way in names:
        course = known.get((game, way), Course(way, "", 0))
        own = [row for row in steps if row[:2] == (game, way)]
        heads = [course.head, *(row[4] for row in reversed(own))]
        if way == MAIN and alone:  # what was played before a game was kept has no steps
            heads.append(max(proved, key=proved.__getitem__))
        head = next((one for one in heads if one in proved), "")
        last = proved.get(course.head, max((row[3] for row in own), default=0))
        yield game, Course(way, head, course.at, course.why, course.cell), last


def _before(head: str, lines: dict[str, tuple[str, str]]) -> Iterator[str]:
    while head:
        yield head
        head = lines[head][0]


def _lost(events: int, last: int) -> str:
    if events == 0:
        return "everything"
    return (
        f"events {events + 1} to {last}" if last > events else "" if last == events else "what came later, if anything"
    )
