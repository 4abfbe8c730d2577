"""Dead ends of a game: each is proved, refuted with a witness, or not decided."""

from __future__ import annotations

from collections.abc import Iterator

from nomic_nb.engine.display import DisplayedAlike
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.play.decisions import decisions
from nomic_nb.engine.play.declarations import HOST_ACTIONS
from nomic_nb.engine.play.lawmaking import LAWMAKING_EVENTS
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.trial_adoption import calm_state
from nomic_nb.engine.words import join_words
from nomic_nb.study.review.adoption import find_adoption_future
from nomic_nb.study.review.cases import all_effects, clauses_in_force
from nomic_nb.study.review.warnings.deadlock import finding_that_nobody_can_win
from nomic_nb.study.search.loopholes import Certificate, find_loopholes
from nomic_nb.study.search.moves import Act, Table

#: Ways to answer a decision that are tried.
MOST_WAYS = 20


@frozen
class DeadEnd:
    """A dead end, and whether the game is in it.

    Parameters
    ----------
    name : str
        What would be so.
    verdict : str
        ``proved``, ``refuted`` or ``not decided``.
    why : str
        The proof, the witness or the reason.
    certificate : Certificate or None
        A line of play that refutes it.
    """

    name: str
    verdict: str
    why: str
    certificate: Certificate | None = None

    def __str__(self) -> str:
        return f"{self.name}: {self.verdict}, because {self.why}"


@frozen
class DeadEnds(DisplayedAlike):
    """The dead ends of a game.

    Parameters
    ----------
    changes, winning, standstill : DeadEnd
        No rule change can pass any more, nobody can win, and play is at a standstill.
    """

    changes: DeadEnd
    winning: DeadEnd
    standstill: DeadEnd

    def __iter__(self) -> Iterator[DeadEnd]:
        return iter((self.changes, self.winning, self.standstill))


def find_dead_ends(timeline: Timeline, seconds: float = 5) -> DeadEnds:
    """Return whether rules can still change, somebody can still win, and play can go on.

    Parameters
    ----------
    timeline : Timeline
        The game; it does not change.
    seconds : float
        Processor time at most for the search for a win.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> [one.verdict for one in find_dead_ends(game.timeline)]
    ['refuted', 'refuted', 'refuted']
    """
    changes = _dead_end_of_changes(timeline.state)
    return DeadEnds(changes, _dead_end_of_winning(timeline, changes, seconds), _standstill(timeline.state))


def _dead_end_of_changes(state: State) -> DeadEnd:
    """Return whether no rule change can pass any more."""
    name = "No rule change can pass any more"
    if state.over:
        return DeadEnd(name, "proved", "the game is over")
    future = find_adoption_future(calm_state(state))
    verdict = {True: "refuted", False: "proved", None: "not decided"}[future.possible]
    return DeadEnd(name, verdict, f"one can pass, {future.reason}" if future.possible else future.reason)


def _dead_end_of_winning(timeline: Timeline, changes: DeadEnd, seconds: float) -> DeadEnd:
    """Return whether nobody can win, even if all players want somebody to."""
    name, state = "Nobody can win", timeline.state
    if state.winners:
        return DeadEnd(name, "refuted", f"{join_words(state.winners)} has won")
    if state.over:
        return DeadEnd(name, "proved", "the game is over")
    finding = finding_that_nobody_can_win(state)
    lawmaking = [form.name for form in state.law.vocabulary.effects.values() if LAWMAKING_EVENTS & set(form.makes)]
    closed = changes.verdict == "proved" and not all_effects(clauses_in_force(state.law), *lawmaking)
    silent = all(state.find(key).outcome == "silent" for key in ("judge.candidates", "win.when_stuck"))
    if finding is not None and closed and silent:
        return DeadEnd(name, "proved", f"rule {finding.rule} lets nobody win and no rule can change")
    found = find_loopholes(timeline, state.person_names, goal="win", depth=2, seconds=seconds)
    if found.certificates:
        one = found.certificates[0]
        return DeadEnd(name, "refuted", f"{join_words(one.timeline.state.winners)} can win if all help", one)
    return DeadEnd(name, "not decided", f"no way to win was found ({found.claim})")


def _standstill(state: State) -> DeadEnd:
    """Return whether play is at a standstill."""
    name = "Play is at a standstill"
    if state.over:
        return DeadEnd(name, "refuted", "the game is over")
    if state.stuck:
        return DeadEnd(name, "proved", "play cannot continue")
    table = Table(state.person_names, "for")
    awaited = [decision for decision in decisions(state) if decision.must]
    for decision in awaited:
        player = "" if decision.action in HOST_ACTIONS else decision.player or state.person_names[0]
        for way in decision.ways(MOST_WAYS):
            if table.after(state, Act(player, decision.action, way)) is not None:
                return DeadEnd(name, "refuted", f"{player or 'the host'} can answer: {decision.prompt}")
    if awaited:
        return DeadEnd(name, "not decided", "no answer that was tried is accepted")
    return DeadEnd(name, "not decided", "nobody has to do anything, and other acts were not tried")
