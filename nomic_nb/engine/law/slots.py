"""What can stand in the places of effects: how each is read, and what is refused before anyone votes.

For `let`: from what is chosen, what the name stands for, which ways of asking fit.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from nomic_nb.engine.errors import LawError
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.checking import Checker, constant_value
from nomic_nb.engine.law.confusables import confusable_form
from nomic_nb.engine.law.language import ClauseReader, tokens_of
from nomic_nb.engine.law.nodes import Expression
from nomic_nb.engine.messages import say

# ------------------------------------------------------------------------- what can stand in the places of effects


class SimpleSlot:
    """A place that takes what it takes, and refuses nothing."""

    def read(self, name: str, reader: ClauseReader, tree: Any) -> Mapping[str, Any]:
        """Return what stands there, by the names under which the effect has it."""
        return {name: self.take(reader, tree)}

    def take(self, reader: ClauseReader, tree: Any) -> Any:  # noqa: ARG002 - others look at the reader
        """Return what stands there: a word."""
        return str(tree)

    def check(self, value: Any, checker: Checker) -> Checker:  # noqa: ARG002 - others look at it
        """Refuse what does not fit; return the names that the next effect sees."""
        return checker


class ValueSlot(SimpleSlot):
    """An expression."""

    symbol = "expr"

    def take(self, reader: ClauseReader, tree: Any) -> Any:
        """Return the expression; None where it was left out."""
        return None if tree is None else reader.expr(tree)

    def check(self, value: Any, checker: Checker) -> Checker:
        """Refuse what does not fit."""
        if value is not None:
            self.fit(value, checker)
        return checker

    def fit(self, expression: Any, checker: Checker) -> None:
        """Refuse an expression that does not fit."""


@frozen(eq=False)
class SingleSlot(ValueSlot):
    """One thing of a type; none too, where it may be missing."""

    type: v.Type
    what: str
    or_none: bool = False
    misfit: Callable[[v.Value], str] | None = None

    def fit(self, expression: Any, checker: Checker) -> None:
        """Refuse another type."""
        checker.expect(expression, v.optional_type(self.type) if self.or_none else self.type, self.what)
        checker.misfit(expression, self.misfit)


@frozen(eq=False)
class SomeSlot(ValueSlot):
    """One thing of a type, several, or none."""

    type: v.Type
    what: str

    def fit(self, expression: Any, checker: Checker) -> None:
        """Refuse another type."""
        checker.of(expression, self.type, self.what)


@frozen(eq=False)
class PlayersSlot(ValueSlot):
    """A player, players, or a name; where it is said so, with a counter of theirs."""

    with_counter: bool = False

    def fit(self, expression: Any, checker: Checker) -> None:
        """Refuse what is no player."""
        if self.with_counter:
            name = checker.doing.counter
            if checker.doing.keys is not None:
                said = say("payment-names-player", "what is paid goes from one player to another")
                raise checker.word(name, said, expected=f"{name}, and no brackets")
            checker.cell(name, None, expression)
            shape = checker.tables[name]
            if shape.keys != ("player",) or not shape.counts:
                said = say(
                    "payment-not-of-players",
                    "{name} is kept per {per} as {kind}",
                    name=name,
                    per=shape.per,
                    kind=shape.holds.name,
                )
                raise checker.word(name, said, expected="a number per player")
        checker.player(expression)


class NewcomerSlot(ValueSlot):
    """Somebody who is to take part: a new name, or a player who has left."""

    def fit(self, expression: Any, checker: Checker) -> None:
        """Refuse what is neither."""
        if not v.is_compatible(checker.type_of(expression), v.optional_type(v.Type("player"))):
            checker.expect(expression, v.TEXT, "a player who has left, or a new player's name")


class CellSlot(SimpleSlot):
    """A place in a table: a name, or ``NAME(EXPR, EXPR)``."""

    symbol = "cell"
    said = "NAME[(EXPR, EXPR)]"

    def read(self, name: str, reader: ClauseReader, tree: Any) -> Mapping[str, Any]:  # noqa: ARG002 - others are named
        """Return the table, and the keys where they stand in brackets."""
        word, brackets = tree.children
        return {"counter": str(word), "keys": None if brackets is None else read_keys(reader, brackets)}


class HiddenTableSlot(CellSlot):
    """A place in a table that is hidden."""

    def check(self, value: Any, checker: Checker) -> Checker:  # noqa: ARG002
        """Refuse a table in which nothing is hidden."""
        name = checker.doing.counter
        if name in checker.tables and not checker.tables[name].hidden:
            known = ", ".join(one for one, other in checker.tables.items() if other.hidden)
            expected = known or "a table that is tracked hidden"
            raise checker.word(
                name, say("not-hidden", "{name} is not hidden: everybody sees it", name=name), expected=expected
            )
        return checker


def read_keys(reader: ClauseReader, brackets: Any) -> tuple[Expression, ...]:
    """Return the expressions in brackets, with commas between them."""
    begin, end = brackets.meta.start_pos + 1, brackets.meta.end_pos - 1
    if reader.flat[begin - 1] != "(":
        raise reader.refused(
            begin - 1, say("brackets-not-round", "a key of a table stands in round brackets"), expected="NAME(KEY)"
        )
    commas = [one for one in brackets.children if getattr(one, "type", "") == "COMMA"]
    ends = zip([begin, *(one.end_pos for one in commas)], [*(one.start_pos for one in commas), end], strict=True)
    return tuple(reader.expr(brackets, one, other) for one, other in ends)


@frozen(eq=False)
class OwnerSlot(ValueSlot):
    """Whose entry it is: of a player, an army, a square …, of several, or of the game."""

    needed: bool = False

    def check(self, value: Any, checker: Checker) -> Checker:
        """Refuse an entry of a table that there is not."""
        word, keys = checker.doing.counter, checker.doing.keys
        if value is not None and keys is not None:
            said = say("owner-said-twice", "whose {word} it is, is said twice", word=word)
            raise checker.word(word, said, expected=f"{word}(…), or {word} of …, and not both")
        if value is None and keys is None and self.needed:
            said = say("owner-missing", "to whom? such as: award 1 {word} to player, or to game", word=word)
            raise checker.word(word, said, expected="to WHO")
        checker.cell(word, keys, value)
        return checker


@frozen(eq=False)
class ContentSlot(ValueSlot):
    """What is put in a place of a table; a list of what can be put there, where several are asked for."""

    several: bool = False

    def fit(self, expression: Any, checker: Checker) -> None:
        """Refuse what the table does not hold."""
        name = checker.doing.counter
        holds = checker.tables[name].holds
        wanted, can = (v.list_type(holds), "can hold") if self.several else (holds, "holds")
        checker.expect(expression, wanted, f"what {name} {can}")


@frozen(eq=False)
class AmountSlot(ValueSlot):
    """How much, and of which counter: the last word, an entry of a table, or what a key already says is counted."""

    what: str
    did: str
    said = "EXPR COUNTER"

    def read(self, name: str, reader: ClauseReader, tree: Any) -> Mapping[str, Any]:
        """Return the expression, the counter, and the keys where they stand in brackets."""
        tokens = tokens_of(tree)
        last, before = tokens[-1], tokens[-2] if len(tokens) > 1 else None
        if _names_counter(last, before) and last.end_pos == tree.meta.end_pos:
            return {name: reader.expr(tree, end=last.start_pos), "counter": str(last), "keys": None}
        before, word, brackets = [None, None, *tree.children][-3:]
        if hasattr(brackets, "children") and _names_counter(word, before):
            keys = read_keys(reader, brackets)
            return {name: reader.expr(tree, end=word.start_pos), "counter": str(word), "keys": keys}
        value = reader.expr(tree)
        # `award defeat.points to …`: the key already says what is counted.
        counter = value.node.key.rpartition(".")[2]
        if not counter:
            said = say("counter-missing", "it does not say what is {did}", did=self.did)
            raise reader.refused(tree.meta.end_pos, said, repr(value.text), "a counter, as in 5 points")
        return {name: value, "counter": counter, "keys": None}

    def fit(self, expression: Any, checker: Checker) -> None:
        """Refuse what is no number, and a table that does not hold numbers."""
        name = checker.doing.counter
        shape = checker.tables.get(name)
        if shape is not None and not shape.counts:
            said = say(
                "not-added-to", "{name} holds {kind}, and nothing is added to them", name=name, kind=shape.holds.many
            )
            raise checker.word(name, said, expected=f"put {name} … at …")
        checker.expect(expression, v.NUMBER, self.what)


def _names_counter(word: Any, before: Any) -> bool:
    """Tell whether a word behind something names what is counted, and is not the end of an expression."""
    if getattr(word, "type", "") != "WORD" or "." in word or before is None:
        return False
    ends = getattr(before, "type", "") not in ("OPERATOR", "MINUS", "COMMA")
    return ends and str(before) not in ("and", "or", "not", "in", "if", "else")


@frozen(eq=False)
class WordSlot(SimpleSlot):
    """A word; one of a few, where it is said which, and what they are called."""

    what: str = ""
    known: Callable[[Checker], Iterable[str]] | tuple[str, ...] = ()
    hint: str = ""
    symbol = "WORD"

    def check(self, value: Any, checker: Checker) -> Checker:
        """Refuse a word that is not known."""
        if self.what:
            known = list(self.known if isinstance(self.known, tuple) else self.known(checker))
            if value not in known:
                raise checker.unknown(self.what, value, known or [self.hint])
        return checker

    @property
    def said(self) -> str:
        """How it is written, for people."""
        return "|".join(self.known) if isinstance(self.known, tuple) and self.known else "NAME"


class OrWordSlot(WordSlot):
    """Another word behind ``or``; it may be left out. Inside expressions ``or`` stays what it is there."""

    symbol = '["or" WORD]'

    def take(self, reader: ClauseReader, tree: Any) -> Any:  # noqa: ARG002
        """Return the word; an empty one where there is none."""
        return "" if tree is None else str(tree)

    def check(self, value: Any, checker: Checker) -> Checker:
        """Refuse a word that is not known."""
        return super().check(value, checker) if value else checker

    @property
    def said(self) -> str:
        """How it is written, for people."""
        return f"[or {super().said}]"


@frozen(eq=False)
class NameSlot(WordSlot):
    """A new name for a number, or for one of the things in the list of another place."""

    of: str = ""
    or_none: str = ""

    def check(self, value: Any, checker: Checker) -> Checker:
        """Refuse a name that means something already; return the scope with it."""
        item = v.NUMBER
        if self.of:
            item = checker.elements(getattr(checker.doing, self.of), value)
            item = v.optional_type(item) if getattr(checker.doing, self.or_none) else item
        elif value not in checker.bound:
            checker.fresh(value)
        return checker.plus(**{value: item})


@frozen(eq=False)
class FlagSlot(SimpleSlot):
    """Words that may stand there."""

    words: str

    @property
    def symbol(self) -> str:
        """What the grammar calls it."""
        return f"[{self.words.upper().replace(' ', '_')}]"

    @property
    def said(self) -> str:
        """How it is written, for people."""
        return f"[{self.words}]"

    def take(self, reader: ClauseReader, tree: Any) -> Any:  # noqa: ARG002
        """Return whether they stand there."""
        return tree is not None


@frozen(eq=False)
class SentenceSlot(ValueSlot):
    """A text: in quotation marks, of any length, or one that is put together."""

    what: str

    def take(self, reader: ClauseReader, tree: Any) -> Any:
        """Return the text, or the expression."""
        tokens = tokens_of(tree)
        if len(tokens) == 1 and tokens[0].type == "STRING":
            return str(tokens[0])[1:-1]
        return super().take(reader, tree)

    def fit(self, expression: Any, checker: Checker) -> None:
        """Refuse what is no text."""
        if not isinstance(expression, str):
            try:
                checker.expect(expression, v.TEXT, self.what)
            except LawError as error:
                error.expected = error.expected or '"…", in quotation marks'
                raise


@frozen(eq=False)
class InnerEffectSlot(SimpleSlot):
    """Another effect: done now, or later; on a condition, or for each on a list, where other places have them."""

    later: bool = False
    symbol = "effect"
    said = "EFFECT"

    def take(self, reader: ClauseReader, tree: Any) -> Any:
        """Return the effect."""
        return reader.effect(tree)

    def check(self, value: Any, checker: Checker) -> Checker:
        """Refuse what the effect inside refuses; the names that it binds stay inside."""
        places, inner = dict(checker.doing.places), checker
        if "among" in places:
            name = places["name"]
            inner = checker.plus(**{name: checker.elements(places["among"], name)})
        inner.condition(places.get("condition"))
        inner.effect(value)
        return checker


class SeveralEffectsSlot(SimpleSlot):
    """Effects, one after another."""

    symbol = "effects"
    said = "EFFECT; …"

    def take(self, reader: ClauseReader, tree: Any) -> Any:
        """Return the effects."""
        return tuple(reader.effect(one) for one in tree.children)

    def check(self, value: Any, checker: Checker) -> Checker:
        """Refuse what the effects inside refuse; the names that they bind stay inside."""
        inner = checker
        for one in value:
            inner = inner.effect(one)
        return checker


# ------------------------------------------------------------------------------ what stands in the places of `let`


#: In what something is put off, and how many minutes those have that go by the clock.
TIME_UNITS = ("turns", "circuits", "hours", "days", "weeks")
MINUTES_PER_UNIT: Mapping[str, int] = {"hours": 60, "days": 24 * 60, "weeks": 7 * 24 * 60}
#: Says why a number is no span; empty where it is one.
NO_OPTIONS = say("no-options", "there is nothing to choose from")
NO_SPAN = v.range_check("a span", 0)
#: What can be answered where there are no options, and the type of such answers.
FREE_ANSWERS: Mapping[str, v.Type] = {"any number": v.NUMBER, "any text": v.TEXT}
_LIST_EXPECTED = 'a list, such as ["yes", "no"], or any number, or any text'


def poll_type(answer: v.Type) -> v.Type:
    """Return the type of what several answer."""
    return v.Type("poll", about=answer)


class OptionsSlot(ValueSlot):
    """A list of what can be chosen, or ``any number``, or ``any text``."""

    said = "OPTIONS"

    def take(self, reader: ClauseReader, tree: Any) -> Any:
        """Return the expression; the words where the answer is free."""
        words = " ".join(map(str, tokens_of(tree)))
        return words if words in FREE_ANSWERS else reader.expr(tree)


class AskedSlot(PlayersSlot):
    """Who is asked: one player, or several."""

    def fit(self, expression: Any, checker: Checker) -> None:
        """Refuse what is no player, and nobody."""
        super().fit(expression, checker)
        found = checker.type_of(expression)
        if found.item is not None and found.item.name == "nothing":
            raise checker.about(
                expression, say("nobody-asked", "nobody would be asked"), found, "players, such as seats"
            )


class QuestionSlot(ValueSlot):
    """What those who are asked see."""

    symbol = "STRING"
    said = '"WORDS"'

    def take(self, reader: ClauseReader, tree: Any) -> Any:  # noqa: ARG002
        """Return the text; None where it was left out."""
        return None if tree is None else str(tree)[1:-1]

    def check(self, value: Any, checker: Checker) -> Checker:
        """Refuse a question without words."""
        if value is not None and not value.strip():
            raise checker.word(
                "asking", say("question-empty", "the question has no words"), expected='asking "Who keeps the purse?"'
            )
        return checker


class AnswerSlot(WordSlot):
    """A new name: for what one player answers, or for the answers of several."""

    def check(self, value: Any, checker: Checker) -> Checker:
        """Refuse a name that means something already, and ways of asking that do not go together."""
        places: dict[str, Any] = dict(checker.doing.places)
        who, options, late = places.get("who"), places["options"], places.get("otherwise")
        item = answered = _answer_type(options, checker)
        checker.fresh(value)
        several = who is not None and checker.type_of(who).item is not None
        if who is None and isinstance(options, str):
            raise checker.word(
                "chance",
                say("chance-without-list", "chance chooses from a list"),
                found=options,
                expected='["owl", "fox"]',
            )
        if places.get("some") and isinstance(options, str):
            raise checker.word(
                "some", say("some-without-list", "some are chosen from a list"), found=options, expected=_LIST_EXPECTED
            )
        if places.get("secret") and not several:
            message = say("secret-of-one", "what one player answers is known at once")
            raise checker.word("secret", message, expected="several who are asked, such as seats")
        if places.get("some"):
            answered = v.list_type(item)
        elif places.get("optional"):
            answered = v.optional_type(item)
        if late is not None:
            _check_late_answer(late, options, answered, checker)
        elif places.get("span") is not None and not places.get("some"):
            answered = v.optional_type(item)
        return checker.plus(**{value: poll_type(item) if several else answered})


def _check_late_answer(late: Expression, options: Expression | str, kind: v.Type, checker: Checker) -> None:
    """Refuse what cannot count for whoever is late: another type, and what is none of the options."""
    checker.expect(late, kind, "what counts for whoever is late")
    if isinstance(options, str) or not (late.constant and options.constant) or late.node.listed is not None:
        return
    known, said = cast(tuple[v.Value, ...], constant_value(options)), constant_value(late)
    if said is not None and said not in known:
        raise LawError(
            say("default-not-an-option", "what counts for whoever is late is one of the options"),
            found=v.value_text(said),
            expected=" or ".join(v.value_text(one) for one in known[:8]), offset=late.at,
        )  # fmt: skip


def _answer_type(options: Expression | str, checker: Checker) -> v.Type:
    """Return the type of an answer; texts that are all known are the only ones that it can be."""
    if isinstance(options, str):
        return FREE_ANSWERS[options]
    found = checker.type_of(options)
    if found.item is None:
        raise checker.about(
            options,
            say("options-not-a-list", "what is chosen from is a list, any number or any text"),
            found,
            _LIST_EXPECTED,
        )
    if found.item.name == "nothing":
        raise checker.about(options, NO_OPTIONS, found, _LIST_EXPECTED)
    texts = [one.value for one in options.node.listed or ()]
    known = tuple(one for one in texts if isinstance(one, str))
    seen: dict[str, str] = {}
    for one in known:
        if (other := seen.setdefault(confusable_form(one), one)) != one:
            said = say(
                "options-look-same",
                "“{other}” and “{one}” look the same where they are chosen from",
                other=other,
                one=one,
            )
            raise LawError(said, found=v.value_text(one), expected="another word", offset=options.at)
    return v.text_type(found.item, known) if texts and len(known) == len(texts) else found.item


@frozen(eq=False)
class SpanSlot(ValueSlot):
    """How long: an expression, and the unit as its last word; the effect has it as ``unit``, in the plural."""

    what: str = "a span"
    said = "EXPR turns|circuits|hours|days|weeks"

    def read(self, name: str, reader: ClauseReader, tree: Any) -> Mapping[str, Any]:
        """Return the expression and the unit; None and an empty unit where they were left out."""
        if tree is None:
            return {name: None, "unit": ""}
        return self.read_span(name, reader, tree, tokens_of(tree), tree.meta.end_pos)

    @staticmethod
    def read_span(name: str, reader: ClauseReader, tree: Any, tokens: list[Any], end: int) -> Mapping[str, Any]:
        """Return the expression and the unit, which these tokens have before this place."""
        last = tokens[-1]
        unit = next((one for one in TIME_UNITS if str(last) in (one, one[:-1])), "")
        if not unit or last.end_pos != end:
            meant = difflib.get_close_matches(str(last), TIME_UNITS, 1) or TIME_UNITS
            raise reader.refused(
                last.start_pos, say("unit-missing", "it does not say of what"), repr(str(last)), ", ".join(meant)
            )
        if len(tokens) == 1:
            wanted = f"a number, as in 2 {unit}"
            raise reader.refused(
                last.start_pos, say("span-missing", "it does not say how many"), repr(str(last)), wanted
            )
        return {name: reader.expr(tree, end=last.start_pos), "unit": unit}

    def fit(self, expression: Any, checker: Checker) -> None:
        """Refuse what is no whole number."""
        checker.expect(expression, v.NUMBER, self.what)
        checker.misfit(expression, NO_SPAN)


class LateSlot(SpanSlot):
    """How long play waits for nobody's answer, and what counts for whoever is late."""

    said = "EXPR turns|circuits|hours|days|weeks [else EXPR]"

    def read(self, name: str, reader: ClauseReader, tree: Any) -> Mapping[str, Any]:
        """Return the span and its unit, and what counts; none of them where they were left out."""
        tokens = tokens_of(tree)
        units = (at for at, one in enumerate(tokens[:-1]) if str(one).rstrip("s") + "s" in TIME_UNITS)
        at = next((at for at in units if tokens[at + 1] == "else"), None)
        if at is None:
            return {**super().read(name, reader, tree), "otherwise": None}
        if len(tokens) == at + 2:
            raise reader.refused(
                tree.meta.end_pos, say("default-missing", "it does not say what counts"), expected="one of the options"
            )
        span = self.read_span(name, reader, tree, tokens[: at + 1], tokens[at].end_pos)
        return {**span, "otherwise": reader.expr(tree, start=tokens[at + 1].end_pos)}


NO_WEIGHT = v.range_check("a weight", 0, whole=False)


class WeightsSlot(ValueSlot):
    """How much each of the options weighs, where it is said."""

    def fit(self, expression: Any, checker: Checker) -> None:
        """Refuse what is no list of numbers, and as many of them as there are not options."""
        checker.expect(expression, v.list_type(v.NUMBER), "what options weigh")
        checker.misfit(expression, NO_WEIGHT)
        options, weights = checker.doing.options.node.listed, expression.node.listed
        if None not in (options, weights) and len(options) != len(weights):
            raise LawError(
                say("weights-unequal", "each of the options has its weight"),
                found=f"{len(options)} and {len(weights)}",
                expected="as many numbers as options", offset=expression.at,
            )  # fmt: skip
