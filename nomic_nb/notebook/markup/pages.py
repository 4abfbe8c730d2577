"""Pages of Markdown as trees: those that we wrote ourselves, with headings that links can lead to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias
from xml.etree.ElementTree import Element

from nomic_nb.notebook.markup.tree import Child, el

if TYPE_CHECKING:
    from markdown_it.token import Token

#: Gives the id of a heading of a page.
Place: TypeAlias = "Callable[[str], str]"
#: Makes a link of an address in a page, with these words.
Leads: TypeAlias = "Callable[[str, list[Child]], Child]"

#: What a page has within its lines and around them, and is shown as it is.
_TAGS = {"strong", "em", "p", "ul", "ol", "li", "blockquote", "table", "thead", "tbody", "tr", "th", "td"}
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
    >>> from nomic_nb.notebook.markup.tree import written
    >>> [made] = tree("Read *on*: [there](there.md).", str, lambda address, said: el("a", said, href="#there"))
    >>> written(made)
    '<p>Read <em>on</em>: <a href="#there">there</a>.</p>'
    """
    from markdown_it import MarkdownIt

    tokens = iter(MarkdownIt("commonmark", {"html": False}).enable("table").parse(text))
    return [one for one in _read(tokens, place, leads) if isinstance(one, Element)]


def _read(tokens: Iterator[Token], place: Place, leads: Leads) -> Iterator[Child]:
    """Yield what stands there up to the end of what is open."""
    for token in tokens:
        if token.nesting < 0:
            return
        match token.type.removesuffix("_open"):
            case "text":
                yield token.content
            case "softbreak" | "hardbreak":
                yield " "
            case "inline":
                yield list(_read(iter(token.children or ()), place, leads))
            case "code_inline":
                yield el("code", token.content)
            case "fence" | "code_block":
                yield el("pre", el("code", token.content))
            case "link":
                yield leads(str(token.attrs["href"]), list(_read(tokens, place, leads)))
            case "heading":
                made = el(_LEVELS[token.tag], list(_read(tokens, place, leads)))
                made.set("id", place(slug("".join(made.itertext()))))
                yield made
            case kind if token.tag not in _TAGS:
                raise ValueError(f"pages have no {kind}")
            case _ if token.hidden:  # a paragraph in a list whose items have one line each
                yield from _read(tokens, place, leads)
            case "table":
                yield el("div", el("table", list(_read(tokens, place, leads))), cls="scroll")
            case _:
                yield el(token.tag, list(_read(tokens, place, leads)))
