"""Expressions: what they yield, what types they have, what is refused, and the bounds that hold."""

from __future__ import annotations

import ast
import operator
from contextlib import suppress
from fractions import Fraction
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from often import examples
from patience import patience
from refusals import refused

from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.expressions import DEEPEST, LONGEST, MOST_NODES, read_expression
from nomic_nb.engine.law.hints import everyday_table
from nomic_nb.engine.law.language import Language
from nomic_nb.engine.law.nodes import STEPS_PER_EVALUATION, Expression, Undecided, View
from nomic_nb.engine.law.precedence import PrecedenceOrder
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import RuleBook
from nomic_nb.engine.law.slots import TIME_UNITS
from nomic_nb.engine.law.tables import table_shapes
from nomic_nb.engine.law.types import Scope
from nomic_nb.engine.law.vocabulary import Fact, Field, Function, Key, Record, Vocabulary
from nomic_nb.engine.play.vocabulary import language

THING = v.Type("thing")


def _thing(_: View, id: int | str) -> v.Value:
    return id


WORDS = Vocabulary.from_declarations(
    keys=[Key("some.key", v.NUMBER, "a key", "nobody")],
    facts=[
        Fact("ten", v.NUMBER, "ten", (), lambda _: 10),
        Fact("yes", v.TRUTH, "true", (), lambda _: True),
        Fact("word", v.TEXT, "a word", (), lambda _: "ab"),
        Fact("nobody", v.optional_type(THING), "nothing", (), lambda _: None),
        Fact("one", THING, "a thing", (), lambda _: v.ThingRef("thing", 1)),
        Fact(
            "things", v.list_type(THING), "three things", (), lambda _: tuple(v.ThingRef("thing", n) for n in (1, 2, 3))
        ),
        Fact(
            "many", v.list_type(v.NUMBER), "as many as the state says", ("size",), lambda w: tuple(range(w.state.size))
        ),
        Fact("bound", v.NUMBER, "only in a case", (), lambda w: w.env["case"], ("case",)),
    ],
    functions=[
        Function("count", (v.Type("list"),), v.NUMBER, "how many", lambda _, many: len(many)),
        Function("sum", (v.list_type(v.NUMBER),), v.NUMBER, "together", lambda _, many: sum(many)),
        Function("same", (v.Type("any"),), lambda given: given[0], "the same", lambda _, value: value),
    ],
    records=[Record("thing", "a thing", (Field("size", v.NUMBER, "its size", (), _thing),))],
    events=[],
    actions=[],
)
SCOPE = Scope(WORDS, {}, {})
EMPTY = Law(RuleBook(), PrecedenceOrder(), Language(WORDS))


def typed(text: str) -> str:
    return str(SCOPE.checked_type(read_expression(text, WORDS)))


def run(text: str, size: int = 3, **case: v.Value) -> v.Value:
    expression = read_expression(text, WORDS)
    SCOPE.with_names(**dict.fromkeys(case, v.NUMBER)).checked_type(expression)
    return expression.run(View(SimpleNamespace(size=size), case, EMPTY))


# ------------------------------------------------------------------------------------- values


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("7 / 2", Fraction(7, 2)),
        ("8 / 2", 4),
        ("7 // 2", 3),
        ("-7 // 2", -4),
        ("-7 % 3", 2),
        ("7 % -3", -2),
        ("1/2 + 1/3", Fraction(5, 6)),
        ("(1/2) // (1/3)", 1),
        ("(1/2) % (1/3)", Fraction(1, 6)),
        ("--1", 1),
        ("-1000000000000", -(10**12)),
        ("1/1000000000000", Fraction(1, 10**12)),
        ("true and false or true", True),
        ("not true or true", True),
        ("not (true or true)", False),
        ("1 == 2/2", True),
        ("1/2 != 2/4", False),
        ("1/3 < 1/2", True),
        ("2 <= 2", True),
        ("3 > 3", False),
        ("3 >= 3", True),
        ('"a" == "a"', True),
        ('"a" == "A"', False),
        ('"a" in ["b", "a"]', True),
        ('"a" not in ["b", "a"]', False),
        ("none == none", True),
        ("none == 1", False),
        ("nobody == none", True),
        ("one != none", True),
        ("one == nobody", False),
        ("[1, 2] == [1, 2]", True),
        ("[1, 2] == [2, 1]", False),
        ("[] == [1]", False),
        ("1 in []", False),
        ('"x" if yes else "y"', "x"),
        ("1 if not yes else 2", 2),
        ("[n * 2 for n in [1, 2, 3]]", (2, 4, 6)),
        ("[n for n in [1, 2, 3] if n != 2]", (1, 3)),
        ("count(n for n in [1, 2, 3] if n > 1)", 2),
        ("count(n > 5 for n in [1, 2, 3])", 3),
        ("sum(n * n for n in [1, 2, 3])", 14),
        ("sum(n for n in [])", 0),
        ("sum([1/2, 1/3])", Fraction(5, 6)),
        ("any(n > 2 for n in [1, 2, 3])", True),
        ("any(n > 3 for n in [1, 2, 3])", False),
        ("all(n > 0 for n in [1, 2, 3])", True),
        ("all(n > 1 for n in [1, 2, 3])", False),
        ("all(n > 1 for n in [])", True),
        ("any(n > 1 for n in [])", False),
        ("[n for n in [m + 1 for m in [1, 2]]]", (2, 3)),
        ("sum(sum(n * m for m in [1, 2] if m < n) for n in [1, 2, 3])", 11),
        ("[t.size for t in things if any(u.size > t.size for u in things)]", (1, 2)),
        ("[n for n in [1, 2] if any(any(k > m for k in [n]) for m in [1])]", (2,)),
        ("count(things)", 3),
        ("one in things", True),
        ("[t.size for t in things]", (1, 2, 3)),
        ("one.size + ten", 11),
        ("same(ten) == 10", True),
        ("word", "ab"),
        ('"2 + 2"', "2 + 2"),
        ('"it\'s"', "it's"),
        ("'say \"x\"'", 'say "x"'),
        ('""', ""),
        ("[1,]", (1,)),
        ("  ten  ", 10),
    ],
)
def test_an_expression_yields_exactly_this(text: str, value: v.Value) -> None:
    found = run(text)
    assert found == value
    assert type(found) is type(value)


def test_and_or_and_if_look_no_further_than_they_must() -> None:
    assert run("false and 1 / 0 == 1") is False
    assert run("true or 1 / 0 == 1") is True
    assert run("1 if true else 1 / 0") == 1
    assert run("any(n == 1 or 1 / (n - 2) > 0 for n in [1, 2])") is True


Tree = tuple[str, object]


def _wrap(text: str) -> str:
    return f"({text})"


def _numbers(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    signs = {
        "+": operator.add,
        "-": operator.sub,
        "*": operator.mul,
        "/": lambda a, b: Fraction(a) / b,
        "//": operator.floordiv,
        "%": operator.mod,
    }

    def binary(sign: str, one: Tree, other: Tree) -> Tree:
        (a, x), (b, y) = one, other
        broken = x is None or y is None or (sign in "//%" and y == 0)
        value = None if broken else Fraction(signs[sign](Fraction(x), Fraction(y)))
        if value is not None and max(abs(value.numerator), value.denominator) > 10**12:
            value = None
        return _wrap(f"{a} {sign} {b}"), value

    def minus(one: Tree) -> Tree:
        return _wrap(f"-{one[0]}"), None if one[1] is None else -one[1]

    return st.one_of(st.builds(binary, st.sampled_from(list(signs)), inner, inner), st.builds(minus, inner))


LEAVES = st.integers(0, 10**12).map(lambda n: (str(n), Fraction(n))) | st.integers(0, 9).map(
    lambda n: (str(n), Fraction(n))
)
NUMBERS = st.recursive(LEAVES, _numbers, max_leaves=12).filter(lambda tree: len(tree[0]) <= LONGEST)


@given(NUMBERS)
@examples(60)
def test_reckoning_agrees_with_fractions(tree: Tree) -> None:
    text, value = tree
    assert typed(text) == "number"
    if value is None:  # somewhere by nothing, or out of bounds
        with pytest.raises(Undecided):
            run(text)
        return
    found = run(text)
    assert found == value
    assert isinstance(found, int) is (value.denominator == 1)


COMPARED = st.tuples(NUMBERS, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), NUMBERS)
TEST = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def _small(tree: Tree) -> bool:
    return tree[1] is not None and len(tree[0]) < 60


@given(
    st.recursive(
        st.tuples(LEAVES, st.sampled_from(list(TEST)), LEAVES).map(
            lambda c: (f"{c[0][0]} {c[1]} {c[2][0]}", TEST[c[1]](c[0][1], c[2][1]))
        )
        | st.booleans().map(lambda b: (str(b).lower(), b)),
        lambda inner: (
            st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(
                lambda t: (
                    f"({t[0][0]} {t[1]} {t[2][0]})",
                    (t[0][1] and t[2][1]) if t[1] == "and" else (t[0][1] or t[2][1]),
                )
            )
            | inner.map(lambda t: (f"(not {t[0]})", not t[1]))
            | st.tuples(inner, inner, inner).map(
                lambda t: (f"({t[0][0]} if {t[1][0]} else {t[2][0]})", t[0][1] if t[1][1] else t[2][1])
            )
        ),
        max_leaves=10,
    ).filter(lambda tree: len(tree[0]) <= LONGEST)
)
@examples(60)
def test_truth_agrees_with_plain_logic(tree: tuple[str, bool]) -> None:
    text, value = tree
    assert typed(text) == "truth"
    assert run(text) is value


@given(st.lists(st.integers(-99, 99), max_size=12), st.integers(-99, 99), st.integers(1, 9))
@examples(40)
def test_lists_agree_with_plain_loops(many: list[int], edge: int, step: int) -> None:
    text = "[" + ", ".join(map(str, many)) + "]"
    assert run(text) == tuple(many)
    kept = []
    for one in many:
        if one > edge:
            kept.append(one * step)  # noqa: PERF401 - plain on purpose
    assert run(f"[n * {step} for n in {text} if n > {edge}]") == tuple(kept)
    assert run(f"sum(n * {step} for n in {text} if n > {edge})") == sum(kept)
    assert run(f"count(n for n in {text} if n > {edge})") == len(kept)
    assert run(f"any(n > {edge} for n in {text})") is bool(kept)
    assert run(f"all(n <= {edge} for n in {text})") is (not kept)
    assert run(f"{edge} in {text}") is (edge in many)


@given(NUMBERS)
@examples(30)
def test_what_is_written_out_reads_back_as_the_same_expression(tree: Tree) -> None:
    once = read_expression(tree[0], WORDS)
    assert read_expression(tree[0].replace(" ", "   "), WORDS) == once
    assert read_expression(once.canonical, WORDS).canonical == once.canonical


def test_different_texts_are_different_expressions() -> None:
    assert read_expression("""['a", "b']""", WORDS) != read_expression('["a", "b"]', WORDS)


def test_an_expression_knows_what_it_looks_up() -> None:
    expression = read_expression("[t.size for t in things if t.size > some.key + ten]", WORDS)
    assert expression.keys == ("some.key",)
    assert set(expression.names) == {"things", "ten"}
    assert not expression.constant
    assert read_expression("1 + 2", WORDS).constant


@pytest.mark.parametrize("outside", [5, None])
def test_the_name_of_a_for_leaves_the_name_outside_as_it_was(outside: int | None) -> None:
    view = View(SimpleNamespace(size=3), {"n": outside}, EMPTY)
    assert read_expression("count(n for n in [1, 2])", WORDS).run(view) == 2
    assert view.env["n"] == outside
    with refused("division-by-zero"):
        read_expression("[1 / m for m in [1, 0]]", WORDS).run(view)
    assert view.env == {"n": outside}


# -------------------------------------------------------------------------------------- types


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("1", "number"),
        ("none", "none"),
        ("nobody", "thing or none"),
        ("1 if yes else none", "number or none"),
        ("[]", "list of nothing"),
        ("[[1], []]", "list of lists of numbers"),
        ("[one, none]", "list of things or none"),
        ("things", "list of things"),
        ("[t.size for t in things]", "list of numbers"),
        ("same([word])", "list of texts"),
    ],
)
def test_the_type_is_said(text: str, kind: str) -> None:
    assert typed(text) == kind


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ('1 == "1"', 1),
        ("true == 1", 1),
        ("one == 1", 1),
        ('one == "one"', 1),
        ('[1] == ["1"]', 1),
        ("things == one", 1),
        ('"a" in "abc"', 8),
        ("1 in ten", 6),
        ('1 in ["1"]', 1),
        ("one in [1]", 1),
        ('"a" + true', 1),
        ('"a" * 3', 1),
        ('"%s" % 1', 1),
        ("3 * [1]", 5),
        ("true + true", 1),
        ("-true", 2),
        ('-"a"', 2),
        ("none + 1", 1),
        ('"a" < "b"', 1),
        ("[1] < [2]", 1),
        ("one < one", 1),
        ("1 < true", 5),
        ("not 1", 5),
        ("1 and true", 1),
        ("true or 0", 9),
        ('true and "a"', 10),
        ("1 if ten else 2", 6),
        ('1 if yes else "a"', 1),
        ('[1, "a"]', 1),
        ("[1, [1]]", 1),
        ("[n for n in ten]", 13),
        ("[n for n in things if n]", 23),
        ("any(n for n in [1])", 5),
        ('sum(n for n in ["a"])', 5),
        ("count(1)", 7),
        ("count()", 1),
        ("count([], [])", 1),
        ("ten.size", 1),
        ("one.weight", 1),
        ("things.size", 1),
        ("some", 1),
        ("some.thing", 1),
        ("nothing_like_it", 1),
        ("yes and nothing_like_it", 9),
        ("bound", 1),
    ],
)
def test_what_does_not_go_together_is_refused_with_its_place(text: str, column: int) -> None:
    with pytest.raises(LawError) as caught:
        typed(text)
    assert (caught.value.line, caught.value.column) == (1, column)
    assert caught.value.message


def test_near_names_are_offered() -> None:
    with refused("name-unknown", expected="things"):
        typed("thngs")
    with refused("function-unknown", expected="count"):
        typed("cuont(things)")
    with refused("key-unknown", expected="some.key"):
        typed("some.kye")
    with refused("has-none", expected="one of size"):
        typed("one.sise")
    with refused("needs-more", needs="case"):
        typed("bound")


def test_a_number_that_is_none_after_all_is_undecided() -> None:
    for text in ("(1 if not yes else none) + 1", "-(1 if not yes else none)", "(1 if not yes else none) < 1"):
        with pytest.raises(Undecided):
            run(text)
    with refused("field-missing"):
        run("nobody.size")


# ------------------------------------------------------------------------------------- bounds


@pytest.mark.parametrize(
    "text",
    [
        "1 / 0", "1 // 0", "1 % 0", "1 / (ten - 10)", "0 / 0", "(1/2) % (1/2 - 1/2)",
        "1000000000000 + 1", "-1000000000000 - 1", "1000000 * 1000001", "1 / 1000000000000 / 2",
        "1 / 999983 / 999979 / 999961", "sum(n for n in [1000000000000, 1])",
        "sum(1 / n for n in [999983, 999979, 999961])", "1000000000000 * 1000000000000 * 1000000000000",
        "(1000000000000 + 1) - 1",
    ],
)  # fmt: skip
def test_a_number_out_of_bounds_is_no_answer(text: str) -> None:
    typed(text)
    with pytest.raises(Undecided):
        run(text)


def test_bounds_are_where_they_are_said_to_be() -> None:
    assert run("999999999999 + 1") == 10**12
    assert typed(f'"{"a" * 80}"') == "text"
    assert run("+".join(["1"] * 20)) == 20
    assert typed("[" + "1," * (MOST_NODES - 1) + "]") == "list of numbers"
    assert typed("(" * DEEPEST + "1" + ")" * DEEPEST) == "number"
    assert typed("-" * (DEEPEST - 1) + "1") == "number"
    assert typed("1" + " " * (LONGEST - 1)) == "number"
    assert typed("[" + ", ".join(f'"{n}"' for n in range(900)) + "]") == "list of texts", "things are listed at length"


@pytest.mark.parametrize(
    "text",
    [
        "1000000000001",
        f'"{"a" * 81}"',
        "[" + "1," * MOST_NODES + "]",
        "(" * (DEEPEST + 1) + "1" + ")" * (DEEPEST + 1),
        "-" * (DEEPEST + 1) + "1",
        "1" + " " * LONGEST,
        "count([" + ", ".join(f'"{n}"' for n in range(900)) + "])",
        "[" + ", ".join(f'"{n:070}"' for n in range(900)) + "]",
    ],
)
def test_one_more_is_too_much(text: str) -> None:
    with pytest.raises(LawError):
        read_expression(text, WORDS)


def test_the_budget_of_steps_ends_a_long_reckoning() -> None:
    assert run("count(n for n in many)", size=5_000) == 5_000
    with refused("calculation-too-long", most=STEPS_PER_EVALUATION):
        run("sum(same(n) + same(n) + same(n) for n in many)", size=9_000)


def test_no_list_is_longer_than_is_said() -> None:
    assert run("count([n for n in many])", size=v.LONGEST_LIST) == v.LONGEST_LIST
    with refused("list-grown-too-long"):
        run("count([n for n in many])", size=v.LONGEST_LIST + 1)


# ------------------------------------------------------------------- what must not get through

#: Refused when it is read or typed, with a column.
REFUSED = [
    # reaching out
    "__import__('os')", "__import__('os').system('id')", "().__class__", "''.__class__", "[].__class__.__base__",
    "().__class__.__bases__[0].__subclasses__()", "players.__class__", "turn.__class__", "turn.real", "turn.numerator",
    "players.count", "players.index(1)", "rules.__len__", "count.__globals__", "count.__call__([1])", "count.__self__",
    "game.__dict__", "this.__init__", "__builtins__", "__name__", "__debug__", "globals()", "locals()",
    "vars()", "dir()",
    "open('x')", "print(1)", "input()", "eval('1')", "exec('1')", "compile('1', '', 'eval')", "getattr(turn, 'real')",
    "type(1)", "object()", "id(1)", "hash(1)", "exit()", "breakpoint()", "os.system('id')", "sys.exit()", "range(10)",
    "len(players)", "str(1)", "int('1')", "abs(1)", "sorted([1])", "'a'.upper()", "'{0.__class__}'.format(1)",
    "''.join(['a'])", "[].append(1)", "(1).bit_length()", "1 .real", "1 .__class__", "a__b", "_x", "x_", "__", "_",
    "player.name__", "win.__class__", "win.points.real", "win.points()", "count", "count()()", "(count)([1])()",
    # making and binding
    "lambda: 1", "lambda x: x", "(lambda: 1)()", "x := 1", "(x := 1)", "(turn := 5)", "[y := 1, y]",
    "turn = 5", "x = 1",
    "turn += 1", "del turn", "import os", "global x", "assert true", "raise x", "return 1", "pass", "if true: 1",
    "while true: 1", "for x in [1]: x", "def f(): 1", "class A: 1", "with x: 1", "try: 1", "yield", "(yield)",
    "(yield from [1])", "await x", "(await x)", "1; 2", "@x", "print 1", "exec 1", "x: int", "x -> y",
    # forms that read otherwise than they run
    "1 < 2 < 3", "1 == 1 == 1", "1 in [1] in [[1]]", "1 < 2 == true", "1 is 1", "1 is not 2", "none is none",
    "True", "False", "None", "TRUE", "NONE", "Not true", "true AND false", "not", "and", "&&", "true && false",
    "true || false", "!true", "1 <> 2", "1 === 1", "1 ? 2 : 3", "'a' 'b'", '"a" "b"', "'a'\"b\"", "('a' 'b')",
    "['a' 'b']", "'for' 'against'", "f'a'", "f'{turn}'", "f'{__import__(1)}'", "b'a'", "r'a'", "u'a'", "rb'a'", "F'a'",
    # numbers that are none here
    "1_000", "0x10", "0o10", "0b10", "1e9", "1E9", "1.5", "1.", ".5", "1e400", "-1e400", "1j", "007",
    "01", "1if true else 2",
    "1or 2", "1_", "inf", "nan", "Infinity", "１", "²", "½", "1,000",
    # operators that are none here
    "2 ** 3", "9 ** 9 ** 9", "9 ** 99999", "(-1) ** (1/2)", "1 << 99999", "1 >> 1", "1 & 2", "1 | 2",
    "1 ^ 2", "~1", "+1",
    "[1] @ [2]", "1 @ 2", "1 ++ 2", "1 +", "* 2", "'a' * 999999", "[1] * 999999", "[1] + 'a'", "'%999999d' % 1", "...",
    "players - players", "players and players", "turn or 1", "turn and true", "not players", "not turn",
    # collections and calls
    "()", "(1,)", "(1, 2)", "1, 2", "{}", "{1}", "{1: 2}", "{**{}}", "{x for x in [1]}", "{x: x for x in [1]}",
    "(x for x in [1])", "[*[1]]", "[1][0]", "[1, 2][0:1]", "[1, 2][::-1]", "players[0]", "'abc'[0]", "[][...]", "*[1]",
    "*players", "count(*[[1]])", "count(**{})", "count(many=[1])", "count([1], many=[1])",
    "count([1] for)", "min(1, 2)",
    "max()", "item([1])", "any([true])", "all([true])", "sum(1, 2)", "min(x for x in [1])", "item(x for x in [1])",
    # going through lists
    "[x for x in [1] for y in [2]]", "[[x for x in [1]] for x in [1]]", "[x for x in [1] if any(x for x in [true])]",
    "[[[[w for w in [1]] for z in [1]] for y in [1]] for x in [1]]", "sum(sum(y for y in [1]) for x in [y])",
    "[x for x in [1] if true if true]", "[x async for x in [1]]",
    "[x for x, y in [[1, 2]]]", "[x for [x] in [[1]]]", "[x for x.y in [1]]", "[x for x[0] in [1]]",
    "[x for *x in [1]]", "[turn for turn in [1]]", "[true for true in [1]]", "[none for none in [1]]",
    "[players for players in [1]]", "[__x for __x in [1]]", "[x for x in 1]", "[x for x in 'abc']",
    "[x for x in turn]", "count(x for x in [1],)", "[x for x in [1]] + [x]", "x if true", "true else 1", "[x for]",
    "[for x in [1]]",
    # characters
    "1 # 2", "# 1", "'a#b'", "'a\\nb'", "'\\x41'", "'\\N{DIGIT ONE}'", "1 \\\n+ 2", '"""a"""', "'''a'''", "''''",
    "'a\nb'", "1\n+ 2", "\n1", "1\t+ 1", "1\r", "1\x00", "\x00", "1\x0c", "'\x1b[31m'", "'\x7f'", "'\x85'",
    "turn\u200b", "tu\u200drn", "\ufeffturn", "'\u200b'", "'\u202eevil'", "'\u2066x\u2069'", "\u202e1", "'\u2028'",
    "'\ud800'", "'\ue000'", "tur\u0578", "\u0430", "\u0440layers", "ﬁnd", "𝐭urn", "ｔurn", "turn\u0301",
    "1 \u2212 1", "1 \u00d7 2", "2 \u2264 3", "turn\u00a0> 1", "\u201ca\u201d", "1\u3000+ 1",
    "`turn`", "$turn", "?", "turn?", "@turn", "a.b..c", "..a", "a.", "turn.", "'a", "a'", '"a', "(1", "1)", "[1", "1]",
    "{", "}", "(]", "", " ", "\t",
    # size
    "(" * 200 + "1" + ")" * 200, "[" * 200, "{" * 200, "((((((" * 60, "-" * 399 + "1", "~" * 399 + "1",
    "not " * 99 + "true", "1+" * 199 + "1",
    "turn" + ".x" * 190, "x" + "()" * 190, "x" + "[0]" * 130, "lambda:" * 57 + "1",
    "await " * 66 + "x", "1 if 1 else " * 33 + "1", "[x for x in " * 20 + "[1]" + "]" * 20, "f'" + "{" * 60 + "'",
    "*" * 399, "x," * 199, "x=" * 199 + "1", "1" * 399, "9" * 13, "'" + "a" * 390 + "'", "x.y" * 140, "1" * 401,
    "1 + " * 10_000 + "1", "(" * 100_000, "'" * 100_000, "é" * 500,
]  # fmt: skip

#: Goes through the reading, and is undecided or harmless when it is run.
UNDECIDED = [
    "1 / 0", "1 // 0", "1 % 0", "max([])", "min([])", "item([], 1)", "item([1], 0)", "item([1], 2)", "item([1], -1)",
    "item([1], 1/2)", "item([1], 1000000000000)", "1000000000000 * 1000000000000", "-1000000000000 - 1",
    "1 / 1000000000000 / 1000000000000", "sum([1000000000000, 1000000000000])", "win.points", "1 + win.points",
    "sum(x * 1000000000000 for x in [1, 2])", "following(none)", "preceding(none)", "game.nothing",
]  # fmt: skip


def test_the_tables_are_long_enough() -> None:
    assert len(set(REFUSED)) == len(REFUSED) > 120


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: ascii(text)[:40])
def test_it_is_refused_with_its_place(text: str) -> None:
    speech = language()
    with patience(20), pytest.raises(LawError) as caught:
        Scope(speech.vocabulary, {}, {}).checked_type(speech.expression(text))
    assert caught.value.line == 1
    assert 1 <= caught.value.column <= len(text) + 1
    assert caught.value.message


@pytest.mark.parametrize("text", [one for one in REFUSED if "\t" not in one], ids=lambda text: ascii(text)[:40])
def test_it_is_refused_in_a_clause_too(text: str) -> None:
    speech = language()
    with patience(20), pytest.raises(LawError) as caught:
        speech.check_clauses(speech.read_clauses(f"require ({text})"), {})
    assert caught.value.message


@pytest.mark.parametrize("text", UNDECIDED)
def test_it_has_no_answer(text: str) -> None:
    speech = language()
    expression = speech.expression(text)
    if text == "game.nothing":
        with refused("has-none"):
            Scope(speech.vocabulary, {}, {}).checked_type(expression)
        return
    Scope(speech.vocabulary, {}, {}).checked_type(expression)
    with pytest.raises(Undecided):
        expression.run(View(SimpleNamespace(), {}, Law(RuleBook(), PrecedenceOrder(), speech)))


@given(
    st.text(alphabet="()[]{}.,:;=+-*/%<>!&|^~@'\"_ \\#0123456789abefilnorstux", max_size=60)
    | st.lists(
        st.sampled_from(
            [
                "1",
                "0",
                "turn",
                "players",
                "true",
                "none",
                "not",
                "and",
                "or",
                "if",
                "else",
                "for",
                "in",
                "is",
                "lambda",
                "await",
                "yield",
                "(",
                ")",
                "[",
                "]",
                ".",
                ",",
                "==",
                "<",
                "+",
                "-",
                "*",
                "/",
                "**",
                ":",
                ":=",
                "'a'",
                "count",
                "any",
                "x",
                "__class__",
                "{",
                "}",
                "*",
                "f'a'",
                "import",
            ]
        ),
        max_size=25,
    ).map(" ".join)
)
@examples(150)
def test_whatever_stands_there_is_read_refused_or_undecided(text: str) -> None:
    places, value = [1], None
    with suppress(Undecided):
        try:
            expression = read_expression(text, WORDS)
            SCOPE.checked_type(expression)
            value = expression.run(View(SimpleNamespace(size=3), {}, EMPTY))
        except LawError as error:
            places.append(error.column)
    assert all(1 <= place <= len(text) + 1 for place in places)
    assert value is None or isinstance(value, bool | int | Fraction | str | tuple)


def test_a_column_counts_the_blanks_before_it() -> None:
    for text, column in (("   1 2", 6), ("   turn +* 2", 10), ("   lambda: 1", 4)):
        with pytest.raises(LawError) as caught:
            read_expression(text, WORDS)
        assert caught.value.column == column, text


def test_the_words_of_pythons_parser_stay_out_of_what_is_said() -> None:
    for text in ("1 +", "(1", "f(", "1 = 2", "lambda", "'a", "1 if", "print 1"):
        with refused("not-an-expression") as caught:
            read_expression(text, WORDS)
        said = str(caught.value).lower()
        assert "syntax" not in said
        assert "perhaps" not in said
        assert "eof" not in said
        assert caught.value.__cause__ is None


def test_an_expression_cannot_be_changed() -> None:
    expression = read_expression("ten + 1", WORDS)
    assert isinstance(expression, Expression)
    with pytest.raises(AttributeError):
        expression.canonical = "1"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        expression.node.text = "x"  # type: ignore[misc]


@pytest.mark.parametrize(("clause", "meant"), [
    ("on adopted: award 1 points to everyone", "playing"),
    ("on adopted: award 1 points to everybody", "playing"),
    ("on adopted: award 1 points to player", "proponent"),
    ("on turn_begun: award 1 points to me", "player"),
    ("on turn_begun when current_player == player: repeal this", "mover"),
    ("set throw.points to 1 while die == 2", "face"),
    ("on turn_begun when player.score > 3: repeal this", "points"),
    ("on adopted: award 1 points to author", "proponent"),
    ("forbid propose when round == 2", "circuit"),
    ("on turn_begun when nobody == player: repeal this", "none"),
    ("set quota to 3", "vote.quota"),
])  # fmt: skip
def test_an_everyday_word_suggests_what_rules_call_it(clause, meant):
    spoken = language()
    tables = table_shapes([spoken.clause("track points per player from 0")])
    with pytest.raises(LawError) as caught:
        spoken.check_clauses(spoken.read_clauses(clause), tables)
    assert caught.value.expected.split(", ")[0] == meant


def test_everyday_words_stand_for_words_that_there_are():
    words = language().vocabulary
    bound = {name for one in (*words.events.values(), *words.actions.values()) for name in one.binds}
    bound |= {name for key in words.keys.values() for name in (*key.case, *key.may_know)}
    fields = {name for _, name in words.fields}
    effects = {word for form in words.effects.values() for word in form.words}
    known = {*words.keys, *words.facts, *words.events, *words.actions, *bound, *fields, *effects, *TIME_UNITS}
    known |= {"none", "this", "points", "when"}
    assert {name for meant in everyday_table("names").values() for name in meant.split()} <= known


@pytest.mark.parametrize(("one", "kind"), [("1", v.NUMBER), ('"a"', v.TEXT), ("[1]", v.list_type(v.NUMBER))])
def test_no_part_of_a_long_sum_is_typed_more_than_once(one: str, kind: v.Type) -> None:
    speech = language()
    with patience(5):
        assert Scope(speech.vocabulary, {}, {}).checked_type(speech.expression("+".join([one] * 22))) == kind


# ------------------------------------------------------------------- what is looked at only in unusual expressions


@pytest.mark.parametrize("letter", [*map(chr, range(128))])
def test_a_text_has_every_letter_of_ascii_that_shows_but_three(letter: str) -> None:
    if letter.isprintable() and letter not in '"#\\':
        assert run(f'"a{letter}b"') == f"a{letter}b"
    else:
        with refused("not-an-expression" if letter == '"' else "letter-unknown", LawError):
            read_expression(f'"a{letter}b"', WORDS)


@pytest.mark.parametrize("dense", ["-", "a<", "a,", "[],", "(),", "not ", "a if a else ", "[*a],", "~", "a.a or "])
def test_an_expression_has_at_most_two_parts_a_letter_and_three(dense: str) -> None:
    """Shorter ones are not counted."""
    for times in (1, 2, 30):
        text = f"{dense * times}a"
        assert sum(1 for _ in ast.walk(ast.parse(text, mode="eval"))) <= 2 * len(text) + 3


def test_equal_expressions_are_compiled_once() -> None:
    one, other = (language().read_clauses(f"set win.points to {places}turn + 7123")[0] for places in ("", "  "))
    assert one.clause.value == other.clause.value
    assert one.clause.value.run is other.clause.value.run
