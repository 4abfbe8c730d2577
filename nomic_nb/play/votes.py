"""Votes: what is fixed when they open, when they close, what the outcome is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

from nomic_nb.errors import IllegalAction
from nomic_nb.law.checking import Checker
from nomic_nb.law.forms import Effect, declare
from nomic_nb.law.places import One, Players
from nomic_nb.law.resolver import Law
from nomic_nb.law.rules import Number as RuleNumber
from nomic_nb.law.types import Scope
from nomic_nb.law.values import TEXT, Number, Ref, Value, shown
from nomic_nb.law.view import Undecided
from nomic_nb.markup.words import listed
from nomic_nb.play.declaring import OneOf, OnProposal, action, happens, step
from nomic_nb.play.effects import EFFECTS, Env, players_of, value_of
from nomic_nb.play.engine import Engine
from nomic_nb.play.events import Event, cause_of, number_from_json, number_to_json
from nomic_nb.play.judgment import judge_left
from nomic_nb.play.keys import BALLOT, BY, VOTE, YES_NO
from nomic_nb.play.lawmaking import put_in_force
from nomic_nb.play.people import names_of
from nomic_nb.play.permission import calm, check_permission, forbidden, permission, refuse
from nomic_nb.play.proposals import becomes, case_of, with_proposal
from nomic_nb.play.sealing import player_left
from nomic_nb.play.state import Item, Proposal, State, Vote


def _proposal(engine: Engine, item: Item) -> Proposal:
    return engine.state.proposals[cast(Ref, item.env["proposal"]).id]


def _fixed(law: Law, state: State, proposal: Proposal, names: tuple[str, ...]) -> dict[str, object]:
    """Ask the law what a vote among these voters is held by."""
    case = case_of(proposal)
    weights = {}
    for name in names:
        weight = law.settled(law.find("vote.weight", state, {**case, "voter": Ref("player", name)}))
        weights[name] = number_to_json(cast(Number, weight))
    quota = law.find("vote.quota", state, case)
    return {
        "number": proposal.number,
        "electorate": list(names),
        "weights": weights,
        "quota": number_to_json(cast(Number, law.settled(quota))),
        "quota_rule": quota.rule,
    }


def _still_there(state: State, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of them who have not left: nobody else can cast a ballot, and no vote waits for theirs."""
    return tuple(name for name in names if state.players[name].playing)


def _among(state: State, proposal: Proposal, vote: Vote) -> State:
    """Return the state in which the law is asked about a vote among these voters, who are fixed."""
    return with_proposal(state, replace(proposal, vote=vote))


@step("open vote")
def open_vote(engine: Engine, item: Item) -> None:
    """Open the vote on a proposal: electorate, weights, quota and text are fixed from here on (106)."""
    proposal = _proposal(engine, item)
    law, state, case = engine.law, engine.state, case_of(proposal)
    electorate = law.find("vote.electorate", state, case)
    named = tuple(dict.fromkeys(names_of(law.settled(electorate))))
    names = _still_there(state, named)
    asked = state if names == named else _among(state, proposal, Vote(names, {}, cast(Number, None), None, None,
        duty=False, sealed=False, law=law))  # fmt: skip
    terms = _fixed(law, asked, proposal, names) | {
        "electorate_rule": electorate.rule,
        "duty": law.settled(law.find("vote.duty", state, case)),
        "sealed": law.settled(law.find("vote.ballots", state, case)) == "sealed",
    }
    engine.emit("vote_opened", proposal.proponent, env=case, data=terms)
    engine.schedule("close vote", **case)


@step("open vote at once")
def open_vote_at_once(engine: Engine, item: Item) -> None:
    """Open the vote on what was just proposed, unless the law does not let its proponent call the vote yet."""
    proposal = _proposal(engine, item)
    finding = permission(engine.state, "call_vote", proposal.proponent, **case_of(proposal))
    if not finding.answered:
        engine.law.settled(finding)
    if not forbidden(finding):
        open_vote(engine, item)


def retally(engine: Engine, proposal: Proposal) -> None:
    """Let a vote go on without voters who have left: among the others, and with the quota for them.

    Nobody comes in who was not there when it opened, and the law of the vote judges it.
    """
    vote = cast(Vote, proposal.vote)
    names = _still_there(engine.state, vote.electorate)
    asked = _among(engine.state, proposal, replace(vote, electorate=names, quota=cast(Number, None)))
    terms = _fixed(vote.law, asked, proposal, names) | {
        "electorate_rule": vote.electorate_rule, "duty": vote.duty, "sealed": vote.sealed,
    }  # fmt: skip
    engine.emit("retallied", proposal.proponent, data=terms)
    engine.schedule("close vote", **case_of(proposal))


@step("close vote")
def close_vote_if_all_voted(engine: Engine, item: Item) -> None:
    """Close the vote once there is no ballot to wait for."""
    proposal = _proposal(engine, item)
    if proposal.status == "open" and proposal.vote is not None and not proposal.vote.waiting:
        conclude(engine, proposal)


@step("conclude vote")
def conclude_vote(engine: Engine, item: Item) -> None:
    """Close a vote as it stands."""
    proposal = _proposal(engine, item)
    if proposal.status == "open":
        conclude(engine, proposal)


@step("find result")
def find_result_of(engine: Engine, item: Item) -> None:
    """Find the result of a vote that has ended, unless its proposal has lapsed since."""
    proposal = _proposal(engine, item)
    if proposal.status == "ending":
        find_result(engine, proposal)


def is_adopted(state: State, proposal: Proposal) -> bool:
    """Ask the law of the vote whether the ballots as they are adopt a proposal.

    Raises
    ------
    Undecided
        Where it gives no answer.
    """
    law = cast(Vote, proposal.vote).law
    return law.settled(law.find("vote.adopted", state, case_of(proposal))) is True


def conclude(engine: Engine, proposal: Proposal) -> None:
    """End a vote: what rules do before its result is found is done first."""
    case = case_of(proposal)
    if engine.law.triggers.get("vote_ending"):
        engine.emit("vote_ending", proposal.proponent, env=case, number=proposal.number)
        engine.schedule("find result", **case)
    else:
        find_result(engine, proposal)


def find_result(engine: Engine, proposal: Proposal) -> None:
    """Close a vote, and let the outcome take effect."""
    vote = cast(Vote, proposal.vote)
    case = case_of(proposal)
    adopted = is_adopted(engine.state, proposal)
    finding = vote.law.find("vote.adopted", engine.state, case)
    engine.cause = cause_of(finding)
    engine.emit(
        "vote_closed", proposal.proponent, env=case, number=proposal.number, adopted=adopted,
        votes_for=number_to_json(vote.weight("for")), votes_against=number_to_json(vote.weight("against")),
        not_voted=list(vote.waiting), quota=number_to_json(vote.quota), quota_rule=vote.quota_rule,
    )  # fmt: skip
    if not adopted:
        engine.emit("defeated", proposal.proponent, env=case, number=proposal.number)
        return
    engine.emit("adopted", proposal.proponent, env=case, number=proposal.number)
    when = engine.read("change.effective", **case)
    if when == "vote closed":
        put_in_force(engine, engine.state.proposals[proposal.number])
    else:
        engine.emit("put_off", proposal.proponent, number=proposal.number, due=when)


@step("put in force")
def put_adopted_in_force(engine: Engine, item: Item) -> None:
    """Let a change take effect that was adopted earlier."""
    proposal = _proposal(engine, item)
    if proposal.status == "waiting":
        put_in_force(engine, proposal)


@step("after leaving")
def after_leaving(engine: Engine, item: Item) -> None:
    """Settle what a player who left has left open: proposals and votes."""
    name = cast(Ref, item.env["player"]).id
    player_left(engine, str(name))
    for proposal in engine.state.open_proposals:
        if proposal.proponent == name:
            engine.schedule("settle left", **case_of(proposal))
        elif proposal.vote is not None:
            retally(engine, proposal)
    judge_left(engine, str(name))


@step("settle left")
def settle_left(engine: Engine, item: Item) -> None:
    """Do with the open proposal of a player who has left what the law, or the table, says."""
    proposal = _proposal(engine, item)
    if not proposal.open:
        return
    if engine.read("proposal.on_leaving", **case_of(proposal)) == "lapse":
        note = f"{proposal.proponent} left the game"
        engine.emit("lapsed", proposal.proponent, number=proposal.number, note=note)
    elif proposal.vote is not None:
        retally(engine, proposal)
    else:
        engine.schedule("open vote", **case_of(proposal))


def with_vote(state: State, proposal: Proposal, vote: Vote) -> State:
    """Return the state with the vote on a proposal changed."""
    return with_proposal(state, replace(proposal, vote=vote))


def _told_vote_opened(event: Event) -> str:
    data = event.data
    return f"the vote on {data['number']} opens: {listed(data['electorate'])} may vote, {data['quota']} in favour adopt"


def _told_closed(event: Event) -> str:
    data = event.data
    outcome = "adopted" if data["adopted"] else "not adopted"
    return (
        f"the vote on {data['number']} closes: {data['votes_for']} for, {data['votes_against']} against, "
        f"{data['quota']} needed; {outcome}"
    )


@happens("vote_opened", "ballots can be cast", VOTE, told=_told_vote_opened)
@happens("retallied", told=lambda e: f"the vote on {e.data['number']} goes on among {listed(e.data['electorate'])}")
def _vote_opened(state: State, event: Event) -> State:
    data = event.data
    weights = {name: number_from_json(weight) for name, weight in data["weights"].items()}
    proposal = state.proposals[data["number"]]
    old = proposal.vote
    vote = Vote(
        tuple(data["electorate"]), weights, number_from_json(data["quota"]), data["quota_rule"],
        data["electorate_rule"], data["duty"], data["sealed"], old.law if old else state.law,
        {name: ballot for name, ballot in old.ballots.items() if name in data["electorate"]} if old else {},
        {name: answer for name, answer in old.agreed.items() if name in data["electorate"]} if old else {},
    )  # fmt: skip
    status = proposal.status if proposal.status == "ending" else "open"
    return with_proposal(state, replace(proposal, status=status, vote=vote))


@happens(
    "balloted",
    "a ballot was cast",
    {**VOTE, **BY, "ballot": BALLOT},
    told=lambda e: f"{e.actor} votes {e.data['ballot']} {e.data['number']}",
)
def _balloted(state: State, event: Event) -> State:
    proposal = state.proposals[event.data["number"]]
    vote = proposal.vote
    if vote is None:
        return state
    ballots = {name: ballot for name, ballot in vote.ballots.items() if name != event.actor}
    return with_vote(state, proposal, replace(vote, ballots={**ballots, str(event.actor): event.data["ballot"]}))


@happens(
    "agreed",
    "a voter has said whether the vote may be closed without their ballot",
    {**VOTE, **BY, "answer": YES_NO},
    told=lambda e: (
        f"{e.actor} lets the vote on {e.data['number']} be closed without a ballot of theirs"
        if e.data["answer"] == "yes"
        else f"{e.actor} does not want the vote on {e.data['number']} closed yet"
    ),
)
def _agreed(state: State, event: Event) -> State:
    proposal = state.proposals[event.data["number"]]
    vote = proposal.vote
    if vote is None:
        return state
    return with_vote(state, proposal, replace(vote, agreed={**vote.agreed, str(event.actor): event.data["answer"]}))


happens("vote_ended", told=lambda e: f"{e.actor} closes the vote on {e.data['number']}")


happens(
    "vote_ending",
    "no more ballots, and no result yet: what this sets off is done before it is found",
    VOTE,
    told=lambda e: f"no more ballots can be cast on {e.data['number']}",
)(becomes("ending"))


happens(
    "vote_closed",
    "the result of a vote is found",
    VOTE,
    told=_told_closed,
    late="the result is found by then; what comes before it is done on vote_ending",
)


happens("adopted", "a proposal was adopted", VOTE, told=lambda e: f"{e.data['number']} is adopted")(becomes("adopted"))


happens("defeated", "a proposal was defeated", VOTE, told=lambda e: f"{e.data['number']} is defeated")(
    becomes("defeated")
)


happens("put_off", told=lambda e: f"{e.data['number']} takes effect once the next {e.data['due']}")(becomes("waiting"))


happens("without_effect", told=lambda e: f"{e.data['number'] or 'the change'} has no effect: {e.data['note']}")(
    becomes("without effect")
)


@dataclass(frozen=True)
class Ballot(One):
    """A ballot, where a vote is at hand."""

    def fit(self, expression: Any, checker: Checker, effect: Effect, scope: Scope) -> None:
        """Refuse what is no ballot, and any where no vote is at hand."""
        super().fit(expression, checker, effect, scope)
        checker.texts(expression, self.what, ("for", "against"))
        if "proposal" not in scope.names:
            raise checker.word("cast", "no vote is at hand here", expected="on vote_opened: before it")


@declare(
    EFFECTS,
    "cast {ballot} for {who}",
    example='cast "for" for "Dummy"',
    makes=("balloted",),
    ballot=Ballot(TEXT, "a ballot"),
    who=Players(),
)
def _cast(engine: Engine, item: Item, effect: Any) -> Env | None:
    """Cast a ballot in the vote at hand."""
    ballot = value_of(engine, item, effect.ballot)
    proposal = engine.state.proposals[cast(Ref, item.env["proposal"]).id]
    vote = proposal.vote
    if vote is None or proposal.status not in ("open", "ending"):
        raise Undecided("no vote is open in which a ballot could be cast")
    if ballot not in ("for", "against"):
        raise Undecided(f"{shown(ballot)} is no ballot")
    for name in players_of(engine, item, effect.who):
        if name not in vote.electorate or vote.ballots.get(name) == ballot:
            continue  # who may not vote has no ballot that could be cast, and one that is there is not cast again
        if name in vote.ballots and engine.read("vote.changeable", proposal=item.env["proposal"]) is not True:
            raise Undecided(f"{name} has voted already, and ballots stand")
        env: dict[str, Value] = {
            "proposal": item.env["proposal"],
            "player": Ref("player", name),
            "ballot": ballot,
        }
        engine.emit("balloted", name, env=env, number=proposal.number, ballot=ballot)
    engine.schedule("close vote", proposal=item.env["proposal"])
    return item.env


@action("balloted", {**VOTE, **BY})
def vote(engine: Engine, player: str, ballot: OneOf, proposal: OnProposal = None) -> None:
    """Cast a ballot."""
    state = engine.state
    calm(state)
    if not isinstance(ballot, str) or ballot not in ("for", "against"):
        raise IllegalAction(f"a ballot is cast for or against, not {str(ballot)[:40]!r}", options=["for", "against"])
    found = _open_vote(state, player, proposal)
    case = case_of(found)
    held = found.vote
    assert held is not None  # noqa: S101 - an open proposal has a vote
    if player not in held.electorate:
        refuse(f"{player} may not vote on {found.number}", held.electorate_rule)
    if player in held.ballots:
        finding = state.law.find("vote.changeable", state, case)
        if state.law.settled(finding) is not True:
            refuse(f"{player} has voted on {found.number} already, and ballots stand", finding.rule)
    check_permission(state, "vote", player, f"that {player} votes on {found.number}", **case)
    env: dict[str, Value] = {**case, "player": Ref("player", player), "ballot": ballot}
    engine.take(found.turn)
    engine.emit("balloted", player, env=env, number=found.number, ballot=ballot)
    engine.schedule("close vote", **case)


def _open_vote(state: State, player: str, number: RuleNumber | None) -> Proposal:
    if number is not None:
        found = state.proposals.get(number)
        if found is None:
            refuse(f"there is no proposal {number}")
        if found.status != "open":
            said = {"debate": "is still being debated", "ending": "is over; its result is yet to be found"}.get(
                found.status, f"is closed; it was {found.status}"
            )
            refuse(f"the vote on {number} {said}")
        return found
    still_open = [one for one in state.open_proposals if one.status == "open"]
    if not still_open:
        refuse("no vote is open")
    waiting = [one for one in still_open if one.vote is not None and player in one.vote.waiting]
    if len(waiting or still_open) > 1:
        numbers = ", ".join(str(one.number) for one in waiting or still_open)
        refuse(f"several votes are open ({numbers}); say which")
    return (waiting or still_open)[0]


@action("vote_ended", {**VOTE, **BY})
def close_vote(engine: Engine, player: str, proposal: OnProposal = None) -> None:
    """Close a vote in which not everyone has voted."""
    state = engine.state
    calm(state)
    found = _open_vote(state, player, proposal)
    held = found.vote
    assert held is not None  # noqa: S101 - an open proposal has a vote
    case = case_of(found)
    if held.duty and held.waiting:
        duty = held.law.find("vote.duty", state, case)
        refuse(f"everyone must vote; {', '.join(held.waiting)} has not", duty.rule)
    finding = state.law.find("vote.ended_by", state, case)
    if player not in names_of(state.law.settled(finding)):
        refuse(f"{player} cannot close this vote", finding.rule)
    check_permission(state, "close_vote", player, "to close the vote", **case)
    engine.take(found.turn)
    engine.emit("vote_ended", player, number=found.number)
    engine.schedule("conclude vote", **case)


@action("agreed", {**VOTE, **BY}, takes_leave=True)
def agree(engine: Engine, player: str, answer: OneOf = "yes", proposal: OnProposal = None) -> None:
    """Say whether a vote may be closed without one's ballot, where a rule lets voters be asked."""
    state = engine.state
    calm(state)
    if not isinstance(answer, str) or answer not in ("yes", "no"):
        raise IllegalAction(f"one agrees or not, yes or no, not {str(answer)[:40]!r}", options=["yes", "no"])
    found = _open_vote(state, player, proposal)
    held, case = cast(Vote, found.vote), case_of(found)
    finding = state.law.find("may.agree", state, {"player": Ref("player", player), **case})
    if player not in held.waiting or finding.outcome == "silent" or state.law.settled(finding) is not True:
        refuse(f"{player} is not asked whether the vote on {found.number} may be closed", finding.rule)
    if held.agreed.get(player) in ("yes", answer):
        refuse(f"{player} has said so already", finding.rule)
    env: dict[str, Value] = {**case, "player": Ref("player", player), "answer": answer}
    engine.take(found.turn)
    engine.emit("agreed", player, env=env, number=found.number, answer=answer)
