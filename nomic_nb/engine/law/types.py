"""The types of expressions: what goes together, said before anyone votes."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from nomic_nb.engine.errors import LawError
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.expressions import IN_TIME, name_taken_message
from nomic_nb.engine.law.hints import names_meant_by, suggest_words
from nomic_nb.engine.law.nodes import Expression, Node
from nomic_nb.engine.law.tables import TableShape, example_of_entry, table_keys_message
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

    def with_names(self: ScopeType, **names: Type) -> ScopeType:
        """Return a copy of the scope in which these names are bound, too, each to its type."""
        return self.replace(names={**self.names, **names})

    def replace(self: ScopeType, **new_fields: Any) -> ScopeType:
        """Return a copy of the scope with some fields replaced; ten times as fast as `dataclasses.replace`."""
        scope_type = object.__new__(type(self))
        vars(scope_type).update(vars(self), **new_fields)
        return scope_type

    def type_of_name(self, name: str) -> Type | None:
        """Return the type of a bound name or a fact; None if the name means nothing in this scope."""
        if name in self.names:
            return self.names[name]
        fact = self.vocabulary.facts.get(name)
        return fact.type if fact and self.names.keys() >= set(fact.needs) else None

    def conversion_hint(self, wanted: Type, kind: Type) -> str:
        """Return the hint “, such as FUNCTION("…")” if `kind` is text and can become the wanted type; else empty."""
        finders = [
            function.name
            for function in self.vocabulary.functions.values()
            if function.parameters == (v.TEXT,) == (kind,)
            and wanted.name not in v.PLAIN_KINDS
            and isinstance(function.result, Type)
            and wanted in (function.result, v.optional_type(function.result))
        ]
        return "".join(f', such as {name}("…")' for name in finders)

    def find_misplaced_key(self, name: str, key_types: Sequence[Type]) -> tuple[int | None, Message, str] | None:
        """Return position, error message and remedy for the first unfit key of a table's entry; None if all fit.

        Parameters
        ----------
        name : str
            The table's name.
        key_types : sequence of Type
            The types of the keys that stand in the brackets.

        Returns
        -------
        tuple of (int or None, Message, str) or None
            Position of the first key that does not fit (None if their number is wrong), the message, and what would
            be right; None if all keys fit.
        """
        shape = self.tables[name]
        message = table_keys_message(name, shape)
        if len(key_types) != len(shape.keys):
            return (
                None,
                message.embed_in(
                    "{message}, so write {many} in brackets, not {count}",
                    many=("none", "one", "two")[len(shape.keys)],
                    count=len(key_types),
                ),
                example_of_entry(name, shape),
            )
        for at, kind in enumerate(key_types):
            wanted = shape.type_of_key(at)
            if not v.is_compatible(kind, wanted):
                finder = self.conversion_hint(wanted, kind).removeprefix(", ")
                return at, wrong_key_message(message, kind), finder or f"such as {example_of_entry(name, shape)}"
        return None

    def checked_type(self, expression: Expression) -> Type:
        """Return the type of an expression; raise `LawError` if it is ill-typed.

        Raises
        ------
        LawError
            A name that means nothing here, or values that do not go together.
        """
        try:
            return self.type_of_node(expression.node)
        except LawError as error:
            error.offset = expression.at + error.column - 1
            raise

    def error_at_node(self, node: Node, message: Message, found: str = "", expected: str = "") -> LawError:
        """Return a `LawError` at a node of an expression, with what was `found` and what is `expected` there."""
        return LawError(message, column=node.column + 1, found=found, expected=expected)

    def missing_context_error(self, node: Node, needs: Iterable[str]) -> LawError:
        """Return the error that a node's name is unknown here since it needs other names to be bound."""
        return self.error_at_node(
            node,
            say(
                "needs-more",
                "{name} can’t be used here, because it needs {needs}",
                name=node.text,
                needs=" and ".join(needs),
            ),
            node.text,
        )

    def type_error(self, node: Node, message: Message, kind: Type, wanted: Type) -> LawError:
        """Return the error that a node has the type `kind` instead of the wanted one."""
        return self.error_at_node(
            node, message, kind.with_article, f"{wanted.with_article}{self.conversion_hint(wanted, kind)}"
        )

    def check_type(self, node: Node, kind: Type, wanted: Type) -> None:
        """Raise `LawError` if the type `kind` of a node is not the wanted one."""
        if kind.name not in (wanted.name, "nothing"):
            raise self.type_error(
                node, say("kind-expected", "this must be {kind}", kind=wanted.with_article), kind, wanted
            )

    def require_type(self, wanted: Type, *nodes: Node) -> Type:
        """Return the wanted type; raise `LawError` if one of these nodes has another."""
        for node in nodes:
            self.check_type(node, self.type_of_node(node), wanted)
        return wanted

    def type_of_node(self, node: Node) -> Type:
        """Return the type of the value of a node; raise `LawError` if the node is ill-typed."""
        match node.kind:
            case "constant":
                return _CONSTANTS.get(type(node.value), v.NUMBER)
            case "list":
                return v.list_type(self.common_type_of(node, *map(self.type_of_node, node.parts)))
            case "and" | "or" | "not":
                return self.require_type(v.TRUTH, *node.parts)
            case "minus":
                return self.require_type(v.NUMBER, *node.parts)
            case "reckon":
                given = [self.type_of_node(part) for part in node.parts]
                if node.text == "+" and {kind.name for kind in given} == {"text", "number"}:
                    return v.TEXT
                if node.text == "+" and given[0].name in ("text", "list"):
                    return self.common_type_of(node, *given)
                for part, kind in zip(node.parts, given, strict=True):
                    self.check_type(part, kind, v.NUMBER)
                return v.NUMBER
            case "if":
                self.require_type(v.TRUTH, node.parts[1])
                return self.common_type_of(node, *map(self.type_of_node, node.parts[::2]))
        return _OF_KIND[node.kind](self, node)

    def type_of_supposition(self, node: Node) -> Type:
        """Return the type of a call such as ``afterwards(…)``; raise `LawError` if there is no proposed change."""
        if "proposal" not in self.names:
            raise self.error_at_node(
                node,
                say("no-change-at-hand", "{name} can’t be used here, because no change is proposed", name=node.text),
                node.text,
            )
        kind = self.type_of_node(node.parts[0])
        if node.text == IN_TIME:
            self.check_type(node.parts[0], kind, v.TRUTH)
        return kind

    def type_of_name_node(self, node: Node) -> Type:
        """Return the type of the name that a node consists of; raise `LawError` if it means nothing here."""
        name, words, names = node.text, self.vocabulary, self.names
        kind = self.type_of_name(name)
        if kind is not None:
            return kind
        if name in words.facts:
            raise self.missing_context_error(node, words.facts[name].needs)
        if name in words.functions:
            raise self.error_at_node(
                node,
                say("function-without-brackets", "{name} is a function, so it needs brackets", name=name),
                name,
                f"{name}(…)",
            )
        if name == "otherwise":
            message = say(
                "otherwise-misplaced",
                "otherwise means the value without this clause, so you can use it only in the value that a clause sets",
            )
            raise self.error_at_node(node, message, name)
        known = dict.fromkeys((*names, "none"), "")
        known |= {fact.name: fact.meaning for fact in words.facts.values() if names.keys() >= set(fact.needs)}
        known |= {key.name: key.meaning for key in words.keys.values() if names.keys() >= set(key.case)}
        near = suggest_words(name, known)
        if not near and name[0].isupper():
            near = [f'"{name}", in quotation marks, for a name']
        raise self.error_at_node(
            node, say("name-unknown", "nothing is called {name} here", name=name), name, ", ".join(near)
        )

    def type_of_key_node(self, node: Node) -> Type:
        """Return the type of a key, such as ``vote.quota``; raise `LawError` if names that it needs are not bound."""
        key = self.vocabulary.keys[node.text]
        missing = [name for name in key.case if name not in self.names]
        if missing:
            raise self.missing_context_error(node, missing)
        return key.type if key.ranks else v.text_type(key.type, key.values)

    def type_of_field(self, node: Node) -> Type:
        """Return the type of a thing's field or table entry; raise `LawError` if such things have none of the name."""
        dotted, name, keys = node.canonical, node.text, self.vocabulary.keys
        first = dotted.partition(".")[0]
        unknown = self.type_of_name(first) is None and any(key.startswith(f"{first}.") for key in keys)
        if unknown and (near := _similar_words(dotted, keys)):
            raise self.error_at_node(node, unknown_key_message(dotted), dotted, near)
        of = self.type_of_node(node.parts[0])
        record = self.vocabulary.records.get(of.name)
        if record is None:
            raise self.error_at_node(node, _missing_field_message(of, name), name, _similar_words(dotted, keys))
        field, shape = self.vocabulary.fields.get((of.name, name)), self.tables.get(name)
        if field:
            return field.type
        if shape and shape.kinds_in_words == of.name:
            return shape.holds
        known = [field.name for field in record.fields]
        known += [table for table, shape in self.tables.items() if shape.kinds_in_words == of.name]
        meant = ", ".join(
            names_meant_by(name, known) or difflib.get_close_matches(name, known, 1, 0.8)
        ) or "one of " + ", ".join(known)
        raise self.error_at_node(node, _missing_field_message(Type(of.name), name), name, meant)

    def common_type_of(self, node: Node, *types: Type) -> Type:
        """Return the type that includes all of these types; raise `LawError` at the node if no type does."""
        nothing = v.NOTHING
        for kind in types:
            both = v.common_type(nothing, kind)
            if both is None:
                sentence = f"{nothing.with_article} and {kind.with_article}"
                raise self.error_at_node(
                    node, say("kinds-differ", "these values must be of the same kind"), sentence, "values of one kind"
                )
            nothing = both
        return nothing

    def type_of_comparison(self, node: Node) -> Type:
        """Return the type of truth values; raise `LawError` if the two sides cannot be compared."""
        one, other = node.parts
        left, right = self.type_of_node(one), self.type_of_node(other)
        for part, kind, against in ((one, left, other), (other, right, one)):
            if kind.name == "poll":
                counted = f"count(who({part.canonical}, {against.canonical}))"
                raise self.error_at_node(
                    part, say("several-answer", "you can’t compare several players’ answers"), part.canonical, counted
                )
        if node.text in ("in", "not in"):
            if right.name != "list":
                raise self.error_at_node(
                    other, say("in-without-list", "“in” needs a list to look in"), right.with_article, "a list"
                )
            if right.item and v.common_type(left, right.item) is None:
                raise self.error_at_node(
                    node,
                    say("never-contains", "{list} never holds {kind}", list=right.with_article, kind=left.with_article),
                )
        elif node.text in ("==", "!="):
            if v.common_type(left, right) is None:
                finders = self.conversion_hint(left, right) or self.conversion_hint(right, left)
                message = _unequal_message(left, right)
                raise self.error_at_node(node, message, expected=finders.removeprefix(", such as "))
        else:
            self.check_type(one, left, v.NUMBER)
            self.check_type(other, right, v.NUMBER)
        self.check_comparable_text(one, left.item or left, other)
        self.check_comparable_text(other, right.item or right, one)
        return v.TRUTH

    def check_comparable_text(self, node: Node, type: Type, other: Node) -> None:
        """Raise `LawError` if a node of this type is compared with a text in `other` that it can never be."""
        if not type.words:
            return
        numbers = [name for name, shape in self.tables.items() if shape.holds_numbers]
        listed = {name: shape.holds.words for name, shape in self.tables.items() if "." in name}
        known = {
            **listed,
            "counter": [name for name in self.tables if name not in listed],
            "key": self.vocabulary.keys,
            "numbers": numbers,
            "event": self.vocabulary.events,
        }
        words = known.get(type.words) if isinstance(type.words, str) else type.words
        for part in other.list_items_or_self:
            if words is not None and isinstance(part.value, str) and part.value not in words:
                near = (
                    _similar_words(part.value, words, 4)
                    or ", ".join(words)
                    or "a track clause, because nothing is tracked yet"
                )
                text = v.value_text(part.value)
                raise self.error_at_node(
                    part, say("never-has-text", "{of} is never {text}", of=node.canonical, text=text), text, near
                )

    def type_of_call(self, node: Node) -> Type:
        """Return the type of a function's result; raise `LawError` if the arguments do not fit."""
        function = self.vocabulary.functions[node.text]
        given = tuple(self.type_of_node(part) for part in node.parts)
        wanted = function.parameters
        if function.variadic:
            wanted += (wanted[-1],) * (len(given) - len(wanted))
        if len(given) != len(wanted):
            listed = len(wanted) == 1 and wanted[0].item is not None and given and given[0].item is None
            expected = f"a list, in square brackets: {node.text}([…, …])" if listed else f"{len(wanted)}"
            raise self.error_at_node(
                node,
                say(
                    "argument-count",
                    "this is the wrong number of values for {function}, which takes {count}",
                    function=node.text,
                    count=len(wanted),
                ),
                f"{len(given)}",
                expected,
            )
        for part, kind, want in zip(node.parts, given, wanted, strict=True):
            if want.name != "any" and not v.is_compatible(kind, want):
                raise self.type_error(
                    part,
                    say("argument-kind", "{function} takes {kind}", function=node.text, kind=want.with_article),
                    kind,
                    want,
                )
        try:
            held = function.holds(given[0]) if function.holds is not None else None
            result = function.result if isinstance(function.result, Type) else function.result(given)
        except LawError as error:
            raise self.error_at_node(node, error.message, error.found, error.expected) from None
        if held is not None:
            if v.common_type(held, given[-1]) is None:
                raise self.error_at_node(node.parts[-1], _unequal_message(held, given[-1]))
            self.check_comparable_text(node.parts[0], held, node.parts[-1])
        return result

    def type_of_entry(self, node: Node) -> Type:
        """Return the type of what a table's entry holds; raise `LawError` if the keys do not fit."""
        name = node.text
        if name not in self.tables:
            near = _similar_words(name, [*self.vocabulary.functions, *self.tables])
            wanted = near or "a function of the language, or a table that a rule tracks"
            raise self.error_at_node(
                node, say("function-unknown", "there is no function called {name}", name=name), name, wanted
            )
        given = [self.type_of_node(part) for part in node.parts]
        if wrong := self.find_misplaced_key(name, given):
            at, message, expected = wrong
            part, kind_given = (node, "") if at is None else (node.parts[at], given[at].with_article)
            raise self.error_at_node(part, message, kind_given, expected)
        return self.tables[name].holds

    def type_of_table_keys(self, node: Node) -> Type:
        """Return the type of ``keys(TABLE)``: a list of the first key of each entry."""
        name, shape = node.text, self.tables.get(node.text)
        if shape is None:
            near = _similar_words(name, self.tables) or "a table, as in keys(price)"
            raise self.error_at_node(node, untracked_message(name), name, near)
        if not shape.keys:
            raise self.error_at_node(
                node,
                say("table-of-game", "{name} is tracked per game, so it has no keys", name=name),
                name,
                f"game.{name}",
            )
        return v.list_type(shape.type_of_key(0))

    def type_of_loop(self, node: Node) -> Type:
        """Return the type of a loop's result, a list, a number or a truth value; raise `LawError` if ill-typed."""
        element, many, condition = node.parts
        collection_type = self.type_of_node(many)
        if collection_type.item is None:
            raise self.error_at_node(
                many, say("for-without-list", "for needs a list to go through"), collection_type.with_article, "a list"
            )
        if self.type_of_name(node.text) is not None:
            raise self.error_at_node(node, name_taken_message(node.text), node.text, "another name")
        inner = self.with_names(**{node.text: collection_type.item})
        inner.require_type(v.TRUTH, condition)
        if node.loop in ("any", "all"):
            return inner.require_type(v.TRUTH, element)
        if node.loop == "sum":
            return inner.require_type(v.NUMBER, element)
        kind = inner.type_of_node(element)
        return v.list_type(kind) if node.loop == "list" else v.NUMBER


_CONSTANTS: Mapping[object, Type] = {type(None): v.NONE, bool: v.TRUTH, str: v.TEXT}
_OF_KIND: Mapping[str, Callable[[Scope, Node], Type]] = {
    "name": Scope.type_of_name_node, "key": Scope.type_of_key_node, "field": Scope.type_of_field,
    "compare": Scope.type_of_comparison, "call": Scope.type_of_call,
    "entry": Scope.type_of_entry, "keys": Scope.type_of_table_keys, "each": Scope.type_of_loop,
    "afterwards": Scope.type_of_supposition,
}  # fmt: skip


def _similar_words(word: str, known: Iterable[str], most: int = 3) -> str:
    """Return, joined by commas, the known words spelt most like a word, at most `most`; empty if none are."""
    return ", ".join(difflib.get_close_matches(word, list(known), most))


def wrong_key_message(kept: Message, kind: Type) -> Message:
    """Return the message `kept`, such as “points is tracked per player”, with “, not per” and the wrong type added."""
    return kept.embed_in("{message}, not per {kind}", kind=kind.name)


def unknown_key_message(name: str) -> Message:
    """Return the message that the law has no key of this name."""
    return say("key-unknown", "there is no key {key}", key=name)


def _missing_field_message(owner_type: Type, name: str) -> Message:
    """Return the message that things of a type have no field of this name."""
    return say("has-none", "{of} has no {name}", of=owner_type.with_article, name=name)


def _unequal_message(kind: Type, other: Type) -> Message:
    """Return the message that values of two types never equal one another."""
    return say("never-equal", "{kind} can never equal {other}", kind=kind.with_article, other=other.with_article)
