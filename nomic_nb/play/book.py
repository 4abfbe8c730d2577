"""The rule book in the state."""

from __future__ import annotations

from nomic_nb.law.incorporation import with_incorporated
from nomic_nb.law.resolver import Law
from nomic_nb.law.rules import RuleBook
from nomic_nb.play.brought_in import library
from nomic_nb.play.state import State


def with_book(state: State, book: RuleBook) -> State:
    """Return the state with another rule book, and what it brings in, under the order of precedence in force."""
    language = state.law.language
    book = with_incorporated(book, library(language))
    return state.but(rules=book, law=Law(book, state.law.order, language))
