"""Whether a text has certain letters: the small patterns that rules look for in the wording of changes."""

from __future__ import annotations

import re
from functools import lru_cache

#: What stands for letters in a pattern: one, any, or one of a few.
_TOKEN = re.compile(r"\*|\?|\[[^\[\]]+\]|.", re.DOTALL)


def _one_of(inside: str) -> str:
    """Return what stands in brackets, letters and stretches of the alphabet, as a regular expression."""
    parts = re.findall(r".-.|.", inside, re.DOTALL)
    if any(len(one) == 3 and one[0] > one[2] for one in parts):  # no stretch: it stands for itself
        return re.escape(f"[{inside}]")
    return f"[{''.join('-'.join(map(re.escape, (one[0], one[-1]))) for one in parts)}]"


@lru_cache(maxsize=512)
def _stretches(pattern: str) -> tuple[re.Pattern[str], ...]:
    """Return what stands between the ``*`` of a pattern: stretches of a fixed length, so that none is tried twice."""
    found = [""]
    for one in _TOKEN.findall(pattern):
        if one == "*":
            found.append("")
        elif one == "?":
            found[-1] += "."
        else:
            found[-1] += _one_of(one[1:-1]) if len(one) > 1 else re.escape(one)
    return tuple(re.compile(stretch, re.DOTALL) for stretch in found if stretch)


def has_letters(text: str, pattern: str) -> bool:
    """Tell whether a text has these letters somewhere; capitals do not count.

    Parameters
    ----------
    text : str
        What is looked through.
    pattern : str
        Letters as they stand, and ``?`` for any one, ``*`` for any number of any, ``[a-m]`` or ``[xyz]`` for one of
        these; ``[?]`` is a question mark.

    Examples
    --------
    >>> has_letters("Rule 104 is repealed.", "rule 1??"), has_letters("No Points now.", "n*points")
    (True, True)
    >>> has_letters("Why?", "[a-m]hy"), has_letters("Why?", "hy[?]"), has_letters("a[b", "a[b")
    (False, True, True)
    """
    text, at = text.casefold(), 0
    for stretch in _stretches(pattern.casefold()):
        found = stretch.search(text, at)
        if found is None:
            return False
        at = found.end()
    return True
