"""A diagram of how a piece moves: what it may do on which square, from the middle of a board."""

from __future__ import annotations

from collections import defaultdict
from xml.etree.ElementTree import Element  # only writes

from nomic_nb.chess.multiverse.betza import Notation, parse
from nomic_nb.chess.multiverse.geometry import Geometry, each, union
from nomic_nb.chess.multiverse.paths import Chain
from nomic_nb.chess.multiverse.picture import Picture, add, canvas, finish
from nomic_nb.chess.multiverse.tables import Movement
from nomic_nb.chess.multiverse.words import sentence

_SIDE = 30
#: Height of a line of the legend.
_LINE = 26
_LEGEND = {
    "both": "move or capture",
    "move": "move only",
    "capture": "capture only",
    "through": "depends on pieces on the way",
    "move through": "move; capture with pieces on the way",
    "capture through": "capture; move with pieces on the way",
    "initial": "if it has not moved",
}


def _radius(notation: Notation) -> int:
    """Return how many squares to show on each side: enough for every leap, 4 for lines without end."""
    most = [2]
    for part in notation.parts:
        step = max(part.atom.long, 1)
        endless = part.atom.family == "universal" or part.reach == 0
        most.append(max(4, 2 * step) if endless else step * part.reach * len(part.legs))
    return min(max(most), 7)


def squares(notation: str) -> dict[tuple[int, int], str]:
    """Return what a piece may do where, by (files to the right, ranks forward).

    The values are ``both``, ``move``, ``capture``, ``through`` (it depends on pieces on the way),
    ``move through`` and ``capture through`` (the one always, the other depends), and ``initial``.

    Raises
    ------
    NotationError

    Examples
    --------
    >>> squares("fmWfcFifmnD")
    {(-1, 1): 'capture', (0, 1): 'move', (1, 1): 'capture', (0, 2): 'initial'}
    >>> squares("mRcpR")[0, 1], squares("mRcpR")[0, 2]
    ('move', 'move through')
    """
    read = parse(notation)
    radius = _radius(read)
    side = 2 * radius + 1
    movement = Movement(read, Geometry(side, side), turned=False)
    middle = radius * side + radius
    moved = union(way.path.targets for way in movement.ways[1 << middle, False])
    reached: defaultdict[int, set[str]] = defaultdict(set)
    for way in movement.ways[1 << middle, True]:
        on_empty, modes = way.path.reach(0), set(way.modes.replace("d", "c")) & {"m", "c"}
        for bit in each(way.path.targets):
            if movement.initial and not moved & bit:
                reached[bit].add("initial")
            else:
                reached[bit].update(mode if on_empty & bit else f"{mode} through" for mode in modes)
    for part in movement.irregular:
        for bit in each(Chain(part, movement.geometry, middle, turned=False).targets):
            reached[bit].update(("m through", "c through"))
    return {
        (square % side - radius, square // side - radius): _class(marks)
        for square, marks in sorted((bit.bit_length() - 1, marks) for bit, marks in reached.items())
    }


def _class(marks: set[str]) -> str:
    if {"m", "c"} <= marks:
        return "both"
    if "m" in marks:
        return "move through" if "c through" in marks else "move"
    if "c" in marks:
        return "capture through" if "m through" in marks else "capture"
    return "initial" if marks == {"initial"} else "through"


def move_diagram(notation: str, *, name: str = "", width: int = 270) -> Picture:
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
    >>> move_diagram("NW", name="knight").alt
    'knight: Leaps 2 squares one way and 1 across (as a knight); or steps 1 square orthogonally.'
    """
    radius = _radius(parse(notation))
    side = 2 * radius + 1
    found = squares(notation)
    words = sentence(notation)
    alt = f"{name}: {words}" if name else words
    used = [mark for mark in _LEGEND if mark in found.values()]
    wide = side * _SIDE
    high = wide + _LINE * len(used) + 4
    root = canvas(wide, high, alt)
    add(root, "path", d=f"M0 0h{wide}v{high}H0Z", fill="#f7f3ea")
    lines = "".join(f"M0 {at}h{wide}M{at} 0v{wide}" for at in range(0, wide + 1, _SIDE))
    add(root, "path", d=lines, stroke="#777", fill="none")
    add(root, "circle", cx=wide / 2, cy=wide / 2, r=11, fill="#fff", stroke="#1a1a1a", stroke_width=3)
    for (right, ahead), mark in found.items():
        _mark(root, mark, wide / 2 + right * _SIDE, wide / 2 - ahead * _SIDE)
    for row, mark in enumerate(used):
        y = wide + 16 + _LINE * row
        _mark(root, mark, 15, y - 4)
        add(root, "text", _LEGEND[mark], x=32, y=y, font_size=12, fill="#1a1a1a")
    return finish(root, alt, width)


def _mark(root: Element, mark: str, x: float, y: float) -> None:
    """Draw a mark; each has a shape of its own, so that none need be told by colour."""
    plain, _, through = mark.partition(" ")
    if plain in ("both", "move"):
        paint = {"fill": "none", "stroke": "#14631a", "stroke_width": 3} if plain == "move" else {"fill": "#14631a"}
        add(root, "circle", cx=f"{x:g}", cy=f"{y:g}", r=4 if through else 7, **paint)
    size = 3 if through else 7
    shapes = {
        "capture": (f"M{x - size:g} {y - size:g}l{2 * size} {2 * size}m0-{2 * size}l-{2 * size} {2 * size}", "#b3261e"),
        "through": (f"M{x:g} {y - 8:g}l8 8-8 8-8-8Z", "#15407a"),
        "initial": (f"M{x - 6:g} {y - 6:g}h12v12h-12Z", "#7a5a00"),
    }
    if plain in shapes:
        path, colour = shapes[plain]
        add(root, "path", d=path, stroke=colour, stroke_width=3, fill="none")
    if through:
        add(root, "path", d=f"M{x:g} {y - 12:g}l12 12-12 12-12-12Z", stroke="#15407a", stroke_width=2, fill="none")
