"""A multiverse as text, in the manner of FEN, that reads back to the same multiverse.

The first line names the form. Then follow lines for armies, in batting order, boards, and passed squares::

    multiverse 1 rotate 33
    army A white controller=white home=white colour=white mark=0 far=no hand=white
    board white half 8x4 wraps=none holes=none
    on white 8/8/Ap#9,Ap#10,6/Ar#1,An#2,Ab#3,Aq#4,Ak#5,3

A placement goes from the last rank to the first, as in FEN; pieces and numbers of empty squares have commas
between them. A piece is the code of its army in upper case and its kind in lower case, with ``'`` if it has
moved, ``!`` if designated royal or ``~`` if a dummy, ``#`` and its number, and
``@`` with the code of the army and the number of the board it started with, where those are others.
Names are percent-encoded. Boards in plain text, side by side, are for where nothing can be drawn; they are not read.
"""

from __future__ import annotations

import re
from functools import partial
from urllib.parse import quote, unquote

from nomic_nb.multiverse.errors import FenError, MultiverseError
from nomic_nb.multiverse.fen import with_gaps
from nomic_nb.multiverse.geometry import FILES, Geometry
from nomic_nb.multiverse.multiverse import Multiverse
from nomic_nb.multiverse.pieces import ROYAL, Army, Board, Passing, Piece

#: Longest text that is read.
MAX_LENGTH = 1_000_000
_PIECE = re.compile(r"([A-Z]+)([a-z])('?)([!~]?)#([1-9]\d{0,8})(?:@([A-Z]+)(\d{1,4}))?")
_HEAD = re.compile(r"multiverse 1 (rotate|reflect) (\d{1,9})", re.ASCII)
_GAP = re.compile(r"[1-9]\d?")
_quoted = partial(quote, safe="")


def _code(number: int) -> str:
    """Return an army's code: A to Z, then AA, AB and so on."""
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(65 + rest) + text
    return text


def write(state: Multiverse) -> str:
    """Return a multiverse as text.

    Examples
    --------
    >>> from nomic_nb.multiverse.multiverse import half_boards
    >>> text = write(half_boards(["white", "yellow"]))
    >>> print(text.splitlines()[0])
    multiverse 1 rotate 33
    >>> read(text) == half_boards(["white", "yellow"])
    True
    """
    codes = {name: _code(number) for number, name in enumerate(state.armies)}
    boards = {name: number for number, name in enumerate(state.boards)}
    lines = [f"multiverse 1 {state.join} {state.next_id}"]
    for army in state.armies.values():
        name, controller, home = map(_quoted, (army.name, army.controller, army.home))
        lines.append(
            f"army {codes[army.name]} {name} controller={controller} home={home} "
            f"colour={army.colour} mark={army.mark} far={'yes' if army.far else 'no'} hand={army.hand}"
        )
    for board in state.boards.values():
        geometry = board.geometry
        holes = ",".join(map(geometry.name, sorted(geometry.holes))) or "none"
        lines.append(
            f"board {_quoted(board.name)} {'half' if board.half else 'whole'} "
            f"{geometry.files}x{geometry.ranks} wraps={geometry.wraps or 'none'} holes={holes}"
        )
        lines.append(f"on {_quoted(board.name)} {_placement(state, board, codes, boards)}")
    lines += [f"passed {_quoted(one.board)} {one.square} {one.piece}" for one in state.passings]
    return "\n".join(lines) + "\n"


def _placement(state: Multiverse, board: Board, codes: dict[str, str], boards: dict[str, int]) -> str:
    marks = {square: _piece(piece, codes, boards) for square, piece in state.standing[board.name].items()}
    return "/".join(",".join(with_gaps(marks.get(at, "") for at in row)) for row in board.geometry.rows)


def _piece(piece: Piece, codes: dict[str, str], boards: dict[str, int]) -> str:
    royal = {None: "", True: "!", False: "~"}[piece.royal]
    start = ""
    if (piece.born, piece.home) != (piece.army, piece.board):
        start = f"@{codes[piece.born]}{boards[piece.home]}"
    return f"{codes[piece.army]}{piece.kind}{chr(39) if piece.moved else ''}{royal}#{piece.id}{start}"


#: The forms of lines, as they are told, and how each word of them is read.
_FORMS = {
    "army": "army CODE NAME controller=NAME home=NAME colour=COLOUR mark=NUMBER far=yes|no hand=HAND",
    "board": "board NAME half|whole FILESxRANKS wraps=none|files|ranks|both holes=none|SQUARE,…",
    "on": "on NAME PLACEMENT",
    "passed": "passed NAME NUMBER NUMBER",
}
_WORDS = {
    "CODE": r"([A-Z]+)", "NUMBER": r"(\d{1,9})", "FILESxRANKS": r"(\d{1,9})x(\d{1,9})", "yes|no": "(yes|no)",
    "half|whole": "(half|whole)", "none|files|ranks|both": "(none|files|ranks|both)",
}  # fmt: skip


def _pattern(form: str) -> re.Pattern[str]:
    words = [word.rpartition("=") for word in form.split(" ")[1:]]
    return re.compile(" ".join(name + equals + _WORDS.get(value, r"(\S+)") for name, equals, value in words), re.ASCII)


_LINES = {verb: _pattern(form) for verb, form in _FORMS.items()}


class _Reader:
    """Reads line by line, what each line says; then what they say together."""

    def __init__(self) -> None:
        self.codes: dict[str, str] = {}
        self.armies: dict[str, Army] = {}
        self.boards: dict[str, Board] = {}
        self.placements: dict[str, str] = {}
        self.passings: list[Passing] = []

    def line(self, line: str) -> None:
        verb, _, rest = line.partition(" ")
        if verb not in _LINES:
            raise FenError(f"expected {', '.join(_LINES)}, not {verb!r}")
        match = _LINES[verb].fullmatch(rest)
        if match is None:
            raise FenError(f"expected {_FORMS[verb]}")
        getattr(self, verb)(*map(unquote, match.groups()))

    def army(self, code: str, name: str, *words: str) -> None:
        controller, home, colour, mark, far, hand = words
        if code != _code(len(self.armies)) or name in self.armies:
            raise FenError(f"expected the army code {_code(len(self.armies))}, and a name that is not used yet")
        self.armies[name] = Army(name, controller, home, colour, int(mark), far == "yes", hand)
        self.codes[code] = name

    def board(self, name: str, *words: str) -> None:
        half, files, ranks, wraps, holes = words
        if name in self.boards:
            raise FenError(f"there is a board {name!r} already")
        size = Geometry(int(files), int(ranks), "" if wraps == "none" else wraps)
        gone = () if holes == "none" else holes.split(",")
        self.boards[name] = Board(name, size.with_holes(*gone), half=half == "half")

    def on(self, name: str, placement: str) -> None:
        if name not in self.boards or name in self.placements:
            raise FenError(f"expected a board that is not yet filled, not {name!r}")
        self.placements[name] = placement

    def passed(self, board: str, square: str, piece: str) -> None:
        self.passings.append(Passing(board, int(square), int(piece)))


def read(text: str) -> Multiverse:
    """Return the multiverse that a text describes.

    Raises
    ------
    FenError
        It names the line, and what was expected there.
    """
    if not isinstance(text, str) or len(text) > MAX_LENGTH:
        raise FenError(f"a multiverse is text of at most {MAX_LENGTH} letters")
    first, *lines = text.splitlines() or [""]
    head = _HEAD.fullmatch(first)
    if head is None:
        raise FenError("line 1: expected 'multiverse 1', then 'rotate' or 'reflect', then the next piece number")
    join, next_id = head[1], int(head[2])
    reader = _Reader()
    for number, line in enumerate(lines, 2):
        try:
            reader.line(line)
        except MultiverseError as error:
            raise FenError(f"line {number}: {error}") from None
    for army in reader.armies.values():
        if army.home not in reader.boards:
            raise FenError(f"army {army.name!r} is at home on {army.home!r}, which is not a board here")
    pieces: dict[int, Piece] = {}
    for name, placement in reader.placements.items():
        for piece in _pieces(reader, name, placement):
            if piece.id in pieces or piece.id >= next_id:
                raise FenError(f"board {name!r}: piece number {piece.id} is used twice, or not below {next_id}")
            pieces[piece.id] = piece
    for passing in reader.passings:
        if passing.piece not in pieces or passing.board not in reader.boards:
            raise FenError(f"a passed square names piece {passing.piece} or board {passing.board!r}, not here")
        if passing.square >= reader.boards[passing.board].geometry.size:
            raise FenError(f"a passed square {passing.square} is not on board {passing.board!r}")
    ordered = {number: pieces[number] for number in sorted(pieces)}
    return Multiverse(reader.boards, reader.armies, ordered, join, tuple(reader.passings), next_id)


def _pieces(reader: _Reader, name: str, placement: str) -> list[Piece]:
    geometry, boards, rows = reader.boards[name].geometry, list(reader.boards), placement.split("/")
    if len(rows) != geometry.ranks:
        raise FenError(f"board {name!r}: {len(rows)} ranks, where it has {geometry.ranks}")
    found = []
    for rank, row in zip(range(geometry.ranks, 0, -1), rows, strict=True):
        field, file = f"board {name!r}, rank {rank}", 0
        for token in row.split(","):
            if _GAP.fullmatch(token):
                file += int(token)
                continue
            match = _PIECE.fullmatch(token)
            if not match:
                raise FenError(f"{field}: cannot read {token[:12]!r}")
            code, kind, moved, royal, number, born, home = match.groups()
            square = (rank - 1) * geometry.files + file
            if file >= geometry.files or code not in reader.codes or (born and born not in reader.codes):
                raise FenError(f"{field}: too many squares, or no army {code}")
            if square in geometry.holes:
                raise FenError(f"board {name!r}: a piece stands on {geometry.name(square)}, which is a hole")
            if home and int(home) >= len(boards):
                raise FenError(f"{field}: there is no board number {home}")
            army = reader.codes[code]
            found.append(
                Piece(
                    int(number),
                    kind,
                    army,
                    name,
                    square,
                    boards[int(home)] if home else name,
                    reader.codes[born] if born else army,
                    moved == "'",
                    ROYAL[royal],
                )
            )
            file += 1
        if file != geometry.files:
            raise FenError(f"{field}: {file} squares, where it has {geometry.files}")
    return found


#: Boards beside one another.
ACROSS = 3
#: What armies are called on the boards, in batting order.
_SIGNS = "123456789abcdefghijklmnopqrstuvwxyz"


def sign(state: Multiverse, army: str) -> str:
    """Return the sign of an army on boards in plain text: its place in the batting order."""
    return _SIGNS[list(state.armies).index(army) % len(_SIGNS)]


def plain(state: Multiverse) -> str:
    """Return all boards in plain text; a piece is the sign of its army and the letter of its kind.

    Examples
    --------
    >>> from nomic_nb.multiverse.multiverse import half_boards
    >>> print(plain(half_boards(["white", "yellow"])))
    white                        yellow
    4  .  .  .  .  .  .  .  .    4  .  .  .  .  .  .  .  .
    3  .  .  .  .  .  .  .  .    3  .  .  .  .  .  .  .  .
    2 1P 1P 1P 1P 1P 1P 1P 1P    2 2P 2P 2P 2P 2P 2P 2P 2P
    1 1R 1N 1B 1Q 1K 1B 1N 1R    1 2R 2N 2B 2K 2Q 2B 2N 2R
       a  b  c  d  e  f  g  h       a  b  c  d  e  f  g  h
    """
    blocks = [_block(state, board) for board in state.boards.values()]
    lines: list[str] = []
    for start in range(0, len(blocks), ACROSS):
        row = blocks[start : start + ACROSS]
        high = max(len(block) for block in row)
        raised = [[block[0], *[""] * (high - len(block)), *block[1:]] for block in row]
        wide = [max(map(len, block)) for block in row]
        lines += [
            "    ".join(block[at].ljust(width) for block, width in zip(raised, wide, strict=True)).rstrip()
            for at in range(high)
        ]
    return "\n".join(lines)


def _block(state: Multiverse, board: Board) -> list[str]:
    geometry, standing = board.geometry, state.standing[board.name]
    lines = [board.name]
    for rank, row in zip(range(geometry.ranks, 0, -1), geometry.rows, strict=True):
        cells = ["  " if at in geometry.holes else " ." for at in row]
        for file, piece in enumerate(map(standing.get, row)):
            if piece is not None:
                cells[file] = f"{sign(state, piece.army)}{piece.kind.upper()}"
        lines.append(f"{rank:<2}" + " ".join(cells))
    return [*lines, "   " + "  ".join(FILES[: geometry.files])]
