"""Remarks on a proposal, for those who vote on it: found once, and the same wherever the proposal is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import cast
from weakref import WeakKeyDictionary

from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.faults import NO_RULE, kit_fault_for
from nomic_nb.engine.law.nodes import BudgetExceeded, limit_steps
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.play.lawmaking import check_change
from nomic_nb.engine.play.proposals import with_proposal
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.trial_adoption import calm_state, state_under_vote
from nomic_nb.engine.play.values import Proposal
from nomic_nb.engine.words import group_pairs
from nomic_nb.study.review.cases import number_of_change
from nomic_nb.study.review.checks import QUICK, find_later_warnings, find_warnings
from nomic_nb.study.review.dry_run import DryRun, dry_run, quick_dry_run
from nomic_nb.study.review.votes import find_needed_votes
from nomic_nb.study.review.warnings.registry import WORTH
from nomic_nb.study.views.remarks import ProposalRemarks, WarningRemark, WarningSign

#: Steps that one thing may take that is tried, and all looks at the law together: some tenths of a second in all.
STEPS_PER_WARNING_RUN = 60_000
#: The same for what is shown at once: some hundredths of a second.
STEPS_AT_ONCE = 15_000
STILL_LOOKING = "still checking what it sets off"
NOT_SEEN = "not everything could be checked here in time. Open the full review"
CHECK_FAILED = "not everything could be checked, because of an error in nomic_nb"
NOT_TRIED = "its knock-on effects take too long to check fully here. Open the full review"


#: What was found, and for which form of the proposal and what else: by the law in force and its number.
_KNOWN_WARNINGS: WeakKeyDictionary[Law, dict[Number, tuple[Change, tuple[object, ...], ProposalRemarks]]] = (
    WeakKeyDictionary()
)


#: What a search for loopholes found for which form of the proposal, and its bounds: by the law in force and its number.
_SEARCHED: WeakKeyDictionary[Law, dict[Number, tuple[Change, tuple[WarningSign, ...], tuple[str, ...]]]] = (
    WeakKeyDictionary()
)


def is_searched(state: State, number: Number) -> bool:
    """Tell whether a search has looked for loopholes that a proposal opens."""
    found = _SEARCHED.get(state.law, {}).get(number)
    return found is not None and found[0] == state.proposals[number].change


def bounds_of_search(state: State, number: Number) -> tuple[str, ...]:
    """Return what a search for loopholes found of a proposal and did not decide; empty if none was made."""
    return _SEARCHED[state.law][number][2] if is_searched(state, number) else ()


def remember_search(state: State, number: Number, signs: tuple[WarningSign, ...], bounds: tuple[str, ...]) -> None:
    """Store the loopholes that a search found a proposal to open, and what the search did not decide."""
    _SEARCHED.setdefault(state.law, {})[number] = state.proposals[number].change, signs, bounds
    _remember_remarks(state, number, known_remarks(state, number))


def remarks_on(state: State, number: Number) -> ProposalRemarks:
    """Return all remarks for voters on a proposal, found by a dry run unless they are known already.

    Parameters
    ----------
    state : State
        How things stand.
    number : int or str
        Its number.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> proposal = game.propose("Ann", nb.amend(208, "Fifty points win."))
    >>> print(remarks_on(game.state, proposal.number))
    Check before you vote: its wording says 50, but no clause does.
    """
    known = _remembered_remarks(state, number)
    if known is not None and known.untried != STILL_LOOKING:
        return known
    return _remember_remarks(state, number, _find_all_remarks(state, state.proposals[number]))


def quick_remarks(state: State, number: Number) -> ProposalRemarks:
    """Return the remarks on a proposal that are quick to find, or those remembered from an earlier search."""
    known = _remembered_remarks(state, number)
    if known is not None:
        return known
    return _remember_remarks(
        state, number, remarks_of_warnings(_find_quick_warnings(state, state.proposals[number]), STILL_LOOKING)
    )


def known_remarks(state: State, number: Number) -> ProposalRemarks:
    """Return the remarks on a proposal found before; if none were, remarks that only say the search still goes on."""
    known = _remembered_remarks(state, number)
    return ProposalRemarks(untried=STILL_LOOKING) if known is None else known


def draft_warnings(state: State, player: str, change: Change) -> tuple[list[WarningSign], str]:
    """Return all warnings of a change that is still being written, and why not all were looked for: empty if all were.

    Only those that are quick to find are looked for.
    """
    base = calm_state(state)

    def look() -> Iterator[Iterable[WarningSign]]:
        run = quick_dry_run(base, change, player, number_of_change(base, change, player), steps=STEPS_AT_ONCE)
        yield find_warnings(run, QUICK)
        yield find_later_warnings(run)

    return _collect_warnings(look, STEPS_AT_ONCE, NOT_SEEN)


def remarks_if_passed(state: State, player: str, change: Change) -> ProposalRemarks:
    """Return all remarks on a change that a player has not proposed, and what it would do next if it passed.

    Raises
    ------
    IllegalAction, LawError, LookupError
        The change cannot be made, or cannot be read.
    """
    base = calm_state(state)
    check_change(base, change)
    number = number_of_change(base, change, player)
    return _find_all_remarks(state, replace(state_under_vote(base, change, player, number, None)[1], status="debate"))


def _collect_warnings(
    look: Callable[[], Iterator[Iterable[WarningSign]]], steps: int, untried: str
) -> tuple[list[WarningSign], str]:
    """Return warnings that `look` yields, and why it broke off: empty if it did not, `untried` if out of `steps`."""
    signs = list[WarningSign]()
    try:
        with limit_steps(steps):
            for some in look():
                signs.extend(some)
    except BudgetExceeded:
        return signs, untried
    except Exception as error:  # noqa: BLE001 - it is logged, and said
        if type(error) is LookupError:  # the rule is gone, which the display of the change says
            return signs, ""
        kit_fault_for(error, NO_RULE)
        return signs, CHECK_FAILED
    return signs, ""


def _remembered_remarks(state: State, number: Number) -> ProposalRemarks | None:
    """Return the remarks on a proposal found before; None if there are none or the state they rest on has changed."""
    change, basis, remarks = _KNOWN_WARNINGS.get(state.law, {}).get(number, (None, (), None))
    same = all(old is new for old, new in zip(basis, _remarks_cache_key(state, number), strict=False))
    return remarks if same and change == state.proposals[number].change else None


def _remember_remarks(state: State, number: Number, remarks: ProposalRemarks) -> ProposalRemarks:
    """Store the remarks on a proposal for later look-ups, and return them with what a search found."""
    if is_searched(state, number) and not remarks.bounds:
        _, signs, bounds = _SEARCHED[state.law][number]
        remarks = replace(remarks, every=(*remarks_of_warnings(signs).every, *remarks.every), bounds=bounds)
    _KNOWN_WARNINGS.setdefault(state.law, {})[number] = (
        state.proposals[number].change,
        _remarks_cache_key(state, number),
        remarks,
    )
    return remarks


def _remarks_cache_key(state: State, number: Number) -> tuple[object, ...]:
    """Return the parts of the state on which remembered remarks depend."""
    revised = state.proposals.get(cast(Number, state.proposals[number].change.revises))
    return state.players, state.tables, state.position, state.clock is None, revised and revised.change


def _find_quick_warnings(state: State, proposal: Proposal, steps: int = STEPS_AT_ONCE) -> list[WarningSign]:
    """Return the warnings on a proposal found within so many steps, without trying what the proposal sets off."""

    def look() -> Iterator[Iterable[WarningSign]]:
        run = quick_dry_run(calm_state(state), proposal.change, proposal.proponent, proposal.number, steps=steps)
        yield find_warnings(run, QUICK)

    return _collect_warnings(look, steps, "")[0]


def _find_all_remarks(state: State, proposal: Proposal) -> ProposalRemarks:
    """Return all remarks on a proposal, found by a dry run."""
    base = calm_state(state)

    next_effects: tuple[str, ...] = ()

    def look() -> Iterator[Iterable[WarningSign]]:
        nonlocal next_effects
        run = _run_if_adopted(base, proposal, STEPS_PER_WARNING_RUN)
        yield find_warnings(run)
        yield find_later_warnings(run)
        next_effects = run.next_effects

    signs, untried = _collect_warnings(look, STEPS_PER_WARNING_RUN, NOT_TRIED)
    quick = _find_quick_warnings(state, proposal, STEPS_PER_WARNING_RUN) if untried == NOT_TRIED and not signs else ()
    return replace(remarks_of_warnings(signs or quick, untried), next_effects=next_effects)


def _run_if_adopted(base: State, proposal: Proposal, steps: int) -> DryRun:
    """Return the dry run of a proposal that passes with every vote that it can get."""
    vote = find_needed_votes(with_proposal(base, proposal), proposal, power=False).vote
    return dry_run(base, proposal.change, proposal.proponent, proposal.number, vote, steps=steps, whole=False)


def remarks_of_warnings(signs: Iterable[WarningSign], untried: str = "") -> ProposalRemarks:
    """Return warnings as remarks, one for each statement; `untried` says what was not looked for."""
    ranked_signs = sorted((sign for sign in signs if sign.kind in WORTH), key=lambda sign: WORTH.index(sign.kind))
    by_line = group_pairs((sign.statement_and_reason[0], sign) for sign in ranked_signs)
    return ProposalRemarks(tuple(WarningRemark(line, tuple(some)) for line, some in by_line.items()), untried)
