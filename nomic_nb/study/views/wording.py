"""Words and turns of phrase from which sentences about clauses are put together."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from nomic_nb.engine.law.values import Type

#: How many there are of something.
MANY = re.compile(r"how many ([\w-]+(?: in \w+)?) (?=\w)")


@cache
def wording(of: str) -> Mapping[str, Any]:
    """Return a table of ``wording.toml``."""
    import tomllib

    told: Mapping[str, Any] = tomllib.loads(Path(__file__).with_name("wording.toml").read_text(encoding="utf-8"))[of]
    return told


def before(meaning: str, marks: str = ",;:(") -> str:
    """Return what stands in a meaning before the first of these marks."""
    return re.split(f"[{marks}]", meaning)[0].strip()


def gist(meaning: str, name: str) -> str:
    """Return the first words of a meaning, as far as they name something; the name itself where they do not.

    Examples
    --------
    >>> gist("how many votes in favour adopt, counted by weight", "vote.quota")
    'the number of votes in favour that adopt'
    >>> gist("automatic, or at will", "turn.start")
    'the turn start'
    """
    found = before(meaning)
    if " " not in found or found.startswith(("whether", "when", "where", "for how")):
        return f"the {spaced(name)}"
    return MANY.sub(r"the number of \1 that ", found)


def spaced(name: str) -> str:
    """Return a name of the language with blanks in it."""
    return re.sub(r"[._]", " ", name)


def text(said: str) -> str:
    """Return a text in quotation marks."""
    return f"“{said}”"


def of(owner: str, thing: str) -> str:
    """Return what somebody has.

    Examples
    --------
    >>> of("the player", "points"), of("those who voted for the proposal", "points"), of("they", "points")
    ('the player’s points', 'the points of those who voted for the proposal', 'their points')
    """
    if owner == "they":
        return f"their {thing}"
    short = len(owner.split()) < 3 and len(thing.split()) < 3 and not owner.endswith("s") and owner != "what"
    return f"{owner}’s {thing}" if short else f"the {thing} of {owner}"


def whoever(said: str, kind: Type) -> str:
    """Return persons of whom it is said who they are, as they stand in a sentence."""
    if not said.startswith("who "):
        return said
    return f"{'whoever' if kind.name == 'list' else 'the one who'} {said.removeprefix('who ')}"


def there(said: str, *, is_there: bool) -> str:
    """Return that something is there, or is not.

    Examples
    --------
    >>> there("the rule to be changed", is_there=False), there("what stands on it", is_there=True)
    ('there is no rule to be changed', 'something stands on it')
    """
    for word, some, none in (
        ("what ", "something ", "nothing "), ("the one who ", "there is someone who ", "there is nobody who "),
        ("the ", "there is a ", "there is no "),
    ):  # fmt: skip
        if said.startswith(word):
            return f"{some if is_there else none}{said.removeprefix(word)}"
    return f"{said} is {'not ' if is_there else ''}none"


def negated(said: str, yes: bool, owner: str) -> str:
    """Return a sentence, or that it is not so."""
    if yes:
        return said
    if owner and said.startswith((f"{owner} is ", f"{owner} has ")):
        verb, _, rest = said.removeprefix(f"{owner} ").partition(" ")
        return f"{owner} {verb} not {rest}"
    return f"it is not so that {said}"
