"""The compiled kernel, if there is one: `kernel.c` as machine code beside this file, called by ctypes.

C by ctypes was chosen because it needs no Python headers: one file serves every version of Python, and a second reader
finds nothing in it but C. `hatch_build.py` compiles it. Everything works without it, only slower, and with the same
results. Tables and positions pass as words of 64 bits, which kernel.c checks one by one.
"""

from __future__ import annotations

import os
import sys
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, Self, cast
from zlib import crc32

FOLDER = Path(__file__).parent
LIBRARY = FOLDER / ("_kernel.dll" if os.name == "nt" else "_kernel.so")
#: What the name of the file with its checksum ends with, which `hatch_build.py` writes beside it.
CHECKSUM = ".crc32"
#: Set to anything, it builds a wheel without the kernel, and leaves a kernel that is there unused.
PURE = "NOMIC_NB_PURE"
#: Whether it is set, from the start; then Python does everything.
turned_off = bool(os.environ.get(PURE))
#: Plies up to which the kernel counts.
MOST_DEPTH = 64
#: Moves of a line, and earlier positions, at most.
MOST_LINE, MOST_PATH = 42, 1 << 14
_DONE, _STOPPED, _NO_MEMORY, _BAD_INPUT, _BUSY = range(5)
#: The words of a call for lists or counts.
_TABLES, _ASKED, _AS_PYTHON, _PLIES, _ROOM_FOR, _STATE, _SIZE, _FOUND, _LIST = range(9)
#: Words of the lists of one call, at most: a gigabyte.
MOST_WORDS = 1 << 27
#: Words that usually suffice for the moves of one position.
_ROOM = 255
#: What it answers as long as the call may go on.
_GO_ON = 0x676F6F6E
#: Words of the text of a move, and the bits of one, without and with the one that says that more words follow.
_TEXT, _COUNT, _WORD = 3, (1 << 63) - 1, (1 << 64) - 1


def source_mark() -> int:
    """Return a number that tells versions of kernel.c apart; a compiled kernel has that of its source."""
    return crc32((FOLDER / "kernel.c").read_bytes().replace(b"\r\n", b"\n"))


def load_library() -> tuple[Any, str]:
    """Return the compiled kernel and "", or None and why there is none."""
    if turned_off:
        return None, f"{PURE} is set"
    if sys.platform in ("emscripten", "wasi"):
        return None, "browsers have no compiled kernel"
    return _open_library()


@cache
def _open_library() -> tuple[Any, str]:
    """Return what `load_library` does, as far as it stays so while Python runs."""
    if not LIBRARY.is_file():
        return None, "no kernel was compiled when the kit was installed"
    try:  # a damaged file could end Python
        whole = int(LIBRARY.with_name(LIBRARY.name + CHECKSUM).read_text()) == crc32(LIBRARY.read_bytes())
    except (OSError, ValueError):
        whole = False
    if not whole:
        return None, "the compiled kernel is damaged or of another version, so install the kit again"
    try:
        import ctypes
    except ImportError:
        return None, "this Python has no ctypes"
    try:
        library: Any = ctypes.CDLL(str(LIBRARY))
        library.kernel_mark.restype = ctypes.c_uint64
        mark = library.kernel_mark()
    except (OSError, AttributeError):
        return None, "the compiled kernel is for another system"
    if not (FOLDER / "kernel.c").is_file() or mark != source_mark():
        return None, "the compiled kernel is of another version, so install the kit again"
    # The same without letting other threads go on meanwhile, which would take longer than a short call.
    library.kernel_moves_at_once = ctypes.PyDLL(None, handle=library._handle).kernel_moves
    size, number, pointer = ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p
    for name, given, result in (
        ("new", [pointer, size], pointer), ("free", [pointer], None), ("width", [number], number),
        ("moves", [pointer], number), ("moves_at_once", [pointer], number),
        ("player_new", [pointer, pointer, size], pointer), ("player_free", [pointer], None),
        ("search", [pointer, number, pointer, size, pointer, size, pointer, pointer], number),
    ):  # fmt: skip
        function = getattr(library, f"kernel_{name}")
        function.argtypes, function.restype = given, result
    return library, ""


class _Shared:
    """Something in the memory of the kernel: a copy is the same thing, and no file can keep it."""

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("what the compiled kernel keeps cannot be pickled")


class Kernel(_Shared):
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
        #: How many words a board takes.
        self.width = words[1] if count > 1 else 0
        self._room = _ROOM
        self._tables = self._library.kernel_new(address, count)
        if not self._tables:
            raise ValueError("kernel.c has no use for these tables")
        self._list_at_once = self._library.kernel_moves_at_once
        #: Calls for one position, and where they are; whoever makes one takes it out.
        self._idle: list[tuple[array[int], int]] = []

    def __del__(self) -> None:
        if tables := getattr(self, "_tables", None):
            self._library.kernel_free(tables)

    def _new_call(self, plies: int, room: int) -> tuple[array[int], int]:
        """Return a call without a position, and where it is."""
        call = words(self._tables, 0, 0, plies, room, 0, 0) + array(cast(Any, "Q"), bytes(8 * room + 8))
        return call, call.buffer_info()[0]

    def _call(self, state: array[int], plies: int, room: int) -> array[int]:
        """Return a call that may take long, with what the kernel has found."""
        call, address = self._new_call(plies, room)
        call[_STATE], call[_SIZE] = state.buffer_info()

        def make(asked: Any) -> int:
            call[_ASKED] = asked.value
            return cast(int, self._library.kernel_moves(address))

        _run(make)
        return call

    def list_one(self, state: array[int], as_python: int = 0) -> array[int] | None:
        """Return the words of the list of a position; None if the kernel leaves it to Python.

        Parameters
        ----------
        state : array
            The position, as words.
        as_python : int
            1 for the moves alone, in the order in which `MoveLister` lists them.
        """
        try:
            ready = self._idle.pop()
        except IndexError:
            ready = self._new_call(0, _ROOM)
        call, address = ready
        call[_AS_PYTHON] = as_python
        call[_STATE], call[_SIZE] = state.buffer_info()
        left = self._list_at_once(address)
        if not left and call[_FOUND] > call[_ROOM_FOR]:
            self._idle.append(self._new_call(0, call[_FOUND]))
            return self.list_one(state, as_python)
        row = None if left else call[_LIST : _LIST + call[_FOUND]]
        self._idle.append(ready)
        return row

    def count_leaves(self, state: array[int], depth: int) -> int:
        """Return in how many ways a position, given as words, can go on for `depth` plies."""
        return self._call(state, depth, 0)[_FOUND]

    def list_moves(self, state: array[int], plies: int) -> list[Sequence[int]]:
        """Return the legal moves of all positions that a position becomes after so many plies, as packed numbers."""
        short = None if plies else self.list_one(state)
        if short and short[0] <= _COUNT:
            return [short[1:]]
        room = self._room if plies else _ROOM
        while (found := self._call(state, plies, room))[_FOUND] > room:
            room = self._room = found[_FOUND]
            if room > MOST_WORDS:
                raise MemoryError(f"lists of {plies} plies take {room >> 27} GB, so ask for fewer")
        lists: list[Sequence[int]] = []
        at = _FOUND + 1
        end = at + found[_FOUND]
        while at < end:
            count = found[at]
            to = at + 1 + (count & _COUNT)
            row = found[at + 1 : to]
            lists.append(row if count <= _COUNT else self.joined(row))
            at = to
        return lists

    def joined(self, row: Sequence[int]) -> Sequence[int]:
        """Return packed numbers of moves, of which some may go on in the words after them."""
        if max(row, default=0) <= _COUNT:
            return row
        rest = iter(row)
        return [
            number | sum(next(rest) << 64 * word for word in range(1, self.width + 1)) if number > _COUNT else number
            for number in rest
        ]


class Search(NamedTuple):
    """What a search found: nodes, depth and value as a `Player` has them, and the line as texts of moves."""

    searched: int
    depth: int
    value: int
    line: list[str]


class KernelPlayer(_Shared):
    """A player of the kernel, with what pieces are worth.

    Parameters
    ----------
    kernel : Kernel
    values : array
        As `kernel_tables.words_of_values` makes them.

    Raises
    ------
    ValueError
    """

    def __init__(self, kernel: Kernel, values: array[int]) -> None:
        self._kernel, self._library, self.width = kernel, kernel._library, kernel.width
        self._player = self._library.kernel_player_new(kernel._tables, *values.buffer_info())
        if not self._player:
            raise ValueError("kernel.c has no use for these values")

    def __del__(self) -> None:
        if player := getattr(self, "_player", None):
            self._library.kernel_player_free(player)

    def search(
        self, state: array[int], nodes: int, seconds: float, depth: int, path: Sequence[int], roots: Sequence[str]
    ) -> Search | None:
        """Return what a search finds; None if another thread is searching with this player.

        Parameters
        ----------
        state : array
            The position, as words.
        nodes : int
            -1 for no limit.
        seconds : float
            0 for no limit.
        depth : int
        path : sequence of int
            Keys of earlier positions that count as repeated.
        roots : sequence of str
            The moves to choose from; none for all.
        """
        time = max(round(seconds * 1e6), 1) if 0 < seconds < 1e9 else 0
        asking = words(nodes & _WORD, time, depth, len(path), *path, len(roots), *_packed(roots))
        found = words(*[0] * (4 + _TEXT * MOST_LINE))
        busy = _run(lambda asked: self._library.kernel_search(
            self._player, 0, *state.buffer_info(), *asking.buffer_info(), asked, found.buffer_info()[0]
        ))  # fmt: skip
        if busy:
            return None
        searched, plies, value, length = found[:4]
        line = [_unpacked(found[at : at + _TEXT]) for at in range(4, 4 + _TEXT * length, _TEXT)]
        return Search(searched, plies, value - (value >> 63 << 64), line)

    def play_at_random(
        self, state: array[int], seed: int, plies: int, calm: Sequence[int]
    ) -> tuple[int, int, Sequence[int]]:
        """Return (why a game at random ends, legal moves of all its positions, its moves as packed numbers).

        Parameters
        ----------
        state : array
            The position, as words.
        seed, plies : int
            See `random_games`.
        calm : sequence of int
            For each class of White, bits of the classes of Black for which bare royal pieces are a draw.
        """
        asking = words(seed, plies, *calm)
        found = words(*[0] * (3 + (self.width + 1) * plies))
        _run(lambda asked: self._library.kernel_search(
            self._player, 1, *state.buffer_info(), *asking.buffer_info(), asked, found.buffer_info()[0]
        ))  # fmt: skip
        played, end, choices = found[:3]
        return end, choices, self._kernel.joined(found[3:])[:played]


def _packed(texts: Sequence[str]) -> Iterator[int]:
    """Yield the words of some texts."""
    for text in texts:
        letters = text.encode("ascii").ljust(8 * _TEXT, b"\0")
        yield from (int.from_bytes(letters[at : at + 8]) for at in range(0, 8 * _TEXT, 8))


def _unpacked(row: array[int]) -> str:
    """Return the text of some words."""
    return b"".join(word.to_bytes(8) for word in row).rstrip(b"\0").decode("ascii")


def _run(call: Callable[[Any], int]) -> bool:
    """Call the kernel, which asks ten times a second whether to go on, and tell whether it is busy.

    Python handles signals between its own steps, so what asks is Python: a generator, because a step that resumes one
    is inside its `try`. What a handler raises, such as KeyboardInterrupt, ends the call and is raised afterwards.
    """
    from ctypes import CFUNCTYPE, c_int, c_void_p
    from ctypes import cast as cast_pointer

    failed: list[BaseException] = []

    def answers() -> Iterator[int]:
        while True:
            try:
                yield 0 if failed else _GO_ON
            except GeneratorExit:
                return
            except BaseException as error:  # noqa: BLE001 - it is raised below
                failed.append(error)

    answering = answers()
    next(answering)
    asked = CFUNCTYPE(c_int)(answering.__next__)
    state = call(cast_pointer(asked, c_void_p))
    if failed:
        raise failed[0]
    if state == _STOPPED:
        raise KeyboardInterrupt
    if state == _NO_MEMORY:
        raise MemoryError
    if state not in (_DONE, _BUSY):
        raise ValueError("kernel.c has no use for this position")
    return state == _BUSY


def words(*numbers: int) -> array[int]:
    """Return numbers of up to 64 bits as words for the kernel."""
    return array(cast(Any, "Q"), numbers)
