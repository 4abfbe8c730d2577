"""A rule set, and how some of its terms are agreed otherwise before play."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import field, replace
from typing import TypeGuard

from nomic_nb.engine.errors import LawError
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.clauses import Clause, Set
from nomic_nb.engine.law.language import Language
from nomic_nb.engine.law.rules import Number, Rule
from nomic_nb.engine.law.tables import tracks


@frozen
class RuleSet:
    """A rule set as its file has it.

    Parameters
    ----------
    name, title, players, source : str
        From the ``about`` block.
    introduction : str
        What stands before the first section.
    rules : tuple of Rule
        In the order of the file.
    text : str
        The file.
    options : mapping of str to tuple of int or str
        Other readings of the source that can be agreed on before play, each with the rules that it leaves out.
    alone : bool
        Whether it is a game by itself; others are only brought in by rules of other sets.
    """

    name: str
    title: str
    players: str
    source: str
    introduction: str
    rules: tuple[Rule, ...]
    text: str = field(repr=False)
    options: Mapping[str, tuple[Number, ...]]
    alone: bool

    @property
    def least_players(self) -> int:
        """The fewest that can play: the number that `players` begins with, or one."""
        found = re.match(r"\d+", self.players)
        return max(1, int(found[0][:3])) if found else 1

    def looks_at(self, fact: str) -> bool:
        """Tell whether a clause of the set looks a fact up."""
        clauses = (clause for rule in self.rules for clause in rule.clauses)
        return any(fact in one.names for clause in clauses for one in clause.expressions)

    def says(self, key: str) -> str:
        """Return what a term is, as a clause of the set without a condition has it; empty where none says so."""
        clauses = (one for rule in self.rules for one in rule.clauses)
        return next((one.value.text for one in clauses if fixes(one) and one.key == key), "")

    @property
    def source_notes(self) -> str:
        """What the rule file notes on its source; empty if it notes nothing."""
        found = re.search(r"(?ms)^## Notes on the source\s*$(.*?)(?=^## |\Z)", self.text)
        return found[1].strip() if found else ""

    @property
    def digest(self) -> str:
        """SHA-256 of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def with_terms(self, terms: Mapping[str, object], language: Language) -> RuleSet:
        """Return the rule set with some of its terms agreed otherwise before play.

        Parameters
        ----------
        terms : mapping of str to object
            By key: a number, a truth value, a text, or an expression of the law language as text.
        language : Language
            Reads what is put in.

        Raises
        ------
        LawError
            No rule of the set fixes this term, or the value does not fit.
        """
        rules = self.rules
        for key, value in terms.items():
            if key not in self.options:
                rules = _with_term(rules, key, written_term(language, key, value), language)
                continue
            agreed = str(value).lower()
            if agreed not in ("true", "false"):
                raise LawError(f"{key} is agreed on or not", found=repr(value)[:40], expected="true or false")
            rules = tuple(rule for rule in rules if agreed == "false" or rule.number not in self.options[key])
        return replace(self, rules=rules)


def written_term(language: Language, key: str, value: object) -> str:
    """Return a term that was agreed on as an expression of the law language.

    Raises
    ------
    LawError
        It is none.
    """
    declared = language.vocabulary.keys.get(key)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(f'"{one}"' if isinstance(one, str) else str(one) for one in value) + "]"
    if isinstance(value, str) and declared is not None and declared.type.name == "text" and '"' not in value:
        return f'"{value}"'
    return language.expression(str(value)).text


def fixes(clause: Clause) -> TypeGuard[Set]:
    """Tell whether a clause says in every case what a key is; what allows or forbids is left out."""
    return isinstance(clause, Set) and clause.condition is None and not clause.key.startswith("may.")


def agreed_note(key: str, value: str) -> str:
    """Return the note on a rule of which a term was agreed otherwise before play."""
    return f"Agreed before play: {key} is {value}."


def _with_term(rules: tuple[Rule, ...], key: str, value: str, language: Language) -> tuple[Rule, ...]:
    fixed: dict[str, int] = {}
    for at, rule in enumerate(rules):
        for clause in rule.clauses:
            if fixes(clause):
                fixed.setdefault(clause.key, at)
    if key not in fixed:
        raise LawError(f"no rule fixes {key!r}, so it cannot be agreed otherwise", expected=", ".join(sorted(fixed)))
    at = fixed[key]
    rule = rules[at]
    clauses = (line.clause for line in rule.parts[0].lines)
    law = "\n".join(f"set {key} to {value}" if fixes(one) and one.key == key else one.words for one in clauses)
    read = language.read(law)
    language.check(read, tracks(one for each in rules for one in each.clauses))
    part = replace(rule.parts[0], law=law, lines=read)
    changed = replace(rule, parts=(part,), notes=(*rule.notes, agreed_note(key, value)))
    return (*rules[:at], changed, *rules[at + 1 :])
