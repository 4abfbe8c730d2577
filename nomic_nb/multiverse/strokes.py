"""How a drawing marks what a change does: every kind of stroke has a form of its own, beside its colour."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias
from xml.etree import ElementTree as ET  # only writes, never reads what strangers wrote

#: The middle of a square, or the middles of the two ends of a move.
Place: TypeAlias = "tuple[int, ...]"

#: Kinds of stroke, and what the legend says of them.
KINDS = {
    "gained": "move gained: solid arrow",
    "lost": "move lost: dashed line, cross",
    "given": "king in check then: double ring",
    "lifted": "king no longer in check: dashed ring",
    "framed": "piece changed: dotted frame",
}
_PAINT = {"gained": "#0a3d91", "lost": "#a8321a", "given": "#a8321a", "lifted": "#0a3d91", "framed": "#1a1a1a"}
_LINE, _SAMPLE = 20, 56


def height(kinds: Sequence[str]) -> int:
    """Return how much room the legend takes."""
    return len(kinds) * _LINE + _LINE // 2 if kinds else 0


def legend(root: ET.Element, kinds: Iterable[str], left: int, top: int) -> None:
    """Draw a sample of each kind of stroke with its name, a line each."""
    group = ET.SubElement(root, "g", {"font-size": "13", "fill": "#1a1a1a"})
    for at, kind in enumerate(kinds):
        y = top + at * _LINE + _LINE // 2
        if kind in ("gained", "lost"):
            paint(group, kind, [(left, y, left + _SAMPLE - 16, y)])
        else:
            sample = ET.SubElement(group, "g", {"transform": f"translate({left + 20} {y}) scale(.45)"})
            paint(sample, kind, [(0, 0)])
        ET.SubElement(group, "text", {"x": str(left + _SAMPLE), "y": str(y + 4)}).text = KINDS[kind]


def paint(group: ET.Element, kind: str, places: Sequence[Place]) -> None:
    """Paint strokes of one kind, all of them as one path.

    Parameters
    ----------
    group : Element
        Where they are put.
    kind : str
        One of `KINDS`.
    places : sequence of tuple of int
        For a move, where it begins and ends (x, y, x, y); else the middle of a square (x, y).
    """
    if not places:
        return
    line = {"fill": "none", "stroke": _PAINT[kind], "stroke-width": "3", "opacity": ".85"}
    if kind in ("gained", "lost"):
        shafts, ends = zip(*(_move(kind, *one) for one in places), strict=True)
        dash = {} if kind == "gained" else {"stroke-dasharray": "6 5"}
        ET.SubElement(group, "path", {"d": "".join(shafts), **line, **dash})
        ET.SubElement(group, "path", {"d": "".join(ends), **line, **({"fill": line["stroke"]} if not dash else {})})
        return
    outline = {"given": _double_ring, "lifted": _ring, "framed": _frame}[kind]
    more = {"lifted": {"stroke-dasharray": "6 5"}, "framed": {"stroke-dasharray": "1 4", "stroke-linecap": "round"}}
    shapes = "".join(outline(x, y) for x, y in places)
    ET.SubElement(group, "path", {"d": shapes, **line, **more.get(kind, {})})


def _frame(x: int, y: int) -> str:
    return f"M{x - 18} {y - 18}h36v36h-36Z"


def _double_ring(x: int, y: int) -> str:
    return _ring(x, y) + _ring(x, y, 13)


def _ring(x: int, y: int, radius: int = 18) -> str:
    return f"M{x - radius} {y}a{radius} {radius} 0 1 0 {2 * radius} 0a{radius} {radius} 0 1 0 {-2 * radius} 0Z"


def _move(kind: str, x1: int, y1: int, x2: int, y2: int) -> tuple[str, str]:
    """Return the shaft of a move, and its end: a filled head, or a cross."""
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    if kind == "lost":
        return f"M{x1} {y1}L{x2} {y2}", f"M{x2 - 6} {y2 - 6}l12 12m0 -12l-12 12"
    bx, by = x2 - 10 * ux, y2 - 10 * uy
    head = f"M{x2} {y2}L{bx - 5 * uy:.0f} {by + 5 * ux:.0f} {bx + 5 * uy:.0f} {by - 5 * ux:.0f}Z"
    return f"M{x1} {y1}L{bx:.0f} {by:.0f}", head
