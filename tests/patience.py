"""What would otherwise never end is broken off."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def patience(seconds: int) -> Iterator[None]:
    """Break off what takes longer than so many seconds, where signals can do that."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def give_up(*_: object) -> None:
        raise AssertionError("it does not come to an end")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
