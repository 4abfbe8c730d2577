"""What a change does to the words of a rule."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from nomic_nb.law.rules import Number, Rule

#: What becomes of some words: kept, put in, struck out.
Mark = Literal["", "ins", "del"]
Run = tuple[Mark, str]

_WORD = re.compile(r"\s*\S+")
_BREAK = re.compile(r"(?<!\n)\n(?!\n|\s*(?:[-*•]|\d+[.)])\s)[ \t]*")
#: Words of both texts together; beyond it a text is struck out whole and the other put in.
MOST_WORDS = 3_000
#: Texts less alike than this are told whole, and not as a patchwork of words.
ALIKE = 0.4


def words_changed(old: str, new: str) -> tuple[Run, ...]:
    """Compare two texts word by word.

    What is kept and put in gives the new text, what is kept and struck out the old one.

    Examples
    --------
    >>> words_changed("All must agree.", "Most must agree.")
    (('del', 'All'), ('ins', 'Most'), ('', ' must agree.'))
    """
    if old == new:
        return (("", old),) if old else ()
    return tuple(_merged(_runs(_WORD.findall(old), _WORD.findall(new))))


def reflowed(text: str) -> str:
    r"""Return a text with its lines drawn together, save for paragraphs and the items of lists.

    Examples
    --------
    >>> reflowed("Two\nparts:\n\n1. one\n2. two")
    'Two parts:\n\n1. one\n2. two'
    """
    return _BREAK.sub(" ", text)


def _runs(old: list[str], new: list[str]) -> Iterator[Run]:
    matcher = SequenceMatcher(None, [one.strip() for one in old], [one.strip() for one in new], autojunk=False)
    if len(old) + len(new) > MOST_WORDS or matcher.ratio() < ALIKE:
        yield "del", "".join(old)
        yield "ins", "".join(new)
        return
    for what, i, j, k, m in matcher.get_opcodes():
        if what == "equal":
            yield "", "".join(new[k:m])
        else:
            yield "del", "".join(old[i:j])
            yield "ins", "".join(new[k:m])


def _merged(runs: Iterator[Run]) -> Iterator[Run]:
    yield from (run for run in runs if run[1])


@dataclass(frozen=True)
class Reworded:
    """A rule before a change and after it.

    Parameters
    ----------
    old, new : Rule or None
        None where there is no such rule before, or after.
    """

    old: Rule | None
    new: Rule | None

    @property
    def title(self) -> tuple[Run, ...]:
        """The title, word by word."""
        return words_changed(self.old.title if self.old else "", self.new.title if self.new else "")

    @property
    def wording(self) -> tuple[Run, ...]:
        """The wording, word by word."""
        old, new = (reflowed(rule.wording) if rule else "" for rule in (self.old, self.new))
        return words_changed(old, new)

    @property
    def law(self) -> tuple[Run, ...]:
        """The clauses, word by word, a clause a line."""
        return words_changed(self.old.law if self.old else "", self.new.law if self.new else "")

    @property
    def number(self) -> tuple[Number | None, Number | None]:
        """The number before and after."""
        return (self.old.number if self.old else None, self.new.number if self.new else None)

    @property
    def tier(self) -> tuple[str, str]:
        """The standing before and after; empty where there is no rule."""
        return (self.old.tier if self.old else "", self.new.tier if self.new else "")

    @property
    def same_text(self) -> bool:
        """Whether title, wording and clauses stay as they are."""
        old, new = self.old, self.new
        if old is None or new is None:
            return False
        return (old.title, old.wording, old.law) == (new.title, new.wording, new.law)


def marked(runs: tuple[Run, ...]) -> str:
    """Return a comparison as plain text, ``[-struck out-]`` and ``{+put in+}``.

    Examples
    --------
    >>> marked(words_changed("All must agree.", "Most must agree."))
    '[-All-]{+Most+} must agree.'
    """
    made = []
    for mark, text in runs:
        inner = text.strip()
        before = text[: len(text) - len(text.lstrip())]
        made.append(before + {"": inner, "del": f"[-{inner}-]", "ins": f"{{+{inner}+}}"}[mark])
    return "".join(made)
