"""Boards drawn as SVG: one board, a joined pair, a whole multiverse.

Squares have colours of their own, so a drawing reads on light and on dark pages. Armies differ in colour and
in the shape of a mark beside the piece, so none need be told by hue.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET  # only writes

from nomic_nb.multiverse import strokes
from nomic_nb.multiverse.errors import MultiverseError
from nomic_nb.multiverse.geometry import FILES, Geometry
from nomic_nb.multiverse.multiverse import BoardMove, Multiverse, Piece
from nomic_nb.multiverse.outlines import outline
from nomic_nb.multiverse.picture import Picture, canvas, finish, printable
from nomic_nb.multiverse.readable import ReadablePosition
from nomic_nb.multiverse.terms import NAMES

if TYPE_CHECKING:
    from nomic_nb.multiverse.pushes import Push

#: Side of a square and width of the edge with its names, in units of the drawing.
SQUARE, EDGE = 40, 16
PAINT = {
    "white": "#ffffff",
    "yellow": "#f0e442",
    "green": "#00a878",
    "orange": "#f59f00",
    "blue": "#56b4e9",
    "red": "#e0492f",
    "violet": "#cc79d7",
    "brown": "#7a4a21",
    "black": "#5a5a5a",
}
_LIGHT, _DARK, _INK, _PAPER = "#f0d9b5", "#b58863", "#1a1a1a", "#f7f3ea"
#: Marks beside the pieces, one shape a colour, in a box of 10 by 10; white has none.
SHAPES = {
    "black": "M5 1a4 4 0 1 0 .01 0Z",
    "yellow": "M1 1h8v8h-8Z",
    "green": "M5 1 9 9H1Z",
    "orange": "M5 0 10 5 5 10 0 5Z",
    "blue": "M1 1h8l-4 8Z",
    "red": "M4 1h2v3h3v2h-3v3h-2v-3h-3v-2h3Z",
    "violet": "M1 3h8v4h-8Z",
    "brown": "M3 1h4v8h-4Z",
}


@dataclass(frozen=True)
class Figure:
    """A piece as it is drawn: kind, colour and mark of its army, and its name for screen readers."""

    kind: str
    colour: str
    mark: int
    title: str


@dataclass(frozen=True)
class Scene:
    """A board as it is drawn; all squares are those of its geometry.

    Attributes
    ----------
    label : str
    geometry : Geometry
    figures : Mapping[int, Figure]
    last, checks, targets : tuple[int, ...]
        Squares of the last move, of attacked kings, and of legal targets.
    arrows : tuple[tuple[int, int], ...]
    flipped : bool
        Seen from the other side.
    seam : int
        Between which ranks two half-boards meet; 0 where they do not.
    gained, lost : tuple[tuple[int, int], ...]
        Moves that come and go by a change.
    given, lifted : tuple[int, ...]
        Squares of kings that come into check by it, and out of it.
    framed : tuple[int, ...]
        Squares of pieces that are others by it.
    """

    label: str
    geometry: Geometry
    figures: Mapping[int, Figure]
    last: tuple[int, ...] = ()
    checks: tuple[int, ...] = ()
    targets: tuple[int, ...] = ()
    arrows: tuple[tuple[int, int], ...] = ()
    flipped: bool = False
    seam: int = 0
    gained: tuple[tuple[int, int], ...] = ()
    lost: tuple[tuple[int, int], ...] = ()
    given: tuple[int, ...] = ()
    lifted: tuple[int, ...] = ()
    framed: tuple[int, ...] = ()

    @property
    def changes(self) -> dict[str, list[strokes.Place]]:
        """What is painted of a change, by the kind of stroke, on the drawing."""
        return {
            "gained": [(*_middle(self, a), *_middle(self, b)) for a, b in self.gained],
            "lost": [(*_middle(self, a), *_middle(self, b)) for a, b in self.lost],
            "given": [_middle(self, one) for one in self.given],
            "lifted": [_middle(self, one) for one in self.lifted],
            "framed": [_middle(self, one) for one in self.framed],
        }


def draw(scenes: Sequence[Scene], alt: str, *, columns: int = 3, width: int = 390) -> Picture:
    """Draw boards side by side.

    Parameters
    ----------
    scenes : sequence of Scene
    alt : str
        The whole in words.
    columns : int
        Most boards in a row.
    width : int
        Of the picture, in CSS pixels.

    Raises
    ------
    MultiverseError
        If there is no board or no column.
    """
    if not scenes or columns < 1:
        raise MultiverseError("a drawing needs at least one board and one column")
    columns = min(columns, len(scenes))
    rows = [scenes[at : at + columns] for at in range(0, len(scenes), columns)]
    wide = [max(_extent(row[at])[0] for row in rows if at < len(row)) for at in range(columns)]
    high = [max(_extent(scene)[1] for scene in row) for row in rows]
    kinds_of_stroke = [kind for kind in strokes.KINDS if any(scene.changes[kind] for scene in scenes)]
    whole = sum(high) + strokes.height(kinds_of_stroke)
    root = canvas(sum(wide), whole, alt)
    # One sheet under all boards: sheets of their own leave hairlines between them and gaps in the last row.
    ET.SubElement(root, "path", {"d": f"M0 0h{sum(wide)}v{whole}H0Z", "fill": _PAPER})
    kinds = sorted({figure.kind for scene in scenes for figure in scene.figures.values()})
    symbols = [text for text in map(outline, kinds) if text]
    y = 0
    for row, height in zip(rows, high, strict=True):
        x = 0
        for scene, across in zip(row, wide, strict=False):
            _board(root, scene, x, y)
            x += across
        y += height
    strokes.legend(root, kinds_of_stroke, EDGE, sum(high))
    picture = finish(root, alt, width)
    # Outlines are constants that were written by the XML writer once; they go behind the title, as they are.
    head, tail = picture.svg.split("</title>", 1)
    return Picture(f"{head}</title><defs>{''.join(symbols)}</defs>{tail}", alt, width)


def _extent(scene: Scene) -> tuple[int, int]:
    return scene.geometry.files * SQUARE + 2 * EDGE, scene.geometry.ranks * SQUARE + 3 * EDGE


def _corner(scene: Scene, square: int) -> tuple[int, int]:
    files, ranks = scene.geometry.files, scene.geometry.ranks
    file, rank = square % files, square // files
    if scene.flipped:
        return (files - 1 - file) * SQUARE, rank * SQUARE
    return file * SQUARE, (ranks - 1 - rank) * SQUARE


def _board(root: ET.Element, scene: Scene, x: int, y: int) -> None:
    group = ET.SubElement(root, "g", {"transform": f"translate({x + EDGE} {y + EDGE * 2})"})
    ET.SubElement(group, "title").text = printable(scene.label)
    _ground(group, scene)
    for squares, colour in ((scene.last, "#e6e600"), (scene.checks, "#ff2a2a")):
        for square in squares:
            left, top = _corner(scene, square)
            ET.SubElement(
                group,
                "path",
                {"d": f"M{left} {top}h{SQUARE}v{SQUARE}h-{SQUARE}Z", "fill": colour, "opacity": ".55"},
            )
    for square, figure in sorted(scene.figures.items()):
        _figure(group, figure, *_corner(scene, square))
    for square in scene.targets:
        left, top = _corner(scene, square)
        taken = square in scene.figures
        attributes = {
            "cx": str(left + SQUARE // 2),
            "cy": str(top + SQUARE // 2),
            "r": "17" if taken else "6",
        }
        paint = {"fill": "none", "stroke": "#14631a", "stroke-width": "4"} if taken else {"fill": "#14631a"}
        ET.SubElement(group, "circle", attributes | paint | {"opacity": ".75"})
    for start, end in scene.arrows:
        _arrow(group, _corner(scene, start), _corner(scene, end))
    for kind, places in scene.changes.items():
        strokes.paint(group, kind, places)


def _middle(scene: Scene, square: int) -> tuple[int, int]:
    left, top = _corner(scene, square)
    return left + SQUARE // 2, top + SQUARE // 2


def _ground(group: ET.Element, scene: Scene) -> None:
    geometry = scene.geometry
    wide, high = geometry.files * SQUARE, geometry.ranks * SQUARE
    shades: dict[str, list[str]] = {_LIGHT: [], _DARK: []}
    for square in range(geometry.size):
        if geometry.full >> square & 1:
            left, top = _corner(scene, square)
            dark = (square % geometry.files + square // geometry.files) % 2 == 0
            shades[_DARK if dark else _LIGHT].append(f"M{left} {top}h{SQUARE}v{SQUARE}h-{SQUARE}z")
    for colour, squares in shades.items():
        ET.SubElement(group, "path", {"d": "".join(squares), "fill": colour})
    names = ET.SubElement(group, "g", {"fill": _INK, "font-size": "11", "text-anchor": "middle"})
    label = ET.SubElement(names, "text", {"x": str(wide // 2), "y": "-18", "font-size": "13"})
    label.text = printable(scene.label)
    for file in range(geometry.files):
        at = geometry.files - 1 - file if scene.flipped else file
        place = {"x": str(at * SQUARE + SQUARE // 2), "y": str(high + 12)}
        ET.SubElement(names, "text", place).text = FILES[file]
    for rank in range(geometry.ranks):
        at = rank if scene.flipped else geometry.ranks - 1 - rank
        place = {"x": "-8", "y": str(at * SQUARE + SQUARE // 2 + 4)}
        ET.SubElement(names, "text", place).text = str(rank + 1)
    if scene.seam:
        at = (scene.seam if scene.flipped else geometry.ranks - scene.seam) * SQUARE
        ET.SubElement(
            group,
            "path",
            {"d": f"M0 {at}h{wide}", "stroke": _INK, "stroke-width": "2", "stroke-dasharray": "6 4"},
        )


def _figure(group: ET.Element, figure: Figure, left: int, top: int) -> None:
    fill = PAINT[figure.colour]
    holder = ET.SubElement(
        group, "g", {"transform": f"translate({left} {top})", "color": fill, "fill": fill, "stroke": "#000"}
    )
    ET.SubElement(holder, "title").text = printable(figure.title)
    if outline(figure.kind):
        ET.SubElement(holder, "use", {"href": f"#{figure.kind}", "width": str(SQUARE), "height": str(SQUARE)})
    else:
        ET.SubElement(holder, "circle", {"cx": "20", "cy": "20", "r": "15"})
        letter = {
            "x": "20",
            "y": "27",
            "font-size": "20",
            "text-anchor": "middle",
            "fill": "#000",
            "stroke": "none",
        }
        ET.SubElement(holder, "text", letter).text = printable(figure.kind.upper())
    shape = SHAPES.get(figure.colour, "")
    if shape or figure.mark:
        mark = ET.SubElement(holder, "g", {"transform": "translate(26 26) scale(1.3)"})
        if shape:
            ET.SubElement(mark, "path", {"d": shape})
        if figure.mark:
            # In the corner above, where it hides neither the mark nor the outline.
            number = {
                "x": "6",
                "y": "-10",
                "font-size": "10",
                "text-anchor": "middle",
                "fill": "#000",
                "stroke": "#fff",
                "stroke-width": "2.5",
                "paint-order": "stroke",
            }
            ET.SubElement(mark, "text", number).text = str(figure.mark + 1)  # as in white2


def _arrow(group: ET.Element, start: tuple[int, int], end: tuple[int, int]) -> None:
    half = SQUARE / 2
    x1, y1, x2, y2 = start[0] + half, start[1] + half, end[0] + half, end[1] + half
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    bx, by = x2 - 14 * ux, y2 - 14 * uy
    head = f"M{x2:.1f} {y2:.1f}L{bx - 8 * uy:.1f} {by + 8 * ux:.1f} {bx + 8 * uy:.1f} {by - 8 * ux:.1f}Z"
    paint = {"stroke": "#15407a", "fill": "#15407a", "stroke-width": "5", "opacity": ".8"}
    arrow = ET.SubElement(group, "g", paint)
    ET.SubElement(arrow, "path", {"d": f"M{x1:.1f} {y1:.1f}L{bx:.1f} {by:.1f}"})
    ET.SubElement(arrow, "path", {"d": head, "stroke": "none"})


# What is drawn


def draw_position(
    position: ReadablePosition,
    *,
    targets: str | None = None,
    arrows: Iterable[tuple[str, str]] = (),
    flipped: bool = False,
    width: int = 390,
) -> Picture:
    """Draw a position with the last move and check.

    Parameters
    ----------
    position : ReadablePosition
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
    geometry = position.geometry
    figures = {}
    for square, letter in position.board().items():
        colour = "black" if letter.islower() else "white"
        kind = letter.lower()
        title = f"{colour} {NAMES.get(kind, kind.upper())} on {geometry.name(square)}"
        figures[square] = Figure(kind, colour, 0, title)
    checks: tuple[int, ...] = ()
    if position.in_check:
        mine = [square for square, letter in position.board().items() if letter.islower() == (position.turn == "black")]
        checks = tuple(square for square in mine if position.board()[square].lower() in position.terms.royal)
    last = position.last
    alt = f"Chess board, {position.turn} to move" + (", in check" if checks else "") + f": {position.fen()}"
    scene = Scene(
        f"{position.turn} to move",
        geometry,
        figures,
        (last.origin, last.target) if last else (),
        checks,
        tuple(move.target for move in position.moves(targets)) if targets else (),
        tuple((geometry.square(a), geometry.square(b)) for a, b in arrows),
        flipped,
    )
    return draw([scene], alt, width=width)


def _figure_of(state: Multiverse, piece: Piece) -> Figure:
    army = state.armies[piece.army]
    name = NAMES.get(piece.kind, piece.kind.upper())
    return Figure(piece.kind, army.colour, army.mark, f"{army.name} {name} on {state.name(piece.board, piece.square)}")


def draw_push(
    push: Push,
    *,
    last: BoardMove | None = None,
    targets: str | None = None,
    aims: Iterable[tuple[str, int]] = (),
    width: int = 390,
) -> Picture:
    """Draw the boards pushed together for a move, with the army's kings in check.

    Parameters
    ----------
    push : Push
    last : BoardMove, optional
    targets : str, optional
        A square such as ``white.e2``; where its piece may go is marked.
    aims : iterable of tuple[str, int]
        Squares that are marked as well, each as `BoardMove.target` has it.
    width : int

    Examples
    --------
    >>> from nomic_nb.multiverse.multiverse import half_boards
    >>> from nomic_nb.multiverse.pushes import Law, Push
    >>> push = Push(half_boards(["white", "yellow"]), Law(), "white", ("white", "yellow"))
    >>> draw_push(push, targets="white.e2").alt
    'Boards white and yellow pushed together for white: white 16, yellow 16 pieces'
    """
    local = {there: at for at, there in push.origin.items()}
    attacked = push.checkers()
    checks = tuple(at for at, piece in push.pieces.items() if piece.id in attacked)
    marked = {local[one] for one in aims}
    if targets:
        origin = push.state.square(targets)
        marked |= {local[move.target] for move in push.moves() if move.origin == origin}
    shown = tuple(local[end] for end in (last.origin, last.target) if end in local) if last else ()
    scene = scene_of_push(push, last=shown, checks=checks, targets=tuple(sorted(marked)))
    counts = ", ".join(_counts(push.state, push.pieces.values()))
    alt = f"Boards {' and '.join(push.boards)} pushed together for {push.army.name}: {counts} pieces"
    return draw([scene], alt, width=width)


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
    state: Multiverse,
    *,
    last: BoardMove | None = None,
    checks: Iterable[int] = (),
    columns: int = 3,
    width: int = 800,
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
    >>> from nomic_nb.multiverse.multiverse import half_boards
    >>> draw_multiverse(half_boards(["white", "yellow"])).alt
    '2 boards. white: white 16 pieces. yellow: yellow 16 pieces.'
    """
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
    return draw(scenes, f"{len(scenes)} boards.{''.join(words)}", columns=columns, width=width)
