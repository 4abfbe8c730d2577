"""Cells: running a cell again takes the game back to where that cell first began, and plays on.

A notebook is read from top to bottom, and so is a game that was played in it. So a cell that only looks sees the
game as of its place, as long as cells below it have played on, and nobody has edited it. The front end tells
which cell runs; where it does not (a script, nbclient), actions simply act. So do those of other
threads, such as clicks in a panel that a front end hands over while a cell runs.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import sys
import weakref
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from nomic_nb.engine.errors import RecordError
from nomic_nb.engine.play.engine import Moment
from nomic_nb.engine.play.events import Event, events_in
from nomic_nb.engine.play.game_setup import LARGEST_SEED, GameSetup
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.threads import get_ident
from nomic_nb.notebook.store.game_store import KeptGame
from nomic_nb.notebook.store.journal import StepHand

# ------------------------------------------------------------------------------- which cells played what in a game


@dataclass(eq=False, repr=False)
class CellSpan:
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
class CellRerun:
    """A cell that is running again: where it began, and all that there was."""

    cell: str
    span: CellSpan
    old: list[Moment]
    source: str
    #: Whether the cell has looked at the game or acted in it, this time.
    touched: bool = False

    @property
    def elsewhere(self) -> bool:
        """Whether the cell is what it was, and has to do with another game now: one that was begun anew."""
        return not self.touched and self.source == self.span.source


@dataclass(eq=False, repr=False)
class CellHistory:
    """Which cells played what in one game.

    Parameters
    ----------
    spans : dict of str to Span
        By cell.
    rerun : Rerun or None
        The cell that is running again now.
    """

    spans: dict[str, CellSpan] = field(default_factory=dict)
    rerun: CellRerun | None = None


@dataclass(eq=False, repr=False)
class CellFork:
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


# --------------------------------------------------------------------------------- by which hand something is done


#: ``panel``, ``seat`` for a page of its own, with which one behind it, or ``host`` for whoever keeps the record; and
#: the id of the message with which a page asked for it.
CURRENT_HAND: ContextVar[tuple[str, str]] = ContextVar("hand", default=("", ""))


@contextmanager
def acting_hand(kind: str, message: str = "") -> Iterator[None]:
    """Let what is done here be by another hand: that of a panel, or of whoever keeps the record."""
    token = CURRENT_HAND.set((kind, message))
    try:
        yield
    finally:
        CURRENT_HAND.reset(token)


# ----------------------------------------------------------------------------------------------------------- cells


#: Letters of a cell's id that somebody may have chosen; those drawn by chance have 8, or 36.
LONGEST_CHOSEN = 24


class CellWatch:
    """Follows the cells of one session."""

    def __init__(self) -> None:
        #: The cell that runs, its thread, and how many runs began in one another.
        self.cell: str | None = None
        self.source = ""
        #: The cell that has just run, while what it made of its games is settled.
        self.settled: str | None = None
        self.thread, self.depth = 0, 0
        self.parted: defaultdict[str, list[CellFork]] = defaultdict(list)
        self.trails: weakref.WeakKeyDictionary[Timeline, CellHistory] = weakref.WeakKeyDictionary()
        #: The games that a cell began, each with what it was asked for.
        self.begun: defaultdict[str, list[tuple[object, Timeline]]] = defaultdict(list)
        self.count = 0
        #: How many cells were run, each time counted.
        self.runs = 0
        self.shell: Any = None

    def attach(self) -> None:
        """Listen to the session, where there is one."""
        ipython = sys.modules.get("IPython")
        shell = ipython.get_ipython() if ipython is not None else None
        if shell is None or shell is self.shell:
            return
        self.shell = shell
        shell.events.register("pre_run_cell", self._on_cell_start)
        shell.events.register("post_run_cell", self._on_cell_end)
        # The cell that imports the kit is running already.
        parent = getattr(shell, "get_parent", lambda: None)() or {}
        self.cell = (parent.get("metadata") or {}).get("cellId")
        self.source = (parent.get("content") or {}).get("code", "")
        self.thread, self.depth = get_ident(), 1

    def _on_cell_start(self, info: Any) -> None:
        self.before(getattr(info, "cell_id", None), getattr(info, "raw_cell", ""))

    def _on_cell_end(self, result: Any) -> None:
        self.after(failed=not getattr(result, "success", False))  # there is no result where it was broken off

    # ------------------------------------------------------------------------------ before and after

    def before(self, cell: str | None, source: str = "") -> None:
        """Take every game that this cell played in, or looked at, back to where it began.

        A run without an identity within that of a cell, as ``%%capture`` makes one, is part of it. Any
        other begins when the last one is over, even if nothing told of its end.
        """
        if self.depth and get_ident() != self.thread:  # beside the cell that runs
            return
        if self.depth and cell is None:
            self.depth += 1
            return
        if self.depth:
            self.depth = 1
            self.after(failed=True)
        self.cell, self.thread, self.depth, self.count = cell, get_ident(), 1, 0
        self.source, self.runs = source, self.runs + 1
        if cell is None:
            return
        for made in self.parted[cell]:
            made.again = False
        for timeline, trail in list(self.trails.items()):
            self._take_back(timeline, trail, cell)

    def _take_back(self, timeline: Timeline, trail: CellHistory, cell: str, at: int | None = None) -> None:
        """Take a game back to where a cell began, or to where it is by now, if it played in it or looks back."""
        span = trail.spans.get(cell)
        if span is None:
            return
        span.source = span.source or self.source  # of a cell that ran in an earlier session, it is not known
        if span.empty and not self._is_reading_past(timeline, trail, span):
            del trail.spans[cell]
            return
        with timeline.lock:
            trail.rerun = CellRerun(cell, span, list(timeline.moments), self.source)
            del timeline.moments[span.start if at is None else at :]

    def after(self, *, failed: bool) -> None:
        """Put back what followed, keep it as a fork, or undo a failed attempt."""
        if get_ident() != self.thread:
            return
        self.depth = max(0, self.depth - 1)
        if self.depth:
            return
        cell, self.cell = self.cell, None
        if cell is None:
            return
        self.settled = cell
        try:
            self._settle_reruns(cell, failed=failed)
        finally:
            self.settled = None

    def _settle_reruns(self, cell: str, *, failed: bool) -> None:
        forgotten = {made.fork for made in self.parted[cell] if not made.again}
        refused: RecordError | None = None
        for timeline, trail in list(self.trails.items()):
            with timeline.lock:
                if trail.rerun is not None and trail.rerun.cell == cell:
                    try:
                        self._settle_rerun(timeline, trail, trail.rerun, failed=failed or timeline in forgotten)
                    except RecordError as error:  # it could not be kept, and the game stands as it did
                        refused = error
                    trail.rerun = None
                    timeline.attempt(bool)  # what others did meanwhile
                    timeline.changed()
                elif cell in trail.spans:
                    trail.spans[cell].end = len(timeline.moments)
                    if failed and trail.spans[cell].empty and not self._note_forks(timeline, cell):
                        del trail.spans[cell]  # refused: it begins where it first acts
        if not failed:
            self._forget_stale_forks(cell)
        if refused is not None:
            raise refused

    def _note_forks(self, timeline: Timeline, cell: str) -> bool:
        return any(made.timeline is timeline for made in self.parted.get(cell, ()))

    def _is_reading_past(self, timeline: Timeline, trail: CellHistory, span: CellSpan) -> bool:
        """Tell whether a cell that only looked shall see the game as of its place, and not as it stands now."""
        below = any(not one.empty and one.start >= span.start for one in trail.spans.values())
        return self._note_forks(timeline, self.cell or "") or (below and span.source == self.source)

    def _forget_stale_forks(self, cell: str) -> None:
        """Forget the forks that a cell makes no more; those in which nothing has happened go from the tree."""
        for made in self.parted[cell]:
            if not made.again and made.empty:
                with made.timeline.lock:
                    if made.fork.keeper is not None:
                        made.fork.keeper.forgotten()
                    made.timeline.forks = [one for one in made.timeline.forks if one.timeline is not made.fork]
        self.parted[cell] = [made for made in self.parted[cell] if made.again]

    def _settle_rerun(self, timeline: Timeline, trail: CellHistory, rerun: CellRerun, *, failed: bool) -> None:
        start, old = rerun.span.start, rerun.old
        own = events_in(old[start : rerun.span.end])
        if failed or events_in(timeline.moments[start:]) == own or rerun.elsewhere:
            timeline.moments[:] = old
            return
        why = f"before cell {_short_cell_name(rerun.cell)} was edited"
        if timeline.keeper is None:
            timeline.forked(old, start, why)
        elif not timeline.keeper.replaced(old, start, why):
            return
        self.cut(timeline, start)
        trail.spans[rerun.cell] = CellSpan(start, len(timeline.moments), rerun.source)

    # --------------------------------------------------------------------------------- what cells do

    @property
    def running(self) -> str | None:
        """The cell that asks; None where it is another thread."""
        return self.cell if get_ident() == self.thread else None

    def note_use(self, timeline: Timeline) -> None:
        """Note that the running cell looks at a game or acts in it; the first time, that is where it begins."""
        cell = self.running
        if cell is None:
            return
        trail = self.trails.setdefault(timeline, CellHistory())
        if cell not in trail.spans:
            at = len(timeline.moments)
            trail.spans[cell] = CellSpan(at, at, self.source)
        if rerun := self._rerun_of(timeline):
            rerun.touched = True

    def _rerun_of(self, timeline: Timeline) -> CellRerun | None:
        """Return how the running cell runs again in a game, where it does."""
        trail = self.trails.get(timeline)
        rerun = trail.rerun if trail is not None else None
        return rerun if rerun is not None and rerun.cell == self.running else None

    def _is_only_looking(self, timeline: Timeline) -> CellRerun | None:
        rerun = self._rerun_of(timeline)
        if rerun is None or len(timeline.moments) != rerun.span.start or not rerun.span.empty:
            return None
        return rerun

    def beyond(self, timeline: Timeline) -> int | None:
        """Return the number of the last event, where the running cell only looks and sees an earlier one."""
        rerun = self._is_only_looking(timeline)
        return len(rerun.old) if rerun is not None and len(rerun.old) > len(timeline.moments) else None

    def now(self, timeline: Timeline) -> None:
        """Let the running cell see the game as it stands now, as what is written to a file shall be."""
        rerun = self._is_only_looking(timeline)
        if rerun is not None:
            with timeline.lock:
                timeline.moments[:] = rerun.old
                trail = self.trails[timeline]
                trail.rerun = None
                del trail.spans[rerun.cell]

    def fork(self, timeline: Timeline, at: int | None) -> Timeline:
        """Return a game that goes on from an event, or from now; the one that this cell made before, if it did.

        Raises
        ------
        ValueError
            There is no such event.
        """
        if at is None:
            self.note_use(timeline)  # so that now is the same moment when the cell runs again
            at = len(timeline.moments)
        at = timeline.step_end(at)
        cell = self.running
        known = self.parted[cell] if cell is not None else []
        for made in known:
            if not made.again and made.timeline is timeline and made.at == at and made.stands:
                made.again = True
                return made.fork
        fork = timeline.fork(at)
        known.append(CellFork(timeline, at, fork))
        return fork

    def rewound(self, timeline: Timeline) -> bool:
        """Tell whether a cell that runs again has taken a game back, and is not done: it is not as it stands."""
        trail = self.trails.get(timeline)
        return trail is not None and trail.rerun is not None

    def is_repeating(self, timeline: Timeline) -> Event | None:
        """Return what happened at this place before, where a cell is run again and has done the same so far."""
        rerun = self._rerun_of(timeline)
        if rerun is None:
            return None
        at = len(timeline.moments)
        start, end = rerun.span.start, rerun.span.end
        same = at < end and events_in(timeline.moments[start:]) == events_in(rerun.old[start:at])
        return rerun.old[at][0] if same else None

    def seed(self, asked: tuple[object, ...]) -> int | None:
        """Return a seed that is the same whenever this cell runs; None where no cell is known."""
        cell = self.running
        if cell is None:
            return None
        block = hashlib.sha256(f"nomic_nb seed {cell} {self.count} {asked}".encode()).digest()
        return int.from_bytes(block[:8], "big") % min(1_000_000, LARGEST_SEED)

    def same(self, asked: tuple[object, ...]) -> Timeline | None:
        """Return the game that this cell began before, if it is asked for the same again."""
        cell = self.running
        if cell is None:
            return None
        for before, timeline in self.begun[cell][self.count : self.count + 1]:
            if before == asked:
                self.count += 1
                return timeline
        return None

    def began(self, asked: tuple[object, ...], timeline: Timeline) -> None:
        """Note the game that this cell began."""
        cell = self.running
        if cell is None:
            return
        self.begun[cell][self.count :] = [(asked, timeline)]
        self.count += 1
        self.note_use(timeline)

    # --------------------------------------------------------------------------- games that are kept

    @cached_property
    def name(self) -> str:
        """What tells this notebook from others, and stays when its kernel begins anew, if the front end says it."""
        names = getattr(self.shell, "user_ns", {})
        told = os.environ.get("JPY_SESSION_NAME") or str(names.get("__vsc_ipynb_file__", ""))
        return hashlib.sha256(told.encode()).hexdigest()[:16] if told else secrets.token_hex(8)

    def hand(self) -> StepHand:
        """Return by which hand something is done now."""
        runs = self.settled is not None or (self.depth > 0 and get_ident() == self.thread)
        said, message = CURRENT_HAND.get()
        hand = said or ("cell" if runs else "script")
        kind = hand.partition(" ")[0]
        if kind == "seat":
            return StepHand(kind, "", hand, message)
        cell = None if kind == "panel" else self.settled or self.running
        return StepHand(kind, cell or "", self.name)

    def cut(self, timeline: Timeline, at: int) -> None:
        """Forget what cells played behind an event, as the game goes another way from there."""
        trail = self.trails.get(timeline)
        if trail is not None:
            trail.spans = {cell: span for cell, span in trail.spans.items() if span.end <= at}

    def tell(self, text: str) -> None:
        """Say something below the cell that runs."""
        print(text)  # noqa: T201 - that is where it is looked for

    def found(self, kept: KeptGame) -> None:
        """Know again which cells played what in a game that is brought back, and which made its forks.

        A cell that runs just now and played in it before is running again.
        """
        for one in kept.ways:
            trail = self.trails.setdefault(one.timeline, CellHistory())
            for cell, (start, end) in one.spans().items():
                own = trail.spans.get(cell)
                if own is None or cell == self.running:
                    trail.spans[cell] = CellSpan(start if own is None else min(start, own.start), end)
                if cell == self.running:
                    self._take_back(one.timeline, trail, cell, start)
            for fork in one.timeline.forks:
                other = fork.timeline.keeper
                if isinstance(other, KeptGame) and other.cell:
                    self.parted[other.cell].append(CellFork(one.timeline, fork.at, fork.timeline, again=False))


#: The one watch of this session.
CELL_WATCH = CellWatch()


def _short_cell_name(cell: str) -> str:
    """Return what a cell is called: its id, or the beginning of one that nobody chose."""
    return cell if len(cell) <= LONGEST_CHOSEN else cell[:8]


def game_request(setting: GameSetup, seed: int | None) -> tuple[object, ...]:
    """Return what a game was asked for, to tell whether it is the same again."""
    agreed = tuple(sorted(setting.terms.items(), key=str))
    return (setting.ruleset.digest, setting.players, agreed, setting.order, setting.medium, seed)
