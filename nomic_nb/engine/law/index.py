"""A body of law, indexed: which of its clauses speak of what."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Set
from functools import cached_property, lru_cache, partial
from typing import TypeVar, cast

from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.findings import as_set
from nomic_nb.engine.law.language import Language
from nomic_nb.engine.law.nodes import Expression, LookedAt
from nomic_nb.engine.law.precedence import Order, Precedence, by_number
from nomic_nb.engine.law.rules import Number, Rule, RuleBook, Source, Sources
from nomic_nb.engine.law.tables import Shape, per_rule, reckoned, tracks
from nomic_nb.engine.law.vocabulary import Fact, Field, Function, Vocabulary

# --------------------------------------------------------------------------------------------------- a body of law


S = TypeVar("S")
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
#: How much one body of law remembers of a kind: also expressions are asked about that stand in no rule.
REMEMBERED = 1_000


def recalled(method: Callable[[S, K], V]) -> cached_property[Callable[[K], V]]:
    """Have a method recall what it returned, for each object by itself."""
    return cached_property(lambda one: lru_cache(REMEMBERED)(partial(method, one)))


def _by(key: Callable[[Source], K], sources: Iterable[Source]) -> Mapping[K, Sources]:
    """Gather clauses by what they speak of."""
    found: dict[K, list[Source]] = {}
    for source in sources:
        found.setdefault(key(source), []).append(source)
    return {one: tuple(some) for one, some in found.items()}


def _event(source: Source) -> str:
    return cast(c.On, source.clause).event


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

    def __init__(self, book: RuleBook, order: Order, language: Language) -> None:
        self.book, self.order, self.language = book, order, language
        self.vocabulary = language.vocabulary

    def _each(self, kind: type[c.Clause]) -> list[Source]:
        """Return the clauses of a class, rule by rule as they came."""
        return self._by_verb.get(kind, [])

    @cached_property
    def _by_verb(self) -> Mapping[type[c.Clause], list[Source]]:
        """The clauses by their class."""
        found: dict[type[c.Clause], list[Source]] = {}
        for rule in self.book.in_force:
            for verb, some in rule.by_verb.items():
                found.setdefault(verb, []).extend(some)
        return found

    @cached_property
    def candidates(self) -> Mapping[str, Sources]:
        """The clauses that set each key, rulings apart."""
        return _by(lambda one: as_set(one).key, (one for one in self._each(c.Set) if not one.rule.answers))

    @cached_property
    def rulings(self) -> Mapping[str, Sources]:
        """The clauses of rulings, by the key they answer, the newest first."""
        newest_first = (rule for rule in reversed(self.book.in_force) if rule.answers)
        return _by(lambda one: one.rule.answers, (one for rule in newest_first for one in rule.sources))

    @cached_property
    def triggers(self) -> Mapping[str, Sources]:
        """The triggers of each kind of event, in order of precedence."""
        return _by(_event, sorted(self._each(c.On), key=lambda one: self.rank(one.rule)))

    @recalled
    def hearing(self, of: tuple[str, frozenset[str]]) -> Sources:
        """Return the triggers of a kind of event, but for those that speak of names that are not there."""
        kind, missing = of
        found = self.triggers.get(kind, ())
        return tuple(one for one in found if not (missing and speaks_of(one.clause, missing, self.vocabulary)))

    @cached_property
    def replacements(self) -> Mapping[str, Sources]:
        """The clauses that replace the usual result of each kind of event."""
        return _by(_event, self._each(c.Instead))

    @cached_property
    def offers(self) -> Sources:
        """What rules offer players to do, in order of precedence."""
        return tuple(sorted(self._each(c.Offer), key=lambda one: self.rank(one.rule)))

    @property
    def acting(self) -> Iterator[c.On]:
        """The clauses that do something in play: what rules answer to events with, and what they offer."""
        for some in (*self.triggers.values(), self.offers):
            for source in some:
                yield cast(c.On, source.clause)

    @cached_property
    def requirements(self) -> Sources:
        """What the law requires of itself, but for requirements over which a rule that has others claims to prevail."""
        found = self._each(c.Require)
        if "claims" not in self.order.by:
            return tuple(found)
        rules = {source.rule.id: source.rule for source in found}.values()
        return tuple(one for one in found if not any(self._goes_before(other, one.rule) for other in rules))

    def _goes_before(self, one: Rule, other: Rule) -> bool:
        """Tell whether a rule of the same standing or a stronger one claims to prevail over another."""
        stronger = one is not other and self.order.tier(one) <= self.order.tier(other)
        return stronger and self.precedence.beats(one, other, "")

    @cached_property
    def claims(self) -> Mapping[int, tuple[c.Claim, ...]]:
        """The claims to prevail and to defer, by the rule that makes them."""
        made = _by(lambda one: one.rule.id, self._each(c.Claim))
        return {id: tuple(cast(c.Claim, one.clause) for one in some) for id, some in made.items()}

    @cached_property
    def precedence(self) -> Precedence:
        """Which of its clauses prevail."""
        gists = {f"may.{one.name}": one.gist for one in self.vocabulary.actions.values() if one.gist}
        return Precedence(self.book, self.order, self.claims, gists)

    @cached_property
    def tracks(self) -> tuple[c.Track, ...]:
        """The clauses that track tables."""
        return tuple(cast(c.Track, one.clause) for one in self._each(c.Track))

    @cached_property
    def reckoned(self) -> tuple[c.Track, ...]:
        """The clauses that track tables in which each entry starts from what is so when its thing comes."""
        return tuple(one for one in self.tracks if reckoned(one))

    @cached_property
    def tables(self) -> Mapping[str, Shape]:
        """The tables that rules track, by name."""
        return tracks(self.tracks)

    def hides(self, table: str) -> bool:
        """Tell whether only the owner of an entry of a table sees it."""
        shape = self.tables.get(table)
        return shape is not None and shape.hidden

    @cached_property
    def ranking(self) -> tuple[str, ...]:
        """The tables by which rules can be ranked: of a number per rule."""
        return per_rule(self.tables)

    @cached_property
    def local(self) -> frozenset[str]:
        """The keys of which a rule speaks that does not hold everywhere alike."""
        return frozenset(as_set(one).key for one in self._each(c.Set) if one.rule.local and not one.rule.answers)

    @cached_property
    def layered(self) -> frozenset[str]:
        """The keys to which a clause adds something."""
        return frozenset(as_set(one).key for one in self._each(c.Set) if one.adds and not one.rule.answers)

    def rank(self, rule: Rule) -> tuple[object, ...]:
        """Return a sort key: which rule's triggers fire first."""
        ranks: list[object] = []
        for name in self.order.by:
            criterion = self.order.criterion(name)
            if criterion is None or (criterion[0] is by_number and isinstance(rule.number, str)):
                continue
            value = criterion[0](rule)
            if criterion[1] is max:
                value = tuple(-one for one in value) if isinstance(value, tuple) else -value
            ranks.append(value)
        return (self.order.tier(rule), len(ranks), *ranks, rule.id)

    def speaking_of(self, key: str) -> tuple[Number, ...]:
        """Return the numbers of the rules that say something of a key, in whatever case."""
        return tuple(dict.fromkeys(source.rule.number for source in self.speaking(key)))

    def speaking(self, key: str) -> Sources:
        """Return the clauses that say something of a key, in whatever case."""
        return self.candidates.get(key, ())

    def sources(self, key: str) -> Sources:
        """Return the clauses that say something of a key, those of rulings behind those of rules."""
        return (*self.candidates.get(key, ()), *self.rulings.get(key, ()))

    def silent_on(self, key: str) -> bool:
        """Tell whether no rule and no ruling says anything of a key, in whatever case."""
        return key not in self.candidates and not self.ruled(key)

    def ruled(self, key: str) -> bool:
        """Tell whether a ruling answers a key in some case."""
        return key in self.rulings

    def needing(self, key: str) -> Number | None:
        """Return the number of the first rule whose clauses look a key up, where there is one."""
        return next((rule.number for rule in self.book.in_force if key in rule.looks_up), None)


def _says_all(source: Source) -> bool:
    """Tell whether a clause says everywhere, in every case, all of what its key is."""
    return as_set(source).condition is None and not source.rule.local and not source.adds


def contradicted(law: Index, tiers: Iterable[str]) -> dict[int, tuple[int, str]]:
    """Return the rules of these tiers that contradict a stronger one, with that one and the key.

    No clause can ever prevail against a clause without a condition of a stronger tier; where the two are not the
    same, its rule contradicts the other's (rule 110).
    """
    found: dict[int, tuple[int, str]] = {}
    weak = set(tiers)
    for key, sources in law.candidates.items():
        firsts: dict[int, list[Source]] = {}
        for one in (one for one in sources if len(sources) > 1 and _says_all(one)):
            said = firsts.setdefault(law.order.tier(one.rule), [])
            if len(said) < 2 and all(as_set(one).value != as_set(two).value for two in said):
                said.append(one)
        for one in sources if firsts else ():
            if one.rule.tier in weak and one.rule.id not in found:
                tier, value = law.order.tier(one.rule), as_set(one).value
                stronger = (two for other, said in firsts.items() if other < tier for two in said)
                against = next((two for two in stronger if as_set(two).value != value), None)
                if against is not None and not law.precedence.limits(one):
                    found[one.rule.id] = (against.rule.id, key)
    return found


def speaks_of(clause: c.Clause, names: Set[str], vocabulary: Vocabulary) -> bool:
    """Tell whether a clause uses one of these names, itself or by a fact or an effect that needs one."""
    used = [name for one in clause.expressions for name in one.names]
    used += [name for effect in clause.every_effect() for name in effect.form.needs]
    facts = vocabulary.facts
    return any(name in names or (name in facts and not names.isdisjoint(facts[name].needs)) for name in used)


# ----------------------------------------------------------------- what the answer to a question of law depends on


#: For how many expressions a language remembers what they look at.
EXPRESSIONS = 20_000
#: The field of the state that tables live in.
TABLES = "tables"


def _uses(expression: Expression, words: frozenset[str]) -> bool:
    return not words.isdisjoint(expression.words)


class Dependence:
    """What the keys of a body of law depend on.

    Parameters
    ----------
    law : Index
    """

    def __init__(self, law: Index) -> None:
        self.law = law

    @recalled
    def fields_read(self, key: str) -> tuple[str, ...]:
        """Return the fields of the state that a key depends on under this law."""
        return tuple(sorted(self._reached([key])[0]))

    @recalled
    def hangs_on(self, key: str) -> frozenset[str]:
        """Return the fields of the state on which it hangs whether the clauses of a key apply."""
        conditions = (as_set(source).condition for source in self.law.speaking(key))
        return frozenset(self._reached([], *(one for one in conditions if one is not None))[0])

    @recalled
    def names_of(self, key: str) -> frozenset[str]:
        """Return the names of its case that the clauses of a key look at, themselves or by other keys."""
        return frozenset().union(*(self.looked_at(one).case for one in self._said_of(key)))

    def looks_at(self, key: str, words: frozenset[str]) -> bool:
        """Tell whether clauses of a key use one of these fields or functions."""
        return any(_uses(one, words) for one in self._said_of(key))

    def uses(self, expression: Expression, words: frozenset[str]) -> bool:
        """Tell whether an expression uses one of these fields or functions, itself or by a key that it looks up."""
        keys = self.keys_of(expression)
        behind = (one for _, sources in self.behind(*keys) for source in sources for one in source.expressions)
        return any(_uses(one, words) for one in (expression, *behind))

    def _said_of(self, key: str) -> Iterator[Expression]:
        """Yield the expressions in the clauses of a key."""
        return (one for source in self.law.speaking(key) for one in source.expressions)

    def varies(self, condition: Expression, fixed: frozenset[str], words: frozenset[str]) -> bool:
        """Tell whether a condition depends on more of the state than this, or uses one of these fields or functions."""
        return _uses(condition, words) or bool(self.read_by(condition) - fixed)

    @recalled
    def read_by(self, expression: Expression) -> frozenset[str]:
        """Return the fields of the state that an expression depends on under this law."""
        return frozenset(self._reached([], expression)[0])

    def tables_read(self, keys: Iterable[str]) -> set[str]:
        """Return the tables that clauses of keys look at, themselves or by other keys."""
        return self._reached(keys)[1]

    def behind(self, *keys: str) -> Iterable[tuple[str, Sources]]:
        """Return keys and those that their clauses look up, themselves or by other keys, each with its clauses."""
        found = dict[str, Sources]()
        for key in keys:
            found.update(self._behind(key))
        return found.items()

    @recalled
    def _behind(self, key: str) -> Mapping[str, Sources]:
        waiting, found = [key], {key: self.law.sources(key)}
        while waiting:
            for expression in (one for source in found[waiting.pop()] for one in source.expressions):
                for fresh in (one for one in self.keys_of(expression) if one not in found):
                    found[fresh] = self.law.sources(fresh)
                    waiting.append(fresh)
        return found

    def keys_of(self, expression: Expression) -> tuple[str, ...]:
        """Return the keys that an expression looks up, itself or by a fact, a field or a function."""
        return self.looked_at(expression).keys

    def _reached(self, keys: Iterable[str], *expressions: Expression) -> tuple[set[str], set[str]]:
        """Return the fields of the state, and the tables, at which keys and expressions look, however deep."""
        law, looked = self.law, [self.looked_at(one) for one in expressions]
        first, fields = (*keys, *(key for one in looked for key in one.keys)), set[str]()
        for key, sources in self.behind(*first):
            fields.update(law.vocabulary.keys[key].reads)
            looked += [self.looked_at(one) for source in sources for one in source.expressions]
        fields.update(*(one.reads for one in looked))
        return fields, law.tables.keys() & {name for one in looked for name in one.tables}

    def looked_at(self, expression: Expression) -> LookedAt:
        """Return what an expression looks at, itself or by a fact, a field or a function."""
        known = self.law.language.looked_at.get(expression)
        if known is not None:
            return known
        words = self.law.vocabulary
        reads, keys, named = set[str](), list[str](), set[str]()
        for node in expression.walk():
            declared: list[Fact | Field | Function] = []
            match node.kind:
                case "name" if node.text in words.facts:
                    declared = [words.facts[node.text]]
                case "call":
                    declared = [words.functions[node.text]]
                case "key":
                    keys.append(node.text)
                case "afterwards":  # on what it hangs what comes of a change, nobody can say
                    reads.add("*")
                case "field":
                    of = words.facts.get(node.parts[0].text) if node.parts[0].kind == "name" else None
                    kinds = words.records if of is None else (of.type.name,)
                    declared = [words.fields[kind, node.text] for kind in kinds if (kind, node.text) in words.fields]
            if node.kind in ("field", "entry", "keys"):
                named.add(node.text)
                reads.update(() if declared else (TABLES,))
            for one in declared:
                reads.update(one.reads)
                keys += one.keys
        case = {*expression.names, *(("proposal",) if expression.supposes else ())}
        case.update(need for name in expression.names if name in words.facts for need in words.facts[name].needs)
        for other in map(words.keys.__getitem__, keys):
            case.update((*other.case, *other.may_know))
        known = LookedAt(frozenset(reads), tuple(dict.fromkeys(keys)), frozenset(named), frozenset(case))
        if len(self.law.language.looked_at) >= EXPRESSIONS:
            self.law.language.looked_at.clear()
        self.law.language.looked_at[expression] = known
        return known
