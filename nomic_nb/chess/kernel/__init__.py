"""The compiled kernel, if there is one: `kernel.c` as machine code beside this file, called by ctypes.

C by ctypes was chosen because it needs no Python headers: one file serves every version of Python, and a second reader
finds nothing in it but C. `hatch_build.py` compiles it. Everything works without it, only slower, and with the same
results. Tables and positions pass as words of 64 bits, which kernel.c checks one by one.
"""

from __future__ import annotations

import os
import sys
from array import array
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, cast
from zlib import crc32

FOLDER = Path(__file__).parent
LIBRARY = FOLDER / ("_kernel.dll" if os.name == "nt" else "_kernel.so")
#: Set to anything, it builds a wheel without the kernel, and leaves a kernel that is there unused.
PURE = "NOMIC_NB_PURE"
#: Plies up to which the kernel counts.
MOST_DEPTH = 64
_DONE, _STOPPED, _NO_MEMORY = range(3)


def source_mark() -> int:
    """Return a number that tells versions of kernel.c apart; a compiled kernel has that of its source."""
    return crc32((FOLDER / "kernel.c").read_bytes().replace(b"\r\n", b"\n"))


@cache
def load_library() -> tuple[Any, str]:
    """Return the compiled kernel and "", or None and why there is none."""
    if os.environ.get(PURE):
        return None, f"{PURE} is set"
    if sys.platform in ("emscripten", "wasi") or not LIBRARY.is_file():
        return None, "no kernel was compiled when the kit was installed"
    try:
        import ctypes
    except ImportError:
        return None, "this Python has no ctypes"
    try:
        library = ctypes.CDLL(str(LIBRARY))
        library.kernel_mark.restype = ctypes.c_uint64
        fits = library.kernel_mark() == source_mark()
    except (OSError, AttributeError):
        return None, "the compiled kernel is for another system"
    if not fits:
        return None, "the compiled kernel is of another version, so install the kit again"
    words, size, number, pointer = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p
    library.kernel_new.argtypes, library.kernel_new.restype = [words, size], pointer
    library.kernel_free.argtypes, library.kernel_free.restype = [pointer], None
    library.kernel_perft.argtypes = [pointer, words, size, number, pointer, ctypes.POINTER(ctypes.c_uint64)]
    return library, ""


class Kernel:
    """The kernel with the tables of some rules.

    Parameters
    ----------
    words : array
        The tables, as `kernel_tables.words_of_rules` makes them.

    Raises
    ------
    ValueError
        The kernel takes no such tables.
    """

    def __init__(self, words: array[int]) -> None:
        self._library = load_library()[0]
        address, count = words.buffer_info()
        self._tables = self._library.kernel_new(address, count)
        if not self._tables:
            raise ValueError("kernel.c has no use for these tables")

    def __del__(self) -> None:
        if tables := getattr(self, "_tables", None):
            self._library.kernel_free(tables)

    def count_leaves(self, state: array[int], depth: int) -> int:
        """Return in how many ways a position, given as words, can go on for `depth` plies."""
        from ctypes import byref, c_uint64

        leaves, (address, count) = c_uint64(), state.buffer_info()
        self._run(lambda asked: self._library.kernel_perft(
            self._tables, address, count, depth, asked, byref(leaves)
        ))  # fmt: skip
        return leaves.value

    def _run(self, call: Callable[[Any], int]) -> None:
        """Call the kernel, which asks ten times a second whether to go on; Ctrl-C is noticed then."""
        from ctypes import CFUNCTYPE, c_int, c_void_p
        from ctypes import cast as cast_pointer

        caught: list[BaseException] = []

        def interrupted() -> int:
            # Python handles signals between its own steps. The loop gives it some.
            try:
                for _ in range(3):
                    pass
            except BaseException as error:  # noqa: BLE001 - raised again below
                caught.append(error)
            return bool(caught)

        asked = CFUNCTYPE(c_int)(interrupted)
        state = call(cast_pointer(asked, c_void_p))
        if caught:
            raise caught[0]
        if state == _NO_MEMORY:
            raise MemoryError
        if state != _DONE:
            raise ValueError("kernel.c has no use for this position")


def words(*numbers: int) -> array[int]:
    """Return numbers of up to 64 bits as words for the kernel."""
    return array(cast(Any, "Q"), numbers)
