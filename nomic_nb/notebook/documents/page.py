"""Whole pages: one file of HTML each, which loads nothing, and runs nothing but a script of ours where it has one."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from xml.etree.ElementTree import Element, SubElement

from nomic_nb.engine.display import INERT_CLASSES
from nomic_nb.engine.play.events import canonical_json
from nomic_nb.engine.play.record_limits import record_header
from nomic_nb.engine.record.seals import current_seals
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.markup.tree import Child, build_element, element_html
from nomic_nb.notebook.show import style
from nomic_nb.study.frames import visible_data

#: Nothing is fetched and nothing runs, whatever a browser makes of the page; but for a script whose hash stands behind.
CONTENT_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


class PageAnchors:
    """The anchors of one HTML page: gives ids to its places, and makes links to them.

    Parameters
    ----------
    prefix : str
        What all ids begin with, so that two pages can be put into one.
    """

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.known: set[str] = set()

    def add_anchor(self, place: str) -> str:
        """Register a name such as “rule-203” as a place that links can lead to, and return its HTML id.

        Raises
        ------
        ValueError
            It is taken.
        """
        if place in self.known:
            raise ValueError(f"two places are called {place!r}")
        self.known.add(place)
        return f"{self.prefix}-{place}"

    def link_to(self, place: str, *children: Child, cls: str = "") -> Element:
        """Return a link to a named place of the page; `page_html` makes it plain text if there is no such place."""
        return build_element("a", *children, cls=cls, href=f"#{self.prefix}-{place}")


def game_anchors(game: BaseGame) -> PageAnchors:
    """Return an empty `PageAnchors` for a game's page, whose ids begin with a hash of the game's events."""
    sealed = current_seals(game.timeline)
    seen = hashlib.sha256(canonical_json(record_header(game.timeline.setting)).encode())
    for event in game.timeline.events:
        if event.seq in sealed.after:
            continue
        seen.update(f"{event.seq} {event.kind} {event.actor} {visible_data(event, sealed)}\n".encode())
    return PageAnchors(f"nnb-{seen.hexdigest()[:8]}")


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


def page_html(title: str, *children: Child, cls: str = "", with_script: bool = False) -> str:
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
        build_element("title", title),
        build_element("style", style.token_rules(sheet, "body", as_system=True), sheet),
    )
    main = build_element("main", *children, cls=f"document {cls}")
    main.set("class", f"nnb {INERT_CLASSES} {main.get('class')}")
    places = {element.get("id") for element in main.iter()}
    for link in main.iter("a"):
        if link.attrib["href"][1:] not in places:
            link.tag = "span"
            del link.attrib["href"]
    body = build_element("body", main)
    if with_script:
        SubElement(body, "script").text = page_script()  # beside `build_element`, which makes none
    return f"<!DOCTYPE html>\n{element_html(build_element('html', head, body, lang='en'))}\n"
