"""Which cells played what in a game, which games they began, and which forks they made."""

from __future__ import annotations

from dataclasses import dataclass, field

from nomic_nb.engine.play.engine import Moment
from nomic_nb.engine.play.timeline import Timeline


@dataclass(eq=False, repr=False)
class Span:
    """The stretch of a game that a cell played: moments from `start` up to `end`; none, where it only looked."""

    start: int
    end: int
    #: The cell's text when it ran first, as far as it is known; only what is unchanged looks back.
    source: str = ""

    @property
    def empty(self) -> bool:
        """Whether the cell only looked."""
        return self.start == self.end


@dataclass(eq=False, repr=False)
class Rerun:
    """A cell that is running again: where it began, and all that there was."""

    cell: str
    span: Span
    old: list[Moment]
    source: str
    #: Whether the cell has looked at the game or acted in it, this time.
    touched: bool = False

    @property
    def elsewhere(self) -> bool:
        """Whether the cell is what it was, and has to do with another game now: one that was begun anew."""
        return not self.touched and self.source == self.span.source


@dataclass(eq=False, repr=False)
class Trail:
    """Which cells played what in one game.

    Parameters
    ----------
    spans : dict of str to Span
        By cell.
    rerun : Rerun or None
        The cell that is running again now.
    """

    spans: dict[str, Span] = field(default_factory=dict)
    rerun: Rerun | None = None


@dataclass(eq=False, repr=False)
class Parted:
    """A fork that a cell made.

    Parameters
    ----------
    timeline : Timeline
        The game that it parted from.
    at : int
        The last event that both share.
    fork : Table
        The game that goes on from there.
    again : bool
        Whether the cell, running now, asked for it.
    """

    timeline: Timeline
    at: int
    fork: Timeline
    again: bool = True

    @property
    def empty(self) -> bool:
        """Whether nothing has happened in it."""
        return len(self.fork.moments) == self.at and not self.fork.forks

    @property
    def stands(self) -> bool:
        """Whether the game that it parted from still leads to it."""
        known = any(one.timeline is self.fork for one in self.timeline.forks)
        return known and self.fork.events[: self.at] == self.timeline.events[: self.at]
