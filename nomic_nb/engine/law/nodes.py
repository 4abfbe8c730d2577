"""What an expression is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.values import Value
from nomic_nb.engine.law.view import View

#: How an expression is evaluated.
Run: TypeAlias = Callable[[View], Value]


@frozen
class Node:
    """A part of an expression.

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
    """

    kind: str
    column: int
    text: str = ""
    value: Value = None
    parts: tuple[Node, ...] = ()

    @property
    def size(self) -> int:
        """How many parts it has, with itself."""
        return 1 + sum(part.size for part in self.parts)

    def walk(self) -> Iterator[Node]:
        """Yield it and every part of it."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(node.parts)


class LookedAt(NamedTuple):
    """What an expression looks at: fields of the state, keys, what may be tables, and names of its case."""

    reads: frozenset[str]
    keys: tuple[str, ...]
    tables: frozenset[str]
    case: frozenset[str]


@frozen
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
        inner = {node.text for node in self.walk() if node.kind == "each"}
        found = (node.text for node in self.walk() if node.kind == "name")
        return tuple(dict.fromkeys(name for name in found if name not in inner))

    @cached_property
    def words(self) -> frozenset[str]:
        """Every name, field and function that it uses; fields also with what they are fields of: ``change.kind``."""
        used = (node.text for node in self.walk() if node.kind in _USED)
        return frozenset((*used, *(".".join(one.split(".")[-2:]) for one in paths(self.node))))

    @cached_property
    def constant(self) -> bool:
        """Whether it is the same in every case."""
        asking = ("name", "key", "field", "call", "entry", "keys", "afterwards")
        return not any(node.kind in asking for node in self.walk())

    @cached_property
    def supposes(self) -> bool:
        """Whether it asks what would be so if the change at hand were adopted."""
        return any(node.kind == "afterwards" for node in self.walk())


#: The kinds of part that name something of the game.
_USED = ("name", "field", "call", "entry", "keys", "afterwards")


def paths(node: Node, loops: Mapping[str, str] = MappingProxyType({})) -> Iterator[str]:
    """Yield the fields that a part uses with the way to them, and functions with what they are asked about.

    What goes through a list of one thing, or of its parts, is called as that thing is.
    """
    if node.parts and node.kind in ("field", "call"):
        yield f"{_path(node.parts[0], loops)}.{node.text}"
    elif node.kind == "each":
        loops = {**loops, node.text: _member(node.parts[1], loops) or node.text}
    for part in node.parts:
        yield from paths(part, loops)


def _path(node: Node, loops: Mapping[str, str]) -> str:
    """Return how a part is reached: ``proposal.change``."""
    if node.kind == "field":
        return f"{_path(node.parts[0], loops)}.{node.text}"
    return loops.get(node.text, node.text) if node.kind == "name" else node.text


def _member(node: Node, loops: Mapping[str, str]) -> str:
    """Return what a list consists of, where that is one thing, or its parts; empty where it is more."""
    if node.kind == "field" and node.text == "parts":
        return _path(node.parts[0], loops)
    if node.kind == "each" and node.value == "list":
        return _path(node.parts[0], {**loops, node.text: _member(node.parts[1], loops)})
    members = {_path(part, loops) for part in node.parts} if node.kind == "list" else set()
    return members.pop() if len(members) == 1 else ""


def all_of(node: Node) -> tuple[Node, ...]:
    """Return what is said to be so all together."""
    return tuple(one for part in node.parts for one in all_of(part)) if node.kind == "and" else (node,)


def canonical(node: Node) -> str:
    """Write a node so that nodes made alike are written alike."""
    parts = [canonical(part) for part in node.parts]
    match node.kind:
        case "constant":
            return v.shown(node.value)
        case "name" | "key":
            return node.text
        case "field":
            return f"{parts[0]}.{node.text}"
        case "call" | "entry" | "afterwards":
            return f"{node.text}({', '.join(parts)})"
        case "keys":
            return f"keys({node.text})"
        case "list":
            return f"[{', '.join(parts)}]"
        case "each":
            inner = f"{parts[0]} for {node.text} in {parts[1]} if {parts[2]}"
            return f"[{inner}]" if node.value == "list" else f"{node.value}({inner})"
        case "if":
            return f"({parts[0]} if {parts[1]} else {parts[2]})"
        case "not" | "minus":
            return f"{'not ' if node.kind == 'not' else '-'}{parts[0]}"
    return f"({f' {node.text} '.join(parts)})"


def conjuncts(node: Node) -> tuple[Node, ...]:
    """Return all that has to be so for a condition."""
    return node.parts if node.kind == "and" else (node,)


def own(condition: Expression | None) -> bool:
    """Tell whether a condition asks that it be the clause's own rule that something happens to."""
    return condition is not None and any(compares(one, "rule", "this") for one in conjuncts(condition.node))


def compares(node: Node, *words: str) -> bool:
    """Tell whether something is compared for being the same as something else."""
    return (node.kind, node.text) == ("compare", "==") and {canonical(one) for one in node.parts} == {*words}
