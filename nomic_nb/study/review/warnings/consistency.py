"""Warnings that a rule would not do what its words say, or that its clauses contradict themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product
from typing import cast

from nomic_nb.chess.multiverse.rules import KIND_NAMES
from nomic_nb.engine.law.clauses import (
    ClaimClause,
    Clause,
    DraftClause,
    InsteadClause,
    OfferClause,
    SetClause,
    TriggerClause,
    WheneverClause,
)  # fmt: skip
from nomic_nb.engine.law.hints import everyday_table
from nomic_nb.engine.law.nodes import STEPS_PER_ACTION, Node
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import OTHERWISE, Rule
from nomic_nb.engine.law.values import Number, Value, simplify_number
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.state import State
from nomic_nb.engine.words import join_words
from nomic_nb.study.review.cases import all_effects, finding_for_example
from nomic_nb.study.review.dry_run import DryRun
from nomic_nb.study.review.renumbering import rules_named_in_wording
from nomic_nb.study.review.warnings.registry import Messages, add_citation, check

_FIGURE = re.compile(r"(?<![\w.])(\d+(?:,\d{3})+|\d+)(?:\.(\d+)|\s*/\s*([1-9]\d*))?(\s*%|\s+per\s?cent\b)?(?!\w)")
_WORD = re.compile(r"[a-z]+")
#: A number that is no longer so.
_INSTEAD = re.compile(r"\b(?:instead of|rather than|no longer) (?:\d[\d.,]*|\w+)", re.IGNORECASE)
#: A kind that a capturing piece must have.
_KIND_OF_CAPTURER = re.compile(r'\bcapturer\.kind == "([NBRQP])"')
#: Words of a rule that has thought of pawns that promote.
_PROMOTING = re.compile(r"\b(?:promot|becom)\w*", re.IGNORECASE)
#: Functions by which things are put in an order in which several can share a place.
RANKING_WORDS = frozenset({"ordered", "highest", "lowest"})
#: Functions that ask about another case of the term in which they stand.
ASKING_FUNCTIONS = frozenset({"moves_of"})


def numbers_in_wording(wording: str) -> frozenset[Number]:
    """Return the numbers in a wording, in figures or words, without rule numbers.

    Examples
    --------
    >>> wording = "By rule 208, a hundred and five points win, or fifty-five, or 2.5, or two thirds of 10."
    >>> sorted(numbers_in_wording(wording))
    [Fraction(2, 3), Fraction(5, 2), 10, 55, 105]
    """
    for _, sentence in rules_named_in_wording(wording):
        wording = wording.replace(sentence, " ")
    numbers = set()
    for whole, decimals, parts, percent in _FIGURE.findall(wording):
        value = Fraction(f"{whole.replace(',', '')}{'.' + decimals if decimals else ''}") / int(parts or 1)
        numbers.add(simplify_number(value / 100 if percent else value))
    return frozenset(numbers | set(_numbers_spelled_out(_WORD.findall(wording.lower()))))


def _numbers_spelled_out(words: list[str]) -> Iterator[Number]:
    """Yield the numbers that successive words spell out, such as 55 for “fifty”, “five”."""
    number: int | None = None
    known, parts = (
        {word: sentence.removesuffix(" *") for word, sentence in everyday_table("numbers").items()},
        everyday_table("parts"),
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
    """Yield the clauses that set a term to a constant number, with that number."""
    for clause in clauses:
        if type(clause) is SetClause and (value := constant_number(clause.value.node)) is not None:
            yield clause, value


def constant_number(node: Node) -> Number | None:
    """Return the value of a constant number, its negative or a fraction; None for other expressions."""
    if type(node.value) is int:
        return node.value
    parts = [constant_number(part) for part in node.parts]
    if node.negated_node and parts[0] is not None:
        return simplify_number(-parts[0])
    if node.arithmetic == "/" and parts[0] is not None and parts[1]:
        return simplify_number(Fraction(parts[0]) / parts[1])
    return None


def numbers_in_clauses(clauses: Iterable[Clause]) -> frozenset[Number]:
    """Return all constant numbers in clauses, those of rules drafted in them included."""
    numbers: set[Number] = set()
    for clause in clauses:
        if isinstance(clause, DraftClause):
            numbers |= numbers_in_clauses(clause.body) | numbers_in_wording(clause.wording)
        numbers |= {number for node in clause.walk() if (number := constant_number(node)) is not None}
    return frozenset(numbers)


def find_unmatched_numbers(
    wording: str, clauses: tuple[Clause, ...]
) -> tuple[tuple[Number, ...], tuple[tuple[Clause, Number], ...]]:
    """Return the numbers that only a wording has, and pairs of clause and number for those that the wording lacks.

    Either is of no account by itself: clauses may reckon otherwise than people say it. A number beside another
    (``turn < 4`` for the first three turns) counts as the same.
    """
    numbers, meant = numbers_in_wording(wording), numbers_in_clauses(clauses)
    near = {sign * number + step for number in meant for sign in (-1, 1) for step in (-1, 0, 1)}
    near |= {Fraction(1) / number for number in meant if number}  # whoever halves something divides by 2
    named = numbers_in_wording(_INSTEAD.sub(" ", wording))
    spare = tuple(sorted(number for number in named if number not in near and number not in (0, 1)))
    return spare, tuple(
        (clause, number)
        for clause, number in plain_number_clauses(clauses)
        if number not in numbers and -number not in numbers
    )


@check("other-numbers", "mismatch", cost="read")
def warn_of_unmatched_numbers(run: DryRun) -> Messages:
    """Warn that the new wording has a number that no clause has, or the wording alone changes.

    Change the wording and the clauses together.

    Example: nb.amend(208, "Fifty points win.")
    """
    for rule, change in run.changes_with_rules:
        old, new = rule.old, rule.new
        if new is None or change.kind not in ("enact", "amend"):
            continue
        spare, meant = find_unmatched_numbers(new.wording, new.clauses)
        if spare and meant and (old is None or (spare, meant) != find_unmatched_numbers(old.wording, old.clauses)):
            numbers, clauses = (
                join_words([str(number) for number in spare], "or"),
                _join_quoted_clauses(clause for clause, _ in meant),
            )
            yield say(
                "number-in-no-clause", "its wording says {numbers}, but no clause does: {clauses}",
                numbers=numbers, clauses=clauses
            )  # fmt: skip
        elif old is not None and new.law and old.law == new.law and old.wording != new.wording and not change.add:
            yield say(
                "only-wording-changes", "only the wording changes, not the clauses: {clauses}",
                clauses=_join_quoted_clauses(new.clauses)
            )  # fmt: skip


def _join_quoted_clauses(clauses: Iterable[Clause]) -> str:
    """Return the texts of clauses in quotation marks, joined by commas."""
    return ", ".join(f"“{clause}”" for clause in clauses)


@check("promoted-capturer", "mismatch", cost="read")
def warn_of_promoted_capturer(run: DryRun) -> Messages:
    """Warn that a clause takes a pawn that captures and promotes for a piece of its new kind.

    Note which pieces are pawns, as in “Rules about boards” on the page for explorers, or say in the wording what
    counts.

    Example: nomic-chess: nb.enact("Forks.", 'on captured when capturer.kind == "N": announce "A knight was here."')
    """
    clauses = [clause for clause in run.new_clauses_of_type(TriggerClause) if not isinstance(clause, InsteadClause)]
    said = " ".join(one.new.wording for one in run.rules if one.new)
    if _PROMOTING.search(said) or any(clause.event == "promoted" for clause in clauses):
        return
    for clause in clauses:
        if clause.event == "captured" and (found := _KIND_OF_CAPTURER.search(str(clause))):
            name = KIND_NAMES[found[1].lower()]
            yield say(
                "capturer-promoted",
                "a pawn that captures and {becomes} in the same move {counts} as a {name}: in “{clause}”, "
                "capturer.kind is its kind after the move",
                becomes="promotes" if name == "pawn" else f"becomes a {name}",
                counts="doesn’t count" if name == "pawn" else "counts", name=name, clause=clause,
            )  # fmt: skip


@check("odd-quota", "mismatch", cost="law")
def warn_of_tiny_quota(run: DryRun) -> Messages:
    """Warn that the change sets a quota below one whole vote, so next to no votes would pass a proposal.

    Write a share of all votes as a part of `unanimity(vote.electorate)`.

    Example: nb.amend(203, "Two thirds of the votes adopt.", "set vote.quota to 2/3")
    """
    yield from _find_sinking_quotas(run)
    for changed in run.turned:
        value = changed.new.value
        if changed.key != "vote.quota" or not changed.new.answered or not isinstance(value, int | Fraction):
            continue
        if value <= 0:
            needless = say("quota-nothing", "the number of votes needed would be {quota}", quota=value)
            needless = add_citation(needless, changed.new.rule)
            yield needless.embed_in("{message}: no vote in favour would be needed")
        elif value < 1 and _does_one_vote_suffice(run.adoption.after, value):
            yield say(
                "quota-of-one-vote",
                "{quota} here means {quota} of a single vote, so one vote in favour would pass a "
                "proposal, whatever the others say; for a share of all votes, write `set vote.quota to "
                "{quota} * unanimity(vote.electorate)`",
                quota=value,
            )


def _find_sinking_quotas(run: DryRun) -> Messages:
    """Yield messages on quotas from which a count is taken, so that nothing may be left of them."""
    for clause in run.new_clauses_of_type(SetClause):
        if clause.key == "vote.quota" and not any(clause.calls("max")):
            for node in clause.value.node.walk():
                if node.arithmetic != "-" or node.parts[0].name != OTHERWISE or node.parts[1].is_constant:
                    continue
                if "not_voted" not in node.canonical:  # else silence counts as a vote in favour
                    yield say(
                        "quota-sinks", "the votes needed can sink to 0 by “{part}”, and then everything passes: write "
                        "max([1, {part}])",
                        part=node.canonical[1:-1],
                    )  # fmt: skip


def _does_one_vote_suffice(state: State, quota: Number) -> bool:
    """Return True if there are several voters and each one's ballot alone reaches the quota."""
    electorate = finding_for_example(state, "vote.electorate")
    names = electorate.value if state.person_names and electorate.answered else ()
    weights = [finding_for_example(state, "vote.weight", voter=value).value for value in cast(tuple[Value, ...], names)]
    return len(weights) > 1 and all(isinstance(weight, int | Fraction) and weight >= quota for weight in weights)


@check("paradox", cost="law")
def warn_of_paradox(run: DryRun) -> Messages:
    r"""Warn that the proposal depends on itself, contradicts itself, repeals itself, or sets itself off forever.

    Remove one of the clauses, or give it a condition.

    Example: nb.enact("Yes and no.", "allow skip\nforbid skip")
    """
    for turned in run.turned:
        if "depends on itself" in turned.new.reason:
            yield say("answer-circular", "{where}: {reason}", where=turned.term_and_case, reason=turned.new.reason)
    for rule in run.adoption.costly:
        if run.steps < STEPS_PER_ACTION:
            yield say(
                "steps-many",
                "rule {rule} takes a long time to work out: more than {steps:,} steps. Beyond {most:,}, "
"the game ignores it",
                rule=rule, steps=run.steps, most=STEPS_PER_ACTION
            )  # fmt: skip
        else:
            yield say(
                "steps-too-many",
                "rule {rule} takes more than the {most:,} steps allowed for one action, so the game "
"would ignore it",
                rule=rule, most=STEPS_PER_ACTION
            )  # fmt: skip
    for endless in run.adoption.endless:
        yield say("effects-endless", "{what}", what=endless)
    for key in dict.fromkeys(setting.key for setting in run.new_clauses_of_type(SetClause)):
        if circle := _find_term_cycle(run.law, key):
            yield say("key-circular", "{key} depends on itself: {circle}", key=key, circle=" → ".join(circle))
    for clause in run.new_clauses_of_type(TriggerClause):
        if isinstance(clause, OfferClause | WheneverClause) or not (clause.condition is None or clause.on_own_rule):
            continue  # that is an end that the rule provides for
        for effect in clause.unconditional_effects():  # and not what it does in some turns
            if effect.form.name == "repeal" and effect.rule.node.text == "this":
                yield say("repeals-itself", "it repeals itself: “{clause}”", clause=clause)
    for first, other in (pair for rule in run.rules if rule.new for pair in _find_contradictions(rule.new)):
        yield say(
            "clauses-contradict", "two of its clauses contradict each other: “{one}” and “{other}”",
            one=first, other=other
        )  # fmt: skip


#: A condition on how many are level; and a wording that says that the first of them is taken.
_LOOKS_AT_TIES = re.compile(r"\(count\((.+)\) (?:(?:==|!=|<=|>) [^0]|(?:<|>=) [^01])")
_TIE_BROKEN = re.compile(r"\b(?:tie|ties|tied|level)\b[^.;]*\b(?:first|earliest|earlier|oldest|order)\b", re.IGNORECASE)


@check("ties", cost="read")
def warn_of_ties(run: DryRun) -> Messages:
    """Warn that a clause of the proposal takes the first of several players or things that can be tied.

    Say what breaks the tie.

    Example: nb.enact("Best.", "on said: award 1 points to item(highest(playing, [p.points for p in playing]), 1)")
    """
    wordings = " ".join(change.wording or "" for _, change in run.changes_with_rules)
    for clause in () if _TIE_BROKEN.search(wordings) else run.new_clauses:
        named = {effect.name: effect.value.node for effect in all_effects((clause,), "be")}
        looked = filter(None, (_LOOKS_AT_TIES.match(node.canonical) for node in clause.walk() if node.comparison))
        counted = {found[1] for found in looked}
        for node in clause.calls("item"):
            ranking = named.get(node.parts[0].name, node.parts[0])
            # Which of two equal numbers is taken makes no difference.
            if node.parts[0].canonical in counted:
                continue
            if ranking.function in RANKING_WORDS and len({part.canonical for part in ranking.parts}) > 1:
                yield say(
                    "tie-broken-by-order", "“{clause}” breaks a tie: it takes the first in the list",
                    clause=clause
                )  # fmt: skip


def _find_contradictions(rule: Rule) -> Iterator[tuple[Clause, Clause]]:
    """Yield pairs of clauses of one rule that contradict each other, about a term's value or about precedence."""
    always: dict[str, SetClause] = {}
    for clause in rule.clauses:
        if isinstance(clause, SetClause) and clause.condition is None:
            first = always.setdefault(clause.key, clause)
            if first.value != clause.value:
                yield first, clause
    for claim_clause, two in product(
        [candidate for candidate in rule.clauses if isinstance(candidate, ClaimClause)], repeat=2
    ):
        if (
            claim_clause.prevails
            and not two.prevails
            and claim_clause.key == two.key
            and set(claim_clause.over or ()) & set(two.over or ())
        ):
            yield claim_clause, two


def _find_term_cycle(law: Law, key: str) -> tuple[str, ...]:
    """Return the keys of terms that depend on each other, from a key back to itself; empty if none do."""
    waiting: list[tuple[str, ...]] = [(key,)]
    seen = set()
    while waiting:
        path = waiting.pop()
        for expression in law.dependence.expressions_of(path[-1]):
            for inner in law.dependence.keys_of_expression(expression):
                if inner == key and not (inner not in expression.keys and expression.words & ASKING_FUNCTIONS):
                    return (*path, key)
                if inner not in seen:
                    seen.add(inner)
                    waiting.append((*path, inner))
    return ()
