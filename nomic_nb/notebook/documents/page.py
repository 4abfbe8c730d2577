"""Whole pages: one file of HTML each, which loads nothing, and runs nothing but a script of ours where it has one."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from xml.etree.ElementTree import Element, SubElement

from nomic_nb.engine.display import INERT_CLASSES
from nomic_nb.notebook.markup.tree import Child, build_element, element_html
from nomic_nb.notebook.show import style

#: Nothing is fetched and nothing runs, whatever a browser makes of the page; but for a script whose hash comes after.
CONTENT_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


class PageAnchors:
    """The anchors of one HTML page: gives ids to its places, and makes links to them.

    Parameters
    ----------
    prefix : str
        What all ids begin with, if several pages can be put into one.
    """

    def __init__(self, prefix: str = "") -> None:
        self.prefix = f"{prefix}-" if prefix else ""
        self.known: set[str] = set()
        #: Places that have another name in an address.
        self.names: dict[str, str] = {}

    def add_anchor(self, place: str) -> str:
        """Register a name such as “turn-3” as a place that links can lead to, and return its HTML id.

        Raises
        ------
        ValueError
            It is taken.
        """
        if place in self.known:
            raise ValueError(f"two places are called {place!r}")
        self.known.add(place)
        return self.prefix + self.names.get(place, place)

    def link_to(self, place: str, *children: Child, cls: str = "") -> Element:
        """Return a link to a named place of the page; `page_html` makes it plain text if there is no such place."""
        return build_element("a", *children, cls=cls, href=f"#{self.prefix}{self.names.get(place, place)}")

    def copy_link(self, place: str) -> Element:
        """Return a link to a place, which the page shows as ¶, for readers who want its address."""
        link = self.link_to(place, cls="here")
        link.set("aria-label", "Address of this place")
        return link


def contents_list(*entries: Child) -> Element:
    """Return a table of contents, a ``nav`` element, with the given list items."""
    return build_element(
        "nav", build_element("h2", "Contents"), build_element("ul", *entries), cls="contents", aria_label="Contents"
    )


def anchored_section(anchors: PageAnchors, place: str, title: str, *children: Child) -> Element:
    """Return a section whose title is the link target `place`, which is also the section's CSS class."""
    return build_element("section", build_element("h2", title, id=anchors.add_anchor(place)), *children, cls=place)


@cache
def page_script() -> str:
    """Return the JavaScript for pages, which is the same for all games."""
    return files(__package__).joinpath("page.js").read_text(encoding="utf-8")


def page_html(
    title: str, *children: Child, cls: str = "", with_script: bool = False, about: Sequence[Element] = ()
) -> str:
    """Return a complete HTML page with style sheet and content policy; if `with_script`, also with `page_script`.

    Parameters
    ----------
    title : str
        Shown by the browser.
    *children : str or Element or iterable of them
        What is in it.
    cls : str
        Classes of the document.
    with_script : bool
        Whether the page has `page_script`: the only one that its policy lets run.
    about : sequence of Element
        More for the head of the page.
    """
    policy = CONTENT_POLICY
    if with_script:
        policy += f"; script-src 'sha256-{base64.b64encode(hashlib.sha256(page_script().encode()).digest()).decode()}'"
    sheet = style.style_rules() + style.style_rules("nomic_nb.notebook.documents", "page.css")
    head = build_element(
        "head",
        build_element("meta", charset="utf-8"),
        build_element("meta", http_equiv="Content-Security-Policy", content=policy),
        build_element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        build_element("meta", name="color-scheme", content="light dark"),
        about,
        build_element("title", title),
        build_element("style", style.token_rules(sheet, "body", as_system=True), sheet),
    )
    main = build_element("main", *children, cls=f"document {cls}")
    main.set("class", f"nnb {INERT_CLASSES} {main.get('class')}")
    places = {element.get("id") for element in main.iter()}
    for link in main.iter("a"):
        if link.attrib["href"].startswith("#") and link.attrib["href"][1:] not in places:
            link.tag = "span"
            del link.attrib["href"]
    body = build_element("body", main)
    if with_script:
        SubElement(body, "script").text = page_script()  # beside `build_element`, which makes none
    return f"<!DOCTYPE html>\n{element_html(build_element('html', head, body, lang='en'))}\n"
