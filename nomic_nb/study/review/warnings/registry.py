"""The checks of a proposed change: what a warning is called, of what kind it is, and what it costs to look for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.messages import Message
from nomic_nb.study.review.dry_run import DryRun
from nomic_nb.study.views.remarks import WarningSign

#: Kinds of warnings, in the order in which a review has them.
KINDS = (
    "unclear", "ambiguous", "mismatch", "no-difference", "several-changes", "paradox", "too-early", "too-late", "ties",
    "seen-by-all", "destructive",
)  # fmt: skip
#: The kinds that are worth a voter's line, the gravest first. Vague words and long sentences are for the review.
WORTH = ("destructive", "paradox", "mismatch", "too-early", "too-late", "seen-by-all", "no-difference", "ambiguous")
#: What a check needs: only what the change says, what the law with it says, or that it was adopted on trial.
COSTS = ("read", "law", "try")

#: What a check, or a part of one, finds.
Messages = Iterator[Message]
#: Looks for what it warns of, and says what it rests on.
Find = Callable[[DryRun], Messages]


@frozen
class Check:
    """A check of a proposed change.

    Parameters
    ----------
    code : str
        What its warning is called; no other check has it.
    kind : str
        One of `KINDS`.
    cost : str
        One of `COSTS`.
    find : callable
        Its docstring says what it warns of, what to do, and an example.
    """

    code: str
    kind: str
    cost: str
    find: Find

    def find_warnings(self, run: DryRun) -> Iterator[WarningSign]:
        """Yield the warnings that this check finds in a dry run."""
        return (WarningSign(self.code, self.kind, message) for message in self.find(run))


def check(code: str, kind: str = "", *, cost: str) -> Callable[[Find], Check]:
    """Return a decorator that makes a `Check` out of a function that yields the messages of a warning.

    Parameters
    ----------
    code : str
        What its warning is called: words with hyphens.
    kind : str
        One of `KINDS`; the code itself, where it is not given.
    cost : str
        One of `COSTS`.
    """
    return lambda find: Check(code, kind or code, cost, find)


def add_citation(message: Message, rule: Number | None) -> Message:
    """Return a message with the number of a rule in brackets; unchanged without a rule."""
    return message if rule is None else message.embed_in("{message} (rule {rule})", rule=rule)
