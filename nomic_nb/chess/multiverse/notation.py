"""Forsyth-Edwards Notation: a position of two armies as text, and what its fields mean under given rules.

Source: the standard's six fields, as in S. J. Edwards' PGN specification (1994), section 16.1.

Source: S. J. Edwards' PGN specification (1994), section 8.2.3. A move that captures in passing, which the
standard does not know, is written with all its squares: ``Le4xf5-g6``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from nomic_nb.chess.multiverse.errors import FenError, GeometryError, MoveError
from nomic_nb.chess.multiverse.generator import Move
from nomic_nb.chess.multiverse.geometry import UNIVERSE, Geometry, each_bit, union_of_bits
from nomic_nb.chess.multiverse.position_state import PositionState
from nomic_nb.chess.multiverse.rules import HOME_ARRAY, Rules
from nomic_nb.engine.messages import say
from nomic_nb.engine.words import strip_byte_order_mark

# ---------------------------------------------------------------------------------------- forsyth-Edwards Notation


START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


class FenFields(NamedTuple):
    """The fields of a FEN.

    ``pieces`` are (square, letter), the letter in upper case for White; ``passed`` is a square or -1.
    """

    pieces: tuple[tuple[int, str], ...]
    black_to_move: bool
    castling: str
    passed: int
    halfmoves: int
    number: int


def read_fen(text: str, geometry: Geometry, kinds: Iterable[str]) -> FenFields:
    """Parse a FEN into its fields; fields left out at the end have their usual values.

    Parameters
    ----------
    text : str
    geometry : Geometry
    kinds : iterable of str
        Letters that are pieces, in lower case.

    Raises
    ------
    FenError
        It names the field and what is wrong in it.

    Examples
    --------
    >>> read_fen(START_FEN, Geometry(8, 8), "pnbrqk").castling
    'KQkq'
    >>> read_fen("8/8/8 w - - 0 1", Geometry(8, 8), "k")
    Traceback (most recent call last):
    ...
    nomic_nb.chess.multiverse.errors.FenError: field 1 (placement): 3 ranks, but the board has 8
    """
    if not isinstance(text, str):
        raise FenError(say("fen-not-text", "a FEN must be text, not {found}", found=type(text).__name__))
    text = strip_byte_order_mark(text)
    if len(text) > 1000:
        raise FenError(say("fen-too-long", "a FEN can have at most 1000 characters"))
    fields = text.split()
    if not 1 <= len(fields) <= 6:
        raise FenError(
            say(
                "fen-with-wrong-number-of-fields",
                "a FEN must have 1 to 6 fields separated by spaces, not {count}",
                count=len(fields),
            )
        )
    defaults = ["", "w", "-", "-", "0", "1"]
    placement, turn, castling, passed, halfmoves, number = fields + defaults[len(fields) :]
    if turn not in ("w", "b"):
        raise FenError(say("fen-turn-unknown", "field 2 (side to move) must be 'w' or 'b', not {found!r}", found=turn))
    if castling != "-" and (set(castling) - set("KQkq") or len(set(castling)) != len(castling)):
        raise FenError(
            say(
                "fen-castling-unreadable",
                "field 3 (castling) must be '-' or letters from 'KQkq', each at most once, not {found!r}",
                found=castling,
            )
        )
    square = -1
    if passed != "-":
        try:
            square = geometry.square(passed)
        except GeometryError as error:
            raise FenError(error.said.embed_in("field 4 (en passant) must be '-' or a square: {message}")) from None
    return FenFields(
        tuple(read_placement(placement, geometry, kinds)),
        turn == "b",
        castling,
        square,
        _read_count("field 5 (half-move clock)", halfmoves, 0),
        _read_count("field 6 (move number)", number, 1),
    )


def _read_count(field: str, text: str, least: int) -> int:
    """Return a FEN field's text as a whole number, or raise an error if it is none or below `least`."""
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and int(text) >= least):
        raise FenError(
            say(
                "fen-number-unreadable",
                "{field} must be a whole number, {least} or more, not {found!r}",
                field=field,
                least=least,
                found=text,
            )
        )
    return int(text)


def read_placement(text: str, geometry: Geometry, kinds: Iterable[str]) -> list[tuple[int, str]]:
    """Return the pieces in the placement field of a FEN, as (square, letter).

    Raises
    ------
    FenError
    """
    known, field, ranks = set(kinds), "field 1 (placement)", text.split("/")
    if len(ranks) != geometry.ranks:
        raise FenError(
            say(
                "fen-with-wrong-number-of-ranks",
                "{field}: {found} ranks, but the board has {ranks}",
                field=field,
                found=len(ranks),
                ranks=geometry.ranks,
            )
        )
    placed = []
    for rank, row in zip(range(geometry.ranks, 0, -1), ranks, strict=True):
        file = 0
        for letter in re.findall("[0-9]+|.", row):
            if letter[0] in "0123456789":
                if letter[0] == "0" or len(letter) > 2:
                    raise FenError(
                        say(
                            "fen-empty-squares-unreadable",
                            "{field}: {letter!r} in rank {rank} isn’t a number of empty squares",
                            field=field,
                            letter=letter,
                            rank=rank,
                        )
                    )
                file += int(letter)
                continue
            square = (rank - 1) * geometry.files + file
            file += 1
            if file > geometry.files:
                break
            if letter == "*":
                if square not in geometry.holes:
                    raise FenError(
                        say(
                            "fen-hole-on-a-square",
                            "{field}: '*' on {square}, which isn’t a hole",
                            field=field,
                            square=geometry.name(square),
                        )
                    )
            elif letter.lower() not in known or not letter.isascii():
                raise FenError(
                    say(
                        "fen-letter-unknown",
                        "{field}: unknown letter {letter!r} in rank {rank}. The kinds are {known}; give others in "
                        "pieces=",
                        field=field,
                        letter=letter,
                        rank=rank,
                        known=", ".join(sorted(known)),
                    )
                )
            elif square in geometry.holes:
                raise FenError(
                    say(
                        "fen-piece-on-a-hole",
                        "{field}: piece {piece!r} on {square}, which is a hole",
                        field=field,
                        piece=letter,
                        square=geometry.name(square),
                    )
                )
            else:
                placed.append((square, letter))
        if file != geometry.files:
            raise FenError(
                say(
                    "fen-rank-of-wrong-length",
                    "{field}: rank {rank} has {more_or_less} {squares} squares, but the board has {files} files",
                    field=field,
                    rank=rank,
                    more_or_less="more than" if file > geometry.files else "only",
                    squares=min(file, geometry.files),
                    files=geometry.files,
                )
            )
    return placed


def write_placement(pieces: dict[int, str], geometry: Geometry) -> str:
    """Return the placement field of a FEN for these pieces.

    Examples
    --------
    >>> write_placement({0: "K", 63: "k"}, Geometry(8, 8))
    '7k/8/8/8/8/8/8/K7'
    """
    return "/".join(
        "".join(collapse_empty_squares("*" if at in geometry.holes else pieces.get(at, "") for at in row))
        for row in geometry.rows
    )


def collapse_empty_squares(marks: Iterable[str]) -> Iterator[str]:
    """Yield the marks of squares as in a FEN, with each run of empty squares replaced by its length.

    Examples
    --------
    >>> list(collapse_empty_squares(["", "", "K", ""]))
    ['2', 'K', '1']
    """
    for empty, group in groupby(marks, key=lambda mark: not mark):
        run = list(group)
        yield from [str(len(run))] if empty else run


#: Letter, side and square of the partner for each right to castle.
CASTLING_CORNERS = (("K", 0, 7), ("Q", 0, 0), ("k", 1, 63), ("q", 1, 56))


@lru_cache(maxsize=64)
def read_state(text: str, rules: Rules) -> PositionState:
    """Return the state of a position that a FEN describes, under given rules.

    Raises
    ------
    FenError
        If it cannot be read, or the rules allow no such position.
    """
    fields = read_fen(text, rules.geometry, rules.kinds)
    sides = ([0] * len(rules.kinds), [0] * len(rules.kinds))
    unmoved = 0
    for square, letter in fields.pieces:
        bit, black, kind = 1 << square, letter.islower(), letter.lower()
        sides[black][rules.classes[kind]] |= bit
        rank = 7 - square // 8 if black else square // 8
        if (rank == 1 and kind in rules.terms.pawns) or (rank == 0 and HOME_ARRAY[square % 8] == kind):
            unmoved |= bit
    occupied = (sum(sides[0]), sum(sides[1]))
    _check_kings(sides, rules)
    rights = 0
    for letter, side, corner in CASTLING_CORNERS:
        if letter in fields.castling:
            rights |= _castling_right(letter, 1 << corner, side, sides[side], rules)
    side = int(fields.black_to_move)
    passed = piece = 0
    if fields.passed >= 0 and rules.terms.en_passant:
        passed = 1 << fields.passed
        piece = _find_passed_pawn(fields.passed, side, sides, rules)
    return PositionState(sides, occupied, side, rights, passed, piece, unmoved, fields.halfmoves, fields.number)


def _check_kings(sides: tuple[list[int], list[int]], rules: Rules) -> None:
    """Refuse a position in which a side has a wrong number of royal pieces."""
    terms = rules.terms
    for name, boards in zip(("White", "Black"), sides, strict=True):
        count = rules.royals(boards).bit_count()
        if terms.kings == "one" and terms.royal and terms.check and count != 1:
            raise FenError(
                say(
                    "fen-with-wrong-number-of-kings",
                    "field 1 (placement): {side} has {count} royal pieces ({royal!r}), but must have exactly one. "
                    "Use kings='all' to allow any number, or royal='' to make no piece royal",
                    side=name,
                    count=count or "no",
                    royal=terms.royal,
                )
            )


def _castling_right(letter: str, corner: int, side: int, boards: list[int], rules: Rules) -> int:
    """Return the castling right of a FEN letter, as the bit of its corner; 0 if the rules have none there."""
    castles = [castle for castle in rules.castles[side] if castle.right == corner]
    if not castles:
        return 0
    partners = union_of_bits(boards[index] for index in castles[0].partner_classes)
    if not (partners & corner and any(boards[castle.king_class] & castle.king for castle in castles)):
        raise FenError(
            say(
                "fen-castling-pieces-missing",
                "field 3 (castling): {letter!r} needs the king on the e-file of its first rank and one of {rook!r} "
                "on {square}",
                letter=letter,
                rook=rules.terms.castling_rook,
                square=rules.geometry.name(corner.bit_length() - 1),
            )
        )
    return corner


def _find_passed_pawn(square: int, side: int, sides: tuple[list[int], list[int]], rules: Rules) -> int:
    """Return the bit of the piece, not of the side to move, whose double step has just passed a square.

    Raises
    ------
    FenError
        If there is none, or it cannot be told which of several it was.
    """
    name = rules.geometry.name(square)
    theirs = sides[1 - side]
    occupied = sum(theirs) | sum(sides[side])
    if occupied >> square & 1:
        raise FenError(
            say(
                "fen-en-passant-square-occupied",
                "field 4 (en passant): {square} is occupied, so nothing passed it",
                square=name,
            )
        )
    candidates = [
        to
        for index in rules.pawns
        for origin, ways in rules.doubles[1 - side].items()
        for to, over in ways.items()
        if over == 1 << square
        and theirs[index] & to
        and not occupied & origin
        and rules.generators[1 - side].forces[index].movement.can_reach_alone(origin, to)
    ]
    if len(candidates) > 1:
        names = " and ".join(sorted(rules.geometry.name(to.bit_length() - 1) for to in candidates))
        raise FenError(
            say(
                "fen-en-passant-twice",
                "field 4 (en passant): {square} is ambiguous, because the pawns on {pawns} could both "
                "have just passed it",
                pawns=names,
                square=name,
            )
        )
    behind = range(square + 8, 64, 8) if side else range(square - 8, -1, -8)
    candidates += [1 << at for at in behind if sum(theirs) >> at & 1]
    if not candidates:
        raise FenError(
            say(
                "fen-en-passant-without-pawn",
                "field 4 (en passant): there is no piece behind {square} that could have just passed it",
                square=name,
            )
        )
    return candidates[0]


def piece_letters(state: PositionState, rules: Rules) -> dict[int, str]:
    """Return the pieces by square number, each as a letter, upper case for White."""
    return {
        bit.bit_length() - 1: kind if side else kind.upper()
        for side, boards in enumerate(state.sides)
        for kind, bits in zip(rules.kinds, boards, strict=True)
        for bit in each_bit(bits)
    }


def write_state(state: PositionState, rules: Rules, *, passed: bool) -> str:
    """Return a position's state as a FEN, which names the square just passed if `passed`."""
    placement = write_placement(piece_letters(state, rules), rules.geometry)
    turn = "b" if state.side else "w"
    rights = "".join(letter for letter, _, corner in CASTLING_CORNERS if state.rights >> corner & 1)
    square = rules.geometry.name(state.passed.bit_length() - 1) if passed else "-"
    return f"{placement} {turn} {rights or '-'} {square} {state.halfmoves} {state.number}"


# ------------------------------------------------------------------------------------- standard algebraic notation


def looks_like_uci(text: str) -> bool:
    """Tell whether a text begins with two squares, as moves in UCI do.

    Examples
    --------
    >>> looks_like_uci("e2e4"), looks_like_uci("Nf3")
    (True, False)
    """
    try:
        UNIVERSE.square(text[:2])
        UNIVERSE.square(text[2:4])
    except GeometryError:
        return False
    return True


def _san_with_origin(move: Move, pawns: str, origin: str) -> str:
    """Return a move in algebraic notation with `origin` (such as “” or “b”) in it, without check marks."""
    target = UNIVERSE.name(move.target)
    if move.partner is not None:
        return "O-O" if move.partner[0] % UNIVERSE.files > move.origin % UNIVERSE.files else "O-O-O"
    letter = "" if move.kind in pawns else move.kind.upper()
    via = [square for square in move.taken if square != move.target and not move.passing]
    promotion = f"={move.promotion.upper()}" if move.promotion else ""
    if via or move.origin == move.target:
        way = "".join("x" + UNIVERSE.name(square) for square in via)
        end = "x" if move.target in move.taken else "-"
        return letter + UNIVERSE.name(move.origin) + way + end + target + promotion
    if not letter and move.taken and not origin:
        origin = UNIVERSE.name(move.origin)[0]
    return letter + origin + ("x" if move.taken else "") + target + promotion


def _origin_forms(move: Move) -> tuple[str, ...]:
    """Return the ways to write a move's origin, the shortest first: nothing, its file, its rank, its square."""
    name = UNIVERSE.name(move.origin)
    return "", name[0], name[1:], name


def write_san(move: Move, legal: Iterable[Move], pawns: str) -> str:
    """Return a move in algebraic notation, told apart from the other `legal` moves, without a check mark.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse import position
    >>> game = position("4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1")
    >>> [write_san(game.find(text), game.moves(), "p") for text in ("e1g1", "a7a8q", "h1h8")]
    ['O-O', 'a8=Q', 'Rh8']
    """
    rivals = {
        UNIVERSE.name(other.origin)
        for other in legal
        if (other.kind, other.target) == (move.kind, move.target)
        and other.origin != move.origin
        and (move.kind not in pawns or bool(other.taken) == bool(move.taken))
    }
    told = next(origin_form for origin_form in _origin_forms(move) if not any(origin_form in rival for rival in rivals))
    return _san_with_origin(move, pawns, told)


def find_san(text: str, legal: Iterable[Move], pawns: str) -> Move:
    """Return the legal move that a text in standard algebraic notation names.

    More of the origin than needed may be given; marks for check and quality are ignored.

    Raises
    ------
    MoveError
        If there is no such move, or more than one.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse import position
    >>> game = position()
    >>> [find_san(text, game.moves(), "p") for text in ("Nf3", "Ng1f3")]
    ['g1f3', 'g1f3']
    """
    wanted = text.strip().rstrip("+#!?").replace("0-0-0", "O-O-O").replace("0-0", "O-O")
    moves = []
    for move in legal:
        forms = {_san_with_origin(move, pawns, origin) for origin in _origin_forms(move)}
        if wanted in forms | {form.replace("=", "") for form in forms}:
            moves.append(move)
    if len(moves) == 1:
        return moves[0]
    if moves:
        raise MoveError(
            say(
                "move-ambiguous",
                "{move!r} could be {found}. Say where the piece comes from",
                move=text,
                found=", ".join(moves),
            )
        )
    raise MoveError(
        say(
            "move-neither-uci-nor-algebraic",
            "{move!r} isn’t a legal move here, in UCI or in algebraic notation",
            move=text,
        )
    )
