"""A rule-change, as it is proposed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from nomic_nb.law.rules import Number
from nomic_nb.shown import Shown

#: Characters that a title may have.
LONGEST_TITLE = 120
#: The kinds of change of one rule; and all that can be proposed.
KINDS = ("enact", "amend", "repeal", "transmute")
PROPOSED = (*KINDS, "together", "revise")


def first_words(wording: str) -> str:
    """Return the title of a rule that was given none.

    Examples
    --------
    >>> first_words("Fifty points are enough to win, whoever has them.")
    'Fifty points are enough to win'
    """
    return " ".join(wording.split()[:6])[:LONGEST_TITLE].rstrip(".,;: ") or wording[:LONGEST_TITLE]


@dataclass(frozen=True)
class Change(Shown):
    """One rule-change, as it is proposed.

    Made by `enact`, `amend`, `repeal`, `transmute`, `together`, `reword` and `rename`.

    Parameters
    ----------
    kind : str
        ``enact``, ``amend``, ``repeal`` or ``transmute``; ``together`` for several, and ``revise`` for another form
        of a proposal.
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
    parts : tuple of Change
        The changes that are made together; none where it is a single one.
    apart : bool
        Whether they are handed in together, and voted on one by one.
    renames : tuple of (str, str) or nothing
        What is counted and is called otherwise from then on: the old name, and the new one.
    revises : int or str or None
        The number of the proposal that gets another form.
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
    parts: tuple[Change, ...] = ()
    apart: bool = False
    renames: tuple[str, ...] = ()
    revises: Number | None = None

    @property
    def headline(self) -> str:
        """The change in a few words.

        Examples
        --------
        >>> from nomic_nb.law.changes import amend, repeal
        >>> repeal(204).headline
        'repeal rule 204'
        >>> amend(203, "A majority is enough.", part=1).headline
        'amend amendment 1 of rule 203'
        """
        there = f" for {self.universe}" if self.universe else ""
        if self.kind == "together":
            how = "make {} changes, each by itself: {}" if self.apart else "make {} changes together: {}"
            if self.renames:
                how = f"call {self.renames[0]} {self.renames[1]}, in {{}} changes together: {{}}"
            return how.format(len(self.parts), "; ".join(one.headline for one in self.parts))
        if self.kind == "revise":
            part = f"part {self.part} of " if self.part is not None else ""
            return f"give {part}proposal {self.revises} another form"
        if self.kind == "enact":
            what = f" as {self.standing}" if self.standing else ""
            return f"enact “{self.title}”{what}{there}"
        where = f"rule {self.target}" if self.part is None else f"amendment {self.part} of rule {self.target}"
        if self.also:
            where = f"rules {', '.join(map(str, (self.target, *self.also)))}"
        return f"{self.kind} {where}{there}"

    @property
    def all_wording(self) -> str:
        """The wording that it brings, of all its parts."""
        return "\n\n".join(one.wording for one in self.numbered if one.wording)

    @property
    def all_law(self) -> str:
        """The clauses that it brings, of all its parts."""
        return "\n".join(one.law for one in self.numbered if one.law)

    @property
    def given_title(self) -> str | None:
        """The title that somebody gave it; None where it has none, or has the first words of its wording."""
        return self.title if self.title and self.title != first_words(self.wording or "") else None

    @property
    def says(self) -> tuple[object, ...]:
        """What it comes to, whatever its title, its capitals and its blanks: two that are alike say the same."""
        texts = (" ".join((text or "").casefold().split()) for text in (self.wording, self.law))
        given = (self.wording is not None, self.law is not None)
        parts = tuple(one.says for one in self.parts)
        return (
            self.kind,
            self.target,
            self.part,
            self.add,
            self.universe,
            self.standing,
            self.also,
            self.revises,
            given,
            *texts,
            parts,
        )

    @property
    def numbered(self) -> tuple[Change, ...]:
        """The changes that have a number each: those that are made together, or itself."""
        return self.parts or (self,)

    @property
    def each(self) -> tuple[Change, ...]:
        """The changes that it consists of, a rule each: a repeal of several rules is as many repeals."""
        if self.parts:
            return tuple(one for part in self.parts for one in part.each)
        return tuple(replace(self, target=one, also=()) for one in (self.target, *self.also))

    def to_json(self) -> dict[str, Any]:
        """Return the change as plain data."""
        kept = ("wording", "law")  # which may be taken away
        found = {
            **vars(self), "also": list(self.also), "parts": [one.to_json() for one in self.parts],
            "renames": list(self.renames),
        }  # fmt: skip
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
        for at, part in enumerate(self.parts, 1):
            said += [
                f"{at}. {line}" if not number else f"   {line}" for number, line in enumerate(str(part).splitlines())
            ]
        return "\n".join(said)
