"""The rule book in the state, with the rule sets that rules bring in: their rules, and the digests of their texts."""

from __future__ import annotations

from collections.abc import Callable

from nomic_nb.law.language import Language
from nomic_nb.law.making import with_incorporated
from nomic_nb.law.resolver import Law
from nomic_nb.law.rules import Rule, RuleBook
from nomic_nb.play.state import State
from nomic_nb.rulesets.literate import find_ruleset


def library(language: Language) -> Callable[[str], tuple[Rule, ...]]:
    """Return what finds the rules of a rule set that comes with the kit."""
    return lambda name: find_ruleset(name, language).rules


def digests(book: RuleBook, language: Language) -> dict[str, str]:
    """Return the rule sets that rules of a book bring in, by name, with the digests of their texts."""
    names = sorted({rule.ruleset for rule in book if rule.ruleset})
    return {name: find_ruleset(name, language).digest for name in names}


def with_book(state: State, book: RuleBook) -> State:
    """Return the state with another rule book, and what it brings in, under the order of precedence in force."""
    language = state.law.language
    book = with_incorporated(book, library(language))
    return state.but(rules=book, law=Law(book, state.law.order, language))
