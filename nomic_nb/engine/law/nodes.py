"""What an expression sees while it is evaluated: the state, the names bound in the case, the law."""

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

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.values import HIDDEN_NUMBER, CaseNames, ThingRef, Value, value_text
from nomic_nb.engine.messages import Message, say

# ------------------------------------------------------------------- what an expression sees while it is evaluated


#: Calls and turns of a loop that one evaluation may take.
STEPS_PER_EVALUATION = 20_000
#: Steps of all evaluations in one action, or in one look at the law.
STEPS_PER_ACTION = 250_000
#: After how many steps it is noted whose they were.
STEPS_PER_SAMPLE = 1_000
#: How many parts of rules are left out that take most steps, each time that an action takes too many.
WORST_SIZES = (1, 5, 1_000)

#: What stands before what is found of a supposition.
IF_LAW_PREFIX = "if it were law, "

P = ParamSpec("P")
T = TypeVar("T")

#: A rule, by its id, and the key that its clauses set; no key for what it sets off.
LawPart = tuple[int, str]
#: What is said of a clause at which the kit itself fails.
FAILURE_TEXT = "fails because of an error in nomic_nb, not in the rule"
FAILURE_MESSAGE = say("kit-failed", "it {fails}", fails=FAILURE_TEXT)
#: What is left out of a step because it fails; None where no step is under way, and it is only looked at the law.
FAILING_CLAUSES: ContextVar[frozenset[LawPart] | None] = ContextVar("FAILING", default=None)


class ExpressionContext(Protocol):
    """What expressions speak of, as far as it must be known here: a `Vocabulary`."""

    def fact_of(self, name: str, view: View) -> Value:
        """Return what a fact is."""

    def field_of(self, of: ThingRef, name: str, view: View) -> Value:
        """Return a field of something, or its entry in a table."""

    @property
    def entry(self) -> Callable[[View, str, tuple[Value, ...]], Value]:
        """Reads an entry of a table."""

    @property
    def keys_of(self) -> Callable[[View, str], Value]:
        """Reads the first keys of a table."""


class LawBody(Protocol):
    """A body of law, as far as expressions must know it: a `Law`."""

    def hides(self, table: str) -> bool:
        """Tell whether only the owner of an entry of a table sees it."""

    @property
    def vocabulary(self) -> ExpressionContext:
        """What its rules may speak of."""

    def answer(self, key: str, state: object, env: CaseNames, within: View | None = None) -> Value:
        """Return what the law says of a key; raises `Undecided` where it does not say."""


def absent_message(what: str) -> Message:
    """Say that something has no value because the case it belongs to is not there."""
    return say("not-here", "there is no {what} here", what=what)


class Undecided(Exception):  # noqa: N818 - an answer, not a fault
    """The law gives no answer here.

    Parameters
    ----------
    reason : str
        Why, as a clause that can follow "because".
    finding : Finding, optional
        The finding at fault, where a key is concerned.
    when : str
        The case that an answer is for, as a condition of the law language; empty for every case.
    options : tuple of str
        Answers that lie at hand, as expressions of the law language.

    Attributes
    ----------
    turn : int
        The turn in which it came up, where that is another one than the turn that is under way; else 0.
    people : str
        What it is for people to say, as a clause that begins with whether; empty where it is another doubt.
    shows : tuple of str
        What functions found before it came up, in words.
    """

    def __init__(self, reason: str, finding: object = None, *, when: str = "", options: tuple[str, ...] = ()) -> None:
        self.reason, self.finding, self.when, self.options = reason, finding, when, options
        self.turn = 0
        self.people = ""
        self.shows: tuple[str, ...] = ()
        super().__init__(reason)


class AbsentName(Undecided):
    """A name has no value because the case it belongs to is not there."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(absent_message(name))


def _too_long_message(most: int) -> Undecided:
    return Undecided(say("calculation-too-long", "the calculation takes more than {most} steps", most=most))


class NotDone(Undecided):
    """What a clause says can plainly not be done as things stand: a list is empty, or a name is taken."""


class BudgetExceeded(Exception):  # noqa: N818 - not an answer of the law: an action has used up its steps
    """One action takes too many steps."""


class StepMeter:
    """The steps that one action may take in all, whoever looks the law up in it.

    Parameters
    ----------
    steps : int
        How many there are.
    left_out : frozenset of Part
        Clauses that give no answer, because they took too many steps.
    stops : bool
        Whether an action is stopped when they are spent; where it is only looked at the law, there is no answer then.
    anew : bool
        Whether everything is found anew: what is remembered tells how many steps it took, but not whose they were.
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
        #: The rule whose effects are at work, by its id: what play itself looks up for them is its doing; 0 for none.
        self.at_work = 0
        self.anew = anew or bool(left_out)  # what is left out now is remembered as it was
        self.past, self.left = 0, steps
        self.apart: StepMeter | None = None
        self.restart()

    def restart(self) -> None:
        """Begin again with all steps."""
        self.past = self.taken
        self.left, self.mark = self.steps, self.steps - STEPS_PER_SAMPLE
        self.whose: dict[LawPart, int] = {}
        #: What was found in it that takes many steps, and is looked at again and again.
        self.paid: dict[int, object] = {}
        #: What looks into what is to come takes from, in the same action: so that no other clause is at fault for it.
        self.apart = None

    @property
    def taken(self) -> int:
        """The steps that were taken in all, before it began again too."""
        apart = self.apart.taken if self.apart is not None and self.apart is not self else 0
        return self.past + self.steps - self.left + apart

    @contextmanager
    def running(self) -> Iterator[StepMeter]:
        """Let all evaluations take from it."""
        before = CURRENT_METER.set(self)
        try:
            yield self
        finally:
            CURRENT_METER.reset(before)

    def charge(self, steps: int, part: LawPart) -> None:
        """Take steps that were taken before, when what is remembered was found."""
        self.left -= steps
        if self.left < self.mark:
            self.note(part)

    def charge_first_time(self, what: object, steps: int, part: LawPart) -> None:
        """Take the steps of something that was found before, the first time that it is looked at."""
        if id(what) not in self.paid:
            self.mark_paid(what)
            self.charge(steps, part)

    def mark_paid(self, what: object) -> None:
        """Note that the steps of something are taken; it is kept, so that nothing else comes to have its id."""
        self.paid[id(what)] = what

    def note(self, part: LawPart) -> None:
        """Note whose the last steps were.

        Raises
        ------
        Spent, Undecided
            There are none left.
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
            raise _too_long_message(STEPS_PER_ACTION)

    def costly(self, most: int) -> frozenset[LawPart]:
        """Return the parts of rules that took most steps: the first so many."""
        known = Counter({part: samples for part, samples in self.whose.items() if part[0]})
        return frozenset(part for part, _ in known.most_common(most))


#: The meter that runs.
CURRENT_METER: ContextVar[StepMeter | None] = ContextVar("METER", default=None)


def limit_steps(steps: int) -> AbstractContextManager[StepMeter]:
    """Count what is evaluated meanwhile, and raise `BudgetExceeded` beyond these steps."""
    return StepMeter(steps, stops=True).running()


def use_meter() -> AbstractContextManager[StepMeter]:
    """Let a look at the law take from the meter that runs, or from one of its own."""
    meter = CURRENT_METER.get()
    return StepMeter().running() if meter is None else nullcontext(meter)


def leave_out_costly(look: Callable[P, T]) -> Callable[P, T]:
    """Let a look at what is open leave out what takes too many steps as an action does; within one it is part of it."""

    @wraps(look)
    def looked(*args: P.args, **kwargs: P.kwargs) -> T:
        if CURRENT_METER.get() is not None:
            return look(*args, **kwargs)
        left_out = frozenset[LawPart]()
        for at, most in enumerate((0, *WORST_SIZES)):
            meter = StepMeter(STEPS_PER_ACTION >> max(at - 1, 0), left_out, stops=True, anew=at > 0)
            try:
                with meter.running():
                    return look(*args, **kwargs)
            except BudgetExceeded:
                left_out |= meter.costly(most)
        with StepMeter(left_out=left_out).running():
            return look(*args, **kwargs)

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

    __slots__ = ("env", "evidence", "known", "law", "meter", "open_keys", "plus", "rounded", "state", "steps", "trace")

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
        """Look at the next case: the same but for what this name stands for."""
        self.env[name] = value
        self.known.clear()
        self.evidence.clear()
        self.steps = STEPS_PER_EVALUATION

    def within(self, state: Any, law: LawBody, run: Callable[[View], Value]) -> Value:
        """Return what something comes to in the same case under another state and law, on the same budget."""
        then = View(state, self.env, law)
        then.steps, then.open_keys = self.steps, self.open_keys
        try:
            return run(then)
        finally:
            self.steps = then.steps
            self.evidence |= {f"then {name}": IF_LAW_PREFIX + words for name, words in then.evidence.items()}

    def spend(self, steps: int = 1, work: int = 0) -> None:
        """Take from the budget of this evaluation; what is more work than it has steps, from that of the action."""
        self.steps -= steps
        meter = self.meter
        if meter is not None:
            meter.left -= steps + work
            if meter.left < meter.mark:
                meter.note(self.part)
        if self.steps < 0:
            raise _too_long_message(STEPS_PER_EVALUATION)

    @property
    def part(self) -> LawPart:
        """Whose clauses are evaluated."""
        this = self.env.get("this")
        return (cast(int, this.id) if isinstance(this, ThingRef) else 0, self.open_keys[-1] if self.open_keys else "")

    def check_left_out(self) -> None:
        """Say that there is no answer where clauses are left out that take too many steps.

        Raises
        ------
        Undecided
            They are.
        """
        if self.part in (FAILING_CLAUSES.get() or ()):
            raise Undecided(FAILURE_MESSAGE)
        if self.meter is not None and self.part in self.meter.left_out:
            raise Undecided(
                say(
                    "steps-used-up",
                    "it takes too many of the {most:,} steps that one action may take",
                    most=STEPS_PER_ACTION,
                )
            )

    def name(self, name: str) -> Value:
        """Return what a bound name or a fact stands for."""
        env = self.env
        if name in env:
            value = env[name]
        else:
            value = self.law.vocabulary.fact_of(name, self)
            if type(value) is tuple:  # a long list is work
                self.spend(0, len(value) // 4)
        self.trace[name] = value
        return value

    def key(self, name: str, **bound: Value) -> Value:
        """Return what the law says of a key, in this very case or with more names bound."""
        value = self.law.answer(name, self.state, {**self.env, **bound} if bound else self.env, self)
        self.trace[name] = value
        return value

    def field(self, of: Value, name: str) -> Value:
        """Return a field of something that the law points at, or its entry in a table."""
        if not isinstance(of, ThingRef):
            raise Undecided(say("field-missing", "there is nothing here that has {name}", name=name))
        self.spend()
        value = self.law.vocabulary.field_of(of, name, self)
        if type(value) is tuple:
            self.spend(0, len(value) // 4)
        return value

    def entry(self, name: str, keys: tuple[Value, ...]) -> Value:
        """Return what a table has in a place."""
        self.spend()
        value = self.law.vocabulary.entry(self, name, keys)
        at = f"{name}({', '.join([value_text(one, 8) for one in keys])})"
        self.trace[at] = HIDDEN_NUMBER if self.law.hides(name) else value
        return value

    def keys_of(self, name: str) -> Value:
        """Return the first keys of what a table holds."""
        self.spend()
        value = self.law.vocabulary.keys_of(self, name)
        if type(value) is tuple:
            self.spend(0, len(value) // 4)
        return value


# ----------------------------------------------------------------------------------- what an expression is made of


#: The kinds of part that name something of the game, but for keys.
_USING_KINDS = ("name", "field", "call", "entry", "keys", "afterwards")
#: How an expression is evaluated.
Run: TypeAlias = Callable[[View], Value]


class Queries:
    """What can be asked of everything that expressions stand in, however deep inside it is."""

    def walk(self) -> Iterator[Node]:
        """Yield every part of its expressions."""
        raise NotImplementedError

    def calls(self, *functions: str) -> Iterator[Node]:
        """Yield the calls of these functions."""
        return (one for one in self.walk() if one.function in functions)

    def values(self) -> Iterator[Value]:
        """Yield the values that are written out."""
        return (one.value for one in self.walk() if one.is_constant)

    def texts(self) -> Iterator[str]:
        """Yield the texts that are written out."""
        return (one for one in self.values() if isinstance(one, str))

    def numbers(self) -> Iterator[int]:
        """Yield the numbers that are written out, without their signs."""
        return (one for one in self.values() if type(one) is int)

    def comparisons(self) -> Iterator[tuple[Node, ...]]:
        """Yield what is compared: each side, with the other."""
        return (pair for one in self.walk() for pair in one.sides)

    def compared_with(self, name: str) -> Iterator[Node]:
        """Yield what a name is compared with."""
        return (other for one, other in self.comparisons() if one.name == name)


class TextOf(Protocol):
    """The text of a part, if it is of some kinds; empty for any other part."""

    def __get__(self, node: Node, _: object, /) -> str: ...


def _text_of(*kinds: str) -> TextOf:
    # A property is found faster than any other descriptor, and these are asked for all the time.
    return cast(TextOf, property(lambda node: node.text if node.kind in kinds else ""))


@frozen
class Node(Queries):
    """A part of an expression.

    Only reading, types, evaluation and its wording compare its kind; everybody else asks by a name from here.

    Parameters
    ----------
    kind : str
        ``constant``, ``name``, ``key``, ``field``, ``call``, ``entry`` of a table, its ``keys``, ``list``, ``each``,
        ``if``, ``and``, ``or``, ``not``, ``minus``, ``compare``, ``reckon`` or ``afterwards``.
    column : int
        Where it begins in the expression, counted from 0.
    text : str
        The name, operator or function.
    value : Value
        What a constant stands for.
    parts : tuple of Node
        What it is made of; an ``each`` has the element, the list and the condition.
    loop : str
        What an ``each`` makes: ``list``, ``any``, ``all``, ``count`` or ``sum``.
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

    @property
    def canonical(self) -> str:
        """Its text, the same for all that are made alike."""
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
                inner = f"{parts[0]} for {self.text} in {parts[1]} if {parts[2]}"
                return f"[{inner}]" if self.loop == "list" else f"{self.loop}({inner})"
            case "if":
                return f"({parts[0]} if {parts[1]} else {parts[2]})"
            case "not" | "minus":
                return f"{'not ' if self.kind == 'not' else '-'}{parts[0]}"
        return f"({f' {self.text} '.join(parts)})"

    @property
    def size(self) -> int:
        """How many parts it has, with itself."""
        return 1 + sum(part.size for part in self.parts)

    @property
    def is_constant(self) -> bool:
        """Whether it is a value that is written out."""
        return self.kind == "constant"

    @property
    def negated(self) -> Node | None:
        """What it has the other sign of; None where it is no such number."""
        return self.parts[0] if self.kind == "minus" else None

    @property
    def branches(self) -> tuple[Node, ...]:
        """A value, its condition, and the value without it; nothing where it is no choice."""
        return self.parts if self.kind == "if" else ()

    @property
    def listed(self) -> tuple[Node, ...] | None:
        """What a list has that is written out; None where it is none."""
        return self.parts if self.kind == "list" else None

    @property
    def members(self) -> tuple[Node, ...]:
        """What a list has that is written out; of anything else, it alone."""
        return self.parts if self.kind == "list" else (self,)

    @property
    def sides(self) -> tuple[tuple[Node, ...], ...]:
        """Each side of a comparison, with the other."""
        return (self.parts, self.parts[::-1]) if self.kind == "compare" else ()

    @property
    def conjuncts(self) -> tuple[Node, ...]:
        """All that has to be so for a condition."""
        return tuple(one for part in self.parts for one in part.conjuncts) if self.kind == "and" else (self,)

    @property
    def possible_texts(self) -> Iterator[str]:
        """The texts that it can be: itself, or what a list or a choice has; no keys of tables."""
        return (
            one.value for one in self.walk(lambda one: one.listed or one.branches[::2]) if isinstance(one.value, str)
        )

    @property
    def possible_constants(self) -> Iterator[Node]:
        """The constants that it may come to, alone or in a list, and not those that it only compares."""

        def results(one: Node) -> tuple[Node, ...]:
            if one.arithmetic:
                return one.parts
            return one.listed or one.branches[::2] or (one.parts[:1] if one.loop or one.function else ())

        return (one for one in self.walk(results) if one.is_constant)

    def equates(self, *words: str) -> bool:
        """Tell whether it compares two things for being the same."""
        return self.comparison == "==" and {one.canonical for one in self.parts} == {*words}

    def walk(self, into: Callable[[Node], tuple[Node, ...]] | None = None) -> Iterator[Node]:
        """Yield it and the parts of it: all of them, or those `into` which it goes from each."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += (node.parts if into is None else into(node))[::-1]


def walk_all(expressions: Iterable[Expression]) -> Iterator[Node]:
    """Yield every part of several expressions."""
    return (node for one in expressions for node in one.walk())


class ExpressionReads(NamedTuple):
    """What an expression looks at: fields of the state, keys, what may be tables, and names of its case."""

    reads: frozenset[str]
    keys: tuple[str, ...]
    tables: frozenset[str]
    case: frozenset[str]


@frozen
class Expression(Queries):
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
        return self.node.walk()

    @cached_property
    def work(self) -> int:
        """How many steps of an action it is worth to evaluate it, apart from what it looks up."""
        return 1 + self.node.size // 4

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The keys that it looks up itself."""
        return tuple(dict.fromkeys(node.text for node in self.walk() if node.kind == "key"))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The facts and bound names that it reads."""
        inner = {node.text for node in self.walk() if node.loop}
        found = (node.text for node in self.walk() if node.kind == "name")
        return tuple(dict.fromkeys(name for name in found if name not in inner))

    @cached_property
    def words(self) -> frozenset[str]:
        """Every name, field and function that it uses; fields also with what they are fields of: ``change.kind``."""
        used = (node.text for node in self.walk() if node.kind in _USING_KINDS)
        return frozenset((*used, *(".".join(one.split(".")[-2:]) for one in field_paths(self.node))))

    @cached_property
    def constant(self) -> bool:
        """Whether it is the same in every case."""
        return not any(node.word for node in self.walk())

    @cached_property
    def supposes(self) -> bool:
        """Whether it asks what would be so if the change at hand were adopted."""
        return any(node.supposition for node in self.walk())


def field_paths(node: Node, loops: Mapping[str, str] = MappingProxyType({})) -> Iterator[str]:
    """Yield the fields that a part uses with the way to them, and functions with what they are asked about.

    What goes through a list of one thing, or of its parts, is called as that thing is.
    """
    if node.parts and node.kind in ("field", "call"):
        yield f"{_path_of(node.parts[0], loops)}.{node.text}"
    elif node.loop:
        loops = {**loops, node.text: _list_member(node.parts[1], loops) or node.text}
    for part in node.parts:
        yield from field_paths(part, loops)


def _path_of(node: Node, loops: Mapping[str, str]) -> str:
    """Return how a part is reached: ``proposal.change``."""
    if node.field:
        return f"{_path_of(node.parts[0], loops)}.{node.text}"
    return loops.get(node.name, node.text)


def _list_member(node: Node, loops: Mapping[str, str]) -> str:
    """Return what a list consists of, where that is one thing, or its parts; empty where it is more."""
    if node.field == "parts":
        return _path_of(node.parts[0], loops)
    if node.loop == "list":
        return _path_of(node.parts[0], {**loops, node.text: _list_member(node.parts[1], loops)})
    members = {_path_of(part, loops) for part in node.listed or ()}
    return members.pop() if len(members) == 1 else ""
