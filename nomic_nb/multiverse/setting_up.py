"""Positions from FEN and back: what its six fields mean under given rules."""

from __future__ import annotations

from functools import lru_cache

from nomic_nb.multiverse.errors import FenError
from nomic_nb.multiverse.fen import read_fen, write_placement
from nomic_nb.multiverse.rules import ARRAY, Rules
from nomic_nb.multiverse.state import State

#: Letter, side and square of the partner for each right to castle.
CORNERS = (("K", 0, 7), ("Q", 0, 0), ("k", 1, 63), ("q", 1, 56))


@lru_cache(maxsize=64)
def read_state(text: str, rules: Rules) -> State:
    """Read a FEN as a position under these rules.

    Raises
    ------
    FenError
        If it cannot be read, or the rules allow no such position.
    """
    fields = read_fen(text, rules.geometry, rules.kinds)
    sides = ([0] * len(rules.kinds), [0] * len(rules.kinds))
    unmoved = 0
    for square, letter in fields.pieces:
        bit = 1 << square
        black = letter.islower()
        kind = letter.lower()
        sides[black][rules.classes[kind]] |= bit
        rank = square // 8 if not black else 7 - square // 8
        if (rank == 1 and kind in rules.terms.pawns) or (rank == 0 and ARRAY[square % 8] == kind):
            unmoved |= bit
    occupied = (sum(sides[0]), sum(sides[1]))
    _check_kings(sides, rules)
    rights = 0
    for letter, side, corner in CORNERS:
        if letter in fields.castling:
            rights |= _right(letter, 1 << corner, side, sides[side], rules)
    side = int(fields.black_to_move)
    passed = piece = 0
    if fields.passed >= 0 and rules.terms.en_passant:
        passed = 1 << fields.passed
        piece = _passer(fields.passed, side, sides, rules)
    return State(sides, occupied, side, rights, passed, piece, unmoved, fields.halfmoves, fields.number)


def _check_kings(sides: tuple[list[int], list[int]], rules: Rules) -> None:
    terms = rules.terms
    if terms.kings != "one" or not terms.royal or not terms.check:
        return
    for name, boards in zip(("White", "Black"), sides, strict=True):
        count = rules.royals(boards).bit_count()
        if count != 1:
            raise FenError(
                f"field 1 (placement): {name} has {count or 'no'} royal pieces ({terms.royal!r}), "
                "and must have exactly one; kings='all' allows any number, royal='' makes none royal"
            )


def _right(letter: str, corner: int, side: int, boards: list[int], rules: Rules) -> int:
    """Return the bit of a right to castle that the FEN claims; 0 if the terms know no such castling."""
    castles = [castle for castle in rules.castles[side] if castle.right == corner]
    if not castles:
        return 0
    if not any(boards[castle.king_class] & castle.king for castle in castles) or not any(
        boards[index] & corner for index in castles[0].partner_classes
    ):
        raise FenError(
            f"field 3 (castling): {letter!r} needs the king on its e-file square and one of "
            f"{rules.terms.castling_rook!r} on {rules.geometry.name(corner.bit_length() - 1)}"
        )
    return corner


def _passer(square: int, side: int, sides: tuple[list[int], list[int]], rules: Rules) -> int:
    """Return the piece whose double step passed the square: a pawn that can have done it, or else the nearest behind.

    Raises
    ------
    FenError
        If there is none, or it cannot be told which of several it was.
    """
    name = rules.geometry.name(square)
    theirs = sides[1 - side]
    all_theirs = sum(theirs)
    occupied = all_theirs | sum(sides[side])
    if occupied >> square & 1:
        raise FenError(f"field 4 (en passant): {name} is occupied, so nothing passed it")
    found = [
        to
        for index in rules.pawns
        for origin, ways in rules.doubles[1 - side].items()
        for to, over in ways.items()
        if over == 1 << square
        and theirs[index] & to
        and not occupied & origin
        and rules.generators[1 - side].forces[index].movement.passes(origin, to)
    ]
    if len(found) > 1:
        names = " and ".join(sorted(rules.geometry.name(to.bit_length() - 1) for to in found))
        raise FenError(f"field 4 (en passant): the pawns on {names} can both just have passed {name}")
    if found:
        return found[0]
    back = 8 if side else -8
    at = square + back
    while 0 <= at < 64:
        if all_theirs >> at & 1:
            return 1 << at
        at += back
    raise FenError(f"field 4 (en passant): no piece behind {name} can just have passed it")


def letters(state: State, rules: Rules) -> dict[int, str]:
    """Return the pieces: square to letter, upper case for White."""
    found: dict[int, str] = {}
    for side, boards in enumerate(state.sides):
        for kind, bits in zip(rules.kinds, boards, strict=True):
            letter = kind if side else kind.upper()
            found.update((square, letter) for square in range(64) if bits >> square & 1)
    return found


def write_state(state: State, rules: Rules, *, passed: bool) -> str:
    """Return the position as FEN, with the square just passed where ``passed`` asks for it."""
    placement = write_placement(letters(state, rules), rules.geometry)
    turn = "b" if state.side else "w"
    rights = "".join(letter for letter, _, corner in CORNERS if state.rights >> corner & 1)
    square = rules.geometry.name(state.passed.bit_length() - 1) if passed else "-"
    return f"{placement} {turn} {rights or '-'} {square} {state.halfmoves} {state.number}"
