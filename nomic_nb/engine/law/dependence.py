"""What the answer to a question of law depends on, before it is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nomic_nb.engine.law.findings import as_set
from nomic_nb.engine.law.index import Index, recalled
from nomic_nb.engine.law.nodes import Expression, LookedAt
from nomic_nb.engine.law.rules import Sources
from nomic_nb.engine.law.vocabulary import Fact, Field, Function

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

    def behind(self, *keys: str) -> Iterator[tuple[str, Sources]]:
        """Yield keys and those that their clauses look up, themselves or by other keys, each with its clauses."""
        waiting, seen = list(keys), set(keys)
        while waiting:
            key = waiting.pop()
            sources = self.law.sources(key)
            yield key, sources
            expressions = [one for source in sources for one in source.expressions]
            fresh = dict.fromkeys(key for one in expressions for key in self.keys_of(one) if key not in seen)
            waiting += fresh
            seen |= fresh.keys()

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
