"""A diagram of how a piece moves: what it may do on which square, from the middle of a board."""

from __future__ import annotations

from xml.etree import ElementTree as ET  # only writes

from nomic_nb.multiverse.betza import Notation, parse
from nomic_nb.multiverse.geometry import Geometry
from nomic_nb.multiverse.paths import Chain
from nomic_nb.multiverse.picture import Picture, canvas, finish
from nomic_nb.multiverse.tables import Movement
from nomic_nb.multiverse.words import sentence

_SIDE = 30
_LEGEND = {
    "both": "move or capture",
    "move": "move only",
    "capture": "capture only",
    "through": "depends on pieces on the way",
    "initial": "if it has not moved",
}


def _radius(notation: Notation) -> int:
    """Return how many squares to show on each side: enough for every leap, 4 for lines without end."""
    most = 2
    for part in notation.parts:
        step = max(part.atom.long, 1)
        legs = len(part.legs)
        if part.atom.family == "universal" or part.reach == 0:
            most = max(most, 4, 2 * step)
        else:
            most = max(most, min(step * part.reach * legs, 7))
    return min(most, 7)


def squares(notation: str) -> dict[tuple[int, int], str]:
    """Return what a piece may do where, by (files to the right, ranks forward).

    The values are ``both``, ``move``, ``capture``, ``through`` (it depends on pieces on the way) and
    ``initial``.

    Raises
    ------
    NotationError

    Examples
    --------
    >>> squares("fmWfcFifmnD")
    {(-1, 1): 'capture', (0, 1): 'move', (1, 1): 'capture', (0, 2): 'initial'}
    """
    read = parse(notation)
    radius = _radius(read)
    side = 2 * radius + 1
    movement = Movement(read, Geometry(side, side), turned=False)
    middle = radius * side + radius
    reached: dict[int, set[str]] = {}
    always = {id(way.path) for way in movement.ways(1 << middle, unmoved=False)}
    for way in movement.ways(1 << middle, unmoved=True):
        on_empty = way.path.reach(0)
        for square in range(side * side):
            if way.path.targets >> square & 1:
                marks = reached.setdefault(square, set())
                if id(way.path) not in always and movement.initial and _only_initial(movement, middle, square):
                    marks.add("initial")
                elif not on_empty >> square & 1:
                    marks.add("through")
                else:
                    marks.update(mode for mode in way.modes if mode in "mcd")
    for part in movement.irregular:
        chain = Chain(part, movement.geometry, middle, turned=False)
        for square in range(side * side):
            if chain.targets >> square & 1:
                reached.setdefault(square, set()).add("through")
    return {
        (square % side - radius, square // side - radius): _class(marks) for square, marks in sorted(reached.items())
    }


def _only_initial(movement: Movement, middle: int, square: int) -> bool:
    return not any(way.path.targets >> square & 1 for way in movement.ways(1 << middle, unmoved=False))


def _class(marks: set[str]) -> str:
    if "m" in marks:
        return "both" if marks & {"c", "d"} else "move"
    if marks & {"c", "d"}:
        return "capture"
    return "through" if "through" in marks else "initial"


def diagram(notation: str, *, name: str = "", width: int = 270) -> Picture:
    """Draw how a piece moves.

    Parameters
    ----------
    notation : str
        Betza notation.
    name : str
        What the piece is called.
    width : int
        In CSS pixels.

    Raises
    ------
    NotationError

    Examples
    --------
    >>> diagram("NW", name="knight").alt
    'knight: Leaps 2 squares one way and 1 across (as a knight); or steps 1 square orthogonally.'
    """
    radius = _radius(parse(notation))
    side = 2 * radius + 1
    found = squares(notation)
    words = sentence(notation)
    alt = f"{name}: {words}" if name else words
    used = [mark for mark in _LEGEND if mark in found.values()]
    root = canvas(side * _SIDE, side * _SIDE + 18 * len(used) + 4, alt)
    ET.SubElement(root, "path", {"d": f"M0 0h{side * _SIDE}v{side * _SIDE + 18 * len(used) + 4}H0Z", "fill": "#f7f3ea"})
    lines = "".join(f"M0 {at * _SIDE}h{side * _SIDE}M{at * _SIDE} 0v{side * _SIDE}" for at in range(side + 1))
    ET.SubElement(root, "path", {"d": lines, "stroke": "#777", "fill": "none"})
    centre = {
        "cx": str(side * _SIDE / 2),
        "cy": str(side * _SIDE / 2),
        "r": "11",
        "fill": "#fff",
        "stroke": "#1a1a1a",
    }
    ET.SubElement(root, "circle", centre | {"stroke-width": "3"})
    for (right, ahead), mark in found.items():
        _mark(root, mark, (radius + right) * _SIDE + _SIDE / 2, (radius - ahead) * _SIDE + _SIDE / 2)
    for row, mark in enumerate(used):
        y = side * _SIDE + 14 + 18 * row
        _mark(root, mark, 12, y - 4)
        text = ET.SubElement(root, "text", {"x": "28", "y": str(y), "font-size": "12", "fill": "#1a1a1a"})
        text.text = _LEGEND[mark]
    return finish(root, alt, width)


def _mark(root: ET.Element, mark: str, x: float, y: float) -> None:
    """Draw a mark; each has a shape of its own, so that none need be told by colour."""
    if mark in ("both", "move"):
        paint = {"fill": "#14631a"} if mark == "both" else {"fill": "none", "stroke": "#14631a", "stroke-width": "3"}
        ET.SubElement(root, "circle", {"cx": f"{x:g}", "cy": f"{y:g}", "r": "7"} | paint)
        return
    shapes = {
        "capture": (f"M{x - 7:g} {y - 7:g}l14 14m0-14l-14 14", "#b3261e"),
        "through": (f"M{x:g} {y - 8:g}l8 8-8 8-8-8Z", "#15407a"),
        "initial": (f"M{x - 6:g} {y - 6:g}h12v12h-12Z", "#7a5a00"),
    }
    path, colour = shapes[mark]
    ET.SubElement(root, "path", {"d": path, "stroke": colour, "stroke-width": "3", "fill": "none"})
