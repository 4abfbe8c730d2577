"""What would otherwise never end is broken off."""

from __future__ import annotations

import gc
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


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


def let_go(store: Path) -> None:
    """Wait until nobody has a store open: what is gone is not looked for while another thread does so."""
    with patience(60):
        while store.with_name(f"{store.name}-wal").exists():
            gc.collect()
            time.sleep(0.01)
