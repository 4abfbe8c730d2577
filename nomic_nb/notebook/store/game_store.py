"""A game that is kept: each step is in the store before anybody sees it, and what others add is played here too.

A cell that runs again plays on a table that was taken back. Meanwhile the stored way stands; once the cell is done,
what it made of the game takes its place, unless others have played on from there.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Protocol, TypeVar

from nomic_nb.engine.errors import RecordError
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.dice import SealOpening
from nomic_nb.engine.play.engine import Moment
from nomic_nb.engine.play.events import Event, events_in
from nomic_nb.engine.play.record_limits import line_hash
from nomic_nb.engine.play.timeline import Fork, Timeline
from nomic_nb.engine.record.log import RecordReader, chained_lines
from nomic_nb.engine.record.seals import common_length
from nomic_nb.notebook.store.file import StepConflict
from nomic_nb.notebook.store.journal import MAIN_BRANCH, GameStore, StepHand, StoredBranch, StoredStep

T = TypeVar("T")


class StoreSession(Protocol):
    """What a store is told by whoever runs this process."""

    def hand(self) -> StepHand:
        """Return by which hand something happens now."""

    def rewound(self, timeline: Timeline) -> bool:
        """Tell whether a cell runs again, so that the table stands at an earlier moment."""

    def cut(self, timeline: Timeline, at: int) -> None:
        """Hear that a game goes another way from an event on."""

    def tell(self, text: str) -> None:
        """Say something to whoever plays here."""


class KeptGame:
    """Keeps one way of a game.

    Parameters
    ----------
    store : Store
        Where.
    game : str
        Under which name.
    course : Course
        Which way.
    timeline : Timeline
        The game as it goes there.
    heads : list of str
        The hashes of its lines, that of the header first.
    session : Session
        Who runs this process.
    family : dict of str to Kept
        All ways of the game that are known here, by name.
    """

    def __init__(
        self, store: GameStore, game: str, course: StoredBranch, timeline: Timeline, heads: list[str],
        session: StoreSession,
        family: dict[str, KeptGame],
    ) -> None:  # fmt: skip
        self.store, self.game, self.way, self.cell = store, game, course.name, course.cell
        self.at, self.timeline, self.session, self.family = course.at, timeline, session, family
        #: The hashes of the lines, that of the header first, and what happened, as far as it is stored.
        self.known = (heads, list(timeline.moments))
        self.attempting = False
        with store.lock:
            family[self.way] = self
        timeline.keeper = self
        store.join(self)

    @property
    def heads(self) -> list[str]:
        """The hashes of its lines, that of the header first."""
        return self.known[0]

    @property
    def stored(self) -> list[Moment]:
        """What happened, as far as it is stored."""
        return self.known[1]

    # ----------------------------------------------------------------------------------------- writing

    def attempt(self, act: Callable[[], T]) -> T:
        """Do something as the game stands now; where somebody else was first, once more, as it stands then."""
        if self.attempting:
            return act()
        self.attempting = True
        try:
            while True:
                self._catch_up()
                self.follow()
                try:
                    return act()
                except StepConflict:
                    continue
        finally:
            self.attempting = False

    def _catch_up(self) -> None:
        """Let the table show all that is stored, where something broke off between the two."""
        moments = self.timeline.moments
        del self.heads[len(self.stored) + 1 :]
        if not self.session.rewound(self.timeline) and (
            len(moments) != len(self.stored) or moments[-1] is not self.stored[-1]
        ):
            moments[:] = self.stored

    def keep(self, moments: list[Moment]) -> None:
        """Keep a step; while a cell runs again, the stored way stands until it is done.

        Raises
        ------
        Behind
            Somebody else was first.
        RecordError
            It cannot be written, so it did not happen.
        """
        if self.session.rewound(self.timeline):
            return
        events, base = events_in(moments), self.heads[-1]
        lines = list(chained_lines(events, base))
        self.store.append(
            self.game, self.way, base, base, lines, (len(self.stored), self.session.hand()),
            openings=openings_in(events, self.timeline), spent=used_seals(events, self.timeline),
        )  # fmt: skip
        heads, stored = self.known
        heads += map(line_hash, lines)
        stored += moments

    def parted(self, fork: Timeline, at: int, why: str) -> None:
        """Keep another way that goes on from an event."""
        hand = self.session.hand()
        self._store_branch(fork, StoredBranch(f"fork-{secrets.token_hex(4)}", "", at, why, hand.cell), hand)

    def _store_branch(self, fork: Timeline, course: StoredBranch, hand: StepHand) -> None:
        shared = common_length(self.stored, fork.moments)
        events = events_in(fork.moments[shared:])
        lines = list(chained_lines(events, self.heads[shared]))
        heads = [*self.heads[: shared + 1], *map(line_hash, lines)]
        with self.store.lock:  # it is known here before anybody finds it in the store
            self.store.part(self.game, course, heads[shared], lines, openings_in(events, self.timeline), (shared, hand))
            self._branch_of(course, fork, heads)

    def _branch_of(self, course: StoredBranch, timeline: Timeline, heads: list[str]) -> None:
        KeptGame(self.store, self.game, course, timeline, heads, self.session, self.family)

    def forgotten(self) -> None:
        """Keep no more of a way in which nothing has happened."""
        with self.store.lock:
            self.store.forget(self.game, self.way, self.heads[-1])
            self.family.pop(self.way, None)

    def is_message_done(self, hand: str, message: str) -> bool:
        """Tell whether a message of a page was done, also before this process began."""
        sql = "SELECT 1 FROM done WHERE game = ? AND hand = ? AND message = ?"
        return bool(self.store.rows(sql, self.game, hand, message))

    # ---------------------------------------------------------------------------------- cells run again

    def replaced(self, old: list[Moment], start: int, why: str) -> bool:
        """Keep what a cell, run again, made of the game from an event on; tell whether the game goes on so.

        Where others have played on from what it made before, their way stays the game, and the cell's is a fork.

        Raises
        ------
        RecordError
            It cannot be written, and the game stays as it was.
        """
        new, timeline, base = list(self.timeline.moments), self.timeline, self.heads[start]
        events = events_in(new[start:])
        lines, hand = list(chained_lines(events, base)), self.session.hand()
        timeline.moments[:] = old
        aside: StoredBranch | None = StoredBranch(f"before-{secrets.token_hex(4)}", self.heads[-1], start, why)
        if any(fork.timeline.events == events_in(old) for fork in timeline.forks):
            aside = None  # it is kept already
        with self.store.lock:  # the old way is known here before anybody finds it in the store
            try:
                if self._others_since(start):
                    raise StepConflict
                self.store.append(
                    self.game, self.way, self.heads[-1], base, lines, (start, hand),
                    openings=openings_in(events, self.timeline), aside=aside,
                )  # fmt: skip
            except StepConflict:
                self._keep_as_fork(new, start, f"{why}; others had played on", hand)
                return False
            heads = self.heads
            self.known = ([*heads[: start + 1], *map(line_hash, lines)], list(new))
            timeline.moments[:] = new
            timeline.forked(old, start, why)
            if aside is not None:
                self._branch_of(aside, timeline.forks[0].timeline, heads)
        return True

    def _others_since(self, start: int) -> bool:
        """Tell whether another hand has played from an event on, as the way is stored."""
        own, gone = self.session.hand().session, set(self.heads[start + 1 :])
        steps = self.store.steps(self.game, start)
        return any(one.hand.session != own and one.head in gone for one in steps)

    def _keep_as_fork(self, moments: list[Moment], start: int, why: str, hand: StepHand) -> None:
        """Keep what a cell made of the game as a fork; the game stays as it is."""
        events = events_in(moments)
        if all(fork.timeline.events != events for fork in self.timeline.forks):
            fork = self.timeline.copy(moments)
            self._store_branch(fork, StoredBranch(f"cell-{secrets.token_hex(4)}", "", start, why), hand)
            self.timeline.forks.append(Fork(fork, start, why))
        self.session.tell("Others have played on since this cell ran: what it did now is a fork (game.forks).")

    # --------------------------------------------------------------------------------------- following

    def follow(self) -> None:
        """Look whether others have played, and play that here.

        Raises
        ------
        RecordError
            What is stored is not what the rules make of this game.
        """
        with self.timeline.lock:
            head = self.store.head(self.game, self.way)
            if head == self.heads[-1] or self.session.rewound(self.timeline):
                return
            self._catch_up()
            places = {made: at for at, made in enumerate(self.heads)}
            base, lines = self.store.back(head, places)
            if base not in places:
                raise RecordError(
                    say(
                        "another-game-of-this-name",
                        "{path}: “{game}” is another game now: nb.open it anew",
                        path=self.store.path,
                        game=self.game,
                    )
                )
            at, timeline = places[base], self.timeline
            ahead = timeline.copy(timeline.moments[:at])
            ahead.record = timeline.record
            self._play_lines(ahead, lines, at, base)
            if at < len(timeline.moments):
                self.session.cut(timeline, at)
            self.known = ([*self.heads[: at + 1], *map(line_hash, lines)], list(ahead.moments))
            timeline.moments[:] = ahead.moments
            timeline.kept.update(self.store.openings(self.game))
            self.find_branches()
            timeline.changed()

    def _play_lines(self, timeline: Timeline, lines: list[str], at: int, base: str) -> None:
        read = [line.encode("ascii") for line in lines]
        try:
            RecordReader(read, first=at + 2, prev=base).play(timeline, at)
        except RecordError as error:
            raise RecordError(
                error.said.within("{path}, “{game}”: {message}", path=self.store.path, game=self.game)
            ) from None

    def find_branches(self) -> None:
        """Bring the ways of the game that are not known here yet into its tree; say which cannot be read."""
        with self.store.lock:
            for course in self.store.ways(self.game):
                if course.name not in self.family and (self.game, course.name) not in self.store.broken:
                    try:
                        self._find_branch(course)
                    except RecordError as error:
                        self.store.broken.add((self.game, course.name))
                        self.session.tell(f"A fork of this game cannot be shown. {error}")

    def _find_branch(self, course: StoredBranch) -> None:
        places: dict[str, tuple[KeptGame, int]] = {}
        for one in reversed(self.family.values()):  # the first that has a line is the one from which this parted
            places |= {made: (one, at) for at, made in enumerate(one.heads)}
        base, lines = self.store.back(course.head, places)
        if base not in places:
            raise RecordError(
                say(
                    "fork-of-another-game",
                    "{path}, “{game}”: a fork is of another game",
                    path=self.store.path,
                    game=self.game,
                )
            )
        parent, at = places[base]
        fork = parent.timeline.copy(parent.stored[:at])
        self._play_lines(fork, lines, at, base)
        heads = [*parent.heads[: at + 1], *map(line_hash, lines)]
        self._branch_of(course, fork, heads)
        parent.timeline.forks.append(Fork(fork, course.at if 0 < course.at < at else at, course.why))

    # ------------------------------------------------------------------------------------ what is told

    @property
    def ways(self) -> list[KeptGame]:
        """All ways of the game that are known here, the game itself first."""
        with self.store.lock:
            return list(self.family.values())

    def hands(self) -> Mapping[int, tuple[str, datetime]]:
        """Return by which hand each event came, and when; what was played before the game was kept is left out."""
        found: dict[int, tuple[str, datetime]] = {}
        for one in self._steps():
            for seq in range(one.first, one.last + 1):
                found.setdefault(seq, (one.hand.kind, datetime.fromtimestamp(one.at / 1000, UTC)))
        return found

    def _steps(self) -> Iterator[StoredStep]:
        """Yield the steps that stand in this way."""
        places = {made: at for at, made in enumerate(self.heads)}
        return (one for one in self.store.steps(self.game) if places.get(one.head) == one.last)

    def spans(self) -> dict[str, tuple[int, int]]:
        """Return the stretch of the game that each cell played; none, for one that only made a fork of it."""
        found: dict[str, tuple[int, int]] = {}
        for one in self._steps():
            if one.hand.cell:
                start, end = found.get(one.hand.cell, (one.first - 1, one.last))
                found[one.hand.cell] = (min(start, one.first - 1), max(end, one.last))
        for fork in self.timeline.forks:
            other = fork.timeline.keeper
            if isinstance(other, KeptGame) and other.cell:
                found.setdefault(other.cell, (other.at, other.at))
        return found

    @property
    def said(self) -> str:
        """Where it is kept, in words."""
        name = self.store.path.name
        said = f"kept in {name} as “{self.game}”" + ("" if self.way == MAIN_BRANCH else ", a fork")
        return said + (f"; another program is reading it, so copy {name}-wal with it" if self.store.beside else "")

    @property
    def resumed_notice(self) -> str:
        """That it was found there, and how it stands."""
        state = self.stored[-1][1]
        stands = "over" if state.over else f"in turn {state.turn}"
        where = f"“{self.game}” is in {self.store.path.name} already, and goes on after event {state.seq}"
        return f"{where}: it is {stands}."


def openings_in(events: Iterable[Event], timeline: Timeline) -> dict[str, SealOpening]:
    """Return what was sealed here in some events."""
    made = [event.data["commitment"] for event in events if event.kind == "committed"]
    return {one: timeline.kept[one] for one in made if one in timeline.kept}


def used_seals(events: Iterable[Event], timeline: Timeline) -> list[str]:
    """Return the commitments to what was revealed in some events."""
    shown = [SealOpening(event.data["value"], event.data["nonce"]) for event in events if event.kind == "revealed"]
    return [made for made, one in dict(timeline.kept).items() if one in shown]
