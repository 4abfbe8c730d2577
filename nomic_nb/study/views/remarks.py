"""What to check before a vote: warnings of a proposed change, and the lines that are made of them."""

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
    """A warning of a proposed change. `nomic_nb/docs/warnings.md` lists all of them.

    Parameters
    ----------
    code : str
        The check that found it, such as ``past``.
    kind : str
        ``unclear``, ``ambiguous``, ``mismatch``, ``no-difference``, ``several-changes``, ``paradox``, ``too-early``,
        ``too-late``, ``ties``, ``seen-by-all`` or ``destructive``.
    evidence : Message
        What it rests on: what is so, and behind a colon or a semicolon why. It has a code and values of its own.
    """

    code: str
    kind: str
    evidence: Message

    @property
    def name(self) -> str:
        """The kind, in words."""
        return self.kind.replace("-", " ")

    @property
    def in_two(self) -> tuple[str, str]:
        """What is so, and why.

        Examples
        --------
        >>> from nomic_nb.engine.messages import say
        >>> said = say("repeals-itself", "it repeals itself: “{clause}”", clause="on enacted: repeal this")
        >>> WarningSign("paradox", "paradox", said).in_two
        ('it repeals itself', '“on enacted: repeal this”')
        """
        quoted = 0
        for at, letter in enumerate(self.evidence[:-2]):
            quoted += (letter in "“(") - (letter in "”)")
            if not quoted and letter in ":;" and self.evidence[at + 1] == " ":
                return self.evidence[:at], self.evidence[at + 2 :]
        return self.evidence, ""

    def __str__(self) -> str:
        return f"{self.name}: {self.evidence}"


@frozen
class WarningRemark:
    """One thing that is odd.

    Parameters
    ----------
    line : str
        What it is, half a sentence.
    signs : tuple of WarningSign
        The warnings that it sums up.
    """

    line: str
    signs: tuple[WarningSign, ...]

    @property
    def evidence(self) -> str:
        """What it rests on; empty where the line says it all."""
        return "; ".join(why for one in self.signs if (why := one.in_two[1]))

    def __str__(self) -> str:
        return self.line


@frozen
class ProposalRemarks(Displayed):
    """What is odd about a proposal. Hints: nothing in them stops anything.

    Parameters
    ----------
    every : tuple of Remark
        The gravest first; not all of them are shown.
    untried : str
        What is not known yet, because the change was not tried out, or not to the end; empty where it was.
    """

    every: tuple[WarningRemark, ...] = ()
    untried: str = ""

    @property
    def found(self) -> tuple[WarningRemark, ...]:
        """Those that are shown."""
        return self.every[:MOST]

    @property
    def left_out(self) -> int:
        """How many more a review has."""
        return len(self.every) - len(self.found)

    def without(self, *codes: str) -> ProposalRemarks:
        """Return the remarks without warnings of some codes, or kinds.

        Parameters
        ----------
        *codes : str
            Such as ``past``, or ``no-difference`` for all of a kind.
        """
        off = {*codes}
        some = (one for one in self.every if not all(off & {sign.code, sign.kind} for sign in one.signs))
        return replace(self, every=tuple(some))

    @property
    def last(self) -> Iterator[str]:
        """What is said behind them: how many are left out, and what is not known."""
        if self.left_out:
            yield f"and {self.left_out} more, listed in the review"
        if self.untried:
            yield self.untried

    def __bool__(self) -> bool:
        return bool(self.found or self.untried)

    def __iter__(self) -> Iterator[WarningRemark]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def __str__(self) -> str:
        return "\n".join(f"Worth a thought: {one}." for one in (*self.found, *self.last))
