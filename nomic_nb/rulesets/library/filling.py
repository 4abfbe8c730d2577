"""Ready-made rules that are text with places to fill in: a file of TOML for each subject.

A rule is a table under the name by which it is made, with ``about``, ``title``, ``wording``, ``law``, ``amends``
where it is made to amend a rule, and ``places``: what can be filled in, each with its ``default``, with ``about``
and ``what`` in words, and with what it takes: ``number = [least, most]``, ``text = most letters``,
``counter = true`` (a new word under which something is counted) or ``one_of = [words]``. In the texts ``{name}``
is what was filled in; of a number, ``{name:turn}`` is so many of something, ``{name:every turn}`` how often, and
``{name:ordinal}`` a place in a count.
"""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from nomic_nb.rulesets.library import making
from nomic_nb.rulesets.library.making import LibraryRule


class _Number(int):
    """A number that writes itself with its noun."""

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(int(self))
        if spec == "ordinal":
            return making.ordinal(self)
        often, _, noun = spec.rpartition("every ")
        return making.every(self, noun) if often or spec != noun else making.times(self, noun)


@dataclass(frozen=True)
class Place:
    """What can be filled in.

    Parameters
    ----------
    name, about, what : str
        The parameter; half a sentence on it; what it is called where it is refused.
    default : int or str
        What it is by itself.
    number : tuple of int, optional
        The least and the most that a number may be.
    text : int, optional
        The letters that a text may have.
    counter : bool
        Whether it is a new word under which something is counted.
    one_of : tuple of str
        The words it may be.
    """

    name: str
    about: str
    what: str
    default: int | str
    number: tuple[int, int] | None = None
    text: int | None = None
    counter: bool = False
    one_of: tuple[str, ...] = ()

    def take(self, given: Any) -> int | str:
        """Return what is filled in, as it stands in the rule.

        Raises
        ------
        ValueError
            It does not fit; the message says what would.
        """
        if self.number is not None:
            return _Number(making.whole(self.what, given, *self.number))
        if self.text is not None:
            return making.text(self.what, given, self.text)
        return making.counter(self.what, given) if self.counter else making.one_of(self.what, given, self.one_of)

    @property
    def takes(self) -> str:
        """What it takes, in words."""
        if self.number is not None:
            return f"from {self.number[0]} to {self.number[1]}"
        if self.text is not None:
            return f"at most {self.text} letters"
        return "a word that means nothing yet" if self.counter else f"one of {', '.join(self.one_of)}"


def _place(name: str, told: Mapping[str, Any]) -> Place:
    lists: Any = {field: tuple(value) if isinstance(value, list) else value for field, value in told.items()}
    return Place(name, **lists)


class ReadyMade:
    """A ready-made rule with places; called with what is filled in, it returns the rule.

    Parameters
    ----------
    name : str
        The name by which it is made.
    told : mapping
        Its table in the file.

    Examples
    --------
    >>> print(subject("points")["penalty_for"]("humming", 1))
    Penalty for humming
    Each time a player is reported for humming, that player loses 1 point. Anyone may report it.
        on deed when name == "humming": award -1 points to player
    >>> subject("points")["tax"](1)
    Traceback (most recent call last):
    ValueError: a count of points is a whole number from 2 to 1000; found 1
    """

    def __init__(self, name: str, told: Mapping[str, Any]) -> None:
        self.__name__ = name
        self.title, self.wording, self.law = (str(told[one]) for one in ("title", "wording", "law"))
        self.amends: str = told.get("amends", "")
        self.places = tuple(_place(one, place) for one, place in told.get("places", {}).items())
        self.__signature__ = inspect.Signature(
            [
                inspect.Parameter(
                    one.name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=one.default, annotation=type(one.default)
                )
                for one in self.places
            ],
            return_annotation=LibraryRule,
        )
        lines = [f"{one.name} : {type(one.default).__name__}\n    {one.about}; {one.takes}." for one in self.places]
        self.__doc__ = "\n".join([told["about"], *(["", "Parameters", "----------", *lines] if lines else [])])

    def __call__(self, *args: Any, **named: Any) -> LibraryRule:
        """Fill in, and return the rule."""
        bound = self.__signature__.bind(*args, **named)
        bound.apply_defaults()
        filled = {one.name: one.take(bound.arguments[one.name]) for one in self.places}
        title, wording, law = (one.format_map(filled) for one in (self.title, self.wording, self.law))
        return LibraryRule(title, wording, law, self.amends)


@cache
def subject(name: str) -> dict[str, ReadyMade]:
    """Return the ready-made rules of a subject by name, in the order of its file; none where it has no file."""
    file = files("nomic_nb.rulesets.library").joinpath(f"{name}.toml")
    told = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return {rule: ReadyMade(rule, one) for rule, one in told.items()}
