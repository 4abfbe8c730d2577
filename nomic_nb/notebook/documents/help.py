"""The pages about the kit in a notebook: all of them in one box, with links from one to another."""

from __future__ import annotations

import secrets
from xml.etree.ElementTree import Element

from nomic_nb.notebook.documents.page import PageAnchors
from nomic_nb.notebook.markup.prose import page_elements
from nomic_nb.notebook.markup.tree import Child, build_element, subheading
from nomic_nb.notebook.show import enclose
from nomic_nb.study import reference as docs


class HelpPage:
    """A page about the kit. In a notebook, the other pages follow below it, with links to them; elsewhere it is text.

    Parameters
    ----------
    page : str
        Name of the page; see `study.reference.page_names`.

    Raises
    ------
    KeyError
        There is no such page.
    """

    def __init__(self, page: str) -> None:
        self.page = page
        self.text = docs.read_page(page)

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        # A notebook may hold two outputs, even of different days, so no two have the same ids.
        """Return all help pages as one piece of HTML, this page first, with working links between them."""
        anchors = PageAnchors(f"nnb-help-{secrets.token_hex(4)}")
        names = [self.page, *(page_name for page_name in docs.page_names() if page_name != self.page)]
        # Pages are not folded: JupyterLab follows links by itself, and unfolds nothing that they lead to.
        return enclose(
            build_element("div", [_help_section(name, anchors) for name in names], cls="pages"), output=False
        )


def _help_section(name: str, anchors: PageAnchors) -> Element:
    """Return the help page called `name` as an element, with a link back to the list of pages."""

    def place(slug: str) -> str:
        at = 0
        while (anchor := f"{name}-{slug}" + (f"-{at}" if at else "")) in anchors.known:
            at += 1
        return anchors.add_anchor(anchor)

    def leads(address: str, sentences: list[Child]) -> Child:
        page, _, slug = address.partition("#")
        other = page.removesuffix(".md") or name
        if other not in docs.page_names():
            return sentences
        return anchors.link_to(f"{other}-{slug}" if slug else other, *sentences)

    back = subheading(anchors.link_to("start", "All pages")) if name != "start" else None
    return build_element(
        "article", page_elements(docs.read_page(name), place, leads), back, id=anchors.add_anchor(name)
    )
