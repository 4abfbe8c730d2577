"""A body of law, indexed: which of its clauses speak of what."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Set
from functools import cached_property, lru_cache, partial
from typing import TypeVar, cast

from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.findings import set_clause_of
from nomic_nb.engine.law.language import Language
from nomic_nb.engine.law.nodes import Expression, ExpressionReads
from nomic_nb.engine.law.precedence import Precedence, PrecedenceOrder, number_order
from nomic_nb.engine.law.rules import Number, Rule, RuleBook, SourceClause, Sources
from nomic_nb.engine.law.tables import TableShape, is_reckoned, tables_per_rule, tracked_tables
from nomic_nb.engine.law.vocabulary import Fact, Field, Function, Vocabulary

# --------------------------------------------------------------------------------------------------- a body of law


SelfType = TypeVar("SelfType")
KeyType = TypeVar("KeyType", bound=Hashable)
ValueType = TypeVar("ValueType")
#: How much one body of law remembers of a kind: also expressions are asked about that stand in no rule.
MOST_REMEMBERED = 1_000


def remember_per_object(
    method: Callable[[SelfType, KeyType], ValueType],
) -> cached_property[Callable[[KeyType], ValueType]]:
    """Have a method recall what it returned, for each object by itself."""
    return cached_property(lambda one: lru_cache(MOST_REMEMBERED)(partial(method, one)))


def _group_by(key: Callable[[SourceClause], KeyType], sources: Iterable[SourceClause]) -> Mapping[KeyType, Sources]:
    """Gather clauses by what they speak of."""
    found: dict[KeyType, list[SourceClause]] = {}
    for source in sources:
        found.setdefault(key(source), []).append(source)
    return {one: tuple(some) for one, some in found.items()}


def _event_of(source: SourceClause) -> str:
    return cast(c.TriggerClause, source.clause).event


class Index:
    """A rule book under an order of precedence, by what its clauses speak of.

    Parameters
    ----------
    book : RuleBook
        The rules.
    order : Order
        Which of them prevails.
    language : Language
        What they are written in.
    """

    def __init__(self, book: RuleBook, order: PrecedenceOrder, language: Language) -> None:
        self.book, self.order, self.language = book, order, language
        self.vocabulary = language.vocabulary

    def _clauses_of(self, kind: type[c.Clause]) -> list[SourceClause]:
        """Return the clauses of a class, rule by rule as they came."""
        return self._by_subject.get(kind, [])

    @cached_property
    def _by_subject(self) -> Mapping[object, list[SourceClause]]:
        """The clauses by the key that they set, those of rulings apart, or by their class."""
        found: dict[object, list[SourceClause]] = {}
        for rule in self.book.in_force:
            for subject, some in rule.by_subject.items():
                if not rule.answers or isinstance(subject, type):
                    found.setdefault(subject, []).extend(some)
        return found

    @cached_property
    def candidates(self) -> Mapping[str, Sources]:
        """The clauses that set each key, rulings apart."""
        return {key: tuple(some) for key, some in self._by_subject.items() if isinstance(key, str)}

    @cached_property
    def rulings(self) -> Mapping[str, Sources]:
        """The clauses of rulings, by the key they answer, the newest first."""
        newest_first = (rule for rule in reversed(self.book.in_force) if rule.answers)
        return _group_by(lambda one: one.rule.answers, (one for rule in newest_first for one in rule.sources))

    @cached_property
    def triggers(self) -> Mapping[str, Sources]:
        """The triggers of each kind of event, in order of precedence."""
        return _group_by(_event_of, sorted(self._clauses_of(c.TriggerClause), key=lambda one: self.rank(one.rule)))

    @remember_per_object
    def triggers_hearing(self, of: tuple[str, frozenset[str]]) -> Sources:
        """Return the triggers of a kind of event, but for those that speak of names that are not there."""
        kind, missing = of
        found = self.triggers.get(kind, ())
        return tuple(one for one in found if not (missing and speaks_of(one.clause, missing, self.vocabulary)))

    @cached_property
    def replacements(self) -> Mapping[str, Sources]:
        """The clauses that replace the usual result of each kind of event."""
        return _group_by(_event_of, self._clauses_of(c.InsteadClause))

    @cached_property
    def offers(self) -> Sources:
        """What rules offer players to do, in order of precedence."""
        return tuple(sorted(self._clauses_of(c.OfferClause), key=lambda one: self.rank(one.rule)))

    @property
    def acting_clauses(self) -> Iterator[c.TriggerClause]:
        """The clauses that do something in play: what rules answer to events with, and what they offer."""
        for some in (*self.triggers.values(), self.offers):
            for source in some:
                yield cast(c.TriggerClause, source.clause)

    @cached_property
    def requirements(self) -> Sources:
        """What the law requires of itself, but for requirements over which a rule that has others claims to prevail."""
        found = self._clauses_of(c.RequireClause)
        if "claims" not in self.order.by:
            return tuple(found)
        rules = {source.rule.id: source.rule for source in found}.values()
        return tuple(one for one in found if not any(self._claims_precedence(other, one.rule) for other in rules))

    def _claims_precedence(self, one: Rule, other: Rule) -> bool:
        """Tell whether a rule of the same standing or a stronger one claims to prevail over another."""
        stronger = one is not other and self.order.tier(one) <= self.order.tier(other)
        return stronger and self.precedence.beats(one, other, "")

    @cached_property
    def claims(self) -> Mapping[int, tuple[c.ClaimClause, ...]]:
        """The claims to prevail and to defer, by the rule that makes them."""
        made = _group_by(lambda one: one.rule.id, self._clauses_of(c.ClaimClause))
        return {id: tuple(cast(c.ClaimClause, one.clause) for one in some) for id, some in made.items()}

    @cached_property
    def precedence(self) -> Precedence:
        """Which of its clauses prevail."""
        gists = {f"may.{one.name}": one.gist for one in self.vocabulary.actions.values() if one.gist}
        return Precedence(self.book, self.order, self.claims, gists)

    @cached_property
    def tracks(self) -> tuple[c.TrackClause, ...]:
        """The clauses that track tables."""
        return tuple(cast(c.TrackClause, one.clause) for one in self._clauses_of(c.TrackClause))

    @cached_property
    def reckoned(self) -> tuple[c.TrackClause, ...]:
        """The clauses that track tables in which each entry starts from what is so when its thing comes."""
        return tuple(one for one in self.tracks if is_reckoned(one))

    @cached_property
    def tables(self) -> Mapping[str, TableShape]:
        """The tables that rules track, by name."""
        return tracked_tables(self.tracks)

    def hides(self, table: str) -> bool:
        """Tell whether only the owner of an entry of a table sees it."""
        shape = self.tables.get(table)
        return shape is not None and shape.hidden

    @cached_property
    def ranking(self) -> tuple[str, ...]:
        """The tables by which rules can be ranked: of a number per rule."""
        return tables_per_rule(self.tables)

    @cached_property
    def local(self) -> frozenset[str]:
        """The keys of which a rule speaks that does not hold everywhere alike."""
        return frozenset([key for key, some in self.candidates.items() for one in some if one.rule.local])

    @cached_property
    def added_keys(self) -> frozenset[str]:
        """The keys to which a clause adds something."""
        return frozenset([key for key, some in self.candidates.items() for one in some if one.adds])

    def rank(self, rule: Rule) -> tuple[object, ...]:
        """Return a sort key: which rule's triggers fire first."""
        ranks: list[object] = []
        for name in self.order.by:
            criterion = self.order.criterion(name)
            if criterion is None or (criterion[0] is number_order and isinstance(rule.number, str)):
                continue
            value = criterion[0](rule)
            if criterion[1] is max:
                value = tuple(-one for one in value) if isinstance(value, tuple) else -value
            ranks.append(value)
        return (self.order.tier(rule), len(ranks), *ranks, rule.id)

    def rules_about(self, key: str) -> tuple[Number, ...]:
        """Return the numbers of the rules that say something of a key, in whatever case."""
        return tuple(dict.fromkeys(source.rule.number for source in self.clauses_about(key)))

    def clauses_about(self, key: str) -> Sources:
        """Return the clauses that say something of a key, in whatever case."""
        return self.candidates.get(key, ())

    def sources(self, key: str) -> Sources:
        """Return the clauses that say something of a key, those of rulings behind those of rules."""
        return (*self.candidates.get(key, ()), *self.rulings.get(key, ()))

    def is_silent_on(self, key: str) -> bool:
        """Tell whether no rule and no ruling says anything of a key, in whatever case."""
        return key not in self.candidates and key not in self.rulings

    def has_ruling_on(self, key: str) -> bool:
        """Tell whether a ruling answers a key in some case."""
        return key in self.rulings

    def first_rule_needing(self, key: str) -> Number | None:
        """Return the number of the first rule whose clauses look a key up, where there is one."""
        return next((rule.number for rule in self.book.in_force if key in rule.looked_up_keys), None)


def _is_unconditional(source: SourceClause) -> bool:
    """Tell whether a clause says everywhere, in every case, all of what its key is."""
    return set_clause_of(source).condition is None and not source.rule.local and not source.adds


def find_contradicted(law: Index, tiers: Iterable[str]) -> dict[int, tuple[int, str]]:
    """Return the rules of these tiers that contradict a stronger one, with that one and the key.

    No clause can ever prevail against a clause without a condition of a stronger tier; where the two are not the
    same, its rule contradicts the other's (rule 110).
    """
    found: dict[int, tuple[int, str]] = {}
    weak = set(tiers)
    for key, sources in law.candidates.items():
        if len(sources) == 1:
            continue
        firsts: dict[int, list[SourceClause]] = {}
        for one in filter(_is_unconditional, sources):
            said = firsts.setdefault(law.order.tier(one.rule), [])
            if len(said) < 2 and all(set_clause_of(one).value != set_clause_of(two).value for two in said):
                said.append(one)
        for one in sources if firsts else ():
            if one.rule.tier in weak and one.rule.id not in found:
                tier, value = law.order.tier(one.rule), set_clause_of(one).value
                stronger = (two for other, said in firsts.items() if other < tier for two in said)
                against = next((two for two in stronger if set_clause_of(two).value != value), None)
                if against is not None and not law.precedence.is_plain_ban(one):
                    found[one.rule.id] = (against.rule.id, key)
    return found


def speaks_of(clause: c.Clause, names: Set[str], vocabulary: Vocabulary) -> bool:
    """Tell whether a clause uses one of these names, itself or by a fact or an effect that needs one."""
    used = [*clause.names, *(name for effect in clause.every_effect() for name in effect.form.needs)]
    facts = vocabulary.facts
    return any(name in names or (name in facts and not names.isdisjoint(facts[name].needs)) for name in used)


# ----------------------------------------------------------------- what the answer to a question of law depends on


#: For how many expressions a language remembers what they look at.
MOST_EXPRESSIONS = 20_000
#: The field of the state that tables live in.
TABLES = "tables"


def _uses_words(expression: Expression, words: frozenset[str]) -> bool:
    return not words.isdisjoint(expression.words)


class Dependence:
    """What the keys of a body of law depend on.

    Parameters
    ----------
    law : Index
    """

    def __init__(self, law: Index) -> None:
        self.law = law

    @remember_per_object
    def fields_read(self, key: str) -> tuple[str, ...]:
        """Return the fields of the state that a key depends on under this law."""
        fields, declared = set[str](), self.law.vocabulary.keys
        for one in self.behind(key):
            fields.update(declared[one].reads, *[looked.reads for looked in self.reads_of(one)[1]])
        return tuple(sorted(fields))

    @remember_per_object
    def depends_on(self, key: str) -> frozenset[str]:
        """Return the fields of the state on which it hangs whether the clauses of a key apply."""
        conditions = [one for source in self.law.clauses_about(key) for one in source.clause.asked]
        return frozenset().union(*map(self.read_by, conditions))

    @remember_per_object
    def names_of(self, key: str) -> frozenset[str]:
        """Return the names of its case that the clauses of a key look at, themselves or by other keys."""
        return frozenset().union(*[self.looked_at(one).case for one in self.expressions_of(key)])

    def looks_at(self, key: str, words: frozenset[str]) -> bool:
        """Tell whether clauses of a key use one of these fields or functions."""
        return any(_uses_words(one, words) for one in self.expressions_of(key))

    def uses(self, expression: Expression, words: frozenset[str]) -> bool:
        """Tell whether an expression uses one of these fields or functions, itself or by a key that it looks up."""
        behind = self.expressions_behind(*self.keys_of(expression))
        return any(_uses_words(one, words) for one in (expression, *behind))

    def expressions_of(self, key: str) -> list[Expression]:
        """Return the expressions in the clauses of a key."""
        return [one for source in self.law.clauses_about(key) for one in source.expressions]

    def condition_varies(self, condition: Expression, fixed: frozenset[str], words: frozenset[str]) -> bool:
        """Tell whether a condition depends on more of the state than this, or uses one of these fields or functions."""
        return _uses_words(condition, words) or bool(self.read_by(condition) - fixed)

    @remember_per_object
    def read_by(self, expression: Expression) -> frozenset[str]:
        """Return the fields of the state that an expression depends on under this law."""
        looked = self.looked_at(expression)
        return looked.reads.union(*map(self.fields_read, looked.keys))

    def tables_read(self, keys: Iterable[str]) -> set[str]:
        """Return the tables that clauses of keys look at, themselves or by other keys."""
        return self.law.tables.keys() & {
            name for key in self.behind(*keys) for one in self.reads_of(key)[1] for name in one.tables
        }

    def expressions_behind(self, *keys: str) -> list[Expression]:
        """Return the expressions in the clauses of keys, and of those that these look up, themselves or by others."""
        return [one for sources in self.behind(*keys).values() for source in sources for one in source.expressions]

    def behind(self, *keys: str) -> Mapping[str, Sources]:
        """Return keys and those that their clauses look up, themselves or by other keys, each with its clauses."""
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
        """Return the clauses of a key, and what their expressions look at."""
        sources = self.law.sources(key)
        return sources, [self.looked_at(one) for source in sources for one in source.expressions]

    def keys_of(self, *expressions: Expression) -> list[str]:
        """Return the keys that expressions look up, themselves or by a fact, a field or a function."""
        return [key for one in expressions for key in self.looked_at(one).keys]

    def looked_at(self, expression: Expression) -> ExpressionReads:
        """Return what an expression looks at, itself or by a fact, a field or a function."""
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
            for one in declared:
                reads.update(one.reads)
                keys += one.keys
        case = {*expression.names, *(("proposal",) if expression.supposes else ())}
        case.update(need for name in expression.names if name in words.facts for need in words.facts[name].needs)
        for other in map(words.keys.__getitem__, keys):
            case.update((*other.case, *other.may_know))
        known = ExpressionReads(frozenset(reads), tuple(dict.fromkeys(keys)), frozenset(named), frozenset(case))
        if len(self.law.language.looked_at) >= MOST_EXPRESSIONS:
            self.law.language.looked_at.clear()
        self.law.language.looked_at[expression] = known
        return known
