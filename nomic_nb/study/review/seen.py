"""A warning sign of a proposal, and what signs are looked for in."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TypeVar

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.clauses import Clause, Set
from nomic_nb.engine.law.nodes import ACTION
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Rule
from nomic_nb.engine.play.trial import Adoption
from nomic_nb.study.review.terms import Met, Supposition, Turned

_C = TypeVar("_C", bound=Clause)


@frozen
class Smell:
    """A warning sign.

    Parameters
    ----------
    name : str
        ``unclear``, ``ambiguous``, ``mismatch``, ``no difference``, ``several changes``, ``paradox``,
        ``too early``, ``too late``, ``ties``, ``seen by all`` or ``destructive``.
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


@frozen
class Concerned:
    """A rule that a change makes, changes or takes away.

    Parameters
    ----------
    change : Change or None
        The change of this rule; None if it is part of a rule set that another rule brings in.
    old, new : Rule or None
        The rule before and after.
    """

    change: Change | None
    old: Rule | None
    new: Rule | None

    @property
    def id(self) -> int | None:
        """The rule's identity; None if there was none and the new one could not be made."""
        rule = self.old or self.new
        return None if rule is None else rule.id

    @cached_property
    def _before_and_after(self) -> tuple[tuple[Clause, ...], tuple[Clause, ...]]:
        return self.old.clauses if self.old else (), self.new.clauses if self.new else ()

    @cached_property
    def fresh(self) -> tuple[Clause, ...]:
        """The clauses that the change brings in."""
        old, new = self._before_and_after
        return tuple(one for one in new if one not in old)

    @property
    def keys(self) -> tuple[str, ...]:
        """The terms that the rule sets, before or after."""
        old, new = self._before_and_after
        return tuple(dict.fromkeys(one.key for one in (*old, *new) if isinstance(one, Set)))

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses that the change brings in, or takes away."""
        old, new = self._before_and_after
        return (*self.fresh, *(one for one in old if one not in new))


@frozen
class Seen:
    """What the signs are looked for in: all rules that a change concerns, also by what it sets off at once.

    Parameters
    ----------
    change : Change
        As it is proposed.
    rules : tuple of Concerned
        Each rule concerned, before and after.
    adoption : Adoption
        What adoption brings.
    turned : tuple of Turned
        Terms that change.
    met : tuple of Met
        Rules that prevail, or are defeated, where they did not before.
    supposed : tuple of Supposition
        New clauses that depend on what play alters, where they hold.
    unreached : tuple of str
        What is to be said of values that new clauses name and that are never the answer.
    steps : int
        How many steps what it sets off was given when it was tried.
    """

    change: Change
    rules: tuple[Concerned, ...]
    adoption: Adoption
    turned: tuple[Turned, ...] = ()
    met: tuple[Met, ...] = ()
    supposed: tuple[Supposition, ...] = ()
    unreached: tuple[str, ...] = ()
    steps: int = ACTION

    @property
    def law(self) -> Law:
        """The law with the change in it, and with what that sets off at once; whatever may stop it."""
        return (self.adoption.after if self.adoption.in_force else self.adoption.written).law

    @property
    def changed(self) -> frozenset[int]:
        """The ids of the rules concerned."""
        return frozenset(one.id for one in self.rules if one.id is not None)

    @property
    def old(self) -> Rule | None:
        """The rule before a change of one rule."""
        return self.rules[0].old if self.rules and not self.change.parts else None

    @property
    def new(self) -> Rule | None:
        """The rule after a change of one rule."""
        return self.rules[0].new if self.rules and not self.change.parts else None

    @property
    def standing(self) -> tuple[Concerned, ...]:
        """The rules that are there afterwards and hold."""
        book = self.adoption.after.rules
        return tuple(one for one in self.rules if one.new and one.new.id in book.rules and one.new.id not in book.void)

    @cached_property
    def fresh(self) -> tuple[Clause, ...]:
        """The clauses that the change brings in."""
        return tuple(dict.fromkeys(clause for one in self.rules for clause in one.fresh))

    def of(self, kind: type[_C]) -> Iterator[_C]:
        """Yield the clauses of one kind that the change brings in."""
        return (one for one in self.fresh if isinstance(one, kind))

    def sets(self, key: str) -> bool:
        """Tell whether the change brings in a clause on a term."""
        return any(one.key == key for one in self.of(Set))

    @property
    def keys(self) -> tuple[str, ...]:
        """The terms that the rules set, before or after."""
        return tuple(dict.fromkeys(key for one in self.rules for key in one.keys))
