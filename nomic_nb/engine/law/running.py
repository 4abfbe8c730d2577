"""How expressions are evaluated: closures over nodes. Nothing is compiled or evaluated by Python."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.nodes import Node, Run, canonical
from nomic_nb.engine.law.values import Value
from nomic_nb.engine.law.view import Undecided, View
from nomic_nb.engine.law.vocabulary import Vocabulary


def bounded(number: v.Number) -> v.Number:
    """Return a number, exact, or say that it grew out of bounds."""
    top = max(abs(number.numerator), number.denominator)
    if top > v.LARGEST:
        raise Undecided(f"a number grew beyond {v.LARGEST}")
    return v.exact(number)


def _over(divide: Callable[[v.Number, v.Number], v.Number]) -> Callable[[v.Number, v.Number], v.Number]:
    def divided(one: v.Number, other: v.Number) -> v.Number:
        if other == 0:
            raise Undecided("something is divided by zero")
        return divide(one, other)

    return divided


_RECKON: Mapping[str, Callable[..., v.Number]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": _over(lambda one, other: Fraction(one) / other),
    "//": _over(operator.floordiv), "%": _over(operator.mod),
}  # fmt: skip


def _same(one: Any, other: Any) -> bool:
    if type(one) is v.Heard:
        return one.sounds_like(other)
    return other.sounds_like(one) if type(other) is v.Heard else bool(one == other)


def _among(one: Any, many: Any) -> bool:
    return any(one.sounds_like(other) for other in many) if type(one) is v.Heard else one in many


_TEST: Mapping[str, Callable[..., bool]] = {
    "==": _same, "!=": lambda one, other: not _same(one, other), "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge, "in": _among, "not in": lambda one, many: not _among(one, many),
}  # fmt: skip


def _truth(value: Value) -> bool:
    if isinstance(value, bool):
        return value
    raise Undecided("a condition is neither true nor false")


def _items(value: Value) -> tuple[Value, ...]:
    if not isinstance(value, tuple):
        raise Undecided("there is no list to go through")
    if len(value) > v.LONGEST_LIST:
        raise Undecided(f"a list grew beyond {v.LONGEST_LIST}")
    return value


def _put_together(view: View, one: Value, other: Value) -> Value:
    """Return two lists, or two texts, as one."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return _items(one + other)
    if not isinstance(one, str) or not isinstance(other, str):
        raise Undecided("a text is added to a text, and a list to a list")
    found = view.plus(one, other) if view.plus is not None else one + other
    if len(found) > v.LONGEST_TEXT:
        raise Undecided(f"a text grew beyond {v.LONGEST_TEXT} characters")
    return found


_NOTHING: Any = object()


#: Of what that consists which is the same throughout an evaluation.
_FIXED = frozenset(("constant", "name", "field", "list", "compare"))


def closure(node: Node, vocabulary: Vocabulary) -> Run:
    """Return a closure that evaluates a node; what many clauses ask alike in one evaluation is found once."""
    found = _closure(node, vocabulary)
    if node.kind not in ("field", "compare"):
        return found
    for one in node.walk():
        fact = vocabulary.facts.get(one.text) if one.kind == "name" else None
        if one.kind not in _FIXED or (one.kind == "name" and (fact is None or "this" in (fact.name, *fact.needs))):
            return found
    name = canonical(node)

    def once(view: View) -> Value:
        known: Value = view.known.get(name, _NOTHING)
        if known is _NOTHING:
            known = found(view)
            if not view.evidence:  # which every clause has to find for itself
                view.known[name] = known
        return known

    return once


def _closure(node: Node, vocabulary: Vocabulary) -> Run:  # noqa: C901 - one branch a form
    """Return what evaluates a node. The types were checked before; numbers are bounded here."""
    parts = [closure(part, vocabulary) for part in node.parts]
    text = node.text
    match node.kind:
        case "constant":
            value = node.value
            return lambda _: value
        case "name":
            return lambda view: view.name(text)
        case "key":
            return lambda view: view.key(text)
        case "field":
            (of,) = parts
            return lambda view: view.field(of(view), text)
        case "list":
            return lambda view: tuple([part(view) for part in parts])
        case "and" | "or":
            goes_on = node.kind == "and"

            def joined(view: View) -> Value:
                for part in parts:
                    value = part(view)
                    if value is not goes_on:
                        return _truth(value)
                return goes_on

            return joined
        case "not":
            (of,) = parts
            return lambda view: not _truth(of(view))
        case "minus":
            (of,) = parts

            def minus(view: View) -> Value:
                number = of(view)
                if not isinstance(number, int | Fraction):
                    raise Undecided("there is no number here")
                return -number

            return minus
        case "if":
            body, test, orelse = parts
            return lambda view: body(view) if _truth(test(view)) else orelse(view)
        case "compare":
            one, other = parts
            test_of = _TEST[text]

            def compare(view: View) -> Value:
                left, right = one(view), other(view)
                if type(right) is tuple:
                    view.spend(0, len(right) // 4)
                try:
                    return test_of(left, right)
                except TypeError:
                    raise Undecided(f"{v.shown(left)} and {v.shown(right)} cannot be compared") from None

            return compare
        case "reckon":
            one, other = parts
            reckon_of = _RECKON[text]

            def reckon(view: View) -> Value:
                left, right = one(view), other(view)
                if text == "+" and isinstance(left, str | tuple):
                    return _put_together(view, left, right)
                if not isinstance(left, int | Fraction) or not isinstance(right, int | Fraction):
                    raise Undecided("there is no number to calculate with")
                return bounded(reckon_of(left, right))

            return reckon
        case "entry":
            return lambda view: view.entry(text, tuple([part(view) for part in parts]))
        case "keys":
            return lambda view: view.keys_of(text)
        case "call":
            call_of = vocabulary.functions[text].call

            def call(view: View) -> Value:
                given = [part(view) for part in parts]
                value = call_of(view, *given)
                work = sum(len(one) // 4 for one in (*given, value) if type(one) is tuple)  # a long list is work
                view.spend(1, work)
                return value

            return call
        case "afterwards":
            (of,) = parts

            return lambda view: vocabulary.afterwards(view, text, of)
    element, many, condition = parts
    how, work = node.value, (node.parts[0].size + node.parts[2].size) // 4
    ends = how == "any" if how in ("any", "all") else None

    def each(view: View) -> Value:
        env: dict[str, Any] = view.env
        found: list[Value] = []
        outer = env.get(text, _NOTHING)
        try:
            for item in _items(many(view)):
                view.spend(1, work)
                env[text] = item
                if _truth(condition(view)):
                    value = None if how == "count" else element(view)
                    if ends is not None and _truth(value) is ends:
                        return ends
                    found.append(value)
        finally:
            view.trace.pop(text, None)
            if outer is _NOTHING:
                env.pop(text, None)
            else:
                env[text] = outer
        if how == "sum":
            return bounded(sum(one for one in found if isinstance(one, int | Fraction)))
        return tuple(found) if how == "list" else len(found) if how == "count" else how == "all"

    return each
