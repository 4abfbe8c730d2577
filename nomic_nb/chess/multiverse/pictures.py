"""Boards as pictures: squares, figures and marks, and what is painted over them.

Squares have colours of their own, so a drawing reads on light and on dark pages. Armies differ in colour and
in the shape of a mark beside the piece, so none need be told by hue. A picture has everything in it; drawings of
one page can share a `SharedSheet`, and are then little more than where the pieces stand.

The outlines of the orthodox pieces are Colin M. L. Burnett's, as python-chess carries them (GFDL, BSD and GPL).
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Hashable, ItemsView, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cache
from typing import Any
from xml.etree.ElementTree import Element, SubElement, fromstring, tostring

import chess.svg

from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.geometry import FILES, Geometry
from nomic_nb.engine.frozen import frozen

# ----------------------------------------------------------------- a drawing that every reader of a notebook shows


@frozen
class SvgPicture:
    """An SVG drawing with its description.

    It shows itself as an image with a data URI, which untrusted notebooks and exports keep; inline SVG they
    remove.

    Attributes
    ----------
    svg : str
    alt : str
        What is to be seen, in words.
    width : int
        On the page, in CSS pixels.
    """

    svg: str
    alt: str
    width: int = 390

    @property
    def svg_for_file(self) -> str:
        """The SVG text to save as a file, with the width at which it is shown."""
        return self.svg.replace("<svg ", f'<svg width="{self.width}" ', 1)

    def element(self) -> Element:
        """Return the picture as an HTML ``img`` element."""
        data = base64.b64encode(self.svg.encode()).decode()
        return Element(
            "img",
            {
                "alt": self.alt,
                "width": str(self.width),
                "style": "max-width: 100%; height: auto",
                "src": f"data:image/svg+xml;base64,{data}",
            },
        )

    def to_html(self) -> str:
        """Return the picture as the HTML text of an ``img`` element."""
        return tostring(self.element(), encoding="unicode", method="html")

    def __str__(self) -> str:
        return self.alt

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:  # noqa: ARG002
        """Return the picture for notebooks: as an HTML image, and its description as plain text."""
        return {"text/html": self.to_html(), "text/plain": self.alt}


def add_element(parent: Element, tag: str, text: str = "", **attributes: object) -> Element:
    """Add a child element and return it; ``_`` in attribute names is written ``-``."""
    element = SubElement(parent, tag, {name.replace("_", "-"): str(value) for name, value in attributes.items()})
    if text:
        element.text = strip_control_characters(text)
    return element


def finish_picture(root: Element, alt: str, width: int) -> SvgPicture:
    """Return a finished SVG element as a picture with a description (`alt`) and a width on the page."""
    return SvgPicture(tostring(root, encoding="unicode"), alt, width)


def new_canvas(width: float, height: float, title: str) -> Element:
    """Return an empty SVG element with a title for screen readers."""
    root = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {width:g} {height:g}",
            "role": "img",
            "font-family": "sans-serif",
        },
    )
    add_element(root, "title", title)
    return root


def strip_control_characters(text: str) -> str:
    """Return text without the control characters that XML cannot hold."""
    if text.isprintable():
        return text
    return "".join(letter for letter in text if letter.isprintable() or letter in "\n ")


# -------------------------------------------------------------------------- how a drawing marks what a change does


#: Kinds of stroke, and what the legend says of them.
STROKE_LABELS = {
    "gained": "move gained: solid arrow",
    "lost": "move lost: dashed line, cross",
    "given": "king in check then: double ring",
    "lifted": "king no longer in check: dashed ring",
    "framed": "piece changed: dotted frame",
}
_COLOURS = {
    "gained": "#0a3d91", "lost": "#a8321a", "given": "#a8321a", "lifted": "#0a3d91", "framed": "#1a1a1a",
    "arrow": "#15407a", "green": "#14631a", "red": "#a8321a", "yellow": "#7a5a00", "blue": "#0a3d91",
}  # fmt: skip
#: Arrows and squares that somebody has marked differ in their lines as well; green is solid.
_DASHES = {"lost": "6 5", "lifted": "6 5", "framed": "1 4", "red": "9 3", "yellow": "3 3", "blue": "12 3 3 3"}
_LINE, _SAMPLE = 20, 56


def legend_height(kinds: Sequence[str]) -> int:
    """Return the height of a legend that explains these kinds of stroke."""
    return len(kinds) * _LINE + _LINE // 2 if kinds else 0


def draw_legend(root: Element, kinds: Iterable[str], left: int, top: int) -> None:
    """Draw a legend: a line for each kind of stroke, with a sample and its name."""
    group = add_element(root, "g", font_size=13, fill="#1a1a1a")
    for at, kind in enumerate(kinds):
        y = top + at * _LINE + _LINE // 2
        if kind in _OUTLINES:
            paint_strokes(add_element(group, "g", transform=f"translate({left + 20} {y}) scale(.45)"), kind, [(0, 0)])
        else:
            paint_strokes(group, kind, [(left, y, left + _SAMPLE - 16, y)])
        add_element(group, "text", STROKE_LABELS[kind], x=left + _SAMPLE, y=y + 4)


def paint_strokes(group: Element, kind: str, places: Sequence[tuple[int, ...]]) -> None:
    """Draw all strokes of one kind (arrows, rings, frames) as one SVG path; `places` are their coordinates.

    Parameters
    ----------
    group : Element
        Where they are put.
    kind : str
        One of `STROKE_LABELS`, ``arrow``, or a colour: ``green``, ``red``, ``yellow``, ``blue``.
    places : sequence of tuple of int
        For a move, where it begins and ends (x, y, x, y); else the middle of a square (x, y).
    """
    if not places:
        return
    line: dict[str, Any] = {"fill": "none", "stroke": _COLOURS[kind], "stroke_width": 3, "opacity": ".85"}
    outline = _OUTLINES.get(kind, _ring_path)
    drawn = [(outline(*place), "") if len(place) == 2 else _move_paths(kind, *place) for place in places]
    shapes, end = map("".join, zip(*drawn, strict=True))
    dashes = {"stroke_dasharray": _DASHES[kind]} if kind in _DASHES else {}
    ends = {"stroke_linecap": "round"} if kind == "framed" else {}
    add_element(group, "path", d=shapes, **line | dashes | ends)
    if end:
        add_element(group, "path", d=end, **line | ({} if kind == "lost" else {"fill": _COLOURS[kind]}))


def _ring_path(x: int, y: int, radius: int = 18) -> str:
    """Return the SVG path of a ring around a point."""
    return f"M{x - radius} {y}a{radius} {radius} 0 1 0 {2 * radius} 0a{radius} {radius} 0 1 0 {-2 * radius} 0Z"


_OUTLINES: Mapping[str, Callable[[int, int], str]] = {
    "given": lambda x, y: _ring_path(x, y) + _ring_path(x, y, 13),
    "lifted": _ring_path,
    "framed": lambda x, y: f"M{x - 18} {y - 18}h36v36h-36Z",
}


def _move_paths(kind: str, x1: int, y1: int, x2: int, y2: int) -> tuple[str, str]:
    """Return the SVG paths of a move's arrow: the shaft, and the head (a cross if `kind` is “lost”)."""
    if kind == "lost":
        return f"M{x1} {y1}L{x2} {y2}", f"M{x2 - 6} {y2 - 6}l12 12m0 -12l-12 12"
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    bx, by = x2 - 10 * ux, y2 - 10 * uy
    head = f"M{x2} {y2}L{bx - 5 * uy:.0f} {by + 5 * ux:.0f} {bx + 5 * uy:.0f} {by - 5 * ux:.0f}Z"
    return f"M{x1} {y1}L{bx:.0f} {by:.0f}", head


# ---------------------------------------------------------------------------------------------- boards as pictures


#: Side of a square and width of the edge with its names, in units of the drawing.
SQUARE, EDGE = 40, 16
ARMY_PAINTS = {
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
_NAMES = {"fill": _INK, "text_anchor": "middle"}
#: Marks beside the pieces, one shape a colour, in a box of 10 by 10; white has none.
MARK_SHAPES = {
    "black": "M5 1a4 4 0 1 0 .01 0Z",
    "yellow": "M1 1h8v8h-8Z",
    "green": "M5 1 9 9H1Z",
    "orange": "M5 0 10 5 5 10 0 5Z",
    "blue": "M1 1h8l-4 8Z",
    "red": "M4 1h2v3h3v2h-3v3h-2v-3h-3v-2h3Z",
    "violet": "M1 3h8v4h-8Z",
    "brown": "M3 1h4v8h-4Z",
}


@frozen
class Figure:
    """A piece as it is drawn: kind, colour and mark of its army, and its name for screen readers."""

    kind: str
    colour: str
    mark: int
    title: str


@frozen
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
    labels : Mapping[int, str]
        Short texts in the corners of squares, such as the number of a move that ends there.
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
    labels: Mapping[int, str] = field(default_factory=dict)


@frozen
class Drawing:
    """Boards side by side, as they are to be drawn.

    Attributes
    ----------
    scenes : tuple[Scene, ...]
    alt : str
        The whole in words.
    columns : int
        Most boards in a row.
    width : int
        On the page, in CSS pixels.
    """

    scenes: tuple[Scene, ...]
    alt: str
    columns: int = 3
    width: int = 390

    def element(self) -> Element:
        """Return an HTML ``img`` element that is drawn only when it is written."""
        return _LazyImage(self)

    @property
    def picture(self) -> SvgPicture:
        """The drawing as a self-contained SVG picture, without shared shapes.

        Raises
        ------
        MultiverseError
            There is no board or no column.
        """
        kinds = sorted({figure.kind for scene in self.scenes for figure in scene.figures.values()})
        symbols = "".join(text for text in map(outline_symbol, kinds) if text)
        picture = finish_picture(_draw_boards(self), self.alt, self.width)
        # Outlines are constants that were written by the XML writer once; they go behind the title, as they are.
        return replace(picture, svg=picture.svg.replace("</title>", f"</title><defs>{symbols}</defs>", 1))


class _LazyImage(Element):
    """An HTML ``img`` element that is drawn when its attributes are asked for."""

    def __init__(self, drawing: Drawing) -> None:
        super().__init__("img")
        self.drawing = drawing

    def items(self) -> ItemsView[str, str]:
        """Return the attributes of the image element, drawing the picture first."""
        return self.drawing.picture.element().items()


class SharedSheet:
    """The shapes that the drawings of one page share: empty boards and coloured pieces.

    Parameters
    ----------
    prefix : str
        What its ids begin with.
    """

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self._ids: dict[Hashable, str] = {}
        self._definitions = Element("defs")

    def draw(self, drawing: Drawing) -> Element:
        """Return a drawing as an SVG element that uses the shapes of this sheet."""
        root = _draw_boards(drawing, self)
        root.set("width", str(drawing.width))
        return root

    def add_shared_shape(
        self, group: Element, key: Hashable, make: Callable[[Element], None], x: int = 0, y: int = 0
    ) -> None:
        """Add to a drawing, at a point, the shared shape with this key; `make` draws the shape on first use."""
        if key not in self._ids:
            self._ids[key] = f"{self.prefix}-{len(self._ids)}"
            element = Element("g", {"id": self._ids[key]})
            make(element)
            self._definitions.append(element)
        add_element(group, "use", href=f"#{self._ids[key]}", x=x, y=y)

    def outline_id(self, kind: str) -> str:
        """Return the id of the shared outline of a kind of piece."""
        if kind not in self._ids:
            self._ids[kind] = f"{self.prefix}-{kind}"
            symbol = fromstring(str(outline_symbol(kind)))  # noqa: S314 - a constant of ours
            symbol.set("id", self._ids[kind])
            self._definitions.append(symbol)
        return self._ids[kind]

    @property
    def element(self) -> Element | None:
        """The hidden SVG element with the shared shapes; None if nothing is shared."""
        if not len(self._definitions):
            return None
        hidden = {"width": "0", "height": "0", "aria-hidden": "true", "style": "position: absolute"}
        sheet = Element("svg", hidden)
        sheet.append(self._definitions)
        return sheet


def _draw_boards(drawing: Drawing, sheet: SharedSheet | None = None) -> Element:
    """Return an SVG element with boards side by side, with shapes from `sheet` if there is one."""
    scenes = drawing.scenes
    columns = min(drawing.columns, len(scenes))
    if columns < 1:
        raise MultiverseError("drawing-too-small", "a drawing needs at least one board and one column")
    rows = [scenes[at : at + columns] for at in range(0, len(scenes), columns)]
    wide = [max(_scene_size(row[at])[0] for row in rows if at < len(row)) for at in range(columns)]
    high = [max(_scene_size(scene)[1] for scene in row) for row in rows]
    kinds_of_stroke = [kind for kind in STROKE_LABELS if any(scene.strokes.get(kind) for scene in scenes)]
    whole = sum(high) + legend_height(kinds_of_stroke)
    root = new_canvas(sum(wide), whole, drawing.alt)
    # One sheet under all boards: sheets of their own leave hairlines between them and gaps in the last row.
    add_element(root, "path", d=f"M0 0h{sum(wide)}v{whole}H0Z", fill=_PAPER)
    y = 0
    for row, height in zip(rows, high, strict=True):
        x = 0
        for scene, across in zip(row, wide, strict=False):
            _draw_board(root, scene, x, y, sheet)
            x += across
        y += height
    draw_legend(root, kinds_of_stroke, EDGE, sum(high))
    return root


def _scene_size(scene: Scene) -> tuple[int, int]:
    """Return the width and height that a board takes in a drawing."""
    return scene.geometry.files * SQUARE + 2 * EDGE, scene.geometry.ranks * SQUARE + 3 * EDGE


def _square_corner(scene: Scene, square: int) -> tuple[int, int]:
    """Return the x and y of the top left corner of a square in a drawn board."""
    rank, file = divmod(square, scene.geometry.files)
    if scene.flipped:
        file = scene.geometry.files - 1 - file
    else:
        rank = scene.geometry.ranks - 1 - rank
    return file * SQUARE, rank * SQUARE


def _draw_board(root: Element, scene: Scene, x: int, y: int, sheet: SharedSheet | None) -> None:
    """Draw one board with its pieces, marked squares and strokes."""
    group = add_element(root, "g", transform=f"translate({x + EDGE} {y + EDGE * 2})")
    add_element(group, "title", scene.label)
    if sheet is None:
        _draw_empty_board(group, scene)
    else:
        sheet.add_shared_shape(
            group, (scene.geometry, scene.flipped, scene.seam), lambda into: _draw_empty_board(into, scene)
        )
    add_element(group, "text", scene.label, x=scene.geometry.files * SQUARE // 2, y=-18, font_size=13, **_NAMES)
    for squares, colour in ((scene.last, "#e6e600"), (scene.checks, "#ff2a2a")):
        for square in squares:
            left, top = _square_corner(scene, square)
            add_element(group, "path", d=f"M{left} {top}h{SQUARE}v{SQUARE}h-{SQUARE}Z", fill=colour, opacity=".55")
    for square, figure in sorted(scene.figures.items()):
        _draw_figure(group, figure, *_square_corner(scene, square), sheet)
    for square in scene.targets:
        cx, cy = _square_middle(scene, square)
        taken = {"fill": "none", "stroke": "#14631a", "stroke_width": 4}
        paint = taken if square in scene.figures else {"fill": "#14631a"}
        add_element(group, "circle", cx=cx, cy=cy, r=17 if paint is taken else 6, **paint, opacity=".75")
    for kind, places in scene.strokes.items():
        paint_strokes(group, kind, [sum((_square_middle(scene, square) for square in place), ()) for place in places])
    for square, label in scene.labels.items():
        (left, top), width = _square_corner(scene, square), 8 + 7 * len(label)
        add_element(group, "path", d=f"M{left + SQUARE - width} {top}h{width}v15h-{width}Z", fill=_INK)
        middle = left + SQUARE - width // 2
        add_element(group, "text", label, x=middle, y=top + 12, font_size=12, fill="#ffffff", text_anchor="middle")


def _square_middle(scene: Scene, square: int) -> tuple[int, ...]:
    """Return the x and y of the middle of a square in a drawn board."""
    left, top = _square_corner(scene, square)
    return left + SQUARE // 2, top + SQUARE // 2


def _draw_empty_board(group: Element, scene: Scene) -> None:
    """Draw the squares of a board, and the names of its files and ranks."""
    geometry = scene.geometry
    wide, high = geometry.files * SQUARE, geometry.ranks * SQUARE
    shades: dict[str, list[str]] = {_LIGHT: [], _DARK: []}
    for square in geometry.squares:
        left, top = _square_corner(scene, square)
        light = sum(divmod(square, geometry.files)) % 2
        shades[_LIGHT if light else _DARK].append(f"M{left} {top}h{SQUARE}v{SQUARE}h-{SQUARE}z")
    for colour, squares in shades.items():
        add_element(group, "path", d="".join(squares), fill=colour)
    names = add_element(group, "g", font_size=11, **_NAMES)
    for file in range(geometry.files):
        add_element(names, "text", FILES[file], x=_square_middle(scene, file)[0], y=high + 12)
    for rank in range(geometry.ranks):
        add_element(names, "text", str(rank + 1), x=-8, y=_square_middle(scene, rank * geometry.files)[1] + 4)
    if scene.seam:
        at = (scene.seam if scene.flipped else geometry.ranks - scene.seam) * SQUARE
        add_element(group, "path", d=f"M0 {at}h{wide}", stroke=_INK, stroke_width=2, stroke_dasharray="6 4")


def _draw_figure(group: Element, figure: Figure, left: int, top: int, sheet: SharedSheet | None) -> None:
    """Draw a piece with its corner at a point, from the shared sheet if there is one."""
    if sheet is None:
        holder = add_element(group, "g", transform=f"translate({left} {top})")
        add_element(holder, "title", figure.title)
        _draw_piece_shape(holder, figure, lambda kind: kind)
    else:
        key = figure.kind, figure.colour, figure.mark
        sheet.add_shared_shape(group, key, lambda into: _draw_piece_shape(into, figure, sheet.outline_id), left, top)


def _draw_piece_shape(holder: Element, figure: Figure, symbol: Callable[[str], str]) -> None:
    """Draw a piece in its army's colour, with its mark; `symbol` gives the id of a kind's outline."""
    fill = ARMY_PAINTS[figure.colour]
    holder.attrib.update({"color": fill, "fill": fill, "stroke": "#000"})
    letter = {"text_anchor": "middle", "fill": "#000"}
    if outline_symbol(figure.kind):
        add_element(holder, "use", href=f"#{symbol(figure.kind)}", width=SQUARE, height=SQUARE)
    else:
        add_element(holder, "circle", cx=20, cy=20, r=15)
        add_element(holder, "text", figure.kind.upper(), x=20, y=27, font_size=20, **letter, stroke="none")
    shape, corner = MARK_SHAPES.get(figure.colour, ""), "translate(26 26) scale(1.3)"
    if shape:
        add_element(holder, "path", d=shape, transform=corner)
    if figure.mark:
        # In the corner above, where it hides neither the mark nor the outline; as in white2.
        letter |= {"stroke": "#fff", "stroke_width": "2.5", "paint_order": "stroke"}
        add_element(holder, "text", str(figure.mark + 1), x=6, y=-10, font_size=10, **letter, transform=corner)


_WHITE = re.compile(r"(^|(?<=fill:))\s*(?:#fff|#ffffff|white)\b")


@cache
def outline_symbol(kind: str) -> str | None:
    """Return the SVG symbol with the outline of a kind of piece; None if it has none.

    Examples
    --------
    >>> outline_symbol("n").startswith("<symbol"), outline_symbol("x")
    (True, None)
    """
    drawn = chess.svg.PIECES.get(kind.upper())
    if drawn is None:
        return None
    group = fromstring(drawn)  # noqa: S314 - a constant of python-chess
    for element in group.iter():
        element.attrib.pop("id", None)
        element.attrib.pop("class", None)
        for name, value in element.attrib.items():
            # What python-chess paints white takes the colour of the army instead.
            element.set(name, _WHITE.sub("currentColor", value) if name in ("fill", "style") else value)
    symbol = Element("symbol", {"id": kind, "viewBox": "0 0 45 45"})
    symbol.append(group)
    return tostring(symbol, encoding="unicode")
