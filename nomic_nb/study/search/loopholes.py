"""Loopholes: what some players can reach against others, with lines that prove it, or why that is not decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nomic_nb.engine.display import DisplayedAlike
from nomic_nb.engine.errors import LawError, PlainRefusal, WrongValue
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.play.declarations import HOST_ACTIONS
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.permissions import check_player_name
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.study.library.ready_made import check_choice
from nomic_nb.study.search.goals import GOALS, Goal, make_goal
from nomic_nb.study.search.moves import OTHERS, WITHHOLD, Act, Table, is_left_to_chance
from nomic_nb.study.search.search import LONGEST_LINE, Search

#: Deeds in a line, seconds and steps that a search can take at most.
MOST_DEEDS, MOST_SECONDS, MOST_STEPS = 6, 3_600, 200_000
#: Ways in which chance and others can answer that are tried for one line.
MOST_BRANCHES = 300
#: Deeds in a line that is shrunk; a longer one is a loop, which ends as soon as it reaches the goal.
MOST_SHRUNK = 12


@frozen
class Certificate:
    """A line of play that reaches a goal, played in a new game before it is reported.

    Parameters
    ----------
    acts : tuple of Act
        What everybody does.
    rules : tuple of int or str
        Numbers of the rules without any one of which the same deeds fail.
    timeline : Timeline
        The game in which the line was played.
    start : int
        Number of the event after which the line begins.
    cells : tuple of str
        Python that begins a new game and plays the line.
    kind : callable
        Makes a game of a timeline.
    """

    acts: tuple[Act, ...]
    rules: tuple[Number, ...]
    timeline: Timeline
    start: int
    cells: tuple[str, ...] = ()
    kind: Callable[[Timeline], Any] = lambda timeline: timeline

    def play(self) -> Any:
        """Return a game in which the line was played; it is a trial, so nothing saves it."""
        return self.kind(self.timeline.trial(0))

    @property
    def deeds(self) -> tuple[Act, ...]:
        """What the players who look for the loophole choose to do."""
        return tuple(act for act in self.acts if act.is_deed)

    @property
    def withheld(self) -> tuple[str, ...]:
        """Sentences on ballots that they do not cast as long as play can go on without them."""
        acts = (act for act in self.acts if act.action == WITHHOLD)
        return tuple(f"{act.player} withholds their ballot on proposal {act.details['proposal']}" for act in acts)

    @property
    def events(self) -> list[Event]:
        """The acts of the line, as the new game recorded them."""
        return [event for event in self.timeline.events[self.start :] if event.is_action]


@frozen
class Loopholes(DisplayedAlike):
    """What a search for loopholes found.

    Parameters
    ----------
    who : tuple of str
        Players who look for a loophole together.
    others : str
        How all others vote.
    goal : Goal
        What was looked for.
    depth : int
        Deeds in a line.
    certificates : tuple of Certificate
        Lines that reach the goal.
    reasons : tuple of str
        Reasons why the absence of a loophole is not decided.
    counts : mapping of str to int
        Numbers of positions, steps, deeds and moves that were tried.
    """

    who: tuple[str, ...]
    others: str
    goal: Goal
    depth: int
    certificates: tuple[Certificate, ...]
    reasons: tuple[str, ...]
    counts: Mapping[str, int]

    @property
    def claim(self) -> str:
        """What was found, in one of three forms: *found*, *none within* bounds, or *not decided* with the reasons."""
        if self.certificates:
            count = len(self.certificates[0].deeds)
            deeds = f"{count} deed{'' if count == 1 else 's'}"
            return f"found: {self.goal.phrase} with {deeds}, others {self.others}, rolls at their worst"
        if self.reasons:
            return f"not decided: {'; '.join(self.reasons)}"
        deeds, moves = (f"{number} {noun}{'' if number == 1 else 's'}"
                        for number, noun in ((self.depth, "deed"), (self.counts["moves"], "move")))  # fmt: skip
        return f"none within {deeds} and a round after each, over {moves}, others {self.others}, rolls at their worst"


def never() -> bool:
    """Return false: nobody stops a search."""
    return False


def find_loopholes(
    timeline: Timeline, who: str | Sequence[str], others: str = "against", goal: str = "win", *, depth: int = 2,
    seconds: float = 5, steps: int = 50_000, changes: Sequence[Change] = (), is_pruned: bool = True,
    stop: Callable[[], bool] = never,
) -> Loopholes:  # fmt: skip
    """Return what some players can reach from here, whatever the dice show.

    The search is bounded and tries only some moves. What it leaves out turns *none* into *not decided*.

    Parameters
    ----------
    timeline : Timeline
        The game; it does not change.
    who : str or sequence of str
        Players who look for a loophole together.
    others : str
        How all others vote: ``against``, ``for``, ``silent``, ``absent`` or ``worst``.
    goal : str
        ``win``, ``others lose``, ``lock``, ``capture``, ``gain``, ``circle``, ``stuck``, or a condition of the rule
        language.
    depth : int
        Deeds in a line at most: answers that play waits for are not counted.
    seconds : float
        Processor time at most.
    steps : int
        Acts that are tried at most.
    changes : sequence of Change
        Changes to propose beside those that the search makes.
    is_pruned : bool
        Whether lines that come to the same position are followed once only.
    stop : callable
        Tells whether to stop early.

    Raises
    ------
    ValueError
        A bound, a goal or a way to vote that cannot be used.
    IllegalAction
        Nobody of such a name plays.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7, dice="table")
    >>> rule = nb.enact("Hurrah.", 'on said when text == "hurrah": award 40 points to player')
    >>> _ = game.propose("Ann", rule), game.votes("for"), game.roll("Ann", 1)
    >>> find_loopholes(game.timeline, "Ann").claim
    'found: Ann wins with 3 deeds, others against, rolls at their worst'
    """
    state, names = timeline.state, (who,) if isinstance(who, str) else tuple(who)
    for name in names:
        check_player_name(state, name, state.person_names)
    check_choice("others", others, OTHERS)
    for what, value, most in (
        ("depth", depth, MOST_DEEDS),
        ("seconds", seconds, MOST_SECONDS),
        ("steps", steps, MOST_STEPS),
    ):
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= most:
            raise WrongValue("search-bound", "{what} must be above 0 and at most {most}", what=what, most=most)
    if not names:
        raise WrongValue("search-for-nobody", "name at least one player who looks for a loophole")
    table = Table(names, others, changes)
    try:
        sought = make_goal(goal, state, table)
    except (LawError, Undecided) as error:
        raise WrongValue(
            "no-such-goal", "goal must be {goals} or a condition: {why}", goals=", ".join(GOALS), why=str(error)
        ) from None
    search = Search(table, sought, depth, seconds, steps, is_pruned=is_pruned, stop=stop)
    return _search(timeline, table, sought, depth, search)


def _search(timeline: Timeline, table: Table, goal: Goal, depth: int, search: Search) -> Loopholes:
    """Run a search and return what it found; every line is played in a new game before it counts."""
    state, certificates = timeline.state, list[Certificate]()
    start = _with_absent(state, table) if table.others == "absent" else ((), state)
    if goal.name != "gain" and goal.is_reached(state):
        table.note("the goal is reached already")
    elif start is None:
        table.note("not everybody can be marked away")
    else:
        for acts in search.lines(start[1]):
            plan, again = plan_of((*start[0], *acts)), Replay(table, goal)
            whole: tuple[Act, ...] | None = (*start[0], *acts)
            if goal.name != "gain":
                plan = shrink(plan, state, again)
                whole = again.play(plan, state)
            outcome = again.is_always_reached(plan, state)
            certificate = _certify(timeline, plan, whole, again) if outcome and whole is not None else None
            if certificate is not None:
                certificates.append(certificate)
                break
            table.note(
                "a line reaches the goal only with some rolls or answers of others"
                if outcome is False
                else "a line could not be tried with all rolls and answers"
                if outcome is None
                else "a line did not replay in a new game"
            )
    counts = {**table.counts, "moves": len(table.moves)}
    return Loopholes(
        table.who, table.others, goal, depth, tuple(certificates), tuple(sorted(table.reasons)), counts
    )  # fmt: skip


def _with_absent(state: State, table: Table) -> tuple[tuple[Act, ...], State] | None:
    """Return the acts that mark all others away, and the state after them; None if one is refused."""
    acts: tuple[Act, ...] = ()
    for name in state.person_names:
        if name not in table.who and not state.players[name].absent:
            act = Act("", "absent", {"who": name}, is_deed=False)
            after = table.after(state, act)
            if after is None:
                return None
            acts, state = (*acts, act), after
    return acts, state


# ------------------------------------------------------------------------------------------------ lines played again


#: Deeds, each with how many answers are given before it.
Plan = tuple[tuple[int, Act], ...]


def plan_of(acts: Sequence[Act]) -> Plan:
    """Return the deeds of a line, each with how many answers are given before it; absences of others are deeds too."""
    plan, waits = list[tuple[int, Act]](), 0
    for act in acts:
        if act.is_deed or act.action == "absent":
            plan.append((waits, act))
            waits = 0
        else:
            waits += 1
    return tuple(plan)


class Replay:
    """A plan that is played again from a state, if everybody answers as usual.

    Parameters
    ----------
    table : Table
        How everybody acts.
    goal : Goal
        What the plan is to reach.
    """

    def __init__(self, table: Table, goal: Goal) -> None:
        self.table, self.goal, self.branches = table, goal, 0

    def play(self, plan: Plan, state: State) -> tuple[Act, ...] | None:
        """Return the acts by which a plan reaches the goal; None if it does not."""
        acts: tuple[Act, ...] = ()
        while not self.goal.is_reached(state):
            done = self._next(plan, state)
            if done is None or len(acts) > LONGEST_LINE + len(plan) * 8:
                return None
            plan, act, state = done
            acts = (*acts, act)
        return acts

    def is_always_reached(self, plan: Plan, state: State, length: int = 0) -> bool | None:
        """Tell whether a plan reaches the goal whatever the dice show and, at worst, others vote; None if too many."""
        if self.goal.is_reached(state):
            return True
        done = self._next(plan, state)
        if done is None:
            return False
        following, act, after = done
        if is_left_to_chance(state, act, after):
            return None
        variants = [act] if act.is_deed else self.table.variants(state, act)
        self.branches += len(variants) - 1
        if self.branches > MOST_BRANCHES or length > LONGEST_LINE + len(plan) * 8:
            return None
        results = []
        for variant in variants:
            then = after if variant is act else self.table.after(state, variant)
            results.append(None if then is None else self.is_always_reached(following, then, length + 1))
            if results[-1] is False:
                return False
        return None if None in results else True

    def _next(self, plan: Plan, state: State) -> tuple[Plan, Act, State] | None:
        """Return what is left of a plan after the next act, the act, and the state after it; None if there is none."""
        table = self.table
        for due in (True, False):  # the act that is due, then a reply, then the act that is not due yet
            if plan and due is (plan[0][0] <= 0) and (after := table.after(state, plan[0][1])) is not None:
                return plan[1:], plan[0][1], after
            if due and (replied := table.reply(state)) is not None:
                return tuple((wait - (not at), act) for at, (wait, act) in enumerate(plan)), *replied
        return None


def shrink(plan: Plan, state: State, replay: Replay) -> Plan:
    """Return a plan without the deeds that it does not need."""
    at = len(plan) - 1 if len(plan) <= MOST_SHRUNK else -1
    while at >= 0:
        shorter = (*plan[:at], *plan[at + 1 :])
        if plan[at][1].is_deed and replay.play(shorter, state) is not None:
            plan = shorter
        at -= 1
    return plan


def _certify(timeline: Timeline, plan: Plan, acts: tuple[Act, ...], again: Replay) -> Certificate | None:
    """Return a certificate of a plan after its acts were done in a new game; None if they miss the goal there."""
    state = timeline.state
    try:
        game = replay(timeline, acts)
    except PlainRefusal:
        return None
    if not again.goal.is_reached(game.state):
        return None
    needed = tuple(rule.number for rule in state.rules.in_force if not _works_without(rule.id, plan, state, again))
    return Certificate(acts, needed, game, len(timeline.moments))


def replay(timeline: Timeline, acts: Sequence[Act]) -> Timeline:
    """Return a new game in which everything so far, and then the acts of a line, happened.

    Raises
    ------
    PlainRefusal
        An act is refused.
    """
    game = timeline.trial(0)
    if not timeline.on_trial and not any(event.is_action and event.do != "begin" for event in timeline.events):
        game = Timeline(timeline.setting)
    for act in acts:
        if act.action == WITHHOLD:
            continue
        game.seed = act.seed(game.state) or game.seed
        if act.action in HOST_ACTIONS:
            game.do_as_host(act.action, act.details)
        else:
            game.do(act.player, act.action, act.details)
    return game


def _works_without(rule: int, plan: Plan, state: State, again: Replay) -> bool:
    """Tell whether a plan still reaches the goal if a rule is not there."""
    book = state.rules.without_rules(rule)
    bare = state.replace(rules=book)
    try:
        bare = bare.replace(law=state.law.for_book(book).reordered(bare))
        return again.play(plan, bare) is not None
    except (PlainRefusal, Undecided):
        return False
