"""Another name for what is counted: in the clauses and wordings of all rules that use it."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from nomic_nb.errors import LawError
from nomic_nb.law.changes import Change, amend
from nomic_nb.law.rules import Rule, RuleBook
from nomic_nb.law.shaping import screened, shaped
from nomic_nb.shown import Shown

#: A name of the language, with what stands before and behind its dots; a text in quotation marks is one too.
_WORD = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|\.?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")


@dataclass(frozen=True)
class Renaming(Shown):
    """What is counted, to be called otherwise; the game knows the rules that use it.

    Parameters
    ----------
    old, new : str
        The names.
    """

    old: str
    new: str

    def __str__(self) -> str:
        return f"call {self.old} {self.new}, in every rule that uses it"

    def change(self, book: RuleBook, counters: Collection[str], keys: Collection[str]) -> Change:
        """Return the amendments of all rules that use the name, made together.

        Parameters
        ----------
        book : RuleBook
            The rules as they stand.
        counters : collection of str
            What is counted.
        keys : collection of str
            The terms of the law, whose names stay.

        Raises
        ------
        LawError
            Nothing of this name is counted, or the new name is taken.
        """
        if self.old not in counters:
            known = ", ".join(sorted(counters)) or "nothing that is counted"
            raise LawError(f"no rule counts {self.old}", found=repr(self.old), expected=known)
        if self.new in counters or not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", self.new):
            said = "a counter is called by small letters, digits and single underscores, by a name that is not in use"
            raise LawError(said, found=repr(self.new))
        parts = tuple(one for rule in book if not rule.ruleset and (one := self._amended(rule, keys)) is not None)
        return screened(shaped(Change("together", parts=parts, renames=(self.old, self.new))))

    def _amended(self, rule: Rule, keys: Collection[str]) -> Change | None:
        """Return the amendment of one rule; None where it does not use the name."""
        law, wording = self.in_clauses(rule.law, keys), self.in_words(rule.wording)
        named = re.search(rf"(?<!\w){re.escape(self.old.replace('_', ' '))}(?!\w)", rule.wording, re.I)
        if law == rule.law and (named is None or wording == rule.wording):
            return None  # one of it alone may be another word: “the point where play ends”
        return amend(
            rule.number, None if wording == rule.wording else wording, None if law == rule.law else law,
            title=self.in_words(rule.title) if self.in_words(rule.title) != rule.title else "",
        )  # fmt: skip

    def in_clauses(self, law: str, keys: Collection[str]) -> str:
        """Return clauses in which the counter is called otherwise; terms such as ``win.points`` stay.

        Examples
        --------
        >>> Renaming("points", "stars").in_clauses("award win.points points to [p for p in playing]", {"win.points"})
        'award win.points stars to [p for p in playing]'
        >>> print(Renaming("points", "stars").in_clauses('on counted when counter == "points": announce "points"', ()))
        on counted when counter == "stars": announce "stars"
        >>> Renaming("points", "stars").in_clauses("on defeated: award defeat.points to proponent", {"defeat.points"})
        'on defeated: award defeat.points stars to proponent'
        """

        def other(found: re.Match[str]) -> str:
            word = found[0]
            line = law[law.rfind("\n", 0, found.start()) + 1 : found.start()]
            if word[0] in "\"'" and re.fullmatch(r"draft\s+\w+\s*:\s*", line):  # the wording of a draft
                return self.in_words(word)
            if word[0] in "\"'":
                return f"{word[0]}{self.new}{word[0]}" if word[1:-1] == self.old else word
            if word in keys:
                return word
            return ".".join(self.new if one == self.old else one for one in word.split("."))

        implied = re.compile(rf"(\b(?:award|pay)\s+[\w.]+\.{re.escape(self.old)})(?=\s+(?:to|from)\b)")
        return implied.sub(rf"\1 {self.new}", _WORD.sub(other, law))

    def in_words(self, text: str) -> str:
        """Return a wording in which it is called otherwise, one of it and several, at the beginning of a sentence too.

        Examples
        --------
        >>> Renaming("points", "stars").in_words("Points are good; a point is enough, and pointless is not.")
        'Stars are good; a star is enough, and pointless is not.'
        """
        pairs = {self.old: self.new}
        if self.old.endswith("s") and self.new.endswith("s"):
            pairs[self.old[:-1]] = self.new[:-1]
        pairs = {one.replace("_", " "): other.replace("_", " ") for one, other in pairs.items()}
        for one, other in pairs.items():
            for old, new in ((one, other), (one.capitalize(), other.capitalize())):
                text = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", new, text)
        return text


def rename(old: str, new: str) -> Renaming:
    """Propose to call what is counted otherwise, in the clauses and wordings of all rules that use it.

    The game makes amendments of it, together: each is judged as a change of its own. What everybody has stays.
    A rule uses it that has it in its clauses, or names it in its wording as it is called: where only one of it is
    named, as in “the point where play ends”, that may be another word. Where one of these rules cannot be amended, as
    where an immutable one says that points win, all of it is refused, with that rule: it has to be made mutable first.

    Parameters
    ----------
    old, new : str
        What is counted, such as ``points``, and what it is called from then on.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("github-nomic", ["Ann", "Ben"], seed=7)
    >>> print(nb.rename("coins", "shells"))
    call coins shells, in every rule that uses it
    """
    return Renaming(old, new)
