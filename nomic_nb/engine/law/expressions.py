"""How expressions are evaluated: closures over nodes. Nothing is compiled or evaluated by Python.

What is not on the list is refused, with its place. Nothing is compiled or evaluated by Python.
"""

from __future__ import annotations

import ast
import operator
import re
import warnings
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.confusables import is_invisible
from nomic_nb.engine.law.faults import with_fault_handling
from nomic_nb.engine.law.nodes import Expression, Node, Run, Undecided, View
from nomic_nb.engine.law.values import Value
from nomic_nb.engine.law.vocabulary import Vocabulary
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.words import join_words

# ----------------------------------------------------------------------------------- how expressions are evaluated

NO_NUMBER = say("no-number", "there is no number here")
NO_SUCH_LETTER = say("letter-unknown", "this character can’t be used here")
LIST_TOO_LONG = say("list-grown-too-long", "a list gets longer than {longest} items", longest=v.LONGEST_LIST)


def name_taken_message(name: str) -> Message:
    """Return the error message that a name already has a meaning and cannot be used for something new."""
    return say("means-something", "{name} already has a meaning here", name=name)


def check_number_size(number: v.Number) -> v.Number:
    """Return a number, as an int if it is whole; raise `Undecided` if it is too large."""
    top = max(abs(number.numerator), number.denominator)
    if top > v.LARGEST:
        raise Undecided("number-too-large", "a number gets larger than {largest}", largest=v.LARGEST)
    return v.simplify_number(number)


def _with_zero_check(divide: Callable[[v.Number, v.Number], v.Number]) -> Callable[[v.Number, v.Number], v.Number]:
    """Return a version of a division that raises `Undecided` for a divisor of zero."""

    def divided(number: v.Number, other: v.Number) -> v.Number:
        if other == 0:
            raise Undecided("division-by-zero", "something is divided by zero")
        return divide(number, other)

    return divided


ARITHMETIC: Mapping[str, Callable[..., v.Number]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
    "/": _with_zero_check(lambda number, other: Fraction(number) / other),
    "//": _with_zero_check(operator.floordiv), "%": _with_zero_check(operator.mod),
}  # fmt: skip


def _are_equal(one: Any, other: Any) -> bool:
    """Tell whether two values are equal; a `HeardText` equals any text that sounds the same."""
    if type(one) is v.HeardText:
        return one.sounds_like(other)
    return other.sounds_like(one) if type(other) is v.HeardText else bool(one == other)


def _is_member(one: Any, many: Any) -> bool:
    """Tell whether a value is in a list; a `HeardText` is if any text there sounds the same."""
    return any(one.sounds_like(other) for other in many) if type(one) is v.HeardText else one in many


COMPARISONS: Mapping[str, Callable[..., bool]] = {
    "==": _are_equal, "!=": lambda one, other: not _are_equal(one, other), "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge, "in": _is_member, "not in": lambda one, many: not _is_member(one, many),
}  # fmt: skip


def _check_truth(value: Value) -> bool:
    """Return a value that is True or False unchanged; raise `Undecided` for any other."""
    if isinstance(value, bool):
        return value
    raise Undecided("not-true-or-false", "a condition is neither true nor false")


def _check_list(value: Value) -> tuple[Value, ...]:
    """Return a value that is a list unchanged; raise `Undecided` for any other, or if it is too long."""
    if not isinstance(value, tuple):
        raise Undecided("list-missing", "there is no list to go through")
    if len(value) > v.LONGEST_LIST:
        raise Undecided(LIST_TOO_LONG)
    return value


def _concatenate(view: View, value: Value, other: Value) -> Value:
    """Return two lists, or two texts, joined into one, a number as its digits; raise `Undecided` for other values."""
    if isinstance(value, tuple) and isinstance(other, tuple):
        return _check_list(value + other)
    value, other = (v.value_text(one) if type(one) in (int, Fraction) else one for one in (value, other))
    if not isinstance(value, str) or not isinstance(other, str):
        raise Undecided("cannot-add", "you can only add text or a number to text, or a list to a list")
    combined = view.plus(value, other) if view.plus is not None else value + other
    if len(combined) > v.LONGEST_TEXT:
        raise Undecided("text-grown-too-long", "a text gets longer than {longest} characters", longest=v.LONGEST_TEXT)
    return combined


_NOT_CONSTANT: Any = object()


#: Of what that consists which is the same throughout an evaluation.
_FIXED = frozenset(("constant", "name", "field", "list", "compare"))


def compile_with_memo(node: Node, vocabulary: Vocabulary) -> Run:
    """Compile a syntax node to a function that evaluates it; unchanging parts are evaluated once per `View`."""
    evaluate = _compile_node(node, vocabulary)
    if node.kind not in ("field", "compare"):
        return evaluate
    for inner_node in node.walk():
        fact = vocabulary.facts.get(inner_node.text) if inner_node.kind == "name" else None
        if inner_node.kind not in _FIXED or (
            inner_node.kind == "name" and (fact is None or "this" in (fact.name, *fact.needs))
        ):
            return evaluate
    name = node.canonical

    def once(view: View) -> Value:
        known: Value = view.known.get(name, _NOT_CONSTANT)
        if known is _NOT_CONSTANT:
            known = evaluate(view)
            if not view.evidence:  # which every clause has to find for itself
                view.known[name] = known
        return known

    return once


def lazy_compilation(node: Node, vocabulary: Vocabulary) -> Callable[[], Run]:
    """Return a function that compiles a syntax node when it is first called, with faults of the kit handled."""
    return cache(lambda: with_fault_handling(compile_with_memo(node, vocabulary)))


def _compile_node(node: Node, vocabulary: Vocabulary) -> Run:  # noqa: C901 - one branch a form
    """Compile a type-checked syntax node to a function that evaluates it in a `View`."""
    parts = [compile_with_memo(part, vocabulary) for part in node.parts]
    text = node.text
    match node.kind:
        case "constant":
            value = node.value
            return lambda _: value
        case "name":
            return operator.methodcaller("value_of_name", text)
        case "key":
            return operator.methodcaller("value_of_key", text)
        case "field":
            (of,), fields = parts, vocabulary.fields

            def field(view: View) -> Value:
                thing = of(view)
                if not isinstance(thing, v.ThingRef) or (found := fields.get((thing.kind, text))) is None:
                    return view.value_of_field(thing, text)
                view.spend_steps()
                value = found.get(view, thing.id)
                if type(value) is tuple:
                    view.spend_steps(0, len(value) // 4)
                return value

            return field
        case "list":
            return lambda view: tuple([part(view) for part in parts])
        case "and" | "or":
            goes_on = text == "and"

            def joined(view: View) -> Value:
                for part in parts:
                    value = part(view)
                    if value is not goes_on:
                        return _check_truth(value)
                return goes_on

            return joined
        case "not":
            (of,) = parts
            return lambda view: not _check_truth(of(view))
        case "minus":
            (of,) = parts

            def minus(view: View) -> Value:
                number = of(view)
                if not isinstance(number, int | Fraction):
                    raise Undecided(NO_NUMBER)
                return -number

            return minus
        case "if":
            body, test, orelse = parts
            return lambda view: body(view) if _check_truth(test(view)) else orelse(view)
        case "compare":
            one, other = parts
            test_of = COMPARISONS[text]
            constant = node.parts[1].value
            if text in ("==", "!=") and isinstance(constant, int | str):
                return lambda view: test_of(one(view), constant)

            def compare(view: View) -> Value:
                left, right = one(view), other(view)
                if type(right) is tuple:
                    view.spend_steps(0, len(right) // 4)
                try:
                    return test_of(left, right)
                except TypeError:
                    raise Undecided(
                        "not-comparable",
                        "{left} and {right} can’t be compared",
                        left=v.value_text(left),
                        right=v.value_text(right),
                    ) from None

            return compare
        case "reckon":
            one, other = parts
            reckon_of = ARITHMETIC[text]

            def reckon(view: View) -> Value:
                left, right = one(view), other(view)
                if text == "+" and (isinstance(left, str | tuple) or isinstance(right, str)):
                    return _concatenate(view, left, right)
                if not isinstance(left, int | Fraction) or not isinstance(right, int | Fraction):
                    raise Undecided("not-a-number", "there is no number to calculate with")
                return check_number_size(reckon_of(left, right))

            return reckon
        case "entry":
            return lambda view: view.table_entry(text, tuple([part(view) for part in parts]))
        case "keys":
            return operator.methodcaller("table_keys", text)
        case "call":
            call_of = vocabulary.functions[text].call

            def call(view: View) -> Value:
                given = [part(view) for part in parts]
                value = call_of(view, *given)
                work = sum(len(item) // 4 for item in (*given, value) if type(item) is tuple)  # a long list is work
                view.spend_steps(1, work)
                return value

            return call
        case "afterwards":
            (of,) = parts

            return lambda view: vocabulary.afterwards(view, text, of)
    element, many, condition = parts
    how, work = node.loop, (node.parts[0].size + node.parts[2].size) // 4
    ends = how == "any" if how in ("any", "all") else None
    every = node.parts[2].value is True

    def each(view: View) -> Value:
        env: dict[str, Any] = view.env
        values = []
        outer = env.get(text, _NOT_CONSTANT)
        try:
            for item in _check_list(many(view)):
                view.spend_steps(1, work)
                env[text] = item
                if every or _check_truth(condition(view)):
                    value = None if how == "count" else element(view)
                    if ends is None:
                        values.append(value)
                    elif value is ends or _check_truth(value) is ends:
                        return ends
        finally:
            view.trace.pop(text, None)
            if outer is _NOT_CONSTANT:
                env.pop(text, None)
            else:
                env[text] = outer
        if how == "sum":
            return check_number_size(sum(addend for addend in values if isinstance(addend, int | Fraction)))
        return tuple(values) if how == "list" else len(values) if how == "count" else how == "all"

    return each


# --------------------------------------------------------------------------------------------- reading expressions


LONGEST, DEEPEST, MOST_NODES = 400, 24, 120
#: Characters of an expression that only lists things by their names: all armies, or all squares of many boards.
LONGEST_EXPRESSION_LIST = 40_000
_NAMED = r"""(?:[a-z_]+\("[^"]*"\)|"[^"]*"|-?[0-9]+)"""
#: A list of things by their names.
LIST_PATTERN = re.compile(rf"\[{_NAMED}(?:, {_NAMED})*\]")
#: Number of `for` that can be nested in one another.
MOST_LOOPS = 3
#: A text in which no letter has to be looked at by itself.
USUAL_TEXT = re.compile(r"[ !\"$-[\]-~]*")
#: The words that are constants.
CONSTANT_WORDS: Mapping[str, Value] = {"true": True, "false": False, "none": None}
LOOP_WORDS = ("any", "all", "count", "sum")
#: Values as they would be if the current change were adopted: for certain, or unless they depend on a roll.
AFTERWARDS, CHANCE_APART = "afterwards", "afterwards_chance_apart"
#: Whether the current change makes it true, at once or in time.
IN_TIME = "in_time"
SUPPOSING_WORDS = (AFTERWARDS, CHANCE_APART, IN_TIME)


def too_many_parts_message(most: int) -> Message:
    """Return the message that an expression has more parts than `most`."""
    return say("expression-has-too-many-parts", "an expression can have at most {most} parts", most=most)


def read_expression(text: str, vocabulary: Vocabulary) -> Expression:
    """Parse a text as an expression of the law language; raise `LawError` if it is not one.

    Parameters
    ----------
    text : str
        At most 400 characters; a plain list of things can be longer.
    vocabulary : Vocabulary
        Tells dotted keys from fields.

    Raises
    ------
    LawError
        The text contains something that the language does not have.

    Examples
    --------
    >>> from nomic_nb.engine.play.vocabulary import language
    >>> words = language().vocabulary
    >>> read_expression("1 + 2 * 3", words).canonical
    '(1 + (2 * 3))'
    >>> read_expression("__import__('os')", words)
    Traceback (most recent call last):
    ...
    nomic_nb.engine.errors.LawError: line 1, column 1: a name must start with a letter and have only letters, digits...
    """
    listed = len(text) <= LONGEST_EXPRESSION_LIST and LIST_PATTERN.fullmatch(text.strip()) is not None
    _check_expression_text(text, LONGEST_EXPRESSION_LIST if listed else LONGEST)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, Warning, ValueError) as error:
        column = (getattr(error, "offset", None) or 1) + len(text) - len(text.lstrip())
        column = min(column, len(text) + 1)
        fragment = _word_at(text, column)
        raise LawError(
            "not-an-expression",
            "this can’t be read as an expression",
            column=column,
            found=fragment,
            expected="==" if fragment == "'='" else "",
            text=text,
        ) from None
    # A text has at most two nodes a letter, and three.
    nodes = sum(1 for _ in ast.walk(tree)) if len(text) > MOST_NODES - 2 else 0
    if nodes > 2 * MOST_NODES and not listed:
        raise LawError(too_many_parts_message(MOST_NODES), found=f"{nodes // 2}", text=text)
    node = _ExpressionReader(text, vocabulary, most=max(nodes * listed, MOST_NODES)).read_node(tree.body, 0)
    return Expression(text.strip(), node, lazy_compilation(node, vocabulary))


def _word_at(text: str, column: int) -> str:
    """Return, quoted, the word or sign at a column of a text, counted from 1; “the end” if none follows."""
    match = re.match(r"\s*(\w+|\S)?", text[max(0, column - 1) :])
    return repr(match[1]) if match and match[1] else "the end"


def _check_expression_text(text: str, longest: int) -> None:
    """Raise `LawError` if an expression exceeds `longest` characters, is empty, too nested, or has unfit characters."""
    if len(text) > longest:
        raise LawError(
            "expression-too-long",
            "an expression can have at most {longest} characters",
            longest=longest,
            found=f"{len(text)}",
            text=text[:80],
        )
    depth, quote = 0, ""
    usual = USUAL_TEXT.fullmatch(text) and sum(map(text.count, "([{")) <= DEEPEST
    for at, letter in enumerate("" if usual else text, 1):
        if letter in "\\#" or (not quote and not letter.isascii()) or is_invisible(letter):
            raise LawError(NO_SUCH_LETTER, column=at, found=repr(letter), text=text)
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter in "([{":
            depth += 1
            if depth > DEEPEST:
                raise LawError(
                    "brackets-too-deep",
                    "you can nest brackets at most {deepest} levels deep",
                    deepest=DEEPEST,
                    column=at,
                    text=text,
                )
        elif letter in ")]}":
            depth -= 1
    if '"""' in text or "'''" in text:
        raise LawError(
            "quotation-marks-tripled",
            "use just one quotation mark at each end of a text",
            found="three of them",
            text=text,
        )
    if not text.strip():
        raise LawError(
            "expression-missing", "an expression is missing", found="nothing", expected="an expression", text=text
        )


def _python_sign(text: str) -> type[ast.AST]:
    """Return the sign in an expression such as “a + b”, as Python's parser calls it."""
    node: Any = ast.parse(text, mode="eval").body
    return type(node.ops[0] if isinstance(node, ast.Compare) else node.op)


_SIGNS = {_python_sign(f"a {sign} b"): sign for sign in ("and", "or", *ARITHMETIC, *COMPARISONS)}
_SIGNS |= {_python_sign("not a"): "not", _python_sign("-a"): "minus"}


_IDENTIFIER = re.compile("[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*")


class _ExpressionReader:
    """Turns the part of Python's tree that is on the list into nodes, and refuses the rest."""

    def __init__(self, text: str, vocabulary: Vocabulary, most: int) -> None:
        self.text, self.source, self.vocabulary, self.nodes, self.most = text, text.strip(), vocabulary, 0, most
        #: The names of the `for` around what is read.
        self.loops: tuple[str, ...] = ()
        self.indent = len(text) - len(text.lstrip())

    def error_at_node(self, node: ast.AST, message: Message, expected: str = "") -> LawError:
        """Return a `LawError` about a Python syntax node, with its column and its text."""
        column = getattr(node, "col_offset", 0)
        source_segment = ast.get_source_segment(self.source, node) or _word_at(self.source, column + 1)
        return LawError(
            message, column=column + self.indent + 1, found=repr(source_segment[:40]), expected=expected, text=self.text
        )

    def check_identifier(self, node: ast.AST, name: str) -> str:
        """Return a name unchanged; raise `LawError` if it has characters that names cannot have."""
        if not _IDENTIFIER.fullmatch(name):
            raise self.error_at_node(
                node,
                say(
                    "name-unfit", "a name must start with a letter and have only letters, digits and single underscores"
                ),
            )
        return name

    def read_node(self, node: ast.expr, depth: int) -> Node:  # noqa: C901 - one branch a form
        """Convert a Python syntax node, nested `depth` deep, to one of the law language, or raise `LawError`."""
        self.nodes += 1
        if self.nodes > self.most or depth > DEEPEST:
            raise self.error_at_node(
                node,
                say(
                    "expression-too-deep",
                    "an expression can have at most {most} parts, nested at most {deepest} levels deep",
                    most=MOST_NODES,
                    deepest=DEEPEST,
                ),
            )
        column = node.col_offset

        def made(kind: str, text: str, *parts: ast.expr) -> Node:
            return Node(kind, column, text, None, tuple([self.read_node(inner, depth + 1) for inner in parts]))

        match node:
            case ast.Constant():
                return self.read_constant(node)
            case ast.Name(id):
                return (
                    Node("constant", column, value=CONSTANT_WORDS[id])
                    if id in CONSTANT_WORDS
                    else made("name", self.check_identifier(node, id))
                )
            case ast.Attribute(value, attr):
                dotted = self.dotted_name(node)
                if dotted in self.vocabulary.keys:
                    return made("key", dotted)
                return made("field", self.check_identifier(node, attr), value)
            case ast.BoolOp(op, values):
                return made(_SIGNS[type(op)], _SIGNS[type(op)], *values)
            case ast.UnaryOp(sign, operand):
                word = self.read_operator(node, sign, "sign", ("-", "not"))
                return made(word, word, operand)
            case ast.BinOp(left, operator, right):
                return made("reckon", self.read_operator(node, operator, "operation", ARITHMETIC), left, right)
            case ast.Compare(left, [how], [right]):
                return made("compare", self.read_operator(node, how, "comparison", COMPARISONS), left, right)
            case ast.Compare():
                raise self.error_at_node(
                    node, say("comparisons-chained", "make one comparison at a time"), "two comparisons joined by and"
                )
            case ast.IfExp(test, body, orelse):
                return made("if", "if", body, test, orelse)
            case ast.List(elts):
                return made("list", "", *elts)
            case ast.ListComp(elt, generators):
                return self.read_loop(node, "list", elt, generators, depth + 1)
            case ast.Call():
                return self.read_call(node, depth + 1)
        raise self.error_at_node(
            node,
            say("not-in-language", "this isn’t part of the law language"),
            "a number, text, name, list, comparison or call",
        )

    def read_operator(self, node: ast.AST, sign: ast.AST, what: str, known: Iterable[str]) -> str:
        """Return the law language's sign for a Python operator; raise `LawError` if there is none.

        `what` and `known` are for the message: the kind of operator, and those that there are.
        """
        if type(sign) not in _SIGNS:
            raise self.error_at_node(
                node,
                say("sign-unknown", "this {what} isn’t part of the law language", what=what),
                join_words([*known], "or"),
            )
        return _SIGNS[type(sign)]

    def read_constant(self, node: ast.Constant) -> Node:
        """Convert a number or a quoted text to a node; raise `LawError` for any other constant."""
        segment = self.source.encode()[node.col_offset : node.end_col_offset].decode()  # columns count bytes
        match node.value:
            case bool() | None:
                raise self.error_at_node(
                    node, say("word-in-capitals", "write true, false and none in small letters"), segment.lower()
                )
            case int(value) if segment.isdecimal():
                if value > v.LARGEST:
                    raise self.error_at_node(
                        node, say("number-out-of-range", "a number can be at most {largest}", largest=v.LARGEST)
                    )
                return Node("constant", node.col_offset, value=value)
            case str(value) if segment[1:-1] == value:  # one text without a prefix
                if len(value) > v.LONGEST_TEXT:
                    raise self.error_at_node(
                        node,
                        say(
                            "quoted-text-too-long",
                            "a text in an expression can have at most {longest} characters",
                            longest=v.LONGEST_TEXT,
                        ),
                    )
                return Node("constant", node.col_offset, value=value)
            case float():
                raise self.error_at_node(
                    node, say("number-not-exact", "a number must be whole or a fraction"), "a fraction such as 1/2"
                )
        raise self.error_at_node(node, say("not-a-value", "this isn’t a number or a text"), '12, 1/2 or "a text"')

    def dotted_name(self, node: ast.expr) -> str:
        """Return a chain of attributes as a text such as ``a.b.c``; an empty text for any other node."""
        if isinstance(node, ast.Attribute):
            front = self.dotted_name(node.value)
            return f"{front}.{node.attr}" if front else ""
        return node.id if isinstance(node, ast.Name) else ""

    def read_call(self, node: ast.Call, depth: int) -> Node:
        """Convert a function call or the reading of a table's entry to a node; raise `LawError` if it is unfit."""
        if not isinstance(node.func, ast.Name):
            raise self.error_at_node(node, say("not-callable", "you can only call functions of the law language"))
        if node.keywords or any(isinstance(expression, ast.Starred) for expression in node.args):
            raise self.error_at_node(
                node, say("arguments-named", "give a function just its values, without names or stars")
            )
        name = self.check_identifier(node.func, node.func.id)
        if name in SUPPOSING_WORDS:
            return self.read_supposition(node, name, depth)
        match node.args:
            case [ast.GeneratorExp(elt, generators)] if name in LOOP_WORDS:
                return self.read_loop(node, name, elt, generators, depth)
            case [ast.GeneratorExp()]:
                raise self.error_at_node(
                    node, say("not-over-list", "{name} can’t be used with for", name=name), ", ".join(LOOP_WORDS)
                )
        if name == "keys":
            if len(node.args) != 1 or not isinstance(node.args[0], ast.Name):
                raise self.error_at_node(
                    node, say("table-name-needed", "keys needs the name of a table"), "keys(price)"
                )
            return Node("keys", node.col_offset, self.check_identifier(node.args[0], node.args[0].id))
        parts = tuple(self.read_node(expression, depth) for expression in node.args)
        # What is no function may be a table: which there are, only the law knows.
        return Node("call" if name in self.vocabulary.functions else "entry", node.col_offset, name, parts=parts)

    def read_supposition(self, node: ast.Call, name: str, depth: int) -> Node:
        """Convert a call such as ``afterwards(…)``, which supposes that the proposed change is adopted, to a node."""
        if len(node.args) != 1:
            raise self.error_at_node(
                node,
                say("one-expression-needed", "{name} takes exactly one expression", name=name),
                f"{name}(count(rules) > 40)",
            )
        inner = node.args[0]
        calls = (inner_node.func for inner_node in ast.walk(inner) if isinstance(inner_node, ast.Call))
        if any(isinstance(expression, ast.Name) and expression.id in SUPPOSING_WORDS for expression in calls):
            raise self.error_at_node(
                node, say("supposition-nested", "you can’t nest {name}: only one change is considered", name=name)
            )
        return Node("afterwards", node.col_offset, name, parts=(self.read_node(inner, depth),))

    def read_loop(
        self, node: ast.expr, how: str, element: ast.expr, loops: list[ast.comprehension], depth: int
    ) -> Node:
        """Convert a loop over a list to a node; `how` is its result: ``list``, ``any``, ``all``, ``count``, ``sum``."""
        loop = loops[0]
        if len(loops) > 1 or len(loop.ifs) > 1 or loop.is_async or not isinstance(loop.target, ast.Name):
            raise self.error_at_node(
                node, say("loop-malformed", "a loop must have exactly one for, with one name, and at most one if")
            )
        if len(self.loops) == MOST_LOOPS:
            raise self.error_at_node(node, say("loops-too-deep", "you can nest at most {most} loops", most=MOST_LOOPS))
        name = self.check_identifier(loop.target, loop.target.id)
        if name in CONSTANT_WORDS or name in self.loops or name in self.vocabulary.facts:
            raise self.error_at_node(loop.target, name_taken_message(name), "another name")
        outer, self.loops = self.loops, (*self.loops, name)
        condition = self.read_node(loop.ifs[0], depth) if loop.ifs else Node("constant", node.col_offset, value=True)
        parts = (self.read_node(element, depth), self.read_node(loop.iter, depth), condition)
        self.loops = outer
        return Node("each", node.col_offset, name, parts=parts, loop=how)
