"""Forsyth-Edwards Notation: a position of two armies as text, and what its fields mean under given rules.

Source: the standard's six fields, as in S. J. Edwards' PGN specification (1994), section 16.1.

Source: S. J. Edwards' PGN specification (1994), section 8.2.3. A move that captures in passing, which the
standard does not know, is written with all its squares: ``Le4xf5-g6``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from nomic_nb.chess.multiverse.errors import FenError, GeometryError, MoveError
from nomic_nb.chess.multiverse.generator import Move
from nomic_nb.chess.multiverse.geometry import FILES, MAX_SIZE, UNIVERSE, Geometry, each_bit, union_of_bits
from nomic_nb.chess.multiverse.position_state import PositionState
from nomic_nb.chess.multiverse.rules import HOME_ARRAY, CastlingFiles, Rules, Terms, default_castling_files
from nomic_nb.engine.words import strip_byte_order_mark

# ---------------------------------------------------------------------------------------- forsyth-Edwards Notation


START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


#: Characters of a FEN.
LONGEST_FEN = 1000


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
        raise FenError("fen-not-text", "a FEN must be text, not {found}", found=type(text).__name__)
    text = strip_byte_order_mark(text)
    if len(text) > LONGEST_FEN:
        raise FenError("fen-too-long", "a FEN can have at most {most} characters", most=LONGEST_FEN)
    fields = text.split()
    if not 1 <= len(fields) <= 6:
        raise FenError(
            "fen-with-wrong-number-of-fields",
            "a FEN must have 1 to 6 fields separated by spaces, not {count}",
            count=len(fields),
        )
    defaults = ["", "w", "-", "-", "0", "1"]
    placement, turn, castling, passed, halfmoves, number = fields + defaults[len(fields) :]
    if turn not in ("w", "b"):
        raise FenError("fen-turn-unknown", "field 2 (side to move) must be 'w' or 'b', not {found!r}", found=turn)
    if not re.fullmatch(r"-|(?:([A-Qa-q])(?!.*\1))+", castling):
        raise castling_unreadable_error(castling)
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


def castling_unreadable_error(found: str) -> FenError:
    """Return the error for castling rights that are not letters of sides or files."""
    return FenError(
        "fen-castling-unreadable",
        "field 3 (castling) must be '-' or letters such as 'KQkq', each at most once, not {found!r}",
        found=found,
    )


def board_of_fen(text: str, wraps: str = "") -> Geometry:
    """Return the board that the first field of a FEN describes, with holes for ``*``.

    Raises
    ------
    FenError
        The board is too large.

    Examples
    --------
    >>> board_of_fen("k9/**8/10/9K")
    Geometry(files=10, ranks=4, wraps='', holes=frozenset({20, 21}))
    """
    if not isinstance(text, str) or not text.split() or len(text) > LONGEST_FEN:
        return UNIVERSE  # which the reader of the fields refuses
    rows = strip_byte_order_mark(text).split()[0].split("/")
    squares = [
        "".join(" " * int(one[:3]) if one[0] in "0123456789" else one for one in re.findall("[0-9]+|.", row))
        for row in rows
    ]
    lengths = [len(row) for row in squares]
    files = max(lengths, key=lengths.count) or 1  # so that a rank of another length is the one that is wrong
    if max(files, len(rows)) > MAX_SIZE:
        raise FenError(
            "fen-of-too-large-a-board",
            "field 1 (placement): a board can have at most {most} files and ranks, not {files} x {ranks}",
            most=MAX_SIZE,
            files=files,
            ranks=len(rows),
        )
    marks = "".join(row.ljust(files)[:files] for row in reversed(squares))
    return Geometry(files, len(rows), wraps, frozenset(at for at, mark in enumerate(marks) if mark == "*"))


def _read_count(field: str, text: str, least: int) -> int:
    """Return a FEN field's text as a whole number, or raise an error if it is none or below `least`."""
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and int(text) >= least):
        raise FenError(
            "fen-number-unreadable",
            "{field} must be a whole number, {least} or more, not {found!r}",
            field=field,
            least=least,
            found=text,
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
            "fen-with-wrong-number-of-ranks",
            "{field}: {found} ranks, but the board has {ranks}",
            field=field,
            found=len(ranks),
            ranks=geometry.ranks,
        )
    placed = []
    for rank, row in zip(range(geometry.ranks, 0, -1), ranks, strict=True):
        file = 0
        for letter in re.findall("[0-9]+|.", row):
            if letter[0] in "0123456789":
                if letter[0] == "0" or len(letter) > 2:
                    raise FenError(
                        "fen-empty-squares-unreadable",
                        "{field}: {letter!r} in rank {rank} isn’t a number of empty squares",
                        field=field,
                        letter=letter,
                        rank=rank,
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
                        "fen-hole-on-a-square",
                        "{field}: '*' on {square}, which isn’t a hole",
                        field=field,
                        square=geometry.name(square),
                    )
            elif letter.lower() not in known or not letter.isascii():
                raise FenError(
                    "fen-letter-unknown",
                    "{field}: unknown letter {letter!r} in rank {rank}. The kinds are {known}; give others in pieces=",
                    field=field,
                    letter=letter,
                    rank=rank,
                    known=", ".join(sorted(known)),
                )
            elif square in geometry.holes:
                raise FenError(
                    "fen-piece-on-a-hole",
                    "{field}: piece {piece!r} on {square}, which is a hole",
                    field=field,
                    piece=letter,
                    square=geometry.name(square),
                )
            else:
                placed.append((square, letter))
        if file != geometry.files:
            raise FenError(
                "fen-rank-of-wrong-length",
                "{field}: rank {rank} has {more_or_less} {squares} squares, but the board has {files} files",
                field=field,
                rank=rank,
                more_or_less="more than" if file > geometry.files else "only",
                squares=min(file, geometry.files),
                files=geometry.files,
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


def _first_rank(fields: FenFields, geometry: Geometry, side: int) -> dict[int, str]:
    """Return the pieces of a side on its first rank, by file, as lower-case letters."""
    first = geometry.files * (geometry.ranks - 1) if side else 0
    return {
        square - first: letter.lower()
        for square, letter in fields.pieces
        if first <= square < first + geometry.files and letter.islower() == bool(side)
    }


def _partner_file(letter: str, king: int, row: Mapping[int, str], files: int, partners: str) -> int:
    """Return the file of the partner that a castling letter names: the outermost beside the king, or that file."""
    if letter not in "KQkq":
        return FILES.index(letter.lower())
    right = letter in "Kk"
    there = [file for file, kind in row.items() if kind in partners and (file > king) == right and file != king]
    return (max if right else min)(there, default=(files - 1) * right)


def castling_files_of_fen(fields: FenFields, geometry: Geometry, terms: Terms) -> CastlingFiles:
    """Return the files from which kings and partners castle: the usual ones, changed as far as rights say so.

    Examples
    --------
    >>> fields = read_fen("1r1k3r/8/8/8/8/8/8/1R1K3R w HBhb - 0 1", Geometry(8, 8), "kr")
    >>> castling_files_of_fen(fields, Geometry(8, 8), Terms())
    ((3, (1, 7)), (3, (1, 7)))
    """
    found = []
    for side, (king, ends) in enumerate(default_castling_files(geometry.files)):
        letters = [letter for letter in fields.castling if letter != "-" and letter.islower() == bool(side)]
        row, partners = _first_rank(fields, geometry, side), terms.castling_rook
        kings = [file for file, kind in row.items() if kind in terms.castling_kings]
        for file in kings if letters and king not in kings else ():
            there = [row.get(_partner_file(letter, file, row, geometry.files, partners), "") for letter in letters]
            king = file if all(kind and kind in partners for kind in there) else king  # noqa: PLW2901
        named = [_partner_file(letter, king, row, geometry.files, partners) for letter in letters]
        rest = [end for end in ends if not any((end > king) == (file > king) for file in named)]
        found.append((king, tuple(sorted({*named, *rest} - {king}))))
    return tuple(found)


@lru_cache(maxsize=64)
def read_state(fields: FenFields, rules: Rules) -> PositionState:
    """Return the state of a position that a FEN describes, under given rules.

    Raises
    ------
    FenError
        If the rules allow no such position.
    """
    files, ranks = rules.geometry.files, rules.geometry.ranks
    sides = ([0] * len(rules.kinds), [0] * len(rules.kinds))
    for square, letter in fields.pieces:
        sides[letter.islower()][rules.classes[letter.lower()]] |= 1 << square
    occupied = (sum(sides[0]), sum(sides[1]))
    _check_kings(sides, rules)
    rights = 0
    for letter in fields.castling.replace("-", ""):
        side = int(letter.islower())
        row = _first_rank(fields, rules.geometry, side)
        file = _partner_file(letter, rules.castling_files[side][0], row, files, rules.terms.castling_rook)
        if file < files:
            rights |= _castling_right(letter, 1 << file + files * (ranks - 1) * side, side, sides[side], rules)
    side = int(fields.black_to_move)
    passed = piece = 0
    if fields.passed >= 0 and rules.terms.en_passant:
        passed = 1 << fields.passed
        piece = _find_passed_pawn(fields.passed, side, sides, rules)
    unmoved = pieces_at_home(sides, rules)
    return PositionState(sides, occupied, side, rights, passed, piece, unmoved, fields.halfmoves, fields.number)


def pieces_at_home(sides: tuple[list[int], list[int]], rules: Rules) -> int:
    """Return the bits of pieces that a FEN takes as unmoved, as far as they move in another way for that."""
    if rules.regions is not None:
        return 0
    files, found = rules.geometry.files, 0
    for side, boards in enumerate(sides):
        for index in rules.fresh:
            kind = rules.kinds[index]
            for bit in each_bit(boards[index]):
                rank, file = divmod(bit.bit_length() - 1, files)
                rank = rules.geometry.ranks - 1 - rank if side else rank
                at_home = rank == 0 and (files != len(HOME_ARRAY) or HOME_ARRAY[file] == kind)
                if at_home or (rank == 1 and kind in rules.terms.pawns):
                    found |= bit
    return found


def _check_kings(sides: tuple[list[int], list[int]], rules: Rules) -> None:
    """Refuse a position in which a side has a wrong number of royal pieces, even if a game could come to it."""
    terms = rules.terms
    if terms.kings == "all" or not (terms.royal and terms.check) or terms.changes_royals:
        return
    counts = [rules.royals(boards).bit_count() for boards in sides]
    if terms.capture_result == "explode with royals" and sorted(counts) == [0, 1]:
        return  # the game is over
    for name, count in zip(("White", "Black"), counts, strict=True):
        if count != 1:
            raise FenError(
                "fen-with-wrong-number-of-kings",
                "field 1 (placement): {side} has {count} royal pieces ({royal!r}), but must have exactly one. "
                "Use kings='all' to allow any number, or royal='' to make no piece royal",
                side=name,
                count=count or "no",
                royal=terms.royal,
            )


def _castling_right(letter: str, corner: int, side: int, boards: list[int], rules: Rules) -> int:
    """Return the castling right of a FEN letter, as the bit of its corner; 0 if the rules have none there."""
    castles = [castle for castle in rules.castles[side] if castle.right == corner]
    if not castles:
        return 0
    partners = union_of_bits(boards[index] for index in castles[0].partner_classes)
    if not (partners & corner and any(boards[castle.king_class] & castle.king for castle in castles)):
        raise FenError(
            "fen-castling-pieces-missing",
            "field 3 (castling): {letter!r} needs the king on the {file}-file of its first rank and one of {rook!r} "
            "on {square}",
            file=FILES[rules.castling_files[side][0]],
            letter=letter,
            rook=rules.terms.castling_rook,
            square=rules.geometry.name(corner.bit_length() - 1),
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
            "fen-en-passant-square-occupied",
            "field 4 (en passant): {square} is occupied, so nothing passed it",
            square=name,
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
            "fen-en-passant-twice",
            "field 4 (en passant): {square} is ambiguous, because the pawns on {pawns} could both have just passed it",
            pawns=names,
            square=name,
        )
    files = rules.geometry.files
    behind = range(square + files, rules.geometry.size, files) if side else range(square - files, -1, -files)
    candidates += [1 << at for at in behind if sum(theirs) >> at & 1]
    if not candidates:
        raise FenError(
            "fen-en-passant-without-pawn",
            "field 4 (en passant): there is no piece behind {square} that could have just passed it",
            square=name,
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
    letters, extra = piece_letters(state, rules), state.extra
    for bit in each_bit(extra.promoted if extra else 0):
        at = bit.bit_length() - 1
        former = [kind for kind, bits in zip(rules.kinds, extra.former, strict=False) if bits & bit] if extra else []
        letters[at] = f"+{former[0].upper() if letters[at].isupper() else former[0]}" if former else f"{letters[at]}~"
    placement = write_placement(letters, rules.geometry)
    if extra and extra.hands:
        held = zip((*map(str.upper, rules.kinds), *rules.kinds), extra.hands[0] + extra.hands[1], strict=True)
        placement += f"[{''.join(letter * count for letter, count in held)}]"
    turn = "b" if state.side else "w"
    rights = "".join(_written_rights(state, rules))
    square = rules.geometry.name(state.passed.bit_length() - 1) if passed else "-"
    checks = f" {extra.checks[0]}+{extra.checks[1]}" if extra and extra.checks else ""
    return f"{placement} {turn} {rights or '-'} {square}{checks} {state.halfmoves} {state.number}"


def _written_rights(state: PositionState, rules: Rules) -> Iterator[str]:
    """Yield the letters of castling rights: K or Q for the outermost partner on that side, otherwise its file."""
    files = rules.geometry.files
    for side, boards in enumerate(state.sides):
        first, king = files * (rules.geometry.ranks - 1) * side, rules.castling_files[side][0]
        partners = union_of_bits(boards[rules.classes[kind]] for kind in rules.terms.castling_rook)
        partners = partners >> first & (1 << files) - 1
        for file in sorted(rules.castling_files[side][1], reverse=True):
            if state.rights >> first + file & 1:
                beyond = partners >> file + 1 if file > king else partners & (1 << file) - 1
                letter = FILES[file] if beyond else "q" if file < king else "k"
                yield letter if side else letter.upper()


# ------------------------------------------------------------------------------------- standard algebraic notation


_TWO_SQUARES = re.compile(r"([a-p](?:1[0-6]|[1-9]))[a-p][1-9]")


def origin_in_uci(text: str) -> str:
    """Return the square that a move in UCI starts from; empty if the text does not begin with two squares.

    Examples
    --------
    >>> origin_in_uci("e2e4"), origin_in_uci("a10a11"), origin_in_uci("Nf3")
    ('e2', 'a10', '')
    """
    found = _TWO_SQUARES.match(text)
    return found[1] if found else ""


def _san_with_origin(move: Move, pawns: str, origin: str, geometry: Geometry) -> str:
    """Return a move in algebraic notation with `origin` (such as “” or “b”) in it, without check marks."""
    target = geometry.name(move.target)
    if "@" in move:
        return str(move)
    if move.partner is not None:
        return "O-O" if move.partner[0] > move.origin else "O-O-O"
    letter = "" if move.kind in pawns else move.kind.upper()
    via = [square for square in move.taken if square != move.target and not move.passing]
    promotion = f"={move.promotion.upper()}" if move.promotion else ""
    if via or move.origin == move.target:
        way = "".join("x" + geometry.name(square) for square in via)
        end = "x" if move.target in move.taken else "-"
        return letter + geometry.name(move.origin) + way + end + target + promotion
    if not letter and move.taken and not origin:
        origin = geometry.name(move.origin)[0]
    return letter + origin + ("x" if move.taken else "") + target + promotion


def _origin_forms(move: Move, geometry: Geometry) -> tuple[str, ...]:
    """Return the ways to write a move's origin, the shortest first: nothing, its file, its rank, its square."""
    name = geometry.name(move.origin)
    return "", name[0], name[1:], name


def write_san(move: Move, legal: Iterable[Move], pawns: str, geometry: Geometry = UNIVERSE) -> str:
    """Return a move in algebraic notation, told apart from the other `legal` moves, without a check mark.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse import position
    >>> game = position("4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1")
    >>> [write_san(game.find(text), game.moves(), "p") for text in ("e1g1", "a7a8q", "h1h8")]
    ['O-O', 'a8=Q', 'Rh8']
    """
    rivals = {
        form
        for other in legal
        if (other.kind, other.target) == (move.kind, move.target)
        and other.origin != move.origin
        and "@" not in other
        and (move.kind not in pawns or bool(other.taken) == bool(move.taken))
        for form in _origin_forms(other, geometry)
    }
    told = next(form for form in _origin_forms(move, geometry) if form not in rivals)
    return _san_with_origin(move, pawns, told, geometry)


def find_san(text: str, legal: Iterable[Move], pawns: str, geometry: Geometry = UNIVERSE) -> Move:
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
        forms = {_san_with_origin(move, pawns, origin, geometry) for origin in _origin_forms(move, geometry)}
        if wanted in forms | {form.replace("=", "") for form in forms}:
            moves.append(move)
    if len(moves) == 1:
        return moves[0]
    if moves:
        raise MoveError(
            "move-ambiguous",
            "{move!r} could be {found}. Say where the piece comes from",
            move=text[:40],
            found=", ".join(moves),
        )
    raise MoveError(
        "move-neither-uci-nor-algebraic",
        "{move!r} isn’t a legal move here, in UCI or in algebraic notation",
        move=text[:40],
    )
