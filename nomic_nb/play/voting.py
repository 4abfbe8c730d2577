"""Votes: what is fixed when they open, when they close, what the outcome is."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from nomic_nb.law.resolver import Law
from nomic_nb.law.values import Number, Ref
from nomic_nb.play.declaring import step
from nomic_nb.play.engine import Engine
from nomic_nb.play.events import cause_of, number_to_json
from nomic_nb.play.fold import with_proposal
from nomic_nb.play.judgment import judge_left
from nomic_nb.play.lawmaking import put_in_force
from nomic_nb.play.people import names_of
from nomic_nb.play.permission import forbidden, permission
from nomic_nb.play.sealing import player_left
from nomic_nb.play.state import Item, Proposal, State, Vote


def case_of(proposal: Proposal) -> dict[str, Ref]:
    """Return the case of a proposal, as the law is asked about it."""
    return {"proposal": Ref("proposal", proposal.number)}


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
