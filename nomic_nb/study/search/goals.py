"""What a search looks for in a state: a win, a lock, a gain, a standstill, or a condition of the rule language."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.nodes import Undecided, View
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.trial_adoption import calm_state
from nomic_nb.study.review.adoption import find_adoption_future
from nomic_nb.study.search.moves import Table
from nomic_nb.study.views.course import scores_data

#: The goals that have a name.
GOALS = ("win", "others lose", "lock", "gain", "stuck")


@frozen
class Goal:
    """What a search looks for.

    Parameters
    ----------
    name : str
        One of `GOALS`, or a condition of the rule language.
    phrase : str
        What happens when it is reached, such as “Ann wins”.
    is_reached : callable
        Tells whether it is reached in a state.
    """

    name: str
    phrase: str
    is_reached: Callable[[State], bool]


def make_goal(name: str, state: State, table: Table) -> Goal:
    """Return a goal for those who look for a loophole from a state on.

    Raises
    ------
    LawError
        It is neither the name of a goal nor a condition that can be read.
    Undecided
        It is a condition that has no answer now.
    """
    who = table.who
    ours = " or ".join(who)
    others = {one for one in state.person_names if one not in who}
    table.may_leave = len(who) > 1 or name not in ("win", "gain")
    match name:
        case "win":
            return Goal(name, f"{ours} wins", lambda now: bool(now.winners) and set(now.winners) <= set(who))
        case "others lose":
            return Goal(name, "all others are out of the game", lambda now: others.isdisjoint(now.person_names))
        case "lock":
            return Goal(name, "no rule change can pass any more", _LockedBooks(state, table))
        case "gain":
            most = held_by(state, who)
            return Goal(name, f"{ours} gains again and again", lambda now: _is_above(held_by(now, who), most))
        case "stuck":
            return Goal(name, "play is at a standstill", lambda now: now.stuck or now.circling)
    condition = state.law.language.expression(name)
    condition.run(View(state, {}, state.law))

    def is_met(now: State) -> bool:
        try:
            return condition.run(View(now, {}, now.law)) is True
        except Undecided:
            table.note("the condition was undecided in some positions")
            return False

    return Goal(name, f"“{name}” is true", is_met)


class _LockedBooks:
    """Tells whether no rule change can pass any more; it looks at each body of law once."""

    def __init__(self, state: State, table: Table) -> None:
        self.table, self.known = table, {id(state.rules): (state.rules, False)}

    def __call__(self, state: State) -> bool:
        if id(state.rules) not in self.known:
            future = find_adoption_future(calm_state(state))
            if future.possible is None:
                self.table.note("it is open whether some rules can still change")
            self.known[id(state.rules)] = state.rules, future.possible is False
        return self.known[id(state.rules)][1]


def held_by(state: State, who: tuple[str, ...]) -> dict[tuple[str, str], Fraction]:
    """Return the numbers that everybody sees of some players, by player and counter."""
    return {
        (name, counter): Fraction(value)
        for name, held in scores_data(state).items()
        if name in who
        for counter, value in held.items()
    }


def _is_above(now: dict[tuple[str, str], Fraction], then: dict[tuple[str, str], Fraction]) -> bool:
    """Tell whether some number is greater than it was."""
    return any(value > then.get(key, 0) for key, value in now.items())
