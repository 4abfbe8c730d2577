"""Voting for others: proxies and delegates, whom a rule lets cast the ballots of players who could vote themselves."""

from __future__ import annotations

from collections.abc import Iterator

from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.law.values import ThingRef
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.decisions import PROPOSAL_DECISIONS, open_ballots, voters_in_turn
from nomic_nb.engine.play.declarations import ChoiceField, ProposalField, action, declare_event
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.permissions import check_undisturbed, refuse
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import BALLOT, PLAYER, PLAYER_CASE, VOTE_CASE, Decision, Proposal, Vote
from nomic_nb.engine.subjects.votes import find_open_vote

#: The names that rules can use when somebody votes for another player.
CASE = VOTE_CASE | PLAYER_CASE | {"other": PLAYER}


def _is_ring(vote: Vote, player: str | None, other: str) -> bool:
    """Tell whether a player's own ballot was cast by `other`, or by somebody whose own was cast so, and so on."""
    while player is not None and player != other:
        player = vote.proxies.get(player)
    return player is not None


def _ballots_for_others(state: State, proposal: Proposal, player: str) -> dict[str, Number | None]:
    """Return the ballots of others that a player may cast, such as “Cleo: for”, with the rules that allow it."""
    vote, case = proposal.vote, proposal.law_case
    if vote is None or proposal.status != "open" or state.law.is_silent_on("may.vote_for_other"):
        return {}
    again = state.find("vote.changeable", **case).says(True)
    found = {}
    for other in voters_in_turn(state, vote, vote.electorate if again else vote.silent_voters):
        for ballot in open_ballots(state, proposal, other) if not _is_ring(vote, player, other) else ():
            leave = state.find(
                "may.vote_for_other", player=player, other=ThingRef("player", other), ballot=ballot, **case
            )
            if leave.says(True) and (vote.sealed or vote.ballots.get(other) != ballot):
                found[f"{other}: {ballot}"] = leave.rule
    return found


def _decisions(state: State, proposal: Proposal) -> Iterator[Decision]:
    """Yield the decisions to cast ballots for other voters on a proposal."""
    for player in state.person_names:
        if found := _ballots_for_others(state, proposal, player):
            what = f"vote for somebody else on proposal {proposal.number}: {proposal.change.headline}"
            rule = next(iter(found.values()))
            yield Decision(player, "vote_for_other", what, tuple(found), rule, proposal.number, must=False)


PROPOSAL_DECISIONS.append(_decisions)
declare_event(
    "voted_for_other", "a player casts the ballot of another player", CASE,
    told="{actor} votes for {other} on proposal {number}",
)  # fmt: skip


@action("voted_for_other", CASE | {"ballot": BALLOT}, takes_leave=True)
def vote_for_other(engine: Engine, player: str, ballot: ChoiceField, proposal: ProposalField = None) -> None:
    """Cast the ballot of another player.

    A rule must allow it, as ``allow vote_for_other`` does. The ballot names the voter, as in ``Cleo: for``.
    """
    check_undisturbed(engine.state)
    other, _, word = str(ballot).rpartition(": ")
    held, vote = find_open_vote(engine.state, other, proposal)
    if str(ballot) not in _ballots_for_others(engine.state, held, player):
        why = "no rule allows that ballot now"
        if _is_ring(vote, player, other):
            why = "it is your own; use vote" if player == other else f"{other} has voted for {player}"
        refuse(
            say(
                "no-voting-for-other",
                "{player} can’t cast the ballot “{ballot}” on proposal {proposal}: {why}",
                player=player,
                ballot=str(ballot)[:80],
                proposal=held.number,
                why=why,
            )
        )
    engine.make_turn_current(held.turn)
    engine.emit("voted_for_other", player, number=held.number, other=other)
    engine.emit("balloted", other, number=held.number, ballot=word, by=player)
    engine.schedule("close vote", **held.law_case)
