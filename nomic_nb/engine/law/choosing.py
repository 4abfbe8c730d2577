"""What stands in the places of `let`, and how long something takes: a number and a unit.

For `let`: from what is chosen, what the name stands for, which ways of asking fit.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any, cast

from nomic_nb.engine.errors import LawError
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.checking import Checker, constant
from nomic_nb.engine.law.likeness import likeness
from nomic_nb.engine.law.nodes import Expression
from nomic_nb.engine.law.places import Players, Value, Word
from nomic_nb.engine.law.reading import Reader, tokens_of

#: In what something is put off, and how many minutes those have that go by the clock.
UNITS = ("turns", "circuits", "hours", "days", "weeks")
MINUTES: Mapping[str, int] = {"hours": 60, "days": 24 * 60, "weeks": 7 * 24 * 60}
#: Says why a number is no span; empty where it is one.
NO_SPAN = v.within("a span", 0)
#: What can be answered where there are no options, and the type of such answers.
FREE: Mapping[str, v.Type] = {"any number": v.NUMBER, "any text": v.TEXT}
_LIST = 'a list, such as ["yes", "no"], or any number, or any text'


def poll_of(answer: v.Type) -> v.Type:
    """Return the type of what several answer."""
    return v.Type("poll", about=answer)


class Options(Value):
    """A list of what can be chosen, or ``any number``, or ``any text``."""

    said = "OPTIONS"

    def take(self, reader: Reader, tree: Any) -> Any:
        """Return the expression; the words where the answer is free."""
        words = " ".join(map(str, tokens_of(tree)))
        return words if words in FREE else reader.expr(tree)


class Asked(Players):
    """Who is asked: one player, or several."""

    def fit(self, expression: Any, checker: Checker) -> None:
        """Refuse what is no player, and nobody."""
        super().fit(expression, checker)
        found = checker.type_of(expression)
        if found.item is not None and found.item.name == "nothing":
            raise checker.about(expression, "nobody would be asked", found, "players, such as seats")


class Question(Value):
    """What those who are asked see."""

    symbol = "STRING"
    said = '"WORDS"'

    def take(self, reader: Reader, tree: Any) -> Any:  # noqa: ARG002
        """Return the text; None where it was left out."""
        return None if tree is None else str(tree)[1:-1]

    def check(self, value: Any, checker: Checker) -> Checker:
        """Refuse a question without words."""
        if value is not None and not value.strip():
            raise checker.word("asking", "the question has no words", expected='asking "Who keeps the purse?"')
        return checker


class Answer(Word):
    """A new name: for what one player answers, or for the answers of several."""

    def check(self, value: Any, checker: Checker) -> Checker:
        """Refuse a name that means something already, and ways of asking that do not go together."""
        places: dict[str, Any] = dict(checker.doing.places)
        who, options, late = places.get("who"), places["options"], places.get("otherwise")
        item = answered = _answered(options, checker)
        checker.fresh(value)
        several = who is not None and checker.type_of(who).item is not None
        if who is None and isinstance(options, str):
            raise checker.word("chance", "chance chooses from a list", found=options, expected='["owl", "fox"]')
        if places.get("some") and isinstance(options, str):
            raise checker.word("some", "some are chosen from a list", found=options, expected=_LIST)
        if places.get("secret") and not several:
            message = "what one player answers is known at once"
            raise checker.word("secret", message, expected="several who are asked, such as seats")
        if places.get("some"):
            answered = v.list_of(item)
        elif places.get("optional"):
            answered = v.maybe(item)
        if late is not None:
            _counts(late, options, answered, checker)
        elif places.get("span") is not None and not places.get("some"):
            answered = v.maybe(item)
        return checker.plus(**{value: poll_of(item) if several else answered})


def _counts(late: Expression, options: Expression | str, kind: v.Type, checker: Checker) -> None:
    """Refuse what cannot count for whoever is late: another type, and what is none of the options."""
    checker.expect(late, kind, "what counts for whoever is late")
    if isinstance(options, str) or not (late.constant and options.constant) or late.node.kind == "list":
        return
    known, said = cast(tuple[v.Value, ...], constant(options)), constant(late)
    if said is not None and said not in known:
        raise LawError(
            "what counts for whoever is late is one of the options", found=v.shown(said),
            expected=" or ".join(v.shown(one) for one in known[:8]), offset=late.at,
        )  # fmt: skip


def _answered(options: Expression | str, checker: Checker) -> v.Type:
    """Return the type of an answer; texts that are all known are the only ones that it can be."""
    if isinstance(options, str):
        return FREE[options]
    found = checker.type_of(options)
    if found.item is None:
        raise checker.about(options, "what is chosen from is a list, any number or any text", found, _LIST)
    if found.item.name == "nothing":
        raise checker.about(options, "there is nothing to choose from", found, _LIST)
    texts = tuple(one.value for one in options.node.parts) if options.node.kind == "list" else ()
    known = tuple(one for one in texts if isinstance(one, str))
    seen: dict[str, str] = {}
    for one in known:
        if (other := seen.setdefault(likeness(one), one)) != one:
            said = f"“{other}” and “{one}” look the same where they are chosen from"
            raise LawError(said, found=v.shown(one), expected="another word", offset=options.at)
    return v.worded(found.item, known) if texts and len(known) == len(texts) else found.item


@frozen(eq=False)
class Span(Value):
    """How long: an expression, and the unit as its last word; the effect has it as ``unit``, in the plural."""

    what: str = "a span"
    said = "EXPR turns|circuits|hours|days|weeks"

    def read(self, name: str, reader: Reader, tree: Any) -> Mapping[str, Any]:
        """Return the expression and the unit; None and an empty unit where they were left out."""
        if tree is None:
            return {name: None, "unit": ""}
        return self.spanned(name, reader, tree, tokens_of(tree), tree.meta.end_pos)

    @staticmethod
    def spanned(name: str, reader: Reader, tree: Any, tokens: list[Any], end: int) -> Mapping[str, Any]:
        """Return the expression and the unit, which these tokens have before this place."""
        last = tokens[-1]
        unit = next((one for one in UNITS if str(last) in (one, one[:-1])), "")
        if not unit or last.end_pos != end:
            meant = difflib.get_close_matches(str(last), UNITS, 1) or UNITS
            raise reader.refused(last.start_pos, "it does not say of what", repr(str(last)), ", ".join(meant))
        if len(tokens) == 1:
            wanted = f"a number, as in 2 {unit}"
            raise reader.refused(last.start_pos, "it does not say how many", repr(str(last)), wanted)
        return {name: reader.expr(tree, end=last.start_pos), "unit": unit}

    def fit(self, expression: Any, checker: Checker) -> None:
        """Refuse what is no whole number."""
        checker.expect(expression, v.NUMBER, self.what)
        checker.misfit(expression, NO_SPAN)


class Late(Span):
    """How long play waits for nobody's answer, and what counts for whoever is late."""

    said = "EXPR turns|circuits|hours|days|weeks [else EXPR]"

    def read(self, name: str, reader: Reader, tree: Any) -> Mapping[str, Any]:
        """Return the span and its unit, and what counts; none of them where they were left out."""
        tokens = tokens_of(tree)
        units = (at for at, one in enumerate(tokens[:-1]) if str(one).rstrip("s") + "s" in UNITS)
        at = next((at for at in units if tokens[at + 1] == "else"), None)
        if at is None:
            return {**super().read(name, reader, tree), "otherwise": None}
        if len(tokens) == at + 2:
            raise reader.refused(tree.meta.end_pos, "it does not say what counts", expected="one of the options")
        span = self.spanned(name, reader, tree, tokens[: at + 1], tokens[at].end_pos)
        return {**span, "otherwise": reader.expr(tree, start=tokens[at + 1].end_pos)}


NO_WEIGHT = v.within("a weight", 0, whole=False)


class Weights(Value):
    """How much each of the options weighs, where it is said."""

    def fit(self, expression: Any, checker: Checker) -> None:
        """Refuse what is no list of numbers, and as many of them as there are not options."""
        checker.expect(expression, v.list_of(v.NUMBER), "what options weigh")
        checker.misfit(expression, NO_WEIGHT)
        options, weights = checker.doing.options.node, expression.node
        if options.kind == weights.kind == "list" and len(options.parts) != len(weights.parts):
            raise LawError(
                "each of the options has its weight", found=f"{len(options.parts)} and {len(weights.parts)}",
                expected="as many numbers as options", offset=expression.at,
            )  # fmt: skip
