"""A warning sign of a proposal, and what signs are looked for in."""

from __future__ import annotations

from dataclasses import dataclass

from nomic_nb.errors import LawError
from nomic_nb.explore.supposing import Supposition
from nomic_nb.explore.terms import Turned
from nomic_nb.law.changes import Change
from nomic_nb.law.clauses import Clause, Set
from nomic_nb.law.rules import Rule
from nomic_nb.law.view import ACTION
from nomic_nb.play.trial import Adoption


@dataclass(frozen=True)
class Smell:
    """A warning sign.

    Parameters
    ----------
    name : str
        ``unclear``, ``ambiguous``, ``mismatch``, ``no difference``, ``several changes``, ``paradox``,
        ``too late``, ``ties``, ``seen by all`` or ``destructive``.
    evidence : str
        What it rests on: what is so, and behind a colon or a semicolon why.
    """

    name: str
    evidence: str

    @property
    def in_two(self) -> tuple[str, str]:
        """What is so, and why.

        Examples
        --------
        >>> Smell("paradox", "it repeals itself: “on enacted: repeal this”").in_two
        ('it repeals itself', '“on enacted: repeal this”')
        """
        quoted = 0
        for at, letter in enumerate(self.evidence[:-2]):
            quoted += (letter in "“(") - (letter in "”)")
            if not quoted and letter in ":;" and self.evidence[at + 1] == " ":
                return self.evidence[:at], self.evidence[at + 2 :]
        return self.evidence, ""

    def __str__(self) -> str:
        return f"{self.name}: {self.evidence}"


@dataclass(frozen=True)
class Seen:
    """What the signs are looked for in.

    Parameters
    ----------
    change : Change
        As it is proposed.
    old, new : Rule or None
        The rule before and after.
    adoption : Adoption or None
        What adoption brings; None where the change cannot be made.
    turned : tuple of Turned
        Terms that change.
    error : LawError or None
        Why the clauses cannot be read.
    supposed : tuple of Supposition
        New clauses that depend on what play alters, where they hold.
    unreached : tuple of str
        What is to be said of values that new clauses name and that are never the answer.
    steps : int
        How many steps what it sets off was given when it was tried.
    """

    change: Change
    old: Rule | None
    new: Rule | None
    adoption: Adoption | None
    turned: tuple[Turned, ...] = ()
    error: LawError | None = None
    supposed: tuple[Supposition, ...] = ()
    unreached: tuple[str, ...] = ()
    steps: int = ACTION

    @property
    def changed(self) -> int | None:
        """The id of the rule concerned; None where there is none."""
        rule = self.old or self.new
        return None if rule is None else rule.id

    @property
    def fresh(self) -> tuple[Clause, ...]:
        """The clauses that the change brings in."""
        old = self.old.clauses if self.old else ()
        return tuple(one for one in (self.new.clauses if self.new else ()) if one not in old)

    @property
    def keys(self) -> tuple[str, ...]:
        """The terms that the rule sets, before or after."""
        both = [*(self.old.clauses if self.old else ()), *(self.new.clauses if self.new else ())]
        return tuple(dict.fromkeys(one.key for one in both if isinstance(one, Set)))

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses that the change brings in, or takes away."""
        new = self.new.clauses if self.new else ()
        return (*self.fresh, *(one for one in (self.old.clauses if self.old else ()) if one not in new))
