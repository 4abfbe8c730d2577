"""What one other ballot or roll would have changed: the record is played again from there, as far as it fits.

Nothing is guessed. The acts that followed are repeated on a copy of the game, one by one, with the game's own dice.
Where the rules refuse one, or a die shows something else than it did, the rest of the record fits no longer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from nomic_nb.engine.display import Displayed
from nomic_nb.engine.errors import IllegalAction, LawError, WrongValue
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.play.dice import draw_faces
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.record.event_sentences import sentence
from nomic_nb.engine.record.seals import current_seals
from nomic_nb.engine.words import join_words

#: Seeds that are tried for a roll.
MOST_SEEDS = 20_000
#: Ballots that have an opposite.
OPPOSITES = {"for": "against", "against": "for"}
#: What a proposal has done, by its status; in any other, nothing is decided about it.
RESULTS = {
    "adopted": "passed", "waiting": "passed", "without effect": "passed without effect", "defeated": "failed",
    "lapsed": "lapsed",
}  # fmt: skip


@frozen
class PastBallot:
    """A ballot of a closed vote.

    Parameters
    ----------
    event : int
        Number of the event in which it was cast.
    player : str
        Player who cast it.
    proposal : int or str
        Number of the proposal.
    ballot : str
        ``for`` or ``against``.
    """

    event: int
    player: str
    proposal: Number
    ballot: str


@frozen
class WhatIf(Displayed):
    """The outcome of a game in which one ballot or roll was another one.

    Parameters
    ----------
    past : PastBallot or Event
        The ballot or roll as it was.
    instead : str or int
        The ballot or roll that was played instead.
    before : State
        The state at the end of the record.
    branch : Timeline
        The game with the other ballot or roll, as far as the record could be played again.
    misfit : Event or None
        First act of the record that is no longer possible, or whose dice show something else, or None.
    kind : callable
        Makes a game of a timeline.
    """

    past: PastBallot | Event
    instead: str | int
    before: State
    branch: Timeline
    misfit: Event | None
    kind: Callable[[Timeline], Any] = lambda timeline: timeline

    @property
    def after(self) -> State:
        """The state as far as the record could be played again."""
        return self.branch.state

    @property
    def verdict(self) -> str:
        """The result in short: ``same end``, ``another winner`` (or none any more) or ``no longer fits``."""
        if self.misfit is not None and not self.after.over:
            return "no longer fits"
        return "same end" if self.after.winners == self.before.winners else "another winner"

    def play(self) -> Any:
        """Return the game with the other ballot or roll, to play on; it is a trial, so nothing saves it."""
        return self.kind(self.branch.trial(0))

    def __str__(self) -> str:
        """Return the outcome as one sentence."""
        past = self.past
        if isinstance(past, Event):
            told = self._consequence().removeprefix("and ").removeprefix("but ")
            face = past.data["face"]
            return f"If {past.actor} had rolled {self.instead} instead of {face} in turn {past.turn}, {told}."
        ballot = f"voted “{self.instead}” on proposal {past.proposal}"
        if self.instead == "abstain":
            ballot = f"abstained on proposal {past.proposal}"
        elif self.instead in OPPOSITES:
            ballot = f"voted {self.instead} proposal {past.proposal}"
        if self.misfit is not None and self.misfit.seq == past.event:
            return f"{past.player} couldn’t have {ballot} at that point."
        then, now = (self._result_in(state, past) for state in (self.before, self.after))
        result = f"still have {now}" if now == then else f"have {now} instead"
        if not now:
            result = "still be undecided"
        return f"If {past.player} had {ballot}, it would {result}, {self._consequence()}."

    def _result_in(self, state: State, past: PastBallot) -> str:
        """Return what the proposal has done in a state, such as “passed”; empty if nothing is decided."""
        proposal = state.proposals.get(past.proposal)
        return "" if proposal is None else RESULTS.get(proposal.status, "")

    def _consequence(self) -> str:
        """Return the other effects, to follow a comma."""
        before, after = self.before, self.after
        if after.over:
            if not after.winners:
                return "and nobody would have won"
            names = join_words(after.winners)
            if before.winners == after.winners:
                return f"and {names} would still have won"
            return f"and {names} would have won{' instead' if before.winners else ''}"
        if self.misfit is not None:
            act = sentence(self.misfit)
            return f"but the record no longer fits from event {self.misfit.seq} on (“{act}”)"
        if before.over:
            return "and nobody would have won by the end of the record"
        return "and the rest of the record would still fit"


def past_ballots(timeline: Timeline) -> list[PastBallot]:
    """Return the last ballot of each player in each closed vote, oldest first; none while other ballots are sealed.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> _ = game.propose("Ann", nb.enact("Be kind."))
    >>> _ = game.vote("Ann", "for"), game.vote("Ben", "for")
    >>> [(cast.player, cast.proposal, cast.ballot) for cast in past_ballots(game.timeline)]
    [('Ann', 301, 'for'), ('Ben', 301, 'for')]
    """
    if current_seals(timeline).votes:
        return []
    last: dict[tuple[Number, str], PastBallot] = {}
    for event in timeline.events_in_effect:
        if event.do == "vote" and event.kind == "balloted" and event.data["ballot"] in OPPOSITES:
            number, player = event.data["number"], event.actor_name
            last[number, player] = PastBallot(event.seq, player, number, event.data["ballot"])
    proposals = timeline.state.proposals
    return [cast for cast in last.values() if cast.proposal in proposals and not proposals[cast.proposal].is_open]


def what_if(timeline: Timeline, event: int, ballot: str | None = None, roll: int | None = None) -> WhatIf:
    """Return the outcome if the ballot or roll in event `event` had been another one; the game does not change.

    Ballots that come too late then, because their vote is closed, are left out.

    Parameters
    ----------
    timeline : Timeline
        The game.
    event : int
        Number of the event in which the ballot was cast (see `past_ballots`) or the dice were rolled.
    ballot : str, optional
        The other ballot; default the opposite one.
    roll : int, optional
        Sum that the dice show instead.

    Raises
    ------
    ValueError
        This event has no ballot or roll that can be changed in this way.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> _ = game.propose("Ann", nb.enact("Be kind."))
    >>> _ = game.vote("Ann", "for"), game.vote("Ben", "for")
    >>> print(what_if(game.timeline, past_ballots(game.timeline)[1].event))
    If Ben had voted against proposal 301, it would have failed instead, and the rest of the record would still fit.
    """
    past: PastBallot | Event
    if roll is None:
        past = _past_ballot(timeline, event, ballot)
    elif ballot is None:
        past = _past_roll(timeline, event, roll)
    else:
        raise WrongValue("ballot-and-roll", "give a ballot or a roll, not both")
    instead = roll or ballot or OPPOSITES[timeline.events[event - 1].data["ballot"]]
    branch, misfit = timeline.copy_with_events(timeline.moments[: event - 1]), None
    for act, draws in _acts_with_draws(timeline, event):
        if branch.state.over:
            break
        again, own = act, 0
        if act.seq == event and roll is not None and act.draw:
            dice = dice_to_roll(branch.state, act.actor_name)
            if (seed := find_seed(roll, branch.state.draws, *dice)) is None:
                raise WrongValue("roll-too-unlikely", "{face} is too unlikely a roll to be tried", face=roll)
            branch.seed, own = seed, 1
        elif act.seq == event:  # a ballot, or a roll of real dice
            again = replace(act, details={**act.details, "ballot" if roll is None else "value": instead})
        elif act.do == "vote" and _is_vote_closed(branch.state, act):
            continue
        try:
            moments = branch.repeat_event(again)
        except (IllegalAction, LawError, LookupError, TypeError, ValueError):
            misfit = act
            break
        branch.seed = timeline.seed
        if [moment[0].draw for moment in moments if moment[0].draw][own:] != draws[own:]:
            misfit = act
            break
    return WhatIf(past, instead, timeline.state, branch, misfit)


def _past_ballot(timeline: Timeline, event: int, ballot: str | None) -> PastBallot:
    """Return the ballot cast in an event; raise `WrongValue` if `ballot` cannot be cast instead of it."""
    past = next((cast for cast in past_ballots(timeline) if cast.event == event), None)
    if past is None:
        raise WrongValue(
            "ballot-not-reversible",
            "event {event!r} isn’t a ballot for or against a proposal whose vote is closed",
            event=event,
        )
    vote = timeline.state.proposals[past.proposal].vote
    choices = [choice for choice in (vote.choices if vote is not None else ()) if choice != past.ballot]
    if ballot is not None and ballot not in choices:
        raise WrongValue("no-other-ballot", "the ballot must be {choices} instead", choices=join_words(choices, "or"))
    return past


def _past_roll(timeline: Timeline, event: int, roll: int) -> Event:
    """Return the roll made in an event; raise `WrongValue` if the dice cannot show `roll` instead of it."""
    past = next((one for one in timeline.events_in_effect if one.seq == event and one.do == "roll"), None)
    if past is None:
        raise WrongValue("roll-not-changeable", "event {event!r} isn’t a roll that one player made", event=event)
    dice, sides = dice_to_roll(timeline.after(event - 1), past.actor_name)
    if isinstance(roll, bool) or not dice <= roll <= dice * sides:
        raise WrongValue("roll-off-the-dice", "the roll must be from {least} to {most}", least=dice, most=dice * sides)
    return past


def dice_to_roll(state: State, player: str) -> tuple[int, int]:
    """Return how many dice a player has to roll, and how many sides they have; one of one side if none exist."""
    awaited = (one for one in state.waiting if one.action == "roll" and one.player in (None, player))
    rolled = next(awaited, None)
    return (rolled.dice, rolled.sides) if rolled is not None else (1, 1)


@lru_cache(maxsize=4_096)
def find_seed(face: int, place: int, dice: int, sides: int) -> int | None:
    """Return the first seed by which dice show a sum; None if none of many does."""
    return next((seed for seed in range(MOST_SEEDS) if sum(draw_faces(seed, place, dice, sides)) == face), None)


def _acts_with_draws(timeline: Timeline, first: int) -> Iterator[tuple[Event, list[Sequence[int]]]]:
    """Yield each act in effect from event `first` on, with the draws of chance that belong to it."""
    act, draws = None, list[Sequence[int]]()
    for event in timeline.events_in_effect:
        if event.seq < first:
            continue
        if event.is_action:
            if act is not None:
                yield act, draws
            act, draws = event, []
        if event.draw:
            draws.append(event.draw)
    if act is not None:
        yield act, draws


def _is_vote_closed(state: State, act: Event) -> bool:
    """Tell whether the vote in which an act casts a ballot is closed in a state, or was never opened."""
    proposal = state.proposals.get(act.data.get("number", ""))
    return proposal is None or not proposal.is_open
