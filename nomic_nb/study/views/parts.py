"""Parts of a view that are made once, for as long as what they are made of is the same."""

from __future__ import annotations

from collections.abc import Callable
from operator import is_
from typing import Any

from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.prefix_cache import PrefixCache


class ReusedParts:
    """Keeps parts of a view with the objects that they were made of: states share what did not change."""

    def __init__(self) -> None:
        self._parts: dict[object, tuple[tuple[object, ...], Any]] = {}

    def _reuse_part(self, name: object, make: Callable[[], Any], *basis: object) -> Any:
        """Return the part kept under a name, made again by `make` if any `basis` object is another than before."""
        known = self._parts.get(name)
        if known is None or not all(map(is_, known[0], basis)):
            known = self._parts[name] = basis, make()
        return known[1]


class LastUndoing(PrefixCache[int]):
    """The last undoing."""

    def next_value(self, before: int, event: Event) -> int:
        """Return the number of the last undo event: this event's if it is one, otherwise `before`."""
        return event.seq if event.kind == "undone" else before
