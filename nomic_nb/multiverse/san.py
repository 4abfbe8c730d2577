"""Standard algebraic notation, for whatever kinds there are.

Source: S. J. Edwards' PGN specification (1994), section 8.2.3. A move that captures in passing, which the
standard does not know, is written with all its squares: ``Le4xf5-g6``.
"""

from __future__ import annotations

from nomic_nb.multiverse.errors import GeometryError, MoveError
from nomic_nb.multiverse.geometry import Geometry
from nomic_nb.multiverse.masks import Move
from nomic_nb.multiverse.readable import ReadablePosition


def looks_like_uci(text: str, geometry: Geometry) -> bool:
    """Tell whether a text starts with two squares, as UCI moves do.

    Examples
    --------
    >>> looks_like_uci("e2e4", Geometry(8, 8)), looks_like_uci("Nf3", Geometry(8, 8))
    (True, False)
    """
    try:
        geometry.square(text[:2])
        geometry.square(text[2:4])
    except GeometryError:
        return False
    return True


def _stem(position: ReadablePosition, move: Move, origin: str) -> str:
    """Return a move's text with this much of its origin, without check marks."""
    geometry = position.geometry
    target = geometry.name(move.target)
    if move.partner is not None:
        return "O-O" if move.partner[0] % geometry.files > move.origin % geometry.files else "O-O-O"
    pawn = move.kind in position.terms.pawns
    letter = "" if pawn else move.kind.upper()
    via = [square for square in move.taken if square != move.target and not move.passing]
    promotion = f"={move.promotion.upper()}" if move.promotion else ""
    if via or move.origin == move.target:
        way = "".join("x" + geometry.name(square) for square in via)
        end = "x" if move.target in move.taken else "-"
        return letter + geometry.name(move.origin) + way + end + target + promotion
    if pawn and move.taken and not origin:
        origin = geometry.name(move.origin)[0]
    return letter + origin + ("x" if move.taken else "") + target + promotion


def _origin(position: ReadablePosition, move: Move) -> str:
    """Return as much of the origin as tells the move from others of its kind to its target."""
    name = position.geometry.name(move.origin)
    pawn = move.kind in position.terms.pawns
    rivals = {
        position.geometry.name(other.origin)
        for other in position.moves()
        if other.kind == move.kind
        and other.target == move.target
        and other.origin != move.origin
        and (not pawn or bool(other.taken) == bool(move.taken))
    }
    if not rivals:
        return ""
    if all(rival[0] != name[0] for rival in rivals):
        return name[0]
    if all(rival[1:] != name[1:] for rival in rivals):
        return name[1:]
    return name


def write_san(position: ReadablePosition, move: Move) -> str:
    """Return a legal move in standard algebraic notation.

    Examples
    --------
    >>> from nomic_nb.multiverse import position
    >>> game = position("4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1")
    >>> [write_san(game, game.find(text)) for text in ("e1g1", "a7a8q", "h1h8")]
    ['O-O', 'a8=Q+', 'Rh8+']
    """
    following = position.after(move)
    mark = ""
    if following.in_check:
        mark = "+" if following.moves() else "#"
    return _stem(position, move, _origin(position, move)) + mark


def find_san(position: ReadablePosition, text: str) -> Move:
    """Return the legal move that a text in standard algebraic notation names.

    More of the origin than needed may be given; marks for check and quality are ignored.

    Raises
    ------
    MoveError
        If there is no such move, or more than one.

    Examples
    --------
    >>> from nomic_nb.multiverse import position
    >>> find_san(position(), "Nf3"), find_san(position(), "Ng1f3")
    ('g1f3', 'g1f3')
    """
    wanted = text.strip().rstrip("+#!?").replace("0-0-0", "O-O-O").replace("0-0", "O-O")
    found: list[Move] = []
    for move in position.moves():
        name = position.geometry.name(move.origin)
        forms = {_stem(position, move, origin) for origin in ("", name[0], name[1:], name)}
        if wanted in forms or wanted in {form.replace("=", "") for form in forms}:
            found.append(move)
    if len(found) == 1:
        return found[0]
    if found:
        raise MoveError(f"{text!r} could be {', '.join(found)}; say where the piece comes from")
    raise MoveError(f"{text!r} is not a legal move here, in UCI or in algebraic notation")
