"""References between rules by number: those that point at nothing, or at another rule, after a change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from nomic_nb.explore.reading import comparisons
from nomic_nb.law.clauses import Claim, Clause
from nomic_nb.law.resolver import Law
from nomic_nb.law.rules import Number, Rule
from nomic_nb.play.state import State

_NUMBER = r"(?:[A-Z]{1,3}\d+|[-−]?\d+)"
_AND = r"(?:\s*,\s*(?:(?:and|or)\s+)?|\s+(?:and|or|to)\s+|\s*[-–]\s*(?=\d))"
_SPOKEN = re.compile(rf"\b[Rr]ules?\s+(?:no\.?\s+)?({_NUMBER}(?:{_AND}(?:[Rr]ules?\s+)?{_NUMBER})*)(?!\w)")


@dataclass(frozen=True)
class Dangling:
    """A rule that speaks of another by a number which is not that rule's after the change.

    Parameters
    ----------
    rule : int or str
        The rule that speaks, by its number after the change.
    number : int or str
        The number that it names.
    words : str
        How it says so.
    clause : bool
        Whether a clause says so, and not the wording.
    became : str
        What is to be found under the number.
    holds : bool
        Whether the machine goes on to take a claim as meant.
    """

    rule: Number
    number: Number
    words: str
    clause: bool
    became: str
    holds: bool = False

    def __str__(self) -> str:
        where = " in a clause" if self.clause else ""
        still = "; the clause still means that rule" if self.holds else ""
        return f"rule {self.rule} says “{self.words}”{where}, and {self.became}{still}"


@lru_cache(maxsize=1024)
def spoken(wording: str) -> tuple[tuple[Number, str], ...]:
    """Return the rules that a wording names, each with the words that name it.

    Examples
    --------
    >>> spoken("Rules 201 to 213 give way to rule A1; 208 points win.")
    ((201, 'Rules 201 to 213'), (213, 'Rules 201 to 213'), ('A1', 'rule A1'))
    """
    return tuple(
        (_number(number), " ".join(found[0].split()))
        for found in _SPOKEN.finditer(wording)
        for number in re.findall(_NUMBER, re.sub(r"(?<=\d)\s*[-–]\s*(?=\d)", " ", found[1]))
    )


def _number(text: str) -> Number:
    plain = text.replace("−", "-")
    return int(plain) if re.fullmatch(r"-?\d+", plain) else plain


def named_in(clause: Clause) -> Iterator[Number]:
    """Yield the rules that a clause names: by a claim, or by comparing the number of a rule."""
    if isinstance(clause, Claim):
        yield from clause.over or ()
    for one, other in comparisons(clause):
        if (one.kind, one.text) == ("field", "number") and one.parts[0].text != "proposal":
            for part in (other, *other.parts):
                if part.kind == "constant" and isinstance(part.value, int) and not isinstance(part.value, bool):
                    yield part.value


def references(rule: Rule) -> Iterator[tuple[Number, str, bool]]:
    """Yield what a rule names: the number, the words, whether a clause says so."""
    for number, words in spoken(rule.wording):
        yield number, words, False
    for clause in rule.clauses:
        for number in named_in(clause):
            yield number, clause.words, True


def dangling(before: State, after: State, changed: int | None) -> tuple[Dangling, ...]:
    """Return the references that a change leaves pointing at nothing, or at another rule.

    Of the changed rule itself, all that point at nothing are told, old ones too.

    Parameters
    ----------
    before, after : State
        As things stand, and as they would.
    changed : int or None
        Id of the rule that the change concerns, or makes.
    """
    then, now = before.rules.by_number, after.rules.by_number
    found: dict[tuple[Number, Number, str], Dangling] = {}
    for rule in after.rules:
        for number, words, clause in references(rule):
            old, new = then.get(number), now.get(number)
            same = new is not None and (old is None or old.id == new.id)
            if same or (old is None and rule.id != changed):
                continue
            became = after.rules.whereabouts(number) if new is None else f"rule {number} is then a different rule"
            meant = None if old is None else after.rules.rules.get(old.id)
            holds = clause and meant is not None and _still_claims(after.law, rule, meant, words)
            found.setdefault((rule.number, number, words), Dangling(rule.number, number, words, clause, became, holds))
    return tuple(found.values())


def _still_claims(law: Law, rule: Rule, meant: Rule, words: str) -> bool:
    """Tell whether a claim goes on to be heard about the rule that it meant."""
    for clause in rule.clauses:
        if isinstance(clause, Claim) and clause.words == words:
            one, other = (rule, meant) if clause.prevails else (meant, rule)
            return law.precedence.over(one, other, clause.key or "")
    return False
