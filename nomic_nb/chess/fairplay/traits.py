"""What is known of the words in an expression: the traits with which they are declared.

A word that is declared more than once, as a field of several kinds of thing, has a trait only where each of them has
it. A word without traits has none that is asked for, so that people are asked about it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from nomic_nb.engine.law.nodes import Node
from nomic_nb.engine.law.traits import UNKNOWN, Trait, parse_traits
from nomic_nb.engine.law.vocabulary import Fact, Field, Function, Vocabulary

Word: TypeAlias = Fact | Field | Function


@lru_cache(maxsize=8)
def _fields_by_name(vocabulary: Vocabulary) -> dict[str, list[Field]]:
    """Return the fields of all records, grouped by name."""
    fields_by_name: dict[str, list[Field]] = {}
    for (_, name), field in vocabulary.fields.items():
        fields_by_name.setdefault(name, []).append(field)
    return fields_by_name


def is_bound_name(node: Node, vocabulary: Vocabulary) -> bool:
    """Tell whether a node is a name that a case or a clause binds."""
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
    """Return the traits of everything that a word can mean, as bit masks."""
    return tuple(parse_traits(one.traits).value for one in declarations_of(Node(kind, 0, text), vocabulary))


def surely_has_trait(node: Node, vocabulary: Vocabulary, traits: Trait, but: Trait = UNKNOWN) -> bool:
    """Tell whether everything that a word can mean has one of some traits, and none of others."""
    word_traits, wanted, other = _trait_bits(node.kind, node.text, vocabulary), traits.value, but.value
    return bool(word_traits) and all(bits & wanted and not bits & other for bits in word_traits)


def possibly_has_trait(node: Node, vocabulary: Vocabulary, traits: Trait) -> bool:
    """Tell whether anything that a word can mean has one of some traits."""
    wanted = traits.value
    return any(trait & wanted for trait in _trait_bits(node.kind, node.text, vocabulary))


def reads_only_words_with_traits(node: Node, vocabulary: Vocabulary, traits: Trait, but: Trait = UNKNOWN) -> bool:
    """Tell whether a node reads nothing but bound names and words that surely have some traits."""
    return not node.word or is_bound_name(node, vocabulary) or surely_has_trait(node, vocabulary, traits, but)
