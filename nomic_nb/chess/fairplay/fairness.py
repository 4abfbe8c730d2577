"""Whether clauses are known to treat all players equally, and to show their effects within so many rounds.

Only words whose traits say so are known to single nobody out, or to put nothing off. People are asked about all others.
A word that is declared more than once, as a field of several kinds of thing, has a trait only if each of them has it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import lru_cache
from math import lcm
from textwrap import shorten
from typing import TypeAlias

from nomic_nb.chess.play.records import MOVE_COUNT_KEYS, TERMS, acts_on_boards
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.clauses import Effect, Form
from nomic_nb.engine.law.nodes import Expression, Node, walk_expressions
from nomic_nb.engine.law.traits import UNKNOWN, Trait, has_trait, parse_traits
from nomic_nb.engine.law.vocabulary import Fact, Field, Function, Vocabulary
from nomic_nb.engine.play.state import State

# --------------------------------------------------------------------- what is known about the words in an expression


Word: TypeAlias = Fact | Field | Function


@lru_cache(maxsize=8)
def _fields_by_name(vocabulary: Vocabulary) -> dict[str, list[Field]]:
    """Return the fields of all records, grouped by name."""
    fields_by_name: dict[str, list[Field]] = {}
    for (_, name), field in vocabulary.fields.items():
        fields_by_name.setdefault(name, []).append(field)
    return fields_by_name


def is_bound_name(node: Node, vocabulary: Vocabulary) -> bool:
    """Tell whether a node of an expression is a name bound by its clause or case, rather than a fact of the law."""
    name = node.name
    return name != "" and name not in vocabulary.facts


def declarations_of(node: Node, vocabulary: Vocabulary) -> list[Word]:
    """Return the functions, facts and fields that the word in a node can mean."""
    if node.function:
        return [vocabulary.functions[node.function]]
    if node.name in vocabulary.facts:
        return [vocabulary.facts[node.name]]
    return [*_fields_by_name(vocabulary).get(node.name or node.field, ())]


@lru_cache(maxsize=4096)
def _trait_bits(kind: str, text: str, vocabulary: Vocabulary) -> tuple[int, ...]:
    """Return, for each declaration that a node of a kind and text can mean, its traits as a bit mask."""
    return tuple(parse_traits(one.traits).value for one in declarations_of(Node(kind, 0, text), vocabulary))


def surely_has_trait(node: Node, vocabulary: Vocabulary, traits: Trait, but: Trait = UNKNOWN) -> bool:
    """Tell whether a node's word, whatever it means, has one of `traits` and none of those in `but`."""
    word_traits, wanted, other = _trait_bits(node.kind, node.text, vocabulary), traits.value, but.value
    return bool(word_traits) and all(bits & wanted and not bits & other for bits in word_traits)


def possibly_has_trait(node: Node, vocabulary: Vocabulary, traits: Trait) -> bool:
    """Tell whether a node's word, in any of its meanings, has one of these traits."""
    wanted = traits.value
    return any(trait & wanted for trait in _trait_bits(node.kind, node.text, vocabulary))


def reads_only_words_with_traits(node: Node, vocabulary: Vocabulary, traits: Trait, but: Trait = UNKNOWN) -> bool:
    """Tell whether a node is no word, is a bound name, or surely has one of `traits` and none of `but`."""
    return not node.word or is_bound_name(node, vocabulary) or surely_has_trait(node, vocabulary, traits, but)


# ----------------------------------------------------------- whether clauses are known to treat all players equally


#: Coming rounds whose pieces and squares are looked at, if these depend on the time.
CIRCUITS_TO_COME = 10
#: How many of them are played turn by turn, to see what rules do on the boards over time.
CIRCUITS_AHEAD = 5
#: The settings that decide which moves a kind of piece has.
SHOWING_KEYS = TERMS.union(("may.move", "move.forced"))
#: Words whose present value is the one that counts, unless it passes.
PRESENT_NAMES = Trait.SHOWN | Trait.MOVED | Trait.ALIKE | Trait.ON_TURN | Trait.NAMING


def find_words_singling_out(clauses: Iterable[c.Clause], state: State, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield, as texts with their meanings, the words in clauses that could single out a player."""
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
    """Return the names of new tables that begin equal for all, and that only players' acts can make unequal.

    They begin equal, and anything that clauses write there over time depends neither on single events nor on earlier
    entries, or is the start itself.
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
    """Return the trigger clauses, except those of the types in `but`, that no act of a player sets off directly."""
    some = (clause for clause in clauses if isinstance(clause, c.TriggerClause) and not isinstance(clause, but))
    return [trigger for trigger in some if not has_trait(vocabulary.events[trigger.event], Trait.DONE)]


def _find_rewritten_tables(clause: c.TriggerClause, starts: Mapping[str, Node]) -> set[str]:
    """Return the names of tables into which a clause writes another value than that table's in `starts`."""
    every = clause.all_effects()
    written = ((getattr(effect, "counter", ""), getattr(effect, "value", None)) for effect in every)
    return {
        name
        for name, written_value in written
        if name in starts and getattr(written_value, "canonical", "") != starts[name].canonical
    }


def _find_reading_nodes(clause: c.TriggerClause) -> Iterator[Node]:
    """Yield the words in a clause, as nodes; those in comparisons that repeat every few rounds are left out."""

    def into(node: Node) -> tuple[Node, ...]:
        counted = _circuit_period(node)
        return node.parts if counted is None or counted[0] == 1 else ()

    return (node for expression in clause.expressions for node in expression.node.walk(into) if node.word)


def _find_effect_forms(clause: c.Clause) -> list[Form]:
    """Return the declared form of each effect in a clause."""
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
    """Return a word in quotation marks, followed by its meaning if the law language has one."""
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
        """Return the names bound by what the clause is about, such as its event, not by the clause itself."""
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
        """Tell whether it is fair to take item `at` of a list: the list is constant, or a die draws `at`."""
        written = listed.list_items is not None and all(node.is_constant for node in listed.parts)
        return written or self.drawn.get(at.name) == listed.canonical

    def _means_all_alike(self, node: Node) -> bool:
        """Tell whether a word means all players, or whichever player the clause is applied to."""
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
    """Return the text of the list from which a roll of one die draws an item; empty if the roll does not do so."""
    node = roll.sides.node
    draws_one = roll.dice.node.value == 1 and node.function == "count" and len(node.parts) == 1
    return node.parts[0].canonical if draws_one else ""


def _find_one_sided_word(effect: Effect) -> Iterator[str]:
    """Yield an effect's first word if it moves pieces, or grows a board, towards one side; else nothing."""
    if effect.form.makes == ("grown",) and not getattr(effect, "around", None):
        yield effect.form.words[0]
    step = getattr(effect, "step", None)
    if isinstance(step, Expression) and [node.value for node in step.node.list_items_or_self[1:]] != [0]:
        yield effect.form.words[0]


# ------------------------------------------------------------------------------------------ what shows in time


def find_delayed_move_words(clauses: Iterable[c.Clause], state: State, vocabulary: Vocabulary) -> list[str]:
    """Return the words, with meanings, by which clauses could change moves later than forecasts look.

    What replaces captures is shown as things are now, except captures of royal pieces.
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
    expressions: Iterable[Expression], circuit: int, vocabulary: Vocabulary, known: Trait, circuits_ahead: int
) -> list[str]:  # fmt: skip
    """Return words, without `known` traits, whose value may change over `circuits_ahead` rounds from `circuit`."""
    periods, numbers = [1], [circuit]

    def into(node: Node) -> tuple[Node, ...]:
        counted = _circuit_period(node) if circuits_ahead else None
        if counted is None:
            return node.parts
        periods.append(counted[0])
        numbers.extend(counted[1] if counted[0] == 1 else ())
        return ()

    nodes = (node for expression in expressions for node in expression.node.walk(into) if not node.key)
    words = [node.text for node in nodes if not reads_only_words_with_traits(node, vocabulary, known, Trait.PASSING)]
    return words or (["circuit"] if circuits_ahead and max(numbers) - circuit + lcm(*periods) > circuits_ahead else [])


def _circuit_period(node: Node) -> tuple[int, list[int]] | None:
    """Return after how many rounds a comparison of the round repeats, and the numbers in it; None for others."""
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
    """Yield words by which clauses could act on boards, without players' acts, later than in five rounds."""
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
    """Tell whether a postponed effect happens within four rounds of `round` turns each."""
    many = effect.span.node.value
    most = {"turns": (CIRCUITS_AHEAD - 1) * round, "circuits": CIRCUITS_AHEAD - 1}.get(effect.unit, 0)
    return type(many) is int and many <= most


# --------------------------------------------- what of a change players could bring about on the boards themselves


#: The piece that has moved, or was captured, and the square on which the mover stands then.
EVENT_SQUARE = {"captured": "square", "moved": "target"}
#: Effects that make rules, and those by which somebody has less.
TAKING_EFFECTS = Trait.MAKING | Trait.TAKING
#: Most letters shown of an effect.
MOST_EFFECT_LETTERS = 60


def player_controlled_effects(clauses: Iterable[c.Clause], state: State, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield, in words, the effects on boards that players could bring about as they like, but no harmless ones."""
    clauses = list(clauses)
    acting = [trigger for trigger in clauses if isinstance(trigger, c.TriggerClause)]
    begun = find_tables_begun_equal(clauses, state, vocabulary)
    for clause in acting:
        effects = [
            effect
            for effect in clause.all_effects()
            if has_trait(effect.form, TAKING_EFFECTS) or acts_on_boards(effect.form, vocabulary.events)
        ]
        if not effects:
            continue
        event = vocabulary.events[clause.event]
        counted = clause.event == "counted"
        if has_trait(event, Trait.BY_MOVE) or (counted and _counts_only_moves(clause, acting, begun, vocabulary)):
            single, condition = _SinglePiece(clause, vocabulary), clause.condition
            if condition is None or _treats_all_alike(condition.node, vocabulary, Trait.OF_MOVE, begun):
                effects = [effect for effect in effects if not single.is_only_target(effect)]
        elif not isinstance(clause, c.OfferClause) and not has_trait(event, Trait.DONE) and not counted:
            single = _SinglePiece(clause, vocabulary)
            taking = [
                effect
                for effect in effects
                if has_trait(effect.form, TAKING_EFFECTS) and not single.is_only_target(effect)
            ]
            others = [effect for effect in effects if not has_trait(effect.form, TAKING_EFFECTS)]
            effects = taking if taking and not _is_foreseeable(clause, taking, vocabulary) else []
            effects += others if others and not _depends_only_on_positions(clause, vocabulary) else []
        yield from (f"“{shorten(effect.words, MOST_EFFECT_LETTERS, placeholder=' …')}”" for effect in effects)


def turns_until_repeal(clauses: Iterable[c.Clause], state: State) -> int | None:
    """Return after how many turns a rule of these clauses repeals itself; None if it does not or does anything else."""
    clauses, most = list(clauses), 0
    units = {"turns": 1, "circuits": len(state.names_of_players)}
    for clause in clauses:
        if any(inner_effect.form.name not in ("after", "repeal") for inner_effect in clause.all_effects()):
            return None
        if not (isinstance(clause, c.TriggerClause) and clause.event == "enacted" and clause.on_own_rule):
            continue
        if clause.condition is None or len(clause.condition.node.conjuncts) > 1 or clause.each is not None:
            continue
        for effect in clause.effects:
            inner, many = (effect.effect, effect.span.node.value) if effect.form.name == "after" else (None, None)
            if inner is not None and inner.form.name == "repeal" and type(many) is int and effect.unit in units:
                most = max(most, many * units[effect.unit]) if inner.rule.node.name == "this" else most
    return most or None


def _is_list_filter(node: Node) -> bool:
    """Tell whether a node is an expression that keeps those items of a list that meet a condition."""
    return node.loop == "list" and node.parts[0].name == node.text


def _counts_only_moves(
    clause: c.TriggerClause, acting: list[c.TriggerClause], begun: Set[str], vocabulary: Vocabulary
) -> bool:
    """Tell whether a clause waits for a count in one of the new tables `begun` that only moves can change."""
    about = clause.condition.node.conjuncts if clause.condition is not None else ()
    named = {two.value for node in about if node.comparison == "==" for two in node.parts}
    counting = {trigger.event for trigger in acting if "counted" in trigger.events_made}
    moves = (has_trait(vocabulary.events[event], Trait.BY_MOVE) for event in counting - {"counted"})
    return bool(named & begun) and all(moves)


class _SinglePiece:
    """The one piece that a clause acts on: the one that moved, or one that its owner chooses."""

    def __init__(self, clause: c.TriggerClause, vocabulary: Vocabulary) -> None:
        self.square = EVENT_SQUARE.get(clause.event, "")
        self.names = {"piece"} if self.square else set[str]()
        self.names |= {"capturer"} if clause.event == "captured" else set[str]()
        lists = [(clause.each, clause.among), *((effect.name, effect.among) for effect in clause.all_effects("each"))]
        lets = clause.all_effects("let")
        self.names |= {effect.name for effect in lets if not effect.some and _offers_own_pieces(effect, vocabulary)}
        self.names |= {
            name for name, among in lists if name and among is not None and self._means_the_piece(among.node)
        }
        self.names &= names_bound_once(clause) | {"piece", "capturer"}

    def is_only_target(self, effect: Effect) -> bool:
        """Tell whether this piece, and nothing else, is what an effect acts on."""
        pieces = getattr(effect, "pieces", None)
        return isinstance(pieces, Expression) and self._means_the_piece(pieces.node)

    def _means_the_piece(self, node: Node) -> bool:
        """Tell whether a node of an expression in the clause represents this piece."""
        if _is_list_filter(node) and self.square:
            same = ((node.text, "piece"), (f"{node.text}.square", self.square))
            return any(conjunct.is_comparison_of(*two) for conjunct in node.parts[2].conjuncts for two in same)
        return node.name in self.names


def _offers_own_pieces(let: Effect, vocabulary: Vocabulary) -> bool:
    """Tell whether a `let` effect has a player choose among own pieces only, none of them royal."""
    return isinstance(let.options, Expression) and _are_own_pieces(let.options.node, let.who.canonical, vocabulary)


def _are_own_pieces(node: Node, who: str, vocabulary: Vocabulary) -> bool:
    """Tell whether a node lists only pieces of one player (`who`, an expression as text), none of them royal."""
    if surely_has_trait(node, vocabulary, Trait.COMMONERS):
        return node.parts[0].canonical == who
    if _is_list_filter(node):
        asked = (conjunct.parts for conjunct in node.parts[2].conjuncts if conjunct.comparison == "in")
        of_it = (many for member, many in asked if member.name == node.text)
        return any(_are_own_pieces(listed, who, vocabulary) for listed in (*of_it, node.parts[1]))
    return False


def _is_foreseeable(clause: c.TriggerClause, effects: list[Effect], vocabulary: Vocabulary) -> bool:
    """Tell whether a forecast shows what these effects of a clause take away, whatever players do."""
    if any(has_trait(effect.form, Trait.OPEN) for effect in clause.all_effects()):
        chances = clause.all_effects("chance")
        drawn = {effect.name: effect.options.node for effect in chances if isinstance(effect.options, Expression)}
        drawn |= {effect.name: effect.among.node for effect in clause.all_effects("each")}
        if clause.each is not None and clause.among is not None:
            drawn[clause.each] = clause.among.node
        drawn = {name: node for name, node in drawn.items() if name in names_bound_once(clause)}
        left_out = (
            effect.form.name == "remove" and _leaves_out_royals(effect.pieces.node, drawn, vocabulary)
            for effect in effects
        )
        if not all(left_out) or any(clause.all_effects("let")):
            return False
    elif _acts_at_once(clause):
        return not any(effect.form.name == "give" for effect in effects)  # else it is counted what it takes
    rolled = {id(two) for effect in clause.all_effects("roll") for two in effect.expressions}
    return all(
        _is_unaffected_by_moves(expression.node, vocabulary)
        for expression in clause.expressions
        if id(expression) not in rolled
    )


def _acts_at_once(clause: c.TriggerClause) -> bool:
    """Tell whether a clause acts just once, when its own rule is enacted."""
    own = clause.event == "enacted" and clause.on_own_rule
    return own and not any(clause.all_effects("after"))


def _depends_only_on_positions(clause: c.TriggerClause, vocabulary: Vocabulary) -> bool:
    """Tell whether a clause's effects depend on where pieces are, but on no other acts of players."""
    if _acts_at_once(clause):
        return True
    lets = [*clause.all_effects("let")]
    chosen = {id(effect.options) for effect in lets}
    mine = all(_offers_own_pieces(effect, vocabulary) for effect in lets)
    return mine and all(
        _treats_all_alike(expression.node, vocabulary)
        for expression in clause.expressions
        if id(expression) not in chosen
    )


def _treats_all_alike(
    node: Node, vocabulary: Vocabulary, more: Trait = UNKNOWN, tables: Set[str] = frozenset()
) -> bool:
    """Tell whether an expression reads only what all players share; traits `more` and `tables` count as shared."""
    known = Trait.STEADY | Trait.PLACE | more
    parts = node.parts
    if node.function == "count":
        if surely_has_trait(parts[0], vocabulary, Trait.EVERYBODY):
            return True
        if not (parts[0].function and surely_has_trait(parts[0], vocabulary, Trait.PLACE)):
            return False
    elif node.comparison and (node.comparison, parts[1].value) in ((">", 0), (">=", 1)):  # whether there is any
        parts = parts[0].parts if parts[0].function == "count" else parts[:1]
    elif node.loop not in ("", "list") or (
        not reads_only_words_with_traits(node, vocabulary, known) and node.text not in tables
    ):
        return False
    return all(_treats_all_alike(part, vocabulary, more, tables) for part in parts)


def _leaves_out_royals(node: Node, drawn: dict[str, Node], vocabulary: Vocabulary) -> bool:
    """Tell whether a node takes pieces only from lists without royal ones; `drawn` maps names to lists drawn from."""
    if surely_has_trait(node, vocabulary, Trait.COMMONERS):
        return True
    if _is_list_filter(node):
        asked = any(conjunct.canonical == f"not {node.text}.royal" for conjunct in node.parts[2].conjuncts)
        return asked or _leaves_out_royals(node.parts[1], drawn, vocabulary)
    of = node.parts[0] if node.function == "item" else drawn.get(node.name)
    return of is not None and _leaves_out_royals(of, drawn, vocabulary)


def _is_unaffected_by_moves(node: Node, vocabulary: Vocabulary) -> bool:
    """Tell whether no move changes the value of an expression, except by the pieces that it captures."""
    if node.function == "count" and node.parts[0].name == "playing":
        return True
    of_pieces = node.comparison not in ("", "in") and any(
        possibly_has_trait(one, vocabulary, Trait.PIECES) for one in node.walk()
    )
    if of_pieces or node.loop not in ("", "list"):
        return False  # how many pieces there are, moves alter
    return reads_only_words_with_traits(node, vocabulary, Trait.STEADY) and all(
        _is_unaffected_by_moves(part, vocabulary) for part in node.parts
    )
