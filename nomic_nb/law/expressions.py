"""Expressions: read with the standard library's `ast` behind an allow-list, typed, and run as closures.

Nothing is compiled by Python or evaluated by it. What is not on the list is refused, with its place.
"""

from __future__ import annotations

import ast
import difflib
import operator
import re
import unicodedata
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from nomic_nb.errors import LawError
from nomic_nb.law import values as v
from nomic_nb.law.values import Type, Value
from nomic_nb.law.view import Undecided, View
from nomic_nb.law.vocabulary import Vocabulary

LONGEST, DEEPEST, MOST_NODES = 400, 24, 120
_WORDS: Mapping[str, Value] = {"true": True, "false": False, "none": None}
_EACH = ("any", "all", "count", "sum")
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}

Run = Callable[[View], Value]


@dataclass(frozen=True, slots=True)
class Node:
    """A part of an expression.

    Parameters
    ----------
    kind : str
        ``constant``, ``name``, ``key``, ``field``, ``call``, ``list``, ``each``, ``if``, ``and``, ``or``,
        ``not``, ``minus``, ``compare`` or ``reckon``.
    column : int
        Where it begins in the expression, counted from 0.
    text : str
        The name, operator or function.
    value : Value
        What a constant stands for.
    parts : tuple of Node
        What it is made of; an ``each`` has the element, the list and the condition.
    """

    kind: str
    column: int
    text: str = ""
    value: Value = None
    parts: tuple[Node, ...] = ()


@dataclass(frozen=True)
class Expression:
    """An expression of the law language, read but not yet judged.

    Two expressions are equal when they are made alike, whatever their spacing. `at` is where it begins
    in the clause that it stands in, counted from 0.
    """

    text: str = field(compare=False)
    node: Node = field(compare=False)
    canonical: str
    run: Run = field(compare=False, repr=False)
    at: int = field(default=0, compare=False)

    def walk(self) -> Iterator[Node]:
        """Yield every part of the expression."""
        waiting = [self.node]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(node.parts)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that it looks up itself."""
        return tuple(dict.fromkeys(node.text for node in self.walk() if node.kind == "key"))

    @property
    def names(self) -> tuple[str, ...]:
        """The facts and bound names that it reads."""
        inner = {node.text for node in self.walk() if node.kind == "each"}
        found = (node.text for node in self.walk() if node.kind == "name")
        return tuple(dict.fromkeys(name for name in found if name not in inner))

    @property
    def constant(self) -> bool:
        """Whether it is the same in every case."""
        return not any(node.kind in ("name", "key", "field", "call") for node in self.walk())


@dataclass(frozen=True)
class Scope:
    """The names that an expression may use, with their types, and the tracked counters."""

    vocabulary: Vocabulary
    names: Mapping[str, Type]
    counters: Mapping[str, str]

    def plus(self, **names: Type) -> Scope:
        """Return the scope with more names bound."""
        return Scope(self.vocabulary, {**self.names, **names}, self.counters)

    def lookup(self, name: str) -> Type | None:
        """Return the type of a name, or None where it means nothing here."""
        if name in self.names:
            return self.names[name]
        fact = self.vocabulary.facts.get(name)
        if fact is None or any(need not in self.names for need in fact.needs):
            return None
        return fact.type


# ------------------------------------------------------------------------------------------ reading


def read(text: str, vocabulary: Vocabulary) -> Expression:
    """Read an expression.

    Parameters
    ----------
    text : str
        At most 400 characters.
    vocabulary : Vocabulary
        Tells dotted keys from fields.

    Raises
    ------
    LawError
        Where something stands there that the language does not have.

    Examples
    --------
    >>> read("1 + 2 * 3", Vocabulary()).canonical
    '(1 + (2 * 3))'
    >>> read("__import__('os')", Vocabulary())
    Traceback (most recent call last):
    ...
    nomic_nb.errors.LawError: line 1, column 1: names are made of letters, digits and single low lines...
    """
    _screen(text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, Warning, ValueError) as error:
        column = (getattr(error, "offset", None) or 1) + len(text) - len(text.lstrip())
        column = min(column, len(text) + 1)
        raise LawError("this is not an expression", column=column, found=_at(text, column), text=text) from None
    nodes = sum(1 for _ in ast.walk(tree))
    if nodes > 2 * MOST_NODES:
        raise LawError(f"an expression has at most {MOST_NODES} parts", found=f"{nodes // 2}", text=text)
    node = _Reader(text, vocabulary).read(tree.body, 0)
    return Expression(text.strip(), node, _canonical(node), _compile(node, vocabulary))


def _at(text: str, column: int) -> str:
    found = re.match(r"\s*(\w+|\S)?", text[max(0, column - 1) :])
    return repr(found[1]) if found and found[1] else "the end"


def _screen(text: str) -> None:
    """Refuse, before any parser sees it, what could hide or harm."""
    if len(text) > LONGEST:
        raise LawError(f"an expression has at most {LONGEST} characters", found=f"{len(text)}", text=text[:80])
    depth, quote = 0, ""
    for at, letter in enumerate(text, 1):
        if letter in "\\#" or (not quote and not letter.isascii()) or unicodedata.category(letter) in _INVISIBLE:
            raise LawError("this character is not part of the language", column=at, found=repr(letter), text=text)
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter in "([{":
            depth += 1
            if depth > DEEPEST:
                raise LawError(f"brackets go at most {DEEPEST} deep", column=at, text=text)
        elif letter in ")]}":
            depth -= 1
    if '"""' in text or "'''" in text:
        raise LawError("a text stands between single quotation marks", found="three of them", text=text)
    if not text.strip():
        raise LawError("an expression is missing here", found="nothing", expected="an expression", text=text)


_BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%", ast.Div: "/"}
_COMPARE = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.In: "in",
    ast.NotIn: "not in",
}  # fmt: skip


class _Reader:
    """Turns the part of Python's tree that is on the list into nodes, and refuses the rest."""

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self.text, self.source, self.vocabulary, self.nodes = text, text.strip(), vocabulary, 0
        self.indent = len(text) - len(text.lstrip())

    def refuse(self, node: ast.AST, message: str, expected: str = "") -> LawError:
        column = getattr(node, "col_offset", 0)
        found = ast.get_source_segment(self.source, node) or _at(self.source, column + 1)
        return LawError(
            message,
            column=column + self.indent + 1,
            found=repr(found[:40]),
            expected=expected,
            text=self.text,
        )

    def name(self, node: ast.AST, name: str) -> str:
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*", name):
            raise self.refuse(node, "names are made of letters, digits and single low lines, a letter first")
        return name

    def read(self, node: ast.expr, depth: int) -> Node:  # noqa: C901 - one branch a form
        self.nodes += 1
        if self.nodes > MOST_NODES or depth > DEEPEST:
            raise self.refuse(node, f"an expression has at most {MOST_NODES} parts, {DEEPEST} deep")
        column, deeper = node.col_offset, depth + 1
        if isinstance(node, ast.Constant):
            return self.constant(node)
        if isinstance(node, ast.Name):
            if node.id in _WORDS:
                return Node("constant", column, value=_WORDS[node.id])
            return Node("name", column, self.name(node, node.id))
        if isinstance(node, ast.Attribute):
            dotted = self.dotted(node)
            if dotted in self.vocabulary.keys:
                return Node("key", column, dotted)
            return Node("field", column, self.name(node, node.attr), parts=(self.read(node.value, deeper),))
        if isinstance(node, ast.BoolOp):
            word = "and" if isinstance(node.op, ast.And) else "or"
            return Node(word, column, word, parts=tuple(self.read(one, deeper) for one in node.values))
        if isinstance(node, ast.UnaryOp):
            if isinstance(node.op, ast.Not | ast.USub):
                kind = "not" if isinstance(node.op, ast.Not) else "minus"
                return Node(kind, column, kind, parts=(self.read(node.operand, deeper),))
            raise self.refuse(node, "this sign is not part of the language", "- or not")
        if isinstance(node, ast.BinOp):
            sign = _BINARY.get(type(node.op))
            if sign is None:
                raise self.refuse(node, "this way of reckoning is not part of the language", "+ - * / // or %")
            return Node("reckon", column, sign, parts=(self.read(node.left, deeper), self.read(node.right, deeper)))
        if isinstance(node, ast.Compare):
            if len(node.ops) > 1:
                raise self.refuse(node, "one comparison at a time", "two comparisons joined by and")
            sign = _COMPARE.get(type(node.ops[0]))
            if sign is None:
                raise self.refuse(node, "this comparison is not part of the language", "== != < <= > >= in, not in")
            left, right = self.read(node.left, deeper), self.read(node.comparators[0], deeper)
            return Node("compare", column, sign, parts=(left, right))
        if isinstance(node, ast.IfExp):
            parts = tuple(self.read(one, deeper) for one in (node.body, node.test, node.orelse))
            return Node("if", column, "if", parts=parts)
        if isinstance(node, ast.List):
            return Node("list", column, parts=tuple(self.read(one, deeper) for one in node.elts))
        if isinstance(node, ast.ListComp):
            return self.each(node, "list", node.elt, node.generators, deeper)
        if isinstance(node, ast.Call):
            return self.call(node, deeper)
        raise self.refuse(node, "this is not part of the language", "a number, text, name, list, comparison or call")

    def constant(self, node: ast.Constant) -> Node:
        segment = ast.get_source_segment(self.source, node) or ""
        if isinstance(node.value, bool) or node.value is None:
            raise self.refuse(node, "the words are true, false and none", segment.lower())
        if isinstance(node.value, int) and re.fullmatch(r"[0-9]+", segment):
            if node.value > v.LARGEST:
                raise self.refuse(node, f"numbers go up to {v.LARGEST}")
            return Node("constant", node.col_offset, value=node.value)
        if isinstance(node.value, str) and re.fullmatch(r"\"[^\"]*\"|'[^']*'", segment):
            if len(node.value) > v.LONGEST_TEXT:
                raise self.refuse(node, f"a text in an expression has at most {v.LONGEST_TEXT} characters")
            return Node("constant", node.col_offset, value=node.value)
        if isinstance(node.value, float):
            raise self.refuse(node, "numbers are whole or fractions", "a fraction such as 1/2")
        raise self.refuse(node, "this is not a number or a text", '12, 1/2 or "a text"')

    def dotted(self, node: ast.expr) -> str:
        if isinstance(node, ast.Attribute):
            front = self.dotted(node.value)
            return f"{front}.{node.attr}" if front else ""
        return node.id if isinstance(node, ast.Name) else ""

    def call(self, node: ast.Call, depth: int) -> Node:
        if not isinstance(node.func, ast.Name):
            raise self.refuse(node, "only functions that the language names can be called")
        if node.keywords or any(isinstance(one, ast.Starred) for one in node.args):
            raise self.refuse(node, "a function takes values, one after another, and nothing else")
        name = self.name(node.func, node.func.id)
        if len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            if name not in _EACH:
                raise self.refuse(node, f"{name} does not go through a list", ", ".join(_EACH))
            inner = node.args[0]
            return self.each(node, name, inner.elt, inner.generators, depth)
        if name not in self.vocabulary.functions:
            near = difflib.get_close_matches(name, self.vocabulary.functions, 3)
            raise self.refuse(node, f"there is no function {name}", ", ".join(near) or "a function of the language")
        return Node("call", node.col_offset, name, parts=tuple(self.read(one, depth) for one in node.args))

    def each(self, node: ast.expr, how: str, element: ast.expr, loops: list[ast.comprehension], depth: int) -> Node:
        loop = loops[0]
        if len(loops) > 1 or len(loop.ifs) > 1 or loop.is_async or not isinstance(loop.target, ast.Name):
            raise self.refuse(node, "one for, one name and at most one if")
        inside = [element, loop.iter, *loop.ifs]
        if any(isinstance(one, ast.ListComp | ast.GeneratorExp) for part in inside for one in ast.walk(part)):
            raise self.refuse(node, "a for does not stand inside another")
        name = self.name(loop.target, loop.target.id)
        if name in _WORDS or name in self.vocabulary.facts:
            raise self.refuse(loop.target, f"{name} means something already", "another name")
        condition = self.read(loop.ifs[0], depth) if loop.ifs else Node("constant", node.col_offset, value=True)
        parts = (self.read(element, depth), self.read(loop.iter, depth), condition)
        return Node("each", node.col_offset, name, value=how, parts=parts)


def _canonical(node: Node) -> str:
    parts = [_canonical(part) for part in node.parts]
    match node.kind:
        case "constant":
            return v.shown(node.value)
        case "name" | "key":
            return node.text
        case "field":
            return f"{parts[0]}.{node.text}"
        case "call":
            return f"{node.text}({', '.join(parts)})"
        case "list":
            return f"[{', '.join(parts)}]"
        case "each":
            return f"{node.value}({parts[0]} for {node.text} in {parts[1]} if {parts[2]})"
        case "if":
            return f"({parts[0]} if {parts[1]} else {parts[2]})"
        case "not" | "minus":
            return f"{'not ' if node.kind == 'not' else '-'}{parts[0]}"
    return f"({f' {node.text} '.join(parts)})"


# ------------------------------------------------------------------------------------------ running


def bounded(number: v.Number) -> v.Number:
    """Return a number, exact, or say that it grew out of bounds."""
    top = max(abs(number.numerator), number.denominator)
    if top > v.LARGEST:
        raise Undecided(f"a number grew beyond {v.LARGEST}")
    return v.exact(number)


def _divide(one: v.Number, other: v.Number) -> v.Number:
    if other == 0:
        raise Undecided("something is divided by nothing")
    return Fraction(one) / Fraction(other)


def _floor(one: v.Number, other: v.Number) -> v.Number:
    if other == 0:
        raise Undecided("something is divided by nothing")
    return one // other


def _rest(one: v.Number, other: v.Number) -> v.Number:
    if other == 0:
        raise Undecided("something is divided by nothing")
    return one % other


_RECKON: Mapping[str, Callable[..., v.Number]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": _divide, "//": _floor, "%": _rest,
}  # fmt: skip
_TEST: Mapping[str, Callable[..., bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge, "in": lambda one, many: one in many, "not in": lambda one, many: one not in many,
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


_NOTHING = object()


def _compile(node: Node, vocabulary: Vocabulary) -> Run:  # noqa: C901 - one branch a form
    """Return a closure that evaluates a node. The types were checked before; numbers are bounded here."""
    parts = [_compile(part, vocabulary) for part in node.parts]
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
        case "and":

            def both(view: View) -> Value:
                return all(_truth(part(view)) for part in parts)

            return both
        case "or":

            def either(view: View) -> Value:
                return any(_truth(part(view)) for part in parts)

            return either
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
                if not isinstance(left, int | Fraction) or not isinstance(right, int | Fraction):
                    raise Undecided("there is no number to reckon with")
                return bounded(reckon_of(left, right))

            return reckon
        case "call":
            call_of = vocabulary.functions[text].call

            def call(view: View) -> Value:
                view.spend()
                return call_of(view, *[part(view) for part in parts])

            return call
    element, many, condition = parts
    how = node.value

    def each(view: View) -> Value:
        env: dict[str, Any] = view.env
        found: list[Value] = []
        outer = env.get(text, _NOTHING)
        try:
            for item in _items(many(view)):
                view.spend()
                env[text] = item
                if not _truth(condition(view)):
                    continue
                if how == "count":
                    found.append(item)
                    continue
                value = element(view)
                if how == "any" and _truth(value):
                    return True
                if how == "all" and not _truth(value):
                    return False
                found.append(value)
        finally:
            view.trace.pop(text, None)
            if outer is _NOTHING:
                env.pop(text, None)
            else:
                env[text] = outer
        if how == "list":
            return tuple(found)
        if how == "count":
            return len(found)
        if how == "sum":
            return bounded(sum(one for one in found if isinstance(one, int | Fraction)))
        return how == "all"

    return each


# ------------------------------------------------------------------------------------------- typing


def type_of(expression: Expression, scope: Scope) -> Type:
    """Return the type of an expression, or refuse it.

    Raises
    ------
    LawError
        A name that means nothing here, or values that do not go together.
    """
    return _Typer(expression.text, scope).type(expression.node)


def expect(expression: Expression, scope: Scope, wanted: Type, what: str) -> None:
    """Refuse an expression whose type does not fit.

    Raises
    ------
    LawError
        With the type that is wanted there.
    """
    found = type_of(expression, scope)
    if not v.fits(found, wanted):
        raise LawError(
            f"{what} is a {wanted}", found=f"a {found}", expected=f"a {wanted}", text=expression.text,
        )  # fmt: skip


class _Typer:
    def __init__(self, text: str, scope: Scope) -> None:
        self.text, self.scope = text, scope

    def refuse(self, node: Node, message: str, found: str = "", expected: str = "") -> LawError:
        return LawError(message, column=node.column + 1, found=found, expected=expected, text=self.text)

    def want(self, node: Node, wanted: Type) -> None:
        found = self.type(node)
        if found.name != wanted.name and found.name != "nothing":
            raise self.refuse(node, f"a {wanted} is needed here", f"a {found}", f"a {wanted}")

    def type(self, node: Node) -> Type:
        match node.kind:
            case "constant":
                return self.constant(node.value)
            case "name":
                return self.name(node)
            case "key":
                return self.key(node)
            case "field":
                return self.field(node)
            case "list":
                return v.list_of(self.same(node, [self.type(part) for part in node.parts]))
            case "and" | "or" | "not":
                for part in node.parts:
                    self.want(part, v.TRUTH)
                return v.TRUTH
            case "minus" | "reckon":
                for part in node.parts:
                    self.want(part, v.NUMBER)
                return v.NUMBER
            case "if":
                self.want(node.parts[1], v.TRUTH)
                return self.same(node, [self.type(node.parts[0]), self.type(node.parts[2])])
            case "compare":
                return self.compare(node)
            case "call":
                return self.call(node)
        return self.each(node)

    @staticmethod
    def constant(value: Value) -> Type:
        if value is None:
            return v.NONE
        if isinstance(value, bool):
            return v.TRUTH
        return v.TEXT if isinstance(value, str) else v.NUMBER

    def name(self, node: Node) -> Type:
        found = self.scope.lookup(node.text)
        if found is not None:
            return found
        fact = self.scope.vocabulary.facts.get(node.text)
        if fact is not None:
            raise self.refuse(node, f"{node.text} is not known here: it needs {' and '.join(fact.needs)}", node.text)
        known = [*self.scope.names, *self.scope.vocabulary.facts]
        near = difflib.get_close_matches(node.text, known, 3)
        if not near and node.text[0].isupper():
            near = [f'"{node.text}", in quotation marks, for a name']
        raise self.refuse(node, f"nothing is called {node.text} here", node.text, ", ".join(near))

    def key(self, node: Node) -> Type:
        key = self.scope.vocabulary.keys[node.text]
        missing = [name for name in key.case if name not in self.scope.names]
        if missing:
            raise self.refuse(node, f"{node.text} is not known here: it needs {' and '.join(missing)}", node.text)
        return key.type

    def field(self, node: Node) -> Type:
        dotted = _canonical(node)
        near = difflib.get_close_matches(dotted, self.scope.vocabulary.keys, 3)
        first = dotted.partition(".")[0]
        subjects = {key.partition(".")[0] for key in self.scope.vocabulary.keys}
        if near and first in subjects and self.scope.lookup(first) is None:
            raise self.refuse(node, f"there is no key {dotted}", dotted, ", ".join(near))
        of = self.type(node.parts[0])
        record = self.scope.vocabulary.records.get(of.name)
        if record is None:
            raise self.refuse(node, f"a {of} has no {node.text}", node.text, ", ".join(near))
        for one in record.fields:
            if one.name == node.text:
                return one.type
        if record.counter and self.scope.counters.get(node.text) == record.name:
            return v.NUMBER
        known = [one.name for one in record.fields]
        known += [name for name, kind in self.scope.counters.items() if kind == record.name]
        raise self.refuse(node, f"a {of.name} has no {node.text}", node.text, "one of " + ", ".join(known))

    def same(self, node: Node, types: list[Type]) -> Type:
        found = v.NOTHING
        for one in types:
            both = v.joined(found, one)
            if both is None:
                raise self.refuse(node, "these are not of one kind", f"a {found} and a {one}", "values of one kind")
            found = both
        return found

    def compare(self, node: Node) -> Type:
        left, right = self.type(node.parts[0]), self.type(node.parts[1])
        if node.text in ("in", "not in"):
            if right.name != "list":
                raise self.refuse(node.parts[1], "in looks into a list", f"a {right}", "a list")
            if right.item and v.joined(left, right.item) is None:
                raise self.refuse(node, f"a list of {right.item} never holds a {left}")
        elif node.text in ("==", "!="):
            if v.joined(left, right) is None:
                raise self.refuse(node, f"a {left} never equals a {right}")
        else:
            self.want(node.parts[0], v.NUMBER)
            self.want(node.parts[1], v.NUMBER)
        return v.TRUTH

    def call(self, node: Node) -> Type:
        function = self.scope.vocabulary.functions[node.text]
        given = tuple(self.type(part) for part in node.parts)
        wanted = function.parameters
        if function.variadic and len(given) > len(wanted):
            wanted += (wanted[-1],) * (len(given) - len(wanted))
        if len(given) != len(wanted):
            raise self.refuse(node, f"{node.text} takes {len(wanted)} values", f"{len(given)}", f"{len(wanted)}")
        for part, one, want in zip(node.parts, given, wanted, strict=True):
            if want.name != "any" and not v.fits(one, want):
                raise self.refuse(part, f"{node.text} takes a {want}", f"a {one}", f"a {want}")
        return function.result if isinstance(function.result, Type) else function.result(given)

    def each(self, node: Node) -> Type:
        element, many, condition = node.parts
        found = self.type(many)
        if found.name != "list" or found.item is None:
            raise self.refuse(many, "for goes through a list", f"a {found}", "a list")
        inner = _Typer(self.text, self.scope.plus(**{node.text: found.item}))
        inner.want(condition, v.TRUTH)
        if node.value == "list":
            return v.list_of(inner.type(element))
        if node.value in ("any", "all"):
            inner.want(element, v.TRUTH)
            return v.TRUTH
        if node.value == "sum":
            inner.want(element, v.NUMBER)
        else:
            inner.type(element)
        return v.NUMBER
