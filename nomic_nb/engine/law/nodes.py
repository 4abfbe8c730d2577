"""Expressions as nodes, and the view in which they are evaluated: the state, the names of the case, the law."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import field
from fractions import Fraction
from functools import cached_property, wraps
from types import MappingProxyType
from typing import Any, NamedTuple, ParamSpec, Protocol, TypeAlias, TypeVar, cast

from nomic_nb.engine import messages
from nomic_nb.engine.errors import refuse_copying
from nomic_nb.engine.frozen import frozen, itself
from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.values import HIDDEN_NUMBER, CaseNames, ThingRef, Value, value_text
from nomic_nb.engine.messages import Message, say

# ------------------------------------------------------------------- what an expression sees while it is evaluated


#: Calls and turns of a loop that one evaluation may take.
STEPS_PER_EVALUATION = 20_000
#: Steps of all evaluations in one action, or in one look at the law.
STEPS_PER_ACTION = 250_000
#: Number of steps after which they are attributed to a clause.
STEPS_PER_SAMPLE = 1_000
#: How many of the costliest parts of rules are left out, each time that an action takes too many steps.
WORST_SIZES = (1, 5, 1_000)

#: Prefix for findings about a supposition.
IF_LAW_PREFIX = "if it were law, "

P = ParamSpec("P")
T = TypeVar("T")

#: A rule, by its id, and the key that its clauses set; no key for what it sets off.
LawPart = tuple[int, str]
#: Message about a clause on which the kit itself fails.
FAILURE_TEXT = "fails because of an error in nomic_nb, not in the rule"
FAILURE_MESSAGE = say("kit-failed", "it {fails}", fails=FAILURE_TEXT)
#: Clauses left out of a step because they fail; None outside of a step, when the law is only read.
FAILING_CLAUSES: ContextVar[frozenset[LawPart] | None] = ContextVar("FAILING", default=None)


class ExpressionContext(Protocol):
    """The part of a `Vocabulary` that expressions use."""

    def fact_of(self, name: str, view: View) -> Value:
        """Return the value of a named fact, such as ``circuit``, in the state and case of a view."""

    def field_of(self, thing: ThingRef, name: str, view: View) -> Value:
        """Return the value of a field of a thing, or of the entry for the thing in the table of that name."""

    @property
    def entry(self) -> Callable[[View, str, tuple[Value, ...]], Value]:
        """The function that reads a table's entry, given a view, the table's name and the entry's keys."""

    @property
    def keys_of(self) -> Callable[[View, str], Value]:
        """The function that lists the first key of each entry of a table, given a view and the table's name."""


class LawBody(Protocol):
    """A body of law, as far as expressions must know it: a `Law`."""

    def is_table_hidden(self, table: str) -> bool:
        """Tell whether a table is hidden: each entry is visible only to its owner."""

    @property
    def vocabulary(self) -> ExpressionContext:
        """The vocabulary of the law: all facts, fields and tables that its rules may name."""

    def answer(self, key: str, state: object, env: CaseNames, within: View | None = None) -> Value:
        """Return the value that the law gives a key in a state; raise `Undecided` if it gives none.

        `env` holds the names bound in the case; `within` is the evaluation that asks, whose budget is used.
        """


def nothing_here_message(what: str) -> Message:
    """Return the message “there is no … here” for a thing called `what`, such as “proposal”, that is not bound."""
    return say("not-here", "there is no {what} here", what=what)


class Undecided(Exception):  # noqa: N818 - an answer, not a fault
    """The law gives no answer here.

    Parameters
    ----------
    reason, template, **values
        Why, as a clause that can follow "because": a message, or the arguments for `say`.
    finding : Finding, optional
        The finding at fault, if it is about a key.
    when : str
        The case that an answer is for, as a condition of the law language; empty for every case.
    options : tuple of str
        Obvious answers, as expressions of the law language.

    Attributes
    ----------
    turn : int
        The turn in which it came up, if that is not the current turn; otherwise 0.
    people : str
        The question for people, as a clause that begins with whether; empty for any other doubt.
    shows : tuple of str
        Findings of functions before it came up, in words.
    """

    def __init__(
        self,
        reason: str,
        template: str | None = None,
        /,
        *,
        finding: object = None,
        when: str = "",
        options: tuple[str, ...] = (),
        **values: object,
    ) -> None:
        self.reason = reason if template is None else messages.say(reason, template, **values)
        self.finding, self.when, self.options = finding, when, options
        self.turn = 0
        self.people = ""
        self.shows: tuple[str, ...] = ()
        super().__init__(self.reason)


class AbsentThing(Undecided):
    """There is nothing that could be asked about."""


class AbsentName(AbsentThing):
    """A name has no value because the case it belongs to is not there."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(nothing_here_message(name))


def _too_long_error(limit: int) -> Undecided:
    """Return the `Undecided` error that a calculation takes more than `limit` steps."""
    return Undecided("calculation-too-long", "the calculation takes more than {most} steps", most=limit)


class NotDone(Undecided):
    """An effect is plainly impossible in the current state: a list is empty, or a name is taken."""


class BudgetExceeded(Exception):  # noqa: N818 - not an answer of the law: an action has used up its steps
    """One action takes too many steps."""


class StepMeter:
    """The total number of steps that one action may take, for all its questions to the law.

    Parameters
    ----------
    steps : int
        Number of steps.
    left_out : frozenset of Part
        Clauses that give no answer, because they took too many steps.
    stops : bool
        Whether the action stops when they are spent; if the law is only read, it gives no answer instead.
    anew : bool
        Whether to evaluate everything again: remembered findings have their number of steps, but not the clauses.
    """

    __slots__ = ("anew", "apart", "at_work", "left", "left_out", "mark", "paid", "past", "steps", "stops", "whose")

    def __init__(
        self,
        steps: int = STEPS_PER_ACTION,
        left_out: frozenset[LawPart] = frozenset(),
        *,
        stops: bool = False,
        anew: bool = False,
    ) -> None:
        self.steps = steps
        self.left_out, self.stops = left_out, stops
        #: Id of the rule whose effects are running, which pays for everything that play looks up for them; 0 for none.
        self.at_work = 0
        self.anew = anew or bool(left_out)  # remembered findings still include the clauses that are left out now
        self.past, self.left = 0, steps
        self.apart: StepMeter | None = None
        self.reset()

    def reset(self) -> None:
        """Reset the meter to its full budget, and clear the records of which clauses took steps."""
        self.past = self.steps_taken
        self.left, self.mark = self.steps, self.steps - STEPS_PER_SAMPLE
        self.whose: dict[LawPart, int] = {}
        #: Costly findings of this action that are used again and again.
        self.paid: dict[int, object] = {}
        #: Meter for looking ahead within the same action; other clauses are not blamed for those steps.
        self.apart = None

    @property
    def steps_taken(self) -> int:
        """The number of evaluation steps taken since the meter was made, those before resets included."""
        apart = self.apart.steps_taken if self.apart is not None and self.apart is not self else 0
        return self.past + self.steps - self.left + apart

    @contextmanager
    def as_current_meter(self) -> Iterator[StepMeter]:
        """Return a context in which all evaluations are counted by this meter; it yields the meter."""
        before = CURRENT_METER.set(self)
        try:
            yield self
        finally:
            CURRENT_METER.reset(before)

    def charge(self, steps: int, part: LawPart) -> None:
        """Take from the budget the steps for reusing a remembered result; `part` is the clause that uses it."""
        self.left -= steps
        if self.left < self.mark:
            self.note_last_steps(part)

    def mark_paid(self, shared_result: object) -> None:
        """Record that the steps of a shared result were charged, to avoid charging them again."""
        self.paid[id(shared_result)] = shared_result

    def note_last_steps(self, part: LawPart) -> None:
        """Attribute the latest steps to the clause `part`; raise an error if the budget is used up.

        Raises
        ------
        BudgetExceeded, Undecided
            No steps are left.
        """
        samples = (self.mark - self.left) // STEPS_PER_SAMPLE + 1
        self.mark -= samples * STEPS_PER_SAMPLE
        if not part[0] and self.at_work:
            part = self.at_work, ""
        self.whose[part] = self.whose.get(part, 0) + samples
        if self.left < 0:
            self.mark = self.left + 1  # every step from here on comes here
            if self.stops:
                raise BudgetExceeded
            raise _too_long_error(STEPS_PER_ACTION)

    def costliest_parts(self, most: int) -> frozenset[LawPart]:
        """Return the clauses that took the most steps, at most `most` of them, as pairs of rule id and key."""
        known = Counter({part: samples for part, samples in self.whose.items() if part[0]})
        return frozenset(part for part, _ in known.most_common(most))


#: The meter that runs.
CURRENT_METER: ContextVar[StepMeter | None] = ContextVar("METER", default=None)


def limit_steps(steps: int) -> AbstractContextManager[StepMeter]:
    """Return a context that counts evaluation steps and raises `BudgetExceeded` after `steps` of them."""
    return StepMeter(steps, stops=True).as_current_meter()


def use_current_or_new_meter() -> AbstractContextManager[StepMeter]:
    """Return a context whose evaluations are counted by the current step meter, or by a new one if none runs."""
    meter = CURRENT_METER.get()
    return StepMeter().as_current_meter() if meter is None else nullcontext(meter)


def without_costly_clauses(query: Callable[P, T]) -> Callable[P, T]:
    """Wrap a query of the law so that, if it takes too many steps, it is repeated without its costliest clauses."""

    @wraps(query)
    def looked(*args: P.args, **kwargs: P.kwargs) -> T:
        if CURRENT_METER.get() is not None:
            return query(*args, **kwargs)
        left_out = frozenset[LawPart]()
        for at, most in enumerate((0, *WORST_SIZES)):
            meter = StepMeter(STEPS_PER_ACTION >> max(at - 1, 0), left_out, stops=True, anew=at > 0)
            try:
                with meter.as_current_meter():
                    return query(*args, **kwargs)
            except BudgetExceeded:
                left_out |= meter.costliest_parts(most)
        with StepMeter(left_out=left_out).as_current_meter():
            return query(*args, **kwargs)

    return looked


class View:
    """A state and a case, seen through a body of law.

    Parameters
    ----------
    state : object
        Opaque here; facts, fields and functions of the vocabulary read it.
    env : mapping of str to value
        The names bound in the case.
    law : Body or None
        The law in force; None where what is evaluated asks it nothing.
    """

    __slots__ = (
        *("env", "evidence", "known", "law", "meter", "open_keys", "plus", "rounded", "state", "steps", "trace"),
        "__weakref__",
    )

    def __init__(self, state: Any, env: CaseNames, law: LawBody | None) -> None:
        self.state = state
        self.env: dict[str, Value] = dict(env)
        self.law: LawBody = law  # type: ignore[assignment]  # asked too often for a cast
        self.trace: dict[str, Value] = {}
        #: What was found of things that are the same throughout: parts of expressions, as they are written.
        self.known: dict[object, Any] = {}
        self.open_keys: tuple[str, ...] = ()
        self.steps = STEPS_PER_EVALUATION
        #: Adds texts, where there is a way of its own to do so.
        self.plus: Callable[[str, str], str] | None = None
        self.meter = CURRENT_METER.get()
        #: What was rounded on the way, so that the record can tell.
        self.rounded: Fraction | None = None
        #: What functions have seen that bears their answer out, in words: the last that each of them said.
        self.evidence: dict[str, str] = {}

    def bind(self, name: str, value: Value) -> None:
        """Bind a name to a new value in this view, clear the cached results, and restart the step budget."""
        self.env[name] = value
        self.known.clear()
        self.evidence.clear()
        self.steps = STEPS_PER_EVALUATION

    def run_under_law(self, state: Any, law: LawBody, run: Callable[[View], Value]) -> Value:
        """Return the result of `run` in this case under another state and law, within the same step budget."""
        then = View(state, self.env, law)
        then.steps, then.open_keys = self.steps, self.open_keys
        try:
            return run(then)
        finally:
            self.steps = then.steps
            self.evidence |= {f"then {name}": IF_LAW_PREFIX + words for name, words in then.evidence.items()}

    def spend_steps(self, steps: int = 1, work: int = 0) -> None:
        """Take `steps` from this evaluation's budget, `steps` + `work` from the action's; raise if one is used up."""
        self.steps -= steps
        meter = self.meter
        if meter is not None:
            meter.left -= steps + work
            if meter.left < meter.mark:
                meter.note_last_steps(self.clause_at_work)
        if self.steps < 0:
            raise _too_long_error(STEPS_PER_EVALUATION)

    @property
    def clause_at_work(self) -> LawPart:
        """The clause under evaluation, as a pair of its rule's id (0 for no rule) and the key that it sets."""
        this = self.env.get("this")
        return (cast(int, this.id) if isinstance(this, ThingRef) else 0, self.open_keys[-1] if self.open_keys else "")

    def check_left_out(self) -> None:
        """Raise `Undecided` if the clause under evaluation is excluded, as it failed or took too many steps before.

        Raises
        ------
        Undecided
            They are.
        """
        if self.clause_at_work in (FAILING_CLAUSES.get() or ()):
            raise Undecided(FAILURE_MESSAGE)
        if self.meter is not None and self.clause_at_work in self.meter.left_out:
            raise Undecided(
                "steps-used-up",
                "it takes too many of the {most:,} steps allowed for one action",
                most=STEPS_PER_ACTION,
            )

    def value_of_name(self, name: str) -> Value:
        """Return the value of a bound name such as ``player`` or, if it is not bound, of the fact of that name."""
        env = self.env
        if name in env:
            value = env[name]
        else:
            value = self.law.vocabulary.fact_of(name, self)
            if type(value) is tuple:  # a long list is work
                self.spend_steps(0, len(value) // 4)
        self.trace[name] = value
        return value

    def value_of_key(self, name: str, **bound: Value) -> Value:
        """Return the value that the law gives a key, in this case with more names `bound` in it."""
        value = self.law.answer(name, self.state, {**self.env, **bound} if bound else self.env, self)
        self.trace[name] = value
        return value

    def value_of_field(self, thing: Value, name: str) -> Value:
        """Return the value of a field of a thing, or of the entry for the thing in the table of that name."""
        if not isinstance(thing, ThingRef):
            raise AbsentThing("field-missing", "there is nothing here to read {name} from", name=name)
        self.spend_steps()
        value = self.law.vocabulary.field_of(thing, name, self)
        if type(value) is tuple:
            self.spend_steps(0, len(value) // 4)
        return value

    def table_entry(self, name: str, keys: tuple[Value, ...]) -> Value:
        """Return the value that a named table has at these keys, such as the number of a player's points."""
        self.spend_steps()
        value = self.law.vocabulary.entry(self, name, keys)
        at = f"{name}({', '.join([value_text(key, 8) for key in keys])})"
        self.trace[at] = HIDDEN_NUMBER if self.law.is_table_hidden(name) else value
        return value

    def table_keys(self, name: str) -> Value:
        """Return the list of the first key of each entry in a named table."""
        self.spend_steps()
        value = self.law.vocabulary.keys_of(self, name)
        if type(value) is tuple:
            self.spend_steps(0, len(value) // 4)
        return value


# ----------------------------------------------------------------------------------- what an expression is made of


#: The kinds of part that name something of the game, but for keys.
_USING_KINDS = ("name", "field", "call", "entry", "keys", "afterwards")
#: How an expression is evaluated.
Run: TypeAlias = Callable[[View], Value]


def false_if_absent(run: Run) -> Run:
    """Return the condition `run`, but false if there is nothing that it could ask about."""

    def judge(view: View) -> Value:
        try:
            return run(view)
        except AbsentThing:
            return False

    return judge


class Queries:
    """Queries for anything that contains expressions, at any depth."""

    def walk(self) -> Iterator[Node]:
        """Yield every node of the syntax trees of the expressions in this object."""
        raise NotImplementedError

    def calls(self, *functions: str) -> Iterator[Node]:
        """Yield the nodes that call one of these functions."""
        return (node for node in self.walk() if node.function in functions)

    def constants(self) -> Iterator[Value]:
        """Yield the values of all constants in the expressions: numbers, texts, true, false and none."""
        return (node.value for node in self.walk() if node.is_constant)

    def constant_texts(self) -> Iterator[str]:
        """Yield the texts in quotation marks in the expressions."""
        return (value for value in self.constants() if isinstance(value, str))

    def constant_numbers(self) -> Iterator[int]:
        """Yield the whole numbers written in the expressions, without their signs."""
        return (value for value in self.constants() if type(value) is int)

    def compared_pairs(self) -> Iterator[tuple[Node, ...]]:
        """Yield the two sides of each comparison as a pair of nodes, once in each order."""
        return (pair for node in self.walk() for pair in node.pairs_of_sides)

    def nodes_compared_with(self, name: str) -> Iterator[Node]:
        """Yield the nodes that a name is compared with, on either side of the comparison."""
        return (other for node, other in self.compared_pairs() if node.name == name)


class TextOf(Protocol):
    """The text of a part, if it is of some kinds; empty for any other part."""

    def __get__(self, node: Node, _: object, /) -> str: ...


def _text_of(*kinds: str) -> TextOf:
    # A property is found faster than any other descriptor, and these are asked for all the time.
    """Return a property of nodes that is the text of a node of these kinds, and empty for all others."""
    return cast(TextOf, property(lambda node: node.text if node.kind in kinds else ""))


@frozen
class Node(Queries):
    """A part of an expression.

    Only reading, types, evaluation and wording compare its kind; all other code uses the methods here.

    Parameters
    ----------
    kind : str
        ``constant``, ``name``, ``key``, ``field``, ``call``, ``entry`` of a table, its ``keys``, ``list``, ``each``,
        ``if``, ``and``, ``or``, ``not``, ``minus``, ``compare``, ``reckon`` or ``afterwards``.
    column : int
        Its start in the expression, counted from 0.
    text : str
        The name, operator or function.
    value : Value
        Value of a constant.
    parts : tuple of Node
        Its parts; for an ``each``, the element, the list and the condition.
    loop : str
        Result of an ``each``: ``list``, ``any``, ``all``, ``count`` or ``sum``.
    """

    kind: str
    column: int
    text: str = ""
    value: Value = None
    parts: tuple[Node, ...] = ()
    loop: str = ""

    name, key, field, function = _text_of("name"), _text_of("key"), _text_of("field"), _text_of("call")
    #: What may be a table, and any word by which it looks at the game.
    table, word = _text_of("field", "entry", "keys"), _text_of(*_USING_KINDS, "key")
    #: The operator: ``==``, ``+``, or what joins conditions and turns them round.
    comparison, arithmetic, connective = _text_of("compare"), _text_of("reckon"), _text_of("and", "or", "not")
    supposition = _text_of("afterwards")

    @cached_property
    def canonical(self) -> str:
        """The node written out in one standard way, whatever blanks and brackets its source has."""
        parts = [part.canonical for part in self.parts]
        match self.kind:
            case "constant":
                return v.value_text(self.value)
            case "name" | "key":
                return self.text
            case "field":
                return f"{parts[0]}.{self.text}"
            case "call" | "entry" | "afterwards":
                return f"{self.text}({', '.join(parts)})"
            case "keys":
                return f"keys({self.text})"
            case "list":
                return f"[{', '.join(parts)}]"
            case "each":
                inner = f"{parts[0]} for {self.text} in {parts[1]}" + f" if {parts[2]}" * (parts[2] != "true")
                return f"[{inner}]" if self.loop == "list" else f"{self.loop}({inner})"
            case "if":
                return f"({parts[0]} if {parts[1]} else {parts[2]})"
            case "not" | "minus":
                return f"{'not ' if self.kind == 'not' else '-'}{parts[0]}"
        return f"({f' {self.text} '.join(parts)})"

    @property
    def size(self) -> int:
        """The number of nodes in this part of the syntax tree, this one included."""
        return 1 + sum(part.size for part in self.parts)

    @property
    def is_constant(self) -> bool:
        """Whether the node is a constant: a number, a text, true, false or none."""
        return self.kind == "constant"

    @property
    def negated_node(self) -> Node | None:
        """The node that a minus sign negates; None if this node is no negation."""
        return self.parts[0] if self.kind == "minus" else None

    @property
    def parts_of_choice(self) -> tuple[Node, ...]:
        """The value, the condition and the alternative of an ``if`` expression; empty for other nodes."""
        return self.parts if self.kind == "if" else ()

    @property
    def list_items(self) -> tuple[Node, ...] | None:
        """The items of a list written in brackets; None for any other node."""
        return self.parts if self.kind == "list" else None

    @property
    def list_items_or_self(self) -> tuple[Node, ...]:
        """The items of a list written in brackets; for any other node, the node alone."""
        return self.parts if self.kind == "list" else (self,)

    @property
    def pairs_of_sides(self) -> tuple[tuple[Node, ...], ...]:
        """The two sides of a comparison as a pair, once in each order; empty for other nodes."""
        return (self.parts, self.parts[::-1]) if self.kind == "compare" else ()

    @property
    def conjuncts(self) -> tuple[Node, ...]:
        """The conditions that ``and`` joins, nested ones included; for any other node, the node alone."""
        return tuple(node for part in self.parts for node in part.conjuncts) if self.kind == "and" else (self,)

    @property
    def possible_constants(self) -> Iterator[Node]:
        """The constant nodes that can become part of the node's value, unlike those that it only compares."""

        def results(node: Node) -> tuple[Node, ...]:
            if node.arithmetic:
                return node.parts
            return (
                node.list_items or node.parts_of_choice[::2] or (node.parts[:1] if node.loop or node.function else ())
            )

        return (node for node in self.walk(results) if node.is_constant)

    def is_comparison_of(self, *words: str) -> bool:
        """Tell whether the node compares these two expressions, given as canonical texts, with ``==``."""
        return self.comparison == "==" and {node.canonical for node in self.parts} == {*words}

    def with_name(self, name: str, given: Node, shift: int) -> Node:
        """Return the node with a name replaced by another node, whose columns are shifted by `shift`."""
        if self.name == name:
            return given.shifted(shift)
        parts = tuple(part.with_name(name, given, shift) for part in self.parts)
        return Node(self.kind, self.column, self.text, self.value, parts, self.loop)

    def shifted(self, shift: int) -> Node:
        """Return the node with all columns shifted."""
        parts = tuple(part.shifted(shift) for part in self.parts)
        return Node(self.kind, self.column + shift, self.text, self.value, parts, self.loop)

    def walk(self, inner_nodes_of: Callable[[Node], tuple[Node, ...]] | None = None) -> Iterator[Node]:
        """Yield this node and all inside it; with `inner_nodes_of`, descend only into the nodes it returns."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += (node.parts if inner_nodes_of is None else inner_nodes_of(node))[::-1]


def walk_expressions(expressions: Iterable[Expression]) -> Iterator[Node]:
    """Yield every node of the syntax trees of several expressions."""
    return (node for expression in expressions for node in expression.walk())


class ExpressionReads(NamedTuple):
    """The dependencies of an expression: fields of the state, keys, possible tables, and names of its case."""

    reads: frozenset[str]
    keys: tuple[str, ...]
    tables: frozenset[str]
    case: frozenset[str]


@frozen
class Expression(Queries):
    """An expression of the law language, read but not yet judged.

    Two expressions are equal if they differ only in spacing. `at` is the start of the expression
    in its clause, counted from 0.
    """

    text: str = field(compare=False)
    node: Node
    compile: Callable[[], Run] = field(compare=False, repr=False)
    at: int = field(default=0, compare=False)
    __reduce__, __copy__, __deepcopy__ = refuse_copying, itself, itself

    def walk(self) -> Iterator[Node]:
        """Yield every node of the expression's syntax tree."""
        return self.node.walk()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expression) and self.node.canonical == other.node.canonical

    def __hash__(self) -> int:
        return hash(self.node.canonical)

    @property
    def canonical(self) -> str:
        """The expression written out in one standard way."""
        return self.node.canonical

    @cached_property
    def run(self) -> Run:
        """The function that evaluates the expression; made when it is first needed, since many are only read."""
        return self.compile()

    @cached_property
    def step_cost(self) -> int:
        """The number of steps that evaluating it once costs, without those of the keys that it reads."""
        return 1 + self.node.size // 4

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The names of the law's keys, such as ``vote.quota``, that the expression reads directly."""
        return tuple(dict.fromkeys(node.text for node in self.walk() if node.kind == "key"))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names, of facts and of bound variables, that the expression reads; loop variables are left out."""
        inner = {node.text for node in self.walk() if node.loop}
        all_names = (node.text for node in self.walk() if node.kind == "name")
        return tuple(dict.fromkeys(name for name in all_names if name not in inner))

    @cached_property
    def words(self) -> frozenset[str]:
        """The names, fields and functions that the expression uses; fields also as OWNER.FIELD: ``change.kind``."""
        used = (node.text for node in self.walk() if node.kind in _USING_KINDS)
        return frozenset(
            (*used, *(".".join(field_path.split(".")[-2:]) for field_path in dotted_field_paths(self.node)))
        )

    @cached_property
    def constant(self) -> bool:
        """Whether the expression reads nothing of the game, and so always has the same value."""
        return not any(node.word for node in self.walk())


def dotted_field_paths(node: Node, loops: Mapping[str, str] = MappingProxyType({})) -> Iterator[str]:
    """Yield a path such as ``proposal.change.kind`` for each field and call; `loops` maps loop variables to paths.

    A loop variable over a list of one thing, or of its parts, has the path of that thing.
    """
    if node.parts and node.kind in ("field", "call"):
        yield f"{_path_of(node.parts[0], loops)}.{node.text}"
    elif node.loop:
        loops = {**loops, node.text: _path_of_list_members(node.parts[1], loops) or node.text}
    for part in node.parts:
        yield from dotted_field_paths(part, loops)


def _path_of(node: Node, loops: Mapping[str, str]) -> str:
    """Return a node's dotted path, such as ``proposal.change``; `loops` maps loop variables to their paths."""
    if node.field:
        return f"{_path_of(node.parts[0], loops)}.{node.text}"
    return loops.get(node.name, node.text)


def _path_of_list_members(node: Node, loops: Mapping[str, str]) -> str:
    """Return the dotted path that all members of a list share; an empty text if they have different ones."""
    if node.field == "parts":
        return _path_of(node.parts[0], loops)
    if node.loop == "list":
        return _path_of(node.parts[0], {**loops, node.text: _path_of_list_members(node.parts[1], loops)})
    members = {_path_of(part, loops) for part in node.list_items or ()}
    return members.pop() if len(members) == 1 else ""
