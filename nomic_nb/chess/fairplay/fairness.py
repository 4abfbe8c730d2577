"""Whether clauses are known to bear on all players alike, and to show within so many circuits what they come to.

Both are closed: a word is taken for one by which nobody is singled out, or nothing is put off, only where it is
declared with a trait that says so. What has none, people are asked about.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from math import lcm

from nomic_nb.chess.fairplay.traits import (
    is_bound_name,
    possibly_has_trait,
    reads_only_words_with_traits,
    surely_has_trait,
)
from nomic_nb.chess.play.records import MOVE_COUNT_KEYS, TERMS, acts_on_boards
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.forms import Effect, Form
from nomic_nb.engine.law.nodes import Expression, Node, walk_expressions
from nomic_nb.engine.law.traits import Trait, has_trait
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


def find_words_singling_out(clauses: Iterable[c.Clause], state: State, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield, with their meanings, the words in clauses that could single out a player."""
    clauses = list(clauses)
    boards = (*state.position.armies, *state.position.boards) if state.position is not None else ()
    names = {*state.players, *boards}
    tables = find_tables_begun_equal(clauses, state, vocabulary)
    chance = [
        candidate
        for candidate in clauses
        if {"roll", "remove"} == {two.name for two in _find_effect_forms(candidate) if not _is_only_announcement(two)}
    ]
    does = walk_expressions(
        two for chance_clause in chance for effect in chance_clause.all_effects() for two in effect.expressions
    )
    # What is reckoned now comes to the same then; of several, one may come and the other never.
    reckoned = len(chance) == 1 and not any(
        possibly_has_trait(node, vocabulary, Trait.PASSING | Trait.ON_TURN) for node in does
    )
    for clause in clauses:
        forms = _find_effect_forms(clause)
        says = forms and all(map(_is_only_announcement, forms)) and not isinstance(clause, c.InsteadClause)
        if not (says or (reckoned and clause is chance[0])):
            for word in _ClauseReading(clause, vocabulary, names, tables).words():
                yield _describe_word(word, vocabulary)


def find_tables_begun_equal(clauses: list[c.Clause], state: State, vocabulary: Vocabulary) -> set[str]:
    """Return the tables that clauses begin equal for all, and only players' acts make unequal.

    They begin with the same for all. What the clauses write there as time goes by hangs on nothing that comes once, nor
    on what is there already; or it is what they begin with.
    """
    starts = {
        candidate.counter: candidate.start.node
        for candidate in clauses
        if isinstance(candidate, c.TrackClause) and candidate.start.constant
    }
    begun = starts.keys() - state.tables.keys()
    passing = _find_triggers(clauses, vocabulary, c.OfferClause)
    alone = (trigger for trigger in passing if trigger.event != "counted")
    for clause in passing if any(_find_rewritten_tables(trigger, starts) for trigger in alone) else []:
        if any(
            node.text in begun or possibly_has_trait(node, vocabulary, Trait.PASSING)
            for node in _find_reading_nodes(clause)
        ):
            begun -= _find_rewritten_tables(clause, starts)
    return begun


def _find_triggers(clauses: list[c.Clause], vocabulary: Vocabulary, *but: type) -> list[c.TriggerClause]:
    """Return the triggers, but for clauses of some kinds, that nothing which players do sets off by itself."""
    some = (clause for clause in clauses if isinstance(clause, c.TriggerClause) and not isinstance(clause, but))
    return [trigger for trigger in some if not has_trait(vocabulary.events[trigger.event], Trait.DONE)]


def _find_rewritten_tables(clause: c.TriggerClause, starts: Mapping[str, Node]) -> set[str]:
    """Return the tables to which a clause writes anything but their starting value."""
    every = clause.all_effects()
    written = ((getattr(effect, "counter", ""), getattr(effect, "value", None)) for effect in every)
    return {
        name
        for name, written_value in written
        if name in starts and getattr(written_value, "canonical", "") != starts[name].canonical
    }


def _find_reading_nodes(clause: c.TriggerClause) -> Iterator[Node]:
    """Yield the nodes of a clause that read something, periodic circuit comparisons aside."""

    def into(node: Node) -> tuple[Node, ...]:
        counted = _circuit_period(node)
        return node.parts if counted is None or counted[0] == 1 else ()

    return (node for expression in clause.expressions for node in expression.node.walk(into) if node.word)


def _find_effect_forms(clause: c.Clause) -> list[Form]:
    """Return the forms of all effects in a clause."""
    return [effect.form for effect in clause.all_effects()]


def _is_only_announcement(form: Form) -> bool:
    """Tell whether an effect only says something and changes nothing."""
    return has_trait(form, Trait.SAYING)


def names_bound_once(clause: c.Clause) -> frozenset[str]:
    """Return the names that a clause binds in exactly one place."""
    counter = Counter(getattr(effect, "name", None) for effect in clause.all_effects())
    counter[getattr(clause, "each", None)] += 1
    return frozenset(name for name, times in counter.items() if isinstance(name, str) and times == 1)


def _describe_word(word: str, vocabulary: Vocabulary) -> str:
    """Return a word of a clause in quotation marks, with its meaning if the language has one."""
    fields = (field for record in vocabulary.records.values() for field in record.fields if field.name == word)
    known = vocabulary.facts.get(word) or vocabulary.functions.get(word) or next(fields, None)
    return f"“{word}”" + (f", {re.split('[,;:(]', known.meaning)[0].strip()}" if known is not None else "")


class _ClauseReading:
    """Reader that looks through one clause for words which could single out a player."""

    def __init__(self, clause: c.Clause, vocabulary: Vocabulary, names: Set[str], tables: Set[str]) -> None:
        self.clause, self.vocabulary, self.names, self.tables = clause, vocabulary, names, tables
        self.effects = list(clause.all_effects())
        self.bound = self._names_bound_outside()
        #: Whether it is judged again and again, for one player or army after the other.
        self.each = not isinstance(clause, c.TriggerClause) or not self.bound.isdisjoint(("player", "army"))
        once = names_bound_once(clause)
        self.drawn = {
            effect.name: _list_drawn_from(effect)
            for effect in self.effects
            if effect.form.name == "roll" and effect.name in once
        }

    def _names_bound_outside(self) -> frozenset[str]:
        """Return the names that are bound where the clause is judged, not by the clause itself."""
        clause = self.clause
        if isinstance(clause, c.SetClause):
            key = self.vocabulary.keys[clause.key]
            return frozenset((*key.case, *key.may_know))
        if isinstance(clause, c.OfferClause) or not isinstance(clause, c.TriggerClause):
            return frozenset(("player",))
        event = self.vocabulary.events[clause.event]
        return frozenset((*event.binds, *event.may_bind))

    def words(self) -> Iterator[str]:
        """Yield the words of the clause that could single out a player."""
        said_expression_ids = {
            id(two)
            for saying_effect in self.effects
            if _is_only_announcement(saying_effect.form)
            for two in saying_effect.expressions
        }
        for expression in self.clause.expressions:
            if id(expression) not in said_expression_ids:
                yield from self._words_singling_out(expression.node)
        for effect in self.effects:
            yield from _find_one_sided_word(effect)

    def _words_singling_out(self, node: Node) -> Iterator[str]:
        """Yield the words in one node and its parts that could single out a player."""
        parts: Iterable[Node] = node.parts
        text = node.value if isinstance(node.value, str) else ""
        if text and (
            text.rpartition(".")[0] in self.names or (text in self.names and not isinstance(self.clause, c.SetClause))
        ):
            yield text  # what is set to a text means nobody by it
        elif node.arithmetic and not isinstance(self.clause, c.SetClause):  # put together, texts could be names
            yield from (part.value for part in parts if isinstance(part.value, str))
        elif node.function in ("item", "place"):
            if not self._is_order_irrelevant(*node.parts):
                yield node.text
        elif node.function == "square_at":  # the same square of another board is nobody's
            board, file, rank = node.parts
            same = file.canonical.rpartition(".")[0] == rank.canonical.rpartition(".")[0]
            if not same or (file.text, rank.text) != ("file", "rank"):
                yield node.text
            parts = (board, *file.parts)
        elif node.word and not self._means_all_alike(node):
            yield node.word
        for inner in parts:
            yield from self._words_singling_out(inner)

    def _is_order_irrelevant(self, listed: Node, at: Node) -> bool:
        """Tell whether the order of a list does not matter, since all of it is drawn from."""
        written = listed.list_items is not None and all(node.is_constant for node in listed.parts)
        return written or self.drawn.get(at.name) == listed.canonical

    def _means_all_alike(self, node: Node) -> bool:
        """Tell whether a word means all players alike, or whoever is concerned."""
        if is_bound_name(node, self.vocabulary) or node.name in self.bound:
            return True
        if possibly_has_trait(node, self.vocabulary, Trait.ON_TURN):
            return self.each
        if node.key:
            return self.vocabulary.keys[node.key].is_local
        needs = self.vocabulary.facts[node.name].needs if node.name else ()
        if needs:
            return self.bound.issuperset(needs)
        return node.table in self.tables or surely_has_trait(node, self.vocabulary, Trait.ALIKE)


def _list_drawn_from(roll: Effect) -> str:
    """Return the list from which a roll of one die draws an item; empty if there is none."""
    node = roll.sides.node
    draws_one = roll.dice.node.value == 1 and node.function == "count" and len(node.parts) == 1
    return node.parts[0].canonical if draws_one else ""


def _find_one_sided_word(effect: Effect) -> Iterator[str]:
    """Yield the word of an effect that moves pieces, or grows a board, towards one side."""
    if effect.form.makes == ("grown",) and not getattr(effect, "around", None):
        yield effect.form.words[0]
    step = getattr(effect, "step", None)
    if isinstance(step, Expression) and [node.value for node in step.node.list_items_or_self[1:]] != [0]:
        yield effect.form.words[0]


# ------------------------------------------------------------------------------------------ what shows in time


def find_delayed_move_words(clauses: Iterable[c.Clause], state: State, vocabulary: Vocabulary) -> list[str]:
    """Return, with meanings, the words by which moves could change later than is looked at.

    Of what comes in place of captures it is shown as things stand, but where royal pieces are left out.
    """
    clauses = list(clauses)
    sets = [one for one in clauses if isinstance(one, c.SetClause)]
    says = [two for setting in sets if setting.key in SHOWING_KEYS for two in setting.expressions]
    often = [two for setting in sets if setting.key in MOVE_COUNT_KEYS for two in setting.expressions]
    replaced = (one for one in clauses if isinstance(one, c.InsteadClause))
    for clause in (
        instead_clause for instead_clause in replaced if has_trait(vocabulary.events[instead_clause.event], Trait.DONE)
    ):
        for expression in clause.asked:
            (says if any(two.canonical == "not piece.royal" for two in expression.node.conjuncts) else often).append(
                expression
            )
    words = _words_with_later_effect(says, state.circuit, vocabulary, Trait.SHOWN | Trait.MOVED, CIRCUITS_TO_COME)
    return [
        _describe_word(word, vocabulary)
        for word in (*words, *_words_with_later_effect(often, state.circuit, vocabulary, Trait.SHOWN, 0))
    ]


def _words_with_later_effect(
    expressions: Iterable[Expression], circuit: int, vocabulary: Vocabulary, shown: Trait, most: int
) -> list[str]:  # fmt: skip
    """Return the words whose value could change after more circuits than are looked at."""
    periods, numbers = [1], [circuit]

    def into(node: Node) -> tuple[Node, ...]:
        counted = _circuit_period(node) if most else None
        if counted is None:
            return node.parts
        periods.append(counted[0])
        numbers.extend(counted[1] if counted[0] == 1 else ())
        return ()

    nodes = (node for expression in expressions for node in expression.node.walk(into) if not node.key)
    words = [node.text for node in nodes if not reads_only_words_with_traits(node, vocabulary, shown, Trait.PASSING)]
    return words or (["circuit"] if most and max(numbers) - circuit + lcm(*periods) > most else [])


def _circuit_period(node: Node) -> tuple[int, list[int]] | None:
    """Return after how many circuits a comparison of the circuit repeats, and its numbers."""
    for of, other in node.pairs_of_sides:
        round_of = of.parts[1].value if of.arithmetic == "%" and of.parts[0].name == "circuit" else 0
        every, whole = (
            1 if of.name == "circuit" else round_of,
            [member.value for member in other.list_items_or_self if type(member.value) is int],
        )
        if type(every) is int and every > 0 and len(whole) == len(other.list_items_or_self):
            return every, whole
    return None


def find_delayed_effect_words(clauses: Iterable[c.Clause], state: State, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the words by which effects on boards could happen later than is looked at."""
    alone = _find_triggers([*clauses], vocabulary, c.OfferClause, c.InsteadClause)
    # else what is counted is what players do
    counts = any("counted" in trigger.events_made for trigger in alone if trigger.event != "counted")
    for clause in alone if counts else [trigger for trigger in alone if trigger.event != "counted"]:
        forms = _find_effect_forms(clause)
        if not any(has_trait(form, Trait.MAKING) or acts_on_boards(form, vocabulary.events) for form in forms):
            continue
        if not has_trait(vocabulary.events[clause.event], Trait.TIMED):
            yield clause.event
        yield from _words_with_later_effect(
            clause.expressions, state.circuit, vocabulary, PRESENT_NAMES, CIRCUITS_AHEAD
        )
        if not all(_happens_soon(effect, len(state.names_of_players)) for effect in clause.all_effects("after")):
            yield "after"


def _happens_soon(effect: Effect, round: int) -> bool:
    """Tell whether a postponed effect happens within the circuits that are looked at."""
    many = effect.span.node.value
    most = {"turns": (CIRCUITS_AHEAD - 1) * round, "circuits": CIRCUITS_AHEAD - 1}.get(effect.unit, 0)
    return type(many) is int and many <= most
