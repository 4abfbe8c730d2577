"""Elements of HTML, built and never pasted together: whatever strangers wrote can only become text."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TypeAlias
from xml.etree.ElementTree import Element, tostring

Number: TypeAlias = int | Fraction
Child: TypeAlias = "str | Element | Iterable[Child] | None"

#: What a notebook keeps of an untrusted output, as far as it is used here; nothing that runs or loads.
TAGS = frozenset({
    "article", "bdi", "caption", "code", "del", "details", "div", "h3", "h4", "h5", "ins", "li", "ol", "p", "section",
    "span", "strong", "style", "summary", "table", "tbody", "td", "th", "thead", "tr", "ul",
})  # fmt: skip
ATTRIBUTES = frozenset({"class", "colspan", "open", "scope", "style", "value"})


def el(tag: str, *children: Child, cls: str = "", **attributes: str | int) -> Element:
    """Return an element.

    Parameters
    ----------
    tag : str
        One of `TAGS`.
    *children : str or Element or iterable of them
        Text is escaped when it is written; None is left out.
    cls : str
        Classes, without the prefix ``nnb-`` that all of them have.
    **attributes : str or int
        Of `ATTRIBUTES`; never anything that a player wrote.

    Raises
    ------
    ValueError
        A tag or an attribute that has no place here.

    Examples
    --------
    >>> written(el("p", "1 < 2, says ", who("<b>")))
    '<p>1 &lt; 2, says <bdi>&lt;b&gt;</bdi></p>'
    """
    if tag not in TAGS or not ATTRIBUTES.issuperset(attributes):
        raise ValueError(f"no element {tag!r} with {', '.join(attributes)} here")
    made = Element(tag)
    if cls:
        made.set("class", " ".join(f"nnb-{one}" for one in cls.split()))
    for name, value in attributes.items():
        made.set(name, str(value))
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


def written(element: Element) -> str:
    """Write an element as HTML."""
    return tostring(element, encoding="unicode", method="html")


# ---------------------------------------------------------------------------------------- common parts


def who(name: str) -> Element:
    """Return a player's name, kept apart from the direction of the text around it."""
    return el("bdi", name)


def listed(names: Iterable[str]) -> list[Child]:
    """Return names with commas and an ``and``; ``nobody`` where there are none.

    Examples
    --------
    >>> written(el("p", listed(["Ann", "Ben"])))
    '<p><bdi>Ann</bdi> and <bdi>Ben</bdi></p>'
    """
    found = list(names)
    parts: list[Child] = []
    for at, name in enumerate(found):
        if at:
            parts.append(" and " if at == len(found) - 1 else ", ")
        parts.append(who(name))
    return parts or ["nobody"]


def mark(*children: Child, cls: str = "") -> Element:
    """Return a short word beside something: ``void``, ``on turn``."""
    return el("strong", *children, cls=f"mark {cls}".strip())


def headed(title: Child, word: str, tone: str = "", tag: str = "h3") -> Element:
    """Return a heading with a word beside it; without a style sheet, a dash keeps the two apart."""
    return el(tag, title, el("span", " – ", cls="dash"), mark(word, cls=tone))


def soft(*children: Child) -> Element:
    """Return what is said more quietly."""
    return el("span", *children, cls="soft")


def fold(summary: Child, *children: Child, cls: str = "", is_open: bool = False) -> Element:
    """Return something that opens on a click, and that print shows open."""
    made = el("details", el("summary", summary), *children, cls=cls)
    if is_open:
        made.set("open", "open")
    return made


def cell(*children: Child, cls: str = "") -> Element:
    """Return a cell of a table."""
    return el("td", *children, cls=cls)


def row_head(*children: Child, cls: str = "") -> Element:
    """Return the cell that names its row."""
    return el("th", *children, cls=cls, scope="row")


def table(caption: Child, heads: Iterable[Child], rows: Iterable[Iterable[Element]], cls: str = "") -> Element:
    """Return a table.

    Parameters
    ----------
    caption : Child
        What it is.
    heads : iterable of Child
        Names of the columns; a head may be a cell of its own, and an empty one is none.
    rows : iterable of iterable of Element
        Cells, made by `cell` and `row_head`.
    cls : str
        Classes.
    """
    columns = [one if isinstance(one, Element) else el("th", one, scope="col") for one in heads]
    body = el("tbody", [el("tr", list(row)) for row in rows])
    scroll = el("table", el("caption", caption), el("thead", el("tr", columns)), body, cls=cls)
    return el("div", scroll, cls="scroll")


def number_head(text: str) -> Element:
    """Return the head of a column of numbers."""
    return el("th", text, cls="num", scope="col")


def plural(count: object, one: str, many: str = "") -> str:
    """Return a count and its noun.

    Examples
    --------
    >>> plural(1, "rule"), plural(2, "rule")
    ('1 rule', '2 rules')
    """
    return f"{count} {one if count == 1 else many or one + 's'}"


def upper_first(text: str) -> str:
    """Return a text with its first letter large."""
    return text[:1].upper() + text[1:]


def full_sentence(text: str) -> str:
    """Return a text as a sentence.

    Examples
    --------
    >>> full_sentence("Ann throws 5"), full_sentence("is it?")
    ('Ann throws 5.', 'Is it?')
    """
    return upper_first(text) + ("" if text[-1:] in ".?!…" else ".")


def figure(number: Number) -> str:
    """Write a number with a true minus sign.

    Examples
    --------
    >>> figure(-5), figure(Fraction(21, 2))
    ('−5', '21/2')
    """
    return f"−{-number}" if number < 0 else str(number)
