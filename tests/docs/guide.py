"""The page on writing rules, and its part on boards, taken apart: blocks of law, and what stands in tables."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from markdown_it import MarkdownIt

from nomic_nb.study import reference as docs

SYSTEM = "discordian-nomic"
#: Words that a clause begins with; what begins with another word is an effect.
CLAUSES = (
    "set", "allow", "forbid", "require", "on", "whenever", "instead", "offer", "track", "piece", "incorporate", "draft",
    "prevails", "defers",
)  # fmt: skip


class Block(NamedTuple):
    """A block of law."""

    heading: str
    system: str
    law: str


class Row(NamedTuple):
    """A row of a table: the code in each of its cells, and its plain words, by the heads of the columns."""

    heading: str
    code: dict[str, list[str]]
    words: dict[str, str]


@cache
def _pages():
    blocks, rows, python = [], [], []
    heading, head, cells = "", [], None
    text = docs.read_page("writing") + docs.read_page("explorer").partition("\n## Rules about boards")[2]
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    for at, token in enumerate(tokens):
        inline = tokens[at + 1] if at + 1 < len(tokens) else None
        match token.type:
            case "heading_open":
                heading = inline.content
            case "fence" if token.info.startswith("law"):
                blocks.append(Block(heading, token.info.partition(" ")[2] or SYSTEM, token.content))
            case "fence" if token.info == "python":
                python.append(token.content)
            case "thead_open":
                head = []
            case "th_open":
                head.append(inline.content)
            case "tr_open":
                cells = []
            case "td_open":
                cells.append(inline)
            case "tr_close" if cells:
                code = {
                    name: [one.content for one in cell.children or () if one.type == "code_inline"]
                    for name, cell in zip(head, cells, strict=True)
                }
                words = {name: cell.content for name, cell in zip(head, cells, strict=True)}
                rows.append(Row(heading, code, words))
    return tuple(blocks), tuple(rows), tuple(python)


def blocks() -> tuple[Block, ...]:
    """Return the blocks of law, in order."""
    return _pages()[0]


def rows(column: str) -> tuple[Row, ...]:
    """Return the rows of the tables that have a column."""
    return tuple(one for one in _pages()[1] if column in one.words)


def python() -> tuple[str, ...]:
    """Return the blocks of Python, in order."""
    return _pages()[2]


def law_of(heading: str) -> str:
    """Return the law under a heading: that of the one block which stands there."""
    (found,) = (one for one in blocks() if one.heading.partition(". ")[2] == heading or one.heading == heading)
    return found.law


def law_with(words: str) -> str:
    """Return the law of the one block that has these words in it."""
    (found,) = (one for one in blocks() if words in one.law)
    return found.law


def is_clause(code: str) -> bool:
    """Tell whether this is a clause, and no effect."""
    return code.partition(" ")[0] in CLAUSES and " " in code
