"""Expressions of the law language in plain English, put together from what is declared of their words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, replace
from functools import cache
from pathlib import Path
from typing import Any

from nomic_nb.engine.errors import LawError
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.expressions import IN_TIME
from nomic_nb.engine.law.nodes import Node
from nomic_nb.engine.law.tables import TableShape
from nomic_nb.engine.law.types import Scope
from nomic_nb.engine.law.values import ThingRef, Type, Value, with_article
from nomic_nb.engine.law.vocabulary import Case, Field, Vocabulary
from nomic_nb.engine.words import counter_named, join_words, number_text

# ----------------------------------- words and turns of phrase from which sentences about clauses are put together


#: How many there are of something.
HOW_MANY = re.compile(r"how many ([\w-]+(?: in \w+)?) (?=\w)")


@cache
def wording_table(of: str) -> Mapping[str, Any]:
    """Return a table of ``wording.toml``."""
    import tomllib

    told: Mapping[str, Any] = tomllib.loads(Path(__file__).with_name("wording.toml").read_text(encoding="utf-8"))[of]
    return told


def text_before(meaning: str, marks: str = ",;:(") -> str:
    """Return what stands in a meaning before the first of these marks."""
    return re.split(f"[{marks}]", meaning)[0].strip()


def first_words(meaning: str, name: str) -> str:
    """Return the first words of a meaning, as far as they name something; the name itself where they do not.

    Examples
    --------
    >>> first_words("how many votes in favour adopt, counted by weight", "vote.quota")
    'the number of votes in favour that adopt'
    >>> first_words("automatic, or at will", "turn.start")
    'the turn start'
    """
    found = text_before(meaning)
    if " " not in found or found.startswith(("whether", "when", "where", "for how")):
        return f"the {with_spaces(name)}"
    return HOW_MANY.sub(r"the number of \1 that ", found)


def with_spaces(name: str) -> str:
    """Return a name of the language with blanks in it."""
    return re.sub(r"[._]", " ", name)


def quote_text(said: str) -> str:
    """Return a text in quotation marks."""
    return f"“{said}”"


def possessive(owner: str, thing: str) -> str:
    """Return what somebody has.

    Examples
    --------
    >>> possessive("the player", "points"), possessive("they", "points")
    ('the player’s points', 'their points')
    >>> possessive("those who voted for the proposal", "points")
    'the points of those who voted for the proposal'
    """
    if owner == "they":
        return f"their {thing}"
    short = len(owner.split()) < 3 and len(thing.split()) < 3 and not owner.endswith("s") and owner != "what"
    return f"{owner}’s {thing}" if short else f"the {thing} of {owner}"


def persons_phrase(said: str, kind: Type) -> str:
    """Return persons of whom it is said who they are, as they stand in a sentence."""
    if not said.startswith("who "):
        return said
    return f"{'whoever' if kind.name == 'list' else 'the one who'} {said.removeprefix('who ')}"


def there_is(said: str, *, is_there: bool) -> str:
    """Return that something is there, or is not.

    Examples
    --------
    >>> there_is("the rule to be changed", is_there=False), there_is("what stands on it", is_there=True)
    ('there is no rule to be changed', 'something stands on it')
    """
    for word, some, none in (
        ("what ", "something ", "nothing "), ("the one who ", "there is someone who ", "there is nobody who "),
        ("the ", "there is a ", "there is no "),
    ):  # fmt: skip
        if said.startswith(word):
            return f"{some if is_there else none}{said.removeprefix(word)}"
    return f"{said} is {'not ' if is_there else ''}none"


def negate(said: str, yes: bool, owner: str) -> str:
    """Return a sentence, or that it is not so."""
    if yes:
        return said
    if owner and said.startswith((f"{owner} is ", f"{owner} has ")):
        verb, _, rest = said.removeprefix(f"{owner} ").partition(" ")
        return f"{owner} {verb} not {rest}"
    return f"it is not so that {said}"


# ---------------------------------------------------------------- expressions of the law language in plain English


@frozen(eq=False)
class ExpressionPhrases:
    """The words in which expressions are read back, where some names are bound.

    Parameters
    ----------
    vocabulary : Vocabulary
        What they may speak of, with its meanings.
    tables : mapping of str to Shape
        The tables that are known.
    types : mapping of str to Type
        The names that are bound, with their types.
    called : mapping of str to str
        What those are called that are not just their name.
    """

    vocabulary: Vocabulary
    tables: Mapping[str, TableShape]
    types: Case
    called: Mapping[str, str] = field(default_factory=dict)

    # ------------------------------------------------------------------------------------------ names

    def plus(self, names: Case, **called: str) -> ExpressionPhrases:
        """Return the same where more names are bound."""
        hidden = {name: said for name, said in self.called.items() if name not in names}
        return replace(self, types={**self.types, **names}, called={**hidden, **called})

    def type(self, node: Node) -> Type | None:
        """Return the type of a part; None where it cannot be told."""
        try:
            return Scope(self.vocabulary, self.types, self.tables).type(node)
        except LawError:
            return None

    def item(self, many: Node) -> Type | None:
        """Return the type of those on a list; None where it cannot be told."""
        kind = self.type(many)
        return kind.item if kind is not None else None

    def one_of(self, name: str, many: Node) -> ExpressionPhrases:
        """Return the same where a name stands for one of a list."""
        item = self.item(many) or Type("any")
        kinds = {"any": "one", "text": "word", "list": "list"}
        said = f"that {kinds.get(item.name, item.name)}"
        return self.plus({name: item}, **{name: said if said not in self.called.values() else f"{said} {name}"})

    def name(self, node: Node) -> str:
        """Return what a name stands for.

        Raises
        ------
        LawError
            It stands for nothing.
        """
        name = node.text
        if said := self.called.get(name) or wording_table("own").get(name):
            return str(said)
        if name in self.types:
            kind = self.types[name]
            item = kind.item
            if "_" in name and not item and kind.name in self.vocabulary.records and kind.name not in name:
                return f"the {kind.name} {with_spaces(name)}"
            return (
                f"the {item.many} of the {with_spaces(name)}"
                if item and name[-1] != "s"
                else f"the {with_spaces(name)}"
            )
        fact = self.vocabulary.facts.get(name)
        if fact is None:
            Scope(self.vocabulary, self.types, self.tables).type(node)
            return with_spaces(name)
        said = first_words(fact.meaning, name)
        for need in fact.needs:
            said = re.sub(r"\bit\b", self.called.get(need, f"the {with_spaces(need)}"), said)
        return persons_phrase(said, fact.type)

    # ----------------------------------------------------------------------------------------- values

    def value(self, node: Node) -> str:
        """Return what a part stands for."""
        match node.kind:
            case "constant":
                return self.constant(node.value)
            case "name":
                return self.name(node)
            case "key":
                key = self.vocabulary.keys[node.text]
                return persons_phrase(first_words(key.meaning, node.text), key.type)
            case "field":
                return self.field(node)
            case "call":
                return self.call(node)
            case "entry":
                return f"{with_spaces(node.text)} for {join_words([self.value(part) for part in node.parts])}"
            case "keys":
                return f"everything for which {with_spaces(node.text)} is kept"
            case "list":
                return join_words([self.value(part) for part in node.parts]) if node.parts else "none at all"
            case "each":
                return self.each(node)
            case "if":
                first, condition, other = node.parts
                return f"{self.value(first)} if {self.holds(condition)}, and else {self.value(other)}"
            case "minus":
                return self.minus(node.parts[0])
            case "reckon":
                return self.reckoned(node)
            case "afterwards":
                return f"what would be, {_afterwards_phrase(node)} {self.value(node.parts[0])}"
        return f"whether {self.holds(node)}"

    @staticmethod
    def constant(value: Value) -> str:
        """Return a value that is written out."""
        if value is None:
            return "none"
        if isinstance(value, bool):
            return "so" if value else "not so"
        return (
            quote_text(value)
            if isinstance(value, str)
            else number_text(value)
            if not isinstance(value, tuple | ThingRef)
            else ""
        )

    def minus(self, part: Node) -> str:
        """Return a value with the other sign."""
        if isinstance(part.value, int):
            return number_text(-part.value)
        return f"minus ({self.value(part)})" if part.arithmetic else f"minus {self.value(part)}"

    def reckoned(self, node: Node) -> str:
        """Return what is reckoned; brackets where two kinds of reckoning meet."""
        left, right = (
            f"({self.value(part)})"
            if (part.arithmetic or part.branches) and not _needs_no_brackets(part, node)
            else self.value(part)
            for part in node.parts
        )
        if _share_phrase(node):
            return f"{left}/{right}"
        if node.text == "//":
            return f"{left} divided by {right}, without the rest"
        if node.text == "%":
            return f"what is left of {left} divided by {right}"
        if node.parts[0].text == "otherwise" and node.text in ("+", "-"):
            return f"{right} {'more' if node.text == '+' else 'less'} than {left}"
        kind = self.type(node) if node.text == "+" else None
        word = wording_table("followed").get(kind.name if kind else "", wording_table("reckoned")[node.text])
        return f"{left} {word} {right}"

    def each(self, node: Node) -> str:
        """Return what is made of each on a list."""
        element, many, condition = node.parts
        inner = self.one_of(node.text, many)
        if node.loop in ("any", "all"):
            return f"whether {self.holds(node)}"
        limit = "" if _is_always(condition) else f" where {inner.holds(condition)}"
        if node.loop == "count":
            return re.sub(r"\bof everyone (?!who)", "of all ", f"the number of {self.value(many)}{limit}")
        if element.name == node.text:
            return f"{self.value(many)}{limit}"
        each = f"{inner.value(element)} for {self.every(many)}{limit}"
        return f"the sum of {each}" if node.loop == "sum" else each

    def every(self, many: Node) -> str:
        """Return a list one by one: each of those on it."""
        said, item = self.value(many), self.item(many)
        if many.listed and len(many.listed) == 1:
            return said
        if said.startswith("all "):
            return f"each of the {said[4:]}"
        some = said.removeprefix("everyone ").removeprefix("everything ")
        return f"each of {said}" if some == said else f"each {item.name if item else 'one'} {some}"

    # -------------------------------------------------------------------------------- fields and calls

    def field_of(self, node: Node) -> Field | None:
        """Return the declaration of a field; None where it is an entry of a table."""
        kind, fields = self.type(node.parts[0]), self.vocabulary.fields
        if kind is not None and kind.name != "any":
            return fields.get((kind.name, node.text))
        return next((one for (_, name), one in fields.items() if name == node.text), None)

    def field(self, node: Node) -> str:
        """Return what something has."""
        owner, one = self.value(node.parts[0]), self.field_of(node)
        if one is None or one.type.name == "truth":
            return possessive(owner, with_spaces(node.text))
        said = persons_phrase(first_words(one.meaning, node.text), one.type)
        kind = self.type(node.parts[0])
        if said.startswith("its "):
            return possessive(owner, said.removeprefix("its "))
        named = rf"\b(it|(this|the) {_kind_in_words(kind)})\b(?! (concerned|to))"
        turned = re.sub(
            r"\bits (clauses and drafts|\w+)",
            lambda found: possessive(owner, found[1]),
            _replace_phrase(named, said, owner),
        )
        if turned != said:
            return turned
        return possessive(owner, said.removeprefix("the ") if said.startswith("the ") else with_spaces(node.text))

    def call(self, node: Node) -> str:
        """Return what a function finds: its meaning, with what is given in it."""
        function = self.vocabulary.functions[node.text]
        said = first_words(function.meaning, node.text)
        if isinstance(function.result, Type):
            said = persons_phrase(said, function.result)
        return self.given(said, node)

    def given(self, said: str, node: Node) -> str:
        """Put what a function is given where its meaning speaks of it."""
        wanted = list(self.vocabulary.functions[node.text].parameters)
        wanted += wanted[-1:] * (len(node.parts) - len(wanted))
        rest, marked = [], said
        values: list[str] = []
        for part, kind in zip(node.parts, wanted, strict=False):
            values.append(self.numbers_of(part, node.parts[0]))
            which = "numbers" if kind.item is not None and kind.item.name == "number" else kind.name
            slots = (*wording_table("slots").get(which, ()), f"this {kind.name}", with_article(kind.name), "this one")
            marker = f"\x00{len(values) - 1}\x00"
            for slot in slots:
                turned = re.sub(
                    rf"\b{slot}(?!\w)", rf"{wording_table('numbered').get(slot, '')}{marker}", marked, count=1
                )
                if turned != marked:
                    break
            else:
                turned = re.sub(r"\btheir (\w+)", rf"\1 of {marker}", marked, count=1)
            if turned == marked:
                rest.append(values[-1])
            marked = turned
        filled = re.sub(
            "\x00(\\d+)\x00(['’]s (\\w+))?", lambda found: _owned_thing(values[int(found[1])], found[3]), marked
        )
        filled = re.sub(r"\bof everyone (?!who)", "of all ", filled)
        return f"{filled} ({', '.join(rest)})" if rest else filled

    def numbers_of(self, part: Node, first: Node) -> str:
        """Return a value that is given; a number for each of the first list is `their` number."""
        if part is not first and part.loop == "list":
            element, many, condition = part.parts
            if many.canonical == first.canonical and _is_always(condition):
                return self.plus({part.text: self.item(many) or Type("any")}, **{part.text: "they"}).value(element)
        return self.value(part)

    # ------------------------------------------------------------------------------------- conditions

    def holds(self, node: Node, yes: bool = True) -> str:
        """Return as a sentence that something is so, or is not."""
        match node.kind:
            case "not":
                return self.holds(node.parts[0], not yes)
            case "and" | "or":
                both = (node.text == "and") == yes
                said = [
                    f"({self.holds(part, yes)})" if part.connective not in ("", "not", node.text)
                    else self.holds(part, yes) for part in node.parts
                ]  # fmt: skip
                return join_words(said, "and" if both else "or")
            case "compare":
                return self.compared(node, yes)
            case "each":
                return self.some(node, yes)
            case "field" | "name" | "key" | "call":
                return self.so(node, yes)
            case "afterwards":
                return f"{_afterwards_phrase(node)} {self.holds(node.parts[0], yes)}"
            case "constant":
                return "it is so" if bool(node.value) == yes else "it is not so"
            case "if":
                first, condition, other = node.parts
                return f"{self.holds(first, yes)} if {self.holds(condition)}, and else {self.holds(other, yes)}"
        return f"it is {'' if yes else 'not '}so that {self.value(node)}"

    def some(self, node: Node, yes: bool) -> str:
        """Return that something is so of one on a list, or of all."""
        element, many, condition = node.parts
        inner = self.one_of(node.text, many)
        said = "" if _is_always(condition) else f" where {inner.holds(condition)}"
        if (node.loop == "any") == yes:
            among = re.sub("^everyone (?!who)", "all ", self.value(many))
            held, called = inner.holds(element, yes), f"{inner.called.get(node.text, '')} "
            if not said and held.startswith((f"{called}is ", f"{called}was ")):
                noun = called.strip().removeprefix("that ")
                one = noun if among == f"all {noun}s" else f"of {among}"
                return f"at least one {one} {held.removeprefix(called)}"
            return f"for at least one of {among}{said}, {held}"
        return f"for {self.every(many)}{said}, {inner.holds(element, yes)}"

    def compared(self, node: Node, yes: bool) -> str:
        """Return how two values compare."""
        left, right = node.parts
        words = wording_table("compared")[node.text][0 if yes else 1]
        if right.is_constant and right.value is None and node.text in ("==", "!="):
            return there_is(self.value(left), is_there=(node.text == "!=") == yes)
        said = self.value(right)
        some = (node.text, said) in ((">", "0"), (">=", "1"))
        if some and left.function == "count" and self.value(left.parts[0]).startswith("what "):
            return there_is(self.value(left.parts[0]), is_there=yes)
        if some and yes and self.value(left).startswith("how often "):
            return self.value(left).removeprefix("how often ")
        if node.text in ("in", "not in") and right.listed is not None:
            words = words.replace("among ", "")
            said = join_words([self.value(part) for part in right.listed] or ["nothing"], "or")
        return f"{self.value(left)} {self.verb(left)} {words}{said}"

    def verb(self, node: Node) -> str:
        """Return the verb that goes with a value: is, or are."""
        if node.field and self.field_of(node) is None:
            return "are" if counter_named(node.text, 1) != node.text else "is"
        if node.listed is not None:
            return "is" if len(node.listed) < 2 else "are"
        kind = self.type(node)
        several = kind is not None and kind.name == "list"
        return "are" if several and not self.value(node).startswith(("everyone", "everything", "who")) else "is"

    def so(self, node: Node, yes: bool) -> str:
        """Return that something is so which has a name: a fact, a field, a term, or what a function finds."""
        owner = ""
        if node.field:
            one, owner = self.field_of(node), self.value(node.parts[0])
            said = text_before(one.meaning) if one is not None else f"its {node.text}"
            if not said.startswith("whether "):
                return f"{owner} {'are' if owner == 'they' else 'is'} {'' if yes else 'not '}{said}"
            said = _replace_phrase(rf"\b(it|this {_kind_in_words(self.type(node.parts[0]))})\b", said, owner)
        elif node.function:
            said = self.given(text_before(self.vocabulary.functions[node.text].meaning), node)
        else:
            known = self.vocabulary.facts.get(node.name) or self.vocabulary.keys.get(node.key)
            if known is None or node.text in self.types:
                return f"{self.value(node)} is {'' if yes else 'not '}so"
            said = text_before(known.meaning)
        return negate(said.removeprefix("whether "), yes, owner)


def _replace_phrase(pattern: str, said: str, value: str) -> str:
    return re.sub(pattern, lambda _: value, said)


def _owned_thing(value: str, thing: str | None) -> str:
    return possessive(value, thing) if thing else value


def _kind_in_words(kind: Type | None) -> str:
    return kind.name if kind is not None else "thing"


def _share_phrase(node: Node) -> bool:
    return node.text == "/" and all(part.is_constant for part in node.parts)


def _needs_no_brackets(part: Node, node: Node) -> bool:
    """Tell whether a part of what is reckoned can be read without brackets."""
    return _share_phrase(part) or (part.text == node.text and node.text in ("+", "*"))


def _afterwards_phrase(node: Node) -> str:
    if node.text == IN_TIME:
        return "as soon as the change is adopted, or by itself in the turns after that,"
    return "if the change were adopted, chance apart," if "chance" in node.text else "if the change were adopted,"


def _is_always(condition: Node) -> bool:
    return condition.value is True
