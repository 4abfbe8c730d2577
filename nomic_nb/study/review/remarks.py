"""What is odd about a proposal, for those who vote on it: found once, and the same wherever the proposal is shown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast
from weakref import WeakKeyDictionary

from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.faults import NO_RULE, failed
from nomic_nb.engine.law.nodes import Spent, bounded
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.play.proposals import with_proposal
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.trial import calm, number_for
from nomic_nb.engine.play.values import Proposal
from nomic_nb.engine.words import grouped
from nomic_nb.study.review.checking import QUICK, find_later_signs, find_signs
from nomic_nb.study.review.dry_run import dry_run, quick_run
from nomic_nb.study.review.votes import needed_for
from nomic_nb.study.review.warnings.registry import WORTH
from nomic_nb.study.views.remarks import Remark, Remarks, WarningSign

#: Steps that one thing may take that is tried, and all looks at the law together: some tenths of a second in all.
STEPS = 60_000
#: The same for what is shown at once: some hundredths of a second.
AT_ONCE = 15_000
LOOKING = "still looking at what it sets off"
UNSEEN = "what may be odd about it was not looked for to the end, since that takes too long; a review looks further"
FAILED = "what may be odd about it was not looked for to the end, because of an error in nomic_nb"
UNTRIED = "what it sets off was not tried to the end, since that takes too long; a review looks further"


#: What was found, and for which form of the proposal and what else: by the law in force and its number.
_KNOWN: WeakKeyDictionary[Law, dict[Number, tuple[Change, tuple[object, ...], Remarks]]] = WeakKeyDictionary()


def odd(state: State, number: Number) -> Remarks:
    """Say what is odd about a proposal; what it sets off is tried, in so many steps.

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
    >>> print(odd(game.state, proposal.number))
    Worth a thought: its wording says 50, but no clause does.
    """
    known = _known(state, number)
    if known is not None and known.untried != LOOKING:
        return known
    return _remember(state, number, _tried(state, state.proposals[number]))


def odd_at_once(state: State, number: Number) -> Remarks:
    """Say what is odd about a proposal as far as it can be seen at once, where it has not been tried yet."""
    one, known = state.proposals[number], _known(state, number)
    if known is not None:
        return known
    return _remember(state, number, _remarks(_seen_at_once(state, one.change, one.proponent, number), LOOKING))


def odd_so_far(state: State, number: Number) -> Remarks:
    """Say what is known already to be odd about a proposal; nothing is looked for."""
    known = _known(state, number)
    return Remarks(untried=LOOKING) if known is None else known


def odd_draft(state: State, player: str, change: Change) -> Remarks:
    """Say what is odd about a change that is being written, and can be read, as far as it can be seen at once."""
    base, signs = calm(state), list[WarningSign]()
    try:
        with bounded(AT_ONCE):
            run = quick_run(base, change, player, number_for(base, change, player), steps=AT_ONCE)
            signs.extend(find_signs(run, QUICK))
            signs.extend(find_later_signs(run))  # as many as are found within these steps
    except Spent:
        return _remarks(signs, UNSEEN)
    except Exception as error:  # noqa: BLE001 - it is logged, and said
        return _remarks(signs, _why_unseen(error))
    return _remarks(signs)


def _why_unseen(error: Exception) -> str:
    """Say why nothing is told of a change: its rule is gone, which its display says, or the kit fails."""
    if type(error) is LookupError:
        return ""
    failed(error, NO_RULE)
    return FAILED


def _known(state: State, number: Number) -> Remarks | None:
    """Return what was found for this form of a proposal, if nothing changed that who wins or moves depends on."""
    change, basis, remarks = _KNOWN.get(state.law, {}).get(number, (None, (), None))
    same = all(old is new for old, new in zip(basis, _basis(state, number), strict=False))
    return remarks if same and change == state.proposals[number].change else None


def _remember(state: State, number: Number, remarks: Remarks) -> Remarks:
    _KNOWN.setdefault(state.law, {})[number] = state.proposals[number].change, _basis(state, number), remarks
    return remarks


def _basis(state: State, number: Number) -> tuple[object, ...]:
    revised = state.proposals.get(cast(Number, state.proposals[number].change.revises))
    return state.players, state.tables, state.position, state.clock is None, revised and revised.change


def _seen_at_once(
    state: State, change: Change, player: str, number: Number | None, steps: int = AT_ONCE
) -> tuple[WarningSign, ...]:
    try:
        with bounded(steps):
            return find_signs(quick_run(calm(state), change, player, number, steps=steps), QUICK)
    except Spent:  # it is to be tried
        return ()
    except Exception as error:  # noqa: BLE001 - it is logged, and said once it is tried
        _why_unseen(error)
        return ()


def _tried(state: State, proposal: Proposal) -> Remarks:
    base, change, signs = calm(state), proposal.change, list[WarningSign]()
    try:
        with bounded(STEPS):
            vote = needed_for(with_proposal(base, proposal), proposal, power=False).vote
            run = dry_run(base, change, proposal.proponent, proposal.number, vote, steps=STEPS, whole=False)
            signs.extend(find_signs(run))
            signs.extend(find_later_signs(run))  # as many as are found within these steps
    except Spent:
        return _remarks(signs or _seen_at_once(state, change, proposal.proponent, proposal.number, STEPS), UNTRIED)
    except Exception as error:  # noqa: BLE001 - it is logged, and said
        return _remarks(signs, _why_unseen(error))
    return _remarks(signs)


def _remarks(signs: Iterable[WarningSign], untried: str = "") -> Remarks:
    found = sorted((one for one in signs if one.kind in WORTH), key=lambda one: WORTH.index(one.kind))
    by_line = grouped((one.in_two[0], one) for one in found)
    return Remarks(tuple(Remark(line, tuple(some)) for line, some in by_line.items()), untried)
