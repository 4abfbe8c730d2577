"""Boards as pictures: squares, figures and marks, and what is painted over them.

Squares have colours of their own, so a drawing reads on light and on dark pages. Armies differ in colour and
in the shape of a mark beside the piece, so none need be told by hue.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET  # only writes

from nomic_nb.multiverse import strokes
from nomic_nb.multiverse.errors import MultiverseError
from nomic_nb.multiverse.geometry import FILES, Geometry
from nomic_nb.multiverse.outlines import outline
from nomic_nb.multiverse.picture import Picture, add, canvas, finish

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
    flipped : bool
        Seen from the other side.
    seam : int
        Between which ranks two half-boards meet; 0 where they do not.
    strokes : Mapping[str, Sequence[tuple[int, ...]]]
        What is painted over it, by the kind of stroke: two squares of a move, or one.
    """

    label: str
    geometry: Geometry
    figures: Mapping[int, Figure]
    last: tuple[int, ...] = ()
    checks: tuple[int, ...] = ()
    targets: tuple[int, ...] = ()
    flipped: bool = False
    seam: int = 0
    strokes: Mapping[str, Sequence[tuple[int, ...]]] = field(default_factory=dict)


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
    kinds_of_stroke = [kind for kind in strokes.KINDS if any(scene.strokes.get(kind) for scene in scenes)]
    whole = sum(high) + strokes.height(kinds_of_stroke)
    root = canvas(sum(wide), whole, alt)
    # One sheet under all boards: sheets of their own leave hairlines between them and gaps in the last row.
    add(root, "path", d=f"M0 0h{sum(wide)}v{whole}H0Z", fill=_PAPER)
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
    group = add(root, "g", transform=f"translate({x + EDGE} {y + EDGE * 2})")
    add(group, "title", scene.label)
    _ground(group, scene)
    for squares, colour in ((scene.last, "#e6e600"), (scene.checks, "#ff2a2a")):
        for square in squares:
            left, top = _corner(scene, square)
            add(group, "path", d=f"M{left} {top}h{SQUARE}v{SQUARE}h-{SQUARE}Z", fill=colour, opacity=".55")
    for square, figure in sorted(scene.figures.items()):
        _figure(group, figure, *_corner(scene, square))
    for square in scene.targets:
        cx, cy = _middle(scene, square)
        taken = {"fill": "none", "stroke": "#14631a", "stroke_width": 4}
        paint = taken if square in scene.figures else {"fill": "#14631a"}
        add(group, "circle", cx=cx, cy=cy, r=17 if paint is taken else 6, **paint, opacity=".75")
    for kind, places in scene.strokes.items():
        strokes.paint(group, kind, [sum((_middle(scene, square) for square in one), ()) for one in places])


def _middle(scene: Scene, square: int) -> tuple[int, ...]:
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
        add(group, "path", d="".join(squares), fill=colour)
    names = add(group, "g", fill=_INK, font_size=11, text_anchor="middle")
    add(names, "text", scene.label, x=wide // 2, y=-18, font_size=13)
    for file in range(geometry.files):
        add(names, "text", FILES[file], x=_middle(scene, file)[0], y=high + 12)
    for rank in range(geometry.ranks):
        add(names, "text", str(rank + 1), x=-8, y=_middle(scene, rank * geometry.files)[1] + 4)
    if scene.seam:
        at = (scene.seam if scene.flipped else geometry.ranks - scene.seam) * SQUARE
        add(group, "path", d=f"M0 {at}h{wide}", stroke=_INK, stroke_width=2, stroke_dasharray="6 4")


def _figure(group: ET.Element, figure: Figure, left: int, top: int) -> None:
    fill = PAINT[figure.colour]
    holder = add(group, "g", transform=f"translate({left} {top})", color=fill, fill=fill, stroke="#000")
    add(holder, "title", figure.title)
    letter = {"text_anchor": "middle", "fill": "#000"}
    if outline(figure.kind):
        add(holder, "use", href=f"#{figure.kind}", width=SQUARE, height=SQUARE)
    else:
        add(holder, "circle", cx=20, cy=20, r=15)
        add(holder, "text", figure.kind.upper(), x=20, y=27, font_size=20, **letter, stroke="none")
    shape, corner = SHAPES.get(figure.colour, ""), "translate(26 26) scale(1.3)"
    if shape:
        add(holder, "path", d=shape, transform=corner)
    if figure.mark:
        # In the corner above, where it hides neither the mark nor the outline; as in white2.
        letter |= {"stroke": "#fff", "stroke_width": "2.5", "paint_order": "stroke"}
        add(holder, "text", str(figure.mark + 1), x=6, y=-10, font_size=10, **letter, transform=corner)
