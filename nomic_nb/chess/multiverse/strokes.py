"""How a drawing marks what a change does: every kind of stroke has a form of its own, beside its colour."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element  # only writes, never reads what strangers wrote

from nomic_nb.chess.multiverse.picture import add

#: Kinds of stroke, and what the legend says of them.
KINDS = {
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


def height(kinds: Sequence[str]) -> int:
    """Return how much room the legend takes."""
    return len(kinds) * _LINE + _LINE // 2 if kinds else 0


def legend(root: Element, kinds: Iterable[str], left: int, top: int) -> None:
    """Draw a sample of each kind of stroke with its name, a line each."""
    group = add(root, "g", font_size=13, fill="#1a1a1a")
    for at, kind in enumerate(kinds):
        y = top + at * _LINE + _LINE // 2
        if kind in _OUTLINES:
            paint(add(group, "g", transform=f"translate({left + 20} {y}) scale(.45)"), kind, [(0, 0)])
        else:
            paint(group, kind, [(left, y, left + _SAMPLE - 16, y)])
        add(group, "text", KINDS[kind], x=left + _SAMPLE, y=y + 4)


def paint(group: Element, kind: str, places: Sequence[tuple[int, ...]]) -> None:
    """Paint strokes of one kind, all of them as one path.

    Parameters
    ----------
    group : Element
        Where they are put.
    kind : str
        One of `KINDS`, ``arrow``, or a colour: ``green``, ``red``, ``yellow``, ``blue``.
    places : sequence of tuple of int
        For a move, where it begins and ends (x, y, x, y); else the middle of a square (x, y).
    """
    if not places:
        return
    line: dict[str, Any] = {"fill": "none", "stroke": _COLOURS[kind], "stroke_width": 3, "opacity": ".85"}
    outline = _OUTLINES.get(kind, _ring)
    drawn = [(outline(*one), "") if len(one) == 2 else _move(kind, *one) for one in places]
    shapes, end = map("".join, zip(*drawn, strict=True))
    dashes = {"stroke_dasharray": _DASHES[kind]} if kind in _DASHES else {}
    ends = {"stroke_linecap": "round"} if kind == "framed" else {}
    add(group, "path", d=shapes, **line | dashes | ends)
    if end:
        add(group, "path", d=end, **line | ({} if kind == "lost" else {"fill": _COLOURS[kind]}))


def _ring(x: int, y: int, radius: int = 18) -> str:
    return f"M{x - radius} {y}a{radius} {radius} 0 1 0 {2 * radius} 0a{radius} {radius} 0 1 0 {-2 * radius} 0Z"


_OUTLINES: Mapping[str, Callable[[int, int], str]] = {
    "given": lambda x, y: _ring(x, y) + _ring(x, y, 13),
    "lifted": _ring,
    "framed": lambda x, y: f"M{x - 18} {y - 18}h36v36h-36Z",
}


def _move(kind: str, x1: int, y1: int, x2: int, y2: int) -> tuple[str, str]:
    """Return the shaft of a move, and its end: a filled head, or a cross."""
    if kind == "lost":
        return f"M{x1} {y1}L{x2} {y2}", f"M{x2 - 6} {y2 - 6}l12 12m0 -12l-12 12"
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    bx, by = x2 - 10 * ux, y2 - 10 * uy
    head = f"M{x2} {y2}L{bx - 5 * uy:.0f} {by + 5 * ux:.0f} {bx + 5 * uy:.0f} {by - 5 * ux:.0f}Z"
    return f"M{x1} {y1}L{bx:.0f} {by:.0f}", head
