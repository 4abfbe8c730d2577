"""Clauses read back as plain English sentences: they show writers how the machine understood them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from nomic_nb.chess.multiverse import movement_sentences
from nomic_nb.engine.arguments import explain_argument_errors
from nomic_nb.engine.display import DisplayedAlike
from nomic_nb.engine.errors import LawError, WrongArgument
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.clauses import (
    ClaimClause,
    Clause,
    DraftClause,
    Effect,
    IncorporateClause,
    InsteadClause,
    OfferClause,
    PieceClause,
    RequireClause,
    SetClause,
    TrackClause,
    TriggerClause,
    WheneverClause,
)
from nomic_nb.engine.law.nodes import Expression, Node
from nomic_nb.engine.law.rules import Rule
from nomic_nb.engine.law.tables import TableShape, table_shape, table_shapes
from nomic_nb.engine.law.types import unknown_key_message
from nomic_nb.engine.law.values import NUMBER, Type, with_article
from nomic_nb.engine.law.vocabulary import Case, Key
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.words import counter_named, full_sentence, join_words, number_text, upper_first
from nomic_nb.study.library.ready_made import LibraryRule
from nomic_nb.study.views.phrase_parts import (
    counter_phrase,
    each_person,
    each_with_name,
    is_always_so,
    is_somebody,
    join_effects,
    kind_of_amendment,
    limited,
    name_and_text,
    negate,
    possessive,
    quote_text,
    reasons_phrase,
    replace_underscores,
    split_reasons,
    spread_over_each,
    takes_condition_first,
    text_before_marks,
    the_named,
    verb_of_they,
    who_acts,
    with_effects,
)
from nomic_nb.study.views.phrases import ExpressionPhrases, reading_table

#: Moments in which something with a name happens, by event and by what has the name.
_NAMED_MOMENTS = {
    ("said", "text"): "whenever a player says {}",
    ("deed", "name"): "whenever a player is reported for {}",
    ("overdue", "owed"): "whenever someone records that a player owes a {}",
    ("counted", "counter"): "whenever a value of {} changes",
}
#: A condition up to its verb, where that is near.
_FIRST_VERB = re.compile("if (?:the|that) [\\w’]+(?: [\\w“”]+)?? (?:is|are|has|have)\\b")
#: Marks where it is said what happens to somebody who cannot pay, and says it.
_UNPAID = "\u2060", " (nothing, if they have less)"
#: What the result of a roll is called that has no other name in its sentence.
ROLLED = frozenset(("the number rolled", "the total rolled"))
#: The places of an effect, filled.
FilledPlaces = Mapping[str, Any]
#: A table that the clauses use but do not track is taken for a number of each player.
COUNTER_SHAPE = TableShape(("player",), NUMBER)


@frozen
class ExplainedClause:
    """A clause as it is written and in plain English.

    Parameters
    ----------
    clause, sentence : str
        The clause as it is written, and its sentence in plain English.
    inside : tuple of Said
        Explanations of the clauses in a draft.
    """

    clause: str
    sentence: str
    inside: tuple[ExplainedClause, ...]

    @property
    def lines(self) -> Iterator[str]:
        """The English sentence of the clause, then those of the clauses that it drafts, indented."""
        yield self.sentence
        for explained in self.inside:
            yield from (f"  {line}" for line in explained.lines)


@frozen(eq=False)
class Explanation(DisplayedAlike):
    """Clauses in plain English, one sentence per clause; `explain` makes it."""

    clauses: tuple[ExplainedClause, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """The English sentences of all clauses, in order, those of drafted clauses included."""
        return tuple(line for explained in self.clauses for line in explained.lines)


@explain_argument_errors
def explain(law: str | Change | LibraryRule | Rule) -> Explanation:
    """Explain clauses in plain English sentences, so their author can check the meaning.

    Nothing is checked against a game. `Game.review` checks what other rules count and whether a clause may be proposed.

    Parameters
    ----------
    law : str or Change or LibraryRule or Rule
        Clauses, one per line, or an object that has them: a rule change, a ready-made rule, or a rule of a game.

    Returns
    -------
    Explanation
        The explanation, shown as one sentence for each clause; ``.sentences`` has the sentences only. Empty if there
        are no clauses.

    Raises
    ------
    LawError
        A clause cannot be read, or names something that does not exist.
    TypeError
        The object does not have clauses.

    Examples
    --------
    >>> explain("set throw.points to 0 while face == 6").sentences
    ('A roll earns 0 points if the number rolled is 6.',)
    """
    if isinstance(law, Change):
        parts = [change.law for change in (law.parts or (law,)) if change.law]
        return Explanation(tuple(explained for part in parts for explained in explain_clauses(part)))
    if not isinstance(law, str | LibraryRule | Rule):
        raise WrongArgument(
            "cannot-be-explained",
            "this can’t be explained. Give the text of clauses, a rule change, a rule or a ready-made rule",
        )
    return Explanation(explain_clauses(law if isinstance(law, str) else law.law))


@lru_cache(maxsize=1024)
def explain_clauses(law: str) -> tuple[ExplainedClause, ...]:
    """Return the clauses of a text in the law language, each with its English sentence."""
    lines = language().read_clauses(law)
    reader = _ClauseExplainer(_tables_in_clauses([law_line.clause for law_line in lines]))
    explaineds = []
    for line in lines:
        try:
            explaineds.append(reader.explain(line.clause))
        except LawError as error:
            error.line, error.text = line.line, line.source
            raise
    return tuple(explaineds)


def _tables_in_clauses(clauses: Sequence[Clause]) -> Mapping[str, TableShape]:
    """Return the keys and kinds of values of the tables that clauses track or use, by name of the table."""
    bodies = [
        inner_clause
        for clause in clauses
        for inner_clause in (clause.body if isinstance(clause, DraftClause) else (clause,))
    ]
    known = {"", *(name for _, name in language().vocabulary.fields)}
    found = dict.fromkeys(
        (node.field for clause in bodies for node in clause.walk() if node.field not in known), COUNTER_SHAPE
    )
    for clause in bodies:
        loops = [(node.text, node.parts[1]) for node in clause.walk() if node.loop]
        if isinstance(clause, TriggerClause) and clause.each is not None and clause.among is not None:
            loops.append((clause.each, clause.among.node))
        for name, many in loops:
            read = {
                node.field
                for node in clause.walk()
                if node.field in known and node.field and node.parts[0].name == name
            }
            records = language().vocabulary.records.items()
            kinds = [kind for kind, record in records if read <= {one.name for one in record.fields}]
            if many.kind == "keys" and read and len(kinds) == 1:
                found[many.text] = TableShape((kinds[0],), NUMBER)
    return found | table_shapes(bodies)


def act_phrase(action: str) -> str:
    """Return what players do, after “may”, for an action or the key of its permission."""
    name = action.removeprefix("may.")
    known = language().vocabulary.actions.get(name)
    return str(reading_table("acts").get(name) or (known.meaning if known else name))


def movement_of_several(notation: str) -> str:
    """Return how several pieces with this Betza notation move, to follow their name.

    Examples
    --------
    >>> movement_of_several("NW")
    'leap 2 squares one way and 1 across (as a knight); or step 1 square orthogonally'
    """
    moves = movement_sentences.sentence(notation).rstrip(".")
    return re.sub(r"\b(step|leap|slide|castle)s\b", r"\1", f"{moves[0].lower()}{moves[1:]}")


def _moment_phrase(clause: TriggerClause) -> tuple[str, list[Node]]:
    """Return when a trigger acts, and the conditions that this does not say already."""
    head, left = str(reading_table("moments").get(clause.event, "")), []
    for part in clause.condition.node.conjuncts if clause.condition is not None else ():
        name, text = name_and_text(part)
        if is_always_so(part):
            continue
        if clause.event == "thrown" and clause.each is None and is_somebody(part):
            head = "whenever a player rolls dice"
        elif clause.each is not None and clause.each in (name, "rule"):
            left.append(part)  # it is about an item of the loop, whatever its name means elsewhere
        elif head.startswith("whenever a rule ") and part.is_comparison_of("rule", "this"):
            head = head.replace("whenever a rule", "when this rule")
        elif name == "part" and "a part of a turn" in head:
            head = head.replace("a part of a turn", f"the {quote_text(text)} part of a turn")
        elif name and (clause.event, name) in _NAMED_MOMENTS:
            head = _NAMED_MOMENTS[clause.event, name].format(quote_text(text))
        else:
            left.append(part)
    return head, left


def _add_conditions(head: str, conditions: Sequence[Node], words: ExpressionPhrases) -> str:
    """Return when something happens, with conditions: after “and”, or after “if” where that would be unclear."""
    if not conditions:
        return head
    sentences = [words.truth_sentence(part) for part in conditions]
    plain = all(part.connective != "or" for part in conditions) and len(sentences) < 2
    if (
        plain
        and "," not in head
        and " and " not in head
        and head.startswith("when")
        and not any(re.search("^for |[,(]", one) for one in sentences)
    ):
        return join_words([head, *sentences])
    return f"{head}, if {words.all_true_sentence(conditions)}"


def _beginnings_of_templates(key: str) -> list[str]:
    """Return what comes before the value in the templates for a term."""
    template = reading_table("sentences").get(key, "")
    templates = [template] if isinstance(template, str) else template.values()
    return [one.partition("{value}")[0] for one in templates if "{value}" in one]


def _fill_template(key: str, value: Node, words: ExpressionPhrases) -> str:
    """Return the sentence that the template of a term makes with a value; one by kinds of value takes what fits it."""
    template: str | Mapping[str, str] = reading_table("sentences")[key]
    sentence = words.value_phrase(value)
    if key in reading_table("in_order")["terms"]:
        sentence = sentence.replace("those without this clause and also ", "those without this clause and then ", 1)
    templates = {"*": template} if isinstance(template, str) else template
    if "pieces" in templates and value.list_items and (pieces := _piece_names(value.list_items, templates["pieces"])):
        return templates["pieces"].format(pieces=pieces, piece=pieces)
    number = value.value if value.negated_node is None else value.negated_node.value
    if value.negated_node is not None and isinstance(number, int | Fraction):
        number = -number
    kinds = ["*"]
    if isinstance(number, int | Fraction) and not isinstance(number, bool):
        kinds = ["number", "*"]
        if number < 0 and "negative" in templates:
            kinds, sentence = ["negative"], number_text(-number)
    elif value.list_items == () or (value.is_constant and value.value is None):
        kinds = ["nobody", "*"]
    elif value.list_items is not None and len(value.list_items) == 1:
        kinds = ["one", "*"]
    elif value.function in reading_table("functions") or re.match(r"\d+/\d+ of", sentence):
        kinds = ["call", "*"]
    elif re.fullmatch(r"\d+/\d+", sentence):
        kinds = ["share", "*"]
    elif sentence.startswith(("the ", "all ")) and " is " not in sentence and "list" in templates:
        kinds = ["list" if re.match(r"(the|all) [\w ]*s\b", sentence) else "*"]
    chosen = next(templates[kind] for kind in kinds if kind in templates)
    return chosen.format(value=sentence).replace("(s)", "" if sentence == "1" else "s")


def _piece_names(kinds: Sequence[Node], template: str) -> str:
    """Return kinds of pieces by their names, as in “rooks and knights” or “a rook or a knight”; empty for others."""
    known = reading_table("pieces_named" if "{piece}" in template else "pieces")
    names = [known.get(str(kind.value), "") for kind in kinds]
    return join_words(names, "or" if "{piece}" in template else "and") if all(names) else ""


def _known_filling(name: str, node: Node, words: ExpressionPhrases) -> str:
    """Return what fills the place for dice, their sides, a step or a kind of piece, in words; empty for others."""
    value = words.value_phrase(node)
    if name == "dice":
        return "a die" if node.value == 1 else f"{value} dice"
    if name == "sides":
        counted = node.function == "count" or node.loop == "count"
        many = value.replace("the number of ", "there are ", 1) if counted else value
        several = f"{value} sides" if node.is_constant else f"as many sides as {many}"
        return "the usual number of sides" if node.key == "dice.sides" else several
    if name == "step" and node.list_items is not None and len(node.list_items) == 2:
        files, ranks = map(words.value_phrase, node.list_items)
        return f"{files} file{'' if files == '1' else 's'} and {ranks} rank{'' if ranks == '1' else 's'}"
    return str(reading_table("pieces_named").get(str(node.value), "")) if name == "kind" else ""


def ban_condition_phrase(clause: Clause, player: str) -> str:
    """Return in words when a ban on proposing binds a player, whatever is proposed; empty if always.

    Examples
    --------
    >>> (line,) = language().read_clauses('forbid propose when change.kind == "repeal" and circuit < 9')
    >>> ban_condition_phrase(line.clause, "Ann")
    'the round number is less than 9'
    """
    if not isinstance(clause, SetClause) or clause.condition is None:
        return ""
    facts = language().vocabulary.facts.items()
    # What is about the change, what people are asked, and reasons.
    left_out = {"proposal", "for_people", "because", *(name for name, fact in facts if "proposal" in fact.needs)}
    left_out -= {"proponent"}
    parts = [
        part for part in clause.condition.node.conjuncts
        if not any(descendant.supposition or descendant.text in left_out for descendant in part.walk())
    ]  # fmt: skip
    words = _ClauseExplainer({}).term_and_phrases(clause)[1].with_names({}, proponent=player)
    return join_words([words.truth_sentence(part) for part in parts]) if parts else ""


class _ClauseExplainer:
    """Reads one clause back."""

    def __init__(self, tables: Mapping[str, TableShape]) -> None:
        self.vocabulary, self.tables, self.text = language().vocabulary, tables, ""

    def explain(self, clause: Clause) -> ExplainedClause:
        """Return a clause with its English sentence, and if it drafts a rule, with those of the drafted clauses."""
        inside = tuple(map(self.explain, clause.body)) if isinstance(clause, DraftClause) else ()
        return ExplainedClause(
            clause.words.partition("\n")[0] if inside else clause.words, self.make_sentence(clause), inside
        )

    def phrases_with(self, names: Case) -> ExpressionPhrases:
        """Return a writer of English phrases for expressions, which knows the variables in `names` and their types."""
        return ExpressionPhrases(self.vocabulary, self.tables, {"this": Type("rule"), **names})

    def make_sentence(self, clause: Clause) -> str:
        """Return a clause as an English sentence."""
        self.text = clause.words
        match clause:
            case PieceClause():
                sentence = self.piece_phrase(clause)
            case SetClause():
                sentence = self.set_phrase(clause)
            case IncorporateClause(name=name):
                sentence = f"the rules of {name} apply as long as this rule is in force"
            case RequireClause(condition=condition):
                requirement = self.phrases_with({}).truth_sentence(condition.node)
                must = re.sub("^there (is|are) ", "there must be ", requirement)
                sentence = f"after every rule change, {'this must be true: ' if must == requirement else ''}{must}"
            case TriggerClause():
                sentence = self.trigger_phrase(clause)
            case TrackClause():
                sentence = self.track_phrase(clause)
            case ClaimClause():
                sentence = self.claim_phrase(clause)
            case DraftClause(name=name, wording=wording):
                called = replace_underscores(name)
                sentence = (
                    f"effects can bring into force this draft, called {quote_text(called)}: {quote_text(wording)}"
                )
            case _:
                raise TypeError(f"there is no sentence for {type(clause).__name__}")
        for phrase in reading_table("bound").values():
            first, last, after = sentence.partition(phrase)
            words_of_phrase = phrase.split()
            if len(words_of_phrase) > 3 and (short := f"that {words_of_phrase[1]}") not in sentence:
                sentence = first + last + after.replace(phrase, short)
        sentence = sentence.replace(*_UNPAID, 1).replace(_UNPAID[0], "")
        sentence = re.sub(r"\b(at least one|each) their (\w+)", r"\1 of their \2s", sentence)
        return full_sentence(sentence) if sentence[-2:] not in (".”", "?”", "!”") else upper_first(sentence)

    def term_and_phrases(self, clause: SetClause | ClaimClause) -> tuple[Key, ExpressionPhrases]:
        """Return the term that a clause is on, and a phrase writer that knows the variables on which it can depend."""
        name = clause.key or ""
        key = self.vocabulary.keys.get(name)
        if key is None:
            raise LawError(unknown_key_message(name), found=name, text=clause.words)
        words = self.phrases_with({**key.case, **key.may_know})
        return key, words.with_names({}, **reading_table("bound_on").get(name, {}))

    # ------------------------------------------------------------------------------------- what is so

    def set_phrase(self, clause: SetClause) -> str:
        """Return a `set`, `allow` or `forbid` clause in words."""
        key, words = self.term_and_phrases(clause)
        if clause.key.startswith("may."):
            return self.permission_phrase(clause, words)
        sentence = self.term_phrase(key, clause.value.node, words)
        fixed = key.type.name == "truth" or clause.value.node.is_constant
        if clause.condition is not None and takes_condition_first(sentence, fixed):
            when = self.condition_phrase("if ", clause.condition, words)
            mark = ":" if re.search(r"\bif\b", sentence) or re.search("[:;(,]", when) else ","
            return f"{when}{mark} {sentence}"
        return sentence + self.condition_phrase(" if ", clause.condition, words)

    def permission_phrase(self, clause: SetClause, words: ExpressionPhrases) -> str:
        """Return an `allow` or `forbid` clause in words."""
        if clause.key == "may.propose":
            words = words.with_names({}, change="it")
        act, allowed = act_phrase(clause.key), clause.value.node.value is True
        reasons, left = split_reasons(clause.condition)
        for part in left if clause.key == "may.propose" else ():
            if part.comparison in ("==", "!=") and part.parts[0].canonical == "change.tier" and part.parts[1].value:
                act += f" {'of' if part.comparison == '==' else 'outside'} the tier {words.value_phrase(part.parts[1])}"
                left = [other for other in left if other is not part]
                break
        who = next((part for part in left if who_acts(part, "==" if allowed else "!=") is not None), None)
        subject = "players" if allowed else "nobody"
        if who is not None and (allowed or len(left) == 1):
            left = [part for part in left if part is not who]
            named = words.value_phrase(who_acts(who, "==" if allowed else "!=") or who)
            subject = named if allowed else f"nobody but {named}"
        unless = not allowed and len(left) == 1 and left[0].kind == "not"
        left = [left[0].parts[0]] if unless else left
        general = words.with_names({}, player="they") if subject in ("players", "nobody") else words
        condition = general.all_true_sentence(left) if left else ""
        if re.search(r"\b(there is (a|no) they|they is (not )?none|place of they)\b", condition):
            condition = words.all_true_sentence(left)
        condition = re.sub(r"\bthey (is|has|was|does|controls)\b", verb_of_they, condition)
        condition = re.sub(r"\b(to|by|of|than|with|from|for|among|before|after) they\b", r"\1 them", condition)
        condition = re.sub(r"\b(is|are) not they\b", r"\1 another player", condition)
        when = f" {'unless' if unless else 'if'} {condition}" if left else ""
        return f"{subject} may {act}{when}{reasons_phrase(reasons)}"

    def term_phrase(self, key: Key, value: Node, words: ExpressionPhrases) -> str:
        """Return a phrase that a term of the law has a value, such as “the quota is 3”."""
        if value.parts_of_choice and (key.name in reading_table("sentences") or key.name in reading_table("choices")):
            first_value, condition, other = value.parts_of_choice
            when = words.truth_sentence(condition)
            one, another = (self.term_phrase(key, part, words) for part in (first_value, other))
            if other.parts_of_choice or takes_condition_first(one, first_value.is_constant):
                return f"if {when}, {one}; otherwise, {another}"
            begins = max(
                (one for one in _beginnings_of_templates(key.name) if another.startswith(one)), default="", key=len
            )
            if begins.strip() and one.startswith(begins):
                last = begins.split()[-1]
                another = (f"{last} " if last in ("to", "by", "at") else "") + another.removeprefix(begins)
            return f"{one} if {when}, otherwise {another}"
        if key.type.name == "truth":
            return self.truth_term_phrase(key, value, words)
        if value.is_constant and (choice := reading_table("choices").get(key.name, {}).get(value.value)):
            return str(choice)
        if key.name in reading_table("sentences"):
            itself = _fill_template(key.name, value, words.with_names({}, army="itself"))
            reflexive = itself.startswith("an army ") and not re.search("itself(’s| is| has)|of itself", itself)
            return itself if reflexive else _fill_template(key.name, value, words)
        topic = text_before_marks(key.meaning, ";:")
        first = topic.split(",")[0]
        sentence = words.value_phrase(value)
        people = key.type.item is not None and key.type.item.name == "player"
        if people or key.type.name == "player":
            sentence = re.sub(r"\bnone( at all)?$", "nobody", sentence)
        openings = ("whether ", "when ", "where ", "which ", "for how ", "how ", *(["who "] if people else []))
        if value.key and topic.startswith(openings):
            return f"{first} is the same as {sentence}"
        if key.type.name == "text" or topic.startswith(openings):
            named = topic if topic.startswith("whether ") else first
            return f"{named}: {sentence}"
        several = re.match(r"(those|the [\w ]*?(ranks|tiers|squares|kinds|armies|parts|voters))\b", first) is not None
        return f"{first} {'are' if several else 'is'} {sentence}"

    def truth_term_phrase(self, key: Key, value: Node, words: ExpressionPhrases) -> str:
        """Return a phrase for a term that is true or false."""
        plain = text_before_marks(key.meaning, ",;:").removeprefix("whether ")
        yes, no = reading_table("truths").get(key.name, (plain, negate(plain, False, "")))
        if value.is_constant:
            return str(yes if value.value else no)
        if value.name == "otherwise":
            return f"whether {plain} is as it would be without this clause"
        return f"{yes} if, and only if, {words.truth_sentence(value)}"

    def piece_phrase(self, clause: PieceClause) -> str:
        """Return a clause on how a kind of piece moves in words."""
        _, words = self.term_and_phrases(clause)
        whose = f" of {words.value_phrase(clause.army.node)}" if clause.army else ""
        who = f"{reading_table('pieces').get(clause.kind, f'pieces of kind {clause.kind}')}{whose}"
        node = clause.value.node
        adds = node.arithmetic == "+" and node.parts[0].name == "otherwise"
        notation = (node.parts[1] if adds else node).value
        if isinstance(notation, str):
            sentence = f"{who} {'may also' if adds else 'now'} {movement_of_several(notation)}"
        else:
            sentence = f"{who} move as {words.value_phrase(node)}, in Betza notation"
        when = self.condition_phrase("if ", clause.given, words)
        if when and re.search(";|,| or ", sentence):  # at its end, it could belong to only one of several moves
            return f"{when}: {sentence}"
        return sentence + (f", {when}" if when else "")

    @staticmethod
    def condition_phrase(before: str, condition: Expression | None, words: ExpressionPhrases) -> str:
        """Return a condition in English after `before`, such as “, if ”; empty without a condition."""
        reasons, left = split_reasons(condition)
        return (f"{before}{words.all_true_sentence(left)}" if left else "") + reasons_phrase(reasons)

    def track_phrase(self, clause: TrackClause) -> str:
        """Return a `track` clause in words, such as “the game counts coins for each player”."""
        kinds = [key_kind for key_kind in clause.per if key_kind != "game"]
        words = self.phrases_with(table_shapes([clause])[clause.counter].names_in_start())
        kind = clause.holds or table_shape(clause).holds.name  # a start that is no number says what it holds
        holds = {"truth": "yes or no"}.get(kind, kind)
        each = f" for each {' and '.join(kinds)}" if kinds else ""
        empty = clause.start.node.value == ""
        start = "empty at first" if empty else f"starting from {words.value_phrase(clause.start.node)}"
        counter = counter_phrase(clause.counter)
        hidden = "; only its owner sees it" if clause.hidden else ""
        if kind == "number":
            counts = f"keeps a number called {counter}" if counter.startswith("“") else f"counts {counter}"
            return f"the game {counts}{each}, {start}{hidden}"
        what = holds if holds in ("yes or no", "text") else with_article(holds)
        counter = counter if counter.startswith("“") else quote_text(counter)
        return f"the game records {counter} ({what}){each}, {start}{hidden}"

    def claim_phrase(self, clause: ClaimClause) -> str:
        """Return a clause on precedence in words: which rule prevails over which."""
        over = (
            "every other rule" if clause.over is None
            else f"rule{'s' if len(clause.over) > 1 else ''} {join_words([str(number) for number in clause.over])}"
        )  # fmt: skip
        about = ""
        if clause.key:
            meaning = self.term_and_phrases(clause)[0].meaning
            named = reading_table("terms").get(clause.key)
            named = (not meaning.startswith("who ") and named) or text_before_marks(meaning, ",;:")
            about = (
                f" on whether players may {act_phrase(clause.key)}" if clause.key.startswith("may.") else f" on {named}"
            )
        return f"this rule {'takes precedence over' if clause.prevails else 'gives way to'} {over}{about}"

    # ----------------------------------------------------------------------------------- what is done

    def trigger_phrase(self, clause: TriggerClause) -> str:
        """Return a trigger or offer in words: when it happens, and its effects."""
        event = self.vocabulary.events.get(clause.event)
        if event is None:
            raise LawError(
                "event-unknown-to-the-law",
                "there is no event {event}",
                event=clause.event,
                found=clause.event,
                text=clause.words,
            )
        words = self.phrases_with({**event.binds, **event.may_bind})
        if isinstance(clause, WheneverClause):
            return self.whenever_phrase(clause, words)
        if isinstance(clause, OfferClause):
            among = words.value_phrase(clause.among.node) if clause.among else "every player"
            when = self.condition_phrase(" if ", clause.condition, words)
            return f"{among} may choose “{clause.name}”{when}: {self.effects_phrase(clause.effects, words)}"
        head, conditions = _moment_phrase(clause)
        head = head or f"when {text_before_marks(event.meaning, ';:(')}"
        if isinstance(clause, InsteadClause):
            head += f", instead of the usual result ({text_before_marks(event.usual, ',;:')})"
        if clause.each is not None and clause.among is not None:
            return self.trigger_for_each_phrase(clause, head, conditions, words)
        return with_effects(_add_conditions(head, conditions, words), self.effects_phrase(clause.effects, words))

    def whenever_phrase(self, clause: WheneverClause, words: ExpressionPhrases) -> str:
        """Return a `whenever` clause in words: for whom, its condition, and its effects."""
        head = "each time it becomes true that "
        if clause.each is not None and clause.among is not None:
            head = f"for {words.each_item_phrase(clause.among.node)}, {head}"
            words = words.with_item_name(clause.each, clause.among.node)
        _, conditions = split_reasons(clause.condition)
        return with_effects(head + words.all_true_sentence(conditions), self.effects_phrase(clause.effects, words))

    def trigger_for_each_phrase(
        self, clause: TriggerClause, head: str, conditions: Sequence[Node], words: ExpressionPhrases
    ) -> str:
        """Return a trigger in words that acts for each item of a list; its moment is said by `head`."""
        if clause.each is None or clause.among is None:
            return head
        each, inner = words.each_item_phrase(clause.among.node), words.with_item_name(clause.each, clause.among.node)
        called, done = inner.called[clause.each], self.effects_phrase(clause.effects, inner)
        about = [part for part in conditions if any(node.name == clause.each for node in part.walk())]
        limit = inner.limit_phrase([(part, True) for part in about], called, single=True)
        if " where " in limit or not each.startswith("each ") or each.startswith("each of"):
            about, limit = [], ""
        limit = limited(each, limit).removeprefix(each)
        others = [part for part in conditions if not any(part is one for one in about)]
        if (
            len(clause.effects) == 1
            and (spread := spread_over_each(done, called, each + limit))
            and not any(node.name == clause.each for part in others for node in part.walk())
        ):
            return with_effects(_add_conditions(head, others, inner), spread)
        one, asked = clause.among.node.list_items, inner.with_names({}, **{clause.each: each})
        told = asked.all_true_sentence(others) if one and len(one) == 1 and one[0].name and others else ""
        if told.count(each) == 1 and re.search(rf"\b{called}\b", done):  # so that “that player” is clear
            return with_effects(f"{head}, if {told}", done)
        head += f", for {each}{limit}" + (f", if {inner.all_true_sentence(others)}" if others else "")
        return with_effects(head, done)

    def effects_phrase(self, effects: Sequence[Effect], words: ExpressionPhrases) -> str:
        """Return effects in English as one text, one after another."""
        sentences, changed = list[str](), set[str]()
        for effect in effects:
            done, words = self.effect_phrase(effect, words)
            condition = getattr(effect, "condition", None) if effect.form.name == "when" else None
            if condition is not None and not changed.isdisjoint(condition.words):
                known = _FIRST_VERB.match(done)
                now = re.sub(r" (has|have)$|$", r" now \1", known[0], count=1).rstrip() if known else "if by now"
                done = f"then, {now}{done[known.end() if known else 2 :]}"
            sentences.append(done)
            changed |= {str(inner.counter) for inner in effect.with_nested_effects if "counted" in inner.form.makes}
        return join_effects(sentences, effects)

    def effect_phrase(self, effect: Effect, words: ExpressionPhrases) -> tuple[str, ExpressionPhrases]:
        """Return an effect in English, and a phrase writer that also knows the variable that the effect binds."""
        places = dict(effect.places)
        if "then" in places:
            return self.conditional_effect_phrase(places, words), words
        if "amount" in places and "payer" not in places and "who" in places:
            return self.award_phrase(effect, places, words), words
        read = reading_table("effects").get(effect.form.name)
        read = reading_table("amendment_repealed").get(kind_of_amendment(places)) or read
        roller = self.slot_phrase("by", effect, places, words) if "dice" in places else ""
        if drawn := self.item_drawn(places, words):
            filled = self.slot_phrase("sides", effect, places, words)
            words = words.with_names({places["name"]: NUMBER}, **drawn)
            rolled = f"{roller} rolls" if roller else "roll"
            return f"{rolled} a die with {filled}, to draw one of them by place", words
        alone = len(re.findall(r"\broll\b", self.text)) == 1
        if "dice" in places and alone and not {places["name"], "face"} & {*words.types}:
            rolled = "the number rolled" if places["dice"].node.value == 1 else "the total rolled"
            words = words.with_names({places["name"]: NUMBER}, **{places["name"]: rolled})
            places["name"] = rolled
        pattern = re.sub(r"\b(\w+)\|[\w|]+", r"\1", read or effect.form.aloud or effect.form.pattern)
        named = "name" in effect.form.places and places["name"] not in ROLLED
        behind = self.name_chosen(effect, places, words) if named else words

        def whole(match: re.Match[str]) -> str:
            inside = re.search(r"\{(\w+)\}", match[1])
            return match[1] if inside is None or places.get(inside[1]) is not None else ""

        pattern = re.sub(r"\[([^\]]*)\]", whole, pattern)
        filled = re.sub(r"\{(\w+)\}", lambda match: self.slot_phrase(match[1], effect, places, words), pattern)
        filled = re.sub(r"\s+([;,)])", r"\1", re.sub(r"\s+", " ", filled)).strip()
        filled = re.sub(" to get the (number|total) rolled", "", filled)
        filled = f"{roller} rolls{filled.removeprefix('roll')}" if roller else filled
        if "dice" in places and places["dice"].node.value != 1:
            filled = filled.replace(" to get the ", " to get the total, the ")
        filled = re.sub(r"^after ([^:;(]*): (?!.* (?:who|that|whose) )([^:;(]*)$", r"\2 after \1", filled)
        free = re.search(r"choose (an answer|the [\w ]+) from any text asking (“[^”]*”)", filled)
        if free is not None:
            later = "" if free[1] == "an answer" else f" ({free[1]})"
            filled = filled.replace(free[0], f"answer {free[2]} in any words{later}")
        return filled, behind

    def item_drawn(self, places: FilledPlaces, words: ExpressionPhrases) -> dict[str, str]:
        """Return what to call the item of a list that a die only serves to draw, by its canonical text; else nothing.

        The die has as many sides as the list has items, and what it shows is only used as a place in that list.
        """
        sides = places["sides"].node if "dice" in places and places["dice"].node.value == 1 else None
        if sides is None or sides.function != "count" or not (kind := words.item_type(sides.parts[0])):
            return {}
        item, name = f"item({sides.parts[0].canonical}, {places['name']})", places["name"]
        used = re.sub(r"\s", "", self.text).count(re.sub(r"\s", "", item))
        listed = re.match("the (move|kind)s ", words.value_phrase(sides.parts[0]))
        called = f"the {listed[1] if listed else kind.name} drawn"
        only_there = used and len(re.findall(rf"\b{name}\b", self.text)) == used + 1
        clear = (listed or kind.name != "text") and called not in words.called.values()
        return {item: called} if only_there and clear else {}

    def name_chosen(self, effect: Effect, places: dict[str, Any], words: ExpressionPhrases) -> ExpressionPhrases:
        """Return a phrase writer that knows what an effect lets somebody choose, or finds out; mark its place so."""
        name, bound = places["name"], self.bound_variable_type(places, words)
        options = places.get("options")
        listed = (
            re.match("the (move|kind)s ", words.value_phrase(options.node)) if isinstance(options, Expression) else None
        )
        kinds = {"text": listed[1] if listed else "answer", "any": "answer"}
        free = options is not None and not isinstance(options, Expression)
        chosen = f"the chosen {'answer' if free else kinds.get(bound.name, bound.name)}"
        known = chosen in words.called.values()  # of two that were chosen, each needs its name
        several = bool(places.get("some"))
        if known or several or "options" not in effect.form.places or bound.name in ("list", "truth"):
            return words.with_names({name: bound})
        places["name"] = chosen
        return words.with_names({name: bound}, **{name: chosen})

    def award_phrase(self, effect: Effect, places: FilledPlaces, words: ExpressionPhrases) -> str:
        """Return who gains or loses how much, in words."""
        amount, who = self.amount_phrase(places, words), self.slot_phrase("who", effect, places, words)
        negated = places["amount"].node.negated_node
        if not who:
            way, value = "falls" if negated else "rises", words.value_phrase(negated or places["amount"].node)
            return f"{self.slot_phrase('cell', effect, places, words)} {way} by {value}"
        loses = amount.startswith("−")
        if negated is not None and not negated.is_constant:
            loses, amount = True, f"{counter_phrase(places['counter'])} equal to {words.value_phrase(negated)}"
        kind = words.type_of(places["who"].node)
        return (
            f"{each_person(who, kind, places['who'].node)} {'loses' if loses else 'gains'} {amount.removeprefix('−')}"
        )

    @staticmethod
    def bound_variable_type(places: FilledPlaces, words: ExpressionPhrases) -> Type:
        """Return the type of the variable that an effect binds: the type of its options, or number."""
        options, value = places.get("options"), places.get("value")
        if isinstance(value, Expression):
            return words.type_of(value.node) or NUMBER
        return (words.item_type(options.node) if isinstance(options, Expression) else None) or NUMBER

    def conditional_effect_phrase(self, places: FilledPlaces, words: ExpressionPhrases) -> str:
        """Return in English an effect that is done on a condition, or for each item of a list."""
        if "among" in places:
            each = words.each_item_phrase(places["among"].node)
            words = words.with_item_name(places["name"], places["among"].node)
            head = f"for {each_with_name(each, words.called[places['name']])}"
            done = self.effect_phrase(places["then"], words)[0]
            plain = places["condition"] is None and each.startswith("each ")
            if plain and (spread := spread_over_each(done, words.called[places["name"]], each)):
                return spread
            about = places["condition"].node.conjuncts if places["condition"] else ()
            called = words.called[places["name"]]
            limit = words.limit_phrase([(part, True) for part in about], called, single=True)
            if limit.startswith(" other than ") and each.startswith("each ") and called == "that player":
                each = limited(each, limit)
                done = self.effect_phrase(places["then"], words)[0]
                return spread_over_each(done, called, each) or with_effects(f"for {each}", done)
            head += self.condition_phrase(", if ", places["condition"], words)
        else:
            head = f"if {words.truth_sentence(places['condition'].node)}"
            head = head.replace("that player is not the player", "that player is somebody else")
        return with_effects(head, self.effect_phrase(places["then"], words)[0])

    def slot_phrase(self, name: str, effect: Effect, places: FilledPlaces, words: ExpressionPhrases) -> str:
        """Return in English what fills the slot of a given name in an effect; empty for nothing."""
        filling = places.get(name)
        if name == "amount":
            return self.amount_phrase(places, words)
        if name == "cell" and "counter" in places:
            keys, owner = self.keys_phrase(places, words), places.get("who")
            counter = counter_phrase(places["counter"]) + keys
            counter = counter if keys or owner else quote_text(counter.strip("“”"))
            return possessive(words.value_phrase(owner.node), counter) if isinstance(owner, Expression) else counter
        if isinstance(filling, Expression) and (known := _known_filling(name, filling.node, words)):
            return known
        if name == "span":
            return self.time_span_phrase(places, words)
        match filling:
            case None:
                return ""
            case Expression(node=node):
                sentence = words.value_phrase(node)
                if "payer" in places:
                    sentence = each_person(sentence, words.type_of(node), node)
                return f"({sentence})" if node.parts_of_choice or " where " in sentence else sentence
            case Effect():
                return self.effect_phrase(filling, words)[0]
            case tuple():
                return self.effects_phrase(filling, words)
            case bool():
                return str(getattr(effect.form.places[name], "words", "")).strip() if filling else ""
        if name in ("action", "other"):
            meaning = act_phrase(str(filling)) if filling else ""
            return f"or {meaning}" if filling and name == "other" else meaning
        if name == "name":
            if filling in ROLLED:
                return str(filling)
            kind = filling.removeprefix("the chosen ")
            return with_article(kind) if kind != filling else the_named(filling)
        return quote_text(filling) if name == "text" else replace_underscores(str(filling))

    @staticmethod
    def keys_phrase(places: FilledPlaces, words: ExpressionPhrases) -> str:
        """Return “ for” and in English the keys of the table entry that an effect means; empty without keys."""
        return (
            f" for {join_words([words.value_phrase(place.node) for place in places['keys']])}" if places["keys"] else ""
        )

    def amount_phrase(self, places: FilledPlaces, words: ExpressionPhrases) -> str:
        """Return how much of a counter is awarded or paid, in words."""
        node, counter = places["amount"].node, counter_phrase(places["counter"])
        key = self.keys_phrase(places, words)
        value = -node.negated_node.value if node.negated_node and node.negated_node.is_constant else node.value
        if isinstance(value, int):
            return f"{number_text(value)} {counter_named(counter, value)}{key}"
        if node.key.endswith(f".{places['counter']}"):
            return words.value_phrase(node)
        return f"{counter}{key} equal to {words.value_phrase(node)}"

    def time_span_phrase(self, places: FilledPlaces, words: ExpressionPhrases) -> str:
        """Return a time span in words, with what is done if nobody answers in time."""
        if places["span"] is None:
            return ""
        node, late, unit = places["span"].node, places.get("otherwise"), str(places["unit"])
        value = words.value_phrase(node)
        known = isinstance(node.value, int)
        much = f"{value} {counter_named(unit, node.value)}" if known else f"as many {unit} as {value}"
        return much + (f" (or else: {self.effect_phrase(late, words)[0]})" if isinstance(late, Effect) else "")
