"""Points to check before a vote: warnings about a proposed change, and the lines made from them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from nomic_nb.engine.display import Displayed
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.messages import Message

#: Lines that are shown: who is given too many reads none.
MOST = 5


@frozen
class WarningSign:
    """A warning about a proposed change. `nomic_nb/docs/warnings.md` lists all of them.

    Parameters
    ----------
    code : str
        The check that found it, such as ``past``.
    kind : str
        ``unclear``, ``ambiguous``, ``mismatch``, ``no-difference``, ``several-changes``, ``paradox``, ``too-early``,
        ``too-late``, ``ties``, ``seen-by-all`` or ``destructive``.
    evidence : Message
        Basis of the warning: the fact, followed by the reason after a colon or a semicolon. It has its own code and
        values.
    """

    code: str
    kind: str
    evidence: Message

    @property
    def kind_in_words(self) -> str:
        """The kind of the warning, in words."""
        return self.kind.replace("-", " ")

    @property
    def statement_and_reason(self) -> tuple[str, str]:
        """The text of the warning in two parts: the fact, and the reason (empty if it gives none).

        Examples
        --------
        >>> from nomic_nb.engine.messages import say
        >>> said = say("repeals-itself", "it repeals itself: “{clause}”", clause="on enacted: repeal this")
        >>> WarningSign("paradox", "paradox", said).statement_and_reason
        ('it repeals itself', '“on enacted: repeal this”')
        """
        quoted = 0
        for at, letter in enumerate(self.evidence[:-2]):
            quoted += (letter in "“(") - (letter in "”)")
            if not quoted and letter in ":;" and self.evidence[at + 1] == " ":
                return self.evidence[:at], self.evidence[at + 2 :]
        return self.evidence, ""

    def __str__(self) -> str:
        return f"{self.kind_in_words}: {self.evidence}"


@frozen
class WarningRemark:
    """One point to check.

    Parameters
    ----------
    line : str
        The point, as half a sentence.
    signs : tuple of WarningSign
        The warnings that it sums up.
    """

    line: str
    signs: tuple[WarningSign, ...]

    @property
    def evidence(self) -> str:
        """The reasons of the warnings in the remark, in one text; empty if none has a reason."""
        return "; ".join(why for sign in self.signs if (why := sign.statement_and_reason[1]))

    def __str__(self) -> str:
        return self.line


@frozen
class ProposalRemarks(Displayed):
    """Oddities of a proposal. They are hints, and block nothing.

    Parameters
    ----------
    every : tuple of Remark
        The gravest first; not all of them are shown.
    untried : str
        Things not known yet, because the change was not tried out, or not to the end; empty if it was.
    next_effects : tuple of str
        Next effects of the new clauses, with numbers; empty until the change was tried out.
    bounds : tuple of str
        Findings of a search for loopholes, and goals not reached, with its bounds: for the host and for records.
    """

    every: tuple[WarningRemark, ...] = ()
    untried: str = ""
    next_effects: tuple[str, ...] = ()
    bounds: tuple[str, ...] = ()

    @property
    def shown_remarks(self) -> tuple[WarningRemark, ...]:
        """The remarks that displays show: the gravest few."""
        return self.every[:MOST]

    @property
    def hidden_count(self) -> int:
        """Number of remarks that only a full review shows."""
        return len(self.every) - len(self.shown_remarks)

    def without(self, *codes: str) -> ProposalRemarks:
        """Return these remarks, leaving out those that rest only on warnings of the given codes or kinds.

        Parameters
        ----------
        *codes : str
            Such as ``past``, or ``no-difference`` for all of a kind.
        """
        off = {*codes}
        some = (remark for remark in self.every if not all(off & {sign.code, sign.kind} for sign in remark.signs))
        return replace(self, every=tuple(some))

    @property
    def closing_lines(self) -> Iterator[str]:
        """Closing lines: the number of remarks that displays leave out, and things not known yet."""
        if self.hidden_count:
            yield f"and {self.hidden_count} more in the full review"
        if self.untried:
            yield self.untried

    def __bool__(self) -> bool:
        return bool(self.shown_remarks or self.untried)

    def __iter__(self) -> Iterator[WarningRemark]:
        return iter(self.shown_remarks)

    def __len__(self) -> int:
        return len(self.shown_remarks)

    def __str__(self) -> str:
        return "\n".join(f"Check before you vote: {remark}." for remark in (*self.shown_remarks, *self.closing_lines))
