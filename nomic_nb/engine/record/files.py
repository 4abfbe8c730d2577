"""Files: written as a whole or not at all, and read with a clear word on what is wrong with them."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from nomic_nb.engine.errors import RecordError

#: How a database begins, such as a file in which games are kept.
DATABASE = b"SQLite format 3\0"


def write_whole(path: Path, text: str) -> None:
    """Write a text; a file that is there keeps its mode, and is replaced once the new one is on the disk.

    Whoever writes to the same path at the same moment has a temporary file of their own: the last one stays.

    Raises
    ------
    RecordError
        It cannot be written there, with the reason; games may be kept in the file that is there.
    """
    if _is_database(path):
        raise RecordError(f"{path} is a database, and games may be kept in it: give another path")
    part = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else None
        try:
            with part.open("xb") as file:  # a new one: never what another is writing, nor what a link leads to
                if mode is not None:
                    part.chmod(mode)
                file.write(text.encode())
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
            _keep_name(path.parent)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise RecordError(f"{path} cannot be written: {error.strerror or error}") from None


def _keep_name(folder: Path) -> None:
    """Put on the disk which files a folder has; otherwise a power cut may bring the old one back."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_beside(path: Path, folder: str, texts: Mapping[str, str]) -> None:
    """Write texts into a folder beside a file; nothing is made where there are none.

    Raises
    ------
    RecordError
        They cannot be written there.
    """
    if not texts:
        return
    beside = path.parent / folder
    try:
        beside.mkdir(exist_ok=True)
    except OSError as error:
        raise RecordError(f"{beside} cannot be made: {error.strerror or error}") from None
    for name, text in texts.items():
        write_whole(beside / name, text)


def _is_database(path: Path) -> bool:
    try:
        if not path.is_file():  # reading from a pipe would wait for ever
            return False
        with path.open("rb") as file:
            return file.read(len(DATABASE)) == DATABASE
    except OSError:  # whether it can be written is found by writing
        return False


def read_whole(path: Path, most: int) -> bytes:
    """Return what a file holds.

    Parameters
    ----------
    path : Path
        Where it is.
    most : int
        Bytes that it has at most.

    Raises
    ------
    FileNotFoundError
        It is not there.
    RecordError
        It is no file, too long, or cannot be read.
    """
    if path.exists() and not path.is_file():  # reading from a pipe would wait for ever
        raise RecordError(f"a record is a file, and {path.name or path} is not one")
    try:
        size = path.stat().st_size
        if size > most:
            raise RecordError(f"a record has at most {most} bytes; this file has {size}")
        return path.read_bytes()
    except PermissionError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from None
