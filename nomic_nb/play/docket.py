"""The docket: questions for a Judge that are still open, and what waits for them."""

from __future__ import annotations

from nomic_nb.law.resolver import Law
from nomic_nb.law.values import Ref, Value
from nomic_nb.play.state import State
from nomic_nb.play.verdicts import Judgment


def case_of(judgment: Judgment) -> dict[str, Value]:
    """Return the case of a judgment, as the law is asked about it."""
    return {"judgment": Ref("judgment", judgment.id)}


def live(state: State) -> tuple[Judgment, ...]:
    """Return the judgments that can still be decided or overruled, or that play has yet to go on after."""
    return tuple(state.judgments[id] for id in state.docket)


def waited_for(state: State) -> Judgment | None:
    """Return the judgment that play waits for, where there is one; the table is asked where the law does not say."""
    if state.held is not None:
        return state.held
    for judgment in live(state):
        if judgment.unsettled:
            finding = state.find("judge.play_waits", **case_of(judgment))
            if finding.answered and finding.value is True:
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
        case = {**case_of(judgment), "player": Ref("player", player)}
        if law.answer("judge.consent", state, case) is not True:
            return judgment
    return None
