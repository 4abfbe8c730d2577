"""What a search looks for in a state: a win, a lock, a gain, a standstill, or a condition of the rule language."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.nodes import Undecided, View
from nomic_nb.engine.play.adoptability import VOTING_KEYS
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.trial_adoption import calm_state
from nomic_nb.study.review.adoption import find_adoption_future
from nomic_nb.study.search.moves import Table
from nomic_nb.study.views.course import scores_data

#: The goals that have a name.
GOALS = ("win", "others lose", "lock", "capture", "gain", "circle", "stuck")


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
            return Goal(name, "no rule change can pass any more", _LockedBooks(table))
        case "capture":
            return Goal(name, f"{ours} changes the rules alone", _CapturedBook(state, table.who))
        case "gain":
            most = held_by(state, who)
            return Goal(name, f"{ours} gains again and again", lambda now: is_above(held_by(now, who), most))
        case "circle":
            return Goal(name, "rules or turns go round in circles", goes_in_circles)
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


def goes_in_circles(state: State) -> bool:
    """Tell whether rules set each other off for ever, or nobody has anything to do however long play goes on."""
    marks = (mark for question in state.questions for mark in question.set_aside)
    return state.circling or any(why == "endless" for why, *_ in marks)


class _CapturedBook:
    """Tells whether some players have changed the rules by a proposal for which nobody else voted."""

    def __init__(self, state: State, who: tuple[str, ...]) -> None:
        self.known, self.who = frozenset(state.proposals), frozenset(who)

    def __call__(self, state: State) -> bool:
        return any(
            one.status == "adopted" and number not in self.known and one.proponent in self.who
            and self.who.issuperset(name for name, ballot in one.vote.ballots.items() if ballot == "for")
            for number, one in state.proposals.items()
            if one.vote is not None
        )  # fmt: skip


#: What decides whether a rule change can pass.
PASSING_KEYS = (*VOTING_KEYS, "may.propose", "may.vote", "may.begin_turn", "turn.sequence", "turn.parts")


class _LockedBooks:
    """Tells whether no rule change can pass any more; it looks once at what that depends on."""

    def __init__(self, table: Table) -> None:
        self.table, self.known = table, dict[tuple[int, ...], tuple[State, bool]]()

    def __call__(self, state: State) -> bool:
        basis = self._basis(state)
        if basis not in self.known:
            future = find_adoption_future(calm_state(state))
            if future.possible is None:
                self.table.note("it is open whether some rules can still change")
            self.known[basis] = state, future.possible is False
        return self.known[basis][1]

    @staticmethod
    def _basis(state: State) -> tuple[int, ...]:
        """Return what tells apart the rules, players and, if votes depend on them, numbers of two states."""
        counts = state.law.dependence.tables_of_keys(PASSING_KEYS)
        return id(state.rules), id(state.players), id(state.tables) if counts else 0


def held_by(state: State, who: tuple[str, ...]) -> dict[tuple[str, str], Fraction]:
    """Return the numbers that everybody sees of some players, by player and counter."""
    return {
        (name, counter): Fraction(value)
        for name, held in scores_data(state).items()
        if name in who
        for counter, value in held.items()
    }


def is_above(now: dict[tuple[str, str], Fraction], then: dict[tuple[str, str], Fraction]) -> bool:
    """Tell whether some number is greater than it was."""
    return any(value > then.get(key, 0) for key, value in now.items())
