"""What stands in the places of `let`: from what is chosen, what the name stands for, which ways of asking fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, cast

from nomic_nb.errors import LawError
from nomic_nb.law import values as v
from nomic_nb.law.checking import Checker
from nomic_nb.law.forms import Effect, Reader
from nomic_nb.law.nodes import Expression
from nomic_nb.law.places import Players, Value, Word
from nomic_nb.law.spans import UNITS, Span
from nomic_nb.law.types import Scope
from nomic_nb.law.view import View

#: What can be answered where there are no options, and the type of such answers.
FREE: Mapping[str, v.Type] = {"any number": v.NUMBER, "any text": v.TEXT}
_LIST = 'a list, such as ["yes", "no"], or any number, or any text'


def poll_of(answer: v.Type) -> v.Type:
    """Return the type of what several answer."""
    return v.Type("poll", about=answer)


class Options(Value):
    """A list of what can be chosen, or ``any number``, or ``any text``."""

    said: ClassVar[str] = "OPTIONS"

    def take(self, reader: Reader, tree: Any) -> Any:
        """Return the expression; the words where the answer is free."""
        words = " ".join(str(one) for one in tree.scan_values(lambda _: True))
        return words if words in FREE else reader.expr(tree)


@dataclass(frozen=True)
class Asked(Players):
    """Who is asked: one player, or several."""

    def fit(self, expression: Any, checker: Checker, effect: Effect, scope: Scope) -> None:
        """Refuse what is no player, and nobody."""
        super().fit(expression, checker, effect, scope)
        found = checker.type_of(expression, scope)
        if found.item is not None and found.item.name == "nothing":
            raise checker.about(expression, "nobody would be asked", found, "players, such as seats")


class Question(Value):
    """What those who are asked see."""

    symbol: ClassVar[str] = "STRING"
    said: ClassVar[str] = '"WORDS"'

    def take(self, reader: Reader, tree: Any) -> Any:  # noqa: ARG002
        """Return the text; None where it was left out."""
        return None if tree is None else str(tree)[1:-1]

    def check(self, name: str, checker: Checker, effect: Effect, scope: Scope) -> Scope:
        """Refuse a question without words."""
        words = getattr(effect, name)
        if words is not None and not words.strip():
            raise checker.word("asking", "the question has no words", expected='asking "Who keeps the purse?"')
        return scope


@dataclass(frozen=True)
class Answer(Word):
    """A new name: for what one player answers, or for the answers of several."""

    def check(self, name: str, checker: Checker, effect: Effect, scope: Scope) -> Scope:
        """Refuse a name that means something already, and ways of asking that do not go together."""
        word, places = getattr(effect, name), dict(effect.places)
        item = _answered(effect.options, checker, scope)
        checker.fresh(word, scope)
        several = "who" in places and checker.type_of(effect.who, scope).item is not None
        some, none = places.get("some", False), places.get("optional", False)
        if "who" not in places and isinstance(effect.options, str):
            raise checker.word("chance", "chance chooses from a list", found=effect.options, expected='["owl", "fox"]')
        if some and isinstance(effect.options, str):
            raise checker.word("some", "some are chosen from a list", found=effect.options, expected=_LIST)
        if places.get("secret") and not several:
            message = "what one player answers is known at once"
            raise checker.word("secret", message, expected="several who are asked, such as seats")
        span, late = places.get("span"), places.get("otherwise")
        if late is not None:
            _counts(late, effect.options, v.list_of(item) if some else v.maybe(item) if none else item, checker, scope)
        if several:
            return scope.plus(**{word: poll_of(item)})
        if some:
            return scope.plus(**{word: v.list_of(item)})
        return scope.plus(**{word: v.maybe(item) if none or (span is not None and late is None) else item})


def _counts(late: Expression, options: Expression | str, kind: v.Type, checker: Checker, scope: Scope) -> None:
    """Refuse what cannot count for whoever is late: another type, and what is none of the options."""
    checker.expect(late, scope, kind, "what counts for whoever is late")
    if isinstance(options, str) or not (late.constant and options.constant) or late.node.kind == "list":
        return
    known, said = cast(tuple[v.Value, ...], options.run(View(None, {}, None))), late.run(View(None, {}, None))
    if said is not None and said not in known:
        raise LawError(
            "what counts for whoever is late is one of the options", found=v.shown(said),
            expected=" or ".join(v.shown(one) for one in known[:8]), offset=late.at,
        )  # fmt: skip


def _answered(options: Expression | str, checker: Checker, scope: Scope) -> v.Type:
    """Return the type of an answer; texts that are all known are the only ones that it can be."""
    if isinstance(options, str):
        return FREE[options]
    found = checker.type_of(options, scope)
    if found.item is None:
        raise checker.about(options, "what is chosen from is a list, any number or any text", found, _LIST)
    if found.item.name == "nothing":
        raise checker.about(options, "there is nothing to choose from", found, _LIST)
    texts = tuple(one.value for one in options.node.parts) if options.node.kind == "list" else ()
    known = tuple(one for one in texts if isinstance(one, str))
    return v.worded(found.item, known) if texts and len(known) == len(texts) else found.item


@dataclass(frozen=True)
class Late(Span):
    """How long play waits for nobody's answer, and what counts for whoever is late."""

    said: ClassVar[str] = "EXPR turns|circuits|hours|days|weeks [else EXPR]"

    def read(self, name: str, reader: Reader, tree: Any) -> Mapping[str, Any]:
        """Return the span and its unit, and what counts; none of them where they were left out."""
        tokens = [] if tree is None else list(tree.scan_values(lambda _: True))
        units = (at for at, one in enumerate(tokens[:-1]) if str(one).rstrip("s") + "s" in UNITS)
        at = next((at for at in units if tokens[at + 1] == "else"), None)
        if at is None:
            return {**super().read(name, reader, tree), "otherwise": None}
        if len(tokens) == at + 2:
            error = LawError("it does not say what counts", expected="one of the options")
            raise reader.place(error, tree.meta.end_pos)
        if at == 0:
            error = LawError("it does not say how many", expected=f"a number, as in 2 {tokens[at]}")
            raise reader.place(error, tokens[at].start_pos)
        unit = str(tokens[at]).rstrip("s") + "s"
        otherwise = reader.expr(tree, start=tokens[at + 1].end_pos)
        return {name: reader.expr(tree, end=tokens[at].start_pos), "unit": unit, "otherwise": otherwise}


class Weights(Value):
    """How much each of the options weighs, where it is said."""

    def fit(self, expression: Any, checker: Checker, effect: Effect, scope: Scope) -> None:
        """Refuse what is no list of numbers, and as many of them as there are not options."""
        checker.expect(expression, scope, v.list_of(v.NUMBER), "what options weigh")
        options, weights = effect.options.node, expression.node
        if options.kind == weights.kind == "list" and len(options.parts) != len(weights.parts):
            raise LawError(
                "each of the options has its weight", found=f"{len(options.parts)} and {len(weights.parts)}",
                expected="as many numbers as options", offset=expression.at,
            )  # fmt: skip
