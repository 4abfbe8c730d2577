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
        """Return a scope in which these names are bound, too, each to its type."""
        return self.replace(names={**self.names, **names})

    def replace(self: ScopeType, **other: Any) -> ScopeType:
        """Return the scope with other fields; ten times as fast as `dataclasses.replace`."""
        scope_type = object.__new__(type(self))
        vars(scope_type).update(vars(self), **other)
        return scope_type

    def type_of_name(self, name: str) -> Type | None:
        """Return the type of a name; None if it means nothing here."""
        if name in self.names:
            return self.names[name]
        fact = self.vocabulary.facts.get(name)
        return fact.type if fact and self.names.keys() >= set(fact.needs) else None

    def hint_of_finders(self, wanted: Type, kind: Type) -> str:
        """Return a hint to functions, such as `player_named`, from text to the wanted type; else empty."""
        finders = [
            function.name
            for function in self.vocabulary.functions.values()
            if function.parameters == (v.TEXT,) == (kind,)
            and isinstance(function.result, Type)
            and wanted in (function.result, v.optional_type(function.result))
        ]
        return "".join(f', such as {name}("…")' for name in finders)

    def find_misplaced_key(self, name: str, given: Sequence[Type]) -> tuple[int | None, Message, str] | None:
        """Return position (None: wrong count), reason and remedy of a table key's misfit; else None.

        Parameters
        ----------
        name : str
            Of the table.
        given : sequence of Type
            What stands in the brackets.
        """
        shape = self.tables[name]
        message = table_keys_message(name, shape)
        if len(given) != len(shape.keys):
            return (
                None,
                message.embed_in(
                    "{message}: {many} in brackets, not {count}",
                    many=("none", "one", "two")[len(shape.keys)],
                    count=len(given),
                ),
                example_of_entry(name, shape),
            )
        for at, kind in enumerate(given):
            wanted = shape.type_of_key(at)
            if not v.is_compatible(kind, wanted):
                finder = self.hint_of_finders(wanted, kind).removeprefix(", ")
                return at, wrong_key_message(message, kind), finder or f"such as {example_of_entry(name, shape)}"
        return None

    def checked_type(self, expression: Expression) -> Type:
        """Return the type of an expression; refuse one with a type error.

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
        """Return the error for a part of an expression."""
        return LawError(message, column=node.column + 1, found=found, expected=expected)

    def missing_context_error(self, node: Node, needs: Iterable[str]) -> LawError:
        """Return the error that a name is unknown here because names that it needs are not bound."""
        return self.error_at_node(
            node,
            say("needs-more", "{name} is not known here: it needs {needs}", name=node.text, needs=" and ".join(needs)),
            node.text,
        )

    def type_error(self, node: Node, message: Message, kind: Type, wanted: Type) -> LawError:
        """Return the error for a part of an expression whose type `kind` is not the wanted one."""
        return self.error_at_node(
            node, message, kind.with_article, f"{wanted.with_article}{self.hint_of_finders(wanted, kind)}"
        )

    def check_type(self, node: Node, kind: Type, wanted: Type) -> None:
        """Refuse a part of an expression whose type `kind` is not the wanted one."""
        if kind.name not in (wanted.name, "nothing"):
            raise self.type_error(
                node, say("kind-expected", "{kind} is needed here", kind=wanted.with_article), kind, wanted
            )

    def require_type(self, wanted: Type, *nodes: Node) -> Type:
        """Refuse parts of an expression that are not of the wanted type; return that type."""
        for node in nodes:
            self.check_type(node, self.type_of_node(node), wanted)
        return wanted

    def type_of_node(self, node: Node) -> Type:
        """Return the type of a node; refuse one with a type error."""
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
        """Return the type of an expression that supposes the proposed change to be adopted."""
        if "proposal" not in self.names:
            raise self.error_at_node(
                node,
                say("no-change-at-hand", "{name} is not known here: no change is at hand", name=node.text),
                node.text,
            )
        kind = self.type_of_node(node.parts[0])
        if node.text == IN_TIME:
            self.check_type(node.parts[0], kind, v.TRUTH)
        return kind

    def type_of_name_node(self, node: Node) -> Type:
        """Return the type of a name in an expression."""
        name, words, names = node.text, self.vocabulary, self.names
        kind = self.type_of_name(name)
        if kind is not None:
            return kind
        if name in words.facts:
            raise self.missing_context_error(node, words.facts[name].needs)
        if name in words.functions:
            raise self.error_at_node(
                node, say("function-without-brackets", "{name} is a function", name=name), name, f"{name}(…)"
            )
        if name == "otherwise":
            message = say(
                "otherwise-misplaced",
                "otherwise is what a term would be without a clause: it stands in the value that is set",
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
        """Return the type of a key in an expression."""
        key = self.vocabulary.keys[node.text]
        missing = [name for name in key.case if name not in self.names]
        if missing:
            raise self.missing_context_error(node, missing)
        return key.type if key.ranks else v.text_type(key.type, key.values)

    def type_of_field(self, node: Node) -> Type:
        """Return the type of a thing's field or table entry; refuse one that such things do not have."""
        dotted, name, keys = node.canonical, node.text, self.vocabulary.keys
        first = dotted.partition(".")[0]
        unknown = self.type_of_name(first) is None and any(key.startswith(f"{first}.") for key in keys)
        if unknown and (near := _similar_words(dotted, keys)):
            raise self.error_at_node(node, unknown_key_message(dotted), dotted, near)
        of = self.type_of_node(node.parts[0])
        record = self.vocabulary.records.get(of.name)
        if record is None:
            raise self.error_at_node(node, _missing_field_message(of, name), name, _similar_words(dotted, keys))
        known = {field.name: field.type for field in record.fields}
        kept = {
            table_name: shape.holds for table_name, shape in self.tables.items() if shape.kinds_in_words == record.name
        }
        known = {**known, **kept, **known}
        if name in known:
            return known[name]
        meant = ", ".join(names_meant_by(name, known)) or "one of " + ", ".join(known)
        raise self.error_at_node(node, _missing_field_message(Type(of.name), name), name, meant)

    def common_type_of(self, node: Node, *types: Type) -> Type:
        """Return the type that includes all of these types; refuse the node if there is none."""
        nothing = v.NOTHING
        for kind in types:
            both = v.common_type(nothing, kind)
            if both is None:
                sentence = f"{nothing.with_article} and {kind.with_article}"
                raise self.error_at_node(
                    node, say("kinds-differ", "these are not of the same kind"), sentence, "values of one kind"
                )
            nothing = both
        return nothing

    def type_of_comparison(self, node: Node) -> Type:
        """Refuse a comparison of two sides that cannot be compared; return the type of its truth value."""
        one, other = node.parts
        left, right = self.type_of_node(one), self.type_of_node(other)
        for part, kind, against in ((one, left, other), (other, right, one)):
            if kind.name == "poll":
                counted = f"count(who({part.canonical}, {against.canonical}))"
                raise self.error_at_node(part, say("several-answer", "several answer"), part.canonical, counted)
        if node.text in ("in", "not in"):
            if right.name != "list":
                raise self.error_at_node(
                    other, say("in-without-list", "in looks into a list"), right.with_article, "a list"
                )
            if right.item and v.common_type(left, right.item) is None:
                raise self.error_at_node(
                    node,
                    say(
                        "never-contains",
                        "{list} never contains {kind}",
                        list=right.with_article,
                        kind=left.with_article,
                    ),
                )
        elif node.text in ("==", "!="):
            if v.common_type(left, right) is None:
                finders = self.hint_of_finders(left, right) or self.hint_of_finders(right, left)
                message = _unequal_message(left, right)
                raise self.error_at_node(node, message, expected=finders.removeprefix(", such as "))
        else:
            self.check_type(one, left, v.NUMBER)
            self.check_type(other, right, v.NUMBER)
        self.check_comparable_text(one, left.item or left, other)
        self.check_comparable_text(other, right.item or right, one)
        return v.TRUTH

    def check_comparable_text(self, node: Node, type: Type, other: Node) -> None:
        """Refuse to compare a node of a type with a text, in `other`, that it can never be."""
        numbers = [name for name, shape in self.tables.items() if shape.holds_numbers]
        known = {"counter": self.tables, "key": self.vocabulary.keys, "numbers": numbers}
        words = tuple(known[type.words]) if isinstance(type.words, str) else type.words
        for part in other.list_items_or_self:
            if type.words and isinstance(part.value, str) and part.value not in words:
                near = (
                    _similar_words(part.value, words, 4)
                    or ", ".join(words)
                    or "a track clause, since nothing is counted"
                )
                text = v.value_text(part.value)
                raise self.error_at_node(
                    part,
                    say("never-has-text", "{of} never has the text {text}", of=node.canonical, text=text),
                    text,
                    near,
                )

    def type_of_call(self, node: Node) -> Type:
        """Return the type of a function's result; refuse arguments that do not fit."""
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
                say("argument-count", "{function} takes {count} values", function=node.text, count=len(wanted)),
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
        """Return the type of a table's entry; refuse keys that do not fit."""
        name = node.text
        if name not in self.tables:
            near = _similar_words(name, [*self.vocabulary.functions, *self.tables])
            wanted = near or "a function of the language, or a table that a rule tracks"
            raise self.error_at_node(
                node, say("function-unknown", "there is no function {name}", name=name), name, wanted
            )
        given = [self.type_of_node(part) for part in node.parts]
        if wrong := self.find_misplaced_key(name, given):
            at, message, expected = wrong
            part, kind_given = (node, "") if at is None else (node.parts[at], given[at].with_article)
            raise self.error_at_node(part, message, kind_given, expected)
        return self.tables[name].holds

    def type_of_table_keys(self, node: Node) -> Type:
        """Return the type of a table's keys: a list of the first key of each entry."""
        name, shape = node.text, self.tables.get(node.text)
        if shape is None:
            near = _similar_words(name, self.tables) or "a table, as in keys(price)"
            raise self.error_at_node(node, untracked_message(name), name, near)
        if not shape.keys:
            raise self.error_at_node(
                node, say("table-of-game", "{name} is kept per game, and has no keys", name=name), name, f"game.{name}"
            )
        return v.list_type(shape.type_of_key(0))

    def type_of_loop(self, node: Node) -> Type:
        """Return the type that a loop over a list yields: a list, a number or a truth value."""
        element, many, condition = node.parts
        collection_type = self.type_of_node(many)
        if collection_type.item is None:
            raise self.error_at_node(
                many, say("for-without-list", "for goes through a list"), collection_type.with_article, "a list"
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
    """Return, as one text, the known words that are spelt most like a word; empty if there are none."""
    return ", ".join(difflib.get_close_matches(word, list(known), most))


def wrong_key_message(kept: Message, kind: Type) -> Message:
    """Return a message about a table's keys with “not per” and the name of the wrong type added."""
    return kept.embed_in("{message}, not per {kind}", kind=kind.name)


def unknown_key_message(name: str) -> Message:
    """Return the message that the law has no such key."""
    return say("key-unknown", "there is no key {key}", key=name)


def _missing_field_message(of: Type, name: str) -> Message:
    """Return the message that things of this type have no such field."""
    return say("has-none", "{of} has no {name}", of=of.with_article, name=name)


def _unequal_message(kind: Type, other: Type) -> Message:
    """Return the message that values of two types are never equal."""
    return say("never-equal", "{kind} never equals {other}", kind=kind.with_article, other=other.with_article)
