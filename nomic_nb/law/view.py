"""What an expression sees while it is evaluated: the state, the names bound in the case, the law."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Protocol, cast

from nomic_nb.law.values import Ref, Value

#: Calls and turns of a loop that one evaluation may take.
STEPS = 20_000


class Answer(Protocol):
    """What the law says of a key, as far as it must be known here: a `Finding`."""

    @property
    def key(self) -> str:
        """What was asked."""

    @property
    def answered(self) -> bool:
        """Whether the law gives an answer."""


class Words(Protocol):
    """What expressions speak of, as far as it must be known here: a `Vocabulary`."""

    def fact_of(self, name: str, view: View) -> Value:
        """Return what a fact is."""

    def field_of(self, of: Ref, name: str, view: View) -> Value:
        """Return a field, or a counter, of something."""


class Body(Protocol):
    """A body of law, as far as expressions must know it: a `Law`."""

    @property
    def vocabulary(self) -> Words:
        """What its rules may speak of."""

    def answer(self, key: str, state: object, env: Mapping[str, Value], within: View | None = None) -> Value:
        """Return what the law says of a key; raises `Undecided` where it does not say."""


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
        self, reason: str, finding: Answer | None = None, *, when: str = "", options: tuple[str, ...] = ()
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
    law : Body or None
        The law in force; None where what is evaluated asks it nothing.
    """

    __slots__ = ("env", "law", "open_keys", "rounded", "state", "steps", "trace")

    def __init__(self, state: object, env: Mapping[str, Value], law: Body | None) -> None:
        self.state = state
        self.env: dict[str, Value] = dict(env)
        self.law = cast(Body, law)
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
        value = self.env[name] if name in self.env else self.law.vocabulary.fact_of(name, self)
        self.trace[name] = value
        return value

    def key(self, name: str, **bound: Value) -> Value:
        """Return what the law says of a key, in this very case or with more names bound."""
        value = self.law.answer(name, self.state, {**self.env, **bound} if bound else self.env, self)
        self.trace[name] = value
        return value

    def field(self, of: Value, name: str) -> Value:
        """Return a field, or a counter, of something that the law points at."""
        if not isinstance(of, Ref):
            raise Undecided(f"nothing is there to have {name}")
        self.spend()
        return self.law.vocabulary.field_of(of, name, self)
