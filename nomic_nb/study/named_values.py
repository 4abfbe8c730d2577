"""Values by name, in which a name that does not exist is refused with those that do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn, TypeVar

from nomic_nb.engine.errors import NotThere
from nomic_nb.engine.words import join_words

_Value = TypeVar("_Value")
#: Names that a refusal lists.
_MOST_NAMES = 8


def missing_name_error(name: object, known: Iterable[object]) -> NotThere:
    """Return the error that there is no such name, with the first of those that there are.

    Examples
    --------
    >>> missing_name_error("Zed", ["Ann", "Ben"])
    NotThere('“Zed” isn’t here; there are Ann and Ben')
    """
    names = list(map(str, known))
    more = [*names[:_MOST_NAMES], *([f"{len(names) - _MOST_NAMES} more"] if len(names) > _MOST_NAMES else [])]
    there = join_words(more) if names else "no entries yet"
    return NotThere("name-not-here", "“{name}” isn’t here; there are {known}", name=str(name)[:40], known=there)


class NamedValues(dict[str, _Value]):
    """A dict in which a missing name is refused with a sentence.

    Examples
    --------
    >>> NamedValues(white="Ann")["yellow"]
    Traceback (most recent call last):
    nomic_nb.engine.errors.NotThere: “yellow” isn’t here; there are white
    """

    def __missing__(self, name: str) -> NoReturn:
        raise missing_name_error(name, self)
