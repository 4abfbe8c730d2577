"""Trees as Markdown: whatever strangers wrote can only become text."""

from __future__ import annotations

import re
from types import MappingProxyType

from nomic_nb.notebook.markup.writer import CHANGED, Run, Writer

#: A dollar sign or a backslash can begin a formula where Markdown is shown with mathematics; in a code span it cannot.
_FORMULA = re.compile(r"([\\$]+)")
_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", "`": "&#96;"} | {one: f"\\{one}" for one in "*_[]#~|@"}
)
#: What a reader could take for an address, and make a link of; keys such as ``win.points`` are none.
_DOMAINS = "aero|asia|biz|com|coop|edu|gov|info|museum|name|net|org|pro|shop|web|xxx"
_SCHEMES = "|".join(rf"(?<=\b{one}):(?=\S)" for one in ("javascript", "vbscript", "data", "file", "mailto", "xmpp"))
_ADDRESS = re.compile(
    rf":(?=//)|{_SCHEMES}|(?<=\bwww)\.|(?<=\w)\.(?=(?:{_DOMAINS}|xn--\w+|[^\W\d]{{2}})\b)", re.IGNORECASE
)
#: What would begin a list, a heading or a line across.
_START = re.compile(r"^(?:(\d{1,9})([.)])|([-+=]))")
_PIPE = re.compile(r"(?<!\\)\|")


def inline(text: str) -> str:
    r"""Write a text on one line, so that Markdown shows it as it is.

    Examples
    --------
    >>> inline("*Ann* <b>"), inline("[x](http://y)")
    ('\\*Ann\\* &lt;b&gt;', '\\[x\\](http\\://y)')
    """
    flat = " ".join(text.split())
    return "".join(f"`{part}`" if at % 2 else _escaped(part) for at, part in enumerate(_FORMULA.split(flat)))


def _escaped(text: str) -> str:
    text = _ADDRESS.sub(lambda found: f"\\{found[0]}", text)
    return text.translate(_ESCAPES)


def code(text: str) -> str:
    """Return a text as a span of code, behind a fence longer than any in it.

    Examples
    --------
    >>> code("win.points"), code("a`b")
    ('`win.points`', '`` a`b ``')
    """
    flat = " ".join(text.split())
    fence = _fence(flat, 1)
    return f"{fence} {flat} {fence}" if "`" in flat else f"`{flat}`"


def _fence(text: str, least: int) -> str:
    return "`" * max(least, *(len(run) + 1 for run in re.findall(r"`+", text)), 0)


def fenced(text: str, kind: str) -> list[str]:
    """Return a text as lines of a block of code, behind a fence longer than any in the text."""
    fence = _fence(text, 3)
    return [f"{fence}{kind}", *text.splitlines(), fence]


class Markdown(Writer):
    r"""Writes a tree as Markdown with tables (GitHub Flavored Markdown), and without HTML.

    Examples
    --------
    >>> from nomic_nb.notebook.markup.tree import el
    >>> print(Markdown().write(el("h2", "Tea & cake"), el("p", "1. ", el("strong", "None"), " is left.")))
    ## Tea &amp; cake
    <BLANKLINE>
    1\. **None** is left.
    """

    signs = MappingProxyType({"strong": ("**", "**"), "ins": ("**", "**"), "del": ("~~", "~~"), "em": ("*", "*")})
    flanked, hash, gap = True, "#", ("",)

    def plain(self, text: str) -> str:
        """Write words on one line, so that they are shown as they are."""
        return inline(text)

    def code(self, text: str) -> str:
        """Write a span of code."""
        return code(text)

    def start(self, written: str) -> str:
        """Write what would begin a list, a heading or a line across as what it is."""
        return _START.sub(lambda found: f"{found[1]}\\{found[2]}" if found[1] else f"\\{found[3]}", written, count=1)

    def quote(self, lines: list[str]) -> list[str]:
        """Write a quotation."""
        return [f"> {line}".rstrip() for line in lines]

    def image(self, alt: str, source: str) -> str:
        """Write an image; its address is of our making."""
        return f"![{inline(alt)}]({source})"

    def clauses(self, lines: list[list[Run]]) -> list[str]:
        """Write clauses as a block of code; one that changes as it was and as it is."""
        changed = any(mark for line in lines for mark, _ in line)
        made = []
        for line in lines:
            old, new = ("".join(text for mark, text in line if mark != other).rstrip() for other in CHANGED)
            signs = (("  ", new),) if old == new else (("- ", old), ("+ ", new))
            made += [f"{sign if changed else ''}{text}" for sign, text in signs if text]
        return fenced("\n".join(made), "diff" if changed else "text")

    def table(self, names: list[str], numbers: list[bool], rows: list[list[str]]) -> list[str]:
        """Write a table; in its cells a pipe has a backslash within code too."""
        under = ["---:" if one else "---" for one in numbers]
        cells = ([_PIPE.sub(r"\|", cell) for cell in row] for row in (names, under, *rows))
        return [f"| {' | '.join(row)} |" for row in cells]
