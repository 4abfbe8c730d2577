"""A multiverse as text, in the manner of FEN, which says all of it: equal texts are of equal multiverses.

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

from functools import partial
from urllib.parse import quote

from nomic_nb.chess.multiverse.fen import with_gaps
from nomic_nb.chess.multiverse.geometry import FILES
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import SIGNS, Board, Piece

_quoted = partial(quote, safe="")


def code_of(number: int) -> str:
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
    >>> from nomic_nb.chess.multiverse.multiverse import half_boards
    >>> print(write(half_boards(["white", "yellow"])).splitlines()[0])
    multiverse 1 rotate 33
    """
    codes = {name: code_of(number) for number, name in enumerate(state.armies)}
    boards = {name: number for number, name in enumerate(state.boards)}

    def written(piece: Piece) -> str:
        start = ""
        if (piece.born, piece.home) != (piece.army, piece.board):
            start = f"@{codes[piece.born]}{boards[piece.home]}"
        return f"{codes[piece.army]}{piece.kind}{chr(39) if piece.moved else ''}{SIGNS[piece.royal]}#{piece.id}{start}"

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
        marks = {square: written(piece) for square, piece in state.standing[board.name].items()}
        placement = "/".join(",".join(with_gaps(marks.get(at, "") for at in row)) for row in geometry.rows)
        lines.append(f"on {_quoted(board.name)} {placement}")
    lines += [f"passed {_quoted(one.board)} {one.square} {one.piece}" for one in state.passings]
    return "\n".join(lines) + "\n"


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
    >>> from nomic_nb.chess.multiverse.multiverse import half_boards
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
