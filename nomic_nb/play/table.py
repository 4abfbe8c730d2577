"""The table: a game under way, as a list of what happened. Everything that players see stands on it."""

from __future__ import annotations

import difflib
import hashlib
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from nomic_nb.errors import IllegalAction, LawError
from nomic_nb.law.changes import Change
from nomic_nb.law.incorporation import with_incorporated
from nomic_nb.law.precedence import Order
from nomic_nb.law.resolver import Law, order_of
from nomic_nb.law.rules import RuleBook
from nomic_nb.law.view import Undecided
from nomic_nb.play import permission
from nomic_nb.play.brought_in import digests, library
from nomic_nb.play.commitments import Opening
from nomic_nb.play.decisions import decisions
from nomic_nb.play.declaring import ACTIONS, HOST, Deed
from nomic_nb.play.engine import Engine, Moment
from nomic_nb.play.events import Event, canonical
from nomic_nb.play.joining import enter
from nomic_nb.play.lines import Along, check_room, sizes_from
from nomic_nb.play.loop import perform_step
from nomic_nb.play.names import check_names
from nomic_nb.play.points import start_counters
from nomic_nb.play.sealing import rounds
from nomic_nb.play.state import State
from nomic_nb.play.vocabulary import language
from nomic_nb.play.voiding import review_void
from nomic_nb.rulesets.literate import RuleSet

#: Players at a table.
MOST_PLAYERS = 100
LARGEST_SEED = 2**53
#: Where a game is played, for rules that differ by it; the first is meant where nothing is said.
MEDIA = ("computer", "mail", "table")


@dataclass(frozen=True)
class Setting:
    """What is agreed before play.

    Parameters
    ----------
    ruleset : RuleSet
        The initial set, as it was published.
    players : tuple of str
        In seating order.
    seed : int
        From which the game's own dice are drawn.
    terms : mapping of str to str
        Terms agreed otherwise than the rule set has them, as expressions of the law language.
    order : tuple of str
        The players in the order that was chosen before play; empty where they said nothing.
    medium : str
        Where the game is played; empty where they said nothing.
    """

    ruleset: RuleSet
    players: tuple[str, ...]
    seed: int
    terms: Mapping[str, str] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    medium: str = ""

    def __post_init__(self) -> None:
        check_names(self.players)
        least = self.ruleset.least_players
        if not least <= len(self.players) <= MOST_PLAYERS:
            raise ValueError(f"{least} to {MOST_PLAYERS} players play {self.ruleset.name}; found {len(self.players)}")
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or not 0 <= self.seed < LARGEST_SEED:
            raise ValueError(f"a seed is a whole number from 0 to 2**53 - 1; found {self.seed!r}")
        if not self.ruleset.alone:
            raise ValueError(f"{self.ruleset.name} is no game by itself; rules of other rule sets bring it in")
        if self.order and sorted(self.order) != sorted(self.players):
            raise ValueError(f"an order has every player once; found {', '.join(map(str, self.order))}")
        if self.medium and self.medium not in MEDIA:
            raise ValueError(f"a game is played by {', '.join(MEDIA)}; found {self.medium!r}")
        for name, fact in (("order", "chosen_order"), ("medium", "medium")):
            if getattr(self, name) and not self.ruleset.looks_at(fact):
                raise ValueError(f"no rule of {self.ruleset.name} looks at the {name}, so it changes nothing")

    @property
    def incorporated(self) -> dict[str, str]:
        """The rule sets that its rules bring in before play, by name, with the digests of their texts."""
        book = RuleBook({rule.id: rule for rule in self.ruleset.with_terms(self.terms, language()).rules})
        return digests(with_incorporated(book, library(language())), language())

    def to_json(self) -> dict[str, Any]:
        """Return all that was agreed as plain data, the rule set with its text."""
        return {
            "ruleset": self.ruleset.name, "digest": self.ruleset.digest, "text": self.ruleset.text,
            "players": list(self.players), "seed": self.seed, "terms": dict(self.terms), "order": list(self.order),
            "medium": self.medium, "incorporated": self.incorporated,
        }  # fmt: skip

    @property
    def digest(self) -> str:
        """What tells a game that was agreed like this from others: SHA-256 over all that was agreed."""
        agreed = {name: one for name, one in self.to_json().items() if name not in ("ruleset", "text", "incorporated")}
        return hashlib.sha256(canonical(agreed).encode("ascii")).hexdigest()


@dataclass(frozen=True)
class Fork:
    """Another way that a game went.

    Parameters
    ----------
    table : Table
        The game as it went there.
    at : int
        The last event that both ways share.
    why : str
        How they came to part.
    """

    table: Table
    at: int
    why: str


class Table:
    """A game under way.

    Parameters
    ----------
    setting : Setting
        What was agreed before play.

    Raises
    ------
    LawError
        A term that the rule set does not have.
    """

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        #: How many bytes its record has.
        self.sizes = sizes_from(canonical(setting.to_json()))
        self.lock = threading.RLock()
        speech = language()
        rules = setting.ruleset.with_terms(setting.terms, speech).rules
        book = with_incorporated(RuleBook({rule.id: rule for rule in rules}), library(language()))
        bare = Law(book, Order(), speech)
        state = State(
            {},
            book,
            bare,
            game=setting.digest,
            chosen_order=setting.order or setting.players,
            medium=setting.medium or MEDIA[0],
        )
        try:
            state = state.but(law=Law(book, order_of(bare, state), speech))
            #: How things stood before anything happened.
            self.before = state
            self.moments: list[Moment] = perform_step(state, setting.seed, ("begin", {}), self._begin)
        except Undecided as doubt:
            raise LawError(f"with these rules no game can begin: {doubt.reason}") from None
        #: Other ways that the game went.
        self.forks: list[Fork] = []
        #: The game that this one parted from, or shows as it stood; None for a game that parted from none.
        self.origin: Table | None = None
        #: Called whenever the game has changed, so that whoever shows it can look again.
        self.listeners: list[Callable[[], None]] = []
        #: What was sealed here, by commitment, until it is revealed: in this process only, in no record.
        self.kept: dict[str, Opening] = {}

    def _begin(self, engine: Engine) -> None:
        engine.emit("game_started", None, players=list(self.setting.players))
        for name in self.setting.players:
            enter(engine, name, "person")
        start_counters(engine)
        review_void(engine)

    @property
    def state(self) -> State:
        """How things stand now."""
        return self.moments[-1][1]

    @property
    def events(self) -> list[Event]:
        """Everything that happened."""
        return [event for event, _ in self.moments]

    def do(self, player: str, action: str, details: Mapping[str, Any]) -> list[Moment]:
        """Do an action, with everything that follows from it, or refuse it and leave all as it was.

        Parameters
        ----------
        player : str
            Who does it.
        action : str
            What.
        details : mapping
            As the action takes them.

        Returns
        -------
        list of (Event, State)
            What happened.

        Raises
        ------
        IllegalAction
            Refused, with the rule and what is open instead.
        LawError
            A clause that cannot be read.
        """
        with self.lock, self._refusing():
            deed = find_action(action)
            state = self.state
            permission.start(state, player, action)
            deed.check(details)

            def begin(engine: Engine) -> None:
                engine.take_up(player, action)
                try:
                    deed.perform(engine, player, **details)
                except Undecided as doubt:
                    engine.state = state
                    engine.moments.clear()
                    engine.emit("attempted", player)
                    recorded = deed.read(deed.plain(details))  # so that it is the same words when it is played again
                    told = ", ".join(
                        one.headline if isinstance(one, Change) else str(one)
                        for one in recorded.values()
                        if not isinstance(one, bool)
                    )
                    did = f"{player} may {action.replace('_', ' ')}" + (f" ({told})" if told else "")
                    engine.ask_about(doubt, act=did)

            return self._perform(deed, details, begin)

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Say what is open instead, where an action is refused that could be another one."""
        try:
            yield
        except permission.Refusal as refused:
            raise refused.among(decisions(self.state)) from None

    def _perform(self, deed: Deed, details: Mapping[str, Any], begin: Callable[[Engine], None]) -> list[Moment]:
        """Do an action with all that follows from it; refuse what no record could hold."""
        moments = perform_step(self.state, self.setting.seed, (deed.name, deed.plain(details)), begin)
        self._take_in(moments)
        return moments

    def host(self, action: str, details: Mapping[str, Any]) -> list[Moment]:
        """Keep the record: absence, pause, correction. None of it is a move in the game.

        Raises
        ------
        IllegalAction
            Refused.
        LawError
            A correction that cannot be read.
        """
        with self.lock, self._refusing():
            deed = HOST[action]
            deed.check(details)
            state = self.state
            if state.over and action != "annotate":
                raise IllegalAction("the game is over")
            if state.paused and action not in ("resume", "annotate"):
                raise IllegalAction("the game is paused", options=["game.host.resume()"])
            return self._perform(deed, details, lambda engine: deed.perform(engine, **details))

    def _take_in(self, moments: list[Moment]) -> None:
        """Let it have happened, or refuse what no record could hold."""
        check_room(self.sizes, self.moments, moments)
        self.moments.extend(moments)
        self.changed()

    def changed(self) -> None:
        """Tell whoever shows the game that it has changed."""
        for listener in tuple(self.listeners):
            listener()

    @property
    def standing(self) -> list[Event]:
        """The events that count now: all but those that were undone."""
        found: list[Event] = []
        at = len(self.moments)
        while at > 0:
            event = self.moments[at - 1][0]
            if event.kind == "undone":
                at = int(event.data["to"])
                continue
            found.append(event)
            at -= 1
        return found[::-1]

    # ------------------------------------------------------------------------------------ other times

    def ends_step(self, seq: int) -> bool:
        """Tell whether everything that an action set off is done after this event."""
        return seq == len(self.moments) or (0 < seq < len(self.moments) and self.moments[seq][0].action)

    def step_end(self, seq: int) -> int:
        """Return the end of the step that an event belongs to.

        Raises
        ------
        ValueError
            There is no such event.
        """
        if isinstance(seq, bool) or not isinstance(seq, int) or not 1 <= seq <= len(self.moments):
            raise ValueError(f"the game has events 1 to {len(self.moments)}; found {seq!r}")
        while not self.ends_step(seq):
            seq += 1
        return seq

    def at(self, seq: int) -> Table:
        """Return the game as it stood right after an event, to be looked at.

        Raises
        ------
        ValueError
            There is no such event.
        """
        self.step_end(seq)
        return self._copy(self.moments[:seq], Past)

    def fork(self, seq: int, why: str = "forked") -> Table:
        """Return a game that goes on from the end of the step of an event, and remember it.

        Raises
        ------
        ValueError
            There is no such event.
        """
        end = self.step_end(seq)
        other = self._copy(self.moments[:end], Table)
        self.forks.append(Fork(other, end, why))
        return other

    def forked(self, moments: list[Moment], at: int, why: str) -> None:
        """Remember a way that the game went and goes no more, with the ways that parted from it later on."""
        events = [event for event, _ in moments]
        known = next((fork.table for fork in self.forks if fork.table.events == events), None)
        kept = self._copy(moments, Table) if known is None else known
        others = [fork for fork in self.forks if fork.table is not kept]
        now = self.events
        self.forks = [Fork(kept, at, why)]
        for fork in others:
            if fork.table.events[at : fork.at] == now[at : fork.at]:
                self.forks.append(fork)
            else:
                kept.forks.append(fork)
                fork.table.origin = kept

    def _copy(self, moments: list[Moment], kind: type[Table]) -> Table:
        other = object.__new__(kind)
        other.setting, other.before, other.lock = self.setting, self.before, threading.RLock()
        other.moments, other.forks, other.listeners, other.origin = list(moments), [], [], self
        other.sizes = Along(self.sizes.first, self.sizes.step)
        other.kept = self.kept  # what was sealed before the ways parted is revealed in both
        return other

    def undo(self, to: int | None = None) -> None:
        """Take the game back, as an event: what happened stays on record.

        Parameters
        ----------
        to : int, optional
            The event after which it shall stand, the end of a step; the step before the last one where
            it is not given.

        Raises
        ------
        IllegalAction
            There is nothing to undo, the event is in the middle of a step, or seals would stand that were opened.
        """
        with self.lock:
            if to is None:
                standing = self.standing
                last = max(at for at, event in enumerate(standing) if event.action)
                to = standing[last - 1].seq if last else 0
            if isinstance(to, bool) or not isinstance(to, int) or not 1 <= to <= len(self.moments):
                raise IllegalAction(f"there is nothing to undo; the game has events 1 to {len(self.moments)}")
            if not self.ends_step(to):
                raise IllegalAction(f"event {to} is in the middle of a step", options=[f"undo to {self.step_end(to)}"])
            now, then = self.state, self.moments[to - 1][1]
            self._check_seals(then, to)
            event = Event(
                now.seq + 1, then.turn, then.circuit, None, None, "undone", {"to": to}, do="undo", details={"to": to}
            )
            self._take_in([(event, then.but(seq=event.seq))])

    def _check_seals(self, then: State, to: int) -> None:
        """Refuse to let seals stand that were opened since, while others would still seal: they know too much."""
        opened = {(one.data["round"], one.actor) for one, _ in self.moments[to:] if one.kind == "revealed"}
        for _, found in rounds(then):
            known = [name for name in found.seals if (found.number, name) in opened]
            if known and found.owed == "seal":
                said = f"what {', '.join(known)} sealed was revealed since; others would seal knowing it"
                raise IllegalAction(said, options=[f"undo to {self.step_end(found.number)}"])

    def again(self, event: Event) -> list[Moment]:
        """Do once more what an event records, as loading a game does.

        Raises
        ------
        IllegalAction, LawError, ValueError
            It could not have happened here.
        """
        before = len(self.moments)
        if event.do == "undo" and event.details.keys() == {"to"}:
            self.undo(event.details["to"])
            return self.moments[before:]
        if event.do in HOST:
            return self.host(event.do, HOST[event.do].read(event.details))
        if event.actor is None or event.do not in ACTIONS:
            raise ValueError(f"a player cannot have done {event.do!r}")
        return self.do(event.actor, event.do, ACTIONS[event.do].read(event.details))


class Past(Table):
    """A game as it stood; nothing happens in it any more."""

    def do(self, player: str, action: str, details: Mapping[str, Any]) -> list[Moment]:
        """Refuse.

        Raises
        ------
        IllegalAction
            Always.
        """
        del player, action, details
        at = self.state.seq
        raise IllegalAction(
            f"this is the game as it stood after event {at}", options=[f"game.fork(at={at}) goes on from there"]
        )

    def host(self, action: str, details: Mapping[str, Any]) -> list[Moment]:
        """Refuse.

        Raises
        ------
        IllegalAction
            Always.
        """
        return self.do("", action, details)

    def undo(self, to: int | None = None) -> None:
        """Refuse.

        Raises
        ------
        IllegalAction
            Always.
        """
        del to
        raise IllegalAction(f"this is the game as it stood after event {self.state.seq}")


def find_action(action: str) -> Deed:
    """Return an action by its name.

    Raises
    ------
    IllegalAction
        There is no such action; the known ones are listed.
    """
    known = ACTIONS.get(action)
    if known is None:
        near = difflib.get_close_matches(str(action), ACTIONS, 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise IllegalAction(f"there is no action {str(action)[:40]!r}{hint}", options=list(ACTIONS))
    return known
