"""The docket: questions for a Judge that are still open, and what waits for them."""

from __future__ import annotations

from nomic_nb.law.resolver import Law
from nomic_nb.play.state import State
from nomic_nb.play.verdicts import Judgment


def live(state: State) -> tuple[Judgment, ...]:
    """Return the judgments that can still be decided or overruled, or that play has yet to go on after."""
    return tuple(state.judgments[id] for id in state.docket) if state.docket else ()


def waited_for(state: State) -> Judgment | None:
    """Return the judgment that play waits for, where there is one; the table is asked where the law does not say."""
    if not state.docket or state.held is not None:
        return state.held
    for judgment in live(state):
        if judgment.unsettled and state.find("judge.play_waits", **judgment.case).says(True):
            return judgment
    return None


def awaited_consent(law: Law, state: State, player: str) -> Judgment | None:
    """Return the judgment after which a player's turn may not begin yet, where there is one.

    Raises
    ------
    Undecided
        Where the law does not say.
    """
    for judgment in live(state):
        if law.answer("judge.consent", state, {**judgment.case, "player": player}) is not True:
            return judgment
    return None
