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
from nomic_nb.engine.play.record_limits import hash_of_line
from nomic_nb.engine.play.timeline import Fork, Timeline
from nomic_nb.engine.record.log import RecordReader, lines_of_events
from nomic_nb.engine.record.seals import count_common_moments
from nomic_nb.notebook.store.file import StepConflict
from nomic_nb.notebook.store.journal import MAIN_BRANCH, GameStore, StepHand, StoredBranch, StoredStep

T = TypeVar("T")


class StoreSession(Protocol):
    """What a store is told by whoever runs this process."""

    def current_hand(self) -> StepHand:
        """Return the hand that acts now: a cell, a script, a panel or a seat."""

    def is_rewound(self, timeline: Timeline) -> bool:
        """Tell whether a cell that is running again has taken a game back for now."""

    def forget_cells_after(self, timeline: Timeline, at: int) -> None:
        """Forget which cells played after an event, because the game goes on differently."""

    def print_message(self, text: str) -> None:
        """Print a message for whoever plays here."""


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
        store.add_follower(self)

    @property
    def line_hashes(self) -> list[str]:
        """The hashes of the game's lines, beginning with the header."""
        return self.known[0]

    @property
    def stored_moments(self) -> list[Moment]:
        """The moments of the game that are stored."""
        return self.known[1]

    # ----------------------------------------------------------------------------------------- writing

    def attempt(self, act: Callable[[], T]) -> T:
        """Run an action; run it again on the new state if somebody else stored a step first."""
        if self.attempting:
            return act()
        self.attempting = True
        try:
            while True:
                self._restore_stored_moments()
                self.follow()
                try:
                    return act()
                except StepConflict:
                    continue
        finally:
            self.attempting = False

    def _restore_stored_moments(self) -> None:
        """Reset the game to what is stored, if an action broke off halfway."""
        moments = self.timeline.moments
        del self.line_hashes[len(self.stored_moments) + 1 :]
        if not self.session.is_rewound(self.timeline) and (
            len(moments) != len(self.stored_moments) or moments[-1] is not self.stored_moments[-1]
        ):
            moments[:] = self.stored_moments

    def keep_step(self, moments: list[Moment]) -> None:
        """Store a step, unless a cell is running again and is not done.

        Raises
        ------
        Behind
            Somebody else was first.
        RecordError
            It cannot be written, so it did not happen.
        """
        if self.session.is_rewound(self.timeline):
            return
        events, base = events_in(moments), self.line_hashes[-1]
        lines = list(lines_of_events(events, base))
        self.store.append_step(
            self.game, self.way, base, base, lines, (len(self.stored_moments), self.session.current_hand()),
            openings=openings_of_commitments(events, self.timeline), spent=revealed_commitments(events, self.timeline),
        )  # fmt: skip
        heads, stored = self.known
        heads += map(hash_of_line, lines)
        stored += moments

    def keep_branch(self, fork: Timeline, at: int, why: str) -> None:
        """Store a fork that goes on from an event."""
        hand = self.session.current_hand()
        self._store_branch(fork, StoredBranch(f"fork-{secrets.token_hex(4)}", "", at, why, hand.cell), hand)

    def _store_branch(self, fork: Timeline, course: StoredBranch, hand: StepHand) -> None:
        shared = count_common_moments(self.stored_moments, fork.moments)
        events = events_in(fork.moments[shared:])
        lines = list(lines_of_events(events, self.line_hashes[shared]))
        heads = [*self.line_hashes[: shared + 1], *map(hash_of_line, lines)]
        with self.store.lock:  # it is known here before anybody finds it in the store
            self.store.add_branch(
                self.game, course, heads[shared], lines, openings_of_commitments(events, self.timeline), (shared, hand)
            )
            self._add_kept_branch(course, fork, heads)

    def _add_kept_branch(self, course: StoredBranch, timeline: Timeline, heads: list[str]) -> None:
        """Add a branch to the family of this game; it registers itself."""
        KeptGame(self.store, self.game, course, timeline, heads, self.session, self.family)

    def forget_empty_branch(self) -> None:
        """Delete a branch from the store in which nothing has happened."""
        with self.store.lock:
            self.store.delete_branch(self.game, self.way, self.line_hashes[-1])
            self.family.pop(self.way, None)

    def is_message_done(self, hand: str, message: str) -> bool:
        """Tell whether a page's message was already acted on, even before a restart."""
        sql = "SELECT 1 FROM done WHERE game = ? AND hand = ? AND message = ?"
        return bool(self.store.query_rows(sql, self.game, hand, message))

    # ---------------------------------------------------------------------------------- cells run again

    def replace_kept_game(self, old: list[Moment], start: int, why: str) -> bool:
        """Store what a rerun cell made of the game; tell whether the game now goes on so.

        Where others have played on from what it made before, their way stays the game, and the cell's is a fork.

        Raises
        ------
        RecordError
            It cannot be written, and the game stays as it was.
        """
        new, timeline, base = list(self.timeline.moments), self.timeline, self.line_hashes[start]
        events = events_in(new[start:])
        lines, hand = list(lines_of_events(events, base)), self.session.current_hand()
        timeline.moments[:] = old
        aside: StoredBranch | None = StoredBranch(f"before-{secrets.token_hex(4)}", self.line_hashes[-1], start, why)
        if any(fork.timeline.events == events_in(old) for fork in timeline.forks):
            aside = None  # it is kept already
        with self.store.lock:  # the old way is known here before anybody finds it in the store
            try:
                if self._have_others_played_since(start):
                    raise StepConflict
                self.store.append_step(
                    self.game, self.way, self.line_hashes[-1], base, lines, (start, hand),
                    openings=openings_of_commitments(events, self.timeline), aside=aside,
                )  # fmt: skip
            except StepConflict:
                self._keep_as_fork(new, start, f"{why}; others had played on", hand)
                return False
            heads = self.line_hashes
            self.known = ([*heads[: start + 1], *map(hash_of_line, lines)], list(new))
            timeline.moments[:] = new
            timeline.remember_branch(old, start, why)
            if aside is not None:
                self._add_kept_branch(aside, timeline.forks[0].timeline, heads)
        return True

    def _have_others_played_since(self, start: int) -> bool:
        """Tell whether anybody else has played since an event, as the store has it."""
        own, gone = self.session.current_hand().session, set(self.line_hashes[start + 1 :])
        steps = self.store.steps(self.game, start)
        return any(step.hand.session != own and step.head in gone for step in steps)

    def _keep_as_fork(self, moments: list[Moment], start: int, why: str, hand: StepHand) -> None:
        """Store what a cell made of the game as a fork; the game stays as it is."""
        events = events_in(moments)
        if all(fork.timeline.events != events for fork in self.timeline.forks):
            fork = self.timeline.copy_with_events(moments)
            self._store_branch(fork, StoredBranch(f"cell-{secrets.token_hex(4)}", "", start, why), hand)
            self.timeline.forks.append(Fork(fork, start, why))
        self.session.print_message("Others have played on since this cell ran: what it did now is a fork (game.forks).")

    # --------------------------------------------------------------------------------------- following

    def follow(self) -> None:
        """Play the steps that others have stored since.

        Raises
        ------
        RecordError
            What is stored is not what the rules make of this game.
        """
        with self.timeline.lock:
            head = self.store.last_line_hash(self.game, self.way)
            if head == self.line_hashes[-1] or self.session.is_rewound(self.timeline):
                return
            self._restore_stored_moments()
            places = {known_head: at for at, known_head in enumerate(self.line_hashes)}
            base, lines = self.store.lines_leading_to(head, places)
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
            ahead = timeline.copy_with_events(timeline.moments[:at])
            ahead.record = timeline.record
            self._play_lines(ahead, lines, at, base)
            if at < len(timeline.moments):
                self.session.forget_cells_after(timeline, at)
            self.known = ([*self.line_hashes[: at + 1], *map(hash_of_line, lines)], list(ahead.moments))
            timeline.moments[:] = ahead.moments
            timeline.kept.update(self.store.unrevealed_openings(self.game))
            self.load_branches()
            timeline.notify_listeners()

    def _play_lines(self, timeline: Timeline, lines: list[str], at: int, base: str) -> None:
        """Play stored lines on a timeline, naming the file in any error."""
        read = [line.encode("ascii") for line in lines]
        try:
            RecordReader(read, first=at + 2, prev=base).play_lines(timeline, at)
        except RecordError as error:
            raise RecordError(
                error.said.embed_in("{path}, “{game}”: {message}", path=self.store.path, game=self.game)
            ) from None

    def load_branches(self) -> None:
        """Load the stored branches that are not in the game's tree yet."""
        with self.store.lock:
            for course in self.store.branches(self.game):
                if course.name not in self.family and (self.game, course.name) not in self.store.broken:
                    try:
                        self._load_branch(course)
                    except RecordError as error:
                        self.store.broken.add((self.game, course.name))
                        self.session.print_message(f"A fork of this game cannot be shown. {error}")

    def _load_branch(self, course: StoredBranch) -> None:
        """Load a stored branch and add it as a fork to the game that it left."""
        places: dict[str, tuple[KeptGame, int]] = {}
        for kept_game in reversed(self.family.values()):  # the first that has a line is the one from which this parted
            places |= {head: (kept_game, at) for at, head in enumerate(kept_game.line_hashes)}
        base, lines = self.store.lines_leading_to(course.head, places)
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
        fork = parent.timeline.copy_with_events(parent.stored_moments[:at])
        self._play_lines(fork, lines, at, base)
        heads = [*parent.line_hashes[: at + 1], *map(hash_of_line, lines)]
        self._add_kept_branch(course, fork, heads)
        parent.timeline.forks.append(Fork(fork, course.at if 0 < course.at < at else at, course.why))

    # ------------------------------------------------------------------------------------ what is told

    @property
    def known_branches(self) -> list[KeptGame]:
        """All branches of the game that are loaded here, the main one first."""
        with self.store.lock:
            return list(self.family.values())

    def hands_by_event(self) -> Mapping[int, tuple[str, datetime]]:
        """Return who made each event and when, as far as it was stored when it happened."""
        hands_by_event: dict[int, tuple[str, datetime]] = {}
        for step in self._stored_steps():
            for seq in range(step.first, step.last + 1):
                hands_by_event.setdefault(seq, (step.hand.kind, datetime.fromtimestamp(step.at / 1000, UTC)))
        return hands_by_event

    def _stored_steps(self) -> Iterator[StoredStep]:
        """Yield the stored steps that this branch consists of."""
        places = {head: at for at, head in enumerate(self.line_hashes)}
        return (step for step in self.store.steps(self.game) if places.get(step.head) == step.last)

    def spans_by_cell(self) -> dict[str, tuple[int, int]]:
        """Return the span of events that each cell played."""
        spans_by_cell: dict[str, tuple[int, int]] = {}
        for step in self._stored_steps():
            if step.hand.cell:
                start, end = spans_by_cell.get(step.hand.cell, (step.first - 1, step.last))
                spans_by_cell[step.hand.cell] = (min(start, step.first - 1), max(end, step.last))
        for fork in self.timeline.forks:
            other = fork.timeline.keeper
            if isinstance(other, KeptGame) and other.cell:
                spans_by_cell.setdefault(other.cell, (other.at, other.at))
        return spans_by_cell

    @property
    def location_text(self) -> str:
        """Where the game is kept, in words."""
        name = self.store.path.name
        sentence = f"kept in {name} as “{self.game}”" + ("" if self.way == MAIN_BRANCH else ", a fork")
        return sentence + (f"; another program is reading it, so copy {name}-wal with it" if self.store.beside else "")

    @property
    def resumed_notice(self) -> str:
        """A sentence that says that the game was in its file already, and how it stands."""
        state = self.stored_moments[-1][1]
        stands = "over" if state.over else f"in turn {state.turn}"
        where = f"“{self.game}” is in {self.store.path.name} already, and goes on after event {state.seq}"
        return f"{where}: it is {stands}."


def openings_of_commitments(events: Iterable[Event], timeline: Timeline) -> dict[str, SealOpening]:
    """Return the openings of the commitments in some events, by commitment."""
    commitments = [event.data["commitment"] for event in events if event.kind == "committed"]
    return {commitment: timeline.kept[commitment] for commitment in commitments if commitment in timeline.kept}


def revealed_commitments(events: Iterable[Event], timeline: Timeline) -> list[str]:
    """Return the commitments whose values some events reveal."""
    shown = [SealOpening(event.data["value"], event.data["nonce"]) for event in events if event.kind == "revealed"]
    return [commitment for commitment, opening in dict(timeline.kept).items() if opening in shown]
