"""The state of a game: plain values that never change. Every step makes a new one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, fields, is_dataclass
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar

from nomic_nb.engine.errors import refuse_copying
from nomic_nb.engine.extension import installed_extension
from nomic_nb.engine.frozen import frozen, itself
from nomic_nb.engine.law.clauses import Clause, Effect
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.nodes import View
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Number as RuleNumber
from nomic_nb.engine.law.rules import RuleBook
from nomic_nb.engine.law.values import ThingRef, Value, value_to_json
from nomic_nb.engine.play.agenda_items import (
    AgendaItem,
    AwaitedAct,
    Poll,
    PostponedEffect,
    Question,
    SealedSecret,
    WaitingFor,
)
from nomic_nb.engine.play.calendar import RecordedClock
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.table_values import Table
from nomic_nb.engine.play.values import RECORD_MEDIUM, Comment, Judgment, Player, PlayerNote, Proposal, Turn

# ----------------------------------------------------------------------------------------- what is still to happen


#: Items, each with those after it, or those before it.
_ItemChain: TypeAlias = "tuple[AgendaItem, _ItemChain] | None"


def _chain_items(chain: _ItemChain) -> Iterator[AgendaItem]:
    """Yield the agenda items in a linked chain of (item, rest) pairs."""
    while chain is not None:
        yield chain[0]
        chain = chain[1]


class Agenda:
    """Items in the order in which they are to be done. It never changes; what is added, or taken, gives another.

    Parameters
    ----------
    items : iterable of Item
        First things first.
    """

    __slots__ = ("_back", "_front")

    def __init__(self, items: Iterable[AgendaItem] = ()) -> None:
        self._front: _ItemChain = None
        self._back: _ItemChain = None  # the last comes first
        for item in items:
            self._back = (item, self._back)

    @classmethod
    def _from_chains(cls, front: _ItemChain, back: _ItemChain) -> Agenda:
        """Return the agenda made of two linked chains: its first items, and the others from the last backwards."""
        new = object.__new__(cls)
        new._front, new._back = front, back
        return new

    def with_first(self, *items: AgendaItem) -> Agenda:
        """Return an agenda with these items put before all others."""
        front = self._front
        for item in reversed(items):
            front = (item, front)
        return Agenda._from_chains(front, self._back)

    def with_last(self, *items: AgendaItem) -> Agenda:
        """Return an agenda with these items put after all others."""
        back = self._back
        for item in items:
            back = (item, back)
        return Agenda._from_chains(self._front, back)

    def split_first(self) -> tuple[AgendaItem, Agenda]:
        """Return the first item, and the agenda without it.

        Raises
        ------
        IndexError
            There is nothing.
        """
        front, back = self._front, self._back
        if front is None:
            for item in _chain_items(back):
                front = (item, front)
            back = None
        if front is None:
            raise IndexError("nothing is on the agenda")
        return front[0], Agenda._from_chains(front[1], back)

    def __bool__(self) -> bool:
        return self._front is not None or self._back is not None

    def __iter__(self) -> Iterator[AgendaItem]:
        yield from _chain_items(self._front)
        yield from reversed(tuple(_chain_items(self._back)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Agenda) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # as little as a state

    def __repr__(self) -> str:
        return f"Agenda({list(self)!r})"


# --------------------------------------------------------------------------------------------- the state of a game


StateParams = ParamSpec("StateParams")
ThingType = TypeVar("ThingType")


def _with_field_signature(
    _: Callable[StateParams, StateFields],
) -> Callable[[Callable[..., State]], Callable[Concatenate[State, StateParams], State]]:
    """Return a decorator that gives a method the parameters of `StateFields` for type checkers."""
    return lambda method: method


#: The last answer, because the same players are asked for again and again.
_PERSONS: list[tuple[Mapping[str, Player], tuple[str, ...]]] = [({}, ())]


@frozen
class StateFields:
    """The complete state of a game at one moment.

    Parameters
    ----------
    players : mapping of str to Player
        In seating order.
    rules : RuleBook
        The law book.
    law : Law
        The rule book, with its order of precedence applied.
    seq : int
        Events so far.
    turn, circuit : int
        Number of turns begun; number of the current round, 1 for the first.
    turns : tuple of Turn
        Current turns, in the order in which they began.
    hand : int
        Number of the turn in which things happen now; 0 for none. If only one turn has
        begun, it is that one.
    ended : int
        Turns ended.
    sequence, place : tuple of str, int
        The order of turns as last read, and the place of the last turn in it.
    sequence_of : str
        Whether it is an order of ``player`` or ``army``.
    had_turn : tuple of str
        Players who have had a turn in this round.
    proposals : mapping of int or str to Proposal
        All proposals.
    unsettled : tuple of int or str
        Numbers of proposals in debate, open, or adopted and not yet in force.
    last_number : int or None
        The number given last.
    agenda : Agenda
        Things still to happen.
    waiting : tuple of Waiting
        Rolls and choices that play waits for, each with the effects after it.
    polls : mapping of int to Poll
        Polls by id, with the answers.
    secrets : tuple of Secret
        Values that players have sealed for later, not opened yet.
    questions : tuple of Question
        Open questions.
    standstill : tuple of Act
        Acts that play waits for if nobody has to decide anything.
    waited : tuple of int
        Acts, by their events, done in this turn while play waited, since anybody last had to decide
        anything; none of them made play continue.
    met : tuple of (int, str, Value)
        True conditions of ``whenever`` clauses: the rule's id, the clause, the item of its list.
    later : tuple of Later
        Effects put off.
    judgments : mapping of int to Judgment
        All judgments that were invoked, by their ids.
    docket : tuple of int
        Ids of judgments that can still be decided or overruled.
    tables : mapping of str to Table
        Tables that rules track, or once tracked, by name: points of players, and everything else.
    draws : int
        Random draws so far.
    stuck : bool
        Whether play cannot continue (213).
    first_unable : str or None
        The first player who could not complete a turn.
    circling : bool
        Whether turns have kept going round without anybody having anything to do.
    applied : tuple of int
        Ids of the rules that were applied by hand since the last turn began.
    set_aside : tuple of (str, int, int)
        Parts that players agreed to leave out of steps that must end: the reason, the rule, its version.
    above : mapping of str to bool
        Players who meet the condition of winning only through a change of law, and whether it is settled that they
        win at their next gain.
    averted : tuple of str
        Players whose win a rule has replaced, for as long as they meet the condition of winning.
    winners : tuple of str
        Players who have won.
    over : bool
        Whether the game has ended.
    paused : bool
        Whether the game rests until it is resumed.
    position : object
        The boards with armies and pieces, as an extension keeps them; None without boards.
    gone : mapping of int to object
        Pieces that have left the boards, as they last were.
    hands : mapping of str to tuple of int
        Pieces gone from the boards that an army has in hand, the first captured first.
    mated : mapping of str to str
        Armies that are mated and not yet taken over, with the players who get them.
    last_moved : tuple of str
        Armies that have moved, the latest first.
    made : tuple of object
        The last move on each board, the earliest first, and those that were taken back.
    chosen_order : tuple of str
        The players in the order that was chosen before play.
    medium : str
        Medium of the game: ``computer``, ``mail`` or ``table``.
    game : str
        Identity of the game, so nothing sealed in one game can be revealed in another.
    clock : Clock or None
        Recorded time; None if nobody has recorded any.
    comments : mapping of int to Comment
        Current comments, by the events that wrote them.
    notes : tuple of Note
        Definitions and fixes that players wrote down; they are not law.
    work : int
        Steps of the law that the game has taken, including undone acts; loading takes them again.
    """

    players: Mapping[str, Player] = field(default_factory=dict)
    rules: RuleBook = field(default_factory=RuleBook)
    law: Law = None  # type: ignore[assignment]  # always given; it depends on the language
    seq: int = 0
    turn: int = 0
    circuit: int = 1
    turns: tuple[Turn, ...] = ()
    hand: int = 0
    ended: int = 0
    sequence: tuple[str, ...] = ()
    place: int = -1
    sequence_of: str = "player"
    had_turn: tuple[str, ...] = ()
    proposals: Mapping[RuleNumber, Proposal] = field(default_factory=dict)
    unsettled: tuple[RuleNumber, ...] = ()
    last_number: int | None = None
    agenda: Agenda = field(default_factory=Agenda)
    waiting: tuple[WaitingFor, ...] = ()
    polls: Mapping[int, Poll] = field(default_factory=dict)
    secrets: tuple[SealedSecret, ...] = ()
    questions: tuple[Question, ...] = ()
    standstill: tuple[AwaitedAct, ...] = ()
    waited: tuple[int, ...] = ()
    later: tuple[PostponedEffect, ...] = ()
    met: tuple[tuple[int, str, Value], ...] = ()
    judgments: Mapping[int, Judgment] = field(default_factory=dict)
    docket: tuple[int, ...] = ()
    tables: Mapping[str, Table] = field(default_factory=dict)
    draws: int = 0
    stuck: bool = False
    first_unable: str | None = None
    circling: bool = False
    applied: tuple[int, ...] = ()
    set_aside: tuple[tuple[str, int, int], ...] = ()
    above: Mapping[str, bool] = field(default_factory=dict)
    averted: tuple[str, ...] = ()
    winners: tuple[str, ...] = ()
    over: bool = False
    paused: bool = False
    position: Any = None
    gone: Mapping[int, Any] = field(default_factory=dict)
    hands: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    mated: Mapping[str, str] = field(default_factory=dict)
    last_moved: tuple[str, ...] = ()
    made: tuple[Any, ...] = ()
    chosen_order: tuple[str, ...] = ()
    medium: str = ""
    game: str = ""
    clock: RecordedClock | None = None
    comments: Mapping[int, Comment] = field(default_factory=dict)
    notes: tuple[PlayerNote, ...] = ()
    work: int = 0


_FIELDS = frozenset(StateFields.__annotations__)


class State(StateFields):
    """The complete state of a game at one moment; its parameters are those of `StateFields`."""

    __reduce__, __copy__, __deepcopy__ = refuse_copying, itself, itself

    @_with_field_signature(StateFields)
    def replace(self, **changes: Any) -> State:
        """Return the state with some fields changed; much faster than `dataclasses.replace`."""
        new = object.__new__(State)
        values = new.__dict__
        values |= self.__dict__
        values |= changes
        if len(values) > len(_FIELDS):
            wrong = ", ".join(sorted(changes.keys() - _FIELDS))
            raise TypeError(f"the state has no {wrong}")
        return new

    @property
    def is_replay(self) -> bool:
        """Whether the game was played elsewhere, and its host acts for the record."""
        return self.medium == RECORD_MEDIUM

    def find(self, key: str, **case: Value) -> Finding:
        """Return the finding on a key such as “vote.quota” under the law in force, with the names in `case` bound."""
        return self.law.find(key, self, case)

    def read(self, key: str, **case: Value) -> Any:
        """Return the value that the law in force gives a key, with names bound; raise `Undecided` if it gives none.

        Raises
        ------
        Undecided
            Where it gives no answer.
        """
        return self.law.value_or_undecided(self.find(key, **case))

    @property
    def current_turn(self) -> Turn | None:
        """The current turn in which things happen now; None outside of turns."""
        for turn in self.turns:
            if turn.number == self.hand:
                return turn
        return None

    @property
    def open_proposals(self) -> tuple[Proposal, ...]:
        """The undecided proposals: in debate, under vote, or voted on without a result yet."""
        return tuple([proposal for number in self.unsettled if (proposal := self.proposals[number]).is_open])

    def proposal_numbered(self, number: RuleNumber | None) -> Proposal | None:
        """Return the proposal that has this number, or has a part with it; None if no proposal does."""
        proposal = self.proposals.get(number) if number is not None else None
        return proposal or next(
            (candidate for candidate in self.proposals.values() if number in candidate.numbers), None
        )

    @property
    def names_of_players(self) -> tuple[str, ...]:
        """The names of the players still in the game, both persons and dummies."""
        return tuple(name for name, player in self.players.items() if player.playing)

    @property
    def blocking_waits(self) -> tuple[WaitingFor, ...]:
        """The rolls and choices that play cannot continue without."""
        return tuple(waiting for waiting in self.waiting if not waiting.meanwhile) if self.waiting else ()

    @property
    def busy_turns(self) -> frozenset[int]:
        """The numbers of the turns held up by a vote, roll or choice; 0 represents play outside any turn."""
        voted_on = (proposal.turn for proposal in self.open_proposals if proposal.holds_up(proposal.turn))
        return frozenset((*voted_on, *(waiting.turn for waiting in self.blocking_waits)))

    @property
    def person_names(self) -> tuple[str, ...]:
        """The names of the players still in the game who are persons and not dummies."""
        players, names = _PERSONS[0]
        if players is not self.players:
            names = tuple(name for name, player in self.players.items() if player.playing and player.person)
            _PERSONS[0] = (self.players, names)
        return names

    @property
    def present_names(self) -> tuple[str, ...]:
        """The names of the persons not recorded as absent; all persons if everyone is absent."""
        return tuple(name for name in self.person_names if not self.players[name].absent) or self.person_names

    def players_who_must_agree(self, question: Question) -> tuple[str, ...]:
        """Return the players who must agree on a question's answer: those asked and present (all asked if none is)."""
        return tuple(name for name in question.who if not self.players[name].absent) or question.who

    @property
    def judgment_of_question(self) -> Judgment | None:
        """The judgment in which a Judge has to settle a question to the players; None without one."""
        if not self.docket:
            return None
        return next((judgment for judgment in self.live_judgments if judgment.held is not None), None)

    def poll_for(self, waiting: WaitingFor) -> Poll:
        """Return the poll to which an awaited choice belongs; an empty poll with the id 0 without one."""
        free = waiting.secret.free if waiting.secret else ""
        return self.polls.get(waiting.poll) or Poll(0, waiting.name, (), free=free)

    @property
    def live_judgments(self) -> tuple[Judgment, ...]:
        """The judgments that can still be decided, overruled or consented to."""
        return tuple([self.judgments[id] for id in self.docket]) if self.docket else ()

    @property
    def awaited_judgment(self) -> Judgment | None:
        """The judgment that play waits for; None without one."""
        if not self.docket:
            return None
        waits = (judgment for judgment in self.live_judgments if judgment.is_pending)
        return self.judgment_of_question or next(
            (judgment for judgment in waits if self.find("judge.play_waits", **judgment.law_case).says(True)), None
        )

    def with_player(self, player: Player) -> State:
        """Return the state with a player added, or replacing the one with the same name."""
        return self.replace(players={**self.players, player.name: player})

    def turn_of(self, name: str) -> Turn | None:
        """Return the current turn of a player; None without one."""
        return next((turn for turn in self.turns if turn.player == name), None)

    def canonical_json(self) -> str:
        """Return the state as JSON text that is equal for equal states."""
        plain = {name: value for name, value in _canonical_value(self).items() if name != "work"}
        return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True)

    def digest(self) -> str:
        """Return the SHA-256 of the state's canonical JSON, as hexadecimal digits."""
        return hashlib.sha256(self.canonical_json().encode()).hexdigest()


def state_of(view: View) -> State:
    """Return the game state of a view, through which expressions read."""
    state: State = view.state
    return state


#: The effect of an event on the state.
EventFold = Callable[[State, Event], State]


def fold_into(
    find: Callable[[State, Event], ThingType | None], put: Callable[[State, ThingType], State]
) -> Callable[[Callable[[ThingType, Event], ThingType]], EventFold]:
    """Return a decorator that makes an event handler for the state out of one that changes a single thing.

    Parameters
    ----------
    find : callable
        Finds the thing that an event is about; if none exists, the state stays as it is.
    put : callable
        Returns the state with that thing changed.
    """

    def of(change: Callable[[ThingType, Event], ThingType]) -> EventFold:
        def fold(state: State, event: Event) -> State:
            thing = find(state, event)
            return state if thing is None else put(state, change(thing, event))

        return fold

    return of


def _canonical_value(value: Any) -> Any:
    """Return a value from the state as plain data, equal for equal values, to be written as JSON."""
    if isinstance(value, Law):
        # A law is its book under its order; the book is written once, by its version.
        return {"book": value.book.version, "tiers": list(value.order.tiers), "by": list(value.order.by)}
    if isinstance(value, Effect | Clause):
        return value.words
    if isinstance(value, ThingRef):
        return value_to_json(value)
    if isinstance(value, RuleBook):
        rules = [
            [rule.id, rule.number, rule.title, rule.tier, rule.how, rule.event, rule.answers]
            + ([rule.scope, *rule.lifted] if rule.is_local else [])
            + (["guarded"] if rule.guarded else [])
            + [[part.wording, part.law, part.number, part.beside, part.repealed] for part in rule.parts]
            for rule in value
        ]
        gone = [[rule.id, rule.number] for rule in value.repealed]
        void = [[id, void.against, void.key, void.version] for id, void in sorted(value.void.items())]
        return {"rules": rules, "repealed": gone, "void": void, "version": value.version}
    if (plain := installed_extension().canonical_form(value)) is not None:
        return plain
    if is_dataclass(value) and not isinstance(value, type):
        return {
            attribute.name: _canonical_value(getattr(value, attribute.name))
            for attribute in fields(value)
            if not attribute.metadata  # what is only read off an event
        }
    if isinstance(value, Mapping):
        return [[_canonical_value(key), _canonical_value(item)] for key, item in value.items()]
    if isinstance(value, tuple | list | Agenda):
        return [_canonical_value(item) for item in value]
    return value_to_json(value)
