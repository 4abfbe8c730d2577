"""What would have come of one ballot cast the other way: the record is played again from there, as far as it fits.

Nothing is guessed. The acts that followed are repeated on a copy of the game, one by one, with the game's own dice.
Where the rules refuse one, or a die shows something else than it did, the rest of the record fits no longer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from nomic_nb.engine.errors import IllegalAction, LawError, WrongValue
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.record.event_sentences import sentence
from nomic_nb.engine.record.seals import current_seals
from nomic_nb.engine.words import join_words

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
class WhatIf:
    """The outcome of a game in which one ballot was cast the other way.

    Parameters
    ----------
    ballot : PastBallot
        Ballot as it was cast.
    before, after : State
        The state at the end of the record, and the one as far as the record could be played again.
    misfit : Event or None
        First act of the record that is no longer possible, or whose dice show something else; None if there is none.
    """

    ballot: PastBallot
    before: State
    after: State
    misfit: Event | None

    def __str__(self) -> str:
        """Return the outcome as one sentence."""
        cast = self.ballot
        if self.misfit is not None and self.misfit.seq == cast.event:
            return f"{cast.player} couldn’t have voted {OPPOSITES[cast.ballot]} proposal {cast.proposal} at that point."
        then, now = (self._result_in(state) for state in (self.before, self.after))
        result = f"still have {now}" if now == then else f"have {now} instead"
        if not now:
            result = "still be undecided"
        voted = f"If {cast.player} had voted {OPPOSITES[cast.ballot]} proposal {cast.proposal}"
        return f"{voted}, it would {result}, {self._consequence()}."

    def _result_in(self, state: State) -> str:
        """Return what the proposal has done in a state, such as “passed”; empty if nothing is decided."""
        proposal = state.proposals.get(self.ballot.proposal)
        return "" if proposal is None else RESULTS.get(proposal.status, "")

    def _consequence(self) -> str:
        """Return what else would have come of it, to follow a comma."""
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


def what_if(timeline: Timeline, event: int) -> WhatIf:
    """Return the outcome if the ballot cast in event `event` had been the opposite; the game does not change.

    Ballots that come too late then, because their vote is closed, are left out.

    Parameters
    ----------
    timeline : Timeline
        The game.
    event : int
        Number of the event in which the ballot was cast; see `past_ballots`.

    Raises
    ------
    ValueError
        No ballot that can be reversed was cast in this event.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> _ = game.propose("Ann", nb.enact("Be kind."))
    >>> _ = game.vote("Ann", "for"), game.vote("Ben", "for")
    >>> print(what_if(game.timeline, past_ballots(game.timeline)[1].event))
    If Ben had voted against proposal 301, it would have failed instead, and the rest of the record would still fit.
    """
    ballot = next((cast for cast in past_ballots(timeline) if cast.event == event), None)
    if ballot is None:
        raise WrongValue(
            say(
                "ballot-not-reversible",
                "event {event!r} isn’t a ballot for or against a proposal whose vote is closed",
                event=event,
            )
        )
    branch = timeline.copy_with_events(timeline.moments[: event - 1])
    for act, draws in _acts_with_draws(timeline, event):
        if branch.state.over:
            break
        again = act
        if act.seq == event:
            again = replace(act, details={**act.details, "ballot": OPPOSITES[ballot.ballot]})
        elif act.do == "vote" and _is_vote_closed(branch.state, act):
            continue
        try:
            moments = branch.repeat_event(again)
        except (IllegalAction, LawError, LookupError, TypeError, ValueError):
            return WhatIf(ballot, timeline.state, branch.state, act)
        if [moment[0].draw for moment in moments if moment[0].draw] != draws:
            return WhatIf(ballot, timeline.state, branch.state, act)
    return WhatIf(ballot, timeline.state, branch.state, None)


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
    number = act.data.get("number")
    proposal = state.proposals.get(number) if number is not None else None
    return proposal is None or not proposal.is_open
