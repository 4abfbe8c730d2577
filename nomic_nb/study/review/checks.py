"""Which warnings a change gets: what all checks find in a dry run of it, but for those that are switched off."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from nomic_nb.engine.errors import WrongArgument
from nomic_nb.engine.words import join_words
from nomic_nb.study.review.dry_run import DEPTH, DryRun, later_dry_runs
from nomic_nb.study.review.warnings import (
    clarity,
    consistency,
    counters,
    deadlock,
    no_effect,
    played,
    secrecy,
    timing,
    unknown_names,
    votes,
    wording,
)
from nomic_nb.study.review.warnings.registry import KINDS, Check
from nomic_nb.study.views.remarks import WarningSign

#: All checks, in the order in which a review has their warnings.
CHECKS = tuple(
    sorted(
        (
            var
            for subject in (
                clarity,
                consistency,
                wording,
                counters,
                no_effect,
                secrecy,
                unknown_names,
                votes,
                timing,
                played,
                deadlock,
            )
            for var in vars(subject).values()
            if isinstance(var, Check)
        ),
        key=lambda check: KINDS.index(check.kind),
    )
)
#: Those for which a change need not be tried out.
QUICK = tuple(check for check in CHECKS if check.cost != "try")


def checks_without(without: str | Iterable[str]) -> tuple[Check, ...]:
    """Return all checks of changes except those whose code or kind is in `without`.

    Raises
    ------
    WrongArgument
        There is no such check.
    """
    off = {without} if isinstance(without, str) else set(without)
    if not off:
        return CHECKS
    known = dict.fromkeys([name for check in CHECKS for name in (check.code, check.kind)])
    for name in sorted(off - known.keys()):
        there = join_words(list(known))
        raise WrongArgument(
            "warning-unknown",
            "there is no warning called “{name}”. The warnings are {there}",
            name=name,
            there=there,
        )
    return tuple(check for check in CHECKS if not off & {check.code, check.kind})


def find_warnings(run: DryRun, checks: Iterable[Check] = CHECKS) -> tuple[WarningSign, ...]:
    """Return the warnings that checks find on a change, or on its parts if they are voted on one by one."""
    signs = (
        [find_warnings(dry_run, checks) for dry_run in run.parts]
        if run.parts
        else [check.find_warnings(run) for check in checks]
    )
    return tuple(dict.fromkeys(chain.from_iterable(signs)))


def find_later_warnings(run: DryRun, checks: Iterable[Check] = CHECKS, depth: int = DEPTH) -> Iterator[WarningSign]:
    """Yield warnings on changes that a change makes later, and that those make in turn, up to `depth` levels."""
    grave = [check for check in checks if check.kind == "destructive"]  # which take longest, and so come last
    light = [check for check in checks if check not in grave]
    for when, then in later_dry_runs(run):
        further = find_later_warnings(then, checks, depth - 1) if depth > 1 else ()
        last = chain.from_iterable(check.find_warnings(then) for check in grave)
        for sign in chain(find_warnings(then, light), further, last):
            yield replace(sign, evidence=sign.evidence.embed_in("{when}, {message}", when=when))
