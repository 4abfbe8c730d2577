"""The file of a store: how it is made, opened and checked, and what is said where the disk refuses."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import secrets
import shutil
import sqlite3
import stat
import sys
import tempfile
import time
import weakref
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

from nomic_nb.engine.errors import RecordError
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.threads import RLock, in_browser

#: What tells a store from other databases ("nomc"), and the version of its form.
APPLICATION, VERSION = 0x6E6F6D63, 3
#: Seconds that a step waits for others who write; for those who read, before it stays beside the file for now, because
#: on a busy machine a short look may last that long; and for those who have been reading longer than that.
PATIENCE, FOR_A_LOOK, BRIEFLY = 30.0, 0.5, 0.02
#: Kinds of file systems on which several machines share files, which SQLite's shared memory does not reach: a file
#: there is used by one process alone.
SHARED_FILE_SYSTEMS = (
    "afs",
    "beegfs",
    "ceph",
    "cifs",
    "fuse.sshfs",
    "glusterfs",
    "gpfs",
    "lustre",
    "ncpfs",
    "nfs",
    "smb",
    "webdav",
)

#: A line is a line of a record, `hash` its SHA-256, `prev` that of the line before. A game is a tree of lines, a way a
#: name for one path through it, by its last line: `at` is the last event that it shares with the way it parted from. A
#: step says by which hand events came. An opening is what was sealed here and is not revealed yet: in no record. A seat
#: is a link that opens one, by the hash of its secret; what a page sent and was done is noted with the step. What is
#: beside a game is in no record: drafts and reasons; or, beside no game, the room of a class and its pupils.
SCHEMA = """
CREATE TABLE line(hash TEXT PRIMARY KEY, prev TEXT NOT NULL, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE way(n INTEGER PRIMARY KEY, game TEXT NOT NULL, name TEXT NOT NULL, head TEXT NOT NULL,
  at INTEGER NOT NULL, why TEXT NOT NULL, cell TEXT NOT NULL, UNIQUE(game, name)) STRICT;
CREATE TABLE step(n INTEGER PRIMARY KEY, game TEXT NOT NULL, way TEXT NOT NULL, first INTEGER NOT NULL,
  last INTEGER NOT NULL, head TEXT NOT NULL, hand TEXT NOT NULL, cell TEXT NOT NULL, session TEXT NOT NULL,
  at INTEGER NOT NULL) STRICT;
CREATE INDEX step_of ON step(game, last);
CREATE TABLE opening(game TEXT NOT NULL, commitment TEXT NOT NULL, value TEXT NOT NULL, nonce TEXT NOT NULL,
  PRIMARY KEY(game, commitment)) STRICT, WITHOUT ROWID;
CREATE TABLE seat(n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, game TEXT NOT NULL, way TEXT NOT NULL,
  role TEXT NOT NULL, player TEXT NOT NULL, secret TEXT NOT NULL) STRICT;
CREATE TABLE done(game TEXT NOT NULL, hand TEXT NOT NULL, message TEXT NOT NULL,
  PRIMARY KEY(game, hand, message)) STRICT, WITHOUT ROWID;
CREATE TABLE beside(n INTEGER PRIMARY KEY, game TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
  body TEXT NOT NULL, UNIQUE(game, kind, name)) STRICT
"""
TABLES = [statement.strip() for statement in SCHEMA.split(";")]
#: With how many of these earlier versions began; the others are added when such a file is opened.
EARLIER_TABLES = {1: 5, 2: 7}
#: Those of them that hold something, the others being indexes.
STORED_TABLES = ("line", "way", "step", "opening", "seat", "done", "beside")
#: What is in the schema but for what does no harm: other tables, with their indexes, and views. Database browsers leave
#: some there, such as ``sqlite_stat1``. An index on a table of a store is found even if the schema hides where it is.
SCHEMA_QUERY = """
SELECT type, name, sql FROM sqlite_schema AS one WHERE sql IS NOT NULL AND (
  lower(tbl_name) IN ('line', 'way', 'step', 'opening', 'seat', 'done', 'beside') OR type = 'trigger'
  OR (type = 'table' AND sql NOT LIKE 'CREATE TABLE%') OR name IN (
    SELECT found.name FROM sqlite_schema AS of, pragma_index_list(of.name) AS found
    WHERE lower(of.name) IN ('line', 'way', 'step', 'opening', 'seat', 'done', 'beside') AND found.origin = 'c'))"""
#: What to do if something is damaged.
COPY_ADVICE = "restore a backup (or save what can be proved, with nb.salvage(path, to))"


class StepConflict(Exception):  # noqa: N818 - the step is made once more
    """Somebody else kept a step first."""


def _error_advice(error: sqlite3.Error) -> Message:
    """Return advice on what to do about a database error, such as “the disk is full. Free some space”."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    held = say("store-held", "another program is using it (perhaps a backup or a database browser). Close that program")
    damaged = say("store-damaged", "it is damaged. {help}", help=COPY_ADVICE[0].upper() + COPY_ADVICE[1:])
    known = {
        sqlite3.SQLITE_FULL: say("disk-full", "the disk is full. Free some space"),
        sqlite3.SQLITE_BUSY: held,
        sqlite3.SQLITE_LOCKED: held,
        sqlite3.SQLITE_READONLY: say(
            "store-not-writable", "it is read-only. Change its permissions, or those of its folder"
        ),
        sqlite3.SQLITE_CANTOPEN: say("store-not-openable", "it can’t be opened. Change the permissions of its folder"),
        sqlite3.SQLITE_IOERR: say("disk-fails", "the disk reports an error ({error}). Fix this", error=error),
        sqlite3.SQLITE_CORRUPT: damaged,
        sqlite3.SQLITE_NOTADB: damaged,
    }
    return known.get(code, say("database-error", "the database reports an error ({error}). Fix this", error=error))


class StoreFile:
    """One file on one machine, with one connection to it.

    In a browser, the drive keeps nothing of a file that is open, and SQLite cannot work there. So the database is in
    memory, and each step writes the whole file before it counts.

    Parameters
    ----------
    path : Path
        Where it is.
    make : bool
        Whether it is made where it is not there.
    alone : bool
        Whether no other process can use it meanwhile, as is always so in a network folder.

    Raises
    ------
    RecordError
        It is no store, of a newer version, or cannot be opened or made; with what to do.
    """

    #: Whether steps are on the disk beside the file (in ``-wal``) and not in it yet, because others are reading it.
    beside = False
    #: Whether the file was deleted by `erase`.
    erased = False

    def __init__(self, path: Path, *, make: bool = False, alone: bool = False) -> None:
        self.path, self.lock, self.process = path, RLock(), os.getpid()
        self.in_memory, self._written = in_browser(), ""
        self.is_alone = alone or file_system_kind(path.parent).startswith(SHARED_FILE_SYSTEMS)
        find = self._check_or_create_file(make=make)
        try:
            self._connect()
        except BaseException:
            if find:
                path.unlink(missing_ok=True)
            raise
        self.inode = path.stat().st_ino

    # ---------------------------------------------------------------------------------------- opening

    def _check_or_create_file(self, *, make: bool) -> bool:
        """Raise RecordError if the path can be no store; create a missing file if `make`, and return True if it did."""
        if sqlite3.sqlite_version_info < (3, 37):
            raise RecordError(
                "sqlite-too-old",
                "game files need SQLite 3.37 or newer; this Python has {found}",
                found=sqlite3.sqlite_version,
            )
        path = self.path
        try:
            if path.exists():
                self._check_file_kind()
                return False
            if not make:
                raise RecordError(
                    "no-file-for-a-game",
                    "there is no file {path}. To start a game in a file, use nb.new_game(…, file=…)",
                    path=path,
                )
            os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))  # sealed ballots are in it
        except FileExistsError:
            return False
        except OSError as error:
            raise RecordError(
                "store-cannot-be-opened", "can’t open {path}: {why}", path=path, why=error.strerror or error
            ) from None
        return True

    def _check_file_kind(self) -> None:
        """Raise RecordError unless the path is that of a plain file which is empty or an SQLite database."""
        if not stat.S_ISREG(self.path.stat().st_mode):
            raise RecordError("store-is-no-file", "{path} isn’t a file, so it can’t hold games", path=self.path)
        with self.path.open("rb") as file:
            head = file.read(16)
        if head.startswith(b"{"):
            raise RecordError(
                "store-is-perhaps-a-record",
                "{path} isn’t a game file. If it is a record, use nb.load",
                path=self.path,
            )
        if head and head != b"SQLite format 3\0":
            raise RecordError(
                "file-is-no-store",
                "{path} isn’t a game file. Give the path of a new file, or of one that nomic_nb made",
                path=self.path,
            )

    def _connect(self) -> None:
        """Open the database with write-ahead logging; raise RecordError if it is no store of this version."""
        with self._errors_in_words():
            where = ":memory:" if self.in_memory else self.path
            self.db = sqlite3.connect(where, isolation_level=None, timeout=PATIENCE, check_same_thread=False)
            weakref.finalize(self, _close_database, self.db, self.lock)
            self.db.execute("PRAGMA trusted_schema = OFF")
            self.db.execute("PRAGMA cell_size_check = ON")
            self.db.execute("PRAGMA secure_delete = ON")  # names of pupils who were removed are overwritten
            if self.in_memory:
                self._read_into_memory()
            if self.is_alone:  # before the log is switched on: it shares memory otherwise
                self.db.execute("PRAGMA locking_mode = EXCLUSIVE")
            self.made = self._check_tables()
            if not self.in_memory:
                self._enable_write_ahead()
            self.db.execute("PRAGMA synchronous = FULL")
        self.checkpoint()  # what a session left beside the file that was killed

    def _read_into_memory(self) -> None:
        """Read the whole file, with what a session left beside it, by way of a copy on a disk where SQLite works."""
        self._written = self._hash_of_file()
        with tempfile.TemporaryDirectory() as folder:
            for ending in ("", "-wal"):
                with suppress(FileNotFoundError):
                    shutil.copyfile(f"{self.path}{ending}", Path(folder, f"copy{ending}"))
            with closing(sqlite3.connect(Path(folder, "copy"), isolation_level=None)) as copy:
                copy.execute("PRAGMA locking_mode = EXCLUSIVE")
                copy.execute("PRAGMA journal_mode = DELETE")
                copy.backup(self.db)
        log = Path(f"{self.path}-wal")
        if log.exists():  # it is in the database now; if it were left, it would undo the next step
            self._write_from_memory()
            log.unlink()

    def _write_from_memory(self) -> None:
        """Write the whole database to the file, which has either the old or the new content.

        Raises
        ------
        RecordError
            The drive has no room for it, or refuses.
        """
        content, part = self.db.serialize(), self.path.with_name(f".{secrets.token_hex(8)}.part")
        try:
            part.write_bytes(content)
            if part.read_bytes() != content:  # a drive may not tell that it is full
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            part.replace(self.path)
        except OSError as error:
            with suppress(OSError):
                part.unlink()
            raise RecordError(
                "drive-refuses",
                "the browser can’t store {path} ({why}). Make room, or save this game with game.save. "
                "Nothing was changed",
                path=self.path,
                why=error.strerror or error,
            ) from None
        self._written = hashlib.sha256(content).hexdigest()

    def _hash_of_file(self) -> str:
        """Return the hash of what is in the file."""
        return hashlib.sha256(self.path.read_bytes()).hexdigest()

    def _check_tables(self) -> bool:
        """Return True if the tables are there, False if the file is empty; raise if it is not a sound store."""
        schema_rows = self.db.execute(SCHEMA_QUERY).fetchall()
        (kind,), (version,) = (
            self.db.execute(f"PRAGMA {pragma}").fetchone() for pragma in ("application_id", "user_version")
        )
        if not kind and not self.db.execute("SELECT 1 FROM sqlite_schema").fetchone():
            return False
        if kind != APPLICATION:
            raise RecordError(
                "database-of-another-program",
                "{path} is another program’s database. Give the path of a new file",
                path=self.path,
            )
        if version > VERSION:
            raise RecordError(
                "store-of-a-newer-version",
                "{path} has version {version}, which is too new for this nomic_nb. Install a newer one",
                path=self.path,
                version=version,
            )
        if added := [f"{what} {name[:40]}" for what, name, sql in schema_rows if sql not in TABLES]:
            raise RecordError(
                "store-changed-by-another-program",
                "another program changed {path}, so nothing in it can be trusted: it now has the {added}. "
                "Remove that with the other program, or {help}",
                path=self.path,
                added=", ".join(added[:6]),
                help=COPY_ADVICE,
            )
        if len(schema_rows) < EARLIER_TABLES.get(version, len(TABLES)):
            raise RecordError(
                "store-lacks-a-table",
                "another program changed {path}: a table is missing. To fix this, {help}",
                path=self.path,
                help=COPY_ADVICE,
            )
        self._add_tables(since=version)
        tables = ("way", "beside")  # tables are made with the first game, or with the room of a class
        if not any(self.db.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() for table in tables):  # noqa: S608
            raise RecordError(
                "store-copied-without-its-game",
                "{path} has no game in it, because it is only part of a copy. The game is in the file "
                "{name}-wal, next to the original. Close the sessions that use the original, then copy it "
                "again",
                path=self.path,
                name=self.path.name,
            )
        return True

    def _add_tables(self, since: int) -> None:
        """Create the tables that a file of an earlier version lacks, all of them or none."""
        if since < VERSION:
            with nullcontext() if self.db.in_transaction else self._all_or_nothing():
                self._make_tables()

    def _make_tables(self) -> None:
        """Create the tables that are not there, in a transaction such as the one that adds the first game."""
        there = {sql for (sql,) in self.db.execute("SELECT sql FROM sqlite_schema")}
        for table in TABLES:
            if table not in there:
                self.db.execute(table)
        self.db.execute(f"PRAGMA application_id = {APPLICATION}")
        self.db.execute(f"PRAGMA user_version = {VERSION}")

    def _enable_write_ahead(self) -> None:
        """Switch on write-ahead logging, so that reading and writing do not block."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                (mode,) = self.db.execute("PRAGMA journal_mode = WAL").fetchone()
            except sqlite3.OperationalError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)
                continue
            if mode != "wal":
                raise RecordError(
                    "disk-keeps-no-store",
                    "the disk that {path} is on can’t store game files ({mode}). Choose a path on another disk",
                    path=self.path,
                    mode=mode,
                )
            return

    @property
    def alone_notice(self) -> str:
        """A sentence that says that no other process can use the file; empty if others can."""
        notice = say(
            "store-used-alone",
            "Only this program can use {name} until it ends, as always in a network folder or with alone=True.",
            name=self.path.name,
        )
        return str(notice) if self.is_alone else ""

    # ----------------------------------------------------------------------------- reading and writing

    @contextmanager
    def _errors_in_words(self) -> Iterator[None]:
        """Turn database errors inside the block into messages that say what to do."""
        if os.getpid() != self.process:
            raise RecordError(
                "store-opened-in-another-process",
                "{path} was opened in another process, and this one started as a copy of it. Open it here with nb.open",
                path=self.path,
            )
        if self.erased:
            raise RecordError("store-erased", "{path} was erased, with the games in it", path=self.path)
        try:
            yield
        except sqlite3.Error as error:
            message = _error_advice(error).embed_in(
                "{path}: {message}, then try again. Nothing was changed", path=self.path
            )
            raise RecordError(message) from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the block as one transaction, or as part of one: everything is written, or nothing.

        Raises
        ------
        RecordError
            It cannot be written, or not where anybody would find it.
        """
        with self.lock, self._errors_in_words():
            is_part = self.db.in_transaction
            if is_part:
                yield
                return
            self._check_still_there()
            with self._all_or_nothing():
                if not self.made and not self._check_tables():  # another process may have made it at the same moment
                    self._make_tables()
                yield
            self.made = True
            self.checkpoint()

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """Write everything that the block writes, or nothing if it fails."""
        try:
            self.db.execute("BEGIN IMMEDIATE")
            yield
            if self.in_memory:
                self._write_from_memory()
            self.db.execute("COMMIT")
        except BaseException:
            if self.db.in_transaction:  # a full disk has taken it back already
                self.db.execute("ROLLBACK")
            raise

    def erase(self) -> None:
        """Overwrite what is in the file, and delete it with everything that the database keeps beside it.

        Raises
        ------
        RecordError
            Another program has the file open; perhaps what was in it is gone already.
        """
        with self.lock:
            if self.path.exists() and not self.erased:
                with self.transaction():
                    for table in STORED_TABLES:
                        self.db.execute(f"DELETE FROM {table}")  # noqa: S608 - our own names
            self.db.close()
            self.erased = True
            delete_files_of_store(self.path)

    def checkpoint(self) -> None:
        """Move the write-ahead log into the file, so a copy of the file is complete.

        Nothing is lost if it fails: what stays beside the file is on the disk too, and is moved later.
        """
        with self.lock, suppress(sqlite3.Error):
            self.db.execute(f"PRAGMA busy_timeout = {(BRIEFLY if self.beside else FOR_A_LOOK) * 1000:.0f}")
            try:
                self.beside = True
                self.beside = bool(self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0])
            finally:
                self.db.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000:.0f}")

    def query_rows(self, sql: str, *values: object) -> list[Any]:
        """Return the rows of an SQL query, with values for its placeholders; none if the file is still empty."""
        with self.lock, self._errors_in_words():
            self.made = self.made or self._check_tables()
            return self.db.execute(sql, values).fetchall() if self.made else []

    @property
    def is_in_place(self) -> bool:
        """Whether the file is still where it was; in a browser, also whether no other tab has written to it."""
        try:
            if self.in_memory:
                return self._hash_of_file() == self._written
            return self.path.stat().st_ino == self.inode
        except OSError:
            return False

    def _check_still_there(self) -> None:
        """Raise RecordError if the file was moved, deleted or replaced while it was in use, or in another tab.

        Raises
        ------
        RecordError
            The file was taken away, or another one is in its place.
        """
        if not self.is_in_place:
            raise RecordError(
                "store-taken-away",
                "{path} was moved, deleted or replaced while in use. Put it back, or save this game with "
                "game.save, load it with nb.load and keep it in another file with game.keep. Nothing was "
                "changed",
                path=self.path,
            )

    @property
    def data_version(self) -> int:
        """A number that changes whenever another connection has written."""
        with self.lock, self._errors_in_words():
            return int(self.db.execute("PRAGMA data_version").fetchone()[0])


def delete_files_of_store(store: Path) -> None:
    """Delete a file with games, and what the database keeps beside it.

    Raises
    ------
    RecordError
        Another program prevents it.
    """
    for ending in ("", "-wal", "-shm", "-journal"):
        path = Path(f"{store}{ending}")
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise RecordError(
                "store-not-deleted",
                "can’t delete {path}: {why}. Close it in other programs, then try again",
                path=path,
                why=error.strerror or error,
            ) from None


def _close_database(db: sqlite3.Connection, lock: RLock) -> None:
    """Close the database, so that everything is in its one file."""
    with lock:
        db.close()


def file_system_kind(folder: Path) -> str:
    """Return the type of the file system that holds a folder, such as “nfs”; empty if unknown."""
    if sys.platform == "win32":
        import ctypes

        drive = os.path.splitdrive(folder.resolve())[0]
        return "smb" if drive.startswith("\\\\") or ctypes.windll.kernel32.GetDriveTypeW(f"{drive}\\") == 4 else ""
    system_kind, place = "", Path("/nowhere")
    where = folder.resolve()
    for mounted, kind in list_mounts():
        at = Path(mounted)
        if (where == at or at in where.parents) and (not system_kind or len(at.parts) >= len(place.parts)):
            system_kind, place = kind, at
    return system_kind


def list_mounts() -> list[tuple[str, str]]:
    """Return the mounted folders, each with the type of its file system."""
    if sys.platform == "darwin":
        import subprocess

        told = subprocess.run(["/sbin/mount"], capture_output=True, text=True, check=False).stdout
        return re.findall(r" on (.+) \((\w+)[,)]", told)
    table = Path("/proc/self/mounts")
    rows = (line.split(" ") for line in table.read_text(errors="replace").splitlines()) if table.exists() else ()
    return [(row[1].replace("\\040", " "), row[2]) for row in rows if len(row) > 2]
