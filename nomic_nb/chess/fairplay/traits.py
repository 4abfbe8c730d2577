"""What is known of the words in an expression: the traits with which they are declared.

A word that is declared more than once, as a field of several kinds of thing, has a trait only where each of them has
it. A word without traits has none that is asked for, so that people are asked about it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from nomic_nb.engine.law.nodes import Node
from nomic_nb.engine.law.traits import UNKNOWN, Trait, traits_in
from nomic_nb.engine.law.vocabulary import Fact, Field, Function, Vocabulary

Word: TypeAlias = Fact | Field | Function


@lru_cache(maxsize=8)
def _fields(vocabulary: Vocabulary) -> dict[str, list[Field]]:
    found: dict[str, list[Field]] = {}
    for (_, name), one in vocabulary.fields.items():
        found.setdefault(name, []).append(one)
    return found


def is_bound(node: Node, vocabulary: Vocabulary) -> bool:
    """Tell whether a part is a name that a case, or a clause, gives to something."""
    name = node.name
    return name != "" and name not in vocabulary.facts


def declared(node: Node, vocabulary: Vocabulary) -> list[Word]:
    """Return what a word can stand for; a name that is bound is like the fields that have such things."""
    if node.function:
        return [vocabulary.functions[node.function]]
    if node.name in vocabulary.facts:
        return [vocabulary.facts[node.name]]
    return [*_fields(vocabulary).get(node.name or node.field, ())]


@lru_cache(maxsize=4096)
def _traits(kind: str, text: str, vocabulary: Vocabulary) -> tuple[int, ...]:
    """Return the traits of all that a word can stand for, as numbers: they are asked for again and again."""
    return tuple(traits_in(one.traits).value for one in declared(Node(kind, 0, text), vocabulary))


def surely(node: Node, vocabulary: Vocabulary, traits: Trait, but: Trait = UNKNOWN) -> bool:
    """Tell whether all that a word can stand for has one of some traits, and none of others."""
    found, wanted, other = _traits(node.kind, node.text, vocabulary), traits.value, but.value
    return bool(found) and all(one & wanted and not one & other for one in found)


def possibly(node: Node, vocabulary: Vocabulary, traits: Trait) -> bool:
    """Tell whether something that a word can stand for has one of some traits."""
    wanted = traits.value
    return any(one & wanted for one in _traits(node.kind, node.text, vocabulary))


def is_known(node: Node, vocabulary: Vocabulary, traits: Trait, but: Trait = UNKNOWN) -> bool:
    """Tell whether a part looks at nothing but names that are bound, and words that surely have such traits."""
    return not node.word or is_bound(node, vocabulary) or surely(node, vocabulary, traits, but)
