"""The ways that a game went."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from nomic_nb.engine.arguments import plainly
from nomic_nb.engine.errors import OutOfRange
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.record.seals import seals
from nomic_nb.engine.record.sentences import sentence
from nomic_nb.engine.shown import Drawn

#: Of which class games are.
G = TypeVar("G", covariant=True)


@frozen
class Way(Generic[G]):
    """One of the ways that a game went.

    Parameters
    ----------
    depth : int
        How far down the tree it is, 0 for the way from which all others part.
    at : int
        The last event that it shares with the way it parted from; 0 for the first way.
    timeline : Timeline
        The game as it went there.
    why : str
        How they came to part.
    here : bool
        Whether it is the one being played, from which the tree is looked at.
    kind : type
        Of which class its game is.
    """

    depth: int
    at: int
    timeline: Timeline
    why: str
    here: bool
    kind: Callable[[Timeline], G]

    @property
    def game(self) -> G:
        """The game as it went there."""
        return self.kind(self.timeline)

    @property
    def events(self) -> int:
        """How many events there are in it."""
        return len(self.timeline.moments)

    @property
    def own(self) -> int:
        """How many of its events it does not share with the way it parted from."""
        return self.events - self.at

    @property
    def turn(self) -> int:
        """The turn in which it parted; 0 for the first way."""
        return self.timeline.moments[self.at - 1][0].turn if self.at else 0

    @property
    def begins(self) -> str:
        """What happened first in it, in words; empty where nothing has happened yet."""
        first = self.timeline.moments[self.at : self.at + 1]
        return sentence(first[0][0], seals(self.timeline)) if first else ""

    @property
    def parting(self) -> str:
        """Where it parted; empty for the first way."""
        return f"after event {self.at}, in turn {self.turn}" if self.depth else ""


class Forks(Drawn, Generic[G]):
    """All the ways that a game went: the one it began with, and each that parted from another.

    Going through them leaves out the way being played: ``forks[0]`` is the first of the others.

    Parameters
    ----------
    timeline : Timeline
        The game being played.
    kind : type
        Of which class its games are.
    """

    def __init__(self, timeline: Timeline, kind: Callable[[Timeline], G]) -> None:
        self.timeline, self.kind = timeline, kind

    def ways(self) -> Iterator[Way[G]]:
        """Yield every way, that being played too, in the order of a tree."""
        first = self.timeline
        while first.origin is not None and any(fork.timeline is first for fork in first.origin.forks):
            first = first.origin
        why = "this game" if first is self.timeline else "the game it parted from"
        yield Way(0, 0, first, why, first is self.timeline, self.kind)
        yield from self._below(first, 1)

    def _below(self, timeline: Timeline, depth: int) -> Iterator[Way[G]]:
        for fork in sorted(timeline.forks, key=lambda one: one.at):
            yield Way(depth, fork.at, fork.timeline, fork.why, fork.timeline is self.timeline, self.kind)
            yield from self._below(fork.timeline, depth + 1)

    @property
    def others(self) -> list[Way[G]]:
        """Every way but the one being played."""
        return [way for way in self.ways() if not way.here]

    @plainly
    def __getitem__(self, place: int) -> Way[G]:
        """Return one of the other ways.

        Raises
        ------
        IndexError
            There are not so many.
        """
        others = self.others
        if not -len(others) <= place < len(others):
            known = f"forks[0] to forks[{len(others) - 1}]" if others else "none yet; game.fork() makes one"
            raise OutOfRange(f"there is no forks[{place}]; there are {known}")
        return others[place]

    def __iter__(self) -> Iterator[Way[G]]:
        return iter(self.others)

    def __len__(self) -> int:
        return len(self.others)
