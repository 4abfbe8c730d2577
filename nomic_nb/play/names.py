"""Names of players: each can be told from every other on a page, and from the words of the kit."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from nomic_nb.law.changes import check_text
from nomic_nb.law.likeness import likeness
from nomic_nb.law.values import LONGEST_TEXT

LONGEST_NAME = 40
#: What stands where a name could stand, when nobody in particular is meant.
NO_NAMES = frozenset({
    "nobody", "none", "nothing", "anyone", "anybody", "someone", "somebody", "everyone", "everybody", "the game",
    "the table",
})  # fmt: skip


def check_names(names: Iterable[str]) -> None:
    """Refuse names of players that cannot be told apart, or cannot be told from other words.

    Raises
    ------
    LawError
        A character that cannot be seen.
    ValueError
        With the name, and what is wrong with it.
    """
    seen: dict[str, str] = {}
    names = list(names)
    for name in names:
        _check(name)
        other = seen.get(likeness(name))
        if other == name:
            raise ValueError(f"every player has a name of their own; found {', '.join(names)}")
        if other is not None:
            raise ValueError(f"{other!r} and {name!r} look the same; a player's name can be told from all others")
        seen[likeness(name)] = name
    for name in names:
        parts = re.split(r"\s(?:and|&)\s", name)
        if len(parts) > 1 and any(likeness(part) in seen for part in parts):
            raise ValueError(f"{name!r} reads like several players, as {parts[0]!r} or another part of it is one")


def _check(name: str) -> None:
    if not isinstance(name, str) or not name.strip() or name != name.strip():
        raise ValueError(f"a player's name is a text without blanks around it; found {name!r}")
    if len(name) > min(LONGEST_NAME, LONGEST_TEXT) or any(one in name for one in '"\n\t'):
        raise ValueError(
            f"a name has at most {LONGEST_NAME} letters on one line, no tab and no quotation mark; found {name[:60]!r}"
        )
    check_text("name", name, LONGEST_NAME)
    shown = likeness(name)
    if all(unicodedata.category(letter)[0] in "MZ" for letter in shown):
        raise ValueError(f"a name shows something; found {name!r}")
    if any(comma in shown for comma in ",،、"):
        raise ValueError(f"a name has no comma: {name!r} reads like several players")
    if shown.casefold() in NO_NAMES or likeness(name.casefold()) in {likeness(one) for one in NO_NAMES}:
        raise ValueError(f"{name!r} is what is said of nobody in particular, and not a player's name")
