"""What rules put in place of the usual result of something: a win, a mate, a loss, an end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nomic_nb.law.values import Value
from nomic_nb.play.declaring import happens
from nomic_nb.play.engine import Engine
from nomic_nb.play.events import Cause, Event
from nomic_nb.play.state import State

#: What would have come, by the event that it would have been.
WOULD: Mapping[str, str] = {
    "won": "{whom} would have won", "mated": "army {whom} would be mated",
    "eliminated": "{whom} would be out of the game", "defeated": "{whom} would be defeated",
}  # fmt: skip


def replaced(
    engine: Engine, event: str, actor: str | None, whom: str, case: Mapping[str, Value],
    data: Mapping[str, Any] | None = None,
) -> bool:  # fmt: skip
    """Do what a rule puts in place of the usual result of something, where one does; tell whether it does.

    Parameters
    ----------
    engine : Engine
        At work.
    event : str
        What would happen.
    actor : str or None
        Whom it concerns.
    whom : str
        The same, as it is told.
    case : mapping of str to Value
        The names that the event binds.
    data : mapping, optional
        What else is recorded.

    Raises
    ------
    Undecided
        Rules of equal rank replace it, or one gives no answer.
    """
    sources = engine.law.instead_of(event, engine.state, case)
    if not sources:
        return False
    items = [engine.in_place_of(source, case) for source in sources]
    engine.cause = Cause.of(sources[0])
    engine.emit("replaced", actor, data=data, what=event, whom=whom, rule=sources[0].rule.number)
    engine.then(*(one for one in items if engine.goes(one.cause)))
    return True


def _told(event: Event) -> str:
    would = WOULD[event.data["what"]].format(whom=event.data["whom"])
    return f"{would}; rule {event.data['rule']} puts something else in place of it"


@happens("replaced", told=_told)
def _replaced(state: State, event: Event) -> State:
    """Let play go on where somebody would have won."""
    if event.data["what"] != "won":
        return state
    return state.but(averted=tuple(event.data["winners"]), stuck=False, first_unable=None)
