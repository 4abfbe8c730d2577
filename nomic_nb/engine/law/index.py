"""A body of law, with an index of its clauses by subject."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Set
from functools import cached_property, lru_cache, partial
from typing import TypeVar, cast

from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.findings import set_clause_of
from nomic_nb.engine.law.language import Language
from nomic_nb.engine.law.nodes import Expression, ExpressionReads
from nomic_nb.engine.law.precedence import Precedence, PrecedenceOrder, rule_number_sort_key
from nomic_nb.engine.law.rules import Number, Rule, RuleBook, SourceClause, Sources
from nomic_nb.engine.law.tables import TableShape, has_computed_start, table_shapes, tables_per_rule
from nomic_nb.engine.law.vocabulary import Fact, Field, Function, Vocabulary

# --------------------------------------------------------------------------------------------------- a body of law


SelfType = TypeVar("SelfType")
KeyType = TypeVar("KeyType", bound=Hashable)
ValueType = TypeVar("ValueType")
#: Number of findings of a kind that one body of law remembers, because expressions outside of rules are also asked.
MOST_REMEMBERED = 1_000


def remember_per_object(
    method: Callable[[SelfType, KeyType], ValueType],
) -> cached_property[Callable[[KeyType], ValueType]]:
    """Turn a one-argument method into a property whose value is that method, bound to the object and cached."""
    return cached_property(lambda owner: lru_cache(MOST_REMEMBERED)(partial(method, owner)))


def _group_clauses(
    group_of: Callable[[SourceClause], KeyType], sources: Iterable[SourceClause]
) -> Mapping[KeyType, Sources]:
    """Return the clauses as a mapping from each group, as `group_of` returns it, to its clauses in order."""
    groups: dict[KeyType, list[SourceClause]] = {}
    for source in sources:
        groups.setdefault(group_of(source), []).append(source)
    return {key_type: tuple(some) for key_type, some in groups.items()}


def _trigger_event(source: SourceClause) -> str:
    """Return the name of the event that a trigger clause reacts to."""
    return cast(c.TriggerClause, source.clause).event


class Index:
    """A rule book under an order of precedence, indexed by the subjects of its clauses.

    Parameters
    ----------
    book : RuleBook
        The rules.
    order : Order
        Which of them prevails.
    language : Language
        The language of the clauses.
    """

    def __init__(self, book: RuleBook, order: PrecedenceOrder, language: Language) -> None:
        self.book, self.order, self.language = book, order, language
        self.vocabulary = language.vocabulary

    def _clauses_of(self, kind: type[c.Clause]) -> list[SourceClause]:
        """Return the clauses of a class, such as `OfferClause`, from the rules in force, rule by rule."""
        return self._by_subject.get(kind, [])

    @cached_property
    def _by_subject(self) -> Mapping[object, list[SourceClause]]:
        """The clauses in force by the key that they set (without rulings) or, if they set none, by Python class."""
        found: dict[object, list[SourceClause]] = {}
        for rule in self.book.in_force:
            for subject, some in rule.by_subject.items():
                if not rule.answers or isinstance(subject, type):
                    found.setdefault(subject, []).extend(some)
        return found

    @cached_property
    def candidates(self) -> Mapping[str, Sources]:
        """The clauses of rules that set a key, by the key's name; clauses of rulings are left out."""
        return {key: tuple(some) for key, some in self._by_subject.items() if isinstance(key, str)}

    @cached_property
    def rulings(self) -> Mapping[str, Sources]:
        """The clauses of rulings, newest first, by the name of the key that the ruling settles."""
        newest_first = (rule for rule in reversed(self.book.in_force) if rule.answers)
        return _group_clauses(
            lambda clause: clause.rule.answers, (source for rule in newest_first for source in rule.sources)
        )

    @cached_property
    def triggers(self) -> Mapping[str, Sources]:
        """The trigger clauses by the kind of event that they react to, in the order in which they fire."""
        return _group_clauses(
            _trigger_event,
            sorted(
                (*self._clauses_of(c.TriggerClause), *self._clauses_of(c.WheneverClause)),
                key=lambda clause: self.trigger_sort_key(clause.rule),
            ),
        )

    @remember_per_object
    def triggers_hearing(self, kind_and_missing_names: tuple[str, frozenset[str]]) -> Sources:
        """Return the triggers that can react to an event, given as a pair of its kind and the names it leaves unbound.

        The argument is one pair: the kind of event, and the names that the event does not bind.
        """
        kind, missing = kind_and_missing_names
        clauses = self.triggers.get(kind, ())
        return tuple(
            source for source in clauses if not (missing and clause_uses_names(source.clause, missing, self.vocabulary))
        )

    @cached_property
    def replacements(self) -> Mapping[str, Sources]:
        """The ``instead of`` clauses by the kind of event whose usual result they replace."""
        return _group_clauses(_trigger_event, self._clauses_of(c.InsteadClause))

    @cached_property
    def offers(self) -> Sources:
        """The ``offer`` clauses, by which rules let players do something, in order of precedence."""
        return tuple(sorted(self._clauses_of(c.OfferClause), key=lambda clause: self.trigger_sort_key(clause.rule)))

    @property
    def acting_clauses(self) -> Iterator[c.TriggerClause]:
        """All clauses in force that have effects: triggers first, then offers."""
        for some in (*self.triggers.values(), self.offers):
            for source in some:
                yield cast(c.TriggerClause, source.clause)

    @cached_property
    def requirements(self) -> Sources:
        """The ``require`` clauses in force, except those over which a rule with such a clause claims to prevail."""
        clauses = self._clauses_of(c.RequireClause)
        if "claims" not in self.order.by:
            return tuple(clauses)
        rules = {source.rule.id: source.rule for source in clauses}.values()
        return tuple(
            source for source in clauses if not any(self._claims_precedence(other, source.rule) for other in rules)
        )

    def _claims_precedence(self, rule: Rule, other: Rule) -> bool:
        """Tell whether `rule`, in the same or a stronger tier, claims to prevail over the rule `other`."""
        stronger = rule is not other and self.order.tier_rank(rule) <= self.order.tier_rank(other)
        return stronger and self.precedence.prevails_by_claim(rule, other, "")

    @cached_property
    def claims(self) -> Mapping[int, tuple[c.ClaimClause, ...]]:
        """The ``prevails over`` and ``defers to`` clauses, by the id of the rule that makes them."""
        group = _group_clauses(lambda clause: clause.rule.id, self._clauses_of(c.ClaimClause))
        return {id: tuple(cast(c.ClaimClause, source.clause) for source in some) for id, some in group.items()}

    @cached_property
    def precedence(self) -> Precedence:
        """The arbiter of which of several clauses prevails in this rule book."""
        gists = {f"may.{action.name}": action.gist for action in self.vocabulary.actions.values() if action.gist}
        return Precedence(self.book, self.order, self.claims, gists)

    @cached_property
    def track_clauses(self) -> tuple[c.TrackClause, ...]:
        """The ``track`` clauses in force, each of which declares a table of counters or other values."""
        return tuple(cast(c.TrackClause, source.clause) for source in self._clauses_of(c.TrackClause))

    @cached_property
    def tracks_with_computed_start(self) -> tuple[c.TrackClause, ...]:
        """The ``track`` clauses whose starting value is computed from the thing that each entry is for."""
        return tuple(track for track in self.track_clauses if has_computed_start(track))

    @cached_property
    def tables(self) -> Mapping[str, TableShape]:
        """The declarations of the tables that rules track, as `TableShape` by the table's name."""
        return table_shapes(self.track_clauses)

    def is_table_hidden(self, table: str) -> bool:
        """Tell whether a table is hidden, in which each entry is visible only to its owner."""
        shape = self.tables.get(table)
        return shape is not None and shape.hidden

    @cached_property
    def ranking_tables(self) -> tuple[str, ...]:
        """The names of the tables that hold a number per rule, by which precedence can rank the rules."""
        return tables_per_rule(self.tables)

    @cached_property
    def keys_with_local_rules(self) -> frozenset[str]:
        """The names of the keys that some rule sets for some universes only."""
        return frozenset([key for key, some in self.candidates.items() for source in some if source.rule.is_local])

    @cached_property
    def keys_with_additions(self) -> frozenset[str]:
        """The names of the keys that some clause modifies with ``otherwise``, as in ``otherwise + 1``."""
        return frozenset([key for key, some in self.candidates.items() for source in some if source.adds_to_key])

    def trigger_sort_key(self, rule: Rule) -> tuple[object, ...]:
        """Return a sort key for rules that puts those first whose triggers fire first."""
        ranks = []
        for name in self.order.by:
            criterion = self.order.criterion(name)
            if criterion is None or (criterion[0] is rule_number_sort_key and isinstance(rule.number, str)):
                continue
            value = criterion[0](rule)
            if criterion[1] is max:
                value = tuple(-component for component in value) if isinstance(value, tuple) else -value
            ranks.append(value)
        return (self.order.tier_rank(rule), len(ranks), *ranks, rule.id)

    def numbers_of_rules_about(self, key: str) -> tuple[Number, ...]:
        """Return the numbers of the rules that set a key, without those of rulings."""
        return tuple(dict.fromkeys(source.rule.number for source in self.clauses_about(key)))

    def clauses_about(self, key: str) -> Sources:
        """Return the clauses of rules that set a key, whatever their conditions, without those of rulings."""
        return self.candidates.get(key, ())

    def clauses_and_rulings_about(self, key: str) -> Sources:
        """Return the clauses that set a key: those of rules, then those of rulings."""
        return (*self.candidates.get(key, ()), *self.rulings.get(key, ()))

    def is_silent_on(self, key: str) -> bool:
        """Tell whether no rule and no ruling sets a key, such as ``vote.quota``."""
        return key not in self.candidates and key not in self.rulings

    def has_ruling_on(self, key: str) -> bool:
        """Tell whether some ruling settles a key, be it in some cases only."""
        return key in self.rulings


def find_contradicted_rules(law: Index, tiers: Iterable[str]) -> dict[int, tuple[int, str]]:
    """Map the id of each rule in `tiers` that a stronger rule contradicts to that stronger rule's id and the key.

    The key is the one on which they differ. No clause can ever prevail against a clause without a condition of a
    stronger tier; where the two are not the same, its rule contradicts the other's (rule 110).
    """
    contradicted = {}
    weak = set(tiers)
    for key, sources in law.candidates.items():
        if len(sources) == 1:
            continue
        firsts: dict[int, list[SourceClause]] = {}
        for source in sources:
            if set_clause_of(source).condition is not None or source.rule.is_local or source.adds_to_key:
                continue  # it does not always set the key, alone and in all universes
            clauses = firsts.setdefault(law.order.tier_rank(source.rule), [])
            if len(clauses) < 2 and all(set_clause_of(source).value != set_clause_of(two).value for two in clauses):
                clauses.append(source)
        for source in sources if firsts else ():
            if source.rule.tier in weak and source.rule.id not in contradicted:
                tier, value = law.order.tier_rank(source.rule), set_clause_of(source).value
                stronger = (two for other, clauses_of_tier in firsts.items() if other < tier for two in clauses_of_tier)
                against = next((two for two in stronger if set_clause_of(two).value != value), None)
                if against is not None and not law.precedence.is_plain_ban(source):
                    contradicted[source.rule.id] = (against.rule.id, key)
    return contradicted


def clause_uses_names(clause: c.Clause, names: Set[str], vocabulary: Vocabulary) -> bool:
    """Tell whether a clause uses one of these bound names, directly or through a fact or an effect."""
    used = [*clause.names, *(name for effect in clause.all_effects() for name in effect.form.needs)]
    facts = vocabulary.facts
    return any(name in names or (name in facts and not names.isdisjoint(facts[name].needs)) for name in used)


# ----------------------------------------------------------------- what the answer to a question of law depends on


#: For how many expressions a language remembers what they look at.
MOST_EXPRESSIONS = 20_000
#: The field of the state that tables live in.
TABLES = "tables"


def _uses_words(expression: Expression, words: frozenset[str]) -> bool:
    """Tell whether an expression uses one of these names, fields or functions."""
    return not words.isdisjoint(expression.words)


class Dependence:
    """The dependencies of the keys of a body of law.

    Parameters
    ----------
    law : Index
    """

    def __init__(self, law: Index) -> None:
        self.law = law

    @remember_per_object
    def fields_read(self, key: str) -> tuple[str, ...]:
        """Return, sorted, the fields of the game state that a key's value depends on, also through other keys."""
        fields, declared = set[str](), self.law.vocabulary.keys
        for one in self.clauses_behind_keys(key):
            fields.update(declared[one].reads, *[looked.reads for looked in self.reads_of(one)[1]])
        return tuple(sorted(fields))

    @remember_per_object
    def fields_in_conditions(self, key: str) -> frozenset[str]:
        """Return the fields of the game state that the conditions of a key's clauses depend on."""
        conditions = [expression for source in self.law.clauses_about(key) for expression in source.clause.asked]
        return frozenset().union(*map(self.fields_of_expression, conditions))

    @remember_per_object
    def case_names_read(self, key: str) -> frozenset[str]:
        """Return the bound names, such as ``player``, that a key's clauses read, also through other keys."""
        return frozenset().union(
            *[self.reads_of_expression(expression).case for expression in self.expressions_of(key)]
        )

    def key_uses_words(self, key: str, words: frozenset[str]) -> bool:
        """Tell whether a clause that sets a key uses one of these names, fields or functions."""
        return any(_uses_words(expression, words) for expression in self.expressions_of(key))

    def expression_uses_words(self, expression: Expression, words: frozenset[str]) -> bool:
        """Tell whether an expression, or a key that it reads, uses one of these names, fields or functions."""
        behind = self.expressions_behind(*self.keys_of_expression(expression))
        return any(_uses_words(candidate, words) for candidate in (expression, *behind))

    def expressions_of(self, key: str) -> list[Expression]:
        """Return all expressions in the clauses of rules that set a key, without those of rulings."""
        return [expression for source in self.law.clauses_about(key) for expression in source.expressions]

    def condition_varies(self, condition: Expression, fixed: frozenset[str], words: frozenset[str]) -> bool:
        """Tell whether a condition uses one of these `words`, or reads state fields other than the `fixed` ones."""
        return _uses_words(condition, words) or bool(self.fields_of_expression(condition) - fixed)

    @remember_per_object
    def fields_of_expression(self, expression: Expression) -> frozenset[str]:
        """Return the fields of the game state that an expression depends on, also through keys."""
        looked = self.reads_of_expression(expression)
        return looked.reads.union(*map(self.fields_read, looked.keys))

    def tables_of_keys(self, keys: Iterable[str]) -> set[str]:
        """Return the names of the tables that the clauses of these keys read, also through other keys."""
        return self.law.tables.keys() & {
            name for key in self.clauses_behind_keys(*keys) for reads in self.reads_of(key)[1] for name in reads.tables
        }

    def expressions_behind(self, *keys: str) -> list[Expression]:
        """Return the expressions in the clauses of these keys, and of all keys that those read in turn."""
        return [
            expression
            for sources in self.clauses_behind_keys(*keys).values()
            for source in sources
            for expression in source.expressions
        ]

    def clauses_behind_keys(self, *keys: str) -> Mapping[str, Sources]:
        """Map these keys, and all keys that their clauses read in turn, to the clauses that set them."""
        found = {key: self.reads_of(key)[0] for key in keys}
        waiting = [*reversed(found)]
        while waiting:
            for looked in self.reads_of(waiting.pop())[1]:
                for fresh in looked.keys:
                    if fresh not in found:
                        found[fresh] = self.reads_of(fresh)[0]
                        waiting.append(fresh)
        return found

    @remember_per_object
    def reads_of(self, key: str) -> tuple[Sources, list[ExpressionReads]]:
        """Return the clauses, rulings included, that set a key, and a list of what each of their expressions reads."""
        sources = self.law.clauses_and_rulings_about(key)
        return sources, [
            self.reads_of_expression(expression) for source in sources for expression in source.expressions
        ]

    def keys_of_expression(self, *expressions: Expression) -> list[str]:
        """Return the names of the keys that these expressions read, also through facts, fields and functions."""
        return [key for expression in expressions for key in self.reads_of_expression(expression).keys]

    def reads_of_expression(self, expression: Expression) -> ExpressionReads:
        """Return what an expression reads, also through facts, fields and functions.

        These are fields of the game state, keys, tables, and names bound in the case.
        """
        known = self.law.language.looked_at.get(expression)
        if known is not None:
            return known
        words = self.law.vocabulary
        reads, keys, named = set[str](), list[str](), set[str]()
        for node in expression.walk():
            declared: list[Fact | Field | Function] = []
            if node.name in words.facts:
                declared = [words.facts[node.name]]
            elif node.function:
                declared = [words.functions[node.function]]
            elif node.key:
                keys.append(node.key)
            elif node.supposition:  # on what it hangs what comes of a change, nobody can say
                reads.add("*")
            elif node.field:
                of = words.facts.get(node.parts[0].name)
                kinds = words.records if of is None else (of.type.name,)
                declared = [words.fields[kind, node.field] for kind in kinds if (kind, node.field) in words.fields]
            if node.table:
                named.add(node.table)
                reads.update(() if declared else (TABLES,))
            for declaration in declared:
                reads.update(declaration.reads)
                keys += declaration.keys
        case = {*expression.names, *(("proposal",) if any(node.supposition for node in expression.walk()) else ())}
        case.update(need for name in expression.names if name in words.facts for need in words.facts[name].needs)
        for other in map(words.keys.__getitem__, keys):
            case.update((*other.case, *other.may_know))
        known = ExpressionReads(frozenset(reads), tuple(dict.fromkeys(keys)), frozenset(named), frozenset(case))
        if len(self.law.language.looked_at) >= MOST_EXPRESSIONS:
            self.law.language.looked_at.clear()
        self.law.language.looked_at[expression] = known
        return known
