"""Threads, locks and timers. No other module uses `threading`, so a host without threads replaces only this one."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Lock, RLock, Thread, Timer, get_ident, local

__all__ = ["Event", "Lock", "RLock", "Thread", "get_ident", "local", "start_thread", "start_timer"]


def start_thread(work: Callable[[], object], name: str | None = None) -> Thread:
    """Do something in a thread of its own, which keeps no program from ending, and return the thread."""
    thread = Thread(target=work, name=name, daemon=True)
    thread.start()
    return thread


def start_timer(work: Callable[[], object], seconds: float) -> None:
    """Do something in a while, in a thread that keeps no program from ending."""
    timer = Timer(seconds, work)
    timer.daemon = True
    timer.start()
