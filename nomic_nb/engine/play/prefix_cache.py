"""What is found along a game, event by event: a beginning that is still the same is not gone through again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from nomic_nb.engine.play.engine import Moment
from nomic_nb.engine.play.events import Event

T = TypeVar("T")


class PrefixCache(ABC, Generic[T]):
    """A value after each event of a game, found from the value before.

    Parameters
    ----------
    first : value
        Its value before anything has happened.
    """

    def __init__(self, first: T) -> None:
        self.first = first
        self.known: list[tuple[Event, T]] = []

    @abstractmethod
    def next_value(self, before: T, event: Event) -> T:
        """Compute the value after an event from the value before it; subclasses define how."""

    def forget_after(self, at: int) -> None:
        """Drop the cached values after the first `at` events, because the game now continues differently."""
        del self.known[at:]

    def value_after(self, moments: Sequence[Moment], more: Sequence[Moment] = ()) -> T:
        """Return the value after `moments` and then `more`, reusing cached values while the events are the same."""
        at = min(len(self.known), len(moments))
        while at and self.known[at - 1][0] is not moments[at - 1][0]:
            at -= 1
        if at < len(self.known):
            self.forget_after(at)
        value = self.known[-1][1] if at else self.first
        for event, _ in (*moments[at:], *more):
            value = self.next_value(value, event)
            self.known.append((event, value))
        return value
