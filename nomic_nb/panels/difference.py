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
