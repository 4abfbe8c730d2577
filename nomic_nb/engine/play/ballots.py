"""Ballots: how they are cast, by players and by rules, and how a vote is closed without some."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.checking import Checker
from nomic_nb.engine.law.places import One, Players
from nomic_nb.engine.law.rules import Number as RuleNumber
from nomic_nb.engine.law.values import TEXT, shown
from nomic_nb.engine.law.view import Undecided
from nomic_nb.engine.play.cases import BALLOT, BY, VOTE, YES_NO
from nomic_nb.engine.play.declaring import OneOf, OnProposal, action, effect, happens
from nomic_nb.engine.play.effects import players_of, prevented
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.permission import calm, check_named, check_permission, check_says, one_of, refuse
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import BALLOTS, CHOICES, Proposal, Vote
from nomic_nb.engine.play.votes import to_vote
from nomic_nb.engine.words import doing


@happens(
    "balloted",
    "a ballot was cast",
    VOTE | BY | {"ballot": BALLOT},
    told=lambda e: (
        f"{e.actor} abstains on {e.data['number']}"
        if e.data["ballot"] == "abstain"
        else f"{e.actor} votes {e.data['ballot']} {e.data['number']}"
    ),
)
@to_vote
def _balloted(vote: Vote, event: Event) -> Vote:
    ballots = {name: ballot for name, ballot in vote.ballots.items() if name != event.actor}
    return replace(vote, ballots={**ballots, event.by: event.data["ballot"]})


@happens(
    "agreed",
    "a voter has said whether the vote may be closed without their ballot",
    VOTE | BY | {"answer": YES_NO},
    told=lambda e: (
        f"{e.actor} agrees to close the vote on {e.data['number']} without their ballot"
        if e.data["answer"] == "yes"
        else f"{e.actor} does not want the vote on {e.data['number']} closed yet"
    ),
)
@to_vote
def _agreed(vote: Vote, event: Event) -> Vote:
    return replace(vote, agreed={**vote.agreed, event.by: event.data["answer"]})


happens("vote_ended", told="{actor} closes the vote on {number}")


@frozen
class Ballot(One):
    """A ballot, where a vote is at hand."""

    def fit(self, expression: Any, checker: Checker) -> None:
        """Refuse what is no ballot, and any where no vote is at hand."""
        super().fit(expression, checker)
        checker.texts(expression, self.what, BALLOTS)
        if "proposal" not in checker.names:
            raise checker.word("cast", "no vote is at hand here", expected="on vote_opened: before it")


@effect(
    "cast {ballot} for {who}",
    example='cast "for" for "Dummy"',
    makes="balloted",
    needs="proposal",
    ballot=Ballot(TEXT, "a ballot"),
    who=Players(),
)
def _cast(engine: Engine, effect: Any) -> None:
    """Cast a ballot in the vote at hand."""
    ballot = engine.value(effect.ballot)
    case = engine.item.env["proposal"]
    proposal = engine.state.proposals[case.id]
    vote = proposal.vote
    if vote is None or proposal.status not in ("open", "ending"):
        raise Undecided("no vote is open in which a ballot could be cast")
    if ballot not in vote.choices:
        raise Undecided(f"{shown(ballot)} is not a ballot in this vote, where one votes {' or '.join(vote.choices)}")
    for name in players_of(engine, effect.who):
        if name not in vote.electorate or vote.ballots.get(name) == ballot:
            continue  # who may not vote has no ballot that could be cast, and one that is there is not cast again
        if not _may_be_cast(engine, effect, name):
            continue
        if name in vote.ballots and engine.read("vote.changeable", proposal=case) is not True:
            raise Undecided(f"{name} has voted already, and ballots stand")
        engine.emit("balloted", name, number=proposal.number, ballot=ballot)
    engine.schedule("close vote", proposal=case)


@action("balloted", VOTE | BY)
def vote(engine: Engine, player: str, ballot: OneOf, proposal: OnProposal = None) -> None:
    """Cast a ballot."""
    state = engine.state
    calm(state)
    if ballot not in BALLOTS:
        one_of(CHOICES, ballot, "a ballot is cast for or against")
    found, held = _open_vote(state, player, proposal)
    case = found.case
    if ballot not in held.choices:
        options = list(held.choices)
        rule = state.find("vote.choices", **case).rule
        said = f"a ballot is cast for or against; no rule lets voters abstain on {found.number}"
        raise IllegalAction(said, rule=rule, options=options)
    if player not in held.electorate:
        refuse(f"{player} may not vote on {found.number}", held.electorate_rule)
    if held.own_turn and state.turn_of(player) is None:
        refuse(f"{player} votes on {found.number} in a turn of their own", state.find("vote.when", **case).rule)
    if held.ballots.get(player) == ballot:
        refuse(f"{player} has voted so on {found.number} already", state.find("vote.changeable", **case).rule)
    if player in held.ballots:
        stands = f"{player} has voted on {found.number} already, and ballots stand"
        check_says(state, "vote.changeable", True, stands, **case)
    check_permission(state, "vote", player, f"to vote on {found.number}", **case)
    engine.take(found.turn)
    engine.emit("balloted", player, number=found.number, ballot=ballot)
    engine.schedule("close vote", **case)


def _open_vote(state: State, player: str, number: RuleNumber | None) -> tuple[Proposal, Vote]:
    if number is not None:
        found = state.proposals.get(number)
        if found is None:
            refuse(f"there is no proposal {number}")
        if found.status != "open":
            said = {"debate": "is still being debated", "ending": "is over; its result is yet to be found"}.get(
                found.status, f"is closed; it was {found.status}"
            )
            refuse(f"the vote on {number} {said}")
        return found, cast(Vote, found.vote)
    still_open = [one for one in state.open_proposals if one.status == "open"]
    if not still_open:
        refuse("no vote is open")
    meant = [one for one in still_open if one.vote and player in one.vote.waiting] or still_open
    if len(meant) > 1:
        refuse(f"several votes are open ({', '.join(str(one.number) for one in meant)}); say which")
    return meant[0], cast(Vote, meant[0].vote)


@action("vote_ended", VOTE | BY)
def close_vote(engine: Engine, player: str, proposal: OnProposal = None) -> None:
    """Close a vote in which not everyone has voted."""
    state = engine.state
    calm(state)
    found, held = _open_vote(state, player, proposal)
    case = found.case
    if held.duty and held.waiting:
        duty = held.law.find("vote.duty", state, case)
        refuse(f"everyone must vote; {doing(held.waiting, 'has', 'have')} not", duty.rule)
    check_named(state, "vote.ended_by", player, f"{player} cannot close this vote", **case)
    check_permission(state, "close_vote", player, "to close the vote", **case)
    engine.take(found.turn)
    engine.emit("vote_ended", player, number=found.number)
    engine.schedule("conclude vote", **case)


@action("agreed", VOTE | BY, takes_leave=True)
def agree(engine: Engine, player: str, answer: OneOf = "yes", proposal: OnProposal = None) -> None:
    """Say whether a vote may be closed without one's ballot, where a rule lets voters be asked.

    The answer is ``yes`` or ``no``.
    """
    state = engine.state
    calm(state)
    said = one_of(("yes", "no"), answer, "the answer is yes or no")
    found, held = _open_vote(state, player, proposal)
    finding = state.find("may.agree", player=player, **found.case)
    if player not in held.waiting or state.law.said(finding) is not True:
        refuse(f"{player} is not asked whether the vote on {found.number} may be closed", finding.rule)
    if held.agreed.get(player) in ("yes", said):
        refuse(f"{player} has answered already", finding.rule)
    engine.take(found.turn)
    engine.emit("agreed", player, number=found.number, answer=said)


def _may_be_cast(engine: Engine, effect: Any, name: str) -> bool:
    """Tell whether the law of a step lets rules cast a voter's ballot; a dummy has no other."""
    if not engine.state.players[name].person:
        return True
    finding = engine.find("vote.automatic", proposal=engine.item.env["proposal"], voter=name)
    allowed = engine.law.settled(finding) is True
    if not allowed:
        prevented(engine, effect, finding.rule, name)
    return allowed
