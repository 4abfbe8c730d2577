"""A page as a tree of elements from one closed list: whatever strangers wrote can only become text.

A tree is made once. `written` writes it as HTML, `markup.markdown` as Markdown, `markup.writer` as plain text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias
from xml.etree.ElementTree import Element, tostring

#: Makes a link to a place, with these words.
Link: TypeAlias = "Callable[[str, str], Child]"
Child: TypeAlias = "str | Element | Iterable[Child] | None"
Rows = list[list[Child]]

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
    "aria-label", "charset", "content", "href", "http-equiv", "id", "lang", "name", "title",
}  # fmt: skip


def el(tag: str, *children: Child, cls: str = "", **attributes: str | int) -> Element:
    """Return an element.

    Parameters
    ----------
    tag : str
        One of `TAGS`.
    *children : str or Element or iterable of them
        Text is escaped when it is written; None is left out.
    cls : str
        Classes, without the prefix ``nnb-`` that all of them have. Two of them say how an element is written
        where there are no style sheets: ``quoted``, and ``item`` of a list.
    **attributes : str or int
        Of `ATTRIBUTES`, ``_`` for ``-``; never anything that a player wrote. Links stay in the page.

    Raises
    ------
    ValueError
        A tag, an attribute or a link that has no place here.

    Examples
    --------
    >>> written(el("p", "1 < 2, says ", who("<b>")))
    '<p>1 &lt; 2, says <bdi>&lt;b&gt;</bdi></p>'
    """
    named = {name.replace("_", "-"): str(value) for name, value in attributes.items()}
    if tag not in TAGS or not ATTRIBUTES.issuperset(named) or not named.get("href", "#").startswith("#"):
        raise ValueError(f"no element {tag!r} with {named} here")
    classes = {"class": " ".join(f"nnb-{one}" for one in cls.split())} if cls else {}
    made = Element(tag, classes | named)
    put(made, *children)
    return made


def put(parent: Element, *children: Child) -> None:
    """Add text and elements at the end of an element."""
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
            put(parent, *child)


def written(element: Element, *, output: bool = False) -> str:
    """Write an element as HTML.

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
    >>> written(el("p", el("a", "up", href="#top")), output=True)
    Traceback (most recent call last):
    ValueError: no element 'a' in a notebook
    """
    for one in element.iter() if output else ():
        if one.tag != "img" and not (one.tag in OUTPUT_TAGS and OUTPUT_ATTRIBUTES.issuperset(one.attrib)):
            raise ValueError(f"no element {one.tag!r} in a notebook")
    return tostring(element, encoding="unicode", method="html")


def plain(element: Element) -> list[Any]:
    """Return an element as plain data: tag, attributes, and what is in it; text stays text.

    Examples
    --------
    >>> plain(el("p", "1 < 2, says ", who("Ann"), cls="soft"))
    ['p', {'class': 'nnb-soft'}, '1 < 2, says ', ['bdi', {}, 'Ann']]
    """
    made: list[Any] = [element.tag, dict(element.items())]
    made += [element.text] if element.text else []
    for child in element:
        made.append(plain(child))
        made += [child.tail] if child.tail else []
    return made


# ---------------------------------------------------------------------------------------- common parts


def who(name: str) -> Element:
    """Return a player's name, kept apart from the direction of the text around it."""
    return el("bdi", name)


def people(names: Iterable[str]) -> Child:
    """Return names with commas and an ``and``; ``nobody`` where there are none.

    Examples
    --------
    >>> written(el("p", people(["Ann", "Ben"])))
    '<p><bdi>Ann</bdi> and <bdi>Ben</bdi></p>'
    """
    found = list(names)
    between = [", "] * (len(found) - 2) + [" and "]
    return [[gap, who(name)] for gap, name in zip(["", *between], found, strict=False)] or ["nobody"]


def mark(*children: Child, cls: str = "") -> Element:
    """Return a short word beside something: ``void``, ``on turn``."""
    return el("strong", *children, cls=f"mark {cls}".strip())


def unlinked(_place: str, said: str) -> Child:
    """Return the words of a link alone, where there is nothing to lead to."""
    return said


def headed(title: Child, word: str, tone: str = "", tag: str = "h3") -> Element:
    """Return a heading with a word beside it; without a style sheet, a dash keeps the two apart."""
    return el(tag, title, el("span", " – ", cls="dash"), mark(word, cls=tone))


def soft(*children: Child) -> Element:
    """Return what is said more quietly."""
    return el("span", *children, cls="soft")


def quiet(*children: Child) -> Element:
    """Return a paragraph that is said more quietly."""
    return el("p", *children, cls="soft")


def stressed(*children: Child, cls: str = "") -> Element:
    """Return a paragraph that is said aloud."""
    return el("p", el("strong", *children), cls=cls)


def parted(found: Iterable[Child], by: str = ", ") -> list[Child]:
    """Return what stands one behind the other with something in between."""
    return [[by if at else None, one] for at, one in enumerate(found)]


def subhead(*children: Child) -> Element:
    """Return a line that says what stands below it."""
    return el("p", *children, cls="label")


def items(found: Iterable[Child], cls: str = "", tag: str = "ul") -> Element | None:
    """Return a list; None where nothing is in it."""
    made = [el("li", one) for one in found]
    return el(tag, made, cls=cls) if made else None


def fold(summary: Child, *children: Child, cls: str = "", is_open: bool = False) -> Element:
    """Return something that opens on a click, and that print shows open."""
    made = el("details", el("summary", summary), *children, cls=cls)
    if is_open:
        made.set("open", "open")
    return made


def table(caption: Child, heads: Iterable[Child], rows: Iterable[Iterable[Child]], cls: str = "") -> Element:
    """Return a table.

    Parameters
    ----------
    caption : Child
        What it is.
    heads : iterable of Child
        Names of the columns, made by `number_head` where they have numbers in them; one may be empty.
    rows : iterable of iterable of Child
        What is in their cells; the first of them names its row.
    cls : str
        Classes.
    """
    columns = [one if isinstance(one, Element) else el("th", one, scope="col") if one else el("td") for one in heads]
    kinds = [one.get("class", "").removeprefix("nnb-") for one in columns]
    body = []
    for row in rows:
        first, *more = zip(row, kinds, strict=True)
        cells = [el("td", child, cls=kind) for child, kind in more]
        body.append(el("tr", el("th", first[0], cls=first[1], scope="row"), cells))
    made = el("table", el("caption", caption), el("thead", el("tr", columns)), el("tbody", body), cls=cls)
    return el("div", made, cls="scroll")


def number_head(text: str) -> Element:
    """Return the head of a column of numbers."""
    return el("th", text, cls="num", scope="col")
