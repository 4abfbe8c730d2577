"""Rule-changes: what can be proposed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from textwrap import dedent

from nomic_nb.errors import LawError
from nomic_nb.law.change import KINDS, LONGEST_TITLE, PROPOSED, Change, first_words
from nomic_nb.law.rules import Number
from nomic_nb.law.shaping import (
    LARGEST_CHANGE,
    LONGEST_LAW,
    LONGEST_WORDING,
    MOST_PARTS,
    MOST_TOGETHER,
    check_text,
    from_json,
    in_part,
    restored,
    screened,
    shaped,
)

__all__ = [
    "KINDS", "LARGEST_CHANGE", "LONGEST_LAW", "LONGEST_TITLE", "LONGEST_WORDING", "MOST_PARTS", "MOST_TOGETHER",
    "PROPOSED", "Change", "amend", "as_number", "check_text", "enact", "first_words", "from_json", "in_part", "repeal",
    "restored", "retargeted", "revised", "reword", "together", "transmute",
]  # fmt: skip


def as_number(number: Number) -> Number:
    """Return the number of a rule as the systems write it: ``"203"`` is 203, ``"R8"`` a label."""
    return int(number) if isinstance(number, str) and re.fullmatch(r"-?[0-9]{1,15}", number) else number


def _clean(text: str | None) -> str | None:
    """Return a text as it is kept: without what all its lines are indented by, and without blanks that nobody sees."""
    return None if text is None else "\n".join(line.rstrip() for line in dedent(str(text)).strip().splitlines())


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
    return screened(Change("enact", None, wording, _clean(law) or None, named, universe=universe, standing=standing))


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
    return screened(shaped(Change("amend", as_number(number), _clean(wording), _clean(law), title.strip(), part, add)))


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
    return screened(shaped(Change("repeal", first, part=part, universe=universe, also=tuple(also))))


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
            raise TypeError(f"part {at} is no change made by enact, amend, repeal or transmute")
    return screened(shaped(Change("together", parts=tuple(changes), apart=apart)))


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
    return screened(
        shaped(Change("revise", None, _clean(wording), _clean(law), title.strip(), part, revises=as_number(proposal)))
    )


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
        return screened(shaped(replace(old, parts=tuple(parts))))
    if by.part is not None:
        raise LawError(f"proposal {by.revises} is a single change", found=f"part {by.part}")
    if old.kind not in ("enact", "amend"):
        raise LawError(f"to {old.headline} has no text that could be another", found=old.kind)
    wording = old.wording if by.wording is None else by.wording
    named = by.title or (old.given_title or first_words(wording or "") if old.kind == "enact" else old.title)
    law = old.law if by.law is None else by.law
    return screened(shaped(replace(old, wording=wording, law=law or None if old.kind == "enact" else law, title=named)))


def retargeted(change: Change, now: Mapping[Number, Number]) -> Change:
    """Return a change that is about the same rules under other numbers."""
    return replace(
        change,
        target=change.target if change.target is None else now.get(change.target, change.target),
        also=tuple(now.get(one, one) for one in change.also),
        parts=tuple(retargeted(one, now) for one in change.parts),
    )


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
