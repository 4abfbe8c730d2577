"""Wording as elements, and what a change does to it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import product
from typing import Literal, Protocol
from xml.etree.ElementTree import Element

from nomic_nb.engine.frozen import frozen
from nomic_nb.notebook.markup.layout import Block, blocks
from nomic_nb.notebook.markup.tree import Child, el, put, subhead

Mark = Literal["", "ins", "del"]
#: Words, and whether they are kept.
Run = tuple[Mark, str]
#: What happens to which part of an old sequence and of a new one, as `difflib` has it.
Code = tuple[str, int, int, int, int]

_WORD = re.compile(r"\s*(?:\w+(?:[-'’./]\w+)*|[^\w\s])")
#: What can come after the end of a sentence and belong to it.
_CLOSING = frozenset("”’\"')]»")
#: Below this likeness a passage is shown as one struck out and one put in, not as a patchwork of words.
ALIKE = 0.4
#: Pairs of equal words in two passages; beyond it they are not compared, so that nobody can make the page slow.
MOST_PAIRS = 20_000
#: Pairs of blocks in two texts; beyond it, blocks that are there again and again are not compared.
MANY = 10_000


@frozen
class Passage:
    """A block whose words are kept, put in or struck out."""

    block: Block
    runs: tuple[Run, ...]


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
    # Items whose numbers or letters change as others come before them are the same items.
    then, now = [one.words for one in old], [one.words for one in new]
    found: list[Passage] = []
    for what, from_old, to_old, from_new, to_new in _codes(then, now, most=MANY):
        if what == "equal":
            pairs = zip(old[from_old:to_old], new[from_new:to_new], strict=True)
            found += [_kept(one) if one.text == was.text else _reworded(was, one) for was, one in pairs]
        else:
            found += _replaced(old[from_old:to_old], new[from_new:to_new])
    return found


def _codes(old: Sequence[Hashable], new: Sequence[Hashable], most: int | None = None) -> list[Code]:
    """Compare two sequences, from what is equal at the beginning to what is at the end, even if that is nothing.

    Beyond so many pairs, what is there again and again, such as the same clause, tells nothing.
    """
    front = _alike(old, new)  # most of a long text is not touched, and goes by at once
    back = _alike(old[front:][::-1], new[front:][::-1])
    then, now = old[front : len(old) - back], new[front : len(new) - back]
    many = most is not None and len(then) * len(now) > most
    middle = SequenceMatcher(None, then, now, autojunk=many).get_opcodes()
    codes: list[Code] = [("equal", 0, front, 0, front)]
    codes += [(what, one + front, two + front, three + front, four + front) for what, one, two, three, four in middle]
    return [*codes, ("equal", len(old) - back, len(old), len(new) - back, len(new))]


def _alike(old: Sequence[Hashable], new: Sequence[Hashable]) -> int:
    """Return how many at the beginning are the same."""
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
    # What comes to be an item, or to be within another, is another passage, even in the same words.
    alike = ((_likeness(old[i].text, new[j].text), -i, -j) for i, j in pairs if old[i].place == new[j].place)
    likeness, i, j = max(alike, default=(0.0, 0, 0))
    i, j = -i, -j
    if likeness <= ALIKE:
        yield from (Passage(one, (("del", one.text),)) for one in old)
        yield from (Passage(one, (("ins", one.text),)) for one in new)
        return
    yield from _replaced(old[:i], new[:j])
    yield _reworded(old[i], new[j])
    yield from _replaced(old[i + 1 :], new[j + 1 :])


def _likeness(old: str, new: str) -> float:
    a, b = ([word.strip() for word in _WORD.findall(text)] for text in (old, new))
    counts = Counter(b)
    if sum(counts[word] for word in a) > MOST_PAIRS:
        return 0.0
    return SequenceMatcher(None, a, b, autojunk=False).ratio()


def _reworded(old: Block, new: Block) -> Passage:
    return Passage(new, tuple(_runs(_tokens(old.text), _tokens(new.text))))


def _tokens(text: str) -> list[str]:
    """Return the words of a text, each with a blank before it, the first as well, so that it is like the others."""
    return _WORD.findall(f" {text}")


def _runs(old: list[str], new: list[str]) -> Iterator[Run]:
    kept, struck, added = "", "", ""
    codes = _slid(_codes(old, new), old, new)
    made: list[Run] = []
    for at, (what, from_old, to_old, from_new, to_new) in enumerate(codes):
        before, after = "".join(old[from_old:to_old]), "".join(new[from_new:to_new])
        # One short word between two changes reads better as part of them.
        lone = what == "equal" and 0 < at < len(codes) - 1 and to_new - from_new == 1 and len(after.strip()) <= 3
        if what == "equal" and not lone:
            made += _change(kept, struck, added)
            kept, struck, added = after, "", ""
        else:
            struck, added = struck + before, added + after
    return _without_first_blank([*made, *_change(kept, struck, added)])


def _without_first_blank(runs: list[Run]) -> Iterator[Run]:
    """Yield runs without the blank before each side's first word; what comes before a kept word ends with it."""
    first = next((at for at, (mark, _) in enumerate(runs) if not mark), len(runs))
    one_side = first == 1 and len(runs) > 1
    for at, (mark, text) in enumerate(runs):
        begins = at < first or (at == first and first != 2)
        said = f"{text[1:]}{' ' if one_side and at < first else ''}" if begins else text
        if said:
            yield mark, said


def _change(kept: str, struck: str, added: str) -> Iterator[Run]:
    if struck.startswith(" ") and added.startswith(" "):  # the blank before both belongs to neither
        kept, struck, added = f"{kept} ", struck[1:], added[1:]
    runs: tuple[Run, ...] = (("", kept), ("del", struck), ("ins", added))
    yield from (run for run in runs if run[1])


def _slid(codes: list[Code], old: list[str], new: list[str]) -> list[Code]:
    """Return a comparison in which what was put in, or struck out, begins where a sentence does, or else a clause.

    Among words that are there several times it could as well begin a few words earlier or later.
    """
    made = list(codes)
    for at in range(1, len(made) - 1):
        what, *place = made[at]
        if what in ("insert", "delete"):
            words, begin, end = (new, place[2], place[3]) if what == "insert" else (old, place[0], place[1])
            shift = _best_shift(words, begin, end, made[at - 1], made[at + 1])
            one, two, three, four = place
            before, after = made[at - 1], made[at + 1]
            made[at - 1] = (before[0], before[1], before[2] + shift, before[3], before[4] + shift)
            made[at] = (what, one + shift, two + shift, three + shift, four + shift)
            made[at + 1] = (after[0], after[1] + shift, after[2], after[3] + shift, after[4])
    return [code for code in made if code[2] > code[1] or code[4] > code[3]]


def _best_shift(words: list[str], begin: int, end: int, before: Code, after: Code) -> int:
    """Return by how many words a change can move so that it begins best; as little as that takes."""
    least = most = 0
    while -least < before[2] - before[1] and words[begin + least - 1] == words[end + least - 1]:
        least -= 1
    while most < after[2] - after[1] and words[begin + most] == words[end + most]:
        most += 1
    return max(range(least, most + 1), key=lambda shift: (_starts(words, begin + shift), -abs(shift)))


def _starts(words: list[str], at: int) -> int:
    """Tell how well a change can begin at a word: at a sentence, at a clause, or anywhere."""
    before = at - 1
    while before > 0 and words[before] in _CLOSING:
        before -= 1
    sign = words[before].strip() if before >= 0 else "."
    return 2 if sign in ".!?" else 1 if sign in ",;:–—(" else 0


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


def passages(found: Iterable[Passage]) -> list[Element]:
    """Return passages as paragraphs and lists, with what changed marked as such."""
    top = el("div")
    #: The lists that are open, each within the last item of the one before it.
    lists: list[tuple[str, Element]] = []
    for one in found:
        kind, marked = one.block.kind, _marked(one)
        depth = min(one.block.depth, sum(name in _ITEMS for name, _ in lists))
        parent = lists[depth - 1][1][-1] if depth else top
        if kind not in _LISTS:
            del lists[depth:]
            put(parent, el("p", marked))
            continue
        if kind != next((name for name, _ in lists[depth:]), ""):
            tag, cls = _LISTS[kind]
            del lists[depth:]
            lists.append((kind, el(tag, cls=cls)))
            put(parent, lists[-1][1])
        del lists[depth + 1 :]
        within = lists[depth][1]
        if kind == "row":
            put(within, "\n" if len(within) else None, el("code", marked))
        else:
            item = el("li", el("code", marked) if kind == "law" else marked)
            if kind == "ol":
                item.set("value", str(one.block.number))
            put(within, item)
    return list(top)


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
