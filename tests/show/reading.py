"""Read what is shown the way a browser would, and refuse what does not belong there."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import fromstring

from nomic_nb.notebook.markup.tree import OUTPUT_TAGS
from nomic_nb.notebook.show import show_html

SVG = "{http://www.w3.org/2000/svg}"
#: What a drawing is made of: nothing that runs, loads or points elsewhere.
DRAWN = {"svg", "title", "path", "g", "circle", "text", "defs", "symbol", "use"}
NOTHING_SHOWN = {"style"}
BLOCKS = {"p", "li", "td", "th", "tr", "h3", "h4", "h5", "div", "caption", "summary"}


def image(attributes: dict[str, str | None]) -> Element:
    """Check a drawing, and return it."""
    assert set(attributes) == {"alt", "width", "style", "src"}
    assert attributes["style"] == "max-width: 100%; height: auto"
    head, data = str(attributes["src"]).split(",")
    assert head == "data:image/svg+xml;base64"
    root = fromstring(base64.b64decode(data, validate=True).decode())
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in DRAWN, element.tag
        for name, value in element.attrib.items():
            assert not name.startswith("on"), element.attrib
            assert "href" not in name or re.fullmatch("#[a-z]", value), element.attrib
    assert root.findtext(f"{SVG}title") == attributes["alt"]
    return root


@dataclass
class Page(HTMLParser):
    """The elements and the text of something shown.

    Parameters
    ----------
    texts : list of (tuple of str, str)
        Each text with the elements around it, outermost first.
    images : list of Element
        The drawings, as XML.
    """

    texts: list[tuple[tuple[str, ...], str]] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)
    stack: list[str] = field(default_factory=list)
    images: list[Element] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "img":
            self.images.append(image(dict(attrs)))
            return
        assert tag in OUTPUT_TAGS, tag
        for name, value in attrs:
            assert value is not None
            if name == "class":
                assert all(
                    one in ("nnb", "tex2jax_ignore", "mathjax_ignore") or re.fullmatch(r"nnb-[a-z-]+", one)
                    for one in value.split()
                ), value
                self.classes += value.split()
            elif name == "style":
                assert re.fullmatch(r"width: \d{1,3}\.\d\d%", value), value
            else:
                expected = {"scope": "row|col", "open": "open", "value": r"\d+", "colspan": r"\d+"}
                assert re.fullmatch(expected[name], value), (name, value)
        if tag in BLOCKS:
            self.texts.append((tuple(self.stack), "\n"))
        self.stack.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop() == tag
        if tag in BLOCKS:
            self.texts.append((tuple(self.stack), "\n"))

    def handle_data(self, data: str) -> None:
        if not NOTHING_SHOWN & set(self.stack):
            self.texts.append((tuple(self.stack), data))

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    handle_decl = handle_pi = unknown_decl = handle_comment

    @property
    def text(self) -> str:
        """All text, blanks set right."""
        return " ".join("".join(text for _, text in self.texts).split())

    def without(self, mark: str) -> str:
        """All text but that in elements of one kind."""
        return " ".join("".join(text for around, text in self.texts if mark not in around).split())


def read(shown: object) -> Page:
    """Show something, check its HTML, and return what a reader gets."""
    return read_html(show_html(shown))


def read_html(text: str) -> Page:
    """Check HTML, and return what a reader gets."""
    page = Page()
    page.feed(text)
    page.close()
    assert page.stack == []
    return page
