"""Standard algebraic notation, for whatever kinds there are.

Source: S. J. Edwards' PGN specification (1994), section 8.2.3. A move that captures in passing, which the
standard does not know, is written with all its squares: ``Le4xf5-g6``.
"""

from __future__ import annotations

from collections.abc import Iterable

from nomic_nb.chess.multiverse.errors import GeometryError, MoveError
from nomic_nb.chess.multiverse.geometry import UNIVERSE
from nomic_nb.chess.multiverse.masks import Move


def looks_like_uci(text: str) -> bool:
    """Tell whether a text starts with two squares, as UCI moves do.

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


def _stem(move: Move, pawns: str, origin: str) -> str:
    """Return a move's text with this much of its origin, without check marks."""
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


def _origins(move: Move) -> tuple[str, ...]:
    """Return how much of the origin can be said, the least first."""
    name = UNIVERSE.name(move.origin)
    return "", name[0], name[1:], name


def write_san(move: Move, legal: Iterable[Move], pawns: str) -> str:
    """Return one of some legal moves in standard algebraic notation, without the mark for check.

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
    told = next(one for one in _origins(move) if not any(one in rival for rival in rivals))
    return _stem(move, pawns, told)


def find_san(text: str, legal: Iterable[Move], pawns: str) -> Move:
    """Return which of some legal moves a text in standard algebraic notation names.

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
    found: list[Move] = []
    for move in legal:
        forms = {_stem(move, pawns, origin) for origin in _origins(move)}
        if wanted in forms | {form.replace("=", "") for form in forms}:
            found.append(move)
    if len(found) == 1:
        return found[0]
    if found:
        raise MoveError(f"{text!r} could be {', '.join(found)}; say where the piece comes from")
    raise MoveError(f"{text!r} is not a legal move here, in UCI or in algebraic notation")
