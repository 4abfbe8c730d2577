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
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from nomic_nb.engine.errors import PlainRefusal, RecordError
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.engine import Moment
from nomic_nb.engine.play.events import Event, events_in
from nomic_nb.engine.play.game_setup import LARGEST_SEED, GameSetup
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.threads import get_ident
from nomic_nb.engine.words import count_phrase
from nomic_nb.notebook.store.game_store import KeptGame
from nomic_nb.notebook.store.journal import StepHand

# ------------------------------------------------------------------------------- which cells played what in a game


@dataclass(eq=False, repr=False)
class CellSpan:
    """The events that a cell played in a game, as a start and end count; equal if it only looked."""

    start: int
    end: int
    #: The cell's text when it ran first, as far as it is known; only what is unchanged looks back.
    source: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether the cell only looked at the game and caused no event."""
        return self.start == self.end


@dataclass(eq=False, repr=False)
class CellRerun:
    """A notebook cell that is running again, with the events that the game had before it did."""

    cell: str
    span: CellSpan
    old: list[Moment]
    source: str
    #: Whether the cell has looked at the game or acted in it, this time.
    touched: bool = False

    @property
    def is_of_another_game(self) -> bool:
        """Whether the cell, rerun unchanged, has not used this game, because it now plays in another one."""
        return not self.touched and self.source == self.span.source


@dataclass(eq=False, repr=False)
class CellHistory:
    """Which events of one game each notebook cell played, and the cell that is running again.

    Parameters
    ----------
    spans : dict of str to Span
        By cell.
    rerun : Rerun or None
        The cell that is running again now.
    nameless : list of Span
        Events of runs of cells that no front end names, such as those of a terminal.
    pressed : dict of int to Event
        Events of panels and pages, by number.
    """

    spans: dict[str, CellSpan] = field(default_factory=dict)
    rerun: CellRerun | None = None
    nameless: list[CellSpan] = field(default_factory=list)
    pressed: dict[int, Event] = field(default_factory=dict)

    @property
    def all_spans(self) -> tuple[CellSpan, ...]:
        """What cells played, with and without names."""
        return (*self.spans.values(), *self.nameless)


@dataclass(eq=False, repr=False)
class CellUse(CellSpan):
    """The play of the running cell in a game, since its first use, and whether another thread also acts."""

    thread: int = 0
    others: bool = False

    def note_change(self) -> None:
        """Note who changed the game; the game calls this after each change."""
        self.others |= get_ident() != self.thread


@dataclass(eq=False, repr=False)
class CellFork:
    """A fork of a game that a notebook cell made: the game, the event where it parts, and the fork.

    Parameters
    ----------
    timeline : Timeline
        The original game.
    at : int
        The last event that both share.
    fork : Table
        The game that continues from there.
    again : bool
        Whether the cell, running now, asked for it.
    """

    timeline: Timeline
    at: int
    fork: Timeline
    again: bool = True

    @property
    def is_empty(self) -> bool:
        """Whether the fork has neither events nor forks."""
        return len(self.fork.moments) == self.at and not self.fork.forks

    @property
    def is_still_valid(self) -> bool:
        """Whether the game still has this fork, and all the events that both shared."""
        known = any(fork.timeline is self.fork for fork in self.timeline.forks)
        return known and self.fork.events[: self.at] == self.timeline.events[: self.at]


# --------------------------------------------------------------------------------- by which hand something is done


#: The hand by which machines act; the kind of machine follows it.
MACHINE = "machine"
#: ``panel``, ``seat`` for a page of its own, with which one after it, or ``host`` for the host; and
#: the id of the message with which a page asked for it.
CURRENT_HAND: ContextVar[tuple[str, str]] = ContextVar("hand", default=("", ""))


@contextmanager
def acting_as(kind: str, message: str = "") -> Iterator[None]:
    """Record the acts of the block as done by `kind`, such as “host”, at the request with the id `message`."""
    token = CURRENT_HAND.set((kind, message))
    try:
        yield
    finally:
        CURRENT_HAND.reset(token)


# ----------------------------------------------------------------------------------------------------------- cells


#: Letters of a cell's id that somebody may have chosen; those drawn by chance have 8, or 36.
LONGEST_CHOSEN = 24
#: Letters of a cell's beginning that are shown.
LONGEST_BEGINNING = 60
#: Events after which somebody may know what was secret before; a cell that fails does not take them back.
SEAL_EVENTS = ("committed", "revealed")


def _request_of_cell(shell: Any) -> dict[str, Any]:
    """Return the message that asked for the cell that runs; in JupyterLite, the kernel has it."""
    request = getattr(shell, "get_parent", lambda: None)()
    return request or getattr(getattr(shell, "kernel", None), "_parent_header", None) or {}


class CellWatch:
    """Follows which notebook cells play in which games, and rewinds a game if a cell runs again."""

    def __init__(self) -> None:
        #: The cell that runs, its thread, and how many runs began in one another.
        self.cell: str | None = None
        self.source = ""
        #: The cell that has just run, while what it made of its games is settled.
        self.settled: str | None = None
        self.thread, self.depth = 0, 0
        self.parted: defaultdict[str, list[CellFork]] = defaultdict(list)
        self.trails: weakref.WeakKeyDictionary[Timeline, CellHistory] = weakref.WeakKeyDictionary()
        #: The acts that take several steps, such as ballots cast together: by game, the events of each by its start.
        self.acts: weakref.WeakKeyDictionary[Timeline, dict[int, list[Event]]] = weakref.WeakKeyDictionary()
        #: The games that the running cell uses.
        self.uses: dict[Timeline, CellUse] = {}
        #: The number and the beginning of the cell that last made a proposal, by game and number of the proposal.
        self.proposers: weakref.WeakKeyDictionary[Timeline, dict[object, str]] = weakref.WeakKeyDictionary()
        #: The games that a cell began, each with what it was asked for.
        self.begun: defaultdict[str, list[tuple[object, Timeline]]] = defaultdict(list)
        self.count = 0
        #: How many cells were run, each time counted.
        self.runs = 0
        self.shell: Any = None
        #: The number that the notebook shows beside the last cell, or 0.
        self.number = 0

    def attach(self) -> None:
        """Register callbacks that IPython calls before and after each cell; do nothing without IPython."""
        ipython = sys.modules.get("IPython")
        shell = ipython.get_ipython() if ipython is not None else None
        if shell is None or shell is self.shell:
            return
        self.attach_to(shell)
        # The cell that imports the kit is running already.
        parent = _request_of_cell(shell)
        self.cell = (parent.get("metadata") or {}).get("cellId")
        self.source = (parent.get("content") or {}).get("code", "")
        self.thread, self.depth = get_ident(), 1

    def attach_to(self, shell: Any) -> None:
        """Register the callbacks in a session of IPython."""
        self.shell = shell
        shell.events.register("pre_run_cell", self._on_cell_start)
        shell.events.register("post_run_cell", self._on_cell_end)

    def _on_cell_start(self, info: Any) -> None:
        """Note that a cell starts; IPython calls this before each cell."""
        cell = getattr(info, "cell_id", None)
        if cell is None:  # in JupyterLite, or in a run within that of a cell
            asked = (_request_of_cell(self.shell).get("metadata") or {}).get("cellId")
            cell = None if self.depth and asked == self.cell else asked
        self.start_cell(cell, getattr(info, "raw_cell", ""))

    def _on_cell_end(self, result: Any) -> None:
        """Note that a cell ended, and whether it failed; IPython calls this after each cell."""
        self.number, used, cell = getattr(result, "execution_count", None) or 0, list(self.uses), self.cell
        self.finish_cell(failed=not getattr(result, "success", False))  # there is no result where it was broken off
        error = getattr(result, "error_in_exec", None)
        for refusal in (error, getattr(error, "__cause__", None)):
            if isinstance(refusal, PlainRefusal):
                hint = self._where_missing_is_made(refusal, used) or self._about_split_cells(cell, used)
                if hint:
                    self.print_message(hint)

    def _about_split_cells(self, cell: str | None, games: list[Timeline]) -> str:
        """Return a sentence on split and merged cells if the refused cell begins as one that has played, or holds it.

        JupyterLab gives the first half of a split cell, and a merged cell, a new identity.
        """
        own = f"{self.source.strip()}\n"
        others = [
            f"{span.source.strip()}\n"
            for game in games
            if game in self.trails
            for name, span in self.trails[game].spans.items()
            if cell not in (None, name) and span.source and not span.is_empty
        ]
        if not any(own != other and (own.startswith(other) or other.startswith(own)) for other in others):
            return ""
        return say("cell-split-or-merged", "If you have split or merged cells, restart the kernel and run all cells.")

    def _where_missing_is_made(self, refusal: PlainRefusal, games: list[Timeline]) -> str:
        """Return a sentence on which cell makes the proposal or the rule that is missing; empty if none is known."""
        number = refusal.values.get("proposal", refusal.values.get("rule"))
        makers = [self.proposers[game] for game in games if game in self.proposers]
        cells = [made[number] for made in makers if number in made]
        if not cells or any(number in game.state.proposals for game in games):
            return ""
        return say(
            "made-in-another-cell", "{number} is proposed in {cell}. Run that first.", number=number, cell=cells[0]
        )

    # ------------------------------------------------------------------------------ before and after

    def start_cell(self, cell: str | None, source: str = "") -> None:
        """Note that a cell starts, and rewind each game that it played in to where its last run began.

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
            self.finish_cell(failed=True)
        self.cell, self.thread, self.depth, self.count = cell, get_ident(), 1, 0
        self.source, self.runs, self.uses = source, self.runs + 1, {}
        if cell is None:
            return
        for fork in self.parted[cell]:
            fork.again = False
        for timeline, trail in list(self.trails.items()):
            self._rewind_to_cell(timeline, trail, cell)

    def _rewind_to_cell(self, timeline: Timeline, history: CellHistory, cell: str, at: int | None = None) -> None:
        """Take a game back to where the cell's last run began, or to just after event `at`."""
        span = history.spans.get(cell)
        if span is None:
            return
        span.source = span.source or self.source  # of a cell that ran in an earlier session, it is not known
        if span.is_empty and not self._is_reading_past(timeline, history, span):
            del history.spans[cell]
            return
        with timeline.lock:
            history.rerun = CellRerun(cell, span, list(timeline.moments), self.source)
            del timeline.moments[span.start if at is None else at :]

    def finish_cell(self, *, failed: bool) -> None:
        """Note that the cell ended or failed; restore the games rewound for it, or keep their old course as a fork."""
        if get_ident() != self.thread:
            return
        self.depth = max(0, self.depth - 1)
        if self.depth:
            return
        cell, self.cell = self.cell, None
        self.settled = cell
        try:
            self._finish_uses(cell, failed=failed)
            if cell is not None:
                self._finish_reruns(cell, failed=failed)
        finally:
            self.settled = None

    def _finish_uses(self, cell: str | None, *, failed: bool) -> None:
        """Note what the cell played and proposed in the games that it used, or take back its acts if it failed."""
        uses, self.uses = self.uses, {}
        for timeline, use in uses.items():
            timeline.listeners.remove(use.note_change)
            done = events_in(timeline.moments[use.start :])
            made = {event.data["number"]: self._cell_name for event in done if event.kind == "proposed"}
            self.proposers.setdefault(timeline, {}).update(made)
            if failed and done and not self.is_rewound(timeline):
                self._take_back(timeline, use, done)
            use.end = len(timeline.moments)
            if cell is None and not use.is_empty:
                self.trails[timeline].nameless.append(use)

    def _take_back(self, timeline: Timeline, use: CellUse, done: list[Event]) -> None:
        """Take back what a cell did in a game before it failed, unless somebody else relies on it already."""
        count = count_phrase(sum(event.is_action for event in done), "action")
        with timeline.lock:
            fixed = use.others or any(event.kind in SEAL_EVENTS for event in done)
            fixed |= any(fork.at > use.start for fork in timeline.forks)
            if isinstance(timeline.keeper, KeptGame):
                fixed = fixed or not timeline.keeper.take_back(use.start)
            if not fixed:
                del timeline.moments[use.start :]
        if fixed:
            hint = say(
                "cell-failed-and-acted",
                "This cell failed, but what it did before ({count}) stands. To take it back, use game.undo({event}).",
                count=count,
                event=use.start,
            )
        else:
            timeline.notify_listeners()
            hint = say(
                "cell-failed",
                "This cell failed, so what it did before ({count}) is taken back: the game is as it was after event "
                "{event}. Correct the cell and run it again.",
                count=count,
                event=use.start,
            )
        self.print_message(hint)

    @property
    def _cell_name(self) -> str:
        """The number that a notebook shows beside the last cell, and how the cell begins."""
        number = f"[{self.number}] " if self.number else ""
        return f"cell {number}“{' '.join(self.source.split())[:LONGEST_BEGINNING]}”"

    def _finish_reruns(self, cell: str, *, failed: bool) -> None:
        """Restore what followed the cell in each game rewound for it, or keep that as a fork."""
        forgotten = {fork.fork for fork in self.parted[cell] if not fork.again}
        refused: RecordError | None = None
        for timeline, trail in list(self.trails.items()):
            with timeline.lock:
                if trail.rerun is not None and trail.rerun.cell == cell:
                    start, last = trail.rerun.span.start, len(trail.rerun.old)
                    reads = trail.rerun.span.is_empty and trail.rerun.touched and len(timeline.moments) == start
                    if failed and (not trail.rerun.span.is_empty or timeline.moments[start:]):
                        self.print_message(
                            say(
                                "cell-failed-again",
                                "This cell failed, so its previous run counts: the game is as it was (event {event}).",
                                event=last,
                            )
                        )
                    elif reads and start < last and not failed and not self._has_forked(timeline, cell):
                        self.print_message(
                            say(
                                "cell-shows-the-past",
                                "This cell shows the game as it was at event {event}. It has continued to event {last}."
                                " To see it as it is now, change this cell or write another.",
                                event=start,
                                last=last,
                            )
                        )
                    try:
                        self._finish_rerun(timeline, trail, trail.rerun, failed=failed or timeline in forgotten)
                    except RecordError as error:  # it could not be kept, and the game stands as it did
                        refused = error
                    trail.rerun = None
                    timeline.attempt(bool)  # what others did meanwhile
                    timeline.notify_listeners()
                elif cell in trail.spans:
                    trail.spans[cell].end = len(timeline.moments)
                    if failed and trail.spans[cell].is_empty and not self._has_forked(timeline, cell):
                        del trail.spans[cell]  # refused: it begins where it first acts
        if not failed:
            self._forget_stale_forks(cell)
        if refused is not None:
            raise refused

    def _has_forked(self, timeline: Timeline, cell: str) -> bool:
        """Tell whether a fork of the game was made by the cell with this id."""
        return any(fork.timeline is timeline for fork in self.parted.get(cell, ()))

    def _is_reading_past(self, timeline: Timeline, history: CellHistory, span: CellSpan) -> bool:
        """Tell whether the running cell, which only reads a game, sees it as it was when the cell last ran."""
        below = any(not cell_span.is_empty and cell_span.start >= span.start for cell_span in history.spans.values())
        return self._has_forked(timeline, self.cell or "") or (below and span.source == self.source)

    def _forget_stale_forks(self, cell: str) -> None:
        """Forget the forks that a cell's new run did not make again; delete those in which nothing has happened."""
        for cell_fork in self.parted[cell]:
            if not cell_fork.again and cell_fork.is_empty:
                with cell_fork.timeline.lock:
                    if cell_fork.fork.keeper is not None:
                        cell_fork.fork.keeper.forget_empty_branch()
                    cell_fork.timeline.forks = [
                        branch for branch in cell_fork.timeline.forks if branch.timeline is not cell_fork.fork
                    ]
        self.parted[cell] = [fork for fork in self.parted[cell] if fork.again]

    def _finish_rerun(self, timeline: Timeline, history: CellHistory, rerun: CellRerun, *, failed: bool) -> None:
        """Restore a game's old events if the rerun cell failed or did the same; else keep them as a fork."""
        start, old = rerun.span.start, rerun.old
        own = events_in(old[start : rerun.span.end])
        if failed or events_in(timeline.moments[start:]) == own or rerun.is_of_another_game:
            timeline.moments[:] = old
            return
        why = f"before cell {_short_cell_name(rerun.cell)} was edited"
        if timeline.keeper is None:
            timeline.remember_branch(old, start, why)
        elif not timeline.keeper.replace_kept_game(old, start, why):
            return
        below = [span for span in history.spans.values() if span.start >= rerun.span.end and not span.is_empty]
        self.forget_cells_after(timeline, start)
        if below:
            self.print_message(
                say(
                    "cell-edited",
                    "This cell has changed, so the game continues from here: run the {cells} again. How the game "
                    "went before is kept as a branch (game.forks).",
                    cells="cell below" if len(below) == 1 else f"{len(below)} cells below",
                )
            )
        history.spans[rerun.cell] = CellSpan(start, len(timeline.moments), rerun.source)

    # --------------------------------------------------------------------------------- what cells do

    @property
    def running_cell(self) -> str | None:
        """The id of the cell that is running in this thread; None in any other thread."""
        return self.cell if get_ident() == self.thread else None

    def note_use(self, timeline: Timeline) -> None:
        """Note that the running cell uses a game; what it plays there counts from its first use."""
        if not self.depth or get_ident() != self.thread:
            return
        cell, at = self.cell, len(timeline.moments)
        if timeline not in self.uses:
            use = self.uses[timeline] = CellUse(at, at, thread=self.thread)
            timeline.listeners.append(use.note_change)
        trail = self.trails.setdefault(timeline, CellHistory())
        if cell is not None and cell not in trail.spans:
            trail.spans[cell] = CellSpan(at, at, self.source)
        if rerun := self._current_rerun(timeline):
            rerun.touched = True

    def forget_trial(self, timeline: Timeline) -> None:
        """Forget a copy of a game in which something was only tried."""
        self.uses.pop(timeline, None)
        self.trails.pop(timeline, None)

    def told_since(self, timeline: Timeline) -> int:
        """Return after which event a display says what changed: after the last one of the cell above.

        If nothing has happened since, it is where that cell began; outside of cells, where the last step began.
        """
        trail, now = self.trails.get(timeline), len(timeline.moments)
        own = None
        if trail is not None and self.depth and get_ident() == self.thread and not timeline.past:
            own = trail.spans.get(self.cell) if self.cell else self.uses.get(timeline)
        if trail is None or own is None:
            return next((event.seq - 1 for event in timeline.events_backwards() if event.is_action), now)
        above = [span for span in trail.all_spans if span is not own and span.end <= own.start]
        since = max((span.end for span in above), default=own.start)
        if since < now:
            return since
        return max((span.start for span in above if not span.is_empty), default=own.start)

    def is_played_by_cell(self, timeline: Timeline, event: Event, hands: Mapping[int, object]) -> bool:
        """Tell whether a cell played an event; `hands` says so of events that a file has, as “cell”."""
        trail = self.trails.get(timeline)
        if trail is not None and trail.pressed.get(event.seq) == event:
            return False
        hand = str(hands.get(event.seq, MACHINE))
        if not hand.startswith(MACHINE):  # which can answer in a cell, too
            return hand == "cell"
        if trail is not None and any(span.start < event.seq <= span.end for span in trail.all_spans):
            return True
        origin = timeline.origin
        if origin is None or origin.moments[event.seq - 1 : event.seq] != timeline.moments[event.seq - 1 : event.seq]:
            return False
        return self.is_played_by_cell(origin, event, {})

    def note_press(self, timeline: Timeline, events: Iterable[Event]) -> None:
        """Note that events were made in a panel or on a page, whichever cell may have been running."""
        self.trails.setdefault(timeline, CellHistory()).pressed.update((event.seq, event) for event in events)

    @property
    def is_in_cell(self) -> bool:
        """Whether a cell is running in this thread."""
        return self.depth > 0 and get_ident() == self.thread

    def _current_rerun(self, timeline: Timeline) -> CellRerun | None:
        """Return the rerun that the running cell is making in a game; None if it is no rerun there."""
        trail = self.trails.get(timeline)
        rerun = trail.rerun if trail is not None else None
        return rerun if rerun is not None and rerun.cell == self.running_cell else None

    def _find_reading_rerun(self, timeline: Timeline) -> CellRerun | None:
        """Return the running cell's rerun if neither it nor its last run caused an event in the game; else None."""
        rerun = self._current_rerun(timeline)
        if rerun is None or len(timeline.moments) != rerun.span.start or not rerun.span.is_empty:
            return None
        return rerun

    def hidden_last_event(self, timeline: Timeline) -> int | None:
        """Return the number of a game's last event if the running cell sees an earlier state; else None."""
        rerun = self._find_reading_rerun(timeline)
        return len(rerun.old) if rerun is not None and len(rerun.old) > len(timeline.moments) else None

    def show_present(self, timeline: Timeline) -> None:
        """Let the running cell, if it only reads a game, see it as it is now, not as it was when the cell last ran."""
        rerun = self._find_reading_rerun(timeline)
        if rerun is not None:
            with timeline.lock:
                timeline.moments[:] = rerun.old
                trail = self.trails[timeline]
                trail.rerun = None
                del trail.spans[rerun.cell]

    def fork_game(self, timeline: Timeline, at: int | None) -> Timeline:
        """Return a fork after event `at` (None: the last); a rerun cell gets the fork that it made before.

        Raises
        ------
        ValueError
            There is no such event.
        """
        if at is None:
            self.note_use(timeline)  # so that now is the same moment when the cell runs again
            at = len(timeline.moments)
        at = timeline.end_of_step(at)
        at = (self.act_around(timeline, at) or (0, at))[1]
        cell = self.running_cell
        known = self.parted[cell] if cell is not None else []
        for cell_fork in known:
            if (
                not cell_fork.again
                and cell_fork.timeline is timeline
                and cell_fork.at == at
                and cell_fork.is_still_valid
            ):
                cell_fork.again = True
                return cell_fork.fork
        fork = timeline.fork(at)
        known.append(CellFork(timeline, at, fork))
        return fork

    def note_act(self, timeline: Timeline, start: int) -> None:
        """Note that everything after event `start` is one act, which `undo` takes back as a whole."""
        self.acts.setdefault(timeline, {})[start] = events_in(timeline.moments[start:])

    def act_around(self, timeline: Timeline, seq: int) -> tuple[int, int] | None:
        """Return the start and the end of the act of several steps that event `seq` is in; None if it is in none."""
        game: Timeline | None = timeline
        while game is not None:  # a branch has the acts of the game that it left
            for start, events in self.acts.get(game, {}).items():
                end = start + len(events)
                if start < seq <= end and events_in(timeline.moments[start:end]) == events:
                    return start, end
            game = game.origin
        return None

    def is_rewound(self, timeline: Timeline) -> bool:
        """Tell whether a game is rewound for now, because a cell is running again."""
        trail = self.trails.get(timeline)
        return trail is not None and trail.rerun is not None

    def repeated_event(self, timeline: Timeline) -> Event | None:
        """Return the event that the cell's last run made at this point; None if this run differs so far."""
        rerun = self._current_rerun(timeline)
        if rerun is None:
            return None
        at = len(timeline.moments)
        return rerun.old[at][0] if at < rerun.span.end and self.is_repeating(timeline) else None

    def is_repeating(self, timeline: Timeline) -> bool:
        """Tell whether the running cell is a rerun that has done in a game what its last run did, or less."""
        rerun = self._current_rerun(timeline)
        if rerun is None:
            return False
        start, at = rerun.span.start, len(timeline.moments)
        return at <= rerun.span.end and events_in(timeline.moments[start:]) == events_in(rerun.old[start:at])

    def seed_for_cell(self, setup: tuple[object, ...]) -> int | None:
        """Return a seed for a game with this setup, the same each time the cell runs; None outside a cell."""
        cell = self.running_cell
        if cell is None:
            return None
        block = hashlib.sha256(f"nomic_nb seed {cell} {self.count} {setup}".encode()).digest()
        return int.from_bytes(block[:8], "big") % min(1_000_000, LARGEST_SEED)

    def find_same_game(self, setup: tuple[object, ...]) -> Timeline | None:
        """Return the game that the cell's last run began with this setup (see `setup_key`); else None."""
        cell = self.running_cell
        if cell is None:
            return None
        for before, timeline in self.begun[cell][self.count : self.count + 1]:
            if before == setup:
                self.count += 1
                return timeline
        return None

    def note_new_game(self, setup: tuple[object, ...], timeline: Timeline) -> None:
        """Note that the running cell began a game with this setup, so that its next run gets it again."""
        cell = self.running_cell
        if cell is None:
            return
        self.begun[cell][self.count :] = [(setup, timeline)]
        self.count += 1
        self.note_use(timeline)

    # --------------------------------------------------------------------------- games that are kept

    @cached_property
    def notebook_name(self) -> str:
        """An id of this notebook: a hash of its name, so the same after a restart, or random if the name is unknown."""
        names = getattr(self.shell, "user_ns", {})
        told = os.environ.get("JPY_SESSION_NAME") or str(names.get("__vsc_ipynb_file__", ""))
        return hashlib.sha256(told.encode()).hexdigest()[:16] if told else secrets.token_hex(8)

    def current_hand(self) -> StepHand:
        """Return who acts now: a cell, a script, a panel, a seat or the host, with the session."""
        runs = self.settled is not None or (self.depth > 0 and get_ident() == self.thread)
        sentence, message = CURRENT_HAND.get()
        hand = sentence or ("cell" if runs else "script")
        kind = hand.partition(" ")[0]
        if kind == "seat":
            return StepHand(kind, "", hand, message)
        if kind == MACHINE:
            kind = hand
        cell = None if kind == "panel" else self.settled or self.running_cell
        return StepHand(kind, cell or "", self.notebook_name)

    def forget_cells_after(self, timeline: Timeline, at: int) -> None:
        """Forget the cells that played events after event `at`, as the game continues differently there."""
        trail = self.trails.get(timeline)
        if trail is not None:
            trail.spans = {cell: span for cell, span in trail.spans.items() if span.end <= at}
            trail.nameless = [span for span in trail.nameless if span.end <= at]

    def print_message(self, text: str) -> None:
        """Print a message, which a notebook shows below the running cell."""
        print(text)  # noqa: T201 - that is where it is looked for

    def restore_cells(self, kept: KeptGame) -> None:
        """Read from a reopened game's file which cells played which events and made which forks.

        A cell that runs just now and played in it before is running again.
        """
        for kept_game in kept.known_branches:
            trail = self.trails.setdefault(kept_game.timeline, CellHistory())
            for cell, (start, end) in kept_game.spans_by_cell().items():
                own = trail.spans.get(cell)
                if own is None or cell == self.running_cell:
                    trail.spans[cell] = CellSpan(start if own is None else min(start, own.start), end)
                if cell == self.running_cell:
                    self._rewind_to_cell(kept_game.timeline, trail, cell, start)
            for fork in kept_game.timeline.forks:
                other = fork.timeline.keeper
                if isinstance(other, KeptGame) and other.cell:
                    self.parted[other.cell].append(CellFork(kept_game.timeline, fork.at, fork.timeline, again=False))


#: The one watch of this session.
CELL_WATCH = CellWatch()


def _short_cell_name(cell: str) -> str:
    """Return a cell's id if it is short, as one that somebody chose; else its first 8 characters."""
    return cell if len(cell) <= LONGEST_CHOSEN else cell[:8]


def setup_key(setting: GameSetup, seed: int | None) -> tuple[object, ...]:
    """Return rule set, players, terms, order, medium and seed as a key that equal setups share."""
    agreed = tuple(sorted(setting.terms.items(), key=str))
    return (setting.ruleset.digest, setting.players, agreed, setting.order, setting.medium, seed)
