"""Rule sets that a rule brings in: their rules are in force while that rule is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from nomic_nb.law.clauses import Incorporate
from nomic_nb.law.rules import Rule, RuleBook

#: Finds the rules of a rule set by its name.
Library = Callable[[str], tuple[Rule, ...]]


def wanted(book: RuleBook) -> tuple[str, ...]:
    """Return the rule sets that rules in force bring in, in the order of the rules."""
    return tuple(
        dict.fromkeys(
            clause.name for rule in book.in_force for clause in rule.clauses if isinstance(clause, Incorporate)
        )
    )


def with_incorporated(book: RuleBook, library: Library) -> RuleBook:
    """Return the book in which exactly those rule sets stand that its rules bring in.

    What is brought in keeps its numbers, its tier and, while it stays, its ids; what was changed in it
    stays changed. A rule whose number is taken already is left out, so that every number names one rule.
    """
    tried: set[str] = set()
    while True:
        names = wanted(book)
        here = {rule.ruleset for rule in book if rule.ruleset}
        gone = [rule.id for rule in book if rule.ruleset and rule.ruleset not in names]
        new = [name for name in names if name not in here and name not in tried]
        if not gone and not new:
            return book
        for id in gone:
            book = book.without(id)
        for name in new:
            tried.add(name)
            first = book.next_id
            rules = dict(book.rules)
            for at, rule in enumerate(one for one in library(name) if one.number not in book.by_number):
                rules[first + at] = replace(rule, id=first + at, ruleset=name)
            book = replace(book, rules=rules, version=book.version + 1)
