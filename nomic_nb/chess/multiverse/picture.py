"""A drawing that every reader of a notebook shows."""

from __future__ import annotations

import base64
from xml.etree.ElementTree import Element, SubElement, tostring  # only writes, never reads what strangers wrote

from nomic_nb.engine.frozen import frozen


@frozen
class Picture:
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
    def sized(self) -> str:
        """The drawing for a file of its own, as wide as it is to be shown."""
        return self.svg.replace("<svg ", f'<svg width="{self.width}" ', 1)

    def element(self) -> Element:
        """Return the drawing as the element of an HTML image."""
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
        """Return the drawing as an HTML image."""
        return tostring(self.element(), encoding="unicode", method="html")

    def __str__(self) -> str:
        return self.alt

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:  # noqa: ARG002
        return {"text/html": self.to_html(), "text/plain": self.alt}


def add(parent: Element, tag: str, text: str = "", **attributes: object) -> Element:
    """Put an element into another; ``_`` in the name of an attribute is written ``-``."""
    found = SubElement(parent, tag, {name.replace("_", "-"): str(value) for name, value in attributes.items()})
    if text:
        found.text = printable(text)
    return found


def finish(root: Element, alt: str, width: int) -> Picture:
    """Return a finished drawing as a picture."""
    return Picture(tostring(root, encoding="unicode"), alt, width)


def canvas(width: float, height: float, title: str) -> Element:
    """Return an empty drawing with a title for screen readers."""
    root = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {width:g} {height:g}",
            "role": "img",
            "font-family": "sans-serif",
        },
    )
    add(root, "title", title)
    return root


def printable(text: str) -> str:
    """Return text without the control characters that XML cannot hold."""
    if text.isprintable():
        return text
    return "".join(letter for letter in text if letter.isprintable() or letter in "\n ")
