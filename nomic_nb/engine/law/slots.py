"""The kinds of places in effects: how each is read, and which content is refused before anyone votes."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any

from nomic_nb.engine.errors import LawError
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.checking import Checker
from nomic_nb.engine.law.language import ClauseReader, outer_token, parts_of, tokens_of
from nomic_nb.engine.law.nodes import Expression
from nomic_nb.engine.messages import say

# ------------------------------------------------------------------------- what can stand in the places of effects


class SimpleSlot:
    """A place that accepts anything."""

    def read(self, name: str, reader: ClauseReader, tree: Any) -> Mapping[str, Any]:
        """Return a dict of the slot's name and the value of its parse tree."""
        return {name: self.parse_value(reader, tree)}

    def parse_value(self, reader: ClauseReader, tree: Any) -> Any:  # noqa: ARG002 - others look at the reader
        """Return the slot's word, which the parse tree consists of, as a text."""
        return str(tree)

    def check(self, value: Any, checker: Checker) -> Checker:  # noqa: ARG002 - others look at it
        """Accept any value, and return the checker unchanged."""
        return checker


class ValueSlot(SimpleSlot):
    """An expression."""

    symbol = "expr"

    def parse_value(self, reader: ClauseReader, tree: Any) -> Any:
        """Return the expression in the parse tree; None if it was left out."""
        return None if tree is None else reader.read_expression_in(tree)

    def check(self, value: Any, checker: Checker) -> Checker:
        """Raise `LawError` if an expression does not fit the slot; return the checker unchanged."""
        if value is not None:
            self.check_expression(value, checker)
        return checker

    def check_expression(self, expression: Any, checker: Checker) -> None:
        """Raise `LawError` if an expression does not fit the slot; here, all fit."""


@frozen(eq=False)
class SingleSlot(ValueSlot):
    """One thing of a type; also none, if it may be missing."""

    type: v.Type
    what: str
    or_none: bool = False
    misfit: Callable[[v.Value], str] | None = None

    def check_expression(self, expression: Any, checker: Checker) -> None:
        """Raise `LawError` unless an expression has the slot's type."""
        checker.check_expression_type(expression, v.optional_type(self.type) if self.or_none else self.type, self.what)
        checker.check_constant(expression, self.misfit)


@frozen(eq=False)
class SomeSlot(ValueSlot):
    """One thing of a type, several, or none."""

    type: v.Type
    what: str

    def check_expression(self, expression: Any, checker: Checker) -> None:
        """Raise `LawError` unless an expression yields the slot's type, a list of it, or none."""
        checker.check_single_or_list(expression, self.type, self.what)


@frozen(eq=False)
class PlayersSlot(ValueSlot):
    """A player, players, or a name; with a counter of theirs, if declared so."""

    with_counter: bool = False

    def check_expression(self, expression: Any, checker: Checker) -> None:
        """Raise `LawError` unless an expression yields players and, in a payment, the counter is kept per player."""
        if self.with_counter:
            name = checker.doing.counter
            if checker.doing.keys is not None:
                message = say("payment-names-player", "a payment always goes from one player to another")
                raise checker.error_at_word(name, message, expected=f"{name}, without brackets")
            checker.check_table_entry(name, None, expression)
            shape = checker.tables[name]
            if shape.keys != ("player",) or not shape.holds_numbers:
                message = say(
                    "payment-not-of-players",
                    "{name} is tracked per {per} as {kind}, so players can’t pay with it",
                    name=name,
                    per=shape.kinds_in_words,
                    kind=shape.holds.name,
                )
                raise checker.error_at_word(name, message, expected="a number per player")
        checker.check_player_expression(expression)


class NewcomerSlot(ValueSlot):
    """Somebody who will join: a new name, or a player who has left."""

    def check_expression(self, expression: Any, checker: Checker) -> None:
        """Raise `LawError` unless an expression yields a new player's name or a player."""
        if not v.is_compatible(checker.checked_type(expression), v.optional_type(v.Type("player"))):
            checker.check_expression_type(expression, v.TEXT, "a newcomer (unless they left earlier)")


class CellSlot(SimpleSlot):
    """A place in a table: a name, or ``NAME(EXPR, EXPR)``."""

    symbol = "cell"
    readable_form = "NAME[(EXPR, EXPR)]"

    def read(self, name: str, reader: ClauseReader, tree: Any) -> Mapping[str, Any]:  # noqa: ARG002 - others are named
        """Return a dict: the table's name as `counter`, and the key expressions in brackets, or None, as `keys`."""
        word, brackets = tree.children
        return {"counter": str(word), "keys": None if brackets is None else read_table_keys(reader, brackets)}


def read_table_keys(reader: ClauseReader, brackets: Any) -> tuple[Expression, ...]:
    """Return the key expressions in the brackets after a table's name, such as the two in ``debt(a, b)``."""
    signs = [child for child in brackets.children if child in ("(", ",", ")")]
    if not signs or signs[0] != "(":
        message = say("brackets-not-round", "put the key of a table in round brackets")
        raise reader.error_at_offset(brackets.children[0].start_pos, message, expected="NAME(KEY)")
    return tuple(reader.read_expression_in(brackets, one.end_pos, other.start_pos) for one, other in pairwise(signs))


@frozen(eq=False)
class OwnerSlot(ValueSlot):
    """The owner of an entry: a player, an army, a square …, several of them, or the game."""

    needed: bool = False

    def check(self, value: Any, checker: Checker) -> Checker:
        """Raise `LawError` if an entry's owner is missing, repeated or unfit for the table; return the same checker."""
        word, keys = checker.doing.counter, checker.doing.keys
        if value is not None and keys is not None:
            message = say("owner-said-twice", "you gave the owner of {word} twice", word=word)
            raise checker.error_at_word(word, message, expected=f"{word}(…), or {word} of …, but not both")
        if value is None and keys is None and self.needed:
            message = say("owner-missing", "say who gets it, e.g. award 1 {word} to player, or to game", word=word)
            raise checker.error_at_word(word, message, expected="to WHO")
        checker.check_table_entry(word, keys, value)
        return checker


class ContentSlot(ValueSlot):
    """The value for an entry of a table."""

    def check_expression(self, expression: Any, checker: Checker) -> None:
        """Raise `LawError` unless an expression has the type that the table holds."""
        name = checker.doing.counter
        checker.check_expression_type(expression, checker.tables[name].holds, f"the value of {name}")


@frozen(eq=False)
class AmountSlot(ValueSlot):
    """An amount and its counter: the last word, an entry of a table, or the counter that a key already names."""

    what: str
    did: str
    readable_form = "EXPR COUNTER"

    def read(self, name: str, reader: ClauseReader, tree: Any) -> Mapping[str, Any]:
        """Return a dict: the amount, the table's name as `counter`, and its key expressions, or None, as `keys`."""
        *_, before, last = (None, *tokens_of(tree))
        if _is_counter_name(last, before) and last.end_pos == outer_token(tree, -1).end_pos:
            return {name: reader.read_expression_in(tree, end=last.start_pos), "counter": str(last), "keys": None}
        before, word, brackets = [None, None, *parts_of(tree)][-3:]
        if hasattr(brackets, "children") and _is_counter_name(word, before):
            keys = read_table_keys(reader, brackets)
            return {name: reader.read_expression_in(tree, end=word.start_pos), "counter": str(word), "keys": keys}
        value = reader.read_expression_in(tree)
        # `award defeat.points to …`: the key already says what is counted.
        counter = value.node.key.rpartition(".")[2]
        if not counter:
            message = say("counter-missing", "this doesn’t say what is {did}", did=self.did)
            raise reader.error_at_offset(
                outer_token(tree, -1).end_pos, message, repr(value.text), "a counter, as in 5 points"
            )
        return {name: value, "counter": counter, "keys": None}

    def check_expression(self, expression: Any, checker: Checker) -> None:
        """Raise `LawError` if an amount is not a number, or the table does not hold numbers."""
        name = checker.doing.counter
        shape = checker.tables.get(name)
        if shape is not None and not shape.holds_numbers:
            message = say(
                "not-added-to", "you can’t add to {name}, because it holds {kind}", name=name, kind=shape.holds.plural
            )
            raise checker.error_at_word(name, message, expected=f"put {name} … at …")
        checker.check_expression_type(expression, v.NUMBER, self.what)


def _is_counter_name(word: Any, before: Any) -> bool:
    """Tell whether the token `word` names a counter, as in ``5 points``, judging by the token `before` it."""
    return (
        before is not None
        and getattr(word, "type", "") == "WORD"
        and "." not in word
        and getattr(before, "type", "") not in ("OPERATOR", "MINUS", "COMMA")
        and str(before) not in ("and", "or", "not", "in", "if", "else")
    )


@frozen(eq=False)
class WordSlot(SimpleSlot):
    """A word; if declared so, one of a few, with a name for them."""

    what: str = ""
    known: Callable[[Checker], Iterable[str]] | tuple[str, ...] = ()
    hint: str = ""
    symbol = "WORD"

    def check(self, value: Any, checker: Checker) -> Checker:
        """Raise `LawError` if a word is none of those that the slot allows; return the checker unchanged."""
        if self.what:
            known = list(self.known if isinstance(self.known, tuple) else self.known(checker))
            if value not in known:
                raise checker.unknown_word_error(self.what, value, known or [self.hint])
        return checker

    @property
    def readable_form(self) -> str:
        """The slot as people see it in a pattern: the words to choose from, or NAME."""
        return "|".join(self.known) if isinstance(self.known, tuple) and self.known else "NAME"


class OrWordSlot(WordSlot):
    """An optional other word after ``or``. Inside expressions ``or`` keeps its usual meaning."""

    symbol = '["or" WORD]'

    def parse_value(self, reader: ClauseReader, tree: Any) -> Any:  # noqa: ARG002
        """Return the word after ``or``; an empty text if the slot was left out."""
        return "" if tree is None else str(tree)

    def check(self, value: Any, checker: Checker) -> Checker:
        """Raise `LawError` if there is a word that the slot does not allow; return the checker unchanged."""
        return super().check(value, checker) if value else checker

    @property
    def readable_form(self) -> str:
        """The slot as people see it in a pattern: an optional word after ``or``."""
        return f"[or {super().readable_form}]"


@frozen(eq=False)
class NameSlot(WordSlot):
    """A new name: for a number, for the content of another place, or for an item of the list there."""

    value: str = ""
    of: str = ""
    or_none: str = ""

    def check(self, value: Any, checker: Checker) -> Checker:
        """Raise `LawError` if a new name is in use; return a checker that knows the name and its type."""
        item = v.NUMBER
        if self.of:
            item = checker.check_loop_list(getattr(checker.doing, self.of), value)
            item = v.optional_type(item) if getattr(checker.doing, self.or_none) else item
        elif self.value or value not in checker.bound:
            checker.bind_new_name(value)
            item = checker.checked_type(getattr(checker.doing, self.value)) if self.value else item
        return checker.with_names(**{value: item})


@frozen(eq=False)
class FlagSlot(SimpleSlot):
    """Optional words."""

    words: str

    @property
    def symbol(self) -> str:
        """The grammar symbol that parses the slot's optional words."""
        return f"[{self.words.upper().replace(' ', '_')}]"

    @property
    def readable_form(self) -> str:
        """The slot as people see it in a pattern: its optional words in brackets."""
        return f"[{self.words}]"

    def parse_value(self, reader: ClauseReader, tree: Any) -> Any:  # noqa: ARG002
        """Return whether the slot's optional words were written."""
        return tree is not None


@frozen(eq=False)
class SentenceSlot(ValueSlot):
    """A text of any length in quotation marks, or an expression that yields a text."""

    what: str

    def parse_value(self, reader: ClauseReader, tree: Any) -> Any:
        """Return the text in quotation marks or, if it is not just that, the expression that yields it."""
        tokens = tokens_of(tree)
        if len(tokens) == 1 and tokens[0].type == "STRING":
            return str(tokens[0])[1:-1]
        return super().parse_value(reader, tree)

    def check_expression(self, expression: Any, checker: Checker) -> None:
        """Raise `LawError` unless an expression yields a text."""
        if not isinstance(expression, str):
            try:
                checker.check_expression_type(expression, v.TEXT, self.what)
            except LawError as error:
                error.expected = error.expected or '"…", in quotation marks'
                raise


@frozen(eq=False)
class InnerEffectSlot(SimpleSlot):
    """Another effect: done now or later, on a condition or for each item of a list, if other places have these."""

    later: bool = False
    symbol = "effect"
    readable_form = "EFFECT"

    def parse_value(self, reader: ClauseReader, tree: Any) -> Any:
        """Return the nested effect in the parse tree."""
        return reader.read_effect(tree)

    def check(self, value: Any, checker: Checker) -> Checker:
        """Raise `LawError` if the inner effect is unfit; return the checker without the names that the effect binds."""
        places, inner = dict(checker.doing.places), checker
        if "among" in places:
            name = places["name"]
            inner = checker.with_names(**{name: checker.check_loop_list(places["among"], name)})
        inner.check_condition(places.get("condition"))
        inner.check_effect(value)
        return checker


class SeveralEffectsSlot(SimpleSlot):
    """Effects, one after another."""

    symbol = "effects"
    readable_form = "EFFECT; …"

    def parse_value(self, reader: ClauseReader, tree: Any) -> Any:
        """Return the nested effects in the parse tree."""
        return tuple(reader.read_effect(child) for child in tree.children)

    def check(self, value: Any, checker: Checker) -> Checker:
        """Raise `LawError` if one of the inner effects is unfit; return the checker without the names they bind."""
        inner = checker
        for effect in value:
            inner = inner.check_effect(effect)
        return checker


#: Units of time for effects put off, and the minutes of those measured by the clock.
TIME_UNITS = ("turns", "circuits", "hours", "days", "weeks")
MINUTES_PER_UNIT: Mapping[str, int] = {"hours": 60, "days": 24 * 60, "weeks": 7 * 24 * 60}
#: Returns why a number is not a length of time; empty if it is one.
NO_OPTIONS = say("no-options", "there is nothing to choose from")
NO_SPAN = v.make_range_check("a length of time", 0)
#: Answers to questions without options, and the type of such answers.
FREE_ANSWERS: Mapping[str, v.Type] = {"any number": v.NUMBER, "any text": v.TEXT}


def type_of_poll(answer: v.Type) -> v.Type:
    """Return the type of a poll, in which several players each give an answer of this type."""
    return v.Type("poll", about=answer)


@frozen(eq=False)
class SpanSlot(ValueSlot):
    """A length of time: an expression, and the unit as its last word; in the effect it is ``unit``, in the plural."""

    what: str = "a length of time"
    readable_form = "EXPR turns|circuits|hours|days|weeks"

    def read(self, name: str, reader: ClauseReader, tree: Any) -> Mapping[str, Any]:
        """Return a dict: the length of time, and its unit, such as “days”, as `unit`; None and “” if left out."""
        if tree is None:
            return {name: None, "unit": ""}
        return self.read_span(name, reader, tree, tokens_of(tree), outer_token(tree, -1).end_pos)

    @staticmethod
    def read_span(name: str, reader: ClauseReader, tree: Any, tokens: list[Any], end: int) -> Mapping[str, Any]:
        """Return a dict of a length of time, under `name`, and its `unit`, the last token, which must end at `end`."""
        last = tokens[-1]
        unit = next((time_unit for time_unit in TIME_UNITS if str(last) in (time_unit, time_unit[:-1])), "")
        if not unit or last.end_pos != end:
            meant = difflib.get_close_matches(str(last), TIME_UNITS, 1) or TIME_UNITS
            raise reader.error_at_offset(
                last.start_pos, say("unit-missing", "this must end with a unit"), repr(str(last)), ", ".join(meant)
            )
        if len(tokens) == 1:
            wanted = f"a number, as in 2 {unit}"
            raise reader.error_at_offset(
                last.start_pos, say("span-missing", "the number is missing"), repr(str(last)), wanted
            )
        return {name: reader.read_expression_in(tree, end=last.start_pos), "unit": unit}

    def check_expression(self, expression: Any, checker: Checker) -> None:
        """Raise `LawError` unless an expression is a number and, if constant, a whole one not below 0."""
        checker.check_expression_type(expression, v.NUMBER, self.what)
        checker.check_constant(expression, NO_SPAN)
