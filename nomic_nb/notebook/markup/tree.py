"""A page as a tree of elements from one closed list: whatever strangers wrote can only become text.

A tree is made once. `element_html` writes it as HTML, and `markup.writer` as Markdown and as plain text.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from contextvars import ContextVar
from typing import Any, TypeAlias
from xml.etree.ElementTree import Element, tostring

#: The players who are machines, and marked as such, while something is drawn.
MACHINES_SHOWN: ContextVar[Collection[str]] = ContextVar("machines", default=())
#: Makes a link to a place, with these words.
Link: TypeAlias = "Callable[[str, str], Child]"
Child: TypeAlias = "str | Element | Iterable[Child] | None"
TableRows = list[list[Child]]

#: What a notebook keeps of an untrusted output, as far as it is used here; nothing that runs or loads.
OUTPUT_TAGS = frozenset({
    "article", "bdi", "caption", "code", "del", "details", "div", "h3", "h4", "h5", "ins", "li", "ol", "p", "pre",
    "section", "span", "strong", "style", "summary", "table", "tbody", "td", "th", "thead", "tr", "ul",
})  # fmt: skip
OUTPUT_ATTRIBUTES = frozenset({"class", "colspan", "open", "scope", "style", "value"})
#: All that there is: what a whole page has beside that neither runs nor loads.
TAGS = OUTPUT_TAGS | {
    "a", "abbr", "blockquote", "body", "dd", "dl", "dt", "em", "h1", "h2", "head", "header", "html", "main", "meta",
    "nav", "title",
}  # fmt: skip
ATTRIBUTES = OUTPUT_ATTRIBUTES | {
    "aria-label", "charset", "content", "href", "http-equiv", "id", "lang", "name", "rel", "title",
}  # fmt: skip


def build_element(tag: str, *children: Child, cls: str = "", **attributes: str | int) -> Element:
    """Return an HTML element with children and CSS classes; raise ValueError for a tag or attribute not allowed.

    Parameters
    ----------
    tag : str
        One of `TAGS`.
    *children : str or Element or iterable of them
        Text is escaped when it is written; None is left out.
    cls : str
        Classes, without the prefix ``nnb-`` that all of them have. Two of them say how an element is written
        if there are no style sheets: ``quoted``, and ``item`` of a list.
    **attributes : str or int
        Of `ATTRIBUTES`, ``_`` for ``-``; never anything that a player wrote. Links stay in the page.

    Raises
    ------
    ValueError
        A tag, an attribute or a link that has no place here.

    Examples
    --------
    >>> element_html(build_element("p", "1 < 2, says ", player_name("<b>")))
    '<p>1 &lt; 2, says <bdi>&lt;b&gt;</bdi></p>'
    """
    named = {name.replace("_", "-"): str(value) for name, value in attributes.items()}
    if tag not in TAGS or not ATTRIBUTES.issuperset(named) or not named.get("href", "#").startswith("#"):
        raise ValueError(f"no element {tag!r} with {named} here")
    classes = {"class": " ".join(f"nnb-{class_name}" for class_name in cls.split())} if cls else {}
    element = Element(tag, classes | named)
    append_children(element, *children)
    return element


def append_children(parent: Element, *children: Child) -> None:
    """Append texts and elements, even from nested lists too, to an element; None is skipped."""
    for child in children:
        if child is None:
            continue
        if isinstance(child, Element):
            parent.append(child)
        elif isinstance(child, str):
            if len(parent):
                parent[-1].tail = (parent[-1].tail or "") + child
            else:
                parent.text = (parent.text or "") + child
        else:
            append_children(parent, *child)


def element_html(element: Element, *, output: bool = False) -> str:
    """Return an element as HTML; if `output`, refuse tags and attributes that notebooks drop from cell output.

    Parameters
    ----------
    element : Element
        The tree.
    output : bool
        Whether it is shown in a notebook, which keeps less of what it does not trust than a whole page has.
        Drawings are elements of their own, with everything in them.

    Raises
    ------
    ValueError
        There is something in the tree that only a whole page can have.

    Examples
    --------
    >>> element_html(build_element("p", build_element("a", "up", href="#top")), output=True)
    Traceback (most recent call last):
    ValueError: no element 'a' in a notebook
    """
    for node in element.iter() if output else ():
        if node.tag != "img" and not (node.tag in OUTPUT_TAGS and OUTPUT_ATTRIBUTES.issuperset(node.attrib)):
            raise ValueError(f"no element {node.tag!r} in a notebook")
    return tostring(element, encoding="unicode", method="html")


def element_data(element: Element) -> list[Any]:
    """Return an element as nested lists: tag, attributes, then texts and child elements in order.

    Examples
    --------
    >>> element_data(build_element("p", "1 < 2, says ", player_name("Ann"), cls="soft"))
    ['p', {'class': 'nnb-soft'}, '1 < 2, says ', ['bdi', {}, 'Ann']]
    """
    data: list[Any] = [element.tag, dict(element.items())]
    data += [element.text] if element.text else []
    for child in element:
        data.append(element_data(child))
        data += [child.tail] if child.tail else []
    return data


# ---------------------------------------------------------------------------------------- common parts


def player_name(name: str) -> Element:
    """Return a player's name as a ``bdi`` element, so that right-to-left names do not disturb the text."""
    return build_element("bdi", f"{name} (machine)" if name in MACHINES_SHOWN.get() else name)


def player_list(names: Iterable[str]) -> Child:
    """Return the names of players joined with commas and “and”; “nobody” if none exist.

    Examples
    --------
    >>> element_html(build_element("p", player_list(["Ann", "Ben"])))
    '<p><bdi>Ann</bdi> and <bdi>Ben</bdi></p>'
    """
    name_list = list(names)
    between = [", "] * (len(name_list) - 2) + [" and "]
    return [[gap, player_name(name)] for gap, name in zip(["", *between], name_list, strict=False)] or ["nobody"]


def badge(*children: Child, cls: str = "") -> Element:
    """Return a badge: a short bold label, such as ``void``, that is beside something."""
    return build_element("strong", *children, cls=f"mark {cls}".strip())


def unlinked_words(_place: str, sentence: str) -> Child:
    """Return `sentence` itself, not a link: the `Link` function for pages that have no place to link to."""
    return sentence


def heading_with_badge(title: Child, word: str, tone: str = "", tag: str = "h3") -> Element:
    """Return a heading: a title, a dash and a badge with a word; `tone` is the badge's CSS class."""
    return build_element(tag, title, build_element("span", " – ", cls="dash"), badge(word, cls=tone))


def quiet_text(*children: Child) -> Element:
    """Return text in a softer colour, as a ``span``."""
    return build_element("span", *children, cls="soft")


def quiet_paragraph(*children: Child) -> Element:
    """Return a paragraph in a softer colour."""
    return build_element("p", *children, cls="soft")


def strong_paragraph(*children: Child, cls: str = "") -> Element:
    """Return a paragraph in bold."""
    return build_element("p", build_element("strong", *children), cls=cls)


def join_children(items: Iterable[Child], separator: str = ", ") -> list[Child]:
    """Return the items as a list with a separator before each but the first."""
    return [[separator if at else None, item] for at, item in enumerate(items)]


def subheading(*children: Child) -> Element:
    """Return a short label line (a paragraph) for above what it names."""
    return build_element("p", *children, cls="label")


def item_list(items: Iterable[Child], cls: str = "", tag: str = "ul") -> Element | None:
    """Return the items as an HTML list (`tag` is ``ul`` or ``ol``), or None."""
    elements = [build_element("li", item) for item in items]
    return build_element(tag, elements, cls=cls) if elements else None


def folded_section(summary: Child, *children: Child, cls: str = "", is_open: bool = False) -> Element:
    """Return a ``details`` element: a summary, and children that a click shows (shown already if `is_open`)."""
    element = build_element("details", build_element("summary", summary), *children, cls=cls)
    if is_open:
        element.set("open", "open")
    return element


def table_element(caption: Child, heads: Iterable[Child], rows: Iterable[Iterable[Child]], cls: str = "") -> Element:
    """Return a table with caption, column headings and rows, in a ``div`` that scrolls.

    Parameters
    ----------
    caption : Child
        What it is.
    heads : iterable of Child
        Names of the columns, made by `number_heading` where they have numbers in them; one may be empty.
    rows : iterable of iterable of Child
        What is in their cells; the first of them names its row.
    cls : str
        Classes.
    """
    columns = [
        head if isinstance(head, Element) else build_element("th", head, scope="col") if head else build_element("td")
        for head in heads
    ]
    kinds = [column.get("class", "").removeprefix("nnb-") for column in columns]
    body = []
    for row in rows:
        first, *more = zip(row, kinds, strict=True)
        cells = [build_element("td", child, cls=kind) for child, kind in more]
        body.append(build_element("tr", build_element("th", first[0], cls=first[1], scope="row"), cells))
    element = build_element(
        "table",
        build_element("caption", caption),
        build_element("thead", build_element("tr", columns)),
        build_element("tbody", body),
        cls=cls,
    )
    return build_element("div", element, cls="scroll")


def number_heading(text: str) -> Element:
    """Return the header cell for a table column that holds numbers."""
    return build_element("th", text, cls="num", scope="col")
