"""How a game ends, at the end of a step: who has won, and what a rule puts in place of that."""

from __future__ import annotations

from nomic_nb.engine.law.clauses import Instead
from nomic_nb.engine.law.view import Undecided
from nomic_nb.engine.play.cases import names_of, refs
from nomic_nb.engine.play.effects import replaced
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import cause_of
from nomic_nb.engine.words import doing, listed


def end_if_won(engine: Engine) -> None:
    """End the game where somebody has won, or where play cannot continue.

    Raises
    ------
    Undecided
        The law does not say who has won, or whether they have.
    """
    finding = engine.find("win.winners")
    winners = _without_the_held_back(engine, names_of(engine.law.settled(finding)))
    stuck = engine.state.stuck
    if not winners and not stuck:
        if engine.state.averted and not engine.unstuck:
            engine.state = engine.state.but(averted=())
        return
    engine.cause = cause_of(engine.find("win.when_stuck") if stuck else finding) or cause_of(finding)
    if len(winners) > 1:
        how, go = engine.read("win.joint"), engine.state.go
        if how == "on turn" and go is not None and go.player in winners:
            winners = (go.player,)
    if winners and engine.applied_by is not None:
        text = f"By what {engine.applied_by} applied, {', '.join(winners)} would win. If it does not stand, undo it."
        engine.ask(text, rule=engine.cause.rule if engine.cause else None)
    elif winners and _win(engine, winners):
        engine.emit("won", winners[0] if len(winners) == 1 else None, winners=winners)
    elif not winners:
        engine.emit("abandoned")


def _win(engine: Engine, winners: tuple[str, ...]) -> bool:
    """Tell whether they win, and no rule puts something else in place of it; what it puts there is done once."""
    state = engine.state
    waiting = (item.clause for one in state.waiting for item in one.agenda)
    if not set(winners) <= set(state.averted):
        if replaced(engine, "won", None, listed(winners), {"winners": refs(winners)}, {"winners": winners}):
            engine.unstuck = engine.unstuck or state.stuck
            return False
    elif not state.stuck:
        if any(isinstance(one, Instead) and one.event == "won" for one in waiting):
            return False  # until what comes in place of it is answered, or thrown, it has changed nothing
        return bool(engine.read("win.replaced") == "won")  # what came has not changed who fulfils the condition
    return True


def _without_the_held_back(engine: Engine, winners: tuple[str, ...]) -> tuple[str, ...]:
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
        finding = engine.find("win.by_change")
        if not finding.answered:
            who = f"{doing(open_ones, 'fulfils', 'fulfil')}"
            reason = f"by a change of law alone, {who} the condition of winning, and no rule says what follows"
            raise Undecided(reason, finding)
        at_once = finding.value == "at once"
        above = {name: True for name, held in above.items() if held or not at_once}
    engine.state = state.but(above=above)
    return tuple(name for name in winners if name not in above)
