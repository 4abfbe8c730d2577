"""What happened, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from nomic_nb.engine.extension import installed_extension
from nomic_nb.engine.play.declarations import EVENT_KINDS
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.record.seals import NO_SEALS, SEALED_TEXT, Seals, current_seals

#: Events that go without saying.
IMPLIED_EVENTS = frozenset({"adopted", "part_begun", "part_ended", "turn_ended", "obliged", "time_passed"})


def counter_change_reasons(events: Iterable[Event]) -> Iterator[tuple[Event, str]]:
    """Yield each event that changed a counter, with its reason: a clause's text, the players' agreement or nothing."""
    agreed = ""
    for event in events:
        if event.is_action:
            agreed = f"agreed by the players: {event.data['reason']}" if event.kind == "corrected" else ""
        if event.kind == "counted":
            yield event, event.cause.words if event.cause else agreed


def sentence(event: Event, sealed: Seals = NO_SEALS) -> str:
    """Return the history sentence for an event, without anything that is still secret according to `sealed`.

    Parameters
    ----------
    event : Event
        The event.
    sealed : Seals
        Everything that nobody may see yet.
    """
    if event.seq in sealed.after:
        held = str(sealed.after[event.seq])
        return f"hidden until {'' if held.startswith('question ') else 'the vote on '}{held} closes"
    if event.seq in sealed.telling and event.kind in ("chosen", "polled"):
        return (
            f"{event.actor} answers ({SEALED_TEXT})"
            if event.kind == "chosen"
            else f"the answers are in ({SEALED_TEXT})"
        )
    if event.seq in sealed.telling and event.kind != "attempted":
        did = f"{event.actor} votes on" if event.kind == "balloted" else "voting closes on"
        return f"{did} {event.data['number']} ({SEALED_TEXT})"
    return EVENT_KINDS[event.kind].told(event)


def visible_data(event: Event, sealed: Seals) -> dict[str, Any]:
    """Return the data of an event; what nobody may see yet is left out, or replaced by the text “sealed”."""
    if event.seq in sealed.after:
        return {}
    data = dict(event.data) if event.kind != "attempted" else {"did": event.do, "details": dict(event.details)}
    if data.get("hidden"):  # what only the owner of an entry sees
        data = {name: value for name, value in data.items() if name not in _OWN_FIELDS}
    if event.seq not in sealed.telling:
        return data
    if event.kind == "attempted":
        return {
            "did": event.do,
            "details": {**event.details, "option" if event.do == "choose" else "ballot": SEALED_TEXT},
        }
    shows = (
        "ballot", "votes_for", "votes_against", "votes_abstained", "votes_cast", "quota", "adopted",
        "option", "answers",
    )  # fmt: skip
    return {name: SEALED_TEXT if name in shows else value for name, value in data.items()}


#: What of an event tells what a hidden table holds.
_OWN_FIELDS = frozenset(("amount", "now", "says", "exact", "tie", "start", "entries", "said"))


def is_omitted_from_history(event: Event) -> bool:
    """Tell whether short histories leave out an event because another event implies it."""
    return event.kind in IMPLIED_EVENTS or installed_extension().is_event_implied(event)


def latest_sentences(timeline: Timeline, count: int, since: int = 0) -> list[str]:
    """Return history sentences, oldest first, for the last events after number `since`, at most `count`."""
    sealed = current_seals(timeline)
    newest_first: list[str] = []
    for event, _ in reversed(timeline.moments):
        if len(newest_first) == count or event.seq <= since:
            break
        if not is_omitted_from_history(event) and event.seq not in sealed.after:
            newest_first.append(sentence(event, sealed))
    return newest_first[::-1]
