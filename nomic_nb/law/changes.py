"""Rule-changes: what can be proposed."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from nomic_nb.errors import LawError
from nomic_nb.law.rules import Number
from nomic_nb.shown import Shown

#: Characters that a wording, and the law of one rule, may have.
LONGEST_WORDING, LONGEST_LAW, LONGEST_TITLE = 4_000, 8_000, 120
#: What a change may take in a record, where letters beyond ASCII take six bytes or twelve.
LARGEST_CHANGE = 48_000
#: Rules that one change repeals.
MOST_TOGETHER = 500
KINDS = ("enact", "amend", "repeal", "transmute")


@dataclass(frozen=True)
class Change(Shown):
    """One rule-change, as it is proposed.

    Made by `enact`, `amend`, `repeal` and `transmute`.

    Parameters
    ----------
    kind : str
        ``enact``, ``amend``, ``repeal`` or ``transmute``.
    target : int or str or None
        Number of the rule concerned; None for a new one.
    wording, law : str or None
        None keeps what is.
    title : str
        A short name; empty keeps what is, or takes the first words.
    part : int or None
        The amendment concerned, 1 for the first; None for the rule itself.
    add : bool
        Whether an amendment stands beside what is there, and not in place of it.
    universe : str
        The one universe that a new rule, or a repeal, is for; empty where it is for all.
    standing : str
        The tier that is asked for a new rule; empty where the law alone says which it has.
    also : tuple of int or str
        The numbers of further rules that are repealed with it.
    """

    kind: str
    target: Number | None = None
    wording: str | None = None
    law: str | None = None
    title: str = ""
    part: int | None = None
    add: bool = False
    universe: str = ""
    standing: str = ""
    also: tuple[Number, ...] = ()

    @property
    def headline(self) -> str:
        """The change in a few words.

        Examples
        --------
        >>> repeal(204).headline
        'repeal rule 204'
        >>> amend(203, "A majority is enough.", part=1).headline
        'amend amendment 1 of rule 203'
        """
        there = f" for {self.universe}" if self.universe else ""
        if self.kind == "enact":
            what = f" as {self.standing}" if self.standing else ""
            return f"enact “{self.title}”{what}{there}"
        where = f"rule {self.target}" if self.part is None else f"amendment {self.part} of rule {self.target}"
        if self.also:
            where = f"rules {', '.join(map(str, (self.target, *self.also)))}"
        return f"{self.kind} {where}{there}"

    @property
    def given_title(self) -> str | None:
        """The title that somebody gave it; None where it has none, or has the first words of its wording."""
        return self.title if self.title and self.title != first_words(self.wording or "") else None

    @property
    def says(self) -> tuple[object, ...]:
        """What it comes to, whatever its title, its capitals and its blanks: two that are alike say the same."""
        texts = (" ".join((text or "").casefold().split()) for text in (self.wording, self.law))
        given = (self.wording is not None, self.law is not None)
        return (self.kind, self.target, self.part, self.add, self.universe, self.standing, self.also, given, *texts)

    @property
    def each(self) -> tuple[Change, ...]:
        """The changes that it consists of: a repeal of several rules is as many repeals."""
        return tuple(replace(self, target=one, also=()) for one in (self.target, *self.also))

    def to_json(self) -> dict[str, Any]:
        """Return the change as plain data."""
        kept = ("wording", "law")  # which may be taken away
        found = {**vars(self), "also": list(self.also)}
        return {
            name: value
            for name, value in found.items()
            if value is not None and (name in kept or value not in ("", False, []))
        }

    def __str__(self) -> str:
        said = [self.headline]
        if self.wording:
            said.append(self.wording)
        if self.law:
            said += [f"    {line}" for line in self.law.splitlines()]
        return "\n".join(said)


def from_json(data: dict[str, Any]) -> Change:
    """Return the change that `Change.to_json` wrote.

    Raises
    ------
    LawError
        Where a field is unknown or holds something else than it should.
    """
    wanted: dict[str, tuple[type, ...]] = {
        "kind": (str,), "target": (int, str), "wording": (str,), "law": (str,), "title": (str,), "part": (int,),
        "add": (bool,), "universe": (str,), "standing": (str,), "also": (list, tuple),
    }  # fmt: skip
    for name, value in data.items():
        if name not in wanted or not isinstance(value, wanted[name]) or (name != "add" and isinstance(value, bool)):
            raise LawError(f"a change has no {name!r} like this", found=repr(value)[:40], expected=", ".join(wanted))
    if data.get("kind") not in KINDS:
        raise LawError("there is no such kind of change", found=repr(data.get("kind")), expected=", ".join(KINDS))
    return _screened(_shaped(Change(**{**data, "also": tuple(data.get("also", ()))})))


def _shaped(change: Change) -> Change:  # noqa: C901 - one branch a fault
    """Refuse a change that says nothing, or more than one of its kind can say."""
    kind = change.kind
    says = change.wording is not None or change.law is not None or bool(change.title)
    wrong = ""
    if kind == "enact":
        if change.wording is None:
            wrong = "a new rule has wording"
        elif change.target is not None or change.part is not None or change.add:
            wrong = "a new rule has no target"
    elif change.target is None:
        wrong = f"to {kind} needs the number of a rule"
    elif kind == "amend" and not says:
        wrong = "an amendment changes wording, law or title"
    elif kind == "amend" and change.add and (change.wording is None or change.part is not None):
        wrong = "what is added beside a rule has wording of its own, and belongs to the rule itself"
    elif kind != "amend" and (says or change.add or (kind == "transmute" and change.part is not None)):
        wrong = f"to {kind} brings no text along"
    elif change.standing and kind != "enact":
        wrong = "a standing is asked for a new rule alone"
    elif change.universe and (kind == "transmute" or change.part is not None):
        wrong = "a rule is made, or repealed as a whole, for one universe"
    if change.also and (kind != "repeal" or change.part is not None):
        wrong = "only whole rules are changed together, by a repeal"
    elif len({change.target, *change.also}) <= len(change.also) or len(change.also) >= MOST_TOGETHER:
        wrong = f"each rule is repealed once, and at most {MOST_TOGETHER} together"
    elif not all(isinstance(one, int | str) and not isinstance(one, bool) for one in change.also):
        wrong = "rules are named by their numbers"
    if change.universe and kind == "amend":
        wrong = "a rule is amended as it is, and not for one universe"
    if wrong:
        raise LawError(wrong, found=repr(change.headline))
    return change


def _screened(change: Change) -> Change:
    for name, text, longest in (
        ("wording", change.wording, LONGEST_WORDING),
        ("law", change.law, LONGEST_LAW),
        ("title", change.title, LONGEST_TITLE),
        ("name of a universe", change.universe, LONGEST_TITLE),
        ("standing", change.standing, LONGEST_TITLE),
    ):
        check_text(name, text or "", longest)
    size = len(json.dumps(change.to_json()))
    if size > LARGEST_CHANGE:
        raise LawError(f"a change takes at most {LARGEST_CHANGE} bytes in a record", found=f"{size}")
    if change.wording is not None and not change.wording.strip():
        raise LawError("a rule needs wording", found="nothing", expected="a sentence that people can read")
    return change


def check_text(what: str, text: str, longest: int) -> None:
    """Refuse a text that is too long or has characters that cannot be seen.

    Raises
    ------
    LawError
        With line and column of the character.
    """
    if not isinstance(text, str):
        raise LawError(f"the {what} is a text", found=type(text).__name__, expected="a text")
    if len(text) > longest:
        raise LawError(f"the {what} has at most {longest} characters", found=str(len(text)))
    for at, letter in enumerate(text):
        if letter not in "\n\t" and unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp"):
            before = text[:at]
            raise LawError(
                f"the {what} has a character that cannot be seen",
                line=before.count("\n") + 1,
                column=at - before.rfind("\n"),
                found=f"U+{ord(letter):04X}",
            )


def as_number(number: Number) -> Number:
    """Return the number of a rule as the systems write it: ``"203"`` is 203, ``"R8"`` a label."""
    return int(number) if isinstance(number, str) and re.fullmatch(r"-?[0-9]{1,15}", number) else number


def _clean(text: str | None) -> str | None:
    return None if text is None else "\n".join(line.rstrip() for line in str(text).strip().splitlines())


def first_words(wording: str) -> str:
    """Return the title of a rule that was given none.

    Examples
    --------
    >>> first_words("Fifty points are enough to win, whoever has them.")
    'Fifty points are enough to win'
    """
    return " ".join(wording.split()[:6])[:LONGEST_TITLE].rstrip(".,;: ") or wording[:LONGEST_TITLE]


def enact(wording: str, law: str = "", title: str = "", *, universe: str = "", standing: str = "") -> Change:
    """Propose a new rule.

    Parameters
    ----------
    wording : str
        What people read; at most 4,000 characters.
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
    return _screened(Change("enact", None, wording, _clean(law) or None, named, universe=universe, standing=standing))


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
    return _screened(
        _shaped(Change("amend", as_number(number), _clean(wording), _clean(law), title.strip(), part, add))
    )


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
    return _screened(_shaped(Change("repeal", first, part=part, universe=universe, also=tuple(also))))


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
