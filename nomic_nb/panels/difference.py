"""What changed from one picture to the next: ``[path, value]`` to put, ``[path]`` to take away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def difference(old: Mapping[str, Any], new: Mapping[str, Any], at: tuple[str, ...] = ()) -> Iterator[list[Any]]:
    """Yield the changes, short where mappings have stable keys; what is the same object is not looked at.

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


def patched(old: Any, changes: list[list[Any]]) -> Any:
    """Return a picture after changes, as a browser puts it together.

    Examples
    --------
    >>> patched({"a": {"x": 1}}, [[["a", "x"], 2], [["b"], 3]])
    {'a': {'x': 2}, 'b': 3}
    """
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
