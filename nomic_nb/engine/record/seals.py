"""Sealed ballots, and answers that are given in secret: what nobody may see of a game yet.

A sealed ballot is shown once its vote is closed, an answer once all answers are in, in the play that
stands: an undoing that takes the close back seals it again. A game that parted from another in the
middle of a vote, or shows it as it was, shows no ballot that the other one does not show. All that
hands out what happened, asks here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import field
from operator import is_
from typing import NamedTuple
from weakref import WeakKeyDictionary

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.play.engine import Moment
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.prefix_cache import PrefixCache
from nomic_nb.engine.play.timeline import Timeline

#: What is shown of a sealed ballot before its vote closes.
SEALED_TEXT = "sealed"


@frozen
class Seals:
    """What nobody may see yet.

    Parameters
    ----------
    votes : frozenset of int
        The votes, and what is asked in secret, by the number of the event that opened them.
    telling : frozenset of int
        The events that tell of their ballots: those cast, or meant to be, and the count.
    after : mapping of int to int or str
        The events that followed from a close that was taken back, with the proposal, or the poll in words; they
        would tell the outcome.
    proposals : frozenset of int or str
        The proposals whose vote, as things are now, is one of them.
    """

    votes: frozenset[int] = frozenset()
    telling: frozenset[int] = frozenset()
    after: Mapping[int, Number] = field(default_factory=dict)
    proposals: frozenset[Number] = frozenset()


#: The kinds of event that open what can be sealed, close it, and tell of it.
OPENS, CLOSES = ("vote_opened", "poll_opened"), ("vote_closed", "polled")
TELLING_EVENTS = ("balloted", "voted_for_other", "chosen", *CLOSES)


def _subject_of_vote(event: Event) -> Number:
    """Return what an event's vote is on: a proposal's number, or a text such as “question 3” for a poll."""
    poll = event.data.get("poll")
    return event.data.get("number", "") if poll is None else f"question {poll}"


#: If no ballot is sealed.
NO_SEALS = Seals()


class _SealsAfter(NamedTuple):
    """What is known after an event: the sealed votes of the play that led to it, by proposal, and all not closed."""

    held: Mapping[Number, int]
    votes: frozenset[int]


class _TellingEvents(PrefixCache[_SealsAfter]):
    """Which events tell of which sealed vote."""

    def __init__(self) -> None:
        super().__init__(_SealsAfter({}, frozenset()))
        #: The sealed votes, by the events that opened them, with their proposals.
        self.opened: dict[int, Number] = {}
        #: By vote, the events that tell of it, and those of them that close it.
        self.telling: dict[int, list[int]] = defaultdict(list)
        self.closes: dict[int, list[int]] = defaultdict(list)
        #: By which events it was found last, and what.
        self.last: tuple[list[Event], Seals] = [], NO_SEALS

    def forget_after(self, at: int) -> None:
        """Forget what is known about the events after number `at`, because other events replace them."""
        super().forget_after(at)
        self.opened = {vote: number for vote, number in self.opened.items() if vote <= at}
        for by_vote in (self.telling, self.closes):
            for vote, seqs in by_vote.items():
                by_vote[vote] = [seq for seq in seqs if seq <= at]

    def next_value(self, before: _SealsAfter, event: Event) -> _SealsAfter:
        """Note whether an event reveals something of a sealed vote; return the votes that are sealed after it."""
        held, votes = before
        if event.kind == "undone":
            to = event.data["to"]
            return _SealsAfter(
                self.known[to - 1][1].held,
                self.known[to - 1][1].votes | {opened_seq for opened_seq in self.opened if opened_seq > to},
            )
        vote = None
        if event.kind in OPENS:
            sealed = event.data["sealed"]
            if sealed or _subject_of_vote(event) in held:
                held = {number: vote_seq for number, vote_seq in held.items() if number != _subject_of_vote(event)}
            if sealed:
                held, votes = {**held, _subject_of_vote(event): event.seq}, votes | {event.seq}
                self.opened[event.seq] = _subject_of_vote(event)
        elif event.kind in TELLING_EVENTS:
            vote = held.get(_subject_of_vote(event))
        elif event.kind == "attempted" and event.do in ("vote", "vote_for_other", "choose"):
            vote = held.get(event.details.get("proposal", ""), max(held.values(), default=None))
        if vote is not None:
            self.telling[vote].append(event.seq)
            if event.kind in CLOSES:
                self.closes[vote].append(event.seq)
                votes -= {vote}
        return _SealsAfter(held, votes)


_TELLING: WeakKeyDictionary[Timeline, _TellingEvents] = WeakKeyDictionary()


def current_seals(timeline: Timeline) -> Seals:
    """Return what nobody may see yet in a game: its sealed votes, and the events that would reveal them."""
    told = _TELLING.setdefault(timeline, _TellingEvents())
    held, votes = told.value_after(timeline.moments)
    if not told.opened:
        return NO_SEALS
    heads = [ancestor.moments[-1][0] for ancestor in _ancestors(timeline)]
    if len(heads) == len(told.last[0]) and all(map(is_, heads, told.last[0])):
        return told.last[1]
    shared, other = _shared_with_parent(timeline)
    votes |= {vote for vote in other.votes if vote in told.opened and vote <= shared}
    after = {seq: number for seq, number in other.after.items() if seq <= shared}
    if any(told.closes.get(vote) for vote in votes):
        after |= _undone_events_after_closes(timeline, told, votes)
    telling = frozenset(seq for vote in votes for seq in told.telling.get(vote, ()))
    proposals = frozenset(told.opened[vote] for vote in votes if held.get(told.opened[vote]) == vote)
    told.last = heads, Seals(votes, telling, after, proposals)
    return told.last[1]


def describe_readable_secrets(timeline: Timeline) -> str:
    """Return a warning about secrets that a saved record holds in plain text; an empty string if none exist.

    It cannot be left out: with it, the game continues where it was saved, and the record can be checked.
    """
    seals = current_seals(timeline)
    about = sorted(
        {str(_TELLING[timeline].opened[vote]) for vote in seals.votes if _TELLING[timeline].telling.get(vote)}
    )
    sentences = [f"sealed answers ({', '.join(about[:6])}{' …' if len(about) > 6 else ''})"] if about else []
    hides = any(map(timeline.state.law.is_table_hidden, timeline.state.tables))
    sentences += ["hidden numbers"] if hides and any(event.data.get("hidden") for event, _ in timeline.moments) else []
    if not sentences:
        return ""
    return f"The record has {' and '.join(sentences)} in plain text. Don’t show it to anyone who mustn’t see them yet."


def _ancestors(timeline: Timeline | None) -> Iterator[Timeline]:
    """Yield a game, the game that it branched from, and so on; nothing for None."""
    while timeline is not None:
        yield timeline
        timeline = timeline.origin


def _undone_events_after_closes(timeline: Timeline, told: _TellingEvents, votes: Set[int]) -> dict[int, Number]:
    """Return the number of each undone event that followed the closing of one of `votes`, with that vote's subject."""
    withdrawn = {}
    standing = {event.seq for event in timeline.events_backwards()}
    closes = {seq: told.opened[vote] for vote in votes for seq in told.closes.get(vote, ())}
    #: After each event, a vote that had been closed by then and is sealed again.
    taken_back: list[Number | None] = [None]
    for event, _ in timeline.moments:
        before = taken_back[event.data["to"] if event.kind == "undone" else event.seq - 1]
        if before is not None and event.seq not in standing:
            withdrawn[event.seq] = before
        taken_back.append(closes.get(event.seq, before))
    return withdrawn


def _shared_with_parent(timeline: Timeline) -> tuple[int, Seals]:
    """Return how many events a branch shares with its parent game, and that game's seals; 0 and none if no branch."""
    if timeline.origin is None:
        return 0, NO_SEALS
    return count_shared_moments(timeline.moments, timeline.origin.moments), current_seals(timeline.origin)


def count_shared_moments(one: Sequence[Moment], other: Sequence[Moment]) -> int:
    """Return how many first moments (pairs of event and state) two games, or branches of one, have in common."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (own, its) in enumerate(pairs) if own[0] is not its[0]), min(len(one), len(other)))
