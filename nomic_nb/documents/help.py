"""The pages about the kit in a notebook: all of them, one open, with links from one to another."""

from __future__ import annotations

import secrets
from xml.etree.ElementTree import Element

from nomic_nb import docs
from nomic_nb.documents.page import Anchors
from nomic_nb.markup.pages import tree
from nomic_nb.markup.tree import Child, el, fold, written
from nomic_nb.show import style
from nomic_nb.shown import INERT


class Help:
    """A page about the kit. In a notebook the others stand folded below it, and links open them; elsewhere it is text.

    Parameters
    ----------
    page : str
        Its name, one of `docs.pages`.

    Raises
    ------
    KeyError
        There is no such page.
    """

    def __init__(self, page: str) -> None:
        self.page = page
        self.text = docs.page(page)

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        # Two outputs may stand in one notebook, also one of another day: so no two have the same ids.
        pages = _Pages(f"nnb-help-{secrets.token_hex(4)}")
        others = [one for one in docs.pages() if one != self.page]
        body = [pages.body(self.page), *map(pages.folded, others)]
        outer = el("div", style.sheet(), *body)
        outer.set("class", f"nnb {INERT}")
        return written(outer)


class _Pages:
    """The pages in one output.

    Parameters
    ----------
    prefix : str
        What all ids in it begin with.
    """

    def __init__(self, prefix: str) -> None:
        self.anchors = Anchors(prefix)

    def folded(self, name: str) -> Element:
        """Return a page that opens on a click, and when a link leads into it."""
        title = docs.page(name).partition("\n")[0].removeprefix("# ")
        return fold(title, self.body(name), cls="entry")

    def body(self, name: str) -> Element:
        """Return a page."""

        def place(slug: str) -> str:
            at = 0
            while (found := f"{name}-{slug}" + (f"-{at}" if at else "")) in self.anchors.known:
                at += 1
            return self.anchors.id(found)

        def leads(address: str, said: list[Child]) -> Child:
            page, _, slug = address.partition("#")
            other = page.removesuffix(".md") or name
            if other not in docs.pages():
                return said
            return self.anchors.link(f"{other}-{slug}" if slug else other, *said)

        return el("article", tree(docs.page(name), place, leads), cls="page", id=self.anchors.id(name))
