"""Whether clauses are known to bear on all players alike, and to show within so many circuits what they come to.

Both are closed: a word is taken for one by which nobody is singled out, or nothing is put off, only where it is
declared with a trait that says so. What has none, people are asked about.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from math import lcm

from nomic_nb.chess.fairplay.traits import is_bound, is_known, possibly, surely
from nomic_nb.chess.play.records import MOVE_COUNT_KEYS, TERMS, acts_on_boards
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.forms import Effect, Form
from nomic_nb.engine.law.nodes import Expression, Node, walk_all
from nomic_nb.engine.law.traits import Trait, has
from nomic_nb.engine.law.vocabulary import Vocabulary
from nomic_nb.engine.play.state import State

#: Circuits to come in which it is looked at what there is, where that hangs on the time.
CIRCUITS_TO_COME = 10
#: Those of them that are gone through turn by turn, to see what rules do on the boards as time goes by.
CIRCUITS_AHEAD = 5
#: The terms on which it depends which moves there are, of a kind rather than of all.
SHOWING_KEYS = TERMS.union(("may.move", "move.forced"))
#: What shows what it comes to as things stand, unless it passes.
PRESENT_NAMES = Trait.SHOWN | Trait.MOVED | Trait.ALIKE | Trait.ON_TURN | Trait.NAMING


def find_singling_words(clauses: Iterable[c.Clause], state: State, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the words in clauses that could single somebody out, and what they mean: all but those known not to."""
    clauses = list(clauses)
    boards = (*state.position.armies, *state.position.boards) if state.position is not None else ()
    names = {*state.players, *boards}
    tables = tables_begun_by(clauses, state, vocabulary)
    chance = [
        one for one in clauses if {"roll", "remove"} == {two.name for two in _find_effect_forms(one) if not _says(two)}
    ]
    does = walk_all(two for one in chance for effect in one.every_effect() for two in effect.expressions)
    # What is reckoned now comes to the same then; of several, one may come and the other never.
    reckoned = len(chance) == 1 and not any(possibly(one, vocabulary, Trait.PASSING | Trait.ON_TURN) for one in does)
    for clause in clauses:
        forms = _find_effect_forms(clause)
        says = forms and all(map(_says, forms)) and not isinstance(clause, c.InsteadClause)
        if not (says or (reckoned and clause is chance[0])):
            for word in _ClauseReading(clause, vocabulary, names, tables).words():
                yield _describe_word(word, vocabulary)


def tables_begun_by(clauses: list[c.Clause], state: State, vocabulary: Vocabulary) -> set[str]:
    """Return the tables that begin with clauses, and in which nobody has anything that others have not, but by deeds.

    They begin with the same for all. What the clauses write there as time goes by hangs on nothing that comes once, nor
    on what is there already; or it is what they begin with.
    """
    starts = {one.counter: one.start.node for one in clauses if isinstance(one, c.TrackClause) and one.start.constant}
    begun = starts.keys() - state.tables.keys()
    passing = _find_triggers(clauses, vocabulary, c.OfferClause)
    alone = (one for one in passing if one.event != "counted")
    for clause in passing if any(_find_written_tables(one, starts) for one in alone) else []:
        if any(one.text in begun or possibly(one, vocabulary, Trait.PASSING) for one in _find_conditions(clause)):
            begun -= _find_written_tables(clause, starts)
    return begun


def _find_triggers(clauses: list[c.Clause], vocabulary: Vocabulary, *but: type) -> list[c.TriggerClause]:
    """Return the triggers, but for clauses of some kinds, that nothing which players do sets off by itself."""
    some = (one for one in clauses if isinstance(one, c.TriggerClause) and not isinstance(one, but))
    return [one for one in some if not has(vocabulary.events[one.event], Trait.DONE)]


def _find_written_tables(clause: c.TriggerClause, starts: Mapping[str, Node]) -> set[str]:
    """Return the tables in which a clause writes something else than what they begin with."""
    every = clause.every_effect()
    written = ((getattr(one, "counter", ""), getattr(one, "value", None)) for one in every)
    return {
        name for name, said in written if name in starts and getattr(said, "canonical", "") != starts[name].canonical
    }


def _find_conditions(clause: c.TriggerClause) -> Iterator[Node]:
    """Yield what a clause looks at, but for circuits that come round."""

    def into(node: Node) -> tuple[Node, ...]:
        counted = _period_of_comparison(node)
        return node.parts if counted is None or counted[0] == 1 else ()

    return (node for one in clause.expressions for node in one.node.walk(into) if node.word)


def _find_effect_forms(clause: c.Clause) -> list[Form]:
    return [one.form for one in clause.every_effect()]


def _says(form: Form) -> bool:
    return has(form, Trait.SAYING)


def names_bound_once(clause: c.Clause) -> frozenset[str]:
    """Return the names that a clause binds in one place alone: of any other it is open which of them is meant."""
    found = Counter(getattr(one, "name", None) for one in clause.every_effect())
    found[getattr(clause, "each", None)] += 1
    return frozenset(name for name, times in found.items() if isinstance(name, str) and times == 1)


def _describe_word(word: str, vocabulary: Vocabulary) -> str:
    """Return a word of a clause in quotation marks, with what it means where it is one of the language."""
    fields = (one for record in vocabulary.records.values() for one in record.fields if one.name == word)
    known = vocabulary.facts.get(word) or vocabulary.functions.get(word) or next(fields, None)
    return f"“{word}”" + (f", {re.split('[,;:(]', known.meaning)[0].strip()}" if known is not None else "")


class _ClauseReading:
    """A clause whose words are looked at, with what players, armies and boards are called, and tables that begin."""

    def __init__(self, clause: c.Clause, vocabulary: Vocabulary, names: Set[str], tables: Set[str]) -> None:
        self.clause, self.vocabulary, self.names, self.tables = clause, vocabulary, names, tables
        self.effects = list(clause.every_effect())
        self.bound = self._find_bound()
        #: Whether it is judged again and again, for one player or army after the other.
        self.each = not isinstance(clause, c.TriggerClause) or not self.bound.isdisjoint(("player", "army"))
        once = names_bound_once(clause)
        self.drawn = {
            one.name: _list_drawn_from(one) for one in self.effects if one.form.name == "roll" and one.name in once
        }

    def _find_bound(self) -> frozenset[str]:
        """Return the names that are bound where it is judged, but for those that it binds itself."""
        clause = self.clause
        if isinstance(clause, c.SetClause):
            key = self.vocabulary.keys[clause.key]
            return frozenset((*key.case, *key.may_know))
        if isinstance(clause, c.OfferClause) or not isinstance(clause, c.TriggerClause):
            return frozenset(("player",))
        event = self.vocabulary.events[clause.event]
        return frozenset((*event.binds, *event.may_bind))

    def words(self) -> Iterator[str]:
        """Yield the words that could single somebody out."""
        said = {id(two) for one in self.effects if _says(one.form) for two in one.expressions}
        for expression in self.clause.expressions:
            if id(expression) not in said:
                yield from self._is_unknown(expression.node)
        for effect in self.effects:
            yield from _find_driving_word(effect)

    def _is_unknown(self, node: Node) -> Iterator[str]:
        parts: Iterable[Node] = node.parts
        text = node.value if isinstance(node.value, str) else ""
        if text and (
            text.rpartition(".")[0] in self.names or (text in self.names and not isinstance(self.clause, c.SetClause))
        ):
            yield text  # what is set to a text means nobody by it
        elif node.arithmetic and not isinstance(self.clause, c.SetClause):  # put together, texts could be names
            yield from (one.value for one in parts if isinstance(one.value, str))
        elif node.function in ("item", "place"):
            if not self._is_order_irrelevant(*node.parts):
                yield node.text
        elif node.function == "square_at":  # the same square of another board is nobody's
            board, file, rank = node.parts
            same = file.canonical.rpartition(".")[0] == rank.canonical.rpartition(".")[0]
            if not same or (file.text, rank.text) != ("file", "rank"):
                yield node.text
            parts = (board, *file.parts)
        elif node.word and not self._is_known(node):
            yield node.word
        for one in parts:
            yield from self._is_unknown(one)

    def _is_order_irrelevant(self, listed: Node, at: Node) -> bool:
        """Tell whether it does not matter who is first on a list: it is written out, or all of it is drawn from."""
        written = listed.listed is not None and all(one.is_constant for one in listed.parts)
        return written or self.drawn.get(at.name) == listed.canonical

    def _is_known(self, node: Node) -> bool:
        """Tell whether all are meant by a word, or whoever it happens to be."""
        if is_bound(node, self.vocabulary) or node.name in self.bound:
            return True
        if possibly(node, self.vocabulary, Trait.ON_TURN):
            return self.each
        if node.key:
            return self.vocabulary.keys[node.key].local
        needs = self.vocabulary.facts[node.name].needs if node.name else ()
        if needs:
            return self.bound.issuperset(needs)
        return node.table in self.tables or surely(node, self.vocabulary, Trait.ALIKE)


def _list_drawn_from(roll: Effect) -> str:
    """Return the list out of which a throw of one die draws; empty where it draws out of none."""
    node = roll.sides.node
    one = roll.dice.node.value == 1 and node.function == "count" and len(node.parts) == 1
    return node.parts[0].canonical if one else ""


def _find_driving_word(effect: Effect) -> Iterator[str]:
    """Yield the word of an effect that drives pieces towards one side of a board, or lets it grow on one side."""
    if effect.form.makes == ("grown",) and not getattr(effect, "around", None):
        yield effect.form.words[0]
    step = getattr(effect, "step", None)
    if isinstance(step, Expression) and [one.value for one in step.node.members[1:]] != [0]:
        yield effect.form.words[0]


# ------------------------------------------------------------------------------------------ what shows in time


def find_delayed_move_words(clauses: Iterable[c.Clause], state: State, vocabulary: Vocabulary) -> list[str]:
    """Return the words, and what they mean, by which what clauses say of moves could come to more than is shown.

    Of what comes in place of captures it is shown as things stand, but where royal pieces are left out.
    """
    clauses = list(clauses)
    sets = [one for one in clauses if isinstance(one, c.SetClause)]
    says = [two for one in sets if one.key in SHOWING_KEYS for two in one.expressions]
    often = [two for one in sets if one.key in MOVE_COUNT_KEYS for two in one.expressions]
    replaced = (one for one in clauses if isinstance(one, c.InsteadClause))
    for clause in (one for one in replaced if has(vocabulary.events[one.event], Trait.DONE)):
        for one in clause.asked:
            (says if any(two.canonical == "not piece.royal" for two in one.node.conjuncts) else often).append(one)
    words = _find_words_beyond(says, state.circuit, vocabulary, Trait.SHOWN | Trait.MOVED, CIRCUITS_TO_COME)
    return [
        _describe_word(one, vocabulary)
        for one in (*words, *_find_words_beyond(often, state.circuit, vocabulary, Trait.SHOWN, 0))
    ]


def _find_words_beyond(
    expressions: Iterable[Expression], circuit: int, vocabulary: Vocabulary, shown: Trait, most: int
) -> list[str]:  # fmt: skip
    """Return the words by which expressions could come to something else after so many circuits; after none, if 0."""
    periods, numbers = [1], [circuit]

    def into(node: Node) -> tuple[Node, ...]:
        counted = _period_of_comparison(node) if most else None
        if counted is None:
            return node.parts
        periods.append(counted[0])
        numbers.extend(counted[1] if counted[0] == 1 else ())
        return ()

    nodes = (node for one in expressions for node in one.node.walk(into) if not node.key)
    words = [node.text for node in nodes if not is_known(node, vocabulary, shown, Trait.PASSING)]
    return words or (["circuit"] if most and max(numbers) - circuit + lcm(*periods) > most else [])


def _period_of_comparison(node: Node) -> tuple[int, list[int]] | None:
    """Return after how many circuits a comparison of the circuit comes round, 1 for none, and with what it compares."""
    for of, other in node.sides:
        round_of = of.parts[1].value if of.arithmetic == "%" and of.parts[0].name == "circuit" else 0
        every, whole = (
            1 if of.name == "circuit" else round_of,
            [one.value for one in other.members if type(one.value) is int],
        )
        if type(every) is int and every > 0 and len(whole) == len(other.members):
            return every, whole
    return None


def find_delayed_effect_words(clauses: Iterable[c.Clause], state: State, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the words by which clauses could do something on the boards by themselves, later than is looked at."""
    alone = _find_triggers([*clauses], vocabulary, c.OfferClause, c.InsteadClause)
    # else what is counted is what players do
    counts = any("counted" in one.makes for one in alone if one.event != "counted")
    for clause in alone if counts else [one for one in alone if one.event != "counted"]:
        forms = _find_effect_forms(clause)
        if not any(has(one, Trait.MAKING) or acts_on_boards(one, vocabulary.events) for one in forms):
            continue
        if not has(vocabulary.events[clause.event], Trait.TIMED):
            yield clause.event
        yield from _find_words_beyond(clause.expressions, state.circuit, vocabulary, PRESENT_NAMES, CIRCUITS_AHEAD)
        if not all(_happens_soon(one, len(state.playing)) for one in clause.every_effect("after")):
            yield "after"


def _happens_soon(effect: Effect, round: int) -> bool:
    """Tell whether what is put off is done in one of the circuits to come that are looked at."""
    many = effect.span.node.value
    most = {"turns": (CIRCUITS_AHEAD - 1) * round, "circuits": CIRCUITS_AHEAD - 1}.get(effect.unit, 0)
    return type(many) is int and many <= most
