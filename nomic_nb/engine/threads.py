"""Threads, locks and timers. No other module uses `threading`, so a host without threads replaces only this one."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from threading import Event, Lock, RLock, Thread, Timer, get_ident, local

__all__ = ["Event", "Lock", "RLock", "Thread", "get_ident", "in_browser", "local", "start_thread", "start_timer"]


def in_browser() -> bool:
    """Tell whether Python runs in a web browser, which gives it no threads, processes or sockets."""
    return sys.platform == "emscripten"


def start_thread(work: Callable[[], object], name: str | None = None) -> Thread:
    """Run a function in a daemon thread, and return the thread."""
    thread = Thread(target=work, name=name, daemon=True)
    thread.start()
    return thread


def start_timer(work: Callable[[], object], seconds: float) -> None:
    """Run a function after some seconds, in a daemon thread; in a browser, between two messages."""
    if in_browser():
        asyncio.get_running_loop().call_later(seconds, work)
        return
    timer = Timer(seconds, work)
    timer.daemon = True
    timer.start()
