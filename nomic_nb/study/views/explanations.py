"""Clauses read back as plain English sentences: what the machine understood, for whoever wrote them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nomic_nb.engine.arguments import explain_argument_errors
from nomic_nb.engine.display import DisplayedAlike
from nomic_nb.engine.errors import LawError, WrongArgument
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.clauses import (
    ClaimClause,
    Clause,
    DraftClause,
    IncorporateClause,
    InsteadClause,
    OfferClause,
    PieceClause,
    RequireClause,
    SetClause,
    TrackClause,
    TriggerClause,
)
from nomic_nb.engine.law.forms import Effect
from nomic_nb.engine.law.nodes import Expression, Node
from nomic_nb.engine.law.rules import Rule
from nomic_nb.engine.law.tables import TableShape, table_shape, tracked_tables
from nomic_nb.engine.law.types import unknown_key_message
from nomic_nb.engine.law.values import NUMBER, Type, with_article
from nomic_nb.engine.law.vocabulary import Case, Key
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.words import counter_named, full_sentence, join_words, number_text, upper_first
from nomic_nb.study.library.ready_made import LibraryRule
from nomic_nb.study.views.phrases import ExpressionPhrases, quote_text, text_before, with_spaces

#: The places of an effect, filled.
FilledPlaces = Mapping[str, Any]
#: Of what is not known here, every rule that speaks of it knows that it is a number that each player has.
COUNTER_SHAPE = TableShape(("player",), NUMBER)


@frozen
class ExplainedClause:
    """A clause as it is written, and in plain English.

    Parameters
    ----------
    clause, sentence : str
        The two.
    inside : tuple of Said
        What the clauses of a draft say.
    """

    clause: str
    sentence: str
    inside: tuple[ExplainedClause, ...]

    @property
    def lines(self) -> Iterator[str]:
        """The sentence, and those of what is inside."""
        yield self.sentence
        for one in self.inside:
            yield from (f"  {line}" for line in one.lines)


@frozen(eq=False)
class Explanation(DisplayedAlike):
    """Clauses read back, each as a sentence; `explain` makes it."""

    clauses: tuple[ExplainedClause, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """The sentences, in order."""
        return tuple(line for one in self.clauses for line in one.lines)


@explain_argument_errors
def explain(law: str | Change | LibraryRule | Rule) -> Explanation:
    """Read clauses back as plain English sentences, so that their writer sees what the game understood.

    Nothing is checked against a game: what is counted by other rules, or whether a clause may be proposed, is the
    matter of `Game.review`.

    Parameters
    ----------
    law : str or Change or LibraryRule or Rule
        The clauses, one a line, or what has them: a rule-change, a ready-made rule, a rule of a game.

    Returns
    -------
    Explained
        Shows a sentence for each clause; ``.sentences`` are they alone. None where there are no clauses.

    Raises
    ------
    LawError
        A clause cannot be read, or speaks of what there is not.
    TypeError
        It is nothing that has clauses.

    Examples
    --------
    >>> explain("set throw.points to 0 while face == 6").sentences
    ('What a throw brings is 0, while the face is 6.',)
    """
    if isinstance(law, Change):
        parts = [one.law for one in (law.parts or (law,)) if one.law]
        return Explanation(tuple(said for one in parts for said in _read_law(one)))
    if not isinstance(law, str | LibraryRule | Rule):
        raise WrongArgument(
            say(
                "cannot-be-explained",
                "what can be explained is the text of clauses, a rule-change, a ready-made rule, or a rule",
            )
        )
    return Explanation(_read_law(law if isinstance(law, str) else law.law))


def _read_law(law: str) -> tuple[ExplainedClause, ...]:
    lines = language().read(law)
    reader = _ClauseExplainer(_mentioned_tables([one.clause for one in lines]))
    found = []
    for line in lines:
        try:
            found.append(reader.said(line.clause))
        except LawError as error:
            error.line, error.text = line.line, line.source
            raise
    return tuple(found)


def _mentioned_tables(clauses: Sequence[Clause]) -> Mapping[str, TableShape]:
    """Return the tables that clauses speak of: those that they track, and what they take for a counter of a player."""
    bodies = [one for clause in clauses for one in (clause.body if isinstance(clause, DraftClause) else (clause,))]
    known = {"", *(name for _, name in language().vocabulary.fields)}
    found = dict.fromkeys(
        (node.field for one in bodies for node in one.walk() if node.field not in known), COUNTER_SHAPE
    )
    return found | tracked_tables(bodies)


def describe_ban(clause: Clause, player: str) -> str:
    """Return what a clause that forbids a player to propose says of the game, apart from the change; empty for nothing.

    Examples
    --------
    >>> (line,) = language().read('forbid propose when change.kind == "repeal" and circuit < 9')
    >>> describe_ban(line.clause, "Ann")
    'the circuit under way is below 9'
    """
    if not isinstance(clause, SetClause) or clause.condition is None:
        return ""
    facts = language().vocabulary.facts.items()
    # What is about the change, what people are asked, and reasons.
    left_out = {"proposal", "for_people", "because", *(name for name, one in facts if "proposal" in one.needs)}
    left_out -= {"proponent"}
    parts = [
        part for part in clause.condition.node.conjuncts
        if not any(one.supposition or one.text in left_out for one in part.walk())
    ]  # fmt: skip
    words = _ClauseExplainer({}).key(clause)[1].plus({}, proponent=player)
    return join_words([words.holds(part) for part in parts]) if parts else ""


class _ClauseExplainer:
    """Reads one clause back."""

    def __init__(self, tables: Mapping[str, TableShape]) -> None:
        self.vocabulary, self.tables = language().vocabulary, tables

    def said(self, clause: Clause) -> ExplainedClause:
        """Return a clause, and what it says."""
        inside = tuple(map(self.said, clause.body)) if isinstance(clause, DraftClause) else ()
        return ExplainedClause(
            clause.words.partition("\n")[0] if inside else clause.words, self.sentence(clause), inside
        )

    def phrases(self, names: Case) -> ExpressionPhrases:
        """Return the words of expressions where some names are bound."""
        return ExpressionPhrases(self.vocabulary, self.tables, {"this": Type("rule"), **names})

    def sentence(self, clause: Clause) -> str:
        """Return what a clause says."""
        match clause:
            case PieceClause():
                said = self.piece(clause)
            case SetClause():
                said = self.set(clause)
            case IncorporateClause(name=name):
                said = f"the rules of {name} are in force as long as this rule is"
            case RequireClause(condition=condition):
                said = f"after every change of the rules this must hold: {self.phrases({}).holds(condition.node)}"
            case TriggerClause():
                said = self.on(clause)
            case TrackClause():
                said = self.track(clause)
            case ClaimClause():
                said = self.claim(clause)
            case DraftClause(name=name, wording=wording):
                said = f"a draft, called {with_spaces(name)}, which effects can put in force: {quote_text(wording)}"
            case _:
                raise TypeError(f"there is no sentence for {type(clause).__name__}")
        return full_sentence(said) if said[-2:] not in (".”", "?”", "!”") else upper_first(said)

    def key(self, clause: SetClause | ClaimClause) -> tuple[Key, ExpressionPhrases]:
        """Return the term that a clause is about, and the words of expressions in its case."""
        name = clause.key or ""
        key = self.vocabulary.keys.get(name)
        if key is None:
            raise LawError(unknown_key_message(name), found=name, text=clause.words)
        return key, self.phrases({**key.case, **key.may_know})

    # ------------------------------------------------------------------------------------- what is so

    def set(self, clause: SetClause) -> str:
        """Return what a clause says of a term, or of what is allowed."""
        key, words = self.key(clause)
        if clause.key.startswith("may."):
            act = self.vocabulary.actions[clause.key.removeprefix("may.")].meaning
            allowed = clause.value.node.value is True
            when = self.condition(", if ", clause.condition, words)
            return f"it is {'allowed' if allowed else 'forbidden'} to {act}{when}"
        return self.term(key, clause.value.node, words) + self.condition(", while ", clause.condition, words)

    def term(self, key: Key, value: Node, words: ExpressionPhrases) -> str:
        """Return what a clause says of a term."""
        topic = text_before(key.meaning, ";:")
        first = topic.split(",")[0]
        if key.type.name == "truth":
            said = first.removeprefix("whether ")
            if value.is_constant:
                return said if value.value else f"it is not so that {said}"
            if value.name == "otherwise":
                return f"whether {said}: as it would be without this clause"
            return f"{said} exactly if {words.holds(value)}"
        said = words.value(value)
        people = key.type.item is not None and key.type.item.name == "player"
        if people or key.type.name == "player":
            said = re.sub(r"\bnone( at all)?$", "nobody", said)
        begins = ("whether ", "when ", "where ", "which ", "for how ", "how ", *(["who "] if people else []))
        if key.type.name == "text" or topic.startswith(begins):
            named = topic if topic.startswith("whether ") else first
            return f"{named}: {said}"
        several = re.match(r"(those|the [\w ]*?(ranks|tiers|squares|kinds|armies|parts|voters))\b", first) is not None
        return f"{first} {'are' if several else 'is'} {said}"

    def piece(self, clause: PieceClause) -> str:
        """Return how a kind of piece moves."""
        _, words = self.key(clause)
        whose = f" of {words.value(clause.army.node)}" if clause.army else ""
        said = f"a piece of the kind {clause.kind}{whose} moves as {words.value(clause.value.node)} in Betza notation"
        return said + self.condition(", while ", clause.given, words)

    @staticmethod
    def condition(before: str, condition: Expression | None, words: ExpressionPhrases) -> str:
        """Return a condition behind the word for it; nothing where there is none."""
        return f"{before}{words.holds(condition.node)}" if condition is not None else ""

    def track(self, clause: TrackClause) -> str:
        """Return what is kept, for what, and where it begins."""
        kinds = [one for one in clause.per if one != "game"]
        words = self.phrases(tracked_tables([clause])[clause.counter].bound())
        kind = clause.holds or table_shape(clause).holds.name  # a start that is no number says what it holds
        holds = {"truth": "yes or no"}.get(kind, kind)
        each = f"for each {' and '.join(kinds)}" if kinds else "for the game as a whole"
        start = words.value(clause.start.node)
        counter = with_spaces(clause.counter)
        named = f"{counter} {'are' if counter_named(counter, 1) != counter else 'is'}"
        hidden = "; only whoever it belongs to sees it" if clause.hidden else ""
        what = holds if holds == "yes or no" else with_article(holds)
        return f"{each}, {named} kept: {what}, {start} at the beginning{hidden}"

    def claim(self, clause: ClaimClause) -> str:
        """Return which rule goes before which."""
        over = (
            "every other rule" if clause.over is None
            else f"rule{'s' if len(clause.over) > 1 else ''} {join_words([str(one) for one in clause.over])}"
        )  # fmt: skip
        about = ""
        if clause.key:
            meaning = self.key(clause)[0].meaning
            act = self.vocabulary.actions.get(clause.key.removeprefix("may."))
            about = f" on whether it is allowed to {act.meaning}" if act else f" on {text_before(meaning, ',;:')}"
        return f"this rule {'goes before' if clause.prevails else 'gives way to'} {over}{about}"

    # ----------------------------------------------------------------------------------- what is done

    def on(self, clause: TriggerClause) -> str:
        """Return what is done when something happens, in place of it, or when an offer is taken."""
        event = self.vocabulary.events.get(clause.event)
        if event is None:
            raise LawError(
                say("event-unknown-to-the-law", "there is no event {event}", event=clause.event),
                found=clause.event,
                text=clause.words,
            )
        words = self.phrases({**event.binds, **event.may_bind})
        if isinstance(clause, OfferClause):
            among = words.value(clause.among.node) if clause.among else "every player"
            when = self.condition(", if ", clause.condition, words)
            return f"{among} may take “{clause.name}”{when}: {self.effects(clause.effects, words)}"
        head = f"when {text_before(event.meaning, ';:(')}"
        if isinstance(clause, InsteadClause):
            head += f", in place of what is usual then ({text_before(event.usual, ',;:')})"
        if clause.each is not None and clause.among is not None:
            head += f", for {words.every(clause.among.node)}"
            words = words.one_of(clause.each, clause.among.node)
        head += self.condition(", if ", clause.condition, words)
        return f"{head}: {self.effects(clause.effects, words)}"

    def effects(self, effects: Sequence[Effect], words: ExpressionPhrases) -> str:
        """Return what is done, one after another."""
        said = []
        for one in effects:
            done, words = self.effect(one, words)
            said.append(done)
        return "; ".join(said)

    def effect(self, effect: Effect, words: ExpressionPhrases) -> tuple[str, ExpressionPhrases]:
        """Return what an effect does, and the words behind it, where it names something."""
        places = dict(effect.places)
        if "then" in places:
            return self.held(places, words), words
        pattern = re.sub(r"\b(\w+)\|[\w|]+", r"\1", effect.form.aloud or effect.form.pattern)
        named = "name" in effect.form.places
        behind = words.plus({places["name"]: self.named(places, words)}) if named else words

        def whole(found: re.Match[str]) -> str:
            inside = re.search(r"\{(\w+)\}", found[1])
            return found[1] if inside is None or places.get(inside[1]) is not None else ""

        pattern = re.sub(r"\[([^\]]*)\]", whole, pattern)
        filled = re.sub(r"\{(\w+)\}", lambda found: self.place(found[1], effect, places, words), pattern)
        return re.sub(r"\s+([;,)])", r"\1", re.sub(r"\s+", " ", filled)).strip(), behind

    @staticmethod
    def named(places: FilledPlaces, words: ExpressionPhrases) -> Type:
        """Return the type of what an effect names: one of the options, or a number."""
        options = places.get("options")
        return (words.item(options.node) if isinstance(options, Expression) else None) or NUMBER

    def held(self, places: FilledPlaces, words: ExpressionPhrases) -> str:
        """Return what is done on a condition, or for each on a list."""
        if "among" in places:
            head = f"for {words.every(places['among'].node)}"
            words = words.one_of(places["name"], places["among"].node)
            head += self.condition(", if ", places["condition"], words)
        else:
            head = f"if {words.holds(places['condition'].node)}"
        return f"{head}: {self.effect(places['then'], words)[0]}"

    def place(self, name: str, effect: Effect, places: FilledPlaces, words: ExpressionPhrases) -> str:
        """Return what stands in a place of an effect."""
        found = places.get(name)
        if name == "amount":
            return self.amount(places, words)
        if name == "cell" and "counter" in places:
            return with_spaces(places["counter"]) + self.keys(places, words)
        if name == "span":
            return self.span(places, words)
        match found:
            case None:
                return ""
            case Expression(node=node):
                said = words.value(node)
                return f"({said})" if node.branches or " where " in said else said
            case Effect():
                return self.effect(found, words)[0]
            case tuple():
                return self.effects(found, words)
            case bool():
                return str(getattr(effect.form.places[name], "words", "")).strip() if found else ""
        if name in ("action", "other"):
            action = self.vocabulary.actions.get(str(found))
            meaning = action.meaning if action else str(found)
            return f"or {meaning}" if found and name == "other" else meaning
        if name == "name":
            return f"the {with_spaces(found)}"
        return quote_text(found) if name == "text" else with_spaces(str(found))

    @staticmethod
    def keys(places: FilledPlaces, words: ExpressionPhrases) -> str:
        """Return the keys of an entry; nothing where it has none."""
        return f" for {join_words([words.value(one.node) for one in places['keys']])}" if places["keys"] else ""

    def amount(self, places: FilledPlaces, words: ExpressionPhrases) -> str:
        """Return how much of what is awarded or paid."""
        node, counter = places["amount"].node, with_spaces(places["counter"])
        key = self.keys(places, words)
        value = -node.negated.value if node.negated and node.negated.is_constant else node.value
        if isinstance(value, int):
            return f"{number_text(value)} {counter_named(counter, value)}{key}"
        if node.key.endswith(f".{places['counter']}"):
            return words.value(node)
        return f"{counter}{key}, as many as {words.value(node)},"

    def span(self, places: FilledPlaces, words: ExpressionPhrases) -> str:
        """Return how long something takes, and what is done if nobody has answered by then."""
        if places["span"] is None:
            return ""
        node, late, unit = places["span"].node, places.get("otherwise"), str(places["unit"])
        much = f"{words.value(node)} {counter_named(unit, node.value) if isinstance(node.value, int) else unit}"
        return much + (f" (or else: {self.effect(late, words)[0]})" if isinstance(late, Effect) else "")
