"""Pages: what a whole document needs beyond what a notebook shows."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

from nomic_nb.play.events import canonical
from nomic_nb.record.log import header_of
from nomic_nb.record.seals import seals
from nomic_nb.record.sentences import data_shown
from nomic_nb.show import style
from nomic_nb.show.markup import Child, put, written
from nomic_nb.shown import INERT

if TYPE_CHECKING:
    from nomic_nb.game import Game

#: Elements of a page; none that runs, and none that loads.
TAGS = frozenset({
    "a", "abbr", "aside", "blockquote", "body", "dd", "div", "dl", "dt", "footer", "h1", "h2", "h3", "h4", "head",
    "header", "html", "li", "main", "meta", "nav", "ol", "p", "section", "span", "style", "sup", "title", "ul",
})  # fmt: skip
ATTRIBUTES = frozenset(
    {"aria-label", "charset", "class", "content", "href", "http-equiv", "id", "lang", "name", "title"}
)
#: Nothing is fetched and nothing runs, whatever a browser makes of the page.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def node(tag: str, *children: Child, cls: str = "", **attributes: str) -> Element:
    """Return an element of a page.

    Parameters
    ----------
    tag : str
        One of `TAGS`.
    *children : str or Element or iterable of them
        Text is escaped when it is written; None is left out.
    cls : str
        Classes, without the prefix ``nnb-``.
    **attributes : str
        Of `ATTRIBUTES`, ``_`` for ``-``; never anything that a player wrote. Links stay in the page.

    Raises
    ------
    ValueError
        A tag, an attribute or a link that has no place here.

    Examples
    --------
    >>> written(node("h2", "Turns & throws", id="x"))
    '<h2 id="x">Turns &amp; throws</h2>'
    """
    named = {name.replace("_", "-"): value for name, value in attributes.items()}
    if tag not in TAGS or not ATTRIBUTES.issuperset(named) or not named.get("href", "#").startswith("#"):
        raise ValueError(f"no element {tag!r} with {named} here")
    made = Element(tag)
    if cls:
        made.set("class", " ".join(f"nnb-{one}" for one in cls.split()))
    for name, value in named.items():
        made.set(name, value)
    put(made, *children)
    return made


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

    def link(self, place: str, *children: Child) -> Element:
        """Return a link to a place."""
        return node("a", *children, href=f"#{self.prefix}-{place}")


def anchors_of(game: Game) -> Anchors:
    """Return the anchors of a page on a game: their prefix is the same for the same game, and no other's."""
    sealed = seals(game.table)
    seen = hashlib.sha256(canonical(header_of(game.table.setting)).encode())
    for event in game.table.events:
        if event.seq in sealed.after:
            continue
        seen.update(f"{event.seq} {event.kind} {event.actor} {data_shown(event, sealed)}\n".encode())
    return Anchors(f"nnb-{seen.hexdigest()[:8]}")


def opening(title: str, *parts: Child) -> Element:
    """Return what a page begins with: its title, and whatever is to be said before all else."""
    return node("header", node("h1", title), *parts)


def contents(*entries: Child) -> Element:
    """Return a table of contents, made of items of a list."""
    return node("nav", node("h2", "Contents"), node("ul", *entries), cls="contents", aria_label="Contents")


@cache
def _rules() -> str:
    text = files("nomic_nb.documents").joinpath("page.css").read_text(encoding="utf-8")
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return re.sub(r"\s+", " ", text).strip()


def page(title: str, *children: Child, cls: str = "") -> str:
    """Return a whole page as HTML: one file, which loads nothing and runs nothing.

    Parameters
    ----------
    title : str
        Shown by the browser.
    *children : str or Element or iterable of them
        What is in it.
    cls : str
        Classes of the document.
    """
    head = node(
        "head",
        node("meta", charset="utf-8"),
        node("meta", http_equiv="Content-Security-Policy", content=POLICY),
        node("meta", name="viewport", content="width=device-width, initial-scale=1"),
        node("meta", name="color-scheme", content="light dark"),
        node("title", title),
        node("style", style.rules(), _rules()),
    )
    main = node("main", *children)
    main.set("class", " ".join(["nnb", INERT, "nnb-document", *(f"nnb-{one}" for one in cls.split())]))
    return f"<!DOCTYPE html>\n{written(node('html', head, node('body', main), lang='en'))}\n"
