"""The values that the law language speaks of, and their types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.confusables import spoken_form
from nomic_nb.engine.messages import say

#: What an expression may yield. Lists are tuples, so that no value can be changed.
Number: TypeAlias = int | Fraction
Value: TypeAlias = "bool | int | Fraction | str | ThingRef | tuple[Value, ...] | None"
#: What the names stand for that are bound: the case in which the law is asked.
CaseNames: TypeAlias = "Mapping[str, Value]"
#: Numbers stay within this bound after every operation (numerator and denominator).
LARGEST = 10**12
#: No text in an expression is longer.
LONGEST_TEXT = 80
#: No list is longer.
LONGEST_LIST = 10_000


class ThingRef(NamedTuple):
    """Something that the law can point at: a player, a rule, a proposal.

    It is a name and not the thing itself, so that it stays true when the thing changes and can be
    written into a record.
    """

    kind: str
    id: int | str


#: Stands for what only its owner sees, wherever it is shown.
HIDDEN_NUMBER = ThingRef("hidden", "a hidden number")


class HeardText(str):
    """Words that were said or reported: compared as people hear them.

    Capitals, blanks around it, an end stop, and letters of other alphabets that look the same do not count where the
    law compares them; the text itself stays as it is.
    """

    __slots__ = ()

    @property
    def plain(self) -> str:
        """It without capitals, and without blanks around it, in its own letters."""
        return " ".join(self.casefold().split())

    @property
    def folded(self) -> str:
        """What is compared."""
        return spoken_form(str(self)).removesuffix(".").rstrip()

    def sounds_like(self, other: object) -> bool:
        """Tell whether a text comes to the same.

        Examples
        --------
        >>> HeardText("hear me.").sounds_like("Hear me"), HeardText("hear me") == "Hear me"
        (True, False)
        """
        return isinstance(other, str) and self.folded == HeardText(other).folded


@frozen
class Type:
    """The type of an expression.

    Parameters
    ----------
    name : str
        ``truth``, ``number``, ``text``, ``list``, ``none``, ``nothing`` (element of an empty list) or
        the name of a record.
    item : Type, optional
        What a list holds.
    maybe : bool
        Whether the value may be ``none``.
    words : tuple of str or str
        The texts that it can be, where they are known, or of what they are the names: ``counter``, ``numbers`` (tables
        of them) or ``key``. It is no other type for that.
    about : Type, optional
        Of a poll, what an answer is.
    """

    name: str
    item: Type | None = None
    maybe: bool = False
    words: tuple[str, ...] | str = field(default=(), compare=False)
    about: Type | None = field(default=None, compare=False)

    def __str__(self) -> str:
        said = f"list of {self.item.many}" if self.item else self.name
        return f"{said} or none" if self.maybe and self.name != "none" else said

    @property
    def one(self) -> str:
        """It with its article: ``an army``, ``a list of players``."""
        return with_article(str(self))

    @property
    def many(self) -> str:
        """Several of it: ``armies``, ``lists of numbers``."""
        if self.item:
            return f"lists of {self.item.many}"
        several = f"{self.name[:-1]}ies" if self.name.endswith("y") else f"{self.name}s"
        several = self.name if self.name in ("nothing", "none") else several
        return f"{several} or none" if self.maybe and self.name != "none" else several


def with_article(word: str) -> str:
    """Return a word behind ``a`` or ``an``.

    Examples
    --------
    >>> with_article("immutable"), with_article("mutable")
    ('an immutable', 'a mutable')
    """
    return f"{'an' if word[:1].lower() in 'aeiou' else 'a'} {word}"


TRUTH = Type("truth")
NUMBER = Type("number")
TEXT = Type("text")
NONE = Type("none", maybe=True)
NOTHING = Type("nothing")


def list_type(item: Type) -> Type:
    """Return the type of a list of `item`."""
    return Type("list", item)


def text_type(kind: Type, words: tuple[str, ...] | str) -> Type:
    """Return a type of texts, or of lists of them, that can be these alone."""
    return replace(kind, item=text_type(kind.item, words)) if kind.item else replace(kind, words=words)


def optional_type(kind: Type) -> Type:
    """Return `kind`, or none."""
    return Type(kind.name, kind.item, maybe=True)


#: What a type is called whose values are no things that the law points at.
PLAIN_KINDS = frozenset(("truth", "number", "text", "list", "none", "nothing", "any"))


def as_refs(kind: Type, value: Any) -> Value:
    """Return a value as the law has it, where things are told by their names or ids alone.

    Examples
    --------
    >>> as_refs(Type("player"), "Ann"), as_refs(TEXT, "Ann")
    (ThingRef(kind='player', id='Ann'), 'Ann')
    """
    if value is None or isinstance(value, ThingRef):
        return value
    if kind.item is not None:
        return tuple([as_refs(kind.item, one) for one in value])
    return value if kind.name in PLAIN_KINDS else ThingRef(kind.name, value)


def common_type(one: Type, other: Type) -> Type | None:
    """Return the type that holds both, or None where there is none.

    Examples
    --------
    >>> common_type(NUMBER, NUMBER) == NUMBER, common_type(NUMBER, TEXT)
    (True, None)
    >>> str(common_type(Type("player"), NONE))
    'player or none'
    """
    if one.name == "none":
        return optional_type(other)
    if other.name == "none":
        return optional_type(one)
    either = one.maybe or other.maybe
    if one.name == "nothing":
        return Type(other.name, other.item, either)
    if other.name == "nothing":
        return Type(one.name, one.item, either)
    if one.name != other.name:
        return None
    if one.item is None or other.item is None:
        return Type(one.name, one.item or other.item, either)
    item = common_type(one.item, other.item)
    return None if item is None else Type(one.name, item, either)


def is_compatible(given: Type, wanted: Type) -> bool:
    """Tell whether a `given` value can stand where a `wanted` one is asked for."""
    return common_type(given, wanted) is not None and (wanted.maybe or given.name != "none")


def simplify_number(number: Number) -> Number:
    """Return an int where a fraction is a whole number."""
    if isinstance(number, Fraction) and number.denominator == 1:
        return number.numerator
    return number


def value_text(value: Value, most: int = LONGEST_LIST) -> str:
    """Write a value as the law language writes it; a list of more than `most` only as a count.

    Examples
    --------
    >>> value_text((ThingRef("player", "Ann"), True, Fraction(21, 2), None))
    '[Ann, true, 21/2, none]'
    """
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, ThingRef):
        return f"rule {value.id}" if value.kind == "rule" else str(value.id)
    if isinstance(value, str):
        return f"'{value}'" if '"' in value else f'"{value}"'
    if isinstance(value, tuple):
        if len(value) > most:
            return f"a list of {len(value)}"
        return "[" + ", ".join(value_text(item) for item in value) + "]"
    return str(value)


def value_as_expression(value: Value) -> str:
    """Write a value as an expression that yields it.

    Examples
    --------
    >>> value_as_expression((ThingRef("player", "Ann"),))
    '[player_named("Ann")]'
    """
    if isinstance(value, ThingRef) and value.kind in ("player", "army", "board", "square"):
        return f'{value.kind}_named("{value.id}")'
    if isinstance(value, tuple):
        return "[" + ", ".join(value_as_expression(item) for item in value) + "]"
    return value_text(value)


def range_check(what: str, least: int, most: int = LARGEST, *, whole: bool = True) -> Callable[[Value], str]:
    """Return what says which number, or which on a list, is too small, too large, or no whole one.

    Examples
    --------
    >>> range_check("a count of sides", 1, 6)(Fraction(7, 2)), range_check("a weight", 0, whole=False)(Fraction(1, 2))
    ('a count of sides is a whole number from 1 to 6, not 7/2', '')
    """
    reach = f" from {least} to {most}" if most < LARGEST else f", {least} or more"
    kind = f"a {'whole ' if whole else ''}number{reach}"

    def misfit(value: Value) -> str:
        for one in value if isinstance(value, tuple) else (value,):
            if not isinstance(one, int if whole else int | Fraction) or not least <= one <= most:
                return say("out-of-range", "{what} is {kind}, not {value}", what=what, kind=kind, value=value_text(one))
        return ""

    return misfit


def value_to_json(value: Value) -> object:
    """Return a value as plain JSON data; `from_json` reads it back.

    Fractions become text such as ``21/2`` under a key, references a pair under a key.
    """
    if isinstance(value, ThingRef):
        return {value.kind: value.id}
    if isinstance(value, tuple):
        return [value_to_json(item) for item in value]
    if isinstance(value, Fraction):
        return {"number": f"{value.numerator}/{value.denominator}"}
    return value
