"""A look at a change: what comes of it, and the signs of it. One for the review and for those who vote."""

from __future__ import annotations

from dataclasses import dataclass, replace

from nomic_nb.explore.boards.compare import OnBoards, on_boards
from nomic_nb.explore.cases import Cases
from nomic_nb.explore.passing import Future, future_of
from nomic_nb.explore.seen import Seen, Smell
from nomic_nb.explore.smells import smells
from nomic_nb.explore.supposing import Supposition, suppositions, tried, unreached
from nomic_nb.explore.terms import Met, compare
from nomic_nb.explore.tryout import try_out
from nomic_nb.explore.wreck import standing_still, wrecks
from nomic_nb.law.changes import Change
from nomic_nb.law.making import find_target
from nomic_nb.law.rules import Number, Rule
from nomic_nb.law.view import ACTION
from nomic_nb.play.state import State
from nomic_nb.play.trial import Adoption, adopt, calm, put_into
from nomic_nb.play.values import Vote


@dataclass(frozen=True)
class Look:
    """What a change comes to.

    Parameters
    ----------
    seen : Seen
        The rule before and after, what adoption brings, the terms that change.
    met : tuple of Met
        Rules that prevail, or are defeated, where they did not before.
    boards : OnBoards or None
        What is different on the boards.
    future : Future
        Whether any rule-change could still be adopted afterwards.
    signs : tuple of Smell
        Warning signs.
    """

    seen: Seen
    met: tuple[Met, ...]
    boards: OnBoards | None
    future: Future
    signs: tuple[Smell, ...]


def look(
    base: State, change: Change, player: str, number: Number | None, vote: Vote | None, *,
    steps: int = ACTION, whole: bool = True,
) -> Look:  # fmt: skip
    """Adopt a change on trial, try what it sets off, and compare the law before and after.

    Parameters
    ----------
    base : State
        A calm one; it is not touched.
    change, player, number, vote
        As `adopt` takes them.
    steps : int
        How many steps one thing may take that is tried.
    whole : bool
        Whether to look at all terms and at the boards, which takes long, and not only at the terms that the rule sets.
    """
    adoption = _tried_out(adopt(base, change, player, number, vote, steps=steps), player, steps)
    seen = Seen(change, _old(base, change), adoption.rule, adoption, steps=steps)
    met: tuple[Met, ...] = ()
    painted, now = None, adoption.written
    if adoption.in_force:
        now = calm(adoption.after)
        cases = Cases(base, now, player, seen.changed)
        seen, met = _compared(seen, cases, whole=whole)
        painted = on_boards(cases, adoption, tuple(one.key for one in seen.turned)) if whole else None
    future = future_of(now)
    wrecked = (*wrecks(base, seen, future, player, painted), *standing_still(seen))
    signs = (*smells(seen), *(Smell("destructive", one) for one in wrecked))
    return Look(seen, met, painted, future, signs)


def look_at_once(base: State, change: Change, player: str, number: Number | None) -> tuple[Smell, ...]:
    """Return the signs that can be seen without trying anything out: parameters are those of `look`."""
    adoption = put_into(base, change, player, number)
    seen = Seen(change, _old(base, change), adoption.rule, adoption)
    if adoption.in_force:
        seen, _ = _compared(seen, Cases(base, calm(adoption.after), player, seen.changed), whole=False)
    return smells(seen)


def _old(base: State, change: Change) -> Rule | None:
    return find_target(base.rules, change) if change.target is not None else None


def _compared(seen: Seen, cases: Cases, *, whole: bool) -> tuple[Seen, tuple[Met, ...]]:
    """Return what is seen with the terms that change, also where new clauses come to hold; and rules that meet."""
    new, after = seen.new, cases.after
    turned, met = compare(cases, None if whole else seen.keys)
    supposed: tuple[Supposition, ...] = ()
    if new is not None and new.id in after.rules.rules and new.id not in after.rules.void:
        supposed = tuple(suppositions(after, new, seen.old))
        then, meets = tried(cases, turned, supposed)
        turned, met = (*turned, *then), tuple(dict.fromkeys((*met, *meets)))
    return replace(seen, turned=turned, supposed=supposed, unreached=tuple(unreached(cases, seen.fresh))), met


def _tried_out(adoption: Adoption, player: str, steps: int) -> Adoption:
    """Try once what rules answer to in the law that an adoption leaves, if any is changed."""
    if not adoption.in_force or adoption.endless or adoption.costly:
        return adoption
    endless, costly = try_out(calm(adoption.after), player, steps)
    return replace(adoption, endless=endless, costly=costly)
