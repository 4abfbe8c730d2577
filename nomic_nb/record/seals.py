"""Sealed ballots, and answers that are given in secret: what nobody may see of a game yet.

A sealed ballot is shown once its vote is closed, an answer once all answers are in, in the play that
stands: an undoing that takes the close back seals it again. A game that parted from another in the
middle of a vote, or shows it as it stood, shows no ballot that the other one does not show. All that
hands out what happened, asks here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from nomic_nb.frozen import frozen
from nomic_nb.law.rules import Number
from nomic_nb.play.engine import Moment
from nomic_nb.play.events import Event
from nomic_nb.play.timeline import Timeline

#: What is shown of a sealed ballot before its vote closes.
SEALED = "sealed"


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
        The proposals whose vote, as things stand, is one of them.
    """

    votes: frozenset[int] = frozenset()
    telling: frozenset[int] = frozenset()
    after: Mapping[int, Number] = field(default_factory=dict)
    proposals: frozenset[Number] = frozenset()


#: The kinds of event that open what can be sealed, close it, and tell of it.
OPENS, CLOSES = ("vote_opened", "poll_opened"), ("vote_closed", "polled")
TELLS = ("balloted", "chosen", *CLOSES)


def _of(event: Event) -> Number:
    """Return the proposal that an event is about, or the poll, in words."""
    poll = event.data.get("poll")
    return event.data.get("number", "") if poll is None else f"question {poll}"


#: Where no ballot is sealed.
NOTHING = Seals()


def seals(timeline: Timeline) -> Seals:
    """Return what nobody may see yet of a game."""
    events = timeline.events
    opened = {event.seq for event in events if event.kind in OPENS and event.data["sealed"]}
    if not opened:
        return NOTHING
    telling, held = _votes_told(events)
    standing = {event.seq for event in timeline.standing}
    closes = {event.seq for event in events if event.kind in CLOSES and event.seq in telling}
    closed = {telling[seq] for seq in closes & standing}
    shared, other = _shared(timeline)
    votes = {one for one in opened if one not in closed or (one <= shared and one in other.votes)}
    after = {seq: number for seq, number in other.after.items() if seq <= shared}
    #: After each event, a vote that had been closed by then and is sealed again.
    taken_back: list[Number | None] = [None]
    for event in events:
        before = taken_back[event.data["to"] if event.kind == "undone" else event.seq - 1]
        if before is not None and event.seq not in standing:
            after[event.seq] = before
        taken_back.append(_of(event) if event.seq in closes and telling[event.seq] in votes else before)
    told = frozenset(seq for seq, vote in telling.items() if vote in votes)
    return Seals(frozenset(votes), told, after, frozenset(number for number, one in held.items() if one in votes))


def _votes_told(events: Sequence[Event]) -> tuple[dict[int, int], Mapping[Number, int]]:
    """Return of which sealed vote events tell, and the sealed votes that stand, by proposal."""
    telling: dict[int, int] = {}
    #: After each event, the sealed votes of the play that led to it.
    held: list[dict[Number, int]] = [{}]
    for event in events:
        now = held[event.data["to"] if event.kind == "undone" else -1]
        vote = None
        if event.kind in OPENS:
            now = {number: one for number, one in now.items() if number != _of(event)}
            now |= {_of(event): event.seq} if event.data["sealed"] else {}
        elif event.kind in TELLS:
            vote = now.get(_of(event))
        elif event.kind == "attempted" and event.do in ("vote", "choose"):
            vote = now.get(event.details.get("proposal", ""), max(now.values(), default=None))
        if vote is not None:
            telling[event.seq] = vote
        held.append(now)
    return telling, held[-1]


def _shared(timeline: Timeline) -> tuple[int, Seals]:
    """Return how many events a game shares with the one it parted from, and what is sealed there."""
    if timeline.origin is None:
        return 0, NOTHING
    return shared_by(timeline.moments, timeline.origin.moments), seals(timeline.origin)


def shared_by(one: Sequence[Moment], other: Sequence[Moment]) -> int:
    """Return how many moments two games have in common, from the beginning."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (own, its) in enumerate(pairs) if own[0] is not its[0]), min(len(one), len(other)))
