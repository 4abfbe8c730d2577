"""What a panel does once it has shown what it knows, and nobody waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

#: Seconds until then: what was clicked meanwhile comes first.
SOON = 0.05


def later(work: Callable[[], object]) -> None:
    """Do something when the session has nothing else to do; at once, where nothing waits for its turn.

    It is done in the thread that asks for it, between two messages of the front end.

    Examples
    --------
    >>> later(lambda: print("done"))
    done
    """
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        work()
    else:
        loop.call_later(SOON, work)
