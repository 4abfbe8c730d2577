"""Numbers in a wording and in its clauses: those of either that the other does not have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction

from nomic_nb.explore.reading import nodes
from nomic_nb.explore.references import spoken
from nomic_nb.law.clauses import Clause, Draft, Set
from nomic_nb.law.hints import everyday
from nomic_nb.law.nodes import Node
from nomic_nb.law.values import Number, exact

_FIGURE = re.compile(r"(?<![\w.])(\d+(?:,\d{3})+|\d+)(?:\.(\d+)|\s*/\s*([1-9]\d*))?(\s*%|\s+per\s?cent\b)?(?!\w)")
_WORD = re.compile(r"[a-z]+")


def figures(wording: str) -> frozenset[Number]:
    """Return the numbers that a wording has, in figures and in English words; the numbers of rules are none.

    Examples
    --------
    >>> sorted(figures("By rule 208, a hundred and five points win, or fifty-five, or 2.5, or two thirds of 10."))
    [Fraction(2, 3), Fraction(5, 2), 10, 55, 105]
    """
    for _, said in spoken(wording):
        wording = wording.replace(said, " ")
    found: set[Number] = set()
    for whole, decimals, parts, percent in _FIGURE.findall(wording):
        value = Fraction(f"{whole.replace(',', '')}{'.' + decimals if decimals else ''}") / int(parts or 1)
        found.add(exact(value / 100 if percent else value))
    return frozenset(found | set(_in_words(_WORD.findall(wording.lower()))))


def _in_words(words: list[str]) -> Iterator[Number]:
    """Yield the numbers that words say: each run of them is one."""
    number: int | None = None
    known, parts = {word: said.removesuffix(" *") for word, said in everyday("numbers").items()}, everyday("parts")
    for word in [*words, ""]:
        value = int(known[word]) if known.get(word, "").isdigit() else None
        if word == "hundred":
            number = 100 * (number or 1)
        elif number and value and number % 10 == 0 and value < (10 if number % 100 else 100):
            number += value
        elif word != "and" or number is None or number < 100:
            if number is not None:
                yield Fraction(number, int(parts[word])) if word in parts else number
            elif word == "half":
                yield Fraction(1, 2)
            number = value


def amounts(clauses: Iterable[Clause]) -> Iterator[tuple[Clause, Number]]:
    """Yield the clauses that set a term to a plain number, each with the number."""
    for clause in clauses:
        if type(clause) is Set and (value := _plain(clause.value.node)) is not None:
            yield clause, value


def _plain(node: Node) -> Number | None:
    """Return the number that an expression plainly is: a constant, its negative, or one over another."""
    value = node.value
    if node.kind == "constant" and isinstance(value, int | Fraction) and not isinstance(value, bool):
        return value
    parts = [_plain(part) for part in node.parts]
    if node.kind == "minus" and parts[0] is not None:
        return exact(-parts[0])
    if node.kind == "reckon" and node.text == "/" and parts[0] is not None and parts[1]:
        return exact(Fraction(parts[0]) / parts[1])
    return None


def constants(clauses: Iterable[Clause]) -> frozenset[Number]:
    """Return all numbers that stand in clauses, in their drafts too, whatever for."""
    found: set[Number] = set()
    for clause in clauses:
        if isinstance(clause, Draft):
            found |= constants(clause.body) | figures(clause.wording)
        found |= {one for node in nodes(clause) if (one := _plain(node)) is not None}
    return frozenset(found)


def apart(wording: str, clauses: tuple[Clause, ...]) -> tuple[tuple[Number, ...], tuple[tuple[Clause, Number], ...]]:
    """Return the numbers of a wording that no clause has, and the clauses that set a number which the wording has not.

    Either is of no account by itself: clauses may reckon otherwise than people say it. A number beside another
    (``turn < 4`` for the first three turns) counts as the same.
    """
    said, meant = figures(wording), constants(clauses)
    near = {sign * one + step for one in meant for sign in (-1, 1) for step in (-1, 0, 1)}
    spare = tuple(sorted(one for one in said if one not in near and one not in (0, 1)))
    return spare, tuple((clause, one) for clause, one in amounts(clauses) if one not in said and -one not in said)
