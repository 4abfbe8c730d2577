"""The types of expressions: what goes together, said before anyone votes."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from nomic_nb.engine.errors import LawError
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.expressions import IN_TIME, means_something
from nomic_nb.engine.law.hints import meant_by, suggestions
from nomic_nb.engine.law.nodes import Expression, Node, canonical
from nomic_nb.engine.law.tables import Shape, kept_per, written
from nomic_nb.engine.law.values import Type
from nomic_nb.engine.law.vocabulary import Vocabulary, untracked
from nomic_nb.engine.messages import Message, say

S = TypeVar("S", bound="Scope")


@frozen
class Scope:
    """The names that an expression may use, with their types, and the tables that rules track."""

    vocabulary: Vocabulary
    names: Mapping[str, Type]
    tables: Mapping[str, Shape]

    def plus(self: S, **names: Type) -> S:
        """Return the scope with more names bound."""
        return self.but(names={**self.names, **names})

    def but(self: S, **other: Any) -> S:
        """Return the same but for some fields: as `replace` of dataclasses does, in a tenth of the time."""
        made = object.__new__(type(self))
        vars(made).update(vars(self), **other)
        return made

    def lookup(self, name: str) -> Type | None:
        """Return the type of a name, or None where it means nothing here."""
        if name in self.names:
            return self.names[name]
        fact = self.vocabulary.facts.get(name)
        return fact.type if fact and self.names.keys() >= set(fact.needs) else None

    def such_as(self, wanted: Type, found: Type) -> str:
        """Return the functions that find what is wanted by its name, where a name was given in its place."""
        finders = [
            one.name
            for one in self.vocabulary.functions.values()
            if one.parameters == (v.TEXT,) == (found,)
            and isinstance(one.result, Type)
            and wanted in (one.result, v.maybe(one.result))
        ]
        return "".join(f', such as {name}("…")' for name in finders)

    def misplaced(self, name: str, given: Sequence[Type]) -> tuple[int | None, Message, str] | None:
        """Return which key of an entry does not fit, why, and what would; none where there are too many, or too few.

        Parameters
        ----------
        name : str
            Of the table.
        given : sequence of Type
            What stands in the brackets.
        """
        shape = self.tables[name]
        said = kept_per(name, shape)
        if len(given) != len(shape.keys):
            return (
                None,
                said.within(
                    "{message}: {many} in brackets, not {count}",
                    many=("none", "one", "two")[len(shape.keys)],
                    count=len(given),
                ),
                written(name, shape),
            )
        for at, found in enumerate(given):
            wanted = shape.type_of_key(at)
            if not v.fits(found, wanted):
                finder = self.such_as(wanted, found).removeprefix(", ")
                return at, not_per(said, found), finder or f"such as {written(name, shape)}"
        return None

    def type_of(self, expression: Expression) -> Type:
        """Return the type of an expression, or refuse it.

        Raises
        ------
        LawError
            A name that means nothing here, or values that do not go together.
        """
        try:
            return self.type(expression.node)
        except LawError as error:
            error.offset = expression.at + error.column - 1
            raise

    def refuse(self, node: Node, message: Message, found: str = "", expected: str = "") -> LawError:
        """Return the error of a part of an expression."""
        return LawError(message, column=node.column + 1, found=found, expected=expected)

    def lacking(self, node: Node, needs: Iterable[str]) -> LawError:
        """Return the error of a name that is known where there is more."""
        return self.refuse(
            node,
            say("needs-more", "{name} is not known here: it needs {needs}", name=node.text, needs=" and ".join(needs)),
            node.text,
        )

    def unfit(self, node: Node, message: Message, found: Type, wanted: Type) -> LawError:
        """Return the error of a part that is of another type than is wanted."""
        return self.refuse(node, message, found.one, f"{wanted.one}{self.such_as(wanted, found)}")

    def fit(self, node: Node, found: Type, wanted: Type) -> None:
        """Refuse a part of another type."""
        if found.name not in (wanted.name, "nothing"):
            raise self.unfit(node, say("kind-expected", "{kind} is needed here", kind=wanted.one), found, wanted)

    def want(self, wanted: Type, *nodes: Node) -> Type:
        """Refuse parts of another type; return what they are."""
        for node in nodes:
            self.fit(node, self.type(node), wanted)
        return wanted

    def type(self, node: Node) -> Type:
        """Return the type of a part of an expression."""
        match node.kind:
            case "constant":
                return _CONSTANTS.get(type(node.value), v.NUMBER)
            case "list":
                return v.list_of(self.same(node, *map(self.type, node.parts)))
            case "and" | "or" | "not":
                return self.want(v.TRUTH, *node.parts)
            case "minus":
                return self.want(v.NUMBER, *node.parts)
            case "reckon":
                given = [self.type(part) for part in node.parts]
                if node.text == "+" and given[0].name in ("text", "list"):
                    return self.same(node, *given)
                for part, found in zip(node.parts, given, strict=True):
                    self.fit(part, found, v.NUMBER)
                return v.NUMBER
            case "if":
                self.want(v.TRUTH, node.parts[1])
                return self.same(node, *map(self.type, node.parts[::2]))
        return _OF_KIND[node.kind](self, node)

    def afterwards(self, node: Node) -> Type:
        """Return the type of what would be so if the change at hand were adopted."""
        if "proposal" not in self.names:
            raise self.refuse(
                node,
                say("no-change-at-hand", "{name} is not known here: no change is at hand", name=node.text),
                node.text,
            )
        found = self.type(node.parts[0])
        if node.text == IN_TIME:
            self.fit(node.parts[0], found, v.TRUTH)
        return found

    def name(self, node: Node) -> Type:
        """Return the type of a name."""
        name, words, names = node.text, self.vocabulary, self.names
        found = self.lookup(name)
        if found is not None:
            return found
        if name in words.facts:
            raise self.lacking(node, words.facts[name].needs)
        if name in words.functions:
            raise self.refuse(
                node, say("function-without-brackets", "{name} is a function", name=name), name, f"{name}(…)"
            )
        if name == "otherwise":
            said = say(
                "otherwise-misplaced",
                "otherwise is what a term would be without a clause: it stands in the value that is set",
            )
            raise self.refuse(node, said, name)
        known = dict.fromkeys((*names, "none"), "")
        known |= {one.name: one.meaning for one in words.facts.values() if names.keys() >= set(one.needs)}
        known |= {one.name: one.meaning for one in words.keys.values() if names.keys() >= set(one.case)}
        near = suggestions(name, known)
        if not near and name[0].isupper():
            near = [f'"{name}", in quotation marks, for a name']
        raise self.refuse(node, say("name-unknown", "nothing is called {name} here", name=name), name, ", ".join(near))

    def key(self, node: Node) -> Type:
        """Return the type of a key."""
        key = self.vocabulary.keys[node.text]
        missing = [name for name in key.case if name not in self.names]
        if missing:
            raise self.lacking(node, missing)
        return key.type if key.ranks else v.worded(key.type, key.values)

    def field(self, node: Node) -> Type:
        """Return the type of a field."""
        dotted, name, keys = canonical(node), node.text, self.vocabulary.keys
        first = dotted.partition(".")[0]
        unknown = self.lookup(first) is None and any(key.startswith(f"{first}.") for key in keys)
        if unknown and (near := _near(dotted, keys)):
            raise self.refuse(node, no_key(dotted), dotted, near)
        of = self.type(node.parts[0])
        record = self.vocabulary.records.get(of.name)
        if record is None:
            raise self.refuse(node, _without(of, name), name, _near(dotted, keys))
        known = {one.name: one.type for one in record.fields}
        kept = {one: shape.holds for one, shape in self.tables.items() if shape.per == record.name}
        known = {**known, **kept, **known}
        if name in known:
            return known[name]
        meant = ", ".join(meant_by(name, known)) or "one of " + ", ".join(known)
        raise self.refuse(node, _without(Type(of.name), name), name, meant)

    def same(self, node: Node, *types: Type) -> Type:
        """Return the type that all of these go together as."""
        found = v.NOTHING
        for one in types:
            both = v.joined(found, one)
            if both is None:
                said = f"{found.one} and {one.one}"
                raise self.refuse(
                    node, say("kinds-differ", "these are not of the same kind"), said, "values of one kind"
                )
            found = both
        return found

    def compare(self, node: Node) -> Type:
        """Return the type of a comparison, whose sides go together."""
        one, other = node.parts
        left, right = self.type(one), self.type(other)
        for part, found, against in ((one, left, other), (other, right, one)):
            if found.name == "poll":
                counted = f"count(who({canonical(part)}, {canonical(against)}))"
                raise self.refuse(part, say("several-answer", "several answer"), canonical(part), counted)
        if node.text in ("in", "not in"):
            if right.name != "list":
                raise self.refuse(other, say("in-without-list", "in looks into a list"), right.one, "a list")
            if right.item and v.joined(left, right.item) is None:
                raise self.refuse(
                    node, say("never-contains", "{list} never contains {kind}", list=right.one, kind=left.one)
                )
        elif node.text in ("==", "!="):
            if v.joined(left, right) is None:
                finders = self.such_as(left, right) or self.such_as(right, left)
                said = _unequal(left, right)
                raise self.refuse(node, said, expected=finders.removeprefix(", such as "))
        else:
            self.fit(one, left, v.NUMBER)
            self.fit(other, right, v.NUMBER)
        self.never(one, left.item or left, other)
        self.never(other, right.item or right, one)
        return v.TRUTH

    def never(self, one: Node, type: Type, other: Node) -> None:
        """Refuse to compare with a text what never is that text."""
        numbers = [name for name, shape in self.tables.items() if shape.counts]
        known = {"counter": self.tables, "key": self.vocabulary.keys, "numbers": numbers}
        words = tuple(known[type.words]) if isinstance(type.words, str) else type.words
        for part in other.parts if other.kind == "list" else (other,):
            if type.words and part.kind == "constant" and isinstance(part.value, str) and part.value not in words:
                near = _near(part.value, words, 4) or ", ".join(words) or "a track clause, since nothing is counted"
                text = v.shown(part.value)
                raise self.refuse(
                    part,
                    say("never-has-text", "{of} never has the text {text}", of=canonical(one), text=text),
                    text,
                    near,
                )

    def call(self, node: Node) -> Type:
        """Return the type of what a function gives."""
        function = self.vocabulary.functions[node.text]
        given = tuple(self.type(part) for part in node.parts)
        wanted = function.parameters
        if function.variadic:
            wanted += (wanted[-1],) * (len(given) - len(wanted))
        if len(given) != len(wanted):
            listed = len(wanted) == 1 and wanted[0].item is not None and given and given[0].item is None
            expected = f"a list, in square brackets: {node.text}([…, …])" if listed else f"{len(wanted)}"
            raise self.refuse(
                node,
                say("argument-count", "{function} takes {count} values", function=node.text, count=len(wanted)),
                f"{len(given)}",
                expected,
            )
        for part, found, want in zip(node.parts, given, wanted, strict=True):
            if want.name != "any" and not v.fits(found, want):
                raise self.unfit(
                    part,
                    say("argument-kind", "{function} takes {kind}", function=node.text, kind=want.one),
                    found,
                    want,
                )
        try:
            held = function.holds(given[0]) if function.holds is not None else None
            result = function.result if isinstance(function.result, Type) else function.result(given)
        except LawError as error:
            raise self.refuse(node, error.message, error.found, error.expected) from None
        if held is not None:
            if v.joined(held, given[-1]) is None:
                raise self.refuse(node.parts[-1], _unequal(held, given[-1]))
            self.never(node.parts[0], held, node.parts[-1])
        return result

    def entry(self, node: Node) -> Type:
        """Return the type of an entry of a table."""
        name = node.text
        if name not in self.tables:
            near = _near(name, [*self.vocabulary.functions, *self.tables])
            wanted = near or "a function of the language, or a table that a rule tracks"
            raise self.refuse(node, say("function-unknown", "there is no function {name}", name=name), name, wanted)
        given = [self.type(part) for part in node.parts]
        if wrong := self.misplaced(name, given):
            at, said, expected = wrong
            part, found = (node, "") if at is None else (node.parts[at], given[at].one)
            raise self.refuse(part, said, found, expected)
        return self.tables[name].holds

    def keys(self, node: Node) -> Type:
        """Return the type of the keys of a table: a list of the first of each entry."""
        name, shape = node.text, self.tables.get(node.text)
        if shape is None:
            near = _near(name, self.tables) or "a table, as in keys(price)"
            raise self.refuse(node, untracked(name), name, near)
        if not shape.keys:
            raise self.refuse(
                node, say("table-of-game", "{name} is kept per game, and has no keys", name=name), name, f"game.{name}"
            )
        return v.list_of(shape.type_of_key(0))

    def each(self, node: Node) -> Type:
        """Return the type of what goes through a list."""
        element, many, condition = node.parts
        found = self.type(many)
        if found.item is None:
            raise self.refuse(many, say("for-without-list", "for goes through a list"), found.one, "a list")
        if self.lookup(node.text) is not None:
            raise self.refuse(node, means_something(node.text), node.text, "another name")
        inner = self.plus(**{node.text: found.item})
        inner.want(v.TRUTH, condition)
        if node.value in ("any", "all"):
            return inner.want(v.TRUTH, element)
        if node.value == "sum":
            return inner.want(v.NUMBER, element)
        kind = inner.type(element)
        return v.list_of(kind) if node.value == "list" else v.NUMBER


_CONSTANTS: Mapping[object, Type] = {type(None): v.NONE, bool: v.TRUTH, str: v.TEXT}
_OF_KIND: Mapping[str, Callable[[Scope, Node], Type]] = {
    "name": Scope.name, "key": Scope.key, "field": Scope.field, "compare": Scope.compare, "call": Scope.call,
    "entry": Scope.entry, "keys": Scope.keys, "each": Scope.each, "afterwards": Scope.afterwards,
}  # fmt: skip


def _near(word: str, known: Iterable[str], most: int = 3) -> str:
    return ", ".join(difflib.get_close_matches(word, list(known), most))


def not_per(kept: Message, kind: Type) -> Message:
    """Say that a table has no entry for a thing of this kind."""
    return kept.within("{message}, not per {kind}", kind=kind.name)


def no_key(name: str) -> Message:
    """Say that the law has no such key."""
    return say("key-unknown", "there is no key {key}", key=name)


def _without(of: Type, name: str) -> Message:
    return say("has-none", "{of} has no {name}", of=of.one, name=name)


def _unequal(one: Type, other: Type) -> Message:
    return say("never-equal", "{kind} never equals {other}", kind=one.one, other=other.one)
