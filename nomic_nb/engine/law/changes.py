"""Rule-changes: what can be proposed."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from textwrap import dedent

from nomic_nb.engine.arguments import plainly
from nomic_nb.engine.errors import LawError, WrongArgument
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.change import (  # fmt: skip
    KINDS,
    LARGEST_CHANGE,
    LONGEST_LAW,
    LONGEST_TITLE,
    LONGEST_WORDING,
    MOST_PARTS,
    MOST_TOGETHER,
    PROPOSED,
    Change,
    check_layout,
    check_text,
    checked,
    first_words,
    from_json,
    in_part,
    restored,
)
from nomic_nb.engine.law.rules import Number, Rule, RuleBook
from nomic_nb.engine.shown import Shown

__all__ = [
    "KINDS", "LARGEST_CHANGE", "LONGEST_LAW", "LONGEST_TITLE", "LONGEST_WORDING", "MOST_PARTS", "MOST_TOGETHER",
    "PROPOSED", "Change", "Renaming", "amend", "as_number", "check_layout", "check_text", "enact", "first_words",
    "from_json", "in_part", "rename", "repeal", "restored", "retargeted", "revised", "reword", "together", "transmute",
]  # fmt: skip


def as_number(number: Number) -> Number:
    """Return the number of a rule as the systems write it: ``"203"`` is 203, ``"R8"`` a label."""
    return int(number) if isinstance(number, str) and re.fullmatch(r"-?[0-9]{1,15}", number) else number


def _clean(text: str | None) -> str | None:
    """Return a text as it is kept: without what all its lines are indented by, and without blanks that nobody sees."""
    return None if text is None else "\n".join(line.rstrip() for line in dedent(text).strip().splitlines())


@plainly
def enact(wording: str, law: str = "", title: str = "", *, universe: str = "", standing: str = "") -> Change:
    """Propose a new rule.

    Parameters
    ----------
    wording : str
        What people read; at most 8,000 characters.
    law : str
        Clauses, one a line; may be empty, then people apply the rule.
    title : str
        A short name; the first words of the wording where it is not given.
    universe : str
        The one universe that it is for; all of them, where it is not given.
    standing : str
        The tier that it is to be in, where the law lets a proponent ask for one, such as ``amendment``.

    Raises
    ------
    LawError
        No wording, or characters that cannot be seen.

    Examples
    --------
    >>> print(enact("Fifty points are enough to win.", law="set win.points to 50", title="Fifty"))
    enact “Fifty”
    Fifty points are enough to win.
        set win.points to 50
    """
    wording = _clean(wording) or ""
    named = title.strip() or first_words(wording)
    return checked(Change("enact", None, wording, _clean(law) or None, named, universe=universe, standing=standing))


@plainly
def amend(
    number: Number, wording: str | None = None, law: str | None = None, *, title: str = "", part: int | None = None,
    add: bool = False,
) -> Change:  # fmt: skip
    """Propose to amend a rule, or one of its amendments.

    Parameters
    ----------
    number : int or str
        The rule.
    wording, law : str, optional
        What shall stand there; None keeps what is. ``law=""`` takes the clauses away.
    title : str
        A new short name.
    part : int, optional
        The amendment to be amended, 1 for the first (103).
    add : bool
        The amendment stands beside what is there, and not in place of it.

    Raises
    ------
    LawError
        Nothing would change, or a text cannot be taken.

    Examples
    --------
    >>> amend(208, law="set win.points to 50").headline
    'amend rule 208'
    """
    if wording is None and law is None and not title:
        raise LawError("an amendment changes wording or law", found="neither", expected="wording, law or both")
    return checked(Change("amend", as_number(number), _clean(wording), _clean(law), title.strip(), part, add))


@plainly
def repeal(number: Number | Sequence[Number], *, part: int | None = None, universe: str = "") -> Change:
    """Propose to repeal a rule, several together, or an amendment of one (then what that hid comes back).

    Parameters
    ----------
    number : int or str, or a list of them
        The rule, or the rules.
    part : int, optional
        The amendment, 1 for the first (103).
    universe : str
        The one universe for which it is repealed; elsewhere it stays in force.

    Examples
    --------
    >>> repeal(305, part=2).headline
    'repeal amendment 2 of rule 305'
    """
    numbers = list(number) if isinstance(number, Sequence) and not isinstance(number, str) else [number]
    if not numbers:
        raise LawError("to repeal needs the number of a rule", found="an empty list")
    first, *also = map(as_number, numbers)
    return checked(Change("repeal", first, part=part, universe=universe, also=tuple(also)))


@plainly
def together(*changes: Change, apart: bool = False) -> Change:
    """Propose several changes at once: all of them are adopted, or none.

    The first has the number of the proposal, the others the numbers behind it. Each is judged as a change of its own;
    the strictest of what they need adopts them. They take effect whole, or have none.

    Parameters
    ----------
    *changes : Change
        From 2 to 50, each rule in one of them.
    apart : bool
        They are handed in together, and voted on one by one.

    Raises
    ------
    LawError
        They cannot be made together; the message names the part.

    Examples
    --------
    >>> together(repeal(305), amend(208, law="set win.points to 50")).headline
    'make 2 changes together: repeal rule 305; amend rule 208'
    """
    for at, one in enumerate(changes, 1):
        if not isinstance(one, Change):
            raise WrongArgument(f"part {at} is no change made by enact, amend, repeal or transmute")
    return checked(Change("together", parts=tuple(changes), apart=apart))


@plainly
def reword(
    proposal: Number, wording: str | None = None, law: str | None = None, *, title: str = "", part: int | None = None
) -> Change:
    """Propose another form of a proposal that is not decided yet, one's own or another's.

    It is voted on like any proposal. What becomes of the ballots on the other one, `vote.on_revision` says.

    Parameters
    ----------
    proposal : int or str
        The proposal that gets another form.
    wording, law : str, optional
        What shall stand there; None keeps what is. ``law=""`` takes the clauses away.
    title : str
        A new short name.
    part : int, optional
        Which of the changes, 1 for the first, where it makes several together.

    Raises
    ------
    LawError
        Nothing would change, or a text cannot be taken.

    Examples
    --------
    >>> reword(301, "Hats are worn on Mondays.").headline
    'give proposal 301 another form'
    """
    text = (_clean(wording), _clean(law), title.strip())
    return checked(Change("revise", None, *text, part, revises=as_number(proposal)))


def revised(old: Change, by: Change) -> Change:
    """Return a change in the form that a revision gives it.

    Raises
    ------
    LawError
        It has no text that could be another, or it is not said which of several changes is meant.
    """
    if old.parts:
        if by.part is None or not 1 <= by.part <= len(old.parts):
            raise LawError(f"proposal {by.revises} makes {len(old.parts)} changes; say which part", found=repr(by.part))
        parts = list(old.parts)
        parts[by.part - 1] = revised(parts[by.part - 1], replace(by, part=None))
        return checked(replace(old, parts=tuple(parts)))
    if by.part is not None:
        raise LawError(f"proposal {by.revises} is a single change", found=f"part {by.part}")
    if old.kind not in ("enact", "amend"):
        raise LawError(f"to {old.headline} has no text that could be another", found=old.kind)
    wording = old.wording if by.wording is None else by.wording
    named = by.title or (old.given_title or first_words(wording or "") if old.kind == "enact" else old.title)
    law = old.law if by.law is None else by.law
    return checked(replace(old, wording=wording, law=law or None if old.kind == "enact" else law, title=named))


def retargeted(change: Change, now: Mapping[Number, Number]) -> Change:
    """Return a change that is about the same rules under other numbers."""
    return replace(
        change,
        target=change.target if change.target is None else now.get(change.target, change.target),
        also=tuple(now.get(one, one) for one in change.also),
        parts=tuple(retargeted(one, now) for one in change.parts),
    )


@plainly
def transmute(number: Number) -> Change:
    """Propose to transmute a rule: an immutable one becomes mutable, a mutable one immutable.

    Parameters
    ----------
    number : int or str
        The rule.

    Examples
    --------
    >>> transmute(112).headline
    'transmute rule 112'
    """
    return Change("transmute", as_number(number))


#: A name of the language, with what stands before and behind its dots; a text in quotation marks is one too.
_WORD = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|\.?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")


@frozen
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
        return checked(Change("together", parts=parts, renames=(self.old, self.new)))

    def _amended(self, rule: Rule, keys: Collection[str]) -> Change | None:
        """Return the amendment of one rule; None where it does not use the name."""
        law, wording, title = self.in_clauses(rule.law, keys), self.in_words(rule.wording), self.in_words(rule.title)
        named = re.search(rf"(?<!\w){re.escape(self.old.replace('_', ' '))}(?!\w)", rule.wording, re.I)
        if law == rule.law and (named is None or wording == rule.wording):
            return None  # one of it alone may be another word: “the point where play ends”
        return amend(
            rule.number, None if wording == rule.wording else wording, None if law == rule.law else law,
            title=title if title != rule.title else "",
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


@plainly
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
