"""The places of `let`: the options, the type of the new name, and the ways of asking that fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.checking import Checker, constant_value
from nomic_nb.engine.law.confusables import confusable_form
from nomic_nb.engine.law.language import ClauseReader, outer_token, tokens_of
from nomic_nb.engine.law.nodes import Expression
from nomic_nb.engine.law.slots import (
    FREE_ANSWERS,
    NO_OPTIONS,
    TIME_UNITS,
    PlayersSlot,
    SpanSlot,
    ValueSlot,
    WordSlot,
    type_of_poll,
)
from nomic_nb.engine.messages import say

_LIST_EXPECTED = 'a list, such as ["yes", "no"], or any number, or any text'


class OptionsSlot(ValueSlot):
    """A list of options, or ``any number``, or ``any text``."""

    readable_form = "OPTIONS"

    def parse_value(self, reader: ClauseReader, tree: Any) -> Any:
        """Return the expression for the list of options, or the text “any number” or “any text”."""
        words = " ".join(map(str, tokens_of(tree)))
        return words if words in FREE_ANSWERS else reader.read_expression_in(tree)


class SealableSlot(OptionsSlot):
    """What may be sealed for an entry of a table: a list of what it holds, ``any number`` or ``any text``."""

    def check_expression(self, expression: Any, checker: Checker) -> None:
        """Raise `LawError` unless what may be sealed has the type that the table holds."""
        name = checker.doing.counter
        holds = checker.tables[name].holds
        if isinstance(expression, Expression):
            checker.check_expression_type(expression, v.list_type(holds), f"the options for {name}")
        elif not v.is_compatible(FREE_ANSWERS[expression], holds):
            message = say("sealed-otherwise", "{name} holds {kind}", name=name, kind=holds.with_article)
            raise checker.error_at_word(name, message, found=expression, expected=f"a list of {holds.plural}")


class AskedSlot(PlayersSlot):
    """The player or players who are asked."""

    def check_expression(self, expression: Any, checker: Checker) -> None:
        """Raise `LawError` unless an expression yields a player, a list of players that is not empty, or a name."""
        super().check_expression(expression, checker)
        kind = checker.checked_type(expression)
        if kind.item is not None and kind.item.name == "nothing":
            raise checker.error_in_expression(
                expression, say("nobody-asked", "there would be nobody to ask"), kind, "players, such as seats"
            )


class QuestionSlot(ValueSlot):
    """The question that those players see."""

    symbol = "STRING"
    readable_form = '"WORDS"'

    def parse_value(self, reader: ClauseReader, tree: Any) -> Any:  # noqa: ARG002
        """Return the text of the question; None if it was left out."""
        return None if tree is None else str(tree)[1:-1]

    def check(self, value: Any, checker: Checker) -> Checker:
        """Raise `LawError` if the question is blank; return the checker unchanged."""
        if value is not None and not value.strip():
            raise checker.error_at_word(
                "asking", say("question-empty", "the question is empty"), expected='asking "Who keeps the purse?"'
            )
        return checker


class AnswerSlot(WordSlot):
    """A new name: for one player's answer, or for the answers of several."""

    def check(self, value: Any, checker: Checker) -> Checker:
        """Raise `LawError` if the answer's name or the options are unfit; return a checker that knows the name."""
        places: dict[str, Any] = dict(checker.doing.places)
        who, options, late = places.get("who"), places["options"], places.get("otherwise")
        item = answered = _answer_type(options, checker)
        checker.bind_new_name(value)
        several = who is not None and checker.checked_type(who).item is not None
        if who is None and isinstance(options, str):
            raise checker.error_at_word(
                "chance",
                say("chance-without-list", "chance can only choose from a list"),
                found=options,
                expected='["owl", "fox"]',
            )
        if places.get("some") and isinstance(options, str):
            raise checker.error_at_word(
                "some",
                say("some-without-list", "with some, the options must be a list"),
                found=options,
                expected=_LIST_EXPECTED,
            )
        if places.get("secret") and not several:
            message = say("secret-of-one", "an answer can be secret only if several players are asked")
            raise checker.error_at_word("secret", message, expected="several players, such as seats")
        if places.get("some"):
            answered = v.list_type(item)
        elif places.get("optional"):
            answered = v.optional_type(item)
        if late is not None:
            _check_default_answer(late, options, answered, checker)
        elif places.get("span") is not None and not places.get("some"):
            answered = v.optional_type(item)
        return checker.with_names(**{value: type_of_poll(item) if several else answered})


def _check_default_answer(late: Expression, options: Expression | str, kind: v.Type, checker: Checker) -> None:
    """Raise `LawError` if the answer that counts for latecomers has the wrong type or is no option."""
    checker.check_expression_type(late, kind, "the default answer")
    if isinstance(options, str) or not (late.constant and options.constant) or late.node.list_items is not None:
        return
    known, value = cast(tuple[v.Value, ...], constant_value(options)), constant_value(late)
    if value is not None and value not in known:
        raise LawError(
            "default-not-an-option",
            "the default answer must be one of the options",
            found=v.value_text(value),
            expected=" or ".join(v.value_text(option) for option in known[:8]),
            offset=late.at,
        )


def _answer_type(options: Expression | str, checker: Checker) -> v.Type:
    """Return the type of an answer: any number, any text, or an option in a list; raise `LawError` if unfit."""
    if isinstance(options, str):
        return FREE_ANSWERS[options]
    kind = checker.checked_type(options)
    if kind.item is None:
        raise checker.error_in_expression(
            options, say("options-not-a-list", "options must be a list, any number or any text"), kind, _LIST_EXPECTED
        )
    if kind.item.name == "nothing":
        raise checker.error_in_expression(options, NO_OPTIONS, kind, _LIST_EXPECTED)
    texts = [node.value for node in options.node.list_items or ()]
    known = tuple(text for text in texts if isinstance(text, str))
    seen: dict[str, str] = {}
    for option in known:
        if (other := seen.setdefault(confusable_form(option), option)) != option:
            raise LawError(
                "options-look-same",
                "“{other}” and “{one}” would look the same in the list of options",
                other=other,
                one=option,
                found=v.value_text(option),
                expected="another word",
                offset=options.at,
            )
    return v.text_type(kind.item, known) if texts and len(known) == len(texts) else kind.item


class LateSlot(SpanSlot):
    """The time limit of a question that does not hold up play, and the answer that counts for latecomers."""

    readable_form = "EXPR turns|circuits|hours|days|weeks [else EXPR]"

    def read(self, name: str, reader: ClauseReader, tree: Any) -> Mapping[str, Any]:
        """Return a dict: the time limit, its `unit`, and the default answer, or None, as `otherwise`."""
        tokens = tokens_of(tree)
        units = (at for at, token in enumerate(tokens[:-1]) if str(token).rstrip("s") + "s" in TIME_UNITS)
        at = next((at for at in units if tokens[at + 1] == "else"), None)
        if at is None:
            return {**super().read(name, reader, tree), "otherwise": None}
        if len(tokens) == at + 2:
            raise reader.error_at_offset(
                outer_token(tree, -1).end_pos,
                say("default-missing", "after else, give the default answer"),
                expected="one of the options",
            )
        span = self.read_span(name, reader, tree, tokens[: at + 1], tokens[at].end_pos)
        return {**span, "otherwise": reader.read_expression_in(tree, start=tokens[at + 1].end_pos)}


NO_WEIGHT = v.make_range_check("a weight", 0, whole=False)


class WeightsSlot(ValueSlot):
    """The weights of the options, if given."""

    def check_expression(self, expression: Any, checker: Checker) -> None:
        """Raise `LawError` unless an expression yields a list of numbers, one for each of the options."""
        checker.check_expression_type(expression, v.list_type(v.NUMBER), "the list of weights")
        checker.check_constant(expression, NO_WEIGHT)
        options, weights = checker.doing.options.node.list_items, expression.node.list_items
        if None not in (options, weights) and len(options) != len(weights):
            raise LawError(
                "weights-unequal",
                "give one weight for each option",
                found=f"{len(options)} and {len(weights)}",
                expected="as many numbers as options",
                offset=expression.at,
            )
