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
Names are percent-encoded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote

from nomic_nb.multiverse.armies import Army
from nomic_nb.multiverse.errors import FenError, MultiverseError
from nomic_nb.multiverse.geometry import Geometry
from nomic_nb.multiverse.multiverse import Board, Multiverse, Passing, Piece

#: Longest text that is read.
MAX_LENGTH = 1_000_000
_PIECE = re.compile(r"([A-Z]+)([a-z])('?)([!~]?)#([1-9]\d{0,8})(?:@([A-Z]+)(\d{1,4}))?")
_GAP = re.compile(r"[1-9]\d?")


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
        far = "yes" if army.far else "no"
        lines.append(
            f"army {codes[army.name]} {quote(army.name, safe='')} "
            f"controller={quote(army.controller, safe='')} home={quote(army.home, safe='')} "
            f"colour={army.colour} mark={army.mark} far={far} hand={army.hand}"
        )
    for board in state.boards.values():
        geometry = board.geometry
        plain = Geometry(geometry.files, geometry.ranks)
        holes = ",".join(plain.name(hole) for hole in sorted(geometry.holes)) or "none"
        lines.append(
            f"board {quote(board.name, safe='')} {'half' if board.half else 'whole'} "
            f"{geometry.files}x{geometry.ranks} wraps={geometry.wraps or 'none'} holes={holes}"
        )
        lines.append(f"on {quote(board.name, safe='')} {_placement(state, board, codes, boards)}")
    lines += [f"passed {quote(one.board, safe='')} {one.square} {one.piece}" for one in state.passings]
    return "\n".join(lines) + "\n"


def _placement(state: Multiverse, board: Board, codes: dict[str, str], boards: dict[str, int]) -> str:
    files = board.geometry.files
    rows = []
    for rank in reversed(range(board.geometry.ranks)):
        row: list[str] = []
        gap = 0
        for square in range(rank * files, rank * files + files):
            piece = state.standing[board.name].get(square)
            if piece is None:
                gap += 1
                continue
            row += ([str(gap)] if gap else []) + [_piece(piece, codes, boards)]
            gap = 0
        rows.append(",".join(row + ([str(gap)] if gap else [])))
    return "/".join(rows)


def _piece(piece: Piece, codes: dict[str, str], boards: dict[str, int]) -> str:
    royal = {None: "", True: "!", False: "~"}[piece.royal]
    start = ""
    if (piece.born, piece.home) != (piece.army, piece.board):
        start = f"@{codes[piece.born]}{boards[piece.home]}"
    return f"{codes[piece.army]}{piece.kind}{chr(39) if piece.moved else ''}{royal}#{piece.id}{start}"


@dataclass
class _Reader:
    """What has been read so far."""

    codes: dict[str, str]
    armies: dict[str, Army]
    boards: dict[str, Board]
    placements: dict[str, str]
    passings: list[Passing]


def read(text: str) -> Multiverse:
    """Return the multiverse that a text describes.

    Raises
    ------
    FenError
        It names the line, and what was expected there.
    """
    if not isinstance(text, str) or len(text) > MAX_LENGTH:
        raise FenError(f"a multiverse is text of at most {MAX_LENGTH} letters")
    lines = text.splitlines()
    head = lines[0].split() if lines else []
    if len(head) != 4 or head[:2] != ["multiverse", "1"] or head[2] not in ("rotate", "reflect"):
        raise FenError("line 1: expected 'multiverse 1', then 'rotate' or 'reflect', then the next piece number")
    next_id = _number(1, head[3])
    reader = _Reader({}, {}, {}, {}, [])
    for number, line in enumerate(lines[1:], 2):
        words = line.split(" ")
        verb = _VERBS.get(words[0])
        if verb is None:
            raise FenError(f"line {number}: expected army, board, on or passed, not {words[0]!r}")
        verb(reader, number, words[1:])
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
        if not 0 <= passing.square < reader.boards[passing.board].geometry.size:
            raise FenError(f"a passed square {passing.square} is not on board {passing.board!r}")
    ordered = {number: pieces[number] for number in sorted(pieces)}
    return Multiverse(reader.boards, reader.armies, ordered, head[2], tuple(reader.passings), next_id)


def _number(line: int, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise FenError(f"line {line}: expected a number, not {text!r}")
    return int(text)


def _named(line: int, words: list[str], *names: str) -> list[str]:
    if len(words) != len(names):
        raise FenError(f"line {line}: expected {', '.join(names)}")
    values = []
    for word, name in zip(words, names, strict=True):
        key, equals, value = word.partition("=")
        if key != name or not equals or not value:
            raise FenError(f"line {line}: expected {name}=..., not {word!r}")
        values.append(value)
    return values


def _army(reader: _Reader, line: int, words: list[str]) -> None:
    if len(words) < 2 or words[0] != _code(len(reader.armies)):
        raise FenError(f"line {line}: expected the army code {_code(len(reader.armies))} and a name")
    name = unquote(words[1])
    controller, home, colour, mark, far, hand = _named(
        line, words[2:], "controller", "home", "colour", "mark", "far", "hand"
    )
    if name in reader.armies or far not in ("yes", "no"):
        raise FenError(f"line {line}: an army name is used twice, or far is not yes or no")
    try:
        army = Army(name, unquote(controller), unquote(home), colour, _number(line, mark), far == "yes", hand)
    except MultiverseError as error:
        raise FenError(f"line {line}: {error}") from None
    reader.armies[name] = army
    reader.codes[words[0]] = name


def _board(reader: _Reader, line: int, words: list[str]) -> None:
    if len(words) != 5 or words[1] not in ("half", "whole"):
        raise FenError(f"line {line}: expected a name, half or whole, a size such as 8x4, wraps= and holes=")
    name = unquote(words[0])
    files, _, ranks = words[2].partition("x")
    wraps, holes = _named(line, words[3:], "wraps", "holes")
    try:
        size = Geometry(_number(line, files), _number(line, ranks))
        gone = frozenset() if holes == "none" else frozenset(size.square(hole) for hole in holes.split(","))
        geometry = Geometry(size.files, size.ranks, "" if wraps == "none" else wraps, gone)
    except MultiverseError as error:
        raise FenError(f"line {line}: {error}") from None
    if name in reader.boards:
        raise FenError(f"line {line}: there is a board {name!r} already")
    reader.boards[name] = Board(name, geometry, half=words[1] == "half")


def _on(reader: _Reader, line: int, words: list[str]) -> None:
    name = unquote(words[0]) if words else ""
    if len(words) != 2 or name not in reader.boards or name in reader.placements:
        raise FenError(f"line {line}: expected a board that is not yet filled, and its placement")
    reader.placements[name] = words[1]


def _passed(reader: _Reader, line: int, words: list[str]) -> None:
    if len(words) != 3:
        raise FenError(f"line {line}: expected a board, a square number and a piece number")
    reader.passings.append(Passing(unquote(words[0]), _number(line, words[1]), _number(line, words[2])))


_VERBS = {"army": _army, "board": _board, "on": _on, "passed": _passed}


def _pieces(reader: _Reader, name: str, placement: str) -> list[Piece]:
    geometry = reader.boards[name].geometry
    rows = placement.split("/")
    if len(rows) != geometry.ranks:
        raise FenError(f"board {name!r}: {len(rows)} ranks, where it has {geometry.ranks}")
    found = []
    boards = list(reader.boards)
    for index, row in enumerate(rows):
        rank = geometry.ranks - 1 - index
        file = 0
        for token in row.split(","):
            if _GAP.fullmatch(token):
                file += int(token)
                continue
            match = _PIECE.fullmatch(token)
            if not match:
                raise FenError(f"board {name!r}, rank {rank + 1}: cannot read {token[:12]!r}")
            code, kind, moved, royal, number, born, home = match.groups()
            square = rank * geometry.files + file
            if file >= geometry.files or code not in reader.codes or (born and born not in reader.codes):
                raise FenError(f"board {name!r}, rank {rank + 1}: too many squares, or no army {code}")
            if square in geometry.holes:
                raise FenError(f"board {name!r}: a piece stands on {geometry.name(square)}, which is a hole")
            if home and int(home) >= len(boards):
                raise FenError(f"board {name!r}, rank {rank + 1}: there is no board number {home}")
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
                    {"": None, "!": True, "~": False}[royal],
                )
            )
            file += 1
        if file != geometry.files:
            raise FenError(f"board {name!r}, rank {rank + 1}: {file} squares, where it has {geometry.files}")
    return found
