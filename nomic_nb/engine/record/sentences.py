"""What happened, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from nomic_nb.engine.extension import extension
from nomic_nb.engine.play.declarations import KINDS
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.record.seals import NOTHING, SEALED, Seals, seals

#: Events that go without saying.
BY_THE_WAY = frozenset({"part_begun", "part_ended", "turn_ended", "obliged", "time_passed"})


def reasons(events: Iterable[Event]) -> Iterator[tuple[Event, str]]:
    """Yield the changes of counters, each with why: the clause, or what the table agreed on."""
    agreed = ""
    for event in events:
        if event.action:
            agreed = f"agreed by the table: {event.data['reason']}" if event.kind == "corrected" else ""
        if event.kind == "counted":
            yield event, event.cause.words if event.cause else agreed


def sentence(event: Event, sealed: Seals = NOTHING) -> str:
    """Say what an event was.

    Parameters
    ----------
    event : Event
        What happened.
    sealed : Seals
        What nobody may see yet.
    """
    if event.seq in sealed.after:
        held = str(sealed.after[event.seq])
        return f"not shown until {'' if held.startswith('question ') else 'the vote on '}{held} is closed"
    if event.seq in sealed.telling and event.kind in ("chosen", "polled"):
        return f"{event.actor} answers ({SEALED})" if event.kind == "chosen" else f"the answers are in ({SEALED})"
    if event.seq in sealed.telling and event.kind != "attempted":
        did = f"{event.actor} votes on" if event.kind == "balloted" else "the vote closes on"
        return f"{did} {event.data['number']} ({SEALED})"
    return KINDS[event.kind].told(event)


def data_shown(event: Event, sealed: Seals) -> dict[str, Any]:
    """Return the data of an event, without what nobody may see yet."""
    if event.seq in sealed.after:
        return {}
    data = dict(event.data) if event.kind != "attempted" else {"did": event.do, "details": dict(event.details)}
    if data.get("hidden"):  # what only the owner of an entry sees
        data = {name: value for name, value in data.items() if name not in _OWN}
    if event.seq not in sealed.telling:
        return data
    if event.kind == "attempted":
        return {"did": event.do, "details": {**event.details, "option" if event.do == "choose" else "ballot": SEALED}}
    shows = (
        "ballot", "votes_for", "votes_against", "votes_abstained", "votes_cast", "quota", "adopted",
        "option", "answers",
    )  # fmt: skip
    return {name: SEALED if name in shows else value for name, value in data.items()}


#: What of an event tells what a hidden table holds.
_OWN = frozenset(("amount", "now", "says", "exact", "tie", "start", "entries", "said"))


def goes_without_saying(event: Event) -> bool:
    """Tell whether a list of what happened last leaves an event out: it came by itself, or another tells it."""
    return event.kind in BY_THE_WAY or extension().goes_without_saying(event)


def latest(timeline: Timeline, count: int, since: int = 0) -> list[str]:
    """Return the last events in words, `count` at most, those after the event `since`; what goes without saying not."""
    sealed = seals(timeline)
    found: list[str] = []
    for event, _ in reversed(timeline.moments):
        if len(found) == count or event.seq <= since:
            break
        if not goes_without_saying(event) and event.seq not in sealed.after:
            found.append(sentence(event, sealed))
    return found[::-1]
