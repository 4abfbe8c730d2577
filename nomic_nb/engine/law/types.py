"""The types of expressions: what goes together, said before anyone votes."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from nomic_nb.engine.errors import LawError
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.expressions import IN_TIME, name_taken
from nomic_nb.engine.law.hints import names_meant_by, suggest_words
from nomic_nb.engine.law.nodes import Expression, Node
from nomic_nb.engine.law.tables import TableShape, describe_keys, entry_as_written
from nomic_nb.engine.law.values import Type
from nomic_nb.engine.law.vocabulary import Vocabulary, untracked_message
from nomic_nb.engine.messages import Message, say

ScopeType = TypeVar("ScopeType", bound="Scope")


@frozen
class Scope:
    """The names that an expression may use, with their types, and the tables that rules track."""

    vocabulary: Vocabulary
    names: Mapping[str, Type]
    tables: Mapping[str, TableShape]

    def plus(self: ScopeType, **names: Type) -> ScopeType:
        """Return the scope with more names bound."""
        return self.replace(names={**self.names, **names})

    def replace(self: ScopeType, **other: Any) -> ScopeType:
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

    def functions_finding(self, wanted: Type, found: Type) -> str:
        """Return the functions that find what is wanted by its name, where a name was given in its place."""
        finders = [
            one.name
            for one in self.vocabulary.functions.values()
            if one.parameters == (v.TEXT,) == (found,)
            and isinstance(one.result, Type)
            and wanted in (one.result, v.optional_type(one.result))
        ]
        return "".join(f', such as {name}("…")' for name in finders)

    def find_misplaced_key(self, name: str, given: Sequence[Type]) -> tuple[int | None, Message, str] | None:
        """Return which key of an entry does not fit, why, and what would; none where there are too many, or too few.

        Parameters
        ----------
        name : str
            Of the table.
        given : sequence of Type
            What stands in the brackets.
        """
        shape = self.tables[name]
        said = describe_keys(name, shape)
        if len(given) != len(shape.keys):
            return (
                None,
                said.within(
                    "{message}: {many} in brackets, not {count}",
                    many=("none", "one", "two")[len(shape.keys)],
                    count=len(given),
                ),
                entry_as_written(name, shape),
            )
        for at, found in enumerate(given):
            wanted = shape.type_of_key(at)
            if not v.is_compatible(found, wanted):
                finder = self.functions_finding(wanted, found).removeprefix(", ")
                return at, wrong_key_message(said, found), finder or f"such as {entry_as_written(name, shape)}"
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

    def missing_context(self, node: Node, needs: Iterable[str]) -> LawError:
        """Return the error of a name that is known where there is more."""
        return self.refuse(
            node,
            say("needs-more", "{name} is not known here: it needs {needs}", name=node.text, needs=" and ".join(needs)),
            node.text,
        )

    def type_error(self, node: Node, message: Message, found: Type, wanted: Type) -> LawError:
        """Return the error of a part that is of another type than is wanted."""
        return self.refuse(node, message, found.one, f"{wanted.one}{self.functions_finding(wanted, found)}")

    def fit(self, node: Node, found: Type, wanted: Type) -> None:
        """Refuse a part of another type."""
        if found.name not in (wanted.name, "nothing"):
            raise self.type_error(node, say("kind-expected", "{kind} is needed here", kind=wanted.one), found, wanted)

    def require_type(self, wanted: Type, *nodes: Node) -> Type:
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
                return v.list_type(self.same(node, *map(self.type, node.parts)))
            case "and" | "or" | "not":
                return self.require_type(v.TRUTH, *node.parts)
            case "minus":
                return self.require_type(v.NUMBER, *node.parts)
            case "reckon":
                given = [self.type(part) for part in node.parts]
                if node.text == "+" and given[0].name in ("text", "list"):
                    return self.same(node, *given)
                for part, found in zip(node.parts, given, strict=True):
                    self.fit(part, found, v.NUMBER)
                return v.NUMBER
            case "if":
                self.require_type(v.TRUTH, node.parts[1])
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
            raise self.missing_context(node, words.facts[name].needs)
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
        near = suggest_words(name, known)
        if not near and name[0].isupper():
            near = [f'"{name}", in quotation marks, for a name']
        raise self.refuse(node, say("name-unknown", "nothing is called {name} here", name=name), name, ", ".join(near))

    def key(self, node: Node) -> Type:
        """Return the type of a key."""
        key = self.vocabulary.keys[node.text]
        missing = [name for name in key.case if name not in self.names]
        if missing:
            raise self.missing_context(node, missing)
        return key.type if key.ranks else v.text_type(key.type, key.values)

    def field(self, node: Node) -> Type:
        """Return the type of a field."""
        dotted, name, keys = node.canonical, node.text, self.vocabulary.keys
        first = dotted.partition(".")[0]
        unknown = self.lookup(first) is None and any(key.startswith(f"{first}.") for key in keys)
        if unknown and (near := _similar_words(dotted, keys)):
            raise self.refuse(node, unknown_key_message(dotted), dotted, near)
        of = self.type(node.parts[0])
        record = self.vocabulary.records.get(of.name)
        if record is None:
            raise self.refuse(node, _missing_field_message(of, name), name, _similar_words(dotted, keys))
        known = {one.name: one.type for one in record.fields}
        kept = {one: shape.holds for one, shape in self.tables.items() if shape.per == record.name}
        known = {**known, **kept, **known}
        if name in known:
            return known[name]
        meant = ", ".join(names_meant_by(name, known)) or "one of " + ", ".join(known)
        raise self.refuse(node, _missing_field_message(Type(of.name), name), name, meant)

    def same(self, node: Node, *types: Type) -> Type:
        """Return the type that all of these go together as."""
        found = v.NOTHING
        for one in types:
            both = v.common_type(found, one)
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
                counted = f"count(who({part.canonical}, {against.canonical}))"
                raise self.refuse(part, say("several-answer", "several answer"), part.canonical, counted)
        if node.text in ("in", "not in"):
            if right.name != "list":
                raise self.refuse(other, say("in-without-list", "in looks into a list"), right.one, "a list")
            if right.item and v.common_type(left, right.item) is None:
                raise self.refuse(
                    node, say("never-contains", "{list} never contains {kind}", list=right.one, kind=left.one)
                )
        elif node.text in ("==", "!="):
            if v.common_type(left, right) is None:
                finders = self.functions_finding(left, right) or self.functions_finding(right, left)
                said = _unequal_message(left, right)
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
        for part in other.members:
            if type.words and isinstance(part.value, str) and part.value not in words:
                near = (
                    _similar_words(part.value, words, 4)
                    or ", ".join(words)
                    or "a track clause, since nothing is counted"
                )
                text = v.value_text(part.value)
                raise self.refuse(
                    part,
                    say("never-has-text", "{of} never has the text {text}", of=one.canonical, text=text),
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
            if want.name != "any" and not v.is_compatible(found, want):
                raise self.type_error(
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
            if v.common_type(held, given[-1]) is None:
                raise self.refuse(node.parts[-1], _unequal_message(held, given[-1]))
            self.never(node.parts[0], held, node.parts[-1])
        return result

    def entry(self, node: Node) -> Type:
        """Return the type of an entry of a table."""
        name = node.text
        if name not in self.tables:
            near = _similar_words(name, [*self.vocabulary.functions, *self.tables])
            wanted = near or "a function of the language, or a table that a rule tracks"
            raise self.refuse(node, say("function-unknown", "there is no function {name}", name=name), name, wanted)
        given = [self.type(part) for part in node.parts]
        if wrong := self.find_misplaced_key(name, given):
            at, said, expected = wrong
            part, found = (node, "") if at is None else (node.parts[at], given[at].one)
            raise self.refuse(part, said, found, expected)
        return self.tables[name].holds

    def keys(self, node: Node) -> Type:
        """Return the type of the keys of a table: a list of the first of each entry."""
        name, shape = node.text, self.tables.get(node.text)
        if shape is None:
            near = _similar_words(name, self.tables) or "a table, as in keys(price)"
            raise self.refuse(node, untracked_message(name), name, near)
        if not shape.keys:
            raise self.refuse(
                node, say("table-of-game", "{name} is kept per game, and has no keys", name=name), name, f"game.{name}"
            )
        return v.list_type(shape.type_of_key(0))

    def each(self, node: Node) -> Type:
        """Return the type of what goes through a list."""
        element, many, condition = node.parts
        found = self.type(many)
        if found.item is None:
            raise self.refuse(many, say("for-without-list", "for goes through a list"), found.one, "a list")
        if self.lookup(node.text) is not None:
            raise self.refuse(node, name_taken(node.text), node.text, "another name")
        inner = self.plus(**{node.text: found.item})
        inner.require_type(v.TRUTH, condition)
        if node.loop in ("any", "all"):
            return inner.require_type(v.TRUTH, element)
        if node.loop == "sum":
            return inner.require_type(v.NUMBER, element)
        kind = inner.type(element)
        return v.list_type(kind) if node.loop == "list" else v.NUMBER


_CONSTANTS: Mapping[object, Type] = {type(None): v.NONE, bool: v.TRUTH, str: v.TEXT}
_OF_KIND: Mapping[str, Callable[[Scope, Node], Type]] = {
    "name": Scope.name, "key": Scope.key, "field": Scope.field, "compare": Scope.compare, "call": Scope.call,
    "entry": Scope.entry, "keys": Scope.keys, "each": Scope.each, "afterwards": Scope.afterwards,
}  # fmt: skip


def _similar_words(word: str, known: Iterable[str], most: int = 3) -> str:
    return ", ".join(difflib.get_close_matches(word, list(known), most))


def wrong_key_message(kept: Message, kind: Type) -> Message:
    """Say that a table has no entry for a thing of this kind."""
    return kept.within("{message}, not per {kind}", kind=kind.name)


def unknown_key_message(name: str) -> Message:
    """Say that the law has no such key."""
    return say("key-unknown", "there is no key {key}", key=name)


def _missing_field_message(of: Type, name: str) -> Message:
    return say("has-none", "{of} has no {name}", of=of.one, name=name)


def _unequal_message(one: Type, other: Type) -> Message:
    return say("never-equal", "{kind} never equals {other}", kind=one.one, other=other.one)
