"""Wording as elements, and what a change does to it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import product
from string import ascii_lowercase
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeAlias
from xml.etree.ElementTree import Element

from nomic_nb.engine.frozen import frozen
from nomic_nb.notebook.markup.tree import Child, append_children, build_element, subheading

if TYPE_CHECKING:
    from markdown_it.token import Token


# ----------------------------------------------------------------------------------------- the layout of a wording


_BULLET, _NUMBERED = re.compile(r"\s*[-*•]\s+(?=\S)"), re.compile(r"\s*(\d{1,4})[.)]\s+(?=\S)")
_ITEM_PATTERN = re.compile(r"\s*((\()?(\d{1,4}|[A-Za-z]|[ivxl]{2,6}|[IVXL]{2,6})([.)]))\s+(?=\S)")
#: What parts columns: more blanks than people type after a full stop.
_GAP = re.compile(r"(?<=[^\s.!?:;,]) {2,}(?=\S)|(?<=[.!?:;,]) {3,}(?=\S)")
#: A line between rows of columns.
_RULE = re.compile(r"\s*[-=_+|][-=_+|: ]{2,}")
#: Points that may be within one another, so nobody can make a page deeper than it is wide.
DEEPEST_LIST = 6
_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10, "l": 50}


@frozen
class ProseBlock:
    """A block of text: a paragraph, a list item, a row of columns, or a clause of a law.

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
    def kind_and_depth(self) -> tuple[str, int]:
        """The kind of the block, such as “p” or “ol”, and the number of list items it is nested in."""
        return self.kind, self.depth

    @property
    def content_key(self) -> tuple[str, int, str]:
        """Kind, depth and text without the item's letter, (a) or (b): equal for blocks that say the same."""
        return *self.kind_and_depth, self.text[self.mark :]


class _Marker(NamedTuple):
    """The bullet, number or letter at the start of a line that makes it a list item."""

    #: Those of one list have the same: ``-``, ``1``, ``(a)``, ``I.``
    style: str
    value: int
    #: Letters of the line before what it says.
    width: int
    #: As it is written, where it is kept.
    said: str = ""


class _OpenItem(NamedTuple):
    """A list item that the next lines may still belong to: its indent, style and number."""

    indent: int
    style: str
    value: int


def read_blocks(text: str) -> tuple[ProseBlock, ...]:
    r"""Split a text into blocks: paragraphs, list items and table rows.

    What is further to the right than an item belongs to it.

    Examples
    --------
    >>> [(one.kind, one.text) for one in read_blocks("Two parts:\n\n1. a vote,\n   and\n2. a throw.")]
    [('p', 'Two parts:'), ('ol', 'a vote, and'), ('ol', 'a throw.')]
    >>> [(one.depth,
    ... one.text) for one in read_blocks("1. Either\n   (a) this\n   (b) or that.\n\n   At once.\n2. Or not.")]
    [(0, 'Either'), (1, '(a) this'), (1, '(b) or that.'), (1, 'At once.'), (0, 'Or not.')]
    """
    return tuple(_BlockReader([line.expandtabs(8).rstrip() for line in text.splitlines()]).read_blocks())


class _BlockReader:
    """Reads the lines of a text, and splits them into paragraphs, list items and rows of columns."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        #: All points that lines could begin: one that nothing follows is none.
        self.written = {(style, value) for line in lines for style, value, *_ in _possible_markers(line)}
        self.open: list[_OpenItem] = []
        #: The last number or letter of each kind of list that has ended, but for what the lines below may go on with.
        self.last: dict[str, int] = {}
        #: What the line before belongs to: a kind of block, or nothing after a blank line.
        self.within = ""

    def read_blocks(self) -> Iterator[ProseBlock]:
        """Yield the blocks of the text: paragraphs, list items and table rows."""
        current_block: ProseBlock | None = None
        rows = _table_row_indents(self.lines)
        for at, line in enumerate(self.lines):
            if not line:
                self.within = ""
                continue
            block, text = self.read_row(line, rows[at]) if at in rows else self.read_line(line)
            if block is None and current_block is not None:
                current_block = replace(current_block, text=f"{current_block.text} {text}".strip())
                continue
            if current_block is not None:
                yield current_block
            current_block = block
        if current_block is not None:
            yield current_block

    def read_row(self, line: str, indent: int) -> tuple[ProseBlock | None, str]:
        """Return a table line as a row block, without the table's `indent`, paired with “” to match `read_line`."""
        self.within = "row"
        return ProseBlock("row", line[indent:], depth=self.depth_at_indent(indent)), ""

    def read_line(self, line: str) -> tuple[ProseBlock | None, str]:
        """Return the block that a line begins, or None if it continues the block before, and the line's text."""
        indent = len(line) - len(line.lstrip())
        marker = self.find_marker(line)
        if marker is not None:
            depth = self.enter_item(indent, marker)
            text = " ".join(line[marker.width :].split())
            self.within = "ul" if marker.style == "-" else "points" if marker.said else "ol"
            if marker.said:
                return ProseBlock(self.within, f"{marker.said} {text}", depth=depth, mark=len(marker.said) + 1), text
            return ProseBlock(self.within, text, max(marker.value, 0) if self.within == "ol" else 0, depth), text
        text = " ".join(line.split())
        outside = self.within != "p" and bool(self.open) and indent < self.open[-1].indent
        if self.within and self.within != "row" and not outside:
            return None, text
        self.within = "p"
        return ProseBlock("p", text, depth=self.depth_at_indent(indent)), text

    def find_marker(self, line: str) -> _Marker | None:
        """Return the bullet, number or letter that makes a line a list item; None if it is no list item."""
        bullet, numbered = _BULLET.match(line), _NUMBERED.match(line)
        if bullet:
            return _Marker("-", 0, bullet.end())
        if numbered:
            value = int(numbered[1])
            # A year at the start of a line begins no list.
            if self.within != "p" or value == 1 or self.last.get("1") == value - 1:
                return _Marker("1", value, numbered.end())
            return None
        markers = list(_possible_markers(line))
        steps = [(marker.value - self.last.get(marker.style, marker.value), marker) for marker in markers]
        begins = sorted(
            (marker for marker in markers if (marker.style, marker.value + 1) in self.written),
            key=lambda marker: marker.value,
        )
        likely = [
            [marker for step, marker in steps if step == 1],
            begins,
            [marker for step, marker in steps if 1 < step <= 3],
        ]
        return next((marker for some in likely for marker in some), None)

    def enter_item(self, indent: int, marker: _Marker) -> int:
        """Open a list item at an indent, closing those that end there; return how many items it is nested in."""
        while self.open:
            above = self.open[-1]
            right = indent - above.indent
            alike = above.style == marker.style
            if alike and (-1 <= right <= 1 or (right > 1 and marker.value == above.value + 1 > 1)):
                self.open.pop()  # the item before it in its list
                break
            if right > 0 or (right == 0 and self.is_nested_at_same_indent(marker, above)):
                break
            self.open.pop()
        depth = len(self.open)
        if depth < DEEPEST_LIST:
            self.open.append(_OpenItem(indent, marker.style, marker.value))
        here = {open_item.style for open_item in self.open}
        self.last = {style: value for style, value in self.last.items() if style in here} | {marker.style: marker.value}
        return depth

    def is_nested_at_same_indent(self, marker: _Marker, above: _OpenItem) -> bool:
        """Tell whether an item belongs inside the open one above it though not indented, as (a) after 2."""
        below = bool(marker.said) or (bool(self.within) and above.style != "-")
        return below and marker.style not in {open_item.style for open_item in self.open}

    def depth_at_indent(self, indent: int) -> int:
        """Close the list items that a line at an indent is not part of; return how many stay open."""
        while self.open and indent <= self.open[-1].indent:
            self.open.pop()
        return len(self.open)


def _possible_markers(line: str) -> Iterator[_Marker]:
    """Yield the ways to read the start of a line as a list marker: as (1), a letter or a Roman numeral."""
    match = _ITEM_PATTERN.match(line)
    if match is None or (match[3].isdigit() and not match[2]) or (match[2] and match[4] == "."):
        return
    letters, around = match[3].lower(), f"{match[2] or ''}{{}}{match[4]}"
    case = "A" if match[3].isupper() else "a"
    if letters.isdigit():
        yield _Marker(around.format("1"), int(letters), match.end(), match[1])
    elif len(letters) == 1:
        yield _Marker(around.format(case), ascii_lowercase.index(letters) + 1, match.end(), match[1])
    if set(letters) <= set(_ROMAN_DIGITS):
        yield _Marker(around.format("I" if case == "A" else "i"), _roman_value(letters), match.end(), match[1])


def _roman_value(letters: str) -> int:
    """Return the number that a Roman numeral in lower case, such as “iv”, represents."""
    values = [_ROMAN_DIGITS[letter] for letter in letters]
    return sum(-value if value < beyond else value for value, beyond in zip(values, [*values[1:], 0], strict=True))


def _table_row_indents(lines: Sequence[str]) -> dict[int, int]:
    """Return, by line index, the left indent of the table that a line belongs to; other lines are left out."""
    row_indents = {}
    group: list[int] = []
    cells: list[tuple[int, int]] = []

    def end() -> None:
        rows = [at for at in group if not _RULE.fullmatch(lines[at])]
        if len(rows) > 1:
            left = min(len(lines[at]) - len(lines[at].lstrip()) for at in group)
            row_indents.update(dict.fromkeys(group, left))
        group.clear()

    for at, line in enumerate(lines):
        if _RULE.fullmatch(line):
            if group:
                group.append(at)
            continue
        own = _column_bounds(line)
        if not own or (group and not _have_same_columns(cells, own)):
            end()
        if own:
            group.append(at)
            cells = own
    end()
    return row_indents


def _column_bounds(line: str) -> list[tuple[int, int]]:
    """Return (start, end) of each column after a line's first; [] without columns, [(-1, -1)] if “|” parts them."""
    if line.lstrip().startswith("|") and line.endswith("|"):
        return [(-1, -1)]
    item = _BULLET.match(line) or _NUMBERED.match(line) or _ITEM_PATTERN.match(line)
    gaps = list(_GAP.finditer(line, item.end() if item else len(line) - len(line.lstrip())))
    ends = [gap.start() for gap in gaps[1:]]
    return list(zip((gap.end() for gap in gaps), [*ends, len(line)], strict=True)) if gaps else []


def _have_same_columns(row: list[tuple[int, int]], other: list[tuple[int, int]]) -> bool:
    """Tell whether two table rows line up: each column of the one with fewer starts or ends as in the other."""
    few, many = sorted((row, other), key=len)
    begins, ends = {begin for begin, _ in many}, {end for _, end in many}
    return all(begin in begins or end in ends for begin, end in few)


# --------------------------------------------------------------------------------------------- wording as elements


ChangeMark = Literal["", "ins", "del"]
#: Words, and whether they are kept.
MarkedRun = tuple[ChangeMark, str]
#: What happens to which part of an old sequence and of a new one, as `difflib` has it.
DiffCode = tuple[str, int, int, int, int]

WORD_PATTERN = re.compile(r"\s*(?:\w+(?:[-'’./]\w+)*|[^\w\s])")
#: What can come after the end of a sentence and belong to it.
_CLOSING = frozenset("”’\"')]»")
#: Below this likeness a passage is shown as one struck out and one put in, not as a patchwork of words.
LEAST_LIKENESS = 0.4
#: Pairs of equal words in two passages; beyond it they are not compared, so nobody can make the page slow.
MOST_PAIRS = 20_000
#: Pairs of blocks in two texts; beyond it, blocks that are there again and again are not compared.
MOST_WORDS = 10_000


@frozen
class ChangedPassage:
    """A block of a text with its words in runs, each with a mark, such as kept, struck out or put in."""

    block: ProseBlock
    runs: tuple[tuple[str, str], ...]


def clause_blocks(law: str) -> tuple[ProseBlock, ...]:
    r"""Return each line of a law as a block that keeps its indent; blank lines are left out.

    Examples
    --------
    >>> for block in clause_blocks('draft half: "Half."\n    set vote.duty to true\nallow vote'):
    ...     print(block.text)
    draft half: "Half."
        set vote.duty to true
    allow vote
    """
    return tuple(ProseBlock("law", line.expandtabs(4).rstrip()) for line in law.splitlines() if line.strip())


# ----------------------------------------------------------------------------------------- what changes


def compare_texts(old: Sequence[ProseBlock], new: Sequence[ProseBlock]) -> list[ChangedPassage]:
    """Compare two texts; return the passages of both, with their words marked as kept, struck out or put in.

    Reading what is kept and put in gives the new text, reading what is kept and struck out the old one.

    Examples
    --------
    >>> compare_texts(read_blocks("All must agree."), read_blocks("Most must agree."))[0].runs
    (('del', 'All'), ('ins', 'Most'), ('', ' must agree.'))
    """
    # Items whose numbers or letters change as others come before them are the same items.
    then, now = [block.content_key for block in old], [block.content_key for block in new]
    changed_passages = []
    for what, from_old, to_old, from_new, to_new in _diff_codes(then, now, max_pairs=MOST_WORDS):
        if what == "equal":
            pairs = zip(old[from_old:to_old], new[from_new:to_new], strict=True)
            changed_passages += [
                _unchanged_passage(block) if block.text == was.text else _reworded_passage(was, block)
                for was, block in pairs
            ]
        else:
            changed_passages += _pair_similar_blocks(old[from_old:to_old], new[from_new:to_new])
    return changed_passages


def _diff_codes(old: Sequence[Hashable], new: Sequence[Hashable], max_pairs: int | None = None) -> list[DiffCode]:
    """Return difflib edits with an equal part, perhaps empty, at each end; rougher above `max_pairs` pairs of items.

    With more than `max_pairs` pairs of items, an item that occurs again and again, such as one clause, begins no match.
    """
    front = _count_common_start(old, new)  # most of a long text is not touched, and goes by at once
    back = _count_common_start(old[front:][::-1], new[front:][::-1])
    then, now = old[front : len(old) - back], new[front : len(new) - back]
    many = max_pairs is not None and len(then) * len(now) > max_pairs
    middle = SequenceMatcher(None, then, now, autojunk=many).get_opcodes()
    codes = [("equal", 0, front, 0, front)]
    codes += [(what, one + front, two + front, three + front, four + front) for what, one, two, three, four in middle]
    return [*codes, ("equal", len(old) - back, len(old), len(new) - back, len(new))]


def _count_common_start(old: Sequence[Hashable], new: Sequence[Hashable]) -> int:
    """Return how many items two sequences have in common at their start."""
    return next(
        (at for at, (hashable, other) in enumerate(zip(old, new, strict=False)) if hashable != other),
        min(len(old), len(new)),
    )


def _unchanged_passage(block: ProseBlock) -> ChangedPassage:
    """Return a block as a passage without any changed word."""
    return ChangedPassage(block, (("", block.text),))


def has_changes(passages: Iterable[ChangedPassage]) -> bool:
    """Tell whether any passage has words that are struck out or put in."""
    return any(mark for changed_passage in passages for mark, _ in changed_passage.runs)


def _pair_similar_blocks(old: Sequence[ProseBlock], new: Sequence[ProseBlock]) -> Iterator[ChangedPassage]:
    """Match similar old and new blocks; yield matches as reworded, the rest as struck out or put in."""
    pairs = product(range(len(old)), range(len(new))) if len(old) * len(new) <= 100 else ()
    # What comes to be an item, or to be within another, is another passage, even in the same words.
    alike = (
        (_word_similarity(old[i].text, new[j].text), -i, -j)
        for i, j in pairs
        if old[i].kind_and_depth == new[j].kind_and_depth
    )
    likeness, i, j = max(alike, default=(0.0, 0, 0))
    i, j = -i, -j
    if likeness <= LEAST_LIKENESS:
        yield from (ChangedPassage(block, (("del", block.text),)) for block in old)
        yield from (ChangedPassage(block, (("ins", block.text),)) for block in new)
        return
    yield from _pair_similar_blocks(old[:i], new[:j])
    yield _reworded_passage(old[i], new[j])
    yield from _pair_similar_blocks(old[i + 1 :], new[j + 1 :])


def _word_similarity(old: str, new: str) -> float:
    """Return how similar two texts are word by word, from 0 to 1; 0 if there are too many words to compare."""
    a, b = ([word.strip() for word in WORD_PATTERN.findall(text)] for text in (old, new))
    counts = Counter(b)
    if sum(counts[word] for word in a) > MOST_PAIRS:
        return 0.0
    return SequenceMatcher(None, a, b, autojunk=False).ratio()


def _reworded_passage(old: ProseBlock, new: ProseBlock) -> ChangedPassage:
    """Return a new block as a passage that marks the words changed from an old block."""
    return ChangedPassage(new, tuple(_diff_runs(_split_words(old.text), _split_words(new.text))))


def _split_words(text: str) -> list[str]:
    """Return the words and punctuation marks of a text, each with the space before it, the first too."""
    return WORD_PATTERN.findall(f" {text}")


def _diff_runs(old: list[str], new: list[str]) -> Iterator[MarkedRun]:
    """Yield runs of text, each marked as kept, struck out or put in, that turn the old words into the new."""
    kept, struck, added = "", "", ""
    codes = _shift_changes(_diff_codes(old, new), old, new)
    runs: list[MarkedRun] = []
    for at, (what, from_old, to_old, from_new, to_new) in enumerate(codes):
        before, after = "".join(old[from_old:to_old]), "".join(new[from_new:to_new])
        # One short word between two changes reads better as part of them.
        lone = what == "equal" and 0 < at < len(codes) - 1 and to_new - from_new == 1 and len(after.strip()) <= 3
        if what == "equal" and not lone:
            runs += _runs_of_change(kept, struck, added)
            kept, struck, added = after, "", ""
        else:
            struck, added = struck + before, added + after
    return _without_first_blank([*runs, *_runs_of_change(kept, struck, added)])


def _without_first_blank(runs: list[MarkedRun]) -> Iterator[MarkedRun]:
    """Yield marked runs without the space that begins the old text and the new one."""
    first = next((at for at, (mark, _) in enumerate(runs) if not mark), len(runs))
    one_side = first == 1 and len(runs) > 1
    for at, (mark, text) in enumerate(runs):
        begins = at < first or (at == first and first != 2)
        sentence = f"{text[1:]}{' ' if one_side and at < first else ''}" if begins else text
        if sentence:
            yield mark, sentence


def _runs_of_change(kept: str, struck: str, added: str) -> Iterator[MarkedRun]:
    """Yield the texts that are not empty as marked runs; a space that begins both `struck` and `added` is kept."""
    if struck.startswith(" ") and added.startswith(" "):  # the blank before both belongs to neither
        kept, struck, added = f"{kept} ", struck[1:], added[1:]
    runs: tuple[MarkedRun, ...] = (("", kept), ("del", struck), ("ins", added))
    yield from (run for run in runs if run[1])


def _shift_changes(codes: list[DiffCode], old: list[str], new: list[str]) -> list[DiffCode]:
    """Return difflib edits, shifted where possible so that each begins at a sentence or clause.

    Among words that are there several times it could as well begin a few words earlier or later.
    """
    shifted_codes = list(codes)
    for at in range(1, len(shifted_codes) - 1):
        what, *place = shifted_codes[at]
        if what in ("insert", "delete"):
            words, begin, end = (new, place[2], place[3]) if what == "insert" else (old, place[0], place[1])
            shift = _best_shift(words, begin, end, shifted_codes[at - 1], shifted_codes[at + 1])
            one, two, three, four = place
            before, after = shifted_codes[at - 1], shifted_codes[at + 1]
            shifted_codes[at - 1] = (before[0], before[1], before[2] + shift, before[3], before[4] + shift)
            shifted_codes[at] = (what, one + shift, two + shift, three + shift, four + shift)
            shifted_codes[at + 1] = (after[0], after[1] + shift, after[2], after[3] + shift, after[4])
    return [code for code in shifted_codes if code[2] > code[1] or code[4] > code[3]]


def _best_shift(words: list[str], begin: int, end: int, before: DiffCode, after: DiffCode) -> int:
    """Return by how many words (negative: back) to move an edit, words[begin:end], to begin a sentence or clause.

    `before` and `after` are the unchanged parts beside the edit. Of shifts that are as good, the shortest is returned.
    """
    least = most = 0
    while -least < before[2] - before[1] and words[begin + least - 1] == words[end + least - 1]:
        least -= 1
    while most < after[2] - after[1] and words[begin + most] == words[end + most]:
        most += 1
    return max(range(least, most + 1), key=lambda shift: (_rate_change_start(words, begin + shift), -abs(shift)))


def _rate_change_start(words: list[str], at: int) -> int:
    """Rate the word at index `at` as the start of an edit: 2 begins a sentence, 1 a clause, 0 neither."""
    before = at - 1
    while before > 0 and words[before] in _CLOSING:
        before -= 1
    sign = words[before].strip() if before >= 0 else "."
    return 2 if sign in ".!?" else 1 if sign in ",;:–—(" else 0


# ------------------------------------------------------------------------------------------ as elements


def prose_elements(text: str, draw: Callable[[str], Child] = str) -> list[Element]:
    """Return a text as HTML elements: paragraphs, lists and table rows; `draw` draws the words in them."""
    return passage_elements(map(_unchanged_passage, read_blocks(text)), lambda _mark, words: draw(words))


def wording_section(text: str, cls: str = "wording") -> Element:
    """Return a text as a ``div`` of paragraphs and lists, with the given CSS classes."""
    return build_element("div", prose_elements(text), cls=cls)


def clause_list(law: str) -> list[Element]:
    """Return a law's clauses as one HTML list, alone in a Python list; empty if there are no clauses."""
    return passage_elements(map(_unchanged_passage, clause_blocks(law)))


#: What kinds of blocks are items of, and the class of that.
_LISTS = {
    "ul": ("ul", ""),
    "ol": ("ol", ""),
    "points": ("ul", "lettered"),
    "row": ("pre", "rows"),
    "law": ("ul", "clauses"),
}
#: In which further blocks can be.
_ITEMS = ("ul", "ol", "points")


def _changed_words(mark: str, text: str) -> Child:
    """Return words in the ``ins`` or ``del`` element that is their mark; without a mark, as they are."""
    return build_element(mark, text) if mark else text


def passage_elements(
    changed_passages: Iterable[ChangedPassage],
    draw_run: Callable[[str, str], Child] = _changed_words,
    paragraph: str = "p",
) -> list[Element]:
    """Return passages as paragraphs and lists; `draw_run` draws words with a mark, by default in ``ins`` or ``del``."""
    top = build_element("div")
    #: The lists that are open, each within the last item of the one before it.
    lists: list[tuple[str, Element]] = []
    for changed_passage in changed_passages:
        kind, marked = changed_passage.block.kind, [draw_run(*run) for run in changed_passage.runs]
        depth = min(changed_passage.block.depth, sum(name in _ITEMS for name, _ in lists))
        parent = lists[depth - 1][1][-1] if depth else top
        if kind not in _LISTS:
            del lists[depth:]
            append_children(parent, build_element(paragraph, marked))
            continue
        if kind != next((name for name, _ in lists[depth:]), ""):
            tag, cls = _LISTS[kind]
            del lists[depth:]
            lists.append((kind, build_element(tag, cls=cls)))
            append_children(parent, lists[-1][1])
        del lists[depth + 1 :]
        within = lists[depth][1]
        if kind == "row":
            append_children(within, "\n" if len(within) else None, build_element("code", marked))
        else:
            item = build_element("li", build_element("code", marked) if kind == "law" else marked)
            if kind == "ol":
                item.set("value", str(changed_passage.block.number))
            append_children(within, item)
    return list(top)


class HasWording(Protocol):
    """Anything with a wording for people and clauses that run, such as a rule."""

    @property
    def wording(self) -> str:
        """The text of the rule that people read."""

    @property
    def law(self) -> str:
        """The text of the clauses that the game runs."""


def redline_elements(
    old: HasWording | None, new: HasWording | None, *about: Child, cls: str = "redline quoted"
) -> Element | None:  # fmt: skip
    """Return a redline of two rules' wording and clauses, below the elements `about`; None if they are equal.

    Parameters
    ----------
    old, new : Worded or None
        None is what is not there.
    *about : Child
        What comes before them.
    cls : str
        Of what holds them.
    """
    parts: list[Child] = []
    wording = compare_texts(read_blocks(old.wording if old else ""), read_blocks(new.wording if new else ""))
    law = compare_texts(clause_blocks(old.law if old else ""), clause_blocks(new.law if new else ""))
    if has_changes(wording):
        parts.append(build_element("div", passage_elements(wording), cls="wording"))
    if has_changes(law):
        parts += [subheading("Clauses"), passage_elements(law)]
    return build_element("div", *about, parts, cls=cls) if parts else None


# -------------------------------------------------------------------------------------- pages of Markdown as trees


#: Gives the id of a heading of a page.
LinkTarget: TypeAlias = "Callable[[str], str]"
#: Makes a link of an address in a page, with these words.
LinkMaker: TypeAlias = "Callable[[str, list[Child]], Child]"

#: What a page has within its lines and around them, and is shown as it is.
_TAGS = {"strong", "em", "p", "ul", "ol", "li", "blockquote", "table", "thead", "tbody", "tr", "th", "td"}
#: The highest heading of a page is below those of a notebook.
_LEVELS = {"h1": "h3", "h2": "h4", "h3": "h5", "h4": "h5"}


def heading_slug(heading: str) -> str:
    """Return the anchor that GitHub gives a heading: lower case, hyphens for spaces, no punctuation.

    Examples
    --------
    >>> heading_slug("What cannot be said, and what to do instead")
    'what-cannot-be-said-and-what-to-do-instead'
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def page_elements(text: str, heading_id: LinkTarget, make_link: LinkMaker) -> list[Element]:
    """Return a Markdown page as HTML elements; `heading_id` gives the id for a heading's slug, `make_link` a link.

    Parameters
    ----------
    text : str
        Markdown: headings, paragraphs, lists, quotations, tables, blocks of code, and what stands within a line.
    heading_id : callable
        Gives the id of a heading from what a link calls it.
    make_link : callable
        Makes a link of an address and its words.

    Raises
    ------
    ValueError
        Something else is there.

    Examples
    --------
    >>> from nomic_nb.notebook.markup.tree import element_html
    >>> [made] = page_elements("Read *on*: [there](there.md).", str, lambda address, said: build_element("a", said,
    ... href="#there"))
    >>> element_html(made)
    '<p>Read <em>on</em>: <a href="#there">there</a>.</p>'
    """
    from markdown_it import MarkdownIt

    tokens = iter(MarkdownIt("commonmark", {"html": False}).enable("table").parse(text))
    return [token for token in _token_elements(tokens, heading_id, make_link) if isinstance(token, Element)]


def _token_elements(tokens: Iterator[Token], heading_id: LinkTarget, make_link: LinkMaker) -> Iterator[Child]:
    """Yield Markdown tokens as elements and texts, up to the end of the open block; callables as in `page_elements`."""
    for token in tokens:
        if token.nesting < 0:
            return
        match token.type.removesuffix("_open"):
            case "text":
                yield token.content
            case "softbreak" | "hardbreak":
                yield " "
            case "inline":
                yield list(_token_elements(iter(token.children or ()), heading_id, make_link))
            case "code_inline":
                yield build_element("code", token.content)
            case "fence" | "code_block":
                yield build_element("pre", build_element("code", token.content))
            case "link":
                yield make_link(str(token.attrs["href"]), list(_token_elements(tokens, heading_id, make_link)))
            case "heading":
                element = build_element(_LEVELS[token.tag], list(_token_elements(tokens, heading_id, make_link)))
                element.set("id", heading_id(heading_slug("".join(element.itertext()))))
                yield element
            case kind if token.tag not in _TAGS:
                raise ValueError(f"pages have no {kind}")
            case _ if token.hidden:  # a paragraph in a list whose items have one line each
                yield from _token_elements(tokens, heading_id, make_link)
            case "table":
                yield build_element(
                    "div", build_element("table", list(_token_elements(tokens, heading_id, make_link))), cls="scroll"
                )
            case _:
                yield build_element(token.tag, list(_token_elements(tokens, heading_id, make_link)))
