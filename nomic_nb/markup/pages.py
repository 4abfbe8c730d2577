"""Pages of Markdown as trees: those that we wrote ourselves, with headings that links can lead to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias
from xml.etree.ElementTree import Element

from nomic_nb.markup.tree import Child, el

if TYPE_CHECKING:
    from markdown_it.token import Token

#: Gives the id of a heading of a page.
Place: TypeAlias = "Callable[[str], str]"
#: Makes a link of an address in a page, with these words.
Leads: TypeAlias = "Callable[[str, list[Child]], Child]"

#: What a page has within its lines and around them, and as what it is shown.
_WITHIN = {"strong": "strong", "em": "em"}
_AROUND = {
    "paragraph": "p", "bullet_list": "ul", "ordered_list": "ol", "list_item": "li", "blockquote": "blockquote",
    "table": "table", "thead": "thead", "tbody": "tbody", "tr": "tr", "th": "th", "td": "td",
}  # fmt: skip
#: The highest heading of a page stands below those of a notebook.
_LEVELS = {"h1": "h3", "h2": "h4", "h3": "h5", "h4": "h5"}


def slug(heading: str) -> str:
    """Return what a link calls a heading: as where repositories are shown, in small letters with hyphens.

    Examples
    --------
    >>> slug("What cannot be said, and what to do instead")
    'what-cannot-be-said-and-what-to-do-instead'
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def tree(text: str, place: Place, leads: Leads) -> list[Element]:
    """Read a page.

    Parameters
    ----------
    text : str
        Markdown: headings, paragraphs, lists, quotations, tables, blocks of code, and what stands within a line.
    place : callable
        Gives the id of a heading from what a link calls it.
    leads : callable
        Makes a link of an address and its words.

    Raises
    ------
    ValueError
        Something else stands there.

    Examples
    --------
    >>> from nomic_nb.markup.tree import written
    >>> [made] = tree("Read *on*: [there](there.md).", str, lambda address, said: el("a", said, href="#there"))
    >>> written(made)
    '<p>Read <em>on</em>: <a href="#there">there</a>.</p>'
    """
    from markdown_it import MarkdownIt

    tokens = iter(MarkdownIt("commonmark", {"html": False}).enable("table").parse(text))
    return [one for one in _blocks(tokens, place, leads) if isinstance(one, Element)]


def _blocks(tokens: Iterator[Token], place: Place, leads: Leads) -> Iterator[Child]:
    """Yield what stands there up to the end of what is open."""
    for token in tokens:
        if token.nesting < 0:
            return
        kind = token.type.removesuffix("_open")
        if kind == "inline":
            yield list(_words(iter(token.children or ()), leads))
        elif kind in ("fence", "code_block"):
            yield el("pre", el("code", token.content))
        elif kind == "heading":
            made = el(_LEVELS[token.tag], list(_blocks(tokens, place, leads)))
            made.set("id", place(slug("".join(made.itertext()))))
            yield made
        elif kind in _AROUND:
            inside = [*_blocks(tokens, place, leads)]
            yield from inside if token.hidden else [_scrolled(el(_AROUND[kind], inside))]
        else:
            raise ValueError(f"pages have no {kind}")


def _scrolled(made: Element) -> Element:
    """Let a wide table scroll by itself."""
    return el("div", made, cls="scroll") if made.tag == "table" else made


def _words(tokens: Iterator[Token], leads: Leads) -> Iterator[Child]:
    for token in tokens:
        if token.nesting < 0:
            return
        kind = token.type.removesuffix("_open")
        if kind == "text":
            yield token.content
        elif kind in ("softbreak", "hardbreak"):
            yield " "
        elif kind == "code_inline":
            yield el("code", token.content)
        elif kind == "link":
            yield leads(str(token.attrs["href"]), list(_words(tokens, leads)))
        elif kind in _WITHIN:
            yield el(_WITHIN[kind], list(_words(tokens, leads)))
        else:
            raise ValueError(f"pages have no {kind} within a line")
