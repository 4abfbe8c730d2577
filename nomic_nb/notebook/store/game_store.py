"""A game that is kept: each step is in the store before anybody sees it, and what others add is played here too.

A cell that runs again plays on a table that was taken back. Meanwhile the stored way stands; once the cell is done,
what it made of the game takes its place, unless others have played on from there.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol, TypeVar

from nomic_nb.engine.errors import RecordError, WrongValue
from nomic_nb.engine.law.changes import check_text_storable
from nomic_nb.engine.play.dice import SealOpening
from nomic_nb.engine.play.engine import Moment
from nomic_nb.engine.play.events import Event, canonical_json, events_in
from nomic_nb.engine.play.game_setup import GameSetup
from nomic_nb.engine.play.record_limits import LARGEST_HEADER, hash_of_line, read_record_line
from nomic_nb.engine.play.timeline import Fork, Timeline
from nomic_nb.engine.record.log import RecordReader, lines_of_events, record_lines
from nomic_nb.engine.record.seals import count_shared_moments
from nomic_nb.notebook.store.database_file import StepConflict
from nomic_nb.notebook.store.journal import MAIN_BRANCH, GameStore, StepHand, StoredBranch, StoredStep
from nomic_nb.study.frames import column_types, make_frame, recall_or_make

if TYPE_CHECKING:
    import pandas as pd


# --------------------------------------------------------------------------------------------- a game that is kept


T = TypeVar("T")


class StoreSession(Protocol):
    """What a store is told by whoever runs this process."""

    def current_hand(self) -> StepHand:
        """Return who acts now: a cell, a script, a panel, a seat or the host."""

    def is_rewound(self, timeline: Timeline) -> bool:
        """Return True if a cell that runs again has taken back part of a game and is not done yet."""

    def forget_cells_after(self, timeline: Timeline, at: int) -> None:
        """Forget which cells played the events after event number `at`, as the game continues differently."""

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
        """The hashes of the lines of the game's record, beginning with the header."""
        return self.known[0]

    @property
    def stored_moments(self) -> list[Moment]:
        """The moments of the game that are stored, each an event with the state after it."""
        return self.known[1]

    # ----------------------------------------------------------------------------------------- writing

    def attempt(self, act: Callable[[], T]) -> T:
        """Return the result of `act`, run again on the new state whenever somebody else has stored a step first."""
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
        """Store the events of a step, unless a cell is running again and is not done yet.

        Raises
        ------
        StepConflict
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
        """Store a fork that leaves this game after event number `at`, with the reason why."""
        hand = self.session.current_hand()
        self._store_branch(fork, StoredBranch(f"fork-{secrets.token_hex(4)}", "", at, why, hand.cell), hand)

    def _store_branch(self, fork: Timeline, course: StoredBranch, hand: StepHand) -> None:
        """Store a fork as the branch `course`, with the lines that it alone has, and keep it stored from now on."""
        shared = count_shared_moments(self.stored_moments, fork.moments)
        events = events_in(fork.moments[shared:])
        lines = list(lines_of_events(events, self.line_hashes[shared]))
        heads = [*self.line_hashes[: shared + 1], *map(hash_of_line, lines)]
        with self.store.lock:  # it is known here before anybody finds it in the store
            self.store.add_branch(
                self.game, course, heads[shared], lines, openings_of_commitments(events, self.timeline), (shared, hand)
            )
            self._add_kept_branch(course, fork, heads)

    def _add_kept_branch(self, course: StoredBranch, timeline: Timeline, heads: list[str]) -> None:
        """Add a stored branch, with its timeline and line hashes, to the kept branches of this game."""
        KeptGame(self.store, self.game, course, timeline, heads, self.session, self.family)

    def forget_empty_branch(self) -> None:
        """Delete this branch, in which nothing has happened, unless others have played on in it."""
        with self.store.lock:
            self.store.delete_branch(self.game, self.way, self.line_hashes[-1])
            self.family.pop(self.way, None)

    def is_message_done(self, hand: str, message: str) -> bool:
        """Return True if a page of the seat `hand` sent the message with this id before and it was acted on."""
        sql = "SELECT 1 FROM done WHERE game = ? AND hand = ? AND message = ?"
        return bool(self.store.query_rows(sql, self.game, hand, message))

    # ---------------------------------------------------------------------------------- cells run again

    def take_back(self, start: int) -> bool:
        """End the stored game at event `start` again; return False if others played on, or it cannot be written."""
        with self.store.lock:
            try:
                if self._have_others_played_since(start):
                    return False
                head, base = self.line_hashes[-1], self.line_hashes[start]
                self.store.append_step(
                    self.game, self.way, head, base, [], (start, self.session.current_hand()), openings={}
                )
            except (StepConflict, RecordError):
                return False
            self.known = (self.line_hashes[: start + 1], self.stored_moments[:start])
        return True

    def replace_kept_game(self, old: list[Moment], start: int, why: str) -> bool:
        """Store a rerun cell's events after event `start` instead of `old`; return False if they become a fork.

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
        """Return True if the store has events after event `start` that another session has played."""
        own, gone = self.session.current_hand().session, set(self.line_hashes[start + 1 :])
        steps = self.store.steps(self.game, start)
        return any(step.hand.session != own and step.head in gone for step in steps)

    def _keep_as_fork(self, moments: list[Moment], start: int, why: str, hand: StepHand) -> None:
        """Store what a cell made of the game after event `start` as a fork; the game stays as it is."""
        events = events_in(moments)
        if all(fork.timeline.events != events for fork in self.timeline.forks):
            fork = self.timeline.copy_with_events(moments)
            self._store_branch(fork, StoredBranch(f"cell-{secrets.token_hex(4)}", "", start, why), hand)
            self.timeline.forks.append(Fork(fork, start, why))
        self.session.print_message(
            "Others have played on since this cell ran. What it did now is kept as a branch (game.forks)."
        )

    # --------------------------------------------------------------------------------------- following

    def follow(self) -> None:
        """Play the steps that others have stored since, so that this game is up to date.

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
                    "another-game-of-this-name",
                    "{path}: “{game}” is a different game now. Open it again with nb.open",
                    path=self.store.path,
                    game=self.game,
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
        """Play stored lines on a timeline after event `at`, whose line has the hash `base`; name the file in errors."""
        read = [line.encode("ascii") for line in lines]
        try:
            RecordReader(read, first=at + 2, prev=base).play_lines(timeline, at)
        except RecordError as error:
            raise RecordError(
                error.said.embed_in("{path}, “{game}”: {message}", path=self.store.path, game=self.game)
            ) from None

    def load_branches(self) -> None:
        """Load those stored branches of the game that are not loaded yet, and add them as forks."""
        with self.store.lock:
            for course in self.store.branches(self.game):
                if course.name not in self.family and (self.game, course.name) not in self.store.broken:
                    try:
                        self._load_branch(course)
                    except RecordError as error:
                        self.store.broken.add((self.game, course.name))
                        self.session.print_message(f"A branch of this game can’t be shown. {error}")

    def _load_branch(self, course: StoredBranch) -> None:
        """Load a stored branch and add it as a fork to the game that it left."""
        places: dict[str, tuple[KeptGame, int]] = {}
        for kept_game in reversed(self.family.values()):  # the first that has a line is the one from which this parted
            places |= {head: (kept_game, at) for at, head in enumerate(kept_game.line_hashes)}
        base, lines = self.store.lines_leading_to(course.head, places)
        if base not in places:
            raise RecordError(
                "fork-of-another-game",
                "{path}, “{game}”: a branch belongs to another game",
                path=self.store.path,
                game=self.game,
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
        """Return, by event number, who made each event (such as “cell”) and when, as far as it was stored."""
        return recall_or_make(self.timeline, "hands", (self.timeline.moments[-1][0],), self._read_hands)

    def _read_hands(self) -> dict[int, tuple[str, datetime]]:
        """Return what `hands_by_event` returns, from the file."""
        hands: dict[int, tuple[str, datetime]] = {}
        for step in self._stored_steps():
            hand = step.hand.kind, datetime.fromtimestamp(step.at / 1000, UTC)
            for seq in range(step.first, step.last + 1):
                hands.setdefault(seq, hand)
        return hands

    def _stored_steps(self) -> Iterator[StoredStep]:
        """Yield the stored steps of which this branch consists, in order."""
        places = {head: at for at, head in enumerate(self.line_hashes)}
        return (step for step in self.store.steps(self.game) if places.get(step.head) == step.last)

    def spans_by_cell(self) -> dict[str, tuple[int, int]]:
        """Return, by cell id, which events each cell played: (event before the first, last event), as numbers."""
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
        """A phrase on where the game is kept: in which file and under which name."""
        name = self.store.path.name
        sentence = f"saved in {name} as “{self.game}”" + ("" if self.way == MAIN_BRANCH else ", a branch")
        return sentence + (f"; another program is reading it, so copy {name}-wal as well" if self.store.beside else "")

    @property
    def resumed_notice(self) -> str:
        """A sentence that says that the game was in its file already, and how it stands."""
        state = self.stored_moments[-1][1]
        stands = "the game is over" if state.over else f"turn {state.turn}"
        where = f"“{self.game}” is already in {self.store.path.name} and continues after event {state.seq}"
        return f"{where} ({stands})."


def openings_of_commitments(events: Iterable[Event], timeline: Timeline) -> dict[str, SealOpening]:
    """Return, by commitment, the values and nonces of the commitments made in these events, if known."""
    commitments = [event.data["commitment"] for event in events if event.kind == "committed"]
    return {commitment: timeline.kept[commitment] for commitment in commitments if commitment in timeline.kept}


def revealed_commitments(events: Iterable[Event], timeline: Timeline) -> list[str]:
    """Return those commitments known to a game whose sealed values are revealed in these events."""
    shown = [SealOpening(event.data["value"], event.data["nonce"]) for event in events if event.kind == "revealed"]
    return [commitment for commitment, opening in dict(timeline.kept).items() if opening in shown]


# -------------------------------------------------------------------------- which links open which seats of a game


#: Links of a seat that hold at once: a server that begins again shows another, and those on phones go on.
MOST_LINKS = 8
#: The role of a row that says which kind of machine has a seat.
MACHINE_ROLE = "machine"


class StoredSeats:
    """The seats of a game that is kept.

    Parameters
    ----------
    kept : Kept
        The game, on the way on which it is played.
    """

    def __init__(self, kept: KeptGame) -> None:
        self.kept = kept

    def add_link(self, id: str, role: str, player: str, secret: str) -> None:
        """Let a link (id, hashed secret) open a seat (role, player); only a seat's latest few links stay valid."""
        game, way, store = self.kept.game, self.kept.way, self.kept.store
        own = "game = ?1 AND way = ?2 AND role = ?3 AND player = ?4"
        with store.transaction():
            sql = "INSERT INTO seat(id, game, way, role, player, secret) VALUES (?, ?, ?, ?, ?, ?)"
            store.db.execute(sql, (id, game, way, role, player, secret))
            latest = f"SELECT n FROM seat WHERE {own} ORDER BY n DESC LIMIT ?5"  # noqa: S608 - of constants
            sql = f"DELETE FROM seat WHERE {own} AND n NOT IN ({latest})"  # noqa: S608 - of constants
            store.db.execute(sql, (game, way, role, player, MOST_LINKS))

    def remove_links(self, role: str, player: str) -> None:
        """Make all links to a seat invalid; `player` is empty for a wall or a desk."""
        with self.kept.store.transaction():
            sql = "DELETE FROM seat WHERE game = ? AND way = ? AND role = ? AND player = ?"
            self.kept.store.db.execute(sql, (self.kept.game, self.kept.way, role, player))

    def keep_machine(self, player: str, kind: str) -> None:
        """Store that a machine of a kind has a seat; with an empty kind, that a person has it."""
        self.remove_links(MACHINE_ROLE, player)
        if kind:  # a link with this id opens nothing: no secret has the name of a kind as its hash
            self.add_link(secrets.token_hex(8), MACHINE_ROLE, player, kind)

    def players_by_machine(self) -> dict[str, str]:
        """Return the kind of machine in each seat that has one, by player."""
        sql = "SELECT player, secret FROM seat WHERE game = ? AND way = ? AND role = ? ORDER BY n"
        return dict(self.kept.store.query_rows(sql, self.kept.game, self.kept.way, MACHINE_ROLE))

    def find_seat(self, id: str) -> tuple[str, str, str] | None:
        """Return role, player and hashed secret of the link with an id; None if there is no such link."""
        sql = "SELECT role, player, secret FROM seat WHERE id = ? AND game = ? AND way = ?"
        rows = self.kept.store.query_rows(sql, id, self.kept.game, self.kept.way)
        return (str(rows[0][0]), str(rows[0][1]), str(rows[0][2])) if rows else None


# -------------------------------------------------------------------------------------------- the games of a store


#: What a game is called where nobody says, and letters of a name.
NAME, LONGEST_NAME = "game", 60


def choose_game_name(store: GameStore, name: str | None) -> str:
    """Return the name under which to keep a game: the given or the default one; raise if it is not clear which.

    Raises
    ------
    LawError, ValueError
        This is no name.
    RecordError
        Nobody says which, and there are others.
    """
    if name is not None:
        check_text_storable("name of a game", name, LONGEST_NAME)
        if not name.strip():
            raise WrongValue("game-name-without-letters", "the name of a game can’t be blank")
        return name
    games = store.game_names()
    if games and NAME not in games:
        raise RecordError(
            "store-has-other-games",
            "{path} already has {games}. To start another game in it, add name=…; to continue one, "
            "use nb.open({path!r}, name)",
            path=str(store.path),
            games=_quote_names(games),
        )
    return NAME


def _quote_names(games: list[str]) -> str:
    """Return names of games in quotation marks, joined by commas; “…” after twelve of them."""
    return ", ".join(f"“{game}”" for game in games[:12]) + (" …" if len(games) > 12 else "")


def keep_new_game(store: GameStore, game: str, timeline: Timeline, session: StoreSession) -> KeptGame:
    """Keep a game and its forks in a store under the name `game`, or resume it if it is there, and return it.

    Raises
    ------
    RecordError
        There is another one of this name, it is kept elsewhere, or it is only looked at.
    """
    keeper = timeline.keeper
    if timeline.past:
        raise RecordError(
            "past-game-not-kept", "this is a past state of the game. Keep the game itself, or a branch of it"
        )
    if isinstance(keeper, KeptGame):
        if keeper.store is store and keeper.game == game:
            return keeper
        raise RecordError(
            "game-kept-already",
            "this game is already {where}. To write a copy, use game.save(path)",
            where=keeper.location_text,
        )
    with timeline.lock:
        lines = list(record_lines(timeline))[:-1]
        heads = [hash_of_line(line) for line in lines]
        try:
            gone, openings = (
                revealed_commitments(timeline.events, timeline),
                openings_of_commitments(timeline.events, timeline),
            )
            store.add_branch(
                game,
                StoredBranch(MAIN_BRANCH, "", 0),
                "",
                lines,
                {commitment: openings[commitment] for commitment in openings if commitment not in gone},
            )
        except StepConflict:
            return _resume_game(store, game, timeline, heads, session)
        kept = _make_kept_game(store, game, timeline, heads, session)
        _store_forks(kept, timeline)
    return kept


def _make_kept_game(
    store: GameStore, game: str, timeline: Timeline, heads: list[str], session: StoreSession
) -> KeptGame:
    """Return a stored game kept on its main branch, with its timeline and line hashes, and note it as open."""
    if store.alone_notice and not store.open:
        session.print_message(store.alone_notice)
    kept = store.open[game] = KeptGame(
        store, game, StoredBranch(MAIN_BRANCH, heads[-1], 0), timeline, heads, session, {}
    )
    return kept


def _resume_game(store: GameStore, game: str, timeline: Timeline, heads: list[str], session: StoreSession) -> KeptGame:
    """Return the stored game that began as this one did, as when a notebook is run again; raise if none did."""
    if game in store.open:
        raise RecordError(
            "game-open-already",
            "“{game}” in {path} is already open here. Use nb.open to get it, or add name=… to keep another game",
            game=game,
            path=store.path,
        )
    base, _ = store.lines_leading_to(store.last_line_hash(game), set(heads))
    if base != heads[-1]:
        raise RecordError(
            "game-went-on-otherwise",
            "{path} has another version of “{game}”, which took a different course from this one. To "
            "keep this one as well, add name=…; to continue that one, use nb.open({path!r}, {game!r})",
            path=str(store.path),
            game=game,
        )
    forks, timeline.forks = timeline.forks, []
    kept = _make_kept_game(store, game, timeline, heads, session)
    kept.follow()
    _restore_openings(kept)
    stored = [kept_game.timeline.events for kept_game in kept.known_branches]
    timeline.forks += [fork for fork in forks if fork.timeline.events not in stored]
    _store_forks(kept, timeline)
    return kept


def _store_forks(kept: KeptGame, timeline: Timeline) -> None:
    """Store those forks of a game, and forks of its forks, that are not kept yet."""
    for fork in timeline.forks:
        if fork.timeline.keeper is None:
            kept.keep_branch(fork.timeline, fork.at, fork.why)
        if isinstance(fork.timeline.keeper, KeptGame):
            _store_forks(fork.timeline.keeper, fork.timeline)


def open_game(store: GameStore, game: str, session: StoreSession) -> KeptGame:
    """Return a stored game, loaded with its branches; the same object each time while it is open.

    Raises
    ------
    RecordError
        There is none of this name, or it is not what the rules make of it.
    """
    known = store.open.get(game)
    if isinstance(known, KeptGame):
        known.follow()
        return known
    games = store.game_names()
    if game not in games:
        sentence = f"it has {_quote_names(games)}" if games else "it is empty"
        raise RecordError(
            "store-has-no-such-game",
            "{path} has no game “{game}”; {there}",
            path=store.path,
            game=game,
            there=sentence,
        )
    head = store.last_line_hash(game)
    _, lines = store.lines_leading_to(head)
    end = canonical_json({"end": len(lines) - 1, "prev": head})
    try:
        timeline = RecordReader([line.encode("ascii") for line in [*lines, end]]).read_game()
    except RecordError as error:
        raise RecordError(error.said.embed_in("{path}, “{game}”: {message}", path=store.path, game=game)) from None
    kept = _make_kept_game(store, game, timeline, [hash_of_line(line) for line in lines], session)
    kept.load_branches()
    _restore_openings(kept)
    return kept


def _restore_openings(kept: KeptGame) -> None:
    """Give a game the values and nonces of its commitments, from the store and from its events."""
    known = kept.timeline.kept
    known |= kept.store.unrevealed_openings(kept.game)
    for kept_game in kept.known_branches:
        commitments: dict[tuple[object, object], str] = {}
        for event in kept_game.timeline.events:
            if event.kind == "committed":
                commitments[event.data["round"], event.actor] = event.data["commitment"]
            elif event.kind == "revealed":
                known[commitments[event.data["round"], event.actor]] = SealOpening(
                    event.data["value"], event.data["nonce"]
                )


def check_same_setup(kept: KeptGame, asked: GameSetup, seed: int | None, position: object) -> None:
    """Raise RecordError if a stored game has another setup or position than the one asked for.

    Raises
    ------
    RecordError
        With both.
    """
    there, again = kept.timeline.setting, seed is not None
    texts = there.ruleset.digest == asked.ruleset.digest
    first = next((event for event in kept.timeline.events if event.is_action and event.do != "begin"), None)
    stands = first.details.get("position") if first is not None and first.do == "set_up" else None
    if position is not None and stands != position:
        wrong, another = ", and its boards were set up differently", "."
    elif texts and _setup_text(there, again) == _setup_text(asked, again):
        return
    else:
        wanted = f"{_setup_text(asked, again)}{'' if texts else ', with a different text of the rules'}"
        wrong, another = f": {_setup_text(there, seed=True)}. You asked for: {wanted}", "."
    raise RecordError(
        "game-agreed-otherwise",
        "{path} already has “{game}”{wrong}{another} To start another game in the file, add "
        "name=…; to continue that one, use nb.open({path!r}, {game!r})",
        path=str(kept.store.path),
        game=kept.game,
        wrong=wrong,
        another=another,
    )


def _setup_text(setting: GameSetup, seed: bool) -> str:
    """Return the setup of a game as text: rule set, players, seed (if asked), terms, order and medium."""
    sentences = [setting.ruleset.name, ", ".join(setting.players)]
    sentences += [f"seed {setting.seed}"] if seed else []
    sentences += [f"{key} is {value}" for key, value in sorted(setting.terms.items())]
    sentences += [f"order {', '.join(setting.order)}"] if setting.order else []
    sentences += [f"medium {setting.medium}"] if setting.medium else []
    return "; ".join(sentences)


GAME_COLUMNS = {
    **column_types("string: name ruleset players; int64: seed events turn ways"),
    "changed": "datetime64[ms, UTC]",
}


def games_frame(store: GameStore) -> pd.DataFrame:
    """Return a data frame of the games in a store, one row per game.

    Returns
    -------
    DataFrame
        Indexed by ``name`` (string), with ``ruleset``, ``players`` (string), ``seed``, ``events``, ``turn``, ``ways``
        (int64: number of branches, which are the game and its forks), ``changed`` (datetime64[ms, UTC]: time of the
        last step; missing if nothing has happened since the game was first kept).
    """
    rows = []
    for game in store.game_names():
        _, lines = store.lines_leading_to(store.last_line_hash(game))
        head, last = (read_record_line(lines[at], LARGEST_HEADER) for at in (0, -1))
        when = max((step.at for step in store.steps(game)), default=None)
        changed = None if when is None else datetime.fromtimestamp(when / 1000, UTC)
        try:
            players = ", ".join(head["players"])
            about = (head["ruleset"], players, head["seed"], last["seq"], last["turn"])
        except (KeyError, TypeError):
            raise RecordError(
                "store-line-is-no-record",
                "{path}, “{game}”: this isn’t the record of a game",
                path=store.path,
                game=game,
            ) from None
        rows.append((game, *about, len(store.branches(game)), changed))
    return make_frame(GAME_COLUMNS, rows, "name")
