"""What an expression sees while it is evaluated: the state, the names bound in the case, the law."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, cast

from nomic_nb.law.values import Ref, Value

if TYPE_CHECKING:
    from nomic_nb.law.findings import Finding
    from nomic_nb.law.resolver import Law

#: Calls and turns of a loop that one evaluation may take.
STEPS = 20_000


class Undecided(Exception):  # noqa: N818 - an answer, not a fault
    """The law gives no answer here.

    Parameters
    ----------
    reason : str
        Why, as a clause that can follow "because".
    finding : Finding, optional
        The finding at fault, where a key is concerned.
    when : str
        The case that an answer is for, as a condition of the law language; empty for every case.
    options : tuple of str
        Answers that lie at hand, as expressions of the law language.
    """

    def __init__(
        self, reason: str, finding: Finding | None = None, *, when: str = "", options: tuple[str, ...] = ()
    ) -> None:
        self.reason, self.finding, self.when, self.options = reason, finding, when, options
        super().__init__(reason)


class Absent(Undecided):
    """A name has no value because the case it belongs to is not there."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"there is no {name} here")


class View:
    """A state and a case, seen through a body of law.

    Parameters
    ----------
    state : object
        Opaque here; facts, fields and functions of the vocabulary read it.
    env : mapping of str to value
        The names bound in the case.
    law : Law or None
        The law in force; None where what is evaluated asks it nothing.
    """

    __slots__ = ("env", "law", "open_keys", "rounded", "state", "steps", "trace")

    def __init__(self, state: object, env: Mapping[str, Value], law: Law | None) -> None:
        self.state = state
        self.env: dict[str, Value] = dict(env)
        self.law = cast("Law", law)
        self.trace: dict[str, Value] = {}
        self.open_keys: tuple[str, ...] = ()
        self.steps = STEPS
        #: What was rounded on the way, so that the record can tell.
        self.rounded: Fraction | None = None

    def spend(self, steps: int = 1) -> None:
        """Take from the budget of this evaluation."""
        self.steps -= steps
        if self.steps < 0:
            raise Undecided(f"the reckoning takes more than {STEPS} steps")

    def name(self, name: str) -> Value:
        """Return what a bound name or a fact stands for."""
        env = self.env
        if name in env:
            value = env[name]
        else:
            fact = self.law.vocabulary.facts.get(name)
            if fact is None:
                raise Absent(name)
            for need in fact.needs:
                if need not in env:
                    raise Absent(name)
            self.spend()
            value = fact.get(self)
        self.trace[name] = value
        return value

    def key(self, name: str, **bound: Value) -> Value:
        """Return what the law says of a key, in this very case or with more names bound."""
        finding = self.law.find(name, self.state, {**self.env, **bound} if bound else self.env, self)
        value = self.law.settled(finding)
        self.trace[name] = value
        return value

    def field(self, of: Value, name: str) -> Value:
        """Return a field, or a counter, of something that the law points at."""
        if not isinstance(of, Ref):
            raise Undecided(f"nothing is there to have {name}")
        self.spend()
        found = self.law.fields.get((of.kind, name))
        if found is not None:
            return found.get(self, of.id)
        record = self.law.vocabulary.records[of.kind]
        if record.counter is None:
            raise Undecided(f"a {of.kind} has no {name}")
        return record.counter(self, of.id, name)
