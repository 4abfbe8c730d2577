"""The timeline: a game with its past, as a list of what happened. Everything that players see comes from it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from itertools import dropwhile, islice
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from nomic_nb.engine.errors import IllegalAction, LawError, WrongValue, refuse_copying
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.nodes import LawPart, Undecided
from nomic_nb.engine.law.precedence import PrecedenceOrder
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.messages import say
from nomic_nb.engine.play import permissions
from nomic_nb.engine.play.book_in_play import update_void_rules
from nomic_nb.engine.play.decisions import decisions
from nomic_nb.engine.play.declarations import (
    ACTIONS,
    COMMENT_ACTIONS,
    EVENT_KINDS,
    HOST_ACTIONS,
    find_action,
)
from nomic_nb.engine.play.dice import SealOpening
from nomic_nb.engine.play.engine import Engine, Moment
from nomic_nb.engine.play.events import Event, events_in, unknown_event_message
from nomic_nb.engine.play.game_setup import LARGEST_SEED, MEDIA_KINDS, GameSetup, check_seed
from nomic_nb.engine.play.ledger import start_tables
from nomic_nb.engine.play.loop import perform_step
from nomic_nb.engine.play.questions import leave_to_challenge
from nomic_nb.engine.play.record_limits import RecordExtent, check_record_room
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.play.waiting import open_rounds
from nomic_nb.engine.threads import RLock

P = ParamSpec("P")
T = TypeVar("T")

#: Events before an act that is in doubt again and again, three or more for each doubt.
MOST_DOUBTS = 30


@frozen
class Fork:
    """Another way that a game went.

    Parameters
    ----------
    timeline : Timeline
        The game as it went there.
    at : int
        The last event that both ways share.
    why : str
        How they came to part.
    """

    timeline: Timeline
    at: int
    why: str


def step(
    state: State,
    seed: int,
    player: str,
    action: str,
    details: Mapping[str, Any],
) -> State:
    """Return the state after a player's action and everything that follows; nothing records or keeps it.

    Parameters
    ----------
    state : State
        The state in which the player acts; it does not change.
    seed : int
        The seed of the dice.
    player, action : str
        The player who acts, and the name of the action.
    details : mapping
        Arguments of the action.

    Raises
    ------
    IllegalAction, LawError
        As in `Timeline.do`.

    Examples
    --------
    >>> from nomic_nb.engine.games import begin
    >>> from nomic_nb.engine.law.changes import transmute
    >>> before = begin("discordian-nomic", ["Ann", "Ben"], seed=7).state
    >>> after = step(before, 7, "Ann", "propose", {"change": transmute(105)})
    >>> list(before.proposals), list(after.proposals)
    ([], [301])
    """
    return _moments_of_act(state, seed, player, action, details)[-1][1]


def _moments_of_act(
    state: State, seed: int, player: str, action: str, details: Mapping[str, Any],
    failing: frozenset[LawPart] = frozenset(),
) -> list[Moment]:  # fmt: skip
    """Do a player's action on a state, and everything that follows; return the events, each with its state."""
    deed = find_action(action)
    permissions.check_can_act(state, player, action)
    deed.check_details(details)

    def begin(engine: Engine) -> None:
        engine.enter_turn_of(player, action)
        try:
            deed.perform(engine, player, **details)
        except Undecided as doubt:
            engine.state = first
            engine.moments.clear()
            engine.emit("attempted", player)
            engine.ask_about(doubt, act=f"{player} may {deed.describe(details)}", actor=player)
            leave_to_challenge(engine)

    moments: list[Moment] = []
    while len(moments) < MOST_DOUBTS:
        first = moments[-1][1] if moments else state
        step = perform_step(first, seed, (deed.name, deed.to_record(details)), begin, failing)
        moments += step
        if [event.kind for event, _ in step[:3]] != ["attempted", "asked", "settled"]:
            break
    return moments


class StepKeeper(Protocol):
    """Whoever keeps what happens in a game. Nobody sees a step before it is kept; else nothing happened."""

    def attempt(self, act: Callable[[], T]) -> T:
        """Do an act on the latest state and return its result; do it again if somebody else stored a step first."""

    def keep_step(self, moments: list[Moment]) -> None:
        """Store the events of one step, each with the state after it."""

    def keep_branch(self, fork: Timeline, at: int, why: str) -> None:
        """Store a branch of the game (`fork`) that continues from event `at`, with the reason why it was made."""

    def replace_kept_game(self, old: list[Moment], start: int, why: str) -> bool:
        """Store the game's new course, which left the `old` one after event `start`; False if others played on."""

    def forget_empty_branch(self) -> None:
        """Delete a stored branch in which nothing has happened."""


def as_guarded_act(act: Callable[Concatenate[Timeline, P], T]) -> Callable[Concatenate[Timeline, P], T]:
    """Wrap a method to act on the latest state, never on a past game, and to have refusals list what is open."""

    @wraps(act)
    def attempted(timeline: Timeline, /, *args: P.args, **kwargs: P.kwargs) -> T:
        if timeline.past:
            at = timeline.state.seq
            raise IllegalAction(
                "game-as-it-stood",
                "this shows the game as it was after event {event}. To play on from there, branch from it",
                event=at,
            )
        try:
            return timeline.attempt(lambda: act(timeline, *args, **kwargs))
        except permissions.Refusal as refused:  # what rules offer others can depend on what only those see
            told = [
                decision for decision in decisions(timeline.state) if not decision.unseen or decision.player in args[:1]
            ]
            own = [decision for decision in told if refused.only is None or decision.player in (refused.only, None)]
            message, rule = refused.message, refused.rule
            done = (
                event
                for event in reversed(timeline.events)
                if event.turn == timeline.state.turn and event.actor in args[:1]
            )
            last = next((event for event in done if event.kind == refused.done), None)
            if last is not None:
                message = message.embed_in(
                    "{message}. Already done in this turn: {last}", last=EVENT_KINDS[last.kind].told(last)
                )
                poll = last.data.get("poll", 0)
                asked = (event.cause for event in timeline.events if event.data.get("poll") == poll)
                rule = next((cause.rule for cause in asked if cause), rule)
            raise IllegalAction(message, rule=rule, options=list(map(str, own or told))) from None

    return attempted


class Timeline:
    """A game, with all its events and the state after each one.

    Parameters
    ----------
    setting : Setting
        Everything agreed before play.

    Raises
    ------
    LawError
        The rule set does not have one of the settings.
    """

    #: Who keeps it; None where it is in this process only.
    keeper: StepKeeper | None = None
    #: Whether it is a game as it was, in which nothing happens any more.
    past = False
    #: Whether it is a trial, which nothing remembers or saves, and whose dice are not those of its game.
    on_trial = False
    #: The seed from which values and nonces are drawn for players who seal; None if they are random.
    chance: int | None = None
    __reduce__ = refuse_copying
    #: What the record of the step that is played again says was left out because the kit failed at it.
    failing: frozenset[LawPart] = frozenset()

    def __init__(self, setting: GameSetup) -> None:
        self.setting = setting
        #: The seed of the dice.
        self.seed = setting.seed
        #: How far its record is written.
        self.record = RecordExtent(setting)
        self.lock = RLock()
        speech, book = language(), setting.book
        bare = Law(book, PrecedenceOrder(), speech)
        state = State(
            {},
            book,
            bare,
            game=setting.digest,
            chosen_order=setting.order or setting.players,
            medium=setting.medium or MEDIA_KINDS[0],
        )
        try:
            state = state.replace(law=bare.reordered(state))
            #: How things stood before anything happened.
            self.before = state
            self.moments: list[Moment] = perform_step(state, self.seed, ("begin", {}), self._record_game_start)
        except Undecided as doubt:
            raise LawError(
                "no-game-can-begin", "a game can’t begin with these rules, because {why}", why=doubt.reason
            ) from None
        self.record.value_after(self.moments)  # once for all forks
        #: Other ways the game went.
        self.forks: list[Fork] = []
        #: The game that this one parted from, or shows as it was; None for a game that parted from none.
        self.origin: Timeline | None = None
        #: Called whenever the game has changed, so that whoever shows it can look again.
        self.listeners: list[Callable[[], None]] = []
        #: What was sealed here, by commitment, until it is revealed: in no record, but where the game is kept.
        self.kept: dict[str, SealOpening] = {}

    def _record_game_start(self, engine: Engine) -> None:
        """Record the start of the game and its players, start its tables, and find the rules that are void."""
        engine.emit("game_started", players=self.setting.players)
        for name in self.setting.players:
            engine.emit("entered", name, data={"as": "person"})
        start_tables(engine)
        update_void_rules(engine)

    @property
    def state(self) -> State:
        """The state of the game after the latest event."""
        return self.moments[-1][1]

    def after(self, seq: int) -> State:
        """Return the state of the game right after the event numbered `seq`."""
        return self.moments[seq - 1][1]

    @property
    def events(self) -> list[Event]:
        """All events of the game in order, including those that were undone."""
        return events_in(self.moments)

    def attempt(self, act: Callable[[], T]) -> T:
        """Do an act on the latest state and return its result, by way of whoever stores the game, if anyone does."""
        with self.lock:
            return act() if self.keeper is None else self.keeper.attempt(act)

    @as_guarded_act
    def do(self, player: str, action: str, details: Mapping[str, Any]) -> list[Moment]:
        """Do a player's action and everything that follows, or refuse it; return the new events, each with its state.

        Parameters
        ----------
        player : str
            Player who acts.
        action : str
            Name of the action.
        details : mapping
            Arguments of the action.

        Returns
        -------
        list of (Event, State)
            The new events, each with the state after it.

        Raises
        ------
        IllegalAction
            The action is refused; the error names the rule and the actions that are possible instead.
        LawError
            A clause cannot be read.
        """
        return self.keep_moments(_moments_of_act(self.state, self.seed, player, action, details, self.failing))

    @as_guarded_act
    def do_as_host(self, action: str, details: Mapping[str, Any]) -> list[Moment]:
        """Do an action of the host, such as recording an absence; return the new events, each with its state.

        Raises
        ------
        IllegalAction
            Refused.
        LawError
            A correction that cannot be read.
        """
        deed = HOST_ACTIONS[action]
        deed.check_details(details)
        if self.state.over and action not in COMMENT_ACTIONS:
            raise IllegalAction("game-over", "the game is over")
        if self.state.paused and action not in COMMENT_ACTIONS | {"resume"}:
            raise IllegalAction(permissions.PAUSED_MESSAGE, options=["game.host.resume()"])
        did = deed.name, deed.to_record(details)
        return self.keep_moments(
            perform_step(self.state, self.seed, did, lambda engine: deed.perform(engine, **details), self.failing)
        )

    def keep_moments(self, moments: list[Moment]) -> list[Moment]:
        """Store the events of a step, add them to the game and return them; refuse what no record can hold."""
        check_record_room(self.record, self.moments, moments)
        if self.keeper is not None:
            self.keeper.keep_step(moments)
        self.moments.extend(moments)
        self.notify_listeners()
        return moments

    def notify_listeners(self) -> None:
        """Tell the listeners, such as displays, that the game has changed."""
        for listener in tuple(self.listeners):
            listener()

    @property
    def events_in_effect(self) -> list[Event]:
        """The events in effect, in order: all but those that were undone."""
        return list(self.events_backwards())[::-1]

    def events_backwards(self, seq: int | None = None) -> Iterator[Event]:
        """Yield the events in effect now, or right after event `seq`, the last one first."""
        at = len(self.moments) if seq is None else seq
        while at > 0:
            event = self.moments[at - 1][0]
            if event.kind == "undone":
                at = int(event.data["to"])
            else:
                at -= 1
                yield event

    # ------------------------------------------------------------------------------------ other times

    def is_end_of_step(self, seq: int) -> bool:
        """Tell whether the event numbered `seq` is the last of its step: of an act and everything that follows."""
        return seq == len(self.moments) or (0 < seq < len(self.moments) and self.moments[seq][0].is_action)

    def end_of_step(self, seq: int) -> int:
        """Return the number of the last event in the step to which event `seq` belongs.

        Raises
        ------
        ValueError
            There is no such event.
        """
        if isinstance(seq, bool) or not isinstance(seq, int) or not 1 <= seq <= len(self.moments):
            raise WrongValue(unknown_event_message(len(self.moments), seq))
        while not self.is_end_of_step(seq):
            seq += 1
        return seq

    def past_game(self, seq: int) -> Timeline:
        """Return the game as it was right after event `seq`, to look at only; it refuses all actions.

        Raises
        ------
        ValueError
            There is no such event.
        """
        self.end_of_step(seq)
        past = self.copy_with_events(self.moments[:seq], past=True)
        past.keeper = self.keeper
        return past

    def fork(self, seq: int, why: str = "forked") -> Timeline:
        """Add and return a branch that continues after the step of event `seq`; `why` is its reason.

        Raises
        ------
        ValueError
            There is no such event.
        """
        end = self.end_of_step(seq)
        other = self.copy_with_events(self.moments[:end])
        if self.keeper is not None:
            self.keeper.keep_branch(other, end, why)
        self.forks.append(Fork(other, end, why))
        return other

    def trial(self, seed: int | None = None) -> Timeline:
        """Return the game with other dice, to try out how it could go on; nothing remembers or saves it.

        Parameters
        ----------
        seed : int, optional
            Seed of its dice; default a new one.

        Raises
        ------
        ValueError
            The seed cannot be used.
        """
        other = self.copy_with_events(self.moments)
        other.seed = other.chance = secrets.randbelow(LARGEST_SEED) if seed is None else seed
        check_seed(other.seed)
        other.kept, other.on_trial = dict(self.kept), True
        return other

    def remember_branch(self, moments: list[Moment], at: int, why: str) -> None:
        """Remember a given-up course of the game (`moments`), which left the present one after event `at`."""
        events, now = events_in(moments), self.events
        known = (fork.timeline for fork in self.forks if fork.timeline.events == events)
        kept = next(known, None) or self.copy_with_events(moments)
        others = [fork for fork in self.forks if fork.timeline is not kept]
        self.forks = [Fork(kept, at, why)]
        for fork in others:
            if fork.timeline.events[at : fork.at] == now[at : fork.at]:
                self.forks.append(fork)
            else:
                kept.forks.append(fork)
                fork.timeline.origin = kept

    def copy_with_events(self, moments: list[Moment], *, past: bool = False) -> Timeline:
        """Return a game with the same setup and these events, stored nowhere yet; read-only if `past`."""
        other = object.__new__(Timeline)
        other.past, other.on_trial, other.seed, other.chance = past, self.on_trial, self.seed, self.chance
        other.setting, other.before, other.lock = self.setting, self.before, RLock()
        other.moments, other.forks, other.listeners, other.origin = list(moments), [], [], self
        other.record = self.record.copy_for_branch()
        other.kept = self.kept  # what was sealed before the ways parted is revealed in both
        return other

    @as_guarded_act
    def undo(self, to: int | None = None) -> None:
        """Undo everything after event `to`, by default the last step; undone events stay in the record.

        Parameters
        ----------
        to : int, optional
            Number of the last event to keep, which must end a step; default: the end of the step before the last one.

        Raises
        ------
        IllegalAction
            There is nothing to undo, the event is in the middle of a step, or players would seal values after others
            have revealed theirs.
        """
        if to is None:
            last = dropwhile(lambda event: not event.is_action, self.events_backwards())
            to = next((event.seq for event in islice(last, 1, 2)), 0)
        if isinstance(to, bool) or not isinstance(to, int) or not 1 <= to <= len(self.moments):
            raise IllegalAction(
                "nothing-to-undo", "nothing can be undone; the game has events 1 to {last}", last=len(self.moments)
            )
        if not self.is_end_of_step(to):
            raise IllegalAction(
                "inside-a-step",
                "you can’t undo to event {event}, because it is in the middle of a step",
                event=to,
                options=[f"undo to {self.end_of_step(to)}"],
            )
        now, then = self.state, self.after(to)
        if next(self.events_backwards(to)) is next(self.events_backwards()):
            raise IllegalAction(
                "undone-already", "nothing to undo: the game is already as it was after event {event}", event=to
            )
        self._check_seals(then, to)
        event = Event(
            now.seq + 1, then.turn, then.circuit, None, None, "undone", {"to": to}, do="undo", details={"to": to}
        )
        self.keep_moments([(event, then.replace(seq=event.seq, work=now.work))])

    def _check_seals(self, then: State, to: int) -> None:
        """Refuse an undo to event `to` if players would then seal values knowing what others revealed since."""
        opened = {(event.data["round"], event.actor) for event, _ in self.moments[to:] if event.kind == "revealed"}
        for _, sealing in open_rounds(then):
            known = [name for name in sealing.seals if (sealing.number, name) in opened]
            if known and sealing.action_owed == "seal":
                message = say(
                    "seal-revealed-since",
                    "what {players} sealed has since been revealed, so the others would know it when they seal",
                    players=", ".join(known),
                )
                raise IllegalAction(message, options=[f"undo to {self.end_of_step(sealing.number)}"])

    def repeat_event(self, event: Event) -> list[Moment]:
        """Do the act in a recorded event again, as when loading a game; return the new events with their states.

        Raises
        ------
        IllegalAction, LawError, ValueError
            It could not have happened here.
        """
        before = len(self.moments)
        self.failing = failing_clauses(event)
        try:
            return self._do_recorded_act(event, before)
        finally:
            self.failing = frozenset()

    def _do_recorded_act(self, event: Event, before: int) -> list[Moment]:
        """Do an event's act, by a player, the host or as an undo; return what is new after `before` events."""
        if event.do == "undo" and event.details.keys() == {"to"}:
            self.undo(event.details["to"])
            return self.moments[before:]
        if event.do in HOST_ACTIONS:
            return self.do_as_host(event.do, HOST_ACTIONS[event.do].from_record(event.details))
        if event.actor is None or event.do not in ACTIONS:
            raise ValueError(f"a player cannot have done {event.do!r}")
        return self.do(event.actor, event.do, ACTIONS[event.do].from_record(event.details))


def failing_clauses(event: Event) -> frozenset[LawPart]:
    """Return (rule id, clause) for the clauses an event says were left out because the kit failed at them.

    Raises
    ------
    ValueError
        It is no list of clauses.
    """
    clauses = event.data.get("failing", [])
    if not isinstance(clauses, list) or not all(
        isinstance(pair, list) and list(map(type, pair)) == [int, str] for pair in clauses
    ):
        raise ValueError("what was left out is a list of rules and clauses")
    return frozenset((id, words) for id, words in clauses)
