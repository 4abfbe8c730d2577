"""Functions on lists and numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations
from operator import itemgetter
from typing import TypeAlias

from nomic_nb.engine.law.expressions import LIST_TOO_LONG, check_number_size
from nomic_nb.engine.law.nodes import NotDone, Undecided, View
from nomic_nb.engine.law.values import LONGEST_LIST, NONE, NUMBER, TEXT, Number, Type, Value, list_type, value_text
from nomic_nb.engine.law.vocabulary import Function

Values: TypeAlias = tuple[Value, ...]


def _item_at(_: View, many: Values, place: Value) -> Value:
    """Return the item of a list at a position, counted from 1."""
    if not many:
        raise NotDone("list-empty", "an empty list has no items")
    if not isinstance(place, int) or not 1 <= place <= len(many):
        raise Undecided("item-missing", "the list has no item {place}", place=place)
    return many[place - 1]


def _numbers_among(many: Values) -> list[Number]:
    """Return those of these values that are numbers; other values are left out."""
    return [value for value in many if isinstance(value, int | Fraction)]


def _least_or_greatest_function(which: Callable[[Iterable[Number]], Number], adjective: str) -> Callable[..., Value]:
    """Return a function of the law that applies `min` or `max` (`which`) to a list; errors use the `adjective`."""

    def find(_: View, many: Values) -> Value:
        numbers = _numbers_among(many)
        if not numbers:
            raise NotDone("list-without", "an empty list has no {what} number", what=adjective)
        return which(numbers)

    return find


def _number_range(view: View, least: Value, most: Value) -> Value:
    """Return the whole numbers from `least` to `most`, both included, as a list of the law."""
    if not isinstance(least, int) or not isinstance(most, int):
        raise Undecided("range-unfit", "a range of numbers must go from one whole number to another")
    if most - least >= LONGEST_LIST:
        raise Undecided(LIST_TOO_LONG)
    view.spend_steps(max(0, most - least))
    return tuple(range(least, most + 1))


def _members_with_numbers(view: View, many: Values, by: Values) -> list[tuple[Number, Value]]:
    """Pair each member of `many` with its number in `by`: return (number, member); counts must be equal."""
    numbers = _numbers_among(by)
    if len(many) != len(numbers):
        raise Undecided(
            "order-unequal",
            "there are {count} items to order but {numbers} numbers",
            count=len(many),
            numbers=len(numbers),
        )
    view.spend_steps(len(many))
    return list(zip(numbers, many, strict=True))


def _members_with_extreme_function(which: Callable[[Iterable[Number]], Number]) -> Callable[..., Value]:
    """Return a function of the law that finds members with the least or greatest number (`which`: min or max)."""

    def find(view: View, many: Values, by: Values) -> Value:
        pairs = _members_with_numbers(view, many, by)
        goal = which(number for number, _ in pairs) if pairs else None
        return tuple(member for number, member in pairs if number == goal)

    return find


def _all_pairs(view: View, many: Values) -> Value:
    """Return all pairs of two items of a list, each pair once."""
    view.spend_steps(len(many) ** 2)
    return tuple(combinations(many, 2))


def _make_label(_: View, letters: Value, *numbers: Value) -> Value:
    """Return a label made of letters, then whole numbers with dots between them, such as R3.1."""
    if not all(isinstance(number, int) and number >= 0 for number in numbers):
        raise Undecided("label-unfit", "the numbers in a label must be whole numbers, 0 or higher")
    return f"{letters}{'.'.join(map(str, numbers))}"


def _position_in_list(_: View, many: Values, value: Value) -> Value:
    """Return the position of a value in a list, counted from 1; raise `Undecided` if it is not in it."""
    if value not in many:
        raise Undecided("not-in-list", "{value} is not in the list", value=value_text(value))
    return many.index(value) + 1


ANY_TYPE = Type("any")


_LIST, _NUMBERS = Type("list"), list_type(NUMBER)


FUNCTIONS = (
    Function("count", (_LIST,), NUMBER, "the number of them", lambda _, many: len(many),
             traits="alike moved"),
    Function("sum", (_NUMBERS,), NUMBER, "the sum of all of them", lambda _,
    many: check_number_size(sum(_numbers_among(many))),
             traits="alike"),
    Function("min", (_NUMBERS,), NUMBER, "the lowest of them", _least_or_greatest_function(min, "least"),
    traits="alike moved"),
    Function("max", (_NUMBERS,), NUMBER, "the highest of them", _least_or_greatest_function(max, "greatest"),
    traits="alike moved"),
    Function("item", (_LIST, NUMBER), lambda given: given[0].item or NONE,
             "the item at this place in a list, 1 for the first", _item_at, traits="naming steady"),
    Function("numbers", (NUMBER, NUMBER), list_type(NUMBER), "the whole numbers from one to another", _number_range,
             traits="alike shown steady"),
    Function("reversed", (_LIST,), lambda given: given[0], "a list in reverse order",
             lambda _, many: many[::-1], traits="alike"),
    Function("ordered", (_LIST, _NUMBERS), lambda given: given[0],
             "a list sorted by these numbers, lowest first; items with equal numbers stay in their order",
             lambda view, many, by: tuple(value for _, value in sorted(_members_with_numbers(view, many, by),
             key=itemgetter(0))),
             traits="alike"),
    Function("highest", (_LIST, _NUMBERS), lambda given: given[0],
             "those of them with the highest of these numbers, always as a list: several may tie",
             _members_with_extreme_function(max),
             traits="alike"),
    Function("lowest", (_LIST, _NUMBERS), lambda given: given[0],
             "those of them with the lowest of these numbers, always as a list: several may tie",
             _members_with_extreme_function(min),
             traits="alike"),
    Function("label", (TEXT, NUMBER), TEXT, 'letters and numbers joined by dots: label("P", 2, 5) is P2.5',
             _make_label, variadic=True, traits="naming"),
    Function("pairs", (_LIST,), lambda given: list_type(given[0]), "every pair of them, each once, as a list of two",
    _all_pairs,
             traits="alike"),
    Function("place", (_LIST, ANY_TYPE), NUMBER, "the place of something in a list, 1 for the first",
    _position_in_list,
             traits="naming"),
)  # fmt: skip
