"""The numbers of proposals, and the labels in their place: successive ones, or those that others assign."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import count, islice
from typing import cast

from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.law.values import NUMBER, TEXT, CaseNames, Value, optional_type, value_text
from nomic_nb.engine.law.vocabulary import Key
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.adoptability import SUPPOSED_CASE, suppose_proposed
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import VOTE_CASE, Proposal


def used_numbers(state: State) -> set[Number]:
    """Return the numbers already given to proposals and to the parts of joint proposals."""
    return {*state.proposals, *(number for proposal in state.proposals.values() for number in proposal.numbers)}


def check_proposal_number(state: State, number: Number | None) -> None:
    """Raise `IllegalAction` if a new proposal cannot have the number its player asks for; None passes.

    Raises
    ------
    IllegalAction
        The law gives numbers here, or it is not a whole number from the first one on, or it is taken.
    """
    if number is None:
        return
    numbering, first = state.find("proposal.numbering"), state.find("proposal.first_number")
    if numbering.value == "successive" and not state.is_replay:
        raise IllegalAction(
            "numbers-by-law", "the game numbers the proposals itself; leave out the number", rule=numbering.rule
        )
    least = first.value if isinstance(first.value, int) and not state.is_replay else 0
    if not isinstance(number, int) or not least <= number <= v.LARGEST:
        raise IllegalAction(
            "number-unfit",
            "a proposal’s number must be a whole number, {least} or higher",
            least=least,
            rule=numbering.rule,
        )
    if number in used_numbers(state) or (number in state.rules.by_number and not state.is_replay):
        raise IllegalAction(
            "number-taken",
            "number {number} is already taken; each number can be used only once",
            number=number,
            rule=numbering.rule,
        )


def check_rule_number(state: State, change: Change, number: int | None) -> None:
    """Raise `IllegalAction` if the rule that a change enacts cannot have a number of its own; None passes."""
    if number is not None and not (state.is_replay and change.kind == "enact" and number not in state.rules.by_number):
        raise IllegalAction(
            "rule-number-unfit",
            "you can number a new rule only in the replay of a record, with a number that no rule has",
        )


def assign_numbers(
    engine: Engine, player: str, change: Change, number: Number | None
) -> tuple[list[Number], int | None]:
    """Return a number for each proposed change, and how many were skipped before them (None if the law numbers).

    A number is left out where others than the law assign them, as rule -209 of GitHub Nomic does.

    Raises
    ------
    IllegalAction
        Others assign numbers, and none was said, or one that cannot be given.
    """
    state, many = engine.state, len(change.numbered_changes)
    labels = _labels_by_law(state, player, change)
    if labels:
        return labels, None
    numbering = state.find("proposal.numbering")
    first = engine.read("proposal.first_number")
    if state.law.value_or_undecided(numbering) == "successive" and (number is None or not state.is_replay):
        check_proposal_number(state, number)
        last, taken = state.last_number, {*used_numbers(state), *state.rules.by_number}
        free = (
            free_number
            for free_number in count(first if last is None else max(last + 1, first))
            if free_number not in taken
        )
        return list(islice(free, many)), None  # a number is given once
    if number is None:
        raise IllegalAction(
            "proposal-number-needed",
            "this game takes proposal numbers from outside; enter the number",
            rule=numbering.rule,
        )
    check_proposal_number(state, number)
    assert isinstance(number, int)  # noqa: S101 - it was checked
    for part_number in range(number + 1, number + many):  # those after it are of the other parts
        check_proposal_number(state, part_number)
    highest = max(
        (used_number for used_number in used_numbers(state) if isinstance(used_number, int)), default=first - 1
    )
    return list(range(number, number + many)), max(0, number - highest - 1)


def _labels_by_law(state: State, player: str, change: Change) -> list[Number]:
    """Return the labels, such as P2.5, by which the law numbers a proposal's changes; [] if it gives none.

    Raises
    ------
    Undecided
        It gives one that is taken, or labels some of them only.
    """
    labels: list[Number] = []
    for part in change.numbered_changes:
        trial = suppose_proposed(state, part, player)
        label = label_by_law(trial.law, "proposal.label", trial, SUPPOSED_CASE, used_numbers(trial))
        if label is None and not labels:
            return []
        if label is None:
            raise Undecided("labels-partial", "the rules give labels to only some of the changes proposed together")
        labels.append(label)
        state = state.replace(
            proposals={**state.proposals, label: Proposal(label, part, player, state.turn, circuit=state.circuit)}
        )
    return labels


def label_by_law(law: Law, key: str, state: State, case: CaseNames, taken: Iterable[Number] = ()) -> str | None:
    """Return the label (value of `key`) that the law gives, or None; raise `Undecided` if it is in use or `taken`."""
    finding = law.find(key, state, case)
    if finding.outcome == "silent":
        return None
    book = state.rules
    known = {*taken, *(number for rule in (*book, *book.repealed) for number in rule.all_numbers)}
    answer = law.ruling_on(key, state, case)
    label = None
    for label in (law.value_or_undecided(finding), *([answer.value] if answer is not None else [])):
        if label not in known:
            return cast(str | None, label)
    doubt = Finding(key, label, "undecided", finding.sources)
    raise Undecided(
        "label-taken", "label {label} is taken, and every label can be used only once", label=label, finding=doubt
    )


def label_misfit(value: Value) -> str:
    """Return an error message if a value is no label such as P2.5; an empty text if it is one, or None."""
    fits = value is None or re.fullmatch(r"[A-Z][A-Za-z0-9_]{0,20}(\.[0-9]{1,6}){0,2}", str(value))
    return (
        ""
        if fits
        else say(
            "label-malformed",
            "a label must be a capital letter, then letters or digits, then up to two numbers after dots, e.g. P2.5",
        )
    )


def _whole_number_misfit(value: Value) -> str:
    """Return an error message if a value is not a whole number; an empty text if it is one."""
    return (
        ""
        if isinstance(value, int)
        else say("not-whole", "it must be a whole number, not {value}", value=value_text(value))
    )


KEYS = (
    Key("proposal.numbering", TEXT,
        "whether proposals are numbered consecutively or get their numbers from outside the game",
        "when a proposal is made", values=("successive", "assigned"), needed=True),
    Key("proposal.label", optional_type(TEXT), "the label a proposal has instead of a number",
    "when a proposal is made",
        VOTE_CASE, misfit=label_misfit),
    Key("proposal.first_number", NUMBER,
        "the number of the first proposal; if numbers come from outside, the lowest number allowed",
        "when a proposal is made", needed=True,
        misfit=_whole_number_misfit),
)  # fmt: skip
