"""Ready-made rules that are text with places to fill in: a file of TOML for each subject.

A rule is a table under the name by which it is made, with ``about``, ``title``, ``wording``, ``law``, ``amends``
where it is made to amend a rule, and ``places``: what can be filled in, each with its ``default``, with ``about``
and ``what`` in words, and with what it takes:

- ``number = [least, most]``; where the most depends on another place, ``"of"`` or ``"sides - 1"``;
- ``text = most letters``, ``counter = true`` (a new word under which something is counted);
- ``one_of = [words]``, or a table of words, each with what it stands for in the texts;
- ``chess``: one of the names in `PLACES`, such as ``kind`` or ``square``.

In the texts ``{name}`` is what was filled in, and ``{name:word}`` a way of writing it (`WAYS`, `PLACES`): of a number,
``{name:turn}`` is so many of something, ``{name:die/dice}`` too, ``{name:every turn}`` how often; of one of several
words, ``{name:lot and so on}`` is what stands behind ``lot`` where that is the word, and nothing otherwise. What stands
there can itself have places to fill in.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from nomic_nb.engine.arguments import misfit
from nomic_nb.engine.errors import WrongArgument, WrongValue
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.words import plural, upper_first
from nomic_nb.study.library import making
from nomic_nb.study.library.chess import PLACES, Ways
from nomic_nb.study.library.making import LibraryRule

WAYS: Ways = {
    "those": lambda number, noun: noun if number == 1 else plural(number, noun),
    "single_turns": lambda number, _: making.single_turns(number),
    "ordinal": lambda number, _: making.ordinal(number),
    "every": making.every,
    "Every": lambda number, noun: upper_first(making.every(number, noun)),
    "plus": lambda number, more: number + int(more),
    "money": making.money,
    "if": lambda given, said: said if given else "",
    "unless_one": lambda number, said: "" if number == 1 else said,
    "repeat": lambda number, said: "; ".join([said] * number),
    "slug": lambda said, _: making.slug(said),
    "begun": lambda said, _: upper_first(said),
}


@frozen(eq=False)
class _Filled:
    """What was filled in, which writes itself in several ways."""

    given: int | str
    ways: Ways

    def __format__(self, spec: str) -> str:
        how, _, rest = spec.partition(" ")
        if how in self.ways:
            way = self.ways[how]
            return way if isinstance(way, str) else str(way(self.given, rest))
        return plural(self.given, *spec.split("/")) if isinstance(self.given, int) and spec else str(self.given)


@frozen(eq=False)
class Place:
    """What can be filled in.

    Parameters
    ----------
    name, about, what : str
        The parameter; half a sentence on it; what it is called where it is refused.
    default : int or str
        What it is by itself.
    number : tuple of (int, int or str), optional
        The least and the most that a number may be.
    text : int, optional
        The letters that a text may have.
    counter : bool
        Whether it is a new word under which something is counted.
    one_of : mapping of str to (mapping of str to str)
        The words it may be, each with what it stands for.
    chess : str
        What it is on boards.
    not_like : str
        The place that must have something else in it.
    """

    name: str
    about: str
    what: str
    default: int | str
    number: tuple[int, int | str] | None = None
    text: int | None = None
    counter: bool = False
    one_of: Mapping[str, Mapping[str, str]] | None = None
    chess: str = ""
    not_like: str = ""

    def take(self, given: Any, others: Mapping[str, Any]) -> _Filled:
        """Return what is filled in, as it stands in the rule.

        Parameters
        ----------
        given : int or str
            What is filled in here.
        others : mapping
            What is filled in everywhere.

        Raises
        ------
        ValueError
            It does not fit; the message says what would.
        """
        if self.number is not None:
            least, most = self.number
            if isinstance(most, str):
                other, _, less = most.partition(" - ")
                most = others[other] - int(less or 0) if isinstance(others[other], int) else least
            return _Filled(making.whole(self.what, given, least, most), WAYS)
        if self.one_of is not None:
            chosen = making.one_of(self.what, given, tuple(self.one_of))
            others_left_out = dict.fromkeys(self.one_of, "")
            return _Filled(given, {**others_left_out, chosen: lambda _, said: said, **self.one_of[chosen]})
        if self.not_like and given == others[self.not_like]:
            raise WrongValue(f"{self.what} has two different ends; found {given!r} twice")
        if self.chess:
            on_boards = PLACES[self.chess]
            return _Filled(on_boards.take(self.what, given), {**WAYS, **on_boards.ways})
        plain = making.text(self.what, given, self.text) if self.text else making.counter(self.what, given)
        return _Filled(plain, WAYS)

    @property
    def takes(self) -> str:
        """What it takes, in words."""
        if self.number is not None:
            return f"from {self.number[0]} to {self.number[1]}"
        if self.text is not None:
            return f"at most {self.text} letters"
        if self.one_of is not None:
            return f"one of {', '.join(self.one_of)}"
        return PLACES[self.chess].takes if self.chess else "a word that means nothing yet"


#: What a place takes: one of these is said of it.
TAKES = ("number", "text", "counter", "one_of", "chess")
#: What has to be said of a rule, and of a place; and what can be said besides.
OF_RULE = ({"about", "title", "wording", "law"}, {"amends", "places"})
OF_PLACE = ({"default", "about", "what"}, {*TAKES, "not_like"})


def _check(what: str, told: Mapping[str, Any], needed: set[str], more: set[str]) -> None:
    """Refuse what is not all there, or has what nothing reads."""
    if told.keys() - needed - more or needed - told.keys():
        found = f"it has {', '.join(told)}"
        raise TypeError(f"{what} needs {', '.join(sorted(needed))}, and can have {', '.join(sorted(more))}; {found}")


def _place(rule: str, name: str, told: Mapping[str, Any]) -> Place:
    what = f"the place {name} of the ready-made rule {rule}"
    _check(what, told, *OF_PLACE)
    if sum(one in told for one in TAKES) != 1 or told.get("chess", "") not in {"", *PLACES}:
        raise WrongArgument(f"{what} takes one of {', '.join(TAKES)}; of chess, one of {', '.join(PLACES)}")
    words, number = told.get("one_of"), told.get("number")
    lists = {"one_of": {word: {} for word in words} if isinstance(words, list) else words}
    return Place(name, **{**told, **lists, "number": number and tuple(number)})


class ReadyMade:
    """A ready-made rule with places; called with what is filled in, it returns the rule.

    Parameters
    ----------
    name : str
        The name by which it is made.
    told : mapping
        Its table in the file.

    Raises
    ------
    TypeError
        The table lacks something, or has what nothing reads; the message says what belongs there.

    Examples
    --------
    >>> print(subject("points")["penalty_for"]("humming", 1))
    Penalty for humming
    Each time a player is reported for humming, that player loses 1 point. Anyone may report it.
        on deed when name == "humming": award -1 points to player
    >>> subject("points")["tax"](1)
    Traceback (most recent call last):
    nomic_nb.engine.errors.WrongValue: the number of points is a whole number from 2 to 1000; found 1
    """

    def __init__(self, name: str, told: Mapping[str, Any]) -> None:
        self.__name__ = name
        _check(f"the ready-made rule {name}", told, *OF_RULE)
        self.title, self.wording, self.law = (str(told[one]) for one in ("title", "wording", "law"))
        self.amends: str = told.get("amends", "")
        self.places = tuple(_place(name, one, place) for one, place in told.get("places", {}).items())
        texts = self.title + self.wording + self.law
        if idle := [one.name for one in self.places if f"{{{one.name}" not in texts]:
            raise TypeError(f"no text of the ready-made rule {name} has the places {', '.join(idle)}")
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
        try:
            bound = self.__signature__.bind(*args, **named)
        except TypeError:
            raise WrongArgument(misfit(self, args, named)) from None
        bound.apply_defaults()
        filled = {one.name: one.take(bound.arguments[one.name], bound.arguments) for one in self.places}
        try:
            title, wording, law = (one.format_map(filled) for one in (self.title, self.wording, self.law))
        except KeyError as error:
            raise WrongArgument(f"the ready-made rule {self.__name__} has no place {error.args[0]}") from None
        return LibraryRule(title, wording, law, self.amends)


@cache
def subject(name: str) -> dict[str, ReadyMade]:
    """Return the ready-made rules of a subject by name, in the order of its file."""
    import tomllib

    told = tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8"))
    return {rule: ReadyMade(rule, one) for rule, one in told.items()}
