"""Reads a multiverse back from its text, so that tests can see that the text loses nothing."""

from __future__ import annotations

import re
from urllib.parse import unquote

from multiverse_helpers import with_holes

from nomic_nb.chess.multiverse.errors import FenError, MultiverseError
from nomic_nb.chess.multiverse.geometry import Geometry
from nomic_nb.chess.multiverse.multiverse import Multiverse, army_code
from nomic_nb.chess.multiverse.pieces import ROYAL_BY_SIGN, Army, Board, Passing, Piece

#: Longest text that is read.
MAX_LENGTH = 1_000_000
_PIECE = re.compile(r"([A-Z]+)([a-z])('?)([!~]?)#([1-9]\d{0,8})(?:@([A-Z]+)(\d{1,4}))?")
_HEAD = re.compile(r"multiverse 1 (rotate|reflect) (\d{1,9})", re.ASCII)
_GAP = re.compile(r"[1-9]\d?")


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
        if code != army_code(len(self.armies)) or name in self.armies:
            raise FenError(f"expected the army code {army_code(len(self.armies))}, and a name that is not used yet")
        self.armies[name] = Army(name, controller, home, colour, int(mark), far == "yes", hand)
        self.codes[code] = name

    def board(self, name: str, *words: str) -> None:
        half, files, ranks, wraps, holes = words
        if name in self.boards:
            raise FenError(f"there is a board {name!r} already")
        size = Geometry(int(files), int(ranks), "" if wraps == "none" else wraps)
        gone = () if holes == "none" else holes.split(",")
        self.boards[name] = Board(name, with_holes(size, *gone), half=half == "half")

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
                    ROYAL_BY_SIGN[royal],
                )
            )
            file += 1
        if file != geometry.files:
            raise FenError(f"{field}: {file} squares, where it has {geometry.files}")
    return found
