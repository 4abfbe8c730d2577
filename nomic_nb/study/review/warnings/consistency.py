"""Warnings that a rule would not do what its words say, or that its clauses contradict themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product
from typing import cast

from nomic_nb.engine.law.clauses import ClaimClause, Clause, DraftClause, OfferClause, SetClause, TriggerClause
from nomic_nb.engine.law.hints import everyday_words
from nomic_nb.engine.law.nodes import STEPS_PER_ACTION, Node
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Rule
from nomic_nb.engine.law.values import Number, Value, simplify_number
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.state import State
from nomic_nb.engine.words import join_words
from nomic_nb.study.review.cases import finding_for_example
from nomic_nb.study.review.dry_run import DryRun
from nomic_nb.study.review.renumbering import spoken
from nomic_nb.study.review.warnings.registry import Messages, check, cite

_FIGURE = re.compile(r"(?<![\w.])(\d+(?:,\d{3})+|\d+)(?:\.(\d+)|\s*/\s*([1-9]\d*))?(\s*%|\s+per\s?cent\b)?(?!\w)")
_WORD = re.compile(r"[a-z]+")
#: Functions by which things are put in an order in which several can share a place.
RANKING_WORDS = frozenset({"ordered", "highest", "lowest"})
#: Functions that ask about another case of the term in which they stand.
ASKING_FUNCTIONS = frozenset({"moves_of"})


def numbers_in_wording(wording: str) -> frozenset[Number]:
    """Return the numbers that a wording has, in figures and in English words; the numbers of rules are none.

    Examples
    --------
    >>> wording = "By rule 208, a hundred and five points win, or fifty-five, or 2.5, or two thirds of 10."
    >>> sorted(numbers_in_wording(wording))
    [Fraction(2, 3), Fraction(5, 2), 10, 55, 105]
    """
    for _, said in spoken(wording):
        wording = wording.replace(said, " ")
    found: set[Number] = set()
    for whole, decimals, parts, percent in _FIGURE.findall(wording):
        value = Fraction(f"{whole.replace(',', '')}{'.' + decimals if decimals else ''}") / int(parts or 1)
        found.add(simplify_number(value / 100 if percent else value))
    return frozenset(found | set(_numbers_from_words(_WORD.findall(wording.lower()))))


def _numbers_from_words(words: list[str]) -> Iterator[Number]:
    """Yield the numbers that words say: each run of them is one."""
    number: int | None = None
    known, parts = (
        {word: said.removesuffix(" *") for word, said in everyday_words("numbers").items()},
        everyday_words("parts"),
    )
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


def plain_number_clauses(clauses: Iterable[Clause]) -> Iterator[tuple[Clause, Number]]:
    """Yield the clauses that set a term to a plain number, each with the number."""
    for clause in clauses:
        if type(clause) is SetClause and (value := _plain_number(clause.value.node)) is not None:
            yield clause, value


def _plain_number(node: Node) -> Number | None:
    """Return the number that an expression plainly is: a constant, its negative, or one over another."""
    if type(node.value) is int:
        return node.value
    parts = [_plain_number(part) for part in node.parts]
    if node.negated and parts[0] is not None:
        return simplify_number(-parts[0])
    if node.arithmetic == "/" and parts[0] is not None and parts[1]:
        return simplify_number(Fraction(parts[0]) / parts[1])
    return None


def numbers_in_clauses(clauses: Iterable[Clause]) -> frozenset[Number]:
    """Return all numbers that stand in clauses, in their drafts too, whatever for."""
    found: set[Number] = set()
    for clause in clauses:
        if isinstance(clause, DraftClause):
            found |= numbers_in_clauses(clause.body) | numbers_in_wording(clause.wording)
        found |= {one for node in clause.walk() if (one := _plain_number(node)) is not None}
    return frozenset(found)


def unmatched_numbers(
    wording: str, clauses: tuple[Clause, ...]
) -> tuple[tuple[Number, ...], tuple[tuple[Clause, Number], ...]]:
    """Return the numbers of a wording that no clause has, and the clauses that set a number which the wording has not.

    Either is of no account by itself: clauses may reckon otherwise than people say it. A number beside another
    (``turn < 4`` for the first three turns) counts as the same.
    """
    said, meant = numbers_in_wording(wording), numbers_in_clauses(clauses)
    near = {sign * one + step for one in meant for sign in (-1, 1) for step in (-1, 0, 1)}
    spare = tuple(sorted(one for one in said if one not in near and one not in (0, 1)))
    return spare, tuple(
        (clause, one) for clause, one in plain_number_clauses(clauses) if one not in said and -one not in said
    )


@check("other-numbers", "mismatch", cost="read")
def other_numbers(run: DryRun) -> Messages:
    """Warn that its wording has a number that no clause has, or only the wording changes.

    Change the wording and the clauses together.

    Example: nb.amend(208, "Fifty points win.")
    """
    for rule, change in run.changes:
        old, new = rule.old, rule.new
        if new is None or change.kind not in ("enact", "amend"):
            continue
        spare, meant = unmatched_numbers(new.wording, new.clauses)
        if spare and meant and (old is None or (spare, meant) != unmatched_numbers(old.wording, old.clauses)):
            numbers, clauses = (
                join_words([str(one) for one in spare], "or"),
                _quote_clauses(clause for clause, _ in meant),
            )
            yield say(
                "number-in-no-clause", "its wording says {numbers}, but no clause does: {clauses}",
                numbers=numbers, clauses=clauses
            )  # fmt: skip
        elif old is not None and new.law and old.law == new.law and old.wording != new.wording and not change.add:
            yield say(
                "only-wording-changes", "only the wording changes, and the clauses stay as they are: {clauses}",
                clauses=_quote_clauses(new.clauses)
            )  # fmt: skip


def _quote_clauses(clauses: Iterable[Clause]) -> str:
    return ", ".join(f"“{one}”" for one in clauses)


@check("odd-quota", "mismatch", cost="law")
def odd_quota(run: DryRun) -> Messages:
    """Warn that a share was written where weight is counted, so that next to nothing adopts.

    Write a share of all votes as a part of `unanimity(vote.electorate)`.

    Example: nb.amend(203, "Two thirds of the votes adopt.", "set vote.quota to 2/3")
    """
    for one in run.turned:
        value = one.new.value
        if one.key != "vote.quota" or not one.new.answered or not isinstance(value, int | Fraction):
            continue
        if value <= 0:
            needless = cite(say("quota-nothing", "the quota would be {quota}", quota=value), one.new.rule)
            yield needless.within("{message}: no vote in favour is needed")
        elif value < 1 and _does_one_vote_suffice(run.adoption.after, value):
            yield say(
                "quota-of-one-vote",
                "the quota would be {quota} of one vote, so one vote in favour would adopt, whatever the others say; "
                "for a share of all votes, write set vote.quota to {quota} * unanimity(vote.electorate)",
                quota=value,
            )


def _does_one_vote_suffice(state: State, quota: Number) -> bool:
    """Tell whether there are several voters, and each alone has as much as is needed."""
    electorate = finding_for_example(state, "vote.electorate")
    names = electorate.value if state.person_names and electorate.answered else ()
    weights = [finding_for_example(state, "vote.weight", voter=one).value for one in cast(tuple[Value, ...], names)]
    return len(weights) > 1 and all(isinstance(one, int | Fraction) and one >= quota for one in weights)


@check("paradox", cost="law")
def paradox(run: DryRun) -> Messages:
    r"""Warn that it depends on itself, contradicts itself, repeals itself, or sets itself off for ever.

    Leave out one of the clauses, or give it a condition.

    Example: nb.enact("Yes and no.", "allow skip\nforbid skip")
    """
    for turned in run.turned:
        if "depends on itself" in turned.new.reason:
            yield say("answer-circular", "{where}: {reason}", where=turned.where, reason=turned.new.reason)
    for rule in run.adoption.costly:
        if run.steps < STEPS_PER_ACTION:
            yield say(
                "steps-many",
                "rule {rule} takes a long time: more than {steps:,} steps; beyond {most:,} it is left out",
                rule=rule, steps=run.steps, most=STEPS_PER_ACTION
            )  # fmt: skip
        else:
            yield say(
                "steps-too-many", "rule {rule} takes more than the {most:,} steps of one action, and would be left out",
                rule=rule, most=STEPS_PER_ACTION
            )  # fmt: skip
    for endless in run.adoption.endless:
        yield say("effects-endless", "{what}", what=endless)
    for key in dict.fromkeys(one.key for one in run.of(SetClause)):
        if circle := _find_circle(run.law, key):
            yield say("key-circular", "{key} depends on itself: {circle}", key=key, circle=" → ".join(circle))
    for clause in run.of(TriggerClause):
        for effect in clause.effects_at_once():  # and not what it does in some turns
            if effect.form.name == "repeal" and effect.rule.node.text == "this" and not isinstance(clause, OfferClause):
                yield say("repeals-itself", "it repeals itself: “{clause}”", clause=clause)
    for one, other in (pair for rule in run.rules if rule.new for pair in _find_contradictions(rule.new)):
        yield say(
            "clauses-contradict", "two of its clauses contradict each other: “{one}” and “{other}”",
            one=one, other=other
        )  # fmt: skip


@check("ties", cost="read")
def ties(run: DryRun) -> Messages:
    """Warn that it takes the first of several that may share a place.

    Say what decides between those who share it.

    Example: nb.enact("Best.", "on said: award 1 points to item(highest(playing, [p.points for p in playing]), 1)")
    """
    for clause in run.fresh:
        for node in clause.calls("item"):
            if node.parts[0].function in RANKING_WORDS:
                yield say(
                    "tie-broken-by-order", "“{clause}” breaks a tie: it takes whoever comes first in the list",
                    clause=clause
                )  # fmt: skip


def _find_contradictions(rule: Rule) -> Iterator[tuple[Clause, Clause]]:
    always: dict[str, SetClause] = {}
    for clause in rule.clauses:
        if isinstance(clause, SetClause) and clause.condition is None:
            first = always.setdefault(clause.key, clause)
            if first.value != clause.value:
                yield first, clause
    for one, two in product([one for one in rule.clauses if isinstance(one, ClaimClause)], repeat=2):
        if one.prevails and not two.prevails and one.key == two.key and set(one.over or ()) & set(two.over or ()):
            yield one, two


def _find_circle(law: Law, key: str) -> tuple[str, ...]:
    """Return a way from a key over the keys that its clauses look up, back to it; nothing where there is none."""
    waiting: list[tuple[str, ...]] = [(key,)]
    seen: set[str] = set()
    while waiting:
        path = waiting.pop()
        for one in law.dependence.expressions_of(path[-1]):
            for inner in law.dependence.keys_of(one):
                if inner == key and not (inner not in one.keys and one.words & ASKING_FUNCTIONS):
                    return (*path, key)
                if inner not in seen:
                    seen.add(inner)
                    waiting.append((*path, inner))
    return ()
