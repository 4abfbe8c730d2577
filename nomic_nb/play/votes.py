"""Votes: what is fixed when they open, when they close, what the outcome is."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import cast

from nomic_nb.law.resolver import Law
from nomic_nb.law.running import bounded
from nomic_nb.law.values import NUMBER, TEXT, TRUTH, Number, Ref, Value, exact, within
from nomic_nb.law.view import View
from nomic_nb.law.vocabulary import Function, Key
from nomic_nb.markup.words import listed
from nomic_nb.play.cases import PLAYERS, VOTE, VOTER
from nomic_nb.play.declaring import happens, step
from nomic_nb.play.engine import Engine
from nomic_nb.play.events import Event, cause_of, number_from_json, number_to_json
from nomic_nb.play.judging import judge_left
from nomic_nb.play.lawmaking import put_in_force
from nomic_nb.play.people import names_of
from nomic_nb.play.permission import forbidden, permission
from nomic_nb.play.proposals import becomes, with_proposal
from nomic_nb.play.sealing import player_left
from nomic_nb.play.state import State
from nomic_nb.play.values import Proposal, Vote


def _proposal(engine: Engine) -> Proposal:
    return engine.state.proposals[engine.item.env["proposal"].id]


def _fixed(law: Law, state: State, proposal: Proposal, names: tuple[str, ...]) -> dict[str, object]:
    """Ask the law what a vote among these voters is held by."""
    case = proposal.case
    weights = {}
    for name in names:
        weight = law.answer("vote.weight", state, {**case, "voter": name})
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
def open_vote(engine: Engine) -> None:
    """Open the vote on a proposal: electorate, weights, quota and text are fixed from here on (106)."""
    proposal = _proposal(engine)
    law, state, case = engine.law, engine.state, proposal.case
    electorate = law.find("vote.electorate", state, case)
    named = tuple(dict.fromkeys(names_of(law.settled(electorate))))
    names = _still_there(state, named)
    asked = state if names == named else _among(state, proposal, Vote(names, {}, cast(Number, None), None, None,
        duty=False, sealed=False, law=law))  # fmt: skip
    terms = _fixed(law, asked, proposal, names) | {
        "electorate_rule": electorate.rule,
        "duty": law.answer("vote.duty", state, case),
        "sealed": law.answer("vote.ballots", state, case) == "sealed",
    }
    engine.emit("vote_opened", proposal.proponent, data=terms)
    engine.schedule("close vote", **case)


@step("open vote at once")
def open_vote_at_once(engine: Engine) -> None:
    """Open the vote on what was just proposed, unless the law does not let its proponent call the vote yet."""
    proposal = _proposal(engine)
    finding = permission(engine.state, "call_vote", proposal.proponent, **proposal.case)
    if not finding.answered:
        engine.law.settled(finding)
    if not forbidden(finding):
        open_vote(engine)


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
    engine.schedule("close vote", **proposal.case)


@step("close vote")
def close_vote_if_all_voted(engine: Engine) -> None:
    """Close the vote once there is no ballot to wait for."""
    proposal = _proposal(engine)
    if proposal.status == "open" and proposal.vote is not None and not proposal.vote.waiting:
        conclude(engine, proposal)


@step("conclude vote")
def conclude_vote(engine: Engine) -> None:
    """Close a vote as it stands."""
    proposal = _proposal(engine)
    if proposal.status == "open":
        conclude(engine, proposal)


@step("find result")
def find_result_of(engine: Engine) -> None:
    """Find the result of a vote that has ended, unless its proposal has lapsed since."""
    proposal = _proposal(engine)
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
    return law.answer("vote.adopted", state, proposal.case) is True


def conclude(engine: Engine, proposal: Proposal) -> None:
    """End a vote: what rules do before its result is found is done first."""
    case = proposal.case
    if engine.law.triggers.get("vote_ending"):
        engine.emit("vote_ending", proposal.proponent, number=proposal.number)
        engine.schedule("find result", **case)
    else:
        find_result(engine, proposal)


def find_result(engine: Engine, proposal: Proposal) -> None:
    """Close a vote, and let the outcome take effect."""
    vote = cast(Vote, proposal.vote)
    case = proposal.case
    adopted = is_adopted(engine.state, proposal)
    finding = vote.law.find("vote.adopted", engine.state, case)
    engine.cause = cause_of(finding)
    engine.emit(
        "vote_closed", proposal.proponent, number=proposal.number, adopted=adopted,
        votes_for=number_to_json(vote.weight("for")), votes_against=number_to_json(vote.weight("against")),
        not_voted=list(vote.waiting), quota=number_to_json(vote.quota), quota_rule=vote.quota_rule,
    )  # fmt: skip
    if not adopted:
        engine.emit("defeated", proposal.proponent, number=proposal.number)
        return
    engine.emit("adopted", proposal.proponent, number=proposal.number)
    when = engine.read("change.effective", **case)
    if when == "vote closed":
        put_in_force(engine, engine.state.proposals[proposal.number])
    else:
        engine.emit("put_off", proposal.proponent, number=proposal.number, due=when)


@step("put in force")
def put_adopted_in_force(engine: Engine) -> None:
    """Let a change take effect that was adopted earlier."""
    proposal = _proposal(engine)
    if proposal.status == "waiting":
        put_in_force(engine, proposal)


@step("after leaving")
def after_leaving(engine: Engine) -> None:
    """Settle what a player who left has left open: proposals and votes."""
    name = engine.item.env["player"].id
    player_left(engine, str(name))
    for proposal in engine.state.open_proposals:
        if proposal.proponent == name:
            engine.schedule("settle left", **proposal.case)
        elif proposal.vote is not None:
            retally(engine, proposal)
    judge_left(engine, str(name))


@step("settle left")
def settle_left(engine: Engine) -> None:
    """Do with the open proposal of a player who has left what the law, or the table, says."""
    proposal = _proposal(engine)
    if not proposal.open:
        return
    if engine.read("proposal.on_leaving", **proposal.case) == "lapse":
        note = f"{proposal.proponent} left the game"
        engine.emit("lapsed", proposal.proponent, number=proposal.number, note=note)
    elif proposal.vote is not None:
        retally(engine, proposal)
    else:
        engine.schedule("open vote", **proposal.case)


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


happens(
    "vote_ending",
    "no more ballots, and no result yet: what this sets off is done before it is found",
    VOTE,
    told="no more ballots can be cast on {number}",
)(becomes("ending"))


happens(
    "vote_closed",
    "the result of a vote is found",
    VOTE,
    told=_told_closed,
    late="the result is found by then; what comes before it is done on vote_ending",
)


happens("adopted", "a proposal was adopted", VOTE, told="{number} is adopted")(becomes("adopted"))


happens("defeated", "a proposal was defeated", VOTE, told="{number} is defeated")(becomes("defeated"))


happens("put_off", told="{number} takes effect once the next {due}")(becomes("waiting"))


happens("without_effect", told=lambda e: f"{e.data['number'] or 'the change'} has no effect: {e.data['note']}")(
    becomes("without effect")
)


def _held_vote(view: View) -> Vote | None:
    ref = view.env.get("proposal")
    proposal = cast(State, view.state).proposals.get(ref.id) if isinstance(ref, Ref) else None
    return proposal.vote if proposal is not None else None


def _held_electorate(view: View) -> Value:
    vote = _held_vote(view)
    return None if vote is None else tuple(Ref("player", name) for name in vote.electorate)


def _held_weight(view: View) -> Value:
    vote, voter = _held_vote(view), view.env.get("voter")
    return None if vote is None or not isinstance(voter, Ref) else vote.weights.get(str(voter.id))


def _held_quota(view: View) -> Value:
    vote = _held_vote(view)
    return None if vote is None else vote.quota


def _weights(view: View, players: Value) -> list[Number]:
    weights = []
    for name in names_of(players):
        view.spend()
        weight = view.key("vote.weight", voter=Ref("player", name))
        weights.append(cast(Number, weight))
    view.trace.pop("vote.weight", None)
    return weights


def unanimity(view: View, players: Value) -> Value:
    """Return the weight of all ballots together."""
    return bounded(sum(_weights(view, players)))


def majority(view: View, players: Value) -> Value:
    """Return the least weight that is more than half, in the units that the weights are made of."""
    weights = [Fraction(one) for one in _weights(view, players)]
    unit = lcm(1, *(one.denominator for one in weights))
    half = sum(weights) * unit // 2
    return bounded(exact(Fraction(half + 1, unit)))


KEYS = (
    Key("vote.electorate", PLAYERS, "the voters: who may vote", "when a vote opens; then it is fixed", VOTE,
        held=_held_electorate, reads=("proposals",), needed=True),
    Key("vote.weight", NUMBER, "what a ballot weighs", "when a vote opens; then it is fixed", VOTER,
        held=_held_weight, reads=("proposals",), misfit=within("a weight", 0, whole=False), needed=True),
    Key("vote.automatic", TRUTH, "whether a rule may cast a voter's ballot", "when a rule casts one", VOTER),
    Key("vote.quota", NUMBER, "how many votes in favour adopt, counted by weight",
        "when a vote opens, and when a voter leaves; between, it is fixed",
        VOTE,
        held=_held_quota, reads=("proposals",), misfit=within("a quota", 0, whole=False), needed=True),
    Key("vote.adopted", TRUTH, "whether the proposal is adopted", "when a vote closes", VOTE, needed=True),
    Key("vote.duty", TRUTH, "whether everyone who may vote must", "when a vote opens", VOTE, needed=True),
    Key("vote.ended_by", PLAYERS, "who may close a vote in which not everyone has voted",
        "while a vote is open without a duty to vote", VOTE),
    Key("vote.ballots", TEXT, "whether ballots are seen before the vote closes", "when a vote opens", VOTE,
        ("open", "sealed"), needed=True),
    Key("vote.changeable", TRUTH, "whether a ballot can be changed while the vote is open", "when a ballot is cast",
        VOTE),
)  # fmt: skip

FUNCTIONS = (
    Function("unanimity", (PLAYERS,), NUMBER, "the weight of all their ballots", unanimity,
             keys=("vote.weight",)),
    Function("majority", (PLAYERS,), NUMBER, "the least weight that is more than half of all their ballots", majority,
             keys=("vote.weight",)),
)  # fmt: skip
