"""The types of expressions: what goes together, said before anyone votes."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass

from nomic_nb.errors import LawError
from nomic_nb.law import values as v
from nomic_nb.law.everyday import meant_by, suggestions
from nomic_nb.law.nodes import Expression, Node, canonical
from nomic_nb.law.tables import Shape, not_per, too_many
from nomic_nb.law.values import Type, Value
from nomic_nb.law.vocabulary import Vocabulary


@dataclass(frozen=True)
class Scope:
    """The names that an expression may use, with their types, and the tables that rules track."""

    vocabulary: Vocabulary
    names: Mapping[str, Type]
    tables: Mapping[str, Shape]

    def plus(self, **names: Type) -> Scope:
        """Return the scope with more names bound."""
        return Scope(self.vocabulary, {**self.names, **names}, self.tables)

    def lookup(self, name: str) -> Type | None:
        """Return the type of a name, or None where it means nothing here."""
        if name in self.names:
            return self.names[name]
        fact = self.vocabulary.facts.get(name)
        if fact is None or any(need not in self.names for need in fact.needs):
            return None
        return fact.type


def type_of(expression: Expression, scope: Scope) -> Type:
    """Return the type of an expression, or refuse it.

    Raises
    ------
    LawError
        A name that means nothing here, or values that do not go together.
    """
    return _Typer(expression.text, scope).type(expression.node)


def such_as(wanted: Type, found: Type, vocabulary: Vocabulary) -> str:
    """Return the functions that find what is wanted by its name, where a name was given in its place."""
    finders = [
        one.name
        for one in vocabulary.functions.values()
        if one.parameters == (v.TEXT,) == (found,)
        and isinstance(one.result, Type)
        and wanted in (one.result, v.maybe(one.result))
    ]
    return "".join(f', such as {name}("…")' for name in finders)


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
            f"{what} is {wanted.one}", found=f"{found.one}",
            expected=f"{wanted.one}{such_as(wanted, found, scope.vocabulary)}", text=expression.text,
        )  # fmt: skip


class _Typer:
    def __init__(self, text: str, scope: Scope) -> None:
        self.text, self.scope = text, scope

    def refuse(self, node: Node, message: str, found: str = "", expected: str = "") -> LawError:
        return LawError(message, column=node.column + 1, found=found, expected=expected, text=self.text)

    def such_as(self, wanted: Type, found: Type) -> str:
        return such_as(wanted, found, self.scope.vocabulary)

    def want(self, node: Node, wanted: Type) -> None:
        found = self.type(node)
        if found.name != wanted.name and found.name != "nothing":
            raise self.refuse(
                node, f"{wanted.one} is needed here", f"{found.one}", f"{wanted.one}{self.such_as(wanted, found)}"
            )

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
            case "reckon" if node.text == "+" and self.type(node.parts[0]).name in ("text", "list"):
                return self.same(node, [self.type(part) for part in node.parts])
            case "minus" | "reckon":
                for part in node.parts:
                    self.want(part, v.NUMBER)
                return v.NUMBER
            case "if":
                self.want(node.parts[1], v.TRUTH)
                return self.same(node, [self.type(node.parts[0]), self.type(node.parts[2])])
            case "compare":
                return self.compare(node)
            case "call" | "entry" | "keys":
                return {"call": self.call, "entry": self.entry, "keys": self.keys}[node.kind](node)
        return self.each(node) if node.kind == "each" else self.afterwards(node)

    def afterwards(self, node: Node) -> Type:
        if "proposal" not in self.scope.names:
            raise self.refuse(node, f"{node.text} is not known here: no change is at hand", node.text)
        return self.type(node.parts[0])

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
        if node.text in self.scope.vocabulary.functions:
            raise self.refuse(node, f"{node.text} is a function", node.text, f"{node.text}(…)")
        vocabulary, names = self.scope.vocabulary, self.scope.names
        known = dict.fromkeys((*names, "none"), "")
        known |= {one.name: one.meaning for one in vocabulary.facts.values() if set(one.needs) <= set(names)}
        known |= {one.name: one.meaning for one in vocabulary.keys.values() if set(one.case) <= set(names)}
        if node.text == "otherwise":
            said = "otherwise is what a term would be without a clause: it stands in the value that is set"
            raise self.refuse(node, said, node.text)
        near = suggestions(node.text, known)
        if not near and node.text[0].isupper():
            near = [f'"{node.text}", in quotation marks, for a name']
        raise self.refuse(node, f"nothing is called {node.text} here", node.text, ", ".join(near))

    def key(self, node: Node) -> Type:
        key = self.scope.vocabulary.keys[node.text]
        missing = [name for name in key.case if name not in self.scope.names]
        if missing:
            raise self.refuse(node, f"{node.text} is not known here: it needs {' and '.join(missing)}", node.text)
        return key.type if key.ranks else v.worded(key.type, key.values)

    def field(self, node: Node) -> Type:
        dotted = canonical(node)
        first = dotted.partition(".")[0]
        # Near names are looked for only where there is a fault: it takes as long as all the rest.
        if self.scope.lookup(first) is None and first in {key.partition(".")[0] for key in self.scope.vocabulary.keys}:
            near = self.near_keys(dotted)
            if near:
                raise self.refuse(node, f"there is no key {dotted}", dotted, ", ".join(near))
        of = self.type(node.parts[0])
        record = self.scope.vocabulary.records.get(of.name)
        if record is None:
            raise self.refuse(node, f"{of.one} has no {node.text}", node.text, ", ".join(self.near_keys(dotted)))
        for one in record.fields:
            if one.name == node.text:
                return one.type
        kept = {name: one for name, one in self.scope.tables.items() if one.per == record.name}
        if node.text in kept:
            return kept[node.text].holds
        known = [*(one.name for one in record.fields), *kept]
        meant = ", ".join(meant_by(node.text, known)) or "one of " + ", ".join(known)
        raise self.refuse(node, f"{Type(of.name).one} has no {node.text}", node.text, meant)

    def near_keys(self, dotted: str) -> list[str]:
        return difflib.get_close_matches(dotted, self.scope.vocabulary.keys, 3)

    def same(self, node: Node, types: list[Type]) -> Type:
        found = v.NOTHING
        for one in types:
            both = v.joined(found, one)
            if both is None:
                raise self.refuse(
                    node, "these are not of the same kind", f"{found.one} and {one.one}", "values of one kind"
                )
            found = both
        return found

    def compare(self, node: Node) -> Type:
        left, right = self.type(node.parts[0]), self.type(node.parts[1])
        for at, found in enumerate((left, right)):
            if found.name == "poll":
                poll, other = (canonical(node.parts[which]) for which in (at, 1 - at))
                raise self.refuse(node.parts[at], "several answer", poll, f"count(who({poll}, {other}))")
        if node.text in ("in", "not in"):
            if right.name != "list":
                raise self.refuse(node.parts[1], "in looks into a list", f"{right.one}", "a list")
            if right.item and v.joined(left, right.item) is None:
                raise self.refuse(node, f"{right.one} never contains {left.one}")
        elif node.text in ("==", "!="):
            if v.joined(left, right) is None:
                finders = self.such_as(left, right) or self.such_as(right, left)
                raise self.refuse(
                    node, f"{left.one} never equals {right.one}", expected=finders.removeprefix(", such as ")
                )
        else:
            self.want(node.parts[0], v.NUMBER)
            self.want(node.parts[1], v.NUMBER)
        self.never(node.parts[0], left.item or left, node.parts[1])
        self.never(node.parts[1], right.item or right, node.parts[0])
        return v.TRUTH

    def never(self, one: Node, type: Type, other: Node) -> None:
        """Refuse to compare with a text what never is that text."""
        numbers = [name for name, shape in self.scope.tables.items() if shape.counts]
        known = {"counter": self.scope.tables, "key": self.scope.vocabulary.keys, "numbers": numbers}
        words = tuple(known[type.words]) if isinstance(type.words, str) else type.words
        for part in other.parts if other.kind == "list" else (other,):
            if type.words and part.kind == "constant" and isinstance(part.value, str) and part.value not in words:
                near = difflib.get_close_matches(part.value, words, 4) or words
                raise self.refuse(
                    part,
                    f"{canonical(one)} never has the text {v.shown(part.value)}",
                    v.shown(part.value),
                    ", ".join(near) or "a track clause, since nothing is counted",
                )

    def call(self, node: Node) -> Type:
        function = self.scope.vocabulary.functions[node.text]
        given = tuple(self.type(part) for part in node.parts)
        wanted = function.parameters
        if function.variadic and len(given) > len(wanted):
            wanted += (wanted[-1],) * (len(given) - len(wanted))
        if len(given) != len(wanted):
            listed = len(wanted) == 1 and wanted[0].item is not None and given and given[0].item is None
            expected = f"a list, in square brackets: {node.text}([…, …])" if listed else f"{len(wanted)}"
            raise self.refuse(node, f"{node.text} takes {len(wanted)} values", f"{len(given)}", expected)
        for part, one, want in zip(node.parts, given, wanted, strict=True):
            if want.name != "any" and not v.fits(one, want):
                raise self.refuse(
                    part, f"{node.text} takes {want.one}", f"{one.one}", f"{want.one}{self.such_as(want, one)}"
                )
        try:
            if function.holds is not None:
                held = function.holds(given[0])
                if v.joined(held, given[-1]) is None:
                    raise self.refuse(node.parts[-1], f"{held.one} never equals {given[-1].one}")
                self.never(node.parts[0], held, node.parts[-1])
            return function.result if isinstance(function.result, Type) else function.result(given)
        except LawError as error:
            if error.text:  # it has its place
                raise
            raise self.refuse(node, error.message, error.found, error.expected) from None

    def entry(self, node: Node) -> Type:
        """Return the type of an entry of a table."""
        shape = self.scope.tables.get(node.text)
        if shape is None:
            known = [*self.scope.vocabulary.functions, *self.scope.tables]
            near = ", ".join(difflib.get_close_matches(node.text, known, 3))
            wanted = near or "a function of the language, or a table that a rule tracks"
            raise self.refuse(node, f"there is no function {node.text}", node.text, wanted)
        given = [self.type(part) for part in node.parts]
        if len(given) != len(shape.keys):
            said, expected = too_many(node.text, shape, len(given))
            raise self.refuse(node, said, "", expected)
        for at, (part, found) in enumerate(zip(node.parts, given, strict=True)):
            wanted_here = shape.type_of_key(at)
            if not v.fits(found, wanted_here):
                finder = self.such_as(wanted_here, found).removeprefix(", ")
                said, expected = not_per(node.text, shape, found, finder)
                raise self.refuse(part, said, found.one, expected)
        return shape.holds

    def keys(self, node: Node) -> Type:
        """Return the type of the keys of a table: a list of the first of each entry."""
        shape = self.scope.tables.get(node.text)
        if shape is None:
            near = ", ".join(difflib.get_close_matches(node.text, self.scope.tables, 3))
            raise self.refuse(node, f"no rule tracks {node.text}", node.text, near or "a table, as in keys(price)")
        if not shape.keys:
            said = f"{node.text} is kept per game, and has no keys"
            raise self.refuse(node, said, node.text, f"game.{node.text}")
        return v.list_of(shape.type_of_key(0))

    def each(self, node: Node) -> Type:
        element, many, condition = node.parts
        found = self.type(many)
        if found.name != "list" or found.item is None:
            raise self.refuse(many, "for goes through a list", f"{found.one}", "a list")
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
