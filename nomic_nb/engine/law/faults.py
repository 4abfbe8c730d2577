"""Faults of the kit itself, which must not end a game: the clause concerned, and the parts left out because of it.

A fault within a step of play ends the step, which is done anew without that clause, and the record says so. A clause
that fails while somebody only looks at the law gives no answer.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from nomic_nb.engine.law.nodes import FAILING_CLAUSES, FAILURE_MESSAGE, BudgetExceeded, LawPart, Undecided, View
from nomic_nb.engine.law.values import Value

#: Used when no rule is running.
NO_RULE: LawPart = 0, ""
_LOG = logging.getLogger("nomic_nb")


class StepEnd(Exception):  # noqa: N818 - what has to reach whoever runs a step
    """An error that ends a step of play, and is not a doubt about the law."""


class KitFault(StepEnd):
    """Something fails in a step.

    Parameters
    ----------
    part : Part
        Whose doing it was: the id of a rule, and the key that its clause sets, or the clause; id 0 for no rule.
    """

    def __init__(self, part: LawPart) -> None:
        self.part = part
        super().__init__(str(part))


def kit_fault_for(error: Exception, part: LawPart) -> KitFault | Undecided:
    """Log an unforeseen error in evaluating a clause; return the `KitFault` or `Undecided` to raise instead.

    It is a `KitFault` within a step of play, and `Undecided` if the law is only read.
    """
    _LOG.debug("a fault in the kit, in rule and clause %s", part, exc_info=error)
    undecided = Undecided(FAILURE_MESSAGE) if FAILING_CLAUSES.get() is None else KitFault(part)
    undecided.__cause__ = error
    return undecided


def with_fault_handling(run: Callable[[View], Value]) -> Callable[[View], Value]:
    """Return `run` wrapped so that an unforeseen error is logged and raised as a fault of the evaluated clause."""

    def shield(view: View) -> Value:
        try:
            return run(view)
        except (
            Undecided,
            BudgetExceeded,
            StepEnd,
            RecursionError,
            MemoryError,
        ):  # the resolver says which rules go too deep
            raise
        except Exception as error:
            if view.meter is not None:
                view.meter.anew = True  # what is found beside it must not be remembered
            raise kit_fault_for(error, view.clause_at_work) from error

    return shield
