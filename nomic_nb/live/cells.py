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
import threading
import weakref
from collections import defaultdict
from functools import cached_property
from typing import Any

from nomic_nb.errors import RecordError
from nomic_nb.live.hands import HAND, MESSAGE
from nomic_nb.live.trails import Begun, Parted, Rerun, Span, Trail
from nomic_nb.play.events import Event
from nomic_nb.play.setting import LARGEST_SEED, Setting
from nomic_nb.play.table import Table
from nomic_nb.store.kept import Kept
from nomic_nb.store.lines import Hand

#: Letters of a cell's id that somebody may have chosen; those drawn by chance have 8, or 36.
LONGEST_CHOSEN = 24


class Watch:
    """Follows the cells of one session."""

    def __init__(self) -> None:
        #: The cell that runs, its thread, and how many runs began in one another.
        self.cell: str | None = None
        self.source = ""
        #: The cell that has just run, while what it made of its games is settled.
        self.settled: str | None = None
        self.thread, self.depth = 0, 0
        self.parted: defaultdict[str, list[Parted]] = defaultdict(list)
        self.trails: weakref.WeakKeyDictionary[Table, Trail] = weakref.WeakKeyDictionary()
        self.begun: defaultdict[str, list[Begun]] = defaultdict(list)
        self.count = 0
        self.shell: Any = None

    def attach(self) -> None:
        """Listen to the session, where there is one."""
        ipython = sys.modules.get("IPython")
        shell = ipython.get_ipython() if ipython is not None else None
        if shell is None or shell is self.shell:
            return
        self.shell = shell
        shell.events.register("pre_run_cell", self._before)
        shell.events.register("post_run_cell", self._after)
        # The cell that imports the kit is running already.
        parent = getattr(shell, "get_parent", lambda: None)() or {}
        self.cell = (parent.get("metadata") or {}).get("cellId")
        self.source = (parent.get("content") or {}).get("code", "")
        self.thread, self.depth = threading.get_ident(), 1

    def _before(self, info: Any) -> None:
        self.before(getattr(info, "cell_id", None), getattr(info, "raw_cell", ""))

    def _after(self, result: Any) -> None:
        self.after(failed=not getattr(result, "success", False))  # there is no result where it was broken off

    # ------------------------------------------------------------------------------ before and after

    def before(self, cell: str | None, source: str = "") -> None:
        """Take every game that this cell played in, or looked at, back to where it began.

        A run without an identity within that of a cell, as ``%%capture`` makes one, is part of it. Any
        other begins when the last one is over, even if nothing told of its end.
        """
        if self.depth and threading.get_ident() != self.thread:  # beside the cell that runs
            return
        if self.depth and cell is None:
            self.depth += 1
            return
        if self.depth:
            self.depth = 1
            self.after(failed=True)
        self.cell, self.thread, self.depth, self.count = cell, threading.get_ident(), 1, 0
        self.source = source
        if cell is None:
            return
        for made in self.parted[cell]:
            made.again = False
        for table, trail in list(self.trails.items()):
            self._take_back(table, trail, cell)

    def _take_back(self, table: Table, trail: Trail, cell: str, at: int | None = None) -> None:
        """Take a game back to where a cell began, or to where it is by now, if it played in it or looks back."""
        span = trail.spans.get(cell)
        if span is None:
            return
        span.source = span.source or self.source  # of a cell that ran in an earlier session, it is not known
        if span.empty and not self._looks_back(table, trail, span):
            del trail.spans[cell]
            return
        with table.lock:
            trail.rerun = Rerun(cell, span, list(table.moments), self.source)
            del table.moments[span.start if at is None else at :]

    def after(self, *, failed: bool) -> None:
        """Put back what followed, keep it as a fork, or undo a failed attempt."""
        if threading.get_ident() != self.thread:
            return
        self.depth = max(0, self.depth - 1)
        if self.depth:
            return
        cell, self.cell = self.cell, None
        if cell is None:
            return
        self.settled = cell
        try:
            self._settle_all(cell, failed=failed)
        finally:
            self.settled = None

    def _settle_all(self, cell: str, *, failed: bool) -> None:
        forgotten = {made.fork for made in self.parted[cell] if not made.again}
        refused: RecordError | None = None
        for table, trail in list(self.trails.items()):
            with table.lock:
                if trail.rerun is not None and trail.rerun.cell == cell:
                    try:
                        self._settle(table, trail, trail.rerun, failed=failed or table in forgotten)
                    except RecordError as error:  # it could not be kept, and the game stands as it did
                        refused = error
                    trail.rerun = None
                    table.attempt(bool)  # what others did meanwhile
                    table.changed()
                elif cell in trail.spans:
                    trail.spans[cell].end = len(table.moments)
                    if failed and trail.spans[cell].empty and not self._parts(table, cell):
                        del trail.spans[cell]  # refused: it begins where it first acts
        if not failed:
            self._tidy(cell)
        if refused is not None:
            raise refused

    def _parts(self, table: Table, cell: str) -> bool:
        return any(made.table is table for made in self.parted.get(cell, ()))

    def _looks_back(self, table: Table, trail: Trail, span: Span) -> bool:
        """Tell whether a cell that only looked shall see the game as of its place, and not as it stands now."""
        below = any(not one.empty and one.start >= span.start for one in trail.spans.values())
        return self._parts(table, self.cell or "") or (below and span.source == self.source)

    def _tidy(self, cell: str) -> None:
        """Forget the forks that a cell makes no more; those in which nothing has happened go from the tree."""
        for made in self.parted[cell]:
            if not made.again and made.empty:
                with made.table.lock:
                    if made.fork.keeper is not None:
                        made.fork.keeper.forgotten()
                    made.table.forks = [one for one in made.table.forks if one.table is not made.fork]
        self.parted[cell] = [made for made in self.parted[cell] if made.again]

    @staticmethod
    def _settle(table: Table, trail: Trail, rerun: Rerun, *, failed: bool) -> None:
        start, old = rerun.span.start, rerun.old
        own = [event for event, _ in old[start : rerun.span.end]]
        new = [event for event, _ in table.moments[start:]]
        if failed or new == own or rerun.elsewhere:
            table.moments[:] = old
            return
        why = f"before cell {_short(rerun.cell)} was edited"
        if table.keeper is None:
            table.forked(old, start, why)
        elif not table.keeper.replaced(old, start, why):
            return
        trail.spans = {cell: span for cell, span in trail.spans.items() if span.end <= start}
        trail.spans[rerun.cell] = Span(start, len(table.moments), rerun.source)

    # --------------------------------------------------------------------------------- what cells do

    @property
    def running(self) -> str | None:
        """The cell that asks; None where it is another thread."""
        return self.cell if threading.get_ident() == self.thread else None

    def touching(self, table: Table) -> None:
        """Note that the running cell looks at a game or acts in it; the first time, that is where it begins."""
        cell = self.running
        if cell is None:
            return
        trail = self.trails.setdefault(table, Trail())
        if cell not in trail.spans:
            at = len(table.moments)
            trail.spans[cell] = Span(at, at, self.source)
        if rerun := self._again(table):
            rerun.touched = True

    def _again(self, table: Table) -> Rerun | None:
        """Return how the running cell runs again in a game, where it does."""
        trail = self.trails.get(table)
        rerun = trail.rerun if trail is not None else None
        return rerun if rerun is not None and rerun.cell == self.running else None

    def _looking(self, table: Table) -> Rerun | None:
        rerun = self._again(table)
        if rerun is None or len(table.moments) != rerun.span.start or not rerun.span.empty:
            return None
        return rerun

    def beyond(self, table: Table) -> int | None:
        """Return the number of the last event, where the running cell only looks and sees an earlier one."""
        rerun = self._looking(table)
        return len(rerun.old) if rerun is not None and len(rerun.old) > len(table.moments) else None

    def now(self, table: Table) -> None:
        """Let the running cell see the game as it stands now, as what is written to a file shall be."""
        rerun = self._looking(table)
        if rerun is not None:
            with table.lock:
                table.moments[:] = rerun.old
                trail = self.trails[table]
                trail.rerun = None
                del trail.spans[rerun.cell]

    def fork(self, table: Table, at: int | None) -> Table:
        """Return a game that goes on from an event, or from now; the one that this cell made before, if it did.

        Raises
        ------
        ValueError
            There is no such event.
        """
        if at is None:
            self.touching(table)  # so that now is the same moment when the cell runs again
            at = len(table.moments)
        at = table.step_end(at)
        cell = self.running
        known = self.parted[cell] if cell is not None else []
        for made in known:
            if not made.again and made.table is table and made.at == at and made.stands:
                made.again = True
                return made.fork
        fork = table.fork(at)
        known.append(Parted(table, at, fork))
        return fork

    def rewound(self, table: Table) -> bool:
        """Tell whether a cell that runs again has taken a game back, and is not done: it is not as it stands."""
        trail = self.trails.get(table)
        return trail is not None and trail.rerun is not None

    def repeats(self, table: Table) -> Event | None:
        """Return what happened at this place before, where a cell is run again and has done the same so far."""
        rerun = self._again(table)
        if rerun is None:
            return None
        at = len(table.moments)
        own = [event for event, _ in table.moments[rerun.span.start :]]
        old = [event for event, _ in rerun.old[rerun.span.start : at]]
        return rerun.old[at][0] if own == old and at < rerun.span.end else None

    def seed(self, asked: tuple[object, ...]) -> int | None:
        """Return a seed that is the same whenever this cell runs; None where no cell is known."""
        cell = self.running
        if cell is None:
            return None
        block = hashlib.sha256(f"nomic_nb seed {cell} {self.count} {asked}".encode()).digest()
        return int.from_bytes(block[:8], "big") % min(1_000_000, LARGEST_SEED)

    def same(self, asked: tuple[object, ...]) -> Table | None:
        """Return the game that this cell began before, if it is asked for the same again."""
        cell = self.running
        if cell is None:
            return None
        begun = self.begun[cell][self.count : self.count + 1]
        if not begun or begun[0].asked != asked:
            return None
        self.count += 1
        return begun[0].table

    def began(self, asked: tuple[object, ...], table: Table) -> None:
        """Note the game that this cell began."""
        cell = self.running
        if cell is None:
            return
        self.begun[cell][self.count :] = [Begun(asked, table)]
        self.count += 1
        self.touching(table)

    # --------------------------------------------------------------------------- games that are kept

    @cached_property
    def name(self) -> str:
        """What tells this notebook from others, and stays when its kernel begins anew, if the front end says it."""
        names = getattr(self.shell, "user_ns", {})
        told = os.environ.get("JPY_SESSION_NAME") or str(names.get("__vsc_ipynb_file__", ""))
        return hashlib.sha256(told.encode()).hexdigest()[:16] if told else secrets.token_hex(8)

    def hand(self) -> Hand:
        """Return by which hand something is done now."""
        runs = self.settled is not None or (self.depth > 0 and threading.get_ident() == self.thread)
        hand = HAND.get() or ("cell" if runs else "script")
        kind = hand.partition(" ")[0]
        if kind == "seat":
            return Hand(kind, "", hand, MESSAGE.get())
        cell = None if kind == "panel" else self.settled or self.running
        return Hand(kind, cell or "", self.name)

    def cut(self, table: Table, at: int) -> None:
        """Forget what cells played behind an event, as the game goes another way from there."""
        trail = self.trails.get(table)
        if trail is not None:
            trail.spans = {cell: span for cell, span in trail.spans.items() if span.end <= at}

    @staticmethod
    def tell(text: str) -> None:
        """Say something below the cell that runs."""
        print(text)  # noqa: T201 - that is where it is looked for

    def found(self, kept: Kept) -> None:
        """Know again which cells played what in a game that is brought back, and which made its forks.

        A cell that runs just now and played in it before is running again.
        """
        for one in kept.ways:
            trail = self.trails.setdefault(one.table, Trail())
            for cell, (start, end) in one.spans().items():
                own = trail.spans.get(cell)
                if own is None or cell == self.running:
                    trail.spans[cell] = Span(start if own is None else min(start, own.start), end)
                if cell == self.running:
                    self._take_back(one.table, trail, cell, start)
            for fork in one.table.forks:
                other = fork.table.keeper
                if isinstance(other, Kept) and other.cell:
                    self.parted[other.cell].append(Parted(one.table, fork.at, fork.table, again=False))


#: The one watch of this session.
WATCH = Watch()


def _short(cell: str) -> str:
    """Return what a cell is called: its id, or the beginning of one that nobody chose."""
    return cell if len(cell) <= LONGEST_CHOSEN else cell[:8]


def asked_for(setting: Setting, seed: int | None) -> tuple[object, ...]:
    """Return what a game was asked for, to tell whether it is the same again."""
    agreed = tuple(sorted(setting.terms.items(), key=str))
    return (setting.ruleset.digest, setting.players, agreed, setting.order, setting.medium, seed)
