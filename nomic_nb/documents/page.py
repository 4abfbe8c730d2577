"""Whole pages: one file of HTML each, which loads nothing and runs nothing."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

from nomic_nb.markup.tree import Child, el, written
from nomic_nb.play.events import canonical
from nomic_nb.play.lines import header_of
from nomic_nb.record.seals import seals
from nomic_nb.record.sentences import data_shown
from nomic_nb.show import style
from nomic_nb.shown import INERT

if TYPE_CHECKING:
    from nomic_nb.live.base import BaseGame

#: Nothing is fetched and nothing runs, whatever a browser makes of the page.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


class Anchors:
    """The places of one page that can be pointed at.

    Parameters
    ----------
    prefix : str
        What all ids begin with, so that two pages can be put into one.
    """

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.known: set[str] = set()

    def id(self, place: str) -> str:
        """Return the id of a place, which is made by this.

        Raises
        ------
        ValueError
            It is taken.
        """
        if place in self.known:
            raise ValueError(f"two places are called {place!r}")
        self.known.add(place)
        return f"{self.prefix}-{place}"

    def link(self, place: str, *children: Child, cls: str = "") -> Element:
        """Return a link to a place; a page writes it as its words alone where there is no such place on it."""
        return el("a", *children, cls=cls, href=f"#{self.prefix}-{place}")


def anchors_of(game: BaseGame) -> Anchors:
    """Return the anchors of a page on a game: their prefix is the same for the same game, and no other's."""
    sealed = seals(game.table)
    seen = hashlib.sha256(canonical(header_of(game.table.setting)).encode())
    for event in game.table.events:
        if event.seq in sealed.after:
            continue
        seen.update(f"{event.seq} {event.kind} {event.actor} {data_shown(event, sealed)}\n".encode())
    return Anchors(f"nnb-{seen.hexdigest()[:8]}")


def contents(*entries: Child) -> Element:
    """Return a table of contents, made of items of a list."""
    return el("nav", el("h2", "Contents"), el("ul", *entries), cls="contents", aria_label="Contents")


def page(title: str, *children: Child, cls: str = "") -> str:
    """Return a whole page as HTML.

    Parameters
    ----------
    title : str
        Shown by the browser.
    *children : str or Element or iterable of them
        What is in it.
    cls : str
        Classes of the document.
    """
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=POLICY),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("title", title),
        el("style", style.rules(), style.rules("nomic_nb.documents", "page.css")),
    )
    main = el("main", *children, cls=f"document {cls}")
    main.set("class", f"nnb {INERT} {main.get('class')}")
    places = {one.get("id") for one in main.iter()}
    for link in main.iter("a"):
        if link.attrib["href"][1:] not in places:
            link.tag = "span"
            del link.attrib["href"]
    return f"<!DOCTYPE html>\n{written(el('html', head, el('body', main), lang='en'))}\n"
