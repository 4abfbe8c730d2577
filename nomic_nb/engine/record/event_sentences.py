"""What happened, in words."""

from __future__ import annotations

from nomic_nb.engine.extension import installed_extension
from nomic_nb.engine.play.declarations import EVENT_KINDS
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.record.seals import NO_SEALS, SEALED_TEXT, Seals

#: Events that go without saying.
IMPLIED_EVENTS = frozenset({"adopted", "part_begun", "part_ended", "turn_ended", "obliged", "time_passed"})


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
    if event.seq not in sealed.telling or event.kind == "attempted":
        return EVENT_KINDS[event.kind].told(event)
    if event.kind == "chosen":
        return f"{event.actor} answers ({SEALED_TEXT})"
    if event.kind == "polled":
        return f"the answers are in ({SEALED_TEXT})"
    did = f"{event.actor} votes on" if event.kind == "balloted" else "voting closes on"
    return f"{did} {event.data['number']} ({SEALED_TEXT})"


def is_omitted_from_history(event: Event) -> bool:
    """Tell whether short histories leave out an event because another event implies it."""
    return event.kind in IMPLIED_EVENTS or installed_extension().is_event_implied(event)
