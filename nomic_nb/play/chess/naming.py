"""How players name a move: its boards, and its squares or its UCI."""

from __future__ import annotations

import re
from typing import NamedTuple, cast

from nomic_nb.multiverse.geometry import joined
from nomic_nb.multiverse.multiverse import Multiverse
from nomic_nb.multiverse.pieces import BoardMove
from nomic_nb.play.chess.events import ONLY_PUSHED
from nomic_nb.play.chess.legal import Option, joined_counts
from nomic_nb.play.permission import refuse
from nomic_nb.play.state import State

#: Characters that a move may have.
LONGEST_MOVE = 200
#: How players write moves.
HOW_WRITTEN = (
    "A move is written with the boards of its squares, such as {board}.e2-{board}.e4, with =Q after it where a pawn "
    "becomes a queen; castling is the move of the king, such as {board}.e1-{board}.g1"
)
HOW_DROPPED = "; a knight of white is dropped from the hand by white.@N-white.c3"
_TEXT = re.compile(r"[^\s.=-]+\.(@[a-z]|[a-p]\d{1,2})(-[^\s.=-]+\.[a-p]\d{1,2})+(=[A-Za-z])?", re.IGNORECASE)
_UCI = re.compile(r"([a-p]\d{1,2})([a-p]\d{1,2})([a-z]?)")


class Named(NamedTuple):
    """A move as a player named it: the boards, where it begins, and its text or its UCI."""

    boards: frozenset[str]
    text: str
    near: str | None


def how_written(state: State) -> str:
    """Say how players write moves: drops as well, once something is in a hand."""
    written = HOW_WRITTEN.format(board=next(iter(state.multiverse.boards), "white"))
    return written + HOW_DROPPED if any(state.hands.values()) else written


def read_move(state: State, player: str, text: str, push: list[str] | None) -> Named:
    """Read a move: ``white+yellow: white.e2-white.e4``, the same with the boards apart, or UCI with boards.

    Raises
    ------
    IllegalAction
        It is not written like a move, or there are no such boards.
    """
    if not text.strip() or len(text) > LONGEST_MOVE:
        refuse(f"{text[:40]!r} is not a move. {how_written(state)}", only=player)
    position = state.multiverse
    boards, colon, said = _before_squares(text, position)
    before = [one.strip() for one in boards.split("+")] if colon else []
    names = list(push) if push else before
    for name in (*before, *names):
        if not isinstance(name, str) or name not in position.boards:
            refuse(f"there is no board {str(name)[:40]!r}; there are {', '.join(position.boards)}", only=player)
    if before and set(before) != set(names):
        two = f"{'+'.join(before)} and {'+'.join(names)}"
        refuse(f"{text[:80]!r} names other boards than those to be pushed: {two}", only=player)
    if len(set(names)) != len(names):
        rule = joined_counts(state, next(iter(position.armies))).rule
        refuse(f"{names[0]} cannot be pushed together with itself", rule, only=player)
    said = said.strip()
    uci = _UCI.fullmatch(said)
    if uci is None and not _TEXT.fullmatch(said) and said.casefold() != ONLY_PUSHED:
        refuse(f"{said[:40]!r} is not a move. {how_written(state)}", only=player)
    if uci is None:
        return Named(frozenset(names), said, None)
    if not names:
        refuse(f"{said} needs the boards that it is played on. {how_written(state)}", only=player)
    return Named(frozenset(names), said, names[0])


def _before_squares(text: str, position: Multiverse) -> tuple[str, str, str]:
    """Return the boards that stand before a move, and the move; the name of a board may itself have a colon."""
    if any(text.casefold().startswith(f"{name}.".casefold()) for name in (*position.boards, *position.armies)):
        return "", "", text
    boards, colon, said = text.rpartition(": ")
    if not colon:
        boards, colon, said = text.rpartition(":")
    whole = _TEXT.fullmatch(text.strip()) and not any(one.strip() in position.boards for one in boards.split("+"))
    return ("", "", text) if whole else (boards, colon, said)


def is_named(option: Option, named: Named) -> bool:
    """Tell whether a move is the one that a player named."""
    if named.boards and named.boards != frozenset(option.push.boards):
        return False
    if named.near is None:
        said = option.said.casefold() == named.text.casefold()
        return said and bool(named.boards or (option.move is not None and _crosses(option.move)))
    if option.move is None or option.move.dropped:
        return False
    return option.uci == named.text if option.push.boards[0] == named.near else _turned(option) == named.text


def _crosses(one: BoardMove) -> bool:
    """Tell whether a move by itself says which boards it needs."""
    return one.origin[0] != one.target[0]


def _turned(option: Option) -> str:
    """Return the move on the joined board as the owner of the second half-board sees it."""
    push, move = option.push, cast(BoardMove, option.move)
    first, second = (push.state.boards[name].geometry for name in push.boards)
    geometry, near, far = joined(second, first, push.state.join)
    places = dict(zip(push.boards, (far, near), strict=True))
    squares = [places[board][square] for board, square in option.ends]
    return "".join(geometry.name(one) for one in squares) + move.promotion
