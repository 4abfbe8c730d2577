"""Winning by a change of law: who fulfils the condition because it was changed, and whether that is a win."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomic_nb.law.view import Undecided
from nomic_nb.play.facts import names_of
from nomic_nb.play.state import State

if TYPE_CHECKING:
    from nomic_nb.play.engine import Engine


def fulfilling(state: State) -> tuple[str, ...]:
    """Return who fulfils the condition of winning; nobody where the law does not say."""
    finding = state.law.find("win.winners", state, {})
    return names_of(finding.value) if finding.answered else ()


def after_change_of_law(before: State, after: State) -> State:
    """Return the state after a change of law, in which it is noted who fulfils the condition by that alone."""
    already = fulfilling(before)
    risen = {name: False for name in fulfilling(after) if name not in already}
    return after.but(above={**after.above, **risen}) if risen else after


def without_the_held_back(engine: Engine, winners: tuple[str, ...]) -> tuple[str, ...]:
    """Return who wins, among those who fulfil the condition, as the law has it for a change of law.

    Raises
    ------
    Undecided
        Where it does not say what holds of them.
    """
    state = engine.state
    if not state.above or state.stuck:
        return winners
    above = {name: held for name, held in state.above.items() if name in winners}
    open_ones = [name for name, held in above.items() if not held]
    if open_ones:
        finding = engine.law.find("win.by_change", state, {})
        if not finding.answered:
            who = f"{' and '.join(open_ones)} {'fulfils' if len(open_ones) == 1 else 'fulfil'}"
            reason = f"by a change of law alone, {who} the condition of winning, and no rule says what follows"
            raise Undecided(reason, finding)
        at_once = finding.value == "at once"
        above = {name: True for name, held in above.items() if held or not at_once}
    engine.state = state.but(above=above)
    return tuple(name for name in winners if name not in above)
