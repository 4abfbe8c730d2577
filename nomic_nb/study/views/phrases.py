"""Expressions of the law language in plain English, put together from what is declared of their words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import cache
from pathlib import Path
from typing import Any

from nomic_nb.engine.errors import LawError
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.nodes import Node
from nomic_nb.engine.law.tables import TableShape
from nomic_nb.engine.law.types import Scope
from nomic_nb.engine.law.values import NUMBER, Type, with_article
from nomic_nb.engine.law.vocabulary import Case, Field, Vocabulary
from nomic_nb.engine.words import counter_named, join_words, number_text
from nomic_nb.study.views.phrase_parts import (
    AMOUNTS,
    DONE_IN,
    DONE_WHEN,
    EVERYBODY,
    OPPOSITES,
    OTHER,
    THINGS_OWNED,
    WITHOUT_CLAUSE,
    amount_phrase,
    constant_phrase,
    counter_phrase,
    end_of_list,
    existence_sentence,
    field_of_each,
    is_constant_true,
    is_fraction,
    is_of_rounds,
    limited,
    merge_makers,
    name_asked_for,
    name_compared,
    naming_phrase,
    needs_no_brackets,
    negate,
    noun_in_number,
    one_of,
    possessive,
    quote_text,
    relative_clause,
    replace_literally,
    replace_underscores,
    resolve_who_phrase,
    sought_in_list,
    supposition_phrase,
    text_before_marks,
    the_named,
    type_in_words,
    what_people_say,
    with_clear_ends,
)

# ----------------------------------- words and turns of phrase from which sentences about clauses are put together


#: Three or more conditions with more letters than that are read as a list, because nobody could follow them by ear.
MOST_LETTERS_IN_A_ROW = 150


def wording_table(name: str) -> Mapping[str, Any]:
    """Return the table of a given name in the file ``wording.toml``."""
    return phrase_tables("wording.toml")[name]


def reading_table(name: str) -> Mapping[str, Any]:
    """Return the table of a given name in the file ``readings.toml``: templates of readings of clauses."""
    return phrase_tables("readings.toml")[name]


@cache
def phrase_tables(file_name: str) -> dict[str, dict[str, Any]]:
    """Return the tables of a TOML file beside this module."""
    import tomllib

    return tomllib.loads(Path(__file__).with_name(file_name).read_text(encoding="utf-8"))


# ---------------------------------------------------------------- expressions of the law language in plain English


@frozen(eq=False)
class ExpressionPhrases:
    """The words in which expressions are read back, where some names are bound.

    Parameters
    ----------
    vocabulary : Vocabulary
        The words that they may use, with their meanings.
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

    def with_names(self, names: Case, **called: str) -> ExpressionPhrases:
        """Return a phrase writer that knows more variables: their types, and in what words some are `called`."""
        hidden = {name: sentence for name, sentence in self.called.items() if name not in names}
        return replace(self, types={**self.types, **names}, called={**hidden, **called})

    def type_of(self, node: Node) -> Type | None:
        """Return the type of a node; None if it is unknown."""
        try:
            return Scope(self.vocabulary, self.types, self.tables).type_of_node(node)
        except LawError:
            return None

    def item_type(self, many: Node) -> Type | None:
        """Return the type of the items of a list (`many`); None if it is unknown."""
        kind = self.type_of(many)
        if kind is None and many.loop == "list":  # its condition may be about what other rules track
            return self.with_item_name(many.text, many.parts[1]).type_of(many.parts[0])
        return kind.item if kind is not None else None

    def with_item_name(self, name: str, many: Node) -> ExpressionPhrases:
        """Return a phrase writer that calls the variable of a loop over a list “that …”, as in “that player”."""
        item = self.item_type(many) or Type("any")
        kinds = {"any": "one", "text": "word", "list": "list", "force": "set"}
        sentence = f"that {kinds.get(item.name, item.name)}"
        return self.with_names(
            {name: item}, **{name: sentence if sentence not in self.called.values() else f"{sentence} {name}"}
        )

    def name_phrase(self, node: Node) -> str:
        """Return a name in an expression (a variable, fact or term) in words.

        Raises
        ------
        LawError
            It means nothing.
        """
        name = node.text
        if phrase := self.called.get(name) or wording_table("own").get(name):
            return str(phrase)
        if name in self.types and name in reading_table("bound"):
            return str(reading_table("bound")[name])
        if name in self.types:
            kind = self.types[name]
            item = kind.item
            if "_" in name and not item and kind.name in self.vocabulary.records and kind.name not in name:
                return f"the {kind.name} {replace_underscores(name)}"
            return (
                f"the {item.plural} of the {replace_underscores(name)}" if item and name[-1] != "s" else the_named(name)
            )
        fact = self.vocabulary.facts.get(name)
        if fact is not None and (phrase := reading_table("names").get(name)):
            return str(phrase)
        if fact is None:
            Scope(self.vocabulary, self.types, self.tables).type_of_node(node)
            return replace_underscores(name)
        phrase = naming_phrase(fact.meaning, name)
        for need in fact.needs:
            phrase = re.sub(r"\bit\b", self.called.get(need, f"the {replace_underscores(need)}"), phrase)
        return resolve_who_phrase(phrase, fact.type)

    # ----------------------------------------------------------------------------------------- values

    def value_phrase(self, node: Node) -> str:
        """Return an expression in words."""
        match node.kind:
            case "constant":
                return constant_phrase(node.value)
            case "name":
                return self.name_phrase(node)
            case "key":
                return self.term_phrase(node.text)
            case "field":
                return self.field_phrase(node)
            case "call":
                return self.call_phrase(node)
            case "entry":
                keys = join_words([self.value_phrase(part) for part in node.parts])
                return f"{counter_phrase(node.text)} for {keys}"
            case "keys":
                item = self.type_of(node)
                things = item.item.plural if item is not None and item.item is not None else "things"
                return f"the {things} for which {counter_phrase(node.text)} is kept"
            case "list":
                return join_words([self.value_phrase(part) for part in node.parts]) if node.parts else "none"
            case "each":
                return self.loop_phrase(node)
            case "if":
                first, condition, other = node.parts
                when = self.truth_sentence(condition)
                return f"{self.value_phrase(first)} if {when}, otherwise {self.value_phrase(other)}"
            case "minus":
                return self.minus_phrase(node.parts[0])
            case "reckon":
                return self.arithmetic_phrase(node)
            case "afterwards":
                return f"{self.value_phrase(node.parts[0])} {supposition_phrase(node)}"
        return f"whether {self.truth_sentence(node)}"

    def term_phrase(self, name: str) -> str:
        """Return a term of the law as a noun phrase."""
        key = self.vocabulary.keys[name]
        phrase = reading_table("terms").get(name) or naming_phrase(key.meaning, name)
        return resolve_who_phrase(str(phrase), key.type)

    def minus_phrase(self, part: Node) -> str:
        """Return the negative of an operand (`part`) in words."""
        if isinstance(part.value, int):
            return number_text(-part.value)
        return f"minus ({self.value_phrase(part)})" if part.arithmetic else f"minus {self.value_phrase(part)}"

    def arithmetic_phrase(self, node: Node) -> str:
        """Return a calculation in words, with brackets where operators mix."""
        left, right = (
            f"({self.value_phrase(part)})"
            if (part.arithmetic or part.parts_of_choice) and not needs_no_brackets(part, node)
            else self.value_phrase(part)
            for part in node.parts
        )
        if is_fraction(node):
            return f"{left}/{right}"
        kinds = {kind.name for part in (node, *node.parts) if (kind := self.type_of(part))} if node.text == "+" else ()
        if "list" in kinds:
            left, right = (re.sub(WITHOUT_CLAUSE, "those without", side) for side in (left, right))
            return f"{left} and {'also' if left.startswith('those without') else 'then'} {right}"
        if node.parts[0].text == "otherwise" and node.text in ("+", "-") and "text" not in kinds:
            return f"{right} {'more' if node.text == '+' else 'less'} than without this clause"
        for number, other, value in ((node.parts[1], left, right), (node.parts[0], right, left)):
            if isinstance(number.value, int) and number.value > 0 and node.text in ("+", "-")[: 1 + (other is left)]:
                return f"{value} {'more' if node.text == '+' else 'less'} than {other}"
        if node.text == "*" and node.parts[0].value == 2:
            return f"twice {right}"
        if node.text == "*" and is_fraction(node.parts[0]):
            return f"{left} of {right}"
        if node.text == "//" and node.parts[1].value == 1:
            return self.value_phrase(node.parts[0]) if is_of_rounds(node.parts[0]) else f"{left}, rounded down"
        if node.text == "//":
            return f"{left} divided by {right}, rounded down"
        if node.text == "%":
            return f"the remainder of {left} divided by {right}"
        if (
            node.text == "-"
            and node.parts[0].name == "turn"
            and node.parts[1].field
            and (found := DONE_IN.fullmatch(right))
        ):
            return f"the number of turns begun since {found[2]}"
        word = wording_table("followed").get("text" if "text" in kinds else "", wording_table("reckoned")[node.text])
        return f"{left} {word} {right}"

    def loop_phrase(self, node: Node) -> str:
        """Return in English a loop over a list, such as “the number of …” or “the sum of …”."""
        element, many, condition = node.parts
        inner = self.with_item_name(node.text, many)
        if node.loop in ("any", "all"):
            return f"whether {self.truth_sentence(node)}"
        limit = inner.limit_phrase([(part, True) for part in condition.conjuncts], inner.called.get(node.text, ""))
        if (
            node.loop == "list"
            and element.name == node.text
            and (name := many.name in EVERYBODY and name_asked_for(condition, node.text))
        ):
            return name
        if node.loop == "count":
            return f"the number of {self.noun_phrase(node)}"
        if element.name == node.text:
            return f"{self.value_phrase(many)}{limit}"
        each = f"{inner.value_phrase(element)} for {self.each_item_phrase(many)}{limit}"
        called, one = inner.called.get(node.text, ""), self.noun_phrase(many, single=True)
        if one and element.field and element.parts[0].name == node.text and each.startswith(owned := f"{called}’s "):
            one += inner.limit_phrase([(part, True) for part in condition.conjuncts], called, single=True)
            each = f"the {inner.value_phrase(element).removeprefix(owned)} of each {one}"
        return f"the sum of {each}" if node.loop == "sum" else each

    def limit_phrase(self, conditions: Sequence[tuple[Node, bool]], called: str, single: bool = False) -> str:
        """Return which items of a loop count, called `called`: “ who are …” or “ where …”; empty without a condition.

        A clause with “who” is made only if it is about nothing but the items, because it could otherwise be misread.
        """
        conditions = [one for one in conditions if not is_constant_true(one[0])]
        if not conditions:
            return ""
        turned = [
            self.relative_clause(part, called, yes, single) or self.captured_clause(part, called, yes)
            for part, yes in conditions
        ]
        if len(turned) == 1 and (other := OTHER.fullmatch(turned[0])):
            return f" other than {other[1]}"
        if all(turned):
            return f" {join_words(merge_makers(turned))}"
        rest = [one for one, clause in zip(conditions, turned, strict=True) if not clause]
        sentences = [
            f"({self.truth_sentence(part, yes)})" if part.connective in ("and", "or") and len(conditions) > 1
            else self.truth_sentence(part, yes) for part, yes in rest
        ]  # fmt: skip
        return f" {join_words([*filter(None, turned), f'where {join_words(sentences)}'])}"

    def relative_clause(self, part: Node, called: str, yes: bool, single: bool) -> str:
        """Return a condition on an item, called `called`, as a clause such as “who is …”; empty if it cannot be one."""
        if not called or part.connective in ("and", "or"):
            return ""
        sentence, name = self.truth_sentence(part, yes), name_compared(part)
        sentence = sentence.replace(f" {name}", f" named {name}") if name else sentence
        return relative_clause(sentence, called, called.removeprefix("that ").split()[0] == "player", single)

    def captured_clause(self, part: Node, called: str, yes: bool) -> str:
        """Return a condition that an army could capture an item, or that none could, as “that no army could …”."""
        if not called or part.connective in ("and", "or"):
            return ""
        sentence = self.truth_sentence(part, yes)
        found = re.fullmatch(rf"((?:no|an) army could capture) {re.escape(called)}( .*)", sentence)
        return f"that {found[1]}{found[2]}" if found and called not in found[2] else ""

    def noun_phrase(self, many: Node, single: bool = False) -> str:
        """Return the items of a list without an article, or one of them; empty if that cannot be said."""
        if many.loop in ("count", "list") and (many.loop == "count" or many.parts[0].name == many.text):
            _, inside, condition = many.parts
            inner, noun = self.with_item_name(many.text, inside), self.noun_phrase(inside, single)
            conditions = [(part, True) for part in condition.conjuncts]
            return noun and limited(noun, inner.limit_phrase(conditions, inner.called.get(many.text, ""), single))
        text, item = re.sub("^everyone (?!who)", "", self.value_phrase(many)), self.item_type(many)
        if not single:
            return re.sub("^(the|all) (?!votes)", "", text)
        if many.name not in self.types and (one := reading_table("one_of").get(many.name)):
            return str(one)
        return one_of(text, item.plural, item.name) if item is not None else ""

    def each_item_phrase(self, many: Node) -> str:
        """Return “each …” with an item of a list (`many`) in English."""
        sentence, item = self.value_phrase(many), self.item_type(many)
        if many.list_items and len(many.list_items) == 1:
            return sentence
        if one := self.noun_phrase(many, single=True):
            return f"each {one}"
        if sentence.startswith("all "):
            return f"each of the {sentence[4:]}"
        some = sentence.removeprefix("everyone ").removeprefix("everything ")
        return f"each of {sentence}" if some == sentence else f"each {item.name if item else 'one'} {some}"

    # -------------------------------------------------------------------------------- fields and calls

    @property
    def its(self) -> str:
        """“its” if “it” is what is proposed, otherwise “the proposed change’s”."""
        return "its" if self.called.get("change") == "it" else "the proposed change’s"

    def contains_verbs(self, many: Node) -> tuple[str, ...]:
        """Return the templates for what a list of the proposed change has and has not; none for another list."""
        pair = reading_table("contains").get(f"{many.parts[0].name}.{many.text}") if many.field else None
        return tuple(self.fill_template(template, "{0}") for template in pair or ())

    def fill_template(self, template: str, *values: str, n: str = "", of: Node | None = None) -> str:
        """Return a template filled with values, and with “it” or “the proposed change”; its nouns as `n` needs them.

        If the template is for the field of another change, {it} is that one.
        """
        it, its = "it" if self.its == "its" else "the proposed change", self.its
        if of is not None and of.field and of.parts[0].name != "change":
            it = self.value_phrase(of.parts[0])
            its = f"{it}’s"
        one = n.endswith((" one", "each"))
        filled = re.sub(r"\b(\w+?)\((s|ies)\)", lambda noun: noun_in_number(noun[1], noun[2], one), template)
        return str(filled.format(*values, it=it, its=its, n=n))

    def field_key(self, node: Node) -> str:
        """Return the type that has a field and the field's name, as in “army.controller”."""
        return f"{type_in_words(self.type_of(node.parts[0]))}.{node.text}"

    def find_field(self, node: Node) -> Field | None:
        """Return the vocabulary's declaration of the field that a node reads; None for a table entry."""
        kind, fields = self.type_of(node.parts[0]), self.vocabulary.fields
        if kind is not None and kind.name != "any":
            return fields.get((kind.name, node.text))
        return next((declaration for (_, name), declaration in fields.items() if name == node.text), None)

    def field_phrase(self, node: Node) -> str:
        """Return a field of a thing in words."""
        if phrase := reading_table("fields").get(f"{node.parts[0].name}.{node.text}"):
            return self.fill_template(phrase)
        thing = node.parts[0].parts[0] if node.parts[0].field == "change" else node.parts[0]
        owner, declaration = self.value_phrase(thing), self.find_field(node)
        if declaration is None or declaration.type.name == "truth":
            if thing.name == "game":
                shape = self.tables.get(node.text)
                person = shape is not None and shape.holds.name in self.vocabulary.records
                return f"the {replace_underscores(node.text)}" if person else quote_text(replace_underscores(node.text))
            return possessive(owner, counter_phrase(node.text))
        if owner == "itself" and (own := reading_table("own_things").get(self.field_key(node))):
            return str(own)
        if template := reading_table("things").get(self.field_key(node)):
            return template.format(owner) if "{0}" in template else possessive(owner, template)
        sentence = resolve_who_phrase(naming_phrase(declaration.meaning, node.text), declaration.type)
        kind = self.type_of(node.parts[0])
        if sentence.startswith("its "):
            return possessive(owner, sentence.removeprefix("its "))
        named = rf"\b(it|(this|the) {type_in_words(kind)})\b(?! (concerned|to))"
        turned = re.sub(
            r"\bits (clauses and drafts|\w+)",
            lambda match: possessive(owner, match[1]),
            replace_literally(named, sentence, owner),
        )
        if turned != sentence:
            return turned
        return possessive(
            owner, sentence.removeprefix("the ") if sentence.startswith("the ") else replace_underscores(node.text)
        )

    def call_phrase(self, node: Node) -> str:
        """Return a function call in words: the function's meaning with its arguments."""
        function = self.vocabulary.functions[node.text]
        values = [self.value_phrase(part) for part in node.parts]
        if node.text == "item" and (drawn := self.called.get(node.canonical)):
            return drawn
        if node.text == "label":
            return f"{'made of these parts, joined by dots: ' if len(values) > 1 else ''}{join_words(values)}"
        if node.text in ("min", "max") and (extreme := self.extreme_phrase(node.parts[0], node.text == "max")):
            return extreme
        if node.text == "most":
            known = {"player": "the players chosen most often", "proposal": "the most common ballots"}
            return known.get(type_in_words(self.type_of(node.parts[0])), "the most common answers")
        if node.text == "item" and (place := end_of_list(*node.parts)):
            return f"the {place} of {values[0]}"
        if (most := reading_table("most").get(node.text)) and (field := field_of_each(*node.parts)):
            return str(most.format(values[0], counter_phrase(field)))
        if template := reading_table("functions").get(node.text):
            known = template.removesuffix(" of {0}") if values == ["the voters"] else template
            return str(known.format(*values)).replace("whose place is the place of", "whose place is that of")
        if node.text == "count" and not values[0].startswith("what "):
            return f"the number of {self.noun_phrase(node.parts[0])}"
        sentence = naming_phrase(function.meaning, node.text)
        if isinstance(function.result, Type):
            sentence = resolve_who_phrase(sentence, function.result)
        return self.fill_in_arguments(sentence, node)

    def extreme_phrase(self, many: Node, highest: bool) -> str:
        """Return the highest or lowest of two values, or of a field of the items of a list; empty for other lists."""
        if many.list_items is not None and len(many.list_items) == 2:
            return f"the {'greater' if highest else 'smaller'} of {self.value_phrase(many)}"
        found = re.match(r"the ([\w ]*|“.*?”) of each (.*)", self.value_phrase(many)) if many.loop == "list" else None
        return f"the {'highest' if highest else 'lowest'} {found[1]} of any {found[2]}" if found else ""

    def fill_in_arguments(self, sentence: str, node: Node) -> str:
        """Return the English meaning of a function with the arguments of a call put in."""
        wanted = list(self.vocabulary.functions[node.text].parameters)
        wanted += wanted[-1:] * (len(node.parts) - len(wanted))
        rest, marked = [], sentence
        values = []
        for part, kind in zip(node.parts, wanted, strict=False):
            values.append(self.argument_phrase(part, node.parts[0]))
            which = "numbers" if kind.item is not None and kind.item.name == "number" else kind.name
            slots = (*wording_table("slots").get(which, ()), f"this {kind.name}", with_article(kind.name), "this one")
            marker = f"\x00{len(values) - 1}\x00"
            for slot in slots:
                value = f"{wording_table('numbered').get(slot, '')}{marker}"
                turned = replace_literally(rf"\b{re.escape(slot)}(?!\w)", marked, value, 1)
                if turned != marked:
                    break
            else:
                turned = re.sub(r"\btheir (\w+)", rf"\1 of {marker}", marked, count=1)
            if turned == marked:
                rest.append(values[-1])
            marked = turned
        owned = f"\x00(\\d+)\x00(['’]s ({THINGS_OWNED}))?"
        filled = re.sub(owned, lambda match: _possessive_or_value(values[int(match[1])], match[3]), marked)
        filled = re.sub(r"\bof everyone (?!who)", "of all ", filled)
        return f"{filled} ({', '.join(rest)})" if rest else filled

    def argument_phrase(self, part: Node, first: Node) -> str:
        """Return an argument of a call in English; “their …” if it loops over the call's first argument."""
        if part is not first and part.loop == "list":
            element, many, condition = part.parts
            if many.canonical == first.canonical and is_constant_true(condition):
                return self.with_names(
                    {part.text: self.item_type(many) or Type("any")}, **{part.text: "they"}
                ).value_phrase(element)
        return self.value_phrase(part)

    # ------------------------------------------------------------------------------------- conditions

    def truth_sentence(self, node: Node, yes: bool = True) -> str:
        """Return an English sentence that a condition holds; negated if “yes” is False."""
        match node.kind:
            case "not":
                return self.truth_sentence(node.parts[0], not yes)
            case "and" | "or":
                both = (node.text == "and") == yes
                sentences = [
                    f"({self.truth_sentence(part, yes)})" if part.connective not in ("", "not", node.text)
                    else self.truth_sentence(part, yes) for part in node.parts
                ]  # fmt: skip
                return join_words(with_clear_ends(sentences), "and" if both else "or")
            case "compare":
                return self.comparison_sentence(node, yes)
            case "each":
                return self.quantifier_sentence(node, yes)
            case "field" | "name" | "key" | "call":
                return self.named_truth_sentence(node, yes)
            case "afterwards":
                sentence, supposed = self.truth_sentence(node.parts[0], yes), supposition_phrase(node)
                return (
                    f"{supposed}, ({sentence})"
                    if node.parts[0].connective in ("and", "or")
                    else f"{sentence} {supposed}"
                )
            case "entry":
                return f"{self.value_phrase(node)} is {'yes' if yes else 'no'}"
            case "constant":
                return "this is true" if bool(node.value) == yes else "this is false"
            case "if":
                first, condition, other = node.parts
                when, otherwise = self.truth_sentence(condition), self.truth_sentence(other, yes)
                return f"({self.truth_sentence(first, yes)} if {when}, otherwise {otherwise})"
        return f"it is {'' if yes else 'not '}true that {self.value_phrase(node)}"

    def all_true_sentence(self, conditions: Sequence[Node]) -> str:
        """Return an English sentence that several conditions hold."""
        if len(conditions) == 1:
            return self.truth_sentence(conditions[0])
        sentences = [self.truth_sentence(part) for part in conditions]
        if len(sentences) > 2 and sum(map(len, sentences)) > MOST_LETTERS_IN_A_ROW:
            listed = "; ".join(f"({chr(97 + at)}) {sentence}" for at, sentence in enumerate(sentences))
            return f"all of these are true: {listed}"
        return join_words(
            [
                f"({sentence})" if part.connective == "or" else sentence
                for part, sentence in zip(conditions, with_clear_ends(sentences), strict=True)
            ]
        )

    def quantifier_sentence(self, node: Node, yes: bool) -> str:
        """Return a sentence that a condition holds for any, or all, items; negated if “yes” is False."""
        element, many, condition = node.parts
        inner = self.with_item_name(node.text, many)
        called, conditions = inner.called.get(node.text, ""), [(part, True) for part in condition.conjuncts]
        verbs = self.contains_verbs(many)
        if verbs and (sought := sought_in_list(node)):
            return verbs[0 if yes else 1].format(join_words([self.value_phrase(part) for part in sought], "or"))
        if len(verbs) > 2 and yes and (sought := sought_in_list(node, others=True)):
            return verbs[2].format(join_words([self.value_phrase(part) for part in sought], "or"))
        if node.loop == "any" and many.list_items and is_constant_true(condition) and element.function:
            among = {node.text: join_words([self.value_phrase(part) for part in many.list_items], "or")}
            return inner.with_names({}, **among).truth_sentence(element, yes)
        if (
            node.loop == "any"
            and is_constant_true(condition)
            and element.comparison == "=="
            and (element.parts[0].name == node.text and all(part.name != node.text for part in element.parts[1].walk()))
        ):
            return f"{self.value_phrase(element.parts[1])} is {'' if yes else 'not '}among {self.value_phrase(many)}"
        if node.loop == "all" and yes:
            limit, held = inner.limit_phrase(conditions, called, single=True), inner.truth_sentence(element)
            clause = inner.relative_clause(element, called, True, single=True)
            one = self.noun_phrase(many, single=True)
            if one and clause and not clause.startswith("whose "):
                return f"each {one}{limit} {clause.partition(' ')[2]}"
            owned = re.match(rf"{re.escape(called)}’s (“[^”]*”|[a-z]+) (is|are) ", held)
            if one and clause and owned:
                return f"the {owned[1]} of each {one}{limit} {held[owned.end(1) + 1 :]}"
            return f"for {self.each_item_phrase(many)}{limit}, {inner.truth_sentence(element)}"
        return self.existence_phrase(inner, node, yes == (node.loop == "any"))

    def existence_phrase(self, inner: ExpressionPhrases, node: Node, some: bool) -> str:
        """Return that a condition is true for some item of a list, or for none; in a loop over all, it is negated."""
        element, many, condition = node.parts
        called, noun, true = inner.called.get(node.text, ""), self.noun_phrase(many, single=True), node.loop == "any"
        conditions = [(part, True) for part in condition.conjuncts if not is_constant_true(part)]
        held = [(part, True) for part in element.conjuncts] if true else [(element, False)]
        if not noun:
            head = f"{'at least one' if some else 'none'} of {self.value_phrase(many)}"
            return f"for {head}{inner.limit_phrase(conditions, called)}, {inner.truth_sentence(element, true)}"
        last = inner.relative_clause(held[0][0], called, held[0][1], single=True) if len(held) == 1 else ""
        if last and not last.startswith("whose "):
            limit = inner.limit_phrase(conditions, called, single=True)
            return f"{'at least one' if some else 'no'} {limited(noun, limit)} {last.partition(' ')[2]}"
        limit = inner.limit_phrase([*conditions, *held], called, single=True)
        return f"there is {limited(with_article(noun) if some else f'no {noun}', limit)}"

    def comparison_sentence(self, node: Node, yes: bool) -> str:
        """Return a comparison as an English sentence, negated if “yes” is False."""
        left, right = node.parts
        if kinds := _kinds_compared(node, yes):
            owner = left.parts[0].parts[0] if left.parts[0].field == "change" else None
            return self.fill_template(kinds) if owner is None else kinds.format(it=self.value_phrase(owner))
        known = self.count_sentence(node, yes) or self.field_sentence(node, yes) or self.time_sentence(node, yes)
        if known := known or self.truth_comparison(node, yes):
            return known
        if node.text in ("in", "not in") and (pair := reading_table("members").get(right.function)):
            return str(
                pair[0 if (node.text == "in") == yes else 1].format(*map(self.value_phrase, (left, *right.parts)))
            )
        if node.text in ("in", "not in") and (verbs := self.contains_verbs(right)):
            return verbs[0 if (node.text == "in") == yes else 1].format(self.value_phrase(left))
        if right.loop == "list" and node.text in ("in", "not in") and " of each " in self.value_phrase(right):
            among, one = ("", "some") if (node.text == "in") == yes else ("not ", "any")
            each = self.value_phrase(right).replace(" of each ", f" of {one} ", 1)
            return f"{self.value_phrase(left)} is {among}{each}"
        if left.arithmetic == "+" and right.is_constant and not any(p.is_constant or p.arithmetic for p in left.parts):
            amount = f"{wording_table('compared')[node.text][0 if yes else 1]}{self.value_phrase(right)}"
            if not amount.startswith("not "):
                return f"{join_words([self.value_phrase(part) for part in left.parts])} add up to {amount}"
        if named := self.named_thing(node):
            return f"{self.value_phrase(left.parts[0])} is {'' if (node.text == '==') == yes else 'not '}{named}"
        words = wording_table("compared")[node.text][0 if yes else 1]
        if right.is_constant and right.value is None and node.text in ("==", "!="):
            return existence_sentence(self.value_phrase(left), is_there=(node.text == "!=") == yes)
        if words in ("", "not ") and left.name in self.types and self.types.get(right.name) == NUMBER:
            words += "equal to "
        sentence = self.value_phrase(right)
        if node.text[0] in "<>" and right.arithmetic in ("+", "-") and right.parts[0].text != "otherwise":
            one, other = map(self.value_phrase, right.parts)
            sentence = f"({one} {'plus' if right.arithmetic == '+' else 'minus'} {other})"
        if node.text in ("in", "not in") and right.list_items is not None:
            words = words.replace("among ", "")
            sentence = join_words([self.value_phrase(part) for part in right.list_items] or ["nothing"], "or")
        return f"{self.value_phrase(left)} {self.verb_for(left)} {words}{sentence}"

    def truth_comparison(self, node: Node, yes: bool) -> str:
        """Return a comparison of truths, remainders, or a setting and its value as a sentence; empty for others."""
        left, right = node.parts
        if node.text not in ("==", "!="):
            return ""
        same = (node.text == "==") == yes
        if left.arithmetic == right.arithmetic == "%" and left.parts[1].canonical == right.parts[1].canonical:
            one, other, number = map(self.value_phrase, (left.parts[0], right.parts[0], left.parts[1]))
            return f"{one} and {other} {'' if same else 'do not '}leave the same remainder when divided by {number}"
        if left.arithmetic == "%" and right.is_constant and right.value == 0:
            what, of = map(self.value_phrase, left.parts)
            return f"{what} is {'' if same else 'not '}{'even' if of == '2' else f'a multiple of {of}'}"
        if left.arithmetic == "%" and right.is_constant and isinstance(right.value, int):
            what, of = map(self.value_phrase, left.parts)
            if of == "2" and right.value == 1:
                return f"{what} is {'' if same else 'not '}{'odd' if what.endswith('number') else 'an odd number'}"
            return f"dividing {what} by {of} {'leaves' if same else 'does not leave'} a remainder of {right.value}"
        if all(part.kind in ("compare", "not", "and", "or") for part in node.parts):
            one, other = map(self.truth_sentence, node.parts)
            both = f"({one}) and ({other})"
            return f"{both} are both true or both false" if same else f"exactly one of {both} is true"
        return str(reading_table("choices").get(left.key, {}).get(right.value, "")) if left.key and same else ""

    def count_sentence(self, node: Node, yes: bool) -> str:
        """Return a comparison of a count with a number as a sentence, such as “there is at least one …”, or nothing."""
        left, right = node.parts
        sign, number = OPPOSITES.get(node.text, "") if not yes else node.text, right.value
        if not isinstance(number, int) or isinstance(number, bool):
            return ""
        if left.field and self.find_field(left) is None:
            owner, counter = self.value_phrase(left.parts[0]), counter_phrase(left.text)
            known = sign in AMOUNTS and (number > 0 or (number == 0 and sign != "<"))
            known = known and not counter.startswith("“") and left.parts[0].name != "game"
            return f"{owner} has {AMOUNTS[sign]} {number} {counter_named(counter, number)}" if known else ""
        if not (amount := amount_phrase(sign, number)):
            return ""
        one, value = amount.endswith(" one"), self.value_phrase(left)
        if left.arithmetic == "-" and value.startswith("the number of turns begun since "):
            since = value.removeprefix("the number of turns begun ")
            return f"{amount} turn{' has' if one else 's have'} begun {since}"
        if left.field and value.startswith("how often ") and amount in ("no", "at least one"):
            return negate(value.removeprefix("how often "), amount != "no", self.value_phrase(left.parts[0]))
        counted = left.parts[0] if left.function == "count" else left
        key = counted.function or counted.name or (self.field_key(counted) if counted.field else "")
        if amount == "no" and (none := reading_table("none_of").get(counted.name)):
            return str(none)
        if key not in self.types and (template := reading_table("counted").get(key)):
            return self.fill_template(template, *map(self.value_phrase, counted.parts), n=amount, of=counted)
        noun = self.noun_phrase(counted, one) if "count" in (left.loop, left.function) else ""
        return f"there {'is' if one else 'are'} {amount} {noun}" if noun and not noun.startswith("what ") else ""

    def field_sentence(self, node: Node, yes: bool) -> str:
        """Return a comparison of a field as a sentence that is declared for it; empty for other comparisons."""
        left, right = node.parts
        if not left.field or node.text not in ("==", "!=", "in", "not in"):
            return ""
        thing, key = self.value_phrase(left.parts[0]), self.field_key(left)
        holds, many = yes == (node.text in ("==", "in")), node.text in ("in", "not in")
        known = reading_table("values").get(key, {})
        sought = [
            "none" if part.value is None else str(part.value) for part in right.list_items_or_self if part.is_constant
        ]
        if known and sought and len(sought) == len(right.list_items_or_self) and all(one in known for one in sought):
            sentences = [self.fill_template(known[one][0 if holds else 1], thing, of=left) for one in sought]
            return join_words(sentences, "or" if holds else "and")
        if right.field and self.field_key(right) == key and (pair := reading_table("alike").get(key)) and not many:
            return self.fill_template(pair[0 if holds else 1], thing, self.value_phrase(right.parts[0]))
        if (pair := reading_table("relations").get(key)) and not right.is_constant:
            which = "" if not many else "one of " if holds else "any of "
            return self.fill_template(pair[0 if holds else 1], thing, f"{which}{self.value_phrase(right)}")
        return ""

    def time_sentence(self, node: Node, yes: bool) -> str:
        """Return that something was done before or after a turn or round; empty for other comparisons."""
        sign = OPPOSITES.get(node.text, "") if not yes else node.text
        left, right = node.parts
        if sign not in DONE_WHEN or not left.field or not (found := DONE_IN.fullmatch(self.value_phrase(left))):
            return ""
        names = {"circuit": "this round", "own_turn": "this turn", "turn": "the latest turn"}
        when = names.get(right.name, "") if right.name not in self.types or right.name == "circuit" else ""
        if right.arithmetic == "-" and right.parts[0].name == "circuit" and right.parts[1].value == 1:
            when = "the previous round"
        elif right.field and DONE_IN.fullmatch(self.value_phrase(right)):
            when = self.value_phrase(right)
        elif right.value == 0 and sign == ">":
            when = f"the first {found[1]} began"
        return f"{negate(found[2], sign != '!=', '')} {DONE_WHEN[sign]} {when}" if when else ""

    def named_thing(self, node: Node) -> str:
        """Return what a comparison says that a thing is: “Ann” by its name, “a pawn” by its kind; empty otherwise."""
        left, right = node.parts
        if (
            node.comparison not in ("==", "!=")
            or left.field not in ("name", "kind")
            or not isinstance(right.value, str)
        ):
            return ""
        kind = self.type_of(left.parts[0])
        thing = kind.name if kind is not None else ""
        if left.field == "kind":
            return str(reading_table("pieces_named").get(right.value, "")) if thing == "piece" else ""
        return right.value if thing == "player" else quote_text(right.value)

    def verb_for(self, node: Node) -> str:
        """Return “is” or “are”, whichever goes with the value of a node."""
        if node.field and self.find_field(node) is None:
            one = counter_phrase(node.text).startswith("“") or counter_named(node.text, 1) == node.text
            return "is" if one or node.parts[0].name == "game" else "are"
        if re.match(
            r"(the votes|the points|all the votes|the (lowest|highest) [\w ]+s of any) ", f"{self.value_phrase(node)} "
        ):
            return "are"
        if node.list_items is not None:
            return "is" if len(node.list_items) < 2 else "are"
        kind = self.type_of(node)
        several = kind is not None and kind.name == "list"
        return "are" if several and not self.value_phrase(node).startswith(("everyone", "everything", "who")) else "is"

    def named_truth_sentence(self, node: Node, yes: bool) -> str:
        """Return a sentence that a fact, field, term or function is true, or that it is false if `yes` is False."""
        owner = ""
        if node.field:
            declaration, owner = self.find_field(node), self.value_phrase(node.parts[0])
            if declaration is not None and (pair := reading_table("field_truths").get(self.field_key(node))):
                return self.fill_template(pair[0 if yes else 1], owner, of=node)
            if declaration is None:
                return f"{self.value_phrase(node)} is {'yes' if yes else 'no'}"
            sentence = text_before_marks(declaration.meaning)
            if not sentence.startswith("whether "):
                return f"{owner} {'are' if owner == 'they' else 'is'} {'' if yes else 'not '}{sentence}"
            sentence = replace_literally(
                rf"\b(it|this {type_in_words(self.type_of(node.parts[0]))})\b", sentence, owner
            )
        elif node.function == "for_people" and (said := what_people_say(node.parts)):
            said = " ".join([said.strip(), *(self.value_phrase(part) for part in node.parts[1:])])
            return f"people {'say' if yes else 'do not say'} yes when asked whether {said}"
        elif node.function and (pair := reading_table("function_truths").get(node.text)):
            return self.fill_template(pair[0 if yes else 1], *map(self.value_phrase, node.parts))
        elif node.function:
            sentence = self.fill_in_arguments(text_before_marks(self.vocabulary.functions[node.text].meaning), node)
        else:
            known = self.vocabulary.facts.get(node.name) or self.vocabulary.keys.get(node.key)
            if pair := reading_table("truths").get(node.text):
                return str(pair[0 if yes else 1])
            if known is None or node.text in self.types:
                return f"{self.value_phrase(node)} is {'' if yes else 'not '}true"
            sentence = text_before_marks(known.meaning)
        return negate(sentence.removeprefix("whether "), yes, owner)


def _kinds_compared(node: Node, yes: bool) -> str:
    """Return a comparison of the kind of a change, such as “it repeals a rule”; empty for another comparison."""
    left, right = node.parts
    if (
        left.field != "kind"
        or (left.parts[0].name != "change" and left.parts[0].field != "change")
        or node.comparison not in ("==", "!=", "in", "not in")
    ):
        return ""
    kinds = [str(part.value) for part in right.list_items_or_self]
    known = reading_table("kinds")
    if not all(kind in known for kind in kinds):
        return ""
    does = (node.comparison in ("==", "in")) == yes
    before, after = "{it} " if does else "{it} does not ", " a rule"
    verbs = [known[kind][0 if does else 1].removeprefix(before).removesuffix(after) for kind in kinds]
    return before + join_words(verbs, "or") + after


def _possessive_or_value(value: str, thing: str | None) -> str:
    """Return a phrase such as “Ann's points” for an owner and a thing; the owner alone without one."""
    return possessive(value, thing) if thing else value
