"""Effects as forms: one declaration says how an effect is written, what its places take, and what it does.

The grammar, the check before a vote, the lists of words and the page of documentation are made from it. Law itself
declares no effect; whoever uses it hands the forms over in a `Vocabulary`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from functools import cached_property
from typing import Any, Protocol

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.nodes import Expression
from nomic_nb.engine.law.traits import Traited


class Slot(Protocol):
    """What stands in a place of a form."""

    @property
    def symbol(self) -> str:
        """What the grammar calls it."""

    def read(self, name: str, reader: Any, tree: Any) -> Mapping[str, Any]:
        """Return what stands there, by the names under which the effect has it."""

    def check(self, value: Any, checker: Any) -> Any:
        """Refuse what does not fit; return the names that the next effect sees."""


@frozen(eq=False)
class Form(Traited):
    """How an effect is written and what it does.

    Parameters
    ----------
    name : str
        What it is called.
    pattern : str
        How it is written: words, ``{places}``, ``one|another`` and ``[what may be left out]``.
    meaning : str
        For players, half a sentence.
    example : str
        One that can be read.
    makes : tuple of str
        The kinds of event that it makes, so that circles can be seen before they run.
    by : tuple of str
        Who may order it besides a rule.
    places : mapping of str to Place
        What its places take.
    perform : callable
        What it does; law never calls it.
    costs : int
        How many of the effects that one action may set off it is; what only holds others is none.
    aloud : str
        The pattern in words that read well, where its own do not.
    needs : tuple of str
        Names of the case that it uses without having them in a place.
    traits : str
        What is known of it: names of a `Trait`, in one text.
    """

    name: str
    pattern: str
    meaning: str
    example: str
    makes: tuple[str, ...]
    by: tuple[str, ...]
    places: Mapping[str, Slot]
    perform: Callable[..., Any]
    costs: int
    aloud: str
    needs: tuple[str, ...] = ()
    traits: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the grammar in it."""
        return _pattern_words(self.pattern)

    @property
    def begins(self) -> tuple[str, ...]:
        """The words before its first place."""
        return _pattern_words(self.pattern.partition("{")[0])

    @property
    def between(self) -> tuple[str, ...]:
        """Those of them that end an expression; so no name can be one of them."""
        return _pattern_words(self.pattern.partition("}")[2])

    @property
    def grammar(self) -> str:
        """Its case of `effect` in the grammar, and its rules: what may be left out begins one, so that cases add up."""
        parts = re.findall(r"\{\w+\}|[\w|]+|\S", self.pattern)
        first, *pieces = re.split(r" (?=\[)", " ".join(map(self._grammar_symbol, parts)))
        names = [f"_{self.name}_{at}" for at in range(1, len(pieces) + 1)] + [""]
        rules = (f"\n{name}: {piece} {rest}" for name, piece, rest in zip(names, pieces, names[1:], strict=False))
        return f"{first} {names[0]} -> effect_{self.name}" + "".join(rules)

    def _grammar_symbol(self, part: str) -> str:
        if part.startswith("{"):
            return self.places[part[1:-1]].symbol
        if "|" in part:
            return f"({' | '.join(map(terminal_name, part.split('|')))})"
        return terminal_name(part) if part.isalpha() else part if part in "[]" else f'"{part}"'

    @property
    def written(self) -> str:
        """How it is written, for people: places in capitals."""
        return re.sub(
            r"\{(\w+)\}", lambda found: getattr(self.places[found[1]], "said", found[1].upper()), self.pattern
        )


def _pattern_words(pattern: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[a-z]+", re.sub(r"\{\w+\}", " ", pattern)))


def terminal_name(word: str) -> str:
    """Return what the grammar calls a word that it leaves out of the tree."""
    return f"_{word.upper()}"


def declare_effect(
    forms: list[Form],
    pattern: str,
    *,
    example: str,
    makes: str = "",
    ordered_by: str = "",
    costs: int = 1,
    aloud: str = "",
    needs: str = "",
    traits: str = "",
    **places: Slot,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:  # fmt: skip
    """Declare an effect: the function that it decorates is what it does, and says in its first line what that is.

    Parameters
    ----------
    forms : list of Form
        Where it is put.
    pattern, example, **places
        As in `Form`.
    makes, ordered_by : str
        Its `makes` and `by`, in one text each.
    costs : int
        As in `Form`.
    aloud, needs : str
        As in `Form`, names in one text.
    traits : str
        As in `Form`.

    Raises
    ------
    TypeError
        The pattern has a place of which nothing is said, or lacks one, or there is no docstring.
    """

    def decorate(perform: Callable[..., Any]) -> Callable[..., Any]:
        name, kinds, by = perform.__name__.strip("_"), tuple(makes.split()), tuple(ordered_by.split())
        wanted = re.findall(r"\{(\w+)\}", pattern)
        for one in sorted({*wanted} ^ {*places}):
            said = f"has no {{{one}}} in its pattern" if one in places else f"does not say what {{{one}}} takes"
            raise TypeError(f"{describe_function(perform)} {said}: {pattern}")
        meaning, names = docstring_meaning(perform), tuple(needs.split())
        forms.append(Form(name, pattern, meaning, example, kinds, by, places, perform, costs, aloud, names, traits))
        return perform

    return decorate


def describe_function(perform: Callable[..., Any]) -> str:
    """Say which function it is that something is declared above."""
    return f"{perform.__name__} in {perform.__module__}"


def docstring_meaning(perform: Callable[..., Any]) -> str:
    """Return what the first line of a docstring says, as half a sentence.

    Raises
    ------
    TypeError
        There is none.
    """
    meaning = inspect.cleandoc(perform.__doc__ or "").partition("\n")[0].rstrip(".")
    if not meaning:
        raise TypeError(f"{describe_function(perform)} has no docstring; its first line is what players read")
    return meaning[0].lower() + meaning[1:]


@frozen
class Effect:
    """Something that a trigger does: a form with its places filled.

    Parameters
    ----------
    form : Form
        What it is.
    words : str
        How it was written.
    at : int
        Where it begins in its clause, counted from 0.
    places : tuple of (str, object)
        What stands in its places: expressions, words, an effect; each can be had as a field.
    """

    form: Form
    words: str
    at: int = field(compare=False)
    places: tuple[tuple[str, Any], ...]

    def __getattr__(self, name: str) -> Any:
        for one, value in object.__getattribute__(self, "places"):
            if one == name:
                return value
        raise AttributeError(f"the effect {self.form.name} has no place {name}")

    @property
    def _parts_with_slots(self) -> list[tuple[str, Any]]:
        """What it holds, one thing after another, each with its place."""
        return [(name, one) for name, each in self.places for one in (each if isinstance(each, tuple) else (each,))]

    @cached_property
    def expressions(self) -> tuple[Expression, ...]:
        """The expressions in it, not those of an effect inside."""
        return tuple([one for _, one in self._parts_with_slots if isinstance(one, Expression)])

    @property
    def inner(self) -> tuple[Effect, ...]:
        """The effects that stand in its places."""
        return tuple([one for _, one in self._parts_with_slots if isinstance(one, Effect)])

    @cached_property
    def every(self) -> tuple[Effect, ...]:
        """It, and the effects inside."""
        return (self, *[two for one in self.inner for two in one.every])

    def at_once(self) -> Iterator[Effect]:
        """Yield it, and what inside is done with it whatever is so: neither on a condition, nor later."""
        yield self
        if getattr(self, "condition", None) is None:
            for name, one in self._parts_with_slots:
                if isinstance(one, Effect) and not getattr(self.form.places.get(name), "later", False):
                    yield from one.at_once()
