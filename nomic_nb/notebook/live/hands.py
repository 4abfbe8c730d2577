"""By which hand something is done, where it is neither a cell nor a script."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

#: ``panel``, ``seat`` for a page of its own, with which one behind it, or ``host`` for whoever keeps the record; and
#: the id of the message with which a page asked for it.
HAND: ContextVar[tuple[str, str]] = ContextVar("hand", default=("", ""))


@contextmanager
def by_hand(kind: str, message: str = "") -> Iterator[None]:
    """Let what is done here be by another hand: that of a panel, or of whoever keeps the record."""
    token = HAND.set((kind, message))
    try:
        yield
    finally:
        HAND.reset(token)
