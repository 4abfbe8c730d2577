"""The values of the law language, and their types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.confusables import spoken_form
from nomic_nb.engine.messages import say

#: Values that an expression may yield. Lists are tuples, because no value may change.
Number: TypeAlias = int | Fraction
Value: TypeAlias = "bool | int | Fraction | str | ThingRef | tuple[Value, ...] | None"
#: Values of the bound names: the case in which the law is asked.
CaseNames: TypeAlias = "Mapping[str, Value]"
#: Numbers stay within this bound after every operation (numerator and denominator).
LARGEST = 10**12
#: No text in an expression is longer.
LONGEST_TEXT = 80
#: No list is longer.
LONGEST_LIST = 10_000


class ThingRef(NamedTuple):
    """Something that the law can point at: a player, a rule, a proposal.

    It is a name and not the thing itself, so it stays valid when the thing changes and can be
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
    def lower_case(self) -> str:
        """The text in lower case with single blanks; letters of other alphabets stay."""
        return " ".join(self.casefold().split())

    @property
    def compared_form(self) -> str:
        """The text as it is compared with others: in plain lower-case letters, without a full stop."""
        return spoken_form(str(self)).removesuffix(".").rstrip()

    def sounds_like(self, other: object) -> bool:
        """Tell whether another text is the same but for capitals, blanks, a full stop and lookalike letters.

        Examples
        --------
        >>> HeardText("hear me.").sounds_like("Hear me"), HeardText("hear me") == "Hear me"
        (True, False)
        """
        return isinstance(other, str) and self.compared_form == HeardText(other).compared_form


@frozen
class Type:
    """The type of an expression.

    Parameters
    ----------
    name : str
        ``truth``, ``number``, ``text``, ``list``, ``none``, ``nothing`` (element of an empty list) or
        the name of a record.
    item : Type, optional
        Type of the items of a list.
    maybe : bool
        Whether the value may be ``none``.
    words : tuple of str or str
        Its possible texts, if known, or the kind of names they are: ``counter``, ``numbers`` (tables
        of them) or ``key``, or the name that texts of rules are listed by, with a dot. It is no other type for that.
    about : Type, optional
        Of a poll, what an answer is.
    """

    name: str
    item: Type | None = None
    maybe: bool = False
    words: tuple[str, ...] | str = field(default=(), compare=False)
    about: Type | None = field(default=None, compare=False)

    def __str__(self) -> str:
        sentence = f"list of {self.item.plural}" if self.item else self.name
        return f"{sentence} or none" if self.maybe and self.name != "none" else sentence

    @property
    def with_article(self) -> str:
        """The type's name with its indefinite article, such as “an army” or “a list of players”."""
        return with_article(str(self))

    @property
    def plural(self) -> str:
        """The type's name in the plural, such as “armies” or “lists of numbers”."""
        if self.item:
            return f"lists of {self.item.plural}"
        several = f"{self.name[:-1]}ies" if self.name.endswith("y") else f"{self.name}s"
        several = self.name if self.name in ("nothing", "none") else several
        return f"{several} or none" if self.maybe and self.name != "none" else several


def with_article(word: str) -> str:
    """Return a word with “a” or “an” in front of it.

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
    """Return the type of lists whose elements have the type `item`."""
    return Type("list", item)


def text_type(kind: Type, words: tuple[str, ...] | str) -> Type:
    """Return a type of texts, or of lists of texts, that allows only these words.

    `words` can also be the kind of names that are allowed: “counter”, “numbers” or “key”.
    """
    return replace(kind, item=text_type(kind.item, words)) if kind.item else replace(kind, words=words)


def optional_type(kind: Type) -> Type:
    """Return the type that allows none besides the values of a type."""
    return Type(kind.name, kind.item, True, kind.words, kind.about)


#: Names of types whose values are not references to things.
PLAIN_KINDS = frozenset(("truth", "number", "text", "list", "none", "nothing", "any"))


def as_refs(kind: Type, value: Any) -> Value:
    """Return names or ids as references to the things of a type; return plain values unchanged.

    Examples
    --------
    >>> as_refs(Type("player"), "Ann"), as_refs(TEXT, "Ann")
    (ThingRef(kind='player', id='Ann'), 'Ann')
    """
    if value is None or isinstance(value, ThingRef):
        return value
    if kind.item is not None:
        return tuple([as_refs(kind.item, element) for element in value])
    return value if kind.name in PLAIN_KINDS else ThingRef(kind.name, value)


def common_type(kind: Type, other: Type) -> Type | None:
    """Return the narrowest type that includes two types; None if no type does.

    Examples
    --------
    >>> common_type(NUMBER, NUMBER) == NUMBER, common_type(NUMBER, TEXT)
    (True, None)
    >>> str(common_type(Type("player"), NONE))
    'player or none'
    """
    if kind.name == "none":
        return optional_type(other)
    if other.name == "none":
        return optional_type(kind)
    either = kind.maybe or other.maybe
    if kind.name == "nothing":
        return Type(other.name, other.item, either)
    if other.name == "nothing":
        return Type(kind.name, kind.item, either)
    if kind.name != other.name:
        return None
    if kind.item is None or other.item is None:
        return Type(kind.name, kind.item or other.item, either)
    item = common_type(kind.item, other.item)
    return None if item is None else Type(kind.name, item, either)


def is_compatible(given: Type, wanted: Type) -> bool:
    """Tell whether a value of the `given` type may stand where the `wanted` type is needed."""
    return common_type(given, wanted) is not None and (wanted.maybe or given.name != "none")


def simplify_number(number: Number) -> Number:
    """Return a number as an int if it is whole, and unchanged otherwise."""
    if isinstance(number, Fraction) and number.denominator == 1:
        return number.numerator
    return number


def value_text(value: Value, most: int = LONGEST_LIST) -> str:
    """Return a value as text, as people read it; a list of more than `most` elements only as their number.

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
    """Return the text of an expression of the law language that yields a value.

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


def make_range_check(what: str, least: int, most: int = LARGEST, *, whole: bool = True) -> Callable[[Value], str]:
    """Return a function that says, in words about `what`, why a value is out of range; empty if it is not.

    The range is from `least` to `most`; `whole` excludes fractions. Of a list, each element is checked.

    Examples
    --------
    >>> is_side, is_weight = make_range_check("a count of sides", 1, 6), make_range_check("a weight", 0, whole=False)
    >>> is_side(Fraction(7, 2)), is_weight(Fraction(1, 2))
    ('a count of sides must be a whole number from 1 to 6, not 7/2', '')
    """
    reach = f" from {least} to {most}" if most < LARGEST else f", {least} or more"
    kind = f"a {'whole ' if whole else ''}number{reach}"

    def misfit(value: Value) -> str:
        for element in value if isinstance(value, tuple) else (value,):
            if not isinstance(element, int if whole else int | Fraction) or not least <= element <= most:
                return say(
                    "out-of-range",
                    "{what} must be {kind}, not {value}",
                    what=what,
                    kind=kind,
                    value=value_text(element),
                )
        return ""

    return misfit


def value_to_json(value: Value) -> object:
    """Return a value as JSON-ready data, with a fraction or a reference as a dict of one entry.

    A fraction becomes ``{"number": "21/2"}``, a reference to a player ``{"player": "Ann"}``.
    """
    if isinstance(value, ThingRef):
        return {value.kind: value.id}
    if isinstance(value, tuple):
        return [value_to_json(item) for item in value]
    if isinstance(value, Fraction):
        return {"number": f"{value.numerator}/{value.denominator}"}
    return value
