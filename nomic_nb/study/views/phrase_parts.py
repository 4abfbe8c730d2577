"""Parts of sentences about clauses: what of an expression needs its own words, and how nouns and verbs are put."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from nomic_nb.engine.law.clauses import Effect
from nomic_nb.engine.law.expressions import IN_TIME
from nomic_nb.engine.law.nodes import Expression, Node
from nomic_nb.engine.law.values import ThingRef, Type, Value, with_article
from nomic_nb.engine.words import number_text

#: Lists in which every player is, so that one of them is meant by the name alone.
EVERYBODY = ("playing", "seats", "players")
#: What comes between a thing and how many turns or rounds it was done in.
DONE_IN = re.compile(r"the (turn|round) in which (.* (?:was|were) .*)")
DONE_WHEN = {"<": "before", "<=": "in or before", ">": "after", ">=": "in or after", "==": "in", "!=": "in"}
#: A clause that leaves one thing out.
OTHER = re.compile(r"(?:who|that) (?:is|are) not ((?:the|that|itself)\b.*)")
AMOUNTS = {"==": "exactly", "<=": "at most", ">=": "at least", "<": "fewer than", ">": "more than"}
OPPOSITES = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
#: Verbs in the singular, by their plural.
ONE = {"are": "is", "have": "has", "were": "was"}
#: Verbs in the plural, by their singular.
SEVERAL = {
    "is": "are", "was": "were", "has": "have", "had": "had", "does": "do", "could": "could", "would": "would",
    "belongs": "belong", "controls": "control", "outnumbers": "outnumber", "can": "can", "may": "may",
    "applies": "apply",
    "amends": "amend", "enacts": "enact", "repeals": "repeal", "transmutes": "transmute",
}  # fmt: skip
#: Words after which “each” item would be about all of them together, and not about one after another.
NOT_OF_EACH = re.compile(
    r"\b(if|where|who|whose|whether|unless|that (is|are|was|were|has|have)|number of|than|among|not)\b"
)
#: What comes between the two halves of a sentence, or before a clause at its end.
HALVES = re.compile("[,:;] | (when|while|until|once|as soon as|where|whose|except|unless) ")
#: What belongs to somebody: all words up to what says more about it.
THINGS_OWNED = r"\w+(?: (?!(?:in|on|of|at|that|who|which)\b)\w+)*"
#: The value without a clause, whose “value” several things are not.
WITHOUT_CLAUSE = "^the value without(?= this clause)"
#: A loop that needs no colon before it: it has one itself, and only that.
LOOP_ALONE = re.compile("for each [^;:(]*: if [^;:(]*")
#: How many there are of something.
HOW_MANY = re.compile(r"how many ([\w-]+(?: in \w+)?) (?=\w)")
#: Verbs after which “not” negates a sentence, and words before them that make that uncertain.
VERB = re.compile(r"\b(can|may|could|would|is|are|was|were|has|have|had)\b")
UNSURE = re.compile(
    r"^(every|all|each|any|some|both|no|at least)"
    r"|\b(who|that|which|where|if|whose|and|or|for|what|how|when|as|says?|must|until|once|before|after|unless|while)\b"
)


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


#: Names that are pronouns.
_PRONOUNS = frozenset({"mine", "yours", "his", "hers", "ours", "theirs", "this", "that", "these", "those"})


def the_named(name: str) -> str:
    """Return a name that somebody gave to a value with “the”; a pronoun in quotes."""
    return quote_text(name) if name in _PRONOUNS else f"the {replace_underscores(name)}"


def counter_phrase(name: str) -> str:
    """Return the name of a counter in a sentence: “points” and other short plurals as they are, others in quotes.

    Examples
    --------
    >>> counter_phrase("extra_turns"), counter_phrase("spoke")
    ('extra turns', '“spoke”')
    """
    spaced = replace_underscores(name)
    return spaced if spaced.endswith("s") and len(spaced.split()) < 3 else quote_text(spaced)


def constant_phrase(value: Value) -> str:
    """Return a constant in words."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return quote_text(value) if value else "empty"
    return "" if isinstance(value, tuple | ThingRef) else number_text(value)


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
    short = (
        len(owner.split()) < 3
        and (len(thing.split()) < 3 or thing.startswith("“"))
        and not owner.endswith("s")
        and owner != "what"
    )
    short = short or (owner.startswith("that ") and "’s " in owner and len(owner.split()) < 5 and " " not in thing)
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
    >>> existence_sentence("the player’s “spouse”", is_there=True)
    'the player has a “spouse”'
    >>> existence_sentence("what stands on it", is_there=True)
    'something stands on it'
    """
    if owned := re.fullmatch(r"(.*)’s (“[^”]*”|\w+)", sentence):
        return f"{owned[1]} has {with_article(owned[2]) if is_there else f'no {owned[2]}'}"
    for word, some, none in (
        ("what ", "something ", "nothing "), ("the one who ", "there is someone who ", "there is nobody who "),
        ("the ", "there is a ", "there is no "),
    ):  # fmt: skip
        if sentence.startswith(word):
            return f"{some if is_there else none}{sentence.removeprefix(word)}"
    return f"{sentence} is {'not ' if is_there else ''}none"


def negate(sentence: str, yes: bool, owner: str) -> str:
    """Return a sentence unchanged if `yes`, otherwise negated: at the verb after its `owner` if it begins with that."""
    if yes:
        return sentence
    verb, _, rest = sentence.removeprefix(f"{owner} ").partition(" ")
    if owner and sentence.startswith(f"{owner} ") and VERB.fullmatch(verb):
        return f"{owner} {verb}{'' if verb == 'can' else ' '}not {rest}"
    if (found := VERB.search(sentence)) and not UNSURE.search(sentence[: found.start()]):
        return f"{sentence[: found.end()]}{'not' if found[1] == 'can' else ' not'}{sentence[found.end() :]}"
    return f"it is not true that {sentence}"


def verb_of_they(found: re.Match[str]) -> str:
    """Return “they” with its verb in the plural."""
    return f"they {SEVERAL[found[1]]}"


def spread_over_each(done: str, called: str, each: str) -> str:
    """Return an action on an item of a loop, named `called`, as one on `each` of them; empty if that is not clear."""
    its = "their" if called.split()[-1] == "player" else "its"
    first = done.find(called)
    if first < 0 or re.search("[;:(]", re.sub("“[^”]*”", "", done)) or NOT_OF_EACH.search(done[:first]):
        return ""
    owned = re.match(r"’s (“[^”]*”|[a-z]+)", done[first + len(called) :])
    said = f"the {owned[1]} of {each}" if owned else each
    rest = done[first + len(called) + (owned.end() if owned else 0) :].replace(f"{called}’s", its)
    return "" if called in rest else done[:first] + said + rest


def takes_condition_first(sentence: str, fixed: bool) -> bool:
    """Tell whether a condition has to come before a sentence, since at its end it could belong to only a part of it.

    The words of a `fixed` sentence are those of its template, with no value that was put in.
    """
    return bool(re.search(r"\bif\b|[a-z]: ", sentence) or (fixed and HALVES.search(sentence)))


def each_person(who: str, kind: Type | None, node: Node) -> str:
    """Return “each of …” for several players; one of them, or a list of one, unchanged."""
    alone = (node.list_items is not None and len(node.list_items) == 1) or (
        node.loop == "list" and name_asked_for(node.parts[2], node.text) == who
    )
    several = (
        (who.startswith("the players ") if kind is None else kind.name == "list")
        and not who.startswith("each ")
        and not alone
    )
    return f"each of {who.removeprefix('all ')}" if several else who


def each_with_name(each: str, called: str) -> str:
    """Return “each player q …” if the item is called “that player q”; other phrases unchanged."""
    kind, _, name = called.removeprefix("that ").partition(" ")
    return re.sub(f"^each {kind}\\b", f"each {kind} {name}", each) if name else each


def with_effects(head: str, done: str) -> str:
    """Return when something is done, and what: after a colon if that is long, or a condition for each of a loop."""
    long = re.search("[;:(]", done) and not LOOP_ALONE.fullmatch(done)
    own_condition = done.startswith("if ") and re.search("(^|, )for [^,]*$", head)
    return f"{head}: {done}" if long or own_condition else f"{head}, {done}"


def relative_clause(sentence: str, called: str, person: bool, single: bool) -> str:
    """Return a sentence about an item, called `called`, as a clause: “who is …”, “whose …”; empty if it cannot be."""
    if called in sentence.removeprefix(called):
        return ""  # it is mentioned again, and “who” would not say which
    if sentence.startswith(f"{called}’s "):
        return f"whose {sentence.removeprefix(f'{called}’s ')}"
    verb, _, rest = sentence.removeprefix(f"{called} ").partition(" ")
    several = SEVERAL.get(verb)
    if not sentence.startswith(f"{called} ") or several is None:
        return ""
    if not single:
        rest = re.sub(r"^(not )?a (person|pawn|knight|bishop|rook|queen|king)$", in_the_plural, rest)
    return f"{'who' if person else 'that'} {verb if single else several} {rest}"


def merge_makers(clauses: Sequence[str]) -> list[str]:
    """Return clauses with “that were made by …” and “that were made in …” joined, if one follows the other."""
    merged: list[str] = []
    for clause in clauses:
        made = re.match("that (?:was|were) made (?=in )", clause)
        if made and merged and merged[-1].startswith(f"{made[0]}by "):
            merged[-1] += f" {clause[made.end() :]}"
        else:
            merged.append(clause)
    return merged


def is_somebody(condition: Node) -> bool:
    """Tell whether a condition only requires that a player acts."""
    sides = condition.parts if condition.comparison == "!=" else ()
    return bool(sides) and sides[0].name == "player" and sides[1].is_constant and sides[1].value is None


def name_and_text(condition: Node) -> tuple[str, str]:
    """Return the name that a condition compares with a text, and that text; both empty for another condition."""
    if condition.comparison != "==" or not isinstance(condition.parts[1].value, str):
        return "", ""
    return condition.parts[0].name, condition.parts[1].value


def limited(noun: str, limit: str) -> str:
    """Return a noun phrase with a clause such as “ who is present”, joined to a clause that it has already."""
    has_clause = (
        re.search(" (who|that|whose) ", noun.partition(" of ")[0]) and limit and not limit.startswith(" where ")
    )
    if has_clause and limit.startswith(" other than "):
        return f"{noun} ({limit.strip()})"
    return f"{noun}{(',' if ', ' in limit else ' and') if has_clause else ''}{limit}"


def with_clear_ends(sentences: Sequence[str]) -> list[str]:
    """Return sentences to be joined, in brackets if what follows could be taken for a part of them."""
    return [f"({one})" if " where " in one and one[0] != "(" and one is not sentences[-1] else one for one in sentences]


def in_the_plural(found: re.Match[str]) -> str:
    """Return “people” for “a person”, “pawns” for “a pawn”, with the “not” before it."""
    return f"{found[1] or ''}{'people' if found[2] == 'person' else f'{found[2]}s'}"


def one_of(text: str, several: str, one: str) -> str:
    """Return one of what a phrase in the plural names, without an article; empty if it is not known how to say that."""
    text = re.sub("^(the|all) ", "", text)
    for plural, single in (
        (several, one),
        ("people", "person"),
        ("voters", "voter"),
        ("kinds", "kind"),
        ("captures", "capture"),
        ("Judges", "Judge"),
    ):
        found = re.match(rf"((?:(?!of|in|by|from|before|after)[\w-]+ ){{0,2}}){plural}\b", text)
        if found:
            rest = re.sub(
                "^ (that|who) (are|have|were)\\b", lambda verb: f" {verb[1]} {ONE[verb[2]]}", text[found.end() :]
            )
            return f"{found[1]}{single}{rest}"
    return (
        re.sub("^those who (are|have)", lambda verb: f"player who {ONE[verb[1]]}", text).replace(
            "those who", "player who", 1
        )
        if text.startswith("those who")
        else ""
    )


def noun_in_number(stem: str, ending: str, one: bool) -> str:
    """Return a noun in the singular or plural, as in “piece(s)” or “arm(ies)”."""
    return f"{stem}{'y' if ending == 'ies' else ''}" if one else f"{stem}{ending}"


def amount_phrase(sign: str, number: int) -> str:
    """Return how many of something a comparison of their count with a number allows; empty if this cannot be said."""
    sign, number = {(">", 1): (">=", 2), ("<", 1): ("==", 0), ("<=", 0): ("==", 0), (">", 0): (">=", 1),
                    ("!=", 0): (">=", 1)}.get((sign, number), (sign, number))  # fmt: skip
    if (sign, number) == ("==", 0):
        return "no"
    return f"{AMOUNTS[sign]} {'one' if number == 1 else number}" if sign in AMOUNTS and number > 0 else ""


def name_compared(condition: Node) -> str:
    """Return the name that a condition compares with that of something; empty for another condition."""
    sides = condition.parts if condition.comparison in ("==", "!=") else ()
    return sides[1].value if sides and sides[0].field == "name" and isinstance(sides[1].value, str) else ""


def name_asked_for(condition: Node, item: str) -> str:
    """Return the name if a loop's condition is only that its item has this name; empty for another condition."""
    name = name_compared(condition)
    return name if name and condition.comparison == "==" and condition.parts[0].parts[0].name == item else ""


def field_of_each(many: Node, numbers: Node) -> str:
    """Return the field whose values for each of a list a second list has; empty if it has something else."""
    if numbers.loop != "list" or not is_constant_true(numbers.parts[2]):
        return ""
    element = numbers.parts[0]
    own = numbers.parts[1].canonical == many.canonical and element.parts and element.parts[0].name == numbers.text
    return element.field if own else ""


def what_people_say(texts: Sequence[Node]) -> str:
    """Return what people are asked first without its “whether”; empty if it begins in another way."""
    first = texts[0].value
    return first.removeprefix("whether ") if isinstance(first, str) and first.startswith("whether ") else ""


def sought_in_list(node: Node, others: bool = False) -> tuple[Node, ...]:
    """Return the items of which a condition says that a list has any, or has `others`; none for another condition."""
    element, _, condition = node.parts
    element = element.parts[0] if others and element.kind == "not" else element
    signs = ("not in", "!=") if others and element is node.parts[0] else ("in",)
    if node.loop != "any" or element.comparison not in signs or not is_constant_true(condition):
        return ()
    left, right = element.parts
    return (right.list_items_or_self if right.list_items or right.is_constant else ()) if left.name == node.text else ()


def end_of_list(many: Node, place: Node) -> str:
    """Return “first” or “last” if a place in a list is its first or last one; empty for another place."""
    last = place.function == "count" and place.parts[0].canonical == many.canonical
    return "first" if place.value == 1 else "last" if last else ""


def replace_literally(pattern: str, sentence: str, value: str, most: int = 0) -> str:
    """Return a text with each match of a regular expression, or with the first few, replaced by a literal value."""
    return re.sub(pattern, lambda _: value, sentence, count=most)


def type_in_words(kind: Type | None) -> str:
    """Return the name of a type; “thing” for an unknown one."""
    return kind.name if kind is not None else "thing"


def is_of_rounds(node: Node) -> bool:
    """Tell whether a calculation is about the number of the round alone, which is whole."""
    return all(
        part.name == "circuit" or isinstance(part.value, int) or part.arithmetic in ("+", "-") for part in node.walk()
    )


def is_always_so(node: Node) -> bool:
    """Tell whether a condition is that the number of the round is a multiple of 1."""
    left = node.parts[0] if node.comparison == "==" else node
    return (
        left.arithmetic == "%" and left.parts[1].value == 1 and is_of_rounds(left.parts[0]) and node.parts[1].value == 0
    )


def is_fraction(node: Node) -> bool:
    """Tell whether a node is a constant fraction."""
    return node.text == "/" and all(part.is_constant for part in node.parts)


def needs_no_brackets(part: Node, node: Node) -> bool:
    """Return True if an operand (`part`) of a calculation (`node`) can be read without brackets."""
    constant = node.text in ("+", "-") and any(isinstance(side.value, int) for side in node.parts)
    return (
        is_fraction(part)
        or (part.text == node.text and node.text in ("+", "*"))
        or (constant and part.text in ("*", "//", "%"))
    )


def supposition_phrase(node: Node) -> str:
    """Return the beginning of a sentence for a supposition, such as “if the change were adopted,”."""
    if node.text == IN_TIME:
        return "as soon as the change passes or by its own effect in the turns that follow"
    return f"with the change in force{' (ignoring chance)' if 'chance' in node.text else ''}"


def is_constant_true(condition: Node) -> bool:
    """Tell whether a condition is the constant true, as in a loop without a condition."""
    return condition.value is True


def split_reasons(condition: Expression | None) -> tuple[list[Node], list[Node]]:
    """Return the reasons that a condition gives for a refusal, and the conditions proper, all of which must hold."""
    parts = condition.node.conjuncts if condition is not None else ()
    return [part for part in parts if part.function == "because"], [
        part for part in parts if part.function != "because"
    ]


def reasons_phrase(reasons: Sequence[Node]) -> str:
    """Return the reasons that a clause gives, in brackets; empty without any."""
    given = ["; instead: ".join(quote_text(str(text.value)) for text in reason.parts) for reason in reasons]
    return f" (reason given: {'; '.join(given)})" if given else ""


def who_acts(condition: Node, comparison: str) -> Node | None:
    """Return whom a condition compares with the player who acts; None for another condition."""
    for side, other in condition.pairs_of_sides if condition.comparison == comparison else ():
        if side.name == "player" and not other.is_constant:
            return other
    return None


def is_order(effect: Effect) -> bool:
    """Tell whether an effect is read as an order, such as “remove the piece”, and not as what a player does."""
    places = dict(effect.places)
    if isinstance(places.get("then"), Effect):
        return is_order(places["then"])
    return effect.form.name not in ("award", "pay", "oblige") and (effect.form.name != "roll" or places["by"] is None)


def join_effects(sentences: Sequence[str], effects: Sequence[Effect]) -> str:
    """Return effects in English, one after another: two short ones with “and” or “then”, others after semicolons."""
    if len(sentences) != 2 or any(re.search("[;:,(]| and ", re.sub("“[^”]*”", "", one)) for one in sentences):
        return "; ".join(sentences)
    one, other = sentences
    if is_order(effects[1]) and not is_order(effects[0]):
        return f"{one}; {other}"
    if rolls := re.match(r"(the player|that player|[\w’ ]+) rolls ", one):
        return f"{one}, then {re.sub(f'^{re.escape(rolls[1])} (?=gains|loses|pays)', '', other)}"
    return (", then " if one.startswith(("let ", "roll ")) else " and ").join(sentences)


def kind_of_amendment(places: Mapping[str, Any]) -> str:
    """Return how an effect names an amendment: “last” of its rule, by a “number” that is computed; else empty."""
    part, rule = (places[name].node if name in places else None for name in ("part", "rule"))
    if part is None or rule is None or part.is_constant:
        return ""
    return "last" if part.field == "last_amendment" and part.parts[0].canonical == rule.canonical else "number"
