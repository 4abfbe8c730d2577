"""Which warnings a change gets: what all checks find in a dry run of it, but for those that are switched off."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from nomic_nb.engine.errors import WrongArgument
from nomic_nb.engine.messages import say
from nomic_nb.engine.words import join_words
from nomic_nb.study.review.dry_run import DEPTH, DryRun, later_runs
from nomic_nb.study.review.warnings import (
    clarity,
    consistency,
    deadlock,
    names,
    no_effect,
    scoring,
    secrecy,
    timing,
)
from nomic_nb.study.review.warnings.registry import KINDS, Check
from nomic_nb.study.views.remarks import WarningSign

#: All checks, in the order in which a review has their warnings.
CHECKS = tuple(
    sorted(
        (
            one
            for subject in (clarity, consistency, no_effect, secrecy, names, timing, deadlock, scoring)
            for one in vars(subject).values()
            if isinstance(one, Check)
        ),
        key=lambda one: KINDS.index(one.kind),
    )
)
#: Those for which a change need not be tried out.
QUICK = tuple(one for one in CHECKS if one.cost != "try")


def checks_without(without: str | Iterable[str]) -> tuple[Check, ...]:
    """Return all checks but those of some codes, or kinds.

    Raises
    ------
    WrongArgument
        There is no such check.
    """
    off = {without} if isinstance(without, str) else set(without)
    if not off:
        return CHECKS
    known = dict.fromkeys([name for one in CHECKS for name in (one.code, one.kind)])
    for name in sorted(off - known.keys()):
        there = join_words(list(known))
        raise WrongArgument(
            say("warning-unknown", "no warning is called {name!r}; there are {there}", name=name, there=there)
        )
    return tuple(one for one in CHECKS if not off & {one.code, one.kind})


def find_signs(run: DryRun, checks: Iterable[Check] = CHECKS) -> tuple[WarningSign, ...]:
    """Return the warnings of a change; of changes that are voted on one by one, those of each."""
    found = [find_signs(one, checks) for one in run.parts] if run.parts else [one.signs(run) for one in checks]
    return tuple(dict.fromkeys(chain.from_iterable(found)))


def find_later_signs(run: DryRun, checks: Iterable[Check] = CHECKS, depth: int = DEPTH) -> Iterator[WarningSign]:
    """Yield the warnings of what a change brings later, of so many changes in a row that rules make."""
    grave = [one for one in checks if one.kind == "destructive"]  # which take longest, and so come last
    light = [one for one in checks if one not in grave]
    for when, then in later_runs(run):
        further = find_later_signs(then, checks, depth - 1) if depth > 1 else ()
        last = chain.from_iterable(one.signs(then) for one in grave)
        for sign in chain(find_signs(then, light), further, last):
            yield replace(sign, evidence=sign.evidence.within("{when}, {message}", when=when))
