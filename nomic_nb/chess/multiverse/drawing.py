"""SVG drawings of one board, a joined pair, a whole multiverse, and the effects of a change on moves."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any
from xml.etree.ElementTree import Element

from nomic_nb.chess.multiverse.betza import Notation, parse_betza
from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.geometry import Geometry, each_bit, union_of_bits
from nomic_nb.chess.multiverse.movement_sentences import sentence
from nomic_nb.chess.multiverse.movement_tables import Movement
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.paths import Chain
from nomic_nb.chess.multiverse.pictures import (
    Drawing,
    Figure,
    Scene,
    SvgPicture,
    add_element,
    finish_picture,
    new_canvas,
)
from nomic_nb.chess.multiverse.pieces import BoardMove, Piece
from nomic_nb.chess.multiverse.pushes import Push
from nomic_nb.chess.multiverse.rules import KIND_NAMES
from nomic_nb.engine.arguments import explain_argument_errors
from nomic_nb.engine.frozen import frozen

# -------------------------------------------------------------------------------------------- what is drawn as SVG


@explain_argument_errors
def picture(  # type: ignore[no-untyped-def]
    position,
    *,
    targets: str | None = None,
    arrows: Iterable[str | tuple[str, str]] = (),
    squares: Iterable[str] = (),
    lastmove: object = None,
    flipped: bool = False,
    width: int | None = None,
    size: int | None = None,
) -> SvgPicture:
    """Draw a position of two armies, marking the last move, check, and where the piece on `targets` can go.

    Parameters
    ----------
    position : Position
    targets : str, optional
        A square; where its piece may go is marked.
    arrows : iterable of str or (str, str)
        Pairs of squares, such as ``"e2-e4"``.
    squares : iterable of str
        Squares with a ring.
    lastmove : str or chess.Move, optional
        Move that is marked as the last, such as ``"e2e4"`` or ``"N@e4"``; by default, the last one made.
    flipped : bool
        Seen from Black's side.
    width : int, optional
        Width in CSS pixels; by default 390, or more if the board has more than 8 files. ``size`` is the same.

    Raises
    ------
    MoveError
        If ``targets`` names an empty square or a piece of the side not to move.
    """
    geometry, last, in_check = position.geometry, position.last, position.in_check
    figures = {
        square: _make_figure("black" if letter.islower() else "white", letter.lower(), geometry.name(square))
        for square, letter in position.board().items()
    }
    checks = tuple(
        square
        for square, figure in figures.items()
        if in_check and figure.colour == position.turn and figure.kind in position.terms.royal
    )
    marked: Iterable[int] = (last.origin, last.target) if last else ()
    if lastmove:
        move, _, drop = str(lastmove).partition("@")
        marked = map(geometry.square, [drop] if drop else read_arrow(move))
    alt = f"Chess board, {position.turn} to move" + (", in check" if checks else "") + f": {position.fen()}"
    scene = Scene(
        f"{position.turn} to move",
        geometry,
        figures,
        tuple(dict.fromkeys(marked)),  # a drop has one square
        checks,
        tuple(move.target for move in position.moves(targets)) if targets else (),
        flipped,
        strokes={
            "arrow": [tuple(map(geometry.square, read_arrow(arrow))) for arrow in arrows],
            "red": [(geometry.square(square),) for square in squares],
        },
    )
    width = width or size or 390 * max(geometry.files, 8) // 8
    return Drawing((scene,), alt, width=width).picture


def read_arrow(arrow: str | tuple[str, str]) -> tuple[str, ...]:
    """Return the names of the two squares of an arrow or a move.

    Raises
    ------
    MultiverseError

    Examples
    --------
    >>> read_arrow("e2-e4"), read_arrow("a9a10"), read_arrow(("e2", "e4"))
    (('e2', 'e4'), ('a9', 'a10'), ('e2', 'e4'))
    """
    found = re.findall(r"[a-p]\d{1,2}", arrow)[:2] if isinstance(arrow, str) else tuple(arrow)
    if len(found) != 2:
        raise MultiverseError(
            "arrow-unreadable", "an arrow needs two squares, such as 'e2-e4', not {found!r}", found=arrow
        )
    return tuple(found)


def _make_figure(colour: str, kind: str, square: str, army: str = "", mark: int = 0) -> Figure:
    """Return a piece as it is drawn, titled “white knight on b1”; `mark` tells apart armies of one colour."""
    return Figure(kind, colour, mark, f"{army or colour} {KIND_NAMES.get(kind, kind.upper())} on {square}")


def _figure_of_piece(state: Multiverse, piece: Piece) -> Figure:
    """Return a piece of a multiverse as it is drawn: in the colour and with the mark of its army."""
    army = state.armies[piece.army]
    return _make_figure(army.colour, piece.kind, state.name(*piece.place), army.name, army.mark)


def draw_push(
    push: Push,
    *,
    last: BoardMove | None = None,
    targets: str | None = None,
    width: int = 390,
) -> SvgPicture:
    """Draw the joined boards of a push, marking the army's kings in check and where the piece on `targets` can go.

    Parameters
    ----------
    push : Push
    last : BoardMove, optional
    targets : str, optional
        Square such as ``white.e2``; the squares that its piece can reach are marked.
    width : int

    Examples
    --------
    >>> from nomic_nb.chess.multiverse.multiverse import half_boards
    >>> from nomic_nb.chess.multiverse.pushes import Push
    >>> from nomic_nb.chess.multiverse.rules import Law
    >>> push = Push(half_boards(["white", "yellow"]), Law(), "white", ("white", "yellow"))
    >>> draw_push(push, targets="white.e2").alt
    'Boards white and yellow pushed together for white: white 16, yellow 16 pieces'
    """
    local = {there: at for at, there in push.origin.items()}
    attacked = push.checkers()
    checks = tuple(at for at, piece in push.pieces.items() if piece.id in attacked)
    marked = set()
    if targets:
        origin = push.state.square(targets)
        marked = {local[move.target] for move in push.moves() if move.origin == origin}
    shown = tuple(local[end] for end in (last.origin, last.target) if end in local) if last else ()
    scene = push_scene(push, last=shown, checks=checks, targets=tuple(sorted(marked)))
    counts = ", ".join(_piece_counts_in_words(push.state, push.pieces.values()))
    alt = f"Boards {' and '.join(push.boards)} pushed together for {push.army.name}: {counts} pieces"
    return Drawing((scene,), alt, width=width).picture


def push_scene(push: Push, **more: Any) -> Scene:
    """Return a push's boards as one joined board to be drawn; `more` sets other attributes of the scene.

    Parameters
    ----------
    push : Push
    **more : tuple
        Other attributes of the scene: squares of the joined board.
    """
    figures = {at: _figure_of_piece(push.state, piece) for at, piece in push.pieces.items()}
    seam = push.state.boards[push.boards[0]].geometry.ranks if len(push.boards) == 2 else 0
    return Scene(" + ".join(push.boards), push.geometry, figures, seam=seam, **more)


def _piece_counts_in_words(state: Multiverse, pieces: Iterable[Piece]) -> list[str]:
    """Return how many of these pieces each army has, as texts such as “white 16”."""
    armies = [piece.army for piece in pieces]
    return [f"{name} {armies.count(name)}" for name in state.armies if name in armies]


def draw_multiverse(
    state: Multiverse, *, last: BoardMove | None = None, checks: Iterable[int] = (), columns: int = 3, width: int = 800
) -> SvgPicture:
    """Draw all boards as a picture, marking the last move and the kings whose piece numbers are in `checks`.

    Parameters
    ----------
    state : Multiverse
    last : BoardMove, optional
    checks : iterable of int
        Piece numbers of the kings in check.
    columns : int
    width : int

    Examples
    --------
    >>> from nomic_nb.chess.multiverse.multiverse import half_boards
    >>> draw_multiverse(half_boards(["white", "yellow"])).alt
    '2 boards. white: white 16 pieces. yellow: yellow 16 pieces.'
    """
    return drawing_of_all_boards(state, last=last, checks=checks, columns=columns, width=width).picture


def drawing_of_all_boards(
    state: Multiverse, *, last: BoardMove | None = None, checks: Iterable[int] = (), columns: int = 3, width: int = 800
) -> Drawing:
    """Return a drawing of all boards, marking the last move and the kings whose piece numbers are in `checks`."""
    attacked = set(checks)
    scenes, words = [], []
    for name, board in state.boards.items():
        there = state.standing[name]
        ends = [end for end in (last.origin, last.target) if end[0] == name] if last else []
        scenes.append(
            Scene(
                name,
                board.geometry,
                {square: _figure_of_piece(state, piece) for square, piece in there.items()},
                tuple(square for _, square in ends),
                tuple(square for square, piece in there.items() if piece.id in attacked),
            )
        )
        words.append(f" {name}: {', '.join(_piece_counts_in_words(state, there.values())) or 'no'} pieces.")
    return Drawing(tuple(scenes), f"{len(scenes)} boards.{''.join(words)}", columns, width)


def draw_line(
    state: Multiverse,
    moves: Sequence[tuple[tuple[str, int], tuple[str, int]]],
    squares: Iterable[tuple[str, int]] = (),
    *,
    width: int = 330,
) -> SvgPicture:
    """Draw the boards of some moves in a position, the moves as arrows with numbers, and rings around other squares.

    Parameters
    ----------
    state : Multiverse
        Position before the first move.
    moves : sequence of (tuple, tuple)
        Where each move begins and ends: board and square.
    squares : iterable of tuple
        Squares with a ring.
    width : int
        Width of a board in CSS pixels.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse.multiverse import half_boards
    >>> state = half_boards(["white", "yellow"])
    >>> draw_line(state, [(state.square("white.e2"), state.square("white.e4"))], [state.square("yellow.e1")]).alt
    'The boards white and yellow. Move 1: white.e2 to white.e4. Marked: yellow.e1.'
    """
    groups = list(dict.fromkeys(tuple(dict.fromkeys((origin[0], target[0]))) for origin, target in moves))
    squares = tuple(squares)
    drawn = {name for group in groups for name in group}
    groups += [(name,) for name in dict.fromkeys(name for name, _ in squares) if name not in drawn]
    scenes = []
    for group in groups:
        geometry, _, origins = state.joined_geometry(group)
        local = {place: at for at, place in origins.items()}
        there = ((at, state.standing[name].get(square)) for at, (name, square) in origins.items())
        labels: dict[int, str] = {}
        for number, (origin, target) in enumerate(moves, 1):
            if origin in local and target in local and len(moves) > 1:
                labels[local[target]] = " ".join(filter(None, (labels.get(local[target]), str(number))))
        ends = [(local[one], local[other]) for one, other in moves if one in local and other in local]
        scenes.append(
            Scene(
                " + ".join(group),
                geometry,
                {at: _figure_of_piece(state, piece) for at, piece in there if piece is not None},
                seam=state.boards[group[0]].geometry.ranks if len(group) > 1 else 0,
                strokes={"arrow": ends, "red": [(local[place],) for place in squares if place in local]},
                labels=labels,
            )
        )
    names = [name for group in groups for name in group]
    told = [f"{'The boards' if len(names) > 1 else 'Board'} {' and '.join(names)}."]
    told += [f"Move {at}: {state.name(*one)} to {state.name(*other)}." for at, (one, other) in enumerate(moves, 1)]
    told += [f"Marked: {', '.join(state.name(*place) for place in squares)}."] if squares else []
    return Drawing(tuple(scenes), " ".join(told), 2, width * min(len(scenes), 2)).picture


@frozen
class ChangedPair:
    """A pair of boards, and the moves and checks that a change brings or ends on it.

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


def drawing_of_changes(pairs: Sequence[ChangedPair], *, width: int = 720) -> Drawing:
    """Return a drawing of boards that marks the moves and checks which a change adds or ends on them.

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
    >>> from nomic_nb.chess.multiverse.rules import Law
    >>> push = Push(half_boards(["white", "yellow"]), Law(), "white", ("white", "yellow"))
    >>> drawing_of_changes([ChangedPair(push, lost=tuple(push.moves()[:1]), words="white+yellow: 1 lost")]).alt
    'How the boards would look. white+yellow: 1 lost.'
    """
    scenes = []
    for pair in pairs:
        local = {there: at for at, there in pair.push.origin.items() if at not in pair.push.geometry.holes}
        standing = {piece.id: at for at, piece in pair.push.pieces.items()}
        painted: dict[str, list[tuple[int, ...]]] = {}
        for kind, moves in (("gained", pair.gained), ("lost", pair.lost)):
            there = [move for move in moves if move.origin in local and move.target in local]
            painted[kind] = list(dict.fromkeys((local[move.origin], local[move.target]) for move in there))
        for kind, kings in (("given", pair.given), ("lifted", pair.lifted), ("framed", pair.framed)):
            painted[kind] = [(standing[king],) for king in kings if king in standing]
        scenes.append(push_scene(pair.push, strokes=painted))
    alt = "How the boards would look. " + "".join(f"{changed_pair.words}. " for changed_pair in pairs).strip()
    return Drawing(tuple(scenes), alt, 2, width if len(scenes) > 1 else width // 2)


# ---------------------------------------------------------------------------------- a diagram of how a piece moves


_SQUARE_SIDE = 30
#: Height of a line of the legend.
_LINE_HEIGHT = 26
_LEGEND = {
    "both": "move or capture",
    "move": "move only",
    "capture": "capture only",
    "through": "depends on pieces on the way",
    "move through": "move; capture with pieces on the way",
    "capture through": "capture; move with pieces on the way",
    "initial": "if it has not moved",
}


def _diagram_radius(notation: Notation) -> int:
    """Return how many squares a movement diagram shows on each side of the piece."""
    most = [2]
    for part in notation.parts:
        step = max(part.atom.long, 1)
        endless = part.atom.family == "universal" or part.reach == 0
        most.append(max(4, 2 * step) if endless else step * part.reach * len(part.legs))
    return min(max(most), 7)


def diagram_squares(notation: str) -> dict[tuple[int, int], str]:
    """Return what a piece may do on each square around it (such as “move”), by (files right, ranks ahead).

    The values are ``both``, ``move``, ``capture``, ``through`` (it depends on pieces on the way),
    ``move through`` and ``capture through`` (the one always, the other depends), and ``initial``.

    Raises
    ------
    NotationError

    Examples
    --------
    >>> diagram_squares("fmWfcFifmnD")
    {(-1, 1): 'capture', (0, 1): 'move', (1, 1): 'capture', (0, 2): 'initial'}
    >>> diagram_squares("mRcpR")[0, 1], diagram_squares("mRcpR")[0, 2]
    ('move', 'move through')
    """
    read = parse_betza(notation)
    radius = _diagram_radius(read)
    side = 2 * radius + 1
    movement = Movement(read, Geometry(side, side), turned=False)
    middle = radius * side + radius
    moved = union_of_bits(way.path.targets for way in movement.ways[1 << middle, False])
    reached: defaultdict[int, set[str]] = defaultdict(set)
    for way in movement.ways[1 << middle, True]:
        on_empty, modes = way.path.reach(0), set(way.modes.replace("d", "c")) & {"m", "c"}
        for bit in each_bit(way.path.targets):
            if movement.initial and not moved & bit:
                reached[bit].add("initial")
            else:
                reached[bit].update(mode if on_empty & bit else f"{mode} through" for mode in modes)
    for part in movement.irregular:
        for bit in each_bit(Chain(part, movement.geometry, middle, turned=False).targets):
            reached[bit].update(("m through", "c through"))
    return {
        (square % side - radius, square // side - radius): _legend_mark(marks)
        for square, marks in sorted((bit.bit_length() - 1, marks) for bit, marks in reached.items())
    }


def _legend_mark(marks: set[str]) -> str:
    """Return the word for a square of a diagram, such as “both”, from marks such as “m” and “c through”."""
    if {"m", "c"} <= marks:
        return "both"
    if "m" in marks:
        return "move through" if "c through" in marks else "move"
    if "c" in marks:
        return "capture through" if "m through" in marks else "capture"
    return "initial" if marks == {"initial"} else "through"


def move_diagram(notation: str, *, name: str = "", width: int = 270) -> SvgPicture:
    """Draw a diagram, with a legend, of how a piece with this movement (Betza notation) moves.

    Parameters
    ----------
    notation : str
        Betza notation.
    name : str
        Name of the piece.
    width : int
        Width in CSS pixels.

    Raises
    ------
    NotationError

    Examples
    --------
    >>> move_diagram("NW", name="knight").alt
    'knight: Leaps 2 squares one way and 1 across (as a knight); or steps 1 square orthogonally.'
    """
    radius = _diagram_radius(parse_betza(notation))
    side = 2 * radius + 1
    mark_by_square = diagram_squares(notation)
    words = sentence(notation)
    alt = f"{name}: {words}" if name else words
    used = [mark for mark in _LEGEND if mark in mark_by_square.values()]
    wide = side * _SQUARE_SIDE
    high = wide + _LINE_HEIGHT * len(used) + 4
    root = new_canvas(wide, high, alt)
    add_element(root, "path", d=f"M0 0h{wide}v{high}H0Z", fill="#f7f3ea")
    lines = "".join(f"M0 {at}h{wide}M{at} 0v{wide}" for at in range(0, wide + 1, _SQUARE_SIDE))
    add_element(root, "path", d=lines, stroke="#777", fill="none")
    add_element(root, "circle", cx=wide / 2, cy=wide / 2, r=11, fill="#fff", stroke="#1a1a1a", stroke_width=3)
    for (right, ahead), mark in mark_by_square.items():
        _draw_mark(root, mark, wide / 2 + right * _SQUARE_SIDE, wide / 2 - ahead * _SQUARE_SIDE)
    for row, mark in enumerate(used):
        y = wide + 16 + _LINE_HEIGHT * row
        _draw_mark(root, mark, 15, y - 4)
        add_element(root, "text", _LEGEND[mark], x=32, y=y, font_size=12, fill="#1a1a1a")
    return finish_picture(root, alt, width)


def _draw_mark(root: Element, mark: str, x: float, y: float) -> None:
    """Draw the symbol of a mark such as “capture” at a point of a movement diagram."""
    plain, _, through = mark.partition(" ")
    if plain in ("both", "move"):
        paint = {"fill": "none", "stroke": "#14631a", "stroke_width": 3} if plain == "move" else {"fill": "#14631a"}
        add_element(root, "circle", cx=f"{x:g}", cy=f"{y:g}", r=4 if through else 7, **paint)
    size = 3 if through else 7
    shapes = {
        "capture": (f"M{x - size:g} {y - size:g}l{2 * size} {2 * size}m0-{2 * size}l-{2 * size} {2 * size}", "#b3261e"),
        "through": (f"M{x:g} {y - 8:g}l8 8-8 8-8-8Z", "#15407a"),
        "initial": (f"M{x - 6:g} {y - 6:g}h12v12h-12Z", "#7a5a00"),
    }
    if plain in shapes:
        path, colour = shapes[plain]
        add_element(root, "path", d=path, stroke=colour, stroke_width=3, fill="none")
    if through:
        add_element(
            root, "path", d=f"M{x:g} {y - 12:g}l12 12-12 12-12-12Z", stroke="#15407a", stroke_width=2, fill="none"
        )


def movement_change_diagram(kind: str, before: str, after: str, alt: str, *, width: int = 180) -> SvgPicture:
    """Draw the squares that a piece reaches by one movement or another: kept ones, new ones (+) and lost ones (×).

    Parameters
    ----------
    kind : str
        Letter of the piece.
    before, after : str
        Betza notation of each movement; empty for none.
    alt : str
        The picture in words.
    width : int
        Width in CSS pixels.
    """
    old, new = (set(diagram_squares(notation)) if notation else set() for notation in (before, after))
    radius = max((abs(step) for place in old | new for step in place), default=2)
    side = (2 * max(2, radius) + 1) * _SQUARE_SIDE
    root = new_canvas(side, side, alt)
    add_element(root, "path", d=f"M0 0h{side}v{side}H0Z", fill="#f7f3ea")
    lines = "".join(f"M0 {at}h{side}M{at} 0v{side}" for at in range(0, side + 1, _SQUARE_SIDE))
    add_element(root, "path", d=lines, stroke="#777", fill="none")
    middle = side / 2
    add_element(root, "text", kind.upper(), x=middle, y=middle + 6, font_size=18, fill="#1a1a1a", text_anchor="middle")
    for right, ahead in sorted(old | new):
        x, y = middle + right * _SQUARE_SIDE, middle - ahead * _SQUARE_SIDE
        if (right, ahead) in old & new:
            add_element(root, "circle", cx=f"{x:g}", cy=f"{y:g}", r=5, fill="#1a1a1a")
        elif (right, ahead) in new:
            add_element(root, "path", d=f"M{x - 8:g} {y:g}h16m-8-8v16", stroke="#14631a", stroke_width=4, fill="none")
        else:
            _draw_mark(root, "capture", x, y)
    return finish_picture(root, alt, width)
