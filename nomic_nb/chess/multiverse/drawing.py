"""What is drawn as SVG: one board, a joined pair, a whole multiverse, and what a change does to moves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from nomic_nb.chess.multiverse.geometry import Geometry
from nomic_nb.chess.multiverse.masks import Move
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.picture import Picture
from nomic_nb.chess.multiverse.pieces import BoardMove, Piece
from nomic_nb.chess.multiverse.pushes import Push
from nomic_nb.chess.multiverse.scenes import Drawing, Figure, Scene
from nomic_nb.chess.multiverse.terms import NAMES, Terms
from nomic_nb.engine.frozen import frozen


class Drawn(Protocol):
    """What a drawing reads of a position of two armies."""

    geometry: Geometry
    terms: Terms

    @property
    def turn(self) -> str:
        """``"white"`` or ``"black"``."""

    @property
    def in_check(self) -> bool:
        """Whether a royal piece of the side to move is attacked."""

    @property
    def last(self) -> Move | None:
        """The move just made, if any."""

    def board(self) -> dict[int, str]:
        """Return the pieces: square to letter, upper case for White."""

    def fen(self) -> str:
        """Return the position as FEN."""

    def moves(self, square: str) -> list[Move]:
        """Return the legal moves of the piece on a square."""


def draw_position(
    position: Drawn,
    *,
    targets: str | None = None,
    arrows: Iterable[tuple[str, str]] = (),
    flipped: bool = False,
    width: int = 390,
) -> Picture:
    """Draw a position with the last move and check.

    Parameters
    ----------
    position : Drawn
    targets : str, optional
        A square; where its piece may go is marked.
    arrows : iterable of (str, str)
        Pairs of squares.
    flipped : bool
        Seen from Black's side.
    width : int
        In CSS pixels.

    Raises
    ------
    MoveError
        If ``targets`` names an empty square or a piece of the side not to move.
    """
    geometry, last, in_check = position.geometry, position.last, position.in_check
    figures = {
        square: _figure("black" if letter.islower() else "white", letter.lower(), geometry.name(square))
        for square, letter in position.board().items()
    }
    checks = tuple(
        square
        for square, figure in figures.items()
        if in_check and figure.colour == position.turn and figure.kind in position.terms.royal
    )
    alt = f"Chess board, {position.turn} to move" + (", in check" if checks else "") + f": {position.fen()}"
    scene = Scene(
        f"{position.turn} to move",
        geometry,
        figures,
        (last.origin, last.target) if last else (),
        checks,
        tuple(move.target for move in position.moves(targets)) if targets else (),
        flipped,
        strokes={"arrow": [(geometry.square(a), geometry.square(b)) for a, b in arrows]},
    )
    return Drawing((scene,), alt, width=width).picture


def _figure(colour: str, kind: str, square: str, army: str = "", mark: int = 0) -> Figure:
    return Figure(kind, colour, mark, f"{army or colour} {NAMES.get(kind, kind.upper())} on {square}")


def _figure_of(state: Multiverse, piece: Piece) -> Figure:
    army = state.armies[piece.army]
    return _figure(army.colour, piece.kind, state.name(piece.board, piece.square), army.name, army.mark)


def draw_push(
    push: Push,
    *,
    last: BoardMove | None = None,
    targets: str | None = None,
    width: int = 390,
) -> Picture:
    """Draw the boards pushed together for a move, with the army's kings in check.

    Parameters
    ----------
    push : Push
    last : BoardMove, optional
    targets : str, optional
        A square such as ``white.e2``; where its piece may go is marked.
    width : int

    Examples
    --------
    >>> from nomic_nb.chess.multiverse.multiverse import half_boards
    >>> from nomic_nb.chess.multiverse.pushes import Push
    >>> from nomic_nb.chess.multiverse.terms import Law
    >>> push = Push(half_boards(["white", "yellow"]), Law(), "white", ("white", "yellow"))
    >>> draw_push(push, targets="white.e2").alt
    'Boards white and yellow pushed together for white: white 16, yellow 16 pieces'
    """
    local = {there: at for at, there in push.origin.items()}
    attacked = push.checkers()
    checks = tuple(at for at, piece in push.pieces.items() if piece.id in attacked)
    marked: set[int] = set()
    if targets:
        origin = push.state.square(targets)
        marked = {local[move.target] for move in push.moves() if move.origin == origin}
    shown = tuple(local[end] for end in (last.origin, last.target) if end in local) if last else ()
    scene = scene_of_push(push, last=shown, checks=checks, targets=tuple(sorted(marked)))
    counts = ", ".join(_counts(push.state, push.pieces.values()))
    alt = f"Boards {' and '.join(push.boards)} pushed together for {push.army.name}: {counts} pieces"
    return Drawing((scene,), alt, width=width).picture


def scene_of_push(push: Push, **more: Any) -> Scene:
    """Return the boards pushed together as they are drawn.

    Parameters
    ----------
    push : Push
    **more : tuple
        Other attributes of the scene: squares of the joined board.
    """
    figures = {at: _figure_of(push.state, piece) for at, piece in push.pieces.items()}
    seam = push.state.boards[push.boards[0]].geometry.ranks if len(push.boards) == 2 else 0
    return Scene(" + ".join(push.boards), push.geometry, figures, seam=seam, **more)


def _counts(state: Multiverse, pieces: Iterable[Piece]) -> list[str]:
    armies = [piece.army for piece in pieces]
    return [f"{name} {armies.count(name)}" for name in state.armies if name in armies]


def draw_multiverse(
    state: Multiverse, *, last: BoardMove | None = None, checks: Iterable[int] = (), columns: int = 3, width: int = 800
) -> Picture:
    """Draw all boards.

    Parameters
    ----------
    state : Multiverse
    last : BoardMove, optional
    checks : iterable of int
        Numbers of kings that are attacked.
    columns : int
    width : int

    Examples
    --------
    >>> from nomic_nb.chess.multiverse.multiverse import half_boards
    >>> draw_multiverse(half_boards(["white", "yellow"])).alt
    '2 boards. white: white 16 pieces. yellow: yellow 16 pieces.'
    """
    return all_boards(state, last=last, checks=checks, columns=columns, width=width).picture


def all_boards(
    state: Multiverse, *, last: BoardMove | None = None, checks: Iterable[int] = (), columns: int = 3, width: int = 800
) -> Drawing:
    """Return all boards as they are to be drawn; see `draw_multiverse`."""
    attacked = set(checks)
    scenes, words = [], []
    for name, board in state.boards.items():
        there = state.standing[name]
        ends = [end for end in (last.origin, last.target) if end[0] == name] if last else []
        scenes.append(
            Scene(
                name,
                board.geometry,
                {square: _figure_of(state, piece) for square, piece in there.items()},
                tuple(square for _, square in ends),
                tuple(square for square, piece in there.items() if piece.id in attacked),
            )
        )
        words.append(f" {name}: {', '.join(_counts(state, there.values())) or 'no'} pieces.")
    return Drawing(tuple(scenes), f"{len(scenes)} boards.{''.join(words)}", columns, width)


@frozen
class Pair:
    """Boards pushed together, and what a change does on them.

    Parameters
    ----------
    push : Push
        The boards as they would stand.
    gained, lost : tuple of BoardMove
        The moves that are painted.
    given, lifted : tuple of int
        Kings that come into check, and out of it, by number.
    framed : tuple of int
        Pieces that are others then.
    words : str
        All of it in words.
    """

    push: Push
    gained: tuple[BoardMove, ...] = ()
    lost: tuple[BoardMove, ...] = ()
    given: tuple[int, ...] = ()
    lifted: tuple[int, ...] = ()
    framed: tuple[int, ...] = ()
    words: str = ""


def changes_on(pairs: Sequence[Pair], *, width: int = 720) -> Drawing:
    """Return pairs of boards, two in a row, as they are to be drawn, with a legend.

    Moves gained are solid arrows, moves lost are dashed lines that end in a cross. A move whose squares are not
    there any more is not drawn.

    Parameters
    ----------
    pairs : sequence of Pair
        What is drawn.
    width : int
        Of a full row, in CSS pixels.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse.multiverse import half_boards
    >>> from nomic_nb.chess.multiverse.pushes import Push
    >>> from nomic_nb.chess.multiverse.terms import Law
    >>> push = Push(half_boards(["white", "yellow"]), Law(), "white", ("white", "yellow"))
    >>> changes_on([Pair(push, lost=tuple(push.moves()[:1]), words="white+yellow: 1 lost")]).alt
    'Boards as they would stand. white+yellow: 1 lost.'
    """
    scenes = []
    for pair in pairs:
        local = {there: at for at, there in pair.push.origin.items() if at not in pair.push.geometry.holes}
        standing = {piece.id: at for at, piece in pair.push.pieces.items()}
        painted: dict[str, list[tuple[int, ...]]] = {}
        for kind, moves in (("gained", pair.gained), ("lost", pair.lost)):
            there = [one for one in moves if one.origin in local and one.target in local]
            painted[kind] = list(dict.fromkeys((local[one.origin], local[one.target]) for one in there))
        for kind, kings in (("given", pair.given), ("lifted", pair.lifted), ("framed", pair.framed)):
            painted[kind] = [(standing[one],) for one in kings if one in standing]
        scenes.append(scene_of_push(pair.push, strokes=painted))
    alt = "Boards as they would stand. " + "".join(f"{one.words}. " for one in pairs).strip()
    return Drawing(tuple(scenes), alt, 2, width if len(scenes) > 1 else width // 2)
