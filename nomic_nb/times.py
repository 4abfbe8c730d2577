"""Other times of a game: the ways that it went, and how the law differs between two moments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nomic_nb.law.rules import Rule
from nomic_nb.play.state import State
from nomic_nb.play.table import Fork, Table
from nomic_nb.record import frames
from nomic_nb.shown import Shown

if TYPE_CHECKING:
    import pandas as pd

    from nomic_nb.game import Game


@dataclass(frozen=True)
class Way:
    """One of the ways that a game went.

    Parameters
    ----------
    depth : int
        How far down the tree it is, 0 for the game itself.
    at : int
        The last event that it shares with the way it parted from; 0 for the game itself.
    table : Table
        The game as it went there.
    why : str
        How they came to part.
    """

    depth: int
    at: int
    table: Table
    why: str

    @property
    def game(self) -> Game:
        """The game as it went there."""
        from nomic_nb.game import Game

        return Game(self.table)

    @property
    def events(self) -> int:
        """How many events there are in it."""
        return len(self.table.moments)


class Forks(Shown):
    """The other ways that a game went, each with the ways that parted from it.

    Parameters
    ----------
    table : Table
        The game.
    """

    def __init__(self, table: Table) -> None:
        self.table = table

    def ways(self) -> Iterator[Way]:
        """Yield the game itself and every way that parted from it, in the order of a tree."""
        yield Way(0, 0, self.table, "this game")
        yield from self._below(self.table, 1)

    def _below(self, table: Table, depth: int) -> Iterator[Way]:
        for fork in sorted(table.forks, key=lambda one: one.at):
            yield Way(depth, fork.at, fork.table, fork.why)
            yield from self._below(fork.table, depth + 1)

    def __getitem__(self, place: int) -> Way:
        return list(self.ways())[1:][place]

    def __iter__(self) -> Iterator[Way]:
        return iter(list(self.ways())[1:])

    def __len__(self) -> int:
        return sum(1 for _ in self.ways()) - 1

    def __str__(self) -> str:
        lines = []
        for way in self.ways():
            parted = f" parts after event {way.at}," if way.depth else ""
            lines.append(f"{'  ' * way.depth}{way.why}:{parted} {way.events} events")
        return "\n".join(lines)

    __repr__ = __str__


@dataclass(frozen=True)
class Difference:
    """A rule that differs between two moments.

    Parameters
    ----------
    old, new : Rule or None
        How it stood, and how it stands; None where it was not there.
    """

    old: Rule | None
    new: Rule | None

    @property
    def what(self) -> str:
        """What became of it, in a few words."""
        if self.old is None:
            return "new"
        if self.new is None:
            return "repealed"
        marks = []
        if self.old.number != self.new.number:
            marks.append(f"was {self.old.number}")
        if self.old.tier != self.new.tier:
            marks.append(f"was {self.old.tier}")
        if (self.old.wording, self.old.law) != (self.new.wording, self.new.law):
            marks.append("amended")
        return ", ".join(marks) or "changed and changed back"


class Redline(Shown):
    """How the law differs between two moments.

    Parameters
    ----------
    then, now : State
        The two moments.
    """

    def __init__(self, then: State, now: State) -> None:
        self.then, self.now = then, now
        before, after = then.rules.rules, now.rules.rules
        ids = dict.fromkeys((*before, *after))
        self.differences = tuple(
            Difference(before.get(id), after.get(id)) for id in ids if before.get(id) != after.get(id)
        )

    def __iter__(self) -> Iterator[Difference]:
        return iter(self.differences)

    def __len__(self) -> int:
        return len(self.differences)

    @property
    def frame(self) -> pd.DataFrame:
        """The differences as a DataFrame; see `record.frames.differences` for its columns."""
        return frames.differences([(one.old, one.new, one.what) for one in self.differences])

    def __str__(self) -> str:
        lines = []
        for one in self.differences:
            rule = one.new or one.old
            if rule is None:
                continue
            lines.append(f"{rule.number}. {rule.title} ({one.what})")
            if one.old and (one.new is None or one.old.wording != one.new.wording):
                lines += [f"  - {line}" for line in one.old.wording.splitlines()]
            if one.new and (one.old is None or one.old.wording != one.new.wording):
                lines += [f"  + {line}" for line in one.new.wording.splitlines()]
        return "\n".join(lines) or "the law is the same"

    __repr__ = __str__


__all__ = ["Difference", "Fork", "Forks", "Redline", "Way"]
