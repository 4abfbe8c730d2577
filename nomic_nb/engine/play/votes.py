"""Votes: what is fixed when they open, when they close, what the outcome is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import cast

from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.values import Number
from nomic_nb.engine.law.view import View
from nomic_nb.engine.play.cases import VOTE, names_of
from nomic_nb.engine.play.declaring import happens, step
from nomic_nb.engine.play.effects import replaced
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event, cause_of, number_from_json, value_in
from nomic_nb.engine.play.judging import judge_left
from nomic_nb.engine.play.lawmaking import EFFECTIVE, happens_to, put_in_force
from nomic_nb.engine.play.outcomes import (
    BALLOTS,
    FIXED,
    MOST_WAYS,
    Options,
    all_alike,
    behind,
    hangs_on_more,
    line_up,
    tell_apart,
    ways,
)
from nomic_nb.engine.play.permission import forbidden, permission
from nomic_nb.engine.play.proposals import becomes, proposal_step, to_proposal, with_proposal
from nomic_nb.engine.play.sealing import player_left
from nomic_nb.engine.play.state import Folding, State
from nomic_nb.engine.play.values import CHOICES, OPEN, Proposal, Vote
from nomic_nb.engine.play.voting import (
    TARGET_IS_FREED,
    WHEN_READY,
    adopted_by,
    adopts,
    any_part,
    by_parts,
    quota_of,
    reached,
    ready,
    terms,
    torn_parts,
    weights_of,
)
from nomic_nb.engine.words import listed

#: What changes who votes, or whether ballots can be changed, beside the ballots themselves.
UPSETTING = frozenset(
    {"eliminated", "enacted", "amended", "repealed", "transmuted", "voided", "revived", "suspended", "came_back"}
)


def with_vote(state: State, proposal: Proposal, vote: Vote) -> State:
    """Return the state with the vote on a proposal changed."""
    return with_proposal(state, replace(proposal, vote=vote))


def _hold(engine: Engine, kind: str, law: Law, asked: State, proposal: Proposal, vote: Vote) -> None:
    """Record by what a vote is held from here on, as the law has it for its voters; what is as usual is left out."""
    weights = weights_of(law, asked, proposal.case, vote.electorate)
    held = terms(law, asked, proposal, weights)
    usual = {
        "late": held.late, "choices": held.choices if held.choices != CHOICES else (), "quorum": held.quorum,
        "quorum_rule": held.quorum_rule, "own_turn": vote.own_turn,
        "adopted_by": adopted_by(law, asked, proposal)[0],
    }  # fmt: skip
    happens_to(
        engine, kind, proposal, electorate=vote.electorate, weights=weights, quota=held.quota,
        quota_rule=held.quota_rule, electorate_rule=vote.electorate_rule, duty=vote.duty, sealed=vote.sealed,
        data=usual,
    )  # fmt: skip
    engine.schedule("close vote", **proposal.case)


def _still_there(state: State, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of them who have not left: nobody else can cast a ballot, and no vote waits for theirs."""
    return tuple(name for name in names if state.players[name].playing)


@proposal_step("open vote", "debate")
def open_vote(engine: Engine, proposal: Proposal) -> None:
    """Open the vote on a proposal: electorate, weights, quota and text are fixed from here on (106)."""
    law, state, case = engine.law, engine.state, proposal.case
    electorate = law.find("vote.electorate", state, case)
    named = tuple(dict.fromkeys(names_of(law.settled(electorate))))
    names = _still_there(state, named)
    vote = Vote(
        names, {}, None, None, electorate.rule, law=law, choices=(),
        duty=any_part(law, "vote.duty", state, proposal, value=True),
        sealed=any_part(law, "vote.ballots", state, proposal, "sealed"),
        own_turn=law.said(law.find("vote.when", state, case)) == "own turn",
    )  # fmt: skip
    torn = torn_parts(law, state, proposal)
    if torn:  # when it was proposed, they could be voted on together
        happens_to(engine, "lapsed", proposal, note=torn)
    else:
        asked = state if names == named else with_vote(state, proposal, vote)
        _hold(engine, "vote_opened", law, asked, proposal, vote)


@proposal_step("open vote at once")
def open_vote_at_once(engine: Engine, proposal: Proposal) -> None:
    """Open the vote on what was just proposed, unless the law does not let its proponent call the vote yet."""
    finding = permission(engine.state, "call_vote", proposal.proponent, **proposal.case)
    if not finding.answered:
        engine.law.settled(finding)
    if not forbidden(finding) and proposal.status == "debate":
        open_vote(engine, proposal)


def retally(engine: Engine, proposal: Proposal) -> None:
    """Let a vote go on without voters who have left: among the others, and with the quota for them.

    Nobody comes in who was not there when it opened, and the law of the vote judges it.
    """
    vote = cast(Vote, proposal.vote)
    left = replace(vote, electorate=_still_there(engine.state, vote.electorate), quota=None, quorum_rule=None)
    _hold(engine, "retallied", vote.law, with_vote(engine.state, proposal, left), proposal, left)


#: The vote on a proposal that has another form now goes on, with what that form needs.
proposal_step("go on with revised", "open")(retally)


@proposal_step("close vote", "open")
def close_vote_if_all_voted(engine: Engine, proposal: Proposal) -> None:
    """Close the vote once there is no ballot to wait for."""
    vote = proposal.vote
    if vote is not None and (not vote.waiting or _is_settled(engine, proposal, vote)):
        conclude(engine, proposal)


def _is_settled(engine: Engine, proposal: Proposal, vote: Vote) -> bool:
    """Tell whether the law lets a vote end early, and its result is the same however ballots fall from here on."""
    law, state = vote.law, engine.state
    if law.said(law.find("vote.ends_early", state, proposal.case)) is not True:
        return False
    fixed = FIXED if vote.quota is not None else FIXED.difference(("vote.quota",))
    views = [View(one, {**proposal.case}, law) for one in by_parts(state, proposal)]
    looked = tuple(behind(law, "vote.adopted", fixed, views))
    if hangs_on_more(law, looked) or line_up(looked) or _upsets_votes(engine.law):
        return False
    options: dict[str, Options] = dict.fromkeys(vote.waiting, (*vote.choices, None))
    if _can_be_changed(state, proposal):
        options |= dict.fromkeys(vote.ballots, vote.choices)
    many, each = ways(vote, options, apart=tell_apart(looked))

    def adopted(ballots: Mapping[str, str]) -> bool:
        then = replace(proposal, vote=replace(vote, ballots=ballots))
        return adopts(law, with_proposal(state, then), then)

    return many <= MOST_WAYS and all_alike(each, adopted)


def _can_be_changed(state: State, proposal: Proposal) -> bool:
    """Tell whether ballots could be changed, now or while the vote goes on."""
    looked = tuple(behind(state.law, "vote.changeable"))
    varies = hangs_on_more(state.law, looked) or any(one.words & BALLOTS for one in looked)
    return varies or not state.find("vote.changeable", **proposal.case).says(False)


def _upsets_votes(law: Law) -> bool:
    """Tell whether a ballot, or the end of a vote, could set off that voters leave or that rules change."""
    if not (law.triggers.get("balloted") or law.triggers.get("vote_ending")):
        return False
    return any(UPSETTING & {*effect.form.makes} for clause in law.acting for effect in clause.every_effect())


@proposal_step("conclude vote", "open")
def conclude(engine: Engine, proposal: Proposal) -> None:
    """End a vote as it stands: what rules do before its result is found is done first."""
    if engine.law.triggers.get("vote_ending"):
        happens_to(engine, "vote_ending", proposal)
        engine.schedule("find result", **proposal.case)
    else:
        find_result(engine, proposal)


@proposal_step("find result", "ending")
def find_result(engine: Engine, proposal: Proposal) -> None:
    """Close a vote, unless its proposal has lapsed since it ended, and let the outcome take effect."""
    vote = cast(Vote, proposal.vote)
    case = proposal.case
    quota, rule = vote.quota, vote.quota_rule
    if quota is None:
        found = quota_of(vote.law, engine.state, proposal)
        quota, rule = cast(Number, vote.law.settled(found)), found.rule
    adopted = adopts(vote.law, engine.state, proposal)
    finding = vote.law.find("vote.adopted", engine.state, case)
    engine.cause = cause_of(finding) if reached(vote) else engine.cite("vote.quorum", **case)
    more = {"votes_abstained": vote.weight("abstain")} if vote.quorum or "abstain" in vote.choices else {}
    more |= {"votes_cast": vote.cast, "quorum": vote.quorum} if vote.quorum else {}
    instead = {"adopted_by": adopted_by(vote.law, engine.state, proposal)[0]}
    happens_to(
        engine, "vote_closed", proposal, adopted=adopted, votes_for=vote.weight("for"),
        votes_against=vote.weight("against"), not_voted=vote.waiting, quota=quota, quota_rule=rule,
        data=instead, **more,
    )  # fmt: skip
    if not adopted:
        too_few = f"only {vote.cast} of the {vote.quorum} votes were cast that have to be"
        if replaced(engine, "defeated", proposal.proponent, str(proposal.number), case):
            happens_to(engine, "lapsed", proposal, note="a rule puts something else in place of defeat")
        else:
            happens_to(engine, "defeated", proposal, data={"note": "" if reached(vote) else too_few})
        return
    happens_to(engine, "adopted", proposal)
    times = [engine.law.answer("change.effective", one, case) for one in by_parts(engine.state, proposal)]
    when = max((str(one) for one in times), key=EFFECTIVE.index)  # whole, so when the last of them does
    now = engine.state.proposals[proposal.number]
    if when == "vote closed" or (when == WHEN_READY and ready(engine.law, engine.state, now)):
        put_in_force(engine, now)
    else:
        happens_to(engine, "put_off", proposal, due=when)


proposal_step("put in force", "waiting")(put_in_force)


@step("after leaving")
def after_leaving(engine: Engine) -> None:
    """Settle what a player who left has left open: proposals and votes."""
    name = str(engine.item.env["player"].id)
    player_left(engine, name)
    for proposal in engine.state.open_proposals:
        if proposal.proponent == name:
            engine.schedule("settle left", **proposal.case)
        elif proposal.vote is not None and name in proposal.vote.electorate:
            retally(engine, proposal)
    judge_left(engine, name)


@proposal_step("settle left", *OPEN)
def settle_left(engine: Engine, proposal: Proposal) -> None:
    """Do with the open proposal of a player who has left what the law, or the table, says."""
    if engine.read("proposal.on_leaving", **proposal.case) == "lapse":
        happens_to(engine, "lapsed", proposal, note=f"{proposal.proponent} left the game")
    elif proposal.vote is not None and proposal.proponent in proposal.vote.electorate:
        retally(engine, proposal)
    elif proposal.vote is None:
        engine.schedule("open vote", **proposal.case)


def to_vote(change: Callable[[Vote, Event], Vote]) -> Folding:
    """Return what an event does to the state that changes the vote on a proposal, where one is held."""
    return to_proposal(lambda one, event: replace(one, vote=change(one.vote, event)) if one.vote else one)


def _told_vote_opened(event: Event) -> str:
    data = event.data
    if not data["electorate"] and data["quota"] == 0 and "quorum" not in data:
        return f"nobody votes on {data['number']}, and nobody needs to"
    adopt = "what adopts is found when it closes" if data["quota"] is None else f"{data['quota']} in favour adopt"
    adopt = f"it passes if {data['adopted_by']}" if "adopted_by" in data else adopt
    quorum = f", if {data['quorum']} are cast" if "quorum" in data else ""
    return f"the vote on {data['number']} opens: {listed(data['electorate'])} may vote, {adopt}{quorum}"


def _told_closed(event: Event) -> str:
    data = event.data
    outcome = "adopted" if data["adopted"] else "not adopted"
    abstained = f"{data['votes_abstained']} abstained, " if "votes_abstained" in data else ""
    quorum = f", of at least {data['quorum']} cast" if "quorum" in data else ""
    if not any((data["votes_for"], data["votes_against"], data["quota"], abstained, quorum)):
        return f"the vote on {data['number']} closes: no ballots, and none needed; {outcome}"
    needed = f"it passes if {data['adopted_by']}" if "adopted_by" in data else f"{data['quota']} needed"
    return (
        f"the vote on {data['number']} closes: {data['votes_for']} for, {data['votes_against']} against, {abstained}"
        f"{needed}{quorum}; {outcome}"
    )


@happens("vote_opened", "ballots can be cast", VOTE, told=_told_vote_opened)
@happens("retallied", told=lambda e: f"the vote on {e.data['number']} goes on among {listed(e.data['electorate'])}")
def _vote_opened(state: State, event: Event) -> State:
    data = event.data
    weights = {name: number_from_json(weight) for name, weight in data["weights"].items()}
    proposal = state.proposals[data["number"]]
    old = proposal.vote
    said = (old.ballots, old.agreed) if old else ({}, {})
    ballots, agreed = ({name: one for name, one in each.items() if name in weights} for each in said)
    vote = value_in(
        data, Vote, weights=weights, quota=None if data["quota"] is None else number_from_json(data["quota"]),
        quorum=number_from_json(data.get("quorum", 0)), law=old.law if old else state.law, ballots=ballots,
        agreed=agreed,
    )  # fmt: skip
    status = proposal.status if proposal.status == "ending" else "open"
    return with_proposal(state, replace(proposal, status=status, vote=vote))


happens(
    "vote_ending",
    "no more ballots, and no result yet: what this sets off is done before it is found",
    VOTE,
    told="no more ballots can be cast on {number}",
)(becomes("ending"))


@happens(
    "vote_closed",
    "the result of a vote is found",
    VOTE,
    told=_told_closed,
    late="the result is found by then; what comes before it is done on vote_ending",
)
@to_vote
def _vote_closed(vote: Vote, event: Event) -> Vote:
    """Fix what was needed, where it was found now."""
    if vote.quota is not None or "quota" not in event.data:
        return vote
    return replace(vote, quota=number_from_json(event.data["quota"]), quota_rule=event.data["quota_rule"])


happens("adopted", "a proposal was adopted", VOTE, told="{number} is adopted")(becomes("adopted"))


happens(
    "defeated",
    "a proposal was defeated",
    VOTE,
    told=lambda e: f"{e.data['number']} is defeated" + (f": {e.data['note']}" if "note" in e.data else ""),
    usual="the proposal is defeated, with what rules make of that; where it is replaced, it lapses",
)(becomes("defeated"))


happens(
    "put_off",
    told=lambda e: (
        f"{e.data['number']} takes effect once "
        + {TARGET_IS_FREED: "the rule can be overridden", WHEN_READY: "it is ready"}.get(
            e.data["due"], f"the next {e.data['due']}"
        )
    ),
)(becomes("waiting"))


happens("without_effect", told=lambda e: f"{e.data['number'] or 'the change'} has no effect: {e.data['note']}")(
    becomes("without effect")
)
