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
from nomic_nb.engine.law.expressions import IN_TIME
from nomic_nb.engine.law.nodes import Node
from nomic_nb.engine.law.tables import TableShape
from nomic_nb.engine.law.types import Scope
from nomic_nb.engine.law.values import ThingRef, Type, Value, with_article
from nomic_nb.engine.law.vocabulary import Case, Field, Vocabulary
from nomic_nb.engine.words import counter_named, join_words, number_text

# ----------------------------------- words and turns of phrase from which sentences about clauses are put together


#: Lists in which every player is, so that one of them is meant by the name alone.
EVERYBODY = ("playing", "seats", "players")
#: Three or more conditions with more letters than that are read as a list, since nobody could follow them by ear.
MOST_LETTERS_IN_A_ROW = 150
#: How many there are of something.
HOW_MANY = re.compile(r"how many ([\w-]+(?: in \w+)?) (?=\w)")


def wording_table(name: str) -> Mapping[str, Any]:
    """Return the table of a given name in the file ``wording.toml``."""
    return phrase_tables("wording.toml")[name]


def reading_table(name: str) -> Mapping[str, Any]:
    """Return the table of a given name in the file ``readings.toml``: templates of readings of clauses."""
    return phrase_tables("readings.toml")[name]


#: Verbs after which “not” negates a sentence, and words before them that make that uncertain.
VERB = re.compile(r"\b(can|may|is|are|was|were|has|have)\b")
UNSURE = re.compile(
    r"^(every|all|each|any|some|both|no|at least)"
    r"|\b(who|that|which|where|if|whose|and|or|for|what|how|when|as|says?|must|until|once|before|after|unless|while)\b"
)


@cache
def phrase_tables(file_name: str) -> dict[str, dict[str, Any]]:
    """Return the tables of a TOML file beside this module."""
    import tomllib

    return tomllib.loads(Path(__file__).with_name(file_name).read_text(encoding="utf-8"))


def text_before_marks(meaning: str, marks: str = ",;:(") -> str:
    """Return the beginning of a text, up to the first of some punctuation marks."""
    return re.split(f"[{marks}]", meaning)[0].strip()


def naming_phrase(meaning: str, name: str) -> str:
    """Return a noun phrase for something in the law language, made from its meaning, or from its name if that fails.

    Examples
    --------
    >>> naming_phrase("how many votes in favour adopt, counted by weight", "vote.quota")
    'the number of votes in favour that adopt'
    >>> naming_phrase("automatic, or at will", "turn.start")
    'the turn start'
    """
    text = text_before_marks(meaning)
    if " " not in text or text.startswith(("whether", "when", "where", "for how")):
        return f"the {replace_underscores(name)}"
    return HOW_MANY.sub(r"the number of \1 that ", text)


def replace_underscores(name: str) -> str:
    """Return a name of the law language with spaces instead of underscores."""
    return re.sub(r"[._]", " ", name)


def quote_text(text: str) -> str:
    """Return a text in quotation marks."""
    return f"“{text}”"


def possessive(owner: str, thing: str) -> str:
    """Return the possessive of an owner and a thing: “Ann's points”, “the points of both”.

    Examples
    --------
    >>> possessive("the player", "points"), possessive("they", "points")
    ('the player’s points', 'their points')
    >>> possessive("those who voted for the proposal", "points")
    'the points of those who voted for the proposal'
    """
    if owner in ("they", "it"):
        return f"{'their' if owner == 'they' else 'its'} {thing}"
    short = len(owner.split()) < 3 and len(thing.split()) < 3 and not owner.endswith("s") and owner != "what"
    return f"{owner}’s {thing}" if short else f"the {thing} of {owner}"


def resolve_who_phrase(sentence: str, kind: Type) -> str:
    """Return a phrase “who …” as “the one who …”, or “whoever …” for a list; others unchanged."""
    if not sentence.startswith("who "):
        return sentence
    return f"{'whoever' if kind.name == 'list' else 'the one who'} {sentence.removeprefix('who ')}"


def existence_sentence(sentence: str, *, is_there: bool) -> str:
    """Return a sentence that what a noun phrase names exists (“there is a …”), or does not.

    Examples
    --------
    >>> existence_sentence("the rule to be changed", is_there=False)
    'there is no rule to be changed'
    >>> existence_sentence("what stands on it", is_there=True)
    'something stands on it'
    """
    for word, some, none in (
        ("what ", "something ", "nothing "), ("the one who ", "there is someone who ", "there is nobody who "),
        ("the ", "there is a ", "there is no "),
    ):  # fmt: skip
        if sentence.startswith(word):
            return f"{some if is_there else none}{sentence.removeprefix(word)}"
    return f"{sentence} is {'not ' if is_there else ''}none"


def negate(sentence: str, yes: bool, owner: str) -> str:
    """Return a sentence unchanged if `yes`, else negated: at the verb after its `owner` if it begins with that."""
    if yes:
        return sentence
    if owner and sentence.startswith((f"{owner} is ", f"{owner} has ")):
        verb, _, rest = sentence.removeprefix(f"{owner} ").partition(" ")
        return f"{owner} {verb} not {rest}"
    if (found := VERB.search(sentence)) and not UNSURE.search(sentence[: found.start()]):
        return f"{sentence[: found.end()]}{'not' if found[1] == 'can' else ' not'}{sentence[found.end() :]}"
    return f"it is not true that {sentence}"


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

    def with_names(self, names: Case, **called: str) -> ExpressionPhrases:
        """Return a phrase writer that knows more variables: their types, and in what words some are `called`."""
        hidden = {name: sentence for name, sentence in self.called.items() if name not in names}
        return replace(self, types={**self.types, **names}, called={**hidden, **called})

    def type_of(self, node: Node) -> Type | None:
        """Return the type of a node; None if it cannot be told."""
        try:
            return Scope(self.vocabulary, self.types, self.tables).type_of_node(node)
        except LawError:
            return None

    def item_type(self, many: Node) -> Type | None:
        """Return the type of the items of a list (`many`); None if it cannot be told."""
        kind = self.type_of(many)
        return kind.item if kind is not None else None

    def with_item_name(self, name: str, many: Node) -> ExpressionPhrases:
        """Return a phrase writer that calls the variable of a loop over a list “that …”, as in “that player”."""
        item = self.item_type(many) or Type("any")
        kinds = {"any": "one", "text": "word", "list": "list"}
        sentence = f"that {kinds.get(item.name, item.name)}"
        return self.with_names(
            {name: item}, **{name: sentence if sentence not in self.called.values() else f"{sentence} {name}"}
        )

    def name_phrase(self, node: Node) -> str:
        """Return a name in an expression (a variable, fact or term) in words.

        Raises
        ------
        LawError
            It stands for nothing.
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
                f"the {item.plural} of the {replace_underscores(name)}"
                if item and name[-1] != "s"
                else f"the {replace_underscores(name)}"
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
                return self.constant_phrase(node.value)
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
                return f"{replace_underscores(node.text)} for {keys}"
            case "keys":
                return f"everything for which {replace_underscores(node.text)} is kept"
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
                return f"what would be, {_supposition_phrase(node)} {self.value_phrase(node.parts[0])}"
        return f"whether {self.truth_sentence(node)}"

    @staticmethod
    def constant_phrase(value: Value) -> str:
        """Return a constant in words."""
        if value is None:
            return "none"
        if isinstance(value, bool):
            return "yes" if value else "no"
        return (
            quote_text(value)
            if isinstance(value, str)
            else number_text(value)
            if not isinstance(value, tuple | ThingRef)
            else ""
        )

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
            if (part.arithmetic or part.parts_of_choice) and not _needs_no_brackets(part, node)
            else self.value_phrase(part)
            for part in node.parts
        )
        if _is_fraction(node):
            return f"{left}/{right}"
        if node.text == "//":
            return f"{left} divided by {right}, rounded down"
        if node.text == "%":
            return f"the remainder of {left} divided by {right}"
        if node.parts[0].text == "otherwise" and node.text in ("+", "-"):
            return f"{right} {'more' if node.text == '+' else 'less'} than {left}"
        kind = self.type_of(node) if node.text == "+" else None
        word = wording_table("followed").get(kind.name if kind else "", wording_table("reckoned")[node.text])
        return f"{left} {word} {right}"

    def loop_phrase(self, node: Node) -> str:
        """Return in English a loop over a list, such as “the number of …” or “the sum of …”."""
        element, many, condition = node.parts
        inner = self.with_item_name(node.text, many)
        if node.loop in ("any", "all"):
            return f"whether {self.truth_sentence(node)}"
        limit = inner.limit_phrase(condition, inner.called.get(node.text, ""))
        if (
            node.loop == "list"
            and element.name == node.text
            and (name := many.name in EVERYBODY and _name_asked_for(condition, node.text))
        ):
            return name
        if node.loop == "count":
            return re.sub(r"\bof everyone (?!who)", "of all ", f"the number of {self.value_phrase(many)}{limit}")
        if element.name == node.text:
            return f"{self.value_phrase(many)}{limit}"
        each = f"{inner.value_phrase(element)} for {self.each_item_phrase(many)}{limit}"
        return f"the sum of {each}" if node.loop == "sum" else each

    def limit_phrase(self, condition: Node, called: str) -> str:
        """Return which items of a loop count, called `called`: “ who are …” or “ where …”; empty without a condition.

        A clause with “who” is made only if it is about the items alone, so that it cannot be read otherwise.
        """
        if _is_constant_true(condition):
            return ""
        sentences = [self.truth_sentence(part) for part in condition.conjuncts if part.connective not in ("and", "or")]
        if called and len(sentences) == len(condition.conjuncts):
            noun = called.removeprefix("that ").split()[0]
            person = noun == "player"
            turned = [
                _relative_clause(sentence.replace(f" {name}", f" named {name}") if name else sentence, called, person)
                for sentence, name in zip(sentences, map(_name_compared, condition.conjuncts), strict=True)
            ]
            if all(turned):
                return f" {join_words(turned)}"
        return f" where {self.truth_sentence(condition)}"

    def each_item_phrase(self, many: Node) -> str:
        """Return “each of …” with the items of a list (`many`) in English."""
        sentence, item = self.value_phrase(many), self.item_type(many)
        if many.list_items and len(many.list_items) == 1:
            return sentence
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
        it = "it" if self.its == "its" else "the proposed change"
        return tuple(template.replace("{it}", it).replace("{its}", self.its) for template in pair or ())

    def find_field(self, node: Node) -> Field | None:
        """Return the vocabulary's declaration of the field that a node reads; None for a table entry."""
        kind, fields = self.type_of(node.parts[0]), self.vocabulary.fields
        if kind is not None and kind.name != "any":
            return fields.get((kind.name, node.text))
        return next((declaration for (_, name), declaration in fields.items() if name == node.text), None)

    def field_phrase(self, node: Node) -> str:
        """Return a field of a thing in words."""
        if phrase := reading_table("fields").get(f"{node.parts[0].name}.{node.text}"):
            return str(phrase.format(its=self.its))
        owner, declaration = self.value_phrase(node.parts[0]), self.find_field(node)
        if declaration is None or declaration.type.name == "truth":
            return possessive(owner, replace_underscores(node.text))
        sentence = resolve_who_phrase(naming_phrase(declaration.meaning, node.text), declaration.type)
        kind = self.type_of(node.parts[0])
        if sentence.startswith("its "):
            return possessive(owner, sentence.removeprefix("its "))
        named = rf"\b(it|(this|the) {_type_in_words(kind)})\b(?! (concerned|to))"
        turned = re.sub(
            r"\bits (clauses and drafts|\w+)",
            lambda match: possessive(owner, match[1]),
            _replace_literally(named, sentence, owner),
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
        if node.text == "label":
            return f"{join_words(values)}{', joined by dots' if len(values) > 1 else ''}"
        if node.text == "item" and (place := _end_of_list(*node.parts)):
            return f"the {place} of {values[0]}"
        if (most := reading_table("most").get(node.text)) and (field := _field_of_each(*node.parts)):
            return str(most.format(values[0], replace_underscores(field)))
        if template := reading_table("functions").get(node.text):
            known = template.removesuffix(" of {0}") if values == ["the voters"] else template
            return str(known.format(*values))
        sentence = naming_phrase(function.meaning, node.text)
        if isinstance(function.result, Type):
            sentence = resolve_who_phrase(sentence, function.result)
        return self.fill_in_arguments(sentence, node)

    def fill_in_arguments(self, sentence: str, node: Node) -> str:
        """Return the English meaning of a function with the arguments of a call put in."""
        wanted = list(self.vocabulary.functions[node.text].parameters)
        wanted += wanted[-1:] * (len(node.parts) - len(wanted))
        rest, marked = [], sentence
        values: list[str] = []
        for part, kind in zip(node.parts, wanted, strict=False):
            values.append(self.argument_phrase(part, node.parts[0]))
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
            "\x00(\\d+)\x00(['’]s (\\w+))?", lambda match: _possessive_or_value(values[int(match[1])], match[3]), marked
        )
        filled = re.sub(r"\bof everyone (?!who)", "of all ", filled)
        return f"{filled} ({', '.join(rest)})" if rest else filled

    def argument_phrase(self, part: Node, first: Node) -> str:
        """Return an argument of a call in English; “their …” if it loops over the call's first argument."""
        if part is not first and part.loop == "list":
            element, many, condition = part.parts
            if many.canonical == first.canonical and _is_constant_true(condition):
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
                return join_words(sentences, "and" if both else "or")
            case "compare":
                return self.comparison_sentence(node, yes)
            case "each":
                return self.quantifier_sentence(node, yes)
            case "field" | "name" | "key" | "call":
                return self.named_truth_sentence(node, yes)
            case "afterwards":
                return f"{_supposition_phrase(node)} {self.truth_sentence(node.parts[0], yes)}"
            case "constant":
                return "this is true" if bool(node.value) == yes else "this is false"
            case "if":
                first, condition, other = node.parts
                when, otherwise = self.truth_sentence(condition), self.truth_sentence(other, yes)
                return f"{self.truth_sentence(first, yes)} if {when}, otherwise {otherwise}"
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
                for part, sentence in zip(conditions, sentences, strict=True)
            ]
        )

    def quantifier_sentence(self, node: Node, yes: bool) -> str:
        """Return a sentence that a condition holds for any, or all, items; negated if “yes” is False."""
        element, many, condition = node.parts
        inner = self.with_item_name(node.text, many)
        sentence = inner.limit_phrase(condition, inner.called.get(node.text, ""))
        verbs = self.contains_verbs(many)
        if verbs and (sought := _sought_in_list(node)):
            return verbs[0 if yes else 1].format(join_words([self.value_phrase(part) for part in sought], "or"))
        if (node.loop == "any") == yes:
            among = re.sub("^everyone (?!who)", "all ", self.value_phrase(many))
            held, called = inner.truth_sentence(element, yes), f"{inner.called.get(node.text, '')} "
            if not sentence and held.startswith((f"{called}is ", f"{called}was ")):
                noun = called.strip().removeprefix("that ")
                member = noun if among == f"all {noun}s" else f"of {among}"
                return f"at least one {member} {held.removeprefix(called)}"
            return f"for at least one of {among}{sentence}, {held}"
        return f"for {self.each_item_phrase(many)}{sentence}, {inner.truth_sentence(element, yes)}"

    def comparison_sentence(self, node: Node, yes: bool) -> str:
        """Return a comparison as an English sentence, negated if “yes” is False."""
        left, right = node.parts
        if kinds := _kinds_compared(node, yes):
            return kinds.format(it="it" if self.its == "its" else "the proposed change")
        if (count := _is_counted_as_none(node)) is not None:
            counted = re.match("the number of (?:the|all) (?!same)(.*)", self.value_phrase(left))
            if counted is not None:
                return f"there are {'no' if count == yes else 'some'} {counted[1]}"
        if node.text in ("in", "not in") and (verbs := self.contains_verbs(right)):
            return verbs[0 if (node.text == "in") == yes else 1].format(self.value_phrase(left))
        if left.arithmetic == "%" and node.text in ("==", "!=") and right.is_constant and right.value == 0:
            what, of = map(self.value_phrase, left.parts)
            return f"{what} is {'' if (node.text == '==') == yes else 'not '}a multiple of {of}"
        if named := self.named_thing(node):
            return f"{self.value_phrase(left.parts[0])} is {'' if (node.text == '==') == yes else 'not '}{named}"
        words = wording_table("compared")[node.text][0 if yes else 1]
        if right.is_constant and right.value is None and node.text in ("==", "!="):
            return existence_sentence(self.value_phrase(left), is_there=(node.text == "!=") == yes)
        sentence = self.value_phrase(right)
        some = (node.text, sentence) in ((">", "0"), (">=", "1"))
        if some and left.function == "count" and self.value_phrase(left.parts[0]).startswith("what "):
            return existence_sentence(self.value_phrase(left.parts[0]), is_there=yes)
        if some and yes and self.value_phrase(left).startswith("how often "):
            return self.value_phrase(left).removeprefix("how often ")
        if node.text in ("in", "not in") and right.list_items is not None:
            words = words.replace("among ", "")
            sentence = join_words([self.value_phrase(part) for part in right.list_items] or ["nothing"], "or")
        return f"{self.value_phrase(left)} {self.verb_for(left)} {words}{sentence}"

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
            return "are" if counter_named(node.text, 1) != node.text else "is"
        if self.value_phrase(node).startswith(("the votes ", "the points ", "all the votes")):
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
            if pair := reading_table("field_truths").get(f"{node.parts[0].name}.{node.text}"):
                return str(
                    pair[0 if yes else 1].format(its=self.its, it="it" if self.its == "its" else "the proposed change")
                )
            declaration, owner = self.find_field(node), self.value_phrase(node.parts[0])
            sentence = text_before_marks(declaration.meaning) if declaration is not None else f"its {node.text}"
            if not sentence.startswith("whether "):
                return f"{owner} {'are' if owner == 'they' else 'is'} {'' if yes else 'not '}{sentence}"
            sentence = _replace_literally(
                rf"\b(it|this {_type_in_words(self.type_of(node.parts[0]))})\b", sentence, owner
            )
        elif node.function == "for_people" and (said := _what_people_say(node.parts)):
            return f"people {'say' if yes else 'do not say'} that {said}"
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


def _relative_clause(sentence: str, called: str, person: bool) -> str:
    """Return a sentence about an item, called `called`, as a clause: “who is …”, “whose …”; empty if it cannot be."""
    if called in sentence.removeprefix(called):
        return ""  # it is mentioned again, and “who” would not say which
    if sentence.startswith(f"{called}’s "):
        return f"whose {sentence.removeprefix(f'{called}’s ')}"
    verb, _, rest = sentence.removeprefix(f"{called} ").partition(" ")
    several = {"is": "are", "was": "were", "has": "have"}.get(verb)
    if not sentence.startswith(f"{called} ") or several is None:
        return ""
    return f"{'who' if person else 'that'} {several} {re.sub(r'^(not )?a person$', r'@people', rest)}".replace(
        "@people", "not people" if rest.startswith("not ") else "people"
    )


def _name_compared(condition: Node) -> str:
    """Return the name that a condition compares with that of something; empty for another condition."""
    sides = condition.parts if condition.comparison in ("==", "!=") else ()
    return sides[1].value if sides and sides[0].field == "name" and isinstance(sides[1].value, str) else ""


def _name_asked_for(condition: Node, item: str) -> str:
    """Return the name if a loop's condition is only that its item has this name; empty for another condition."""
    name = _name_compared(condition)
    return name if name and condition.comparison == "==" and condition.parts[0].parts[0].name == item else ""


def _kinds_compared(node: Node, yes: bool) -> str:
    """Return a comparison of the kind of a change, such as “it repeals a rule”; empty for another comparison."""
    left, right = node.parts
    if left.field != "kind" or left.parts[0].name != "change" or node.comparison not in ("==", "!=", "in", "not in"):
        return ""
    kinds = [str(part.value) for part in right.list_items_or_self]
    known = reading_table("kinds")
    if not all(kind in known for kind in kinds):
        return ""
    does = (node.comparison in ("==", "in")) == yes
    sentences = [known[kind][0 if does else 1] for kind in kinds]
    return join_words(sentences, "or" if does else "and")


def _is_counted_as_none(node: Node) -> bool | None:
    """Tell whether a comparison says that a count is 0 (True) or is not (False); None for another comparison."""
    left, right = node.parts
    if "count" not in (left.loop, left.function) or right.value != 0 or not isinstance(right.value, int):
        return None
    return {"==": True, "<=": True, ">": False, "!=": False}.get(node.comparison)


def _field_of_each(many: Node, numbers: Node) -> str:
    """Return the field whose values for each of a list a second list has; empty if it has something else."""
    if numbers.loop != "list" or not _is_constant_true(numbers.parts[2]):
        return ""
    element = numbers.parts[0]
    own = numbers.parts[1].canonical == many.canonical and element.parts and element.parts[0].name == numbers.text
    return element.field if own else ""


def _what_people_say(texts: Sequence[Node]) -> str:
    """Return what people are asked without its “whether”; empty if it is put together in another way."""
    first = texts[0].value
    said = isinstance(first, str) and len(texts) == 1 and first.startswith("whether ")
    return str(first).removeprefix("whether ") if said else ""


def _sought_in_list(node: Node) -> tuple[Node, ...]:
    """Return the items of which a condition says that a list has any; none for another condition."""
    element, _, condition = node.parts
    sought = element.parts[1].list_items if element.comparison == "in" and element.parts[0].name == node.text else None
    return sought if sought is not None and node.loop == "any" and _is_constant_true(condition) else ()


def _end_of_list(many: Node, place: Node) -> str:
    """Return “first” or “last” if a place in a list is its first or last one; empty for another place."""
    last = place.function == "count" and place.parts[0].canonical == many.canonical
    return "first" if place.value == 1 else "last" if last else ""


def _replace_literally(pattern: str, sentence: str, value: str) -> str:
    """Return a text with each match of a regular expression replaced by a value taken literally."""
    return re.sub(pattern, lambda _: value, sentence)


def _possessive_or_value(value: str, thing: str | None) -> str:
    """Return a phrase such as “Ann's points” for an owner and a thing; the owner alone without one."""
    return possessive(value, thing) if thing else value


def _type_in_words(kind: Type | None) -> str:
    """Return the name of a type; “thing” for an unknown one."""
    return kind.name if kind is not None else "thing"


def _is_fraction(node: Node) -> bool:
    """Tell whether a node is a constant fraction."""
    return node.text == "/" and all(part.is_constant for part in node.parts)


def _needs_no_brackets(part: Node, node: Node) -> bool:
    """Return True if an operand (`part`) of a calculation (`node`) can be read without brackets."""
    return _is_fraction(part) or (part.text == node.text and node.text in ("+", "*"))


def _supposition_phrase(node: Node) -> str:
    """Return the beginning of a sentence for a supposition, such as “if the change were adopted,”."""
    if node.text == IN_TIME:
        return "as soon as the change passes, or on its own in the turns that follow,"
    return "if the change passed, ignoring chance," if "chance" in node.text else "if the change passed,"


def _is_constant_true(condition: Node) -> bool:
    """Tell whether a condition is the constant true, as in a loop without a condition."""
    return condition.value is True
