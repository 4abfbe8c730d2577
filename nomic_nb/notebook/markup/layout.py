"""The layout of a wording, as people type it: paragraphs, points within points, and columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from string import ascii_lowercase
from typing import NamedTuple

from nomic_nb.engine.frozen import frozen

_BULLET, _NUMBERED = re.compile(r"\s*[-*•]\s+(?=\S)"), re.compile(r"\s*(\d{1,4})[.)]\s+(?=\S)")
_LETTERED = re.compile(r"\s*((\()?(\d{1,4}|[A-Za-z]|[ivxl]{2,6}|[IVXL]{2,6})([.)]))\s+(?=\S)")
#: What parts columns: more blanks than people type behind a full stop.
_GAP = re.compile(r"(?<=[^\s.!?:;,]) {2,}(?=\S)|(?<=[.!?:;,]) {3,}(?=\S)")
#: A line between rows of columns.
_RULE = re.compile(r"\s*[-=_+|][-=_+|: ]{2,}")
#: Points that may be within one another, so that nobody can make a page deeper than it is wide.
DEEPEST = 6
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50}


@frozen
class Block:
    """A paragraph, an item of a list, a row of columns, or a clause.

    Parameters
    ----------
    kind : str
        ``p``, ``ul``, ``ol``, ``points`` (an item that has its letter in its text), ``row`` or ``law``.
    text : str
        On one line.
    number : int
        Of an item in a numbered list.
    depth : int
        Within how many items it is.
    mark : int
        How many letters of the text are the letter of a point.
    """

    kind: str
    text: str
    number: int = 0
    depth: int = 0
    mark: int = 0

    @property
    def place(self) -> tuple[str, int]:
        """What it is, and within how many items."""
        return self.kind, self.depth

    @property
    def words(self) -> tuple[str, int, str]:
        """What it is and says, whatever its number or letter."""
        return *self.place, self.text[self.mark :]


class _Marker(NamedTuple):
    """What a line begins with that makes it an item."""

    #: Those of one list have the same: ``-``, ``1``, ``(a)``, ``I.``
    style: str
    value: int
    #: Letters of the line before what it says.
    width: int
    #: As it is written, where it is kept.
    said: str = ""


class _Open(NamedTuple):
    """An item in which further lines may be."""

    indent: int
    style: str
    value: int


def blocks(text: str) -> tuple[Block, ...]:
    r"""Read paragraphs (blank lines between them), lists (``- ``, ``1. `` or ``(a) ``) and columns.

    What is further to the right than an item belongs to it.

    Examples
    --------
    >>> [(one.kind, one.text) for one in blocks("Two parts:\n\n1. a vote,\n   and\n2. a throw.")]
    [('p', 'Two parts:'), ('ol', 'a vote, and'), ('ol', 'a throw.')]
    >>> [(one.depth, one.text) for one in blocks("1. Either\n   (a) this\n   (b) or that.\n\n   At once.\n2. Or not.")]
    [(0, 'Either'), (1, '(a) this'), (1, '(b) or that.'), (1, 'At once.'), (0, 'Or not.')]
    """
    return tuple(_Reader([line.expandtabs(8).rstrip() for line in text.splitlines()]).read())


class _Reader:
    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        #: All points that lines could begin: one that nothing follows is none.
        self.written = {(style, value) for line in lines for style, value, *_ in _letters(line)}
        self.open: list[_Open] = []
        #: The last number or letter of each kind of list that has ended, but for what the lines below may go on with.
        self.last: dict[str, int] = {}
        #: What the line before belongs to: a kind of block, or nothing after a blank line.
        self.within = ""

    def read(self) -> Iterator[Block]:
        made: Block | None = None
        rows = _rows(self.lines)
        for at, line in enumerate(self.lines):
            if not line:
                self.within = ""
                continue
            found, text = self.row(line, rows[at]) if at in rows else self.begun(line)
            if found is None and made is not None:
                made = replace(made, text=f"{made.text} {text}".strip())
                continue
            if made is not None:
                yield made
            made = found
        if made is not None:
            yield made

    def row(self, line: str, left: int) -> tuple[Block | None, str]:
        """Return a row of columns, which begin at some letter."""
        self.within = "row"
        return Block("row", line[left:], depth=self.enclose(left)), ""

    def begun(self, line: str) -> tuple[Block | None, str]:
        """Return the block that a line begins, None if it goes on with the one before, and what it says."""
        indent = len(line) - len(line.lstrip())
        marker = self.marker(line)
        if marker is not None:
            depth = self.enter(indent, marker)
            text = " ".join(line[marker.width :].split())
            self.within = "ul" if marker.style == "-" else "points" if marker.said else "ol"
            if marker.said:
                return Block(self.within, f"{marker.said} {text}", depth=depth, mark=len(marker.said) + 1), text
            return Block(self.within, text, max(marker.value, 0) if self.within == "ol" else 0, depth), text
        text = " ".join(line.split())
        outside = self.within != "p" and bool(self.open) and indent < self.open[-1].indent
        if self.within and self.within != "row" and not outside:
            return None, text
        self.within = "p"
        return Block("p", text, depth=self.enclose(indent)), text

    def marker(self, line: str) -> _Marker | None:
        """Return what makes a line an item."""
        bullet, numbered = _BULLET.match(line), _NUMBERED.match(line)
        if bullet:
            return _Marker("-", 0, bullet.end())
        if numbered:
            value = int(numbered[1])
            # A year at the start of a line begins no list.
            if self.within != "p" or value == 1 or self.last.get("1") == value - 1:
                return _Marker("1", value, numbered.end())
            return None
        found = list(_letters(line))
        steps = [(one.value - self.last.get(one.style, one.value), one) for one in found]
        begins = sorted((one for one in found if (one.style, one.value + 1) in self.written), key=lambda one: one.value)
        likely = [[one for step, one in steps if step == 1], begins, [one for step, one in steps if 1 < step <= 3]]
        return next((one for some in likely for one in some), None)

    def enter(self, indent: int, marker: _Marker) -> int:
        """Note that an item begins; return within how many others."""
        while self.open:
            above = self.open[-1]
            right = indent - above.indent
            alike = above.style == marker.style
            if alike and (-1 <= right <= 1 or (right > 1 and marker.value == above.value + 1 > 1)):
                self.open.pop()  # the item before it in its list
                break
            if right > 0 or (right == 0 and self.is_flat(marker, above)):
                break
            self.open.pop()
        depth = len(self.open)
        if depth < DEEPEST:
            self.open.append(_Open(indent, marker.style, marker.value))
        here = {one.style for one in self.open}
        self.last = {style: value for style, value in self.last.items() if style in here} | {marker.style: marker.value}
        return depth

    def is_flat(self, marker: _Marker, above: _Open) -> bool:
        """Tell whether an item is within the one above it though both begin at the margin, as (a) is after 2."""
        below = bool(marker.said) or (bool(self.within) and above.style != "-")
        return below and marker.style not in {one.style for one in self.open}

    def enclose(self, indent: int) -> int:
        """Return within how many items something is that begins so far to the right, after a blank line."""
        while self.open and indent <= self.open[-1].indent:
            self.open.pop()
        return len(self.open)


def _letters(line: str) -> Iterator[_Marker]:
    """Yield what the letter at the start of a line may be: of the alphabet, or a Roman number."""
    found = _LETTERED.match(line)
    if found is None or (found[3].isdigit() and not found[2]) or (found[2] and found[4] == "."):
        return
    letters, around = found[3].lower(), f"{found[2] or ''}{{}}{found[4]}"
    case = "A" if found[3].isupper() else "a"
    if letters.isdigit():
        yield _Marker(around.format("1"), int(letters), found.end(), found[1])
    elif len(letters) == 1:
        yield _Marker(around.format(case), ascii_lowercase.index(letters) + 1, found.end(), found[1])
    if set(letters) <= set(_ROMAN):
        yield _Marker(around.format("I" if case == "A" else "i"), _roman(letters), found.end(), found[1])


def _roman(letters: str) -> int:
    values = [_ROMAN[letter] for letter in letters]
    return sum(-one if one < beyond else one for one, beyond in zip(values, [*values[1:], 0], strict=True))


def _rows(lines: Sequence[str]) -> dict[int, int]:
    """Return which lines are rows of columns, and at which letter their columns begin."""
    found: dict[int, int] = {}
    group: list[int] = []
    cells: list[tuple[int, int]] = []

    def end() -> None:
        rows = [at for at in group if not _RULE.fullmatch(lines[at])]
        if len(rows) > 1:
            left = min(len(lines[at]) - len(lines[at].lstrip()) for at in group)
            found.update(dict.fromkeys(group, left))
        group.clear()

    for at, line in enumerate(lines):
        if _RULE.fullmatch(line):
            if group:
                group.append(at)
            continue
        own = _cells(line)
        if not own or (group and not _agree(cells, own)):
            end()
        if own:
            group.append(at)
            cells = own
    end()
    return found


def _cells(line: str) -> list[tuple[int, int]]:
    """Return where the columns of a line begin and end, but for the first; none if it has no columns."""
    if line.lstrip().startswith("|") and line.endswith("|"):
        return [(-1, -1)]
    item = _BULLET.match(line) or _NUMBERED.match(line) or _LETTERED.match(line)
    gaps = list(_GAP.finditer(line, item.end() if item else len(line) - len(line.lstrip())))
    ends = [gap.start() for gap in gaps[1:]]
    return list(zip((gap.end() for gap in gaps), [*ends, len(line)], strict=True)) if gaps else []


def _agree(one: list[tuple[int, int]], other: list[tuple[int, int]]) -> bool:
    """Tell whether two rows have the same columns: what one has begins or ends where it does in the other."""
    few, many = sorted((one, other), key=len)
    begins, ends = {begin for begin, _ in many}, {end for _, end in many}
    return all(begin in begins or end in ends for begin, end in few)
