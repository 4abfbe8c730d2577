"""Boards in plain text, side by side, for where nothing can be drawn."""

from __future__ import annotations

from nomic_nb.multiverse.multiverse import Multiverse
from nomic_nb.multiverse.pieces import Board

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
    for rank in reversed(range(geometry.ranks)):
        cells = []
        for file in range(geometry.files):
            at = rank * geometry.files + file
            piece = standing.get(at)
            there = " ." if geometry.full >> at & 1 else "  "
            cells.append(f"{sign(state, piece.army)}{piece.kind.upper()}" if piece is not None else there)
        lines.append(f"{rank + 1:<2}" + " ".join(cells))
    return [*lines, "   " + "  ".join(chr(97 + file) for file in range(geometry.files))]
