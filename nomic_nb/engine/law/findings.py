"""Findings: the answer of the law for one key, and the clauses that it rests on."""

from __future__ import annotations

from typing import Any, cast

from nomic_nb.engine.display import Displayed
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.law.rules import Number, SourceClause, Sources
from nomic_nb.engine.law.values import Value, value_text


def set_clause_of(source: SourceClause) -> c.SetClause:
    """Return the clause of a `SourceClause`, typed as the `SetClause` that the caller knows it to be."""
    return source.clause  # type: ignore[return-value]  # asked too often for a cast


@frozen
class DefeatedClause:
    """A clause that speaks to the case and does not prevail, and why."""

    source: SourceClause
    reason: str


#: The outcomes in which the law gives an answer.
ANSWERED_KINDS = ("decided", "merged", "ruled")
#: The clauses that no other defeats, and the defeated ones.
PrevailingClauses = tuple[list[SourceClause], tuple[DefeatedClause, ...]]


@frozen
class Finding(Displayed):
    """The rules' answer for one key in one case.

    Parameters
    ----------
    key : str
        Key of the setting in question.
    value : Value
        The answer; None if the rules give no answer (see `outcome`).
    outcome : str
        ``decided``; ``merged`` (several rules of equal rank agree); ``ruled`` (no rule covers the case, or rules
        conflict, and a ruling settles it); ``silent`` (no rule covers it); ``torn`` (rules of equal rank conflict);
        ``undecided`` (a clause has no answer); ``depends`` (the case was not given).
    sources : tuple of Source
        The clauses that prevail, or that conflict.
    defeated : tuple of Defeated
        The clauses that apply to the case but do not prevail.
    facts : tuple of (str, Value)
        The facts looked up to find the answer.
    depends_on : tuple of str
        Names that the answer would depend on but that were not given.
    reason : str
        The reason why there is no answer.
    possible : tuple of Source
        The clauses that could apply, depending on names that were not given.
    root : Finding or None
        The finding on another key, if that finding has no answer and this one therefore has no answer either.
    case : tuple of (str, Value)
        If there is no answer: the facts of the case that the clauses on this key look at, or all the facts.
    when : str
        If there is no answer: the case that an answer would apply to, as a condition in the law language; empty for
        every case.
    on_top : int
        Number of sources, counted from the first, that add to the answer of the others.
    evidence : tuple of str
        Evidence that the prevailing clauses apply, in words.
    bans : tuple of str
        If only bans are undecided: everything that would forbid the action, as clauses that begin with “whether”; empty
        if anything else is undecided, or nothing is.
    """

    key: str
    value: Any  # of the type that the key is declared with
    outcome: str
    sources: Sources = ()
    defeated: tuple[DefeatedClause, ...] = ()
    facts: tuple[tuple[str, Value], ...] = ()
    depends_on: tuple[str, ...] = ()
    reason: str = ""
    root: Finding | None = None
    possible: Sources = ()
    case: tuple[tuple[str, Value], ...] = ()
    when: str = ""
    on_top: int = 0
    evidence: tuple[str, ...] = ()
    bans: tuple[str, ...] = ()

    @property
    def answered(self) -> bool:
        """Whether the law gives the key a value, by its rules or by a ruling."""
        return self.outcome in ANSWERED_KINDS

    def says(self, value: Value) -> bool:
        """Tell whether the law gives an answer, and the answer is exactly this value."""
        return self.answered and self.value == value

    @property
    def rule(self) -> Number | None:
        """The number of the first rule that the finding rests on; None if it rests on no rule."""
        return self.sources[0].rule.number if self.sources else None

    def __str__(self) -> str:
        if self.answered or (self.outcome == "depends" and self.value is not None):
            sentence = f"{self.key} is {value_text(self.value)}"
        else:
            sentence = {
                "silent": f"no rule says what {self.key} is",
                "torn": f"the rules conflict about {self.key}",
                "depends": f"{self.key} depends on {', '.join(self.depends_on)}",
            }.get(self.outcome, f"the law does not decide {self.key}: {self.reason}")
        lines = [sentence]
        head = {"merged": "say the same", "torn": "differ", "ruled": "settles it"}.get(self.outcome, "prevails")
        lines += [f"  adds to it: {source}" for source in self.sources[: self.on_top]]
        lines += [f"  {head}: {source}" for source in self.sources[self.on_top :]]
        lines += [f"  shown by: {evidence_text}" for evidence_text in self.evidence]
        lines += [f"  overridden: {defeated.source} — {defeated.reason}" for defeated in self.defeated]
        lines += [f"  could apply: {source}" for source in self.possible]
        if self.facts:
            lines.append("  where " + ", ".join(f"{name} is {value_text(value, 8)}" for name, value in self.facts))
        if self.depends_on and self.value is not None:
            lines.append("  depends on " + ", ".join(self.depends_on))
        return "\n".join(lines)


def finding_behind_doubt(doubt: Undecided) -> Finding | None:
    """Return the finding, on the key that has no value, behind an `Undecided` error; None without one."""
    return cast(Finding | None, doubt.finding)
