"""How often a property is tried: a few times in the suite, ten times as often by `EXAMPLES=10 pytest tests/engine`."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import settings

TIMES = int(os.environ.get("EXAMPLES", "1"))


def examples(count: int, **more: Any) -> settings:
    """Let hypothesis make so many examples, each of which may take its time."""
    return settings(max_examples=count * TIMES, deadline=None, **more)
