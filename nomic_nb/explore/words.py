"""Small words: numbers in rows, values and findings as people say them."""

from __future__ import annotations

from collections.abc import Iterable

from nomic_nb.law.findings import Finding
from nomic_nb.law.rules import Number
from nomic_nb.law.values import Ref, Value, shown
from nomic_nb.markup.words import listed


def spans(numbers: Iterable[Number]) -> str:
    """Return numbers in order, those that follow one another drawn together.

    Examples
    --------
    >>> spans([113, 101, 102, 103, "P4", 115, 114, 201])
    '101–103, 113–115, 201, P4'
    >>> spans([-103, -102, -101, -110])
    '-110, -103 to -101'
    """
    plain = sorted({one for one in numbers if isinstance(one, int)})
    labels = sorted({one for one in numbers if isinstance(one, str)})
    rows: list[list[int]] = []
    for one in plain:
        if rows and rows[-1][-1] == one - 1:
            rows[-1].append(one)
        else:
            rows.append([one])
    said = [
        str(row[0]) if len(row) == 1
        else f"{row[0]}, {row[1]}" if len(row) == 2
        else f"{row[0]}{' to ' if row[0] < 0 else '–'}{row[-1]}"
        for row in rows
    ]  # fmt: skip
    return ", ".join([*said, *labels])


def value_in_words(value: Value) -> str:
    """Return a value without the marks that the law language needs.

    Examples
    --------
    >>> value_in_words((Ref("player", "Ann"), Ref("player", "Ben"))), value_in_words(True), value_in_words("open")
    ('Ann, Ben', 'yes', 'open')
    """
    if isinstance(value, Ref):
        return "a rule" if value.kind == "rule" else str(value.id)
    if isinstance(value, tuple):
        return ", ".join(value_in_words(one) for one in value) or "nobody and nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else shown(value)


def answer(finding: Finding) -> str:
    """Return what a finding says, in a few words and without the rule."""
    if finding.answered:
        return value_in_words(finding.value)
    if finding.outcome == "depends" and finding.value is not None:
        return f"{value_in_words(finding.value)} or another, depending on {listed(finding.depends_on)}"
    if finding.outcome == "torn":
        return f"torn between rules {listed([str(one) for one in rules_of(finding)])}"
    if finding.outcome == "depends":
        return "it depends on " + listed(finding.depends_on)
    return {"silent": "no rule says"}.get(finding.outcome, f"undecided: {finding.reason}")


def rules_of(finding: Finding) -> tuple[Number, ...]:
    """Return the numbers of the rules that prevail, or that are torn."""
    return tuple(dict.fromkeys(source.rule.number for source in finding.sources))


def answer_and_rule(finding: Finding) -> str:
    """Return what a finding says, and by which rule.

    Examples
    --------
    >>> answer_and_rule(Finding("vote.quota", None, "silent"))
    'no rule says'
    """
    rules = rules_of(finding)
    if not rules or finding.outcome in ("torn", "undecided"):
        return answer(finding)
    return f"{answer(finding)} ({'rule' if len(rules) == 1 else 'rules'} {spans(rules)})"
