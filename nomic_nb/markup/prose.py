"""Wording: paragraphs and lists in plain text, and what a change does to them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby, product
from typing import Literal, Protocol
from xml.etree.ElementTree import Element

from nomic_nb.frozen import frozen
from nomic_nb.markup.tree import Child, el, subhead

Mark = Literal["", "ins", "del"]

_BULLET, _NUMBERED = re.compile(r"\s*[-*•]\s+(?=\S)"), re.compile(r"\s*(\d{1,4})[.)]\s+(?=\S)")
_WORD = re.compile(r"\s*(?:\w+(?:[-'’./]\w+)*|[^\w\s])")
#: Below this likeness a passage is shown as one struck out and one put in, not as a patchwork of words.
ALIKE = 0.4
#: Pairs of equal words in two passages; beyond it they are not compared, so that nobody can make the page slow.
MOST_PAIRS = 20_000
#: Pairs of blocks in two texts; beyond it, blocks that are there again and again are not compared.
MANY = 10_000


@frozen
class Block:
    """A paragraph, an item of a list, or a clause.

    Parameters
    ----------
    kind : str
        ``p``, ``ul``, ``ol`` or ``law``.
    text : str
        On one line.
    number : int
        Of an item in a numbered list.
    """

    kind: str
    text: str
    number: int = 0


@frozen
class Passage:
    """A block whose words are kept, put in or struck out."""

    block: Block
    runs: tuple[tuple[Mark, str], ...]


def blocks(text: str) -> tuple[Block, ...]:
    r"""Read paragraphs (blank lines between them) and lists (``- `` or ``1. ``).

    Examples
    --------
    >>> [(one.kind, one.text) for one in blocks("Two parts:\n\n1. a vote,\n   and\n2. a throw.")]
    [('p', 'Two parts:'), ('ol', 'a vote, and'), ('ol', 'a throw.')]
    """
    found: list[tuple[str, int, list[str]]] = []
    kind = ""
    for line in text.splitlines():
        bullet, numbered = _BULLET.match(line), _NUMBERED.match(line)
        if not line.strip():
            kind = ""
            continue
        if bullet:
            found.append(("ul", 0, [line[bullet.end() :]]))
        elif numbered and (kind != "p" or numbered[1] == "1"):  # a year at the start of a line begins no list
            found.append(("ol", int(numbered[1]), [line[numbered.end() :]]))
        elif kind:
            found[-1][2].append(line)
        else:
            found.append(("p", 0, [line]))
        kind = found[-1][0]
    return tuple(Block(kind, " ".join(" ".join(lines).split()), number) for kind, number, lines in found)


def clause_blocks(law: str) -> tuple[Block, ...]:
    r"""Return the clauses of a law, one a line; what goes on with a line, or is drafted, keeps its indentation.

    Examples
    --------
    >>> for block in clause_blocks('draft half: "Half."\n    set vote.duty to true\nallow vote'):
    ...     print(block.text)
    draft half: "Half."
        set vote.duty to true
    allow vote
    """
    return tuple(Block("law", line.expandtabs(4).rstrip()) for line in law.splitlines() if line.strip())


# ----------------------------------------------------------------------------------------- what changes


def redline(old: Sequence[Block], new: Sequence[Block]) -> list[Passage]:
    """Compare two texts.

    Reading what is kept and put in gives the new text, reading what is kept and struck out the old one.

    Examples
    --------
    >>> redline(blocks("All must agree."), blocks("Most must agree."))[0].runs
    (('del', 'All'), ('ins', 'Most'), ('', ' must agree.'))
    """
    front = _alike(old, new)  # most of a long text is not touched, and goes by at once
    back = _alike(old[front:][::-1], new[front:][::-1])
    then, now = old[front : len(old) - back], new[front : len(new) - back]
    found = [_kept(one) for one in new[:front]]
    many = len(then) * len(now) > MANY  # where blocks that are often there, such as the same clause, tell nothing
    for what, from_old, to_old, from_new, to_new in SequenceMatcher(None, then, now, autojunk=many).get_opcodes():
        if what == "equal":
            found += [_kept(one) for one in now[from_new:to_new]]
        else:
            found += _replaced(then[from_old:to_old], now[from_new:to_new])
    return [*found, *(_kept(one) for one in new[len(new) - back :])]


def _alike(old: Sequence[Block], new: Sequence[Block]) -> int:
    """Return how many blocks at the beginning are the same."""
    return next(
        (at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), min(len(old), len(new))
    )


def _kept(one: Block) -> Passage:
    return Passage(one, (("", one.text),))


def is_changed(passages: Iterable[Passage]) -> bool:
    """Tell whether anything was put in or struck out."""
    return any(mark for one in passages for mark, _ in one.runs)


def _replaced(old: Sequence[Block], new: Sequence[Block]) -> Iterator[Passage]:
    """Pair the passages that are most alike, and those before and after them in turn."""
    pairs = product(range(len(old)), range(len(new))) if len(old) * len(new) <= 100 else ()
    alike = ((_likeness(old[i].text, new[j].text), -i, -j) for i, j in pairs)
    likeness, i, j = max(alike, default=(0.0, 0, 0))
    i, j = -i, -j
    if likeness <= ALIKE:
        yield from (Passage(one, (("del", one.text),)) for one in old)
        yield from (Passage(one, (("ins", one.text),)) for one in new)
        return
    yield from _replaced(old[:i], new[:j])
    yield Passage(new[j], tuple(_runs(_WORD.findall(old[i].text), _WORD.findall(new[j].text))))
    yield from _replaced(old[i + 1 :], new[j + 1 :])


def _likeness(old: str, new: str) -> float:
    a, b = ([word.strip() for word in _WORD.findall(text)] for text in (old, new))
    counts = Counter(b)
    if sum(counts[word] for word in a) > MOST_PAIRS:
        return 0.0
    return SequenceMatcher(None, a, b, autojunk=False).ratio()


def _runs(old: list[str], new: list[str]) -> Iterator[tuple[Mark, str]]:
    kept, struck, added = "", "", ""
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    for at, (what, from_old, to_old, from_new, to_new) in enumerate(codes):
        before, after = "".join(old[from_old:to_old]), "".join(new[from_new:to_new])
        # One short word between two changes reads better as part of them.
        lone = what == "equal" and 0 < at < len(codes) - 1 and to_new - from_new == 1 and len(after.strip()) <= 3
        if what == "equal" and not lone:
            yield from _change(kept, struck, added)
            kept, struck, added = after, "", ""
        else:
            struck, added = struck + before, added + after
    yield from _change(kept, struck, added)


def _change(kept: str, struck: str, added: str) -> Iterator[tuple[Mark, str]]:
    if struck.startswith(" ") and added.startswith(" "):  # the blank before both belongs to neither
        kept, struck, added = f"{kept} ", struck[1:], added[1:]
    runs: tuple[tuple[Mark, str], ...] = (("", kept), ("del", struck), ("ins", added))
    yield from (run for run in runs if run[1])


# ------------------------------------------------------------------------------------------ as elements


def prose(text: str) -> list[Element]:
    """Return a wording as paragraphs and lists."""
    return passages(map(_kept, blocks(text)))


def worded(text: str, cls: str = "wording") -> Element:
    """Return a wording as a part of a page."""
    return el("div", prose(text), cls=cls)


def clauses(law: str) -> list[Element]:
    """Return clauses as a list."""
    return passages(map(_kept, clause_blocks(law)))


def passages(found: Iterable[Passage]) -> list[Element]:
    """Return passages as paragraphs and lists, with what changed marked as such."""
    made: list[Element] = []
    for kind, group in groupby(found, key=lambda one: one.block.kind):
        if kind == "p":
            made += [el("p", _marked(one)) for one in group]
        elif kind == "law":
            made.append(el("ul", [el("li", el("code", _marked(one))) for one in group], cls="clauses"))
        elif kind == "ol":
            made.append(el("ol", [el("li", _marked(one), value=one.block.number) for one in group]))
        else:
            made.append(el(kind, [el("li", _marked(one)) for one in group]))
    return made


def _marked(passage: Passage) -> Child:
    return [el(mark, text) if mark else text for mark, text in passage.runs]


class Worded(Protocol):
    """What has a wording and clauses: a rule."""

    @property
    def wording(self) -> str:
        """For people."""

    @property
    def law(self) -> str:
        """For the machine."""


def changed_text(
    old: Worded | None, new: Worded | None, *about: Child, cls: str = "redline quoted"
) -> Element | None:  # fmt: skip
    """Return redlines of wording and clauses, of each only where it changes; None where nothing does.

    Parameters
    ----------
    old, new : Worded or None
        None is what is not there.
    *about : Child
        What stands before them.
    cls : str
        Of what holds them.
    """
    made: list[Child] = []
    wording = redline(blocks(old.wording if old else ""), blocks(new.wording if new else ""))
    law = redline(clause_blocks(old.law if old else ""), clause_blocks(new.law if new else ""))
    if is_changed(wording):
        made.append(el("div", passages(wording), cls="wording"))
    if is_changed(law):
        made += [subhead("Clauses"), passages(law)]
    return el("div", *about, made, cls=cls) if made else None
