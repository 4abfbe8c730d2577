"""Outlines of the orthodox pieces, as symbols that take the colour they are used with.

The drawings are Colin M. L. Burnett's, as python-chess carries them (GFDL, BSD and GPL).
"""

from __future__ import annotations

import re
from functools import cache
from xml.etree import ElementTree as ET  # reads python-chess's own constants only

import chess.svg

#: Side of the square an outline is drawn on.
SIZE = 45
_WHITE = re.compile(r"(^|(?<=fill:))\s*(?:#fff|#ffffff|white)\b")
_LETTERS = {"p": "P", "n": "N", "b": "B", "r": "R", "q": "Q", "k": "K"}


@cache
def outline(kind: str) -> str | None:
    """Return the symbol of a kind as SVG text, or None where there is none; its id is the kind's letter.

    Examples
    --------
    >>> outline("n").startswith("<symbol"), outline("x")
    (True, None)
    """
    if kind not in _LETTERS:
        return None
    group = ET.fromstring(chess.svg.PIECES[_LETTERS[kind]])  # noqa: S314 - a constant of python-chess
    for element in group.iter():
        element.attrib.pop("id", None)
        element.attrib.pop("class", None)
        for name, value in element.attrib.items():
            # What python-chess paints white takes the colour of the army instead.
            element.set(name, _WHITE.sub("currentColor", value) if name in ("fill", "style") else value)
    symbol = ET.Element("symbol", {"id": kind, "viewBox": f"0 0 {SIZE} {SIZE}"})
    symbol.append(group)
    return ET.tostring(symbol, encoding="unicode")
