"""A view of a game: a page, or a widget in a notebook; and what is sent to it."""

from __future__ import annotations

import json
import weakref
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.notebook.panels.asking import Json


@dataclass(eq=False)
class Viewer:
    """A view that is open.

    Parameters
    ----------
    send : callable
        Takes a message to it; returns at once, and can be called in any thread.
    hand : str
        By which it acts, its kind first (``panel``, ``seat``): stays the same when a page is loaded again.
    seat : str or None
        Who sits there; None where all sit before it, or nobody does.
    role : str
        ``player``, ``table`` (all players decide there) or ``wall`` (which looks on).
    """

    send: Callable[[str], None]
    hand: str
    seat: str | None
    role: str
    table: Json | None = None
    mine: Json = field(default_factory=dict)
    step: int = -1
    #: The question whose answer takes longest; an earlier one is not answered any more.
    asking: str = ""
    #: Told after each picture: the step, and what is to be decided here first.
    told: Callable[[int, str], None] | None = None


def difference(old: Mapping[str, Any], new: Mapping[str, Any], at: tuple[str, ...] = ()) -> Iterator[list[Any]]:
    """Yield the changes from one picture to the next: ``[path, value]`` to put, ``[path]`` to take away.

    They are short where mappings have stable keys; what is the same object is not looked at.

    Examples
    --------
    >>> list(difference({"a": {"x": 1, "y": 2}}, {"a": {"x": 3}}))
    [[['a', 'y']], [['a', 'x'], 3]]
    """
    yield from ([[*at, key]] for key in old if key not in new)
    for key, value in new.items():
        if key not in old:
            yield [[*at, key], value]
            continue
        was = old[key]
        if was is value or was == value:
            continue
        if isinstance(was, dict) and isinstance(value, dict) and was and value:
            yield from difference(was, value, (*at, key))
        else:
            yield [[*at, key], value]


def compact(message: Json | list[list[Any]]) -> str:
    """Write a message."""
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False)


def listen(timeline: Timeline, hear: Callable[[], None]) -> Callable[[], None]:
    """Let a method hear whenever a table has changed, and return what the table calls; that keeps nothing alive."""
    known = weakref.WeakMethod(hear)

    def ear() -> None:
        if (method := known()) is not None:
            method()

    timeline.listeners.append(ear)
    return ear
