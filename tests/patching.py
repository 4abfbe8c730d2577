"""What a browser makes of a picture and of what changed in it."""

from __future__ import annotations

from typing import Any


def patched(old: Any, changes: list[list[Any]]) -> Any:
    """Return a picture after changes, as a browser puts it together."""
    made = dict(old)
    for path, *value in changes:
        inner = made
        for name in path[:-1]:
            inner[name] = dict(inner.get(name, {}))
            inner = inner[name]
        if value:
            inner[path[-1]] = value[0]
        else:
            del inner[path[-1]]
    return made
