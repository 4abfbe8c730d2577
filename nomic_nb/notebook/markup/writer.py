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
    "em": "em",
    "span": "",
}
CHANGE_TAGS = ("ins", "del")
LIST_TAGS = ("ul", "ol")
HEADING_TAGS = ("h1", "h2", "h3", "h4", "h5")
#: What a page needs to be found one's way in, and what says in pictures what is beside it: tags and classes.
OMITTED_TAGS = frozenset({"nav", "style", "svg", "nnb-bar", "nnb-seq"})


def class_names(element: Element) -> frozenset[str]:
    """Return the CSS classes of an element."""
    return frozenset((element.get("class") or "").split())


def _is_omitted(element: Element) -> bool:
    """Tell whether a text form leaves an element out, as it does contents lists, styles and drawings."""
    return not OMITTED_TAGS.isdisjoint({element.tag, *class_names(element)})


def marked_runs(element: Element, mark: str = "", *, within_code: bool = False) -> Iterator[TextRun]:
    """Yield an element's text as pairs (mark, text); a mark is “strong”, “code”, “ins”, “del”, empty, or as given.

    Parameters
    ----------
    element : Element
        What is read, without what is left out of text, such as drawings.
    mark : str
        A mark for all of the text, instead of those of the elements inside; empty to use these.
    within_code : bool
        Whether all of the text is code, so that ``code`` elements inside get no mark of their own.
    """
    yield mark, element.text or ""
    for child in element:
        if not _is_omitted(child):
            own = "" if within_code and child.tag == "code" else INLINE_TAGS.get(child.tag, "")
            written = "nnb-wrote" in class_names(child)  # words that show who wrote them once they are pressed
            apart = [] if child.tag in INLINE_TAGS or written else [("", " ")]
            shown = child[0] if written else child
            address = [("", f" ({child.get('href')})")] if child.get("rel") else []  # of a link out of the page
            yield from (*apart, *marked_runs(shown, mark or own, within_code=within_code), *address, *apart)
        yield mark, child.tail or ""


class TreeWriter:
    """Writes HTML elements as lines of text; subclasses write plain text or Markdown."""

    #: What is around words that are marked.
    signs: Mapping[str, tuple[str, str]] = {}
    #: Whether those signs are read as such beside certain letters only.
    flanked = False
    #: What begins a heading, once for each level.
    hash = ""
    #: What is between two blocks.
    gap: tuple[str, ...] = ()

    # -------------------------------------------------------------------------- what a form of text says

    def write_plain(self, text: str) -> str:
        """Return text with single spaces between its words; subclasses also escape it."""
        return " ".join(text.split())

    def write_code(self, text: str) -> str:
        """Return a short piece of code as this form of text writes it; here as plain text."""
        return self.write_plain(text)

    def write_line_start(self, written: str) -> str:
        """Return a line's first words, escaped if they would be read as a list or heading; here unchanged."""
        return written

    def write_quote(self, lines: list[str]) -> list[str]:
        """Return lines marked as a quotation; here unchanged."""
        return lines

    def write_image(self, alt: str, source: str) -> str:
        """Return the text that shows an image file; empty, as here, if the form of text has no images."""
        del alt, source
        return ""

    def write_clauses(self, lines: list[list[TextRun]]) -> list[str]:
        """Return the clauses of a law as lines; each is given as (mark, text) runs that show changes."""
        raise NotImplementedError

    def write_table(self, names: list[str], are_numbers: list[bool], rows: list[list[str]]) -> list[str]:
        """Return a table as lines; `are_numbers` tells for each column whether it holds numbers."""
        raise NotImplementedError

    # ----------------------------------------------------------------------------------------- the walk

    def write(self, *shown: Child) -> str:
        """Return elements and texts as one text, one below the other."""
        return "\n".join(self.join_blocks(self.child_blocks(build_element("div", *shown))))

    def join_blocks(self, blocks: Iterable[TextBlock]) -> list[str]:
        """Return the lines of (kind, lines) blocks, with this form's gap between blocks but not between list items."""
        lines: list[str] = []
        before = ""
        for kind, block_lines in blocks:
            lines += self.gap if lines and not (kind in LIST_TAGS and kind == before) else ()
            lines += block_lines
            before = kind
        return lines

    def child_blocks(self, parent: Element) -> Iterator[TextBlock]:
        """Yield (kind, lines) for each block of text in an element; text outside blocks makes a paragraph."""
        loose = [("", parent.text or "")]
        for child in parent:
            if child.tag in INLINE_TAGS or "nnb-wrote" in class_names(child):
                only = build_element("span")
                only.append(child)
                loose += marked_runs(only)
            else:
                yield from self.paragraph_blocks(loose)
                yield from self.element_blocks(child)
                loose = [("", child.tail or "")]
        yield from self.paragraph_blocks(loose)

    def paragraph_blocks(self, runs: Iterable[TextRun]) -> Iterator[TextBlock]:
        """Yield (mark, text) runs as one paragraph block; yield nothing if there are no words."""
        yield from (("", [text]) for text in self.write_runs(runs) if text)

    def element_blocks(self, element: Element) -> Iterator[TextBlock]:
        """Yield (kind, lines) for each block of text that an element is written as."""
        known = class_names(element)
        if _is_omitted(element):
            return
        if element.tag == "img":
            source = element.get("src", "data:")
            image = "" if source.startswith("data:") else self.write_image(element.get("alt", ""), source)
            yield from [("", [image])] if image else []
        elif element.tag in HEADING_TAGS:
            yield "heading", [f"{self.hash * int(element.tag[1])} {self.write_flat(element)}".strip()]
        elif not known.isdisjoint({"nnb-clauses", "nnb-rows"}):
            yield "", self.write_clauses([list(marked_runs(item, within_code=True)) for item in element])
        elif element.tag == "table":
            yield from self.paragraph_blocks(marked_runs(element[0], "em"))
            names, *rows = ([self.write_flat(cell) for cell in row] for row in (*element[1], *element[2]))
            yield "", self.write_table(names, ["nnb-num" in class_names(head) for head in element[1][0]], rows)
        elif element.tag in LIST_TAGS:
            for item in element:
                sign = f"{item.get('value', '1')}. " if element.tag == "ol" else "- "
                lines = self.write_item(sign, self.join_blocks(self.child_blocks(item)))
                # A point that has its letter in its text needs no other sign where that is a list as well.
                yield (
                    element.tag,
                    [lines[0][len(sign) :], *lines[1:]] if "nnb-lettered" in known and not self.gap else lines,
                )
        elif element.tag == "dl":
            for name, description in zip(element[::2], element[1::2], strict=True):
                yield (
                    "ul",
                    self.write_item("- ", self.write_runs([*marked_runs(name), ("", ": "), *marked_runs(description)])),
                )
        elif "nnb-item" in known:
            yield "ul", self.write_item("- ", self.join_blocks(self.child_blocks(element)))
        elif element.tag == "blockquote" or "nnb-quoted" in known:
            lines = self.join_blocks(self.child_blocks(element))
            if element.get("aria-label"):
                [label] = self.write_runs([("em", f"{element.get('aria-label')}:")])
                lines[:1] = [f"{label} {lines[0]}"] if element[0].tag == "p" else [label, *self.gap, *lines[:1]]
            yield "", self.write_quote(lines)
        elif "nnb-label" in known:
            yield from self.paragraph_blocks(marked_runs(element, "em"))
        else:
            yield from self.child_blocks(element)

    def write_flat(self, element: Element) -> str:
        """Return all the text of an element on one line."""
        return " ".join(self.write_runs(marked_runs(element), starts=False))

    def write_item(self, sign: str, lines: list[str]) -> list[str]:
        """Return the lines of a list item: the first after a sign such as “- ”, the others indented."""
        return [f"{'' if at and not line else ' ' * len(sign) if at else sign}{line}" for at, line in enumerate(lines)]

    def write_runs(self, runs: Iterable[TextRun], *, starts: bool = True) -> list[str]:
        """Return (mark, text) runs as one line, or as two, “Before: …” and “After: …”, if marks would be misread.

        Parameters
        ----------
        runs : iterable of (str, str)
            The words, with their marks.
        starts : bool
            Whether the line begins where a list or a heading could.
        """
        given = [
            (mark, "".join(text for _, text in group))
            for mark, group in groupby((text_run for text_run in runs if text_run[1]), key=lambda run: run[0])
        ]
        pieces: list[tuple[str, str, bool]] = []
        apart = False
        for mark, run in given:
            core = self.write_code(run) if mark == "code" and run.strip() else self.write_plain(run)
            if core:
                both = bool(pieces) and mark in self.signs and pieces[-1][0] in self.signs
                pieces.append((mark, core, both or apart or run[:1].isspace()))
            apart = run[-1:].isspace() or (apart and not core)
        line_text = ""
        for (mark, core, blank), (_, beyond, apart) in zip(pieces, [*pieces[1:], ("", "", True)], strict=False):
            opening, closing = self.signs.get(mark, ("", ""))
            fits = _is_valid_delimiter("" if blank else line_text[-1:], core[0]) and _is_valid_delimiter(
                "" if apart else beyond[0], core[-1]
            )
            if opening and self.flanked and not fits:
                if mark in CHANGE_TAGS:
                    return [self._write_one_side(given, "Before", "ins"), self._write_one_side(given, "After", "del")]
                opening = closing = ""
            first = self.write_line_start(core) if starts and not line_text and not opening and mark != "code" else core
            gap = " " if line_text and (blank or line_text[-1] == core[0] == "`") else ""
            line_text += f"{gap}{opening}{first}{closing}"
        return [line_text]

    def _write_one_side(self, runs: list[TextRun], name: str, without: str) -> str:
        """Return one side of a change as a line labelled `name`, leaving out runs marked `without`."""
        kept = (("" if mark in CHANGE_TAGS else mark, run) for mark, run in runs if mark != without)
        return self.write_runs([("", f"{name}: "), *kept])[0]


def _is_valid_delimiter(outside: str, inside: str) -> bool:
    """Tell whether Markdown reads a sign such as ``**`` as a mark between these two characters."""
    return not _is_punctuation(inside) or not outside or _is_punctuation(outside)


def _is_punctuation(letter: str) -> bool:
    """Tell whether a character is punctuation or a symbol, by its Unicode category."""
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
        """Return elements and texts as plain text, with what is below a heading indented."""
        blocks = self.child_blocks(build_element("div", *shown))
        return dedent(
            "\n".join(f"{'' if kind == 'heading' else '  '}{line}" for kind, lines in blocks for line in lines)
        )

    def write_clauses(self, lines: list[list[TextRun]]) -> list[str]:
        """Return clauses as lines, with changed words in ``[-…-]`` and ``{+…+}``."""
        around = {"": ("", ""), **self.signs}
        return ["".join(f"{around[mark][0]}{text}{around[mark][1]}" for mark, text in line) for line in lines]

    def write_table(self, names: list[str], are_numbers: list[bool], rows: list[list[str]]) -> list[str]:
        """Return a table as lines with aligned columns, or as list items if it would be too wide."""
        wide = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
        if sum(wide) > WIDEST_TABLE:
            named = ([f"{name}: {cell}" for name, cell in zip(names, row, strict=True) if cell] for row in rows)
            return [f"- {'; '.join(row)}" for row in named]
        forms = [f"{'>' if number else '<'}{width}" for number, width in zip(are_numbers, wide, strict=True)]
        return ["  ".join(map(format, row, forms)).rstrip() for row in (names, *rows)]


# ----------------------------------------------------------------------------------------------- trees as Markdown


#: A dollar sign or a backslash can begin a formula where Markdown is shown with mathematics; in a code span it cannot.
_FORMULA = re.compile(r"([\\$]+)")
_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", "`": "&#96;"} | {letter: f"\\{letter}" for letter in "*_[]#~|@"}
)
#: What a reader could take for an address, and make a link of; keys such as ``win.points`` are none.
_DOMAINS = "aero|asia|biz|com|coop|edu|gov|info|museum|name|net|org|pro|shop|web|xxx"
_SCHEMES = "|".join(
    rf"(?<=\b{scheme}):(?=\S)" for scheme in ("javascript", "vbscript", "data", "file", "mailto", "xmpp")
)
_ADDRESS = re.compile(
    rf":(?=//)|{_SCHEMES}|(?<=\bwww)\.|(?<=\w)\.(?=(?:{_DOMAINS}|xn--\w+|[^\W\d]{{2}})\b)", re.IGNORECASE
)
#: What would begin a list, a heading or a line across.
_START = re.compile(r"^(?:(\d{1,9})([.)])|([-+=]))")
_PIPE = re.compile(r"(?<!\\)\|")


def escape_inline(text: str) -> str:
    r"""Return a text on one line, escaped so that Markdown shows it unchanged.

    Examples
    --------
    >>> escape_inline("*Ann* <b>"), escape_inline("[x](http://y)")
    ('\\*Ann\\* &lt;b&gt;', '\\[x\\](http\\://y)')
    """
    flat = " ".join(text.split())
    return "".join(f"`{part}`" if at % 2 else _escape_markdown(part) for at, part in enumerate(_FORMULA.split(flat)))


def _escape_markdown(text: str) -> str:
    """Return text with its Markdown signs and web addresses escaped, so that they show as they are."""
    text = _ADDRESS.sub(lambda match: f"\\{match[0]}", text)
    return text.translate(_ESCAPES)


def code_span(text: str) -> str:
    """Return a text on one line as a Markdown code span, in as many backticks as it needs.

    Examples
    --------
    >>> code_span("win.points"), code_span("a`b")
    ('`win.points`', '`` a`b ``')
    """
    flat = " ".join(text.split())
    fence = _code_fence(flat, 1)
    return f"{fence} {flat} {fence}" if "`" in flat else f"`{flat}`"


def _code_fence(text: str, min_length: int) -> str:
    """Return a run of backticks longer than any in a text, and of at least the given length."""
    return "`" * max(min_length, *(len(run) + 1 for run in re.findall(r"`+", text)), 0)


def code_block(text: str, kind: str) -> list[str]:
    """Return the lines of a Markdown code block around a text; `kind` is its language, such as “diff”."""
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

    def write_plain(self, text: str) -> str:
        """Return text on one line, escaped for Markdown."""
        return escape_inline(text)

    def write_code(self, text: str) -> str:
        """Return a short piece of code as a Markdown code span."""
        return code_span(text)

    def write_line_start(self, written: str) -> str:
        """Return a line's first words, escaped if Markdown would read a list or heading in them."""
        return _START.sub(lambda match: f"{match[1]}\\{match[2]}" if match[1] else f"\\{match[3]}", written, count=1)

    def write_quote(self, lines: list[str]) -> list[str]:
        """Return lines as a Markdown quotation, each after “> ”."""
        return [f"> {line}".rstrip() for line in lines]

    def write_image(self, alt: str, source: str) -> str:
        """Return a Markdown image with a description and the address of its file."""
        return f"![{escape_inline(alt)}]({source})"

    def write_clauses(self, lines: list[list[TextRun]]) -> list[str]:
        """Return clauses as the lines of a Markdown code block, a diff if any of their words change."""
        changed = any(mark for line in lines for mark, _ in line)
        code_lines = []
        for line in lines:
            old, new = ("".join(text for mark, text in line if mark != other).rstrip() for other in CHANGE_TAGS)
            signs = (("  ", new),) if old == new else (("- ", old), ("+ ", new))
            code_lines += [f"{sign if changed else ''}{text}" for sign, text in signs if text]
        return code_block("\n".join(code_lines), "diff" if changed else "text")

    def write_table(self, names: list[str], are_numbers: list[bool], rows: list[list[str]]) -> list[str]:
        """Return the lines of a Markdown table; columns flagged in `are_numbers` are aligned right."""
        under = ["---:" if number else "---" for number in are_numbers]
        cells = ([_PIPE.sub(r"\|", cell) for cell in row] for row in (names, under, *rows))
        return [f"| {' | '.join(row)} |" for row in cells]
