"""One walk through a tree, whatever it is written as; each form of text says how it writes what it meets.

Plain text is one of them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from textwrap import dedent
from types import MappingProxyType
from xml.etree.ElementTree import Element

from nomic_nb.notebook.markup.tree import Child, build_element

# ----------------------------------------------------------------------------------------- one walk through a tree


#: Some words, and what they are marked as.
TextRun = tuple[str, str]
#: What it is, where it is an item of a list or a heading, and its lines.
TextBlock = tuple[str, list[str]]

#: Elements that stand within a line, and what marks their words; all others are blocks.
INLINE_TAGS = {
    "strong": "strong",
    "ins": "ins",
    "del": "del",
    "code": "code",
    "abbr": "strong",
    "a": "",
    "bdi": "",
    "span": "",
}
CHANGE_TAGS = ("ins", "del")
LIST_TAGS = ("ul", "ol")
HEADING_TAGS = ("h1", "h2", "h3", "h4", "h5")
#: What a page needs to be found one's way in, and what says in pictures what stands beside it: tags and classes.
OMITTED_TAGS = frozenset({"nav", "style", "svg", "nnb-bar", "nnb-seq"})


def class_names(element: Element) -> frozenset[str]:
    """Return the classes of an element."""
    return frozenset((element.get("class") or "").split())


def _is_omitted(element: Element) -> bool:
    return not OMITTED_TAGS.isdisjoint({element.tag, *class_names(element)})


def marked_runs(element: Element, mark: str = "", *, within_code: bool = False) -> Iterator[TextRun]:
    """Yield the words of an element with their marks, the outer mark first; blocks are kept apart by blanks."""
    yield mark, element.text or ""
    for child in element:
        if not _is_omitted(child):
            own = "" if within_code and child.tag == "code" else INLINE_TAGS.get(child.tag, "")
            apart = [] if child.tag in INLINE_TAGS else [("", " ")]
            yield from (*apart, *marked_runs(child, mark or own, within_code=within_code), *apart)
        yield mark, child.tail or ""


class TreeWriter:
    """Writes a tree as lines of text."""

    #: What stands around words that are marked.
    signs: Mapping[str, tuple[str, str]] = {}
    #: Whether those signs are read as such beside certain letters only.
    flanked = False
    #: What begins a heading, once for each level.
    hash = ""
    #: What stands between two blocks.
    gap: tuple[str, ...] = ()

    # -------------------------------------------------------------------------- what a form of text says

    def plain(self, text: str) -> str:
        """Write words on one line, without blanks around them."""
        return " ".join(text.split())

    def code(self, text: str) -> str:
        """Write a little code."""
        return self.plain(text)

    def start(self, written: str) -> str:
        """Write what begins a line."""
        return written

    def quote(self, lines: list[str]) -> list[str]:
        """Write what is quoted."""
        return lines

    def image(self, alt: str, source: str) -> str:
        """Write an image that is a file; nothing, where a text can show none."""
        del alt, source
        return ""

    def clauses(self, lines: list[list[TextRun]]) -> list[str]:
        """Write clauses, a line each."""
        raise NotImplementedError

    def table(self, names: list[str], numbers: list[bool], rows: list[list[str]]) -> list[str]:
        """Write a table; some columns have numbers in them."""
        raise NotImplementedError

    # ----------------------------------------------------------------------------------------- the walk

    def write(self, *shown: Child) -> str:
        """Write trees, one below the other."""
        return "\n".join(self.joined(self.blocks(build_element("div", *shown))))

    def joined(self, blocks: Iterable[TextBlock]) -> list[str]:
        """Return blocks as lines, with a gap between those that do not belong together."""
        lines: list[str] = []
        before = ""
        for kind, found in blocks:
            lines += self.gap if lines and not (kind in LIST_TAGS and kind == before) else ()
            lines += found
            before = kind
        return lines

    def blocks(self, parent: Element) -> Iterator[TextBlock]:
        """Yield the blocks in an element; words that stand loose between them are blocks too."""
        loose: list[TextRun] = [("", parent.text or "")]
        for child in parent:
            if child.tag in INLINE_TAGS:
                only = build_element("span")
                only.append(child)
                loose += marked_runs(only)
            else:
                yield from self.lines(loose)
                yield from self.block(child)
                loose = [("", child.tail or "")]
        yield from self.lines(loose)

    def lines(self, found: Iterable[TextRun]) -> Iterator[TextBlock]:
        """Yield a paragraph; nothing where there are no words."""
        yield from (("", [one]) for one in self.line(found) if one)

    def block(self, one: Element) -> Iterator[TextBlock]:
        """Yield what one element becomes."""
        known = class_names(one)
        if _is_omitted(one):
            return
        if one.tag == "img":
            source = one.get("src", "data:")
            image = "" if source.startswith("data:") else self.image(one.get("alt", ""), source)
            yield from [("", [image])] if image else []
        elif one.tag in HEADING_TAGS:
            yield "heading", [f"{self.hash * int(one.tag[1])} {self.flat(one)}".strip()]
        elif not known.isdisjoint({"nnb-clauses", "nnb-rows"}):
            yield "", self.clauses([list(marked_runs(item, within_code=True)) for item in one])
        elif one.tag == "table":
            yield from self.lines(marked_runs(one[0], "em"))
            names, *rows = ([self.flat(cell) for cell in row] for row in (*one[1], *one[2]))
            yield "", self.table(names, ["nnb-num" in class_names(head) for head in one[1][0]], rows)
        elif one.tag in LIST_TAGS:
            for item in one:
                sign = f"{item.get('value', '1')}. " if one.tag == "ol" else "- "
                lines = self.item(sign, self.joined(self.blocks(item)))
                # A point that has its letter in its text needs no other sign where that is a list as well.
                yield (
                    one.tag,
                    [lines[0][len(sign) :], *lines[1:]] if "nnb-lettered" in known and not self.gap else lines,
                )
        elif one.tag == "dl":
            for name, said in zip(one[::2], one[1::2], strict=True):
                yield "ul", self.item("- ", self.line([*marked_runs(name), ("", ": "), *marked_runs(said)]))
        elif "nnb-item" in known:
            yield "ul", self.item("- ", self.joined(self.blocks(one)))
        elif one.tag == "blockquote" or "nnb-quoted" in known:
            lines = self.joined(self.blocks(one))
            if one.get("aria-label"):
                [label] = self.line([("em", f"{one.get('aria-label')}:")])
                lines[:1] = [f"{label} {lines[0]}"] if one[0].tag == "p" else [label, *self.gap, *lines[:1]]
            yield "", self.quote(lines)
        elif "nnb-label" in known:
            yield from self.lines(marked_runs(one, "em"))
        else:
            yield from self.blocks(one)

    def flat(self, element: Element) -> str:
        """Return all words of an element on one line, which begins no paragraph."""
        return " ".join(self.line(marked_runs(element), starts=False))

    def item(self, sign: str, lines: list[str]) -> list[str]:
        """Write an item of a list."""
        return [f"{'' if at and not line else ' ' * len(sign) if at else sign}{line}" for at, line in enumerate(lines)]

    def line(self, found: Iterable[TextRun], *, starts: bool = True) -> list[str]:
        """Write words on one line: as the old ones and the new ones, where signs would not be read as such.

        Parameters
        ----------
        found : iterable of (str, str)
            The words, with their marks.
        starts : bool
            Whether the line begins where a list or a heading could.
        """
        given = [
            (mark, "".join(text for _, text in group))
            for mark, group in groupby((one for one in found if one[1]), key=lambda run: run[0])
        ]
        pieces: list[tuple[str, str, bool]] = []
        apart = False
        for mark, run in given:
            core = self.code(run) if mark == "code" and run.strip() else self.plain(run)
            if core:
                both = bool(pieces) and mark in self.signs and pieces[-1][0] in self.signs
                pieces.append((mark, core, both or apart or run[:1].isspace()))
            apart = run[-1:].isspace() or (apart and not core)
        made = ""
        for (mark, core, blank), (_, beyond, apart) in zip(pieces, [*pieces[1:], ("", "", True)], strict=False):
            opening, closing = self.signs.get(mark, ("", ""))
            fits = _is_read_as_mark("" if blank else made[-1:], core[0]) and _is_read_as_mark(
                "" if apart else beyond[0], core[-1]
            )
            if opening and self.flanked and not fits:
                if mark in CHANGE_TAGS:
                    return [self._words_of_side(given, "Before", "ins"), self._words_of_side(given, "After", "del")]
                opening = closing = ""
            first = self.start(core) if starts and not made and not opening and mark != "code" else core
            gap = " " if made and (blank or made[-1] == core[0] == "`") else ""
            made += f"{gap}{opening}{first}{closing}"
        return [made]

    def _words_of_side(self, found: list[TextRun], name: str, without: str) -> str:
        kept = (("" if mark in CHANGE_TAGS else mark, run) for mark, run in found if mark != without)
        return self.line([("", f"{name}: "), *kept])[0]


def _is_read_as_mark(outside: str, inside: str) -> bool:
    """Tell whether a sign between two letters is read as one (CommonMark, left- and right-flanking)."""
    return not _is_punctuation(inside) or not outside or _is_punctuation(outside)


def _is_punctuation(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "PS"


#: Letters of a table, beyond which its rows would be broken.
WIDEST_TABLE = 100


class PlainTextWriter(TreeWriter):
    """Writes a tree as plain text: headings at the margin, ``[-struck out-]`` and ``{+put in+}``.

    Examples
    --------
    >>> print(PlainTextWriter().write(build_element("h4", "The rule"), build_element("p", build_element("del",
    ... "All"), build_element("ins", "Most"), " agree.")))
    The rule
      [-All-] {+Most+} agree.
    """

    signs = MappingProxyType({"ins": ("{+", "+}"), "del": ("[-", "-]")})

    def write(self, *shown: Child) -> str:
        """Write trees, what stands below a heading a little to the right."""
        blocks = self.blocks(build_element("div", *shown))
        return dedent(
            "\n".join(f"{'' if kind == 'heading' else '  '}{line}" for kind, lines in blocks for line in lines)
        )

    def clauses(self, lines: list[list[TextRun]]) -> list[str]:
        """Write clauses with the signs of what changes."""
        around = {"": ("", ""), **self.signs}
        return ["".join(f"{around[mark][0]}{text}{around[mark][1]}" for mark, text in line) for line in lines]

    def table(self, names: list[str], numbers: list[bool], rows: list[list[str]]) -> list[str]:
        """Write a table, its columns below each other; as a list where they are too wide for that."""
        wide = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
        if sum(wide) > WIDEST_TABLE:
            named = ([f"{name}: {one}" for name, one in zip(names, row, strict=True) if one] for row in rows)
            return [f"- {'; '.join(row)}" for row in named]
        forms = [f"{'>' if one else '<'}{width}" for one, width in zip(numbers, wide, strict=True)]
        return ["  ".join(map(format, row, forms)).rstrip() for row in (names, *rows)]


# ----------------------------------------------------------------------------------------------- trees as Markdown


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


def escape_inline(text: str) -> str:
    r"""Write a text on one line, so that Markdown shows it as it is.

    Examples
    --------
    >>> escape_inline("*Ann* <b>"), escape_inline("[x](http://y)")
    ('\\*Ann\\* &lt;b&gt;', '\\[x\\](http\\://y)')
    """
    flat = " ".join(text.split())
    return "".join(f"`{part}`" if at % 2 else _escape_line(part) for at, part in enumerate(_FORMULA.split(flat)))


def _escape_line(text: str) -> str:
    text = _ADDRESS.sub(lambda found: f"\\{found[0]}", text)
    return text.translate(_ESCAPES)


def code_span(text: str) -> str:
    """Return a text as a span of code, behind a fence longer than any in it.

    Examples
    --------
    >>> code_span("win.points"), code_span("a`b")
    ('`win.points`', '`` a`b ``')
    """
    flat = " ".join(text.split())
    fence = _code_fence(flat, 1)
    return f"{fence} {flat} {fence}" if "`" in flat else f"`{flat}`"


def _code_fence(text: str, least: int) -> str:
    return "`" * max(least, *(len(run) + 1 for run in re.findall(r"`+", text)), 0)


def code_block(text: str, kind: str) -> list[str]:
    """Return a text as lines of a block of code, behind a fence longer than any in the text."""
    fence = _code_fence(text, 3)
    return [f"{fence}{kind}", *text.splitlines(), fence]


class MarkdownWriter(TreeWriter):
    r"""Writes a tree as Markdown with tables (GitHub Flavored Markdown), and without HTML.

    Examples
    --------
    >>> from nomic_nb.notebook.markup.tree import build_element
    >>> print(MarkdownWriter().write(build_element("h2", "Tea & cake"), build_element("p", "1. ",
    ... build_element("strong", "None"), " is left.")))
    ## Tea &amp; cake
    <BLANKLINE>
    1\. **None** is left.
    """

    signs = MappingProxyType({"strong": ("**", "**"), "ins": ("**", "**"), "del": ("~~", "~~"), "em": ("*", "*")})
    flanked, hash, gap = True, "#", ("",)

    def plain(self, text: str) -> str:
        """Write words on one line, so that they are shown as they are."""
        return escape_inline(text)

    def code(self, text: str) -> str:
        """Write a span of code."""
        return code_span(text)

    def start(self, written: str) -> str:
        """Write what would begin a list, a heading or a line across as what it is."""
        return _START.sub(lambda found: f"{found[1]}\\{found[2]}" if found[1] else f"\\{found[3]}", written, count=1)

    def quote(self, lines: list[str]) -> list[str]:
        """Write a quotation."""
        return [f"> {line}".rstrip() for line in lines]

    def image(self, alt: str, source: str) -> str:
        """Write an image; its address is of our making."""
        return f"![{escape_inline(alt)}]({source})"

    def clauses(self, lines: list[list[TextRun]]) -> list[str]:
        """Write clauses as a block of code; one that changes as it was and as it is."""
        changed = any(mark for line in lines for mark, _ in line)
        made = []
        for line in lines:
            old, new = ("".join(text for mark, text in line if mark != other).rstrip() for other in CHANGE_TAGS)
            signs = (("  ", new),) if old == new else (("- ", old), ("+ ", new))
            made += [f"{sign if changed else ''}{text}" for sign, text in signs if text]
        return code_block("\n".join(made), "diff" if changed else "text")

    def table(self, names: list[str], numbers: list[bool], rows: list[list[str]]) -> list[str]:
        """Write a table; in its cells a pipe has a backslash within code too."""
        under = ["---:" if one else "---" for one in numbers]
        cells = ([_PIPE.sub(r"\|", cell) for cell in row] for row in (names, under, *rows))
        return [f"| {' | '.join(row)} |" for row in cells]
