"""Moves as whole numbers, for programs that look at many positions.

A number has, from its lowest bit on, 7 bits for what a piece becomes (0, or 1 and its class), 1 if it captures on the
square it goes to, 8 for that square, 8 for the one it comes from, 5 for its class and 3 for the form: `PLAIN`,
`EN_PASSANT`, `CASTLING` or `DROP`. Then 8 have the square captured en passant or that of the partner in castling, 8 the
one to which the partner goes, and 5 its class. The next is 1 for a double step that can be captured en passant. From
bit 64 on are the squares of what is captured on the way; if there are some, bit 63 is 1. No move has the numbers of
results, which stand in for moves where a game is over: 0 drawn, 1 won by White, 2 by Black.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from operator import attrgetter

from nomic_nb.chess.multiverse.generator import MoveChange

#: What moves are ordered by.
NUMBER = attrgetter("number")
PLAIN, EN_PASSANT, CASTLING, DROP = range(4)
#: The bits that say what a piece becomes.
PROMOTED = 127
_CAPTURE, _DOUBLE, _ON_THE_WAY = 1 << 7, 1 << 53, 1 << 63


def pack(change: MoveChange, *, promoted: bool) -> int:
    """Return a move as a number.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse.positions import position
    >>> number = position().find("g1f3").number
    >>> number >> 16 & 255, number >> 8 & 255, position().rules.kinds[number >> 24 & 31]
    (6, 21, 'n')
    """
    mover, origin, target, taken, becomes, partner, partner_to, partner_class, passing, passed = change
    number = mover << 24 | (origin or target).bit_length() - 1 << 16 | target.bit_length() - 1 << 8
    if promoted:
        number |= becomes + 1
    if partner:
        ends = partner.bit_length() - 1 << 32 | partner_to.bit_length() - 1 << 40
        return number | CASTLING << 29 | ends | partner_class << 48
    if passing:
        return number | EN_PASSANT << 29 | taken.bit_length() - 1 << 32
    if not origin:
        return number | DROP << 29
    number |= _CAPTURE * bool(taken & target) | _DOUBLE * bool(passed)
    on_the_way = taken & ~target
    return number | _ON_THE_WAY | on_the_way << 64 if on_the_way else number


def pack_all(numbers: list[int]) -> Sequence[int]:
    """Return numbers of moves in order as an array, or as they are if one has more than 64 bits."""
    return numbers if numbers[-1] >> 64 else array("Q", numbers)


def unpack(number: int, doubles: dict[int, dict[int, int]]) -> MoveChange:
    """Return the move that a number stands for.

    Parameters
    ----------
    number : int
    doubles : dict
        Where double steps of its side lead, and what they pass; see `double_steps`.
    """
    mover, origin, target = number >> 24 & 31, 1 << (number >> 16 & 255), 1 << (number >> 8 & 255)
    form, other = number >> 29 & 3, 1 << (number >> 32 & 255)
    becomes = (number & PROMOTED) - 1 if number & PROMOTED else mover
    if form == CASTLING:
        return MoveChange(mover, origin, target, 0, becomes, other, 1 << (number >> 40 & 255), number >> 48 & 31)
    if form == EN_PASSANT:
        return MoveChange(mover, origin, target, other, becomes, passing=True)
    if form == DROP:
        return MoveChange(mover, 0, target, 0, becomes)
    taken = number >> 64 | (target if number & _CAPTURE else 0)
    return MoveChange(mover, origin, target, taken, becomes, passed=doubles[origin][target] if number & _DOUBLE else 0)
